/* newton/missing_entries.c - see missing_entries.h.
 *
 * A pattern that was found by calling F at the start lacks what appears later: transistors that are
 * off at the start, branches not yet taken.  Three observations show this.
 *   While a colour of columns is moved, F_i changes although none of them has an entry in row i.
 * This costs no call of F. Some of these dependences hide behind another column of the same colour.
 * So after the evaluation about half of all columns, drawn at random, are moved together, and the
 * change of F is compared with that of the Jacobian.  The moves are those of the differences, so
 * that a function that is nonlinear in each variable alone agrees in full. After a failure of
 * Newton's iteration, colours are moved at the point where it arrived. The columns are then found
 * by halving, two calls for each halving and entry.  A suspicion may be wrong, where products of
 * variables bend F or an inner iteration makes it noisy: rows that were suspected in vain a few
 * times are left alone.                                  */
#include "newton/missing_entries.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "linalg/vector.h"
#include "newton/difference_jacobian.h"

static const double UNEXPLAINED = 0.01; /* of the change of a row */
static const double ROUNDOFFS = 1e3;
enum { ALARMS_MAX = 8, FRUITLESS_MAX = 8 };

static void lay_out(void *object, layout *l)
{
    missing_entries *x = object;
    size_t n = (size_t)x->n, most = (size_t)x->capacity;
    x->row = layout_take(l, most, sizeof(int32_t));
    x->column = layout_take(l, most, sizeof(int32_t));
    x->list = layout_take(l, 2 * n, sizeof(int32_t));
    x->explained = layout_take(l, n, sizeof(int32_t));
    x->is_suspect = layout_take(l, n, sizeof(bool));
    x->alarms = layout_take(l, n, sizeof(uint8_t));
    x->noise = layout_take(l, n, sizeof(double));
    x->expected = layout_take(l, n, sizeof(double));
    x->size = layout_take(l, n, sizeof(double));
}

missing_entries *missing_entries_create(int32_t n, const daedal_allocator *a)
{
    missing_entries *x = memory_take(a, sizeof *x);
    if (!x)
        return NULL;
    x->n = n;
    x->capacity = n < INT32_MAX / 4 ? 2 * n + 64 : n;
    x->random = 1;
    if (block_create(&x->mem, a, lay_out, x))
        return x;
    memory_give(a, x, sizeof *x);
    return NULL;
}

void missing_entries_free(missing_entries *x)
{
    if (!x)
        return;
    const daedal_allocator *a = x->mem.allocator;
    block_free(&x->mem);
    memory_give(a, x, sizeof *x);
}

static bool may_be_suspect(const missing_entries *x, int32_t i)
{
    return x->alarms[i] < ALARMS_MAX;
}

static void suspect(missing_entries *x, int32_t i)
{
    x->n_suspects += !x->is_suspect[i];
    x->is_suspect[i] = true;
}

/* ---- what a move shows ---- */

static void put_back(iteration_matrix *m, const matrix_point *at, const int32_t *columns,
                     int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        difference_column c = difference_column_of(m, columns[k]);
        (c.which ? m->yp : m->y)[c.j] = (c.which ? at->yp : at->y)[c.j];
    }
}

/* Move columns, and add up what the Jacobian expects of it. */
static void move(iteration_matrix *m, const matrix_point *at, const int32_t *columns, int32_t count)
{
    missing_entries *x = m->watch;
    memset(x->expected, 0, (size_t)x->n * sizeof(double));
    memset(x->size, 0, (size_t)x->n * sizeof(double));
    for (int32_t k = 0; k < count; k++) {
        difference_column c = difference_column_of(m, columns[k]);
        double *v = (c.which ? m->yp : m->y) + c.j, before = *v;
        *v += m->increment[c.number] / (c.which ? at->h : 1.0);
        const int32_t *row = m->part[c.which].view.row;
        for (int32_t q = c.first; q < c.end; q++) {
            double by = (c.which ? m->dyp : m->dy)[m->part_at[c.which][q]] * (*v - before);
            x->expected[row[q]] += by;
            x->size[row[q]] += fabs(by);
        }
    }
}

static bool is_unexplained(const iteration_matrix *m, int32_t i)
{
    const missing_entries *x = m->watch;
    double noise = DBL_EPSILON * larger_of(fabs(m->r0[i]), fabs(m->r[i])) + fabs(x->noise[i]);
    double change = m->r[i] - m->r0[i];
    return fabs(change - x->expected[i]) > UNEXPLAINED * x->size[i] + ROUNDOFFS * noise;
}

static int call_moved(iteration_matrix *m, const matrix_point *at, const int32_t *columns,
                      int32_t count)
{
    move(m, at, columns, count);
    int answer = evaluator_residual(m->ev, at->t, m->y, m->yp, m->r);
    put_back(m, at, columns, count);
    return answer;
}

/* ---- the search ---- */

static void add(const iteration_matrix *m, int32_t row, int32_t column)
{
    missing_entries *x = m->watch;
    difference_column c = difference_column_of(m, column);
    if (x->n_found == x->capacity || pattern_find(&m->part[c.which].view, row, c.j) >= 0)
        return;
    x->row[x->n_found] = row;
    x->column[x->n_found++] = column;
}

