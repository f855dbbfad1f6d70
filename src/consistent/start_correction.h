/* consistent/start_correction.h - values y, y' with F(t0, y, y') = 0 to start from.
 *
 * Responsibility: consistent initial values of index-0 and index-1 systems, with any
 * entries of y and y' held.  [BHP98]; docs/theory/start.md.
 * Depends on: newton/, linalg/, base/.                                       */
#ifndef DAEDAL_CONSISTENT_START_CORRECTION_H
#define DAEDAL_CONSISTENT_START_CORRECTION_H

#include "newton/iteration_matrix.h"

/* Vectors a start works with; made once, so that a restart allocates nothing.   */
typedef struct start_workspace {
    int32_t n;
    double *y, *yp, *dy, *dyp, *dy_next, *dyp_next, *r, *y_trial, *yp_trial;
    bool looked; /* whether the first matrix of this start is singular was asked    */
    struct hidden_algebraic *hidden; /* for dF/dy' that hides relations; NULL until needed   */
    const daedal_allocator *allocator;
    double *share_y, *share_yp, *y_given, *yp_given, *y_first;
    block mem;
} start_workspace;

bool start_workspace_create(start_workspace *w, int32_t n, const daedal_allocator *a);
void start_workspace_free(start_workspace *w);

typedef struct start_problem {
    iteration_matrix *matrix;
    start_workspace *work;
    double t;
    double *y, *yp;                  /* guesses on entry, consistent on exit        */
    const int32_t *y_mask, *yp_mask; /* DAEDAL_FREE, DAEDAL_GUESS, DAEDAL_FIXED     */
    bool masks_given;                /* by the user: what is FIXED stays            */
    const double *inverse_weight;    /* of y                                        */
    double time_scale;               /* > 0: y' is measured in weights per this     */
    double direction;                /* +1 or -1: where the run will go             */
    double t_limit;                  /* F may not be evaluated beyond; +-HUGE_VAL   */
    daedal_diagnosis *why;
    const daedal_allocator *allocator;
} start_problem;

/* DAEDAL_OK, DAEDAL_STOPPED, DAEDAL_ERR_START, DAEDAL_ERR_SINGULAR or a callback's
 * failure.  y and yp are unchanged on failure.                                  */
daedal_status start_consistent(const start_problem *p);

/* True if the present values of dF/dy and dF/dy' prove that the index is at most one, although
 * combinations of equations may hide algebraic relations.  Up to 200 unknowns.  */
bool start_shows_index_one(start_workspace *w, const iteration_matrix *m);

/* What they prove of the index by their structure, with rows and columns scaled. */
typedef enum start_index {
    START_INDEX_OPEN, /* nothing                                                             */
    START_INDEX_LOW,  /* it is at most one: the equations determine y' of the differential variables
                         and y of the others without being differentiated                     */
    START_INDEX_HIGH  /* it is above one: relations that combinations of equations hide need not be
                         searched for                                                         */
} start_index;

/* What is known of the variables (n each), or NULL. */
typedef struct start_variables {
    const bool *is_differential;    /* without it, LOW is not asked for              */
    const double *y_size, *yp_size; /* that differences were made for                */
} start_variables;
start_index start_judge_index(const iteration_matrix *m, const start_variables *of,
                              const daedal_allocator *a);

/* True if they prove this index and the offsets c and d (n each). */
bool start_shows_structure(const iteration_matrix *m, int32_t index, const int32_t *c,
                           const int32_t *d, const daedal_allocator *a);

/* Estimate the derivatives of the variables that F does not determine (those with
 * is_differential false) by a tiny implicit Euler step: a better first prediction.  */
daedal_status start_estimate_derivatives(const start_problem *p, const bool *is_differential);
/* With its sign: it moves y by about a thousandth of its weight, but time or a differential
 * variable by many roundings, and leads half the way to t_limit at most.          */
double start_tiny_step(const start_problem *p, const bool *is_differential);
#endif
