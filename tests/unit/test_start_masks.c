/* tests/unit/test_start_masks.c - FIXED values stay, FREE values move first, a GUESS moves as
 * little as possible; what cannot be is refused, with the equation or the variables named.      */
#include <math.h>

#include "harness.h"

enum { FIXED = DAEDAL_FIXED, GUESS = DAEDAL_GUESS, FREE = DAEDAL_FREE };

/* y0' + y0 = 0, y0 + y1 = 3 */
static int sum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    r[1] = y[0] + y[1] - 3.0;
    return 0;
}

static const struct {
    int32_t y_mask[2], yp_mask[2];
    double from[2], y[2];
    double tolerance;
} starts[] = {
    {{GUESS, FREE}, {FREE, FREE}, {1.0, 1.0}, {1.0, 2.0}, 1e-5},
    {{GUESS, FREE}, {FREE, FREE}, {1.0, 3.0}, {1.0, 2.0}, 1e-5},
    {{GUESS, FREE}, {FREE, FREE}, {0.0, 0.5}, {0.0, 3.0}, 1e-5},
    {{FREE, GUESS}, {FREE, FREE}, {1.0, 1.0}, {2.0, 1.0}, 1e-5},
    {{FREE, GUESS}, {FREE, FREE}, {1.0, 3.0}, {0.0, 3.0}, 1e-5},
    {{FREE, GUESS}, {FREE, FREE}, {0.0, 0.5}, {2.5, 0.5}, 1e-5},
    {{GUESS, GUESS}, {FREE, FREE}, {1.0, 1.0}, {1.5, 1.5}, 1e-5}, /* in proportion to the squares */
    {{GUESS, GUESS}, {FREE, FREE}, {1.0, 3.0}, {0.8, 2.2}, 1e-5}, /* of max(|y|, 1)               */
    {{FIXED, FREE}, {FREE, FIXED}, {1.0, 1.0}, {1.0, 2.0}, 1e-12},
    {{FREE, FIXED}, {FREE, FIXED}, {1.0, 1.0}, {2.0, 1.0}, 1e-12},
    {{GUESS, FIXED}, {GUESS, FIXED}, {0.0, 0.5}, {2.5, 0.5}, 1e-12},
    {{FREE, FREE}, {FIXED, FIXED}, {1.0, 1.0}, {0.0, 3.0}, 1e-12},
};

static void test_moves(void **state)
{
    (void)state;
    const double slopes[] = {0.0, 0.0};
    for (size_t k = 0; k < COUNT(starts); k++) {
        daedal_system sys = {.n = 2, .residual = sum};
        daedal_options opt = defaults_with(1e-6, 1e-6);
        daedal_solver *s = solver_of(&sys, &opt);
        expect_status(s,
                      daedal_solver_start_masked(s, 0.0, starts[k].from, slopes,
                                                 (daedal_ints){starts[k].y_mask, 2},
                                                 (daedal_ints){starts[k].yp_mask, 2}),
                      DAEDAL_OK);
        const daedal_state *now = daedal_solver_state(s);
        for (int32_t j = 0; j < 2; j++)
            if (!(fabs(now->y[j] - starts[k].y[j]) <= starts[k].tolerance))
                fail_msg("row %zu: y[%d] = %.12g, not %.12g", k, (int)j, now->y[j], starts[k].y[j]);
        expect_near(now->yp[0], -now->y[0], 1e-9);
        daedal_solver_free(s);
    }
}

static void test_contradiction(void **state)
{
    (void)state;
    static const int32_t y_mask[] = {FIXED, FREE}, yp_mask[] = {FIXED, FIXED};
    const double y0[] = {1.0, 1.0}, yp0[] = {0.0, 0.0}, good[] = {-1.0, 0.0};
    daedal_system sys = {.n = 2, .residual = sum};
    daedal_solver *s = solver_of(&sys, NULL);
    daedal_ints ym = {y_mask, 2}, ypm = {yp_mask, 2};
    expect_status(s, daedal_solver_start_masked(s, 0.0, y0, yp0, ym, ypm), DAEDAL_ERR_START);
    assert_int_equal(daedal_solver_diagnosis(s)->equation, 0);
    assert_true(daedal_solver_diagnosis(s)->hint[0] != 0);
    expect_status(s, daedal_solver_start_masked(s, 0.0, y0, good, ym, ypm), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[1], 2.0, 1e-9);
    daedal_solver_free(s);
}

/* y2^2 + 1 = 0 has no solution; nothing is held that could be freed. */
static int impossible(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    r[1] = y[1] * y[1] + 1.0;
    return DAEDAL_CALL_OK;
}

