/* graph/tearing.c - see tearing.h.
 *
 * Greedy, in the manner of [EO94] and of the heuristics in [CK06]: while some equation
 * has one unknown left and may be solved for it, do that.  When none has, tear a variable:
 * the one that occurs in most equations with two unknowns whose other one they may be
 * solved for, because each of these becomes solvable at once; among equals the one in most
 * equations, then the first.  No matching is kept, so an equation may be solved for another
 * variable than the one it was matched with, which makes smaller sets.  A minimum is not
 * sought (the problem is NP-hard).  An equation has one and two unknowns left once each,
 * and is looked through then: O(nnz) and a heap of the variables.
 *
 * [EO94] Elmqvist, Otter: Methods for tearing systems of equations in object-oriented
 *        modeling, European Simulation Multiconference (1994) 326-332.
 * [CK06] Cellier, Kofman: Continuous System Simulation, Springer (2006).
 * Properties: tests/property/test_graph_theorems.c.                             */
#include "graph/tearing.h"

#include "base/heap.h"

#define MANY ((int64_t)INT32_MAX + 1) /* more than equations in a block */

typedef struct term {
    int32_t other; /* the column (in a row) or the row (in a column) */
    bool solvable;
} term;

/* The block with rows and columns numbered 0 .. n-1, in the order of task->blocks. */
typedef struct cutter {
    const tearing_task *task;
    int32_t first, n, nnz;
    int32_t *row_start, *col_start; /* n + 1           */
    term *by_row, *by_col;          /* nnz             */
    int32_t *unknowns;              /* n: of each row  */
    int32_t *gain;                  /* n: of each column: rows that become solvable with it */
    int32_t *queue;                 /* n: rows with one unknown they may be solved for      */
    int32_t *solves;                /* n: the column that a row is solved for, or -1        */
    bool *known;                    /* n: of each column                                    */
    int32_t *order;                 /* n: causal rows                                       */
    heap choice;                    /* columns not known, best to tear first                */
    int32_t n_queue, n_order;
    block mem;
} cutter;

static void cutter_lay_out(void *object, layout *l)
{
    cutter *k = object;
    size_t n = (size_t)k->n, nnz = (size_t)k->nnz;
    k->row_start = layout_take(l, n + 1, sizeof *k->row_start);
    k->col_start = layout_take(l, n + 1, sizeof *k->col_start);
    k->by_row = layout_take(l, nnz, sizeof *k->by_row);
    k->by_col = layout_take(l, nnz, sizeof *k->by_col);
    k->unknowns = layout_take(l, n, sizeof *k->unknowns);
    k->gain = layout_take(l, n, sizeof *k->gain);
    k->queue = layout_take(l, n, sizeof *k->queue);
    k->solves = layout_take(l, n, sizeof *k->solves);
    k->known = layout_take(l, n, sizeof *k->known);
    k->order = layout_take(l, n, sizeof *k->order);
    heap_lay_out(&k->choice, k->n, l);
}

/* ---- the block by itself --------------------------------------------------------- */

/* The row of entry q within the block, or -1. */
static int32_t local_row(const cutter *k, int32_t q)
{
    int32_t i = k->task->blocks->row_at[k->task->pattern->row[q]] - k->first;
    return i >= 0 && i < k->n ? i : -1;
}

static int32_t count_entries(const cutter *k)
{
    const daedal_pattern *p = k->task->pattern;
    int32_t nnz = 0;
    for (int32_t j = 0; j < k->n; j++) {
        int32_t col = k->task->blocks->col[k->first + j];
        for (int32_t q = p->start[col]; q < p->start[col + 1]; q++)
            nnz += local_row(k, q) >= 0;
    }
    return nnz;
}

static void copy_columns(cutter *k)
{
    const daedal_pattern *p = k->task->pattern;
    const unsigned char *solvable = k->task->solvable;
    int32_t at = 0;
    for (int32_t j = 0; j < k->n; j++) {
        int32_t col = k->task->blocks->col[k->first + j];
        for (int32_t q = p->start[col]; q < p->start[col + 1]; q++)
            if (local_row(k, q) >= 0)
                k->by_col[at++] = (term){local_row(k, q), !solvable || solvable[q]};
        k->col_start[j + 1] = at;
    }
}

static void transpose(cutter *k)
{
    for (int32_t q = 0; q < k->nnz; q++)
        k->row_start[k->by_col[q].other + 1]++;
    for (int32_t i = 0; i < k->n; i++)
        k->row_start[i + 1] += k->row_start[i];
    for (int32_t j = 0; j < k->n; j++)
        for (int32_t q = k->col_start[j]; q < k->col_start[j + 1]; q++)
            k->by_row[k->row_start[k->by_col[q].other]++] = (term){j, k->by_col[q].solvable};
    for (int32_t i = k->n; i > 0; i--) /* undo the shift of the fill above */
        k->row_start[i] = k->row_start[i - 1];
    k->row_start[0] = 0;
}

/* ---- tearing ----------------------------------------------------------------------- */

