/* base/memory.c - see memory.h. */
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define LINE ((size_t)64) /* bytes of a cache line */

static void *resize_by_malloc(void *p, size_t old_size, size_t new_size, void *user)
{
    (void)old_size;
    (void)user;
    if (new_size > 0)
        return realloc(p, new_size);
    free(p);
    return NULL;
}

const daedal_allocator memory_default = {resize_by_malloc, NULL};

static const daedal_allocator *or_default(const daedal_allocator *a)
{
    return a ? a : &memory_default;
}

void *memory_take(const daedal_allocator *a, size_t size)
{
    a = or_default(a);
    size = size ? size : 1;
    if (a->resize == resize_by_malloc) /* calloc knows which pages are zero already */
        return calloc(1, size);
    void *p = a->resize(NULL, 0, size, a->user);
    if (p)
        memset(p, 0, size);
    return p;
}

void *memory_take_array(const daedal_allocator *a, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    return memory_take(a, count * size);
}

void memory_give(const daedal_allocator *a, void *p, size_t size)
{
    a = or_default(a);
    if (p)
        a->resize(p, size ? size : 1, 0, a->user);
}

void *layout_take(layout *l, size_t count, size_t size)
{
    size_t at = (l->used + LINE - 1) & ~(LINE - 1);
    l->used = at + count * size;
    return l->base ? l->base + at : NULL;
}

static char *aligned(const block *b)
{
    size_t misfit = (size_t)((uintptr_t)b->p & (LINE - 1));
    return (char *)b->p + (misfit ? LINE - misfit : 0);
}

bool block_create(block *b, const daedal_allocator *a, layout_fn *lay_out, void *object)
{
    layout count = {NULL, 0};
    lay_out(object, &count);
    b->allocator = a;
    b->size = count.used + LINE;
    b->p = memory_take(a, b->size);
    if (!b->p)
        return false;
    block_place(b, lay_out, object);
    return true;
}

void block_place(const block *b, layout_fn *lay_out, void *object)
{
    layout place = {aligned(b), 0};
    lay_out(object, &place);
}

void block_free(block *b)
{
    memory_give(b->allocator, b->p, b->size);
    b->p = NULL;
    b->size = 0;
}

void block_copy(block *to, const block *from)
{
    assert(to->size == from->size);
    memcpy(aligned(to), aligned(from), from->size - LINE);
}
