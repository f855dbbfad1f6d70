/* boundary/singular_shot.h - what the linear equations of shooting tell of the conditions.
 *
 * Responsibility: a combination of rows that vanishes names boundary conditions that depend on each
 * other; by how much a change of a condition changes the starts.
 * Depends on: daedal.h, linalg/.                                                 */
#ifndef DAEDAL_BOUNDARY_SINGULAR_SHOT_H
#define DAEDAL_BOUNDARY_SINGULAR_SHOT_H

#include "base/memory.h"

enum { SINGULAR_SHOT_LARGEST = 600 };

typedef struct singular_shot {
    const double *matrix;   /* size x size by columns                       */
    const double *residual; /* size                                         */
    int32_t size;
    int32_t n_conditions;     /* the first rows are these                   */
    const char *const *names; /* of them, or NULL                           */
    daedal_diagnosis *why;
    const daedal_allocator *allocator;
} singular_shot;

/* DAEDAL_ERR_SINGULAR with *why if the matrix is singular and conditions take part in that. */
daedal_status singular_shot_explain(const singular_shot *s);

/* Solves in place with the factors of the matrix. */
typedef void shot_solve_fn(void *self, double *b);

typedef struct shot_room {
    int32_t size, n_conditions;
    double *r, *sum; /* size each */
} shot_room;

/* The largest change of an unknown by a change of one in all conditions. */
double shot_condition(shot_solve_fn *solve, void *self, const shot_room *room);
#endif
