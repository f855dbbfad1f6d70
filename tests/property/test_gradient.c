/* Gradients of functionals by adjoint equations, against closed forms, published digits and forward
 * sensitivities. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness.h"

typedef struct rates {
    double p[3];
} rates;

/* ---- Robertson's problem as an index-1 system ---- */

static int robertson(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *p = ((const rates *)user)->p;
    (void)t;
    r[0] = yp[0] + p[0] * y[0] - p[1] * y[1] * y[2];
    r[1] = yp[1] - p[0] * y[0] + p[1] * y[1] * y[2] + p[2] * y[1] * y[1];
    r[2] = y[0] + y[1] + y[2] - 1.0;
    return DAEDAL_CALL_OK;
}

static int robertson_jacobian(double t, const double *y, const double *yp, double c, double *j,
                              void *user)
{
    const double *p = ((const rates *)user)->p;
    (void)t, (void)yp;
    double values[9] = {
        c + p[0], -p[0],        1.0,         -p[1] * y[2], c + p[1] * y[2] + 2.0 * p[2] * y[1],
        1.0,      -p[1] * y[1], p[1] * y[1], 1.0};
    memcpy(j, values, sizeof values);
    return DAEDAL_CALL_OK;
}

static int robertson_by_p(double t, const double *y, const double *yp, double *values, void *user)
{
    (void)t, (void)yp, (void)user;
    values[0] = y[0];
    values[1] = -y[0];
    values[3] = -y[1] * y[2];
    values[4] = y[1] * y[2];
    values[7] = y[1] * y[1];
    return DAEDAL_CALL_OK;
}

static int third(double t, const double *y, double *value, void *user)
{
    (void)t, (void)user;
    *value = y[2];
    return DAEDAL_CALL_OK;
}

static int third_gradient(double t, const double *y, double *by_y, double *by_p, void *user)
{
    (void)t, (void)y, (void)by_p, (void)user;
    by_y[2] = 1.0;
    return DAEDAL_CALL_OK;
}

typedef struct robertson_case {
    rates k;
    double *places[3], y[3], by_p[3], by_start[3];
    daedal_system sys;
    daedal_gradient_task task;
    daedal_gradient gradient;
} robertson_case;

static void robertson_set_up(robertson_case *c, bool with_derivatives)
{
    *c = (robertson_case){.k = {{0.04, 1e4, 3e7}}, .y = {1.0, 0.0, 0.0}};
    for (int i = 0; i < 3; i++)
        c->places[i] = &c->k.p[i];
    c->sys = (daedal_system){
        .n = 3, .residual = robertson, .n_parameters = 3, .parameters = c->places, .user = &c->k};
    c->task = (daedal_gradient_task){.t_end = 50.0, .y = c->y, .integrand = third};
    if (with_derivatives) {
        c->sys.jacobian = robertson_jacobian;
        c->sys.parameter_derivative = robertson_by_p;
        c->task.integrand_gradient = third_gradient;
    }
    c->gradient = (daedal_gradient){.by_parameters = c->by_p, .by_start = c->by_start};
}

static void expect_gradient(const daedal_system *sys, const daedal_options *opt,
                            const daedal_gradient_task *task, daedal_gradient *gradient)
{
    daedal_diagnosis why = {0};
    daedal_status status = daedal_system_gradient(sys, opt, task, gradient, &why);
    if (status != DAEDAL_OK)
        fail_msg("%s: %s", daedal_status_name(status), why.message);
}

/* idasRoberts_ASAi_dns prints five digits of these. */
static const double ROBERTSON[] = {173.4140891, -5.059191406e-4, 8.432346465e-8};

