/* reduce/model_extend.c - see model_repair.h: unknowns and equations beside those of the text.
 *
 * They are collected first and join the system together, so that what looks at the system
 * while they are made sees it as it was.                                        */
#include "reduce/model_repair.h"

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
    return model_add_variable(m, name, of, number) && list_unknown(m, *number, of, order);
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
    flat_equation *all = arena_copy(&m->mem, f->equations, n, n + 1 + 1, sizeof *all);
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
    m->variable = arena_copy(&m->mem, m->variable, n, n + more + 1, sizeof *m->variable);
    m->equation = arena_copy(&m->mem, m->equation, rows, rows + more_rows + 1, sizeof *m->equation);
    m->residual = arena_copy(&m->mem, m->residual, rows, rows + more_rows + 1, sizeof *m->residual);
    m->origins = arena_copy(&m->mem, m->origins, rows, rows + more_rows + 1, sizeof *m->origins);
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
