/* base/memory.h - every byte the library owns comes from here.
 *
 * Responsibility: allocation through the user's allocator, and one-block objects:
 * a layout function runs twice, over a NULL base it only counts, over the real
 * block it hands out addresses, so that size and placement cannot disagree.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_BASE_MEMORY_H
#define DAEDAL_BASE_MEMORY_H

#include <stdbool.h>

#include "daedal.h"

/* malloc behind the allocator interface. */
extern const daedal_allocator memory_default;

/* A NULL allocator means memory_default.  Blocks are zeroed; NULL on failure.   */
void *memory_take(const daedal_allocator *a, size_t size);
void *memory_take_array(const daedal_allocator *a, size_t count, size_t size);
void memory_give(const daedal_allocator *a, void *p, size_t size); /* accepts NULL */

typedef struct layout {
    char *base; /* NULL: only count */
    size_t used;
} layout;

/* The next count * size bytes, aligned to a cache line; NULL while counting.    */
void *layout_take(layout *l, size_t count, size_t size);

/* A block that knows its size and owner: freed by block_free, safe when empty.  */
typedef struct block {
    const daedal_allocator *allocator;
    void *p;
    size_t size;
} block;

typedef void layout_fn(void *object, layout *l);

/* Run `lay_out` twice over a new zeroed block.  false: out of memory.           */
bool block_create(block *b, const daedal_allocator *a, layout_fn *lay_out, void *object);
void block_free(block *b);

/* Hand out the addresses once more, for an object whose pointers were overwritten. */
void block_place(const block *b, layout_fn *lay_out, void *object);

/* Copy the content of a block laid out by the same function for the same sizes. */
void block_copy(block *to, const block *from);
#endif
