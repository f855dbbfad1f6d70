/* tests/property/test_bdf_grid.c - the BDF step on random grids: predictor, corrector and
 * differences against polynomials built without them (C121, C122, C123).
 *
 * The integrator is given a history of our own and takes one real step; what it computed
 * is compared with Lagrange interpolation.                                        */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "driving.h"
#include "seeded.h"

enum { SEEDS = 200, POINTS = BDF_ORDER_MAX + 2 };

/* One step: a grid, the function it remembers, and where F sends it. */
typedef struct scene {
    seeded random;
    int32_t order;
    bool classic;
    double times[POINTS], h; /* newest first                                    */
    double coefficient[POINTS];
    int32_t degree;
    double target; /* F = y - target; NAN: F = y' - p'(t)                       */
} scene;

/* p in powers of (t - t_n)/h. */
static double polynomial(double t, const void *user)
{
    const scene *sc = user;
    double s = (t - sc->times[0]) / sc->h, p = 0.0;
    for (int32_t i = sc->degree; i >= 0; i--)
        p = p * s + sc->coefficient[i];
    return p;
}

static double slope(double t, const scene *sc)
{
    double s = (t - sc->times[0]) / sc->h, p = 0.0;
    for (int32_t i = sc->degree; i >= 1; i--)
        p = p * s + i * sc->coefficient[i];
    return p / sc->h;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const scene *sc = user;
    r[0] = isnan(sc->target) ? yp[0] - slope(t, sc) : y[0] - sc->target;
    return DAEDAL_CALL_OK;
}

/* Steps between half and twice the new one, in either direction of time. */
static scene make_scene(uint32_t seed, int32_t order, bool classic)
{
    scene sc = {.random = seeded_begin(seed), .order = order, .classic = classic, .target = NAN};
    sc.h = seeded_sign(&sc.random) * seeded_ratio(&sc.random, 1e-6, 1e3);
    sc.times[0] = seeded_uniform(&sc.random, -10.0, 10.0) * sc.h;
    for (int32_t i = 1; i < POINTS; i++)
        sc.times[i] = sc.times[i - 1] - sc.h * seeded_ratio(&sc.random, 0.5, 2.0);
    seeded_fill(&sc.random, sc.coefficient, POINTS, 1.0);
    sc.degree = order;
    return sc;
}

/* The integrator with the scene's past of n_times points, one step further. */
static void take_step(kernel *k, scene *sc, int32_t n_times)
{
    daedal_system sys = {.n = 1, .residual = residual, .user = sc};
    const char *options = sc->classic ? "method=bdf_classic rtol=1 atol=1e9 start=given"
                                      : "method=bdf rtol=1 atol=1e9 start=given";
    double y0 = 1.0, yp0 = 0.0;
    kernel_open(k, &sys, options, sc->times[0], &y0, &yp0);
    history past = {sc->times, n_times, sc->order, sc->h};
    kernel_remember(k, &past, polynomial, sc);
    assert_int_equal(bdf_step(k->b, sc->times[0] + 1e6 * sc->h), DAEDAL_OK);
}

static double size_of_past(const scene *sc)
{
    double size = 1.0;
    for (int32_t i = 0; i <= sc->order + 1; i++)
        size = fmax(size, fabs(polynomial(sc->times[i], sc)));
    return size;
}

static void near(const scene *sc, const char *what, double found, double wanted, double size)
{
    seeded_require(&sc->random, fabs(found - wanted) <= 1e-11 * size,
                   "order %d, %s: %s is %.17g, not %.17g", (int)sc->order,
                   sc->classic ? "bdf_classic" : "bdf", what, found, wanted);
}

/* ---- the reference: Lagrange interpolation ------------------------------------- */

/* Value and derivative at t of the polynomial through the points. */
static double lagrange(const double *t, const double *y, int32_t n, double at, bool derivative)
{
    double sum = 0.0;
    for (int32_t j = 0; j < n; j++) {
        double value = 1.0, change = 0.0;
        for (int32_t i = 0; i < n; i++) {
            if (i == j)
                continue;
            change = (change * (at - t[i]) + value) / (t[j] - t[i]);
            value *= (at - t[i]) / (t[j] - t[i]);
        }
        sum += y[j] * (derivative ? change : value);
    }
    return sum;
}

typedef void case_fn(scene *sc);

/* Every order of both methods, with every seed. */
static void for_all(case_fn *check)
{
    for (int classic = 0; classic <= 1; classic++)
        for (int32_t order = 1; order <= (classic ? 5 : 6); order++)
            for (uint32_t seed = 1; seed <= SEEDS; seed++) {
                scene sc = make_scene(seed, order, classic);
                check(&sc);
            }
}

/* ---- the theorems ----------------------------------------------------------------- */

