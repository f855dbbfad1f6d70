/* compile/parameter_tapes.c - see parameter_tapes.h. */
#include "compile/parameter_tapes.h"

#include <string.h>

#include "expr/derive.h"

/* A discrete variable is equal to its pre between events. */
static expr slope_of(void *user, expr_graph *g, uint32_t symbol)
{
    const parameter_direction *by = user;
    bool is_it = (flat_kind(symbol) == FLAT_VALUE || flat_kind(symbol) == FLAT_PRE) &&
                 flat_number(symbol) == by->variable;
    return is_it ? expr_constant(g, 1.0) : EXPR_NONE;
}

/* A parameter that the caller has set does not depend on others. */
static expr binding_of(void *user, uint32_t symbol)
{
    const parameter_direction *by = user;
    const flat_variable *v = &by->flat->variables[flat_number(symbol)];
    bool follows = flat_kind(symbol) == FLAT_VALUE && flat_number(symbol) != by->variable &&
                   v->binding != EXPR_NONE && !v->is_set;
    return follows ? v->binding : EXPR_NONE;
}

expr_direction parameter_direction_of(parameter_direction *by, const flat_model *flat,
                                      uint32_t variable)
{
    *by = (parameter_direction){flat, variable};
    return (expr_direction){slope_of, by, flat_partials(flat), binding_of};
}

/* Derivatives that are not zero, and their places in the values. */
typedef struct slope_list {
    arena mem;
    expr *root;
    uint32_t *target;
    size_t n, n_roots_room, n_targets_room;
} slope_list;

static bool add(slope_list *list, expr e, size_t place)
{
    expr *root = arena_grow(&list->mem, list->root, &list->n_roots_room, list->n + 1, sizeof *root);
    uint32_t *target =
        arena_grow(&list->mem, list->target, &list->n_targets_room, list->n + 1, sizeof *target);
    if (!root || !target)
        return false;
    list->root = root;
    list->target = target;
    root[list->n] = e;
    target[list->n++] = (uint32_t)place;
    return true;
}

/* ---- which expressions read which parameters ---- */

/* Pairs of an expression and a parameter, by parameter. */
typedef struct readers {
    arena mem;
    const flat_model *flat;
    expr_walker w;
    int32_t *number; /* by variable: its last number among the parameters, or -1 */
    int32_t *same;   /* by parameter: the one before it that is the same, or -1 */
    int32_t *expression, *parameter;
    size_t n, n_expressions_room, n_parameters_room;
    size_t *start; /* n_parameters + 1: of the sorted expressions          */
    int32_t *sorted;
    expr *root; /* still to be followed */
    size_t n_roots, n_roots_room;
} readers;

static bool add_pair(readers *r, int32_t expression, int32_t parameter)
{
    r->expression =
        arena_grow(&r->mem, r->expression, &r->n_expressions_room, r->n + 1, sizeof *r->expression);
    r->parameter =
        arena_grow(&r->mem, r->parameter, &r->n_parameters_room, r->n + 1, sizeof *r->parameter);
    if (r->mem.failed)
        return false;
    r->expression[r->n] = expression;
    r->parameter[r->n++] = parameter;
    return true;
}

static bool push(readers *r, expr root)
{
    r->root = arena_grow(&r->mem, r->root, &r->n_roots_room, r->n_roots + 1, sizeof *r->root);
    if (r->mem.failed)
        return false;
    r->root[r->n_roots++] = root;
    return true;
}

/* A variable of a parameter, which may be bound to others. */
static bool reach_variable(readers *r, int32_t expression, uint32_t symbol)
{
    flat_symbol_kind kind = flat_kind(symbol);
    if (kind != FLAT_VALUE && kind != FLAT_PRE)
        return true;
    const flat_variable *v = &r->flat->variables[flat_number(symbol)];
    for (int32_t k = r->number[flat_number(symbol)]; k >= 0; k = r->same[k])
        if (!add_pair(r, expression, k))
            return false;
    bool follows = kind == FLAT_VALUE && v->binding != EXPR_NONE && !v->is_set;
    return !follows || push(r, v->binding);
}

/* Live constants are followed to their formulas. */
static bool reach(readers *r, int32_t expression, expr e)
{
    const expr_graph *g = &r->flat->graph;
    expr_walker_forget(&r->w);
    bool fine = push(r, e);
    while (fine && r->n_roots > 0) {
        fine = expr_walk(&r->w, r->root[--r->n_roots], EXPR_ALL);
        for (size_t k = 0; fine && k < r->w.n_found; k++) {
            expr found = r->w.found[k];
            if (expr_is_live(g, found))
                fine = push(r, expr_live_formula(g, found));
            else if (expr_is_variable(g, found))
                fine = reach_variable(r, expression, expr_index(g, found));
        }
    }
    return fine;
}

