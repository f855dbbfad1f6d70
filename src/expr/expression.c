/* expr/expression.c - see expression.h: storage, interning, queries.
 *
 * The table holds 32 bits of hash beside the id: most misses are settled without touching
 * a node, and the table grows without hashing nodes again.
 *
 * The rounds of a loop make nodes whose operands advance together.  Their hashes are neighbours:
 * the last bits are those of the operand that advances, the others come from what the nodes have in
 * common, so that a table of millions of nodes is searched in the order of memory.   */
#include "expr/expression.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "expr/buffer.h"
#include "expr/node_build.h"

#define N_NODES_MAX ((uint32_t)1 << 31) /* the top bit of an id is free for passes */
enum { SLOTS_MIN = 1 << 10 };

static const struct {
    uint8_t arity;
    const char *text;
} ops[EXPR_N_OPS] = {
#define X(name, arity, text) {arity, text},
    EXPR_OP_LIST(X)
#undef X
};

const char *expr_op_text(expr_op op)
{
    return ops[op].text;
}

/* ---- hashing ------------------------------------------------------------------ */

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

/* The hash of `common` and `moving` with the last bits of `moving` as they are. */
static uint32_t hash_near(uint64_t common, uint32_t moving, uint32_t bits)
{
    uint32_t low = ((uint32_t)1 << bits) - 1, rest = moving & ~low;
    return ((uint32_t)(mix(common, rest) >> 32) & ~low) | (moving & low);
}

static bool is_number(const expr_graph *g, expr e)
{
    return g->node[e].op == EXPR_CONST;
}

/* A node of one or two operands, by the one that is not a number and the distance of the other. */
static uint32_t hash_operation(const expr_graph *g, const expr_node *n)
{
    enum { NEIGHBOURS = 6 }; /* bits: loops make some ten nodes a round */
    uint64_t op = n->op | (uint64_t)n->c << 32;
    if (n->op == EXPR_OUTPUT || n->b == EXPR_NONE || is_number(g, n->b))
        return hash_near(mix(op, n->b), n->a, NEIGHBOURS);
    if (is_number(g, n->a))
        return hash_near(mix(~op, n->a), n->b, NEIGHBOURS);
    return hash_near(mix(op, (uint64_t)1 << 32 | (uint32_t)(n->b - n->a)), n->a, NEIGHBOURS);
}

static uint32_t hash_node(const expr_graph *g, const expr_node *n)
{
    enum { DENSE = 3 }; /* bits: variables leave no gaps, so that longer runs would collide */
    uint64_t op = n->op | (uint64_t)n->n << 16;
    if (n->op == EXPR_VAR)
        return hash_near(op, n->a, DENSE);
    if (n->op != EXPR_CONST && n->c == EXPR_NONE)
        return hash_operation(g, n);
    return (uint32_t)(mix(mix(op, n->a | (uint64_t)n->b << 32), n->c) >> 32);
}

static uint32_t hash_call(const expr_graph *g, const expr_node *n)
{
    uint64_t h = mix(n->op | (uint64_t)n->n << 16, n->b | (uint64_t)n->c << 32);
    for (uint32_t k = 0; k < n->b; k++)
        h = mix(h, g->pool[n->a + k]);
    return (uint32_t)(h >> 32);
}

/* A live constant is known by its formula: its value may change. */
static uint32_t tag_of(const expr_graph *g, const expr_node *n)
{
    expr_node known = *n;
    if (n->op == EXPR_CONST && n->c != 0)
        known.a = known.b = 0;
    return n->op == EXPR_CALL ? hash_call(g, n) : hash_node(g, &known);
}

/* ---- storage ------------------------------------------------------------------ */

static expr refuse(expr_graph *g)
{
    g->failed = true;
    return EXPR_NONE;
}

static void put_slot(expr_slot *slot, size_t n_slots, expr_slot s)
{
    size_t k = s.tag & (n_slots - 1);
    while (slot[k].id)
        k = (k + 1) & (n_slots - 1);
    slot[k] = s;
}

