/* consistent/level_system.h - corrections by the equations and those that follow from them.
 *
 * Responsibility: y and the derivatives of y that occur in the difference array as unknowns, their
 * units, and the correction of them that a residual asks for.
 * Depends on: consistent/difference_array.h, linalg/qr.h, linalg/least_squares.h.       */
#ifndef DAEDAL_CONSISTENT_LEVEL_SYSTEM_H
#define DAEDAL_CONSISTENT_LEVEL_SYSTEM_H

#include "consistent/difference_array.h"
#include "consistent/higher_index_start.h"
#include "linalg/least_squares.h"
#include "linalg/qr.h"

typedef struct level_system {
    const start_problem *p;
    const start_offsets *o;
    difference_array array;
    int32_t n, rows, n_y, n_d; /* columns of y and of derivatives that may move        */
    int32_t n_guesses;         /* of those of y, the first                             */
    int32_t *y_col, *d_col;    /* their numbers                                        */
    double *unknown, *given;   /* cols: as they are, and as they were given             */
    double *scale;             /* cols: size of a unit of each unknown                  */
    double *row_scale;         /* rows                                                   */
    double *r, *jacobian;      /* of the unknowns as they are, unscaled                  */
    double *b_y, *b_d, *factors, *right, *work_y, *work_d, *dy, *room;
    double *natural;    /* n: units in which the equations depend on all variables alike     */
    double *parts;      /* nnz                                                               */
    bool aims_at_given; /* the correction being made does                                 */
    bool holds_guesses; /* corrections move free values and derivatives only              */
    bool is_factored;   /* factors are those of b_d, and work_y is b_y turned by them     */
    int32_t rank;       /* of b_d                                                        */
    qr q;
    least_squares for_d;
    block mem;
} level_system;

/* Units and values are set.  false: out of memory; level_system_free in any case. */
bool level_system_create(level_system *s, const start_problem *p, const start_offsets *o);
void level_system_free(level_system *s);

/* The values of another one of the same set-up. */
void level_system_copy(level_system *s, const level_system *from);

/* Units by the weights, the time scale of the problem and the parts of its matrix. */
void level_system_set_units(level_system *s);
/* y and y' of the problem; higher derivatives stay. */
void level_system_set_values(level_system *s);

/* At the unknowns as they are.  A daedal_answer. */
int level_system_renew_jacobian(level_system *s);

/* The correction for s->r, into step: the shortest one, or towards the point nearest to what was
 * given.  DAEDAL_ERR_START: it is not finite.  DAEDAL_ERR_MEMORY.                */
daedal_status level_system_correct(level_system *s, bool towards_given, double *step);

/* The matrix of which a residual makes its shortest correction, cols x rows by columns.  DAEDAL_OK
 * or DAEDAL_ERR_MEMORY.                                                           */
daedal_status level_system_invert(level_system *s, double *inverse);
#endif
