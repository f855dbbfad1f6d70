/* sweep/crew.h - threads that share work.
 *
 * Responsibility: the only place where threads are made; what they do is up to the caller.
 * Depends on: POSIX threads.                                                    */
#ifndef DAEDAL_SWEEP_CREW_H
#define DAEDAL_SWEEP_CREW_H

#include "base/memory.h"

typedef struct crew crew;

/* *out is NULL if memory is out. */
crew *crew_create(int32_t n_members, const daedal_allocator *allocator);
void crew_free(crew *c); /* accepts NULL */

/* Call work(user, k) for each member k, member 0 in the calling thread and the others each in one
 * of its own; returns when all have returned.  A thread that cannot be made is left out, so that
 * members must share their work as they find it.                                  */
typedef void crew_work_fn(void *user, int32_t member);
void crew_run(crew *c, crew_work_fn *work, void *user);

/* Between these calls there is one member at a time. */
void crew_lock(crew *c);
void crew_unlock(crew *c);
#endif
