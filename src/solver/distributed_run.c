/* solver/distributed_run.c - see distributed_run.h. */
#include "solver/distributed_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "consistent/held_states.h"
#include "linalg/vector.h"

/* ---- what is refused --------------------------------------------------------- */

static daedal_status refuse(daedal_diagnosis *why, const char *what, const char *instead)
{
    fail(why, DAEDAL_ERR_ARGUMENT, "a distributed run does not take %s", what);
    hint(why, "%s", instead);
    return DAEDAL_ERR_ARGUMENT;
}

static daedal_status check_system(const daedal_system *sys, daedal_diagnosis *why)
{
    if (sys->jacobian || sys->rhs_jacobian || sys->pattern)
        return refuse(
            why, "a Jacobian by entries or its pattern",
            "entries of other ranks' columns have no place in it: give own_preconditioner, "
            "and jacobian_product if you have it");
    if (sys->n_constraints > 0)
        return refuse(why, "constraints that are kept by projection",
                      "write them as equations, with multipliers, and use method = radau");
    if (sys->n_parameters > 0)
        return refuse(why, "parameters for sensitivities", "set n_parameters to 0");
    if (!sys->variable_kind.at)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "a distributed run needs system.variable_kind: which variables have a "
                    "derivative in F cannot be detected without entries of dF/dy'");
    for (int32_t j = 0; j < sys->variable_kind.n; j++)
        if (sys->variable_kind.at[j] == DAEDAL_KIND_DETECT)
            return fail(why, DAEDAL_ERR_ARGUMENT,
                        "a distributed run needs system.variable_kind; that of y[%d] is "
                        "DAEDAL_KIND_DETECT",
                        (int)j);
    return DAEDAL_OK;
}

static daedal_status check_options(const daedal_options *opt, daedal_diagnosis *why)
{
    bool by_gmres = opt->linear_solver == LINSOLVER_AUTO || opt->linear_solver == LINSOLVER_GMRES;
    bool is_bdf = opt->method == METHOD_AUTO || opt->method == METHOD_BDF ||
                  opt->method == METHOD_BDF_CLASSIC;
    if (!is_bdf && opt->method != METHOD_RADAU)
        return refuse(why, "this method", "use method = bdf or radau");
    if (!by_gmres || opt->linsolver)
        return refuse(why, "a direct linear solver of one process",
                      "use gmres; own_preconditioner may call a parallel direct solver");
    if (!opt->own_preconditioner && opt->preconditioner != PRECONDITIONER_NONE)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "a distributed run needs own_preconditioner: the others are made from entries "
                    "of the matrix (or preconditioner = none, for equations that are not stiff)");
    if (opt->krylov_product == PRODUCT_MATRIX)
        return refuse(why, "krylov_product = matrix", "use differences, or jacobian_product");
    if (opt->start == START_DERIVATIVES)
        return refuse(why, "start = derivatives", "use start = states, or given");
    if (opt->check_jacobian)
        return refuse(why, "check_jacobian", "check it on one process, with a smaller system");
    return DAEDAL_OK;
}

daedal_status distributed_check(const daedal_system *sys, const daedal_options *opt,
                                daedal_diagnosis *why)
{
    const daedal_parallel *p = opt->parallel;
    if (!p)
        return DAEDAL_OK;
    if (p->n_global < sys->n || p->offset < 0 || p->offset + sys->n > p->n_global)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "options.parallel: n = %d unknowns from offset %lld on do not fit in n_global "
                    "= %lld",
                    (int)sys->n, (long long)p->offset, (long long)p->n_global);
    TRY(check_system(sys, why));
    return check_options(opt, why);
}

daedal_status distributed_refuse(run *r, const char *what)
{
    if (!run_is_distributed(r))
        return DAEDAL_OK;
    return fail(&r->why, DAEDAL_ERR_ARGUMENT, "%s is not available in a distributed run", what);
}

/* ---- agreement --------------------------------------------------------------- */

/* Texts of ranks that take part become the last one in the order of their characters, six of which
 * go into a number exactly.  False: this rank had another one.                     */
