/* tests/unit/test_options.c - api/options.c: everything that derives from the one table:
 * defaults, descriptions, setting by text.                                      */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/choices.h"
#include "harness.h"

static void test_defaults(void **state)
{
    (void)state;
    daedal_options opt;
    memset(&opt, 0xa5, sizeof opt);
    daedal_options_defaults(&opt);
#define X(type, name, value, low, high, choices, doc)                                              \
    assert_true(opt.name == (type)(value));                                                        \
    assert_true((double)opt.name >= (double)(low) && (double)opt.name <= (double)(high));
    DAEDAL_OPTION_LIST(X)
#undef X
    assert_int_equal(opt.rtol_each.n, 0);
    assert_int_equal(opt.atol_each.n, 0);
    assert_int_equal(opt.breakpoints.n, 0);
    assert_true(!opt.linsolver && !opt.allocator && !opt.progress && !opt.log);
}

static void test_descriptions(void **state)
{
    (void)state;
    int32_t i = 0;
    const daedal_option_info *info;
#define X(kind, option, value, lowest, highest, words, text)                                       \
    info = daedal_option_describe(i++);                                                            \
    assert_non_null(info);                                                                         \
    assert_string_equal(info->name, #option);                                                      \
    assert_string_equal(info->type, #kind);                                                        \
    assert_string_equal(info->choices, words);                                                     \
    assert_string_equal(info->doc, text);                                                          \
    assert_true(info->default_value == (double)(value));                                           \
    assert_true(info->low == (double)(lowest) && info->high == (double)(highest));
    DAEDAL_OPTION_LIST(X)
#undef X
    assert_int_equal(daedal_option_count(), i);
    assert_null(daedal_option_describe(i));
    assert_null(daedal_option_describe(-1));
}

/* The value of an option, by its name. */
static double value_of(const daedal_options *opt, const char *wanted)
{
#define X(type, name, value, low, high, choices, doc)                                              \
    if (strcmp(wanted, #name) == 0)                                                                \
        return (double)opt->name;
    DAEDAL_OPTION_LIST(X)
#undef X
    fail_msg("no option %s", wanted);
    return NAN;
}

/* The numbers that the library goes by are those of the words. */
static void test_choices_have_names(void **state)
{
    (void)state;
    const struct {
        const char *option, *word;
        int32_t number;
    } rows[] = {{"method", "auto", METHOD_AUTO},
                {"method", "bdf", METHOD_BDF},
                {"method", "bdf_classic", METHOD_BDF_CLASSIC},
                {"method", "radau", METHOD_RADAU},
                {"method", "rodas", METHOD_RODAS},
                {"method", "limex", METHOD_LIMEX},
                {"method", "dopri", METHOD_DOPRI},
                {"constraint_method", "project", CONSTRAINTS_PROJECT},
                {"constraint_method", "ggl", CONSTRAINTS_GGL},
                {"constraint_method", "dummy", CONSTRAINTS_DUMMY},
                {"start", "given", START_GIVEN},
                {"start", "states", START_STATES},
                {"start", "derivatives", START_DERIVATIVES},
                {"error_test", "gated", ERROR_GATED},
                {"error_test", "plain", ERROR_PLAIN},
                {"error_test", "differential", ERROR_DIFFERENTIAL},
                {"error_test", "filtered", ERROR_FILTERED},
                {"calibrate_tolerance", "no", 0},
                {"calibrate_tolerance", "yes", 1},
                {"linear_solver", "auto", LINSOLVER_AUTO},
                {"linear_solver", "dense", LINSOLVER_DENSE},
                {"linear_solver", "lapack", LINSOLVER_LAPACK},
                {"linear_solver", "band", LINSOLVER_BAND},
                {"linear_solver", "klu", LINSOLVER_KLU},
                {"linear_solver", "gmres", LINSOLVER_GMRES},
                {"preconditioner", "auto", PRECONDITIONER_AUTO},
                {"preconditioner", "none", PRECONDITIONER_NONE},
                {"preconditioner", "diagonal", PRECONDITIONER_DIAGONAL},
                {"preconditioner", "block", PRECONDITIONER_BLOCK},
                {"preconditioner", "band", PRECONDITIONER_BAND},
                {"preconditioner", "ilu", PRECONDITIONER_ILU},
                {"preconditioner", "ilut", PRECONDITIONER_ILUT},
                {"preconditioner", "lu", PRECONDITIONER_LU},
                {"krylov_product", "auto", PRODUCT_AUTO},
                {"krylov_product", "differences", PRODUCT_DIFFERENCES},
                {"krylov_product", "matrix", PRODUCT_MATRIX}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        daedal_options opt;
        daedal_options_defaults(&opt);
        assert_int_equal(daedal_options_set(&opt, rows[i].option, rows[i].word), DAEDAL_OK);
        int32_t number = (int32_t)value_of(&opt, rows[i].option);
        if (number != rows[i].number)
            fail_msg("%s=%s is %d, not %d", rows[i].option, rows[i].word, (int)number,
                     (int)rows[i].number);
    }
}

/* As many words as the range has numbers. */
static void test_choices_fill_the_range(void **state)
{
    (void)state;
    for (int32_t i = 0; i < daedal_option_count(); i++) {
        const daedal_option_info *info = daedal_option_describe(i);
        int words = info->choices[0] != '\0';
        for (const char *c = info->choices; *c; c++)
            words += *c == '|';
        if (words > 0) {
            assert_true(info->low == 0.0);
            assert_true(info->high == words - 1);
        }
    }
}

static const struct {
    const char *name, *text;
    double value; /* NAN: refused */
} settings[] = {
    {"rtol", "1e-5", 1e-5},
    {"rtol", "0", 0.0},
    {"rtol", "1", 1.0},
    {"rtol", "1.0001", NAN},
    {"rtol", "-1e-5", NAN},
    {"rtol", "nan", NAN},
    {"rtol", "inf", NAN},
    {"rtol", "", NAN},
    {"rtol", "1e-5x", NAN},
    {"rtol", "small", NAN},
    {"rtol", "1e999", NAN},
    {"atol", "1e300", 1e300},
    {"atol", "1e301", NAN},
    {"order_max", "3", 3},
    {"order_max", "3.0", 3},
    {"order_max", "3.5", NAN},
    {"order_max", "0", NAN},
    {"order_max", "14", NAN},
    {"order_max", "nan", NAN},
    {"max_steps", "1e9", 1e9},
    {"max_steps", "9007199254740992", 9007199254740992.0},
    {"max_steps", "9223372036854775808", NAN}, /* one more than there is */
    {"max_steps", "1e30", NAN},
    {"max_steps", "-1", NAN},
    {"method", "auto", 0},
    {"method", "bdf", 1},
    {"method", "bdf_classic", 2},
    {"method", "bdf_class", NAN},
    {"method", "BDF", NAN},
    {"method", "bdf|bdf_classic", NAN},
    {"method", "2", 2},
    {"method", "radau", 3},
    {"method", "rodas", 4},
    {"method", "limex", 5},
    {"method", "99", NAN},
    {"method", "", NAN},
    {"start", "given", 0},
    {"start", "states", 1},
    {"start", "derivatives", 2},
    {"error_test", "filtered", 3},
    {"calibrate_tolerance", "no", 0},
    {"linear_solver", "klu", 4},
    {"linear_solver", "umfpack", NAN},
    {"check_jacobian", "yes", 1},
    {"check_jacobian", "no", 0},
    {"event_samples", "64", 64},
    {"event_samples", "65", NAN},
    {"event_resolution", "1e-9", 1e-9},
    {"event_resolution", "-1", NAN},
    {"threads", "4", 4.0},
    {"threads", "0", NAN},
};

/* A refused text leaves the option as it was. */
static void test_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(settings); i++) {
        daedal_options opt;
        daedal_options_defaults(&opt);
        double before = value_of(&opt, settings[i].name);
        bool refused = isnan(settings[i].value);
        daedal_status status = daedal_options_set(&opt, settings[i].name, settings[i].text);
        if (status != (refused ? DAEDAL_ERR_ARGUMENT : DAEDAL_OK))
            fail_msg("%s = \"%s\": %s", settings[i].name, settings[i].text,
                     daedal_status_name(status));
        expect_near(value_of(&opt, settings[i].name), refused ? before : settings[i].value, 0.0);
    }
}

/* The largest count is in the range the table states: it must come back as it is. */
static void test_largest_count(void **state)
{
    (void)state;
    daedal_options opt;
    daedal_options_defaults(&opt);
    daedal_status status = daedal_options_set(&opt, "max_steps", "9223372036854775807");
    assert_true(status == DAEDAL_ERR_ARGUMENT || opt.max_steps == INT64_MAX);
}

static void test_unknown(void **state)
{
    (void)state;
    daedal_options opt;
    daedal_options_defaults(&opt);
    static const char *const names[] = {"", "rtoll", "RTOL", "rtol_each", "breakpoints", "rtol "};
    for (size_t i = 0; i < COUNT(names); i++)
        assert_int_equal(daedal_options_set(&opt, names[i], "1"), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_options_set(NULL, "rtol", "1"), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_options_set(&opt, NULL, "1"), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_options_set(&opt, "rtol", NULL), DAEDAL_ERR_ARGUMENT);
}

/* Options of one run are copied: changing them later changes nothing. */
static int decay(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    return 0;
}

static void test_are_copied(void **state)
{
    (void)state;
    daedal_system sys = {.n = 1, .residual = decay};
    double *list = malloc(2 * sizeof *list), y0[] = {1.0};
    assert_non_null(list);
    list[0] = 1e-8;
    list[1] = 0.5;
    daedal_options opt;
    daedal_options_defaults(&opt);
    opt.rtol_each = opt.atol_each = (daedal_doubles){&list[0], 1};
    opt.breakpoints = (daedal_doubles){&list[1], 1};
    daedal_solver *s = solver_of(&sys, &opt);
    list[0] = 0.1;
    free(list);
    expect_status(s, daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_OK);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[0], exp(-1.0), 1e-7);
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_choices_have_names),
        cmocka_unit_test(test_choices_fill_the_range),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_largest_count),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_are_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
