/* model/model_run.c - see model.h: from the start to the stop time, event by event. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hybrid/hybrid.h"
#include "initial/initial.h"
#include "model/model.h"

static const double OVERSHOOT = 1e-10;  /* of the span: events that fall on the stop time */
static const double RESOLUTION = 1e-12; /* of the span: docs/decisions/015-event-resolution.md */

typedef struct driver {
    model *m;
    const model_task *task;
    const daedal_simulation *how;
    daedal_options opt;  /* as the solver gets them */
    const char *why_bdf; /* it was chosen here; NULL: it was not                   */
    double *atol, *row;
    int32_t next;         /* output point to come                                      */
    int64_t events;       /* taken                                                     */
    int64_t crowded;      /* events in a row that nearly coincide                      */
    double t_event;       /* of the last one                                           */
    bool stopped;         /* by the receiver of rows                                   */
    daedal_status broken; /* what an assert said after a step, or DAEDAL_OK */
    bool crossed;         /* the last step went through a singular point               */
    int32_t asked;        /* how often such a step was looked at again                 */
    daedal_stats spent;   /* by solvers that were given up                          */
    double worst;         /* residual of the algebraic equations at output points      */
    block mem;
} driver;

/* ---- rows ---- */

static double shown_time(const driver *d)
{
    double t = d->m->x[0], stop = d->how->t_stop;
    return t > stop ? stop : t;
}

static void fill_row(const driver *d, double *row)
{
    const model_shown *s = &d->task->shown;
    for (int32_t i = 0; i < s->n; i++) {
        model_origin from = d->m->origin[s->variable[i]];
        row[i] = from.slot < 0 ? from.factor : from.factor * d->m->x[from.slot];
    }
}

static daedal_status emit(driver *d, daedal_row_kind kind)
{
    bool of_event = kind == DAEDAL_ROW_BEFORE_EVENT || kind == DAEDAL_ROW_AFTER_EVENT;
    if (!d->how->row || d->stopped || (of_event && d->how->no_event_rows))
        return DAEDAL_OK;
    TRY(model_compute(d->m));
    d->worst = fmax(d->worst, model_algebraic_residual(d->m));
    fill_row(d, d->row);
    d->stopped = d->how->row(kind, shown_time(d), d->row, d->how->row_user) == DAEDAL_CALL_STOP;
    return DAEDAL_OK;
}

/* ---- output points ---- */

static int32_t point_count(const daedal_simulation *how)
{
    if (how->every_step)
        return 0;
    return how->times.n > 0 ? how->times.n : how->intervals > 0 ? how->intervals + 1 : 2;
}

static double point(const daedal_simulation *how, int32_t k)
{
    if (k >= point_count(how))
        return HUGE_VAL;
    if (how->times.n > 0)
        return how->times.at[k];
    int32_t last = point_count(how) - 1;
    return k == last ? how->t_stop
                     : how->t_start + (how->t_stop - how->t_start) * ((double)k / last);
}

static double output_interval(const daedal_simulation *how)
{
    double span = how->t_stop - how->t_start;
    return span / (how->intervals > 0 ? how->intervals : 500);
}

/* Skip the points up to t; true if one was at t. */
static bool pass_points(driver *d, double t)
{
    bool met = false;
    while (point(d->how, d->next) <= t)
        met = point(d->how, d->next++) == t || met;
    return met;
}

/* ---- options ---- */

static void read_solver(model *m)
{
    m->x[0] = daedal_solver_state(m->solver)->t;
    model_read_state(m);
}

/* Asserts after every step; at output points and events they are looked at anyway. */
static daedal_status check_step(model *m)
{
    if (m->flat->n_asserts == 0)
        return DAEDAL_OK;
    read_solver(m);
    return model_check_asserts(m, false);
}

/* Then the solver stops in any case, and what happens next is another story. */
static bool is_at_event(const model *m)
{
    const daedal_state *s = daedal_solver_state(m->solver);
    for (int32_t e = 0; e < m->n_events; e++)
        if (s->event[e])
            return true;
    return false;
}

