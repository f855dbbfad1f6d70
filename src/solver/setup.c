/* solver/setup.c - what must be known of a system before it can be solved. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "index/sparsity_probe.h"
#include "linalg/linsolver.h"
#include "linalg/vector.h"
#include "solver/distributed_run.h"
#include "solver/run.h"

/* ---- patterns ---- */

int run_call_residual(double t, const double *y, const double *yp, double *out, void *self)
{
    return evaluator_residual(self, t, y, yp, out);
}

double run_probe_span(const run *r, double t)
{
    double span = fmax(fabs(t), 1.0);
    return isnan(r->limits.t_stop)
               ? span
               : copysign(fmin(span, fabs(r->limits.t_stop - t)), r->limits.t_stop - t);
}

daedal_status run_probe(run *r, const run_start_values *at, double reach, pattern *dy, pattern *dyp)
{
    double span = run_probe_span(r, at->t);
    double *scale = memory_take_array(r->allocator, 2 * (size_t)r->n, sizeof(double));
    if (!scale)
        return DAEDAL_ERR_MEMORY;
    double *yp_scale = scale + r->n;
    for (int32_t i = 0; i < r->n; i++) {
        double size = fabs(at->y[i]) > 0.0 ? fabs(at->y[i]) : 1.0;
        scale[i] = reach * size;
        yp_scale[i] = fabs(at->yp[i]) > 0.0 ? fabs(at->yp[i]) : size;
    }
    probe_target target = {r->n, run_call_residual, &r->ev, scale, yp_scale, span};
    daedal_status status = probe_patterns(&target, at->t, at->y, at->yp, dy, dyp, r->allocator);
    memory_give(r->allocator, scale, 2 * (size_t)r->n * sizeof(double));
    return status;
}

static daedal_status explain_probe(run *r, daedal_status status)
{
    if (status == DAEDAL_ERR_MEMORY)
        return fail(&r->why, status, "out of memory while finding the sparsity pattern");
    if (status == DAEDAL_ERR_CALLBACK || status == DAEDAL_ERR_NOT_FINITE)
        return evaluator_explain(&r->ev, &r->why);
    return status;
}

/* Entries of p that are also in mask. */
static bool intersect(pattern *out, const daedal_pattern *p, const daedal_pattern *mask,
                      const daedal_allocator *a)
{
    if (!pattern_create(out, p->n_rows, p->n_cols, pattern_nnz(p), a))
        return false;
    int32_t count = 0;
    for (int32_t j = 0; j < p->n_cols; j++) {
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (pattern_find(mask, p->row[q], j) >= 0)
                out->row[count++] = p->row[q];
        out->start[j + 1] = count;
    }
    return true;
}

/* The patterns of dF/dy and dF/dy' from what was given, probing for the rest.  If nothing had to be
 * probed they are borrowed from the system. */
static daedal_status find_patterns(run *r, pattern *dy, pattern *dyp)
{
    const daedal_system *sys = &r->system.sys;
    const daedal_allocator *a = r->allocator;
    bool mass_form = evaluator_is_mass_form(&r->ev), fine = true;
    /* M(t, y) y' has entries of its own in dF/dy */
    bool complete = sys->jacobian || (mass_form && sys->mass_kind != DAEDAL_MASS_OF_STATE);
    if (sys->pattern && complete) {
        const daedal_pattern *second = mass_form          ? &r->ev.mass_pattern
                                       : sys->dyp_pattern ? sys->dyp_pattern
                                                          : sys->pattern;
        dy->view = *sys->pattern;
        dyp->view = *second;
        return DAEDAL_OK;
    }
    pattern found_dy = {0}, found_dyp = {0};
    run_start_values here = {.t = r->state.t, .y = r->y, .yp = r->yp};
    daedal_status status = run_probe(r, &here, 1.0, &found_dy, &found_dyp);
    if (status == DAEDAL_OK) {
        r->pattern_detected = true;
        r->index.patterns_are_new = !sys->pattern && !mass_form;
        if (sys->pattern && mass_form)
            fine = pattern_union(dy, sys->pattern, &found_dy.view, a);
        else
            fine = pattern_copy(dy, sys->pattern ? sys->pattern : &found_dy.view, a);
        if (mass_form)
            fine = fine && pattern_copy(dyp, &r->ev.mass_pattern, a);
        else if (sys->pattern)
            fine = fine && intersect(dyp, &found_dyp.view, sys->pattern, a);
        else
            fine = fine && pattern_copy(dyp, &found_dyp.view, a);
    }
    pattern_free(&found_dy);
    pattern_free(&found_dyp);
    return explain_probe(r, fine ? status : DAEDAL_ERR_MEMORY);
}

