/* tests/unit/test_scales.c - sizes of y and y' by which a run compares numbers. */
#include <stdlib.h>

#include "solver/run.h"

#include "harness.h"

static void test_scales(void **state)
{
    (void)state;
    static const struct {
        double rtol, atol, y, yp, y_scale, yp_scale; /* after a time of 0.5 */
    } rows[] = {
        {1e-3, 1e-6, 5.0, 1.0, 5.0, 10.0},  {1e-3, 1e-6, -5.0, -30.0, 5.0, 30.0},
        {1e-3, 1e-6, 0.0, 0.0, 1e-3, 2e-3}, {1e-3, 1e-6, 1e-5, 0.0, 1e-3, 2e-3},
        {1e-3, 1e-1, 0.0, 0.0, 1.0, 2.0},   {1e-3, 0.0, 0.0, 0.0, 1.0, 2.0},
        {0.0, 1e-6, 0.0, 0.0, 1e-6, 2e-6},  {0.0, 1e-6, 3.0, 0.0, 3.0, 6.0},
    };
    enum { N = COUNT(rows) };
    double rtol[N], atol[N], y[N], yp[N], y_scale[N], yp_scale[N];
    run *r = calloc(1, sizeof *r);
    assert_non_null(r);
    for (int i = 0; i < N; i++) {
        rtol[i] = rows[i].rtol;
        atol[i] = rows[i].atol;
        y[i] = rows[i].y;
        yp[i] = rows[i].yp;
    }
    r->n = N;
    r->now.rtol = rtol;
    r->now.atol = atol;
    run_set_scales(r, y, yp, 0.5, y_scale, yp_scale);
    for (int i = 0; i < N; i++) {
        expect_near(y_scale[i], rows[i].y_scale, 1e-15 * rows[i].y_scale);
        expect_near(yp_scale[i], rows[i].yp_scale, 1e-15 * rows[i].yp_scale);
    }
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scales)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
