/* tests/unit/test_gmres.c - GMRES on small dense matrices, real and complex. */
#include "krylov/gmres.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "harness.h"
#include "seeded.h"

enum { N_MAX = 40 };

/* A dense matrix by rows, real and imaginary, and what happens when it is applied. */
typedef struct dense {
    int32_t n;
    bool is_complex;
    double complex a[N_MAX][N_MAX];
    double inverse_diagonal[N_MAX]; /* the preconditioner */
    int products, fail_at;          /* the product that fails, from 1; 0: none */
    double poison;                  /* what the preconditioner gives; 0: nothing special */
} dense;

static double complex entry(const dense *d, const double *v, int32_t i)
{
    return v[i] + (d->is_complex ? I * v[d->n + i] : 0.0);
}

static int apply(void *self, const double *v, double *out)
{
    dense *d = self;
    for (int32_t i = 0; i < d->n; i++) {
        double complex sum = 0.0;
        for (int32_t j = 0; j < d->n; j++)
            sum += d->a[i][j] * entry(d, v, j);
        out[i] = creal(sum);
        if (d->is_complex)
            out[d->n + i] = cimag(sum);
    }
    return ++d->products == d->fail_at ? DAEDAL_CALL_FAIL : DAEDAL_CALL_OK;
}

static int precondition(void *self, double *v)
{
    const dense *d = self;
    for (int32_t i = 0; i < d->n; i++) {
        v[i] *= d->inverse_diagonal[i];
        if (d->is_complex)
            v[d->n + i] *= d->inverse_diagonal[i];
    }
    if (d->poison != 0.0)
        v[0] = d->poison;
    return DAEDAL_CALL_OK;
}

/* Random, its diagonal larger by `weight`. */
static dense draw(seeded *s, int32_t n, bool is_complex, double weight)
{
    dense d = {.n = n, .is_complex = is_complex};
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++) {
            d.a[i][j] = seeded_uniform(s, -1.0, 1.0);
            if (is_complex)
                d.a[i][j] += I * seeded_uniform(s, -1.0, 1.0);
        }
        d.a[i][i] += weight;
        d.inverse_diagonal[i] = 1.0 / creal(d.a[i][i]);
    }
    return d;
}

static gmres *space(const dense *d, int32_t length, int32_t restarts, int32_t keep)
{
    gmres_size size = {.n = d->n,
                       .is_complex = d->is_complex,
                       .length = length,
                       .restarts = restarts,
                       .keep = keep};
    gmres *g = gmres_create(&size, NULL);
    assert_non_null(g);
    return g;
}

/* The weighted norm of P^-1 (b - A x). */
static double true_residual(dense *d, const double *x, const double *b, const double *w,
                            bool preconditioned)
{
    double r[2 * N_MAX], sum = 0.0;
    int32_t reals = d->is_complex ? 2 * d->n : d->n;
    apply(d, x, r);
    for (int32_t i = 0; i < reals; i++)
        r[i] = b[i] - r[i];
    if (preconditioned)
        precondition(d, r);
    for (int32_t i = 0; i < reals; i++)
        sum += pow(r[i] * (w ? w[i % d->n] : 1.0), 2);
    return sqrt(sum / d->n);
}

/* At most n products solve any regular system, and the norm that is reported is that of the
 * residual (C152).                                                               */
static void test_exact_after_n(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        seeded s = seeded_begin(seed);
        int32_t n = seeded_int(&s, 1, N_MAX);
        dense d = draw(&s, n, seed % 2 == 0, 4.0 + sqrt(n));
        double b[2 * N_MAX], x[2 * N_MAX], w[N_MAX];
        seeded_fill(&s, b, 2 * n, 1.0);
        for (int32_t i = 0; i < n; i++)
            w[i] = seeded_ratio(&s, 0.1, 10.0);
        memcpy(x, b, sizeof x);
        gmres *g = space(&d, n, 0, 0);
        gmres_problem p = {.apply = apply,
                           .precondition = seed % 3 ? precondition : NULL,
                           .self = &d,
                           .inverse_weight = w,
                           .relative = 1e-12};
        gmres_result r = gmres_solve(g, &p, x);
        double found = true_residual(&d, x, b, w, p.precondition != NULL);
        seeded_require(&s, r.verdict == GMRES_CONVERGED && r.iterations <= n, "n %d: %d products",
                       (int)n, (int)r.iterations);
        seeded_require(&s, found <= 1e-10 * r.first, "residual %g of %g", found, r.first);
        gmres_free(g);
    }
}

