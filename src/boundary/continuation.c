/* boundary/continuation.c - see continuation.h. */
#include "boundary/continuation.h"

#include "base/status.h"
#include "boundary/parameter_path.h"

typedef struct continuation {
    const continuation_task *task;
    adaptive at;   /* the solution of the present value         */
    adaptive kept; /* that of the last value that was solved    */
    double goal;   /* the value that is asked for               */
    int32_t steps; /* values of the parameter that were solved  */
    bool is_first; /* of them: it is solved from the guess      */
} continuation;

/* ---- the path ---- */

static daedal_status solve_at(void *self, double value)
{
    continuation *c = self;
    *c->task->parameter = value;
    evaluator_forget(c->task->problem->ev);
    diagnosis_clear(c->task->why);
    daedal_status status =
        adaptive_solve(&c->at, c->is_first ? c->task->guess : NULL, c->task->user);
    c->is_first = false;
    return status;
}

static bool keep(void *self)
{
    continuation *c = self;
    return adaptive_copy(&c->kept, &c->at);
}

static bool go_back(void *self)
{
    continuation *c = self;
    return adaptive_copy(&c->at, &c->kept);
}

static daedal_status follow(continuation *c)
{
    parameter_path path = {.from = c->task->from,
                           .to = c->goal,
                           .name = "the parameter value",
                           .least = 1e-6,
                           .self = c,
                           .solve_at = solve_at,
                           .keep = keep,
                           .go_back = go_back};
    c->is_first = true;
    daedal_status status = parameter_path_follow(&path, c->task->why);
    c->steps = path.steps;
    return status;
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
    if (path_may_go_on(status)) {
        status = look_at_conditions(c, status);
        bool can_follow = task->parameter && task->from != c->goal && path_may_go_on(status);
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
