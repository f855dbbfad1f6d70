/* initial/start_attempts.c - see start_problem.h: unknowns and slopes that satisfy the equations,
 * fixed values and initial equations.
 *
 * Without initial equations the states keep their start values, and the start of the solver
 * determines the rest.                                                               */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "compile/compiled.h"
#include "hybrid/discrete.h"
#include "initial/start_problem.h"
#include "initial/start_rows.h"

static const double PERTURBATION = 0.1; /* of the nominal value */

/* True if all conditions are start values of states. */
static bool is_plain(const start_problem *m)
{
    if (m->n_initial_rows || m->n_free)
        return false;
    for (int32_t j = 0; j < m->reduced->n; j++)
        if (m->start_fixed[j] && !m->reduced->differential[j])
            return false;
    return true;
}

/* Whether the start of the solver has left the fixed states where they are in x.  Constraints that
 * the structure shows have been satisfied before. */
static bool fixed_states_stay(const start_problem *m)
{
    const double *y = m->values->x + m->values->place.y;
    const double *started = daedal_solver_state(m->discrete->solver)->y;
    for (int32_t j = 0; j < m->reduced->n && m->reduced->n_constraints == 0; j++) {
        double size =
            fmax(fabs(y[j]), m->compiled->nominal[j] > 0.0 ? m->compiled->nominal[j] : 1.0);
        if (m->start_fixed[j] && !(fabs(started[j] - y[j]) <= m->discrete->rtol * size))
            return false;
    }
    return true;
}

/* Constraints of a mode that no structure shows, as of a contact that may open, are found by the
 * solver, which may move any state onto them.  What is fixed in the model is not to move. */
static daedal_status start_masked(start_problem *m)
{
    int32_t n = m->reduced->n_system;
    int32_t *masks = memory_take_array(m->allocator, 2 * (size_t)n, sizeof *masks);
    if (!masks)
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory at the start");
    for (int32_t j = 0; j < n; j++) {
        bool is_state = j < m->reduced->n && m->reduced->differential[j];
        masks[j] = !is_state ? DAEDAL_FREE : m->start_fixed[j] ? DAEDAL_FIXED : DAEDAL_GUESS;
        masks[n + j] = DAEDAL_FREE;
    }
    const double *y = m->values->x + m->values->place.y;
    daedal_status status =
        daedal_solver_start_masked(m->discrete->solver, m->values->x[0], y, NULL,
                                   (daedal_ints){masks, n}, (daedal_ints){masks + n, n});
    memory_give(m->allocator, masks, 2 * (size_t)n * sizeof *masks);
    return status;
}

static daedal_status start_solver(start_problem *m)
{
    daedal_solver *solver = m->discrete->solver;
    const double *y = m->values->x + m->values->place.y, *yp = y + m->reduced->n_system;
    daedal_status status = daedal_solver_start(solver, m->values->x[0], y, yp);
    if (status != DAEDAL_OK || fixed_states_stay(m) || start_masked(m) == DAEDAL_OK)
        return status;
    return daedal_solver_start(solver, m->values->x[0], y, yp); /* a message tells what moved */
}

static daedal_status pass_to_solver(start_problem *m)
{
    daedal_status status = start_solver(m);
    if (status == DAEDAL_OK) {
        discrete_read_state(m->discrete);
        return status;
    }
    *m->why = *daedal_solver_diagnosis(m->discrete->solver);
    compiled_explain(m->compiled, m->why);
    return status;
}

/* True if `side = other` is `unknown = known value`; then slot and value are set. */
static bool gives_value(start_problem *m, expr side, expr other, uint32_t *slot, double *value)
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

/* Initial equations of the form unknown = value give better guesses than start values. */
static void use_initial_equations(start_problem *m)
{
    for (size_t k = 0; k < m->n_initial_rows; k++) {
        const flat_initial *i = &m->flat->initials[m->initial_of[k]];
        uint32_t slot = 0;
        double value = 0.0;
        if (!gives_value(m, i->left, i->right, &slot, &value) &&
            !gives_value(m, i->right, i->left, &slot, &value))
            continue;
        uint32_t j = slot - m->values->place.y;
        if (!m->start_fixed[j]) {
            m->start[j] = m->values->x[slot] = value;
            m->given_by_initial_equation[j] = true;
        }
    }
}

/* Repeat guesses and relations until they are consistent, so that no branch with a false condition
 * is used. */
static daedal_status guess_consistent(start_problem *m)
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
    PERTURBED,        /* zeros without a start value are moved away from zero        */
    WITHOUT_ZEROS,    /* start values of zero, too                                   */
    ALL_AT_ONCE,      /* constraints together with the rest, not level by level      */
    ALONG_CONDITIONS, /* continuation of the conditions, while the equations hold    */
    ALONG_PATH,       /* continuation of all rows                                    */
    OTHER_POINT,      /* from several other points                                   */
    N_ATTEMPTS = OTHER_POINT + 6
} attempt;

/* A start value of zero is often only the default of a library: it is treated as not given. */
static void ignore_zeros(start_problem *m)
{
    for (int32_t j = 0; j < m->reduced->n; j++)
        if (m->start[j] == 0.0 && !m->start_fixed[j])
            m->start_given[j] = false;
}

/* Zero is the worst guess for an unknown value, because lengths, sums and divisors vanish there.
 * All unknowns get different values, so that differences do not vanish either
 * (docs/theory/start.md). */
