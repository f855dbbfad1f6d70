/* index/sampled_array.c - see sampled_array.h.
 *
 * E = dF/dy' and A = dF/dy along the curve y(t0 + s) = y0 + s y0' fill a derivative array, which
 * decides ([BCP96] proposition 2.4.2 and section 2.5).  If the equations and their derivatives are
 * dependent, there is no unique solution, whatever the pencil looks like ([BCP96] example 2.4.2,
 * C012).
 *
 * The derivatives of E and A come from differences at nine nodes.  The width of the stencil is
 * found by trial, for each order: the one whose derivatives agree best with those of the width
 * before.  What they disagree by is the doubt that all rank decisions take into account. */
#include "index/sampled_array.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "index/derivative_array.h"
#include "linalg/difference_weights.h"

enum { NODES = 9, WIDTHS = 8, MATRICES = ARRAY_ORDER_MAX + 1 };
static const double WIDEST = 0.5, NARROWER = 0.25; /* of the time scale; from width to width */
static const double GOOD_ENOUGH = 1e-9, SOME_NOISE = 1e-3;

typedef struct array {
    jacobian_sample *s;
    const pencil_scaling *b;
    const array_point *at;
    const daedal_allocator *allocator;
    int32_t n, nnz, order;  /* order: derivatives of E and A that are taken         */
    double unit;            /* of time                                              */
    double *node_value[2];  /* NODES x nnz                                          */
    double *derivative[2];  /* (order + 1) x nnz: the best so far, in units         */
    double *candidate[2];   /* the same, of the present width                       */
    double *last[2];        /* of the width before                                  */
    double *noise[2];       /* nnz: of the entries, at the nodes of a width         */
    double doubt[MATRICES]; /* about the best derivative of each order, relative    */
    double *y;
    block mem;
} array;

static void lay_out(void *object, layout *l)
{
    array *r = object;
    size_t nnz = (size_t)r->nnz;
    for (int k = 0; k < 2; k++) {
        r->node_value[k] = layout_take(l, NODES * nnz, sizeof(double));
        r->derivative[k] = layout_take(l, MATRICES * nnz, sizeof(double));
        r->candidate[k] = layout_take(l, MATRICES * nnz, sizeof(double));
        r->last[k] = layout_take(l, MATRICES * nnz, sizeof(double));
        r->noise[k] = layout_take(l, nnz, sizeof(double));
    }
    r->y = layout_take(l, (size_t)r->n, sizeof(double));
}

/* ---- derivatives of E and A ---- */

