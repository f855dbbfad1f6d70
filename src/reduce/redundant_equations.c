/* reduce/redundant_equations.c - see reduced.h: more equations than unknowns.
 *
 * Of m equations for n unknowns n are chosen that determine the unknowns.  Which sets do is a
 * question of ranks over the differential operators, where d/dt is a number like any other: the
 * rows of lambda dF/dy' + dF/dy at a generic point and for a generic lambda.  Rows are offered in
 * the order of preference: equations with derivatives, linear ones, others; those that are
 * annotated as invariants come last.  Whether all equations can hold together, with their first
 * derivatives, is asked before (numeric_index.c).
 *
 * What is set aside follows from the others up to start values.  If it is an equation between
 * states alone it is an invariant: a constraint that the integrator satisfies by projection.  Else,
 * or where the constraints imply it already, it is only watched (simulate/invariant_watch.h). */
#include <math.h>
#include <stdio.h>

#include "expr/derive.h"
#include "expr/evaluate.h"
#include "linalg/independent_rows.h"
#include "reduce/repairs.h"
#include "reduce/sentence.h"

enum { UNKNOWNS_MAX = 2000 };                     /* a dense matrix of all unknowns */
static const double LAMBDA = 0.75487766624669276; /* no number that equations contain */

typedef enum row_class { WITH_DERIVATIVE, LINEAR, NONLINEAR, ANNOTATED, ROW_CLASSES } row_class;

typedef struct row_choice {
    reduced_model *m;
    equations system;
    expr_deriver *deriver;
    independent_rows rows;
    row_class *class_of;
    bool *is_taken;
    int32_t n_taken;
} row_choice;

static double value_at(void *user, uint32_t symbol)
{
    return reduced_sample_value(user, 0, symbol);
}

static int call_function(void *user, uint32_t function, const double *args, double *outputs)
{
    const reduced_model *m = user;
    return flat_call(m->flat->functions, function, args, outputs);
}

/* ---- which equations determine the unknowns ---- */

static bool is_unknown(void *user, uint32_t symbol)
{
    const reduced_model *m = user;
    flat_symbol_kind kind = flat_kind(symbol);
    return (kind == FLAT_VALUE || kind == FLAT_DER) && m->unknown_of[flat_number(symbol)] >= 0;
}

static bool depends_on_unknowns(row_choice *c, expr e)
{
    expr_walker *w = c->m->walker;
    expr_walker_forget(w);
    expr_depends(w, e, EXPR_ALL);
    for (size_t k = 0; k < w->n_found; k++)
        if (is_unknown(c->m, expr_index(&c->m->flat->graph, w->found[k])))
            return true;
    return false;
}

static row_class find_class(row_choice *c, int32_t i, const expr_gradient *g)
{
    bool linear = true;
    if (c->m->flat->equations[i].is_invariant)
        return ANNOTATED;
    for (size_t k = 0; k < g->n; k++) {
        if (flat_kind(g->entry[k].variable) == FLAT_DER)
            return WITH_DERIVATIVE;
        linear = linear && !depends_on_unknowns(c, g->entry[k].derivative);
    }
    return linear ? LINEAR : NONLINEAR;
}

/* Row i of lambda dF/dy' + dF/dy; what has no value there counts as some number. */
static void offer_row(row_choice *c, const expr_gradient *g)
{
    expr_source at = {value_at, call_function, c->m};
    for (int32_t j = 0; j < c->m->n_unknowns; j++)
        c->rows.x[j] = 0.0;
    for (size_t k = 0; k < g->n; k++) {
        equations_place to = c->system.place(c->system.user, g->entry[k].variable);
        double v = NAN;
        if (expr_evaluate(c->system.g, g->entry[k].derivative, &at, &v) != 0 || !isfinite(v))
            v = value_at(c->m, g->entry[k].variable);
        c->rows.x[to.unknown] += to.order > 0 ? LAMBDA * v : v;
    }
}

static expr_outcome choose_rows(row_choice *c)
{
    for (int32_t pass = -1; pass < ROW_CLASSES; pass++)
        for (int32_t i = 0; i < c->system.n; i++) {
            expr_gradient g = {0};
            if (pass >= 0 && (int32_t)c->class_of[i] != pass)
                continue;
            expr_outcome outcome = expr_gradient_of(c->deriver, c->system.residual[i], &g, NULL);
            if (outcome != EXPR_OK)
                return outcome;
            if (pass < 0) {
                c->class_of[i] = find_class(c, i, &g);
                continue;
            }
            offer_row(c, &g);
            c->is_taken[i] = independent_rows_take(&c->rows);
            c->n_taken += c->is_taken[i];
        }
    return c->m->walker->failed ? EXPR_NO_MEMORY : EXPR_OK;
}

static bool separate(row_choice *c)
{
    flat_model *f = c->m->flat;
    size_t kept = 0;
    f->redundant = arena_take(c->m->mem, f->n_equations + 1, sizeof *f->redundant);
    if (!f->redundant)
        return false;
    for (size_t i = 0; i < f->n_equations; i++)
        if (c->is_taken[i])
            f->equations[kept++] = f->equations[i];
        else
            f->redundant[f->n_redundant++] = f->equations[i];
    f->n_equations = kept;
    return true;
}

