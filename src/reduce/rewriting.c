/* reduce/rewriting.c - see rewriting.h. */
#include "reduce/rewriting.h"

#include <stdio.h>
#include <string.h>

#include "expr/derive.h"
#include "reduce/augment.h"

/* ---- derivatives of any order ---- */

/* The added unknown that represents x^(order), or NULL. */
static const added_unknown *find_added(const reduced_model *m, uint32_t of, int32_t order)
{
    for (size_t k = 0; k < m->repairs->added.n_unknowns; k++)
        if (m->repairs->added.unknown[k].of == of && m->repairs->added.unknown[k].order == order)
            return &m->repairs->added.unknown[k];
    return NULL;
}

static const added_unknown *added_at(const reduced_model *m, uint32_t variable)
{
    for (size_t k = 0; k < m->repairs->added.n_unknowns; k++)
        if (m->repairs->added.unknown[k].variable == variable)
            return &m->repairs->added.unknown[k];
    return NULL;
}

/* As in the system; added unknowns are the derivatives that they represent. */
equations_place reduced_place(void *user, uint32_t symbol)
{
    const reduced_model *m = user;
    flat_symbol_kind kind = flat_kind(symbol);
    if (kind != FLAT_VALUE && kind != FLAT_DER)
        return (equations_place){EQUATIONS_KNOWN, 0};
    uint32_t v = flat_number(symbol);
    const added_unknown *a = m->column[v] < 0 ? added_at(m, v) : NULL;
    int32_t order = a && a->order > 0 ? a->order : 0;
    return (equations_place){m->column[a && a->order > 0 ? a->of : v], order + (kind == FLAT_DER)};
}

static const char *text_around(reduced_model *m, const char *format, const char *what)
{
    char text[200];
    snprintf(text, sizeof text, format, what);
    return arena_text(m->mem, text, strlen(text));
}

/* The variable x^(order), order > 0, with the equation (x^(order - 1))' = x^(order). */
static bool derivative_variable(reduced_model *m, uint32_t of, int32_t order, uint32_t *number)
{
    expr_graph *g = &m->flat->graph;
    uint32_t lower = of;
    for (int32_t k = 1; k <= order; k++, lower = *number) {
        const added_unknown *known = find_added(m, of, k);
        if (known) {
            *number = known->variable;
            continue;
        }
        const char *name = text_around(m, "der(%.180s)", variable_text(m, lower));
        if (!name || !reduced_add_unknown(m, name, of, k, number))
            return false;
        expr slope = expr_variable(g, flat_symbol(FLAT_DER, lower));
        expr value = expr_variable(g, flat_symbol(FLAT_VALUE, *number));
        added_row row = {expr_sub(g, slope, value), EQUATION_OF_DERIVATIVE | lower, {0}};
        if (!reduced_add_row(m, row))
            return false;
    }
    return true;
}

/* x, x', and x^(k) as the derivative of a variable for x^(k - 1). */
static uint32_t symbol_of(void *user, int32_t unknown, int32_t order)
{
    reduced_model *m = user;
    uint32_t v = m->variable[unknown];
    if (order > 1 && !derivative_variable(m, v, order - 1, &v))
        m->mem->failed = true;
    return flat_symbol(order > 0 ? FLAT_DER : FLAT_VALUE, v);
}

static expr slope_of(void *user, uint32_t symbol)
{
    reduced_model *m = user;
    equations_place at = reduced_place(m, symbol);
    return at.unknown < 0 ? EXPR_NONE
                          : expr_variable(&m->flat->graph, symbol_of(m, at.unknown, at.order + 1));
}

expr reduced_derivative(void *user, expr e)
{
    reduced_model *m = user;
    flat_motion motion = {.slope = slope_of, .user = m};
    expr_direction along = flat_in_time(m->flat, &motion);
    expr_differ *differ = expr_differ_create(&m->flat->graph, &along);
    expr result = EXPR_NONE;
    bool fine = differ && expr_differ_of(differ, e, &result, NULL) == EXPR_OK && !motion.met_delay;
    expr_differ_free(differ);
    return fine && !m->mem->failed ? result : EXPR_NONE;
}

/* ---- proxies ---- */

static expr proxy_for(void *user, int32_t unknown, int32_t order)
{
    reduced_model *m = user;
    uint32_t v = m->variable[unknown], number;
    const char *name = variable_text(m, v);
    for (int32_t k = 0; k < order && name; k++)
        name = text_around(m, "der(%.180s)", name);
    if (name)
        name = text_around(m, "proxy(%.180s)", name);
    if (!name || !reduced_add_unknown(m, name, v, -1, &number))
        return EXPR_NONE;
    return expr_variable(&m->flat->graph, flat_symbol(FLAT_VALUE, number));
}

