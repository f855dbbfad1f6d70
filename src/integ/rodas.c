/* integ/rodas.c - a Rosenbrock run: making it, beginning it, between its mesh points. */
#include "integ/rodas.h"

#include <string.h>

#include "integ/interpolant.h"
#include "integ/step_size.h"
#include "linalg/vector.h"

static void lay_out(void *object, layout *l)
{
    rodas *r = object;
    size_t n = (size_t)r->n;
    double *u = layout_take(l, RODAS_STAGES_MAX * n, sizeof(double));
    double *v = layout_take(l, RODAS_STAGES_MAX * n, sizeof(double));
    for (size_t i = 0; i < RODAS_STAGES_MAX; i++) {
        r->u[i] = u ? u + i * n : NULL;
        r->v[i] = v ? v + i * n : NULL;
    }
    for (int i = 0; i < RODAS_DENSE_MAX; i++)
        r->dense[i] = layout_take(l, n, sizeof(double));
    double **vectors[] = {&r->y,     &r->yp,          &r->y_before,  &r->yp_before,
                          &r->y_new, &r->yp_new,      &r->in_time,   &r->sum,
                          &r->rhs,   &r->slope_start, &r->slope_end, &r->inverse_weight,
                          &r->here};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, n, sizeof(double));
}

static void destroy(void *self)
{
    rodas *r = self;
    const daedal_allocator *a = r->in.allocator;
    substeps_free(&r->beside);
    block_free(&r->mem);
    memory_give(a, r, sizeof *r);
}

static daedal_status create(void **self, const integ_context *context)
{
    rodas *r = memory_take(context->allocator, sizeof *r);
    if (!r)
        return DAEDAL_ERR_MEMORY;
    r->in = *context;
    r->n = context->ev->n;
    r->tab = &rodas_table_5p;
    bool fits = block_create(&r->mem, context->allocator, lay_out, r);
    if (!substeps_create(&r->beside, &method_rodas, context) || !fits) {
        destroy(r);
        return DAEDAL_ERR_MEMORY;
    }
    *self = r;
    return DAEDAL_OK;
}

static void copy(void *self, const void *from)
{
    rodas *r = self;
    const rodas *other = from;
    rodas mine = *r;
    *r = *other;
    r->in = mine.in;
    r->mem = mine.mem;
    r->beside = mine.beside;
    substeps_follow(&r->beside, &other->beside);
    block_place(&r->mem, lay_out, r);
    block_copy(&r->mem, &other->mem);
}

static void begin(void *self, const integ_begin *from)
{
    rodas *r = self;
    size_t bytes = (size_t)r->n * sizeof(double);
    substeps_forget(&r->beside);
    memcpy(r->y, from->y, bytes);
    memcpy(r->yp, from->yp, bytes);
    memcpy(r->y_before, from->y, bytes);
    memcpy(r->yp_before, from->yp, bytes);
    weights_inverse_plain(r->in.tolerances, r->y, r->inverse_weight);
    r->t = r->t_before = from->t;
    r->h = step_first(&r->in, from, r->inverse_weight, (step_courage){0.2, 0.01});
    r->h_last = r->error_accepted = 0.0;
    r->steps_done = 0;
    r->parts_are_here = r->dense_known = false;
    r->worst = vector_largest_weighted(r->yp, r->inverse_weight, r->n);
}

/* ---- between mesh points ---- */

/* Value and slope in x of the part of the interpolant that bends:
 * (1-x) x (D_1 + x (D_2 + ...)), as factors of D_k.                              */
static void basis(const rodas_table *tab, double x, double *value, double *slope)
{
    double power = 1.0; /* x^k */
    for (int k = 0; k < tab->n_dense; k++) {
        value[k] = (1.0 - x) * x * power;
        slope[k] = (k + 1) * power - (k + 2) * power * x;
        power *= x;
    }
}

/* Compute the D_k, and the corrections by which the slope meets y' at both ends, as for BDF
 * (bdf_interpolate.c).  Algebraic variables get none, since their y' has no accurate values. */
static void find_dense(rodas *r)
{
    const rodas_table *tab = r->tab;
    double value[RODAS_DENSE_MAX], at_start[RODAS_DENSE_MAX], at_end[RODAS_DENSE_MAX];
    basis(tab, 0.0, value, at_start);
    basis(tab, 1.0, value, at_end);
    for (int k = 0; k < tab->n_dense; k++)
        for (int32_t i = 0; i < r->n; i++) {
            double sum = 0.0;
            for (int j = 0; j < tab->stages; j++)
                sum += tab->dense[k][j] * r->u[j][i];
            r->dense[k][i] = sum;
        }
    for (int32_t i = 0; i < r->n; i++) {
        double chord = r->y[i] - r->y_before[i], start = chord, end = chord;
        for (int k = 0; k < tab->n_dense; k++) {
            start += at_start[k] * r->dense[k][i];
            end += at_end[k] * r->dense[k][i];
        }
        bool known = r->in.is_differential[i];
        r->slope_start[i] = known ? r->yp_before[i] - start / r->h_last : 0.0;
        r->slope_end[i] = known ? r->yp[i] - end / r->h_last : 0.0;
    }
    r->dense_known = true;
}

static void interpolate(void *self, double t, double *y, double *yp)
{
    rodas *r = self;
    if (t == r->t || r->h_last == 0.0) {
        interpolant_copy(r->n, r->y, r->yp, y, yp);
        return;
    }
    if (!r->dense_known)
        find_dense(r);
    double h = r->h_last, x = 1.0 + (t - r->t) / h;
    double value[RODAS_DENSE_MAX], slope[RODAS_DENSE_MAX];
    interpolant_bumps bump = interpolant_bumps_at(x, h);
    basis(r->tab, x, value, slope);
    for (int32_t i = 0; i < r->n; i++) {
        double bent = 0.0, bent_slope = 0.0;
        for (int k = 0; k < r->tab->n_dense; k++) {
            bent += value[k] * r->dense[k][i];
            bent_slope += slope[k] * r->dense[k][i];
        }
        if (y)
            y[i] = (1.0 - x) * r->y_before[i] + x * r->y[i] + bent +
                   bump.start * r->slope_start[i] + bump.end * r->slope_end[i];
        if (yp)
            yp[i] = (r->y[i] - r->y_before[i] + bent_slope) / h +
                    bump.start_slope * r->slope_start[i] + bump.end_slope * r->slope_end[i];
    }
}

static integ_view view(const void *self)
{
    const rodas *r = self;
    return (integ_view){r->t,     r->t_before, r->y,  r->yp, r->h, r->tab->order,
                        r->worst, false,       false, false, false};
}

static double interpolation_error(void *self, double t, bool of_algebraic)
{
    rodas *r = self;
    return r->steps_done > 0 ? substeps_error(&r->beside, r, t, of_algebraic) : 0.0;
}

static daedal_status step_inside(void *self, double t, double *y, double *yp, bool *done)
{
    rodas *r = self;
    return substeps_values(&r->beside, r, t, y, yp, done);
}

const method method_rodas = {.name = "rodas",
                             .create = create,
                             .destroy = destroy,
                             .copy = copy,
                             .begin = begin,
                             .step = rodas_step,
                             .interpolate = interpolate,
                             .view = view,
                             .interpolation_error = interpolation_error,
                             .step_inside = step_inside,
                             .algebraic_is_rough = true};
