/* model/model_repair.c - see model.h: generic points for the rank test of structure/repair.h,
 * and its repetition until structure and numbers agree.                          */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/derive.h"
#include "model/model.h"
#include "structure/augment.h"

static const double GOLDEN = 0.61803398874989485;

/* A number in 0.06 .. 0.3 that belongs to the symbol and the point. */
static double share_of(uint32_t symbol, int sample)
{
    double turn = GOLDEN * (double)(symbol % 100003u) + 0.37 * sample;
    return 0.06 + 0.24 * (turn - floor(turn));
}

typedef struct point {
    model *m;
    int sample;
} point;

static double value_of(void *user, uint32_t symbol);

static int call_function(void *user, uint32_t function, const double *args, double *outputs)
{
    const point *p = user;
    return flat_call(p->m->flat->functions, function, args, outputs);
}

static double evaluate(point *p, expr e)
{
    double v = NAN;
    expr_source from = {value_of, call_function, p};
    return expr_evaluate(&p->m->flat->graph, e, &from, &v) == 0 ? v : (double)NAN;
}

/* Starts moved by a few percent, zeros by a little: start values themselves are the worst
 * points (study/INDEX_REDUCTION.md 4.1).                                          */
static double variable_value(point *p, uint32_t v, uint32_t symbol)
{
    const flat_variable *var = &p->m->flat->variables[v];
    double start = var->start == EXPR_NONE ? 0.0 : evaluate(p, var->start);
    if (var->variability != FLAT_CONTINUOUS) {
        if (var->variability == FLAT_PARAMETER && var->value != EXPR_NONE)
            return evaluate(p, var->value);
        return var->start == EXPR_NONE && var->type == FLAT_ENUM ? 1.0 : start;
    }
    double nominal = var->nominal > 0.0 ? var->nominal : 1.0, share = share_of(symbol, p->sample);
    return isfinite(start) && start != 0.0 ? start * (1.0 + 0.2 * share) : share * nominal;
}

static double relation_value(point *p, const flat_relation *r)
{
    double a = evaluate(p, r->left), b = evaluate(p, r->right);
    return r->op == EXPR_LT ? a < b : r->op == EXPR_LE ? a <= b : r->op == EXPR_GT ? a > b : a >= b;
}

/* Where points were moved, else where they are by themselves. */
static bool find_moved(const point *p, uint32_t symbol, double *value)
{
    const model_points *all = &p->m->points;
    flat_symbol_kind kind = flat_kind(symbol);
    if (!all->moved || p->sample >= MODEL_POINTS || (kind != FLAT_VALUE && kind != FLAT_DER))
        return false;
    int32_t column = p->m->column[flat_number(symbol)];
    const model_point *at = &all->at[p->sample];
    if (column >= 0)
        *value = kind == FLAT_DER ? at->slope[column] : at->value[column];
    return column >= 0;
}

static double value_of(void *user, uint32_t symbol)
{
    point *p = user;
    const flat_model *f = p->m->flat;
    const flat_experiment *x = &f->experiment;
    uint32_t number = flat_number(symbol);
    double moved;
    if (find_moved(p, symbol, &moved))
        return moved;
    double span = x->has_stop ? x->stop - (x->has_start ? x->start : 0.0) : 1.0;
    switch (flat_kind(symbol)) {
    case FLAT_VALUE:
    case FLAT_PRE:
        return variable_value(p, number, flat_symbol(FLAT_VALUE, number));
    case FLAT_DER:
        return share_of(symbol, p->sample);
    case FLAT_TIME:
        return (x->has_start ? x->start : 0.0) + 0.1 * span * share_of(symbol, p->sample);
    case FLAT_RELATION:
        return relation_value(p, &f->relations[number]);
    case FLAT_ROUNDING:
        return floor(evaluate(p, f->roundings[number].of));
    case FLAT_DELAY:
        return evaluate(p, f->delays[number].of);
    default:
        return 0.0;
    }
}

/* ---- the callbacks of the test ---- */

double model_generic_value(model *m, int sample, uint32_t symbol)
{
    point p = {m, sample};
    return value_of(&p, symbol);
}

static double sample_value(void *user, int sample, uint32_t symbol)
{
    return model_generic_value(user, sample, symbol);
}

static bool settle(void *user)
{
    model *m = user;
    model_points *p = &m->points;
    p->moved = model_find_points(m, p->system, m->index_left, p->at);
    return p->moved;
}

static int sample_call(void *user, uint32_t function, const double *args, double *outputs)
{
    const model *m = user;
    return flat_call(m->flat->functions, function, args, outputs);
}

