/* expr/tape_build.c - see tape.h: from expressions to a tape.
 *
 * List scheduling.  Nodes that are always needed wait until their operands have been
 * placed, then queue by operation; the longest queue is emptied, together with what becomes
 * ready for it meanwhile, into one run; until no queue is left.  A choice (ifs with one
 * condition and branches of their own) waits for everything it needs from outside and is
 * placed as one unit; its first if stands for it.
 *
 * What is ready together for a sum or product may stand in any order: it is sorted so that
 * sources advance with destinations where the equations are regular (arrays, grids), and
 * stretches of that kind become even runs, which need no indices and use vector registers. */
#include <assert.h>
#include <stdlib.h>

#include "expr/buffer.h"
#include "expr/dag.h"
#include "expr/tape_code.h"

#define NO_SLOT UINT32_MAX

enum { KINDS = TAPE_CALLS + 1 }; /* operations, units, calls */

typedef struct queue {
    uint32_t head, tail, n;
} queue;

/* An operation about to be placed: its node, sources, and order. */
typedef struct item {
    int64_t group; /* how far the second source is from the first, or the constant one */
    uint32_t i, source[2];
} item;

typedef struct builder {
    tape *t;
    dag d;
    const tape_setup *setup;
    uint32_t *slot;       /* by node                                              */
    uint32_t *unit;       /* by scope: the choice at top level that contains it   */
    uint32_t *pending;    /* by top node: operands not placed yet                 */
    uint32_t *first_user; /* n + 1: where the users of a top node stand in user   */
    uint32_t *user;
    size_t n_users;
    uint32_t *next;  /* in its queue                                              */
    uint8_t *level;  /* by node                                                   */
    uint32_t *jumps; /* open TAPE_ELSE and TAPE_SKIP words                        */
    size_t n_jumps, jump_capacity;
    queue ready[TAPE_LEVELS][KINDS];
    item *batch; /* room for n of them */
    size_t open; /* where the code of an ordinary run begins that can be continued, or 0 */
    bool apart;  /* what is put now is ready, and much: it gets runs of its own */
    block mem;
    bool failed;
} builder;

/* ---- words ------------------------------------------------------------------------ */

static void put(builder *b, uint32_t word)
{
    tape *t = b->t;
    uint32_t *code =
        buffer_enlarge(t->allocator, t->code, &t->code_capacity, t->n_code + 1, sizeof *code);
    if (!code) {
        b->failed = true;
        return;
    }
    t->code = code;
    t->code[t->n_code++] = word;
}

static uint32_t take_slots(builder *b, size_t n)
{
    size_t at = b->t->n_slots;
    b->t->n_slots += n;
    if (b->t->n_slots >= NO_SLOT)
        b->failed = true;
    return (uint32_t)at;
}

/* ---- slots of leaves ---------------------------------------------------------------- */

static uint32_t add_constant(builder *b, double value)
{
    tape *t = b->t;
    size_t n = t->size.n_constants;
    double *c = buffer_enlarge(t->allocator, t->constant, &t->constant_capacity, n + 1, sizeof *c);
    if (!c) {
        b->failed = true;
        return 0;
    }
    t->constant = c;
    t->constant[t->size.n_constants++] = value;
    return take_slots(b, 1);
}

/* Remembers that the last constant follows e. */
static void follow(builder *b, expr e)
{
    tape *t = b->t;
    tape_live *live =
        buffer_enlarge(t->allocator, t->live, &t->live_capacity, t->n_live + 1, sizeof *live);
    if (!live) {
        b->failed = true;
        return;
    }
    t->live = live;
    t->live[t->n_live++] = (tape_live){(uint32_t)t->size.n_constants - 1, e};
}

