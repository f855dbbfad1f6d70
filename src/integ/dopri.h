/* integ/dopri.h - the state of a run with an explicit Runge-Kutta pair, for systems that are not
 * stiff and whose equations determine all y' (index 0).
 *
 * No Jacobian, no iteration: a step is a number of evaluations of y'(t, y)
 * (docs/theory/dopri.md).
 *   dopri.c              making, beginning, interpolating
 *   dopri_step.c         one accepted step
 *   dopri_table.c        coefficients
 *   slope_solver.c       y' from t and y
 * Depends on: integ/method.h, integ/slope_solver.h, integ/stage_sum.h, integ/substeps.h,
 *   integ/dopri_table.h.  */
#ifndef DAEDAL_INTEG_DOPRI_H
#define DAEDAL_INTEG_DOPRI_H

#include "integ/dopri_table.h"
#include "integ/slope_solver.h"
#include "integ/stage_sum.h"
#include "integ/substeps.h"

enum { DOPRI_SOME_UNSTABLE = 4 }; /* steps after which stability limits the next */

typedef struct dopri_count {
    int32_t yes, no; /* steps of either kind, in a row more or less                    */
    bool is_seen;
} dopri_count;

typedef struct dopri_stiffness {
    dopri_count unstable; /* steps that stability limits ([HW96] IV.2)                 */
    dopri_count smooth;   /* that errors of components limit which the solution lacks  */
    double smooth_change; /* of y' in such a step, relative                            */
    double reach;         /* of the last step: h times the largest eigenvalue, estimated */
    double rate;          /* the largest such eigenvalue of the last steps               */
} dopri_stiffness;

/* Two estimates of the error, of orders 3 and 5.  Their sizes and their quotient vary little from
 * step to step as long as F is smooth.  Without the second estimate nothing is concluded. */
typedef struct dopri_doubt {
    double coarse, quotient;             /* the first; over the second: of the attempt */
    double usual_coarse, usual_quotient; /* of the last steps                          */
    bool is_felt;                        /* the last step differs                      */
} dopri_doubt;

typedef struct dopri {
    integ_context in;
    const dopri_table *tab;
    slope_solver slopes;
    int32_t n, n_even; /* the vectors that are summed have an even length, for stage_sum */

    double t, t_before;
    double h, h_last;                 /* signed: of the next and of the last step          */
    double error;                     /* of the attempt                                    */
    double root, root_accepted;       /* of its inverse, of that of the last step, of the order */
    int64_t steps_done;               /* since begin                                       */
    bool dense_known, dense_is_cubic; /* the latter: without the stages for more      */
    dopri_stiffness stiffness;
    dopri_doubt doubt;
    int32_t worst;

    double *y, *yp; /* at t */
    double *y_before, *yp_before;
    double *y_new;
    double *k[DOPRI_STAGES_MAX];
    double *point; /* where the last stage before the end is evaluated                 */
    double *err;
    double *dense[DOPRI_DENSE_MAX];
    double *inverse_weight, *inverse_part;
    substeps beside; /* for output points where the dense output is the cubic            */
    block mem;
} dopri;

/* Weights of the error test at y. */
void dopri_weigh(dopri *d);
daedal_status dopri_step(void *self, double t_limit);
/* The point of stage i: out = from + h sum_j a_ij k_j */
static inline void dopri_combine(const dopri *d, int32_t i, double h, const double *from,
                                 double *out)
{
    stage_terms terms = {d->n_even, i, d->tab->skipped[i], d->tab->a[i], d->k[0], h};
    stage_sum(&terms, from, out);
}
/* out += h sum_j factor_j k_j, of `error` or `dense` */
static inline void dopri_add(const dopri *d, int32_t count, const double *factor, double h,
                             double *out)
{
    stage_terms terms = {d->n_even, count, d->tab->skipped_in_sums, factor, d->k[0], h};
    stage_sum(&terms, out, out);
}
/* Stage i of the step of size h from (t, y), at out = y + h sum a_ij k_j. */
newton_outcome dopri_stage(dopri *d, int i, double t, double h, const double *y, double *out);
#endif
