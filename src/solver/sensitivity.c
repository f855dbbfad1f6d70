/* solver/sensitivity.c - see sensitivity.h: the run beside a run.
 *
 * The linear equations are solved by a run of their own, with its own steps, order, error test and
 * projection.  It never passes the last step of the run that it follows, whose dense output gives
 * the coefficients; where that run stops inside a step, at an output point or an event, it stops
 * behind that point at most, and its own dense output gives the values there.  A change of the
 * mode, a jump or another method of the first run makes it begin again from these values. */
#include "solver/sensitivity.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/vector.h"
#include "solver/held_restart.h"

/* ---- memory ---- */

static void lay_out(void *object, layout *l)
{
    sensitivities *s = object;
    size_t n = (size_t)s->n, all = n * (size_t)s->n_parameters;
    const daedal_system *sys = &s->states->system.sys;
    size_t m = (size_t)sys->n_constraints;
    size_t nnz = m > 0 ? (size_t)pattern_nnz(sys->constraint_pattern) : 0;
    double **vectors[] = {&s->at.y,           &s->at.yp,       &s->at.inverse_weight,
                          &s->at.size,        &s->y_moved[0],  &s->y_moved[1],
                          &s->yp_moved[0],    &s->yp_moved[1], &s->errors.drift,
                          &s->errors.largest, &s->errors.work, &s->errors.states,
                          &s->errors.size,    &s->errors.shown};
    double **matrices[] = {&s->at.dp, &s->given, &s->value, &s->slope};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, n, sizeof(double));
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        *matrices[i] = layout_take(l, all, sizeof(double));
    for (int k = 0; k < 2; k++)
        s->r_moved[k] = layout_take(l, n + m, sizeof(double));
    s->at.gy = layout_take(l, nnz, sizeof(double));
    s->at.gp = layout_take(l, m * (size_t)s->n_parameters, sizeof(double));
    s->shown = layout_take(l, 2 * all, sizeof(double));
    s->scale = layout_take(l, (size_t)s->n_parameters, sizeof(double));
}

static void set_scale(sensitivities *s, const daedal_system *sys)
{
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const double *p = sys->parameters ? sys->parameters[i] : NULL;
        double size =
            sys->parameter_scale.n ? fabs(sys->parameter_scale.at[i]) : (p ? fabs(*p) : 1.0);
        s->scale[i] = size > 0.0 ? size : 1.0;
    }
}

daedal_status sensitivities_create(sensitivities **made, run *states)
{
    const daedal_system *sys = &states->system.sys;
    *made = NULL;
    if (sys->n_parameters == 0)
        return DAEDAL_OK;
    sensitivities *s = memory_take(states->allocator, sizeof *s);
    if (!s)
        return DAEDAL_ERR_MEMORY;
    *made = s;
    *s = (sensitivities){.states = states,
                         .n = states->n,
                         .n_parameters = sys->n_parameters,
                         .is_due = true,
                         .t_asked = NAN,
                         .t_step = NAN};
    if (!block_create(&s->mem, states->allocator, lay_out, s) ||
        !evaluator_create(&s->ev, sys, &s->stats, states->allocator))
        return DAEDAL_ERR_MEMORY;
    evaluator_join(&s->ev, &states->ev);
    set_scale(s, sys);
    sensitivity_forget_point(s);
    return DAEDAL_OK;
}

static void free_linear(sensitivities *s)
{
    if (s->linear) {
        run_free(s->linear);
        memory_give(s->states->allocator, s->linear, sizeof *s->linear);
    }
    s->linear = NULL;
    sensitivity_steps_free(s);
    matrix_free(&s->parts);
    s->parts = (iteration_matrix){0};
    s->nnz = 0;
    sensitivity_forget_description(s);
}

void sensitivities_free(sensitivities *s)
{
    if (!s)
        return;
    const daedal_allocator *a = s->states->allocator;
    free_linear(s);
    evaluator_free(&s->ev);
    block_free(&s->mem);
    memory_give(a, s, sizeof *s);
}

/* ---- the run beside ---- */

/* Where the steps of the states are a little longer than its own would be, it takes them as they
 * are, instead of two for each; the error test judges.                            */
static const step_arrival arrival = {.stretch = 1.5, .ahead = 1.1};

/* That of the states if it integrates linear equations well with their steps. */
static int32_t method_beside(const run *r)
{
    bool multistep = r->now.method == METHOD_BDF || r->now.method == METHOD_BDF_CLASSIC;
    return multistep ? METHOD_BDF : METHOD_RADAU;
}

