/* solver/step_interior.c - see run.h: what a step may have missed between its points.
 *
 * A method evaluates F at a few points of a step.  It does not see a forcing that is aliased by
 * these points, a pulse between them, or a corner for which the error estimate happens to be small.
 * Therefore F is evaluated once more inside an accepted step, at the values of the dense output.
 * The defect of the step is this residual, divided by the change of F that a change of y by its
 * tolerances causes.  While the solution is resolved, the defect varies little from step to step,
 * although its size depends on the method and the tolerance.  If it is suddenly many times as large
 * as in the last steps, the step is taken again in two halves, provided that the method can do
 * that. If the defects of both halves are far smaller, the solution is smooth and the run goes on
 * as before.  Otherwise, and with other methods, the step is taken again with a quarter of its
 * size, then with a sixteenth of that, and so on: the period of an aliased forcing may be shorter
 * than the step by many orders of magnitude.  The next steps grow only as far as their defects are
 * likely to be accepted.
 *
 * After a corner, steps grow fast; a step that has grown fast is checked in more places.  Where a
 * corner came some time after another one, the next may come after as long a time: a step that is
 * longer than a third of the shortest of these times is checked in places as close as that.
 *
 * While a solution is at rest, steps grow without limit, and no error test foresees a forcing that
 * begins later: then F is evaluated at times whose distance is a share of the time since the rest
 * began, and of the run up to the output time.
 *
 * The corners of models are known (corner_steps.c), except inside functions that run as they are.
 * Therefore only those steps of other models are checked that are longer than all steps before; the
 * same holds for rodas.  The dense output of
 * dopri costs further calls of F, and is evaluated only if its two error estimates disagree.  Steps
 * of BDF are checked only at rest, because its next steps use the values between its points.
 *
 * In systems of a high index the dense output of multipliers is rough, so that defects say little,
 * and the error test of velocities is loose.  There F is compared with itself at other times, with
 * y and y' of the end of the step: a force that is no parabola of time in the step is not resolved.
 */
#include <math.h>
#include <string.h>

#include "base/choices.h"
#include "base/status.h"
#include "integ/limiters.h"
#include "linalg/vector.h"
#include "solver/run.h"

enum { RETAKES_MAX = 6, PLACES_MAX = 40 };
/* Defects are in units of the tolerances. */
static const double SMALL = 300.0;      /* a defect that is always accepted */
static const double SUDDEN = 20.0;      /* limit over the last defects, if a step can be halved */
static const double VERY_SUDDEN = 50.0; /* the same if the step must be rejected as a whole */
static const double FIRST = 300.0;      /* limit if the defect of earlier steps is not known */
static const double CLOSER = 0.2;       /* factor of these limits after F was found not smooth */
static const double SHARE = 0.25;       /* first factor of the size of a step that is taken again */
static const double FADING = 0.7;       /* factor of the remembered defect from check to check */
static const double FORCE = 60.0;       /* misfit of a force of time that is accepted */
static const double AWAKE = 10.0;       /* factor of SMALL while the solution leaves its rest */

void run_begin_interior(run *r)
{
    r->limits.interior = (run_interior){.defect = NAN,
                                        .half_from = NAN,
                                        .t_rest = NAN,
                                        .t_corner = NAN,
                                        .gap = NAN,
                                        .t_reach = NAN,
                                        .method = r->now.method};
}

/* If many checks find a sudden change, the defect is no measure of the resolution. */
static bool is_reliable(const run_interior *in)
{
    enum { SOME = 5 };
    return in->found <= SOME || 2 * (int64_t)in->found < in->checks;
}

/* The events and corners of models are known. */
static bool is_model(const run *r)
{
    return (r->after_step.call || r->limits.corners_are_known) &&
           !r->limits.corner_of.is_incomplete;
}

/* After a corner, steps are short and grow fast; such a step may be longer than the distance of two
 * corners. */
static bool has_grown(const run *r, const integ_view *v)
{
    const double fast = 2.0;
    return fabs(v->t - v->t_before) > fast * r->limits.interior.before;
}

/* Whether a step of this method and size is to be checked; is_checked() also asks whether the
 * equations allow it. */
