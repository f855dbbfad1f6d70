/* expr/rounding.h - how far rounding can move the values of expressions.
 *
 * Responsibility: a running error analysis, after Wilkinson: with the value of each operation
 * a bound of its error is computed, from those of its operands and its own rounding.
 * Depends on: expr/evaluate.h.                                                       */
#ifndef DAEDAL_EXPR_ROUNDING_H
#define DAEDAL_EXPR_ROUNDING_H

#include "expr/evaluate.h"

/* error[k] of root k, variables and constants being exact.  false: out of memory.  Memory in
 * proportion to the graph, given back before returning.                           */
bool expr_rounding_errors(const expr_graph *g, const expr *roots, size_t n, const expr_source *from,
                          double *error);
#endif
