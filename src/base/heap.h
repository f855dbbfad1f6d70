/* base/heap.h - items 0 .. n-1 with keys, smallest first.
 *
 * Responsibility: a binary heap whose keys may change.  Equal keys: smallest item first,
 * so that the order never depends on history.
 * Depends on: base/memory.h.                                                    */
#ifndef DAEDAL_BASE_HEAP_H
#define DAEDAL_BASE_HEAP_H

#include "base/memory.h"

enum { HEAP_NONE = -1 };

typedef struct heap {
    int32_t n;      /* items in it                      */
    int32_t *item;  /* capacity: the heap               */
    int32_t *place; /* capacity: where it stands in item, or HEAP_NONE */
    int64_t *key;   /* capacity, by item                */
} heap;

/* Part of the layout of the object that holds it; then heap_begin once. */
void heap_lay_out(heap *h, int32_t capacity, layout *l);
void heap_begin(heap *h, int32_t capacity);

void heap_set(heap *h, int32_t item, int64_t key); /* insert, or change the key */
int32_t heap_take(heap *h);                        /* remove the first, HEAP_NONE if empty */
void heap_clear(heap *h);                          /* O(items in it) */
#endif
