/* tests/unit/test_progress_log.c - the progress and log callbacks: when they are called
 * and what they are told.                                                       */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "samples.h"

typedef struct diary {
    long progress, logs;
    daedal_progress last;
    bool ordered;
    char text[512];
    daedal_log_level level;
} diary;

static int note_progress(const daedal_progress *where, void *user)
{
    diary *d = user;
    d->ordered = d->ordered && where->t > d->last.t && where->steps == d->last.steps + 1;
    d->last = *where;
    d->progress++;
    return DAEDAL_CALL_OK;
}

static void note_log(daedal_log_level level, const char *message, void *user)
{
    diary *d = user;
    d->logs++;
    d->level = level;
    strncpy(d->text, message, sizeof d->text - 1);
}

/* Once for each accepted step, in order, with the time asked for. */
static void test_progress(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    daedal_options opt = defaults_with(1e-4, 1e-8);
    diary d = {.ordered = true};
    opt.progress = note_progress;
    opt.callback_user = &d;
    daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL);
    assert_int_equal(d.progress, 0); /* the start is no step */
    expect_status(s, daedal_solver_advance(s, what.t_end), DAEDAL_OK);
    assert_true(d.ordered);
    assert_int_equal(d.progress, daedal_solver_stats(s)->steps);
    assert_true(d.last.t >= what.t_end);
    expect_near(d.last.t_end, what.t_end, 0.0);
    expect_near(d.last.h, daedal_solver_stats(s)->h_next, 0.0);
    assert_in_range(d.last.order, 1, 6);
    daedal_solver_free(s);
}

/* At the set-up the log says what was found; names of the solver included. */
static void test_log(void **state)
{
    (void)state;
    sample what = sample_chain();
    daedal_options opt = defaults_with(1e-4, 1e-8);
    diary d = {.ordered = true};
    opt.log = note_log;
    opt.callback_user = &d;
    daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL);
    assert_true(d.logs >= 1);
    assert_int_equal(d.level, DAEDAL_LOG_INFO);
    expect_text(d.text, "40 equations");
    expect_text(d.text, daedal_solver_structure(s)->linear_solver);
    daedal_solver_free(s);
}

/* A clone reports to the same place; without callbacks nothing happens. */
static void test_clone(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    daedal_options opt = defaults_with(1e-4, 1e-8);
    diary d = {.ordered = true};
    opt.progress = note_progress;
    opt.callback_user = &d;
    daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL), *copy = NULL;
    expect_status(s, daedal_solver_clone(&copy, s), DAEDAL_OK);
    expect_status(copy, daedal_solver_advance(copy, 1.0), DAEDAL_OK);
    assert_int_equal(d.progress, daedal_solver_stats(copy)->steps);
    assert_int_equal(daedal_solver_stats(s)->steps, 0);
    daedal_solver_free(s);
    daedal_solver_free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_clone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
