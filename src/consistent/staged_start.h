/* consistent/staged_start.h - consistent values by stages, sparse.
 *
 * Responsibility: free values and derivatives that satisfy the equations and what follows from
 * them, with the states as given or moved as impulses move them, where the offsets hold. Depends
 * on: consistent/stage_system.h, consistent/higher_index_start.h.             */
#ifndef DAEDAL_CONSISTENT_STAGED_START_H
#define DAEDAL_CONSISTENT_STAGED_START_H

#include "consistent/higher_index_start.h"

/* *done: the values of the problem are consistent now, else they are as they were.  States move by
 * `room` weights at most.  DAEDAL_OK, DAEDAL_STOPPED, DAEDAL_ERR_MEMORY or a callback's failure. */
daedal_status start_by_stages(const start_problem *p, const start_offsets *o, double room,
                              bool *done);
#endif
