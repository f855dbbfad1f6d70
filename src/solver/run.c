/* solver/run.c - making, copying and freeing a run; see run.h. */
#include "solver/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "solver/method_choice.h"
#include "solver/sensitivity.h"

static void lay_out(void *object, layout *l)
{
    run *r = object;
    size_t n = (size_t)r->n;
    double **vectors[] = {&r->now.rtol,
                          &r->now.atol,
                          &r->tolerances.factor,
                          &r->tolerances.noise,
                          &r->y,
                          &r->yp,
                          &r->start.y_given,
                          &r->start.yp_given,
                          &r->y_before,
                          &r->yp_before,
                          &r->inverse_weight,
                          &r->work,
                          &r->limits.unasked,
                          &r->start.seen.y,
                          &r->start.seen.yp};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, n, sizeof(double));
    r->limits.breakpoints = layout_take(l, (size_t)r->asked.breakpoints.n, sizeof(double));
    r->stagnation.t_inside = layout_take(l, n, sizeof(double));
    r->stagnation.fastest = layout_take(l, n, sizeof(double));
    r->stagnation.mark.y = layout_take(l, n, sizeof(double));
    r->stagnation.mark.yp = layout_take(l, n, sizeof(double));
    r->stagnation.mark.largest = layout_take(l, n, sizeof(double));
    r->stagnation.leap.calm = layout_take(l, n, sizeof(double));
    r->stagnation.leap.y = layout_take(l, n, sizeof(double));
    r->stagnation.leap.yp = layout_take(l, n, sizeof(double));
    r->is_differential = layout_take(l, n, sizeof(bool));
    r->kind = layout_take(l, n, sizeof(int32_t));
    r->variable_index = layout_take(l, n, sizeof(int32_t));
    r->start.y_mask = layout_take(l, n, sizeof(int32_t));
    r->start.yp_mask = layout_take(l, n, sizeof(int32_t));
    r->start.moved = layout_take(l, 2 * n, sizeof(daedal_moved));
    r->limiters.n = r->n;
    r->limiters.steps = layout_take(l, n, sizeof(int64_t));
    r->limiters.rejected_error = layout_take(l, n, sizeof(int64_t));
    r->limiters.rejected_newton = layout_take(l, n, sizeof(int64_t));
    r->limiters.equation_newton = layout_take(l, n, sizeof(int64_t));
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Bring the options' arrays into the run: the user's are read during the call only. */
static void keep_options(run *r)
{
    daedal_options *opt = &r->asked;
    for (int32_t i = 0; i < r->n; i++) {
        r->now.rtol[i] = opt->rtol_each.n ? opt->rtol_each.at[i] : opt->rtol;
        r->now.atol[i] = opt->atol_each.n ? opt->atol_each.at[i] : opt->atol;
    }
    opt->rtol_each = opt->atol_each = (daedal_doubles){0};
    if (opt->breakpoints.n > 0) {
        size_t count = (size_t)opt->breakpoints.n;
        memcpy(r->limits.breakpoints, opt->breakpoints.at, count * sizeof(double));
        qsort(r->limits.breakpoints, count, sizeof(double), ascending);
        opt->breakpoints.at = r->limits.breakpoints;
    }
    r->tolerances.n = r->n;
    r->tolerances.rtol = r->now.rtol;
    r->tolerances.atol = r->now.atol;
    r->tolerances.calibrated = opt->calibrate_tolerance && opt->method != METHOD_BDF_CLASSIC;
}

void solver_rely_on(daedal_solver *solver, const daedal_system *system)
{
    system_copy_rely_on(&solver->run.system, system);
}

void solver_forget_factors(daedal_solver *solver)
{
    matrix_forget(&solver->run.matrix);
}

static int call_events(void *self, double t, const double *y, const double *yp, double *g)
{
    return evaluator_events(self, t, y, yp, g);
}

