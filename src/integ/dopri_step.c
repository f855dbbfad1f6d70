/* integ/dopri_step.c - one accepted step of an explicit Runge-Kutta pair ([HNW93] II.4, II.10). The
 * body of dopri_step is the outline; the stages follow in the order they are called.   */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "integ/dopri.h"
#include "integ/step_attempts.h"
#include "linalg/vector.h"
#include "newton/bounds.h"

static newton_outcome prepare(dopri *d);
static daedal_status complain_singular(const dopri *d);
static newton_outcome take_stages(dopri *d, const step_attempts *a);
static newton_outcome finish(dopri *d, const step_attempts *a, bool moved);
static daedal_status retreat_from_stages(dopri *d, step_attempts *a, newton_outcome why);
static daedal_status retreat_from_error(dopri *d, step_attempts *a);
static daedal_status project(dopri *d, double t_new, bool *changed, bool *far);
static void accept(dopri *d, const step_attempts *a);

daedal_status dopri_step(void *self, double t_limit)
{
    dopri *d = self;
    step_attempts a = step_attempts_begin(&d->in, d->t, t_limit, &d->h, d->steps_done == 0);
    dopri_weigh(d);
    for (;;) {
        TRY(step_attempts_next(&a));
        newton_outcome outcome = prepare(d);
        if (outcome == NEWTON_SINGULAR)
            return complain_singular(d);
        if (outcome == NEWTON_DONE)
            outcome = take_stages(d, &a);
        if (outcome != NEWTON_DONE) {
            RETURN_UNLESS_OK(retreat_from_stages(d, &a, outcome));
            continue;
        }
        if (d->error > 1.0) {
            RETURN_UNLESS_OK(retreat_from_error(d, &a));
            continue;
        }
        bool far = false, changed = false;
        RETURN_UNLESS_OK(project(d, a.t_new, &changed, &far));
        if (far) {
            RETURN_UNLESS_OK(step_attempts_note_constraints(&a));
            continue;
        }
        outcome = finish(d, &a, changed);
        if (outcome == NEWTON_DONE) {
            accept(d, &a);
            return DAEDAL_OK;
        }
        RETURN_UNLESS_OK(retreat_from_stages(d, &a, outcome));
    }
}

/* ---- K, and y' at the beginning ---- */

static daedal_status complain_singular(const dopri *d)
{
    int32_t column = matrix_blame(d->in.matrix);
    char name[96];
    fail(d->in.why, DAEDAL_ERR_SINGULAR,
         "dF/dy' is singular at t = %.10g%s%s: method dopri needs equations that determine every "
         "derivative (index 0)",
         d->t, column >= 0 ? ", near the derivative of " : "",
         column >= 0 ? evaluator_variable_name(d->in.ev->sys, column, name, sizeof name) : "");
    blame(d->in.why, d->t, -1, column);
    hint(d->in.why, "method = radau, bdf or auto takes such equations");
    return DAEDAL_ERR_SINGULAR;
}

static newton_outcome evaluate_slopes(dopri *d)
{
    matrix_point at = {d->t, d->h, d->y, d->yp, NULL, d->inverse_weight};
    return slope_prepare(&d->slopes, &at);
}

static slope_point point_of(const dopri *d, double t, const double *y, bool measure)
{
    return (slope_point){
        .t = t, .y = y, .inverse_weight = d->inverse_weight, .h = d->h, .measure = measure};
}

/* The first step computes y' at its beginning.  The first guess is wrong on purpose by an amount
 * that shows how well K fits. */
static newton_outcome begin_slopes(dopri *d)
{
    slope_point here = point_of(d, d->t, d->y, true);
    double *guess = d->point, *found = d->k[0];
    for (int32_t j = 0; j < d->n; j++)
        guess[j] = (d->slopes.is_certain ? 1.0 : 0.9) * d->yp[j];
    newton_outcome outcome = slope_find(&d->slopes, &here, guess, found);
    if (outcome == NEWTON_SLOW) {
        outcome = evaluate_slopes(d);
        if (outcome == NEWTON_DONE)
            outcome = slope_find(&d->slopes, &here, guess, found);
    }
    if (outcome == NEWTON_DONE)
        memcpy(d->yp, found, (size_t)d->n * sizeof(double));
    return outcome;
}

