/* reduce/lowering.c - see reduced.h: from a system of any index to one of index one at most.
 *
 * With the offsets c of the equations and d of the unknowns [Pry01], unknowns become
 * x_j^(k), k < max(d_j, 1), each a variable of its own; their leading derivatives x_j^(d_j)
 * are the y' of the last one.  Equations become f_i^(c_i) = 0 and the kinematic rows
 * (x_j^(k))' = x_j^(k+1).  The equations f_i^(k) = 0, k < c_i, that differentiation
 * loses are constraints, which the integrator satisfies by projection, level k - c_i by level
 * (docs/theory/index-reduction.md).
 *
 * An equation x_j' = x_k of which both sides are differentiated names the derivatives of x_j: they
 * are x_k, x_k', ..., no variables of their own, and the equation is the kinematic row of x_j. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/derive.h"
#include "reduce/reduced.h"

typedef struct lowering {
    reduced_model *m;
    const int32_t *c, *d;  /* offsets, by row and column of the current system       */
    int32_t n;             /* rows and columns before                                */
    int32_t *velocity;     /* by column: the column that is its derivative, or -1    */
    int32_t *position;     /* by row: the column that it gives a velocity, or -1     */
    uint32_t **derivative; /* by column: its own variables, x^(0), x^(1), ...        */
    int32_t *place;        /* by variable: column it is a derivative of, or -1       */
    int32_t *order;        /* by variable: which derivative                          */
} lowering;

/* Of the derivatives of x_j, with itself: how many are variables of their own. */
static int32_t kept_orders(const lowering *l, int32_t j)
{
    return l->d[j] > 0 && l->velocity[j] < 0 ? l->d[j] : 1;
}

/* ---- velocities ---- */

static int32_t column_of(const lowering *l, expr e, flat_symbol_kind kind)
{
    const expr_graph *g = &l->m->flat->graph;
    if (!expr_is_variable(g, e) || flat_kind(expr_index(g, e)) != kind)
        return -1;
    return l->m->column[flat_number(expr_index(g, e))];
}

/* Row i is x_j' - x_k, or x_k - x_j', and both terms are of its highest order: their derivatives
 * are one. */
static void find_velocity(lowering *l, int32_t i)
{
    const expr *x, residual = l->m->residual[i];
    const expr_graph *g = &l->m->flat->graph;
    if (l->c[i] < 1 || expr_operands(g, residual, &x) != 2 || expr_op_of(g, residual) != EXPR_SUB)
        return;
    int first = column_of(l, x[0], FLAT_DER) < 0;
    int32_t j = column_of(l, x[first], FLAT_DER), k = column_of(l, x[1 - first], FLAT_VALUE);
    if (j < 0 || k < 0 || l->velocity[j] >= 0 || l->d[j] != l->c[i] + 1 || l->d[k] != l->c[i])
        return;
    l->velocity[j] = k;
    l->position[i] = j;
}

static bool find_velocities(lowering *l)
{
    size_t n = (size_t)l->n + 1;
    l->velocity = arena_take(l->m->scratch, n, sizeof *l->velocity);
    l->position = arena_take(l->m->scratch, n, sizeof *l->position);
    if (l->m->scratch->failed)
        return false;
    for (int32_t i = 0; i < l->n; i++)
        l->velocity[i] = l->position[i] = -1;
    for (int32_t i = 0; i < l->n; i++)
        find_velocity(l, i);
    return true;
}

/* ---- variables ---- */

static const char *derivative_name(reduced_model *m, const char *of)
{
    size_t size = strlen(of) + sizeof "der()";
    char *text = arena_take(m->scratch, size, 1);
    if (text)
        snprintf(text, size, "der(%s)", of);
    return text;
}

static bool make_room(lowering *l, size_t more)
{
    reduced_model *m = l->m;
    size_t all = m->flat->n_variables + more + 1;
    l->place = arena_take(m->scratch, all, sizeof *l->place);
    l->order = arena_take(m->scratch, all, sizeof *l->order);
    for (size_t v = 0; v < all && l->place; v++)
        l->place[v] = -1;
    return reduced_reserve_variables(m, more) && !m->scratch->failed;
}

static bool add_derivative(lowering *l, int32_t j, int32_t k)
{
    uint32_t from = l->derivative[j][k - 1];
    const char *name = derivative_name(l->m, variable_text(l->m, from));
    return name && reduced_add_variable(l->m, name, from, &l->derivative[j][k]);
}

