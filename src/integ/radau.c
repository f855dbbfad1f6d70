/* integ/radau.c - a Radau IIA run: making it, beginning it. */
#include "integ/radau.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "integ/step_size.h"
#include "linalg/vector.h"

static void lay_out(void *object, layout *l)
{
    radau *r = object;
    size_t n = (size_t)r->stride, stages = (size_t)(2 * r->control.pairs_max + 1);
    double **blocks[] = {&r->z[0], &r->z[1], &r->newton.slopes, &r->newton.defects,
                         &r->newton.deltas};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        *blocks[i] = layout_take(l, n * stages, sizeof(double));
    double **vectors[] = {&r->y,
                          &r->yp,
                          &r->y_before,
                          &r->yp_before,
                          &r->point,
                          &r->dense.shift,
                          &r->dense.slope_gap,
                          &r->err,
                          &r->newton.row_size,
                          &r->control.rtol,
                          &r->control.atol,
                          &r->work,
                          &r->inverse_weight,
                          &r->control.test_weight,
                          &r->control.carried,
                          &r->control.first_estimate};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, n, sizeof(double));
    for (int32_t k = 0; k <= r->control.pairs_max; k++)
        r->control.loosening[k] = layout_take(l, n, sizeof(double));
}

/* The most stages whose order, 2 s - 1, is within what is asked for. */
static int32_t most_stages(int32_t order_max)
{
    int32_t pairs = (order_max - 1) / 4;
    return pairs < RADAU_SIZES ? pairs : RADAU_SIZES - 1;
}

static void destroy(void *self)
{
    radau *r = self;
    const daedal_allocator *a = r->in.allocator;
    if (r->side.instance)
        destroy(r->side.instance);
    stage_matrix_free(&r->newton.matrices);
    block_free(&r->mem);
    memory_give(a, r, sizeof *r);
}

static daedal_status create_matrices(radau *r)
{
    vector_space here = {.n = r->n}; /* ranks that lack memory do not come here */
    bool is_low = space_highest(&here, r->in.variable_index) <= 1;
    return stage_matrix_create(&r->newton.matrices, r->in.matrix, r->control.pairs_max, is_low,
                               r->in.allocator);
}

static daedal_status create(void **self, const integ_context *context)
{
    radau *r = memory_take(context->allocator, sizeof *r);
    if (!r)
        return DAEDAL_ERR_MEMORY;
    r->in = *context;
    r->n = context->ev->n;
    r->stride = r->n + (r->n & 1);
    r->control.pairs_max = most_stages(context->options->order_max);
    daedal_status status = create_matrices(r);
    if (status == DAEDAL_OK && !block_create(&r->mem, context->allocator, lay_out, r))
        status = DAEDAL_ERR_MEMORY;
    if (status != DAEDAL_OK) {
        destroy(r);
        return status;
    }
    *self = r;
    return DAEDAL_OK;
}

/* Everything but what belongs to this instance: context, memory, pointers, factors. */
void radau_copy_values(radau *r, const radau *other)
{
    radau mine = *r;
    *r = *other;
    r->in = mine.in;
    r->mem = mine.mem;
    r->newton.matrices = mine.newton.matrices;
    r->side = mine.side;
    r->side.peak = other->side.peak;
    r->side.peak_t = other->side.peak_t;
    r->side.peak_h = other->side.peak_h;
    block_place(&r->mem, lay_out, r);
    block_copy(&r->mem, &other->mem);
}

static void copy(void *self, const void *from)
{
    radau *r = self;
    const radau *other = from;
    radau_copy_values(r, other);
    if (!stage_matrix_copy(&r->newton.matrices, &other->newton.matrices))
        radau_copy_factors(r);
}

/* ---- begin ---- */

/* The error test sees an estimate of order s + 1, while the result has order 2 s - 1.  To reach
 * the tolerance tau the estimate may therefore be about tau^((s+1)/(2s-1)).  The factors
 * were measured (docs/decisions/030-radau-tolerances.md); with one stage both orders are nearly the
 * same.  For few digits this would be looser than the law of the code RADAU [HW99],
 * 0.1 tau^((s+1)/(2s)), which then counts, because the higher order has no effect yet in steps of
 * that size.  For the same reason only the share BEYOND is allowed with more stages than the
 * tolerance calls for. */
