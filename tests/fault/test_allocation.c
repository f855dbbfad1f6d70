/* tests/fault/test_allocation.c - fail the 1st, 2nd, 3rd ... allocation of a whole run:
 * create, start, advance, events with restart, clone.  Each failure is DAEDAL_ERR_MEMORY
 * with a sentence (or the call does without), nothing leaks, and the solver goes on once
 * there is memory again.                                                        */
#include "harness.h"
#include "samples.h"

enum { RELAYS = 60, REPEATED = 5 };

/* A wave of relays: each acts on the next one when it passes a threshold, so that dF/dy gets its
 * entries one by one.                                                              */
static int relays(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    for (int32_t i = 0; i < RELAYS; i++) {
        double before = i > 0 ? y[i - 1] : 1.0 + t, over = before > 0.5 ? before - 0.5 : 0.0;
        r[i] = yp[i] + y[i] - 4.0 * over * over / (1.0 + over * over);
    }
    return 0;
}

static sample sample_relays(void)
{
    static const double y0[RELAYS] = {0.0};
    return (sample){.sys = {.n = RELAYS, .residual = relays}, .y0 = y0, .t_end = 1.0};
}

/* What is run: a sample, a linear solver by name, a way to start. */
typedef struct course {
    const char *name;
    sample (*make)(void);
    const char *solver;
    bool masked, events, clone;
    const char *method; /* NULL: bdf */
} course;

static const course courses[] = {
    {"dense", sample_robertson, "dense", false, false, true, NULL},
    {"dense, Jacobian", sample_robertson_jacobian, "dense", false, false, false, NULL},
    {"lapack", sample_robertson, "lapack", false, false, true, NULL},
    {"band", sample_chain, "band", false, false, true, NULL},
    {"klu", sample_chain, "klu", false, false, true, NULL},
    {"klu, Jacobian", sample_chain_jacobian, "klu", false, false, true, NULL},
    {"gmres", sample_chain, "gmres", false, false, true, NULL},
    {"gmres, radau", sample_chain, "gmres", false, false, true, "radau"},
    {"gmres, Jacobian", sample_chain_jacobian, "gmres", false, false, true, NULL},
    {"automatic", sample_chain, "auto", false, false, false, NULL},
    {"mass form", sample_mass, "auto", false, false, true, NULL},
    {"mass form, Jacobian", sample_mass_jacobian, "auto", false, false, true, NULL},
    {"masked start", sample_mass, "auto", true, false, false, NULL},
    {"events", sample_decay_events, "auto", false, true, true, NULL},
    {"dense, radau", sample_robertson, "dense", false, false, true, "radau"},
    {"lapack, radau", sample_robertson, "lapack", false, false, true, "radau"},
    {"band, radau", sample_chain, "band", false, false, true, "radau"},
    {"klu, radau", sample_chain, "klu", false, false, true, "radau"},
    {"events, radau", sample_decay_events, "auto", false, true, true, "radau"},
    {"late entries", sample_relays, "klu", false, false, false, NULL},
    {"late entries, radau", sample_relays, "klu", false, false, false, "radau"},
    {"index 2", sample_driven, "auto", false, false, true, NULL},
    {"index 2, hidden", sample_driven_hidden, "auto", false, false, false, NULL},
    {"index 2, radau", sample_driven, "auto", false, false, true, "radau"},
};

/* A run under way: where it fails it stops; `status` says how. */
typedef struct voyage {
    const course *c;
    sample what;
    ledger *books; /* the ones that refuse                                        */
    daedal_solver *solver, *copy;
    daedal_status status;
    bool has_message;
} voyage;

/* Take note of a status; false if the voyage ends here. */
static bool went_well(voyage *v, daedal_status status)
{
    if (status >= 0)
        return true;
    v->status = status;
    if (v->solver)
        v->has_message = daedal_solver_diagnosis(v->solver)->message[0] != '\0';
    return false;
}

static bool create(voyage *v, const daedal_allocator *allocator)
{
    daedal_options opt = defaults_with(1e-4, 1e-8);
    daedal_diagnosis why;
    assert_int_equal(daedal_options_set(&opt, "linear_solver", v->c->solver), DAEDAL_OK);
    assert_int_equal(daedal_options_set(&opt, "method", v->c->method ? v->c->method : "bdf"),
                     DAEDAL_OK);
    opt.allocator = allocator;
    daedal_status status = daedal_solver_create(&v->solver, &v->what.sys, &opt, &why);
    assert_true((v->solver != NULL) == (status == DAEDAL_OK)); /* all or nothing */
    bool fine = went_well(v, status);
    if (!fine)
        v->has_message = why.message[0] != '\0';
    return fine;
}

static daedal_status start(voyage *v)
{
    static const int32_t y_mask[] = {DAEDAL_FIXED, DAEDAL_GUESS, DAEDAL_FREE};
    static const int32_t yp_mask[] = {DAEDAL_FREE, DAEDAL_FREE, DAEDAL_GUESS};
    static const double zero[] = {0.0, 0.0, 0.0};
    if (!v->c->masked)
        return daedal_solver_start(v->solver, 0.0, v->what.y0, NULL);
    return daedal_solver_start_masked(v->solver, 0.0, v->what.y0, zero, (daedal_ints){y_mask, 3},
                                      (daedal_ints){yp_mask, 3});
}

static daedal_status advance(voyage *v)
{
    daedal_status status;
    while ((status = daedal_solver_advance(v->solver, v->what.t_end)) == DAEDAL_EVENT) {
        status = daedal_solver_restart(v->solver, NULL, NULL);
        if (status < 0)
            return status;
    }
    return status;
}

