/* hybrid/relations.c - see discrete.h: relations, roundings and times of events.
 *
 * Between events a relation keeps the value of the last one.  It changes when its operands violate
 * it by more than the hysteresis eps = 1e-10 of the largest value they have had; the integrator and
 * the event iteration use the same eps, since otherwise events would repeat
 * (docs/theory/hybrid.md). A rounding floor(u) = k is kept as two relations: u >= k and u < k + 1.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "compile/compiled.h"
#include "expr/derive.h"
#include "hybrid/corners.h"
#include "hybrid/discrete.h"

/* Relative to the operands: well above rounding errors, below every tolerance in use. */
static const double HYSTERESIS = 1e-10, ROUNDING_HYSTERESIS = 1e-9;
static const double EQUALITY_TOLERANCE = 1e-12; /* operands that differ by rounding are equal */
static const double TERMS_ROUNDING = 1e-13;     /* relative to the terms they are made of      */
static const double SHORTEST_STEP = 1e-14;      /* of the span: the integrator cannot step less */
static const double TIME_TOLERANCE = 1e-13;     /* of t: a sample is due                       */
static const double SAMPLE_TOLERANCE = 1e-9;    /* of the interval: the first sample is at t0  */
enum { TIME_TRIES = 8 };                        /* doublings of the rounding unit of t         */

static bool compare(expr_op op, double a, double b)
{
    switch (op) {
    case EXPR_LT:
        return a < b;
    case EXPR_LE:
        return a <= b;
    case EXPR_GT:
        return a > b;
    default:
        return a >= b;
    }
}

static bool is_true_above(expr_op op)
{
    return op == EXPR_GT || op == EXPR_GE;
}

/* ---- the kind of a relation ---- */

typedef struct contents {
    bool state, time, jumps, choice;
    bool mode;      /* values that are no states: an event may change them */
    bool algebraic; /* unknowns that are no states */
} contents;

/* Shared by all relations, since each of them needs memory in proportion to the graph. */
typedef struct inspector {
    expr_walker w;
    expr_differ *d; /* with respect to time */
} inspector;

static bool collect_contents(discrete_part *m, expr_walker *w, expr e, contents *c)
{
    const expr_graph *g = &m->flat->graph;
    expr_walker_forget(w);
    if (!expr_walk(w, e, EXPR_ALL))
        return false;
    for (size_t k = 0; k < w->n_found; k++) {
        expr_op op = expr_op_of(g, w->found[k]);
        c->jumps =
            c->jumps || op == EXPR_SIGN || (op >= EXPR_FLOOR && op <= EXPR_REM) || op == EXPR_CALL;
        c->choice = c->choice || op == EXPR_IF;
        if (op != EXPR_VAR)
            continue;
        int32_t slot = compiled_slot(m->compiled, expr_index(g, w->found[k]));
        flat_symbol_kind kind = flat_kind(expr_index(g, w->found[k]));
        bool delayed = kind == FLAT_DELAY || kind == FLAT_INPUT;
        c->time = c->time || slot == 0;
        bool unknown = slot > 0 && slot < (int32_t)m->values->place.discrete;
        int32_t j = slot - (int32_t)m->values->place.y;
        bool is_state = j >= 0 && j < m->reduced->n_system && m->reduced->differential[j];
        c->state = c->state || delayed || unknown;
        c->mode = c->mode || (slot > 0 && !is_state);
        c->algebraic = c->algebraic || (unknown && !is_state);
    }
    return true;
}

static expr with_time(void *user, expr_graph *g, uint32_t symbol)
{
    (void)user;
    return flat_kind(symbol) == FLAT_TIME ? expr_constant(g, 1.0) : EXPR_NONE;
}

/* True if e, which depends on time and no state, is affine in time, with a slope that no
 * relation chooses: the branches may meet where the relation changes, and then rounding errors
 * decide. */
static bool is_affine(discrete_part *m, inspector *by, expr e)
{
    expr slope = EXPR_NONE;
    contents c = {0};
    return expr_differ_of(by->d, e, &slope, NULL) == EXPR_OK && slope != EXPR_NONE &&
           collect_contents(m, &by->w, slope, &c) && !c.time && !c.choice;
}

