/* support/driving.c - see driving.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "harness.h"

void set_options(daedal_options *opt, const char *text)
{
    char word[128];
    int used = 0;
    while (sscanf(text, "%127s%n", word, &used) == 1) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = '\0';
        if (daedal_options_set(opt, word, value) != DAEDAL_OK)
            fail_msg("option %s=%s", word, value);
        text += used;
    }
}

daedal_options options_of(const char *text)
{
    daedal_options opt;
    daedal_options_defaults(&opt);
    set_options(&opt, text);
    return opt;
}

daedal_solver *start_solver(const daedal_system *sys, const char *options, double t0,
                            const double *y0, const double *yp0)
{
    daedal_options opt = options_of(options);
    daedal_solver *s;
    daedal_diagnosis why;
    if (daedal_solver_create(&s, sys, &opt, &why) != DAEDAL_OK)
        fail_msg("create: %s", why.message);
    if (daedal_solver_start(s, t0, y0, yp0) != DAEDAL_OK)
        fail_msg("start: %s", daedal_solver_diagnosis(s)->message);
    return s;
}

void solve_to(const daedal_system *sys, const char *options, double t0, const double *y0,
              double t_end, double *y)
{
    daedal_solver *s = start_solver(sys, options, t0, y0, NULL);
    daedal_status status;
    do
        status = daedal_solver_advance(s, t_end);
    while (status == DAEDAL_EVENT);
    if (status != DAEDAL_OK)
        fail_msg("advance: %s", daedal_solver_diagnosis(s)->message);
    memcpy(y, daedal_solver_state(s)->y, (size_t)sys->n * sizeof *y);
    daedal_solver_free(s);
}

void kernel_open(kernel *k, const daedal_system *sys, const char *options, double t0,
                 const double *y0, const double *yp0)
{
    daedal_options opt = options_of(options);
    if (opt.method == METHOD_AUTO)
        opt.method = METHOD_BDF;
    assert_int_equal(run_create(&k->run, sys, &opt), DAEDAL_OK);
    run_start_values from = {t0, y0, yp0, NULL, NULL};
    assert_int_equal(run_start(&k->run, &from), DAEDAL_OK);
    k->b = k->run.integrator;
    kernel_begin(k, t0 + 1.0);
}

void kernel_begin(kernel *k, double t_out)
{
    run *r = &k->run;
    integ_begin from = {.t = r->state.t,
                        .y = r->y,
                        .yp = r->yp,
                        .direction = t_out < r->state.t ? -1.0 : 1.0,
                        .span = fabs(t_out - r->state.t)};
    r->limits.direction = from.direction;
    r->fresh = false;
    r->method->begin(r->integrator, &from);
}

void kernel_close(kernel *k)
{
    run_free(&k->run);
}

void scaled_differences(const double *times, const double *values, int32_t count, double *phi)
{
    double table[BDF_DIFFERENCES + 1];
    assert_true(count <= BDF_DIFFERENCES);
    for (int32_t i = 0; i < count; i++)
        table[i] = values[i];
    double psi = 1.0; /* psi_1 .. psi_{i-1} */
    for (int32_t i = 0; i < count; i++) {
        phi[i] = psi * table[0];
        for (int32_t j = 0; j + i + 1 < count; j++)
            table[j] = (table[j] - table[j + 1]) / (times[j] - times[j + i + 1]);
        if (i + 1 < count)
            psi *= times[0] - times[i + 1];
    }
}

/* phi of one component from its values at the times of the past, the newest first. */
static void remember_component(bdf *b, const history *past, int32_t v, const double *values)
{
    double phi[BDF_DIFFERENCES];
    scaled_differences(past->times, values, past->n_times, phi);
    for (int32_t i = 0; i < past->n_times; i++)
        b->history.phi[i][v] = phi[i];
    b->y[v] = values[0];
}

static void remember_grid(bdf *b, const history *past)
{
    memset(b->history.psi, 0, sizeof b->history.psi);
    for (int32_t i = 1; i < past->n_times; i++)
        b->history.psi[i - 1] = past->times[0] - past->times[i];
    b->t = past->times[0];
    b->t_before = past->times[1];
    b->k = b->k_last = past->order;
    b->h = past->h;
    b->h_last = past->times[0] - past->times[1];
    b->history.n_valid = past->n_times;
    b->pacing.starting = false;
    b->pacing.equal_steps = 0;
    b->steps_done = 100;
}

void kernel_remember(kernel *k, const history *past, history_fn *value, const void *user)
{
    double values[BDF_DIFFERENCES];
    assert_true(k->b->n == 1 && past->n_times <= BDF_DIFFERENCES);
    for (int32_t i = 0; i < past->n_times; i++)
        values[i] = value(past->times[i], user);
    remember_component(k->b, past, 0, values);
    remember_grid(k->b, past);
}

void kernel_remember_all(kernel *k, const history *past, history_all_fn *all, void *user)
{
    enum { MOST = 8 };
    double rows[BDF_DIFFERENCES][MOST], values[BDF_DIFFERENCES];
    assert_true(k->b->n <= MOST && past->n_times <= BDF_DIFFERENCES);
    for (int32_t i = 0; i < past->n_times; i++)
        all(past->times[i], rows[i], user);
    for (int32_t v = 0; v < k->b->n; v++) {
        for (int32_t i = 0; i < past->n_times; i++)
            values[i] = rows[i][v];
        remember_component(k->b, past, v, values);
    }
    remember_grid(k->b, past);
}

void expect_continuous(const daedal_system *sys, const char *options, double t0, const double *y0,
                       double t_end)
{
    enum { N_MAX = 8, STEPS = 5 };
    double left[2 * N_MAX], right[2 * N_MAX];
    size_t n = (size_t)sys->n, bytes = n * sizeof(double);
    assert_true(n <= N_MAX);
    daedal_solver *s = start_solver(sys, options, t0, y0, NULL);
    expect_status(s, daedal_solver_step(s, t_end), DAEDAL_OK);
    for (int i = 0; i < STEPS && daedal_solver_state(s)->t < t_end; i++) {
        double t = daedal_solver_state(s)->t;
        memcpy(left, daedal_solver_state(s)->y, bytes);
        memcpy(left + n, daedal_solver_state(s)->yp, bytes);
        expect_status(s, daedal_solver_step(s, t_end), DAEDAL_OK);
        expect_status(s, daedal_solver_interpolate(s, t, right, right + n), DAEDAL_OK);
        for (size_t k = 0; k < 2 * n; k++)
            expect_near(right[k], left[k], 1e-11);
    }
    daedal_solver_free(s);
}
