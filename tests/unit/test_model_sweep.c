/* tests/unit/test_model_sweep.c - daedal_model_sweep: each run is that of daedal_model_simulate
 * after daedal_model_set, bit for bit, for any number of threads, also where a parameter decides
 * what the equations are; failures concern one run; the model stays as it is.                */
#include <math.h>
#include <string.h>

#include "support/harness.h"

enum { RUNS_MAX = 64, POINTS = 3, KEPT = 2 };

static const char decay[] = "model Decay parameter Real a = 1; parameter Integer n = 2; "
                            "Real x[n](each start = 1, each fixed = true); Real s = sum(x); "
                            "equation for i in 1:n loop der(x[i]) = -a*i*x[i]; end for; "
                            "assert(a < 5, \"a is too large\"); "
                            "annotation(experiment(Tolerance = 1e-8)); end Decay;";

typedef struct results {
    double value[RUNS_MAX][POINTS * KEPT];
    daedal_status status[RUNS_MAX];
    daedal_cause cause[RUNS_MAX];
    int n, stop_after;
} results;

static int receive(const daedal_sweep_run *run, void *user)
{
    results *r = user;
    memcpy(r->value[run->number], run->results, sizeof r->value[0]);
    r->status[run->number] = run->outcome->status;
    r->cause[run->number] = run->outcome->diagnosis.cause;
    return ++r->n == r->stop_after ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

static daedal_model *read_model(const char *text)
{
    daedal_model *m;
    char message[600];
    if (daedal_model_parse(&m, "text", text, strlen(text), NULL, message, sizeof message) != 0)
        fail_msg("%s", message);
    return m;
}

/* Runs with a = 0.5, 1, 1.5, ... and n = 1, 2, 3, 1, ... */
typedef struct task {
    daedal_model *model;
    daedal_simulation simulation;
    int32_t varied[2], kept[KEPT];
    double values[RUNS_MAX][2];
    daedal_sweep sweep;
} task;

static void prepare(task *t, int n_runs)
{
    t->model = read_model(decay);
    t->simulation = (daedal_simulation){.t_stop = 1.0, .intervals = POINTS - 1};
    t->varied[0] = daedal_model_find(t->model, "a");
    t->varied[1] = daedal_model_find(t->model, "n");
    t->kept[0] = daedal_model_find(t->model, "s");
    t->kept[1] = daedal_model_find(t->model, "x[2]");
    for (int i = 0; i < n_runs; i++) {
        t->values[i][0] = 0.5 * (i + 1);
        t->values[i][1] = 1 + i % 3;
    }
    t->sweep = (daedal_sweep){.n_runs = n_runs,
                              .varied = {t->varied, 2},
                              .values = t->values[0],
                              .kept = {t->kept, KEPT},
                              .simulation = &t->simulation,
                              .receive = receive};
}

static void sweep(task *t, results *r, int32_t threads, daedal_status expected)
{
    memset(r, 0, sizeof *r);
    t->sweep.threads = threads;
    t->sweep.user = r;
    assert_int_equal(daedal_model_sweep(t->model, &t->sweep), expected);
}

typedef struct single {
    const int32_t *kept;
    double value[POINTS * KEPT];
    int n;
} single;

static int keep_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    single *s = user;
    (void)kind, (void)t;
    for (int k = 0; k < KEPT; k++)
        s->value[s->n++] = s->kept[k] < 0 ? (double)NAN : values[s->kept[k]];
    return DAEDAL_CALL_OK;
}

static bool same(const double *a, const double *b)
{
    for (int k = 0; k < POINTS * KEPT; k++)
        if (!(a[k] == b[k] || (isnan(a[k]) && isnan(b[k]))))
            return false;
    return true;
}

/* A run alone, by a model that was read for it. */
static void expect_single(const task *t, const results *r, int i)
{
    daedal_model *m = read_model(decay);
    assert_int_equal(daedal_model_set(m, daedal_model_find(m, "a"), t->values[i][0]), DAEDAL_OK);
    assert_int_equal(daedal_model_set(m, daedal_model_find(m, "n"), t->values[i][1]), DAEDAL_OK);
    int32_t first = daedal_model_describe(m)->first_number;
    int32_t kept[] = {daedal_model_find(m, "s") - first, daedal_model_find(m, "x[2]")};
    kept[1] = kept[1] < 0 ? -1 : kept[1] - first;
    single s = {.kept = kept};
    daedal_simulation how = t->simulation;
    how.row = keep_row;
    how.row_user = &s;
    daedal_status status = daedal_model_simulate(m, &how, NULL);
    assert_int_equal(status, r->status[i]);
    if (status >= 0)
        assert_true(same(s.value, r->value[i]));
    daedal_model_free(m);
}

