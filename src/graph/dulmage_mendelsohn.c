/* graph/dulmage_mendelsohn.c - see dulmage_mendelsohn.h.
 *
 * Given a maximum matching, OVER is what alternating paths reach from the unmatched
 * rows, UNDER what they reach from the unmatched columns, WELL the rest; the parts do not
 * depend on the matching chosen [DM58], [PF90].  The same walk from a single unmatched row
 * gives a set of k + 1 rows with entries in k columns only.  It is minimal: a path leads
 * from the unmatched row to any other, and re-pairing along it leaves that one unmatched.
 *
 * [DM58] Dulmage, Mendelsohn: Coverings of bipartite graphs, Canad. J. Math. 10 (1958)
 *        517-534.
 * [PF90] Pothen, Fan: Computing the block triangular form of a sparse matrix, ACM Trans.
 *        Math. Softw. 16 (1990) 303-324.
 * Properties: tests/property/test_graph_theorems.c.                             */
#include "graph/dulmage_mendelsohn.h"

#include <assert.h>

/* An alternating walk starts from unmatched columns of `p`, which is the pattern or its
 * transpose: column, any row of it, the column that row is matched with, ...    */
typedef struct walk {
    const daedal_pattern *p;
    const int32_t *mate; /* n_rows: the column of each row                     */
    int32_t n_near, n_far;
    int32_t *near;          /* columns reached, in order                          */
    int32_t *far;           /* rows reached, in order                             */
    unsigned char *is_near; /* by column                                          */
    unsigned char *is_far;  /* by row                                             */
    block mem;
} walk;

static void walk_lay_out(void *object, layout *l)
{
    walk *w = object;
    w->near = layout_take(l, (size_t)w->p->n_cols, sizeof *w->near);
    w->far = layout_take(l, (size_t)w->p->n_rows, sizeof *w->far);
    w->is_near = layout_take(l, (size_t)w->p->n_cols, sizeof *w->is_near);
    w->is_far = layout_take(l, (size_t)w->p->n_rows, sizeof *w->is_far);
}

static void reach_near(walk *w, int32_t j)
{
    w->is_near[j] = 1;
    w->near[w->n_near++] = j;
}

static void reach_far(walk *w, int32_t i)
{
    assert(w->mate[i] != MATCHING_NONE); /* else the matching were not maximum */
    w->is_far[i] = 1;
    w->far[w->n_far++] = i;
    reach_near(w, w->mate[i]);
}

static void walk_on(walk *w)
{
    for (int32_t k = 0; k < w->n_near; k++) {
        int32_t j = w->near[k];
        for (int32_t q = w->p->start[j]; q < w->p->start[j + 1]; q++)
            if (!w->is_far[w->p->row[q]])
                reach_far(w, w->p->row[q]);
    }
}

/* Search from all columns that `own_mate` leaves unmatched. */
static void walk_from_all(walk *w, const int32_t *own_mate)
{
    for (int32_t j = 0; j < w->p->n_cols; j++)
        if (own_mate[j] == MATCHING_NONE)
            reach_near(w, j);
    walk_on(w);
}

/* ---- the parts -------------------------------------------------------------- */

static void dulmage_lay_out(void *object, layout *l)
{
    dulmage *d = object;
    d->row = layout_take(l, (size_t)d->pairs.n_rows, sizeof *d->row);
    d->col = layout_take(l, (size_t)d->pairs.n_cols, sizeof *d->col);
}

/* List 0 .. n-1 part by part. */
static void sort_out(int32_t *list, int32_t start[4], int32_t n, const unsigned char *over,
                     const unsigned char *under)
{
    int32_t at = 0;
    for (int part = DULMAGE_OVER; part <= DULMAGE_UNDER; part++) {
        start[part] = at;
        for (int32_t k = 0; k < n; k++)
            if (part == (over[k] ? DULMAGE_OVER : under[k] ? DULMAGE_UNDER : DULMAGE_WELL))
                list[at++] = k;
    }
    start[3] = at;
}

static bool decompose(dulmage *d, const daedal_pattern *p, const daedal_allocator *a)
{
    walk over = {.p = &d->by_row.view, .mate = d->pairs.row_of};
    walk under = {.p = p, .mate = d->pairs.col_of};
    bool done = block_create(&over.mem, a, walk_lay_out, &over) &&
                block_create(&under.mem, a, walk_lay_out, &under) &&
                block_create(&d->mem, a, dulmage_lay_out, d);
    if (done) {
        walk_from_all(&over, d->pairs.col_of);
        walk_from_all(&under, d->pairs.row_of);
        sort_out(d->row, d->row_start, p->n_rows, over.is_near, under.is_far);
        sort_out(d->col, d->col_start, p->n_cols, over.is_far, under.is_near);
    }
    block_free(&over.mem);
    block_free(&under.mem);
    return done;
}

bool dulmage_create(dulmage *d, const daedal_pattern *p, const int32_t *initial,
                    const daedal_allocator *a)
{
    *d = (dulmage){0};
    if (matching_maximum(&d->pairs, p, initial, a) && pattern_transpose(&d->by_row, p, a) &&
        decompose(d, p, a))
        return true;
    dulmage_free(d);
    return false;
}

void dulmage_free(dulmage *d)
{
    matching_free(&d->pairs);
    pattern_free(&d->by_row);
    block_free(&d->mem);
    *d = (dulmage){0};
}

/* ---- the smallest sets ------------------------------------------------------ */

static bool walk_from_one(walk *w, int32_t j, const daedal_allocator *a)
{
    if (!block_create(&w->mem, a, walk_lay_out, w))
        return false;
    reach_near(w, j);
    walk_on(w);
    return true;
}

bool dulmage_conflict(dulmage_set *s, const dulmage *d, int32_t row, const daedal_allocator *a)
{
    assert(d->pairs.col_of[row] == MATCHING_NONE);
    *s = (dulmage_set){0};
    walk w = {.p = &d->by_row.view, .mate = d->pairs.row_of};
    if (!walk_from_one(&w, row, a))
        return false;
    *s = (dulmage_set){{w.near, w.n_near}, {w.far, w.n_far}, w.mem};
    return true;
}

bool dulmage_freedom(dulmage_set *s, const dulmage *d, const daedal_pattern *p, int32_t col,
                     const daedal_allocator *a)
{
    assert(d->pairs.row_of[col] == MATCHING_NONE);
    *s = (dulmage_set){0};
    walk w = {.p = p, .mate = d->pairs.col_of};
    if (!walk_from_one(&w, col, a))
        return false;
    *s = (dulmage_set){{w.far, w.n_far}, {w.near, w.n_near}, w.mem};
    return true;
}

void dulmage_set_free(dulmage_set *s)
{
    block_free(&s->mem);
    *s = (dulmage_set){0};
}
