/* integ/mechanical_form.c - see mechanical_form.h.
 *
 * Rows of matrices are compared by their products with a few random vectors: two rows are
 * proportional if these products are, but for coincidences that do not happen.  All derivatives are
 * evaluated beside the point that is given, where no entry is zero by accident.      */
#include "integ/mechanical_form.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "newton/modified_newton.h"

static const double SAME = 1e-5; /* relative: derivatives by differences are not more exact */

typedef mechanical_search search;

void mechanical_form_lay_out(mechanical_form *f, const daedal_system *sys, layout *l)
{
    size_t n = (size_t)sys->n, rules = (size_t)sys->n_constraints;
    f->position = layout_take(l, n, sizeof(int32_t));
    f->velocity = layout_take(l, n, sizeof(int32_t));
    f->is_velocity = layout_take(l, n, sizeof(bool));
    f->on_position = layout_take(l, rules, sizeof(mechanical_rule));
    f->on_velocity = layout_take(l, rules, sizeof(mechanical_rule));
    search *s = &f->search;
    int32_t **by_row[] = {&s->of_y, &s->of_yp, &s->at_y, &s->at_yp, &s->column};
    int32_t **by_rule[] = {&s->restricted, &s->held, &s->rule_of};
    double **by_unknown[] = {&s->y, &s->yp, &s->inverse_weight};
    for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++)
        *by_row[k] = layout_take(l, n, sizeof(int32_t));
    for (size_t k = 0; k < sizeof by_rule / sizeof *by_rule; k++)
        *by_rule[k] = layout_take(l, rules, sizeof(int32_t));
    for (size_t k = 0; k < sizeof by_unknown / sizeof *by_unknown; k++)
        *by_unknown[k] = layout_take(l, n, sizeof(double));
    s->is_partner = layout_take(l, n, sizeof(bool));
    for (int k = 0; k < MECHANICAL_PROBES; k++) {
        s->probe[k] = layout_take(l, n, sizeof(double));
        s->row[k] = layout_take(l, n, sizeof(double));
        s->constraint[k] = layout_take(l, rules, sizeof(double));
    }
}

static search *search_begin(mechanical_form *f, const integ_context *in, double t)
{
    search *s = &f->search;
    s->f = f;
    s->in = in;
    s->sys = in->ev->sys;
    s->t = t;
    s->n = in->ev->n;
    s->n_rules = s->sys->n_constraints;
    return s;
}

static const char *variable_name(const search *s, int32_t j, char *buffer, size_t size)
{
    return evaluator_variable_name(s->sys, j, buffer, size);
}

static daedal_status refuse(const search *s, int32_t variable)
{
    blame(s->in->why, s->t, -1, variable);
    hint(s->in->why, "method = auto, radau or bdf needs no such form");
    return DAEDAL_ERR_ARGUMENT;
}

/* ---- derivatives ---- */

static daedal_status give_up(const search *s, int answer)
{
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : evaluator_explain(s->in->ev, s->in->why);
}

static daedal_status evaluate(search *s, const double *y, const double *yp)
{
    const double share = 1e-3, short_step = 1e-3;
    uint64_t random = RANDOM_SEED;
    for (int32_t j = 0; j < s->n; j++) {
        s->y[j] = y[j] + share * random_share(&random) * (1.0 + fabs(y[j]));
        s->yp[j] = yp[j];
    }
    weights_inverse_plain(s->in->tolerances, s->y, s->inverse_weight);
    matrix_point at = {s->t, short_step, s->y, s->yp, NULL, s->inverse_weight};
    int answer = matrix_evaluate(s->in->matrix, &at);
    if (answer == DAEDAL_CALL_OK && s->n_rules > 0)
        answer = projection_evaluate_slopes(s->in->constraints, s->t, s->y);
    return answer == DAEDAL_CALL_OK ? DAEDAL_OK : give_up(s, answer);
}

/* ---- q' = v ---- */

static void count_entries(search *s)
{
    const iteration_matrix *m = s->in->matrix;
    const daedal_pattern *p = &m->pattern.view;
    memset(s->of_y, 0, (size_t)s->n * sizeof(int32_t));
    memset(s->of_yp, 0, (size_t)s->n * sizeof(int32_t));
    for (int32_t j = 0; j < s->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            int32_t i = p->row[q];
            if (m->dy[q] != 0.0) {
                s->of_y[i]++;
                s->at_y[i] = q;
                s->column[i] = j;
            }
            if (m->dyp[q] != 0.0) {
                s->of_yp[i]++;
                s->at_yp[i] = q;
            }
        }
}

/* Row i contains one y', that of j at entry q, and one y: whether it says y_j' = y_k. */
static bool is_kinematic(const search *s, int32_t i, int32_t j, int32_t q)
{
    const iteration_matrix *m = s->in->matrix;
    const bool *differential = s->in->is_differential;
    int32_t k = s->column[i];
    if (s->of_y[i] != 1 || s->of_yp[i] != 1 || s->at_yp[i] != q || k == j)
        return false;
    return differential[j] && differential[k] &&
           fabs(m->dyp[q] + m->dy[s->at_y[i]]) <= SAME * fabs(m->dyp[q]);
}