static bool is_candidate(const run *r, const integ_view *v)
{
    bool is_longest = fabs(v->t - v->t_before) > 1.5 * r->limits.interior.longest;
    switch (r->now.method) {
    case METHOD_DOPRI:
        return v->is_doubtful && !is_model(r);
    case METHOD_LIMEX:
        return !is_model(r);
    case METHOD_RADAU:
        return is_longest || !is_model(r);
    default:
        return r->now.method == METHOD_RODAS && (is_longest || (!is_model(r) && has_grown(r, v)));
    }
}

static bool is_checked(const run *r, const integ_view *v)
{
    return is_candidate(r, v) && is_reliable(&r->limits.interior) && r->matrix_ready &&
           !r->matrix.inexact && r->constraints.n_levels == 0 && !run_has_high_index(r);
}

/* A place in the middle of the step, as a share of the step; another one for each check. */
static double place_inside(const run *r)
{
    const double golden = 0.61803398874989485;
    double x = (double)r->limits.interior.checks * golden;
    return 0.3 + 0.4 * (x - floor(x));
}

/* Scale of the residuals of an explicit method, which has no matrix, into r->work: the change of F
 * if y' changes so that y changes by its tolerance in the step; NAN if F has no value there. */
static void scale_by_slopes(run *r, const integ_view *v, const double *at_end)
{
    double h = v->t - v->t_before;
    for (int32_t i = 0; i < r->n; i++)
        r->yp_before[i] = v->yp[i] + 1.0 / (h * r->inverse_weight[i]);
    bool is_defined =
        evaluator_residual(&r->ev, v->t, v->y, r->yp_before, r->work) == DAEDAL_CALL_OK;
    for (int32_t i = 0; i < r->n; i++)
        r->work[i] = is_defined ? fabs(r->work[i] - at_end[i]) : NAN;
}

/* Defect of an explicit method: the derivatives by F minus those of the dense output, times h. */
static double defect_of_slopes(run *r, double t, double h)
{
    double *yp = r->work, most = 0.0;
    memcpy(yp, r->yp_before, (size_t)r->n * sizeof(double));
    r->method->correct_slopes(r->integrator, t, r->y_before, yp);
    for (int32_t i = 0; i < r->n; i++)
        most = larger_of(most, fabs(h * (yp[i] - r->yp_before[i])) * r->inverse_weight[i]);
    return most;
}

/* Sets the scales by which the defects of a step are divided. */
static void set_scales(run *r, const integ_view *v)
{
    weights_inverse(&r->tolerances, v->y, r->inverse_weight);
    if (r->now.method != METHOD_DOPRI)
        run_scale_of_equations(r, fabs(v->t - v->t_before), r->work);
}

/* The defect at a place of the step, given as a share of it; NAN if F has no value there. */
static double defect_at(run *r, const integ_view *v, double place)
{
    double t = v->t_before + place * (v->t - v->t_before);
    double *f = r->start.work.r, most = 0.0; /* idle between starts */
    r->method->interpolate(r->integrator, t, r->y_before, r->yp_before);
    if (r->now.method == METHOD_DOPRI)
        return defect_of_slopes(r, t, v->t - v->t_before);
    if (evaluator_residual(&r->ev, t, r->y_before, r->yp_before, f) != DAEDAL_CALL_OK)
        return NAN;
    for (int32_t i = 0; i < r->n; i++)
        if (r->work[i] > 0.0)
            most = larger_of(most, fabs(f[i]) / r->work[i]);
    return most;
}

/* The end of the run, as far as it is known. */
static double end_of_run(const run *r)
{
    return isnan(r->limits.t_stop) ? r->limits.interior.t_out : r->limits.t_stop;
}

/* Whether the step may be longer than the distance of two corners: F is known to have some, or the
 * step is the first one that is a large part of the run.  The corners of models are known. */
static bool needs_more_places(const run *r, const integ_view *v)
{
    const double large = r->now.method == METHOD_LIMEX ? 1.0 / 32.0 : 1.0 / 200.0;
    double length = fmax(fabs(end_of_run(r) - r->start.t_begun), fabs(v->t - r->start.t_begun));
    bool is_long = fabs(v->t - v->t_before) > large * length;
    bool has_corners = r->limits.interior.found > 0 && r->now.method != METHOD_LIMEX;
    return has_grown(r, v) && ((is_long && !is_model(r)) || has_corners);
}

