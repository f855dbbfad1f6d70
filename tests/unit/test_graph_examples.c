/* tests/unit/test_graph_examples.c - src/graph on matrices written as text: rows are
 * equations, separated by '/', a digit is the highest derivative of the variable in
 * that column, '.' its absence.                                                 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "dulmage_parts.h"
#include "graph/components.h"
#include "graph/signature.h"
#include "harness.h"

enum { SIZE = 16, ENTRIES = 256 };

/* A pattern with sigma, built from text. */
typedef struct sample {
    int32_t start[SIZE + 1], row[ENTRIES], sigma[ENTRIES];
    daedal_pattern pattern;
    signature_matrix matrix;
} sample;

static void sample_read(sample *s, const char *text)
{
    int32_t n_cols = (int32_t)strcspn(text, "/"), nnz = 0;
    int32_t n_rows = n_cols > 0 ? ((int32_t)strlen(text) + 1) / (n_cols + 1) : 0;
    assert_true(n_rows <= SIZE && n_cols <= SIZE);
    s->start[0] = 0;
    for (int32_t j = 0; j < n_cols; j++) {
        for (int32_t i = 0; i < n_rows; i++) {
            char c = text[i * (n_cols + 1) + j];
            if (c == '.')
                continue;
            s->row[nnz] = i;
            s->sigma[nnz++] = c - '0';
        }
        s->start[j + 1] = nnz;
    }
    s->pattern = (daedal_pattern){n_rows, n_cols, s->start, s->row};
    s->matrix = (signature_matrix){&s->pattern, s->sigma};
}

/* A list as text, "0 3 4". */
static const char *text_of(daedal_ints list, char *text)
{
    char *at = text;
    *at = '\0';
    for (int32_t k = 0; k < list.n; k++)
        at += sprintf(at, k > 0 ? " %d" : "%d", (int)list.at[k]);
    return text;
}

static void expect_list(const char *name, daedal_ints list, const char *wanted)
{
    char text[SIZE * 12];
    if (strcmp(text_of(list, text), wanted) != 0)
        fail_msg("%s: found \"%s\", wanted \"%s\"", name, text, wanted);
}

/* ---- matching ----------------------------------------------------------------- */

static const struct {
    const char *name, *pattern;
    int32_t initial[SIZE]; /* row + 1 of each column, 0: none */
    int32_t size;
} matchings[] = {
    {"nothing", "", {0}, 0},
    {"one entry", "0", {0}, 1},
    {"one hole", ".", {0}, 0},
    {"empty row", "00./.../..0", {0}, 2},
    {"identity", "0../.0./..0", {0}, 3},
    {"needs augmentation", "00./0../.00", {0}, 3},
    {"two rows, one column", "0../0../.00", {0}, 2},
    {"flat", "000/000", {0}, 2},
    {"tall", "00/00/00", {0}, 2},
    {"a long path", "0000/000./00../0...", {0}, 4},
    {"two rounds", "00...../0.0..../.0.0.../..0.0../...0.0./....0.0/.....0.", {0}, 7},
    {"kept", "00/00", {2, 1}, 2},
    {"initial in the way", "00./.00/..0", {0, 1, 2}, 3},
    {"no entry, taken, out of range", "00./.00/..0", {3, 1, 9}, 3},
    {"dead end first", "0.0/0../00.", {2, 0, 0}, 3},
};

static void test_matching(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(matchings); k++) {
        sample s;
        matching m;
        int32_t initial[SIZE];
        for (int32_t j = 0; j < SIZE; j++)
            initial[j] = matchings[k].initial[j] - 1;
        sample_read(&s, matchings[k].pattern);
        assert_true(matching_maximum(&m, &s.pattern, initial, NULL));
        if (m.size != matchings[k].size)
            fail_msg("%s: size %d, wanted %d", matchings[k].name, (int)m.size,
                     (int)matchings[k].size);
        for (int32_t j = 0; j < m.n_cols; j++)
            if (m.row_of[j] >= 0)
                assert_true(m.col_of[m.row_of[j]] == j &&
                            pattern_find(&s.pattern, m.row_of[j], j) >= 0);
        matching_free(&m);
        assert_null(m.row_of);
    }
}

