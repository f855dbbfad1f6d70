/* reduce/added_equations.c - see repairs.h: unknowns and equations beside those of the text.
 *
 * They are collected first and appended together, so that the system does not change while it is
 * examined.                                        */
#include "reduce/repairs.h"

static bool list_unknown(reduced_model *m, uint32_t v, uint32_t of, int32_t order)
{
    added_items *to = &m->repairs->added;
    added_unknown *grown =
        arena_enlarge(m->mem, to->unknown, &to->unknown_room, to->n_unknowns + 1, sizeof *grown);
    if (!grown)
        return false;
    to->unknown = grown;
    to->unknown[to->n_unknowns++] = (added_unknown){v, of, order};
    return true;
}

bool reduced_add_unknown(reduced_model *m, const char *name, uint32_t of, int32_t order,
                         uint32_t *number)
{
    return reduced_add_variable(m, name, of, number) && list_unknown(m, *number, of, order);
}

bool reduced_add_row(reduced_model *m, added_row row)
{
    added_items *to = &m->repairs->added;
    added_row *grown = arena_enlarge(m->mem, to->row, &to->row_room, to->n_rows + 1, sizeof *grown);
    if (!grown)
        return false;
    to->row = grown;
    to->row[to->n_rows++] = row;
    return true;
}

bool reduced_copy_equation(reduced_model *m, expr residual, uint32_t like, uint32_t *number)
{
    flat_model *f = m->flat;
    size_t n = f->n_equations + m->repairs->added.n_equations;
    *number = like;
    if (like & EQUATION_OF_DERIVATIVE)
        return true;
    flat_equation *all = arena_copy(m->mem, f->equations, n, n + 1 + 1, sizeof *all);
    if (!all)
        return false;
    f->equations = all;
    all[n] = (flat_equation){.left = residual,
                             .right = expr_constant(&f->graph, 0.0),
                             .at = all[like].at,
                             .end = all[like].end};
    m->repairs->added.n_equations++;
    *number = (uint32_t)n;
    return true;
}

void reduced_keep_added(reduced_model *m)
{
    m->repairs->added.kept_rows = m->repairs->added.n_rows;
    m->repairs->added.kept_unknowns = m->repairs->added.n_unknowns;
}

void reduced_discard_added(reduced_model *m)
{
    m->repairs->added.n_rows = m->repairs->added.kept_rows;
    m->repairs->added.n_unknowns = m->repairs->added.kept_unknowns;
}

/* Longer lists; false: out of memory. */
static bool lengthen(reduced_model *m)
{
    size_t n = (size_t)m->n, rows = (size_t)m->n_rows;
    size_t more = m->repairs->added.n_unknowns, more_rows = m->repairs->added.n_rows;
    m->variable = arena_copy(m->mem, m->variable, n, n + more + 1, sizeof *m->variable);
    m->equation = arena_copy(m->mem, m->equation, rows, rows + more_rows + 1, sizeof *m->equation);
    m->residual = arena_copy(m->mem, m->residual, rows, rows + more_rows + 1, sizeof *m->residual);
    m->repairs->origins = arena_copy(m->mem, m->repairs->origins, rows, rows + more_rows + 1,
                                     sizeof *m->repairs->origins);
    return !m->mem->failed;
}

bool reduced_append_added(reduced_model *m)
{
    added_items *from = &m->repairs->added;
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
        m->repairs->origins[m->n_rows] = from->row[k].origin;
        m->residual[m->n_rows++] = from->row[k].residual;
    }
    m->n_system = m->n > 0 ? m->n : 1;
    from->n_rows = from->n_unknowns = from->kept_rows = from->kept_unknowns = 0;
    return true;
}
