/* compile/exact_jacobian.c - see compiled.h: the exact sparse Jacobian.
 *
 * Gradients are computed by rows; a counting sort arranges them in columns.  Constant entries are
 * written once, the others are the roots of one tape.              */
#include <string.h>

#include "compile/compiled.h"
#include "expr/derive.h"

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

static entry *entry_of(entries *list, size_t row_start, int32_t column)
{
    int32_t seen = list->latest[column];
    if (seen > 0 && (size_t)seen > row_start)
        return &list->at[seen - 1];
    entry *grown = arena_enlarge(&list->mem, list->at, &list->capacity, list->n + 1, sizeof *grown);
    if (!grown || list->n >= INT32_MAX - 1)
        return NULL;
    list->at = grown;
    list->at[list->n++] = (entry){column, EXPR_NONE, EXPR_NONE};
    list->latest[column] = (int32_t)list->n;
    return &list->at[list->n - 1];
}

static bool add_row(compiled_model *m, entries *list, int32_t row, const expr_gradient *gradient)
{
    size_t row_start = list->n;
    for (size_t k = 0; k < gradient->n; k++) {
        uint32_t symbol = gradient->entry[k].variable;
        entry *e = entry_of(list, row_start, m->reduced->column[flat_number(symbol)]);
        if (!e)
            return false;
        *(flat_kind(symbol) == FLAT_DER ? &e->dyp : &e->dy) = gradient->entry[k].derivative;
    }
    list->start[row + 1] = (int32_t)list->n;
    return true;
}

static expr_outcome differentiate(compiled_model *m, entries *list)
{
    expr_selection selection = {reduced_is_unknown, (void *)(uintptr_t)m->reduced,
                                flat_partials(m->flat)};
    expr_deriver *d = expr_deriver_create(&m->flat->graph, &selection);
    expr_outcome outcome = d ? EXPR_OK : EXPR_NO_MEMORY;
    for (int32_t i = 0; i < m->reduced->n && outcome == EXPR_OK; i++) {
        expr_gradient gradient;
        outcome = expr_gradient_of(d, m->reduced->residual[i], &gradient, NULL);
        if (outcome == EXPR_OK && !add_row(m, list, i, &gradient))
            outcome = EXPR_NO_MEMORY;
    }
    expr_deriver_free(d);
    return outcome;
}

/* The place of each entry in the columns; fills the pattern. */
static bool sort_entries(compiled_model *m, const entries *list, int32_t *position)
{
    int32_t nnz = (int32_t)list->n;
    if (!pattern_create(&m->jacobian->pattern, m->reduced->n, m->reduced->n, nnz, m->allocator))
        return false;
    int32_t *start = m->jacobian->pattern.start;
    for (int32_t q = 0; q < nnz; q++)
        start[list->at[q].column + 1]++;
    for (int32_t j = 0; j < m->reduced->n; j++)
        start[j + 1] += start[j];
    for (int32_t i = m->reduced->n; i-- > 0;)
        for (int32_t q = list->start[i]; q < list->start[i + 1]; q++) {
            position[q] = --start[list->at[q].column + 1];
            m->jacobian->pattern.row[position[q]] = i;
        }
    for (int32_t j = 0; j < m->reduced->n; j++)
        start[j] = start[j + 1];
    start[m->reduced->n] = nnz;
    return true;
}

/* Expression and place of both derivatives of an entry. */
static void parts_of(const entries *list, size_t q, uint32_t at, expr e[2], uint32_t place[2])
{
    e[0] = list->at[q].dy;
    e[1] = list->at[q].dyp;
    place[0] = at;
    place[1] = at + (uint32_t)list->n;
}

static void collect_roots(compiled_model *m, const entries *list, const int32_t *position)
{
    expr e[2];
    uint32_t place[2];
    for (size_t q = 0; q < list->n; q++) {
        parts_of(list, q, (uint32_t)position[q], e, place);
        for (int k = 0; k < 2; k++)
            if (e[k] != EXPR_NONE && !expr_is_constant(&m->flat->graph, e[k])) {
                m->jacobian->root[m->jacobian->n_roots] = e[k];
                m->jacobian->target[m->jacobian->n_roots++] = place[k];
            }
    }
}