/* By how much larger the defects of a smooth solution may be near the ends of a step. */
static double roughness_of_output(const run *r)
{
    return r->now.method == METHOD_LIMEX ? 10.0 : 1.0;
}

static double defect_inside(run *r, const integ_view *v)
{
    static const double more[] = {0.12, 0.78, 0.97};
    set_scales(r, v);
    double defect = defect_at(r, v, place_inside(r));
    if (r->now.method == METHOD_DOPRI || !needs_more_places(r, v))
        return defect;
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        double other = defect_at(r, v, more[k]) / roughness_of_output(r);
        defect = defect <= other ? other : defect;
    }
    return defect;
}

static void count_again(run *r, const integ_view *v)
{
    r->stats.rejected_error++;
    r->now.evidence.rejected_seen++; /* this rejection is no evidence against the method */
    limiters_count(&r->limiters, r->limiters.rejected_error, v->worst);
}

static daedal_status take_again(run *r, const integ_view *v, double share)
{
    double h = share * (v->t - v->t_before), t = v->t_before;
    r->method->interpolate(r->integrator, t, r->y_before, r->yp_before);
    run_begin_method_before(r, t, h);
    count_again(r, v);
    return r->method->step(r->integrator, t + h);
}

/* Steps of models end at their corners and are rejected as a whole. */
static bool can_be_halved(const run *r)
{
    return r->method->shorten_step && !r->after_step.call;
}

/* The largest defect of a step that is accepted: a multiple of that of the last steps, or that of a
 * step that was found smooth.  Of an explicit method only doubtful steps are checked, so that the
 * defect is known if there was one right before.  After several steps had to be taken again F is
 * not smooth, and the limit is smaller for the rest of the run. */
static double limit_of(const run *r)
{
    enum { SMOOTH = 2 };
    const run_interior *in = &r->limits.interior;
    if (isnan(in->defect))
        return FIRST;
    if (r->now.method == METHOD_DOPRI)
        return fmax(FIRST, VERY_SUDDEN * in->defect);
    double closer = in->found > SMOOTH ? CLOSER : 1.0;
    double sudden = can_be_halved(r) ? SUDDEN : VERY_SUDDEN;
    return fmax(fmax(closer * SMALL, closer * sudden * in->defect), in->smooth);
}

/* The larger one of the defects at two places, since one may be small by chance. */
static double defect_of_half(run *r, const integ_view *v)
{
    double first = defect_inside(r, v);
    r->limits.interior.checks++;
    double second = defect_inside(r, v);
    r->limits.interior.checks++;
    return first <= second ? second : first;
}

/* The largest defect of a half that shows a smooth solution.  With s stages, the defect of a smooth
 * solution is proportional to h^(s + 2), at a corner to h^2, and that of an aliased forcing does
 * not fall with h.  The power s + 1 separates the first from the others; the limit of whole steps
 * holds as well.                                                                               */
static double limit_of_halves(const run *r, double of_whole)
{
    double stages = 0.5 * (r->stats.order_last + 1), reduction = exp2(-stages - 1.0);
    double smooth = fmin(reduction * of_whole, limit_of(r));
    return fmax(CLOSER * SMALL, fmax(r->limits.interior.defect, smooth));
}

/* Takes the first half of the step, with as many stages as the step; the second half is the next
 * step (run_limit_at_half).  *is_accepted: the defect of the first half is below its limit.
 * Otherwise *v is the step whose defect is too large.                              */
static daedal_status take_first_half(run *r, integ_view *v, double *defect, bool *is_accepted)
{
    run_interior *in = &r->limits.interior;
    const double end = v->t, of_whole = *defect, limit = limit_of_halves(r, of_whole);
    bool cut = false;
    *is_accepted = false;
    if (!can_be_halved(r) || isnan(in->defect))
        return DAEDAL_OK;
    RETURN_UNLESS_OK(r->method->shorten_step(r->integrator, 0.5 * (v->t_before + end), &cut));
    if (!cut)
        return DAEDAL_OK;
    count_again(r, v);
    *v = r->method->view(r->integrator);
    *defect = defect_of_half(r, v);
    *is_accepted = *defect <= limit;
    if (*is_accepted) {
        in->half_from = v->t;
        in->half_to = end;
        in->half_limit = limit;
        in->of_whole = of_whole;
    }
    return DAEDAL_OK;
}

