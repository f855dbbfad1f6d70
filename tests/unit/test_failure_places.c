/* tests/unit/test_failure_places.c - where a failure is: the equation, the variable and the time
 * that the diagnosis names besides its words, for programs that read no words.
 *
 * Every system has the equations of y0 and y1 in good order and something wrong with equation 1,
 * which determines y2: what is to be named is neither the first nor at its own number.      */
#include <math.h>
#include <string.h>

#include "base/choices.h"
#include "harness.h"

enum { N = 3, OTHERS = 2 };
static const double t_start = 3.0, t_stop = 50.0;

static void decays(const double *y, const double *yp, double *r)
{
    r[0] = yp[0] + y[0];
    r[2] = yp[1] + 3.0 * y[1];
}

static int without_variable(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    decays(y, yp, r);
    r[1] = yp[0] + yp[1] - t;
    return 0;
}

static int without_equation(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + yp[2] + y[0];
    r[1] = t;
    r[2] = yp[1] + 3.0 * y[1] + y[2];
    return 0;
}

static int without_root(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    decays(y, yp, r);
    r[1] = y[2] * y[2] + 1.0;
    return 0;
}

static int pole_at_four(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    decays(y, yp, r);
    r[1] = yp[2] - y[2] * y[2];
    return 0;
}

static int fold_at_four(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    decays(y, yp, r);
    r[1] = y[2] * yp[2] + 0.5;
    return 0;
}

/* Exceeds all numbers before t = 18. */
static int overflowing(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    decays(y, yp, r);
    r[1] = yp[2] - 50.0 * y[2];
    return 0;
}

static int undefined_at_four(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    decays(y, yp, r);
    r[1] = yp[2] + (t > 4.0 ? NAN : 1.0);
    return 0;
}

static int zero_at_four(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    decays(y, yp, r);
    r[1] = yp[2] + 1.0;
    return 0;
}

static int slides_from_four(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    decays(y, yp, r);
    r[1] = yp[2] + (y[2] > 0.0 ? 1.0 : -1.0);
    return 0;
}

/* The index is 2: y0 would turn where y2 has fallen to 0, at t = 4.11, which is an impasse. */
static int turns(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = (y[0] * y[0] + (y[2] - 1.0) * (y[2] - 1.0) - 1.0);
    r[2] = yp[2] + 0.9;
    return 0;
}

static int noisy_from_four(double t, const double *y, const double *yp, double *r, void *user)
{
    static long calls;
    (void)user;
    decays(y, yp, r);
    r[1] = yp[2] + y[2] + (t > 4.0 ? 1e-2 * sin(1e3 * (double)++calls) : 0.0);
    return 0;
}

/* That of zero_at_four, with a term too many in equation 1. */
static int wrong_product(double t, const double *y, const double *yp, double c, const double *v,
                         double *out, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    out[0] = (c + 1.0) * v[0];
    out[1] = c * v[2] + 0.1 * v[0];
    out[2] = (c + 3.0) * v[1];
    return 0;
}

/* The same in equation 0. */
static int wrong_first_product(double t, const double *y, const double *yp, double c,
                               const double *v, double *out, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    out[0] = (c + 1.0) * v[0] + 0.1 * v[2];
    out[1] = c * v[2];
    out[2] = (c + 3.0) * v[1];
    return 0;
}

static const double not_negative[] = {-INFINITY, -INFINITY, 0.0}, ones[] = {1.0, 1.0, 1.0};

static const struct {
    const char *name;
    daedal_residual_fn *residual;
    daedal_cause cause;
    int32_t equation, variable;
    double t;
    const double *lower;
    daedal_product_fn *product;
} rows[] = {
    {"variable in no equation", without_variable, DAEDAL_CAUSE_STRUCTURE, -1, 2, 3.0, NULL, NULL},
    {"equation without variables", without_equation, DAEDAL_CAUSE_STRUCTURE, 1, -1, 3.0, NULL,
     NULL},
    {"no solution", without_root, DAEDAL_CAUSE_NO_SOLUTION, 1, -1, 3.0, NULL, NULL},
    {"pole", pole_at_four, DAEDAL_CAUSE_BLOW_UP, -1, 2, 4.0, NULL, NULL},
    {"impasse", fold_at_four, DAEDAL_CAUSE_IMPASSE, -1, 2, 4.0, NULL, NULL},
    {"pole and bounds", pole_at_four, DAEDAL_CAUSE_BLOW_UP, -1, 2, 4.0, not_negative, NULL},
    {"overflow", overflowing, DAEDAL_CAUSE_BLOW_UP, -1, 2, 17.0, NULL, NULL},
    {"no value", undefined_at_four, DAEDAL_CAUSE_DOMAIN_ERROR, 1, -1, 4.0, NULL, NULL},
    {"bound", zero_at_four, DAEDAL_CAUSE_BOUNDS, -1, 2, 4.0, not_negative, NULL},
    {"jump", slides_from_four, DAEDAL_CAUSE_CHATTERING, 1, 2, 4.0, NULL, NULL},

    {"product", zero_at_four, DAEDAL_CAUSE_WRONG_JACOBIAN, 1, -1, 3.0, NULL, wrong_product},
    {"first product", zero_at_four, DAEDAL_CAUSE_WRONG_JACOBIAN, 0, -1, 3.0, NULL,
     wrong_first_product},
};

