/* integ/limex.c - an extrapolation run: making it, beginning it, between its mesh points. */
#include "integ/limex.h"

#include <math.h>
#include <string.h>

#include "integ/interpolant.h"
#include "integ/step_size.h"
#include "linalg/vector.h"

static void lay_out(void *object, layout *l)
{
    limex *x = object;
    size_t n = (size_t)x->n;
    for (int k = 0; k < LIMEX_KNOTS; k++) {
        x->knot[k].y = layout_take(l, n, sizeof(double));
        x->knot[k].yp = layout_take(l, n, sizeof(double));
    }
    for (int32_t j = 0; j < x->rows_max; j++) {
        x->row_y[j] = layout_take(l, n, sizeof(double));
        x->row_yp[j] = layout_take(l, n, sizeof(double));
        x->row_first[j] = layout_take(l, n, sizeof(double));
    }
    double **vectors[] = {&x->y, &x->z, &x->z_first, &x->rhs, &x->residual, &x->inverse_weight};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, n, sizeof(double));
}

static void destroy(void *self)
{
    limex *x = self;
    const daedal_allocator *a = x->in.allocator;
    substeps_free(&x->beside);
    block_free(&x->mem);
    memory_give(a, x, sizeof *x);
}

static daedal_status create(void **self, const integ_context *context)
{
    limex *x = memory_take(context->allocator, sizeof *x);
    if (!x)
        return DAEDAL_ERR_MEMORY;
    int32_t asked = context->options->order_max;
    x->in = *context;
    x->n = context->ev->n;
    x->rows_max = asked < 2 ? 2 : asked < LIMEX_ROWS ? asked : LIMEX_ROWS;
    bool fits = block_create(&x->mem, context->allocator, lay_out, x);
    if (!substeps_create(&x->beside, &method_limex, context) || !fits) {
        destroy(x);
        return DAEDAL_ERR_MEMORY;
    }
    *self = x;
    return DAEDAL_OK;
}

static void copy(void *self, const void *from)
{
    limex *x = self;
    const limex *other = from;
    limex mine = *x;
    *x = *other;
    x->in = mine.in;
    x->mem = mine.mem;
    x->beside = mine.beside;
    substeps_follow(&x->beside, &other->beside);
    block_place(&x->mem, lay_out, x);
    block_copy(&x->mem, &other->mem);
}

/* The number of rows to begin with, which grows with the digits ([HW96] IV.9).  It has a lower
 * bound: with stiff components, whose orders in the table are 2, 2, 3, ..., the work per unit of
 * time has a first, shallow minimum at two or three rows. */
static int32_t rows_for(const limex *x)
{
    double rtol = 1.0;
    for (int32_t i = 0; i < x->n; i++)
        rtol = fmin(rtol, x->in.tolerances->rtol[i]);
    int32_t rows = (int32_t)(0.6 * -log10(fmax(rtol, 1e-14)) + 0.5);
    int32_t most = x->rows_max - 1 > 2 ? x->rows_max - 1 : 2;
    return rows < 2 ? 2 : rows < most ? rows : most;
}

static void begin(void *self, const integ_begin *from)
{
    limex *x = self;
    size_t bytes = (size_t)x->n * sizeof(double);
    substeps_forget(&x->beside);
    memcpy(x->knot[0].y, from->y, bytes);
    memcpy(x->knot[0].yp, from->yp, bytes);
    weights_inverse_plain(x->in.tolerances, from->y, x->inverse_weight);
    x->t = x->knot[0].t = from->t;
    x->n_knots = 1;
    x->h = step_first(&x->in, from, x->inverse_weight, (step_courage){0.2, 0.01});
    x->h_last = 0.0;
    x->least = rows_for(x);
    x->target = x->order_last = x->least;
    x->steps_done = 0;
    x->parts_are_here = false;
    x->worst = vector_largest_weighted(from->yp, x->inverse_weight, x->n);
}

/* ---- between mesh points ---- */

/* Factors of values and slopes of the polynomial that has y and y' of all knots, and their
 * derivatives by t: with l_i of Lagrange, (1 - 2 l_i'(t_i) (t - t_i)) l_i^2 and (t - t_i) l_i^2. */
typedef struct hermite {
    double of_y[LIMEX_KNOTS], of_yp[LIMEX_KNOTS];             /* for y      */
    double slope_of_y[LIMEX_KNOTS], slope_of_yp[LIMEX_KNOTS]; /* for y'     */
} hermite;

static void find_basis(const limex *x, double t, hermite *b)
{
    for (int i = 0; i < x->n_knots; i++) {
        double l = 1.0, steep = 0.0, at_knot = 0.0; /* l_i(t), l_i'/l_i(t), l_i'(t_i) */
        double slope = 0.0;
        for (int k = 0; k < x->n_knots; k++) {
            if (k == i)
                continue;
            double gap = x->knot[i].t - x->knot[k].t, factor = (t - x->knot[k].t) / gap;
            slope = slope * factor + l / gap;
            l *= factor;
            at_knot += 1.0 / gap;
        }
        steep = 2.0 * l * slope; /* of l^2 */
        double away = t - x->knot[i].t;
        b->of_y[i] = (1.0 - 2.0 * at_knot * away) * l * l;
        b->slope_of_y[i] = -2.0 * at_knot * l * l + (1.0 - 2.0 * at_knot * away) * steep;
        b->of_yp[i] = away * l * l;
        b->slope_of_yp[i] = l * l + away * steep;
    }
}

static void combine(const limex *x, const double *of_y, const double *of_yp, double *out)
{
    memset(out, 0, (size_t)x->n * sizeof *out);
    for (int k = 0; k < x->n_knots; k++)
        for (int32_t i = 0; i < x->n; i++)
            out[i] += of_y[k] * x->knot[k].y[i] + of_yp[k] * x->knot[k].yp[i];
}

static void interpolate(void *self, double t, double *y, double *yp)
{
    const limex *x = self;
    hermite b;
    if (t == x->t || x->n_knots < 2) {
        interpolant_copy(x->n, x->knot[0].y, x->knot[0].yp, y, yp);
        return;
    }
    find_basis(x, t, &b);
    if (y)
        combine(x, b.of_y, b.of_yp, y);
    if (yp)
        combine(x, b.slope_of_y, b.slope_of_yp, yp);
}

static integ_view view(const void *self)
{
    const limex *x = self;
    double before = x->n_knots > 1 ? x->knot[1].t : x->t;
    return (integ_view){x->t,     before, x->knot[0].y, x->knot[0].yp, x->h, x->target,
                        x->worst, false,  false,        false,         false};
}

static double interpolation_error(void *self, double t, bool of_algebraic)
{
    limex *x = self;
    return x->steps_done > 0 ? substeps_error(&x->beside, x, t, of_algebraic) : 0.0;
}

static daedal_status step_inside(void *self, double t, double *y, double *yp, bool *done)
{
    limex *x = self;
    return substeps_values(&x->beside, x, t, y, yp, done);
}

const method method_limex = {.name = "limex",
                             .create = create,
                             .destroy = destroy,
                             .copy = copy,
                             .begin = begin,
                             .step = limex_step,
                             .interpolate = interpolate,
                             .view = view,
                             .interpolation_error = interpolation_error,
                             .step_inside = step_inside,
                             .algebraic_is_rough = true};
