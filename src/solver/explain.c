/* solver/explain.c - see explain.h. */
#include "solver/explain.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "linalg/vector.h"

static const double ROUNDOFF = 4.0 * DBL_EPSILON; /* of a value after some operations */

static void blame_variable(const explain_point *at, const char *text, int32_t j)
{
    char name[96];
    if (j < 0)
        return;
    message_append(at->why, text, evaluator_variable_name(at->ev->sys, j, name, sizeof name));
    at->why->variable = j;
}

/* A tolerance without an absolute part cannot be met where the variable vanishes. */
static bool lost_its_weight(const explain_point *at, int32_t j)
{
    return j >= 0 && at->inverse_weight[j] >= 1e270;
}

/* What no step can meet, however small: true, and said, if some tolerance is of that kind. */
static bool asks_too_much(const explain_point *at)
{
    daedal_status status = at->why->status;
    int32_t j = vector_largest_weighted(at->y, at->inverse_weight, at->ev->n);
    if ((status != DAEDAL_ERR_ERROR_TEST && status != DAEDAL_ERR_INCONSISTENT &&
         status != DAEDAL_ERR_STEP_TOO_SMALL) ||
        lost_its_weight(at, j) || !(ROUNDOFF * fabs(at->y[j]) * at->inverse_weight[j] >= 1.0))
        return false;
    blame_variable(at, "; the tolerance of %s is less than its roundoff", j);
    hint(at->why, "loosen rtol or atol: double precision has 16 digits");
    set_cause(at->why, DAEDAL_CAUSE_TOLERANCE_TOO_SMALL);
    return true;
}

void explain_failure(const explain_point *at, int32_t worst)
{
    daedal_diagnosis *d = at->why;
    d->t = at->t;
    if (d->variable >= 0 || asks_too_much(at)) /* whoever gave up may have known who is to blame */
        return;
    switch (d->status) {
    case DAEDAL_ERR_SINGULAR:
        blame_variable(at, "; no pivot for %s", matrix_blame(at->matrix));
        hint(d,
             "an equation repeats another, a variable is undetermined, or the index exceeds one");
        break;
    case DAEDAL_ERR_ERROR_TEST:
    case DAEDAL_ERR_INCONSISTENT:
        blame_variable(at, "; the largest error is in %s", worst);
        if (lost_its_weight(at, worst))
            hint(d,
                 "its absolute tolerance is zero and it passes through zero: set atol > 0 for it");
        else if (d->status == DAEDAL_ERR_INCONSISTENT)
            hint(d, "have the start made consistent (option start), or reduce the index");
        else
            hint(d, "look for a discontinuity (give it as an event or in breakpoints), an index "
                    "above one, or "
                    "a tolerance below the noise of F");
        break;
    case DAEDAL_ERR_NEWTON:
        blame_variable(at, "; the largest correction is in %s", worst);
        hint(d,
             "check a given Jacobian (option check_jacobian), the smoothness of F, and the index");
        break;
    case DAEDAL_ERR_STEP_TOO_SMALL:
        if (lost_its_weight(at, worst)) {
            blame_variable(at, "; the weight of %s vanishes", worst);
            hint(d,
                 "its absolute tolerance is zero and it passes through zero: set atol > 0 for it");
            break;
        }
        hint(d, "a singularity of the solution may be near; see also the option min_step");
        break;
    default:
        break;
    }
}
