/* solver/sensitivity_steps.c - see sensitivity.h: steps that go along with those of bdf.
 *
 * Where bdf integrates the states, one linear system for all parameters gives the sensitivities at
 * the end of each of its steps: s' there is the derivative of the polynomial through the new value
 * and the last k ones, so that
 *     (dF/dy + c dF/dy') s = -dF/dp - dF/dy' b,   s' = c s + b,   b = sum of w_i s_{n-i},
 * a staggered direct method [CS85], with the order of the states.  A factorization costs less than
 * one more iteration for several parameters, unless the matrix is large and dense: then old factors
 * serve in an iteration [FTB97].
 *
 * Values are kept, not their differences: nothing has to be updated after a step.  The difference
 * to the polynomial through the last k + 1 values gives the error, as for the states, of each
 * parameter for itself.  If it is too large shorter steps are taken, for which the dense output of
 * the states gives the coefficients.  Such steps have an order of their own, at least that of the
 * states: where these are linear in time theirs is one, and hundreds of short steps of order one
 * would add up their errors.                                                      */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "integ/bdf.h"
#include "integ/interpolant.h"
#include "linalg/difference_weights.h"
#include "linalg/vector.h"
#include "solver/sensitivity.h"

static const double STRETCH = 1.5; /* of the step that errors allow, and it is tried        */
static const double ITERATION_COST = 1.5; /* of a solve, with its product */
static const double SKIPPED = 2.25;  /* steps that errors allow: one of the states is left out  */
static const double LASTING = 8.0;   /* steps: where errors last longer, less is left out         */
static const double SHRINKAGE = 0.4; /* of the last step: shorter ones may have met a jump of F */
static const double SHORTEST = 1e-5; /* step, of that of the states: further ones are hopeless */
enum { ITERATIONS_USUAL = 2, ITERATIONS_MAX = 4, FAILURES_MAX = 10 };
static const double WINDOW = 0.3;    /* |c - c_f| / (c + c_f), for old factors               */
static const double ITERATED = 0.05; /* of a tolerance: the error of an iteration            */
static const double RATE_MAX = 0.5;

/* ---- memory ---- */

bool sensitivity_steps_serve(const sensitivities *s)
{
    const run *r = s->states;
    bool multistep = r->now.method == METHOD_BDF || r->now.method == METHOD_BDF_CLASSIC;
    return multistep && r->constraints.n_levels == 0 && !run_has_high_index(r) &&
           !r->matrix.inexact && r->matrix.solver;
}

static size_t size_of_all(const sensitivities *s)
{
    return (size_t)s->n * (size_t)s->n_parameters;
}

/* One vector more: the error of the states. */
static size_t size_of_columns(const sensitivities *s)
{
    return size_of_all(s) + (size_t)s->n;
}

static void lay_out(void *object, layout *l)
{
    sensitivities *s = object;
    sensitivity_steps *st = &s->steps;
    for (int k = 0; k < SENSITIVITY_POINTS; k++)
        st->value[k] = layout_take(l, size_of_columns(s), sizeof(double));
    for (int k = 0; k < 2; k++)
        st->slope[k] = layout_take(l, size_of_columns(s), sizeof(double));
    st->work = layout_take(l, size_of_columns(s), sizeof(double));
    st->trial = layout_take(l, size_of_columns(s), sizeof(double));
    st->weight = layout_take(l, (size_t)s->n, sizeof(double));
    for (int k = 0; k < 2; k++) {
        st->skipped.y[k] = layout_take(l, (size_t)s->n, sizeof(double));
        st->skipped.yp[k] = layout_take(l, (size_t)s->n, sizeof(double));
    }
}

bool sensitivity_steps_create(sensitivities *s)
{
    for (int k = 0; k < SENSITIVITY_POINTS; k++)
        s->steps.slot[k] = k;
    return block_create(&s->steps.mem, s->states->allocator, lay_out, s);
}

void sensitivity_steps_free(sensitivities *s)
{
    block_free(&s->steps.mem);
    s->steps = (sensitivity_steps){0};
}

/* The factors are not copied: an iteration would begin with new ones. */
void sensitivity_steps_copy(sensitivities *s, const sensitivities *from)
{
    if (!from->steps.mem.p)
        return;
    block mem = s->steps.mem;
    s->steps = from->steps;
    s->steps.mem = mem;
    block_place(&mem, lay_out, s);
    block_copy(&s->steps.mem, &from->steps.mem);
}

