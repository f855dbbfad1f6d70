/* reduce/explicit_variables.c - see reduced.h: elimination of variables that need not be solved
 * for.
 *
 * Two kinds of equations v = e determine a variable that is not differentiated:
 *   given    e depends only on time, on values that change at events, and on other given
 *            variables: sources and functions of them
 *   derived  no other remaining equation reads v: losses, powers, outputs
 * Such v and their equations are eliminated; everything else that reads v reads e instead,
 * and v itself is computed for the output.  Newton then never evaluates a sqrt that only the
 * output needs, and the error test covers only the variables that are integrated.
 * docs/decisions/012-explicit-variables.md.
 *
 * A variable v = max(0, e) that equations read stays an unknown, which Newton's method finds up to
 * its tolerance: where v rests at 0 its sign would be an accident.  Relations therefore read
 * max(0, e) instead of v wherever e chooses between values (if, min, max).              */
#include <math.h>

#include "expr/walk.h"
#include "reduce/reduced.h"

enum { LEVELS_MAX = 40 }; /* of e inside e; each costs a pass over the graph */

typedef struct candidate {
    int32_t row, column;
    expr value; /* the variable in terms of the unknowns before elimination */
    int32_t level;
    bool taken;
} candidate;

typedef struct selection {
    reduced_model *m;
    candidate *list; /* in an order in which they can be computed */
    int32_t n;
    int32_t *of;   /* by column: candidate, or -1         */
    int32_t *uses; /* by column: equations that read it   */
    bool *kept;    /* by column: must stay an unknown     */
    expr_walker w;
    expr *image; /* by column: of those of the last level, while substituting */
} selection;

/* ---- variables that may be eliminated ---- */

static int32_t column_of(const reduced_model *m, uint32_t symbol)
{
    flat_symbol_kind kind = flat_kind(symbol);
    bool of_unknown = kind == FLAT_VALUE || kind == FLAT_DER || kind == FLAT_PRE;
    return of_unknown ? m->column[flat_number(symbol)] : -1;
}

/* Variables whose derivative occurs in initial equations: it is determined by theirs. */
static void keep_differentiated_at_start(selection *s)
{
    const reduced_model *m = s->m;
    const expr_graph *g = &m->flat->graph;
    for (size_t i = 0; i < m->flat->n_initials; i++) {
        const expr sides[] = {m->flat->initials[i].left, m->flat->initials[i].right};
        for (int k = 0; k < 2; k++) {
            expr_walker_forget(&s->w);
            if (sides[k] == EXPR_NONE || !expr_depends(&s->w, sides[k], EXPR_ALL))
                continue;
            for (size_t f = 0; f < s->w.n_found; f++) {
                uint32_t symbol = expr_index(g, s->w.found[f]);
                if (flat_kind(symbol) == FLAT_DER && column_of(m, symbol) >= 0)
                    s->kept[column_of(m, symbol)] = true;
            }
        }
    }
}

/* Variables with pre() or a fixed start value must stay unknowns. */
static void mark_kept(selection *s)
{
    const reduced_model *m = s->m;
    const expr_graph *g = &m->flat->graph;
    for (int32_t j = 0; j < m->n; j++)
        s->kept[j] = m->differential[j];
    for (int32_t u = 0; u < m->n_unknowns; u++) {
        alias to = m->aliases->of[u];
        if (to.root != ALIAS_CONSTANT && m->flat->variables[m->unknown[u]].fixed)
            s->kept[m->column[m->unknown[to.root]]] = true;
    }
    for (expr e = 1; e < g->n; e++)
        if (expr_is_variable(g, e) && flat_kind(expr_index(g, e)) == FLAT_PRE &&
            column_of(m, expr_index(g, e)) >= 0)
            s->kept[column_of(m, expr_index(g, e))] = true;
}

static bool walk(selection *s, expr e)
{
    expr_walker_forget(&s->w);
    return expr_depends(&s->w, e, EXPR_ALL);
}

static void count_uses(selection *s, int32_t row, int32_t change)
{
    const reduced_model *m = s->m;
    if (!walk(s, m->residual[row]))
        return;
    for (size_t k = 0; k < s->w.n_found; k++) {
        int32_t j = column_of(m, expr_index(&m->flat->graph, s->w.found[k]));
        if (j >= 0)
            s->uses[j] += change;
    }
}

