/* flatten/flatten.h - turns a syntax tree into a flat model.
 *
 * Depends on: flat/flat.h. */
#ifndef DAEDAL_FLATTEN_FLATTEN_H
#define DAEDAL_FLATTEN_FLATTEN_H

#include "flat/flat.h"

/* What the command line changes: -p name=value, -y name=value, --input name=expression. */
typedef struct flat_change {
    const char *name;
    double value;
    bool is_start;      /* fixes a start value, else sets a parameter            */
    bool is_input;      /* else: an input gets the value `expression`, or, if it is NULL, one
                           from outside, whatever its declaration says           */
    bool is_definition; /* else: a new variable has the value `expression`   */
    const ast_expr *expression;
} flat_change;

/* Flattens the model in the file (the only model or class, or the last one; for a package the
 * model inside).  NULL with errors in c->sources.  An unknown name in `changes` is an error
 * that suggests the nearest known one.  The file and the changes must live as long as the model. */
flat_model *flatten(compilation *c, const ast_file *file, const flat_change *changes,
                    size_t n_changes);
#endif
