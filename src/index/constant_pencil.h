/* index/constant_pencil.h - linear systems A x' + B x = f with constant coefficients.
 *
 * Responsibility: whether the pencil lambda A + B is regular, the index of its nilpotent part and
 * the number of its finite modes, exactly, however badly scaled it is ([BCP96] section 2.3).
 * Depends on: linalg/modular_rank.h.                                                 */
#ifndef DAEDAL_INDEX_CONSTANT_PENCIL_H
#define DAEDAL_INDEX_CONSTANT_PENCIL_H

#include "base/memory.h"

typedef struct pencil_finding {
    bool regular;           /* else nothing else is known                                      */
    int32_t index, freedom; /* freedom: finite modes, the degree of det(lambda A + B)       */
    bool exact;             /* the coefficients are fractions, not results of rounding      */
} pencil_finding;

/* a, b: n x n by rows, finite.  false: out of memory. */
bool constant_pencil_judge(const double *a, const double *b, int32_t n, pencil_finding *found,
                           const daedal_allocator *allocator);
#endif
