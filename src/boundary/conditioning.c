/* boundary/conditioning.c - see conditioning.h.  [AMR95]: a solution changes by at most
 * kappa_1 |beta| + kappa_2 |q| where beta disturbs the conditions and q the equations.         */
#include "boundary/conditioning.h"

#include <math.h>
#include <string.h>

typedef struct condition_room {
    double *v, *sum, *sign;
    size_t size;
} condition_room;

static void lay_out(void *object, layout *l)
{
    condition_room *w = object;
    w->v = layout_take(l, w->size, sizeof(double));
    w->sum = layout_take(l, w->size, sizeof(double));
    w->sign = layout_take(l, w->size, sizeof(double));
}

static bool is_node_unknown(const collocation *c, int32_t k)
{
    if (k < c->p->nx)
        return true;
    int32_t inside = (k - c->p->nx) % c->stride - c->g->s * c->p->n;
    return k < c->point_base && inside >= 0 && inside < c->p->nx;
}

static bool is_stage_row(const collocation *c, int32_t k)
{
    return k >= c->p->nx && k < c->point_base && (k - c->p->nx) % c->stride < c->g->s * c->p->n;
}

/* Sums of |dx/dr_k| at all mesh points. */
static double of_conditions(collocation *c, condition_room *w)
{
    double most = 0.0;
    memset(w->sum, 0, w->size * sizeof(double));
    for (int32_t k = 0; k < c->p->conditions->n; k++) {
        memset(w->v, 0, w->size * sizeof(double));
        w->v[k] = 1.0;
        emitted_solve(&c->matrix, w->v);
        for (int32_t j = 0; j < c->size; j++)
            w->sum[j] += fabs(w->v[j]);
    }
    for (int32_t j = 0; j < c->size; j++)
        if (is_node_unknown(c, j) && !(w->sum[j] <= most))
            most = w->sum[j];
    return most;
}

/* The row of Green's function of node unknown `at`: the integral of its absolute value, and the
 * disturbance that reaches it, in w->v.  The weights are those of F at the stages; a solution of
 * the transposed equations has them already.                                     */
static double green_row(collocation *c, condition_room *w, int32_t at)
{
    double sum = 0.0;
    memset(w->v, 0, w->size * sizeof(double));
    w->v[at] = 1.0;
    emitted_solve_turned(&c->matrix, w->v);
    for (int32_t k = 0; k < c->size; k++) {
        double entry = is_stage_row(c, k) ? w->v[k] : 0.0;
        sum += fabs(entry);
        w->v[k] = entry > 0.0 ? 1.0 : entry < 0.0 ? -1.0 : 0.0;
    }
    return sum;
}

/* The largest row sum, by Hager's iteration from the row that a constant disturbance moves most:
 * a disturbance of size one that reaches one row shows which other row it moves more.          */
static double of_equations(collocation *c, condition_room *w)
{
    enum { ITERATIONS = 6 };
    static const double STANDSTILL =
        1e-10; /* the estimate grew by no more: the iteration is done */
    double most = 0.0;
    for (int32_t k = 0; k < c->size; k++)
        w->sign[k] = is_stage_row(c, k) ? 1.0 : 0.0;
    for (int r = 0; r < ITERATIONS; r++) {
        int32_t at = 0;
        emitted_solve(&c->matrix, w->sign);
        for (int32_t k = 0; k < c->size; k++)
            if (is_node_unknown(c, k) && fabs(w->sign[k]) > fabs(w->sign[at]))
                at = k;
        double reached = fabs(w->sign[at]), sum = green_row(c, w, at);
        most = fmax(most, sum);
        if (sum <= reached * (1.0 + STANDSTILL) && r > 0)
            break;
        memcpy(w->sign, w->v, w->size * sizeof(double));
    }
    return most;
}

daedal_status condition_find(collocation *c, bvp_condition *found)
{
    condition_room w = {.size = (size_t)c->size};
    block mem = {0};
    daedal_status status = collocation_linearize(c);
    *found = (bvp_condition){INFINITY, INFINITY};
    if (status != DAEDAL_OK)
        return status;
    if (!block_create(&mem, c->p->allocator, lay_out, &w))
        return DAEDAL_ERR_MEMORY;
    found->of_conditions = of_conditions(c, &w);
    status = emitted_factor_turned(&c->matrix);
    if (status == DAEDAL_OK)
        found->of_equations = of_equations(c, &w);
    block_free(&mem);
    return status;
}
