/* tests/unit/test_distributed.c - one system split over threads, which stand for ranks: the same
 * steps whatever the number of parts, and the same end on all ranks whatever happens on one.   */
#define _POSIX_C_SOURCE 200809L /* barriers of threads */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

enum { RANKS_MAX = 4, CELLS = 48, N = 2 * CELLS, VALUES_MAX = 256, TOO_LONG = 60 /* seconds */ };

/* ---- ranks ------------------------------------------------------------------ */

/* What the threads share. */
typedef struct world {
    int n_ranks;
    pthread_barrier_t barrier;
    double values[RANKS_MAX][VALUES_MAX];
    double field[N + 4]; /* y of all ranks, two values more at each end */
} world;

typedef enum fault {
    NOTHING,
    STARTS_ONLY,
    RESIDUAL_NAN,
    RESIDUAL_FAILS,
    RESIDUAL_STOPS,
    RESIDUAL_RETRIES,
    RESIDUAL_RETRIES_OFTEN,
    SETUP_FAILS,
    SETUP_RETRIES,
    SOLVE_FAILS,
    SOLVE_NAN,
    SOLVE_RETRIES,
    PRODUCT_NAN,
    PROGRESS_STOPS,
    PROGRESS_FAILS,
    EVENTS_DIFFER,
    OTHER_RTOL,
    OTHER_METHOD,
    OTHER_N_GLOBAL,
    WRONG_SIZE,
    WRONG_OFFSET,
    NO_PRECONDITIONER,
    DIRECT_SOLVER,
    OWN_SOLVER,
    OTHER_EVENTS,
    OTHER_LOWER,
    OTHER_UPPER,
    OTHER_PRODUCT,
    OTHER_BREAKPOINTS,
    MOVED_BREAKPOINTS,
    START_NAN,
    OTHER_START_TIME,
    OTHER_OUTPUT_TIME,
    NO_MEMORY
} fault;

/* What is asked for, the same on all ranks but for the fault, which happens on the last one. */
typedef struct task {
    int32_t method;
    fault fault;
    double t_fault; /* from then on */
    bool has_product, has_event, forgets_slopes;
    int refused_allocation; /* counted from 1 */
    double rtol;
} task;

typedef struct rank {
    world *world;
    const task *task;
    int number;
    int32_t first, n; /* unknowns */
    double y[N], yp[N], inverse[N];
    int retries;
    int allocations, bad_products;
    daedal_status created, status;
    daedal_diagnosis why;
    daedal_stats stats;
    double t;
    char linear_solver[16];
} rank;

static bool is_at_fault(const rank *r, fault what)
{
    return r->task->fault == what && r->number == r->world->n_ranks - 1;
}

static int reduce(double *values, int32_t count, daedal_reduce_op how, void *user)
{
    const rank *r = user;
    world *w = r->world;
    assert_in_range(count, 1, VALUES_MAX);
    memcpy(w->values[r->number], values, (size_t)count * sizeof *values);
    pthread_barrier_wait(&w->barrier);
    for (int32_t i = 0; i < count; i++) {
        double all = w->values[0][i];
        for (int k = 1; k < w->n_ranks; k++) {
            double other = w->values[k][i];
            all = how == DAEDAL_REDUCE_SUM   ? all + other
                  : how == DAEDAL_REDUCE_MAX ? fmax(all, other)
                                             : fmin(all, other);
        }
        values[i] = all;
    }
    pthread_barrier_wait(&w->barrier);
    return 0;
}

/* ---- the equations: u' = D u_xx + u (1 - u) - v / 10,  0 = v - u^2 (1 + u / 5) ------ */

static const double DIFFUSION = 40.0;

/* Where a run only starts: stiff, and more so from cell to cell. */
static double diffusion_of(const rank *r, int32_t i)
{
    return r->task->fault == STARTS_ONLY ? DIFFUSION * pow(10.0, 5.0 * (r->first + i) / N)
                                         : DIFFUSION;
}

