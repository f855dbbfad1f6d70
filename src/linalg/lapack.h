/* linalg/lapack.h - LAPACK with 32-bit integers, as Fortran calls it.
 *
 * Responsibility: the prototypes of all routines used, and what the LU of LAPACK means to a solver.
 * gfortran passes the length of a character argument at the end.
 * Depends on: LAPACK.                                                           */
#ifndef DAEDAL_LINALG_LAPACK_H
#define DAEDAL_LINALG_LAPACK_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* LU, dense and banded; z: of complex numbers, as pairs of doubles. */
void dgetrf_(const int32_t *m, const int32_t *n, double *a, const int32_t *lda, int32_t *ipiv,
             int32_t *info);
void dgetrs_(const char *trans, const int32_t *n, const int32_t *nrhs, const double *a,
             const int32_t *lda, const int32_t *ipiv, double *b, const int32_t *ldb, int32_t *info,
             size_t trans_length);
void zgetrf_(const int32_t *m, const int32_t *n, double *a, const int32_t *lda, int32_t *ipiv,
             int32_t *info);
void zgetrs_(const char *trans, const int32_t *n, const int32_t *nrhs, const double *a,
             const int32_t *lda, const int32_t *ipiv, double *b, const int32_t *ldb, int32_t *info,
             size_t trans_length);
void dgbtrf_(const int32_t *m, const int32_t *n, const int32_t *kl, const int32_t *ku, double *ab,
             const int32_t *ldab, int32_t *ipiv, int32_t *info);
void dgbtrs_(const char *trans, const int32_t *n, const int32_t *kl, const int32_t *ku,
             const int32_t *nrhs, const double *ab, const int32_t *ldab, const int32_t *ipiv,
             double *b, const int32_t *ldb, int32_t *info, size_t trans_length);
void zgbtrf_(const int32_t *m, const int32_t *n, const int32_t *kl, const int32_t *ku, double *ab,
             const int32_t *ldab, int32_t *ipiv, int32_t *info);
void zgbtrs_(const char *trans, const int32_t *n, const int32_t *kl, const int32_t *ku,
             const int32_t *nrhs, const double *ab, const int32_t *ldab, const int32_t *ipiv,
             double *b, const int32_t *ldb, int32_t *info, size_t trans_length);

/* QR with column pivoting, singular values, least squares. */
void dgeqp3_(const int32_t *m, const int32_t *n, double *a, const int32_t *lda, int32_t *jpvt,
             double *tau, double *work, const int32_t *lwork, int32_t *info);
void dormqr_(const char *side, const char *trans, const int32_t *m, const int32_t *n,
             const int32_t *k, const double *a, const int32_t *lda, const double *tau, double *c,
             const int32_t *ldc, double *work, const int32_t *lwork, int32_t *info,
             size_t side_length, size_t trans_length);
/* Divide and conquer: all vectors in a third of the time at n = 160. */
void dgesdd_(const char *job, const int32_t *m, const int32_t *n, double *a, const int32_t *lda,
             double *s, double *u, const int32_t *ldu, double *vt, const int32_t *ldvt,
             double *work, const int32_t *lwork, int32_t *iwork, int32_t *info, size_t job_length);
void dgemm_(const char *transa, const char *transb, const int32_t *m, const int32_t *n,
            const int32_t *k, const double *alpha, const double *a, const int32_t *lda,
            const double *b, const int32_t *ldb, const double *beta, double *c, const int32_t *ldc,
            size_t transa_length, size_t transb_length);
void dgelsy_(const int32_t *m, const int32_t *n, const int32_t *nrhs, double *a, const int32_t *lda,
             double *b, const int32_t *ldb, int32_t *jpvt, const double *rcond, int32_t *rank,
             double *work, const int32_t *lwork, int32_t *info);

/* Eigenvalues (alphar + i alphai) / beta of a pencil, with left and right vectors. */
void dggev_(const char *jobvl, const char *jobvr, const int32_t *n, double *a, const int32_t *lda,
            double *b, const int32_t *ldb, double *alphar, double *alphai, double *beta, double *vl,
            const int32_t *ldvl, double *vr, const int32_t *ldvr, double *work,
            const int32_t *lwork, int32_t *info, size_t jobvl_length, size_t jobvr_length);

/* The first column without a usable pivot, or -1: from what LAPACK says, and from the diagonal of
 * U, since LAPACK calls a matrix with NaN regular.  u: the first of n pivots, `step` apart, each of
 * `width` doubles.                                                               */
static inline int32_t lapack_bad_pivot(int32_t info, const double *u, size_t step, int32_t width,
                                       int32_t n)
{
    if (info > 0)
        return info - 1;
    for (int32_t k = 0; k < n; k++) {
        const double *pivot = u + (size_t)k * step;
        if (!isfinite(pivot[0] + pivot[width - 1]))
            return k;
    }
    return -1;
}
#endif
