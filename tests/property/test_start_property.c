/* tests/property/test_start_property.c - consistent starts of random index-1 systems.
 *
 * P (E0 Q y' + J0 Q y + cubic(Q y) - g) = 0 with random nonsingular P, Q: in x = Q y the
 * first r variables are differential and the rest algebraic, but dF/dy' = P E0 Q has no
 * zero column, so that the pattern does not show which.                           */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "driving.h"
#include "harness.h"
#include "seeded.h"

enum { N_MAX = 6, SEEDS = 250, MASK_SEEDS = 1700, REFUSED_SEEDS = 400 };
typedef double matrix[N_MAX][N_MAX];

typedef struct hidden_algebraic {
    int32_t n, r; /* size, differential combinations                              */
    matrix P, J0, Q, E;
    double g[N_MAX], bend;
} hidden;

/* Diagonally dominant, so that nothing is badly conditioned. */
static void draw_matrix(seeded *random, int32_t n, double weight, matrix m)
{
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++)
            m[i][j] = weight * seeded_uniform(random, -1.0, 1.0) / n;
        m[i][i] += seeded_sign(random) * (1.0 + seeded_uniform(random, 0.0, 1.0));
    }
}

static hidden draw_hidden(uint32_t seed, seeded *random)
{
    hidden s = {0};
    *random = seeded_begin(seed);
    s.n = seeded_int(random, 2, N_MAX);
    s.r = seeded_int(random, 1, s.n - 1);
    draw_matrix(random, s.n, 0.8, s.P);
    draw_matrix(random, s.n, 0.8, s.J0);
    draw_matrix(random, s.n, 0.8, s.Q);
    seeded_fill(random, s.g, s.n, 1.0);
    for (int32_t i = 0; i < s.n; i++)
        s.J0[i][i] = fabs(s.J0[i][i]); /* the cubic keeps its sign: one solution */
    s.bend = seeded_uniform(random, 0.0, 1.0);
    for (int32_t i = 0; i < s.n; i++)
        for (int32_t j = 0; j < s.n; j++)
            for (int32_t k = 0; k < s.r; k++)
                s.E[i][j] += s.P[i][k] * s.Q[k][j];
    return s;
}

static void multiply(const matrix m, int32_t n, const double *v, double *out)
{
    for (int32_t i = 0; i < n; i++) {
        out[i] = 0.0;
        for (int32_t j = 0; j < n; j++)
            out[i] += m[i][j] * v[j];
    }
}

/* -f of M y' = f */
static void left_side(const hidden *s, double t, const double *y, double *out)
{
    double x[N_MAX], inner[N_MAX];
    multiply(s->Q, s->n, y, x);
    multiply(s->J0, s->n, x, inner);
    for (int32_t i = 0; i < s->n; i++)
        inner[i] += s->bend * x[i] * x[i] * x[i] - s->g[i] * cos(t);
    multiply(s->P, s->n, inner, out);
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const hidden *s = user;
    double slopes[N_MAX];
    left_side(s, t, y, r);
    multiply(s->E, s->n, yp, slopes);
    for (int32_t i = 0; i < s->n; i++)
        r[i] += slopes[i];
    return DAEDAL_CALL_OK;
}

static int rhs(double t, const double *y, double *f, void *user)
{
    const hidden *s = user;
    left_side(s, t, y, f);
    for (int32_t i = 0; i < s->n; i++)
        f[i] = -f[i];
    return DAEDAL_CALL_OK;
}

static int mass(double t, const double *y, double *m, void *user)
{
    const hidden *s = user;
    (void)t;
    (void)y;
    for (int32_t j = 0; j < s->n; j++)
        for (int32_t i = 0; i < s->n; i++)
            m[j * s->n + i] = s->E[i][j];
    return DAEDAL_CALL_OK;
}