/* ---- structure ---- */

static daedal_status complain_variable(run *r, int32_t j)
{
    char name[96];
    fail(&r->why, DAEDAL_ERR_STRUCTURE, "the variable %s is in no equation",
         evaluator_variable_name(&r->system.sys, j, name, sizeof name));
    blame(&r->why, r->state.t, -1, j);
    hint(&r->why, "remove it, or add the equation that determines it");
    return DAEDAL_ERR_STRUCTURE;
}

static daedal_status complain_equation(run *r, int32_t i)
{
    char name[96];
    fail(&r->why, DAEDAL_ERR_STRUCTURE, "%s contains no variable",
         evaluator_equation_name(&r->system.sys, i, name, sizeof name));
    blame(&r->why, r->state.t, i, -1);
    return DAEDAL_ERR_STRUCTURE;
}

/* Every variable in some equation, every equation with some variable. */
static daedal_status check_structure(run *r)
{
    const daedal_pattern *p = &r->matrix.pattern.view;
    bool *seen = memory_take_array(r->allocator, (size_t)r->n, sizeof(bool));
    if (!seen)
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory");
    daedal_status status = DAEDAL_OK;
    for (int32_t j = 0; j < r->n && status == DAEDAL_OK; j++) {
        if (p->start[j] == p->start[j + 1])
            status = complain_variable(r, j);
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            seen[p->row[q]] = true;
    }
    for (int32_t i = 0; i < r->n && status == DAEDAL_OK; i++)
        if (!seen[i])
            status = complain_equation(r, i);
    memory_give(r->allocator, seen, (size_t)r->n * sizeof(bool));
    return status;
}

/* A variable is differential if its derivative occurs: by the user's word, else by the
 * values at the start of a given Jacobian or mass matrix, else by the pattern.  */
static daedal_status classify(run *r)
{
    const daedal_system *sys = &r->system.sys;
    bool by_value = sys->jacobian != NULL || sys->mass != NULL;
    if (by_value) {
        matrix_point at = {r->state.t, 1.0, r->y, r->yp, NULL, r->inverse_weight};
        int answer = matrix_evaluate(&r->matrix, &at);
        if (answer != DAEDAL_CALL_OK)
            return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : evaluator_explain(&r->ev, &r->why);
    }
    const daedal_pattern *part = &r->matrix.part[1].view;
    r->structure.n_differential = 0;
    for (int32_t j = 0; j < r->n; j++) {
        int32_t said = sys->variable_kind.at ? sys->variable_kind.at[j] : DAEDAL_KIND_DETECT;
        bool found = false;
        for (int32_t q = part->start[j]; q < part->start[j + 1]; q++)
            found = found || !by_value || r->matrix.dyp[r->matrix.part_at[1][q]] != 0.0;
        r->is_differential[j] = said == DAEDAL_KIND_DETECT ? found : said == DAEDAL_DIFFERENTIAL;
        r->kind[j] = r->is_differential[j] ? DAEDAL_DIFFERENTIAL : DAEDAL_ALGEBRAIC;
        r->variable_index[j] =
            sys->variable_index.at ? sys->variable_index.at[j] : !r->is_differential[j];
        r->structure.n_differential += r->is_differential[j];
    }
    return DAEDAL_OK;
}

daedal_status run_make_integrator(run *r)
{
    void *made = NULL;
    integ_context context = {.ev = &r->ev,
                             .matrix = &r->matrix,
                             .tolerances = &r->tolerances,
                             .options = &r->asked,
                             .method = r->now.method,
                             .constraint_method = r->now.constraint_method,
                             .arrival = r->now.arrival,
                             .is_differential = r->is_differential,
                             .variable_index = r->variable_index,
                             .constraints = &r->constraints,
                             .stats = &r->stats,
                             .limiters = &r->limiters,
                             .why = &r->why,
                             .allocator = r->allocator};
    r->structure.method = method_choose(r->now.method)->name;
    r->structure.method_reason = r->now.method_reason;
    r->structure.constraint_method = r->now.constraint_method;
    daedal_status status = r->method->create(&made, &context);
    if (status != DAEDAL_OK)
        return fail(&r->why, status, "out of memory for the method %s", r->method->name);
    if (r->integrator)
        r->method->destroy(r->integrator);
    r->integrator = made;
    return DAEDAL_OK;
}