static void place_leaf(builder *b, uint32_t i)
{
    const tape_inputs *in = &b->setup->inputs;
    const expr_graph *g = b->d.g;
    expr e = b->d.node[i].e;
    if (expr_is_constant(g, e)) {
        b->slot[i] = add_constant(b, expr_value_now(g, e));
        if (expr_is_live(g, e) && !b->failed)
            follow(b, e);
        return;
    }
    uint32_t variable = expr_index(g, e);
    b->slot[i] = in->place ? in->place(in->user, variable) : variable;
    uint32_t level = in->level ? in->level(in->user, variable) : 0;
    assert(b->slot[i] < in->n && level < TAPE_LEVELS);
    b->level[i] = (uint8_t)level;
}

static void set_level(builder *b, uint32_t i)
{
    const uint32_t *operands = dag_operands(&b->d, i);
    uint32_t n = dag_n_operands(&b->d, i);
    for (uint32_t k = 0; k < n; k++)
        if (b->level[operands[k]] > b->level[i])
            b->level[i] = b->level[operands[k]];
}

/* ---- who waits for whom --------------------------------------------------------------- */

/* Outputs are not computed: their call is. */
static uint32_t producer(const builder *b, uint32_t i)
{
    return dag_op(&b->d, i) == EXPR_OUTPUT ? dag_operands(&b->d, i)[0] : i;
}

static bool is_scheduled(const builder *b, uint32_t i)
{
    return b->d.node[i].guard == 0 && !dag_is_leaf(&b->d, i) && dag_op(&b->d, i) != EXPR_OUTPUT;
}

/* The scheduled node that node i, as guarded by `scope`, is part of. */
static uint32_t part_of(const builder *b, uint32_t i, uint32_t scope)
{
    uint32_t choice = scope == 0 ? b->d.node[i].choice : b->unit[scope];
    return choice == DAG_NONE ? i : b->d.choice[choice].first_if;
}

typedef void edge_fn(builder *b, uint32_t from, uint32_t to);

static void for_each_edge_to(builder *b, uint32_t i, edge_fn *fn)
{
    const uint32_t *operands = dag_operands(&b->d, i);
    uint32_t n = dag_n_operands(&b->d, i), scope;
    for (uint32_t k = 0; dag_guard_of(&b->d, i, &k, &scope);)
        for (uint32_t j = 0; j < n; j++) {
            uint32_t from = producer(b, operands[j]);
            if (is_scheduled(b, from))
                fn(b, from, part_of(b, i, scope));
        }
}

static void for_each_edge(builder *b, edge_fn *fn)
{
    for (uint32_t i = 0; i < b->d.n; i++)
        if (dag_op(&b->d, i) != EXPR_OUTPUT)
            for_each_edge_to(b, i, fn);
}

static void count_edge(builder *b, uint32_t from, uint32_t to)
{
    b->first_user[from + 1]++;
    b->pending[to]++;
}

static void store_edge(builder *b, uint32_t from, uint32_t to)
{
    b->user[b->first_user[from]++] = to;
}

/* Users in compressed rows, counted first. */
static bool link_users(builder *b)
{
    size_t n = b->d.n;
    for_each_edge(b, count_edge);
    for (size_t i = 0; i < n; i++)
        b->first_user[i + 1] += b->first_user[i];
    b->n_users = b->first_user[n];
    b->user = memory_take_array(b->t->allocator, b->n_users, sizeof *b->user);
    if (!b->user)
        return false;
    for_each_edge(b, store_edge);
    for (size_t i = n; i > 0; i--)
        b->first_user[i] = b->first_user[i - 1];
    b->first_user[0] = 0;
    return true;
}

static void find_units(builder *b)
{
    for (uint32_t s = 1; s < b->d.n_scopes; s++) {
        uint32_t parent = b->d.scope[s].parent;
        b->unit[s] = parent == 0 ? b->d.scope[s].choice : b->unit[parent];
    }
}

/* ---- queues --------------------------------------------------------------------------- */

static uint32_t kind_of(const builder *b, uint32_t i)
{
    expr_op op = dag_op(&b->d, i);
    if (op == EXPR_CALL)
        return TAPE_CALLS;
    return b->d.node[i].choice != DAG_NONE ? TAPE_UNITS : (uint32_t)op;
}

