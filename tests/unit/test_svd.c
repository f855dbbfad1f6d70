/* tests/unit/test_svd.c - the decomposition is one, also of matrices with rows and columns of
 * zeros. */
#include <math.h>

#include "linalg/svd.h"

#include "harness.h"
#include "seeded.h"

enum { N_MAX = 9, TRIALS = 200 };
static const double ROUNDING = 1e-13;

/* Sparse, with rows and columns of zeros whose number changes from trial to trial. */
static void fill(seeded *s, svd *d, double *copy)
{
    int32_t n = d->n, row_part = seeded_int(s, 1, 4), column_part = seeded_int(s, 1, 4);
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = 0; i < n; i++) {
            bool is_zero = i % 4 >= row_part || j % 4 >= column_part || seeded_int(s, 0, 2) == 0;
            copy[j * n + i] = d->a[j * n + i] = is_zero ? 0.0 : seeded_uniform(s, -1.0, 1.0);
        }
}

/* How far U diag(s) Vt is from the matrix, and U'U and Vt Vt' from the identity. */
static double defect(const svd *d, const double *a)
{
    double largest = 0.0;
    int32_t n = d->n;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            double product = 0.0, left = 0.0, right = 0.0, unit = i == j ? 1.0 : 0.0;
            for (int32_t k = 0; k < n; k++) {
                product += d->u[k * n + i] * d->s[k] * d->vt[j * n + k];
                left += d->u[i * n + k] * d->u[j * n + k];
                right += d->vt[i * n + k] * d->vt[j * n + k];
            }
            largest = fmax(largest, fabs(product - a[j * n + i]));
            largest = fmax(largest, fmax(fabs(left - unit), fabs(right - unit)));
        }
    return largest;
}

static void decompositions_are_right(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= TRIALS; seed++) {
        seeded s = seeded_begin(seed);
        double copy[N_MAX * N_MAX];
        svd d;
        assert_true(svd_create(&d, seeded_int(&s, 1, N_MAX), NULL));
        fill(&s, &d, copy);
        seeded_require(&s, svd_decompose(&d), "it converges");
        double error = defect(&d, copy);
        seeded_require(&s, error < ROUNDING, "off by %g", error);
        for (int32_t k = 1; k < d.n; k++)
            seeded_require(&s, d.s[k] <= d.s[k - 1], "singular values descend");
        svd_free(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(decompositions_are_right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
