/* expr/tape_runs.h - runs of equal operations on a tape, lane by lane.
 *
 * Responsibility: the loops that tape.c and the kernels of lanes/ share, so that they compute the
 * same bits.  They are inlined with a constant number of lanes, also into functions for wider
 * registers.
 * Depends on: expr/kernels.h, expr/tape_code.h. */
#ifndef DAEDAL_EXPR_TAPE_RUNS_H
#define DAEDAL_EXPR_TAPE_RUNS_H

#include "expr/expression.h"
#include "expr/kernels.h"
#include "expr/tape_code.h"

#if defined(__GNUC__)
#define TAPE_INLINED static inline __attribute__((always_inline))
#else
#define TAPE_INLINED static inline
#endif

typedef struct tape_items {
    uint32_t op, count, first; /* first: destination */
} tape_items;

/* p: the sources of the items.  Item i of lane k stands at r[i * lanes + k].  Returns what follows.
 */
TAPE_INLINED const uint32_t *tape_do_items(double *r, const tape_items of, const uint32_t *p,
                                           const size_t lanes)
{
    const uint32_t count = of.count;
    double *d = r + of.first * lanes;
    switch (of.op) {
#define K1(name, formula)                                                                          \
    case EXPR_##name:                                                                              \
        for (uint32_t i = 0; i < count; i++, p += 1, d += lanes)                                   \
            for (size_t k = 0; k < lanes; k++) {                                                   \
                const double x = r[p[0] * lanes + k];                                              \
                d[k] = formula;                                                                    \
            }                                                                                      \
        break;
#define K2(name, formula)                                                                          \
    case EXPR_##name:                                                                              \
        for (uint32_t i = 0; i < count; i++, p += 2, d += lanes)                                   \
            for (size_t k = 0; k < lanes; k++) {                                                   \
                const double x = r[p[0] * lanes + k], y = r[p[1] * lanes + k];                     \
                d[k] = formula;                                                                    \
            }                                                                                      \
        break;
        KERNEL_LIST(K1, K2)
#undef K1
#undef K2
    default: /* EXPR_IF with both values at hand */
        for (uint32_t i = 0; i < count; i++, p += 3, d += lanes)
            for (size_t k = 0; k < lanes; k++)
                d[k] = r[p[0] * lanes + k] != 0.0 ? r[p[1] * lanes + k] : r[p[2] * lanes + k];
    }
    return p;
}

/* p: operation, count, first destination, sources.  Returns what follows. */
TAPE_INLINED const uint32_t *tape_do_run(double *r, const uint32_t *p, const size_t lanes)
{
    return tape_do_items(r, (tape_items){p[0] % TAPE_EVEN, p[1], p[2]}, p + 3, lanes);
}

/* How many sources an item of an operation has. */
static inline uint32_t tape_sources(uint32_t op)
{
    switch (op) {
#define K1(name, formula) case EXPR_##name:
#define K2(name, formula)
        KERNEL_LIST(K1, K2)
#undef K1
        return 1;
#define K1(name, formula)
#undef K2
#define K2(name, formula) case EXPR_##name:
        KERNEL_LIST(K1, K2)
#undef K1
#undef K2
        return 2;
    default:
        return 3; /* EXPR_IF */
    }
}
#endif
