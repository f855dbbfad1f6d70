/* flatten/algorithm.c - see execute.h: algorithm sections of the model.
 *
 * The variables that a section assigns are collected first: they are its state, f->overlay, and
 * begin with their value before the event or with their start value. The value of each after the
 * last statement becomes an equation, or an assignment if the variable is discrete. */
#include "expr/walk.h"
#include "flatten/execute.h"

uint32_t overlay_entry(const overlay *o, uint32_t variable)
{
    return variable < o->n_slots ? o->slot[variable] : 0;
}

bool algorithm_value(const flattener *f, uint32_t variable, expr *e)
{
    const overlay *o = f->overlay;
    uint32_t k = o && !f->in->as_variables ? overlay_entry(o, variable) : 0;
    *e = k ? o->value[k - 1] : EXPR_NONE;
    return *e != EXPR_NONE;
}

/* ---- which variables an algorithm assigns ---- */

static bool overlay_grow(flattener *f, overlay *o)
{
    size_t room = o->capacity ? 2 * o->capacity : 16, n = o->n;
    if (n < o->capacity)
        return true;
    o->variable = arena_copy(f->in->mem, o->variable, n, room, sizeof *o->variable);
    o->value = arena_copy(f->in->mem, o->value, n, room, sizeof *o->value);
    o->in_when = arena_copy(f->in->mem, o->in_when, n, room, sizeof *o->in_when);
    o->is_assigned = arena_copy(f->in->mem, o->is_assigned, n, room, sizeof *o->is_assigned);
    o->mark = arena_copy(f->in->mem, o->mark, n, room, sizeof *o->mark);
    o->stamp = arena_copy(f->in->mem, o->stamp, n, room, sizeof *o->stamp);
    o->at = arena_copy(f->in->mem, o->at, n, room, sizeof *o->at);
    o->end = arena_copy(f->in->mem, o->end, n, room, sizeof *o->end);
    o->capacity = room;
    return !f->in->mem->failed;
}

static bool entry_add(flattener *f, uint32_t variable, bool in_when)
{
    overlay *o = f->overlay;
    uint32_t k = overlay_entry(o, variable);
    if (variable >= o->n_slots || (!k && !overlay_grow(f, o)))
        return false;
    if (!k) {
        o->variable[o->n] = variable;
        o->slot[variable] = k = (uint32_t)++o->n;
    }
    o->in_when[k - 1] = o->in_when[k - 1] || in_when;
    return true;
}

static void idle_note(flattener *f, uint32_t v, bool in_when)
{
    leaf *l = &f->scope->leaf[v];
    l->is_idle_in_when = l->is_idle_in_when || in_when;
    l->is_idle = true;
}

static bool target_collect(flattener *f, const ast_expr *ref, bool in_when)
{
    target t;
    if (!target_find(f, ref, &t))
        return false;
    for (size_t i = 0; i < t.symbols.n; i++) {
        uint32_t v = flat_number(expr_index(f->in->g, t.symbols.e[i]));
        if (f->overlay->is_idle)
            idle_note(f, v, in_when);
        else if (!entry_add(f, v, in_when))
            return false;
    }
    return true;
}

static bool targets_collect(flattener *f, const ast_clause *c, bool in_when);

/* Notes what the statements of a branch that is never executed would assign.  They need not be
 * valid: x[n] for n = 0. */
static void idle_collect(flattener *f, const ast_clause *c, bool in_when)
{
    bool outer = f->overlay->is_idle;
    if (f->section == IN_INITIAL)
        return;
    source_mark mark = sources_mark(&f->in->c->sources);
    f->overlay->is_idle = true;
    targets_collect(f, c, in_when);
    f->overlay->is_idle = outer;
    if (!f->in->work.is_over) /* a limit that is exceeded is told once */
        sources_rewind(&f->in->c->sources, mark);
}

