/* support/fixed_step.h - textbook methods with dictated steps for F(t, y, y') = 0.
 *
 * Responsibility: Runge-Kutta methods by tableau, BDF on any grid, and how fast their errors
 * fall, every nonlinear system solved to roundoff.  They know nothing of the library's
 * integrators, whose statements about order they check.
 * Depends on: daedal.h, tableau.h, small_dense.h, cmocka.                       */
#ifndef DAEDAL_SUPPORT_FIXED_STEP_H
#define DAEDAL_SUPPORT_FIXED_STEP_H

#include "daedal.h"
#include "tableau.h"

enum { TRIAL_MAX = 8, BDF_STEPS_MAX = 7 };

/* A system whose solution is known. */
typedef struct trial_problem {
    daedal_system sys;
    double t0, t_end;
    const int32_t *variable_index; /* see daedal_system; NULL where the index is 1 at most */
    void (*exact)(double t, double *y, void *user); /* user: that of sys */
} trial_problem;

/* ---- Runge-Kutta ([BCP96] (4.1.2), (4.1.3)) --------------------------------------------- */

/* y from t to t + h; false if Newton's method fails.  yp: n slopes, the first guess of those of
 * all stages, on return those of the last stage; NULL: 0.  A method whose first stage is the old
 * point (a first row of zeros, [BCP96] (4.1.4)) takes the slope there from yp, as it is. */
bool rk_step(const tableau *m, const daedal_system *sys, double t, double h, double *y, double *yp);

/* Equal steps; the test fails if one of them does. */
void rk_run(const tableau *m, const daedal_system *sys, double t0, double t1, int32_t steps,
            double *y);

/* |y - exact| by components at the end of the problem, after so many equal steps. */
void rk_error(const tableau *m, const trial_problem *p, int32_t steps, double *error);

/* ---- BDF --------------------------------------------------------------------------------- */

/* weight[i], i = 0 .. k: the derivative at times[0] of the polynomial through
 * (times[i], y_i) is their sum of products with y_i.                              */
void bdf_weights(const double *times, int32_t k, double *weight);

/* A grid t_0 .. t_count-1 with values on it, n per point. */
typedef struct mesh {
    int32_t n, count;
    double *times, *y;
} mesh;

/* `steps` steps from t0 to t1 whose sizes are 1, ratio, 1, ratio .. times the same number. */
mesh mesh_open(int32_t n, double t0, double t1, int32_t steps, double ratio);
void mesh_close(mesh *g);
double *mesh_at(const mesh *g, int32_t i);
/* The exact values at the first `count` points. */
void mesh_begin(mesh *g, const trial_problem *p, int32_t count);

/* The value at point i by k-step BDF with variable coefficients from the k points before it; what
 * stands there is the first guess.                                                */
bool bdf_advance(mesh *g, const daedal_system *sys, int32_t k, int32_t i);

/* The same for all points from `first`, each guess being the value before. */
void bdf_run(mesh *g, const daedal_system *sys, int32_t k, int32_t first);

/* |y - exact| at the end, from k exact values; ratio as in mesh_open. */
void bdf_error(int32_t k, const trial_problem *p, int32_t steps, double ratio, double *error);

/* ---- how errors fall ---------------------------------------------------------------------- */

/* log2(coarse / fine) */
double order_between(double coarse, double fine);

/* The largest of the first n errors. */
double largest_error(const double *error, int32_t n);

/* Fail unless |found - wanted| <= slack; `what` and `part` name the row and the column. */
void expect_order(const char *what, const char *part, double found, double wanted, double slack);

/* Fail unless found lies within a factor of (1 + part) of wanted, of the same sign. */
void expect_about(const char *what, double found, double wanted, double part);

/* ---- references ----------------------------------------------------------------------------- */

/* y' = f(t, y) by the classical method of order 4 with many steps: errors near roundoff on
 * smooth problems over a few units of time.                                       */
typedef void slope_fn(double t, const double *y, double *slope, void *user);
void reference_ode(slope_fn *f, void *user, int32_t n, double t0, double t1, double *y);
#endif