/* ---- sums of vectors ---- */

enum { TERMS_MAX = SENSITIVITY_POINTS + 1 };

typedef struct sum_of_vectors {
    int32_t count;
    double weight[TERMS_MAX];
    const double *vector[TERMS_MAX];
} sum_of_vectors;

static void add_term(sum_of_vectors *sum, double weight, const double *vector)
{
    sum->weight[sum->count] = weight;
    sum->vector[sum->count++] = vector;
}

/* out = sum of the first terms; `count` is a constant where this is called. */
static inline void sum_up(const sum_of_vectors *of, const int32_t count, size_t n,
                          double *restrict out)
{
    double w[TERMS_MAX] = {0.0};
    const double *v[TERMS_MAX] = {0};
    for (int32_t k = 0; k < count; k++) {
        w[k] = of->weight[k];
        v[k] = of->vector[k];
    }
    for (size_t j = 0; j < n; j++) {
        double sum = 0.0;
        for (int32_t k = 0; k < count; k++)
            sum += w[k] * v[k][j];
        out[j] = sum;
    }
}

static void evaluate_sum(const sum_of_vectors *of, size_t n, double *out)
{
#define CASE(count)                                                                                \
    case count:                                                                                    \
        sum_up(of, count, n, out);                                                                 \
        break;
    switch (of->count) {
        CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9)
    }
#undef CASE
}

/* ---- polynomials through the last values ---- */

static double *point(const sensitivity_steps *st, int32_t i)
{
    return st->value[st->slot[i]];
}

/* The next value goes where the oldest one is. */
static double *new_point(const sensitivity_steps *st)
{
    return point(st, SENSITIVITY_POINTS - 1);
}

/* weight[m][i]: of point i in the m-th derivative at t of the polynomial through `count` points. */
static void polynomial(const sensitivity_steps *st, double t, int32_t count, int32_t order,
                       double weight[][DIFFERENCE_NODES_MAX])
{
    double node[SENSITIVITY_POINTS] = {0.0};
    for (int32_t i = 0; i < count; i++)
        node[i] = st->t[i] - t;
    difference_weights(node, count, order, weight);
}

static sum_of_vectors prediction(const sensitivity_steps *st, double t, int32_t k)
{
    double weight[1][DIFFERENCE_NODES_MAX];
    sum_of_vectors sum = {0};
    polynomial(st, t, k + 1, 0, weight);
    for (int32_t i = 0; i <= k; i++)
        add_term(&sum, weight[0][i], point(st, i));
    return sum;
}

/* b of the head comment; *c is the weight of the new value. */
static sum_of_vectors old_part_of_slope(const sensitivity_steps *st, double t, int32_t k, double *c)
{
    double node[SENSITIVITY_POINTS] = {0.0}, weight[2][DIFFERENCE_NODES_MAX];
    sum_of_vectors sum = {0};
    for (int32_t i = 0; i < k; i++)
        node[i + 1] = st->t[i] - t;
    difference_weights(node, k + 1, 1, weight);
    *c = weight[1][0];
    for (int32_t i = 0; i < k; i++)
        add_term(&sum, weight[1][i + 1], point(st, i));
    return sum;
}

/* As integ/bdf_interpolate.c: a cubic corrects the slope at the beginning of the step; that at its
 * end is right by definition.                                                   */
void sensitivity_steps_interpolate(const sensitivities *s, double t, double *value, double *slope)
{
    const sensitivity_steps *st = &s->steps;
    size_t all = size_of_all(s);
    if (t == st->t[0] || st->order == 0) {
        interpolant_copy((int32_t)all, point(st, 0), st->slope[st->newer], value, slope);
        return;
    }
    double here[2][DIFFERENCE_NODES_MAX], before[2][DIFFERENCE_NODES_MAX], h = st->t[0] - st->t[1];
    interpolant_bumps bump = interpolant_bumps_at((t - st->t[1]) / h, h);
    sum_of_vectors values = {0}, slopes = {0};
    polynomial(st, t, st->order + 1, 1, here);
    polynomial(st, st->t[1], st->order + 1, 1, before);
    for (int32_t i = 0; i <= st->order; i++) {
        add_term(&values, here[0][i] - bump.start * before[1][i], point(st, i));
        add_term(&slopes, here[1][i] - bump.start_slope * before[1][i], point(st, i));
    }
    add_term(&values, bump.start, st->slope[1 - st->newer]);
    add_term(&slopes, bump.start_slope, st->slope[1 - st->newer]);
    evaluate_sum(&values, all, value);
    evaluate_sum(&slopes, all, slope);
}

