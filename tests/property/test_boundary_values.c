/* Boundary value problems of functions: orders at mesh points, condition numbers with a known
 * Green's function, layers, continuation, and what is said of wrong conditions.   */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "daedal.h"

typedef struct two_point {
    int32_t n, n_conditions;
    daedal_residual_fn *residual;
    daedal_jacobian_fn *jacobian;
    daedal_boundary_fn *conditions;
    daedal_guess_fn *guess;
    double t_end;
} two_point;

static daedal_bvp_solution *solve(const two_point *p, double rtol, const daedal_bvp *with,
                                  daedal_status expected, daedal_diagnosis *said)
{
    daedal_bvp_solution *s;
    daedal_diagnosis why;
    daedal_options o;
    daedal_system system = {.n = p->n, .residual = p->residual, .jacobian = p->jacobian};
    daedal_bvp b = with ? *with : (daedal_bvp){0};
    b.t_end = p->t_end;
    b.n_conditions = p->n_conditions;
    b.conditions = p->conditions;
    b.guess = p->guess;
    daedal_options_defaults(&o);
    o.rtol = rtol;
    o.atol = 1e-3 * rtol;
    daedal_status status = daedal_bvp_solve(&system, &o, &b, &s, said ? said : &why);
    if (status != expected)
        print_message("%s\n", said ? said->message : why.message);
    assert_int_equal(status, expected);
    assert_true((s != NULL) == (status == DAEDAL_OK));
    return s;
}

/* ---- index two: [AP91], the solution is (e^t, e^t, -e^t / (2 - t)) ---- */

static int hessenberg(double t, const double *y, const double *yp, double *r, void *user)
{
    const double lambda = 1.5;
    double e = exp(t);
    (void)user;
    r[0] =
        yp[0] - ((lambda - 1 / (2 - t)) * y[0] + (2 - t) * lambda * y[2] + (3 - t) / (2 - t) * e);
    r[1] = yp[1] - ((1 - lambda) / (t - 2) * y[0] - y[1] + (lambda - 1) * y[2] + 2 * e);
    r[2] = (t + 2) * y[0] + (t * t - 4) * y[1] - (t * t + t - 2) * e;
    return DAEDAL_CALL_OK;
}

static int first_is_one(const double *const *y, double *r, void *user)
{
    (void)user;
    r[0] = y[0][0] - 1;
    return DAEDAL_CALL_OK;
}

/* On the circle, pushed along its radius and its tangent by a cube: nonlinear in all variables; the
 * solution is (cos a, sin a, e^-t), a = t + t^2 / 2.                              */
static int circle(double t, const double *y, const double *yp, double *r, void *user)
{
    double rate = 1 + t, push = pow(y[2], 3) - exp(-3 * t);
    (void)user;
    r[0] = yp[0] + rate * y[1] - y[0] * push;
    r[1] = yp[1] - rate * y[0] - y[1] * push - 0.3 * y[0] * (y[2] - exp(-t));
    r[2] = y[0] * y[0] + y[1] * y[1] - 1;
    return DAEDAL_CALL_OK;
}

static int circle_guess(double t, double *y, void *user)
{
    double a = t + t * t / 2;
    (void)user;
    y[0] = cos(a) + 0.1;
    y[1] = sin(a);
    y[2] = 1;
    return DAEDAL_CALL_OK;
}

static int circle_end(const double *const *y, double *r, void *user)
{
    (void)user;
    r[0] = y[1][1] - sin(1.5);
    return DAEDAL_CALL_OK;
}

static const two_point index_two = {3, 1, hessenberg, NULL, first_is_one, NULL, 1};
static const two_point on_circle = {3, 1, circle, NULL, circle_end, circle_guess, 1};

/* The largest error at mesh points, of x in [0] and of z in [1]. */
static void mesh_errors(const two_point *p, int32_t stages, int32_t intervals, double *error)
{
    daedal_bvp with = {.stages = stages, .intervals = intervals, .keep_mesh = 1};
    daedal_bvp_solution *s = solve(p, 1e-11, &with, DAEDAL_OK, NULL);
    error[0] = error[1] = 0;
    for (int32_t i = 0; i < s->n_mesh; i++) {
        double t = s->t[i], a = t + t * t / 2;
        const double *y = s->y + 3 * i;
        double exact[] = {exp(t), exp(t), -exp(t) / (2 - t)};
        double other[] = {cos(a), sin(a), exp(-t)};
        const double *x = p == &index_two ? exact : other;
        error[0] = fmax(error[0], fmax(fabs(y[0] - x[0]), fabs(y[1] - x[1])));
        error[1] = fmax(error[1], fabs(y[2] - x[2]));
    }
    daedal_bvp_solution_free(s);
}