/* |F| small, and what the derivatives act on, E y, where it was up to the tolerance. */
static void check_start(const seeded *random, const hidden *s, daedal_solver *solver,
                        const double *y0)
{
    const daedal_state *at = daedal_solver_state(solver);
    double r[N_MAX], moved[N_MAX], kept[N_MAX];
    residual(at->t, at->y, at->yp, r, (void *)s);
    for (int32_t i = 0; i < s->n; i++)
        moved[i] = at->y[i] - y0[i];
    multiply(s->E, s->n, moved, kept);
    for (int32_t i = 0; i < s->n; i++) {
        seeded_require(random, fabs(r[i]) <= 1e-9, "n = %d, r = %d: F[%d] is %.3e", (int)s->n,
                       (int)s->r, (int)i, r[i]);
        seeded_require(random, fabs(kept[i]) <= 1e-6,
                       "n = %d, r = %d: a differential combination moved by %.3e", (int)s->n,
                       (int)s->r, kept[i]);
    }
}

static void start_hidden(uint32_t seed, bool mass_form)
{
    seeded random;
    hidden s = draw_hidden(seed, &random);
    daedal_system sys = {.n = s.n, .user = &s};
    if (mass_form) {
        sys.rhs = rhs;
        sys.mass = mass;
    } else {
        sys.residual = residual;
    }
    double y0[N_MAX], t0 = seeded_uniform(&random, -1.0, 1.0);
    seeded_fill(&random, y0, s.n, 1.0);
    daedal_solver *solver;
    assert_int_equal(daedal_solver_create(&solver, &sys, NULL, NULL), DAEDAL_OK);
    daedal_status status = daedal_solver_start(solver, t0, y0, NULL);
    seeded_require(&random, status == DAEDAL_OK, "n = %d, r = %d: %s", (int)s.n, (int)s.r,
                   daedal_solver_diagnosis(solver)->message);
    check_start(&random, &s, solver, y0);
    status = daedal_solver_advance(solver, t0 + 0.5); /* and the run can go on */
    seeded_require(&random, status == DAEDAL_OK, "n = %d, r = %d: %s", (int)s.n, (int)s.r,
                   daedal_solver_diagnosis(solver)->message);
    daedal_solver_free(solver);
}

static void test_hidden_combinations_fully_implicit(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++)
        start_hidden(seed, false);
}

static void test_hidden_combinations_mass_form(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++)
        start_hidden(seed, true);
}

/* ---- masks
 * --------------------------------------------------------------------------------------- */

/* E y' + J y = g with generic full E and J: any n entries of (y, y') determine the rest. */
typedef struct generic {
    int32_t n;
    matrix E, J;
    double g[N_MAX];
} generic;

static int generic_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const generic *s = user;
    double slopes[N_MAX];
    (void)t;
    multiply(s->J, s->n, y, r);
    multiply(s->E, s->n, yp, slopes);
    for (int32_t i = 0; i < s->n; i++)
        r[i] += slopes[i] - s->g[i];
    return DAEDAL_CALL_OK;
}

typedef struct masked_start {
    seeded random;
    generic s;
    double y0[N_MAX], yp0[N_MAX];
    int32_t mask[2 * N_MAX]; /* of y, then of y' */
    daedal_solver *solver;
} masked_start;

/* Masks with `free` entries FREE, `guess` GUESS and the rest FIXED, at random places. */
static void draw_masked(masked_start *m, uint32_t seed)
{
    m->random = seeded_begin(seed);
    m->s = (generic){.n = seeded_int(&m->random, 2, N_MAX)};
    draw_matrix(&m->random, m->s.n, 1.5, m->s.E);
    draw_matrix(&m->random, m->s.n, 1.5, m->s.J);
    seeded_fill(&m->random, m->s.g, m->s.n, 1.0);
    seeded_fill(&m->random, m->y0, m->s.n, 1.0);
    seeded_fill(&m->random, m->yp0, m->s.n, 1.0);
    for (int32_t e = 0; e < 2 * m->s.n; e++)
        m->mask[e] = DAEDAL_FIXED;
}

static void place(masked_start *m, int32_t count, int32_t what)
{
    while (count > 0) {
        int32_t e = seeded_int(&m->random, 0, 2 * m->s.n - 1);
        if (m->mask[e] != DAEDAL_FIXED)
            continue;
        m->mask[e] = what;
        count--;
    }
}

