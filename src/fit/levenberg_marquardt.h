/* fit/levenberg_marquardt.h - nonlinear least squares with bounds.
 *
 * Responsibility: the iteration that makes sum r_i(x)^2 small for lower <= x <= upper.  What r is
 * belongs to the caller.  A step d minimises |r + J d|^2 + mu |D d|^2 ([Mor78], D has the largest
 * column norms of J so far); it is cut at the bounds, and an unknown that lies at a bound and would
 * leave it stays there.  mu follows from the share of the predicted decrease that was reached
 * ([MNT04], algorithm 3.16).
 * Depends on: linalg/least_squares.h.                                            */
#ifndef DAEDAL_FIT_LEVENBERG_MARQUARDT_H
#define DAEDAL_FIT_LEVENBERG_MARQUARDT_H

#include "linalg/least_squares.h"

/* r(x), m values, and J = dr/dx, m x n by columns, unless it is NULL.  DAEDAL_OK; a numeric failure
 * (base/status.h): there is no value at this point; any other failure or DAEDAL_STOPPED ends the
 * iteration.                                                                    */
typedef daedal_status residuals_fn(void *self, const double *x, double *r, double *jacobian);

/* After each step that was taken; false ends the iteration. */
typedef bool fit_step_fn(void *self, int32_t iteration, double square);

typedef struct marquardt {
    int32_t m, n;
    void *self;
    residuals_fn *residuals;
    fit_step_fn *after_step;     /* or NULL                                                   */
    const double *lower, *upper; /* n                                                        */
    int32_t iterations_most;
    double accuracy; /* relative one of r: no smaller steps are looked for                   */

    double *x;         /* n: the iterate                                                     */
    double *r;         /* m: there                                                           */
    double *jacobian;  /* m x n: there                                                       */
    bool *is_at_bound; /* n: and the residual would be smaller outside                       */
    double square;     /* |r|^2                                                              */
    int32_t iterations;

    double *trial_x, *trial_r, *step, *scale; /* n, m, n, n                                  */
    double *matrix, *right;                   /* (m + n) x n, m + n                          */
    double damping, growth;                   /* mu, and its next factor                     */
    least_squares solver;
    block mem;
} marquardt;

/* How an iteration ended. */
typedef enum marquardt_end {
    MARQUARDT_CONVERGED,
    MARQUARDT_STUCK,     /* no step makes the sum smaller although the gradient is not small */
    MARQUARDT_EXHAUSTED, /* all iterations are used up                                       */
    MARQUARDT_STOPPED,   /* after_step or the status of residuals said so                    */
    MARQUARDT_FAILED     /* no value at the first point, or the status of residuals          */
} marquardt_end;

/* The sizes m and n, and the callbacks, are set; false: out of memory.  marquardt_free follows in
 * any case.                                                                      */
bool marquardt_create(marquardt *q, const daedal_allocator *a);
void marquardt_free(marquardt *q);

/* Iterate from q->x.  *status is that of the last call of `residuals`.           */
marquardt_end marquardt_solve(marquardt *q, daedal_status *status);
#endif
