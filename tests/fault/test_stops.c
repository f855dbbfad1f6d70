/* tests/fault/test_stops.c - a function that answers STOP is obeyed at once, wherever it is called:
 * no other call follows, and the status tells it.  One that answers FAIL from some call on ends the
 * run, too, with a status that says so.                                              */
#include <math.h>
#include <string.h>

#include "driving.h"
#include "harness.h"
#include "samples.h"

enum { POINTS = 12, N_MAX = CHAIN_N };

/* A system whose functions are counted together; call number `at` answers STOP, or all from there
 * on answer FAIL. */
typedef struct counted {
    daedal_system base;
    long calls, at;
    bool fails;
} counted;

static int count(counted *c, int answer)
{
    long k = ++c->calls;
    if (c->fails)
        return c->at > 0 && k >= c->at ? DAEDAL_CALL_FAIL : answer;
    return k == c->at ? DAEDAL_CALL_STOP : answer;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    counted *c = user;
    return count(c, c->base.residual(t, y, yp, r, c->base.user));
}

static int jacobian(double t, const double *y, const double *yp, double by, double *v, void *user)
{
    counted *c = user;
    return count(c, c->base.jacobian(t, y, yp, by, v, c->base.user));
}

static int rhs(double t, const double *y, double *f, void *user)
{
    counted *c = user;
    return count(c, c->base.rhs(t, y, f, c->base.user));
}

static int rhs_jacobian(double t, const double *y, double *v, void *user)
{
    counted *c = user;
    return count(c, c->base.rhs_jacobian(t, y, v, c->base.user));
}

static int mass(double t, const double *y, double *v, void *user)
{
    counted *c = user;
    return count(c, c->base.mass(t, y, v, c->base.user));
}

static int events(double t, const double *y, const double *yp, double *g, void *user)
{
    counted *c = user;
    return count(c, c->base.events(t, y, yp, g, c->base.user));
}

static int constraints(double t, const double *y, double *g, void *user)
{
    counted *c = user;
    return count(c, c->base.constraints(t, y, g, c->base.user));
}

static int constraint_jacobian(double t, const double *y, double *v, void *user)
{
    counted *c = user;
    return count(c, c->base.constraint_jacobian(t, y, v, c->base.user));
}

static int constraint_by_parameters(double t, const double *y, double *v, void *user)
{
    counted *c = user;
    return count(c, c->base.constraint_parameter_derivative(t, y, v, c->base.user));
}

static int parameter_derivative(double t, const double *y, const double *yp, double *v, void *user)
{
    counted *c = user;
    return count(c, c->base.parameter_derivative(t, y, yp, v, c->base.user));
}

static daedal_system system_of(counted *c)
{
    daedal_system sys = c->base;
    sys.user = c;
    sys.residual = c->base.residual ? residual : NULL;
    sys.jacobian = c->base.jacobian ? jacobian : NULL;
    sys.rhs = c->base.rhs ? rhs : NULL;
    sys.rhs_jacobian = c->base.rhs_jacobian ? rhs_jacobian : NULL;
    sys.mass = c->base.mass ? mass : NULL;
    sys.events = c->base.events ? events : NULL;
    sys.constraints = c->base.constraints ? constraints : NULL;
    sys.constraint_jacobian = c->base.constraint_jacobian ? constraint_jacobian : NULL;
    sys.parameter_derivative = c->base.parameter_derivative ? parameter_derivative : NULL;
    if (c->base.constraint_parameter_derivative)
        sys.constraint_parameter_derivative = constraint_by_parameters;
    return sys;
}

/* ---- systems beside those of support/samples.h ---- */

/* A pendulum x, y, u, v, F whose rod is a constraint on positions: index 3. */
static int rod(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 1.0;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return 0;
}

static sample index_three(void)
{
    static const double y0[] = {1.0, 0.0, 0.0, 0.1, 0.01};
    return (sample){{.n = 5, .residual = rod}, y0, 0.5};
}