/* ---- the linear system ---- */

/* A step under way. */
typedef struct linear_step {
    double t, c;
    int32_t k;
    double *value, *slope; /* at its end; first the slope is b alone */
} linear_step;

/* The largest norm of the vectors of all parameters, in tolerances; where noise is given these are
 * at least that.                                                                 */
static double norm_of(const sensitivities *s, const double *v, const double *noise)
{
    double most = 0.0;
    for (int32_t i = 0; i < s->n_parameters; i++, v += s->n) {
        const double *now = point(&s->steps, 0) + (size_t)i * (size_t)s->n;
        double *weight = s->steps.weight;
        for (int32_t j = 0; j < s->n; j++)
            weight[j] = 1.0 / (s->system.rtol[j] * fabs(now[j]) + s->system.atol[j]);
        for (int32_t j = 0; j < s->n && noise; j++)
            weight[j] = fmin(weight[j], 1.0 / fabs(noise[(size_t)i * (size_t)s->n + (size_t)j]));
        for (int32_t j = 0; j < s->n && s->steps.order == 0; j++)
            weight[j] = s->states->is_differential[j] ? weight[j] : 0.0; /* see mend_first_point */
        double norm = vector_wrms(v, weight, s->n);
        most = norm <= most || isnan(most) ? most : norm; /* NaN stays */
    }
    return most;
}

/* The common case: dF/dy' is diagonal. */
static void form_right_side_by_diagonal(sensitivities *s, const double *b, double *out)
{
    const iteration_matrix *m = &s->parts;
    const double *dp = s->at.dp;
    double *diagonal = s->steps.weight;
    memset(diagonal, 0, (size_t)s->n * sizeof *diagonal);
    for (int32_t q = 0; q < m->n_dyp; q++)
        diagonal[m->dyp_row[q]] = m->dyp[m->dyp_at[q]];
    for (int32_t i = 0; i < s->n_parameters; i++, b += s->n, dp += s->n, out += s->n)
        for (int32_t j = 0; j < s->n; j++)
            out[j] = -(dp[j] + diagonal[j] * b[j]);
    for (int32_t j = 0; j < s->n; j++)
        out[j] = -diagonal[j] * b[j];
}

/* out = -dF/dp - dF/dy' b */
static void form_right_side(sensitivities *s, const double *b, double *out)
{
    const iteration_matrix *m = &s->parts;
    const double *dp = s->at.dp;
    if (m->dyp_is_diagonal) {
        form_right_side_by_diagonal(s, b, out);
        return;
    }
    for (int32_t i = 0; i < s->n_parameters; i++, b += s->n, dp += s->n, out += s->n) {
        for (int32_t j = 0; j < s->n; j++)
            out[j] = -dp[j];
        for (int32_t q = 0; q < m->n_dyp; q++)
            out[m->dyp_row[q]] -= m->dyp[m->dyp_at[q]] * b[m->dyp_col[q]];
    }
    memset(out, 0, (size_t)s->n * sizeof *out);
    for (int32_t q = 0; q < m->n_dyp; q++)
        out[m->dyp_row[q]] -= m->dyp[m->dyp_at[q]] * b[m->dyp_col[q]];
}

static bool solve_directly(sensitivities *s, const linear_step *step)
{
    s->steps.rate = -1.0;
    if (matrix_factor(&s->parts, step->c) != DAEDAL_OK)
        return false;
    form_right_side(s, step->slope, step->value);
    return matrix_solve_many(&s->parts, step->value, s->n_parameters + 1);
}

static double mismatch(const sensitivities *s, double c)
{
    return fabs(c - s->parts.c) / fabs(c + s->parts.c);
}

static bool prefers_old_factors(const sensitivities *s, double c)
{
    double iterations = ITERATION_COST * ITERATIONS_USUAL * s->n_parameters;
    return s->parts.factor_price > iterations && mismatch(s, c) <= WINDOW;
}

