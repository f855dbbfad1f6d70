/* expr/dag.c - see dag.h. */
#include "expr/dag.h"

#include <stdlib.h>

#include "expr/buffer.h"

#define DONE ((uint32_t)1 << 31)

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
    buffer_free(a, d->choice, d->choice_capacity, sizeof *d->choice);
    buffer_free(a, d->slot, d->slot_capacity, sizeof *d->slot);
    buffer_free(a, d->member, d->member_capacity, sizeof *d->member);
    buffer_free(a, d->stack, d->stack_capacity, sizeof *d->stack);
    buffer_free(a, d->number, d->number_capacity, sizeof *d->number);
    buffer_free(a, d->more, d->more_capacity, sizeof *d->more);
    *d = (dag){.g = d->g};
}

#define RESERVE(d, array, capacity, wanted)                                                        \
    buffer_grow((d)->g->allocator, (d)->array, &(d)->capacity, wanted, sizeof *(d)->array,         \
                &(d)->failed)

/* The same for arrays that are written before they are read. */
#define EXTEND(d, array, capacity, wanted)                                                         \
    buffer_extend((d)->g->allocator, (d)->array, &(d)->capacity, wanted, sizeof *(d)->array,       \
                  &(d)->failed)

/* ---- numbering -------------------------------------------------------------------- */

static void push(dag *d, expr item)
{
    d->stack = EXTEND(d, stack, stack_capacity, d->n_stack + 1);
    if (!d->failed)
        d->stack[d->n_stack++] = item;
}

static bool stops_at(const dag *d, expr e)
{
    return d->stop && d->stop[e];
}