/* [AP91]: order 2 s of x at mesh points, s of z. */
static void orders_at_index_two(void **state)
{
    (void)state;
    const two_point *problems[] = {&index_two, &on_circle};
    for (int k = 0; k < 2; k++)
        for (int32_t s = 1; s <= 3; s++) {
            double coarse[2], fine[2];
            int32_t n = s == 3 ? 5 : 10;
            mesh_errors(problems[k], s, n, coarse);
            mesh_errors(problems[k], s, 2 * n, fine);
            assert_true(fabs(log2(coarse[0] / fine[0]) - 2 * s) < 0.4);
            assert_true(fabs(log2(coarse[1] / fine[1]) - s) < 0.5);
        }
}

/* ---- control: C198, index one; the costate at the start follows from Riccati's equation ---- */

static int control(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[0] - y[2];
    r[1] = yp[1] + y[0] + y[1];
    r[2] = y[2] + y[1];
    return DAEDAL_CALL_OK;
}

static int control_ends(const double *const *y, double *r, void *user)
{
    (void)user;
    r[0] = y[0][0] - 1;
    r[1] = y[1][1];
    return DAEDAL_CALL_OK;
}

static void control_of_index_one(void **state)
{
    (void)state;
    const double length[] = {1, 30}, costate[] = {1.689498391594383, 2.414213562373095};
    for (int k = 0; k < 2; k++) {
        const two_point p = {3, 2, control, NULL, control_ends, NULL, length[k]};
        daedal_bvp_solution *s = solve(&p, 1e-8, NULL, DAEDAL_OK, NULL);
        assert_true(fabs(s->y[1] - costate[k]) < 1e-8);
        assert_true(fabs(s->y[2] + costate[k]) < 1e-8); /* the control, algebraic */
        assert_true(s->error <= 1);
        double root = sqrt(2.0), worst = 0;
        for (int i = 0; i <= 300; i++) { /* decays as exp(-root t), but for the end */
            double t = length[k] * i / 300, y[3], left = length[k] - t;
            double a = root * cosh(root * left) - sinh(root * left);
            double b = root * cosh(root * length[k]) - sinh(root * length[k]);
            assert_int_equal(daedal_bvp_solution_at(s, t, y, NULL), DAEDAL_OK);
            worst = fmax(worst, fabs(y[0] - a / b));
        }
        assert_true(worst < 3e-8);
        assert_true(s->condition < 10);
        assert_string_equal(s->method, "collocation");
        daedal_bvp_solution_free(s);
    }
}

/* The order of Gauss collocation at index one: 2 s at mesh points, of z too, since the algebraic
 * equations determine it there; only the ends are shown so.                       */
static void orders_at_index_one(void **state)
{
    (void)state;
    const two_point p = {3, 2, control, NULL, control_ends, NULL, 1};
    for (int32_t s = 1; s <= 3; s++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            daedal_bvp with = {.stages = s, .intervals = k ? 6 : 3, .keep_mesh = 1};
            daedal_bvp_solution *found = solve(&p, 1e-12, &with, DAEDAL_OK, NULL);
            error[k] = fabs(found->y[2] + 1.689498391594383);
            assert_true(isnan(found->error));
            daedal_bvp_solution_free(found);
        }
        assert_true(fabs(log2(error[0] / error[1]) - 2 * s) < 0.4);
    }
}

/* ---- condition: y'' = q with y(0), y(1) given ---- */

static int straight(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1];
    return DAEDAL_CALL_OK;
}

static int both_ends(const double *const *y, double *r, void *user)
{
    (void)user;
    r[0] = y[0][0] - 1;
    r[1] = y[1][0];
    return DAEDAL_CALL_OK;
}

/* Changes (b0, b1) of the ends change y' by b1 - b0: 2.  Disturbances (q0, q1) change y' at 0 by
 * -(int q0 + int (1 - s) q1): 1 + 1/2.                                            */
