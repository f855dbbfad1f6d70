/* tests/property/test_derivative_arrays.c - the method `array` on random systems without structure,
 * and what every method has to do: run backward, be copied, find events, ask F only where it may.
 */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "seeded.h"
#include "small_dense.h"

enum { N_MAX = 10, BLOCKS_MAX = 2 };

static daedal_options by_array(double tolerance)
{
    daedal_options opt = defaults_with(tolerance, tolerance);
    assert_int_equal(daedal_options_set(&opt, "method", "array"), DAEDAL_OK);
    return opt;
}

/* ---- random systems ----
 * v' = g' - r (v - g) for d variables and v_k + v_{k+1}' = g_k in chains, with v = Q (y + b sin y),
 * multiplied by a matrix that depends on t: index and freedom are known, and so is the solution. */

typedef struct mixed {
    int32_t n, d, n_blocks, block[BLOCKS_MAX];
    double q[N_MAX * N_MAX], s[N_MAX * N_MAX], moving[N_MAX * N_MAX];
    double phase[N_MAX], rate[N_MAX], bend;
    double direction; /* of the run, along which deviations decay */
} mixed;

static double drive(const mixed *m, int32_t i, double t, int32_t k)
{
    return pow(m->rate[i], k) * sin(m->rate[i] * t + m->phase[i] + k * 1.5707963267948966);
}

static void set_right(const mixed *m, double t, const double *v, const double *vp, double *g)
{
    for (int32_t i = 0; i < m->d; i++)
        g[i] =
            vp[i] - drive(m, i, t, 1) + m->direction * 2.0 * (i + 1) * (v[i] - drive(m, i, t, 0));
    for (int32_t b = 0, first = m->d; b < m->n_blocks; first += m->block[b++])
        for (int32_t k = first; k < first + m->block[b]; k++)
            g[k] = v[k] - drive(m, k, t, 0) + (k + 1 < first + m->block[b] ? vp[k + 1] : 0.0);
}

static int mixed_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const mixed *m = user;
    double x[N_MAX], xp[N_MAX], v[N_MAX], vp[N_MAX], g[N_MAX], turned[N_MAX];
    for (int32_t i = 0; i < m->n; i++) {
        int32_t j = (i + 1) % m->n;
        x[i] = y[i] + m->bend * sin(y[j]);
        xp[i] = yp[i] + m->bend * cos(y[j]) * yp[j];
    }
    small_apply(m->n, m->q, x, v);
    small_apply(m->n, m->q, xp, vp);
    set_right(m, t, v, vp, g);
    small_apply(m->n, m->s, g, r);
    small_apply(m->n, m->moving, g, turned);
    for (int32_t i = 0; i < m->n; i++)
        r[i] += 0.3 * sin(t) * turned[i];
    return 0;
}

static void mixed_solution(const mixed *m, double t, double *y)
{
    double w[N_MAX], next[N_MAX];
    for (int32_t i = 0; i < m->d; i++)
        w[i] = drive(m, i, t, 0);
    for (int32_t b = 0, first = m->d; b < m->n_blocks; first += m->block[b++])
        for (int32_t k = first; k < first + m->block[b]; k++) {
            w[k] = 0.0;
            for (int32_t i = 0; k + i < first + m->block[b]; i++)
                w[k] += (i % 2 ? -1.0 : 1.0) * drive(m, k + i, t, i);
        }
    assert_true(small_solve(m->n, m->q, w));
    memcpy(y, w, sizeof w);
    for (int it = 0; it < 60; it++) {
        for (int32_t i = 0; i < m->n; i++)
            next[i] = w[i] - m->bend * sin(y[(i + 1) % m->n]);
        memcpy(y, next, sizeof next);
    }
}

static void draw_matrix(seeded *s, int32_t n, double diagonal, double *a)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            a[i * n + j] = seeded_uniform(s, -1.0, 1.0) + (i == j ? diagonal : 0.0);
}

static mixed draw_mixed(seeded *s)
{
    mixed m = {.d = seeded_int(s, 0, 3), .n_blocks = seeded_int(s, 1, BLOCKS_MAX)};
    m.n = m.d;
    for (int32_t b = 0; b < m.n_blocks; b++)
        m.n += m.block[b] = seeded_int(s, 1, b ? 2 : 3);
    m.bend = seeded_int(s, 0, 1) * 0.15;
    draw_matrix(s, m.n, 2.0, m.q);
    draw_matrix(s, m.n, 2.0, m.s);
    draw_matrix(s, m.n, 0.0, m.moving);
    for (int32_t i = 0; i < m.n; i++) {
        m.phase[i] = seeded_uniform(s, -3.0, 3.0);
        m.rate[i] = seeded_uniform(s, 0.7, 1.3);
    }
    return m;
}

/* Errors are at most what the tolerances, and the condition of the matrices, make of them; a few
 * fail, since derivatives of mixed equations are noise: then they say so.          */