static void test_no_solution(void **state)
{
    const double y0[] = {1.0, 1.0};
    daedal_system sys = {.n = 2, .residual = impossible};
    (void)state;
    daedal_solver *s = solver_of(&sys, NULL);
    assert_true(daedal_solver_start(s, 0.0, y0, NULL) < 0);
    assert_int_equal(daedal_solver_diagnosis(s)->cause, DAEDAL_CAUSE_NO_SOLUTION);
    expect_text(daedal_solver_diagnosis(s)->hint, "wrong sign, unit or parameter");
    daedal_solver_free(s);
}

/* y1 + y2 is asked for twice, so that neither is determined. */
static int repeated(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    r[1] = y[0] + y[1] + y[2] - 3.0;
    r[2] = 2.0 * r[1];
    return 0;
}

static void test_undetermined(void **state)
{
    (void)state;
    static const int32_t y_mask[] = {FIXED, FREE, FREE}, yp_mask[] = {FREE, FIXED, FIXED};
    const double y0[] = {1.0, 1.0, 1.0}, yp0[] = {0.0, 0.0, 0.0};
    for (int masked = 0; masked < 2; masked++) {
        daedal_system sys = {.n = 3, .residual = repeated};
        daedal_solver *s = solver_of(&sys, NULL);
        daedal_ints ym = {y_mask, 3}, ypm = {yp_mask, 3};
        expect_status(s,
                      masked ? daedal_solver_start_masked(s, 0.0, y0, yp0, ym, ypm)
                             : daedal_solver_start(s, 0.0, y0, NULL),
                      DAEDAL_ERR_SINGULAR);
        const daedal_diagnosis *why = daedal_solver_diagnosis(s);
        char name[8] = "y[?]";
        assert_in_range(why->variable, 1, 2);
        name[2] = (char)('0' + why->variable);
        expect_text(why->message, name);
        daedal_solver_free(s);
    }
}

/* Every slope is held, and y0 is in no equation. */
static int ramp(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - 1.0;
    r[1] = y[1] - t - 2.0;
    return 0;
}

static void test_absent_but_free(void **state)
{
    (void)state;
    static const int32_t y_mask[] = {FREE, FREE}, yp_mask[] = {FIXED, FIXED};
    const double y0[] = {1.0, 1.0}, yp0[] = {1.0, 0.0};
    daedal_system sys = {.n = 2, .residual = ramp};
    daedal_solver *s = solver_of(&sys, NULL);
    daedal_ints ym = {y_mask, 2}, ypm = {yp_mask, 2};
    expect_status(s, daedal_solver_start_masked(s, 0.0, y0, yp0, ym, ypm), DAEDAL_ERR_SINGULAR);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    assert_int_equal(why->variable, 0);
    expect_text(why->message, "undetermined near y[0]");
    daedal_solver_free(s);
}

/* No equation contains y1', which is free, and the y1 of the second one is fixed.  It must not
 * move; where it is right as it is, the start succeeds.                         */
static void test_fixed_stays(void **state)
{
    (void)state;
    static const int32_t y_mask[] = {FIXED, FIXED}, yp_mask[] = {FREE, FREE};
    const double y0[] = {1.0, 1.0}, good[] = {1.0, 2.0}, yp0[] = {0.0, 0.0};
    daedal_system sys = {.n = 2, .residual = sum};
    daedal_solver *s = solver_of(&sys, NULL);
    daedal_ints ym = {y_mask, 2}, ypm = {yp_mask, 2};
    expect_status(s, daedal_solver_start_masked(s, 0.0, y0, yp0, ym, ypm), DAEDAL_ERR_START);
    expect_text(daedal_solver_diagnosis(s)->message, "y[1] = 1 would have to be 2");
    assert_int_equal(daedal_solver_diagnosis(s)->variable, 1);
    assert_int_equal(daedal_solver_diagnosis(s)->cause, DAEDAL_CAUSE_INCONSISTENT_START);
    expect_status(s, daedal_solver_start_masked(s, 0.0, good, yp0, ym, ypm), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[1], 2.0, 0.0);
    expect_near(daedal_solver_state(s)->yp[0], -1.0, 1e-9);
    daedal_solver_free(s);
}

/* y1'^3 + y1' = 3 by guesses: the iteration ends at the tolerance, long before roundoff, and what
 * is left then contradicts nothing.                                              */
static int cubic_slope(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0] - 1.0;
    r[1] = yp[1] * yp[1] * yp[1] + yp[1] - 3.0;
    return 0;
}

