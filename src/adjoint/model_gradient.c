/* adjoint/model_gradient.c - daedal_model_gradient: the same for a run of a model.
 *
 * The run is that of daedal_model_step, whose solver is recorded: its equations are those of the
 * model after its index was reduced.  How the start depends on the parameters is found as for
 * forward sensitivities, unless it does not.                                      */
#include <math.h>
#include <string.h>

#include "adjoint/backward_run.h"
#include "adjoint/model_access.h"
#include "adjoint/model_functional.h"
#include "base/choices.h"
#include "base/status.h"
#include "linalg/vector.h"

typedef struct gradient_run {
    daedal_model *handle;
    daedal_simulation how;
    daedal_options options;
    int32_t n, n_parameters;
    uint32_t *parameters; /* their variables                            */
    double *by_start;     /* n x n_parameters: of the start values      */
    functional_sum sum;
    forward_solution forward;
    model_functional of;
    functional g;
    double *unit; /* as many ones as unknowns or parameters */
    parameter_tapes tapes;
    daedal_system sys;
    backward_run back;
    bool is_running;
    daedal_diagnosis *why;
    block mem;
} gradient_run;

static daedal_status failed(gradient_run *s, daedal_status status)
{
    *s->why = *daedal_model_diagnosis(s->handle);
    return status;
}

static void end_run(gradient_run *s)
{
    if (s->is_running)
        daedal_model_end(s->handle, NULL);
    s->is_running = false;
}

static run *run_of(const gradient_run *s)
{
    return &access_solver(s->handle)->run;
}

/* ---- the start ---- */

static void lay_out(void *object, layout *l)
{
    gradient_run *s = object;
    size_t n = (size_t)s->n, m = (size_t)s->n_parameters;
    s->parameters = layout_take(l, m, sizeof(uint32_t));
    s->by_start = layout_take(l, n * m, sizeof(double));
    s->unit = layout_take(l, n > m ? n : m, sizeof(double));
    s->sum.y = layout_take(l, n, sizeof(double));
    s->sum.yp = layout_take(l, n, sizeof(double));
}

static daedal_status make_room(gradient_run *s)
{
    s->n = run_of(s)->n;
    if (!block_create(&s->mem, access_allocator(s->handle), lay_out, s))
        return fail(s->why, DAEDAL_ERR_MEMORY, "out of memory");
    for (int32_t k = 0; k < s->n || k < s->n_parameters; k++)
        s->unit[k] = 1.0;
    const daedal_model_info *info = daedal_model_describe(s->handle);
    for (int32_t i = 0; i < s->n_parameters; i++) {
        int32_t number = s->how.parameters.at[i];
        if (!access_variable(s->handle, info->first_number + number, &s->parameters[i]))
            return fail(s->why, DAEDAL_ERR_ARGUMENT, "there is no variable number %d", (int)number);
        if (!info->variables[number].is_parameter)
            return fail(s->why, DAEDAL_ERR_ARGUMENT, "%s is no parameter",
                        info->variables[number].name);
    }
    return DAEDAL_OK;
}

/* Whether all differential variables begin as they do when all parameters have other values: then
 * no derivative of the start is needed.                                          */
static bool start_is_independent(const gradient_run *s)
{
    const double same_as = 1e-13;
    const bool *is_differential = access_equations(s->handle)->reduced->differential;
    double *y = s->sum.y, *other = s->sum.yp;
    daedal_simulation how = s->how;
    how.parameters = (daedal_ints){0};
    bool same = access_start(s->handle, &how, NULL, 0, y) &&
                access_start(s->handle, &how, s->parameters, s->n_parameters, other);
    for (int32_t j = 0; j < s->n && same; j++)
        same = !is_differential[j] || fabs(other[j] - y[j]) <= same_as * fabs(y[j]);
    return same;
}

/* A run that ends where it begins: what is wrong with the request is told by it. */
static daedal_status look_at_start(gradient_run *s)
{
    daedal_simulation how = s->how;
    how.parameters = (daedal_ints){0};
    daedal_status status = daedal_model_begin(s->handle, &how);
    if (status < 0)
        return failed(s, status);
    s->is_running = true;
    status = make_room(s);
    end_run(s);
    return status;
}

/* How the start values, made consistent, depend on the parameters. */
static daedal_status differentiate_start(gradient_run *s)
{
    size_t n = (size_t)s->n;
    daedal_status status = daedal_model_begin(s->handle, &s->how);
    if (status < 0)
        return failed(s, status);
    s->is_running = true;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const double *slope;
        daedal_solver *solver = access_solver(s->handle);
        status = daedal_solver_sensitivity(solver, i, &slope, NULL);
        if (status < 0) {
            *s->why = *daedal_solver_diagnosis(solver);
            return status;
        }
        memcpy(s->by_start + (size_t)i * n, slope, n * sizeof(double));
    }
    end_run(s);
    return DAEDAL_OK;
}