double run_limit_at_half(const run *r, double limit)
{
    const run_interior *in = &r->limits.interior;
    if (isnan(in->half_from) && isnan(in->t_reach))
        return limit;
    double t = r->method->view(r->integrator).t;
    bool waits = t == in->half_from, grows = (in->t_reach - t) * r->limits.direction > 0.0;
    if (waits && (limit - in->half_to) * r->limits.direction > 0.0)
        limit = in->half_to;
    return grows && (limit - in->t_reach) * r->limits.direction > 0.0 ? in->t_reach : limit;
}

/* The error test, which has not seen why a step had to be taken again, soon asks for a step of the
 * same size.  Until such a step is accepted the next one grows only as far as its defect is likely
 * to be accepted: that of a smooth solution is proportional to h^(s + 2) with s stages.        */
static void limit_growth(run *r, const integ_view *v, double defect)
{
    const double aim = 0.5, least = 1.2; /* share of the limit; growth */
    run_interior *in = &r->limits.interior;
    const double h = v->t - v->t_before, power = 0.5 * (r->stats.order_last + 5);
    in->refused = fabs(h) < in->refused ? in->refused : 0.0;
    in->t_reach = NAN;
    if (in->refused == 0.0 || !(defect > 0.0))
        return;
    double growth = fmax(pow(aim * limit_of(r) / defect, 1.0 / power), least);
    if (growth * fabs(h) < in->refused)
        in->t_reach = v->t + growth * h;
}

/* Takes a step again, and shorter, until its defect is accepted. */
static daedal_status refine(run *r, integ_view *v, double *defect, bool is_second_half)
{
    double share = SHARE, limit = is_second_half ? r->limits.interior.half_limit : limit_of(r);
    const double size = fabs(v->t - v->t_before);
    bool is_accepted = !(*defect > limit);
    if (is_accepted && is_second_half)
        r->limits.interior.smooth = r->limits.interior.of_whole;
    if (!is_accepted && !is_second_half)
        RETURN_UNLESS_OK(take_first_half(r, v, defect, &is_accepted));
    if (is_accepted)
        return DAEDAL_OK;
    r->limits.interior.found++;
    r->limits.interior.refused = size;
    for (int k = 0; k < RETAKES_MAX && limit < *defect; k++, share *= SHARE) {
        RETURN_UNLESS_OK(take_again(r, v, share));
        *v = r->method->view(r->integrator);
        *defect = defect_inside(r, v);
        limit = fmax(CLOSER * SMALL, r->limits.interior.defect);
    }
    return DAEDAL_OK;
}

/* ---- between corners ---- */

/* A step that had to be far shorter than the one before shows a corner of F, unless it is one of
 * several that approach the same corner. */
static void note_corner(run *r, const integ_view *v)
{
    enum { APART = 4 };
    const double far_shorter = 0.1, fading = 1.3;
    run_interior *in = &r->limits.interior;
    double h = fabs(v->t - v->t_before);
    in->since++;
    if (h < far_shorter * in->before && r->stats.rejected_error > in->rejected) {
        double gap = fabs(v->t_before - (isnan(in->t_corner) ? r->start.t_begun : in->t_corner));
        if (in->since > APART && gap > 0.0)
            in->gap = isnan(in->gap) ? gap : fmin(gap, fading * in->gap);
        in->t_corner = v->t_before;
        in->since = 0;
    }
    in->rejected = r->stats.rejected_error;
}

/* The share of the step in which F shows no corner, or 1. */
static double smooth_share(run *r, const integ_view *v, double distance)
{
    double limit = limit_of(r) * roughness_of_output(r), last = 0.0;
    double step = fmax(distance / fabs(v->t - v->t_before), 1.0 / PLACES_MAX);
    set_scales(r, v);
    for (double place = 0.5 * step; place < 1.0; place += step) {
        if (defect_at(r, v, place) > limit)
            return last > 0.0 ? last : fmin(SHARE, place);
        last = place;
    }
    return 1.0;
}

