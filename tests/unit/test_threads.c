/* tests/unit/test_threads.c - the option threads: results do not depend on it, bit for bit,
 * functions are called from several threads only if the system allows it, and what they answer
 * counts as with one.
 */
#define _POSIX_C_SOURCE 200112L
#include "harness.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "expr/tape.h"
#include "expr/tape_code.h"
#include "threads/crew.h"

/* ---- the crew ---- */

enum { MEMBERS = 4, MEETINGS = 50 };

typedef struct gathering {
    crew *c;
    int32_t count[MEMBERS]; /* by member: the meetings behind it */
    atomic_int wrong;
} gathering;

/* Behind a meeting every member sees that the others have counted. */
static void gather(void *user, int32_t member)
{
    gathering *g = user;
    for (int32_t k = 1; k <= MEETINGS; k++) {
        g->count[member] = k;
        crew_meet(g->c);
        for (int32_t other = 0; other < crew_size(g->c); other++)
            if (g->count[other] != k)
                atomic_fetch_add(&g->wrong, 1);
        crew_meet(g->c);
    }
}

static void members_meet(void **state)
{
    (void)state;
    gathering g = {.c = crew_create(MEMBERS, NULL)};
    assert_int_equal(crew_size(g.c), MEMBERS);
    for (int k = 0; k < 3; k++) {
        memset(g.count, 0, sizeof g.count);
        crew_run(g.c, gather, &g);
        for (int32_t m = 0; m < MEMBERS; m++)
            assert_int_equal(g.count[m], MEETINGS);
    }
    assert_int_equal(atomic_load(&g.wrong), 0);
    crew_free(g.c);
    crew_free(NULL);
}

/* ---- tapes ---- */

enum { N = 50000 };

/* sin(x_i) (x_i - x_(7 i mod N)) + x_(i+1)/3, and for every third i a choice. */
static void make_roots(expr_graph *g, expr *root)
{
    for (uint32_t i = 0; i < N; i++) {
        expr x = expr_variable(g, i), far = expr_variable(g, 7 * i % N),
             next = expr_variable(g, (i + 1) % N);
        expr e = expr_mul(g, expr_make1(g, EXPR_SIN, x), expr_sub(g, x, far));
        root[i] = expr_add(g, e, expr_div(g, next, expr_constant(g, 3.0)));
        if (i % 3 == 0)
            root[i] = expr_if(g, expr_make2(g, EXPR_LT, x, next), root[i],
                              expr_make1(g, EXPR_EXP, expr_make1(g, EXPR_TAN, x)));
    }
}

static void tapes_are_shared(void **state)
{
    (void)state;
    static expr root[N];
    expr_graph g;
    tape *t;
    expr_graph_create(&g, NULL, 0);
    make_roots(&g, root);
    tape_setup setup = {.g = &g, .roots = root, .n_roots = N, .inputs = {.n = N}};
    assert_int_equal(tape_create(&t, &setup), DAEDAL_OK);
    assert_true(t->n_shared > 2 * N && t->n_shared < tape_measure(t).ops);
    double *work[2], *out[2];
    for (int k = 0; k < 2; k++) {
        work[k] = test_malloc(tape_measure(t).work * sizeof(double));
        out[k] = test_malloc(N * sizeof(double));
        tape_prepare(t, work[k]);
        for (int i = 0; i < N; i++)
            work[k][i] = sin(0.37 * i * i);
    }
    tape_run(t, work[0], out[0], 0, NULL);
    for (int32_t members = 1; members <= 3; members++) {
        tape_calls calls = {.crew = crew_create(members, NULL)};
        memset(out[1], 0, N * sizeof(double));
        tape_prepare(t, work[1]);
        memcpy(work[1], work[0], N * sizeof(double));
        assert_int_equal(tape_run(t, work[1], out[1], 0, &calls), 0);
        assert_memory_equal(out[0], out[1], N * sizeof(double));
        crew_free(calls.crew);
    }
    for (int k = 0; k < 2; k++) {
        test_free(work[k]);
        test_free(out[k]);
    }
    tape_free(t);
    expr_graph_free(&g);
}

/* ---- models ---- */

static const char reaction[] =
    "model Reaction parameter Integer n = 30000; Real x[n](start = {1 + 0.5*sin(k) for k in 1:n}, "
    "each fixed = true); equation der(x[1]) = x[2] - x[1]; for k in 2:n - 1 loop der(x[k]) = "
    "10*(x[k + 1] - "
    "2*x[k] "
    "+ x[k - 1]) - exp(-1/x[k])*x[k]; end for; der(x[n]) = x[n - 1] - x[n]; end Reaction;";

typedef struct last_row {
    double values[30000];
    size_t n;
} last_row;

static int keep_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    last_row *last = user;
    (void)kind;
    (void)t;
    memcpy(last->values, values, last->n * sizeof *values);
    return DAEDAL_CALL_OK;
}

