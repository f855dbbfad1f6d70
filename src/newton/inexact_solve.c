/* newton/inexact_solve.c - see inexact_solve.h.
 *
 * The operator of a Newton iteration is current: (F(y + s v, y' + c s v) - F(y, y')) / s with
 * ||v|| = 1 in the weighted norm, so that s = 1 moves y by about its tolerance ([BCP96] section
 * 7.5).  Only the preconditioner is old, and only the number of iterations suffers from that.  */
#include "newton/inexact_solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "linalg/vector.h"

enum { LENGTH_STRONG = 12, LENGTH_WEAK = 20 };
static const double MORE_ITERATIONS = 2.0; /* than at first: new parts are worth it             */
static const double SMOOTHING = 0.5;
static const double SHORT_MOVE = 1e-4; /* of the usual move, where F has no value farther off    */
enum { MEAN_OVER = 40 };               /* solves, before the number of their iterations is judged */
enum { STRIKE = 2, STRIKES_MAX = 6, FAILURES_MIN = 12 };
static const double FAILURES_SHARE = 0.2;

static bool needs_point(const inexact_settings *s)
{
    return s->own_preconditioner || s->is_free;
}

static void lay_out(void *object, layout *l)
{
    inexact_solve *x = object;
    size_t n = (size_t)x->settings.n, there = needs_point(&x->settings) ? n : 0;
    x->y_there = layout_take(l, there, sizeof(double));
    x->yp_there = layout_take(l, there, sizeof(double));
    x->f_there = layout_take(l, x->settings.is_free ? n : 0, sizeof(double));
    x->inverse_weight = layout_take(l, n, sizeof(double));
    x->y = layout_take(l, n, sizeof(double));
    x->yp = layout_take(l, n, sizeof(double));
    x->base = layout_take(l, n, sizeof(double));
}

/* Incomplete factors are the preconditioner for matrices of which nothing else is known. */
static preconditioner_choice choose(const inexact_settings *s)
{
    int32_t kind =
        s->preconditioner == PRECONDITIONER_AUTO ? PRECONDITIONER_ILU : s->preconditioner;
    return (preconditioner_choice){kind, s->preconditioner_width, s->own_preconditioner};
}

static bool may_be_weak(const preconditioner_choice *c)
{
    return c->own || (c->kind != PRECONDITIONER_LU);
}

static daedal_status create_parts(inexact_solve *x, const iteration_matrix *m)
{
    const inexact_settings *s = &x->settings;
    preconditioner_choice choice = choose(s);
    x->is_weak = may_be_weak(&choice);
    bool is_strong = !choice.own && choice.kind >= PRECONDITIONER_ILU;
    int32_t length = s->krylov_length > 0 ? s->krylov_length
                     : is_strong          ? LENGTH_STRONG
                                          : LENGTH_WEAK;
    gmres_size size = {.n = m->ev->n,
                       .length = length,
                       .restarts = s->krylov_restarts,
                       .keep = s->krylov_keep,
                       .parallel = m->ev->space.parallel};
    x->space = gmres_create(&size, x->allocator);
    if (!x->space || !block_create(&x->mem, x->allocator, lay_out, x))
        return DAEDAL_ERR_MEMORY;
    for (int32_t i = 0; i < m->ev->n; i++)
        x->inverse_weight[i] = 1.0;
    return preconditioner_create(&x->step, &m->pattern.view, &choice, x->allocator);
}

daedal_status inexact_solve_create(inexact_solve **made, const iteration_matrix *m,
                                   const inexact_settings *settings, const daedal_allocator *a)
{
    *made = NULL;
    inexact_solve *x = memory_take(a, sizeof *x);
    if (!x)
        return DAEDAL_ERR_MEMORY;
    x->settings = *settings;
    x->settings.n = m->ev->n;
    x->settings.is_free = matrix_is_free(m);
    x->allocator = a;
    daedal_status status = create_parts(x, m);
    if (status == DAEDAL_OK)
        *made = x;
    else
        inexact_solve_free(x);
    return status;
}

