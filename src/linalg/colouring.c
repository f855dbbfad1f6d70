/* linalg/colouring.c - see colouring.h.
 *
 * First-fit greedy: each column in turn takes the smallest colour none of its rows
 * has seen.  The usual way asks every neighbour of a column for its colour, which
 * costs n^2 when one row is full.  Here colours come in windows of 64: a row
 * remembers in one word which colours of the window it has seen, a column takes
 * the first bit free in all its rows, and columns that find none wait for the next
 * window.  This gives the same colours as the usual way, in O(nnz colours / 64)
 * steps and one word per row.
 *
 * The order of the columns decides how good the result is.  Tried in turn, until
 * the longest row (a lower bound) is met: the natural order, which is optimal for
 * bands; columns with the most neighbours first; and then the columns class by
 * class of the best colouring so far, last class first, which never needs more
 * colours and often fewer [Cul92].  Colours are columns to evaluate F for, every
 * time a Jacobian is differenced: a few more passes here are repaid soon.
 *
 * Where only some entries are wanted, a row remembers apart the colours of its wanted entries: a
 * column must avoid all colours in the rows where its entry is wanted, and these in its others.
 *
 * [CPR74] Curtis, Powell, Reid: On the estimation of sparse Jacobian matrices,
 *         J. Inst. Maths Applics 13 (1974) 117-119.
 * [CM83]  Coleman, More: Estimation of sparse Jacobian matrices and graph coloring
 *         problems, SIAM J. Numer. Anal. 20 (1983) 187-209.
 * [Cul92] Culberson: Iterated greedy graph coloring and the difficulty landscape,
 *         University of Alberta TR 92-07 (1992).                                */
#include "linalg/colouring.h"

#include <string.h>

#define WINDOW 64 /* colours in a word */
#define REFINEMENTS 6
#define PATIENCE 1 /* with refinements that save no colour */
#define NONE (-1)

typedef struct painter {
    const daedal_pattern *a, *b; /* b may be NULL                                  */
    const bool *wanted[2];       /* by their entries; NULL: all                    */
    bool is_quick;               /* the first order is enough                      */
    int32_t n_rows, n_all;       /* columns of [A B], empty ones included          */
    int32_t n_used;              /* columns that are not empty, with wanted entries */
    int32_t bound;               /* longest row of [A B]: no colouring has less    */
    int32_t *order;              /* n_used: columns in the order of the next pass  */
    int32_t *waiting;            /* n_used: columns without colour yet             */
    int32_t *colour, *best;      /* n_all                                          */
    int32_t n_best;
    int32_t *count;  /* n_all + 2: buckets of the counting sorts       */
    int32_t *length; /* n_rows: entries of each row                    */
    uint64_t *seen;  /* n_rows: colours of the window in each row      */
    uint64_t *kept;  /* n_rows: those of wanted entries among them     */
    block mem;
} painter;

static void painter_lay_out(void *object, layout *l)
{
    painter *p = object;
    size_t n = (size_t)p->n_all, m = (size_t)p->n_rows;
    p->order = layout_take(l, n, sizeof *p->order);
    p->waiting = layout_take(l, n, sizeof *p->waiting);
    p->colour = layout_take(l, n, sizeof *p->colour);
    p->best = layout_take(l, n, sizeof *p->best);
    p->count = layout_take(l, n + 2, sizeof *p->count);
    p->length = layout_take(l, m, sizeof *p->length);
    p->seen = layout_take(l, m, sizeof *p->seen);
    p->kept = layout_take(l, p->wanted[0] ? m : 0, sizeof *p->kept);
}

/* The rows of column j of [A B], and how many. */
static const int32_t *rows_of(const painter *p, int32_t j, int32_t *count)
{
    const daedal_pattern *q = p->a;
    if (j >= q->n_cols) {
        j -= q->n_cols;
        q = p->b;
    }
    *count = q->start[j + 1] - q->start[j];
    return q->row + q->start[j];
}

/* The entries of that column that are wanted. */
static const bool *wanted_of(const painter *p, int32_t j)
{
    int32_t n = p->a->n_cols;
    return j < n ? p->wanted[0] + p->a->start[j] : p->wanted[1] + p->b->start[j - n];
}

