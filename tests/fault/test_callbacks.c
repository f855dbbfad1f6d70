/* tests/fault/test_callbacks.c - the k-th call of a callback misbehaves, once or from then
 * on: RETRY, STOP, FAIL, NaN, Inf; for every k of a run.  Never a crash, always the right
 * status with a sentence, the state before the call unchanged, and a way to go on.  */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "samples.h"

static const char *const what_names[] = {"RETRY", "STOP", "FAIL", "NaN", "Inf"};

/* A callback under test: in which sample, what messages call it. */
typedef struct target {
    const char *name;
    sample (*make)(void);
    fault_where where;
    const char *called; /* in messages                                           */
    const char *method; /* NULL: bdf                                             */
    int32_t points;     /* of output, inside steps; 0: the ends of all steps         */
} target;

static sample decay_alone(void)
{
    sample s = sample_decay_events();
    s.sys.n_events = 0;
    s.sys.events = NULL;
    return s;
}

static const target targets[] = {
    {"residual", sample_robertson, FAULT_RESIDUAL, "residual", NULL, 0},
    {"residual, sparse", sample_chain, FAULT_RESIDUAL, "residual", NULL, 0},
    {"residual beside a Jacobian", sample_chain_jacobian, FAULT_RESIDUAL, "residual", NULL, 0},
    {"jacobian", sample_robertson_jacobian, FAULT_JACOBIAN, "Jacobian", NULL, 0},
    {"jacobian, sparse", sample_chain_jacobian, FAULT_JACOBIAN, "Jacobian", NULL, 0},
    {"rhs", sample_mass, FAULT_RHS, "right-hand side", NULL, 0},
    {"rhs beside a Jacobian", sample_mass_jacobian, FAULT_RHS, "right-hand side", NULL, 0},
    {"mass", sample_mass, FAULT_MASS, "mass matrix", NULL, 0},
    {"rhs_jacobian", sample_mass_jacobian, FAULT_RHS_JACOBIAN, "Jacobian", NULL, 0},
    {"events", sample_decay_events, FAULT_EVENTS, "event function", NULL, 0},
    {"residual, radau", sample_robertson, FAULT_RESIDUAL, "residual", "radau", 0},
    {"jacobian, radau", sample_chain_jacobian, FAULT_JACOBIAN, "Jacobian", "radau", 0},
    {"rhs, radau", sample_mass_jacobian, FAULT_RHS, "right-hand side", "radau", 0},
    {"mass, radau", sample_mass, FAULT_MASS, "mass matrix", "radau", 0},
    {"residual, dopri", decay_alone, FAULT_RESIDUAL, "residual", "dopri", 0},
    {"events, radau", sample_decay_events, FAULT_EVENTS, "event function", "radau", 0},
    {"points, dopri", decay_alone, FAULT_RESIDUAL, "residual", "dopri", 100},
    {"points, radau", sample_robertson, FAULT_RESIDUAL, "residual", "radau", 100},
    {"points, limex", sample_robertson, FAULT_RESIDUAL, "residual", "limex", 100},
};

/* One run with one fault. */
typedef struct trial {
    const target *of;
    faulty f;
    sample what;
    daedal_solver *s;
    double t, y[CHAIN_N], yp[CHAIN_N]; /* the state before a call               */
    int32_t wrong;
} trial;

/* Note a deviation; the first few are printed. */
static void complain(trial *t, const char *text)
{
    const daedal_diagnosis *why = daedal_solver_diagnosis(t->s);
    if (t->wrong++ == 0)
        print_error("%s, %s at call %ld%s: %s [%s: %s]\n", t->of->name, what_names[t->f.what],
                    t->f.at, t->f.forever ? " and on" : "", text, daedal_status_name(why->status),
                    why->message);
}

static void open_trial(trial *t)
{
    daedal_options opt = defaults_with(1e-4, 1e-8);
    assert_int_equal(daedal_options_set(&opt, "method", t->of->method ? t->of->method : "bdf"),
                     DAEDAL_OK);
    t->what = t->of->make();
    t->f.base = t->what.sys;
    t->f.where = t->of->where;
    daedal_system sys = faulty_system(&t->f);
    t->s = solver_of(&sys, &opt);
}