daedal_status run_create(run *r, const daedal_system *sys, const daedal_options *opt)
{
    *r = (run){.asked = *opt,
               .allocator = opt->allocator,
               .n = sys->n,
               .limits = {.t_stop = NAN, .t_pass = NAN, .t_accurate = NAN, .corners.t_next = NAN}};
    diagnosis_clear(&r->why);
    if (!system_copy_create(&r->system, sys, r->allocator) ||
        !block_create(&r->mem, r->allocator, lay_out, r) ||
        !evaluator_create(&r->ev, &r->system.sys, &r->stats, r->allocator))
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for a system of %d equations",
                    (int)sys->n);
    r->ev.space.parallel = r->tolerances.parallel = opt->parallel;
    if (!opt->parallel && !evaluator_use_threads(&r->ev, opt->threads, r->allocator))
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for %d threads", (int)opt->threads);
    keep_options(r);
    method_choice first = method_for_option(opt->method);
    r->now.method_reason = first.reason;
    run_use_method(r, first.method, opt->constraint_method);
    if (!start_workspace_create(&r->start.work, r->n, r->allocator))
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for the start");
    roots_setup setup = {.of = {call_events, &r->ev},
                         .n = r->n,
                         .n_events = sys->n_events,
                         .direction = r->system.sys.event_direction.at,
                         .samples = opt->event_samples,
                         .resolution = opt->event_resolution,
                         .allocator = r->allocator};
    if (!projection_create(&r->constraints, &r->ev, r->allocator))
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for %d constraints",
                    (int)sys->n_constraints);
    r->constraints.at_output_only = opt->projection == PROJECTION_AT_OUTPUT;
    r->constraints.tolerance = opt->projection_tolerance;
    if (!roots_create(&r->roots, &setup))
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for %d events", (int)sys->n_events);
    if (sensitivities_create(&r->sensitivities, r) != DAEDAL_OK)
        return fail(&r->why, DAEDAL_ERR_MEMORY,
                    "out of memory for the sensitivities to %d parameters", (int)sys->n_parameters);
    r->state = (daedal_state){NAN, r->y, r->yp, r->n, r->roots.fired, sys->n_events};
    return DAEDAL_OK;
}

static bool set_tolerances(run *r, const daedal_options *opt)
{
    bool changed = false;
    for (int32_t i = 0; i < r->n; i++) {
        double rtol = opt->rtol_each.n ? opt->rtol_each.at[i] : opt->rtol;
        double atol = opt->atol_each.n ? opt->atol_each.at[i] : opt->atol;
        changed = changed || rtol != r->now.rtol[i] || atol != r->now.atol[i];
        r->now.rtol[i] = rtol;
        r->now.atol[i] = atol;
        if (r->started && r->tolerances.calibrated)
            r->tolerances.factor[i] = weights_factor(rtol);
    }
    return changed;
}

static void take_options(run *r, const daedal_options *opt)
{
    daedal_doubles breakpoints = r->asked.breakpoints;
    const daedal_allocator *a = r->asked.allocator;
    r->asked = *opt;
    r->asked.rtol_each = r->asked.atol_each = (daedal_doubles){0};
    r->asked.breakpoints = breakpoints;
    r->asked.allocator = a;
    r->roots.resolution = opt->event_resolution;
}

daedal_options run_linear_options(const daedal_options *asked, const double *rtol,
                                  const double *atol, int32_t n)
{
    daedal_options opt = *asked;
    opt.start = START_STATES;
    opt.rtol_each = (daedal_doubles){rtol, n};
    opt.atol_each = (daedal_doubles){atol, n};
    opt.own_preconditioner = NULL;
    opt.log = NULL;
    opt.max_steps = 0;
    opt.first_step = 0.0;
    opt.check_jacobian = 0;
    return opt;
}

daedal_status run_set_options(run *r, const daedal_options *opt)
{
    size_t n = (size_t)r->n;
    daedal_options before = r->asked;
    double *kept = memory_take_array(r->allocator, 2 * n, sizeof(double));
    if (!kept)
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for options");
    memcpy(kept, r->now.rtol, n * sizeof(double));
    memcpy(kept + n, r->now.atol, n * sizeof(double));
    bool changed = set_tolerances(r, opt);
    take_options(r, opt);
    daedal_status status = changed && r->started ? run_restart(r, NULL, NULL) : DAEDAL_OK;
    if (status != DAEDAL_OK) {
        before.rtol_each = (daedal_doubles){kept, r->n};
        before.atol_each = (daedal_doubles){kept + n, r->n};
        set_tolerances(r, &before);
        take_options(r, &before);
    }
    memory_give(r->allocator, kept, 2 * n * sizeof(double));
    return status;
}

void run_free(run *r)
{
    if (r->integrator)
        r->method->destroy(r->integrator);
    sensitivities_free(r->sensitivities);
    r->sensitivities = NULL;
    run_forget_correction(r);
    matrix_free(&r->matrix);
    roots_free(&r->roots);
    roots_free(&r->limits.corners.roots);
    roots_free(&r->limits.time_corners.roots);
    block_free(&r->limits.corners.lists.mem);
    projection_free(&r->constraints);
    start_workspace_free(&r->start.work);
    evaluator_free(&r->ev);
    block_free(&r->mem);
    system_copy_free(&r->system);
    index_free(&r->index.answer);
    r->integrator = NULL;
}

