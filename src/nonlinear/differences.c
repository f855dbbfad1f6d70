/* nonlinear/differences.c - see differences.h.
 *
 * All columns of a colour are moved at once; since no two of them share a row,
 * every changed entry of F belongs to one column ([CPR74]).  The columns of dF/dy
 * and dF/dy' are coloured together: for an ordinary differential equation the whole
 * of dF/dy' costs one call.                                                     */
#include "nonlinear/differences.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* [BCP96] (5.2.17): sign(h y') max(|y|, |h y'|, w) sqrt(u). */
double differences_increment(double y, double hyp, double weight)
{
    double size = fmax(fmax(fabs(y), fabs(hyp)), weight) * sqrt(DBL_EPSILON);
    return hyp < 0.0 ? -size : size;
}

static double weight_of(const matrix_point *at, int32_t j)
{
    return at->inverse_weight && at->inverse_weight[j] > 0.0 ? 1.0 / at->inverse_weight[j] : 0.0;
}

/* Increments that stay inside the bounds and are exact in floating point. */
static void choose_increments(iteration_matrix *m, const matrix_point *at)
{
    const daedal_system *sys = m->ev->sys;
    for (int32_t j = 0; j < m->ev->n; j++) {
        double y = at->y[j];
        double d = differences_increment(y, at->h * at->yp[j], weight_of(at, j));
        if (d == 0.0)
            d = sqrt(DBL_EPSILON);
        bool outside = (sys->upper.at && y + d > sys->upper.at[j]) ||
                       (sys->lower.at && y + d < sys->lower.at[j]);
        m->increment[j] = outside ? -d : d;
    }
}

static int call(iteration_matrix *m, const matrix_point *at, enum difference_of what, double *out)
{
    if (what == DIFFERENCE_MASS_PRODUCT)
        return evaluator_mass_product(m->ev, at->t, m->y, m->yp, out);
    m->ev->stats->jacobian_residuals++;
    return evaluator_residual(m->ev, at->t, m->y, m->yp, out);
}

/* Move the columns of a colour by sign times their increments. */
static void move(iteration_matrix *m, const matrix_point *at, int32_t colour, double sign)
{
    int32_t n = m->ev->n;
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        int32_t j = m->colours.column[p];
        if (j < n)
            m->y[j] = at->y[j] + sign * m->increment[j];
        else
            m->yp[j - n] = at->yp[j - n] + sign * m->increment[j - n] / at->h;
    }
}

/* Divide the change of F by the move actually made, column by column. */
static void collect(iteration_matrix *m, const matrix_point *at, int32_t colour)
{
    int32_t n = m->ev->n;
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        int32_t which = m->colours.column[p] >= n, j = m->colours.column[p] - which * n;
        const daedal_pattern *part = &m->part[which].view;
        double *values = which ? m->dyp : m->dy;
        double *moved_entry = which ? &m->yp[j] : &m->y[j];
        double from = which ? at->yp[j] : at->y[j], moved = *moved_entry - from;
        for (int32_t q = part->start[j]; q < part->start[j + 1]; q++)
            values[m->part_at[which][q]] += (m->r[part->row[q]] - m->r0[part->row[q]]) / moved;
        *moved_entry = from;
    }
}

int differences_evaluate(iteration_matrix *m, const matrix_point *at, enum difference_of what)
{
    size_t bytes = (size_t)m->ev->n * sizeof(double);
    memcpy(m->y, at->y, bytes);
    memcpy(m->yp, at->yp, bytes);
    choose_increments(m, at);
    int answer = DAEDAL_CALL_OK;
    if (what == DIFFERENCE_RESIDUAL && at->residual)
        memcpy(m->r0, at->residual, bytes);
    else
        answer = call(m, at, what, m->r0);
    for (int32_t c = 0; c < m->colours.n_colours && answer == DAEDAL_CALL_OK; c++) {
        move(m, at, c, 1.0);
        answer = call(m, at, what, m->r);
        if (answer == DAEDAL_CALL_RETRY) { /* not defined there: look the other way */
            move(m, at, c, -1.0);
            answer = call(m, at, what, m->r);
        }
        collect(m, at, c);
    }
    return answer;
}
