/* tests/unit/test_api_arguments.c - every bad argument gets DAEDAL_ERR_ARGUMENT (or _ORDER)
 * and a sentence that names it; nothing is printed, nothing crashes, and the state before
 * the call stays.                                                               */
#define _POSIX_C_SOURCE 200809L /* fork, dup2, fileno */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "samples.h"

/* ---- create: system ---- */

static int rhs(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = -y[0];
    f[1] = -y[1];
    f[2] = -y[2];
    return 0;
}

static int rhs_jacobian(double t, const double *y, double *v, void *user)
{
    (void)t, (void)y, (void)user;
    v[0] = v[4] = v[8] = -1.0;
    return 0;
}

static int mass(double t, const double *y, double *v, void *user)
{
    (void)t, (void)y, (void)user;
    v[0] = v[4] = v[8] = 1.0;
    return 0;
}

static const int32_t three_ints[] = {0, 0, 0}, bad_kind[] = {0, 3, 0}, bad_direction[] = {2};
static const double low[] = {0.0, 2.0, 0.0}, high[] = {1.0, 1.0, 1.0}, nans[] = {0.0, NAN, 0.0};
static const int32_t starts[] = {0, 1, 2, 3}, rows_ok[] = {0, 1, 2}, rows_out[] = {0, 3, 2},
                     rows_negative[] = {0, -1, 2}, starts_late[] = {1, 1, 2, 3},
                     starts_down[] = {0, 2, 1, 3}, twice_starts[] = {0, 2, 2, 3},
                     twice[] = {1, 1, 2}, descending[] = {2, 1, 0};
static const daedal_pattern small = {2, 2, starts, rows_ok}, wide = {3, 4, starts, rows_ok},
                            no_start = {3, 3, NULL, rows_ok}, no_row = {3, 3, starts, NULL},
                            out = {3, 3, starts, rows_out},
                            negative = {3, 3, starts, rows_negative},
                            late = {3, 3, starts_late, rows_ok},
                            down = {3, 3, starts_down, rows_ok},
                            duplicate = {3, 3, twice_starts, twice},
                            unsorted = {3, 3, twice_starts, descending};

/* Each function spoils the Robertson system in one way. */
#define SPOIL(name, statement)                                                                     \
    static void name(daedal_system *s)                                                             \
    {                                                                                              \
        statement;                                                                                 \
    }
SPOIL(n_zero, s->n = 0)
SPOIL(n_negative, s->n = -5)
SPOIL(nothing, s->residual = NULL)
SPOIL(both, s->rhs = rhs)
SPOIL(mass_beside, s->mass = mass)
SPOIL(jacobian_beside, s->rhs_jacobian = rhs_jacobian)
SPOIL(jacobian_of_rhs,
      (s->jacobian = sample_robertson_jacobian().sys.jacobian, s->residual = NULL, s->rhs = rhs))
SPOIL(mass_kind, (s->residual = NULL, s->rhs = rhs, s->mass = mass, s->mass_kind = 3))
SPOIL(events_missing, s->n_events = 2)
SPOIL(events_negative, s->n_events = -1)
SPOIL(pattern_small, s->pattern = &small)
SPOIL(pattern_wide, s->pattern = &wide)
SPOIL(pattern_no_start, s->pattern = &no_start)
SPOIL(pattern_no_row, s->pattern = &no_row)
SPOIL(pattern_out, s->pattern = &out)
SPOIL(pattern_negative, s->pattern = &negative)
SPOIL(pattern_late, s->pattern = &late)
SPOIL(pattern_down, s->pattern = &down)
SPOIL(pattern_twice, s->pattern = &duplicate)
SPOIL(pattern_unsorted, s->pattern = &unsorted)
SPOIL(mass_pattern_small,
      (s->residual = NULL, s->rhs = rhs, s->mass = mass, s->mass_pattern = &small))
