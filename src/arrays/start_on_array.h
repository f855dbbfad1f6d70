/* arrays/start_on_array.h - a consistent start for the method `array`.
 *
 * Responsibility: y on all constraints of the derivative array, hidden ones included, nearest to
 * what was given in the sense that the combinations of y that are integrated stay, and y' there.
 * Depends on: arrays/equivalent_system.h.                                          */
#ifndef DAEDAL_ARRAYS_START_ON_ARRAY_H
#define DAEDAL_ARRAYS_START_ON_ARRAY_H

#include "arrays/equivalent_system.h"

/* y and yp are changed on success only.  Returns DAEDAL_OK, DAEDAL_STOPPED, DAEDAL_ERR_INDEX,
 * DAEDAL_ERR_START, DAEDAL_ERR_MEMORY or a callback's failure.                      */
daedal_status start_on_array(const equivalent_setup *setup, const equivalent_begin *from, double *y,
                             double *yp);
#endif
