/* consistent/stage_system.h - corrections of all levels by the system Jacobian, sparse.
 *
 * Responsibility: the correction of y and its derivatives that the values of a difference array ask
 * for, where the offsets hold: one factorization of an n x n matrix, a solve for each level.
 * Depends on: consistent/difference_array.h, linalg/linsolver.h, linalg/scaling.h.    */
#ifndef DAEDAL_CONSISTENT_STAGE_SYSTEM_H
#define DAEDAL_CONSISTENT_STAGE_SYSTEM_H

#include "consistent/difference_array.h"

typedef struct stage_system {
    const difference_array *array;
    pattern entries;      /* of the system Jacobian                                     */
    int32_t *at;          /* by its entries: where they stand in the pattern of the array */
    double *values;       /* as factored: row value column                              */
    double *row, *column; /* n: their scales                                            */
    double *z;            /* n: right-hand side and solution                            */
    const daedal_linsolver *solver;
    void *factors;
    block mem;
} stage_system;

/* The array is borrowed.  false: out of memory; stage_system_free in any case. */
bool stage_system_create(stage_system *s, const difference_array *array);
void stage_system_free(stage_system *s);

/* The factors of another one of the same set-up; false: they could not be had. */
bool stage_system_copy(stage_system *s, const stage_system *from);

/* With the parts of the array as they are.  DAEDAL_OK, DAEDAL_ERR_SINGULAR, DAEDAL_ERR_MEMORY. */
daedal_status stage_system_factor(stage_system *s);

/* The correction for the values r of the array into step (cols).  Unknowns for which `held` (cols;
 * may be NULL) is true do not move; what they would have moved by stands in step all the same. */
void stage_system_step(stage_system *s, const double *r, const bool *held, double *step);

/* One stage alone: y_j^(d_j - stage), corrected for F_i^(c_i - stage), into s->z by variables.  The
 * size of the right-hand side in scaled rows.                                     */
double stage_system_solve(stage_system *s, const double *r, int32_t stage);
#endif