static void condition_with_known_green_function(void **state)
{
    (void)state;
    const two_point p = {2, 2, straight, NULL, both_ends, NULL, 1};
    daedal_bvp_solution *s = solve(&p, 1e-6, NULL, DAEDAL_OK, NULL);
    assert_true(fabs(s->condition - 2) < 1e-8);
    assert_true(fabs(s->equation_condition - 1.5) < 1e-8);
    daedal_bvp_solution_free(s);
}

/* ---- a layer: eps y'' = y ---- */

static double eps;

static int layer(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = eps * yp[1] - y[0];
    return DAEDAL_CALL_OK;
}

static void boundary_layers(void **state)
{
    (void)state;
    const two_point p = {2, 2, layer, NULL, both_ends, NULL, 1};
    for (int k = 2; k <= 10; k += 2) {
        eps = pow(10.0, -k);
        daedal_bvp_solution *s = solve(&p, 1e-6, NULL, DAEDAL_OK, NULL);
        double rate = 1 / sqrt(eps), worst = 0;
        for (int i = 0; i <= 1000; i++) {
            double t = pow(i / 1000.0, 6), y[2];
            daedal_bvp_solution_at(s, t, y, NULL);
            double exact = exp(-rate * t) * (1 - exp(-2 * rate * (1 - t))) / (1 - exp(-2 * rate));
            worst = fmax(worst, fabs(y[0] - exact));
        }
        assert_true(worst < 2e-6);
        assert_true(s->intervals < 2000);
        daedal_bvp_solution_free(s);
    }
}

/* eps y'' + t y' = -eps pi^2 cos(pi t) - pi t sin(pi t): a layer inside, at 0. */
static int turning(double t, const double *y, const double *yp, double *r, void *user)
{
    const double pi = acos(-1.0);
    double x = t - 1; /* from -1 to 1 */
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = eps * yp[1] + x * y[1] + eps * pi * pi * cos(pi * x) + pi * x * sin(pi * x);
    return DAEDAL_CALL_OK;
}

static int turning_ends(const double *const *y, double *r, void *user)
{
    (void)user;
    r[0] = y[0][0] + 2;
    r[1] = y[1][0];
    return DAEDAL_CALL_OK;
}

static void layer_inside(void **state)
{
    (void)state;
    const two_point p = {2, 2, turning, NULL, turning_ends, NULL, 2};
    const double pi = acos(-1.0);
    for (int k = 3; k <= 5; k++) {
        eps = pow(10.0, -k);
        daedal_bvp_solution *s = solve(&p, 1e-6, NULL, DAEDAL_OK, NULL);
        for (int32_t i = 0; i < s->n_mesh; i++) {
            double x = s->t[i] - 1;
            double exact = cos(pi * x) + erf(x / sqrt(2 * eps)) / erf(1 / sqrt(2 * eps));
            assert_true(fabs(s->y[2 * i] - exact) < 4e-6);
        }
        daedal_bvp_solution_free(s);
    }
}

/* ---- Bratu: y'' + lambda e^y = 0 has no solution beyond lambda = 3.513830719 ---- */

static double lambda;

static int bratu(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + lambda * exp(y[0]);
    return DAEDAL_CALL_OK;
}

static int zero_ends(const double *const *y, double *r, void *user)
{
    (void)user;
    r[0] = y[0][0];
    r[1] = y[1][0];
    return DAEDAL_CALL_OK;
}