static void test_same_as_single_runs(void **state)
{
    (void)state;
    enum { N = 12 };
    static task t;
    static results one, three;
    prepare(&t, N);
    sweep(&t, &one, 1, DAEDAL_OK);
    sweep(&t, &three, 3, DAEDAL_OK);
    for (int i = 0; i < N; i++) {
        assert_int_equal(one.status[i], three.status[i]);
        assert_true(same(one.value[i], three.value[i]));
        expect_single(&t, &one, i);
        bool fails = t.values[i][0] >= 5.0;
        assert_true(fails == (one.status[i] < 0));
        assert_true(isnan(one.value[i][0]) == fails);
        assert_true(isnan(one.value[i][1]) == (fails || t.values[i][1] < 2));
        if (fails)
            assert_int_equal(one.cause[i], DAEDAL_CAUSE_ASSERTION);
    }
    daedal_model_free(t.model);
}

static void test_model_stays(void **state)
{
    (void)state;
    static task t;
    static results r;
    prepare(&t, 4);
    sweep(&t, &r, 2, DAEDAL_OK);
    double a = 0.0;
    assert_int_equal(daedal_model_get(t.model, t.varied[0], &a), DAEDAL_OK);
    assert_true(a == 1.0);
    assert_true(daedal_model_find(t.model, "n") == t.varied[1]);
    daedal_model_free(t.model);
}

static void test_stop_and_skip(void **state)
{
    (void)state;
    static task t;
    static results r;
    static const unsigned char skip[6] = {1, 0, 1, 0, 0, 1};
    prepare(&t, 6);
    memset(&r, 0, sizeof r);
    t.sweep.skip = skip;
    sweep(&t, &r, 1, DAEDAL_OK);
    assert_int_equal(r.n, 3);
    r = (results){.stop_after = 2};
    t.sweep.user = &r;
    assert_int_equal(daedal_model_sweep(t.model, &t.sweep), DAEDAL_STOPPED);
    assert_int_equal(r.n, 2);
    daedal_model_free(t.model);
}

