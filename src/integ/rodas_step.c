/* integ/rodas_step.c - one accepted step of a Rosenbrock method; see rodas.h for the formulas
 * ([HW96] IV.7, VI.4; [Ste23]).  The body of rodas_step is the outline; the stages follow in the
 * order they are called.                                                         */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "integ/rodas.h"
#include "integ/stage_sum.h"
#include "integ/step_attempts.h"
#include "linalg/vector.h"
#include "newton/bounds.h"

/* Accuracy of GMRES: stages add up to the step, so each needs a part of the tolerance. */
static const double LEAST_ERROR = 1e-2; /* that the next step size is computed from */
static const double STAGE_RELATIVE = 1e-10, STAGE_ABSOLUTE = 1e-3;

static newton_outcome prepare(rodas *r);
static newton_outcome take_stages(rodas *r, double t_new);
static daedal_status retreat_from_stages(rodas *r, step_attempts *a, newton_outcome why);
static daedal_status retreat_from_error(rodas *r, step_attempts *a);
static daedal_status project(rodas *r, double t_new, bool *far);
static void accept(rodas *r, const step_attempts *a);

static bool has_stalled(rodas *r, step_attempts *a)
{
    step_attempts_error at = {.h = r->h,
                              .y = r->y,
                              .yp = r->yp,
                              .error = r->u[r->tab->stages - 1],
                              .inverse_weight = r->inverse_weight,
                              .size = r->error,
                              .point = r->sum,
                              .residual = r->rhs};
    bool stalled = step_attempts_have_stalled(a, &at);
    r->error = at.size;
    return stalled;
}

daedal_status rodas_step(void *self, double t_limit)
{
    rodas *r = self;
    step_attempts a = step_attempts_begin(&r->in, r->t, t_limit, &r->h, r->steps_done == 0);
    weights_inverse_plain(r->in.tolerances, r->y, r->inverse_weight);
    for (;;) {
        TRY(step_attempts_next(&a));
        newton_outcome outcome = prepare(r);
        if (outcome == NEWTON_DONE)
            outcome = take_stages(r, a.t_new);
        if (outcome != NEWTON_DONE) {
            RETURN_UNLESS_OK(retreat_from_stages(r, &a, outcome));
            continue;
        }
        if (r->error > 1.0 && !has_stalled(r, &a)) {
            RETURN_UNLESS_OK(retreat_from_error(r, &a));
            continue;
        }
        bool far = false;
        RETURN_UNLESS_OK(project(r, a.t_new, &far));
        if (!far) {
            accept(r, &a);
            return DAEDAL_OK;
        }
        RETURN_UNLESS_OK(step_attempts_note_constraints(&a));
    }
}

/* ---- the matrix ---- */

/* Approximate dF/dt by a difference inside the step, which is so short that its error is negligible
 * beside that of the step. */
static newton_outcome differentiate_in_time(rodas *r)
{
    const double of_step = 1e-6, of_time = 1e-8, most = 0.5; /* of the step */
    double dt = fmin(fmax(of_step * fabs(r->h), of_time * fabs(r->t)), most * fabs(r->h));
    double later = r->t + copysign(dt, r->h);
    int answer = evaluator_residual(r->in.ev, r->t, r->y, r->yp, r->here);
    if (answer == DAEDAL_CALL_OK)
        answer = evaluator_residual(r->in.ev, later, r->y, r->yp, r->in_time);
    if (answer != DAEDAL_CALL_OK)
        return newton_outcome_of(answer);
    for (int32_t i = 0; i < r->n; i++)
        r->in_time[i] = (r->in_time[i] - r->here[i]) / (later - r->t);
    return NEWTON_DONE;
}

/* The order of the method requires the Jacobian at (t, y), which is evaluated in every step. */
static newton_outcome prepare(rodas *r)
{
    if (!r->parts_are_here) {
        newton_outcome outcome = differentiate_in_time(r);
        if (outcome != NEWTON_DONE)
            return outcome;
        matrix_point at = {r->t, r->h, r->y, r->yp, r->here, r->inverse_weight};
        int answer = matrix_evaluate(r->in.matrix, &at);
        if (answer != DAEDAL_CALL_OK)
            return newton_outcome_of(answer);
        r->parts_are_here = true;
    }
    return newton_outcome_of_factoring(matrix_factor(r->in.matrix, 1.0 / (r->h * r->tab->gamma)));
}

/* ---- stages ---- */

/* out = from + sum_j factor_j vectors_j */
static void combine(const rodas *r, int count, const double *factor, const double *vectors,
                    const double *from, double *out)
{
    stage_terms terms = {r->n, count, 0, factor, vectors, 1.0};
    stage_sum(&terms, from, out);
}

/* Y_i, Z_i into y_new, yp_new and Z_i + S_i into sum. */
static void place_stage(rodas *r, int i)
{
    const rodas_table *tab = r->tab;
    stage_terms of_sum = {r->n, i, 0, tab->c[i], r->u[0], 1.0 / r->h};
    if (i >= tab->follows) {
        for (int32_t k = 0; k < r->n; k++) {
            r->y_new[k] += r->u[i - 1][k];
            r->yp_new[k] += r->v[i - 1][k];
        }
    } else {
        combine(r, i, tab->a[i], r->u[0], r->y, r->y_new);
        combine(r, i, tab->a[i], r->v[0], r->yp, r->yp_new);
    }
    stage_sum(&of_sum, r->yp_new, r->sum);
}

