/* tests/unit/test_events.c - events seen from outside: where, which, in which direction,
 * in order, and what happens after them (solver/advance.c, integ/roots.c).      */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "integ/roots.h"
#include "samples.h"

/* ---- bouncing ball ---- */

static const double gravity = 9.81, restitution = 0.8;

static int ball(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + gravity;
    return 0;
}

static int ground(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0];
    return 0;
}

/* Times of the bounces are known; after each the ball goes on in few steps. */
static void test_bouncing_ball(void **state)
{
    (void)state;
    enum { BOUNCES = 15, STEPS_PER_BOUNCE = 60 };
    static const int32_t falling[] = {-1};
    const double y0[] = {1.0, 0.0};
    daedal_system sys = {
        .n = 2, .residual = ball, .n_events = 1, .events = ground, .event_direction = {falling, 1}};
    daedal_options opt = defaults_with(1e-8, 1e-10);
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
    double t_hit = sqrt(2.0 / gravity), speed = sqrt(2.0 * gravity);
    int64_t steps = 0;
    for (int k = 0; k < BOUNCES; k++) {
        expect_status(s, daedal_solver_advance(s, 100.0), DAEDAL_EVENT);
        const daedal_state *now = daedal_solver_state(s);
        expect_near(now->t, t_hit, 1e-7);
        expect_near(now->y[0], 0.0, 1e-8);
        expect_near(now->y[1], -speed, 1e-6);
        assert_int_equal(now->event[0], -1);
        if (k > 0)
            assert_in_range(daedal_solver_stats(s)->steps - steps, 1, STEPS_PER_BOUNCE);
        steps = daedal_solver_stats(s)->steps;
        speed *= restitution;
        const double up[] = {0.0, speed};
        expect_status(s, daedal_solver_restart(s, up, NULL), DAEDAL_OK);
        expect_near(daedal_solver_state(s)->y[1], speed, 0.0);
        expect_near(daedal_solver_state(s)->yp[0], speed, 1e-9);
        t_hit += 2.0 * speed / gravity;
    }
    assert_int_equal(daedal_solver_stats(s)->events, BOUNCES);
    assert_int_equal(daedal_solver_stats(s)->restarts, BOUNCES);
    daedal_solver_free(s);
}

/* Each impact leaves a share of the speed: infinitely many happen before the ball rests.  No run
 * falls through the floor: it ends there, and says why.                            */
static void test_ball_comes_to_rest(void **state)
{
    (void)state;
    static const double shares[] = {0.1, 0.5, 0.8, 0.95};
    const double y0[] = {1.0, 0.0};
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
        daedal_system sys = {.n = 2, .residual = ball, .n_events = 1, .events = ground};
        daedal_options opt = defaults_with(1e-6, 1e-9);
        daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
        double rest = sqrt(2.0 / gravity) * (1.0 + shares[k]) / (1.0 - shares[k]);
        daedal_status status;
        while ((status = daedal_solver_advance(s, 100.0)) == DAEDAL_EVENT) {
            const double up[] = {0.0, -shares[k] * daedal_solver_state(s)->y[1]};
            assert_true(daedal_solver_state(s)->y[1] < 0.0);
            expect_status(s, daedal_solver_restart(s, up, NULL), DAEDAL_OK);
        }
        assert_true(status < 0);
        assert_int_equal(daedal_solver_diagnosis(s)->cause, DAEDAL_CAUSE_EVENT_ACCUMULATION);
        expect_near(daedal_solver_diagnosis(s)->t, rest, 1e-5);
        daedal_solver_free(s);
    }
}

/* ---- functions of time ---- */

/* y' = 1, y(0) = 0; the events are whatever `user` says. */
static int clock_rate(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)y, (void)user;
    r[0] = yp[0] - 1.0;
    return 0;
}

static int sine(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = sin(y[0]);
    return 0;
}

static daedal_solver *clock_solver(daedal_event_fn *events, int32_t count, daedal_ints direction)
{
    const double y0[] = {0.0};
    daedal_system sys = {.n = 1,
                         .residual = clock_rate,
                         .n_events = count,
                         .events = events,
                         .event_direction = direction};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    opt.max_step = 1.0;
    return started(&sys, &opt, 0.0, y0, NULL);
}