static bool branches_collect(flattener *f, const ast_clause *c, bool in_when)
{
    bool done = false; /* a branch whose condition is known to hold comes before */
    for (const ast_branch *b = c->branches; b; b = b->next) {
        bool truth = false, known = false;
        if (!done && c->kind == AST_CHOICE && b->condition) {
            expr condition = evaluate_condition(f->in, b->condition);
            if (condition == EXPR_NONE)
                return false;
            known = condition_is_known(f, condition, &truth);
        }
        bool inside = in_when || c->kind == AST_WHEN;
        if (done || (known && !truth))
            idle_collect(f, b->body, inside);
        else if (!targets_collect(f, b->body, inside))
            return false;
        done = done || (known && truth);
    }
    return true;
}

static bool loop_collect(flattener *f, const ast_clause *c, int32_t k, bool in_when)
{
    value range;
    bool ok = true;
    if (k == c->n)
        return targets_collect(f, c->branches->body, in_when);
    if (!iterator_range(f, &c->iterator[k], NULL, c->branches->body, &range))
        return false;
    iteration here = {.name = c->iterator[k].name, .next = f->iterations};
    f->iterations = &here;
    for (size_t i = 0; ok && i < (size_t)range.type.dim[0]; i++) {
        here.value = value_element(f->in, range, i);
        ok = context_work(f->in, 1) && loop_collect(f, c, k + 1, in_when);
    }
    f->iterations = here.next;
    return ok;
}

static bool clause_collect(flattener *f, const ast_clause *c, bool in_when)
{
    if (c->kind == AST_FOR)
        return loop_collect(f, c, 0, in_when);
    if (c->kind != AST_ASSIGN)
        return branches_collect(f, c, in_when);
    if (c->left->kind != AST_TUPLE)
        return target_collect(f, c->left, in_when);
    for (int32_t i = 0; i < c->left->n; i++)
        if (c->left->item[i] && !target_collect(f, c->left->item[i], in_when))
            return false;
    return true;
}

static bool targets_collect(flattener *f, const ast_clause *c, bool in_when)
{
    for (; c; c = c->next)
        if (!clause_collect(f, c, in_when))
            return false;
    return true;
}

/* ---- algorithm sections ---- */

static bool is_discrete(const flattener *f, uint32_t v, bool in_when)
{
    const flat_variable *var = &f->in->m->variables[v];
    const ast_element *e = f->scope->leaf[v].element;
    return var->type != FLAT_REAL || in_when || var->variability == FLAT_DISCRETE ||
           (e && (e->prefixes & AST_DISCRETE));
}

/* Before the first statement: discrete variables are as before the event, others at their start
 * values.                                                                       */
static void overlay_begin(flattener *f)
{
    overlay *o = f->overlay;
    for (size_t i = 0; i < o->n; i++) {
        const flat_variable *var = &f->in->m->variables[o->variable[i]];
        bool before =
            var->variability != FLAT_PARAMETER && is_discrete(f, o->variable[i], o->in_when[i]);
        if (before)
            o->value[i] = expr_variable(f->in->g, flat_symbol(FLAT_PRE, o->variable[i]));
        else
            o->value[i] = var->start != EXPR_NONE ? var->start
                                                  : expr_constant(f->in->g, var->type == FLAT_ENUM);
    }
}

static void entry_emit(flattener *f, const overlay *o, size_t i, bool is_initial)
{
    uint32_t v = o->variable[i];
    expr symbol = expr_variable(f->in->g, flat_symbol(FLAT_VALUE, v));
    if (is_initial) {
        flat_add_initial(f->in->build, (flat_initial){symbol, o->value[i], o->at[i], o->end[i]});
        return;
    }
    if (f->in->m->variables[v].variability <= FLAT_PARAMETER) {
        context_error(f->in, o->at[i], "parameter '%s' cannot be assigned",
                      context_name(f->in, f->in->m->variables[v].name));
        return;
    }
    if (is_discrete(f, v, o->in_when[i])) {
        f->in->m->variables[v].variability = FLAT_DISCRETE;
        assignment_emit(f, v, o->value[i], o->at[i], o->end[i]);
        return;
    }
    equation_emit(f, (pending){.left = symbol,
                               .right = o->value[i],
                               .type = type_scalar(T_REAL),
                               .at = o->at[i],
                               .end = o->end[i]});
}

static bool overlay_collect(flattener *f, const ast_section *s)
{
    overlay *o = f->overlay;
    o->n_slots = f->in->m->n_variables;
    o->slot = arena_take(f->in->mem, o->n_slots + 1, sizeof *o->slot);
    f->in->without_events++;
    bool ok = o->slot && targets_collect(f, s->clauses, false);
    f->in->without_events--;
    return ok;
}

