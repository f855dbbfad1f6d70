/* hybrid/mode_search.c - see discrete.h: values of the relations (a mode) that are consistent with
 * discrete values and equations, pre fixed (docs/theory/hybrid.md).
 *
 * At first all violated relations change at once.  If that cycles, or leads to equations without
 * a solution, relations change one at a time from the mode before the event: first the one with
 * the least index, which never cycles in networks of switches [Murty], then the most violated
 * one, then one chosen at random.  After that the modes of those that have changed are tried one
 * by one, those with the fewest changes first.  If none is consistent, the one with the smallest
 * violation is used, with a warning.                                            */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "compile/compiled.h"
#include "hybrid/discrete.h"

enum {
    RELATIONS_MAX = 12, /* whose 2^n modes are tried one by one */
    TRIAL_PASSES = 6,   /* for each of them                     */
};

static const struct {
    relation_choice choice;
    int passes;
} STAGES[] = {
    {CHOOSE_ALL, 12}, {CHOOSE_FIRST, 40}, {CHOOSE_MOST_VIOLATED, 20}, {CHOOSE_RANDOM, 40}};

bool discrete_prepare_search(discrete_part *m)
{
    size_t n = m->flat->n_relations + 1;
    model_search *s = m->search = arena_take(m->mem, 1, sizeof *s);
    if (!s)
        return false;
    s->before_event = arena_take(m->mem, n, sizeof *s->before_event);
    s->last_pass = arena_take(m->mem, n, sizeof *s->last_pass);
    s->has_changed = arena_take(m->mem, n, sizeof *s->has_changed);
    s->is_fixed = arena_take(m->mem, n, sizeof *s->is_fixed);
    s->values = arena_take(m->mem, 2 * (size_t)m->reduced->n_system, sizeof *s->values);
    return !m->mem->failed;
}

/* ---- the mode before the event ---- */

static void save_before_event(discrete_part *m)
{
    model_search *s = m->search;
    size_t bytes = m->flat->n_relations * sizeof(double);
    memcpy(s->before_event, m->values->x + m->values->place.relation, bytes);
    memcpy(s->last_pass, s->before_event, bytes);
    memset(s->has_changed, 0, m->flat->n_relations * sizeof *s->has_changed);
    memcpy(s->values, m->values->x + m->values->place.y,
           2 * (size_t)m->reduced->n_system * sizeof(double));
    s->random = RANDOM_SEED;
    s->must_solve = false;
}

static void note_changes(discrete_part *m)
{
    model_search *s = m->search;
    for (size_t k = 0; k < m->flat->n_relations; k++) {
        double now = m->values->x[m->values->place.relation + k];
        s->has_changed[k] = s->has_changed[k] || now != s->last_pass[k];
        s->last_pass[k] = now;
    }
}

static void restore_before_event(discrete_part *m)
{
    for (uint32_t k = 0; k < (uint32_t)m->flat->n_relations; k++)
        if (m->relation[k].kind != RELATION_TIME)
            values_set(m->values, m->values->place.relation + k, m->search->before_event[k]);
    memcpy(m->values->x + m->values->place.y, m->search->values,
           2 * (size_t)m->reduced->n_system * sizeof(double));
    m->search->must_solve = true;
}

/* ---- stages ---- */

/* One pass: the discrete part, then the equations if it has changed what they read. */
static daedal_status iterate_once(discrete_part *m, bool *settled)
{
    delays_advance(m);
    int answer = discrete_settle_values(m, false);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    note_changes(m);
    bool must_solve = m->search->must_solve || discrete_affects_equations(m);
    *settled = !must_solve && !m->search->has_not_settled;
    m->search->must_solve = false;
    return must_solve ? discrete_solve_equations(m) : DAEDAL_OK;
}

static daedal_status iterate(discrete_part *m, int passes, bool *settled)
{
    *settled = false;
    for (int k = 0; k < passes && !*settled; k++)
        TRY(iterate_once(m, settled));
    return DAEDAL_OK;
}

/* ---- one mode after the other ---- */

typedef struct assignment_search {
    uint32_t relation[RELATIONS_MAX];
    int n;
    double least;  /* the smallest violation so far */
    uint32_t best; /* the relations that were flipped for it, as bits */
} assignment_search;

