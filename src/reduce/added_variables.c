/* reduce/added_variables.c - see reduced.h: variables beside those of the text. */
#include <math.h>
#include <string.h>

#include "reduce/reduced.h"

bool reduced_reserve_variables(reduced_model *m, size_t more)
{
    flat_model *f = m->flat;
    size_t n = f->n_variables, room = n;
    int32_t **tables[] = {&m->unknown_of, &m->discrete_of, &m->column};
    if (more == 0 || n + more <= m->variable_room)
        return true;
    flat_variable *variables =
        arena_enlarge(&f->from->mem, f->variables, &room, n + more, sizeof *variables);
    if (!variables)
        return false;
    f->variables = variables;
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        room = n;
        int32_t *table = arena_enlarge(m->mem, *tables[k], &room, n + more, sizeof *table);
        if (!table)
            return false;
        *tables[k] = table;
    }
    m->variable_room = room;
    return true;
}

bool reduced_add_variable(reduced_model *m, const char *name, uint32_t like, uint32_t *number)
{
    flat_model *f = m->flat;
    uint32_t v = (uint32_t)f->n_variables;
    bool is_full = v >= m->variable_room; /* then it is doubled, so that the cost stays linear */
    if (is_full && !reduced_reserve_variables(m, f->n_variables))
        return false;
    f->variables[v] = (flat_variable){.name = intern_add(&f->from->names, name, strlen(name)),
                                      .type = FLAT_REAL,
                                      .variability = FLAT_CONTINUOUS,
                                      .hidden = true,
                                      .select = FLAT_DEFAULT,
                                      .enumeration = -1,
                                      .min = -HUGE_VAL,
                                      .max = HUGE_VAL,
                                      .at = f->variables[like].at};
    m->unknown_of[v] = m->discrete_of[v] = m->column[v] = -1;
    f->n_variables++;
    *number = v;
    return f->variables[v].name != INTERN_NONE;
}
