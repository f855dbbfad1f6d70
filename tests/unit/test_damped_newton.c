/* tests/unit/test_damped_newton.c - one unknown, solved with each rule of linalg/damped_newton.h.
 */
#include <math.h>

#include "harness.h"
#include "linalg/damped_newton.h"

typedef struct problem {
    double (*f)(double);
    double (*slope)(double);
    double x, step, trial;
    int measured;
} problem;

static damped_reply measure(void *self, double *size)
{
    problem *p = self;
    p->measured++;
    *size = fabs(p->f(p->x));
    return isfinite(*size) ? DAMPED_OK : DAMPED_UNDEFINED;
}

static damped_reply find_step(void *self)
{
    problem *p = self;
    p->step = -p->f(p->x) / p->slope(p->x);
    return isfinite(p->step) ? DAMPED_OK : DAMPED_UNDEFINED;
}

static damped_reply try_share(void *self, double share, double *size)
{
    problem *p = self;
    p->trial = p->x + share * p->step;
    *size = fabs(p->f(p->trial));
    return isfinite(*size) ? DAMPED_OK : DAMPED_UNDEFINED;
}

static void accept(void *self, double share)
{
    problem *p = self;
    (void)share;
    p->x = p->trial;
}

static double arctan_slope(double x)
{
    return 1.0 / (1.0 + x * x);
}

static double log_slope(double x)
{
    return 1.0 / x;
}

static double never_zero(double x)
{
    return x * x + 1.0;
}

static double twice(double x)
{
    return 2.0 * x;
}

static double one_over(double x)
{
    return 1.0 / x;
}

static const struct row {
    const char *name;
    double (*f)(double);
    double (*slope)(double);
    double x;
    double solved, last, tolerated;
    damped_outcome outcome;
    double found; /* NAN: not asked */
} rows[] = {
    {"arctan from afar, where whole steps diverge", atan, arctan_slope, 20.0, 1e-12, 0.0, 0.0,
     DAMPED_FOUND, 0.0},
    {"log: the whole step leaves the domain", log, log_slope, 10.0, 1e-12, 0.0, 0.0, DAMPED_FOUND,
     1.0},
    {"the last step is the one from a small size", log, log_slope, 1.001, 0.0, 1e-2, 0.0,
     DAMPED_FOUND, NAN},
    {"no zero: stuck", never_zero, twice, 1.0, 1e-12, 0.0, 0.5, DAMPED_STUCK, NAN},
    {"no zero, but what remains is tolerated", never_zero, twice, 1.0, 1e-12, 0.0, 2.0,
     DAMPED_FOUND, NAN},
    {"no value where it begins", one_over, log_slope, 0.0, 1e-12, 0.0, 0.0, DAMPED_NO_VALUE, 0.0},
    {"no step where it begins", never_zero, twice, 0.0, 1e-12, 0.0, 0.0, DAMPED_STUCK, 0.0},
    {"as small as you like, but never zero", exp, exp, 0.0, 0.0, 0.0, 0.0, DAMPED_EXHAUSTED, -8.0},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct row *r = &rows[k];
        problem p = {.f = r->f, .slope = r->slope, .x = r->x};
        damped_newton d = {.self = &p,
                           .measure = measure,
                           .find_step = find_step,
                           .try_share = try_share,
                           .accept = accept,
                           .iterations_max = r->outcome == DAMPED_EXHAUSTED ? 8 : 100,
                           .halvings_max = 10,
                           .decrease = 1e-4,
                           .solved = r->solved,
                           .last = r->last,
                           .tolerated = r->tolerated};
        damped_outcome outcome = damped_newton_solve(&d);
        if (outcome != r->outcome || (!isnan(r->found) && !(fabs(p.x - r->found) < 1e-10)))
            fail_msg("%s: outcome %d at %.17g", r->name, (int)outcome, p.x);
        if (r->last > 0.0)
            assert_int_equal(p.measured, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
