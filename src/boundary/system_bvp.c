/* boundary/system_bvp.c - daedal_bvp_solve: boundary values of a system of functions. */
#include <math.h>
#include <string.h>

#include "api/options.h"
#include "api/system_check.h"
#include "base/status.h"
#include "boundary/continuation.h"
#include "boundary/form.h"
#include "boundary/shooting.h"

static const double GUESS_MOVE =
    1e-6; /* of the interval: the slope of a guess is a difference over it */

typedef struct bvp_search {
    const daedal_bvp *bvp;
    daedal_options options;
    daedal_solver *solver;
    bvp_form form;
    bool has_form;
    boundary_conditions conditions;
    double ends[2];
    double *y, *yp;
    int guess_answer;
    daedal_diagnosis *why;
    block mem;
} bvp_search;

/* ---- checks ---- */

static daedal_status check_points(const daedal_bvp *b, daedal_diagnosis *why)
{
    if (!isfinite(b->t_start) || !isfinite(b->t_end) || !(b->t_start < b->t_end))
        return fail(why, DAEDAL_ERR_ARGUMENT, "the problem goes from t = %g to t = %g", b->t_start,
                    b->t_end);
    if (b->points.n == 0)
        return DAEDAL_OK;
    int32_t last = b->points.n - 1;
    if (last < 1 || !b->points.at || b->points.at[0] != b->t_start ||
        b->points.at[last] != b->t_end)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "the points of the conditions must go from t_start to t_end");
    for (int32_t k = 0; k < last; k++)
        if (!(b->points.at[k] < b->points.at[k + 1]))
            return fail(why, DAEDAL_ERR_ARGUMENT,
                        "the points of the conditions must ascend: number %d is %g, the next %g",
                        (int)k, b->points.at[k], b->points.at[k + 1]);
    return DAEDAL_OK;
}

static daedal_status check_numbers(const daedal_bvp *b, daedal_diagnosis *why)
{
    if (b->n_conditions < 0 || (b->n_conditions > 0 && !b->conditions))
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "there are %d boundary conditions, and %s function for them",
                    (int)b->n_conditions, b->conditions ? "a" : "no");
    if (b->stages < 0 || b->stages > GAUSS_STAGES_MAX)
        return fail(why, DAEDAL_ERR_ARGUMENT, "stages = %d is not between 1 and %d", (int)b->stages,
                    GAUSS_STAGES_MAX);
    if (b->intervals < 0 || b->intervals_most < 0)
        return fail(why, DAEDAL_ERR_ARGUMENT, "a number of intervals is negative");
    if (b->method < DAEDAL_BVP_AUTO || b->method > DAEDAL_BVP_SHOOTING)
        return fail(why, DAEDAL_ERR_ARGUMENT, "the method %d does not exist", (int)b->method);
    if (b->parameter && (!isfinite(*b->parameter) || !isfinite(b->parameter_start)))
        return fail(why, DAEDAL_ERR_ARGUMENT, "a value of the parameter is not finite");
    return DAEDAL_OK;
}

static daedal_status check(const daedal_system *sys, const daedal_bvp *b, daedal_diagnosis *why)
{
    if (!sys || !b)
        return fail(why, DAEDAL_ERR_ARGUMENT, "%s is NULL", !sys ? "system" : "bvp");
    TRY(system_check(sys, why));
    TRY(check_points(b, why));
    TRY(check_numbers(b, why));
    for (int32_t j = 0; b->y && j < sys->n; j++)
        if (!isfinite(b->y[j]))
            return fail(why, DAEDAL_ERR_ARGUMENT, "the guess y[%d] is not finite", (int)j);
    if (sys->n_events > 0)
        return fail(
            why, DAEDAL_ERR_ARGUMENT,
            "the system has events, and boundary value problems with events are not supported");
    return DAEDAL_OK;
}

/* ---- the guess ---- */

static void guess_values(bvp_search *s, double t, double *y)
{
    int32_t n = s->conditions.width;
    memset(y, 0, (size_t)n * sizeof *y);
    if (s->bvp->y)
        memcpy(y, s->bvp->y, (size_t)n * sizeof *y);
    if (s->bvp->guess) {
        int answer = s->bvp->guess(t, y, s->bvp->user);
        if (answer == DAEDAL_CALL_OK && !vector_all_finite(y, n))
            answer = DAEDAL_CALL_FAIL;
        s->guess_answer = s->guess_answer == DAEDAL_CALL_OK ? answer : s->guess_answer;
    }
}

