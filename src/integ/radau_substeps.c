/* integ/radau_substeps.c - output points where the interpolant is not accurate enough.
 *
 * Mesh points have order 2 s - 1, the interpolant between them s + 2: with tight tolerances it is
 * the less accurate one by far.  Where its error matters the last step is taken again in a few
 * shorter ones, by a second instance of the method, up to the output point.  Their
 * interpolants are good enough for this point and the next ones.  The run itself stays as it is, so
 * that it does not depend on where output is asked for.  The polynomial of the long step is a guess
 * so good that an iteration or two suffice.                                      */
#include <math.h>

#include "base/status.h"
#include "integ/radau.h"
#include "integ/radau_mix.h"
#include "linalg/vector.h"

enum { SUBSTEPS_MOST = 64 };

/* The corrections of the interpolant are about the error that it would have without them.  The
 * error with them is smaller by a factor that was measured in docs/decisions/031-radau-output.md.
 * B and D pass zero where the error does not, so that their envelopes are used.  That of B falls to
 * zero only like 1 - x, because slopes at the right end are not exact in stiff components. */
static double error_of_corrections(radau *r, double x, bool of_algebraic)
{
    const double what_is_left = 0.4;
    const radau_table *tab = radau_table_of(r->pairs_last);
    double s = tab->stages, y = 1.0 - x;
    radau_find_gap(r);
    double bend = fmin(radau_bend_height(tab), fmin(x, fmax(0.5 * s, 1.0) * y));
    double wave = fmin(radau_wave_height(tab), fmin(x, s * y));
    wave *= of_algebraic ? 1.0 : CORRECTED_SHARE;
    for (int32_t j = 0; j < r->n; j++)
        r->work[j] = r->dense.slope_gap[j] * (r->in.is_differential[j] ? bend : wave);
    return what_is_left * fabs(r->h_last) *
           space_wrms(&r->in.ev->space, r->work, r->inverse_weight);
}

/* The distance of u from the slow solution in stiff components, of which slopes tell little:
 * (c K + J)^-1 times the defect F(t, u, u').  It is 0 where the defect cannot be computed. */
static double defect_at(radau *r, double t)
{
    double *defect = r->newton.defects; /* free between steps */
    radau_interpolate(r, t, r->err, r->work);
    if (evaluator_residual(r->in.ev, t, r->err, r->work, defect) != DAEDAL_CALL_OK)
        return 0.0;
    matrix_solve_to(r->in.matrix, 0.01, defect);
    for (int32_t j = 0; j < r->n; j++)
        defect[j] *= r->in.is_differential[j] ? 1.0 : 0.0;
    double error = space_wrms(&r->in.ev->space, defect, r->inverse_weight);
    return isfinite(error) ? error : 0.0;
}

/* The error that the defect shows.  The defect may pass zero where the error is large; therefore
 * its largest value in the step counts too. */
static double error_of_defect(radau *r, double x)
{
    static const double samples[] = {0.2, 0.45, 0.75};
    if (r->has_high_index || isnan(r->in.matrix->c))
        return 0.0;
    if (r->side.peak_t != r->t || r->side.peak_h != r->h_last) {
        r->side.peak = 0.0;
        r->side.peak_t = r->t;
        r->side.peak_h = r->h_last;
        for (size_t k = 0; k < sizeof samples / sizeof *samples; k++)
            r->side.peak = fmax(r->side.peak, defect_at(r, r->t + (samples[k] - 1.0) * r->h_last));
    }
    double height = fmin(1.0, 4.0 * fmin(x, 1.0 - x));
    return fmax(defect_at(r, r->t + (x - 1.0) * r->h_last), height * r->side.peak);
}

double radau_interpolation_error(void *self, double t, bool of_algebraic)
{
    radau *r = self;
    double x = 1.0 + (t - r->t) / r->h_last;
    if (r->steps_done == 0 || !(x > 0.0 && x < 1.0))
        return 0.0;
    if (of_algebraic && r->steps_done == 1 && r->has_algebraic)
        return HUGE_VAL; /* nothing is known of their slopes */
    double error = error_of_corrections(r, x, of_algebraic);
    return error > 1.0 ? error : fmax(error, error_of_defect(r, x));
}

/* ---- how many ---- */

/* The largest error between the ends, roughly. */
static double largest_error(radau *r)
{
    double most = 0.0;
    for (int k = 1; k < 8; k++)
        most = fmax(most, radau_interpolation_error(r, r->t_before + k / 8.0 * r->h_last, false));
    return most;
}

/* The error falls with the power s + 2 of the step size. */
static int32_t substeps_for(radau *r)
{
    const double safety = 3.0;
    double s = radau_table_of(r->pairs_last)->stages;
    double parts = ceil(pow(safety * fmax(largest_error(r), 1.0), 1.0 / (s + 2.0)));
    return parts < SUBSTEPS_MOST ? (int32_t)fmax(parts, 2.0) : SUBSTEPS_MOST;
}

/* ---- the second instance ---- */