/* A complete initial matching comes back unchanged. */
static void test_initial_matching_is_kept(void **state)
{
    (void)state;
    sample s;
    matching m;
    static const int32_t initial[] = {2, 0, 1};
    sample_read(&s, "000/000/000");
    assert_true(matching_maximum(&m, &s.pattern, initial, NULL));
    assert_memory_equal(m.row_of, initial, sizeof initial);
    matching_free(&m);
}

/* Columns b_k = {r_k, r_k+1, s_k}, matched with r_k, t_k = {s_k, e_k}, matched with s_k,
 * and c_k = {r_k}, free, two more of them than rows: the first search wanders through all
 * b, so that the sweep finds nothing more; the rounds of shortest paths must.     */
static void test_rounds(void **state)
{
    (void)state;
    enum { M = 40, N_ROWS = 3 * M, N_COLS = 3 * M + 2 };
    int32_t start[N_COLS + 1] = {0}, row[5 * M + M + 2], initial[N_COLS], nnz = 0;
    for (int32_t j = 0; j < N_COLS; j++) {
        int32_t k = j % M;
        initial[j] = j < 2 * M ? j : MATCHING_NONE;
        if (j >= M && j < 2 * M)
            row[nnz++] = M + k; /* s_k */
        row[nnz++] = j >= M && j < 2 * M ? 2 * M + k : k;
        if (j < M && k + 1 < M)
            row[nnz++] = k + 1;
        if (j < M)
            row[nnz++] = M + k;
        start[j + 1] = nnz;
    }
    daedal_pattern p = {N_ROWS, N_COLS, start, row};
    char text[80];
    matching m;
    assert_null(pattern_complaint(&p, text, sizeof text));
    assert_true(matching_maximum(&m, &p, initial, NULL));
    assert_int_equal(m.size, N_ROWS);
    for (int32_t j = 0; j < N_COLS; j++)
        if (m.row_of[j] >= 0)
            assert_true(m.col_of[m.row_of[j]] == j && pattern_find(&p, m.row_of[j], j) >= 0);
    matching_free(&m);
}

/* ---- components ----------------------------------------------------------------- */

static const struct {
    const char *name, *pattern, *rows, *cols, *start;
} orders[] = {
    {"nothing", "", "", "", "0"},
    {"diagonal stays", "0../.0./..0", "0 1 2", "0 1 2", "0 1 2 3"},
    {"lower stays", "0../00./.00", "0 1 2", "0 1 2", "0 1 2 3"},
    {"upper turns", "00./.00/..0", "2 1 0", "2 1 0", "0 1 2 3"},
    {"full", "00/00", "0 1", "0 1", "0 2"},
    {"ring", "0..0/00../.00./..00", "0 1 2 3", "0 1 2 3", "0 4"},
    {"loop in between", "0..../000../.00../.0.0./...00", "0 1 2 3 4", "0 1 2 3 4", "0 1 3 4 5"},
    {"two loops, second first", "00.0/000./..00/..00", "2 3 0 1", "2 3 0 1", "0 2 4"},
};

static void test_components(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(orders); k++) {
        sample s;
        matching m;
        components c;
        sample_read(&s, orders[k].pattern);
        assert_true(matching_maximum(&m, &s.pattern, NULL, NULL));
        assert_true(components_create(&c, &s.pattern, &m, NULL));
        expect_list(orders[k].name, (daedal_ints){c.row, c.n}, orders[k].rows);
        expect_list(orders[k].name, (daedal_ints){c.col, c.n}, orders[k].cols);
        expect_list(orders[k].name, (daedal_ints){c.start, c.n_blocks + 1}, orders[k].start);
        components_free(&c);
        matching_free(&m);
    }
}