static void guess_path(double t, double *y, double *yp, void *user)
{
    bvp_search *s = user;
    double span = s->bvp->t_end - s->bvp->t_start, move = GUESS_MOVE * span;
    int32_t n = s->conditions.width;
    guess_values(s, t, y);
    memset(yp, 0, (size_t)n * sizeof *yp);
    if (!s->bvp->guess)
        return;
    move = t + move > s->bvp->t_end ? -move : move;
    guess_values(s, t + move, s->yp);
    for (int32_t j = 0; j < n; j++)
        yp[j] = (s->yp[j] - y[j]) / move;
}

/* ---- the parts ---- */

static void lay_out(void *object, layout *l)
{
    bvp_search *s = object;
    s->y = layout_take(l, (size_t)s->conditions.width, sizeof(double));
    s->yp = layout_take(l, (size_t)s->conditions.width, sizeof(double));
}

static bool prepare(bvp_search *s, const daedal_system *sys)
{
    const daedal_bvp *b = s->bvp;
    s->ends[0] = b->t_start;
    s->ends[1] = b->t_end;
    s->conditions = (boundary_conditions){.n = b->n_conditions,
                                          .width = sys->n,
                                          .n_points = b->points.n ? b->points.n : 2,
                                          .points = b->points.n ? b->points.at : s->ends,
                                          .values = b->conditions,
                                          .user = b->user,
                                          .names = b->condition_names};
    return block_create(&s->mem, s->options.allocator, lay_out, s) &&
           conditions_create(&s->conditions, s->options.allocator);
}

/* A solver that was started at the guess knows patterns and classes of unknowns, also where the
 * guess could not be made consistent.                                             */
static daedal_status examine(bvp_search *s, const daedal_system *sys)
{
    daedal_system plain = *sys;
    plain.n_parameters = 0;
    guess_values(s, s->bvp->t_start, s->y);
    if (s->guess_answer != DAEDAL_CALL_OK)
        return fail(s->why, DAEDAL_ERR_CALLBACK, "the guess has no value at t = %.10g",
                    s->bvp->t_start);
    TRY(daedal_solver_create(&s->solver, &plain, &s->options, s->why));
    daedal_status status = daedal_solver_start(s->solver, s->bvp->t_start, s->y, NULL);
    if (status == DAEDAL_STOPPED || (status < 0 && !s->solver->run.matrix_ready)) {
        *s->why = *daedal_solver_diagnosis(s->solver);
        return status;
    }
    status = form_create(&s->form, s->solver, s->why);
    s->has_form = true;
    s->form.problem.conditions = &s->conditions;
    return status;
}

/* Conditions in another number than degrees of freedom: which of them are too many, or what stays
 * open, is seen along the guess.                                                 */
static daedal_status check_count(bvp_search *s)
{
    const collocation_problem *p = &s->form.problem;
    int32_t d = p->nx - p->m;
    if (s->conditions.n == d)
        return DAEDAL_OK;
    gauss_table table;
    collocation c;
    double t[12];
    boundary_conditions ends = s->conditions;
    ends.n_points = 2;
    ends.points = s->ends;
    gauss_create(&table, 3);
    fail(s->why, DAEDAL_ERR_STRUCTURE, "there are %d boundary conditions for %d degrees of freedom",
         (int)s->conditions.n, (int)d);
    set_cause(s->why, s->conditions.n > d ? DAEDAL_CAUSE_REDUNDANT_EQUATIONS
                                          : DAEDAL_CAUSE_UNDETERMINED_VARIABLE);
    if (s->conditions.n_points == 2) {
        int32_t n = mesh_even(&ends, 10, t);
        if (collocation_create(&c, p, &table, t, n)) {
            collocation_guess(&c, guess_path, s);
            dependence_explain(&c, &s->conditions, s->why);
        }
        collocation_free(&c);
    }
    return DAEDAL_ERR_STRUCTURE;
}

/* ---- the two methods ---- */

