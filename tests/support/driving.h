/* support/driving.h - solvers for tests: made, driven and looked into in one line.
 *
 * Responsibility: what several test programs would otherwise repeat: options from a
 * text, a started solver, the integrator behind a run with a history of our own.
 * Depends on: daedal.h, solver/run.h, integ/bdf.h, cmocka.                           */
#ifndef DAEDAL_SUPPORT_DRIVING_H
#define DAEDAL_SUPPORT_DRIVING_H

#include "integ/bdf.h"
#include "solver/run.h"

/* Change options by "name=value name=value ..."; what cannot be set fails the test. */
void set_options(daedal_options *opt, const char *text);
/* The defaults changed in this way. */
daedal_options options_of(const char *text);

/* Created and started; every failure fails the test. */
daedal_solver *start_solver(const daedal_system *sys, const char *options, double t0,
                            const double *y0, const double *yp0);

/* Started, advanced to t_end (events are passed), y copied out, freed. */
void solve_to(const daedal_system *sys, const char *options, double t0, const double *y0,
              double t_end, double *y);

/* ---- the integrator from inside ---------------------------------------------- */

/* A started run whose integrator has begun towards t0 + 1; b is its state. */
typedef struct kernel {
    run run;
    bdf *b;
} kernel;

void kernel_open(kernel *k, const daedal_system *sys, const char *options, double t0,
                 const double *y0, const double *yp0);
void kernel_close(kernel *k);

/* Let the integrator begin again from the state of the run, towards t_out. */
void kernel_begin(kernel *k, double t_out);

/* A scalar function of time, to be used as a history. */
typedef double history_fn(double t, const void *user);

/* A grid: times[0] is the newest point; order of the next step; its size. */
typedef struct history {
    const double *times;
    int32_t n_times, order;
    double h;
} history;

/* Give a kernel with n = 1 the past of `value` on the grid: phi_i by divided
 * differences, psi by sums.                                                       */
void kernel_remember(kernel *k, const history *past, history_fn *value, const void *user);

/* The same for all components of a system with n <= 8. */
typedef void history_all_fn(double t, double *y, void *user);
void kernel_remember_all(kernel *k, const history *past, history_all_fn *all, void *user);

/* psi_1 .. psi_{i-1} [y_n .. y_{n-i+1}] for i = 1 .. count, into phi[0 ..]. */
void scaled_differences(const double *times, const double *values, int32_t count, double *phi);

/* Fails unless y and y' are continuous from step to step, over the first steps from t0. */
void expect_continuous(const daedal_system *sys, const char *options, double t0, const double *y0,
                       double t_end);
#endif