/* ---- the functional ---- */

static daedal_status make_term(gradient_run *s, model_term *term, int32_t number)
{
    uint32_t variable;
    if (number < 0)
        return DAEDAL_OK;
    if (!access_variable(s->handle, number, &variable))
        return fail(s->why, DAEDAL_ERR_ARGUMENT, "there is no variable number %d", (int)number);
    return model_term_create(term, access_equations(s->handle), variable, s->parameters,
                             s->n_parameters, s->why);
}

static daedal_status make_functional(gradient_run *s, int32_t integrand, int32_t end)
{
    TRY(make_term(s, &s->of.integrand, integrand));
    TRY(make_term(s, &s->of.end, end));
    s->g = (functional){.user = &s->of, .n = s->n, .n_parameters = s->n_parameters};
    s->g.scale = s->g.size = s->unit; /* of no effect: all derivatives are given */
    if (integrand >= 0)
        s->g.integrand = (functional_term){model_integrand, model_integrand_gradient};
    if (end >= 0)
        s->g.end = (functional_term){model_end, model_end_gradient};
    s->sum.g = &s->g;
    return functional_create(&s->g, access_allocator(s->handle)) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

/* ---- the run ---- */

static daedal_status refuse_event(gradient_run *s)
{
    const daedal_model_event *event = daedal_model_last_event(s->handle);
    const char *what = event->n_relations > 0 ? event->relations[0]
                       : event->n_whens > 0   ? event->whens[0]
                                              : "a time event";
    return fail(s->why, DAEDAL_ERR_STRUCTURE,
                "the run has an event at t = %.10g (%.200s), and the adjoint equations do not pass "
                "events",
                event->t, what);
}

static daedal_status take_steps(gradient_run *s)
{
    double t_stop = s->how.t_stop;
    while (daedal_model_time(s->handle) < t_stop) {
        double t_before = run_of(s)->state.t;
        daedal_status status = daedal_model_step(s->handle, t_stop);
        if (status == DAEDAL_EVENT)
            return refuse_event(s);
        if (status < 0 || status == DAEDAL_STOPPED)
            return failed(s, status);
        double t = run_of(s)->state.t;
        if (t != t_before)
            RETURN_UNLESS_OK(forward_add(&s->forward, run_of(s), t));
        if (status == DAEDAL_AT_STOP_TIME && daedal_model_time(s->handle) < t_stop)
            return fail(s->why, DAEDAL_ERR_STRUCTURE, "the model ended the run at t = %.10g",
                        daedal_model_time(s->handle));
    }
    return DAEDAL_OK;
}

static daedal_status run_with(gradient_run *s, int32_t number)
{
    daedal_simulation how = s->how;
    end_run(s);
    forward_free(&s->forward);
    s->sum.value = 0.0;
    s->options.method = number;
    how.options = &s->options;
    how.parameters = (daedal_ints){0};
    how.stop_at_events = 1;
    if (!forward_create(&s->forward, s->n, access_allocator(s->handle)))
        return DAEDAL_ERR_MEMORY;
    s->forward.step = functional_add_step;
    s->forward.step_user = &s->sum;
    daedal_status status = daedal_model_begin(s->handle, &how);
    if (status < 0)
        return failed(s, status);
    s->is_running = true;
    s->forward.t_start = run_of(s)->state.t;
    RETURN_UNLESS_OK(take_steps(s));
    s->forward.t_end = run_of(s)->state.t;
    return forward_close(&s->forward);
}

static daedal_status run_forward(gradient_run *s)
{
    int32_t asked = s->options.method;
    daedal_status status = run_with(s, asked == METHOD_AUTO ? METHOD_BDF : asked);
    if (asked == METHOD_AUTO && failure_is(status, NUMERIC_FAILURE))
        status = run_with(s, asked);
    if (status == DAEDAL_ERR_CALLBACK && s->sum.is_bad)
        return fail(s->why, status, "the integrand has no value at t = %.10g", s->sum.t_bad);
    return status;
}

/* ---- the gradient ---- */

static int product(double t, const double *y, const double *yp, const double *v, double *out,
                   void *user)
{
    const parameter_tapes *p = user;
    int answer = p->residuals ? program_run(p->model, p->residuals, t, y, yp) : DAEDAL_CALL_OK;
    for (int32_t i = 0; i < p->n; i++)
        out[i] = p->residuals
                     ? vector_dot(v, p->residuals->out + (size_t)i * (size_t)p->n_rows, p->n_rows)
                     : 0.0;
    return answer;
}

static daedal_status run_backward(gradient_run *s)
{
    const compiled_model *m = access_equations(s->handle);
    daedal_status status = parameter_tapes_build(&s->tapes, m, s->parameters, s->n_parameters);
    if (status != DAEDAL_OK)
        return fail(s->why, status, "a function of the model cannot be differentiated");
    s->sys = run_of(s)->system.sys;
    s->sys.n_parameters = s->n_parameters;
    s->sys.parameters = NULL;
    s->sys.parameter_scale = (daedal_doubles){s->unit, s->n_parameters};
    s->back = (backward_run){.sys = &s->sys,
                             .options = &s->options,
                             .of = run_of(s),
                             .forward = &s->forward,
                             .g = &s->g,
                             .why = s->why};
    TRY(backward_create(&s->back));
    s->back.c.product = product;
    s->back.c.product_user = &s->tapes;
    return backward_go(&s->back);
}

static daedal_status add_end_value(gradient_run *s)
{
    double value, t = s->forward.t_end;
    if (functional_value(&s->g, &s->g.end, t, run_of(s)->y, &value) != DAEDAL_CALL_OK)
        return fail(s->why, DAEDAL_ERR_CALLBACK, "the end term has no value at t = %.10g", t);
    s->sum.value += value;
    return DAEDAL_OK;
}

static void give(const gradient_run *s, daedal_gradient *to)
{
    for (int32_t i = 0; i < s->n_parameters; i++)
        to->by_parameters[i] =
            s->back.by_p[i] +
            vector_dot(s->back.by_start, s->by_start + (size_t)i * (size_t)s->n, s->n);
    to->value = s->sum.value;
    to->forward = run_of(s)->stats;
    to->backward = s->back.stats;
    to->repeated_steps = 0;
    to->tolerance = s->back.tolerance;
}

static daedal_status find(gradient_run *s, int32_t integrand, int32_t end, daedal_gradient *to)
{
    TRY(look_at_start(s));
    if (!start_is_independent(s))
        TRY(differentiate_start(s));
    if (access_equations(s->handle)->flat->n_delays > 0)
        return fail(s->why, DAEDAL_ERR_STRUCTURE,
                    "the model has delays, which the adjoint equations do not know");
    TRY(make_functional(s, integrand, end));
    RETURN_UNLESS_OK(run_forward(s));
    TRY(add_end_value(s));
    RETURN_UNLESS_OK(run_backward(s));
    give(s, to);
    return DAEDAL_OK;
}

static daedal_status check(const daedal_model *handle, const daedal_simulation *how,
                           const daedal_gradient *gradient, daedal_diagnosis *why)
{
    if (!handle || !how || !gradient)
        return fail(why, DAEDAL_ERR_ARGUMENT, "%s is NULL",
                    !handle ? "model"
                    : !how  ? "simulation"
                            : "gradient");
    if (how->parameters.n <= 0 || !how->parameters.at || !gradient->by_parameters)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "no parameters are given, or no place for their "
                    "derivatives");
    return DAEDAL_OK;
}

