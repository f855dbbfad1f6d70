/* integ/dopri.c - a run with an explicit pair: making it, beginning it, between its mesh points. */
#include "integ/dopri.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "integ/interpolant.h"
#include "integ/step_size.h"
#include "linalg/vector.h"

/* One step may use this part of the tolerance, since errors add up (docs/theory/dopri.md). */
static const double PART = 0.1, ROUNDOFF = 2e-12;

static void lay_out(void *object, layout *l)
{
    dopri *d = object;
    size_t n = (size_t)d->n_even;
    double *k = layout_take(l, DOPRI_STAGES_MAX * n, sizeof(double));
    for (size_t i = 0; i < DOPRI_STAGES_MAX; i++)
        d->k[i] = k ? k + i * n : NULL;
    for (int i = 0; i < DOPRI_DENSE_MAX; i++)
        d->dense[i] = layout_take(l, n, sizeof(double));
    double **vectors[] = {&d->y,     &d->yp,  &d->y_before,       &d->yp_before,   &d->y_new,
                          &d->point, &d->err, &d->inverse_weight, &d->inverse_part};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, n, sizeof(double));
}

static void destroy(void *self)
{
    dopri *d = self;
    const daedal_allocator *a = d->in.allocator;
    substeps_free(&d->beside);
    slope_free(&d->slopes);
    block_free(&d->mem);
    memory_give(a, d, sizeof *d);
}

static daedal_status create(void **self, const integ_context *context)
{
    dopri *d = memory_take(context->allocator, sizeof *d);
    if (!d)
        return DAEDAL_ERR_MEMORY;
    d->in = *context;
    d->n = context->ev->n;
    d->n_even = d->n + d->n % 2;
    d->tab = &dopri_table_8;
    bool fits = block_create(&d->mem, context->allocator, lay_out, d);
    bool has_beside = substeps_create(&d->beside, &method_dopri, context);
    if (!slope_create(&d->slopes, context) || !has_beside || !fits) {
        destroy(d);
        return DAEDAL_ERR_MEMORY;
    }
    *self = d;
    return DAEDAL_OK;
}

static void copy(void *self, const void *from)
{
    dopri *d = self;
    const dopri *other = from;
    dopri mine = *d;
    *d = *other;
    d->in = mine.in;
    d->mem = mine.mem;
    d->beside = mine.beside;
    substeps_follow(&d->beside, &other->beside);
    d->slopes = mine.slopes;
    slope_copy(&d->slopes, &other->slopes);
    block_place(&d->mem, lay_out, d);
    block_copy(&d->mem, &other->mem);
}

/* Set the inverse of the part of the tolerance that one step may use, for each variable. */
static void set_parts(dopri *d)
{
    const weights *w = d->in.tolerances;
    for (int32_t j = 0; j < d->n; j++) {
        double roundoff = w->rtol[j] > 0.0 ? ROUNDOFF / w->rtol[j] : 0.0;
        d->inverse_part[j] = w->calibrated ? 1.0 / fmax(PART, fmin(1.0, roundoff)) : 1.0;
    }
}

void dopri_weigh(dopri *d)
{
    weights_inverse_plain(d->in.tolerances, d->y, d->inverse_weight);
    for (int32_t j = 0; j < d->n; j++)
        d->inverse_weight[j] *= d->inverse_part[j];
}

/* The change of y' in one step, divided by four, that is usual where accuracy limits the steps. */
static double smooth_change(const dopri *d)
{
    const weights *w = d->in.tolerances;
    double tightest = 1.0;
    for (int32_t j = 0; j < d->n; j++)
        tightest = fmin(tightest, fmax(w->rtol[j], DBL_EPSILON));
    return pow(PART * tightest, 1.0 / d->tab->order);
}

/* A step that is taken again from its beginning, and shorter, shows the same stiffness.  Where an
 * implicit method was in effect stability may limit the first steps. */
