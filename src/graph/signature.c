/* graph/signature.c - see signature.h.
 *
 * Finding the transversal of highest value is an assignment problem, and offsets are
 * its dual variables [Pry01].  We raise them from the smallest conceivable values,
 *
 *     c_i = 0,   d_j = max_i sigma_ij,
 *
 * and only where we must; an entry with d_j - c_i = sigma_ij is called tight.  First a
 * cheap assignment on tight entries.  Then, for each row still free, the shortest
 * augmenting path from it, where an entry costs its slack d_j - c_i - sigma_ij and
 * going back from a column to its row costs nothing.  If the path to the nearest free
 * column has length D, raise c of every row, and d of every column, that was reached at a
 * distance r < D by D - r: the path becomes tight, nothing tight in it is lost, no slack
 * becomes negative.  This is the Hungarian method [Kuh55]; with D = 1 it is Pantelides'
 * step [Pan88] of differentiating the coloured equations, done on integers.
 *
 * The offsets come out canonical, without Pryce's fixed-point iteration.  Let (c*, d*) be
 * any valid offsets, c <= c*, d <= d* so far, and R, C the rows and columns reached on
 * tight entries from the free rows we start from; let delta be the smallest slack that
 * leads out of them.  Let R' be the rows of R with c* < c + delta, C' the columns of C with
 * d* < d + delta.
 *   - A row of R' is matched inside C' by a transversal tight for (c*, d*): for a column j
 *     outside C, d*_j = c*_i + sigma_ij < c_i + delta + sigma_ij <= d_j.  So |R'| <= |C'|.
 *   - The mates of C' lie in R' and none is a free row: so |C'| <= |R'|, R' holds no free
 *     row, and the mates of R' are C'.
 *   - A tight step i -> j from a row outside R' leads outside C', because d*_j >= c*_i +
 *     sigma_ij >= d_j + delta; so no path from a free row ever enters R'.
 * Hence R' is empty, and c + delta <= c*, d + delta <= d* holds on what is raised.  A
 * search by distances is a sequence of such raises.  The argument holds for one free row
 * as well as for all of them at once.
 *
 * Searching row by row is the fastest way on models in the order they were written: one or
 * two looks at each entry in all.  In random order it takes O(log n) looks, and it can be
 * quadratic, when many rows look through the same large dead end.  The guard: after BUDGET
 * looks per entry, one phase treats all free rows together (one search for the nearest free
 * column, one raise, a maximum matching of the tight entries), then the row-by-row search
 * gets a new budget.  A phase raises every free row, so there are at most max c of them.
 *
 * [Pry01] Pryce: A simple structural analysis method for DAEs, BIT 41 (2001) 364-394.
 * [Kuh55] Kuhn: The Hungarian method for the assignment problem, Naval Res. Logist. Quart.
 *         2 (1955) 83-97.
 * [Pan88] Pantelides: The consistent initialization of differential-algebraic systems,
 *         SIAM J. Sci. Stat. Comput. 9 (1988) 213-231.
 * Properties: tests/property/test_graph_theorems.c.                             */
#include "graph/signature.h"

#include <assert.h>

#include "base/status.h"

#define NONE MATCHING_NONE
#define BUDGET 2 /* looks per entry, about what a phase costs; models need one or two */

typedef struct entry {
    int32_t col, sigma;
} entry;

/* What the search knows of a column, together in one cache line. */
typedef struct column {
    int32_t d;
    int32_t row;    /* matched with, or NONE                            */
    int32_t search; /* number of the search that `reach` belongs to     */
    int32_t reach;  /* distance from the start of the search            */
    int32_t from;   /* the row it was reached from                      */
} column;

/* A column beyond the present distance; out of date once the column is nearer.  */
typedef struct prospect {
    int32_t reach, col;
} prospect;

typedef struct solver {
    const signature_matrix *matrix;
    int32_t n;
    int32_t *start; /* n + 1: row i is entry[start[i]] ...                 */
    entry *entry;
    column *column; /* n                                                   */
    int32_t *c;     /* n: offsets of the rows                              */
    int32_t *col;   /* n: column of each row, or NONE                      */
    int32_t *todo;  /* n: rows reached at distance `at`, not looked at yet */
    int32_t *seen;  /* n: columns whose distance is final                  */
    prospect *far;  /* nnz: a heap, nearest first                          */
    int32_t n_todo, n_seen, n_far, search, at, phases;
    int64_t visits, limit;
    block mem;
} solver;