static int on_progress(const daedal_progress *where, void *user)
{
    driver *d = user;
    model_adopt_scales(d->m);
    if (model_record_delays(d->m, where->t) != DAEDAL_CALL_OK)
        return DAEDAL_CALL_STOP;
    if (!is_at_event(d->m)) {
        d->crossed = model_watch_step(d->m, where->t);
        d->broken = check_step(d->m);
    }
    if (d->crossed || d->broken < 0)
        return DAEDAL_CALL_STOP;
    const daedal_options *theirs = d->how->options;
    if (!theirs || !theirs->progress)
        return d->stopped ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
    daedal_progress seen = *where;
    seen.t_end = d->how->t_stop;
    return theirs->progress(&seen, theirs->callback_user);
}

static void on_log(daedal_log_level level, const char *message, void *user)
{
    const driver *d = user;
    d->how->options->log(level, message, d->how->options->callback_user);
}

/* auto is bdf where it must read the past from its interpolant. */
static void set_options(driver *d)
{
    model *m = d->m;
    const flat_experiment *e = &m->flat->experiment;
    daedal_options_defaults(&d->opt);
    if (d->how->options) {
        d->opt = *d->how->options;
    } else if (e->has_tolerance && e->tolerance > 0.0 && e->tolerance < 1.0) {
        d->opt.rtol = e->tolerance;
        d->opt.atol = 1e-3 * e->tolerance;
    }
    if (m->n_constraints) { /* errors add up along the levels: half of what is asked keeps it */
        d->opt.rtol *= 0.5;
        d->opt.atol *= 0.5;
    }
    bool scaled = !d->how->options || d->how->scale_atol; /* what a user asks for stays as it is */
    for (int32_t j = 0; j < m->n_system; j++)
        d->atol[j] = d->opt.atol * (scaled && m->nominal[j] > 0.0 ? m->nominal[j] : 1.0);
    d->opt.atol_each = (daedal_doubles){d->atol, m->n_system};
    d->opt.rtol_each = (daedal_doubles){0};
    d->opt.hold = model_hold(m);
    if (d->opt.method == 0) /* auto */
        d->why_bdf = m->delays ? "delays read the past from its interpolant" : NULL;
    if (d->why_bdf)
        daedal_options_set(&d->opt, "method", "bdf");
    d->opt.allocator = m->allocator;
    d->opt.progress = on_progress;
    d->opt.log = d->opt.log ? on_log : NULL;
    d->opt.callback_user = d;
    if (d->opt.event_resolution == 0.0)
        d->opt.event_resolution = RESOLUTION * fabs(d->how->t_stop - d->how->t_start);
    double longest = model_smallest_delay(m); /* a step reads what was before it */
    if (isfinite(longest) && (d->opt.max_step == 0.0 || longest < d->opt.max_step))
        d->opt.max_step = longest;
    m->rtol = d->opt.rtol;
    m->log = d->how->options ? d->how->options->log : NULL;
    m->log_user = d->how->options ? d->how->options->callback_user : NULL;
}

static void lay_out(void *object, layout *l)
{
    driver *d = object;
    d->atol = layout_take(l, (size_t)d->m->n_system, sizeof(double));
    d->row = layout_take(l, (size_t)d->task->shown.n, sizeof(double));
}

/* ---- events ---- */

static void mark_triggered(model *m)
{
    const daedal_state *s = daedal_solver_state(m->solver);
    for (int32_t e = 0; e < m->n_relation_events; e++)
        if (s->event[e])
            m->relation[m->event_relation[e]].triggered = true;
}