static dopri_stiffness stiffness_at(const dopri *d, const integ_begin *from)
{
    bool is_again = d->h_last != 0.0 && from->t == d->t_before;
    dopri_stiffness s = is_again ? d->stiffness : (dopri_stiffness){0};
    if (!is_again && from->radius > 0.0) {
        s.rate = from->radius;
        s.unstable.yes = DOPRI_SOME_UNSTABLE;
    }
    s.smooth_change = smooth_change(d);
    return s;
}

static void begin(void *self, const integ_begin *from)
{
    dopri *d = self;
    size_t bytes = (size_t)d->n * sizeof(double);
    bool is_limited = d->in.options->order_max < dopri_table_8.order;
    d->tab = is_limited ? &dopri_table_5 : &dopri_table_8;
    d->stiffness = stiffness_at(d, from);
    slope_forget(&d->slopes);
    substeps_forget(&d->beside);
    memcpy(d->y, from->y, bytes);
    memcpy(d->yp, from->yp, bytes);
    memcpy(d->y_before, from->y, bytes);
    memcpy(d->yp_before, from->yp, bytes);
    set_parts(d);
    dopri_weigh(d);
    d->t = d->t_before = from->t;
    d->h = step_first(&d->in, from, d->inverse_weight, (step_courage){0.5, 0.03});
    if (fabs(d->h) * from->radius > d->tab->stable)
        d->h = copysign(d->tab->stable / from->radius, d->h);
    d->h_last = 0.0;
    d->steps_done = 0;
    d->dense_known = false;
    d->doubt = (dopri_doubt){0};
    d->worst = vector_largest_weighted(d->yp, d->inverse_weight, d->n);
}

/* ---- between mesh points ---- */

/* The slope of the cubic at x, where a stage beside those of the step has its time. */
static void guess_slope(const dopri *d, double x, double *out)
{
    double h = d->h_last, share = 6.0 * x * (1.0 - x);
    interpolant_bumps ends = interpolant_bumps_at(x, h);
    for (int32_t j = 0; j < d->n; j++)
        out[j] = share * (d->y[j] - d->y_before[j]) / h + ends.start_slope * d->yp_before[j] +
                 ends.end_slope * d->yp[j];
}

/* Compute one of the additional stages that the D_m need.  Where F is not linear in y', the K of
 * the step may not be good enough for it and is then evaluated at this stage. */
static newton_outcome find_stage(dopri *d, int i, bool *renewed)
{
    enum { ROUNDS = 5 };
    double h = d->h_last, x = d->tab->c[i], t = d->t_before + x * h;
    slope_point at = {.t = t, .y = d->err, .inverse_weight = d->inverse_weight, .h = h};
    newton_outcome outcome = dopri_stage(d, i, t, h, d->y_before, d->err);
    for (int k = 0; k < ROUNDS && outcome == NEWTON_SLOW; k++) {
        if (k == 0 || !vector_all_finite(d->k[i], d->n))
            guess_slope(d, x, d->k[i]);
        matrix_point here = {t, h, d->err, d->k[i], NULL, d->inverse_weight};
        outcome = slope_prepare(&d->slopes, &here);
        *renewed = true;
        if (outcome == NEWTON_DONE)
            outcome = slope_find(&d->slopes, &at, d->k[i], d->k[i]);
    }
    return outcome;
}

static newton_outcome find_more_stages(dopri *d)
{
    const dopri_table *tab = d->tab;
    bool renewed = false;
    newton_outcome outcome = NEWTON_DONE;
    for (int i = tab->stages; i < tab->stages + tab->more && outcome == NEWTON_DONE; i++)
        outcome = find_stage(d, i, &renewed);
    if (renewed)
        slope_renew(&d->slopes);
    return outcome;
}

/* Compute the D_m.  If their stages cannot be computed the D_m are zero, and the interpolant is
 * the cubic. */
