/* tests/property/test_start_of_index_three.c - starts of mixed systems of index three.
 *
 * M v' = f(t, q, v) + G' lambda, q' = v, G q = G s(t) with the rows mixed by a random matrix, so
 * that no structure shows the index.  Values that are consistent must stay, whatever the
 * tolerances and although no y' is given; values that are not must be made so.      */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "harness.h"
#include "seeded.h"

enum { STATES = 5, MULTIPLIERS = 2, N_MAX = 2 * STATES + MULTIPLIERS };

typedef struct mechanism {
    int32_t n_q, n_z, n;
    double s[N_MAX][4]; /* amplitude, frequency, phase and mean of every solution */
    double a[STATES][STATES], g[MULTIPLIERS][STATES];
    double mix[N_MAX][N_MAX];
} mechanism;

static double wave(const double *s, double t, int derivative)
{
    double phase = s[1] * t + s[2] + 1.5707963267948966 * derivative;
    return (derivative == 0 ? s[3] : 0.0) + s[0] * pow(s[1], derivative) * sin(phase);
}

static void unmixed(const mechanism *m, double t, const double *y, const double *yp, double *f)
{
    const double *v = y + m->n_q, *z = y + 2 * m->n_q;
    for (int32_t i = 0; i < m->n_q; i++) {
        double *force = &f[m->n_q + i];
        f[i] = yp[i] - v[i];
        *force = yp[m->n_q + i] - wave(m->s[i], t, 2) + 0.5 * (y[i] - wave(m->s[i], t, 0));
        for (int32_t j = 0; j < m->n_q; j++) {
            double off = v[j] - wave(m->s[j], t, 1);
            *force -= m->a[i][j] * off - (i == j ? 0.2 * off * off * off : 0.0);
        }
        for (int32_t k = 0; k < m->n_z; k++)
            *force -= m->g[k][i] * (z[k] - wave(m->s[m->n_q + k], t, 0));
    }
    for (int32_t k = 0; k < m->n_z; k++) {
        double *gap = &f[2 * m->n_q + k];
        *gap = 0.0;
        for (int32_t j = 0; j < m->n_q; j++)
            *gap += m->g[k][j] * (y[j] - wave(m->s[j], t, 0));
    }
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const mechanism *m = user;
    double f[N_MAX];
    unmixed(m, t, y, yp, f);
    for (int32_t i = 0; i < m->n; i++) {
        r[i] = f[i];
        for (int32_t j = 0; j < m->n; j++)
            r[i] += m->mix[i][j] * f[j];
    }
    return DAEDAL_CALL_OK;
}

static mechanism draw(seeded *random)
{
    mechanism m = {.n_q = seeded_int(random, 3, STATES), .n_z = seeded_int(random, 1, MULTIPLIERS)};
    m.n = 2 * m.n_q + m.n_z;
    for (int32_t i = 0; i < m.n_q + m.n_z; i++) {
        m.s[i][0] = seeded_uniform(random, 0.3, 1.0);
        m.s[i][1] = seeded_ratio(random, 0.3, 4.0);
        m.s[i][2] = seeded_uniform(random, 0.0, 6.0);
        m.s[i][3] = seeded_uniform(random, -1.0, 1.0);
    }
    for (int32_t i = 0; i < m.n_q; i++) {
        seeded_fill(random, m.a[i], m.n_q, 0.4);
        m.a[i][i] = -seeded_uniform(random, 1.5, 4.0);
    }
    for (int32_t k = 0; k < m.n_z; k++) {
        seeded_fill(random, m.g[k], m.n_q, 0.5);
        m.g[k][m.n_q - 1 - k] += 1.5 * seeded_sign(random);
    }
    for (int32_t i = 0; i < m.n; i++)
        seeded_fill(random, m.mix[i], m.n, 0.6 / m.n);
    return m;
}

static void solution(const mechanism *m, double t, double *y)
{
    for (int32_t i = 0; i < m->n_q; i++) {
        y[i] = wave(m->s[i], t, 0);
        y[m->n_q + i] = wave(m->s[i], t, 1);
    }
    for (int32_t k = 0; k < m->n_z; k++)
        y[2 * m->n_q + k] = wave(m->s[m->n_q + k], t, 0);
}