SPOIL(kinds_short, s->variable_kind = ((daedal_ints){three_ints, 2}))
SPOIL(kinds_null, s->variable_kind = ((daedal_ints){NULL, 3}))
SPOIL(kinds_bad, s->variable_kind = ((daedal_ints){bad_kind, 3}))
SPOIL(directions_long, s->event_direction = ((daedal_ints){bad_direction, 1}))
SPOIL(directions_bad, (s->n_events = 1, s->events = sample_decay_events().sys.events,
                       s->event_direction = (daedal_ints){bad_direction, 1}))
SPOIL(lower_short, s->lower = ((daedal_doubles){low, 2}))
SPOIL(upper_null, s->upper = ((daedal_doubles){NULL, 3}))
SPOIL(bounds_crossed, (s->lower = (daedal_doubles){low, 3}, s->upper = (daedal_doubles){high, 3}))
SPOIL(bounds_nan, s->lower = ((daedal_doubles){nans, 3}))

static const struct {
    void (*spoil)(daedal_system *s);
    const char *part; /* of the message */
} systems[] = {
    {n_zero, "system.n"},
    {n_negative, "system.n"},
    {nothing, "residual and system.rhs are both NULL"},
    {both, "both given"},
    {mass_beside, "system.mass"},
    {jacobian_beside, "system.rhs_jacobian"},
    {jacobian_of_rhs, "system.jacobian"},
    {mass_kind, "system.mass_kind"},
    {events_missing, "events is NULL"},
    {events_negative, "system.n_events"},
    {pattern_small, "system.pattern is 2 x 2"},
    {pattern_wide, "system.pattern is 3 x 4"},
    {pattern_no_start, "system.pattern"},
    {pattern_no_row, "system.pattern"},
    {pattern_out, "column 1: row 3"},
    {pattern_negative, "column 1: row -1"},
    {pattern_late, "start[0]"},
    {pattern_down, "column 1"},
    {pattern_twice, "column 0"},
    {pattern_unsorted, "column 0"},
    {mass_pattern_small, "system.mass_pattern"},
    {kinds_short, "system.variable_kind has 2 entries"},
    {kinds_null, "system.variable_kind"},
    {kinds_bad, "system.variable_kind[1]"},
    {directions_long, "system.event_direction"},
    {directions_bad, "system.event_direction[0]"},
    {lower_short, "system.lower"},
    {upper_null, "system.upper"},
    {bounds_crossed, "y[1]"},
    {bounds_nan, "y[1]"},
};

static void expect_refused(const daedal_system *sys, const daedal_options *opt, const char *part)
{
    daedal_solver *s = (daedal_solver *)&s; /* must be set to NULL */
    daedal_diagnosis why;
    daedal_status status = daedal_solver_create(&s, sys, opt, &why);
    if (status != DAEDAL_ERR_ARGUMENT)
        fail_msg("%s instead of an argument error about \"%s\"", daedal_status_name(status), part);
    assert_null(s);
    assert_int_equal(why.status, DAEDAL_ERR_ARGUMENT);
    expect_text(why.message, part);
    assert_int_equal(daedal_solver_create(&s, sys, opt, NULL), DAEDAL_ERR_ARGUMENT);
}

static void test_systems(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(systems); i++) {
        daedal_system sys = sample_robertson().sys;
        systems[i].spoil(&sys);
        expect_refused(&sys, NULL, systems[i].part);
    }
    expect_refused(NULL, NULL, "system is NULL");
}

/* ---- create: options ---- */

static const double ones[] = {1e-6, 1e-6, 1e-6}, minus[] = {1e-6, -1.0, 1e-6},
                    zeros[] = {1e-6, 0.0, 1e-6}, infinite[] = {1e-6, INFINITY, 1e-6},
                    not_a_time[] = {1.0, NAN}, no_time[] = {INFINITY};

#define CHANGE(name, statement)                                                                    \
    static void name(daedal_options *o)                                                            \
    {                                                                                              \
        statement;                                                                                 \
    }
