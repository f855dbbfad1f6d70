/* expr/terms.h - the terms of a sum.
 *
 * Responsibility: sums and differences taken apart; the size of the numbers that a sum is made of.
 * Depends on: expr/expression.h.                                                     */
#ifndef DAEDAL_EXPR_TERMS_H
#define DAEDAL_EXPR_TERMS_H

#include "expr/expression.h"

/* Called for each term, without its sign. */
typedef void expr_term_fn(expr term, void *user);

void expr_each_term(const expr_graph *g, expr sum, expr_term_fn *call, void *user);

/* The sum of the absolute values of the terms. */
expr expr_size_of_terms(expr_graph *g, expr sum);
#endif
