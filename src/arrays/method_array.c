/* arrays/method_array.c - the method `array`: any index, by the derivative array of F.
 *
 * Responsibility: radau applied to the equivalent equations of index one (equivalent_system.h), so
 * that steps, error test, dense output and events are those of that method.
 * Invariant: T, N and Z1 of the equivalent equations change between two steps only.
 * Depends on: arrays/equivalent_system.h, integ/inner_method.h.                        */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "arrays/equivalent_system.h"
#include "base/status.h"
#include "integ/inner_method.h"
#include "linalg/linsolver.h"

typedef struct on_array {
    integ_context given;
    int32_t n;
    inner_method inner; /* radau, with tolerances that noise in the array allows           */
    equivalent_system equations;
    integ_begin from;
    bool is_pending; /* the equivalent equations have yet to be found for `from`          */
    bool is_broken;  /* this is a copy for which memory was lacking                       */

    double *atol;
    daedal_stats calls; /* of the equivalent equations: calls of F are counted elsewhere   */
    double *dy, *dyp;   /* n x n by columns: of the point asked for last                   */
    double *inverse_weight, *floor, *work, *y, *yp;
    block mem;
} on_array;

/* ---- the equations ---- */

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    on_array *h = user;
    if (h->is_broken)
        return DAEDAL_CALL_FAIL;
    return equivalent_system_residual(&h->equations, t, y, yp, r);
}

/* Called twice at each point, first with c = 0 (see daedal_jacobian_fn). */
static int jacobian(double t, const double *y, const double *yp, double c, double *values,
                    void *user)
{
    on_array *h = user;
    int answer = DAEDAL_CALL_OK;
    double size = h->inner.method->view(h->inner.integrator).h_next;
    if (c == 0.0)
        answer = equivalent_system_jacobian(&h->equations, t, y, yp, size, h->dy, h->dyp);
    for (int32_t q = 0; q < h->n * h->n && answer == DAEDAL_CALL_OK; q++)
        values[q] = h->dy[q] + c * h->dyp[q];
    return answer;
}

/* ---- set-up ---- */

static void lay_out(void *object, layout *l)
{
    on_array *h = object;
    size_t n = (size_t)h->n;
    inner_method_lay_out(&h->inner, l, n);
    h->dy = layout_take(l, n * n, sizeof(double));
    h->dyp = layout_take(l, n * n, sizeof(double));
    double **vectors[] = {&h->inverse_weight, &h->floor, &h->work, &h->y, &h->yp, &h->atol};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, n, sizeof(double));
}

static bool make_pattern(on_array *h)
{
    int32_t n = h->n;
    if (!pattern_create(&h->inner.pattern, n, n, n * n, h->given.allocator))
        return false;
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = 0; i < n; i++)
            h->inner.pattern.row[j * n + i] = i;
        h->inner.pattern.start[j + 1] = (j + 1) * n;
    }
    return true;
}

static daedal_status make_equations(on_array *h)
{
    const daedal_system *sys = h->given.ev->sys;
    equivalent_setup setup = {sys, h->given.matrix, h->given.stats, h->given.why,
                              h->given.allocator};
    RETURN_UNLESS_OK(equivalent_system_create(&h->equations, &setup));
    evaluator_join(&h->equations.ev, h->given.ev);
    h->inner.tolerances.rtol = h->given.tolerances->rtol;
    h->inner.tolerances.atol = h->atol;
    h->inner.sys = (daedal_system){.n = h->n,
                                   .residual = residual,
                                   .jacobian = jacobian,
                                   .pattern = &h->inner.pattern.view,
                                   .lower = sys->lower,
                                   .upper = sys->upper,
                                   .variable_names = sys->variable_names,
                                   .user = h};
    integ_context context = h->given;
    context.method = METHOD_RADAU;
    return inner_method_create(&h->inner, &context,
                               linsolver_choose(LINSOLVER_AUTO, &h->inner.pattern.view), &h->calls);
}

static void destroy(void *self)
{
    on_array *h = self;
    const daedal_allocator *a = h->given.allocator;
    inner_method_free(&h->inner);
    equivalent_system_free(&h->equations);
    block_free(&h->mem);
    memory_give(a, h, sizeof *h);
}

static daedal_status create(void **self, const integ_context *context)
{
    on_array *h = memory_take(context->allocator, sizeof *h);
    if (!h)
        return DAEDAL_ERR_MEMORY;
    *h = (on_array){.given = *context, .n = context->ev->n};
    assert(h->n <= EQUIVALENT_LARGEST); /* a run checks it */
    bool fits = make_pattern(h) && block_create(&h->mem, context->allocator, lay_out, h);
    daedal_status status = fits ? make_equations(h) : DAEDAL_ERR_MEMORY;
    if (status == DAEDAL_OK)
        *self = h;
    else
        destroy(h);
    return status;
}

/* ---- the method ---- */

