/* expr/dag.c - see dag.h. */
#include "expr/dag.h"

#include "expr/buffer.h"

#define DONE ((uint32_t)1 << 31)
#define UNSET UINT32_MAX

void dag_create(dag *d, const expr_graph *g)
{
    *d = (dag){.g = g};
}

void dag_free(dag *d)
{
    const daedal_allocator *a = d->g ? d->g->allocator : NULL;
    buffer_free(a, d->node, d->node_capacity, sizeof *d->node);
    buffer_free(a, d->operand, d->operand_capacity, sizeof *d->operand);
    buffer_free(a, d->scope, d->scope_capacity, sizeof *d->scope);
    buffer_free(a, d->member, d->member_capacity, sizeof *d->member);
    buffer_free(a, d->stack, d->stack_capacity, sizeof *d->stack);
    buffer_free(a, d->number, d->number_capacity, sizeof *d->number);
    *d = (dag){.g = d->g};
}

#define RESERVE(d, array, capacity, wanted)                                                        \
    reserve(d, (d)->array, &(d)->capacity, wanted, sizeof *(d)->array)

static void *reserve(dag *d, void *p, size_t *capacity, size_t wanted, size_t size)
{
    void *q = buffer_reserve(d->g->allocator, p, capacity, wanted, size);
    if (!q)
        d->failed = true;
    return q ? q : p;
}

static void push(dag *d, expr item)
{
    d->stack = RESERVE(d, stack, stack_capacity, d->n_stack + 1);
    if (!d->failed)
        d->stack[d->n_stack++] = item;
}

/* ---- numbering -------------------------------------------------------------------- */

static bool stops_at(const dag *d, expr e)
{
    return d->stop && d->stop[e];
}

static void append(dag *d, expr e)
{
    d->node = RESERVE(d, node, node_capacity, d->n + 1);
    if (d->failed)
        return;
    d->node[d->n++] = (dag_node){.e = e, .guard = UNSET};
    d->number[e] = (uint32_t)d->n;
}

static void enter(dag *d, expr e, bool is_root)
{
    const expr *operands;
    uint32_t n = expr_operands(d->g, e, &operands);
    if (n == 0 || (stops_at(d, e) && !is_root)) {
        append(d, e);
        return;
    }
    push(d, e | DONE);
    for (uint32_t k = n; k-- > 0;)
        if (!d->number[operands[k]])
            push(d, operands[k]);
}

static void number_from(dag *d, expr root)
{
    d->n_stack = 0;
    push(d, root);
    for (bool is_root = true; d->n_stack && !d->failed; is_root = false) {
        expr item = d->stack[--d->n_stack], e = item & ~DONE;
        if (d->number[e])
            continue;
        if (item & DONE)
            append(d, e);
        else
            enter(d, e, is_root);
    }
}

static void list_operands(dag *d, uint32_t i, bool is_root)
{
    const expr *operands;
    expr e = d->node[i].e;
    uint32_t n = stops_at(d, e) && !is_root ? 0 : expr_operands(d->g, e, &operands);
    d->node[i].first = (uint32_t)d->n_operands;
    d->operand = RESERVE(d, operand, operand_capacity, d->n_operands + n + 1);
    for (uint32_t k = 0; k < n && !d->failed; k++)
        d->operand[d->n_operands++] = d->number[operands[k]] - 1;
}

/* ---- scopes ----------------------------------------------------------------------- */

static uint32_t add_scope(dag *d, uint32_t parent, uint32_t owner)
{
    d->scope = RESERVE(d, scope, scope_capacity, d->n_scopes + 1);
    if (d->failed)
        return 0;
    uint32_t depth = owner == UNSET ? 0 : d->scope[parent].depth + 1;
    d->scope[d->n_scopes] = (dag_scope){.parent = parent, .depth = depth, .owner = owner};
    return (uint32_t)d->n_scopes++;
}

