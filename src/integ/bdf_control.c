/* integ/bdf_control.c - the norms and rules by which both strategies test a step and change its
 * size.
 */
#include <math.h>

#include "integ/bdf.h"
#include "integ/step_size.h"
#include "linalg/vector.h"

double bdf_plain_norm(const bdf *b, const double *v)
{
    bool all = b->error_norm != ERROR_DIFFERENTIAL;
    return space_wrms(&b->in.ev->space, v, all ? b->inverse_weight : b->test_weight);
}

/* Petzold's filter [Pet82] (4.5), [BCP96] (5.4.9): ||(c E + J)^{-1} c E v||, E = dF/dy', J = dF/dy,
 * with the factors at hand.  For an algebraic variable it replaces the variable's own noise by the
 * error that the differential ones induce in it.                   */
static double filtered_norm(bdf *b, const double *v)
{
    iteration_matrix *m = b->in.matrix;
    matrix_times_dyp(m, v, b->work2);
    matrix_solve_roughly(m, b->work2);
    return fabs(m->c) * space_wrms(&b->in.ev->space, b->work2, b->inverse_weight);
}

double bdf_error_norm(bdf *b, const double *v, double plain)
{
    if (b->error_norm == ERROR_PLAIN || b->error_norm == ERROR_DIFFERENTIAL)
        return plain;
    double filtered = filtered_norm(b, v);
    return b->error_norm == ERROR_FILTERED ? filtered : fmax(filtered, b->seen.gate * plain);
}

int32_t bdf_largest_error(const bdf *b, double plain, double norm)
{
    bool filtered = b->error_norm == ERROR_FILTERED ||
                    (b->error_norm == ERROR_GATED && norm != plain && norm > b->seen.gate * plain);
    const double *weight = b->error_norm == ERROR_DIFFERENTIAL ? b->test_weight : b->inverse_weight;
    return space_largest_weighted(&b->in.ev->space, filtered ? b->work2 : b->e, weight);
}

const double *bdf_sum(bdf *b, const double *u, const double *v)
{
    for (int32_t j = 0; j < b->n; j++)
        b->work[j] = u[j] + v[j];
    return b->work;
}

double bdf_step_factor(double est, int32_t k)
{
    return pow(2.0 * est + BDF_ESTIMATE_FLOOR, -1.0 / (k + 1));
}

void bdf_change_order(bdf *b, int32_t k, double est)
{
    b->k = k;
    b->seen.est = est;
}

/* [BCP96] section 5.2.3, after (5.2.23): first by what the estimate asks for, then to a quarter,
 * and from the third failure on at order 1, since the differences seem to tell nothing.  */
double bdf_retreat(bdf *b, int32_t failures)
{
    const bdf_assessment *s = &b->seen;
    double est = s->suggested < b->k ? s->est_lower : s->est;
    b->k = failures > 2 ? 1 : s->suggested;
    if (failures > 1)
        return 0.25;
    return step_clamp(b->strategy->retreat_safety * bdf_step_factor(est, b->k), 0.25, 0.9);
}
