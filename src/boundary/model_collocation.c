/* boundary/model_collocation.c - see final_search.h.
 *
 * The reduced equations of a model have an index of one at most, and constraints that x keeps. What
 * fixed values, initial equations and constraints leave open at the start is the tangent space of
 * the starts by the open values, which the sensitivities of the start span.  x(a) lies in this
 * space, moved to the last start: where the start depends on the open values linearly, that is
 * exact; else it is repeated from the values that were found, which is Newton's iteration for the
 * start.     */
#include <float.h>
#include <math.h>
#include <string.h>

#include "adjoint/model_access.h"
#include "adjoint/model_functional.h"
#include "base/status.h"
#include "boundary/continuation.h"
#include "boundary/final_search.h"
#include "boundary/form.h"
#include "boundary/model_path.h"
#include "linalg/full_svd.h"

static const double DEPENDENT =
    1e-9; /* of the largest singular value: what is free has no effect */

typedef struct model_collocation {
    final_search *s;
    daedal_solver *solver;
    bvp_form form;
    boundary_conditions conditions;
    double ends[2];
    model_functional *finals, *opens; /* n each: their `end` terms */
    double *rows, *at;                /* of what holds at the start */
    double *y;                        /* n_system: the start        */
    bool has_form;
    block mem;
} model_collocation;

static int no_derivatives(daedal_row_kind kind, double t, int32_t i, const double *derivatives,
                          void *user)
{
    (void)kind, (void)t, (void)i, (void)derivatives, (void)user;
    return DAEDAL_CALL_OK;
}

static daedal_status take_diagnosis(const final_search *s, daedal_status status)
{
    *s->why = *daedal_model_diagnosis(s->handle);
    return status;
}

/* Start the model with the open values, differentiated by them. */
static daedal_status begin(model_collocation *c)
{
    final_search *s = c->s;
    daedal_simulation how = *s->how;
    how.row = NULL;
    how.parameters = (daedal_ints){s->number, s->n};
    how.sensitivity = no_derivatives;
    how.event_time = NULL;
    TRY(search_set_starts(s, false));
    daedal_status status = daedal_model_begin(s->handle, &how);
    if (status < 0)
        return take_diagnosis(s, status);
    c->solver = access_solver(s->handle);
    return DAEDAL_OK;
}

/* ---- conditions ---- */

static int final_values(const double *const *y, double *r, void *user)
{
    model_collocation *c = user;
    int answer = DAEDAL_CALL_OK;
    for (int32_t k = 0; k < c->s->n && answer == DAEDAL_CALL_OK; k++) {
        answer = model_end(c->ends[1], y[1], &r[k], &c->finals[k]);
        r[k] -= c->s->bvp->finals[k].value;
    }
    return answer;
}

static int final_slopes(const double *const *y, double *slopes, void *user)
{
    model_collocation *c = user;
    size_t n = (size_t)c->conditions.width;
    int answer = DAEDAL_CALL_OK;
    for (int32_t k = 0; k < c->s->n && answer == DAEDAL_CALL_OK; k++)
        answer = model_end_gradient(c->ends[1], y[1], slopes + (2 * (size_t)k + 1) * n, NULL,
                                    &c->finals[k]);
    return answer;
}

static daedal_status make_term(model_collocation *c, int32_t number, const char *name,
                               model_functional *term)
{
    uint32_t variable;
    if (!access_variable(c->s->handle, number, &variable))
        return fail(c->s->why, DAEDAL_ERR_ARGUMENT, "the number %d is no variable", (int)number);
    daedal_status status =
        model_term_create(&term->end, access_equations(c->s->handle), variable, NULL, 0, c->s->why);
    if (status != DAEDAL_ERR_ARGUMENT)
        return status;
    daedal_diagnosis said = *c->s->why;
    const char *reason = strstr(said.message, ": ");
    return fail(c->s->why, status, "%s has no value that can be prescribed%s", name,
                reason ? reason : "");
}

