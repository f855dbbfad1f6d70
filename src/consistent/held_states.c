/* consistent/held_states.c - see held_states.h.
 *
 * With c = 1/h the unknowns are e: y' + c e where y is held, y + e elsewhere.  The matrix of a
 * step, c dF/dy' + dF/dy, has the same columns up to terms that c makes small, so that its
 * preconditioner serves; products are differences of F in the right directions, hence exact.
 *
 * [BHP98] Brown, Hindmarsh, Petzold: Consistent initial condition calculation for
 *         differential-algebraic systems, SIAM J. Sci. Comput. 19 (1998) 1495-1512.        */
#include "consistent/held_states.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/vector.h"

/* Of the time scale: h.  So short a step that dF/dy' rules the preconditioner, as it does the
 * matrix; with 1e-4 a stiff heat equation took 42 products here, a third of those of the whole run.
 */
static const double FIRST_SHARE = 1e-8;
static const double SHORTER = 1e-2;     /* where GMRES did not converge                      */
static const double SLOPE_SHARE = 1e-3; /* an error of y' counts as what it does in that time */
static const double ACCURACY = 0.01;    /* of the last correction, in weights                */
enum { SHARES = 3, ITERATIONS = 20, HALVINGS = 8 };

static daedal_status end_by(const held_states *s, int answer)
{
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : evaluator_explain(s->matrix->ev, s->why);
}

/* The trial point lies `share` of the correction away. */
static int try_point(const held_states *s, double c, double share, const double *e)
{
    for (int32_t i = 0; i < s->matrix->ev->n; i++) {
        double move = share * e[i];
        s->trial_y[i] = s->y[i] - (s->is_held[i] ? 0.0 : move);
        s->trial_yp[i] = s->yp[i] - (s->is_held[i] ? c * move : 0.0);
    }
    return evaluator_residual(s->matrix->ev, s->t, s->trial_y, s->trial_yp, s->matrix->r0);
}

/* Take as much of the correction as F is defined for.  A daedal_answer. */
static int move(const held_states *s, double c, const double *e)
{
    size_t bytes = (size_t)s->matrix->ev->n * sizeof(double);
    int answer = DAEDAL_CALL_RETRY;
    double share = 1.0;
    for (int k = 0; k < HALVINGS && answer == DAEDAL_CALL_RETRY; k++, share *= 0.5)
        answer = try_point(s, c, share, e);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    memcpy(s->y, s->trial_y, bytes);
    memcpy(s->yp, s->trial_yp, bytes);
    return answer;
}

/* Newton's iteration with the preconditioner of a step of size h.  *slow: GMRES needs a shorter
 * one, or the corrections do not shrink.                                            */
static daedal_status iterate(const held_states *s, double h, bool *slow)
{
    iteration_matrix *m = s->matrix;
    double c = 1.0 / h, before = HUGE_VAL;
    *slow = false;
    for (int32_t i = 0; i < m->ev->n; i++)
        s->weight[i] = s->inverse_weight[i] * (s->is_held[i] ? c * SLOPE_SHARE * s->scale : 1.0);
    for (int k = 0; k < ITERATIONS; k++) {
        int answer = evaluator_residual(m->ev, s->t, s->y, s->yp, s->residual);
        if (answer != DAEDAL_CALL_OK)
            return end_by(s, answer);
        if (k == 0) {
            matrix_point at = {s->t, h, s->y, s->yp, s->residual, s->inverse_weight};
            matrix_evaluate(m, &at);
            daedal_status status = matrix_factor(m, c);
            if (status == DAEDAL_ERR_RETRY || status == DAEDAL_ERR_CALLBACK)
                return evaluator_explain(m->ev, s->why);
            if (status != DAEDAL_OK)
                return status < 0 ? fail(s->why, status,
                                         "the preconditioner could not be set up at the start")
                                  : status;
        }
        matrix_linear at = {s->t, c, s->y, s->yp, s->weight, ACCURACY, s->is_held};
        matrix_outcome outcome = matrix_solve_at(m, &at, s->residual);
        if (outcome == MATRIX_STOP || outcome == MATRIX_FAIL)
            return end_by(s, outcome == MATRIX_STOP ? DAEDAL_CALL_STOP : DAEDAL_CALL_FAIL);
        double size = space_wrms(&m->ev->space, s->residual, s->weight);
        *slow = outcome != MATRIX_SOLVED || !(size < 0.9 * before || size <= ACCURACY);
        if (*slow)
            return DAEDAL_OK;
        answer = move(s, c, s->residual);
        if (answer != DAEDAL_CALL_OK)
            return end_by(s, answer);
        if (size <= ACCURACY || (k > 0 && size * size <= ACCURACY * before))
            return DAEDAL_OK;
        before = size;
    }
    *slow = true;
    return DAEDAL_OK;
}

daedal_status start_with_states_held(const held_states *s)
{
    double h = FIRST_SHARE * s->scale;
    bool slow = true;
    for (int k = 0; k < SHARES && slow; k++, h *= SHORTER)
        RETURN_UNLESS_OK(iterate(s, h, &slow));
    s->matrix->c = NAN; /* not one that a step could use */
    if (!slow)
        return DAEDAL_OK;
    fail(s->why, DAEDAL_ERR_START,
         "no algebraic variables and derivatives were found for which F = 0 at the start, t = "
         "%.10g, with the other variables as given",
         s->t);
    blame(s->why, s->t, -1, -1);
    hint(s->why, "give values nearer to a solution, a better preconditioner for large c, or "
                 "consistent values with start = given; the index must be one at most");
    return DAEDAL_ERR_START;
}