static bool set_slots(expr_graph *g, size_t n_slots)
{
    expr_slot *slot = memory_take_array(g->allocator, n_slots, sizeof *slot);
    if (!slot)
        return false;
    memset(slot, 0, n_slots * sizeof *slot); /* pages that are read first are faulted in twice */
    for (size_t i = 0; i < g->n_slots; i++)
        if (g->slot[i].id)
            put_slot(slot, n_slots, g->slot[i]);
    for (uint32_t id = 1; id < g->n && g->n_slots == 0; id++)
        put_slot(slot, n_slots, (expr_slot){id, tag_of(g, &g->node[id])});
    memory_give(g->allocator, g->slot, g->n_slots * sizeof *slot);
    g->slot = slot;
    g->n_slots = n_slots;
    return true;
}

bool expr_graph_create(expr_graph *g, const daedal_allocator *allocator, size_t expected)
{
    *g = (expr_graph){.allocator = allocator, .n = 1};
    size_t n_slots = SLOTS_MIN;
    while (n_slots < 2 * expected)
        n_slots += n_slots;
    g->node = buffer_reserve(allocator, NULL, &g->capacity, expected + 16, sizeof *g->node);
    if (!g->node || !set_slots(g, n_slots)) {
        expr_graph_free(g);
        g->failed = true;
        return false;
    }
    return true;
}

void expr_graph_free(expr_graph *g)
{
    buffer_free(g->allocator, g->node, g->capacity, sizeof *g->node);
    buffer_free(g->allocator, g->pool, g->pool_capacity, sizeof *g->pool);
    memory_give(g->allocator, g->slot, g->n_slots * sizeof *g->slot);
    buffer_free(g->allocator, g->live, g->live_capacity, sizeof *g->live);
    buffer_free(g->allocator, g->frozen, g->frozen_capacity, sizeof *g->frozen);
    *g = (expr_graph){.allocator = g->allocator, .n = 1};
}

/* ---- interning ---------------------------------------------------------------- */

/* A live constant is known by its formula: its value may change. */
static bool same_node(const expr_graph *g, const expr_node *x, const expr_node *y)
{
    if (x->op == EXPR_CONST && x->c != 0)
        return y->op == EXPR_CONST && y->c == x->c;
    if (x->op != y->op || x->n != y->n || x->b != y->b || x->c != y->c)
        return false;
    if (x->op != EXPR_CALL)
        return x->a == y->a;
    return memcmp(g->pool + x->a, g->pool + y->a, x->b * sizeof *g->pool) == 0;
}

/* Where the node stands in the table, or would stand. */
static size_t find_slot(const expr_graph *g, const expr_node *n, uint32_t tag)
{
    size_t k = tag & (g->n_slots - 1);
    while (g->slot[k].id) {
        if (g->slot[k].tag == tag && same_node(g, &g->node[g->slot[k].id], n))
            return k;
        k = (k + 1) & (g->n_slots - 1);
    }
    return k;
}

static expr append_node(expr_graph *g, const expr_node *n)
{
    if (g->n >= N_NODES_MAX)
        return refuse(g);
    expr_node *node = buffer_enlarge(g->allocator, g->node, &g->capacity, g->n + 1, sizeof *node);
    if (!node)
        return refuse(g);
    g->node = node;
    g->node[g->n] = *n;
    return g->n++;
}

void expr_graph_rest(expr_graph *g)
{
    memory_give(g->allocator, g->slot, g->n_slots * sizeof *g->slot);
    g->slot = NULL;
    g->n_slots = 0;
}

/* The table of a graph that had rested. */
static bool wake(expr_graph *g)
{
    size_t n_slots = SLOTS_MIN;
    while (n_slots < 2 * ((size_t)g->n + 1))
        n_slots += n_slots;
    return set_slots(g, n_slots);
}

