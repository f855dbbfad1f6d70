/* integ/slope_solver.c - see slope_solver.h. */
#include "integ/slope_solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/vector.h"

enum { ITERATIONS_MAX = 12 };
static const double TELLING = 1.0;    /* of h y', in tolerances: enough to measure a rate     */
static const double SLOWEST = 0.5;    /* rate                                             */
static const double ROUNDOFFS = 20.0; /* of y': what further iterations do not improve    */

static void lay_out(void *object, layout *l)
{
    slope_solver *s = object;
    size_t n = (size_t)s->n_even;
    double **vectors[] = {&s->scale, &s->residual, &s->zeros, &s->ones};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, n, sizeof(double));
    s->equation = layout_take(l, n, sizeof(int32_t));
}

bool slope_create(slope_solver *s, const integ_context *context)
{
    const daedal_system *sys = context->ev->sys;
    bool constant = !sys->mass || sys->mass_kind == DAEDAL_MASS_CONSTANT;
    *s = (slope_solver){.in = *context, .rate = 1.0, .n_even = context->ev->n + context->ev->n % 2};
    s->is_certain = evaluator_is_mass_form(context->ev) && constant;
    if (!block_create(&s->mem, context->allocator, lay_out, s))
        return false;
    for (int32_t j = 0; j < context->ev->n; j++)
        s->ones[j] = 1.0;
    return true;
}

void slope_free(slope_solver *s)
{
    block_free(&s->mem);
}

void slope_copy(slope_solver *s, const slope_solver *from)
{
    integ_context in = s->in;
    block mem = s->mem;
    *s = *from;
    s->in = in;
    s->mem = mem;
    block_place(&s->mem, lay_out, s);
    block_copy(&s->mem, &from->mem);
}

/* Forget the factors, since the matrix may have been factored for another purpose. */
void slope_forget(slope_solver *s)
{
    s->rate = 1.0;
    s->is_ready = s->is_ready && s->is_single && !evaluator_is_mass_form(s->in.ev);
}

void slope_renew(slope_solver *s)
{
    s->rate = 1.0;
    s->is_ready = false;
}

/* ---- K ---- */

/* One entry in each row and column.  Differences of F give them to about eight digits: to those of
 * single precision the one of y' = f is exact.                                    */
static bool find_single(slope_solver *s)
{
    const iteration_matrix *m = s->in.matrix;
    int32_t n = s->in.ev->n;
    bool is_diagonal = true;
    s->is_diagonal = false;
    if (m->n_dyp != n || !matrix_slopes_are_single(m, s->residual, s->scale))
        return false;
    for (int32_t k = 0; k < n; k++) {
        int32_t i = m->dyp_row[k], j = m->dyp_col[k];
        double value = m->dyp[m->dyp_at[k]], rounded = (double)(float)value;
        bool is_close =
            fabs(value - rounded) <= FLT_EPSILON * fabs(value); /* no over-, underflow */
        is_diagonal = is_diagonal && i == j;
        s->equation[j] = i;
        s->scale[j] = 1.0 / (is_close && matrix_slopes_are_differenced(m) ? rounded : value);
    }
    s->is_diagonal = is_diagonal && !evaluator_is_mass_form(s->in.ev);
    return true;
}

newton_outcome slope_prepare(slope_solver *s, const matrix_point *at)
{
    int answer = matrix_evaluate(s->in.matrix, at);
    if (answer != DAEDAL_CALL_OK)
        return newton_outcome_of(answer);
    s->rate = 1.0;
    s->is_single = find_single(s);
    newton_outcome outcome = NEWTON_DONE;
    if (!s->is_single)
        outcome = newton_outcome_of_factoring(matrix_factor_mixed(s->in.matrix, s->zeros, s->ones));
    if (outcome == NEWTON_DONE && !s->is_single && matrix_is_nearly_singular(s->in.matrix))
        outcome = NEWTON_SINGULAR;
    s->is_ready = outcome == NEWTON_DONE;
    return outcome;
}

/* ---- y' ---- */

/* Set yp = from - K^-1 F. The answer is the sum of the squares of the change, in tolerances. */
static double correct(slope_solver *s, const slope_point *at, const double *from, double *yp)
{
    int32_t n = s->in.ev->n;
    const double *r = s->residual, *w = at->inverse_weight;
    double moved = 0.0;
    if (s->is_single) {
        for (int32_t j = 0; j < n; j++) {
            double by = r[s->equation[j]] * s->scale[j];
            yp[j] = from[j] - by;
            moved += by * w[j] * (by * w[j]);
        }
    } else {
        matrix_solve(s->in.matrix, s->residual);
        moved = vector_weighted_square(r, w, n);
        for (int32_t j = 0; j < n; j++)
            yp[j] = from[j] - r[j];
    }
    return moved;
}

/* Do one iteration. *moved is the sum of the squares of the change. */
static int iterate(slope_solver *s, const slope_point *at, const double *from, double *yp,
                   double *moved)
{
    int answer = evaluator_residual(s->in.ev, at->t, at->y, from, s->residual);
    if (answer == DAEDAL_CALL_OK)
        *moved = correct(s, at, from, yp);
    return answer;
}

/* The rate of convergence by two changes in a row.  It is kept if the first change is large enough
 * to determine it, or if no rate is known yet. */
static double rate_of(slope_solver *s, double change, double before)
{
    if (before > TELLING)
        s->rate = change / before;
    return s->rate < 1.0 ? s->rate : change / before;
}

newton_outcome slope_iterate_on(slope_solver *s, const slope_point *at, double moved, double *yp)
{
    double before = 0.0;
    for (int k = 0; k < ITERATIONS_MAX; k++) {
        int answer = k > 0 ? iterate(s, at, yp, yp, &moved) : DAEDAL_CALL_OK;
        if (answer != DAEDAL_CALL_OK)
            return newton_outcome_of(answer);
        double change = fabs(at->h) * sqrt(moved / s->in.ev->n);
        if (!isfinite(change))
            return NEWTON_SLOW;
        double size = fabs(at->h) * vector_wrms(yp, at->inverse_weight, s->in.ev->n);
        double roundoff = ROUNDOFFS * DBL_EPSILON * size;
        double rate = k > 0 ? rate_of(s, fmax(change, roundoff), before) : 1.0;
        if (change <= roundoff || (k > 0 && change * rate <= SLOPE_ACCURACY))
            return NEWTON_DONE;
        if (!isfinite(size) || (k > 0 && rate > SLOWEST))
            return NEWTON_SLOW;
        before = change;
    }
    return NEWTON_SLOW;
}

newton_outcome slope_conclude(slope_solver *s, const slope_point *at, int answer, double moved,
                              double *yp)
{
    if (!(moved <= DBL_MAX)) {
        evaluator_call call = {at->t, at->y, yp, s->residual};
        answer = evaluator_residual_otherwise(s->in.ev, &call, answer);
        if (answer != DAEDAL_CALL_OK)
            return newton_outcome_of(answer);
    }
    bool found = moved <= slope_enough(s, at->h, at->measure);
    return found ? NEWTON_DONE : slope_iterate_on(s, at, moved, yp);
}

newton_outcome slope_find_otherwise(slope_solver *s, const slope_point *at, const double *guess,
                                    double *yp)
{
    double moved = 0.0;
    int answer = iterate(s, at, guess, yp, &moved);
    if (answer != DAEDAL_CALL_OK)
        return newton_outcome_of(answer);
    bool found = moved <= slope_enough(s, at->h, at->measure);
    return found ? NEWTON_DONE : slope_iterate_on(s, at, moved, yp);
}
