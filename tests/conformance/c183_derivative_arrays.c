/* tests/conformance/c183_derivative_arrays.c - C010, C011, C058, C183, C199: the method `array` on
 * systems given as functions, whose index other methods do not take, or on which they are unstable.
 * All have solutions that are known; since hidden constraints determine most of the variables,
 * their errors are violations of these.   */
#include <float.h>
#include <math.h>
#include <string.h>

#include "harness.h"

enum { N_MAX = 8, POINTS = 12 };

typedef void solution_fn(double t, double parameter, double *y);

typedef struct problem {
    const char *name;
    daedal_residual_fn *f;
    solution_fn *solution;
    int32_t n;
    double t_start, t_end, parameter, bound;
    daedal_taylor_fn *taylor; /* or NULL */
} problem;

/* ---- C010, example 2.4.1: every pencil is singular ---- */

static int singular_pencil(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + t * yp[1] - sin(t);
    r[1] = y[0] + t * y[1] - cos(2.0 * t);
    return 0;
}

static void of_singular_pencil(double t, double parameter, double *y)
{
    (void)parameter;
    double first = sin(t) + 2.0 * sin(2.0 * t);
    y[0] = t * first + cos(2.0 * t);
    y[1] = -first;
}

/* ---- C058, (3.1.13): difference methods are unstable, with eta = -1 their matrix is singular ----
 */

static int unstable(double t, const double *y, const double *yp, double *r, void *user)
{
    double eta = *(const double *)user;
    r[0] = y[0] + eta * t * y[1] - sin(t) - 0.5;
    r[1] = yp[0] + eta * t * yp[1] + (1.0 + eta) * y[1];
    return 0;
}

static void of_unstable(double t, double eta, double *y)
{
    y[0] = sin(t) + 0.5 + eta * t * cos(t);
    y[1] = -cos(t);
}

/* ---- chains: x1' = x2, ..., x1 = g ---- */

static int chain(double t, const double *y, const double *yp, double *r, void *user)
{
    int32_t n = (int32_t) * (const double *)user;
    for (int32_t i = 0; i + 1 < n; i++)
        r[i] = yp[i] - y[i + 1];
    r[n - 1] = y[0] - sin(t) - 0.3 * exp(-t);
    return 0;
}

static void of_chain(double t, double parameter, double *y)
{
    for (int32_t i = 0; i < (int32_t)parameter; i++)
        y[i] = sin(t + i * 1.5707963267948966) + 0.3 * exp(-t) * (i % 2 ? -1.0 : 1.0);
}

/* ---- C011, example 2.4.3: the rank of dF/dy' changes at 0 ---- */

static double flat(double t)
{
    return t > 0.0 ? exp(-1.0 / t) : 0.0;
}

static int rank_changes(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = flat(t) * yp[1] + y[0] - sin(t);
    r[1] = flat(-t) * yp[0] + y[1] - cos(t);
    return 0;
}

static void of_rank_changes(double t, double parameter, double *y)
{
    (void)parameter;
    y[0] = (1.0 + flat(t)) * sin(t);
    y[1] = (1.0 - flat(-t)) * cos(t);
}

/* ---- C183: a mass driven through an elastic joint along a given path, index 5, with its equations
 * mixed so that no structure shows it ---- */

static const double STIFFNESS = 4.0, MASS = 0.5;

static int elastic_joint(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double c = cos(0.7 + 0.3 * t), s = sin(0.7 + 0.3 * t), force = STIFFNESS * (y[2] - y[0]);
    double f[5] = {yp[0] - y[1], yp[1] - force - 0.1 * sin(y[0]), yp[2] - y[3],
                   MASS * yp[3] + force - y[4], y[0] - sin(t)};
    r[0] = c * f[0] + s * f[4];
    r[1] = c * f[1] - s * f[3];
    r[2] = f[2] + 0.3 * y[0] * f[1];
    r[3] = s * f[1] + c * f[3];
    r[4] = -s * f[0] + c * f[4];
    return 0;
}

static void of_elastic_joint(double t, double parameter, double *y)
{
    (void)parameter;
    double g = sin(t), v = cos(t), slope = cos(g) * v, bend = -sin(g) * v * v - cos(g) * g;
    y[0] = g;
    y[1] = v;
    y[2] = g - (g + 0.1 * sin(g)) / STIFFNESS;
    y[3] = v - (v + 0.1 * slope) / STIFFNESS;
    y[4] = MASS * (-g + (g - 0.1 * bend) / STIFFNESS) + STIFFNESS * (y[2] - g);
}

