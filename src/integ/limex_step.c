/* integ/limex_step.c - one accepted step of extrapolation; see limex.h for the formulas.  The body
 * of limex_step is the outline; fill_table is one attempt, the rest follows in the order of calls.
 * Order and size: [HW96] IV.9 after Deuflhard: the row that costs least per unit of time.  */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "integ/limex.h"
#include "integ/step_attempts.h"
#include "linalg/vector.h"
#include "newton/bounds.h"

/* How a large step ended. */
typedef enum limex_verdict { GO_ON, GOOD, TOO_LARGE } limex_verdict;

static newton_outcome fill_table(limex *x, int32_t *ended, limex_verdict *verdict);
static daedal_status retreat_from_rows(limex *x, step_attempts *a, newton_outcome why);
static daedal_status retreat_from_error(limex *x, step_attempts *a, int32_t j);
static daedal_status project(limex *x, int32_t j, double t_new, bool *far);
static newton_outcome verify(limex *x, int32_t j, double t_new);
static void accept(limex *x, int32_t j, const step_attempts *a);

/* The difference of the last two entries of the last row is still in x->rhs. */
static bool has_stalled(limex *x, step_attempts *a, int32_t ended)
{
    const double growth = 2.0; /* of the step, where roundoff was taken for its error */
    step_attempts_error at = {.h = x->h,
                              .y = x->knot[0].y,
                              .yp = x->knot[0].yp,
                              .error = x->rhs,
                              .inverse_weight = x->inverse_weight,
                              .size = x->error,
                              .point = x->y,
                              .residual = x->residual};
    bool stalled = step_attempts_have_stalled(a, &at);
    for (int32_t j = 2; j <= ended && at.size < x->error; j++)
        x->size[j] = fmax(x->size[j], growth * fabs(x->h));
    x->error = at.size;
    return stalled;
}

daedal_status limex_step(void *self, double t_limit)
{
    limex *x = self;
    step_attempts a = step_attempts_begin(&x->in, x->t, t_limit, &x->h, x->steps_done == 0);
    weights_inverse_plain(x->in.tolerances, x->knot[0].y, x->inverse_weight);
    for (;;) {
        TRY(step_attempts_next(&a));
        int32_t ended = 0;
        limex_verdict verdict;
        newton_outcome outcome = fill_table(x, &ended, &verdict);
        if (outcome != NEWTON_DONE) {
            RETURN_UNLESS_OK(retreat_from_rows(x, &a, outcome));
            continue;
        }
        if (verdict != GOOD && !has_stalled(x, &a, ended)) {
            RETURN_UNLESS_OK(retreat_from_error(x, &a, ended));
            continue;
        }
        bool far = false;
        RETURN_UNLESS_OK(project(x, ended, a.t_new, &far));
        if (far) {
            RETURN_UNLESS_OK(step_attempts_note_constraints(&a));
            continue;
        }
        outcome = verify(x, ended, a.t_new);
        if (outcome == NEWTON_DONE) {
            accept(x, ended, &a);
            return DAEDAL_OK;
        }
        RETURN_UNLESS_OK(retreat_from_rows(x, &a, outcome));
    }
}

/* ---- rows ---- */

/* Accuracy of GMRES: extrapolation magnifies the errors of small steps. */
static const double LEAST_ERROR = 1e-10; /* in tolerances: smaller ones are rounding errors */
static const double SOLVE_RELATIVE = 1e-10, SOLVE_ABSOLUTE = 1e-4;

static newton_outcome evaluate_parts(limex *x)
{
    if (x->parts_are_here)
        return NEWTON_DONE;
    matrix_point at = {x->t, x->h, x->knot[0].y, x->knot[0].yp, NULL, x->inverse_weight};
    int answer = matrix_evaluate(x->in.matrix, &at);
    x->parts_are_here = answer == DAEDAL_CALL_OK;
    return newton_outcome_of(answer);
}

