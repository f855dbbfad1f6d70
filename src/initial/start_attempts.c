/* initial/start_attempts.c - see start_problem.h: unknowns and slopes that satisfy the equations,
 * fixed values and initial equations.
 *
 * Without initial equations the states keep their start values, and the solver's own start
 * finds the rest.                                                               */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "compile/compiled.h"
#include "hybrid/discrete.h"
#include "initial/start_problem.h"
#include "initial/start_rows.h"

/* Is every condition the start value of a state? */
static bool is_plain(const start_problem *m)
{
    if (m->n_initial_rows || m->n_free)
        return false;
    for (int32_t j = 0; j < m->reduced->n; j++)
        if (m->start_fixed[j] && !m->reduced->differential[j])
            return false;
    return true;
}

static daedal_status hand_over(start_problem *m)
{
    daedal_status status =
        daedal_solver_start(m->discrete->solver, m->values->x[0], m->values->x + m->values->place.y,
                            m->values->x + m->values->place.yp);
    if (status == DAEDAL_OK) {
        discrete_read_state(m->discrete);
        return status;
    }
    *m->why = *daedal_solver_diagnosis(m->discrete->solver);
    compiled_explain(m->compiled, m->why);
    return status;
}

/* unknown = something known: true, with the place of the unknown and the value. */
static bool states_value(start_problem *m, expr side, expr other, uint32_t *slot, double *value)
{
    const expr_graph *g = &m->flat->graph;
    if (!expr_is_variable(g, side) || flat_kind(expr_index(g, side)) != FLAT_VALUE)
        return false;
    int32_t at = compiled_slot(m->compiled, expr_index(g, side));
    if (at < (int32_t)m->values->place.y || at >= (int32_t)m->values->place.yp ||
        !compiled_is_known(m->compiled, other))
        return false;
    *slot = (uint32_t)at;
    *value = compiled_evaluate(m->compiled, other);
    return isfinite(*value);
}

/* Initial equations that say what a value is are better guesses than start values. */
static void adopt_initials(start_problem *m)
{
    for (size_t k = 0; k < m->n_initial_rows; k++) {
        const flat_initial *i = &m->flat->initials[m->initial_of[k]];
        uint32_t slot = 0;
        double value = 0.0;
        if (!states_value(m, i->left, i->right, &slot, &value) &&
            !states_value(m, i->right, i->left, &slot, &value))
            continue;
        uint32_t j = slot - m->values->place.y;
        if (!m->start_fixed[j]) {
            m->start[j] = m->values->x[slot] = value;
            m->start_said[j] = true;
        }
    }
}

/* Guesses and relations that agree, so that no branch is taken whose condition is false. */
static daedal_status guess_forward(start_problem *m)
{
    enum { PASSES_MAX = 5 };
    uint64_t before = m->values->version + 1;
    for (int pass = 0; pass < PASSES_MAX && m->values->version != before; pass++) {
        before = m->values->version;
        start_forward(m);
        int answer = discrete_settle_values(m->discrete, true);
        if (answer != 0)
            return compiled_fail_call(m->compiled, answer);
    }
    return DAEDAL_OK;
}

/* ---- attempts ---- */

typedef enum attempt {
    AS_GIVEN,
    PERTURBED,     /* zeros that nobody has given moved away from zero            */
    WITHOUT_ZEROS, /* those that somebody has given, too                          */
    TOGETHER,      /* constraints with everything else, not level by level        */
    CONDITIONS,    /* the conditions led to their values, while the equations hold */
    ALONG_PATH,    /* all rows led to zero                                        */
    BESIDE,        /* from several other points                                   */
    N_ATTEMPTS = BESIDE + 6
} attempt;

/* A start of zero is often no more than the default of a library: it does not count. */
static void forget_zeros(start_problem *m)
{
    for (int32_t j = 0; j < m->reduced->n; j++)
        if (m->start[j] == 0.0 && !m->start_fixed[j])
            m->start_given[j] = false;
}

/* Where nothing is known, zero is the worst guess: lengths, sums and divisors vanish in it.
 * Different values for all, so that differences do not vanish instead (docs/theory/start.md). */