CHANGE(rtol_negative, o->rtol = -1e-6)
CHANGE(rtol_nan, o->rtol = NAN)
CHANGE(rtol_large, o->rtol = 2.0)
CHANGE(atol_negative, o->atol = -1e-6)
CHANGE(atol_nan, o->atol = NAN)
CHANGE(atol_infinite, o->atol = INFINITY)
CHANGE(both_zero, o->rtol = o->atol = 0.0)
CHANGE(rtols_short, o->rtol_each = ((daedal_doubles){ones, 2}))
CHANGE(rtols_null, o->rtol_each = ((daedal_doubles){NULL, 3}))
CHANGE(rtols_count, o->rtol_each = ((daedal_doubles){ones, -1}))
CHANGE(rtols_negative, o->rtol_each = ((daedal_doubles){minus, 3}))
CHANGE(rtols_nan, o->rtol_each = ((daedal_doubles){nans, 3}))
CHANGE(atols_long, o->atol_each = ((daedal_doubles){ones, 4}))
CHANGE(atols_infinite, o->atol_each = ((daedal_doubles){infinite, 3}))
CHANGE(one_zero, (o->rtol = 0.0, o->atol_each = (daedal_doubles){zeros, 3}))
CHANGE(pair_zero,
       (o->rtol_each = (daedal_doubles){zeros, 3}, o->atol_each = (daedal_doubles){zeros, 3}))
CHANGE(method_out, o->method = 99)
CHANGE(order_zero, o->order_max = 0)
CHANGE(order_high, o->order_max = 14)
CHANGE(first_negative, o->first_step = -1.0)
CHANGE(first_nan, o->first_step = NAN)
CHANGE(min_negative, o->min_step = -1.0)
CHANGE(max_negative, o->max_step = -1.0)
CHANGE(max_below_min, (o->min_step = 1.0, o->max_step = 0.5))
CHANGE(steps_negative, o->max_steps = -1)
CHANGE(start_out, o->start = 3)
CHANGE(test_out, o->error_test = -1)
CHANGE(law_out, o->calibrate_tolerance = 2)
CHANGE(solver_out, o->linear_solver = 6)
CHANGE(check_out, o->check_jacobian = 2)
CHANGE(samples_out, o->event_samples = 65)
CHANGE(breaks_null, o->breakpoints = ((daedal_doubles){NULL, 1}))
CHANGE(breaks_count, o->breakpoints = ((daedal_doubles){ones, -1}))
CHANGE(breaks_nan, o->breakpoints = ((daedal_doubles){not_a_time, 2}))
CHANGE(breaks_infinite, o->breakpoints = ((daedal_doubles){no_time, 1}))

static const struct {
    void (*change)(daedal_options *o);
    const char *part;
} options[] = {
    {rtol_negative, "rtol"},
    {rtol_nan, "rtol"},
    {rtol_large, "rtol"},
    {atol_negative, "atol"},
    {atol_nan, "atol"},
    {atol_infinite, "atol"},
    {both_zero, "both zero"},
    {rtols_short, "rtol_each has 2 entries"},
    {rtols_null, "rtol_each"},
    {rtols_count, "rtol_each"},
    {rtols_negative, "rtol_each[1]"},
    {rtols_nan, "rtol_each[1]"},
    {atols_long, "atol_each has 4 entries"},
    {atols_infinite, "atol_each[1]"},
    {one_zero, "y[1]"},
    {pair_zero, "y[1]"},
    {method_out, "method"},
    {order_zero, "order_max"},
    {order_high, "order_max"},
    {first_negative, "first_step"},
    {first_nan, "first_step"},
    {min_negative, "min_step"},
    {max_negative, "max_step"},
    {max_below_min, "max_step"},
    {steps_negative, "max_steps"},
    {start_out, "start"},
    {test_out, "error_test"},
    {law_out, "calibrate_tolerance"},
    {solver_out, "linear_solver"},
    {check_out, "check_jacobian"},
    {samples_out, "event_samples"},
    {breaks_null, "breakpoints"},
    {breaks_count, "breakpoints"},
    {breaks_nan, "breakpoints[1]"},
    {breaks_infinite, "breakpoints[0]"},
};

static void test_options(void **state)
{
    (void)state;
    daedal_system sys = sample_robertson().sys;
    for (size_t i = 0; i < COUNT(options); i++) {
        daedal_options opt = defaults_with(1e-6, 1e-9);
        options[i].change(&opt);
        expect_refused(&sys, &opt, options[i].part);
    }
}

