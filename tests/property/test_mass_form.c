/* tests/property/test_mass_form.c - M(t, y) y' = f(t, y) gives what the same system written
 * as F(t, y, y') = 0 gives.                                                       */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "seeded.h"

enum { N = 4, SEEDS = 20 };

/* Random coefficients; M has entries (0,0), (0,1), (1,1), (2,2) and a zero last column. */
typedef struct model {
    int32_t kind; /* DAEDAL_MASS_CONSTANT ... */
    double a[N][N], m[4], bend;
    bool sparse;
} model;

static const int32_t MASS_START[] = {0, 1, 3, 4, 4}, MASS_ROW[] = {0, 0, 1, 2};
static const daedal_pattern MASS_PATTERN = {N, N, MASS_START, MASS_ROW};
static const int32_t MASS_COLUMN[] = {0, 1, 1, 2};

/* The entries of M in the order of the pattern. */
static void entries(const model *s, double t, const double *y, double *m)
{
    memcpy(m, s->m, sizeof s->m);
    if (s->kind == DAEDAL_MASS_OF_TIME) {
        m[0] += 0.3 * sin(t);
        m[1] *= t;
    }
    if (s->kind == DAEDAL_MASS_OF_STATE) {
        m[0] += y[1] * y[1];
        m[1] *= y[2];
        m[3] += 0.5 * cos(y[0]);
    }
}

static int mass(double t, const double *y, double *values, void *user)
{
    const model *s = user;
    double m[4];
    entries(s, t, y, m);
    for (int q = 0; q < 4; q++)
        values[s->sparse ? q : MASS_COLUMN[q] * N + MASS_ROW[q]] = m[q];
    return DAEDAL_CALL_OK;
}

static int rhs(double t, const double *y, double *f, void *user)
{
    const model *s = user;
    for (int i = 0; i < N; i++) {
        f[i] = i < 3 ? sin(t + i) : cos(t);
        for (int j = 0; j < N; j++)
            f[i] -= s->a[i][j] * y[j];
        f[i] -= s->bend * y[i] * y[i] * y[i];
    }
    return DAEDAL_CALL_OK;
}

static int rhs_jacobian(double t, const double *y, double *values, void *user)
{
    const model *s = user;
    (void)t;
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++)
            values[j * N + i] = -s->a[i][j];
        values[j * N + j] -= 3.0 * s->bend * y[j] * y[j];
    }
    return DAEDAL_CALL_OK;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    double m[4];
    rhs(t, y, r, user);
    for (int i = 0; i < N; i++)
        r[i] = -r[i];
    entries(user, t, y, m);
    for (int q = 0; q < 4; q++)
        r[MASS_ROW[q]] += m[q] * yp[MASS_COLUMN[q]];
    return DAEDAL_CALL_OK;
}

static model draw_model(seeded *random, uint32_t seed, int32_t kind)
{
    *random = seeded_begin(seed);
    model s = {.kind = kind, .bend = seeded_uniform(random, 0.0, 0.5)};
    for (int i = 0; i < N; i++) {
        seeded_fill(random, s.a[i], N, 0.4);
        s.a[i][i] += seeded_uniform(random, 1.0, 20.0);
    }
    for (int q = 0; q < 4; q++)
        s.m[q] = seeded_uniform(random, 0.5, 1.5);
    return s;
}

static const double Y0[N] = {1.0, -0.5, 0.7, 0.0};

static void check_same(const seeded *random, const double *found, const double *wanted, double tol,
                       const char *what)
{
    for (int i = 0; i < N; i++)
        seeded_require(random, fabs(found[i] - wanted[i]) <= tol * (1.0 + fabs(wanted[i])),
                       "%s: y[%d] is %.12g, fully implicit %.12g", what, i, found[i], wanted[i]);
}

/* All ways to give M and df/dy, and the system with them. */
enum { WAYS = 4 };

static daedal_system system_given(model *s, int32_t kind, int way)
{
    s->sparse = way & 1;
    return (daedal_system){.n = N,
                           .rhs = rhs,
                           .rhs_jacobian = way & 2 ? rhs_jacobian : NULL,
                           .mass = mass,
                           .mass_pattern = s->sparse ? &MASS_PATTERN : NULL,
                           .mass_kind = kind,
                           .user = s};
}

static void compare(uint32_t seed, int32_t kind, const char *options, double tol)
{
    seeded random;
    model s = draw_model(&random, seed, kind);
    double wanted[N], found[N];
    daedal_system implicit = {.n = N, .residual = residual, .user = &s};
    solve_to(&implicit, options, 0.0, Y0, 2.0, wanted);
    for (int way = 0; way < WAYS; way++) {
        daedal_system sys = system_given(&s, kind, way);
        char what[64];
        snprintf(what, sizeof what, "%s, %s mass%s", options, s.sparse ? "sparse" : "full",
                 way & 2 ? ", df/dy" : "");
        solve_to(&sys, options, 0.0, Y0, 2.0, found);
        check_same(&random, found, wanted, tol, what);
    }
}

