/* pencil/kronecker.c - see kronecker.h.
 *
 * A staircase gives the infinite blocks and the right minimal indices.  What it leaves has an E of
 * full column rank, and so neither of them: the same staircase of the transposed rest gives the
 * left minimal indices, and leaves a square part with a regular E, that of the finite eigenvalues
 * [VD79].  With nullity n_k and rank r_k of step k = 1, 2, ...: n_k - r_k right minimal indices are
 * k - 1, and r_k - n_(k+1) infinite blocks have size k.                                   */
#include "pencil/kronecker.h"

#include <math.h>

static int32_t nullity_at(const staircase_form *f, int32_t k)
{
    return k < f->n_steps ? f->nullity[k] : 0;
}

static bool list_minimal(arena *mem, const staircase_form *f, block_sizes *to)
{
    to->at = arena_take(mem, (size_t)f->cols + 1, sizeof *to->at);
    for (int32_t k = 0; k < f->n_steps && to->at; k++)
        for (int32_t c = f->rank[k]; c < f->nullity[k]; c++)
            to->at[to->n++] = k;
    return to->at != NULL;
}

static bool list_infinite(arena *mem, const staircase_form *f, block_sizes *to)
{
    to->at = arena_take(mem, (size_t)f->rows + 1, sizeof *to->at);
    for (int32_t k = f->n_steps - 1; k >= 0 && to->at; k--)
        for (int32_t c = nullity_at(f, k + 1); c < f->rank[k]; c++)
            to->at[to->n++] = k + 1;
    return to->at != NULL;
}

/* The part from (i, j) on, transposed or not, into new matrices. */
static bool take_rest(arena *mem, const staircase_form *f, bool transposed, double **e, double **a)
{
    size_t m = (size_t)(f->rows - f->i), n = (size_t)(f->cols - f->j);
    *e = arena_take(mem, m * n + 1, sizeof **e);
    *a = arena_take(mem, m * n + 1, sizeof **a);
    if (mem->failed)
        return false;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < m; i++) {
            size_t from = (j + (size_t)f->j) * (size_t)f->rows + i + (size_t)f->i;
            size_t to = transposed ? i * n + j : j * m + i;
            (*e)[to] = f->e[from];
            (*a)[to] = f->a[from];
        }
    return true;
}

/* The finite part of the transposed rest has the eigenvalues of the pencil. */
static daedal_status split_left(kronecker *k)
{
    const staircase_form *f = &k->form;
    double *e, *a;
    staircase_form rest;
    if (!take_rest(&k->mem, f, true, &e, &a))
        return DAEDAL_ERR_MEMORY;
    matrix_pair turned = {f->cols - f->j, f->rows - f->i, e, a};
    daedal_status status = staircase_form_create(&rest, &turned, f->tolerance, k->mem.allocator);
    if (status == DAEDAL_OK && !(list_minimal(&k->mem, &rest, &k->left) &&
                                 take_rest(&k->mem, &rest, false, &k->finite_e, &k->finite_a)))
        status = DAEDAL_ERR_MEMORY;
    k->n_finite = rest.cols - rest.j;
    k->kept = fmin(k->kept, rest.kept);
    k->dropped = fmax(k->dropped, rest.dropped);
    staircase_form_free(&rest);
    return status;
}

static daedal_status split(kronecker *k)
{
    const staircase_form *f = &k->form;
    k->kept = f->kept;
    k->dropped = f->dropped;
    k->n_finite = f->cols - f->j;
    if (!list_minimal(&k->mem, f, &k->right) || !list_infinite(&k->mem, f, &k->infinite))
        return DAEDAL_ERR_MEMORY;
    for (int32_t b = 0; b < k->infinite.n; b++)
        k->n_infinite += k->infinite.at[b];
    if (f->rows - f->i > k->n_finite)
        return split_left(k);
    return take_rest(&k->mem, f, false, &k->finite_e, &k->finite_a) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

daedal_status kronecker_create(kronecker *k, const matrix_pair *from, double tolerance,
                               const daedal_allocator *a)
{
    *k = (kronecker){.n_finite = 0};
    arena_create(&k->mem, a, 0);
    if (!even_pencil_create(&k->even, from, &k->mem))
        return DAEDAL_ERR_MEMORY;
    matrix_pair even = {from->rows, from->cols, k->even.e, k->even.a};
    daedal_status status = characteristic_values_of(&even, tolerance, &k->values, a);
    if (status == DAEDAL_OK)
        status = staircase_form_create(&k->form, &even, tolerance, a);
    return status == DAEDAL_OK ? split(k) : status;
}

void kronecker_free(kronecker *k)
{
    staircase_form_free(&k->form);
    arena_free(&k->mem);
}

bool kronecker_is_regular(const kronecker *k)
{
    return k->right.n == 0 && k->left.n == 0;
}