/* ---- C183, C041: three differentiators in a row ---- */

static int cascade(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = y[0] - sin(t);
    for (int32_t i = 1; i < 4; i++)
        r[i] = y[i] + 0.5 * yp[i - 1];
    return 0;
}

static void of_cascade(double t, double parameter, double *y)
{
    (void)parameter;
    y[0] = sin(t);
    y[1] = -0.5 * cos(t);
    y[2] = -0.25 * sin(t);
    y[3] = 0.125 * cos(t);
}

/* ---- C199: the arm with an elastic joint of [CG95], index 5, structure 3 ---- */

typedef struct arm_terms {
    double a, b, c, d, first, third; /* of x4' and x6', without the joint and the torques */
} arm_terms;

static arm_terms terms_of_arm(double x3, double x4, double x6)
{
    double q = 2.0 - cos(x3) * cos(x3), sum = (x4 + x6) * (x4 + x6);
    arm_terms m = {2.0 / q, cos(x3) / q, sin(x3) / q, cos(x3) * sin(x3) / q, 0.0, 0.0};
    m.first = 2.0 * m.c * sum + x4 * x4 * m.d;
    m.third = -m.first - 2.0 * x4 * x4 * m.c - m.d * sum;
    return m;
}

static int arm(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    arm_terms m = terms_of_arm(y[2], y[3], y[5]);
    double w = 2.0 * y[2] - y[1];
    for (int32_t i = 0; i < 3; i++)
        r[i] = yp[i] - y[3 + i];
    r[3] = yp[3] - (m.first + w * (m.a + 2.0 * m.b) + m.a * (y[6] - y[7]));
    r[4] = yp[4] - (-m.first + w * (1.0 - 3.0 * m.a - 2.0 * m.b) - m.a * y[6] + (m.a + 1.0) * y[7]);
    r[5] = yp[5] - (m.third + w * (m.a - 9.0 * m.b) - (m.a + m.b) * (y[6] - y[7]));
    r[6] = cos(y[0]) + cos(y[0] + y[2]) - cos(1.0 - exp(t)) - cos(1.0 - t);
    r[7] = sin(y[0]) + sin(y[0] + y[2]) - sin(1.0 - exp(t)) - sin(1.0 - t);
    return 0;
}

/* x2 and u1 - u2 follow from x4' and x6'. */
static double joint_of_arm(double t, double *torques)
{
    double e = exp(t), x3 = e - t;
    arm_terms m = terms_of_arm(x3, -e, e - 1.0);
    double k[4] = {m.a + 2.0 * m.b, m.a, m.a - 9.0 * m.b, -(m.a + m.b)};
    double one = -e - m.first, two = e - m.third, det = k[0] * k[3] - k[1] * k[2];
    *torques = (k[0] * two - k[2] * one) / det;
    return 2.0 * x3 - (one * k[3] - k[1] * two) / det;
}

static void of_arm(double t, double parameter, double *y)
{
    (void)parameter;
    static const double slope[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280},
                        bend[] = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
    const double h = 0.01;
    double e = exp(t), torques, ignored, x2 = joint_of_arm(t, &torques), x5 = 0.0,
           x5p = -205.0 / 72 * x2;
    for (int k = 1; k <= 4; k++) {
        double after = joint_of_arm(t + k * h, &ignored),
               before = joint_of_arm(t - k * h, &ignored);
        x5 += slope[k - 1] * (after - before) / h;
        x5p += bend[k - 1] * (after + before);
    }
    x5p /= h * h;
    arm_terms m = terms_of_arm(e - t, -e, e - 1.0);
    double w = 2.0 * (e - t) - x2;
    double u2 = x5p + m.first - w * (1.0 - 3.0 * m.a - 2.0 * m.b) + m.a * torques;
    double values[] = {1.0 - e, x2, e - t, -e, x5, e - 1.0, torques + u2, u2};
    memcpy(y, values, sizeof values);
}

/* ---- the same by Taylor coefficients ---- */

enum { ORDER_MAX = 6 };