static void append(dag *d, expr e)
{
    d->node = EXTEND(d, node, node_capacity, d->n + 1);
    if (d->failed)
        return;
    d->node[d->n++] = (dag_node){.e = e, .guard = DAG_NONE, .choice = DAG_NONE, .next = DAG_NONE};
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

static bool is_root(const dag *d, expr e)
{
    for (size_t k = 0; k < d->n_roots; k++)
        if (d->roots[k] == e)
            return true;
    return false;
}

static void list_operands(dag *d, uint32_t i)
{
    const expr *operands;
    expr e = d->node[i].e;
    uint32_t n = stops_at(d, e) && !is_root(d, e) ? 0 : expr_operands(d->g, e, &operands);
    d->node[i].first = (uint32_t)d->n_operands;
    d->operand = EXTEND(d, operand, operand_capacity, d->n_operands + n + 1);
    for (uint32_t k = 0; k < n && !d->failed; k++)
        d->operand[d->n_operands++] = d->number[operands[k]] - 1;
}

static void forget(dag *d)
{
    for (size_t i = 0; i < d->n; i++)
        d->number[d->node[i].e] = 0;
    d->n = d->n_operands = d->n_scopes = d->n_choices = d->n_more = 0;
}

bool dag_number(dag *d, const expr *roots, size_t n_roots)
{
    d->failed = false;
    forget(d);
    d->roots = roots;
    d->n_roots = n_roots;
    d->number = RESERVE(d, number, number_capacity, d->g->n);
    for (size_t k = 0; k < n_roots && !d->failed; k++)
        if (!d->number[roots[k]])
            number_from(d, roots[k]);
    for (uint32_t i = 0; i < d->n && !d->failed; i++)
        list_operands(d, i);
    return !d->failed;
}

bool dag_is_leaf(const dag *d, uint32_t i)
{
    return dag_n_operands(d, i) == 0 && dag_op(d, i) != EXPR_CALL;
}

/* ---- choices ------------------------------------------------------------------------ */

static size_t hash_choice(const dag_choice *c)
{
    uint64_t h = c->condition * UINT64_C(0x9e3779b97f4a7c15) + c->parent;
    h = (h ^ (h >> 31)) * UINT64_C(0xbf58476d1ce4e5b9) + (c->height * 4u + c->level);
    return (size_t)((h ^ (h >> 29)) * UINT64_C(0x94d049bb133111eb) >> 32);
}

static bool same_choice(const dag_choice *x, const dag_choice *y)
{
    return x->condition == y->condition && x->parent == y->parent && x->height == y->height &&
           x->level == y->level;
}

/* Where the choice stands in the table, or would stand. */
static uint32_t *choice_slot(const dag *d, const dag_choice *c)
{
    size_t k = hash_choice(c) & (d->n_slots - 1);
    while (d->slot[k] && !same_choice(&d->choice[d->slot[k] - 1], c))
        k = (k + 1) & (d->n_slots - 1);
    return &d->slot[k];
}

static bool count_ifs(dag *d)
{
    size_t n_ifs = 0;
    for (uint32_t i = 0; i < d->n; i++)
        n_ifs += dag_op(d, i) == EXPR_IF;
    d->n_slots = 4;
    while (d->n_slots < 2 * n_ifs + 2)
        d->n_slots += d->n_slots;
    d->slot = RESERVE(d, slot, slot_capacity, d->n_slots);
    d->choice = RESERVE(d, choice, choice_capacity, n_ifs + 1);
    d->scope = RESERVE(d, scope, scope_capacity, 2 * n_ifs + 1);
    if (d->failed)
        return false;
    memset(d->slot, 0, d->n_slots * sizeof *d->slot);
    d->scope[0] = (dag_scope){.choice = DAG_NONE};
    d->n_scopes = 1;
    return true;
}

/* Jumps double in length like the digits of a skew-binary number, so that any scope further
 * out is a logarithmic number of jumps and steps away.                            */
static void add_scope(dag *d, uint32_t parent, uint32_t choice)
{
    const dag_scope *p = &d->scope[parent], *q = &d->scope[p->jump];
    bool carry = p->depth - q->depth == q->depth - d->scope[q->jump].depth;
    d->scope[d->n_scopes++] = (dag_scope){.parent = parent,
                                          .depth = p->depth + 1,
                                          .choice = choice,
                                          .jump = carry ? q->jump : parent};
}

/* The scope around s (or s itself) at this depth. */
static uint32_t at_depth(const dag *d, uint32_t s, uint32_t depth)
{
    while (d->scope[s].depth > depth) {
        uint32_t jump = d->scope[s].jump;
        s = d->scope[jump].depth >= depth ? jump : d->scope[s].parent;
    }
    return s;
}

/* The innermost scope around both. */
static uint32_t common(const dag *d, uint32_t s, uint32_t t)
{
    s = at_depth(d, s, d->scope[t].depth);
    t = at_depth(d, t, d->scope[s].depth);
    while (s != t) {
        bool far = d->scope[s].jump != d->scope[t].jump;
        s = far ? d->scope[s].jump : d->scope[s].parent;
        t = far ? d->scope[t].jump : d->scope[t].parent;
    }
    return s;
}

/* The choice that an if with known guard and height belongs to. */
static uint32_t find_choice(dag *d, uint32_t i, uint32_t level)
{
    dag_choice c = {.condition = dag_operands(d, i)[0],
                    .parent = d->node[i].guard,
                    .height = d->node[i].height,
                    .level = level,
                    .first_if = DAG_NONE};
    uint32_t *slot = choice_slot(d, &c);
    if (!*slot) {
        c.scope = (uint32_t)d->n_scopes;
        add_scope(d, c.parent, (uint32_t)d->n_choices);
        add_scope(d, c.parent, (uint32_t)d->n_choices);
        d->choice[d->n_choices] = c;
        *slot = (uint32_t)++d->n_choices;
    }
    return *slot - 1;
}

/* ---- guards ------------------------------------------------------------------------- */

/* Whether scope s is the scope t or inside it. */
static bool is_inside(const dag *d, uint32_t s, uint32_t t)
{
    return at_depth(d, s, d->scope[t].depth) == t;
}

/* A call may not be evaluated where no branch needs it.  Ifs choose for themselves. */
static bool is_sticky(const dag *d, uint32_t i)
{
    return expr_has(d->g, d->node[i].e, EXPR_HAS_CALL) && dag_op(d, i) != EXPR_IF;
}

/* One more guard, unless it lies inside another; those inside it are dropped. */
static void add_guard(dag *d, uint32_t i, uint32_t scope)
{
    dag_node *n = &d->node[i];
    if (is_inside(d, n->guard, scope)) {
        n->guard = scope;
        n->more = scope == 0 ? 0 : n->more;
    }
    if (is_inside(d, scope, n->guard))
        return;
    for (uint32_t k = n->more; k; k = d->more[k - 1].more)
        if (is_inside(d, scope, d->more[k - 1].scope))
            return;
    d->more = EXTEND(d, more, more_capacity, d->n_more + 1);
    if (d->failed)
        return;
    d->more[d->n_more++] = (dag_guards){scope, n->more};
    n->more = (uint32_t)d->n_more;
}

static void use(dag *d, uint32_t i, uint32_t scope, uint32_t height)
{
    dag_node *n = &d->node[i];
    if (n->guard == DAG_NONE)
        n->guard = scope;
    else if (is_sticky(d, i))
        add_guard(d, i, scope);
    else
        n->guard = common(d, n->guard, scope);
    if (n->height < height)
        n->height = height;
}

static void guard_branches(dag *d, uint32_t i, uint32_t level)
{
    const uint32_t *operands = dag_operands(d, i);
    uint32_t height = d->node[i].height + 1;
    d->node[i].choice = find_choice(d, i, level);
    uint32_t scope = d->choice[d->node[i].choice].scope;
    use(d, operands[0], d->node[i].guard, height);
    use(d, operands[1], scope, height);
    use(d, operands[2], scope + 1, height);
}

static void guard_operands(dag *d, uint32_t i)
{
    const uint32_t *operands = dag_operands(d, i);
    uint32_t n = dag_n_operands(d, i), scope;
    for (uint32_t k = 0; n && dag_guard_of(d, i, &k, &scope);)
        for (uint32_t j = 0; j < n; j++)
            use(d, operands[j], scope, d->node[i].height);
}

bool dag_guard(dag *d, const uint8_t *level)
{
    if (!count_ifs(d))
        return false;
    for (size_t k = 0; k < d->n_roots; k++)
        use(d, dag_of(d, d->roots[k]), 0, 0);
    for (uint32_t i = (uint32_t)d->n; i-- > 0 && !d->failed;) {
        if (dag_op(d, i) == EXPR_IF && dag_n_operands(d, i) > 0)
            guard_branches(d, i, level ? level[i] : 0);
        else
            guard_operands(d, i);
    }
    return !d->failed;
}

static bool is_guarded_by(const dag *d, uint32_t i, uint32_t scope)
{
    uint32_t guard;
    for (uint32_t k = 0; dag_guard_of(d, i, &k, &guard);)
        if (guard == scope)
            return true;
    return false;
}

static bool has_own(const dag *d, uint32_t i, uint32_t scope)
{
    return !dag_is_leaf(d, i) && !d->scope[scope].merged && is_guarded_by(d, i, scope);
}

/* An if none of whose branches has anything of its own to evaluate. */
static bool is_select(const dag *d, uint32_t i)
{
    if (d->node[i].choice == DAG_NONE)
        return true;
    const uint32_t *operands = dag_operands(d, i);
    uint32_t scope = d->choice[d->node[i].choice].scope;
    return !has_own(d, operands[1], scope) && !has_own(d, operands[2], scope + 1);
}

/* ---- members ------------------------------------------------------------------------ */

/* The ifs of a choice are represented by the first. */
static bool is_member(const dag *d, uint32_t i)
{
    uint32_t choice = d->node[i].choice;
    return !dag_is_leaf(d, i) && (choice == DAG_NONE || d->choice[choice].first_if == DAG_NONE ||
                                  d->choice[choice].first_if == i);
}

static void count_members(dag *d, uint32_t i)
{
    uint32_t scope;
    for (uint32_t k = 0; dag_guard_of(d, i, &k, &scope);)
        d->scope[scope].last++;
}

static void store_members(dag *d, uint32_t i)
{
    uint32_t scope;
    for (uint32_t k = 0; dag_guard_of(d, i, &k, &scope);)
        d->member[d->scope[scope].last++] = i;
}

static bool collect_members(dag *d)
{
    d->member = EXTEND(d, member, member_capacity, d->n + d->n_more + 1);
    if (d->failed)
        return false;
    for (size_t s = 0; s < d->n_scopes; s++)
        d->scope[s].last = 0;
    for (uint32_t i = 0; i < d->n; i++)
        if (is_member(d, i))
            count_members(d, i);
    uint32_t at = 0;
    for (size_t s = 0; s < d->n_scopes; s++) {
        uint32_t count = d->scope[s].last;
        d->scope[s].first = d->scope[s].last = at;
        at += count;
    }
    for (uint32_t i = 0; i < d->n; i++)
        if (is_member(d, i))
            store_members(d, i);
    return true;
}

/* ---- flattening ------------------------------------------------------------------- */

enum { COSTLY = 1000, CHEAP = 8 }; /* operations in both branches: about one jump's worth */

static uint32_t cost_of(const dag *d, uint32_t i)
{
    expr_op op = dag_op(d, i);
    if (expr_has(d->g, d->node[i].e, EXPR_HAS_CALL))
        return COSTLY;
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
        return is_select(d, i) ? 1 : COSTLY;
    default:
        return op >= EXPR_LT && op <= EXPR_NOT ? 1 : COSTLY;
    }
}

