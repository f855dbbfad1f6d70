/* compile/leading_growth.c - see compiled.h: how well the equations determine the leading unknowns,
 * y' of states and y of the others, at the values as they stand.  The matrix of their derivatives
 * is scaled, factored, and solved for a fixed right-hand side: a large solution shows that it is
 * nearly singular.                                                                      */
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

/* The factor by which a solution exceeds its right-hand side; HUGE_VAL: the matrix is singular.
 * *most: the unknown in which it does. */
static double growth_of(const compiled_model *m, const daedal_linsolver *solver, void *factors,
                        double *values, double *b, int32_t *most)
{
    enum { SWEEPS = 8 };
    const daedal_pattern *p = &m->jacobian->pattern.view;
    double state = 0.0, growth = 0.0;
    scaling_by_roots_sparse(p, values, SWEEPS, NULL, NULL, b); /* so that units do not matter */
    if (solver->factor(factors, values) != DAEDAL_OK) {
        *most = solver->singular_column ? solver->singular_column(factors) : -1;
        return HUGE_VAL;
    }
    for (int32_t i = 0; i < m->reduced->n; i++)
        b[i] = spread_small(&state);
    solver->solve(factors, b);
    for (int32_t j = 0; j < m->reduced->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (fabs(b[j] * values[q]) > growth) {
                growth = fabs(b[j] * values[q]);
                *most = j;
            }
    return growth;
}

/* The growth for the leading matrix at the point of dy and dyp; 0: it cannot be determined. */
static double growth_here(const compiled_model *m, double *values, double *b, int32_t *most)
{
    const daedal_pattern *p = &m->jacobian->pattern.view;
    const daedal_linsolver *solver;
    void *factors = NULL;
    for (int32_t j = 0; j < m->reduced->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            values[q] = m->reduced->differential[j] ? m->jacobian->dyp[q] : m->jacobian->dy[q];
    daedal_status status = linsolver_open(p, m->allocator, &solver, &factors);
    if (status == DAEDAL_ERR_MEMORY)
        return 0.0;
    double growth = status == DAEDAL_OK ? growth_of(m, solver, factors, values, b, most) : HUGE_VAL;
    if (factors)
        solver->destroy(factors);
    return growth;
}

double compiled_leading_growth(const compiled_model *m, int32_t *most)
{
    *most = -1;
    if (m->reduced->n == 0 || !m->jacobian->exists)
        return 0.0;
    size_t nnz = (size_t)pattern_nnz(&m->jacobian->pattern.view), n = nnz + (size_t)m->reduced->n;
    double *room = memory_take_array(m->allocator, n, sizeof(double)), growth = 0.0;
    if (room && evaluate_here(m))
        growth = growth_here(m, room, room + nnz, most);
    memory_give(m->allocator, room, n * sizeof(double));
    return growth;
}
