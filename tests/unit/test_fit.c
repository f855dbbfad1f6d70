/* tests/unit/test_fit.c - parameters from data: certified results of nonlinear regression, the
 * distribution of Student, bounds, experiments, and what the data cannot determine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "daedal.h"
#include "fit/student.h"
#include "harness.h"

enum { ROWS = 40 };

static void is_near(double got, double wanted, double relative)
{
    if (!(fabs(got - wanted) <= relative * fabs(wanted)))
        fail_msg("%.12g is not %.12g within %g", got, wanted, relative);
}

/* Two-sided quantiles of the tables, [AS64] 26.10. */
static void quantiles_are_those_of_the_tables(void **state)
{
    (void)state;
    is_near(student_interval(0.95, 1), 12.7062047, 1e-7);
    is_near(student_interval(0.95, 10), 2.22813885, 1e-7);
    is_near(student_interval(0.99, 30), 2.74999565, 1e-7);
    is_near(student_interval(0.95, 1e6), 1.95996636, 1e-6);
    is_near(student_interval(0.95, INFINITY), 1.95996398, 1e-7);
    is_near(student_probability(student_interval(0.7, 3), 3), 0.7, 1e-10);
}

/* ---- Misra1a of the Statistical Reference Datasets (NIST): y = b1 (1 - exp(-b2 x)), which is the
 * solution of y' = b2 (b1 - y), y(0) = 0; values and standard deviations are certified ---- */

static const char misra[] = "model Misra\n"
                            "  parameter Real b1 = 500, b2 = 0.0001;\n"
                            "  Real y(start = 0, fixed = true);\n"
                            "equation\n"
                            "  der(y) = b2*(b1 - y);\n"
                            "end Misra;\n";
static const double misra_x[] = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                                 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
static const double misra_y[] = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                                 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};

static daedal_options accurate(void)
{
    daedal_options o;
    daedal_options_defaults(&o);
    o.rtol = 1e-9;
    o.atol = 1e-12;
    return o;
}

static daedal_fit_result *fitted(daedal_model *m, const daedal_fit *f)
{
    daedal_fit_result *r = NULL;
    daedal_diagnosis why;
    if (daedal_model_fit(m, f, &r, &why) < 0)
        fail_msg("%s", why.message);
    assert_non_null(r);
    return r;
}

static void certified_regression(void **state)
{
    (void)state;
    daedal_model *m = model_of_text(misra);
    int32_t y = daedal_model_find(m, "y");
    daedal_unknown p[] = {{daedal_model_find(m, "b1"), NAN, 0, 0},
                          {daedal_model_find(m, "b2"), NAN, 0, 0}};
    daedal_experiment x = {.times = {misra_x, 14}, .measured = {&y, 1}, .values = misra_y};
    daedal_options o = accurate();
    daedal_fit f = {
        .unknowns = p, .n_unknowns = 2, .experiments = &x, .n_experiments = 1, .options = &o};
    daedal_fit_result *r = fitted(m, &f);
    assert_true(r->has_converged);
    is_near(r->estimates[0].value, 238.94212918, 1e-5);
    is_near(r->estimates[1].value, 5.5015643181e-4, 1e-5);
    is_near(r->estimates[0].deviation, 2.7070075241, 1e-3);
    is_near(r->estimates[1].deviation, 7.2668688436e-6, 1e-3);
    is_near(r->measured[0].deviation, 0.10187876330, 1e-4);
    assert_int_equal(r->degrees_of_freedom, 12);
    /* the interval is that of the linearised problem with the quantile of 12 degrees of freedom */
    is_near(r->estimates[0].high - r->estimates[0].value, 2.17881283 * 2.7070075241, 1e-3);
    is_near(r->correlation[0], 1.0, 1e-12);
    is_near(r->correlation[1], r->correlation[2], 1e-12);
    assert_true(r->correlation[1] < -0.99);
    daedal_fit_result_free(r);
    daedal_model_free(m);
}

/* ---- made data ---- */