/* ---- Dulmage-Mendelsohn ----------------------------------------------------------- */

static const struct {
    const char *name, *pattern;
    const char *rows[3], *cols[3]; /* over, well, under */
} parts[] = {
    {"nothing", "", {"", "", ""}, {"", "", ""}},
    {"sound", "00/.0", {"", "0 1", ""}, {"", "0 1", ""}},
    {"doubled equation", "0./0.", {"0 1", "", ""}, {"0", "", "1"}},
    {"empty equation", "00/..", {"1", "", "0"}, {"", "", "0 1"}},
    {"one too many", "0./00/.0", {"0 1 2", "", ""}, {"0 1", "", ""}},
    {"one too few", "000/.00", {"", "", "0 1"}, {"", "", "0 1 2"}},
    {"all three", "0..../0..../00.../..0../...00", {"0 1", "2 3", "4"}, {"0", "1 2", "3 4"}},
};

static void test_dulmage(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(parts); k++) {
        sample s;
        dulmage d;
        sample_read(&s, parts[k].pattern);
        assert_true(dulmage_create(&d, &s.pattern, NULL, NULL));
        for (int part = 0; part < 3; part++) {
            expect_list(parts[k].name, dulmage_rows(&d, (dulmage_part)part), parts[k].rows[part]);
            expect_list(parts[k].name, dulmage_cols(&d, (dulmage_part)part), parts[k].cols[part]);
        }
        dulmage_free(&d);
    }
}

/* Two doubled equations far apart are two conflicts, not one; and the free variables. */
static void test_smallest_sets(void **state)
{
    (void)state;
    sample s;
    dulmage d;
    dulmage_set set;
    sample_read(&s, "0...../0...../.0..../.0..../..000./......");
    assert_true(dulmage_create(&d, &s.pattern, NULL, NULL));
    assert_int_equal(d.pairs.col_of[1], MATCHING_NONE);
    assert_true(dulmage_conflict(&set, &d, 1, NULL));
    expect_list("conflict", set.rows, "1 0");
    expect_list("conflict", set.cols, "0");
    dulmage_set_free(&set);
    assert_true(dulmage_conflict(&set, &d, 5, NULL));
    expect_list("an equation without variables", set.rows, "5");
    expect_list("an equation without variables", set.cols, "");
    dulmage_set_free(&set);
    assert_int_equal(d.pairs.row_of[3], MATCHING_NONE);
    assert_true(dulmage_freedom(&set, &d, &s.pattern, 3, NULL));
    expect_list("freedom", set.rows, "4");
    expect_list("freedom", set.cols, "3 2");
    dulmage_set_free(&set);
    dulmage_free(&d);
}

/* ---- offsets ------------------------------------------------------------------------ */

static const struct {
    const char *name, *matrix, *c, *d;
    int32_t index, freedom;
} systems[] = {
    {"nothing", "", "", "", 0, 0},
    {"an equation", "0", "0", "0", 1, 0},
    {"an ODE", "1", "0", "1", 0, 1},
    {"second order", "2", "0", "2", 0, 2},
    {"index 1", "10/00", "0 0", "1 0", 1, 1},
    {"index 2", "10/0.", "0 1", "1 0", 2, 0},
    {"differentiator", "0./10", "1 0", "1 0", 2, 0},
    {"differentiators", "0.../10../.10./..10", "3 2 1 0", "3 2 1 0", 4, 0},
    {"turned round", "...0/..01/.01./01..", "3 2 1 0", "0 1 2 3", 4, 0},
    {"pendulum", "2.0/.20/00.", "0 0 2", "2 2 0", 3, 2},
    /* der(x) = u, der(y) = v, der(u) = -F x, der(v) = -F y - g, x^2 + y^2 = L^2 */
    {"pendulum, first order", "1.0../.1.0./0.1.0/.0.10/00...", "1 1 0 0 2", "2 2 1 1 0", 3, 2},
    {"a raise by three", "3./00", "0 0", "3 0", 1, 3},
    {"fourth order, prescribed", "40/0.", "0 4", "4 0", 5, 0},
    {"two paths, the shorter counts", "3.0/010/0..", "0 0 3", "3 1 0", 4, 1},
    {"x' + y' twice", "11/11", "0 0", "1 1", 0, 2},
};