static bool add_derivatives(lowering *l)
{
    reduced_model *m = l->m;
    size_t more = 0;
    for (int32_t j = 0; j < l->n; j++)
        more += (size_t)kept_orders(l, j) - 1;
    l->derivative = arena_take(m->scratch, (size_t)l->n + 1, sizeof *l->derivative);
    if (!make_room(l, more))
        return false;
    for (int32_t j = 0; j < l->n; j++) {
        int32_t orders = kept_orders(l, j);
        l->derivative[j] = arena_take(m->scratch, (size_t)orders, sizeof **l->derivative);
        if (!l->derivative[j])
            return false;
        l->derivative[j][0] = m->variable[j];
        for (int32_t k = 1; k < orders; k++)
            if (!add_derivative(l, j, k))
                return false;
        for (int32_t k = 0; k < orders; k++) {
            l->place[l->derivative[j][k]] = j;
            l->order[l->derivative[j][k]] = k;
        }
    }
    return true;
}

/* x_j^(k) as an expression; k is at most d_j. */
static expr symbol_of(const lowering *l, int32_t j, int32_t k)
{
    expr_graph *g = &l->m->flat->graph;
    for (; k > 0 && l->velocity[j] >= 0; k--) /* d falls by one with every velocity */
        j = l->velocity[j];
    int32_t orders = kept_orders(l, j);
    return k < orders ? expr_variable(g, flat_symbol(FLAT_VALUE, l->derivative[j][k]))
                      : expr_variable(g, flat_symbol(FLAT_DER, l->derivative[j][orders - 1]));
}

/* ---- expressions ---- */

/* der(x), where x' has become a variable. */
static expr image_of(void *user, uint32_t symbol)
{
    const lowering *l = user;
    int32_t j = flat_kind(symbol) == FLAT_DER ? l->m->column[flat_number(symbol)] : -1;
    return j >= 0 && l->d[j] > 1 ? symbol_of(l, j, 1) : EXPR_NONE;
}

static expr slope_of(void *user, uint32_t symbol)
{
    const lowering *l = user;
    uint32_t v = flat_number(symbol);
    if (flat_kind(symbol) != FLAT_VALUE || l->place[v] < 0 || l->order[v] >= l->d[l->place[v]])
        return EXPR_NONE; /* no unknown, or a higher order than the offsets have */
    return symbol_of(l, l->place[v], l->order[v] + 1);
}

/* ---- the new system ---- */

typedef struct lowered {
    expr *residual;
    uint32_t *equation;
    int32_t *differentiated;
    int32_t n;
} lowered;

static void add_row(lowered *to, expr residual, uint32_t equation, int32_t differentiated)
{
    to->residual[to->n] = residual;
    to->equation[to->n] = equation;
    to->differentiated[to->n++] = differentiated;
}

/* (x_j^(k))' = x_j^(k+1), from this equation. */
static void add_kinematic(lowering *l, lowered *to, int32_t j, int32_t k, uint32_t equation)
{
    expr_graph *g = &l->m->flat->graph;
    expr slope = expr_variable(g, flat_symbol(FLAT_DER, l->derivative[j][k]));
    add_row(to, expr_sub(g, slope, symbol_of(l, j, k + 1)), equation, 0);
}

/* f^(k) of equation i, whose highest derivative will be the row `top`. */
static void add_constraint(lowering *l, int32_t i, int32_t k, expr e, int32_t top)
{
    reduced_model *m = l->m;
    m->constraint[m->n_constraints++] = (model_constraint){e, m->equation[i], k, k - l->c[i], top};
}

static daedal_status complain(lowering *l, int32_t i, const char *why)
{
    reduced_model *m = l->m;
    const flat_equation *e = &m->flat->equations[m->equation[i]];
    source_error(&m->flat->from->sources, e->at, "this equation must be differentiated, but %s",
                 why);
    return fail(m->why, DAEDAL_ERR_STRUCTURE, "%s must be differentiated, but %s",
                equation_text(m, m->equation[i]), why);
}

static double rate_of(const reduced_model *m)
{
    const flat_experiment *x = &m->flat->experiment;
    double span = x->has_stop ? x->stop - (x->has_start ? x->start : 0.0) : 10.0;
    return m->setup.baumgarte > 0.0 ? m->setup.baumgarte : 100.0 / (span > 0.0 ? span : 10.0);
}

/* (d/dt + r)^c f = 0 instead of f^(c) = 0, [Bau72]: f falls like exp(-r t) instead of
 * growing.  The constraints f, f', ... of the equation are the last c that were listed. */
