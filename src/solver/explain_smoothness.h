/* solver/explain_smoothness.h - is F smooth where a run got stuck?
 *
 * Responsibility: values that differ from call to call, jumps, kinks and slopes without bound,
 * with the direction in which they lie; by calling F only.
 * Depends on: solver/explain.h.                                                */
#ifndef DAEDAL_SOLVER_EXPLAIN_SMOOTHNESS_H
#define DAEDAL_SOLVER_EXPLAIN_SMOOTHNESS_H

#include "solver/explain.h"

typedef enum roughness {
    ROUGHNESS_NONE,
    ROUGHNESS_NOISE, /* two calls with the same arguments differ  */
    ROUGHNESS_JUMP,
    ROUGHNESS_STEEP, /* slopes grow without bound                 */
    ROUGHNESS_KINK
} roughness;

/* What was found, and where. */
typedef struct explain_rough {
    roughness what;
    int32_t equation;
    int32_t variable;   /* -1: time, or along the solution           */
    bool of_derivative; /* in y' of the variable                     */
} explain_rough;

/* Looks along t (no further than `reach`, up to where F may be asked), along the solution, and
 * along each y and y' of up to 500 unknowns.  Noise and jumps are found first.  false: out of
 * memory, or F ended the run.                                                    */
bool explain_find_roughness(const explain_point *at, double reach, explain_rough *found);

/* Does F jump in some y, not just here but near: within 1e-5 of its size? */
bool explain_find_jump_nearby(const explain_point *at, explain_rough *found);

/* Say so in the diagnosis. */
void explain_by_roughness(const explain_point *at, const explain_rough *found);
#endif
