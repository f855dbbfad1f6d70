/* compile/constraint_tapes.c - see compiled.h: the constraints of a lowered index as functions of
 * (t, y), for projection.                                                        */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/choices.h"
#include "compile/compiled.h"
#include "expr/derive.h"

/* A constraint may move the unknowns that lead on its own level only. */
static bool may_move(const compiled_model *m, int32_t constraint, uint32_t symbol)
{
    int32_t j = flat_kind(symbol) == FLAT_VALUE ? m->reduced->column[flat_number(symbol)] : -1;
    return j >= 0 && m->reduced->depth[j] == m->reduced->constraint[constraint].level;
}

static bool wants(void *user, uint32_t symbol)
{
    const compiled_model *m = user;
    return flat_kind(symbol) == FLAT_VALUE && m->reduced->column[flat_number(symbol)] >= 0;
}

typedef struct slope {
    int32_t row, column;
    expr value;
} slope;

typedef struct slopes {
    slope *at;
    size_t n, capacity;
} slopes;

static bool add_slope(compiled_model *m, slopes *list, slope s)
{
    slope *grown = arena_grow(m->mem, list->at, &list->capacity, list->n + 1, sizeof *grown);
    if (!grown)
        return false;
    list->at = grown;
    list->at[list->n++] = s;
    return true;
}

/* Of constraints `which` (NULL: all), by the unknowns they may move, or by all. */
typedef struct slope_wish {
    const int32_t *which;
    int32_t n;
    bool complete;
} slope_wish;

static expr_outcome list_slopes(compiled_model *m, const slope_wish *wish, slopes *list)
{
    expr_selection selection = {wants, m, flat_partials(m->flat)};
    expr_deriver *d = expr_deriver_create(&m->flat->graph, &selection);
    expr_outcome outcome = d ? EXPR_OK : EXPR_NO_MEMORY;
    for (int32_t i = 0; i < wish->n && outcome == EXPR_OK; i++) {
        int32_t which = wish->which ? wish->which[i] : i;
        expr_gradient g = {0};
        outcome = expr_gradient_of(d, m->reduced->constraint[which].value, &g, NULL);
        for (size_t k = 0; k < g.n && outcome == EXPR_OK; k++) {
            uint32_t symbol = g.entry[k].variable;
            slope s = {i, m->reduced->column[flat_number(symbol)], g.entry[k].derivative};
            if ((wish->complete || may_move(m, which, symbol)) && !add_slope(m, list, s))
                outcome = EXPR_NO_MEMORY;
        }
    }
    expr_deriver_free(d);
    return outcome;
}

/* Slopes by columns, into a pattern and a program; those of one column stay in the order of
 * rows.                                                                          */