static void integral_of_robertson(void **state)
{
    (void)state;
    static const double rtols[] = {1e-4, 1e-6, 1e-8};
    for (size_t k = 0; k < COUNT(rtols); k++)
        for (int given = 0; given < 2; given++) {
            robertson_case c;
            robertson_set_up(&c, given);
            daedal_options opt = defaults_with(rtols[k], 1e-6 * rtols[k]);
            expect_gradient(&c.sys, &opt, &c.task, &c.gradient);
            if (given)
                expect_near(c.gradient.tolerance, rtols[k], 0.0);
            for (int i = 0; i < 3; i++)
                expect_near(c.by_p[i], ROBERTSON[i],
                            (10.0 * c.gradient.tolerance + 1e-9) * fabs(ROBERTSON[i]));
        }
}

/* Little memory: the solution is run again in parts, and the answer is the same within the
 * tolerance. */
static void parts_of_a_solution(void **state)
{
    (void)state;
    robertson_case c;
    daedal_options opt = defaults_with(1e-6, 1e-12);
    robertson_set_up(&c, true);
    c.task.memory = 4000;
    expect_gradient(&c.sys, &opt, &c.task, &c.gradient);
    assert_true(c.gradient.repeated_steps > c.gradient.forward.steps / 2);
    for (int i = 0; i < 3; i++)
        expect_near(c.by_p[i], ROBERTSON[i], 1e-5 * fabs(ROBERTSON[i]));
}

/* ---- a linear index-1 system with a closed form ---- */

/* x' = -a x + z, 0 = z - b x:  x = x0 exp(k t), k = b - a. */
static int linear(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *p = ((const rates *)user)->p;
    (void)t;
    r[0] = yp[0] + p[0] * y[0] - y[1];
    r[1] = y[1] - p[1] * y[0];
    return DAEDAL_CALL_OK;
}

static int weighted_product(double t, const double *y, double *value, void *user)
{
    (void)t;
    *value = ((const rates *)user)->p[2] * y[0] * y[1];
    return DAEDAL_CALL_OK;
}

static int square_of_algebraic(double t, const double *y, double *value, void *user)
{
    (void)t, (void)user;
    *value = y[1] * y[1];
    return DAEDAL_CALL_OK;
}

/* G = integral of w x z + z(T)^2 and its derivatives by a, b, w, x0. */
static void linear_truth(const double *p, double x0, double span, double *value, double *slopes)
{
    double a = p[0], b = p[1], w = p[2], k = b - a, e = exp(2.0 * k * span);
    double i = x0 * x0 * (e - 1.0) / (2.0 * k);
    double i_by_k = x0 * x0 * (span * e / k - (e - 1.0) / (2.0 * k * k));
    double end = b * b * x0 * x0 * e, end_by_k = 2.0 * span * end;
    *value = w * b * i + end;
    slopes[0] = -(w * b * i_by_k + end_by_k);
    slopes[1] = w * i + w * b * i_by_k + 2.0 * end / b + end_by_k;
    slopes[2] = b * i;
    slopes[3] = 2.0 * *value / x0;
}

static void linear_index_one(void **state)
{
    (void)state;
    static const double ends[] = {1.5, -0.7};
    for (size_t k = 0; k < COUNT(ends); k++)
        for (int32_t method = 0; method < 5; method++) {
            rates q = {{2.0, 0.7, 1.3}};
            double *places[] = {&q.p[0], &q.p[1], &q.p[2]};
            double y[] = {0.8, 0.56}, by_p[3], by_start[2], value, truth[4];
            daedal_system sys = {
                .n = 2, .residual = linear, .n_parameters = 3, .parameters = places, .user = &q};
            daedal_gradient_task task = {.t_end = ends[k],
                                         .y = y,
                                         .integrand = weighted_product,
                                         .end = square_of_algebraic,
                                         .user = &q};
            daedal_gradient g = {.by_parameters = by_p, .by_start = by_start};
            daedal_options opt = defaults_with(1e-7, 1e-10);
            opt.method = method;
            linear_truth(q.p, y[0], ends[k], &value, truth);
            expect_gradient(&sys, &opt, &task, &g);
            expect_near(g.value, value, 1e-6 * fabs(value));
            for (int i = 0; i < 3; i++)
                expect_near(by_p[i], truth[i], 2e-6 * fabs(truth[i]));
            expect_near(by_start[0], truth[3], 2e-6 * fabs(truth[3]));
            expect_near(by_start[1], 0.0, 1e-12); /* an algebraic variable */
        }
}

