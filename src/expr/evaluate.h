/* expr/evaluate.h - the value of one expression, directly on the graph.
 *
 * Responsibility: values of single expressions (parameters, start values, checks), lazily:
 * branches not taken are not looked at; and which operation spoilt a value.  For values
 * needed many times: expr/tape.h, which agrees bit for bit.
 * Depends on: expr/expression.h.                                                     */
#ifndef DAEDAL_EXPR_EVALUATE_H
#define DAEDAL_EXPR_EVALUATE_H

#include "expr/expression.h"

/* Where values come from.  `call` computes all outputs of a function; its answer is 0 or
 * what the evaluation shall give up with.  NULL: calls are NaN.                  */
typedef int expr_call_fn(void *user, uint32_t function, const double *args, double *outputs);

typedef struct expr_source {
    double (*variable)(void *user, uint32_t index);
    expr_call_fn *call;
    void *user;
} expr_source;

/* *value of e.  Answers what `call` answered, or EXPR_EVALUATE_MEMORY.  Memory proportional to
 * what is looked at, given back before returning.                                */
enum { EXPR_EVALUATE_MEMORY = INT32_MIN };
int expr_evaluate(const expr_graph *g, expr e, const expr_source *from, double *value);

/* The first operation (or variable, or constant) under e whose value is not finite though
 * those of its operands are; EXPR_NONE if e is finite or memory is short.  Its value in
 * *value.  Print it with expr_print.                                             */
expr expr_blame(const expr_graph *g, expr e, const expr_source *from, double *value);
#endif
