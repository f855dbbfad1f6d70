/* hybrid/event_record.c - see discrete.h: which relations changed and which when-clauses fired in
 * the last event, for those who step a model.                                         */
#include <string.h>

#include "hybrid/discrete.h"

bool discrete_prepare_record(discrete_part *m)
{
    const flat_model *f = m->flat;
    event_record *r = m->search->record = arena_take(m->mem, 1, sizeof *r);
    if (!r)
        return false;
    r->t = NAN;
    r->when = arena_take(m->mem, f->n_assignments + 1, sizeof *r->when);
    r->fired = arena_take(m->mem, f->n_assignments + 1, sizeof *r->fired);
    r->has_changed = arena_take(m->mem, f->n_relations + f->n_roundings + 1, sizeof(bool));
    for (uint32_t k = 0; k < f->n_assignments && r->when; k++)
        if (f->variables[f->assignments[k].variable].is_when)
            r->when[r->n_whens++] = k;
    return !m->mem->failed;
}

void discrete_begin_record(discrete_part *m)
{
    event_record *r = m->search->record;
    r->t = m->values->x[0];
    memset(r->fired, 0, r->n_whens * sizeof *r->fired);
}

void discrete_note_fired(discrete_part *m)
{
    event_record *r = m->search->record;
    const double *x = m->values->x;
    for (size_t k = 0; k < r->n_whens; k++) {
        int32_t d = m->reduced->discrete_of[m->flat->assignments[r->when[k]].variable];
        if (d >= 0 && x[m->values->place.discrete + (uint32_t)d] != 0.0 &&
            x[m->values->place.pre + (uint32_t)d] == 0.0)
            r->fired[k] = true;
    }
}

/* The snapshot has the values at the beginning of the event. */
void discrete_end_record(discrete_part *m)
{
    const value_places *at = &m->values->place;
    const double *now = m->values->x + at->relation;
    const double *before = m->search->snapshot + at->relation;
    for (uint32_t k = 0; k < at->sample - at->relation; k++)
        m->search->record->has_changed[k] = now[k] != before[k];
}

/* ---- what causes an event ---- */

static const double NEAR_TIME = 1e-9; /* of the run: an event at a known time is due */

int discrete_memory_value(discrete_part *m, size_t k, double *g)
{
    size_t n = m->flat->n_relations;
    int answer = program_run(m->compiled, m->relations, 0.0, NULL, NULL);
    const double *out = m->relations->out;
    *g = k < n ? out[2 * k] - out[2 * k + 1] : out[2 * n + (k - n) / 2];
    return answer;
}

/* Whether a relation of time, or a rounding, changes now. */
static bool is_due(discrete_part *m, size_t k)
{
    double g = NAN, span = m->t_stop - m->t_start;
    if (m->relation[k].kind != RELATION_TIME || discrete_memory_value(m, k, &g) != 0)
        return false;
    if (k < m->flat->n_relations)
        return fabs(g) <= NEAR_TIME * fmax(span, fabs(m->values->x[0]));
    return fabs(g - round(g)) <= NEAR_TIME * fmax(1.0, fabs(g));
}

size_t discrete_memory_of_event(discrete_part *m)
{
    const daedal_state *state = daedal_solver_state(m->solver);
    for (int32_t e = 0; e < m->n_relation_events; e++)
        if (state->event[e])
            return (size_t)m->event_relation[e];
    for (size_t k = 0; k < m->n_memories; k++)
        if (is_due(m, k))
            return k;
    return SIZE_MAX;
}

/* ---- saved states ---- */

static void copy_search(discrete_part *m, state_copy *s)
{
    event_accumulation *a = m->search->accumulation;
    event_record *r = m->search->record;
    size_t n_relations = m->flat->n_relations + m->flat->n_roundings;
    STATE_COPY(s, m->search->random);
    event_accumulation mine = *a;
    STATE_COPY(s, *a);
    memcpy(a->y, mine.y, sizeof a->y); /* the state may be that of another instance */
    for (size_t k = 0; k < sizeof a->y / sizeof *a->y; k++)
        state_copy_bytes(s, a->y[k], (size_t)m->reduced->n_system * sizeof(double));
    STATE_COPY(s, r->t);
    state_copy_bytes(s, r->fired, r->n_whens * sizeof *r->fired);
    state_copy_bytes(s, r->has_changed, n_relations * sizeof *r->has_changed);
}

void discrete_copy_state(discrete_part *m, state_copy *s)
{
    STATE_COPY(s, m->restarted);
    STATE_COPY(s, m->terminated);
    state_copy_bytes(s, m->relation, m->n_memories * sizeof *m->relation);
    state_copy_bytes(s, m->sample, m->flat->n_samples * sizeof *m->sample);
    state_copy_bytes(s, m->warned, m->flat->n_asserts * sizeof *m->warned);
    state_copy_bytes(s, m->old, m->values->place.n * sizeof *m->old);
    copy_search(m, s);
    inputs_copy_state(m, s);
    delays_copy_state(m, s);
}
