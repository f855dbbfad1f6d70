/* reduce/sample_points.c - see repairs.h: generic points near the start, for ranks.
 *
 * Start values are moved by a few percent, zeros by a part of the nominal value, because start
 * values themselves are often singular points (docs/theory/index-reduction.md). */
#include <math.h>

#include "base/random.h"
#include "expr/evaluate.h"
#include "reduce/repairs.h"

/* A number in 0.06 .. 0.3 that belongs to the symbol and the point. */
static double share_of(uint32_t symbol, int sample)
{
    double turn = GOLDEN_RATIO * (double)(symbol % 100003u) + 0.37 * sample;
    return 0.06 + 0.24 * (turn - floor(turn));
}

typedef struct point {
    reduced_model *m;
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

/* The value at a point that was moved onto a solution, if there is one. */
static bool find_moved(const point *p, uint32_t symbol, double *value)
{
    const sample_points *all = &p->m->repairs->points;
    flat_symbol_kind kind = flat_kind(symbol);
    if (!all->moved || p->sample >= SAMPLE_POINTS || (kind != FLAT_VALUE && kind != FLAT_DER))
        return false;
    int32_t column = p->m->column[flat_number(symbol)];
    const sample_point *at = &all->at[p->sample];
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
    case FLAT_INPUT:
        return number % FLAT_INPUT_ORDERS > 0
                   ? share_of(symbol, p->sample)
                   : variable_value(p, f->inputs[number / FLAT_INPUT_ORDERS].variable, symbol);
    case FLAT_HOMOTOPY:
        return 1.0;
    default:
        return 0.0;
    }
}

double reduced_sample_value(reduced_model *m, int sample, uint32_t symbol)
{
    point p = {m, sample};
    return value_of(&p, symbol);
}
