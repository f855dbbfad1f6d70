/* linear/written_equations.c - see written_equations.h. */
#include "linear/written_equations.h"

#include <math.h>

#include "base/status.h"
#include "compile/parameter_tapes.h"
#include "expr/derive.h"

/* ---- values ---- */

double written_value(const compiled_model *m, uint32_t variable)
{
    return origin_value(m->origin[variable], m->values->x);
}

double written_slope(const compiled_model *m, uint32_t variable)
{
    const reduced_model *r = m->reduced;
    int32_t u = r->unknown_of[variable];
    if (u >= 0 && r->aliases->of[u].root == ALIAS_CONSTANT)
        return 0.0;
    return origin_value(compiled_slope_origin(m, variable), m->values->x);
}

/* pre(x) of a variable that was eliminated is that of what it is a copy of; it has a place, for it
 * is read. */
static double value_before(const compiled_model *m, uint32_t variable)
{
    const reduced_model *r = m->reduced;
    int32_t u = r->unknown_of[variable];
    alias to = u >= 0 ? r->aliases->of[u] : (alias){.root = ALIAS_CONSTANT};
    if (u < 0 || to.root == ALIAS_CONSTANT)
        return written_value(m, variable);
    int32_t slot = compiled_slot(m, flat_symbol(FLAT_PRE, r->unknown[to.root]));
    return slot < 0 ? (double)NAN : to.factor * m->values->x[slot];
}

/* A delayed expression has its value of now where nothing moves; NAN: the run knows the value. */
static double still_value(written_equations *w, uint32_t symbol)
{
    const still_point *at = w->at;
    const reduced_model *r = w->model->reduced;
    uint32_t k = flat_number(symbol);
    switch (flat_kind(symbol)) {
    case FLAT_TIME:
        return at->t;
    case FLAT_RELATION:
        return at->relation[k];
    case FLAT_ROUNDING:
        return at->rounding[k];
    case FLAT_DELAY:
        return written_equations_value(w, w->model->flat->delays[k].of);
    case FLAT_VALUE:
        return r->unknown_of[k] >= 0    ? at->y[r->unknown_of[k]]
               : r->discrete_of[k] >= 0 ? at->discrete[r->discrete_of[k]]
                                        : (double)NAN;
    case FLAT_PRE:
        return r->unknown_of[k] >= 0    ? at->y[r->unknown_of[k]]
               : r->discrete_of[k] >= 0 ? at->discrete_before[r->discrete_of[k]]
                                        : (double)NAN;
    case FLAT_DER:
    case FLAT_SAMPLE:
    case FLAT_INITIAL:
    case FLAT_TERMINAL:
        return 0.0;
    default:
        return NAN;
    }
}

static double value_of(void *user, uint32_t symbol)
{
    written_equations *w = user;
    const compiled_model *m = w->model;
    double still = w->at ? still_value(w, symbol) : (double)NAN;
    if (!isnan(still))
        return still;
    int32_t slot = compiled_slot(m, symbol);
    if (slot >= 0)
        return m->values->x[slot];
    switch (flat_kind(symbol)) {
    case FLAT_VALUE:
        return written_value(m, flat_number(symbol));
    case FLAT_DER:
        return written_slope(m, flat_number(symbol));
    case FLAT_PRE:
        return value_before(m, flat_number(symbol));
    default:
        return NAN;
    }
}

static int call_function(void *user, uint32_t function, const double *args, double *outputs)
{
    const written_equations *w = user;
    return flat_call(w->model->flat->functions, function, args, outputs);
}

double written_equations_value(written_equations *w, expr e)
{
    const expr_graph *g = w->system.g;
    expr_source from = {value_of, call_function, w};
    double value = NAN;
    if (expr_is_constant(g, e))
        return expr_value_now(g, e);
    int answer = expr_evaluate(g, e, &from, &value);
    w->lacks_memory = w->lacks_memory || answer == EXPR_EVALUATE_MEMORY;
    return answer == 0 ? value : (double)NAN;
}

/* ---- derivatives ---- */

static bool is_wanted(void *user, uint32_t symbol)
{
    const written_equations *w = user;
    bool input = flat_kind(symbol) == FLAT_INPUT && flat_number(symbol) % FLAT_INPUT_ORDERS == 0;
    return input || w->system.place(w->system.user, symbol).unknown >= 0;
}

