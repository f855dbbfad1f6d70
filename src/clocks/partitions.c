/* clocks/partitions.c - see clocks.h and partitions.h: which variables are clocked together.
 *
 * Variables that occur in one equation belong to one partition; the arguments of sample(), hold()
 * and the operators that change the rate are the places where partitions meet. */
#include "clocks/partitions.h"

expr clocks_add(context *in, clock_operator op, flat_type kind)
{
    clock_list *l = in->clocks;
    op.result = in->interpreter->add_hidden_variable(in, "clock", kind, op.at);
    clock_operator *grown = context_push(in, l->item, l->n, &l->capacity, sizeof *grown);
    if (op.result == FLAT_NONE || !grown)
        return EXPR_NONE;
    l->item = grown;
    l->item[l->n++] = op;
    return expr_variable(in->g, flat_symbol(FLAT_VALUE, op.result));
}

void clocks_add_member(context *in, clock_member m)
{
    clock_list *l = in->clocks;
    clock_member *grown =
        context_push(in, l->member, l->n_members, &l->member_capacity, sizeof *grown);
    if (!grown)
        return;
    l->member = grown;
    l->member[l->n_members++] = m;
}

bool clocks_own(const context *in, uint32_t variable)
{
    const clock_list *l = in->clocks;
    return l->is_clocked && variable < l->n_variables && l->is_clocked[variable];
}

/* ---- the forest ---- */

uint32_t partitions_root(partitions *p, uint32_t v)
{
    while (p->parent[v] != v) {
        p->parent[v] = p->parent[p->parent[v]];
        v = p->parent[v];
    }
    return v;
}

clock_partition *partitions_of(partitions *p, uint32_t variable)
{
    return &p->partition[partitions_root(p, variable)];
}

static uint32_t join(partitions *p, uint32_t a, uint32_t b)
{
    if (a == FLAT_NONE || b == FLAT_NONE)
        return a == FLAT_NONE ? b : a;
    a = partitions_root(p, a);
    b = partitions_root(p, b);
    uint32_t low = a < b ? a : b; /* declared variables come before hidden ones */
    p->parent[a] = p->parent[b] = low;
    return low;
}

/* ---- what an expression reads ---- */

static bool varies(const partitions *p, uint32_t v)
{
    return p->in->m->variables[v].variability > FLAT_PARAMETER;
}

static void remember(partitions *p, uint32_t symbol, bool *is_seen)
{
    if (is_seen[flat_number(symbol)])
        return;
    uint32_t *grown = context_push(p->in, p->seen, p->n_seen, &p->seen_capacity, sizeof *grown);
    if (!grown)
        return;
    p->seen = grown;
    p->seen[p->n_seen++] = symbol;
    is_seen[flat_number(symbol)] = true;
}

static uint32_t join_symbol(partitions *p, uint32_t symbol, uint32_t with)
{
    switch (flat_kind(symbol)) {
    case FLAT_VALUE:
    case FLAT_DER:
    case FLAT_PRE:
        return varies(p, flat_number(symbol)) ? join(p, flat_number(symbol), with) : with;
    case FLAT_RELATION:
        remember(p, symbol, p->is_seen[0]);
        return with;
    case FLAT_ROUNDING:
        remember(p, symbol, p->is_seen[1]);
        return with;
    case FLAT_DELAY:
        remember(p, symbol, p->is_seen[2]);
        return with;
    default:
        return with;
    }
}

static uint32_t join_reads(partitions *p, expr e, uint32_t with)
{
    expr_walker_forget(&p->walker);
    if (e == EXPR_NONE || !expr_depends(&p->walker, e, EXPR_ALL))
        return with;
    for (size_t q = 0; q < p->walker.n_found; q++)
        with = join_symbol(p, expr_index(p->in->g, p->walker.found[q]), with);
    return with;
}

/* Everything that the expression reads becomes one partition with `with`: one of its variables. */
static uint32_t join_all(partitions *p, expr e, uint32_t with)
{
    const flat_model *m = p->in->m;
    with = join_reads(p, e, with);
    size_t first = 0;
    for (size_t k = first; k < p->n_seen; k++) {
        uint32_t number = flat_number(p->seen[k]);
        switch (flat_kind(p->seen[k])) {
        case FLAT_RELATION:
            with = join_reads(p, m->relations[number].left, with);
            with = join_reads(p, m->relations[number].right, with);
            break;
        case FLAT_ROUNDING:
            with = join_reads(p, m->roundings[number].of, with);
            break;
        default:
            with = join_reads(p, m->delays[number].of, with);
        }
    }
    for (size_t k = 0; k < p->n_seen; k++) {
        flat_symbol_kind kind = flat_kind(p->seen[k]);
        p->is_seen[kind == FLAT_RELATION   ? 0
                   : kind == FLAT_ROUNDING ? 1
                                           : 2][flat_number(p->seen[k])] = false;
    }
    p->n_seen = 0;
    return with;
}

/* ---- the partitions ---- */