/* ---- derivatives of any order ---- */

/* The unknown that stands for x^(order), from the list of those that wait; NULL: none. */
static const added_unknown *find_added(const model *m, uint32_t of, int32_t order)
{
    for (size_t k = 0; k < m->added.n_unknowns; k++)
        if (m->added.unknown[k].of == of && m->added.unknown[k].order == order)
            return &m->added.unknown[k];
    return NULL;
}

static const added_unknown *added_at(const model *m, uint32_t variable)
{
    for (size_t k = 0; k < m->added.n_unknowns; k++)
        if (m->added.unknown[k].variable == variable)
            return &m->added.unknown[k];
    return NULL;
}

/* As in the system, and unknowns that wait are the derivatives that they stand for. */
static equations_place place_of(void *user, uint32_t symbol)
{
    const model *m = user;
    flat_symbol_kind kind = flat_kind(symbol);
    if (kind != FLAT_VALUE && kind != FLAT_DER)
        return (equations_place){EQUATIONS_KNOWN, 0};
    uint32_t v = flat_number(symbol);
    const added_unknown *a = m->column[v] < 0 ? added_at(m, v) : NULL;
    int32_t order = a && a->order > 0 ? a->order : 0;
    return (equations_place){m->column[a && a->order > 0 ? a->of : v], order + (kind == FLAT_DER)};
}

static const char *text_around(model *m, const char *format, const char *what)
{
    char text[200];
    snprintf(text, sizeof text, format, what);
    return arena_text(&m->mem, text, strlen(text));
}

/* The variable x^(order), order > 0, with the equation (x^(order - 1))' = x^(order). */
static bool derivative_variable(model *m, uint32_t of, int32_t order, uint32_t *number)
{
    expr_graph *g = &m->flat->graph;
    uint32_t lower = of;
    for (int32_t k = 1; k <= order; k++, lower = *number) {
        const added_unknown *known = find_added(m, of, k);
        if (known) {
            *number = known->variable;
            continue;
        }
        const char *name = text_around(m, "der(%.180s)", model_name(m, lower));
        if (!name || !model_add_unknown(m, name, of, k, number))
            return false;
        expr slope = expr_variable(g, flat_symbol(FLAT_DER, lower));
        expr value = expr_variable(g, flat_symbol(FLAT_VALUE, *number));
        added_row row = {expr_sub(g, slope, value), EQUATION_OF_DERIVATIVE | lower, {0}};
        if (!model_add_row(m, row))
            return false;
    }
    return true;
}

/* x, x', and x^(k) as the derivative of a variable for x^(k - 1). */
static uint32_t symbol_of(void *user, int32_t unknown, int32_t order)
{
    model *m = user;
    uint32_t v = m->variable[unknown];
    if (order > 1 && !derivative_variable(m, v, order - 1, &v))
        m->mem.failed = true;
    return flat_symbol(order > 0 ? FLAT_DER : FLAT_VALUE, v);
}

typedef struct direction {
    model *m;
    bool impossible;
} direction;

static expr along_time(void *user, expr_graph *g, uint32_t symbol)
{
    direction *d = user;
    switch (flat_kind(symbol)) {
    case FLAT_TIME:
        return expr_constant(g, 1.0);
    case FLAT_VALUE:
    case FLAT_DER: {
        equations_place at = place_of(d->m, symbol);
        return at.unknown < 0 ? EXPR_NONE
                              : expr_variable(g, symbol_of(d->m, at.unknown, at.order + 1));
    }
    case FLAT_DELAY:
        d->impossible = true;
        return EXPR_NONE;
    default:
        return EXPR_NONE;
    }
}

static expr partial_along(void *user, expr_graph *g, expr call, uint32_t k)
{
    const direction *d = user;
    return flat_partial(d->m->flat->functions, g, call, k);
}

static expr derivative_of(void *user, expr e)
{
    model *m = user;
    direction d = {.m = m};
    expr_direction along = {along_time, partial_along, &d};
    expr_differ *differ = expr_differ_create(&m->flat->graph, &along);
    expr result = EXPR_NONE;
    bool fine = differ && expr_differ_of(differ, e, &result, NULL) == EXPR_OK && !d.impossible;
    expr_differ_free(differ);
    return fine && !m->mem.failed ? result : EXPR_NONE;
}

/* ---- proxies ---- */

static expr proxy_for(void *user, int32_t unknown, int32_t order)
{
    model *m = user;
    uint32_t v = m->variable[unknown], number;
    const char *name = model_name(m, v);
    for (int32_t k = 0; k < order && name; k++)
        name = text_around(m, "der(%.180s)", name);
    if (name)
        name = text_around(m, "proxy(%.180s)", name);
    if (!name || !model_add_unknown(m, name, v, -1, &number))
        return EXPR_NONE;
    return expr_variable(&m->flat->graph, flat_symbol(FLAT_VALUE, number));
}