static daedal_solver *solver_for(size_t k, const daedal_allocator *allocator)
{
    static daedal_residual_fn *const others[OTHERS] = {turns, noisy_from_four};
    bool is_row = k < COUNT(rows), has_bounds = is_row && rows[k].lower;
    daedal_system sys = {.n = N, .residual = is_row ? rows[k].residual : others[k - COUNT(rows)]};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    daedal_solver *s = NULL;
    if (has_bounds)
        sys.lower = (daedal_doubles){rows[k].lower, N};
    if (is_row)
        sys.jacobian_product = rows[k].product;
    else if (k == COUNT(rows))
        opt.method = METHOD_RADAU;
    else
        opt.max_steps = 2000;
    opt.linear_solver = sys.jacobian_product ? LINSOLVER_GMRES : LINSOLVER_AUTO;
    opt.check_jacobian = 1;
    opt.allocator = allocator;
    daedal_solver_create(&s, &sys, &opt, NULL);
    return s;
}

static daedal_status solve(daedal_solver *s)
{
    daedal_status status = daedal_solver_start(s, t_start, ones, NULL);
    return status < 0 ? status : daedal_solver_advance(s, t_stop);
}

static void test_places(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(rows); k++) {
        daedal_solver *s = solver_for(k, NULL);
        daedal_status status = solve(s);
        const daedal_diagnosis *why = daedal_solver_diagnosis(s);
        if (status >= 0 || why->status != status || why->cause != rows[k].cause ||
            why->equation != rows[k].equation || why->variable != rows[k].variable ||
            !(fabs(why->t - rows[k].t) <= 0.1))
            fail_msg("%s: status %d, cause %s, equation %d, variable %d, t = %.8g: %s",
                     rows[k].name, (int)status, daedal_cause_name(why->cause), (int)why->equation,
                     (int)why->variable, why->t, why->message);
        daedal_solver_free(s);
    }
}

/* Each allocation of a run that fails, and of the search for its cause, is refused in turn: the run
 * fails all the same, and nothing leaks. */
static void test_without_memory(void **state)
{
    enum { TOO_MANY = 3000, SLOW = 20000 };
    (void)state;
    for (size_t k = 0; k < COUNT(rows) + OTHERS; k++) {
        ledger books = {.taken = 1};
        for (long refused = 1; books.taken >= refused - 1; refused++) {
            assert_true(refused < TOO_MANY);
            ledger_open(&books);
            books.refuse = refused;
            daedal_solver *s = solver_for(k, &books.allocator);
            if (s && solve(s) >= 0)
                fail_msg("row %d, allocation %ld: the run goes to its end", (int)k, refused);
            bool slow = s && daedal_solver_stats(s)->residuals > SLOW;
            daedal_solver_free(s);
            ledger_expect_empty(&books);
            if (slow) /* a run of so many steps is tried once */
                break;
        }
    }
}

/* When noise ends the run is a matter of chance, but not where it is. */
static void test_noise(void **state)
{
    (void)state;
    daedal_system sys = {.n = N, .residual = noisy_from_four};
    daedal_options opt = defaults_with(1e-8, 1e-10);
    opt.method = METHOD_BDF;
    daedal_solver *s = started(&sys, &opt, t_start, ones, NULL);
    assert_true(daedal_solver_advance(s, t_stop) < 0);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    assert_true(why->t > 4.0);
    assert_int_equal(why->cause, DAEDAL_CAUSE_TOLERANCE_TOO_SMALL);
    assert_int_equal(why->equation, 1);
    expect_text(why->message, "differs between two calls");
    daedal_solver_free(s);
}

/* Singular at the start alone, in the first variable. */
static int ratio(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)yp, (void)user;
    r[0] = t * y[0] - sin(t);
    return 0;
}

static void test_first_variable(void **state)
{
    (void)state;
    daedal_system sys = {.n = 1, .residual = ratio};
    daedal_solver *s = solver_of(&sys, NULL);
    expect_status(s, daedal_solver_start(s, 0.0, ones, NULL), DAEDAL_ERR_SINGULAR);
    assert_int_equal(daedal_solver_diagnosis(s)->variable, 0);
    expect_text(daedal_solver_diagnosis(s)->message, "undetermined near y[0]");
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_first_variable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
