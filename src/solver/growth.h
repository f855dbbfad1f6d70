/* solver/growth.h - how fast a solution changed in the last steps, and where that leads.
 *
 * Responsibility: remember the largest rate |y'_j| / (rtol_j |y_j| + atol_j) of each accepted step;
 * after a failure, tell whether it tends to infinity at a finite time, and in which way.
 * Depends on: linalg/vector.h.                                                  */
#ifndef DAEDAL_SOLVER_GROWTH_H
#define DAEDAL_SOLVER_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

enum { GROWTH_STEPS = 64 };

typedef struct growth_entry {
    double t, rate;
    double y, yp;     /* of the variable           */
    int32_t variable; /* that changes fastest      */
} growth_entry;

/* The last steps, as a ring.  Of steps with about the same rate only the last one is kept. */
typedef struct growth_history {
    int64_t count;       /* of entries ever written   */
    double longest_step; /* of the last ones          */
    growth_entry entry[GROWTH_STEPS];
} growth_history;

/* A point of the solution, with the tolerances that make its variables comparable. */
typedef struct growth_point {
    double t;
    const double *y, *yp, *rtol, *atol; /* n each */
    int32_t n;
} growth_point;

void growth_forget(growth_history *g);
void growth_note(growth_history *g, const growth_point *at);

typedef enum growth_kind {
    GROWTH_ORDINARY, /* the rate tends to no singularity                             */
    GROWTH_POLE,     /* as 1/(t* - t): the variable itself tends to infinity, or to zero  */
    GROWTH_FOLD      /* as a lower power of 1/(t* - t): the variable stays finite, its derivative
                        does not                                                     */
} growth_kind;

typedef struct growth_answer {
    growth_kind kind;
    double t_limit;   /* t*                                                       */
    double power;     /* of a pole: y grows as 1/(t* - t)^power                       */
    int32_t variable; /* that changes fastest                                       */
    bool outwards;
} growth_answer;

growth_answer growth_judge(const growth_history *g, const double *rtol);
#endif
