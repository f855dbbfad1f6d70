/* krylov/ilu.c - see ilu.h.
 *
 * Both variants go through the rows once (the IKJ order): row i loses, for each k < i where it has
 * an entry, that multiple of row k of U which removes the entry; the multiples are row i of L.
 *
 * [Saa94] Saad: ILUT, a dual threshold incomplete LU factorization, Numer. Linear Algebra Appl.
 *         1 (1994) 387-402.                                                      */
#include "krylov/ilu.h"

#include <math.h>
#include <string.h>

#include "graph/matching.h"

static const double TINY = 1e-12;      /* a pivot below this part of its row is replaced ...     */
static const double SUBSTITUTE = 1e-4; /* ... by this part                                     */
static const double LARGE = 1e-2;      /* entries of a row that a pairing by size prefers        */
enum { PAIRINGS_MAX = 5 };             /* by size: each takes memory                             */

struct ilu {
    ilu_kind kind;
    int32_t n;
    int64_t pairings;
    pattern entries;     /* of A, for pairings                                          */
    int32_t *from_start; /* n + 1: rows of A ...                                        */
    int32_t *from_col;   /* ... their columns, ascending ...                            */
    int32_t *from_at;    /* ... and where their values stand                            */
    int32_t *order;      /* n: the row of A that is row i here, so that i is its pivot  */
    int64_t *start;      /* n + 1: rows of the factors                                  */
    int64_t *upper;      /* n: where row i of U begins, behind the pivot                */
    int32_t *col;
    double *value;
    double *inverse;       /* n: of the pivots                                                */
    int64_t *place;        /* n: where a column stands in the row under way, or -1            */
    double *row;           /* n: values of the row under way                                  */
    int32_t *left, *right; /* n: its columns before and behind the pivot                */
    double *moved;         /* n: a right-hand side in the order of the rows             */
    block mem;
    const daedal_allocator *allocator;
};

static int64_t capacity(const ilu *f)
{
    int64_t nnz = pattern_nnz(&f->entries.view);
    return nnz + (f->kind.fill > 0 ? 2 * (int64_t)f->kind.fill * f->n : 0);
}

static void lay_out(void *object, layout *l)
{
    ilu *f = object;
    size_t n = (size_t)f->n, nnz = (size_t)pattern_nnz(&f->entries.view);
    bool grows = f->kind.fill >= 0;
    f->from_start = layout_take(l, n + 1, sizeof *f->from_start);
    f->from_col = layout_take(l, nnz, sizeof *f->from_col);
    f->from_at = layout_take(l, nnz, sizeof *f->from_at);
    f->order = layout_take(l, n, sizeof *f->order);
    f->start = layout_take(l, n + 1, sizeof *f->start);
    f->upper = layout_take(l, n, sizeof *f->upper);
    f->col = layout_take(l, (size_t)capacity(f), sizeof *f->col);
    f->value = layout_take(l, (size_t)capacity(f), sizeof *f->value);
    f->inverse = layout_take(l, n, sizeof *f->inverse);
    f->place = layout_take(l, n, sizeof *f->place);
    f->row = layout_take(l, grows ? n : 0, sizeof *f->row);
    f->left = layout_take(l, grows ? n : 0, sizeof *f->left);
    f->right = layout_take(l, grows ? n : 0, sizeof *f->right);
    f->moved = layout_take(l, n, sizeof *f->moved);
}

/* ---- pairing rows with columns --------------------------------------------- */

/* Pair by the entries for which p has room; the pairs of before are kept where they can be.
 * DAEDAL_ERR_SINGULAR: no complete pairing.                                      */
static daedal_status pair(ilu *f, const daedal_pattern *p, const int32_t *initial)
{
    matching m = {0};
    if (!matching_maximum(&m, p, initial, f->allocator))
        return DAEDAL_ERR_MEMORY;
    bool complete = m.size == f->n;
    if (complete)
        memcpy(f->order, m.row_of, (size_t)f->n * sizeof *f->order);
    matching_free(&m);
    return complete ? DAEDAL_OK : DAEDAL_ERR_SINGULAR;
}

static void list_rows(ilu *f)
{
    const daedal_pattern *p = &f->entries.view;
    int32_t nnz = pattern_nnz(p);
    for (int32_t q = 0; q < nnz; q++)
        f->from_start[p->row[q] + 1]++;
    for (int32_t i = 0; i < f->n; i++)
        f->from_start[i + 1] += f->from_start[i];
    for (int32_t j = 0; j < f->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            int32_t at = f->from_start[p->row[q]]++;
            f->from_col[at] = j;
            f->from_at[at] = q;
        }
    for (int32_t i = f->n; i > 0; i--)
        f->from_start[i] = f->from_start[i - 1];
    f->from_start[0] = 0;
}

