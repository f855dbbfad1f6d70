/* adjoint/tolerances.c - see backward_run.h.
 *
 * A parameter that changes a term of equation i by its own relative change moves the functional by
 * the integral of lambda_i times that term.  So an error of lambda_i is small if it is small
 * against the functional over the integral of the terms of equation i; and one of mu_j if it is
 * small against the functional over y_j.  The size of the functional is taken from its derivatives,
 * since a constant in it means nothing.                                          */
#include <float.h>
#include <math.h>
#include <string.h>

#include "adjoint/backward_run.h"
#include "base/status.h"

static const double ABSOLUTE = 1e-2; /* of the relative tolerance */
static const double LEAST = 5e-8;    /* relative tolerance that differences of F leave            */

static double size_of(const backward_run *b, int32_t j)
{
    double size = b->forward->samples.size[j], rtol = b->of->now.rtol[j];
    double floor = rtol > 0.0 ? b->of->now.atol[j] / rtol : 0.0;
    return fmax(size, floor > 0.0 ? floor : DBL_MIN);
}

/* The time for which a sample stands. */
static double share(const solution_samples *s, int32_t k)
{
    double before = k > 0 ? s->t[k - 1] : s->t[k], after = k + 1 < s->n ? s->t[k + 1] : s->t[k];
    return 0.5 * fabs(after - before);
}

static void add_terms(const backward_run *b, double share_of_time, double *terms)
{
    const iteration_matrix *m = &b->c.parts;
    const daedal_pattern *p = &m->pattern.view;
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            terms[p->row[q]] +=
                share_of_time * (fabs(m->dy[q] * b->c.y[j]) + fabs(m->dyp[q] * b->c.yp[j]));
}

static double sum_of(const backward_run *b, const double *by_y)
{
    double sum = 0.0;
    for (int32_t j = 0; j < b->sys->n; j++)
        sum += fabs(by_y[j]) * size_of(b, j);
    return sum;
}

/* Along the samples: the terms of the equations into b->x, and the size of the functional. */
static daedal_status look_along(backward_run *b, double *total)
{
    const solution_samples *s = &b->forward->samples;
    size_t n = (size_t)b->sys->n;
    double *by_y = b->equations.by_y;
    for (int32_t k = s->n - 1; k >= 0; k--) {
        const double *y = s->values + 2 * n * (size_t)k;
        backward_enter(b, s->part[k]);
        coefficients_place(&b->c, s->t[k], y, y + n);
        if (coefficients_evaluate(&b->c) != DAEDAL_CALL_OK ||
            functional_by_y(b->g, &b->g->integrand, s->t[k], y, by_y) != DAEDAL_CALL_OK)
            return fail(b->why, DAEDAL_ERR_CALLBACK,
                        "derivatives of the equations or of the integrand do not exist at t = "
                        "%.10g",
                        s->t[k]);
        if (k == s->n - 1)
            equations_begin_columns(&b->equations);
        equations_compare_columns(&b->equations);
        add_terms(b, share(s, k), b->x);
        *total += share(s, k) * sum_of(b, by_y);
    }
    coefficients_forget(&b->c);
    return DAEDAL_OK;
}

daedal_status backward_set_tolerances(backward_run *b)
{
    int32_t n = b->sys->n;
    double total = 0.0, most = 0.0, rtol = 0.0;
    memset(b->x, 0, (size_t)n * sizeof *b->x);
    TRY(look_along(b, &total));
    total += sum_of(b, b->end_by_y);
    total = b->total = total > 0.0 ? total : 1.0;
    for (int32_t i = 0; i < n; i++) {
        most = fmax(most, b->x[i]);
        rtol = fmax(rtol, b->of->now.rtol[i]);
    }
    b->tolerance = b->c.parts.colours.n_colours > 0 ? fmax(rtol, LEAST) : rtol;
    rtol = b->tolerance;
    for (int32_t i = 0; i < n; i++) {
        double terms = b->x[i] > 0.0 ? b->x[i] : most > 0.0 ? most : 1.0;
        b->atol[i] = ABSOLUTE * rtol * total / terms;
        b->weight[i] = 1.0 / b->atol[i];
        b->rtol[i] = b->rtol[n + i] = rtol;
        b->atol_mu[i] = ABSOLUTE * rtol * total / size_of(b, i);
    }
    return DAEDAL_OK;
}
