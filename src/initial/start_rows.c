/* initial/start_rows.c - see start_rows.h.
 *
 * Columns: y, the y' that occur, free parameters.  Rows: equations, initial equations, and for
 * every column "keep this value".  A matching chooses rows in the order of their rank: equations,
 * initial equations, fixed values, states with a start value, other states, parameters, the
 * rest.  The chosen rows are a square system, solved by damped Newton with a sparse
 * factorization.  Where that is singular, the equations, initial equations and fixed values are
 * solved by Gauss-Newton with the least weighted change (start_least_change.c).   */
#include "initial/start_rows.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "expr/derive.h"
#include "expr/walk.h"
#include "graph/matching.h"
#include "linalg/damped_newton.h"
#include "linalg/linsolver.h"

enum { LAST_CLASS = 8, ITERATIONS_MAX = 100, HALVINGS_MAX = 20 };
static const double NEIGHBOUR = 1e-8; /* relative: about sqrt(rounding)                */
/* Weights of a change: states move least, then values that are given, derivatives most. */
static const double STATE_WEIGHT = 0.01, GIVEN_WEIGHT = 0.1, SLOPE_WEIGHT = 100.0;
/* Relative corrections of damped Newton. */
static const double NEGLIGIBLE = 1e-12, SOLVED = 1e-13, TOLERATED = 1e-9;
static const double CHECK_TOLERANCE = 1e-8; /* relative: rows that hold                     */
static const double SUFFICIENT = 1e-4; /* decrease required of a step: Armijo's usual constant */

/* ---- columns ---- */

static int32_t rank_of(const start_problem *m, int32_t j)
{
    const flat_variable *v = &m->flat->variables[m->reduced->variable[j]];
    if (m->start_fixed[j])
        return RANK_FIXED;
    if (m->reduced->differential[j])
        return m->start_given[j] || v->select >= FLAT_PREFER ? RANK_FIXED + 1 : RANK_FIXED + 2;
    return m->start_given[j] ? RANK_FIXED + 4 : RANK_FIXED + 5;
}

int32_t start_rows_columns(const start_problem *m)
{
    int32_t states = 0;
    for (int32_t j = 0; j < m->reduced->n; j++)
        states += start_has_slope(m, j);
    return m->reduced->n + states + (int32_t)m->n_free;
}

static void set_columns(start_problem *m, start_rows *s)
{
    int32_t c = 0;
    for (int32_t j = 0; j < m->reduced->n; j++, c++) {
        s->slot[c] = m->values->place.y + (uint32_t)j;
        s->rank[c] = rank_of(m, j);
        double size = fmax(m->compiled->nominal[j], fabs(m->start[j]));
        s->weight[c] = size > 0.0 ? size : 1.0;
        s->weight[c] *= m->reduced->differential[j] ? STATE_WEIGHT
                        : m->start_given[j]         ? GIVEN_WEIGHT
                                                    : 1.0;
    }
    for (int32_t j = 0; j < m->reduced->n; j++) {
        s->slope_column[j] = start_has_slope(m, j) ? c : -1;
        if (!start_has_slope(m, j))
            continue;
        s->slot[c] = m->values->place.yp + (uint32_t)j;
        s->weight[c] = SLOPE_WEIGHT * fmax(m->compiled->nominal[j], 1.0);
        s->rank[c++] = LAST_CLASS;
    }
    for (int32_t k = 0; k < m->reduced->n_discrete; k++)
        s->parameter_column[k] = -1;
    for (size_t k = 0; k < m->n_free; k++, c++) {
        int32_t d = m->reduced->discrete_of[m->free_parameter[k]];
        s->parameter_column[d] = c;
        s->slot[c] = m->values->place.discrete + (uint32_t)d;
        s->weight[c] = fmax(fabs(m->values->x[s->slot[c]]), 1.0);
        s->rank[c] = RANK_FIXED + 3;
    }
}