static bool classify(discrete_part *m, inspector *by, expr e, model_relation *r)
{
    contents c = {0};
    if (!collect_contents(m, &by->w, e, &c))
        return false;
    r->kind = c.state ? RELATION_STATE : c.time ? RELATION_TIME : RELATION_DISCRETE;
    if (r->kind == RELATION_TIME && (c.jumps || !is_affine(m, by, e)))
        r->kind = RELATION_STATE;
    r->reads_mode = c.mode;
    r->reads_algebraic = c.algebraic;
    r->may_rest = expr_has(&m->flat->graph, e, EXPR_HAS_IF | EXPR_HAS_CALL);
    return !m->flat->graph.failed;
}

static bool classify_all(discrete_part *m)
{
    flat_model *f = m->flat;
    expr_direction direction = {.variable = with_time};
    inspector by = {.d = expr_differ_create(&f->graph, &direction)};
    expr_walker_create(&by.w, &f->graph);
    bool fine = by.d != NULL;
    for (size_t k = 0; k < f->n_relations && fine; k++) {
        expr difference = expr_sub(&f->graph, f->relations[k].left, f->relations[k].right);
        fine = difference != EXPR_NONE && classify(m, &by, difference, &m->relation[k]);
    }
    for (size_t k = 0; k < f->n_roundings && fine; k++) {
        model_relation *r = &m->relation[f->n_relations + 2 * k];
        fine = classify(m, &by, f->roundings[k].of, r);
        if (r->kind == RELATION_TIME)
            r->kind = RELATION_STATE;
        r[1].kind = r->kind;
    }
    expr_walker_free(&by.w);
    expr_differ_free(by.d);
    return fine;
}

/* ---- tapes ---- */

static const char *relation_text(discrete_part *m, source_at at)
{
    char text[64];
    source_place place = sources_place(&m->flat->from->sources, at);
    int length = snprintf(text, sizeof text, "the relation in line %u", (unsigned)place.line);
    return length > 0 ? arena_text(m->mem, text, strlen(text)) : NULL;
}

static void add_event(discrete_part *m, expr *roots, int32_t memory, expr a, expr b)
{
    roots[2 * m->n_events] = a;
    roots[2 * m->n_events + 1] = b;
    m->event_falling[m->n_events] = -1;
    m->event_relation[m->n_events++] = memory;
}

static void list_events(discrete_part *m, expr *roots)
{
    flat_model *f = m->flat;
    expr_graph *g = &f->graph;
    for (size_t k = 0; k < f->n_relations; k++)
        if (m->relation[k].kind == RELATION_STATE) {
            m->event_name[m->n_events] = relation_text(m, f->relations[k].at);
            add_event(m, roots, (int32_t)k, f->relations[k].left, f->relations[k].right);
        }
    for (size_t k = 0; k < f->n_roundings; k++) {
        int32_t at = (int32_t)(f->n_relations + 2 * k);
        if (m->relation[at].kind != RELATION_STATE)
            continue;
        expr whole = expr_variable(g, flat_symbol(FLAT_ROUNDING, (uint32_t)k));
        expr next = expr_add(g, whole, expr_constant(g, 1.0));
        m->event_name[m->n_events] = relation_text(m, f->roundings[k].at);
        add_event(m, roots, at, f->roundings[k].of, whole);
        m->event_name[m->n_events] = m->event_name[m->n_events - 1];
        add_event(m, roots, at + 1, next, f->roundings[k].of);
    }
}

static void add_unnamed_events(discrete_part *m, int32_t n, int32_t direction, const char *name)
{
    for (int32_t k = 0; k < n; k++) {
        m->event_falling[m->n_events] = direction;
        m->event_name[m->n_events++] = name;
    }
}