static void leave_merged(const dag *d, uint32_t *scope)
{
    if (d->scope[*scope].merged)
        *scope = d->scope[*scope].parent;
}

/* Nodes and scopes inside merged scopes go to the nearest one outside that is not. */
static void rehouse(dag *d)
{
    for (size_t s = 1; s < d->n_scopes; s++) {
        dag_scope *scope = &d->scope[s];
        leave_merged(d, &scope->parent); /* settled before: it has a lower number */
        d->choice[scope->choice].parent = scope->parent;
    }
    for (size_t i = 0; i < d->n; i++)
        leave_merged(d, &d->node[i].guard);
    for (size_t k = 0; k < d->n_more; k++)
        leave_merged(d, &d->more[k].scope);
}

/* Scopes were numbered from the outside in, so a descending loop goes from the inside out:
 * an if becomes a selection before the scope it stands in is judged.              */
bool dag_flatten(dag *d)
{
    if (d->n_choices == 0)
        return true;
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

/* ---- the order inside scopes ---------------------------------------------------------- */

typedef struct rank {
    uint64_t key; /* higher nodes first, choices before others */
    uint32_t i;
} rank;

static int by_rank(const void *x, const void *y)
{
    const rank *a = x, *b = y;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->i > b->i) - (a->i < b->i);
}

