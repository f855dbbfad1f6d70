/* threads/crew.h - threads that share work.
 *
 * Responsibility: the only place where threads are made; what they do is up to the caller.  They
 * are made with the crew and wait between its runs, so that a run makes none. Depends on:
 * base/memory.h, POSIX threads.                                     */
#ifndef DAEDAL_THREADS_CREW_H
#define DAEDAL_THREADS_CREW_H

#include "base/memory.h"

typedef struct crew crew;

/* A thread that cannot be made is left out: see crew_size.  NULL: memory is out. */
crew *crew_create(int32_t n_members, const daedal_allocator *allocator);
void crew_free(crew *c); /* accepts NULL; not during a run */

/* The members there are, at least one. */
int32_t crew_size(const crew *c);

/* Call work(user, k) for each member k, member 0 in the calling thread and the others each in one
 * of their own; returns when all have returned.                                   */
typedef void crew_work_fn(void *user, int32_t member);
void crew_run(crew *c, crew_work_fn *work, void *user);

/* Called by every member of a run: waits until all have called.  What they wrote before is seen by
 * all of them behind it.                                                          */
void crew_meet(crew *c);

/* Between these calls there is one member at a time. */
void crew_lock(crew *c);
void crew_unlock(crew *c);
#endif
