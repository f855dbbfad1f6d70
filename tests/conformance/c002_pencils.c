/* tests/conformance/c002_pencils.c - linear systems of known index: C002, C008, C039, C168, and the
 * pencils of C001 and C035.
 *
 * P diag(I, N) Q and P diag(C, I) Q with N of Jordan blocks and random P, Q.       */
#include <math.h>
#include <string.h>

#include "index/constant_pencil.h"
#include "index/derivative_array.h"
#include "linalg/rank.h"
#include "modelling.h"
#include "seeded.h"

enum { MOST = 12 };

typedef struct form {
    int32_t n, n_finite, index;
    double e[MOST * MOST], a[MOST * MOST]; /* by rows */
} form;

static void add_block(form *f, int32_t size)
{
    for (int32_t k = 0; k < size; k++, f->n++) {
        f->a[f->n * MOST + f->n] = 1.0;
        if (k > 0)
            f->e[f->n * MOST + f->n - 1] = 1.0;
    }
    f->index = size > f->index ? size : f->index;
}

static void add_states(form *f, int32_t count)
{
    f->n_finite = count;
    for (int32_t k = 0; k < count; k++, f->n++) {
        f->e[f->n * MOST + f->n] = 1.0;
        f->a[f->n * MOST + f->n] = 1.0 + k;
        if (k > 0)
            f->a[f->n * MOST + f->n - 1] = -2.0;
    }
}

/* m = p m q, n x n in rows of MOST. */
static void hide(double *m, const double *p, const double *q, int32_t n)
{
    double half[MOST * MOST] = {0};
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            for (int32_t k = 0; k < n; k++)
                half[i * MOST + j] += p[i * MOST + k] * m[k * MOST + j];
    memset(m, 0, sizeof half);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            for (int32_t k = 0; k < n; k++)
                m[i * MOST + j] += half[i * MOST + k] * q[k * MOST + j];
}

/* Unit lower times unit upper triangular: regular, and integers stay integers. */
static void choose_integers(seeded *s, double *p, int32_t n)
{
    double lower[MOST * MOST] = {0}, one[MOST * MOST] = {0};
    memset(p, 0, sizeof lower);
    for (int32_t i = 0; i < n; i++) {
        one[i * MOST + i] = lower[i * MOST + i] = p[i * MOST + i] = 1.0;
        for (int32_t j = 0; j < i; j++) {
            lower[i * MOST + j] = seeded_int(s, -2, 2);
            p[j * MOST + i] = seeded_int(s, -2, 2);
        }
    }
    hide(p, lower, one, n);
}

/* I + a little of everything: the condition stays below 100. */
static void choose_reals(seeded *s, double *p, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            p[i * MOST + j] = (i == j) + seeded_uniform(s, -0.5, 0.5) / sqrt(n);
}

typedef void chooser(seeded *s, double *p, int32_t n);

static void disguise(form *f, seeded *s, chooser *choose)
{
    double p[MOST * MOST], q[MOST * MOST];
    choose(s, p, f->n);
    choose(s, q, f->n);
    hide(f->e, p, q, f->n);
    hide(f->a, p, q, f->n);
}

static void pack(const double *from, double *to, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        memcpy(to + (size_t)(i * n), from + (size_t)(i * MOST), (size_t)n * sizeof *to);
}

/* A random form of index 0 .. 4; the first ones are those of C002. */
static form choose_form(seeded *s, int32_t number)
{
    form f = {0};
    if (number < 5) {
        add_block(&f, 1);
        add_block(&f, 3);
        add_block(&f, 2);
        add_states(&f, number);
        return f;
    }
    int32_t index = number % 5;
    if (index > 0)
        add_block(&f, index);
    if (index > 1)
        add_block(&f, seeded_int(s, 1, index));
    add_states(&f, seeded_int(s, index == 0, 4));
    return f;
}

/* A form in disguise, and its E and A by rows. */
typedef struct disguised {
    form f;
    double e[MOST * MOST], a[MOST * MOST];
} disguised;

static disguised choose_disguised(seeded *s, int32_t number, chooser *choose)
{
    disguised d = {.f = choose_form(s, number)};
    disguise(&d.f, s, choose);
    pack(d.f.e, d.e, d.f.n);
    pack(d.f.a, d.a, d.f.n);
    return d;
}

