/* expr/taylor.h - Taylor coefficients of an expression along a path.
 *
 * Responsibility: given x_i(s) = sum_k c_ik s^k for the variables of an expression e, the
 * coefficients of e(x(s)): those of order k are d^k e/ds^k / k! at s = 0.  Time and memory grow
 * with the square of the order and with the order, where repeated symbolic derivatives
 * (expr/derive.h) grow exponentially.  Lazily, as expr/evaluate.h: branches not taken at s = 0
 * are not looked at; corners are those of expr/series.h.
 * The partial derivative of coefficient m of e with respect to coefficient r of x_i is
 * coefficient m - r of de/dx_i, so gradients of derivatives need no other function.
 * Depends on: expr/expression.h.                                                     */
#ifndef DAEDAL_EXPR_TAYLOR_H
#define DAEDAL_EXPR_TAYLOR_H

#include "expr/expression.h"

/* `variable` writes the order + 1 coefficients of a variable to c, which is zero before; it is
 * asked once for each.                                                           */
typedef struct expr_path {
    void (*variable)(void *user, uint32_t index, double *c);
    int32_t order; /* >= 0 */
    void *user;
} expr_path;

/* The coefficients 0 .. order of e in c; coefficient 0 agrees with expr_evaluate bit for bit.
 * EXPR_NOT_DIFFERENTIABLE: a call stands in what is looked at, *culprit (may be NULL) is the
 * first.  EXPR_NO_MEMORY.  c is untouched then.  Memory proportional to what is looked at
 * times order + 1, given back before returning.                                  */
expr_outcome expr_taylor(const expr_graph *g, expr e, const expr_path *path, double *c,
                         expr *culprit);
#endif
