/* adjoint/end_values.c - see end_values.h.
 *
 * Where the pencil of A' and B' has the index one at most, e (A' + e B')^-1 B' leaves a vector of
 * the null space of A' as it is and shrinks the rest by a factor that is proportional to e.  So eta
 * is the limit of its powers, and lambda that of an iteration with the same matrix; e is reduced
 * until both converge fast.                                                      */
#include "adjoint/end_values.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/linsolver.h"
#include "linalg/vector.h"

static void lay_out(void *object, layout *l)
{
    end_values *e = object;
    size_t n = (size_t)e->of->sys->n, nnz = (size_t)pattern_nnz(&e->of->parts.pattern.view);
    double **vectors[] = {&e->lambda, &e->eta, &e->work, &e->slack};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, n, sizeof(double));
    e->values = layout_take(l, nnz, sizeof(double));
    e->at = layout_take(l, nnz, sizeof(int32_t));
    e->is_algebraic = layout_take(l, n, sizeof(bool));
    e->is_bare = layout_take(l, n, sizeof(bool));
}

bool end_values_create(end_values *e, const coefficients *of)
{
    const daedal_pattern *p = &of->parts.pattern.view;
    *e = (end_values){.of = of};
    if (!block_create(&e->mem, of->mem.allocator, lay_out, e) ||
        !pattern_transpose(&e->transposed, p, of->mem.allocator))
        return false;
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            e->at[q] = pattern_find(&e->transposed.view, j, p->row[q]);
    return true;
}

void end_values_free(end_values *e)
{
    pattern_free(&e->transposed);
    block_free(&e->mem);
}

/* out = M' v, with the values of M in the order of the pattern. */
static void transposed_times(const end_values *e, const double *values, const double *v,
                             double *out)
{
    const daedal_pattern *p = &e->of->parts.pattern.view;
    for (int32_t j = 0; j < p->n_cols; j++) {
        out[j] = 0.0;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            out[j] += values[q] * v[p->row[q]];
    }
}

typedef struct pencil_factors {
    const daedal_linsolver *solver;
    void *self;
    double e;
} pencil_factors;

static daedal_status factor(end_values *e, pencil_factors *f)
{
    const iteration_matrix *m = &e->of->parts;
    for (int32_t q = 0; q < pattern_nnz(&m->pattern.view); q++)
        e->values[e->at[q]] = m->dyp[q] + f->e * m->dy[q];
    return f->solver->factor(f->self, e->values);
}

static double size_of(const end_values *e, const double *v)
{
    int32_t j = vector_largest_weighted(v, e->weight, e->of->sys->n);
    return fabs(v[j] * e->weight[j]);
}

enum { ITERATIONS_MOST = 12, REDUCTIONS_MOST = 12 };
static const double SMALL = 1e-3;     /* in units of the weights                  */
static const double ROUNDOFF = 1e-11; /* relative: far below any tolerance      */

/* eta = lim (e (A' + e B')^-1 B')^k e (A' + e B')^-1 b */
static bool find_eta(end_values *e, const pencil_factors *f, const double *b)
{
    int32_t n = e->of->sys->n;
    memcpy(e->work, b, (size_t)n * sizeof *b);
    memset(e->eta, 0, (size_t)n * sizeof *e->eta);
    for (int32_t k = 0; k < ITERATIONS_MOST; k++) {
        f->solver->solve(f->self, e->work);
        for (int32_t i = 0; i < n; i++) {
            double value = f->e * e->work[i];
            e->slack[i] = value - e->eta[i];
            e->eta[i] = value;
        }
        if (!vector_all_finite(e->eta, n))
            return false;
        double change = size_of(e, e->slack), most = size_of(e, e->eta);
        if (change <= SMALL * e->span || change <= ROUNDOFF * most)
            return true;
        transposed_times(e, e->of->parts.dy, e->eta, e->work);
    }
    return false;
}

/* A' lambda = b - B' eta */
static bool find_lambda(end_values *e, const pencil_factors *f, const double *b)
{
    const iteration_matrix *m = &e->of->parts;
    int32_t n = e->of->sys->n;
    memset(e->lambda, 0, (size_t)n * sizeof *e->lambda);
    for (int32_t k = 0; k < ITERATIONS_MOST; k++) {
        transposed_times(e, m->dy, e->eta, e->slack);
        transposed_times(e, m->dyp, e->lambda, e->work);
        for (int32_t j = 0; j < n; j++)
            e->work[j] = b[j] - e->slack[j] - e->work[j];
        f->solver->solve(f->self, e->work);
        for (int32_t i = 0; i < n; i++)
            e->lambda[i] += e->work[i];
        if (!vector_all_finite(e->lambda, n))
            return false;
        double change = size_of(e, e->work), most = size_of(e, e->lambda);
        if (change <= SMALL || change <= ROUNDOFF * most)
            return true;
    }
    return false;
}