static void expect_found(seeded *s, const form *f, int32_t index, int32_t freedom)
{
    seeded_require(s, index == f->index && freedom == f->n_finite,
                   "index %d, not %d; freedom %d, not %d", (int)index, (int)f->index, (int)freedom,
                   (int)f->n_finite);
}

/* ---- by the pencil, exactly ---- */

static void c002_exact(void **state)
{
    (void)state;
    for (int32_t k = 0; k < 40; k++) {
        seeded s = seeded_begin((uint32_t)(100 + k));
        disguised d = choose_disguised(&s, k, choose_integers);
        pencil_finding found;
        assert_true(constant_pencil_judge(d.e, d.a, d.f.n, &found, NULL));
        seeded_require(&s, found.regular && found.exact, "not regular, or not exact");
        expect_found(&s, &d.f, found.index, found.freedom);
    }
}

/* Units that differ by fifteen orders of magnitude do not change the answer. */
static void c002_badly_scaled(void **state)
{
    (void)state;
    for (int32_t k = 0; k < 40; k++) {
        seeded s = seeded_begin((uint32_t)(200 + k));
        disguised d = choose_disguised(&s, k, choose_integers);
        pencil_finding found;
        int32_t n = d.f.n;
        for (int32_t i = 0; i < n; i++) {
            double unit = ldexp(1.0, seeded_int(&s, -50, 50));
            for (int32_t j = 0; j < n; j++) {
                d.e[i * n + j] *= unit;
                d.a[j * n + i] *= unit;
                d.e[j * n + i] *= unit;
                d.a[i * n + j] *= unit;
            }
        }
        assert_true(constant_pencil_judge(d.e, d.a, n, &found, NULL));
        expect_found(&s, &d.f, found.index, found.freedom);
    }
}

/* ---- by the derivative array, with rounded coefficients ---- */

static void c008_derivative_array(void **state)
{
    (void)state;
    for (int32_t k = 0; k < 40; k++) {
        seeded s = seeded_begin((uint32_t)(300 + k));
        disguised d = choose_disguised(&s, k, choose_reals);
        size_t bytes = (size_t)d.f.n * (size_t)d.f.n * sizeof(double);
        derivative_array array;
        array_finding found = {0};
        assert_true(derivative_array_create(&array, d.f.n, d.f.index + 1, NULL));
        memcpy(array.a, d.e, bytes);
        memcpy(array.b, d.a, bytes);
        array_verdict verdict = derivative_array_judge(&array, &found, NULL);
        seeded_require(&s, verdict == ARRAY_SOLVABLE, "verdict %d", (int)verdict);
        expect_found(&s, &d.f, found.index, found.freedom);
        derivative_array_free(&array);
    }
}

/* ---- as models ---- */

static void write_row(written *to, const double *row, int32_t n, const char *format)
{
    for (int32_t j = 0; j < n; j++)
        if (row[j] != 0.0)
            write_text(to, format, row[j], (int)j);
}

static void write_form(written *declarations, written *equations, const form *f)
{
    for (int32_t i = 0; i < f->n; i++) {
        write_text(declarations, "Real x%d;", (int)i);
        write_text(equations, "cos(%d*time)", (int)i + 1);
        write_row(equations, f->e + (size_t)(i * MOST), f->n, " + (%.17g)*der(x%d)");
        write_row(equations, f->a + (size_t)(i * MOST), f->n, " + (%.17g)*x%d");
        write_text(equations, " = 0;\n");
    }
}

static void c168_as_models(void **state)
{
    chooser *const CHOICES[] = {choose_integers, choose_reals};
    (void)state;
    for (int32_t k = 0; k < 80; k++) {
        seeded s = seeded_begin((uint32_t)(400 + k));
        form f = choose_form(&s, k / 2);
        written declarations = {0}, equations = {0};
        trial t;
        disguise(&f, &s, CHOICES[k % 2]);
        write_form(&declarations, &equations, &f);
        daedal_status status = trial_read(&t, declarations.text, equations.text);
        seeded_require(&s, status == DAEDAL_OK, "%s", t.message);
        daedal_model_structure found = trial_structure(&t);
        expect_found(&s, &f, found.index, found.degrees_of_freedom);
        trial_close(&t);
        written_free(&declarations);
        written_free(&equations);
    }
}

