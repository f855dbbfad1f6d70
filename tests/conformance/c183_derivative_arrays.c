/* tests/conformance/c183_derivative_arrays.c - C010, C011, C058, C183, C199: the method `array` on
 * systems given as functions, whose index other methods do not take, or on which they are unstable.
 * All have solutions that are known; since hidden constraints determine most of the variables,
 * their errors are violations of these.   */
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

/* The bound of the highest derivatives is what differences leave of them, elsewhere that of the
 * hidden constraints.                                                            */
static const problem PROBLEMS[] = {
    {"c010", singular_pencil, of_singular_pencil, 2, 0.0, 3.0, 0.0, 1e-8},
    {"c058 -2", unstable, of_unstable, 2, 0.0, 3.0, -2.0, 1e-8},
    {"c058 -1", unstable, of_unstable, 2, 0.0, 3.0, -1.0, 1e-8},
    {"c058 -0.25", unstable, of_unstable, 2, 0.0, 3.0, -0.25, 1e-8},
    {"c058 2", unstable, of_unstable, 2, 0.0, 3.0, 2.0, 1e-8},
    {"chain 4", chain, of_chain, 4, 0.0, 3.0, 4.0, 1e-8},
    {"chain 5", chain, of_chain, 5, 0.0, 3.0, 5.0, 1e-7},
    {"chain 6", chain, of_chain, 6, 0.0, 3.0, 6.0, 1e-6},
    {"c011", rank_changes, of_rank_changes, 2, -1.0, 1.0, 0.0, 1e-8},
    {"c183 joint", elastic_joint, of_elastic_joint, 5, 0.0, 3.0, 0.0, 1e-7},
    {"c183 cascade", cascade, of_cascade, 4, 0.0, 3.0, 0.0, 1e-8},
    {"c199", arm, of_arm, 8, 0.0, 0.8, 0.0, 1e-6},
};

static void solve_by(const problem *p, const char *method, double bound)
{
    double y[N_MAX], parameter = p->parameter;
    daedal_system sys = {.n = p->n, .residual = p->f, .user = &parameter};
    daedal_options opt;
    daedal_options_defaults(&opt);
    opt.rtol = opt.atol = 1e-8;
    assert_int_equal(daedal_options_set(&opt, "method", method), DAEDAL_OK);
    daedal_solver *solver;
    assert_int_equal(daedal_solver_create(&solver, &sys, &opt, NULL), DAEDAL_OK);
    p->solution(p->t_start, parameter, y);
    assert_int_equal(daedal_solver_start(solver, p->t_start, y, NULL), DAEDAL_OK);
    for (int k = 1; k <= POINTS; k++) {
        double t = p->t_start + (p->t_end - p->t_start) * k / POINTS;
        assert_int_equal(daedal_solver_advance(solver, t), DAEDAL_OK);
        p->solution(t, parameter, y);
        for (int32_t j = 0; j < p->n; j++)
            expect_near(daedal_solver_state(solver)->y[j], y[j], bound * (1.0 + fabs(y[j])));
    }
    daedal_solver_free(solver);
}

/* Where auto has another method, its errors are those of that one. */
static void solves(void **state)
{
    const problem *p = *state;
    solve_by(p, "array", p->bound);
    solve_by(p, "auto", 1e-6);
}

int main(void)
{
    struct CMUnitTest tests[COUNT(PROBLEMS)];
    for (size_t k = 0; k < COUNT(PROBLEMS); k++)
        tests[k] = (struct CMUnitTest){
            .name = PROBLEMS[k].name, .test_func = solves, .initial_state = (void *)&PROBLEMS[k]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
