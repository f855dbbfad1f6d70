/* instantiate/instantiate.h - from object-oriented Modelica to the syntax of a flat model.
 *
 * Responsibility: finds classes in files and libraries, puts a model together from its components,
 * bases, modifiers and connections, and hands it on as the text of a flat model would be read: one
 * package with functions, records and enumerations, and one model of variables and equations.
 * Depends on: lang/parser.h, flatten/flatten.h.                                     */
#ifndef DAEDAL_INSTANTIATE_INSTANTIATE_H
#define DAEDAL_INSTANTIATE_INSTANTIATE_H

#include "flatten/flatten.h"
#include "lang/parser.h"

typedef struct instantiate_options {
    const char *const *path; /* directories with packages */
    size_t n_paths;
    const flat_change *changes; /* of parameters, the outermost modifiers */
    size_t n_changes;
    const char *model; /* full name of a model, or NULL: the last one of the file */
    bool all;          /* instantiate_browse: packages inside packages too */
} instantiate_options;

/* The flat model of a file that was read by parse_library_text, or of a class of the libraries if
 * file is NULL.  NULL with errors in c->sources. */
ast_file *instantiate(compilation *c, const ast_file *file, const instantiate_options *options);

/* A class as a list shows it. */
typedef struct class_summary {
    const char *name, *kind, *description; /* description may be NULL */
    bool is_example, is_partial;
} class_summary;

typedef bool class_visit(void *user, const class_summary *s); /* false: enough */

/* The classes of the package options->model, of a file, or the packages of the search path.  What
 * cannot be read is shown as such.  false with errors in c->sources. */
bool instantiate_browse(compilation *c, const ast_file *file, const instantiate_options *options,
                        class_visit *visit, void *user);

/* Whether a file that was read as a flat model has components that are models. */
bool has_components(compilation *c, const ast_file *file);
#endif
