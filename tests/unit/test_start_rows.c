/* tests/unit/test_start_rows.c - the start of a model as one system: its entries, the matrices made
 * of its rows, and what least change means, on models whose equations are linear. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "initial/start_rows.h"

#include "harness.h"
#include "loaded_model.h"
#include "small_dense.h"

enum { COLUMNS = 16, ROWS = 2 * COLUMNS };

/* The first and the last of states, derivatives, algebraic variables and parameters take part. */
static const char *const MODELS[] = {
    "model M\n"
    "  Real a(start = 1, fixed = true), b(start = 3), c(start = 0.5), d, e(start = 7);\n"
    "  parameter Real p(fixed = false, start = 2), q(fixed = false);\n"
    "initial equation\n"
    "  a + 2 * b = 4 + p;\n"
    "  der(b) = 0.25;\n"
    "  q - 3 * e = d;\n"
    "equation\n"
    "  der(a) + 0.5 * der(b) = -a + c;\n"
    "  der(b) = b - 2 * d + e + p;\n"
    "  a + b + 3 * c - d = 1;\n"
    "  2 * d = 4 * b - e;\n"
    "  e - 5 * c = a + q;\n"
    "end M;\n",
    /* every value is left to the least change but the last */
    "model M\n"
    "  Real x(start = 2), y(start = -1), z(start = 4, fixed = true);\n"
    "equation\n"
    "  der(x) + der(y) = y - z;\n"
    "  der(y) = 2 * x + z;\n"
    "  der(z) = x - y + der(x);\n"
    "end M;\n",
    /* the last of the algebraic variables is fixed */
    "model M\n"
    "  Real x(start = 2), y(start = -1), u(start = 1), w(start = 4, fixed = true);\n"
    "equation\n"
    "  der(x) = y - u;\n"
    "  der(y) = 2 * x + w;\n"
    "  u = x + 3 * y;\n"
    "  w = 2 * x - y + u;\n"
    "end M;\n",
    /* the last of all is a free parameter that is known */
    "model M\n"
    "  Real x(start = 2), y(start = -1);\n"
    "  parameter Real p(fixed = false, start = 1), q(fixed = false, start = 3);\n"
    "initial equation\n"
    "  x + p = 2 * q;\n"
    "  y - p = q;\n"
    "equation\n"
    "  der(x) = y - q * 2;\n"
    "  der(y) = p + x;\n"
    "end M;\n",
    /* one unknown */
    "model M\n"
    "  Real x(start = 3);\n"
    "equation\n"
    "  2 * der(x) = 1 - x;\n"
    "end M;\n"};

static start_rows *rows_of(loaded_model *l, const char *text)
{
    loaded_model_open_text(l, text);
    assert_int_equal(start_prepare_values(l->m.start), DAEDAL_OK);
    assert_int_equal(start_rows_create(l->m.start), DAEDAL_OK);
    start_rows *s = l->m.start->rows;
    assert_true(s->n_columns <= COLUMNS && s->n_exprs + s->n_columns <= ROWS);
    for (int32_t c = 0; c < s->n_columns; c++)
        s->guess[c] = s->z[c] = l->m.start->values->x[s->slot[c]];
    return s;
}

/* All rows as a dense matrix, by rows: the expressions, then one for each column. */
static void dense_of(const start_rows *s, double a[ROWS][COLUMNS])
{
    memset(a, 0, ROWS * sizeof *a);
    for (size_t k = 0; k < s->n_entries; k++)
        a[s->entry[k].row][s->entry[k].column] += s->value[k];
    for (int32_t c = 0; c < s->n_columns; c++)
        a[s->n_exprs + c][c] = 1.0;
}

static void test_entries(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(MODELS); k++) {
        loaded_model l;
        start_rows *s = rows_of(&l, MODELS[k]);
        double a[ROWS][COLUMNS], z[COLUMNS], before[ROWS];
        assert_true(start_rows_slopes(l.m.start, s, s->z));
        dense_of(s, a);
        assert_true(start_rows_evaluate(l.m.start, s, s->z));
        memcpy(before, s->r, sizeof(double) * (size_t)(s->n_exprs + s->n_columns));
        for (int32_t c = 0; c < s->n_columns; c++) {
            memcpy(z, s->z, sizeof(double) * (size_t)s->n_columns);
            z[c] += 1.0;
            assert_true(start_rows_evaluate(l.m.start, s, z));
            for (int32_t i = 0; i < s->n_exprs + s->n_columns; i++)
                expect_near(s->r[i] - before[i], a[i][c], 1e-12);
        }
        loaded_model_close(&l);
    }
}

