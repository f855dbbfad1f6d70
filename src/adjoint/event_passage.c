/* adjoint/event_passage.c - see event_passage.h.
 *
 * With the time T of the event, the unknowns y and discrete variables z, the functional behind the
 * event depends on y+(T+) = Y(T, y, z, p) and z+ = Z(T, y, z, p), both in rounds of reinit and
 * assignments, and on T itself: y'+ dT must not be counted twice, and T divides the integral.  So
 *     by_time = g(T-) - g(T+) - mu+' y'+,     by_y = mu+,     by_z = by z+
 * go through the rounds from the last to the first, by the transposed derivatives of what acted in
 * them.  Before the event y moves with T, by y' dT, and T with the zero of its cause c(T, y, z, p):
 *     dT = -(dc/dy s + dc/dz dz + dc/dp dp) / (dc/dt + dc/dy y').
 * This is the transpose of what simulate/event_sensitivity.c does forward.  Algebraic unknowns, in
 * each round and before the event, are taken to the equations that determine them, as at the end of
 * a run. */
#include "adjoint/event_passage.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/linsolver.h"
#include "linalg/vector.h"

static const double JUMP = 1e-6;        /* relative: an unknown has moved                   */
static const double TIME_STEP = 1e-4;   /* of the last step, for differences in time        */
static const double LEAST_STEP = 1e-10; /* of the time, likewise                            */

static const discrete_part *part_of(const event_passage *e)
{
    return e->trace->of;
}

static const value_places *places_of(const event_passage *e)
{
    return &part_of(e)->values->place;
}

static double time_step(const recorded_event *event)
{
    return fmax(TIME_STEP * event->h, LEAST_STEP * fabs(event->t));
}

/* ---- the expressions ---- */

static void lay_out(void *object, layout *l)
{
    event_passage *e = object;
    const discrete_part *d = part_of(e);
    size_t n = (size_t)d->reduced->n_system, m = (size_t)e->n_all;
    double **by_unknown[] = {&e->by_y,   &e->by_pre_y, &e->cause_by_y,
                             &e->lambda, &e->eta,      &e->f_by_t};
    double **by_parameter[] = {&e->by_all, &e->by_pre, &e->cause_by_all};
    for (size_t i = 0; i < sizeof by_unknown / sizeof *by_unknown; i++)
        *by_unknown[i] = layout_take(l, n, sizeof(double));
    for (size_t i = 0; i < sizeof by_parameter / sizeof *by_parameter; i++)
        *by_parameter[i] = layout_take(l, m, sizeof(double));
    e->share = layout_take(l, d->flat->n_reinits, sizeof(double));
    e->moved = layout_take(l, n, sizeof(int32_t));
    e->assigned = layout_take(l, d->n_assigned, sizeof(int32_t));
    e->place = layout_take(l, (size_t)d->reduced->n_discrete, sizeof(int32_t));
}

daedal_status event_passage_create(event_passage *e)
{
    const discrete_part *d = part_of(e);
    if (!block_create(&e->mem, d->allocator, lay_out, e))
        return DAEDAL_ERR_MEMORY;
    for (int32_t k = 0; k < d->reduced->n_discrete; k++)
        e->place[k] = -1;
    for (int32_t i = e->n_own; i < e->n_all; i++)
        e->place[d->reduced->discrete_of[e->variable[i]]] = i;
    return DAEDAL_OK;
}

void event_passage_free(event_passage *e)
{
    event_slopes_free(&e->causes);
    event_slopes_free(&e->actions);
    block_free(&e->mem);
}

static daedal_status list_causes(event_passage *e, arena *mem, expressions *list)
{
    flat_model *f = part_of(e)->flat;
    size_t n = f->n_relations + f->n_roundings + 2 * f->n_samples, k = 0;
    expr *at = arena_take(mem, n + 1, sizeof *at);
    if (!at)
        return DAEDAL_ERR_MEMORY;
    for (size_t i = 0; i < f->n_relations; i++)
        at[k++] = expr_sub(&f->graph, f->relations[i].left, f->relations[i].right);
    for (size_t i = 0; i < f->n_roundings; i++)
        at[k++] = f->roundings[i].of;
    for (size_t i = 0; i < f->n_samples; i++) {
        at[k++] = f->samples[i].start;
        at[k++] = f->samples[i].interval;
    }
    *list = (expressions){at, (int32_t)n};
    return f->graph.failed ? DAEDAL_ERR_MEMORY : DAEDAL_OK;
}