/* E and A of the sample in even units, into the arrays of a node; and their noise. */
static void keep_node(array *r, int32_t node)
{
    const daedal_pattern *p = &r->s->pattern.view;
    for (int32_t j = 0; j < r->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            for (int which = 0; which < 2; which++) {
                double by = r->b->row[p->row[q]] * r->b->column[j] / (which ? r->unit : 1.0);
                r->node_value[which][node * r->nnz + q] = by * r->s->value[which][q];
                r->noise[which][q] = fmax(r->noise[which][q], by * r->s->noise[which][q]);
            }
}

static daedal_status visit_nodes(array *r, const double *node)
{
    memset(r->noise[0], 0, (size_t)r->nnz * sizeof(double));
    memset(r->noise[1], 0, (size_t)r->nnz * sizeof(double));
    for (int32_t k = 0; k < NODES; k++) {
        for (int32_t j = 0; j < r->n; j++)
            r->y[j] = r->at->y[j] + node[k] * r->at->yp[j];
        RETURN_UNLESS_OK(jacobian_sample_at(r->s, r->at->t + node[k], r->y, r->at->yp));
        keep_node(r, k);
    }
    return DAEDAL_OK;
}

/* Derivative m from the nodes, into the candidate; what noise makes of it.  What does not stand
 * out of the noise is zero: most entries do not change along the curve.          */
static double differentiate(array *r, const double *weight, int32_t m)
{
    double power = pow(r->unit, m), sum = 0.0, worst = 0.0;
    for (int32_t k = 0; k < NODES; k++)
        sum += fabs(weight[k]) * power;
    for (int which = 0; which < 2; which++)
        for (int32_t q = 0; q < r->nnz; q++) {
            double value = 0.0;
            for (int32_t k = 0; k < NODES; k++)
                value += weight[k] * r->node_value[which][k * r->nnz + q];
            bool seen = fabs(value * power) > sum * r->noise[which][q];
            r->candidate[which][m * r->nnz + q] = seen ? value * power : 0.0;
            worst = seen ? fmax(worst, sum * r->noise[which][q]) : worst;
        }
    return worst;
}

/* How much the candidate and the width before differ in derivative m, relative to its size, or
 * to E and A themselves.                                                         */
static double disagreement(const array *r, int32_t m)
{
    double apart = 0.0, size = 1.0;
    for (int which = 0; which < 2; which++)
        for (int32_t q = m * r->nnz; q < (m + 1) * r->nnz; q++) {
            apart = fmax(apart, fabs(r->candidate[which][q] - r->last[which][q]));
            size = fmax(size, fabs(r->candidate[which][q]));
        }
    return apart / size;
}

static void keep(const array *r, double *to[2], double *const from[2], int32_t m)
{
    for (int which = 0; which < 2; which++)
        memcpy(to[which] + m * r->nnz, from[which] + m * r->nnz, (size_t)r->nnz * sizeof(double));
}

/* One width: better the derivatives that agree with those of the one before. */
static daedal_status try_width(array *r, double h, bool *have_last)
{
    double node[NODES], weight[MATRICES][DIFFERENCE_NODES_MAX];
    difference_nodes(h, r->at->direction, NODES, node);
    daedal_status status = visit_nodes(r, node);
    if (status == DAEDAL_ERR_NOT_FINITE) {
        *have_last = false;
        return DAEDAL_OK;
    }
    RETURN_UNLESS_OK(status);
    difference_weights(node, NODES, r->order, weight);
    for (int32_t m = 0; m <= r->order; m++) {
        /* agreement shows what noise comes to, but two may agree by accident */
        double doubt = SOME_NOISE * differentiate(r, weight[m], m);
        doubt = *have_last ? fmax(doubt, disagreement(r, m)) : INFINITY;
        if (doubt < r->doubt[m]) {
            r->doubt[m] = doubt;
            keep(r, r->derivative, r->candidate, m);
        }
        keep(r, r->last, r->candidate, m);
    }
    *have_last = true;
    return DAEDAL_OK;
}

static bool all_good(const array *r)
{
    for (int32_t m = 0; m <= r->order; m++)
        if (r->doubt[m] > GOOD_ENOUGH)
            return false;
    return true;
}

static daedal_status find_derivatives(array *r)
{
    bool have_last = false;
    double h = WIDEST * fmin(r->at->time_scale, r->b->tau);
    for (int32_t m = 0; m <= r->order; m++)
        r->doubt[m] = INFINITY;
    for (int k = 0; k < WIDTHS && !all_good(r); k++, h *= NARROWER)
        RETURN_UNLESS_OK(try_width(r, h, &have_last));
    return DAEDAL_OK;
}

/* ---- ranks ---- */

/* The derivatives found, as Taylor coefficients in units of time. */
static void hand_over(const array *r, derivative_array *d)
{
    const daedal_pattern *p = &r->s->pattern.view;
    double factorial = 1.0;
    for (int32_t m = 0; m <= r->order; m++) {
        factorial *= m > 0 ? m : 1.0;
        d->doubt[m] = fmax(r->doubt[m], DBL_EPSILON);
        for (int32_t j = 0; j < r->n; j++)
            for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
                size_t at = (size_t)p->row[q] * (size_t)r->n + (size_t)j;
                derivative_array_at(d, d->b, m)[at] = r->derivative[0][m * r->nnz + q] / factorial;
                derivative_array_at(d, d->a, m)[at] = r->derivative[1][m * r->nnz + q] / factorial;
            }
    }
}

static daedal_status search(array *r, array_answer *out)
{
    derivative_array d;
    array_finding found = {0};
    RETURN_UNLESS_OK(find_derivatives(r));
    array_verdict verdict = ARRAY_NO_MEMORY;
    if (derivative_array_create(&d, r->n, r->order, r->allocator)) {
        hand_over(r, &d);
        verdict = derivative_array_judge(&d, &found, r->allocator);
    }
    derivative_array_free(&d);
    out->dependent = verdict == ARRAY_NOT_SOLVABLE;
    if (verdict == ARRAY_SOLVABLE)
        *out = (array_answer){.index = found.index, .freedom = found.freedom};
    return verdict == ARRAY_NO_MEMORY ? DAEDAL_ERR_MEMORY : DAEDAL_OK;
}

daedal_status array_index(array_answer *out, jacobian_sample *s, const pencil_scaling *b,
                          const array_point *at, const daedal_allocator *a)
{
    *out = (array_answer){.index = -1, .freedom = -1};
    int32_t order = ARRAY_LARGEST / s->n - 1;
    if (order < 1)
        return DAEDAL_OK;
    array r = {.s = s,
               .b = b,
               .at = at,
               .allocator = a,
               .n = s->n,
               .nnz = pattern_nnz(&s->pattern.view),
               .order = order < ARRAY_ORDER_MAX ? order : ARRAY_ORDER_MAX,
               .unit = fmin(b->tau, at->time_scale)};
    if (!block_create(&r.mem, a, lay_out, &r))
        return DAEDAL_ERR_MEMORY;
    daedal_status status = search(&r, out);
    block_free(&r.mem);
    return status;
}