static daedal_options options_beside(const sensitivities *s)
{
    const run *r = s->states;
    daedal_options opt =
        run_linear_options(&r->asked, s->system.rtol, s->system.atol, s->n * s->n_parameters);
    opt.method = method_beside(r);
    opt.constraint_method = r->now.constraint_method;
    opt.breakpoints = (daedal_doubles){0};
    opt.progress = NULL;
    return opt;
}

static daedal_status complain(sensitivities *s, daedal_status status)
{
    run *r = s->states;
    const char *cause = s->linear ? s->linear->why.message : "";
    fail(&r->why, status, "the sensitivities could not be computed at t = %.10g: %.350s",
         r->state.t, cause[0] ? cause : "out of memory");
    blame(&r->why, r->state.t, -1, -1);
    return status;
}

static bool is_same_pattern(const daedal_pattern *a, const daedal_pattern *b)
{
    size_t n = (size_t)a->n_cols + 1, nnz = (size_t)pattern_nnz(a);
    return a->n_cols == b->n_cols && pattern_nnz(a) == pattern_nnz(b) &&
           memcmp(a->start, b->start, n * sizeof *a->start) == 0 &&
           memcmp(a->row, b->row, nnz * sizeof *a->row) == 0;
}

/* As the Jacobian of a run that is perturbed is another one. */
static void look_for_both(sensitivities *s)
{
    s->has_both = s->both.call && s->ev.sys->jacobian == s->both.of &&
                  is_same_pattern(s->both.pattern, &s->parts.pattern.view);
}

static daedal_status make_linear(sensitivities *s)
{
    run *r = s->states;
    bool with_steps = sensitivity_steps_serve(s);
    matrix_setup parts = {.ev = &s->ev,
                          .dy = &r->matrix.part[0].view,
                          .dyp = &r->matrix.part[1].view,
                          .solver = with_steps ? r->matrix.solver : NULL,
                          .allocator = r->allocator};
    daedal_system sys;
    free_linear(s);
    daedal_status status = matrix_create(&s->parts, &parts);
    s->nnz = status == DAEDAL_OK ? pattern_nnz(&s->parts.pattern.view) : 0;
    if (status == DAEDAL_OK)
        look_for_both(s);
    bool fits = status == DAEDAL_OK && sensitivity_describe(s, &sys) &&
                (!with_steps || sensitivity_steps_create(s));
    if (status == DAEDAL_OK && !fits)
        status = DAEDAL_ERR_MEMORY;
    if (status == DAEDAL_OK)
        s->linear = memory_take(r->allocator, sizeof *s->linear);
    if (!s->linear)
        return complain(s, DAEDAL_ERR_MEMORY);
    daedal_options opt = options_beside(s);
    status = run_create(s->linear, &sys, &opt);
    s->linear->now.arrival = &arrival;
    s->linear->now.repeats = s->n_parameters;
    return status == DAEDAL_OK ? status : complain(s, status);
}

/* The pattern may have grown; and the method may be another one by now. */
static bool is_outdated(const sensitivities *s)
{
    const run *r = s->states;
    return !s->linear || pattern_nnz(&r->matrix.pattern.view) != s->nnz ||
           s->linear->asked.method != method_beside(r) ||
           sensitivity_steps_serve(s) != (s->steps.mem.p != NULL) ||
           s->linear->asked.constraint_method != r->now.constraint_method;
}

static void take_values(sensitivities *s, const double *value, const double *slope)
{
    size_t bytes = (size_t)s->n * (size_t)s->n_parameters * sizeof(double);
    memcpy(s->value, value, bytes);
    memcpy(s->slope, slope, bytes);
}

/* The linear run, from the values at t. */
static daedal_status start_linear(sensitivities *s, double t)
{
    daedal_status status =
        run_start(s->linear, &(run_start_values){.t = t, .y = s->value, .yp = s->slope});
    if (status < 0)
        return complain(s, status);
    take_values(s, s->linear->y, s->linear->yp);
    s->linear->limits.direction = s->states->limits.direction;
    s->steps.is_on = false;
    return DAEDAL_OK;
}

static double linear_time(const run *linear)
{
    return linear->fresh ? linear->state.t : linear->method->view(linear->integrator).t;
}

/* Steps up to t, none beyond t_last.  The method takes them by itself: what a run watches for the
 * sake of its user is of no use here.  Where that fails, the run goes about it.       */
