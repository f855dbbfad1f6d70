/* linear/steady_iteration.h - F(y) = 0 of n equations for n unknowns that may be dependent.
 *
 * Responsibility: Newton's iteration with damping and shortest steps, so that variables that the
 * equations do not determine keep their values; which ones these are; which equation is left over
 * where there is no solution.
 * Depends on: linalg/damped_newton.h, linalg/least_squares.h, linalg/full_svd.h.       */
#ifndef DAEDAL_LINEAR_STEADY_ITERATION_H
#define DAEDAL_LINEAR_STEADY_ITERATION_H

#include "base/memory.h"

typedef enum steady_reply { STEADY_VALUE, STEADY_NO_VALUE, STEADY_GIVE_UP } steady_reply;

typedef struct steady_problem {
    int32_t n;
    void *self;
    steady_reply (*residual)(void *self, const double *y, double *r);
    steady_reply (*jacobian)(void *self, const double *y,
                             double *a); /* dF/dy by columns, all of it */
    const double *size;                  /* n, positive: of the variables */
} steady_problem;

typedef enum steady_outcome {
    STEADY_FOUND,
    STEADY_NONE,      /* no step helps: `worst` is the equation that is farthest from holding */
    STEADY_UNDEFINED, /* F has no value at the first point                                   */
    STEADY_ABORTED,   /* a function answered STEADY_GIVE_UP                                   */
    STEADY_MEMORY
} steady_outcome;

typedef struct steady_result {
    steady_outcome outcome;
    int32_t worst;
    double uncertainty; /* the last step that would follow, in sizes                          */
    int32_t n_open;     /* dimension of what the equations do not determine at the solution       */
    bool *open; /* n, of the caller: variables that take part in it                        */
} steady_result;

/* From y, which becomes the solution, or the last iterate. */
void steady_solve(const steady_problem *p, double *y, steady_result *to, const daedal_allocator *a);
#endif
