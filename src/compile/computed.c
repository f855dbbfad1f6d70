/* compile/computed.c - see compiled.h: variables that are computed only for the output. */
#include <math.h>

#include "compile/compiled.h"
#include "expr/walk.h"

/* Whether one of the values contains a derivative. */
static bool note_slopes(compiled_model *m)
{
    int32_t first = (int32_t)m->values->place.yp, n = m->reduced->n_system;
    expr_walker w;
    expr_walker_create(&w, &m->flat->graph);
    bool fine = true;
    for (int32_t k = 0; k < m->reduced->n_computed && fine && !m->shows_slopes; k++) {
        fine = expr_depends(&w, m->reduced->computed[k].value, EXPR_ALL);
        for (size_t q = 0; q < w.n_found && fine; q++) {
            int32_t slot = compiled_slot(m, expr_index(&m->flat->graph, w.found[q]));
            m->shows_slopes = m->shows_slopes || (slot >= first && slot < first + n);
        }
    }
    expr_walker_free(&w);
    return fine;
}

bool compiled_add_computed(compiled_model *m)
{
    expr *roots = arena_take(m->mem, (size_t)m->reduced->n_computed + 1, sizeof *roots);
    if (!roots || !note_slopes(m))
        return false;
    for (int32_t k = 0; k < m->reduced->n_computed; k++)
        roots[k] = m->reduced->computed[k].value;
    return m->reduced->n_computed == 0 ||
           program_create(m, &m->computed_program, roots, (size_t)m->reduced->n_computed);
}

daedal_status compiled_compute(const compiled_model *m)
{
    int answer = program_run(m, m->computed_program, 0.0, NULL, NULL);
    if (answer != 0)
        return compiled_fail_call(m, answer);
    for (int32_t k = 0; k < m->reduced->n_computed; k++) {
        double value = m->computed_program->out[k];
        m->values->x[m->values->place.n + (uint32_t)k] = value;
        if (!isfinite(value)) {
            compiled_fail_not_finite(m, m->reduced->computed[k].value,
                                     equation_text(m->reduced, m->reduced->computed[k].equation));
            m->why->status = DAEDAL_ERR_NOT_FINITE;
            return DAEDAL_ERR_NOT_FINITE;
        }
    }
    return DAEDAL_OK;
}
