/* compile/constraint_tapes.c - see compiled.h: the constraints of a lowered index as functions of
 * (t, y), for projection.                                                        */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/choices.h"
#include "compile/compiled.h"
#include "expr/derive.h"

/* A constraint may move only those unknowns that lead on its own level. */
static bool may_move(const compiled_model *m, int32_t constraint, uint32_t symbol)
{
    int32_t j = flat_kind(symbol) == FLAT_VALUE ? m->reduced->column[flat_number(symbol)] : -1;
    return j >= 0 && m->reduced->depth[j] == m->reduced->constraint[constraint].level;
}

static bool is_unknown(void *user, uint32_t symbol)
{
    const compiled_model *m = user;
    return flat_kind(symbol) == FLAT_VALUE && m->reduced->column[flat_number(symbol)] >= 0;
}

typedef struct slope {
    int32_t row, column;
    expr value;
} slope;

typedef struct slopes {
    arena *mem;
    slope *at;
    size_t n, capacity;
} slopes;

static bool add_slope(slopes *list, slope s)
{
    slope *grown = arena_enlarge(list->mem, list->at, &list->capacity, list->n + 1, sizeof *grown);
    if (!grown)
        return false;
    list->at = grown;
    list->at[list->n++] = s;
    return true;
}

/* The derivatives of constraints `which` (NULL: all) with respect to the unknowns that they may
 * move, or (complete) to all. */
typedef struct slope_request {
    const int32_t *which;
    int32_t n;
    bool complete;
} slope_request;

static expr_outcome collect_slopes(const compiled_model *m, const slope_request *request,
                                   slopes *list)
{
    compiled_model *user = (compiled_model *)(uintptr_t)m; /* read only */
    expr_selection selection = {is_unknown, user, flat_partials(m->flat)};
    expr_deriver *d = expr_deriver_create(&m->flat->graph, &selection);
    expr_outcome outcome = d ? EXPR_OK : EXPR_NO_MEMORY;
    for (int32_t i = 0; i < request->n && outcome == EXPR_OK; i++) {
        int32_t which = request->which ? request->which[i] : i;
        expr_gradient g = {0};
        outcome = expr_gradient_of(d, m->reduced->constraint[which].value, &g, NULL);
        for (size_t k = 0; k < g.n && outcome == EXPR_OK; k++) {
            uint32_t symbol = g.entry[k].variable;
            slope s = {i, m->reduced->column[flat_number(symbol)], g.entry[k].derivative};
            if ((request->complete || may_move(m, which, symbol)) && !add_slope(list, s))
                outcome = EXPR_NO_MEMORY;
        }
    }
    expr_deriver_free(d);
    return outcome;
}

/* Sort the derivatives by columns, into a pattern and a program; those of one column stay in the
 * order of rows.                                                                 */
static bool sort_slopes(const compiled_model *m, const slopes *list, int32_t n_rows, pattern *p,
                        program **to)
{
    if (!pattern_create(p, n_rows, m->reduced->n, (int32_t)list->n, m->allocator))
        return false;
    expr *roots = arena_take(list->mem, list->n + 1, sizeof *roots);
    if (!roots)
        return false;
    for (size_t k = 0; k < list->n; k++)
        p->start[list->at[k].column + 1]++;
    for (int32_t j = 0; j < m->reduced->n; j++)
        p->start[j + 1] += p->start[j];
    for (size_t k = list->n; k-- > 0;) {
        int32_t at = --p->start[list->at[k].column + 1];
        p->row[at] = list->at[k].row;
        roots[at] = list->at[k].value;
    }
    for (int32_t j = 0; j < m->reduced->n; j++)
        p->start[j] = p->start[j + 1];
    p->start[m->reduced->n] = (int32_t)list->n;
    return list->n == 0 || program_create(m, to, roots, list->n);
}

