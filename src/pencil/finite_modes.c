/* pencil/finite_modes.c - see finite_modes.h.
 *
 * QZ of the finite part.  The participation of variable k in a mode with right vector v and left
 * vector w is |(w' E)_k v_k|, which does not depend on units; the sum of (w' E)_k v_k over all
 * variables is w' E v, so that it measures how much of the mode is stored in each of them.  */
#include "pencil/finite_modes.h"

#include <math.h>
#include <string.h>

#include "linalg/lapack.h"

typedef struct modes_task {
    int32_t n, columns;
    double *e, *a, *alpha[2], *beta, *left, *right, *work;
    int32_t n_work, *order;
    double *v[2], *w[2]; /* real and imaginary parts of vectors of the whole pencil */
    const matrix_pair *given;
    block mem;
} modes_task;

static void lay_out(void *object, layout *l)
{
    modes_task *t = object;
    size_t n = (size_t)t->n, columns = (size_t)t->columns;
    double **square[] = {&t->e, &t->a, &t->left, &t->right};
    for (size_t k = 0; k < sizeof square / sizeof *square; k++)
        *square[k] = layout_take(l, n * n + 1, sizeof(double));
    double **vectors[] = {&t->alpha[0], &t->alpha[1], &t->beta};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, n + 1, sizeof(double));
    for (size_t k = 0; k < 2; k++) {
        t->v[k] = layout_take(l, columns + 1, sizeof(double));
        t->w[k] = layout_take(l, columns + 1, sizeof(double));
    }
    t->work = layout_take(l, (size_t)t->n_work, sizeof(double));
    t->order = layout_take(l, n + 1, sizeof(int32_t));
}

static bool iterate(modes_task *t, const kronecker *k)
{
    size_t square = (size_t)t->n * (size_t)t->n;
    int32_t n = t->n, info = 0;
    memcpy(t->e, k->finite_e, square * sizeof(double));
    memcpy(t->a, k->finite_a, square * sizeof(double));
    dggev_("V", "V", &n, t->a, &n, t->e, &n, t->alpha[0], t->alpha[1], t->beta, t->left, &n,
           t->right, &n, t->work, &t->n_work, &info, 1, 1);
    for (int32_t i = 0; i < n; i++) {
        bool second = t->alpha[1][i] < 0.0 && i > 0; /* exactly the conjugate of the first */
        for (size_t part = 0; part < 2; part++)
            t->alpha[part][i] /= t->beta[i] * k->even.tau;
        if (second) {
            t->alpha[0][i] = t->alpha[0][i - 1];
            t->alpha[1][i] = -t->alpha[1][i - 1];
        }
    }
    return info == 0;
}

/* LAPACK gives conjugates one after the other, the positive one first. */
static bool is_before(const modes_task *t, int32_t i, int32_t j)
{
    double a = t->alpha[0][i], b = t->alpha[0][j];
    double x = fabs(t->alpha[1][i]), y = fabs(t->alpha[1][j]);
    return a != b ? a > b : x != y ? x < y : i < j;
}

static void sort(modes_task *t)
{
    for (int32_t i = 0; i < t->n; i++) {
        int32_t k = i;
        for (; k > 0 && is_before(t, i, t->order[k - 1]); k--)
            t->order[k] = t->order[k - 1];
        t->order[k] = i;
    }
}

/* Real and imaginary part of LAPACK's vector number i: of a pair, both parts stand in the columns
 * of its two members.  Of its second member it is the conjugate.                               */
static void unpack(const modes_task *t, const decoupling *d, int32_t i)
{
    size_t n = (size_t)t->n, columns = (size_t)t->columns;
    bool second = t->alpha[1][i] < 0.0, real = t->alpha[1][i] == 0.0;
    size_t first = (size_t)(second ? i - 1 : i) * n;
    decoupling_right(d, t->right + first, t->v[0]);
    decoupling_left(d, t->left + first, t->w[0]);
    memset(t->v[1], 0, columns * sizeof(double));
    memset(t->w[1], 0, columns * sizeof(double));
    if (!real) {
        decoupling_right(d, t->right + first + n, t->v[1]);
        decoupling_left(d, t->left + first + n, t->w[1]);
    }
}

static void measure(const modes_task *t, double *share)
{
    size_t m = (size_t)t->given->rows;
    double sum = 0.0;
    for (int32_t j = 0; j < t->columns; j++) {
        double we[2] = {0.0, 0.0};
        const double *column = t->given->e + (size_t)j * m;
        for (size_t i = 0; i < m; i++)
            for (size_t part = 0; part < 2; part++)
                we[part] += t->w[part][i] * column[i];
        share[j] = hypot(we[0], we[1]) * hypot(t->v[0][j], t->v[1][j]);
        sum += share[j];
    }
    for (int32_t j = 0; j < t->columns && sum > 0.0; j++)
        share[j] /= sum;
}

static bool find_shares(modes_task *t, const kronecker *k, finite_modes *m)
{
    decoupling d;
    bool fine = decoupling_create(&d, k, t->mem.allocator);
    for (int32_t i = 0; i < t->n && fine; i++) {
        unpack(t, &d, t->order[i]);
        measure(t, m->participation + (size_t)i * (size_t)t->columns);
    }
    decoupling_free(&d);
    return fine;
}

static daedal_status find(modes_task *t, const kronecker *k, finite_modes *m)
{
    if (!iterate(t, k))
        return DAEDAL_ERR_SINGULAR;
    sort(t);
    for (int32_t i = 0; i < t->n; i++) {
        m->real[i] = t->alpha[0][t->order[i]];
        m->imaginary[i] = t->alpha[1][t->order[i]];
    }
    return !m->participation || find_shares(t, k, m) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

daedal_status finite_modes_find(finite_modes *m, const kronecker *k, const matrix_pair *given,
                                arena *mem)
{
    size_t n = (size_t)k->n_finite, columns = (size_t)given->cols;
    *m = (finite_modes){.n = k->n_finite,
                        .real = arena_take(mem, n + 1, sizeof(double)),
                        .imaginary = arena_take(mem, n + 1, sizeof(double))};
    if (kronecker_is_regular(k))
        m->participation = arena_take(mem, n * columns + 1, sizeof(double));
    if (mem->failed)
        return DAEDAL_ERR_MEMORY;
    if (n == 0)
        return DAEDAL_OK;
    modes_task t = {
        .n = k->n_finite, .columns = given->cols, .n_work = 64 + 72 * k->n_finite, .given = given};
    daedal_status status =
        block_create(&t.mem, mem->allocator, lay_out, &t) ? find(&t, k, m) : DAEDAL_ERR_MEMORY;
    block_free(&t.mem);
    return status;
}
