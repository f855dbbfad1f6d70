/* bench/peer.c - counting and limiting of callbacks, and evaluation of a run.
 * Depends on: bench/peer.h.                                                       */
#define _POSIX_C_SOURCE 200809L
#include "peer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void guard_begin(guard *g, const problem *p, daedal_jacobian_fn *jacobian)
{
    *g = (guard){.p = p, .jacobian = jacobian};
    g->look_every = g->look_in = p->n >= 1000 ? 1 : 256;
    g->deadline = seconds_now() + PEER_SECONDS_LIMIT;
}

int guard_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    guard *g = user;
    g->residuals++;
    if (--g->look_in == 0) { /* a division would cost as much as a small function */
        g->look_in = g->look_every;
        g->expired = seconds_now() > g->deadline;
        if (g->expired)
            return DAEDAL_CALL_FAIL;
    }
    return g->p->residual(t, y, yp, r, g->p->user);
}

int guard_jacobian(double t, const double *y, const double *yp, double c, double *values,
                   void *user)
{
    guard *g = user;
    g->jacobians++;
    return g->jacobian(t, y, yp, c, values, g->p->user);
}

void run_judge(run *r, const guard *g, const double *y, double rtol)
{
    r->residual_calls = g->residuals - r->residual_calls;
    r->jacobian_calls = g->jacobians - r->jacobian_calls;
    if (g->expired)
        snprintf(r->status, sizeof r->status, "more than %g s", PEER_SECONDS_LIMIT);
    r->digits = r->done ? problem_digits(g->p, y) : NAN;
    r->error = r->done ? problem_error(g->p, y, rtol) : NAN;
    if (r->done && !isfinite(r->error)) {
        r->done = false;
        snprintf(r->status, sizeof r->status, "the end state is not finite");
    }
}

void run_fail(run *r, const char *status)
{
    *r = (run){.digits = NAN, .error = NAN};
    snprintf(r->status, sizeof r->status, "%s", status);
}

void run_keep_faster(run *best, const run *next)
{
    const double setup = fmin(best->setup_seconds, next->setup_seconds);
    if (next->seconds < best->seconds)
        *best = *next;
    best->setup_seconds = setup;
}

/* OpenBLAS threads would disturb both codes; the symbol is absent with other BLAS. */
#if defined(__GNUC__)
extern void openblas_set_num_threads(int n) __attribute__((weak));

void use_one_thread(void)
{
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
}
#else
void use_one_thread(void)
{
}
#endif
