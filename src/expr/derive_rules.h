/* expr/derive_rules.h - the chain rule for single operations; inside expr/ only.
 *
 * Depends on: expr/derive.h.                                                    */
#ifndef DAEDAL_EXPR_DERIVE_RULES_H
#define DAEDAL_EXPR_DERIVE_RULES_H

#include "expr/derive.h"

/* Operands in the sense of the chain rule: an output has those of its call.       */
uint32_t derive_operands(const expr_graph *g, expr e, const expr **operands);

/* Not constants, nor what is constant between its jumps.                          */
bool derive_is_smooth(expr_op op);

/* w times the derivative of operation e with respect to its operand k (not of ifs, min,
 * max; not of calls).                                                            */
expr derive_chain(expr_graph *g, expr e, uint32_t k, expr w);

/* The derivative of a call with respect to its argument k; EXPR_NONE: it is not known. */
static inline expr derive_partial(expr_graph *g, const expr_partials *p, expr call, uint32_t k)
{
    return p->of ? p->of(p->user, g, call, k) : EXPR_NONE;
}

/* If, min and max choose one of two operands: the condition (true: the first) and both.  */
static inline bool derive_is_choice(expr_op op)
{
    return op == EXPR_IF || op == EXPR_MIN || op == EXPR_MAX;
}
expr derive_choice(expr_graph *g, expr e, expr branch[2]);
#endif
