/* newton/modified_newton.c - see modified_newton.h.
 *
 * Classical rules: [BCP96] section 5.2.2 (0.33, at most 4 iterations, rate limit 0.9,
 * refactor outside |c - c_f|/(c + c_f) <= 0.25, corrections scaled by the c of (5.2.13)).
 * Thrifty rules: the two parts are kept apart, so a changed c costs a factorization
 * only; the rate survives a change of c but is never taken below the known effect
 * of the old c; the parts are evaluated anew when the iterations an old matrix has
 * wasted cost half as much as an evaluation (the ski-rental rule).              */
#include "newton/modified_newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/vector.h"
#include "newton/bounds.h"

enum { ITERATIONS_MAX = 4 };         /* [BCP96] section 5.2.2, after (5.2.15) */
static const double RATE_MAX = 0.9;  /* [BCP96] section 5.2.2, after (5.2.15) */
static const double WASTEFUL = 0.05; /* rates above this are charged to the old matrix */
static const double BAD = 0.3;
/* Steps that double meet the window exactly, (4 - 1)/(4 + 1) = 0.6: roundoff shall not decide. */
static const double ROUNDED_UP = 1.0 + 1e-9;

/* GMRES has the matrix of this very step: an old preconditioner costs iterations of its own, but
 * no convergence.  So c may move far, and the rate is that of Newton's own method.  */
static const newton_rules rules_krylov = {
    .tolerance = 0.2,
    .unknown_rate = 0.99,
    .least_rate = 1e-4,
    .window = 0.6,
    .single_max = 20,
    .age_max = 20,
};

static const newton_rules rules_krylov_classic = {
    .tolerance = 0.33,
    .unknown_rate = 100.0 / 101.0,
    .window = 0.6,
    .forget_rate = true,
    .single_max = INT32_MAX,
    .age_max = 20,
};

/* With products by old derivatives the rate is that of these; c is always the present one. */
static const newton_rules rules_krylov_matrix = {
    .tolerance = 0.2,
    .unknown_rate = 0.99,
    .least_rate = 1e-2,
    .window = 0.25,
    .fresh_parts = true,
    .single_max = 3,
    .age_max = 20,
};

const newton_rules newton_rules_classic = {
    .tolerance = 0.33,
    .unknown_rate = 100.0 / 101.0, /* rate/(1 - rate) = 100 */
    .least_rate = 0.0,
    .window = 0.25,
    .scale_by_c = true,
    .forget_rate = true,
    .fresh_parts = true,
    .single_max = INT32_MAX,
    .age_max = INT32_MAX,
    .krylov = &rules_krylov_classic,
};

static const newton_rules rules_costly = {
    .tolerance = 0.1,
    .unknown_rate = 0.99,
    .least_rate = 1e-4,
    .window = 0.35,
    .window_is_rate = true,
    .scale_by_c = true,
    .single_max = 20,
    .age_max = 50,
};

const newton_rules newton_rules_thrifty = {
    .tolerance = 0.2,
    .unknown_rate = 0.99,
    .least_rate = 1e-4,
    .window = 0.2,
    .window_is_rate = true,
    .single_max = 20,
    .age_max = 50,
    .costly = &rules_costly,
    .krylov = &rules_krylov,
};

/* A factorization that costs as much as this many iterations is worth avoiding. */
static const double COSTLY = 8.0;

static const newton_rules *rules_for(const newton *nw)
{
    const newton_rules *rules = nw->rules;
    if (matrix_is_iterative(nw->matrix))
        return matrix_is_current(nw->matrix) ? rules->krylov : &rules_krylov_matrix;
    return rules->costly && nw->matrix->factor_price > COSTLY ? rules->costly : rules;
}

void newton_reset(newton *nw)
{
    nw->rate = -1.0;
    nw->c_last = NAN;
    nw->waste = 0.0;
    nw->single = nw->age = 0;
    nw->wants_parts = true;
    nw->parts_are_new = false;
}

newton_outcome newton_outcome_of(int answer)
{
    switch (answer) {
    case DAEDAL_CALL_OK:
        return NEWTON_DONE;
    case DAEDAL_CALL_RETRY:
        return NEWTON_RETRY;
    case DAEDAL_CALL_STOP:
        return NEWTON_STOP;
    default:
        return NEWTON_FAIL;
    }
}