static bool compile_relations(discrete_part *m)
{
    flat_model *f = m->flat;
    m->n_memories = f->n_relations + 2 * f->n_roundings;
    size_t n = m->n_memories + 1;
    m->relation = arena_take(m->mem, n, sizeof *m->relation);
    if (m->mem->failed || !classify_all(m))
        return false;
    size_t n_corners = corners_in_relations(m, NULL);
    n += (size_t)delays_count_events(m) + n_corners;
    m->event_relation = arena_take(m->mem, n, sizeof *m->event_relation);
    m->event_falling = arena_take(m->mem, n, sizeof *m->event_falling);
    m->event_name = arena_take(m->mem, n, sizeof *m->event_name);
    expr *roots = arena_take(m->mem, 3 * n, sizeof *roots);
    if (m->mem->failed)
        return false;
    list_events(m, roots);
    m->n_relation_events = m->n_events;
    n_corners = corners_in_relations(m, roots + 2 * (size_t)m->n_events);
    size_t n_looked_at = (size_t)m->n_events + n_corners;
    if (n_looked_at && !program_create(m->compiled, &m->events, roots, 2 * n_looked_at))
        return false;
    add_unnamed_events(m, delays_count_events(m), -1, "a jump of a delayed signal");
    add_unnamed_events(m, (int32_t)n_corners, 0, "a corner of a relation");
    for (size_t k = 0; k < f->n_relations; k++) {
        roots[2 * k] = f->relations[k].left;
        roots[2 * k + 1] = f->relations[k].right;
    }
    for (size_t k = 0; k < f->n_roundings; k++)
        roots[2 * f->n_relations + k] = f->roundings[k].of;
    size_t count = 2 * f->n_relations + f->n_roundings;
    if (!discrete_list_terms(m, roots + count))
        return false;
    count += f->n_relations;
    return count == 0 || program_create(m->compiled, &m->relations, roots, count);
}

static bool compile_samples(discrete_part *m)
{
    flat_model *f = m->flat;
    m->sample = arena_take(m->mem, f->n_samples + 1, sizeof *m->sample);
    expr *roots = arena_take(m->mem, 2 * f->n_samples + 1, sizeof *roots);
    if (m->mem->failed)
        return false;
    for (size_t k = 0; k < f->n_samples; k++) {
        roots[2 * k] = f->samples[k].start;
        roots[2 * k + 1] = f->samples[k].interval;
    }
    return f->n_samples == 0 ||
           program_create(m->compiled, &m->samples_program, roots, 2 * f->n_samples);
}

int32_t discrete_count_silent(const discrete_part *m)
{
    return m->n_events - m->n_relation_events - delays_count_events(m);
}

static void find_terminal(discrete_part *m)
{
    const expr_graph *g = &m->flat->graph;
    for (expr e = 1; e < g->n && !m->uses_terminal; e++)
        m->uses_terminal = expr_is_variable(g, e) && flat_kind(expr_index(g, e)) == FLAT_TERMINAL;
}

bool discrete_add_relations(discrete_part *m)
{
    find_terminal(m);
    return discrete_prepare_search(m) && discrete_prepare_record(m) && compile_relations(m) &&
           compile_samples(m);
}

/* ---- hysteresis ---- */

void discrete_adopt_scales(discrete_part *m)
{
    for (size_t k = 0; k < m->n_memories; k++)
        m->relation[k].scale = fmax(m->relation[k].scale, m->relation[k].pending);
}

void discrete_set_hysteresis(discrete_part *m)
{
    size_t n = m->flat->n_relations;
    discrete_adopt_scales(m);
    for (size_t k = 0; k < n; k++)
        m->relation[k].eps =
            fmax(HYSTERESIS * fmax(m->relation[k].hysteresis_factor, 1.0) * m->relation[k].scale,
                 fmax(m->relation[k].rounding, fmax(m->relation[k].swing, DBL_MIN)));
    for (size_t k = n; k < m->n_memories; k++) {
        bool upper = (k - n) % 2 == 1;
        m->relation[k].eps = upper ? 0.0 : ROUNDING_HYSTERESIS * fmax(1.0, m->relation[k].scale);
    }
}

/* Whether operands that are the same number make relation k false (or true) where it is not: a
 * source that rests at the threshold, as max(0, e), is no crossing that rounding errors blur.
 * Algebraic variables may have been made equal by the mode: mode_search.c and begin_pins()
 * decide on those, unless only conditions of when read the relation. */
static bool is_wrong_at_rest(const discrete_part *m, size_t k, double difference)
{
    const model_relation *r = &m->relation[k];
    bool now = m->values->x[m->values->place.relation + k] != 0.0;
    return difference == 0.0 && r->may_rest && r->kind == RELATION_STATE && r->extra == 0.0 &&
           (!r->reads_algebraic || m->search->triggers_only[k]) &&
           compare(m->flat->relations[k].op, 0.0, 0.0) != now;
}

/* Positive while relation k may keep its value, negative once it must change. */
double discrete_event_function(const discrete_part *m, size_t k, const double *operands)
{
    double difference = operands[0] - operands[1];
    if (k < m->flat->n_relations) {
        if (is_wrong_at_rest(m, k, difference))
            return -m->relation[k].eps;
        bool is_true = m->values->x[m->values->place.relation + k] != 0.0;
        if (is_true != is_true_above(m->flat->relations[k].op))
            difference = -difference;
    }
    return difference + m->relation[k].eps;
}