/* ---- one greedy pass ------------------------------------------------------ */

/* Index of the lowest zero bit; word must have one.  Mostly it is one of the first. */
static int32_t first_free(uint64_t word)
{
    int32_t bit = 0;
    for (; (word & 0xff) == 0xff; word >>= 8)
        bit += 8;
    for (; word & 1; word >>= 1)
        bit++;
    return bit;
}

/* Try to colour column j within the window; the bit taken, or NONE. */
static int32_t take_bit(painter *p, int32_t j)
{
    int32_t count;
    const int32_t *row = rows_of(p, j, &count);
    uint64_t seen = 0;
    for (int32_t q = 0; q < count && seen != UINT64_MAX; q++)
        seen |= p->seen[row[q]];
    if (seen == UINT64_MAX)
        return NONE;
    int32_t bit = first_free(seen);
    for (int32_t q = 0; q < count; q++)
        p->seen[row[q]] |= (uint64_t)1 << bit;
    return bit;
}

/* The same where only some entries are wanted. */
static int32_t take_bit_for_wanted(painter *p, int32_t j)
{
    int32_t count;
    const int32_t *row = rows_of(p, j, &count);
    const bool *wanted = wanted_of(p, j);
    uint64_t taken = 0;
    for (int32_t q = 0; q < count; q++)
        taken |= wanted[q] ? p->seen[row[q]] : p->kept[row[q]];
    if (taken == UINT64_MAX)
        return NONE;
    int32_t bit = first_free(taken);
    for (int32_t q = 0; q < count; q++) {
        p->seen[row[q]] |= (uint64_t)1 << bit;
        p->kept[row[q]] |= (uint64_t)wanted[q] << bit;
    }
    return bit;
}

/* Colour all columns in the given order; the number of colours. */
static int32_t paint(painter *p)
{
    int32_t left = p->n_used, n_colours = 0;
    memcpy(p->waiting, p->order, (size_t)left * sizeof *p->waiting);
    for (int32_t base = 0; left > 0; base += WINDOW) {
        int32_t still = 0;
        memset(p->seen, 0, (size_t)p->n_rows * sizeof *p->seen);
        if (p->wanted[0])
            memset(p->kept, 0, (size_t)p->n_rows * sizeof *p->kept);
        for (int32_t k = 0; k < left; k++) {
            int32_t j = p->waiting[k];
            int32_t bit = p->wanted[0] ? take_bit_for_wanted(p, j) : take_bit(p, j);
            if (bit == NONE) {
                p->waiting[still++] = j;
                continue;
            }
            p->colour[j] = base + bit;
            if (base + bit >= n_colours)
                n_colours = base + bit + 1;
        }
        left = still;
    }
    return n_colours;
}

static void keep_if_better(painter *p)
{
    int32_t n_colours = paint(p);
    if (p->n_best >= 0 && n_colours > p->n_best)
        return;
    p->n_best = n_colours;
    memcpy(p->best, p->colour, (size_t)p->n_all * sizeof *p->best);
}

/* ---- orders --------------------------------------------------------------- */

static void measure_rows(painter *p)
{
    p->n_used = p->bound = 0;
    for (int32_t j = 0; j < p->n_all; j++) {
        int32_t count, used = 0;
        const int32_t *row = rows_of(p, j, &count);
        const bool *wanted = p->wanted[0] ? wanted_of(p, j) : NULL;
        for (int32_t q = 0; q < count; q++) {
            if (wanted && !wanted[q])
                continue;
            used++;
            if (++p->length[row[q]] > p->bound)
                p->bound = p->length[row[q]];
        }
        p->best[j] = p->colour[j] = NONE;
        if (used > 0)
            p->order[p->n_used++] = j; /* the natural order */
    }
}

/* Sort the used columns by key[], largest first, ties in natural order; keys lie
 * in 0 .. n_all.                                                                */