static void enqueue(builder *b, uint32_t i)
{
    queue *q = &b->ready[b->level[i]][kind_of(b, i)];
    b->next[i] = DAG_NONE;
    if (q->n++ == 0)
        q->head = i;
    else
        b->next[q->tail] = i;
    q->tail = i;
}

static uint32_t dequeue(queue *q, const uint32_t *next)
{
    uint32_t i = q->head;
    q->head = next[i];
    q->n--;
    return i;
}

static void release_users(builder *b, uint32_t i)
{
    for (uint32_t k = b->first_user[i]; k < b->first_user[i + 1]; k++)
        if (--b->pending[b->user[k]] == 0)
            enqueue(b, b->user[k]);
}

/* ---- placing ---------------------------------------------------------------------------- */

static uint32_t source(const builder *b, uint32_t i)
{
    if (dag_op(&b->d, i) != EXPR_OUTPUT)
        return b->slot[i];
    return b->slot[producer(b, i)] + b->d.g->node[b->d.node[i].e].b;
}

static void put_sources(builder *b, uint32_t i)
{
    const uint32_t *operands = dag_operands(&b->d, i);
    uint32_t n = dag_n_operands(&b->d, i);
    for (uint32_t k = 0; k < n; k++)
        put(b, source(b, operands[k]));
}

static void put_call(builder *b, uint32_t i)
{
    expr_function f = expr_function_of(b->d.g, b->d.node[i].e);
    uint32_t n_args = dag_n_operands(&b->d, i);
    if (b->slot[i] == NO_SLOT)
        b->slot[i] = take_slots(b, f.n_outputs);
    if (n_args > b->t->scratch_outputs)
        b->t->scratch_outputs = n_args;
    if (f.n_outputs > b->t->scratch)
        b->t->scratch = f.n_outputs;
    put(b, b->slot[i]);
    put(b, f.id);
    put(b, n_args);
    put(b, f.n_outputs);
    put_sources(b, i);
}

/* Inside a unit: slots are taken in passing, unless an if has lent its own. */
static void put_instruction(void *user, uint32_t i)
{
    builder *b = user;
    expr_op op = dag_op(&b->d, i);
    if (op == EXPR_OUTPUT)
        return;
    b->t->size.ops++;
    b->t->size.in_units++;
    put(b, op);
    if (op == EXPR_CALL) {
        put_call(b, i);
        return;
    }
    if (b->slot[i] == NO_SLOT)
        b->slot[i] = take_slots(b, 1);
    put(b, b->slot[i]);
    put_sources(b, i);
}

static void open_jump(builder *b)
{
    uint32_t *jumps =
        buffer_enlarge(b->t->allocator, b->jumps, &b->jump_capacity, b->n_jumps + 1, sizeof *jumps);
    if (!jumps) {
        b->failed = true;
        return;
    }
    b->jumps = jumps;
    b->jumps[b->n_jumps++] = (uint32_t)b->t->n_code;
    put(b, 0);
}

/* The jump opened last leads here. */
static void close_jump(builder *b)
{
    if (b->failed)
        return;
    uint32_t at = b->jumps[--b->n_jumps];
    b->t->code[at] = (uint32_t)(b->t->n_code - at - 1);
}

/* What a branch computes itself may be written where the if wants it. */
static void lend_slot(builder *b, uint32_t i, uint32_t branch, uint32_t scope)
{
    expr_op op = dag_op(&b->d, branch);
    if (b->d.node[branch].guard == scope && !b->d.node[branch].more && b->slot[branch] == NO_SLOT &&
        op != EXPR_CALL && op != EXPR_OUTPUT)
        b->slot[branch] = b->slot[i];
}

/* Behind branch 1 or 2 of a choice: its ifs take their values. */
static void fetch_branch(builder *b, uint32_t choice, uint32_t branch)
{
    const dag *d = &b->d;
    for (uint32_t i = d->choice[choice].first_if; i != DAG_NONE; i = d->node[i].next) {
        uint32_t from = source(b, dag_operands(d, i)[branch]);
        if (from == b->slot[i])
            continue;
        put(b, TAPE_MOVE);
        put(b, b->slot[i]);
        put(b, from);
    }
}

