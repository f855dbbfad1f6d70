/* adjoint/model_functional.h - variables of a model as terms of a functional.
 *
 * Responsibility: the value of a variable as a function of t, y and parameters, and its
 * derivatives, exact. Depends on: adjoint/functional.h, compile/. */
#ifndef DAEDAL_ADJOINT_MODEL_FUNCTIONAL_H
#define DAEDAL_ADJOINT_MODEL_FUNCTIONAL_H

#include "adjoint/functional.h"
#include "compile/parameter_tapes.h"

/* A term: factor times an unknown or a discrete variable, or an expression of the model. */
typedef struct model_term {
    const compiled_model *of;
    int32_t unknown;   /* or -1                                          */
    int32_t discrete;  /* slot of a discrete variable, or -1             */
    int32_t parameter; /* the place of that among the parameters, or -1  */
    double factor;
    expr expression;       /* or EXPR_NONE                                   */
    program *value, *by_y; /* by_y: n_system values                    */
    parameter_tapes by_p;
} model_term;

/* DAEDAL_ERR_ARGUMENT: the variable cannot be a term, which *why explains.  model_term_free in any
 * case.                                                                          */
daedal_status model_term_create(model_term *t, const compiled_model *of, uint32_t variable,
                                const uint32_t *parameters, int32_t n_parameters,
                                daedal_diagnosis *why);
void model_term_free(model_term *t);
/* No derivative by a parameter differs from zero. */
bool model_term_lacks_parameters(const model_term *t);

/* For a functional whose user is a model_functional; the gradients take NULL. */
typedef struct model_functional {
    model_term integrand, end;
} model_functional;

daedal_functional_fn model_integrand, model_end;
daedal_functional_gradient_fn model_integrand_gradient, model_end_gradient;
#endif
