/* base/number_map.h - a map from 64-bit keys to numbers, in an arena.
 *
 * Responsibility: open addressing with linear probing, at most half full.
 * Invariant: the key 0 means an empty slot and cannot be stored.
 * Depends on: base/arena.h.                                                      */
#ifndef DAEDAL_BASE_NUMBER_MAP_H
#define DAEDAL_BASE_NUMBER_MAP_H

#include "base/arena.h"

typedef struct number_map {
    uint64_t *key; /* 0: empty */
    uint32_t *number;
    size_t n, n_slots;
} number_map;

bool number_map_find(const number_map *m, uint64_t key, uint32_t *number);
/* Adds a key or replaces its number; false when out of memory. */
bool number_map_put(number_map *m, arena *mem, uint64_t key, uint32_t number);
#endif
