/* support/seeded.h - random test data from a seed that every failure names.
 *
 * Responsibility: a small generator (xorshift64*), and an assertion that prints the
 * seed, so that a failing case can be repeated alone.
 * Depends on: cmocka.                                                             */
#ifndef DAEDAL_SUPPORT_SEEDED_H
#define DAEDAL_SUPPORT_SEEDED_H

#include <stdbool.h>
#include <stdint.h>

typedef struct seeded {
    uint64_t state;
    uint32_t seed;
} seeded;

seeded seeded_begin(uint32_t seed);
double seeded_uniform(seeded *s, double low, double high);
double seeded_ratio(seeded *s, double low, double high);        /* evenly in the logarithm */
double seeded_sign(seeded *s);                                  /* -1 or 1                  */
int32_t seeded_int(seeded *s, int32_t low, int32_t high);       /* both included            */
void seeded_fill(seeded *s, double *v, int32_t n, double size); /* uniform in -size .. size */

/* Fail the test with the seed and the sentence, unless it holds. */
void seeded_require(const seeded *s, bool holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#endif
