/* graph/matching.c - see matching.h.
 *
 * A cheap assignment first: each column takes the first row that is free.  On models
 * in the order in which they were written this settles nearly all columns.  Where it
 * leaves more than one in FEW, its pairs are undone and made with more care (greedy_matching.h): in
 * a long chain in random order the paths that repair bad pairs grow as sqrt(n).
 *
 * Then sweeps, as in [PF90]: a depth-first search from each free column for an augmenting
 * path, which never enters a column twice in a sweep, and looks one step ahead for a free
 * row before it goes deeper.  A sweep costs O(nnz); one that finds nothing proves that the
 * matching is maximum.  Few sweeps are needed in practice, but there is no good
 * bound on their number.
 *
 * So as soon as a sweep matches less than half of the columns that were free, the rest is
 * left to the algorithm of Hopcroft and Karp [HK73]: a breadth-first search from all free
 * columns at once finds how short the shortest augmenting paths are, then a depth-first
 * search augments along as many disjoint ones as there are; O(sqrt(n)) rounds at most.
 * A round costs only as much as the part of the graph it reaches: levels are reset
 * through the queue.
 *
 * [PF90] Pothen, Fan: Computing the block triangular form of a sparse matrix, ACM Trans.
 *        Math. Softw. 16 (1990) 303-324.
 * [HK73] Hopcroft, Karp: An n^(5/2) algorithm for maximum matchings in bipartite graphs,
 *        SIAM J. Comput. 2 (1973) 225-231.
 * Properties: tests/property/test_graph_theorems.c.                             */
#include "graph/matching.h"

#include <assert.h>

#include "graph/greedy_matching.h"

#define NONE MATCHING_NONE
#define FEW 64     /* greedy_matching_extend costs about as much as ten cheap assignments */
#define CHEAP (-1) /* in `sweep`: matched by the cheap assignment */

static void matching_lay_out(void *object, layout *l)
{
    matching *m = object;
    m->row_of = layout_take(l, (size_t)m->n_cols, sizeof *m->row_of);
    m->col_of = layout_take(l, (size_t)m->n_rows, sizeof *m->col_of);
}

bool matching_create(matching *m, int32_t n_rows, int32_t n_cols, const daedal_allocator *a)
{
    *m = (matching){.n_rows = n_rows, .n_cols = n_cols};
    if (!block_create(&m->mem, a, matching_lay_out, m)) {
        *m = (matching){0};
        return false;
    }
    for (int32_t j = 0; j < n_cols; j++)
        m->row_of[j] = NONE;
    for (int32_t i = 0; i < n_rows; i++)
        m->col_of[i] = NONE;
    return true;
}

void matching_free(matching *m)
{
    block_free(&m->mem);
    *m = (matching){0};
}

void matching_join(matching *m, int32_t row, int32_t col)
{
    assert(m->col_of[row] == NONE && m->row_of[col] == NONE);
    m->col_of[row] = col;
    m->row_of[col] = row;
    m->size++;
}

/* ---- the search ------------------------------------------------------------- */

typedef struct searcher {
    const daedal_pattern *p;
    matching *m;
    int32_t *level;        /* n_cols: steps from the free columns, or NONE           */
    int32_t *sweep;        /* n_cols: the last sweep that came here                  */
    int32_t *ahead;        /* n_cols: rows before this entry are not free            */
    int32_t *next;         /* n_cols: the entry to try next; of a path, the one used */
    int32_t *queue, *path; /* n_cols                                                 */
    int32_t *free_cols;    /* n_cols                                                 */
    int32_t n_queue, n_free;
    block mem;
} searcher;

static void searcher_lay_out(void *object, layout *l)
{
    searcher *s = object;
    size_t n = (size_t)s->m->n_cols;
    s->level = layout_take(l, n, sizeof *s->level);
    s->sweep = layout_take(l, n, sizeof *s->sweep);
    s->ahead = layout_take(l, n, sizeof *s->ahead);
    s->next = layout_take(l, n, sizeof *s->next);
    s->queue = layout_take(l, n, sizeof *s->queue);
    s->path = layout_take(l, n, sizeof *s->path);
    s->free_cols = layout_take(l, n, sizeof *s->free_cols);
}

