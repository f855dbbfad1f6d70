/* base/random.h - the sequences of numbers without order that the library draws from.
 *
 * Responsibility: the same numbers on every machine, so that the same calls give the same
 * answer.  random_* is the linear congruential generator modulo 2^64 of Knuth (MMIX), of which only
 * the high bits are used; random_bits_at gives the numbers of any place of a sequence without those
 * before it, for runs that are made in any order.  spread_* are the multiples of an irrational
 * number modulo 1: they are not random, but spread more evenly, and no two of them are close.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_BASE_RANDOM_H
#define DAEDAL_BASE_RANDOM_H

#include <stdint.h>

#define RANDOM_SEED 88172645463325252u
#define GOLDEN_RATIO 0.61803398874989485 /* the irrational number worst to approximate */
#define GOLDEN_BITS 0x9e3779b97f4a7c15u  /* the same times 2^64, an odd number            */

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

/* The finalizer of SplitMix64 [SLF14]: a bijection whose result looks random. */
static inline uint64_t random_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* 64 random bits: number `counter` of the sequence that seed and stream name. */
static inline uint64_t random_bits_at(uint64_t seed, uint32_t stream, uint64_t counter)
{
    uint64_t begin = random_mix(random_mix(seed + GOLDEN_BITS) + stream * GOLDEN_BITS);
    return random_mix(begin + (counter + 1) * GOLDEN_BITS);
}

/* The middle of that one of 2^52 equal parts of (0, 1) which the high bits name. */
static inline double random_unit(uint64_t bits)
{
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
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
