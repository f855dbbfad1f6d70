/* expr/derive.h - derivatives as expressions on the same graph.
 *
 * Responsibility: gradients (for exact sparse Jacobians), directional and total time
 * derivatives.  No derivative evaluates a branch that the value does not take, or depends
 * on it: d(if c then a else b) = if c then da else db.
 * Rules at corners: d abs(x) = sign(x) dx; d max(a,b) = if a > b then da else db; relations,
 * sign, floor, ceil, integer and div have derivative 0 (their jumps are events);
 * d mod(x,y) = dx - floor(x/y) dy.
 * Depends on: expr/expression.h.                                                     */
#ifndef DAEDAL_EXPR_DERIVE_H
#define DAEDAL_EXPR_DERIVE_H

#include "expr/walk.h"

/* How called functions are differentiated: the derivative of one output with respect to argument
 * number k, as an expression in g; EXPR_NONE: none is known.  `of` may be NULL.   */
typedef struct expr_partials {
    expr (*of)(void *user, expr_graph *g, expr call, uint32_t k);
    void *user;
} expr_partials;

/* ---- gradients -------------------------------------------------------------------- */

typedef struct expr_entry {
    uint32_t variable;
    expr derivative;
} expr_entry;

typedef struct expr_gradient {
    const expr_entry *entry; /* ascending in variable; no derivative is the constant 0 */
    size_t n;
} expr_gradient;

typedef struct expr_selection {
    bool (*wants)(void *user, uint32_t variable); /* the same answer every time */
    void *user;
    expr_partials partials;
} expr_selection;

typedef struct expr_deriver expr_deriver; /* remembers shared work between gradients */

expr_deriver *expr_deriver_create(expr_graph *g, const expr_selection *selection);
void expr_deriver_free(expr_deriver *d); /* accepts NULL */

/* The gradient of e with respect to the selected variables; valid until the next call.
 * EXPR_NOT_DIFFERENTIABLE sets *culprit to the call (culprit may be NULL).
 * Reverse mode: the cost is proportional to the size of e and of the result.     */
expr_outcome expr_gradient_of(expr_deriver *d, expr e, expr_gradient *gradient, expr *culprit);

/* ---- directional -------------------------------------------------------------------- */

/* The derivative of each variable in the wanted direction, EXPR_NONE for 0.  For the total
 * time derivative: time -> 1, x -> der(x), parameters and discrete ones -> EXPR_NONE.   */
typedef struct expr_direction {
    expr (*variable)(void *user, expr_graph *g, uint32_t index);
    void *user;
    expr_partials partials;
    /* For derivatives by parameters, else NULL: live constants are differentiated by their
     * formulas. The expression, of live constants, that the variable of a parameter is bound to;
     * EXPR_NONE: `variable` knows its derivative.                                           */
    expr (*binding)(void *user, uint32_t index);
} expr_direction;

typedef struct expr_differ expr_differ; /* remembers the derivatives of shared nodes */

expr_differ *expr_differ_create(expr_graph *g, const expr_direction *direction);
void expr_differ_free(expr_differ *d); /* accepts NULL */
/* Ask the direction anew.  The time is proportional to what was remembered: a differ kept
 * for many small expressions is cheap, one for each costs as much as the graph.  */
void expr_differ_forget(expr_differ *d);
expr_outcome expr_differ_of(expr_differ *d, expr e, expr *derivative, expr *culprit);
#endif