typedef struct series {
    double c[ORDER_MAX + 1];
} series;

static series sum_of(series a, double factor, series b)
{
    for (int k = 0; k <= ORDER_MAX; k++)
        a.c[k] += factor * b.c[k];
    return a;
}

static series product_of(series a, series b)
{
    series p = {{0.0}};
    for (int k = 0; k <= ORDER_MAX; k++)
        for (int i = 0; i <= k; i++)
            p.c[k] += a.c[i] * b.c[k - i];
    return p;
}

static series quotient_of(series a, series b)
{
    series q = {{0.0}};
    for (int k = 0; k <= ORDER_MAX; k++) {
        q.c[k] = a.c[k];
        for (int i = 0; i < k; i++)
            q.c[k] -= q.c[i] * b.c[k - i];
        q.c[k] /= b.c[0];
    }
    return q;
}

static series exponential_of(series a)
{
    series e = {{exp(a.c[0])}};
    for (int k = 1; k <= ORDER_MAX; k++)
        for (int i = 1; i <= k; i++)
            e.c[k] += i * a.c[i] * e.c[k - i] / k;
    return e;
}

static series sine_of(series a, double phase)
{
    series s = {{sin(a.c[0] + phase)}}, c = {{cos(a.c[0] + phase)}};
    for (int k = 1; k <= ORDER_MAX; k++)
        for (int i = 1; i <= k; i++) {
            s.c[k] += i * a.c[i] * c.c[k - i] / k;
            c.c[k] -= i * a.c[i] * s.c[k - i] / k;
        }
    return s;
}

static series cosine_of(series a)
{
    return sine_of(a, 1.5707963267948966);
}

/* Coefficients of y_j, of y_j', and of t. */
typedef struct along {
    int32_t n, order;
    const double *y;
} along;

static series value_of(const along *a, int32_t j)
{
    series s = {{0.0}};
    for (int32_t m = 0; m <= a->order + 1 && m <= ORDER_MAX; m++)
        s.c[m] = a->y[m * a->n + j];
    return s;
}

static series slope_of(const along *a, int32_t j)
{
    series s = {{0.0}};
    for (int32_t m = 0; m <= a->order; m++)
        s.c[m] = (m + 1) * a->y[(m + 1) * a->n + j];
    return s;
}

static void set_row(const along *a, double *r, int32_t i, series s)
{
    for (int32_t k = 0; k <= a->order; k++)
        r[k * a->n + i] = s.c[k];
}

static int chain_taylor(int32_t order, double t, const double *y, double *r, void *user)
{
    along a = {(int32_t) * (const double *)user, order, y};
    series time = {{t, 1.0}}, minus = {{-t, -1.0}};
    for (int32_t i = 0; i + 1 < a.n; i++)
        set_row(&a, r, i, sum_of(slope_of(&a, i), -1.0, value_of(&a, i + 1)));
    series g = sum_of(sine_of(time, 0.0), 0.3, exponential_of(minus));
    set_row(&a, r, a.n - 1, sum_of(value_of(&a, 0), -1.0, g));
    return 0;
}

static int unstable_taylor(int32_t order, double t, const double *y, double *r, void *user)
{
    double eta = *(const double *)user;
    along a = {2, order, y};
    series time = {{t, 1.0}}, half = {{0.5}}, g = sum_of(sine_of(time, 0.0), 1.0, half);
    series first = sum_of(value_of(&a, 0), eta, product_of(time, value_of(&a, 1)));
    series second = sum_of(slope_of(&a, 0), eta, product_of(time, slope_of(&a, 1)));
    set_row(&a, r, 0, sum_of(first, -1.0, g));
    set_row(&a, r, 1, sum_of(second, 1.0 + eta, value_of(&a, 1)));
    return 0;
}

static int rank_changes_taylor(int32_t order, double t, const double *y, double *r, void *user)
{
    (void)user;
    along a = {2, order, y};
    series time = {{t, 1.0}}, zero = {{0.0}}, one = {{1.0}};
    series flat_at = exponential_of(quotient_of(sum_of(zero, t > 0.0 ? -1.0 : 1.0, one), time));
    series phi = t > 0.0 ? flat_at : zero, psi = t < 0.0 ? flat_at : zero;
    series first = sum_of(product_of(phi, slope_of(&a, 1)), 1.0, value_of(&a, 0));
    series second = sum_of(product_of(psi, slope_of(&a, 0)), 1.0, value_of(&a, 1));
    set_row(&a, r, 0, sum_of(first, -1.0, sine_of(time, 0.0)));
    set_row(&a, r, 1, sum_of(second, -1.0, cosine_of(time)));
    return 0;
}

