/* expr/walk.h - passes over expressions without recursion.
 *
 * Responsibility: what occurs in expressions, in operand-first order; substitution.
 * Depends on: expr/expression.h.                                                     */
#ifndef DAEDAL_EXPR_WALK_H
#define DAEDAL_EXPR_WALK_H

#include "expr/expression.h"

/* Which operands a walk enters. */
typedef enum expr_parts {
    EXPR_ALL,      /* everything that is evaluated                                  */
    EXPR_INCIDENCE /* not conditions of ifs nor operands of relations, and, or, not:
                    * what the value depends on continuously                        */
} expr_parts;

/* A walker remembers what it has seen until walker_forget: walking over many roots
 * visits every node once.                                                        */
typedef struct expr_walker {
    const expr_graph *g;
    uint32_t *stamp; /* by id */
    size_t n_stamps;
    uint32_t now;
    expr *stack;
    size_t n_stack, stack_capacity;
    expr *found; /* result of the last walk: ids, operands before users */
    size_t n_found, found_capacity;
    bool failed; /* out of memory; sticky */
} expr_walker;

void expr_walker_create(expr_walker *w, const expr_graph *g);
void expr_walker_free(expr_walker *w);
void expr_walker_forget(expr_walker *w); /* constant time */

/* Collect in w->found what is reachable from root and was not seen since forget.
 * Time proportional to what is collected.  false: out of memory.                 */
bool expr_walk(expr_walker *w, expr root, expr_parts parts);

/* The same, but only variables are kept in w->found (nodes of op VAR).           */
bool expr_depends(expr_walker *w, expr root, expr_parts parts);

/* ---- substitution ----------------------------------------------------------------- */

/* The image of a variable in `to`, or EXPR_NONE to keep it.  Images are not substituted
 * again: resolve chains of aliases before.                                        */
typedef expr expr_image_fn(void *user, uint32_t variable);

/* Rebuild n roots of `from` in `to` (which may be the same graph), in place.  One pass over
 * the ids up to the largest root; constants fold again on the way.  false: out of memory. */
bool expr_substitute(const expr_graph *from, expr_graph *to, expr *roots, size_t n,
                     expr_image_fn *image, void *user);

/* The same in one graph, for few roots at a time and many times: time proportional to what the
 * roots contain.                                                                 */
typedef struct expr_substituter {
    expr_walker w;
    expr_graph *g;
    expr *image; /* by id */
    size_t n_images;
    expr *operands;
    size_t operand_capacity;
} expr_substituter;

void expr_substituter_create(expr_substituter *s, expr_graph *g);
void expr_substituter_free(expr_substituter *s);
bool expr_substitute_few(expr_substituter *s, expr *roots, size_t n, expr_image_fn *image,
                         void *user);
#endif