static daedal_status start_masked(masked_start *m)
{
    daedal_system sys = {.n = m->s.n, .residual = generic_residual, .user = &m->s};
    int32_t n = m->s.n;
    assert_int_equal(daedal_solver_create(&m->solver, &sys, NULL, NULL), DAEDAL_OK);
    return daedal_solver_start_masked(m->solver, 0.0, m->y0, m->yp0, (daedal_ints){m->mask, n},
                                      (daedal_ints){m->mask + n, n});
}

/* How far entry e moved. */
static double move_of(const masked_start *m, int32_t e)
{
    const daedal_state *at = daedal_solver_state(m->solver);
    int32_t n = m->s.n;
    return e < n ? at->y[e] - m->y0[e] : at->yp[e - n] - m->yp0[e - n];
}

static void check_masked(const masked_start *m)
{
    const daedal_state *at = daedal_solver_state(m->solver);
    double r[N_MAX];
    generic_residual(0.0, at->y, at->yp, r, (void *)&m->s);
    for (int32_t i = 0; i < m->s.n; i++)
        seeded_require(&m->random, fabs(r[i]) <= 1e-9, "F[%d] is %.3e", (int)i, r[i]);
    for (int32_t e = 0; e < 2 * m->s.n; e++)
        seeded_require(&m->random, m->mask[e] != DAEDAL_FIXED || move_of(m, e) == 0.0,
                       "fixed entry %d moved by %.3e", (int)e, move_of(m, e));
}

static void start_and_check(masked_start *m)
{
    daedal_status status = start_masked(m);
    seeded_require(&m->random, status == DAEDAL_OK, "%s",
                   daedal_solver_diagnosis(m->solver)->message);
    check_masked(m);
}

/* With n entries or more of this kind, the rest fixed, there is always a start. */
static void expect_start_with_enough(int32_t kind)
{
    for (uint32_t seed = 1; seed <= MASK_SEEDS; seed++) {
        masked_start m;
        draw_masked(&m, seed);
        place(&m, seeded_int(&m.random, m.s.n, 2 * m.s.n), kind);
        start_and_check(&m);
        daedal_solver_free(m.solver);
    }
}

static void test_enough_free_entries(void **state)
{
    (void)state;
    expect_start_with_enough(DAEDAL_FREE);
}

/* As many free entries as equations: then guesses need not move, and hardly do, unless the
 * free ones happen to determine little.                                           */
static void test_guesses_stay(void **state)
{
    (void)state;
    uint32_t still = 0;
    for (uint32_t seed = 1; seed <= MASK_SEEDS; seed++) {
        masked_start m;
        draw_masked(&m, seed);
        place(&m, m.s.n, DAEDAL_FREE);
        place(&m, seeded_int(&m.random, 1, m.s.n), DAEDAL_GUESS);
        start_and_check(&m);
        double free_moves = 0.0, guess_moves = 0.0;
        for (int32_t e = 0; e < 2 * m.s.n; e++) {
            double *most = m.mask[e] == DAEDAL_GUESS ? &guess_moves : &free_moves;
            *most = fmax(*most, fabs(move_of(&m, e)));
        }
        still += guess_moves <= 1e-2 * free_moves;
        daedal_solver_free(m.solver);
    }
    assert_true(still >= MASK_SEEDS * 9 / 10);
}

/* y0 + y1 = 2 with y1 = 1 a guess: y0 goes to 1, whatever value it is given, also zero. */
static int sum_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    r[0] = y[0] + y[1] - 2.0;
    r[1] = yp[0] - yp[1] + y[0];
    return DAEDAL_CALL_OK;
}

