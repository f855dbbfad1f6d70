/* tests/conformance/c004_pencils.c - linear pencils, by the tests' own algebra and by the library:
 * the Weierstrass form C004, degrees of circuits C024, C025, characteristic values C026, C027,
 * differences for a start C165.  And a system whose rank changes, C011, as a model.  */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "linalg/difference_weights.h"
#include "modelling.h"
#include "seeded.h"
#include "small_dense.h"

enum { MOST = 8 };

/* rows x cols, by rows. */
typedef struct matrix {
    int32_t rows, cols;
    double at[MOST * MOST];
} matrix;

static matrix of_size(int32_t rows, int32_t cols)
{
    return (matrix){rows, cols, {0}};
}

static double *entry(matrix *m, int32_t i, int32_t j)
{
    return &m->at[i * m->cols + j];
}

static matrix transposed(matrix a)
{
    matrix t = of_size(a.cols, a.rows);
    for (int32_t i = 0; i < a.rows; i++)
        for (int32_t j = 0; j < a.cols; j++)
            *entry(&t, j, i) = *entry(&a, i, j);
    return t;
}

static matrix product(matrix a, matrix b)
{
    matrix p = of_size(a.rows, b.cols);
    assert_int_equal(a.cols, b.rows);
    for (int32_t i = 0; i < a.rows; i++)
        for (int32_t j = 0; j < b.cols; j++)
            for (int32_t k = 0; k < a.cols; k++)
                *entry(&p, i, j) += *entry(&a, i, k) * *entry(&b, k, j);
    return p;
}

static matrix sum(matrix a, double times, matrix b)
{
    for (int32_t k = 0; k < a.rows * a.cols; k++)
        a.at[k] += times * b.at[k];
    return a;
}

static double largest(const matrix *a)
{
    double most = 0.0;
    for (int32_t k = 0; k < a->rows * a->cols; k++)
        most = fmax(most, fabs(a->at[k]));
    return most;
}

static matrix inverse(matrix a)
{
    matrix b = of_size(a.rows, a.cols);
    if (a.rows > 0)
        assert_true(small_invert(a.rows, a.at, b.at));
    return b;
}

/* Columns that span { x : A x = 0 }, by elimination with complete pivoting; empty ones too. */
static matrix null_space(matrix a)
{
    int32_t rank = 0, column[MOST];
    double scale = fmax(largest(&a), 1.0); /* everything here is of size one, or zero */
    for (int32_t j = 0; j < a.cols; j++)
        column[j] = j;
    for (; rank < a.rows && rank < a.cols; rank++) {
        int32_t p = rank, q = rank;
        for (int32_t i = rank; i < a.rows; i++)
            for (int32_t j = rank; j < a.cols; j++)
                if (fabs(*entry(&a, i, j)) > fabs(*entry(&a, p, q)))
                    p = i, q = j;
        if (fabs(*entry(&a, p, q)) < 1e-9 * scale)
            break;
        for (int32_t j = 0; j < a.cols; j++) {
            double kept = *entry(&a, rank, j);
            *entry(&a, rank, j) = *entry(&a, p, j);
            *entry(&a, p, j) = kept;
        }
        for (int32_t i = 0; i < a.rows; i++) {
            double kept = *entry(&a, i, rank);
            *entry(&a, i, rank) = *entry(&a, i, q);
            *entry(&a, i, q) = kept;
        }
        int32_t moved = column[rank];
        column[rank] = column[q];
        column[q] = moved;
        double pivot = *entry(&a, rank, rank);
        for (int32_t j = 0; j < a.cols; j++)
            *entry(&a, rank, j) /= pivot;
        for (int32_t i = 0; i < a.rows; i++) {
            double times = *entry(&a, i, rank);
            for (int32_t j = 0; j < a.cols && i != rank; j++)
                *entry(&a, i, j) -= times * *entry(&a, rank, j);
        }
    }
    matrix n = of_size(a.cols, a.cols - rank);
    for (int32_t k = 0; k < n.cols; k++) {
        *entry(&n, column[rank + k], k) = 1.0;
        for (int32_t i = 0; i < rank; i++)
            *entry(&n, column[i], k) = -*entry(&a, i, rank + k);
    }
    return n;
}

static int32_t rank_of(matrix a)
{
    return a.cols - null_space(a).cols;
}

/* ---- the same by the library ---- */

static void by_columns(const matrix *m, double *to)
{
    for (int32_t i = 0; i < m->rows; i++)
        for (int32_t j = 0; j < m->cols; j++)
            to[j * m->rows + i] = m->at[i * m->cols + j];
}