/* The entries of the pattern with constant slopes, in the order of sort_slopes. */
static bool mark_constant_slopes(compiled_model *m, const slopes *list)
{
    compiled_constraints *c = m->constraints;
    int32_t *next = arena_take(m->mem, (size_t)m->reduced->n + 1, sizeof *next);
    c->is_constant = arena_take(m->mem, list->n + 1, sizeof *c->is_constant);
    if (m->mem->failed)
        return false;
    memcpy(next, c->pattern.start, (size_t)m->reduced->n * sizeof *next);
    for (size_t k = 0; k < list->n; k++)
        c->is_constant[next[list->at[k].column]++] =
            expr_is_constant(&m->flat->graph, list->at[k].value);
    return true;
}

/* ---- the constraints that the integrator satisfies ---- */

bool compiled_is_held(const compiled_model *m, int32_t i)
{
    const model_constraint *c = &m->reduced->constraint[i];
    return m->reduced->setup.levels == DAEDAL_LEVELS_ALL ||
           (m->reduced->setup.levels == DAEDAL_LEVELS_POSITION ? c->order == 0 : c->level == -1);
}

int32_t compiled_constraint_method(const compiled_model *m)
{
    if (m->reduction == DAEDAL_REDUCE_GGL)
        return CONSTRAINTS_GGL;
    return m->reduction == DAEDAL_REDUCE_DUMMY ? CONSTRAINTS_DUMMY : CONSTRAINTS_PROJECT;
}

/* stateSelect of an unknown is the strongest one of the variables that it stands for.  A state that
 * is always to be selected, but that a constraint may move, requires dummy derivatives. */
static bool collect_state_select(compiled_model *m)
{
    const flat_model *f = m->flat;
    const daedal_pattern *p = &m->constraints->pattern.view;
    int32_t *select = arena_take(m->mem, (size_t)m->reduced->n, sizeof *select);
    if (!select)
        return false;
    for (size_t v = 0; v < f->n_variables; v++) {
        int32_t given = (int32_t)f->variables[v].select - FLAT_DEFAULT;
        int32_t j = m->origin[v].slot < 0 ? -1 : m->origin[v].slot - (int32_t)m->values->place.y;
        if (given == 0 || j < 0 || j >= m->reduced->n)
            continue;
        select[j] = abs(given) > abs(select[j]) ? given : select[j];
        m->state_select = select;
        bool bound = p->start[j + 1] > p->start[j];
        if (bound && select[j] == FLAT_ALWAYS - FLAT_DEFAULT && m->reduction == DAEDAL_REDUCE_AUTO)
            m->reduction = DAEDAL_REDUCE_DUMMY;
    }
    return true;
}

/* Constraints that become part of the equations of each step need all their derivatives. */
static bool compile_held(compiled_model *m)
{
    constraint_set *h = &m->constraints->held;
    size_t most = (size_t)m->reduced->n_constraints;
    int32_t *which = arena_take(m->mem, most, sizeof *which);
    expr *roots = arena_take(m->mem, most, sizeof *roots);
    arena mem;
    slopes list = {.mem = &mem};
    h->level = arena_take(m->mem, most, sizeof *h->level);
    if (m->mem->failed)
        return false;
    arena_create(&mem, m->allocator, 0);
    for (int32_t i = 0; i < m->reduced->n_constraints; i++)
        if (compiled_is_held(m, i)) {
            which[h->n] = i;
            roots[h->n] = m->reduced->constraint[i].value;
            h->level[h->n++] = m->reduced->constraint[i].level;
        }
    slope_request request = {which, h->n, compiled_constraint_method(m) != CONSTRAINTS_PROJECT};
    bool fine = collect_slopes(m, &request, &list) == EXPR_OK &&
                sort_slopes(m, &list, h->n, &h->pattern, &h->slopes) &&
                program_create(m, &h->values, roots, (size_t)h->n);
    arena_free(&mem);
    return fine;
}

