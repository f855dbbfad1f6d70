/* model/model_start.c - see model.h: unknowns and slopes that satisfy the equations, fixed
 * values and initial equations.
 *
 * Without initial equations the states keep their start values, and the solver's own start
 * finds the rest.                                                               */
#include <math.h>
#include <string.h>

#include "model/model.h"
#include "model/start_rows.h"

/* Is every condition the start value of a state? */
static bool is_plain(const model *m)
{
    if (m->n_initial_rows || m->n_free)
        return false;
    for (int32_t j = 0; j < m->n; j++)
        if (m->start_fixed[j] && !m->differential[j])
            return false;
    return true;
}

static daedal_status hand_over(model *m)
{
    daedal_status status =
        daedal_solver_start(m->solver, m->x[0], m->x + m->place.y, m->x + m->place.yp);
    if (status == DAEDAL_OK) {
        model_read_state(m);
        return status;
    }
    m->why = *daedal_solver_diagnosis(m->solver);
    model_explain(m, &m->why);
    return status;
}

daedal_status model_solve_start(model *m)
{
    for (int32_t j = 0; j < m->n; j++) /* what the last pass found is the best guess */
        if (m->differential[j])
            m->x[m->place.y + (uint32_t)j] = m->start[j];
    model_forward(m);
    if (!is_plain(m))
        TRY(start_rows_solve(m));
    return hand_over(m);
}
