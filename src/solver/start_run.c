/* solver/start_run.c - beginning a run, and beginning again after an event. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "consistent/higher_index_start.h"
#include "consistent/start_correction.h"
#include "linalg/vector.h"
#include "solver/differentiation_chain.h"
#include "solver/distributed_run.h"
#include "solver/explain.h"
#include "solver/held_restart.h"
#include "solver/run.h"
#include "solver/sensitivity.h"

/* In which time y would change by itself, but no longer than the run; only sets units. */
double run_time_scale(const run *r)
{
    double ahead = isnan(r->limits.t_stop) ? 0.0 : fabs(r->limits.t_stop - r->state.t);
    double speed = space_wrms(&r->ev.space, r->yp, r->inverse_weight);
    double size = space_wrms(&r->ev.space, r->y, r->inverse_weight);
    double scale = speed > 0.0 && size > 0.0 ? size / speed : fmax(fabs(r->state.t), 1.0);
    if (ahead > 0.0)
        scale = fmin(scale, ahead);
    return isfinite(scale) && scale > 0.0 ? scale : 1.0;
}

static start_problem problem_of(run *r)
{
    return (start_problem){.matrix = &r->matrix,
                           .work = &r->start.work,
                           .t = r->state.t,
                           .y = r->y,
                           .yp = r->yp,
                           .y_mask = r->start.y_mask,
                           .yp_mask = r->start.yp_mask,
                           .inverse_weight = r->inverse_weight,
                           .time_scale = run_time_scale(r),
                           .direction = r->limits.direction < 0.0 ? -1.0 : 1.0,
                           .t_limit = HUGE_VAL,
                           .why = &r->why,
                           .allocator = r->allocator};
}

/* Problem 1: differential y held, algebraic y and differential y' move.
 * Problem 2: y' held, y moves.                                                  */
static void default_masks(run *r, int32_t how)
{
    for (int32_t j = 0; j < r->n; j++) {
        bool y_held = how == START_STATES && r->is_differential[j];
        r->start.y_mask[j] = y_held ? DAEDAL_FIXED : DAEDAL_FREE;
        r->start.yp_mask[j] = y_held ? DAEDAL_FREE : DAEDAL_FIXED;
    }
}

static void note_moved(run *r, int32_t j, int32_t is_derivative, double from, double to)
{
    const double rounding = 1e-12;
    double size = fmax(fabs(from), fabs(to));
    if (fabs(to - from) > rounding * size + DBL_MIN)
        r->start.moved[r->start.n_moved++] = (daedal_moved){j, is_derivative, from, to};
}

void run_list_moved(run *r, bool yp_known)
{
    r->start.n_moved = 0;
    for (int32_t j = 0; j < r->n; j++)
        note_moved(r, j, 0, r->start.y_given[j], r->y[j]);
    for (int32_t j = 0; j < r->n && yp_known; j++)
        note_moved(r, j, 1, r->start.yp_given[j], r->yp[j]);
}

/* F must be defined at the start, whatever the method does later. */
daedal_status run_check_defined(run *r)
{
    int answer = evaluator_residual(&r->ev, r->state.t, r->y, r->yp, r->work);
    if (answer == DAEDAL_CALL_OK)
        return DAEDAL_OK;
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : evaluator_explain(&r->ev, &r->why);
}

/* How to make the start consistent: the user's masks, or those of an option. */
typedef struct start_mode {
    int32_t how;   /* START_GIVEN: not at all */
    bool masked;   /* r->start.y_mask and r->start.yp_mask are set already */
    bool yp_known; /* y' was given, so its moves are worth reporting */
    bool again;    /* a restart: what is known of the index still holds */
    bool held;     /* no state moves, or the start fails */
} start_mode;

static daedal_status solve_start(run *r, const start_mode *m)
{
    start_problem p = problem_of(r);
    p.masks_given = m->masked;
    daedal_status status = start_consistent(&p);
    bool hopeless = failure_is(status, STEP_FAILURE | START_FAILURE);
    /* the pattern may be that of other parameters */
    if (hopeless && r->pattern_detected && !r->index.patterns_are_new) {
        daedal_diagnosis first = r->why;
        bool grown = false;
        RETURN_UNLESS_OK(run_refresh_pattern(r, &grown));
        if (!grown) {
            r->why = first;
            return status;
        }
        if (!m->masked)
            default_masks(r, m->how);
        p = problem_of(r);
        p.masks_given = m->masked;
        status = start_consistent(&p);
        if (failure_is(status, STEP_FAILURE | START_FAILURE))
            r->why = first;
    }
    return status;
}

