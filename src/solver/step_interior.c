/* solver/step_interior.c - see run.h: what a step may have missed between its points.
 *
 * A method knows F at a few points of a step.  A forcing that is aliased by them, a pulse between
 * them, or a corner for which the error estimate happens to be small goes unseen.  So F is called
 * once more inside an accepted step, with the values of the dense output there.  What it leaves,
 * relative to what y within its tolerances makes of it, is the defect of the step.  It varies
 * little from step to step as long as the solution is resolved, although its size depends on the
 * method and the tolerance.  Where it is suddenly many times as large as it was lately the step is
 * taken again in two halves, where the method can do that.  If both leave far less the solution is
 * smooth, and the run goes on as before.  Otherwise, and with other methods, the step is taken
 * again in a quarter of its size, then in a sixteenth of that and so on: what is aliased may be
 * shorter than the step by many orders of magnitude.
 *
 * After a corner steps grow fast, and those that do are looked at in more places.  While a solution
 * rests steps become as long as one likes, and no error test sees what time will do: then F is
 * asked at times whose distance is a part of the time since the rest began.
 *
 * The corners of models are known (corner_steps.c): of them only steps that are longer than all
 * those before are looked at, and so are those of rodas.  Dense output of dopri costs further calls
 * of F: it is asked where its two error estimates say different things.  BDF sees what lies between
 * its points in the next ones.
 */
#include <math.h>
#include <string.h>

#include "base/choices.h"
#include "base/status.h"
#include "integ/limiters.h"
#include "linalg/vector.h"
#include "solver/run.h"

enum { RETAKES_MAX = 6 };
static const double SMALL = 300.0; /* tolerances: no reason to look closer */
static const double SUDDEN = 20.0; /* times the defects of the last steps, where halves tell more */
static const double VERY_SUDDEN = 50.0; /* the same where the step has to be given up */
static const double FIRST = 300.0;      /* tolerances, where no step was before */
static const double CLOSER = 0.2;       /* of these limits, where F is not smooth */
static const double SHARE = 0.25;       /* of a step that is taken again        */
static const double FADING = 0.7;       /* of a defect, from look to look       */
static const double AWAKE = 10.0;       /* times SMALL, where the solution begins to move       */

void run_begin_interior(run *r)
{
    r->limits.interior =
        (run_interior){.defect = NAN, .half_from = NAN, .t_rest = NAN, .method = r->now.method};
}

/* Where many steps are unlike those before, the defect says nothing. */
static bool is_of_use(const run_interior *in)
{
    enum { SOME = 5 };
    return in->found <= SOME || 2 * (int64_t)in->found < in->looks;
}

/* After a corner steps are short and grow fast; those that do may be longer than what lies between
 * two corners. */
static bool has_grown(const run *r, const integ_view *v)
{
    const double fast = 2.0;
    return fabs(v->t - v->t_before) > fast * r->limits.interior.before;
}

/* By the method and the step; whether the equations allow it is asked then. */
static bool is_candidate(const run *r, const integ_view *v)
{
    bool is_model = r->after_step.call || r->limits.corners_are_known;
    bool is_longest = fabs(v->t - v->t_before) > 1.5 * r->limits.interior.longest;
    switch (r->now.method) {
    case METHOD_DOPRI:
        return v->is_doubtful && !is_model;
    case METHOD_LIMEX:
        return !is_model;
    case METHOD_RADAU:
        return is_longest || !is_model;
    default:
        return r->now.method == METHOD_RODAS && (is_longest || (!is_model && has_grown(r, v)));
    }
}

static bool is_looked_at(const run *r, const integ_view *v)
{
    return is_candidate(r, v) && is_of_use(&r->limits.interior) && r->matrix_ready &&
           !r->matrix.inexact && r->constraints.n_levels == 0 && !run_has_high_index(r);
}

/* A place in the middle of the step, another part of it each time. */
static double place_inside(const run *r)
{
    const double golden = 0.61803398874989485;
    double x = (double)r->limits.interior.looks * golden;
    return 0.3 + 0.4 * (x - floor(x));
}

/* What F makes of slopes that change y by its tolerance in a step, into r->work; NAN where it has
 * no value.  Of an explicit method, which has no matrix. */
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

/* Of an explicit method: the slopes there compared with those of the dense output. */
static double defect_of_slopes(run *r, double t, double h)
{
    double *yp = r->work, most = 0.0;
    memcpy(yp, r->yp_before, (size_t)r->n * sizeof(double));
    r->method->correct_slopes(r->integrator, t, r->y_before, yp);
    for (int32_t i = 0; i < r->n; i++)
        most = larger_of(most, fabs(h * (yp[i] - r->yp_before[i])) * r->inverse_weight[i]);
    return most;
}

