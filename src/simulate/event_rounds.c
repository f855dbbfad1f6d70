/* simulate/event_rounds.c - see model_sensitivity.h: derivatives in the rounds of an event.
 *
 * In a round discrete variables are assigned and the equations solved, with the states held; then
 * reinit sets states.  So its derivatives follow in this order, each a difference of what acted
 * along the derivatives before it: those of algebraic variables from
 *     dF/dy' D' + dF/dy_a D_a = -(dF/dy_d D_d + dF/dz D_z + dF/dt dT/dp + dF/dp),
 * with differential variables d, algebraic ones a and discrete numbers z, those of z from their
 * assignments, until neither changes, and those of states that reinit sets.  pre has the
 * derivatives of the round before, and pre of states those before the event. */
#include <math.h>
#include <string.h>

#include "linalg/linsolver.h"
#include "simulate/model_sensitivity.h"

enum { SWEEPS_MAX = 100 };       /* assignments and equations read one another */
static const double SAME = 1e-9; /* relative: derivatives that do not change any more */

/* ---- what is held ---- */

static program *constraint_values(const simulation *m)
{
    const compiled_constraints *c = m->compiled->constraints;
    return c->held.n > 0 ? c->held.values : c->values;
}

/* Numbers that change at events, or that the start determines. */
static bool is_held(const simulation *m, int32_t k)
{
    const flat_variable *v = &m->flat->variables[m->reduced->discrete_variable[k]];
    return v->type == FLAT_REAL &&
           (v->variability == FLAT_DISCRETE || v->variability == FLAT_PARAMETER);
}

void event_rounds_count(model_sensitivities *s)
{
    for (int32_t k = 0; k < s->of->reduced->n_discrete; k++)
        s->rounds.n_held += is_held(s->of, k);
}

void event_rounds_lay_out(model_sensitivities *s, layout *l)
{
    const simulation *m = s->of;
    event_rounds *e = &s->rounds;
    size_t n = (size_t)s->n, held = (size_t)e->n_held, n_system = (size_t)m->reduced->n_system;
    const program *programs[] = {m->discrete->assigns, m->discrete->actions, m->compiled->residuals,
                                 constraint_values(m)};
    size_t widest = 0;
    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++)
        widest = programs[k] && programs[k]->n_out > widest ? programs[k]->n_out : widest;
    double **numbers[] = {&e->now, &e->pre, &e->start, &e->begun};
    e->held = layout_take(l, held, sizeof(uint32_t));
    e->item = layout_take(l, held, sizeof(int32_t));
    e->moved = layout_take(l, n_system, sizeof(int32_t));
    e->is_differing = layout_take(l, held, sizeof(bool));
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        *numbers[k] = layout_take(l, n * held, sizeof(double));
    e->before = layout_take(l, n * n_system, sizeof(double));
    e->settled = layout_take(l, m->values->place.n, sizeof(double));
    e->kept = layout_take(l, m->values->place.n, sizeof(double));
    for (int side = 0; side < 2; side++)
        e->side[side] = layout_take(l, widest, sizeof(double));
}

static int32_t item_of(const simulation *m, uint32_t v)
{
    for (size_t k = 0; k < m->discrete->n_assigned; k++)
        if (m->discrete->assigned[k] == v)
            return (int32_t)k;
    return -1;
}

/* ---- differences ---- */

void event_rounds_move_held(const model_sensitivities *s, const double *from, int32_t i,
                            double step)
{
    const event_rounds *e = &s->rounds;
    const model_values *values = s->of->values;
    size_t first = (size_t)i * (size_t)e->n_held;
    const double *now = e->now + first, *pre = (e->is_open ? e->pre : e->now) + first;
    for (int32_t k = 0; k < e->n_held; k++) {
        uint32_t at = values->place.discrete + e->held[k], before = values->place.pre + e->held[k];
        values->x[at] = from[at] + step * s->size[i] * now[k];
        values->x[before] = from[before] + step * s->size[i] * pre[k];
    }
    s->of->values->version++;
}

static double *numbers_of(const model_sensitivities *s, double *of, int32_t i)
{
    return of + (size_t)i * (size_t)s->rounds.n_held;
}

static double *unknowns_of(const model_sensitivities *s, double *of, int32_t i)
{
    return of + (size_t)i * (size_t)s->of->reduced->n_system;
}