static daedal_pencil_structure *structure_of(matrix e, matrix a)
{
    double columns_e[MOST * MOST], columns_a[MOST * MOST];
    daedal_pencil_structure *found = NULL;
    by_columns(&e, columns_e);
    by_columns(&a, columns_a);
    daedal_pencil p = {e.rows, e.cols, columns_e, columns_a};
    assert_int_equal(daedal_pencil_analyze(&p, 0.0, &found, NULL), DAEDAL_OK);
    return found;
}

/* ---- C026, C027: [Kunkel, Mehrmann] r, a, s, d, u, v of E x' = A x + f ----------------- */

typedef struct characteristics {
    int32_t r, a, s, d, u, v;
} characteristics;

static characteristics characterise(matrix e, matrix a)
{
    matrix t = null_space(e), z = null_space(transposed(e));
    matrix rest = null_space(transposed(t)); /* T', a complement of T */
    matrix inner = product(product(transposed(z), a), t);
    matrix left = null_space(transposed(inner)); /* V */
    matrix outer = product(transposed(left), product(product(transposed(z), a), rest));
    characteristics c = {.r = rank_of(e), .a = rank_of(inner), .s = rank_of(outer)};
    c.d = c.r - c.s;
    c.u = e.cols - c.r - c.a;
    c.v = e.rows - c.r - c.a - c.s;
    return c;
}

static void expect_characteristics(matrix e, matrix a, characteristics wanted)
{
    characteristics c = characterise(e, a);
    assert_memory_equal(&c, &wanted, sizeof c);
    daedal_pencil_structure *f = structure_of(e, a);
    characteristics library = {f->r, f->a, f->s, f->d, f->u, f->v};
    assert_memory_equal(&library, &wanted, sizeof library);
    daedal_pencil_structure_free(f);
}

static matrix random_regular(seeded *s, int32_t n)
{
    matrix m = of_size(n, n);
    seeded_fill(s, m.at, n * n, 0.4);
    for (int32_t i = 0; i < n; i++)
        *entry(&m, i, i) += 2.0;
    return m;
}

/* (P E Q, P A Q - P E R) has the same values for all regular P, Q and any R. */
static void expect_kept(matrix e, matrix a, characteristics wanted)
{
    expect_characteristics(e, a, wanted);
    for (uint32_t seed = 1; seed <= 10; seed++) {
        seeded s = seeded_begin(seed);
        matrix p = random_regular(&s, e.rows), q = random_regular(&s, e.cols);
        matrix r = random_regular(&s, e.cols), pe = product(p, e);
        matrix turned = sum(product(product(p, a), q), -1.0, product(pe, r));
        expect_characteristics(product(pe, q), turned, wanted);
    }
}

static void c026_characteristic_values(void **state)
{
    (void)state;
    /* an RC circuit: x1 - x3 = U, x3' - x2' + x1 - x2 = 0, x3 = 0 */
    matrix e = {3, 3, {0, 0, 0, 0, -1, 1, 0, 0, 0}}, a = {3, 3, {1, 0, -1, -1, 1, 0, 0, 0, 1}};
    expect_kept(e, a, (characteristics){1, 2, 0, 1, 0, 0});
    matrix e2 = {3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 0}}, a2 = {3, 3, {0, 0, 0, 0, 0, 0, 0, 0, 1}};
    expect_kept(e2, a2, (characteristics){2, 1, 0, 2, 0, 0});
    /* of Stokes type: v' = ... + B p, B' v = 0 with n1 = 2 pressures, n2 = 1 velocity more */
    matrix e3 = of_size(5, 5), a3 = of_size(5, 5);
    for (int32_t i = 0; i < 3; i++)
        *entry(&e3, i, i) = *entry(&a3, i, i) = 1.0;
    for (int32_t k = 0; k < 2; k++)
        *entry(&a3, k, 3 + k) = *entry(&a3, 3 + k, k) = 1.0;
    expect_kept(e3, a3, (characteristics){3, 0, 2, 1, 2, 0});
}

static void c027_rectangular(void **state)
{
    (void)state;
    matrix e = {1, 2, {1, 0}}, a = {1, 2, {0, 1}};
    expect_characteristics(e, a, (characteristics){1, 0, 0, 1, 1, 0});
    expect_characteristics(transposed(e), transposed(a), (characteristics){1, 0, 1, 0, 0, 0});
    daedal_pencil_structure *wide = structure_of(e, a);
    daedal_pencil_structure *tall = structure_of(transposed(e), transposed(a));
    assert_int_equal(wide->n_right, 1);
    assert_int_equal(wide->right[0], 1);
    assert_int_equal(wide->n_left + wide->n_finite + wide->n_infinite, 0);
    assert_int_equal(tall->n_left, 1);
    assert_int_equal(tall->left[0], 1);
    assert_int_equal(tall->n_right + tall->n_finite + tall->n_infinite, 0);
    daedal_pencil_structure_free(wide);
    daedal_pencil_structure_free(tall);
}