typedef struct made {
    double t[ROWS], y[2 * ROWS];
} made;

/* exp(-a t), with errors of this size. */
static void make_decay(made *d, double start, double rate, double error, uint64_t seed)
{
    for (int i = 0; i < ROWS; i++) {
        d->t[i] = 0.1 * (i + 1);
        d->y[i] = start * exp(-rate * d->t[i]) + random_uniform(&seed, -error, error);
    }
}

static const char decay[] = "model Decay\n"
                            "  parameter Real a = 1, b = 1, c = 0;\n"
                            "  parameter Integer n = 2;\n"
                            "  final parameter Real twice = 2*a;\n"
                            "  input Real u;\n"
                            "  Real y(start = 1, fixed = true), z[n];\n"
                            "  discrete Real held(start = 0, fixed = true);\n"
                            "  Boolean low = y < 0.5;\n"
                            "equation\n"
                            "  der(y) = -a*b*y + u;\n"
                            "  when low then held = y; end when;\n"
                            "  z = fill(c*y, n);\n"
                            "end Decay;\n";

typedef struct decay_case {
    daedal_model *m;
    int32_t a, b, c, y, u;
    made data;
    daedal_experiment x;
    daedal_fit f;
} decay_case;

static void begin(decay_case *k, const daedal_unknown *unknowns, int32_t n)
{
    k->x = (daedal_experiment){
        .times = {k->data.t, ROWS}, .measured = {&k->y, 1}, .values = k->data.y};
    k->f = (daedal_fit){
        .unknowns = unknowns, .n_unknowns = n, .experiments = &k->x, .n_experiments = 1};
}

static void open_decay(decay_case *k)
{
    k->m = model_of_text(decay);
    k->a = daedal_model_find(k->m, "a");
    k->b = daedal_model_find(k->m, "b");
    k->c = daedal_model_find(k->m, "c");
    k->y = daedal_model_find(k->m, "y");
    k->u = daedal_model_find(k->m, "u");
    make_decay(&k->data, 2.0, 0.7, 0.01, 3);
}

static void start_values_are_found_too(void **state)
{
    (void)state;
    decay_case k;
    open_decay(&k);
    daedal_unknown p[] = {{k.a, NAN, 0, 0}, {k.y, NAN, 0, 0}};
    begin(&k, p, 2);
    daedal_fit_result *r = fitted(k.m, &k.f);
    assert_true(r->has_converged);
    assert_true(r->estimates[0].low < 0.7 && 0.7 < r->estimates[0].high);
    assert_true(r->estimates[1].low < 2.0 && 2.0 < r->estimates[1].high);
    is_near(r->measured[0].deviation, 0.01 / sqrt(3.0), 0.3);
    double kept;
    assert_int_equal(daedal_model_get(k.m, k.a, &kept), DAEDAL_OK);
    is_near(kept, r->estimates[0].value, 1e-14); /* the model keeps it */
    is_near(r->predicted[0][3], r->estimates[1].value * exp(-kept * k.data.t[3]), 1e-4);
    daedal_fit_result_free(r);
    daedal_model_free(k.m);
}

/* y depends on the product of a and b only, and not on c. */
static void undetermined_unknowns_are_named(void **state)
{
    (void)state;
    decay_case k;
    open_decay(&k);
    daedal_unknown p[] = {
        {k.a, NAN, 0, 0}, {k.b, NAN, 0, 0}, {k.c, 0.3, 0.1, 50}, {k.y, NAN, 0, 0}};
    begin(&k, p, 4);
    daedal_fit_result *r = fitted(k.m, &k.f);
    assert_int_equal(r->n_undetermined, 2);
    bool has_pair = false, has_single = false;
    for (int i = 0; i < 2; i++) {
        has_pair |= strcmp(r->undetermined[i], "a, b") == 0;
        has_single |= strcmp(r->undetermined[i], "c") == 0;
    }
    assert_true(has_pair && has_single);
    assert_int_equal(r->estimates[0].determination, DAEDAL_UNDETERMINED);
    assert_int_equal(r->estimates[2].determination, DAEDAL_UNDETERMINED);
    is_near(r->estimates[2].high, 50, 1e-12);
    assert_int_equal(r->estimates[3].determination, DAEDAL_DETERMINED);
    is_near(r->estimates[0].value * r->estimates[1].value, 0.7, 0.02);
    is_near(r->estimates[3].value, 2.0, 0.02);
    daedal_fit_result_free(r);
    daedal_model_free(k.m);
}