/* ---- values at events ---- */

/* Half the width of the band, at operands of this size. */
static double band_of(const model_relation *r, double scale)
{
    return fmax(fmax(HYSTERESIS * scale, r->rounding), r->eps);
}

/* By how much of its scale an operand may be off where it stopped the integrator.  Algebraic
 * variables of index two are not in the error test, and off by more between the ends of long
 * steps, which is allowed for when all modes contradict the equations otherwise. */
static double error_at_event(const discrete_part *m)
{
    const double most = 1e-4;
    return fmax(10.0 * m->rtol, fmin(m->search->equality, most));
}

/* The scale of a relation, but not below what the error test notices: a velocity that a mode holds
 * at zero has never been anything but an error. */
static double noticed_scale(const model_relation *r, double scale)
{
    const double noticed = 1e-3; /* of nominal values, as in the absolute tolerance of a model */
    return fmax(scale, noticed * r->nominal);
}

/* The value by the rules of the band, into *value; false: the operands are to be compared. */
static bool is_in_band(const discrete_part *m, size_t k, const double *o, double scale, bool *value)
{
    const model_relation *r = &m->relation[k];
    double difference = o[0] - o[1], eps = band_of(r, scale);
    double moved = fabs(difference - r->left_limit);
    *value = m->values->x[m->values->place.relation + k] != 0.0;
    if (!r->stopped && relation_in_dead_time(r, m->values->x[0]))
        return true;
    if (r->is_pinned && fabs(difference) <= eps) {
        *value = compare(m->flat->relations[k].op, 0.0, 0.0);
        return true;
    }
    if (r->has_jumped)
        return false;
    if (r->stopped) {
        bool agrees = moved > 2.0 * eps && fabs(difference) > eps &&
                      compare(m->flat->relations[k].op, o[0], o[1]) == *value;
        *value = agrees ? *value : r->new_value;
        return moved <= fmax(2.0 * eps, error_at_event(m) * scale);
    }
    if (m->search->equality > 0.0 &&
        fabs(difference) <= fmax(m->search->equality * noticed_scale(r, scale), eps)) {
        *value = compare(m->flat->relations[k].op, 0.0, 0.0);
        return true;
    }
    *value = is_wrong_at_rest(m, k, difference) ? !*value : *value;
    return fabs(difference) <= eps && moved <= 2.0 * eps;
}

static bool relation_value(const discrete_part *m, size_t k, const double *o,
                           bool ignore_hysteresis)
{
    const model_relation *r = &m->relation[k];
    expr_op op = m->flat->relations[k].op;
    double scale = fmax(fmax(fabs(o[0]), fabs(o[1])), r->scale);
    bool value;
    if (r->kind != RELATION_STATE)
        return compare(op, o[0], o[1]);
    if (!ignore_hysteresis && is_in_band(m, k, o, scale, &value))
        return value;
    double error = fmax(r->rounding, m->search->nothing);
    if (fabs(o[0] - o[1]) <= fmax(EQUALITY_TOLERANCE * scale, error))
        return compare(op, 0.0, 0.0);
    return compare(op, o[0], o[1]);
}

static double rounding_value(const discrete_part *m, size_t k, double u, bool ignore_hysteresis)
{
    double now = m->values->x[m->values->place.rounding + k];
    const model_relation *r = &m->relation[m->flat->n_relations + 2 * k];
    double slack =
        0.5 * r->eps; /* less than the event function has: at its event the value changes */
    if (r->kind == RELATION_STATE && !ignore_hysteresis && u < now && u >= now - slack)
        return now;
    double nearest = round(u); /* a number below an integer by rounding counts as the integer */
    return fabs(u - nearest) <= EQUALITY_TOLERANCE * fmax(1.0, fabs(u)) ? nearest : floor(u);
}

static void note_scale(discrete_part *m, const double *out)
{
    size_t n = m->flat->n_relations;
    const double *terms = out + 2 * n + m->flat->n_roundings;
    for (size_t k = 0; k < n; k++) {
        relation_note_size(&m->relation[k], out[2 * k], out[2 * k + 1]);
        m->relation[k].rounding = terms[k] < OPERAND_MAX ? TERMS_ROUNDING * terms[k] : 0.0;
    }
}

/* ---- changing them ---- */