daedal_status daedal_model_gradient(daedal_model *handle, const daedal_simulation *how,
                                    int32_t integrand, int32_t end, daedal_gradient *gradient,
                                    daedal_diagnosis *why)
{
    daedal_diagnosis unwanted;
    gradient_run s = {.handle = handle, .why = why ? why : &unwanted};
    diagnosis_clear(s.why);
    TRY(check(handle, how, gradient, s.why));
    if (integrand < 0 && end < 0)
        return fail(s.why, DAEDAL_ERR_ARGUMENT,
                    "the functional has neither an integrand nor an end term");
    daedal_options_defaults(&s.options);
    s.how = *how;
    s.how.row = NULL;
    s.how.sensitivity = NULL;
    s.how.scale_atol = how->scale_atol || !how->options;
    s.n_parameters = how->parameters.n;
    if (how->options)
        s.options = *how->options;
    daedal_status status = find(&s, integrand, end, gradient);
    if (status == DAEDAL_ERR_MEMORY)
        fail(s.why, status, "out of memory");
    backward_free(&s.back);
    parameter_tapes_free(&s.tapes);
    functional_free(&s.g);
    model_term_free(&s.of.integrand);
    model_term_free(&s.of.end);
    forward_free(&s.forward);
    end_run(&s);
    block_free(&s.mem);
    return status;
}
