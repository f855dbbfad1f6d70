/* tests/unit/test_slope_facts.c - what is known of y' before an explicit method is chosen: whether
 * K in K y' = f is certain, the spectral radius and the rate at which y' changes.        */
#include <math.h>

#include "integ/slope_solver.h"

#include "driving.h"
#include "harness.h"

static int zeros(double t, const double *y, double *f, void *user)
{
    (void)t, (void)y, (void)user;
    f[0] = f[1] = 0.0;
    return 0;
}

static int constant_mass(double t, const double *y, double *values, void *user)
{
    (void)t, (void)y, (void)user;
    values[0] = values[3] = 1.0;
    return 0;
}

static int linear(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *k = user;
    (void)t;
    r[0] = 2.0 * yp[0] + k[0] * y[0];
    r[1] = yp[1] + k[1] * y[1];
    r[2] = yp[2] + k[2] * y[2];
    return 0;
}

static void test_certainty(void **state)
{
    (void)state;
    static const int32_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    static const daedal_pattern full = {2, 2, start, row};
    static const struct {
        bool implicit, mass;
        int32_t kind;
        bool certain;
    } rows[] = {{true, false, 0, false},
                {false, false, DAEDAL_MASS_CONSTANT, true},
                {false, false, DAEDAL_MASS_OF_TIME, true},
                {false, true, DAEDAL_MASS_CONSTANT, true},
                {false, true, DAEDAL_MASS_OF_TIME, false},
                {false, true, DAEDAL_MASS_OF_STATE, false}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        daedal_system sys = {.n = 2,
                             .residual = rows[k].implicit ? linear : NULL,
                             .rhs = rows[k].implicit ? NULL : zeros,
                             .mass = rows[k].mass ? constant_mass : NULL,
                             .mass_pattern = rows[k].mass ? &full : NULL,
                             .mass_kind = rows[k].kind};
        daedal_stats stats = {0};
        evaluator ev;
        slope_solver s;
        assert_true(evaluator_create(&ev, &sys, &stats, NULL));
        assert_true(slope_create(&s, &(integ_context){.ev = &ev}));
        assert_int_equal(s.is_certain, rows[k].certain);
        for (int j = 0; j < 2; j++)
            expect_near(s.ones[j], 1.0, 0.0);
        slope_free(&s);
        evaluator_free(&ev);
    }
}

/* Decay with rates k0 / 2, k1, k2: the radius is the largest, wherever it stands, and the rate is
 * that of the component that moves.                                                     */
static void test_radius(void **state)
{
    (void)state;
    static const double rates[][3] = {{60.0, 2.0, 1.0}, {2.0, 30.0, 1.0}, {2.0, 1.0, 30.0}};
    for (size_t k = 0; k < COUNT(rates); k++)
        for (int moving = 0; moving < 3; moving++) {
            double y0[3] = {0.0, 0.0, 0.0};
            y0[moving] = 1.0;
            daedal_system sys = {.n = 3, .residual = linear, .user = (void *)(uintptr_t)rates[k]};
            daedal_solver *s = start_solver(&sys, "method=auto", 0.0, y0, NULL);
            expect_status(s, daedal_solver_step(s, 1.0), DAEDAL_OK);
            const run_evidence *e = &s->run.now.evidence;
            assert_true(e->looked && e->is_explicit);
            expect_near(e->radius, 30.0, 1.0);
            double rate = moving == 0 ? 0.5 * rates[k][0] : rates[k][moving];
            expect_near(e->rate, rate, 0.01 * rate);
            daedal_solver_free(s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_certainty),
                                       cmocka_unit_test(test_radius)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