static void remember(trial *t)
{
    const daedal_state *now = daedal_solver_state(t->s);
    size_t bytes = (size_t)now->n * sizeof(double);
    t->t = now->t;
    memcpy(t->y, now->y, bytes);
    memcpy(t->yp, now->yp, bytes);
}

/* y' of algebraic variables is not determined by F and may be estimated anew.  After an
 * event inside a step, one call first goes on to the end of that step.         */
static void expect_unchanged(trial *t)
{
    const daedal_state *now = daedal_solver_state(t->s);
    const daedal_structure *seen = daedal_solver_structure(t->s);
    bool same = now->t == t->t;
    if (t->of->where == FAULT_EVENTS && now->t > t->t)
        return;
    for (int32_t i = 0; i < now->n; i++) {
        bool differential = seen->variable_kind && seen->variable_kind[i] == DAEDAL_DIFFERENTIAL;
        same = same && now->y[i] == t->y[i] && (!differential || now->yp[i] == t->yp[i]);
    }
    if (!same)
        complain(t, "the state changed");
}

/* What a lasting fault leads to. */
static daedal_status lasting(fault_what what)
{
    static const daedal_status statuses[] = {DAEDAL_ERR_RETRY, DAEDAL_STOPPED, DAEDAL_ERR_CALLBACK,
                                             DAEDAL_ERR_NOT_FINITE, DAEDAL_ERR_NOT_FINITE};
    return statuses[what];
}

/* A failed call: the right status, who it was, and where NaN stood. */
static void check_failure(trial *t, daedal_status status)
{
    char text[64];
    const daedal_diagnosis *why = daedal_solver_diagnosis(t->s);
    if (status != lasting(t->f.what)) {
        snprintf(text, sizeof text, "returned %s", daedal_status_name(status));
        complain(t, text);
        return;
    }
    if (status > 0)
        return;
    if (!strstr(why->message, t->of->called))
        complain(t, "the message does not name the callback");
    bool of_equation = t->of->where == FAULT_RESIDUAL || t->of->where == FAULT_RHS;
    snprintf(text, sizeof text, "equation %d", (int)t->what.sys.n - 1);
    if (status == DAEDAL_ERR_NOT_FINITE && of_equation &&
        (!strstr(why->message, text) || why->equation != t->what.sys.n - 1))
        complain(t, "the message does not name the equation");
    if (status == DAEDAL_ERR_NOT_FINITE && !of_equation && why->equation >= 0 &&
        why->equation != t->what.sys.n - 1 && t->of->where != FAULT_MASS)
        complain(t, "the wrong equation is blamed");
}

/* The call in which the fault happened: it may get over a single RETRY or NaN (at the
 * start, where no step can shrink, and in events it need not).                  */
static void judge(trial *t, daedal_status status, bool starting)
{
    bool single = !t->f.forever && t->f.what != FAULT_STOP && t->f.what != FAULT_FAIL;
    if (status >= 0 && status != DAEDAL_STOPPED) {
        if (!single && !t->f.forever)
            complain(t, "the answer was ignored");
        return;
    }
    if (single && !starting && t->of->where != FAULT_EVENTS)
        complain(t, "one RETRY or NaN ended the run");
    check_failure(t, status);
}

/* To the end of a step, or to the next output point. */
static daedal_status go_ahead(trial *t, double t_end)
{
    double wide = t_end / t->of->points;
    return t->of->points == 0 ? daedal_solver_step(t->s, t_end)
                              : daedal_solver_advance(t->s, fmin(t->t + wide, t_end));
}

/* To the end; every call is watched.  Returns the status that ended it. */
static daedal_status walk(trial *t, double t_end)
{
    daedal_status status = DAEDAL_OK;
    while (status >= 0 && status != DAEDAL_STOPPED && daedal_solver_state(t->s)->t < t_end) {
        long before = t->f.happened;
        remember(t);
        status = go_ahead(t, t_end);
        if (t->f.happened > before)
            judge(t, status, false);
        if ((status < 0 || status == DAEDAL_STOPPED) && t->of->points == 0)
            expect_unchanged(t);
        if (t->f.happened == before && (status < 0 || status == DAEDAL_STOPPED))
            complain(t, "failed without a fault");
    }
    return status;
}