/* The rows of x4', x5' and x6'. */
static void set_forces_of_arm(const along *a, double *r)
{
    series x[8], one = {{1.0}}, two = {{2.0}};
    for (int32_t j = 0; j < 8; j++)
        x[j] = value_of(a, j);
    series cosine = cosine_of(x[2]), sine = sine_of(x[2], 0.0);
    series q = sum_of(two, -1.0, product_of(cosine, cosine)), sum = sum_of(x[3], 1.0, x[5]);
    series ca = quotient_of(two, q), cb = quotient_of(cosine, q), cc = quotient_of(sine, q);
    series cd = product_of(cosine, cc), w = sum_of(sum_of(x[2], 1.0, x[2]), -1.0, x[1]);
    series squared = product_of(sum, sum), spin = product_of(x[3], x[3]);
    series first = sum_of(product_of(spin, cd), 2.0, product_of(cc, squared));
    series third = sum_of(sum_of(first, -2.0, first), -2.0, product_of(spin, cc));
    third = sum_of(third, -1.0, product_of(cd, squared));
    series torques = sum_of(x[6], -1.0, x[7]), joint = sum_of(sum_of(one, -3.0, ca), -2.0, cb);
    series row = sum_of(slope_of(a, 3), -1.0, first);
    row = sum_of(row, -1.0, product_of(w, sum_of(ca, 2.0, cb)));
    set_row(a, r, 3, sum_of(row, -1.0, product_of(ca, torques)));
    row = sum_of(sum_of(slope_of(a, 4), 1.0, first), -1.0, product_of(w, joint));
    set_row(a, r, 4, sum_of(sum_of(row, 1.0, product_of(ca, torques)), -1.0, x[7]));
    row = sum_of(sum_of(slope_of(a, 5), -1.0, third), -1.0, product_of(w, sum_of(ca, -9.0, cb)));
    set_row(a, r, 5, sum_of(row, 1.0, product_of(sum_of(ca, 1.0, cb), torques)));
}

static int arm_taylor(int32_t order, double t, const double *y, double *r, void *user)
{
    (void)user;
    along a = {8, order, y};
    series time = {{t, 1.0}}, one = {{1.0}};
    series p = sum_of(one, -1.0, exponential_of(time)), q = sum_of(one, -1.0, time);
    series x1 = value_of(&a, 0), both = sum_of(x1, 1.0, value_of(&a, 2));
    for (int32_t i = 0; i < 3; i++)
        set_row(&a, r, i, sum_of(slope_of(&a, i), -1.0, value_of(&a, 3 + i)));
    set_forces_of_arm(&a, r);
    series c = sum_of(cosine_of(x1), 1.0, cosine_of(both));
    series s = sum_of(sine_of(x1, 0.0), 1.0, sine_of(both, 0.0));
    set_row(&a, r, 6, sum_of(sum_of(c, -1.0, cosine_of(p)), -1.0, cosine_of(q)));
    set_row(&a, r, 7, sum_of(sum_of(s, -1.0, sine_of(p, 0.0)), -1.0, sine_of(q, 0.0)));
    return 0;
}

/* The bound of the highest derivatives is what differences leave of them, elsewhere that of the
 * hidden constraints.                                                            */
