/* adjoint/model_functional.c - see model_functional.h. */
#include "adjoint/model_functional.h"

#include <string.h>

#include "base/status.h"
#include "expr/derive.h"

/* ---- which variables ---- */

static daedal_status refuse(const model_term *t, uint32_t variable, const char *reason,
                            daedal_diagnosis *why)
{
    return fail(why, DAEDAL_ERR_ARGUMENT, "%s cannot be a term of a functional: %s",
                variable_text(t->of->reduced, variable), reason);
}

static bool is_unknown(void *user, uint32_t symbol)
{
    return reduced_is_unknown(user, symbol);
}

/* Gradient by the unknowns, as a program that writes n values. */
static expr_outcome differentiate(model_term *t, expr e, bool *reads_slopes)
{
    const reduced_model *r = t->of->reduced;
    flat_model *flat = t->of->flat;
    expr_selection selection = {is_unknown, (void *)r, flat_partials(flat)};
    expr_deriver *d = expr_deriver_create(&flat->graph, &selection);
    expr_gradient g = {0};
    arena mem;
    arena_create(&mem, t->of->allocator, 0);
    expr_outcome outcome = d ? expr_gradient_of(d, e, &g, NULL) : EXPR_NO_MEMORY;
    expr *root = arena_take(&mem, g.n + 1, sizeof *root);
    uint32_t *target = arena_take(&mem, g.n + 1, sizeof *target);
    for (size_t k = 0; k < g.n && root && target && outcome == EXPR_OK; k++) {
        *reads_slopes = *reads_slopes || flat_kind(g.entry[k].variable) != FLAT_VALUE;
        root[k] = g.entry[k].derivative;
        target[k] = (uint32_t)r->column[flat_number(g.entry[k].variable)];
    }
    program_places places = {target, (size_t)r->n_system};
    if (outcome == EXPR_OK && !*reads_slopes && g.n > 0 &&
        (!root || !target || !program_create_into(t->of, &t->by_y, root, g.n, places)))
        outcome = EXPR_NO_MEMORY;
    arena_free(&mem);
    expr_deriver_free(d);
    return outcome;
}

static daedal_status describe_expression(model_term *t, uint32_t variable, expr e,
                                         const uint32_t *parameters, int32_t n_parameters,
                                         daedal_diagnosis *why)
{
    bool reads_slopes = false;
    t->expression = e;
    if (!program_create(t->of, &t->value, &e, 1))
        return DAEDAL_ERR_MEMORY;
    expr_outcome outcome = differentiate(t, e, &reads_slopes);
    if (reads_slopes)
        return refuse(t, variable, "it depends on derivatives", why);
    if (outcome == EXPR_NO_MEMORY)
        return DAEDAL_ERR_MEMORY;
    daedal_status status = DAEDAL_ERR_STRUCTURE;
    if (outcome == EXPR_OK)
        status = parameter_tapes_build_of(&t->by_p, t->of, parameters, n_parameters,
                                          (expressions){&e, 1});
    return status == DAEDAL_ERR_STRUCTURE
               ? refuse(t, variable, "a function in it cannot be differentiated", why)
               : status;
}

/* A discrete variable, which may be one of the parameters. */
static daedal_status describe_discrete(model_term *t, uint32_t slot, const uint32_t *parameters,
                                       int32_t n_parameters)
{
    uint32_t number = slot - t->of->values->place.discrete;
    t->discrete = (int32_t)slot;
    for (int32_t i = 0; i < n_parameters; i++)
        if (parameters[i] == t->of->reduced->discrete_variable[number])
            t->parameter = i;
    return DAEDAL_OK;
}

daedal_status model_term_create(model_term *t, const compiled_model *of, uint32_t variable,
                                const uint32_t *parameters, int32_t n_parameters,
                                daedal_diagnosis *why)
{
    value_origin from = of->origin[variable];
    const value_places *place = &of->values->place;
    *t = (model_term){
        .of = of, .unknown = -1, .discrete = -1, .parameter = -1, .factor = from.factor};
    if (from.slot < 0)
        return refuse(t, variable, "it is constant", why);
    uint32_t slot = (uint32_t)from.slot;
    if (slot >= place->y && slot < place->yp) {
        t->unknown = (int32_t)(slot - place->y);
        return DAEDAL_OK;
    }
    if (slot >= place->discrete && slot < place->pre)
        return describe_discrete(t, slot, parameters, n_parameters);
    if (slot < place->n)
        return refuse(t, variable,
                      slot < place->discrete ? "it is a derivative" : "it comes from outside", why);
    return describe_expression(t, variable, of->reduced->computed[slot - place->n].value,
                               parameters, n_parameters, why);
}

void model_term_free(model_term *t)
{
    if (!t->of)
        return;
    program_free(t->of->allocator, &t->value);
    program_free(t->of->allocator, &t->by_y);
    if (t->by_p.model)
        parameter_tapes_free(&t->by_p);
    *t = (model_term){0};
}

bool model_term_lacks_parameters(const model_term *t)
{
    return t->parameter < 0 && !t->by_p.residuals;
}

/* ---- values ---- */

static int value_of(const model_term *t, double time, const double *y, double *value)
{
    int answer = DAEDAL_CALL_OK;
    if (t->unknown >= 0) {
        *value = t->factor * y[t->unknown];
        return answer;
    }
    if (t->discrete >= 0) {
        *value = t->factor * t->of->values->x[t->discrete];
        return answer;
    }
    answer = program_run(t->of, t->value, time, y, y);
    *value = t->factor * t->value->out[0];
    return answer;
}

/* Of by_y and by_p either may be NULL. */
static int gradient_of(const model_term *t, double time, const double *y, double *by_y,
                       double *by_p)
{
    int answer = DAEDAL_CALL_OK;
    if (t->unknown >= 0 || t->discrete >= 0) {
        if (by_y && t->unknown >= 0)
            by_y[t->unknown] = t->factor;
        else if (by_p && t->unknown < 0 && t->parameter >= 0)
            by_p[t->parameter] = t->factor;
        return answer;
    }
    if (by_y && t->by_y) {
        answer = program_run(t->of, t->by_y, time, y, y);
        for (int32_t j = 0; j < t->of->reduced->n; j++)
            by_y[j] = t->factor * t->by_y->out[j];
    }
    if (!by_p || answer != DAEDAL_CALL_OK)
        return answer;
    answer = parameter_tapes_residuals(&t->by_p, time, y, y, by_p);
    for (int32_t i = 0; i < t->by_p.n; i++)
        by_p[i] *= t->factor;
    return answer;
}

int model_integrand(double t, const double *y, double *value, void *user)
{
    return value_of(&((const model_functional *)user)->integrand, t, y, value);
}

int model_end(double t, const double *y, double *value, void *user)
{
    return value_of(&((const model_functional *)user)->end, t, y, value);
}

int model_integrand_gradient(double t, const double *y, double *by_y, double *by_p, void *user)
{
    return gradient_of(&((const model_functional *)user)->integrand, t, y, by_y, by_p);
}

int model_end_gradient(double t, const double *y, double *by_y, double *by_p, void *user)
{
    return gradient_of(&((const model_functional *)user)->end, t, y, by_y, by_p);
}