static double estimate_tolerance(double tau, int32_t pairs)
{
    static const double factor[RADAU_SIZES] = {0.0, 0.4, 0.25, 0.25};
    double s = 2.0 * pairs + 1.0;
    if (pairs == 0)
        return 0.025 * tau;
    return fmin(factor[pairs] * pow(tau, (s + 1.0) / (2.0 * s - 1.0)),
                0.1 * pow(tau, (s + 1.0) / (2.0 * s)));
}

static const double BEYOND = 0.3;

/* The relative accuracy that is asked of a variable.  The absolute tolerance counts, relative to
 * the largest variable, if it is larger than rtol.                                   */
static double accuracy_of(const radau *r, int32_t i, double largest)
{
    const double finest = 1e-14, coarsest = 0.1;
    const weights *w = r->in.tolerances;
    double tau = w->rtol[i];
    if (largest > 0.0)
        tau = fmax(tau, w->atol[i] / largest);
    return fmin(fmax(tau, finest), coarsest);
}

/* The number of pairs of stages that suits the tolerance. */
static int32_t preferred_stages(const radau *r, double tau)
{
    const double for_three = 1e-5, for_five = 1e-10; /* stages suffice down to these */
    int32_t pairs = tau > for_three ? 1 : tau > for_five ? 2 : 3;
    return pairs < r->control.pairs_max ? pairs : r->control.pairs_max;
}

/* With fewer than three digits the steps may become so long that they leave the range in which F
 * can be evaluated.  The method then works with the geometric mean of tau and three digits. */
static double meant_accuracy(double tau)
{
    const double few = 1e-3;
    return tau > few ? sqrt(tau * few) : tau;
}

static void set_tolerances(radau *r, double *tightest)
{
    double largest = space_max_abs(&r->in.ev->space, r->y);
    double last = -1.0, factor[RADAU_SIZES] = {0.0}, stricter = 1.0;
    const weights *w = r->in.tolerances;
    *tightest = 1.0;
    for (int32_t i = 0; i < r->n; i++) {
        double tau = accuracy_of(r, i, largest), meant = meant_accuracy(tau);
        for (int32_t k = 0; k <= r->control.pairs_max && tau != last; k++) {
            int32_t own = preferred_stages(r, tau), as = k < own ? k : own;
            double given = estimate_tolerance(meant, as) * (k > own ? BEYOND : 1.0);
            factor[k] = w->calibrated ? meant / given : 1.0;
        }
        for (int32_t k = 0; k <= r->control.pairs_max; k++)
            r->control.loosening[k][i] = factor[k];
        stricter = w->calibrated ? meant / tau : 1.0;
        r->control.rtol[i] = stricter * w->rtol[i];
        r->control.atol[i] = stricter * w->atol[i];
        last = tau;
        *tightest = fmin(*tightest, tau);
    }
    *tightest = space_min(&r->in.ev->space, *tightest);
}

/* Classes of variables may have been found since creation. */
static void look_at_variables(radau *r)
{
    int32_t highest = space_highest(&r->in.ev->space, r->in.variable_index);
    r->has_algebraic = !space_all(&r->in.ev->space, r->in.is_differential);
    r->has_high_index = highest > 1;
    r->has_multipliers = highest > 2;
}

/* The iteration error of Newton's method that is accepted, in units of the user's tolerance; the
 * strictest relative accuracy asked for is `tightest`.  Multipliers of index 3 magnify this error
 * by 1/h^2: with a tenth of the ordinary value they gain half a digit for 5 % more residuals, which
 * is more than a smaller tolerance buys (docs/decisions/093-index-three-at-loose-tolerances.md).
 * What roundoff leaves of the last digits is no iteration error. */