static int32_t column_of(const start_problem *m, const start_rows *s, uint32_t symbol)
{
    uint32_t v = flat_number(symbol);
    switch (flat_kind(symbol)) {
    case FLAT_VALUE:
        if (m->reduced->column[v] >= 0)
            return m->reduced->column[v];
        return m->reduced->discrete_of[v] >= 0 ? s->parameter_column[m->reduced->discrete_of[v]]
                                               : -1;
    case FLAT_DER:
        return m->reduced->column[v] >= 0 ? s->slope_column[m->reduced->column[v]] : -1;
    default:
        return -1;
    }
}

/* ---- tapes ---- */

typedef struct column_search {
    start_problem *m;
    start_rows *s;
} column_search;

static bool has_column(void *user, uint32_t symbol)
{
    const column_search *k = user;
    return column_of(k->m, k->s, symbol) >= 0;
}

static bool add_entry(start_rows *s, int32_t row, int32_t column)
{
    row_entry *grown =
        arena_enlarge(&s->lists, s->entry, &s->capacity, s->n_entries + 1, sizeof *grown);
    if (!grown)
        return false;
    s->entry = grown;
    s->entry[s->n_entries++] = (row_entry){row, column};
    return true;
}

static bool add_derivative(start_problem *m, start_rows *s, int32_t row, const expr_entry *e)
{
    expr *roots =
        arena_enlarge(&s->lists, s->root, &s->root_capacity, s->n_entries + 1, sizeof *roots);
    if (!roots)
        return false;
    s->root = roots;
    s->root[s->n_entries] = e->derivative;
    return add_entry(s, row, column_of(m, s, e->variable));
}

static expr_outcome differentiate(start_problem *m, start_rows *s, const expr *rows)
{
    column_search who = {m, s};
    expr_selection selection = {has_column, &who, flat_partials(m->flat)};
    expr_deriver *d = expr_deriver_create(&m->flat->graph, &selection);
    expr_outcome outcome = d ? EXPR_OK : EXPR_NO_MEMORY;
    for (int32_t i = 0; i < s->n_exprs && outcome == EXPR_OK; i++) {
        expr_gradient g = {0};
        outcome = expr_gradient_of(d, rows[i], &g, NULL);
        for (size_t k = 0; k < g.n && outcome == EXPR_OK; k++)
            if (!add_derivative(m, s, i, &g.entry[k]))
                outcome = EXPR_NO_MEMORY;
    }
    expr_deriver_free(d);
    return outcome;
}

/* The same places, by what occurs in the rows: derivatives are not made. */
static expr_outcome list_occurrences(start_problem *m, start_rows *s)
{
    expr_walker *w = m->reduced->walker;
    bool fine = true;
    for (int32_t i = 0; i < s->n_exprs && fine; i++) {
        expr_walker_forget(w);
        fine = expr_depends(w, s->rows[i], EXPR_INCIDENCE);
        for (size_t k = 0; fine && k < w->n_found; k++) {
            int32_t column = column_of(m, s, expr_index(&m->flat->graph, w->found[k]));
            fine = column < 0 || add_entry(s, i, column);
        }
    }
    expr_walker_free(w);
    return fine ? EXPR_OK : EXPR_NO_MEMORY;
}

static bool compile_slopes(start_problem *m, start_rows *s)
{
    const expr_graph *g = &m->flat->graph;
    expr *roots = arena_take(&s->mem, s->n_entries + 1, sizeof *roots);
    s->root_entry = arena_take(&s->mem, s->n_entries + 1, sizeof *s->root_entry);
    s->value = arena_take(&s->mem, s->n_entries + 1, sizeof *s->value);
    if (s->mem.failed)
        return false;
    size_t n = 0;
    for (size_t k = 0; k < s->n_entries; k++) {
        if (expr_is_constant(g, s->root[k]) && !expr_is_live(g, s->root[k])) {
            s->value[k] = expr_value_now(g, s->root[k]);
        } else {
            roots[n] = s->root[k];
            s->root_entry[n++] = k;
        }
    }
    return n == 0 || program_create(m->compiled, &s->slopes, roots, n);
}

