/* tests/fault/test_model_allocation.c - fail the 1st, 2nd, 3rd ... allocation of reading and
 * running a model.  Each failure is DAEDAL_ERR_MEMORY with a sentence (or the call does
 * without), and nothing leaks.                                                  */
#include <string.h>

#include "harness.h"

/* Functions inlined and called, records, arrays, loops, when, start values, a path to the start,
 * homotopy, a text. */
static const char everything[] =
    "package P\n"
    "  record Point Real x; Real y[2]; end Point;\n"
    "  type Mode = enumeration(off, on);\n"
    "  function square input Real u; output Real y; algorithm y := u*u; end square;\n"
    "  function climb input Real u; input Integer n; output Real y;\n"
    "  protected Real a[3];\n"
    "  algorithm\n"
    "    a := {u, 2*u, 3*u};\n"
    "    y := 0;\n"
    "    while y < n loop y := y + 1 + sum(a)*0; end while;\n"
    "  end climb;\n"
    "  function root input Real u; output Real y;\n"
    "  algorithm y := u; while abs(y*y - u) > 1e-3 loop y := 0.5*(y + u/y); end while; end root;\n"
    "  model M\n"
    "    parameter Integer n = 3;\n"
    "    parameter Real k[n] = {1.0/i for i in 1:n}, c = climb(1.5, 4);\n"
    "    parameter String s = \"a\" + \"b\";\n"
    "    Real x[n](each start = 1, each fixed = true), z(start = 2), w, corner;\n"
    "    Real far(start = 3), behind(start = -2, fixed = true); // a start that needs a path\n"
    "    Point p;\n"
    "    Mode mode(start = Mode.off);\n"
    "    discrete Integer count(start = 0, fixed = true);\n"
    "    Boolean high;\n"
    "  equation\n"
    "    for i in 1:n loop der(x[i]) = -k[i]*x[i]; end for;\n"
    "    homotopy(z^3 + z, 2*z) = x[1] + c;\n"
    "    der(far) = -far;\n"
    "    behind = far^3 - 2*far;\n"
    "    w = root(2 + x[2]);\n"
    "    p.x = square(time);\n"
    "    p.y = [1, 2; 3, 4]*x[1:2];\n"
    "    corner = noEvent(max(x[2], 0.5)) + abs(x[3] - 0.6);\n"
    "    high = x[1] > 0.7;\n"
    "    mode = if high then Mode.on else Mode.off;\n"
    "    when {not high, sample(0.25, 0.25)} then\n"
    "      count = pre(count) + 1;\n"
    "      reinit(x[3], 1);\n"
    "    end when;\n"
    "    assert(x[1] > -1, \"x is \" + String(x[1]));\n"
    "    annotation(experiment(StopTime = 1));\n"
    "  end M;\n"
    "end P;\n";

/* Pulses, delays, samples, roundings, a when-equation in a loop with others, an impulse at an
 * event. */
static const char hybrid[] =
    "model H\n"
    "  Real a(start = 0, fixed = true), b(start = 1, fixed = true), d, e, q(start = 1), y;\n"
    "  Real u1(start = 1), u2(start = 2), u3(start = 3), i;\n"
    "  Integer n;\n"
    "equation\n"
    "  der(a) = exp(-((time - 0.53)/0.01)^2) + sin(0.1*time)^40;\n"
    "  der(b) = -delay(b, 0.2) + e;\n"
    "  d = delay(a, 0.1 + 0.05*b, 0.3);\n"
    "  e = noEvent(abs(b - 0.5));\n"
    "  n = integer(3*time);\n"
    "  q + y = 4;\n"
    "  der(u1) = i;\n"
    "  der(u2) = i;\n"
    "  4*der(u3) = -i;\n"
    "  u1 + u2 = u3 + (if time > 0.6 then 1 else 0);\n"
    "  when sample(0, 0.3) then\n"
    "    y = 9 - 3*q + time;\n"
    "  end when;\n"
    "  annotation(experiment(StopTime = 1));\n"
    "end H;\n";

/* A structure that misleads by factors that vary: points on the solutions, proxies, a derivative
 * of second order, the derivative array.                                          */
static const char misleading[] = "model M\n"
                                 "  Real x(start = 0.1), u;\n"
                                 "equation\n"
                                 "  der(x) = u;\n"
                                 "  (2 + cos(u))*(der(x) - u) + x - sin(time) = 0;\n"
                                 "end M;\n";

