/* lanes/lane_start.h - the start of a run whose states begin with the same values for all
 * parameters.
 *
 * Responsibility: then y' of the states and the other unknowns follow from linear equations, and
 * the whole procedure of the start is needed for the first run alone. Depends on: compile/,
 * lanes/lane_group.h.                                      */
#ifndef DAEDAL_LANES_LANE_START_H
#define DAEDAL_LANES_LANE_START_H

#include "lanes/lane_group.h"

typedef struct lane_start {
    bool is_state[LANE_UNKNOWNS_MAX]; /* y' of the unknown occurs */
    double y[LANE_UNKNOWNS_MAX], yp[LANE_UNKNOWNS_MAX];
} lane_start;

/* Whether parameters do not change the start of states: there are no initial equations, no start
 * value depends on a parameter, and only states have fixed = true.               */
bool lane_start_is_common(const compiled_model *m);
/* Remember the start that is in the values of the model. */
void lane_start_note(lane_start *s, const compiled_model *m);
/* y and y' at t with the parameters of the model now, into its values.  false: the equations do not
 * determine them, or are not linear.                                             */
bool lane_start_find(const lane_start *s, const compiled_model *m, double t);
#endif
