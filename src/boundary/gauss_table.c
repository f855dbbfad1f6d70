/* boundary/gauss_table.c - see gauss_table.h.  The nodes c are the zeros of the shifted Legendre
 * polynomial of degree s, a_ij is the integral of l_j from 0 to c_i, b_j that from 0 to 1.     */
#include "boundary/gauss_table.h"

#include <math.h>

/* P_s(x) and its derivative on [-1, 1], by the recurrence of three terms. */
static double legendre(int32_t s, double x, double *slope)
{
    double before = 1.0, now = x;
    for (int32_t k = 2; k <= s; k++) {
        double next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
        before = now;
        now = next;
    }
    *slope = s * (x * now - before) / (x * x - 1.0);
    return now;
}

static void find_nodes(gauss_table *g)
{
    enum { ITERATIONS = 20 };
    const double pi = acos(-1.0);
    for (int32_t j = 0; j < g->s; j++) {
        double x = -cos(pi * (j + 0.75) / (g->s + 0.5)), slope;
        for (int k = 0; k < ITERATIONS && g->s > 1; k++)
            x -= legendre(g->s, x, &slope) / slope;
        g->c[j] = g->s > 1 ? 0.5 * (1.0 + x) : 0.5;
    }
}

static void find_basis(gauss_table *g)
{
    for (int32_t j = 0; j < g->s; j++) {
        double *p = g->basis[j];
        int32_t degree = 0;
        p[0] = 1.0;
        for (int32_t k = 0; k < g->s; k++) {
            if (k == j)
                continue;
            double root = g->c[k] - 0.5, factor = 1.0 / (g->c[j] - g->c[k]);
            p[++degree] = 0.0;
            for (int32_t m = degree; m > 0; m--)
                p[m] = factor * (p[m - 1] - root * p[m]);
            p[0] *= -root * factor;
        }
    }
}

/* The product (theta - c_1) ... (theta - c_s) over s!. */
static double nodal(const gauss_table *g, double theta)
{
    double product = 1.0;
    for (int32_t j = 0; j < g->s; j++)
        product *= (theta - g->c[j]) / (j + 1);
    return product;
}

static void find_error_constants(gauss_table *g)
{
    enum { SAMPLES = 400 };
    double sum = 0.0, width = 1.0 / SAMPLES;
    for (int32_t k = 0; k < SAMPLES; k++) {
        g->value_error = fmax(g->value_error, fabs(nodal(g, k * width)));
        sum += nodal(g, (k + 0.5) * width) * width;
        g->integral_error = fmax(g->integral_error, fabs(sum));
    }
}

void gauss_create(gauss_table *g, int32_t s)
{
    *g = (gauss_table){.s = s};
    find_nodes(g);
    find_basis(g);
    for (int32_t i = 0; i < s; i++)
        gauss_integrals(g, g->c[i], g->a[i]);
    gauss_integrals(g, 1.0, g->b);
    gauss_values(g, 0.0, g->at_start);
    gauss_values(g, 1.0, g->at_end);
    find_error_constants(g);
}

void gauss_values(const gauss_table *g, double theta, double *w)
{
    double x = theta - 0.5;
    for (int32_t j = 0; j < g->s; j++) {
        w[j] = 0.0;
        for (int32_t m = g->s - 1; m >= 0; m--)
            w[j] = w[j] * x + g->basis[j][m];
    }
}

void gauss_integrals(const gauss_table *g, double theta, double *w)
{
    double x = theta - 0.5;
    for (int32_t j = 0; j < g->s; j++) {
        double upper = 0.0, lower = 0.0;
        for (int32_t m = g->s - 1; m >= 0; m--) {
            double p = g->basis[j][m] / (m + 1);
            upper = upper * x + p;
            lower = lower * -0.5 + p;
        }
        w[j] = upper * x + lower * 0.5;
    }
}

void gauss_leading(const gauss_table *g, double *w)
{
    double factorial = 1.0;
    for (int32_t k = 2; k < g->s; k++)
        factorial *= k;
    for (int32_t j = 0; j < g->s; j++)
        w[j] = factorial * g->basis[j][g->s - 1];
}