/* Values that are admissible together only. */
static void test_values_that_need_each_other(void **state)
{
    (void)state;
    static const char text[] =
        "model M parameter Integer n = 1; parameter Integer m = 2; "
        "parameter Real a[m] = fill(1.0, m); Real x(start = 1, fixed = true); "
        "equation der(x) = -x*a[n]; end M;";
    daedal_model *m = read_model(text);
    int32_t varied[] = {daedal_model_find(m, "n"), daedal_model_find(m, "m")};
    int32_t kept[] = {daedal_model_find(m, "x"), daedal_model_find(m, "x")};
    static const double values[] = {1, 1, 3, 4, 1, 1, 5, 5};
    daedal_simulation how = {.t_stop = 1.0, .intervals = POINTS - 1};
    static results r;
    memset(&r, 0, sizeof r);
    daedal_sweep s = {.n_runs = 4,
                      .varied = {varied, 2},
                      .values = values,
                      .kept = {kept, KEPT},
                      .simulation = &how,
                      .receive = receive,
                      .user = &r};
    assert_int_equal(daedal_model_sweep(m, &s), DAEDAL_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(r.status[i], DAEDAL_OK);
    daedal_model_free(m);
}

static void test_refusals(void **state)
{
    (void)state;
    static task t;
    static results r;
    prepare(&t, 2);
    const daedal_sweep good = t.sweep;
    static const int32_t none[] = {-1};
    static const double twice[] = {0.5, 0.5};
    t.sweep.varied = (daedal_ints){none, 1};
    sweep(&t, &r, 1, DAEDAL_ERR_ARGUMENT);
    t.sweep = good;
    t.sweep.receive = NULL;
    sweep(&t, &r, 1, DAEDAL_ERR_ARGUMENT);
    t.sweep = good;
    t.simulation.times = (daedal_doubles){twice, 2};
    sweep(&t, &r, 1, DAEDAL_ERR_ARGUMENT);
    assert_non_null(strstr(daedal_model_diagnosis(t.model)->message, "twice"));
    t.simulation = (daedal_simulation){.t_stop = 1.0, .every_step = 1};
    sweep(&t, &r, 1, DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_model_sweep(NULL, &good), DAEDAL_ERR_ARGUMENT);
    daedal_model_free(t.model);
}

/* ---- several runs at a time ---- */

enum { MANY = 50 };

typedef struct many {
    double value[MANY][POINTS * KEPT];
    int steps_known;
} many;

static int receive_many(const daedal_sweep_run *run, void *user)
{
    many *m = user;
    memcpy(m->value[run->number], run->results, sizeof m->value[0]);
    m->steps_known += run->outcome->status == DAEDAL_OK;
    return DAEDAL_CALL_OK;
}

typedef struct lane_case {
    const char *text, *varied[2], *kept[KEPT];
    double low[2], high[2], t_stop;
} lane_case;

/* Stiff and smooth, of 1 to 5 unknowns, autonomous or not; the start depends on a parameter, or is
 * varied itself.                                                                   */
static const lane_case lane_cases[] = {
    {"model R parameter Real k1 = 0.04, k2 = 3e7, k3 = 1e4; Real y1(start = 1, fixed = true), "
     "y2(start = 0, fixed = true, nominal = 1e-5), y3; equation der(y1) = -k1*y1 + k3*y2*y3; "
     "der(y2) = k1*y1 - k3*y2*y3 - k2*y2^2; y1 + y2 + y3 = 1; end R;",
     {"k1", "k2"},
     {"y1", "y3"},
     {0.02, 1e7},
     {0.08, 6e7},
     400},
    {"model D parameter Real a = 1, b = 2; Real x(start = b, fixed = true), z = a*x; equation "
     "der(x) = -a*x; end D;",
     {"a", "b"},
     {"x", "z"},
     {0.1, 1},
     {3, 5},
     2},
    {"model F parameter Real w = 1, d = 0.1; Real x(start = 1, fixed = true), v(start = 0, fixed = "
     "true); equation der(x) = v; der(v) = -w^2*x - d*v + sin(3*time); end F;",
     {"w", "d"},
     {"x", "v"},
     {1, 0},
     {2, 1},
     5},
    {"model S parameter Real mu = 10; Real x(start = 2, fixed = true), v(start = 0, fixed = true); "
     "equation der(x) = v; der(v) = mu*(1 - x^2)*v - x; end S;",
     {"mu", "x"},
     {"x", "v"},
     {1, 0.5},
     {20, 2.5},
     3},
    {"model B parameter Real a = 1, b = 2; Real x[3](start = {1, 2, 3}, each fixed = true), s, q; "
     "equation der(x[1]) = -a*s; der(x[2]) = exp(-x[1]) - b*x[2]; der(x[3]) = q - x[3]; "
     "2*s + q = x[1] + x[2]; s - q = x[3]; end B;",
     {"a", "b"},
     {"s", "x[2]"},
     {0.5, 1},
     {2, 100},
     2},
};

static void run_many(const lane_case *c, many *r, int32_t threads, int32_t one_by_one)
{
    daedal_model *m = read_model(c->text);
    static double values[MANY][2];
    int32_t varied[2], kept[KEPT];
    for (int k = 0; k < 2; k++) {
        varied[k] = daedal_model_find(m, c->varied[k]);
        kept[k] = daedal_model_find(m, c->kept[k]);
    }
    for (int i = 0; i < MANY; i++) {
        values[i][0] = c->low[0] + (c->high[0] - c->low[0]) * ((i * 37) % MANY) / (MANY - 1.0);
        values[i][1] = c->low[1] + (c->high[1] - c->low[1]) * i / (MANY - 1.0);
    }
    daedal_simulation how = {.t_stop = c->t_stop, .intervals = POINTS - 1};
    daedal_sweep s = {.n_runs = MANY,
                      .varied = {varied, 2},
                      .values = values[0],
                      .kept = {kept, KEPT},
                      .simulation = &how,
                      .threads = threads,
                      .one_by_one = one_by_one,
                      .receive = receive_many,
                      .user = r};
    memset(r, 0, sizeof *r);
    assert_int_equal(daedal_model_sweep(m, &s), DAEDAL_OK);
    assert_int_equal(r->steps_known, MANY);
    daedal_model_free(m);
}

/* Both have errors of the size of the tolerance, 1e-6 by default. */
static void test_several_at_a_time(void **state)
{
    (void)state;
    static many alone, one, three;
    for (size_t k = 0; k < COUNT(lane_cases); k++) {
        const lane_case *c = &lane_cases[k];
        run_many(c, &alone, 1, 1);
        run_many(c, &one, 1, 0);
        run_many(c, &three, 3, 0);
        assert_memory_equal(&one, &three, sizeof one);
        bool same = memcmp(&one, &alone, sizeof one) == 0;
        assert_false(same); /* by another method */
        for (int i = 0; i < MANY; i++)
            for (int j = 0; j < POINTS * KEPT; j++) {
                double a = one.value[i][j], b = alone.value[i][j];
                if (!(fabs(a - b) <= 3e-5 * fmax(1.0, fabs(b))))
                    fail_msg("case %d, run %d: %.10g, alone %.10g", (int)k, i, a, b);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_single_runs),
        cmocka_unit_test(test_model_stays),
        cmocka_unit_test(test_stop_and_skip),
        cmocka_unit_test(test_values_that_need_each_other),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_several_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
