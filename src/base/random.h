/* base/random.h - the two sequences of numbers without order that the library draws from.
 *
 * Responsibility: the same numbers on every machine, so that the same calls give the same
 * answer.  random_* is the linear congruential generator modulo 2^64 of Knuth (MMIX), of which only
 * the high bits are used.  spread_* are the multiples of an irrational number modulo 1: they are
 * not random, but spread more evenly, and no two of them are close.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_BASE_RANDOM_H
#define DAEDAL_BASE_RANDOM_H

#include <stdint.h>

#define RANDOM_SEED 88172645463325252u
#define GOLDEN_RATIO 0.61803398874989485 /* the irrational number worst to approximate */

/* An integer of 32 random bits. */
static inline uint32_t random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

static inline double random_uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(random_next(state) >> 8) * 0x1p-24);
}

/* Of size 1/2 .. 1, with either sign. */
static inline double random_share(uint64_t *state)
{
    double x = random_uniform(state, -0.5, 0.5);
    return x < 0.0 ? x - 0.5 : x + 0.5;
}

/* The next multiple of `ratio` modulo 1; the state begins with 0. */
static inline double spread_next(double *state, double ratio)
{
    return *state += *state + ratio < 1.0 ? ratio : ratio - 1.0;
}

/* Of size 1/2 .. 1, with either sign. */
static inline double spread_share(double *state)
{
    double x = spread_next(state, GOLDEN_RATIO);
    return x < 0.5 ? x - 1.0 : x;
}

/* Of size 0.06 .. 0.3: to move the values of a generic point by a few percent. */
static inline double spread_small(double *state)
{
    return 0.06 + 0.24 * spread_next(state, GOLDEN_RATIO);
}
#endif
