/* linalg/linsolver_klu.c - sparse LU by SuiteSparse KLU [DPN10].
 *
 * Responsibility: large sparse matrices, real or complex, behind the linear-solver interfaces.
 * Five decisions are ours, the rest is KLU's:
 *
 *   Block triangular form, always.  The matrix of a DAE seldom has a zero-free
 *   diagonal in the order of its file; without the transversal that comes with the
 *   block form the fill was up to a hundred times larger.
 *
 *   Our transversal for large matrices.  That of KLU searches depth first and may take a time
 *   quadratic in n, in chains for example.  It takes the first free row of a column where there is
 *   one: with the rows of our matching (graph/matching.h) in front it has nothing to search.  The
 *   matching begins with the diagonal, which keeps what is symmetric.
 *
 *   AMD or COLAMD on the blocks.  AMD orders A + A' and wins on grids, COLAMD
 *   orders A'A and wins on unsymmetric blocks, by 1.4 to 2 in time either way.
 *   Where the largest block is symmetric in pattern, AMD; else, as KLU cannot
 *   estimate COLAMD's fill, the first factorization is done with both and the
 *   cheaper kept; for large matrices the symmetry alone decides.
 *
 *   Old pivots or new.  A refactorization with the pivots of an earlier matrix
 *   costs a half to a third of a factorization, but nothing keeps the pivots good:
 *   when the ratio of the smallest to the largest pivot falls far below what it
 *   was with pivoting, or entries have grown far more, factor anew.
 *
 *   The threshold of pivots.  KLU prefers the diagonal where it has a thousandth of the largest
 *   entry of its column, which keeps the fill low and nearly always suffices.  Where entries of U
 *   have grown a million times above those of A, digits are lost; then the matrix is factored
 *   with a threshold of a tenth, or of one, from then on.  Chain of rods in random order, n = 30
 * 000: A x - b was 4e-4 of b for a growth of 7e6, 2e-8 for 3 and a fill larger by a fifth.
 *
 * KLU takes its memory from SuiteSparse's own malloc, not from the allocator given
 * to create; `grown` counts the factorizations after the first, which allocate.
 *
 * [DPN10] Davis, Palamadai Natarajan: Algorithm 907, KLU, ACM Trans. Math. Softw.
 *         37 (2010) article 36.
 * Depends on: base/, graph/, KLU.                                                       */
#include <klu.h>
#include <math.h>

#include "base/random.h"
#include "graph/matching.h"
#include "linalg/complex_solver.h"
#include "linalg/linsolver.h"

#define TRIAL_NNZ_MAX 50000 /* above, do not factor with both orderings           */
#define TRIAL_BLOCK_MIN 4   /* below, there is nothing to order                   */
#define UNSYMMETRIC 0.3     /* part of the off-diagonal entries of the largest    */
#define SYMMETRIC 0.9       /* block that have an entry opposite                  */
#define RATIO_SAFE 1e-12    /* pivot ratios above this are never suspected        */
#define RATIO_DROP 1e-3     /* a fall below this part of the last one is          */
#define RATIO_NOTED 0.1     /* a fall below this part makes the growth worth a look */
#define GROWTH_SAFE 1e-6    /* largest entries of A / of U, in the worst column   */
#define GROWTH_DROP 1e-2    /* a fall below this part of the last one is suspected */
#define MATCHING_MIN 1000   /* below, KLU's transversal takes no time              */

/* common.ordering */
enum { ORDER_AMD = 0, ORDER_COLAMD = 1 };

typedef struct sparse {
    struct sparse *elder; /* complex: the real one, whose symbolic analysis serves; or NULL */
    int32_t n, blame;
    bool is_complex;
    double *pairs;   /* complex only: nnz values and n of a right-hand side, as KLU reads them */
    block mem;       /* of pairs                                                   */
    pattern entries; /* copy: KLU reads it at every factorization                  */
    klu_common common;
    klu_symbolic *symbolic;
    klu_symbolic *rival; /* the other ordering; kept, for a younger one may use it    */
    bool rival_is_tried;
    klu_numeric *numeric;
    double ratio;  /* smallest / largest pivot at the last full factorization       */
    double growth; /* largest entries of A / of U at that factorization            */
    double price;  /* of a factorization, in solves; 0: not known                   */
    int64_t grown;
    bool factored; /* a factorization has succeeded before                         */
    const daedal_allocator *allocator;
} sparse;

/* ---- create --------------------------------------------------------------- */

