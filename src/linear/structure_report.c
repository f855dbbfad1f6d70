/* linear/structure_report.c - see structure_report.h; daedal_pencil_analyze and
 * daedal_pencil_canonical.
 */
#include "linear/structure_report.h"

#include <math.h>

#include "base/status.h"
#include "pencil/finite_modes.h"

static const double TOLERANCE = 1e-10;

static daedal_status explain(daedal_diagnosis *why, daedal_status status)
{
    if (status == DAEDAL_ERR_MEMORY)
        return fail(why, status, "out of memory for a pencil");
    if (status < 0)
        return fail(why, status, "the eigenvalues of the pencil could not be computed");
    return status;
}

/* ---- arguments ---- */

static daedal_status check_entries(const daedal_pencil *p, const double *x, const char *name,
                                   daedal_diagnosis *why)
{
    for (int32_t j = 0; j < p->columns; j++)
        for (int32_t i = 0; i < p->rows; i++)
            if (!isfinite(x[(size_t)j * (size_t)p->rows + (size_t)i]))
                return fail(why, DAEDAL_ERR_ARGUMENT,
                            "%s has an entry that is not finite, in row %d, column %d", name,
                            (int)i + 1, (int)j + 1);
    return DAEDAL_OK;
}

static daedal_status check(const daedal_pencil *p, double tolerance, daedal_diagnosis *why)
{
    if (!p || p->rows < 0 || p->columns < 0 || (p->rows > 0 && p->columns > 0 && !(p->e && p->a)))
        return fail(why, DAEDAL_ERR_ARGUMENT, "the pencil is not given properly");
    if (p->rows > PENCIL_LARGEST || p->columns > PENCIL_LARGEST)
        return fail(
            why, DAEDAL_ERR_ARGUMENT,
            "a pencil of %d x %d entries is too large: dense matrices of at most %d rows and "
            "columns are analysed",
            (int)p->rows, (int)p->columns, (int)PENCIL_LARGEST);
    if (!(tolerance >= 0.0 && tolerance < 1.0))
        return fail(why, DAEDAL_ERR_ARGUMENT, "the tolerance must be 0, or between 0 and 1");
    TRY(check_entries(p, p->e, "E", why));
    return check_entries(p, p->a, "A", why);
}

static matrix_pair pair_of(const daedal_pencil *p)
{
    return (matrix_pair){p->rows, p->columns, p->e, p->a};
}

static double tolerance_of(double given)
{
    return given > 0.0 ? given : TOLERANCE;
}

/* ---- structure ---- */

static const int32_t *keep(arena *mem, const block_sizes *from)
{
    return arena_copy(mem, from->at, (size_t)from->n, (size_t)from->n + 1, sizeof *from->at);
}

static void tell_values(daedal_pencil_structure *to, const characteristic_values *c)
{
    to->r = c->r;
    to->a = c->a;
    to->s = c->s;
    to->d = c->d;
    to->u = c->u;
    to->v = c->v;
}

static void tell_structure(daedal_pencil_structure *to, const kronecker *k, arena *mem)
{
    to->rows = k->form.rows;
    to->columns = k->form.cols;
    to->is_regular = kronecker_is_regular(k);
    to->index = k->infinite.n > 0 ? k->infinite.at[0] : 0;
    to->n_finite = k->n_finite;
    to->n_infinite = k->n_infinite;
    to->n_infinite_blocks = k->infinite.n;
    to->n_right = k->right.n;
    to->n_left = k->left.n;
    to->infinite_blocks = keep(mem, &k->infinite);
    to->right = keep(mem, &k->right);
    to->left = keep(mem, &k->left);
    to->kept = k->kept;
    to->dropped = k->dropped;
}

static daedal_status report(daedal_pencil_structure *to, const matrix_pair *from, double tolerance,
                            arena *mem)
{
    kronecker k;
    finite_modes modes = {0};
    daedal_status status = kronecker_create(&k, from, tolerance, mem->allocator);
    if (status == DAEDAL_OK)
        status = finite_modes_find(&modes, &k, from, mem);
    if (status == DAEDAL_OK) {
        tell_structure(to, &k, mem);
        tell_values(to, &k.values);
        to->real = modes.real;
        to->imaginary = modes.imaginary;
        to->participation = modes.participation;
    }
    kronecker_free(&k);
    return status == DAEDAL_OK && mem->failed ? DAEDAL_ERR_MEMORY : status;
}

daedal_status structure_report(daedal_pencil_structure *to, const daedal_pencil *from,
                               double tolerance, arena *mem, daedal_diagnosis *why)
{
    TRY(check(from, tolerance, why));
    matrix_pair pair = pair_of(from);
    return explain(why, report(to, &pair, tolerance_of(tolerance), mem));
}

/* What the caller gets, and its memory. */
typedef struct structure_memory {
    daedal_pencil_structure shown;
    arena mem;
} structure_memory;

daedal_status daedal_pencil_analyze(const daedal_pencil *pencil, double tolerance,
                                    daedal_pencil_structure **structure, daedal_diagnosis *why)
{
    daedal_diagnosis unwanted;
    why = why ? why : &unwanted;
    diagnosis_clear(why);
    if (!structure)
        return fail(why, DAEDAL_ERR_ARGUMENT, "structure is NULL");
    *structure = NULL;
    structure_memory *made = memory_take(&memory_default, sizeof *made);
    if (!made)
        return explain(why, DAEDAL_ERR_MEMORY);
    arena_create(&made->mem, &memory_default, 0);
    daedal_status status = structure_report(&made->shown, pencil, tolerance, &made->mem, why);
    if (status == DAEDAL_OK)
        *structure = &made->shown;
    else
        daedal_pencil_structure_free(&made->shown);
    return status;
}

void daedal_pencil_structure_free(daedal_pencil_structure *structure)
{
    structure_memory *made = (structure_memory *)structure; /* whose first member it is */
    if (!made)
        return;
    arena_free(&made->mem);
    memory_give(&memory_default, made, sizeof *made);
}

/* ---- the canonical form ---- */

static daedal_status find_form(const kronecker *k, daedal_canonical_form *form)
{
    decoupling d;
    canonical_matrices to = {form->left, form->right, form->e, form->a};
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (decoupling_create(&d, k, &memory_default))
        status = canonical_form(&d, &to);
    form->n_finite = k->n_finite;
    form->residual = d.residual;
    decoupling_free(&d);
    return status;
}

daedal_status daedal_pencil_canonical(const daedal_pencil *pencil, double tolerance,
                                      daedal_canonical_form *form, daedal_diagnosis *why)
{
    daedal_diagnosis unwanted;
    kronecker k;
    why = why ? why : &unwanted;
    diagnosis_clear(why);
    TRY(check(pencil, tolerance, why));
    if (!form || !form->left || !form->right || !form->e || !form->a)
        return fail(why, DAEDAL_ERR_ARGUMENT, "a matrix of the canonical form is NULL");
    matrix_pair pair = pair_of(pencil);
    daedal_status status = kronecker_create(&k, &pair, tolerance_of(tolerance), &memory_default);
    bool regular = status == DAEDAL_OK && kronecker_is_regular(&k);
    if (regular)
        status = find_form(&k, form);
    kronecker_free(&k);
    if (status == DAEDAL_OK && !regular)
        return fail(why, DAEDAL_ERR_SINGULAR,
                    "the pencil is singular: it has no canonical form with finite and infinite "
                    "eigenvalues alone");
    return explain(why, status);
}
