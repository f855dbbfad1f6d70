/* expr/buffer.h - arrays that grow through the allocator.
 *
 * Responsibility: growth, used as
 *     p = buffer_reserve(allocator, p, &capacity, wanted, sizeof *p)
 * with the old array kept when it answers NULL, or as buffer_grow, which notes a failure.
 * Arrays that are written before they are read use buffer_enlarge and buffer_extend: zeros would
 * make the system provide memory that may never be used.
 * Depends on: base/memory.h.                                                    */
#ifndef DAEDAL_EXPR_BUFFER_H
#define DAEDAL_EXPR_BUFFER_H

#include <string.h>

#include "base/memory.h"

/* The array with room for `wanted` items, new ones undefined; NULL when out of memory: the old
 * array is unchanged then.                                                       */
static inline void *buffer_enlarge(const daedal_allocator *a, void *p, size_t *capacity,
                                   size_t wanted, size_t size)
{
    if (wanted <= *capacity)
        return p;
    size_t room = *capacity < 16 ? 16 : *capacity;
    if (*capacity == 0 && wanted > room)
        room = wanted + wanted / 8; /* the size is known: hardly more is asked for */
    while (room < wanted)
        room += room;
    if (room > SIZE_MAX / 2 / size)
        return NULL;
    a = a ? a : &memory_default;
    char *larger = a->resize(p, *capacity * size, room * size, a->user);
    if (!larger)
        return NULL;
    *capacity = room;
    return larger;
}

/* The same, new items zeroed. */
static inline void *buffer_reserve(const daedal_allocator *a, void *p, size_t *capacity,
                                   size_t wanted, size_t size)
{
    size_t before = *capacity;
    if (wanted <= before)
        return p;
    char *larger = buffer_enlarge(a, p, capacity, wanted, size);
    if (larger)
        memset(larger + before * size, 0, (*capacity - before) * size);
    return larger;
}

/* buffer_enlarge with the old array and *failed when out of memory. */
static inline void *buffer_extend(const daedal_allocator *a, void *p, size_t *capacity,
                                  size_t wanted, size_t size, bool *failed)
{
    void *larger = buffer_enlarge(a, p, capacity, wanted, size);
    *failed = *failed || !larger;
    return larger ? larger : p;
}

/* buffer_reserve with the old array and *failed when out of memory. */
static inline void *buffer_grow(const daedal_allocator *a, void *p, size_t *capacity, size_t wanted,
                                size_t size, bool *failed)
{
    void *larger = buffer_reserve(a, p, capacity, wanted, size);
    *failed = *failed || !larger;
    return larger ? larger : p;
}

static inline void buffer_free(const daedal_allocator *a, void *p, size_t capacity, size_t size)
{
    memory_give(a, p, capacity * size);
}
#endif