static bool take_room(start_problem *m, start_rows *s)
{
    size_t n = (size_t)s->n_columns + 1, rows = n + (size_t)s->n_exprs;
    double **vectors[] = {&s->guess, &s->weight, &s->z, &s->trial, &s->step};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = arena_take(&s->mem, n, sizeof(double));
    s->r = arena_take(&s->mem, rows, sizeof(double));
    s->slot = arena_take(&s->mem, n, sizeof *s->slot);
    s->rank = arena_take(&s->mem, n, sizeof *s->rank);
    s->slope_column = arena_take(&s->mem, (size_t)m->reduced->n + 1, sizeof *s->slope_column);
    s->parameter_column =
        arena_take(&s->mem, (size_t)m->reduced->n_discrete + 1, sizeof *s->parameter_column);
    s->chosen = arena_take(&s->mem, rows, sizeof *s->chosen);
    s->order = arena_take(&s->mem, rows, sizeof *s->order);
    return !s->mem.failed;
}

/* ---- the choice of rows ---- */

static bool is_included(const start_rows *s, int32_t row, int32_t class)
{
    if (row < s->n_equations)
        return true;
    return row < s->n_exprs ? class >= 1 : class >= s->rank[row - s->n_exprs];
}

/* The rows of this class and of lower ones; rows are n_exprs expressions, then "keep". */
static bool class_pattern(start_problem *m, const start_rows *s, int32_t class, pattern *p)
{
    int32_t n = s->n_columns;
    if (!pattern_create(p, s->n_exprs + n, n, (int32_t)s->n_entries + n, m->allocator))
        return false;
    for (size_t k = 0; k < s->n_entries; k++)
        p->start[s->entry[k].column + 1] += is_included(s, s->entry[k].row, class);
    for (int32_t c = 0; c < n; c++) {
        p->start[c + 1] += is_included(s, s->n_exprs + c, class);
        p->start[c + 1] += p->start[c];
    }
    for (int32_t c = n; c-- > 0;) /* from the back: "keep" is the last row of its column */
        if (is_included(s, s->n_exprs + c, class))
            p->row[--p->start[c + 1]] = s->n_exprs + c;
    for (size_t k = s->n_entries; k-- > 0;)
        if (is_included(s, s->entry[k].row, class))
            p->row[--p->start[s->entry[k].column + 1]] = s->entry[k].row;
    for (int32_t c = 0; c < n; c++)
        p->start[c] = p->start[c + 1];
    int32_t last = 0;
    for (size_t k = 0; k < s->n_entries; k++)
        last += is_included(s, s->entry[k].row, class);
    for (int32_t c = 0; c < n; c++)
        last += is_included(s, s->n_exprs + c, class);
    p->start[n] = last;
    return true;
}

/* Whether this class has rows that lower ones have not; the first one counts as if it had. */
static bool class_has_rows(const start_problem *m, const start_rows *s, int32_t class)
{
    bool has = class == 0 || (class == 1 && m->n_initial_rows > 0);
    for (int32_t c = 0; c < s->n_columns && !has; c++)
        has = s->rank[c] == class;
    return has;
}

static bool choose_rows(start_problem *m, start_rows *s)
{
    matching pairs = {0};
    bool fine = matching_create(&pairs, s->n_exprs + s->n_columns, s->n_columns, m->allocator);
    for (int32_t class = 0; class <= LAST_CLASS && fine && pairs.size < s->n_columns; class ++) {
        pattern p = {0};
        if (!class_has_rows(m, s, class))
            continue;
        fine = class_pattern(m, s, class, &p) && matching_improve(&pairs, &p.view, m->allocator);
        pattern_free(&p);
    }
    int32_t n = 0;
    for (int32_t i = 0; i < s->n_exprs + s->n_columns && fine; i++) {
        s->chosen[i] = pairs.col_of[i] != MATCHING_NONE;
        s->order[i] = s->chosen[i] ? n++ : -1;
    }
    matching_free(&pairs);
    return fine;
}