/* Events without any progress at all: in the end give up. */
static daedal_status watch_crowding(driver *d)
{
    enum { MOST = 100000 };
    model *m = d->m;
    double span = d->how->t_stop - d->how->t_start;
    d->crowded = m->x[0] - d->t_event <= 1e-12 * span ? d->crowded + 1 : 0;
    d->t_event = m->x[0];
    if (d->crowded < MOST)
        return DAEDAL_OK;
    fail(&m->why, DAEDAL_ERR_STEP_TOO_SMALL,
         "%d events within a moment at t = %.10g: the model changes its mind without end",
         (int)MOST, m->x[0]);
    m->why.t = m->x[0];
    return DAEDAL_ERR_STEP_TOO_SMALL;
}

static daedal_status take_event(driver *d)
{
    bool met = pass_points(d, d->m->x[0]);
    d->events++;
    TRY(emit(d, DAEDAL_ROW_BEFORE_EVENT));
    TRY(model_event(d->m));
    model_watch_begin(d->m);
    TRY(emit(d, met && d->how->no_event_rows ? DAEDAL_ROW_POINT : DAEDAL_ROW_AFTER_EVENT));
    return watch_crowding(d);
}

/* ---- the loop ---- */

/* At the last state and inside the last step, which may have gone past the point. */
static double worst_growth(model *m, int32_t *most)
{
    enum { POINTS = 8 };
    double t = m->x[0], h = daedal_solver_stats(m->solver)->h_last;
    double growth = model_leading_growth(m, most);
    for (int k = 1; k <= POINTS; k++) {
        int32_t which = -1;
        double *y = m->x + m->place.y, *yp = m->x + m->place.yp, at = t - h * k / POINTS;
        if (daedal_solver_interpolate(m->solver, at, y, yp) != DAEDAL_OK)
            break;
        double here = model_leading_growth(m, &which);
        if (here > growth) {
            growth = here;
            *most = which;
        }
    }
    model_read_state(m);
    return growth;
}

/* 'equation "z^2 = x" (line 5) does not determine z' */
static const char *undetermined_by(const model *m, int32_t variable, int32_t equation, char *text,
                                   size_t size)
{
    bool slope = m->differential[variable];
    const char *name = m->variable_name[variable];
    if (equation < 0)
        snprintf(text, size,
                 slope ? "the equations do not determine der(%.90s)"
                       : "the equations do not determine %.90s",
                 name);
    else
        snprintf(text, size,
                 slope ? "%.230s does not determine der(%.90s)" : "%.230s does not determine %.90s",
                 m->equation_name[equation], name);
    return text;
}

static const char *undetermined(const model *m, int32_t which, char *text, size_t size)
{
    int32_t variable = -1, equation = -1;
    model_watch_blame(m, which, &variable, &equation);
    return undetermined_by(m, variable, equation, text, size);
}

static daedal_status tell_impasse(model *m, daedal_status status, int32_t variable,
                                  int32_t equation)
{
    double t = m->x[0];
    char text[360];
    fail(&m->why, status, "the solution reaches an impasse at t = %.10g: there %s", t,
         undetermined_by(m, variable, equation, text, sizeof text));
    hint(&m->why, "beyond it there is no solution, or another branch: look for a turning point or "
                  "a singular configuration");
    blame(&m->why, t, equation, variable);
    return status;
}

/* Where steps end because the equations cease to determine what follows, that is the news:
 * an impasse.  There the leading unknowns are determined much worse than at the start: like
 * 1/sqrt(t* - t), so that even steps that end early see it.                      */
static void look_for_impasse(model *m)
{
    const double worse = 30.0, bad = 10.0;
    int32_t variable = -1, equation = -1, which = model_watch_singular(m);
    if (which >= 0)
        model_watch_blame(m, which, &variable, &equation);
    else if (!(worst_growth(m, &variable) > fmax(bad, worse * m->growth_start)))
        variable = -1;
    if (variable >= 0)
        tell_impasse(m, m->why.status, variable, equation);
}

static bool is_numeric(daedal_status status)
{
    return status == DAEDAL_ERR_NEWTON || status == DAEDAL_ERR_SINGULAR ||
           status == DAEDAL_ERR_STEP_TOO_SMALL || status == DAEDAL_ERR_ERROR_TEST ||
           status == DAEDAL_ERR_NOT_FINITE || status == DAEDAL_ERR_RETRY;
}