static void write_constants(compiled_model *m, const entries *list, const int32_t *position)
{
    compiled_jacobian *jac = m->jacobian;
    expr e[2];
    uint32_t place[2];
    for (size_t q = 0; q < list->n; q++) {
        parts_of(list, q, (uint32_t)position[q], e, place);
        for (int k = 0; k < 2; k++)
            if (e[k] != EXPR_NONE && expr_is_constant(&m->flat->graph, e[k])) {
                jac->dy[place[k]] = expr_value_now(&m->flat->graph, e[k]);
                if (expr_is_live(&m->flat->graph, e[k]))
                    jac->live[jac->n_live++] = (live_entry){place[k], e[k]};
            }
    }
    jac->live_version = m->flat->graph.live_version;
}

/* The entries of the pattern that have a derivative with respect to y'. */
static bool add_dyp_pattern(compiled_model *m, size_t nnz)
{
    compiled_jacobian *jac = m->jacobian;
    const daedal_pattern *p = &jac->pattern.view;
    bool *is_slope = arena_take(m->mem, nnz + 1, sizeof *is_slope);
    int32_t count = 0;
    if (!is_slope || !pattern_create(&jac->dyp_pattern, m->reduced->n, m->reduced->n, (int32_t)nnz,
                                     m->allocator))
        return false;
    for (size_t q = 0; q < nnz; q++)
        is_slope[q] = jac->dyp[q] != 0.0;
    for (size_t k = 0; k < jac->n_roots; k++)
        if (jac->target[k] >= nnz)
            is_slope[jac->target[k] - nnz] = true;
    for (int32_t j = 0; j < m->reduced->n; j++) {
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (is_slope[q])
                jac->dyp_pattern.row[count++] = p->row[q];
        jac->dyp_pattern.start[j + 1] = count;
    }
    return true;
}

static bool compile_entries(compiled_model *m, entries *list)
{
    compiled_jacobian *jac = m->jacobian;
    size_t both = 2 * list->n;
    int32_t *position = arena_take(&list->mem, list->n + 1, sizeof *position);
    jac->root = arena_take(m->mem, both + 1, sizeof *jac->root);
    jac->target = arena_take(m->mem, both + 1, sizeof *jac->target);
    jac->live = arena_take(m->mem, both + 1, sizeof *jac->live);
    jac->dy_kept = arena_take(m->mem, both + 1, sizeof *jac->dy_kept);
    if (list->mem.failed || m->mem->failed || !sort_entries(m, list, position))
        return false;
    collect_roots(m, list, position);
    program_places to = {jac->target, both};
    if (!program_create_into(m, &jac->program, jac->root, jac->n_roots, to))
        return false;
    jac->dy = jac->program->out;
    jac->dyp = jac->dy + list->n;
    write_constants(m, list, position);
    return add_dyp_pattern(m, list->n);
}

/* A model without unknowns gets one that is constant: y' = 0. */
static bool compile_constant_unknown(compiled_model *m)
{
    compiled_jacobian *jac = m->jacobian;
    jac->dy = arena_take(m->mem, 1, sizeof *jac->dy);
    jac->dyp = arena_take(m->mem, 1, sizeof *jac->dyp);
    if (m->mem->failed || !pattern_create(&jac->pattern, 1, 1, 1, m->allocator))
        return false;
    jac->pattern.start[1] = 1;
    jac->dyp[0] = 1.0;
    m->reduced->differential[0] = true;
    jac->exists = true;
    return true;
}

daedal_status compiled_add_jacobian(compiled_model *m)
{
    if (m->reduced->n == 0)
        return compile_constant_unknown(m) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
    entries list = {0};
    arena_create(&list.mem, m->allocator, 0);
    list.start = arena_take(&list.mem, (size_t)m->reduced->n + 1, sizeof *list.start);
    list.latest = arena_take(&list.mem, (size_t)m->reduced->n + 1, sizeof *list.latest);
    expr_outcome outcome = list.mem.failed ? EXPR_NO_MEMORY : differentiate(m, &list);
    if (outcome == EXPR_OK && !compile_entries(m, &list))
        outcome = EXPR_NO_MEMORY;
    m->jacobian->exists = outcome == EXPR_OK;
    arena_free(&list.mem);
    return outcome == EXPR_NO_MEMORY ? DAEDAL_ERR_MEMORY : DAEDAL_OK;
}