expr_outcome compiled_complete_slopes(const compiled_model *m, pattern *p, program **to)
{
    arena mem;
    slopes list = {.mem = &mem};
    slope_request request = {.complete = true};
    arena_create(&mem, m->allocator, 0);
    int32_t *which = arena_take(&mem, (size_t)m->reduced->n_constraints + 1, sizeof *which);
    expr_outcome outcome = which ? EXPR_OK : EXPR_NO_MEMORY;
    for (int32_t i = 0; i < m->reduced->n_constraints && which; i++)
        if (m->constraints->held.n == 0 || compiled_is_held(m, i))
            which[request.n++] = i;
    request.which = which;
    if (outcome == EXPR_OK)
        outcome = collect_slopes(m, &request, &list);
    if (outcome == EXPR_OK && !sort_slopes(m, &list, request.n, p, to))
        outcome = EXPR_NO_MEMORY;
    arena_free(&mem);
    return outcome;
}

/* The derivatives of all constraints with respect to the unknowns that they may move. */
static bool compile_slopes(compiled_model *m)
{
    compiled_constraints *c = m->constraints;
    arena mem;
    slopes list = {.mem = &mem};
    slope_request request = {NULL, m->reduced->n_constraints, false};
    arena_create(&mem, m->allocator, 0);
    bool fine = collect_slopes(m, &request, &list) == EXPR_OK &&
                sort_slopes(m, &list, m->reduced->n_constraints, &c->pattern, &c->slopes) &&
                mark_constant_slopes(m, &list);
    arena_free(&mem);
    return fine;
}

bool compiled_add_constraints(compiled_model *m)
{
    if (m->reduced->n_constraints == 0)
        return true;
    compiled_constraints *c = m->constraints;
    size_t n = (size_t)m->reduced->n_constraints;
    expr *roots = arena_take(m->mem, n, sizeof *roots);
    c->size = arena_take(m->mem, n, sizeof *c->size);
    c->level = arena_take(m->mem, n, sizeof *c->level);
    if (m->mem->failed)
        return false;
    for (size_t i = 0; i < n; i++) {
        roots[i] = m->reduced->constraint[i].value;
        c->level[i] = m->reduced->constraint[i].level;
    }
    if (!compile_slopes(m) || !program_create(m, &c->values, roots, n) || !collect_state_select(m))
        return false;
    bool separate = compiled_constraint_method(m) != CONSTRAINTS_PROJECT ||
                    m->reduced->setup.levels != DAEDAL_LEVELS_ALL;
    return !separate || compile_held(m);
}

const char *compiled_constraint_text(const compiled_model *m, int32_t i, char *text, size_t size)
{
    static const char *const times[] = {"", ", differentiated", ", differentiated twice"};
    const model_constraint *c = &m->reduced->constraint[i];
    if (c->order < 3)
        snprintf(text, size, "%s%s", equation_text(m->reduced, c->equation), times[c->order]);
    else
        snprintf(text, size, "%s, differentiated %d times", equation_text(m->reduced, c->equation),
                 (int)c->order);
    return text;
}

double compiled_constraint_residual(const compiled_model *m)
{
    const compiled_constraints *c = m->constraints;
    const daedal_pattern *p = &c->pattern.view;
    const double *y = m->values->x + m->values->place.y;
    double worst = 0.0;
    if (m->reduced->n_constraints == 0 ||
        program_run(m, c->values, 0.0, NULL, NULL) != DAEDAL_CALL_OK ||
        program_run(m, c->slopes, 0.0, NULL, NULL) != DAEDAL_CALL_OK)
        return 0.0;
    memset(c->size, 0, (size_t)m->reduced->n_constraints * sizeof(double));
    for (int32_t j = 0; j < m->reduced->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double *size = &c->size[p->row[q]];
            double size_of_y = fmax(fabs(y[j]), m->nominal[j]);
            *size = fmax(*size, fabs(c->slopes->out[q]) * size_of_y);
        }
    for (int32_t i = 0; i < m->reduced->n_constraints; i++)
        worst = fmax(worst, fabs(c->values->out[i]) / fmax(c->size[i], 1.0));
    return worst;
}
