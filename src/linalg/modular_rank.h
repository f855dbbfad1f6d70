/* linalg/modular_rank.h - exact ranks: matrices of fractions, modulo a prime.
 *
 * Responsibility: numbers as the fractions they were meant to be, and elimination without
 * rounding.  A rank modulo p is never larger than the true one, and smaller only if p divides one
 * of a few determinants: with primes near 2^31 that has to be sought for.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_LINALG_MODULAR_RANK_H
#define DAEDAL_LINALG_MODULAR_RANK_H

#include "base/memory.h"

enum { MODULAR_PRIMES = 2 };
extern const uint32_t modular_primes[MODULAR_PRIMES];

/* x as a fraction modulo p: a short one that rounding makes x, so that 0.3 is 3/10 and 0.333... is
 * 1/3; else exactly what the bits say.  x is finite.                             */
uint32_t modular_of(double x, uint32_t p);
/* Whether there is such a fraction.  Results of rounded arithmetic have none. */
bool modular_is_short(double x);

/* Matrices are n x n by rows, entries below p. */
int32_t modular_rank(const uint32_t *a, int32_t n, uint32_t p, uint32_t *work);
/* b = a^-1 b, a is destroyed; false: a is singular. */
bool modular_solve(uint32_t *a, uint32_t *b, int32_t n, uint32_t p);
/* c = a b */
void modular_multiply(const uint32_t *a, const uint32_t *b, uint32_t *c, int32_t n, uint32_t p);
#endif
