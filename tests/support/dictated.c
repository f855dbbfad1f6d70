/* support/dictated.c - see dictated.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dictated.h"
#include "integ/limex.h"
#include "integ/radau.h"
#include "integ/rodas.h"

/* f' = sum of SHARE f(x + AT WIDTH) / WIDTH, of fourth order. */
static const double AT[] = {-2.0, -1.0, 1.0, 2.0};
static const double SHARE[] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
static const double WIDTH = 0x1p-10;

/* ---- the system as the library sees it ------------------------------------------------------ */

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const dictated_run *d = user;
    const daedal_system *sys = &d->problem->sys;
    if (!d->disguised)
        return sys->residual(t, y, yp, r, sys->user);
    memcpy(r, yp, (size_t)sys->n * sizeof *r);
    return DAEDAL_CALL_OK;
}

/* Differences along y_j and c y_j' at once: exact for the polynomials that most problems are made
 * of.                                                                             */
static int jacobian(double t, const double *y, const double *yp, double c, double *values,
                    void *user)
{
    const double width = WIDTH / (1.0 + fabs(c));
    int32_t n = ((const dictated_run *)user)->problem->sys.n;
    memset(values, 0, (size_t)(n * n) * sizeof *values);
    for (int32_t j = 0; j < n; j++)
        for (int k = 0; k < 4; k++) {
            double moved[TRIAL_MAX], moved_yp[TRIAL_MAX], r[TRIAL_MAX];
            memcpy(moved, y, (size_t)n * sizeof *y);
            memcpy(moved_yp, yp, (size_t)n * sizeof *yp);
            moved[j] += AT[k] * width;
            moved_yp[j] += c * AT[k] * width;
            residual(t, moved, moved_yp, r, user);
            for (int32_t i = 0; i < n; i++)
                values[j * n + i] += SHARE[k] * r[i] / width;
        }
    return DAEDAL_CALL_OK;
}

static int constraints(double t, const double *y, double *g, void *user)
{
    const daedal_system *sys = &((const dictated_run *)user)->problem->sys;
    return sys->constraints(t, y, g, sys->user);
}

static int constraint_jacobian(double t, const double *y, double *values, void *user)
{
    const daedal_system *sys = &((const dictated_run *)user)->problem->sys;
    return sys->constraint_jacobian(t, y, values, sys->user);
}

/* ---- the methods ------------------------------------------------------------------------------
 */

static void pass(bdf *b)
{
    b->seen.error = 0.0;
}

static void stay(bdf *b)
{
    (void)b;
}

static const bdf_strategy PASSES_ALL[] = {
    {.newton_failures_max = 1, .fixed_leading = false, .assess = pass, .choose_next = stay},
    {.newton_failures_max = 1, .fixed_leading = true, .assess = pass, .choose_next = stay},
};

typedef struct past_values {
    const mesh *g;
    const trial_problem *problem;
} past_values;

/* The value at a point of the mesh, the exact one elsewhere. */
static void value_at(double t, double *y, void *user)
{
    const past_values *past = user;
    past->problem->exact(t, y, past->problem->sys.user);
    for (int32_t i = 0; i < past->g->count; i++)
        if (past->g->times[i] == t)
            memcpy(y, mesh_at(past->g, i), (size_t)past->g->n * sizeof *y);
}

/* The `order` last points before `first` make the formula; the predictor takes one more. */
static void begin_bdf(dictated_run *d, const mesh *g, int32_t first)
{
    int32_t k = d->how.order;
    double times[BDF_ORDER_MAX + 1], h = g->times[first] - g->times[first - 1];
    past_values past = {g, d->problem};
    assert_true(first >= k);
    for (int32_t i = 0; i < k; i++)
        times[i] = g->times[first - 1 - i];
    times[k] = times[k - 1] - h;
    kernel_remember_all(&d->kn, &(history){times, k + 1, k, h}, value_at, &past);
    d->kn.b->strategy = &PASSES_ALL[d->kn.b->strategy->fixed_leading];
}

static void set_tolerance(dictated_run *d, double rtol, double atol)
{
    for (int32_t v = 0; v < d->problem->sys.n; v++) {
        d->kn.run.now.rtol[v] = rtol;
        d->kn.run.now.atol[v] = atol;
    }
}

static void step_bdf(dictated_run *d, double t)
{
    bdf *b = d->kn.b;
    double tol = d->how.tolerance > 0.0 ? d->how.tolerance : 1e-12;
    daedal_status status;
    do {
        set_tolerance(d, tol, tol);
        b->k = d->how.order;
        b->h = t - b->t;
        newton_reset(&b->newton);
        status = bdf_step(b, t);
        tol *= 10.0;
    } while (status == DAEDAL_ERR_NEWTON && d->how.tolerance == 0.0 && tol < 1e-7);
    assert_int_equal(status, DAEDAL_OK);
    assert_int_equal(b->k_last, d->how.order);
}

static void begin_radau(dictated_run *d, const mesh *g, int32_t first)
{
    radau *r = d->kn.run.integrator;
    (void)first;
    for (int32_t pairs = 0; pairs <= r->control.pairs_max; pairs++)
        for (int32_t v = 0; v < g->n; v++)
            r->control.loosening[pairs][v] = 1e-250; /* every error is small */
    r->control.granted = HUGE_VAL;
}

