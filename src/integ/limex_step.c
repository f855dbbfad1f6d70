/* integ/limex_step.c - one accepted step of extrapolation; see limex.h for the formulas.
 * Order and size: [HW96] IV.9 after Deuflhard: the row that costs least per unit of time.  */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "integ/limex.h"
#include "integ/one_step.h"
#include "integ/troubles.h"
#include "linalg/vector.h"

/* How a large step ended. */
typedef enum limex_verdict { GO_ON, GOOD, TOO_LARGE } limex_verdict;

static newton_outcome evaluate_parts(limex *x);
static newton_outcome fill_row(limex *x, int32_t j);
static void extrapolate(limex *x, int32_t j);
static limex_verdict judge(limex *x, int32_t j);
static int32_t next_target(const limex *x, int32_t ended);
static daedal_status project(limex *x, int32_t j, double t_new, bool *far);
static void accept(limex *x, int32_t j, double t_new, bool troubled);

static troubles_place place_of(const limex *x, double h_tried)
{
    return (troubles_place){&x->in, x->t, x->h, h_tried, x->steps_done == 0};
}

/* Rows until one is good enough, *ended, or the step is too large. */
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

static daedal_status retreat_from_error(limex *x, int32_t j, troubles *seen,
                                        const one_step_errors *errors)
{
    enum { HOPELESS = 12 };
    x->in.stats->rejected_error++;
    seen->error++;
    if (seen->error > HOPELESS && x->steps_done == 0 && x->error > 1e-3 * errors->first) {
        troubles_place at = place_of(x, x->h);
        return troubles_inconsistent(&at);
    }
    int32_t row = j < x->target ? j : x->target;
    x->h = copysign(fmin(0.7 * fabs(x->h), x->size[row < 2 ? 2 : row]), x->h);
    return DAEDAL_OK;
}

daedal_status limex_step(void *self, double t_limit)
{
    limex *x = self;
    troubles seen = {.newton_max = 40};
    one_step_errors errors = {0};
    double h_tried = 0.0;
    one_step_weigh(&x->in, x->knot[0].y, x->inverse_weight);
    for (;;) {
        troubles_place at = place_of(x, h_tried);
        TRY(troubles_respect_min_step(&seen, &at, &x->h));
        double wish = x->h, left = t_limit - x->t;
        x->h = one_step_fit(&x->in, x->h, left);
        x->h_wish = fabs(x->h) < fabs(wish) ? wish : 0.0;
        double t_new = x->h == left ? t_limit : x->t + x->h;
        at = place_of(x, h_tried);
        TRY(troubles_check_step(&seen, &at));
        h_tried = x->h;
        int32_t ended = 0;
        limex_verdict verdict;
        newton_outcome outcome = fill_table(x, &ended, &verdict);
        if (outcome != NEWTON_DONE) {
            at = place_of(x, h_tried);
            PASS(troubles_note_newton(&seen, &at, outcome));
            x->h *= 0.25;
            continue;
        }
        bool first = x->steps_done == 0;
        if (verdict != GOOD && !one_step_has_stalled(&errors, x->error, x->h, first)) {
            TRY(retreat_from_error(x, ended, &seen, &errors));
            continue;
        }
        bool far = false;
        PASS(project(x, ended, t_new, &far));
        if (!far) {
            accept(x, ended, t_new, seen.error + seen.newton + seen.constraints > 0);
            if (verdict != GOOD) /* roundoff, which grows as steps shrink */
                x->h = errors.h_first;
            return DAEDAL_OK;
        }
        at = place_of(x, h_tried);
        PASS(troubles_note_constraints(&seen, &at));
        x->h *= 0.5;
    }
}

/* ---- rows ---- */

static newton_outcome evaluate_parts(limex *x)
{
    if (x->parts_are_here)
        return NEWTON_DONE;
    matrix_point at = {x->t, x->h, x->knot[0].y, x->knot[0].yp, NULL, x->inverse_weight};
    int answer = matrix_evaluate(x->in.matrix, &at);
    x->parts_are_here = answer == DAEDAL_CALL_OK;
    return newton_outcome_of(answer);
}

/* One small step: x->y and x->z on. */
static newton_outcome go_on(limex *x, double t, double h)
{
    matrix_times_dyp(x->in.matrix, x->z, x->rhs);
    int answer = evaluator_residual(x->in.ev, t, x->y, x->z, x->residual);
    if (answer != DAEDAL_CALL_OK)
        return newton_outcome_of(answer);
    for (int32_t i = 0; i < x->n; i++)
        x->rhs[i] -= x->residual[i];
    matrix_solve(x->in.matrix, x->rhs);
    for (int32_t i = 0; i < x->n; i++) {
        x->y[i] += x->rhs[i];
        x->z[i] = x->rhs[i] / h;
    }
    return vector_all_finite(x->y, x->n) ? NEWTON_DONE : NEWTON_SLOW;
}