static void order_by_descending(painter *p, const int32_t *key)
{
    memset(p->count, 0, ((size_t)p->n_all + 2) * sizeof *p->count);
    for (int32_t j = 0; j < p->n_all; j++)
        if (key[j] >= 0)
            p->count[p->n_all - key[j] + 1]++;
    for (int32_t k = 0; k <= p->n_all; k++)
        p->count[k + 1] += p->count[k];
    for (int32_t j = 0; j < p->n_all; j++)
        if (key[j] >= 0)
            p->order[p->count[p->n_all - key[j]]++] = j;
}

/* Most neighbours first; a neighbour in two rows is counted twice, which spares
 * the search for it.                                                            */
static void order_by_neighbours(painter *p)
{
    int32_t *key = p->waiting;
    for (int32_t j = 0; j < p->n_all; j++) {
        int32_t count;
        const int32_t *row = rows_of(p, j, &count);
        int64_t neighbours = 0;
        for (int32_t q = 0; q < count; q++)
            neighbours += p->length[row[q]] > 0 ? p->length[row[q]] - 1 : 0;
        key[j] = p->colour[j] == NONE    ? NONE
                 : neighbours < p->n_all ? (int32_t)neighbours
                                         : p->n_all;
    }
    order_by_descending(p, key);
}

static void search(painter *p)
{
    p->n_best = NONE;
    measure_rows(p);
    keep_if_better(p);
    if (p->is_quick)
        return;
    if (p->n_best > p->bound) {
        order_by_neighbours(p);
        keep_if_better(p);
    }
    int32_t in_vain = 0;
    for (int32_t k = 0; k < REFINEMENTS && in_vain < PATIENCE && p->n_best > p->bound; k++) {
        int32_t before = p->n_best;
        order_by_descending(p, p->best);
        keep_if_better(p);
        in_vain = p->n_best < before ? 0 : in_vain + 1;
    }
}

/* ---- the result ----------------------------------------------------------- */

static void colouring_lay_out(void *object, layout *l)
{
    colouring *c = object;
    c->start = layout_take(l, (size_t)c->n_colours + 1, sizeof *c->start);
    c->column = layout_take(l, (size_t)c->n_columns, sizeof *c->column);
}

static void group_columns(colouring *c, const painter *p)
{
    for (int32_t j = 0; j < p->n_all; j++)
        if (p->best[j] >= 0)
            c->start[p->best[j] + 1]++;
    for (int32_t k = 0; k < c->n_colours; k++)
        c->start[k + 1] += c->start[k];
    for (int32_t j = 0; j < p->n_all; j++)
        if (p->best[j] >= 0)
            c->column[c->start[p->best[j]]++] = j;
    for (int32_t k = c->n_colours; k > 0; k--) /* undo the shift of the fill above */
        c->start[k] = c->start[k - 1];
    c->start[0] = 0;
}

static bool create(colouring *c, painter *p, const daedal_allocator *a)
{
    *c = (colouring){0};
    p->n_rows = p->a->n_rows;
    p->n_all = p->a->n_cols + (p->b ? p->b->n_cols : 0);
    if (!block_create(&p->mem, a, painter_lay_out, p))
        return false;
    search(p);
    c->n_colours = p->n_best;
    c->n_columns = p->n_used;
    bool done = block_create(&c->mem, a, colouring_lay_out, c);
    if (done)
        group_columns(c, p);
    else
        *c = (colouring){0};
    block_free(&p->mem);
    return done;
}

bool colouring_create(colouring *c, const daedal_pattern *A, const daedal_pattern *B,
                      const daedal_allocator *a)
{
    painter p = {.a = A, .b = B};
    return create(c, &p, a);
}

bool colouring_create_quickly(colouring *c, const daedal_pattern *A, const daedal_allocator *a)
{
    painter p = {.a = A, .is_quick = true};
    return create(c, &p, a);
}

bool colouring_create_for(colouring *c, const daedal_pattern *A, const daedal_pattern *B,
                          const bool *const wanted[2], const daedal_allocator *a)
{
    painter p = {.a = A, .b = B, .wanted = {wanted[0], wanted[1]}};
    return create(c, &p, a);
}

void colouring_free(colouring *c)
{
    block_free(&c->mem);
    *c = (colouring){0};
}