static bool agree_on_text(const vector_space *all, char *text, size_t size, bool takes_part)
{
    enum { EACH = 6 };
    for (size_t at = 0; at < size; at += EACH) {
        double packed = 0.0;
        for (size_t i = at; i < at + EACH; i++)
            packed = 256.0 * packed + (i < size ? (double)(unsigned char)text[i] : 0.0);
        double last = space_max(all, takes_part ? packed : -1.0);
        takes_part = takes_part && packed == last;
        uint64_t bits = last > 0.0 ? (uint64_t)last : 0;
        for (size_t i = at + EACH; i-- > at; bits >>= 8)
            if (i < size)
                text[i] = (char)(bits & 255);
    }
    return takes_part;
}

/* The bytes behind the end of a text must not matter. */
static void clean(char *text, size_t size)
{
    size_t length = strlen(text);
    memset(text + length, 0, size - length);
}

daedal_status distributed_agree(const daedal_parallel *parallel, daedal_status status,
                                daedal_diagnosis *why)
{
    vector_space all = {.parallel = parallel};
    daedal_diagnosis none;
    if (!parallel)
        return status;
    double worst = space_min(&all, status < 0 ? (double)status : 0.0);
    if (worst == 0.0)
        return status;
    daedal_status agreed = isnan(worst) ? DAEDAL_ERR_CALLBACK : (daedal_status)(int)worst;
    why = why ? why : &none;
    if (isnan(worst))
        return fail(why, agreed, "a reduction over the ranks failed");
    bool takes_part = status == agreed;
    if (!takes_part)
        diagnosis_clear(why);
    clean(why->message, sizeof why->message);
    clean(why->hint, sizeof why->hint);
    takes_part = agree_on_text(&all, why->message, sizeof why->message, takes_part);
    agree_on_text(&all, why->hint, sizeof why->hint, takes_part);
    why->status = agreed;
    why->cause = (daedal_cause)(int)space_max(&all, takes_part ? (double)why->cause : 0.0);
    why->equation = (int32_t)space_max(&all, takes_part ? why->equation : -1.0);
    why->variable = (int32_t)space_max(&all, takes_part ? why->variable : -1.0);
    why->t = space_max(&all, takes_part && isfinite(why->t) ? why->t : -HUGE_VAL);
    why->t = isfinite(why->t) ? why->t : NAN;
    return agreed;
}

/* The values are the same on all ranks, but for their number -1 - *which. */
static bool all_same(const vector_space *all, double *values, int32_t count, int32_t *which)
{
    double other[2 * 64];
    for (int32_t i = 0; i < count; i++) {
        other[2 * i] = values[i];
        other[2 * i + 1] = -values[i];
    }
    space_reduce(all, other, 2 * count, DAEDAL_REDUCE_MAX);
    for (*which = 0; *which < count; (*which)++)
        if (other[2 * *which] != -other[2 * *which + 1])
            return false;
    return true;
}

/* What else must be the same, or some ranks would reduce what others do not. */
static daedal_status compare_systems(const vector_space *all, const daedal_system *sys,
                                     const daedal_options *opt, daedal_diagnosis *why)
{
    static const char *const names[] = {"system.n_events",
                                        "whether the system has bounds",
                                        "whether the system has jacobian_product",
                                        "whether the system is given by rhs",
                                        "the kind of the mass matrix",
                                        "the number of breakpoints",
                                        "the sum of the breakpoints",
                                        "options.parallel.n_global",
                                        "whether there is own_preconditioner"};
    enum { COUNT = sizeof names / sizeof *names };
    double sum = 0.0;
    int32_t which;
    for (int32_t i = 0; i < opt->breakpoints.n; i++)
        sum += opt->breakpoints.at[i];
    double values[COUNT] = {sys->n_events,
                            sys->lower.at || sys->upper.at,
                            sys->jacobian_product != NULL,
                            sys->rhs != NULL,
                            sys->mass ? 1 + sys->mass_kind : 0,
                            opt->breakpoints.n,
                            sum,
                            (double)opt->parallel->n_global,
                            opt->own_preconditioner != NULL};
    if (all_same(all, values, COUNT, &which))
        return DAEDAL_OK;
    return fail(why, DAEDAL_ERR_ARGUMENT, "the ranks differ in %s", names[which]);
}

