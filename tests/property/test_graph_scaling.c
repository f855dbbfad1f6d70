/* tests/property/test_graph_scaling.c - src/graph grows as the model does.  Models of 10^4
 * to 10^6 equations, in the order they were written and shuffled; prints nanoseconds per
 * entry.  No time is asserted, only the work: looks per entry must not grow with n.   */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "graph/components.h"
#include "graph/signature.h"
#include "harness.h"
#include "seeded.h"

enum { SMALLEST = SANITIZED ? 1000 : 10000, LARGEST = 100 * SMALLEST };

/* ---- models, entry by entry ------------------------------------------------------- */

typedef struct entry {
    int32_t row, col, sigma;
} entry;

typedef struct model {
    int32_t n, nnz, capacity;
    entry *entry;
    pattern p;
    int32_t *sigma;
    seeded random;
} model;

static void add(model *m, int32_t row, int32_t col, int32_t sigma)
{
    if (m->nnz == m->capacity) {
        m->capacity = 2 * m->capacity + 64;
        m->entry = realloc(m->entry, (size_t)m->capacity * sizeof *m->entry);
        assert_non_null(m->entry);
    }
    m->entry[m->nnz++] = (entry){row, col, sigma};
}

/* C v_k' = i_k - i_k+1,  R i_k = v_k-1 - v_k: index 1. */
static void build_ladder(model *m, int32_t n)
{
    m->n = n / 2 * 2;
    for (int32_t r = 0; r < m->n; r += 2) { /* v_k is column r, i_k column r + 1 */
        add(m, r, r, 1);
        add(m, r, r + 1, 0);
        if (r + 3 < m->n)
            add(m, r, r + 3, 0);
        if (r >= 2)
            add(m, r + 1, r - 2, 0);
        add(m, r + 1, r, 0);
        add(m, r + 1, r + 1, 0);
    }
}

/* Shafts coupled by rigid gears: phi_k' = w_k, J w_k' = tau_k - tau_k+1, and phi_k = r
 * phi_k-1 for all but the first, whose tau is given: index 3, one degree of freedom
 * of second order.                                                                */
static void build_gears(model *m, int32_t n)
{
    int32_t shafts = (n + 1) / 3;
    m->n = 3 * shafts - 1; /* phi_k, w_k, tau_k are columns 3k - 1 ..., the first tau is none */
    for (int32_t k = 0; k < shafts; k++) {
        int32_t phi = k == 0 ? 0 : 3 * k - 1, w = phi + 1, tau = phi + 2;
        add(m, phi, phi, 1);
        add(m, phi, w, 0);
        add(m, w, w, 1);
        if (k > 0)
            add(m, w, tau, 0);
        if (k + 1 < shafts)
            add(m, w, k == 0 ? 4 : tau + 3, 0);
        if (k > 0) {
            add(m, tau, phi, 0);
            add(m, tau, k == 1 ? 0 : phi - 3, 0);
        }
    }
}

/* Pendula one below the other, x, y, u, v, F each; the next one's F acts on this one, and
 * its length is measured from this one: index 3.                                  */
static void build_pendula(model *m, int32_t n)
{
    m->n = n / 5 * 5;
    for (int32_t x = 0; x < m->n; x += 5) {
        for (int32_t axis = 0; axis < 2; axis++) {
            int32_t at = x + axis, speed = x + 2 + axis;
            add(m, at, at, 1);
            add(m, at, speed, 0);
            add(m, speed, at, 0);
            add(m, speed, speed, 1);
            add(m, speed, x + 4, 0);
            if (x + 9 < m->n)
                add(m, speed, x + 9, 0);
            add(m, x + 4, at, 0);
            if (x >= 5)
                add(m, x + 4, at - 5, 0);
        }
    }
}

/* No model at all: a hidden perfect matching and two more entries a row. */
static void build_random(model *m, int32_t n)
{
    m->n = n;
    for (int32_t i = 0; i < n; i++) {
        int32_t near = (int32_t)((i * (int64_t)7919 + 1) % n),
                far = seeded_int(&m->random, 0, n - 1);
        add(m, i, i, seeded_int(&m->random, 0, 1));
        if (near != i)
            add(m, i, near, seeded_int(&m->random, 0, 1));
        if (far != i && far != near)
            add(m, i, far, seeded_int(&m->random, 0, 1));
    }
}

/* ---- from entries to a pattern ------------------------------------------------------ */

static int32_t *permutation(model *m, bool shuffled)
{
    int32_t *perm = malloc((size_t)m->n * sizeof *perm);
    assert_non_null(perm);
    for (int32_t k = 0; k < m->n; k++) {
        int32_t other = shuffled ? seeded_int(&m->random, 0, k) : k;
        perm[k] = perm[other];
        perm[other] = k;
    }
    return perm;
}