/* value -= the residual times the inverse of the old matrix; how far it moved, in tolerances. */
static double correct(sensitivities *s, const linear_step *step)
{
    size_t all = size_of_columns(s);
    double *work = s->steps.work, *slope = s->steps.trial;
    double scale = 2.0 / (1.0 + step->c / s->parts.c);
    for (size_t k = 0; k < all; k++)
        slope[k] = step->slope[k] + step->c * step->value[k];
    memcpy(work, s->at.dp, size_of_all(s) * sizeof *work);
    memset(work + size_of_all(s), 0, (size_t)s->n * sizeof *work);
    sensitivity_add_products(s, s->n_parameters + 1, step->value, slope, work);
    if (!matrix_solve_many(&s->parts, work, s->n_parameters + 1))
        return NAN;
    for (size_t k = 0; k < all; k++) {
        work[k] *= scale;
        step->value[k] -= work[k];
    }
    s->linear->stats.iterations++;
    return norm_of(s, work, NULL);
}

/* With old factors, from the prediction on; false: they do not serve. */
static bool iterate(sensitivities *s, const linear_step *step)
{
    sensitivity_steps *st = &s->steps;
    double last = 0.0;
    sum_of_vectors predicted = prediction(st, step->t, step->k);
    evaluate_sum(&predicted, size_of_columns(s), step->value);
    for (int m = 0; m < ITERATIONS_MAX; m++) {
        double norm = correct(s, step);
        if (m > 0)
            st->rate = norm / last;
        double rate = st->rate < 0.0 ? RATE_MAX : fmax(st->rate, mismatch(s, step->c));
        if (!(rate <= RATE_MAX))
            return false;
        if (rate * norm <= (1.0 - rate) * ITERATED)
            return true;
        last = norm;
    }
    return false;
}

static bool solve(sensitivities *s, const linear_step *step)
{
    return (prefers_old_factors(s, step->c) && iterate(s, step)) || solve_directly(s, step);
}

/* ---- one attempt ---- */

/* The first step has a point behind it, as if a step of its size had led to the start. */
static void lay_first_point(sensitivities *s, double t_new)
{
    sensitivity_steps *st = &s->steps;
    double h = t_new - st->t[0], *before = point(st, 1);
    const double *now = point(st, 0), *slope = st->slope[st->newer];
    for (size_t k = 0; k < size_of_columns(s); k++)
        before[k] = now[k] - h * slope[k];
    st->t[1] = st->t[0] - h;
    st->n_points = 2;
}

/* The equations do not tell the slope of an algebraic variable at the start; the first step does.
 */
static void mend_first_point(sensitivities *s, const linear_step *step)
{
    sensitivity_steps *st = &s->steps;
    double h = step->t - st->t[0], *before = point(st, 1), *slope = st->slope[st->newer];
    const double *now = point(st, 0);
    for (int32_t i = 0; i < s->n_parameters; i++)
        for (int32_t j = 0; j < s->n; j++) {
            size_t k = (size_t)i * (size_t)s->n + (size_t)j;
            if (s->states->is_differential[j])
                continue;
            slope[k] = (step->value[k] - now[k]) / h;
            before[k] = now[k] - h * slope[k];
        }
}

/* Petzold's filter, as for the states: what the errors of differential variables make of the
 * algebraic ones, of the errors in `work`.                                        */
static double filtered_norm(sensitivities *s, double c)
{
    double *work = s->steps.trial;
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const size_t first = (size_t)i * (size_t)s->n;
        matrix_times_dyp(&s->parts, s->steps.work + first, work + first);
        for (int32_t j = 0; j < s->n; j++)
            work[first + (size_t)j] *= c;
    }
    return matrix_solve_many(&s->parts, work, s->n_parameters) ? norm_of(s, work, NULL) : INFINITY;
}

/* The norm of the differences in `work` beyond what roundoff in the terms of the equations
 * explains: near a zero of a sensitivity its tolerance may ask for more digits than there are. */
static double norm_beyond_roundoff(sensitivities *s, const linear_step *step,
                                   const sum_of_vectors *difference)
{
    const double safety = 3.0;
    double growth = 0.0, *noise = s->steps.trial;
    for (int32_t i = 0; i < difference->count; i++)
        growth += fabs(difference->weight[i]);
    for (int32_t i = 0; i < s->n_parameters; i++) {
        const double *value = step->value + (size_t)i * (size_t)s->n;
        for (int32_t j = 0; j < s->n; j++)
            s->errors.work[j] = safety * growth * step->c * value[j];
        for (int32_t j = 0; j < s->n; j++)
            s->steps.weight[j] = safety * growth * value[j];
        matrix_term_noise(&s->parts, s->steps.weight, s->errors.work,
                          noise + (size_t)i * (size_t)s->n);
    }
    return matrix_solve_many(&s->parts, noise, s->n_parameters) ? norm_of(s, s->steps.work, noise)
                                                                : INFINITY;
}