/* The values of the round, moved along the derivatives by parameter i. */
static void move_all(const model_sensitivities *s, int32_t i, double step)
{
    const event_rounds *e = &s->rounds;
    const simulation *m = s->of;
    const value_places *at = &m->values->place;
    const double *total = unknowns_of(s, s->total, i), *before = unknowns_of(s, e->before, i);
    double h = step * s->size[i], *x = m->values->x;
    memcpy(x, e->settled, at->n * sizeof *x);
    x[0] += h * s->time[i];
    for (uint32_t j = 0; j < (uint32_t)m->reduced->n; j++) {
        x[at->y + j] += h * total[j];
        if (at->pre_y < at->relation)
            x[at->pre_y + j] += h * before[j];
    }
    event_rounds_move_held(s, e->settled, i, step);
}

/* The derivatives of what a program gives, in side[0]. */
static daedal_status differentiate(model_sensitivities *s, program *of, int32_t i)
{
    event_rounds *e = &s->rounds;
    const simulation *m = s->of;
    flat_variable before = m->flat->variables[s->variable[i]];
    double step = model_sensitivity_step(s, i, unknowns_of(s, s->total, i));
    daedal_status status = DAEDAL_OK;
    for (int side = 0; side < 2 && status == DAEDAL_OK; side++) {
        double h = side ? -step : step;
        move_all(s, i, h);
        status = model_sensitivity_move(s, i, h);
        if (status == DAEDAL_OK && program_run(m->compiled, of, 0.0, NULL, NULL) != 0)
            status = fail(m->why, DAEDAL_ERR_CALLBACK, "an event could not be evaluated again");
        memcpy(e->side[side], of->out, of->n_out * sizeof(double));
    }
    model_sensitivity_put_back(s, i, &before);
    for (size_t k = 0; k < of->n_out; k++)
        e->side[0][k] = (e->side[0][k] - e->side[1][k]) / (2.0 * step * s->size[i]);
    return status;
}

/* ---- algebraic variables ---- */

/* Columns of dF/dy' for differential variables, of dF/dy for others. */
static double *chosen_columns(const simulation *m)
{
    compiled_jacobian *j = m->compiled->jacobian;
    const daedal_pattern *p = &j->pattern.view;
    double *out = j->dy_kept;
    for (int32_t c = 0; c < p->n_cols; c++)
        for (int32_t q = p->start[c]; q < p->start[c + 1]; q++)
            out[q] = m->reduced->differential[c] ? j->dyp[q] : j->dy[q];
    return out;
}

static daedal_status solve_algebraic(model_sensitivities *s, const daedal_linsolver *solver,
                                     void *self)
{
    const simulation *m = s->of;
    int32_t n = m->reduced->n;
    daedal_status status = DAEDAL_OK;
    for (int32_t i = 0; i < s->n && status == DAEDAL_OK; i++) {
        double *total = unknowns_of(s, s->total, i), *found = s->rounds.side[0];
        for (int32_t j = 0; j < n; j++)
            total[j] = m->reduced->differential[j] ? total[j] : 0.0;
        status = differentiate(s, m->compiled->residuals, i);
        if (status == DAEDAL_OK)
            solver->solve(self, found);
        for (int32_t j = 0; j < n && status == DAEDAL_OK; j++)
            total[j] = m->reduced->differential[j] ? total[j] : -found[j];
    }
    return status;
}

static bool has_algebraic(const simulation *m)
{
    bool has = false;
    for (int32_t j = 0; j < m->reduced->n; j++)
        has = has || !m->reduced->differential[j];
    return has;
}

static daedal_status follow_equations(model_sensitivities *s)
{
    simulation *m = s->of;
    event_rounds *e = &s->rounds;
    const double *x = e->settled;
    const value_places *at = &m->values->place;
    const daedal_linsolver *solver = NULL;
    void *self = NULL;
    if (!has_algebraic(m) || !m->compiled->jacobian->exists)
        return DAEDAL_OK;
    memcpy(m->values->x, x, at->n * sizeof *x);
    m->values->version++;
    bool fine =
        compiled_evaluate_jacobian(m->compiled, x[0], x + at->y, x + at->yp) == DAEDAL_CALL_OK &&
        linsolver_open(&m->compiled->jacobian->pattern.view, m->allocator, &solver, &self) ==
            DAEDAL_OK &&
        solver->factor(self, chosen_columns(m)) == DAEDAL_OK;
    daedal_status status = fine ? solve_algebraic(s, solver, self) : DAEDAL_OK;
    e->is_unresolved = e->is_unresolved || !fine;
    if (self)
        solver->destroy(self);
    return status;
}

