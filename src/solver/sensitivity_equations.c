/* solver/sensitivity_equations.c - see sensitivity.h: the linear equations.
 *
 * With sigma_i = |p_i| dy/dp_i, for each parameter
 *     dF/dy sigma_i + dF/dy' sigma_i' + |p_i| dF/dp_i = 0                    [BCP96] (7.5.17)
 * along the solution, which the run that is followed gives by its dense output.  The products are
 * formed with the Jacobian at that time, given or by central differences.  One difference of F in
 * the direction (sigma_i, sigma_i', |p_i|), (7.5.20), would take fewer calls, but its roundoff is
 * that of all terms of F, and stands in the way of tolerances below 1e-10.
 * Differences by a parameter have an increment that does not depend on its units (C159).   */
#include <float.h>
#include <math.h>
#include <string.h>

#include "newton/central_jacobian.h"
#include "solver/sensitivity.h"

/* ---- the solution at a time ---- */

void sensitivity_forget_point(sensitivities *s)
{
    s->at.t = NAN;
}

/* Before the first step of the run there is no dense output: starts look a little ahead. */
static void extrapolate(const run *r, double t, double *y, double *yp)
{
    memcpy(yp, r->yp, (size_t)r->n * sizeof *yp);
    for (int32_t j = 0; j < r->n; j++)
        y[j] = r->y[j] + (t - r->state.t) * r->yp[j];
}

/* What atol says of the size of a variable: it is a thousandth of rtol times that by default. */
static const double USUAL = 1e3;

static void measure(sensitivities *s)
{
    const weights *w = &s->states->tolerances;
    sensitivity_point *at = &s->at;
    if (at->has_sizes)
        return;
    at->has_sizes = true;
    for (int32_t j = 0; j < s->n; j++) {
        double floor = w->rtol[j] > 0.0 ? fmin(USUAL * w->atol[j] / w->rtol[j], 1.0) : 1.0;
        at->inverse_weight[j] = w->atol[j] > 0.0 ? 1.0 / w->atol[j] : 0.0;
        at->size[j] = fabs(at->y[j]) + (floor > 0.0 ? floor : DBL_MIN);
    }
}

static void go_to(sensitivities *s, double t)
{
    run *r = s->states;
    sensitivity_point *at = &s->at;
    if (at->t == t)
        return;
    at->t = t;
    at->has_sizes = at->has_parts = at->has_slopes = at->has_constraints = false;
    if (sensitivity_steps_know_states(s, t, at->y, at->yp))
        return;
    if (r->fresh) {
        extrapolate(r, t, at->y, at->yp);
    } else {
        r->method->interpolate(r->integrator, t, at->y, at->yp);
        if (r->method->algebraic_is_rough)
            run_correct_algebraic(r, t, at->y, at->yp);
    }
}

void sensitivity_go_to_state(sensitivities *s)
{
    const run *r = s->states;
    sensitivity_forget_point(s);
    memcpy(s->at.y, r->y, (size_t)s->n * sizeof(double));
    memcpy(s->at.yp, r->yp, (size_t)s->n * sizeof(double));
    s->at.has_sizes = false;
}

static int know_parts(sensitivities *s)
{
    sensitivity_point *at = &s->at;
    double h = s->states->stats.h_last;
    if (at->has_parts)
        return DAEDAL_CALL_OK;
    if (s->has_both && s->both.call(at->t, at->y, at->yp, s->parts.dy, s->parts.dyp,
                                    s->both.user) == DAEDAL_CALL_OK) {
        matrix_take_parts(&s->parts);
        at->has_parts = true;
        return DAEDAL_CALL_OK;
    }
    if (s->parts.colours.n_colours > 0)
        measure(s); /* for differences */
    matrix_point point = {at->t, h != 0.0 ? h : 1.0, at->y, at->yp, NULL, at->inverse_weight};
    int answer = matrix_evaluate(&s->parts, &point);
    if (answer == DAEDAL_CALL_OK)
        answer = central_jacobian_refine(&s->parts, &point);
    at->has_parts = answer == DAEDAL_CALL_OK;
    return answer;
}

/* ---- differences ---- */

double sensitivity_increment(sensitivities *s, const double *value)
{
    double most = 1.0;
    measure(s);
    for (int32_t j = 0; j < s->n; j++)
        most = fmax(most, fabs(value[j]) / s->at.size[j]);
    return cbrt(DBL_EPSILON) / most;
}