/* Corners that came at some distance may come again: a step that is as long is shortened to the
 * part before the next one. */
static daedal_status check_between_corners(run *r, integ_view *v)
{
    const double share_of_gap = 1.0 / 3.0, longer = 1.2;
    run_interior *in = &r->limits.interior;
    bool is_checked = r->now.method != METHOD_BDF && r->now.method != METHOD_BDF_CLASSIC &&
                      !run_has_high_index(r);
    double distance = is_checked ? share_of_gap * in->gap : NAN;
    for (int k = 0; k < RETAKES_MAX && fabs(v->t - v->t_before) > distance; k++) {
        double share = smooth_share(r, v, distance);
        if (share == 1.0) {
            in->gap *= longer;
            return DAEDAL_OK;
        }
        in->found++;
        RETURN_UNLESS_OK(take_again(r, v, share));
        *v = r->method->view(r->integrator);
    }
    return DAEDAL_OK;
}

/* ---- forces of systems of a high index ---- */

/* F at a place of the step, with y and y' of its end; false if it has no value there. */
static bool force_at(run *r, const integ_view *v, double place, double *f)
{
    double t = place == 1.0 ? v->t : v->t_before + place * (v->t - v->t_before);
    return evaluator_residual(&r->ev, t, v->y, v->yp, f) == DAEDAL_CALL_OK;
}

/* By how much F at a place differs from the parabola through its values at the beginning, a place
 * inside and the end, if that is a large part of how much F varies at all; in units of the
 * tolerances. */
static double misfit_at(const run *r, double inside, double place, const double *const f[4])
{
    const double large = 0.25;
    const double first = (place - inside) * (place - 1.0) / inside;
    const double middle = place * (1.0 - place) / (inside * (1.0 - inside));
    double most = 0.0;
    for (int32_t i = 0; i < r->n; i++) {
        double a = f[0][i], b = f[1][i], c = f[2][i], here = f[3][i];
        double off = fabs(here - first * a - middle * b - (1.0 - first - middle) * c);
        double least = fmin(fmin(a, b), fmin(c, here)), top = fmax(fmax(a, b), fmax(c, here));
        if (r->work[i] > 0.0 && off > large * (top - least))
            most = fmax(most, off / r->work[i]);
    }
    return most;
}

/* The largest of these values, in units of the tolerances. */
static double largest_force(const run *r, const double *f)
{
    double most = 0.0;
    for (int32_t i = 0; i < r->n; i++)
        if (r->work[i] > 0.0)
            most = fmax(most, fabs(f[i]) / r->work[i]);
    return most;
}

/* Scales of the equations with y', and 0 for the others: values that constraints prescribe may
 * jump, which shorter steps do not change. */
static void set_scales_of_forces(run *r, const integ_view *v, double *of_y)
{
    const double more = 1.0 + 1e-12;
    set_scales(r, v);
    run_scale_of_equations(r, HUGE_VAL, of_y);
    for (int32_t i = 0; i < r->n; i++)
        r->work[i] = r->work[i] > more * of_y[i] ? r->work[i] : 0.0;
}

/* The largest misfit of F as a function of time alone in the step.  Where F is at the beginning
 * what it is at the end, namely zero, this mostly costs one call. */
static double misfit_of_forces(run *r, const integ_view *v)
{
    enum { SELDOM = 4 };
    const start_workspace *idle = &r->start.work; /* between starts */
    double *f[4] = {idle->r, idle->dy, idle->dyp, idle->dy_next}, most = 0.0;
    const double *const values[4] = {f[0], f[1], f[2], f[3]};
    const double at[] = {0.0, place_inside(r), 1.0}, checked[] = {0.25, 0.75};
    set_scales_of_forces(r, v, f[0]);
    bool is_still = true;
    for (int k = 0; k < 3; k++) {
        if (!force_at(r, v, at[k], f[k]))
            return 0.0;
        is_still = is_still && largest_force(r, f[k]) < FORCE;
        if (is_still && (k == 1 || r->limits.interior.checks % SELDOM != 0))
            return 0.0;
    }
    for (int k = 0; k < 2; k++) {
        if (!force_at(r, v, checked[k], f[3]))
            return 0.0;
        most = fmax(most, misfit_at(r, at[1], checked[k], values));
    }
    return most;
}