static bool must_change(const discrete_part *m, size_t k, const double *o, bool ignore_hysteresis)
{
    bool now = m->values->x[m->values->place.relation + k] != 0.0;
    return !m->search->is_fixed[k] && relation_value(m, k, o, ignore_hysteresis) != now;
}

static double relative_violation(const discrete_part *m, size_t k, const double *o)
{
    double scale = fmax(fmax(fabs(o[0]), fabs(o[1])), m->relation[k].scale);
    return fabs(o[0] - o[1]) / fmax(scale, DBL_MIN);
}

/* The same by what the error test notices: whether errors of the run explain it. */
static double noticed_violation(const discrete_part *m, size_t k, const double *o)
{
    double scale = fmax(fmax(fabs(o[0]), fabs(o[1])), m->relation[k].scale);
    return fabs(o[0] - o[1]) / fmax(noticed_scale(&m->relation[k], scale), DBL_MIN);
}

/* The one relation that changes in this pass, apart from those of time, or -1. */
static int64_t choose(discrete_part *m, const double *out, bool ignore_hysteresis)
{
    int64_t chosen = -1, candidates = 0;
    double worst = -1.0;
    for (size_t k = 0; k < m->flat->n_relations; k++) {
        const double *o = out + 2 * k;
        if (m->relation[k].kind == RELATION_TIME || !must_change(m, k, o, ignore_hysteresis))
            continue;
        candidates++;
        double error = relative_violation(m, k, o);
        bool take = m->search->choice == CHOOSE_FIRST ? chosen < 0
                    : m->search->choice == CHOOSE_MOST_VIOLATED
                        ? error > worst
                        : random_next(&m->search->random) % (uint32_t)candidates == 0;
        chosen = take ? (int64_t)k : chosen;
        worst = fmax(worst, error);
    }
    return chosen;
}

static bool flip(discrete_part *m, size_t k)
{
    uint32_t slot = m->values->place.relation + (uint32_t)k;
    return values_set(m->values, slot, m->values->x[slot] == 0.0);
}

int discrete_update_relations(discrete_part *m, bool ignore_hysteresis, bool *changed)
{
    const flat_model *f = m->flat;
    int answer = program_run(m->compiled, m->relations, 0.0, NULL, NULL);
    bool all = m->search->choice == CHOOSE_ALL;
    if (answer != 0 || !m->relations)
        return answer;
    const double *out = m->relations->out;
    int64_t chosen = all ? -1 : choose(m, out, ignore_hysteresis);
    if (chosen >= 0)
        *changed |= flip(m, (size_t)chosen);
    for (size_t k = 0; k < f->n_relations; k++)
        if ((all || m->relation[k].kind == RELATION_TIME) &&
            must_change(m, k, out + 2 * k, ignore_hysteresis))
            *changed |= flip(m, k);
    for (size_t k = 0; k < f->n_roundings; k++) {
        double value = rounding_value(m, k, out[2 * f->n_relations + k], ignore_hysteresis);
        *changed |= values_set(m->values, m->values->place.rounding + (uint32_t)k, value);
    }
    return 0;
}

/* Within its hysteresis both values of a relation are admissible, unless it stopped the
 * integrator there: then it must have changed. */
static bool is_within_hysteresis(const discrete_part *m, size_t k, const double *o)
{
    const model_relation *r = &m->relation[k];
    double scale = fmax(fmax(fabs(o[0]), fabs(o[1])), r->scale);
    return r->kind == RELATION_STATE && !(r->stopped && !r->has_jumped) && !r->is_pinned &&
           fabs(o[0] - o[1]) <= band_of(r, scale);
}

int discrete_measure_relations(discrete_part *m, mode_violation *violation)
{
    int answer = program_run(m->compiled, m->relations, 0.0, NULL, NULL);
    *violation = (mode_violation){0.0, 0.0, false};
    for (size_t k = 0; k < m->flat->n_relations && answer == 0 && m->relations; k++) {
        const double *o = m->relations->out + 2 * k;
        if (!must_change(m, k, o, false) || is_within_hysteresis(m, k, o))
            continue;
        violation->relative += relative_violation(m, k, o) + DBL_MIN;
        violation->noticed += noticed_violation(m, k, o) + DBL_MIN;
        if (relative_violation(m, k, o) <= EQUALITY_TOLERANCE)
            violation->at_equality = true;
    }
    return answer;
}

