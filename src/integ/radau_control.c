/* integ/radau_control.c - the error of an attempt; size and number of stages of the next. */
#include <math.h>
#include <string.h>

#include "integ/radau.h"
#include "integ/radau_mix.h"
#include "integ/step_size.h"
#include "linalg/vector.h"

static const double SAFETY = 0.9;
static const double LEAST_ERROR = 1e-10;      /* in tolerances: smaller ones are rounding errors */
static const double ROUGH_GRANTED = 5.0;      /* tolerances, to steps over corners */
static const double ESTIMATE_ACCURACY = 0.01; /* of GMRES */
static const double SHRINK_MOST = 0.2, GROW_MOST = 8.0;

/* ---- weights ---- */

void radau_weigh(radau *r)
{
    const double *restrict loosening = r->control.loosening[r->pairs];
    weights meant = {.n = r->n, .rtol = r->control.rtol, .atol = r->control.atol};
    weights_inverse_plain(&meant, r->y, r->inverse_weight);
    if (r->has_high_index && r->h != 0.0)
        weights_spare_high_index(&meant, r->in.variable_index, r->h, r->inverse_weight);
    for (int32_t i = 0; i < r->n; i++)
        r->control.test_weight[i] = r->inverse_weight[i] * loosening[i];
    if (r->in.options->error_test == ERROR_DIFFERENTIAL)
        for (int32_t i = 0; i < r->n; i++)
            r->control.test_weight[i] *= r->in.is_differential[i] ? 1.0 : 0.0;
}

/* ---- the error ---- */

/* The error estimate does not cover variables without y' in F.  They are exact at every stage, and
 * their values in between matter only for interpolation, events and their y'.  The slope of their
 * polynomial at the left end, r->work, should continue that of the last step.  The difference tells
 * the error of the interpolant as explained in radau_interpolate.c. */
static void watch_algebraic(radau *r)
{
    const radau_table *tab = radau_now(r);
    const double *noise = r->in.tolerances->noise;
    if (!r->has_algebraic || r->steps_done == 0)
        return;
    double share = r->h * radau_wave_height(tab) * radau_wave_share(r->h, r->h_last, tab->stages);
    for (int32_t j = 0; j < r->n; j++) {
        double gap = fabs(r->h * (r->work[j] - r->yp[j]));
        if (!r->in.is_differential[j] && r->in.variable_index[j] <= 1 && gap > noise[j])
            r->err[j] = larger_of(fabs(r->err[j]), fabs(share * (r->work[j] - r->yp[j])));
    }
}

/* The largest component, in tolerances, among the variables that the error test covers. */
static double largest_in_test(const radau *r, const double *v)
{
    return space_largest_where(&r->in.ev->space, v, r->inverse_weight, NULL,
                               r->control.test_weight);
}

/* The test is looser than the tolerance because the step is of higher order than its estimate.
 * Stiff components have the order of the estimate only: their error at the end of the step is s
 * times the estimate, that of others (z/(gamma - z))^(s-1) times this and less, z = h lambda
 * (docs/theory/radau.md).  This share is what (c K + J)^-1 J leaves, applied s times.  The answer
 * is in units of what is granted.  `rest`, the estimate, is changed.              */
static double error_of_stiff(radau *r, double *rest)
{
    double s = radau_now(r)->stages, *turned = r->newton.deltas;
    if (r->has_high_index)
        return 0.0;
    for (int k = 0; k < radau_now(r)->stages; k++) {
        if (s * largest_in_test(r, rest) <= r->control.granted)
            return 0.0;
        matrix_times_dyp(r->in.matrix, rest, turned);
        for (int32_t j = 0; j < r->n; j++)
            turned[j] *= r->in.matrix->c;
        matrix_solve_to(r->in.matrix, ESTIMATE_ACCURACY, turned);
        for (int32_t j = 0; j < r->n; j++)
            rest[j] -= turned[j];
    }
    return s * largest_in_test(r, rest) / r->control.granted;
}

/* The error of stiff components, as far as it counts.  It should fall when the step shrinks.  If it
 * does not within some attempts, F is not smooth there, and the ordinary test alone decides in this
 * step. */
static double error_that_counts(radau *r, double stiff)
{
    enum { MOST = 2 }; /* attempts in one step */
    radau_control *c = &r->control;
    if (stiff <= 1.0)
        return stiff;
    c->refusals += r->h != c->h_refused;
    c->h_refused = r->h;
    return c->refusals <= MOST ? stiff : 0.0;
}

