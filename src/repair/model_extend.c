/* repair/model_extend.c - see model_repair.h: unknowns and equations beside those of the text.
 *
 * They are collected first and join the system together, so that what looks at the system
 * while they are made sees it as it was.                                        */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "repair/model_repair.h"

/* A longer copy of an array of the arena; of none, zeros. */
static void *longer(model *m, const void *from, size_t n, size_t more, size_t size)
{
    char *to = arena_take(&m->mem, n + more + 1, size);
    if (to && from && n > 0)
        memcpy(to, from, n * size);
    return to;
}

/* For one more variable; room doubles, so that many do not cost their square. */
static bool make_room(model *m)
{
    flat_model *f = m->flat;
    size_t n = f->n_variables;
    if (n < m->added.room)
        return true;
    int32_t **tables[] = {&m->unknown_of, &m->discrete_of, &m->column};
    flat_variable *variables = longer(m, f->variables, n, n, sizeof *variables);
    if (!variables)
        return false;
    f->variables = variables;
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        int32_t *table = longer(m, *tables[k], n, n, sizeof *table);
        if (!table)
            return false;
        *tables[k] = table;
    }
    m->added.room = 2 * n + 1;
    return true;
}

static bool list_unknown(model *m, uint32_t v, uint32_t of, int32_t order)
{
    model_added *to = &m->added;
    added_unknown *grown =
        arena_grow(&m->mem, to->unknown, &to->unknown_room, to->n_unknowns + 1, sizeof *grown);
    if (!grown)
        return false;
    to->unknown = grown;
    to->unknown[to->n_unknowns++] = (added_unknown){v, of, order};
    return true;
}

bool model_add_unknown(model *m, const char *name, uint32_t of, int32_t order, uint32_t *number)
{
    flat_model *f = m->flat;
    if (!make_room(m))
        return false;
    uint32_t v = (uint32_t)f->n_variables;
    f->variables[v] = (flat_variable){.name = intern_add(&f->from->names, name, strlen(name)),
                                      .type = FLAT_REAL,
                                      .variability = FLAT_CONTINUOUS,
                                      .hidden = true,
                                      .select = FLAT_DEFAULT,
                                      .enumeration = -1,
                                      .min = -HUGE_VAL,
                                      .max = HUGE_VAL,
                                      .at = f->variables[of].at};
    m->unknown_of[v] = m->discrete_of[v] = m->column[v] = -1;
    if (f->variables[v].name == INTERN_NONE || !list_unknown(m, v, of, order))
        return false;
    f->n_variables++;
    *number = v;
    return true;
}

bool model_add_row(model *m, added_row row)
{
    model_added *to = &m->added;
    added_row *grown = arena_grow(&m->mem, to->row, &to->row_room, to->n_rows + 1, sizeof *grown);
    if (!grown)
        return false;
    to->row = grown;
    to->row[to->n_rows++] = row;
    return true;
}

bool model_copy_equation(model *m, expr residual, uint32_t like, uint32_t *number)
{
    flat_model *f = m->flat;
    size_t n = f->n_equations + m->added.n_equations;
    *number = like;
    if (like & EQUATION_OF_DERIVATIVE)
        return true;
    flat_equation *all = longer(m, f->equations, n, 1, sizeof *all);
    if (!all)
        return false;
    f->equations = all;
    all[n] = (flat_equation){residual, expr_constant(&f->graph, 0.0), all[like].at, all[like].end};
    m->added.n_equations++;
    *number = (uint32_t)n;
    return true;
}

void model_keep_added(model *m)
{
    m->added.kept_rows = m->added.n_rows;
    m->added.kept_unknowns = m->added.n_unknowns;
}

void model_forget_added(model *m)
{
    m->added.n_rows = m->added.kept_rows;
    m->added.n_unknowns = m->added.kept_unknowns;
}

/* Longer lists; false: out of memory. */
static bool lengthen(model *m)
{
    size_t n = (size_t)m->n, rows = (size_t)m->n_rows;
    size_t more = m->added.n_unknowns, more_rows = m->added.n_rows;
    m->variable = longer(m, m->variable, n, more, sizeof *m->variable);
    m->equation = longer(m, m->equation, rows, more_rows, sizeof *m->equation);
    m->residual = longer(m, m->residual, rows, more_rows, sizeof *m->residual);
    m->origins = longer(m, m->origins, rows, more_rows, sizeof *m->origins);
    return !m->mem.failed;
}

bool model_take_added(model *m)
{
    model_added *from = &m->added;
    if (from->n_rows == 0 && from->n_unknowns == 0)
        return true;
    if (!lengthen(m))
        return false;
    for (size_t k = 0; k < from->n_unknowns; k++) {
        m->column[from->unknown[k].variable] = m->n;
        m->variable[m->n++] = from->unknown[k].variable;
    }
    for (size_t k = 0; k < from->n_rows; k++) {
        m->equation[m->n_rows] = from->row[k].equation;
        m->origins[m->n_rows] = from->row[k].origin;
        m->residual[m->n_rows++] = from->row[k].residual;
    }
    m->n_system = m->n > 0 ? m->n : 1;
    from->n_rows = from->n_unknowns = from->kept_rows = from->kept_unknowns = 0;
    return true;
}