static daedal_status explain_as(model *m, daedal_status status, const daedal_diagnosis *why)
{
    m->why = *why;
    model_explain(m, &m->why);
    if (is_numeric(status))
        look_for_impasse(m);
    return status;
}

static daedal_status explain(model *m, daedal_status status)
{
    return explain_as(m, status, daedal_solver_diagnosis(m->solver));
}

/* No step beyond `limit`; if the solver is past it already it begins again. */
static daedal_status set_limit(model *m, double limit)
{
    if (daedal_solver_set_stop_time(m->solver, limit) == DAEDAL_OK)
        return DAEDAL_OK;
    daedal_status status = daedal_solver_restart(m->solver, NULL, NULL);
    model_cut_delays(m, m->x[0]);
    if (status == DAEDAL_OK)
        status = daedal_solver_set_stop_time(m->solver, limit);
    return status == DAEDAL_OK ? status : explain(m, status);
}

/* ---- steps through singular points ---- */

static const double TIGHTER = 0.01, RTOL_LEAST = 1e-12;
enum { ASKED_MOST = 12 };

static void scale_tolerances(driver *d, double factor)
{
    d->opt.rtol *= factor;
    d->opt.atol *= factor;
    for (int32_t j = 0; j < d->m->n_system; j++)
        d->atol[j] *= factor;
}

static void add_counts(daedal_stats *to, const daedal_stats *more)
{
    to->steps += more->steps;
    to->rejected_error += more->rejected_error;
    to->rejected_newton += more->rejected_newton;
    to->residuals += more->residuals;
    to->jacobian_residuals += more->jacobian_residuals;
    to->jacobians += more->jacobians;
    to->factorizations += more->factorizations;
    to->solves += more->solves;
    to->iterations += more->iterations;
    to->event_calls += more->event_calls;
    to->restarts += more->restarts;
    to->projections += more->projections;
    to->solver_growth += more->solver_growth;
}

/* From the beginning of the step on with the tolerances as they are now. */
static daedal_status go_on_tighter(driver *d, const branch_question *q)
{
    model *m = d->m;
    daedal_system sys;
    daedal_solver *solver = NULL;
    model_describe_system(m, &sys);
    TRY(daedal_solver_create(&solver, &sys, &d->opt, &m->why));
    daedal_status status = daedal_solver_start(solver, q->t_from, q->y, q->yp);
    add_counts(&d->spent, daedal_solver_stats(m->solver));
    daedal_solver_free(m->solver);
    m->solver = solver;
    model_cut_delays(m, q->t_from);
    read_solver(m);
    return status == DAEDAL_OK ? status : explain(m, status);
}

static void tell_branch(const driver *d, const branch_question *q, bool jumped)
{
    model *m = d->m;
    char message[560], text[360];
    bool *told = &m->watch.told[m->watch.flipped];
    if (!m->log || (*told && !jumped))
        return;
    *told = *told || !jumped;
    undetermined(m, m->watch.flipped, text, sizeof text);
    if (jumped)
        snprintf(
            message, sizeof message,
            "the step from t = %.10g to %.10g jumped to another branch, over a point where %s; "
            "repeated from there with rtol = %.3g",
            q->t_from, q->t_to, text, d->opt.rtol);
    else
        snprintf(
            message, sizeof message,
            "between t = %.10g and %.10g the solution goes through a singular point, where %s: "
            "it may go on in more than one way",
            q->t_from, q->t_to, text);
    m->log(DAEDAL_LOG_WARNING, message, m->log_user);
}

static daedal_status end_of_branch(model *m, const branch_question *q)
{
    int32_t variable = -1, equation = -1;
    model_watch_blame(m, m->watch.flipped, &variable, &equation);
    m->x[0] = q->t_reached;
    return tell_impasse(m, DAEDAL_ERR_SINGULAR, variable, equation);
}