/* The next unknown of row i from entry q on. */
static const term *unknown_from(const cutter *k, int32_t q)
{
    while (k->known[k->by_row[q].other])
        q++;
    return &k->by_row[q];
}

static void change_gain(cutter *k, int32_t j, int32_t by)
{
    k->gain[j] += by;
    int64_t merit = k->gain[j] * MANY + (k->col_start[j + 1] - k->col_start[j]);
    heap_set(&k->choice, j, -merit);
}

/* Row i has two unknowns left: knowing one, it may give the other. */
static void note_pair(cutter *k, int32_t i)
{
    const term *x = unknown_from(k, k->row_start[i]);
    const term *y = unknown_from(k, (int32_t)(x - k->by_row) + 1);
    if (y->solvable)
        change_gain(k, x->other, 1);
    if (x->solvable)
        change_gain(k, y->other, 1);
}

/* Row i has one unknown left; `gave`: it might have been solved for the one just known. */
static void note_single(cutter *k, int32_t i, bool gave)
{
    const term *x = unknown_from(k, k->row_start[i]);
    if (gave)
        change_gain(k, x->other, -1);
    if (x->solvable)
        k->queue[k->n_queue++] = i;
}

static void make_known(cutter *k, int32_t j)
{
    k->known[j] = true;
    heap_remove(&k->choice, j);
    for (int32_t q = k->col_start[j]; q < k->col_start[j + 1]; q++) {
        int32_t i = k->by_col[q].other;
        k->unknowns[i]--;
        if (k->unknowns[i] == 2)
            note_pair(k, i);
        else if (k->unknowns[i] == 1)
            note_single(k, i, k->by_col[q].solvable);
    }
}

static void begin(cutter *k)
{
    heap_begin(&k->choice, k->n);
    for (int32_t j = 0; j < k->n; j++)
        change_gain(k, j, 0);
    for (int32_t i = 0; i < k->n; i++) {
        k->solves[i] = -1;
        k->unknowns[i] = k->row_start[i + 1] - k->row_start[i];
        if (k->unknowns[i] == 2)
            note_pair(k, i);
        else if (k->unknowns[i] == 1)
            note_single(k, i, false);
    }
}

/* Solve the equations that have one unknown, first come, first served. */
static void follow(cutter *k, int32_t *from)
{
    while (*from < k->n_queue) {
        int32_t i = k->queue[(*from)++];
        if (k->unknowns[i] == 0) /* another equation was faster */
            continue;
        int32_t j = unknown_from(k, k->row_start[i])->other;
        k->solves[i] = j;
        k->order[k->n_order++] = i;
        make_known(k, j);
    }
}

/* Tear until everything is known; the number of torn variables. */
static int32_t tear(cutter *k)
{
    int32_t from = 0, n_torn = 0, j;
    follow(k, &from);
    while ((j = heap_take(&k->choice)) != HEAP_NONE) {
        n_torn++;
        make_known(k, j);
        follow(k, &from);
    }
    return n_torn;
}

/* ---- the result ---------------------------------------------------------------------- */

static void tearing_lay_out(void *object, layout *l)
{
    tearing *t = object;
    size_t n_torn = (size_t)t->n_torn, n_causal = (size_t)(t->n - t->n_torn);
    t->torn = layout_take(l, n_torn, sizeof *t->torn);
    t->residual = layout_take(l, n_torn, sizeof *t->residual);
    t->causal_row = layout_take(l, n_causal, sizeof *t->causal_row);
    t->causal_col = layout_take(l, n_causal, sizeof *t->causal_col);
}

/* Lists in the numbers of the whole pattern. */
static void list(tearing *t, cutter *k)
{
    const int32_t *row = k->task->blocks->row + k->first;
    const int32_t *col = k->task->blocks->col + k->first;
    int32_t n_torn = 0, n_residual = 0;
    for (int32_t p = 0; p < k->n_order; p++) {
        int32_t j = k->solves[k->order[p]];
        t->causal_row[p] = row[k->order[p]];
        t->causal_col[p] = col[j];
        k->known[j] = false; /* what stays known is torn */
    }
    for (int32_t p = 0; p < k->n; p++) {
        if (k->known[p])
            t->torn[n_torn++] = col[p];
        if (k->solves[p] < 0)
            t->residual[n_residual++] = row[p];
    }
}

bool tearing_create(tearing *t, const tearing_task *task, const daedal_allocator *a)
{
    const int32_t *start = task->blocks->start + task->number;
    cutter k = {.task = task, .first = start[0], .n = start[1] - start[0]};
    *t = (tearing){0};
    k.nnz = count_entries(&k);
    if (!block_create(&k.mem, a, cutter_lay_out, &k))
        return false;
    copy_columns(&k);
    transpose(&k);
    begin(&k);
    t->n = k.n;
    t->n_torn = tear(&k);
    bool done = block_create(&t->mem, a, tearing_lay_out, t);
    if (done)
        list(t, &k);
    else
        *t = (tearing){0};
    block_free(&k.mem);
    return done;
}

void tearing_free(tearing *t)
{
    block_free(&t->mem);
    *t = (tearing){0};
}