typedef struct own_data {
    int n;
    int32_t x;
    double t[ROWS], value[ROWS];
} own_data;

static int keep_value(daedal_row_kind kind, double t, const double *values, void *user)
{
    own_data *d = user;
    (void)t;
    if (kind == DAEDAL_ROW_POINT && d->n < ROWS)
        d->value[d->n++] = values[d->x];
    return DAEDAL_CALL_OK;
}

/* What acts through values of discrete variables, delays and jumps without an event is not counted
 * by the derivatives that come with a run: differences count it. */
static void what_derivatives_lack_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        double truth;
    } rows[] = {
        {"model S parameter Real K = 1.5; Real x(start = 0, fixed = true);\n"
         "discrete Real u(start = 0, fixed = true); equation der(x) = u - x;\n"
         "when sample(0, 0.25) then u = K*(1 - x); end when; end S;",
         "K", 1.7},
        {"model L parameter Real p = 2; Real x(start = 1, fixed = true), z(start = 0, fixed = "
         "true);\n"
         "discrete Real m(start = 0.1, fixed = true); equation der(z) = -z; der(x) = m - x + z;\n"
         "when x < 0.5 then m = p*x*time; end when; end L;",
         "p", 2.5},
        {"model D parameter Real k = 1.1; Real x(start = 1, fixed = true);\n"
         "equation der(x) = -k*delay(x, 0.6); end D;",
         "k", 1.3},
        {"model T parameter Real p = 1.2; Real x(start = 0, fixed = true);\n"
         "equation der(x) = noEvent(if time > p then 3 else 1); end T;",
         "p", 1.4}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        daedal_model *m = model_of_text(rows[k].text);
        daedal_outcome outcome;
        own_data d = {.x = daedal_model_find(m, "x")};
        int32_t number = daedal_model_find(m, rows[k].name);
        for (int i = 0; i < ROWS; i++)
            d.t[i] = 0.1 * (i + 1);
        daedal_simulation how = {.t_stop = 4.0,
                                 .times = {d.t, ROWS},
                                 .no_event_rows = 1,
                                 .row = keep_value,
                                 .row_user = &d};
        assert_int_equal(daedal_model_set(m, number, rows[k].truth), DAEDAL_OK);
        assert_int_equal(daedal_model_simulate(m, &how, &outcome), DAEDAL_OK);
        assert_int_equal(daedal_model_set(m, number, NAN), DAEDAL_OK);
        daedal_unknown u = {number, NAN, 0, 0};
        daedal_experiment x = {.times = {d.t, ROWS}, .measured = {&d.x, 1}, .values = d.value};
        daedal_fit f = {.unknowns = &u, .n_unknowns = 1, .experiments = &x, .n_experiments = 1};
        daedal_fit_result *r = fitted(m, &f);
        assert_int_equal(r->n_undetermined, 0);
        is_near(r->estimates[0].value, rows[k].truth, 1e-4);
        daedal_fit_result_free(r);
        daedal_model_free(m);
    }
}

static void bounds_hold(void **state)
{
    (void)state;
    decay_case k;
    open_decay(&k);
    daedal_unknown p[] = {{k.a, NAN, 0.8, 2}, {k.y, NAN, 1.5, 3}};
    begin(&k, p, 2);
    daedal_fit_result *r = fitted(k.m, &k.f);
    assert_int_equal(r->estimates[0].determination, DAEDAL_AT_BOUND);
    is_near(r->estimates[0].value, 0.8, 1e-14);
    assert_int_equal(r->estimates[1].determination, DAEDAL_DETERMINED);
    assert_true(r->has_converged);
    assert_int_equal(r->degrees_of_freedom, ROWS - 1);
    daedal_fit_result_free(r);
    daedal_model_free(k.m);
}