static void begin_yes(void *user, uint32_t choice)
{
    builder *b = user;
    const dag *d = &b->d;
    const dag_choice *c = &d->choice[choice];
    for (uint32_t i = c->first_if; i != DAG_NONE; i = d->node[i].next) {
        const uint32_t *operands = dag_operands(d, i);
        b->t->size.ops++;
        b->t->size.in_units++;
        if (b->slot[i] == NO_SLOT)
            b->slot[i] = take_slots(b, 1);
        lend_slot(b, i, operands[1], c->scope);
        lend_slot(b, i, operands[2], c->scope + 1);
    }
    put(b, TAPE_ELSE);
    put(b, source(b, c->condition));
    open_jump(b);
}

static void begin_no(void *user, uint32_t choice)
{
    builder *b = user;
    fetch_branch(b, choice, 1);
    put(b, TAPE_SKIP);
    if (b->failed)
        return;
    uint32_t jump = b->jumps[--b->n_jumps];
    open_jump(b);
    if (!b->failed)
        b->t->code[jump] = (uint32_t)(b->t->n_code - jump - 1);
}

static void end_choice(void *user, uint32_t choice)
{
    builder *b = user;
    fetch_branch(b, choice, 2);
    close_jump(b);
}

static void put_unit(builder *b, uint32_t i)
{
    const dag_visitor visitor = {put_instruction, begin_yes, begin_no, end_choice, b};
    open_jump(b); /* the number of words */
    if (!dag_visit_choice(&b->d, b->d.node[i].choice, &visitor))
        b->failed = true;
    put(b, TAPE_END);
    close_jump(b);
}

/* ---- batches: sums and products that are ready together ---------------------------------- */

static bool is_constant_slot(const builder *b, uint32_t slot)
{
    return slot >= b->t->size.n_inputs && slot - b->t->size.n_inputs < b->t->size.n_constants;
}

static item make_item(const builder *b, uint32_t i)
{
    const uint32_t *operands = dag_operands(&b->d, i);
    uint32_t n = dag_n_operands(&b->d, i);
    item it = {.i = i, .source = {source(b, operands[0]), 0}};
    if (n == 1)
        return it;
    it.source[1] = source(b, operands[1]);
    if (is_constant_slot(b, it.source[0]))
        it.group = INT64_MIN / 2 + it.source[0];
    else if (is_constant_slot(b, it.source[1]))
        it.group = INT64_MAX / 2 - it.source[1];
    else
        it.group = (int64_t)it.source[1] - (int64_t)it.source[0];
    return it;
}

static int by_group(const void *x, const void *y)
{
    const item *a = x, *b = y;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->source[0] != b->source[0])
        return a->source[0] < b->source[0] ? -1 : 1;
    if (a->source[1] != b->source[1])
        return a->source[1] < b->source[1] ? -1 : 1;
    return (a->i > b->i) - (a->i < b->i);
}

/* Whether y continues x, each source advancing by one or not at all. */
static bool continues(const item *x, const item *y)
{
    uint32_t a = y->source[0] - x->source[0], c = y->source[1] - x->source[1];
    return a <= 1 && c <= 1 && (a || c);
}

static size_t count_even(const item *batch, size_t n)
{
    size_t even = 0;
    for (size_t k = 1; k < n; k++)
        even += continues(&batch[k - 1], &batch[k]);
    return even;
}

static int by_node(const void *x, const void *y)
{
    const item *a = x, *b = y;
    return (a->i > b->i) - (a->i < b->i);
}

static void sort_unless_sorted(item *batch, size_t n, int (*order)(const void *, const void *))
{
    for (size_t k = 1; k < n; k++)
        if (order(&batch[k - 1], &batch[k]) > 0) {
            qsort(batch, n, sizeof *batch, order);
            return;
        }
}