/* With smaller tolerances, and still smaller ones, as long as the answer is that the solution goes
 * on; where they lead to an end, it may be theirs alone.  After a jump they stay. */
static branch_answer ask_again(driver *d, branch_question *q)
{
    enum { TIMES = 2 };
    double factor = 1.0;
    branch_answer answer = BRANCH_PASSES;
    for (int k = 0; k < TIMES && answer == BRANCH_PASSES; k++) {
        if (d->opt.rtol * TIGHTER < RTOL_LEAST)
            break;
        scale_tolerances(d, TIGHTER);
        factor *= TIGHTER;
        answer = model_ask_again(d->m, q);
    }
    if (answer == BRANCH_JUMPED)
        return answer;
    scale_tolerances(d, 1.0 / factor);
    return answer == BRANCH_ENDS ? model_ask_again(d->m, q) : answer;
}

/* ---- corners ---- */

static void tell_corner(const model *m, int32_t which)
{
    char message[480], text[360];
    if (!m->log || m->watch.told[which])
        return;
    m->watch.told[which] = true;
    snprintf(
        message, sizeof message,
        "at t = %.10g a branch ends in a corner: beyond it %s; the solution jumps to another one",
        m->x[0], undetermined(m, which, text, sizeof text));
    m->log(DAEDAL_LOG_WARNING, message, m->log_user);
}

/* What switches without being an event (noEvent, smooth) is one where the solution cannot go on
 * without a jump: other values of what has no slope, with the same states. */
static daedal_status jump_at_corner(driver *d, bool *jumped)
{
    model *m = d->m;
    int32_t which = m->delays ? -1 : model_watch_corner(m);
    *jumped = false;
    if (which < 0)
        return DAEDAL_OK;
    TRY(emit(d, DAEDAL_ROW_BEFORE_EVENT));
    *jumped = model_leave_corner(m, which);
    if (!*jumped)
        return DAEDAL_OK;
    tell_corner(m, which);
    read_solver(m);
    d->events++;
    TRY(model_event(m));
    model_watch_begin(m);
    TRY(emit(d, DAEDAL_ROW_AFTER_EVENT));
    return watch_crowding(d);
}

/* ---- */

/* Where the second run ended, if that is a corner: from there on to the other branch. */
static daedal_status jump_where_it_ended(driver *d, const branch_question *q, bool *jumped)
{
    model *m = d->m;
    double *y = m->x + m->place.y;
    m->x[0] = q->t_reached;
    memcpy(y, m->watch.middle, 2 * (size_t)m->n_system * sizeof(double));
    if (model_watch_corner(m) < 0 ||
        daedal_solver_start(m->solver, m->x[0], y, y + m->n_system) != DAEDAL_OK)
        return DAEDAL_OK;
    return jump_at_corner(d, jumped);
}

/* The solver stands behind a step through a singular point: was that right?  *back: not, and it
 * stands before that step again. */
static daedal_status judge_crossing(driver *d, double limit, bool *back)
{
    model *m = d->m;
    double t = m->watch.t_flipped, h = daedal_solver_stats(m->solver)->h_last;
    bool creeping = h < 1e-3 * m->watch.longest;
    branch_question q = {.options = &d->opt,
                         .t_from = t - h,
                         .t_to = t,
                         .t_limit = fmax(t, limit),
                         .farther = m->watch.near >= 0 ? 300.0
                                    : creeping         ? 100.0
                                                       : 0.0};
    double before = d->opt.rtol;
    d->crossed = false;
    bool may_ask = d->asked++ < ASKED_MOST && !m->delays;
    branch_answer answer = may_ask ? ask_again(d, &q) : BRANCH_UNCLEAR;
    bool doubtful = answer == BRANCH_ENDS || answer == BRANCH_UNCLEAR;
    bool solved = daedal_solver_stats(m->solver)->iterations > 0; /* not linearly implicit */
    if (may_ask && solved && !creeping && !m->watch.leapt && doubtful)
        answer = BRANCH_PASSES; /* the step itself passed every test */
    if (answer == BRANCH_ENDS) {
        TRY(jump_where_it_ended(d, &q, back));
        d->asked -= *back; /* such a question was worth it */
        return *back ? DAEDAL_OK : end_of_branch(m, &q);
    }
    if (m->watch.near >= 0) { /* it goes on: nothing to be told */
        scale_tolerances(d, before / d->opt.rtol);
        return DAEDAL_OK;
    }
    *back = answer == BRANCH_JUMPED && d->opt.rtol < before;
    if (*back || answer == BRANCH_PASSES)
        tell_branch(d, &q, *back);
    if (*back)
        return go_on_tighter(d, &q);
    model_watch_accept(m, t);
    return DAEDAL_OK;
}

