/* bench/daedal_peer.c - one run with daedal, through its public functions only.
 * Depends on: bench/daedal_peer.h.                                                */
#include "daedal_peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static daedal_status set_options(daedal_options *options, const problem *p, double rtol,
                                 const char *method)
{
    daedal_options_defaults(options);
    options->rtol = rtol;
    options->max_steps = PEER_STEP_LIMIT;
    options->breakpoints = p->breakpoints;
    const char *start = p->rounded_start ? "states" : "given";
    const daedal_status status = daedal_options_set(options, "start", start);
    return status < 0 ? status : daedal_options_set(options, "method", method);
}

/* Create and start; *solver is NULL or must be freed. */
static daedal_status open_solver(daedal_solver **solver, guard *g, const daedal_options *options,
                                 daedal_diagnosis *why)
{
    const problem *p = g->p;
    const daedal_system system = {
        .n = p->n,
        .residual = guard_residual,
        .jacobian = p->jacobian ? guard_jacobian : NULL,
        .pattern = p->pattern,
        .user = g,
    };
    daedal_status status = daedal_solver_create(solver, &system, options, why);
    if (status >= 0)
        status = daedal_solver_start(*solver, p->t0, p->y0, p->yp0);
    if (status >= 0)
        status = daedal_solver_set_stop_time(*solver, p->t_end);
    return status;
}

/* One call from the start to the end; further calls only if it stops on the way. */
static daedal_status integrate(daedal_solver *solver, double t_end)
{
    daedal_status status;
    do
        status = daedal_solver_advance(solver, t_end);
    while (status >= 0 && status != DAEDAL_STOPPED && daedal_solver_state(solver)->t < t_end);
    return status;
}

static void add_counts(const daedal_stats *stats, run *out)
{
    out->steps = stats->steps;
    out->residuals = stats->residuals;
    out->jacobians = stats->jacobians;
    out->factorizations = stats->factorizations;
    out->rejected = stats->rejected_error;
}

static void solve(const problem *p, double rtol, const daedal_options *options, run *out, double *y)
{
    guard g;
    daedal_solver *solver = NULL;
    daedal_diagnosis why = {0};
    const double opened = seconds_now();
    guard_begin(&g, p, p->jacobian);
    daedal_status status = open_solver(&solver, &g, options, &why);
    if (status < 0) {
        run_fail(out, solver ? daedal_solver_diagnosis(solver)->message : why.message);
        daedal_solver_free(solver);
        return;
    }
    out->residual_calls = g.residuals; /* run_judge() turns them into differences */
    out->jacobian_calls = g.jacobians;
    const double began = seconds_now();
    status = integrate(solver, p->t_end);
    out->seconds = seconds_now() - began;
    out->setup_seconds = began - opened;
    out->done = status >= 0 && status != DAEDAL_STOPPED;
    snprintf(out->status, sizeof out->status, "%s",
             out->done ? "done" : daedal_status_name(status));
    add_counts(daedal_solver_stats(solver), out);
    run_judge(out, &g, daedal_solver_state(solver)->y, rtol);
    if (y)
        memcpy(y, daedal_solver_state(solver)->y, (size_t)p->n * sizeof *y);
    daedal_solver_free(solver);
}

void daedal_peer_run(const problem *p, double rtol, const char *method, run *out, double *y)
{
    run_fail(out, "out of memory");
    double *atol = malloc((size_t)p->n * sizeof *atol);
    if (!atol)
        return;
    for (int32_t i = 0; i < p->n; i++)
        atol[i] = problem_atol(p, i, rtol);
    daedal_options options;
    if (set_options(&options, p, rtol, method) < 0) {
        run_fail(out, "the options are not accepted");
    } else {
        options.atol_each = (daedal_doubles){atol, p->n};
        solve(p, rtol, &options, out, y);
    }
    free(atol);
}