static void random_systems(void **state)
{
    (void)state;
    int failed = 0;
    for (uint32_t seed = 1; seed <= 16; seed++) {
        seeded s = seeded_begin(seed);
        mixed m = draw_mixed(&s);
        double y[N_MAX];
        m.direction = seeded_sign(&s);
        daedal_options opt = by_array(1e-7);
        daedal_system sys = {.n = m.n, .residual = mixed_residual, .user = &m};
        daedal_solver *solver;
        assert_int_equal(daedal_solver_create(&solver, &sys, &opt, NULL), DAEDAL_OK);
        mixed_solution(&m, 0.2, y);
        daedal_status status = daedal_solver_start(solver, 0.2, y, NULL);
        for (int k = 1; k <= 3 && status >= 0; k++) {
            double t = 0.2 + 0.5 * k * m.direction;
            status = daedal_solver_advance(solver, t);
            mixed_solution(&m, t, y);
            for (int32_t j = 0; j < m.n && status >= 0; j++)
                seeded_require(
                    &s, fabs(daedal_solver_state(solver)->y[j] - y[j]) < 1e-5 * (1.0 + fabs(y[j])),
                    "y[%d] is off by %g", (int)j, daedal_solver_state(solver)->y[j] - y[j]);
        }
        failed += status < 0;
        daedal_solver_free(solver);
    }
    assert_true(failed <= 2);
}

/* ---- a pendulum of index 3 ---- */

static int pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[0] * y[4];
    r[3] = yp[3] + y[1] * y[4] + 9.81;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return 0;
}

static int lowest_point(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0];
    return 0;
}

static void expect_on_constraints(const double *y)
{
    double v = y[2] * y[2] + y[3] * y[3];
    expect_near(y[0] * y[0] + y[1] * y[1], 1.0, 1e-8);
    expect_near(y[0] * y[2] + y[1] * y[3], 0.0, 1e-8);
    expect_near(v - y[4] - 9.81 * y[1], 0.0, 1e-7);
    expect_near(0.5 * v + 9.81 * y[1], 0.0, 1e-6); /* energy */
}

/* Onto the constraints from a start that has no velocity and no multiplier; across the lowest
 * point, which is an event; forth and back, and the same by a copy.                          */
static void pendulum_runs(void **state)
{
    (void)state;
    const double y0[5] = {1.0, 0.0, 0.0, 0.0, 0.3};
    daedal_options opt = by_array(1e-8);
    daedal_system sys = {.n = 5, .residual = pendulum, .n_events = 1, .events = lowest_point};
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL), *copy;
    expect_near(daedal_solver_state(s)->y[4], 0.0, 1e-8);
    assert_int_equal(daedal_solver_advance(s, 1.0), DAEDAL_EVENT);
    double quarter = daedal_solver_state(s)->t;
    expect_near(quarter, 1.854074677301372 / sqrt(9.81), 1e-7); /* K(1/2) */
    assert_int_equal(daedal_solver_restart(s, NULL, NULL), DAEDAL_OK);
    assert_int_equal(daedal_solver_advance(s, quarter + 0.3), DAEDAL_OK);
    expect_on_constraints(daedal_solver_state(s)->y);
    assert_int_equal(daedal_solver_clone(&copy, s), DAEDAL_OK);
    assert_int_equal(daedal_solver_advance(s, 2.0 * quarter), DAEDAL_OK);
    assert_int_equal(daedal_solver_advance(copy, 2.0 * quarter), DAEDAL_OK);
    assert_memory_equal(daedal_solver_state(s)->y, daedal_solver_state(copy)->y,
                        5 * sizeof(double));
    expect_near(daedal_solver_state(s)->y[0], -1.0, 1e-7);
    expect_on_constraints(daedal_solver_state(s)->y);
    daedal_solver_free(copy);
    daedal_solver_free(s);
}

/* ---- where F may be asked ---- */

typedef struct window {
    double first, last;
    bool left; /* F was asked outside */
} window;

/* A chain of index 3 whose x1 is another function before 0. */
static int inside_window(double t, const double *y, const double *yp, double *r, void *user)
{
    window *w = user;
    w->left = w->left || t < w->first || t > w->last;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - y[2];
    r[2] = y[0] - (t < 0.0 ? 5.0 - t : sin(t));
    return 0;
}

/* F jumps at 0, and must not be asked beyond the stop time. */
static void asks_inside(void **state)
{
    (void)state;
    const double y0[3] = {0.0, 1.0, 0.0};
    window w = {-HUGE_VAL, 1.0, false};
    daedal_options opt = by_array(1e-8);
    daedal_system sys = {.n = 3, .residual = inside_window, .user = &w};
    daedal_solver *s;
    assert_int_equal(daedal_solver_create(&s, &sys, &opt, NULL), DAEDAL_OK);
    assert_int_equal(daedal_solver_set_stop_time(s, 1.0), DAEDAL_OK);
    assert_int_equal(daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_OK);
    for (int k = 1; k <= 4; k++) {
        assert_true(daedal_solver_advance(s, 0.25 * k) >= 0);
        const double *y = daedal_solver_state(s)->y;
        expect_near(y[0], sin(0.25 * k), 1e-8);
        expect_near(y[1], cos(0.25 * k), 1e-8);
        expect_near(y[2], -sin(0.25 * k), 1e-7);
    }
    assert_false(w.left);
    daedal_solver_free(s);
}

