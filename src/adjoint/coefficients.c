/* adjoint/coefficients.c - see coefficients.h. */
#include "adjoint/coefficients.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/vector.h"
#include "newton/central_jacobian.h"

static void lay_out(void *object, layout *l)
{
    coefficients *c = object;
    size_t n = (size_t)c->sys->n, m = (size_t)c->sys->n_parameters;
    c->y = layout_take(l, n, sizeof(double));
    c->yp = layout_take(l, n, sizeof(double));
    c->inverse_weight = layout_take(l, n, sizeof(double));
    c->dp = layout_take(l, n * (c->sys->parameter_derivative && m > 2 ? m : 2), sizeof(double));
    c->scale = layout_take(l, m, sizeof(double));
}

static void set_scale(coefficients *c)
{
    const daedal_system *sys = c->sys;
    for (int32_t i = 0; i < sys->n_parameters; i++) {
        const double *p = sys->parameters ? sys->parameters[i] : NULL;
        double size =
            sys->parameter_scale.n ? fabs(sys->parameter_scale.at[i]) : (p ? fabs(*p) : 1.0);
        c->scale[i] = size > 0.0 ? size : 1.0;
    }
}

daedal_status coefficients_create(coefficients *c, const daedal_system *sys, const run *of,
                                  solution_record *along)
{
    *c = (coefficients){.sys = sys, .along = along, .t = NAN};
    if (!block_create(&c->mem, of->allocator, lay_out, c) ||
        !evaluator_create(&c->ev, sys, &c->stats, of->allocator))
        return DAEDAL_ERR_MEMORY;
    set_scale(c);
    for (int32_t j = 0; j < sys->n; j++)
        c->inverse_weight[j] = of->now.atol[j] > 0.0 ? 1.0 / of->now.atol[j] : 0.0;
    matrix_setup parts = {.ev = &c->ev,
                          .dy = &of->matrix.part[0].view,
                          .dyp = &of->matrix.part[1].view,
                          .allocator = of->allocator};
    return matrix_create(&c->parts, &parts);
}

void coefficients_free(coefficients *c)
{
    matrix_free(&c->parts);
    evaluator_free(&c->ev);
    block_free(&c->mem);
}

void coefficients_place(coefficients *c, double t, const double *y, const double *yp)
{
    memcpy(c->y, y, (size_t)c->sys->n * sizeof *y);
    memcpy(c->yp, yp, (size_t)c->sys->n * sizeof *yp);
    c->t = t;
    c->has_slopes = true;
    c->has_parts = false;
}

void coefficients_place_values(coefficients *c, double t, const double *y)
{
    memcpy(c->y, y, (size_t)c->sys->n * sizeof *y);
    c->t = t;
    c->has_slopes = c->has_parts = false;
}

void coefficients_forget(coefficients *c)
{
    c->t = NAN;
}

static void go_to(coefficients *c, double t, bool with_slopes)
{
    if (c->t == t && (c->has_slopes || !with_slopes))
        return;
    solution_at(c->along, t, c->y, with_slopes ? c->yp : NULL);
    c->t = t;
    c->has_slopes = with_slopes;
    c->has_parts = false;
}

void coefficients_go_to(coefficients *c, double t)
{
    go_to(c, t, true);
}

void coefficients_go_to_parts(coefficients *c, double t)
{
    go_to(c, t, !c->parts_lack_slopes);
}

void coefficients_go_to_product(coefficients *c, double t)
{
    go_to(c, t, !c->product_lacks_slopes);
}

int coefficients_evaluate(coefficients *c)
{
    if (c->has_parts)
        return DAEDAL_CALL_OK;
    if (c->both) {
        double *dyp = c->has_leading && c->leading_is_fixed ? NULL : c->parts.dyp;
        int given = c->both(c->t, c->y, c->yp, c->parts.dy, dyp, c->both_user);
        if (given != DAEDAL_CALL_OK)
            given = evaluator_judge(&c->ev, given, "Jacobian", c->t, NULL, 0);
        c->has_leading = c->has_leading || given == DAEDAL_CALL_OK;
        c->stats.jacobians++;
        c->has_parts = given == DAEDAL_CALL_OK;
        return given;
    }
    double h = c->along->n_steps > 0 ? solution_step_size(c->along, c->t) : 1.0;
    matrix_point at = {c->t, h, c->y, c->yp, NULL, c->inverse_weight};
    int answer = matrix_evaluate(&c->parts, &at);
    if (answer == DAEDAL_CALL_OK)
        answer = central_jacobian_refine(&c->parts, &at);
    c->has_parts = answer == DAEDAL_CALL_OK;
    return answer;
}

bool coefficients_are_exact(const coefficients *c)
{
    return !matrix_slopes_are_differenced(&c->parts);
}

/* ---- parameters ---- */

static int moved_residual(coefficients *c, double *p, double value, double *r)
{
    double kept = *p;
    *p = value;
    evaluator_forget(&c->ev);
    int answer = evaluator_residual(&c->ev, c->t, c->y, c->yp, r);
    *p = kept;
    evaluator_forget(&c->ev);
    return answer;
}

static int difference(coefficients *c, int32_t i, const double *v, double *out)
{
    int32_t n = c->sys->n;
    double *p = c->sys->parameters ? c->sys->parameters[i] : NULL;
    double step = cbrt(DBL_EPSILON) * c->scale[i], *plus = c->dp, *minus = c->dp + n;
    *out = 0.0;
    if (!p)
        return DAEDAL_CALL_OK;
    int answer = moved_residual(c, p, *p + step, plus);
    if (answer == DAEDAL_CALL_OK)
        answer = moved_residual(c, p, *p - step, minus);
    for (int32_t j = 0; j < n; j++)
        plus[j] = (plus[j] - minus[j]) / (2.0 * step);
    *out = vector_dot(v, plus, n);
    return answer;
}

int coefficients_by_parameters(coefficients *c, const double *v, double *out)
{
    const daedal_system *sys = c->sys;
    int32_t n = sys->n, m = sys->n_parameters;
    int answer = DAEDAL_CALL_OK;
    if (m == 0)
        return answer;
    if (c->product) {
        answer = c->product(c->t, c->y, c->yp, v, out, c->product_user);
        return evaluator_judge(&c->ev, answer, "derivative by parameters", c->t, out, m);
    }
    if (!sys->parameter_derivative) {
        for (int32_t i = 0; i < m && answer == DAEDAL_CALL_OK; i++)
            answer = difference(c, i, v, &out[i]);
        return answer;
    }
    memset(c->dp, 0, (size_t)n * (size_t)m * sizeof *c->dp);
    answer = sys->parameter_derivative(c->t, c->y, c->yp, c->dp, sys->user);
    answer = evaluator_judge(&c->ev, answer, "derivative by parameters", c->t, c->dp, n * m);
    for (int32_t i = 0; i < m; i++)
        out[i] = vector_dot(v, c->dp + (size_t)i * (size_t)n, n);
    return answer;
}