/* Parts [offset, offset + n) that tile [0, n_global) have these two sums. */
static daedal_status compare_parts(const vector_space *all, const daedal_system *sys,
                                   daedal_diagnosis *why)
{
    const daedal_parallel *p = all->parallel;
    double n = sys->n, offset = (double)p->offset, total = (double)p->n_global;
    double sums[2] = {n, n * (2.0 * offset + n)};
    space_reduce(all, sums, 2, DAEDAL_REDUCE_SUM);
    if (sums[0] != total)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "the ranks have %.0f unknowns together; options.parallel.n_global is %.0f",
                    sums[0], total);
    if (fabs(sums[1] - total * total) > 1e-12 * total * total)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "options.parallel.offset: the parts of the ranks overlap or leave gaps");
    return DAEDAL_OK;
}

daedal_status distributed_compare(const daedal_system *sys, const daedal_options *opt,
                                  daedal_diagnosis *why)
{
#define X(type, name, value, low, high, choices, doc) #name,
    static const char *const names[] = {DAEDAL_OPTION_LIST(X)};
#undef X
#define X(type, name, value, low, high, choices, doc) (double)opt->name,
    double values[] = {DAEDAL_OPTION_LIST(X)};
#undef X
    vector_space all = {.n = sys->n, .parallel = opt->parallel};
    int32_t which;
    if (!opt->parallel)
        return DAEDAL_OK;
    if (!all_same(&all, values, (int32_t)(sizeof values / sizeof *values), &which))
        return fail(why, DAEDAL_ERR_ARGUMENT, "the ranks have different values of the option %s",
                    names[which]);
    TRY(compare_systems(&all, sys, opt, why));
    return compare_parts(&all, sys, why);
}

daedal_status distributed_same_time(run *r, double t, const char *name)
{
    int32_t which;
    double seen[2] = {isnan(t) ? 0.0 : t, isnan(t)};
    if (!run_is_distributed(r) || all_same(&r->ev.space, seen, 2, &which))
        return DAEDAL_OK;
    return fail(&r->why, DAEDAL_ERR_ARGUMENT, "the ranks were called with different values of %s",
                name);
}

/* ---- the start ---------------------------------------------------------------- */

static void classify(run *r)
{
    const daedal_system *sys = &r->system.sys;
    r->structure.n_differential = 0;
    for (int32_t j = 0; j < r->n; j++) {
        r->is_differential[j] = sys->variable_kind.at[j] == DAEDAL_DIFFERENTIAL;
        r->kind[j] = sys->variable_kind.at[j];
        r->variable_index[j] =
            sys->variable_index.at ? sys->variable_index.at[j] : !r->is_differential[j];
        r->structure.n_differential += r->is_differential[j];
    }
}

/* The matrix has no entries. */
static daedal_status set_up_here(run *r)
{
    pattern none = {0};
    if (!pattern_create(&none, r->n, r->n, 0, r->allocator))
        return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory");
    for (int32_t j = 0; j <= r->n; j++)
        none.start[j] = 0;
    daedal_status status = run_set_up_matrix(r, &none.view, &none.view);
    pattern_free(&none);
    if (status != DAEDAL_OK)
        return status;
    classify(r);
    return run_finish_set_up(r);
}

static daedal_status set_up(run *r)
{
    if (r->matrix_ready)
        return DAEDAL_OK;
    return distributed_agree(r->asked.parallel, set_up_here(r), &r->why);
}

static daedal_status check_index(run *r)
{
    int32_t highest = space_highest(&r->ev.space, r->variable_index);
    int32_t most = method_highest_index(r->now.method, r->asked.error_test);
    if (highest <= most)
        return DAEDAL_OK;
    fail(&r->why, DAEDAL_ERR_INDEX, "variable_index says %d; the method %s takes %d at most",
         (int)highest, r->method->name, (int)most);
    hint(&r->why, "use method = radau");
    return DAEDAL_ERR_INDEX;
}

