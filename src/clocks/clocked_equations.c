/* clocks/clocked_equations.c - see partitions.h: the equations of clocked partitions.
 *
 * They are paired with the variables they determine.  An equation v = e that is in no loop becomes
 * the assignment v = e at the ticks.  Equations that must be solved together stay equations of the
 * model, which hold from the first tick on: everything that they read changes at ticks only. */
#include "clocks/partitions.h"

#include <string.h>

#include "graph/components.h"

typedef struct clocked {
    partitions *p;
    clock_equation *eq; /* the clocked ones; those of derivatives follow */
    uint32_t *root;     /* by equation: its partition  */
    size_t *from;       /* by equation: its number in p->equation, SIZE_MAX: it is new */
    size_t n, capacity, root_capacity, from_capacity;
    uint32_t *variable; /* by column */
    uint32_t *column;   /* by variable: its column + 1 */
    size_t n_columns, n_known;
    uint32_t *slope; /* by variable: the variable that stands for its derivative + 1 */
    uint32_t now;    /* the partition whose expressions are rebuilt */
    bool in_loop;
    int32_t *entry_row, *entry_col; /* of the pattern of dependences */
    bool *can_pair;                 /* by entry: the equation can determine the variable */
    size_t n_entries, row_capacity, col_capacity, pair_capacity;
} clocked;

static void add_equation(clocked *c, clock_equation e, uint32_t root, size_t from)
{
    context *in = c->p->in;
    clock_equation *eq = context_push(in, c->eq, c->n, &c->capacity, sizeof *eq);
    uint32_t *roots = context_push(in, c->root, c->n, &c->root_capacity, sizeof *roots);
    size_t *froms = context_push(in, c->from, c->n, &c->from_capacity, sizeof *froms);
    if (!eq || !roots || !froms)
        return;
    c->eq = eq;
    c->root = roots;
    c->from = froms;
    eq[c->n] = e;
    roots[c->n] = root;
    froms[c->n++] = from;
}

/* ---- expressions: no events, derivatives by the method of the clock ---- */

static expr comparison(clocked *c, const flat_relation *r)
{
    return expr_make2(c->p->in->g, r->op, r->left, r->right);
}

static expr discretise(clocked *c, uint32_t x);

static expr image(void *user, uint32_t symbol)
{
    clocked *c = user;
    flat_model *m = c->p->in->m;
    uint32_t number = flat_number(symbol);
    switch (flat_kind(symbol)) {
    case FLAT_RELATION:
        return comparison(c, &m->relations[number]);
    case FLAT_ROUNDING:
        return expr_make1(c->p->in->g, EXPR_FLOOR, m->roundings[number].of);
    case FLAT_DER:
        return discretise(c, number);
    case FLAT_TIME:
        return c->in_loop ? ticks_time(c->p, c->now) : EXPR_NONE;
    default:
        return EXPR_NONE;
    }
}

/* Relations may read relations, so that images are rebuilt until nothing changes. */
static expr rebuilt(clocked *c, expr e)
{
    enum { DEPTH = 50 };
    for (int k = 0; k < DEPTH; k++) {
        expr before = e;
        if (!expr_substitute_few(&c->p->substituter, &e, 1, image, c) || e == before)
            return e;
    }
    return e;
}

/* The variable that stands for der(x), with the equation of x. */
static expr discretise(clocked *c, uint32_t x)
{
    partitions *p = c->p;
    expr_graph *g = p->in->g;
    clock_method method = p->partition[c->now].grid.method;
    source_at at = p->in->m->variables[x].at;
    if (x >= c->n_known)
        return EXPR_NONE;
    if (c->slope[x])
        return value_of(p, c->slope[x] - 1);
    if (method == CLOCKED_WITHOUT_METHOD) {
        context_error(p->in, at,
                      "'%s' is clocked and has a derivative: its clock needs a "
                      "solverMethod, as in Clock(c, solverMethod = \"ImplicitEuler\")",
                      context_name(p->in, p->in->m->variables[x].name));
        return expr_constant(g, 0.0);
    }
    uint32_t v = p->in->interpreter->add_hidden_variable(p->in, "slope", FLAT_REAL, at);
    if (v == FLAT_NONE)
        return EXPR_NONE;
    c->slope[x] = v + 1;
    expr now = value_of(p, v), slope = now;
    if (method != CLOCKED_BY_IMPLICIT_EULER)
        slope = ticks_previous(p, c->now, v, at);
    if (method == CLOCKED_BY_IMPLICIT_TRAPEZOID)
        slope = expr_mul(g, expr_constant(g, 0.5), expr_add(g, slope, now));
    expr h = ticks_interval(p, c->now), before = ticks_previous(p, c->now, x, at);
    expr next = expr_add(g, before, expr_mul(g, h, slope));
    next = expr_if(g, ticks_first(p, c->now), ticks_start(p, x), next);
    add_equation(c, (clock_equation){value_of(p, x), next, T_REAL, at, at, false}, c->now,
                 SIZE_MAX);
    return now;
}