static daedal_status list_actions(event_passage *e, arena *mem, expressions *list)
{
    const discrete_part *d = part_of(e);
    const flat_model *f = d->flat;
    size_t k = 0;
    expr *at = arena_take(mem, f->n_reinits + d->n_assigned + 1, sizeof *at);
    if (!at)
        return DAEDAL_ERR_MEMORY;
    for (size_t i = 0; i < f->n_reinits; i++)
        at[k++] = f->reinits[i].value;
    e->n_assigned = 0;
    for (size_t i = 0; i < d->n_assigned; i++) {
        int32_t to = e->place[d->reduced->discrete_of[d->assigned[i]]];
        if (to < 0)
            continue;
        at[k++] = d->item_value[i];
        e->assigned[e->n_assigned++] = to;
    }
    *list = (expressions){at, (int32_t)k};
    return DAEDAL_OK;
}

static daedal_status differentiate(event_passage *e)
{
    const compiled_model *m = part_of(e)->compiled;
    expressions causes = {0}, actions = {0};
    arena mem;
    arena_create(&mem, m->allocator, 0);
    daedal_status status = list_causes(e, &mem, &causes);
    if (status == DAEDAL_OK)
        status = list_actions(e, &mem, &actions);
    if (status == DAEDAL_OK)
        status = event_slopes_create(&e->causes, m, causes, e->variable, e->n_own);
    if (status == DAEDAL_OK)
        status = event_slopes_create(&e->actions, m, actions, e->variable, e->n_own);
    arena_free(&mem);
    e->is_ready = status == DAEDAL_OK;
    return status == DAEDAL_ERR_STRUCTURE
               ? fail(e->why, status, "a function that acts at events cannot be differentiated")
               : status;
}

/* ---- what an action read ---- */

/* The instant at which something was evaluated. */
typedef struct acting_point {
    double t;
} acting_point;

static bool has_moved(const event_passage *e, int32_t j, double from, double to)
{
    double nominal = part_of(e)->compiled->nominal[j];
    double size = fmax(fmax(fabs(from), fabs(to)), nominal > 0.0 ? nominal : 1.0);
    return fabs(to - from) > JUMP * size;
}

static daedal_status refuse(const event_passage *e, const char *format, const char *name, double t)
{
    fail(e->why, DAEDAL_ERR_STRUCTURE, format, t, name);
    hint(e->why, "for a run like this take forward sensitivities, or differences");
    return DAEDAL_ERR_STRUCTURE;
}

/* `value` times the derivative by a value of the model is added to where it belongs. */
static daedal_status add_entry(event_passage *e, uint32_t slot, double value,
                               const acting_point *at)
{
    const value_places *p = places_of(e);
    if (value == 0.0)
        return DAEDAL_OK;
    if (slot < p->yp) {
        e->by_y[slot - p->y] += value;
        return DAEDAL_OK;
    }
    if (slot < p->discrete)
        return refuse(e,
                      "the event at t = %.10g cannot be passed backward: it reads the derivative "
                      "of %.200s",
                      part_of(e)->compiled->variable_name[slot - p->yp], at->t);
    if (slot >= p->pre_y) {
        e->by_pre_y[slot - p->pre_y] += value;
        return DAEDAL_OK;
    }
    bool is_pre = slot >= p->pre;
    int32_t to = e->place[slot - (is_pre ? p->pre : p->discrete)];
    if (to >= 0)
        (is_pre ? e->by_pre : e->by_all)[to] += value;
    return DAEDAL_OK;
}

