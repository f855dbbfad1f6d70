/* consistent/impulse.h - states that contradict the constraints, moved as the equations would move
 * them.
 *
 * Responsibility: of the values in a derivative array, those one derivative below the highest are
 * moved onto the constraints along the directions in which these act.
 * Depends on: consistent/difference_array.h, linalg/least_squares.h.                 */
#ifndef DAEDAL_CONSISTENT_IMPULSE_H
#define DAEDAL_CONSISTENT_IMPULSE_H

#include "consistent/difference_array.h"

/* `unknown` (cols entries of the array) is changed where that brings the constraints nearer to
 * zero, and left alone otherwise, also where F has no value.  DAEDAL_OK, DAEDAL_STOPPED,
 * DAEDAL_ERR_MEMORY or DAEDAL_ERR_CALLBACK.                                      */
daedal_status start_by_impulse(difference_array *array, double *unknown);
#endif