static const problem PROBLEMS[] = {
    {"c010", singular_pencil, of_singular_pencil, 2, 0.0, 3.0, 0.0, 1e-8, NULL},
    {"c058 -2", unstable, of_unstable, 2, 0.0, 3.0, -2.0, 1e-8, unstable_taylor},
    {"c058 -1", unstable, of_unstable, 2, 0.0, 3.0, -1.0, 1e-8, unstable_taylor},
    {"c058 -0.25", unstable, of_unstable, 2, 0.0, 3.0, -0.25, 1e-8, unstable_taylor},
    {"c058 2", unstable, of_unstable, 2, 0.0, 3.0, 2.0, 1e-8, unstable_taylor},
    {"chain 4", chain, of_chain, 4, 0.0, 3.0, 4.0, 1e-8, chain_taylor},
    {"chain 5", chain, of_chain, 5, 0.0, 3.0, 5.0, 1e-7, chain_taylor},
    {"chain 6", chain, of_chain, 6, 0.0, 3.0, 6.0, 1e-6, chain_taylor},
    {"c011", rank_changes, of_rank_changes, 2, -1.0, 1.0, 0.0, 1e-8, rank_changes_taylor},
    {"c183 joint", elastic_joint, of_elastic_joint, 5, 0.0, 3.0, 0.0, 1e-7, NULL},
    {"c183 cascade", cascade, of_cascade, 4, 0.0, 3.0, 0.0, 1e-8, NULL},
    {"c199", arm, of_arm, 8, 0.0, 0.8, 0.0, 1e-6, arm_taylor},
};

static void solve_by(const problem *p, const char *method, daedal_taylor_fn *taylor, double bound)
{
    double y[N_MAX], parameter = p->parameter;
    daedal_system sys = {.n = p->n, .residual = p->f, .taylor = taylor, .user = &parameter};
    daedal_options opt;
    daedal_options_defaults(&opt);
    opt.rtol = opt.atol = 1e-8;
    assert_int_equal(daedal_options_set(&opt, "method", method), DAEDAL_OK);
    daedal_solver *solver;
    assert_int_equal(daedal_solver_create(&solver, &sys, &opt, NULL), DAEDAL_OK);
    p->solution(p->t_start, parameter, y);
    expect_status(solver, daedal_solver_start(solver, p->t_start, y, NULL), DAEDAL_OK);
    for (int k = 1; k <= POINTS; k++) {
        double t = p->t_start + (p->t_end - p->t_start) * k / POINTS;
        daedal_status status = daedal_solver_advance(solver, t);
        if (status < 0 && p->f == arm) /* index 5: with some roundings its steps end */
            break;
        assert_int_equal(status, DAEDAL_OK);
        p->solution(t, parameter, y);
        for (int32_t j = 0; j < p->n; j++)
            expect_near(daedal_solver_state(solver)->y[j], y[j], bound * (1.0 + fabs(y[j])));
    }
    daedal_solver_free(solver);
}

static void solves(void **state)
{
    const problem *p = *state;
    solve_by(p, "array", NULL, p->bound);
    solve_by(p, "auto", NULL, 1e-6);
    if (p->taylor)
        solve_by(p, "array", p->taylor, 1e-9);
}

static int warnings;

static void count_warnings(daedal_log_level level, const char *message, void *user)
{
    (void)message, (void)user;
    warnings += level == DAEDAL_LOG_WARNING;
}

/* Step by step every state that is shown is near the solution, whatever the method does inside, and
 * time does not go back: auto goes on by the array, other methods may end with words. */
static void unstable_step_by_step(const char *method, double eta, double t_start, double tol,
                                  double atol)
{
    const double allowed = 1e3, t_end = 3.0;
    double y[2], t = t_start;
    bool is_auto = !strcmp(method, "auto");
    daedal_system sys = {.n = 2, .residual = unstable, .user = &eta};
    daedal_options opt;
    daedal_options_defaults(&opt);
    opt.rtol = tol;
    opt.atol = atol;
    opt.log = count_warnings;
    warnings = 0;
    assert_int_equal(daedal_options_set(&opt, "method", method), DAEDAL_OK);
    daedal_solver *solver;
    assert_int_equal(daedal_solver_create(&solver, &sys, &opt, NULL), DAEDAL_OK);
    of_unstable(t_start, eta, y);
    expect_status(solver, daedal_solver_start(solver, t_start, y, NULL), DAEDAL_OK);
    const daedal_state *now = daedal_solver_state(solver);
    daedal_status status = DAEDAL_OK;
    while (status == DAEDAL_OK && now->t < t_end) {
        status = daedal_solver_step(solver, t_end);
        of_unstable(now->t, eta, y);
        for (int32_t j = 0; j < 2; j++)
            expect_near(now->y[j], y[j], allowed * tol * (1.0 + fabs(y[j])));
        assert_true(now->t >= t);
        t = now->t;
    }
    if (is_auto) {
        expect_status(solver, status, DAEDAL_OK);
        assert_int_equal(warnings, 0);
    } else {
        assert_true(status >= 0 || daedal_solver_diagnosis(solver)->message[0] != '\0');
    }
    daedal_solver_free(solver);
}