/* `share` times the derivatives of expression k of the actions. */
static daedal_status add_action(event_passage *e, size_t k, double share, const acting_point *at)
{
    const event_slopes *s = &e->actions;
    if (share == 0.0)
        return DAEDAL_OK;
    for (size_t q = s->start[k]; q < s->start[k + 1]; q++)
        TRY(add_entry(e, s->slot[q], share * s->entries->out[q], at));
    e->by_time += share * s->in_time[k];
    for (int32_t i = 0; i < e->n_own; i++)
        e->by_all[i] += share * event_slopes_by_parameter(s, k, i);
    return DAEDAL_OK;
}

/* ---- a round ---- */

static int32_t state_of(const event_passage *e, size_t reinit, double *factor)
{
    const discrete_part *d = part_of(e);
    value_origin to = d->compiled->origin[d->flat->reinits[reinit].variable];
    int32_t j = to.slot - (int32_t)places_of(e)->y;
    *factor = to.factor;
    return j >= 0 && j < d->reduced->n && d->reduced->differential[j] ? j : -1;
}

/* Of several that set the same state the last one counts. */
static daedal_status undo_reinits(event_passage *e, const event_round *r, const acting_point *at)
{
    const discrete_part *d = part_of(e);
    size_t n = d->flat->n_reinits;
    double factor;
    memset(e->share, 0, n * sizeof *e->share);
    for (size_t k = n; k-- > 0;) {
        int32_t j = r->acts[k] ? state_of(e, k, &factor) : -1;
        if (r->acts[k] && j < 0)
            return refuse(e,
                          "the event at t = %.10g cannot be passed backward: reinit of %.200s, "
                          "which is no state",
                          variable_text(d->reduced, d->flat->reinits[k].variable), at->t);
        if (j < 0)
            continue;
        e->share[k] = e->by_y[j] / factor;
        e->by_y[j] = 0.0;
    }
    for (size_t k = 0; k < n; k++)
        TRY(add_action(e, k, e->share[k], at));
    return DAEDAL_OK;
}

static daedal_status undo_assignments(event_passage *e, const acting_point *at)
{
    size_t first = part_of(e)->flat->n_reinits, sweeps = 0;
    bool any = true;
    for (; any && sweeps <= e->n_assigned + 1; sweeps++) { /* they read one another */
        any = false;
        for (size_t k = 0; k < e->n_assigned; k++) {
            double share = e->by_all[e->assigned[k]];
            if (share == 0.0)
                continue;
            any = true;
            e->by_all[e->assigned[k]] = 0.0;
            TRY(add_action(e, first + k, share, at));
        }
    }
    return any ? refuse(e,
                        "the event at t = %.10g cannot be passed backward: discrete variables "
                        "depend on one another%s",
                        "", at->t)
               : DAEDAL_OK;
}

/* ---- states that follow from constraints ---- */

static bool is_set(const event_passage *e, const event_round *r, int32_t j)
{
    double factor;
    for (size_t k = 0; k < part_of(e)->flat->n_reinits; k++)
        if (r->acts[k] && state_of(e, k, &factor) == j)
            return true;
    return false;
}

/* States that differ from one instant to the next, but for those that reinit sets (round not NULL).
 */
static int32_t find_moved(event_passage *e, const double *from, const double *to,
                          const event_round *round)
{
    const discrete_part *d = part_of(e);
    int32_t n = 0;
    for (int32_t j = 0; j < d->reduced->n; j++) {
        uint32_t slot = places_of(e)->y + (uint32_t)j;
        if (d->reduced->differential[j] && has_moved(e, j, from[slot], to[slot]) &&
            !(round && is_set(e, round, j)))
            e->moved[n++] = j;
    }
    return n;
}

static daedal_status refuse_jump(const event_passage *e, double t)
{
    return refuse(e,
                  "the event at t = %.10g cannot be passed backward: %.200s jumps there without a "
                  "reinit of its own",
                  part_of(e)->compiled->variable_name[e->moved[0]], t);
}