/* What is watched during a run, so that the copy warns and fails where the original would. */
static void copy_watches(run *copy, const run *from)
{
    double *fastest = copy->stagnation.fastest, *t_inside = copy->stagnation.t_inside;
    run_mark mark = copy->stagnation.mark;
    run_leap leap = copy->stagnation.leap;
    copy->stagnation = from->stagnation;
    copy->stagnation.mark.y = mark.y;
    copy->stagnation.mark.yp = mark.yp;
    copy->stagnation.mark.largest = mark.largest;
    copy->stagnation.leap.calm = leap.calm;
    copy->stagnation.leap.y = leap.y;
    copy->stagnation.leap.yp = leap.yp;
    copy->stagnation.fastest = fastest;
    copy->stagnation.t_inside = t_inside;
    copy->warned = from->warned;
}

/* Copy what a started run has beyond its set-up. */
static daedal_status copy_progress(run *copy, const run *from)
{
    block_copy(&copy->mem, &from->mem);
    copy->stats = from->stats;
    copy->why = from->why;
    copy->start.n_moved = from->start.n_moved;
    copy->state.t = from->state.t;
    copy->start.seen.t = from->start.seen.t;
    copy->start.seen.at_event = from->start.seen.at_event;
    copy->start.seen.why = from->start.seen.why;
    copy->limits.t_stop = from->limits.t_stop;
    copy->limits.t_pass = from->limits.t_pass;
    copy->limits.t_accurate = from->limits.t_accurate;
    copy->limits.direction = from->limits.direction;
    copy->pattern_detected = from->pattern_detected;
    copy->start.h_before = from->start.h_before;
    copy->start.t_begun = from->start.t_begun;
    copy->start.h_begun = from->start.h_begun;
    copy->start.keeps_matrices = from->start.keeps_matrices;
    copy->start.is_proven = from->start.is_proven;
    copy->structure.n_differential = from->structure.n_differential;
    copy->started = from->started;
    copy->fresh = from->fresh;
    copy->at_event = from->at_event;
    copy->limits.interior = from->limits.interior;
    roots_copy(&copy->roots, &from->roots);
    index_answer answer;
    if (!projection_copy(&copy->constraints, &from->constraints) ||
        !index_copy(&answer, &from->index.answer, copy->allocator))
        return fail(&copy->why, DAEDAL_ERR_MEMORY, "out of memory while a run is copied");
    copy->index = from->index;
    copy->index.answer = answer;
    copy_watches(copy, from);
    if (!from->matrix_ready)
        return DAEDAL_OK;
    matrix_copy(&copy->matrix, &from->matrix);
    if (run_copy_correction(copy, from) != DAEDAL_OK)
        return fail(&copy->why, DAEDAL_ERR_MEMORY, "out of memory while a run is copied");
    copy->method->copy(copy->integrator, from->integrator);
    daedal_status status = DAEDAL_OK;
    if (!isnan(from->matrix.c) && isnan(copy->matrix.c))
        status = matrix_factor(&copy->matrix, from->matrix.c);
    copy->stats = from->stats; /* factors that could not be copied are no work of the run */
    return status;
}

daedal_status run_clone(run *copy, const run *from, const daedal_allocator *a)
{
    daedal_options opt = from->asked;
    opt.allocator = a;
    TRY(run_create(copy, &from->system.sys, &opt));
    double *rtol = copy->now.rtol, *atol = copy->now.atol;
    copy->now = from->now;
    copy->now.rtol = rtol;
    copy->now.atol = atol;
    copy->method = from->method;
    if (from->matrix_ready) {
        matrix_setup setup = {.ev = &copy->ev,
                              .dy = &from->matrix.part[0].view,
                              .dyp = &from->matrix.part[1].view,
                              .solver = from->matrix.solver,
                              .allocator = copy->allocator,
                              .is_watched = true,
                              .repeats = from->now.repeats,
                              .inexact = matrix_inexact_settings(&from->matrix)};
        TRY(matrix_create(&copy->matrix, &setup));
        TRY(run_finish_set_up(copy));
    }
    TRY(copy_progress(copy, from));
    return sensitivities_copy(copy, from);
}

void run_warn(run *r, const daedal_diagnosis *about)
{
    r->warned = *about;
    r->warned.status = DAEDAL_OK;
    run_log(r, DAEDAL_LOG_WARNING, "%s", about->message);
}

const daedal_diagnosis *solver_last_warning(const daedal_solver *solver)
{
    return &solver->run.warned;
}

void run_log(run *r, daedal_log_level level, const char *format, ...)
{
    if (!r->asked.log)
        return;
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    r->asked.log(level, message, r->asked.callback_user);
}
