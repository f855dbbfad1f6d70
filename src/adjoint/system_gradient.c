/* adjoint/system_gradient.c - daedal_system_gradient: a run forward, and one backward. */
#include <math.h>
#include <string.h>

#include "adjoint/backward_run.h"
#include "api/options.h"
#include "api/system_check.h"
#include "base/status.h"
#include "linalg/vector.h"

static const size_t MEMORY_MOST = (size_t)256 << 20;

typedef struct gradient_search {
    const daedal_gradient_task *task;
    daedal_options options;
    system_copy system;
    daedal_solver *solver;
    forward_solution forward;
    functional g;
    double *size, *scale;
    functional_sum sum;
    backward_run back;
    bool is_hessenberg; /* the index is two */
    daedal_diagnosis *why;
    block mem;
} gradient_search;

/* ---- checks ---- */

static daedal_status check_arrays(const daedal_system *sys, const daedal_gradient_task *task,
                                  daedal_diagnosis *why)
{
    size_t entries = (size_t)sys->n * (size_t)sys->n_parameters;
    for (size_t k = 0; task->start_derivatives && k < entries; k++)
        if (!isfinite(task->start_derivatives[k]))
            return fail(why, DAEDAL_ERR_ARGUMENT, "start_derivatives[%d] is not finite", (int)k);
    return DAEDAL_OK;
}

static daedal_status check(const daedal_system *sys, const daedal_gradient_task *task,
                           const daedal_gradient *gradient, daedal_diagnosis *why)
{
    if (!sys || !task || !gradient)
        return fail(why, DAEDAL_ERR_ARGUMENT, "%s is NULL",
                    !sys    ? "system"
                    : !task ? "task"
                            : "gradient");
    TRY(system_check(sys, why));
    if (!task->y)
        return fail(why, DAEDAL_ERR_ARGUMENT, "y is NULL");
    if (!isfinite(task->t_start) || !isfinite(task->t_end) || task->t_start == task->t_end)
        return fail(why, DAEDAL_ERR_ARGUMENT, "the run goes from t = %g to t = %g", task->t_start,
                    task->t_end);
    if (!task->integrand && !task->end)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "the functional has neither an integrand nor an end term");
    if ((task->integrand_gradient && !task->integrand) || (task->end_gradient && !task->end))
        return fail(why, DAEDAL_ERR_ARGUMENT, "%s is given without its function",
                    task->integrand ? "end_gradient" : "integrand_gradient");
    if (sys->n_events > 0)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "the system has events, and adjoint equations across events are supported for "
                    "models only");
    return check_arrays(sys, task, why);
}

/* ---- the functional along the run ---- */

static daedal_status add_end_value(gradient_search *s)
{
    double t = s->forward.t_end, value;
    if (functional_value(&s->g, &s->g.end, t, daedal_solver_state(s->solver)->y, &value) !=
        DAEDAL_CALL_OK)
        return fail(s->why, DAEDAL_ERR_CALLBACK, "the end term has no value at t = %.10g", t);
    s->sum.value += value;
    return DAEDAL_OK;
}

/* What a variable is compared with where it is zero: atol is a thousandth of rtol times that by
 * default.                                                                       */
static void set_sizes(gradient_search *s)
{
    const double usual = 1e3;
    const run *r = &s->solver->run;
    const daedal_system *sys = &s->system.sys;
    for (int32_t j = 0; j < r->n; j++) {
        double rtol = r->now.rtol[j], size = rtol > 0.0 ? usual * r->now.atol[j] / rtol : 1.0;
        s->size[j] = size > 0.0 && size < 1.0 ? size : 1.0;
    }
    for (int32_t i = 0; i < sys->n_parameters; i++) {
        const double *p = sys->parameters ? sys->parameters[i] : NULL;
        double size = sys->parameter_scale.n ? fabs(sys->parameter_scale.at[i])
                      : p                    ? fabs(*p)
                                             : 1.0;
        s->scale[i] = size > 0.0 ? size : 1.0;
    }
}

/* ---- the run forward ---- */

static daedal_status check_index(gradient_search *s)
{
    const run *r = &s->solver->run;
    int32_t highest = 0;
    for (int32_t j = 0; j < r->n; j++)
        highest = r->variable_index[j] > highest ? r->variable_index[j] : highest;
    s->is_hessenberg = highest == 2;
    if (!run_has_high_index(r) || s->is_hessenberg)
        return DAEDAL_OK;
    fail(s->why, DAEDAL_ERR_INDEX, "the index of the system is above two");
    hint(s->why, "models are reduced to index one: write the equations as a model");
    return DAEDAL_ERR_INDEX;
}

/* The start keeps the differential variables, or the gradient by start values means others. */
static daedal_status check_start(gradient_search *s)
{
    int32_t count;
    char name[96];
    const run *r = &s->solver->run;
    const daedal_moved *moved = daedal_solver_moved(s->solver, &count);
    for (int32_t k = 0; k < count; k++) {
        int32_t j = moved[k].variable;
        if (moved[k].is_derivative || !r->is_differential[j])
            continue;
        fail(s->why, DAEDAL_ERR_INCONSISTENT,
             "the start value of %s is not consistent: %.10g became %.10g",
             evaluator_variable_name(&s->system.sys, j, name, sizeof name), moved[k].from,
             moved[k].to);
        blame(s->why, s->task->t_start, -1, j);
        return DAEDAL_ERR_INCONSISTENT;
    }
    return DAEDAL_OK;
}