static expr intern(expr_graph *g, const expr_node *n, uint32_t tag)
{
    if (g->n_slots == 0 && !wake(g))
        return refuse(g);
    size_t k = find_slot(g, n, tag);
    if (g->slot[k].id)
        return g->slot[k].id;
    if (2 * ((size_t)g->n + 1) > g->n_slots) { /* a place in the larger table */
        if (!set_slots(g, 2 * g->n_slots))
            return refuse(g);
        k = find_slot(g, n, tag);
    }
    expr id = append_node(g, n);
    if (id)
        g->slot[k] = (expr_slot){id, tag};
    return id;
}

static uint8_t flags_of(const expr_graph *g, expr_op op, expr a, expr b, expr c)
{
    /* node[0] is all zero, so absent operands add nothing */
    unsigned flags = g->node[a].flags | g->node[b].flags | g->node[c].flags;
    if (op == EXPR_IF || op == EXPR_MIN || op == EXPR_MAX)
        flags |= EXPR_HAS_IF;
    return (uint8_t)(flags & ~(unsigned)EXPR_IS_FROZEN);
}

expr node_intern(expr_graph *g, expr_op op, expr a, expr b, expr c)
{
    expr_node n = {(uint8_t)op, flags_of(g, op, a, b, c), 0, a, b, c};
    return intern(g, &n, hash_node(g, &n));
}

static void set_bits(expr_node *n, double value)
{
    uint64_t bits = 0; /* of 0.0, also for -0.0 */
    if (isnan(value))
        value = (double)NAN; /* one of them */
    if (value != 0.0)
        memcpy(&bits, &value, sizeof bits);
    n->a = (uint32_t)bits;
    n->b = (uint32_t)(bits >> 32);
}

expr expr_constant(expr_graph *g, double value)
{
    expr_node n = {.op = EXPR_CONST};
    set_bits(&n, value);
    return intern(g, &n, hash_node(g, &n));
}

expr expr_variable(expr_graph *g, uint32_t index)
{
    expr_node n = {EXPR_VAR, EXPR_HAS_VARIABLE, 0, index, 0, 0};
    return intern(g, &n, hash_node(g, &n));
}

/* ---- calls -------------------------------------------------------------------- */

/* Put the arguments behind the pool, without taking them over yet. */
static bool stage(expr_graph *g, const expr *args, uint32_t n_args)
{
    if (g->n_pool + n_args > UINT32_MAX)
        return false;
    uint32_t *pool = buffer_reserve(g->allocator, g->pool, &g->pool_capacity,
                                    g->n_pool + n_args + 1, sizeof *pool);
    if (!pool)
        return false;
    g->pool = pool;
    if (n_args)
        memcpy(g->pool + g->n_pool, args, n_args * sizeof *args);
    return true;
}

expr expr_call(expr_graph *g, expr_function f, const expr *args, uint32_t n_args)
{
    assert(f.output < f.n_outputs);
    unsigned flags = EXPR_HAS_CALL;
    for (uint32_t k = 0; k < n_args; k++) {
        if (!args[k])
            return EXPR_NONE;
        flags |= g->node[args[k]].flags;
    }
    if (!stage(g, args, n_args))
        return refuse(g);
    flags &= ~(unsigned)EXPR_IS_FROZEN;
    expr_node n = {EXPR_CALL, (uint8_t)flags, f.n_outputs, (uint32_t)g->n_pool, n_args, f.id};
    expr call = intern(g, &n, hash_call(g, &n));
    if (call && g->node[call].a == g->n_pool)
        g->n_pool += n_args;
    if (!call || f.output == 0)
        return call;
    expr_node out = {EXPR_OUTPUT, (uint8_t)flags, 0, call, f.output, 0};
    return intern(g, &out, hash_node(g, &out));
}

expr_function expr_function_of(const expr_graph *g, expr e)
{
    const expr_node *n = &g->node[e];
    uint16_t output = 0;
    if (n->op == EXPR_OUTPUT) {
        output = (uint16_t)n->b;
        n = &g->node[n->a];
    }
    assert(n->op == EXPR_CALL);
    return (expr_function){n->c, n->n, output};
}

/* ---- live constants ----------------------------------------------------------- */