/* Differences that rounding errors explain: the unknowns were computed together. */
static double rounding_of(const discrete_part *m)
{
    const double rounding = 1e-13;
    double largest = 0.0;
    for (size_t k = 0; k < 2 * m->flat->n_relations; k++)
        if (m->relation[k / 2].kind == RELATION_STATE && isfinite(m->relations->out[k]))
            largest = fmax(largest, fabs(m->relations->out[k]));
    return rounding * largest;
}

bool discrete_relations_are_true(discrete_part *m)
{
    bool hold = program_run(m->compiled, m->relations, 0.0, NULL, NULL) == 0;
    for (size_t k = 0; k < m->flat->n_relations && hold; k++)
        hold = relation_value(m, k, m->relations->out + 2 * k, true) ==
               (m->values->x[m->values->place.relation + k] != 0.0);
    return hold;
}

bool discrete_relations_hold(discrete_part *m)
{
    bool hold = program_run(m->compiled, m->relations, 0.0, NULL, NULL) == 0;
    double rounding = hold && m->relations ? rounding_of(m) : 0.0;
    for (size_t k = 0; k < m->flat->n_relations && hold; k++) {
        const double *o = m->relations->out + 2 * k;
        bool now = m->values->x[m->values->place.relation + k] != 0.0;
        double scale = fmax(fabs(o[0]), fabs(o[1])), difference = fabs(o[0] - o[1]);
        hold = relation_value(m, k, o, true) == now || difference <= HYSTERESIS * scale ||
               (m->relation[k].kind == RELATION_STATE && difference <= rounding);
    }
    return hold;
}

int discrete_compare_operands(discrete_part *m, double *difference)
{
    int answer = program_run(m->compiled, m->relations, 0.0, NULL, NULL);
    for (size_t k = 0; k < m->flat->n_relations && answer == 0; k++)
        difference[k] = m->relations->out[2 * k] - m->relations->out[2 * k + 1];
    return answer;
}

int discrete_mark_stepped(discrete_part *m, const double *before)
{
    int answer = program_run(m->compiled, m->relations, 0.0, NULL, NULL);
    for (size_t k = 0; k < m->flat->n_relations && answer == 0; k++) {
        const double *o = m->relations->out + 2 * k;
        model_relation *r = &m->relation[k];
        if (r->stopped && fabs(o[0] - o[1] - before[k]) > 2.0 * r->eps)
            r->has_jumped = true;
    }
    return answer;
}

int discrete_mark_jumps(discrete_part *m, const double *before, double part)
{
    int answer = program_run(m->compiled, m->relations, 0.0, NULL, NULL);
    for (size_t k = 0; k < m->flat->n_relations && answer == 0; k++) {
        const double *o = m->relations->out + 2 * k;
        double scale = fmax(fmax(fabs(o[0]), fabs(o[1])), m->relation[k].scale);
        if (fabs(o[0] - o[1] - before[k]) > part * scale)
            m->relation[k].has_jumped = true;
    }
    return answer;
}

/* Record the left limits; relations that stopped the integrator change here. */
int discrete_note_left_limits(discrete_part *m)
{
    const flat_model *f = m->flat;
    int answer = program_run(m->compiled, m->relations, 0.0, NULL, NULL);
    if (answer != 0 || !m->relations)
        return answer;
    note_scale(m, m->relations->out);
    discrete_adopt_scales(m);
    for (size_t k = 0; k < f->n_relations; k++) {
        const double *o = m->relations->out + 2 * k;
        model_relation *r = &m->relation[k];
        r->left_limit = o[0] - o[1];
        r->has_jumped = false;
        r->new_value = m->values->x[m->values->place.relation + k] == 0.0;
    }
    return 0;
}

/* A relation that is violated, because it was compared as equal or stopped the integrator where
 * the projection has moved it back, has to move by another band before it changes.  This holds
 * as long as it is violated. */
static void set_extra(discrete_part *m, size_t k)
{
    model_relation *r = &m->relation[k];
    double violated = r->eps - discrete_event_function(m, k, m->relations->out + 2 * k);
    bool was_equal =
        m->search->equality > 0.0 || m->search->nothing > 0.0 || m->search->accepts > 0.0;
    double most = was_equal || r->stopped ? HUGE_VAL : r->extra;
    r->extra = r->kind == RELATION_STATE ? fmin(fmax(violated, 0.0), most) : 0.0;
    r->eps += r->extra;
}

/* ---- operands that a mode makes equal ---- */

