/* solver/admissible_index.c - the index of the system of a run, found by calling F; see run.h.
 *
 * An ordinary start pays nothing for it: the matrix that has the column of dF/dy' for every
 * variable whose derivative occurs, that of dF/dy for the others, is the system Jacobian of an
 * index of at most one, and where it is regular there is nothing more to know
 * (index/differentiation_index.c). The search begins where it is singular, or so badly conditioned
 * that differences may hide it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "index/structural_offsets.h"
#include "linalg/vector.h"
#include "solver/differentiation_chain.h"
#include "solver/explain.h"
#include "solver/method_choice.h"
#include "solver/run.h"
#include "solver/smoothness.h"

static const double SUSPECT_DIFFERENCED = 1e7, SUSPECT_GIVEN = 1e12; /* conditions */
enum { SEARCH_LARGEST = 20000 }; /* unknowns for which a failure is searched       */

double run_least_size(const run *r, int32_t j)
{
    double floor = r->now.rtol[j] > 0.0 ? r->now.atol[j] / r->now.rtol[j] : r->now.atol[j];
    return floor > 0.0 ? fmin(floor, 1.0) : 1.0;
}

void run_set_scales(const run *r, const double *y, const double *yp, double time, double *y_scale,
                    double *yp_scale)
{
    for (int32_t j = 0; j < r->n; j++) {
        double floor = r->now.rtol[j] > 0.0 ? r->now.atol[j] / r->now.rtol[j] : r->now.atol[j];
        double size = fmax(fabs(y[j]), fmin(floor, 1.0));
        y_scale[j] = size > 0.0 ? size : 1.0;
        yp_scale[j] = fmax(fabs(yp[j]), y_scale[j] / time);
    }
}

double run_time_ahead(const run *r, double t)
{
    double ahead = isnan(r->limits.t_stop) ? fmax(fabs(t), 1.0) : fabs(r->limits.t_stop - t);
    return ahead > 0.0 ? ahead : 1.0;
}

double run_calm_time(run *r, double t, const double *y, const double *yp)
{
    const double least = 1e-6; /* where y' is wild it says nothing of F */
    double ahead = run_time_ahead(r, t);
    for (int32_t j = 0; j < r->n; j++) {
        double size =
            fmax(fabs(y[j]), r->now.rtol[j] > 0.0 ? r->now.atol[j] / r->now.rtol[j] : 0.0);
        r->work[j] = yp[j] != 0.0 ? size / fabs(yp[j]) : HUGE_VAL;
    }
    return fmin(ahead, fmax(vector_median(r->work, r->n), least * ahead));
}

/* The patterns of the matrix may be too large, by entries of other points, or be given. */
static daedal_status ask(run *r, index_question *q)
{
    pattern dy = {0}, dyp = {0};
    if (r->index.patterns_are_new) {
        q->dy = &r->matrix.part[0].view;
        q->dyp = &r->matrix.part[1].view;
        return index_find(&r->index.answer, q, r->allocator);
    }
    daedal_status status = probe_patterns(q->target, q->t, q->y, q->yp, &dy, &dyp, r->allocator);
    q->dy = &dy.view;
    q->dyp = &dyp.view;
    if (status == DAEDAL_OK)
        status = index_find(&r->index.answer, q, r->allocator);
    pattern_free(&dy);
    pattern_free(&dyp);
    return status;
}