/* Derivatives of the constraints where a projection has ended. */
typedef struct constraint_slopes {
    const parameter_tapes *tapes;
    const double *by_y, *by_all; /* by_y in the order of the pattern; by_all may be NULL */
    double *in_time;             /* by constraint                                        */
    int32_t n, *row;             /* as many as states that move: those that contain one  */
    double *matrix, *weight;     /* n x n, by the states that move, transposed; n        */
} constraint_slopes;

static double slope_at(const constraint_slopes *c, int32_t i, int32_t j)
{
    int32_t q = pattern_find(&c->tapes->slope_pattern.view, i, j);
    return q >= 0 ? c->by_y[q] : 0.0;
}

static int evaluate_constraints(event_passage *e, constraint_slopes *c, double t, double h)
{
    const compiled_model *m = part_of(e)->compiled;
    const compiled_constraints *all = m->constraints;
    program *values = all->held.n ? all->held.values : all->values;
    const double *y = m->values->x + places_of(e)->y;
    int answer = program_run(m, e->tapes->slopes, t, y, y);
    if (answer == DAEDAL_CALL_OK)
        answer = program_run(m, e->tapes->constraints, t, y, y);
    for (int side = -1; side <= 1 && answer == DAEDAL_CALL_OK; side += 2) {
        answer = program_run(m, values, t + side * h, y, y);
        for (int32_t i = 0; i < e->tapes->n_constraints; i++)
            c->in_time[i] =
                side < 0 ? values->out[i] : (values->out[i] - c->in_time[i]) / (2.0 * h);
    }
    c->by_y = e->tapes->slopes ? e->tapes->slopes->out : NULL;
    c->by_all = e->tapes->constraints ? e->tapes->constraints->out : NULL;
    return answer;
}

/* The constraints that contain a state that has moved.  false: they do not determine these. */
static bool choose_rows(const event_passage *e, constraint_slopes *c, int32_t n_moved)
{
    c->n = 0;
    for (int32_t i = 0; i < e->tapes->n_constraints; i++) {
        bool contains = false;
        for (int32_t k = 0; k < n_moved; k++)
            contains = contains || slope_at(c, i, e->moved[k]) != 0.0;
        if (contains && c->n == n_moved)
            return false;
        if (contains)
            c->row[c->n++] = i;
    }
    return c->n == n_moved;
}

/* C_V' w = by_y of the states V that have moved. */
static bool solve_weights(const event_passage *e, constraint_slopes *c)
{
    const daedal_linsolver *solver = NULL;
    void *self = NULL;
    pattern full = {0};
    for (int32_t i = 0; i < c->n; i++) {
        c->weight[i] = e->by_y[e->moved[i]];
        for (int32_t k = 0; k < c->n; k++)
            c->matrix[i * c->n + k] = slope_at(c, c->row[i], e->moved[k]);
    }
    bool fine = pattern_full(&full, c->n, e->mem.allocator) &&
                linsolver_open(&full.view, e->mem.allocator, &solver, &self) == DAEDAL_OK &&
                solver->factor(self, c->matrix) == DAEDAL_OK;
    if (fine)
        solver->solve(self, c->weight);
    if (self)
        solver->destroy(self);
    pattern_free(&full);
    return fine && vector_all_finite(c->weight, c->n);
}

/* dy_V = -C_V^-1 (C_y dy + C_t dT + C_p dp), transposed. */
static void spread_weights(event_passage *e, const constraint_slopes *c)
{
    const daedal_pattern *p = &e->tapes->slope_pattern.view;
    for (int32_t k = 0; k < c->n; k++)
        e->by_y[e->moved[k]] = 0.0;
    for (int32_t i = 0; i < c->n; i++) {
        int32_t row = c->row[i];
        for (int32_t j = 0; j < p->n_cols; j++) {
            bool follows = false;
            for (int32_t k = 0; k < c->n; k++)
                follows = follows || e->moved[k] == j;
            if (!follows)
                e->by_y[j] -= c->weight[i] * slope_at(c, row, j);
        }
        e->by_time -= c->weight[i] * c->in_time[row];
        for (int32_t a = 0; a < e->n_all && c->by_all; a++)
            e->by_all[a] -= c->weight[i] * c->by_all[a * e->tapes->n_constraints + row];
    }
}