/* ---- which equations, which variables ---- */

static void collect_equations(clocked *c)
{
    partitions *p = c->p;
    for (size_t k = 0; k < p->n_equations; k++) {
        clock_equation *e = &p->equation[k];
        if (e->base == T_CLOCK)
            e->is_done = true;
        else if (p->of_equation[k] != FLAT_NONE && partitions_of(p, p->of_equation[k])->is_clocked)
            add_equation(c, *e, partitions_root(p, p->of_equation[k]), k);
    }
    for (size_t k = 0; k < c->n; k++) { /* c->n grows by the equations of derivatives */
        c->now = c->root[k];
        expr left = rebuilt(c, c->eq[k].left), right = rebuilt(c, c->eq[k].right);
        c->eq[k].left = left;
        c->eq[k].right = right;
    }
}

static bool is_unknown(clocked *c, uint32_t symbol, uint32_t *v)
{
    partitions *p = c->p;
    *v = flat_number(symbol);
    return flat_kind(symbol) == FLAT_VALUE &&
           p->in->m->variables[*v].variability > FLAT_PARAMETER &&
           !p->hooks->is_assigned(p->hooks->user, *v);
}

/* The variable that stands alone on this side, or behind `not`. */
static bool stands_alone(clocked *c, expr side, uint32_t *v, bool *negated)
{
    const expr_graph *g = c->p->in->g;
    const expr *operand;
    *negated = expr_op_of(g, side) == EXPR_NOT;
    if (*negated) {
        expr_operands(g, side, &operand);
        side = operand[0];
    }
    return expr_is_variable(g, side) && is_unknown(c, expr_index(g, side), v);
}

static uint32_t column_of(clocked *c, uint32_t v)
{
    if (!c->column[v]) {
        c->variable[c->n_columns++] = v;
        c->column[v] = (uint32_t)c->n_columns;
    }
    return c->column[v] - 1;
}

static void add_entry(clocked *c, size_t row, uint32_t v)
{
    context *in = c->p->in;
    const clock_equation *e = &c->eq[row];
    int32_t *rows = context_push(in, c->entry_row, c->n_entries, &c->row_capacity, sizeof *rows);
    int32_t *cols = context_push(in, c->entry_col, c->n_entries, &c->col_capacity, sizeof *cols);
    bool *pairs = context_push(in, c->can_pair, c->n_entries, &c->pair_capacity, sizeof *pairs);
    if (!rows || !cols || !pairs)
        return;
    uint32_t a = 0;
    bool negated, alone = (stands_alone(c, e->left, &a, &negated) && a == v) ||
                          (stands_alone(c, e->right, &a, &negated) && a == v);
    c->entry_row = rows;
    c->entry_col = cols;
    c->can_pair = pairs;
    rows[c->n_entries] = (int32_t)row;
    cols[c->n_entries] = (int32_t)column_of(c, v);
    bool real = e->base == T_REAL && in->m->variables[v].type == FLAT_REAL;
    pairs[c->n_entries++] = e->base == T_REAL ? real : alone;
}

static void collect_entries(clocked *c)
{
    expr_walker *w = &c->p->walker;
    for (size_t k = 0; k < c->n; k++) {
        expr_walker_forget(w);
        const expr sides[2] = {c->eq[k].left, c->eq[k].right};
        for (int s = 0; s < 2; s++) {
            expr_depends(w, sides[s], EXPR_ALL);
            for (size_t q = 0; q < w->n_found; q++) {
                uint32_t v;
                if (is_unknown(c, expr_index(c->p->in->g, w->found[q]), &v))
                    add_entry(c, k, v);
            }
        }
    }
}

/* ---- the order ---- */