static void compare_kind(int32_t kind)
{
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        compare(seed, kind, "rtol=1e-6 atol=1e-6", 3e-5);
        compare(seed, kind, "rtol=1e-9 atol=1e-9", 3e-8);
        compare(seed, kind, "method=bdf_classic rtol=1e-7 atol=1e-7", 3e-5);
        compare(seed, kind, "method=radau rtol=1e-5 atol=1e-5", 3e-4);
        compare(seed, kind, "method=radau rtol=1e-9 atol=1e-9", 3e-8);
    }
}

static void test_constant_mass(void **state)
{
    (void)state;
    compare_kind(DAEDAL_MASS_CONSTANT);
}

static void test_mass_of_time(void **state)
{
    (void)state;
    compare_kind(DAEDAL_MASS_OF_TIME);
}

static void test_mass_of_state(void **state)
{
    (void)state;
    compare_kind(DAEDAL_MASS_OF_STATE);
}

/* ---- without M
 * -------------------------------------------------------------------------------------- */

static int ode_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    rhs(t, y, r, user);
    for (int i = 0; i < N; i++)
        r[i] = yp[i] - r[i];
    return DAEDAL_CALL_OK;
}

static void test_identity_mass(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        seeded random;
        model s = draw_model(&random, seed, DAEDAL_MASS_CONSTANT);
        double wanted[N], found[N];
        daedal_system implicit = {.n = N, .residual = ode_residual, .user = &s};
        daedal_system plain = {.n = N, .rhs = rhs, .user = &s};
        daedal_system given = {.n = N, .rhs = rhs, .rhs_jacobian = rhs_jacobian, .user = &s};
        solve_to(&implicit, "rtol=1e-8 atol=1e-8", 0.0, Y0, 2.0, wanted);
        solve_to(&plain, "rtol=1e-8 atol=1e-8", 0.0, Y0, 2.0, found);
        check_same(&random, found, wanted, 3e-7, "no mass");
        solve_to(&given, "rtol=1e-8 atol=1e-8", 0.0, Y0, 2.0, found);
        check_same(&random, found, wanted, 3e-7, "no mass, df/dy");
    }
}

/* ---- the Jacobian of the mass form
 * ------------------------------------------------------------------- */

/* dF/dy + c dF/dy' of the mass form with df/dy (and d(M y')/dy where M depends on y) against
 * that of the fully implicit form, both as the library holds them.                */
static void jacobian_of(const daedal_system *sys, const double *y, const double *yp, double *dense)
{
    kernel k;
    kernel_open(&k, sys, "start=given", 0.4, y, yp);
    iteration_matrix *m = k.b->in.matrix;
    matrix_point at = {0.4, 0.1, y, yp, NULL, k.b->inverse_weight};
    assert_int_equal(matrix_evaluate(m, &at), DAEDAL_CALL_OK);
    memset(dense, 0, N * N * sizeof *dense);
    for (int32_t j = 0; j < N; j++)
        for (int32_t q = m->pattern.view.start[j]; q < m->pattern.view.start[j + 1]; q++)
            dense[j * N + m->pattern.view.row[q]] = m->dy[q] + 3.0 * m->dyp[q];
    kernel_close(&k);
}

static void test_jacobian_parts(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind <= 2; kind++)
        for (uint32_t seed = 1; seed <= SEEDS; seed++) {
            seeded random;
            model s = draw_model(&random, seed, kind);
            double y[N], yp[N], wanted[N * N], found[N * N];
            seeded_fill(&random, y, N, 1.0);
            seeded_fill(&random, yp, N, 1.0);
            daedal_system implicit = {.n = N, .residual = residual, .user = &s};
            jacobian_of(&implicit, y, yp, wanted);
            for (int way = 0; way < WAYS; way++) {
                daedal_system sys = system_given(&s, kind, way);
                jacobian_of(&sys, y, yp, found);
                for (int i = 0; i < N * N; i++)
                    seeded_require(&random, fabs(found[i] - wanted[i]) <= 1e-5 * (1.0 + 20.0),
                                   "kind %d, way %d: entry (%d, %d) is %.10g, not %.10g", (int)kind,
                                   way, i % N, i / N, found[i], wanted[i]);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant_mass),  cmocka_unit_test(test_mass_of_time),
        cmocka_unit_test(test_mass_of_state),  cmocka_unit_test(test_identity_mass),
        cmocka_unit_test(test_jacobian_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
