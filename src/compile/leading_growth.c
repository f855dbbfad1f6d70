/* compile/leading_growth.c - see compiled.h: how well the equations determine the leading unknowns,
 * y' of states and y of the others, at the values as they stand.  The matrix of their derivatives
 * is scaled, factored, and solved for a fixed right-hand side: a large solution shows that it is
 * nearly singular.  Only entries that are not zero are factored: of equations y' = f(y), whose
 * Jacobian fills in when it is factored, a diagonal matrix remains.                      */
#include <math.h>

#include "base/random.h"
#include "compile/compiled.h"
#include "linalg/linsolver.h"
#include "linalg/scaling.h"

static bool evaluate_here(const compiled_model *m)
{
    const double *x = m->values->x;
    const value_places *place = &m->values->place;
    const compiled_jacobian *j = m->jacobian;
    if (compiled_evaluate_jacobian(m, x[0], x + place->y, x + place->yp) != DAEDAL_CALL_OK)
        return false;
    for (int32_t q = 0; q < pattern_nnz(&j->pattern.view); q++)
        if (!isfinite(j->dy[q] + 0.0 * j->dyp[q]))
            return false;
    return true;
}

/* The leading matrix: its entries that are not zero. */
typedef struct leading {
    pattern pattern;
    double *values;
    double *b;       /* a right-hand side */
    size_t n_values; /* of both together */
} leading;

/* The factor by which a solution exceeds its right-hand side; HUGE_VAL: the matrix is singular.
 * *most: the unknown in which it does. */
static double growth_of(const leading *a, const daedal_linsolver *solver, void *factors,
                        int32_t *most)
{
    enum { SWEEPS = 8 };
    const daedal_pattern *p = &a->pattern.view;
    double state = 0.0, growth = 0.0;
    scaling_by_roots_sparse(p, a->values, SWEEPS, NULL, NULL, a->b); /* units do not matter */
    if (solver->factor(factors, a->values) != DAEDAL_OK) {
        *most = solver->singular_column ? solver->singular_column(factors) : -1;
        return HUGE_VAL;
    }
    for (int32_t i = 0; i < p->n_cols; i++)
        a->b[i] = spread_small(&state);
    solver->solve(factors, a->b);
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (fabs(a->b[j] * a->values[q]) > growth) {
                growth = fabs(a->b[j] * a->values[q]);
                *most = j;
            }
    return growth;
}

/* Entry q of column j of the Jacobian, by the leading unknown. */
static double leading_value(const compiled_model *m, int32_t j, int32_t q)
{
    return m->reduced->differential[j] ? m->jacobian->dyp[q] : m->jacobian->dy[q];
}

static bool leading_create(leading *a, const compiled_model *m)
{
    const daedal_pattern *p = &m->jacobian->pattern.view;
    int32_t n = m->reduced->n, nnz = 0;
    for (int32_t j = 0; j < n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            nnz += leading_value(m, j, q) != 0.0;
    a->n_values = (size_t)nnz + (size_t)n;
    a->values = memory_take_array(m->allocator, a->n_values, sizeof(double));
    if (!a->values || !pattern_create(&a->pattern, n, n, nnz, m->allocator))
        return false;
    a->b = a->values + nnz;
    nnz = 0;
    for (int32_t j = 0; j < n; j++) {
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double value = leading_value(m, j, q);
            if (value == 0.0)
                continue;
            a->values[nnz] = value;
            a->pattern.row[nnz++] = p->row[q];
        }
        a->pattern.start[j + 1] = nnz;
    }
    return true;
}

static void leading_free(leading *a, const compiled_model *m)
{
    memory_give(m->allocator, a->values, a->n_values * sizeof(double));
    pattern_free(&a->pattern);
}

/* The growth for the leading matrix at the point of dy and dyp; 0: it cannot be determined. */
static double growth_here(const compiled_model *m, int32_t *most)
{
    const daedal_linsolver *solver;
    void *factors = NULL;
    leading a = {0};
    double growth = 0.0;
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (leading_create(&a, m))
        status = linsolver_open(&a.pattern.view, m->allocator, &solver, &factors);
    if (status != DAEDAL_ERR_MEMORY)
        growth = status == DAEDAL_OK ? growth_of(&a, solver, factors, most) : HUGE_VAL;
    if (factors)
        solver->destroy(factors);
    leading_free(&a, m);
    return growth;
}

double compiled_leading_growth(const compiled_model *m, int32_t *most)
{
    *most = -1;
    if (m->reduced->n == 0 || !m->jacobian->exists || !evaluate_here(m))
        return 0.0;
    return growth_here(m, most);
}