/* Entries come by rows, so that the rows of every column ascend. */
static bool make_pattern(clocked *c, pattern *p, bool pairs_only)
{
    int32_t n = 0;
    const daedal_allocator *a = c->p->in->c->mem.allocator;
    for (size_t k = 0; k < c->n_entries; k++)
        n += !pairs_only || c->can_pair[k];
    if (!pattern_create(p, (int32_t)c->n, (int32_t)c->n_columns, n, a))
        return false;
    memset(p->start, 0, (c->n_columns + 1) * sizeof *p->start);
    for (size_t k = 0; k < c->n_entries; k++)
        p->start[c->entry_col[k] + 1] += !pairs_only || c->can_pair[k];
    for (size_t j = 0; j < c->n_columns; j++)
        p->start[j + 1] += p->start[j];
    for (size_t k = 0; k < c->n_entries; k++)
        if (!pairs_only || c->can_pair[k])
            p->row[p->start[c->entry_col[k]]++] = c->entry_row[k];
    for (size_t j = c->n_columns; j > 0; j--)
        p->start[j] = p->start[j - 1];
    p->start[0] = 0;
    return true;
}

static void join_explicit(clocked *c, matching *pairs)
{
    for (size_t k = 0; k < c->n; k++) {
        uint32_t v = 0;
        bool negated;
        if (!stands_alone(c, c->eq[k].left, &v, &negated) || !c->column[v])
            continue;
        int32_t column = (int32_t)c->column[v] - 1;
        bool fits = c->eq[k].base != T_REAL || c->p->in->m->variables[v].type == FLAT_REAL;
        if (fits && pairs->row_of[column] == MATCHING_NONE)
            matching_join(pairs, (int32_t)k, column);
    }
}

static bool fail_unpaired(clocked *c, const matching *pairs)
{
    context *in = c->p->in;
    for (size_t j = 0; j < c->n_columns; j++)
        if (pairs->row_of[j] == MATCHING_NONE) {
            const flat_variable *v = &in->m->variables[c->variable[j]];
            context_error(in, v->at, "no clocked equation determines '%s'",
                          context_name(in, v->name));
            return false;
        }
    for (size_t k = 0; k < c->n; k++)
        if (pairs->col_of[k] == MATCHING_NONE) {
            context_error(in, c->eq[k].at,
                          "one clocked equation too many: other equations determine all variables "
                          "of this one");
            return false;
        }
    return true;
}

/* ---- what becomes of them ---- */

static bool reads(clocked *c, expr e, uint32_t v)
{
    expr_walker *w = &c->p->walker;
    expr_walker_forget(w);
    expr_depends(w, e, EXPR_ALL);
    for (size_t q = 0; q < w->n_found; q++)
        if (expr_index(c->p->in->g, w->found[q]) == flat_symbol(FLAT_VALUE, v))
            return true;
    return false;
}

/* The value that the equation gives to the variable; EXPR_NONE: it must be solved for it. */
static expr explicit_value(clocked *c, const clock_equation *e, uint32_t v)
{
    const expr sides[2] = {e->left, e->right};
    for (int s = 0; s < 2; s++) {
        uint32_t a = 0;
        bool negated;
        if (stands_alone(c, sides[s], &a, &negated) && a == v && !reads(c, sides[1 - s], v))
            return negated ? condition_not(c->p->in, sides[1 - s]) : sides[1 - s];
    }
    return EXPR_NONE;
}

static void keep_equation(clocked *c, size_t row, uint32_t v)
{
    partitions *p = c->p;
    expr_graph *g = p->in->g;
    expr begun = ticks_have_begun(p, c->root[row]);
    clock_equation *e = &c->eq[row];
    c->now = c->root[row];
    c->in_loop = true;
    expr left = expr_if(g, begun, rebuilt(c, e->left), value_of(p, v));
    expr right = expr_if(g, begun, rebuilt(c, e->right), ticks_start(p, v));
    c->in_loop = false;
    if (c->from[row] == SIZE_MAX) {
        flat_add_equation(p->in->build, (flat_equation){left, right, e->at, e->end, false, false});
        return;
    }
    p->equation[c->from[row]].left = left;
    p->equation[c->from[row]].right = right;
}

static void place_equation(clocked *c, size_t row, uint32_t v, expr e)
{
    const clock_equation *from = &c->eq[row];
    ticks_assign(c->p, c->root[row], v, e, from->at, from->end);
    if (c->from[row] != SIZE_MAX)
        c->p->equation[c->from[row]].is_done = true;
}