daedal_status ilu_create(ilu **made, const daedal_pattern *p, const ilu_kind *kind,
                         const daedal_allocator *a)
{
    *made = NULL;
    ilu *f = memory_take(a, sizeof *f);
    if (!f)
        return DAEDAL_ERR_MEMORY;
    *f = (ilu){.kind = *kind, .n = p->n_cols, .allocator = a};
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (pattern_copy(&f->entries, p, a) && block_create(&f->mem, a, lay_out, f)) {
        list_rows(f);
        for (int32_t j = 0; j < f->n; j++)
            f->order[j] = j;
        status = pair(f, p, f->order);
    }
    if (status == DAEDAL_OK)
        *made = f;
    else
        ilu_free(f);
    return status;
}

void ilu_free(ilu *f)
{
    if (!f)
        return;
    pattern_free(&f->entries);
    block_free(&f->mem);
    memory_give(f->allocator, f, sizeof *f);
}

static double largest_in_row(const ilu *f, const double *values, int32_t row)
{
    double most = 0.0;
    for (int32_t q = f->from_start[row]; q < f->from_start[row + 1]; q++)
        most = fmax(most, fabs(values[f->from_at[q]]));
    return most;
}

static double paired_value(const ilu *f, const double *values, int32_t i)
{
    int32_t row = f->order[i];
    for (int32_t q = f->from_start[row]; q < f->from_start[row + 1]; q++)
        if (f->from_col[q] == i)
            return values[f->from_at[q]];
    return 0.0;
}

/* Whether some row has a diagonal entry next to zero, as it is paired. */
static bool has_tiny_diagonal(ilu *f, const double *values)
{
    for (int32_t i = 0; i < f->n; i++) {
        double most = largest_in_row(f, values, f->order[i]);
        if (!(fabs(paired_value(f, values, i)) > TINY * most))
            return true;
    }
    return false;
}

/* Pair anew, with the entries that are large in their row; if these do not suffice, with all that
 * are not zero.  What cannot be paired stays as it was.                          */
static daedal_status pair_by_size(ilu *f, const double *values)
{
    const daedal_pattern *p = &f->entries.view;
    daedal_status status = DAEDAL_ERR_SINGULAR;
    for (double part = LARGE; status == DAEDAL_ERR_SINGULAR; part = 0.0) {
        pattern kept = {0};
        if (!pattern_create(&kept, f->n, f->n, pattern_nnz(p), f->allocator))
            return DAEDAL_ERR_MEMORY;
        int32_t count = 0;
        for (int32_t i = 0; i < f->n; i++)
            f->moved[i] = part * largest_in_row(f, values, i);
        for (int32_t j = 0; j < f->n; j++) {
            for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
                if (fabs(values[q]) > f->moved[p->row[q]])
                    kept.row[count++] = p->row[q];
            kept.start[j + 1] = count;
        }
        status = pair(f, &kept.view, f->order);
        pattern_free(&kept);
        if (part == 0.0)
            break;
    }
    f->pairings++;
    return status == DAEDAL_ERR_MEMORY ? status : DAEDAL_OK;
}

/* ---- factors --------------------------------------------------------------- */

/* The inverse of a pivot, or of what replaces it. */
static double invert(double pivot, double most)
{
    if (fabs(pivot) > TINY * most)
        return 1.0 / pivot;
    return 1.0 / copysign(SUBSTITUTE * most, pivot);
}

/* Row i with the pattern of A. */
static void load_row(ilu *f, const double *values, int32_t i)
{
    int32_t row = f->order[i];
    int64_t at = f->start[i];
    f->upper[i] = at;
    for (int32_t q = f->from_start[row]; q < f->from_start[row + 1]; q++) {
        int32_t j = f->from_col[q];
        if (j == i)
            continue;
        f->upper[i] += j < i;
        f->col[at] = j;
        f->value[at] = values[f->from_at[q]];
        f->place[j] = at++;
    }
    f->start[i + 1] = at;
}

static void eliminate_in_pattern(ilu *f, const double *values, int32_t i, double most)
{
    double pivot = paired_value(f, values, i);
    load_row(f, values, i);
    for (int64_t p = f->start[i]; p < f->upper[i]; p++) {
        int32_t k = f->col[p];
        double factor = f->value[p] *= f->inverse[k];
        for (int64_t q = f->upper[k]; q < f->start[k + 1]; q++) {
            int32_t j = f->col[q];
            if (j == i)
                pivot -= factor * f->value[q];
            else if (f->place[j] >= 0)
                f->value[f->place[j]] -= factor * f->value[q];
        }
    }
    for (int64_t p = f->start[i]; p < f->start[i + 1]; p++)
        f->place[f->col[p]] = -1;
    f->inverse[i] = invert(pivot, most);
}

/* The row under way in ILUT: its columns before the pivot, ascending, and behind. */
typedef struct loose_row {
    int32_t n_left, n_right;
    int32_t own_left, own_right; /* entries of A                                     */
} loose_row;

static void insert_left(ilu *f, loose_row *r, int32_t from, int32_t j)
{
    int32_t at = r->n_left++;
    for (; at > from && f->left[at - 1] > j; at--)
        f->left[at] = f->left[at - 1];
    f->left[at] = j;
}

