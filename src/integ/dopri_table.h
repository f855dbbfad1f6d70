/* integ/dopri_table.h - coefficients of the explicit Runge-Kutta pairs of Dormand and Prince.
 *
 * Responsibility: k_i = y'(t + c_i h, y + h sum_j a_ij k_j).  The last row before `more` is the
 * step itself, and its k is y' at the end, with which the next step begins.  The error is
 * h sum_j error_j k_j.  Dense output, with x from 0 to 1 in the step, is the cubic that has the
 * values and slopes at both ends, plus
 *     x^2 (1-x)^2 (D_1 + x (D_2 + (1-x) (D_3 + x D_4))),   D_m = h sum_j dense_mj k_j
 * Depends on: libc.                                                             */
#ifndef DAEDAL_INTEG_DOPRI_TABLE_H
#define DAEDAL_INTEG_DOPRI_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { DOPRI_STAGES_MAX = 16, DOPRI_DENSE_MAX = 4 };

typedef struct dopri_table {
    int32_t stages; /* the last one is y' at the end of the step                       */
    int32_t tested; /* so many of them are in the error estimate                       */
    int32_t more;   /* further stages, for dense output alone                          */
    int32_t order, estimate_order; /* of the step; of the error estimate               */
    bool has_two_errors;           /* their quotient is of a higher order ([HNW93] II.10) */
    int32_t n_dense;
    double root_most; /* 0.01^(-1/(estimate_order + 1)): errors below say little of the next   */
    double stable;    /* a little less than where the stability region ends, on the negative axis */
    double c[DOPRI_STAGES_MAX];
    double a[DOPRI_STAGES_MAX][DOPRI_STAGES_MAX];
    int32_t skipped[DOPRI_STAGES_MAX]; /* zeros behind the first a of a row            */
    int32_t skipped_in_sums;           /* behind the first of `error` and `dense`      */
    double error[2][DOPRI_STAGES_MAX];
    double dense[DOPRI_DENSE_MAX][DOPRI_STAGES_MAX];
} dopri_table;

extern const dopri_table dopri_table_5, dopri_table_8;
#endif
