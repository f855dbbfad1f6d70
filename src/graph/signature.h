/* graph/signature.h - the structural index of a system of equations.
 *
 * Responsibility: from the highest derivative sigma_ij of variable j in equation i, a
 * highest-value transversal and the canonical offsets: equation i is to be
 * differentiated c_i times, variable j then appears up to its d_j-th derivative.
 * Invariant: d_j - c_i >= sigma_ij for all entries, with equality on the transversal;
 * c_i, d_j >= 0, and no other such offsets are smaller anywhere [Pry01].
 * Depends on: graph/matching.h, graph/dulmage_mendelsohn.h.                                */
#ifndef DAEDAL_GRAPH_SIGNATURE_H
#define DAEDAL_GRAPH_SIGNATURE_H

#include "graph/dulmage_mendelsohn.h"

/* The signature matrix, borrowed: rows are equations, columns variables, sigma in
 * the order of the pattern, none negative.                                      */
typedef struct signature_matrix {
    const daedal_pattern *pattern;
    const int32_t *sigma;
} signature_matrix;

typedef struct signature {
    int32_t n;
    int32_t *c, *d;             /* n: offsets of the equations and of the variables      */
    matching transversal;       /* on entries of equality                                */
    int64_t degrees_of_freedom; /* sum d - sum c: the value of the transversal           */
    int64_t differentiations;   /* sum c                                                 */
    int32_t index;              /* structural: max c, and one more if some d is 0        */
    int64_t visits;             /* entries looked at: the work of the search             */
    int32_t phases;             /* times the guard against bad cases stepped in          */
    dulmage singular;           /* the parts, after DAEDAL_ERR_STRUCTURE; else empty     */
    block mem;
} signature;

/* DAEDAL_OK; DAEDAL_ERR_STRUCTURE: no transversal exists (or the matrix is not square),
 * see `singular`; DAEDAL_ERR_ARGUMENT: the orders sum to more than a quarter of INT32_MAX;
 * DAEDAL_ERR_MEMORY.  signature_free afterwards in any case.                    */
daedal_status signature_create(signature *s, const signature_matrix *matrix,
                               const daedal_allocator *a);
void signature_free(signature *s);

/* The pattern of the system Jacobian: the entries where d_j - c_i = sigma_ij.  false:
 * out of memory.                                                                */
bool signature_essential(pattern *p, const signature_matrix *matrix, const signature *s,
                         const daedal_allocator *a);
#endif
