/* tests/unit/test_constrained_method.c - constraints in the equations of each step: multipliers and
 * dummy derivatives against projection, on functions.                                  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "driving.h"
#include "harness.h"
#include "samples.h"

static const char *const HOW[] = {"method=bdf rtol=1e-8 atol=1e-10 constraint_method=project",
                                  "method=bdf rtol=1e-8 atol=1e-10 constraint_method=ggl",
                                  "method=bdf rtol=1e-8 atol=1e-10 constraint_method=dummy"};

static daedal_solver *swinging(const sample *p, const char *options)
{
    return start_solver(&p->sys, options, 0.0, p->y0, NULL);
}

/* At the ends of steps, where nothing but the equations of the step holds them. */
static void expect_held(const sample *p, const daedal_solver *s)
{
    double g[2], r[5];
    const daedal_state *at = daedal_solver_state(s);
    p->sys.constraints(at->t, at->y, g, NULL);
    p->sys.residual(at->t, at->y, at->yp, r, NULL);
    expect_near(g[0], 0.0, 1e-9);
    expect_near(g[1], 0.0, 1e-9);
    double h = fabs(daedal_solver_stats(s)->h_last);
    for (int i = 0; i < 5; i++) /* y' is what the equations say, without the multipliers */
        expect_near(r[i], 0.0, fmax(1e-5, 1e-7 / h)); /* Newton's tolerance, differentiated */
}

/* Over the top: no variable is fit to be a state all the time. */
static void test_over_the_top(void **state)
{
    (void)state;
    sample p = sample_pendulum();
    double y[3][5];
    for (int k = 0; k < 3; k++) {
        daedal_solver *s = swinging(&p, HOW[k]);
        while (daedal_solver_state(s)->t < 20.0) {
            assert_true(daedal_solver_step(s, 20.0) >= 0);
            expect_held(&p, s);
        }
        memcpy(y[k], daedal_solver_state(s)->y, sizeof y[k]);
        for (int i = 0; i < 5; i++)
            expect_near(y[k][i], y[0][i], 2e-5);
        daedal_solver_free(s);
    }
}

/* Around the other methods that take index 2. */
static void test_radau(void **state)
{
    (void)state;
    static const char *const how[] = {"method=radau rtol=1e-9 constraint_method=ggl",
                                      "method=radau rtol=1e-9 constraint_method=dummy"};
    sample p = sample_pendulum();
    for (int k = 0; k < 2; k++) {
        daedal_solver *s = swinging(&p, how[k]);
        while (daedal_solver_state(s)->t < 20.0)
            assert_true(daedal_solver_step(s, 20.0) >= 0);
        expect_held(&p, s);
        daedal_solver_free(s);
    }
}

/* A wish for y as a state is fulfilled as far as the rod allows, which at the top and at the
 * bottom, where x = 0, determines nothing but y.                                 */
static void test_wishes(void **state)
{
    (void)state;
    sample p = sample_pendulum();
    const int32_t keep_y[] = {-2, 2, -2, 2, 0};
    p.sys.state_select = (daedal_ints){keep_y, 5};
    daedal_solver *s = swinging(&p, HOW[2]);
    expect_status(s, daedal_solver_advance(s, 20.0), DAEDAL_OK);
    expect_held(&p, s);
    daedal_solver_free(s);
    const int32_t wrong[] = {0, 3, 0, 0, 0};
    daedal_diagnosis why;
    daedal_options opt = options_of(HOW[2]);
    p.sys.state_select = (daedal_ints){wrong, 5};
    assert_int_equal(daedal_solver_create(&s, &p.sys, &opt, &why), DAEDAL_ERR_ARGUMENT);
    expect_text(why.message, "state_select[1] is 3");
}

/* A copy goes on exactly as the original does. */
static void test_clone(void **state)
{
    (void)state;
    sample p = sample_pendulum();
    for (int k = 1; k < 3; k++) {
        daedal_solver *s = swinging(&p, HOW[k]), *twin = NULL;
        expect_status(s, daedal_solver_advance(s, 3.0), DAEDAL_OK);
        assert_int_equal(daedal_solver_clone(&twin, s), DAEDAL_OK);
        expect_status(s, daedal_solver_advance(s, 9.0), DAEDAL_OK);
        expect_status(twin, daedal_solver_advance(twin, 9.0), DAEDAL_OK);
        assert_memory_equal(daedal_solver_state(s)->y, daedal_solver_state(twin)->y,
                            5 * sizeof(double));
        daedal_solver_free(s);
        daedal_solver_free(twin);
    }
}

static int top(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0];
    return 0;
}

/* Events see y without multipliers. */
static void test_events(void **state)
{
    (void)state;
    sample p = sample_pendulum();
    p.sys.n_events = 1;
    p.sys.events = top;
    for (int k = 1; k < 3; k++) {
        daedal_solver *s = swinging(&p, HOW[k]);
        expect_status(s, daedal_solver_advance(s, 10.0), DAEDAL_EVENT);
        expect_near(daedal_solver_state(s)->y[0], 0.0, 1e-9);
        expect_held(&p, s);
        daedal_solver_free(s);
    }
}