/* The message about two zero tolerances uses the user's name of the variable. */
static void test_names(void **state)
{
    (void)state;
    static const char *const names[] = {"alpha", "beta", "gamma"};
    daedal_system sys = sample_robertson().sys;
    daedal_options opt = defaults_with(0.0, 0.0);
    sys.variable_names = names;
    expect_refused(&sys, &opt, "alpha");
    opt = defaults_with(1e-6, 1e-9);
    sys.lower = (daedal_doubles){nans, 3};
    expect_refused(&sys, &opt, "beta");
}

/* ---- plug-ins with holes: in a child, for they may crash ---- */

static daedal_status create_with_holes(int which)
{
    static const daedal_linsolver hollow = {.name = "hollow"};
    static const daedal_allocator no_function = {NULL, NULL};
    daedal_system sys = sample_robertson().sys;
    daedal_options opt = defaults_with(1e-6, 1e-9);
    double y0[] = {1.0, 0.0, 0.0};
    daedal_solver *s = NULL;
    if (which == 0)
        opt.linsolver = &hollow;
    else
        opt.allocator = &no_function;
    daedal_status status = daedal_solver_create(&s, &sys, &opt, NULL);
    if (status == DAEDAL_OK)
        status = daedal_solver_start(s, 0.0, y0, NULL);
    daedal_solver_free(s);
    return status;
}

static void test_hollow_plug_ins(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            signal(SIGSEGV, SIG_DFL); /* cmocka would catch it */
            int quiet = dup2(open("/dev/null", O_WRONLY), STDERR_FILENO); /* of the sanitizer */
            _exit(quiet >= 0 && create_with_holes(which) == DAEDAL_ERR_ARGUMENT ? 0 : 1);
        }
        int how = 0;
        assert_int_equal(waitpid(child, &how, 0), child);
        if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
            fail_msg("%s without functions: not refused",
                     which == 0 ? "options.linsolver" : "options.allocator");
    }
}

/* ---- NULL handles ---- */