static void models_do_not_depend_on_threads(void **state)
{
    (void)state;
    static last_row last[2];
    int64_t steps[2], residuals[2];
    for (int k = 0; k < 2; k++) {
        daedal_model *m;
        daedal_options opt;
        daedal_outcome outcome;
        char message[600];
        daedal_options_defaults(&opt);
        opt.threads = 1 + 2 * k;
        opt.rtol = 1e-3;
        opt.atol = 1e-6;
        if (daedal_model_parse(&m, "text", reaction, strlen(reaction), NULL, message,
                               sizeof message) != DAEDAL_OK)
            fail_msg("%s", message);
        last[k].n = 30000;
        daedal_simulation task = {
            .t_stop = 0.05, .intervals = 1, .options = &opt, .row = keep_row, .row_user = &last[k]};
        assert_int_equal(daedal_model_simulate(m, &task, &outcome), DAEDAL_OK);
        steps[k] = outcome.stats.steps;
        residuals[k] = outcome.stats.residuals;
        daedal_model_free(m);
    }
    assert_true(steps[0] > 0);
    assert_int_equal(steps[0], steps[1]);
    assert_int_equal(residuals[0], residuals[1]);
    assert_memory_equal(last[0].values, last[1].values, sizeof last[0].values);
}

/* ---- functions ---- */

enum { SIZE = 12 };

typedef struct dense_system {
    pthread_t caller;
    atomic_int elsewhere; /* calls from other threads */
    int bad_answer;       /* where y is moved far enough, or OK */
    bool by_rhs;
} dense_system;

static int rates(double t, const double *y, double *f, void *user)
{
    dense_system *d = user;
    if (!pthread_equal(pthread_self(), d->caller))
        atomic_fetch_add(&d->elsewhere, 1);
    nanosleep(&(struct timespec){0, 20000}, NULL); /* so that other threads get their turn */
    for (int i = 0; i < SIZE; i++) {
        f[i] = -(i + 1.0) * y[i] + sin(t);
        for (int j = 0; j < SIZE; j++)
            f[i] += 0.1 * y[j] * y[(j + i) % SIZE];
    }
    return d->bad_answer != DAEDAL_CALL_OK && y[7] > 0.5 + 1e-12 && t == 0.0 ? d->bad_answer
                                                                             : DAEDAL_CALL_OK;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    int answer = rates(t, y, r, user);
    for (int i = 0; i < SIZE; i++)
        r[i] = yp[i] - r[i];
    return answer;
}

/* Runs with so many threads. */
typedef struct result {
    daedal_status status;
    double y[SIZE];
    int64_t residuals;
    int elsewhere;
    char message[600];
} result;

static result run_function(int threads, int is_thread_safe, dense_system how)
{
    result out = {.status = DAEDAL_OK};
    daedal_solver *s;
    daedal_options opt;
    daedal_diagnosis why;
    double y0[SIZE], yp0[SIZE] = {0};
    for (int i = 0; i < SIZE; i++)
        y0[i] = 0.5;
    how.caller = pthread_self();
    daedal_options_defaults(&opt);
    opt.threads = threads;
    opt.method = 1;
    daedal_system sys = {.n = SIZE, .is_thread_safe = is_thread_safe, .user = &how};
    if (how.by_rhs)
        sys.rhs = rates;
    else
        sys.residual = residual;
    assert_int_equal(daedal_solver_create(&s, &sys, &opt, &why), DAEDAL_OK);
    out.status = daedal_solver_start(s, 0.0, y0, yp0);
    if (out.status >= 0)
        out.status = daedal_solver_advance(s, 0.05);
    memcpy(out.y, daedal_solver_state(s)->y, sizeof out.y);
    out.residuals = daedal_solver_stats(s)->residuals;
    snprintf(out.message, sizeof out.message, "%s", daedal_solver_diagnosis(s)->message);
    out.elsewhere = atomic_load(&how.elsewhere);
    daedal_solver_free(s);
    return out;
}

static void functions_do_not_depend_on_threads(void **state)
{
    (void)state;
    static const int answers[] = {DAEDAL_CALL_OK, DAEDAL_CALL_RETRY, DAEDAL_CALL_STOP,
                                  DAEDAL_CALL_FAIL};
    for (int by_rhs = 0; by_rhs < 2; by_rhs++)
        for (size_t k = 0; k < COUNT(answers); k++) {
            dense_system how = {.bad_answer = answers[k], .by_rhs = by_rhs};
            result one = run_function(1, 1, how);
            for (int threads = 2; threads <= 4; threads += 2) {
                result many = run_function(threads, 1, how);
                assert_int_equal(one.status, many.status);
                assert_string_equal(one.message, many.message);
                assert_int_equal(one.residuals, many.residuals);
                assert_memory_equal(one.y, many.y, sizeof one.y);
                assert_int_equal(one.elsewhere, 0);
                if (answers[k] == DAEDAL_CALL_OK)
                    assert_true(many.elsewhere > 0);
            }
            assert_int_equal(run_function(4, 0, how).elsewhere, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_meet),
        cmocka_unit_test(tapes_are_shared),
        cmocka_unit_test(models_do_not_depend_on_threads),
        cmocka_unit_test(functions_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