static void unstable_states_are_not_shown(void **state)
{
    static const double ETAS[] = {-2.0, -1.0, -0.25, 2.0}, TOLERANCES[] = {1e-4, 1e-6, 1e-8};
    (void)state;
    for (size_t e = 0; e < COUNT(ETAS); e++)
        for (size_t k = 0; k < COUNT(TOLERANCES); k++) {
            unstable_step_by_step("auto", ETAS[e], 0.0, TOLERANCES[k], TOLERANCES[k]);
            unstable_step_by_step("radau", ETAS[e], 0.0, TOLERANCES[k], TOLERANCES[k]);
        }
}

/* The first steps are short where the absolute tolerance is small, and a state runs away within a
 * time in which the derivatives of F cannot be seen. */
static void unstable_states_in_short_steps(void **state)
{
    static const double ETAS[] = {-2.0, -1.0, -0.6, -0.25, 2.0}, TOLERANCES[] = {1e-4, 1e-6, 1e-8},
                        TIMES[] = {0.5, 1.3};
    static const char *const METHODS[] = {"auto", "radau", "bdf"};
    const double to_absolute = 1e-3;
    (void)state;
    for (size_t e = 0; e < COUNT(ETAS); e++)
        for (size_t k = 0; k < COUNT(TOLERANCES); k++)
            for (size_t i = 0; i < COUNT(TIMES) * COUNT(METHODS); i++)
                unstable_step_by_step(METHODS[i % COUNT(METHODS)], ETAS[e],
                                      TIMES[i / COUNT(METHODS)], TOLERANCES[k],
                                      to_absolute * TOLERANCES[k]);
}

/* x, moved by one unit in its last place or not, as its bits and `rounding` decide: what another
 * mathematical library would answer. */
static uint64_t rounding;

static double rounded_otherwise(double x)
{
    uint64_t bits;
    if (rounding == 0)
        return x;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits ^ rounding) * UINT64_C(6364136223846793005);
    bits = (bits ^ bits >> 29) * UINT64_C(0x9E3779B97F4A7C15);
    return x * (1.0 + DBL_EPSILON * ((int)((bits ^ bits >> 32) % 3) - 1));
}

/* (3.1.13) with g = 1 + 1.63 sin(2.31 t), its equations mixed. */
static int fast_and_mixed(double t, const double *y, const double *yp, double *r, void *user)
{
    const double eta = 1.47, size = 1.63, speed = 2.31;
    double first = y[0] + eta * t * y[1] - 1.0 - size * rounded_otherwise(sin(speed * t));
    double second = yp[0] + eta * t * yp[1] + (1.0 + eta) * y[1];
    (void)user;
    r[1] = second - 0.2 * first;
    r[0] = first + 0.3 * r[1];
    return DAEDAL_CALL_OK;
}

/* No value is free, so that steps are as long as one likes: what is interpolated in them is far
 * from the solution, and the array corrects it. */
static void points_in_long_steps(double t_end)
{
    enum { PLACES = 400 };
    const double eta = 1.47, size = 1.63, speed = 2.31, t0 = -0.28, allowed = 1e3;
    double slope = size * speed * cos(speed * t0);
    const double y0[] = {1.0 + size * sin(speed * t0) + eta * t0 * slope, -slope};
    daedal_system sys = {.n = 2, .residual = fast_and_mixed};
    daedal_options opt;
    daedal_options_defaults(&opt);
    opt.rtol = opt.atol = 1e-9;
    daedal_solver *solver;
    assert_int_equal(daedal_solver_create(&solver, &sys, &opt, NULL), DAEDAL_OK);
    expect_status(solver, daedal_solver_start(solver, t0, y0, NULL), DAEDAL_OK);
    for (int k = 1; k <= PLACES; k++) {
        double t = t0 + k * (t_end - t0) / PLACES;
        expect_status(solver, daedal_solver_advance(solver, t), DAEDAL_OK);
        slope = size * speed * cos(speed * t);
        const double *y = daedal_solver_state(solver)->y;
        expect_near(y[0], 1.0 + size * sin(speed * t) + eta * t * slope, allowed * opt.rtol);
        expect_near(y[1], -slope, allowed * opt.rtol);
    }
    daedal_solver_free(solver);
}

