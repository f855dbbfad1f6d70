/* api/solver.c - the solver handle: argument checks, then run/. */
#include <math.h>

#include "api/options.h"
#include "api/system_check.h"
#include "base/status.h"
#include "solver/distributed_run.h"
#include "solver/run.h"
#include "solver/sensitivity.h"

#define STRINGIFY(x) #x
#define VERSION_TEXT(major, minor, patch) STRINGIFY(major) "." STRINGIFY(minor) "." STRINGIFY(patch)

const char *daedal_version(void)
{
    return VERSION_TEXT(DAEDAL_VERSION_MAJOR, DAEDAL_VERSION_MINOR, DAEDAL_VERSION_PATCH);
}

static daedal_solver *allocate(const daedal_allocator *a)
{
    daedal_solver *s = memory_take(a, sizeof *s);
    if (s)
        s->allocator = a ? *a : memory_default;
    return s;
}

/* As far as this process is concerned. */
static daedal_status create_here(daedal_solver **solver, const daedal_system *system,
                                 daedal_options opt, daedal_diagnosis *why)
{
    if (!system)
        return fail(why, DAEDAL_ERR_ARGUMENT, "system is NULL");
    TRY(system_check(system, why));
    TRY(options_check(&opt, system, why));
    TRY(distributed_check(system, &opt, why));
    daedal_solver *s = allocate(opt.allocator);
    if (!s)
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory");
    opt.allocator = &s->allocator;
    daedal_status status = run_create(&s->run, system, &opt);
    if (status == DAEDAL_OK) {
        *solver = s;
        return status;
    }
    if (why)
        *why = s->run.why;
    daedal_solver_free(s);
    return status;
}

daedal_status daedal_solver_create(daedal_solver **solver, const daedal_system *system,
                                   const daedal_options *options, daedal_diagnosis *why)
{
    daedal_options opt;
    diagnosis_clear(why);
    if (!solver)
        return fail(why, DAEDAL_ERR_ARGUMENT, "solver is NULL");
    *solver = NULL;
    daedal_options_defaults(&opt);
    if (options)
        opt = *options;
    if (opt.parallel && !opt.parallel->reduce)
        return fail(why, DAEDAL_ERR_ARGUMENT, "options.parallel has no function reduce");
    daedal_status status = create_here(solver, system, opt, why);
    if (!opt.parallel)
        return status;
    status = distributed_agree(opt.parallel, status, why);
    if (status == DAEDAL_OK)
        status = distributed_compare(system, &opt, why);
    if (status != DAEDAL_OK) {
        daedal_solver_free(*solver);
        *solver = NULL;
    }
    return status;
}

void daedal_solver_free(daedal_solver *solver)
{
    if (!solver)
        return;
    daedal_allocator a = solver->allocator;
    run_free(&solver->run);
    memory_give(&a, solver, sizeof *solver);
}

daedal_status daedal_solver_clone(daedal_solver **copy, const daedal_solver *solver)
{
    if (!copy)
        return DAEDAL_ERR_ARGUMENT;
    *copy = NULL;
    if (!solver || run_is_distributed(&solver->run))
        return DAEDAL_ERR_ARGUMENT;
    daedal_solver *s = allocate(&solver->allocator);
    if (!s)
        return DAEDAL_ERR_MEMORY;
    daedal_status status = run_clone(&s->run, &solver->run, &s->allocator);
    if (status == DAEDAL_OK)
        *copy = s;
    else
        daedal_solver_free(s);
    return status;
}

/* Show the state to an observer, if the call has succeeded. */
static daedal_status observed(const daedal_solver *s, daedal_status status, daedal_row_kind kind)
{
    if (s->observer.call && status >= 0 && status != DAEDAL_STOPPED)
        s->observer.call(kind, &s->run.state, s->observer.user);
    return status;
}

