/* report/hidden_constraints.c - see model_report.h: hidden constraints as formulas in the
 * modeller's names.
 *
 * Hidden constraints are the derivatives of equations that were differentiated, and the
 * combinations of equations that repairs found (repair_rounds.c).  Where an equation is der(x) = u,
 * u is written for der(x), and derivatives of that equation are not listed. */
#include <stdio.h>
#include <string.h>

#include "expr/print.h"
#include "reduce/repairs.h"
#include "report/model_report.h"

enum { LENGTH_MAX = 400, LISTED_MAX = 2000 };

typedef struct naming {
    reduced_model *m;
    uint32_t *better; /* by variable: 1 + the variable that is written instead, or 0 */
    expr_substituter with;
    char text[160];
} naming;

static const char *name_of(void *user, uint32_t symbol)
{
    naming *n = user;
    uint32_t v = flat_number(symbol);
    switch (flat_kind(symbol)) {
    case FLAT_VALUE:
        return variable_text(n->m, v);
    case FLAT_DER:
        snprintf(n->text, sizeof n->text, "der(%.150s)", variable_text(n->m, v));
        return n->text;
    case FLAT_PRE:
        snprintf(n->text, sizeof n->text, "pre(%.150s)", variable_text(n->m, v));
        return n->text;
    case FLAT_TIME:
        return "time";
    default:
        return NULL;
    }
}

static expr image_of(void *user, uint32_t symbol)
{
    const naming *n = user;
    flat_symbol_kind kind = flat_kind(symbol);
    if (kind != FLAT_VALUE && kind != FLAT_DER)
        return EXPR_NONE;
    uint32_t better = n->better[flat_number(symbol)];
    return better ? expr_variable(&n->m->flat->graph, flat_symbol(kind, better - 1)) : EXPR_NONE;
}

/* If e is der(x) - u, u will be written for der(x). */
static bool names_derivative(naming *n, expr e)
{
    const reduced_model *m = n->m;
    const expr_graph *g = &m->flat->graph;
    const expr *x;
    if (expr_op_of(g, e) != EXPR_SUB)
        return false;
    expr_operands(g, e, &x);
    for (int side = 0; side < 2; side++) {
        if (!expr_is_variable(g, x[0]) || !expr_is_variable(g, x[1]))
            return false;
        uint32_t a = expr_index(g, x[side]), b = expr_index(g, x[1 - side]);
        bool plain = flat_kind(a) == FLAT_VALUE && flat_kind(b) == FLAT_VALUE;
        if (plain && m->flat->variables[flat_number(a)].hidden &&
            !m->flat->variables[flat_number(b)].hidden) {
            n->better[flat_number(a)] = flat_number(b) + 1;
            return true;
        }
    }
    return false;
}

/* Derivatives number 1 .. c of one equation: constraints, then the row that is solved. */
static expr hidden_of(const reduced_model *m, int32_t k)
{
    const model_constraint *c = &m->constraint[k];
    if (c->equation & EQUATION_REDUNDANT)
        return EXPR_NONE;
    if (c->level < -1)
        return m->constraint[k + 1].value;
    for (int32_t i = 0; i < m->n; i++)
        if (m->equation[i] == c->equation && m->differentiated[i] == c->order + 1)
            return m->residual[i];
    return EXPR_NONE;
}

static const char *formula(naming *n, expr e)
{
    char text[LENGTH_MAX + 8];
    reduced_model *m = n->m;
    expr_names names = {name_of, NULL, n};
    if (!expr_substitute_few(&n->with, &e, 1, image_of, n))
        return NULL;
    expr_print(&m->flat->graph, e, &names, text, LENGTH_MAX);
    strcat(text, " = 0");
    return arena_text(m->mem, text, strlen(text));
}

typedef struct listing {
    const char **at;
    int32_t n, most;
    bool *rewritten; /* by equation */
} listing;

static bool is_rewritten(const listing *l, uint32_t equation)
{
    return !(equation & (EQUATION_OF_DERIVATIVE | EQUATION_REDUNDANT)) && l->rewritten[equation];
}

static void list(listing *to, naming *n, expr e)
{
    const char *text = e == EXPR_NONE || to->n >= to->most ? NULL : formula(n, e);
    if (text)
        to->at[to->n++] = text;
}

/* Combinations that were not differentiated any further. */
static void list_combinations(listing *to, naming *n)
{
    const reduced_model *m = n->m;
    for (int32_t i = 0; i < m->n && m->repairs->n_rewritten > 0; i++)
        if (is_rewritten(to, m->equation[i]) && (!m->differentiated || m->differentiated[i] == 0))
            list(to, n, m->residual[i]);
}

bool report_hidden_constraints(reduced_model *m)
{
    if (m->n_constraints + m->repairs->n_rewritten == 0 || m->report->hidden_constraints)
        return true;
    size_t count = 2 * (size_t)m->n_constraints + (size_t)m->repairs->n_rewritten + 1;
    naming n = {.m = m};
    n.better = arena_take(m->mem, m->flat->n_variables + 1, sizeof *n.better);
    listing to = {.at = arena_take(m->mem, count, sizeof *to.at),
                  .most = count < LISTED_MAX ? (int32_t)count : LISTED_MAX};
    to.rewritten = arena_take(m->mem, m->flat->n_equations + m->repairs->added.n_equations + 1,
                              sizeof *to.rewritten);
    bool *trivial = arena_take(m->mem, count, sizeof *trivial);
    if (m->mem->failed)
        return false;
    for (int32_t k = 0; k < m->repairs->n_rewritten; k++)
        if (!(m->repairs->rewritten[k] & EQUATION_OF_DERIVATIVE))
            to.rewritten[m->repairs->rewritten[k]] = true;
    expr_substituter_create(&n.with, &m->flat->graph);
    for (int32_t k = 0; k < m->n_constraints; k++)
        trivial[k] = m->constraint[k].order == 0 ? names_derivative(&n, m->constraint[k].value)
                                                 : trivial[k - 1];
    for (int32_t k = 0; k < m->n_constraints; k++) {
        const model_constraint *c = &m->constraint[k];
        if (c->order == 0 && is_rewritten(&to, c->equation))
            list(&to, &n, c->value);
        list(&to, &n, trivial[k] ? EXPR_NONE : hidden_of(m, k));
    }
    list_combinations(&to, &n);
    expr_substituter_free(&n.with);
    m->report->hidden_constraints = to.at;
    m->report->n_hidden = to.n;
    return !m->mem->failed;
}