daedal_status run_find_index(run *r, double t, const double *y, const double *yp)
{
    size_t n = (size_t)r->n;
    double *scale = memory_take_array(r->allocator, 2 * n, sizeof(double));
    if (!scale)
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory while looking for the index");
    double time = run_calm_time(r, t, y, yp), span = run_probe_span(r, t);
    run_set_scales(r, y, yp, time, scale, scale + n);
    probe_target target = {r->n, run_call_residual, &r->ev, scale, scale + n, span};
    index_question q = {.target = &target,
                        .t = t,
                        .y = y,
                        .yp = yp,
                        .time_scale = time,
                        .time_ahead = run_time_ahead(r, t),
                        .direction = isnan(r->limits.t_stop) ? 0.0 : copysign(1.0, span)};
    r->index.levels_are_too_many = false;
    index_free(&r->index.answer);
    r->index.chain[0] = r->index.reason[0] = '\0';
    daedal_status status = ask(r, &q);
    if (status == DAEDAL_OK) {
        chain_write(r->index.chain, sizeof r->index.chain, &r->index.answer, &r->system.sys);
        chain_write_grade(r->index.reason, sizeof r->index.reason, &r->index.answer,
                          &r->system.sys);
    }
    memory_give(r->allocator, scale, 2 * n * sizeof(double));
    if (status == DAEDAL_ERR_MEMORY)
        return fail(&r->why, status, "out of memory while looking for the index");
    if (status == DAEDAL_ERR_CALLBACK || status == DAEDAL_ERR_NOT_FINITE)
        return evaluator_explain(&r->ev, &r->why);
    return status;
}

/* ---- what a run does with it ---- */

/* The variable with the highest index in the user's own words, or -1. */
static int32_t highest_said(const run *r)
{
    const daedal_ints *said = &r->system.sys.variable_index;
    int32_t which = -1;
    for (int32_t j = 0; j < said->n; j++)
        which = which < 0 || said->at[j] > said->at[which] ? j : which;
    return which;
}

/* Its index, or -1. */
static int32_t index_said(const run *r)
{
    int32_t which = highest_said(r);
    return which < 0 ? -1 : r->system.sys.variable_index.at[which];
}

/* Whether no equation and no variable has two derivatives: then none of them can be eliminated. */
static bool slopes_are_apart(const run *r)
{
    const daedal_pattern *p = &r->matrix.part[1].view;
    double *seen = r->work;
    memset(seen, 0, (size_t)r->n * sizeof *seen);
    for (int32_t j = 0; j < r->n; j++) {
        if (p->start[j + 1] - p->start[j] > 1)
            return false;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (seen[p->row[q]]++ > 0.0)
                return false;
    }
    return true;
}

/* What the patterns alone say, without a call of F.  Low: no equation needs to be differentiated.
 * High: the matrix described above is singular for any values of its entries, and no relation of
 * index one is hidden in combinations of derivatives.                             */
typedef struct patterns_say {
    bool low, high;
} patterns_say;

/* Whether equation j may be taken for y'_j, or for y_j where that has no derivative. */
static bool diagonal_is_complete(const run *r)
{
    const daedal_pattern *dy = &r->matrix.part[0].view, *dyp = &r->matrix.part[1].view;
    for (int32_t j = 0; j < r->n; j++)
        if (pattern_find(dyp->start[j + 1] > dyp->start[j] ? dyp : dy, j, j) < 0)
            return false;
    return true;
}

static patterns_say look_at_patterns(const run *r)
{
    offsets o;
    if (diagonal_is_complete(r)) /* an assignment without differentiation */
        return (patterns_say){.low = true};
    daedal_status status =
        offsets_create(&o, &r->matrix.pattern.view, &r->matrix.part[1].view, r->allocator);
    bool known = status == DAEDAL_OK, low = known && o.found.differentiations == 0;
    offsets_free(&o);
    return (patterns_say){low, known && !low && slopes_are_apart(r)};
}

/* Whether the matrix described above is regular.  Its parts are those of the last evaluation. */
static bool matrix_says_low(run *r)
{
    start_workspace *w = &r->start.work;
    double suspect =
        matrix_slopes_are_differenced(&r->matrix) ? SUSPECT_DIFFERENCED : SUSPECT_GIVEN;
    for (int32_t j = 0; j < r->n; j++) {
        w->share_yp[j] = r->is_differential[j] ? 1.0 : 0.0;
        w->share_y[j] = 1.0 - w->share_yp[j];
    }
    return matrix_factor_mixed(&r->matrix, w->share_y, w->share_yp) == DAEDAL_OK &&
           matrix_condition(&r->matrix) < suspect;
}

/* The same with rows and columns scaled: equations and variables may have any units.  Its workspace
 * is idle between starts. */