/* The relations that have changed, or all; false: there are none, or too many. */
static bool collect_relations(const discrete_part *m, assignment_search *t, bool all)
{
    *t = (assignment_search){.least = HUGE_VAL};
    for (uint32_t k = 0; k < m->flat->n_relations; k++) {
        if (!(all || m->search->has_changed[k]) || m->relation[k].kind == RELATION_TIME)
            continue;
        if (t->n == RELATIONS_MAX)
            return false;
        t->relation[t->n++] = k;
    }
    return t->n > 0;
}

/* Solve with the relations of the set fixed, and measure how far they are violated. */
static daedal_status try_assignment(discrete_part *m, const assignment_search *t, uint32_t flips,
                                    double *violation)
{
    bool settled = false;
    restore_before_event(m);
    for (int i = 0; i < t->n; i++) {
        uint32_t k = t->relation[i];
        double first = m->search->before_event[k];
        m->search->is_fixed[k] = true;
        values_set(m->values, m->values->place.relation + k, flips >> i & 1 ? 1.0 - first : first);
    }
    daedal_status status = iterate(m, TRIAL_PASSES, &settled);
    for (int i = 0; i < t->n; i++)
        m->search->is_fixed[t->relation[i]] = false;
    TRY(status);
    int answer = discrete_measure_relations(m, violation);
    return answer ? compiled_fail_call(m->compiled, answer) : DAEDAL_OK;
}

static int count_bits(uint32_t x)
{
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static daedal_status try_assignments(discrete_part *m, assignment_search *t, bool *settled)
{
    for (int flips = 0; flips <= t->n; flips++)
        for (uint32_t set = 0; set < 1u << t->n; set++) {
            double violation = HUGE_VAL;
            if (count_bits(set) != flips)
                continue;
            daedal_status status = try_assignment(m, t, set, &violation);
            if (status < 0 && !failure_is(status, NUMERIC_FAILURE))
                return status;
            if (status == DAEDAL_OK && violation < t->least) {
                t->least = violation;
                t->best = set;
            }
            *settled = status == DAEDAL_OK && violation == 0.0;
            if (*settled)
                return DAEDAL_OK;
        }
    return DAEDAL_OK;
}

static void warn_inconsistent(discrete_part *m, const assignment_search *t)
{
    char text[200], message[400];
    if (!m->log->write || m->search->is_reported)
        return;
    m->search->is_reported = true;
    snprintf(message, sizeof message,
             "at t = %.10g no values of the relations are consistent with the equations; those "
             "with the smallest violation are used; %d relations are involved, among them %s",
             m->values->x[0], t->n,
             compiled_relation_text(m->compiled, t->relation[0], text, sizeof text));
    log_warning(m->log, message);
}

static daedal_status search(discrete_part *m, daedal_status status)
{
    assignment_search t, of_all;
    daedal_diagnosis first = *m->why;
    bool settled = false;
    if (!collect_relations(m, &t, false))
        return status; /* continue with the last pass, or fail as it did */
    TRY(try_assignments(m, &t, &settled));
    if (!settled && collect_relations(m, &of_all, true) && of_all.n > t.n) {
        TRY(try_assignments(m, &of_all, &settled));
        t = of_all.least < t.least ? of_all : t;
    }
    if (settled)
        return DAEDAL_OK;
    if (t.least == HUGE_VAL) {
        *m->why = first;
        return status < 0 ? status : DAEDAL_OK;
    }
    double violation = 0.0;
    TRY(try_assignment(m, &t, t.best, &violation));
    warn_inconsistent(m, &t);
    return DAEDAL_OK;
}

/* True if the relations that still change are all within their hysteresis: both values are
 * admissible there. */
static bool holds_within_hysteresis(discrete_part *m)
{
    double violation = HUGE_VAL;
    return !discrete_affects_equations(m) && discrete_measure_relations(m, &violation) == 0 &&
           violation == 0.0;
}

daedal_status discrete_settle(discrete_part *m)
{
    bool settled = false;
    daedal_status status = DAEDAL_OK;
    save_before_event(m);
    for (size_t k = 0; k < sizeof STAGES / sizeof *STAGES && !settled; k++) {
        if (status < 0)
            restore_before_event(m);
        m->search->choice = STAGES[k].choice;
        status = iterate(m, STAGES[k].passes, &settled);
        settled = settled || (status >= 0 && holds_within_hysteresis(m));
        if (status < 0 && !failure_is(status, NUMERIC_FAILURE))
            break;
    }
    m->search->choice = CHOOSE_ALL;
    if (settled || (status < 0 && !failure_is(status, NUMERIC_FAILURE)))
        return status;
    return search(m, status);
}