static bool sort_slopes(compiled_model *m, const slopes *list, int32_t n_rows, pattern *p,
                        program **to)
{
    if (!pattern_create(p, n_rows, m->reduced->n, (int32_t)list->n, m->allocator))
        return false;
    expr *roots = arena_take(m->mem, list->n + 1, sizeof *roots);
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

/* ---- what the integrator holds ---- */

static bool is_held(const compiled_model *m, int32_t i)
{
    const model_constraint *c = &m->reduced->constraint[i];
    return m->reduced->setup.levels == DAEDAL_LEVELS_ALL ||
           (m->reduced->setup.levels == DAEDAL_LEVELS_POSITION ? c->order == 0 : c->level == -1);
}

int32_t compiled_hold(const compiled_model *m)
{
    if (m->reduction == DAEDAL_REDUCE_GGL)
        return CONSTRAINTS_GGL;
    return m->reduction == DAEDAL_REDUCE_DUMMY ? CONSTRAINTS_DUMMY : CONSTRAINTS_PROJECT;
}

/* By stateSelect of the variables that an unknown stands for.  Who asks for a state that a
 * constraint may move asks for dummy derivatives.                                */
static bool note_wishes(compiled_model *m)
{
    const flat_model *f = m->flat;
    const daedal_pattern *p = &m->constraints->pattern.view;
    int32_t *wish = arena_take(m->mem, (size_t)m->reduced->n, sizeof *wish);
    if (!wish)
        return false;
    for (size_t v = 0; v < f->n_variables; v++) {
        int32_t asked = (int32_t)f->variables[v].select - FLAT_DEFAULT;
        int32_t j = m->origin[v].slot < 0 ? -1 : m->origin[v].slot - (int32_t)m->values->place.y;
        if (asked == 0 || j < 0 || j >= m->reduced->n)
            continue;
        wish[j] = abs(asked) > abs(wish[j]) ? asked : wish[j];
        m->state_wish = wish;
        bool bound = p->start[j + 1] > p->start[j];
        if (bound && wish[j] == FLAT_ALWAYS - FLAT_DEFAULT && m->reduction == DAEDAL_REDUCE_AUTO)
            m->reduction = DAEDAL_REDUCE_DUMMY;
    }
    return true;
}

/* Constraints in the equations of each step need all their slopes. */
static bool compile_held(compiled_model *m)
{
    constraint_set *h = &m->constraints->held;
    size_t most = (size_t)m->reduced->n_constraints;
    int32_t *which = arena_take(m->mem, most, sizeof *which);
    expr *roots = arena_take(m->mem, most, sizeof *roots);
    slopes list = {0};
    h->level = arena_take(m->mem, most, sizeof *h->level);
    if (m->mem->failed)
        return false;
    for (int32_t i = 0; i < m->reduced->n_constraints; i++)
        if (is_held(m, i)) {
            which[h->n] = i;
            roots[h->n] = m->reduced->constraint[i].value;
            h->level[h->n++] = m->reduced->constraint[i].level;
        }
    slope_wish wish = {which, h->n, compiled_hold(m) != CONSTRAINTS_PROJECT};
    return list_slopes(m, &wish, &list) == EXPR_OK &&
           sort_slopes(m, &list, h->n, &h->pattern, &h->slopes) &&
           program_create(m, &h->values, roots, (size_t)h->n);
}

bool compiled_add_constraints(compiled_model *m)
{
    if (m->reduced->n_constraints == 0)
        return true;
    size_t n = (size_t)m->reduced->n_constraints;
    slopes list = {0};
    slope_wish wish = {NULL, m->reduced->n_constraints, false};
    expr *roots = arena_take(m->mem, n, sizeof *roots);
    m->constraints->size = arena_take(m->mem, n, sizeof *m->constraints->size);
    m->constraints->level = arena_take(m->mem, n, sizeof *m->constraints->level);
    if (m->mem->failed)
        return false;
    for (size_t i = 0; i < n; i++) {
        roots[i] = m->reduced->constraint[i].value;
        m->constraints->level[i] = m->reduced->constraint[i].level;
    }
    if (list_slopes(m, &wish, &list) != EXPR_OK ||
        !sort_slopes(m, &list, m->reduced->n_constraints, &m->constraints->pattern,
                     &m->constraints->slopes) ||
        !program_create(m, &m->constraints->values, roots, n) || !note_wishes(m))
        return false;
    bool apart =
        compiled_hold(m) != CONSTRAINTS_PROJECT || m->reduced->setup.levels != DAEDAL_LEVELS_ALL;
    return !apart || compile_held(m);
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
    const daedal_pattern *p = &m->constraints->pattern.view;
    double worst = 0.0;
    if (m->reduced->n_constraints == 0 ||
        program_run(m, m->constraints->values, 0.0, NULL, NULL) != DAEDAL_CALL_OK ||
        program_run(m, m->constraints->slopes, 0.0, NULL, NULL) != DAEDAL_CALL_OK)
        return 0.0;
    memset(m->constraints->size, 0, (size_t)m->reduced->n_constraints * sizeof(double));
    for (int32_t j = 0; j < m->reduced->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double *size = &m->constraints->size[p->row[q]];
            double y = fmax(fabs(m->values->x[m->values->place.y + (uint32_t)j]), m->nominal[j]);
            *size = fmax(*size, fabs(m->constraints->slopes->out[q]) * y);
        }
    for (int32_t i = 0; i < m->reduced->n_constraints; i++)
        worst =
            fmax(worst, fabs(m->constraints->values->out[i]) / fmax(m->constraints->size[i], 1.0));
    return worst;
}