/* Give column j the first free row, if it has one. */
static bool assign_cheaply(matching *m, const daedal_pattern *p, int32_t j)
{
    for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
        if (m->col_of[p->row[q]] == NONE) {
            matching_join(m, p->row[q], j);
            return true;
        }
    return false;
}

static void assign_all_cheaply(searcher *s)
{
    s->n_free = 0;
    for (int32_t j = 0; j < s->m->n_cols; j++) {
        s->level[j] = NONE;
        s->ahead[j] = s->p->start[j];
        if (s->m->row_of[j] != NONE)
            continue;
        if (assign_cheaply(s->m, s->p, j))
            s->sweep[j] = CHEAP;
        else
            s->free_cols[s->n_free++] = j;
    }
}

static void undo_cheap(searcher *s)
{
    matching *m = s->m;
    for (int32_t j = 0; j < m->n_cols; j++)
        if (s->sweep[j] == CHEAP) {
            m->col_of[m->row_of[j]] = NONE;
            m->row_of[j] = NONE;
            m->size--;
        }
}

/* What can be matched without a search, and the list of columns that cannot. */
static bool assign(searcher *s, const daedal_allocator *a)
{
    assign_all_cheaply(s);
    if (s->n_free <= s->m->n_cols / FEW)
        return true;
    undo_cheap(s);
    bool done = greedy_matching_extend(s->m, s->p, a);
    assign_all_cheaply(s); /* lists what is still free */
    return done;
}

/* Re-pair along the path: each of its columns takes the row at its entry `next`. */
static void augment(searcher *s, int32_t length)
{
    for (int32_t k = length - 1; k >= 0; k--) {
        int32_t j = s->path[k], i = s->p->row[s->next[j]];
        s->m->row_of[j] = i;
        s->m->col_of[i] = j;
    }
    s->m->size++;
}

/* ---- sweeps ------------------------------------------------------------------ */

static void step_into(searcher *s, int32_t j, int32_t sweep, int32_t *length)
{
    s->sweep[j] = sweep;
    s->next[j] = s->p->start[j];
    s->path[(*length)++] = j;
}

/* Whether column j has a free row; `next` is then set to it.  Rows never become free again. */
static bool look_ahead(searcher *s, int32_t j)
{
    while (s->ahead[j] < s->p->start[j + 1] && s->m->col_of[s->p->row[s->ahead[j]]] != NONE)
        s->ahead[j]++;
    if (s->ahead[j] == s->p->start[j + 1])
        return false;
    s->next[j] = s->ahead[j];
    return true;
}

/* The next column behind j that this sweep has not come to, or NONE. */
static int32_t go_deeper(searcher *s, int32_t j, int32_t sweep)
{
    for (; s->next[j] < s->p->start[j + 1]; s->next[j]++) {
        int32_t other = s->m->col_of[s->p->row[s->next[j]]];
        if (s->sweep[other] != sweep)
            return other;
    }
    return NONE;
}

static bool sweep_from(searcher *s, int32_t root, int32_t sweep)
{
    int32_t length = 0;
    step_into(s, root, sweep, &length);
    while (length > 0) {
        int32_t j = s->path[length - 1];
        if (s->next[j] == s->p->start[j] && look_ahead(s, j)) {
            augment(s, length);
            return true;
        }
        int32_t other = go_deeper(s, j, sweep);
        if (other != NONE)
            step_into(s, other, sweep, &length);
        else
            length--;
    }
    return false;
}

/* One search from each free column. */
static void sweep_all(searcher *s, int32_t sweep)
{
    int32_t still = 0;
    for (int32_t k = 0; k < s->n_free; k++)
        if (!sweep_from(s, s->free_cols[k], sweep))
            s->free_cols[still++] = s->free_cols[k];
    s->n_free = still;
}

/* Sweep while it pays; true if the matching is a maximum one. */
static bool sweep_often(searcher *s)
{
    int32_t before = INT32_MAX;
    for (int32_t sweep = 1; s->n_free > 0 && s->n_free <= before / 2; sweep++) {
        before = s->n_free;
        sweep_all(s, sweep);
    }
    return s->n_free == 0 || s->n_free == before || s->m->size == s->m->n_rows;
}