/* ---- what holds at the start ---- */

/* Rows orthogonal to the derivatives of x(a) by the open values. */
static daedal_status find_start_rows(model_collocation *c)
{
    collocation_problem *p = &c->form.problem;
    int32_t nx = p->nx, n = c->s->n;
    full_svd d = {0};
    bool fine = full_svd_create(&d, nx, n, p->allocator);
    for (int32_t i = 0; i < n && fine; i++) {
        const double *of;
        daedal_status status = daedal_solver_sensitivity(c->solver, i, &of, NULL);
        if (status < 0) {
            full_svd_free(&d);
            *c->s->why = *daedal_solver_diagnosis(c->solver);
            return status;
        }
        for (int32_t k = 0; k < nx; k++)
            d.a[i * nx + k] = of[p->x_of[k]];
    }
    fine = fine && full_svd_decompose(&d, nx, n);
    bool is_full = fine && d.s[n - 1] > DEPENDENT * d.s[0];
    for (int32_t k = n; k < nx && is_full; k++)
        memcpy(c->rows + (k - n) * nx, d.u + k * nx, (size_t)nx * sizeof(double));
    full_svd_free(&d);
    if (!is_full)
        return fail(c->s->why, DAEDAL_ERR_STRUCTURE,
                    "the open start values do not move the states of the model independently");
    for (int32_t k = 0; k < nx; k++)
        c->at[k] = c->solver->run.y[p->x_of[k]];
    p->n_fixed = nx - n;
    p->fixed_rows = c->rows;
    p->fixed_at = c->at;
    return DAEDAL_OK;
}

static void guess(double t, double *y, double *yp, void *user)
{
    model_collocation *c = user;
    size_t bytes = (size_t)c->conditions.width * sizeof(double);
    if (c->s->result) {
        piecewise_at(&c->s->result->path, t, y, yp);
        return;
    }
    memcpy(y, c->y, bytes);
    memset(yp, 0, bytes);
}

/* ---- one round ---- */

static void lay_out(void *object, layout *l)
{
    model_collocation *c = object;
    size_t n = (size_t)c->solver->run.n, k = (size_t)c->s->n;
    c->finals = layout_take(l, k, sizeof *c->finals);
    c->opens = layout_take(l, k, sizeof *c->opens);
    c->rows = layout_take(l, n * n, sizeof(double));
    c->at = layout_take(l, n, sizeof(double));
    c->y = layout_take(l, n, sizeof(double));
}

static daedal_status prepare(model_collocation *c)
{
    final_search *s = c->s;
    const daedal_allocator *a = access_allocator(s->handle);
    if (!block_create(&c->mem, a, lay_out, c))
        return DAEDAL_ERR_MEMORY;
    memcpy(c->y, c->solver->run.y, (size_t)c->solver->run.n * sizeof(double));
    c->ends[0] = s->how->t_start;
    c->ends[1] = s->how->t_stop;
    for (int32_t k = 0; k < s->n; k++) {
        TRY(make_term(c, s->bvp->finals[k].number, s->final_name[k], &c->finals[k]));
        TRY(make_term(c, s->number[k], s->name[k], &c->opens[k]));
    }
    c->conditions = (boundary_conditions){.n = s->n,
                                          .width = c->solver->run.n,
                                          .n_points = 2,
                                          .points = c->ends,
                                          .values = final_values,
                                          .slopes = final_slopes,
                                          .user = c,
                                          .names = s->final_name};
    if (!conditions_create(&c->conditions, a))
        return DAEDAL_ERR_MEMORY;
    daedal_status status = form_create(&c->form, c->solver, s->why);
    c->has_form = true;
    TRY(status);
    c->form.problem.conditions = &c->conditions;
    if (!c->form.serves)
        return fail(s->why, DAEDAL_ERR_INDEX, "collocation does not apply to the model: %s",
                    c->form.reason);
    return find_start_rows(c);
}