static bool is_as_given(const start_mode *m)
{
    return m->how == START_GIVEN && !m->masked;
}

/* States may have to move here: the constraints that follow by differentiation bind them. */
static void loosen_states(run *r)
{
    for (int32_t j = 0; j < r->n; j++) {
        r->start.y_mask[j] = r->start.y_mask[j] == DAEDAL_FIXED ? DAEDAL_GUESS : DAEDAL_FREE;
        r->start.yp_mask[j] = DAEDAL_FREE;
    }
}

/* On all levels: equations and what follows from them by differentiation. */
static daedal_status solve_levels(run *r, const start_mode *m)
{
    const index_answer *x = &r->index.answer;
    start_problem p = problem_of(r);
    p.masks_given = m->masked;
    p.time_scale = run_calm_time(r, r->state.t, r->y, r->yp);
    start_offsets o = {x->c, x->d, x->freedom, 0, m->again ? p.direction : 0.0, false};
    if (!m->masked && m->how == START_STATES)
        loosen_states(r);
    if (x->is_regular)
        return start_by_derivative_array(&p, &o);
    int32_t *all = memory_take_array(r->allocator, 2 * (size_t)r->n, sizeof(int32_t));
    if (!all)
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory at the start");
    for (int32_t i = 0; i < r->n; i++) {
        all[i] = x->index;
        all[r->n + i] = x->index + 1;
    }
    o = (start_offsets){all,    all + r->n, -1, x->freedom >= 0 ? r->n - x->freedom : 0,
                        o.side, false};
    daedal_status status = start_by_derivative_array(&p, &o);
    memory_give(r->allocator, all, 2 * (size_t)r->n * sizeof(int32_t));
    return status;
}

/* Whether equations that follow from others by differentiation restrict the start.  With an index
 * of one they bind derivatives only: a matter of the user's masks ([BCP96] (5.3.5), C164).  */
static bool has_levels(const index_answer *x, const start_mode *m)
{
    bool differentiated = !x->is_regular;
    for (int32_t i = 0; i < x->n && !differentiated; i++)
        differentiated = x->c[i] > 0;
    return x->index > 1 || (x->index == 1 && m->masked && differentiated);
}

/* F vanishes, but where its equations depend on one another: what is not determined would stay at
 * its guess, and look like a solution.                                           */
static daedal_status complain_singular(run *r)
{
    int32_t column = matrix_blame(&r->matrix);
    char name[96];
    fail(&r->why, DAEDAL_ERR_SINGULAR,
         "the equations depend on one another at the start, t = %.10g, though not around it%s%s",
         r->state.t, column >= 0 ? "; undetermined near " : "",
         column >= 0 ? evaluator_variable_name(&r->system.sys, column, name, sizeof name) : "");
    blame(&r->why, r->state.t, -1, column);
    hint(&r->why, "an equation follows from others where these hold, or the start is a singular "
                  "point: begin elsewhere, or use start = given");
    return DAEDAL_ERR_SINGULAR;
}