/* ---- words ---- */

static int long_chain(double t, const double *y, const double *yp, double *r, void *user)
{
    int32_t n = *(const int32_t *)user;
    for (int32_t i = 0; i + 1 < n; i++)
        r[i] = yp[i] - y[i + 1];
    r[n - 1] = y[0] - sin(t);
    return 0;
}

/* Too many equations, too high an index, tolerances that differences cannot meet. */
static void says_so(void **state)
{
    (void)state;
    static const struct {
        int32_t n;
        double tolerance;
        const char *text;
    } rows[] = {{61, 1e-6, "up to 60 equations"}, {7, 1e-6, "index"}, {6, 1e-12, NULL}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        double y0[61];
        int32_t n = rows[k].n;
        for (int32_t i = 0; i < n; i++)
            y0[i] = (double[]){0.0, 1.0, 0.0, -1.0}[i % 4];
        daedal_options opt = by_array(rows[k].tolerance);
        daedal_system sys = {.n = n, .residual = long_chain, .user = &n};
        daedal_solver *s;
        assert_int_equal(daedal_solver_create(&s, &sys, &opt, NULL), DAEDAL_OK);
        daedal_status status = daedal_solver_start(s, 0.0, y0, NULL);
        if (rows[k].text) {
            assert_true(status < 0);
            expect_text(daedal_solver_diagnosis(s)->message, rows[k].text);
        } else {
            assert_int_equal(status, DAEDAL_OK);
            assert_int_equal(daedal_solver_advance(s, 0.5), DAEDAL_OK);
            assert_int_equal(daedal_solver_diagnosis(s)->cause, DAEDAL_CAUSE_TOLERANCE_TOO_SMALL);
        }
        daedal_solver_free(s);
    }
}

/* Coefficients of the chain, but for a factor in the last one. */
static int wrong_taylor(int32_t order, double t, const double *y, double *r, void *user)
{
    int32_t n = *(const int32_t *)user;
    double sine[] = {sin(t), cos(t), -sin(t) / 2, -cos(t) / 6, sin(t) / 24, cos(t) / 120};
    for (int32_t k = 0; k <= order; k++) {
        for (int32_t i = 0; i + 1 < n; i++)
            r[k * n + i] = (k + 1) * y[(k + 1) * n + i] - y[k * n + i + 1];
        r[k * n + n - 1] = y[k * n] - (k == 3 ? 1.1 : 1.0) * sine[k];
    }
    return 0;
}

static void wrong_coefficients(void **state)
{
    (void)state;
    for (int32_t n = 3; n <= 4; n++) { /* the chain of three does not ask for the wrong one */
        const double y0[4] = {0.0, 1.0, 0.0, -1.0};
        daedal_options opt = by_array(1e-8);
        daedal_system sys = {.n = n, .residual = long_chain, .taylor = wrong_taylor, .user = &n};
        daedal_solver *s = solver_of(&sys, &opt);
        daedal_status status = daedal_solver_start(s, 0.0, y0, NULL);
        expect_status(s, status, n == 3 ? DAEDAL_OK : DAEDAL_ERR_JACOBIAN);
        if (n == 4)
            expect_text(daedal_solver_diagnosis(s)->message, "Taylor coefficient 3 of equation 3");
        daedal_solver_free(s);
    }
}

/* Whichever allocation fails, nothing is lost, and the status says so. */
static void without_memory(void **state)
{
    (void)state;
    const double y0[3] = {0.0, 1.0, 0.0};
    int32_t n = 3;
    daedal_system sys = {.n = n, .residual = long_chain, .user = &n};
    bool refused = true;
    for (long k = 1; refused; k++) {
        ledger books;
        ledger_open(&books);
        books.refuse = k;
        daedal_options opt = by_array(1e-4);
        opt.allocator = &books.allocator;
        daedal_solver *s = NULL, *copy = NULL;
        daedal_status status = daedal_solver_create(&s, &sys, &opt, NULL);
        if (status == DAEDAL_OK)
            status = daedal_solver_start(s, 0.0, y0, NULL);
        if (status == DAEDAL_OK)
            status = daedal_solver_advance(s, 0.5);
        if (status == DAEDAL_OK)
            status = daedal_solver_clone(&copy, s);
        if (status == DAEDAL_OK)
            status = daedal_solver_advance(copy, 0.6);
        assert_true(status == DAEDAL_OK || status == DAEDAL_ERR_MEMORY);
        refused = books.taken >= k;
        assert_true(refused || status == DAEDAL_OK);
        daedal_solver_free(copy);
        daedal_solver_free(s);
        ledger_expect_empty(&books);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_systems),     cmocka_unit_test(pendulum_runs),
        cmocka_unit_test(asks_inside),        cmocka_unit_test(says_so),
        cmocka_unit_test(wrong_coefficients), cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