static daedal_status complain_third_order(const search *s, int32_t j)
{
    char name[96];
    fail(s->in->why, DAEDAL_ERR_ARGUMENT,
         "%s takes equations of motion q' = v, M q'' = f(q) - G' lambda: %s is the derivative of a "
         "variable, and its own derivative is a variable, too",
         s->f->asked_by, variable_name(s, j, name, sizeof name));
    return refuse(s, j);
}

/* Find the positions.  At first all other differentiated variables count as velocities. */
static daedal_status find_positions(search *s)
{
    mechanical_form *f = s->f;
    const daedal_pattern *p = &s->in->matrix->pattern.view;
    count_entries(s);
    f->n_positions = 0;
    memset(s->is_partner, 0, (size_t)s->n * sizeof(bool));
    for (int32_t j = 0; j < s->n; j++) {
        f->is_velocity[j] = s->in->is_differential[j];
        for (int32_t q = p->start[j]; q < p->start[j + 1] && f->is_velocity[j]; q++) {
            if (!is_kinematic(s, p->row[q], j, q))
                continue;
            f->position[f->n_positions] = j;
            f->velocity[f->n_positions++] = s->column[p->row[q]];
            f->is_velocity[j] = false;
        }
    }
    for (int32_t k = 0; k < f->n_positions; k++) {
        int32_t v = f->velocity[k];
        if (!f->is_velocity[v])
            return complain_third_order(s, v);
        s->is_partner[v] = true;
    }
    return DAEDAL_OK;
}

/* ---- constraints ---- */

/* Multiply rows by the probes: rows of dF/dy', where those of equations with algebraic variables
 * are made useless, rows of dg/dv, and rows of dg/dq of constraints without velocities. */
static void multiply_rows(search *s, int k)
{
    const iteration_matrix *m = s->in->matrix;
    const daedal_pattern *p = &m->pattern.view;
    memset(s->row[k], 0, (size_t)s->n * sizeof(double));
    for (int32_t j = 0; j < s->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            if (s->f->is_velocity[j])
                s->row[k][p->row[q]] += m->dyp[q] * s->probe[k][j];
            else if (!s->in->is_differential[j] && m->dy[q] != 0.0)
                s->row[k][p->row[q]] = NAN;
        }
}

static void draw_probes(search *s)
{
    uint64_t random = RANDOM_SEED;
    for (int k = 0; k < MECHANICAL_PROBES; k++)
        for (int32_t j = 0; j < s->n; j++)
            s->probe[k][j] = random_share(&random);
}

/* The factor `scale` with a = scale b for all probes, or 0. */
static double proportion(double *const *a, int32_t i, double *const *b, int32_t j)
{
    double scale = a[0][i] / b[0][j];
    if (!isfinite(scale) || scale == 0.0)
        return 0.0;
    for (int k = 1; k < MECHANICAL_PROBES; k++)
        if (!(fabs(a[k][i] - scale * b[k][j]) <= SAME * fabs(scale) * fabs(b[0][j])))
            return 0.0;
    return scale;
}

/* Find the velocity that a constraint contains, or the one that belongs to a position in it. */
static void look_into_constraints(search *s)
{
    const mechanical_form *f = s->f;
    const daedal_pattern *p = s->sys->constraint_pattern;
    const double *slopes = s->in->constraints->slopes;
    for (int32_t c = 0; c < s->n_rules; c++)
        s->restricted[c] = s->held[c] = -1;
    for (int32_t j = 0; j < s->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1] && f->is_velocity[j]; q++)
            if (slopes[q] != 0.0)
                s->restricted[p->row[q]] = j;
    for (int32_t k = 0; k < f->n_positions; k++)
        for (int32_t q = p->start[f->position[k]]; q < p->start[f->position[k] + 1]; q++)
            if (slopes[q] != 0.0)
                s->held[p->row[q]] = f->velocity[k];
}

/* Add column `of` of the constraints with velocities, or of those without, times the probe of v. */
static void add_column(search *s, int32_t of, int32_t v, bool with_velocity)
{
    const daedal_pattern *p = s->sys->constraint_pattern;
    const double *slopes = s->in->constraints->slopes;
    for (int32_t q = p->start[of]; q < p->start[of + 1]; q++)
        for (int k = 0; k < MECHANICAL_PROBES && (s->restricted[p->row[q]] >= 0) == with_velocity;
             k++)
            s->constraint[k][p->row[q]] += slopes[q] * s->probe[k][v];
}