static daedal_status check_start_here(run *r, double t0, const double *y0, const double *yp0)
{
    diagnosis_clear(&r->why);
    if (!isfinite(t0))
        return fail(&r->why, DAEDAL_ERR_ARGUMENT, "t0 is %g", t0);
    if (!y0)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT, "y0 is NULL");
    char name[96];
    for (int32_t i = 0; i < r->n; i++) {
        bool bad = !isfinite(y0[i]), bad_slope = yp0 && !isfinite(yp0[i]);
        if (!bad && !bad_slope)
            continue;
        fail(&r->why, DAEDAL_ERR_ARGUMENT, "the start value of %s%s is not finite",
             evaluator_variable_name(&r->system.sys, i, name, sizeof name), bad ? "" : "'");
        blame(&r->why, t0, -1, i);
        hint(&r->why, "look where it is computed: a quotient by zero, a root or logarithm outside "
                      "its domain");
        set_cause(&r->why, DAEDAL_CAUSE_DOMAIN_ERROR);
        return DAEDAL_ERR_ARGUMENT;
    }
    return DAEDAL_OK;
}

static daedal_status check_start(run *r, double t0, const double *y0, const double *yp0)
{
    daedal_status status = check_start_here(r, t0, y0, yp0);
    return distributed_agree(r->asked.parallel, status, &r->why);
}

daedal_status daedal_solver_start(daedal_solver *solver, double t0, const double *y0,
                                  const double *yp0)
{
    if (!solver)
        return DAEDAL_ERR_ARGUMENT;
    TRY(check_start(&solver->run, t0, y0, yp0));
    sensitivities_reset(&solver->run);
    run_start_values from = {t0, y0, yp0, NULL, NULL};
    return observed(solver, run_start(&solver->run, &from), DAEDAL_ROW_POINT);
}

static daedal_status check_mask(run *r, const char *name, daedal_ints mask)
{
    if (!mask.at || mask.n != r->n)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT, "%s has %d entries; the system has %d variables",
                    name, (int)mask.n, (int)r->n);
    for (int32_t i = 0; i < mask.n; i++)
        if (mask.at[i] < DAEDAL_FREE || mask.at[i] > DAEDAL_FIXED)
            return fail(&r->why, DAEDAL_ERR_ARGUMENT, "%s[%d] is %d", name, (int)i,
                        (int)mask.at[i]);
    return DAEDAL_OK;
}

daedal_status daedal_solver_start_masked(daedal_solver *solver, double t0, const double *y0,
                                         const double *yp0, daedal_ints y_mask, daedal_ints yp_mask)
{
    if (!solver)
        return DAEDAL_ERR_ARGUMENT;
    TRY(check_start(&solver->run, t0, y0, yp0));
    TRY(check_mask(&solver->run, "y_mask", y_mask));
    TRY(check_mask(&solver->run, "yp_mask", yp_mask));
    sensitivities_reset(&solver->run);
    run_start_values from = {t0, y0, yp0, y_mask.at, yp_mask.at};
    return observed(solver, run_start(&solver->run, &from), DAEDAL_ROW_POINT);
}

daedal_status daedal_solver_restart(daedal_solver *solver, const double *y, const double *yp)
{
    if (!solver)
        return DAEDAL_ERR_ARGUMENT;
    run *r = &solver->run;
    if (!r->started)
        return fail(&r->why, DAEDAL_ERR_CALL_SEQUENCE, "the run has no start yet");
    TRY(check_start(r, r->state.t, y ? y : r->y, yp));
    return observed(solver, run_restart(r, y, yp), DAEDAL_ROW_AFTER_EVENT);
}

daedal_status daedal_solver_advance(daedal_solver *solver, double t_out)
{
    if (!solver)
        return DAEDAL_ERR_ARGUMENT;
    daedal_status status = run_advance(&solver->run, t_out);
    return observed(solver, status,
                    status == DAEDAL_EVENT ? DAEDAL_ROW_BEFORE_EVENT : DAEDAL_ROW_POINT);
}

