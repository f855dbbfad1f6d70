/* newton/overflown_entries.c - see overflown_entries.h.
 *
 * Two differences, forward and backward, must agree: where F has a kink or a vertical tangent, as
 * the root of zero, no slope is right and the entry stays what it is.                */
#include "newton/overflown_entries.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"

static const double MOVE = 1e-6;      /* of the variable, or of its change in a step      */
static const double AGREEMENT = 1e-3; /* of the slopes on both sides                      */

static bool has_nan(const iteration_matrix *m, int32_t j, const double *values)
{
    const daedal_pattern *p = &m->pattern.view;
    for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
        if (isnan(values[q]))
            return true;
    return false;
}

/* F where y_j has moved by d and y'_j by c d. */
static int moved(iteration_matrix *m, const matrix_point *at, double c, int32_t j, double d,
                 double *out)
{
    m->y[j] = at->y[j] + d;
    m->yp[j] = at->yp[j] + c * d;
    int answer = evaluator_residual(m->ev, at->t, m->y, m->yp, out);
    m->ev->stats->jacobian_residuals++;
    m->y[j] = at->y[j];
    m->yp[j] = at->yp[j];
    return answer;
}

/* m->r0 and m->r are F before and behind the point, where it is `middle`. */
static void mend_column(const iteration_matrix *m, int32_t j, double d, const double *middle,
                        double *values)
{
    const daedal_pattern *p = &m->pattern.view;
    for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
        int32_t i = p->row[q];
        double left = (middle[i] - m->r0[i]) / d, right = (m->r[i] - middle[i]) / d;
        if (isnan(values[q]) && fabs(left - right) <= AGREEMENT * fmax(fabs(left), fabs(right)))
            values[q] = 0.5 * (left + right);
    }
}

int overflown_entries_mend(iteration_matrix *m, const matrix_point *at, double c, double *values)
{
    size_t bytes = (size_t)m->ev->n * sizeof(double);
    double *middle = m->increment; /* free while a Jacobian is given */
    int answer = DAEDAL_CALL_OK;
    bool is_known = false;
    memcpy(m->y, at->y, bytes);
    memcpy(m->yp, at->yp, bytes);
    for (int32_t j = 0; j < m->ev->n && answer == DAEDAL_CALL_OK; j++) {
        double d = MOVE * larger_of(fabs(at->y[j]), fabs(at->h * at->yp[j]));
        if (d == 0.0 || !has_nan(m, j, values))
            continue;
        if (!is_known)
            answer = evaluator_residual(m->ev, at->t, m->y, m->yp, middle);
        is_known = true;
        if (answer == DAEDAL_CALL_OK)
            answer = moved(m, at, c, j, -d, m->r0);
        if (answer == DAEDAL_CALL_OK)
            answer = moved(m, at, c, j, d, m->r);
        if (answer == DAEDAL_CALL_OK)
            mend_column(m, j, d, middle, values);
    }
    return answer == DAEDAL_CALL_RETRY ? DAEDAL_CALL_OK : answer;
}
