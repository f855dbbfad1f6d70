/* boundary/parameter_path.h - solutions followed along a parameter.
 *
 * Responsibility: from a value of the parameter whose problem is easy to the one that is asked for,
 * each solution being the guess of the next one, in steps that grow where problems are solved and
 * shrink where they are not; and the words where the path ends.
 * Depends on: base/.                                                             */
#ifndef DAEDAL_BOUNDARY_PARAMETER_PATH_H
#define DAEDAL_BOUNDARY_PARAMETER_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

typedef struct parameter_path {
    double from, to;
    const char *name; /* of the parameter, as in "from <name> 0.1 to 0.5"                   */
    double least;     /* a share of the way: shorter steps are not tried                    */
    void *self;
    /* Solve the problem for a value, from the solution that is there. */
    daedal_status (*solve_at)(void *self, double value);
    /* Keep the solution that is there, or go back to the one kept last; false: no memory.  NULL: a
     * failure leaves the solution as it was. */
    bool (*keep)(void *self);
    bool (*go_back)(void *self);
    double done;   /* out: the share of the way that was solved */
    int32_t steps; /* out: values that were solved              */
} parameter_path;

/* A failure that another guess, or a problem nearby, may not have. */
bool path_may_go_on(daedal_status failure);

/* DAEDAL_OK: the problem at `to` is solved. */
daedal_status parameter_path_follow(parameter_path *p, daedal_diagnosis *why);
#endif