/* The groups of a batch, as far as they are few, in a table with open addressing. */
typedef struct groups {
    struct group {
        int64_t group;
        size_t n, next; /* how many items; where the next one goes; n = 0: an empty place */
    } at[1024];
    size_t n;
} groups;

static struct group *group_of(groups *all, int64_t group)
{
    const size_t size = sizeof all->at / sizeof *all->at;
    size_t k = (size_t)((uint64_t)group * UINT64_C(0x9e3779b97f4a7c15) >> 32) % size;
    while (all->at[k].n && all->at[k].group != group)
        k = (k + 1) % size;
    all->at[k].group = group;
    return &all->at[k];
}

static int by_number(const void *x, const void *y)
{
    const struct group *a = x, *b = y;
    return (a->group > b->group) - (a->group < b->group);
}

/* false: there are too many. */
static bool count_groups(groups *all, const item *batch, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        struct group *g = group_of(all, batch[k].group);
        all->n += g->n++ == 0;
        if (2 * all->n > sizeof all->at / sizeof *all->at)
            return false;
    }
    return true;
}

/* Places for the groups, one behind the other in ascending order. */
static void place_groups(groups *all)
{
    struct group sorted[sizeof all->at / sizeof *all->at];
    size_t n = 0, at = 0;
    for (size_t k = 0; k < sizeof all->at / sizeof *all->at; k++)
        if (all->at[k].n)
            sorted[n++] = all->at[k];
    qsort(sorted, n, sizeof *sorted, by_number);
    for (size_t k = 0; k < n; k++) {
        group_of(all, sorted[k].group)->next = at;
        at += sorted[k].n;
    }
}

/* Sorts by groups and within them.  Regular equations have few groups, each of them in order
 * already; `room` is for n items, or NULL. */
static void sort_by_group(item *batch, size_t n, item *room)
{
    groups all = {.n = 0};
    if (!room || !count_groups(&all, batch, n)) {
        qsort(batch, n, sizeof *batch, by_group);
        return;
    }
    place_groups(&all);
    for (size_t k = 0; k < n; k++)
        room[group_of(&all, batch[k].group)->next++] = batch[k];
    memcpy(batch, room, n * sizeof *batch);
    for (size_t k = 0, length; k < n; k += length) {
        length = group_of(&all, batch[k].group)->n;
        sort_unless_sorted(batch + k, length, by_group);
    }
}

/* Sorted if at least half of it becomes even; irregular equations keep their order, in which
 * neighbours share operands.                                                     */
static void arrange(builder *b, size_t n)
{
    enum { SMALL = 16, MANY = 1024 }; /* fewer are sorted sooner than their groups counted */
    item *batch = b->batch;
    bool by_counting = n >= MANY && 2 * n <= b->d.n;
    if (n < SMALL || count_even(batch, n) > n - n / 8)
        return;
    sort_by_group(batch, n, by_counting ? batch + n : NULL);
    if (count_even(batch, n) < n / 2)
        sort_unless_sorted(batch, n, by_node);
}

/* How many items from the first one on keep the same strides, at least 1. */
static size_t stretch(const item *it, size_t n, uint32_t *mode)
{
    if (n < 2 || !continues(&it[0], &it[1]))
        return 1;
    uint32_t a = it[1].source[0] - it[0].source[0], c = it[1].source[1] - it[0].source[1];
    size_t k = 2;
    while (k < n && it[k].source[0] - it[k - 1].source[0] == a &&
           it[k].source[1] - it[k - 1].source[1] == c)
        k++;
    *mode = a * TAPE_FIRST + c * TAPE_SECOND;
    return k;
}

static void put_even(builder *b, uint32_t op, const item *it, size_t n, uint32_t mode)
{
    put(b, op + TAPE_EVEN * mode);
    put(b, (uint32_t)n);
    put(b, take_slots(b, n));
    put(b, it->source[0]);
    put(b, it->source[1]);
    b->open = 0;
    b->t->size.runs++;
    b->t->n_shared += n >= TAPE_SHARED_MIN ? n : 0;
}

