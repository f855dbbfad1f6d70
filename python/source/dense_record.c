/* dense_record.c - the solution over a whole run, as polynomials through points of each step.
 *
 * The points are Chebyshev points of the second kind, at which barycentric interpolation is stable
 * and has simple weights: +-1, and +-1/2 at both ends.                            */
#include "native.h"

#include <math.h>
#include <string.h>

/* A method of order p leaves an error of h^(p + 1) in a step: p + 2 points keep that. */
int32_t dense_points(int32_t order)
{
    int32_t points = order + 2;
    return points < 5 ? 5 : points > DENSE_POINTS_MOST ? DENSE_POINTS_MOST : points;
}

double dense_place(int32_t k, int32_t n)
{
    return k == 0 ? 0.0 : k == n - 1 ? 1.0 : 0.5 - 0.5 * cos(acos(-1.0) * k / (n - 1));
}

bool dense_begin_piece(dense_record *d, double t_from, double t_to, int32_t n_points)
{
    double bounds[2] = {t_from, t_to}, points = n_points;
    return doubles_append(&d->bounds, bounds, 2) && doubles_append(&d->points, &points, 1);
}

PyObject *dense_dict(const dense_record *d)
{
    return Py_BuildValue("{s:N,s:N,s:N}", "bounds", doubles_bytes(&d->bounds), "points",
                         doubles_bytes(&d->points), "values", doubles_bytes(&d->values));
}

void dense_free(dense_record *d)
{
    doubles_free(&d->bounds);
    doubles_free(&d->points);
    doubles_free(&d->values);
}

/* The weight of every point for the value at the share x of a piece, their sum being 1. */
static void weights_at(double x, int32_t n, double *weight)
{
    double sum = 0.0;
    for (int32_t k = 0; k < n; k++) {
        double distance = x - dense_place(k, n);
        if (distance == 0.0) {
            memset(weight, 0, (size_t)n * sizeof *weight);
            weight[k] = 1.0;
            return;
        }
        double share = k == 0 || k == n - 1 ? 0.5 : 1.0;
        weight[k] = (k % 2 ? -share : share) / distance;
        sum += weight[k];
    }
    for (int32_t k = 0; k < n; k++)
        weight[k] /= sum;
}

/* dense_values(bounds, points, offsets, values, piece, t, n, out): out[i, :] = y(t[i]) by the
 * polynomial of piece[i]; arrays of doubles, except for piece and offsets (int64).  */
PyObject *native_dense_values(PyObject *self, PyObject *args)
{
    PyObject *array[7];
    Py_ssize_t count, n;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOOOnnO", &array[0], &array[1], &array[2], &array[3], &array[4],
                          &array[5], &count, &n, &array[6]))
        return NULL;
    void *at[7];
    for (int i = 0; i < 7; i++)
        if (!(at[i] = array_data(array[i])))
            return NULL;
    const double *bounds = at[0], *points = at[1], *values = at[3], *t = at[5];
    const int64_t *offset = at[2], *piece = at[4];
    double *out = at[6], weight[DENSE_POINTS_MOST];
    for (Py_ssize_t i = 0; i < count; i++, out += n) {
        const double *ends = bounds + 2 * piece[i], *y = values + offset[piece[i]] * (int64_t)n;
        int32_t n_points = (int32_t)points[piece[i]];
        weights_at((t[i] - ends[0]) / (ends[1] - ends[0]), n_points, weight);
        memset(out, 0, (size_t)n * sizeof *out);
        for (int32_t k = 0; k < n_points; k++, y += n)
            for (Py_ssize_t j = 0; j < n; j++)
                out[j] += weight[k] * y[j];
    }
    Py_RETURN_NONE;
}
