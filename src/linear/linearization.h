/* linear/linearization.h - a model linearised at a point that need not be one of its run.
 *
 * Depends on: api/model_handle.h, linear/written_equations.h.                        */
#ifndef DAEDAL_LINEAR_LINEARIZATION_H
#define DAEDAL_LINEAR_LINEARIZATION_H

#include "api/model_handle.h"
#include "linear/written_equations.h"

/* As daedal_model_linearize, where a run is under way; at NULL: at its values. */
daedal_status linearize_at(daedal_model *d, const still_point *at, const daedal_ints *inputs,
                           const daedal_ints *outputs, daedal_linear_system **system);
#endif
