/* adjoint/model_gradient.c - daedal_model_gradient: the same for a run of a model.
 *
 * The run is that of daedal_model_step, whose solver is recorded: its equations are those of the
 * model after its index was reduced.  At events the run is divided, and the passage backward
 * changes the adjoint variables there.  How the start depends on the parameters is found as for
 * forward sensitivities, unless it does not.                                      */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adjoint/backward_run.h"
#include "adjoint/event_passage.h"
#include "adjoint/jump_watch.h"
#include "adjoint/model_access.h"
#include "adjoint/model_functional.h"
#include "base/status.h"
#include "linalg/vector.h"

typedef struct gradient_run {
    daedal_model *handle;
    daedal_simulation how;
    daedal_options options;
    int32_t n, n_parameters;
    int32_t n_all;           /* with discrete variables that are numbers, which follow           */
    uint32_t *parameters;    /* n_all: their variables                     */
    double *by_start;        /* n x n_parameters: of the start values      */
    double *discrete_slopes; /* (n_all - n_parameters) x n_parameters: likewise, of the others */
    double *values;          /* n_parameters */
    double *x[2];            /* all values of the model                    */
    functional_sum sum;
    forward_solution forward;
    model_functional of;
    functional g;
    double *unit;  /* as many ones as unknowns or parameters */
    double *scale; /* n_all: sizes of parameters, and ones   */
    parameter_tapes tapes;
    bool *is_zero; /* n_zeros: entries of dF/dy */
    size_t n_zeros;
    daedal_system sys;
    backward_run back;
    event_trace trace;
    event_passage passage;
    jump_watch watch;
    double t_recorded;         /* up to here the run has been recorded  */
    daedal_status step_status; /* of the record of the last step        */
    const double *final;       /* all values at the end of the run      */
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
    if (s->is_running) {
        access_observe(s->handle, NULL);
        if (s->final)
            event_trace_put(&s->trace, s->final);
        daedal_model_end(s->handle, NULL);
    }
    s->final = NULL;
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
    size_t n = (size_t)s->n, m = (size_t)s->n_parameters, all = (size_t)s->n_all;
    size_t width = access_equations(s->handle)->values->place.n;
    s->parameters = layout_take(l, all, sizeof(uint32_t));
    s->by_start = layout_take(l, n * m, sizeof(double));
    s->discrete_slopes = layout_take(l, (all - m) * m, sizeof(double));
    s->values = layout_take(l, m, sizeof(double));
    s->unit = layout_take(l, n > all ? n : all, sizeof(double));
    s->scale = layout_take(l, all, sizeof(double));
    s->sum.y = layout_take(l, n, sizeof(double));
    for (int k = 0; k < 2; k++)
        s->x[k] = layout_take(l, width, sizeof(double));
}

static bool is_number(const compiled_model *m, int32_t k)
{
    flat_type type = m->flat->variables[m->reduced->discrete_variable[k]].type;
    return type == FLAT_REAL || type == FLAT_INTEGER;
}

static daedal_status make_room(gradient_run *s)
{
    const compiled_model *m = access_equations(s->handle);
    s->n = run_of(s)->n;
    s->n_all = s->n_parameters;
    for (int32_t k = 0; k < m->reduced->n_discrete; k++)
        s->n_all += is_number(m, k);
    if (!block_create(&s->mem, access_allocator(s->handle), lay_out, s))
        return fail(s->why, DAEDAL_ERR_MEMORY, "out of memory");
    for (int32_t k = 0; k < s->n || k < s->n_all; k++)
        s->unit[k] = 1.0;
    const daedal_model_info *info = daedal_model_describe(s->handle);
    int32_t next = s->n_parameters;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        int32_t number = s->how.parameters.at[i];
        if (!access_variable(s->handle, info->first_number + number, &s->parameters[i]))
            return fail(s->why, DAEDAL_ERR_ARGUMENT, "there is no variable number %d", (int)number);
        if (!info->variables[number].is_parameter)
            return fail(s->why, DAEDAL_ERR_ARGUMENT, "%s is no parameter",
                        info->variables[number].name);
    }
    for (int32_t k = 0; k < m->reduced->n_discrete; k++)
        if (is_number(m, k))
            s->parameters[next++] = m->reduced->discrete_variable[k];
    return DAEDAL_OK;
}

/* By about a thousandth; different for each, so that their effects do not cancel. */
static double moved(double value, int32_t i)
{
    return value * (1.0 + (i % 2 ? -1e-3 : 1e-3) * (1.0 + 0.37 * (i % 7)));
}

