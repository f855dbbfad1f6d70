/* integ/rattle_kick.c - one symmetric step of order 2 on the constraints: RATTLE [HLW06] VII.1.4.
 *
 * With a(q, v) the accelerations and N the directions M^-1 G' of constraint forces:
 *     v_half = v + h/2 (a(q, v_half) + N mu),   q_new = q + h v_half,   g(q_new) = 0
 *     v_new = v_half + h/2 (a(q_new, v_half) + N_new nu),   G(q_new) v_new = 0
 * The multipliers are not needed by name.  Row r of F says g''(q, v, v') = 0.  Where it is replaced
 * by g(q_new) = 0 or by g'(q_new, v_new) = 0, the remaining equations, M v' = f - G' lambda, leave
 * v' the directions N.  So both halves, and a(q, v) itself, are solved by the same iteration with
 * the matrix dF/d(v', algebraic variables): its factors may be old or inexact, since only residuals
 * decide where it converges to.                                                 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integ/rattle.h"
#include "linalg/vector.h"

enum { ITERATIONS_MAX = 40, MANY = 5 };
static const double ARRIVED = 1e3; /* roundoffs: there an iteration may cease to improve */
static const double SLOWEST = 0.9;

newton_outcome rattle_prepare(rattle *r, double t, const double *y, const double *yp)
{
    matrix_point at = {t, r->h, y, yp, NULL, r->inverse_weight};
    int answer = matrix_evaluate(r->in.matrix, &at);
    r->is_ready = false;
    if (answer != DAEDAL_CALL_OK)
        return newton_outcome_of(answer);
    newton_outcome outcome =
        newton_outcome_of_factoring(matrix_factor_mixed(r->in.matrix, r->share_y, r->share_yp));
    if (outcome == NEWTON_DONE && matrix_is_nearly_singular(r->in.matrix))
        outcome = NEWTON_SINGULAR;
    r->is_ready = outcome == NEWTON_DONE;
    return outcome;
}

/* A part of a step.  Accelerations, in yp, and algebraic variables, in y, are found. */
typedef struct kick {
    enum { FIRST_HALF, SECOND_HALF, SETTLE } part;
    double t;       /* of F and of y                                                     */
    double h;       /* of the substep, signed                                            */
    double *y, *yp; /* positions; velocities before the kick                             */
} kick;

/* v at which F is evaluated: behind the first kick, before the second one.            */
static const double *velocities(rattle *r, const kick *k)
{
    if (k->part != FIRST_HALF)
        return k->y;
    for (int32_t j = 0; j < r->n; j++)
        r->v_half[j] = r->form.is_velocity[j] ? k->y[j] + 0.5 * k->h * k->yp[j] : 0.0;
    return r->v_half;
}

/* Replace rows of F by the constraints at the end of this part of the step. */
static int replace_rows(rattle *r, const kick *k, const double *v)
{
    const mechanical_form *f = &r->form;
    bool first = k->part == FIRST_HALF;
    const mechanical_rule *rule = first ? f->on_position : f->on_velocity;
    int32_t n_rules = first ? f->n_on_position : f->n_on_velocity;
    double h = k->h, factor = first ? 2.0 / (h * h) : 2.0 / h, *there = r->y_there;
    if (n_rules == 0 || k->part == SETTLE)
        return DAEDAL_CALL_OK;
    for (int32_t j = 0; j < r->n; j++)
        there[j] = k->y[j] + (!first && f->is_velocity[j] ? 0.5 * h * k->yp[j] : 0.0);
    for (int32_t i = 0; i < f->n_positions && first; i++)
        there[f->position[i]] += h * v[f->velocity[i]];
    int answer = projection_evaluate(r->in.constraints, first ? k->t + h : k->t, there);
    for (int32_t i = 0; i < n_rules; i++)
        r->residual[rule[i].row] =
            factor * rule[i].scale * r->in.constraints->g[rule[i].constraint];
    return answer;
}

static int residual(rattle *r, const kick *k)
{
    const mechanical_form *f = &r->form;
    const double *v = velocities(r, k);
    for (int32_t j = 0; j < r->n; j++)
        r->y_there[j] = f->is_velocity[j] ? v[j] : k->y[j];
    for (int32_t i = 0; i < f->n_positions; i++)
        k->yp[f->position[i]] = v[f->velocity[i]];
    int answer = evaluator_residual(r->in.ev, k->t, r->y_there, k->yp, r->residual);
    return answer == DAEDAL_CALL_OK ? replace_rows(r, k, v) : answer;
}

/* Compute the correction in place of the residual.  The answer is its size, that of the change of
 * velocities in weights.  Algebraic variables count only by their effect on velocities, because
 * roundoff of positions reaches multipliers divided by h^2. */
