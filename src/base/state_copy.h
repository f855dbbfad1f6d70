/* base/state_copy.h - the state of an object as bytes.
 *
 * Responsibility: a function of the owner names every piece of memory that changes during a run, in
 * a fixed order; it runs to count them, to save them and to restore them, so that nothing can be
 * saved in one order and restored in another.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_BASE_STATE_COPY_H
#define DAEDAL_BASE_STATE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef enum state_action { STATE_MEASURE, STATE_SAVE, STATE_RESTORE } state_action;

typedef struct state_copy {
    state_action action;
    unsigned char *bytes; /* to save into, or to restore from                     */
    size_t n;             /* so far                                               */
    bool failed;          /* there was no memory for what is restored             */
} state_copy;

static inline void state_copy_bytes(state_copy *s, void *p, size_t n)
{
    if (s->action == STATE_SAVE && n > 0)
        memcpy(s->bytes + s->n, p, n);
    if (s->action == STATE_RESTORE && n > 0)
        memcpy(p, s->bytes + s->n, n);
    s->n += n;
}

#define STATE_COPY(s, item) state_copy_bytes(s, &(item), sizeof(item))
#endif
