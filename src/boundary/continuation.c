/* boundary/continuation.c - see continuation.h. */
#include "boundary/continuation.h"

#include <float.h>
#include <math.h>

#include "base/status.h"

typedef struct continuation {
    const continuation_task *task;
    adaptive at;   /* the solution of the present value         */
    adaptive kept; /* that of the last value that was solved    */
    double goal;   /* the value that is asked for               */
    double done;   /* share of the way, from 0 to 1             */
    int32_t steps;
} continuation;

/* ---- the path ---- */

/* Values of one sign are passed in equal factors, others in equal differences. */
static double value_at(const continuation *c, double share)
{
    double from = c->task->from, to = c->goal;
    if (share >= 1.0)
        return to;
    if (from * to > 0.0)
        return from * pow(to / from, share);
    return from + share * (to - from);
}

static bool is_failure_of_numbers(daedal_status status)
{
    return status == DAEDAL_ERR_NEWTON || status == DAEDAL_ERR_SINGULAR ||
           status == DAEDAL_ERR_STEP_LIMIT || status == DAEDAL_ERR_ERROR_TEST;
}

static daedal_status solve_at(continuation *c, double share, bool first)
{
    *c->task->parameter = value_at(c, share);
    evaluator_forget(c->task->problem->ev);
    diagnosis_clear(c->task->why);
    return adaptive_solve(&c->at, first ? c->task->guess : NULL, c->task->user);
}

static daedal_status stuck(const continuation *c, daedal_status status)
{
    char last[256];
    daedal_diagnosis *why = c->task->why;
    last[0] = '\0';
    for (size_t k = 0; k + 1 < sizeof last && why->message[k]; k++) {
        last[k] = why->message[k];
        last[k + 1] = '\0';
    }
    fail(why, status,
         "the solutions could be followed from the parameter value %.6g to %.10g, not to %.6g: %s",
         c->task->from, value_at(c, c->done), c->goal, last);
    hint(why, "the path of solutions may end or turn back there: then the problem has no solution "
              "near it beyond that value");
    set_cause(why, DAEDAL_CAUSE_NO_SOLUTION);
    return status;
}

static daedal_status follow(continuation *c)
{
    const double least = 1e-6, growth = 2.0;
    enum { STEPS_MOST = 1000 };
    double step = 0.25;
    TRY(solve_at(c, 0.0, true));
    c->steps = 1;
    while (c->done < 1.0) {
        if (!adaptive_copy(&c->kept, &c->at))
            return fail(c->task->why, DAEDAL_ERR_MEMORY, "out of memory for a mesh");
        double next = fmin(c->done + step, 1.0);
        daedal_status status = solve_at(c, next, false);
        if (status == DAEDAL_OK) {
            c->done = next;
            c->steps++;
            step *= growth;
            continue;
        }
        if (!is_failure_of_numbers(status))
            return status;
        step = 0.25 * (next - c->done);
        if (step < least || c->steps > STEPS_MOST)
            return stuck(c, status);
        if (!adaptive_copy(&c->at, &c->kept))
            return fail(c->task->why, DAEDAL_ERR_MEMORY, "out of memory for a mesh");
    }
    return DAEDAL_OK;
}

/* ---- the whole ---- */

/* Newton's iteration failed, or gave a solution that hardly depends on the conditions: they may be
 * the reason.                                                                     */
static daedal_status look_at_conditions(continuation *c, daedal_status status)
{
    if (!c->at.has_mesh)
        return status;
    daedal_diagnosis found = *c->task->why;
    daedal_status why = dependence_explain(&c->at.now, c->task->problem->conditions, &found);
    if (why == DAEDAL_OK)
        return status;
    *c->task->why = found;
    return why;
}

static daedal_status judge(continuation *c, bvp_condition *condition)
{
    const double hopeless = 1e10;
    daedal_status status = condition_find(&c->at.now, condition);
    if (status == DAEDAL_ERR_MEMORY)
        return fail(c->task->why, status, "out of memory for the condition of the problem");
    if (status != DAEDAL_OK && status != DAEDAL_ERR_SINGULAR)
        return status;
    return condition->of_conditions < hopeless ? DAEDAL_OK : look_at_conditions(c, DAEDAL_OK);
}

static daedal_status solve(continuation *c, bvp_condition *condition)
{
    const continuation_task *task = c->task;
    daedal_status status = adaptive_solve(&c->at, task->guess, task->user);
    if (is_failure_of_numbers(status)) {
        status = look_at_conditions(c, status);
        bool can_follow = task->parameter && task->from != c->goal && is_failure_of_numbers(status);
        if (can_follow)
            status = follow(c);
    }
    return status == DAEDAL_OK ? judge(c, condition) : status;
}

static bvp_result *show(const continuation *c, const bvp_condition *condition)
{
    bvp_result *s = result_of_collocation(&c->at.now);
    if (!s)
        return NULL;
    s->shown.error = c->at.error;
    s->shown.condition = condition->of_conditions;
    s->shown.equation_condition = condition->of_equations;
    s->shown.method = "collocation";
    s->shown.meshes = c->at.meshes;
    s->shown.continuation_steps = c->steps;
    s->shown.iterations = *c->task->problem->iterations;
    return s;
}

daedal_status continuation_solve(const continuation_task *task, bvp_result **result)
{
    continuation c = {.task = task, .goal = task->parameter ? *task->parameter : 0.0};
    bvp_condition condition;
    adaptive_begin(&c.at, task->problem, task->stages, &task->settings);
    adaptive_begin(&c.kept, task->problem, task->stages, &task->settings);
    daedal_status status = solve(&c, &condition);
    if (status == DAEDAL_OK) {
        *result = show(&c, &condition);
        if (!*result)
            status = fail(task->why, DAEDAL_ERR_MEMORY, "out of memory for the solution");
    }
    if (task->parameter)
        *task->parameter = c.goal;
    adaptive_free(&c.at);
    adaptive_free(&c.kept);
    return status;
}