/* The ordinary start failed, or does not show that the index is at most one. */
static daedal_status start_with_index(run *r, const start_mode *m, daedal_status status)
{
    daedal_diagnosis first = r->why;
    daedal_status asked = run_find_index(r, r->state.t, r->y, r->yp);
    const index_answer *x = &r->index.answer;
    if (asked == DAEDAL_STOPPED || asked == DAEDAL_ERR_MEMORY || asked == DAEDAL_ERR_CALLBACK)
        return asked;
    r->why = first;
    if (asked != DAEDAL_OK)
        return status;
    r->index.was_open = r->index.was_open || (x->verdict == INDEX_OPEN && status == DAEDAL_OK);
    if (x->verdict != INDEX_FOUND || !has_levels(x, m)) {
        if (status == DAEDAL_OK && x->verdict == INDEX_DEPENDENT) {
            r->why.t = r->state.t; /* values were found, but not the only ones */
            chain_explain(&r->why, DAEDAL_ERR_SINGULAR, x, &r->system.sys);
            return DAEDAL_ERR_SINGULAR;
        }
        if (status == DAEDAL_OK && x->is_singular_here && !is_as_given(m))
            return complain_singular(r);
        if (status != DAEDAL_OK)
            chain_explain(&r->why, status, x, &r->system.sys);
        return status;
    }
    run_log(r, DAEDAL_LOG_INFO, "index %d (grade %c): %s", (int)x->index, "ABCD"[x->grade],
            r -> index.chain);
    RETURN_UNLESS_OK(run_check_found_index(r));
    if (!is_as_given(m)) {
        /* values that satisfy F alone may be far from those that its derivatives ask for */
        memcpy(r->y, r->start.y_given, (size_t)r->n * sizeof(double));
        daedal_status found = solve_levels(r, m);
        bool certain = x->grade <= INDEX_GRADE_B || status != DAEDAL_OK;
        if (found != DAEDAL_OK && (certain || found != DAEDAL_ERR_START))
            return found;
    }
    return run_use_index(r);
}

/* A restart of a system that had an index above one before: find the index again, unless the matrix
 * has the same structure. */
static daedal_status restart_levels(run *r, const start_mode *m, bool *done)
{
    *done = false;
    if (!m->again || r->index.answer.verdict != INDEX_FOUND || r->index.answer.index < 2)
        return DAEDAL_OK;
    if (!run_index_is_the_same(r))
        RETURN_UNLESS_OK(run_find_index(r, r->state.t, r->y, r->yp));
    if (r->index.answer.verdict != INDEX_FOUND || r->index.answer.index < 2)
        return DAEDAL_OK;
    *done = true;
    RETURN_UNLESS_OK(run_check_found_index(r));
    if (!is_as_given(m))
        RETURN_UNLESS_OK(solve_levels(r, m));
    return run_use_index(r);
}

/* The variables may have had a higher index in the mode before. */
static daedal_status forget_high_index(run *r)
{
    if (r->index.answer.verdict != INDEX_FOUND || r->index.answer.index < 2)
        return DAEDAL_OK;
    return run_leave_index(r);
}

/* With the states held: the equations must determine everything else by themselves.  Where Newton
 * had nothing to correct, the matrix has not been looked at, and is that of the mode before. */
static daedal_status hold_states(run *r, const start_mode *m)
{
    RETURN_UNLESS_OK(solve_start(r, m));
    if (!r->start.work.looked && !run_index_is_low(r, false, false))
        return fail(&r->why, DAEDAL_ERR_SINGULAR,
                    "with the states held the equations are singular at t = %.10g", r->state.t);
    return forget_high_index(r);
}

/* What would be wrong with any method of finding a start. */
static bool explain_failed_start(run *r, daedal_status status)
{
    integ_view here = {.t = r->state.t, .y = r->y, .yp = r->yp, .h_next = run_time_scale(r)};
    return run_name_cause(r, status) || run_jacobian_is_wrong(r, &here);
}

static daedal_status restart_with_index(run *r, const start_mode *m, daedal_status status)
{
    status = start_with_index(r, m, status);
    if (status != DAEDAL_ERR_INDEX && failure_is(status, STEP_FAILURE | START_FAILURE))
        explain_failed_start(r, status);
    return status;
}

/* The search for the index takes a second with 500 unknowns. Where it did not decide once, as with
 * models whose variables differ by many orders of magnitude, it is not made at every restart. */
static bool search_is_vain(const run *r)
{
    enum { CHEAP = 100 }; /* unknowns */
    return r->n > CHEAP && r->index.was_open;
}

