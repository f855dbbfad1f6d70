/* compile/point_values.c - see compiled.h: values of single expressions at the current point, and
 * the solution of single equations there. */
#include <math.h>

#include "compile/compiled.h"

enum { SECANTS_MAX = 30 };
static const double RESIDUAL_TOLERANCE = 1e-14, STEP_TOLERANCE = 1e-15; /* relative: rounding */
static const double FIRST_STEP = 1.1; /* factor from the first to the second point */

daedal_status compiled_fail_call(const compiled_model *m, int answer)
{
    fail(m->why, answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : DAEDAL_ERR_CALLBACK,
         "a function called by the model failed at t = %.10g", m->values->x[0]);
    return m->why->status;
}

static double value_of(void *user, uint32_t symbol)
{
    const compiled_model *m = user;
    int32_t slot = compiled_slot(m, symbol);
    return slot < 0 ? (double)NAN : m->values->x[slot];
}

static int call_function(void *user, uint32_t function, const double *args, double *outputs)
{
    const compiled_model *m = user;
    return flat_call(m->flat->functions, function, args, outputs);
}

expr_source compiled_source(const compiled_model *m)
{
    return (expr_source){value_of, call_function, (void *)(uintptr_t)m};
}

double compiled_evaluate(const compiled_model *m, expr e)
{
    const expr_graph *g = &m->flat->graph;
    double value = NAN;
    if (e == EXPR_NONE)
        return 0.0;
    if (expr_is_constant(g, e))
        return expr_value_now(g, e);
    expr_source from = compiled_source(m);
    return expr_evaluate(g, e, &from, &value) == 0 ? value : (double)NAN;
}

bool compiled_is_known(const compiled_model *m, expr e)
{
    const expr_graph *g = &m->flat->graph;
    expr_walker *w = m->reduced->walker;
    expr_walker_forget(w);
    bool known = expr_depends(w, e, EXPR_ALL);
    for (size_t k = 0; k < w->n_found && known; k++) {
        int32_t slot = compiled_slot(m, expr_index(g, w->found[k]));
        known = slot == 0 || slot >= (int32_t)m->values->place.discrete;
    }
    return known;
}

typedef struct scalar {
    const compiled_model *m;
    expr residual;
    double *x;
} scalar;

static double residual_at(const scalar *s, double u)
{
    *s->x = u;
    return compiled_evaluate(s->m, s->residual);
}

/* Another point than u, from which on the residual differs from that at u, f, by more than its
 * rounding errors: where u is 0 and the root 1e33, a step of 1 is lost.  *g: the residual there. */
static double second_point(const scalar *s, double u, double f, double *g)
{
    enum { WIDER_MAX = 20 };
    const double wider = 1e4, clear = 1e-8;
    double v = u != 0.0 ? FIRST_STEP * u : 1.0;
    *g = residual_at(s, v);
    for (int k = 0; k < WIDER_MAX && fabs(*g - f) <= clear * fabs(f); k++) {
        double farther = u + wider * (v - u), there = residual_at(s, farther);
        if (!isfinite(there))
            break;
        v = farther;
        *g = there;
    }
    return v;
}

/* The root that the secant method finds from u, or NAN. */
static double root_near(const scalar *s, double u)
{
    double f = residual_at(s, u), g, v = second_point(s, u, f, &g);
    double size = fmax(fabs(f), fabs(g));
    for (int k = 0; k < SECANTS_MAX; k++) {
        if (f == 0.0)
            return u;
        double next = v - g * (v - u) / (g - f);
        if (k == 0)
            next = u - f * (v - u) / (g - f); /* exact where f is affine */
        if (!isfinite(next))
            return (double)NAN;
        u = v;
        f = g;
        v = next;
        g = residual_at(s, v);
        if (fabs(g) <= RESIDUAL_TOLERANCE * size || fabs(v - u) <= STEP_TOLERANCE * fabs(v))
            return v;
    }
    return (double)NAN;
}

bool compiled_solve_one(const compiled_model *m, expr residual, uint32_t slot)
{
    scalar s = {m, residual, &m->values->x[slot]};
    double guess = m->values->x[slot], found = root_near(&s, guess);
    m->values->x[slot] = isfinite(found) ? found : guess;
    return isfinite(found);
}