static const double *exchange(const rank *r, const double *y)
{
    world *w = r->world;
    memcpy(w->field + 2 + r->first, y, (size_t)r->n * sizeof *y);
    pthread_barrier_wait(&w->barrier);
    return w->field + 2 + r->first;
}

static int residual(double t, const double *y, const double *yp, double *res, void *user)
{
    rank *r = user;
    const double *all = exchange(r, y);
    for (int32_t i = 0; i < r->n; i += 2) {
        double u = y[i], v = y[i + 1];
        double left = r->first + i == 0 ? u : all[i - 2];
        double right = r->first + i == N - 2 ? u : all[i + 2];
        res[i] = yp[i] - diffusion_of(r, i) * (left - 2.0 * u + right) - u * (1.0 - u) + 0.1 * v;
        res[i + 1] = v - u * u * (1.0 + 0.2 * u);
    }
    pthread_barrier_wait(&r->world->barrier);
    if (t < r->task->t_fault)
        return DAEDAL_CALL_OK;
    if (is_at_fault(r, RESIDUAL_NAN))
        res[r->n / 2] = NAN;
    if (is_at_fault(r, RESIDUAL_RETRIES) && r->retries++ < 3)
        return DAEDAL_CALL_RETRY;
    return is_at_fault(r, RESIDUAL_FAILS)           ? DAEDAL_CALL_FAIL
           : is_at_fault(r, RESIDUAL_STOPS)         ? DAEDAL_CALL_STOP
           : is_at_fault(r, RESIDUAL_RETRIES_OFTEN) ? DAEDAL_CALL_RETRY
                                                    : DAEDAL_CALL_OK;
}

static int product(double t, const double *y, const double *yp, double c, const double *v,
                   double *out, void *user)
{
    rank *r = user;
    const double *all = exchange(r, v);
    (void)yp;
    for (int32_t i = 0; i < r->n; i += 2) {
        double u = y[i];
        double left = r->first + i == 0 ? v[i] : all[i - 2];
        double right = r->first + i == N - 2 ? v[i] : all[i + 2];
        out[i] = c * v[i] - diffusion_of(r, i) * (left - 2.0 * v[i] + right) -
                 (1.0 - 2.0 * u) * v[i] + 0.1 * v[i + 1];
        out[i + 1] = v[i + 1] - u * (2.0 + 0.6 * u) * v[i];
    }
    pthread_barrier_wait(&r->world->barrier);
    if (is_at_fault(r, PRODUCT_NAN) && t >= r->task->t_fault) {
        out[0] = INFINITY;
        r->bad_products++;
    }
    return DAEDAL_CALL_OK;
}

/* Jacobi: the diagonal, which does not depend on the number of ranks. */
static int set_up(double t, const double *y, const double *yp, double c, const double *values,
                  void *user)
{
    rank *r = user;
    (void)yp;
    assert_null(values);
    for (int32_t i = 0; i < r->n; i += 2) {
        r->inverse[i] = 1.0 / (c + 2.0 * diffusion_of(r, i) - 1.0 + 2.0 * y[i]);
        r->inverse[i + 1] = 1.0;
    }
    if (t < r->task->t_fault)
        return DAEDAL_CALL_OK;
    return is_at_fault(r, SETUP_FAILS)     ? DAEDAL_CALL_FAIL
           : is_at_fault(r, SETUP_RETRIES) ? DAEDAL_CALL_RETRY
                                           : DAEDAL_CALL_OK;
}

static int solve(double *b, void *user)
{
    rank *r = user;
    for (int32_t i = 0; i < r->n; i++)
        b[i] *= r->inverse[i];
    if (r->t < r->task->t_fault)
        return DAEDAL_CALL_OK;
    if (is_at_fault(r, SOLVE_NAN))
        b[r->n - 1] = NAN;
    return is_at_fault(r, SOLVE_FAILS)     ? DAEDAL_CALL_FAIL
           : is_at_fault(r, SOLVE_RETRIES) ? DAEDAL_CALL_RETRY
                                           : DAEDAL_CALL_OK;
}

