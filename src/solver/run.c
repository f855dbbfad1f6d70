/* solver/run.c - making, copying and freeing a run; see run.h. */
#include "solver/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "integ/held.h"

static void lay_out(void *object, layout *l)
{
    run *r = object;
    size_t n = (size_t)r->n;
    double **vectors[] = {&r->rtol,     &r->atol,      &r->tolerances.factor, &r->tolerances.noise,
                          &r->y,        &r->yp,        &r->y_given,           &r->yp_given,
                          &r->y_before, &r->yp_before, &r->inverse_weight,    &r->work};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, n, sizeof(double));
    r->breakpoints = layout_take(l, (size_t)r->opt.breakpoints.n, sizeof(double));
    r->is_differential = layout_take(l, n, sizeof(bool));
    r->kind = layout_take(l, n, sizeof(int32_t));
    r->variable_index = layout_take(l, n, sizeof(int32_t));
    r->y_mask = layout_take(l, n, sizeof(int32_t));
    r->yp_mask = layout_take(l, n, sizeof(int32_t));
    r->moved = layout_take(l, 2 * n, sizeof(daedal_moved));
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Bring the options' arrays into the run and let the options point there. */
static void keep_options(run *r)
{
    daedal_options *opt = &r->opt;
    for (int32_t i = 0; i < r->n; i++) {
        r->rtol[i] = opt->rtol_each.n ? opt->rtol_each.at[i] : opt->rtol;
        r->atol[i] = opt->atol_each.n ? opt->atol_each.at[i] : opt->atol;
    }
    opt->rtol_each = (daedal_doubles){r->rtol, r->n};
    opt->atol_each = (daedal_doubles){r->atol, r->n};
    if (opt->breakpoints.n > 0) {
        size_t count = (size_t)opt->breakpoints.n;
        memcpy(r->breakpoints, opt->breakpoints.at, count * sizeof(double));
        qsort(r->breakpoints, count, sizeof(double), ascending);
        opt->breakpoints.at = r->breakpoints;
    }
    r->tolerances.n = r->n;
    r->tolerances.rtol = r->rtol;
    r->tolerances.atol = r->atol;
    r->tolerances.calibrated = opt->calibrate_tolerance && opt->method != METHOD_BDF_CLASSIC;
}

daedal_status run_create(run *r, const daedal_system *sys, const daedal_options *opt)
{
    *r = (run){.opt = *opt, .allocator = opt->allocator, .n = sys->n, .t_stop = NAN};
    diagnosis_clear(&r->why);
    if (!system_copy_create(&r->system, sys, r->allocator) ||
        !block_create(&r->mem, r->allocator, lay_out, r) ||
        !evaluator_create(&r->ev, &r->system.sys, &r->stats, r->allocator))
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for a system of %d equations",
                    (int)sys->n);
    keep_options(r);
    r->automatic = opt->method == METHOD_AUTO;
    if (r->automatic)
        r->opt.method = METHOD_BDF; /* until more is known */
    bool held = sys->n_constraints > 0 && opt->constraint_method != CONSTRAINTS_PROJECT;
    r->how = held ? &method_held : method_choose(r->opt.method);
    r->method_reason = "asked for";
    if (!start_workspace_create(&r->starting, r->n, r->allocator))
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for the start");
    roots_setup setup = {&r->ev, opt->event_samples, opt->event_resolution, r->allocator};
    if (!projection_create(&r->constraints, &r->ev, r->allocator))
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for %d constraints",
                    (int)sys->n_constraints);
    if (!roots_create(&r->roots, &setup))
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for %d events", (int)sys->n_events);
    r->state = (daedal_state){NAN, r->y, r->yp, r->n, r->roots.fired, sys->n_events};
    return DAEDAL_OK;
}

void run_free(run *r)
{
    if (r->integrator)
        r->how->destroy(r->integrator);
    matrix_free(&r->matrix);
    roots_free(&r->roots);
    projection_free(&r->constraints);
    start_workspace_free(&r->starting);
    evaluator_free(&r->ev);
    block_free(&r->mem);
    system_copy_free(&r->system);
    index_free(&r->index);
    r->integrator = NULL;
}

/* Copy what a started run has beyond its set-up. */
static daedal_status copy_progress(run *copy, const run *from)
{
    block_copy(&copy->mem, &from->mem);
    copy->stats = from->stats;
    copy->why = from->why;
    copy->n_moved = from->n_moved;
    copy->state.t = from->state.t;
    copy->t_stop = from->t_stop;
    copy->direction = from->direction;
    copy->detected = from->detected;
    copy->automatic = from->automatic;
    copy->tried = from->tried;
    copy->holds_otherwise = from->holds_otherwise;
    copy->method_reason = from->method_reason;
    copy->h_before = from->h_before;
    copy->structure.n_differential = from->structure.n_differential;
    copy->started = from->started;
    copy->fresh = from->fresh;
    copy->to_hit = from->to_hit;
    copy->to_hit_next = from->to_hit_next;
    copy->at_event = from->at_event;
    roots_copy(&copy->roots, &from->roots);
    if (!from->matrix_ready)
        return DAEDAL_OK;
    matrix_copy(&copy->matrix, &from->matrix);
    copy->how->copy(copy->integrator, from->integrator);
    if (!isnan(from->matrix.c) && isnan(copy->matrix.c)) {
        daedal_status status = matrix_factor(&copy->matrix, from->matrix.c);
        copy->stats = from->stats;
        return status;
    }
    return DAEDAL_OK;
}

daedal_status run_clone(run *copy, const run *from, const daedal_allocator *a)
{
    daedal_options opt = from->opt;
    opt.allocator = a;
    TRY(run_create(copy, &from->system.sys, &opt));
    if (from->matrix_ready) {
        matrix_setup setup = {&copy->ev,
                              &from->matrix.part[0].view,
                              &from->matrix.part[1].view,
                              from->matrix.solver,
                              copy->allocator,
                              false};
        TRY(matrix_create(&copy->matrix, &setup));
        TRY(run_finish_set_up(copy));
    }
    return copy_progress(copy, from);
}

void run_log(run *r, daedal_log_level level, const char *format, ...)
{
    if (!r->opt.log)
        return;
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    r->opt.log(level, message, r->opt.callback_user);
}
