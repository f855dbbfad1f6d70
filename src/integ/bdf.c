/* integ/bdf.c - a BDF run: making it, beginning it, and the two methods it serves. */
#include "integ/bdf.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "integ/step_size.h"
#include "linalg/vector.h"

static void lay_out(void *object, layout *l)
{
    bdf *b = object;
    size_t n = (size_t)b->n;
    for (int i = 0; i < BDF_DIFFERENCES; i++) {
        b->history.phi[i] = layout_take(l, n, sizeof(double));
        b->scaled[i] = layout_take(l, n, sizeof(double));
    }
    double **vectors[] = {&b->y,
                          &b->yp,
                          &b->yp_before,
                          &b->y_pred,
                          &b->yp_pred,
                          &b->y_new,
                          &b->yp_new,
                          &b->e,
                          &b->work,
                          &b->work2,
                          &b->inverse_weight,
                          &b->test_weight,
                          &b->dense.slope_start,
                          &b->dense.slope_end,
                          &b->newton.delta};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, n, sizeof(double));
}

static daedal_status create(void **self, const integ_context *context, const bdf_strategy *strategy)
{
    bdf *b = memory_take(context->allocator, sizeof *b);
    if (!b)
        return DAEDAL_ERR_MEMORY;
    b->in = *context;
    b->strategy = strategy;
    b->n = context->ev->n;
    b->error_norm = context->options->error_test;
    if (strategy->fixed_leading && b->error_norm == ERROR_GATED)
        b->error_norm = ERROR_PLAIN;
    int32_t asked = context->options->order_max;
    b->order_max = asked < strategy->order_max ? asked : strategy->order_max;
    if (!block_create(&b->mem, context->allocator, lay_out, b)) {
        memory_give(context->allocator, b, sizeof *b);
        return DAEDAL_ERR_MEMORY;
    }
    double *delta = b->newton.delta;
    b->newton = (newton){
        .ev = context->ev, .matrix = context->matrix, .rules = strategy->newton, .delta = delta};
    *self = b;
    return DAEDAL_OK;
}

static daedal_status create_gated(void **self, const integ_context *context)
{
    return create(self, context, &bdf_strategy_gated);
}

static daedal_status create_classic(void **self, const integ_context *context)
{
    return create(self, context, &bdf_strategy_classic);
}

static void destroy(void *self)
{
    bdf *b = self;
    const daedal_allocator *a = b->in.allocator;
    block_free(&b->mem);
    memory_give(a, b, sizeof *b);
}

/* Copy everything but what belongs to this instance: context, memory, pointers. */
static void copy(void *self, const void *from)
{
    bdf *b = self;
    const bdf *other = from;
    bdf mine = *b;
    *b = *other;
    b->in = mine.in;
    b->mem = mine.mem;
    b->newton.ev = mine.newton.ev;
    b->newton.matrix = mine.newton.matrix;
    block_place(&b->mem, lay_out, b);
    block_copy(&b->mem, &other->mem);
}

void bdf_lay_first_history(bdf *b)
{
    for (int32_t i = 0; i < b->n; i++)
        b->history.phi[1][i] = b->h * b->yp[i];
    memset(b->history.psi, 0, sizeof b->history.psi);
    b->history.psi[0] = b->h;
}

/* After a restart a share of the steps before is tried, and its error tells the size (bdf_step.c).
 */
static const step_courage COURAGE = {.share = 1e-3, .part = 0.0};

static void begin(void *self, const integ_begin *from)
{
    bdf *b = self;
    size_t bytes = (size_t)b->n * sizeof(double);
    memcpy(b->y, from->y, bytes);
    memcpy(b->yp, from->yp, bytes);
    memcpy(b->yp_before, from->yp, bytes);
    memcpy(b->history.phi[0], from->y, bytes);
    weights_inverse(b->in.tolerances, b->y, b->inverse_weight);
    b->has_high_index = !b->strategy->fixed_leading && /* DASSL knows no index */
                        space_highest(&b->in.ev->space, b->in.variable_index) > 1;
    /* Then the variables with y' are those that remember errors; where an equation has several y',
     * combinations of these may be algebraic. */
    b->is_semi_explicit = matrix_slopes_are_single(b->in.matrix, b->work, b->work2);
    b->t = b->t_before = b->t_begin = from->t;
    b->k = b->k_last = 1;
    b->pacing.on_trial = from->h_before > 0.0 && b->in.options->first_step == 0.0;
    b->h = step_first(&b->in, from, b->inverse_weight, COURAGE);
    b->h_last = 0.0;
    bdf_lay_first_history(b);
    b->history.n_valid = 2;
    b->pacing.equal_steps = b->pacing.since_order = b->pacing.no_growth = b->pacing.no_order_fall =
        0;
    b->pacing.starting = true;
    b->steps_done = 0;
    b->worst = space_largest_weighted(&b->in.ev->space, b->yp, b->inverse_weight);
    b->pacing.filter_share = 0.0;
    b->noise.c = 0.0;
    b->dense.slopes_known = false;
    bdf_probe_reset(&b->pacing.probe);
    newton_reset(&b->newton);
}

static integ_view view(const void *self)
{
    const bdf *b = self;
    return (integ_view){b->t,     b->t_before, b->y,  b->yp, b->h, b->k,
                        b->worst, false,       false, false, false};
}

const method method_bdf = {.name = "bdf",
                           .create = create_gated,
                           .destroy = destroy,
                           .copy = copy,
                           .begin = begin,
                           .step = bdf_step,
                           .interpolate = bdf_interpolate,
                           .view = view};
const method method_bdf_classic = {.name = "bdf_classic",
                                   .create = create_classic,
                                   .destroy = destroy,
                                   .copy = copy,
                                   .begin = begin,
                                   .step = bdf_step,
                                   .interpolate = bdf_interpolate,
                                   .view = view};