/* ---- dF/dy' that varies, against forward sensitivities ---- */

static int entangled(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *p = ((const rates *)user)->p;
    r[0] = (1.0 + y[1] * y[1]) * yp[0] + p[1] * y[0] * yp[1] + p[0] * y[0];
    r[1] = (2.0 + sin(t)) * yp[1] + p[1] * y[1] - y[2];
    r[2] = y[2] * (1.0 + y[2] * y[2]) - p[2] * y[0];
    r[3] = yp[3] - y[0] * y[2]; /* the integral */
    return DAEDAL_CALL_OK;
}

static int product(double t, const double *y, double *value, void *user)
{
    (void)t, (void)user;
    *value = y[0] * y[2];
    return DAEDAL_CALL_OK;
}

static int product_of_two(double t, const double *y, double *value, void *user)
{
    (void)t, (void)user;
    *value = y[0] * y[1];
    return DAEDAL_CALL_OK;
}

static int last(double t, const double *y, double *value, void *user)
{
    (void)t, (void)user;
    *value = y[3];
    return DAEDAL_CALL_OK;
}

/* The same functional as an integral, and as the end value of a variable. */
static void varying_leading_matrix(void **state)
{
    (void)state;
    rates q = {{0.9, 0.4, 1.7}};
    double *places[] = {&q.p[0], &q.p[1], &q.p[2]}, y[] = {1.0, 0.5, 0.9, 0.0}, by_p[2][3];
    daedal_options opt = defaults_with(1e-6, 1e-9);
    daedal_system sys = {
        .n = 4, .residual = entangled, .n_parameters = 3, .parameters = places, .user = &q};
    daedal_solver *s = started(&sys, &opt, 0.0, y, NULL);
    expect_status(s, daedal_solver_advance(s, 3.0), DAEDAL_OK);
    for (int k = 0; k < 2; k++) {
        daedal_gradient_task task = {
            .t_end = 3.0, .y = y, .integrand = k ? NULL : product, .end = k ? last : NULL};
        daedal_gradient g = {.by_parameters = by_p[k]};
        expect_gradient(&sys, &opt, &task, &g);
        expect_near(g.value, daedal_solver_state(s)->y[3], 1e-5);
    }
    for (int i = 0; i < 3; i++) {
        const double *slope;
        expect_status(s, daedal_solver_sensitivity(s, i, &slope, NULL), DAEDAL_OK);
        for (int k = 0; k < 2; k++)
            expect_near(by_p[k][i], slope[3], 1e-5 * (1.0 + fabs(slope[3])));
    }
    daedal_solver_free(s);
}

/* ---- index two ---- */

/* x' = -a x + z, y' = -b y + z, 0 = x - c exp(t): z = c (1 + a) exp(t). */
static int linear_of_index_two(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *p = ((const rates *)user)->p;
    r[0] = yp[0] + p[0] * y[0] - y[2];
    r[1] = yp[1] + p[1] * y[1] - y[2];
    r[2] = y[0] - p[2] * exp(t);
    return DAEDAL_CALL_OK;
}

static int sum_with_multiplier(double t, const double *y, double *value, void *user)
{
    (void)t, (void)user;
    *value = y[1] + y[2];
    return DAEDAL_CALL_OK;
}

static int square_with_multiplier(double t, const double *y, double *value, void *user)
{
    (void)t, (void)user;
    *value = y[2] * y[2] + y[0] * y[1];
    return DAEDAL_CALL_OK;
}

static const double Y_START = 0.4;

