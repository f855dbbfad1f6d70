/* linear/function_steady.c - daedal_solver_steady: F(t, y, 0) = 0 of a system of functions. */
#include <math.h>

#include "base/status.h"
#include "linear/steady_iteration.h"
#include "linear/structure_report.h"
#include "solver/distributed_run.h"
#include "solver/run.h"

typedef struct function_search {
    run *r;
    double t;
    double *zero, *e, *size;
    bool *open;
    block mem;
} function_search;

static void lay_out(void *object, layout *l)
{
    function_search *s = object;
    size_t n = (size_t)s->r->n;
    s->zero = layout_take(l, n, sizeof(double));
    s->size = layout_take(l, n, sizeof(double));
    s->e = layout_take(l, n * n, sizeof(double));
    s->open = layout_take(l, n, sizeof(bool));
}

static steady_reply reply_of(int answer)
{
    if (answer == DAEDAL_CALL_OK)
        return STEADY_VALUE;
    return answer == DAEDAL_CALL_RETRY ? STEADY_NO_VALUE : STEADY_GIVE_UP;
}

static steady_reply residual(void *self, const double *y, double *r)
{
    function_search *s = self;
    return reply_of(evaluator_residual(&s->r->ev, s->t, y, s->zero, r));
}

static steady_reply jacobian(void *self, const double *y, double *a)
{
    function_search *s = self;
    size_t n = (size_t)s->r->n;
    daedal_status status = run_find_pencil(s->r, s->t, y, s->zero, s->e, a);
    for (size_t k = 0; k < n * n; k++)
        a[k] = -a[k];
    if (status == DAEDAL_OK)
        return STEADY_VALUE;
    return status == DAEDAL_ERR_NOT_FINITE ? STEADY_NO_VALUE : STEADY_GIVE_UP;
}

static daedal_status explain(run *r, double t, const steady_result *found)
{
    char name[96];
    switch (found->outcome) {
    case STEADY_FOUND:
        return DAEDAL_OK;
    case STEADY_MEMORY:
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for a steady state");
    case STEADY_NONE:
        fail(&r->why, DAEDAL_ERR_NEWTON,
             "no steady state was found: %s does not hold with all derivatives zero",
             evaluator_equation_name(&r->system.sys, found->worst, name, sizeof name));
        blame(&r->why, t, found->worst, -1);
        hint(&r->why, "there may be none; or give values nearer to it");
        return DAEDAL_ERR_NEWTON;
    default:
        if (r->ev.trouble.answer == DAEDAL_CALL_STOP)
            return DAEDAL_STOPPED;
        return r->why.status < 0 ? r->why.status : evaluator_explain(&r->ev, &r->why);
    }
}

static daedal_status check(run *r, double t, const double *y)
{
    diagnosis_clear(&r->why);
    if (!isfinite(t) || !y)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT, "t is not finite, or y is NULL");
    for (int32_t i = 0; i < r->n; i++)
        if (!isfinite(y[i]))
            return fail(&r->why, DAEDAL_ERR_ARGUMENT, "y[%d] is not finite", (int)i);
    if (r->n > PENCIL_LARGEST)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT,
                    "the system has %d unknowns; steady states of at most %d are searched for",
                    (int)r->n, (int)PENCIL_LARGEST);
    return DAEDAL_OK;
}

daedal_status daedal_solver_steady(daedal_solver *solver, double t, double *y, int32_t *open)
{
    if (!solver)
        return DAEDAL_ERR_ARGUMENT;
    run *r = &solver->run;
    TRY(distributed_refuse(r, "the search for a steady state"));
    TRY(check(r, t, y));
    function_search s = {.r = r, .t = t};
    if (!block_create(&s.mem, r->allocator, lay_out, &s))
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for a steady state");
    for (int32_t j = 0; j < r->n; j++)
        s.size[j] = fmax(fabs(y[j]), 1.0);
    steady_problem p = {r->n, &s, residual, jacobian, s.size};
    steady_result found = {.open = s.open};
    steady_solve(&p, y, &found, r->allocator);
    for (int32_t j = 0; j < r->n && open; j++)
        open[j] = found.n_open > 0 && s.open[j];
    daedal_status status = explain(r, t, &found);
    block_free(&s.mem);
    return status;
}
