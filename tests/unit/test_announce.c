/* tests/unit/test_announce.c - points that a system is told of before they are asked for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "samples.h"

/* A system that answers from what was announced. */
typedef struct memory {
    sample what;
    int32_t count, next, n_announcements;
    int64_t n_announced, n_answered, n_called;
    double t, *points; /* y and y' */
    bool in_mass_form;
    int answer; /* to announcements */
} memory;

static int announce(double t, int32_t count, const double *y, const double *yp, void *user)
{
    memory *m = user;
    size_t n = (size_t)m->what.sys.n, numbers = (size_t)count * n;
    assert_true(m->in_mass_form == (yp == NULL));
    m->points = realloc(m->points, 2 * numbers * sizeof(double));
    memcpy(m->points, y, numbers * sizeof(double));
    if (yp)
        memcpy(m->points + numbers, yp, numbers * sizeof(double));
    m->t = t;
    m->count = count;
    m->next = 0;
    m->n_announcements++;
    m->n_announced += count;
    return m->answer;
}

static void note_call(memory *m, double t, const double *y, const double *yp)
{
    size_t n = (size_t)m->what.sys.n, bytes = n * sizeof(double), numbers = (size_t)m->count * n;
    const double *at = m->points + (size_t)m->next * n;
    bool known = m->next < m->count && t == m->t && memcmp(at, y, bytes) == 0 &&
                 (!yp || memcmp(at + numbers, yp, bytes) == 0);
    m->next += known;
    m->n_answered += known;
    m->n_called += !known;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    memory *m = user;
    note_call(m, t, y, yp);
    return m->what.sys.residual(t, y, yp, r, m->what.sys.user);
}

static int rhs(double t, const double *y, double *f, void *user)
{
    memory *m = user;
    note_call(m, t, y, NULL);
    return m->what.sys.rhs(t, y, f, m->what.sys.user);
}

/* Almost all points that are announced are asked for, in this order, and nothing else changes. */
static void run(sample what, int32_t method)
{
    memory m = {.what = what, .in_mass_form = !what.sys.residual};
    daedal_system sys = what.sys;
    daedal_options opt;
    daedal_options_defaults(&opt);
    opt.method = method;
    sys.user = &m;
    sys.residual = what.sys.residual ? residual : NULL;
    sys.rhs = what.sys.rhs ? rhs : NULL;
    sys.announce = announce;
    daedal_solver *s = started(&sys, &opt, 0.0, what.y0, NULL);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    assert_true(m.n_announcements > 0);
    assert_true(m.n_answered >= m.n_announced - m.n_announcements);
    assert_true(m.n_called > 0 && m.n_announced > m.n_announcements);

    daedal_system plain = sys;
    plain.announce = NULL;
    daedal_solver *other = started(&plain, &opt, 0.0, what.y0, NULL);
    expect_status(other, daedal_solver_advance(other, 1.0), DAEDAL_OK);
    assert_memory_equal(daedal_solver_state(s)->y, daedal_solver_state(other)->y,
                        (size_t)sys.n * sizeof(double));
    daedal_solver_free(s);
    daedal_solver_free(other);
    free(m.points);
}

static void test_residual(void **state)
{
    (void)state;
    for (int32_t method = 0; method < 3; method++) {
        run(sample_robertson(), method);
        run(sample_chain(), method);
        run(sample_mass(), method); /* whose own functions do not read `user` */
    }
}

static void test_stop(void **state)
{
    (void)state;
    memory m = {.what = sample_robertson(), .answer = DAEDAL_CALL_STOP};
    daedal_system sys = m.what.sys;
    sys.user = &m;
    sys.residual = residual;
    sys.announce = announce;
    daedal_solver *s = NULL;
    assert_int_equal(daedal_solver_create(&s, &sys, NULL, NULL), DAEDAL_OK);
    assert_int_equal(daedal_solver_start(s, 0.0, m.what.y0, NULL), DAEDAL_STOPPED);
    assert_int_equal(m.n_announcements, 1);
    daedal_solver_free(s);
    free(m.points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_residual),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