/* The mean of u passes a value: every rank must get the same number. */
static int events(double t, const double *y, const double *yp, double *g, void *user)
{
    rank *r = user;
    double sum = 0.0;
    (void)yp;
    for (int32_t i = 0; i < r->n; i += 2)
        sum += y[i];
    reduce(&sum, 1, DAEDAL_REDUCE_SUM, r);
    g[0] = sum / CELLS - 0.6;
    if (is_at_fault(r, EVENTS_DIFFER) && t >= r->task->t_fault)
        g[0] += 1e-3;
    return DAEDAL_CALL_OK;
}

static int progress(const daedal_progress *where, void *user)
{
    rank *r = user;
    r->t = where->t;
    if (where->t < r->task->t_fault)
        return DAEDAL_CALL_OK;
    return is_at_fault(r, PROGRESS_STOPS)   ? DAEDAL_CALL_STOP
           : is_at_fault(r, PROGRESS_FAILS) ? DAEDAL_CALL_FAIL
                                            : DAEDAL_CALL_OK;
}

static void *resize(void *p, size_t old_size, size_t new_size, void *user)
{
    rank *r = user;
    (void)old_size;
    if (new_size == 0) {
        free(p);
        return NULL;
    }
    if (is_at_fault(r, NO_MEMORY) && ++r->allocations == r->task->refused_allocation)
        return NULL;
    return realloc(p, new_size);
}

/* ---- a run on one rank --------------------------------------------------------- */

static double start_value(int32_t i)
{
    double x = (i / 2 + 0.5) / CELLS, u = 0.2 + 0.3 * exp(-20.0 * (x - 0.3) * (x - 0.3));
    return i % 2 == 0 ? u : 0.0; /* v is found by the start */
}

static void drive(rank *r, daedal_solver *s)
{
    double from[N];
    double t_out[] = {0.3, 1.0, 3.0};
    for (int32_t i = 0; i < r->n; i++)
        from[i] = start_value(r->first + i);
    if (is_at_fault(r, START_NAN))
        from[1] = NAN;
    r->status = daedal_solver_start(s, is_at_fault(r, OTHER_START_TIME) ? 0.5 : 0.0, from, NULL);
    size_t count = r->task->fault == NO_MEMORY || r->task->fault == STARTS_ONLY
                       ? 0
                       : sizeof t_out / sizeof *t_out;
    for (size_t k = 0; k < count && r->status == DAEDAL_OK; k++) {
        double t = t_out[k] + (is_at_fault(r, OTHER_OUTPUT_TIME) && k == 1 ? 0.1 : 0.0);
        r->status = daedal_solver_advance(s, t);
        if (r->status == DAEDAL_EVENT && r->task->fault == NOTHING) {
            r->t = daedal_solver_state(s)->t;
            r->status = daedal_solver_restart(s, NULL, NULL);
            if (r->status == DAEDAL_OK)
                r->status = daedal_solver_advance(s, t);
        }
    }
    const daedal_state *end = daedal_solver_state(s);
    memcpy(r->y, end->y, (size_t)r->n * sizeof(double));
    memcpy(r->yp, end->yp, (size_t)r->n * sizeof(double));
    r->stats = *daedal_solver_stats(s);
    r->why = *daedal_solver_diagnosis(s);
}

