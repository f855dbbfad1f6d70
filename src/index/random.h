/* index/random.h - seeded random numbers: splitmix64.
 *
 * Responsibility: the same sequence on every machine, so that the same calls give the
 * same answer.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_INDEX_RANDOM_H
#define DAEDAL_INDEX_RANDOM_H

#include <stdint.h>

#define RANDOM_SEED 0x9e3779b97f4a7c15u

static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline double random_uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(random_next(state) >> 11) * 0x1p-53);
}

/* Of size 1/2 .. 1, with either sign. */
static inline double random_share(uint64_t *state)
{
    double x = random_uniform(state, -0.5, 0.5);
    return x < 0.0 ? x - 0.5 : x + 0.5;
}
#endif