static void test_backward(void **state)
{
    (void)state;
    sample p = sample_pendulum();
    for (int k = 1; k < 3; k++) {
        double y[5];
        solve_to(&p.sys, HOW[k], 0.0, p.y0, 3.0, y);
        solve_to(&p.sys, HOW[k], 3.0, y, 0.0, y);
        for (int i = 0; i < 5; i++)
            expect_near(y[i], p.y0[i], 1e-6);
    }
}

/* The rod twice: no choice of variables can satisfy both. */
static int rod_twice(double t, const double *y, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = y[0] * y[0] + y[1] * y[1] - 1.0;
    g[1] = 2.0 * g[0];
    return 0;
}

static int slopes_twice(double t, const double *y, double *values, void *user)
{
    (void)t, (void)user;
    values[0] = 2.0 * y[0];
    values[1] = 4.0 * y[0];
    values[2] = 2.0 * y[1];
    values[3] = 4.0 * y[1];
    return 0;
}

static void test_dependent(void **state)
{
    (void)state;
    static const int32_t start[] = {0, 2, 4, 4, 4, 4}, row[] = {0, 1, 0, 1};
    static const daedal_pattern both = {2, 5, start, row};
    sample p = sample_pendulum();
    p.sys.constraints = rod_twice;
    p.sys.constraint_jacobian = slopes_twice;
    p.sys.constraint_pattern = &both;
    p.sys.constraint_level = p.sys.variable_level = (daedal_ints){0};
    daedal_solver *s = swinging(&p, HOW[2]);
    assert_int_equal(daedal_solver_advance(s, 1.0), DAEDAL_ERR_SINGULAR);
    expect_text(daedal_solver_diagnosis(s)->message, "constraints depend on one another");
    daedal_solver_free(s);
    s = swinging(&p, HOW[1]);
    assert_int_equal(daedal_solver_advance(s, 1.0), DAEDAL_ERR_SINGULAR);
    daedal_solver_free(s);
}

/* What the integrator itself shows after a step is y' without the multipliers, too. */
static void test_view(void **state)
{
    (void)state;
    sample p = sample_pendulum();
    for (int k = 1; k < 3; k++) {
        kernel at;
        double r[5];
        kernel_open(&at, &p.sys, HOW[k], 0.0, p.y0, NULL);
        for (int step = 0; step < 40; step++)
            assert_int_equal(at.run.method->step(at.run.integrator, 1.0), DAEDAL_OK);
        integ_view now = at.run.method->view(at.run.integrator);
        p.sys.residual(now.t, now.y, now.yp, r, NULL);
        for (int i = 0; i < 5; i++)
            expect_near(r[i], 0.0, 1e-4);
        kernel_close(&at);
    }
}

/* The pendulum, with a first equation that has no value from t = 1 on. */
static int undefined_later(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    sample p = sample_pendulum();
    int answer = p.sys.residual(t, y, yp, r, NULL);
    if (t > 1.0)
        r[0] = NAN;
    return answer;
}

/* And with a constraint that has none. */
static int constraint_undefined_later(double t, const double *y, double *g, void *user)
{
    (void)user;
    sample p = sample_pendulum();
    int answer = p.sys.constraints(t, y, g, NULL);
    if (t > 1.0)
        g[0] = NAN;
    return answer;
}

static void test_not_finite(void **state)
{
    (void)state;
    sample p = sample_pendulum();
    p.sys.residual = undefined_later;
    for (size_t k = 0; k < COUNT(HOW); k++) {
        daedal_solver *s = swinging(&p, HOW[k]);
        assert_int_equal(daedal_solver_advance(s, 2.0), DAEDAL_ERR_NOT_FINITE);
        assert_int_equal(daedal_solver_diagnosis(s)->equation, 0);
        daedal_solver_free(s);
    }
    p = sample_pendulum();
    p.sys.constraints = constraint_undefined_later;
    for (size_t k = 0; k < COUNT(HOW); k++) {
        daedal_solver *s = swinging(&p, HOW[k]);
        assert_int_equal(daedal_solver_advance(s, 2.0), DAEDAL_ERR_NOT_FINITE);
        assert_int_equal(daedal_solver_diagnosis(s)->equation, -1);
        expect_text(daedal_solver_diagnosis(s)->message, "constraint");
        daedal_solver_free(s);
    }
}

static void note(daedal_log_level level, const char *message, void *user)
{
    bool *told = user;
    *told = *told || (level == DAEDAL_LOG_WARNING && strstr(message, "dummy derivatives"));
}