/* What an if needs is higher than the if; what anything else needs is higher, or as high
 * and numbered before; so this order is safe for all ifs of a choice at once.     */
static bool sort_members(dag *d, const dag_scope *s)
{
    size_t n = s->last - s->first;
    uint32_t *member = d->member + s->first;
    if (n < 2)
        return true;
    rank *ranks = memory_take_array(d->g->allocator, n, sizeof *ranks);
    if (!ranks)
        return false;
    for (size_t k = 0; k < n; k++) {
        const dag_node *node = &d->node[member[k]];
        uint64_t key = (uint64_t)(UINT32_MAX - node->height) << 1 | (node->choice == DAG_NONE);
        ranks[k] = (rank){key, member[k]};
    }
    qsort(ranks, n, sizeof *ranks, by_rank);
    for (size_t k = 0; k < n; k++)
        member[k] = ranks[k].i;
    memory_give(d->g->allocator, ranks, n * sizeof *ranks);
    return true;
}

static void list_ifs(dag *d)
{
    for (uint32_t i = (uint32_t)d->n; i-- > 0;) {
        dag_node *n = &d->node[i];
        if (n->choice == DAG_NONE)
            continue;
        if (is_select(d, i)) {
            n->choice = DAG_NONE;
        } else {
            n->next = d->choice[n->choice].first_if;
            d->choice[n->choice].first_if = i;
        }
    }
}

bool dag_place(dag *d, bool top)
{
    list_ifs(d);
    if (!collect_members(d))
        return false;
    if (d->n_choices == 0)
        return true; /* the members stand in order of their numbers */
    for (size_t s = top ? 0 : 1; s < d->n_scopes; s++)
        if (!sort_members(d, &d->scope[s]))
            return false;
    return true;
}

/* ---- visiting --------------------------------------------------------------------- */

/* Where a walk stands: pairs of a scope and the position of its next member. */
typedef struct cursor {
    dag *d;
    const dag_visitor *v;
} cursor;

static bool open_scope(cursor *c, uint32_t scope)
{
    push(c->d, scope);
    push(c->d, c->d->scope[scope].first);
    return !c->d->failed;
}

static bool visit_choice(cursor *c, uint32_t choice)
{
    c->v->yes(c->v->user, choice);
    return open_scope(c, c->d->choice[choice].scope);
}

/* The first branch is done: on to the second; the second: the choice is complete. */
static bool close_scope(cursor *c, uint32_t outermost)
{
    uint32_t scope = c->d->stack[c->d->n_stack - 2], choice = c->d->scope[scope].choice;
    c->d->n_stack -= 2;
    if (scope == outermost)
        return true;
    if (scope == c->d->choice[choice].scope) {
        c->v->no(c->v->user, choice);
        return open_scope(c, scope + 1);
    }
    c->v->end(c->v->user, choice);
    return true;
}

static bool visit_member(cursor *c, uint32_t i)
{
    if (c->d->node[i].choice != DAG_NONE)
        return visit_choice(c, c->d->node[i].choice);
    c->v->node(c->v->user, i);
    return true;
}

static bool walk(cursor *c, uint32_t outermost)
{
    dag *d = c->d;
    while (d->n_stack) {
        uint32_t *position = &d->stack[d->n_stack - 1];
        uint32_t scope = d->stack[d->n_stack - 2];
        bool inside = *position < d->scope[scope].last;
        if (!(inside ? visit_member(c, d->member[(*position)++]) : close_scope(c, outermost)))
            return false;
    }
    return true;
}

bool dag_visit(dag *d, uint32_t scope, const dag_visitor *v)
{
    cursor c = {d, v};
    d->n_stack = 0;
    return open_scope(&c, scope) && walk(&c, scope);
}

bool dag_visit_choice(dag *d, uint32_t choice, const dag_visitor *v)
{
    cursor c = {d, v};
    d->n_stack = 0;
    return visit_choice(&c, choice) && walk(&c, DAG_NONE);
}