/* Proxies that were written out do not join. */
static bool forget_unused(model *m, const augmentation *copies)
{
    model_added *a = &m->added;
    size_t n = 0;
    expr_walker_forget(&m->walker);
    for (size_t k = 0; k < a->n_unknowns; k++) {
        bool used = a->unknown[k].order > 0;
        uint32_t symbol = flat_symbol(FLAT_VALUE, a->unknown[k].variable);
        for (int32_t i = 0; i < copies->n && !used; i++) {
            expr_walker_forget(&m->walker);
            if (!expr_depends(&m->walker, copies->copy[i], EXPR_ALL))
                return false;
            for (size_t q = 0; q < m->walker.n_found; q++)
                used = used || expr_index(&m->flat->graph, m->walker.found[q]) == symbol;
        }
        if (used)
            a->unknown[n++] = a->unknown[k];
    }
    a->n_unknowns = n;
    return true;
}

/* Of what replaces the last of the set; false: out of memory. */
static bool join_origins(model *m, const signature *offsets, const repair_set *set, row_origin *to)
{
    int32_t theta = offsets->c[set->row[set->n_rows - 1]];
    if (!m->plain_equation) {
        m->n_plain = m->n_rows;
        m->plain_equation = m->equation; /* longer lists are copies */
    }
    int32_t n_plain = m->n_plain;
    *to = (row_origin){.made_of = arena_take(&m->mem, (size_t)n_plain + 1, sizeof *to->made_of)};
    for (int32_t k = 0; k < set->n_rows && to->made_of; k++) {
        int32_t i = set->row[k];
        row_origin from = m->origins ? m->origins[i] : (row_origin){0};
        int32_t order = offsets->c[i] - theta + from.order;
        to->order = order > to->order ? order : to->order;
        if (!from.made_of && i < n_plain)
            to->made_of[i] = true;
        for (int32_t q = 0; q < n_plain && from.made_of; q++)
            to->made_of[q] = to->made_of[q] || from.made_of[q];
    }
    return to->made_of != NULL;
}

static bool note_rewritten(model *m, uint32_t equation)
{
    uint32_t *grown = arena_grow(&m->mem, m->rewritten, &m->rewritten_room,
                                 (size_t)m->n_rewritten + 1, sizeof *grown);
    if (!grown)
        return false;
    m->rewritten = grown;
    m->rewritten[m->n_rewritten++] = equation;
    return true;
}

