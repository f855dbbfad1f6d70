/* adjoint/functional.h - the functional whose gradient is sought.
 *
 * Responsibility: values of the integrand g(t, y, p) and of the end term h(t, y, p), and their
 * gradients: by the user's functions, or by central differences.
 * Depends on: base/memory.h.                                                     */
#ifndef DAEDAL_ADJOINT_FUNCTIONAL_H
#define DAEDAL_ADJOINT_FUNCTIONAL_H

#include "base/memory.h"

typedef struct functional_term {
    daedal_functional_fn *value; /* or NULL: the term is zero */
    daedal_functional_gradient_fn *gradient;
    bool takes_null;       /* the gradient leaves out what is NULL of by_y and by_p */
    bool lacks_parameters; /* by_p is zero */
} functional_term;

typedef struct functional {
    functional_term integrand, end;
    void *user;
    int32_t n, n_parameters;
    double *const *places; /* of the parameters, or NULL */
    const double *scale;   /* n_parameters               */
    const double *size;    /* n: of y, for increments    */
    double *moved, *by_p;  /* n, n_parameters            */
    block mem;
} functional;

bool functional_create(functional *f, const daedal_allocator *a);
void functional_free(functional *f);

/* All return a daedal_answer; a value that is not finite is DAEDAL_CALL_RETRY. */
int functional_value(const functional *f, const functional_term *term, double t, const double *y,
                     double *value);
int functional_by_y(const functional *f, const functional_term *term, double t, const double *y,
                    double *by_y);
/* Also uses room for y. */
int functional_by_p(const functional *f, const functional_term *term, double t, const double *y,
                    double *by_p);
#endif