static daedal_status perturb_zeros(start_problem *m)
{
    const int32_t *bound =
        m->reduced->n_constraints ? m->compiled->constraints->pattern.view.start : NULL;
    uint64_t random = RANDOM_SEED;
    for (int32_t j = 0; j < m->reduced->n; j++) {
        double *y = &m->values->x[m->values->place.y + (uint32_t)j],
               unit = m->compiled->nominal[j] > 0.0 ? m->compiled->nominal[j] : 1.0;
        double part = random_uniform(&random, 0.5, 1.5);
        /* free states keep their zeros, since other values would be another solution */
        bool movable = !m->reduced->differential[j] || (bound && bound[j + 1] > bound[j]);
        if (*y == 0.0 && movable && !m->start_given[j] && !m->start_fixed[j])
            *y = PERTURBATION * unit * part;
    }
    int answer = discrete_settle_values(m->discrete, true); /* relations with zero may change */
    return answer == 0 ? DAEDAL_OK : compiled_fail_call(m->compiled, answer);
}

static daedal_status solve_rows(start_problem *m, attempt how)
{
    if (how >= OTHER_POINT)
        return start_rows_solve_from_other_point(m, (int)(how - OTHER_POINT));
    if (how >= ALONG_CONDITIONS)
        return start_rows_follow(m, how == ALONG_CONDITIONS);
    return start_rows_solve(m);
}

/* The relations and discrete values that x had: guesses are made in other modes, too. */
static void restore_mode(start_problem *m, const double *x)
{
    size_t first = m->values->place.discrete;
    memcpy(m->values->x + first, x + first, (m->values->place.n - first) * sizeof *x);
    m->values->version++;
}

/* mode: values whose discrete part is kept while equations are solved; NULL: the guess decides. */
static daedal_status solve_start(start_problem *m, attempt how, const double *mode)
{
    use_initial_equations(m);
    if (how == WITHOUT_ZEROS || how == ALL_AT_ONCE)
        ignore_zeros(m);
    for (int32_t j = 0; j < m->reduced->n; j++) /* the result of the last pass is the best guess */
        if (m->reduced->differential[j] || how != AS_GIVEN)
            m->values->x[m->values->place.y + (uint32_t)j] = m->start[j];
    if (how != AS_GIVEN)
        TRY(perturb_zeros(m));
    if (how < ALONG_CONDITIONS)
        TRY(guess_consistent(m));
    if (m->reduced->n_constraints && how < ALL_AT_ONCE) {
        TRY(start_satisfy_constraints(m));
        TRY(guess_consistent(m)); /* with the new states */
    }
    for (int32_t j = 0; j < m->reduced->n; j++)
        if (m->start_fixed[j])
            m->values->x[m->values->place.y + (uint32_t)j] = m->start[j];
    if (mode)
        restore_mode(m, mode);
    if (!is_plain(m) || how >= ALL_AT_ONCE)
        TRY(solve_rows(m, how));
    TRY(pass_to_solver(m));
    bool plain = is_plain(m) && m->reduced->n_constraints == 0; /* only algebraic unknowns moved */
    return plain ? DAEDAL_OK : start_check_runaway(m);
}

/* A solution far from the start values may not be the intended one. */
static void warn_distant(const start_problem *m, attempt how)
{
    char message[240];
    if (how < ALONG_CONDITIONS)
        return;
    snprintf(
        message, sizeof message,
        "no solution near the start values at t = %.10g; one farther away was found %s: check that "
        "it is the intended one",
        m->values->x[0],
        how == ALONG_CONDITIONS ? "by continuation of the initial conditions"
        : how == ALONG_PATH     ? "by continuation from the start values"
                                : "from another starting point");
    if (!log_has(m->log, message)) /* the start is solved several times where modes are searched */
        log_warning(m->log, DAEDAL_CAUSE_NONE, m->values->x[0], message);
}

static bool may_retry(daedal_status status)
{
    return status < 0 && status != DAEDAL_ERR_MEMORY && status != DAEDAL_ERR_CALLBACK;
}

/* The values that an attempt changes. */
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

static daedal_status fail_start(start_problem *m, const guesses *g, const daedal_diagnosis *why)
{
    daedal_status status = why->status;
    restore(m, g);
    *m->why = *why;
    if (may_retry(status))
        status = start_rows_explain(m, status);
    restore(m, g);
    return status;
}

/* Attempts are made until one succeeds.  If none does, the message is that of the first one. */
daedal_status start_solve(start_problem *m, bool is_mode_known)
{
    guesses g = {.n_x = m->values->place.n, .n_given = (size_t)m->reduced->n_system};
    if (!block_create(&g.mem, m->allocator, lay_out, &g))
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for the start");
    memcpy(g.x, m->values->x, g.n_x * sizeof *g.x);
    memcpy(g.given, m->start_given, g.n_given * sizeof *g.given);
    daedal_status status = solve_start(m, AS_GIVEN, is_mode_known ? g.x : NULL);
    daedal_diagnosis why = *m->why;
    why.status = status;
    for (attempt how = PERTURBED; how < N_ATTEMPTS && may_retry(status); how++) {
        restore(m, &g);
        status = solve_start(m, how, is_mode_known ? g.x : NULL);
        if (status == DAEDAL_OK)
            warn_distant(m, how);
    }
    memcpy(m->start_given, g.given, g.n_given * sizeof *g.given);
    if (status < 0)
        status = fail_start(m, &g, &why);
    block_free(&g.mem);
    return status;
}
