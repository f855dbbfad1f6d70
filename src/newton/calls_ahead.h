/* newton/calls_ahead.h - F at several points at once, by several threads.
 *
 * Responsibility: the points of a difference Jacobian are known beforehand.  They are collected,
 * the user's function is called for all of them by the members of a crew, and the calls that follow
 * are answered from memory, in their order; so neither results nor counts depend on the number of
 * threads.  Only for functions that may be called from several threads at once.
 * Depends on: threads/crew.h.                                                      */
#ifndef DAEDAL_NEWTON_CALLS_AHEAD_H
#define DAEDAL_NEWTON_CALLS_AHEAD_H

#include "threads/crew.h"

typedef struct calls_ahead calls_ahead;

/* NULL: out of memory. */
calls_ahead *calls_ahead_create(const daedal_system *sys, int32_t threads,
                                const daedal_allocator *a);
void calls_ahead_free(calls_ahead *a); /* accepts NULL */

/* One more point; false: there is no room. */
bool calls_ahead_add(calls_ahead *a, const double *y, const double *yp);

/* Call the residual, or in mass form the right-hand side, for all points that were added. */
void calls_ahead_compute(calls_ahead *a, double t);

/* Whether this is the next point that was computed; then its values and what the function answered.
 */
bool calls_ahead_take(calls_ahead *a, double t, const double *y, const double *yp, double *r,
                      int *answer);
#endif
