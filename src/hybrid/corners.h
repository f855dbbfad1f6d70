/* hybrid/corners.h - corners of the equations that are no events.
 *
 * Responsibility: the arguments of abs, min, max, sign, of roundings and of comparisons without
 * events that the equations contain; where one of them changes its sign the equations have a corner
 * or a jump.  Those that depend on time alone are kept apart: their zeros are known beforehand.
 * Depends on: hybrid/discrete.h.                                                    */
#ifndef DAEDAL_HYBRID_CORNERS_H
#define DAEDAL_HYBRID_CORNERS_H

#include "hybrid/discrete.h"

/* Corners of one class. */
typedef struct corner_set {
    program *operands; /* a and b of each; NULL: there are none                    */
    bool *rounds;      /* by corner: a / b is rounded, else a and b are compared   */
    double *scale;     /* by corner: the largest |a|, |b| so far                   */
    int32_t n;
} corner_set;

typedef struct model_corners {
    discrete_part *of;
    corner_set of_time, of_states; /* the second depend on more than time and parameters */
    int32_t n_corners_of_time; /* the others of of_time lead steps to pulses, where F is smooth */
    bool changes_at_events;    /* some of of_time read discrete values */
    bool is_incomplete;        /* the equations call functions whose corners are not known */
} model_corners;

/* True if a comparison that causes no event (noEvent, and inside abs, min, max) chooses a value. */
bool corners_exist(const discrete_part *m);

/* The operands of the corners inside relations that are events, two for each, into `into` unless it
 * is NULL; their number. */
size_t corners_in_relations(discrete_part *m, expr *into);

/* false: out of memory.  The owner calls corners_free. */
bool corners_build(discrete_part *m, model_corners **corners);
void corners_free(const daedal_allocator *a, model_corners *c);
void corners_copy_state(model_corners *c, state_copy *s);
void corners_begin(model_corners *c); /* at the start of a run */

/* Share of the scale of an argument: less may be an error of the integration. */
double corners_band(const model_corners *c);

/* The arguments of the corners of a class; user is the model_corners.  They are a - b, or for
 * roundings a function that is zero where a / b is whole.  A daedal_answer. */
int corners_of_time(double t, const double *y, const double *yp, double *g, void *user);
int corners_of_states(double t, const double *y, const double *yp, double *g, void *user);
#endif