static bool sort_pairs(readers *r, int32_t n_parameters)
{
    r->start = arena_take(&r->mem, (size_t)n_parameters + 2, sizeof *r->start);
    r->sorted = arena_take(&r->mem, r->n + 1, sizeof *r->sorted);
    if (r->mem.failed)
        return false;
    for (size_t q = 0; q < r->n; q++)
        r->start[r->parameter[q] + 2]++;
    for (int32_t k = 0; k < n_parameters; k++)
        r->start[k + 2] += r->start[k + 1];
    for (size_t q = 0; q < r->n; q++)
        r->sorted[r->start[r->parameter[q] + 1]++] = r->expression[q];
    return true;
}

static void number_parameters(readers *r, const parameter_tapes *to)
{
    for (size_t v = 0; v < r->flat->n_variables; v++)
        r->number[v] = -1;
    for (int32_t k = 0; k < to->n; k++)
        if (to->variable[k] != NO_PARAMETER) {
            r->same[k] = r->number[to->variable[k]];
            r->number[to->variable[k]] = k;
        }
}

static bool find_readers(readers *r, const parameter_tapes *to, const expr *of, int32_t n_of)
{
    const flat_model *flat = to->model->flat;
    *r = (readers){.flat = flat};
    arena_create(&r->mem, to->allocator, 0);
    expr_walker_create(&r->w, &flat->graph);
    r->number = arena_take(&r->mem, flat->n_variables + 1, sizeof *r->number);
    r->same = arena_take(&r->mem, (size_t)to->n + 1, sizeof *r->same);
    if (r->mem.failed)
        return false;
    number_parameters(r, to);
    for (int32_t i = 0; i < n_of; i++)
        if (!reach(r, i, of[i]))
            return false;
    return sort_pairs(r, to->n);
}

static void free_readers(readers *r)
{
    expr_walker_free(&r->w);
    arena_free(&r->mem);
}

/* ---- derivatives ---- */

/* Column k of the derivatives of these expressions. */
static expr_outcome add_column(parameter_tapes *to, slope_list *list, expressions of,
                               const readers *r, int32_t k, expr_differ *d)
{
    const expr_graph *g = &to->model->flat->graph;
    expr_outcome outcome = EXPR_OK;
    for (size_t q = r->start[k]; q < r->start[k + 1] && outcome == EXPR_OK; q++) {
        expr slope;
        int32_t i = r->sorted[q];
        if (q > r->start[k] && i == r->sorted[q - 1])
            continue;
        outcome = expr_differ_of(d, of.at[i], &slope, NULL);
        if (outcome != EXPR_OK || (expr_is_constant(g, slope) && expr_value_now(g, slope) == 0.0))
            continue;
        to->is_read[k] = true;
        if (!add(list, slope, (size_t)k * (size_t)of.n + (size_t)i))
            outcome = EXPR_NO_MEMORY;
    }
    return outcome;
}

/* What is remembered of one column is forgotten before the next. */
static expr_outcome add_columns(parameter_tapes *to, slope_list *list, const expr *of, int32_t n_of)
{
    flat_model *flat = to->model->flat;
    parameter_direction by;
    expr_direction direction = parameter_direction_of(&by, flat, 0);
    readers r;
    expr_differ *d = expr_differ_create(&flat->graph, &direction);
    bool fine = find_readers(&r, to, of, n_of) && d;
    expr_outcome outcome = fine ? EXPR_OK : EXPR_NO_MEMORY;
    for (int32_t k = 0; k < to->n && outcome == EXPR_OK; k++) {
        by.variable = to->variable[k];
        expr_differ_forget(d);
        outcome = add_column(to, list, (expressions){of, n_of}, &r, k, d);
    }
    expr_differ_free(d);
    free_readers(&r);
    return outcome;
}

/* The places of a list, which ascend, as a pattern. */
static bool find_entries(parameter_tapes *to, const slope_list *list)
{
    pattern *p = &to->entries;
    size_t rows = (size_t)to->n_rows;
    if (!pattern_create(p, to->n_rows, to->n, (int32_t)list->n, to->allocator))
        return false;
    for (size_t q = 0; q < list->n; q++) {
        p->row[q] = (int32_t)(list->target[q] % rows);
        p->start[list->target[q] / rows + 1]++;
    }
    for (int32_t k = 0; k < to->n; k++)
        p->start[k + 1] += p->start[k];
    return true;
}

static expr_outcome build(parameter_tapes *to, const expr *of, int32_t n_of, program **made)
{
    slope_list list = {0};
    arena_create(&list.mem, to->allocator, 0);
    expr_outcome outcome = add_columns(to, &list, of, n_of);
    program_places places = {list.target, (size_t)n_of * (size_t)to->n};
    if (outcome == EXPR_OK && list.n > 0 &&
        (!program_create_into(to->model, made, list.root, list.n, places) ||
         (made == &to->residuals && !find_entries(to, &list))))
        outcome = EXPR_NO_MEMORY;
    arena_free(&list.mem);
    return outcome;
}