/* What each equation gives is asked before any variable counts as assigned. */
static void place_all(clocked *c, const components *blocks)
{
    expr *gives = arena_take(&c->p->in->c->mem, c->n + 1, sizeof *gives);
    for (int32_t b = 0; gives && b < blocks->n_blocks; b++)
        for (int32_t k = blocks->start[b]; k < blocks->start[b + 1]; k++) {
            size_t row = (size_t)blocks->row[k];
            uint32_t v = c->variable[blocks->col[k]];
            bool alone = blocks->start[b + 1] - blocks->start[b] == 1;
            gives[row] = EXPR_NONE;
            if (alone || c->eq[row].base != T_REAL)
                gives[row] = explicit_value(c, &c->eq[row], v);
        }
    for (int32_t k = 0; gives && k < blocks->n; k++) {
        size_t row = (size_t)blocks->row[k];
        uint32_t v = c->variable[blocks->col[k]];
        if (gives[row] != EXPR_NONE)
            place_equation(c, row, v, gives[row]);
        else if (c->eq[row].base == T_REAL)
            keep_equation(c, row, v);
        else
            context_error(c->p->in, c->eq[row].at,
                          "this clocked equation cannot be solved for '%s'",
                          context_name(c->p->in, c->p->in->m->variables[v].name));
    }
}

static void solve(clocked *c)
{
    const daedal_allocator *a = c->p->in->c->mem.allocator;
    pattern can_pair = {0}, depends = {0};
    matching pairs = {0};
    components blocks = {0};
    bool fine = make_pattern(c, &can_pair, true) && make_pattern(c, &depends, false) &&
                matching_create(&pairs, (int32_t)c->n, (int32_t)c->n_columns, a);
    if (fine)
        join_explicit(c, &pairs);
    fine = fine && matching_improve(&pairs, &can_pair.view, a) && fail_unpaired(c, &pairs) &&
           components_create(&blocks, &depends.view, &pairs, a);
    if (fine) {
        place_all(c, &blocks);
        components_free(&blocks);
    }
    matching_free(&pairs);
    pattern_free(&depends);
    pattern_free(&can_pair);
}

/* Assignments of algorithms are active at ticks, too. */
static void place_assignments(clocked *c)
{
    partitions *p = c->p;
    size_t n = p->in->m->n_assignments;
    for (size_t k = 0; k < n; k++) {
        uint32_t v = p->in->m->assignments[k].variable;
        if (v >= p->n || p->in->m->variables[v].hidden || !partitions_of(p, v)->is_clocked)
            continue;
        c->now = partitions_root(p, v);
        expr e = rebuilt(c, p->in->m->assignments[k].value), fires = ticks_fire(p, c->now);
        if (fires != EXPR_NONE)
            p->in->m->assignments[k].value = expr_if(p->in->g, fires, e, pre_value(p, v));
    }
}

/* Relations between clocked values are compared at ticks only. */
static void silence_relations(clocked *c)
{
    partitions *p = c->p;
    flat_model *m = p->in->m;
    for (size_t k = 0; k < m->n_relations; k++) {
        const expr sides[2] = {m->relations[k].left, m->relations[k].right};
        bool is_clocked = false;
        for (int s = 0; s < 2; s++) {
            expr_walker_forget(&p->walker);
            expr_depends(&p->walker, sides[s], EXPR_ALL);
            for (size_t q = 0; q < p->walker.n_found; q++) {
                uint32_t symbol = expr_index(p->in->g, p->walker.found[q]);
                is_clocked = is_clocked || (flat_kind(symbol) == FLAT_VALUE &&
                                            clocks_own(p->in, flat_number(symbol)));
            }
        }
        if (is_clocked) {
            m->relations[k].left = expr_constant(p->in->g, 1.0);
            m->relations[k].right = expr_constant(p->in->g, 0.0);
        }
    }
}

void clocked_equations_solve(partitions *p)
{
    clocked c = {.p = p, .n_known = p->in->m->n_variables};
    arena *mem = &p->in->c->mem;
    c.slope = arena_take(mem, c.n_known + 1, sizeof *c.slope);
    if (!c.slope)
        return;
    place_assignments(&c);
    collect_equations(&c);
    size_t n = p->in->m->n_variables;
    c.column = arena_take(mem, n + 1, sizeof *c.column);
    c.variable = arena_take(mem, n + 1, sizeof *c.variable);
    if (mem->failed || p->in->c->sources.n_errors > 0)
        return;
    collect_entries(&c);
    silence_relations(&c);
    if (c.n > 0)
        solve(&c);
}
