/* integ/troubles.c - see troubles.h. */
#include "integ/troubles.h"

#include <float.h>
#include <math.h>

#include "base/status.h"

/* Say what most of the failed attempts had in common. */
static daedal_status give_up(const troubles *seen, const troubles_place *at)
{
    daedal_diagnosis *why = at->in->why;
    if (2 * seen->retry >= seen->newton)
        return evaluator_explain(at->in->ev, why);
    if (2 * seen->singular >= seen->newton)
        return fail(why, DAEDAL_ERR_SINGULAR,
                    "the iteration matrix is singular at t = %.10g for every step size tried",
                    at->t);
    return fail(why, DAEDAL_ERR_NEWTON,
                "the nonlinear equations at t = %.10g could not be solved, however small the step",
                at->t);
}

daedal_status troubles_note_newton(troubles *seen, const troubles_place *at, newton_outcome why)
{
    enum { SINGULAR_MAX = 4 };
    if (why == NEWTON_STOP)
        return DAEDAL_STOPPED;
    if (why == NEWTON_FAIL)
        return evaluator_explain(at->in->ev, at->in->why);
    if (why == NEWTON_MEMORY)
        return fail(at->in->why, DAEDAL_ERR_MEMORY, "out of memory in the linear solver");
    at->in->stats->rejected_newton++;
    seen->newton++;
    seen->singular += why == NEWTON_SINGULAR;
    seen->retry += why == NEWTON_RETRY;
    if (seen->singular > SINGULAR_MAX || seen->newton >= seen->newton_max)
        return give_up(seen, at);
    return DAEDAL_OK;
}

daedal_status troubles_note_constraints(troubles *seen, const troubles_place *at)
{
    enum { ATTEMPTS_MAX = 25 };
    at->in->stats->rejected_error++;
    at->in->constraints->refused = ++seen->constraints > ATTEMPTS_MAX;
    if (at->in->constraints->refused)
        return fail(at->in->why, DAEDAL_ERR_STEP_TOO_SMALL,
                    "the constraints could not be met near t = %.10g, however small the step: they "
                    "contradict one another or depend on one another there",
                    at->t);
    return DAEDAL_OK;
}

daedal_status troubles_respect_min_step(const troubles *seen, const troubles_place *at, double *h)
{
    double least = at->in->options->min_step;
    if (seen->error + seen->newton == 0 || fabs(*h) >= least)
        return DAEDAL_OK;
    if (fabs(at->h_tried) <= least)
        return fail(at->in->why, DAEDAL_ERR_STEP_TOO_SMALL,
                    "the step at t = %.10g failed at the smallest size allowed, min_step = %.3g",
                    at->t, least);
    *h = copysign(least, *h);
    return DAEDAL_OK;
}

daedal_status troubles_check_step(const troubles *seen, const troubles_place *at)
{
    double least = 4.0 * DBL_EPSILON * fabs(at->t);
    if (fabs(at->h) > least || (seen->error == 0 && seen->newton == 0 && at->t + at->h != at->t))
        return DAEDAL_OK;
    at->in->constraints->refused = seen->constraints > 0;
    if (seen->newton > seen->error)
        return give_up(seen, at);
    if (seen->error > 0 && at->first)
        return fail(at->in->why, DAEDAL_ERR_INCONSISTENT,
                    "no step from t = %.10g is small enough for the error test: the start is "
                    "inconsistent, or the index exceeds one",
                    at->t);
    if (seen->error > 0)
        return fail(at->in->why, DAEDAL_ERR_ERROR_TEST,
                    "the error test at t = %.10g failed %d times; the step fell to %.3g", at->t,
                    (int)seen->error, at->h);
    return fail(at->in->why, DAEDAL_ERR_STEP_TOO_SMALL, "the step at t = %.10g fell to %.3g", at->t,
                at->h);
}

daedal_status troubles_inconsistent(const troubles_place *at)
{
    return fail(at->in->why, DAEDAL_ERR_INCONSISTENT,
                "the error of the first step from t = %.10g does not shrink with the step size: "
                "the start is inconsistent, or the index exceeds one",
                at->t);
}

daedal_status troubles_project(const troubles_place *at, troubles_move *to)
{
    const double slightly_off = 0.1; /* of a weight */
    double by = 0.0;
    to->changed = to->far = false;
    if (at->in->constraints->n_levels == 0)
        return DAEDAL_OK;
    switch (projection_apply(at->in->constraints, to->t, to->y, to->inverse_weight, &by)) {
    case PROJECTION_STOP:
        return DAEDAL_STOPPED;
    case PROJECTION_FAIL:
        return evaluator_explain(at->in->ev, at->in->why);
    case PROJECTION_FAR:
        to->far = true;
        return DAEDAL_OK;
    case PROJECTION_DONE:
        break;
    }
    bool leap = by > 1.0; /* though hardly off: the constraints nearly depend on one another */
    to->far = leap && at->in->constraints->largest > slightly_off;
    to->changed = !leap;
    at->in->stats->projections++;
    return DAEDAL_OK;
}