static bool open_square(start_problem *m, start_rows *s)
{
    return start_matrix_create(&s->square, s, s->order, s->n_columns, m->allocator) &&
           linsolver_open(&s->square.pattern.view, m->allocator, &s->solver, &s->factors) ==
               DAEDAL_OK;
}

/* All rows that are expressions. */
static expr *collect_rows(start_problem *m, start_rows *s)
{
    expr *rows = arena_take(&s->mem, (size_t)s->n_exprs + 1, sizeof *rows);
    if (!rows)
        return NULL;
    memcpy(rows, m->reduced->residual, (size_t)m->reduced->n * sizeof *rows);
    for (int32_t i = 0; i < m->reduced->n_constraints; i++)
        rows[m->reduced->n + i] = m->reduced->constraint[i].value;
    for (int32_t i = 0; i < m->slopes->n; i++)
        rows[m->reduced->n + m->reduced->n_constraints + i] = m->slopes->row[i];
    memcpy(rows + s->n_equations, m->initial_row, m->n_initial_rows * sizeof *rows);
    return rows;
}

static daedal_status fail_slopes(start_problem *m)
{
    int32_t j = 0;
    while (j + 1 < m->reduced->n && !m->slopes->is_wanted[j])
        j++;
    fail(m->why, DAEDAL_ERR_START,
         "an initial equation contains the derivative of %s, which no equation contains, and it "
         "cannot be determined: %s",
         m->compiled->variable_name[j], m->slopes->obstacle);
    hint(m->why, "write the initial equation with derivatives of states");
    return DAEDAL_ERR_START;
}

