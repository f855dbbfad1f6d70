/* tests/unit/test_large_models.c - models with many equations: memory grows in proportion to their
 * number, and equations of loops are the same whether they are compiled once or unrolled as text.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "support/harness.h"

/* ---- growth ---- */

/* An allocator that adds up. */
typedef struct usage {
    daedal_allocator allocator;
    size_t live, peak, calls;
    double moved; /* bytes that were taken, all calls together */
} usage;

static void *resize(void *p, size_t old_size, size_t new_size, void *user)
{
    usage *u = user;
    void *q = memory_default.resize(p, old_size, new_size, memory_default.user);
    u->live += new_size - old_size;
    u->peak = u->live > u->peak ? u->live : u->peak;
    u->calls += new_size > 0;
    u->moved += (double)new_size;
    return q;
}

/* Reads and starts the model with this n. */
static usage use(const char *file, int n)
{
    usage u = {.allocator = {resize, NULL}};
    u.allocator.user = &u;
    daedal_setting size = {"n", n};
    daedal_model_options opt = {.parameters = &size, .n_parameters = 1, .allocator = &u.allocator};
    daedal_options solver;
    daedal_options_defaults(&solver);
    solver.allocator = &u.allocator;
    daedal_simulation task = {.t_stop = 1e-8, .options = &solver, .scale_atol = 1};
    daedal_model *m;
    daedal_outcome outcome;
    char path[600], message[600];
    snprintf(path, sizeof path, "%s/../bench/large/%s", DAEDAL_TEST_MODELS, file);
    if (daedal_model_read(&m, path, &opt, message, sizeof message) != DAEDAL_OK)
        fail_msg("%s", message);
    double *values = test_malloc((size_t)daedal_model_describe(m)->n_variables * sizeof *values);
    assert_int_equal(daedal_model_start(m, &task, values, &outcome), DAEDAL_OK);
    test_free(values);
    daedal_model_free(m);
    assert_int_equal(u.live, 0);
    return u;
}

static const struct {
    const char *file;
    int least, most; /* n with 2 000 equations, and with 10 times as many */
    double bytes;    /* at most, for each equation */
} models[] = {
    {"rc_ladder.mo", 1000, 10000, 3300},
    {"heat_square.mo", 45, 142, 4000},
    {"mass_chain.mo", 400, 4000, 6800},
};

static void memory_grows_in_proportion(void **state)
{
    (void)state;
    const double ratio = pow(10.0, 1.1);
    for (size_t k = 0; k < COUNT(models); k++) {
        usage small = use(models[k].file, models[k].least);
        usage large = use(models[k].file, models[k].most);
        print_message("%s: %zu and %zu bytes, %zu and %zu calls\n", models[k].file, small.peak,
                      large.peak, small.calls, large.calls);
        assert_true((double)large.peak < ratio * (double)small.peak);
        assert_true(large.moved < ratio * small.moved);
        assert_true((double)large.calls < ratio * (double)small.calls);
        assert_true((double)large.peak < 20000 * models[k].bytes);
    }
}

/* ---- loops ---- */

/* Equations of a loop, and what stands before and behind them. */
typedef struct loop_row {
    const char *declarations, *loops, *body, *ends;
} loop_row;

static const loop_row rows[] = {
    {"parameter Integer n = 7; parameter Real a = 3; Real x[n](each start = 1, each fixed = true);",
     "for i in 1:n loop",
     "der(x[i]) = -a*i*x[end + 1 - i]/n + (if i > 1 and i < n then 1 else x[i]) + 2^i;",
     "end for;"},
    {"Real x[4, 5](each start = 0.5, each fixed = true);", "for i in 1:4 loop for j in 5:-1:1 loop",
     "der(x[i, j]) = -sin(time + x[i, j])*(i - j) + (if i == j then 1 elseif i + 1 == j then x[i, "
     "i] "
     "else x[1, j]);",
     "end for; end for;"},
    {"Real x[6](each start = 1, each fixed = true); Real y[6]; constant Real p[6] = {1, 2, 3, 4, "
     "5, 6};",
     "for i in {2, 4, 6, 1, 3, 5} loop",
     "der(x[i]) = -y[i]; y[7 - (7 - i)] = p[i]*(+x[i]) .* exp(-(-i)/10) - (if i < 3 or i > 4 then "
     "-1 "
     "else 0);",
     "end for;"},
    {"Real x[3, 4](each start = 1, each fixed = true);", "for i in 1:3, j in 1:4 loop",
     "der(x[i, j]) = -(i + 10*j)/7*x[i, j]^2;", "end for;"},
    {"Real x[5](each start = 1, each fixed = true);", "for i in 1:5 loop",
     "der(x[i]) = -x[i]*i/2*i + i*i*i - i^2;", "end for;"},
};

static void read_text(daedal_model **m, const char *text)
{
    char message[600];
    if (daedal_model_parse(m, "text", text, strlen(text), NULL, message, sizeof message) != 0)
        fail_msg("%s\n%s", text, message);
}

/* The last row of a run. */
typedef struct last_row {
    double values[40];
    size_t n;
} last_row;

static int keep_last(daedal_row_kind kind, double t, const double *values, void *user)
{
    last_row *last = user;
    (void)kind;
    (void)t;
    memcpy(last->values, values, last->n * sizeof *values);
    return DAEDAL_CALL_OK;
}

/* In a clause `if true` the equations are unrolled as text. */
static void loops_give_the_same_equations(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(rows); k++) {
        last_row last[2] = {{{0}, 0}};
        for (int unrolled = 0; unrolled < 2; unrolled++) {
            const loop_row *r = &rows[k];
            char text[1000];
            daedal_model *m;
            daedal_outcome outcome;
            snprintf(text, sizeof text, "model M %s equation %s %s %s %s %s end M;",
                     r->declarations, r->loops, unrolled ? "if true then" : "", r->body,
                     unrolled ? "end if;" : "", r->ends);
            read_text(&m, text);
            last[unrolled].n = (size_t)daedal_model_describe(m)->n_variables;
            assert_true(last[unrolled].n <= COUNT(last[unrolled].values));
            daedal_simulation task = {
                .t_stop = 0.3, .intervals = 1, .row = keep_last, .row_user = &last[unrolled]};
            assert_int_equal(daedal_model_simulate(m, &task, &outcome), DAEDAL_OK);
            daedal_model_free(m);
        }
        assert_memory_equal(&last[0], &last[1], sizeof last[0]);
    }
}

/* Errors have the same words and places. */
static void errors_in_loops_are_told(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"model M Real x[5]; equation for i in 1:5 loop\n der(x[i + 1]) = -x[i]; end for; end M;",
         "text:2:8: subscript 6 is outside 1 .. 5"},
        {"model M Real x[5]; equation for i in 1:5 loop\n der(x[i]) = -z[i]; end for; end M;",
         "text:2:15: unknown name 'z'"},
        {"model M Real x[5]; Boolean b; equation b = true; for i in 1:5 loop\n der(x[i]) = b; "
         "end for; end M;",
         "the right side"},
    };
    for (size_t k = 0; k < COUNT(texts); k++) {
        daedal_model *m;
        char message[600];
        assert_int_equal(daedal_model_parse(&m, "text", texts[k][0], strlen(texts[k][0]), NULL,
                                            message, sizeof message),
                         DAEDAL_ERR_MODEL);
        if (!strstr(message, texts[k][1]))
            fail_msg("%s", message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_grows_in_proportion),
        cmocka_unit_test(loops_give_the_same_equations),
        cmocka_unit_test(errors_in_loops_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