static daedal_status start(gradient_search *s)
{
    daedal_system sys = s->system.sys;
    const daedal_gradient_task *task = s->task;
    sys.n_parameters = 0; /* no forward sensitivities */
    TRY(daedal_solver_create(&s->solver, &sys, &s->options, s->why));
    daedal_status status = daedal_solver_start(s->solver, task->t_start, task->y, task->yp);
    if (status < 0)
        *s->why = *daedal_solver_diagnosis(s->solver);
    return status;
}

static daedal_status run_forward(gradient_search *s)
{
    const daedal_gradient_task *task = s->task;
    int32_t n = s->system.sys.n;
    s->sum.g = &s->g;
    s->sum.tolerance = s->options.rtol;
    if (!forward_create(&s->forward, n, s->options.allocator))
        return fail(s->why, DAEDAL_ERR_MEMORY, "out of memory");
    s->forward.t_end = task->t_end;
    s->forward.memory_most = task->memory > 0 ? task->memory : MEMORY_MOST;
    s->forward.step = functional_add_step;
    s->forward.step_user = &s->sum;
    TRY(start(s));
    set_sizes(s);
    TRY(check_start(s));
    RETURN_UNLESS_OK(forward_run(&s->forward, s->solver, s->why));
    TRY(check_index(s));
    return add_end_value(s);
}

static daedal_status solve_forward(gradient_search *s)
{
    daedal_status status = run_forward(s);
    if (s->sum.is_bad && status == DAEDAL_ERR_CALLBACK)
        return fail(s->why, status, "the integrand has no value at t = %.10g", s->sum.t_bad);
    if (status == DAEDAL_ERR_MEMORY)
        return fail(s->why, status, "out of memory for the solution");
    return status;
}

/* ---- the gradient ---- */

static void give(const gradient_search *s, daedal_gradient *to)
{
    const daedal_system *sys = &s->system.sys;
    const backward_run *b = &s->back;
    const double *given = s->task->start_derivatives;
    size_t n = (size_t)sys->n;
    for (int32_t i = 0; i < sys->n_parameters && to->by_parameters; i++) {
        double at_start = given ? vector_dot(b->by_start, given + (size_t)i * n, sys->n) : 0.0;
        to->by_parameters[i] = b->by_p[i] + at_start;
    }
    if (to->by_start)
        memcpy(to->by_start, b->by_start, n * sizeof(double));
    to->value = s->sum.value;
    to->forward = *daedal_solver_stats(s->solver);
    to->backward = b->stats;
    to->repeated_steps = s->forward.repeated;
    to->tolerance = b->tolerance;
}

static void lay_out(void *object, layout *l)
{
    gradient_search *s = object;
    size_t n = (size_t)s->system.sys.n;
    s->sum.y = layout_take(l, n, sizeof(double));
    s->size = layout_take(l, n, sizeof(double));
    s->scale = layout_take(l, (size_t)s->system.sys.n_parameters, sizeof(double));
}

static bool prepare(gradient_search *s, const daedal_system *sys)
{
    const daedal_allocator *a = s->options.allocator;
    const daedal_gradient_task *task = s->task;
    if (!system_copy_create(&s->system, sys, a) || !block_create(&s->mem, a, lay_out, s))
        return false;
    s->g =
        (functional){.integrand = {.value = task->integrand, .gradient = task->integrand_gradient},
                     .end = {.value = task->end, .gradient = task->end_gradient},
                     .user = task->user,
                     .n = sys->n,
                     .n_parameters = sys->n_parameters,
                     .places = sys->parameters,
                     .scale = s->scale,
                     .size = s->size};
    return functional_create(&s->g, a);
}

static void warn_of_states(gradient_search *s)
{
    daedal_diagnosis about = {.cause = DAEDAL_CAUSE_NONE, .t = s->forward.t_end};
    if (backward_describe_inherited(&s->back, about.message, sizeof about.message))
        run_warn(&s->solver->run, &about);
}

static daedal_status search(gradient_search *s)
{
    RETURN_UNLESS_OK(solve_forward(s));
    s->back = (backward_run){.sys = &s->system.sys,
                             .options = &s->options,
                             .of = &s->solver->run,
                             .forward = &s->forward,
                             .g = &s->g,
                             .is_hessenberg = s->is_hessenberg,
                             .why = s->why};
    daedal_status status = backward_create(&s->back);
    if (status == DAEDAL_OK)
        status = backward_go(&s->back);
    if (status == DAEDAL_OK)
        warn_of_states(s);
    return status == DAEDAL_ERR_MEMORY
               ? fail(s->why, status, "out of memory for the adjoint equations")
               : status;
}

daedal_status daedal_system_gradient(const daedal_system *system, const daedal_options *options,
                                     const daedal_gradient_task *task, daedal_gradient *gradient,
                                     daedal_diagnosis *why)
{
    daedal_diagnosis unwanted;
    gradient_search s = {.task = task, .why = why ? why : &unwanted};
    diagnosis_clear(s.why);
    TRY(check(system, task, gradient, s.why));
    TRY(options_of_study(&s.options, options, system, "gradients are", s.why));
    daedal_status status = prepare(&s, system) ? search(&s) : DAEDAL_ERR_MEMORY;
    if (status == DAEDAL_ERR_MEMORY)
        fail(s.why, status, "out of memory");
    if (status == DAEDAL_OK)
        give(&s, gradient);
    backward_free(&s.back);
    functional_free(&s.g);
    forward_free(&s.forward);
    daedal_solver_free(s.solver);
    system_copy_free(&s.system);
    block_free(&s.mem);
    return status;
}