static void multiply_all(search *s)
{
    const mechanical_form *f = s->f;
    for (int k = 0; k < MECHANICAL_PROBES; k++) {
        multiply_rows(s, k);
        memset(s->constraint[k], 0, (size_t)s->n_rules * sizeof(double));
    }
    for (int32_t j = 0; j < s->n; j++)
        if (f->is_velocity[j])
            add_column(s, j, j, true);
    for (int32_t k = 0; k < f->n_positions; k++)
        add_column(s, f->position[k], f->velocity[k], false);
}

static daedal_status complain_constraint(const search *s, int32_t c, const char *what)
{
    fail(s->in->why, DAEDAL_ERR_ARGUMENT,
         "%s takes equations of motion with constraints g(q) = 0 on positions: constraint %d %s",
         s->f->asked_by, (int)c, what);
    return refuse(s, -1);
}

/* Find the equation that is the derivative of each constraint on velocities.  It contains their
 * derivatives with proportional factors. */
static daedal_status match_velocities(search *s)
{
    mechanical_form *f = s->f;
    const daedal_pattern *p = &s->in->matrix->pattern.view;
    f->n_on_velocity = 0;
    for (int32_t c = 0; c < s->n_rules; c++) {
        mechanical_rule rule = {c, -1, 0.0};
        int32_t v = s->restricted[c];
        for (int32_t q = v < 0 ? 0 : p->start[v]; v >= 0 && q < p->start[v + 1]; q++) {
            double scale = proportion(s->row, p->row[q], s->constraint, c);
            if (scale != 0.0)
                rule = (mechanical_rule){c, p->row[q], scale};
        }
        s->rule_of[c] = -1;
        if (v >= 0 && rule.scale == 0.0 && s->in->constraints->at_output_only)
            continue; /* an invariant, which steps need not satisfy */
        if (v >= 0 && rule.scale == 0.0)
            return complain_constraint(s, c,
                                       "restricts velocities, and no equation is its derivative");
        s->rule_of[c] = f->n_on_velocity;
        if (v >= 0)
            f->on_velocity[f->n_on_velocity++] = rule;
    }
    return DAEDAL_OK;
}

/* Find the constraint on velocities that is the derivative of each constraint on positions, and
 * its equation. */
static daedal_status match_positions(search *s)
{
    mechanical_form *f = s->f;
    const daedal_pattern *p = s->sys->constraint_pattern;
    f->n_on_position = 0;
    for (int32_t c = 0; c < s->n_rules; c++) {
        mechanical_rule rule = {c, -1, 0.0};
        int32_t v = s->held[c];
        if (s->restricted[c] >= 0)
            continue;
        for (int32_t q = v < 0 ? 0 : p->start[v]; v >= 0 && q < p->start[v + 1]; q++) {
            int32_t rate = p->row[q];
            double scale = proportion(s->constraint, rate, s->constraint, c);
            if (scale != 0.0 && s->restricted[rate] >= 0 && s->rule_of[rate] >= 0) {
                mechanical_rule of_rate = f->on_velocity[s->rule_of[rate]];
                rule = (mechanical_rule){c, of_rate.row, scale * of_rate.scale};
            }
        }
        if (rule.scale == 0.0)
            return complain_constraint(s, c,
                                       "has no derivative among the constraints on velocities");
        f->on_position[f->n_on_position++] = rule;
    }
    return DAEDAL_OK;
}

/* ---- the whole ---- */

/* Check that velocities that belong to no position are tied to those that do. */
static daedal_status check_count(const search *s)
{
    const mechanical_form *f = s->f;
    char name[96];
    int32_t velocities = 0, other = -1, ties = f->n_on_velocity - f->n_on_position;
    for (int32_t j = 0; j < s->n; j++) {
        velocities += f->is_velocity[j];
        if (f->is_velocity[j] && other < 0 && !s->is_partner[j])
            other = j;
    }
    if (velocities - ties == f->n_positions && f->n_positions > 0)
        return DAEDAL_OK;
    if (velocities - ties < f->n_positions)
        return complain_constraint(s, f->on_velocity[0].constraint,
                                   "or another one restricts velocities alone");
    fail(s->in->why, DAEDAL_ERR_ARGUMENT,
         "%s takes equations of motion q' = v, M q'' = f(q) - G' lambda: %s is differentiated, but "
         "it is neither a position nor the velocity of one",
         s->f->asked_by, other >= 0 ? variable_name(s, other, name, sizeof name) : "no variable");
    return refuse(s, other);
}

daedal_status mechanical_form_find(mechanical_form *f, const integ_context *in, double t,
                                   const double *y, const double *yp)
{
    search *s = search_begin(f, in, t);
    RETURN_UNLESS_OK(evaluate(s, y, yp));
    RETURN_UNLESS_OK(find_positions(s));
    f->n_on_velocity = f->n_on_position = 0;
    if (s->n_rules > 0) {
        draw_probes(s);
        look_into_constraints(s);
        multiply_all(s);
        RETURN_UNLESS_OK(match_velocities(s));
        RETURN_UNLESS_OK(match_positions(s));
    }
    return check_count(s);
}