/* ---- C024, C025: how many states circuits have ----------------------------------------- */

static void expect_poles(matrix e, matrix a, bool regular, int32_t n, double pole)
{
    daedal_pencil_structure *f = structure_of(e, a);
    assert_int_equal(f->is_regular, regular);
    assert_int_equal(f->n_finite, n);
    if (n == 1)
        expect_near(f->real[0], pole, 1e-12 * fabs(pole));
    daedal_pencil_structure_free(f);
}

/* [BCP96] (1.3.12): det = g^2 - lambda C (G + g) without parasitics, of degree 2 with them. */
static void c024_hazony(void **state)
{
    (void)state;
    const double g = 0.7, G = 0.1, C = 2e-3;
    for (int k = 0; k < 2; k++) {
        double c1 = k * 1e-6, c2 = k * 2e-6, g1 = k * 1e-4, g2 = k * 2e-4, g3 = k * 3e-4;
        matrix e = {3, 3, {c1, 0, 0, 0, c2, 0, C, -c2, 0}};
        matrix a = {3, 3, {-g1, -g, -1, -g, -G - g2, 1, -g3, g3, 1}};
        expect_poles(e, a, true, k ? 2 : 1, g * g / (C * (G + g)));
    }
}

/* [BCP96] (6.4.3), (6.4.4) with its last row put right: det = G2 G3 - G1 G4, and
 * lambda C (G1 G4 - G2 G3) - G1 G2 G3.                                           */
static void c025_amplifier(void **state)
{
    (void)state;
    const double g1 = 1e-3, g2 = 2e-3, g4 = 4e-3, c = 1e-6;
    const double THIRD[] = {1.9e-3, 2e-3, 2.1e-3};
    for (size_t k = 0; k < COUNT(THIRD); k++) {
        double g3 = THIRD[k];
        bool balanced = k == 1;
        matrix none = of_size(6, 6), e = of_size(5, 5);
        matrix a = {6, 6, {g1, -g1, 0,       0,   1, 0, -g1, g1 + g2, -g2, 0,       0, 0,
                           0,  -g2, g2 + g4, -g4, 0, 1, 0,   0,       -g4, g3 + g4, 0, 0,
                           1,  0,   0,       0,   0, 0, 0,   1,       0,   -1,      0, 0}};
        expect_poles(none, a, !balanced, 0, 0.0);
        matrix h = {5, 5, {-g1, g1, 0, 0, 0,  g1,       -g1 - g2, g2, 0,  0, 0, g2, -g2 - g4,
                           g4,  -1, 0, 0, g4, -g3 - g4, 0,        0,  -1, 0, 1, 0}};
        *entry(&e, 0, 0) = c;
        expect_poles(e, h, true, balanced ? 0 : 1, g1 * g2 * g3 / (c * (g1 * g4 - g2 * g3)));
    }
}

/* ---- C004 ---------------------------------------------------------------------------------- */

static matrix columns_of(matrix a, matrix b)
{
    matrix both = of_size(a.rows, a.cols + b.cols);
    for (int32_t i = 0; i < a.rows; i++) {
        for (int32_t j = 0; j < a.cols; j++)
            *entry(&both, i, j) = *entry(&a, i, j);
        for (int32_t j = 0; j < b.cols; j++)
            *entry(&both, i, a.cols + j) = *entry(&b, i, j);
    }
    return both;
}

static matrix part_of(matrix a, int32_t first, int32_t n)
{
    matrix p = of_size(n, n);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            *entry(&p, i, j) = *entry(&a, first + i, first + j);
    return p;
}

static matrix diagonal_of(matrix a, matrix b)
{
    matrix d = of_size(a.rows + b.rows, a.rows + b.rows);
    for (int32_t i = 0; i < d.rows; i++)
        for (int32_t j = 0; j < d.rows; j++)
            if (i < a.rows && j < a.rows)
                *entry(&d, i, j) = *entry(&a, i, j);
            else if (i >= a.rows && j >= a.rows)
                *entry(&d, i, j) = *entry(&b, i - a.rows, j - a.rows);
    return d;
}

static matrix identity(int32_t n)
{
    matrix m = of_size(n, n);
    for (int32_t i = 0; i < n; i++)
        *entry(&m, i, i) = 1.0;
    return m;
}

