/* tests/property/test_differentiation_index_random.c - systems of known index, hidden and given as
 * functions.
 *
 * z satisfies diag(I, N) z' + diag(C, I) z = g(t), N nilpotent with index nu, which is also the
 * index of the system ([BCP96] theorem 2.3.1).  The function shows it through row operations
 * P, which may depend on t, and variables y with z = Q phi(y): both keep the index.  A wrong
 * answer of grade A or B fails; how often there is none is limited for each way of hiding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daedal.h"
#include "seeded.h"

enum { LARGEST = 16 };

typedef enum hiding {
    PERMUTED, /* rows and variables in another order, other units                     */
    SPARSE,   /* some rows added to others, some variables to others                  */
    DENSE,    /* rows and variables mixed by random orthogonal-like matrices          */
    CURVED,   /* sparse, and every variable bent                                      */
    TURNING   /* sparse, and pairs of rows turned by an angle that grows with t       */
} hiding;

typedef struct hidden_system {
    int32_t n, index;
    hiding how;
    double e[LARGEST][LARGEST], a[LARGEST][LARGEST]; /* rows P applied, variables z      */
    double q[LARGEST][LARGEST];
    double phase[LARGEST];
    double row_unit[LARGEST], unit[LARGEST];
    int64_t calls;
} hidden_system;

/* ---- the solution: y_i = unit_i sin(phase_i + t/2) ------------------------------------ */

static double bend(const hidden_system *s, double y)
{
    return s->how == CURVED ? y + 0.2 * y * y : y;
}

static double bend_slope(const hidden_system *s, double y)
{
    return s->how == CURVED ? 1.0 + 0.4 * y : 1.0;
}

/* z = Q phi(y), and its derivative. */
static void to_z(const hidden_system *s, const double *y, const double *yp, double *z, double *zp)
{
    for (int32_t i = 0; i < s->n; i++) {
        z[i] = zp[i] = 0.0;
        for (int32_t j = 0; j < s->n; j++) {
            if (s->q[i][j] == 0.0)
                continue;
            double v = y[j] / s->unit[j];
            z[i] += s->q[i][j] * bend(s, v);
            zp[i] += s->q[i][j] * bend_slope(s, v) * yp[j] / s->unit[j];
        }
    }
}

static void solution(const hidden_system *s, double t, double *y, double *yp)
{
    for (int32_t i = 0; i < s->n; i++) {
        y[i] = s->unit[i] * sin(s->phase[i] + 0.5 * t);
        yp[i] = s->unit[i] * 0.5 * cos(s->phase[i] + 0.5 * t);
    }
}

/* E z' + A z less the same for the solution. */
static void relations(const hidden_system *s, double t, const double *y, const double *yp,
                      double *r)
{
    double z[LARGEST] = {0}, zp[LARGEST] = {0}, w[LARGEST] = {0}, wp[LARGEST] = {0};
    double exact[LARGEST] = {0}, exact_p[LARGEST] = {0};
    solution(s, t, exact, exact_p);
    to_z(s, y, yp, z, zp);
    to_z(s, exact, exact_p, w, wp);
    for (int32_t i = 0; i < s->n; i++) {
        double sum = 0.0, known = 0.0;
        for (int32_t j = 0; j < s->n; j++) {
            if (s->e[i][j] != 0.0) {
                sum += s->e[i][j] * zp[j];
                known += s->e[i][j] * wp[j];
            }
            if (s->a[i][j] != 0.0) {
                sum += s->a[i][j] * z[j];
                known += s->a[i][j] * w[j];
            }
        }
        r[i] = sum - known;
    }
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    hidden_system *s = user;
    s->calls++;
    relations(s, t, y, yp, r);
    for (int32_t i = 0; s->how == TURNING && i + 1 < s->n; i += 2) {
        double c = cos(0.3 + 0.5 * t), d = sin(0.3 + 0.5 * t), x = r[i];
        r[i] = c * x + d * r[i + 1];
        r[i + 1] = -d * x + c * r[i + 1];
    }
    for (int32_t i = 0; i < s->n; i++)
        r[i] *= s->row_unit[i];
    return DAEDAL_CALL_OK;
}