static daedal_status find_values_by_levels(run *r, const start_mode *m)
{
    daedal_status status = DAEDAL_OK;
    bool done, said;
    RETURN_UNLESS_OK(run_check_given_index(r, &said));
    if (said && is_as_given(m))
        return DAEDAL_OK;
    if (!is_as_given(m) && !m->masked)
        default_masks(r, m->how);
    if (m->held)
        return hold_states(r, m);
    RETURN_UNLESS_OK(restart_levels(r, m, &done));
    if (done)
        return DAEDAL_OK;
    if (!is_as_given(m))
        status = solve_start(r, m);
    bool hopeless = failure_is(status, STEP_FAILURE | START_FAILURE);
    if (hopeless && m->again) /* the index may be another one behind an event */
        return restart_with_index(r, m, status);
    if (hopeless && explain_failed_start(r, status))
        return status;
    if (status != DAEDAL_OK)
        return hopeless ? start_with_index(r, m, status) : status;
    bool known = m->again && (is_as_given(m) || r->start.work.looked);
    bool plain = known || run_index_is_low(r, !is_as_given(m) && !m->again, m->masked);
    if (plain || search_is_vain(r))
        return DAEDAL_OK;
    status = start_with_index(r, m, status);
    /* values that satisfy the equations of a mode stay, also if they are not the only ones */
    return m->again && status == DAEDAL_ERR_SINGULAR ? DAEDAL_OK : status;
}

/* The method `array` starts by its array.  Where that fails, values found in another way may be a
 * better guess, but hidden constraints that only the array knows may not hold there. */
static daedal_status find_values(run *r, const start_mode *m)
{
    bool by_array = r->now.method == METHOD_ARRAY && !is_as_given(m) && !m->masked && !m->held;
    bool done = false;
    if (by_array)
        RETURN_UNLESS_OK(run_start_on_array(r, &done));
    if (done)
        return DAEDAL_OK;
    diagnosis_clear(&r->why);
    RETURN_UNLESS_OK(find_values_by_levels(r, m));
    if (by_array)
        RETURN_UNLESS_OK(run_start_on_array(r, &done));
    return !by_array || done ? DAEDAL_OK : r->why.status;
}

/* No start with the values that the user holds: there may be none without them either. */
static void judge_without_masks(run *r, const start_mode *m)
{
    start_mode loose = {.how = m->how, .masked = true, .yp_known = m->yp_known};
    daedal_diagnosis told = r->why;
    loosen_states(r);
    memcpy(r->y, r->start.y_given, (size_t)r->n * sizeof(double));
    memcpy(r->yp, r->start.yp_given, (size_t)r->n * sizeof(double));
    if (failure_is(find_values(r, &loose), START_FAILURE)) {
        set_cause(&told, DAEDAL_CAUSE_NO_SOLUTION);
        hint(&told, "there is no start near these values either if all of them may move: look for "
                    "a wrong sign, unit or parameter");
    }
    r->why = told;
}

/* States that were given, and moved because hidden constraints bind them. */
static void tell_moved_states(run *r)
{
    const double far = 100.0; /* weights */
    double most = far;
    int32_t worst = -1, count = 0;
    char name[96];
    for (int32_t j = 0; j < r->n; j++) {
        double by = fabs(r->y[j] - r->start.y_given[j]) * r->inverse_weight[j];
        if (!r->is_differential[j] || !(by > far))
            continue;
        count++;
        worst = by > most ? j : worst;
        most = fmax(most, by);
    }
    if (worst >= 0)
        run_log(r, DAEDAL_LOG_WARNING,
                "the start at t = %.10g moved %d given state%s onto constraints that follow from "
                "the equations by differentiation, most of all %s from %.6g to %.6g",
                r->state.t, (int)count, count == 1 ? "" : "s",
                evaluator_variable_name(&r->system.sys, worst, name, sizeof name),
                r->start.y_given[worst], r->y[worst]);
}

static bool has_found_levels(const run *r)
{
    return r->index.answer.verdict == INDEX_FOUND && r->index.answer.index > 1;
}

static daedal_status make_consistent(run *r, const start_mode *m)
{
    r->start.n_moved = 0;
    bool done = false;
    daedal_status status = find_values(r, m);
    if (status < 0 && !m->masked && !m->held && !is_as_given(m))
        RETURN_UNLESS_OK(run_start_otherwise(r, status, &done));
    if (done)
        status = DAEDAL_OK;
    bool is_first = !is_as_given(m) && !m->again && !m->masked;
    if (status == DAEDAL_OK && is_first && (done || has_found_levels(r)))
        status = run_check_equations(r);
    if (failure_is(status, START_FAILURE) && m->masked &&
        r->why.cause == DAEDAL_CAUSE_INCONSISTENT_START)
        judge_without_masks(r, m);
    if (status == DAEDAL_OK && !is_as_given(m)) {
        diagnosis_clear(&r->why);
        run_list_moved(r, m->yp_known);
        bool is_model = r->after_step.call != NULL; /* which lists what its start has moved */
        if (is_first && has_found_levels(r) && !is_model)
            tell_moved_states(r);
    }
    return status;
}

