/* base/number_map.c - see number_map.h. */
#include "base/number_map.h"

static size_t place_of(const number_map *m, uint64_t key)
{
    const uint64_t golden = 0x9E3779B97F4A7C15u; /* 2^64 divided by the golden ratio */
    size_t at = (size_t)((key * golden) >> 20) & (m->n_slots - 1);
    while (m->key[at] && m->key[at] != key)
        at = (at + 1) & (m->n_slots - 1);
    return at;
}

bool number_map_find(const number_map *m, uint64_t key, uint32_t *number)
{
    if (m->n_slots == 0)
        return false;
    size_t at = place_of(m, key);
    *number = m->number[at];
    return m->key[at] != 0;
}

static bool grow(number_map *m, arena *mem)
{
    enum { FIRST_SLOTS = 64 };
    number_map wide = {.n = m->n, .n_slots = m->n_slots ? 2 * m->n_slots : FIRST_SLOTS};
    wide.key = arena_take(mem, wide.n_slots, sizeof *wide.key);
    wide.number = arena_take(mem, wide.n_slots, sizeof *wide.number);
    if (!wide.key || !wide.number)
        return false;
    for (size_t i = 0; i < m->n_slots; i++)
        if (m->key[i]) {
            size_t at = place_of(&wide, m->key[i]);
            wide.key[at] = m->key[i];
            wide.number[at] = m->number[i];
        }
    *m = wide;
    return true;
}

bool number_map_put(number_map *m, arena *mem, uint64_t key, uint32_t number)
{
    if (2 * (m->n + 1) > m->n_slots && !grow(m, mem))
        return false;
    size_t at = place_of(m, key);
    m->n += m->key[at] == 0;
    m->key[at] = key;
    m->number[at] = number;
    return true;
}