/* ---- making one ------------------------------------------------------------------------ */

/* diag(I, N), diag(C, I): n1 states, then chains, one of them of length nu. */
static void make_canonical(hidden_system *s, seeded *g, int32_t index)
{
    int32_t n1 = seeded_int(g, index == 0, 4), n = n1;
    for (int32_t i = 0; i < n1; i++) {
        s->e[i][i] = 1.0;
        for (int32_t j = 0; j < n1; j++)
            s->a[i][j] = i == j || seeded_uniform(g, 0.0, 1.0) < 0.4
                             ? seeded_sign(g) * seeded_uniform(g, 0.3, 2.0)
                             : 0.0;
    }
    int32_t chains = index == 0 ? 0 : seeded_int(g, 1, 2);
    for (int32_t k = 0; k < chains; k++) {
        int32_t length = k == 0 ? index : seeded_int(g, 1, index);
        for (int32_t i = 0; i < length; i++) {
            s->a[n + i][n + i] = 1.0;
            if (i + 1 < length)
                s->e[n + i][n + i + 1] = seeded_sign(g) * seeded_uniform(g, 0.5, 2.0);
        }
        n += length;
    }
    s->n = n;
    s->index = index;
}

static void add_row(hidden_system *s, int32_t to, int32_t from, double factor)
{
    for (int32_t j = 0; j < s->n; j++) {
        s->e[to][j] += factor * s->e[from][j];
        s->a[to][j] += factor * s->a[from][j];
    }
}

static void swap_rows(hidden_system *s, int32_t i, int32_t k)
{
    for (int32_t j = 0; j < s->n; j++) {
        double e = s->e[i][j], a = s->a[i][j];
        s->e[i][j] = s->e[k][j], s->a[i][j] = s->a[k][j];
        s->e[k][j] = e, s->a[k][j] = a;
    }
}

/* Plane rotations of all neighbours, twice round: dense, and well conditioned. */
static void turn_rows(hidden_system *s, seeded *g)
{
    for (int32_t round = 0; round < 2; round++)
        for (int32_t i = 0; i < s->n; i++) {
            int32_t k = (i + 1) % s->n;
            double c = cos(seeded_uniform(g, 0.4, 1.2)), d = sqrt(1.0 - c * c);
            for (int32_t j = 0; j < s->n && k != i; j++) {
                double e = s->e[i][j], a = s->a[i][j];
                s->e[i][j] = c * e + d * s->e[k][j], s->a[i][j] = c * a + d * s->a[k][j];
                s->e[k][j] = c * s->e[k][j] - d * e, s->a[k][j] = c * s->a[k][j] - d * a;
            }
        }
}

static void turn_variables(hidden_system *s, seeded *g)
{
    for (int32_t round = 0; round < 2; round++)
        for (int32_t i = 0; i < s->n; i++) {
            int32_t k = (i + 1) % s->n;
            double c = cos(seeded_uniform(g, 0.4, 1.2)), d = sqrt(1.0 - c * c);
            for (int32_t j = 0; j < s->n && k != i; j++) {
                double x = s->q[j][i];
                s->q[j][i] = c * x + d * s->q[j][k];
                s->q[j][k] = c * s->q[j][k] - d * x;
            }
        }
}

