/* base/intern.h - every distinct text once, with a small number.
 *
 * Responsibility: text <-> id, ids 0, 1, 2, ... in order of first appearance.
 * Depends on: base/arena.h.                                                     */
#ifndef DAEDAL_BASE_INTERN_H
#define DAEDAL_BASE_INTERN_H

#include "base/arena.h"

typedef struct intern_entry {
    const char *text; /* NUL-terminated, in the arena */
    uint32_t length, hash;
} intern_entry;

typedef struct intern_table {
    arena *mem;
    intern_entry *entry; /* n of them, by id */
    size_t n, capacity;
    uint32_t *slot; /* open addressing: id + 1, 0 empty */
    size_t n_slots; /* power of two */
} intern_table;

enum { INTERN_NONE = -1 };

bool intern_create(intern_table *t, arena *mem);
/* The id of a text, new if need be; INTERN_NONE when out of memory.             */
int32_t intern_add(intern_table *t, const char *text, size_t length);
/* The id of a text that is known, or INTERN_NONE.                               */
int32_t intern_find(const intern_table *t, const char *text, size_t length);

static inline const char *intern_text(const intern_table *t, int32_t id)
{
    return t->entry[id].text;
}
#endif
