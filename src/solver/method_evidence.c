/* solver/method_evidence.c - what steps and Jacobians tell of the method that suits.
 *
 * All of it is counted, never timed, so that a run is the same whenever it is repeated: steps,
 * rejections, calls, solves and factorizations, the last weighted by what the linear solver says
 * they cost; and the spectral radius of dy'/dy by a few products
 * (docs/decisions/020-method-auto.md). */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/choices.h"
#include "base/status.h"
#include "linalg/vector.h"
#include "newton/bounds.h"
#include "solver/method_choice.h"
#include "solver/run.h"

/* Attempts. */
enum { WINDOW = 60, WINDOW_OF_SLOPES = 15, WINDOW_OF_BDF = 400 };
static const double LONG_RUN = 100.0, SHORT_RUN = 40.0; /* steps of bdf between restarts          */
enum { PATIENCE = 4 };             /* growth of windows after a change in vain                  */
static const double ROUGH = 0.3;   /* share of steps with rejected attempts                     */
static const double SMOOTH = 0.02; /* the same of bdf, whose steps are short                    */
static const double DEARER = 1.5;  /* a unit of time with another method                        */
static const double SHORT = 1.5;   /* h times the spectral radius: far inside stability           */

/* ---- explicit systems ---- */

static bool all_differential(const run *r)
{
    int32_t j = 0;
    while (j < r->n && r->is_differential[j])
        j++;
    return j == r->n;
}

/* Whether dF/dy', as evaluated last, has one entry in each row and column. */
static bool slopes_are_single(run *r)
{
    return r->matrix.n_dyp == r->n && matrix_slopes_are_single(&r->matrix, r->work, r->y_before);
}

