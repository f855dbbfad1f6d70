/* flatten/value_limits.c - see flattener.h: the attributes min and max as conditions that are
 * watched.
 *
 * A violation is told once for each variable, with the place of its declaration and the time.
 * Violations as small as the error of a run are not told.                          */
#include "flatten/flattener.h"

#include <math.h>

static const double SLACK = 1e-5; /* of the bound or the nominal value */

static double slack_of(const flat_variable *v)
{
    double size = v->nominal > 0.0 ? v->nominal : 1.0;
    if (isfinite(v->min))
        size = fmax(size, fabs(v->min));
    if (isfinite(v->max))
        size = fmax(size, fabs(v->max));
    return v->type == FLAT_REAL ? SLACK * size : 0.0;
}

static void warn_constant(flattener *f, const flat_variable *v)
{
    double x = v->value != EXPR_NONE && expr_is_constant(f->in->g, v->value)
                   ? expr_value_now(f->in->g, v->value)
                   : NAN;
    double slack = slack_of(v);
    if (x < v->min - slack)
        source_warning(&f->in->c->sources, v->at, "'%s' is %g, below its minimum of %g",
                       context_name(f->in, v->name), x, v->min);
    if (x > v->max + slack)
        source_warning(&f->in->c->sources, v->at, "'%s' is %g, above its maximum of %g",
                       context_name(f->in, v->name), x, v->max);
}

/* "x is below its minimum of 0: x = " and the value. */
static flat_message message_of(flattener *f, uint32_t k, const char *how, double bound, expr now)
{
    const flat_variable *v = &f->in->m->variables[k];
    flat_message m = {.piece = arena_take(&f->in->c->mem, 2, sizeof *m.piece)};
    const char *name = context_name(f->in, v->name);
    const char *text = context_text(f->in, "%s is %s of %g: its value is ", name, how, bound);
    int32_t id = text ? context_intern(f->in, text) : INTERN_NONE;
    if (!m.piece || id == INTERN_NONE)
        return m;
    m.piece[m.n++] = (flat_piece){.text = context_name(f->in, id)};
    m.piece[m.n++] = (flat_piece){.value = now, .type = v->type, .enumeration = v->enumeration};
    return m;
}

static void watch(flattener *f, uint32_t k, const char *how, expr_op op, double bound, double limit)
{
    expr symbol = expr_variable(f->in->g, flat_symbol(FLAT_VALUE, k));
    expr holds = expr_make2(f->in->g, op, symbol, expr_constant(f->in->g, limit));
    flat_add_assert(f->in->build, (flat_assert){.guard = EXPR_NONE,
                                                .condition = holds,
                                                .is_warning = true,
                                                .is_bound = true,
                                                .message = message_of(f, k, how, bound, symbol),
                                                .at = f->in->m->variables[k].at});
}

void limits_watch(flattener *f)
{
    size_t n = f->in->m->n_variables;
    for (uint32_t k = 0; k < n; k++) {
        flat_variable v = f->in->m->variables[k];
        if (v.hidden || !flat_is_computed(v.type) || v.type == FLAT_BOOLEAN)
            continue;
        if (v.variability == FLAT_CONSTANT) {
            warn_constant(f, &v);
            continue;
        }
        if (isfinite(v.min))
            watch(f, k, "below its minimum", EXPR_GE, v.min, v.min - slack_of(&v));
        if (isfinite(v.max))
            watch(f, k, "above its maximum", EXPR_LE, v.max, v.max + slack_of(&v));
    }
}