static expr_outcome build_constraints(parameter_tapes *to)
{
    const reduced_model *r = to->model->reduced;
    size_t most = (size_t)r->n_constraints;
    bool apart = to->model->constraints->held.n > 0;
    expr *of = memory_take_array(to->allocator, most + 1, sizeof *of);
    if (!of)
        return EXPR_NO_MEMORY;
    for (int32_t i = 0; i < r->n_constraints; i++)
        if (!apart || compiled_is_held(to->model, i))
            of[to->n_constraints++] = r->constraint[i].value;
    expr_outcome outcome = build(to, of, to->n_constraints, &to->constraints);
    if (outcome == EXPR_OK && to->n_constraints > 0)
        outcome = compiled_complete_slopes(to->model, &to->slope_pattern, &to->slopes);
    memory_give(to->allocator, of, (most + 1) * sizeof *of);
    return outcome;
}

static bool begin(parameter_tapes *to, const compiled_model *m, const uint32_t *variable, int32_t n)
{
    *to = (parameter_tapes){.model = m, .variable = variable, .n = n, .allocator = m->allocator};
    to->is_read = memory_take_array(m->allocator, (size_t)n, sizeof *to->is_read);
    return to->is_read != NULL;
}

static daedal_status status_of(expr_outcome outcome)
{
    if (outcome == EXPR_NO_MEMORY)
        return DAEDAL_ERR_MEMORY;
    return outcome == EXPR_OK ? DAEDAL_OK : DAEDAL_ERR_STRUCTURE;
}

daedal_status parameter_tapes_build(parameter_tapes *to, const compiled_model *m,
                                    const uint32_t *variable, int32_t n)
{
    if (!begin(to, m, variable, n))
        return DAEDAL_ERR_MEMORY;
    to->n_rows = m->reduced->n;
    expr_outcome outcome = build(to, m->reduced->residual, m->reduced->n, &to->residuals);
    if (outcome == EXPR_OK)
        outcome = build_constraints(to);
    return status_of(outcome);
}

daedal_status parameter_tapes_build_of(parameter_tapes *to, const compiled_model *m,
                                       const uint32_t *variable, int32_t n, expressions of)
{
    if (!begin(to, m, variable, n))
        return DAEDAL_ERR_MEMORY;
    to->n_rows = of.n;
    return status_of(build(to, of.at, of.n, &to->residuals));
}

void parameter_tapes_free(parameter_tapes *t)
{
    program_free(t->allocator, &t->residuals);
    program_free(t->allocator, &t->constraints);
    program_free(t->allocator, &t->slopes);
    pattern_free(&t->slope_pattern);
    pattern_free(&t->entries);
    memory_give(t->allocator, t->is_read, (size_t)t->n * sizeof *t->is_read);
    *t = (parameter_tapes){0};
}

static int run(const parameter_tapes *t, program *p, double time, const double *y, const double *yp,
               double *values)
{
    if (!p)
        return DAEDAL_CALL_OK;
    int answer = program_run(t->model, p, time, y, yp);
    memcpy(values, p->out, p->n_out * sizeof(double));
    return answer;
}

/* The same by columns of parameters, with what acts through the numbers that are held. */
static int run_columns(const parameter_tapes *t, program *p, double time, const double *y,
                       const double *yp, double *values)
{
    if (t->n_held == 0 || !p)
        return run(t, p, time, y, yp, values);
    int answer = program_run(t->model, p, time, y, yp);
    size_t n = (size_t)(t->n - t->n_held), m = (size_t)t->n_held, rows = p->n_out / (size_t)t->n;
    memcpy(values, p->out, n * rows * sizeof(double));
    for (size_t k = 0; k < m; k++)
        for (size_t i = 0; i < n && t->is_read[n + k]; i++)
            for (size_t r = 0; r < rows; r++)
                values[i * rows + r] += t->held[i * m + k] * p->out[(n + k) * rows + r];
    return answer;
}

int parameter_tapes_residuals(const parameter_tapes *t, double time, const double *y,
                              const double *yp, double *values)
{
    return run_columns(t, t->residuals, time, y, yp, values);
}

int parameter_tapes_product(const parameter_tapes *t, double time, const double *y,
                            const double *yp, const double *v, double *out)
{
    const daedal_pattern *p = &t->entries.view;
    const program *from = t->residuals;
    if (!from)
        memset(out, 0, (size_t)t->n * sizeof *out);
    if (!from)
        return DAEDAL_CALL_OK;
    int answer = program_run(t->model, t->residuals, time, y, yp);
    const double *column = from->out;
    for (int32_t k = 0, q = 0; k < t->n; k++, column += t->n_rows) {
        double sum = 0.0;
        for (; q < p->start[k + 1]; q++)
            sum += v[p->row[q]] * column[p->row[q]];
        out[k] = sum;
    }
    return answer;
}

int parameter_tapes_constraints(const parameter_tapes *t, double time, const double *y,
                                double *values)
{
    return run_columns(t, t->constraints, time, y, y, values);
}

int parameter_tapes_slopes(const parameter_tapes *t, double time, const double *y, double *values)
{
    return run(t, t->slopes, time, y, y, values);
}
