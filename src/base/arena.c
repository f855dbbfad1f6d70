/* base/arena.c - see arena.h. */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

struct arena_chunk {
    arena_chunk *next;
    size_t size, used; /* bytes behind this header */
    alignas(max_align_t) char data[];
};

enum { CHUNK = 1 << 16 };

void arena_create(arena *a, const daedal_allocator *allocator, size_t limit)
{
    *a = (arena){.allocator = allocator, .limit = limit};
}

void arena_free(arena *a)
{
    while (a->chunks) {
        arena_chunk *next = a->chunks->next;
        memory_give(a->allocator, a->chunks, sizeof(arena_chunk) + a->chunks->size);
        a->chunks = next;
    }
    a->taken = 0;
}

static void *refuse(arena *a)
{
    a->failed = true;
    return NULL;
}

/* A chunk of this size, not yet in the list. */
static arena_chunk *new_chunk(arena *a, size_t size)
{
    if (a->limit && a->taken + size > a->limit) {
        a->over_limit = true;
        return NULL;
    }
    arena_chunk *c = memory_take(a->allocator, sizeof(arena_chunk) + size);
    if (!c)
        return NULL;
    c->size = size;
    a->taken += size;
    return c;
}

/* A chunk with room for `bytes`, put in front. */
static bool add_chunk(arena *a, size_t bytes)
{
    size_t size = bytes > CHUNK ? bytes : CHUNK;
    if (a->taken > 16 * (size_t)CHUNK && size < a->taken / 8)
        size = a->taken / 8; /* few chunks for large compilations */
    arena_chunk *c = new_chunk(a, size);
    if (!c)
        return false;
    c->next = a->chunks;
    a->chunks = c;
    return true;
}

/* A chunk for `bytes` alone, put behind the first, whose room stays in use. */
static arena_chunk *add_own_chunk(arena *a, size_t bytes)
{
    arena_chunk *c = new_chunk(a, bytes);
    if (!c)
        return NULL;
    arena_chunk **place = a->chunks ? &a->chunks->next : &a->chunks;
    c->next = *place;
    *place = c;
    c->used = bytes;
    return c;
}

void *arena_take(arena *a, size_t count, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size && count > (SIZE_MAX / 2) / size)
        return refuse(a);
    size_t bytes = (count * size + align - 1) / align * align;
    if (bytes == 0)
        bytes = align;
    if (bytes >= CHUNK) {
        arena_chunk *own = add_own_chunk(a, bytes);
        return own ? own->data : refuse(a);
    }
    if (!a->chunks || a->chunks->size - a->chunks->used < bytes)
        if (!add_chunk(a, bytes))
            return refuse(a);
    void *p = a->chunks->data + a->chunks->used;
    a->chunks->used += bytes;
    return p;
}

/* Where the chunk hangs in the list that has this array of so many bytes alone; NULL: none has,
 * because the array is small. */
static arena_chunk **own_chunk(arena *a, const void *array, size_t bytes)
{
    if (bytes < CHUNK)
        return NULL;
    for (arena_chunk **place = &a->chunks; *place; place = &(*place)->next)
        if ((const void *)(*place)->data == array)
            return place;
    return NULL;
}

/* Gives the chunk back that has this array alone; smaller arrays stay until the end. */
static void give_back(arena *a, const void *array, size_t bytes)
{
    arena_chunk **place = own_chunk(a, array, bytes);
    if (!place)
        return;
    arena_chunk *c = *place;
    *place = c->next;
    a->taken -= c->size;
    memory_give(a->allocator, c, sizeof(arena_chunk) + c->size);
}

/* The chunk of an array with another size, moved if need be; NULL: it stays as it was. */
static void *resize_chunk(arena *a, arena_chunk **place, size_t bytes)
{
    const size_t align = alignof(max_align_t);
    const daedal_allocator *from = a->allocator ? a->allocator : &memory_default;
    size_t size = (bytes + align - 1) / align * align, old = (*place)->size;
    if (a->limit && a->taken - old + size > a->limit) {
        a->over_limit = true;
        return refuse(a);
    }
    arena_chunk *c =
        from->resize(*place, sizeof *c + old, sizeof *c + size, from->user); /* else unchanged */
    if (!c)
        return refuse(a);
    c->size = c->used = size;
    a->taken += size - old;
    *place = c;
    return c->data;
}

char *arena_text(arena *a, const char *from, size_t length)
{
    char *to = arena_take(a, length + 1, 1);
    if (to)
        memcpy(to, from, length);
    return to;
}

void *arena_copy(arena *a, const void *from, size_t n, size_t room, size_t size)
{
    void *to = arena_take(a, room, size);
    if (to && n)
        memcpy(to, from, n * size);
    return to;
}

/* So many items for an array that has room for `capacity` and wants `wanted`. */
static size_t larger_room(size_t capacity, size_t wanted)
{
    size_t room = capacity < 8 ? 8 : capacity;
    while (room < wanted)
        room += room;
    return room;
}

void *arena_enlarge(arena *a, void *array, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity)
        return array;
    size_t room = larger_room(*capacity, wanted);
    arena_chunk **place = own_chunk(a, array, *capacity * size);
    if (!place)
        return arena_grow(a, array, capacity, wanted, size);
    if (room > SIZE_MAX / 2 / size)
        return refuse(a);
    void *larger = resize_chunk(a, place, room * size);
    if (larger)
        *capacity = room;
    return larger;
}

void *arena_grow(arena *a, void *array, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity)
        return array;
    size_t room = larger_room(*capacity, wanted);
    void *larger = arena_copy(a, array, *capacity, room, size);
    if (!larger)
        return NULL;
    give_back(a, array, *capacity * size);
    *capacity = room;
    return larger;
}