/* Clone half way; a clone that fails must not exist. */
static bool copy(voyage *v)
{
    daedal_status status = daedal_solver_clone(&v->copy, v->solver);
    assert_true((v->copy != NULL) == (status == DAEDAL_OK));
    if (status >= 0)
        return true;
    v->status = status;
    v->has_message = true; /* clone has nowhere to leave one */
    return false;
}

static bool whole_run(voyage *v)
{
    if (!went_well(v, start(v)))
        return false;
    if (!went_well(v, daedal_solver_advance(v->solver, 0.1 * v->what.t_end)))
        return false;
    if (v->c->clone && !copy(v))
        return false;
    return went_well(v, advance(v));
}

/* There is memory again: the same handle must now get through. */
static void expect_usable(voyage *v)
{
    if (!v->solver)
        return;
    v->books->refuse = 0;
    daedal_solver_free(v->copy);
    v->copy = NULL;
    expect_status(v->solver, start(v), DAEDAL_OK);
    expect_status(v->solver, advance(v), DAEDAL_OK);
    expect_near(daedal_solver_state(v->solver)->t, v->what.t_end, 0.0);
}

/* One voyage whose k-th allocation fails; true if it got through nevertheless. */
static bool sail(const course *c, ledger *books, const daedal_allocator *allocator, long k,
                 bool rest)
{
    voyage v = {.c = c, .what = c->make(), .books = books};
    books->taken = 0;
    books->refuse = k;
    books->refuse_rest = rest;
    bool through = create(&v, allocator) && whole_run(&v);
    if (!through) {
        bool repeat =
            !rest || k % REPEATED == 0; /* the same failures return in both kinds of runs */
        if (v.status != DAEDAL_ERR_MEMORY || !v.has_message)
            fail_msg("%s, allocation %ld: %s, message: %s", c->name, k,
                     daedal_status_name(v.status), v.has_message ? "yes" : "none");
        if (repeat)
            expect_usable(&v);
    }
    bool refused = books->taken >= k;
    daedal_solver_free(v.copy);
    daedal_solver_free(v.solver);
    return through && !refused;
}

/* Until all allocations succeed; the number of allocations of a whole run. */
static long fail_each(const course *c, ledger *books, const daedal_allocator *allocator, bool rest)
{
    enum { TOO_MANY = 5000, STRIDE = SANITIZED ? 4 : 1 };
    for (long k = 1; k < TOO_MANY; k += STRIDE) {
        bool through = sail(c, books, allocator, k, rest);
        ledger_expect_empty(books);
        if (through)
            return k - 1;
    }
    fail_msg("%s: never gets through", c->name);
    return 0;
}

static void test_own_allocations(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(courses); i++)
        for (int rest = 0; rest < 2; rest++) {
            ledger books;
            ledger_open(&books);
            long count = fail_each(&courses[i], &books, &books.allocator, rest);
            assert_true(count > 10);
        }
}

/* KLU's own malloc; what it refuses once, KLU may do without. */
static void fail_klu(bool rest)
{
    for (size_t i = 0; i < COUNT(courses); i++) {
        ledger books, own;
        ledger_open(&books);
        ledger_open(&own);
        ledger_take_over_suitesparse(&books);
        long count = fail_each(&courses[i], &books, &own.allocator, rest);
        ledger_leave_suitesparse();
        ledger_expect_empty(&own);
        assert_true(count > 0 || courses[i].solver[0] != 'k');
    }
}

static void test_klu_allocations_once(void **state)
{
    (void)state;
    fail_klu(false);
}

static void test_klu_allocations_from_then_on(void **state)
{
    (void)state;
    fail_klu(true);
}

/* What the user reads after a failed start must not lie in freed memory. */
static void test_structure_after_failure(void **state)
{
    (void)state;
    for (long k = 1; k < 200; k++) {
        ledger books;
        ledger_open(&books);
        sample what = sample_chain();
        daedal_options opt = defaults_with(1e-4, 1e-8);
        opt.allocator = &books.allocator;
        daedal_solver *s = solver_of(&what.sys, &opt);
        books.taken = 0;
        books.refuse = k;
        daedal_status status = daedal_solver_start(s, 0.0, what.y0, NULL);
        const daedal_structure *seen = daedal_solver_structure(s);
        long sum = 0;
        for (int32_t j = 0; seen->pattern.start && j < seen->n; j++)
            for (int32_t q = seen->pattern.start[j]; q < seen->pattern.start[j + 1]; q++)
                sum += seen->pattern.row[q]; /* the sanitizer watches */
        assert_true(sum >= 0);
        if (status != DAEDAL_OK)
            assert_true(!seen->pattern.start || seen->pattern.start[0] == 0);
        daedal_solver_free(s);
        ledger_expect_empty(&books);
        if (status == DAEDAL_OK && books.taken < k)
            return;
    }
    fail_msg("the start never succeeds");
}

/* A matrix too large to exist is out of memory, not a crash. */
static void test_huge(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    daedal_solver *s = NULL;
    daedal_diagnosis why;
    what.sys.n = 100000; /* n x n does not fit an int32_t */
    assert_int_equal(daedal_solver_create(&s, &what.sys, NULL, &why), DAEDAL_ERR_MEMORY);
    assert_null(s);
    expect_text(why.message, "100000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_allocations),
        cmocka_unit_test(test_klu_allocations_once),
        cmocka_unit_test(test_klu_allocations_from_then_on),
        cmocka_unit_test(test_structure_after_failure),
        cmocka_unit_test(test_huge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
