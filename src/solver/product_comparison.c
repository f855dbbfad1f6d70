/* solver/product_comparison.c - whether the user's product of the Jacobian is that of F.
 *
 * One random direction v of the size of the tolerances, for c = 0 and c = 1: the product is
 * compared with (F(y + v, y' + c v) - F(y - v, y' - c v)) / 2, row by row.  Differences
 * up to that of forward and backward differences, roundoff and a tenth of the value pass.   */
#include <float.h>
#include <math.h>

#include "base/random.h"
#include "base/status.h"
#include "linalg/vector.h"
#include "solver/run.h"

static const double FORGIVEN = 0.1, NOISE = 1e3 * DBL_EPSILON;

typedef struct product_check {
    double c;
    double *v, *y, *yp; /* n: the direction, moved arguments       */
    double *product, *here, *ahead, *behind;
} product_check;

static int evaluate_moved(run *r, const product_check *x, double side, double *out)
{
    for (int32_t i = 0; i < r->n; i++) {
        x->y[i] = r->y[i] + side * x->v[i];
        x->yp[i] = r->yp[i] + side * x->c * x->v[i];
    }
    return evaluator_residual(&r->ev, r->state.t, x->y, x->yp, out);
}

static int evaluate_all(run *r, const product_check *x)
{
    const daedal_system *sys = &r->system.sys;
    int answer = sys->jacobian_product(r->state.t, r->y, r->yp, x->c, x->v, x->product, sys->user);
    answer =
        evaluator_judge(&r->ev, answer, "product of the Jacobian", r->state.t, x->product, r->n);
    if (answer == DAEDAL_CALL_OK)
        answer = evaluate_moved(r, x, 0.0, x->here);
    if (answer == DAEDAL_CALL_OK)
        answer = evaluate_moved(r, x, 1.0, x->ahead);
    return answer == DAEDAL_CALL_OK ? evaluate_moved(r, x, -1.0, x->behind) : answer;
}

/* The equation with the largest unforgiven difference, or -1. */
static int32_t worst_row(const run *r, const product_check *x)
{
    int32_t worst = -1;
    double most = 0.0;
    double roundoff = NOISE * (vector_max_abs(x->here, r->n) + vector_max_abs(x->product, r->n));
    for (int32_t i = 0; i < r->n; i++) {
        double forward = x->ahead[i] - x->here[i], backward = x->here[i] - x->behind[i];
        double middle = 0.5 * (forward + backward), given = x->product[i];
        double room = FORGIVEN * fmax(fabs(given), fabs(middle)) + 2.0 * fabs(forward - backward) +
                      NOISE * (fabs(x->ahead[i]) + fabs(x->behind[i])) + roundoff;
        double excess = fabs(given - middle) - room;
        if (excess > most) {
            most = excess;
            worst = i;
        }
    }
    return worst;
}

static daedal_status fail_product(run *r, const product_check *x, int32_t i)
{
    char name[96];
    fail(&r->why, DAEDAL_ERR_JACOBIAN,
         "jacobian_product disagrees with F at t = %.10g, c = %g: in %s it gives %.6g along a "
         "random "
         "direction, differences give %.6g",
         r->state.t, x->c, evaluator_equation_name(&r->system.sys, i, name, sizeof name),
         x->product[i], 0.5 * (x->ahead[i] - x->behind[i]));
    set_cause(&r->why, DAEDAL_CAUSE_WRONG_JACOBIAN);
    blame(&r->why, r->state.t, i, -1);
    hint(&r->why, "it has to return (dF/dy + c dF/dy') v for the c and v it is given");
    return DAEDAL_ERR_JACOBIAN;
}

/* The values may lie where F has no value a tolerance away: then nothing is said. */
static daedal_status check(run *r, product_check *x)
{
    double state = 0.0;
    for (int32_t i = 0; i < r->n; i++)
        x->v[i] = spread_share(&state) / r->inverse_weight[i];
    for (x->c = 0.0; x->c <= 1.0; x->c += 1.0) {
        int answer = evaluate_all(r, x);
        if (answer == DAEDAL_CALL_STOP)
            return DAEDAL_STOPPED;
        if (answer == DAEDAL_CALL_FAIL)
            return evaluator_explain(&r->ev, &r->why);
        int32_t worst = answer == DAEDAL_CALL_OK ? worst_row(r, x) : -1;
        if (worst >= 0)
            return fail_product(r, x, worst);
    }
    return DAEDAL_OK;
}

daedal_status run_check_product(run *r)
{
    enum { VECTORS = 7 };
    if (!r->system.sys.jacobian_product || !matrix_is_iterative(&r->matrix))
        return DAEDAL_OK;
    size_t n = (size_t)r->n;
    double *room = memory_take_array(r->allocator, VECTORS * n, sizeof(double));
    if (!room)
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for the check of jacobian_product");
    product_check x = {.v = room,
                       .y = room + n,
                       .yp = room + 2 * n,
                       .product = room + 3 * n,
                       .here = room + 4 * n,
                       .ahead = room + 5 * n,
                       .behind = room + 6 * n};
    daedal_status status = check(r, &x);
    memory_give(r->allocator, room, VECTORS * n * sizeof(double));
    return status;
}