static void *run_rank(void *user)
{
    rank *r = user;
    const task *k = r->task;
    int32_t kind[N];
    for (int32_t i = 0; i < r->n; i++)
        kind[i] = i % 2 == 0 ? DAEDAL_DIFFERENTIAL : DAEDAL_ALGEBRAIC;
    daedal_system sys = {.n = r->n,
                         .residual = residual,
                         .jacobian_product =
                             k->has_product && !is_at_fault(r, OTHER_PRODUCT) ? product : NULL,
                         .n_events = k->has_event && !is_at_fault(r, OTHER_EVENTS) ? 1 : 0,
                         .events = events,
                         .variable_kind = {kind, r->n},
                         .user = r};
    double bound[N], breakpoints[] = {0.3, is_at_fault(r, MOVED_BREAKPOINTS) ? 0.7 : 0.6};
    for (int32_t i = 0; i < r->n; i++)
        bound[i] = is_at_fault(r, OTHER_LOWER) ? -1e9 : 1e9;
    if (is_at_fault(r, OTHER_LOWER))
        sys.lower = (daedal_doubles){bound, r->n};
    if (is_at_fault(r, OTHER_UPPER))
        sys.upper = (daedal_doubles){bound, r->n};
    daedal_preconditioner jacobi = {"jacobi", set_up, solve, r};
    daedal_parallel parallel = {reduce, N, r->first, r};
    daedal_allocator allocator = {resize, r};
    daedal_options opt;
    daedal_options_defaults(&opt);
    opt.rtol = is_at_fault(r, OTHER_RTOL) ? 2.0 * k->rtol : k->rtol;
    opt.atol = k->rtol;
    opt.method = is_at_fault(r, OTHER_METHOD) ? k->method + 1 : k->method;
    opt.own_preconditioner = is_at_fault(r, NO_PRECONDITIONER) ? NULL : &jacobi;
    opt.krylov_length = 60;
    if (is_at_fault(r, DIRECT_SOLVER))
        assert_int_equal(daedal_options_set(&opt, "linear_solver", "dense"), DAEDAL_OK);
    opt.linsolver = is_at_fault(r, OWN_SOLVER) ? daedal_linsolver_dense() : NULL;
    opt.parallel = &parallel;
    if (k->fault == OTHER_BREAKPOINTS || k->fault == MOVED_BREAKPOINTS)
        opt.breakpoints = (daedal_doubles){breakpoints, is_at_fault(r, OTHER_BREAKPOINTS) ? 1 : 2};
    opt.progress = progress;
    opt.callback_user = r;
    opt.allocator = &allocator;
    parallel.n_global += is_at_fault(r, OTHER_N_GLOBAL) || k->fault == WRONG_SIZE ? 2 : 0;
    if (is_at_fault(r, WRONG_OFFSET))
        parallel.offset -= 2;
    daedal_solver *s;
    r->created = r->status = daedal_solver_create(&s, &sys, &opt, &r->why);
    if (r->created == DAEDAL_OK)
        drive(r, s);
    daedal_solver_free(s);
    return NULL;
}

static void run_world(rank *ranks, int n_ranks, const task *what)
{
    world w = {.n_ranks = n_ranks};
    pthread_t thread[RANKS_MAX];
    pthread_barrier_init(&w.barrier, NULL, (unsigned)n_ranks);
    alarm(TOO_LONG); /* a deadlock */
    for (int k = 0; k < n_ranks; k++) {
        int32_t cells = CELLS / n_ranks, more = n_ranks > 1 && k == 0 ? 3 : 0;
        int32_t before = k > 0 && n_ranks > 1 ? 3 : 0, less = k == n_ranks - 1 ? before : 0;
        ranks[k] = (rank){.world = &w,
                          .task = what,
                          .number = k,
                          .first = 2 * (k * cells + before),
                          .n = 2 * (cells + more - less)};
        assert_int_equal(pthread_create(&thread[k], NULL, run_rank, &ranks[k]), 0);
    }
    for (int k = 0; k < n_ranks; k++)
        pthread_join(thread[k], NULL);
    alarm(0);
    pthread_barrier_destroy(&w.barrier);
}

/* ---- tests ---------------------------------------------------------------------- */

static void collect(const rank *ranks, int n_ranks, double *y)
{
    for (int k = 0; k < n_ranks; k++)
        memcpy(y + ranks[k].first, ranks[k].y, (size_t)ranks[k].n * sizeof(double));
}