static void test_offsets(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(systems); k++) {
        sample s;
        signature g;
        sample_read(&s, systems[k].matrix);
        assert_int_equal(signature_create(&g, &s.matrix, NULL), DAEDAL_OK);
        expect_list(systems[k].name, (daedal_ints){g.c, g.n}, systems[k].c);
        expect_list(systems[k].name, (daedal_ints){g.d, g.n}, systems[k].d);
        if (g.index != systems[k].index || g.degrees_of_freedom != systems[k].freedom)
            fail_msg("%s: index %d, freedom %d", systems[k].name, (int)g.index,
                     (int)g.degrees_of_freedom);
        assert_int_equal(g.transversal.size, g.n);
        assert_int_equal(g.phases, 0);
        signature_free(&g);
    }
}

static void test_singular(void **state)
{
    (void)state;
    sample s;
    signature g;
    sample_read(&s, "1.0/1../0..");
    assert_int_equal(signature_create(&g, &s.matrix, NULL), DAEDAL_ERR_STRUCTURE);
    expect_list("over", dulmage_rows(&g.singular, DULMAGE_OVER), "1 2");
    expect_list("under", dulmage_cols(&g.singular, DULMAGE_UNDER), "1");
    assert_null(g.c);
    signature_free(&g);
    sample_read(&s, "10./.10"); /* not square */
    assert_int_equal(signature_create(&g, &s.matrix, NULL), DAEDAL_ERR_STRUCTURE);
    expect_list("under", dulmage_cols(&g.singular, DULMAGE_UNDER), "0 1 2");
    signature_free(&g);
}

static void test_absurd_orders_are_refused(void **state)
{
    (void)state;
    sample s;
    signature g;
    sample_read(&s, "10/01");
    s.sigma[0] = s.sigma[3] = INT32_MAX / 5;
    assert_int_equal(signature_create(&g, &s.matrix, NULL), DAEDAL_ERR_ARGUMENT);
    signature_free(&g);
    s.sigma[0] = s.sigma[3] = INT32_MAX / 8;
    assert_int_equal(signature_create(&g, &s.matrix, NULL), DAEDAL_OK);
    assert_int_equal(g.degrees_of_freedom, 2 * (int64_t)(INT32_MAX / 8));
    signature_free(&g);
}

static void test_essential(void **state)
{
    (void)state;
    sample s;
    signature g;
    pattern p;
    sample_read(&s, "1.0../.1.0./0.1.0/.0.10/00...");
    assert_int_equal(signature_create(&g, &s.matrix, NULL), DAEDAL_OK);
    assert_true(signature_essential(&p, &s.matrix, &g, NULL));
    expect_list("starts", (daedal_ints){p.start, 6}, "0 2 4 6 8 10");
    expect_list("rows", (daedal_ints){p.row, 10}, "0 4 1 4 0 2 1 3 2 3");
    pattern_free(&p);
    signature_free(&g);
}

/* ---- the guard: many rows that look through the same dead end ------------------------- */

/* Equations z_k = {y_k, f_k}, a ring {b_k, b_k+1}, x_k = {y_k, b_0}, in this order.  The
 * cheap assignment pairs z_k with y_k and closes the ring; each x_k then may look through
 * all of the ring before it finds z_k's way out.                                  */
typedef struct trap {
    int32_t n, m;    /* pairs, size of the ring        */
    int32_t y, f, b; /* the first column of each kind  */
    int32_t x;       /* the first equation x           */
    pattern p;
    int32_t *sigma;
} trap;