/* Before defects of a step: what they are measured by. */
static void measure_step(run *r, const integ_view *v)
{
    weights_inverse(&r->tolerances, v->y, r->inverse_weight);
    if (r->now.method != METHOD_DOPRI)
        run_scale_of_equations(r, fabs(v->t - v->t_before), r->work);
}

/* At a part of the step; NAN where F has no value. */
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

/* F is not smooth, and the step may be longer than what lies between two corners. */
static bool needs_more_places(const run *r, const integ_view *v)
{
    return r->limits.interior.found > 0 && has_grown(r, v) && r->now.method != METHOD_LIMEX;
}

static double defect_inside(run *r, const integ_view *v)
{
    static const double more[] = {0.12, 0.78, 0.97};
    measure_step(r, v);
    double defect = defect_at(r, v, place_inside(r));
    if (r->now.method == METHOD_DOPRI || !needs_more_places(r, v))
        return defect;
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        double other = defect_at(r, v, more[k]);
        defect = defect <= other ? other : defect;
    }
    return defect;
}

static void count_again(run *r, const integ_view *v)
{
    r->stats.rejected_error++;
    r->now.evidence.rejected_seen++; /* it says nothing of the method */
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

/* Steps of models end at their corners, and are given up. */
static bool can_be_halved(const run *r)
{
    return r->method->shorten_step && !r->after_step.call;
}

/* What a step may leave: no more than one that was smooth, or some times what is usual.  Where an
 * explicit method doubts a step little is known of those before. Where steps had to be taken again
 * more than once F is not smooth, and the rest of the run is looked at more closely. */
static double limit_of(const run *r)
{
    enum { SMOOTH = 2 };
    const run_interior *in = &r->limits.interior;
    if (r->now.method == METHOD_DOPRI || isnan(in->defect))
        return FIRST;
    double closer = in->found > SMOOTH ? CLOSER : 1.0;
    double sudden = can_be_halved(r) ? SUDDEN : VERY_SUDDEN;
    return fmax(fmax(closer * SMALL, closer * sudden * in->defect), in->smooth);
}

/* The larger one of two, since one may be small by chance. */
static double defect_of_half(run *r, const integ_view *v)
{
    double first = defect_inside(r, v);
    r->limits.interior.looks++;
    double second = defect_inside(r, v);
    r->limits.interior.looks++;
    return first <= second ? second : first;
}

/* What a step of s stages leaves of a smooth solution falls with the power s + 2 of its size, what
 * it leaves of a corner with the second power, and what it leaves of an aliased forcing not at all.
 * Between the first two lies s + 1: what both halves may leave at most, if that is less than any
 * step may.  Where no step was before nothing is known.                                  */
static double enough_of_halves(const run *r, double of_whole)
{
    double stages = 0.5 * (r->stats.order_last + 1), falls = exp2(-stages - 1.0);
    double smooth = fmin(falls * of_whole, limit_of(r));
    return fmax(CLOSER * SMALL, fmax(r->limits.interior.defect, smooth));
}

/* The first half has as many stages as the step, and so has the second, which is the next step
 * (run_limit_at_half).  *is_open: the first leaves little enough.  Otherwise *v is what leaves too
 * much.                                                                           */
static daedal_status take_first_half(run *r, integ_view *v, double *defect, bool *is_open)
{
    run_interior *in = &r->limits.interior;
    const double end = v->t, of_whole = *defect, enough = enough_of_halves(r, of_whole);
    bool cut = false;
    *is_open = false;
    if (!can_be_halved(r) || isnan(in->defect))
        return DAEDAL_OK;
    RETURN_UNLESS_OK(r->method->shorten_step(r->integrator, 0.5 * (v->t_before + end), &cut));
    if (!cut)
        return DAEDAL_OK;
    count_again(r, v);
    *v = r->method->view(r->integrator);
    *defect = defect_of_half(r, v);
    *is_open = *defect <= enough;
    if (*is_open) {
        in->half_from = v->t;
        in->half_to = end;
        in->enough = enough;
        in->of_whole = of_whole;
    }
    return DAEDAL_OK;
}

double run_limit_at_half(const run *r, double limit)
{
    const run_interior *in = &r->limits.interior;
    bool waits = !isnan(in->half_from) && r->method->view(r->integrator).t == in->half_from;
    return waits && (limit - in->half_to) * r->limits.direction > 0.0 ? in->half_to : limit;
}

/* Again, and shorter, until nothing unusual is left. */
static daedal_status refine(run *r, integ_view *v, double *defect, bool is_second_half)
{
    double share = SHARE, limit = is_second_half ? r->limits.interior.enough : limit_of(r);
    bool is_open = !(*defect > limit);
    if (is_open && is_second_half)
        r->limits.interior.smooth = r->limits.interior.of_whole;
    if (!is_open && !is_second_half)
        RETURN_UNLESS_OK(take_first_half(r, v, defect, &is_open));
    if (is_open)
        return DAEDAL_OK;
    r->limits.interior.found++;
    for (int k = 0; k<RETAKES_MAX && * defect> limit; k++, share *= SHARE) {
        RETURN_UNLESS_OK(take_again(r, v, share));
        *v = r->method->view(r->integrator);
        *defect = defect_inside(r, v);
        limit = fmax(CLOSER * SMALL, r->limits.interior.defect);
    }
    return DAEDAL_OK;
}

/* ---- at rest ---- */

static const double LITTLE = 0.01; /* of a tolerance */

/* Whether y' moves something by more than a little of what was asked for, which is more than its
 * weight: so it is in most steps, and nothing is divided. */
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
    if (most > LITTLE) /* interpolation may cost calls of F */
        return false;
    r->method->interpolate(r->integrator, v->t_before, r->y_before, r->yp_before);
    for (int32_t i = 0; i < r->n && most <= LITTLE; i++)
        most = larger_of(most, fabs(v->y[i] - r->y_before[i]) * r->inverse_weight[i]);
    return most <= LITTLE;
}