static void copy(void *self, const void *from)
{
    on_array *h = self;
    const on_array *other = from;
    block_copy(&h->mem, &other->mem);
    h->is_broken = other->is_broken || !equivalent_system_copy(&h->equations, &other->equations);
    h->is_pending = other->is_pending;
    h->from = other->from;
    h->from.y = h->y;
    h->from.yp = h->yp;
    inner_method_copy(&h->inner, &other->inner);
}

/* Set 1 / weight, and the sizes below which values of y are negligible. */
static void set_weights(on_array *h, const double *y)
{
    const weights *w = h->given.tolerances;
    weights_inverse(w, y, h->inverse_weight);
    for (int32_t j = 0; j < h->n; j++) {
        double floor = w->rtol[j] > 0.0 ? w->atol[j] / w->rtol[j] : w->atol[j];
        h->floor[j] = floor > 0.0 ? fmin(floor, 1.0) : 1.0;
    }
}

static double longest_time(const integ_begin *from)
{
    return fmax(fmax(fabs(from->t), 1.0), from->span);
}

/* The time scale on which y changes, estimated from y and y' and bounded by the length of the run.
 */
static double time_of_change(const on_array *h, const integ_begin *from)
{
    for (int32_t j = 0; j < h->n; j++) {
        double size = fmax(fabs(from->y[j]), h->floor[j]);
        h->work[j] = from->yp[j] != 0.0 ? size / fabs(from->yp[j]) : HUGE_VAL;
    }
    return fmin(vector_median(h->work, h->n), longest_time(from));
}

/* The estimated time scale is too short where variables pass zero.  Differences then consist of
 * noise, and longer time scales are tried as long as they reduce it.                       */
static daedal_status begin_equations(on_array *h, equivalent_begin *start)
{
    const double noisy = 10.0; /* tolerances */
    const equivalent_numbers *now = &h->equations.at;
    daedal_status status = equivalent_system_begin(&h->equations, start);
    while (start->time < longest_time(&h->from)) {
        bool found = status == DAEDAL_OK;
        double noise = now->noise, time = start->time;
        if ((found && noise <= noisy) || (!found && status != DAEDAL_ERR_INDEX))
            break;
        start->time = fmin(10.0 * time, longest_time(&h->from));
        diagnosis_clear(h->given.why);
        status = equivalent_system_begin(&h->equations, start);
        if (found && (status != DAEDAL_OK || now->noise >= noise)) {
            start->time = time;
            diagnosis_clear(h->given.why);
            return equivalent_system_begin(&h->equations, start);
        }
    }
    return status;
}

/* Tell radau which variables have derivatives in the equivalent equations. */
static void classify(on_array *h)
{
    for (int32_t j = 0; j < h->n; j++) {
        h->inner.is_differential[j] = h->equations.at.freedom > 0 && h->given.is_differential[j];
        h->inner.variable_index[j] = !h->inner.is_differential[j];
    }
}

/* Set the tolerances of radau: those of the run, raised to what noise in the array allows.  The run
 * tells the user of it. */
static void set_tolerances(on_array *h)
{
    const double noises = 3.0;
    const weights *theirs = h->given.tolerances;
    weights *w = &h->inner.tolerances;
    double *const vectors[] = {w->factor, w->noise, h->atol};
    const double *const from[] = {theirs->factor, theirs->noise, theirs->atol};
    for (int k = 0; k < 3; k++)
        memcpy(vectors[k], from[k], (size_t)h->n * sizeof(double));
    *w = (weights){.n = h->n,
                   .rtol = theirs->rtol,
                   .atol = h->atol,
                   .factor = w->factor,
                   .noise = w->noise,
                   .calibrated = theirs->calibrated,
                   .allows_noise = theirs->allows_noise};
    for (int32_t j = 0; j < h->n && !h->is_pending; j++)
        h->atol[j] = fmax(h->atol[j], noises * h->equations.noise[j] / w->factor[j]);
}

/* Find the equivalent equations.  This waits for the first step, because only then the time is
 * known beyond which F must not be evaluated. */
static daedal_status begin_on_array(on_array *h, double t_limit)
{
    integ_begin *from = &h->from;
    set_weights(h, from->y);
    equivalent_begin start = {.t = from->t,
                              .t_last = t_limit,
                              .time = time_of_change(h, from),
                              .y = from->y,
                              .yp = from->yp,
                              .inverse_weight = h->inverse_weight,
                              .floor = h->floor};
    RETURN_UNLESS_OK(begin_equations(h, &start));
    classify(h);
    h->is_pending = false;
    set_tolerances(h);
    h->inner.method->begin(h->inner.integrator, from);
    return DAEDAL_OK;
}

static void begin(void *self, const integ_begin *from)
{
    on_array *h = self;
    size_t bytes = (size_t)h->n * sizeof(double);
    memcpy(h->y, from->y, bytes);
    memcpy(h->yp, from->yp, bytes);
    h->from = *from;
    h->from.y = h->y;
    h->from.yp = h->yp;
    h->from.keeps_matrices = false;
    h->is_pending = true;
    evaluator_forget(&h->inner.ev);
    matrix_forget(&h->inner.matrix);
    set_tolerances(h);
    h->inner.method->begin(h->inner.integrator, &h->from);
}