/* The integral of y + z, and z^2 + x y at the end. */
static void linear_two_truth(const double *p, double span, double *integral, double *end)
{
    double a = p[0], b = p[1], k = p[2] * (1.0 + a), e = exp(span), d = exp(-b * span);
    double rest = Y_START - k / (1.0 + b); /* y = rest exp(-b t) + k exp(t) / (1 + b) */
    *integral = rest * (1.0 - d) / b + k / (1.0 + b) * (e - 1.0) + k * (e - 1.0);
    *end = k * k * e * e + p[2] * e * (rest * d + k / (1.0 + b) * e);
}

static double linear_two_slope(const rates *at, int i, double span, int which)
{
    double value[2], other, h = 1e-5;
    for (int side = 0; side < 2; side++) {
        rates q = *at;
        q.p[i] += side ? -h : h;
        if (which)
            linear_two_truth(q.p, span, &other, &value[side]);
        else
            linear_two_truth(q.p, span, &value[side], &other);
    }
    return (value[0] - value[1]) / (2.0 * h);
}

static void linear_index_two(void **state)
{
    (void)state;
    const double span = 1.2;
    for (int32_t method = 0; method < 3; method++)
        for (int which = 0; which < 2; which++) {
            rates q = {{2.0, 0.7, 1.3}};
            double *places[] = {&q.p[0], &q.p[1], &q.p[2]}, by_p[3], truth[2];
            const int32_t methods[] = {0, 1, 3};
            double y[] = {q.p[2], Y_START, q.p[2] * (1.0 + q.p[0])};
            const double by_start[9] = {[6] = 1.0, [8] = 3.0};
            daedal_system sys = {.n = 3,
                                 .residual = linear_of_index_two,
                                 .n_parameters = 3,
                                 .parameters = places,
                                 .user = &q};
            daedal_gradient_task task = {.t_end = span,
                                         .y = y,
                                         .start_derivatives = by_start,
                                         .integrand = which ? NULL : sum_with_multiplier,
                                         .end = which ? square_with_multiplier : NULL};
            daedal_gradient g = {.by_parameters = by_p};
            daedal_options opt = defaults_with(1e-7, 1e-10);
            opt.method = methods[method];
            expect_gradient(&sys, &opt, &task, &g);
            linear_two_truth(q.p, span, &truth[0], &truth[1]);
            expect_near(g.value, truth[which], 1e-6 * fabs(truth[which]));
            for (int i = 0; i < 3; i++) {
                double slope = linear_two_slope(&q, i, span, which);
                expect_near(by_p[i], slope, 3e-6 * fabs(slope));
            }
        }
}

/* A pendulum of length one with damping, held on velocities; and by its angle. */
static int pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *p = ((const rates *)user)->p;
    (void)t;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0] + p[1] * y[2];
    r[3] = yp[3] + y[4] * y[1] + p[1] * y[3] + p[0];
    r[4] = y[0] * y[2] + y[1] * y[3];
    return DAEDAL_CALL_OK;
}

static int pendulum_force(double t, const double *y, double *value, void *user)
{
    (void)t, (void)user;
    *value = y[0] * y[1] + 0.3 * y[4];
    return DAEDAL_CALL_OK;
}

static int angle(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *p = ((const rates *)user)->p;
    (void)t;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + p[0] * sin(y[0]) + p[1] * y[1];
    return DAEDAL_CALL_OK;
}

static int angle_force(double t, const double *y, double *value, void *user)
{
    (void)t;
    *value = -sin(y[0]) * cos(y[0]) + 0.3 * (y[1] * y[1] + ((const rates *)user)->p[0] * cos(y[0]));
    return DAEDAL_CALL_OK;
}