static start_index scaled_matrix_says(run *r)
{
    start_workspace *w = &r->start.work;
    run_set_scales(r, r->y, r->yp, run_calm_time(r, r->state.t, r->y, r->yp), w->dy, w->dyp);
    start_variables of = {r->is_differential, w->dy, w->dyp};
    return start_judge_index(&r->matrix, &of, r->allocator);
}

bool run_index_is_low(run *r, bool evaluated, bool relations_count)
{
    int32_t said = index_said(r);
    if (said >= 0 && said <= 1)
        return true;
    bool looked = !evaluated && r->pattern_detected;
    if (looked) {
        patterns_say is = look_at_patterns(r);
        if (is.low || is.high)
            return is.low;
    }
    if (!evaluated) {
        matrix_point at = {r->state.t, 1.0, r->y, r->yp, NULL, r->inverse_weight};
        if (matrix_evaluate(&r->matrix, &at) != DAEDAL_CALL_OK)
            return true; /* nothing can be said; the steps will fail if anything is wrong */
    }
    bool is_low = matrix_says_low(r);
    if (!is_low && !looked && look_at_patterns(r).high)
        return false;
    start_index shown = is_low ? START_INDEX_LOW : scaled_matrix_says(r);
    if (shown == START_INDEX_LOW) {
        r->structure.index = r->structure.n_differential < r->n;
        return true;
    }
    return !relations_count && shown == START_INDEX_OPEN &&
           start_shows_index_one(&r->start.work, &r->matrix);
}

bool run_index_is_the_same(run *r)
{
    const index_answer *x = &r->index.answer;
    matrix_point at = {r->state.t, 1.0, r->y, r->yp, NULL, r->inverse_weight};
    return x->verdict == INDEX_FOUND && x->is_attained &&
           matrix_evaluate(&r->matrix, &at) == DAEDAL_CALL_OK &&
           start_shows_structure(&r->matrix, x->index, x->c, x->d, r->allocator);
}

/* The highest index that the method takes; or radau, which is chosen for it where it is ours to
 * choose (method_choice.c), and for modes of models.                              */
static int32_t highest_taken(const run *r)
{
    bool changes = run_is_automatic(r) || run_may_change_with_modes(r);
    return method_highest_index(changes ? METHOD_RADAU : r->now.method, r->asked.error_test);
}

/* An explicit method takes no algebraic variables, given or made by multipliers. */
static daedal_status check_explicit(run *r)
{
    char name[96];
    int32_t which = 0;
    if (r->now.method != METHOD_DOPRI || run_is_automatic(r))
        return DAEDAL_OK;
    while (which < r->n && r->is_differential[which])
        which++;
    bool multiplied =
        r->system.sys.n_constraints > 0 && r->now.constraint_method != CONSTRAINTS_PROJECT;
    if (which == r->n && !multiplied)
        return DAEDAL_OK;
    if (which < r->n)
        fail(&r->why, DAEDAL_ERR_INDEX,
             "%s is an algebraic variable: no equation contains its derivative; method dopri takes "
             "only equations that determine every derivative (index 0)",
             evaluator_variable_name(&r->system.sys, which, name, sizeof name));
    else
        fail(&r->why, DAEDAL_ERR_INDEX,
             "method dopri keeps constraints by projection only, because multipliers would be "
             "algebraic variables");
    blame(&r->why, r->state.t, -1, which < r->n ? which : -1);
    hint(&r->why, which < r->n ? "use method = auto, radau or bdf"
                               : "use constraint_method = project, or method = auto, radau or bdf");
    return DAEDAL_ERR_INDEX;
}

/* RATTLE meets the constraints by itself; multipliers would hide the form of the equations. */
static daedal_status check_rattle(run *r)
{
    if (r->now.method != METHOD_RATTLE || r->system.sys.n_constraints == 0 ||
        r->now.constraint_method == CONSTRAINTS_PROJECT)
        return DAEDAL_OK;
    fail(
        &r->why, DAEDAL_ERR_ARGUMENT,
        "method rattle meets constraints by itself, and takes none that are kept by multipliers or "
        "dummy derivatives");
    hint(&r->why,
         "use constraint_method = project, in models --reduction project, or method = auto, "
         "radau or bdf");
    return DAEDAL_ERR_ARGUMENT;
}

