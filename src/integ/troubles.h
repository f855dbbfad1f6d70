/* integ/troubles.h - what has gone wrong in the step under way, and what to say of it.
 *
 * Responsibility: the counts every method keeps while it repeats a step, the limits below
 * which no step is tried, and the sentences when all attempts have failed.
 * Depends on: integ/method.h, nonlinear/newton.h.                               */
#ifndef DAEDAL_INTEG_TROUBLES_H
#define DAEDAL_INTEG_TROUBLES_H

#include "integ/method.h"
#include "nonlinear/newton.h"

typedef struct troubles {
    int32_t error, newton, singular, retry, constraints;
    int32_t newton_max; /* failures of Newton after which the step is given up */
} troubles;

/* Where a method stands. */
typedef struct troubles_place {
    const integ_context *in;
    double t, h, h_tried;
    bool first; /* no step has been accepted since begin */
} troubles_place;

/* Count a failure of Newton; anything but DAEDAL_OK ends the call. */
daedal_status troubles_note_newton(troubles *seen, const troubles_place *at, newton_outcome why);

/* Count a step that left the reach of the constraints. */
daedal_status troubles_note_constraints(troubles *seen, const troubles_place *at);

/* A retreat goes to min_step at the least, *h is raised to it; that it failed there ends the run.
 */
daedal_status troubles_respect_min_step(const troubles *seen, const troubles_place *at, double *h);

/* Has h fallen to roundoff of t? */
daedal_status troubles_check_step(const troubles *seen, const troubles_place *at);

/* The error of the first step does not shrink with its size. */
daedal_status troubles_inconsistent(const troubles_place *at);

/* Move y, the end of a step at t, onto the constraints. */
typedef struct troubles_move {
    double t;
    double *y; /* in: the end of the step; out: moved, if `changed`                    */
    const double *inverse_weight;
    bool changed; /* false: it is hardly off, but could be met by leaps only: leave it */
    bool far;     /* the step has left the reach of the constraints: not to be taken   */
} troubles_move;

daedal_status troubles_project(const troubles_place *at, troubles_move *to);
#endif