/* With W = (c A + B)^-1 A: its powers split the space into what stays and what vanishes; in a basis
 * of both, W = diag(J, N0), from which P A Q = diag(I, N), P B Q = diag(C, I).       */
static void expect_weierstrass(seeded *s, matrix a, matrix b, int32_t n_finite, int32_t index)
{
    const double c = 1.7;
    int32_t n = a.rows, n_nil = n - n_finite;
    matrix shifted = inverse(sum(b, c, a)), w = product(shifted, a), power = identity(n);
    for (int32_t k = 0; k < index; k++)
        power = product(power, w);
    matrix vanishing = null_space(power), left = null_space(transposed(power));
    seeded_require(s, vanishing.cols == n_nil, "%d of %d vanish", (int)vanishing.cols, (int)n_nil);
    matrix staying = null_space(transposed(left)); /* the range of the power */
    matrix q = columns_of(staying, vanishing), turned = product(product(inverse(q), w), q);
    matrix j = part_of(turned, 0, n_finite), n0 = part_of(turned, n_finite, n_nil);
    matrix scale = diagonal_of(inverse(j), inverse(sum(identity(n_nil), -c, n0)));
    matrix p = product(scale, product(inverse(q), shifted));
    matrix nil = product(inverse(sum(identity(n_nil), -c, n0)), n0);
    matrix finite = sum(inverse(j), -c, identity(n_finite));
    matrix off_a = sum(product(product(p, a), q), -1.0, diagonal_of(identity(n_finite), nil));
    matrix off_b = sum(product(product(p, b), q), -1.0, diagonal_of(finite, identity(n_nil)));
    double cond = 1.0 + largest(&p) * largest(&q) * fmax(largest(&a), largest(&b));
    matrix vanished = identity(n_nil);
    for (int32_t k = 0; k < index; k++)
        vanished = product(vanished, nil);
    seeded_require(s,
                   largest(&off_a) < 1e-10 * cond && largest(&off_b) < 1e-10 * cond &&
                       largest(&vanished) < 1e-9 * cond,
                   "residuals %.1e, %.1e, nilpotent %.1e, condition %.1e", largest(&off_a),
                   largest(&off_b), largest(&vanished), cond);
}

static matrix by_rows(const double *columns, int32_t n)
{
    matrix m = of_size(n, n);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            *entry(&m, i, j) = columns[j * n + i];
    return m;
}

/* The matrices of the library, for lambda A - (-B): P A Q = diag(I, N), P (-B) Q = diag(J, I). */
static void expect_canonical(seeded *s, matrix a, matrix b, int32_t n_finite)
{
    double e[MOST * MOST], h[MOST * MOST], room[4][MOST * MOST];
    int32_t n = a.rows;
    matrix minus = sum(of_size(n, n), -1.0, b);
    by_columns(&a, e);
    by_columns(&minus, h);
    daedal_pencil p = {n, n, e, h};
    daedal_canonical_form f = {room[0], room[1], room[2], room[3], 0, 0.0};
    seeded_require(s, daedal_pencil_canonical(&p, 0.0, &f, NULL) == DAEDAL_OK, "no form");
    matrix left = by_rows(f.left, n), right = by_rows(f.right, n);
    matrix form_e = by_rows(f.e, n), form_a = by_rows(f.a, n);
    matrix off_e = sum(product(product(left, a), right), -1.0, form_e);
    matrix off_a = sum(product(product(left, minus), right), -1.0, form_a);
    double cond = 1.0 + largest(&left) * largest(&right) * fmax(largest(&a), largest(&b));
    seeded_require(s, f.n_finite == n_finite && f.residual < 1e-12, "%d finite, residual %.1e",
                   (int)f.n_finite, f.residual);
    seeded_require(s, largest(&off_e) < 1e-12 * cond && largest(&off_a) < 1e-12 * cond,
                   "residuals %.1e, %.1e, condition %.1e", largest(&off_e), largest(&off_a), cond);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            bool inside = (i < n_finite) == (j < n_finite);
            bool is_one = i == j, in_nil = i >= n_finite && j > i;
            seeded_require(s,
                           (in_nil || *entry(&form_e, i, j) == (is_one && i < n_finite)) &&
                               (inside || *entry(&form_a, i, j) == 0.0),
                           "entry %d, %d is not that of the form", (int)i, (int)j);
        }
}