static daedal_status advance_linear(sensitivities *s, double t, double t_last)
{
    run *linear = s->linear;
    double direction = s->states->limits.direction;
    while (direction * (t - linear_time(linear)) > 0.0) {
        daedal_status status = DAEDAL_ERR_RETRY;
        if (!linear->fresh)
            status = linear->method->step(linear->integrator, t_last);
        if (status != DAEDAL_OK)
            status = run_step(linear, t_last);
        if (status < 0 || status == DAEDAL_STOPPED)
            return status < 0 ? complain(s, status) : status;
        if (!linear->fresh)
            sensitivity_errors_follow(s);
    }
    return DAEDAL_OK;
}

/* Up to t, by coefficients that are known up to t_last. */
static daedal_status advance_to(sensitivities *s, double t, double t_last)
{
    if (s->t_step != t_last) {
        sensitivity_forget_point(s);
        s->linear->limits.t_stop = t_last;
        s->t_step = t_last;
    }
    daedal_status status = s->steps.is_on ? sensitivity_steps_advance(s, t, t_last) : DAEDAL_OK;
    if (status == DAEDAL_ERR_RETRY)
        status = start_linear(s, s->steps.t[0]);
    if (status == DAEDAL_OK && !s->steps.is_on)
        status = advance_linear(s, t, t_last);
    s->steps.skipped.is_open = false;
    return status;
}

/* Over a step that has been left out. */
static daedal_status catch_up(sensitivities *s)
{
    double t = s->steps.skipped.t[1];
    return s->steps.skipped.is_open ? advance_to(s, t, t) : DAEDAL_OK;
}

/* Values between steps are interpolated where somebody asks for them. */
static daedal_status fetch(sensitivities *s)
{
    RETURN_UNLESS_OK(catch_up(s));
    double t = s->t_asked;
    s->t_asked = NAN;
    if (isnan(t))
        return DAEDAL_OK;
    if (s->steps.is_on)
        sensitivity_steps_interpolate(s, t, s->value, s->slope);
    else if (run_interpolate(s->linear, t, s->value, s->slope) != DAEDAL_OK)
        return complain(s, s->linear->why.status);
    sensitivity_errors_tell(s, t);
    return DAEDAL_OK;
}

daedal_status sensitivities_begin(run *r)
{
    sensitivities *s = r->sensitivities;
    if (!s || !s->is_due)
        return DAEDAL_OK;
    TRY(fetch(s));
    if (is_outdated(s))
        TRY(make_linear(s));
    sensitivity_forget_point(s);
    evaluator_forget(&s->ev);
    TRY(start_linear(s, r->state.t));
    if (s->steps.mem.p)
        sensitivity_steps_begin(s, r->state.t);
    s->is_due = false;
    s->t_step = NAN;
    return DAEDAL_OK;
}

void sensitivities_reset(run *r)
{
    sensitivities *s = r->sensitivities;
    if (!s)
        return;
    size_t bytes = (size_t)s->n * (size_t)s->n_parameters * sizeof(double);
    s->is_lost = s->is_begun;
    s->t_asked = NAN;
    s->steps.skipped.is_open = false;
    s->is_jump_told = false;
    sensitivity_errors_begin(s);
    set_scale(s, &r->system.sys);
    memcpy(s->value, s->given, bytes);
    memset(s->slope, 0, bytes);
    s->is_due = true;
}

void solver_keep_sensitivities(daedal_solver *solver)
{
    if (solver->run.sensitivities)
        solver->run.sensitivities->is_begun = true;
}

void solver_give_parts(daedal_solver *solver, const jacobian_parts *parts)
{
    sensitivities *s = solver->run.sensitivities;
    if (!s)
        return;
    s->both = *parts;
    if (s->linear)
        look_for_both(s);
}

void solver_tell_time_jumps(daedal_solver *solver)
{
    if (solver->run.sensitivities)
        solver->run.sensitivities->time_jumps_move = true;
}

bool solver_lacks_sensitivities(const daedal_solver *solver)
{
    const sensitivities *s = solver->run.sensitivities;
    return s && s->is_jump_told;
}

bool sensitivities_ask_for_time_jumps(const run *r)
{
    const sensitivities *s = r->sensitivities;
    return s && s->time_jumps_move && !s->is_jump_told;
}