daedal_status daedal_solver_step(daedal_solver *solver, double t_limit)
{
    return solver ? run_step(&solver->run, t_limit) : DAEDAL_ERR_ARGUMENT;
}

daedal_status daedal_solver_set_stop_time(daedal_solver *solver, double t_stop)
{
    return solver ? run_set_stop_time(&solver->run, t_stop) : DAEDAL_ERR_ARGUMENT;
}

daedal_status daedal_solver_set_options(daedal_solver *solver, const daedal_options *options)
{
    if (!solver)
        return DAEDAL_ERR_ARGUMENT;
    run *r = &solver->run;
    diagnosis_clear(&r->why);
    TRY(distributed_refuse(r, "daedal_solver_set_options"));
    if (!options)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT, "options is NULL");
    TRY(options_check(options, &r->system.sys, &r->why));
    const char *fixed = options_fixed(&r->asked, options);
    if (fixed)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT,
                    "option %s cannot change in a run: begin another one with it", fixed);
    return run_set_options(r, options);
}

daedal_status daedal_solver_interpolate(daedal_solver *solver, double t, double *y, double *yp)
{
    return solver ? run_interpolate(&solver->run, t, y, yp) : DAEDAL_ERR_ARGUMENT;
}

daedal_status daedal_solver_evaluate(daedal_solver *solver, double t, double *y, double *yp)
{
    return solver ? run_evaluate(&solver->run, t, y, yp) : DAEDAL_ERR_ARGUMENT;
}

daedal_status daedal_solver_sensitivity(daedal_solver *solver, int32_t i, const double **s,
                                        const double **sp)
{
    return solver ? sensitivities_show(&solver->run, i, s, sp) : DAEDAL_ERR_ARGUMENT;
}

daedal_status daedal_solver_set_sensitivity(daedal_solver *solver, int32_t i, const double *s)
{
    return solver ? sensitivities_set(&solver->run, i, s) : DAEDAL_ERR_ARGUMENT;
}

daedal_status daedal_solver_event_sensitivity(daedal_solver *solver, int32_t event,
                                              double *derivatives)
{
    if (!solver)
        return DAEDAL_ERR_ARGUMENT;
    if (!derivatives)
        return fail(&solver->run.why, DAEDAL_ERR_ARGUMENT, "no room for the derivatives");
    return sensitivities_of_event(&solver->run, event, derivatives);
}

daedal_status daedal_solver_derived(daedal_solver *solver, daedal_quantity_fn *quantity, int32_t n,
                                    double *derivatives, void *user)
{
    if (!solver)
        return DAEDAL_ERR_ARGUMENT;
    if (!quantity || n < 1 || !derivatives)
        return fail(&solver->run.why, DAEDAL_ERR_ARGUMENT, "%s",
                    n < 1 ? "the number of quantities must be at least 1"
                          : "the function of the quantities or its result is NULL");
    sensitivity_quantities q = {quantity, n, user, derivatives};
    return sensitivities_derive(&solver->run, &q);
}

daedal_status daedal_solver_check_jacobian(daedal_solver *solver)
{
    if (!solver)
        return DAEDAL_ERR_ARGUMENT;
    run *r = &solver->run;
    diagnosis_clear(&r->why);
    TRY(distributed_refuse(r, "a comparison of Jacobians"));
    if (!r->started)
        return fail(&r->why, DAEDAL_ERR_CALL_SEQUENCE, "the run has no start yet");
    return run_check_jacobian(r);
}

const daedal_state *daedal_solver_state(const daedal_solver *solver)
{
    return solver ? &solver->run.state : NULL;
}

const daedal_stats *daedal_solver_stats(const daedal_solver *solver)
{
    return solver ? &solver->run.stats : NULL;
}

const daedal_stats *daedal_solver_sensitivity_stats(const daedal_solver *solver)
{
    return solver ? sensitivities_stats(&solver->run) : NULL;
}

