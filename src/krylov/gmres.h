/* krylov/gmres.h - restarted GMRES for real and complex systems, preconditioned from the left.
 *
 * Responsibility: solve A x = b when A and the preconditioner P are known by what they do to a
 * vector.  Norms are weighted as those of an error test: ||v|| = sqrt(sum |v_i w_i|^2 / n), w the
 * inverse weights, so that the tolerance has the units of x where P resembles A.  The theory is in
 * docs/theory/krylov.md; [BHP94], [SS86].
 * Invariant: nothing is allocated after gmres_create.
 * Depends on: base/, linalg/vector.h.                                           */
#ifndef DAEDAL_KRYLOV_GMRES_H
#define DAEDAL_KRYLOV_GMRES_H

#include "base/memory.h"

enum { GMRES_LENGTH_MAX = 100 };

/* The size of the space. */
typedef struct gmres_size {
    int32_t n;
    bool is_complex;  /* a vector is n real parts, then n imaginary parts             */
    int32_t length;   /* directions kept before a restart: 1 to GMRES_LENGTH_MAX      */
    int32_t restarts; /* at most                                                      */
    int32_t keep;     /* orthogonalise against this many directions only (incomplete
                         iteration); 0: all of them                                   */
    const daedal_parallel *parallel; /* the other ranks of the vectors, or NULL       */
} gmres_size;

/* What is to be solved.  The functions return a daedal_answer; anything but DAEDAL_CALL_OK ends the
 * iteration.                                                                     */
typedef struct gmres_problem {
    int (*apply)(void *self, const double *v, double *out); /* out = A v, ||v|| = 1    */
    int (*precondition)(void *self, double *v);             /* v := P^-1 v; NULL: P = I */
    void *self;
    const double *inverse_weight; /* n; NULL: ones                                    */
    double tolerance;             /* of ||P^-1 (b - A x)||, or of the error           */
    double relative;              /* or this much of ||P^-1 b||, if that is larger    */
    bool bounds_error; /* the tolerance is for the error of x, estimated from the projected
                          matrix, not for the residual: for weak preconditioners     */
} gmres_problem;

typedef enum gmres_verdict {
    GMRES_CONVERGED,
    GMRES_SLOW,       /* x is the best that was found                                 */
    GMRES_SINGULAR,   /* A maps the space into itself and is singular there           */
    GMRES_NOT_FINITE, /* a product or the preconditioner gave NaN or Inf              */
    GMRES_ENDED       /* a function did not answer OK                                 */
} gmres_verdict;

typedef struct gmres_result {
    gmres_verdict verdict;
    int answer;           /* of the function that ended it                              */
    int32_t iterations;   /* products A v                                               */
    double first, last;   /* norms of the preconditioned residual                       */
    bool by_precondition; /* NOT_FINITE and ENDED: P is to blame, not A               */
} gmres_result;

typedef struct gmres gmres;

/* NULL: out of memory. */
gmres *gmres_create(const gmres_size *size, const daedal_allocator *a);
void gmres_free(gmres *g); /* accepts NULL */

/* Overwrite b with the solution, starting from x = 0.  b keeps its value where the verdict is
 * NOT_FINITE or ENDED.                                                           */
gmres_result gmres_solve(gmres *g, const gmres_problem *p, double *b);
#endif