static void test_null_handles(void **state)
{
    (void)state;
    daedal_system sys = sample_robertson().sys;
    daedal_diagnosis why;
    daedal_solver *copy = (daedal_solver *)&sys;
    int32_t count = 7;
    daedal_ints none = {NULL, 0};
    assert_int_equal(daedal_solver_create(NULL, &sys, NULL, &why), DAEDAL_ERR_ARGUMENT);
    expect_text(why.message, "solver is NULL");
    daedal_solver_free(NULL);
    assert_int_equal(daedal_solver_clone(&copy, NULL), DAEDAL_ERR_ARGUMENT);
    assert_null(copy);
    assert_int_equal(daedal_solver_start(NULL, 0.0, NULL, NULL), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_start_masked(NULL, 0.0, NULL, NULL, none, none),
                     DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_restart(NULL, NULL, NULL), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_advance(NULL, 1.0), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_step(NULL, 1.0), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_set_stop_time(NULL, 1.0), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_interpolate(NULL, 1.0, NULL, NULL), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_check_jacobian(NULL), DAEDAL_ERR_ARGUMENT);
    assert_null(daedal_solver_state(NULL));
    assert_null(daedal_solver_stats(NULL));
    assert_null(daedal_solver_diagnosis(NULL));
    assert_null(daedal_solver_structure(NULL));
    assert_null(daedal_solver_moved(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(daedal_solver_moved(NULL, NULL));
    daedal_options_defaults(NULL);
}

/* ---- calls out of order ---- */

static int quantity(double t, const double *y, const double *yp, double *q, void *user)
{
    (void)t, (void)yp, (void)user;
    q[0] = y[0];
    return 0;
}

static void test_too_early(void **state)
{
    (void)state;
    daedal_system sys = sample_robertson().sys;
    daedal_solver *s = solver_of(&sys, NULL), *copy = NULL;
    double y[3];
    for (int k = 0; k < 5; k++) {
        daedal_status status = k == 0   ? daedal_solver_advance(s, 1.0)
                               : k == 1 ? daedal_solver_step(s, 1.0)
                               : k == 2 ? daedal_solver_interpolate(s, 0.0, y, NULL)
                               : k == 3 ? daedal_solver_restart(s, NULL, NULL)
                                        : daedal_solver_check_jacobian(s);
        expect_status(s, status, DAEDAL_ERR_CALL_SEQUENCE);
        assert_int_equal(daedal_solver_diagnosis(s)->status, DAEDAL_ERR_CALL_SEQUENCE);
        expect_text(daedal_solver_diagnosis(s)->message, "start");
    }
    daedal_solver_free(s);
    static double parameter = 1.0;
    static double *const places[] = {&parameter};
    sys.n_parameters = 1;
    sys.parameters = places;
    s = solver_of(&sys, NULL);
    const double *shown = NULL;
    expect_status(s, daedal_solver_sensitivity(s, 0, &shown, NULL), DAEDAL_ERR_CALL_SEQUENCE);
    expect_status(s, daedal_solver_derived(s, quantity, 1, y, NULL), DAEDAL_ERR_CALL_SEQUENCE);
    assert_int_equal(daedal_solver_clone(NULL, s), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_clone(&copy, s), DAEDAL_OK); /* before the start: allowed */
    expect_status(copy, daedal_solver_advance(copy, 1.0), DAEDAL_ERR_CALL_SEQUENCE);
    daedal_solver_free(copy);
    daedal_solver_free(s);
}

/* ---- start ---- */

static void expect_argument(const daedal_solver *s, daedal_status status, const char *part)
{
    expect_status(s, status, DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_diagnosis(s)->status, DAEDAL_ERR_ARGUMENT);
    expect_text(daedal_solver_diagnosis(s)->message, part);
}

static void test_start(void **state)
{
    (void)state;
    static const char *const names[] = {"alpha", "beta", "gamma"};
    daedal_system sys = sample_robertson_jacobian().sys;
    sys.variable_names = names;
    daedal_solver *s = solver_of(&sys, NULL);
    const double good[] = {1.0, 0.0, 0.0}, bad[] = {1.0, NAN, 0.0}, far[] = {1.0, 0.0, INFINITY};
    const int32_t masks[] = {2, 2, 0, 0}, odd[] = {0, 3, 0}, below[] = {-1, 0, 0};
    daedal_ints fine = {masks, 3}, two = {masks, 2}, four = {masks, 4}, null = {NULL, 3};
    expect_argument(s, daedal_solver_start(s, NAN, good, NULL), "t0");
    expect_argument(s, daedal_solver_start(s, INFINITY, good, NULL), "t0");
    expect_argument(s, daedal_solver_start(s, 0.0, NULL, NULL), "y0");
    expect_argument(s, daedal_solver_start(s, 0.0, bad, NULL), "beta");
    expect_argument(s, daedal_solver_start(s, 0.0, far, NULL), "gamma");
    expect_argument(s, daedal_solver_start(s, 0.0, good, bad), "beta'");
    assert_int_equal(daedal_solver_diagnosis(s)->variable, 1);
    expect_argument(s, daedal_solver_start_masked(s, 0.0, good, NULL, two, fine), "y_mask has 2");
    expect_argument(s, daedal_solver_start_masked(s, 0.0, good, NULL, fine, four), "yp_mask has 4");
    expect_argument(s, daedal_solver_start_masked(s, 0.0, good, NULL, null, fine), "y_mask");
    expect_argument(s, daedal_solver_start_masked(s, 0.0, good, NULL, (daedal_ints){odd, 3}, fine),
                    "y_mask[1]");
    expect_argument(s,
                    daedal_solver_start_masked(s, 0.0, good, NULL, fine, (daedal_ints){below, 3}),
                    "yp_mask[0]");
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_ERR_CALL_SEQUENCE); /* still no start */
    expect_status(s, daedal_solver_start(s, 0.0, good, NULL), DAEDAL_OK);
    daedal_solver_free(s);
}

/* ---- a run under way: refused calls leave it as it is ---- */

static void test_under_way(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    daedal_solver *s = started(&what.sys, NULL, 0.0, what.y0, NULL);
    expect_argument(s, daedal_solver_advance(s, NAN), "NaN");
    expect_argument(s, daedal_solver_step(s, NAN), "NaN");
    expect_argument(s, daedal_solver_advance(s, INFINITY), "infinite");
    expect_argument(s, daedal_solver_advance(s, -INFINITY), "infinite");
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    double y[3], bad[] = {1.0, NAN, 0.0};
    memcpy(y, daedal_solver_state(s)->y, sizeof y);
    expect_argument(s, daedal_solver_advance(s, 0.5), "0.5");
    expect_argument(s, daedal_solver_step(s, 0.5), "0.5");
    expect_argument(s, daedal_solver_advance(s, -INFINITY), "inf");
    expect_argument(s, daedal_solver_set_stop_time(s, 0.5), "0.5");
    expect_argument(s, daedal_solver_interpolate(s, 100.0, y, NULL), "100");
    expect_argument(s, daedal_solver_interpolate(s, NAN, y, NULL), "last step");
    expect_argument(s, daedal_solver_restart(s, bad, NULL), "y[1]");
    expect_argument(s, daedal_solver_restart(s, NULL, bad), "y[1]'");
    assert_memory_equal(y, daedal_solver_state(s)->y, sizeof y);
    expect_near(daedal_solver_state(s)->t, 1.0, 0.0);
    expect_status(s, daedal_solver_advance(s, 40.0), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[0], 0.7158270688, 1e-5);
    daedal_solver_free(s);
}

/* A failed start must not destroy a run that stands. */
static void test_refused_start_keeps_the_run(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    daedal_solver *s = started(&what.sys, NULL, 0.0, what.y0, NULL);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    expect_argument(s, daedal_solver_start(s, NAN, what.y0, NULL), "t0");
    expect_near(daedal_solver_state(s)->t, 1.0, 0.0);
    expect_status(s, daedal_solver_advance(s, 2.0), DAEDAL_OK);
    daedal_solver_free(s);
}

/* ---- texts ---- */

static void test_statuses(void **state)
{
    (void)state;
#define X(name, value, text)                                                                       \
    assert_int_equal(name, value);                                                                 \
    assert_string_equal(daedal_status_name(name), #name);                                          \
    assert_string_equal(daedal_status_text(name), text);
    DAEDAL_STATUS_LIST(X)
#undef X
#define X(name, value, word, text)                                                                 \
    assert_int_equal(name, value);                                                                 \
    assert_string_equal(daedal_cause_name(name), word);                                            \
    assert_string_equal(daedal_cause_text(name), text);
    DAEDAL_CAUSE_LIST(X)
#undef X
    assert_non_null(daedal_cause_name((daedal_cause)99));
    assert_non_null(daedal_cause_text((daedal_cause)99));
    assert_non_null(daedal_status_name((daedal_status)99));
    assert_non_null(daedal_status_text((daedal_status)99));
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", DAEDAL_VERSION_MAJOR, DAEDAL_VERSION_MINOR,
             DAEDAL_VERSION_PATCH);
    assert_string_equal(daedal_version(), version);
}

/* ---- silence ---- */

/* Run all of the above with both streams caught; what was written. */
static long caught(void (*test)(void **))
{
    fflush(stdout);
    fflush(stderr);
    FILE *file = tmpfile();
    assert_non_null(file);
    int out_before = dup(STDOUT_FILENO), err_before = dup(STDERR_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    test(NULL);
    fflush(stdout);
    fflush(stderr);
    dup2(out_before, STDOUT_FILENO);
    dup2(err_before, STDERR_FILENO);
    close(out_before);
    close(err_before);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

static void test_silence(void **state)
{
    (void)state;
    void (*const all[])(void **) = {test_systems, test_options,   test_null_handles,
                                    test_start,   test_under_way, test_too_early};
    for (size_t i = 0; i < COUNT(all); i++)
        assert_int_equal(caught(all[i]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_systems),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_hollow_plug_ins),
        cmocka_unit_test(test_null_handles),
        cmocka_unit_test(test_too_early),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_under_way),
        cmocka_unit_test(test_refused_start_keeps_the_run),
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_silence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
