/* boundary/conditions.c - see conditions.h. */
#include "boundary/conditions.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "linalg/vector.h"

static void lay_out(void *object, layout *l)
{
    boundary_conditions *c = object;
    size_t all = (size_t)c->n_points * (size_t)c->width;
    c->moved = layout_take(l, all, sizeof(double));
    c->plus = layout_take(l, (size_t)c->n, sizeof(double));
    c->minus = layout_take(l, (size_t)c->n, sizeof(double));
    c->at = layout_take(l, (size_t)c->n_points, sizeof *c->at);
}

bool conditions_create(boundary_conditions *c, const daedal_allocator *a)
{
    return block_create(&c->mem, a, lay_out, c);
}

void conditions_free(boundary_conditions *c)
{
    block_free(&c->mem);
}

static void point_at(boundary_conditions *c, const double *y)
{
    for (int32_t p = 0; p < c->n_points; p++)
        c->at[p] = y + (size_t)p * (size_t)c->width;
}

int conditions_evaluate(boundary_conditions *c, const double *y, double *r)
{
    point_at(c, y);
    int answer = c->values(c->at, r, c->user);
    return answer == DAEDAL_CALL_OK && !vector_all_finite(r, c->n) ? DAEDAL_CALL_RETRY : answer;
}

/* Central differences; where one side has no value, the condition is not differentiable here. */
static int difference(boundary_conditions *c, int32_t v, double step, double *slopes)
{
    double kept = c->moved[v];
    volatile double upper = kept + step, lower = kept - step;
    c->moved[v] = upper;
    int answer = conditions_evaluate(c, c->moved, c->plus);
    c->moved[v] = lower;
    if (answer == DAEDAL_CALL_OK)
        answer = conditions_evaluate(c, c->moved, c->minus);
    c->moved[v] = kept;
    size_t all = (size_t)c->n_points * (size_t)c->width;
    for (int32_t k = 0; k < c->n && answer == DAEDAL_CALL_OK; k++)
        slopes[(size_t)k * all + (size_t)v] = (c->plus[k] - c->minus[k]) / (upper - lower);
    return answer;
}

int conditions_differentiate(boundary_conditions *c, const double *y, const double *size,
                             double *slopes)
{
    int32_t all = c->n_points * c->width;
    int answer = DAEDAL_CALL_OK;
    memset(slopes, 0, (size_t)all * (size_t)c->n * sizeof *slopes);
    if (c->slopes) {
        point_at(c, y);
        answer = c->slopes(c->at, slopes, c->user);
        return answer == DAEDAL_CALL_OK && !vector_all_finite(slopes, all * c->n)
                   ? DAEDAL_CALL_RETRY
                   : answer;
    }
    memcpy(c->moved, y, (size_t)all * sizeof *y);
    for (int32_t v = 0; v < all && answer == DAEDAL_CALL_OK; v++) {
        double at = fmax(fabs(y[v]), size[v % c->width]);
        answer = difference(c, v, cbrt(DBL_EPSILON) * (at > 0.0 ? at : 1.0), slopes);
    }
    return answer;
}

bool conditions_contradict(double residual, double largest_term)
{
    const double met = 1e-6,
                 least = 1e-3; /* of the terms, and terms below which they count as this */
    return fabs(residual) > met * fmax(largest_term, least);
}

const char *condition_name(const boundary_conditions *c, int32_t k, char *buffer, size_t size)
{
    if (c->names && c->names[k])
        return c->names[k];
    snprintf(buffer, size, "condition %d", (int)k + 1);
    return buffer;
}
