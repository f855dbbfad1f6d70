/* solver/escape.c - states that grow out of their absolute tolerances; see run.h.
 *
 * While a state is below its absolute tolerance no error of it is seen.  If it then grows by its
 * own feedback, y' = k y, the errors made there grow with it, and what comes out has no digit in
 * common with the solution: a chain reaction that begins with one neutron.  A state that something
 * else feeds leaves the tolerance otherwise: with y' (t - t0) = p y, p = 1, 2 or 3, from the time
 * t0 at which it was inside last, where feedback has the logarithm of the growth in place of p.
 * Where that is large, a linear perturbation of the state shows whether it is feedback.
 *
 * Steps may also be so long that such a state never grows, since nothing asks for shorter ones: of
 * a state that was given and stays below its tolerance the perturbation alone decides. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "solver/run.h"

static const double INSIDE = 2.0, OUTSIDE = 2000.0; /* absolute tolerances           */
static const double FEEDBACK = 5.0;                 /* y' (t - t0) / y; log(1000) is 6.9 */
static const double THROUGH_OTHERS = 50.0;          /* the same, of a state that damps itself */

void run_begin_escapes(run *r)
{
    for (int32_t j = 0; j < r->n; j++)
        r->stagnation.t_inside[j] = fabs(r->y[j]) < INSIDE * r->now.atol[j] ? r->state.t : NAN;
    r->stagnation.escapes_left = 12;
    r->stagnation.t_start = r->stagnation.t_tested = r->state.t;
}

/* A matrix beside that of the run, for all states that are tested at one point. */
typedef struct perturbation {
    iteration_matrix matrix;
    bool is_tried; /* or nothing else has a value */
    bool is_known; /* its parts                    */
} perturbation;

/* h is about that of the first test. */
static bool perturbation_is_known(perturbation *p, run *r, const integ_view *v, double h)
{
    if (p->is_tried)
        return p->is_known;
    matrix_setup setup = {.ev = &r->ev,
                          .dy = &r->matrix.part[0].view,
                          .dyp = &r->matrix.part[1].view,
                          .solver = r->matrix.solver,
                          .allocator = r->allocator,
                          .inexact = matrix_inexact_settings(&r->matrix)};
    matrix_point at = {v->t, fabs(h), v->y, v->yp, NULL, r->inverse_weight};
    weights_inverse(&r->tolerances, v->y, r->inverse_weight);
    p->is_tried = true;
    p->matrix = (iteration_matrix){0};
    p->is_known = matrix_create(&p->matrix, &setup) == DAEDAL_OK &&
                  matrix_evaluate(&p->matrix, &at) == DAEDAL_CALL_OK;
    return p->is_known;
}

/* The factor of an error of y_j in an implicit step of size h: 1 / (1 - k h). */
static double amplification(perturbation *p, run *r, const integ_view *v, int32_t j, double h)
{
    double *error = r->y_before, *b = r->work;
    if (!perturbation_is_known(p, r, v, h) || matrix_factor(&p->matrix, 1.0 / h) != DAEDAL_OK)
        return 0.0;
    memset(error, 0, (size_t)r->n * sizeof(double));
    error[j] = 1.0 / h;
    matrix_times_dyp(&p->matrix, error, b);
    matrix_solve(&p->matrix, b);
    return b[j];
}

static void warn_escape(run *r, const integ_view *v, int32_t j)
{
    daedal_diagnosis told;
    char text[96];
    const char *name = evaluator_variable_name(&r->system.sys, j, text, sizeof text);
    fail(&told, DAEDAL_OK,
         "%s has grown by itself from below its absolute tolerance %.3g, where no error is seen, "
         "to %.3g at t = %.10g: the errors have grown with it",
         name, r->now.atol[j], v->y[j], v->t);
    blame(&told, v->t, -1, j);
    hint(&told, "set atol below the smallest value of %s that matters, or compute its logarithm",
         name);
    set_cause(&told, DAEDAL_CAUSE_BAD_SCALING);
    run_warn(r, &told);
}

