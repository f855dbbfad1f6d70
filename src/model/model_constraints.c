/* model/model_constraints.c - see model.h: the constraints of a lowered index as functions of
 * (t, y), for projection.                                                        */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/derive.h"
#include "model/model.h"

/* A constraint may move the unknowns that lead on its own level only. */
static bool may_move(const model *m, int32_t constraint, uint32_t symbol)
{
    int32_t j = flat_kind(symbol) == FLAT_VALUE ? m->column[flat_number(symbol)] : -1;
    return j >= 0 && m->depth[j] == m->constraint[constraint].level;
}

static bool wants(void *user, uint32_t symbol)
{
    const model *m = user;
    return flat_kind(symbol) == FLAT_VALUE && m->column[flat_number(symbol)] >= 0;
}

typedef struct slope {
    int32_t row, column;
    expr value;
} slope;

typedef struct slopes {
    slope *at;
    size_t n, capacity;
} slopes;

static bool add_slope(model *m, slopes *list, slope s)
{
    slope *grown = arena_grow(&m->mem, list->at, &list->capacity, list->n + 1, sizeof *grown);
    if (!grown)
        return false;
    list->at = grown;
    list->at[list->n++] = s;
    return true;
}

static expr_outcome list_slopes(model *m, slopes *list)
{
    expr_selection selection = {wants, model_partial, m};
    expr_deriver *d = expr_deriver_create(&m->flat->graph, &selection);
    expr_outcome outcome = d ? EXPR_OK : EXPR_NO_MEMORY;
    for (int32_t i = 0; i < m->n_constraints && outcome == EXPR_OK; i++) {
        expr_gradient g = {0};
        outcome = expr_gradient_of(d, m->constraint[i].value, &g, NULL);
        for (size_t k = 0; k < g.n && outcome == EXPR_OK; k++) {
            uint32_t symbol = g.entry[k].variable;
            slope s = {i, m->column[flat_number(symbol)], g.entry[k].derivative};
            if (may_move(m, i, symbol) && !add_slope(m, list, s))
                outcome = EXPR_NO_MEMORY;
        }
    }
    expr_deriver_free(d);
    return outcome;
}

/* Slopes by columns; those of one column stay in the order of rows. */
static bool sort_slopes(model *m, const slopes *list)
{
    pattern *p = &m->constraint_pattern;
    if (!pattern_create(p, m->n_constraints, m->n, (int32_t)list->n, m->allocator))
        return false;
    expr *roots = arena_take(&m->mem, list->n + 1, sizeof *roots);
    if (!roots)
        return false;
    for (size_t k = 0; k < list->n; k++)
        p->start[list->at[k].column + 1]++;
    for (int32_t j = 0; j < m->n; j++)
        p->start[j + 1] += p->start[j];
    for (size_t k = list->n; k-- > 0;) {
        int32_t to = --p->start[list->at[k].column + 1];
        p->row[to] = list->at[k].row;
        roots[to] = list->at[k].value;
    }
    for (int32_t j = 0; j < m->n; j++)
        p->start[j] = p->start[j + 1];
    p->start[m->n] = (int32_t)list->n;
    return list->n == 0 || program_create(m, &m->constraint_slopes, roots, list->n);
}

bool model_compile_constraints(model *m)
{
    if (m->n_constraints == 0)
        return true;
    size_t n = (size_t)m->n_constraints;
    slopes list = {0};
    expr *roots = arena_take(&m->mem, n, sizeof *roots);
    m->constraint_size = arena_take(&m->mem, n, sizeof *m->constraint_size);
    m->constraint_level = arena_take(&m->mem, n, sizeof *m->constraint_level);
    if (m->mem.failed)
        return false;
    for (size_t i = 0; i < n; i++) {
        roots[i] = m->constraint[i].value;
        m->constraint_level[i] = m->constraint[i].level;
    }
    return list_slopes(m, &list) == EXPR_OK && sort_slopes(m, &list) &&
           program_create(m, &m->constraints_program, roots, n);
}

static int constraints(double t, const double *y, double *g, void *user)
{
    model *m = user;
    int answer = program_run(m, &m->constraints_program, t, y, y);
    memcpy(g, m->constraints_program.out, (size_t)m->n_constraints * sizeof(double));
    return answer;
}

static int constraint_slopes(double t, const double *y, double *values, void *user)
{
    model *m = user;
    int answer = program_run(m, &m->constraint_slopes, t, y, y);
    memcpy(values, m->constraint_slopes.out, m->constraint_slopes.n_out * sizeof(double));
    return answer;
}

void model_describe_constraints(model *m, daedal_system *sys)
{
    if (m->n_constraints == 0 || m->reduction > DAEDAL_REDUCE_PROJECT)
        return;
    sys->n_constraints = m->n_constraints;
    sys->constraints = constraints;
    sys->constraint_jacobian = constraint_slopes;
    sys->constraint_pattern = &m->constraint_pattern.view;
    sys->constraint_level = (daedal_ints){m->constraint_level, m->n_constraints};
}

const char *model_constraint_text(model *m, int32_t i, char *text, size_t size)
{
    static const char *const times[] = {"", ", differentiated", ", differentiated twice"};
    const model_constraint *c = &m->constraint[i];
    if (c->order < 3)
        snprintf(text, size, "%s%s", model_equation_text(m, c->equation), times[c->order]);
    else
        snprintf(text, size, "%s, differentiated %d times", model_equation_text(m, c->equation),
                 (int)c->order);
    return text;
}

double model_constraint_residual(model *m)
{
    const daedal_pattern *p = &m->constraint_pattern.view;
    double worst = 0.0;
    if (m->n_constraints == 0 ||
        program_run(m, &m->constraints_program, 0.0, NULL, NULL) != DAEDAL_CALL_OK ||
        program_run(m, &m->constraint_slopes, 0.0, NULL, NULL) != DAEDAL_CALL_OK)
        return 0.0;
    memset(m->constraint_size, 0, (size_t)m->n_constraints * sizeof(double));
    for (int32_t j = 0; j < m->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double *size = &m->constraint_size[p->row[q]];
            double y = fmax(fabs(m->x[m->place.y + (uint32_t)j]), m->nominal[j]);
            *size = fmax(*size, fabs(m->constraint_slopes.out[q]) * y);
        }
    for (int32_t i = 0; i < m->n_constraints; i++)
        worst = fmax(worst, fabs(m->constraints_program.out[i]) / fmax(m->constraint_size[i], 1.0));
    return worst;
}