static bool is_same(double a, double b)
{
    const double same_as = 1e-13;
    return fabs(a - b) <= same_as * fabs(b);
}

static double discrete_value(const gradient_run *s, const double *x, int32_t i)
{
    const compiled_model *m = access_equations(s->handle);
    return x[m->values->place.discrete + (uint32_t)m->reduced->discrete_of[s->parameters[i]]];
}

/* Whether all states, and nothing else, begin with given numbers. */
static bool begins_with_numbers(const compiled_model *m)
{
    const reduced_model *r = m->reduced;
    bool given = r->n_constraints == 0 && r->n_discrete == 0 && m->flat->n_initials == 0;
    for (int32_t j = 0; j < r->n && given; j++) {
        const flat_variable *v = &m->flat->variables[r->variable[j]];
        bool has_number = v->start != EXPR_NONE && expr_is_constant(&m->flat->graph, v->start) &&
                          !expr_is_live(&m->flat->graph, v->start);
        given = r->differential[j] ? v->fixed && has_number : !v->fixed;
    }
    return given;
}

/* Whether differential variables and discrete ones begin as they do, in x[0], when all parameters
 * have other values: then no derivative of the start is needed.                  */
static void compare_starts(const gradient_run *s, bool *unknowns, bool *discrete)
{
    const compiled_model *m = access_equations(s->handle);
    const double *y = s->x[0] + m->values->place.y, *other = s->x[1] + m->values->place.y;
    daedal_simulation how = s->how;
    how.parameters = (daedal_ints){0};
    *unknowns = *discrete = true;
    for (int32_t i = 0; i < s->n_parameters; i++)
        s->values[i] = moved(access_parameter(s->handle, s->parameters[i]), i);
    *unknowns = *discrete =
        access_start(s->handle, &how, s->parameters, s->values, s->n_parameters, s->x[1]);
    for (int32_t j = 0; j < s->n && *unknowns; j++)
        *unknowns = !m->reduced->differential[j] || is_same(other[j], y[j]);
    for (int32_t i = s->n_parameters; i < s->n_all && *discrete; i++)
        *discrete = is_same(discrete_value(s, s->x[1], i), discrete_value(s, s->x[0], i));
}

/* Differences of order four. */
static daedal_status differentiate_discrete_start(gradient_run *s)
{
    static const double steps[] = {1e-3, -1e-3, 2e-3, -2e-3};
    static const double shares[] = {2.0 / 3.0, -2.0 / 3.0, -1.0 / 12.0, 1.0 / 12.0};
    int32_t n = s->n_all - s->n_parameters;
    daedal_simulation how = s->how;
    how.parameters = (daedal_ints){0};
    for (int32_t i = 0; i < s->n_parameters; i++) {
        double *to = s->discrete_slopes + (size_t)i * (size_t)n;
        double value = access_parameter(s->handle, s->parameters[i]);
        for (int k = 0; k < 4; k++) {
            double other = value * (1.0 + steps[k]);
            if (!access_start(s->handle, &how, &s->parameters[i], &other, 1, s->x[0]))
                return failed(s, DAEDAL_ERR_START);
            for (int32_t j = 0; j < n; j++)
                to[j] +=
                    shares[k] / (value * 1e-3) * discrete_value(s, s->x[0], s->n_parameters + j);
        }
    }
    return DAEDAL_OK;
}

static daedal_status begin_run(gradient_run *s)
{
    daedal_simulation how = s->how;
    how.options = &s->options;
    how.parameters = (daedal_ints){0};
    how.stop_at_events = 1;
    daedal_status status = daedal_model_begin(s->handle, &how);
    s->is_running = status >= 0;
    return status < 0 ? failed(s, status) : DAEDAL_OK;
}

/* What is wrong with the request is told by the start of the run.  Its values are in x[0]. */
static daedal_status look_at_start(gradient_run *s)
{
    TRY(begin_run(s));
    TRY(make_room(s));
    const model_values *values = access_equations(s->handle)->values;
    memcpy(s->x[0], values->x, values->place.n * sizeof(double));
    return DAEDAL_OK;
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
    return model_term_create(term, access_equations(s->handle), variable, s->parameters, s->n_all,
                             s->why);
}