void sensitivity_move(sensitivities *s, const double *value, const double *slope, double step,
                      int k)
{
    for (int32_t j = 0; j < s->n; j++) {
        s->y_moved[k][j] = s->at.y[j] + step * value[j];
        s->yp_moved[k][j] = s->at.yp[j] + step * slope[j];
    }
}

static double *place_of(const sensitivities *s, int32_t i)
{
    double *const *places = s->ev.sys->parameters;
    return places ? places[i] : NULL;
}

void sensitivity_move_parameter(const sensitivities *s, int32_t i, double step, double *kept)
{
    double *p = place_of(s, i);
    if (!p)
        return;
    *kept = *p;
    *p += step * s->scale[i];
}

void sensitivity_put_back(const sensitivities *s, int32_t i, double kept)
{
    double *p = place_of(s, i);
    if (p)
        *p = kept;
}

/* F at the moved values and with the moved parameter. */
static int moved_residual(sensitivities *s, int32_t i, double step, const double *y,
                          const double *yp, double *r)
{
    double kept = 0.0;
    sensitivity_move_parameter(s, i, step, &kept);
    evaluator_forget(&s->ev);
    int answer = evaluator_residual(&s->ev, s->at.t, y, yp, r);
    sensitivity_put_back(s, i, kept);
    evaluator_forget(&s->ev);
    return answer;
}

static void divide(const double *plus, const double *minus, double width, double *out, int32_t n)
{
    for (int32_t j = 0; j < n; j++)
        out[j] = (plus[j] - minus[j]) / width;
}

/* dF/dp_i times the scale. */
static int difference_by_parameter(sensitivities *s, int32_t i, double *out)
{
    double step = cbrt(DBL_EPSILON);
    if (!place_of(s, i)) {
        memset(out, 0, (size_t)s->n * sizeof *out);
        return DAEDAL_CALL_OK;
    }
    int answer = moved_residual(s, i, step, s->at.y, s->at.yp, s->r_moved[0]);
    if (answer == DAEDAL_CALL_OK)
        answer = moved_residual(s, i, -step, s->at.y, s->at.yp, s->r_moved[1]);
    divide(s->r_moved[0], s->r_moved[1], 2.0 * step, out, s->n);
    return answer;
}

/* v_i times the scale of p_i, for vectors of n entries, one behind the other. */
static void scale_blocks(const sensitivities *s, double *v, size_t n)
{
    for (int32_t i = 0; i < s->n_parameters; i++, v += n)
        for (size_t j = 0; j < n; j++)
            v[j] *= s->scale[i];
}

static int know_slopes(sensitivities *s)
{
    sensitivity_point *at = &s->at;
    const daedal_system *sys = s->ev.sys;
    size_t all = (size_t)s->n * (size_t)s->n_parameters;
    int answer = DAEDAL_CALL_OK;
    if (at->has_slopes)
        return DAEDAL_CALL_OK;
    if (sys->parameter_derivative) {
        memset(at->dp, 0, all * sizeof *at->dp);
        answer = sys->parameter_derivative(at->t, at->y, at->yp, at->dp, sys->user);
        answer = evaluator_judge(&s->ev, answer, "derivative by parameters", at->t, at->dp,
                                 s->n * s->n_parameters);
        scale_blocks(s, at->dp, (size_t)s->n);
    } else {
        for (int32_t i = 0; i < s->n_parameters && answer == DAEDAL_CALL_OK; i++)
            answer = difference_by_parameter(s, i, at->dp + (size_t)i * (size_t)s->n);
    }
    at->has_slopes = answer == DAEDAL_CALL_OK;
    return answer;
}

/* ---- the callbacks of the linear equations ---- */

static const double WIDE = 1e3; /* of an increment, for differences of order six */

enum { TOGETHER = 4 }; /* parameters whose products are formed in one pass */

/* out = dF/dy v, added, for `count` vectors of n entries, one behind the other; a constant where
 * this is called, so that the sums stay in registers.                              */
static inline void add_products_of_dy(const sensitivities *s, const double *v, const int32_t count,
                                      double *out)
{
    const sensitivity_system *d = &s->system;
    const size_t n = (size_t)s->n;
    const double *dy = s->parts.dy;
    for (size_t i = 0; i < n; i++) {
        double sum[TOGETHER] = {0.0};
        for (int32_t q = d->row_start[i]; q < d->row_start[i + 1]; q++) {
            const double *at = v + d->row_col[q], factor = dy[d->row_at[q]];
            for (int32_t k = 0; k < count; k++)
                sum[k] += factor * at[(size_t)k * n];
        }
        for (int32_t k = 0; k < count; k++)
            out[(size_t)k * n + i] += sum[k];
    }
}