daedal_status end_values_find(end_values *e, const double *b)
{
    pencil_factors f = {.e = 1e-3 * fabs(e->span)};
    daedal_status status =
        linsolver_open(&e->transposed.view, e->of->mem.allocator, &f.solver, &f.self);
    bool found = false;
    for (int k = 0; k < REDUCTIONS_MOST && status == DAEDAL_OK && !found; k++, f.e *= 0.01)
        found = factor(e, &f) == DAEDAL_OK && find_eta(e, &f, b) && find_lambda(e, &f, b);
    if (f.self)
        f.solver->destroy(f.self);
    if (status != DAEDAL_OK)
        return DAEDAL_ERR_MEMORY;
    return found ? DAEDAL_OK : DAEDAL_ERR_INDEX;
}

/* ---- index two ---- */

static const double NOTHING = 1e-9; /* relative: an entry of dF/dy' or dF/dy that is none */

static double largest_of(const double *values, int32_t n)
{
    double most = 0.0;
    for (int32_t q = 0; q < n; q++)
        most = fmax(most, fabs(values[q]));
    return most;
}

/* Rows and columns of A without entries. */
static void mark_empty(end_values *e)
{
    const iteration_matrix *m = &e->of->parts;
    const daedal_pattern *p = &m->pattern.view;
    double nothing = NOTHING * largest_of(m->dyp, pattern_nnz(p));
    for (int32_t j = 0; j < p->n_cols; j++)
        e->is_algebraic[j] = e->is_bare[j] = true;
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (fabs(m->dyp[q]) > nothing)
                e->is_algebraic[j] = e->is_bare[p->row[q]] = false;
}

bool end_values_are_hessenberg(end_values *e)
{
    const iteration_matrix *m = &e->of->parts;
    const daedal_pattern *p = &m->pattern.view;
    double nothing = NOTHING * largest_of(m->dy, pattern_nnz(p));
    int32_t unknowns = 0, equations = 0;
    mark_empty(e);
    for (int32_t j = 0; j < p->n_cols; j++) {
        unknowns += e->is_algebraic[j];
        equations += e->is_bare[j];
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (e->is_algebraic[j] && e->is_bare[p->row[q]] && fabs(m->dy[q]) > nothing)
                return false;
    }
    return unknowns > 0 && unknowns == equations;
}

/* Unknowns are lambda outside C and eta in C; equations are the columns of F. */
static void fill_hessenberg(end_values *e)
{
    const iteration_matrix *m = &e->of->parts;
    const daedal_pattern *p = &m->pattern.view;
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            bool bare = e->is_bare[p->row[q]], algebraic = e->is_algebraic[j];
            e->values[e->at[q]] = bare && algebraic   ? 0.0
                                  : bare || algebraic ? m->dy[q]
                                                      : m->dyp[q];
        }
}

daedal_status end_values_find_hessenberg(end_values *e, const double *b, const double *g)
{
    const daedal_linsolver *solver;
    void *self = NULL;
    int32_t n = e->of->sys->n;
    daedal_status status =
        linsolver_open(&e->transposed.view, e->of->mem.allocator, &solver, &self);
    if (status != DAEDAL_OK)
        return DAEDAL_ERR_MEMORY;
    fill_hessenberg(e);
    bool fine = solver->factor(self, e->values) == DAEDAL_OK;
    for (int32_t j = 0; j < n; j++)
        e->work[j] = e->is_algebraic[j] ? g[j] : b[j];
    if (fine)
        solver->solve(self, e->work);
    solver->destroy(self);
    for (int32_t i = 0; i < n; i++) {
        e->lambda[i] = e->is_bare[i] ? 0.0 : e->work[i];
        e->eta[i] = e->is_bare[i] ? e->work[i] : 0.0;
    }
    return fine && vector_all_finite(e->work, n) ? DAEDAL_OK : DAEDAL_ERR_INDEX;
}