static void hide(hidden_system *s, seeded *g)
{
    int32_t n = s->n;
    for (int32_t i = 0; i < n; i++) {
        s->q[i][i] = 1.0;
        s->phase[i] = seeded_uniform(g, 0.2, 1.2);
        s->unit[i] = s->how == PERMUTED ? seeded_ratio(g, 1e-4, 1e4) : 1.0;
        s->row_unit[i] = s->how == PERMUTED ? seeded_ratio(g, 1e-8, 1e8) : 1.0;
    }
    for (int32_t i = n - 1; i > 0; i--)
        swap_rows(s, i, seeded_int(g, 0, i));
    if (s->how == DENSE) {
        turn_rows(s, g);
        turn_variables(s, g);
    } else if (s->how != PERMUTED) {
        for (int32_t k = 0; k < n / 2; k++) {
            int32_t to = seeded_int(g, 0, n - 1), from = seeded_int(g, 0, n - 1);
            if (to != from)
                add_row(s, to, from, seeded_sign(g) * seeded_uniform(g, 0.5, 1.5));
            int32_t i = seeded_int(g, 0, n - 1), j = seeded_int(g, 0, n - 1);
            for (int32_t m = 0; m < n && i != j; m++)
                s->q[m][i] += 0.7 * s->q[m][j];
        }
    }
}

/* ---- the test ---------------------------------------------------------------------------- */

typedef struct tally {
    int32_t right, unsure, none, unsure_wrong;
    int64_t calls;
} tally;

static void ask(hidden_system *s, const seeded *g, tally *count)
{
    double y[LARGEST] = {0}, yp[LARGEST] = {0}, atol[LARGEST] = {0};
    daedal_options options;
    daedal_solver *solver;
    daedal_analysis found;
    daedal_options_defaults(&options);
    for (int32_t i = 0; i < s->n; i++)
        atol[i] = 1e-7 * s->unit[i];
    options.atol_each = (daedal_doubles){atol, s->n};
    daedal_system sys = {.n = s->n, .residual = residual, .user = s};
    assert_int_equal(daedal_solver_create(&solver, &sys, &options, NULL), DAEDAL_OK);
    solution(s, 0.1, y, yp);
    s->calls = 0;
    assert_int_equal(daedal_solver_analyze(solver, 0.1, y, yp, &found), DAEDAL_OK);
    assert_int_equal(found.residuals, s->calls);
    bool sure = found.grade <= 'B';
    seeded_require(g, !sure || found.index == s->index,
                   "index %d, found %d with grade %c (n = %d, hiding %d): %s", (int)s->index,
                   (int)found.index, found.grade, (int)s->n, (int)s->how, found.reason);
    count->right += sure;
    count->unsure += found.grade == 'C';
    count->unsure_wrong += found.grade == 'C' && found.index != s->index;
    count->none += found.grade == 'D';
    count->calls += s->calls;
    daedal_solver_free(solver);
}

static const struct {
    const char *name;
    hiding how;
    double least_sure; /* part of the answers */
} WAYS[] = {{"permuted", PERMUTED, 1.0},
            {"sparse", SPARSE, 0.9},
            {"dense", DENSE, 0.9},
            {"curved", CURVED, 0.7},
            {"turning", TURNING, 0.7}};

static void finds_the_index_or_none(void **state)
{
    (void)state;
    enum { TRIALS = 20, INDEX_MAX = 4 };
    for (size_t w = 0; w < sizeof WAYS / sizeof *WAYS; w++) {
        tally count = {0};
        for (int32_t k = 0; k < TRIALS * (INDEX_MAX + 1); k++) {
            seeded g = seeded_begin((uint32_t)(1000 * (int)w + k + 1));
            hidden_system s = {.how = WAYS[w].how};
            make_canonical(&s, &g, k % (INDEX_MAX + 1));
            hide(&s, &g);
            ask(&s, &g, &count);
        }
        int32_t all = TRIALS * (INDEX_MAX + 1);
        print_message("%-8s %3d sure, %3d unsure (%d wrong), %3d none; %lld calls on average\n",
                      WAYS[w].name, (int)count.right, (int)count.unsure, (int)count.unsure_wrong,
                      (int)count.none, (long long)(count.calls / all));
        assert_true(count.right >= WAYS[w].least_sure * all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_the_index_or_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