static daedal_status undo_projection(event_passage *e, const event_round *r,
                                     const recorded_event *event)
{
    int32_t n_moved = find_moved(e, r->settled, r->ended, r);
    size_t rows = (size_t)e->tapes->n_constraints, n = (size_t)n_moved;
    if (n_moved == 0)
        return DAEDAL_OK;
    arena mem;
    arena_create(&mem, e->mem.allocator, 0);
    constraint_slopes c = {.tapes = e->tapes,
                           .in_time = arena_take(&mem, rows + 1, sizeof(double)),
                           .row = arena_take(&mem, rows + 1, sizeof(int32_t)),
                           .matrix = arena_take(&mem, n * n, sizeof(double)),
                           .weight = arena_take(&mem, n, sizeof(double))};
    daedal_status status = mem.failed ? DAEDAL_ERR_MEMORY : DAEDAL_OK;
    if (status == DAEDAL_OK) {
        event_trace_put(e->trace, r->ended);
        bool fine = rows > 0 && e->tapes->slopes &&
                    evaluate_constraints(e, &c, event->t, time_step(event)) == 0 &&
                    choose_rows(e, &c, n_moved) && solve_weights(e, &c);
        status = fine ? DAEDAL_OK : refuse_jump(e, event->t);
    }
    if (status == DAEDAL_OK)
        spread_weights(e, &c);
    arena_free(&mem);
    return status;
}

/* ---- equations at an instant ---- */

/* dF/dt, with the unknowns as they are. */
static int differentiate_in_time(event_passage *e, backward_run *b, double h)
{
    int32_t n = b->sys->n;
    int answer = DAEDAL_CALL_OK;
    double *r = b->xp;
    for (int side = -1; side <= 1 && answer == DAEDAL_CALL_OK; side += 2) {
        answer = evaluator_residual(&b->c.ev, b->c.t + side * h, b->c.y, b->c.yp, r);
        for (int32_t i = 0; i < n; i++)
            e->f_by_t[i] = side < 0 ? r[i] : (r[i] - e->f_by_t[i]) / (2.0 * h);
    }
    return answer;
}

static daedal_status evaluate_coefficients(event_passage *e, backward_run *b,
                                           const recorded_event *event)
{
    bool fine = coefficients_evaluate(&b->c) == DAEDAL_CALL_OK &&
                differentiate_in_time(e, b, time_step(event)) == DAEDAL_CALL_OK;
    return fine ? DAEDAL_OK : backward_complain(b, "the gradient of the equations", event->t);
}

/* v' y = lambda' A y + eta' B y: b->end has both. */
static daedal_status find_shares(backward_run *b, const double *v)
{
    b->end.span = fabs(b->forward->t_end - b->forward->t_start);
    b->end.weight = b->weight;
    daedal_status status = end_values_find(&b->end, v);
    return status != DAEDAL_ERR_INDEX
               ? status
               : fail(b->why, status,
                      "the adjoint variables have no values at the event at t = %.10g: the index "
                      "is above one",
                      b->c.t);
}

/* ---- the rounds ---- */

/* What is said of pre in a round is said of the values of the round before. */
static void begin_earlier_round(event_passage *e)
{
    for (int32_t i = e->n_own; i < e->n_all; i++) {
        e->by_all[i] += e->by_pre[i];
        e->by_pre[i] = 0.0;
    }
}

/* Algebraic unknowns that were read follow from the states of the round by its equations, as at the
 * end of a run; these states move with the time of the event.  *size: of what was read.  */