void inexact_solve_free(inexact_solve *x)
{
    if (!x)
        return;
    gmres_free(x->space);
    preconditioner_free(x->step);
    preconditioner_free(x->mixed);
    block_free(&x->mem);
    memory_give(x->allocator, x, sizeof *x);
}

void inexact_solve_copy(inexact_solve *to, const inexact_solve *from)
{
    to->strikes = from->strikes;
    to->usual = from->usual;
    to->recent = from->recent;
    to->solves = from->solves;
    to->mean = from->mean;
    to->n_mean = from->n_mean;
    to->t = from->t;
    to->product_failed = from->product_failed;
    block_copy(&to->mem, &from->mem);
}

void inexact_solve_note_point(inexact_solve *x, const matrix_point *at)
{
    size_t bytes = (size_t)x->settings.n * sizeof(double);
    x->t = at->t;
    if (at->inverse_weight)
        memcpy(x->inverse_weight, at->inverse_weight, bytes);
    if (needs_point(&x->settings)) {
        memcpy(x->y_there, at->y, bytes);
        memcpy(x->yp_there, at->yp, bytes);
    }
    x->f_is_known = x->settings.is_free && at->residual;
    if (x->f_is_known)
        memcpy(x->f_there, at->residual, bytes);
}

/* ---- the preconditioner ---------------------------------------------------- */

/* A matrix of the start is none for which the user's preconditioner, or none, would serve. */
static daedal_status choose_mixed(iteration_matrix *m)
{
    static const preconditioner_choice incomplete = {PRECONDITIONER_ILUT, 0, NULL};
    inexact_solve *x = m->inexact;
    preconditioner_choice choice = choose(&x->settings);
    bool serves = !choice.own && choice.kind >= PRECONDITIONER_ILU;
    if (!serves && !x->mixed) {
        daedal_status status =
            preconditioner_create(&x->mixed, &m->pattern.view, &incomplete, x->allocator);
        if (status != DAEDAL_OK)
            return status;
    }
    x->used = serves ? x->step : x->mixed;
    return DAEDAL_OK;
}

/* What the user's set-up answered, where the evaluator keeps such things. */
static void note_trouble(iteration_matrix *m, daedal_status status)
{
    int answer = status == DAEDAL_ERR_RETRY ? DAEDAL_CALL_RETRY
                 : status == DAEDAL_STOPPED ? DAEDAL_CALL_STOP
                                            : DAEDAL_CALL_FAIL;
    evaluator_judge(m->ev, answer, "set-up of the preconditioner", m->inexact->t, NULL, 0);
}

/* One rank may lack memory or find its part singular: then all do. */
static daedal_status agree_on_setup(iteration_matrix *m, daedal_status status)
{
    static const daedal_status by_weight[] = {DAEDAL_OK,           DAEDAL_ERR_RETRY,
                                              DAEDAL_ERR_SINGULAR, DAEDAL_STOPPED,
                                              DAEDAL_ERR_MEMORY,   DAEDAL_ERR_CALLBACK};
    enum { KINDS = sizeof by_weight / sizeof *by_weight };
    int32_t weight = 0;
    while (weight < KINDS - 1 && by_weight[weight] != status)
        weight++;
    double heaviest = space_max(&m->ev->space, weight);
    return heaviest >= 0 && heaviest < KINDS ? by_weight[(int)heaviest] : DAEDAL_ERR_CALLBACK;
}

