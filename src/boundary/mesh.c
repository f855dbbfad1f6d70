/* boundary/mesh.c - see mesh.h.
 *
 * On an interval of width h the error of x is h^(s+1) |x^(s+1)| times a constant of the method,
 * that of z is h^s |z^(s)| times another one ([AMR95]).  The highest derivatives are taken from the
 * differences of the leading coefficients of neighbouring polynomials, as COLSYS does.      */
#include "boundary/mesh.h"

#include <math.h>
#include <string.h>

/* ---- local errors ---- */

/* The derivative number s - 1 of stage values of unknown k (x' or z) in interval i. */
static double leading(const collocation *c, const double *w, int32_t i, int32_t k)
{
    double sum = 0.0, h = c->t[i + 1] - c->t[i];
    for (int32_t j = 0; j < c->g->s; j++)
        sum += w[j] * c->u[collocation_stage(c, i, j) + k];
    return sum / pow(h, c->g->s - 1);
}

/* The next derivative, between intervals i and i + 1. */
static double next_derivative(const collocation *c, const double *w, int32_t i, int32_t k)
{
    double distance = 0.5 * (c->t[i + 2] - c->t[i]);
    return fabs(leading(c, w, i + 1, k) - leading(c, w, i, k)) / distance;
}

/* The error of interval i over its tolerance, of x in [0] and of z in [1]. */
static void local_error(const collocation *c, const double *w, int32_t i, double *error)
{
    const collocation_problem *p = c->p;
    double h = c->t[i + 1] - c->t[i];
    int32_t s = c->g->s, last = c->n_intervals - 1;
    error[0] = error[1] = 0.0;
    for (int32_t k = 0; k < p->n; k++) {
        bool is_x = k < p->nx;
        int32_t v = is_x ? p->x_of[k] : p->z_of[k - p->nx];
        double left = i > 0 ? next_derivative(c, w, i - 1, k) : 0.0;
        double right = i < last ? next_derivative(c, w, i, k) : 0.0;
        double constant =
            is_x ? c->g->integral_error * pow(h, s + 1) : c->g->value_error * pow(h, s);
        double at = constant * fmax(left, right) * c->inverse_size[v];
        error[!is_x] = fmax(error[!is_x], at);
    }
}

/* Where the density falls or rises by much more than two, the coarse side is made finer. */
static void smooth(const collocation *c, double *density)
{
    const double ratio = 3.0, floor_of_mean = 0.2;
    int32_t n = c->n_intervals;
    double sum = 0.0, length = c->t[n] - c->t[0];
    for (int32_t i = 0; i < n; i++)
        sum += density[i] * (c->t[i + 1] - c->t[i]);
    for (int32_t i = 0; i < n; i++)
        density[i] = fmax(density[i], floor_of_mean * sum / length);
    for (int32_t i = 1; i < n; i++)
        density[i] = fmax(density[i], density[i - 1] / ratio);
    for (int32_t i = n - 2; i >= 0; i--)
        density[i] = fmax(density[i], density[i + 1] / ratio);
}

double mesh_density(collocation *c, double *density)
{
    double w[GAUSS_STAGES_MAX], error[2], most = 0.0;
    int32_t s = c->g->s;
    gauss_leading(c->g, w);
    collocation_weigh(c);
    for (int32_t i = 0; i < c->n_intervals; i++) {
        local_error(c, w, i, error);
        most = fmax(most, fmax(error[0], error[1]));
        density[i] =
            fmax(pow(error[0], 1.0 / (s + 1)), pow(error[1], 1.0 / s)) / (c->t[i + 1] - c->t[i]);
    }
    smooth(c, density);
    return most;
}

static double integral(const collocation *c, const double *density)
{
    double sum = 0.0;
    for (int32_t i = 0; i < c->n_intervals; i++)
        sum += density[i] * (c->t[i + 1] - c->t[i]);
    return sum;
}

double mesh_intervals(const collocation *c, const double *density, double error)
{
    return integral(c, density) / pow(error, 1.0 / (c->g->s + (c->p->nz > 0 ? 0 : 1)));
}

/* ---- meshes ---- */

int32_t mesh_even(const boundary_conditions *at, int32_t n_intervals, double *t)
{
    int32_t count = 0, last = at->n_points - 1;
    double length = at->points[last] - at->points[0];
    for (int32_t q = 0; q < last; q++) {
        double from = at->points[q], width = at->points[q + 1] - from;
        int32_t here = (int32_t)fmax(1.0, round(n_intervals * width / length));
        for (int32_t k = 0; k < here && width > 0.0; k++)
            t[count++] = from + width * k / here;
    }
    t[count] = at->points[last];
    return count;
}

/* Between mesh points first and end of c: `here` intervals with equal shares of the integral. */
static int32_t distribute_part(const collocation *c, const double *density, int32_t first,
                               int32_t end, int32_t here, double *t)
{
    double total = 0.0, passed = 0.0;
    for (int32_t i = first; i < end; i++)
        total += density[i] * (c->t[i + 1] - c->t[i]);
    int32_t i = first;
    for (int32_t k = 0; k < here; k++) {
        double goal = total * k / here;
        while (i < end - 1 && passed + density[i] * (c->t[i + 1] - c->t[i]) <= goal) {
            passed += density[i] * (c->t[i + 1] - c->t[i]);
            i++;
        }
        t[k] = k == 0 ? c->t[first] : fmin(c->t[i] + (goal - passed) / density[i], c->t[i + 1]);
    }
    return here;
}

int32_t mesh_distribute(const collocation *c, const double *density, int32_t n_intervals, double *t)
{
    int32_t count = 0;
    double all = integral(c, density);
    for (int32_t q = 0; q + 1 < c->p->conditions->n_points; q++) {
        int32_t first = c->point_node[q], end = c->point_node[q + 1];
        double part = 0.0;
        for (int32_t i = first; i < end; i++)
            part += density[i] * (c->t[i + 1] - c->t[i]);
        int32_t here = (int32_t)fmax(2.0, ceil(n_intervals * part / all));
        if (end > first)
            count += distribute_part(c, density, first, end, here, t + count);
    }
    t[count] = c->t[c->n_intervals];
    return count;
}

void mesh_halve(const collocation *c, double *t)
{
    for (int32_t i = 0; i < c->n_intervals; i++) {
        t[2 * i] = c->t[i];
        t[2 * i + 1] = 0.5 * (c->t[i] + c->t[i + 1]);
    }
    t[2 * c->n_intervals] = c->t[c->n_intervals];
}

/* ---- comparison ---- */

double mesh_difference(collocation *fine, const collocation *coarse)
{
    int32_t n = fine->p->n;
    double most = 0.0;
    collocation_weigh(fine);
    for (int32_t i = 0; i < fine->n_intervals; i++)
        for (int32_t j = -1; j < fine->g->s; j++) {
            double h = fine->t[i + 1] - fine->t[i];
            double t = j < 0 ? fine->t[i] : fine->t[i] + fine->g->c[j] * h;
            collocation_at(fine, t, fine->y, NULL);
            collocation_at(coarse, t, fine->yp, NULL);
            for (int32_t k = 0; k < n; k++)
                most = fmax(most, fabs(fine->y[k] - fine->yp[k]) * fine->inverse_size[k]);
        }
    return most;
}
