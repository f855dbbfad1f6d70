/* adjoint/solution_record.h - a solution kept in memory, to be read backward.
 *
 * Responsibility: enough values of y and y' to read the solution at any time.  Of a multistep
 * method those at the ends of its steps: the polynomial of degree five through three of these is
 * more accurate than the steps.  Of other methods, whose steps are longer, those at Chebyshev
 * points of each step, as many as its order asks for; y alone where y' is the slope of a polynomial
 * that they determine.  A time between two steps belongs to the one before it along the run.
 * Depends on: solver/run.h.                                                      */
#ifndef DAEDAL_ADJOINT_SOLUTION_RECORD_H
#define DAEDAL_ADJOINT_SOLUTION_RECORD_H

#include "solver/run.h"

typedef struct recorded_step {
    double t_from, t_to;
    int32_t n_points; /* inside it; 0: the ends only                                  */
    int32_t order;    /* of the method in this step                                   */
    bool is_joined;   /* ends only: it begins where the step before it ends            */
    bool has_slopes;  /* else its points have y alone, and y' is the slope of its polynomial */
    size_t first;     /* of its values: points x (y, y'); ends: the end, before it the beginning */
} recorded_step;

typedef struct solution_record {
    int32_t n;
    double direction; /* of the run: +1 or -1 */
    recorded_step *steps;
    size_t n_steps, room_steps;
    double *values;
    size_t used, room;
    size_t last;    /* step that was read last */
    double t_begin; /* where it begins, if that is inside a step; NAN: with the first step */
    const daedal_allocator *allocator;
} solution_record;

void solution_create(solution_record *r, int32_t n, const daedal_allocator *a);
void solution_free(solution_record *r);
void solution_clear(solution_record *r); /* keeps the memory */
size_t solution_bytes(const solution_record *r);

/* The last step of a run, from its beginning to t_to.  false: out of memory.     */
bool solution_add(solution_record *r, run *of, double t_to);

/* y and y' (or NULL) of a run inside its last step, also where that is a run of other equations. */
void solution_read_run(run *of, double t, double *y, double *yp);

/* y and y' (or NULL) at t; a little beyond the ends too, farther those there. */
void solution_at(solution_record *r, double t, double *y, double *yp);
/* The same, with the slope of the curve y in the place of y', which is kept beside it. */
void solution_curve_at(solution_record *r, double t, double *y, double *slope);
/* The beginning of the step that ends at t or contains it, along the run. */
double solution_step_begin(solution_record *r, double t);
/* The length of the step in which t lies. */
double solution_step_size(solution_record *r, double t);
#endif
