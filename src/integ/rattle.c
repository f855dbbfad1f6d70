/* integ/rattle.c - a run by RATTLE: making it, beginning it, between its mesh points. */
#include "integ/rattle.h"

#include <math.h>
#include <string.h>

#include "integ/interpolant.h"
#include "integ/step_size.h"
#include "linalg/vector.h"

static void lay_out(void *object, layout *l)
{
    rattle *r = object;
    double **vectors[] = {
        &r->y,       &r->yp,       &r->y_before, &r->yp_before,      &r->y_new,
        &r->yp_new,  &r->y_side,   &r->yp_side,  &r->y_there,        &r->v_half,
        &r->share_y, &r->share_yp, &r->residual, &r->inverse_weight, &r->size_weight};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, (size_t)r->n, sizeof(double));
    mechanical_form_lay_out(&r->form, r->in.ev->sys, l);
}

static void destroy(void *self)
{
    rattle *r = self;
    const daedal_allocator *a = r->in.allocator;
    block_free(&r->mem);
    memory_give(a, r, sizeof *r);
}

static daedal_status create(void **self, const integ_context *context)
{
    rattle *r = memory_take(context->allocator, sizeof *r);
    if (!r)
        return DAEDAL_ERR_MEMORY;
    r->in = *context;
    r->n = context->ev->n;
    r->plan = rattle_composition_for(context->options->order_max);
    if (!block_create(&r->mem, context->allocator, lay_out, r)) {
        destroy(r);
        return DAEDAL_ERR_MEMORY;
    }
    *self = r;
    return DAEDAL_OK;
}

static void copy(void *self, const void *from)
{
    rattle *r = self;
    const rattle *other = from;
    rattle mine = *r;
    *r = *other;
    r->in = mine.in;
    r->mem = mine.mem;
    block_place(&r->mem, lay_out, r);
    block_copy(&r->mem, &other->mem);
    r->is_ready = other->is_ready && isnan(other->in.matrix->c) &&
                  matrix_factor_mixed(r->in.matrix, r->share_y, r->share_yp) == DAEDAL_OK;
}

static void begin(void *self, const integ_begin *from)
{
    rattle *r = self;
    size_t bytes = (size_t)r->n * sizeof(double);
    double *const y[] = {r->y, r->y_before}, *const yp[] = {r->yp, r->yp_before};
    for (int k = 0; k < 2; k++) {
        memcpy(y[k], from->y, bytes);
        memcpy(yp[k], from->yp, bytes);
    }
    for (int32_t j = 0; j < r->n; j++) {
        r->share_yp[j] = r->in.is_differential[j] ? 1.0 : 0.0;
        r->share_y[j] = 1.0 - r->share_yp[j];
    }
    weights_inverse_plain(r->in.tolerances, r->y, r->inverse_weight);
    r->t = r->t_before = from->t;
    r->h = step_first(&r->in, from, r->inverse_weight, (step_courage){1.0, 0.03});
    bool is_given = r->in.options->first_step > 0.0;
    bool goes_on = from->h_before > 0.0 || is_given;
    r->pace = (rattle_pace){.h = goes_on ? r->h : 0.0, .is_given = is_given};
    r->h_last = 0.0;
    r->steps_done = 0;
    r->form_is_known = r->is_ready = false;
    r->worst = vector_largest_weighted(r->yp, r->inverse_weight, r->n);
}

/* ---- between mesh points ---- */

/* Interpolate by the cubic that has the values y and y' of both ends.  Algebraic variables have no
 * y' and are interpolated linearly. */
static void interpolate(void *self, double t, double *y, double *yp)
{
    rattle *r = self;
    if (t == r->t || r->h_last == 0.0) {
        interpolant_copy(r->n, r->y, r->yp, y, yp);
        return;
    }
    double h = r->h_last, x = 1.0 + (t - r->t) / h;
    double share = x * x * (3.0 - 2.0 * x), slope = 6.0 * x * (1.0 - x);
    interpolant_bumps ends = interpolant_bumps_at(x, h);
    for (int32_t j = 0; j < r->n; j++) {
        double chord = r->y[j] - r->y_before[j];
        bool known = r->in.is_differential[j];
        if (y)
            y[j] = r->y_before[j] +
                   (known ? share * chord + ends.start * r->yp_before[j] + ends.end * r->yp[j]
                          : x * chord);
        if (yp)
            yp[j] = known ? slope * chord / h + ends.start_slope * r->yp_before[j] +
                                ends.end_slope * r->yp[j]
                          : chord / h;
    }
}

/* The error of the cubic, which has fewer digits than a step of an order above 2.  The step is
 * taken again up to t, unless t is near its beginning. */
static double interpolation_error(void *self, double t, bool of_algebraic)
{
    const double of_cubic = 1e3; /* roughly, in tolerances */
    const double near = 0.01;    /* of the step             */
    const rattle *r = self;
    (void)of_algebraic;
    bool is_near = fabs(t - r->t_before) < near * fabs(r->h_last);
    return t == r->t || r->h_last == 0.0 || r->plan->order == 2 || is_near ? 0.0 : of_cubic;
}

static bool repeat_up_to(rattle *r, double t)
{
    size_t bytes = (size_t)r->n * sizeof(double);
    memcpy(r->y_side, r->y_before, bytes);
    memcpy(r->yp_side, r->yp_before, bytes);
    return rattle_compose(r, r->t_before, t - r->t_before, r->y_side, r->yp_side) == NEWTON_DONE;
}

static daedal_status step_inside(void *self, double t, double *y, double *yp, bool *done)
{
    rattle *r = self;
    *done = t != r->t_before && repeat_up_to(r, t);
    if (*done)
        interpolant_copy(r->n, r->y_side, r->yp_side, y, yp);
    return DAEDAL_OK;
}

static daedal_status shorten_step(void *self, double t, bool *done)
{
    rattle *r = self;
    *done = t != r->t_before && repeat_up_to(r, t);
    if (*done) {
        interpolant_copy(r->n, r->y_side, r->yp_side, r->y, r->yp);
        r->t = t;
        r->h_last = t - r->t_before;
    }
    return DAEDAL_OK;
}

static integ_view view(const void *self)
{
    const rattle *r = self;
    return (integ_view){.t = r->t,
                        .t_before = r->t_before,
                        .y = r->y,
                        .yp = r->yp,
                        .h_next = r->h,
                        .order = r->plan->order,
                        .worst = r->worst};
}

static daedal_status use_pattern(void *self)
{
    ((rattle *)self)->is_ready = false;
    return DAEDAL_OK;
}

const method method_rattle = {.name = "rattle",
                              .create = create,
                              .destroy = destroy,
                              .copy = copy,
                              .begin = begin,
                              .step = rattle_step,
                              .interpolate = interpolate,
                              .view = view,
                              .use_pattern = use_pattern,
                              .interpolation_error = interpolation_error,
                              .step_inside = step_inside,
                              .shorten_step = shorten_step,
                              .algebraic_is_rough = true};