static void test_free_values_move_before_guesses(void **state)
{
    (void)state;
    const double given[] = {5.0, 1e-3, 1e-9, 0.0};
    const int32_t y_mask[] = {DAEDAL_FREE, DAEDAL_GUESS}, yp_mask[] = {DAEDAL_FREE, DAEDAL_FREE};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        daedal_system sys = {.n = 2, .residual = sum_residual};
        const double y0[] = {given[i], 1.0}, yp0[] = {0.0, 0.0};
        daedal_solver *s;
        assert_int_equal(daedal_solver_create(&s, &sys, NULL, NULL), DAEDAL_OK);
        assert_int_equal(daedal_solver_start_masked(s, 0.0, y0, yp0, (daedal_ints){y_mask, 2},
                                                    (daedal_ints){yp_mask, 2}),
                         DAEDAL_OK);
        double moved = fabs(daedal_solver_state(s)->y[1] - 1.0);
        if (!(moved <= 1e-2))
            fail_msg("y0 = %.1e: the guess moved by %.3e", given[i], moved);
        daedal_solver_free(s);
    }
}

/* Guesses alone move as far as they must. */
static void test_guesses_move_when_needed(void **state)
{
    (void)state;
    expect_start_with_enough(DAEDAL_GUESS);
}

/* Fewer than n: the values held contradict the equations, and one is named. */
static void test_too_much_is_fixed(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= REFUSED_SEEDS; seed++) {
        masked_start m;
        draw_masked(&m, seed);
        place(&m, seeded_int(&m.random, 1, m.s.n - 1), DAEDAL_FREE);
        daedal_status status = start_masked(&m);
        seeded_require(&m.random, status == DAEDAL_ERR_START, "%s for a contradiction",
                       daedal_status_name(status));
        seeded_require(&m.random, daedal_solver_diagnosis(m.solver)->equation >= 0,
                       "no equation named");
        daedal_solver_free(m.solver);
    }
}

static int polar(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)yp, (void)user;
    r[0] = y[0] * sin(y[1]);
    r[1] = y[0] * cos(y[1]);
    return DAEDAL_CALL_OK;
}

/* The length of a vector that is zero is exactly zero, from whatever guess, or the start is told to
 * be singular: what the last correction leaves of it would hide that nothing determines the angle.
 */
static void test_what_vanishes_is_zero(void **state)
{
    (void)state;
    int zeros = 0;
    daedal_system sys = {.n = 2, .residual = polar};
    for (double size = 1e-30; size < 10.0; size *= 9.7)
        for (int k = 0; k < 40; k++) {
            const double y0[] = {size, 0.05 + 0.15 * k};
            daedal_solver *s = solver_of(&sys, NULL);
            daedal_status status = daedal_solver_start(s, 0.0, y0, NULL);
            double left = status == DAEDAL_OK ? daedal_solver_state(s)->y[0] : 0.0;
            if (left != 0.0 || (status != DAEDAL_OK && status != DAEDAL_ERR_SINGULAR))
                fail_msg("from %g, %g: %s, %g is left", y0[0], y0[1], daedal_status_name(status),
                         left);
            zeros += status == DAEDAL_OK;
            daedal_solver_free(s);
        }
    assert_true(zeros > 400);
}

static int tiny_root(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)yp;
    r[0] = y[0] * (1.0 + y[0]) - *(const double *)user;
    return DAEDAL_CALL_OK;
}

/* A solution that is small is not taken for zero. */
static void test_small_solutions_stay(void **state)
{
    (void)state;
    for (double root = 1e-20; root < 1e-12; root *= 10.0) {
        daedal_system sys = {.n = 1, .residual = tiny_root, .user = &root};
        const double y0 = 1.0;
        daedal_options opt = defaults_with(1e-6, 1e-6 * root);
        daedal_solver *s = started(&sys, &opt, 0.0, &y0, NULL);
        expect_near(daedal_solver_state(s)->y[0], root, 1e-3 * root);
        daedal_solver_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hidden_combinations_fully_implicit),
        cmocka_unit_test(test_hidden_combinations_mass_form),
        cmocka_unit_test(test_enough_free_entries),
        cmocka_unit_test(test_guesses_stay),
        cmocka_unit_test(test_free_values_move_before_guesses),
        cmocka_unit_test(test_guesses_move_when_needed),
        cmocka_unit_test(test_too_much_is_fixed),
        cmocka_unit_test(test_what_vanishes_is_zero),
        cmocka_unit_test(test_small_solutions_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
