/* solver/array_fallback.c - the derivative array, where no other method goes on.
 *
 * `auto` takes the method `array` in two cases: the index is above what other methods take, or no
 * start was found that satisfies hidden constraints; and where steps fail although there are such
 * constraints, since all direct methods are unstable on some systems of index 2 and 3 ([BCP96]
 * (3.1.13)).  What they have computed up to then is not trusted further than the last state that
 * the user has seen: the run goes on from there.                                    */
#include <math.h>
#include <string.h>

#include "arrays/start_on_array.h"
#include "base/status.h"
#include "solver/run.h"
#include "solver/sensitivity.h"

void run_note_seen_state(run *r)
{
    size_t bytes = (size_t)r->n * sizeof(double);
    r->start.seen.t = r->state.t;
    r->start.seen.at_event = r->at_event;
    memcpy(r->start.seen.y, r->y, bytes);
    memcpy(r->start.seen.yp, r->yp, bytes);
}

bool run_may_take_array(const run *r)
{
    return run_is_automatic(r) && r->n <= ARRAY_UNKNOWNS_MAX && r->now.method != METHOD_ARRAY &&
           !r->after_step.call && !r->sensitivities && r->system.sys.n_constraints == 0 &&
           !r->system.sys.variable_index.at && !(r->now.failed_methods >> METHOD_ARRAY & 1);
}

daedal_status run_start_on_array(run *r, bool *done)
{
    double *floor = memory_take_array(r->allocator, (size_t)r->n, sizeof(double));
    *done = false;
    if (!floor)
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory at the start");
    for (int32_t j = 0; j < r->n; j++)
        floor[j] = run_least_size(r, j);
    equivalent_setup setup = {&r->system.sys, &r->matrix, &r->stats, &r->why, r->allocator};
    equivalent_begin from = {.t = r->state.t,
                             .t_last = isnan(r->limits.t_stop) ? HUGE_VAL : r->limits.t_stop,
                             .time = run_calm_time(r, r->state.t, r->y, r->yp),
                             .y = r->y,
                             .yp = r->yp,
                             .inverse_weight = r->inverse_weight,
                             .floor = floor};
    daedal_status status = start_on_array(&setup, &from, r->y, r->yp);
    memory_give(r->allocator, floor, (size_t)r->n * sizeof(double));
    *done = status == DAEDAL_OK;
    if (!failure_is(status, NUMERIC_FAILURE) && status != DAEDAL_ERR_INDEX)
        return status;
    return DAEDAL_OK;
}

/* Where the search for the index did not decide, or was not made, the matrix does. */
bool run_has_hidden_constraints(run *r)
{
    const index_answer *found = &r->index.answer;
    bool is_known = found->verdict == INDEX_FOUND && found->index > 0; /* 0 also without a search */
    return is_known ? found->index > 1
                    : run_has_high_index(r) || !run_index_is_low(r, false, false);
}

daedal_status run_start_otherwise(run *r, daedal_status status, bool *done)
{
    bool hidden =
        status == DAEDAL_ERR_INDEX || (failure_is(status, START_FAILURE) && run_may_take_array(r) &&
                                       run_has_hidden_constraints(r));
    *done = false;
    if (!hidden || !run_may_take_array(r))
        return DAEDAL_OK;
    size_t bytes = (size_t)r->n * sizeof(double);
    daedal_diagnosis first = r->why;
    memcpy(r->y, r->start.y_given, bytes);
    memcpy(r->yp, r->start.yp_given, bytes);
    diagnosis_clear(&r->why);
    RETURN_UNLESS_OK(run_start_on_array(r, done));
    if (!*done) {
        r->why = first;
        return DAEDAL_OK;
    }
    method_choice choice = {METHOD_ARRAY, "no other method takes the index"};
    r->now.evidence.decides = true;
    return run_put_method(r, &choice);
}

static void go_back(run *r)
{
    size_t bytes = (size_t)r->n * sizeof(double);
    r->state.t = r->start.seen.t;
    memcpy(r->y, r->start.seen.y, bytes);
    memcpy(r->yp, r->start.seen.yp, bytes);
}

/* The array does not help where the solution ends, jumps or leaves what it is defined for. */
static bool may_be_unstable(run *r)
{
    const double near = 0.03; /* of a variable */
    switch (r->why.cause) {
    case DAEDAL_CAUSE_IMPASSE: /* is told of singular pencils, too */
        return !run_levels_are_singular(r, near);
    case DAEDAL_CAUSE_DISCONTINUITY:
    case DAEDAL_CAUSE_BLOW_UP:
    case DAEDAL_CAUSE_DOMAIN_ERROR:
    case DAEDAL_CAUSE_BOUNDS:
    case DAEDAL_CAUSE_CALLBACK_FAILED:
        return false;
    default:
        return true;
    }
}

daedal_status run_blame_first_methods(run *r, daedal_status status)
{
    if (r->now.method != METHOD_ARRAY || !run_is_automatic(r) || r->start.seen.why.status >= 0)
        return status;
    r->why = r->start.seen.why;
    return r->why.status;
}

daedal_status run_go_on_by_array(run *r, daedal_status failure, bool *changed)
{
    if (!failure_is(failure, NUMERIC_FAILURE) || !may_be_unstable(r))
        return DAEDAL_OK;
    size_t bytes = (size_t)r->n * sizeof(double);
    daedal_diagnosis first = r->start.seen.why = r->why;
    double t = r->state.t;
    method_choice before = {r->now.method, r->now.method_reason},
                  next = {METHOD_ARRAY, "other methods are unstable"};
    r->now.failed_methods |= 1u << r->now.method;
    memcpy(r->y_before, r->y, bytes);
    memcpy(r->yp_before, r->yp, bytes);
    r->started = false; /* unless all goes well */
    RETURN_UNLESS_OK(run_put_method(r, &next));
    go_back(r);
    diagnosis_clear(&r->why);
    r->started = true;
    r->at_event = r->start.seen.at_event; /* what has fired there does not fire again */
    daedal_status status = run_resume(r);
    r->at_event = false;
    if (!failure_is(status, NUMERIC_FAILURE)) {
        *changed = true;
        return status;
    }
    r->started = false;
    RETURN_UNLESS_OK(run_put_method(r, &before));
    r->started = true;
    r->fresh = true;
    r->now.failed_methods |= 1u << METHOD_ARRAY;
    r->state.t = t;
    r->why = first;
    memcpy(r->y, r->y_before, bytes);
    memcpy(r->yp, r->yp_before, bytes);
    return DAEDAL_OK;
}
