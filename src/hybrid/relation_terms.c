/* hybrid/relation_terms.c - see discrete.h: the size of the numbers that the operands of a relation
 * are made of.
 *
 * The operands of s_rel < 0 with s_rel = 0.005 - s are of any size near zero, but known no better
 * than the rounding errors of 0.005 and s.  The difference of the operands is a sum of terms, and
 * a term that is an unknown of the system is itself a sum of the other terms of the equations and
 * constraints in which it has a constant factor.  The rounding error of the difference is in
 * proportion to the sum of the absolute values of all of them.
 *
 * An unknown that the equations hold at zero, the velocity of a mass at rest for example, is zero
 * but for errors that no rounding of its own terms explains: what is far below its nominal value
 * counts as nothing.                                                                          */
#include <stdlib.h>

#include "compile/compiled.h"
#include "expr/terms.h"
#include "hybrid/discrete.h"

/* Of the nominal value of an unknown: a term that errors leave where it should be zero.  Times the
 * rounding of terms (relations.c) this is 1e-24. */
static const double NOTHING = 1e-11;

/* What is found for the unknowns of the system. */
typedef struct unknown_terms {
    discrete_part *m;
    bool *is_wanted; /* it is a term of a relation                                        */
    expr *size;      /* the largest of the sums of absolute values that it is equal to, or NONE */
} unknown_terms;

/* Called for each term of a sum. */
typedef void term_fn(unknown_terms *u, expr term, void *user);

typedef struct term_visit {
    unknown_terms *u;
    term_fn *call;
    void *user;
} term_visit;

static void visit_term(expr term, void *user)
{
    const term_visit *v = user;
    v->call(v->u, term, v->user);
}

static void for_each_term(unknown_terms *u, expr sum, term_fn *call, void *user)
{
    term_visit visit = {u, call, user};
    expr_each_term(&u->m->flat->graph, sum, visit_term, &visit);
}

/* The unknown that a term is, or is a constant multiple of; -1: it is something else. */
static int32_t unknown_of(const unknown_terms *u, expr term, expr *factor)
{
    const discrete_part *m = u->m;
    const expr_graph *g = &m->flat->graph;
    const expr *operands;
    *factor = EXPR_NONE;
    if (expr_op_of(g, term) == EXPR_MUL) {
        expr_operands(g, term, &operands);
        bool first = expr_is_constant(g, operands[0]);
        *factor = operands[first ? 0 : 1];
        term = operands[first ? 1 : 0];
        if (!expr_is_constant(g, *factor))
            return -1;
    }
    if (!expr_is_variable(g, term))
        return -1;
    int32_t j = compiled_slot(m->compiled, expr_index(g, term)) - (int32_t)m->values->place.y;
    return j >= 0 && j < m->reduced->n ? j : -1;
}

static expr absolute(expr_graph *g, expr e)
{
    return expr_make1(g, EXPR_ABS, e);
}

static void want_term(unknown_terms *u, expr term, void *user)
{
    expr factor;
    int32_t j = unknown_of(u, term, &factor);
    bool *any = user;
    if (j >= 0)
        *any = u->is_wanted[j] = true;
}

/* A wanted unknown in an equation 0 = sum. */
typedef struct row_use {
    expr sum;
    expr size; /* of the sum, once it is needed */
} row_use;

static void note_row(unknown_terms *u, expr term, void *user)
{
    expr_graph *g = &u->m->flat->graph;
    row_use *row = user;
    expr factor;
    int32_t j = unknown_of(u, term, &factor);
    if (j < 0 || !u->is_wanted[j])
        return;
    if (row->size == EXPR_NONE)
        row->size = expr_size_of_terms(g, row->sum);
    expr size = factor ? expr_div(g, row->size, absolute(g, factor)) : row->size;
    u->size[j] = u->size[j] ? expr_make2(g, EXPR_MAX, u->size[j], size) : size;
}

static void note_rows(unknown_terms *u)
{
    const reduced_model *r = u->m->reduced;
    for (int32_t i = 0; i < r->n + r->n_constraints; i++) {
        row_use row = {.sum = i < r->n ? r->residual[i] : r->constraint[i - r->n].value};
        for_each_term(u, row.sum, note_row, &row);
    }
}

static double nominal_of(const unknown_terms *u, int32_t j)
{
    double nominal = u->m->compiled->nominal[j];
    return nominal > 0.0 ? nominal : 1.0;
}

typedef struct relation_size {
    expr sum;
    double nominal;
} relation_size;

static void add_term(unknown_terms *u, expr term, void *user)
{
    expr_graph *g = &u->m->flat->graph;
    relation_size *of = user;
    expr factor;
    int32_t j = unknown_of(u, term, &factor);
    expr size = j >= 0 && u->size[j] ? u->size[j] : absolute(g, term);
    if (j >= 0) {
        size = expr_add(g, size, expr_constant(g, NOTHING * nominal_of(u, j)));
        of->nominal = fmax(of->nominal, nominal_of(u, j));
    }
    if (j >= 0 && u->size[j] && factor)
        size = expr_mul(g, size, absolute(g, factor));
    of->sum = expr_add(g, of->sum, size);
}

/* The terms of the difference of relation k, and the largest nominal value of its unknowns. */
static expr list_terms_of(unknown_terms *u, size_t k)
{
    discrete_part *m = u->m;
    relation_size of = {.sum = expr_constant(&m->flat->graph, 0.0)};
    if (m->relation[k].kind == RELATION_STATE) {
        for_each_term(u, m->flat->relations[k].left, add_term, &of);
        for_each_term(u, m->flat->relations[k].right, add_term, &of);
    }
    m->relation[k].nominal = of.nominal;
    return of.sum;
}

bool discrete_list_terms(discrete_part *m, expr *terms)
{
    flat_model *f = m->flat;
    size_t n = (size_t)m->reduced->n + 1;
    unknown_terms u = {.m = m,
                       .is_wanted = arena_take(m->mem, n, sizeof(bool)),
                       .size = arena_take(m->mem, n, sizeof(expr))};
    bool any = false;
    if (!u.is_wanted || !u.size)
        return false;
    for (size_t k = 0; k < f->n_relations; k++)
        if (m->relation[k].kind == RELATION_STATE) {
            for_each_term(&u, f->relations[k].left, want_term, &any);
            for_each_term(&u, f->relations[k].right, want_term, &any);
        }
    if (any)
        note_rows(&u);
    for (size_t k = 0; k < f->n_relations; k++)
        terms[k] = list_terms_of(&u, k);
    return !f->graph.failed;
}
