/* support/tableau.c - see tableau.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "small_dense.h"
#include "tableau.h"

static const double ROUNDOFF = 1e-9; /* conditions hold within this, relative to their terms */
static const int32_t TRIED = 12;     /* conditions tried before an order is called infinite  */

/* ---- the methods ----------------------------------------------------------------------- */

#define ROOT2 1.41421356237309504880
#define ROOT3 1.73205080756887729353
#define ROOT6 2.44948974278317809820
/* Zeros of the Laguerre polynomial of degree 3. */
#define L3_1 0.415774556783479083312
#define L3_2 2.29428036027904171982
#define L3_3 6.28994508293747919687
/* Singly implicit: the M-fold eigenvalue of A, the nodes are its multiples by zeros of L_M.
 * [BCP96] 6.3 gives 22 and 23; the third is the other choice of order 3.         */
#define SIRK22 ((2.0 - ROOT2) / 2.0)
#define SIRK23 ((3.0 + ROOT3) / 6.0)
#define SIRK_UNSTABLE ((3.0 - ROOT3) / 6.0)

typedef void maker(tableau *m);

typedef struct recipe {
    const char *name;
    int32_t stages;
    double c[STAGES_MAX]; /* alone: collocation at these nodes       */
    double a[STAGES_MAX][STAGES_MAX], b[STAGES_MAX];
    maker *make; /* NULL, or what makes the rest    */
} recipe;

static maker extrapolated_euler, transformed_sirk;

static const recipe RECIPES[] = {
    {"implicit_euler", 1, {1.0}, {{0}}, {0}, NULL},
    {"midpoint", 1, {0.5}, {{0}}, {0}, NULL},
    {"gauss2", 2, {0.5 - ROOT3 / 6.0, 0.5 + ROOT3 / 6.0}, {{0}}, {0}, NULL},
    {"radau2", 2, {1.0 / 3.0, 1.0}, {{0}}, {0}, NULL},
    {"radau3", 3, {(4.0 - ROOT6) / 10.0, (4.0 + ROOT6) / 10.0, 1.0}, {{0}}, {0}, NULL},
    {"sirk22", 2, {SIRK22 * (2.0 - ROOT2), 1.0}, {{0}}, {0}, NULL},
    {"sirk23", 2, {SIRK23 * (2.0 - ROOT2), SIRK23 *(2.0 + ROOT2)}, {{0}}, {0}, NULL},
    {"sirk3", 3, {L3_1 / L3_2, 1.0, L3_3 / L3_2}, {{0}}, {0}, NULL},
    {"sirk_unstable",
     2,
     {SIRK_UNSTABLE * (2.0 - ROOT2), SIRK_UNSTABLE *(2.0 + ROOT2)},
     {{0}},
     {0},
     NULL},
    {"sirk3_transformed", 3, {0.25, 0.5, 0.75}, {{0}}, {0}, transformed_sirk},
    {"extrapolation7", 7, {0}, {{0}}, {0}, extrapolated_euler},
    {"lobatto3c",
     3,
     {0.0, 0.5, 1.0},
     {{1.0 / 6, -1.0 / 3, 1.0 / 6}, {1.0 / 6, 5.0 / 12, -1.0 / 12}, {1.0 / 6, 2.0 / 3, 1.0 / 6}},
     {1.0 / 6, 2.0 / 3, 1.0 / 6},
     NULL},
    /* [HW96] table IV.6.5: five stages, order 4, A lower triangular with 1/4 on its diagonal */
    {"sdirk4",
     5,
     {1.0 / 4, 3.0 / 4, 11.0 / 20, 1.0 / 2, 1.0},
     {{1.0 / 4},
      {1.0 / 2, 1.0 / 4},
      {17.0 / 50, -1.0 / 25, 1.0 / 4},
      {371.0 / 1360, -137.0 / 2720, 15.0 / 544, 1.0 / 4},
      {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4}},
     {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4},
     NULL},
    {"trapezoid", 2, {0.0, 1.0}, {{0.0, 0.0}, {0.5, 0.5}}, {0.5, 0.5}, NULL},
    {"lobatto3a",
     3,
     {0.0, 0.5, 1.0},
     {{0.0, 0.0, 0.0}, {5.0 / 24, 1.0 / 3, -1.0 / 24}, {1.0 / 6, 2.0 / 3, 1.0 / 6}},
     {1.0 / 6, 2.0 / 3, 1.0 / 6},
     NULL},
};
enum { RECIPE_COUNT = sizeof RECIPES / sizeof *RECIPES };