/* Proxies that were substituted are not appended. */
static bool forget_unused(reduced_model *m, const augmentation *copies)
{
    added_items *a = &m->repairs->added;
    size_t n = a->kept_unknowns;
    for (size_t k = n; k < a->n_unknowns; k++) {
        bool used = a->unknown[k].order > 0;
        uint32_t symbol = flat_symbol(FLAT_VALUE, a->unknown[k].variable);
        for (int32_t i = 0; i < copies->n && !used; i++) {
            expr_walker_forget(m->walker);
            if (!expr_depends(m->walker, copies->copy[i], EXPR_ALL))
                return false;
            for (size_t q = 0; q < m->walker->n_found; q++)
                used = used || expr_index(&m->flat->graph, m->walker->found[q]) == symbol;
        }
        if (used)
            a->unknown[n++] = a->unknown[k];
    }
    a->n_unknowns = n;
    return true;
}

/* Insert into an ascending list. */
static void insert(row_origin *to, int32_t row)
{
    int32_t k = to->n;
    while (k > 0 && to->made_of[k - 1] > row)
        k--;
    if (k > 0 && to->made_of[k - 1] == row)
        return;
    for (int32_t q = to->n++; q > k; q--)
        to->made_of[q] = to->made_of[q - 1];
    to->made_of[k] = row;
}

/* Begin to record the origins of rows. */
static bool begin_origins(reduced_model *m)
{
    if (m->repairs->origins)
        return true;
    m->repairs->n_unrepaired = m->n_rows;
    m->repairs->unrepaired_equation = m->equation; /* longer lists are copies */
    m->repairs->origins = arena_take(m->mem, (size_t)m->n_rows + 1, sizeof *m->repairs->origins);
    return m->repairs->origins != NULL;
}

bool reduced_join_origins(reduced_model *m, const signature *offsets, const repair_set *set,
                          row_origin *to)
{
    int32_t theta = offsets->c[set->row[set->n_rows - 1]], room = 1;
    if (!begin_origins(m))
        return false;
    for (int32_t k = 0; k < set->n_rows; k++)
        room += m->repairs->origins[set->row[k]].n + 1;
    *to = (row_origin){.made_of = arena_take(m->mem, (size_t)room, sizeof *to->made_of)};
    for (int32_t k = 0; k < set->n_rows && to->made_of; k++) {
        int32_t i = set->row[k];
        const row_origin *from = &m->repairs->origins[i];
        int32_t order = offsets->c[i] - theta + from->order;
        to->order = order > to->order ? order : to->order;
        if (!from->made_of && i < m->repairs->n_unrepaired)
            insert(to, i);
        for (int32_t q = 0; q < from->n; q++)
            insert(to, from->made_of[q]);
    }
    return to->made_of != NULL;
}

bool reduced_record_rewritten(reduced_model *m, uint32_t equation)
{
    uint32_t *grown = arena_grow(m->mem, m->repairs->rewritten, &m->repairs->rewritten_room,
                                 (size_t)m->repairs->n_rewritten + 1, sizeof *grown);
    if (!grown)
        return false;
    m->repairs->rewritten = grown;
    m->repairs->rewritten[m->repairs->n_rewritten++] = equation;
    return true;
}

/* The last of the set becomes the last copy, the other copies are appended. */
static daedal_status take_copies(reduced_model *m, int32_t replaced, const augmentation *copies,
                                 row_origin origin)
{
    for (int32_t k = 0; k + 1 < copies->n; k++) {
        added_row row = {copies->copy[k], 0, origin};
        if (!reduced_copy_equation(m, row.residual, m->equation[copies->row[k]], &row.equation) ||
            !reduced_record_rewritten(m, row.equation) || !reduced_add_row(m, row))
            return DAEDAL_ERR_MEMORY;
    }
    m->residual[replaced] = copies->copy[copies->n - 1];
    return forget_unused(m, copies) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

/* *done: new unknowns make the equations independent, where no constant combination does. */
daedal_status reduced_augment(reduced_model *m, const repair_task *task, const repair_set *set,
                              row_origin origin, bool *done)
{
    size_t room = (size_t)set->n_rows + 1;
    augment_task with = {task, set, symbol_of, proxy_for, m};
    augmentation copies = {.copy = arena_take(m->mem, room, sizeof *copies.copy),
                           .row = arena_take(m->mem, room, sizeof *copies.row)};
    *done = false;
    if (m->mem->failed)
        return DAEDAL_ERR_MEMORY;
    if (set->n_cols != set->n_rows - 1 ||
        m->n + 2 * set->n_rows > m->repairs->n_unrepaired + REPAIR_MAX)
        return DAEDAL_OK;
    reduced_discard_added(m);
    expr_outcome outcome = augment(&with, &copies);
    if (outcome == EXPR_NO_MEMORY || m->mem->failed)
        return DAEDAL_ERR_MEMORY;
    *done = outcome == EXPR_OK;
    return *done ? take_copies(m, set->row[set->n_rows - 1], &copies, origin) : DAEDAL_OK;
}