/* w = K^-1 J v, which may be v itself. */
static void slope_product(run *r, const double *v, double *w)
{
    const iteration_matrix *m = &r->matrix;
    const daedal_pattern *p = &m->pattern.view;
    for (int32_t i = 0; i < r->n; i++)
        r->work[i] = 0.0;
    for (int32_t j = 0; j < r->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            r->work[p->row[q]] += m->dy[q] * v[j];
    for (int32_t k = 0; k < r->n; k++)
        w[m->dyp_col[k]] = r->work[m->dyp_row[k]] / m->dyp[m->dyp_at[k]];
}

/* How fast y' itself changes, in the sense of the radius. */
static double slope_rate(run *r)
{
    double size = vector_wrms(r->yp, r->inverse_weight, r->n);
    slope_product(r, r->yp, r->yp_before);
    return size > 0.0 ? vector_wrms(r->yp_before, r->inverse_weight, r->n) / size : 0.0;
}

/* By the growth of a vector under repeated products; the parts are those of the last evaluation. */
static double spectral_radius(run *r)
{
    enum { ROUNDS = 12, SETTLED = 4 };
    double *v = r->y_before, growth = 0.0;
    for (int32_t j = 0; j < r->n; j++)
        v[j] = (1.0 + 0.5 * cos(1.0 + j)) / r->inverse_weight[j];
    for (int k = 0; k < ROUNDS; k++) {
        double size = vector_wrms(v, r->inverse_weight, r->n);
        if (!(size > 0.0) || !isfinite(size))
            return size == 0.0 ? 0.0 : HUGE_VAL;
        for (int32_t j = 0; j < r->n; j++)
            v[j] /= size;
        growth += k > SETTLED ? log(size) : 0.0;
        slope_product(r, v, v);
    }
    return exp(growth / (ROUNDS - SETTLED - 1));
}

/* What an explicit method needs: see choice_facts.  Systems with events are left to implicit
 * methods: after each event they restart with longer steps.                               */
void run_look_at_slopes(run *r)
{
    run_evidence *e = &r->now.evidence;
    const daedal_system *sys = &r->system.sys;
    if (e->looked)
        return;
    e->looked = true;
    e->is_explicit = false;
    if (!all_differential(r) || sys->n_constraints > 0 || sys->n_events > 0 ||
        bounds_are_given(sys))
        return;
    matrix_point at = {r->state.t, 1.0, r->y, r->yp, NULL, r->inverse_weight};
    if (matrix_evaluate(&r->matrix, &at) != DAEDAL_CALL_OK || !slopes_are_single(r))
        return;
    e->radius = spectral_radius(r);
    e->rate = slope_rate(r);
    e->is_explicit = true;
}

/* ---- windows ---- */

static int64_t attempts(const daedal_stats *s)
{
    return s->steps + s->rejected_error + s->rejected_newton;
}

static int64_t rejected(const daedal_stats *s)
{
    return s->rejected_error + s->rejected_newton;
}

void run_begin_evidence(run *r)
{
    run_evidence *e = &r->now.evidence;
    double steps = (double)(r->stats.steps - e->since.steps);
    bool is_bdf = r->now.method == METHOD_BDF;
    double before = fmin(e->run_length, LONG_RUN); /* at first infinite */
    e->run_length = is_bdf ? before + (fmin(steps, LONG_RUN) - before) / 10.0 : LONG_RUN;
    e->since = r->stats;
    e->t_since = r->state.t;
    e->troubled = 0;
    e->rejected_seen = rejected(&r->stats);
}

/* A step that was taken at last after many attempts counts once: it is a place, not a habit. */
static void count_trouble(run *r)
{
    run_evidence *e = &r->now.evidence;
    int64_t now = rejected(&r->stats);
    e->troubled += now > e->rejected_seen;
    e->rejected_seen = now;
}

static double troubled_share(const run *r)
{
    const run_evidence *e = &r->now.evidence;
    return (double)e->troubled / fmax((double)(r->stats.steps - e->since.steps), 1.0);
}

/* Of a unit of time in this window, in calls of F: a solve costs about as much as a call, a step
 * some calls for its vectors; most solves and factors of radau are complex.             */
static double price(const run *r)
{
    const double of_step = 3.0, of_pairs = r->now.method == METHOD_RADAU ? 2.5 : 1.0;
    const daedal_stats *from = &r->now.evidence.since, *s = &r->stats;
    double solved = (double)(s->solves - from->solves) +
                    r->matrix.factor_price * (double)(s->factorizations - from->factorizations);
    double count = (double)(s->residuals - from->residuals) + of_pairs * solved +
                   of_step * (double)(s->steps - from->steps);
    return count / fmax(fabs(r->state.t - r->now.evidence.t_since), DBL_MIN);
}

static daedal_status change(run *r, int32_t number, const char *reason)
{
    method_choice to = {number, reason};
    r->now.evidence.decides = true;
    return run_take_method(r, &to);
}

/* ---- each method ---- */

static double time_left(const run *r)
{
    return isnan(r->limits.t_stop) ? HUGE_VAL : fabs(r->limits.t_stop - r->state.t);
}

/* Whether another method would save little: few steps are left, or those of the method before cost
 * more.  What may be lost is a part of what the run has cost.  That steps are shorter than the
 * solution is smooth says less than what they cost.                                   */
static bool may_stay_explicit(const run *r, const integ_view *v)
{
    enum { A_FEW = 24 };
    const run_evidence *e = &r->now.evidence;
    double count = (double)(r->stats.steps - e->since.steps); /* the last one may be a short one */
    double mean = fabs(r->state.t - e->t_since) / fmax(count, 1.0), taken = (double)r->stats.steps;
    double left = time_left(r) / fmax(mean, fabs(r->stats.h_last));
    bool was_dearer = e->price > 0.0 && price(r) < e->price;
    return (was_dearer && !v->is_stiff) || left <= A_FEW + (was_dearer ? 2.0 : 0.5) * taken;
}

/* Stability limits the steps, or y' takes iterations. */
static daedal_status leave_explicit(run *r)
{
    integ_view v = r->method->view(r->integrator);
    run_evidence *e = &r->now.evidence;
    bool is_stiff = v.is_stiff || v.is_smooth;
    if (!v.is_iterated && (!is_stiff || may_stay_explicit(r, &v)))
        return DAEDAL_OK;
    e->wait *= PATIENCE; /* before it is tried again */
    method_choice other = run_implicit_method(r);
    e->is_explicit = e->is_explicit && !v.is_iterated;
    return change(r, other.method,
                  is_stiff ? "the equations became stiff" : "y' can be found by iteration only");
}

static int32_t highest_index(const run *r)
{
    int32_t most = 0;
    for (int32_t j = 0; j < r->n; j++)
        most = r->variable_index[j] > most ? r->variable_index[j] : most;
    return most;
}

/* Where the steps of a window could have been those of an explicit method.  A transient at whose
 * end stiffness begins looks so, too, if the window is short.                         */
static bool steps_are_short(const run *r, int64_t count)
{
    const run_evidence *e = &r->now.evidence;
    double taken = (double)(r->stats.steps - e->since.steps);
    double mean = fabs(r->state.t - e->t_since) / fmax(taken, 1.0);
    bool ends_soon = method_is_calm(e->radius * time_left(r), 1.0, 1.0),
         is_long = count >= WINDOW * e->wait;
    return mean * e->radius < SHORT && (ends_soon || is_long);
}

/* Whether steps as short as stability wants them are cheaper up to the end of the run, and what
 * they may cost in vain is a few times what this window has cost.                          */
static bool stable_steps_are_cheaper(const run *r)
{
    const double of_step = 16.0, stable = 5.2, regret = 3.0; /* calls; h times the radius */
    const run_evidence *e = &r->now.evidence;
    double now = price(r), then = of_step * e->radius / stable;
    return DEARER * then < now &&
           then * time_left(r) <= regret * now * fabs(r->state.t - e->t_since);
}

static daedal_status try_explicit(run *r, int64_t count)
{
    run_evidence *e = &r->now.evidence;
    if (troubled_share(r) >= ROUGH || !slopes_are_single(r))
        return DAEDAL_OK;
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    e->radius = spectral_radius(r);
    bool are_short = steps_are_short(r, count);
    if (!are_short && !stable_steps_are_cheaper(r))
        return DAEDAL_OK;
    e->price = price(r);
    if (are_short)
        return change(r, METHOD_DOPRI, "accuracy limits the steps, not stability");
    return change(r, METHOD_DOPRI, "explicit steps are short enough, and cost less");
}

/* Rejected attempts come from kinks and jumps that no order passes: short steps lose least. */
static daedal_status watch_one_step(run *r, int64_t count)
{
    run_evidence *e = &r->now.evidence;
    if (e->is_explicit && count % WINDOW_OF_SLOPES == 0 && count >= WINDOW_OF_SLOPES * e->wait) {
        RETURN_UNLESS_OK(try_explicit(r, count));
        if (r->fresh)
            return DAEDAL_OK;
    }
    if (count < WINDOW * e->wait)
        return DAEDAL_OK;
    double share = troubled_share(r);
    e->price = price(r);
    run_begin_evidence(r);
    e->rough = share >= ROUGH ? e->rough + 1 : 0;
    if (e->rough < 2 || e->bdf_restarts || highest_index(r) > 1 || bounds_are_given(&r->system.sys))
        return DAEDAL_OK;
    e->rough = 0;
    return change(r, METHOD_BDF, "many steps were rejected, and those of bdf are short");
}

/* Back, where the reason to come is gone, or was none. */
static daedal_status watch_bdf(run *r, int64_t count)
{
    run_evidence *e = &r->now.evidence;
    bool by_corners = !e->decides && r->system.sys.is_nonsmooth;
    if (by_corners && e->run_length < SHORT_RUN) {
        e->bdf_restarts = true;
        return change(r, METHOD_RADAU, "restarts are frequent, and bdf begins with short steps");
    }
    if (!e->decides || count < WINDOW_OF_BDF * e->wait)
        return DAEDAL_OK;
    method_choice usual = run_implicit_method(r);
    if (usual.method == METHOD_BDF) /* not kinks alone speak for it */
        return DAEDAL_OK;
    bool is_dear = e->price > 0.0 && price(r) > DEARER * e->price;
    bool is_calm = troubled_share(r) < SMOOTH;
    run_begin_evidence(r);
    if (!is_dear && !is_calm)
        return DAEDAL_OK;
    e->wait *= PATIENCE;
    return change(r, usual.method,
                  is_dear ? "bdf needed more work for the same stretch of time"
                          : "bdf rejected almost no step");
}

daedal_status run_reconsider_method(run *r)
{
    if (!run_is_automatic(r) || r->fresh || r->now.failed_methods != 0 ||
        r->now.method == METHOD_ARRAY)
        return DAEDAL_OK;
    int64_t count = attempts(&r->stats) - attempts(&r->now.evidence.since);
    if (r->now.method == METHOD_DOPRI)
        return leave_explicit(r);
    return r->now.method == METHOD_BDF ? watch_bdf(r, count) : watch_one_step(r, count);
}

/* ---- a method that was asked for ---- */

/* It goes on, with steps as short as stability wants them. */
static void tell_stiffness(run *r, double t)
{
    daedal_diagnosis told = {.t = t, .equation = -1, .variable = -1};
    snprintf(told.message, sizeof told.message,
             "the equations are stiff near t = %.10g: stability limits the steps of method %s, not "
             "accuracy",
             t, r->method->name);
    snprintf(told.hint, sizeof told.hint, "method = auto, radau or bdf takes longer steps there");
    r->now.stiffness_told = true;
    run_warn(r, &told);
}

void run_watch_method(run *r)
{
    count_trouble(r);
    if (r->now.stiffness_told || run_is_automatic(r))
        return;
    integ_view v = r->method->view(r->integrator);
    if (v.is_stiff)
        tell_stiffness(r, v.t);
}
