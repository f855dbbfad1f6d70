/* krylov/ilu.h - incomplete LU factors of a sparse matrix.
 *
 * Responsibility: L U close to A, in memory that is fixed at creation: ILU(0) has the pattern of A;
 * ILUT [Saa94] keeps in each row what is large, and at most `fill` entries more on either side of
 * the diagonal than A has.  Rows are paired with columns so that no pivot is structurally zero, and
 * again by size where pivots are tiny.  What is dropped is judged against its own row: factors of a
 * matrix whose rows are scaled differ by the scaling alone.
 * Depends on: base/, graph/matching.h.                                          */
#ifndef DAEDAL_KRYLOV_ILU_H
#define DAEDAL_KRYLOV_ILU_H

#include "base/pattern.h"

typedef struct ilu_kind {
    double drop;  /* entries below this part of the largest of their row are dropped */
    int32_t fill; /* more entries than A has, in each half of a row; < 0: ILU(0)      */
} ilu_kind;

typedef struct ilu ilu;

/* DAEDAL_OK, DAEDAL_ERR_MEMORY, or DAEDAL_ERR_SINGULAR: rows and columns cannot be paired. */
daedal_status ilu_create(ilu **made, const daedal_pattern *p, const ilu_kind *kind,
                         const daedal_allocator *a);
void ilu_free(ilu *f); /* accepts NULL */

/* Values in the order of the pattern.  DAEDAL_ERR_SINGULAR: a row is zero or not finite.  A
 * tiny pivot is no failure: it is replaced by a part of its row. */
daedal_status ilu_factor(ilu *f, const double *values);

/* b := (L U)^-1 b */
void ilu_solve(ilu *f, double *b);

/* The pairings made after the first. */
int64_t ilu_pairings(const ilu *f);
#endif