/* ---- the shuffle algorithm ---- */

/* Compress the rows of [E A] by E; rows without E are differentiated: A moves to E.  false: E was
 * regular.                                                                       */
static bool shuffle(rank_matrix *m, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        m->col_of[i] = -1;
    for (int32_t j = 0; j < 2 * n; j++)
        m->row_of[j] = -1;
    if (rank_eliminate(m, 0, n) == n)
        return false;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n && m->col_of[i] < 0; j++) {
            m->a[i * 2 * n + j] = m->a[i * 2 * n + n + j];
            m->a[i * 2 * n + n + j] = 0.0;
        }
    return true;
}

static void c039_shuffle(void **state)
{
    (void)state;
    for (int32_t k = 0; k < 20; k++) {
        seeded s = seeded_begin((uint32_t)(500 + k));
        form f = choose_form(&s, k);
        rank_matrix m;
        int32_t passes = 0;
        disguise(&f, &s, choose_reals);
        assert_true(rank_create(&m, f.n, 2 * f.n, NULL));
        for (int32_t i = 0; i < f.n; i++)
            for (int32_t j = 0; j < f.n; j++) {
                m.a[i * 2 * f.n + j] = f.e[i * MOST + j];
                m.a[i * 2 * f.n + f.n + j] = f.a[i * MOST + j];
            }
        while (passes <= f.n && shuffle(&m, f.n))
            passes++;
        seeded_require(&s, passes == f.index, "%d passes, index %d", (int)passes, (int)f.index);
        rank_free(&m);
    }
}

/* ---- regular and singular ones ---- */

static pencil_finding judge_2(const double *a, const double *b)
{
    pencil_finding found;
    assert_true(constant_pencil_judge(a, b, 2, &found, NULL));
    return found;
}

/* Example 2.4.1 and 2.4.2 at t, and diag(I_2, 0). */
static void c001_regularity(void **state)
{
    (void)state;
    const double TIMES[] = {0.3, 0.7};
    for (size_t k = 0; k < COUNT(TIMES); k++) {
        double t = TIMES[k];
        assert_false(judge_2((double[]){1, t, 0, 0}, (double[]){0, 0, 1, t}).regular);
        pencil_finding f = judge_2((double[]){-t, t * t, -1, t}, (double[]){1, 0, 0, 1});
        assert_true(f.regular);
        assert_int_equal(f.index, 2);
        assert_int_equal(f.freedom, 0);
    }
    pencil_finding f;
    const double e[9] = {1, 0, 0, 0, 1, 0}, a[9] = {3, 1, 4, 1, 5, 9, 0, 0, 1};
    assert_true(constant_pencil_judge(e, a, 3, &f, NULL));
    assert_true(f.regular);
    assert_int_equal(f.index, 1);
    assert_int_equal(f.freedom, 2);
}

/* diag(I_2, 0), diag(*, I_1) as a model. */
static void c001_diagonal(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, "Real x, y, z(start = 1);",
               "der(x) = 0.3*x + y; der(y) = -x + 2*y; z - cos(time) = 0;");
    daedal_model_structure s = trial_structure(&t);
    assert_int_equal(s.index, 1);
    assert_int_equal(s.degrees_of_freedom, 2);
    trial_close(&t);
}

/* (3.1.13) with eta = -1, frozen at an instant, is singular; as it is, it has index 2 (C007). */
static void c035_freezing(void **state)
{
    (void)state;
    const double ETAS[] = {-1.0, -0.25, 2.0};
    for (size_t k = 0; k < COUNT(ETAS); k++) {
        double eta = ETAS[k], t = 0.5;
        pencil_finding f =
            judge_2((double[]){0, 0, 1, eta * t}, (double[]){1, eta * t, 0, 1 + eta});
        assert_int_equal(f.regular, eta != -1.0);
        if (f.regular)
            assert_int_equal(f.index, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c001_regularity),
        cmocka_unit_test(c001_diagonal),
        cmocka_unit_test(c002_exact),
        cmocka_unit_test(c002_badly_scaled),
        cmocka_unit_test(c008_derivative_array),
        cmocka_unit_test(c168_as_models),
        cmocka_unit_test(c039_shuffle),
        cmocka_unit_test(c035_freezing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