/* ---- v = e ---- */

/* e if the residual is v - e, e - v or v + (-e); EXPR_NONE otherwise. */
static expr solved_for(expr_graph *g, expr residual, uint32_t symbol)
{
    const expr *x;
    expr v = expr_variable(g, symbol);
    uint32_t n = expr_operands(g, residual, &x);
    if (n == 2 && expr_op_of(g, residual) == EXPR_SUB && (x[0] == v || x[1] == v))
        return x[0] == v ? x[1] : x[0];
    if (n == 2 && expr_op_of(g, residual) == EXPR_ADD && (x[0] == v || x[1] == v))
        return expr_neg(g, x[0] == v ? x[1] : x[0]);
    return EXPR_NONE;
}

static bool reads(selection *s, expr e, uint32_t symbol)
{
    bool found = !walk(s, e);
    for (size_t k = 0; k < s->w.n_found && !found; k++)
        found = expr_index(&s->m->flat->graph, s->w.found[k]) == symbol;
    return found;
}

static void list_candidates(selection *s)
{
    reduced_model *m = s->m;
    for (int32_t b = 0; b < m->order.n_blocks; b++) {
        if (order_size(&m->order, b) > 1)
            continue;
        int32_t i = m->order.row[m->order.start[b]], j = m->order.column[m->order.start[b]];
        uint32_t symbol = flat_symbol(FLAT_VALUE, m->variable[j]);
        expr e = s->kept[j] ? EXPR_NONE : solved_for(&m->flat->graph, m->residual[i], symbol);
        if (e == EXPR_NONE || reads(s, e, symbol))
            continue;
        s->of[j] = s->n;
        s->list[s->n++] = (candidate){.row = i, .column = j, .value = e};
    }
}

/* One more than the highest level that e reads; 0: it reads unknowns that stay. */
static int32_t level_of(selection *s, const candidate *c, bool given)
{
    const reduced_model *m = s->m;
    int32_t level = 1;
    if (!walk(s, c->value))
        return 0;
    for (size_t k = 0; k < s->w.n_found; k++) {
        uint32_t symbol = expr_index(&m->flat->graph, s->w.found[k]);
        int32_t j = column_of(m, symbol);
        bool is_removed = j >= 0 && s->of[j] >= 0 && s->list[s->of[j]].taken;
        if (is_removed && s->list[s->of[j]].level >= level)
            level = s->list[s->of[j]].level + 1;
        if (given && ((j >= 0 && !is_removed) || flat_kind(symbol) == FLAT_DELAY))
            return 0;
    }
    return level <= LEVELS_MAX ? level : 0;
}

static void choose_given(selection *s)
{
    for (int32_t k = 0; k < s->n; k++) {
        candidate *c = &s->list[k];
        c->level = level_of(s, c, true);
        c->taken = c->level > 0;
        if (c->taken)
            count_uses(s, c->row, -1);
    }
}

static void choose_derived(selection *s)
{
    for (int32_t k = s->n; k-- > 0;) {
        candidate *c = &s->list[k];
        if (c->taken || s->uses[c->column] != 1)
            continue;
        c->taken = true;
        count_uses(s, c->row, -1);
    }
    for (int32_t k = 0; k < s->n; k++) { /* levels of the derived variables, counted from the end */
        candidate *c = &s->list[k];
        if (c->taken && c->level == 0)
            c->level = level_of(s, c, false);
        c->taken = c->taken && c->level > 0;
    }
}

/* ---- elimination ---- */

static expr image_of(void *user, uint32_t symbol)
{
    const selection *s = user;
    int32_t j = flat_kind(symbol) == FLAT_VALUE ? s->m->column[flat_number(symbol)] : -1;
    return j < 0 ? EXPR_NONE : s->image[j];
}