int32_t tableau_count(void)
{
    return RECIPE_COUNT;
}

const char *tableau_name(int32_t i)
{
    return RECIPES[i].name;
}

static bool has_weights(const recipe *from)
{
    for (int32_t j = 0; j < from->stages; j++)
        if (from->b[j] != 0.0)
            return true;
    return false;
}

static tableau follow(const recipe *from)
{
    if (from->make == NULL && !has_weights(from))
        return tableau_collocation(from->name, from->stages, from->c);
    tableau m = {.name = from->name, .stages = from->stages};
    memcpy(m.c, from->c, sizeof m.c);
    memcpy(m.a, from->a, sizeof m.a);
    memcpy(m.b, from->b, sizeof m.b);
    if (from->make != NULL)
        from->make(&m);
    return m;
}

tableau tableau_of(const char *name)
{
    for (int32_t i = 0; i < RECIPE_COUNT; i++)
        if (strcmp(RECIPES[i].name, name) == 0)
            return follow(&RECIPES[i]);
    fail_msg("no tableau is called %s", name);
    return (tableau){.name = name};
}

/* ---- how they are made ----------------------------------------------------------------- */

/* Weights w with sum_j w_j c_j^k = x^(k+1)/(k+1), k < s: exact for polynomials up to there. */
static void weights_to(int32_t s, const double *c, double x, double *w)
{
    double powers[STAGES_MAX * STAGES_MAX];
    for (int32_t k = 0; k < s; k++) {
        for (int32_t j = 0; j < s; j++)
            powers[k * s + j] = pow(c[j], k);
        w[k] = pow(x, k + 1) / (k + 1);
    }
    assert_true(small_solve(s, powers, w));
}

tableau tableau_collocation(const char *name, int32_t stages, const double *nodes)
{
    tableau m = {.name = name, .stages = stages};
    for (int32_t i = 0; i < stages; i++) {
        m.c[i] = nodes[i];
        weights_to(stages, nodes, nodes[i], m.a[i]);
    }
    weights_to(stages, nodes, 1.0, m.b);
    return m;
}

/* Implicit Euler with 1, 2 and 4 steps, extrapolated to step 0, as one method with 7 stages: 1/3,
 * -2 and 8/3 of the three results ([BCP96] 4.2).                                 */
static void extrapolated_euler(tableau *m)
{
    const struct {
        int32_t steps;
        double share;
    } parts[] = {{1, 1.0 / 3.0}, {2, -2.0}, {4, 8.0 / 3.0}};
    int32_t first = 0;
    for (int32_t p = 0; p < 3; p++) {
        for (int32_t i = 0; i < parts[p].steps; i++) {
            m->c[first + i] = (i + 1.0) / parts[p].steps;
            m->b[first + i] = parts[p].share / parts[p].steps;
            for (int32_t j = 0; j <= i; j++)
                m->a[first + i][first + j] = 1.0 / parts[p].steps;
        }
        first += parts[p].steps;
    }
}

/* Singly implicit of the transformed kind: 1 -> c, c -> c^2/2 (stage order 2), and c^2 to what
 * makes 1/L3_2 the threefold eigenvalue; weights of order 3.  The seed names such a method and
 * does not print it; this is the one with nodes 1/4, 1/2, 3/4.                   */
static void transformed_sirk(tableau *m)
{
    enum { S = 3 };
    const double l = 1.0 / L3_2;
    double powers[S * S], inverse[S * S], images[S * S], a[S * S];
    for (int32_t i = 0; i < S; i++) {
        double c = m->c[i];
        powers[i * S] = 1.0;
        powers[i * S + 1] = c;
        powers[i * S + 2] = c * c;
        images[i * S] = c;
        images[i * S + 1] = c * c / 2.0;
        images[i * S + 2] = 2.0 * l * l * l - 6.0 * l * l * c + 3.0 * l * c * c;
    }
    assert_true(small_invert(S, powers, inverse));
    small_multiply(S, images, inverse, a);
    for (int32_t i = 0; i < S; i++)
        for (int32_t j = 0; j < S; j++)
            m->a[i][j] = a[i * S + j];
    weights_to(S, m->c, 1.0, m->b);
}

/* ---- what they promise ----------------------------------------------------------------- */

static bool agrees(double x, double y, double size)
{
    return fabs(x - y) <= ROUNDOFF * (1.0 + size);
}

