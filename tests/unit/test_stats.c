/* tests/unit/test_stats.c - the counts of a run agree with what the callbacks see and
 * with each other (C146).                                                       */
#include <math.h>

#include "integ/method.h"

#include "harness.h"
#include "problems.h"
#include "samples.h"

/* Counts calls; otherwise transparent. */
typedef struct counter {
    daedal_system base;
    long residuals, jacobians, events;
} counter;

static int count_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    counter *c = user;
    c->residuals++;
    return c->base.residual(t, y, yp, r, c->base.user);
}

static int count_jacobian(double t, const double *y, const double *yp, double a, double *v,
                          void *user)
{
    counter *c = user;
    c->jacobians++;
    return c->base.jacobian(t, y, yp, a, v, c->base.user);
}

static int count_events(double t, const double *y, const double *yp, double *g, void *user)
{
    counter *c = user;
    c->events++;
    return c->base.events(t, y, yp, g, c->base.user);
}

static daedal_system counted(counter *c)
{
    daedal_system sys = c->base;
    sys.residual = count_residual;
    sys.jacobian = sys.jacobian ? count_jacobian : NULL;
    sys.events = sys.events ? count_events : NULL;
    sys.user = c;
    return sys;
}

static void check_counts(const daedal_stats *n, const counter *c)
{
    assert_int_equal(n->residuals, c->residuals);
    assert_int_equal(n->event_calls, c->events);
    assert_true(n->steps > 0);
    assert_true(n->residuals >= n->jacobian_residuals + n->iterations);
    assert_true(n->solves >= n->iterations);
    assert_true(n->iterations >= n->steps);
    assert_true(n->factorizations > 0 && n->jacobians > 0);
    assert_true(n->residuals > n->steps);
    assert_true(n->rejected_error >= 0 && n->rejected_newton >= 0);
    assert_true(isfinite(n->h_last) && isfinite(n->h_next) && n->h_last != 0.0);
    assert_in_range(n->order_last, 1, 6);
    assert_in_range(n->order_next, 1, 6);
}

static void run_sample(sample what)
{
    counter c = {.base = what.sys};
    daedal_system sys = counted(&c);
    daedal_options opt = defaults_with(1e-4, 1e-8);
    opt.method = METHOD_BDF;
    daedal_solver *s = started(&sys, &opt, 0.0, what.y0, NULL);
    daedal_status status;
    int64_t events = 0;
    while ((status = daedal_solver_advance(s, what.t_end)) == DAEDAL_EVENT)
        events++;
    expect_status(s, status, DAEDAL_OK);
    const daedal_stats *n = daedal_solver_stats(s);
    check_counts(n, &c);
    assert_int_equal(n->events, events);
    if (sys.jacobian) {
        assert_int_equal(n->jacobian_residuals, 0);
        assert_int_equal(c.jacobians, 2 * n->jacobians + 1); /* one to compare with F */
    } else {
        assert_true(n->jacobian_residuals > 0);
    }
    daedal_solver_free(s);
}

static void test_samples(void **state)
{
    (void)state;
    run_sample(sample_robertson());
    run_sample(sample_robertson_jacobian());
    run_sample(sample_chain());
    run_sample(sample_chain_jacobian());
    run_sample(sample_decay_events());
}

/* A difference Jacobian costs as many calls of F as there are colours: over a run, once
 * the increments are known, exactly so in every step.                           */
static void expect_colours(const daedal_system *sys, const double *y0, double t_end, int32_t most)
{
    daedal_options opt = defaults_with(1e-6, 1e-9);
    opt.method = METHOD_BDF;
    daedal_solver *s = started(sys, &opt, 0.0, y0, NULL);
    const daedal_stats *n = daedal_solver_stats(s);
    int32_t colours = daedal_solver_structure(s)->n_colours;
    assert_in_range(colours, 1, most);
    for (int i = 0; i < 5; i++)
        expect_status(s, daedal_solver_step(s, t_end), DAEDAL_OK);
    int64_t seen = 0;
    while (daedal_solver_state(s)->t < t_end) {
        int64_t jacobians = n->jacobians, residuals = n->jacobian_residuals;
        expect_status(s, daedal_solver_step(s, t_end), DAEDAL_OK);
        assert_int_equal(n->jacobian_residuals - residuals, colours * (n->jacobians - jacobians));
        seen += n->jacobians - jacobians;
    }
    assert_true(seen > 0);
    daedal_solver_free(s);
}

static void test_colours(void **state)
{
    (void)state;
    sample chain = sample_chain();
    expect_colours(&chain.sys, chain.y0, chain.t_end, 6);
    const problem *p = problem_find("hires");
    daedal_system sys = {.n = p->n, .residual = p->residual, .user = p->user};
    expect_colours(&sys, p->y0, p->t_end, 2 * p->n);
}

/* Steps one by one: h_last and t agree, the counter counts. */
static void test_steps(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    daedal_options opt = defaults_with(1e-4, 1e-8);
    opt.method = METHOD_BDF;
    daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL);
    const daedal_stats *n = daedal_solver_stats(s);
    double t = 0.0;
    for (int64_t i = 1; daedal_solver_state(s)->t < what.t_end; i++) {
        double asked = n->h_next;
        expect_status(s, daedal_solver_step(s, what.t_end), DAEDAL_OK);
        assert_int_equal(n->steps, i);
        double now = daedal_solver_state(s)->t;
        expect_near(n->h_last, now - t, 1e-14 * now);
        if (i > 1)
            assert_true(n->h_last <= asked * (1.0 + 1e-7));
        t = now;
    }
    daedal_solver_free(s);
}

/* A restart is counted; starting anew goes on counting or begins at zero, not between. */
static void test_restarts(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    daedal_solver *s = started(&what.sys, NULL, 0.0, what.y0, NULL);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    assert_int_equal(daedal_solver_stats(s)->restarts, 0);
    expect_status(s, daedal_solver_restart(s, NULL, NULL), DAEDAL_OK);
    expect_status(s, daedal_solver_advance(s, 2.0), DAEDAL_OK);
    assert_int_equal(daedal_solver_stats(s)->restarts, 1);
    daedal_solver_free(s);
}

/* A clone has the same counts and goes on to the same state, bit by bit. */
static void test_clone(void **state)
{
    (void)state;
    sample what = sample_chain();
    daedal_options opt = defaults_with(1e-6, 1e-9);
    opt.method = METHOD_BDF;
    daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL), *copy = NULL;
    expect_status(s, daedal_solver_advance(s, 0.1 * what.t_end), DAEDAL_OK);
    expect_status(s, daedal_solver_clone(&copy, s), DAEDAL_OK);
    assert_int_equal(daedal_solver_stats(copy)->residuals, daedal_solver_stats(s)->residuals);
    expect_status(s, daedal_solver_advance(s, what.t_end), DAEDAL_OK);
    expect_status(copy, daedal_solver_advance(copy, what.t_end), DAEDAL_OK);
    const daedal_stats *a = daedal_solver_stats(s), *b = daedal_solver_stats(copy);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->residuals, b->residuals);
    assert_int_equal(a->factorizations, b->factorizations);
    assert_memory_equal(daedal_solver_state(s)->y, daedal_solver_state(copy)->y,
                        CHAIN_N * sizeof(double));
    daedal_solver_free(copy);
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples), cmocka_unit_test(test_colours),
        cmocka_unit_test(test_steps),   cmocka_unit_test(test_restarts),
        cmocka_unit_test(test_clone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