/* At the end of an ordinary run of the same operation, or a new one. */
static void put_single(builder *b, uint32_t i)
{
    if (!b->open) {
        put(b, dag_op(&b->d, i) + (b->apart ? TAPE_EVEN * TAPE_APART : 0u));
        b->open = b->t->n_code;
        put(b, 0);
        put(b, (uint32_t)b->t->n_slots);
        b->t->size.runs++;
    }
    b->slot[i] = take_slots(b, 1);
    b->t->n_shared += b->apart;
    put_sources(b, i);
    if (!b->failed)
        b->t->code[b->open]++;
}

static void put_batch(builder *b, uint32_t op, size_t n)
{
    enum { EVEN_MIN = 8 };
    uint32_t mode = 0;
    for (size_t k = 0, length; k < n; k += length) {
        const item *it = &b->batch[k];
        length = stretch(it, n - k, &mode);
        uint32_t first = (uint32_t)b->t->n_slots;
        if (length >= EVEN_MIN)
            put_even(b, op, it, length, mode);
        for (size_t j = 0; j < length; j++)
            if (length >= EVEN_MIN)
                b->slot[it[j].i] = first + (uint32_t)j;
            else
                put_single(b, it[j].i);
    }
}

/* Take what is ready now into a batch; what becomes ready by it waits for the next. */
static size_t take_batch(builder *b, queue *q)
{
    size_t n = 0;
    while (q->n)
        b->batch[n++] = make_item(b, dequeue(q, b->next));
    return n;
}

/* ---- runs ------------------------------------------------------------------------------- */

/* The n operations that follow do not need each other. */
static void begin_batch(builder *b, size_t n)
{
    b->apart = n >= TAPE_SHARED_MIN;
    b->open = b->apart ? 0 : b->open;
}

static void end_batch(builder *b)
{
    b->open = b->apart ? 0 : b->open;
    b->apart = false;
}

static void put_arithmetic(builder *b, queue *q, uint32_t op)
{
    b->open = 0;
    while (q->n && !b->failed) {
        size_t n = take_batch(b, q);
        arrange(b, n);
        begin_batch(b, n);
        put_batch(b, op, n);
        end_batch(b);
        b->t->size.ops += n;
        for (size_t k = 0; k < n; k++)
            release_users(b, b->batch[k].i);
    }
}

static void put_functions(builder *b, queue *q)
{
    b->open = 0;
    while (q->n && !b->failed) {
        begin_batch(b, q->n);
        size_t n = b->apart ? q->n : 1; /* what becomes ready meanwhile waits behind them */
        for (; n > 0 && !b->failed; n--) {
            uint32_t i = dequeue(q, b->next);
            put_single(b, i);
            release_users(b, i);
            b->t->size.ops++;
        }
        end_batch(b);
    }
}

/* Units and calls: a count, then one after the other. */
static void put_others(builder *b, queue *q, uint32_t kind)
{
    put(b, kind);
    size_t at = b->t->n_code;
    put(b, 0);
    b->t->size.runs++;
    while (q->n && !b->failed) {
        uint32_t i = dequeue(q, b->next);
        if (kind == TAPE_UNITS) {
            put_unit(b, i);
        } else {
            put_call(b, i);
            b->t->size.ops++;
        }
        b->t->code[at] += !b->failed;
        for (uint32_t k = i; k != DAG_NONE; k = b->d.node[k].next)
            release_users(b, k);
    }
}

static void put_run(builder *b, queue *q, uint32_t kind)
{
    if (kind >= TAPE_UNITS)
        put_others(b, q, kind);
    else if (tape_can_be_even(kind))
        put_arithmetic(b, q, kind);
    else
        put_functions(b, q);
}

static void put_level(builder *b, uint32_t level)
{
    queue *ready = b->ready[level];
    while (!b->failed) {
        uint32_t best = 0;
        for (uint32_t kind = 1; kind < KINDS; kind++)
            if (ready[kind].n > ready[best].n)
                best = kind;
        if (ready[best].n == 0)
            return;
        put_run(b, &ready[best], best);
    }
}