static newton_outcome prepare(dopri *d)
{
    bool lost = !d->slopes.is_single && !isnan(d->in.matrix->c); /* others used the matrix */
    newton_outcome outcome = NEWTON_DONE;
    bool begins = d->steps_done == 0 && d->slopes.rate == 1.0;
    if (!d->slopes.is_ready || lost)
        outcome = evaluate_slopes(d);
    return outcome == NEWTON_DONE && begins ? begin_slopes(d) : outcome;
}

/* ---- stages ---- */

/* The slope of the stage before is the first guess; `enough` is explained at slope_find_within. */
static inline newton_outcome take_stage(dopri *d, int i, double t, double h, double enough)
{
    dopri_combine(d, i, h, d->y, d->point);
    slope_point at = point_of(d, t, d->point, false);
    return slope_find_within(&d->slopes, &at, enough, d->k[i - 1], d->k[i]);
}

newton_outcome dopri_stage(dopri *d, int i, double t, double h, const double *y, double *out)
{
    dopri_combine(d, i, h, y, out);
    slope_point at = point_of(d, t, out, false);
    return slope_find(&d->slopes, &at, d->k[i - 1], d->k[i]);
}

/* The error estimate.  With two embedded formulas ([HNW93] II.10 (10.17)) it is an expression of
 * order h^8. */
static void estimate(dopri *d)
{
    const dopri_table *tab = d->tab;
    double size[2] = {0.0, 0.0};
    for (int e = tab->has_two_errors ? 1 : 0; e >= 0; e--) {
        memset(d->err, 0, (size_t)d->n * sizeof(double));
        dopri_add(d, tab->tested, tab->error[e], d->h, d->err);
        size[e] = vector_wrms(d->err, d->inverse_weight, d->n);
    }
    double ratio = tab->has_two_errors && size[0] > 0.0 ? 0.1 * size[1] / size[0] : 0.0;
    d->error = size[0] / sqrt(1.0 + ratio * ratio);
    d->doubt.coarse = size[1];
    d->doubt.quotient = size[0] > 0.0 ? size[1] / size[0] : 0.0;
}

/* Whether the rate of convergence of the slopes should be measured.  This is done from time to
 * time, since K may vary where it was constant, and in attempts that fail, since their error may
 * come from the slopes. */
static bool is_due(const dopri *d, const step_attempts *a)
{
    enum { FIRST = 3, EVERY = 4 };
    return d->steps_done < FIRST || d->steps_done % EVERY == 0 || step_attempts_any_failed(a);
}

static newton_outcome take_stages(dopri *d, const step_attempts *a)
{
    const dopri_table *tab = d->tab;
    const double t_new = a->t_new, t_old = d->t, h = d->h;
    int last = tab->stages - 1;
    double rate = d->slopes.rate, enough = slope_enough(&d->slopes, h, false);
    memcpy(d->k[0], d->yp, (size_t)d->n * sizeof(double));
    for (int i = 1; i < last; i++) {
        double t = tab->c[i] == 1.0 ? t_new : t_old + tab->c[i] * h;
        newton_outcome outcome = take_stage(d, i, t, h, enough);
        if (outcome != NEWTON_DONE)
            return outcome;
        if (rate != d->slopes.rate) { /* further iterations have measured it */
            rate = d->slopes.rate;
            enough = slope_enough(&d->slopes, h, false);
        }
    }
    dopri_combine(d, last, d->h, d->y, d->y_new);
    if (!bounds_keep(d->in.ev->sys, d->y_new, d->inverse_weight, d->err))
        return NEWTON_SLOW;
    if (tab->tested > last) {
        slope_point at = point_of(d, t_new, d->y_new, is_due(d, a));
        newton_outcome outcome = slope_find(&d->slopes, &at, d->k[last - 1], d->k[last]);
        if (outcome != NEWTON_DONE)
            return outcome;
    }
    estimate(d);
    return isfinite(d->error) ? NEWTON_DONE : NEWTON_SLOW;
}

