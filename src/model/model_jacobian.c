/* model/model_jacobian.c - see model.h: the exact sparse Jacobian.
 *
 * Gradients come by rows; a counting sort brings them into columns.  Entries that are
 * constant are written once, the others are the roots of one tape.              */
#include <string.h>

#include "expr/derive.h"
#include "model/model.h"

typedef struct entry {
    int32_t column;
    expr dy, dyp; /* EXPR_NONE: zero */
} entry;

typedef struct entries {
    arena mem;
    int32_t *start; /* by row */
    entry *at;
    size_t n, capacity;
    int32_t *latest; /* by column: 1 + its entry, if in this row */
} entries;

bool model_is_unknown(void *user, uint32_t symbol)
{
    const model *m = user;
    flat_symbol_kind kind = flat_kind(symbol);
    return (kind == FLAT_VALUE || kind == FLAT_DER) && m->column[flat_number(symbol)] >= 0;
}

expr model_partial(void *user, expr_graph *g, expr call, uint32_t k)
{
    const model *m = user;
    return flat_partial(m->flat->functions, g, call, k);
}

static entry *entry_of(entries *list, size_t row_start, int32_t column)
{
    int32_t seen = list->latest[column];
    if (seen > 0 && (size_t)seen > row_start)
        return &list->at[seen - 1];
    entry *grown = arena_grow(&list->mem, list->at, &list->capacity, list->n + 1, sizeof *grown);
    if (!grown || list->n >= INT32_MAX - 1)
        return NULL;
    list->at = grown;
    list->at[list->n++] = (entry){column, EXPR_NONE, EXPR_NONE};
    list->latest[column] = (int32_t)list->n;
    return &list->at[list->n - 1];
}

static bool add_row(model *m, entries *list, int32_t row, const expr_gradient *gradient)
{
    size_t row_start = list->n;
    for (size_t k = 0; k < gradient->n; k++) {
        uint32_t symbol = gradient->entry[k].variable;
        entry *e = entry_of(list, row_start, m->column[flat_number(symbol)]);
        if (!e)
            return false;
        *(flat_kind(symbol) == FLAT_DER ? &e->dyp : &e->dy) = gradient->entry[k].derivative;
    }
    list->start[row + 1] = (int32_t)list->n;
    return true;
}

static expr_outcome differentiate(model *m, entries *list)
{
    expr_selection selection = {model_is_unknown, model_partial, m};
    expr_deriver *d = expr_deriver_create(&m->flat->graph, &selection);
    expr_outcome outcome = d ? EXPR_OK : EXPR_NO_MEMORY;
    for (int32_t i = 0; i < m->n && outcome == EXPR_OK; i++) {
        expr_gradient gradient;
        outcome = expr_gradient_of(d, m->residual[i], &gradient, NULL);
        if (outcome == EXPR_OK && !add_row(m, list, i, &gradient))
            outcome = EXPR_NO_MEMORY;
    }
    expr_deriver_free(d);
    return outcome;
}

/* Where each entry goes in the columns; fills the pattern. */
static bool sort_entries(model *m, const entries *list, int32_t *position)
{
    int32_t nnz = (int32_t)list->n;
    if (!pattern_create(&m->pattern, m->n, m->n, nnz, m->allocator))
        return false;
    int32_t *start = m->pattern.start;
    for (int32_t q = 0; q < nnz; q++)
        start[list->at[q].column + 1]++;
    for (int32_t j = 0; j < m->n; j++)
        start[j + 1] += start[j];
    for (int32_t i = m->n; i-- > 0;)
        for (int32_t q = list->start[i]; q < list->start[i + 1]; q++) {
            position[q] = --start[list->at[q].column + 1];
            m->pattern.row[position[q]] = i;
        }
    for (int32_t j = 0; j < m->n; j++)
        start[j] = start[j + 1];
    start[m->n] = nnz;
    return true;
}

/* Constants into their place, everything else into the list of roots. */
static void place_value(model *m, expr e, jacobian_target to, expr *roots, size_t *n)
{
    const expr_graph *g = &m->flat->graph;
    if (e == EXPR_NONE)
        return;
    if (expr_is_constant(g, e)) {
        (to.of_slope ? m->dyp : m->dy)[to.at] = expr_value(g, e);
        return;
    }
    roots[*n] = e;
    m->target[(*n)++] = to;
}

static bool compile_entries(model *m, entries *list)
{
    int32_t *position = arena_take(&list->mem, list->n + 1, sizeof *position);
    expr *roots = arena_take(&m->mem, 2 * list->n + 1, sizeof *roots);
    m->dy = arena_take(&m->mem, list->n + 1, sizeof *m->dy);
    m->dyp = arena_take(&m->mem, list->n + 1, sizeof *m->dyp);
    m->target = arena_take(&m->mem, 2 * list->n + 1, sizeof *m->target);
    if (list->mem.failed || m->mem.failed || !sort_entries(m, list, position))
        return false;
    size_t n = 0;
    m->jacobian_root = roots;
    for (size_t q = 0; q < list->n; q++) {
        place_value(m, list->at[q].dy, (jacobian_target){position[q], false}, roots, &n);
        place_value(m, list->at[q].dyp, (jacobian_target){position[q], true}, roots, &n);
    }
    return program_create(m, &m->jacobian, roots, n);
}

/* A model without unknowns has one that stands still: y' = 0. */
static bool compile_still(model *m)
{
    m->dy = arena_take(&m->mem, 1, sizeof *m->dy);
    m->dyp = arena_take(&m->mem, 1, sizeof *m->dyp);
    if (m->mem.failed || !pattern_create(&m->pattern, 1, 1, 1, m->allocator))
        return false;
    m->pattern.start[1] = 1;
    m->dyp[0] = 1.0;
    m->differential[0] = true;
    m->has_jacobian = true;
    return true;
}

daedal_status model_compile_jacobian(model *m)
{
    if (m->n == 0)
        return compile_still(m) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
    entries list = {0};
    arena_create(&list.mem, m->allocator, 0);
    list.start = arena_take(&list.mem, (size_t)m->n + 1, sizeof *list.start);
    list.latest = arena_take(&list.mem, (size_t)m->n + 1, sizeof *list.latest);
    expr_outcome outcome = list.mem.failed ? EXPR_NO_MEMORY : differentiate(m, &list);
    if (outcome == EXPR_OK && !compile_entries(m, &list))
        outcome = EXPR_NO_MEMORY;
    m->has_jacobian = outcome == EXPR_OK;
    arena_free(&list.mem);
    return outcome == EXPR_NO_MEMORY ? DAEDAL_ERR_MEMORY : DAEDAL_OK;
}