static daedal_status solve(model_collocation *c)
{
    final_search *s = c->s;
    bvp_result *found = NULL;
    continuation_task task = {
        .problem = &c->form.problem,
        .stages = s->bvp->stages ? s->bvp->stages : 4,
        .settings = {.intervals = 10,
                     .intervals_most = s->bvp->intervals_most ? s->bvp->intervals_most : 5000},
        .guess = guess,
        .user = c,
        .why = s->why};
    RETURN_UNLESS_OK(continuation_solve(&task, &found));
    if (s->result)
        daedal_bvp_solution_free(&s->result->shown);
    s->result = found;
    s->result->shown.method_reason = c->form.reason;
    s->iterations += found->shown.iterations;
    s->stats = c->form.stats;
    s->meshes += found->shown.meshes;
    for (int32_t k = 0; k < s->n; k++)
        if (model_end(c->ends[0], found->mesh_y, &s->value[k], &c->opens[k]) != DAEDAL_CALL_OK)
            return fail(s->why, DAEDAL_ERR_NOT_FINITE, "%s has no value at the start", s->name[k]);
    return DAEDAL_OK;
}

static void end_round(model_collocation *c)
{
    for (int32_t k = 0; k < c->s->n && c->finals; k++) {
        model_term_free(&c->finals[k].end);
        model_term_free(&c->opens[k].end);
    }
    if (c->has_form)
        form_free(&c->form);
    conditions_free(&c->conditions);
    block_free(&c->mem);
}

/* How far the start of the model is from the solution that was found, in tolerances. */
static double distance(const final_search *s, const daedal_solver *solver)
{
    const run *r = &solver->run;
    double most = 0.0;
    for (int32_t v = 0; v < r->n; v++) {
        double size = r->now.rtol[v] * fabs(r->y[v]) + r->now.atol[v];
        if (r->is_differential[v])
            most = fmax(most, fabs(r->y[v] - s->result->mesh_y[v]) / fmax(size, DBL_MIN));
    }
    return most;
}

/* Begin the next round.  Where the model has no start with the values that were found, they are
 * moved back towards those of the last round.                                    */
static daedal_status begin_near(model_collocation *c, const double *before)
{
    enum { HALVINGS = 8 };
    final_search *s = c->s;
    daedal_status status = begin(c);
    for (int k = 0; k < HALVINGS && before && failure_is(status, START_FAILURE); k++) {
        for (int32_t i = 0; i < s->n; i++)
            s->value[i] = 0.5 * (s->value[i] + before[i]);
        daedal_model_end(s->handle, NULL);
        status = begin(c);
    }
    return status;
}

daedal_status model_collocate(final_search *s)
{
    enum { ROUNDS = 12 };
    const double near = 10.0;
    daedal_status status = DAEDAL_OK;
    for (int k = 0; k < ROUNDS && status == DAEDAL_OK; k++) {
        model_collocation c = {.s = s};
        status = begin_near(&c, k > 0 ? s->before : NULL);
        if (status != DAEDAL_OK)
            return status;
        memcpy(s->before, s->value, (size_t)s->n * sizeof(double));
        if (k > 0 && distance(s, c.solver) <= near)
            return DAEDAL_OK; /* the run stays under way, for the rows */
        status = prepare(&c);
        if (status == DAEDAL_OK)
            status = solve(&c);
        end_round(&c);
        daedal_diagnosis kept = *s->why;
        daedal_model_end(s->handle, NULL);
        *s->why = kept;
    }
    if (status == DAEDAL_ERR_MEMORY)
        return fail(s->why, status, "out of memory for boundary values");
    return status != DAEDAL_OK
               ? status
               : fail(s->why, DAEDAL_ERR_NEWTON,
                      "the initial equations and the final conditions of the model could not be "
                      "met together");
}