/* [BCP96] (5.2.2): y0 and y0' are exact for polynomials of degree k. */
static void check_predictor(scene *sc)
{
    kernel k;
    take_step(&k, sc, sc->order + 1);
    double t = sc->times[0] + sc->h, size = size_of_past(sc);
    near(sc, "the prediction", k.b->y_pred[0], polynomial(t, sc), size);
    near(sc, "the predicted slope times h", sc->h * k.b->yp_pred[0], sc->h * slope(t, sc), size);
    kernel_close(&k);
}

static void c121_predictor_exact_for_degree_k(void **state)
{
    (void)state;
    for_all(check_predictor);
}

/* Both correctors reproduce polynomials of degree k, whatever the steps. */
static void check_corrector_exact(scene *sc)
{
    kernel k;
    take_step(&k, sc, sc->order + 1);
    double t = sc->times[0] + sc->h, size = size_of_past(sc);
    near(sc, "the time times 1/h", k.b->t / sc->h, t / sc->h, 10.0);
    near(sc, "y", k.b->y[0], polynomial(t, sc), size);
    near(sc, "h y'", sc->h * k.b->yp[0], sc->h * slope(t, sc), size);
    kernel_close(&k);
}

static void c122_corrector_exact_for_degree_k(void **state)
{
    (void)state;
    for_all(check_corrector_exact);
}

/* What makes the formulas BDF.  The value y_{n+1} is arbitrary here.  Variable
 * coefficients: y' is the slope of the polynomial through y_{n+1} .. y_{n+1-k}.  Fixed
 * leading coefficient ([BCP96] (5.2.3)): through y_{n+1} and the predictor at
 * t_{n+1} - i h, i = 1 .. k.                                                       */
static void check_corrector_defined(scene *sc)
{
    kernel k;
    sc->target = seeded_uniform(&sc->random, -3.0, 3.0);
    sc->degree = sc->order + 1; /* beyond what the predictor reproduces */
    take_step(&k, sc, sc->order + 1);
    double t[POINTS], y[POINTS], past[POINTS];
    for (int32_t i = 0; i <= sc->order; i++)
        past[i] = polynomial(sc->times[i], sc);
    t[0] = sc->times[0] + sc->h;
    y[0] = sc->target;
    for (int32_t i = 1; i <= sc->order; i++) {
        t[i] = sc->classic ? t[0] - i * sc->h : sc->times[i - 1];
        y[i] = sc->classic ? lagrange(sc->times, past, sc->order + 1, t[i], false) : past[i - 1];
    }
    double wanted = lagrange(t, y, sc->order + 1, t[0], true);
    near(sc, "y", k.b->y[0], sc->target, 1.0);
    near(sc, "h y'", sc->h * k.b->yp[0], sc->h * wanted, 10.0 * size_of_past(sc));
    kernel_close(&k);
}

static void c122_corrector_is_derivative_of_its_polynomial(void **state)
{
    (void)state;
    for_all(check_corrector_defined);
}

/* phi_{k+2}(n+1) = y - y0, and with it all phi_i(n+1) are the scaled divided differences
 * on the new grid; also phi_{k+3} where the past reached one point further.       */
static void check_differences(scene *sc)
{
    kernel k;
    int32_t n_times = sc->order + 1 + (int32_t)(sc->random.seed % 2);
    sc->target = seeded_uniform(&sc->random, -3.0, 3.0);
    sc->degree = sc->order + 1;
    take_step(&k, sc, n_times);
    double times[BDF_DIFFERENCES], values[BDF_DIFFERENCES], phi[BDF_DIFFERENCES];
    times[0] = sc->times[0] + sc->h;
    values[0] = sc->target;
    for (int32_t i = 0; i < n_times; i++) {
        times[i + 1] = sc->times[i];
        values[i + 1] = polynomial(sc->times[i], sc);
    }
    scaled_differences(times, values, n_times + 1, phi);
    double size = 100.0 * size_of_past(sc);
    near(sc, "y - y0", k.b->e[0], phi[sc->order + 1], size);
    near(sc, "phi_{k+2}", k.b->history.phi[sc->order + 1][0], sc->target - k.b->y_pred[0], size);
    assert_int_equal(k.b->history.n_valid, n_times + 1);
    for (int32_t i = 0; i <= n_times; i++)
        near(sc, "a difference", k.b->history.phi[i][0], phi[i], size);
    for (int32_t i = 0; i < n_times; i++)
        near(sc, "psi/h", k.b->history.psi[i] / sc->h, (times[0] - times[i + 1]) / sc->h, 100.0);
    kernel_close(&k);
}

static void c123_last_difference_is_the_correction(void **state)
{
    (void)state;
    for_all(check_differences);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c121_predictor_exact_for_degree_k),
        cmocka_unit_test(c122_corrector_exact_for_degree_k),
        cmocka_unit_test(c122_corrector_is_derivative_of_its_polynomial),
        cmocka_unit_test(c123_last_difference_is_the_correction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