void sensitivities_lose(run *r)
{
    if (r->sensitivities)
        r->sensitivities->is_lost = true;
}

void sensitivities_renew(run *r)
{
    if (r->sensitivities)
        r->sensitivities->is_due = true;
}

daedal_status sensitivities_pass_corner(run *r)
{
    sensitivities_renew(r);
    return sensitivities_begin(r);
}

void sensitivities_tell_jump(run *r, double t)
{
    sensitivities *s = r->sensitivities;
    daedal_diagnosis about = {.cause = DAEDAL_CAUSE_NONE};
    if (!s || s->is_jump_told)
        return;
    s->is_jump_told = true;
    fail(&about, DAEDAL_OK,
         "the equations jump at t = %.10g without an event: the sensitivities behind it lack what "
         "the time of the jump adds to them",
         t);
    about.t = t;
    run_warn(r, &about);
}

daedal_status sensitivities_follow(run *r)
{
    sensitivities *s = r->sensitivities;
    if (!s || r->fresh || s->is_due)
        return DAEDAL_OK;
    double t_last = run_step_end(r), t = r->state.t;
    if (s->t_step != t_last)
        sensitivity_errors_look_inside(s);
    if (r->limits.direction * (t - t_last) > 0.0)
        t = t_last; /* a breakpoint lies a little behind the step before it */
    if (t != t_last || !sensitivity_steps_skip(s, t))
        RETURN_UNLESS_OK(advance_to(s, t, t_last));
    s->t_asked = t;
    return DAEDAL_OK;
}

daedal_status sensitivities_catch_up(run *r)
{
    return r->sensitivities ? catch_up(r->sensitivities) : DAEDAL_OK;
}

/* ---- what the user reads and writes ---- */

static daedal_status check_number(run *r, int32_t i)
{
    diagnosis_clear(&r->why);
    if (!r->sensitivities)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT, "the system has no parameters (n_parameters)");
    if (i < 0 || i >= r->sensitivities->n_parameters)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT, "there is no parameter number %d; there are %d",
                    (int)i, (int)r->sensitivities->n_parameters);
    return DAEDAL_OK;
}

/* The values at the state. */
static daedal_status bring_to_state(run *r)
{
    RETURN_UNLESS_OK(sensitivities_begin(r));
    TRY(fetch(r->sensitivities));
    if (r->sensitivities->is_lost)
        return fail(&r->why, DAEDAL_ERR_STRUCTURE,
                    "the solution begins anew at t <= %.10g, and its sensitivities are not known "
                    "from there on",
                    r->state.t);
    return DAEDAL_OK;
}

daedal_status sensitivities_show(run *r, int32_t i, const double **value, const double **slope)
{
    TRY(check_number(r, i));
    if (!r->started)
        return fail(&r->why, DAEDAL_ERR_CALL_SEQUENCE, "the run has no start yet");
    RETURN_UNLESS_OK(bring_to_state(r));
    sensitivities *s = r->sensitivities;
    size_t n = (size_t)s->n, first = (size_t)i * n;
    double *shown = s->shown + 2 * first;
    for (size_t j = 0; j < n; j++) {
        shown[j] = s->value[first + j] / s->scale[i];
        shown[n + j] = s->slope[first + j] / s->scale[i];
    }
    if (value)
        *value = shown;
    if (slope)
        *slope = shown + n;
    return DAEDAL_OK;
}

/* Steps of the linear run; calls of F that the coefficients took. */
const daedal_stats *sensitivities_stats(const run *r)
{
    sensitivities *s = r->sensitivities;
    if (s && s->linear) {
        int64_t residuals = s->stats.residuals, jacobians = s->stats.jacobians,
                differenced = s->stats.jacobian_residuals;
        s->told = s->linear->stats;
        s->told.factorizations += s->stats.factorizations;
        s->told.solves += s->stats.solves;
        s->told.residuals = residuals;
        s->told.jacobians = jacobians;
        s->told.jacobian_residuals = differenced;
    }
    return s ? &s->told : NULL;
}