void sensitivity_add_products(const sensitivities *s, int32_t count, const double *v,
                              const double *w, double *out)
{
    const iteration_matrix *m = &s->parts;
    const size_t n = (size_t)s->n;
    for (int32_t k = 0; k < count; k += TOGETHER) {
        const double *from = v + (size_t)k * n;
        double *to = out + (size_t)k * n;
        switch (count - k) {
        case 1:
            add_products_of_dy(s, from, 1, to);
            break;
        case 2:
            add_products_of_dy(s, from, 2, to);
            break;
        case 3:
            add_products_of_dy(s, from, 3, to);
            break;
        default:
            add_products_of_dy(s, from, TOGETHER, to);
        }
    }
    for (int32_t k = 0; k < count; k++, out += n, w += n)
        for (int32_t q = 0; q < m->n_dyp; q++)
            out[m->dyp_row[q]] += m->dyp[m->dyp_at[q]] * w[m->dyp_col[q]];
}

int sensitivity_evaluate(sensitivities *s, double t)
{
    go_to(s, t);
    int answer = know_parts(s);
    return answer == DAEDAL_CALL_OK ? know_slopes(s) : answer;
}

static int residual(double t, const double *v, const double *w, double *r, void *user)
{
    sensitivities *s = user;
    int answer = sensitivity_evaluate(s, t);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    memcpy(r, s->at.dp, (size_t)s->n * (size_t)s->n_parameters * sizeof *r);
    sensitivity_add_products(s, s->n_parameters, v, w, r);
    return DAEDAL_CALL_OK;
}

static int jacobian(double t, const double *v, const double *w, double c, double *values,
                    void *user)
{
    sensitivities *s = user;
    (void)v;
    (void)w;
    go_to(s, t);
    int answer = know_parts(s);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    for (int32_t q = 0; q < s->nnz; q++)
        values[q] = s->parts.dy[q] + c * s->parts.dyp[q];
    for (int32_t i = 1; i < s->n_parameters; i++)
        memcpy(values + (size_t)i * (size_t)s->nnz, values, (size_t)s->nnz * sizeof *values);
    return DAEDAL_CALL_OK;
}

/* A central difference of order six.  Projection asks for more digits than one of order two has:
 * where a sensitivity is nearly zero, the absolute tolerance is all that its roundoff may take. */
static int constraints_along(sensitivities *s, int32_t i, const double *v, double *g)
{
    static const double share[] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    const daedal_system *sys = s->ev.sys;
    double step = WIDE * sensitivity_increment(s, v), kept = 0.0;
    bool given = sys->constraint_parameter_derivative != NULL;
    int answer = DAEDAL_CALL_OK;
    memset(g, 0, (size_t)sys->n_constraints * sizeof *g);
    for (int k = 0; k < 6 && answer == DAEDAL_CALL_OK; k++) {
        double h = (k % 2 ? -step : step) * (1 + k / 2);
        sensitivity_move(s, v, v, h, 0);
        sensitivity_move_parameter(s, i, given ? 0.0 : h, &kept);
        answer = evaluator_is_stopped(&s->ev)
                     ? DAEDAL_CALL_STOP
                     : sys->constraints(s->at.t, s->y_moved[0], s->r_moved[0], sys->user);
        answer = evaluator_judge(&s->ev, answer, "constraint function", s->at.t, s->r_moved[0],
                                 sys->n_constraints);
        sensitivity_put_back(s, i, kept);
        for (int32_t j = 0; j < sys->n_constraints; j++)
            g[j] += (k % 2 ? -share[k / 2] : share[k / 2]) / step * s->r_moved[0][j];
    }
    return answer;
}

/* Whether the pattern of the constraints has all of dg/dy, as it should with levels of variables.
 */
static bool slopes_are_complete(const daedal_system *sys)
{
    return sys->variable_level.n > 0 && sys->constraint_parameter_derivative;
}

