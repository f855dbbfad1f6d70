/* symbolic/total_derivative.c - see context.h: the total time derivative of a value, for der().
 *
 * Equations contain first derivatives only.  What contains a derivative becomes a variable with an
 * equation of its own, so that der(der(x)) is der(v) beside v = der(x). */
#include "symbolic/context.h"

#include <assert.h>

#include "base/number_map.h"

/* One differentiator for every der(), since its memory is as long as the graph.  It forgets in
 * between: whether a variable is continuous may change, and every derivative inside of der() must
 * be met again.                                                                     */
typedef struct derivation {
    struct expr_differ *differ;
    flat_motion motion;
    bool met_derivative;    /* der() of what contains a derivative */
    number_map variable_of; /* by expression: the variable that stands for it */
    context *in;
} derivation;

static expr slope_of(void *user, uint32_t symbol)
{
    derivation *d = user;
    uint32_t v = flat_number(symbol);
    if (flat_kind(symbol) == FLAT_DER)
        d->met_derivative = true;
    return flat_kind(symbol) == FLAT_VALUE && d->in->m->variables[v].variability == FLAT_CONTINUOUS
               ? expr_variable(d->in->g, flat_symbol(FLAT_DER, v))
               : EXPR_NONE;
}

static derivation *derivation_of(context *in)
{
    if (!in->derivation)
        in->derivation = arena_take(&in->c->mem, 1, sizeof *in->derivation);
    derivation *d = in->derivation;
    if (!d)
        return NULL;
    d->in = in;
    d->motion = (flat_motion){.slope = slope_of, .user = d};
    d->met_derivative = false;
    expr_direction along = flat_in_time(in->m, &d->motion);
    if (!d->differ)
        d->differ = expr_differ_create(in->g, &along);
    else
        expr_differ_forget(d->differ);
    return d->differ ? d : NULL;
}

/* der(v), where v = e is an equation of the model. */
static expr slope_of_variable(context *in, derivation *d, expr e, source_at at)
{
    uint32_t v = FLAT_NONE;
    if (!number_map_find(&d->variable_of, e, &v)) {
        v = in->interpreter->add_hidden_variable(in, "derivative", FLAT_REAL, at);
        if (v == FLAT_NONE || !number_map_put(&d->variable_of, &in->c->mem, e, v))
            return EXPR_NONE;
        expr left = expr_variable(in->g, flat_symbol(FLAT_VALUE, v));
        flat_add_equation(in->build, (flat_equation){left, e, at, at, false, false});
    }
    return expr_variable(in->g, flat_symbol(FLAT_DER, v));
}

static expr derivative_of(context *in, expr e, source_at at)
{
    uint32_t v = 0;
    if (flat_is_value(in->g, e, &v) && in->m->variables[v].type == FLAT_REAL &&
        in->m->variables[v].variability == FLAT_DISCRETE) {
        const char *name = context_name(in, in->m->variables[v].name);
        context_error(
            in, at,
            "'%s' is assigned in 'when' and has no derivative then: to let it jump, write "
            "reinit(%s, ...)",
            name, name);
        return EXPR_NONE;
    }
    assert(in->g == &in->m->graph); /* functions, which have graphs of their own, refuse der() */
    expr result = EXPR_NONE, culprit = EXPR_NONE;
    derivation *d = derivation_of(in);
    expr_outcome outcome = d ? expr_differ_of(d->differ, e, &result, &culprit) : EXPR_NO_MEMORY;
    if (outcome == EXPR_NO_MEMORY) {
        in->c->mem.failed = true;
        return EXPR_NONE;
    }
    if (outcome == EXPR_NOT_DIFFERENTIABLE)
        context_error(in, at, "der() of a function whose derivative is not known");
    else if (d->motion.met_delay)
        context_error(in, at,
                      "der() of an expression that contains a delay: introduce a variable for it");
    if (outcome != EXPR_OK || d->motion.met_delay)
        return EXPR_NONE;
    return d->met_derivative && !in->sizes_only ? slope_of_variable(in, d, e, at) : result;
}

value total_derivative(context *in, value v, source_at at)
{
    if (is_bad(v))
        return v;
    if (v.type.base != T_REAL && v.type.base != T_INTEGER && v.type.base != T_RECORD)
        return context_error(in, at, "der() needs a Real, not %s", type_text(in, v.type));
    if (v.type.base == T_INTEGER)
        v.type.base = T_REAL;
    value r = value_new(in, v.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++) {
        r.e[i] = derivative_of(in, v.e[i], at);
        if (r.e[i] == EXPR_NONE)
            return bad_value;
    }
    return r;
}

void total_derivative_free(context *in)
{
    if (in->derivation)
        expr_differ_free(in->derivation->differ);
    in->derivation = NULL;
}