static bool disagrees_at_equality(const discrete_part *m, size_t k)
{
    bool now = m->values->x[m->values->place.relation + k] != 0.0;
    return compare(m->flat->relations[k].op, 0.0, 0.0) != now;
}

/* A relation that has changed by itself must leave its threshold, or be true for equal
 * operands. */
static void begin_pins(discrete_part *m)
{
    for (size_t k = 0; k < m->flat->n_relations; k++) {
        model_relation *r = &m->relation[k];
        r->may_be_pinned = (r->stopped || r->may_be_pinned) && r->reads_mode &&
                           r->dead_time == 0.0 && !m->search->triggers_only[k] &&
                           disagrees_at_equality(m, k);
        r->is_pinned = false;
        r->pinned_steps = 0;
    }
}

enum { PINNED_STEPS = 5 };
static const double PINNED_INSIDE = 0.5; /* of a band                                       */
static const double PINNED_FOR = 1e-6;   /* of the span: the steps after an event are short */
static const double PINNED_LONG = 1e-3;  /* of the span: that long a few steps are enough   */

bool discrete_count_pinned(discrete_part *m, double t)
{
    bool is_due = false;
    double span = fabs(m->t_stop - m->t_start);
    for (size_t k = 0; k < m->flat->n_relations; k++) {
        model_relation *r = &m->relation[k];
        double noise = fmax(PINNED_INSIDE * r->eps, m->rtol * r->scale), age = t - r->last_event;
        r->may_be_pinned = r->may_be_pinned && r->excursion <= noise;
        r->pinned_steps += r->may_be_pinned;
        bool due = r->may_be_pinned && age > PINNED_FOR * span &&
                   (r->pinned_steps >= PINNED_STEPS || age > PINNED_LONG * span);
        r->is_suspect = due;
        r->may_be_pinned = r->may_be_pinned && !due; /* once is enough */
        is_due = is_due || due;
    }
    return is_due;
}

bool discrete_find_pinned(discrete_part *m)
{
    bool any = false;
    if (program_run(m->compiled, m->relations, 0.0, NULL, NULL) != 0)
        return false;
    for (size_t k = 0; k < m->flat->n_relations; k++) {
        model_relation *r = &m->relation[k];
        double difference = fabs(m->relations->out[2 * k] - m->relations->out[2 * k + 1]);
        r->is_pinned = r->is_suspect && difference <= PINNED_INSIDE * HYSTERESIS * r->scale;
        any = any || r->is_pinned;
    }
    return any;
}

int discrete_set_bands(discrete_part *m)
{
    for (size_t k = 0; k < m->n_memories; k++)
        m->relation[k].pending = m->relation[k].scale; /* without the modes that were tried */
    int answer = program_run(m->compiled, m->relations, 0.0, NULL, NULL);
    if (answer == 0 && m->relations)
        note_scale(m, m->relations->out);
    discrete_set_hysteresis(m);
    for (size_t k = 0; k < m->flat->n_relations && answer == 0; k++)
        set_extra(m, k);
    begin_pins(m);
    for (size_t k = 0; k < m->n_memories; k++)
        m->relation[k].stopped = false;
    return answer == 0 && m->n_events > 0 ? m->hooks->renew_events(m->solver) : answer;
}

/* ---- times of events ---- */

static bool is_time(const discrete_part *m, size_t k)
{
    return m->relation[k].kind == RELATION_TIME;
}

/* Value of relation k at time t, everything else as it is. */
static bool value_at_time(discrete_part *m, size_t k, double t)
{
    double now = m->values->x[0];
    m->values->x[0] = t;
    int answer = program_run(m->compiled, m->relations, 0.0, NULL, NULL);
    m->values->x[0] = now;
    const double *o = m->relations->out + 2 * k;
    return answer == 0 && compare(m->flat->relations[k].op, o[0], o[1]);
}

/* The first time at or a few units of roundoff after t where relation k has changed. */
static double first_time_changed(discrete_part *m, size_t k, double t)
{
    bool now = m->values->x[m->values->place.relation + k] != 0.0;
    double step = 0.0, least = SHORTEST_STEP * fabs(m->t_stop - m->t_start);
    for (int tries = 0; tries < TIME_TRIES; tries++) {
        double at = t + step;
        if (at > m->values->x[0] && value_at_time(m, k, at) != now)
            return fmax(at, m->values->x[0] + least); /* not less than a step */
        step = step == 0.0 ? nextafter(t, HUGE_VAL) - t : 2.0 * step;
    }
    return HUGE_VAL;
}