/* ---- a round ---- */

/* *changed: some derivative is another. */
static daedal_status follow_assignments(model_sensitivities *s, bool *changed)
{
    event_rounds *e = &s->rounds;
    const simulation *m = s->of;
    *changed = false;
    if (!m->discrete->assigns || e->n_held == 0)
        return DAEDAL_OK;
    for (int32_t i = 0; i < s->n; i++) {
        double *now = numbers_of(s, e->now, i);
        TRY(differentiate(s, m->discrete->assigns, i));
        for (int32_t k = 0; k < e->n_held; k++) {
            double found = e->item[k] >= 0 ? e->side[0][e->item[k]] : now[k];
            bool differs = fabs(found - now[k]) > SAME * fmax(fabs(found), fabs(now[k]));
            *changed = *changed || differs;
            e->is_differing[k] = e->is_differing[k] || (differs && m->discrete->has_loops);
            now[k] = found;
        }
    }
    return DAEDAL_OK;
}

static daedal_status follow_round(model_sensitivities *s)
{
    bool changed = true;
    for (int sweep = 0; sweep < SWEEPS_MAX && changed; sweep++) {
        TRY(follow_equations(s));
        TRY(follow_assignments(s, &changed));
    }
    s->rounds.is_unresolved = s->rounds.is_unresolved || changed;
    return DAEDAL_OK;
}

static bool is_needed(const model_sensitivities *s)
{
    return s->rounds.n_held > 0 || s->of->flat->n_reinits > 0;
}

static void put_back(const model_sensitivities *s, const double *x)
{
    const model_values *values = s->of->values;
    memcpy(values->x, x, values->place.n * sizeof *x);
    s->of->values->version++;
}

static void begin_event(void *user)
{
    (void)user;
}

static void begin_round(void *user, int number)
{
    model_sensitivities *s = user;
    event_rounds *e = &s->rounds;
    if (!e->is_open)
        return;
    size_t numbers = (size_t)s->n * (size_t)e->n_held * sizeof(double);
    size_t unknowns = (size_t)s->n * (size_t)s->of->reduced->n_system * sizeof(double);
    if (number == 0) { /* rounds that led to nothing begin again */
        memcpy(s->total, e->before, unknowns);
        memcpy(e->now, e->begun, numbers);
    }
    memcpy(e->pre, e->now, numbers);
    memcpy(e->settled, s->of->values->x, s->of->values->place.n * sizeof(double));
    if (!is_needed(s) || e->status != DAEDAL_OK)
        return;
    e->status = follow_round(s);
    put_back(s, e->settled);
}

/* States that reinit has set. */
static daedal_status follow_reinits(model_sensitivities *s)
{
    const simulation *m = s->of;
    const bool *acts = m->discrete->search->reinit->acts;
    for (int32_t i = 0; i < s->n; i++) {
        double *total = unknowns_of(s, s->total, i);
        TRY(differentiate(s, m->discrete->actions, i));
        for (size_t k = 0; k < m->flat->n_reinits; k++) {
            value_origin to = m->compiled->origin[m->flat->reinits[k].variable];
            int32_t j = to.slot - (int32_t)m->values->place.y;
            if (acts[k] && j >= 0 && j < m->reduced->n)
                total[j] = s->rounds.side[0][2 * k + 1] / to.factor;
        }
    }
    return DAEDAL_OK;
}

static void end_round(void *user)
{
    model_sensitivities *s = user;
    event_rounds *e = &s->rounds;
    const simulation *m = s->of;
    bool any = false;
    for (size_t k = 0; k < m->flat->n_reinits; k++)
        any = any || m->discrete->search->reinit->acts[k];
    if (!any || !e->is_open || e->status != DAEDAL_OK)
        return;
    memcpy(e->kept, m->values->x, m->values->place.n * sizeof(double));
    e->status = follow_reinits(s);
    put_back(s, e->kept);
}

/* ---- states that follow from constraints ---- */

/* Constraints, and the states that they have moved. */
typedef struct moved_states {
    const int32_t *state;
    int32_t n, *row; /* n: the constraints that contain one of them */
    double *matrix, *right;
} moved_states;

