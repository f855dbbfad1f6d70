/* solver/smoothness.h - find where F is not smooth, after a run has failed.
 *
 * Responsibility: values that differ from call to call, jumps, kinks and slopes without bound,
 * with the direction in which they lie; by calling F only.
 * Depends on: solver/explain.h.                                                */
#ifndef DAEDAL_SOLVER_SMOOTHNESS_H
#define DAEDAL_SOLVER_SMOOTHNESS_H

#include "solver/explain.h"

typedef enum roughness {
    ROUGHNESS_NONE,
    ROUGHNESS_NOISE, /* two calls with the same arguments differ  */
    ROUGHNESS_JUMP,
    ROUGHNESS_STEEP, /* derivatives grow without bound               */
    ROUGHNESS_KINK
} roughness;

/* What was found, and where. */
typedef struct smoothness_defect {
    roughness what;
    int32_t equation;
    int32_t variable;   /* -1: time, or along the solution           */
    bool of_derivative; /* in y' of the variable                     */
} smoothness_defect;

/* Looks along t (no further than `reach`, up to where F may be asked), along the solution, and
 * along each y and y' of up to 500 unknowns.  Noise and jumps are found first.  false: out of
 * memory, or F ended the run.                                                    */
bool smoothness_find(const explain_point *at, double reach, smoothness_defect *found);

/* Whether F jumps in some y, here or nearby: within 1e-5 of the size of y. */
bool smoothness_find_jump(const explain_point *at, smoothness_defect *found);

/* Work space, n each. */
typedef struct smoothness_work {
    double *y, *whole, *noise, *f[3];
} smoothness_work;

/* Whether F jumps on the straight way from a point to another, by bisection: 40 calls of F.  The
 * derivatives stay those of the first point, and so does variable `held`, which would follow.
 * The time of the jump into *t.                                                     */
bool smoothness_jumps_between(const explain_point *from, double t_end, const double *y_end,
                              int32_t held, const smoothness_work *work, double *t);

/* Say so in the diagnosis. */
void smoothness_explain(const explain_point *at, const smoothness_defect *found);
#endif