static daedal_status collocate(bvp_search *s, bvp_result **result)
{
    const daedal_bvp *b = s->bvp;
    TRY(check_count(s));
    continuation_task task = {
        .problem = &s->form.problem,
        .stages = b->stages ? b->stages : 4,
        .settings = {.intervals = b->intervals ? b->intervals : 10,
                     .intervals_most = b->intervals_most ? b->intervals_most : 5000,
                     .keeps_mesh = b->keep_mesh},
        .guess = guess_path,
        .user = s,
        .parameter = b->parameter,
        .from = b->parameter_start,
        .why = s->why};
    daedal_status status = continuation_solve(&task, result);
    if (s->guess_answer != DAEDAL_CALL_OK && status < 0)
        return fail(s->why, DAEDAL_ERR_CALLBACK, "the guess has no value");
    if (status == DAEDAL_OK)
        (*result)->shown.method_reason = s->form.reason;
    return status;
}

static daedal_status shoot(bvp_search *s, const daedal_system *sys, bvp_result **result)
{
    const daedal_bvp *b = s->bvp;
    const run *r = &s->solver->run;
    shooting_task task = {.sys = sys,
                          .options = &s->options,
                          .conditions = &s->conditions,
                          .is_differential = r->is_differential,
                          .guess = guess_path,
                          .user = s,
                          .segments = b->intervals ? b->intervals : 8,
                          .segments_most = 512,
                          .why = s->why};
    for (int32_t v = 0; v < r->n; v++)
        task.has_high_index = task.has_high_index || r->variable_index[v] > 2;
    daedal_status status = shooting_solve(&task, result);
    if (status == DAEDAL_OK)
        (*result)->shown.method_reason =
            b->method == DAEDAL_BVP_SHOOTING ? "asked for" : s->form.reason;
    return status;
}

/* The rule of `auto`: collocation where it applies, since it takes growing modes as well and
 * estimates its error; shooting where it does not converge, and for everything else that the solver
 * integrates. */
static daedal_status search(bvp_search *s, const daedal_system *sys, bvp_result **result)
{
    TRY(examine(s, sys));
    daedal_bvp_method wanted = s->bvp->method;
    if (wanted == DAEDAL_BVP_COLLOCATION && !s->form.serves) {
        fail(s->why, DAEDAL_ERR_INDEX, "collocation does not apply to the system: %s",
             s->form.reason);
        hint(s->why, "use shooting, or write the equations as a model, whose index is reduced");
        return DAEDAL_ERR_INDEX;
    }
    if (wanted == DAEDAL_BVP_SHOOTING || !s->form.serves)
        return shoot(s, sys, result);
    daedal_status status = collocate(s, result);
    daedal_diagnosis first = *s->why;
    if (wanted != DAEDAL_BVP_AUTO || !shooting_may_help(status, &first))
        return status;
    diagnosis_clear(s->why);
    if (shoot(s, sys, result) == DAEDAL_OK) {
        (*result)->shown.method_reason = "collocation did not converge";
        return DAEDAL_OK;
    }
    *s->why = first;
    return status;
}

daedal_status daedal_bvp_solve(const daedal_system *system, const daedal_options *options,
                               const daedal_bvp *bvp, daedal_bvp_solution **solution,
                               daedal_diagnosis *why)
{
    daedal_diagnosis unwanted;
    bvp_search s = {.bvp = bvp, .why = why ? why : &unwanted};
    bvp_result *result = NULL;
    diagnosis_clear(s.why);
    if (!solution)
        return fail(s.why, DAEDAL_ERR_ARGUMENT, "solution is NULL");
    *solution = NULL;
    TRY(check(system, bvp, s.why));
    TRY(options_of_study(&s.options, options, system, "boundary value problems are", s.why));
    daedal_status status = prepare(&s, system) ? search(&s, system, &result) : DAEDAL_ERR_MEMORY;
    if (status == DAEDAL_ERR_MEMORY)
        fail(s.why, status, "out of memory");
    if (status == DAEDAL_OK) {
        result->shown.residuals += s.form.stats.residuals + s.solver->run.stats.residuals;
        *solution = &result->shown;
    }
    if (s.has_form)
        form_free(&s.form);
    daedal_solver_free(s.solver);
    conditions_free(&s.conditions);
    block_free(&s.mem);
    return status;
}