/* dg/dy, and dg/dp where it is given. */
static int know_constraints(sensitivities *s)
{
    sensitivity_point *at = &s->at;
    const daedal_system *sys = s->ev.sys;
    size_t m = (size_t)sys->n_constraints, all = m * (size_t)s->n_parameters;
    if (at->has_constraints)
        return DAEDAL_CALL_OK;
    memset(at->gy, 0, (size_t)pattern_nnz(sys->constraint_pattern) * sizeof *at->gy);
    memset(at->gp, 0, all * sizeof *at->gp);
    if (evaluator_is_stopped(&s->ev))
        return DAEDAL_CALL_STOP;
    int answer = sys->constraint_jacobian(at->t, at->y, at->gy, sys->user);
    answer = evaluator_judge(&s->ev, answer, "constraint Jacobian", at->t, at->gy,
                             pattern_nnz(sys->constraint_pattern));
    if (answer == DAEDAL_CALL_OK && sys->constraint_parameter_derivative) {
        answer = sys->constraint_parameter_derivative(at->t, at->y, at->gp, sys->user);
        answer = evaluator_judge(&s->ev, answer, "derivative of constraints by parameters", at->t,
                                 at->gp, (int32_t)all);
    }
    scale_blocks(s, at->gp, m);
    at->has_constraints = answer == DAEDAL_CALL_OK;
    return answer;
}

static void add_constraint_products(const sensitivities *s, const double *v, double *g)
{
    const daedal_pattern *p = s->ev.sys->constraint_pattern;
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            g[p->row[q]] += s->at.gy[q] * v[j];
}

static int constraints(double t, const double *v, double *g, void *user)
{
    sensitivities *s = user;
    const daedal_system *sys = s->ev.sys;
    size_t n = (size_t)s->n, m = (size_t)sys->n_constraints, all = m * (size_t)s->n_parameters;
    go_to(s, t);
    int answer = know_constraints(s);
    bool complete = slopes_are_complete(sys);
    memset(g, 0, all * sizeof *g);
    for (size_t i = 0; i < (size_t)s->n_parameters && answer == DAEDAL_CALL_OK; i++)
        if (complete)
            add_constraint_products(s, v + i * n, g + i * m);
        else
            answer = constraints_along(s, (int32_t)i, v + i * n, g + i * m);
    for (size_t k = 0; k < all; k++)
        g[k] += s->at.gp[k];
    return answer;
}

static int constraint_jacobian(double t, const double *v, double *values, void *user)
{
    sensitivities *s = user;
    size_t nnz = (size_t)pattern_nnz(s->ev.sys->constraint_pattern);
    (void)v;
    go_to(s, t);
    int answer = know_constraints(s);
    for (int32_t i = 0; i < s->n_parameters; i++)
        memcpy(values + (size_t)i * nnz, s->at.gy, nnz * sizeof *values);
    return answer;
}

/* ---- the description ---- */

/* `count` copies of a pattern on the diagonal. */
static bool repeat_pattern(pattern *to, const daedal_pattern *from, int32_t count,
                           const daedal_allocator *a)
{
    int32_t nnz = pattern_nnz(from);
    if (!pattern_create(to, count * from->n_rows, count * from->n_cols, count * nnz, a))
        return false;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = 0; j < from->n_cols; j++)
            to->start[i * from->n_cols + j + 1] = i * nnz + from->start[j + 1];
        for (int32_t q = 0; q < nnz; q++)
            to->row[i * nnz + q] = i * from->n_rows + from->row[q];
    }
    return true;
}

static void lay_out(void *object, layout *l)
{
    sensitivities *s = object;
    sensitivity_system *d = &s->system;
    size_t all = (size_t)s->n * (size_t)s->n_parameters;
    d->kind = layout_take(l, all, sizeof(int32_t));
    d->index = layout_take(l, all, sizeof(int32_t));
    d->variable_level = layout_take(l, all, sizeof(int32_t));
    d->select = layout_take(l, all, sizeof(int32_t));
    d->constraint_level =
        layout_take(l, (size_t)s->ev.sys->n_constraints * (size_t)s->n_parameters, sizeof(int32_t));
    d->row_start = layout_take(l, (size_t)s->n + 1, sizeof(int32_t));
    d->row_col = layout_take(l, (size_t)s->nnz, sizeof(int32_t));
    d->row_at = layout_take(l, (size_t)s->nnz, sizeof(int32_t));
    d->rtol = layout_take(l, all, sizeof(double));
    d->atol = layout_take(l, all, sizeof(double));
}

