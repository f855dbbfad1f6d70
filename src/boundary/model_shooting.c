/* boundary/model_shooting.c - see final_search.h: runs of the model from other start values. */
#include <math.h>
#include <string.h>

#include "adjoint/model_access.h"
#include "base/status.h"
#include "boundary/final_search.h"
#include "boundary/singular_shot.h"
#include "linalg/damped_newton.h"

static const double SMALL = 1e-3;      /* smaller unknowns are found as accurately as this one */
static const double USUAL_RTOL = 1e-6; /* the default of the option rtol                        */

typedef struct model_shooting {
    final_search *s;
    int32_t width; /* variables of a row                            */
    int32_t first; /* number of the first one                       */
    double *row;   /* the last row, and its derivatives by opens    */
    double *base, *trial, *step, *r, *weight;
    double *matrix;
    double tolerance;
    daedal_options options; /* of all runs: what warns in a run on the way is not of interest */
    pattern full;
    const daedal_linsolver *solver;
    void *factors;
    daedal_status status;
    block mem;
} model_shooting;

static void lay_out(void *object, layout *l)
{
    model_shooting *m = object;
    size_t n = (size_t)m->s->n;
    m->row = layout_take(l, (size_t)m->width * (n + 1), sizeof(double));
    m->base = layout_take(l, n, sizeof(double));
    m->trial = layout_take(l, n, sizeof(double));
    m->step = layout_take(l, n, sizeof(double));
    m->r = layout_take(l, n, sizeof(double));
    m->weight = layout_take(l, n, sizeof(double));
    m->matrix = layout_take(l, n * n, sizeof(double));
}

static int keep_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    model_shooting *m = user;
    (void)kind, (void)t;
    memcpy(m->row, values, (size_t)m->width * sizeof(double));
    return DAEDAL_CALL_OK;
}

static int keep_derivatives(daedal_row_kind kind, double t, int32_t i, const double *derivatives,
                            void *user)
{
    model_shooting *m = user;
    (void)kind, (void)t;
    memcpy(m->row + (size_t)m->width * (size_t)(i + 1), derivatives,
           (size_t)m->width * sizeof(double));
    return DAEDAL_CALL_OK;
}

/* A run from start values x; the row at its end. */
static daedal_status run_from(model_shooting *m, const double *x, bool derived)
{
    final_search *s = m->s;
    daedal_outcome outcome;
    daedal_simulation how = {.t_start = s->how->t_start,
                             .t_stop = s->how->t_stop,
                             .intervals = 1,
                             .no_event_rows = 1,
                             .options = &m->options,
                             .scale_atol = s->how->scale_atol,
                             .row = keep_row,
                             .row_user = m};
    if (derived) {
        how.parameters = (daedal_ints){s->number, s->n};
        how.sensitivity = keep_derivatives;
    }
    memcpy(s->value, x, (size_t)s->n * sizeof *x);
    TRY(search_set_starts(s, false));
    daedal_status status = daedal_model_simulate(s->handle, &how, &outcome);
    if (status == DAEDAL_OK && outcome.t < s->how->t_stop)
        status =
            fail(s->why, DAEDAL_ERR_STRUCTURE, "the model ended the run at t = %.10g", outcome.t);
    else if (status < 0)
        *s->why = outcome.diagnosis;
    m->status = status;
    return status;
}

static void residual(model_shooting *m, double *r)
{
    for (int32_t k = 0; k < m->s->n; k++) {
        const daedal_final *f = &m->s->bvp->finals[k];
        r[k] = m->row[f->number - m->first] - f->value;
    }
}

static double norm(const model_shooting *m, const double *v)
{
    double most = 0.0;
    for (int32_t k = 0; k < m->s->n; k++) {
        double at = fabs(v[k]) / m->weight[k];
        if (!(at <= most))
            most = at;
    }
    return most;
}

