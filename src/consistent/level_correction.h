/* consistent/level_correction.h - values inside a step that satisfy every constraint.
 *
 * Responsibility: where the index is above one, a method has velocities and multipliers to fewer
 * digits than positions, between its steps fewer still.  The equations and those that follow from
 * them by differentiation determine both from the positions: a few iterations at an output point
 * make up for what is missing.  The run itself is not changed.
 * Depends on: consistent/level_system.h, consistent/stage_system.h. */
#ifndef DAEDAL_CONSISTENT_LEVEL_CORRECTION_H
#define DAEDAL_CONSISTENT_LEVEL_CORRECTION_H

#include "consistent/level_system.h"
#include "consistent/stage_system.h"

enum { LEVEL_CORRECTION_LARGEST = 240 }; /* rows of the array, where its matrix is dense */

typedef struct level_correction {
    iteration_matrix matrix; /* of its own: that of the run stays as it is                      */
    start_problem problem;
    start_offsets offsets;
    bool by_stages;          /* the offsets hold: `stages` corrects, else `levels`             */
    difference_array *array; /* of levels, or own_array                                        */
    double *unknown, *r;     /* of levels, or own: cols and rows                               */
    difference_array own_array;
    stage_system stages;
    level_system levels;
    int32_t *c, *d, *y_mask, *yp_mask;
    double *y, *yp, *inverse_weight;
    double *inverse; /* cols x rows by columns: makes a correction of a residual; not by stages */
    double *step, *noise_step; /* cols: a correction; what noise in the residual makes of each   */
    double *r_noise;           /* rows                                                           */
    bool has_matrix;           /* inverted or factored                                           */
    double matrix_scale;       /* of time, for which it was                                      */
    bool has_noise;            /* noise_step is that of the present residual                      */
    double h_searched, side_searched; /* of the step in which the widths were found; NAN: none */
    block mem;
} level_correction;

/* What is known of the system, as for a start; the matrix is that of the run. */
typedef struct level_knowledge {
    const iteration_matrix *matrix;
    const bool *is_differential; /* n */
    start_offsets offsets;
    daedal_diagnosis *why;
    const daedal_allocator *allocator;
} level_knowledge;

/* Whether the array is small enough. */
bool level_correction_is_affordable(const start_offsets *o, int32_t n);

/* false: out of memory; level_correction_free in any case. */
bool level_correction_create(level_correction *x, const level_knowledge *k);
void level_correction_free(level_correction *x);

/* Make x equal to another one of the same set-up. */
void level_correction_copy(level_correction *x, const level_correction *from);

/* A point of the last step, which went from t_from to t_to. */
typedef struct level_point {
    double t, t_from, t_to;
    const double *inverse_weight;
    bool moves_far; /* the values may have run away: corrections of any size are wanted */
} level_point;

/* Correct y and y' at a point; *done: they are, otherwise they stay as they were because the
 * iteration does not converge.  DAEDAL_OK, DAEDAL_STOPPED, DAEDAL_ERR_MEMORY.     */
daedal_status level_correction_apply(level_correction *x, const level_point *at, double *y,
                                     double *yp, bool *done);

/* Whether noise of F may be more in the values found last than they should be off by. */
bool level_correction_is_noisy(level_correction *x);
#endif