/* Which of these columns the suspect rows depend on.  Where F is not defined nothing is known. */
static int search(iteration_matrix *m, const matrix_point *at, const int32_t *columns,
                  int32_t count)
{
    missing_entries *x = m->watch;
    int answer = count > 0 ? call_moved(m, at, columns, count) : DAEDAL_CALL_RETRY;
    if (answer != DAEDAL_CALL_OK)
        return answer == DAEDAL_CALL_RETRY ? DAEDAL_CALL_OK : answer;
    bool any = false;
    for (int32_t i = 0; i < x->n; i++) {
        bool depends = x->is_suspect[i] && is_unexplained(m, i);
        any |= depends;
        if (depends && count == 1)
            add(m, i, columns[0]);
    }
    if (!any || count == 1 || x->n_found == x->capacity)
        return DAEDAL_CALL_OK;
    answer = search(m, at, columns, count / 2);
    return answer == DAEDAL_CALL_OK ? search(m, at, columns + count / 2, count - count / 2)
                                    : answer;
}

/* At the end of a search, rows in which no entry was found are no longer suspected. */
static void clear_suspects(missing_entries *x, int32_t found_before)
{
    for (int32_t k = found_before; k < x->n_found; k++)
        x->is_suspect[x->row[k]] = false;
    for (int32_t i = 0; i < x->n; i++) {
        x->alarms[i] += x->is_suspect[i];
        x->is_suspect[i] = false;
    }
    x->n_suspects = 0;
}

/* ---- rows that answer without a reason ---- */

void missing_entries_note_colour(iteration_matrix *m, int32_t colour)
{
    missing_entries *x = m->watch;
    x->colour = x->colour == INT32_MAX ? 1 : x->colour + 1;
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        difference_column c = difference_column_of(m, m->colours.column[p]);
        const int32_t *row = m->part[c.which].view.row;
        for (int32_t q = c.first; q < c.end; q++)
            x->explained[row[q]] = x->colour;
    }
    for (int32_t i = 0; i < x->n; i++) {
        if (x->explained[i] == x->colour || m->r[i] == m->r0[i])
            continue;
        double noise = DBL_EPSILON * larger_of(fabs(m->r0[i]), fabs(m->r[i]));
        if (fabs(m->r[i] - m->r0[i]) > ROUNDOFFS * noise && may_be_suspect(x, i))
            suspect(x, i);
    }
}

int missing_entries_search_colour(iteration_matrix *m, const matrix_point *at, int32_t colour)
{
    missing_entries *x = m->watch;
    if (x->n_suspects == 0)
        return DAEDAL_CALL_OK;
    int32_t before = x->n_found, first = m->colours.start[colour];
    memset(x->noise, 0, (size_t)x->n * sizeof(double));
    int answer = search(m, at, m->colours.column + first, m->colours.start[colour + 1] - first);
    clear_suspects(x, before);
    return answer;
}

/* ---- a random direction ---- */

/* Whether there is a place for every entry of the columns that are moved. */
static bool is_full(const iteration_matrix *m)
{
    int64_t columns = m->colours.start[m->colours.n_colours], n = m->ev->n;
    int64_t entries = pattern_nnz(&m->part[0].view);
    if (columns > n)
        entries += pattern_nnz(&m->part[1].view);
    return entries == columns * n;
}

/* About half of the columns come first in the list; their number. */
static int32_t draw(iteration_matrix *m, int32_t total)
{
    missing_entries *x = m->watch;
    int32_t low = 0, high = total;
    for (int32_t p = 0; p < total; p++)
        x->list[random_next(&x->random) >> 31 ? low++ : --high] = m->colours.column[p];
    return low;
}

int missing_entries_check(iteration_matrix *m, const matrix_point *at)
{
    missing_entries *x = m->watch;
    if (x->n_found > 0) /* by its colours */
        return DAEDAL_CALL_STOP;
    if (is_full(m))
        return DAEDAL_CALL_OK;
    int32_t total = m->colours.start[m->colours.n_colours], drawn = draw(m, total);
    int32_t before = x->n_found;
    int answer = drawn > 0 ? call_moved(m, at, x->list, drawn) : DAEDAL_CALL_RETRY;
    if (answer == DAEDAL_CALL_OK) {
        for (int32_t i = 0; i < x->n; i++)
            if (may_be_suspect(x, i) && is_unexplained(m, i))
                suspect(x, i);
        if (x->n_suspects > 0)
            answer = search(m, at, x->list, drawn);
        if (x->n_suspects > 0 && answer == DAEDAL_CALL_OK)
            answer = search(m, at, x->list + drawn, total - drawn);
        clear_suspects(x, before);
    }
    if (answer == DAEDAL_CALL_RETRY)
        answer = DAEDAL_CALL_OK;
    return answer == DAEDAL_CALL_OK && x->n_found > 0 ? DAEDAL_CALL_STOP : answer;
}

/* ---- after a failure ---- */

bool missing_entries_look(iteration_matrix *m, const matrix_point *at)
{
    missing_entries *x = m->watch;
    if (!x || !m->in_step || x->fruitless >= FRUITLESS_MAX || !vector_all_finite(at->y, x->n) ||
        !vector_all_finite(at->yp, x->n))
        return false;
    if (difference_jacobian_look(m, at) == DAEDAL_CALL_OK)
        x->fruitless += x->n_found == 0;
    return x->n_found > 0;
}