/* Ranks and weights by what is known of a column. */
static void test_columns(void **state)
{
    (void)state;
    loaded_model l;
    start_rows *s = rows_of(&l, MODELS[0]);
    const start_problem *m = l.m.start;
    int32_t n = m->reduced->n, states = 0;
    for (int32_t j = 0; j < n; j++)
        states += m->reduced->differential[j];
    assert_int_equal(states, 2);
    assert_int_equal(s->n_columns, n + 2 + 2);
    for (int32_t j = 0; j < n; j++) {
        bool is_state = m->reduced->differential[j], given = m->start_given[j];
        double size = fmax(m->compiled->nominal[j], fabs(m->start[j]));
        size = size > 0.0 ? size : 1.0;
        expect_near(s->weight[j], size * (is_state ? 0.01 : given ? 0.1 : 1.0), 1e-15);
        assert_int_equal(s->rank[j], m->start_fixed[j] ? RANK_FIXED
                                     : is_state        ? RANK_FIXED + 1
                                     : given           ? RANK_FIXED + 4
                                                       : RANK_FIXED + 5);
        int32_t slope = s->slope_column[j];
        assert_true(is_state ? slope >= n && slope < n + states : slope == -1);
        if (!is_state)
            continue;
        assert_int_equal(s->slot[slope], m->values->place.yp + (uint32_t)j);
        expect_near(s->weight[slope], 100.0 * fmax(m->compiled->nominal[j], 1.0), 1e-12);
        assert_int_equal(s->rank[slope], 8);
    }
    for (int32_t c = n + states; c < s->n_columns; c++) {
        assert_int_equal(s->rank[c], RANK_FIXED + 3);
        expect_near(s->weight[c], fmax(fabs(s->guess[c]), 1.0), 0.0);
    }
    expect_near(s->weight[n + states], 2.0, 0.0);
    expect_near(s->weight[n + states + 1], 1.0, 0.0);
    loaded_model_close(&l);
}

/* ---- matrices ---- */

static void check_matrix(const start_rows *s, const int32_t *number, int32_t n_rows)
{
    start_matrix x;
    double a[ROWS][COLUMNS], found[ROWS][COLUMNS] = {{0.0}};
    dense_of(s, a);
    assert_true(start_matrix_create(&x, s, number, n_rows, NULL));
    start_matrix_fill(&x);
    const int32_t *start = x.pattern.view.start, *row = x.pattern.view.row;
    assert_int_equal(start[0], 0);
    for (int32_t c = 0; c < s->n_columns; c++)
        for (int32_t p = start[c]; p < start[c + 1]; p++) {
            assert_true(row[p] >= 0 && row[p] < n_rows);
            assert_true(p == start[c] || row[p - 1] < row[p]);
            found[row[p]][c] = x.values[p];
        }
    int32_t entries = 0;
    for (int32_t i = 0; i < s->n_exprs + s->n_columns; i++)
        for (int32_t c = 0; c < s->n_columns && number[i] >= 0; c++) {
            expect_near(found[number[i]][c], a[i][c], 0.0);
            entries += a[i][c] != 0.0;
        }
    assert_true(start[s->n_columns] >= entries);
    start_matrix_free(&x);
}

/* All rows, none, each alone, and every other one. */
static void test_matrices(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(MODELS); k++) {
        loaded_model l;
        start_rows *s = rows_of(&l, MODELS[k]);
        int32_t all = s->n_exprs + s->n_columns, number[ROWS];
        assert_true(start_rows_slopes(l.m.start, s, s->z));
        for (int32_t only = -4; only < all; only++) {
            int32_t rows = 0;
            for (int32_t i = 0; i < all; i++) {
                bool taken =
                    only == -1 || (only == -2 && i % 2) || (only == -3 && i % 2 == 0) || only == i;
                number[i] = taken ? rows++ : -1;
            }
            check_matrix(s, number, rows);
        }
        loaded_model_close(&l);
    }
}

/* The chosen rows are as many as columns; each has a number, in order. */
static void test_choice(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(MODELS); k++) {
        loaded_model l;
        start_rows *s = rows_of(&l, MODELS[k]);
        int32_t chosen = 0;
        for (int32_t i = 0; i < s->n_exprs + s->n_columns; i++) {
            assert_int_equal(s->order[i], s->chosen[i] ? chosen : -1);
            chosen += s->chosen[i];
            if (i < s->n_exprs || s->rank[i - s->n_exprs] == RANK_FIXED) {
                assert_true(s->chosen[i]);
                assert_true(start_rows_is_hard(s, i));
            } else {
                assert_false(start_rows_is_hard(s, i));
            }
        }
        assert_int_equal(chosen, s->n_columns);
        s->equations_only = true;
        for (int32_t i = 0; i < s->n_exprs + s->n_columns; i++)
            assert_true(start_rows_is_hard(s, i) == (i < s->n_equations));
        s->equations_only = false;
        loaded_model_close(&l);
    }
}

/* ---- solutions ---- */