/* ---- corners ---- */

/* The test is looser than the tolerance, which is right as long as F is smooth in the step.  The
 * error of a smooth solution is proportional to the power s + 1 of the step size.  Where it is much
 * larger than that of the last step lets expect, or has fallen by less than half that power since
 * the last attempt, F has a corner or a jump somewhere in the attempt.  Up to its end the
 * steps are held to the tolerance.  */
void radau_note_rejection(radau *r)
{
    const double unexpected = 100.0;
    radau_control *c = &r->control;
    double power = 2.0 * r->pairs + 2.0;
    c->attempts++;
    bool falls = true, follows = true;
    if (r->has_multipliers || !r->in.tolerances->calibrated)
        return;
    if (c->error_rejected > 0.0 && c->pairs_rejected == r->pairs)
        falls = log(c->error_rejected / c->error) > 0.5 * power * log(c->h_rejected / r->h);
    if (r->steps_done > 1 && r->pairs_last == r->pairs)
        follows = c->error < unexpected * c->error_accepted * pow(r->h / c->h_accepted, power);
    if (!falls || !follows)
        c->t_rough = r->t + r->h;
    c->h_rejected = r->h;
    c->error_rejected = c->error;
    c->pairs_rejected = r->pairs;
}

/* Where F is assumed to have corners: the error of the variables with y' in F, in units of
 * ROUGH_GRANTED tolerances.  After some attempts the ordinary test alone decides.  */
static double error_at_corner(radau *r)
{
    enum { MOST = 12 }; /* attempts in one step */
    radau_control *c = &r->control;
    if (!((c->t_rough - r->t) * r->h > 0.0) || c->attempts > MOST)
        return 0.0;
    return space_largest_where(&r->in.ev->space, r->err, r->inverse_weight, r->in.is_differential,
                               NULL) /
           ROUGH_GRANTED;
}

/* The norm of r->err in the error test.  Stiff components are tested by the first estimate, because
 * the second filter removes them.                                                */
static double weighted_error(radau *r)
{
    double *rest = r->newton.defects; /* free by now */
    double error = space_wrms(&r->in.ev->space, r->err, r->control.test_weight);
    error = larger_of(error, error_at_corner(r));
    if (error >= 1.0)
        return error;
    memcpy(rest, r->control.first_estimate, (size_t)r->n * sizeof(double));
    return larger_of(error, error_that_counts(r, error_of_stiff(r, rest)));
}

/* Filter the estimate once more, since it is too large for stiff components.  At a start this
 * leaves out components that violate equations without y', which would otherwise go unnoticed. */
static int filter(radau *r)
{
    double *again = r->newton.defects; /* free by now */
    for (int32_t j = 0; j < r->n; j++)
        r->point[j] = r->y[j] - r->err[j];
    int answer = evaluator_residual(r->in.ev, r->t, r->point, r->work, again);
    if (answer == DAEDAL_CALL_RETRY)
        return DAEDAL_CALL_OK; /* the first estimate stands */
    if (answer != DAEDAL_CALL_OK)
        return answer;
    matrix_solve_to(r->in.matrix, ESTIMATE_ACCURACY, again);
    for (int32_t j = 0; j < r->n; j++)
        if (r->steps_done > 0 || r->in.is_differential[j] || r->in.variable_index[j] > 1)
            r->err[j] = again[j];
    r->control.error = weighted_error(r);
    return DAEDAL_CALL_OK;
}

/* An embedded formula of order s differs from the step by (gamma/h K + J)^-1 times the
 * defect of the collocation polynomial u at the left end, F(t, y, u'(t)) ([HW96] IV.8 (8.19),
 * in residual form: docs/theory/radau.md).                                       */
newton_outcome radau_estimate(radau *r, bool doubtful)
{
    const radau_table *tab = radau_now(r);
    radau_combine(tab->stages, tab->slope_at_start, r->z[r->now], r->work, r->stride);
    radau_scale(r->stride, 1.0 / r->h, r->work);
    int answer = evaluator_residual(r->in.ev, r->t, r->y, r->work, r->err);
    if (answer != DAEDAL_CALL_OK)
        return newton_outcome_of(answer);
    matrix_solve_to(r->in.matrix, ESTIMATE_ACCURACY, r->err);
    memcpy(r->control.first_estimate, r->err, (size_t)r->n * sizeof(double));
    watch_algebraic(r);
    r->control.error = weighted_error(r);
    if (r->control.error >= 1.0 && doubtful)
        answer = filter(r);
    r->control.error =
        isfinite(r->control.error) ? larger_of(r->control.error, LEAST_ERROR) : HUGE_VAL;
    return newton_outcome_of(answer);
}