static daedal_status status_of_events(run *r, int answer)
{
    if (answer == DAEDAL_CALL_OK)
        return DAEDAL_OK;
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : evaluator_explain(&r->ev, &r->why);
}

daedal_status run_begin_events(run *r, bool after_event)
{
    if (r->roots.n_events == 0)
        return DAEDAL_OK;
    RETURN_UNLESS_OK(
        status_of_events(r, roots_begin(&r->roots, r->state.t, r->y, r->yp, after_event)));
    if (run_is_distributed(r))
        return DAEDAL_OK;
    if (after_event && !r->after_step.call) /* models look for events that accumulate themselves */
        roots_note_slopes(&r->roots, r->state.t, r->y, r->yp, r->is_differential,
                          copysign(r->stats.h_last, r->limits.direction));
    return DAEDAL_OK;
}

/* Values that are to be made consistent begin on the constraints; if they cannot be met, the
 * steps will say so.  States that are held keep their values if constraints have jumped: only an
 * impulse, which depends on masses and capacities, can move them so far.                */
static void project_values(run *r, bool held)
{
    const double far = 100.0; /* weights: more than errors of the steps */
    double moved = 0.0;
    if (r->asked.start != START_GIVEN)
        projection_apply(&r->constraints, r->state.t, r->y, r->inverse_weight, &moved);
    if (held && moved > far)
        memcpy(r->y, r->start.y_given, (size_t)r->n * sizeof(double));
}

void run_bring_values(run *r, const double *y, const double *yp)
{
    size_t bytes = (size_t)r->n * sizeof(double);
    memmove(r->y, y, bytes);
    if (yp)
        memmove(r->yp, yp, bytes);
    else
        memset(r->yp, 0, bytes);
    memcpy(r->start.y_given, r->y, bytes);
    memcpy(r->start.yp_given, r->yp, bytes);
}

/* A state that is given must be inside its bounds: what is moved there is another problem. */
static daedal_status check_bounds(run *r)
{
    const daedal_system *sys = &r->system.sys;
    char name[96];
    for (int32_t j = 0; j < r->n; j++) {
        double room = 1.0 / r->inverse_weight[j], y = r->y[j];
        bool below = sys->lower.at && y < sys->lower.at[j] - room,
             above = sys->upper.at && y > sys->upper.at[j] + room;
        if (!r->is_differential[j] || !(below || above))
            continue;
        fail(&r->why, DAEDAL_ERR_START, "%s = %.10g at the start, t = %.10g, is %s its bound %.10g",
             evaluator_variable_name(sys, j, name, sizeof name), y, r->state.t,
             below ? "below" : "above", below ? sys->lower.at[j] : sys->upper.at[j]);
        blame(&r->why, r->state.t, -1, j);
        hint(&r->why, "give a start value inside the bounds");
        set_cause(&r->why, DAEDAL_CAUSE_BOUNDS);
        return DAEDAL_ERR_START;
    }
    return DAEDAL_OK;
}

static daedal_status check_jacobian(run *r)
{
    return explain_wrong_jacobian(&(explain_point){&r->ev, &r->matrix, &r->why, r->allocator,
                                                   r->state.t, r->y, r->yp, r->inverse_weight,
                                                   run_time_scale(r)},
                                  0.0);
}

static daedal_status prepare_start(run *r, const run_start_values *from)
{
    r->state.t = from->t;
    r->start.is_proven = false;
    run_bring_values(r, from->y, from->yp);
    weights_begin(&r->tolerances, r->y);
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    evaluator_forget(&r->ev);
    RETURN_UNLESS_OK(run_check_defined(r));
    RETURN_UNLESS_OK(run_set_up(r));
    RETURN_UNLESS_OK(check_bounds(r));
    matrix_forget(&r->matrix);
    if (r->asked.check_jacobian)
        RETURN_UNLESS_OK(check_jacobian(r));
    RETURN_UNLESS_OK(run_check_product(r));
    if (from->y_mask) {
        memcpy(r->start.y_mask, from->y_mask, (size_t)r->n * sizeof(int32_t));
        memcpy(r->start.yp_mask, from->yp_mask, (size_t)r->n * sizeof(int32_t));
    }
    return DAEDAL_OK;
}