daedal_status run_limit_gmres(run *r)
{
    bool asked = r->asked.linear_solver == LINSOLVER_GMRES || r->asked.own_preconditioner;
    if (asked || !r->matrix.inexact || !run_has_high_index(r))
        return DAEDAL_OK;
    matrix_use_factors(&r->matrix);
    run_describe_matrix(r);
    run_log(r, DAEDAL_LOG_INFO, "linear solver %s: the index is above one",
            r->structure.linear_solver);
    return run_make_integrator(r);
}

void run_note_linear_solver(run *r)
{
    daedal_structure *s = &r->structure;
    if (r->stats.direct_fallbacks == r->now.fallbacks_told)
        return;
    r->now.fallbacks_told = r->stats.direct_fallbacks;
    s->linear_solver = matrix_solver_name(&r->matrix);
    daedal_diagnosis told = {.t = r->state.t, .equation = -1, .variable = -1};
    snprintf(told.message, sizeof told.message,
             "gmres %s near t = %.10g with the preconditioner %s; the linear solver is now %s",
             r->matrix.is_too_slow ? "took too many iterations" : "did not converge", r->state.t,
             s->preconditioner ? s->preconditioner : "of real factors", s->linear_solver);
    snprintf(told.hint, sizeof told.hint,
             "another preconditioner, or a larger krylov_length, may keep gmres working");
    s->preconditioner = NULL;
    run_warn(r, &told);
}

void run_describe_matrix(run *r)
{
    const daedal_pattern *p = &r->matrix.pattern.view;
    daedal_structure *s = &r->structure;
    s->n = r->n;
    s->nnz = pattern_nnz(p);
    s->n_colours = r->matrix.colours.n_colours;
    pattern_band(p, &s->band_lower, &s->band_upper);
    s->variable_kind = r->kind;
    s->linear_solver = matrix_solver_name(&r->matrix);
    s->preconditioner = matrix_preconditioner_name(&r->matrix);
    s->pattern = *p;
}

daedal_status run_finish_set_up(run *r)
{
    run_describe_matrix(r);
    TRY(run_make_integrator(r));
    r->matrix_ready = true;
    return DAEDAL_OK;
}

static inexact_settings settings_of_gmres(const daedal_options *o)
{
    return (inexact_settings){.preconditioner = o->preconditioner,
                              .preconditioner_width = o->preconditioner_width,
                              .krylov_product = o->krylov_product,
                              .krylov_length = o->krylov_length,
                              .krylov_restarts = o->krylov_restarts,
                              .krylov_keep = o->krylov_keep,
                              .krylov_tolerance = o->krylov_tolerance,
                              .own_preconditioner = o->own_preconditioner};
}

/* Whether gmres may be chosen without being asked for: where the index can be expected to be at
 * most one, for methods that gain by it, and as long as it has not failed.           */
static bool may_iterate(const run *r)
{
    const daedal_ints *index = &r->system.sys.variable_index;
    bool by_bdf = r->asked.method == METHOD_AUTO || r->asked.method == METHOD_BDF;
    for (int32_t j = 0; j < index->n; j++)
        by_bdf = by_bdf && index->at[j] <= 1;
    return by_bdf && r->asked.linear_solver == LINSOLVER_AUTO && !r->asked.linsolver &&
           r->system.sys.n_constraints == 0;
}

/* The direct solver; *gmres: the other one is to be used, as the settings say. */
static const daedal_linsolver *choose_solver(const run *r, const daedal_pattern *both,
                                             linsolver_forecast *forecast,
                                             inexact_settings *settings, bool *gmres)
{
    const daedal_linsolver *solver = r->asked.linsolver;
    *forecast = (linsolver_forecast){0};
    if (!solver)
        solver = linsolver_choose_foretold(r->asked.linear_solver, both, forecast);
    *settings = settings_of_gmres(&r->asked);
    *gmres = r->asked.linear_solver == LINSOLVER_GMRES || r->asked.own_preconditioner;
    if (!*gmres && may_iterate(r) && linsolver_iteration_wins(both, forecast)) {
        *gmres = true;
        settings->iterations_worth = linsolver_worth_of_factors(both, forecast);
    }
    *gmres = *gmres && r->stats.direct_fallbacks == 0;
    *gmres = *gmres || run_is_distributed(r);
    return solver;
}