daedal_status written_equations_create(written_equations *w, const compiled_model *m)
{
    *w = (written_equations){.model = m, .why = m->why, .is_linear = true};
    if (!reduced_as_written(m->reduced, &w->system))
        return fail(w->why, DAEDAL_ERR_MEMORY, "out of memory for the derivatives of the model");
    expr_selection selection = {is_wanted, w, flat_partials(m->flat)};
    w->deriver = expr_deriver_create(w->system.g, &selection);
    if (!w->deriver)
        return fail(w->why, DAEDAL_ERR_MEMORY, "out of memory for the derivatives of the model");
    return DAEDAL_OK;
}

void written_equations_free(written_equations *w)
{
    expr_deriver_free(w->deriver);
    w->deriver = NULL;
}

static daedal_status fail_derivative(written_equations *w, int32_t i, expr_outcome outcome)
{
    if (outcome == EXPR_NO_MEMORY)
        return fail(w->why, DAEDAL_ERR_MEMORY, "out of memory for the derivatives of the model");
    return fail(w->why, DAEDAL_ERR_STRUCTURE,
                "%.300s calls a function whose derivative is not known",
                equation_text(w->model->reduced, (uint32_t)i));
}

static daedal_status evaluate(written_equations *w, int32_t i, expr e, double *value)
{
    if (expr_is_constant(w->system.g, e)) {
        *value = expr_value_now(w->system.g, e);
        return DAEDAL_OK;
    }
    w->is_linear = false;
    *value = written_equations_value(w, e);
    if (w->lacks_memory)
        return fail_derivative(w, i, EXPR_NO_MEMORY);
    if (!isfinite(*value))
        return fail(w->why, DAEDAL_ERR_NOT_FINITE,
                    "a derivative of %.300s is not finite at t = %.10g",
                    equation_text(w->model->reduced, (uint32_t)i), w->model->values->x[0]);
    return DAEDAL_OK;
}

static daedal_status gradient_of(written_equations *w, int32_t i, expr_gradient *g)
{
    expr_outcome outcome = expr_gradient_of(w->deriver, w->system.residual[i], g, NULL);
    return outcome == EXPR_OK ? DAEDAL_OK : fail_derivative(w, i, outcome);
}

daedal_status written_equations_jacobians(written_equations *w, double *e, double *a)
{
    const equations *s = &w->system;
    for (int32_t i = 0; i < s->n; i++) {
        expr_gradient g = {0};
        TRY(gradient_of(w, i, &g));
        for (size_t k = 0; k < g.n; k++) {
            equations_place to = s->place(s->user, g.entry[k].variable);
            if (to.unknown < 0)
                continue;
            double value;
            TRY(evaluate(w, i, g.entry[k].derivative, &value));
            size_t at = (size_t)to.unknown * (size_t)s->n + (size_t)i;
            if (to.order > 0 && e)
                e[at] = value;
            else if (to.order == 0)
                a[at] = -value;
        }
    }
    return DAEDAL_OK;
}

daedal_status written_equations_by_input(written_equations *w, uint32_t input, double *column)
{
    uint32_t symbol = flat_symbol(FLAT_INPUT, flat_input_number(input, 0));
    for (int32_t i = 0; i < w->system.n; i++) {
        expr_gradient g = {0};
        TRY(gradient_of(w, i, &g));
        for (size_t k = 0; k < g.n; k++) {
            double value;
            if (g.entry[k].variable != symbol)
                continue;
            TRY(evaluate(w, i, g.entry[k].derivative, &value));
            column[i] = -value;
        }
    }
    return DAEDAL_OK;
}

daedal_status written_equations_by_parameter(written_equations *w, uint32_t variable,
                                             double *column)
{
    flat_model *flat = w->model->flat;
    parameter_direction by;
    expr_direction direction = parameter_direction_of(&by, flat, variable);
    expr_differ *d = expr_differ_create(&flat->graph, &direction);
    daedal_status status =
        d ? DAEDAL_OK : fail(w->why, DAEDAL_ERR_MEMORY, "out of memory for derivatives");
    for (int32_t i = 0; i < w->system.n && status == DAEDAL_OK; i++) {
        expr slope;
        double value = 0.0;
        expr_outcome outcome = expr_differ_of(d, w->system.residual[i], &slope, NULL);
        status =
            outcome == EXPR_OK ? evaluate(w, i, slope, &value) : fail_derivative(w, i, outcome);
        column[i] = -value;
    }
    expr_differ_free(d);
    return status;
}