/* Least change of linear equations: z = guess + W^2 A^T (A W^2 A^T)^-1 (-r), A the hard rows. */
static void check_least_change(loaded_model *l, start_rows *s)
{
    double a[ROWS][COLUMNS], normal[SMALL_MAX * SMALL_MAX], b[ROWS];
    int32_t hard[ROWS], n = 0;
    assert_true(start_rows_slopes(l->m.start, s, s->guess));
    assert_true(start_rows_evaluate(l->m.start, s, s->guess));
    dense_of(s, a);
    for (int32_t i = 0; i < s->n_exprs + s->n_columns; i++)
        if (start_rows_is_hard(s, i)) {
            b[n] = -s->r[i];
            hard[n++] = i;
        }
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < n; k++) {
            double sum = 0.0;
            for (int32_t c = 0; c < s->n_columns; c++)
                sum += a[hard[i]][c] * s->weight[c] * s->weight[c] * a[hard[k]][c];
            normal[i * n + k] = sum;
        }
    assert_true(small_solve(n, normal, b));
    memset(s->z, 0, sizeof(double) * (size_t)s->n_columns);
    assert_true(start_least_change(l->m.start, s));
    for (int32_t c = 0; c < s->n_columns; c++) {
        double change = 0.0;
        for (int32_t i = 0; i < n; i++)
            change += s->weight[c] * s->weight[c] * a[hard[i]][c] * b[i];
        expect_near(s->z[c], s->guess[c] + change, 1e-7 * (1.0 + fabs(change)));
    }
}

static void test_least_change(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(MODELS); k++) {
        loaded_model l;
        start_rows *s = rows_of(&l, MODELS[k]);
        check_least_change(&l, s);
        s->equations_only = true;
        check_least_change(&l, s);
        s->equations_only = false;
        loaded_model_close(&l);
    }
}

/* A value that is fixed in the last column, beside the equation that determines it. */
static void test_last_column(void **state)
{
    (void)state;
    loaded_model l;
    start_rows *s =
        rows_of(&l, "model M Real x(start = 1.5), y(start = 2, fixed = true); equation\n"
                    "  x * x + sin(x) = y + 1; y ^ 3 + y = 10; end M;");
    assert_int_equal(s->rank[s->n_columns - 1], RANK_FIXED);
    assert_true(start_least_change(l.m.start, s));
    expect_near(s->z[s->n_columns - 1], 2.0, 1e-9);
    assert_true(start_rows_evaluate(l.m.start, s, s->z));
    for (int32_t i = 0; i < s->n_exprs; i++)
        expect_near(s->r[i], 0.0, 1e-7);
    loaded_model_close(&l);
}

/* Newton needs one step, and meets every chosen row. */
static void test_newton(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(MODELS); k++) {
        loaded_model l;
        start_rows *s = rows_of(&l, MODELS[k]);
        for (int32_t c = 0; c < s->n_columns; c++)
            s->z[c] += 1.0 + c;
        assert_true(start_rows_newton(l.m.start, s));
        assert_true(start_rows_evaluate(l.m.start, s, s->z));
        for (int32_t i = 0; i < s->n_exprs + s->n_columns; i++)
            if (s->chosen[i])
                expect_near(s->r[i], 0.0, 1e-9);
        assert_int_equal(start_rows_solve(l.m.start), DAEDAL_OK);
        assert_int_equal(start_rows_solve_from_other_point(l.m.start, 2), DAEDAL_OK);
        for (int32_t i = 0; i < s->n_exprs + s->n_columns; i++)
            if (s->chosen[i])
                expect_near(s->r[i], 0.0, 1e-9);
        for (int32_t c = 0; c < s->n_columns; c++)
            expect_near(l.m.start->values->x[s->slot[c]], s->z[c], 0.0);
        loaded_model_close(&l);
    }
}

/* Slopes that are infinite at the guess are those of a neighbour: sqrt at zero. */
static void test_neighbours(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        loaded_model l;
        start_rows *s = rows_of(&l, side ? "model M Real y; equation der(y) = y + sqrt(-y); end M;"
                                         : "model M Real y; equation der(y) = y + sqrt(y); end M;");
        bool infinite = false;
        assert_true(start_rows_slopes(l.m.start, s, s->z));
        for (size_t k = 0; k < s->n_entries; k++) {
            assert_true(isfinite(s->value[k]));
            infinite = infinite || fabs(s->value[k]) > 1e3;
        }
        assert_true(infinite);
        for (int32_t c = 0; c < s->n_columns; c++) /* the point itself is as it was */
            expect_near(l.m.start->values->x[s->slot[c]], s->z[c], 0.0);
        loaded_model_close(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),      cmocka_unit_test(test_columns),
        cmocka_unit_test(test_matrices),     cmocka_unit_test(test_choice),
        cmocka_unit_test(test_least_change), cmocka_unit_test(test_newton),
        cmocka_unit_test(test_last_column),  cmocka_unit_test(test_neighbours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