static double largest_difference(const double *a, const double *b)
{
    double most = 0.0;
    for (int32_t i = 0; i < N; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* The same by the ordinary solver, with direct factors and much smaller tolerances. */
static int serial_residual(double t, const double *y, const double *yp, double *res, void *user)
{
    (void)t, (void)user;
    for (int32_t i = 0; i < N; i += 2) {
        double u = y[i], left = i == 0 ? u : y[i - 2], right = i == N - 2 ? u : y[i + 2];
        res[i] = yp[i] - DIFFUSION * (left - 2.0 * u + right) - u * (1.0 - u) + 0.1 * y[i + 1];
        res[i + 1] = y[i + 1] - u * u * (1.0 + 0.2 * u);
    }
    return DAEDAL_CALL_OK;
}

static void solve_here(double *y)
{
    daedal_system sys = {.n = N, .residual = serial_residual};
    daedal_options opt;
    daedal_options_defaults(&opt);
    opt.rtol = opt.atol = 1e-10;
    opt.method = 3; /* radau */
    daedal_solver *s;
    double from[N];
    for (int32_t i = 0; i < N; i++)
        from[i] = start_value(i);
    assert_int_equal(daedal_solver_create(&s, &sys, &opt, NULL), DAEDAL_OK);
    assert_int_equal(daedal_solver_start(s, 0.0, from, NULL), DAEDAL_OK);
    assert_int_equal(daedal_solver_advance(s, 3.0), DAEDAL_OK);
    memcpy(y, daedal_solver_state(s)->y, N * sizeof(double));
    daedal_solver_free(s);
}

static void test_same_steps(void **state)
{
    static const task tasks[] = {
        {.method = 1, .rtol = 1e-5},
        {.method = 1, .rtol = 1e-4, .has_product = true},
        {.method = 1, .rtol = 1e-5, .has_event = true},
        {.method = 2, .rtol = 1e-5},
        {.method = 3, .rtol = 1e-6},
        {.method = 3, .rtol = 1e-4, .has_product = true},
        {.method = 3, .rtol = 1e-5, .has_event = true},
        {.method = 0, .rtol = 1e-3},
        {.method = 1, .rtol = 1e-5, .fault = RESIDUAL_RETRIES, .t_fault = 0.5},
    };
    double exact[N], y[N], first[N];
    (void)state;
    solve_here(exact);
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        daedal_stats of_one = {0};
        for (int n_ranks = 1; n_ranks <= RANKS_MAX; n_ranks *= 2) {
            rank ranks[RANKS_MAX];
            run_world(ranks, n_ranks, &tasks[i]);
            for (int k = 0; k < n_ranks; k++) {
                if (ranks[k].status != DAEDAL_OK)
                    fail_msg("task %d: %s", (int)i, ranks[k].why.message);
                assert_memory_equal(&ranks[k].stats, &ranks[0].stats, sizeof(daedal_stats));
            }
            collect(ranks, n_ranks, y);
            const daedal_stats *s = &ranks[0].stats;
            if (n_ranks == 1) {
                of_one = *s;
                memcpy(first, y, sizeof y);
                print_message("task %d: %d steps, %d gmres iterations, error %.1e\n", (int)i,
                              (int)s->steps, (int)s->krylov_iterations,
                              largest_difference(y, exact));
            }
            assert_int_equal(s->events, tasks[i].has_event);
            if (!tasks[i].has_event) { /* roundoff chooses the first steps after a restart */
                assert_int_equal(s->steps, of_one.steps);
                assert_int_equal(s->iterations, of_one.iterations);
                assert_int_equal(s->krylov_iterations, of_one.krylov_iterations);
                assert_true(fabs(s->h_last - of_one.h_last) <= 1e-6 * s->h_last);
                assert_true(largest_difference(y, first) <= 1e-3 * tasks[i].rtol);
            }
            assert_true(largest_difference(y, exact) <= 30.0 * tasks[i].rtol);
        }
    }
}

/* The start finds y' with a preconditioner that resembles dF/dy' alone, so that it hardly matters
 * how stiff the equations are: with one made for a step of 1e-4 of the time scale it took some 50
 * products. */
static void test_start_of_stiff_equations(void **state)
{
    static const task what = {.method = 1, .rtol = 1e-5, .fault = STARTS_ONLY};
    enum { FEW = 12 };
    rank ranks[RANKS_MAX];
    (void)state;
    run_world(ranks, 2, &what);
    assert_int_equal(ranks[0].status, DAEDAL_OK);
    print_message("%d gmres iterations of the start\n", (int)ranks[0].stats.krylov_iterations);
    assert_in_range(ranks[0].stats.krylov_iterations, 1, FEW);
}

/* Something happens on the last rank: all end, with the same status and the same words. */
static void test_faults(void **state)
{
    static const struct {
        task task;
        daedal_status status;
        const char *text; /* in the message */
    } rows[] = {
        {{.fault = RESIDUAL_NAN}, DAEDAL_ERR_NOT_FINITE, "in entry"},
        {{.fault = RESIDUAL_NAN, .t_fault = 0.4}, DAEDAL_ERR_NOT_FINITE, "the residual is NaN"},
        {{.fault = RESIDUAL_FAILS}, DAEDAL_ERR_CALLBACK, "the residual reported failure"},
        {{.fault = RESIDUAL_FAILS, .t_fault = 0.4}, DAEDAL_ERR_CALLBACK, "residual reported"},
        {{.fault = RESIDUAL_STOPS, .t_fault = 0.4}, DAEDAL_STOPPED, ""},
        {{.fault = RESIDUAL_RETRIES_OFTEN, .t_fault = 0.4}, DAEDAL_ERR_RETRY, "smaller step"},
        {{.fault = SETUP_FAILS, .t_fault = 0.4}, DAEDAL_ERR_CALLBACK, "set-up of the precond"},
        {{.fault = SETUP_FAILS}, DAEDAL_ERR_CALLBACK, "set-up of the precond"},
        {{.fault = SETUP_RETRIES, .t_fault = 0.4}, DAEDAL_ERR_RETRY, "set-up of the precond"},
        {{.fault = SOLVE_FAILS, .t_fault = 0.4}, DAEDAL_ERR_CALLBACK, "the preconditioner"},
        {{.fault = SOLVE_NAN, .t_fault = 0.4}, DAEDAL_ERR_NOT_FINITE, "the preconditioner"},
        {{.fault = SOLVE_RETRIES, .t_fault = 0.4}, DAEDAL_ERR_RETRY, "the preconditioner"},
        {{.fault = PRODUCT_NAN, .t_fault = 0.4, .has_product = true},
         DAEDAL_ERR_NOT_FINITE,
         "product of the Jacobian"},
        {{.fault = PRODUCT_NAN, .has_product = true},
         DAEDAL_ERR_NOT_FINITE,
         "product of the Jacobian"},
        {{.fault = PROGRESS_STOPS, .t_fault = 0.4}, DAEDAL_STOPPED, ""},
        {{.fault = PROGRESS_FAILS, .t_fault = 0.4}, DAEDAL_ERR_CALLBACK, "progress callback"},
        {{.fault = EVENTS_DIFFER, .t_fault = 0.4, .has_event = true},
         DAEDAL_ERR_CALLBACK,
         "differ from rank to rank"},
        {{.fault = OTHER_RTOL}, DAEDAL_ERR_ARGUMENT, "different values of the option rtol"},
        {{.fault = OTHER_METHOD, .method = 1}, DAEDAL_ERR_ARGUMENT, "option method"},
        {{.fault = OTHER_N_GLOBAL}, DAEDAL_ERR_ARGUMENT, "n_global"},
        {{.fault = WRONG_SIZE}, DAEDAL_ERR_ARGUMENT, "have 96 unknowns together"},
        {{.fault = WRONG_OFFSET}, DAEDAL_ERR_ARGUMENT, "overlap"},
        {{.fault = NO_PRECONDITIONER}, DAEDAL_ERR_ARGUMENT, "needs own_preconditioner"},
        {{.fault = DIRECT_SOLVER}, DAEDAL_ERR_ARGUMENT, "a direct linear solver of one process"},
        {{.fault = OWN_SOLVER}, DAEDAL_ERR_ARGUMENT, "a direct linear solver of one process"},
        {{.fault = OTHER_EVENTS, .has_event = true}, DAEDAL_ERR_ARGUMENT, "n_events"},
        {{.fault = OTHER_LOWER}, DAEDAL_ERR_ARGUMENT, "whether the system has bounds"},
        {{.fault = OTHER_UPPER}, DAEDAL_ERR_ARGUMENT, "whether the system has bounds"},
        {{.fault = OTHER_PRODUCT, .has_product = true}, DAEDAL_ERR_ARGUMENT, "jacobian_product"},
        {{.fault = OTHER_BREAKPOINTS}, DAEDAL_ERR_ARGUMENT, "the number of breakpoints"},
        {{.fault = MOVED_BREAKPOINTS}, DAEDAL_ERR_ARGUMENT, "the sum of the breakpoints"},
        {{.fault = START_NAN}, DAEDAL_ERR_ARGUMENT, "not finite"},
        {{.fault = OTHER_START_TIME}, DAEDAL_ERR_ARGUMENT, "different values of t0"},
        {{.fault = OTHER_OUTPUT_TIME}, DAEDAL_ERR_ARGUMENT, "the output time"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int32_t method = 1; method <= 3; method += 2) {
            int n_ranks = method == 1 && i % 4 == 0 ? 4 : 2;
            rank ranks[RANKS_MAX];
            task what = rows[i].task;
            what.method = what.method ? what.method : method;
            what.rtol = 1e-4;
            run_world(ranks, n_ranks, &what);
            for (int k = 0; k < n_ranks; k++) {
                if (ranks[k].status != rows[i].status ||
                    !strstr(ranks[k].why.message, rows[i].text))
                    fail_msg("row %d, rank %d of %d: %s: %s (%d products that were not finite)",
                             (int)i, k, n_ranks, daedal_status_name(ranks[k].status),
                             ranks[k].why.message, ranks[n_ranks - 1].bad_products);
                assert_string_equal(ranks[k].why.message, ranks[0].why.message);
                assert_string_equal(ranks[k].why.hint, ranks[0].why.hint);
                assert_int_equal(ranks[k].stats.steps, ranks[0].stats.steps);
            }
        }
}

/* One rank runs out of memory at its k-th allocation: so do all. */
static int alone(double *values, int32_t count, daedal_reduce_op how, void *user)
{
    (void)values, (void)count, (void)how, (void)user;
    return 0;
}

/* The unknowns of a rank must lie inside those of all. */
static void test_places(void **state)
{
    static const struct {
        int64_t n_global, offset;
    } rows[] = {{4, -1}, {4, -4}, {4, 3}, {4, 9}, {1, 0}, {1, -1}, {0, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        daedal_parallel parallel = {alone, rows[i].n_global, rows[i].offset, NULL};
        daedal_system sys = {.n = 2, .residual = residual};
        daedal_options opt;
        daedal_solver *s = NULL;
        daedal_diagnosis why;
        daedal_options_defaults(&opt);
        opt.parallel = &parallel;
        assert_int_equal(daedal_solver_create(&s, &sys, &opt, &why), DAEDAL_ERR_ARGUMENT);
        if (!strstr(why.message, "do not fit in n_global"))
            fail_msg("%s", why.message);
        daedal_solver_free(s);
    }
}

static void test_memory(void **state)
{
    enum { MOST = 200 };
    (void)state;
    for (int32_t method = 1; method <= 3; method += 2) {
        int refused = 1;
        for (; refused < MOST; refused++) {
            rank ranks[RANKS_MAX];
            task what = {
                .method = method, .rtol = 1e-2, .fault = NO_MEMORY, .refused_allocation = refused};
            run_world(ranks, 2, &what);
            assert_int_equal(ranks[0].status, ranks[1].status);
            if (ranks[0].status == DAEDAL_OK)
                break; /* there were fewer */
            assert_int_equal(ranks[0].status, DAEDAL_ERR_MEMORY);
            assert_string_equal(ranks[0].why.message, ranks[1].why.message);
        }
        assert_in_range(refused, 5, MOST - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_steps), cmocka_unit_test(test_start_of_stiff_equations),
        cmocka_unit_test(test_faults),     cmocka_unit_test(test_memory),
        cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
