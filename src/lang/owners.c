/* lang/owners.c - see owners.h. */
#include "lang/owners.h"

#include <string.h>

struct owners {
    number_map variable, binding;
    int32_t *equation;
    size_t n, capacity;
};

static owners *owners_of(compilation *c)
{
    if (!c->owners)
        c->owners = arena_take(&c->mem, 1, sizeof *c->owners);
    return c->owners;
}

void owner_of_variable_is(compilation *c, int32_t name, int32_t owner)
{
    owners *o = owners_of(c);
    if (o && owner)
        number_map_put(&o->variable, &c->mem, (uint64_t)name + 1, (uint32_t)owner);
}

void owner_of_binding_is(compilation *c, int32_t name, int32_t owner)
{
    owners *o = owners_of(c);
    if (o && owner)
        number_map_put(&o->binding, &c->mem, (uint64_t)name + 1, (uint32_t)owner);
}

void owner_of_equation_is(compilation *c, uint32_t equation, int32_t owner)
{
    owners *o = c->owners; /* a model without components has none */
    int32_t *list =
        o ? arena_grow(&c->mem, o->equation, &o->capacity, (size_t)equation + 1, sizeof *list)
          : NULL;
    if (!list)
        return;
    o->equation = list;
    list[equation] = owner;
    o->n = equation + 1 > o->n ? equation + 1 : o->n;
}

int32_t owner_of_variable(compilation *c, int32_t name)
{
    uint32_t owner = 0;
    if (!c->owners || number_map_find(&c->owners->variable, (uint64_t)name + 1, &owner))
        return (int32_t)owner;
    const char *text = intern_text(&c->names, name);
    size_t n = strlen(text);
    if (n == 0 || text[n - 1] != ']')
        return 0;
    while (n > 0 && text[n] != '[')
        n--;
    int32_t stem = intern_add(&c->names, text, n);
    return number_map_find(&c->owners->variable, (uint64_t)stem + 1, &owner) ? (int32_t)owner : 0;
}

int32_t owner_of_equation(const compilation *c, uint32_t equation)
{
    return c->owners && equation < c->owners->n ? c->owners->equation[equation] : 0;
}

int32_t owner_of_binding(compilation *c, int32_t name)
{
    uint32_t owner = 0;
    if (c->owners && number_map_find(&c->owners->binding, (uint64_t)name + 1, &owner))
        return (int32_t)owner;
    return owner_of_variable(c, name);
}
