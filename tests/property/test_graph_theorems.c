/* tests/property/test_graph_theorems.c - what src/graph promises, on random systems: the
 * theorems themselves, or exhaustive search where systems are small.            */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dulmage_parts.h"
#include "graph/components.h"
#include "graph/greedy_matching.h"
#include "graph/signature.h"
#include "harness.h"
#include "seeded.h"

enum { SEEDS = 3000, SIZE = 12, LARGE = 400, NONE = MATCHING_NONE };

/* ---- random systems ------------------------------------------------------------- */

typedef struct scene {
    seeded random;
    pattern p;
    int32_t *sigma;
    signature_matrix matrix;
} scene;

/* Each entry is there with probability `density`, those (i, i) also when `sound`. */
static void scene_make(scene *sc, int32_t n_rows, int32_t n_cols, double density, bool sound)
{
    int32_t nnz = 0;
    assert_true(pattern_create(&sc->p, n_rows, n_cols, n_rows * n_cols, NULL));
    for (int32_t j = 0; j < n_cols; j++) {
        for (int32_t i = 0; i < n_rows; i++)
            if (seeded_uniform(&sc->random, 0.0, 1.0) < density || (sound && i == j))
                sc->p.row[nnz++] = i;
        sc->p.start[j + 1] = nnz;
    }
    int32_t order = seeded_int(&sc->random, 0, 3);
    sc->sigma = calloc((size_t)nnz + 1, sizeof *sc->sigma);
    assert_non_null(sc->sigma);
    for (int32_t q = 0; q < nnz; q++)
        sc->sigma[q] = seeded_int(&sc->random, 0, order);
    sc->matrix = (signature_matrix){&sc->p.view, sc->sigma};
}

static void scene_free(scene *sc)
{
    pattern_free(&sc->p);
    free(sc->sigma);
}

typedef enum shape { ANY, ANY_LARGE, SQUARE, SOUND, SOUND_LARGE } shape;

/* A check for every seed, on systems of the shape wanted. */
static void for_all(shape which, void (*check)(scene *sc))
{
    bool large = which == ANY_LARGE || which == SOUND_LARGE;
    uint32_t seeds = large ? SEEDS / 50 : SEEDS;
    for (uint32_t seed = 0; seed < seeds; seed++) {
        scene sc = {.random = seeded_begin(seed)};
        int32_t most = large ? LARGE : SIZE;
        int32_t m = seeded_int(&sc.random, 1, most), n = seeded_int(&sc.random, 1, most);
        double degree = seeded_uniform(&sc.random, 0.2, 4.0);
        scene_make(&sc, which <= ANY_LARGE ? m : n, n, degree / n, which >= SOUND);
        check(&sc);
        scene_free(&sc);
    }
}

static matching match(const scene *sc)
{
    matching m;
    assert_true(matching_maximum(&m, &sc->p.view, NULL, NULL));
    return m;
}

/* ---- matching --------------------------------------------------------------------- */

/* Columns and rows that alternating paths reach from free columns. */
static void reach(const scene *sc, const matching *m, bool *cols, bool *rows)
{
    bool more = true;
    for (int32_t j = 0; j < m->n_cols; j++)
        cols[j] = m->row_of[j] == NONE;
    while (more) {
        more = false;
        for (int32_t j = 0; j < m->n_cols; j++)
            for (int32_t q = sc->p.start[j]; cols[j] && q < sc->p.start[j + 1]; q++) {
                int32_t i = sc->p.row[q];
                more = more || !rows[i];
                rows[i] = true;
                if (m->col_of[i] != NONE)
                    cols[m->col_of[i]] = true;
            }
    }
}

/* Koenig: the columns not reached and the rows reached touch every entry; a cover as small
 * as the matching proves both optimal.                                            */