/* A tolerance below roundoff: no projection gets there, but the equations of a step do. */
static void test_refused(void **state)
{
    (void)state;
    sample p = sample_pendulum();
    daedal_options opt = options_of("method=bdf rtol=1e-15 atol=1e-15");
    bool told = false;
    opt.log = note;
    opt.callback_user = &told;
    daedal_solver *s = started(&p.sys, &opt, 0.0, p.y0, NULL);
    expect_status(s, daedal_solver_advance(s, 0.5), DAEDAL_OK);
    assert_true(told);
    expect_held(&p, s);
    daedal_solver_free(s);
}

/* A linear solver that goes the wrong way where there are more unknowns than in the pendulum. */
typedef struct lost {
    void *inner;
    int32_t n;
} lost;

static daedal_status lost_create(void **self, const daedal_pattern *p, const daedal_allocator *a)
{
    lost *l = calloc(1, sizeof *l);
    *self = l;
    l->n = p->n_cols;
    return daedal_linsolver_dense()->create(&l->inner, p, a);
}

static daedal_status lost_factor(void *self, const double *values)
{
    return daedal_linsolver_dense()->factor(((lost *)self)->inner, values);
}

static void lost_solve(void *self, double *b)
{
    const lost *l = self;
    daedal_linsolver_dense()->solve(l->inner, b);
    for (int32_t i = 0; i < l->n && l->n > 5; i++)
        b[i] = -b[i];
}

static int32_t lost_blame(void *self)
{
    (void)self;
    return -1;
}

static void lost_destroy(void *self)
{
    daedal_linsolver_dense()->destroy(((lost *)self)->inner);
    free(self);
}

static void note_projection(daedal_log_level level, const char *message, void *user)
{
    bool *told = user;
    *told = *told || (level == DAEDAL_LOG_WARNING && strstr(message, "by projection from there"));
}

/* Steps that cannot be solved with the constraints in their equations are solved without. */
static void test_unsolvable_with_constraints(void **state)
{
    (void)state;
    static const daedal_linsolver solver = {.name = "lost",
                                            .create = lost_create,
                                            .factor = lost_factor,
                                            .solve = lost_solve,
                                            .singular_column = lost_blame,
                                            .destroy = lost_destroy};
    for (size_t k = 1; k < COUNT(HOW); k++) {
        sample p = sample_pendulum();
        daedal_options opt = options_of(HOW[k]);
        bool told = false;
        opt.log = note_projection;
        opt.callback_user = &told;
        opt.linsolver = &solver;
        daedal_solver *s = started(&p.sys, &opt, 0.0, p.y0, NULL);
        expect_status(s, daedal_solver_advance(s, 0.5), DAEDAL_OK);
        assert_true(told);
        assert_int_equal(daedal_solver_structure(s)->constraint_method, 0);
        expect_held(&p, s);
        daedal_solver_free(s);
    }
}

/* Without memory for that the run is over; it can be started again. */
static void test_no_memory_for_the_change(void **state)
{
    (void)state;
    for (long k = 1; k <= 3; k++) {
        sample p = sample_pendulum();
        ledger books;
        ledger_open(&books);
        daedal_options opt = options_of("method=bdf rtol=1e-15 atol=1e-15");
        opt.allocator = &books.allocator;
        daedal_solver *s = started(&p.sys, &opt, 0.0, p.y0, NULL);
        books.refuse = books.taken + k;
        daedal_status status = daedal_solver_advance(s, 0.5);
        books.refuse = 0;
        assert_int_equal(status, DAEDAL_ERR_MEMORY);
        expect_status(s, daedal_solver_advance(s, 0.5), DAEDAL_ERR_CALL_SEQUENCE);
        expect_status(s, daedal_solver_start(s, 0.0, p.y0, NULL), DAEDAL_OK);
        expect_status(s, daedal_solver_advance(s, 0.5), DAEDAL_OK);
        expect_held(&p, s);
        daedal_solver_free(s);
        ledger_expect_empty(&books);
    }
}

static void test_slope_pattern(void **state)
{
    (void)state;
    static const int32_t start[] = {0, 1, 1, 1, 1, 1}, row[] = {4};
    static const int32_t start_all[] = {0, 0, 0, 0, 0, 0};
    static const daedal_pattern slopes = {5, 5, start, row}, all = {5, 5, start_all, row};
    sample p = sample_pendulum();
    daedal_solver *s;
    daedal_diagnosis why;
    daedal_options opt = options_of(HOW[0]);
    p.sys.pattern = &all;
    p.sys.dyp_pattern = &slopes;
    assert_int_equal(daedal_solver_create(&s, &p.sys, &opt, &why), DAEDAL_ERR_ARGUMENT);
    expect_text(why.message, "dyp_pattern has the entry (4, 0)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_over_the_top),
        cmocka_unit_test(test_wishes),
        cmocka_unit_test(test_radau),
        cmocka_unit_test(test_clone),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_backward),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_dependent),
        cmocka_unit_test(test_slope_pattern),
        cmocka_unit_test(test_unsolvable_with_constraints),
        cmocka_unit_test(test_view),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_no_memory_for_the_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
