/* linalg/damped_newton.c - see damped_newton.h. */
#include "linalg/damped_newton.h"

#include <stdbool.h>
#include <stddef.h>

damped_outcome damped_newton_step(damped_newton *d)
{
    double reduction = d->reduction > 0.0 ? d->reduction : 0.5;
    d->share = 1.0;
    for (int k = 0; k < d->halvings_max; k++, d->share *= reduction) {
        double size = 0.0;
        damped_reply reply = d->try_share(d->self, d->share, &size);
        if (reply == DAMPED_ABORT)
            return DAMPED_ABORTED;
        bool helps = size <= (1.0 - d->decrease * d->share) * d->size || size <= d->negligible;
        if (reply == DAMPED_ENOUGH || (reply == DAMPED_OK && helps)) {
            if (d->accept)
                d->accept(d->self, d->share);
            return DAMPED_FOUND;
        }
    }
    d->share = 0.0;
    if (d->restore)
        d->restore(d->self);
    return DAMPED_STUCK;
}

static damped_outcome stuck(const damped_newton *d)
{
    return d->size <= d->tolerated ? DAMPED_FOUND : DAMPED_STUCK;
}

damped_outcome damped_newton_solve(damped_newton *d)
{
    for (int k = 0; k < d->iterations_max; k++) {
        damped_reply reply = d->measure(d->self, &d->size);
        if (reply == DAMPED_ENOUGH || (reply == DAMPED_OK && d->size <= d->solved))
            return DAMPED_FOUND;
        if (reply != DAMPED_OK)
            return reply == DAMPED_ABORT ? DAMPED_ABORTED : DAMPED_NO_VALUE;
        if (d->find_step && d->find_step(d->self) != DAMPED_OK)
            return stuck(d);
        damped_outcome outcome = damped_newton_step(d);
        if (outcome != DAMPED_FOUND)
            return outcome == DAMPED_STUCK ? stuck(d) : outcome;
        if (d->share == 1.0 && d->size <= d->last)
            return DAMPED_FOUND;
    }
    return DAMPED_EXHAUSTED;
}
