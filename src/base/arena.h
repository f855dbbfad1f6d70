/* base/arena.h - memory of one compilation, freed at once.
 *
 * Responsibility: blocks that grow in chunks through a daedal_allocator.  Everything
 * taken lives until arena_free; there is no freeing of single pieces, except that a large array
 * which grows gives its old place back.
 * Depends on: base/memory.h.                                                    */
#ifndef DAEDAL_BASE_ARENA_H
#define DAEDAL_BASE_ARENA_H

#include "base/memory.h"

typedef struct arena_chunk arena_chunk;

typedef struct arena {
    const daedal_allocator *allocator;
    arena_chunk *chunks; /* newest first */
    size_t limit;        /* bytes in all that may be taken; 0: no limit          */
    size_t taken;        /* bytes taken from the allocator so far                */
    bool failed;         /* some take returned NULL                              */
    bool over_limit;     /* it was the limit that stood in the way, not the allocator */
} arena;

void arena_create(arena *a, const daedal_allocator *allocator, size_t limit);
void arena_free(arena *a);

/* Zeroed, aligned for any type; NULL when out of memory or over the limit.      */
void *arena_take(arena *a, size_t count, size_t size);

/* A copy of `length` bytes with a NUL behind them. */
char *arena_text(arena *a, const char *from, size_t length);

/* A copy of n items in an array of `room`, zeros behind them; NULL when out of memory. */
void *arena_copy(arena *a, const void *from, size_t n, size_t room, size_t size);

/* Room for at least `wanted` items in an array that lives in the arena: the old array
 * (of *capacity items) or a larger copy of it, which ends the life of the old one; NULL when out
 * of memory.                                                                    */
void *arena_grow(arena *a, void *array, size_t *capacity, size_t wanted, size_t size);

/* The same, new items undefined: a large array is resized where the allocator can do so without
 * copying it. */
void *arena_enlarge(arena *a, void *array, size_t *capacity, size_t wanted, size_t size);
#endif