static void c004_weierstrass(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        seeded s = seeded_begin(seed);
        int32_t index = seeded_int(&s, 1, 4), n_finite = seeded_int(&s, 1, 3);
        matrix nil = of_size(index, index), finite = of_size(n_finite, n_finite);
        for (int32_t k = 0; k + 1 < index; k++)
            *entry(&nil, k, k + 1) = 1.0;
        seeded_fill(&s, finite.at, n_finite * n_finite, 1.0);
        matrix p = random_regular(&s, n_finite + index), q = random_regular(&s, n_finite + index);
        matrix a = product(product(p, diagonal_of(identity(n_finite), nil)), q);
        matrix b = product(product(p, diagonal_of(finite, identity(index))), q);
        expect_weierstrass(&s, a, b, n_finite, index);
        expect_canonical(&s, a, b, n_finite);
    }
}

/* ---- C165: [BCP96] (5.3.5), Y1' + Y2' + Y1 = g1, Y2 = g2, with Y1'(0) given, the derivative of
 * the second equation by one-sided differences (5.3.8).                                    */

static double start_error(int32_t nodes, double h)
{
    double node[DIFFERENCE_NODES_MAX] = {0.0}, weight[2][DIFFERENCE_NODES_MAX] = {{0.0}},
           slope = 0.0;
    const double given = -0.3, g1 = cos(0.4), exact = 2.0 * cos(0.8); /* g2 = sin 2 t, t0 = 0.4 */
    for (int32_t k = 0; k < nodes; k++)
        node[k] = k * h;
    difference_weights(node, nodes, 1, weight);
    for (int32_t k = 0; k < nodes; k++)
        slope += weight[1][k] * sin(2.0 * (0.4 + k * h));
    double y1 = g1 - given - slope, wanted = g1 - given - exact;
    return fabs(y1 - wanted);
}

static void c165_difference_start(void **state)
{
    (void)state;
    for (int32_t nodes = 2; nodes <= 3; nodes++) {
        double order = log2(start_error(nodes, 1e-2) / start_error(nodes, 5e-3));
        expect_near(order, nodes - 1.0, 0.1);
    }
}

/* ---- C011: x1 = f1 - phi f2', x2 = f2 - psi f1' with phi, psi flat at 0, where the rank of A
 * changes; the run crosses it.                                                                */
static void c011_rank_changes(void **state)
{
    (void)state;
    trial t;
    trial_open(&t,
               "Real x1, x2, phi, psi;"
               "Real e = abs(x1 - (1 + phi)*sin(time)) + abs(x2 - (1 - psi)*cos(time));",
               "phi = noEvent(if time > 0 then exp(-1/time) else 0);"
               "psi = noEvent(if time < 0 then exp(1/time) else 0);"
               "phi*der(x2) + x1 = sin(time); psi*der(x1) + x2 = cos(time);");
    assert_int_equal(trial_try(&t, -1.0, 1.0, 8, "rtol=1e-6 atol=1e-6"), DAEDAL_OK);
    trial_expect(&t, "e", 0.0, 1e-4);
    trial_close(&t);
}

/* The same with phi = max(t, 0), psi = max(-t, 0): that one of them is zero for a while says
 * nothing about other times, whether it has a name or not.                                */
static void c011_branches_with_names(void **state)
{
    (void)state;
    static const char *const forms[][2] = {
        {"Real x1, x2, phi, psi;", "phi = if time > 0 then time else 0;"
                                   "psi = if time < 0 then -time else 0;"
                                   "phi*der(x2) + x1 = sin(time); psi*der(x1) + x2 = cos(time);"},
        {"Real x1, x2; Real phi = if time > 0 then time else 0;"
         "Real psi = if time < 0 then -time else 0;",
         "phi*der(x2) + x1 = sin(time); psi*der(x1) + x2 = cos(time);"},
        {"Real x1, x2;", "(if time > 0 then time else 0)*der(x2) + x1 = sin(time);"
                         "(if time < 0 then -time else 0)*der(x1) + x2 = cos(time);"},
    };
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        char equations[400];
        trial t;
        snprintf(equations, sizeof equations,
                 "%s annotation(experiment(StartTime = -1, StopTime = 1));", forms[k][1]);
        trial_open(&t, forms[k][0], equations);
        assert_int_equal(trial_try(&t, -1.0, 1.0, 8, "rtol=1e-8 atol=1e-8"), DAEDAL_OK);
        trial_expect(&t, "x1", 2.0 * sin(1.0), 1e-5);
        trial_expect(&t, "x2", cos(1.0), 1e-5);
        trial_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c004_weierstrass),  cmocka_unit_test(c026_characteristic_values),
        cmocka_unit_test(c027_rectangular),  cmocka_unit_test(c024_hazony),
        cmocka_unit_test(c025_amplifier),    cmocka_unit_test(c165_difference_start),
        cmocka_unit_test(c011_rank_changes), cmocka_unit_test(c011_branches_with_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
