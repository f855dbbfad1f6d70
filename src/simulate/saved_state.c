/* simulate/saved_state.c - see simulation.h: everything that a run changes, saved and restored.
 *
 * The solver is cloned; the rest is bytes, which each part names itself (base/state_copy.h). Values
 * that are restored get a new version, so that no program takes them for others that it has seen,
 * and what was known for the version that was saved is known for the new one.            */
#include "simulate/invariant_watch.h"

struct saved_state {
    const daedal_allocator *allocator;
    const simulation *of;
    uint64_t run;              /* it belongs to */
    daedal_simulation request; /* of that run   */
    daedal_solver *solver;     /* a clone       */
    uint64_t version, watch_version, jacobian_version, timed_version;
    unsigned char *bytes;
    size_t n;
};

/* ---- the parts ---- */

/* What options point to belongs to the run that they are options of. */
static void keep_pointers(daedal_options *to, const daedal_options *mine)
{
    to->rtol_each = mine->rtol_each;
    to->atol_each = mine->atol_each;
    to->breakpoints = mine->breakpoints;
    to->linsolver = mine->linsolver;
    to->own_preconditioner = mine->own_preconditioner;
    to->allocator = mine->allocator;
    to->progress = mine->progress;
    to->log = mine->log;
    to->callback_user = mine->callback_user;
}

static void copy_options(daedal_options *o, state_copy *s)
{
    daedal_options mine = *o;
    STATE_COPY(s, *o);
    keep_pointers(o, &mine);
}

static void copy_driver(driver *d, state_copy *s)
{
    STATE_COPY(s, d->goal);
    STATE_COPY(s, d->next);
    STATE_COPY(s, d->events);
    STATE_COPY(s, d->n_close_events);
    STATE_COPY(s, d->t_event);
    STATE_COPY(s, d->jump_is_told);
    STATE_COPY(s, d->stopped);
    STATE_COPY(s, d->is_pinned);
    STATE_COPY(s, d->t_branch_end);
    STATE_COPY(s, d->n_branch_checks);
    STATE_COPY(s, d->t_repeated);
    STATE_COPY(s, d->pole);
    STATE_COPY(s, d->t_threshold);
    STATE_COPY(s, d->timed);
    STATE_COPY(s, d->largest_residual);
    copy_options(&d->theirs, s);
    copy_options(&d->own, s);
    state_copy_bytes(s, d->atol, (size_t)d->m->reduced->n_system * sizeof(double));
}

static void copy_all(simulation *m, state_copy *s)
{
    copy_driver(m->driver, s);
    compiled_copy_state(m->compiled, s);
    discrete_copy_state(m->discrete, s);
    corners_copy_state(m->corners, s);
    singularity_copy_state(m, s);
    invariants_copy_state(m, s);
}

/* ---- the whole ---- */

static daedal_status clone_solver(const simulation *m, daedal_solver **copy,
                                  const daedal_solver *from)
{
    daedal_status status = daedal_solver_clone(copy, from);
    if (status == DAEDAL_OK)
        status = solver_copy_hooks(*copy, from);
    if (status == DAEDAL_OK)
        return status;
    daedal_solver_free(*copy);
    *copy = NULL;
    return fail(m->why, status, "out of memory for the state of a run");
}

static daedal_status save(simulation *m, saved_state *to)
{
    state_copy s = {.action = STATE_MEASURE};
    copy_all(m, &s);
    to->bytes = memory_take(m->allocator, s.n);
    if (!to->bytes)
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for the state of a run");
    to->n = s.n;
    s = (state_copy){.action = STATE_SAVE, .bytes = to->bytes};
    copy_all(m, &s);
    to->version = m->values->version;
    to->watch_version = m->watch->version;
    to->jacobian_version = m->compiled->jacobian->version;
    to->timed_version = m->driver->goal.timed_version;
    return clone_solver(m, &to->solver, m->discrete->solver);
}

daedal_status simulation_save(simulation *m, saved_state **state)
{
    saved_state *to = *state = memory_take(m->allocator, sizeof *to);
    if (!to)
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for the state of a run");
    *to = (saved_state){
        .allocator = m->allocator, .of = m, .run = m->run, .request = *m->driver->request};
    daedal_status status = save(m, to);
    if (status != DAEDAL_OK) {
        saved_state_free(to);
        *state = NULL;
    }
    return status;
}

static uint64_t translated(uint64_t was, uint64_t saved, uint64_t now)
{
    return was == saved ? now : 0;
}

/* A state of another instance of the model fits if everything that is saved has the same size, and
 * the runs are the same.                                                         */
static daedal_status check_other(simulation *m, const saved_state *from)
{
    const daedal_simulation *a = m->driver->request, *b = &from->request;
    state_copy s = {.action = STATE_MEASURE};
    copy_all(m, &s);
    if (s.n != from->n && !m->discrete->delays)
        return fail(m->why, DAEDAL_ERR_ARGUMENT, "the state is that of another model");
    if (a->t_start != b->t_start || a->t_stop != b->t_stop || a->intervals != b->intervals ||
        a->times.n != b->times.n || a->every_step != b->every_step)
        return fail(m->why, DAEDAL_ERR_ARGUMENT,
                    "the state is that of a run with other times, %.10g to %.10g", b->t_start,
                    b->t_stop);
    return DAEDAL_OK;
}

daedal_status simulation_restore(simulation *m, const saved_state *from)
{
    daedal_solver *solver = NULL;
    if (from->of != m)
        TRY(check_other(m, from));
    else if (from->run != m->run)
        return fail(m->why, DAEDAL_ERR_ARGUMENT,
                    "the state belongs to another run, which has ended");
    TRY(clone_solver(m, &solver, from->solver));
    if (from->of != m)
        solver_adopt_hooks(solver, m->discrete->solver);
    uint64_t now = m->values->version + 1;
    state_copy s = {.action = STATE_RESTORE, .bytes = from->bytes};
    copy_all(m, &s);
    if (s.failed) {
        daedal_solver_free(solver);
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory while a state is restored");
    }
    daedal_solver_free(m->discrete->solver);
    m->discrete->solver = solver;
    m->values->version = now;
    m->watch->version = translated(from->watch_version, from->version, now);
    m->compiled->jacobian->version = translated(from->jacobian_version, from->version, now);
    m->driver->goal.timed_version = translated(from->timed_version, from->version, now);
    return DAEDAL_OK;
}

void saved_state_free(saved_state *state)
{
    if (!state)
        return;
    const daedal_allocator *a = state->allocator;
    daedal_solver_free(state->solver);
    memory_give(a, state->bytes, state->n);
    memory_give(a, state, sizeof *state);
}