/* With a loose tolerance the reported residual is the true one. */
static void test_residual_is_true(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        seeded s = seeded_begin(seed);
        int32_t n = seeded_int(&s, 5, N_MAX);
        dense d = draw(&s, n, seed % 2 == 0, 5.0 + sqrt(n));
        double b[2 * N_MAX], x[2 * N_MAX];
        seeded_fill(&s, b, 2 * n, 1.0);
        memcpy(x, b, sizeof x);
        gmres *g = space(&d, n / 2, 10, seed % 4 == 3 ? 3 : 0);
        gmres_problem p = {.apply = apply, .precondition = precondition, .self = &d};
        p.relative = 1e-3;
        gmres_result r = gmres_solve(g, &p, x);
        double found = true_residual(&d, x, b, NULL, true);
        seeded_require(&s, r.verdict == GMRES_CONVERGED, "verdict %d", (int)r.verdict);
        seeded_require(&s, found <= 1.5e-3 * r.first, "%g of %g", found, r.first);
        if (seed % 4 != 3) /* complete: the estimate is exact */
            seeded_require(&s, fabs(found - r.last) <= 1e-12 * r.first, "%g, not %g", r.last,
                           found);
        gmres_free(g);
    }
}

/* A = I is solved by one product; so is any A with the inverse as preconditioner. */
static void test_breakdown_is_success(void **state)
{
    (void)state;
    dense d = {.n = 7};
    double b[7] = {1, 2, 3, 4, 5, 6, 7};
    for (int i = 0; i < 7; i++)
        d.a[i][i] = 1.0;
    gmres *g = space(&d, 7, 0, 0);
    gmres_problem p = {.apply = apply, .self = &d, .relative = 1e-14};
    gmres_result r = gmres_solve(g, &p, b);
    assert_int_equal(r.verdict, GMRES_CONVERGED);
    assert_int_equal(r.iterations, 1);
    for (int i = 0; i < 7; i++)
        expect_near(b[i], i + 1.0, 1e-13);
    for (int i = 0; i < 7; i++) {
        d.a[i][i] = pow(10.0, i);
        d.inverse_diagonal[i] = pow(10.0, -i);
    }
    p.precondition = precondition;
    r = gmres_solve(g, &p, b);
    assert_int_equal(r.iterations, 1);
    for (int i = 0; i < 7; i++)
        expect_near(b[i], (i + 1.0) * pow(10.0, -i), 1e-12 * pow(10.0, -i));
    gmres_free(g);
}

/* A zero right-hand side needs no product; one below the tolerance only the preconditioner. */
static void test_little_to_do(void **state)
{
    (void)state;
    seeded s = seeded_begin(3);
    dense d = draw(&s, 5, false, 6.0);
    double b[5] = {0};
    gmres *g = space(&d, 5, 0, 0);
    gmres_problem p = {.apply = apply, .precondition = precondition, .self = &d, .tolerance = 1.0};
    assert_int_equal(gmres_solve(g, &p, b).iterations, 0);
    assert_true(b[0] == 0.0);
    b[2] = 1e-3;
    assert_int_equal(gmres_solve(g, &p, b).iterations, 0);
    expect_near(b[2], 1e-3 * d.inverse_diagonal[2], 1e-18);
    gmres_free(g);
}

/* The rotation of the unknowns i -> i + 1 gains nothing before the n-th product: with a shorter
 * space GMRES stagnates, however often it restarts, and says so.                 */
static void test_stagnation(void **state)
{
    (void)state;
    dense d = {.n = 10};
    double b[10] = {1.0};
    for (int i = 0; i < 10; i++)
        d.a[(i + 1) % 10][i] = 1.0;
    gmres *g = space(&d, 9, 4, 0);
    gmres_problem p = {.apply = apply, .self = &d, .relative = 1e-6};
    gmres_result r = gmres_solve(g, &p, b);
    assert_int_equal(r.verdict, GMRES_SLOW);
    assert_int_equal(r.iterations, 45);
    expect_near(r.last, r.first, 1e-12);
    gmres_free(g);
}

