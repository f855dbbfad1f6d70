/* solver/method_change.c - the method of a run, where it is ours to choose. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "integ/constrained_method.h"
#include "solver/method_choice.h"
#include "solver/run.h"
#include "solver/sensitivity.h"

static int32_t highest_index(const run *r)
{
    int32_t most = 0;
    for (int32_t j = 0; j < r->n; j++)
        most = r->variable_index[j] > most ? r->variable_index[j] : most;
    return most;
}

static double tightest(const run *r)
{
    double rtol = 1.0;
    for (int32_t j = 0; j < r->n; j++)
        rtol = fmin(rtol, r->now.rtol[j]);
    return rtol;
}

/* What a factorization costs is known after one; the parts are those of the start. */
static double factor_price(run *r)
{
    if (r->matrix.factor_price == 0.0) {
        matrix_point at = {r->state.t, 1.0, r->y, r->yp, NULL, r->inverse_weight};
        if (matrix_evaluate(&r->matrix, &at) == DAEDAL_CALL_OK)
            matrix_factor(&r->matrix, 1.0);
    }
    return r->matrix.factor_price;
}

void run_use_method(run *r, int32_t number, int32_t constraint_method)
{
    bool constrained = r->system.sys.n_constraints > 0 && constraint_method != CONSTRAINTS_PROJECT;
    if (r->integrator)
        r->method->destroy(r->integrator);
    r->integrator = NULL;
    r->now.method = number;
    r->now.constraint_method = constraint_method;
    r->method = constrained ? &method_constrained : method_choose(number);
}

daedal_status run_put_method(run *r, const method_choice *choice)
{
    r->now.method_reason = r->structure.method_reason = choice->reason;
    if (choice->method == r->now.method && r->integrator)
        return DAEDAL_OK;
    run_use_method(r, choice->method, r->now.constraint_method);
    run_log(r, DAEDAL_LOG_INFO, "method %s: %s", method_choose(choice->method)->name,
            choice->reason);
    return run_make_integrator(r);
}

static choice_facts facts_of(run *r)
{
    choice_facts facts = {.n = r->n,
                          .entries = pattern_nnz(&r->matrix.pattern.view),
                          .index = highest_index(r),
                          .rtol = tightest(r),
                          .is_nonsmooth = r->system.sys.is_nonsmooth != 0,
                          .is_iterative = matrix_is_iterative(&r->matrix),
                          .asks_for_bdf = r->asked.error_test != ERROR_GATED || r->sensitivities,
                          .has_sensitivities = r->sensitivities != NULL,
                          .jacobian_price = matrix_price(&r->matrix)};
    if (method_depends_on_price(&facts))
        facts.factor_price = factor_price(r);
    return facts;
}

method_choice run_implicit_method(run *r)
{
    choice_facts facts = facts_of(r);
    return method_for(&facts);
}

/* A few steps after each restart: an explicit method, which begins with short ones, has no time. */
static bool restarts_often(const run *r)
{
    enum { OFTEN = 4, STEPS_BETWEEN = 8 };
    return r->stats.restarts >= OFTEN && r->stats.steps < STEPS_BETWEEN * r->stats.restarts;
}

/* What failed is not chosen again, and steps tell more than what is known before them. */
daedal_status run_choose_method(run *r, double span)
{
    if (!run_is_automatic(r) || r->now.failed_methods != 0 || r->now.evidence.decides)
        return DAEDAL_OK;
    choice_facts facts = facts_of(r);
    bool asks_for_gmres = r->asked.linear_solver == LINSOLVER_GMRES || r->asked.own_preconditioner;
    if (method_may_be_explicit(&facts) && !asks_for_gmres)
        run_look_at_slopes(r);
    facts.is_explicit = r->now.evidence.is_explicit && !restarts_often(r);
    facts.stiffness = r->now.evidence.radius * span;
    facts.activity = r->now.evidence.rate / fmax(r->now.evidence.radius, DBL_MIN);
    method_choice choice = method_for(&facts);
    return run_put_method(r, &choice);
}

daedal_status run_take_method(run *r, const method_choice *choice)
{
    r->start.h_before = fabs(r->stats.h_last);
    r->started = false; /* unless all goes well */
    RETURN_UNLESS_OK(run_put_method(r, choice));
    r->started = true;
    r->fresh = r->now.evidence.changes = true;
    return DAEDAL_OK;
}

/* A start that we made consistent is not the user's fault. */
bool run_may_be_the_method(const run *r, daedal_status failure)
{
    bool start_is_ours = r->asked.start != START_GIVEN;
    return failure_is(failure, STEP_FAILURE) ||
           (failure == DAEDAL_ERR_INCONSISTENT && start_is_ours);
}

daedal_status run_change_method(run *r, daedal_status failure, bool *changed)
{
    if (!run_is_automatic(r) || !run_may_be_the_method(r, failure))
        return DAEDAL_OK;
    if (r->now.method == METHOD_DOPRI && run_name_cause(r, failure)) /* no method goes on there */
        return DAEDAL_OK;
    r->now.failed_methods |= 1u << r->now.method;
    method_choice next = method_after(r->now.method, r->now.failed_methods, highest_index(r));
    if (next.method < 0)
        return DAEDAL_OK;
    daedal_diagnosis first = r->why;
    method_choice before = {r->now.method, r->now.method_reason};
    size_t bytes = (size_t)r->n * sizeof(double);
    memcpy(r->y_before, r->y, bytes);
    memcpy(r->yp_before, r->yp, bytes);
    *changed = true;
    r->started = false; /* unless all goes well */
    RETURN_UNLESS_OK(run_put_method(r, &next));
    r->started = true;
    diagnosis_clear(&r->why);
    daedal_status status = run_resume(r);
    if (!failure_is(status, STEP_FAILURE | START_FAILURE))
        return status;
    r->started = false; /* report the failed steps, not that the other method cannot begin there */
    RETURN_UNLESS_OK(run_put_method(r, &before));
    r->started = true;
    r->now.failed_methods = 0;
    r->fresh = true;
    sensitivities_renew(r);
    r->why = first;
    memcpy(r->y, r->y_before, bytes);
    memcpy(r->yp, r->yp_before, bytes);
    *changed = false;
    return DAEDAL_OK;
}