/* After the fault has gone: on from where it stands, or start again. */
static void go_on(trial *t, bool has_started, const double *right)
{
    t->f.at = 0;
    daedal_status status = DAEDAL_OK;
    if (!has_started)
        status = daedal_solver_start(t->s, 0.0, t->what.y0, NULL);
    while (status >= 0 && daedal_solver_state(t->s)->t < t->what.t_end)
        status = daedal_solver_advance(t->s, t->what.t_end);
    if (status < 0) {
        complain(t, "cannot go on");
        return;
    }
    const daedal_state *end = daedal_solver_state(t->s);
    for (int32_t i = 0; i < end->n; i++)
        if (!(fabs(end->y[i] - right[i]) <= 1e-3 * fabs(right[i]) + 1e-6))
            complain(t, "the end values are wrong");
}

/* One trial; false if the fault did not happen any more.  `right`: y at the end. */
static bool run_trial(const target *of, fault_what what, long at, bool forever, const double *right,
                      int32_t *wrong)
{
    trial t = {.of = of, .f = {.what = what, .at = at, .forever = forever}, .wrong = *wrong};
    open_trial(&t);
    daedal_status status = daedal_solver_start(t.s, 0.0, t.what.y0, NULL);
    bool has_started = status == DAEDAL_OK;
    if (t.f.happened > 0)
        judge(&t, status, true);
    else if (!has_started)
        complain(&t, "the start failed without a fault");
    if (has_started)
        status = walk(&t, t.what.t_end);
    bool happened = t.f.happened > 0;
    if (happened && forever && status >= 0 && status != DAEDAL_STOPPED && t.f.happened > 30)
        complain(&t, "a lasting fault went unnoticed");
    go_on(&t, has_started, right);
    daedal_solver_free(t.s);
    *wrong = t.wrong;
    return happened;
}

static void right_values(const target *of, double *y)
{
    trial t = {.of = of};
    open_trial(&t);
    expect_status(t.s, daedal_solver_start(t.s, 0.0, t.what.y0, NULL), DAEDAL_OK);
    while (daedal_solver_state(t.s)->t < t.what.t_end)
        assert_true(daedal_solver_advance(t.s, t.what.t_end) >= 0);
    memcpy(y, daedal_solver_state(t.s)->y, (size_t)t.what.sys.n * sizeof(double));
    daedal_solver_free(t.s);
}

/* Every k up to 25, then every eleventh. */
static int32_t run_kind(const target *of, fault_what what, bool forever)
{
    int32_t wrong = 0;
    double right[CHAIN_N];
    right_values(of, right);
    for (long k = 1; run_trial(of, what, k, forever, right, &wrong); k += k < 25 ? 1 : 11)
        continue;
    return wrong;
}

static void run_all(fault_what what, bool forever)
{
    int32_t wrong = 0;
    for (size_t i = 0; i < COUNT(targets); i++)
        if (targets[i].points == 0 || !forever)
            wrong += run_kind(&targets[i], what, forever);
    assert_int_equal(wrong, 0);
}

static void test_retry_once(void **state)
{
    (void)state;
    run_all(FAULT_RETRY, false);
}

static void test_retry_lasting(void **state)
{
    (void)state;
    run_all(FAULT_RETRY, true);
}

static void test_stop(void **state)
{
    (void)state;
    run_all(FAULT_STOP, false);
}

static void test_fail(void **state)
{
    (void)state;
    run_all(FAULT_FAIL, false);
}

static void test_nan_once(void **state)
{
    (void)state;
    run_all(FAULT_NAN, false);
}

static void test_nan_lasting(void **state)
{
    (void)state;
    run_all(FAULT_NAN, true);
}

static void test_inf_once(void **state)
{
    (void)state;
    run_all(FAULT_INF, false);
}

static void test_inf_lasting(void **state)
{
    (void)state;
    run_all(FAULT_INF, true);
}