static const daedal_setting settings[] = {{"k[2]", 0.4}};
static const daedal_setting starts[] = {{"x[1]", 1.25}};

typedef struct attempt {
    daedal_status status;
    char message[1000];
} attempt;

static void run(daedal_model *m, attempt *a)
{
    daedal_outcome out;
    daedal_simulation how = {.t_stop = 1.0, .intervals = 4};
    a->status = daedal_model_simulate(m, &how, &out);
    strncpy(a->message, out.diagnosis.message, sizeof a->message - 1);
}

static void look(daedal_model *m, attempt *a)
{
    daedal_incidence matrix;
    daedal_diagnosis why;
    a->status = daedal_model_incidence(m, &matrix, &why);
    strncpy(a->message, why.message, sizeof a->message - 1);
}

static attempt read_and_run(const ledger *books)
{
    attempt a = {.status = DAEDAL_OK};
    daedal_model *m = NULL;
    daedal_model_options o = {.parameters = settings,
                              .n_parameters = COUNT(settings),
                              .starts = starts,
                              .n_starts = COUNT(starts),
                              .allocator = &books->allocator};
    a.status = daedal_model_parse(&m, "all.mo", everything, strlen(everything), &o, a.message,
                                  sizeof a.message);
    assert_true((m != NULL) == (a.status >= 0));
    if (m)
        run(m, &a);
    if (m && a.status >= 0)
        look(m, &a);
    daedal_model_free(m);
    return a;
}

static attempt read_and_run_hybrid(const ledger *books)
{
    attempt a = {.status = DAEDAL_OK};
    daedal_model *m = NULL;
    daedal_model_options o = {.allocator = &books->allocator};
    a.status = daedal_model_parse(&m, "hybrid.mo", hybrid, strlen(hybrid), &o, a.message,
                                  sizeof a.message);
    if (m)
        run(m, &a);
    daedal_model_free(m);
    return a;
}

static attempt read_and_analyze(const ledger *books)
{
    attempt a = {.status = DAEDAL_OK};
    daedal_model *m = NULL;
    daedal_model_structure structure;
    daedal_diagnosis why;
    daedal_model_options o = {.allocator = &books->allocator};
    a.status = daedal_model_parse(&m, "misleading.mo", misleading, strlen(misleading), &o,
                                  a.message, sizeof a.message);
    if (m) {
        a.status = daedal_model_analyze(m, &structure, &why);
        strncpy(a.message, why.message, sizeof a.message - 1);
        if (a.status >= 0 && books->refuse > books->taken)
            assert_int_equal(structure.index, 2);
    }
    daedal_model_free(m);
    return a;
}

static void fail_each(attempt (*go)(const ledger *), bool rest)
{
    enum { TOO_MANY = 20000, STRIDE = SANITIZED ? 5 : 1 };
    ledger books;
    for (long k = STRIDE > 1 && rest ? 3 : 1; k < TOO_MANY; k += STRIDE) { /* not the same ones */
        ledger_open(&books);
        books.refuse = k;
        books.refuse_rest = rest;
        attempt a = go(&books);
        if (books.blocks)
            fail_msg("allocation %ld: %zu blocks leak", k, books.blocks);
        ledger_expect_empty(&books);
        if (books.taken < k) {
            if (a.status < 0)
                fail_msg("with all memory: %s", a.message);
            assert_true(k > 50);
            return;
        }
        bool told = a.status == DAEDAL_ERR_MEMORY && a.message[0];
        if (a.status < 0 && !told)
            fail_msg("allocation %ld: %s: %s", k, daedal_status_name(a.status), a.message);
    }
    fail_msg("never gets through");
}

static void test_each_allocation_once(void **state)
{
    (void)state;
    fail_each(read_and_run, false);
}

static void test_all_allocations_from_then_on(void **state)
{
    (void)state;
    fail_each(read_and_run, true);
}

static void test_hybrid_part(void **state)
{
    (void)state;
    fail_each(read_and_run_hybrid, false);
}

static void test_misleading_structure(void **state)
{
    (void)state;
    fail_each(read_and_analyze, false);
    fail_each(read_and_analyze, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_allocation_once),
                                       cmocka_unit_test(test_all_allocations_from_then_on),
                                       cmocka_unit_test(test_hybrid_part),
                                       cmocka_unit_test(test_misleading_structure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
