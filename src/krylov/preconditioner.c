/* krylov/preconditioner.c - see preconditioner.h.
 *
 * Blocks and bands are the entries of the matrix that lie in them, solved by the band solver; kept
 * complete factors are KLU's.  So all but the diagonal, the incomplete factors and the user's own
 * are a linear solver for some of the entries.                                  */
#include "krylov/preconditioner.h"

#include <math.h>

#include "krylov/ilu.h"
#include "linalg/linsolver.h"

enum { BAND_WIDTH = 2, BLOCK_MAX = 32, ILUT_FILL = 10 };
static const double ILUT_DROP = 1e-3;
static const double TINY = 1e-12, SUBSTITUTE = 1e-4; /* diagonal entries, as in ilu.c */

struct preconditioner {
    preconditioner_choice choice;
    int32_t n, nnz;
    double *inverse;   /* n: of the diagonal                                       */
    double *largest;   /* n: of each row                                           */
    int32_t *row;      /* nnz: of each entry, for the diagonal                     */
    int32_t *diagonal; /* n: where it stands, or -1                                */
    ilu *incomplete;
    const daedal_linsolver *solver;
    void *factors;
    int32_t n_kept;
    int32_t *kept;  /* n_kept: which entries                                       */
    double *values; /* n_kept                                                      */
    block mem;
    const daedal_allocator *allocator;
};

static bool is_diagonal(const preconditioner *p)
{
    return !p->choice.own && p->choice.kind == PRECONDITIONER_DIAGONAL;
}

static void lay_out(void *object, layout *l)
{
    preconditioner *p = object;
    size_t n = is_diagonal(p) ? (size_t)p->n : 0, nnz = is_diagonal(p) ? (size_t)p->nnz : 0;
    p->inverse = layout_take(l, n, sizeof *p->inverse);
    p->largest = layout_take(l, n, sizeof *p->largest);
    p->diagonal = layout_take(l, n, sizeof *p->diagonal);
    p->row = layout_take(l, nnz, sizeof *p->row);
    p->kept = layout_take(l, (size_t)p->n_kept, sizeof *p->kept);
    p->values = layout_take(l, (size_t)p->n_kept, sizeof *p->values);
}

/* ---- some of the entries --------------------------------------------------- */

/* Off-diagonal entries inside aligned blocks of this size. */
static int64_t entries_in_blocks(const daedal_pattern *p, int32_t size)
{
    int64_t count = 0;
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            count += p->row[q] != j && p->row[q] / size == j / size;
    return count;
}

/* The size of the dense blocks along the diagonal that a pattern shows, 1 if there are none. */
static int32_t block_size_of(const daedal_pattern *p)
{
    int32_t best = 1;
    double most = 0.0;
    for (int32_t size = 2; size <= BLOCK_MAX && size <= p->n_cols; size++) {
        double count = (double)entries_in_blocks(p, size);
        double room = (double)p->n_cols * (size - 1);
        if (count >= 0.75 * room && count > 1.01 * most) {
            most = count;
            best = size;
        }
    }
    return best;
}

static bool is_kept(const preconditioner *p, int32_t i, int32_t j)
{
    int32_t width = p->choice.width;
    if (p->choice.kind == PRECONDITIONER_BLOCK)
        return i / width == j / width;
    return p->choice.kind == PRECONDITIONER_LU || (i - j <= width && j - i <= width);
}

static int32_t count_kept(const preconditioner *p, const daedal_pattern *of)
{
    int32_t count = 0;
    for (int32_t j = 0; j < of->n_cols; j++)
        for (int32_t q = of->start[j]; q < of->start[j + 1]; q++)
            count += is_kept(p, of->row[q], j);
    return count;
}

static daedal_status create_solver(preconditioner *p, const daedal_pattern *of)
{
    pattern part = {0};
    if (!pattern_create(&part, p->n, p->n, p->n_kept, p->allocator))
        return DAEDAL_ERR_MEMORY;
    int32_t count = 0;
    for (int32_t j = 0; j < p->n; j++) {
        for (int32_t q = of->start[j]; q < of->start[j + 1]; q++)
            if (is_kept(p, of->row[q], j)) {
                p->kept[count] = q;
                part.row[count++] = of->row[q];
            }
        part.start[j + 1] = count;
    }
    p->solver =
        p->choice.kind == PRECONDITIONER_LU ? daedal_linsolver_klu() : daedal_linsolver_band();
    daedal_status status = p->solver->create(&p->factors, &part.view, p->allocator);
    pattern_free(&part);
    return status;
}

/* ---- creation -------------------------------------------------------------- */

static void find_diagonal(preconditioner *p, const daedal_pattern *of)
{
    for (int32_t j = 0; j < p->n; j++) {
        p->diagonal[j] = pattern_find(of, j, j);
        for (int32_t q = of->start[j]; q < of->start[j + 1]; q++)
            p->row[q] = of->row[q];
    }
}

