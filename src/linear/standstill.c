/* linear/standstill.c - see standstill.h.
 *
 * Near the point E y' = A x + E y'_0: with y' = 0 the change is the shortest x of A x = -E y'_0. */
#include "linear/standstill.h"

#include <math.h>
#include <string.h>

#include "linalg/least_squares.h"
#include "linalg/scaling.h"

static const double RANK = 1e-10, REACHED = 1e-7; /* relative */

typedef struct standstill {
    int32_t n;
    double *matrix, *copy, *x, *right;
    least_squares ls;
    block mem;
} standstill;

static void lay_out(void *object, layout *l)
{
    standstill *s = object;
    size_t n = (size_t)s->n;
    s->matrix = layout_take(l, n * n + 1, sizeof(double));
    s->copy = layout_take(l, n * n + 1, sizeof(double));
    s->x = layout_take(l, n + 1, sizeof(double));
    s->right = layout_take(l, n + 1, sizeof(double));
}

static double slope_of(const standstill_point *p, size_t j)
{
    return isfinite(p->slopes[j]) ? p->slopes[j] : 0.0;
}

/* Rows are divided by their largest entry. */
static void set_up(standstill *s, const standstill_point *p)
{
    size_t n = (size_t)s->n;
    for (size_t i = 0; i < n; i++) {
        double most = 0.0, sum = 0.0;
        for (size_t j = 0; j < n; j++) {
            s->matrix[j * n + i] = p->a[j * n + i] * p->size[j];
            most = fmax(most, fabs(s->matrix[j * n + i]));
            sum -= p->e[j * n + i] * slope_of(p, j);
        }
        double by = scaling_factor(most);
        for (size_t j = 0; j < n; j++)
            s->matrix[j * n + i] *= by;
        s->x[i] = s->right[i] = sum * by;
    }
    memcpy(s->copy, s->matrix, n * n * sizeof(double));
}

/* Whether A x = b holds, b being the right side. */
static bool is_reached(const standstill *s)
{
    size_t n = (size_t)s->n;
    double off = 0.0, size = 0.0;
    for (size_t i = 0; i < n; i++) {
        double sum = s->right[i];
        for (size_t j = 0; j < n; j++)
            sum -= s->copy[j * n + i] * s->x[j];
        off = fmax(off, fabs(sum));
        size = fmax(size, fabs(s->right[i]));
    }
    return off <= REACHED * size;
}

static int32_t largest(const double *x, const double *size, int32_t n)
{
    int32_t which = 0;
    for (int32_t j = 1; j < n; j++)
        if (fabs(x[j]) / (size ? size[j] : 1.0) > fabs(x[which]) / (size ? size[which] : 1.0))
            which = j;
    return which;
}

static void measure(standstill *s, const standstill_point *p, double *distance, int32_t *variable)
{
    set_up(s, p);
    s->ls.tolerance = RANK;
    least_squares_solve(&s->ls, s->matrix, s->x);
    if (is_reached(s)) {
        *variable = largest(s->x, NULL, s->n);
        *distance = fabs(s->x[*variable]);
        return;
    }
    for (int32_t j = 0; j < s->n; j++)
        s->x[j] = slope_of(p, (size_t)j);
    *variable = largest(s->x, p->size, s->n);
    *distance = INFINITY;
}

bool standstill_distance(const standstill_point *p, double *distance, int32_t *variable,
                         const daedal_allocator *a)
{
    standstill s = {.n = p->n};
    *distance = 0.0;
    *variable = 0;
    if (p->n == 0)
        return true;
    bool fine = block_create(&s.mem, a, lay_out, &s) && least_squares_create(&s.ls, p->n, p->n, a);
    if (fine)
        measure(&s, p, distance, variable);
    least_squares_free(&s.ls);
    block_free(&s.mem);
    return fine;
}