/* The derivative array is dense. */
static daedal_status check_size(run *r)
{
    if (r->now.method != METHOD_ARRAY || r->n <= ARRAY_UNKNOWNS_MAX)
        return DAEDAL_OK;
    fail(&r->why, DAEDAL_ERR_ARGUMENT, "method array takes up to %d equations; the system has %d",
         (int)ARRAY_UNKNOWNS_MAX, (int)r->n);
    hint(&r->why, "use method = auto, radau or bdf, or write a model: its index is reduced");
    return DAEDAL_ERR_ARGUMENT;
}

static daedal_status start(run *r, const run_start_values *from)
{
    diagnosis_clear(&r->why);
    diagnosis_clear(&r->warned);
    if (run_is_distributed(r))
        return distributed_start(r, from);
    RETURN_UNLESS_OK(check_size(r));
    r->started = false;
    if (run_is_automatic(r) && r->now.method == METHOD_ARRAY) /* of another start */
        run_use_method(r, METHOD_BDF, r->now.constraint_method);
    if (!run_is_automatic(r) && r->now.method != r->asked.method) /* of its last mode */
        run_use_method(r, r->asked.method, r->now.constraint_method);
    r->fresh = true;
    r->at_event = false;
    r->limits.direction = r->start.h_before = 0.0;
    r->start.keeps_matrices = false;
    r->now.failed_methods = 0;
    r->now.stiffness_told = false;
    r->now.evidence = (run_evidence){.wait = 1, .run_length = HUGE_VAL};
    r->start.n_moved = 0;
    r->structure.index = -1;
    r->index.patterns_are_new = false;
    RETURN_UNLESS_OK(prepare_start(r, from));
    run_reset_index(r);
    bool yp_known = from->yp != NULL;
    bool as_given = r->asked.start == START_GIVEN && yp_known;
    start_mode manner = {as_given                        ? START_GIVEN
                         : r->asked.start == START_GIVEN ? START_STATES
                                                         : r->asked.start,
                         from->y_mask != NULL, yp_known, false, false};
    project_values(r, false);
    RETURN_UNLESS_OK(make_consistent(r, &manner));
    if (r->index.answer.n > 0 && r->index.answer.verdict == INDEX_FOUND)
        r->structure.index = r->index.answer.index;
    RETURN_UNLESS_OK(run_limit_gmres(r));
    RETURN_UNLESS_OK(run_begin_events(r, false));
    growth_forget(&r->stagnation.growth);
    memset(r->stagnation.fastest, 0, (size_t)r->n * sizeof(double));
    r->stagnation.looks = 0;
    r->stagnation.step_steep = r->stagnation.close_points = 0;
    r->stagnation.gaps = (run_event_gaps){.t = r->state.t};
    for (int32_t i = 0; i < r->roots.n_events; i++)
        r->roots.record[i] = (roots_record){.t = r->state.t};
    run_begin_scales(r);
    run_begin_runaway(r);
    run_begin_leap(r);
    run_begin_interior(r);
    run_check_tolerances(r);
    RETURN_UNLESS_OK(run_watch_jacobian(r, run_time_scale(r)));
    sensitivities_renew(r);
    r->index.patterns_are_new = false;
    r->started = true;
    diagnosis_clear(&r->start.seen.why);
    run_note_seen_state(r);
    return DAEDAL_OK;
}

daedal_status run_start(run *r, const run_start_values *from)
{
    evaluator_begin_call(&r->ev);
    daedal_status status = evaluator_end_call(&r->ev, start(r, from));
    r->started = r->started && status == DAEDAL_OK;
    return status;
}

