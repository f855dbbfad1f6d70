/* simulate/run_options.c - see simulation.h: the options of the solver, and what the model does
 * after each of its steps.                                                             */
#include <math.h>

#include "base/choices.h"
#include "hybrid/discrete.h"
#include "simulate/invariant_watch.h"
#include "solver/method_choice.h"

static const double RESOLUTION = 1e-12; /* of the span: docs/decisions/015-event-resolution.md */
static const double LEVEL_FACTOR = 0.5; /* errors add up along the levels of constraints */

/* ---- after each step ---- */

/* The history of delay() grows with each step, also where an event follows. */
static daedal_status record_step(simulation *m, double t)
{
    if (delays_record(m->discrete, t) == DAEDAL_CALL_OK)
        return DAEDAL_OK;
    simulation_read_solver(m);
    return delays_check(m->discrete);
}

/* Asserts are checked after every step; at output points and events they are checked anyway. */
static daedal_status check_step(simulation *m, double t)
{
    if (m->flat->n_asserts > 0) {
        simulation_read_solver(m);
        TRY(discrete_check_asserts(m->discrete, false));
    }
    return invariants_check(m, t);
}

/* Steps end at rows of data that the last ones do not predict, and where the caller may write. */
void driver_limit_steps(driver *d, double t)
{
    double limit = inputs_next_knot(d->m->discrete, t);
    if (d->goal.is_exact)
        limit = fmin(limit, d->goal.t);
    if (t < d->pole.t_limit)
        limit = fmin(limit, d->pole.t_limit);
    solver_set_step_limit(d->m->discrete->solver, limit);
}

after_step_answer driver_after_step(accepted_step *step, void *user)
{
    driver *d = user;
    simulation *m = d->m;
    bool crossed = false;
    discrete_adopt_scales(m->discrete);
    discrete_note_step(m->discrete, step->at_event);
    driver_limit_steps(d, step->t);
    daedal_status status = record_step(m, step->t);
    if (status == DAEDAL_OK && !step->at_event) {
        crossed = singularity_step(m, step->t);
        status = crossed ? DAEDAL_OK : check_step(m, step->t); /* what is repeated need not hold */
    }
    if (status < 0) {
        *step->why = *m->why;
        return AFTER_STEP_FAIL;
    }
    if (crossed)
        return driver_handle_crossing(d, step);
    d->is_pinned = !step->at_event && discrete_count_pinned(m->discrete, step->t);
    return d->is_pinned ? AFTER_STEP_EVENT : AFTER_STEP_CONTINUE;
}

static int on_progress(const daedal_progress *where, void *user)
{
    const driver *d = user;
    const daedal_options *theirs = d->request->options;
    daedal_progress seen = *where;
    seen.t_end = d->request->t_stop;
    return theirs->progress(&seen, theirs->callback_user);
}

static void on_log(daedal_log_level level, const char *message, void *user)
{
    const driver *d = user;
    const daedal_options *theirs = d->request->options;
    const daedal_diagnosis *told = solver_last_warning(d->m->discrete->solver);
    if (theirs && theirs->log)
        theirs->log(level, message, theirs->callback_user);
    if (level == DAEDAL_LOG_WARNING)
        log_keep(d->m->log, told->cause, told->t, message);
}

/* ---- the options of the solver ---- */

/* The tolerances of the caller, else of the experiment.  atol is scaled by nominal values, unless
 * the caller has given it.                                                            */
static void set_tolerances(driver *d)
{
    const simulation *m = d->m;
    const flat_experiment *e = &m->flat->experiment;
    if (!d->request->options && e->has_tolerance && e->tolerance > 0.0 && e->tolerance < 1.0) {
        d->opt->rtol = e->tolerance;
        d->opt->atol = daedal_default_atol(e->tolerance);
    }
    if (m->reduced->n_constraints) {
        d->opt->rtol *= LEVEL_FACTOR;
        d->opt->atol *= LEVEL_FACTOR;
    }
    bool scaled = !d->request->options || d->request->scale_atol;
    for (int32_t j = 0; j < m->reduced->n_system; j++)
        d->atol[j] = d->opt->atol *
                     (scaled && m->compiled->nominal[j] > 0.0 ? m->compiled->nominal[j] : 1.0);
    d->opt->atol_each = (daedal_doubles){d->atol, m->reduced->n_system};
    d->opt->rtol_each = (daedal_doubles){0};
}

/* Delays need dense output, which restricts the choice of auto. */
static void choose_method(driver *d)
{
    if (d->opt->method != METHOD_AUTO || !d->m->discrete->delays)
        return;
    method_choice choice = method_for_delays();
    d->opt->method = choice.method;
    d->method_reason = choice.reason;
}

static void limit_steps(driver *d)
{
    double longest = delays_smallest(d->m->discrete); /* a step must not read its own values */
    if (isfinite(longest) && (d->opt->max_step == 0.0 || longest < d->opt->max_step))
        d->opt->max_step = longest;
    if (d->opt->event_resolution == 0.0)
        d->opt->event_resolution = RESOLUTION * fabs(d->request->t_stop - d->request->t_start);
}

static void derive_options(driver *d)
{
    simulation *m = d->m;
    const daedal_options *theirs = d->request->options;
    daedal_options_defaults(d->opt);
    if (theirs)
        *d->opt = *theirs;
    set_tolerances(d);
    choose_method(d);
    limit_steps(d);
    d->opt->constraint_method = compiled_constraint_method(m->compiled);
    d->opt->allocator = m->allocator;
    d->opt->progress = d->opt->progress ? on_progress : NULL;
    d->opt->log = on_log;
    d->opt->callback_user = d;
    m->discrete->rtol = d->opt->rtol;
    m->log->write = theirs ? theirs->log : NULL;
    m->log->user = theirs ? theirs->callback_user : NULL;
}

void driver_set_options(driver *d)
{
    derive_options(d);
    if (d->m->log->kept)
        d->m->log->kept->n = 0;
}

static void use_options(driver *d, const daedal_options *theirs)
{
    d->asked.options = theirs ? &d->theirs : NULL;
    if (theirs)
        d->theirs = *theirs;
    derive_options(d);
}

daedal_status simulation_set_options(simulation *m, const daedal_options *options)
{
    driver *d = m->driver;
    const daedal_options *given = d->asked.options;
    daedal_options theirs = d->theirs, wanted = options ? *options : (daedal_options){0};
    use_options(d, options ? &wanted : NULL);
    daedal_status status = daedal_solver_set_options(m->discrete->solver, d->opt);
    if (status == DAEDAL_OK) {
        discrete_read_state(m->discrete);
        return status;
    }
    daedal_diagnosis why = *daedal_solver_diagnosis(m->discrete->solver);
    use_options(d, given ? &theirs : NULL);
    *m->why = why;
    return status;
}