newton_outcome newton_outcome_of_factoring(daedal_status status)
{
    switch (status) {
    case DAEDAL_OK:
        return NEWTON_DONE;
    case DAEDAL_ERR_MEMORY:
        return NEWTON_MEMORY;
    case DAEDAL_ERR_RETRY: /* what a user's preconditioner answered */
        return NEWTON_RETRY;
    case DAEDAL_STOPPED:
        return NEWTON_STOP;
    case DAEDAL_ERR_CALLBACK:
        return NEWTON_FAIL;
    default:
        return NEWTON_SINGULAR;
    }
}

static newton_outcome outcome_of_solving(matrix_outcome outcome)
{
    static const newton_outcome of[] = {
        [MATRIX_SOLVED] = NEWTON_DONE, [MATRIX_SLOW] = NEWTON_SLOW,
        [MATRIX_RETRY] = NEWTON_RETRY, [MATRIX_STOP] = NEWTON_STOP,
        [MATRIX_FAIL] = NEWTON_FAIL,   [MATRIX_MEMORY] = NEWTON_MEMORY};
    return of[outcome];
}

static newton_outcome factor(newton *nw, double c)
{
    return newton_outcome_of_factoring(matrix_factor(nw->matrix, c));
}

/* Evaluate both parts at the prediction, where nw->delta holds the residual. */
static newton_outcome renew(newton *nw, const newton_step *st)
{
    matrix_point at = {st->t, st->h, st->y_pred, st->yp_pred, nw->delta, st->inverse_weight};
    nw->wants_parts = true; /* until they are complete */
    int answer = matrix_evaluate(nw->matrix, &at);
    if (answer != DAEDAL_CALL_OK)
        return newton_outcome_of(answer);
    nw->rate = -1.0;
    nw->waste = 0.0;
    nw->age = 0;
    nw->wants_parts = false;
    nw->parts_are_new = true;
    return factor(nw, st->c);
}

/* How far the factored c is from the wanted one: 0 .. 1. */
static double mismatch(const newton *nw, double c)
{
    double cf = nw->matrix->c;
    return fabs(c - cf) / fabs(c + cf);
}

static newton_outcome prepare_matrix(newton *nw, const newton_step *st)
{
    const newton_rules *rules = rules_for(nw);
    nw->parts_are_new = false;
    if (rules->forget_rate && st->c != nw->c_last)
        nw->rate = -1.0;
    nw->c_last = st->c;
    if (nw->wants_parts || isnan(nw->matrix->c))
        return renew(nw, st);
    if (!(mismatch(nw, st->c) <= ROUNDED_UP * rules->window))
        return rules->fresh_parts || nw->age > rules->age_max ? renew(nw, st) : factor(nw, st->c);
    return NEWTON_DONE;
}

/* Corrections at roundoff level of y mean convergence, whatever the rate. */
static bool is_roundoff(const newton *nw, const newton_step *st, double norm)
{
    const vector_space *space = &nw->ev->space;
    return norm <= space_wrms(space, st->noise, st->inverse_weight) ||
           norm <= 100.0 * DBL_EPSILON * space_wrms(space, st->y_pred, st->inverse_weight);
}

static void apply_first(const newton *nw, const newton_step *st, double scale)
{
    for (int32_t i = 0; i < nw->ev->n; i++) {
        double d = scale * nw->delta[i];
        nw->delta[i] = d;
        st->e[i] = -d;
        st->y[i] = st->y_pred[i] - d;
        st->yp[i] = st->yp_pred[i] - st->c * d;
    }
}

static void apply(const newton *nw, const newton_step *st, double scale)
{
    for (int32_t i = 0; i < nw->ev->n; i++) {
        double d = scale * nw->delta[i];
        nw->delta[i] = d;
        st->e[i] -= d;
        st->y[i] -= d;
        st->yp[i] -= st->c * d;
    }
}

static bool accept_first(newton *nw, const newton_step *st, double norm)
{
    const newton_rules *rules = rules_for(nw);
    double rate = nw->rate < 0.0 ? rules->unknown_rate : nw->rate;
    if (rules->window_is_rate)
        rate = fmax(rate, mismatch(nw, st->c));
    if (nw->single < rules->single_max && rate * norm <= (1.0 - rate) * rules->tolerance) {
        nw->single++;
        return true;
    }
    return is_roundoff(nw, st, norm);
}

static double root(double x, int m)
{
    return m == 1 ? x : m == 2 ? sqrt(x) : cbrt(x);
}

