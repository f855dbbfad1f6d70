/* integ/limiters.c - see limiters.h. */
#include "integ/limiters.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"

/* ---- Newton's iteration ---- */

/* The residual that led to the correction d is M d.  One tolerance in each variable changes
 * equation i by at most sum_j |M_ij| / w_j, which is the unit its residual is measured in.  */
static int32_t largest_residual(const limiters_correction *last)
{
    const iteration_matrix *m = last->matrix;
    const daedal_pattern *p = &m->pattern.view;
    double *residual = m->r, *unit = m->r0; /* free between evaluations */
    memset(residual, 0, (size_t)p->n_cols * sizeof *residual);
    memset(unit, 0, (size_t)p->n_cols * sizeof *unit);
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            residual[p->row[q]] += m->values[q] * last->correction[j];
            if (last->inverse_weight[j] > 0.0)
                unit[p->row[q]] += fabs(m->values[q]) / last->inverse_weight[j];
        }
    for (int32_t i = 0; i < p->n_cols; i++)
        unit[i] = unit[i] > 0.0 ? 1.0 / unit[i] : 0.0;
    return vector_largest_weighted(residual, unit, p->n_cols);
}

void limiters_count_newton(limiters *l, newton_outcome why, const limiters_correction *last)
{
    const iteration_matrix *m = last->matrix;
    int32_t variable = -1, equation = -1;
    if (why == NEWTON_RETRY) {
        equation = m->ev->trouble.not_finite;
    } else if (why == NEWTON_SINGULAR) {
        variable = matrix_blame(m);
    } else if (last->correction) {
        bool is_finite = space_all_finite(&m->ev->space, last->correction);
        if (is_finite)
            variable =
                space_largest_weighted(&m->ev->space, last->correction, last->inverse_weight);
        else
            variable = vector_first_not_finite(last->correction, m->ev->n);
        if (is_finite && !matrix_is_free(m))
            equation = largest_residual(last);
    }
    limiters_count(l, l->rejected_newton, variable);
    limiters_count(l, l->equation_newton, equation);
}

/* ---- ranks ---- */

static int64_t total(const daedal_limiter *a)
{
    return a->steps + a->rejected_error + a->rejected_newton;
}

static bool comes_after(const daedal_limiter *a, const daedal_limiter *b)
{
    return total(a) < total(b) || (total(a) == total(b) && a->number > b->number);
}

/* Restore the heap of n entries whose last in rank is on top.  Only the entry at `top` may be out
 * of order. */
static void sift_down(daedal_limiter *list, int32_t top, int32_t n)
{
    for (int32_t below = 2 * top + 1; below < n; below = 2 * top + 1) {
        below += below + 1 < n && comes_after(&list[below + 1], &list[below]);
        if (!comes_after(&list[below], &list[top]))
            return;
        daedal_limiter swap = list[top];
        list[top] = list[below];
        list[below] = swap;
        top = below;
    }
}

/* A list of the first `most` in rank of those that were added. */
typedef struct ranking {
    daedal_limiter *list;
    int32_t n, most;
} ranking;

static void add(ranking *r, const daedal_limiter *one)
{
    if (total(one) == 0 || r->most == 0)
        return;
    if (r->n < r->most) {
        r->list[r->n++] = *one;
        for (int32_t k = r->n / 2 - 1; r->n == r->most && k >= 0; k--)
            sift_down(r->list, k, r->n);
    } else if (comes_after(&r->list[0], one)) {
        r->list[0] = *one;
        sift_down(r->list, 0, r->n);
    }
}

static int32_t finish(ranking *r)
{
    for (int32_t k = r->n / 2 - 1; k >= 0; k--)
        sift_down(r->list, k, r->n);
    for (int32_t k = r->n - 1; k > 0; k--) {
        daedal_limiter last = r->list[0];
        r->list[0] = r->list[k];
        r->list[k] = last;
        sift_down(r->list, 0, k);
    }
    return r->n;
}

int32_t limiters_rank_variables(const limiters *l, daedal_limiter *list, int32_t most)
{
    ranking r = {list, 0, most};
    for (int32_t i = 0; i < l->n; i++)
        add(&r, &(daedal_limiter){.number = i,
                                  .steps = l->steps[i],
                                  .rejected_error = l->rejected_error[i],
                                  .rejected_newton = l->rejected_newton[i]});
    return finish(&r);
}

int32_t limiters_rank_equations(const limiters *l, daedal_limiter *list, int32_t most)
{
    ranking r = {list, 0, most};
    for (int32_t i = 0; i < l->n; i++)
        add(&r, &(daedal_limiter){.number = i, .rejected_newton = l->equation_newton[i]});
    return finish(&r);
}
