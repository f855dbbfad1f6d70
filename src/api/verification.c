/* api/verification.c - daedal_verify: runs of a system that are compared. */
#include <math.h>

#include "base/status.h"
#include "solver/perturbed_system.h"
#include "solver/run.h"
#include "verify/verdict.h"

typedef struct driven_system {
    const daedal_system *system;
    daedal_options options; /* of the first run */
    daedal_drive_fn *drive;
    void *user;
    recorded_run rows, *into; /* of the first run; of the run under way */
    double *atol;
    const char *method; /* of the first run */
    int64_t steps, steps_most;
    bool is_stopped, is_too_long;
    block mem;
} driven_system;

static void lay_out(void *object, layout *l)
{
    driven_system *d = object;
    d->atol = layout_take(l, (size_t)d->system->n, sizeof(double));
}

static void observe(daedal_row_kind kind, const daedal_state *state, void *user)
{
    driven_system *d = user;
    recorded_add(d->into, kind, state->t, state->y, NULL);
}

static daedal_options options_of(const daedal_options *given)
{
    daedal_options opt;
    daedal_options_defaults(&opt);
    return given ? *given : opt;
}

static int watch_progress(const daedal_progress *where, void *user)
{
    driven_system *d = user;
    d->is_too_long = d->steps_most > 0 && where->steps > d->steps_most;
    if (d->options.progress &&
        d->options.progress(where, d->options.callback_user) == DAEDAL_CALL_STOP)
        d->is_stopped = true;
    return d->is_stopped || d->is_too_long ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

/* Let the caller drive a solver, whose states are recorded. */
static daedal_status drive(driven_system *d, const daedal_system *sys, const daedal_options *opt,
                           daedal_diagnosis *why)
{
    daedal_solver *solver = NULL;
    TRY(daedal_solver_create(&solver, sys, opt, why));
    solver->observer = (solver_observer){observe, d};
    d->is_too_long = false;
    int answer = d->drive(solver, d->user);
    daedal_status status = daedal_solver_diagnosis(solver)->status;
    if (status < 0)
        *why = *daedal_solver_diagnosis(solver);
    else if (answer != DAEDAL_CALL_OK)
        status = fail(why, DAEDAL_ERR_CALLBACK, "the function that drives the run gave up");
    d->method = daedal_solver_structure(solver)->method;
    d->steps = daedal_solver_stats(solver)->steps;
    daedal_solver_free(solver);
    if (d->is_too_long)
        return fail(why, DAEDAL_ERR_STEP_LIMIT, "it takes more than %lld steps",
                    (long long)d->steps_most);
    return status;
}

/* ---- runs for comparison ---- */

static void tighten(const double *from, int32_t n, double factor, double *to)
{
    for (int32_t i = 0; i < n; i++)
        to[i] = factor * from[i];
}

typedef struct tighter_tolerances {
    int32_t n;
    double *rtol, *atol;
    block mem;
} tighter_tolerances;

static void lay_out_tolerances(void *object, layout *l)
{
    tighter_tolerances *x = object;
    x->rtol = layout_take(l, (size_t)x->n, sizeof(double));
    x->atol = layout_take(l, (size_t)x->n, sizeof(double));
}

static daedal_status run_tighter(driven_system *d, const comparison_run *how, tighter_tolerances *x,
                                 daedal_diagnosis *why)
{
    daedal_system sys = *d->system;
    perturbed_system perturbed = {0};
    daedal_options opt = d->options;
    const recorded_run *a = &d->rows;
    perturbation by = {how->tolerance, a->t[0], a->t[a->n_rows - 1] - a->t[0], how->number};
    if (how->tolerance && !perturbed_create(&perturbed, &sys, &by, opt.allocator))
        return DAEDAL_ERR_MEMORY;
    opt.method = how->method;
    opt.rtol *= how->tighter;
    opt.atol *= how->tighter;
    tighten(opt.rtol_each.at, opt.rtol_each.n, how->tighter, x->rtol);
    tighten(opt.atol_each.at, opt.atol_each.n, how->tighter, x->atol);
    opt.rtol_each.at = x->rtol;
    opt.atol_each.at = x->atol;
    opt.log = NULL;
    opt.progress = watch_progress;
    opt.callback_user = d;
    daedal_status status = drive(d, &sys, &opt, why);
    perturbed_free(&perturbed);
    if (d->is_stopped)
        why->status = DAEDAL_STOPPED;
    return status;
}

static daedal_status run_again(const comparison_run *how, recorded_run *into, daedal_diagnosis *why,
                               void *user)
{
    driven_system *d = user;
    tighter_tolerances x = {.n = d->system->n};
    d->into = into;
    if (!block_create(&x.mem, d->options.allocator, lay_out_tolerances, &x))
        return DAEDAL_ERR_MEMORY;
    daedal_status status = run_tighter(d, how, &x, why);
    block_free(&x.mem);
    return status;
}

/* ---- the whole ---- */

static void take_tolerances(driven_system *d)
{
    const daedal_options *o = &d->options;
    for (int32_t i = 0; i < d->system->n; i++)
        d->atol[i] = o->atol_each.n ? o->atol_each.at[i] : o->atol;
    if (!o->rtol_each.n)
        return;
    d->options.rtol = o->rtol_each.at[0]; /* the loosest one counts for all */
    for (int32_t i = 1; i < o->rtol_each.n; i++)
        d->options.rtol = fmax(d->options.rtol, o->rtol_each.at[i]);
}

static daedal_status compare(driven_system *d, daedal_verification *out)
{
    verified_solution s = {.rows = &d->rows,
                           .names = d->system->variable_names,
                           .method = d->method,
                           .rtol = d->options.rtol,
                           .atol = d->options.atol,
                           .atol_each = d->atol,
                           .run = run_again,
                           .user = d,
                           .allocator = d->options.allocator};
    d->steps_most = comparison_steps_most(d->steps);
    daedal_status status = d->is_stopped ? DAEDAL_STOPPED : verdict_find(&s, out);
    if (status != DAEDAL_OK)
        verdict_unknown(out, status);
    return DAEDAL_OK;
}

daedal_status daedal_verify(const daedal_system *system, const daedal_options *options,
                            daedal_drive_fn *how, void *user, daedal_verification *out,
                            daedal_diagnosis *why)
{
    daedal_diagnosis unwanted;
    why = why ? why : &unwanted;
    diagnosis_clear(why);
    if (!system || !how || !out)
        return fail(why, DAEDAL_ERR_ARGUMENT, "an argument is NULL");
    *out = (daedal_verification){.verdict = DAEDAL_VERDICT_NONE, .method = ""};
    driven_system d = {
        .system = system, .options = options_of(options), .drive = how, .user = user};
    if (d.options.parallel)
        return fail(why, DAEDAL_ERR_ARGUMENT, "verification is not available for distributed runs");
    if (system->n < 1 || !block_create(&d.mem, d.options.allocator, lay_out, &d))
        return system->n < 1 ? fail(why, DAEDAL_ERR_ARGUMENT, "n is %d", (int)system->n)
                             : fail(why, DAEDAL_ERR_MEMORY, "out of memory");
    recorded_create(&d.rows, system->n, d.options.allocator);
    d.into = &d.rows;
    daedal_status status = drive(&d, system, &d.options, why);
    if (status >= 0) {
        take_tolerances(&d);
        status = d.rows.n_rows > 0 ? compare(&d, out)
                                   : fail(why, DAEDAL_ERR_ARGUMENT, "the run has no states");
    }
    recorded_free(&d.rows);
    block_free(&d.mem);
    return status;
}