/* sum_j w_j c_j^k against `wanted`. */
static bool moment_is(const tableau *m, const double *w, int32_t k, double wanted)
{
    double sum = 0.0, size = 0.0;
    for (int32_t j = 0; j < m->stages; j++) {
        double term = w[j] * pow(m->c[j], k);
        sum += term;
        size += fabs(term);
    }
    return agrees(sum, wanted, size);
}

int32_t tableau_quadrature_order(const tableau *m)
{
    int32_t q = 0;
    while (q < TRIED && moment_is(m, m->b, q, 1.0 / (q + 1)))
        q++;
    return q;
}

int32_t tableau_collocation_order(const tableau *m)
{
    for (int32_t q = 0; q < TRIED; q++)
        for (int32_t i = 0; i < m->stages; i++)
            if (!moment_is(m, m->a[i], q, pow(m->c[i], q + 1) / (q + 1)))
                return q;
    return TRIED;
}

int32_t tableau_stage_order(const tableau *m)
{
    int32_t q = tableau_quadrature_order(m), s = tableau_collocation_order(m);
    return q < s ? q : s;
}

bool tableau_inverse(const tableau *m, double *inverse)
{
    double a[STAGES_MAX * STAGES_MAX];
    for (int32_t i = 0; i < m->stages; i++)
        for (int32_t j = 0; j < m->stages; j++)
            a[i * m->stages + j] = m->a[i][j];
    return small_invert(m->stages, a, inverse);
}

/* w = b^T A^-power */
static void row_times_inverse(const tableau *m, const double *inverse, int32_t power, double *w)
{
    int32_t s = m->stages;
    memcpy(w, m->b, sizeof m->b);
    for (int32_t p = 0; p < power; p++) {
        double next[STAGES_MAX] = {0};
        for (int32_t j = 0; j < s; j++)
            for (int32_t i = 0; i < s; i++)
                next[j] += w[i] * inverse[i * s + j];
        memcpy(w, next, sizeof next);
    }
}

static double moment(const tableau *m, const double *w, int32_t k)
{
    double sum = 0.0;
    for (int32_t j = 0; j < m->stages; j++)
        sum += w[j] * pow(m->c[j], k);
    return sum;
}

double tableau_stability(const tableau *m)
{
    double inverse[STAGES_MAX * STAGES_MAX], w[STAGES_MAX];
    if (!tableau_inverse(m, inverse))
        return NAN;
    row_times_inverse(m, inverse, 1, w);
    return 1.0 - moment(m, w, 0);
}

static double factorial(int32_t n)
{
    return tgamma(n + 1.0);
}

/* b^T A^-i e = b^T A^-j c^(j-i) / (j-i)!, i = 1 .. j-1 */
static bool first_conditions(const tableau *m, const double *inverse, int32_t index)
{
    double w[STAGES_MAX], high[STAGES_MAX];
    row_times_inverse(m, inverse, index, high);
    for (int32_t i = 1; i < index; i++) {
        row_times_inverse(m, inverse, i, w);
        if (!moment_is(m, high, index - i, factorial(index - i) * moment(m, w, 0)))
            return false;
    }
    return true;
}

int32_t tableau_algebraic_order(const tableau *m, int32_t index)
{
    double inverse[STAGES_MAX * STAGES_MAX], w[STAGES_MAX];
    if (!tableau_inverse(m, inverse) || !first_conditions(m, inverse, index))
        return ORDER_NONE;
    row_times_inverse(m, inverse, index, w);
    for (int32_t i = index; i <= TRIED; i++)
        if (!moment_is(m, w, i, factorial(i) / factorial(i - index + 1)))
            return i - 1;
    return ORDER_INFINITE;
}

int32_t tableau_constant_order(const tableau *m, int32_t k_d, int32_t index)
{
    int32_t order = k_d;
    for (int32_t i = 1; i <= index; i++) {
        int32_t k = tableau_algebraic_order(m, i);
        if (k == ORDER_NONE)
            return ORDER_NONE;
        order = k - index + 2 < order ? k - index + 2 : order;
    }
    return order;
}

bool tableau_symmetric(const tableau *m)
{
    int32_t s = m->stages;
    for (int32_t i = 0; i < s; i++)
        for (int32_t j = 0; j < s; j++)
            if (!agrees(m->a[s - 1 - i][s - 1 - j] + m->a[i][j], m->b[j], 1.0))
                return false;
    return true;
}