const daedal_diagnosis *daedal_solver_diagnosis(const daedal_solver *solver)
{
    if (!solver)
        return NULL;
    const run *r = &solver->run;
    bool only_warned = r->why.status >= 0 && r->warned.cause != DAEDAL_CAUSE_NONE;
    return only_warned ? &r->warned : &r->why;
}

const daedal_structure *daedal_solver_structure(const daedal_solver *solver)
{
    return solver ? &solver->run.structure : NULL;
}

const daedal_moved *daedal_solver_moved(const daedal_solver *solver, int32_t *count)
{
    if (count)
        *count = solver ? solver->run.start.n_moved : 0;
    return solver ? solver->run.start.moved : NULL;
}

/* Give the entries of a list the names that the system has. */
static int32_t name_all(daedal_limiter *list, int32_t n, const char *const *names)
{
    for (int32_t k = 0; k < n && names; k++)
        list[k].name = names[list[k].number];
    return n;
}

int32_t daedal_solver_limiting_variables(const daedal_solver *solver, daedal_limiter *list,
                                         int32_t most)
{
    if (!solver || !list || most < 0)
        return 0;
    const run *r = &solver->run;
    return name_all(list, limiters_rank_variables(&r->limiters, list, most),
                    r->system.sys.variable_names);
}

int32_t daedal_solver_limiting_equations(const daedal_solver *solver, daedal_limiter *list,
                                         int32_t most)
{
    if (!solver || !list || most < 0)
        return 0;
    const run *r = &solver->run;
    return name_all(list, limiters_rank_equations(&r->limiters, list, most),
                    r->system.sys.equation_names);
}

/* y' = 0 where none is given. */
static daedal_status find_index(run *r, double t, const double *y, const double *yp)
{
    size_t n = (size_t)r->n;
    double *zero = yp ? NULL : memory_take_array(r->allocator, n, sizeof(double));
    if (!yp && !zero)
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory");
    daedal_status status = run_find_index(r, t, y, yp ? yp : zero);
    memory_give(r->allocator, zero, yp ? 0 : n * sizeof(double));
    return status;
}

daedal_status daedal_solver_analyze(daedal_solver *solver, double t, const double *y,
                                    const double *yp, daedal_analysis *analysis)
{
    if (!solver)
        return DAEDAL_ERR_ARGUMENT;
    run *r = &solver->run;
    TRY(distributed_refuse(r, "the analysis of the index"));
    TRY(check_start(r, t, y, yp));
    if (!analysis)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT, "analysis is NULL");
    int64_t before = r->stats.residuals;
    daedal_status status = find_index(r, t, y, yp);
    if (status != DAEDAL_OK)
        return status;
    const index_answer *x = &r->index.answer;
    *analysis = (daedal_analysis){.index = x->index,
                                  .grade = "ABCD"[x->grade],
                                  .structural_index = x->structural,
                                  .degrees_of_freedom = x->freedom,
                                  .variable_index = x->variable_index,
                                  .chain = r->index.chain,
                                  .reason = r->index.reason,
                                  .residuals = r->stats.residuals - before};
    return DAEDAL_OK;
}

daedal_status daedal_solver_pencil(daedal_solver *solver, double t, const double *y,
                                   const double *yp, double *e, double *a)
{
    if (!solver)
        return DAEDAL_ERR_ARGUMENT;
    run *r = &solver->run;
    TRY(distributed_refuse(r, "the pencil"));
    TRY(check_start(r, t, y, yp));
    if (!e || !a)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT, "a matrix of the pencil is NULL");
    size_t n = (size_t)r->n;
    double *zero = yp ? NULL : memory_take_array(r->allocator, n, sizeof(double));
    if (!yp && !zero)
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory");
    daedal_status status = run_find_pencil(r, t, y, yp ? yp : zero, e, a);
    memory_give(r->allocator, zero, yp ? 0 : n * sizeof(double));
    return status;
}