/* One stretch: to an output point, an event, a step's end, or the end. */
static daedal_status advance(driver *d, double t_timed)
{
    model *m = d->m;
    double limit = fmin(t_timed, m->t_end), target = fmin(point(d->how, d->next), limit);
    TRY(set_limit(m, limit));
    daedal_status status = d->how->every_step ? daedal_solver_step(m->solver, limit)
                                              : daedal_solver_advance(m->solver, target);
    if (status == DAEDAL_STOPPED && d->broken < 0)
        return d->broken;
    if (status == DAEDAL_STOPPED && d->crossed) {
        bool back = false;
        read_solver(m);
        TRY(judge_crossing(d, limit, &back));
        if (back)
            return DAEDAL_OK;
        status = DAEDAL_OK;
    }
    if (status < 0 || status == DAEDAL_STOPPED) {
        read_solver(m);
        TRY(model_check_delays(m));
        daedal_diagnosis why = *daedal_solver_diagnosis(m->solver);
        bool jumped = false;
        if (is_numeric(status))
            TRY(jump_at_corner(d, &jumped));
        if (jumped)
            return DAEDAL_OK;
        return status < 0 ? explain_as(m, status, &why) : status;
    }
    read_solver(m);
    if (status == DAEDAL_EVENT) {
        mark_triggered(m);
        model_watch_chatter(m, output_interval(d->how));
        return take_event(d);
    }
    if (m->x[0] >= t_timed)
        return take_event(d);
    bool met = pass_points(d, m->x[0]);
    if (met || d->how->every_step) {
        TRY(model_check_asserts(m, false));
        TRY(emit(d, d->how->every_step ? DAEDAL_ROW_STEP : DAEDAL_ROW_POINT));
    }
    return DAEDAL_OK;
}

static daedal_status finish(driver *d)
{
    model *m = d->m;
    if (!m->uses_terminal || m->terminated)
        return DAEDAL_OK;
    model_set(m, m->place.terminal, 1.0);
    TRY(model_event(m));
    TRY(emit(d, DAEDAL_ROW_AFTER_EVENT));
    return DAEDAL_OK;
}

static daedal_status go(driver *d)
{
    model *m = d->m;
    double t_timed = model_next_time_event(m);
    while (m->x[0] < m->t_end && !d->stopped && !m->terminated) {
        uint64_t before = m->version;
        PASS(advance(d, t_timed));
        if (m->version != before || m->x[0] >= t_timed)
            t_timed = model_next_time_event(m);
    }
    return d->stopped ? DAEDAL_STOPPED : finish(d);
}

/* ---- the start ---- */

static void list_moved(const driver *d, model_outcome *outcome)
{
    model *m = d->m;
    for (int32_t i = 0; i < d->task->shown.n; i++) {
        uint32_t v = d->task->shown.variable[i];
        const flat_variable *var = &m->flat->variables[v];
        if (m->unknown_of[v] < 0 || !var->has_start || var->fixed)
            continue;
        model_origin from = m->origin[v];
        double start = model_evaluate(m, var->start);
        double value = from.slot < 0 ? from.factor : from.factor * m->x[from.slot];
        if (fabs(value - start) <= 1e-9 * fmax(fabs(value), fabs(start)))
            continue;
        outcome->moved[outcome->n_moved] = v;
        outcome->moved_from[outcome->n_moved] = start;
        outcome->moved_to[outcome->n_moved++] = value;
    }
}