static void continuation_ends_at_the_fold(void **state)
{
    (void)state;
    const two_point p = {2, 2, bratu, NULL, zero_ends, NULL, 1};
    daedal_bvp with = {.parameter = &lambda, .parameter_start = 0.5};
    daedal_diagnosis why;
    double reached;
    lambda = 1;
    daedal_bvp_solution *s = solve(&p, 1e-8, &with, DAEDAL_OK, NULL), *other;
    double y[2];
    daedal_bvp_solution_at(s, 0.5, y, NULL);
    assert_true(fabs(y[0] - 0.140539214400471) < 1e-8);
    daedal_bvp_solution_free(s);
    lambda = 8;
    daedal_system system = {.n = 2, .residual = bratu};
    with.t_end = 1;
    with.n_conditions = 2;
    with.conditions = zero_ends;
    assert_true(daedal_bvp_solve(&system, NULL, &with, &other, &why) < 0);
    assert_int_equal(why.cause, DAEDAL_CAUSE_NO_SOLUTION);
    const char *at = strstr(why.message, " to ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, " to %lf", &reached), 1);
    assert_true(reached < 3.513831 && reached > 3.5);
    assert_true(lambda == 8); /* as it was */
}

/* eps y'' + y y' = y: the solution has slope one, is zero in the middle third, and has corners of
 * width sqrt(eps) between.                                  */
static int corner(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = eps * yp[1] + y[0] * y[1] - y[0];
    return DAEDAL_CALL_OK;
}

static int corner_ends(const double *const *y, double *r, void *user)
{
    (void)user;
    r[0] = y[0][0] + 1.0 / 3;
    r[1] = y[1][0] - 1.0 / 3;
    return DAEDAL_CALL_OK;
}

static int corner_guess(double t, double *y, void *user)
{
    (void)user;
    y[0] = (2 * t - 1) / 3;
    y[1] = 2.0 / 3;
    return DAEDAL_CALL_OK;
}

static void continuation_into_corners(void **state)
{
    (void)state;
    const two_point p = {2, 2, corner, NULL, corner_ends, corner_guess, 1};
    daedal_bvp with = {.parameter = &eps, .parameter_start = 0.1};
    double y[2];
    eps = 1e-4;
    daedal_bvp_solution *s = solve(&p, 1e-6, &with, DAEDAL_OK, NULL);
    daedal_bvp_solution_at(s, 0.5, y, NULL); /* odd about the middle */
    assert_true(fabs(y[0]) < 1e-5);
    daedal_bvp_solution_at(s, 0.1, y, NULL); /* between the ends and the corners the slope is one */
    assert_true(fabs(y[0] + 1.0 / 3 - 0.1) < 1e-5 && fabs(y[1] - 1) < 1e-4);
    daedal_bvp_solution_free(s);
}

/* ---- conditions that do not fit ---- */

static double frequency;

static int oscillator(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + frequency * frequency * y[0];
    return DAEDAL_CALL_OK;
}

static int three(const double *const *y, double *r, void *user)
{
    (void)user;
    r[0] = y[0][0];
    r[1] = y[1][0] - 1;
    r[2] = y[1][1] - 7;
    return DAEDAL_CALL_OK;
}

static int twice(const double *const *y, double *r, void *user)
{
    (void)user;
    r[0] = y[0][0] - 1;
    r[1] = 2 * y[0][0] - 2;
    return DAEDAL_CALL_OK;
}

static int against(const double *const *y, double *r, void *user)
{
    (void)user;
    r[0] = y[0][0] - 1;
    r[1] = y[0][0] - 2;
    return DAEDAL_CALL_OK;
}

static void conditions_that_do_not_fit(void **state)
{
    (void)state;
    static const char *const names[] = {"left", "right", "slope"};
    const struct {
        int32_t n;
        daedal_boundary_fn *conditions;
        double frequency;
        daedal_status status;
        daedal_cause cause;
        const char *words[3];
    } rows[] = {
        {3,
         three,
         2,
         DAEDAL_ERR_STRUCTURE,
         DAEDAL_CAUSE_REDUNDANT_EQUATIONS,
         {"3 boundary conditions for 2", "1 too many", "left, right, slope"}},
        {1,
         three,
         2,
         DAEDAL_ERR_STRUCTURE,
         DAEDAL_CAUSE_UNDETERMINED_VARIABLE,
         {"1 boundary conditions for 2", "1 too few", "y[1]"}},
        {2,
         twice,
         2,
         DAEDAL_ERR_SINGULAR,
         DAEDAL_CAUSE_REDUNDANT_EQUATIONS,
         {"left, right", "repeat", "not unique"}},
        {2,
         against,
         2,
         DAEDAL_ERR_SINGULAR,
         DAEDAL_CAUSE_NO_SOLUTION,
         {"left, right", "contradict", "no solution"}},
        /* an eigenvalue: y(0) = 0 forces y(1) = 0 */
        {2,
         three,
         3.14159265358979323846,
         DAEDAL_ERR_SINGULAR,
         DAEDAL_CAUSE_NO_SOLUTION,
         {"left, right", "contradict", "no solution"}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        two_point p = {2, rows[k].n, oscillator, NULL, rows[k].conditions, NULL, 1};
        daedal_bvp with = {.condition_names = names};
        daedal_diagnosis why;
        frequency = rows[k].frequency;
        solve(&p, 1e-6, &with, rows[k].status, &why);
        assert_int_equal(why.cause, rows[k].cause);
        for (int w = 0; w < 3; w++)
            if (!strstr(why.message, rows[k].words[w]))
                fail_msg("\"%s\" is not in: %s", rows[k].words[w], why.message);
    }
}

static int interior(const double *const *y, double *r, void *user)
{
    (void)user;
    r[0] = y[1][0] - sin(1.0); /* at t = 0.5 */
    r[1] = y[2][0] - sin(2.0);
    return DAEDAL_CALL_OK;
}

static void conditions_inside(void **state)
{
    (void)state;
    const double points[] = {0, 0.5, 1};
    const two_point p = {2, 2, oscillator, NULL, interior, NULL, 1};
    daedal_bvp with = {.points = {points, 3}};
    frequency = 2;
    daedal_bvp_solution *s = solve(&p, 1e-8, &with, DAEDAL_OK, NULL);
    double y[2], yp[2];
    daedal_bvp_solution_at(s, 0.3, y, yp);
    assert_true(fabs(y[0] - sin(0.6)) < 1e-7 && fabs(yp[0] - 2 * cos(0.6)) < 1e-6);
    daedal_bvp_solution_free(s);
}

/* ---- multiple shooting ---- */

/* On [0, 30] a single run would multiply errors by 1e18. */
static void shooting_at_index_one(void **state)
{
    (void)state;
    const double length[] = {1, 30}, costate[] = {1.689498391594383, 2.414213562373095};
    daedal_bvp with = {.method = DAEDAL_BVP_SHOOTING};
    for (int k = 0; k < 2; k++) {
        const two_point p = {3, 2, control, NULL, control_ends, NULL, length[k]};
        daedal_bvp_solution *s = solve(&p, 1e-8, &with, DAEDAL_OK, NULL);
        double y[3];
        assert_string_equal(s->method, "shooting");
        assert_true(fabs(s->y[1] - costate[k]) < 1e-8);
        daedal_bvp_solution_at(s, 0.5, y, NULL);
        double root = sqrt(2.0), left = length[k] - 0.5;
        double a = root * cosh(root * left) - sinh(root * left);
        double b = root * cosh(root * length[k]) - sinh(root * length[k]);
        assert_true(fabs(y[0] - a / b) < 1e-8);
        assert_true(s->condition < 10);
        daedal_bvp_solution_free(s);
    }
}

static void shooting_at_index_two(void **state)
{
    (void)state;
    daedal_bvp with = {.method = DAEDAL_BVP_SHOOTING};
    daedal_bvp_solution *s = solve(&index_two, 1e-7, &with, DAEDAL_OK, NULL);
    const double *y = s->y + 3 * (s->n_mesh - 1);
    assert_true(fabs(y[0] - exp(1)) < 1e-5 && fabs(y[1] - exp(1)) < 1e-5);
    daedal_bvp_solution_free(s);
}

/* (y1 + y2)' = -(y1 + y2), y1 - y2 = sin t: no equation without y' shows that one of the two
 * differential variables is determined by the other.                              */
static int hidden(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + yp[1] + y[0] + y[1];
    r[1] = y[0] - y[1] - sin(t);
    return DAEDAL_CALL_OK;
}

static int hidden_end(const double *const *y, double *r, void *user)
{
    (void)user;
    r[0] = y[1][0] - 1;
    return DAEDAL_CALL_OK;
}

static void shooting_where_collocation_has_no_form(void **state)
{
    (void)state;
    const two_point p = {2, 1, hidden, NULL, hidden_end, NULL, 1};
    daedal_bvp_solution *s = solve(&p, 1e-7, NULL, DAEDAL_OK, NULL);
    assert_string_equal(s->method, "shooting");
    assert_true(fabs(s->y[0] + s->y[1] - (2 - sin(1.0)) * exp(1)) < 1e-5);
    daedal_bvp_solution_free(s);
    daedal_diagnosis why;
    daedal_bvp with = {.method = DAEDAL_BVP_COLLOCATION};
    solve(&p, 1e-7, &with, DAEDAL_ERR_INDEX, &why);
    assert_non_null(strstr(why.message, "not semi-explicit"));
}

/* Cheap control, index three: x' = A x, A^2 = 1.01, on the manifold p2 = 0, p1 = -x2. */
static int cheap(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - (0.1 * y[0] + y[1]);
    r[1] = yp[1] - (-0.5 * y[0] + 0.2 * y[1] + y[4]);
    r[2] = yp[2] - (-y[0] - 0.1 * y[2] + 0.5 * y[3]);
    r[3] = yp[3] - (-y[1] - y[2] - 0.2 * y[3]);
    r[4] = y[3];
    return DAEDAL_CALL_OK;
}

static int cheap_ends(const double *const *y, double *r, void *user)
{
    (void)user;
    r[0] = y[0][0] - 1;
    r[1] = y[1][2];
    return DAEDAL_CALL_OK;
}

static void shooting_at_index_three(void **state)
{
    (void)state;
    const double m = sqrt(1.01), s = sinh(2 * m) / m, c = cosh(2 * m);
    const two_point p = {5, 2, cheap, NULL, cheap_ends, NULL, 2};
    daedal_bvp with = {.intervals = 2};
    daedal_bvp_solution *found = solve(&p, 1e-7, &with, DAEDAL_OK, NULL);
    assert_true(fabs(found->y[1] + s / (c - 0.1 * s)) < 1e-6);
    daedal_bvp_solution_free(found);
    two_point few = p;
    daedal_diagnosis why;
    few.n_conditions = 1;
    solve(&few, 1e-7, &with, DAEDAL_ERR_STRUCTURE, &why);
    assert_non_null(strstr(why.message, "1 boundary conditions for 2 degrees of freedom"));
}

static int bad_guess(double t, double *y, void *user)
{
    (void)user;
    y[0] = t > 0.3 ? NAN : 0;
    y[1] = 0;
    return DAEDAL_CALL_OK;
}

static int no_value(const double *const *y, double *r, void *user)
{
    (void)y, (void)user;
    r[0] = r[1] = NAN;
    return DAEDAL_CALL_OK;
}

static void bad_input(void **state)
{
    (void)state;
    const double back[] = {0, 0.7, 0.5, 1}, nan_values[] = {NAN, 0};
    daedal_bvp fine = {.t_end = 1, .n_conditions = 2, .conditions = three}, b[10];
    for (size_t k = 0; k < sizeof b / sizeof *b; k++)
        b[k] = fine;
    b[0].t_end = 0;
    b[1].conditions = NULL;
    b[2].stages = 9;
    b[3].points = (daedal_doubles){back, 4};
    b[4].intervals = -1;
    b[5].y = nan_values;
    b[6].method = (daedal_bvp_method)7;
    b[7].parameter = &lambda;
    b[7].parameter_start = NAN;
    b[8].guess = bad_guess;
    b[9].conditions = no_value;
    frequency = 2;
    daedal_system system = {.n = 2, .residual = oscillator};
    daedal_bvp_solution *s;
    daedal_diagnosis why;
    for (size_t k = 0; k < sizeof b / sizeof *b; k++) {
        daedal_status status = daedal_bvp_solve(&system, NULL, &b[k], &s, &why);
        assert_true(status < 0 && s == NULL && why.message[0]);
        assert_true(k >= 8 || status == DAEDAL_ERR_ARGUMENT);
    }
    assert_int_equal(daedal_bvp_solve(NULL, NULL, &fine, &s, &why), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_bvp_solve(&system, NULL, NULL, &s, NULL), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_bvp_solve(&system, NULL, &fine, NULL, &why), DAEDAL_ERR_ARGUMENT);
    daedal_bvp_solution_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_at_index_two),
        cmocka_unit_test(control_of_index_one),
        cmocka_unit_test(orders_at_index_one),
        cmocka_unit_test(condition_with_known_green_function),
        cmocka_unit_test(boundary_layers),
        cmocka_unit_test(layer_inside),
        cmocka_unit_test(continuation_ends_at_the_fold),
        cmocka_unit_test(continuation_into_corners),
        cmocka_unit_test(conditions_that_do_not_fit),
        cmocka_unit_test(conditions_inside),
        cmocka_unit_test(shooting_at_index_one),
        cmocka_unit_test(shooting_at_index_two),
        cmocka_unit_test(shooting_where_collocation_has_no_form),
        cmocka_unit_test(shooting_at_index_three),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
