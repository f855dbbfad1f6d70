/* base/heap.c - see heap.h. */
#include "base/heap.h"

void heap_lay_out(heap *h, int32_t capacity, layout *l)
{
    h->item = layout_take(l, (size_t)capacity, sizeof *h->item);
    h->place = layout_take(l, (size_t)capacity, sizeof *h->place);
    h->key = layout_take(l, (size_t)capacity, sizeof *h->key);
}

void heap_begin(heap *h, int32_t capacity)
{
    h->n = 0;
    for (int32_t k = 0; k < capacity; k++)
        h->place[k] = HEAP_NONE;
}

static bool before(const heap *h, int32_t x, int32_t y)
{
    return h->key[x] < h->key[y] || (h->key[x] == h->key[y] && x < y);
}

static void put(heap *h, int32_t item, int32_t place)
{
    h->item[place] = item;
    h->place[item] = place;
}

static void sift_up(heap *h, int32_t item)
{
    int32_t at = h->place[item];
    while (at > 0 && before(h, item, h->item[(at - 1) / 2])) {
        put(h, h->item[(at - 1) / 2], at);
        at = (at - 1) / 2;
    }
    put(h, item, at);
}

static void sift_down(heap *h, int32_t item)
{
    int32_t at = h->place[item];
    while (2 * at + 1 < h->n) {
        int32_t child = 2 * at + 1;
        if (child + 1 < h->n && before(h, h->item[child + 1], h->item[child]))
            child++;
        if (!before(h, h->item[child], item))
            break;
        put(h, h->item[child], at);
        at = child;
    }
    put(h, item, at);
}

void heap_set(heap *h, int32_t item, int64_t key)
{
    h->key[item] = key;
    if (h->place[item] == HEAP_NONE)
        h->place[item] = h->n++;
    sift_up(h, item);
    sift_down(h, item);
}

int32_t heap_take(heap *h)
{
    if (h->n == 0)
        return HEAP_NONE;
    int32_t first = h->item[0], last = h->item[--h->n];
    h->place[first] = HEAP_NONE;
    if (last != first) {
        put(h, last, 0);
        sift_down(h, last);
    }
    return first;
}

void heap_clear(heap *h)
{
    while (h->n > 0)
        h->place[h->item[--h->n]] = HEAP_NONE;
}