static double newton_tolerance(const radau *r, double tightest)
{
    const double ordinary = 0.01, with_multipliers = 0.001, units = 10.0 * DBL_EPSILON;
    double strict = fmax(with_multipliers, units / tightest);
    return r->has_multipliers ? fmin(strict, ordinary) : ordinary;
}

/* Forget all matrices and factors. */
static void forget_matrices(radau *r)
{
    r->newton.jacobian = JACOBIAN_OLD;
    r->newton.renewal = RENEW;
    r->newton.h_factored = r->newton.h_of_inverse = NAN; /* they fit no step */
}

/* The present factors are used again if the matrix was not factored for another purpose, and what
 * is known of the convergence with them stays.                                               */
static void keep_matrices(radau *r)
{
    const radau_newton *nw = &r->newton;
    double gamma = radau_table_of(nw->pairs_factored)->gamma;
    if (stage_matrix_is_inexact(&nw->matrices) || nw->renew_factors ||
        !(r->in.matrix->c == gamma / nw->h_factored)) /* also where there are none */
        forget_matrices(r);
}

static daedal_status use_pattern(void *self)
{
    radau *r = self;
    if (r->side.instance)
        destroy(r->side.instance);
    r->side = (radau_side){.t = NAN, .peak_t = NAN};
    stage_matrix_free(&r->newton.matrices);
    forget_matrices(r);
    return create_matrices(r);
}

static void begin(void *self, const integ_begin *from)
{
    radau *r = self;
    size_t bytes = (size_t)r->n * sizeof(double);
    double tightest;
    memcpy(r->y, from->y, bytes);
    memcpy(r->yp, from->yp, bytes);
    memcpy(r->y_before, from->y, bytes);
    memcpy(r->yp_before, from->yp, bytes);
    memset(r->dense.shift, 0, bytes);
    r->t = r->t_before = from->t;
    look_at_variables(r);
    set_tolerances(r, &tightest);
    r->newton.tolerance = newton_tolerance(r, tightest);
    r->control.pairs_preferred = preferred_stages(r, tightest);
    r->pairs = r->pairs_last = r->control.pairs_preferred;
    r->control.on_trial = from->h_before > 0.0 && r->in.options->first_step == 0.0;
    r->h = 0.0;
    radau_weigh(r);
    /* After a restart the former step size is tried.  Its unfiltered error shows whether a
     * transient begins. */
    r->h = step_first(&r->in, from, r->inverse_weight, (step_courage){1.0, 0.03});
    r->h_last = r->h_prev = 0.0;
    r->steps_done = 0;
    r->control.excused_step = -2;
    r->control.since_order = 0;
    r->control.granted = r->in.tolerances->calibrated ? 30.0 : HUGE_VAL;
    r->control.refusals = 0;
    r->control.error_rejected = 0.0;
    r->control.attempts = 0;
    r->control.t_rough = NAN;
    r->control.shrinking = 0;
    if (from->keeps_matrices)
        keep_matrices(r);
    else
        forget_matrices(r);
    if (isnan(r->newton.h_factored)) {
        r->newton.rate = 0.0;
        r->newton.eta = 1.0;
    }
    r->dense.gap_known = false;
    r->side.t = r->side.peak_t = NAN;
    r->control.worst = space_largest_weighted(&r->in.ev->space, r->yp, r->inverse_weight);
}

static integ_view view(const void *self)
{
    const radau *r = self;
    return (integ_view){
        r->t,  r->t_before, r->y,  r->yp, r->h, radau_order(r->pairs), r->control.worst,
        false, false,       false, false};
}

const method method_radau = {.name = "radau",
                             .create = create,
                             .destroy = destroy,
                             .copy = copy,
                             .begin = begin,
                             .step = radau_step,
                             .interpolate = radau_interpolate,
                             .view = view,
                             .use_pattern = use_pattern,
                             .interpolation_error = radau_interpolation_error,
                             .step_inside = radau_step_inside,
                             .shorten_step = radau_shorten_step,
                             .algebraic_is_rough = true,
                             .stage = radau_stage};