static void check_cover(scene *sc)
{
    bool cols[LARGE] = {false}, rows[LARGE] = {false};
    int32_t initial[LARGE], cover = 0;
    matching m;
    for (int32_t j = 0; j < LARGE; j++)
        initial[j] = seeded_int(&sc->random, -1, sc->p.view.n_rows);
    assert_true(matching_maximum(&m, &sc->p.view, initial, NULL));
    reach(sc, &m, cols, rows);
    for (int32_t j = 0; j < m.n_cols; j++) {
        cover += !cols[j];
        for (int32_t q = sc->p.start[j]; q < sc->p.start[j + 1]; q++)
            seeded_require(&sc->random, !cols[j] || rows[sc->p.row[q]], "no cover");
        if (m.row_of[j] != NONE)
            seeded_require(&sc->random,
                           m.col_of[m.row_of[j]] == j &&
                               pattern_find(&sc->p.view, m.row_of[j], j) >= 0,
                           "column %d: no pair", (int)j);
    }
    for (int32_t i = 0; i < m.n_rows; i++)
        cover += rows[i];
    seeded_require(&sc->random, cover == m.size, "matching %d, cover %d", (int)m.size, (int)cover);
    matching_free(&m);
}

static void matching_has_a_cover_of_its_size(void **state)
{
    (void)state;
    for_all(ANY, check_cover);
    for_all(ANY_LARGE, check_cover);
    for_all(SOUND_LARGE, check_cover);
}

/* A random tree: each row hangs on a column with a smaller number, or the first, and each
 * column on a row.                                                                */
static void make_tree(pattern *p, seeded *random)
{
    int32_t row_hangs[LARGE], col_hangs[LARGE], nnz = 0;
    for (int32_t k = 0; k < LARGE; k++) {
        row_hangs[k] = seeded_int(random, 0, k > 0 ? k - 1 : 0);
        col_hangs[k] = k > 0 ? seeded_int(random, 0, k - 1) : 0;
    }
    assert_true(pattern_create(p, LARGE, LARGE, 2 * LARGE, NULL));
    for (int32_t j = 0; j < LARGE; j++) {
        for (int32_t i = 0; i < LARGE; i++)
            if (row_hangs[i] == j || col_hangs[j] == i)
                p->row[nnz++] = i;
        p->start[j + 1] = nnz;
    }
}

/* [KS81]: where some node always has one choice, no mistake is made. */
static void greedy_is_exact_on_trees(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < SEEDS / 50; seed++) {
        seeded random = seeded_begin(seed);
        pattern p;
        matching greedy, best;
        make_tree(&p, &random);
        assert_true(matching_create(&greedy, LARGE, LARGE, NULL));
        assert_true(greedy_matching_extend(&greedy, &p.view, NULL));
        assert_true(matching_maximum(&best, &p.view, NULL, NULL));
        seeded_require(&random, greedy.size == best.size, "%d of %d", (int)greedy.size,
                       (int)best.size);
        matching_free(&greedy);
        matching_free(&best);
        pattern_free(&p);
    }
}

/* ---- components ------------------------------------------------------------------- */

/* Which variables need which, by transitive closure. */
static void close_needs(const scene *sc, const matching *m, bool needs[SIZE][SIZE])
{
    for (int32_t j = 0; j < m->n_cols; j++)
        for (int32_t q = sc->p.start[j]; q < sc->p.start[j + 1]; q++)
            needs[m->col_of[sc->p.row[q]]][j] = true;
    for (int32_t k = 0; k < m->n_cols; k++)
        for (int32_t i = 0; i < m->n_cols; i++)
            for (int32_t j = 0; j < m->n_cols; j++)
                needs[i][j] = needs[i][j] || (needs[i][k] && needs[k][j]);
}

static void check_triangular(const scene *sc, const components *c)
{
    for (int32_t j = 0; j < c->n; j++)
        for (int32_t q = sc->p.start[j]; q < sc->p.start[j + 1]; q++)
            seeded_require(&sc->random, c->row_at[sc->p.row[q]] >= c->start[c->block_of[j]],
                           "entry (%d, %d) stands right of the blocks", (int)sc->p.row[q], (int)j);
}