daedal_status inexact_solve_setup(iteration_matrix *m, double c, bool is_mixed)
{
    inexact_solve *x = m->inexact;
    x->used = x->step;
    x->usual = x->recent = 0.0;
    x->solves = 0;
    daedal_status status = is_mixed ? choose_mixed(m) : DAEDAL_OK;
    if (status != DAEDAL_OK)
        return status;
    m->ev->stats->preconditioner_setups++;
    preconditioner_point at = {x->t, c, x->y_there, x->yp_there,
                               matrix_is_free(m) ? NULL : m->values};
    status = preconditioner_setup(x->used, &at);
    if (m->ev->space.parallel)
        status = agree_on_setup(m, status);
    bool by_user = x->settings.own_preconditioner && !is_mixed;
    if (by_user && status != DAEDAL_OK)
        note_trouble(m, status);
    m->ev->stats->solver_reallocations = preconditioner_reallocations(x->step);
    return status;
}

static int precondition(void *self, double *v)
{
    iteration_matrix *m = self;
    inexact_solve *x = m->inexact;
    m->ev->stats->preconditioner_solves++;
    int answer = preconditioner_solve(x->used, v);
    bool by_user = x->settings.own_preconditioner && x->used == x->step;
    return by_user ? evaluator_judge(m->ev, answer, "preconditioner", x->t, v, m->ev->n) : answer;
}

bool inexact_solve_resembles(const inexact_solve *x)
{
    return x->used != x->step || choose(&x->settings).own ||
           choose(&x->settings).kind != PRECONDITIONER_NONE;
}

bool inexact_solve_precondition(iteration_matrix *m, double *b)
{
    return precondition(m, b) == DAEDAL_CALL_OK;
}

/* ---- products -------------------------------------------------------------- */

static void multiply_values(const iteration_matrix *m, const double *values, const double *v,
                            double *out)
{
    const daedal_pattern *p = &m->pattern.view;
    memset(out, 0, (size_t)p->n_rows * sizeof *out);
    for (int32_t j = 0; j < p->n_cols; j++) {
        double factor = v[j];
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            out[p->row[q]] += values[q] * factor;
    }
}

static void multiply_parts(const iteration_matrix *m, double c, const double *v, double *out)
{
    const daedal_pattern *p = &m->pattern.view;
    memset(out, 0, (size_t)p->n_rows * sizeof *out);
    for (int32_t j = 0; j < p->n_cols; j++) {
        double factor = v[j];
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            out[p->row[q]] += (m->dy[q] + c * m->dyp[q]) * factor;
    }
}

/* (F(y + s v, y' + c s v) - F) / s */
static int difference(iteration_matrix *m, double s, const double *v, double *out)
{
    inexact_solve *x = m->inexact;
    const matrix_linear *at = x->at;
    int32_t n = m->ev->n;
    for (int32_t i = 0; i < n; i++) {
        double move = s * v[i];
        bool moves_y = !at->held || !at->held[i], moves_yp = !at->held || at->held[i];
        x->y[i] = at->y[i] + (moves_y ? move : 0.0);
        x->yp[i] = at->yp[i] + (moves_yp ? at->c * move : 0.0);
    }
    int answer = evaluator_residual(m->ev, at->t, x->y, x->yp, out);
    m->ev->stats->jacobian_residuals++;
    for (int32_t i = 0; i < n; i++)
        out[i] = (out[i] - x->base[i]) / s;
    return answer;
}

static bool by_user(const iteration_matrix *m)
{
    return m->ev->sys->jacobian_product && m->inexact->settings.krylov_product == PRODUCT_AUTO;
}

static int know_f_there(const iteration_matrix *m)
{
    inexact_solve *x = m->inexact;
    int answer = x->f_is_known
                     ? DAEDAL_CALL_OK
                     : evaluator_residual(m->ev, x->t, x->y_there, x->yp_there, x->f_there);
    x->f_is_known = answer == DAEDAL_CALL_OK;
    return answer;
}