static newton_outcome take_stage(rodas *r, int i, double t)
{
    const rodas_table *tab = r->tab;
    double shift = 1.0 / (r->h * tab->gamma), in_time = tab->d[i] * r->h;
    double *u = r->u[i], *v = r->v[i], *residual = i == 0 ? r->here : r->rhs;
    place_stage(r, i);
    matrix_times_dyp(r->in.matrix, r->sum, u);
    int answer = DAEDAL_CALL_OK;
    if (i > 0)
        answer = evaluator_residual(r->in.ev, t, r->y_new, r->yp_new, residual);
    if (answer != DAEDAL_CALL_OK)
        return newton_outcome_of(answer);
    for (int32_t k = 0; k < r->n; k++)
        u[k] -= residual[k] + in_time * r->in_time[k];
    matrix_solve_within(r->in.matrix, STAGE_RELATIVE, STAGE_ABSOLUTE, u);
    for (int32_t k = 0; k < r->n; k++)
        v[k] = shift * u[k] - r->sum[k];
    return vector_all_finite(u, r->n) ? NEWTON_DONE : NEWTON_SLOW;
}

static newton_outcome take_stages(rodas *r, double t_new)
{
    const rodas_table *tab = r->tab;
    for (int i = 0; i < tab->stages; i++) {
        double t = tab->alpha[i] == 1.0 ? t_new : r->t + tab->alpha[i] * r->h;
        newton_outcome outcome = take_stage(r, i, t);
        if (outcome != NEWTON_DONE)
            return outcome;
    }
    const double *u = r->u[tab->stages - 1], *v = r->v[tab->stages - 1];
    for (int32_t k = 0; k < r->n; k++) {
        r->y_new[k] += u[k];
        r->yp_new[k] += v[k];
    }
    if (!bounds_keep(r->in.ev->sys, r->y_new, r->inverse_weight, r->rhs))
        return NEWTON_SLOW;
    r->error = vector_wrms(u, r->inverse_weight, r->n);
    return isfinite(r->error) ? NEWTON_DONE : NEWTON_SLOW;
}

/* ---- sizes ---- */

/* The factor for h.  After a rejection it depends on the error alone, after success also on the
 * change of the error from the last step to this one ([HW96] IV.8 (8.25)).       */
static double step_factor(const rodas *r)
{
    const double safety = 0.9, least = 0.2, most = 6.0, floor = 1e-6;
    double error = fmax(r->error, floor), p = 1.0 / r->tab->order;
    double factor = safety * pow(error, -p);
    if (r->error <= 1.0 && r->h_last != 0.0)
        factor =
            fmin(factor, safety * (r->h / r->h_last) * pow(r->error_accepted / (error * error), p));
    return step_clamp(factor, least, most);
}

/* ---- failures ---- */

static daedal_status retreat_from_stages(rodas *r, step_attempts *a, newton_outcome why)
{
    int32_t worst = vector_largest_weighted(r->u[0], r->inverse_weight, r->n);
    r->worst = worst >= 0 ? worst : r->worst; /* none where no number is finite */
    RETURN_UNLESS_OK(step_attempts_note_newton(a, why, NULL, NULL));
    r->h *= 0.25;
    return DAEDAL_OK;
}

static daedal_status retreat_from_error(rodas *r, step_attempts *a)
{
    r->worst = vector_largest_weighted(r->u[r->tab->stages - 1], r->inverse_weight, r->n);
    RETURN_UNLESS_OK(step_attempts_note_error(a, r->error, r->worst));
    r->h *= a->first ? 0.1 : step_factor(r);
    return DAEDAL_OK;
}

/* ---- success ---- */

static daedal_status project(rodas *r, double t_new, bool *far)
{
    size_t bytes = (size_t)r->n * sizeof(double);
    step_attempts_move to = {.t = t_new, .y = r->rhs, .inverse_weight = r->inverse_weight};
    memcpy(r->rhs, r->y_new, bytes);
    RETURN_UNLESS_OK(step_attempts_project(&r->in, &to));
    *far = to.far;
    if (to.changed)
        memcpy(r->y_new, r->rhs, bytes);
    return DAEDAL_OK;
}

static double size_after(const rodas *r, const step_attempts *a)
{
    if (r->error > 1.0) /* taken all the same: roundoff, which grows as steps shrink */
        return a->h_first;
    double factor = step_factor(r);
    double h = r->h * (step_attempts_any_failed(a) ? fmin(factor, 1.0) : factor);
    return fabs(h) < fabs(a->h_wish) ? a->h_wish : h; /* which the limit alone had cut short */
}

static void accept(rodas *r, const step_attempts *a)
{
    size_t bytes = (size_t)r->n * sizeof(double);
    memcpy(r->y_before, r->y, bytes);
    memcpy(r->yp_before, r->yp, bytes);
    memcpy(r->y, r->y_new, bytes);
    memcpy(r->yp, r->yp_new, bytes);
    r->t_before = r->t;
    r->t = a->t_new;
    double h_next = size_after(r, a);
    r->h_last = r->h;
    r->h = h_next;
    r->error_accepted = fmax(r->error, LEAST_ERROR);
    r->steps_done++;
    r->parts_are_here = r->dense_known = false;
    int32_t worst = vector_largest_weighted(r->u[r->tab->stages - 1], r->inverse_weight, r->n);
    step_attempts_count_step(
        &r->in, (step_attempts_success){r->h_last, r->h, r->tab->order, r->tab->order, worst});
}