/* An oscillator whose spring and damper are parameters, with an algebraic sum; it is hit at x =
 * 0.2. */
static double spring = 2.0, damper = 0.3;
static double *const places[] = {&spring, &damper};

static int oscillator(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + spring * y[0] + damper * y[1];
    r[2] = y[2] - y[0] - spring * y[1];
    return 0;
}

static int by_parameters(double t, const double *y, const double *yp, double *v, void *user)
{
    (void)t, (void)yp, (void)user;
    const double all[] = {0.0, y[0], -y[1], 0.0, y[1], 0.0};
    memcpy(v, all, sizeof all);
    return 0;
}

static int hit(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] - 0.2;
    return 0;
}

static const double oscillator_y0[] = {1.0, 0.0, 1.0};

static sample with_parameters(void)
{
    return (sample){{.n = 3, .residual = oscillator, .n_parameters = 2, .parameters = places},
                    oscillator_y0,
                    1.0};
}

static sample with_derivatives(void)
{
    sample s = with_parameters();
    s.sys.parameter_derivative = by_parameters;
    s.sys.events = hit;
    s.sys.n_events = 1;
    return s;
}

/* x' = p v, v' = -p x on the circle of radius d. */
static int turn(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - spring * y[1];
    r[1] = yp[1] + spring * y[0];
    return 0;
}

static int circle(double t, const double *y, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = y[0] * y[0] + y[1] * y[1] - damper * damper;
    return 0;
}

static int circle_slopes(double t, const double *y, double *v, void *user)
{
    (void)t, (void)user;
    v[0] = 2.0 * y[0];
    v[1] = 2.0 * y[1];
    return 0;
}

static int circle_by_parameters(double t, const double *y, double *v, void *user)
{
    (void)t, (void)y, (void)user;
    v[0] = 0.0;
    v[1] = -2.0 * damper;
    return 0;
}

static sample on_circle(void)
{
    static const int32_t start[] = {0, 1, 2}, row[] = {0, 0};
    static const daedal_pattern slopes = {1, 2, start, row};
    static const double y0[] = {0.3, 0.0};
    daedal_system sys = {.n = 2,
                         .residual = turn,
                         .n_constraints = 1,
                         .constraints = circle,
                         .constraint_jacobian = circle_slopes,
                         .constraint_pattern = &slopes,
                         .n_parameters = 2,
                         .parameters = places};
    return (sample){sys, y0, 1.0};
}

static sample on_circle_with_derivative(void)
{
    sample s = on_circle();
    s.sys.constraint_parameter_derivative = circle_by_parameters;
    return s;
}