daedal_status run_check_given_index(run *r, bool *said)
{
    RETURN_UNLESS_OK(check_explicit(r));
    RETURN_UNLESS_OK(check_rattle(r));
    int32_t index = index_said(r), most = highest_taken(r), which = highest_said(r);
    char name[96];
    *said = index > 1;
    if (index <= most)
        return DAEDAL_OK;
    fail(&r->why, DAEDAL_ERR_INDEX,
         "according to variable_index the index at t = %.10g is %d, that of %s; method %s supports "
         "%d at most",
         r->state.t, (int)index, evaluator_variable_name(&r->system.sys, which, name, sizeof name),
         run_is_automatic(r) ? "auto" : r->method->name, (int)most);
    blame(&r->why, r->state.t, -1, which);
    return DAEDAL_ERR_INDEX;
}

/* Weights for a lower index would let errors of the highest variables pass. */
static daedal_status complain_said_too_low(run *r, int32_t said)
{
    r->why.t = r->state.t;
    chain_explain(&r->why, DAEDAL_ERR_INDEX, &r->index.answer, &r->system.sys);
    hint(&r->why, "variable_index gives it as %d: correct that, or leave it out", (int)said);
    return DAEDAL_ERR_INDEX;
}

daedal_status run_check_found_index(run *r)
{
    int32_t most = highest_taken(r), said = index_said(r);
    bool certain = r->index.answer.verdict == INDEX_FOUND && r->index.answer.grade <= INDEX_GRADE_B;
    if (said >= 0 && certain && r->index.answer.index > (said > 1 ? said : 1))
        return complain_said_too_low(r, said);
    if (r->index.answer.index <= most || r->index.answer.grade > INDEX_GRADE_B)
        return DAEDAL_OK; /* what is not certain is tried */
    r->why.t = r->state.t;
    chain_explain(&r->why, DAEDAL_ERR_INDEX, &r->index.answer, &r->system.sys);
    if (r->index.answer.index <= 3)
        hint(&r->why, "method %s supports an index up to %d; method = radau supports 3",
             r->method->name, (int)most);
    else
        hint(&r->why,
             "other methods than array support an index up to 3: replace equations by their "
             "derivatives and keep the originals as constraints, or write a model");
    return DAEDAL_ERR_INDEX;
}

void run_reset_index(run *r)
{
    const daedal_ints *said = &r->system.sys.variable_index;
    index_free(&r->index.answer);
    for (int32_t j = 0; j < r->n; j++)
        r->variable_index[j] = said->at ? said->at[j] : !r->is_differential[j];
    run_note_high_index(r);
}

/* Another method while the mode of a model has this index; *changed: the integrator is a new one.
 */
static daedal_status use_method_for(run *r, int32_t index, bool *changed)
{
    *changed = false;
    if (!run_may_change_with_modes(r))
        return DAEDAL_OK;
    bool able = index <= method_highest_index(r->asked.method, r->asked.error_test);
    method_choice choice = able ? (method_choice){r->asked.method, "asked for"}
                                : (method_choice){METHOD_RADAU, "the index of the mode is above "
                                                                "what the method asked for takes"};
    *changed = choice.method != r->now.method;
    return *changed ? run_put_method(r, &choice) : DAEDAL_OK;
}

daedal_status run_leave_index(run *r)
{
    bool changed;
    run_reset_index(r);
    RETURN_UNLESS_OK(use_method_for(r, 1, &changed));
    return changed ? DAEDAL_OK : run_make_integrator(r);
}

daedal_status run_use_index(run *r)
{
    bool other;
    RETURN_UNLESS_OK(use_method_for(r, r->index.answer.index, &other));
    if (r->system.sys.variable_index.at || r->index.answer.index < 2)
        return DAEDAL_OK;
    bool changed = false;
    for (int32_t j = 0; j < r->n; j++) {
        int32_t found = r->index.answer.variable_index[j];
        changed = changed || (found >= 0 && found != r->variable_index[j]);
        r->variable_index[j] = found >= 0 ? found : r->variable_index[j];
    }
    run_note_high_index(r);
    return changed ? run_make_integrator(r) : DAEDAL_OK;
}