/* The last of the set becomes the last copy, the other copies join. */
static daedal_status take_copies(model *m, int32_t replaced, const augmentation *copies,
                                 row_origin origin)
{
    for (int32_t k = 0; k + 1 < copies->n; k++) {
        added_row row = {copies->copy[k], 0, origin};
        if (!model_copy_equation(m, row.residual, m->equation[copies->row[k]], &row.equation) ||
            !note_rewritten(m, row.equation) || !model_add_row(m, row))
            return DAEDAL_ERR_MEMORY;
    }
    m->residual[replaced] = copies->copy[copies->n - 1];
    return forget_unused(m, copies) && model_take_added(m) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

/* *done: new unknowns take the equations apart, where no constant combination does. */
static daedal_status take_apart(model *m, const repair_task *task, const repair_set *set,
                                row_origin origin, bool *done)
{
    size_t room = (size_t)set->n_rows + 1;
    augment_task with = {task, set, symbol_of, proxy_for, m};
    augmentation copies = {.copy = arena_take(&m->mem, room, sizeof *copies.copy),
                           .row = arena_take(&m->mem, room, sizeof *copies.row)};
    *done = false;
    if (m->mem.failed)
        return DAEDAL_ERR_MEMORY;
    if (set->n_cols != set->n_rows - 1 || m->n + 2 * set->n_rows > REPAIR_MOST)
        return DAEDAL_OK;
    model_forget_added(m);
    expr_outcome outcome = augment(&with, &copies);
    if (outcome == EXPR_NO_MEMORY || m->mem.failed)
        return DAEDAL_ERR_MEMORY;
    *done = outcome == EXPR_OK;
    return *done ? take_copies(m, set->row[set->n_rows - 1], &copies, origin) : DAEDAL_OK;
}

/* ---- once ---- */

/* An index of one by numbers, though the structure promises an ODE, needs no repair if nothing
 * is asked of the start: the integrator takes it as it is, with the equations as they are
 * written and with fewer steps (transistor amplifier: 10 500 instead of 13 900). */
static bool runs_as_it_is(const model *m, const signature *offsets, int32_t index)
{
    bool asked = m->flat->n_initials > 0;
    for (int32_t u = 0; u < m->n_unknowns && !asked; u++)
        asked = m->flat->variables[m->unknown[u]].fixed;
    return index >= 0 && index <= 1 && offsets->differentiations == 0 && m->n_repairs == 0 &&
           !asked;
}

static bool copy_rows(model *m, const equations *system, equations *copy)
{
    *copy = *system;
    copy->residual = arena_take(&m->mem, (size_t)system->n + 1, sizeof *copy->residual);
    for (int32_t i = 0; i < system->n && copy->residual; i++)
        copy->residual[i] = system->residual[i];
    return copy->residual != NULL;
}

/* Measure before the repair, which hides what was; by the local pencil if nothing else can be told.
 * false: out of memory.                                                          */
static bool measure(model *m, const equations *before, int32_t *index, int32_t *freedom)
{
    point p = {m, 0};
    expr_source at = {value_of, call_function, &p};
    *index = -1;
    if (!model_judge(m))
        return false;
    const model_judgement *j = &m->judgement;
    if (j->verdict == JUDGED_SOLVABLE) {
        *index = j->index;
        *freedom = j->freedom;
    } else if (j->verdict == JUDGED_UNKNOWN) {
        *index = model_measure_index(m, before, &at, freedom);
    }
    m->report.index = *index > m->report.index ? *index : m->report.index;
    return true;
}

/* Which equations depended on one another when the last repair was tried. */
static bool note_dependent(model *m, const row_origin *origin)
{
    uint32_t *list = arena_take(&m->mem, (size_t)m->n_plain + 1, sizeof *list);
    m->n_dependent = 0;
    for (int32_t i = 0; i < m->n_plain && list; i++)
        if (origin->made_of[i])
            list[m->n_dependent++] = m->plain_equation[i];
    m->dependent = list;
    return list != NULL;
}

static daedal_status repair_system(model *m, repair_task *task, repair_set *set, bool *changed)
{
    equations before;
    if (!copy_rows(m, task->system, &before))
        return DAEDAL_ERR_MEMORY;
    repair_verdict verdict = repair_once(task, set);
    if (verdict == REPAIR_NOT_NEEDED || verdict == REPAIR_NO_MEMORY)
        return verdict == REPAIR_NO_MEMORY ? DAEDAL_ERR_MEMORY : DAEDAL_OK;
    int32_t row = set->row[set->n_rows - 1];
    m->misled = true;
    int32_t index = -1, freedom = 0;
    if (m->n_repairs == 0 && !measure(m, &before, &index, &freedom))
        return DAEDAL_ERR_MEMORY;
    if (runs_as_it_is(m, task->offsets, index)) {
        task->system->residual[row] = before.residual[row];
        m->measured_freedom = freedom;
        return DAEDAL_OK;
    }
    row_origin origin;
    if (!join_origins(m, task->offsets, set, &origin))
        return DAEDAL_ERR_MEMORY;
    *changed = verdict == REPAIR_DONE;
    if (*changed)
        TRY(model_take_added(m) ? DAEDAL_OK : DAEDAL_ERR_MEMORY);
    else
        TRY(take_apart(m, task, set, origin, changed));
    if (*changed) {
        m->n_repairs++;
        m->origins[row] = origin;
        TRY(note_rewritten(m, m->equation[row]) ? DAEDAL_OK : DAEDAL_ERR_MEMORY);
    }
    return note_dependent(m, &origin) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

daedal_status model_repair(model *m, equations *system, const signature *offsets, bool *changed)
{
    repair_task task = {.system = system,
                        .offsets = offsets,
                        .value = sample_value,
                        .call = sample_call,
                        .partial = model_partial,
                        .derivative = derivative_of,
                        .settle = settle,
                        .user = m,
                        .allocator = m->allocator};
    *changed = false;
    if (system->n > REPAIR_MOST)
        return DAEDAL_OK;
    system->place = place_of;
    repair_set set = {.row = arena_take(&m->mem, (size_t)system->n + 1, sizeof *set.row),
                      .col = arena_take(&m->mem, (size_t)system->n + 1, sizeof *set.col)};
    if (m->mem.failed)
        return DAEDAL_ERR_MEMORY;
    m->points = (model_points){.system = system};
    daedal_status status = repair_system(m, &task, &set, changed);
    m->points = (model_points){0};
    model_forget_added(m);
    return status;
}