static void pendulum_of_index_two(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        rates q = {{9.81, 0.3, 0.0}};
        const double at = 0.8, y[] = {sin(at), -cos(at), 0.0, 0.0, q.p[0] * cos(at)};
        const double y_angle[] = {at, 0.0};
        double *places[] = {&q.p[0], &q.p[1]}, by_p[2][2];
        daedal_options opt = defaults_with(1e-8, 1e-10);
        for (int form = 0; form < 2; form++) {
            daedal_system sys = {.n = form ? 2 : 5,
                                 .residual = form ? angle : pendulum,
                                 .n_parameters = 2,
                                 .parameters = places,
                                 .user = &q};
            daedal_functional_fn *of = form ? angle_force : pendulum_force;
            daedal_gradient_task task = {.t_end = 2.0,
                                         .y = form ? y_angle : y,
                                         .integrand = which ? NULL : of,
                                         .end = which ? of : NULL,
                                         .user = &q};
            daedal_gradient g = {.by_parameters = by_p[form]};
            expect_gradient(&sys, &opt, &task, &g);
        }
        for (int i = 0; i < 2; i++)
            expect_near(by_p[0][i], by_p[1][i], 3e-6 * (1.0 + fabs(by_p[1][i])));
    }
}

/* ---- what is refused ---- */

static int no_value(double t, const double *y, double *value, void *user)
{
    (void)user;
    *value = t > 1.0 ? sqrt(-1.0 - y[0] * y[0]) : y[0];
    return DAEDAL_CALL_OK;
}

static int no_event(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    *g = 1.0;
    return DAEDAL_CALL_OK;
}

/* x' = v, v' = z, 0 = x - sin(t): index 3 */
static int index_three(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - y[2];
    r[2] = y[0] - sin(t);
    return DAEDAL_CALL_OK;
}

/* Index two, with two unknowns without derivatives, but only one equation without them. */
static int not_hessenberg(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = y[2] - y[0] + sin(t);
    r[2] = y[2] + y[1] - yp[0];
    return DAEDAL_CALL_OK;
}

typedef void change_fn(robertson_case *c);

static void without_functional(robertson_case *c)
{
    c->task.integrand = NULL;
}
static void without_time(robertson_case *c)
{
    c->task.t_end = 0.0;
}
static void without_start(robertson_case *c)
{
    c->task.y = NULL;
}
static void with_events(robertson_case *c)
{
    c->sys.n_events = 1;
    c->sys.events = no_event;
}
static void without_value(robertson_case *c)
{
    c->task.integrand = no_value;
}
static void with_nan(robertson_case *c)
{
    static const double bad[9] = {[4] = NAN};
    c->task.start_derivatives = bad;
}
static void with_lonely_gradient(robertson_case *c)
{
    c->task.end_gradient = third_gradient;
}
static void of_index_three(robertson_case *c)
{
    c->sys = (daedal_system){.n = 3, .residual = index_three};
    c->y[0] = 0.0;
    c->y[1] = 1.0;
    c->task.integrand = product_of_two;
}
static void of_another_form(robertson_case *c)
{
    c->sys = (daedal_system){.n = 3, .residual = not_hessenberg};
    c->y[0] = 0.0;
    c->y[1] = 1.0;
    c->task.integrand = product_of_two;
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        change_fn *change;
        daedal_status status;
        const char *part;
    } rows[] = {
        {without_functional, DAEDAL_ERR_ARGUMENT, "neither an integrand nor an end term"},
        {without_time, DAEDAL_ERR_ARGUMENT, "from t = 0 to t = 0"},
        {without_start, DAEDAL_ERR_ARGUMENT, "y is NULL"},
        {with_events, DAEDAL_ERR_ARGUMENT, "has events"},
        {without_value, DAEDAL_ERR_CALLBACK, "the integrand has no value at t = 1."},
        {with_nan, DAEDAL_ERR_ARGUMENT, "start_derivatives[4]"},
        {with_lonely_gradient, DAEDAL_ERR_ARGUMENT, "end_gradient is given without"},
        {of_index_three, DAEDAL_ERR_INDEX, "index"},
        {of_another_form, DAEDAL_ERR_INDEX, "Hessenberg"},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        robertson_case c;
        daedal_diagnosis why;
        robertson_set_up(&c, false);
        rows[k].change(&c);
        assert_int_equal(daedal_system_gradient(&c.sys, NULL, &c.task, &c.gradient, &why),
                         rows[k].status);
        expect_text(why.message, rows[k].part);
    }
}

