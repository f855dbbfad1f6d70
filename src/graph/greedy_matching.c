/* graph/greedy_matching.c - see greedy_matching.h.
 *
 * A row or a column that has one free partner left may take it: some maximum matching
 * does so.  While there is one, that is done; only then a column is given the row with the
 * fewest other choices, which may be a mistake.  On trees and chains, of which models
 * mostly consist, no mistake is ever made [KS81].  O(nnz).
 *
 * [KS81] Karp, Sipser: Maximum matchings in sparse random graphs, 22nd Symposium on
 *        Foundations of Computer Science (1981) 364-375.                        */
#include "graph/greedy_matching.h"

#define NONE MATCHING_NONE

/* Nodes: column j is j, row i is n_cols + i. */
typedef struct chooser {
    const daedal_pattern *by_col, *by_row; /* the pattern and its transpose           */
    matching *m;
    int32_t *choices; /* by node: free partners                                      */
    int32_t *single;  /* a stack of nodes that had one choice                        */
    int32_t n_single;
    block mem;
} chooser;

static void chooser_lay_out(void *object, layout *l)
{
    chooser *g = object;
    size_t n_nodes = (size_t)g->m->n_cols + (size_t)g->m->n_rows;
    g->choices = layout_take(l, n_nodes, sizeof *g->choices);
    g->single = layout_take(l, n_nodes, sizeof *g->single);
}

/* A neighbour of this node was taken. */
static void lose_choice(chooser *g, int32_t node)
{
    if (--g->choices[node] == 1)
        g->single[g->n_single++] = node;
}

static void join(chooser *g, int32_t row, int32_t col)
{
    const daedal_pattern *c = g->by_col, *r = g->by_row;
    matching_join(g->m, row, col);
    for (int32_t q = c->start[col]; q < c->start[col + 1]; q++)
        if (g->m->col_of[c->row[q]] == NONE)
            lose_choice(g, g->m->n_cols + c->row[q]);
    for (int32_t q = r->start[row]; q < r->start[row + 1]; q++)
        if (g->m->row_of[r->row[q]] == NONE)
            lose_choice(g, r->row[q]);
}

/* The free partner with the fewest choices of a column of p (the pattern or its
 * transpose), or NONE.                                                          */
static int32_t best_partner(const daedal_pattern *p, int32_t j, const int32_t *mate,
                            const int32_t *choices)
{
    int32_t best = NONE;
    for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
        int32_t i = p->row[q];
        if (mate[i] == NONE && (best == NONE || choices[i] < choices[best]))
            best = i;
    }
    return best;
}

static void join_column(chooser *g, int32_t col)
{
    const matching *m = g->m;
    if (m->row_of[col] != NONE)
        return;
    int32_t row = best_partner(g->by_col, col, m->col_of, g->choices + m->n_cols);
    if (row != NONE)
        join(g, row, col);
}

static void join_row(chooser *g, int32_t row)
{
    const matching *m = g->m;
    if (m->col_of[row] != NONE)
        return;
    int32_t col = best_partner(g->by_row, row, m->row_of, g->choices);
    if (col != NONE)
        join(g, row, col);
}

static void join_singles(chooser *g)
{
    while (g->n_single > 0) {
        int32_t node = g->single[--g->n_single];
        if (node < g->m->n_cols)
            join_column(g, node);
        else
            join_row(g, node - g->m->n_cols);
    }
}

/* Choices among what is free, and who has only one. */
static void count_choices(chooser *g)
{
    const matching *m = g->m;
    for (int32_t j = 0; j < m->n_cols; j++)
        for (int32_t q = g->by_col->start[j]; q < g->by_col->start[j + 1]; q++) {
            int32_t i = g->by_col->row[q];
            g->choices[j] += m->col_of[i] == NONE;
            g->choices[m->n_cols + i] += m->row_of[j] == NONE;
        }
    for (int32_t node = m->n_cols + m->n_rows - 1; node >= 0; node--)
        if (g->choices[node] == 1)
            g->single[g->n_single++] = node;
}

bool greedy_matching_extend(matching *m, const daedal_pattern *p, const daedal_allocator *a)
{
    pattern by_row;
    if (!pattern_transpose(&by_row, p, a))
        return false;
    chooser g = {.by_col = p, .by_row = &by_row.view, .m = m};
    bool done = block_create(&g.mem, a, chooser_lay_out, &g);
    if (done) {
        count_choices(&g);
        join_singles(&g);
        for (int32_t j = 0; j < m->n_cols; j++) {
            join_column(&g, j);
            join_singles(&g);
        }
    }
    block_free(&g.mem);
    pattern_free(&by_row);
    return done;
}
