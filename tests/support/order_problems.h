/* support/order_problems.h - small systems on which the orders of methods are tabulated.
 *
 * Responsibility: the test problems of [BCP96] chapters 3, 4 and 6, as trial_problem.
 * Depends on: fixed_step.h.                                                     */
#ifndef DAEDAL_SUPPORT_ORDER_PROBLEMS_H
#define DAEDAL_SUPPORT_ORDER_PROBLEMS_H

#include "fixed_step.h"

/* y_1 = sin t, y_i = y_{i-1}': index n = 1 .. 4, [BCP96] (3.1.4) for n = 3. */
trial_problem problem_canonical(int32_t n);

/* A chain of `index` variables (1 .. 3) with independent inputs, y_1 = f_1, y_i = y_{i-1}' + f_i,
 * and a regular part x' = -x behind it.                                                 */
trial_problem problem_chain(int32_t index);

/* [BCP96] (4.3.33): uniform index 1, x = e^-t + t sin t, y = sin t. */
trial_problem problem_coupled(void);

/* w + w^3 = given for w = y1' + t y2', and y2 + y1^2 / 2 = given; y1 = e^-t, y2 = cos t. */
trial_problem problem_implicit(void);

/* x' = -x + y/2, 0 = y + x^2 - sin t, x(0) = 1/2. */
trial_problem problem_semi_explicit(void);

/* y' = z, eps z' = -(z - t^2 - 2 eps t): y = t^3/3, z = t^2; index 1 for eps = 0. */
trial_problem problem_stiff_pair(double *eps);

/* A pendulum of length 1: x' = u, y' = v, u' = -F x, v' = -F y - gravity, from (1, 0) with speed
 * (0, v0), and its rod as the level says:
 *   1  u^2 + v^2 = F + gravity y          index 1
 *   2  x u + y v = 0                      index 2
 *   3  x^2 + y^2 = 1                      index 3
 *   PENDULUM_GGL  levels 2 and 3 with a second multiplier m: x' = u - m x, y' = v - m y, index 2
 * Unknowns x, y, u, v, F, (m).  [BCP96] (4.4.9) and 6.2.                          */
enum { PENDULUM_GGL = 4 };
typedef struct pendulum {
    double gravity, v0;
    int32_t level;
} pendulum;

extern const pendulum PENDULUM_RISING; /* of [BCP96] 6.2, whose tables belong to gravity -1 */
extern const pendulum PENDULUM_VELOCITY, PENDULUM_POSITION, PENDULUM_STABILIZED; /* gravity 1, at
                                                                                   rest */
trial_problem problem_pendulum(const pendulum *which);                           /* to t = 1 */
#endif