/* Two experiments with other start values, one of them with repeated and missing rows, one with an
 * input; deviations are given, and errors of that size are in the data.               */
static void experiments_together(void **state)
{
    (void)state;
    decay_case k;
    made other;
    open_decay(&k);
    make_decay(&other, 5.0, 0.7, 0.01, 9);
    for (int i = 0; i < ROWS; i++)
        other.y[i] += 0.5 / 0.7 * (1.0 - exp(-0.7 * other.t[i])); /* of u = 0.5 */
    other.t[7] = other.t[6];
    other.y[7] = other.y[6] + 0.004;
    other.y[11] = NAN;
    daedal_unknown p = {k.a, 0.1, 1e-3, 1e3};
    begin(&k, &p, 1);
    double first = 2.0, second = 5.0, deviation = 0.01 / sqrt(3.0);
    double times[] = {0, 10}, half[] = {0.5, 0.5};
    daedal_signal u = {.times = {times, 2}, .values = {half, 2}};
    daedal_experiment all[] = {k.x, k.x};
    all[0].set = all[1].set = (daedal_ints){&k.y, 1};
    all[0].set_to = &first;
    all[1].set_to = &second;
    all[1].times.at = other.t;
    all[1].values = other.y;
    all[1].fed = (daedal_ints){&k.u, 1};
    all[1].signals = &u;
    all[0].deviations = all[1].deviations = &deviation;
    k.f.experiments = all;
    k.f.n_experiments = 2;
    daedal_fit_result *r = fitted(k.m, &k.f);
    assert_int_equal(r->n_values, 2 * ROWS - 1);
    assert_true(r->has_converged);
    assert_true(r->estimates[0].low < 0.7 && 0.7 < r->estimates[0].high);
    assert_true(r->sum > 0.6 * r->degrees_of_freedom && r->sum < 1.5 * r->degrees_of_freedom);
    is_near(r->measured[0].deviation, deviation, 1e-14);
    daedal_fit_result_free(r);
    daedal_model_free(k.m);
}

/* A frequency from data of a swing has many local minima; with several starts the right one. */
static void several_starts_find_the_least(void **state)
{
    (void)state;
    static const char swing[] = "model Swing\n"
                                "  parameter Real w = 1;\n"
                                "  Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                                "equation\n"
                                "  der(x) = v;\n"
                                "  der(v) = -w^2*x;\n"
                                "end Swing;\n";
    daedal_model *m = model_of_text(swing);
    int32_t x = daedal_model_find(m, "x");
    double t[ROWS], y[ROWS];
    for (int i = 0; i < ROWS; i++) {
        t[i] = 0.25 * i;
        y[i] = cos(4.0 * t[i]);
    }
    daedal_unknown p = {daedal_model_find(m, "w"), NAN, 0.5, 9};
    daedal_experiment e = {.times = {t, ROWS}, .measured = {&x, 1}, .values = y};
    daedal_fit f = {.unknowns = &p, .n_unknowns = 1, .experiments = &e, .n_experiments = 1};
    daedal_fit_result *r = fitted(m, &f);
    assert_true(fabs(r->estimates[0].value - 4.0) > 0.1); /* from w = 1: another minimum */
    daedal_fit_result_free(r);
    f.starts = 8;
    r = fitted(m, &f);
    is_near(r->estimates[0].value, 4.0, 1e-5);
    assert_true(r->n_same >= 1 && r->n_same < 8);
    daedal_fit_result_free(r);
    daedal_model_free(m);
}