static daedal_status resolve_algebraic(event_passage *e, backward_run *b, const event_round *r,
                                       const recorded_event *event, double *size)
{
    const bool *is_differential = part_of(e)->reduced->differential;
    int32_t n = part_of(e)->reduced->n;
    *size = 0.0;
    memset(e->cause_by_y, 0, (size_t)b->sys->n * sizeof *e->cause_by_y);
    for (int32_t j = 0; j < n; j++)
        if (!is_differential[j] && e->by_y[j] != 0.0) {
            e->cause_by_y[j] = e->by_y[j];
            e->by_y[j] = 0.0;
            *size = fmax(*size, fabs(e->cause_by_y[j]));
        }
    if (*size == 0.0)
        return DAEDAL_OK;
    evaluator_forget(&b->c.ev);
    coefficients_place(&b->c, event->t, r->settled + places_of(e)->y,
                       r->settled + places_of(e)->yp);
    TRY(evaluate_coefficients(e, b, event));
    TRY(find_shares(b, e->cause_by_y));
    if (coefficients_by_parameters(&b->c, b->end.eta, b->terms[0]) != DAEDAL_CALL_OK)
        return backward_complain(b, "the derivative of the equations by parameters", event->t);
    for (int32_t i = 0; i < e->n_all; i++)
        e->by_all[i] -= b->terms[0][i];
    e->by_time -= vector_dot(b->end.eta, e->f_by_t, b->sys->n);
    const iteration_matrix *m = &b->c.parts;
    const daedal_pattern *p = &m->pattern.view;
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            e->by_y[j] += m->dyp[q] * b->end.lambda[p->row[q]];
    return DAEDAL_OK;
}

/* Equations read what was assigned, and assignments algebraic unknowns: where both is so, their
 * shares become smaller and smaller, or the loop is refused. */
static daedal_status undo_settling(event_passage *e, backward_run *b, const event_round *r,
                                   const recorded_event *event)
{
    enum { SWEEPS_MAX = 100 };
    const double nothing = 1e-13; /* of what was read first */
    const acting_point at = {event->t};
    double first = 0.0, size = 0.0;
    for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
        TRY(undo_assignments(e, &at));
        TRY(resolve_algebraic(e, b, r, event, &size));
        first = fmax(first, size);
        if (size <= nothing * first)
            return undo_assignments(e, &at);
    }
    return refuse(e,
                  "the event at t = %.10g cannot be passed backward: discrete variables and "
                  "equations depend on one another%s",
                  "", event->t);
}

static daedal_status undo_round(event_passage *e, backward_run *b, const recorded_event *event,
                                int32_t number)
{
    const event_round *r = &event->rounds[number];
    bool is_last = number + 1 == event->n_rounds;
    const double *next = is_last ? event->after : event->rounds[number + 1].settled;
    acting_point at = {event->t};
    if (find_moved(e, r->ended, next, NULL) > 0)
        return refuse_jump(e, event->t);
    TRY(undo_projection(e, r, event));
    event_trace_put(e->trace, r->settled);
    if (event_slopes_evaluate(&e->actions, time_step(event)) != DAEDAL_CALL_OK)
        return fail(e->why, DAEDAL_ERR_CALLBACK,
                    "derivatives of what happens in the event at t = %.10g do not exist", event->t);
    TRY(undo_reinits(e, r, &at));
    TRY(undo_settling(e, b, r, event));
    begin_earlier_round(e);
    return DAEDAL_OK;
}

static daedal_status undo_rounds(event_passage *e, backward_run *b, const recorded_event *event)
{
    size_t n = (size_t)part_of(e)->reduced->n_system;
    memset(e->by_pre_y, 0, n * sizeof *e->by_pre_y);
    memset(e->by_pre, 0, (size_t)e->n_all * sizeof *e->by_pre);
    for (int32_t k = event->n_rounds; k-- > 0;)
        TRY(undo_round(e, b, event, k));
    if (event->n_rounds > 0 && find_moved(e, event->before, event->rounds[0].settled, NULL) > 0)
        return refuse_jump(e, event->t);
    for (size_t j = 0; j < n; j++)
        e->by_y[j] += e->by_pre_y[j];
    return DAEDAL_OK;
}

/* ---- behind and before the event ---- */