/* From the values in r->y, r->yp: consistent again, events set, integrator to begin. */
static daedal_status begin_again(run *r, bool yp_given, bool held)
{
    evaluator_forget(&r->ev);
    r->index.patterns_are_new = false;
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    bool as_given = r->asked.start == START_GIVEN && yp_given;
    start_mode manner = {as_given ? START_GIVEN : START_STATES, false, yp_given, true, held};
    if (r->at_event && r->roots.n_events > 0 && r->index.answer.index > 1)
        RETURN_UNLESS_OK(status_of_events(r, roots_give(&r->roots, r->state.t, r->y, r->yp)));
    project_values(r, held);
    RETURN_UNLESS_OK(make_consistent(r, &manner));
    RETURN_UNLESS_OK(run_begin_events(r, r->at_event));
    if (!r->fresh && r->integrator)
        r->start.h_before = fabs(r->stats.h_last);
    r->fresh = true;
    r->start.keeps_matrices = false;
    sensitivities_renew(r);
    r->stats.restarts++;
    return DAEDAL_OK;
}

static daedal_status restart(run *r, const double *y, const double *yp, bool held)
{
    size_t bytes = (size_t)r->n * sizeof(double);
    diagnosis_clear(&r->why);
    memcpy(r->y_before, r->y, bytes);
    memcpy(r->yp_before, r->yp, bytes);
    r->start.is_proven = false;
    run_bring_values(r, y ? y : r->y, yp ? yp : r->yp);
    evaluator_begin_call(&r->ev);
    daedal_status status = evaluator_end_call(&r->ev, begin_again(r, yp != NULL, held));
    if (status != DAEDAL_OK) { /* as if it had not been asked for */
        memcpy(r->y, r->y_before, bytes);
        memcpy(r->yp, r->yp_before, bytes);
    } else {
        run_note_seen_state(r);
    }
    return status;
}

daedal_status run_restart(run *r, const double *y, const double *yp)
{
    return run_is_distributed(r) ? distributed_restart(r, y, yp) : restart(r, y, yp, false);
}

daedal_status solver_restart_held(daedal_solver *solver, const double *y)
{
    run *r = &solver->run;
    bool may_hold = r->asked.start != START_GIVEN;
    return restart(r, y, NULL, may_hold);
}

/* Without the factors of the run, which the integrator may go on with. */
static bool take_jump(run *r, daedal_status *status)
{
    evaluator_forget(&r->ev);
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    if (!run_correct_jump(r, run_time_scale(r), status))
        return false;
    *status = run_begin_events(r, r->at_event);
    if (*status != DAEDAL_OK)
        return false;
    if (!r->fresh) {
        r->start.h_before = r->start.h_begun;
        r->start.keeps_matrices = true;
    }
    r->start.n_moved = 0;
    r->fresh = true;
    sensitivities_renew(r);
    r->stats.restarts++;
    return true;
}

daedal_status solver_restart_same(daedal_solver *solver, const double *y, bool *done)
{
    run *r = &solver->run;
    size_t bytes = (size_t)r->n * sizeof(double);
    daedal_status status = DAEDAL_OK;
    *done = false;
    if (!r->started || !r->integrator || r->asked.start == START_GIVEN)
        return DAEDAL_OK;
    diagnosis_clear(&r->why);
    memcpy(r->y_before, r->y, bytes);
    memcpy(r->yp_before, r->yp, bytes);
    memmove(r->y, y, bytes);
    *done = take_jump(r, &status);
    if (!*done) {
        memcpy(r->y, r->y_before, bytes);
        memcpy(r->yp, r->yp_before, bytes);
    }
    return status;
}

int32_t solver_found_index(const daedal_solver *solver)
{
    const index_answer *found = &solver->run.index.answer;
    return found->verdict == INDEX_FOUND ? found->index : 0;
}

int solver_renew_events(daedal_solver *solver)
{
    run *r = &solver->run;
    return roots_begin(&r->roots, r->state.t, r->y, r->yp, false);
}

daedal_status run_resume(run *r)
{
    run_bring_values(r, r->y, r->yp);
    RETURN_UNLESS_OK(begin_again(r, false, false));
    run_check_jump(r);
    return DAEDAL_OK;
}