static int stop_at_once(int32_t start, int32_t iteration, double sum, const double *values,
                        void *user)
{
    (void)start;
    (void)sum;
    (void)user;
    return iteration > 0 && values[0] > 0 ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

static void a_stopped_search_keeps_its_best_values(void **state)
{
    (void)state;
    decay_case k;
    open_decay(&k);
    daedal_unknown p = {k.a, 3.0, 0, 0};
    begin(&k, &p, 1);
    k.f.progress = stop_at_once;
    daedal_fit_result *r = NULL;
    assert_int_equal(daedal_model_fit(k.m, &k.f, &r, NULL), DAEDAL_STOPPED);
    assert_non_null(r);
    assert_false(r->has_converged);
    assert_true(r->estimates[0].value < 3.0);
    assert_true(isnan(r->estimates[0].deviation) && isnan(r->estimates[0].low));
    assert_true(isnan(r->predicted[0][0]));
    daedal_fit_result_free(r);
    daedal_model_free(k.m);
}

/* ---- bad input ---- */

static void refused(const decay_case *k, const char *part)
{
    daedal_fit_result *r;
    daedal_diagnosis why;
    assert_true(daedal_model_fit(k->m, &k->f, &r, &why) < 0);
    assert_null(r);
    if (!strstr(why.message, part))
        fail_msg("'%s' does not say '%s'", why.message, part);
}

static void bad_requests_are_named(void **state)
{
    (void)state;
    decay_case k;
    open_decay(&k);
    daedal_unknown p[] = {{k.a, NAN, 0, 0}, {k.a, NAN, 0, 0}};
    begin(&k, p, 0);
    refused(&k, "no unknown");
    begin(&k, p, 2);
    refused(&k, "a is named twice");
    p[0].number = daedal_model_find(k.m, "n");
    begin(&k, p, 1);
    refused(&k, "n decides the structure");
    p[0].number = k.c;
    refused(&k, "c is 0, which removes terms");
    p[0].number = daedal_model_find(k.m, "twice");
    refused(&k, "twice follows from others");
    p[0].number = k.u;
    refused(&k, "u is neither");
    p[0] = (daedal_unknown){k.a, NAN, 2, 1};
    refused(&k, "leave no room");
    p[0] = (daedal_unknown){k.a, NAN, 0, 0};
    k.x.times.n = 1;
    refused(&k, "1 measured value cannot determine 1 unknown");
    k.x.times.n = ROWS;
    k.f.t_start = 0.15;
    refused(&k, "row 1: the time 0.1 lies before the start of the run, 0.15");
    k.f.t_start = 0;
    k.data.t[4] = 0.01;
    refused(&k, "row 5: the time 0.01 comes after 0.4");
    k.data.t[4] = NAN;
    refused(&k, "row 5: the time is");
    k.data.t[4] = 0.5;
    k.data.y[2] = INFINITY;
    refused(&k, "row 3: y is infinite");
    k.data.y[2] = 1.0;
    int32_t discrete[] = {daedal_model_find(k.m, "held"), daedal_model_find(k.m, "low")};
    k.x.measured.at = &discrete[0];
    refused(&k, "held is a discrete variable");
    k.x.measured.at = &discrete[1];
    refused(&k, "low is a discrete variable");
    k.x.measured.at = &k.y;
    double zero = 0.0, one = 1.0;
    k.x.deviations = &zero;
    refused(&k, "the standard deviation of y is 0");
    k.x.deviations = NULL;
    k.x.set = (daedal_ints){&k.a, 1};
    k.x.set_to = &one;
    refused(&k, "sets a, which is one of the unknowns");
    daedal_model_free(k.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_those_of_the_tables),
        cmocka_unit_test(certified_regression),
        cmocka_unit_test(start_values_are_found_too),
        cmocka_unit_test(undetermined_unknowns_are_named),
        cmocka_unit_test(what_derivatives_lack_is_found),
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(experiments_together),
        cmocka_unit_test(several_starts_find_the_least),
        cmocka_unit_test(a_stopped_search_keeps_its_best_values),
        cmocka_unit_test(bad_requests_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
