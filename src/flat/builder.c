/* flat/builder.c - see builder.h. */
#include "flat/builder.h"

/* Room for one more item behind n; NULL when out of memory. */
static void *one_more(flat_builder *b, void *array, size_t n, size_t *capacity, size_t size)
{
    return arena_enlarge(&b->m->from->mem, array, capacity, n + 1, size);
}

/* The body of a function that adds `item` to the array `list` of the model. */
#define ADD(list, item)                                                                            \
    do {                                                                                           \
        flat_model *m = b->m;                                                                      \
        void *grown = one_more(b, m->list, m->n_##list, &b->room.list, sizeof *m->list);           \
        if (!grown)                                                                                \
            return FLAT_NONE;                                                                      \
        m->list = grown;                                                                           \
        m->list[m->n_##list] = (item);                                                             \
        return (uint32_t)m->n_##list++;                                                            \
    } while (0)

uint32_t flat_add_enumeration(flat_builder *b, flat_enumeration e)
{
    ADD(enumerations, e);
}

uint32_t flat_add_variable(flat_builder *b, const flat_variable *v)
{
    ADD(variables, *v);
}

uint32_t flat_add_delay(flat_builder *b, flat_delay d)
{
    ADD(delays, d);
}

uint32_t flat_add_input(flat_builder *b, flat_input i)
{
    ADD(inputs, i);
}

uint32_t flat_add_equation(flat_builder *b, flat_equation e)
{
    ADD(equations, e);
}

uint32_t flat_add_initial(flat_builder *b, flat_initial e)
{
    ADD(initials, e);
}

uint32_t flat_add_assignment(flat_builder *b, flat_assignment a)
{
    ADD(assignments, a);
}

uint32_t flat_add_reinit(flat_builder *b, flat_reinit r)
{
    ADD(reinits, r);
}

uint32_t flat_add_assert(flat_builder *b, flat_assert a)
{
    ADD(asserts, a);
}

uint32_t flat_add_terminate(flat_builder *b, flat_terminate t)
{
    ADD(terminates, t);
}

/* ---- entries that are shared ---- */

static uint32_t push_relation(flat_builder *b, flat_relation r)
{
    ADD(relations, r);
}

static uint32_t push_rounding(flat_builder *b, flat_rounding r)
{
    ADD(roundings, r);
}

static uint32_t push_sample(flat_builder *b, flat_sample s)
{
    ADD(samples, s);
}

static uint32_t remember(flat_builder *b, number_map *map, uint64_t key, uint32_t number)
{
    if (number != FLAT_NONE)
        number_map_put(map, &b->m->from->mem, key, number);
    return number;
}

uint32_t flat_add_relation(flat_builder *b, expr comparison, flat_relation r)
{
    uint32_t number = 0;
    if (number_map_find(&b->relation_numbers, comparison, &number))
        return number;
    return remember(b, &b->relation_numbers, comparison, push_relation(b, r));
}

uint32_t flat_add_rounding(flat_builder *b, flat_rounding r)
{
    uint32_t number = 0;
    if (number_map_find(&b->rounding_numbers, r.of, &number))
        return number;
    return remember(b, &b->rounding_numbers, r.of, push_rounding(b, r));
}

uint32_t flat_add_sample(flat_builder *b, flat_sample s)
{
    uint64_t key = (uint64_t)s.start << 32 | s.interval;
    uint32_t number = 0;
    for (size_t k = 0; s.parts && k < b->m->n_samples; k++) {
        const flat_sample *o = &b->m->samples[k];
        if (o->parts == s.parts && o->first == s.first && o->step == s.step &&
            o->interval == s.interval)
            return (uint32_t)k;
    }
    if (s.parts)
        return push_sample(b, s);
    if (number_map_find(&b->sample_numbers, key, &number))
        return number;
    return remember(b, &b->sample_numbers, key, push_sample(b, s));
}