static double next_relation_time(discrete_part *m)
{
    size_t n = m->flat->n_relations, first = n;
    double t = m->values->x[0], span = fmax(m->t_stop - m->t_start, DBL_MIN), best = HUGE_VAL;
    for (size_t k = n; k-- > 0;)
        first = is_time(m, k) ? k : first;
    if (first == n || program_run(m->compiled, m->relations, 0.0, NULL, NULL) != 0)
        return HUGE_VAL;
    const double *out = m->relations->out;
    for (size_t k = first; k < n; k++)
        m->relation[k].left_limit = out[2 * k] - out[2 * k + 1];
    m->values->x[0] = t + span;
    int answer = program_run(m->compiled, m->relations, 0.0, NULL, NULL);
    m->values->x[0] = t;
    size_t which = n;
    for (size_t k = first; k < n && answer == 0; k++) {
        double slope = (out[2 * k] - out[2 * k + 1] - m->relation[k].left_limit) / span;
        double at = t - m->relation[k].left_limit / slope;
        if (is_time(m, k) && slope != 0.0 && at >= t && at < best) {
            bool approaches = (m->values->x[m->values->place.relation + k] != 0.0) !=
                              (is_true_above(m->flat->relations[k].op) == (slope > 0.0));
            best = approaches ? at : best;
            which = approaches ? k : which;
        }
    }
    return which < n ? first_time_changed(m, which, best) : HUGE_VAL;
}

static double sample_time(const discrete_part *m, size_t k)
{
    const model_sample *s = &m->sample[k];
    const flat_sample *of = &m->flat->samples[k];
    if (!of->parts)
        return s->start + (double)s->k * s->interval;
    return s->start + (double)(of->first + s->k * of->step) * s->interval / (double)of->parts;
}

double discrete_next_time_event(discrete_part *m)
{
    double t = fmin(next_relation_time(m), fmin(delays_next_time(m), inputs_next_time(m)));
    for (size_t k = 0; k < m->flat->n_samples; k++)
        t = fmin(t, sample_time(m, k));
    return t;
}

bool discrete_mark_samples(discrete_part *m)
{
    double t = m->values->x[0], slack = TIME_TOLERANCE * fmax(1.0, fabs(t));
    bool any = false;
    for (size_t k = 0; k < m->flat->n_samples; k++) {
        model_sample *s = &m->sample[k];
        bool due = sample_time(m, k) <= t + slack;
        s->k += due;
        any = any || due;
        values_set(m->values, m->values->place.sample + (uint32_t)k, due);
    }
    return any;
}

static daedal_status fail_interval(discrete_part *m, size_t k, double interval)
{
    source_place at = sources_place(&m->flat->from->sources, m->flat->samples[k].at);
    return fail(m->why, DAEDAL_ERR_START,
                "the interval of sample() in line %u is %.10g; it must be positive",
                (unsigned)at.line, interval);
}

/* Set start and interval of all samples, which depend on parameters. */
daedal_status discrete_begin_samples(discrete_part *m)
{
    int answer = program_run(m->compiled, m->samples_program, 0.0, NULL, NULL);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    for (size_t k = 0; k < m->flat->n_samples; k++) {
        const double *o = m->samples_program->out + 2 * k;
        if (!(o[1] > 0.0))
            return fail_interval(m, k, o[1]);
        bool is_clock = m->flat->samples[k].parts > 0;
        m->sample[k] = (model_sample){is_clock ? m->values->x[0] : o[0], o[1], 0};
        if (is_clock)
            continue;
        double behind = (m->values->x[0] - o[0]) / o[1];
        if (behind > 0.0)
            m->sample[k].k = (int64_t)ceil(behind - SAMPLE_TOLERANCE);
    }
    return DAEDAL_OK;
}

bool discrete_keeps_samples(discrete_part *m)
{
    if (program_run(m->compiled, m->samples_program, 0.0, NULL, NULL) != 0)
        return false;
    bool same = true;
    for (size_t k = 0; k < m->flat->n_samples; k++) {
        const double *o = m->samples_program->out + 2 * k;
        bool is_clock = m->flat->samples[k].parts > 0;
        same = same && (is_clock || o[0] == m->sample[k].start) && o[1] == m->sample[k].interval;
    }
    return same;
}