/* What F changes with time alone from the end of the step to t, of an explicit method, scaled by
 * r->work. */
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

static double rest_defect(run *r, const integ_view *v, const double *at_end, double place)
{
    if (r->now.method != METHOD_DOPRI)
        return defect_at(r, v, place);
    return change_with_time(r, v, at_end, v->t_before + place * (v->t - v->t_before));
}

/* The part of the step before time makes a difference, or 1.  The places lie as dense as their
 * distance from the beginning of the rest makes them. */
static double quiet_share(run *r, const integ_view *v)
{
    const double dense = 1.0 / 24.0, first = 2.0, h = v->t - v->t_before;
    const double begun = (v->t_before - r->limits.interior.t_rest) / h;
    const double allowed = r->limits.interior.awake > 0 ? AWAKE * SMALL : SMALL;
    double last = 0.0, place = dense * (begun > 0.0 ? begun : 1.0), *at_end = r->start.work.r;
    measure_step(r, v);
    if (r->now.method == METHOD_DOPRI) {
        if (evaluator_residual(&r->ev, v->t, v->y, v->yp, at_end) != DAEDAL_CALL_OK)
            return 1.0;
        scale_by_slopes(r, v, at_end);
    }
    while (place < 1.0) {
        if (!(rest_defect(r, v, at_end, place) <= allowed))
            return last > 0.0 ? last : fmin(first * place, 0.5);
        last = place;
        place += dense * fmax(begun + place, dense);
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

/* Of a solution that rests, steps become as long as one likes: nothing but time ends the rest.  F
 * is asked at times that are dense compared with the time since the rest began. */
static daedal_status look_at_rest(run *r, integ_view *v)
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

/* Models are left alone: their events and corners are known, and many of them rest in between. */
static bool may_rest(const run *r)
{
    bool is_model = r->after_step.call || r->limits.corners_are_known;
    bool knows_scale = r->now.method == METHOD_DOPRI || (r->matrix_ready && !r->matrix.inexact);
    return knows_scale && !is_model && r->constraints.n_levels == 0 && !run_has_high_index(r);
}

daedal_status run_look_inside_step(run *r)
{
    run_interior *in = &r->limits.interior;
    if (in->method != r->now.method)
        run_begin_interior(r);
    integ_view v = r->method->view(r->integrator);
    if (may_rest(r)) {
        evaluator_forget_order(&r->ev);
        RETURN_UNLESS_OK(look_at_rest(r, &v));
        RETURN_UNLESS_OK(evaluator_obey(&r->ev, &r->why, DAEDAL_OK));
    }
    if (!is_looked_at(r, &v)) {
        in->before = fabs(v.t - v.t_before);
        return DAEDAL_OK;
    }
    bool is_second_half = v.t_before == in->half_from;
    in->half_from = NAN;
    evaluator_forget_order(&r->ev);
    double defect = is_second_half ? defect_of_half(r, &v) : defect_inside(r, &v);
    in->looks++;
    RETURN_UNLESS_OK(evaluator_obey(&r->ev, &r->why, DAEDAL_OK));
    in->smooth *= FADING;
    RETURN_UNLESS_OK(refine(r, &v, &defect, is_second_half));
    RETURN_UNLESS_OK(evaluator_obey(&r->ev, &r->why, DAEDAL_OK));
    if (!isnan(defect))
        in->defect = isnan(in->defect) ? defect : fmax(defect, FADING * in->defect);
    in->longest = fmax(in->longest, fabs(v.t - v.t_before));
    in->before = fabs(v.t - v.t_before);
    return DAEDAL_OK;
}