static int32_t list_trap_column(const trap *t, int32_t j, int32_t *row)
{
    int32_t n = t->n, m = t->m, count = 0;
    if (j >= t->b && j < t->b + m) {
        int32_t k = j - t->b;
        row[count++] = k == 0 ? n : n + k - 1;
        row[count++] = k == 0 ? n + m - 1 : n + k;
        for (int32_t i = 0; k == 0 && i < n; i++)
            row[count++] = t->x + i;
        return count;
    }
    row[count++] = (j - t->y) % n; /* z_k */
    if (j < t->f)
        row[count++] = t->x + j - t->y;
    return count;
}

static void trap_set(trap *t, int32_t n, int32_t m, bool ring_first)
{
    int32_t size = 2 * n + m, nnz = 4 * n + 2 * m;
    *t = (trap){.n = n, .m = m, .b = ring_first ? 0 : 2 * n, .y = ring_first ? m : 0};
    t->f = t->y + n;
    t->x = n + m;
    assert_true(pattern_create(&t->p, size, size, nnz, NULL));
    t->sigma = calloc((size_t)nnz, sizeof *t->sigma);
    assert_non_null(t->sigma);
    for (int32_t j = 0; j < size; j++)
        t->p.start[j + 1] = t->p.start[j] + list_trap_column(t, j, t->p.row + t->p.start[j]);
    char text[80];
    assert_null(pattern_complaint(&t->p.view, text, sizeof text));
}

static void trap_free(trap *t)
{
    free(t->sigma);
    pattern_free(&t->p);
}

static void test_guard(void **state)
{
    (void)state;
    trap t;
    signature g;
    trap_set(&t, 300, 300, false);
    signature_matrix matrix = {&t.p.view, t.sigma};
    assert_int_equal(signature_create(&g, &matrix, NULL), DAEDAL_OK);
    assert_int_equal(g.phases, 1);
    assert_int_equal(g.differentiations, 0);
    assert_true(g.visits < 20 * (int64_t)pattern_nnz(&t.p.view));
    signature_free(&g);
    trap_free(&t);
}

/* The same with derivatives: the phase raises offsets too. */
static void test_guard_raises(void **state)
{
    (void)state;
    trap t;
    signature g;
    trap_set(&t, 300, 300, true);
    for (int32_t k = t.y; k < t.f; k++)
        t.sigma[t.p.start[k]] = 1; /* y_k' in z_k, y_k in x_k */
    signature_matrix matrix = {&t.p.view, t.sigma};
    assert_int_equal(signature_create(&g, &matrix, NULL), DAEDAL_OK);
    assert_int_equal(g.phases, 1);
    assert_true(g.visits < 10 * (int64_t)pattern_nnz(&t.p.view));
    assert_int_equal(g.degrees_of_freedom, 0);
    for (int32_t i = 0; i < 3 * t.n; i++) /* x_k and with it the ring once */
        assert_int_equal(g.c[i], i >= t.n);
    signature_free(&g);
    trap_free(&t);
}

/* A phase may also be the one to find that there is no solution: the last f stands where
 * the one before it does.                                                         */
static void test_guard_singular(void **state)
{
    (void)state;
    trap t;
    signature g;
    trap_set(&t, 5, 100, false);
    int32_t last = t.p.start[t.f + t.n - 1];
    t.p.row[last]--;
    signature_matrix matrix = {&t.p.view, t.sigma};
    assert_int_equal(signature_create(&g, &matrix, NULL), DAEDAL_ERR_STRUCTURE);
    expect_list("one too few", dulmage_cols(&g.singular, DULMAGE_UNDER), "8 9");
    signature_free(&g);
    trap_free(&t);
}

/* ---- out of memory --------------------------------------------------------------------- */

typedef bool attempt_fn(const daedal_allocator *a);

static bool attempt_blocks(const daedal_allocator *a)
{
    sample s;
    matching m;
    components c = {0};
    sample_read(&s, "00.../0.0../.00../.0.00/...00");
    bool done =
        matching_maximum(&m, &s.pattern, NULL, a) && components_create(&c, &s.pattern, &m, a);
    components_free(&c);
    matching_free(&m);
    return done;
}