void node_freeze(expr_graph *g, expr formula, double value)
{
    if (g->node[formula].flags & EXPR_IS_FROZEN)
        return;
    expr_frozen *frozen = buffer_reserve(g->allocator, g->frozen, &g->frozen_capacity,
                                         g->n_frozen + 1, sizeof *frozen);
    if (!frozen) {
        g->failed = true;
        return;
    }
    g->frozen = frozen;
    g->frozen[g->n_frozen++] = (expr_frozen){formula, value};
    g->node[formula].flags |= EXPR_IS_FROZEN;
}

expr expr_live_constant(expr_graph *g, double value, expr formula)
{
    if (!formula)
        return EXPR_NONE;
    if (!isnormal(value)) {
        node_freeze(g, formula, value);
        return expr_constant(g, value);
    }
    expr *live =
        buffer_reserve(g->allocator, g->live, &g->live_capacity, g->n_live + 1, sizeof *live);
    if (!live)
        return refuse(g);
    g->live = live;
    expr_node n = {.op = EXPR_CONST, .flags = EXPR_HAS_LIVE, .c = formula};
    uint32_t tag = hash_node(g, &n), before = g->n;
    set_bits(&n, value);
    expr e = intern(g, &n, tag);
    if (g->n > before)
        g->live[g->n_live++] = e;
    return e;
}

expr expr_settled(expr_graph *g, expr e)
{
    return expr_is_live(g, e) ? expr_constant(g, expr_value(g, e)) : e;
}

void node_set_value(expr_graph *g, expr e, double value)
{
    assert(expr_is_live(g, e));
    set_bits(&g->node[e], value);
}

/* ---- queries ------------------------------------------------------------------ */

double expr_value_now(const expr_graph *g, expr e)
{
    assert(expr_is_constant(g, e));
    uint64_t bits = g->node[e].a | (uint64_t)g->node[e].b << 32;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double expr_value(expr_graph *g, expr e)
{
    double value = expr_value_now(g, e);
    if (expr_is_live(g, e))
        node_freeze(g, expr_live_formula(g, e), value);
    return value;
}

bool expr_is_value(expr_graph *g, expr e, double value)
{
    return expr_is_constant(g, e) && expr_value_now(g, e) == value && expr_value(g, e) == value;
}

uint32_t expr_operands(const expr_graph *g, expr e, const expr **operands)
{
    const expr_node *n = &g->node[e];
    if (n->op == EXPR_CALL) {
        *operands = n->b ? g->pool + n->a : NULL;
        return n->b;
    }
    *operands = &n->a;
    return ops[n->op].arity;
}

static expr remake_call(expr_graph *g, const expr_graph *from, expr like, const expr *operands)
{
    const expr_node *n = &from->node[like];
    if (n->op == EXPR_CALL)
        return expr_call(g, expr_function_of(from, like), operands, n->b);
    if (!operands[0])
        return EXPR_NONE;
    /* the image of a call is a call: calls are never simplified */
    uint8_t flags = flags_of(g, EXPR_OUTPUT, operands[0], 0, 0);
    expr_node out = {EXPR_OUTPUT, flags, 0, operands[0], n->b, 0};
    return intern(g, &out, hash_node(g, &out));
}

/* In another graph only the present value is known: a live constant becomes an ordinary one. */
static expr remake_constant(expr_graph *g, const expr_graph *from, expr like)
{
    return g == from ? like : expr_constant(g, expr_value_now(from, like));
}

expr expr_remake(expr_graph *g, const expr_graph *from, expr like, const expr *operands)
{
    const expr_node *n = &from->node[like];
    switch (ops[n->op].arity) {
    case 0:
        if (n->op == EXPR_CALL)
            return remake_call(g, from, like, operands);
        return n->op == EXPR_VAR ? expr_variable(g, n->a) : remake_constant(g, from, like);
    case 1:
        if (n->op == EXPR_OUTPUT)
            return remake_call(g, from, like, operands);
        return expr_make1(g, (expr_op)n->op, operands[0]);
    case 2:
        return expr_make2(g, (expr_op)n->op, operands[0], operands[1]);
    default:
        return expr_if(g, operands[0], operands[1], operands[2]);
    }
}
