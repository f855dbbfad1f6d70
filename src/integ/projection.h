/* integ/projection.h - keep constraints g(t, y) = 0 that every solution satisfies.
 *
 * Responsibility: move y by as little as possible, in units of its error weights, until the
 * constraints hold.  Level by level: positions first, then velocities with the positions as
 * they are by now ([Eich93]; docs/theory/index-reduction.md).
 * Depends on: newton/evaluator.h, linalg/.                                   */
#ifndef DAEDAL_INTEG_PROJECTION_H
#define DAEDAL_INTEG_PROJECTION_H

#include "integ/constraint_conflict.h"
#include "linalg/least_squares.h"
#include "linalg/min_norm.h"
#include "newton/evaluator.h"

/* The constraints of one level and the variables they may move. */
typedef struct projection_level {
    int32_t n_rows, n_cols;
    int32_t *row, *col; /* numbers in the system            */
    double *row_scale, *weight;
    double *b; /* n_rows + n_cols                  */
    min_norm step;
    bool is_small;       /* so that dependent constraints can be met too    */
    least_squares dense; /* then: for these                                 */
    double *matrix;      /* n_rows x n_cols by columns                      */
    block mem;
} projection_level;

typedef struct projection {
    evaluator *ev;
    const daedal_allocator *allocator;
    int32_t n_levels;
    projection_level *level; /* in the order in which they are met */
    double *g, *slopes, *y_old;
    double largest;               /* scaled residual met by the last call, before moving  */
    bool refused;                 /* a step failed because they could not be met          */
    int32_t worst;                /* the constraint that was furthest off, or -1          */
    constraint_conflict conflict; /* with the differential equations */
    bool at_output_only;          /* the ends of steps stay as they are                   */
    double tolerance;             /* distance that is left, in weights; 0: roundoff only  */
    struct mass_metric *metric;   /* of moves after steps; NULL: that of the weights      */
    block mem;
} projection;

bool projection_create(projection *p, evaluator *ev, const daedal_allocator *a);
void projection_free(projection *p);
bool projection_copy(projection *to,
                     const projection *from); /* of the same system; false: no memory */

typedef enum projection_outcome {
    PROJECTION_DONE,
    PROJECTION_FAR, /* no convergence, or the constraints depend on one another */
    PROJECTION_STOP,
    PROJECTION_FAIL
} projection_outcome;

/* Move y onto the constraints. y is changed only if all of them can be satisfied. *moved is the
 * weighted norm of the change. */
projection_outcome projection_apply(projection *p, double t, double *y,
                                    const double *inverse_weight, double *moved);

/* Evaluate all constraints into p->g and their derivatives into p->slopes.  The answer is a
 * daedal_answer. */
int projection_evaluate(projection *p, double t, const double *y);
int projection_evaluate_slopes(projection *p, double t, const double *y);

/* After projection_apply on the end of a step: the variable that the constraints have moved back in
 * all of the last steps, or -1.                                             */
int32_t projection_conflict(projection *p, const double *y, const double *inverse_weight);
#endif