static void schedule(builder *b)
{
    for (uint32_t i = 0; i < b->d.n; i++)
        if (is_scheduled(b, i) && part_of(b, i, 0) == i && b->pending[i] == 0)
            enqueue(b, i);
    for (uint32_t level = 0; level < TAPE_LEVELS; level++) {
        b->t->level_start[level] = b->t->n_code;
        put_level(b, level);
    }
    put(b, TAPE_END); /* never reached: so that an empty tape has code, too */
    b->t->n_code--;
}

/* ---- the whole -------------------------------------------------------------------------- */

static void lay_out(void *object, layout *l)
{
    builder *b = object;
    size_t n = b->d.n;
    b->slot = layout_take(l, n, sizeof *b->slot);
    b->unit = layout_take(l, 2 * b->d.n + 1, sizeof *b->unit); /* scopes */
    b->pending = layout_take(l, n, sizeof *b->pending);
    b->first_user = layout_take(l, n + 1, sizeof *b->first_user);
    b->next = layout_take(l, n, sizeof *b->next);
    b->level = layout_take(l, n, sizeof *b->level);
    b->batch = layout_take(l, n, sizeof *b->batch);
}

/* Slots of leaves and levels of all. */
static void prepare_nodes(builder *b)
{
    b->t->n_slots = b->t->size.n_inputs = b->setup->inputs.n;
    for (uint32_t i = 0; i < b->d.n; i++) {
        b->slot[i] = NO_SLOT;
        if (dag_is_leaf(&b->d, i))
            place_leaf(b, i);
        else
            set_level(b, i);
    }
}

static bool place_roots(builder *b)
{
    tape *t = b->t;
    t->size.n_roots = b->setup->n_roots;
    t->root = memory_take_array(t->allocator, t->size.n_roots, sizeof *t->root);
    for (size_t k = 0; t->root && k < t->size.n_roots; k++)
        t->root[k] = source(b, dag_of(&b->d, b->setup->roots[k]));
    if (!t->root || !b->setup->target)
        return t->root != NULL;
    t->target = memory_take_array(t->allocator, t->size.n_roots, sizeof *t->target);
    if (t->target && t->size.n_roots)
        memcpy(t->target, b->setup->target, t->size.n_roots * sizeof *t->target);
    return t->target != NULL;
}

static void finish_sizes(tape *t)
{
    t->scratch += t->scratch_outputs;
    t->size.work = t->n_slots + t->scratch;
    t->size.bytes = t->n_code * sizeof *t->code + t->size.n_constants * sizeof *t->constant +
                    t->size.n_roots * sizeof *t->root;
}

static bool build(builder *b)
{
    dag *d = &b->d;
    if (!dag_number(d, b->setup->roots, b->setup->n_roots) ||
        !block_create(&b->mem, b->t->allocator, lay_out, b))
        return false;
    prepare_nodes(b);
    if (b->failed || !dag_guard(d, b->level) || !dag_flatten(d) || !dag_place(d, false))
        return false;
    find_units(b);
    if (!link_users(b))
        return false;
    schedule(b);
    if (b->failed || !place_roots(b))
        return false;
    finish_sizes(b->t);
    return true;
}

daedal_status tape_create(tape **out, const tape_setup *setup)
{
    *out = NULL;
    tape *t = memory_take(setup->allocator, sizeof *t);
    if (!t)
        return DAEDAL_ERR_MEMORY;
    t->allocator = setup->allocator;
    builder b = {.t = t, .setup = setup};
    dag_create(&b.d, setup->g);
    bool built = build(&b);
    block_free(&b.mem);
    memory_give(t->allocator, b.user, b.n_users * sizeof *b.user);
    buffer_free(t->allocator, b.jumps, b.jump_capacity, sizeof *b.jumps);
    dag_free(&b.d);
    if (built)
        *out = t;
    else
        tape_free(t);
    return built ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}