/* Take one small step of size h to t with x->y and x->z. */
static newton_outcome take_small_step(limex *x, double t, double h)
{
    matrix_times_dyp(x->in.matrix, x->z, x->rhs);
    int answer = evaluator_residual(x->in.ev, t, x->y, x->z, x->residual);
    if (answer != DAEDAL_CALL_OK)
        return newton_outcome_of(answer);
    for (int32_t i = 0; i < x->n; i++)
        x->rhs[i] -= x->residual[i];
    matrix_solve_within(x->in.matrix, SOLVE_RELATIVE, SOLVE_ABSOLUTE, x->rhs);
    for (int32_t i = 0; i < x->n; i++) {
        x->y[i] += x->rhs[i];
        x->z[i] = x->rhs[i] / h;
    }
    return vector_all_finite(x->y, x->n) ? NEWTON_DONE : NEWTON_SLOW;
}

/* Take n_j = j small steps to the end of the large one.  T_j,1 and its slope are in x->y and x->z
 * afterwards. */
static newton_outcome fill_row(limex *x, int32_t j)
{
    size_t bytes = (size_t)x->n * sizeof(double);
    double h = x->h / j;
    newton_outcome outcome = newton_outcome_of_factoring(matrix_factor(x->in.matrix, 1.0 / h));
    memcpy(x->y, x->knot[0].y, bytes);
    memcpy(x->z, x->knot[0].yp, bytes);
    for (int32_t k = 1; k <= j && outcome == NEWTON_DONE; k++) {
        outcome = take_small_step(x, x->t + k * h, h);
        if (k == 1)
            memcpy(x->z_first, x->z, bytes);
    }
    return outcome;
}

/* T_j,k+1 = T_j,k + (T_j,k - T_j-1,k) / (n_j/n_j-k - 1)  ([BCP96] (4.6.1), whose denominator is
 * misprinted).  On entry table[k] is T_j-1,k+1 and `first` T_j,1.                  */
static void extrapolate_one(double **table, const double *first, int32_t j, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        double now = first[i];
        for (int32_t k = 1; k < j; k++) {
            double before = table[k - 1][i], ratio = (double)j / (j - k) - 1.0;
            table[k - 1][i] = now;
            now += (now - before) / ratio;
        }
        table[j - 1][i] = now;
    }
}

static void extrapolate(limex *x, int32_t j)
{
    extrapolate_one(x->row_y, x->y, j, x->n);
    extrapolate_one(x->row_yp, x->z, j, x->n);
    extrapolate_one(x->row_first, x->z_first, j, x->n);
}

/* ---- order and size ---- */

/* The work of j rows, with Jacobians and factorizations, in units of one small step. */
static double work_of(const limex *x, int32_t j)
{
    double factor = x->in.matrix->factor_price, work = matrix_price(x->in.matrix);
    for (int32_t k = 1; k <= j; k++)
        work += k + (factor > 0.0 ? factor : 1.0);
    return work;
}

/* The error estimate: the difference of the last two entries of row j.  It counts three times if
 * the tolerance is meant for the error of the whole run, in which the errors of the steps add up
 * (measured on random systems, tests/soak). */
static double estimate(limex *x, int32_t j)
{
    const double stricter = x->in.tolerances->calibrated ? 3.0 : 1.0;
    for (int32_t i = 0; i < x->n; i++)
        x->rhs[i] = x->row_y[j - 1][i] - x->row_y[j - 2][i];
    x->worst = vector_largest_weighted(x->rhs, x->inverse_weight, x->n);
    return stricter * vector_wrms(x->rhs, x->inverse_weight, x->n);
}

/* The error by a jump of F at the beginning of the step.  F is not evaluated there: a jump between
 * the beginning and the first node affects all rows alike, so that the table does not show it.
 * But the slopes of the first small steps, extrapolated to a step of length zero, then differ from
 * the slope at the beginning.  The first small step of the last row tells what this difference
 * does to y. */
