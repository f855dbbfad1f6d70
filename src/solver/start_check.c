/* solver/start_check.c - see run.h: whether values that a start has found satisfy F.
 *
 * With hidden constraints the corrections of a start are least squares, and may come to rest where
 * the equations have no solution: F itself decides.  Its derivatives are evaluated in a matrix of
 * their own, because differences remember what they have met and the steps behind the start shall
 * not depend on this question.  */
#include <float.h>
#include <math.h>

#include "base/status.h"
#include "solver/run.h"

/* The row of F that is farthest from zero, in what y within its tolerances changes it by; roundoff
 * is excused.  -1: every row vanishes within `allowed` of these units.                  */
static int32_t find_unmet_row(run *r, const iteration_matrix *m, const double *f, double allowed)
{
    const double noises = 100.0;
    double *scale = r->work, *noise = r->start.work.dy, most = 1.0;
    int32_t worst = -1;
    matrix_scale_rows(m, r->inverse_weight, run_time_scale(r), scale);
    matrix_term_noise(m, r->y, r->yp, noise);
    for (int32_t i = 0; i < r->n; i++) {
        double excess = fabs(f[i]) / (allowed * scale[i] + noises * fabs(noise[i]) + DBL_MIN);
        worst = excess > most ? i : worst;
        most = fmax(most, excess);
    }
    return worst;
}

/* Has the start moved a variable of this equation by more than its tolerance? */
static bool has_moved(const run *r, int32_t row)
{
    bool moved = false;
    for (int32_t j = 0; j < r->n && !moved; j++)
        moved = pattern_find(&r->matrix.part[0].view, row, j) >= 0 &&
                fabs(r->y[j] - r->start.y_given[j]) * r->inverse_weight[j] > 1.0;
    return moved;
}

static daedal_status refuse(run *r, int32_t row, double residual)
{
    char name[96];
    bool searched = has_moved(r, row);
    fail(&r->why, DAEDAL_ERR_START,
         "no consistent start near the given one at t = %.10g: the residual of %s stays at %.3g",
         r->state.t, evaluator_equation_name(&r->system.sys, row, name, sizeof name), residual);
    blame(&r->why, r->state.t, row, -1);
    hint(&r->why,
         searched ? "give a better guess; if there is none, the equations have no solution there"
                  : "the derivatives of this equation vanish at the given values, which does "
                    "not say where a solution is: give another guess");
    set_cause(&r->why, searched ? DAEDAL_CAUSE_NO_SOLUTION : DAEDAL_CAUSE_INCONSISTENT_START);
    return DAEDAL_ERR_START;
}

static daedal_status look_at_rows(run *r, iteration_matrix *m)
{
    const double allowed = 1000.0; /* tolerances: less than that is left to the steps */
    double *f = r->start.work.r;
    matrix_point at = {.t = r->state.t,
                       .h = run_time_scale(r),
                       .y = r->y,
                       .yp = r->yp,
                       .residual = f,
                       .inverse_weight = r->inverse_weight};
    int answer = evaluator_residual(&r->ev, r->state.t, r->y, r->yp, f);
    if (answer == DAEDAL_CALL_OK)
        answer = matrix_evaluate(m, &at);
    if (answer != DAEDAL_CALL_OK)
        return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : evaluator_explain(&r->ev, &r->why);
    int32_t row = find_unmet_row(r, m, f, allowed);
    return row < 0 ? DAEDAL_OK : refuse(r, row, f[row]);
}

daedal_status run_check_equations(run *r)
{
    iteration_matrix parts;
    if (!r->matrix_ready || r->matrix.inexact)
        return DAEDAL_OK;
    matrix_setup setup = {.ev = &r->ev,
                          .dy = &r->matrix.part[0].view,
                          .dyp = &r->matrix.part[1].view,
                          .allocator = r->allocator,
                          .by_differences = r->matrix.by_differences};
    daedal_status status = matrix_create(&parts, &setup) == DAEDAL_OK
                               ? look_at_rows(r, &parts)
                               : fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory at the start");
    matrix_free(&parts);
    return status;
}