static const struct {
    const char *name;
    sample (*make)(void);
    const char *options; /* name=value, separated by blanks */
} rows[] = {
    {"robertson", sample_robertson, "method=bdf"},
    {"robertson", sample_robertson, "method=bdf_classic"},
    {"robertson", sample_robertson, "method=radau"},
    {"robertson", sample_robertson, "method=rodas"},
    {"robertson", sample_robertson, "method=limex"},
    {"robertson", sample_robertson, "method=auto"},
    {"robertson", sample_robertson, "method=array"},
    {"robertson, Jacobian", sample_robertson_jacobian, "method=bdf"},
    {"mass", sample_mass, "method=rodas"},
    {"mass, Jacobian", sample_mass_jacobian, "method=radau"},
    {"mass, Jacobian", sample_mass_jacobian, "method=limex"},
    {"decay", sample_decay_events, "method=dopri"},
    {"decay", sample_decay_events, "method=radau"},
    {"decay", sample_decay_events, "method=auto"},
    {"chain", sample_chain, "method=bdf linear_solver=gmres"},
    {"driven", sample_driven, "method=bdf"},
    {"driven", sample_driven, "method=radau"},
    {"driven", sample_driven, "method=array"},
    {"driven, hidden", sample_driven_hidden, "method=radau"},
    {"driven, hidden", sample_driven_hidden, "method=array"},
    {"pendulum", sample_pendulum, "method=bdf constraint_method=project"},
    {"pendulum", sample_pendulum, "method=radau constraint_method=project"},
    {"pendulum", sample_pendulum, "method=radau constraint_method=ggl"},
    {"pendulum", sample_pendulum, "method=bdf constraint_method=dummy"},
    {"rod", index_three, "method=radau"},
    {"rod", index_three, "method=auto"},
    {"parameters", with_parameters, "method=bdf"},
    {"parameters", with_parameters, "method=radau"},
    {"derivatives", with_derivatives, "method=bdf"},
    {"derivatives", with_derivatives, "method=radau"},
    {"circle", on_circle, "method=bdf"},
    {"circle", on_circle, "method=radau"},
    {"circle, derivative", on_circle_with_derivative, "method=bdf"},
    {"circle, derivative", on_circle_with_derivative, "method=radau"},
    {"circle", on_circle, "method=bdf constraint_method=project"},
    {"circle", on_circle, "method=radau constraint_method=ggl"},
    {"pendulum", sample_pendulum, "method=limex constraint_method=project"},
    {"pendulum", sample_pendulum, "method=rodas constraint_method=project"},
};

static bool goes_on(daedal_status status)
{
    return status >= 0 && status != DAEDAL_STOPPED;
}

/* A start, output points inside steps, a step, a restart; until something ends it. */
static daedal_status drive(const daedal_system *sys, const sample *what, const char *options)
{
    daedal_options opt = defaults_with(1e-4, 1e-7);
    set_options(&opt, options);
    daedal_solver *s = solver_of(sys, &opt);
    daedal_status status = daedal_solver_start(s, 0.0, what->y0, NULL);
    for (int k = 1; k <= POINTS && goes_on(status); k++) {
        double t = what->t_end * k / POINTS;
        while (goes_on(status) && daedal_solver_state(s)->t < t)
            status = daedal_solver_advance(s, t);
    }
    if (goes_on(status))
        status = daedal_solver_check_jacobian(s);
    if (goes_on(status))
        status = daedal_solver_restart(s, daedal_solver_state(s)->y, NULL);
    if (goes_on(status))
        status = daedal_solver_step(s, 2.0 * what->t_end);
    daedal_solver_free(s);
    return status;
}

/* Every call up to 30, later fewer and fewer of them. */
static int check_row(size_t i, bool fails)
{
    const daedal_status wanted = fails ? DAEDAL_ERR_CALLBACK : DAEDAL_STOPPED;
    counted c = {.at = 0, .fails = fails};
    sample what = rows[i].make();
    int wrong = 0;
    c.base = what.sys;
    daedal_system sys = system_of(&c);
    daedal_status plain = drive(&sys, &what, rows[i].options);
    if (!goes_on(plain))
        fail_msg("%s, %s: %s", rows[i].name, rows[i].options, daedal_status_name(plain));
    long all = c.calls;
    for (long k = 1; k <= all; k += k < 30 ? 1 : 1 + k / 8) {
        c.calls = 0;
        c.at = k;
        daedal_status got = drive(&sys, &what, rows[i].options);
        bool goes_too_far = !fails && c.calls != k;
        if ((got != wanted || goes_too_far) && wrong++ < 3)
            print_error("%s, %s: call %ld of %ld%s: %s, %ld more calls\n", rows[i].name,
                        rows[i].options, k, all, fails ? " fails" : "", daedal_status_name(got),
                        c.calls - k);
    }
    return wrong;
}

static void test_stop(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < COUNT(rows); i++)
        wrong += check_row(i, false);
    assert_int_equal(wrong, 0);
}

static void test_fail(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < COUNT(rows); i++)
        wrong += check_row(i, true);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stop), cmocka_unit_test(test_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