/* false: these constraints are not as many as the states, or do not determine them. */
static bool choose_constraints(const model_sensitivities *s, moved_states *v)
{
    const daedal_pattern *p = &s->tapes.slope_pattern.view;
    const double *slopes = s->tapes.slopes->out;
    int32_t count = 0;
    for (int32_t i = 0; i < s->tapes.n_constraints; i++) {
        bool contains = false;
        for (int32_t k = 0; k < v->n; k++) {
            int32_t q = pattern_find(p, i, v->state[k]);
            contains = contains || (q >= 0 && slopes[q] != 0.0);
        }
        if (contains && count == v->n)
            return false;
        if (contains)
            v->row[count++] = i;
    }
    for (int32_t k = 0; k < v->n && count == v->n; k++)
        for (int32_t i = 0; i < v->n; i++) {
            int32_t q = pattern_find(p, v->row[i], v->state[k]);
            v->matrix[k * v->n + i] = q >= 0 ? slopes[q] : 0.0;
        }
    return count == v->n;
}

/* dg/dy_V D_V = -(dg/dy D + dg/dt dT/dp + dg/dp), with the other states. */
static bool solve_constraints(model_sensitivities *s, const moved_states *v)
{
    const simulation *m = s->of;
    const daedal_linsolver *solver = NULL;
    void *self = NULL;
    pattern full = {0};
    bool fine = pattern_full(&full, v->n, m->allocator) &&
                linsolver_open(&full.view, m->allocator, &solver, &self) == DAEDAL_OK &&
                solver->factor(self, v->matrix) == DAEDAL_OK;
    for (int32_t i = 0; i < s->n && fine; i++) {
        double *total = unknowns_of(s, s->total, i);
        for (int32_t k = 0; k < v->n; k++)
            total[v->state[k]] = 0.0;
        fine = differentiate(s, constraint_values(m), i) == DAEDAL_OK;
        for (int32_t k = 0; k < v->n; k++)
            v->right[k] = -s->rounds.side[0][v->row[k]];
        if (fine)
            solver->solve(self, v->right);
        for (int32_t k = 0; k < v->n && fine; k++)
            total[v->state[k]] = v->right[k];
    }
    if (self)
        solver->destroy(self);
    pattern_free(&full);
    return fine;
}

bool event_rounds_follow_constraints(model_sensitivities *s, const int32_t *state, int32_t n)
{
    const simulation *m = s->of;
    event_rounds *e = &s->rounds;
    const double *y = m->values->x + m->values->place.y;
    size_t count = (size_t)n;
    if (!s->tapes.slopes || !constraint_values(m))
        return false;
    arena mem;
    arena_create(&mem, m->allocator, 0);
    moved_states v = {.state = state,
                      .n = n,
                      .row = arena_take(&mem, count, sizeof(int32_t)),
                      .matrix = arena_take(&mem, count * count, sizeof(double)),
                      .right = arena_take(&mem, count, sizeof(double))};
    memcpy(e->settled, m->values->x, m->values->place.n * sizeof(double));
    bool fine = !mem.failed &&
                program_run(m->compiled, s->tapes.slopes, m->values->x[0], y, y) == 0 &&
                choose_constraints(s, &v) && solve_constraints(s, &v);
    put_back(s, e->settled);
    arena_free(&mem);
    return fine;
}

/* ---- around an event ---- */

void event_rounds_begin(model_sensitivities *s)
{
    simulation *m = s->of;
    event_rounds *e = &s->rounds;
    int32_t next = 0;
    for (int32_t k = 0; k < m->reduced->n_discrete; k++)
        if (is_held(m, k)) {
            uint32_t v = m->reduced->discrete_variable[k];
            e->held[next] = (uint32_t)k;
            e->item[next] = item_of(m, v);
            s->read[s->n + next++] = v;
        }
    e->observer = (event_observer){begin_event, begin_round, end_round, s};
}

void event_rounds_enter(model_sensitivities *s)
{
    event_rounds *e = &s->rounds;
    e->status = DAEDAL_OK;
    e->is_open = true;
    memset(e->is_differing, 0, (size_t)e->n_held * sizeof(bool));
    memcpy(e->begun, e->now, (size_t)s->n * (size_t)e->n_held * sizeof(double));
    memcpy(e->before, s->total, (size_t)s->n * (size_t)s->of->reduced->n_system * sizeof(double));
}

bool event_rounds_matter(const model_sensitivities *s)
{
    const event_rounds *e = &s->rounds;
    bool matter = false;
    for (int32_t i = 0; i < s->n; i++)
        for (int32_t k = 0; k < e->n_held; k++) {
            size_t at = (size_t)i * (size_t)e->n_held + (size_t)k;
            matter = matter || (s->tapes.is_read[s->n + k] && e->now[at] != e->begun[at]);
        }
    return matter;
}