static explain_point point_of(run *r, const integ_view *at)
{
    return (explain_point){&r->ev, &r->matrix, &r->why,           r->allocator,    at->t,
                           at->y,  at->yp,     r->inverse_weight, fabs(at->h_next)};
}

/* Explain a failure by the index, or by equations that depend on one another; false: by neither. */
static bool explain_structure(run *r, daedal_status *status, const integ_view *at)
{
    daedal_diagnosis first = r->why;
    daedal_status asked = run_find_index(r, at->t, at->y, at->yp);
    const index_answer *x = &r->index.answer;
    bool high = asked == DAEDAL_OK && x->verdict == INDEX_FOUND && x->index > 1;
    int32_t said = index_said(r);
    r->why = first;
    if (high && x->index > highest_taken(r)) {
        *status = DAEDAL_ERR_INDEX;
        chain_explain(&r->why, *status, x, &r->system.sys);
        hint(&r->why, "%.120s", first.message);
    } else if (high) {
        chain_append(&r->why, x, &r->system.sys);
        if (said >= 0 && said != x->index)
            hint(&r->why, "variable_index says that the index is %d", (int)said);
    } else if (asked == DAEDAL_OK &&
               chain_explain(&r->why, DAEDAL_ERR_SINGULAR, x, &r->system.sys)) {
        *status = DAEDAL_ERR_SINGULAR;
        if (r->why.cause == DAEDAL_CAUSE_STRUCTURE && r->started) /* not so at the start */
            set_cause(&r->why, DAEDAL_CAUSE_UNDETERMINED_VARIABLE);
        return true;
    }
    return high;
}

bool run_jacobian_is_wrong(run *r, const integ_view *at)
{
    enum { COMPARED_MOST = 100 }; /* unknowns: all entries are compared */
    const daedal_system *sys = &r->system.sys;
    bool is_model = r->after_step.call != NULL; /* with derivatives that were computed */
    if ((!sys->jacobian && !sys->rhs_jacobian && !sys->pattern) || r->n > COMPARED_MOST || is_model)
        return false;
    const double gross =
        0.05; /* what curvature may do to differences at a singular point is less */
    daedal_diagnosis first = r->why;
    explain_point here = point_of(r, at);
    bool wrong = explain_wrong_jacobian(&here, gross) == DAEDAL_ERR_JACOBIAN;
    daedal_diagnosis seen = r->why;
    r->why = first;
    if (wrong) {
        message_append(&r->why, "; %s", seen.message);
        r->why.equation = seen.equation;
        r->why.variable = seen.variable;
        hint(&r->why, "%s", seen.hint);
        set_cause(&r->why, seen.cause);
    }
    return wrong;
}

daedal_status run_explain_failure(run *r, daedal_status status, const integ_view *at)
{
    if (!failure_is(status, STEP_FAILURE | START_FAILURE) || r->n > SEARCH_LARGEST)
        return status;
    const double near = 0.03; /* of a variable: steps end that near to an impasse */
    if (failure_is(status, STEP_FAILURE) && at->y == r->y && run_levels_are_singular(r, near))
        return status;
    explain_point here = point_of(r, at);
    smoothness_defect rough;
    double reach = isnan(r->limits.t_stop) ? HUGE_VAL : fabs(r->limits.t_stop - at->t);
    bool looked = smoothness_find(&here, reach, &rough);
    bool spoils = looked && (rough.what == ROUGHNESS_NOISE || rough.what == ROUGHNESS_JUMP);
    if (looked && rough.what == ROUGHNESS_NONE && run_jacobian_is_wrong(r, at))
        return status;
    bool in_step = failure_is(status, STEP_FAILURE) && at->y == r->y;
    if (!spoils && in_step && (run_is_near_fold(r) || run_is_unstable(r, at)))
        return status;
    if (!spoils && explain_structure(r, &status, at))
        return status;
    if (looked && rough.what != ROUGHNESS_NONE)
        smoothness_explain(&here, &rough);
    return status;
}