/* The error test of variables of a high index is loose.  Forces of time alone that vary faster than
 * the step resolves show in F itself. */
static daedal_status check_forces(run *r, integ_view *v)
{
    enum { RETAKES = 8 };
    const double share = 0.25;
    if (!run_has_high_index(r))
        return DAEDAL_OK;
    r->limits.interior.checks++;
    for (int k = 0; k < RETAKES && misfit_of_forces(r, v) > FORCE; k++) {
        RETURN_UNLESS_OK(take_again(r, v, share));
        *v = r->method->view(r->integrator);
    }
    return DAEDAL_OK;
}

/* ---- at rest ---- */

static const double LITTLE = 0.01; /* of a tolerance */

/* Whether y' changes some unknown by more than LITTLE of its tolerance.  It holds in most steps and
 * costs no division; is_at_rest() is exact. */
static bool is_moving(const run *r, const integ_view *v)
{
    const weights *w = &r->tolerances;
    const double h = v->t - v->t_before;
    for (int32_t i = 0; i < r->n && !w->allows_noise; i++)
        if (fabs(h * v->yp[i]) > LITTLE * (w->rtol[i] * fabs(v->y[i]) + w->atol[i]))
            return true;
    return false;
}

/* Whether the last step has changed y by far less than its tolerances. */
static bool is_at_rest(run *r, const integ_view *v)
{
    double most = 0.0;
    if (is_moving(r, v))
        return false;
    weights_inverse(&r->tolerances, v->y, r->inverse_weight);
    for (int32_t i = 0; i < r->n && most <= LITTLE; i++)
        most = larger_of(most, fabs((v->t - v->t_before) * v->yp[i]) * r->inverse_weight[i]);
    if (most > LITTLE) /* before an interpolation, which may cost calls of F */
        return false;
    r->method->interpolate(r->integrator, v->t_before, r->y_before, r->yp_before);
    for (int32_t i = 0; i < r->n && most <= LITTLE; i++)
        most = larger_of(most, fabs(v->y[i] - r->y_before[i]) * r->inverse_weight[i]);
    return most <= LITTLE;
}

/* The change of F with time alone, from the end of the step to t, divided by the scales in r->work.
 */
static double change_with_time(run *r, const integ_view *v, const double *at_end, double t)
{
    double *f = r->start.work.dy, most = 0.0;
    if (evaluator_residual(&r->ev, t, v->y, v->yp, f) != DAEDAL_CALL_OK)
        return HUGE_VAL;
    for (int32_t i = 0; i < r->n; i++)
        if (r->work[i] > 0.0)
            most = fmax(most, fabs(f[i] - at_end[i]) / r->work[i]);
    return most;
}

/* Whether F is compared with itself at another time.  The dense output of dopri costs further calls
 * of F, and that of multipliers is rough. */
static bool compares_times(const run *r)
{
    return r->now.method == METHOD_DOPRI || run_has_high_index(r);
}

static double rest_defect(run *r, const integ_view *v, const double *at_end, double place)
{
    if (!compares_times(r))
        return defect_at(r, v, place);
    return change_with_time(r, v, at_end, v->t_before + place * (v->t - v->t_before));
}

/* From one place at which F is evaluated to the next, as shares of the step: a share of the time
 * since the rest began, and of the run up to the output time.  How far the run goes beyond that is
 * not known. */
static double distance_of_looks(const run *r, const integ_view *v, double place)
{
    const double dense = 1.0 / 24.0, denser = 1.0 / 48.0, of_run = 1.0 / 150.0, least = 1.0 / 400.0;
    const double h = v->t - v->t_before, end = end_of_run(r);
    const double rested = fmax((v->t_before - r->limits.interior.t_rest) / h, 0.0) + place;
    bool is_known = (end - v->t_before) / h > place;
    double even = fmax(of_run * (end - r->start.t_begun) / h, least);
    return is_known ? fmin(dense * fmax(rested, dense), even) : denser * fmax(rested, denser);
}

