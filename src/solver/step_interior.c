/* solver/step_interior.c - see run.h: what a step may have missed between its points.
 *
 * A method knows F at a few points of a step.  A forcing that is aliased by them, a pulse between
 * them, or a corner for which the error estimate happens to be small goes unseen.  So F is called
 * once more inside an accepted step, with the values of the dense output there.  What it leaves,
 * relative to what y within its tolerances makes of it, is the defect of the step.  It varies
 * little from step to step as long as the solution is resolved, although its size depends on the
 * method and the tolerance.  Where it is suddenly many times as large as it was lately the step is
 * taken again, in a quarter of its size, then in a sixteenth of that and so on: what is aliased may
 * be shorter than the step by many orders of magnitude.
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
#include "solver/run.h"

enum { RETAKES_MAX = 6 };
static const double SMALL = 300.0; /* tolerances: no reason to look closer */
static const double SUDDEN = 50.0; /* times the defects of the last steps */
static const double FIRST = 300.0; /* tolerances, where no step was before */
static const double CLOSER = 0.2;  /* of these limits, where F is not smooth */
static const double SHARE = 0.25;  /* of a step that is taken again        */

void run_begin_interior(run *r)
{
    r->limits.interior = (run_interior){.defect = NAN, .longest = 0.0, .method = r->now.method};
}

/* Where many steps are unlike those before, the defect says nothing. */
static bool is_of_use(const run_interior *in)
{
    enum { SOME = 5 };
    return in->found <= SOME || 2 * (int64_t)in->found < in->looks;
}

static bool is_looked_at(const run *r, const integ_view *v)
{
    bool is_model = r->after_step.call || r->limits.corners_are_known;
    if (run_has_high_index(r) || r->constraints.n_levels > 0 || !r->matrix_ready ||
        r->matrix.inexact || !is_of_use(&r->limits.interior))
        return false;
    bool is_longest = fabs(v->t - v->t_before) > 1.5 * r->limits.interior.longest;
    switch (r->now.method) {
    case METHOD_DOPRI:
        return v->is_doubtful && !is_model;
    case METHOD_LIMEX:
        return !is_model;
    case METHOD_RADAU:
        return is_longest || !is_model;
    default:
        return r->now.method == METHOD_RODAS && is_longest;
    }
}

/* At a time in the middle of the step, another part of it each time. */
static double time_inside(const run *r, const integ_view *v)
{
    const double golden = 0.61803398874989485;
    double x = (double)r->limits.interior.looks * golden;
    return v->t_before + (0.3 + 0.4 * (x - floor(x))) * (v->t - v->t_before);
}

/* Of an explicit method: the slopes there compared with those of the dense output. */
static double defect_of_slopes(run *r, double t, double h)
{
    double *yp = r->work, most = 0.0;
    memcpy(yp, r->yp_before, (size_t)r->n * sizeof(double));
    r->method->correct_slopes(r->integrator, t, r->y_before, yp);
    for (int32_t i = 0; i < r->n; i++)
        most = fmax(most, fabs(h * (yp[i] - r->yp_before[i])) * r->inverse_weight[i]);
    return most;
}

/* NAN where F has no value. */
static double defect_inside(run *r, const integ_view *v)
{
    double t = time_inside(r, v), *f = r->start.work.r, most = 0.0; /* idle between starts */
    weights_inverse(&r->tolerances, v->y, r->inverse_weight);
    r->method->interpolate(r->integrator, t, r->y_before, r->yp_before);
    if (r->now.method == METHOD_DOPRI)
        return defect_of_slopes(r, t, v->t - v->t_before);
    if (evaluator_residual(&r->ev, t, r->y_before, r->yp_before, f) != DAEDAL_CALL_OK)
        return NAN;
    run_scale_of_equations(r, fabs(v->t - v->t_before), r->work);
    for (int32_t i = 0; i < r->n; i++)
        if (r->work[i] > 0.0)
            most = fmax(most, fabs(f[i]) / r->work[i]);
    return most;
}

static daedal_status take_again(run *r, const integ_view *v, double share)
{
    double h = share * (v->t - v->t_before), t = v->t_before;
    r->method->interpolate(r->integrator, t, r->y_before, r->yp_before);
    integ_begin from = {.t = t,
                        .y = r->y_before,
                        .yp = r->yp_before,
                        .h_before = fabs(h),
                        .direction = r->limits.direction,
                        .span = fabs(h)};
    r->method->begin(r->integrator, &from);
    r->stats.rejected_error++;
    r->now.evidence.rejected_seen++; /* it says nothing of the method */
    limiters_count(&r->limiters, r->limiters.rejected_error, v->worst);
    return r->method->step(r->integrator, t + h);
}

/* What a step may leave.  Where an explicit method doubts a step little is known of those before.
 * Where steps had to be taken again more than once F is not smooth, and the rest of the run is
 * looked at more closely.                                                         */
static double limit_of(const run *r)
{
    enum { SMOOTH = 2 };
    const run_interior *in = &r->limits.interior;
    if (r->now.method == METHOD_DOPRI || isnan(in->defect))
        return FIRST;
    double closer = in->found > SMOOTH ? CLOSER : 1.0;
    return fmax(closer * SMALL, closer * SUDDEN * in->defect);
}

/* Again, and shorter, until nothing unusual is left. */
static daedal_status refine(run *r, integ_view *v, double *defect)
{
    double share = SHARE, limit = limit_of(r);
    r->limits.interior.found += *defect > limit;
    for (int k = 0; k<RETAKES_MAX && * defect> limit; k++, share *= SHARE) {
        RETURN_UNLESS_OK(take_again(r, v, share));
        *v = r->method->view(r->integrator);
        *defect = defect_inside(r, v);
        limit = fmax(CLOSER * SMALL, r->limits.interior.defect);
    }
    return DAEDAL_OK;
}

daedal_status run_look_inside_step(run *r)
{
    run_interior *in = &r->limits.interior;
    if (in->method != r->now.method)
        run_begin_interior(r);
    integ_view v = r->method->view(r->integrator);
    if (!is_looked_at(r, &v))
        return DAEDAL_OK;
    evaluator_forget_order(&r->ev);
    double defect = defect_inside(r, &v);
    in->looks++;
    RETURN_UNLESS_OK(evaluator_obey(&r->ev, &r->why, DAEDAL_OK));
    RETURN_UNLESS_OK(refine(r, &v, &defect));
    RETURN_UNLESS_OK(evaluator_obey(&r->ev, &r->why, DAEDAL_OK));
    if (!isnan(defect))
        in->defect = isnan(in->defect) ? defect : fmax(defect, 0.7 * in->defect);
    in->longest = fmax(in->longest, fabs(v.t - v.t_before));
    return DAEDAL_OK;
}