static daedal_status make_functional(gradient_run *s, int32_t integrand, int32_t end)
{
    TRY(make_term(s, &s->of.integrand, integrand));
    TRY(make_term(s, &s->of.end, end));
    s->g = (functional){.user = &s->of, .n = s->n, .n_parameters = s->n_all};
    s->g.scale = s->g.size = s->unit; /* of no effect: all derivatives are given */
    if (integrand >= 0)
        s->g.integrand = (functional_term){model_integrand, model_integrand_gradient, true,
                                           model_term_lacks_parameters(&s->of.integrand)};
    if (end >= 0)
        s->g.end = (functional_term){model_end, model_end_gradient, true,
                                     model_term_lacks_parameters(&s->of.end)};
    s->sum.g = &s->g;
    s->sum.tolerance = s->options.rtol;
    return functional_create(&s->g, access_allocator(s->handle)) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

/* ---- the run ---- */

static daedal_status watch_jumps(gradient_run *s)
{
    expr terms[2];
    expressions list = {terms, 0};
    const expr found[] = {s->of.integrand.expression, s->of.end.expression};
    for (int k = 0; k < 2; k++)
        if (found[k] != EXPR_NONE)
            terms[list.n++] = found[k];
    return jump_watch_create(&s->watch, access_equations(s->handle), list);
}

static int look_at_step(solution_record *record, void *user)
{
    gradient_run *s = user;
    jump_watch_step(&s->watch, record);
    return functional_add_step(record, &s->sum);
}

static void warn_of_jumps(const gradient_run *s)
{
    char text[300];
    if (isnan(s->watch.t_jump))
        return;
    snprintf(text, sizeof text,
             "the gradient is wrong: %s at t = %.10g without an event, and what parameters do to "
             "that time is not counted; write the comparison without noEvent",
             s->watch.is_of_equation ? "the equations jump" : "a term of the functional jumps",
             s->watch.t_jump);
    access_warn(s->handle, s->watch.t_jump, text);
}

static void warn_of_states(const gradient_run *s)
{
    char text[300];
    if (backward_describe_inherited(&s->back, text, sizeof text))
        access_warn(s->handle, s->forward.t_end, text);
}

/* The last step, before an event changes the equations. */
static void record_step(void *user)
{
    gradient_run *s = user;
    double t = run_of(s)->state.t;
    if (s->step_status != DAEDAL_OK || t <= s->t_recorded)
        return;
    s->step_status = forward_add(&s->forward, run_of(s), t);
    s->t_recorded = t;
}

/* An event at the stop time comes after the functional. */
static daedal_status record_event(gradient_run *s)
{
    const event_accumulation *a = access_discrete(s->handle)->search->accumulation;
    if (a->is_found)
        return fail(
            s->why, DAEDAL_ERR_STRUCTURE,
            "events accumulate at t = %.10g, and adjoint equations are not continued across that",
            a->t_limit);
    if (s->trace.now.t < s->how.t_stop && event_trace_keep(&s->trace))
        return forward_end_part(&s->forward, s->trace.now.t);
    return s->trace.mem.failed ? DAEDAL_ERR_MEMORY : DAEDAL_OK;
}

static daedal_status take_steps(gradient_run *s)
{
    double t_stop = s->how.t_stop;
    while (daedal_model_time(s->handle) < t_stop) {
        daedal_status status = daedal_model_step(s->handle, t_stop);
        if (status < 0 || status == DAEDAL_STOPPED)
            return failed(s, status);
        if (status == DAEDAL_EVENT)
            TRY(record_event(s));
        else
            record_step(s);
        RETURN_UNLESS_OK(s->step_status);
        if (status == DAEDAL_AT_STOP_TIME && daedal_model_time(s->handle) < t_stop)
            return fail(s->why, DAEDAL_ERR_STRUCTURE, "the model ended the run at t = %.10g",
                        daedal_model_time(s->handle));
    }
    return DAEDAL_OK;
}

static daedal_status begin_record(gradient_run *s)
{
    event_trace_free(&s->trace);
    event_trace_create(&s->trace, access_discrete(s->handle));
    s->trace.before_event = record_step;
    s->trace.user = s;
    s->t_recorded = s->forward.t_start = run_of(s)->state.t;
    s->step_status = DAEDAL_OK;
    s->forward.enter = event_trace_enter;
    s->forward.enter_user = &s->trace;
    access_observe(s->handle, &s->trace.observer);
    return event_trace_begin(&s->trace) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

static daedal_status take_run(gradient_run *s)
{
    if (!forward_create(&s->forward, s->n, access_allocator(s->handle)))
        return DAEDAL_ERR_MEMORY;
    s->forward.step = look_at_step;
    s->forward.step_user = s;
    if (!s->is_running)
        TRY(begin_run(s));
    TRY(begin_record(s));
    RETURN_UNLESS_OK(take_steps(s));
    access_observe(s->handle, NULL);
    s->forward.t_end = s->t_recorded;
    return forward_end_part(&s->forward, s->forward.t_end);
}

static daedal_status run_forward(gradient_run *s)
{
    daedal_status status = take_run(s);
    if (status == DAEDAL_ERR_CALLBACK && s->sum.is_bad)
        return fail(s->why, status, "the integrand has no value at t = %.10g", s->sum.t_bad);
    return status;
}

/* ---- the gradient ---- */

static int product(double t, const double *y, const double *yp, const double *v, double *out,
                   void *user)
{
    return parameter_tapes_product(user, t, y, yp, v, out);
}

static int both_parts(double t, const double *y, const double *yp, double *dy, double *dyp,
                      void *user)
{
    const compiled_model *m = user;
    const compiled_jacobian *j = m->jacobian;
    size_t bytes = (size_t)pattern_nnz(&j->pattern.view) * sizeof(double);
    int answer = compiled_evaluate_jacobian(m, t, y, yp);
    memcpy(dy, j->dy, bytes);
    if (dyp)
        memcpy(dyp, j->dyp, bytes);
    return answer == DAEDAL_CALL_OK && !j->is_finite ? DAEDAL_CALL_RETRY : answer;
}

static bool is_same_pattern(const daedal_pattern *a, const daedal_pattern *b)
{
    size_t n = (size_t)a->n_cols + 1, nnz = (size_t)pattern_nnz(a);
    return a->n_cols == b->n_cols && pattern_nnz(a) == pattern_nnz(b) &&
           memcmp(a->start, b->start, n * sizeof *a->start) == 0 &&
           memcmp(a->row, b->row, nnz * sizeof *a->row) == 0;
}

/* Entries of dF/dy that are zero at any point: there dF/dy' alone has some. */
static bool find_zeros(gradient_run *s, const compiled_jacobian *j)
{
    size_t nnz = (size_t)pattern_nnz(&j->pattern.view);
    s->n_zeros = nnz;
    s->is_zero = memory_take_array(access_allocator(s->handle), nnz, sizeof(bool));
    if (!s->is_zero)
        return false;
    for (size_t q = 0; q < nnz; q++)
        s->is_zero[q] = j->dy[q] == 0.0;
    for (size_t k = 0; k < j->n_roots; k++)
        if (j->target[k] < nnz)
            s->is_zero[j->target[k]] = false;
    for (size_t k = 0; k < j->n_live; k++)
        if (j->live[k].place < nnz)
            s->is_zero[j->live[k].place] = false;
    return true;
}

/* The model knows both parts of its Jacobian, and which entries are constant. */
static daedal_status use_jacobian_of_model(gradient_run *s)
{
    const compiled_model *m = access_equations(s->handle);
    const compiled_jacobian *j = m->jacobian;
    if (!j->exists || !is_same_pattern(&j->pattern.view, &s->back.c.parts.pattern.view))
        return DAEDAL_OK;
    if (!find_zeros(s, j))
        return DAEDAL_ERR_MEMORY;
    s->back.c.is_zero = s->is_zero;
    s->back.c.both = both_parts;
    s->back.c.both_user = (void *)(uintptr_t)m;
    s->back.c.parts_lack_slopes = !j->program || !j->program->reads_slopes;
    s->back.c.leading_is_fixed = true;
    for (size_t k = 0; k < j->n_roots; k++)
        if (j->target[k] >= (uint32_t)pattern_nnz(&j->pattern.view))
            s->back.c.leading_is_fixed = false;
    return DAEDAL_OK;
}

static daedal_status make_passage(gradient_run *s)
{
    s->passage = (event_passage){.trace = &s->trace,
                                 .variable = s->parameters,
                                 .n_own = s->n_parameters,
                                 .n_all = s->n_all,
                                 .tapes = &s->tapes,
                                 .why = s->why};
    s->back.pass = event_passage_go;
    s->back.pass_user = &s->passage;
    return event_passage_create(&s->passage);
}

static void measure_parameters(gradient_run *s)
{
    for (int32_t i = 0; i < s->n_all; i++) {
        double size =
            i < s->n_parameters ? fabs(access_parameter(s->handle, s->parameters[i])) : 1.0;
        s->scale[i] = size > 0.0 && isfinite(size) ? size : 1.0;
    }
}

static daedal_status run_backward(gradient_run *s)
{
    measure_parameters(s);
    const compiled_model *m = access_equations(s->handle);
    daedal_status status = parameter_tapes_build(&s->tapes, m, s->parameters, s->n_all);
    if (status != DAEDAL_OK)
        return fail(s->why, status, "a function of the model cannot be differentiated");
    s->sys = run_of(s)->system.sys;
    s->sys.n_parameters = s->n_all;
    s->sys.parameters = NULL;
    s->sys.parameter_scale = (daedal_doubles){s->scale, s->n_all};
    s->back = (backward_run){.sys = &s->sys,
                             .options = &s->options,
                             .of = run_of(s),
                             .forward = &s->forward,
                             .g = &s->g,
                             .why = s->why};
    TRY(backward_create(&s->back));
    s->back.c.product = product;
    s->back.c.product_user = &s->tapes;
    s->back.c.product_lacks_slopes = !s->tapes.residuals || !s->tapes.residuals->reads_slopes;
    s->back.corners_are_known = true;
    TRY(use_jacobian_of_model(s));
    TRY(make_passage(s));
    return backward_go(&s->back);
}

/* Of the last part of the run, whose equations an event at its end may have changed. */
static daedal_status add_end_value(gradient_run *s)
{
    double value, t = s->forward.t_end;
    size_t width = access_equations(s->handle)->values->place.n;
    memcpy(s->x[0], access_equations(s->handle)->values->x, width * sizeof(double));
    s->final = s->x[0];
    TRY(forward_load(&s->forward, s->forward.n_parts - 1, s->why));
    solution_at(&s->forward.record, t, s->sum.y, NULL);
    if (functional_value(&s->g, &s->g.end, t, s->sum.y, &value) != DAEDAL_CALL_OK)
        return fail(s->why, DAEDAL_ERR_CALLBACK, "the end term has no value at t = %.10g", t);
    s->sum.value += value;
    return DAEDAL_OK;
}

static void give(const gradient_run *s, daedal_gradient *to)
{
    int32_t m = s->n_parameters, n_discrete = s->n_all - m;
    for (int32_t i = 0; i < m; i++)
        to->by_parameters[i] =
            s->back.by_p[i] +
            vector_dot(s->back.by_start, s->by_start + (size_t)i * (size_t)s->n, s->n) +
            vector_dot(s->back.by_p + m, s->discrete_slopes + (size_t)i * (size_t)n_discrete,
                       n_discrete);
    to->value = s->sum.value;
    to->forward = run_of(s)->stats;
    to->backward = s->back.stats;
    to->repeated_steps = 0;
    to->tolerance = s->back.tolerance;
}

/* The derivatives of the start; a run that begins with numbers goes on, others begin anew. */
static daedal_status differentiate_starts(gradient_run *s)
{
    bool same_unknowns, same_discrete;
    if (begins_with_numbers(access_equations(s->handle)))
        return DAEDAL_OK;
    end_run(s);
    compare_starts(s, &same_unknowns, &same_discrete);
    if (!same_unknowns)
        TRY(differentiate_start(s));
    return same_discrete ? DAEDAL_OK : differentiate_discrete_start(s);
}

static daedal_status find(gradient_run *s, int32_t integrand, int32_t end, daedal_gradient *to)
{
    TRY(look_at_start(s));
    TRY(differentiate_starts(s));
    if (access_equations(s->handle)->flat->n_delays > 0)
        return fail(s->why, DAEDAL_ERR_STRUCTURE,
                    "the model has delays, which the adjoint equations do not know");
    TRY(make_functional(s, integrand, end));
    TRY(watch_jumps(s));
    RETURN_UNLESS_OK(run_forward(s));
    warn_of_jumps(s);
    TRY(add_end_value(s));
    RETURN_UNLESS_OK(run_backward(s));
    warn_of_states(s);
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
    event_passage_free(&s.passage);
    jump_watch_free(&s.watch);
    backward_free(&s.back);
    parameter_tapes_free(&s.tapes);
    memory_give(access_allocator(handle), s.is_zero, s.n_zeros * sizeof *s.is_zero);
    functional_free(&s.g);
    model_term_free(&s.of.integrand);
    model_term_free(&s.of.end);
    forward_free(&s.forward);
    end_run(&s);
    event_trace_free(&s.trace);
    block_free(&s.mem);
    return status;
}