/* Event functions that change on the way are left to the next step. */
daedal_status run_resume_at(run *r, double t, const double *y, const double *yp)
{
    size_t bytes = (size_t)r->n * sizeof(double);
    double t_before = r->state.t;
    bool fires = false;
    if (r->roots.n_events > 0 && (roots_fire_at(&r->roots, t, y, yp, &fires) != 0 || fires))
        return DAEDAL_OK;
    memcpy(r->y, y, bytes);
    memcpy(r->yp, yp, bytes);
    r->state.t = t;
    daedal_status status = run_resume(r);
    if (!failure_is(status, NUMERIC_FAILURE))
        return status;
    r->state.t = t_before;
    r->method->interpolate(r->integrator, t_before, r->y, r->yp);
    diagnosis_clear(&r->why);
    return DAEDAL_OK;
}

bool run_has_high_index(const run *r)
{
    bool is_spread = r->ev.space.parallel != NULL;
    return is_spread ? space_highest(&r->ev.space, r->variable_index) > 1 : r->index.is_high;
}

void run_note_high_index(run *r)
{
    r->index.is_high = space_highest(&(vector_space){.n = r->n}, r->variable_index) > 1;
}

/* The time that a first step is a small share of: to the next output point, if that is all that is
 * known.  With multipliers errors are divided by the square of the step size, so that output
 * points must not make it small.                                                    */
static double span_of_first_step(const run *r, double t_towards)
{
    const double share = 0.1;
    double span = fabs(t_towards - r->state.t);
    bool has_multipliers = space_highest(&r->ev.space, r->variable_index) > 2;
    return has_multipliers ? fmax(span, share * run_time_ahead(r, r->state.t)) : span;
}

/* A tiny Euler step says nothing of the slopes of a variable of index two or three. */
static daedal_status estimate_slopes(run *r, const start_problem *p)
{
    if (run_is_distributed(r) || r->asked.start == START_GIVEN || run_has_high_index(r) ||
        r->now.method == METHOD_ARRAY)
        return DAEDAL_OK;
    if (!r->start.keeps_matrices || !r->correction)
        return start_estimate_derivatives(p, r->is_differential);
    int answer = run_estimate_slopes(r, start_tiny_step(p, r->is_differential));
    if (answer == DAEDAL_CALL_FAIL)
        return evaluator_explain(&r->ev, &r->why);
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : DAEDAL_OK;
}

void run_begin_method_before(run *r, double t, double h)
{
    integ_begin from = {.t = t,
                        .y = r->y_before,
                        .yp = r->yp_before,
                        .h_before = fabs(h),
                        .direction = r->limits.direction,
                        .span = fabs(h)};
    r->method->begin(r->integrator, &from);
}

/* The integrator takes over from the state; t_towards gives direction and scale. */
daedal_status run_begin_integrator(run *r, double t_towards, double t_limit)
{
    double span = span_of_first_step(r, t_towards), room = fabs(t_limit - r->state.t);
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    start_problem p = problem_of(r);
    p.t_limit = t_limit;
    RETURN_UNLESS_OK(estimate_slopes(r, &p));
    if (!run_is_distributed(r))
        RETURN_UNLESS_OK(run_choose_method(
            r, isnan(r->limits.t_stop) ? span : fabs(r->limits.t_stop - r->state.t)));
    if (!r->integrator) /* there was no memory for it when the method was changed */
        RETURN_UNLESS_OK(run_make_integrator(r));
    RETURN_UNLESS_OK(sensitivities_begin(r));
    integ_begin from = {.t = r->state.t,
                        .y = r->y,
                        .yp = r->yp,
                        .h_before = fmin(r->start.h_before, fmin(span, room)),
                        .direction = r->limits.direction,
                        .span = fmin(span, room),
                        .keeps_matrices = r->start.keeps_matrices,
                        .radius = r->now.evidence.decides ? r->now.evidence.radius : 0.0};
    r->method->begin(r->integrator, &from);
    r->start.t_begun = r->state.t;
    r->start.h_begun = 0.0;
    run_forget_corners(r);
    if (!run_is_distributed(r))
        run_begin_evidence(r);
    r->fresh = false;
    if (!r->now.evidence.changes)
        run_reset_stagnation(r);
    r->now.evidence.changes = false;
    return DAEDAL_OK;
}

daedal_status run_check_jacobian(run *r)
{
    evaluator_begin_call(&r->ev);
    return evaluator_end_call(&r->ev, check_jacobian(r));
}
