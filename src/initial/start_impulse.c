/* initial/start_impulse.c - see start_impulse.h.
 *
 * The equations that are integrated contain d/dt g = 0 for a constraint g of the highest level.
 * With K their derivative by y' where it occurs, by y elsewhere (forces, pressures, currents),
 *
 *     K z = -g in the rows of those d/dt g, 0 in all others;      y += z where y' occurs
 *
 * is the jump of the states by an impulse of those forces: the limit of an implicit step of length
 * zero, and for M v' = f - G' lambda, G v = 0 the change of v of least kinetic energy.  The same
 * for functions, where it is explained at length: consistent/impulse.c.                   */
#include "initial/start_impulse.h"

#include <string.h>

#include "linalg/vector.h"

static void lay_out(void *object, layout *l)
{
    start_impulse *p = object;
    p->matrix = layout_take(l, (size_t)pattern_nnz(&p->m->compiled->jacobian->pattern.view) + 1,
                            sizeof(double));
    p->z = layout_take(l, (size_t)p->m->reduced->n_system, sizeof(double));
}

bool start_impulse_create(start_impulse *p, start_problem *m)
{
    *p = (start_impulse){.m = m};
    const daedal_pattern *at = &m->compiled->jacobian->pattern.view;
    return block_create(&p->mem, m->allocator, lay_out, p) &&
           linsolver_open(at, m->allocator, &p->solver, &p->factors) == DAEDAL_OK;
}

void start_impulse_free(start_impulse *p)
{
    if (p->factors)
        p->solver->destroy(p->factors);
    block_free(&p->mem);
}

static bool factor(start_impulse *p)
{
    start_problem *m = p->m;
    const daedal_pattern *at = &m->compiled->jacobian->pattern.view;
    const double *y = m->values->x + m->values->place.y, *yp = m->values->x + m->values->place.yp;
    if (!m->compiled->jacobian->exists ||
        compiled_evaluate_jacobian(m->compiled, m->values->x[0], y, yp) != DAEDAL_CALL_OK)
        return false;
    for (int32_t j = 0; j < m->reduced->n; j++)
        for (int32_t q = at->start[j]; q < at->start[j + 1]; q++)
            p->matrix[q] = m->reduced->differential[j] ? m->compiled->jacobian->dyp[q]
                                                       : m->compiled->jacobian->dy[q];
    return p->solver->factor(p->factors, p->matrix) == DAEDAL_OK;
}

bool start_impulse_find(start_impulse *p, const int32_t *which, const double *r, int32_t n)
{
    start_problem *m = p->m;
    memset(p->z, 0, (size_t)m->reduced->n * sizeof(double));
    for (int32_t i = 0; i < n; i++) {
        int32_t row = m->reduced->constraint[which[i]].row;
        if (row < 0)
            return false;
        p->z[row] = -r[i];
    }
    if (!factor(p))
        return false;
    p->solver->solve(p->factors, p->z);
    return vector_all_finite(p->z, m->reduced->n);
}