/* What follows from the structure: rows, columns, entries, and the choice of rows. */
static daedal_status create(start_problem *m, bool structure_only)
{
    if (m->slopes->obstacle)
        return fail_slopes(m);
    start_rows *s = memory_take(m->allocator, sizeof *s);
    if (!s)
        return DAEDAL_ERR_MEMORY;
    m->rows = s;
    arena_create(&s->mem, m->allocator, 0);
    arena_create(&s->lists, m->allocator, 0);
    s->structure_only = structure_only;
    s->n_equations = m->reduced->n + m->reduced->n_constraints + m->slopes->n;
    s->n_exprs = s->n_equations + (int32_t)m->n_initial_rows;
    s->n_columns = start_rows_columns(m);
    s->rows = collect_rows(m, s);
    if (!s->rows || !take_room(m, s))
        return DAEDAL_ERR_MEMORY;
    set_columns(m, s);
    expr_outcome outcome = structure_only ? list_occurrences(m, s) : differentiate(m, s, s->rows);
    if (outcome == EXPR_NOT_DIFFERENTIABLE)
        return fail(m->why, DAEDAL_ERR_START,
                    "the start needs the derivative of a function that has none");
    return outcome == EXPR_OK && choose_rows(m, s) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

/* Only the choice is kept. */
static void forget_entries(start_rows *s)
{
    arena_free(&s->lists);
    s->entry = NULL;
    s->n_entries = s->capacity = 0;
}

/* What values need beside that. */
static daedal_status compile(start_problem *m)
{
    start_rows *s = m->rows;
    if (!compile_slopes(m, s) ||
        !program_create(m->compiled, &s->values, s->rows, (size_t)s->n_exprs))
        return DAEDAL_ERR_MEMORY;
    return open_square(m, s) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

void start_rows_free(start_problem *m)
{
    start_rows *s = m->rows;
    if (!s)
        return;
    program_free(m->allocator, &s->values);
    program_free(m->allocator, &s->slopes);
    if (s->factors)
        s->solver->destroy(s->factors);
    start_matrix_free(&s->square);
    arena_free(&s->lists);
    arena_free(&s->mem);
    memory_give(m->allocator, s, sizeof *s);
    m->rows = NULL;
}

/* ---- Newton ---- */

static void put(start_problem *m, const start_rows *s, const double *z)
{
    for (int32_t c = 0; c < s->n_columns; c++)
        m->values->x[s->slot[c]] = z[c];
    if (m->n_free)
        m->values->version++;
}

bool start_rows_evaluate(start_problem *m, start_rows *s, const double *z)
{
    put(m, s, z);
    if (program_run(m->compiled, s->values, 0.0, NULL, NULL) != 0)
        return false;
    bool fine = true;
    for (int32_t i = 0; i < s->n_exprs; i++) {
        s->r[i] = s->values->out[i];
        fine = fine && isfinite(s->r[i]);
    }
    for (int32_t c = 0; c < s->n_columns; c++)
        s->r[s->n_exprs + c] = z[c] - s->guess[c];
    return fine;
}

/* The derivatives at x; only_bad: only those that were not finite.  false: some are not finite. */
static bool take_slopes(start_problem *m, start_rows *s, bool only_bad)
{
    if (program_run(m->compiled, s->slopes, 0.0, NULL, NULL) != 0)
        return false;
    bool fine = true;
    for (size_t k = 0; k < start_rows_varying(s); k++) {
        double *value = &s->value[s->root_entry[k]];
        if (!only_bad || !isfinite(*value))
            *value = s->slopes->out[k];
        fine = fine && isfinite(*value);
    }
    return fine;
}

/* A derivative that is not finite (sqrt(x) at 0) is replaced by that of a neighbouring point. */
bool start_rows_slopes(start_problem *m, start_rows *s, const double *z)
{
    const double sides[] = {NEIGHBOUR, -NEIGHBOUR};
    put(m, s, z);
    bool fine = take_slopes(m, s, false);
    for (int k = 0; k < 2 && !fine; k++) {
        for (int32_t c = 0; c < s->n_columns; c++)
            s->trial[c] = z[c] + sides[k] * fmax(fabs(z[c]), s->weight[c]);
        put(m, s, s->trial);
        fine = take_slopes(m, s, true);
    }
    put(m, s, z);
    return fine;
}

bool start_rows_factor(start_rows *s)
{
    start_matrix_fill(&s->square);
    return s->solver->factor(s->factors, s->square.values) == DAEDAL_OK;
}

/* The Newton correction for the current residuals, in s->trial; returns its norm. */
static double correction(start_rows *s)
{
    for (int32_t i = 0; i < s->n_exprs + s->n_columns; i++)
        if (s->chosen[i])
            s->trial[s->order[i]] = -s->r[i];
    s->solver->solve(s->factors, s->trial);
    double sum = 0.0;
    for (int32_t c = 0; c < s->n_columns; c++) {
        double e = s->trial[c] / (fabs(s->z[c]) + s->weight[c]);
        sum += e * e;
    }
    return sqrt(sum / s->n_columns);
}

typedef struct rows_newton {
    start_problem *m;
    start_rows *s;
} rows_newton;

/* A correction that is negligible beside the weights ends the iteration.  Of a value far below its
 * weight, as a charge of 1e-15, it may be all that there is.      */
static void correct_tiny_values(start_rows *s)
{
    for (int32_t c = 0; c < s->n_columns; c++)
        if (fabs(s->step[c]) > SOLVED * fabs(s->z[c]))
            s->z[c] += s->step[c];
}

static damped_reply linearize(void *self, double *size)
{
    start_problem *m = ((rows_newton *)self)->m;
    start_rows *s = ((rows_newton *)self)->s;
    if (!start_rows_slopes(m, s, s->z) || !start_rows_evaluate(m, s, s->z) || !start_rows_factor(s))
        return DAMPED_UNDEFINED;
    *size = correction(s);
    memcpy(s->step, s->trial, (size_t)s->n_columns * sizeof(double));
    if (*size > 0.0 && *size <= SOLVED)
        correct_tiny_values(s);
    return isfinite(*size) ? DAMPED_OK : DAMPED_UNDEFINED;
}

/* Measured by the next correction with the same factors. */
static damped_reply try_share(void *self, double share, double *size)
{
    start_problem *m = ((rows_newton *)self)->m;
    start_rows *s = ((rows_newton *)self)->s;
    for (int32_t c = 0; c < s->n_columns; c++)
        s->trial[c] = s->z[c] + share * s->step[c];
    if (!start_rows_evaluate(m, s, s->trial))
        return DAMPED_UNDEFINED;
    *size = correction(s);
    return DAMPED_OK;
}

static void accept(void *self, double share)
{
    start_rows *s = ((rows_newton *)self)->s;
    for (int32_t c = 0; c < s->n_columns; c++)
        s->z[c] += share * s->step[c];
}

bool start_rows_newton(start_problem *m, start_rows *s)
{
    rows_newton self = {m, s};
    damped_newton newton = {.self = &self,
                            .measure = linearize,
                            .try_share = try_share,
                            .accept = accept,
                            .iterations_max = ITERATIONS_MAX,
                            .halvings_max = HALVINGS_MAX,
                            .decrease = SUFFICIENT,
                            .negligible = NEGLIGIBLE,
                            .solved = SOLVED,
                            .tolerated = TOLERATED};
    return damped_newton_solve(&newton) == DAMPED_FOUND;
}

static bool solve_square(start_problem *m, start_rows *s)
{
    memcpy(s->z, s->guess, (size_t)s->n_columns * sizeof(double));
    return start_rows_newton(m, s);
}

bool start_rows_is_hard(const start_rows *s, int32_t row)
{
    if (s->equations_only)
        return row < s->n_equations;
    return row < s->n_exprs || s->rank[row - s->n_exprs] == RANK_FIXED;
}

/* ---- outcome ---- */

const char *start_rows_name(start_problem *m, const start_rows *s, int32_t row, char *name,
                            size_t size)
{
    char text[120];
    int32_t lowered = m->reduced->n + m->reduced->n_constraints;
    if (row < m->reduced->n) {
        snprintf(name, size, "%s", m->compiled->equation_name[row]);
    } else if (row < lowered) {
        compiled_constraint_text(m->compiled, row - m->reduced->n, name, size);
    } else if (row < s->n_equations) {
        snprintf(name, size, "the derivative of %s",
                 m->compiled->equation_name[m->slopes->equation[row - lowered]]);
    } else if (row < s->n_exprs) {
        const flat_initial *i = &m->flat->initials[m->initial_of[row - s->n_equations]];
        flat_quote(m->flat, i->at, i->end, text, sizeof text);
        snprintf(name, size, "initial equation \"%s\" (line %u)", text,
                 (unsigned)sources_place(&m->flat->from->sources, i->at).line);
    } else { /* only unknowns are fixed */
        int32_t j = row - s->n_exprs;
        uint32_t v = m->start_from[j];
        snprintf(name, size, "%s fixed at %.10g", variable_text(m->reduced, v),
                 m->start[j] / m->start_factor[j]);
    }
    return name;
}

static daedal_status fail_row(start_problem *m, const start_rows *s, int32_t row)
{
    char name[200];
    fail(m->why, DAEDAL_ERR_START,
         "no solution near the start values: %s cannot be satisfied at t = %.10g; its residual "
         "remains at %.3g",
         start_rows_name(m, s, row, name, sizeof name), m->values->x[0], s->r[row]);
    hint(m->why, "give better start values, or fix fewer of them");
    set_cause(m->why, start_cause_of_row(m, row >= m->reduced->n));
    return DAEDAL_ERR_START;
}

static daedal_status fail_no_value(start_problem *m, const start_rows *s)
{
    char name[200];
    for (int32_t i = 0; i < s->n_exprs; i++)
        if (!isfinite(s->values->out[i]))
            return compiled_fail_not_finite(m->compiled, s->rows[i],
                                            start_rows_name(m, s, i, name, sizeof name));
    return fail(m->why, DAEDAL_ERR_START, "a function called by the model failed at the start");
}

static daedal_status check(start_problem *m, start_rows *s, bool found)
{
    int32_t worst = -1;
    double most = found ? CHECK_TOLERANCE : 0.0;
    for (int32_t c = 0; c < s->n_columns && found; c++) /* fixed values exactly */
        if (s->chosen[s->n_exprs + c] && s->rank[c] == RANK_FIXED)
            s->z[c] = s->guess[c];
    if (!start_rows_evaluate(m, s, s->z))
        return fail_no_value(m, s);
    for (int32_t i = 0; i < s->n_exprs + s->n_columns; i++) {
        double scale = 1.0;
        if (i >= s->n_exprs)
            scale = fabs(s->z[i - s->n_exprs]) + s->weight[i - s->n_exprs];
        else if (found && s->chosen[i])
            continue;
        if (start_rows_is_hard(s, i) && fabs(s->r[i]) > most * scale) {
            most = fabs(s->r[i]) / scale;
            worst = i;
        }
    }
    return worst < 0 ? DAEDAL_OK : fail_row(m, s, worst);
}

static daedal_status create_or_free(start_problem *m, bool structure_only)
{
    daedal_status status = create(m, structure_only);
    if (status < 0)
        start_rows_free(m);
    else if (structure_only)
        forget_entries(m->rows);
    return status;
}

daedal_status start_rows_create_structure(start_problem *m)
{
    return m->rows ? DAEDAL_OK : create_or_free(m, true);
}

daedal_status start_rows_create(start_problem *m)
{
    if (m->rows && m->rows->structure_only)
        start_rows_free(m);
    if (!m->rows)
        TRY(create_or_free(m, false));
    daedal_status status = m->rows->is_compiled ? DAEDAL_OK : compile(m);
    if (status < 0)
        start_rows_free(m);
    else
        m->rows->is_compiled = true;
    return status;
}

static void take_guess(const start_problem *m, start_rows *s)
{
    for (int32_t c = 0; c < s->n_columns; c++)
        s->guess[c] = m->values->x[s->slot[c]];
}

bool start_rows_minimize_violation(start_problem *m)
{
    start_rows *s = m->rows;
    take_guess(m, s);
    memcpy(s->z, s->guess, (size_t)s->n_columns * sizeof(double));
    return start_least_change(m, s);
}

/* From x, into s->z. */
static bool solve_equations(start_problem *m)
{
    start_rows *s = m->rows;
    s->equations_only = true;
    bool found = start_rows_minimize_violation(m);
    s->equations_only = false;
    return found;
}

/* Another starting point near the guess, a different one for each `which`; kept values stay. */
static void choose_other_point(const start_problem *m, start_rows *s, int which)
{
    static const double reach[] = {0.5, 2.0, 10.0};
    uint64_t random = RANDOM_SEED + (uint64_t)which;
    for (int32_t c = 0; c < s->n_columns; c++) {
        double nominal = c < m->reduced->n ? m->compiled->nominal[c] : 0.0;
        double unit = fmax(fabs(s->guess[c]), nominal > 0.0 ? nominal : 1.0);
        double part = random_uniform(&random, -1.0, 1.0);
        bool kept = s->chosen[s->n_exprs + c];
        s->z[c] = s->guess[c] + (kept ? 0.0 : reach[which % 3] * unit * part);
    }
}

daedal_status start_rows_solve_from_other_point(start_problem *m, int which)
{
    TRY(start_rows_create(m));
    start_rows *s = m->rows;
    take_guess(m, s);
    choose_other_point(m, s, which);
    return check(m, s, start_rows_newton(m, s));
}

daedal_status start_rows_follow(start_problem *m, bool from_equations)
{
    TRY(start_rows_create(m));
    start_rows *s = m->rows;
    take_guess(m, s);
    memcpy(s->z, s->guess, (size_t)s->n_columns * sizeof(double));
    if (from_equations && !solve_equations(m))
        return check(m, s, false);
    return check(m, s, start_path_follow(m, s));
}

daedal_status start_rows_solve(start_problem *m)
{
    TRY(start_rows_create(m));
    start_rows *s = m->rows;
    take_guess(m, s);
    bool found = solve_square(m, s) || start_least_change(m, s);
    return check(m, s, found);
}