/* Let the second instance begin where the last step began. */
static daedal_status begin_side(radau *r)
{
    if (!r->side.instance) {
        void *made = NULL;
        RETURN_UNLESS_OK(method_radau.create(&made, &r->in));
        r->side.instance = made;
    }
    radau *s = r->side.instance;
    radau_copy_values(s, r);
    radau_turn_round(s);
    s->pairs = s->pairs_last;
    s->steps_done--;
    s->newton.renewal = RENEW_NOTHING;
    s->newton.renew_factors = true;
    s->h_last = r->h_prev; /* of the step before */
    r->side.t = r->t;
    r->side.failed = false;
    r->side.parts = substeps_for(r);
    return DAEDAL_OK;
}

static bool has_begun(const radau *r, double t)
{
    const radau *s = r->side.instance;
    return s && r->side.t == r->t && (t - s->t_before) / r->h_last >= 0.0 && s->t != r->t_before;
}

/* Stages on the polynomial of the long step. */
static void guess_inside(const radau *r, radau *s)
{
    const radau_table *tab = radau_now(s);
    for (int32_t i = 0; i < tab->stages; i++) {
        double value[RADAU_STAGES_MAX], *z = s->z[s->now] + i * s->stride;
        radau_basis(tab, (s->t + tab->node[i] * s->h - r->t_before) / r->h_last, value, NULL);
        radau_combine(tab->stages, value, r->z[1 - r->now], z, s->stride);
        for (int32_t j = 0; j < s->n; j++)
            z[j] -= s->y[j] - r->y_before[j];
    }
}

static newton_outcome solve(radau *r, double t)
{
    radau *s = r->side.instance;
    newton_outcome outcome = radau_prepare(s);
    r->newton.renew_factors = true; /* both share the factors of the real matrix */
    if (outcome != NEWTON_DONE)
        return outcome;
    guess_inside(r, s);
    return radau_solve(s, t);
}

static double end_of_substep(const radau *r)
{
    const radau *s = r->side.instance;
    double end = s->t + r->h_last / r->side.parts, left = (r->t - end) / r->h_last;
    return left < 0.1 / r->side.parts ? r->t : end;
}

static daedal_status take_substep(radau *r)
{
    radau *s = r->side.instance;
    bool far = false;
    double end = end_of_substep(r), h_before = s->h_last;
    s->h = end - s->t;
    radau_weigh(s);
    newton_outcome outcome = solve(r, end);
    if (outcome == NEWTON_SLOW) { /* with new matrices if the old ones fail */
        s->newton.renewal = RENEW_HERE;
        r->newton.renewal = r->newton.renewal == RENEW_NOTHING ? RENEW : r->newton.renewal;
        outcome = solve(r, end);
    }
    if (outcome == NEWTON_STOP)
        return DAEDAL_STOPPED;
    daedal_status status = DAEDAL_OK;
    if (outcome == NEWTON_DONE)
        status = radau_land(s, end, &far);
    r->side.failed = outcome != NEWTON_DONE || far;
    s->h_prev = h_before;
    s->steps_done++;
    return status;
}

/* End the substep at t, because its interpolant is not better than that of the long step, as
 * happens in stiff components.  The next substeps are shorter.                           */
static daedal_status end_at(radau *r, double t)
{
    radau *s = r->side.instance;
    bool done = false;
    if (s->t == t || radau_interpolation_error(s, t, false) <= 1.0)
        return DAEDAL_OK;
    r->newton.renew_factors = true;
    r->side.parts = r->side.parts < SUBSTEPS_MOST ? 2 * r->side.parts : SUBSTEPS_MOST;
    return radau_shorten_step(s, t, &done);
}

/* Interpolate in a substep.  Errors of its beginning reach variables of index 3, and algebraic
 * ones of index 2, divided by powers of the step size, so that these are taken from the polynomial
 * of the long step.  Velocities are taken from the substep: the part that constraints leave free is
 * as accurate as at steps, and the rest is corrected afterwards.          */
static void interpolate_side(radau *r, double t, double *y, double *yp)
{
    radau_interpolate(r->side.instance, t, y, yp);
    if (!r->has_high_index)
        return;
    radau_interpolate(r, t, r->work, r->err);
    for (int32_t j = 0; j < r->n; j++)
        if (r->in.variable_index[j] > 2 ||
            (r->in.variable_index[j] == 2 && !r->in.is_differential[j])) {
            y[j] = r->work[j];
            yp[j] = r->err[j];
        }
}

daedal_status radau_step_inside(void *self, double t, double *y, double *yp, bool *done)
{
    radau *r = self;
    daedal_status status = DAEDAL_OK;
    double h_last = r->in.stats->h_last;
    *done = false;
    if (!has_begun(r, t))
        RETURN_UNLESS_OK(begin_side(r));
    const radau *s = r->side.instance;
    while (status == DAEDAL_OK && !r->side.failed && (t - s->t) / r->h_last > 0.0)
        status = take_substep(r);
    if (status == DAEDAL_OK && !r->side.failed)
        status = end_at(r, t);
    r->in.stats->h_last = h_last;
    *done = status == DAEDAL_OK && !r->side.failed;
    if (*done)
        interpolate_side(r, t, y, yp);
    return status;
}
