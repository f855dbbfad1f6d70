/* index/pole_order.c - the index as the pole order of (E + h A)^-1 at h = 0; see local_pencil.h.
 *
 * Row j grows like h^-nu_j ([BCP96] section 2.3; C015).  A large eigenvalue lambda looks like a
 * pole until h < 1/lambda, then the row stops growing; so the smallest h decides at which the
 * row is not yet noise.  That is asked of the row itself: the inverse is computed twice, the
 * second time with the entries moved within their noise, and where the two differ by more than
 * a tenth the row is not reliable.  The slope is that over the last two reliable decades, taken if
 * it is near an integer and the same in both, else the nearest plateau before them.  */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "index/local_pencil.h"
#include "linalg/linsolver.h"
#include "linalg/scaling.h"
#include "linalg/vector.h"

static const double ROUNDOFF = 4e-16; /* of the sum E + h A: two units in the last place */
enum { SIZES = 33, PER_DECADE = 2, SPAN = 2 * PER_DECADE }; /* h = 10 .. 1e-15 */
static const double RELIABLE = 0.1, NEAR_INTEGER = 0.25, HALVES_AGREE = 0.3, PLATEAU = 0.15;

typedef struct pole_finder {
    const local_pencil *p;
    int32_t n;
    pattern full;
    const daedal_linsolver *solver;
    void *factors;
    double *m, *x, *x_moved; /* n x n                                             */
    double *row, *column;    /* scaling of one matrix                             */
    double *size;            /* n x SIZES: log10 of the largest entry of each row */
    bool *reliable;          /* n x SIZES                                         */
    uint64_t random;
    block mem;
} pole_finder;

static void lay_out(void *object, layout *l)
{
    pole_finder *g = object;
    size_t n = (size_t)g->n;
    g->m = layout_take(l, n * n, sizeof(double));
    g->x = layout_take(l, n * n, sizeof(double));
    g->x_moved = layout_take(l, n * n, sizeof(double));
    g->row = layout_take(l, n, sizeof(double));
    g->column = layout_take(l, n, sizeof(double));
    g->size = layout_take(l, n * SIZES, sizeof(double));
    g->reliable = layout_take(l, n * SIZES, sizeof(bool));
}

/* E + h A, with the entries moved by `moved` times their noise and random signs. */
static void form(pole_finder *g, double h, double moved)
{
    const local_pencil *p = g->p;
    for (size_t k = 0; k < (size_t)g->n * (size_t)g->n; k++) {
        g->m[k] = p->e[k] + h * p->a[k];
        if (moved > 0.0)
            g->m[k] += moved * (p->e_noise[k] * random_uniform(&g->random, -1.0, 1.0) +
                                h * p->a_noise[k] * random_uniform(&g->random, -1.0, 1.0) +
                                ROUNDOFF * g->m[k] * random_uniform(&g->random, -1.0, 1.0));
    }
}

/* x = (the matrix formed)^-1; false if it is singular. */
static bool invert(pole_finder *g, double *x)
{
    size_t n = (size_t)g->n;
    scaling_rows_then_columns(g->m, g->n, g->n, g->row, g->column);
    if (g->solver->factor(g->factors, g->m) != DAEDAL_OK)
        return false;
    for (size_t j = 0; j < n; j++) {
        memset(x + j * n, 0, n * sizeof(double));
        x[j * n + j] = g->row[j];
        g->solver->solve(g->factors, x + j * n);
        for (size_t i = 0; i < n; i++)
            x[j * n + i] *= g->column[i];
    }
    return vector_all_finite(x, (int32_t)(n * n));
}

static void note_rows(pole_finder *g, int32_t k)
{
    size_t n = (size_t)g->n;
    for (size_t i = 0; i < n; i++) {
        double largest = 0.0, change = 0.0;
        for (size_t j = 0; j < n; j++) {
            largest = fmax(largest, fabs(g->x[j * n + i]));
            change = fmax(change, fabs(g->x[j * n + i] - g->x_moved[j * n + i]));
        }
        g->size[i * SIZES + (size_t)k] = largest > 0.0 ? log10(largest) : 0.0;
        g->reliable[i * SIZES + (size_t)k] = largest > 0.0 && change <= RELIABLE * largest;
    }
}

static void measure(pole_finder *g)
{
    for (int32_t k = 0; k < SIZES; k++) {
        double h = pow(10.0, 1.0 - (double)k / PER_DECADE);
        form(g, h, 0.0);
        bool done = invert(g, g->x);
        form(g, h, 1.0);
        done = done && invert(g, g->x_moved);
        if (done)
            note_rows(g, k);
    }
}

/* The pole order seen in the window that ends at size k, or LOCAL_UNKNOWN. */
static int32_t order_at(const double *size, const bool *reliable, int32_t k, double near)
{
    for (int32_t i = k - SPAN; i <= k; i++)
        if (i < 0 || !reliable[i])
            return LOCAL_UNKNOWN;
    double late = size[k] - size[k - PER_DECADE];
    double early = size[k - PER_DECADE] - size[k - SPAN];
    double slope = 0.5 * (late + early), whole = round(slope);
    bool clear = fabs(slope - whole) <= near && fabs(late - early) <= HALVES_AGREE && whole >= 0.0;
    return clear ? (int32_t)whole : LOCAL_UNKNOWN;
}

static int32_t order_of_row(const pole_finder *g, int32_t i)
{
    const double *size = g->size + (size_t)i * SIZES;
    const bool *reliable = g->reliable + (size_t)i * SIZES;
    bool first = true;
    for (int32_t k = SIZES - 1; k >= SPAN; k--) {
        bool whole = true;
        for (int32_t m = k - SPAN; m <= k; m++)
            whole = whole && reliable[m];
        if (!whole)
            continue;
        int32_t order = order_at(size, reliable, k, first ? NEAR_INTEGER : PLATEAU);
        if (order != LOCAL_UNKNOWN)
            return order;
        first = false;
    }
    return LOCAL_UNKNOWN;
}

daedal_status local_pencil_pole_order(const local_pencil *p, local_answer *out,
                                      int32_t *variable_index, const daedal_allocator *a)
{
    pole_finder g = {.p = p, .n = p->n, .random = RANDOM_SEED};
    *out = (local_answer){0, LOCAL_UNKNOWN};
    g.solver = p->n <= 64 ? daedal_linsolver_dense() : daedal_linsolver_lapack();
    bool done = block_create(&g.mem, a, lay_out, &g) && pattern_full(&g.full, p->n, a) &&
                g.solver->create(&g.factors, &g.full.view, a) == DAEDAL_OK;
    if (done)
        measure(&g);
    for (int32_t i = 0; done && i < p->n; i++) {
        variable_index[i] = order_of_row(&g, i);
        if (variable_index[i] == LOCAL_UNKNOWN)
            out->index = LOCAL_UNKNOWN;
        else if (out->index != LOCAL_UNKNOWN && variable_index[i] > out->index)
            out->index = variable_index[i];
    }
    if (g.factors)
        g.solver->destroy(g.factors);
    pattern_free(&g.full);
    block_free(&g.mem);
    return done ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}