/* An answer that is none of the four counts as failure. */
static int odd(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)yp, (void)user;
    r[0] = y[0];
    return 77;
}

static void test_unknown_answer(void **state)
{
    (void)state;
    daedal_system sys = {.n = 1, .residual = odd};
    double y0[] = {1.0};
    daedal_solver *s = solver_of(&sys, NULL);
    expect_status(s, daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_ERR_CALLBACK);
    expect_text(daedal_solver_diagnosis(s)->message, "residual");
    daedal_solver_free(s);
}

/* ---- restart and progress ---- */

/* A STOP or FAIL while a restart is made consistent: not ignored, the state kept. */
static void test_restart(void **state)
{
    (void)state;
    static const struct {
        fault_what what;
        daedal_status status;
    } rows[] = {{FAULT_STOP, DAEDAL_STOPPED}, {FAULT_FAIL, DAEDAL_ERR_CALLBACK}};
    int32_t wrong = 0;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (long k = 1; k < 4; k++) {
            trial t = {.of = &targets[5], .f = {.what = rows[i].what}};
            open_trial(&t);
            double y[] = {2.0, 0.5, 2.5};
            expect_status(t.s, daedal_solver_start(t.s, 0.0, t.what.y0, NULL), DAEDAL_OK);
            expect_status(t.s, daedal_solver_advance(t.s, 1.0), DAEDAL_OK);
            remember(&t);
            t.f.at = t.f.calls + k;
            daedal_status status = daedal_solver_restart(t.s, y, NULL);
            if (status != rows[i].status)
                complain(&t, "restart: the answer was ignored");
            expect_unchanged(&t);
            wrong += t.wrong;
            daedal_solver_free(t.s);
        }
    assert_int_equal(wrong, 0);
}

typedef struct watcher {
    int answer;
    long at, calls;
    double t; /* last reported */
} watcher;

static int watch(const daedal_progress *where, void *user)
{
    watcher *w = user;
    w->t = where->t;
    return ++w->calls == w->at ? w->answer : DAEDAL_CALL_OK;
}

/* Cancel at the k-th step: STOPPED, the state the last accepted one, and on again. */
static void cancel(int answer, daedal_status wanted, long k)
{
    sample what = sample_robertson_jacobian();
    daedal_options opt = defaults_with(1e-4, 1e-8);
    watcher w = {.answer = answer, .at = k};
    opt.progress = watch;
    opt.callback_user = &w;
    daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL);
    expect_status(s, daedal_solver_advance(s, what.t_end), wanted);
    if (wanted != DAEDAL_OK) {
        assert_int_equal(w.calls, k);
        expect_near(daedal_solver_state(s)->t, fmin(w.t, what.t_end), 0.0);
        expect_status(s, daedal_solver_advance(s, what.t_end), DAEDAL_OK);
    }
    expect_near(daedal_solver_state(s)->t, what.t_end, 0.0);
    expect_near(daedal_solver_state(s)->y[0], 0.7158270688, 1e-3);
    daedal_solver_free(s);
}

static void test_progress_stop(void **state)
{
    (void)state;
    for (long k = 1; k < 6; k++)
        cancel(DAEDAL_CALL_STOP, DAEDAL_STOPPED, k);
}

static void test_progress_fail(void **state)
{
    (void)state;
    cancel(DAEDAL_CALL_FAIL, DAEDAL_ERR_CALLBACK, 3);
}

static void test_progress_other(void **state)
{
    (void)state;
    cancel(DAEDAL_CALL_OK, DAEDAL_OK, 3);
    cancel(DAEDAL_CALL_RETRY, DAEDAL_OK, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_retry_once),     cmocka_unit_test(test_retry_lasting),
        cmocka_unit_test(test_stop),           cmocka_unit_test(test_fail),
        cmocka_unit_test(test_nan_once),       cmocka_unit_test(test_nan_lasting),
        cmocka_unit_test(test_inf_once),       cmocka_unit_test(test_inf_lasting),
        cmocka_unit_test(test_unknown_answer), cmocka_unit_test(test_restart),
        cmocka_unit_test(test_progress_stop),  cmocka_unit_test(test_progress_fail),
        cmocka_unit_test(test_progress_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
