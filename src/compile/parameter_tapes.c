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

/* Column k of the derivatives of these expressions. */
static expr_outcome add_column(parameter_tapes *to, slope_list *list, const expr *of, int32_t n_of,
                               int32_t k)
{
    flat_model *flat = to->model->flat;
    parameter_direction by;
    expr_direction direction = parameter_direction_of(&by, flat, to->variable[k]);
    expr_differ *d = expr_differ_create(&flat->graph, &direction);
    expr_outcome outcome = d ? EXPR_OK : EXPR_NO_MEMORY;
    for (int32_t i = 0; i < n_of && outcome == EXPR_OK; i++) {
        expr slope;
        outcome = expr_differ_of(d, of[i], &slope, NULL);
        if (outcome != EXPR_OK ||
            (expr_is_constant(&flat->graph, slope) && expr_value_now(&flat->graph, slope) == 0.0))
            continue;
        to->is_read[k] = true;
        if (!add(list, slope, (size_t)k * (size_t)n_of + (size_t)i))
            outcome = EXPR_NO_MEMORY;
    }
    expr_differ_free(d);
    return outcome;
}

static expr_outcome build(parameter_tapes *to, const expr *of, int32_t n_of, program **made)
{
    slope_list list = {0};
    expr_outcome outcome = EXPR_OK;
    arena_create(&list.mem, to->allocator, 0);
    for (int32_t k = 0; k < to->n && outcome == EXPR_OK; k++)
        outcome = add_column(to, &list, of, n_of, k);
    program_places places = {list.target, (size_t)n_of * (size_t)to->n};
    if (outcome == EXPR_OK && list.n > 0 &&
        !program_create_into(to->model, made, list.root, list.n, places))
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

int parameter_tapes_residuals(const parameter_tapes *t, double time, const double *y,
                              const double *yp, double *values)
{
    return run(t, t->residuals, time, y, yp, values);
}

int parameter_tapes_constraints(const parameter_tapes *t, double time, const double *y,
                                double *values)
{
    return run(t, t->constraints, time, y, y, values);
}

int parameter_tapes_slopes(const parameter_tapes *t, double time, const double *y, double *values)
{
    return run(t, t->slopes, time, y, y, values);
}
