/* index/jacobian_regularity.h - what the system Jacobian and its inverse say at a point.
 *
 * Responsibility: a reciprocal condition number in the best of some scalings; whether the index
 * that the offsets imply is attained.  Sparse: a few factorizations and solves. Depends on:
 * index/structural_offsets.h, linalg/curtis_reid.h, linalg/linsolver.h.           */
#ifndef DAEDAL_INDEX_JACOBIAN_REGULARITY_H
#define DAEDAL_INDEX_JACOBIAN_REGULARITY_H

#include "index/structural_offsets.h"

/* The system Jacobian at one point after another, with one analysis of its pattern. */
typedef struct system_jacobian {
    const offsets *o;
    const daedal_linsolver *solver;
    void *factors;
    double *value, *noise, *scaled; /* by entries                                       */
    double *row, *column;           /* n: scaled = row value column                      */
    double *b, *b_moved;            /* n: right-hand sides and solutions                 */
    bool is_moved;                  /* the factors are those of entries moved within their noise */
    const daedal_allocator *allocator;
    block mem;
} system_jacobian;

/* DAEDAL_OK or DAEDAL_ERR_MEMORY; system_jacobian_free in any case. */
daedal_status system_jacobian_create(system_jacobian *x, const offsets *o,
                                     const daedal_allocator *a);
void system_jacobian_free(system_jacobian *x);

typedef struct regularity {
    bool regular;
    double reciprocal_condition;
    int32_t column; /* where a pivot was missing, or -1 */
} regularity;

/* dF/dy and dF/dy' by the entries of the pattern of both, and the noise in them. */
typedef struct pencil_entries {
    const double *value[2], *noise[2];
} pencil_entries;

/* DAEDAL_OK or DAEDAL_ERR_MEMORY. */
daedal_status system_jacobian_look(system_jacobian *x, const pencil_entries *s, regularity *out);

/* Whether the frozen pencil has the structural index, after a look that found it regular.  false:
 * it has not, or that is not clear.  DAEDAL_OK or DAEDAL_ERR_MEMORY.                   */
daedal_status system_jacobian_attains(system_jacobian *x, bool *attained);
#endif