static void shuffle(model *m, bool shuffled)
{
    int32_t *rows = permutation(m, shuffled), *cols = permutation(m, shuffled);
    for (int32_t q = 0; q < m->nnz; q++) {
        m->entry[q].row = rows[m->entry[q].row];
        m->entry[q].col = cols[m->entry[q].col];
    }
    free(rows);
    free(cols);
}

/* Stable, by row or by column. */
static void sort_entries(model *m, bool by_col)
{
    entry *to = malloc((size_t)m->nnz * sizeof *to);
    int32_t *at = calloc((size_t)m->n + 1, sizeof *at);
    assert_true(to && at);
    for (int32_t q = 0; q < m->nnz; q++)
        at[(by_col ? m->entry[q].col : m->entry[q].row) + 1]++;
    for (int32_t k = 0; k < m->n; k++)
        at[k + 1] += at[k];
    for (int32_t q = 0; q < m->nnz; q++)
        to[at[by_col ? m->entry[q].col : m->entry[q].row]++] = m->entry[q];
    free(at);
    free(m->entry);
    m->entry = to;
}

static void compress(model *m)
{
    sort_entries(m, false);
    sort_entries(m, true);
    assert_true(pattern_create(&m->p, m->n, m->n, m->nnz, NULL));
    m->sigma = malloc((size_t)m->nnz * sizeof *m->sigma);
    assert_non_null(m->sigma);
    for (int32_t q = 0; q < m->nnz; q++) {
        m->p.row[q] = m->entry[q].row;
        m->p.start[m->entry[q].col + 1] = q + 1;
        m->sigma[q] = m->entry[q].sigma;
    }
    char text[80];
    assert_null(pattern_complaint(&m->p.view, text, sizeof text));
    free(m->entry);
}

static void model_free(model *m)
{
    pattern_free(&m->p);
    free(m->sigma);
}

/* ---- the run ------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*build)(model *m, int32_t n);
    int32_t index, freedom; /* freedom -1: not known */
    bool shuffled;
    int32_t largest;
} models[] = {
    {"ladder", build_ladder, 1, -1, false, LARGEST},
    {"ladder, shuffled", build_ladder, 1, -1, true, LARGEST / 10},
    {"gears", build_gears, 3, 2, false, LARGEST},
    {"gears, shuffled", build_gears, 3, 2, true, LARGEST},
    {"pendula", build_pendula, 3, -1, false, LARGEST},
    {"pendula, shuffled", build_pendula, 3, -1, true, LARGEST / 10},
    {"random, shuffled", build_random, -1, -1, true, LARGEST / 10},
};

static double per_entry(clock_t since, int32_t nnz)
{
    return 1e9 * (double)(clock() - since) / CLOCKS_PER_SEC / nnz;
}

static double time_matching(const model *m)
{
    matching pairs;
    clock_t began = clock();
    assert_true(matching_maximum(&pairs, &m->p.view, NULL, NULL));
    double ns = per_entry(began, m->nnz);
    assert_int_equal(pairs.size, m->n);
    matching_free(&pairs);
    return ns;
}

static void time_blocks(const model *m, const signature *g)
{
    pattern p;
    components c;
    assert_true(signature_essential(&p, &(signature_matrix){&m->p.view, m->sigma}, g, NULL));
    clock_t began = clock();
    assert_true(components_create(&c, &p.view, &g->transversal, NULL));
    double ns = per_entry(began, m->nnz);
    printf("  block %7d  ns/entry: blocks %5.1f", (int)c.largest, ns);
    components_free(&c);
    pattern_free(&p);
}

/* Looks per entry of one model. */
static double run(size_t k, int32_t n)
{
    model m = {.random = seeded_begin(17)};
    signature g;
    models[k].build(&m, n);
    shuffle(&m, models[k].shuffled);
    compress(&m);
    clock_t began = clock();
    assert_int_equal(signature_create(&g, &(signature_matrix){&m.p.view, m.sigma}, NULL),
                     DAEDAL_OK);
    double offsets = per_entry(began, m.nnz), looks = (double)g.visits / m.nnz;
    printf("%-18s n %7d nnz %7d", models[k].name, (int)m.n, (int)m.nnz);
    time_blocks(&m, &g);
    printf(", matching %5.1f, offsets %5.1f = %.3f s; %.2f looks/entry, %d phases\n",
           time_matching(&m), offsets, 1e-9 * offsets * m.nnz, looks, (int)g.phases);
    if (models[k].index >= 0)
        assert_int_equal(g.index, models[k].index);
    if (models[k].freedom >= 0)
        assert_int_equal(g.degrees_of_freedom, models[k].freedom);
    signature_free(&g);
    model_free(&m);
    return looks;
}

static void work_per_entry_does_not_grow(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(models); k++) {
        double least = run(k, SMALLEST);
        for (int32_t n = 10 * SMALLEST; n <= models[k].largest; n *= 10)
            assert_true(run(k, n) <= 2.0 * least + 1.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_per_entry_does_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