/* Compute y' at the end of the step, unless the error estimate has needed it and the point has not
 * moved since. */
static newton_outcome finish(dopri *d, const step_attempts *a, bool moved)
{
    int last = d->tab->stages - 1;
    if (d->tab->tested > last && !moved)
        return NEWTON_DONE;
    slope_point at = point_of(d, a->t_new, d->y_new, is_due(d, a));
    const double *guess = d->k[d->tab->tested <= last ? last - 1 : last];
    return slope_find(&d->slopes, &at, guess, d->k[last]);
}

/* ---- sizes ---- */

/* The factor for h.  After a rejection it depends on the error alone, after success also on the
 * change of the error from the last step to this one ([HW96] IV.8 (8.25)). */
static double step_factor(dopri *d)
{
    const double safety = 0.9, least = 0.2, most = 6.0, floor = 1e-6;
    double error = fmax(d->error, floor), p = 1.0 / (d->tab->estimate_order + 1);
    d->root = pow(error, -p);
    double factor = safety * d->root;
    if (d->error <= 1.0 && d->h_last != 0.0) /* (error before / error^2)^p */
        factor *= fmin(1.0, (d->h / d->h_last) * (d->root / d->root_accepted));
    return step_clamp(factor, least, most);
}

/* ---- failures ---- */

/* Halve the step.  K is evaluated again if it may be out of date. */
static daedal_status retreat_from_stages(dopri *d, step_attempts *a, newton_outcome why)
{
    int32_t worst = vector_largest_weighted(d->err, d->inverse_weight, d->n);
    d->worst = worst >= 0 ? worst : d->worst; /* none where no number is finite */
    RETURN_UNLESS_OK(step_attempts_note_newton(a, why, NULL, NULL));
    if (why == NEWTON_SLOW && !d->slopes.is_certain)
        slope_renew(&d->slopes);
    d->h *= 0.5;
    return DAEDAL_OK;
}

static daedal_status retreat_from_error(dopri *d, step_attempts *a)
{
    d->worst = vector_largest_weighted(d->err, d->inverse_weight, d->n);
    RETURN_UNLESS_OK(step_attempts_note_error(a, d->error, d->worst));
    d->h *= a->first ? 0.1 : fmin(step_factor(d), 0.9);
    return DAEDAL_OK;
}

/* ---- success ---- */

static daedal_status project(dopri *d, double t_new, bool *changed, bool *far)
{
    size_t bytes = (size_t)d->n * sizeof(double);
    step_attempts_move to = {.t = t_new, .y = d->err, .inverse_weight = d->inverse_weight};
    if (d->in.constraints->n_levels == 0)
        return DAEDAL_OK;
    int32_t worst = vector_largest_weighted(d->err, d->inverse_weight, d->n);
    d->worst = worst >= 0 ? worst : d->worst;
    memcpy(d->err, d->y_new, bytes);
    RETURN_UNLESS_OK(step_attempts_project(&d->in, &to));
    *far = to.far;
    *changed = to.changed;
    if (to.changed)
        memcpy(d->y_new, d->err, bytes);
    return DAEDAL_OK;
}

static void count_in_a_row(dopri_count *c, bool seen)
{
    enum { OFTEN = 15, CALM = 6 };
    c->yes += seen;
    c->no = seen ? 0 : c->no + 1;
    if (c->no >= CALM)
        c->yes = 0;
    c->is_seen = c->yes >= OFTEN;
}

/* Whether y' changes in the step by far less than is usual where accuracy limits steps of this
 * order.  Errors are then those of stiff components, which the solution does not show. */
static bool is_smooth(const dopri *d)
{
    const double *k0 = d->k[0], *k1 = d->k[d->tab->stages - 1];
    double change = 0.0, size = 0.0;
    for (int32_t j = 0; j < d->n; j++) {
        double by = (k1[j] - k0[j]) * d->inverse_weight[j], all = k1[j] * d->inverse_weight[j];
        change += by * by;
        size += all * all;
    }
    return change < size * d->stiffness.smooth_change * d->stiffness.smooth_change;
}

