/* adjoint/coefficients.h - the derivatives of F along a recorded solution.
 *
 * Responsibility: dF/dy and dF/dy' at a time, by the user's Jacobian or by central differences, and
 * products of a vector with dF/dp.
 * Depends on: adjoint/solution_record.h, newton/.                                */
#ifndef DAEDAL_ADJOINT_COEFFICIENTS_H
#define DAEDAL_ADJOINT_COEFFICIENTS_H

#include "adjoint/solution_record.h"

/* out_i = v' dF/dp_i at (t, y, yp); a daedal_answer. */
typedef int parameter_product_fn(double t, const double *y, const double *yp, const double *v,
                                 double *out, void *user);

/* dF/dy and dF/dy' (or NULL) at (t, y, yp), in the order of the pattern, all finite; a
 * daedal_answer.                                                                 */
typedef int parts_fn(double t, const double *y, const double *yp, double *dy, double *dyp,
                     void *user);

typedef struct coefficients {
    const daedal_system *sys;      /* with its parameters, borrowed */
    parameter_product_fn *product; /* in the place of parameter_derivative, or NULL */
    void *product_user;
    parts_fn *both; /* in the place of the Jacobian of sys, or NULL */
    void *both_user;
    const bool *is_zero;   /* by entry: that of dF/dy is zero at any point; or NULL */
    bool leading_is_fixed; /* dF/dy' is known to be constant                */
    bool has_leading;      /* and has been evaluated                        */
    bool parts_lack_slopes, product_lacks_slopes; /* y' is not read by `both`, by `product` */
    solution_record *along;
    daedal_stats stats; /* calls of F */
    evaluator ev;
    iteration_matrix parts;
    double t; /* of y, yp; NAN: none */
    bool has_slopes, has_parts;
    double *y, *yp, *inverse_weight;
    double *dp;    /* n x n_parameters with parameter_derivative, 2 n for differences */
    double *scale; /* n_parameters */
    block mem;
} coefficients;

/* `of` is the run that was recorded, whose patterns are taken.  DAEDAL_OK, DAEDAL_ERR_MEMORY.
 * coefficients_free in any case.                                                 */
daedal_status coefficients_create(coefficients *c, const daedal_system *sys, const run *of,
                                  solution_record *along);
void coefficients_free(coefficients *c);

/* y and y' at t; those that coefficients_evaluate or coefficients_by_parameters read; given ones.
 */
void coefficients_go_to(coefficients *c, double t);
void coefficients_go_to_parts(coefficients *c, double t);
void coefficients_go_to_product(coefficients *c, double t);
void coefficients_place(coefficients *c, double t, const double *y, const double *yp);
void coefficients_place_values(coefficients *c, double t, const double *y); /* without y' */
void coefficients_forget(coefficients *c);
/* Both return a daedal_answer.  c->parts at the point; out_i = v' dF/dp_i.        */
int coefficients_evaluate(coefficients *c);
int coefficients_by_parameters(coefficients *c, const double *v, double *out);

/* Whether dF/dy' is known to rounding only, not to differences. */
bool coefficients_are_exact(const coefficients *c);
#endif
