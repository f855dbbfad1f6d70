/* adjoint/parameter_sums.c - see backward_run.h: the integrals of g_p - lambda' F_p.
 *
 * They are no states of the run backward, whose steps follow lambda and know nothing of what dF/dp
 * does: a forcing whose strength is a parameter may be over in a small part of a step.  So each
 * integral over a step comes with an estimate of its error, by the stages of a Runge-Kutta method
 * or by two formulas.  Where that is too large, or where the steps forward are far shorter, the
 * step is divided, at first where the steps forward end, then in halves.                */
#include <math.h>
#include <string.h>

#include "adjoint/backward_run.h"
#include "base/status.h"

enum { HALVINGS_MAX = 12 };
static const double PART = 0.1; /* of the tolerance, for a difference of formulas         */
static const double STAGES =
    0.5; /* for stages, whose estimate is of a lower order than their sum */
static const double FLOOR = 1e-3; /* of the functional: what counts as nothing in p dG/dp  */
enum { FORWARD_STEPS_MAX = 4 };   /* in one step backward, before it is divided            */

static void begin_sums(backward_run *b)
{
    const parameter_sums *s = &b->sums;
    size_t bytes = (size_t)b->sys->n_parameters * sizeof(double);
    double *all[] = {s->value, s->error[0], s->error[1], s->magnitude};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        memset(all[k], 0, bytes);
}

/* g_p - lambda' F_p at t, with lambda in x, added with these weights. */
static daedal_status add_point(backward_run *b, double t, double weight, const double *error)
{
    const parameter_sums *s = &b->sums;
    equations_go_to_product(&b->equations, t);
    if (functional_by_p(b->g, &b->g->integrand, t, b->c.y, b->terms[0]) != DAEDAL_CALL_OK ||
        coefficients_by_parameters(&b->c, b->x, b->terms[1]) != DAEDAL_CALL_OK)
        return backward_complain(b, "the derivative by parameters", t);
    for (int32_t i = 0; i < b->sys->n_parameters; i++) {
        double value = b->terms[0][i] - b->terms[1][i];
        s->value[i] += weight * value;
        s->error[0][i] += error[0] * value;
        s->error[1][i] += error[1] * value;
        s->magnitude[i] += fabs(weight * value);
    }
    return DAEDAL_OK;
}

/* What the error of integral i may be: a part of the tolerance. */
static double allowed(const backward_run *b, int32_t i, double part)
{
    double size = b->sums.size[i] + b->sums.magnitude[i] + FLOOR * b->total / b->c.scale[i];
    return part * b->tolerance * size;
}

static void take_sums(backward_run *b)
{
    for (int32_t i = 0; i < b->sys->n_parameters; i++) {
        b->by_p[i] += b->sums.value[i];
        b->sums.size[i] += b->sums.magnitude[i];
    }
}

/* ---- by the stages of a method ---- */

static bool interval_is_accurate(const backward_run *b);

/* Of an explicit method both estimates together, as for the states ([HNW93] II.10 (10.17)). */
static bool stages_are_accurate(const backward_run *b, bool has_two)
{
    bool are = true;
    if (!has_two)
        return interval_is_accurate(b);
    for (int32_t i = 0; i < b->sys->n_parameters && are; i++) {
        double fine = fabs(b->sums.error[0][i]), rough = 0.1 * fabs(b->sums.error[1][i]);
        double both = hypot(fine, rough);
        are = both == 0.0 || fine * (fine / both) <= allowed(b, i, STAGES);
    }
    return are;
}

static daedal_status sum_stages(backward_run *b, double width, bool *has_two)
{
    const run *r = &b->solver->run;
    integ_stage at = {.y = b->x};
    begin_sums(b);
    *has_two = false;
    for (int32_t i = 0; r->method->stage(r->integrator, i, &at); i++) {
        double error[] = {at.error[0] * width, at.error[1] * width};
        *has_two = *has_two || error[1] != 0.0;
        if (at.weight != 0.0 || error[0] != 0.0 || error[1] != 0.0)
            TRY(add_point(b, at.t, at.weight * width, error));
    }
    return DAEDAL_OK;
}

/* ---- by formulas ---- */

/* The difference of two formulas says less of the error the smaller it is, as in QUADPACK
 * [PDUK83]. */
static bool interval_is_accurate(const backward_run *b)
{
    bool is = true;
    for (int32_t i = 0; i < b->sys->n_parameters && is; i++) {
        double difference = fabs(b->sums.error[0][i]), size = b->sums.magnitude[i];
        double share = size > 0.0 ? pow(200.0 * difference / size, 1.5) : 1.0;
        is = difference * fmin(share, 1.0) <= allowed(b, i, PART);
    }
    return is;
}

static daedal_status sum_interval(backward_run *b, double from, double to)
{
    run *r = &b->solver->run;
    double half = 0.5 * (to - from), middle = from + half;
    begin_sums(b);
    for (int32_t k = 0; k < KRONROD_POINTS; k++) {
        double t = middle + KRONROD_AT[k] * half, error[] = {half * kronrod_difference(k), 0.0};
        solution_read_run(r, t, b->x, b->xp);
        TRY(add_point(b, t, half * KRONROD_WEIGHT[k], error));
    }
    return DAEDAL_OK;
}

static daedal_status add_interval(backward_run *b, double from, double to, int halvings)
{
    TRY(sum_interval(b, from, to));
    if (halvings == 0 || interval_is_accurate(b)) {
        take_sums(b);
        return DAEDAL_OK;
    }
    double middle = 0.5 * (from + to);
    TRY(add_interval(b, from, middle, halvings - 1));
    return add_interval(b, middle, to, halvings - 1);
}

/* ---- a step ---- */

double backward_next_mesh(backward_run *b, double t, double t_low)
{
    solution_record *record = &b->forward->record;
    double begin = solution_step_begin(record, t);
    bool is_inside = record->direction * (begin - t_low) > 0.0 && begin != t;
    return is_inside ? begin : t_low;
}

static bool is_divided(backward_run *b, double t_high, double t_low)
{
    int32_t steps = 0;
    for (double t = t_high; t != t_low && steps <= FORWARD_STEPS_MAX; steps++)
        t = backward_next_mesh(b, t, t_low);
    return steps > FORWARD_STEPS_MAX;
}

daedal_status backward_add_step(backward_run *b)
{
    run *r = &b->solver->run;
    integ_view v = r->method->view(r->integrator);
    double t_low = r->state.t, t_high = v.t_before;
    bool divided = is_divided(b, t_high, t_low);
    if (r->method->stage && v.t == t_low && !divided) {
        bool has_two;
        TRY(sum_stages(b, t_high - t_low, &has_two));
        if (stages_are_accurate(b, has_two)) {
            take_sums(b);
            return DAEDAL_OK;
        }
    }
    for (double t = t_high, end; t != t_low; t = end) {
        end = divided ? backward_next_mesh(b, t, t_low) : t_low;
        TRY(add_interval(b, end, t, HALVINGS_MAX));
    }
    return DAEDAL_OK;
}