void algorithm_flatten(flattener *f, const ast_section *s, bool is_initial)
{
    overlay o = {0};
    flow w = FLOW_FAIL;
    f->overlay = &o;
    if (overlay_collect(f, s)) {
        overlay_begin(f);
        w = statements_run_apart(f, s->clauses);
    }
    f->overlay = NULL;
    f->path = EXPR_NONE;
    f->when = EXPR_NONE;
    for (size_t i = 0; w == FLOW_NEXT && i < o.n; i++)
        if (o.is_assigned[i])
            entry_emit(f, &o, i, is_initial);
        else if (!is_initial)
            idle_note(f, o.variable[i], o.in_when[i]);
}

/* ---- variables that are assigned only where that is never executed ---- */

static bool is_waiting(const flattener *f, uint32_t v)
{
    const leaf *l = &f->scope->leaf[v];
    return l->is_idle && !l->is_assigned && f->in->m->variables[v].variability > FLAT_PARAMETER;
}

/* The same as an algorithm that leaves the variable as it was before its first statement. */
static void idle_emit(flattener *f, uint32_t v)
{
    flat_variable *var = &f->in->m->variables[v];
    source_at at = var->at;
    if (is_discrete(f, v, f->scope->leaf[v].is_idle_in_when)) {
        var->variability = FLAT_DISCRETE;
        assignment_emit(f, v, expr_variable(f->in->g, flat_symbol(FLAT_PRE, v)), at, at);
        return;
    }
    expr start = var->start != EXPR_NONE ? var->start : expr_constant(f->in->g, 0.0);
    equation_emit(f, (pending){.left = expr_variable(f->in->g, flat_symbol(FLAT_VALUE, v)),
                               .right = start,
                               .type = type_scalar(T_REAL),
                               .at = at,
                               .end = at});
}

/* Marks the variables of an expression in `used`. */
static void mark_used(expr_walker *w, expr e, bool *used)
{
    if (!expr_depends(w, e, EXPR_ALL))
        return;
    for (size_t i = 0; i < w->n_found; i++) {
        uint32_t symbol = expr_index(w->g, w->found[i]);
        if (flat_kind(symbol) == FLAT_VALUE || flat_kind(symbol) == FLAT_DER)
            used[flat_number(symbol)] = true;
    }
}

static bool *used_in_equations(flattener *f)
{
    const flat_model *m = f->in->m;
    bool *used = arena_take(f->in->mem, m->n_variables + 1, sizeof *used);
    expr_walker w;
    expr_walker_create(&w, f->in->g);
    for (size_t i = 0; used && i < m->n_equations; i++) {
        mark_used(&w, m->equations[i].left, used);
        mark_used(&w, m->equations[i].right, used);
    }
    expr_walker_free(&w);
    return used;
}

static bool any_is_waiting(const flattener *f)
{
    for (uint32_t v = 0; v < f->in->m->n_variables; v++)
        if (is_waiting(f, v))
            return true;
    return false;
}

/* A Real that occurs in equations may be determined by one of them instead.  Those that do not
 * occur are certain; the others are open if they are as many as the equations that are missing. */
void algorithm_finish(flattener *f)
{
    const flat_model *m = f->in->m;
    size_t unknowns = 0, waiting = 0;
    const bool *used = any_is_waiting(f) ? used_in_equations(f) : NULL;
    if (!used)
        return;
    for (uint32_t v = 0; v < m->n_variables; v++)
        if (is_waiting(f, v) && (m->variables[v].variability == FLAT_DISCRETE || !used[v]))
            idle_emit(f, v);
    for (uint32_t v = 0; v < m->n_variables; v++) {
        unknowns += m->variables[v].variability == FLAT_CONTINUOUS;
        waiting += is_waiting(f, v) && used[v];
    }
    bool are_open = unknowns == m->n_equations + waiting;
    for (uint32_t v = 0; v < m->n_variables && are_open; v++)
        if (is_waiting(f, v) && used[v])
            idle_emit(f, v);
}