/* What the difference to the prediction has of an error: [BCP96] (5.2.20).  A step that is far
 * shorter than the one before it may contain a corner of F, where sensitivities bend: then it is
 * taken for one of many equal steps, of which the share is larger.                */
static double share_of_error(const sensitivity_steps *st, const linear_step *step)
{
    const double cut = 0.1;
    double share = fabs(1.0 / ((step->t - st->t[step->k]) * step->c)), sum = 0.0;
    if (fabs(step->t - st->t[0]) >= cut * fabs(st->t[0] - st->t[1]))
        return share;
    for (int32_t i = 1; i <= step->k; i++)
        sum += 1.0 / i;
    return fmax(share, 1.0 / ((step->k + 1) * sum));
}

/* The error of the step, in tolerances, as in bdf_gated.c. */
static double error_of(sensitivities *s, const linear_step *step)
{
    const double least = 0.1; /* share of the plain norm that the filter cannot hide */
    sensitivity_steps *st = &s->steps;
    sum_of_vectors difference = prediction(st, step->t, step->k);
    add_term(&difference, -1.0, step->value);
    evaluate_sum(&difference, size_of_all(s), st->work);
    double share = share_of_error(st, step);
    double error = share * norm_of(s, st->work, NULL);
    if (error > 1.0) {
        double filtered = share * filtered_norm(s, step->c);
        error = isnan(filtered) ? filtered : fmax(filtered, least * error);
    }
    return error > 1.0 ? fmin(error, share * norm_beyond_roundoff(s, step, &difference)) : error;
}

/* The defect of a step of the states, added.  A step that had to be cut to a small part of the one
 * before it may have met a jump, and differences of values on both sides are no derivatives. */
static void add_defect(sensitivities *s, double *slope)
{
    const double cut = 0.1;
    const daedal_stats *of = &s->states->stats;
    sensitivity_errors *e = &s->errors;
    double h = fabs(of->h_last);
    if (of->steps > 1 && h < cut * e->h_before)
        e->smooth_from = of->steps + of->order_last + 1;
    e->h_before = h;
    if (of->steps >= e->smooth_from)
        bdf_add_defect(s->states->integrator, slope);
}

/* A daedal_answer; RETRY also where the matrix is singular. */
static int attempt(sensitivities *s, linear_step *step, double *error)
{
    size_t all = size_of_columns(s);
    sum_of_vectors old = old_part_of_slope(&s->steps, step->t, step->k, &step->c);
    int answer = sensitivity_evaluate(s, step->t);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    evaluate_sum(&old, all, step->slope);
    add_defect(s, step->slope + size_of_all(s));
    if (!solve(s, step))
        return DAEDAL_CALL_RETRY;
    *error = error_of(s, step);
    return DAEDAL_CALL_OK;
}

/* ---- steps of the states that are left out ---- */

static void note_states(sensitivities *s, int end, double t, const double *y, const double *yp)
{
    skipped_step *skipped = &s->steps.skipped;
    size_t bytes = (size_t)s->n * sizeof(double);
    skipped->t[end] = t;
    memcpy(skipped->y[end], y, bytes);
    memcpy(skipped->yp[end], yp, bytes);
}

/* One at a time: after the next step of the states the one before it cannot be made up for.  Errors
 * that the system forgets may be as large as the error test allows; where they add up, as in
 * oscillators, sensitivities shall not be less accurate than the states.             */
bool sensitivity_steps_skip(sensitivities *s, double t)
{
    sensitivity_steps *st = &s->steps;
    const run *r = s->states;
    integ_view v = r->method->view(r->integrator);
    double h = fabs(t - st->t[0]), before = fabs(st->t[0] - st->t[1]);
    bool may = st->is_on && !st->skipped.is_open && st->order > 0 && v.t == t &&
               v.t_before == st->t[0] && h >= SHRINKAGE * before && SKIPPED * h <= st->h_skip;
    if (!may)
        return false;
    note_states(s, 1, t, v.y, v.yp);
    st->skipped.order = r->stats.order_last;
    st->skipped.is_open = true;
    st->skipped.is_cut = false;
    return true;
}