static loose_row load_loose(ilu *f, const double *values, int32_t i)
{
    int32_t row = f->order[i];
    loose_row r = {0};
    for (int32_t q = f->from_start[row]; q < f->from_start[row + 1]; q++) {
        int32_t j = f->from_col[q];
        f->row[j] = values[f->from_at[q]];
        f->place[j] = 0;
        if (j < i)
            f->left[r.n_left++] = j;
        else if (j > i)
            f->right[r.n_right++] = j;
    }
    r.own_left = r.n_left;
    r.own_right = r.n_right;
    return r;
}

/* Subtract factor times row k of U from the row of pivot i. */
static void subtract_row(ilu *f, loose_row *r, int32_t i, int32_t done, double factor)
{
    int32_t k = f->left[done];
    for (int64_t q = f->upper[k]; q < f->start[k + 1]; q++) {
        int32_t j = f->col[q];
        if (f->place[j] < 0) {
            f->place[j] = 0;
            f->row[j] = 0.0;
            if (j < i)
                insert_left(f, r, done + 1, j);
            else if (j > i)
                f->right[r->n_right++] = j;
        }
        f->row[j] -= factor * f->value[q];
    }
}

/* Move the `wanted` largest of the row to the front (Hoare's selection). */
static void select_largest(const ilu *f, int32_t *list, int32_t count, int32_t wanted)
{
    int32_t low = 0, high = count - 1;
    while (low < high) {
        double pivot = fabs(f->row[list[low + (high - low) / 2]]);
        int32_t a = low, b = high;
        while (a <= b) {
            while (fabs(f->row[list[a]]) > pivot)
                a++;
            while (fabs(f->row[list[b]]) < pivot)
                b--;
            if (a <= b) {
                int32_t swap = list[a];
                list[a++] = list[b];
                list[b--] = swap;
            }
        }
        if (wanted <= b)
            high = b;
        else if (wanted >= a)
            low = a;
        else
            return;
    }
}

/* Store what is to be kept of one half of the row; the places of all are free again. */
static int64_t store(ilu *f, int32_t *list, int32_t count, int32_t most_kept, double least,
                     int64_t at)
{
    int32_t large = 0;
    for (int32_t k = 0; k < count; k++) {
        int32_t j = list[k];
        f->place[j] = -1;
        if (fabs(f->row[j]) > least)
            list[large++] = j;
    }
    if (large > most_kept) {
        select_largest(f, list, large, most_kept);
        large = most_kept;
    }
    for (int32_t k = 0; k < large; k++) {
        f->col[at] = list[k];
        f->value[at++] = f->row[list[k]];
    }
    return at;
}

/* Row i of ILUT.  The entries of L are compared with the row before they are divided by pivots. */
static void eliminate_loosely(ilu *f, const double *values, int32_t i, double most)
{
    double least = f->kind.drop * most;
    loose_row r = load_loose(f, values, i);
    if (f->place[i] < 0)
        f->row[i] = 0.0;
    f->place[i] = 0;
    for (int32_t done = 0; done < r.n_left; done++) {
        int32_t k = f->left[done];
        if (fabs(f->row[k]) > least)
            subtract_row(f, &r, i, done, f->row[k] * f->inverse[k]);
    }
    f->place[i] = -1;
    f->inverse[i] = invert(f->row[i], most);
    int64_t at = f->start[i];
    at = store(f, f->left, r.n_left, r.own_left + f->kind.fill, least, at);
    for (int64_t q = f->start[i]; q < at; q++)
        f->value[q] *= f->inverse[f->col[q]];
    f->upper[i] = at;
    f->start[i + 1] = store(f, f->right, r.n_right, r.own_right + f->kind.fill, least, at);
}

daedal_status ilu_factor(ilu *f, const double *values)
{
    if (f->pairings < PAIRINGS_MAX && has_tiny_diagonal(f, values) &&
        pair_by_size(f, values) != DAEDAL_OK)
        return DAEDAL_ERR_MEMORY;
    for (int32_t i = 0; i < f->n; i++)
        f->place[i] = -1;
    f->start[0] = 0;
    for (int32_t i = 0; i < f->n; i++) {
        double most = largest_in_row(f, values, f->order[i]);
        if (!(most > 0.0 && most < INFINITY))
            return DAEDAL_ERR_SINGULAR;
        (f->kind.fill < 0 ? eliminate_in_pattern : eliminate_loosely)(f, values, i, most);
    }
    return DAEDAL_OK;
}

void ilu_solve(ilu *f, double *b)
{
    for (int32_t i = 0; i < f->n; i++) {
        double sum = b[f->order[i]];
        for (int64_t q = f->start[i]; q < f->upper[i]; q++)
            sum -= f->value[q] * f->moved[f->col[q]];
        f->moved[i] = sum;
    }
    for (int32_t i = f->n - 1; i >= 0; i--) {
        double sum = f->moved[i];
        for (int64_t q = f->upper[i]; q < f->start[i + 1]; q++)
            sum -= f->value[q] * b[f->col[q]];
        b[i] = sum * f->inverse[i];
    }
}

int64_t ilu_pairings(const ilu *f)
{
    return f->pairings;
}