/* How many zeros of sin y up to 20, by direction; each to roundoff. */
static void test_directions(void **state)
{
    (void)state;
    static const struct {
        int32_t direction;
        int first, step, count; /* in units of pi */
    } rows[] = {{0, 1, 1, 6}, {1, 2, 2, 3}, {-1, 1, 2, 3}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        daedal_solver *s = clock_solver(sine, 1, (daedal_ints){&rows[i].direction, 1});
        daedal_status status;
        int k = 0;
        while ((status = daedal_solver_advance(s, 20.0)) == DAEDAL_EVENT) {
            int at = rows[i].first + rows[i].step * k++;
            expect_near(daedal_solver_state(s)->t, at * acos(-1.0), 1e-12);
            assert_int_equal(daedal_solver_state(s)->event[0], at % 2 == 0 ? 1 : -1);
        }
        expect_status(s, status, DAEDAL_OK);
        assert_int_equal(k, rows[i].count);
        assert_int_equal(daedal_solver_state(s)->event[0], 0); /* none stands here */
        daedal_solver_free(s);
    }
}

/* Three functions; two fire together at 1, the third a little later, in one step. */
static int three(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] - 1.0;
    g[1] = 1.0 - y[0];
    g[2] = y[0] - 1.001;
    return 0;
}

static void test_simultaneous(void **state)
{
    (void)state;
    daedal_solver *s = clock_solver(three, 3, (daedal_ints){NULL, 0});
    expect_status(s, daedal_solver_advance(s, 5.0), DAEDAL_EVENT);
    const daedal_state *now = daedal_solver_state(s);
    expect_near(now->t, 1.0, 1e-12);
    assert_true(now->event[0] == 1 && now->event[1] == -1 && now->event[2] == 0);
    expect_status(s, daedal_solver_advance(s, 5.0), DAEDAL_EVENT);
    expect_near(daedal_solver_state(s)->t, 1.001, 1e-12);
    assert_true(now->event[0] == 0 && now->event[1] == 0 && now->event[2] == 1);
    expect_status(s, daedal_solver_advance(s, 5.0), DAEDAL_OK);
    assert_int_equal(daedal_solver_stats(s)->events, 2);
    daedal_solver_free(s);
}

/* An output time before the event: not reported early; then at the right time; an output
 * time exactly at the event: the event is reported once, not twice.             */
static void test_output_points(void **state)
{
    (void)state;
    daedal_solver *s = clock_solver(three, 3, (daedal_ints){NULL, 0});
    expect_status(s, daedal_solver_advance(s, 0.999), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->t, 0.999, 0.0);
    assert_int_equal(daedal_solver_stats(s)->events, 0);
    int seen = 0;
    for (int k = 0; k < 3 && daedal_solver_state(s)->t < 1.0005; k++) {
        daedal_status status = daedal_solver_advance(s, k < 2 ? 1.0 : 1.0005);
        assert_true(status == DAEDAL_OK || status == DAEDAL_EVENT);
        seen += status == DAEDAL_EVENT;
    }
    if (daedal_solver_state(s)->t < 1.0005)
        expect_status(s, daedal_solver_advance(s, 1.0005), DAEDAL_OK);
    assert_int_equal(seen, 1);
    expect_status(s, daedal_solver_advance(s, 2.0), DAEDAL_EVENT);
    expect_near(daedal_solver_state(s)->t, 1.001, 1e-12);
    daedal_solver_free(s);
}

/* A function that is zero at the start does not fire there; its next zero does. */
static void test_zero_at_start(void **state)
{
    (void)state;
    daedal_solver *s = clock_solver(sine, 1, (daedal_ints){NULL, 0});
    expect_status(s, daedal_solver_advance(s, 5.0), DAEDAL_EVENT);
    expect_near(daedal_solver_state(s)->t, acos(-1.0), 1e-12);
    daedal_solver_free(s);
}

/* Zero for a while, then positive: no event while it is zero, one when it leaves is
 * optional, none lost afterwards.                                               */