static damped_reply measure(void *self, double *size)
{
    model_shooting *m = self;
    final_search *s = m->s;
    if (run_from(m, m->base, true) != DAEDAL_OK)
        return DAMPED_ABORT;
    residual(m, m->step);
    for (int32_t i = 0; i < s->n; i++) {
        m->weight[i] = m->tolerance * fmax(fabs(s->value[i]), SMALL);
        for (int32_t k = 0; k < s->n; k++)
            m->matrix[i * s->n + k] = m->row[(size_t)m->width * (size_t)(i + 1) +
                                             (size_t)(s->bvp->finals[k].number - m->first)];
    }
    s->iterations++;
    residual(m, m->r);
    singular_shot shot = {.matrix = m->matrix,
                          .residual = m->r,
                          .size = s->n,
                          .n_conditions = s->n,
                          .names = s->final_name,
                          .why = s->why,
                          .allocator = access_allocator(s->handle)};
    m->status = singular_shot_explain(&shot);
    if (m->status != DAEDAL_OK)
        return DAMPED_ABORT;
    if (m->solver->factor(m->factors, m->matrix) == DAEDAL_OK) {
        m->solver->solve(m->factors, m->step);
        *size = norm(m, m->step);
        if (isfinite(*size))
            return DAMPED_OK;
    }
    m->status = fail(s->why, DAEDAL_ERR_SINGULAR,
                     "the final conditions depend on each other, or do not depend on the open "
                     "start values");
    return DAMPED_ABORT;
}

static damped_reply try_share(void *self, double share, double *size)
{
    model_shooting *m = self;
    final_search *s = m->s;
    for (int32_t k = 0; k < s->n; k++)
        m->trial[k] = m->base[k] - share * m->step[k];
    daedal_status status = run_from(m, m->trial, false);
    if (status != DAEDAL_OK)
        return failure_is(status, NUMERIC_FAILURE) ? DAMPED_UNDEFINED : DAMPED_ABORT;
    residual(m, m->r);
    m->solver->solve(m->factors, m->r);
    *size = norm(m, m->r);
    return isfinite(*size) ? DAMPED_OK : DAMPED_UNDEFINED;
}

static void accept(void *self, double share)
{
    model_shooting *m = self;
    (void)share;
    memcpy(m->base, m->trial, (size_t)m->s->n * sizeof(double));
}

static void solve_with(void *self, double *b)
{
    const model_shooting *m = self;
    m->solver->solve(m->factors, b);
}

static daedal_status search(model_shooting *m)
{
    damped_newton d = {.self = m,
                       .measure = measure,
                       .try_share = try_share,
                       .accept = accept,
                       .iterations_max = 40,
                       .halvings_max = 12,
                       .decrease = 0.25,
                       .negligible = 1.0,
                       .solved = 1.0,
                       .last = 10.0,
                       .tolerated = 10.0};
    damped_outcome outcome = damped_newton_solve(&d);
    memcpy(m->s->value, m->base, (size_t)m->s->n * sizeof(double));
    if (outcome == DAMPED_FOUND) {
        m->s->condition =
            shot_condition(solve_with, m, &(shot_room){m->s->n, m->s->n, m->r, m->trial});
        return DAEDAL_OK;
    }
    if (outcome == DAMPED_ABORTED)
        return m->status;
    fail(m->s->why, DAEDAL_ERR_NEWTON,
         "no start values were found for which the final conditions hold: Newton's iteration of "
         "shooting does not converge");
    hint(m->s->why, "there may be none near the start values of the model: give others");
    return DAEDAL_ERR_NEWTON;
}

daedal_status model_shoot(final_search *s)
{
    const daedal_model_info *info = daedal_model_describe(s->handle);
    const daedal_allocator *a = access_allocator(s->handle);
    model_shooting m = {.s = s,
                        .width = info->n_variables,
                        .first = info->first_number,
                        .tolerance = s->how->options ? s->how->options->rtol : USUAL_RTOL,
                        .solver = daedal_linsolver_lapack()};
    daedal_status status = DAEDAL_ERR_MEMORY;
    daedal_options_defaults(&m.options);
    if (s->how->options)
        m.options = *s->how->options;
    m.options.log = NULL;
    if (block_create(&m.mem, a, lay_out, &m) && pattern_full(&m.full, s->n, a) &&
        m.solver->create(&m.factors, &m.full.view, a) == DAEDAL_OK) {
        memcpy(m.base, s->value, (size_t)s->n * sizeof(double));
        status = search(&m);
    }
    if (status == DAEDAL_ERR_MEMORY)
        fail(s->why, status, "out of memory for shooting");
    if (m.factors)
        m.solver->destroy(m.factors);
    pattern_free(&m.full);
    block_free(&m.mem);
    return status;
}