/* Differential y stay, their y' and algebraic y are found; or everything stays as given.  With an
 * index above one hidden constraints would have to be known.                         */
static daedal_status find_values(run *r, bool yp_known)
{
    bool has_high_index = space_highest(&r->ev.space, r->variable_index) > 1;
    if ((r->asked.start == START_GIVEN || has_high_index) && yp_known)
        return DAEDAL_OK;
    if (has_high_index)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT,
                    "a distributed run of an index above one needs a consistent y0 and yp0: hidden "
                    "constraints cannot be found across ranks");
    held_states at = {.matrix = &r->matrix,
                      .t = r->state.t,
                      .scale = run_time_scale(r),
                      .y = r->y,
                      .yp = r->yp,
                      .is_held = r->is_differential,
                      .inverse_weight = r->inverse_weight,
                      .trial_y = r->y_before,
                      .trial_yp = r->yp_before,
                      .residual = r->work,
                      .weight = r->start.seen.y,
                      .why = &r->why};
    return start_with_states_held(&at);
}

static daedal_status begin_values(run *r, bool yp_known, bool after_event)
{
    evaluator_forget(&r->ev);
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    RETURN_UNLESS_OK(run_check_defined(r));
    RETURN_UNLESS_OK(find_values(r, yp_known));
    run_list_moved(r, yp_known);
    RETURN_UNLESS_OK(run_begin_events(r, after_event));
    return DAEDAL_OK;
}

daedal_status distributed_start(run *r, const run_start_values *from)
{
    if (from->y_mask)
        return distributed_refuse(r, "a start with masks");
    RETURN_UNLESS_OK(distributed_same_time(r, from->t, "t0"));
    r->started = r->at_event = false;
    r->fresh = true;
    r->limits.direction = r->start.h_before = 0.0;
    r->start.keeps_matrices = false;
    r->start.n_moved = 0;
    r->state.t = from->t;
    run_bring_values(r, from->y, from->yp);
    weights_begin(&r->tolerances, r->y);
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    RETURN_UNLESS_OK(set_up(r));
    RETURN_UNLESS_OK(check_index(r));
    RETURN_UNLESS_OK(begin_values(r, from->yp != NULL, false));
    r->started = true;
    return DAEDAL_OK;
}

daedal_status distributed_restart(run *r, const double *y, const double *yp)
{
    diagnosis_clear(&r->why);
    run_bring_values(r, y ? y : r->y, yp ? yp : r->yp);
    evaluator_begin_call(&r->ev);
    RETURN_UNLESS_OK(evaluator_end_call(&r->ev, begin_values(r, true, r->at_event)));
    if (!r->fresh && r->integrator)
        r->start.h_before = fabs(r->stats.h_last);
    r->fresh = true;
    r->stats.restarts++;
    return DAEDAL_OK;
}

/* ---- steps -------------------------------------------------------------------- */

/* What gave up is told by the method; add what it may be due to.  Within solves by GMRES an answer
 * of the user's functions shows as a solve that failed.                             */
static daedal_status explain(run *r, daedal_status status)
{
    const daedal_stats *s = &r->stats;
    status = evaluator_obey(&r->ev, &r->why, status);
    if (status != DAEDAL_ERR_NEWTON && status != DAEDAL_ERR_SINGULAR)
        return status;
    if (r->ev.trouble.answer == DAEDAL_CALL_RETRY)
        return evaluator_explain(&r->ev, &r->why);
    if (s->krylov_failures > 0)
        hint(&r->why,
             "gmres did not converge in %lld solves: a better preconditioner, or a larger "
             "krylov_length, may help",
             (long long)s->krylov_failures);
    return status;
}

daedal_status distributed_step(run *r, double limit)
{
    evaluator_forget_order(&r->ev);
    r->ev.trouble = (evaluator_trouble){.not_finite = -1, .number = -1};
    daedal_status status = r->method->step(r->integrator, limit);
    return status < 0 ? explain(r, status) : status;
}