/* (F(y + s u, y' + s v) - F) / s at the point of the last evaluation. */
static int difference_there(const iteration_matrix *m, double s, const double *u, const double *v,
                            double *out)
{
    inexact_solve *x = m->inexact;
    for (int32_t i = 0; i < m->ev->n; i++) {
        x->y[i] = x->y_there[i] + s * u[i];
        x->yp[i] = x->yp_there[i] + s * v[i];
    }
    int answer = evaluator_residual(m->ev, x->t, x->y, x->yp, out);
    m->ev->stats->jacobian_residuals++;
    for (int32_t i = 0; i < m->ev->n; i++)
        out[i] = (out[i] - x->f_there[i]) / s;
    return answer;
}

/* dF/dy (u - v) + (dF/dy + dF/dy') v */
static int product_there(const iteration_matrix *m, const double *u, const double *v, double *out)
{
    inexact_solve *x = m->inexact;
    const daedal_system *sys = m->ev->sys;
    for (int32_t i = 0; i < m->ev->n; i++)
        x->y[i] = u[i] - v[i];
    int answer = sys->jacobian_product(x->t, x->y_there, x->yp_there, 0.0, x->y, x->yp, sys->user);
    answer = evaluator_judge(m->ev, answer, "product of the Jacobian", x->t, x->yp, m->ev->n);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    answer = sys->jacobian_product(x->t, x->y_there, x->yp_there, 1.0, v, out, sys->user);
    answer = evaluator_judge(m->ev, answer, "product of the Jacobian", x->t, out, m->ev->n);
    for (int32_t i = 0; i < m->ev->n; i++)
        out[i] += x->yp[i];
    return answer;
}

int inexact_solve_direction(const iteration_matrix *m, const double *u, const double *v,
                            double *out)
{
    if (by_user(m))
        return product_there(m, u, v, out);
    int answer = know_f_there(m);
    if (answer == DAEDAL_CALL_OK)
        answer = difference_there(m, 1.0, u, v, out);
    return answer == DAEDAL_CALL_RETRY ? difference_there(m, SHORT_MOVE, u, v, out) : answer;
}

/* The product by the matrix of the last evaluation, with the c of the preconditioner. */
static int multiply_there(const iteration_matrix *m, const double *v, double *out)
{
    inexact_solve *x = m->inexact;
    const daedal_system *sys = m->ev->sys;
    if (by_user(m)) {
        int answer = sys->jacobian_product(x->t, x->y_there, x->yp_there, m->c, v, out, sys->user);
        return evaluator_judge(m->ev, answer, "product of the Jacobian", x->t, out, m->ev->n);
    }
    for (int32_t i = 0; i < m->ev->n; i++)
        m->r[i] = m->c * v[i];
    return inexact_solve_direction(m, v, m->r, out);
}

static int multiply(void *self, const double *v, double *out)
{
    iteration_matrix *m = self;
    inexact_solve *x = m->inexact;
    const matrix_linear *at = x->at;
    const daedal_system *sys = m->ev->sys;
    m->ev->stats->jacobian_products++;
    if (!at && matrix_is_free(m))
        return multiply_there(m, v, out);
    if (!at) {
        multiply_values(m, m->values, v, out);
        return DAEDAL_CALL_OK;
    }
    if (by_user(m) && !at->held) {
        if (evaluator_is_stopped(m->ev))
            return DAEDAL_CALL_STOP;
        int answer = sys->jacobian_product(at->t, at->y, at->yp, at->c, v, out, sys->user);
        answer = evaluator_judge(m->ev, answer, "product of the Jacobian", at->t, out, m->ev->n);
        x->product_failed = answer != DAEDAL_CALL_OK;
        return answer;
    }
    if (x->settings.krylov_product == PRODUCT_MATRIX) {
        multiply_parts(m, at->c, v, out);
        return DAEDAL_CALL_OK;
    }
    int answer = difference(m, 1.0, v, out);
    return answer == DAEDAL_CALL_RETRY ? difference(m, SHORT_MOVE, v, out) : answer;
}

/* ---- solves ---------------------------------------------------------------- */