static void test_rough_tolerance(void **state)
{
    (void)state;
    static const int32_t y_mask[] = {GUESS, FIXED}, yp_mask[] = {FREE, FREE};
    const double y0[] = {1.0, 1.0}, root = 1.213411662762230;
    daedal_ints ym = {y_mask, 2}, ypm = {yp_mask, 2};
    for (double from = 0.2; from < 3.0; from += 0.1) {
        const double yp0[] = {0.0, from};
        daedal_system sys = {.n = 2, .residual = cubic_slope};
        daedal_options opt = defaults_with(1e-2, 1e-2);
        daedal_solver *s = solver_of(&sys, &opt);
        expect_status(s, daedal_solver_start_masked(s, 0.0, y0, yp0, ym, ypm), DAEDAL_OK);
        expect_near(daedal_solver_state(s)->yp[1], root, 1e-2);
        daedal_solver_free(s);
    }
}

/* log(y1) = 1 from a guess whose full correction would be negative: F asks for a smaller one. */
static int logarithm(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    if (y[1] <= 0.0)
        return DAEDAL_CALL_RETRY;
    r[0] = yp[0] + y[0];
    r[1] = log(y[1]) - 1.0;
    return 0;
}

static void test_undefined_beyond(void **state)
{
    (void)state;
    for (double from = 8.0; from < 50.0; from += 3.0) {
        const double y0[] = {1.0, from};
        daedal_system sys = {.n = 2, .residual = logarithm};
        daedal_solver *s = started(&sys, NULL, 0.0, y0, NULL);
        expect_near(daedal_solver_state(s)->y[1], exp(1.0), 1e-6);
        daedal_solver_free(s);
    }
}

/* Pairs y1' + y2' + y1 = g, y2 = h: both look differential, y2 and y1 + y2 alone are what the
 * equations say of them.  Few pairs by dense matrices, many by sparse ones.           */
enum { PAIRS_MAX = 600 };

static int pairs(double t, const double *y, const double *yp, double *r, void *user)
{
    const int *n = user;
    (void)t;
    for (int k = 0; k < *n; k++) {
        r[2 * k] = yp[2 * k] + yp[2 * k + 1] + y[2 * k] - 1.0 - 0.01 * k;
        r[2 * k + 1] = y[2 * k + 1] - 0.5 * cos(y[2 * k + 1]);
    }
    return 0;
}

static void test_hidden_relations(void **state)
{
    (void)state;
    static const int sizes[] = {1, 7, PAIRS_MAX};
    static double y0[2 * PAIRS_MAX];
    const double root = 0.450183611294874; /* of h = cos(h) / 2 */
    for (int k = 0; k < 2 * PAIRS_MAX; k++)
        y0[k] = 0.4 + 1e-4 * k;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        int n = sizes[i];
        daedal_system sys = {.n = 2 * n, .residual = pairs, .user = &n};
        daedal_solver *s = started(&sys, NULL, 0.0, y0, NULL);
        const daedal_state *now = daedal_solver_state(s);
        for (int k = 0; k < n; k++) {
            const double *y = now->y + 2 * k, *yp = now->yp + 2 * k;
            expect_near(y[1], root, 1e-7);
            expect_near(y[0] + y[1], y0[2 * k] + y0[2 * k + 1], 1e-4); /* what is differential */
            expect_near(yp[0] + yp[1] + y[0], 1.0 + 0.01 * k, 1e-6);
        }
        daedal_solver_free(s);
    }
}

/* The pattern is found near the values given, however small they are: F may be undefined elsewhere.
 */
static int near_only(double t, const double *y, const double *yp, double *r, void *user)
{
    int *far = user;
    (void)t;
    for (int i = 0; i < 3; i++)
        *far += fabs(y[i]) > 2e-3;
    r[0] = yp[0] + y[0];
    r[1] = y[1] - 0.5 * y[0];
    r[2] = y[2] - y[1] * y[1];
    return 0;
}

static void test_probe_stays_near(void **state)
{
    (void)state;
    int far = 0;
    const double y0[] = {1e-3, 5e-4, 2.5e-7};
    daedal_system sys = {.n = 3, .residual = near_only, .user = &far};
    daedal_solver *s = started(&sys, NULL, 0.0, y0, NULL);
    assert_int_equal(daedal_solver_structure(s)->nnz, 5);
    assert_int_equal(far, 0);
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_contradiction),
        cmocka_unit_test(test_no_solution),
        cmocka_unit_test(test_undetermined),
        cmocka_unit_test(test_absent_but_free),
        cmocka_unit_test(test_fixed_stays),
        cmocka_unit_test(test_rough_tolerance),
        cmocka_unit_test(test_undefined_beyond),
        cmocka_unit_test(test_hidden_relations),
        cmocka_unit_test(test_probe_stays_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