/* x^(1/(s+1)); a square root costs a third of pow(). */
static double root_of_error(const radau *r, double x)
{
    switch (r->pairs) {
    case 0:
        return sqrt(x);
    case 1:
        return sqrt(sqrt(x));
    case 3:
        return sqrt(sqrt(sqrt(x)));
    default:
        return pow(x, 1.0 / (2.0 * r->pairs + 2.0));
    }
}

double radau_error_factor(const radau *r)
{
    double safety = SAFETY * (2.0 * RADAU_ITERATIONS_MAX + 1.0) /
                    (2.0 * RADAU_ITERATIONS_MAX + r->newton.iterations);
    return step_clamp(smaller_of(safety, SAFETY) / root_of_error(r, r->control.error), SHRINK_MOST,
                      GROW_MOST);
}

/* ---- the next step ---- */

/* The factor for h that the last two errors together suggest ([Gus94]).  An error that does not
 * depend on h, such as roundoff, would make steps smaller without end: after SHRINKING_MOST such
 * steps the trend is left out once.                                                    */
static double predicted_factor(radau *r, double factor)
{
    enum { SHRINKING_MOST = 60 };
    if (r->steps_done <= 1)
        return factor;
    double trend =
        SAFETY * (r->h / r->control.h_accepted) /
        root_of_error(r, r->control.error * r->control.error / r->control.error_accepted);
    r->control.shrinking = trend < smaller_of(factor, 1.0) ? r->control.shrinking + 1 : 0;
    if (r->control.shrinking > SHRINKING_MOST) {
        r->control.shrinking = 0;
        return factor;
    }
    return smaller_of(factor, step_clamp(trend, SHRINK_MOST, GROW_MOST));
}

/* The number of stages increases after fast convergence, or if the tolerance calls for more of
 * them, and decreases after slow convergence ([HW99] section 3; pairs_preferred is ours).  With
 * variables of index 3 it never exceeds what the tolerance calls for, because in the longer steps
 * these variables magnify the iteration error too much.  */
static void choose_stages(radau *r, double factor, bool slow)
{
    bool low = r->pairs < r->control.pairs_preferred;
    int32_t pairs = r->pairs;
    if (++r->control.since_order <= (low ? 5 : 10) || r->newton.iterations <= 1)
        return;
    bool steady = factor > 0.8 && factor < (low ? 3.0 : 1.2);
    int32_t most = r->has_multipliers ? r->control.pairs_preferred : r->control.pairs_max;
    if (r->newton.rate <= (low ? 0.1 : 0.002) && steady && pairs < most)
        r->pairs++;
    else if ((r->newton.rate >= 0.8 || (pairs > r->control.pairs_preferred && slow)) && pairs > 1)
        r->pairs--;
    if (r->pairs != pairs)
        r->control.since_order = 0;
}

void radau_choose_next(radau *r, bool troubled, bool slow)
{
    const double wasteful = 0.001, dear = 0.03, inexact = 0.02, ideal_rate = 0.5;
    double factor = predicted_factor(r, radau_error_factor(r));
    if (r->newton.iterations > 1 && r->newton.jacobian != JACOBIAN_OLD)
        factor = smaller_of(factor, larger_of(ideal_rate / r->newton.rate, 0.5));
    if (troubled)
        factor = smaller_of(factor, 1.0);
    r->control.h_accepted = r->h;
    r->control.error_accepted = larger_of(r->control.error, 0.01);
    choose_stages(r, factor, slow);
    bool costly = matrix_price(r->in.matrix) > 2 * r->pairs + 1;
    bool by_gmres = stage_matrix_is_inexact(&r->newton.matrices); /* its error is in the rate */
    double limit = costly ? dear : by_gmres ? inexact : wasteful;
    bool worn = r->newton.iterations > 1 && r->newton.rate > limit;
    r->newton.renewal = worn ? RENEW : RENEW_NOTHING;
    r->newton.jacobian = JACOBIAN_OLD;
    if (!worn && factor >= 1.0 && factor <= 1.2)
        return; /* h and its factors stay */
    r->h *= factor;
}