static void warn_hidden(run *r, int32_t j)
{
    daedal_diagnosis told;
    char text[96];
    const char *name = evaluator_variable_name(&r->system.sys, j, text, sizeof text);
    fail(&told, DAEDAL_OK,
         "%s began at %.3g, grows by itself, and is below its absolute tolerance %.3g up to t = "
         "%.10g, so that no error of it is seen: it is %.3g",
         name, r->start.y_given[j], r->now.atol[j], r->state.t, r->y[j]);
    blame(&told, r->state.t, -1, j);
    hint(&told, "set atol below the smallest value of %s that matters, or compute its logarithm",
         name);
    set_cause(&told, DAEDAL_CAUSE_BAD_SCALING);
    run_warn(r, &told);
}

/* Whether y_j damps itself, y_j' = -k y_j + ...: by the matrix of the run, whose values are there.
 */
static bool is_damped(const run *r, int32_t j)
{
    const daedal_pattern *p = &r->matrix.pattern.view;
    for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
        if (r->matrix.dyp[q] != 0.0 && r->matrix.dy[q] * r->matrix.dyp[q] > 0.0)
            return true;
    return false;
}

/* Whether y_j, which has left its tolerance, did so by feedback.  It may pass through other
 * variables, so that the diagonal of the Jacobian does not show it.  In a step of size y / (2 y')
 * an error is doubled if all growth is its own, y' = k y, and stays as it is if something else
 * feeds it.  Of growth faster than an exponential, y' = k y^2, the step is beyond the pole of
 * 1 / (1 - k h): shorter ones are tried until they are not. */
static bool has_escaped(perturbation *p, run *r, const integ_view *v, int32_t j)
{
    const double by_itself = 1.5;
    enum { HALVINGS = 5 };
    double growth = v->yp[j] * (v->t - r->stagnation.t_inside[j]) / v->y[j];
    bool may_be = growth > (is_damped(r, j) ? THROUGH_OTHERS : FEEDBACK) && !run_has_high_index(r);
    if (!may_be || r->stagnation.escapes_left-- <= 0)
        return false;
    double h = 0.5 * v->y[j] / v->yp[j], factor = amplification(p, r, v, j, h);
    for (int k = 0; k < HALVINGS && factor < 0.0; k++) {
        h *= 0.5;
        factor = amplification(p, r, v, j, h);
    }
    return factor > by_itself;
}

void run_watch_escapes(run *r, const integ_view *v)
{
    double *t_inside = r->stagnation.t_inside;
    perturbation p;
    p.is_tried = false;
    for (int32_t j = 0; j < r->n; j++) {
        double size = fabs(v->y[j]);
        if (size < INSIDE * r->now.atol[j]) {
            t_inside[j] = v->t;
            continue;
        }
        if (isnan(t_inside[j]) || size < OUTSIDE * r->now.atol[j])
            continue;
        bool escaped = r->is_differential[j] && r->warned.cause != DAEDAL_CAUSE_BAD_SCALING &&
                       has_escaped(&p, r, v, j);
        t_inside[j] = NAN;
        if (escaped)
            warn_escape(r, v, j);
    }
    if (p.is_tried)
        matrix_free(&p.matrix);
}

/* A state that was given, not as zero, and that its absolute tolerance has hidden up to now. */
static bool is_hidden(const run *r, int32_t j)
{
    double given = fabs(r->start.y_given[j]), atol = r->now.atol[j];
    return r->is_differential[j] && given > 0.0 && given < atol && fabs(r->y[j]) < atol;
}

/* 1 - k h is negative for h = (t - t0) / 7: it should have grown a thousandfold. */
void run_watch_hidden(run *r)
{
    run_stagnation *s = &r->stagnation;
    const double e_folds = 7.0;
    double gone = r->state.t - s->t_start;
    bool due = fabs(gone) > 2.0 * fabs(s->t_tested - s->t_start) && r->stats.restarts == 0;
    if (!due || r->fresh || run_has_high_index(r))
        return;
    s->t_tested = r->state.t;
    integ_view v = {.t = r->state.t, .y = r->y, .yp = r->yp};
    perturbation p;
    p.is_tried = false;
    for (int32_t j = 0; j < r->n && r->warned.cause != DAEDAL_CAUSE_BAD_SCALING; j++)
        if (is_hidden(r, j) && !is_damped(r, j) && s->escapes_left-- > 0 &&
            amplification(&p, r, &v, j, gone / e_folds) < 0.0)
            warn_hidden(r, j);
    if (p.is_tried)
        matrix_free(&p.matrix);
}