/* Row j has n_j = j small steps.  Its first entry goes into row_y[0], which the entries of the
 * row before make room for: row_y[k] becomes T_j,k+1 in extrapolate.              */
static newton_outcome fill_row(limex *x, int32_t j)
{
    size_t bytes = (size_t)x->n * sizeof(double);
    double h = x->h / j;
    daedal_status status = matrix_factor(x->in.matrix, 1.0 / h);
    if (status != DAEDAL_OK)
        return status == DAEDAL_ERR_MEMORY ? NEWTON_MEMORY : NEWTON_SINGULAR;
    memcpy(x->y, x->knot[0].y, bytes);
    memcpy(x->z, x->knot[0].yp, bytes);
    for (int32_t k = 1; k <= j; k++) {
        newton_outcome outcome = go_on(x, x->t + k * h, h);
        if (outcome != NEWTON_DONE)
            return outcome;
    }
    return NEWTON_DONE;
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
}

/* ---- order and size ---- */

static double clamp(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}

/* Jacobians and factorizations in units of one small step. */
static double work_of(const limex *x, int32_t j)
{
    double factor = x->in.matrix->factor_price, work = matrix_price(x->in.matrix);
    for (int32_t k = 1; k <= j; k++)
        work += k + (factor > 0.0 ? factor : 1.0);
    return work;
}

/* The difference of the last two entries of row j. */
static double estimate(limex *x, int32_t j)
{
    for (int32_t i = 0; i < x->n; i++)
        x->rhs[i] = x->row_y[j - 1][i] - x->row_y[j - 2][i];
    x->worst = vector_largest_weighted(x->rhs, x->inverse_weight, x->n);
    return vector_wrms(x->rhs, x->inverse_weight, x->n);
}

/* Is row j good enough; if not, will a later one be in time?  Another
 * row divides it by about its n_j.                                               */
static limex_verdict judge(limex *x, int32_t j)
{
    const double safety = 0.9, aim = 0.7, least = 0.1, most = 5.0;
    const double early = 0.03; /* so good that the row it was meant for need not be waited for */
    if (j < 2)
        return GO_ON;
    double before = x->error;
    x->error = estimate(x, j);
    double factor = safety * pow(aim / fmax(x->error, 1e-10), 1.0 / j);
    x->size[j] = fabs(x->h) * clamp(factor, least, most);
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

/* The row that costs least per unit of time; one more than there was, if that looks better. */
static int32_t next_target(const limex *x, int32_t ended)
{
    int32_t best = ended;
    if (ended > 2 && x->work[ended - 1] < 0.8 * x->work[ended])
        best = ended - 1;
    else if (ended < x->rows_max - 1 && (ended == 2 || x->work[ended] < 0.9 * x->work[ended - 1]))
        best = ended + 1;
    return best < x->least ? x->least : best;
}

/* ---- success ---- */

static daedal_status project(limex *x, int32_t j, double t_new, bool *far)
{
    size_t bytes = (size_t)x->n * sizeof(double);
    troubles_place at = place_of(x, x->h);
    troubles_move to = {.t = t_new, .y = x->y, .inverse_weight = x->inverse_weight};
    memcpy(x->y, x->row_y[j - 1], bytes);
    *far = !one_step_keep_bounds(&x->in, x->y, x->inverse_weight, x->rhs);
    if (*far)
        return DAEDAL_OK;
    memcpy(x->row_y[j - 1], x->y, bytes);
    PASS(troubles_project(&at, &to));
    *far = to.far;
    if (to.changed)
        memcpy(x->row_y[j - 1], x->y, bytes);
    return DAEDAL_OK;
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

static void accept(limex *x, int32_t j, double t_new, bool troubled)
{
    daedal_stats *stats = x->in.stats;
    double h = x->h;
    int32_t target = next_target(x, j);
    double size =
        target <= j ? x->size[target] : x->size[j] * fmin(work_of(x, target) / work_of(x, j), 3.0);
    remember(x, j, t_new);
    x->t = t_new;
    x->target = troubled && target > j ? j : target;
    x->h = copysign(troubled ? fmin(size, fabs(h)) : size, h);
    if (x->h_wish != 0.0 && fabs(x->h) < fabs(x->h_wish))
        x->h = x->h_wish; /* it was shortened for the limit only */
    x->h_last = h;
    x->order_last = j;
    x->steps_done++;
    x->parts_are_here = false;
    stats->steps++;
    stats->h_last = h;
    stats->h_next = x->h;
    stats->order_last = j;
    stats->order_next = x->target;
}