static void note_reach(dopri *d, double reach)
{
    const double felt = 0.4, fading = 0.95;
    dopri_stiffness *s = &d->stiffness;
    s->reach = reach;
    s->rate = fmax(reach / fabs(d->h), fading * s->rate);
    count_in_a_row(&s->unstable, reach > d->tab->stable);
    count_in_a_row(&s->smooth, reach > felt && is_smooth(d));
}

/* The last two stages are y' at the same time, for two y: their difference estimates the largest
 * eigenvalue, in absolute value ([HW96] IV.2 (2.10)).                             */
static void watch_stiffness(dopri *d)
{
    const double least = 1e-10;
    int last = d->tab->stages - 1;
    double apart = 0.0, turned = 0.0;
    for (int32_t j = 0; j < d->n; j++) {
        double w = d->inverse_weight[j];
        double by = (d->y_new[j] - d->point[j]) * w, in = (d->k[last][j] - d->k[last - 1][j]) * w;
        apart += by * by;
        turned += in * in;
    }
    note_reach(d, apart > least * least * d->n ? fabs(d->h) * sqrt(turned / apart) : 0.0);
}

/* Watch for corners of F. Where F has a corner or a jump inside the step one error estimate may be
 * small by chance.  The other one then is not, or it is larger than its order allows. */
static void look_at_estimates(dopri *d)
{
    const double much = 4.0;
    dopri_doubt *b = &d->doubt;
    double longer = fmax(1.0, d->h_last != 0.0 ? d->h / d->h_last : 1.0);
    double expected = b->usual_coarse * longer * longer * longer * longer;
    bool first = d->steps_done == 0;
    b->is_felt = !first && d->tab->has_two_errors &&
                 (b->quotient > much * b->usual_quotient || b->coarse > much * expected);
    b->usual_coarse = first ? b->coarse : sqrt(b->usual_coarse * b->coarse);
    b->usual_quotient = first ? b->quotient : sqrt(b->usual_quotient * b->quotient);
}

/* The factor for h where stability has limited some steps.  The error then tells little about the
 * next step, because it is small up to the boundary of the stability region and large beyond it. */
static double stable_factor(const dopri *d)
{
    const double end = 1.1; /* over tab->stable: there errors are still damped */
    const dopri_stiffness *s = &d->stiffness;
    bool is_limited = s->unstable.yes >= DOPRI_SOME_UNSTABLE && s->rate > 0.0;
    return is_limited ? end * d->tab->stable / (s->rate * fabs(d->h)) : HUGE_VAL;
}

static double size_after(dopri *d, const step_attempts *a)
{
    double factor = fmin(step_factor(d), stable_factor(d));
    double h = d->h * (step_attempts_any_failed(a) ? fmin(factor, 1.0) : factor);
    return fabs(h) < fabs(a->h_wish) ? a->h_wish : h; /* which the limit alone had cut short */
}

static void accept(dopri *d, const step_attempts *a)
{
    size_t bytes = (size_t)d->n * sizeof(double);
    const double worn = 0.05; /* rate */
    if (d->in.constraints->n_levels == 0)
        d->worst = vector_largest_weighted(d->err, d->inverse_weight, d->n);
    watch_stiffness(d);
    memcpy(d->y_before, d->y, bytes);
    memcpy(d->yp_before, d->yp, bytes);
    memcpy(d->y, d->y_new, bytes);
    memcpy(d->yp, d->k[d->tab->stages - 1], bytes);
    d->t_before = d->t;
    d->t = a->t_new;
    double h_next = size_after(d, a);
    d->h_last = d->h;
    d->h = h_next;
    d->root_accepted = fmin(d->root, d->tab->root_most);
    look_at_estimates(d);
    d->steps_done++;
    d->dense_known = false;
    if (d->slopes.rate > worn && !d->slopes.is_certain)
        slope_renew(&d->slopes);
    step_attempts_count_step(
        &d->in, (step_attempts_success){d->h_last, d->h, d->tab->order, d->tab->order, d->worst});
}
