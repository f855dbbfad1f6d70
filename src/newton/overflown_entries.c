/* newton/overflown_entries.c - see overflown_entries.h.
 *
 * Only where F does not change at all, neither forward nor backward, is the entry zero.  Where F
 * has a kink or a vertical tangent, as the root of zero, or where a callback is wrong, it stays
 * NaN. */
#include "newton/overflown_entries.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"

static const double MOVE = 1e-6;      /* of the variable                                 */
static const double TOLERANCES = 1e3; /* or so many of them, for F to see it near zero   */

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
static void mend_column(const iteration_matrix *m, int32_t j, const double *middle, double *values)
{
    const daedal_pattern *p = &m->pattern.view;
    for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
        int32_t i = p->row[q];
        if (isnan(values[q]) && m->r0[i] == middle[i] && m->r[i] == middle[i])
            values[q] = 0.0;
    }
}

int overflown_entries_mend(iteration_matrix *m, const matrix_point *at, double c, double *values)
{
    size_t bytes = (size_t)m->ev->n * sizeof(double);
    double *middle = m->increment; /* free while a Jacobian is given */
    int answer = DAEDAL_CALL_OK;
    bool is_known = false;
    if (!at->inverse_weight)
        return DAEDAL_CALL_OK;
    memcpy(m->y, at->y, bytes);
    memcpy(m->yp, at->yp, bytes);
    for (int32_t j = 0; j < m->ev->n && answer == DAEDAL_CALL_OK; j++) {
        double d = larger_of(MOVE * fabs(at->y[j]), TOLERANCES / at->inverse_weight[j]);
        if (!has_nan(m, j, values))
            continue;
        if (!is_known)
            answer = evaluator_residual(m->ev, at->t, m->y, m->yp, middle);
        is_known = true;
        if (answer == DAEDAL_CALL_OK)
            answer = moved(m, at, c, j, -d, m->r0);
        if (answer == DAEDAL_CALL_OK)
            answer = moved(m, at, c, j, d, m->r);
        if (answer == DAEDAL_CALL_OK)
            mend_column(m, j, middle, values);
    }
    return answer == DAEDAL_CALL_RETRY ? DAEDAL_CALL_OK : answer;
}