/* Each allocation fails once: nothing is lost, and it is said. */
static void without_memory(void **state)
{
    (void)state;
    daedal_status status = DAEDAL_ERR_MEMORY;
    for (long k = 1; status == DAEDAL_ERR_MEMORY; k++) {
        robertson_case c;
        ledger books;
        daedal_diagnosis why;
        daedal_options opt = defaults_with(1e-3, 1e-9);
        ledger_open(&books);
        books.refuse = k;
        opt.allocator = &books.allocator;
        robertson_set_up(&c, true);
        c.task.end = third;
        c.task.memory = 4000;
        status = daedal_system_gradient(&c.sys, &opt, &c.task, &c.gradient, &why);
        ledger_expect_empty(&books);
        assert_true(k < 5000);
    }
    assert_int_equal(status, DAEDAL_OK);
}

/* ---- errors of the states are inherited, which is told ---- */

static int orbit(double t, const double *y, const double *yp, double *r, void *user)
{
    double mu = *(const double *)user, q = pow(y[0] * y[0] + y[1] * y[1], 1.5);
    (void)t;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + mu * y[0] / q;
    r[3] = yp[3] + mu * y[1] / q;
    return DAEDAL_CALL_OK;
}

static int fall_back(double t, const double *y, const double *yp, double *r, void *user)
{
    double rate = *(const double *)user;
    (void)t;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + rate * y[2] + y[0];
    r[3] = yp[3] + rate * y[3] + y[1];
    return DAEDAL_CALL_OK;
}

static int first(double t, const double *y, double *value, void *user)
{
    (void)t, (void)user;
    *value = y[0];
    return DAEDAL_CALL_OK;
}

static void note_inherited(daedal_log_level level, const char *text, void *user)
{
    const char *number = strstr(text, "the functional by about ");
    if (level == DAEDAL_LOG_WARNING && number)
        *(double *)user = strtod(number + strlen("the functional by about "), NULL);
}

static double value_at_end(daedal_residual_fn *f, double t_end, double rtol, double *told)
{
    const double y0[] = {0.6, 0.0, 0.0, 1.5275252316519468}; /* eccentricity 0.4 */
    double p = 1.0, *places[] = {&p}, by_p;
    daedal_system sys = {
        .n = 4, .residual = f, .n_parameters = 1, .parameters = places, .user = &p};
    daedal_options opt = defaults_with(rtol, 1e-3 * rtol);
    assert_int_equal(daedal_options_set(&opt, "method", "bdf"), DAEDAL_OK);
    opt.log = told ? note_inherited : NULL;
    opt.callback_user = told;
    daedal_gradient_task task = {.t_end = t_end, .y = y0, .end = first};
    daedal_gradient g = {.by_parameters = &by_p};
    assert_int_equal(daedal_system_gradient(&sys, &opt, &task, &g, NULL), DAEDAL_OK);
    return g.value;
}

/* An orbit of five periods is late in the end, and the warning knows by how much the functional is
 * off: to first order exactly.  What is damped forgets its errors.                       */
static void errors_of_states_are_told(void **state)
{
    (void)state;
    double told = 0.0;
    double off = value_at_end(orbit, 30.0, 1e-8, &told) - value_at_end(orbit, 30.0, 1e-11, NULL);
    assert_true(told > 3e-8 && told > 0.5 * fabs(off) && told < 2.0 * fabs(off));
    told = 0.0;
    value_at_end(fall_back, 5.0, 1e-6, &told);
    assert_true(told == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integral_of_robertson),
        cmocka_unit_test(parts_of_a_solution),
        cmocka_unit_test(linear_index_one),
        cmocka_unit_test(varying_leading_matrix),
        cmocka_unit_test(linear_index_two),
        cmocka_unit_test(pendulum_of_index_two),
        cmocka_unit_test(refusals),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(errors_of_states_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