/* A permutation in blocks, with the matching on the diagonal. */
static void check_lists(const scene *sc, const components *c, const matching *m)
{
    int32_t largest = 0;
    seeded_require(&sc->random, c->start[0] == 0 && c->start[c->n_blocks] == c->n, "starts");
    for (int32_t b = 0; b < c->n_blocks; b++) {
        int32_t size = c->start[b + 1] - c->start[b];
        seeded_require(&sc->random, size > 0, "block %d is empty", (int)b);
        largest = size > largest ? size : largest;
        for (int32_t k = c->start[b]; k < c->start[b + 1]; k++)
            seeded_require(&sc->random,
                           c->row[k] == m->row_of[c->col[k]] && c->row_at[c->row[k]] == k &&
                               c->block_of[c->col[k]] == b &&
                               (k == c->start[b] || c->col[k] > c->col[k - 1]),
                           "place %d", (int)k);
    }
    seeded_require(&sc->random, largest == c->largest, "largest block");
}

static void check_components(scene *sc)
{
    components c;
    matching m = match(sc);
    assert_true(components_create(&c, &sc->p.view, &m, NULL));
    check_lists(sc, &c, &m);
    check_triangular(sc, &c);
    components_free(&c);
    matching_free(&m);
}

static void check_blocks_irreducible(scene *sc)
{
    bool needs[SIZE][SIZE] = {{false}};
    components c;
    matching m = match(sc);
    assert_true(components_create(&c, &sc->p.view, &m, NULL));
    close_needs(sc, &m, needs);
    for (int32_t i = 0; i < c.n; i++)
        for (int32_t j = 0; j < c.n; j++)
            seeded_require(&sc->random,
                           (c.block_of[i] == c.block_of[j]) ==
                               (i == j || (needs[i][j] && needs[j][i])),
                           "variables %d and %d", (int)i, (int)j);
    components_free(&c);
    matching_free(&m);
}

static void order_is_block_triangular(void **state)
{
    (void)state;
    for_all(SOUND, check_components);
    for_all(SOUND_LARGE, check_components);
}

static void blocks_are_irreducible(void **state)
{
    (void)state;
    for_all(SOUND, check_blocks_irreducible);
}

/* ---- Dulmage-Mendelsohn ----------------------------------------------------------- */

/* Rank of the pattern without one row and one column (-1: with all of them). */
static int32_t rank_without(const scene *sc, int32_t row, int32_t col)
{
    pattern p;
    matching m;
    assert_true(
        pattern_create(&p, sc->p.view.n_rows, sc->p.view.n_cols, pattern_nnz(&sc->p.view), NULL));
    for (int32_t j = 0; j < sc->p.view.n_cols; j++) {
        p.start[j + 1] = p.start[j];
        for (int32_t q = sc->p.start[j]; q < sc->p.start[j + 1]; q++)
            if (sc->p.row[q] != row && j != col)
                p.row[p.start[j + 1]++] = sc->p.row[q];
    }
    assert_true(matching_maximum(&m, &p.view, NULL, NULL));
    int32_t rank = m.size;
    matching_free(&m);
    pattern_free(&p);
    return rank;
}

/* OVER holds exactly the rows, UNDER exactly the columns, that some maximum matching can
 * do without.                                                                     */
static void check_parts(scene *sc)
{
    dulmage d;
    assert_true(dulmage_create(&d, &sc->p.view, NULL, NULL));
    int32_t rank = rank_without(sc, -1, -1);
    for (int part = 0; part < 3; part++) {
        daedal_ints rows = dulmage_rows(&d, (dulmage_part)part);
        daedal_ints cols = dulmage_cols(&d, (dulmage_part)part);
        for (int32_t k = 0; k < rows.n; k++)
            seeded_require(&sc->random,
                           (rank_without(sc, rows.at[k], -1) == rank) == (part == DULMAGE_OVER),
                           "equation %d in part %d", (int)rows.at[k], part);
        for (int32_t k = 0; k < cols.n; k++)
            seeded_require(&sc->random,
                           (rank_without(sc, -1, cols.at[k]) == rank) == (part == DULMAGE_UNDER),
                           "variable %d in part %d", (int)cols.at[k], part);
        int32_t surplus = rows.n - cols.n;
        int32_t wanted = part == DULMAGE_OVER    ? d.pairs.n_rows - rank
                         : part == DULMAGE_UNDER ? rank - d.pairs.n_cols
                                                 : 0;
        seeded_require(&sc->random, surplus == wanted, "part %d: surplus %d", part, (int)surplus);
    }
    seeded_require(&sc->random,
                   d.row_start[3] == d.pairs.n_rows && d.col_start[3] == d.pairs.n_cols,
                   "something stands in no part");
    dulmage_free(&d);
}