/* The numbers of residuals follow those of equations. */
static bool set_aside(row_choice *c)
{
    reduced_model *m = c->m;
    size_t rows = m->flat->n_equations + 1;
    expr_selection selection = {is_unknown, m, flat_partials(m->flat)};
    c->class_of = arena_take(m->scratch, rows, sizeof *c->class_of);
    c->is_taken = arena_take(m->scratch, rows, sizeof *c->is_taken);
    c->deriver = expr_deriver_create(&m->flat->graph, &selection);
    if (!c->deriver || !independent_rows_create(&c->rows, m->n_unknowns, m->allocator) ||
        m->scratch->failed || !reduced_as_written(m, &c->system))
        return false;
    expr_outcome outcome = choose_rows(c);
    if (outcome != EXPR_OK || c->n_taken < m->n_unknowns ||
        !reduced_is_consistent(m, &c->system)) /* the analysis will say what is wrong */
        return outcome != EXPR_NO_MEMORY;
    return separate(c);
}

bool reduced_set_redundant_aside(reduced_model *m)
{
    row_choice c = {.m = m};
    if (m->flat->n_equations <= (size_t)m->n_unknowns || m->n_unknowns > UNKNOWNS_MAX ||
        m->n_unknowns == 0)
        return true;
    bool fine = set_aside(&c);
    independent_rows_free(&c.rows);
    expr_deriver_free(c.deriver);
    return fine;
}

/* ---- invariants ---- */

static bool set_depths(reduced_model *m)
{
    if (m->depth)
        return true;
    m->depth = arena_take(m->mem, (size_t)m->n + 1, sizeof *m->depth);
    for (int32_t j = 0; j < m->n && m->depth; j++)
        m->depth[j] = m->differential[j] ? -1 : 0;
    return m->depth != NULL;
}

/* Whether the equation is one between states; *level: that of the highest derivatives in it. */
static bool is_of_states(reduced_model *m, expr e, int32_t *level)
{
    expr_walker *w = m->walker;
    bool any = false;
    *level = INT32_MIN;
    expr_walker_forget(w);
    if (!expr_depends(w, e, EXPR_ALL))
        return false;
    for (size_t k = 0; k < w->n_found; k++) {
        uint32_t symbol = expr_index(&m->flat->graph, w->found[k]);
        flat_symbol_kind kind = flat_kind(symbol);
        int32_t j = kind == FLAT_VALUE ? m->column[flat_number(symbol)] : -1;
        if (kind == FLAT_DER || kind == FLAT_PRE || kind == FLAT_DELAY ||
            (j >= 0 && m->depth[j] >= 0))
            return false;
        if (j >= 0)
            *level = m->depth[j] > *level ? m->depth[j] : *level;
        any = any || j >= 0;
    }
    return any;
}

/* Offer the slopes of an expression by the unknowns of a level. */
static bool offer_slopes(reduced_model *m, independent_rows *rows, expr_deriver *d, expr e,
                         int32_t level)
{
    expr_source at = {value_at, call_function, m};
    expr_gradient g = {0};
    for (int32_t j = 0; j < m->n; j++)
        rows->x[j] = 0.0;
    if (expr_gradient_of(d, e, &g, NULL) != EXPR_OK)
        return false;
    for (size_t k = 0; k < g.n; k++) {
        uint32_t symbol = g.entry[k].variable;
        int32_t j = flat_kind(symbol) == FLAT_VALUE ? m->column[flat_number(symbol)] : -1;
        if (j >= 0 && m->depth[j] == level &&
            expr_evaluate(&m->flat->graph, g.entry[k].derivative, &at, &rows->x[j]) != 0)
            return false;
    }
    return independent_rows_take(rows);
}

/* Whether the slopes of e are independent of those of the constraints of its level. */
static bool is_independent(reduced_model *m, expr e, int32_t level)
{
    expr_selection selection = {reduced_is_unknown, m, flat_partials(m->flat)};
    independent_rows rows = {0};
    expr_deriver *d = expr_deriver_create(&m->flat->graph, &selection);
    bool fine = d && m->n <= UNKNOWNS_MAX && independent_rows_create(&rows, m->n, m->allocator);
    for (int32_t i = 0; i < m->n_constraints && fine; i++)
        if (m->constraint[i].level == level)
            offer_slopes(m, &rows, d, m->constraint[i].value, level);
    fine = fine && offer_slopes(m, &rows, d, e, level);
    independent_rows_free(&rows);
    expr_deriver_free(d);
    return fine;
}

static void warn(const reduced_model *m, const flat_equation *e, bool is_held)
{
    source_warning(&m->flat->from->sources, e->at,
                   is_held ? "this equation is redundant: it follows from the others up to start "
                             "values.  The solution is kept on it as on an invariant"
                           : "this equation is redundant: it follows from the others.  It is not "
                             "solved, but the run ends if it does not hold");
}

bool reduced_hold_invariants(reduced_model *m)
{
    flat_model *f = m->flat;
    size_t n = f->n_redundant;
    if (n == 0)
        return true;
    m->constraint = arena_copy(m->mem, m->constraint, (size_t)m->n_constraints,
                               (size_t)m->n_constraints + n, sizeof *m->constraint);
    if (m->mem->failed || !set_depths(m))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        flat_equation *e = &f->redundant[k];
        expr residual = expr_sub(&f->graph, e->left, e->right);
        int32_t level;
        e->is_held = is_of_states(m, residual, &level) && is_independent(m, residual, level);
        if (e->is_held)
            m->constraint[m->n_constraints++] =
                (model_constraint){residual, EQUATION_REDUNDANT | k, 0, level, -1};
        if (!e->is_invariant)
            warn(m, e, e->is_held);
    }
    return !m->walker->failed && !f->graph.failed;
}
