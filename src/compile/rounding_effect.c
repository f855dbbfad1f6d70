/* compile/rounding_effect.c - see compiled.h: what rounding in the equations does to the unknowns.
 *
 * An error d of the residual moves the solution, over a time H, by about (dF/dy'/H + dF/dy)^-1 d:
 * what decays fast forgets it.  The errors of the residual are bounds of the rounding in its
 * terms, with signs that follow no rule.                                                 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "compile/compiled.h"
#include "expr/rounding.h"
#include "linalg/linsolver.h"

/* The rounding of the unknowns themselves, as the terms of the equations see it. */
static void add_rounding_of_unknowns(const compiled_model *m, double *error)
{
    const daedal_pattern *p = &m->jacobian->pattern.view;
    const double *y = m->values->x + m->values->place.y;
    for (int32_t j = 0; j < m->reduced->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            error[p->row[q]] += 0.5 * DBL_EPSILON * fabs(m->jacobian->dy[q] * y[j]);
}

static bool solve(const compiled_model *m, double span, double *values, double *effect)
{
    const daedal_pattern *p = &m->jacobian->pattern.view;
    const daedal_linsolver *solver;
    void *factors = NULL;
    double state = 0.0;
    for (int32_t q = 0; q < pattern_nnz(p); q++)
        values[q] = m->jacobian->dyp[q] / span + m->jacobian->dy[q];
    for (int32_t i = 0; i < m->reduced->n; i++)
        effect[i] *= spread_share(&state);
    bool fine = linsolver_open(p, m->allocator, &solver, &factors) == DAEDAL_OK &&
                solver->factor(factors, values) == DAEDAL_OK;
    if (fine)
        solver->solve(factors, effect);
    if (factors)
        solver->destroy(factors);
    return fine;
}

bool compiled_rounding_effect(const compiled_model *m, double span, double *effect)
{
    const double *x = m->values->x;
    const value_places *at = &m->values->place;
    expr_source from = compiled_source(m);
    size_t n = (size_t)m->reduced->n, nnz;
    if (n == 0 || !m->jacobian->exists ||
        compiled_evaluate_jacobian(m, x[0], x + at->y, x + at->yp) != DAEDAL_CALL_OK)
        return false;
    nnz = (size_t)pattern_nnz(&m->jacobian->pattern.view);
    double *values = memory_take_array(m->allocator, nnz, sizeof *values);
    bool fine =
        values && expr_rounding_errors(&m->flat->graph, m->reduced->residual, n, &from, effect);
    if (fine) {
        add_rounding_of_unknowns(m, effect);
        fine = solve(m, span, values, effect);
    }
    memory_give(m->allocator, values, nnz * sizeof *values);
    return fine;
}