static double jump_at_beginning(limex *x, int32_t j)
{
    for (int32_t i = 0; i < x->n; i++)
        x->residual[i] = x->row_first[j - 1][i] - x->knot[0].yp[i];
    matrix_times_dyp(x->in.matrix, x->residual, x->rhs);
    matrix_solve(x->in.matrix, x->rhs);
    return vector_wrms(x->rhs, x->inverse_weight, x->n);
}

/* Whether row j is accurate enough, and if not, whether a later row can be.  One more row divides
 * the error by about its n_j. */
static limex_verdict judge(limex *x, int32_t j)
{
    const double safety = 0.9, aim = 0.7, least = 0.1, most = 5.0;
    const double early = 0.03; /* so good that the row it was meant for need not be waited for */
    if (j < 2)
        return GO_ON;
    double before = x->error;
    x->error = estimate(x, j);
    double jump = x->error <= 1.0 ? 0.1 * jump_at_beginning(x, j) : 0.0;
    if (jump > x->error) { /* the slope is known to one digit less than y */
        x->error = jump;
        x->worst = vector_largest_weighted(x->rhs, x->inverse_weight, x->n);
    }
    double factor = safety * pow(aim / fmax(x->error, LEAST_ERROR), 1.0 / j);
    x->size[j] = fabs(x->h) * step_clamp(factor, least, most);
    x->work[j] = work_of(x, j) / x->size[j];
    if (!isfinite(x->error) || (j > 2 && x->error > 2.0 * before && x->error > 1.0))
        return TOO_LARGE;
    if (x->error <= (j >= x->target ? 1.0 : early))
        return GOOD;
    if (j == x->rows_max || j > x->target)
        return TOO_LARGE;
    double gain = j == x->target ? j + 1.0 : j == x->target - 1 ? j * (j + 1.0) : HUGE_VAL;
    return x->error > gain ? TOO_LARGE : GO_ON;
}

/* Compute rows until one is accurate enough, which *ended then names, or until the step proves too
 * large. */
static newton_outcome fill_table(limex *x, int32_t *ended, limex_verdict *verdict)
{
    newton_outcome outcome = evaluate_parts(x);
    *verdict = GO_ON;
    for (int32_t j = 1; j <= x->rows_max && *verdict == GO_ON && outcome == NEWTON_DONE; j++) {
        outcome = fill_row(x, j);
        if (outcome != NEWTON_DONE)
            break;
        extrapolate(x, j);
        *verdict = judge(x, j);
        *ended = j;
    }
    return outcome;
}

/* ---- failures ---- */

static daedal_status retreat_from_rows(limex *x, step_attempts *a, newton_outcome why)
{
    RETURN_UNLESS_OK(step_attempts_note_newton(a, why, NULL, NULL));
    x->h *= 0.25;
    return DAEDAL_OK;
}

static daedal_status retreat_from_error(limex *x, step_attempts *a, int32_t j)
{
    int32_t row = j < x->target ? j : x->target;
    RETURN_UNLESS_OK(step_attempts_note_error(a, x->error, x->worst));
    x->h = copysign(fmin(0.7 * fabs(x->h), x->size[row < 2 ? 2 : row]), x->h);
    return DAEDAL_OK;
}

/* ---- success ---- */

static daedal_status project(limex *x, int32_t j, double t_new, bool *far)
{
    step_attempts_move to = {.t = t_new, .y = x->y, .inverse_weight = x->inverse_weight};
    double *end = x->row_y[j - 1];
    *far = !bounds_keep(x->in.ev->sys, end, x->inverse_weight, x->rhs);
    if (*far)
        return DAEDAL_OK;
    memcpy(x->y, end, (size_t)x->n * sizeof(double));
    RETURN_UNLESS_OK(step_attempts_project(&x->in, &to));
    *far = to.far;
    if (to.changed)
        memcpy(end, x->y, (size_t)x->n * sizeof(double));
    return DAEDAL_OK;
}

static bool has_algebraic(const limex *x)
{
    int32_t i = 0;
    while (i < x->n && x->in.is_differential[i])
        i++;
    return i < x->n;
}