static void solver_lay_out(void *object, layout *l)
{
    solver *s = object;
    size_t n = (size_t)s->n;
    s->start = layout_take(l, n + 1, sizeof *s->start);
    s->entry = layout_take(l, (size_t)pattern_nnz(s->matrix->pattern), sizeof *s->entry);
    s->column = layout_take(l, n, sizeof *s->column);
    s->c = layout_take(l, n, sizeof *s->c);
    s->col = layout_take(l, n, sizeof *s->col);
    s->todo = layout_take(l, n, sizeof *s->todo);
    s->seen = layout_take(l, n, sizeof *s->seen);
    s->far = layout_take(l, (size_t)pattern_nnz(s->matrix->pattern), sizeof *s->far);
}

/* ---- the beginning ------------------------------------------------------------ */

/* The entries row by row. */
static void transpose(solver *s)
{
    const daedal_pattern *p = s->matrix->pattern;
    for (int32_t q = 0; q < pattern_nnz(p); q++)
        s->start[p->row[q] + 1]++;
    for (int32_t i = 0; i < s->n; i++)
        s->start[i + 1] += s->start[i];
    for (int32_t j = 0; j < s->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            s->entry[s->start[p->row[q]]++] = (entry){j, s->matrix->sigma[q]};
    for (int32_t i = s->n; i > 0; i--) /* undo the shift of the fill above */
        s->start[i] = s->start[i - 1];
    s->start[0] = 0;
}

static void set_smallest_offsets(solver *s)
{
    const daedal_pattern *p = s->matrix->pattern;
    for (int32_t j = 0; j < s->n; j++) {
        s->column[j].row = s->col[j] = NONE;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            assert(s->matrix->sigma[q] >= 0);
            if (s->matrix->sigma[q] > s->column[j].d)
                s->column[j].d = s->matrix->sigma[q];
        }
    }
}

/* No offset or distance exceeds a few times the sum of the columns' highest orders. */
static bool orders_are_moderate(const solver *s)
{
    int64_t sum = 0;
    for (int32_t j = 0; j < s->n; j++)
        sum += s->column[j].d;
    return sum <= INT32_MAX / 4;
}

static void assign_cheaply(solver *s)
{
    for (int32_t i = 0; i < s->n; i++)
        for (int32_t q = s->start[i]; q < s->start[i + 1] && s->col[i] == NONE; q++) {
            column *x = &s->column[s->entry[q].col];
            if (x->row == NONE && x->d == s->entry[q].sigma) {
                x->row = i;
                s->col[i] = s->entry[q].col;
            }
        }
}

/* ---- the search --------------------------------------------------------------- */

static void begin_search(solver *s)
{
    s->search++;
    s->at = s->n_seen = s->n_todo = s->n_far = 0;
}

static bool nearer(prospect x, prospect y)
{
    return x.reach < y.reach || (x.reach == y.reach && x.col < y.col);
}

