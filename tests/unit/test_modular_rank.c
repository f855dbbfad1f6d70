/* tests/unit/test_modular_rank.c - numbers as fractions modulo primes, and exact ranks. */
#include <math.h>

#include "harness.h"
#include "linalg/modular_rank.h"

/* top/bottom modulo p, by search for the bottom's inverse. */
static uint32_t ratio(uint64_t top, uint64_t bottom, uint32_t p)
{
    uint64_t r = top % p, base = bottom % p;
    for (uint32_t n = p - 2; n; n >>= 1, base = base * base % p)
        if (n & 1)
            r = r * base % p;
    return (uint32_t)r;
}

static void fractions_as_meant(void **state)
{
    (void)state;
    const struct {
        double x;
        uint64_t top, bottom;
    } CASES[] = {{0.3, 3, 10},
                 {1.0 / 3.0, 1, 3},
                 {22.0 / 7.0, 22, 7},
                 {0.1 + 0.2, 3, 10},
                 {1e-9, 1, 1000000000},
                 {4.7e-6, 47, 10000000},
                 {123456.789, 123456789, 1000},
                 {0.1234567891, 1234567891, 10000000000ull},
                 {ldexp(3.0, -40), 3, 1ull << 40},
                 {1e18, 1000000000000000000ull, 1},
                 {6.02214e23 / 6.02214e23, 1, 1}};
    for (int k = 0; k < MODULAR_PRIMES; k++)
        for (size_t i = 0; i < COUNT(CASES); i++) {
            uint32_t p = modular_primes[k];
            assert_true(modular_is_short(CASES[i].x));
            assert_int_equal(modular_of(CASES[i].x, p), ratio(CASES[i].top, CASES[i].bottom, p));
            assert_int_equal(modular_of(-CASES[i].x, p),
                             p - ratio(CASES[i].top, CASES[i].bottom, p));
        }
}

/* Numbers that are no short fractions are compared by their bits: x and x (1 + eps) differ. */
static void others_by_their_bits(void **state)
{
    (void)state;
    const double X[] = {sin(1.0), exp(1.0), sqrt(2.0) * 1e-7, log(3.0) * 1e12};
    for (size_t i = 0; i < COUNT(X); i++) {
        assert_false(modular_is_short(X[i]));
        assert_int_not_equal(modular_of(X[i], modular_primes[0]),
                             modular_of(nextafter(X[i], 2.0 * X[i]), modular_primes[0]));
        assert_int_equal(modular_of(2.0 * X[i], modular_primes[0]),
                         2ull * modular_of(X[i], modular_primes[0]) % modular_primes[0]);
    }
}

static void primes_are_prime(void **state)
{
    (void)state;
    for (int k = 0; k < MODULAR_PRIMES; k++)
        for (uint32_t q = 2; q * q < modular_primes[k] && q < 46341; q++)
            assert_int_not_equal(modular_primes[k] % q, 0);
}

/* A Hilbert matrix is regular, although double arithmetic cannot show it; a matrix with a doubled
 * row is singular. */
static void ranks(void **state)
{
    enum { N = 20 };
    (void)state;
    uint32_t p = modular_primes[0], a[N * N], b[N * N] = {0}, work[N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i * N + j] = modular_of(1.0 / (i + j + 1), p);
    assert_int_equal(modular_rank(a, N, p, work), N);
    for (int j = 0; j < N; j++) {
        b[j * N + j] = 1;
        work[j] = a[3 * N + j];
    }
    for (int j = 0; j < N; j++)
        a[7 * N + j] = (uint32_t)(5ull * work[j] % p);
    uint32_t room[N * N];
    assert_int_equal(modular_rank(a, N, p, room), N - 1);
    assert_false(modular_solve(a, b, N, p));
}

static void solutions(void **state)
{
    enum { N = 3 };
    (void)state;
    uint32_t p = modular_primes[1];
    const uint32_t A[N * N] = {0, 2, 1, 1, 1, 0, 3, 0, 1};
    uint32_t a[N * N], x[N * N] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, one[N * N];
    for (int k = 0; k < N * N; k++)
        a[k] = A[k];
    assert_true(modular_solve(a, x, N, p));
    modular_multiply(A, x, one, N, p);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert_int_equal(one[i * N + j], i == j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fractions_as_meant), cmocka_unit_test(others_by_their_bits),
        cmocka_unit_test(primes_are_prime),   cmocka_unit_test(ranks),
        cmocka_unit_test(solutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