static daedal_status integrand_at(backward_run *b, double t, const double *y, double *value)
{
    return functional_value(b->g, &b->g->integrand, t, y, value) == DAEDAL_CALL_OK
               ? DAEDAL_OK
               : backward_complain(b, "the integrand", t);
}

static daedal_status begin_behind(event_passage *e, backward_run *b, const recorded_event *event)
{
    const double *y = event->after + places_of(e)->y, *yp = event->after + places_of(e)->yp;
    double g;
    TRY(integrand_at(b, event->t, y, &g));
    equations_product(&b->equations, b->x, e->by_y);
    memcpy(e->by_all, b->by_p, (size_t)e->n_all * sizeof *e->by_all);
    e->by_time = -g - vector_dot(e->by_y, yp, b->sys->n);
    return DAEDAL_OK;
}

/* The shares of v, and the derivative of v' y in time. */
static daedal_status resolve(event_passage *e, backward_run *b, const double *v, double *slope)
{
    const iteration_matrix *m = &b->c.parts;
    const daedal_pattern *p = &m->pattern.view;
    TRY(find_shares(b, v));
    *slope = -vector_dot(b->end.eta, e->f_by_t, b->sys->n);
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            *slope += b->end.lambda[p->row[q]] * m->dyp[q] * b->c.yp[j];
    return DAEDAL_OK;
}

/* lambda and eta += share times those found last. */
static void add_resolved(event_passage *e, const backward_run *b, double share)
{
    for (int32_t i = 0; i < b->sys->n; i++) {
        e->lambda[i] += share * b->end.lambda[i];
        e->eta[i] += share * b->end.eta[i];
    }
}

/* ---- the time of the event ---- */

