/* hybrid/mode_search.c - see discrete.h: relations, discrete values and equations that depend on
 * one another are brought to agree, pre fixed (docs/theory/hybrid.md).
 *
 * First everything changes at once.  Where that goes round in circles, or meets equations
 * without a solution, relations change one at a time from the assignment before the event: the
 * least index, which never cycles in networks of switches [Murty], then the one that is most
 * wrong, then any.  After that the assignments of those that have changed are tried one by
 * one, those nearest to the old one first.  If none agrees, the one that is least wrong is
 * taken and the log says so.                                                    */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "compile/compiled.h"
#include "hybrid/discrete.h"

enum { SET_MAX = 12, TRIAL_PASSES = 6 };

static const struct {
    relation_choice choice;
    int passes;
} STAGES[] = {{CHOOSE_ALL, 12}, {CHOOSE_LEAST, 40}, {CHOOSE_WORST, 20}, {CHOOSE_ANY, 40}};

bool discrete_prepare_search(discrete_part *m)
{
    size_t n = m->flat->n_relations + 1;
    model_search *s = m->search = arena_take(m->mem, 1, sizeof *s);
    if (!s)
        return false;
    s->first = arena_take(m->mem, n, sizeof *s->first);
    s->seen = arena_take(m->mem, n, sizeof *s->seen);
    s->touched = arena_take(m->mem, n, sizeof *s->touched);
    s->held = arena_take(m->mem, n, sizeof *s->held);
    s->values = arena_take(m->mem, 2 * (size_t)m->reduced->n_system, sizeof *s->values);
    return !m->mem->failed;
}

/* ---- where the event found the model ---- */

static void remember(discrete_part *m)
{
    model_search *s = m->search;
    size_t bytes = m->flat->n_relations * sizeof(double);
    memcpy(s->first, m->values->x + m->values->place.relation, bytes);
    memcpy(s->seen, s->first, bytes);
    memset(s->touched, 0, m->flat->n_relations * sizeof *s->touched);
    memcpy(s->values, m->values->x + m->values->place.y,
           2 * (size_t)m->reduced->n_system * sizeof(double));
    s->random = RANDOM_SEED;
    s->stale = false;
}

static void note_touched(discrete_part *m)
{
    model_search *s = m->search;
    for (size_t k = 0; k < m->flat->n_relations; k++) {
        double now = m->values->x[m->values->place.relation + k];
        s->touched[k] = s->touched[k] || now != s->seen[k];
        s->seen[k] = now;
    }
}

static void return_to_first(discrete_part *m)
{
    for (uint32_t k = 0; k < (uint32_t)m->flat->n_relations; k++)
        if (m->relation[k].kind != RELATION_TIME)
            values_set(m->values, m->values->place.relation + k, m->search->first[k]);
    memcpy(m->values->x + m->values->place.y, m->search->values,
           2 * (size_t)m->reduced->n_system * sizeof(double));
    m->search->stale = true;
}

/* ---- stages ---- */

/* One pass: discrete part, then equations if they must be solved anew. */
static daedal_status pass(discrete_part *m, bool *settled)
{
    delays_pass(m);
    int answer = discrete_settle_values(m, false);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    note_touched(m);
    bool stale = m->search->stale || discrete_affects_equations(m);
    *settled = !stale && !m->search->restless;
    m->search->stale = false;
    return stale ? discrete_solve_equations(m) : DAEDAL_OK;
}

static daedal_status iterate(discrete_part *m, int passes, bool *settled)
{
    *settled = false;
    for (int k = 0; k < passes && !*settled; k++)
        TRY(pass(m, settled));
    return DAEDAL_OK;
}

/* ---- one assignment after the other ---- */

typedef struct trials {
    uint32_t relation[SET_MAX];
    int n;
    double least;  /* violation so far */
    uint32_t best; /* its flips        */
} trials;

/* Those that have changed, or all; false: none, or too many. */
static bool list_set(const discrete_part *m, trials *t, bool all)
{
    *t = (trials){.least = HUGE_VAL};
    for (uint32_t k = 0; k < m->flat->n_relations; k++) {
        if (!(all || m->search->touched[k]) || m->relation[k].kind == RELATION_TIME)
            continue;
        if (t->n == SET_MAX)
            return false;
        t->relation[t->n++] = k;
    }
    return t->n > 0;
}

/* The relations of the set stay as they are set; how wrong are they in the end? */
static daedal_status try_flips(discrete_part *m, const trials *t, uint32_t flips, double *violation)
{
    bool settled = false;
    return_to_first(m);
    for (int i = 0; i < t->n; i++) {
        uint32_t k = t->relation[i];
        double first = m->search->first[k];
        m->search->held[k] = true;
        values_set(m->values, m->values->place.relation + k, flips >> i & 1 ? 1.0 - first : first);
    }
    daedal_status status = iterate(m, TRIAL_PASSES, &settled);
    for (int i = 0; i < t->n; i++)
        m->search->held[t->relation[i]] = false;
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

static daedal_status try_all(discrete_part *m, trials *t, bool *settled)
{
    for (int flips = 0; flips <= t->n; flips++)
        for (uint32_t set = 0; set < 1u << t->n; set++) {
            double violation = HUGE_VAL;
            if (count_bits(set) != flips)
                continue;
            daedal_status status = try_flips(m, t, set, &violation);
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

static void tell(discrete_part *m, const trials *t)
{
    char text[200], message[400];
    if (!m->log->write || m->search->told)
        return;
    m->search->told = true;
    snprintf(message, sizeof message,
             "at t = %.10g no values satisfy all relations and equations together; the least "
             "contradictory ones are used; %d relations are concerned, among them %s",
             m->values->x[0], t->n,
             compiled_relation_text(m->compiled, t->relation[0], text, sizeof text));
    log_warning(m->log, message);
}

static daedal_status search(discrete_part *m, daedal_status status)
{
    trials t, of_all;
    daedal_diagnosis first = *m->why;
    bool settled = false;
    if (!list_set(m, &t, false))
        return status; /* go on with what there is, or give up */
    TRY(try_all(m, &t, &settled));
    if (!settled && list_set(m, &of_all, true) && of_all.n > t.n) {
        TRY(try_all(m, &of_all, &settled));
        t = of_all.least < t.least ? of_all : t;
    }
    if (settled)
        return DAEDAL_OK;
    if (t.least == HUGE_VAL) {
        *m->why = first;
        return status < 0 ? status : DAEDAL_OK;
    }
    double violation = 0.0;
    TRY(try_flips(m, &t, t.best, &violation));
    tell(m, &t);
    return DAEDAL_OK;
}

/* Restless relations that are all inside their bands: noise, and either way will do. */
static bool agrees(discrete_part *m)
{
    double violation = HUGE_VAL;
    return !discrete_affects_equations(m) && discrete_measure_relations(m, &violation) == 0 &&
           violation == 0.0;
}

daedal_status discrete_settle(discrete_part *m)
{
    bool settled = false;
    daedal_status status = DAEDAL_OK;
    remember(m);
    for (size_t k = 0; k < sizeof STAGES / sizeof *STAGES && !settled; k++) {
        if (status < 0)
            return_to_first(m);
        m->search->choice = STAGES[k].choice;
        status = iterate(m, STAGES[k].passes, &settled);
        settled = settled || (status >= 0 && agrees(m));
        if (status < 0 && !failure_is(status, NUMERIC_FAILURE))
            break;
    }
    m->search->choice = CHOOSE_ALL;
    if (settled || (status < 0 && !failure_is(status, NUMERIC_FAILURE)))
        return status;
    return search(m, status);
}