/* Where a run has begun they hold from the state on, else for the starts that follow. */
daedal_status sensitivities_set(run *r, int32_t i, const double *given)
{
    TRY(check_number(r, i));
    sensitivities *s = r->sensitivities;
    size_t n = (size_t)s->n, first = (size_t)i * n;
    for (size_t j = 0; j < n && given; j++)
        if (!isfinite(given[j]))
            return fail(&r->why, DAEDAL_ERR_ARGUMENT, "entry %d of the sensitivity is %g", (int)j,
                        given[j]);
    if (r->started && !r->fresh)
        return fail(&r->why, DAEDAL_ERR_CALL_SEQUENCE,
                    "sensitivities can be set before a start and after a restart only");
    if (r->started)
        TRY(fetch(s));
    double *to = r->started ? s->value : s->given;
    for (size_t j = 0; j < n; j++)
        to[first + j] = given ? s->scale[i] * given[j] : 0.0;
    s->is_due = true;
    return DAEDAL_OK;
}

/* Central differences along the sensitivities, [BCP96] section 7.5 (SENSD). */
static int derive_by(sensitivities *s, int32_t i, const sensitivity_quantities *q, double *plus,
                     double *minus)
{
    size_t first = (size_t)i * (size_t)s->n;
    double step = sensitivity_increment(s, s->value + first), kept = 0.0;
    double *to[2] = {plus, minus};
    int answer = DAEDAL_CALL_OK;
    for (int k = 0; k < 2 && answer == DAEDAL_CALL_OK; k++) {
        double h = k == 0 ? step : -step;
        sensitivity_move(s, s->value + first, s->slope + first, h, k);
        sensitivity_move_parameter(s, i, h, &kept);
        answer = q->of(s->states->state.t, s->y_moved[k], s->yp_moved[k], to[k], q->user);
        sensitivity_put_back(s, i, kept);
    }
    for (int32_t k = 0; k < q->n; k++)
        q->derivatives[(size_t)i * (size_t)q->n + (size_t)k] =
            (plus[k] - minus[k]) / (2.0 * step * s->scale[i]);
    return answer;
}

daedal_status sensitivities_derive(run *r, const sensitivity_quantities *q)
{
    TRY(check_number(r, 0));
    if (!r->started)
        return fail(&r->why, DAEDAL_ERR_CALL_SEQUENCE, "the run has no start yet");
    RETURN_UNLESS_OK(bring_to_state(r));
    sensitivities *s = r->sensitivities;
    size_t count = 2 * (size_t)q->n;
    double *values = memory_take_array(r->allocator, count, sizeof(double));
    if (!values)
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory");
    sensitivity_go_to_state(s);
    int answer = DAEDAL_CALL_OK;
    for (int32_t i = 0; i < s->n_parameters && answer == DAEDAL_CALL_OK; i++)
        answer = derive_by(s, i, q, values, values + q->n);
    memory_give(r->allocator, values, count * sizeof(double));
    return answer == DAEDAL_CALL_OK
               ? DAEDAL_OK
               : fail(&r->why, DAEDAL_ERR_CALLBACK, "the function of the quantities failed");
}

/* ---- times of events ---- */

/* One event function as a quantity. */
typedef struct event_quantity {
    const daedal_system *sys;
    int32_t event;
    double *g; /* of all event functions */
} event_quantity;

static int value_of_event(double t, const double *y, const double *yp, double *q, void *user)
{
    const event_quantity *of = user;
    int answer = of->sys->events(t, y, yp, of->g, of->sys->user);
    *q = of->g[of->event];
    return answer;
}

/* On one side of t, or to both.  The values at an event may come from elsewhere, and those at the
 * end of a step do: they differ from values inside by tolerances, which are large against what g
 * changes in these times.                                                             */
typedef struct step_difference {
    double node[3], weight[3];
} step_difference;

static const step_difference around = {{-1.0, 1.0, 0.0}, {-0.5, 0.5, 0.0}},
                             aside = {{1.0, 2.0, 3.0}, {-2.5, 4.0, -1.5}};

/* Short steps spoil velocities and multipliers of higher index. */
static void values_in_step(run *r, double t, double *y, double *yp)
{
    if (run_has_high_index(r))
        r->method->interpolate(r->integrator, t, y, yp);
    else
        run_accurate_values(r, t, y, yp);
}

static bool difference_in_step(run *r, const sensitivity_quantities *g, double t, double h,
                               const step_difference *by)
{
    sensitivities *s = r->sensitivities;
    double slope = 0.0, value = 0.0;
    for (int k = 0; k < 3 && by->weight[k] != 0.0; k++) {
        double at = t + by->node[k] * h;
        values_in_step(r, at, s->y_moved[0], s->yp_moved[0]);
        if (g->of(at, s->y_moved[0], s->yp_moved[0], &value, g->user) != DAEDAL_CALL_OK)
            return false;
        slope += by->weight[k] * value / h;
    }
    *g->derivatives = slope;
    return isfinite(slope);
}