static bool attempt_parts(const daedal_allocator *a)
{
    sample s;
    dulmage d;
    dulmage_set x = {0}, y = {0};
    sample_read(&s, "0./0.");
    bool done = dulmage_create(&d, &s.pattern, NULL, a) && dulmage_conflict(&x, &d, 1, a) &&
                dulmage_freedom(&y, &d, &s.pattern, 1, a);
    dulmage_set_free(&x);
    dulmage_set_free(&y);
    dulmage_free(&d);
    return done;
}

static bool attempt_offsets(const daedal_allocator *a)
{
    sample s;
    signature g;
    pattern p = {0};
    sample_read(&s, "2.0/.20/00.");
    daedal_status status = signature_create(&g, &s.matrix, a);
    assert_true(status == DAEDAL_OK || status == DAEDAL_ERR_MEMORY);
    bool done = status == DAEDAL_OK && signature_essential(&p, &s.matrix, &g, a);
    pattern_free(&p);
    signature_free(&g);
    return done;
}

static bool attempt_singular(const daedal_allocator *a)
{
    sample s;
    signature g;
    sample_read(&s, "2.0/.20/...");
    daedal_status status = signature_create(&g, &s.matrix, a);
    assert_true(status == DAEDAL_ERR_STRUCTURE || status == DAEDAL_ERR_MEMORY);
    signature_free(&g);
    return status == DAEDAL_ERR_STRUCTURE;
}

static bool attempt_guard(const daedal_allocator *a)
{
    trap t;
    signature g;
    trap_set(&t, 100, 100, false);
    daedal_status status = signature_create(&g, &(signature_matrix){&t.p.view, t.sigma}, a);
    assert_true(status == DAEDAL_OK || status == DAEDAL_ERR_MEMORY);
    signature_free(&g);
    trap_free(&t);
    return status == DAEDAL_OK;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    attempt_fn *const attempts[] = {attempt_blocks, attempt_parts, attempt_offsets,
                                    attempt_singular, attempt_guard};
    for (size_t k = 0; k < COUNT(attempts); k++) {
        bool done = false;
        for (long refuse = 1; !done; refuse++) {
            ledger books;
            ledger_open(&books);
            books.refuse = refuse;
            done = attempts[k](&books.allocator);
            assert_int_equal(done, books.taken < refuse);
            ledger_expect_empty(&books);
        }
    }
}

/* ---- the heap -------------------------------------------------------------------------- */

static void test_heap(void **state)
{
    (void)state;
    enum { N = 9 };
    static const int64_t keys[N] = {5, 3, 8, 3, 9, 1, 7, 1, 6};
    int32_t item[N], place[N];
    int64_t key[N];
    heap h = {0, item, place, key};
    heap_begin(&h, N);
    assert_int_equal(heap_take(&h), HEAP_NONE);
    for (int32_t k = 0; k < N; k++)
        heap_set(&h, k, keys[k]);
    heap_set(&h, 2, 0);  /* up    */
    heap_set(&h, 5, 10); /* down  */
    static const int32_t wanted[] = {2, 7, 1, 3, 0, 8, 6};
    for (size_t k = 0; k < COUNT(wanted); k++)
        assert_int_equal(heap_take(&h), wanted[k]);
    heap_clear(&h);
    assert_int_equal(heap_take(&h), HEAP_NONE);
    heap_set(&h, 4, 1);
    assert_int_equal(heap_take(&h), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matching),
        cmocka_unit_test(test_initial_matching_is_kept),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_components),
        cmocka_unit_test(test_dulmage),
        cmocka_unit_test(test_smallest_sets),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_absurd_orders_are_refused),
        cmocka_unit_test(test_essential),
        cmocka_unit_test(test_guard),
        cmocka_unit_test(test_guard_raises),
        cmocka_unit_test(test_guard_singular),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