/* delta := A^-1 delta with the matrix at the present iterate, as exactly as is needed. */
static newton_outcome solve(newton *nw, const newton_step *st, bool first)
{
    matrix_linear at = {st->t,
                        st->c,
                        first ? st->y_pred : st->y,
                        first ? st->yp_pred : st->yp,
                        st->inverse_weight,
                        rules_for(nw)->tolerance,
                        NULL};
    matrix_outcome outcome = matrix_solve_at(nw->matrix, &at, nw->delta);
    if (outcome == MATRIX_SLOW && nw->parts_are_new)
        matrix_note_failure(nw->matrix, false);
    return outcome_of_solving(outcome);
}

/* Iterate with the factors at hand; nw->delta holds the residual at the prediction. */
static newton_outcome iterate(newton *nw, const newton_step *st, int *iterations)
{
    const newton_rules *rules = rules_for(nw);
    double scale = rules->scale_by_c ? 2.0 / (1.0 + st->c / nw->matrix->c) : 1.0;
    double first = 0.0;
    for (int m = 0; m < ITERATIONS_MAX; m++) {
        if (m > 0) {
            int answer = evaluator_residual(nw->ev, st->t, st->y, st->yp, nw->delta);
            if (answer != DAEDAL_CALL_OK)
                return newton_outcome_of(answer);
        }
        newton_outcome solved = solve(nw, st, m == 0);
        if (solved != NEWTON_DONE)
            return solved;
        nw->ev->stats->iterations++;
        *iterations = m;
        (m > 0 ? apply : apply_first)(nw, st, scale);
        double norm = space_wrms(&nw->ev->space, nw->delta, st->inverse_weight);
        if (m == 0) {
            first = norm;
            if (accept_first(nw, st, norm))
                return NEWTON_DONE;
            continue;
        }
        double rate = root(norm / first, m);
        if (!(rate <= RATE_MAX))
            return is_roundoff(nw, st, norm) ? NEWTON_DONE : NEWTON_SLOW;
        nw->rate = fmax(rate, rules->least_rate);
        nw->single = 0;
        if (rate * norm <= (1.0 - rate) * rules->tolerance || is_roundoff(nw, st, norm))
            return NEWTON_DONE;
    }
    return NEWTON_SLOW;
}

/* Put y back inside its bounds if it is outside by less than the iteration error
 * (as DASSL's code does for y >= 0).                                                   */
static newton_outcome keep_bounds(newton *nw, const newton_step *st)
{
    double *way = nw->delta; /* free by now */
    if (!bounds_are_given(nw->ev->sys) || !bounds_way_back(nw->ev->sys, &nw->ev->space, st->y, way))
        return NEWTON_DONE;
    if (space_wrms(&nw->ev->space, way, st->inverse_weight) > newton_rules_classic.tolerance)
        return NEWTON_SLOW;
    for (int32_t i = 0; i < nw->ev->n; i++) {
        st->y[i] += way[i];
        st->e[i] += way[i];
        st->yp[i] += st->c * way[i];
    }
    return NEWTON_DONE;
}

/* Charge slow iterations to the old parts; when they cost enough, ask for new ones. */
static void keep_account(newton *nw, int iterations)
{
    nw->age++;
    nw->wants_parts = nw->wants_parts || matrix_wants_new_parts(nw->matrix);
    if (matrix_is_current(nw->matrix)) /* iterations say nothing of the parts */
        return;
    bool only_after_failure = nw->rules->fresh_parts && !matrix_is_iterative(nw->matrix);
    if (only_after_failure || iterations == 0 || nw->parts_are_new)
        return;
    if (nw->rate > WASTEFUL)
        nw->waste += iterations;
    if (nw->rate > BAD)
        nw->waste += 1.0;
    if (nw->waste >= 0.5 * matrix_price(nw->matrix)) {
        nw->wants_parts = true;
        nw->waste = 0.0;
    }
}

newton_outcome newton_solve(newton *nw, const newton_step *st)
{
    for (;;) {
        int answer = evaluator_residual(nw->ev, st->t, st->y_pred, st->yp_pred, nw->delta);
        if (answer != DAEDAL_CALL_OK)
            return newton_outcome_of(answer);
        newton_outcome outcome = prepare_matrix(nw, st);
        if (outcome != NEWTON_DONE)
            return outcome;
        int iterations = 0;
        outcome = iterate(nw, st, &iterations);
        if (outcome == NEWTON_DONE)
            outcome = keep_bounds(nw, st);
        if (outcome == NEWTON_DONE) {
            matrix_note_success(nw->matrix);
            keep_account(nw, iterations);
            return outcome;
        }
        nw->wants_parts = true;
        if (outcome == NEWTON_SLOW && nw->parts_are_new)
            matrix_note_failure(nw->matrix, true);
        if (outcome != NEWTON_SLOW || nw->parts_are_new)
            return outcome;
    }
}