static void step_radau(dictated_run *d, double t)
{
    radau *r = d->kn.run.integrator;
    r->pairs = (d->how.order - 1) / 4;
    r->h = t - r->t;
    r->newton.renewal = RENEW_HERE;
    assert_int_equal(radau_step(r, t), DAEDAL_OK);
    assert_int_equal(r->pairs_last, (d->how.order - 1) / 4);
}

static void begin_other(dictated_run *d, const mesh *g, int32_t first)
{
    (void)d;
    (void)g;
    (void)first;
}

static void step_rodas(dictated_run *d, double t)
{
    rodas *r = d->kn.run.integrator;
    r->h = t - r->t;
    assert_int_equal(rodas_step(r, t), DAEDAL_OK);
}

/* A step ends in the row that meets the tolerance first, so the tolerance dictates it: the tightest
 * that the step meets in its last row.                                            */
static void step_limex(dictated_run *d, double t)
{
    limex *x = d->kn.run.integrator;
    double h = t - x->t;
    for (double atol = 1e-16; atol < 1e16; atol *= 2.0) {
        set_tolerance(d, 0.0, atol);
        x->h = h;
        x->target = x->rows_max;
        if (limex_step(x, t) == DAEDAL_OK)
            break;
    }
    assert_int_equal(x->order_last, d->how.order);
}

static const struct {
    const char *method;
    double tolerance;
    void (*begin)(dictated_run *d, const mesh *g, int32_t first);
    void (*step)(dictated_run *d, double t);
} METHODS[] = {
    {"bdf", 1e-11, begin_bdf, step_bdf},       {"bdf_classic", 1e-11, begin_bdf, step_bdf},
    {"radau", 1e-11, begin_radau, step_radau}, {"rodas", 1e3, begin_other, step_rodas},
    {"limex", 1.0, begin_other, step_limex},
};

static size_t number_of(const char *name)
{
    size_t i = 0;
    while (i < sizeof METHODS / sizeof *METHODS && strcmp(METHODS[i].method, name) != 0)
        i++;
    assert_true(i < sizeof METHODS / sizeof *METHODS);
    return i;
}

/* ---- a run ------------------------------------------------------------------------------------
 */

/* Slopes of the solution. */
static void slopes_at(const trial_problem *p, double t, double *yp)
{
    memset(yp, 0, (size_t)p->sys.n * sizeof *yp);
    for (int k = 0; k < 4; k++) {
        double y[TRIAL_MAX];
        p->exact(t + AT[k] * WIDTH, y, p->sys.user);
        for (int32_t v = 0; v < p->sys.n; v++)
            yp[v] += SHARE[k] * y[v] / WIDTH;
    }
}

void dictated_open(dictated_run *d, const dictated *how, const trial_problem *p, const mesh *g,
                   int32_t first)
{
    size_t number = number_of(how->method);
    double yp0[TRIAL_MAX], t0 = g->times[first - 1], h = g->times[first] - t0;
    double tol = how->tolerance > 0.0 ? how->tolerance : METHODS[number].tolerance;
    char options[240];
    bool is_bdf = METHODS[number].begin == begin_bdf;
    *d = (dictated_run){.how = *how, .problem = p, .disguised = is_bdf};
    daedal_system sys = p->sys;
    sys.residual = residual;
    sys.jacobian = jacobian;
    sys.constraints = constraints;
    sys.constraint_jacobian = constraint_jacobian;
    sys.user = d;
    if (p->variable_index && !is_bdf)
        sys.variable_index = (daedal_ints){p->variable_index, p->sys.n};
    snprintf(options, sizeof options,
             "method=%s order_max=%d start=given calibrate_tolerance=no rtol=%g atol=%g"
             " min_step=%.17g",
             how->method, (int)how->order, fmin(tol, 1.0), tol, is_bdf ? 0.0 : 1.001 * h);
    slopes_at(p, t0, yp0);
    kernel_open(&d->kn, &sys, options, t0, mesh_at(g, first - 1), yp0);
    METHODS[number].begin(d, g, first);
    d->disguised = false;
}

const double *dictated_step(dictated_run *d, double t)
{
    METHODS[number_of(d->how.method)].step(d, t);
    integ_view now = d->kn.run.method->view(d->kn.run.integrator);
    if (now.t != t)
        fail_msg("%s of order %d: no step to t = %g", d->how.method, (int)d->how.order, t);
    return now.y;
}

void dictated_close(dictated_run *d)
{
    kernel_close(&d->kn);
}

void dictated_fill(const dictated *how, const trial_problem *p, mesh *g, int32_t first)
{
    dictated_run d;
    dictated_open(&d, how, p, g, first);
    for (int32_t i = first; i < g->count; i++)
        memcpy(mesh_at(g, i), dictated_step(&d, g->times[i]), (size_t)g->n * sizeof *g->y);
    dictated_close(&d);
}

void dictated_error(const dictated *how, const trial_problem *p, int32_t steps, double ratio,
                    double *error)
{
    double right[TRIAL_MAX];
    int32_t first = strncmp(how->method, "bdf", 3) == 0 ? how->order : 1;
    mesh g = mesh_open(p->sys.n, p->t0, p->t_end, steps, ratio);
    mesh_begin(&g, p, first);
    dictated_fill(how, p, &g, first);
    p->exact(p->t_end, right, p->sys.user);
    for (int32_t v = 0; v < p->sys.n; v++)
        error[v] = fabs(mesh_at(&g, steps)[v] - right[v]);
    mesh_close(&g);
}