static void test_singular(void **state)
{
    (void)state;
    dense d = {.n = 3};
    double b[3] = {0.0, 0.0, 1.0};
    d.a[0][0] = d.a[1][1] = 1.0; /* b is in the null space */
    gmres *g = space(&d, 3, 2, 0);
    gmres_problem p = {.apply = apply, .self = &d, .relative = 1e-6};
    assert_int_equal(gmres_solve(g, &p, b).verdict, GMRES_SINGULAR);
    gmres_free(g);
}

/* What is not finite, and a function that fails: named, and b stays. */
static void test_bad_functions(void **state)
{
    (void)state;
    seeded s = seeded_begin(5);
    dense d = draw(&s, 6, false, 3.0);
    double b[6] = {1, 2, 3, 4, 5, 6};
    gmres *g = space(&d, 6, 0, 0);
    gmres_problem p = {.apply = apply, .precondition = precondition, .self = &d, .relative = 1e-9};
    d.poison = NAN;
    gmres_result r = gmres_solve(g, &p, b);
    assert_int_equal(r.verdict, GMRES_NOT_FINITE);
    assert_true(r.by_precondition && b[1] == 2.0);
    d.poison = 0.0;
    d.products = 0;
    d.fail_at = 2;
    r = gmres_solve(g, &p, b);
    assert_int_equal(r.verdict, GMRES_ENDED);
    assert_int_equal(r.answer, DAEDAL_CALL_FAIL);
    assert_true(!r.by_precondition && b[1] == 2.0);
    d.fail_at = 0;
    d.a[2][3] = INFINITY;
    r = gmres_solve(g, &p, b);
    assert_int_equal(r.verdict, GMRES_NOT_FINITE);
    assert_true(b[5] == 6.0);
    gmres_free(g);
}

/* A preconditioner that leaves small eigenvalues hides errors from the residual; bounds_error sees
 * them.                                                                          */
static void test_error_is_bounded(void **state)
{
    (void)state;
    dense d = {.n = 30};
    double b[30], plain[30], bounded[30], worst[2] = {0.0, 0.0};
    for (int i = 0; i < 30; i++) {
        d.a[i][i] = pow(0.8, i);
        b[i] = 1.0;
    }
    memcpy(plain, b, sizeof b);
    memcpy(bounded, b, sizeof b);
    gmres *g = space(&d, 30, 0, 0);
    gmres_problem p = {.apply = apply, .self = &d, .tolerance = 1e-2};
    assert_int_equal(gmres_solve(g, &p, plain).verdict, GMRES_CONVERGED);
    p.bounds_error = true;
    assert_int_equal(gmres_solve(g, &p, bounded).verdict, GMRES_CONVERGED);
    for (int i = 0; i < 30; i++) {
        double x = b[i] / creal(d.a[i][i]);
        worst[0] = fmax(worst[0], fabs(plain[i] - x));
        worst[1] = fmax(worst[1], fabs(bounded[i] - x));
    }
    assert_true(worst[1] < 0.2 * worst[0]);
    gmres_free(g);
}

static void test_memory(void **state)
{
    (void)state;
    ledger books;
    gmres_size size = {.n = 10, .is_complex = true, .length = 5, .restarts = 1};
    for (long k = 1; k <= 2; k++) {
        ledger_open(&books);
        books.refuse = k;
        assert_null(gmres_create(&size, &books.allocator));
        ledger_expect_empty(&books);
    }
    ledger_open(&books);
    gmres_free(gmres_create(&size, &books.allocator));
    ledger_expect_empty(&books);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_after_n),
        cmocka_unit_test(test_residual_is_true),
        cmocka_unit_test(test_breakdown_is_success),
        cmocka_unit_test(test_little_to_do),
        cmocka_unit_test(test_stagnation),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_bad_functions),
        cmocka_unit_test(test_error_is_bounded),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