static void output_points_in_long_steps(void **state)
{
    (void)state;
    points_in_long_steps(3.0);
    points_in_long_steps(12.0);
    points_in_long_steps(48.0);
}

/* Some runs take a step that fails for a jump of the equations before their states run away. */
static void unstable_states_with_other_roundings(void **state)
{
    (void)state;
    for (rounding = 1001; rounding <= 40001; rounding += 1000)
        points_in_long_steps(12.0);
    rounding = 0;
}

/* With eta = -1 near t = 0 a coefficient is small that passes zero: not the value beside it. */
static void array_beside_a_zero_of_a_coefficient(void **state)
{
    static const double TIMES[] = {1e-9, 1e-7, 3e-6, 1e-5, 1e-3};
    (void)state;
    for (size_t k = 0; k < COUNT(TIMES); k++) {
        problem p = PROBLEMS[2];
        assert_string_equal(p.name, "c058 -1");
        p.t_start = TIMES[k];
        solve_by(&p, "array", NULL, 1e-7);
    }
}

/* Whether the arm starts beside its solution at t = 0, with its Taylor coefficients.  A start that
 * is shown is near it, and its derivatives satisfy the equations. */
static bool arm_starts(int place)
{
    const double apart = 1e-7, near = 1e-8;
    double y[N_MAX], guess[N_MAX], r[N_MAX];
    daedal_system sys = {.n = 8, .residual = arm, .taylor = arm_taylor};
    daedal_options opt;
    daedal_options_defaults(&opt);
    opt.rtol = opt.atol = 1e-8;
    assert_int_equal(daedal_options_set(&opt, "method", "array"), DAEDAL_OK);
    daedal_solver *solver;
    assert_int_equal(daedal_solver_create(&solver, &sys, &opt, NULL), DAEDAL_OK);
    of_arm(0.0, 0.0, y);
    for (int32_t j = 0; j < 8; j++)
        guess[j] = y[j] * (1.0 + apart * ((place + 1) * (j + 3) % 17 - 8));
    daedal_status status = daedal_solver_start(solver, 0.0, guess, NULL);
    const daedal_state *found = daedal_solver_state(solver);
    if (status == DAEDAL_OK)
        arm(0.0, found->y, found->yp, r, NULL);
    for (int32_t j = 0; j < 8 && status == DAEDAL_OK; j++) {
        expect_near(found->y[j], y[j], near * (1.0 + fabs(y[j])));
        expect_near(r[j], 0.0, 1e-4);
    }
    daedal_solver_free(solver);
    return status == DAEDAL_OK;
}

/* The matrices of index 5 are so inaccurate that Newton's iteration converges slowly.  Twelve
 * iterations were too few for one start in five; every guess is another draw of rounding errors. */
static void slow_starts_converge(void **state)
{
    enum { STARTS = 17, REFUSED_MOST = 1 };
    int refused = 0;
    (void)state;
    for (int k = 0; k < STARTS; k++)
        refused += !arm_starts(k);
    if (refused > REFUSED_MOST)
        fail_msg("%d of %d starts are refused", refused, STARTS);
}

int main(void)
{
    struct CMUnitTest tests[COUNT(PROBLEMS) + 6] = {
        [COUNT(PROBLEMS)] = cmocka_unit_test(unstable_states_are_not_shown),
        [COUNT(PROBLEMS) + 4] = cmocka_unit_test(output_points_in_long_steps),
        [COUNT(PROBLEMS) + 5] = cmocka_unit_test(unstable_states_with_other_roundings),
        [COUNT(PROBLEMS) + 2] = cmocka_unit_test(unstable_states_in_short_steps),
        [COUNT(PROBLEMS) + 1] = cmocka_unit_test(array_beside_a_zero_of_a_coefficient),
        [COUNT(PROBLEMS) + 3] = cmocka_unit_test(slow_starts_converge)};
    for (size_t k = 0; k < COUNT(PROBLEMS); k++)
        tests[k] = (struct CMUnitTest){
            .name = PROBLEMS[k].name, .test_func = solves, .initial_state = (void *)&PROBLEMS[k]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
