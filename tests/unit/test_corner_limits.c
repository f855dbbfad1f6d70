/* tests/unit/test_corner_limits.c - where steps end before corners, and values around these. */
#include <math.h>
#include <stdlib.h>

#include "solver/run.h"

#include "harness.h"

/* A method whose last step went from 4 to 5 (or back from 6 to 5), with y = t^2 there. */
typedef struct fake {
    double t_before;
} fake;

static integ_view fake_view(const void *self)
{
    return (integ_view){.t = 5.0, .t_before = ((const fake *)self)->t_before};
}

static void fake_interpolate(void *self, double t, double *y, double *yp)
{
    const fake *f = self;
    assert_true((t - f->t_before) * (t - 5.0) <= 0.0);
    y[0] = t * t;
    y[1] = 7.0;
    yp[0] = 2.0 * t;
    yp[1] = 1.0;
}

static const method METHOD = {.view = fake_view, .interpolate = fake_interpolate};

static run *run_with(fake *f, double direction)
{
    run *r = calloc(1, sizeof *r);
    assert_non_null(r);
    f->t_before = 5.0 - direction;
    r->n = 2;
    r->method = &METHOD;
    r->integrator = f;
    r->limits.direction = direction;
    return r;
}

static void test_limits(void **state)
{
    (void)state;
    static const struct {
        double next, limit, wanted; /* all counted from 5 in the direction of the run */
    } rows[] = {{NAN, 3.0, 3.0},  {1.0, 3.0, 1.0}, {3.5, 3.0, 3.0},  {3.0, 3.0, 3.0},
                {-1.0, 3.0, 3.0}, {0.0, 3.0, 3.0}, {1e-9, 3.0, 1e-9}};
    for (size_t k = 0; k < COUNT(rows); k++)
        for (int way = -1; way <= 1; way += 2) {
            fake f;
            run *r = run_with(&f, way);
            double next = 5.0 + way * rows[k].next, limit = 5.0 + way * rows[k].limit;
            double wanted = 5.0 + way * rows[k].wanted;
            r->limits.corners.t_next = next;
            expect_near(run_limit_at_corners(r, limit), wanted, 0.0);
            r->limits.time_corners.t_end = next;
            expect_near(run_limit_at_time_corner(r, 5.0, limit), limit, 0.0);
            r->limits.corner_of.n_of_time = 1;
            expect_near(run_limit_at_time_corner(r, 5.0, limit), wanted, 0.0);
            free(r);
        }
}

/* Inside the step the interpolant, behind it the tangent. */
static void test_values_near(void **state)
{
    (void)state;
    for (int way = -1; way <= 1; way += 2) {
        fake f;
        run *r = run_with(&f, way);
        double y[2], yp[2];
        run_values_near(r, 5.0 - way * 0.5, y, yp);
        expect_near(y[0], (5.0 - way * 0.5) * (5.0 - way * 0.5), 1e-14);
        expect_near(y[1], 7.0, 0.0);
        run_values_near(r, 5.0, y, yp);
        expect_near(y[0], 25.0, 0.0);
        run_values_near(r, 5.0 + way * 0.25, y, yp);
        expect_near(y[0], 25.0 + way * 2.5, 1e-14);
        expect_near(y[1], 7.0 + way * 0.25, 1e-14);
        expect_near(yp[0], 10.0, 0.0);
        free(r);
    }
}

/* A time that lies before the step by no more than its margin is that of its beginning. */
static void test_time_in_step(void **state)
{
    (void)state;
    for (int way = -1; way <= 1; way += 2) {
        fake f;
        run *r = run_with(&f, way);
        double begun = f.t_before;
        r->limits.corners.h = -way * 2.0;
        static const double apart[] = {-0.5, -1e-9, 0.0, 1e-9, 1.5e-8, 1.7e-8, 1e-3};
        for (size_t k = 0; k < COUNT(apart); k++) {
            double t = begun - way * apart[k];
            bool moves = apart[k] > 0.0 && apart[k] <= 1.6e-8;
            expect_near(run_time_in_step(r, t), moves ? begun : t, 0.0);
        }
        free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_values_near),
                                       cmocka_unit_test(test_time_in_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