static void find_dense(dopri *d)
{
    const dopri_table *tab = d->tab;
    double h = d->h_last;
    int32_t all = tab->stages + tab->more;
    newton_outcome outcome = find_more_stages(d);
    for (int m = 0; m < tab->n_dense; m++) {
        memset(d->dense[m], 0, (size_t)d->n * sizeof(double));
        if (outcome == NEWTON_DONE)
            dopri_add(d, all, tab->dense[m], h, d->dense[m]);
    }
    d->dense_known = true;
    d->dense_is_cubic = outcome != NEWTON_DONE;
}

/* x^p (1-x)^q and its slope. */
static void bump(double x, int p, int q, double *value, double *slope)
{
    double left = 1.0, right = 1.0; /* x^(p-1), (1-x)^(q-1) */
    for (int i = 1; i < p; i++)
        left *= x;
    for (int i = 1; i < q; i++)
        right *= 1.0 - x;
    *value = left * x * (right * (1.0 - x));
    *slope = left * right * (p * (1.0 - x) - q * x);
}

/* The factors by which the vectors of the last step contribute to y, or to y', at one place. */
typedef struct dense_shares {
    double chord, start, end;
    double bent[DOPRI_DENSE_MAX];
} dense_shares;

/* out = from + chord (y - y_before) + start y'_before + end y' + sum of bent_m D_m; from may be
 * NULL.  As many elements at once as stay in registers.                           */
static inline void add_pairs(const dopri *d, const dense_shares *s, int32_t i, const double *from,
                             double *out, const int pairs)
{
    enum { PAIRS_MAX = 4 };
    vector_pair sum[PAIRS_MAX];
    for (int e = 0; e < pairs; e++) {
        int32_t at = i + 2 * e;
        vector_pair chord =
            *(const vector_pair *)(d->y + at) - *(const vector_pair *)(d->y_before + at);
        sum[e] = vector_pair_of(s->chord) * chord +
                 vector_pair_of(s->start) * *(const vector_pair *)(d->yp_before + at) +
                 vector_pair_of(s->end) * *(const vector_pair *)(d->yp + at);
        if (from)
            sum[e] += *(const vector_pair *)(from + at);
    }
    for (int32_t m = 0; m < d->tab->n_dense; m++)
        for (int e = 0; e < pairs; e++)
            sum[e] += vector_pair_of(s->bent[m]) * ((const vector_pair *)(d->dense[m] + i))[e];
    for (int e = 0; e < pairs; e++)
        ((vector_pair *)(out + i))[e] = sum[e];
}

static void add_shares(const dopri *d, const dense_shares *s, const double *from, double *out)
{
    int32_t i = 0;
    for (; i + 8 <= d->n; i += 8)
        add_pairs(d, s, i, from, out, 4);
    for (; i + 2 <= d->n; i += 2)
        add_pairs(d, s, i, from, out, 1);
    for (; i < d->n; i++) {
        double sum = s->chord * (d->y[i] - d->y_before[i]) + s->start * d->yp_before[i] +
                     s->end * d->yp[i] + (from ? from[i] : 0.0);
        for (int32_t m = 0; m < d->tab->n_dense; m++)
            sum += s->bent[m] * d->dense[m][i];
        out[i] = sum;
    }
}

static void interpolate(void *self, double t, double *y, double *yp)
{
    dopri *d = self;
    if (t == d->t || d->h_last == 0.0) {
        interpolant_copy(d->n, d->y, d->yp, y, yp);
        return;
    }
    if (!d->dense_known)
        find_dense(d);
    double h = d->h_last, x = 1.0 + (t - d->t) / h;
    interpolant_bumps ends = interpolant_bumps_at(x, h);
    dense_shares value = {.chord = x * x * (3.0 - 2.0 * x), .start = ends.start, .end = ends.end};
    dense_shares slope = {
        .chord = 6.0 * x * (1.0 - x) / h, .start = ends.start_slope, .end = ends.end_slope};
    for (int m = 0; m < d->tab->n_dense; m++) {
        bump(x, 2 + (m + 1) / 2, 2 + m / 2, &value.bent[m], &slope.bent[m]);
        slope.bent[m] /= h;
    }
    if (y)
        add_shares(d, &value, d->y_before, y);
    if (yp)
        add_shares(d, &slope, NULL, yp);
}