/* Inside the step by the cubic through values and slopes at its ends: it is needed where the
 * sensitivities suddenly ask for shorter steps than before.                           */
bool sensitivity_steps_know_states(const sensitivities *s, double t, double *y, double *yp)
{
    const skipped_step *of = &s->steps.skipped;
    double h = of->t[1] - of->t[0], x = (t - of->t[0]) / h;
    if (!of->is_open || !(x >= 0.0 && x <= 1.0))
        return false;
    if (t == of->t[1]) {
        interpolant_copy(s->n, of->y[1], of->yp[1], y, yp);
        return true;
    }
    interpolant_bumps bump = interpolant_bumps_at(x, h);
    for (int32_t j = 0; j < s->n; j++) {
        double secant = (of->y[1][j] - of->y[0][j]) / h;
        double a = of->yp[0][j] - secant, b = of->yp[1][j] - secant;
        y[j] = of->y[0][j] + x * h * secant + bump.start * a + bump.end * b;
        yp[j] = secant + bump.start_slope * a + bump.end_slope * b;
    }
    return true;
}

/* ---- steps ---- */

void sensitivity_steps_begin(sensitivities *s, double t)
{
    sensitivity_steps *st = &s->steps;
    size_t bytes = size_of_all(s) * sizeof(double);
    memcpy(point(st, 0), s->value, bytes);
    memcpy(st->slope[st->newer], s->slope, bytes);
    memcpy(point(st, 0) + size_of_all(s), s->errors.states, (size_t)s->n * sizeof(double));
    memset(st->slope[st->newer] + size_of_all(s), 0, (size_t)s->n * sizeof(double));
    st->t[0] = t;
    st->n_points = 1;
    st->order = 0;
    st->limit = BDF_ORDER_MAX;
    st->since = st->own = st->same = 0;
    st->h_own = st->h_skip = 0.0;
    st->rate = -1.0;
    st->is_on = true;
    st->skipped.is_open = false;
    note_states(s, 0, t, s->states->y, s->states->yp);
    s->parts.c = NAN;
}

static void accept(sensitivities *s, const linear_step *step, double error)
{
    sensitivity_steps *st = &s->steps;
    int32_t newest = st->slot[SENSITIVITY_POINTS - 1];
    double h = step->t - st->t[0];
    for (int i = SENSITIVITY_POINTS - 1; i > 0; i--) {
        st->slot[i] = st->slot[i - 1];
        st->t[i] = st->t[i - 1];
    }
    st->slot[0] = newest;
    st->t[0] = step->t;
    note_states(s, 0, step->t, s->at.y, s->at.yp);
    st->skipped.is_open = st->skipped.is_open && (st->skipped.t[1] - step->t) * h > 0.0;
    st->newer = 1 - st->newer;
    st->n_points += st->n_points < SENSITIVITY_POINTS;
    st->order = step->k;
    sensitivity_errors_note_states(s, point(st, 0) + size_of_all(s), step->c);
    st->h_own = fabs(h) * bdf_step_factor(error, step->k);
    error *= fmax(1.0, s->errors.lasting / LASTING);
    st->h_skip = fabs(h) * bdf_step_factor(error, step->k);
    if (st->limit < BDF_ORDER_MAX && ++st->since > st->limit) {
        st->limit++;
        st->since = 0;
    }
    s->linear->stats.steps++;
    s->linear->stats.h_last = h;
    sensitivity_errors_follow(s);
}

/* The end of the next step on the way to t_last, after so many failures.  What fails over two steps
 * of the states is tried over the first of them.                                     */
static double end_of_step(const sensitivity_steps *st, double t_last, int failures)
{
    double stretch = failures > 0 ? 1.0 : STRETCH, way = t_last - st->t[0];
    if (st->h_own == 0.0 || fabs(way) <= stretch * st->h_own)
        return t_last;
    if (st->skipped.is_open && st->skipped.t[1] != t_last) {
        double first = st->skipped.t[1] - st->t[0];
        bool is_tried = !st->skipped.is_cut && failures <= 1;
        if (is_tried || fabs(first) <= stretch * st->h_own)
            return st->skipped.t[1];
        way = first;
    }
    return st->t[0] + way / ceil(fabs(way) / st->h_own);
}