static daedal_status create_parts(preconditioner *p, const daedal_pattern *of)
{
    static const ilu_kind in_pattern = {0.0, -1}, loose = {ILUT_DROP, ILUT_FILL};
    int32_t kind = p->choice.own ? PRECONDITIONER_NONE : p->choice.kind;
    bool by_solver =
        kind == PRECONDITIONER_BLOCK || kind == PRECONDITIONER_BAND || kind == PRECONDITIONER_LU;
    p->n_kept = by_solver ? count_kept(p, of) : 0;
    if (!block_create(&p->mem, p->allocator, lay_out, p))
        return DAEDAL_ERR_MEMORY;
    if (kind == PRECONDITIONER_DIAGONAL)
        find_diagonal(p, of);
    if (kind == PRECONDITIONER_ILU || kind == PRECONDITIONER_ILUT)
        return ilu_create(&p->incomplete, of, kind == PRECONDITIONER_ILU ? &in_pattern : &loose,
                          p->allocator);
    return by_solver ? create_solver(p, of) : DAEDAL_OK;
}

daedal_status preconditioner_create(preconditioner **made, const daedal_pattern *of,
                                    const preconditioner_choice *choice, const daedal_allocator *a)
{
    *made = NULL;
    preconditioner *p = memory_take(a, sizeof *p);
    if (!p)
        return DAEDAL_ERR_MEMORY;
    *p = (preconditioner){
        .choice = *choice, .n = of->n_cols, .nnz = pattern_nnz(of), .allocator = a};
    if (choice->width == 0)
        p->choice.width = choice->kind == PRECONDITIONER_BLOCK ? block_size_of(of) : BAND_WIDTH;
    daedal_status status = create_parts(p, of);
    if (status == DAEDAL_OK)
        *made = p;
    else
        preconditioner_free(p);
    return status;
}

void preconditioner_free(preconditioner *p)
{
    if (!p)
        return;
    ilu_free(p->incomplete);
    if (p->factors)
        p->solver->destroy(p->factors);
    block_free(&p->mem);
    memory_give(p->allocator, p, sizeof *p);
}

/* ---- use ------------------------------------------------------------------- */

/* A zero on the diagonal, as of an algebraic equation for another variable, is replaced by a part
 * of its row.                                                                    */
static daedal_status invert_diagonal(preconditioner *p, const double *values)
{
    for (int32_t i = 0; i < p->n; i++)
        p->largest[i] = 0.0;
    for (int32_t q = 0; q < p->nnz; q++)
        p->largest[p->row[q]] = fmax(p->largest[p->row[q]], fabs(values[q]));
    for (int32_t i = 0; i < p->n; i++) {
        double d = p->diagonal[i] >= 0 ? values[p->diagonal[i]] : 0.0, most = p->largest[i];
        if (!(most > 0.0 && most < INFINITY))
            return DAEDAL_ERR_SINGULAR;
        p->inverse[i] = 1.0 / (fabs(d) > TINY * most ? d : copysign(SUBSTITUTE * most, d));
    }
    return DAEDAL_OK;
}

static daedal_status setup_own(const daedal_preconditioner *own, const preconditioner_point *at)
{
    int answer = own->setup ? own->setup(at->t, at->y, at->yp, at->c, at->values, own->user)
                            : DAEDAL_CALL_OK;
    switch (answer) {
    case DAEDAL_CALL_OK:
        return DAEDAL_OK;
    case DAEDAL_CALL_RETRY:
        return DAEDAL_ERR_RETRY;
    case DAEDAL_CALL_STOP:
        return DAEDAL_STOPPED;
    default:
        return DAEDAL_ERR_CALLBACK;
    }
}

daedal_status preconditioner_setup(preconditioner *p, const preconditioner_point *at)
{
    if (p->choice.own)
        return setup_own(p->choice.own, at);
    if (is_diagonal(p))
        return invert_diagonal(p, at->values);
    if (p->incomplete)
        return ilu_factor(p->incomplete, at->values);
    if (!p->factors)
        return DAEDAL_OK;
    for (int32_t k = 0; k < p->n_kept; k++)
        p->values[k] = at->values[p->kept[k]];
    return p->solver->factor(p->factors, p->values);
}

int preconditioner_solve(preconditioner *p, double *v)
{
    if (p->choice.own)
        return p->choice.own->solve(v, p->choice.own->user);
    if (p->incomplete)
        ilu_solve(p->incomplete, v);
    else if (p->factors)
        p->solver->solve(p->factors, v);
    else if (is_diagonal(p))
        for (int32_t i = 0; i < p->n; i++)
            v[i] *= p->inverse[i];
    return DAEDAL_CALL_OK;
}

const char *preconditioner_name(const preconditioner *p)
{
    static const char *const names[] = {"auto", "none", "diagonal", "block",
                                        "band", "ilu",  "ilut",     "lu"};
    if (p->choice.own)
        return p->choice.own->name ? p->choice.own->name : "own";
    return names[p->choice.kind];
}

int64_t preconditioner_reallocations(const preconditioner *p)
{
    int64_t count = p->incomplete ? ilu_pairings(p->incomplete) : 0;
    if (p->factors && p->solver->reallocations)
        count += p->solver->reallocations(p->factors);
    return count;
}