static int plateau(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] < 1.0 ? 1.0 - y[0] : y[0] < 2.0 ? 0.0 : 2.0 - y[0];
    return 0;
}

static void test_zero_for_a_while(void **state)
{
    (void)state;
    daedal_solver *s = clock_solver(plateau, 1, (daedal_ints){NULL, 0});
    expect_status(s, daedal_solver_advance(s, 5.0), DAEDAL_EVENT);
    expect_near(daedal_solver_state(s)->t, 1.0, 1e-12);
    int more = 0;
    daedal_status status;
    while ((status = daedal_solver_advance(s, 5.0)) == DAEDAL_EVENT)
        assert_in_range(++more, 1, 1);
    expect_status(s, status, DAEDAL_OK);
    daedal_solver_free(s);
}

/* Two zeros inside one step, end signs equal. */
static int dip(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = (y[0] - 2.45) * (y[0] - 2.55);
    return 0;
}

static void test_two_in_one_step(void **state)
{
    (void)state;
    daedal_solver *s = clock_solver(dip, 1, (daedal_ints){NULL, 0});
    expect_status(s, daedal_solver_advance(s, 5.0), DAEDAL_EVENT);
    expect_near(daedal_solver_state(s)->t, 2.45, 1e-9);
    expect_status(s, daedal_solver_advance(s, 5.0), DAEDAL_EVENT);
    expect_near(daedal_solver_state(s)->t, 2.55, 1e-9);
    expect_status(s, daedal_solver_advance(s, 5.0), DAEDAL_OK);
    daedal_solver_free(s);
}

/* A spike that a step as long as 1 would go over: as many points as asked for are looked at. */
static int spike(double t, const double *y, const double *yp, double *g, void *user)
{
    const double *place = user;
    (void)t, (void)yp;
    double x = (y[0] - *place) / 0.03;
    g[0] = 1.0 - 2.0 * exp(-x * x);
    return 0;
}

static void test_samples(void **state)
{
    (void)state;
    const double y0[] = {0.0};
    for (double place = 5.03; place < 6.0; place += 0.07) {
        daedal_system sys = {
            .n = 1, .residual = clock_rate, .n_events = 1, .events = spike, .user = &place};
        daedal_options opt = defaults_with(1e-6, 1e-9);
        opt.max_step = 1.0;
        opt.event_samples = 64;
        daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
        for (int side = -1; side <= 1; side += 2) {
            expect_status(s, daedal_solver_advance(s, 10.0), DAEDAL_EVENT);
            expect_near(daedal_solver_state(s)->t, place + side * 0.03 * sqrt(log(2.0)), 1e-9);
        }
        expect_status(s, daedal_solver_advance(s, 10.0), DAEDAL_OK);
        daedal_solver_free(s);
    }
}

/* ---- decay ---- */

/* Events of a solution: at ln 2 and ln 5; step mode finds the same; backward too. */
static void test_decay(void **state)
{
    (void)state;
    sample what = sample_decay_events();
    daedal_options opt = defaults_with(1e-8, 1e-10);
    for (int by_steps = 0; by_steps < 2; by_steps++) {
        daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL);
        double found[2] = {0.0, 0.0};
        int count = 0;
        while (daedal_solver_state(s)->t < what.t_end) {
            daedal_status status =
                by_steps ? daedal_solver_step(s, what.t_end) : daedal_solver_advance(s, what.t_end);
            assert_true(status >= 0 && count < 3);
            if (status == DAEDAL_EVENT)
                found[count++ % 2] = daedal_solver_state(s)->t;
        }
        assert_int_equal(count, 2);
        expect_near(found[0], log(2.0), 1e-7);
        expect_near(found[1], log(5.0), 1e-7);
        daedal_solver_free(s);
    }
}

