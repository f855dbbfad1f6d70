/* pencil/characteristic_values.c - see kronecker.h.
 *
 * [KM06]: with bases T of the kernel of E, Z of its corange, T' of its cokernel and V of the
 * corange of Z'A T: r = rank E, a = rank Z'A T, s = rank V'Z'A T', d = r - s, u = n - r - a, v = m
 * - r - a - s.  All bases come from singular vectors; any of them may be empty.    */
#include <math.h>
#include <string.h>

#include "linalg/lapack.h"
#include "pencil/kronecker.h"

typedef struct values_task {
    int32_t m, n;
    double *left, *right, *za; /* Z, or V behind it; T' and T; Z'A */
    double size, tolerance;
    full_svd s;
    block mem;
} values_task;

static void lay_out(void *object, layout *l)
{
    values_task *t = object;
    size_t m = (size_t)t->m, n = (size_t)t->n;
    t->left = layout_take(l, m * m, sizeof(double));
    t->right = layout_take(l, n * n, sizeof(double));
    t->za = layout_take(l, m * n, sizeof(double));
}

/* Sizes m x k and k x n of two factors, the first of which may have to be transposed. */
typedef struct product_shape {
    const char *how;
    int32_t m, n, k;
} product_shape;

static void multiply(product_shape p, const double *a, const double *b, double *c)
{
    const double one = 1.0, zero = 0.0;
    const int32_t *lda = p.how[0] == 'T' ? &p.k : &p.m;
    if (p.m > 0 && p.n > 0 && p.k > 0)
        dgemm_(p.how, "N", &p.m, &p.n, &p.k, &one, a, lda, b, &p.k, &zero, c, &p.m, 1, 1);
    else if (p.m > 0 && p.n > 0)
        memset(c, 0, (size_t)p.m * (size_t)p.n * sizeof *c);
}

static int32_t rank_of(const values_task *t, int32_t rows, int32_t cols, double size)
{
    int32_t rank = 0, least = rows < cols ? rows : cols;
    for (int32_t k = 0; k < least; k++)
        rank += t->s.s[k] > t->tolerance * size;
    return rank;
}

static double largest(const double *x, size_t n)
{
    double most = 0.0;
    for (size_t k = 0; k < n; k++)
        most = fmax(most, fabs(x[k]));
    return most;
}

/* The vectors of E: left has Z behind its first r columns, right (by columns) T behind T'. */
static bool decompose(values_task *t, const matrix_pair *p, int32_t *r)
{
    size_t m = (size_t)t->m, n = (size_t)t->n;
    if (m * n > 0)
        memcpy(t->s.a, p->e, m * n * sizeof(double));
    double size = (double)(m + n) * largest(p->e, m * n);
    if (!full_svd_decompose(&t->s, t->m, t->n))
        return false;
    *r = rank_of(t, t->m, t->n, size);
    memcpy(t->left, t->s.u, m * m * sizeof(double));
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            t->right[j * n + i] = t->s.vt[i * n + j];
    return true;
}

static bool find_values(values_task *t, const matrix_pair *p, characteristic_values *c)
{
    if (!decompose(t, p, &c->r))
        return false;
    int32_t m = t->m, n = t->n, z = m - c->r, kernel = n - c->r;
    size_t behind = (size_t)c->r;
    multiply((product_shape){"T", z, n, m}, t->left + behind * (size_t)m, p->a, t->za);
    multiply((product_shape){"N", z, kernel, n}, t->za, t->right + behind * (size_t)n, t->s.a);
    if (!full_svd_decompose(&t->s, z, kernel))
        return false;
    c->a = rank_of(t, z, kernel, t->size);
    memcpy(t->left, t->s.u, (size_t)z * (size_t)z * sizeof(double));
    int32_t v = z - c->a;
    double *first = t->s.work; /* Z'A T' */
    multiply((product_shape){"N", z, c->r, n}, t->za, t->right, first);
    multiply((product_shape){"T", v, c->r, z}, t->left + (size_t)c->a * (size_t)z, first, t->s.a);
    if (!full_svd_decompose(&t->s, v, c->r))
        return false;
    c->s = rank_of(t, v, c->r, t->size);
    c->d = c->r - c->s;
    c->u = n - c->r - c->a;
    c->v = m - c->r - c->a - c->s;
    return true;
}

daedal_status characteristic_values_of(const matrix_pair *from, double tolerance,
                                       characteristic_values *to, const daedal_allocator *a)
{
    values_task t = {.m = from->rows, .n = from->cols, .tolerance = tolerance};
    size_t entries = (size_t)t.m * (size_t)t.n;
    daedal_status status = DAEDAL_ERR_MEMORY;
    t.size = (double)(t.m + t.n) * largest(from->a, entries);
    if (block_create(&t.mem, a, lay_out, &t) && full_svd_create(&t.s, t.m, t.n, a))
        status = find_values(&t, from, to) ? DAEDAL_OK : DAEDAL_ERR_SINGULAR;
    full_svd_free(&t.s);
    block_free(&t.mem);
    return status;
}