static void retreat(sensitivity_steps *st, const linear_step *step, double error, int failures)
{
    double factor = isfinite(error) ? 0.8 * pow(2.0 * error, -1.0 / (step->k + 1)) : 0.25;
    st->h_own = fabs(step->t - st->t[0]) * fmin(fmax(failures > 1 ? 0.25 : factor, 0.25), 0.7);
    st->same = 0;
    st->own = failures > 1 ? 0 : st->own;
    if (failures > 1) {
        st->limit = failures > 2 || step->k == 1 ? 1 : step->k - 1;
        st->since = 0;
    }
}

/* In the step of the states that was left out, or in their last one. */
static int32_t order_of_states(const sensitivities *s, double t)
{
    const skipped_step *of = &s->steps.skipped;
    bool is_left_out = of->is_open && s->states->limits.direction * (of->t[1] - t) >= 0.0;
    return is_left_out ? of->order : s->states->stats.order_last;
}

/* Whether a short step might have been longer with the next order, and by which factor the next
 * one is; as in bdf_gated.c after as many steps as its formula has points.          */
static bool raises_order(sensitivities *s, const linear_step *step, double error, double *factor)
{
    const double gain = 1.2;
    sensitivity_steps *st = &s->steps;
    int32_t k = step->k;
    st->same = k == st->order ? st->same + 1 : 0;
    if (st->same <= k || k >= BDF_ORDER_MAX || k >= st->limit || st->n_points < k + 2)
        return false;
    sum_of_vectors difference = prediction(st, step->t, k + 1);
    add_term(&difference, -1.0, step->value);
    evaluate_sum(&difference, size_of_all(s), st->work);
    double c = step->c + 1.0 / (step->t - st->t[k]);
    double share = fabs(1.0 / ((step->t - st->t[k + 1]) * c));
    *factor = bdf_step_factor(share * norm_of(s, st->work, NULL), k + 1);
    return *factor > gain * bdf_step_factor(error, k);
}

/* One step, as long as the error allows. */
static daedal_status take_step(sensitivities *s, double t_last)
{
    sensitivity_steps *st = &s->steps;
    double shortest = SHORTEST * fabs(s->states->stats.h_last);
    for (int failures = 1; failures <= FAILURES_MAX; failures++) {
        linear_step step = {.t = end_of_step(st, t_last, failures - 1),
                            .value = new_point(st),
                            .slope = st->slope[1 - st->newer]};
        double error = INFINITY;
        if (step.t != t_last && fabs(step.t - st->t[0]) < shortest)
            break;
        if (st->order == 0)
            lay_first_point(s, step.t);
        int32_t order = order_of_states(s, step.t);
        order = order < st->own ? st->own : order;
        order = order < st->limit ? order : st->limit;
        step.k = order < st->n_points ? order : st->n_points - 1;
        int answer = attempt(s, &step, &error);
        if (answer == DAEDAL_CALL_STOP)
            return DAEDAL_STOPPED;
        if (answer == DAEDAL_CALL_FAIL)
            return DAEDAL_ERR_RETRY;
        if (error <= 1.0) {
            for (size_t k = 0; k < size_of_columns(s); k++)
                step.slope[k] += step.c * step.value[k];
            double factor, h = fabs(step.t - st->t[0]);
            bool raises = step.t != t_last && raises_order(s, &step, error, &factor);
            if (st->order == 0)
                mend_first_point(s, &step);
            accept(s, &step, error);
            st->own = raises ? step.k + 1 : st->own;
            st->h_own = raises ? h * factor : st->h_own;
            return DAEDAL_OK;
        }
        s->linear->stats.rejected_error++;
        st->skipped.is_cut = st->skipped.is_cut || step.t == st->skipped.t[1];
        retreat(st, &step, error, failures);
    }
    return DAEDAL_ERR_RETRY;
}

daedal_status sensitivity_steps_advance(sensitivities *s, double t, double t_last)
{
    sensitivity_steps *st = &s->steps;
    double direction = s->states->limits.direction;
    while (direction * (t - st->t[0]) > 0.0) {
        daedal_status status = take_step(s, t_last);
        if (status == DAEDAL_ERR_RETRY)
            sensitivity_steps_interpolate(s, st->t[0], s->value, s->slope);
        RETURN_UNLESS_OK(status);
    }
    return DAEDAL_OK;
}
