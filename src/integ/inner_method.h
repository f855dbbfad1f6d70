/* integ/inner_method.h - a method applied to other equations than those of the run.
 *
 * Responsibility: the system of equations that a method makes from the ones it was given, with its
 * evaluator, iteration matrix and tolerances, and another method that integrates it.
 * Invariant: `sys`, `pattern`, `tolerances` and the arrays are filled in by the owner before
 * inner_method_create; the arrays are in the memory of the owner, whose layout calls
 * inner_method_lay_out.
 * Depends on: integ/method.h.                                                       */
#ifndef DAEDAL_INTEG_INNER_METHOD_H
#define DAEDAL_INTEG_INNER_METHOD_H

#include "integ/method.h"

typedef struct inner_method {
    const method *method;
    void *integrator;
    daedal_system sys;
    pattern pattern; /* of c dF/dy' + dF/dy; freed with the rest */
    evaluator ev;
    iteration_matrix matrix;
    weights tolerances;
    bool *is_differential;
    int32_t *variable_index;
} inner_method;

/* Place the arrays of n unknowns, with those of `tolerances` except rtol and atol. */
void inner_method_lay_out(inner_method *in, layout *l, size_t n);

/* Create the evaluator, the matrix and an integrator of the kind context->method.  Everything else
 * is as in the context; calls are counted in `calls`.  After a failure the caller must call
 * inner_method_free. */
daedal_status inner_method_create(inner_method *in, const integ_context *context,
                                  const daedal_linsolver *solver, daedal_stats *calls);
/* Copy the state of another inner method of the same system. */
void inner_method_copy(inner_method *in, const inner_method *from);
void inner_method_free(inner_method *in);

#endif