/* Choose T, N and Z1 again after the constraints have turned.  Radau goes on with the step size
 * that it has chosen for the next step.                                                 */
static daedal_status turn(on_array *h)
{
    integ_view v = h->inner.method->view(h->inner.integrator);
    int answer = equivalent_system_turn(&h->equations, v.t, v.y);
    if (answer == DAEDAL_CALL_STOP)
        return DAEDAL_STOPPED;
    if (answer == DAEDAL_CALL_RETRY)
        return fail(h->given.why, DAEDAL_ERR_SINGULAR,
                    "the number of constraints in the equations changes near t = %.10g", v.t);
    if (answer != DAEDAL_CALL_OK && h->equations.ev.trouble.answer == DAEDAL_CALL_FAIL)
        return evaluator_explain(&h->equations.ev, h->given.why);
    if (answer != DAEDAL_CALL_OK)
        return fail(h->given.why, DAEDAL_ERR_MEMORY, "out of memory for the derivative array");
    integ_begin from = {.t = v.t,
                        .y = v.y,
                        .yp = v.yp,
                        .h_before = fabs(v.h_next),
                        .direction = h->from.direction,
                        .span = fabs(v.h_next)};
    set_tolerances(h);
    h->inner.method->begin(h->inner.integrator, &from);
    return DAEDAL_OK;
}

static daedal_status step(void *self, double t_limit)
{
    on_array *h = self;
    if (h->is_broken)
        return fail(h->given.why, DAEDAL_ERR_MEMORY, "out of memory for the derivative array");
    if (h->is_pending)
        RETURN_UNLESS_OK(begin_on_array(h, t_limit));
    h->equations.at.t_last = t_limit;
    if (equivalent_system_is_tilted(&h->equations))
        RETURN_UNLESS_OK(turn(h));
    set_weights(h, h->inner.method->view(h->inner.integrator).y);
    memcpy(h->equations.inverse_weight, h->inverse_weight, (size_t)h->n * sizeof(double));
    return h->inner.method->step(h->inner.integrator, t_limit);
}

static void interpolate(void *self, double t, double *y, double *yp)
{
    on_array *h = self;
    h->inner.method->interpolate(h->inner.integrator, t, y, yp);
}

static integ_view view(const void *self)
{
    const on_array *h = self;
    return h->inner.method->view(h->inner.integrator);
}

static double interpolation_error(void *self, double t, bool of_algebraic)
{
    on_array *h = self;
    return h->inner.method->interpolation_error(h->inner.integrator, t, of_algebraic);
}

static daedal_status step_inside(void *self, double t, double *y, double *yp, bool *done)
{
    on_array *h = self;
    return h->inner.method->step_inside(h->inner.integrator, t, y, yp, done);
}

static daedal_status shorten_step(void *self, double t, bool *done)
{
    on_array *h = self;
    return h->inner.method->shorten_step(h->inner.integrator, t, done);
}

/* Whether a correction leads to a different solution, because it is larger than any error of
 * interpolation.  In a long step with tight tolerances such an error may be many weights.  If the
 * constraints determine all values, steps may have any length and interpolated values tell nothing.
 */
static bool is_elsewhere(const on_array *h, int32_t j, double y)
{
    const double far = 1e6, share = 0.5; /* of the variable, or of its change in the step */
    if (h->equations.at.freedom == 0)
        return false;
    integ_view v = h->inner.method->view(h->inner.integrator);
    double size = fmax(fabs(y), fabs((v.t - v.t_before) * v.yp[j]));
    double moved = fabs(h->work[j] - y);
    return !(moved * h->inverse_weight[j] <= far || moved <= share * size);
}

static int correct(void *self, double t, double *y)
{
    on_array *h = self;
    if (h->is_pending || h->is_broken)
        return DAEDAL_CALL_RETRY;
    memcpy(h->work, y, (size_t)h->n * sizeof(double));
    int answer = equivalent_system_correct(&h->equations, t, h->work);
    for (int32_t j = 0; j < h->n && answer == DAEDAL_CALL_OK; j++)
        if (is_elsewhere(h, j, y[j]))
            answer = DAEDAL_CALL_RETRY;
    if (answer == DAEDAL_CALL_OK)
        memcpy(y, h->work, (size_t)h->n * sizeof(double));
    return answer;
}

static double blur(const void *self, int32_t *variable)
{
    const on_array *h = self;
    const equivalent_numbers *at = &h->equations.at;
    *variable = at->noisiest;
    return at->has_matrices ? at->noise * h->given.tolerances->factor[at->noisiest] : 0.0;
}

const method method_array = {.name = "array",
                             .create = create,
                             .destroy = destroy,
                             .copy = copy,
                             .begin = begin,
                             .step = step,
                             .interpolate = interpolate,
                             .view = view,
                             .interpolation_error = interpolation_error,
                             .step_inside = step_inside,
                             .shorten_step = shorten_step,
                             .correct = correct,
                             .blur = blur};