/* The eliminated variables, level by level, in terms of the remaining ones. */
static bool resolve_values(selection *s)
{
    expr_graph *g = &s->m->flat->graph;
    expr *roots = arena_take(s->m->scratch, (size_t)s->n + 1, sizeof *roots);
    for (int32_t level = 1; level <= LEVELS_MAX && roots; level++) {
        size_t n = 0;
        for (int32_t k = 0; k < s->n; k++)
            if (s->list[k].taken && s->list[k].level == level)
                roots[n++] = s->list[k].value;
        if (n == 0)
            break;
        if (level > 1 && !expr_substitute(g, g, roots, n, image_of, s))
            return false;
        n = 0;
        for (int32_t k = 0; k < s->n; k++)
            if (s->list[k].taken && s->list[k].level == level) {
                s->list[k].value = roots[n++];
                s->image[s->list[k].column] = s->list[k].value;
            }
    }
    return roots != NULL;
}

typedef struct renumbering {
    int32_t *row, *column; /* new numbers; -1: eliminated */
} renumbering;

static void close_rows(reduced_model *m, renumbering *to)
{
    int32_t n = 0;
    for (int32_t i = 0; i < m->n; i++)
        if (to->row[i] >= 0) {
            m->equation[n] = m->equation[i];
            if (m->differentiated)
                m->differentiated[n] = m->differentiated[i];
            m->residual[n] = m->residual[i];
            to->row[i] = n++;
        }
    for (int32_t k = 0; k < m->n_constraints; k++)
        if (m->constraint[k].row >= 0)
            m->constraint[k].row = to->row[m->constraint[k].row];
}

static int32_t close_columns(reduced_model *m, renumbering *to)
{
    int32_t n = 0;
    for (int32_t j = 0; j < m->n; j++) {
        m->column[m->variable[j]] = to->column[j] < 0 ? -1 : n;
        if (to->column[j] < 0)
            continue;
        m->variable[n] = m->variable[j];
        m->differential[n] = m->differential[j];
        if (m->depth)
            m->depth[n] = m->depth[j];
        to->column[j] = n++;
    }
    return n;
}

/* Only blocks of size one were eliminated, so that the order of the others stays. */
static void close_order(model_order *o, const renumbering *to)
{
    int32_t n = 0, blocks = 0;
    for (int32_t b = 0; b < o->n_blocks; b++) {
        int32_t first = n, from = o->start[b], end = o->start[b + 1];
        for (int32_t k = from; k < end; k++)
            if (to->row[o->row[k]] >= 0) {
                o->column[n] = to->column[o->column[k]];
                o->row[n++] = to->row[o->row[k]];
            }
        if (n > first)
            o->start[blocks++] = first;
    }
    if (o->start)
        o->start[blocks] = n;
    o->n_blocks = blocks;
}

static bool close_gaps(selection *s)
{
    reduced_model *m = s->m;
    size_t n = (size_t)m->n + 1;
    renumbering to = {arena_take(m->scratch, n, sizeof(int32_t)),
                      arena_take(m->scratch, n, sizeof(int32_t))};
    if (m->scratch->failed)
        return false;
    for (int32_t k = 0; k < s->n; k++)
        if (s->list[k].taken)
            to.row[s->list[k].row] = to.column[s->list[k].column] = -1;
    close_rows(m, &to);
    int32_t columns = close_columns(m, &to);
    close_order(&m->order, &to);
    m->n = columns;
    m->n_system = columns > 0 ? columns : 1;
    return true;
}

static bool keep_computed(selection *s)
{
    reduced_model *m = s->m;
    m->computed = arena_take(m->mem, (size_t)s->n + 1, sizeof *m->computed);
    if (!m->computed)
        return false;
    for (int32_t k = 0; k < s->n; k++)
        if (s->list[k].taken)
            m->computed[m->n_computed++] = (computed_variable){
                m->variable[s->list[k].column], m->equation[s->list[k].row], s->list[k].value};
    return true;
}

static bool create(selection *s, reduced_model *m)
{
    size_t n = (size_t)m->n + 1;
    *s = (selection){.m = m};
    s->list = arena_take(m->scratch, n, sizeof *s->list);
    s->of = arena_take(m->scratch, n, sizeof *s->of);
    s->uses = arena_take(m->scratch, n, sizeof *s->uses);
    s->kept = arena_take(m->scratch, n, sizeof *s->kept);
    s->image = arena_take(m->scratch, n, sizeof *s->image);
    for (int32_t j = 0; j < m->n && s->of; j++)
        s->of[j] = -1;
    expr_walker_create(&s->w, &m->flat->graph);
    return !m->scratch->failed;
}