/* The innermost scope around both. */
static uint32_t common(const dag *d, uint32_t s, uint32_t t)
{
    while (s != t) {
        if (d->scope[s].depth >= d->scope[t].depth)
            s = d->scope[s].parent;
        else
            t = d->scope[t].parent;
    }
    return s;
}

static void use(dag *d, uint32_t i, uint32_t scope)
{
    uint32_t *guard = &d->node[i].guard;
    *guard = *guard == UNSET ? scope : common(d, *guard, scope);
}

static void guard_operands(dag *d, uint32_t i)
{
    const uint32_t *operands = dag_operands(d, i);
    uint32_t n = dag_n_operands(d, i), guard = d->node[i].guard;
    if (dag_op(d, i) != EXPR_IF || n == 0) {
        for (uint32_t k = 0; k < n; k++)
            use(d, operands[k], guard);
        return;
    }
    d->node[i].scope = add_scope(d, guard, i);
    add_scope(d, guard, i);
    if (d->failed)
        return;
    use(d, operands[0], guard);
    use(d, operands[1], d->node[i].scope);
    use(d, operands[2], d->node[i].scope + 1);
}

static void forget(dag *d)
{
    for (size_t i = 0; i < d->n; i++)
        d->number[d->node[i].e] = 0;
    d->n = d->n_operands = d->n_scopes = 0;
}

static bool is_among(const expr *roots, size_t n_roots, expr e)
{
    for (size_t k = 0; k < n_roots; k++)
        if (roots[k] == e)
            return true;
    return false;
}

bool dag_build(dag *d, const expr *roots, size_t n_roots)
{
    d->failed = false;
    forget(d);
    d->number = RESERVE(d, number, number_capacity, d->g->n);
    for (size_t k = 0; k < n_roots && !d->failed; k++)
        number_from(d, roots[k]);
    for (uint32_t i = 0; i < d->n && !d->failed; i++)
        list_operands(d, i, d->stop && is_among(roots, n_roots, d->node[i].e));
    add_scope(d, 0, UNSET);
    for (size_t k = 0; k < n_roots && !d->failed; k++)
        use(d, dag_number(d, roots[k]), 0);
    for (uint32_t i = (uint32_t)d->n; i-- > 0 && !d->failed;)
        guard_operands(d, i);
    return !d->failed;
}

bool dag_is_leaf(const dag *d, uint32_t i)
{
    return dag_n_operands(d, i) == 0 && dag_op(d, i) != EXPR_CALL;
}

static bool has_own(const dag *d, uint32_t i, uint32_t scope)
{
    return d->node[i].guard == scope && !d->scope[scope].merged && !dag_is_leaf(d, i);
}

bool dag_is_select(const dag *d, uint32_t i)
{
    const uint32_t *operands = dag_operands(d, i);
    uint32_t scope = d->node[i].scope;
    return scope && !has_own(d, operands[1], scope) && !has_own(d, operands[2], scope + 1);
}

/* ---- flattening ------------------------------------------------------------------- */

enum { COSTLY = 1000, CHEAP = 8 }; /* operations in both branches: about one jump's worth */

static uint32_t cost_of(const dag *d, uint32_t i)
{
    expr_op op = dag_op(d, i);
    switch (op) {
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_NEG:
    case EXPR_ABS:
    case EXPR_SIGN:
    case EXPR_MIN:
    case EXPR_MAX:
        return 1;
    case EXPR_IF:
        return dag_is_select(d, i) ? 1 : COSTLY;
    default:
        return op >= EXPR_LT && op <= EXPR_NOT ? 1 : COSTLY;
    }
}

static bool collect_members(dag *d)
{
    d->member = RESERVE(d, member, member_capacity, d->n + 1);
    if (d->failed)
        return false;
    for (size_t s = 0; s < d->n_scopes; s++)
        d->scope[s].last = 0;
    for (uint32_t i = 0; i < d->n; i++)
        if (!dag_is_leaf(d, i))
            d->scope[d->node[i].guard].last++;
    uint32_t at = 0;
    for (size_t s = 0; s < d->n_scopes; s++) {
        uint32_t count = d->scope[s].last;
        d->scope[s].first = d->scope[s].last = at;
        at += count;
    }
    for (uint32_t i = 0; i < d->n; i++)
        if (!dag_is_leaf(d, i))
            d->member[d->scope[d->node[i].guard].last++] = i;
    return true;
}