/* The error of the cubic.  Where it is too large the step is taken again in shorter ones. */
static double interpolation_error(void *self, double t, bool of_algebraic)
{
    const double of_cubic = 1e3; /* roughly, in tolerances */
    dopri *d = self;
    (void)of_algebraic;
    if (t == d->t || d->h_last == 0.0)
        return 0.0;
    if (!d->dense_known)
        find_dense(d);
    return d->dense_is_cubic ? of_cubic : 0.0;
}

static daedal_status step_inside(void *self, double t, double *y, double *yp, bool *done)
{
    dopri *d = self;
    daedal_status status = substeps_values(&d->beside, d, t, y, yp, done);
    slope_renew(&d->slopes); /* both share the matrix */
    return status;
}

/* Replace the slope of the dense output, which has fewer digits than the values, by the y' of F. */
static void correct_slopes(void *self, double t, const double *y, double *yp)
{
    dopri *d = self;
    slope_point at = {.t = t, .y = y, .inverse_weight = d->inverse_weight, .h = d->h_last};
    bool is_lost = !d->slopes.is_single && !isnan(d->in.matrix->c); /* others used the matrix */
    if (d->slopes.is_ready && !is_lost &&
        slope_find_otherwise(&d->slopes, &at, yp, d->err) == NEWTON_DONE)
        memcpy(yp, d->err, (size_t)d->n * sizeof(double));
}

/* The last row of the table has the weights of the stages in a step.  The stage of that row, y' at
 * the end, is in the error estimate of order 5 alone. */
static bool stage(const void *self, int32_t i, integ_stage *to)
{
    const dopri *d = self;
    const dopri_table *tab = d->tab;
    int32_t last = tab->stages - 1;
    if ((i >= last && i >= tab->tested) || d->steps_done == 0)
        return false;
    to->t = tab->c[i] == 1.0 ? d->t : d->t_before + tab->c[i] * d->h_last;
    to->weight = i < last ? tab->a[last][i] : 0.0;
    for (int e = 0; e < 2; e++)
        to->error[e] = i < tab->tested ? tab->error[e][i] : 0.0;
    if (to->weight != 0.0 || to->error[0] != 0.0 || to->error[1] != 0.0)
        dopri_combine(d, i, d->h_last, d->y_before, to->y);
    return true;
}

static integ_view view(const void *self)
{
    const dopri *d = self;
    return (integ_view){.t = d->t,
                        .t_before = d->t_before,
                        .y = d->y,
                        .yp = d->yp,
                        .h_next = d->h,
                        .order = d->tab->order,
                        .worst = d->worst,
                        .is_stiff = d->stiffness.unstable.is_seen,
                        .is_smooth = d->stiffness.smooth.is_seen,
                        .is_doubtful = d->doubt.is_felt,
                        .is_iterated = d->steps_done > 0 && slope_is_iterated(&d->slopes)};
}

static daedal_status use_pattern(void *self)
{
    slope_renew(&((dopri *)self)->slopes);
    return DAEDAL_OK;
}

const method method_dopri = {.name = "dopri",
                             .create = create,
                             .destroy = destroy,
                             .copy = copy,
                             .begin = begin,
                             .step = dopri_step,
                             .interpolate = interpolate,
                             .view = view,
                             .interpolation_error = interpolation_error,
                             .step_inside = step_inside,
                             .use_pattern = use_pattern,
                             .correct_slopes = correct_slopes,
                             .stage = stage};
