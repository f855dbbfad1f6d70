/* newton/central_jacobian.c - see central_jacobian.h.
 *
 * A central difference with an increment of cbrt(u) times the variable has an error of about
 * u^(2/3), where the terms of F are not much larger than what changes.  Where they are, as with
 * variables that are nearly zero, the increment is what roundoff in these terms asks for.  If F
 * bends on that scale the two differences disagree, and the one-sided one stays.     */
#include "newton/central_jacobian.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/vector.h"
#include "newton/difference_jacobian.h"

static const double DIGITS = 1e6;     /* of m->least_move, by which three digits are seen   */
static const double FARTHEST = 1e-3;  /* of the largest variable                           */
static const double AGREEMENT = 1e-2; /* with the one-sided difference                     */

/* In the place of those of the one-sided differences, which are chosen anew each time. */
static void choose_increments(iteration_matrix *m, const matrix_point *at)
{
    const double share = cbrt(DBL_EPSILON), farthest = FARTHEST * m->largest;
    for (int32_t j = 0; j < m->ev->n; j++) {
        double size = larger_of(fabs(at->y[j]), fabs(at->h * at->yp[j]));
        double seen = DIGITS * m->least_move[j];
        double d = larger_of(share * size, seen < farthest ? seen : farthest);
        m->increment[j] = d > 0.0 ? d : share;
    }
}

static void move(iteration_matrix *m, const matrix_point *at, int32_t colour, double sign)
{
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        difference_column c = difference_column_of(m, m->colours.column[p]);
        double by = sign * m->increment[c.j];
        if (c.which == 0)
            m->y[c.j] = at->y[c.j] + by;
        else
            m->yp[c.j] = at->yp[c.j] + by / at->h;
    }
}

/* m->r and m->r0 are F on either side. */
static void collect(iteration_matrix *m, const matrix_point *at, difference_column c)
{
    const int32_t *row = m->part[c.which].view.row;
    double *values = c.which ? m->dyp : m->dy;
    double width = 2.0 * m->increment[c.j] / (c.which ? at->h : 1.0);
    for (int32_t q = c.first; q < c.end; q++) {
        double plus = m->r[row[q]], minus = m->r0[row[q]], slope = (plus - minus) / width;
        double *entry = &values[m->part_at[c.which][q]];
        if (fabs(slope - *entry) <= AGREEMENT * fabs(*entry))
            *entry = slope;
    }
}

static int refine_colour(iteration_matrix *m, const matrix_point *at, int32_t colour)
{
    move(m, at, colour, -1.0);
    int answer = evaluator_residual(m->ev, at->t, m->y, m->yp, m->r0);
    if (answer == DAEDAL_CALL_OK) {
        move(m, at, colour, 1.0);
        answer = evaluator_residual(m->ev, at->t, m->y, m->yp, m->r);
    }
    m->ev->stats->jacobian_residuals += 2;
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        difference_column c = difference_column_of(m, m->colours.column[p]);
        if (answer == DAEDAL_CALL_OK)
            collect(m, at, c);
    }
    move(m, at, colour, 0.0);
    return answer == DAEDAL_CALL_RETRY ? DAEDAL_CALL_OK : answer; /* one-sided ones stay */
}

int central_jacobian_refine(iteration_matrix *m, const matrix_point *at)
{
    int answer = DAEDAL_CALL_OK;
    if (m->ev->sys->rhs_jacobian) /* what is differenced then is not F */
        return DAEDAL_CALL_OK;
    choose_increments(m, at);
    memcpy(m->y, at->y, (size_t)m->ev->n * sizeof(double));
    memcpy(m->yp, at->yp, (size_t)m->ev->n * sizeof(double));
    for (int32_t k = 0; k < m->colours.n_colours && answer == DAEDAL_CALL_OK; k++)
        answer = refine_colour(m, at, k);
    return answer;
}