static expr pulled_back(lowering *l, expr top, int32_t c)
{
    reduced_model *m = l->m;
    expr_graph *g = &m->flat->graph;
    double rate = rate_of(m), factor = 1.0;
    for (int32_t k = c; k-- > 0;) { /* binomial(c, k) r^(c - k) */
        factor *= rate * (k + 1) / (c - k);
        expr lower = m->constraint[m->n_constraints - c + k].value;
        top = expr_add(g, top, expr_mul(g, expr_constant(g, factor), lower));
    }
    return top;
}

static daedal_status differentiate(lowering *l, lowered *to)
{
    reduced_model *m = l->m;
    flat_motion motion = {.slope = slope_of, .user = l};
    expr_direction direction = flat_in_time(m->flat, &motion);
    expr_differ *differ = expr_differ_create(&m->flat->graph, &direction);
    daedal_status status = differ ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
    for (int32_t i = 0; i < l->n && status == DAEDAL_OK; i++) {
        expr e = m->residual[i];
        if (l->position[i] >= 0) {
            add_kinematic(l, to, l->position[i], 0, m->equation[i]);
            continue;
        }
        for (int32_t k = 0; k < l->c[i] && status == DAEDAL_OK; k++) {
            expr next = EXPR_NONE;
            add_constraint(l, i, k, e, to->n);
            expr_outcome outcome = expr_differ_of(differ, e, &next, NULL);
            if (outcome == EXPR_NOT_DIFFERENTIABLE || motion.met_delay)
                status = complain(l, i,
                                  motion.met_delay ? "it contains a delay"
                                                   : "it calls a function without derivative");
            else if (outcome != EXPR_OK)
                status = DAEDAL_ERR_MEMORY;
            e = next;
        }
        if (status == DAEDAL_OK && m->setup.reduction == DAEDAL_REDUCE_BAUMGARTE)
            e = pulled_back(l, e, l->c[i]);
        if (status == DAEDAL_OK)
            add_row(to, e, m->equation[i], l->c[i]);
    }
    expr_differ_free(differ);
    return status;
}

/* (x^(k))' = x^(k+1), where no equation of the text says so. */
static void add_kinematics(lowering *l, lowered *to)
{
    for (int32_t j = 0; j < l->n; j++)
        for (int32_t k = 0; k + 1 < l->d[j] && l->velocity[j] < 0; k++)
            add_kinematic(l, to, j, k, EQUATION_OF_DERIVATIVE | l->derivative[j][k]);
}

static bool list_columns(lowering *l, int32_t n)
{
    reduced_model *m = l->m;
    uint32_t *variable = arena_take(m->mem, (size_t)n + 1, sizeof *variable);
    m->depth = arena_take(m->mem, (size_t)n + 1, sizeof *m->depth);
    if (m->mem->failed)
        return false;
    m->n = 0;
    for (int32_t j = 0; j < l->n; j++)
        for (int32_t k = 0; k < kept_orders(l, j); k++) {
            m->column[l->derivative[j][k]] = m->n;
            m->depth[m->n] = k - l->d[j];
            variable[m->n++] = l->derivative[j][k];
        }
    m->variable = variable;
    m->n_system = m->n > 0 ? m->n : 1;
    return true;
}

daedal_status reduced_lower_index(reduced_model *m, const signature *offsets)
{
    lowering l = {.m = m, .c = offsets->c, .d = offsets->d, .n = m->n};
    lowered to = {0};
    size_t n = 1, constraints = 1;
    if (!find_velocities(&l))
        return DAEDAL_ERR_MEMORY;
    for (int32_t j = 0; j < m->n; j++) {
        n += (size_t)kept_orders(&l, j);
        constraints += l.position[j] < 0 ? (size_t)l.c[j] : 0;
    }
    to.residual = arena_take(m->mem, n, sizeof *to.residual);
    to.equation = arena_take(m->mem, n, sizeof *to.equation);
    to.differentiated = arena_take(m->mem, n, sizeof *to.differentiated);
    m->constraint = arena_take(m->mem, constraints, sizeof *m->constraint);
    if (m->mem->failed || !add_derivatives(&l) || !reduced_substitute(m, image_of, &l))
        return DAEDAL_ERR_MEMORY;
    TRY(differentiate(&l, &to));
    add_kinematics(&l, &to);
    m->residual = to.residual;
    m->equation = to.equation;
    m->differentiated = to.differentiated;
    return list_columns(&l, (int32_t)n) && !m->flat->graph.failed ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}
