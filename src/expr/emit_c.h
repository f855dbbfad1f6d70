/* expr/emit_c.h - C source that computes expressions.
 *
 * Responsibility: portable C11 for a list of roots, one loop for all roots of the same
 * shape (equal but for variables and constants), so that the size of the
 * program grows with the number of shapes.  Subexpressions that several roots share and
 * that are worth it become work items computed before.  Compiled without contraction
 * (-ffp-contract=off) and without -ffast-math the results equal the tape's bit for bit.
 *
 *     enum { NAME_work = ... };
 *     void NAME(const double *v, double *w, double *out);     w: NAME_work doubles
 *
 * Depends on: expr/expression.h.                                                     */
#ifndef DAEDAL_EXPR_EMIT_C_H
#define DAEDAL_EXPR_EMIT_C_H

#include "expr/expression.h"

/* Takes the text piece by piece; false stops the emission.                        */
typedef bool emit_write_fn(void *user, const char *text, size_t length);

typedef struct emit_setup {
    const expr_graph *g;
    const expr *roots;
    size_t n_roots;
    const uint32_t *target; /* where root k goes in out; NULL: k */
    const char *name;       /* of the C function; a C identifier */
    /* Where variables stand in v; NULL: the index itself.                          */
    uint32_t (*place)(void *user, uint32_t variable);
    /* The C name of a function  void f(const double *args, double *outputs);  the caller
     * writes it.  NULL: calls cannot be emitted.                                   */
    const char *(*function)(void *user, uint32_t id);
    emit_write_fn *write;
    void *user; /* of all three */
    const daedal_allocator *allocator;
} emit_setup;

/* The includes and helper functions every emitted function needs: once per file.  */
bool emit_c_prelude(emit_write_fn *write, void *user);

/* EXPR_OK, EXPR_NO_MEMORY, EXPR_STOPPED when write gave up, EXPR_NO_NAME.         */
expr_outcome emit_c_function(const emit_setup *setup);
#endif