/* The event may lie a little outside of the last step. */
static bool slope_in_step(run *r, double t, const sensitivity_quantities *g)
{
    const double usual = 1e-4, most = 0.1, much = 1e5; /* of the step; of roundoff in t */
    if (r->fresh)
        return false;
    integ_view v = r->method->view(r->integrator);
    double length = v.t - v.t_before, place = (t - v.t_before) / length;
    double noise = much * DBL_EPSILON * fabs(t / length);
    double share = fmin(fmax(noise, usual), most), h = share * length;
    bool has_past = place > 4.0 * share, has_future = place < 1.0 - 4.0 * share;
    return length != 0.0 &&
           ((has_past && has_future && difference_in_step(r, g, t, h, &around)) ||
            (has_past && difference_in_step(r, g, place < 1.0 ? t : v.t, -h, &aside)) ||
            (has_future && difference_in_step(r, g, place > 0.0 ? t : v.t_before, h, &aside)));
}

bool solver_slope_in_step(daedal_solver *solver, double t, daedal_quantity_fn *of, void *user,
                          double *slope)
{
    return slope_in_step(&solver->run, t, &(sensitivity_quantities){of, 1, user, slope});
}

static daedal_status differentiate_event(run *r, event_quantity *of, double *derivatives)
{
    double slope = 0.0;
    sensitivity_quantities q = {value_of_event, 1, of, derivatives},
                           in_time = {value_of_event, 1, of, &slope};
    bool is_known = slope_in_step(r, r->state.t, &in_time);
    if (!is_known || slope == 0.0)
        return fail(&r->why, DAEDAL_ERR_STRUCTURE,
                    is_known ? "the event function %d has the slope 0 at t = %.10g: the time of "
                               "the event has no derivatives"
                             : "the event function %d has no finite values near t = %.10g: the "
                               "derivatives of the time of the event are not known",
                    (int)of->event, r->state.t);
    TRY(sensitivities_derive(r, &q));
    for (int32_t i = 0; i < r->sensitivities->n_parameters; i++)
        derivatives[i] /= -slope;
    return DAEDAL_OK;
}

/* From g(T, y(T), p) = 0: dT/dp = -(dg/dy s + dg/dp) / (dg/dt + dg/dy y'). */
daedal_status sensitivities_of_event(run *r, int32_t event, double *derivatives)
{
    const daedal_system *sys = &r->system.sys;
    TRY(check_number(r, 0));
    if (event < 0 || event >= sys->n_events)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT, "there is no event number %d; there are %d",
                    (int)event, (int)sys->n_events);
    if (r->fresh || r->state.event[event] == 0)
        return fail(&r->why, DAEDAL_ERR_CALL_SEQUENCE,
                    "the state is not that at event %d: ask when it was located, before a restart",
                    (int)event);
    size_t bytes = (size_t)sys->n_events * sizeof(double);
    event_quantity of = {sys, event, memory_take(r->allocator, bytes)};
    if (!of.g)
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory");
    daedal_status status = differentiate_event(r, &of, derivatives);
    memory_give(r->allocator, of.g, bytes);
    return status;
}

/* ---- copies ---- */

daedal_status sensitivities_copy(run *to, const run *from)
{
    sensitivities *s = to->sensitivities;
    const sensitivities *other = from->sensitivities;
    if (!s)
        return DAEDAL_OK;
    block_copy(&s->mem, &other->mem);
    s->stats = other->stats;
    s->is_begun = other->is_begun;
    s->is_lost = other->is_lost;
    s->is_due = other->is_due;
    s->t_step = other->t_step;
    s->t_asked = other->t_asked;
    s->errors.random = other->errors.random;
    s->errors.told = other->errors.told;
    s->errors.lasting = other->errors.lasting;
    s->errors.h_before = other->errors.h_before;
    s->errors.smooth_from = other->errors.smooth_from;
    s->is_jump_told = other->is_jump_told;
    s->time_jumps_move = other->time_jumps_move;
    sensitivity_forget_point(s);
    if (!other->linear)
        return DAEDAL_OK;
    TRY(make_linear(s));
    run_free(s->linear);
    TRY(run_clone(s->linear, other->linear, to->allocator));
    s->linear->system.sys.user = s;
    sensitivity_steps_copy(s, other);
    return DAEDAL_OK;
}