static void test_backward(void **state)
{
    (void)state;
    sample what = sample_decay_events();
    daedal_options opt = defaults_with(1e-8, 1e-10);
    const double end[] = {exp(-3.0)};
    daedal_solver *s = started(&what.sys, &opt, 3.0, end, NULL);
    expect_status(s, daedal_solver_advance(s, 0.0), DAEDAL_EVENT);
    expect_near(daedal_solver_state(s)->t, log(5.0), 1e-6);
    assert_int_equal(daedal_solver_state(s)->event[1], 1); /* y rises as t falls */
    expect_status(s, daedal_solver_advance(s, 0.0), DAEDAL_EVENT);
    expect_near(daedal_solver_state(s)->t, log(2.0), 1e-6);
    expect_status(s, daedal_solver_advance(s, 0.0), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[0], 1.0, 1e-6);
    daedal_solver_free(s);
}

/* A terminal event: the state stands at it, and a new start begins a new run. */
static void test_terminal(void **state)
{
    (void)state;
    sample what = sample_decay_events();
    daedal_solver *s = started(&what.sys, NULL, 0.0, what.y0, NULL);
    expect_status(s, daedal_solver_advance(s, what.t_end), DAEDAL_EVENT);
    expect_near(daedal_solver_state(s)->y[0], 0.5, 1e-9);
    expect_near(daedal_solver_state(s)->yp[0], -0.5, 1e-4);
    expect_status(s, daedal_solver_start(s, 0.0, what.y0, NULL), DAEDAL_OK);
    assert_int_equal(daedal_solver_state(s)->event[0], 0);
    expect_status(s, daedal_solver_advance(s, what.t_end), DAEDAL_EVENT);
    expect_near(daedal_solver_state(s)->t, log(2.0), 1e-5);
    daedal_solver_free(s);
}

/* After a restart the step is of the size it was, not 1e-10: few steps to the end. */
static void test_restart_is_cheap(void **state)
{
    (void)state;
    sample what = sample_decay_events();
    daedal_options opt = defaults_with(1e-4, 1e-6);
    int64_t steps[2];
    for (int restart = 0; restart < 2; restart++) {
        daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL);
        daedal_status status;
        while ((status = daedal_solver_advance(s, what.t_end)) == DAEDAL_EVENT)
            if (restart)
                expect_status(s, daedal_solver_restart(s, NULL, NULL), DAEDAL_OK);
        expect_status(s, status, DAEDAL_OK);
        steps[restart] = daedal_solver_stats(s)->steps;
        daedal_solver_free(s);
    }
    assert_true(steps[1] <= 3 * steps[0] + 20);
}

/* ---- what is left of a root ---- */

static int value_of(void *self, double t, const double *y, const double *yp, double *g)
{
    (void)t, (void)y, (void)yp;
    g[0] = *(const double *)self;
    return DAEDAL_CALL_OK;
}

/* A root leaves a small value behind, which has no sign; a small value later has one. */
static void test_spent_once(void **state)
{
    (void)state;
    roots r;
    double g = 1.0, y = 0.0;
    roots_setup setup = {.of = {value_of, &g}, .n = 1, .n_events = 1, .samples = 1};
    assert_true(roots_create(&r, &setup));
    assert_int_equal(roots_begin(&r, 0.0, &y, &y, false), DAEDAL_CALL_OK);
    r.fired[0] = -1;
    g = -1e-12;
    assert_int_equal(roots_give(&r, 1.0, &y, &y), DAEDAL_CALL_OK);
    g = -1e-7; /* by making values consistent */
    assert_int_equal(roots_begin(&r, 1.0, &y, &y, true), DAEDAL_CALL_OK);
    assert_int_equal(r.sign[0], 0);
    g = -1e-14;
    assert_int_equal(roots_begin(&r, 2.0, &y, &y, true), DAEDAL_CALL_OK);
    assert_int_equal(r.sign[0], -1);
    roots_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bouncing_ball),    cmocka_unit_test(test_ball_comes_to_rest),
        cmocka_unit_test(test_directions),       cmocka_unit_test(test_simultaneous),
        cmocka_unit_test(test_output_points),    cmocka_unit_test(test_zero_at_start),
        cmocka_unit_test(test_zero_for_a_while), cmocka_unit_test(test_samples),
        cmocka_unit_test(test_two_in_one_step),  cmocka_unit_test(test_decay),
        cmocka_unit_test(test_backward),         cmocka_unit_test(test_terminal),
        cmocka_unit_test(test_restart_is_cheap), cmocka_unit_test(test_spent_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
