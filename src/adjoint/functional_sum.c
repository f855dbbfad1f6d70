/* adjoint/functional_sum.c - see backward_run.h: the integral of the integrand along the run
 * forward.
 *
 * Steps of the run do not know the integrand: where it varies faster they are halved. */
#include <math.h>

#include "adjoint/backward_run.h"

/* What five values in an interval tell: the integral, its difference to a formula of degree 3, and
 * the integral of the absolute value.                                             */
typedef struct interval_sum {
    double value, difference, size;
} interval_sum;

static int evaluate(functional_sum *sum, solution_record *record, double t, double *value)
{
    solution_at(record, t, sum->y, NULL);
    int answer = functional_value(sum->g, &sum->g->integrand, t, sum->y, value);
    sum->is_bad = answer != DAEDAL_CALL_OK;
    sum->t_bad = t;
    return answer;
}

static int sum_interval(functional_sum *sum, solution_record *record, double from, double to,
                        interval_sum *found)
{
    double half = 0.5 * (to - from), middle = from + half, value;
    int answer = DAEDAL_CALL_OK;
    *found = (interval_sum){0};
    for (int k = 0; k < KRONROD_POINTS && answer == DAEDAL_CALL_OK; k++) {
        answer = evaluate(sum, record, middle + KRONROD_AT[k] * half, &value);
        found->value += half * KRONROD_WEIGHT[k] * value;
        found->difference += half * kronrod_difference(k) * value;
        found->size += fabs(half) * KRONROD_WEIGHT[k] * fabs(value);
    }
    return answer;
}

/* The error by the difference of both formulas, as in QUADPACK [PDUK83]. */
static double error_of(const interval_sum *found)
{
    double difference = fabs(found->difference);
    double share = found->size > 0.0 ? pow(200.0 * difference / found->size, 1.5) : 1.0;
    return difference * fmin(share, 1.0);
}

static int add_interval(functional_sum *sum, solution_record *record, double from, double to,
                        int halvings)
{
    const double part = 0.1; /* of the tolerance */
    interval_sum found;
    int answer = sum_interval(sum, record, from, to, &found);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    if (halvings > 0 && error_of(&found) > part * sum->tolerance * (sum->size + found.size)) {
        double middle = 0.5 * (from + to);
        answer = add_interval(sum, record, from, middle, halvings - 1);
        return answer == DAEDAL_CALL_OK ? add_interval(sum, record, middle, to, halvings - 1)
                                        : answer;
    }
    sum->value += found.value;
    sum->size += found.size;
    return answer;
}

int functional_add_step(solution_record *record, void *user)
{
    enum { HALVINGS_MAX = 16 };
    functional_sum *sum = user;
    const recorded_step *step = &record->steps[record->n_steps - 1];
    if (!sum->g->integrand.value)
        return DAEDAL_CALL_OK;
    return add_interval(sum, record, step->t_from, step->t_to, HALVINGS_MAX);
}
