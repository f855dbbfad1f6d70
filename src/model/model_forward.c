/* model/model_forward.c - see model.h: equations solved one by one, in block order.
 *
 * With the states known, most equations of real models determine one unknown each, and most
 * of these are linear in it.  Solved in order they give a first guess in which what is
 * exactly zero stays exactly zero, and in which divisors have their values; Newton then
 * starts there (study/INDEX_REDUCTION.md 3.2, HYBRID.md section 5).             */
#include <float.h>
#include <math.h>

#include "model/model.h"

enum { SECANTS_MAX = 30 };

typedef struct scalar {
    model *m;
    expr residual;
    uint32_t slot;
} scalar;

static double value_of(void *user, uint32_t symbol)
{
    const model *m = user;
    int32_t slot = model_slot(m, symbol);
    return slot < 0 ? (double)NAN : m->x[slot];
}

static int call_function(void *user, uint32_t function, const double *args, double *outputs)
{
    const model *m = user;
    return flat_call(m->flat->functions, function, args, outputs);
}

static double residual_at(const scalar *s, double u)
{
    double r = NAN;
    expr_source from = {value_of, call_function, s->m};
    s->m->x[s->slot] = u;
    return expr_evaluate(&s->m->flat->graph, s->residual, &from, &r) == 0 ? r : (double)NAN;
}

/* Secants from u; what they end at, or NAN. */
static double root_near(const scalar *s, double u)
{
    double v = u != 0.0 ? 1.1 * u : 1.0, f = residual_at(s, u), g = residual_at(s, v);
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
        if (fabs(g) <= 1e-14 * size || fabs(v - u) <= 1e-15 * fabs(v))
            return v;
    }
    return (double)NAN;
}

void model_forward(model *m)
{
    for (int32_t k = 0; k < m->n_single; k++) {
        int32_t j = m->single_column[k];
        uint32_t base = m->differential[j] ? m->place.yp : m->place.y;
        scalar s = {m, m->residual[m->single_row[k]], base + (uint32_t)j};
        double guess = m->x[s.slot], found = root_near(&s, guess);
        m->x[s.slot] = isfinite(found) ? found : guess;
    }
}