/* The run keeps its system as long as its matrix. */
static bool is_of_system(const run *r, const daedal_pattern *p)
{
    const daedal_system *s = &r->system.sys;
    return (s->pattern && p->row == s->pattern->row) ||
           (s->dyp_pattern && p->row == s->dyp_pattern->row);
}

daedal_status run_set_up_matrix(run *r, const daedal_pattern *dy, const daedal_pattern *dyp)
{
    pattern both = {0};
    if (!pattern_union(&both, dy, dyp, r->allocator))
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory");
    inexact_settings inexact;
    linsolver_forecast forecast;
    bool iterative;
    daedal_pattern first = matrix_first_block(&both.view, r->now.repeats);
    const daedal_linsolver *solver = choose_solver(r, &first, &forecast, &inexact, &iterative);
    pattern_free(&both);
    matrix_setup setup = {.ev = &r->ev,
                          .dy = dy,
                          .dyp = dyp,
                          .patterns_stay = is_of_system(r, dy) && is_of_system(r, dyp),
                          .solver = solver,
                          .allocator = r->allocator,
                          .is_watched = true,
                          .repeats = r->now.repeats,
                          .inexact = iterative ? &inexact : NULL,
                          .forecast = &forecast};
    daedal_status status = matrix_create(&r->matrix, &setup);
    linsolver_forecast_free(&forecast);
    if (status == DAEDAL_ERR_SINGULAR)
        return fail(&r->why, status,
                    "the equations are structurally singular: no one-to-one "
                    "assignment of equations to variables exists");
    if (status != DAEDAL_OK)
        return fail(&r->why, status, "the linear solver %s could not be set up", solver->name);
    return DAEDAL_OK;
}

/* Take the set-up apart again. */
static void tear_down(run *r)
{
    run_forget_correction(r);
    if (r->integrator)
        r->method->destroy(r->integrator);
    r->integrator = NULL;
    matrix_free(&r->matrix);
    r->matrix = (iteration_matrix){0};
    r->structure = (daedal_structure){.index = -1};
    r->matrix_ready = false;
}

static bool is_within(const daedal_pattern *p, const daedal_pattern *all)
{
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (pattern_find(all, p->row[q], j) < 0)
                return false;
    return true;
}

daedal_status run_refresh_pattern(run *r, bool *grown)
{
    pattern dy = {0}, dyp = {0};
    daedal_status status = find_patterns(r, &dy, &dyp);
    bool known = status == DAEDAL_OK && is_within(&dy.view, &r->matrix.part[0].view) &&
                 is_within(&dyp.view, &r->matrix.part[1].view);
    pattern_free(&dy);
    pattern_free(&dyp);
    *grown = status == DAEDAL_OK && !known;
    if (!*grown)
        return status;
    tear_down(r);
    return run_set_up(r);
}

daedal_status run_set_up(run *r)
{
    if (r->matrix_ready)
        return DAEDAL_OK;
    tear_down(r); /* what a failure to change it has left */
    pattern dy = {0}, dyp = {0};
    daedal_status status = find_patterns(r, &dy, &dyp);
    if (status == DAEDAL_OK)
        status = run_set_up_matrix(r, &dy.view, &dyp.view);
    pattern_free(&dy);
    pattern_free(&dyp);
    if (status == DAEDAL_OK)
        status = check_structure(r);
    if (status == DAEDAL_OK)
        status = classify(r);
    if (status == DAEDAL_OK)
        status = run_finish_set_up(r);
    if (status != DAEDAL_OK) {
        tear_down(r);
    } else {
        run_log(r, DAEDAL_LOG_INFO, "%d equations, %d entries, %d colours, linear solver %s",
                (int)r->n, (int)r->structure.nnz, (int)r->structure.n_colours,
                r->structure.linear_solver);
    }
    return status;
}
