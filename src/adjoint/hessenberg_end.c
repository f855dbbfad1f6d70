/* adjoint/hessenberg_end.c - see backward_run.h: end values of equations of index two.
 *
 * With unknowns X that have derivatives and Z that have none, equations D and C with and without
 * derivatives, the sensitivities satisfy
 *     A_DX s_X' + B_DX s_X + B_DZ s_Z + F_p = 0 in D,     B_CX s_X + F_p = 0 in C.
 * An end term with a gradient b_Z in Z needs s_Z, for which C is differentiated in time.  With l
 * and k such that A_DX' l + B_CX' k = 0 and B_DZ' l = b_Z
 *     b_Z' s_Z = -(B_DX' l + (d/dt B_CX)' k)' s_X - l' F_p - k' d/dt F_p,
 * which is a gradient in X and a part of dG/dp.  C contains X and t alone, so that derivatives in
 * time are those along X'. */
#include <math.h>
#include <string.h>

#include "adjoint/backward_run.h"
#include "base/status.h"

static const double TIME_STEP = 0.1; /* of the last step, for differences of order four */

/* to += share times the derivative of the functional by X and p that M' v and v' F_p make. */
static int add_share(backward_run *b, const double *v, double share, double *by_y)
{
    const iteration_matrix *m = &b->c.parts;
    const daedal_pattern *p = &m->pattern.view;
    int answer = coefficients_evaluate(&b->c);
    if (answer == DAEDAL_CALL_OK)
        answer = coefficients_by_parameters(&b->c, v, b->terms[0]);
    for (int32_t i = 0; i < b->sys->n_parameters && answer == DAEDAL_CALL_OK; i++)
        b->by_p[i] += share * b->terms[0][i];
    for (int32_t j = 0; j < p->n_cols && answer == DAEDAL_CALL_OK; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            by_y[j] += share * m->dy[q] * v[p->row[q]];
    return answer;
}

/* Go from the end by a step along y'. */
static void move_along(backward_run *b, double t, double step)
{
    int32_t n = b->sys->n;
    double *y = b->moved, *yp = b->moved + n;
    coefficients_forget(&b->c);
    coefficients_go_to(&b->c, t);
    memcpy(y, b->c.y, (size_t)n * sizeof *y);
    memcpy(yp, b->c.yp, (size_t)n * sizeof *yp);
    for (int32_t j = 0; j < n; j++)
        y[j] += b->end.is_algebraic[j] ? 0.0 : step * yp[j];
    coefficients_place(&b->c, t + step, y, yp);
}

static int add_slope_in_time(backward_run *b, double t, const double *k, double *by_y)
{
    static const double at[] = {1.0, -1.0, 2.0, -2.0};
    static const double share[] = {2.0 / 3.0, -2.0 / 3.0, -1.0 / 12.0, 1.0 / 12.0};
    double step = TIME_STEP * solution_step_size(&b->forward->record, t);
    int answer = DAEDAL_CALL_OK;
    for (int i = 0; i < 4 && answer == DAEDAL_CALL_OK; i++) {
        move_along(b, t, at[i] * step);
        answer = add_share(b, k, -share[i] / step, by_y);
    }
    coefficients_forget(&b->c);
    coefficients_go_to(&b->c, t);
    return answer == DAEDAL_CALL_OK ? coefficients_evaluate(&b->c) : answer;
}

/* The gradient of the end term in Z becomes one in X. */
static daedal_status take_to_states(backward_run *b, double t, double *by_y)
{
    size_t n = (size_t)b->sys->n;
    double *k = b->xp + n;
    memset(by_y, 0, n * sizeof *by_y);
    TRY(end_values_find_hessenberg(&b->end, by_y, b->end_by_y));
    memcpy(by_y, b->end_by_y, n * sizeof *by_y);
    memcpy(k, b->end.eta, n * sizeof *k);
    if (add_share(b, b->end.lambda, -1.0, by_y) != DAEDAL_CALL_OK ||
        add_slope_in_time(b, t, k, by_y) != DAEDAL_CALL_OK)
        return backward_complain(b, "the gradient of the equations", t);
    return DAEDAL_OK;
}

daedal_status backward_find_hessenberg(backward_run *b, double t)
{
    bool has_algebraic = false;
    double *by_y = b->xp;
    memcpy(by_y, b->end_by_y, (size_t)b->sys->n * sizeof *by_y);
    for (int32_t j = 0; j < b->sys->n; j++)
        has_algebraic = has_algebraic || (b->end.is_algebraic[j] && by_y[j] != 0.0);
    if (has_algebraic)
        TRY(take_to_states(b, t, by_y));
    if (functional_by_y(b->g, &b->g->integrand, t, b->c.y, b->equations.by_y) != DAEDAL_CALL_OK)
        return backward_complain(b, "the gradient of the integrand", t);
    return end_values_find_hessenberg(&b->end, by_y, b->equations.by_y);
}
