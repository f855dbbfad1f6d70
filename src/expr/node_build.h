/* expr/node_build.h - what the makers stand on; for expr/expression.c and expr/simplify.c.
 *
 * Responsibility: nodes as they are, without simplification.
 * Depends on: expr/expression.h.                                                     */
#ifndef DAEDAL_EXPR_NODE_BUILD_H
#define DAEDAL_EXPR_NODE_BUILD_H

#include "expr/expression.h"

/* The node with this operation and operands, found or new; flags follow from them. */
expr node_intern(expr_graph *g, expr_op op, expr a, expr b, expr c);

/* Remembers that the formula must keep its value. */
void node_freeze(expr_graph *g, expr formula, double value);

/* A new value of a live constant. */
void node_set_value(expr_graph *g, expr e, double value);

/* What an operation with at most two operands gives (y is ignored if it has one). */
double kernel_apply(expr_op op, double x, double y);
#endif