static daedal_solver *start_mechanism(mechanism *m, double tol, const double *y)
{
    daedal_options o = defaults_with(tol, tol);
    daedal_system sys = {.n = m->n, .residual = residual, .user = m};
    daedal_solver *s = solver_of(&sys, &o);
    expect_status(s, daedal_solver_start(s, 0.0, y, NULL), DAEDAL_OK);
    return s;
}

static void test_consistent_values_stay(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-4, 1e-6, 1e-8};
    for (uint32_t k = 1; k <= 16; k++) {
        uint32_t seed = k <= 15 ? k : 1319; /* which needs its derivatives level by level */
        seeded random = seeded_begin(seed);
        mechanism m = draw(&random);
        double y[N_MAX], tol = tolerances[seed % 3];
        solution(&m, 0.0, y);
        daedal_solver *s = start_mechanism(&m, tol, y);
        for (int32_t j = 0; j < 2 * m.n_q; j++) {
            double moved = daedal_solver_state(s)->y[j] - y[j];
            seeded_require(&random, fabs(moved) <= 10.0 * tol, "y[%d] moved by %g at rtol %g",
                           (int)j, moved, tol);
        }
        daedal_solver_free(s);
    }
}

/* Positions and velocities that violate the constraints are moved onto them, and not farther than
 * that takes.                                                                     */
static void test_other_values_are_moved(void **state)
{
    (void)state;
    for (uint32_t seed = 101; seed <= 110; seed++) {
        seeded random = seeded_begin(seed);
        mechanism m = draw(&random);
        double y[N_MAX], zero[N_MAX] = {0.0}, f[N_MAX];
        solution(&m, 0.0, y);
        for (int32_t j = 0; j < m.n; j++)
            y[j] += seeded_uniform(&random, -0.3, 0.3);
        daedal_solver *s = start_mechanism(&m, 1e-6, y);
        const double *now = daedal_solver_state(s)->y;
        unmixed(&m, 0.0, now, zero, f);
        for (int32_t k = 0; k < m.n_z; k++)
            seeded_require(&random, fabs(f[2 * m.n_q + k]) <= 1e-6, "constraint %d is off by %g",
                           (int)k, f[2 * m.n_q + k]);
        for (int32_t j = 0; j < m.n_q; j++)
            seeded_require(&random, fabs(now[j] - y[j]) <= 2.0, "y[%d] moved by %g", (int)j,
                           now[j] - y[j]);
        daedal_solver_free(s);
    }
}

/* q'' = -lambda, p'' = -2 lambda - 1, q + q^2 / 10 + p = 1. */
static int curve(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4];
    r[3] = yp[3] + 2.0 * y[4] + 1.0;
    r[4] = y[0] + y[0] * y[0] / 10.0 + y[1] - 1.0;
    return DAEDAL_CALL_OK;
}

static int pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 9.81;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return DAEDAL_CALL_OK;
}

/* Tolerances that differ by six orders of magnitude do not decide whether there is a start. */
static void test_tolerances_of_all_sizes(void **state)
{
    (void)state;
    static daedal_residual_fn *const functions[] = {curve, pendulum};
    for (uint32_t seed = 1; seed <= 50; seed++) {
        seeded random = seeded_begin(seed);
        double y[5], atol[5], r[5], zero[5] = {0.0};
        for (int j = 0; j < 5; j++) {
            y[j] = seeded_uniform(&random, -2.0, 2.0);
            atol[j] = seeded_ratio(&random, 1e-9, 1e-3);
        }
        if (hypot(y[0], y[1]) < 0.2) /* the centre of the circle */
            continue;
        daedal_options o = defaults_with(seeded_ratio(&random, 1e-8, 1e-4), 1e-6);
        o.atol_each = (daedal_doubles){atol, 5};
        daedal_system sys = {.n = 5, .residual = functions[seed % 2]};
        daedal_solver *s = solver_of(&sys, &o);
        daedal_status status = daedal_solver_start(s, 0.0, y, NULL);
        seeded_require(&random, status == DAEDAL_OK, "%s", daedal_solver_diagnosis(s)->message);
        functions[seed % 2](0.0, daedal_solver_state(s)->y, zero, r, NULL);
        seeded_require(&random, fabs(r[4]) <= 1e-3, "the constraint is off by %g", r[4]);
        daedal_solver_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_consistent_values_stay),
                                       cmocka_unit_test(test_other_values_are_moved),
                                       cmocka_unit_test(test_tolerances_of_all_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
