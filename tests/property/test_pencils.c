/* tests/property/test_pencils.c - random Kronecker structures are found again, after random changes
 * of equations and variables and of their units.                                     */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "seeded.h"

enum { SIZE = 40, BLOCKS = 4, CASES = SANITIZED ? 300 : 2916 };

/* lambda E - A, by columns. */
typedef struct pencil {
    int32_t rows, cols;
    double e[SIZE * SIZE], a[SIZE * SIZE];
} pencil;

typedef struct structure {
    int32_t right[BLOCKS], left[BLOCKS], infinite[BLOCKS];
    int32_t n_right, n_left, n_infinite, n_finite;
    double eigenvalue[BLOCKS];
} structure;

static double *entry(double *x, int32_t i, int32_t j)
{
    return &x[j * SIZE + i];
}

/* Ones on the diagonal `shift` above the main one, in a block that begins at the end of both. */
static void put_ones(pencil *p, double *x, int32_t n, int32_t down, int32_t across)
{
    for (int32_t k = 0; k < n; k++)
        *entry(x, p->rows + k + down, p->cols + k + across) = 1.0;
}

static void add_block(pencil *p, int32_t rows, int32_t cols)
{
    p->rows += rows;
    p->cols += cols;
}

static int ascending(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

static int32_t choose(seeded *s, int32_t *at, int32_t low, int32_t high)
{
    int32_t n = seeded_int(s, 0, 2);
    for (int32_t k = 0; k < n; k++)
        at[k] = seeded_int(s, low, high);
    qsort(at, (size_t)n, sizeof *at, ascending);
    return n;
}

static void build(seeded *s, pencil *p, structure *x, bool regular)
{
    memset(p, 0, sizeof *p);
    memset(x, 0, sizeof *x);
    x->n_right = regular ? 0 : choose(s, x->right, 0, 3);
    x->n_left = regular ? 0 : choose(s, x->left, 0, 3);
    x->n_infinite = choose(s, x->infinite, 1, 4);
    x->n_finite = seeded_int(s, 0, 3);
    for (int32_t b = 0; b < x->n_right; b++) {
        int32_t k = x->right[b];
        put_ones(p, p->e, k, 0, 0);
        put_ones(p, p->a, k, 0, 1);
        add_block(p, k, k + 1);
    }
    for (int32_t b = 0; b < x->n_left; b++) {
        int32_t k = x->left[b];
        put_ones(p, p->e, k, 0, 0);
        put_ones(p, p->a, k, 1, 0);
        add_block(p, k + 1, k);
    }
    for (int32_t b = 0; b < x->n_infinite; b++) {
        int32_t k = x->infinite[b];
        put_ones(p, p->e, k - 1, 0, 1);
        put_ones(p, p->a, k, 0, 0);
        add_block(p, k, k);
    }
    for (int32_t b = 0; b < x->n_finite; b++) {
        x->eigenvalue[b] = 1.5 * b - 2.0 + seeded_uniform(s, 0.0, 0.5);
        put_ones(p, p->e, 1, 0, 0);
        *entry(p->a, p->rows, p->cols) = x->eigenvalue[b];
        add_block(p, 1, 1);
    }
}

/* x = L x R with L and R near multiples of the identity, and units. */
static void transform(pencil *p, double *x, const double *left, const double *right,
                      const double *units)
{
    static double half[SIZE * SIZE];
    memset(half, 0, sizeof half);
    for (int32_t i = 0; i < p->rows; i++)
        for (int32_t j = 0; j < p->cols; j++)
            for (int32_t k = 0; k < p->rows; k++)
                *entry(half, i, j) += left[k * SIZE + i] * *entry(x, k, j);
    for (int32_t i = 0; i < p->rows; i++)
        for (int32_t j = 0; j < p->cols; j++) {
            double sum = 0.0;
            for (int32_t k = 0; k < p->cols; k++)
                sum += *entry(half, i, k) * right[j * SIZE + k];
            *entry(x, i, j) = sum * units[i] * units[SIZE + j];
        }
}

static void change(seeded *s, pencil *p, double unit)
{
    static double left[SIZE * SIZE], right[SIZE * SIZE], units[2 * SIZE];
    seeded_fill(s, left, SIZE * SIZE, 0.4);
    seeded_fill(s, right, SIZE * SIZE, 0.4);
    for (int32_t k = 0; k < SIZE; k++) {
        left[k * SIZE + k] += 2.0;
        right[k * SIZE + k] += 2.0;
    }
    for (int32_t k = 0; k < 2 * SIZE; k++)
        units[k] = seeded_ratio(s, 1.0 / unit, unit);
    transform(p, p->e, left, right, units);
    transform(p, p->a, left, right, units);
}

static void pack(const pencil *p, double *e, double *a)
{
    for (int32_t j = 0; j < p->cols; j++)
        for (int32_t i = 0; i < p->rows; i++) {
            e[j * p->rows + i] = p->e[j * SIZE + i];
            a[j * p->rows + i] = p->a[j * SIZE + i];
        }
}

static bool same(const int32_t *found, int32_t n_found, const int32_t *wanted, int32_t n)
{
    return n_found == n && (n == 0 || memcmp(found, wanted, (size_t)n * sizeof *found) == 0);
}

static bool same_falling(const int32_t *found, int32_t n_found, const int32_t *wanted, int32_t n)
{
    bool equal = n_found == n;
    for (int32_t k = 0; k < n && equal; k++)
        equal = found[k] == wanted[n - 1 - k];
    return equal;
}

static void expect_structure(const seeded *s, const daedal_pencil_structure *f, const structure *x)
{
    int32_t infinite = 0;
    for (int32_t b = 0; b < x->n_infinite; b++)
        infinite += x->infinite[b];
    seeded_require(
        s,
        same(f->right, f->n_right, x->right, x->n_right) &&
            same(f->left, f->n_left, x->left, x->n_left) &&
            same_falling(f->infinite_blocks, f->n_infinite_blocks, x->infinite, x->n_infinite) &&
            f->n_finite == x->n_finite && f->n_infinite == infinite,
        "%d right, %d left, %d infinite blocks, %d finite; wanted %d, %d, %d, %d; kept "
        "%.1e, dropped %.1e",
        (int)f->n_right, (int)f->n_left, (int)f->n_infinite_blocks, (int)f->n_finite,
        (int)x->n_right, (int)x->n_left, (int)x->n_infinite, (int)x->n_finite, f->kept, f->dropped);
    for (int32_t k = 0; k < x->n_finite; k++) {
        double off = fabs(f->real[k] - x->eigenvalue[x->n_finite - 1 - k]);
        seeded_require(s, off < 1e-5 && fabs(f->imaginary[k]) < 1e-5, "eigenvalue off by %.1e",
                       off);
    }
}

static void try_structures(bool regular, double unit)
{
    static double e[SIZE * SIZE], a[SIZE * SIZE];
    for (uint32_t seed = 1; seed <= CASES / 3; seed++) {
        seeded s = seeded_begin(seed + (regular ? 10000u : unit > 1.0 ? 20000u : 0u));
        pencil p;
        structure x;
        daedal_pencil_structure *found;
        daedal_diagnosis why;
        build(&s, &p, &x, regular);
        change(&s, &p, unit);
        pack(&p, e, a);
        daedal_pencil given = {p.rows, p.cols, e, a};
        seeded_require(&s, daedal_pencil_analyze(&given, 0.0, &found, &why) == DAEDAL_OK,
                       "it is not analysed");
        expect_structure(&s, found, &x);
        daedal_pencil_structure_free(found);
    }
}

static void singular_and_rectangular(void **state)
{
    (void)state;
    try_structures(false, 1.0);
}

static void regular(void **state)
{
    (void)state;
    try_structures(true, 1.0);
}

static void other_units(void **state)
{
    (void)state;
    try_structures(false, 1e5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(singular_and_rectangular),
                                       cmocka_unit_test(regular), cmocka_unit_test(other_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