static double largest(const double *v, int32_t n)
{
    double most = 0.0;
    for (int32_t i = 0; i < n; i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

/* Derivatives of expression k of the causes, times `share`, added; *in_time: by time. */
static daedal_status add_cause(event_passage *e, size_t k, double share,
                               const recorded_event *event, double *in_time)
{
    const event_slopes *s = &e->causes;
    double *by_y = e->by_y, *by_all = e->by_all;
    acting_point at = {event->t};
    daedal_status status = DAEDAL_OK;
    e->by_y = e->cause_by_y;
    e->by_all = e->cause_by_all;
    for (size_t q = s->start[k]; q < s->start[k + 1] && status == DAEDAL_OK; q++)
        status = add_entry(e, s->slot[q], share * s->entries->out[q], &at);
    begin_earlier_round(e);
    e->by_y = by_y;
    e->by_all = by_all;
    for (int32_t i = 0; i < e->n_own; i++)
        e->cause_by_all[i] += share * event_slopes_by_parameter(s, k, i);
    *in_time += share * s->in_time[k];
    if (status == DAEDAL_OK && largest(e->by_pre_y, part_of(e)->reduced->n) > 0.0)
        status = refuse(e,
                        "the event at t = %.10g cannot be passed backward: its relation reads pre "
                        "of an unknown%s",
                        "", event->t);
    return status;
}

/* The sample that is due, or SIZE_MAX. */
static size_t sample_of(const event_passage *e, const recorded_event *event)
{
    const double *due = event->n_rounds ? event->rounds[0].settled + places_of(e)->sample : NULL;
    for (size_t k = 0; due && k < part_of(e)->flat->n_samples; k++)
        if (due[k] != 0.0)
            return k;
    return SIZE_MAX;
}

/* What is zero at the event, with its derivatives; *any: there is something. */
static daedal_status find_cause(event_passage *e, const recorded_event *event, double *in_time,
                                bool *any)
{
    const flat_model *f = part_of(e)->flat;
    size_t n = f->n_relations, k = event->memory, sample = sample_of(e, event);
    *in_time = 0.0;
    *any = k != SIZE_MAX || sample != SIZE_MAX;
    memset(e->cause_by_y, 0, (size_t)part_of(e)->reduced->n_system * sizeof *e->cause_by_y);
    memset(e->cause_by_all, 0, (size_t)e->n_all * sizeof *e->cause_by_all);
    if (!*any)
        return DAEDAL_OK;
    memcpy(part_of(e)->values->x, event->before, places_of(e)->discrete * sizeof(double));
    if (event_slopes_evaluate(&e->causes, time_step(event)) != DAEDAL_CALL_OK)
        return fail(e->why, DAEDAL_ERR_CALLBACK,
                    "derivatives of the relation of the event at t = %.10g do not exist", event->t);
    if (k != SIZE_MAX)
        return add_cause(e, k < n ? k : n + (k - n) / 2, 1.0, event, in_time);
    const double *at = e->causes.values->out; /* time - start - number interval = 0 */
    size_t first = n + f->n_roundings + 2 * sample;
    double number = round((event->t - at[first]) / at[first + 1]);
    TRY(add_cause(e, first, -1.0, event, in_time));
    TRY(add_cause(e, first + 1, -number, event, in_time));
    *in_time += 1.0;
    return DAEDAL_OK;
}

/* dT by the cause, whose derivatives are of another size than those of the functional. */
static daedal_status add_time(event_passage *e, backward_run *b, const recorded_event *event)
{
    int32_t n = b->sys->n;
    double in_time, along = 0.0;
    bool any;
    memset(e->by_pre_y, 0, (size_t)n * sizeof *e->by_pre_y);
    TRY(find_cause(e, event, &in_time, &any));
    double scale = largest(e->cause_by_y, n);
    if (!any || e->by_time == 0.0)
        return DAEDAL_OK;
    if (scale > 0.0) {
        double rough = in_time + vector_dot(e->cause_by_y, b->c.yp, n);
        double factor = rough != 0.0 ? fabs(e->by_time / rough) : 1.0;
        for (int32_t j = 0; j < n; j++)
            e->cause_by_y[j] *= factor;
        TRY(resolve(e, b, e->cause_by_y, &along));
        along /= factor;
        scale = 1.0 / factor;
    }
    double rate = in_time + along;
    if (fabs(rate) <= 1e-12 * (fabs(in_time) + fabs(along)))
        return refuse(e,
                      "the event at t = %.10g cannot be passed backward: its relation does not "
                      "change in time%s",
                      "", event->t);
    if (scale > 0.0)
        add_resolved(e, b, -e->by_time / rate * scale);
    for (int32_t i = 0; i < e->n_all; i++)
        e->by_all[i] -= e->by_time / rate * e->cause_by_all[i];
    return DAEDAL_OK;
}

static daedal_status go_before(event_passage *e, backward_run *b, const recorded_event *event)
{
    const double *y = event->before + places_of(e)->y, *yp = event->before + places_of(e)->yp;
    int32_t n = b->sys->n;
    double g, along;
    coefficients_place(&b->c, event->t, y, yp);
    TRY(evaluate_coefficients(e, b, event));
    TRY(integrand_at(b, event->t, y, &g));
    memset(e->lambda, 0, (size_t)n * sizeof *e->lambda);
    memset(e->eta, 0, (size_t)n * sizeof *e->eta);
    TRY(resolve(e, b, e->by_y, &along));
    add_resolved(e, b, 1.0);
    e->by_time += g + along;
    TRY(add_time(e, b, event));
    if (coefficients_by_parameters(&b->c, e->eta, b->terms[0]) != DAEDAL_CALL_OK)
        return backward_complain(b, "the derivative of the equations by parameters", event->t);
    for (int32_t i = 0; i < e->n_all; i++)
        b->by_p[i] = e->by_all[i] - b->terms[0][i];
    memcpy(b->x, e->lambda, (size_t)n * sizeof *b->x);
    return DAEDAL_OK;
}

daedal_status event_passage_go(backward_run *b, size_t part, void *user)
{
    event_passage *e = user;
    const recorded_event *event = &e->trace->events[part - 1];
    if (!e->is_ready)
        TRY(differentiate(e));
    TRY(begin_behind(e, b, event));
    TRY(undo_rounds(e, b, event));
    backward_enter(b, part - 1);
    return go_before(e, b, event);
}