/* ---- relations ---- */

/* The roots of relations, and of roundings of continuous values. */
static size_t list_relations(reduced_model *m, expr **list)
{
    flat_model *f = m->flat;
    size_t n = 0;
    for (size_t k = 0; k < f->n_relations; k++) {
        list[n++] = &f->relations[k].left;
        list[n++] = &f->relations[k].right;
    }
    for (size_t k = 0; k < f->n_roundings; k++)
        list[n++] = &f->roundings[k].of;
    return n;
}

/* Candidates that stay unknowns and whose value chooses, itself or in what it reads: one level
 * above the highest of these that it reads; 0 for all others. */
static void choose_chosen(selection *s)
{
    const reduced_model *m = s->m;
    const expr_graph *g = &m->flat->graph;
    for (int32_t k = 0; k < s->n; k++) {
        candidate *c = &s->list[k];
        c->level = 0;
        if (c->taken || !walk(s, c->value))
            continue;
        int32_t below = 0;
        bool chooses = expr_has(g, c->value, EXPR_HAS_IF);
        for (size_t i = 0; i < s->w.n_found; i++) {
            int32_t j = column_of(m, expr_index(g, s->w.found[i]));
            if (j < 0 || s->of[j] < 0)
                continue;
            const candidate *read = &s->list[s->of[j]];
            chooses = chooses || (read->taken && expr_has(g, read->value, EXPR_HAS_IF));
            below = read->level > below ? read->level : below;
        }
        c->level = (chooses || below > 0) && below < LEVELS_MAX ? below + 1 : 0;
    }
}

/* Level by level, as resolve_values; the values first in terms of what remains. */
static bool resolve_chosen(selection *s)
{
    expr_graph *g = &s->m->flat->graph;
    expr *roots = arena_take(s->m->scratch, (size_t)s->n + 1, sizeof *roots);
    for (int32_t level = 1; level <= LEVELS_MAX && roots; level++) {
        size_t n = 0;
        for (int32_t k = 0; k < s->n; k++)
            if (s->list[k].level == level)
                roots[n++] = s->list[k].value;
        if (n == 0)
            break;
        if (!expr_substitute(g, g, roots, n, image_of, s))
            return false;
        n = 0;
        for (int32_t k = 0; k < s->n; k++)
            if (s->list[k].level == level)
                s->image[s->list[k].column] = roots[n++];
    }
    return roots != NULL;
}

static bool expand_relations(selection *s)
{
    reduced_model *m = s->m;
    size_t n = 2 * m->flat->n_relations + m->flat->n_roundings;
    if (n == 0)
        return true;
    expr **list = arena_take(m->scratch, n, sizeof *list);
    expr *roots = arena_take(m->scratch, n, sizeof *roots);
    if (m->scratch->failed)
        return false;
    choose_chosen(s);
    if (s->w.failed || !resolve_chosen(s))
        return false;
    list_relations(m, list);
    for (size_t k = 0; k < n; k++)
        roots[k] = *list[k];
    if (!expr_substitute(&m->flat->graph, &m->flat->graph, roots, n, image_of, s))
        return false;
    for (size_t k = 0; k < n; k++)
        *list[k] = roots[k];
    return true;
}

daedal_status reduced_eliminate_explicit(reduced_model *m)
{
    selection s;
    bool fine = create(&s, m);
    if (fine) {
        mark_kept(&s);
        keep_differentiated_at_start(&s);
        for (int32_t i = 0; i < m->n; i++)
            count_uses(&s, i, 1);
        list_candidates(&s);
        choose_given(&s);
        choose_derived(&s);
        fine = !s.w.failed && resolve_values(&s) && reduced_substitute(m, image_of, &s) &&
               keep_computed(&s) && expand_relations(&s) && close_gaps(&s) &&
               !m->flat->graph.failed;
    }
    expr_walker_free(&s.w);
    return fine ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

/* ---- values ---- */
