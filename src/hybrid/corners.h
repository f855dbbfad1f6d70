/* hybrid/corners.h - corners of the equations that are no events.
 *
 * Responsibility: the arguments of abs, min, max, sign and of comparisons without events that
 * the equations contain; where one of them changes its sign the equations have a corner or a jump
 * (docs/theory/hybrid.md).
 * Depends on: hybrid/discrete.h, compile/, expr/.                                   */
#ifndef DAEDAL_HYBRID_CORNERS_H
#define DAEDAL_HYBRID_CORNERS_H

#include "hybrid/discrete.h"

typedef struct model_corners {
    discrete_part *of;
    program *operands; /* a and b of each; NULL: there are none      */
    double *scale;     /* by corner: the largest |a|, |b| so far     */
    int32_t n;
} model_corners;

/* True if a comparison that causes no event (noEvent, and inside abs, min, max) chooses a value. */
bool corners_exist(const discrete_part *m);

/* The operands of the corners inside relations that are events, two for each, into `into` unless it
 * is NULL; their number. */
size_t corners_in_relations(discrete_part *m, expr *into);

/* false: out of memory.  The owner frees the program. */
bool corners_build(discrete_part *m, model_corners **corners);
void corners_begin(model_corners *c); /* at the start of a run */

/* a - b of each corner, 0 where a and b are equal within a small part of the tolerance; user is the
 * model_corners.  A daedal_answer. */
int corners_arguments(double t, const double *y, const double *yp, double *g, void *user);
#endif