static void join_operator(partitions *p, size_t k)
{
    const clock_operator *op = &p->list->item[k];
    bool same = op->kind == CLOCK_PREVIOUS || op->kind == CLOCK_INTERVAL || op->kind == CLOCK_FIRST;
    p->operand[k] = join_all(p, op->operand, same ? op->result : FLAT_NONE);
    join(p, op->result, op->clock);
}

static void join_equations(partitions *p)
{
    const flat_model *m = p->in->m;
    for (size_t k = 0; k < p->n_equations; k++) {
        uint32_t v = join_all(p, p->equation[k].left, FLAT_NONE);
        p->of_equation[k] = join_all(p, p->equation[k].right, v);
    }
    for (size_t k = 0; k < m->n_assignments; k++)
        join_all(p, m->assignments[k].value, m->assignments[k].variable);
    for (size_t k = 0; k < p->list->n_members; k++) {
        const clock_member *e = &p->list->member[k];
        join_all(p, e->right, join_all(p, e->left, e->clock));
    }
}

const char *partitions_name(partitions *p, uint32_t root)
{
    for (uint32_t v = 0; v < p->n; v++)
        if (!p->in->m->variables[v].hidden && partitions_root(p, v) == root)
            return context_name(p->in, p->in->m->variables[v].name);
    return NULL;
}

static void mark(partitions *p, uint32_t variable, size_t op, bool continuous)
{
    if (variable == FLAT_NONE)
        return;
    clock_partition *part = partitions_of(p, variable);
    if (continuous && !part->is_continuous) {
        part->is_continuous = true;
        part->why_continuous = op;
    } else if (!continuous && !part->is_clocked) {
        part->is_clocked = true;
        part->why_clocked = op;
    }
}

static void mark_operator(partitions *p, size_t k)
{
    const clock_operator *op = &p->list->item[k];
    mark(p, p->operand[k], k, op->kind == CLOCK_SAMPLE || op->kind == CLOCK_EVENT);
    mark(p, op->result, k, op->kind == CLOCK_HOLD);
}

static unsigned line_of(const partitions *p, size_t op)
{
    return (unsigned)sources_place(&p->in->c->sources, p->list->item[op].at).line;
}

static bool check_kinds(partitions *p)
{
    for (uint32_t v = 0; v < p->n; v++) {
        const clock_partition *part = &p->partition[v];
        if (!part->is_clocked || !part->is_continuous)
            continue;
        const char *name = partitions_name(p, v);
        context_error(p->in, p->list->item[part->why_clocked].at,
                      "'%s' would be clocked here, and continuous by line %u: write sample() where "
                      "a clocked equation reads a continuous variable, hold() where a continuous "
                      "one reads a clocked variable",
                      name ? name : "an expression", line_of(p, part->why_continuous));
        return false;
    }
    return true;
}

bool partitions_find(partitions *p)
{
    for (uint32_t v = 0; v < p->n; v++) {
        p->parent[v] = v;
        p->partition[v] =
            (clock_partition){.ticked = FLAT_NONE, .first = FLAT_NONE, .time = FLAT_NONE};
    }
    for (size_t k = 0; k < p->list->n; k++)
        join_operator(p, k);
    join_equations(p);
    for (size_t k = 0; k < p->list->n; k++)
        mark_operator(p, k);
    return !p->walker.failed && check_kinds(p);
}

/* ---- the outline ---- */

static bool create(partitions *p)
{
    const flat_model *m = p->in->m;
    arena *mem = &p->in->c->mem;
    p->parent = arena_take(mem, p->n + 1, sizeof *p->parent);
    p->partition = arena_take(mem, p->n + 1, sizeof *p->partition);
    p->operand = arena_take(mem, p->list->n + 1, sizeof *p->operand);
    p->of_equation = arena_take(mem, p->n_equations + 1, sizeof *p->of_equation);
    p->is_seen[0] = arena_take(mem, m->n_relations + 1, sizeof(bool));
    p->is_seen[1] = arena_take(mem, m->n_roundings + 1, sizeof(bool));
    p->is_seen[2] = arena_take(mem, m->n_delays + 1, sizeof(bool));
    p->list->is_clocked = arena_take(mem, p->n + 1, sizeof(bool));
    p->list->n_variables = p->n;
    expr_walker_create(&p->walker, p->in->g);
    expr_substituter_create(&p->substituter, p->in->g);
    return !mem->failed;
}

void clocks_finish(context *in, const clock_hooks *hooks, clock_equation *equation, size_t n)
{
    partitions p = {.in = in,
                    .list = in->clocks,
                    .hooks = hooks,
                    .n = in->m->n_variables,
                    .equation = equation,
                    .n_equations = n};
    if (p.list->n == 0 && p.list->n_members == 0)
        return;
    if (create(&p) && partitions_find(&p) && grids_infer(&p)) {
        for (uint32_t v = 0; v < p.n; v++)
            p.list->is_clocked[v] = partitions_of(&p, v)->is_clocked;
        ticks_assign_operators(&p);
        clocked_equations_solve(&p);
    }
    expr_walker_free(&p.walker);
    expr_substituter_free(&p.substituter);
}
