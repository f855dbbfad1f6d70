/* integ/substeps.c - see substeps.h.
 *
 * With the matrix c K + J of the last step, (c K + J)^-1 F(t, u, u') is what the defect of an
 * interpolant u makes of y: h times the error of u' for slow components, the distance from the slow
 * solution for stiff ones.                                                       */
#include "integ/substeps.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/vector.h"

enum { STEPS_MOST = 1000 }; /* inside one step */
static const double SAFETY = 2.0;
static const double ORDER = 4.0; /* of interpolants, with which their error falls     */
static const double SAMPLES[] = {0.2, 0.45, 0.75}; /* places in a step                       */
static const double STEEPNESS = 4.0;   /* of the error at the ends of a step                */
static const double FIRST_SHARE = 5.0; /* a method begins with a fifth of the steps before  */

static void lay_out(void *object, layout *l)
{
    substeps *x = object;
    double **vectors[] = {&x->y, &x->yp, &x->room, &x->inverse_weight};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, (size_t)x->in.ev->n, sizeof(double));
}

bool substeps_create(substeps *x, const method *how, const integ_context *context)
{
    *x = (substeps){.in = *context, .how = how};
    substeps_forget(x);
    return block_create(&x->mem, context->allocator, lay_out, x);
}

void substeps_free(substeps *x)
{
    if (x->side)
        x->how->destroy(x->side);
    block_free(&x->mem);
}

void substeps_forget(substeps *x)
{
    x->t_from = x->t_to = NAN;
    x->peak[0].t_from = x->peak[1].t_from = NAN;
}

/* ---- errors ---- */

static double error_at(substeps *x, void *self, double t, bool of_algebraic)
{
    const integ_context *in = &x->in;
    x->how->interpolate(self, t, x->y, x->yp);
    if (evaluator_residual(in->ev, t, x->y, x->yp, x->room) != DAEDAL_CALL_OK)
        return HUGE_VAL;
    matrix_solve_to(in->matrix, 0.01, x->room);
    weights_inverse_plain(in->tolerances, x->y, x->inverse_weight);
    for (int32_t j = 0; j < in->ev->n; j++)
        x->room[j] *= SAFETY * (in->is_differential[j] || of_algebraic ? 1.0 : CORRECTED_SHARE);
    double error = vector_wrms(x->room, x->inverse_weight, in->ev->n);
    return isnan(error) ? HUGE_VAL : error;
}

/* The largest of these errors in the last step, which is computed once. */
static double largest_error(substeps *x, void *self, const integ_view *v, bool of_algebraic)
{
    substeps_peak *p = &x->peak[of_algebraic];
    if (p->t_from == v->t_before && p->t_to == v->t)
        return p->error;
    *p = (substeps_peak){.t_from = v->t_before, .t_to = v->t};
    for (size_t k = 0; k < sizeof SAMPLES / sizeof *SAMPLES; k++) {
        double t = v->t_before + SAMPLES[k] * (v->t - v->t_before);
        p->error = fmax(p->error, error_at(x, self, t, of_algebraic));
    }
    return p->error;
}

/* The error at t.  The defect is large where the error grows and passes zero where the error is
 * largest, so that its values elsewhere in the step count too. */
double substeps_error(substeps *x, void *self, double t, bool of_algebraic)
{
    integ_view v = x->how->view(self);
    double share = (t - v.t_before) / (v.t - v.t_before);
    double height = fmin(1.0, STEEPNESS * fmin(share, 1.0 - share));
    double here = error_at(x, self, t, of_algebraic);
    return height > 0.0 ? fmax(here, height * largest_error(x, self, &v, of_algebraic)) : here;
}

/* ---- the other instance ---- */

static daedal_status make_side(substeps *x)
{
    if (x->side)
        return DAEDAL_OK;
    x->in.stats = &x->stats;
    x->in.limiters = NULL;
    x->in.why = &x->why;
    return x->how->create(&x->side, &x->in);
}

/* Copy the other instance too, because later events of the same step are searched for on its
 * steps. */
void substeps_follow(substeps *x, const substeps *from)
{
    substeps_forget(x);
    memcpy(x->peak, from->peak, sizeof x->peak);
    if (isnan(from->t_from) || make_side(x) != DAEDAL_OK)
        return; /* without it the steps are taken again */
    x->how->copy(x->side, from->side);
    x->t_from = from->t_from;
    x->t_to = from->t_to;
}

/* Begin at t with the values of an interpolant and a first step of size h. */
static void begin_side(substeps *x, void *interpolant, double t, double h)
{
    x->how->interpolate(interpolant, t, x->y, x->yp);
    integ_begin from = {.t = t,
                        .y = x->y,
                        .yp = x->yp,
                        .h_before = FIRST_SHARE * fabs(h),
                        .direction = copysign(1.0, h)};
    x->how->begin(x->side, &from);
}

/* Take steps up to t or beyond, but not past the limit. *done tells whether t was reached. */
static daedal_status go_to(substeps *x, double t, double limit, bool *done)
{
    double h = x->t_to - x->t_from;
    *done = false;
    for (int k = 0; k < STEPS_MOST; k++) {
        if (!((t - x->how->view(x->side).t) / h > 0.0)) {
            *done = true;
            return DAEDAL_OK;
        }
        daedal_status status = x->how->step(x->side, limit);
        if (status != DAEDAL_OK)
            return status == DAEDAL_STOPPED ? status : DAEDAL_OK;
    }
    return DAEDAL_OK;
}

/* End the shorter step at t if its interpolant is not accurate enough either. */
static daedal_status end_at(substeps *x, double t, bool *done)
{
    integ_view v = x->how->view(x->side);
    if (t == v.t || x->how->interpolation_error(x->side, t, false) <= 1.0)
        return DAEDAL_OK;
    begin_side(x, x->side, v.t_before, t - v.t_before);
    return go_to(x, t, t, done);
}

daedal_status substeps_values(substeps *x, void *self, double t, double *y, double *yp, bool *done)
{
    integ_view v = x->how->view(self);
    *done = false;
    RETURN_UNLESS_OK(make_side(x));
    bool covered = x->t_from == v.t_before && x->t_to == v.t &&
                   (t - x->how->view(x->side).t_before) / (v.t - v.t_before) >= 0.0;
    if (!covered) {
        double error = x->how->interpolation_error(self, t, false);
        double parts = pow(fmax(error, 1.0), 1.0 / ORDER);
        x->t_from = v.t_before;
        x->t_to = v.t;
        begin_side(x, self, v.t_before, (v.t - v.t_before) / fmin(1.0 + parts, 100.0));
    }
    RETURN_UNLESS_OK(go_to(x, t, v.t, done));
    if (*done)
        RETURN_UNLESS_OK(end_at(x, t, done));
    if (*done)
        x->how->interpolate(x->side, t, y, yp);
    else
        substeps_forget(x);
    return DAEDAL_OK;
}