static void parts_do_not_depend_on_the_matching(void **state)
{
    (void)state;
    for_all(ANY, check_parts);
    for_all(SQUARE, check_parts);
}

/* A subset of `rows` (bits), and the size of its maximum matching. */
static int32_t rank_of_rows(const scene *sc, const bool *rows)
{
    pattern p;
    matching m;
    assert_true(pattern_copy(&p, &sc->p.view, NULL));
    int32_t nnz = 0;
    for (int32_t j = 0; j < p.view.n_cols; j++) {
        for (int32_t q = sc->p.start[j]; q < sc->p.start[j + 1]; q++)
            if (rows[sc->p.row[q]])
                p.row[nnz++] = sc->p.row[q];
        p.start[j + 1] = nnz;
    }
    assert_true(matching_maximum(&m, &p.view, NULL, NULL));
    int32_t rank = m.size;
    matching_free(&m);
    pattern_free(&p);
    return rank;
}

static void check_one_conflict(const scene *sc, const dulmage_set *set)
{
    bool rows[SIZE] = {false};
    for (int32_t k = 0; k < set->rows.n; k++)
        rows[set->rows.at[k]] = true;
    int32_t all = rank_of_rows(sc, rows);
    seeded_require(&sc->random, all == set->rows.n - 1 && all == set->cols.n, "no conflict");
    for (int32_t k = 0; k < set->rows.n; k++) {
        rows[set->rows.at[k]] = false;
        seeded_require(&sc->random, rank_of_rows(sc, rows) == all, "not the smallest");
        rows[set->rows.at[k]] = true;
    }
}

static void check_conflicts(scene *sc)
{
    dulmage d;
    dulmage_set set;
    assert_true(dulmage_create(&d, &sc->p.view, NULL, NULL));
    for (int32_t i = 0; i < d.pairs.n_rows; i++)
        if (d.pairs.col_of[i] == NONE) {
            assert_true(dulmage_conflict(&set, &d, i, NULL));
            check_one_conflict(sc, &set);
            dulmage_set_free(&set);
        }
    dulmage_free(&d);
}

static void conflicts_are_smallest(void **state)
{
    (void)state;
    for_all(ANY, check_conflicts);
}

/* ---- offsets ---------------------------------------------------------------------- */

/* The highest value of a transversal by trying all: row after row takes a free column;
 * -1 if there is none.                                                            */
static int64_t best_value(const scene *sc, int32_t i, unsigned taken)
{
    int32_t n = sc->p.view.n_cols;
    int64_t best = i == n ? 0 : -1;
    for (int32_t j = 0; i < n && j < n; j++) {
        int32_t q = taken >> j & 1u ? -1 : pattern_find(&sc->p.view, i, j);
        int64_t rest = q < 0 ? -1 : best_value(sc, i + 1, taken | 1u << j);
        if (rest >= 0 && rest + sc->sigma[q] > best)
            best = rest + sc->sigma[q];
    }
    return best;
}

/* Pryce's fixed-point iteration [Pry01] from a highest-value transversal: the smallest
 * offsets by construction.                                                        */
static void iterate_offsets(const scene *sc, const matching *m, int32_t *c, int32_t *d)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int32_t j = 0; j < m->n_cols; j++) {
            int32_t own = pattern_find(&sc->p.view, m->row_of[j], j);
            d[j] = 0;
            for (int32_t q = sc->p.start[j]; q < sc->p.start[j + 1]; q++)
                if (sc->sigma[q] + c[sc->p.row[q]] > d[j])
                    d[j] = sc->sigma[q] + c[sc->p.row[q]];
            changed = changed || c[m->row_of[j]] != d[j] - sc->sigma[own];
            c[m->row_of[j]] = d[j] - sc->sigma[own];
        }
    }
}