static daedal_status leave_zero(start_problem *m)
{
    const int32_t *bound =
        m->reduced->n_constraints ? m->compiled->constraints->pattern.view.start : NULL;
    uint64_t random = RANDOM_SEED;
    for (int32_t j = 0; j < m->reduced->n; j++) {
        double *y = &m->values->x[m->values->place.y + (uint32_t)j],
               unit = m->compiled->nominal[j] > 0.0 ? m->compiled->nominal[j] : 1.0;
        double part = random_uniform(&random, 0.5, 1.5);
        /* free states keep their zeros: moved, they would be other states */
        bool movable = !m->reduced->differential[j] || (bound && bound[j + 1] > bound[j]);
        if (*y == 0.0 && movable && !m->start_given[j] && !m->start_fixed[j])
            *y = 0.1 * unit * part;
    }
    int answer =
        discrete_settle_values(m->discrete, true); /* what is compared with zero goes along */
    return answer == 0 ? DAEDAL_OK : compiled_fail_call(m->compiled, answer);
}

static daedal_status solve_rows(start_problem *m, attempt how)
{
    if (how >= BESIDE)
        return start_rows_solve_beside(m, (int)(how - BESIDE));
    if (how >= CONDITIONS)
        return start_rows_follow(m, how == CONDITIONS);
    return start_rows_solve(m);
}

static daedal_status solve_start(start_problem *m, attempt how)
{
    adopt_initials(m);
    if (how == WITHOUT_ZEROS || how == TOGETHER)
        forget_zeros(m);
    for (int32_t j = 0; j < m->reduced->n; j++) /* what the last pass found is the best guess */
        if (m->reduced->differential[j] || how != AS_GIVEN)
            m->values->x[m->values->place.y + (uint32_t)j] = m->start[j];
    if (how != AS_GIVEN)
        TRY(leave_zero(m));
    if (how < CONDITIONS)
        TRY(guess_forward(m));
    if (m->reduced->n_constraints && how < TOGETHER) {
        TRY(start_meet_constraints(m));
        TRY(guess_forward(m)); /* what follows from the states as they are now */
    }
    for (int32_t j = 0; j < m->reduced->n; j++)
        if (m->start_fixed[j])
            m->values->x[m->values->place.y + (uint32_t)j] = m->start[j];
    if (!is_plain(m) || how >= TOGETHER)
        TRY(solve_rows(m, how));
    return hand_over(m);
}

/* A solution that lies elsewhere may not be the one that was meant. */
static void tell_how(const start_problem *m, attempt how)
{
    char message[240];
    if (how < CONDITIONS || !m->log->write)
        return;
    snprintf(
        message, sizeof message,
        "no solution near the start values at t = %.10g; one farther away was found %s: check that "
        "it is the intended one",
        m->values->x[0],
        how == CONDITIONS   ? "by continuation of the initial conditions"
        : how == ALONG_PATH ? "by continuation from the start values"
                            : "from another starting point");
    log_warning(m->log, message);
}

static bool may_try_again(daedal_status status)
{
    return status < 0 && status != DAEDAL_ERR_MEMORY && status != DAEDAL_ERR_CALLBACK;
}

/* What an attempt changes. */
typedef struct guesses {
    size_t n_x, n_given;
    double *x;
    bool *given;
    block mem;
} guesses;

static void lay_out(void *object, layout *l)
{
    guesses *g = object;
    g->x = layout_take(l, g->n_x, sizeof *g->x);
    g->given = layout_take(l, g->n_given, sizeof *g->given);
}

static void restore(start_problem *m, const guesses *g)
{
    memcpy(m->values->x, g->x, g->n_x * sizeof *g->x);
    memcpy(m->start_given, g->given, g->n_given * sizeof *g->given);
    m->values->version++;
}

static daedal_status complain(start_problem *m, const guesses *g, const daedal_diagnosis *why)
{
    daedal_status status = why->status;
    restore(m, g);
    *m->why = *why;
    if (may_try_again(status))
        status = start_rows_explain(m, status);
    restore(m, g);
    return status;
}

/* The first attempt that leads to a start; the complaint is that of the first one. */
daedal_status start_solve(start_problem *m)
{
    guesses g = {.n_x = m->values->place.n, .n_given = (size_t)m->reduced->n_system};
    if (!block_create(&g.mem, m->allocator, lay_out, &g))
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for the start");
    memcpy(g.x, m->values->x, g.n_x * sizeof *g.x);
    memcpy(g.given, m->start_given, g.n_given * sizeof *g.given);
    daedal_status status = solve_start(m, AS_GIVEN);
    daedal_diagnosis why = *m->why;
    why.status = status;
    for (attempt how = PERTURBED; how < N_ATTEMPTS && may_try_again(status); how++) {
        restore(m, &g);
        status = solve_start(m, how);
        if (status == DAEDAL_OK)
            tell_how(m, how);
    }
    memcpy(m->start_given, g.given, g.n_given * sizeof *g.given);
    if (status < 0)
        status = complain(m, &g, &why);
    block_free(&g.mem);
    return status;
}