/* It can be a turning point: then the solution may go on in two ways, or not at all. */
static void warn_singular_start(model *m)
{
    char message[480], text[360];
    int32_t which = model_watch_start(m);
    if (which < 0 || !m->log)
        return;
    snprintf(message, sizeof message, "the start at t = %.10g is a singular point: %s there",
             m->x[0], undetermined(m, which, text, sizeof text));
    m->log(DAEDAL_LOG_WARNING, message, m->log_user);
}

static daedal_status begin(driver *d, model_outcome *outcome)
{
    model *m = d->m;
    daedal_system sys;
    model_describe_system(m, &sys);
    daedal_status status = daedal_solver_create(&m->solver, &sys, &d->opt, &m->why);
    TRY(status);
    m->options = &d->opt;
    double span = d->how->t_stop - d->how->t_start;
    m->t_end = d->how->t_stop + (m->n_events > 0 && span > 0.0 ? OVERSHOOT * span : 0.0);
    if (span > 0.0)
        daedal_solver_set_stop_time(m->solver, m->t_end);
    TRY(model_initialize(m));
    int32_t most = -1;
    m->growth_start = model_leading_growth(m, &most);
    warn_singular_start(m);
    model_watch_begin(m);
    for (int32_t k = 0; k < m->watch.n; k++)
        m->watch.told[k] = false;
    TRY(model_compute(m));
    list_moved(d, outcome);
    TRY(model_check_asserts(m, false));
    if (d->task->values)
        fill_row(d, d->task->values);
    return DAEDAL_OK;
}

static daedal_status run(driver *d, model_outcome *outcome)
{
    model *m = d->m;
    TRY(begin(d, outcome));
    if (d->task->start_only)
        return DAEDAL_OK;
    bool met = pass_points(d, m->x[0]);
    if (met || d->how->every_step)
        TRY(emit(d, d->how->every_step ? DAEDAL_ROW_STEP : DAEDAL_ROW_POINT));
    return m->terminated ? DAEDAL_OK : go(d);
}

/* A function without a value is the reason behind the one that was found. */
static daedal_status blame_functions(model *m, daedal_status status)
{
    const char *endless = flat_calls_endless(m->flat);
    if (status < 0 && flat_calls_short(m->flat))
        return fail(&m->why, DAEDAL_ERR_MEMORY, "out of memory in a function of the model");
    if (status < 0 && endless)
        hint(&m->why, "function '%s' was given up: a call of it did not come to an end", endless);
    return status;
}

daedal_status model_run(model *m, const model_task *task, model_outcome *outcome)
{
    TRY(model_check_runnable(m));
    driver d = {.m = m, .task = task, .how = task->how, .t_event = -HUGE_VAL};
    diagnosis_clear(&m->why);
    m->t_start = task->how->t_start;
    m->t_stop = task->how->t_stop;
    if (!block_create(&d.mem, m->allocator, lay_out, &d))
        return fail(&m->why, DAEDAL_ERR_MEMORY, "out of memory for a run");
    set_options(&d);
    daedal_status status = blame_functions(m, run(&d, outcome));
    if (status >= 0)
        diagnosis_clear(&m->why);
    outcome->t = shown_time(&d);
    outcome->constraint_residual = d.worst;
    if (m->solver) {
        const daedal_structure *s = daedal_solver_structure(m->solver);
        outcome->stats = *daedal_solver_stats(m->solver);
        outcome->method = s->method;
        outcome->method_reason = d.why_bdf ? d.why_bdf : s->method_reason;
        outcome->hold = s->hold;
    }
    add_counts(&outcome->stats, &d.spent);
    outcome->stats.events = d.events; /* those at given times too */
    daedal_solver_free(m->solver);
    m->solver = NULL;
    block_free(&d.mem);
    return status;
}