/* Feasible, and tight on the transversal: by duality its value is then the highest. */
static void check_feasible(const scene *sc, const signature *g)
{
    int64_t value = 0;
    for (int32_t j = 0; j < g->n; j++)
        for (int32_t q = sc->p.start[j]; q < sc->p.start[j + 1]; q++) {
            int32_t i = sc->p.row[q], slack = g->d[j] - g->c[i] - sc->sigma[q];
            bool on = g->transversal.row_of[j] == i;
            seeded_require(&sc->random,
                           g->c[i] >= 0 && g->d[j] >= 0 && slack >= 0 && !(on && slack > 0),
                           "entry (%d, %d): slack %d", (int)i, (int)j, (int)slack);
            value += on ? sc->sigma[q] : 0;
        }
    seeded_require(&sc->random, value == g->degrees_of_freedom, "value of the transversal");
    seeded_require(&sc->random, g->transversal.size == g->n, "transversal incomplete");
}

static void check_smallest(const scene *sc, const signature *g)
{
    int32_t c[LARGE] = {0}, d[LARGE] = {0}, index = 0, some_zero = 0;
    iterate_offsets(sc, &g->transversal, c, d);
    for (int32_t k = 0; k < g->n; k++) {
        seeded_require(&sc->random, c[k] == g->c[k] && d[k] == g->d[k],
                       "%d: c %d, d %d; smallest %d, %d", (int)k, (int)g->c[k], (int)g->d[k],
                       (int)c[k], (int)d[k]);
        index = c[k] > index ? c[k] : index;
        some_zero = some_zero || d[k] == 0;
    }
    seeded_require(&sc->random, g->index == index + some_zero, "index %d", (int)g->index);
}

static void check_offsets(scene *sc)
{
    signature g;
    assert_int_equal(signature_create(&g, &sc->matrix, NULL), DAEDAL_OK);
    check_feasible(sc, &g);
    check_smallest(sc, &g);
    signature_free(&g);
}

static void check_against_all(scene *sc)
{
    if (sc->p.view.n_cols > 7)
        return;
    signature g;
    int64_t best = best_value(sc, 0, 0);
    daedal_status status = signature_create(&g, &sc->matrix, NULL);
    seeded_require(&sc->random, (status == DAEDAL_OK) == (best >= 0), "status %d", (int)status);
    if (status == DAEDAL_OK)
        seeded_require(&sc->random, g.degrees_of_freedom == best, "value %d instead of %d",
                       (int)g.degrees_of_freedom, (int)best);
    else
        seeded_require(&sc->random,
                       dulmage_rows(&g.singular, DULMAGE_OVER).n > 0 &&
                           dulmage_cols(&g.singular, DULMAGE_UNDER).n > 0,
                       "singular, but no culprit");
    signature_free(&g);
}

static void transversal_has_the_highest_value(void **state)
{
    (void)state;
    for_all(SQUARE, check_against_all);
    for_all(SOUND, check_against_all);
}

static void offsets_are_the_smallest(void **state)
{
    (void)state;
    for_all(SOUND, check_offsets);
    for_all(SOUND_LARGE, check_offsets);
}

/* The essential pattern carries the transversal, and its blocks are in order. */
static void check_essential(scene *sc)
{
    signature g;
    pattern p;
    components c;
    assert_int_equal(signature_create(&g, &sc->matrix, NULL), DAEDAL_OK);
    assert_true(signature_essential(&p, &sc->matrix, &g, NULL));
    for (int32_t j = 0; j < g.n; j++)
        seeded_require(&sc->random, pattern_find(&p.view, g.transversal.row_of[j], j) >= 0,
                       "the transversal is not essential");
    assert_true(components_create(&c, &p.view, &g.transversal, NULL));
    components_free(&c);
    pattern_free(&p);
    signature_free(&g);
}

static void essential_pattern_holds_the_transversal(void **state)
{
    (void)state;
    for_all(SOUND, check_essential);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matching_has_a_cover_of_its_size),
        cmocka_unit_test(greedy_is_exact_on_trees),
        cmocka_unit_test(order_is_block_triangular),
        cmocka_unit_test(blocks_are_irreducible),
        cmocka_unit_test(parts_do_not_depend_on_the_matching),
        cmocka_unit_test(conflicts_are_smallest),
        cmocka_unit_test(transversal_has_the_highest_value),
        cmocka_unit_test(offsets_are_the_smallest),
        cmocka_unit_test(essential_pattern_holds_the_transversal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