/* Nodes and scopes inside merged scopes go to the nearest one outside that is not. */
static void rehouse(dag *d)
{
    for (size_t s = 1; s < d->n_scopes; s++) {
        dag_scope *scope = &d->scope[s];
        const dag_scope *parent = &d->scope[scope->parent];
        if (parent->merged)
            scope->parent = parent->parent; /* settled before: it has a lower number */
    }
    for (size_t i = 0; i < d->n; i++) {
        const dag_scope *guard = &d->scope[d->node[i].guard];
        if (guard->merged)
            d->node[i].guard = guard->parent;
    }
}

/* Scopes were numbered from the outside in, so a descending loop goes from the inside out:
 * an if becomes a select before the scope it stands in is judged.                 */
bool dag_flatten(dag *d)
{
    if (!collect_members(d))
        return false;
    for (size_t n = d->n_scopes; n > 1; n -= 2) {
        dag_scope *yes = &d->scope[n - 2], *no = &d->scope[n - 1];
        uint32_t cost = yes->cost + no->cost; /* of scopes merged into them */
        for (uint32_t k = yes->first; k < no->last && cost <= CHEAP; k++)
            cost += cost_of(d, d->member[k]);
        yes->merged = no->merged = cost <= CHEAP;
        if (yes->merged)
            d->scope[yes->parent].cost += cost;
    }
    rehouse(d);
    return true;
}

bool dag_place(dag *d)
{
    return collect_members(d);
}

/* ---- visiting --------------------------------------------------------------------- */

/* Where a walk stands: the scope on top of the stack and the next member of it. */
typedef struct cursor {
    dag *d;
    const dag_visitor *v;
    size_t height; /* of d->stack, pairs of scope and position */
} cursor;

static bool open_scope(cursor *c, uint32_t scope)
{
    c->d->stack = RESERVE(c->d, stack, stack_capacity, c->height + 2);
    if (c->d->failed)
        return false;
    c->d->stack[c->height++] = scope;
    c->d->stack[c->height++] = c->d->scope[scope].first;
    return true;
}

/* The first branch is done: on to the second; the second: the if is complete. */
static bool close_scope(cursor *c, size_t base)
{
    uint32_t scope = c->d->stack[c->height - 2], owner = c->d->scope[scope].owner;
    c->height -= 2;
    if (c->height < base || owner == UNSET)
        return true;
    if (scope == c->d->node[owner].scope) {
        c->v->no(c->v->user, owner);
        return open_scope(c, scope + 1);
    }
    c->v->end(c->v->user, owner);
    return true;
}

static bool visit_member(cursor *c, uint32_t i)
{
    if (dag_op(c->d, i) != EXPR_IF || dag_is_select(c->d, i)) {
        c->v->node(c->v->user, i);
        return true;
    }
    c->v->yes(c->v->user, i);
    return open_scope(c, c->d->node[i].scope);
}

static bool run(cursor *c, size_t base)
{
    while (c->height) {
        uint32_t *position = &c->d->stack[c->height - 1];
        uint32_t scope = c->d->stack[c->height - 2];
        if (*position < c->d->scope[scope].last) {
            if (!visit_member(c, c->d->member[(*position)++]))
                return false;
        } else if (!close_scope(c, base)) {
            return false;
        }
    }
    return true;
}

bool dag_visit(dag *d, uint32_t scope, const dag_visitor *v)
{
    cursor c = {d, v, 0};
    return open_scope(&c, scope) && run(&c, 2);
}

bool dag_visit_if(dag *d, uint32_t i, const dag_visitor *v)
{
    cursor c = {d, v, 0};
    return visit_member(&c, i) && run(&c, 0);
}