/* The share of the step over which F stays as it was, or 1. */
static double quiet_share(run *r, const integ_view *v)
{
    const double first = 2.0, allowed = r->limits.interior.awake > 0 ? AWAKE * SMALL : SMALL;
    bool begins = v->t_before == r->limits.interior.t_rest;
    double last = 0.0, place = 0.5 * distance_of_looks(r, v, begins ? 1.0 : 0.0);
    double *at_end = r->start.work.r;
    set_scales(r, v);
    if (compares_times(r)) {
        if (evaluator_residual(&r->ev, v->t, v->y, v->yp, at_end) != DAEDAL_CALL_OK)
            return 1.0;
        if (r->now.method == METHOD_DOPRI)
            scale_by_slopes(r, v, at_end);
    }
    while (place < 1.0) {
        if (!(rest_defect(r, v, at_end, place) <= allowed))
            return last > 0.0 ? last : fmin(first * place, 0.5);
        last = place;
        place += distance_of_looks(r, v, place);
    }
    return 1.0;
}

/* Whether the solution rests, or did so until a few steps ago. */
static bool note_rest(run *r, const integ_view *v)
{
    enum { STEPS_AWAKE = 6 };
    run_interior *in = &r->limits.interior;
    bool rests = is_at_rest(r, v);
    in->awake = rests ? 0 : in->awake + 1;
    if (rests && isnan(in->t_rest))
        in->t_rest = v->t_before;
    if (in->awake > STEPS_AWAKE)
        in->t_rest = NAN;
    return !isnan(in->t_rest);
}

/* Shortens a step of a solution at rest to the part before time ends the rest. */
static daedal_status check_rest(run *r, integ_view *v)
{
    bool rests = note_rest(r, v);
    for (int k = 0; k < RETAKES_MAX && rests; k++) {
        double share = quiet_share(r, v);
        if (share == 1.0)
            return DAEDAL_OK;
        RETURN_UNLESS_OK(take_again(r, v, share));
        *v = r->method->view(r->integrator);
    }
    return DAEDAL_OK;
}

/* Steps of models at rest are not checked: their events and corners are known, and many of them
 * rest in between. */
static bool may_rest(const run *r)
{
    bool has_known_corners = r->after_step.call || r->limits.corners_are_known;
    bool knows_scale = r->now.method == METHOD_DOPRI || (r->matrix_ready && !r->matrix.inexact);
    return knows_scale && !has_known_corners && r->constraints.n_levels == 0;
}

daedal_status run_look_inside_step(run *r, double t_out)
{
    run_interior *in = &r->limits.interior;
    if (in->method != r->now.method) {
        double gap = in->gap, t_corner = in->t_corner;
        run_begin_interior(r);
        in->gap = gap;
        in->t_corner = t_corner;
    }
    in->t_out = t_out;
    integ_view v = r->method->view(r->integrator);
    if (may_rest(r)) {
        evaluator_forget_order(&r->ev);
        RETURN_UNLESS_OK(check_rest(r, &v));
        RETURN_UNLESS_OK(check_between_corners(r, &v));
        RETURN_UNLESS_OK(check_forces(r, &v));
        note_corner(r, &v);
        RETURN_UNLESS_OK(evaluator_obey(&r->ev, &r->why, DAEDAL_OK));
    }
    if (!is_checked(r, &v)) {
        in->before = fabs(v.t - v.t_before);
        in->t_reach = NAN;
        in->defect = r->now.method == METHOD_DOPRI ? NAN : in->defect;
        return DAEDAL_OK;
    }
    bool is_second_half = v.t_before == in->half_from;
    in->half_from = NAN;
    evaluator_forget_order(&r->ev);
    double defect = is_second_half ? defect_of_half(r, &v) : defect_inside(r, &v);
    in->checks++;
    RETURN_UNLESS_OK(evaluator_obey(&r->ev, &r->why, DAEDAL_OK));
    in->smooth *= FADING;
    RETURN_UNLESS_OK(refine(r, &v, &defect, is_second_half));
    RETURN_UNLESS_OK(evaluator_obey(&r->ev, &r->why, DAEDAL_OK));
    if (!isnan(defect))
        in->defect = isnan(in->defect) ? defect : fmax(defect, FADING * in->defect);
    limit_growth(r, &v, defect);
    in->longest = fmax(in->longest, fabs(v.t - v.t_before));
    in->before = fabs(v.t - v.t_before);
    return DAEDAL_OK;
}