static double find_correction(rattle *r, const kick *k)
{
    double *delta = r->residual, *moved = r->y_there;
    matrix_solve(r->in.matrix, delta);
    for (int32_t j = 0; j < r->n; j++)
        moved[j] = r->form.is_velocity[j] ? 0.5 * k->h * delta[j] : 0.0;
    double size = vector_wrms(moved, r->inverse_weight, r->n);
    return isfinite(size) ? size : HUGE_VAL;
}

static void correct(const rattle *r, const kick *k)
{
    for (int32_t j = 0; j < r->n; j++) {
        if (r->form.is_velocity[j])
            k->yp[j] -= r->residual[j];
        else if (!r->in.is_differential[j])
            k->y[j] -= r->residual[j];
    }
}

/* The size of corrections that are roundoff.  The first kick satisfies a constraint on positions
 * by means of velocities, in which the roundoff of positions appears divided by h. */
static double roundoff(const rattle *r, const kick *k)
{
    bool divided = k->part == FIRST_HALF && r->form.n_on_position > 0;
    return r->roundoff + (divided ? r->roundoff_of_positions / fabs(k->h) : 0.0);
}

static newton_outcome iterate(rattle *r, const kick *k, int *iterations)
{
    const double least = roundoff(r, k);
    double before = HUGE_VAL;
    for (*iterations = 1; *iterations <= ITERATIONS_MAX; ++*iterations) {
        int answer = residual(r, k);
        if (answer != DAEDAL_CALL_OK)
            return newton_outcome_of(answer);
        double moved = find_correction(r, k);
        r->in.stats->iterations++;
        if (moved <= least || (moved > SLOWEST * before && moved <= ARRIVED * least))
            return NEWTON_DONE; /* roundoff is not added */
        if (moved > 2.0 * before || moved == HUGE_VAL)
            return NEWTON_SLOW;
        correct(r, k);
        before = moved;
    }
    return NEWTON_SLOW;
}

/* Solve, and repeat it with a new matrix if the present one is not good enough. */
static newton_outcome solve(rattle *r, const kick *k)
{
    int iterations = 0;
    bool is_new = !r->is_ready || !isnan(r->in.matrix->c); /* others have used the matrix */
    newton_outcome outcome = is_new ? rattle_prepare(r, k->t, k->y, k->yp) : NEWTON_DONE;
    if (outcome == NEWTON_DONE)
        outcome = iterate(r, k, &iterations);
    if (outcome == NEWTON_SLOW && !is_new) {
        outcome = rattle_prepare(r, k->t, k->y, k->yp);
        if (outcome == NEWTON_DONE)
            outcome = iterate(r, k, &iterations);
    }
    if (outcome == NEWTON_DONE && iterations > MANY)
        r->is_ready = false; /* for the next part */
    return outcome;
}

static void add_kick(const rattle *r, const kick *k)
{
    for (int32_t j = 0; j < r->n; j++)
        if (r->form.is_velocity[j])
            k->y[j] += 0.5 * k->h * k->yp[j];
}

newton_outcome rattle_substep(rattle *r, double t, double h, double *y, double *yp)
{
    const mechanical_form *f = &r->form;
    kick first = {FIRST_HALF, t, h, y, yp}, second = {SECOND_HALF, t + h, h, y, yp};
    newton_outcome outcome = solve(r, &first);
    if (outcome != NEWTON_DONE)
        return outcome;
    add_kick(r, &first);
    for (int32_t i = 0; i < f->n_positions; i++)
        y[f->position[i]] += h * y[f->velocity[i]];
    outcome = solve(r, &second);
    if (outcome == NEWTON_DONE)
        add_kick(r, &second);
    return outcome;
}

newton_outcome rattle_settle(rattle *r, double t, double *y, double *yp)
{
    return solve(r, &(kick){SETTLE, t, r->h, y, yp});
}

int rattle_restrict(rattle *r, double t, double *y)
{
    const mechanical_form *f = &r->form;
    if (f->n_on_velocity == 0)
        return DAEDAL_CALL_OK;
    int answer = projection_evaluate(r->in.constraints, t, y);
    memset(r->residual, 0, (size_t)r->n * sizeof(double));
    for (int32_t i = 0; i < f->n_on_velocity; i++)
        r->residual[f->on_velocity[i].row] =
            f->on_velocity[i].scale * r->in.constraints->g[f->on_velocity[i].constraint];
    matrix_solve(r->in.matrix, r->residual);
    for (int32_t j = 0; j < r->n; j++)
        if (f->is_velocity[j])
            y[j] -= r->residual[j];
    return answer;
}