static void sparse_destroy(void *self)
{
    sparse *s = self;
    if (!s)
        return;
    klu_free_numeric(&s->numeric, &s->common);
    if (!s->elder)
        klu_free_symbolic(&s->symbolic, &s->common);
    klu_free_symbolic(&s->rival, &s->common);
    pattern_free(&s->entries);
    block_free(&s->mem);
    memory_give(s->allocator, s, sizeof *s);
}

static void lay_out_pairs(void *object, layout *l)
{
    sparse *s = object;
    size_t entries = (size_t)pattern_nnz(&s->entries.view) + (size_t)s->n;
    s->pairs = layout_take(l, s->is_complex ? 2 * entries : 0, sizeof *s->pairs);
}

/* A copy of the pattern, where n is large with the row of a maximum matching in front of each
 * column; its columns are not in order then.  false: out of memory.                         */
static bool put_matching_first(pattern *to, const daedal_pattern *p, const daedal_allocator *a)
{
    int32_t n = p->n_cols;
    matching m = {0};
    if (!pattern_copy(to, p, a))
        return false;
    if (n < MATCHING_MIN)
        return true;
    int32_t *diagonal = memory_take_array(a, (size_t)n, sizeof *diagonal);
    for (int32_t j = 0; diagonal && j < n; j++)
        diagonal[j] = j;
    bool found = diagonal && matching_maximum(&m, p, diagonal, a);
    for (int32_t j = 0; found && j < n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (p->row[q] == m.row_of[j]) {
                to->row[q] = p->row[p->start[j]];
                to->row[p->start[j]] = m.row_of[j];
            }
    matching_free(&m);
    memory_give(a, diagonal, (size_t)n * sizeof *diagonal);
    return found;
}

static klu_symbolic *analyse(const pattern *p, klu_common *common, int ordering)
{
    common->ordering = ordering;
    return klu_analyze(p->view.n_cols, p->start, p->row, common);
}

static bool is_small(const sparse *s)
{
    return pattern_nnz(&s->entries.view) <= TRIAL_NNZ_MAX;
}

/* Whether COLAMD may be better than the analysis by AMD. */
static bool needs_rival(const sparse *s)
{
    const klu_symbolic *y = s->symbolic;
    if (y->maxblock < TRIAL_BLOCK_MIN || y->symmetry >= SYMMETRIC)
        return false;
    return is_small(s) || y->symmetry < UNSYMMETRIC;
}

/* AMD's analysis, unless there is one, and COLAMD's as a rival or in its place. */
static bool analyse_orderings(sparse *s, const pattern *p)
{
    if (!s->symbolic)
        s->symbolic = analyse(p, &s->common, ORDER_AMD);
    if (!s->symbolic)
        return false;
    if (!needs_rival(s))
        return true;
    if (!s->rival)
        s->rival = analyse(p, &s->common, ORDER_COLAMD);
    if (!s->rival)
        return false;
    if (!is_small(s)) {
        klu_free_symbolic(&s->symbolic, &s->common);
        s->symbolic = s->rival;
        s->rival = NULL;
    }
    return true;
}

static bool analyse_pattern(sparse *s)
{
    pattern p = {0};
    if (s->symbolic && !needs_rival(s))
        return true; /* all that is needed was foretold */
    bool done = put_matching_first(&p, &s->entries.view, s->allocator) && analyse_orderings(s, &p);
    pattern_free(&p);
    return done;
}

/* symbolic, rival: analyses that are taken over, or NULL. */
typedef struct sparse_setup {
    bool is_complex;
    sparse *elder;
    klu_symbolic *symbolic, *rival;
    const daedal_allocator *allocator;
} sparse_setup;

static daedal_status create(void **self, const daedal_pattern *p, const sparse_setup *setup)
{
    const daedal_allocator *allocator = setup->allocator;
    const sparse *elder = setup->elder;
    bool is_square = p->n_rows == p->n_cols && p->n_cols >= 1;
    sparse *s = is_square ? memory_take(allocator, sizeof *s) : NULL;
    *self = NULL;
    if (!s) {
        klu_free_analysis(setup->symbolic);
        klu_free_analysis(setup->rival);
        return is_square ? DAEDAL_ERR_MEMORY : DAEDAL_ERR_ARGUMENT;
    }
    *s = (sparse){.n = p->n_cols,
                  .blame = -1,
                  .is_complex = setup->is_complex,
                  .elder = setup->elder,
                  .symbolic = setup->symbolic,
                  .rival = setup->rival,
                  .allocator = allocator};
    klu_defaults(&s->common);
    s->common.btf = 1;
    s->common.halt_if_singular = 1; /* a zero pivot ends it: the rest is not read       */
    if (!pattern_copy(&s->entries, p, allocator) ||
        !block_create(&s->mem, allocator, lay_out_pairs, s) || (!elder && !analyse_pattern(s))) {
        sparse_destroy(s);
        return DAEDAL_ERR_MEMORY;
    }
    *self = s;
    return DAEDAL_OK;
}

static daedal_status sparse_create(void **self, const daedal_pattern *p,
                                   const daedal_allocator *allocator)
{
    sparse_setup setup = {.allocator = allocator};
    return create(self, p, &setup);
}

daedal_status klu_create_analysed(void **self, const daedal_pattern *p,
                                  linsolver_forecast *forecast, const daedal_allocator *allocator)
{
    sparse_setup setup = {
        .symbolic = forecast->analysis, .rival = forecast->rival, .allocator = allocator};
    forecast->analysis = forecast->rival = NULL;
    return create(self, p, &setup);
}

void klu_free_analysis(void *analysis)
{
    klu_common common;
    klu_symbolic *symbolic = analysis;
    klu_defaults(&common);
    klu_free_symbolic(&symbolic, &common);
}

/* ---- KLU's functions for either kind of number ----------------------------- */

static klu_numeric *factor_by(sparse *s, double *values, klu_symbolic *symbolic)
{
    return (s->is_complex ? klu_z_factor : klu_factor)(s->entries.start, s->entries.row, values,
                                                       symbolic, &s->common);
}

static int refactor_by(sparse *s, double *values)
{
    return (s->is_complex ? klu_z_refactor : klu_refactor)(s->entries.start, s->entries.row, values,
                                                           s->symbolic, s->numeric, &s->common);
}

static void count_flops(sparse *s, klu_symbolic *symbolic, klu_numeric *numeric)
{
    (s->is_complex ? klu_z_flops : klu_flops)(symbolic, numeric, &s->common);
}

/* The largest entry of A over that of U, scaled rows, in the column where this is least. */
static double growth_of(sparse *s, double *values, klu_symbolic *symbolic, klu_numeric *numeric)
{
    (s->is_complex ? klu_z_rgrowth : klu_rgrowth)(s->entries.start, s->entries.row, values,
                                                  symbolic, numeric, &s->common);
    return s->common.rgrowth;
}

static double pivot_size(const sparse *s, const klu_numeric *numeric, int32_t k)
{
    const double *pivot = numeric->Udiag;
    return s->is_complex ? hypot(pivot[2 * k], pivot[2 * k + 1]) : fabs(pivot[k]);
}

/* ---- factor --------------------------------------------------------------- */

/* Smallest over largest pivot; 0 if one is zero or not finite, and then *column
 * is where.  KLU lets NaN pass, so this is also the check for it.               */
static double pivot_ratio(const sparse *s, const klu_symbolic *symbolic, const klu_numeric *numeric,
                          int32_t *column)
{
    double least = INFINITY, most = 0.0;
    for (int32_t k = 0; k < s->n; k++) {
        double size = pivot_size(s, numeric, k);
        if (!(size > 0.0 && size <= 1e300)) {
            *column = symbolic->Q[k];
            return 0.0;
        }
        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    return least / most;
}

/* A column that has no row to itself in the pattern, or -1.  KLU pairs row P[k]
 * with column Q[k] and says only how many pairs are entries; a numerical zero it
 * meets on the way may be that of another column.                               */
static int32_t unmatched_column(const sparse *s)
{
    const klu_symbolic *y = s->symbolic;
    if (y->structural_rank == s->n)
        return -1;
    for (int32_t j = 0; j < s->n; j++)
        if (s->entries.start[j] == s->entries.start[j + 1])
            return j;
    for (int32_t k = 0; k < s->n; k++)
        if (pattern_find(&s->entries.view, y->P[k], y->Q[k]) < 0)
            return y->Q[k];
    return -1;
}

static daedal_status explain_failure(sparse *s)
{
    if (s->common.status != KLU_SINGULAR)
        return DAEDAL_ERR_MEMORY; /* also KLU_TOO_LARGE: more than an int counts   */
    s->blame = unmatched_column(s);
    if (s->blame < 0 && s->common.singular_col >= 0 && s->common.singular_col < s->n)
        s->blame = s->common.singular_col; /* of the matrix as given, see klu.h    */
    return DAEDAL_ERR_SINGULAR;
}

/* Work of one refactorization and solve, in flops: entries cost more than flops. */
static double cost_of(sparse *s, klu_symbolic *symbolic, klu_numeric *numeric)
{
    count_flops(s, symbolic, numeric);
    return s->common.flops + 8.0 * ((double)numeric->lnz + (double)numeric->unz);
}

/* Factor with the rival's ordering too and keep the cheaper.  A rival that fails
 * loses; it gets one chance.                                                    */
static void try_rival(sparse *s, double *values)
{
    klu_symbolic *rival = s->rival;
    klu_numeric *numeric = factor_by(s, values, rival);
    int32_t column;
    bool wins = numeric && pivot_ratio(s, rival, numeric, &column) > 0.0 &&
                cost_of(s, rival, numeric) < cost_of(s, s->symbolic, s->numeric);
    if (wins) {
        klu_numeric *loser = s->numeric;
        s->numeric = numeric;
        numeric = loser;
        s->rival = s->symbolic;
        s->symbolic = rival;
    }
    klu_free_numeric(&numeric, &s->common);
    s->rival_is_tried = true;
}

/* Factor with larger pivots from now on, as long as entries grow too much. */
static void bound_growth(sparse *s, double *values)
{
    const double larger[] = {0.1, 1.0};
    s->growth = growth_of(s, values, s->symbolic, s->numeric);
    for (size_t k = 0; k < sizeof larger / sizeof *larger && !(s->growth >= GROWTH_SAFE); k++) {
        if (s->common.tol >= larger[k])
            continue;
        double before = s->common.tol;
        s->common.tol = larger[k];
        klu_numeric *numeric = factor_by(s, values, s->symbolic);
        double growth = numeric ? growth_of(s, values, s->symbolic, numeric) : 0.0;
        bool better = growth > s->growth;
        if (better) {
            klu_numeric *worse = s->numeric;
            s->numeric = numeric;
            s->growth = growth;
            numeric = worse;
        }
        klu_free_numeric(&numeric, &s->common);
        if (!better) {
            s->common.tol = before;
            return;
        }
    }
}

static daedal_status factor_with_pivoting(sparse *s, double *values)
{
    klu_free_numeric(&s->numeric, &s->common);
    s->price = 0.0;
    s->numeric = factor_by(s, values, s->symbolic);
    if (!s->numeric)
        return explain_failure(s);
    if (s->rival && !s->rival_is_tried)
        try_rival(s, values);
    bound_growth(s, values);
    s->ratio = pivot_ratio(s, s->symbolic, s->numeric, &s->blame);
    if (!(s->ratio > 0.0)) {
        klu_free_numeric(&s->numeric, &s->common);
        return DAEDAL_ERR_SINGULAR;
    }
    s->grown += s->factored || s->is_complex; /* which may be wanted late in a run  */
    s->factored = true;
    return DAEDAL_OK;
}

/* Factor with the old pivots; false if they no longer serve. */
static bool refactor(sparse *s, double *values)
{
    int32_t column;
    if (!refactor_by(s, values))
        return false;
    double ratio = pivot_ratio(s, s->symbolic, s->numeric, &column);
    if (!(ratio >= RATIO_SAFE || (ratio > 0.0 && ratio >= RATIO_DROP * s->ratio)))
        return false;
    if (ratio >=
        RATIO_NOTED * s->ratio) /* growth comes from small pivots, and takes time to find */
        return true;
    double growth = growth_of(s, values, s->symbolic, s->numeric);
    return growth >= GROWTH_SAFE || growth >= GROWTH_DROP * s->growth;
}

/* A new analysis makes the factors by the old one useless. */
static void follow_elder(sparse *s)
{
    if (!s->elder || s->symbolic == s->elder->symbolic)
        return;
    klu_free_numeric(&s->numeric, &s->common);
    s->symbolic = s->elder->symbolic;
}

static daedal_status factor(sparse *s, double *values)
{
    s->blame = -1;
    follow_elder(s);
    if (s->numeric && refactor(s, values))
        return DAEDAL_OK;
    return factor_with_pivoting(s, values);
}

static daedal_status sparse_factor(void *self, const double *values)
{
    return factor(self, (double *)(uintptr_t)values); /* KLU does not write there  */
}

void klu_forget(void *self)
{
    sparse *s = self;
    klu_free_numeric(&s->numeric, &s->common);
}

/* ---- the rest of the interface -------------------------------------------- */

static void sparse_solve(void *self, double *b)
{
    sparse *s = self;
    klu_solve(s->symbolic, s->numeric, s->n, 1, b, &s->common);
}

void klu_solve_many(void *self, double *b, int32_t count)
{
    sparse *s = self;
    klu_solve(s->symbolic, s->numeric, s->n, count, b, &s->common);
}

static int32_t sparse_blame(void *self)
{
    return ((const sparse *)self)->blame;
}

/* A solve takes two operations for every entry of L, U and the blocks above. */
static double sparse_price(void *self)
{
    sparse *s = self;
    if (!s->numeric)
        return 1.0;
    if (s->price == 0.0) { /* the same for every refactorization */
        count_flops(s, s->symbolic, s->numeric);
        double entries = (double)s->numeric->lnz + s->numeric->unz + s->numeric->nzoff;
        s->price = s->common.flops / (2.0 * entries);
    }
    return s->price;
}

static int64_t sparse_grown(void *self)
{
    return ((const sparse *)self)->grown;
}

const daedal_linsolver *daedal_linsolver_klu(void)
{
    static const daedal_linsolver table = {
        .name = "klu",
        .create = sparse_create,
        .factor = sparse_factor,
        .solve = sparse_solve,
        .singular_column = sparse_blame,
        .factor_cost = sparse_price,
        .reallocations = sparse_grown,
        .destroy = sparse_destroy,
    };
    return &table;
}

/* ---- forecasts: by analysis ------------------------------------------------------ */

bool klu_foretell(const daedal_pattern *p, linsolver_forecast *forecast)
{
    klu_common common;
    pattern first = {0};
    klu_defaults(&common);
    bool fits = put_matching_first(&first, p, NULL);
    klu_symbolic *y = fits ? analyse(&first, &common, ORDER_AMD) : NULL;
    if (y) {
        double real = y->symmetry > 0.0 ? 0.5 + 0.5 * y->symmetry : 0.5;
        *forecast = (linsolver_forecast){real * y->est_flops, y->lnz + y->unz + y->nzoff, y, NULL};
    }
    pattern_free(&first);
    return y != NULL;
}

/* ---- forecasts: by trial ------------------------------------------------------------------- */

/* The values are of size 1/2 .. 1, of either sign and without order: no pivot is bad and none
 * is special. */
/* Factor with values made up, by one of the orderings. */
static bool try_values(sparse *s, klu_symbolic *symbolic, linsolver_forecast *found)
{
    int32_t nnz = pattern_nnz(&s->entries.view), column;
    double *values = memory_take_array(NULL, (size_t)nnz + 1, sizeof *values), state = 0.0;
    for (int32_t q = 0; values && q < nnz; q++)
        values[q] = spread_share(&state);
    klu_numeric *numeric = values ? factor_by(s, values, symbolic) : NULL;
    bool done = numeric && pivot_ratio(s, symbolic, numeric, &column) > 0.0;
    if (done) {
        count_flops(s, symbolic, numeric);
        *found = (linsolver_forecast){0};
        found->flops = s->common.flops;
        found->entries = (double)numeric->lnz + numeric->unz + numeric->nzoff;
    }
    klu_free_numeric(&numeric, &s->common);
    memory_give(NULL, values, ((size_t)nnz + 1) * sizeof *values);
    return done;
}

bool klu_try(const daedal_pattern *p, bool rival, linsolver_forecast *forecast,
             linsolver_forecast *found)
{
    void *self = NULL;
    if (pattern_nnz(p) > TRIAL_NNZ_MAX || klu_create_analysed(&self, p, forecast, NULL) < 0)
        return false;
    sparse *s = self;
    klu_symbolic *symbolic = rival ? s->rival : s->symbolic;
    bool done = symbolic && try_values(s, symbolic, found);
    forecast->analysis = s->symbolic; /* back from the solver, which ends here */
    forecast->rival = s->rival;
    s->symbolic = s->rival = NULL;
    sparse_destroy(s);
    return done;
}

/* ---- complex ------------------------------------------------------------------ */

static daedal_status complex_create(void **self, const daedal_linsolver *real, void *factors,
                                    const daedal_pattern *p, const daedal_allocator *allocator)
{
    (void)real;
    sparse_setup setup = {.is_complex = true, .elder = factors, .allocator = allocator};
    return create(self, p, &setup);
}

static daedal_status complex_factor(void *self, const double *re, const double *im)
{
    sparse *s = self;
    complex_pack(re, im, pattern_nnz(&s->entries.view), s->pairs);
    return factor(s, s->pairs);
}

static void complex_solve(void *self, double *re, double *im)
{
    sparse *s = self;
    double *b = s->pairs + 2 * pattern_nnz(&s->entries.view);
    complex_pack(re, im, s->n, b);
    klu_z_solve(s->symbolic, s->numeric, s->n, 1, b, &s->common);
    complex_unpack(b, s->n, re, im);
}

const complex_solver complex_klu = {.create = complex_create,
                                    .factor = complex_factor,
                                    .solve = complex_solve,
                                    .reallocations = sparse_grown,
                                    .destroy = sparse_destroy};