static void push_far(solver *s, prospect x)
{
    int32_t at = s->n_far++;
    while (at > 0 && nearer(x, s->far[(at - 1) / 2])) {
        s->far[at] = s->far[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->far[at] = x;
}

static void drop_first(solver *s)
{
    prospect x = s->far[--s->n_far];
    int32_t at = 0, child;
    while ((child = 2 * at + 1) < s->n_far) {
        if (child + 1 < s->n_far && nearer(s->far[child + 1], s->far[child]))
            child++;
        if (!nearer(s->far[child], x))
            break;
        s->far[at] = s->far[child];
        at = child;
    }
    s->far[at] = x;
}

/* Take the nearest column that is not out of date, or NONE. */
static int32_t pop_far(solver *s)
{
    while (s->n_far > 0) {
        prospect first = s->far[0];
        drop_first(s);
        if (s->column[first.col].reach == first.reach)
            return first.col;
    }
    return NONE;
}

/* The distance of column j is final; true if it is a free column. */
static bool settle(solver *s, int32_t j)
{
    s->seen[s->n_seen++] = j;
    if (s->column[j].row == NONE)
        return true;
    s->todo[s->n_todo++] = s->column[j].row;
    return false;
}

/* Update the distances of the columns in row i; a free column at no more cost, or NONE. */
static int32_t look_along(solver *s, int32_t i)
{
    int32_t base = s->at - s->c[i];
    s->visits += s->start[i + 1] - s->start[i];
    for (int32_t q = s->start[i]; q < s->start[i + 1]; q++) {
        int32_t j = s->entry[q].col;
        column *x = &s->column[j];
        int32_t reach = base + x->d - s->entry[q].sigma;
        if (x->search == s->search && x->reach <= reach)
            continue;
        x->search = s->search;
        x->reach = reach;
        x->from = i;
        if (reach > s->at)
            push_far(s, (prospect){reach, j});
        else if (settle(s, j))
            return j;
    }
    return NONE;
}

/* The nearest free column, at distance s->at, or NONE: Dijkstra's algorithm, with a plain
 * stack for the rows at the present distance.                                   */
static int32_t find_free_column(solver *s)
{
    for (;;) {
        while (s->n_todo > 0) {
            int32_t found = look_along(s, s->todo[--s->n_todo]);
            if (found != NONE)
                return found;
        }
        int32_t j = pop_far(s);
        if (j == NONE)
            return NONE;
        s->at = s->column[j].reach;
        if (settle(s, j))
            return j;
    }
}

/* Raise the offsets of what was reached before the free column (not those of the rows the
 * search began with).                                                           */
static void raise_offsets(solver *s)
{
    for (int32_t k = 0; s->at > 0 && k < s->n_seen; k++) {
        column *x = &s->column[s->seen[k]];
        if (x->reach < s->at) {
            x->d += s->at - x->reach;
            s->c[x->row] += s->at - x->reach;
        }
    }
}

/* Re-pair along the path that led to free column j. */
static void augment(solver *s, int32_t j)
{
    while (j != NONE) {
        int32_t i = s->column[j].from, next = s->col[i];
        s->column[j].row = i;
        s->col[i] = j;
        j = next;
    }
}

/* DAEDAL_ERR_STRUCTURE if row i cannot be matched together with those that are. */
static daedal_status match_row(solver *s, int32_t i)
{
    begin_search(s);
    s->todo[s->n_todo++] = i;
    int32_t j = find_free_column(s);
    if (j == NONE)
        return DAEDAL_ERR_STRUCTURE;
    raise_offsets(s);
    s->c[i] += s->at;
    augment(s, j);
    return DAEDAL_OK;
}

/* ---- the guard ------------------------------------------------------------------ */

static bool is_tight(const solver *s, int32_t j, int32_t q)
{
    return s->column[j].d - s->c[s->matrix->pattern->row[q]] == s->matrix->sigma[q];
}

static bool tight_pattern(pattern *tight, const solver *s, const daedal_allocator *a)
{
    const daedal_pattern *p = s->matrix->pattern;
    if (!pattern_create(tight, s->n, s->n, pattern_nnz(p), a))
        return false;
    for (int32_t j = 0; j < s->n; j++) {
        tight->start[j + 1] = tight->start[j];
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (is_tight(s, j, q))
                tight->row[tight->start[j + 1]++] = p->row[q];
    }
    return true;
}

static bool copy_pairs(matching *m, const solver *s, const daedal_allocator *a)
{
    if (!matching_create(m, s->n, s->n, a))
        return false;
    for (int32_t j = 0; j < s->n; j++)
        if (s->column[j].row != NONE)
            matching_join(m, s->column[j].row, j);
    return true;
}

/* Match as many rows as the tight entries allow, from the beginning: which rows are free
 * does not matter, and pairs made together are better than old ones repaired.    */
static daedal_status match_tight(solver *s, const daedal_allocator *a)
{
    pattern tight = {0};
    matching m = {0};
    bool done = tight_pattern(&tight, s, a) && matching_create(&m, s->n, s->n, a) &&
                matching_improve(&m, &tight.view, a);
    for (int32_t k = 0; done && k < s->n; k++) {
        s->column[k].row = m.row_of[k];
        s->col[k] = m.col_of[k];
    }
    matching_free(&m);
    pattern_free(&tight);
    return done ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

static daedal_status match_in_phase(solver *s, const daedal_allocator *a)
{
    begin_search(s);
    for (int32_t i = s->n - 1; i >= 0; i--)
        if (s->col[i] == NONE)
            s->todo[s->n_todo++] = i;
    if (find_free_column(s) == NONE)
        return DAEDAL_ERR_STRUCTURE;
    raise_offsets(s);
    for (int32_t i = 0; i < s->n; i++)
        if (s->col[i] == NONE)
            s->c[i] += s->at;
    s->phases++;
    return match_tight(s, a);
}

static void renew_budget(solver *s)
{
    s->limit = s->visits + BUDGET * ((int64_t)pattern_nnz(s->matrix->pattern) + s->n);
}

static daedal_status match_all(solver *s, const daedal_allocator *a)
{
    renew_budget(s);
    for (int32_t i = 0; i < s->n;) {
        if (s->col[i] != NONE) {
            i++;
        } else if (s->visits <= s->limit) {
            TRY(match_row(s, i));
        } else {
            TRY(match_in_phase(s, a));
            renew_budget(s);
            i = 0; /* other rows may be free now */
        }
    }
    return DAEDAL_OK;
}

/* ---- the result ----------------------------------------------------------------- */

static void signature_lay_out(void *object, layout *l)
{
    signature *s = object;
    s->c = layout_take(l, (size_t)s->n, sizeof *s->c);
    s->d = layout_take(l, (size_t)s->n, sizeof *s->d);
}

static void read_off(signature *out, const solver *s)
{
    int32_t c_max = 0, d_min = 1;
    for (int32_t k = 0; k < s->n; k++) {
        out->c[k] = s->c[k];
        out->d[k] = s->column[k].d;
        out->differentiations += out->c[k];
        out->degrees_of_freedom += out->d[k] - out->c[k];
        if (out->c[k] > c_max)
            c_max = out->c[k];
        if (out->d[k] < d_min)
            d_min = out->d[k];
    }
    out->index = c_max + (d_min == 0);
    out->visits = s->visits;
    out->phases = s->phases;
}

static daedal_status hand_over(signature *out, const solver *s, const daedal_allocator *a)
{
    out->n = s->n;
    if (!block_create(&out->mem, a, signature_lay_out, out) || !copy_pairs(&out->transversal, s, a))
        return DAEDAL_ERR_MEMORY;
    read_off(out, s);
    return DAEDAL_OK;
}

static daedal_status solve(signature *out, const signature_matrix *matrix,
                           const daedal_allocator *a)
{
    solver s = {.matrix = matrix, .n = matrix->pattern->n_rows};
    if (!block_create(&s.mem, a, solver_lay_out, &s))
        return DAEDAL_ERR_MEMORY;
    transpose(&s);
    set_smallest_offsets(&s);
    daedal_status status = orders_are_moderate(&s) ? DAEDAL_OK : DAEDAL_ERR_ARGUMENT;
    if (status == DAEDAL_OK) {
        assign_cheaply(&s);
        status = match_all(&s, a);
    }
    if (status == DAEDAL_OK)
        status = hand_over(out, &s, a);
    block_free(&s.mem);
    return status;
}

daedal_status signature_create(signature *s, const signature_matrix *matrix,
                               const daedal_allocator *a)
{
    const daedal_pattern *p = matrix->pattern;
    *s = (signature){0};
    daedal_status status = p->n_rows == p->n_cols ? solve(s, matrix, a) : DAEDAL_ERR_STRUCTURE;
    if (status == DAEDAL_ERR_STRUCTURE && !dulmage_create(&s->singular, p, NULL, a))
        status = DAEDAL_ERR_MEMORY;
    if (status == DAEDAL_ERR_MEMORY)
        signature_free(s);
    return status;
}

void signature_free(signature *s)
{
    matching_free(&s->transversal);
    dulmage_free(&s->singular);
    block_free(&s->mem);
    *s = (signature){0};
}

bool signature_essential(pattern *p, const signature_matrix *matrix, const signature *s,
                         const daedal_allocator *a)
{
    const daedal_pattern *from = matrix->pattern;
    if (!pattern_create(p, s->n, s->n, pattern_nnz(from), a))
        return false;
    for (int32_t j = 0; j < s->n; j++) {
        p->start[j + 1] = p->start[j];
        for (int32_t q = from->start[j]; q < from->start[j + 1]; q++)
            if (s->d[j] - s->c[from->row[q]] == matrix->sigma[q])
                p->row[p->start[j + 1]++] = from->row[q];
    }
    return true;
}