/* The entries of one block, by rows: sums that stay in a register are formed fastest. */
static void sort_by_rows(sensitivities *s)
{
    const daedal_pattern *p = &s->parts.pattern.view;
    sensitivity_system *d = &s->system;
    memset(d->row_start, 0, ((size_t)s->n + 1) * sizeof *d->row_start);
    for (int32_t q = 0; q < s->nnz; q++)
        d->row_start[p->row[q] + 1]++;
    for (int32_t i = 0; i < s->n; i++)
        d->row_start[i + 1] += d->row_start[i];
    for (int32_t j = p->n_cols - 1; j >= 0; j--)
        for (int32_t q = p->start[j + 1] - 1; q >= p->start[j]; q--) {
            int32_t to = --d->row_start[p->row[q] + 1];
            d->row_col[to] = j;
            d->row_at[to] = q;
        }
    memmove(d->row_start, d->row_start + 1, (size_t)s->n * sizeof *d->row_start);
    d->row_start[s->n] = s->nnz;
}

static void repeat_ints(const sensitivities *s, const int32_t *from, int32_t n, int32_t *to)
{
    for (int32_t i = 0; i < s->n_parameters && from; i++)
        memcpy(to + (size_t)i * (size_t)n, from, (size_t)n * sizeof *to);
}

/* A Jacobian by differences has noise that smaller tolerances would see.
 * Without an absolute tolerance a sensitivity that begins with 0 would have none at all. */
static void set_tolerances(const sensitivities *s)
{
    const run *r = s->states;
    const double little = 1e-6, least = s->parts.colours.n_colours > 0 ? 5e-8 : 0.0;
    for (int32_t i = 0; i < s->n_parameters; i++)
        for (int32_t j = 0; j < s->n; j++) {
            size_t k = (size_t)i * (size_t)s->n + (size_t)j;
            double rtol = r->now.rtol[j], factor = r->asked.sensitivity_tolerance;
            factor = rtol > 0.0 ? fmax(factor, least / rtol) : factor;
            double size = fabs(r->y[j]) > 0.0 ? fabs(r->y[j]) : 1.0;
            double atol = r->now.atol[j] > 0.0 ? r->now.atol[j] : little * rtol * size;
            s->system.rtol[k] = fmin(factor * rtol, 0.1);
            s->system.atol[k] = factor * atol;
        }
}

static bool describe_constraints(sensitivities *s, daedal_system *sys)
{
    const daedal_system *of = s->ev.sys;
    sensitivity_system *d = &s->system;
    if (of->n_constraints == 0)
        return true;
    if (!repeat_pattern(&d->constraints, of->constraint_pattern, s->n_parameters,
                        s->states->allocator))
        return false;
    sys->n_constraints = of->n_constraints * s->n_parameters;
    sys->constraints = constraints;
    sys->constraint_jacobian = constraint_jacobian;
    sys->constraint_pattern = &d->constraints.view;
    repeat_ints(s, of->constraint_level.at, of->n_constraints, d->constraint_level);
    repeat_ints(s, of->variable_level.at, s->n, d->variable_level);
    repeat_ints(s, of->state_select.at, s->n, d->select);
    if (of->constraint_level.at)
        sys->constraint_level = (daedal_ints){d->constraint_level, sys->n_constraints};
    if (of->variable_level.at)
        sys->variable_level = (daedal_ints){d->variable_level, sys->n};
    if (of->state_select.at)
        sys->state_select = (daedal_ints){d->select, sys->n};
    return true;
}

bool sensitivity_describe(sensitivities *s, daedal_system *sys)
{
    const run *r = s->states;
    sensitivity_system *d = &s->system;
    const iteration_matrix *m = &s->parts;
    *sys = (daedal_system){
        .n = s->n * s->n_parameters, .residual = residual, .jacobian = jacobian, .user = s};
    if (!block_create(&d->mem, r->allocator, lay_out, s) ||
        !repeat_pattern(&d->dy, &m->pattern.view, s->n_parameters, r->allocator) ||
        !repeat_pattern(&d->dyp, &m->part[1].view, s->n_parameters, r->allocator) ||
        !describe_constraints(s, sys))
        return false;
    sort_by_rows(s);
    repeat_ints(s, r->kind, s->n, d->kind);
    repeat_ints(s, r->variable_index, s->n, d->index);
    set_tolerances(s);
    sys->pattern = &d->dy.view;
    sys->dyp_pattern = &d->dyp.view;
    sys->variable_kind = (daedal_ints){d->kind, sys->n};
    if (run_has_high_index(r))
        sys->variable_index = (daedal_ints){d->index, sys->n};
    return true;
}

void sensitivity_forget_description(sensitivities *s)
{
    sensitivity_system *d = &s->system;
    pattern_free(&d->dy);
    pattern_free(&d->dyp);
    pattern_free(&d->constraints);
    block_free(&d->mem);
    *d = (sensitivity_system){0};
}
