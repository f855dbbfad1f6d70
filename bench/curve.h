/* bench/curve.h - work-precision curves and their ratio at equal digits.
 *
 * A curve has one point per tolerance: digits reached, work spent.  Its envelope keeps
 * the points that no other point beats in both; between them log(work) is linear in
 * the digits.
 * Depends on: libc.                                                               */
#ifndef DAEDAL_BENCH_CURVE_H
#define DAEDAL_BENCH_CURVE_H

#include <stdbool.h>

enum { CURVE_MAX = 16 };

typedef struct curve {
    int n;
    double digits[CURVE_MAX], work[CURVE_MAX];
} curve;

/* Where two curves were compared, and what came out. */
typedef struct curve_ratio {
    bool valid;       /* false: no common range of digits worth the name */
    double low, high; /* the common range */
    double ratio;     /* geometric mean of work a / work b over levels in it */
} curve_ratio;

void curve_add(curve *c, double digits, double work); /* ignores what is not finite */
curve_ratio curve_compare(const curve *a, const curve *b);
#endif