static matrix_outcome outcome_of_answer(int answer)
{
    return answer == DAEDAL_CALL_RETRY  ? MATRIX_RETRY
           : answer == DAEDAL_CALL_STOP ? MATRIX_STOP
                                        : MATRIX_FAIL;
}

static matrix_outcome outcome_of(const gmres_result *r)
{
    if (r->verdict == GMRES_CONVERGED)
        return MATRIX_SOLVED;
    return r->verdict == GMRES_ENDED ? outcome_of_answer(r->answer) : MATRIX_SLOW;
}

static matrix_outcome solve(iteration_matrix *m, gmres_problem *p, double *b)
{
    inexact_solve *x = m->inexact;
    p->apply = multiply;
    p->precondition = inexact_solve_resembles(x) ? precondition : NULL;
    p->self = m;
    gmres_result r = gmres_solve(x->space, p, b);
    m->ev->stats->krylov_iterations += r.iterations;
    matrix_outcome outcome = outcome_of(&r);
    m->ev->stats->krylov_failures += outcome == MATRIX_SLOW;
    x->solves++;
    x->n_mean += x->n_mean < MEAN_OVER;
    x->mean += (r.iterations - x->mean) / x->n_mean;
    if (x->solves <= 2)
        x->usual = x->recent = fmax(x->usual, r.iterations);
    else
        x->recent += SMOOTHING * (r.iterations - x->recent);
    return outcome;
}

matrix_outcome inexact_solve_by_values(iteration_matrix *m, double relative, double absolute,
                                       double *b)
{
    gmres_problem p = {.inverse_weight = m->inexact->inverse_weight,
                       .tolerance = absolute,
                       .relative = relative,
                       .bounds_error = absolute > 0.0 && m->inexact->is_weak};
    inexact_solve *x = m->inexact;
    size_t bytes = (size_t)m->ev->n * sizeof *b;
    memcpy(x->base, b, bytes);
    x->at = NULL;
    matrix_outcome outcome = solve(m, &p, b);
    if (outcome != MATRIX_SOLVED)
        memcpy(b, x->base, bytes);
    return outcome;
}

/* Where the predicted state is accurate enough, GMRES ends before its first product.  After a
 * product that failed one is made nevertheless: otherwise a run whose products are all NaN would go
 * on with steps that are as short as the prediction needs, and would not say so.   */
matrix_outcome inexact_solve_at(iteration_matrix *m, const matrix_linear *at, double *b)
{
    inexact_solve *x = m->inexact;
    gmres_problem p = {.inverse_weight = at->inverse_weight,
                       .tolerance = x->settings.krylov_tolerance * at->tolerance,
                       .bounds_error = x->is_weak};
    memcpy(x->base, b, (size_t)m->ev->n * sizeof *b);
    x->at = at;
    int answer = x->product_failed && !at->held ? multiply(m, b, m->r) : DAEDAL_CALL_OK;
    matrix_outcome outcome = answer == DAEDAL_CALL_OK ? solve(m, &p, b) : outcome_of_answer(answer);
    x->at = NULL;
    return outcome;
}

bool inexact_solve_is_worse(const inexact_solve *x)
{
    return x->is_given_up || x->recent > x->usual + MORE_ITERATIONS;
}

bool inexact_solve_is_too_slow(const iteration_matrix *m)
{
    const inexact_solve *x = m->inexact;
    return x->settings.iterations_worth > 0.0 && x->n_mean == MEAN_OVER &&
           x->mean > x->settings.iterations_worth;
}

bool inexact_solve_is_hopeless(iteration_matrix *m, bool of_newton)
{
    inexact_solve *x = m->inexact;
    const daedal_stats *s = m->ev->stats;
    x->strikes += of_newton ? 1 : STRIKE;
    if (x->strikes >= STRIKES_MAX)
        return true;
    return s->krylov_failures > FAILURES_MIN &&
           (double)s->krylov_failures > FAILURES_SHARE * (double)s->iterations;
}