/* Check the end of row j.  Small steps evaluate F with the y at their beginning, so that F is
 * never evaluated at the end of the last one.  Where F is far from linear, as the current of a
 * diode that begins to conduct, all rows of a long step may agree and their end may still violate
 * the algebraic equations by any amount.  The correction of the algebraic variables by Newton's
 * iteration shows it: more than a few weights are not the error of the step. */
static newton_outcome verify(limex *x, int32_t j, double t_new)
{
    const double far = 100.0; /* weights */
    if (x->error > 1.0 || !has_algebraic(x))
        return NEWTON_DONE;
    int answer = evaluator_residual(x->in.ev, t_new, x->row_y[j - 1], x->row_yp[j - 1], x->rhs);
    if (answer != DAEDAL_CALL_OK)
        return newton_outcome_of(answer);
    matrix_solve_within(x->in.matrix, SOLVE_RELATIVE, SOLVE_ABSOLUTE, x->rhs);
    for (int32_t i = 0; i < x->n; i++)
        if (!x->in.is_differential[i] && !(fabs(x->rhs[i]) * x->inverse_weight[i] <= far))
            return NEWTON_SLOW;
    return NEWTON_DONE;
}

static void remember(limex *x, int32_t j, double t_new)
{
    size_t bytes = (size_t)x->n * sizeof(double);
    for (int k = LIMEX_KNOTS - 1; k > 0; k--) {
        x->knot[k].t = x->knot[k - 1].t;
        memcpy(x->knot[k].y, x->knot[k - 1].y, bytes);
        memcpy(x->knot[k].yp, x->knot[k - 1].yp, bytes);
    }
    x->knot[0].t = t_new;
    memcpy(x->knot[0].y, x->row_y[j - 1], bytes);
    memcpy(x->knot[0].yp, x->row_yp[j - 1], bytes);
    x->n_knots += x->n_knots < LIMEX_KNOTS;
    for (int32_t i = 0; i < x->n && x->steps_done == 0; i++)
        if (!x->in.is_differential[i]) /* its slope at the start was never more than a guess */
            x->knot[1].yp[i] = 2.0 * (x->knot[0].y[i] - x->knot[1].y[i]) / x->h - x->knot[0].yp[i];
}

/* The row that costs least per unit of time.  It may be the row after the last one, if that looks
 * cheaper. */
static int32_t next_target(const limex *x, int32_t ended)
{
    int32_t best = ended;
    if (ended > 2 && x->work[ended - 1] < 0.8 * x->work[ended])
        best = ended - 1;
    else if (ended < x->rows_max - 1 && (ended == 2 || x->work[ended] < 0.9 * x->work[ended - 1]))
        best = ended + 1;
    return best < x->least ? x->least : best;
}

/* The size of the next step.  One more row allows a step that is longer by about as much as the
 * row costs. */
static double size_after(const limex *x, int32_t j, int32_t target, const step_attempts *a)
{
    if (x->error > 1.0) /* taken all the same: roundoff, which grows as steps shrink */
        return a->h_first;
    double size =
        target <= j ? x->size[target] : x->size[j] * fmin(work_of(x, target) / work_of(x, j), 3.0);
    if (step_attempts_any_failed(a))
        size = fmin(size, fabs(x->h));
    return copysign(fmax(size, fabs(a->h_wish)), x->h); /* h_wish was reduced by a limit only */
}

static void accept(limex *x, int32_t j, const step_attempts *a)
{
    int32_t target = next_target(x, j);
    double h_next = size_after(x, j, target, a);
    remember(x, j, a->t_new);
    x->t = a->t_new;
    x->target = step_attempts_any_failed(a) && target > j ? j : target;
    x->h_last = x->h;
    x->h = h_next;
    x->order_last = j;
    x->steps_done++;
    x->parts_are_here = false;
    step_attempts_count_step(&x->in,
                             (step_attempts_success){x->h_last, x->h, j, x->target, x->worst});
}
