/* model/model_repair.c - see model.h: generic points for the rank test of structure/repair.h,
 * and its repetition until structure and numbers agree.                          */
#include <math.h>

#include "expr/derive.h"
#include "model/model.h"
#include "structure/repair.h"

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

static double value_of(void *user, uint32_t symbol)
{
    point *p = user;
    const flat_model *f = p->m->flat;
    const flat_experiment *x = &f->experiment;
    uint32_t number = flat_number(symbol);
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
    case FLAT_HOMOTOPY:
        return 1.0;
    default:
        return 0.0;
    }
}

/* ---- the callbacks of the test ---- */

static double sample_value(void *user, int sample, uint32_t symbol)
{
    point p = {user, sample};
    return value_of(&p, symbol);
}

static int sample_call(void *user, uint32_t function, const double *args, double *outputs)
{
    const model *m = user;
    return flat_call(m->flat->functions, function, args, outputs);
}

typedef struct direction {
    const model *m;
    bool impossible;
} direction;

static expr along_time(void *user, expr_graph *g, uint32_t symbol)
{
    direction *d = user;
    uint32_t v = flat_number(symbol);
    switch (flat_kind(symbol)) {
    case FLAT_TIME:
        return expr_constant(g, 1.0);
    case FLAT_VALUE:
        return d->m->column[v] >= 0 ? expr_variable(g, flat_symbol(FLAT_DER, v)) : EXPR_NONE;
    case FLAT_DER:
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
    return fine ? result : EXPR_NONE;
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

daedal_status model_repair(model *m, equations *system, const signature *offsets, bool *changed)
{
    int32_t row = -1;
    equations before;
    repair_task task = {.system = system,
                        .offsets = offsets,
                        .value = sample_value,
                        .call = sample_call,
                        .partial = model_partial,
                        .derivative = derivative_of,
                        .user = m,
                        .allocator = m->allocator};
    *changed = false;
    if (system->n > REPAIR_MOST)
        return DAEDAL_OK;
    if (!copy_rows(m, system, &before))
        return DAEDAL_ERR_MEMORY;
    repair_verdict verdict = repair_once(&task, &row);
    if (verdict == REPAIR_NOT_NEEDED || verdict == REPAIR_NO_MEMORY)
        return verdict == REPAIR_NO_MEMORY ? DAEDAL_ERR_MEMORY : DAEDAL_OK;
    point p = {m, 0};
    expr_source at = {value_of, call_function, &p};
    int32_t freedom = 0;
    int32_t index = m->n_repairs == 0 ? model_measure_index(m, &before, &at, &freedom) : -1;
    if (index > m->report.index)
        m->report.index = index;
    bool as_it_is = runs_as_it_is(m, offsets, index);
    *changed = verdict == REPAIR_DONE && !as_it_is;
    if (*changed) {
        m->n_repairs++;
        m->repaired = row;
    } else if (as_it_is) {
        system->residual[row] = before.residual[row];
        m->measured_freedom = freedom;
    }
    return DAEDAL_OK;
}
