/* initial/start_modes.c - see start_problem.h: the mode in which a model starts.
 *
 * Relations are evaluated with the guesses first, and changed until they agree with the equations
 * (initialization.c).  Where that leads to equations without a solution, as with a bridge of ideal
 * diodes that all block, modes are tried one by one: those with the fewest changes from the guesses
 * first, and only those in which derivatives and algebraic unknowns are determined.      */
#include <string.h>

#include "hybrid/discrete.h"
#include "initial/start_problem.h"

enum {
    FLIPS_MAX = 12,
    TRIALS_MIN = 400,     /* modes that are tried in any case ...                      */
    TRIALS_MAX = 5000,    /* ... and at most                                           */
    UNKNOWNS_MAX = 500000 /* unknowns of all trials together, between the two         */
};
static const double SINGULAR = 1e12; /* growth: the matrix is singular up to rounding */

typedef struct start_trial {
    uint32_t n_candidates, flip[FLIPS_MAX], n;
    int trials;
    bool at_equality; /* equal operands agree with both values of their relation */
} start_trial;

static void fix_candidates(start_problem *m, const start_trial *t, bool fixed)
{
    for (uint32_t i = 0; i < t->n_candidates; i++)
        m->discrete->search->is_fixed[m->discrete->search->candidate[i]] = fixed;
}

static bool has_singular_matrix(const start_problem *m)
{
    int32_t most = -1;
    return m->compiled->jacobian->exists &&
           !(compiled_leading_growth(m->compiled, &most) < SINGULAR);
}

bool start_is_singular(start_problem *m)
{
    bool any = false;
    for (size_t k = 0; k < m->flat->n_relations && !any; k++)
        any = m->discrete->relation[k].kind == RELATION_STATE;
    return any && has_singular_matrix(m);
}

/* Values at the beginning, and the relations of the trial. */
static daedal_status set_mode(start_problem *m, const start_trial *t)
{
    const model_search *s = m->discrete->search;
    TRY(start_prepare_values(m));
    for (uint32_t k = 0; k < m->flat->n_relations; k++)
        values_set(m->values, m->values->place.relation + k, s->before_event[k]);
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t k = s->candidate[t->flip[i]];
        values_set(m->values, m->values->place.relation + k, 1.0 - s->before_event[k]);
    }
    bool changed = false;
    int answer = discrete_assign(m->discrete, &changed);
    return answer ? compiled_fail_call(m->compiled, answer) : DAEDAL_OK;
}

static daedal_status try_mode(start_problem *m, const start_trial *t, bool *found)
{
    *found = false;
    TRY(set_mode(m, t));
    if (has_singular_matrix(m))
        return DAEDAL_OK;
    fix_candidates(m, t, true);
    daedal_status status = start_settle(m);
    fix_candidates(m, t, false);
    if (status < 0)
        return status;
    *found = t->at_equality ? discrete_relations_hold(m->discrete)
                            : discrete_relations_are_true(m->discrete);
    return DAEDAL_OK;
}

static int trials_max(const start_problem *m)
{
    int32_t affordable = UNKNOWNS_MAX / (m->reduced->n_system + 1);
    return affordable < TRIALS_MIN ? TRIALS_MIN : affordable > TRIALS_MAX ? TRIALS_MAX : affordable;
}

static daedal_status try_modes(start_problem *m, start_trial *t, bool *found)
{
    for (t->n = 0; t->n <= FLIPS_MAX && t->n <= t->n_candidates; t->n++) {
        for (uint32_t i = 0; i < t->n; i++)
            t->flip[i] = i;
        do {
            m->log->kept->n = 0;
            daedal_status status = try_mode(m, t, found);
            if (*found || (status < 0 && !failure_is(status, NUMERIC_FAILURE)))
                return status;
            if (++t->trials >= trials_max(m))
                return DAEDAL_OK;
        } while (discrete_next_set(t->flip, t->n, t->n_candidates));
    }
    return DAEDAL_OK;
}

/* The relations as the guesses have them. */
static daedal_status evaluate_guesses(start_problem *m, start_trial *t)
{
    model_search *s = m->discrete->search;
    TRY(start_prepare_values(m));
    int answer = discrete_settle_values(m->discrete, true);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    memcpy(s->before_event, m->values->x + m->values->place.relation,
           m->flat->n_relations * sizeof(double));
    for (uint32_t k = 0; k < m->flat->n_relations; k++)
        if (m->discrete->relation[k].kind == RELATION_STATE)
            s->candidate[t->n_candidates++] = k;
    return DAEDAL_OK;
}

daedal_status start_search_modes(start_problem *m, daedal_status status, bool at_equality,
                                 bool *found)
{
    daedal_diagnosis first = *m->why;
    start_trial t = {.at_equality = at_equality};
    *found = false;
    diagnosis_clear(m->why);
    TRY(evaluate_guesses(m, &t));
    warning_list warnings = {.n = 0};
    const message_log *log = m->log, quiet = {.kept = &warnings};
    m->log = &quiet;
    daedal_status last = t.n_candidates ? try_modes(m, &t, found) : DAEDAL_OK;
    m->log = log;
    for (int32_t k = 0; k < warnings.n && *found; k++) /* those of the mode that was found */
        log_warning(log, warnings.at[k].cause, warnings.at[k].t, warnings.at[k].message);
    if (*found || (last < 0 && !failure_is(last, NUMERIC_FAILURE)))
        return last;
    *m->why = first;
    return status;
}