/* ---- rounds of shortest paths -------------------------------------------------- */

static void enqueue(searcher *s, int32_t j, int32_t level)
{
    s->level[j] = level;
    s->next[j] = s->p->start[j];
    s->queue[s->n_queue++] = j;
}

/* Levels of the columns as far as the nearest free row; false if there is none. */
static bool set_levels(searcher *s)
{
    int32_t last = INT32_MAX;
    s->n_queue = 0;
    for (int32_t k = 0; k < s->n_free; k++)
        enqueue(s, s->free_cols[k], 0);
    for (int32_t k = 0; k < s->n_queue && s->level[s->queue[k]] <= last; k++) {
        int32_t j = s->queue[k];
        for (int32_t q = s->p->start[j]; q < s->p->start[j + 1]; q++) {
            int32_t other = s->m->col_of[s->p->row[q]];
            if (other == NONE)
                last = s->level[j];
            else if (s->level[other] == NONE && s->level[j] < last)
                enqueue(s, other, s->level[j] + 1);
        }
    }
    return last < INT32_MAX;
}

static void reset_levels(searcher *s)
{
    for (int32_t k = 0; k < s->n_queue; k++)
        s->level[s->queue[k]] = NONE;
}

/* The columns of a path take no further part in this round. */
static void leave_levels(searcher *s, int32_t length)
{
    for (int32_t k = 0; k < length; k++)
        s->level[s->path[k]] = NONE;
}

/* What a column on the path finds at its next entries: a free row, a column one level
 * up (put on the path), or neither.                                             */
typedef enum finding { FREE_ROW, DEEPER, DEAD_END } finding;

static finding look_on(searcher *s, int32_t *length)
{
    int32_t j = s->path[*length - 1];
    for (; s->next[j] < s->p->start[j + 1]; s->next[j]++) {
        int32_t other = s->m->col_of[s->p->row[s->next[j]]];
        if (other == NONE)
            return FREE_ROW;
        if (s->level[other] == s->level[j] + 1) {
            s->path[(*length)++] = other;
            return DEEPER;
        }
    }
    return DEAD_END;
}

static bool augment_from(searcher *s, int32_t root)
{
    int32_t length = 1;
    s->path[0] = root;
    while (length > 0) {
        finding found = look_on(s, &length);
        if (found == FREE_ROW) {
            leave_levels(s, length);
            augment(s, length);
            return true;
        }
        if (found == DEAD_END) {
            s->level[s->path[--length]] = NONE;
            if (length > 0)
                s->next[s->path[length - 1]]++;
        }
    }
    return false;
}

static void augment_all(searcher *s)
{
    int32_t still = 0;
    for (int32_t k = 0; k < s->n_free; k++)
        if (!augment_from(s, s->free_cols[k]))
            s->free_cols[still++] = s->free_cols[k];
    s->n_free = still;
}

static void augment_by_rounds(searcher *s)
{
    while (s->n_free > 0 && set_levels(s)) {
        augment_all(s);
        reset_levels(s);
    }
}

bool matching_improve(matching *m, const daedal_pattern *p, const daedal_allocator *a)
{
    searcher s = {.p = p, .m = m};
    if (!block_create(&s.mem, a, searcher_lay_out, &s))
        return false;
    bool done = assign(&s, a);
    if (done && !sweep_often(&s))
        augment_by_rounds(&s);
    block_free(&s.mem);
    return done;
}

static void take_over(matching *m, const daedal_pattern *p, const int32_t *initial)
{
    for (int32_t j = 0; j < m->n_cols; j++) {
        int32_t i = initial[j];
        if (i >= 0 && i < m->n_rows && m->col_of[i] == NONE && pattern_find(p, i, j) >= 0)
            matching_join(m, i, j);
    }
}

bool matching_maximum(matching *m, const daedal_pattern *p, const int32_t *initial,
                      const daedal_allocator *a)
{
    if (!matching_create(m, p->n_rows, p->n_cols, a))
        return false;
    if (initial)
        take_over(m, p, initial);
    if (matching_improve(m, p, a))
        return true;
    matching_free(m);
    return false;
}
