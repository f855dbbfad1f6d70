/* expr/emit_shapes.c - see emit_shapes.h. */
#include "expr/emit_shapes.h"

#include <assert.h>

#include "expr/buffer.h"

/* What makes a shared node worth storing, and what fills a body, in additions: gcc needs more
 * than linear time for long functions.                                             */
enum { WORTH_STORING = 4, BODY_MAX = 250 };

static uint32_t price(expr_op op)
{
    switch (op) {
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_OUTPUT:
        return 0;
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_NEG:
    case EXPR_ABS:
    case EXPR_MIN:
    case EXPR_MAX:
        return 1;
    default:
        return op >= EXPR_LT && op <= EXPR_NOT ? 1 : 4;
    }
}

#define RESERVE(s, array, capacity, wanted)                                                        \
    buffer_grow((s)->setup->allocator, (s)->array, &(s)->capacity, wanted, sizeof *(s)->array,     \
                &(s)->failed)

void shapes_free(shapes *s)
{
    const daedal_allocator *a = s->setup->allocator;
    dag_free(&s->d);
    memory_give(a, s->stop, s->n_ids * sizeof *s->stop);
    memory_give(a, s->item, s->n_ids * sizeof *s->item);
    memory_give(a, s->slot, s->n_slots * sizeof *s->slot);
    buffer_free(a, s->item_level, s->item_capacity, sizeof *s->item_level);
    buffer_free(a, s->body, s->body_capacity, sizeof *s->body);
    buffer_free(a, s->class, s->class_capacity, sizeof *s->class);
    buffer_free(a, s->word, s->word_capacity, sizeof *s->word);
    buffer_free(a, s->leaf, s->leaf_capacity, sizeof *s->leaf);
    buffer_free(a, s->number, s->number_capacity, sizeof *s->number);
}

/* ---- which nodes become work items -------------------------------------------------- */

/* By node of the whole: how many operations, and the only body that needs it. */
typedef struct cut {
    uint32_t size, owner;
} cut;

#define NOBODY UINT32_MAX
#define MANY (UINT32_MAX - 1)

static bool may_be_item(const dag *d, uint32_t i)
{
    expr_op op = dag_op(d, i);
    return d->node[i].guard == 0 && !dag_is_leaf(d, i) && op != EXPR_CALL && op != EXPR_OUTPUT;
}

/* Sizes with what is cut off already counted as leaves; saturating. */
static uint32_t size_of(const shapes *s, const dag *d, const cut *c, uint32_t i)
{
    const uint32_t *operands = dag_operands(d, i);
    uint32_t n = dag_n_operands(d, i), size = price(dag_op(d, i));
    for (uint32_t k = 0; k < n && size < MANY / 2; k++)
        if (!s->stop[d->node[operands[k]].e])
            size += c[operands[k]].size < MANY / 4 ? c[operands[k]].size : MANY / 4;
    return size;
}

static void own(cut *c, uint32_t owner)
{
    c->owner = c->owner == NOBODY || c->owner == owner ? owner : MANY;
}

/* Find the users of each node, users before operands.  What several bodies need is a body itself.
 */
static void cut_shared(shapes *s, const dag *d, cut *c)
{
    for (size_t k = 0; k < s->setup->n_roots; k++)
        own(&c[dag_of(d, s->setup->roots[k])], (uint32_t)(d->n + k));
    for (uint32_t i = (uint32_t)d->n; i-- > 0;) {
        const uint32_t *operands = dag_operands(d, i);
        uint32_t n = dag_n_operands(d, i), owner = c[i].owner;
        if (owner == MANY && c[i].size >= WORTH_STORING && may_be_item(d, i)) {
            s->stop[d->node[i].e] = 1;
            owner = i;
        }
        for (uint32_t k = 0; k < n; k++)
            own(&c[operands[k]], owner);
    }
}

static void cut_long(shapes *s, const dag *d, cut *c)
{
    for (uint32_t i = 0; i < d->n; i++) {
        c[i].size = size_of(s, d, c, i);
        if (c[i].size > BODY_MAX && may_be_item(d, i))
            s->stop[d->node[i].e] = 1;
    }
}

static bool choose_items(shapes *s, const dag *d)
{
    cut *c = memory_take_array(s->setup->allocator, d->n + 1, sizeof *c);
    if (!c)
        return false;
    for (uint32_t i = 0; i < d->n; i++)
        c[i] = (cut){size_of(s, d, c, i), NOBODY};
    cut_shared(s, d, c);
    cut_long(s, d, c);
    memory_give(s->setup->allocator, c, (d->n + 1) * sizeof *c);
    return true;
}

/* ---- shapes ------------------------------------------------------------------------- */

enum { LEAF_VARIABLE = EXPR_N_OPS, LEAF_ITEM, LEAF_NUMBER };

static void put_word(shapes *s, uint32_t word)
{
    s->word = RESERVE(s, word, word_capacity, s->n_words + 1);
    if (!s->failed)
        s->word[s->n_words++] = word;
}

static void put_leaf(shapes *s, uint32_t kind, uint32_t place)
{
    put_word(s, kind);
    s->leaf = RESERVE(s, leaf, leaf_capacity, s->n_leaves + 1);
    if (!s->failed)
        s->leaf[s->n_leaves++] = place;
}

static void put_number(shapes *s, double value)
{
    put_word(s, LEAF_NUMBER);
    s->number = RESERVE(s, number, number_capacity, s->n_numbers + 1);
    if (!s->failed)
        s->number[s->n_numbers++] = value;
}

static void put_operation(shapes *s, uint32_t i)
{
    const uint32_t *operands = dag_operands(&s->d, i);
    uint32_t n = dag_n_operands(&s->d, i);
    const expr_node *node = &s->setup->g->node[s->d.node[i].e];
    put_word(s, node->op);
    if (node->op == EXPR_OUTPUT)
        put_word(s, node->b);
    if (node->op == EXPR_CALL) {
        put_word(s, node->c);
        put_word(s, n);
    }
    for (uint32_t k = 0; k < n; k++)
        put_word(s, operands[k]);
}

static void put_node(shapes *s, const shape_body *b, uint32_t i, uint32_t *level)
{
    const emit_setup *setup = s->setup;
    expr e = s->d.node[i].e;
    if (shapes_is_item(s, b, e)) {
        uint32_t item = s->item[e];
        if (s->item_level[item] >= *level)
            *level = s->item_level[item] + 1;
        put_leaf(s, LEAF_ITEM, item);
    } else if (expr_is_variable(setup->g, e)) {
        uint32_t index = expr_index(setup->g, e);
        put_leaf(s, LEAF_VARIABLE, setup->place ? setup->place(setup->user, index) : index);
    } else if (expr_is_constant(setup->g, e)) {
        put_number(s, expr_value_now(setup->g, e));
    } else {
        put_operation(s, i);
    }
}

static bool same_class(const shapes *s, const shape_class *x, const shape_class *y)
{
    return x->hash == y->hash && x->is_root == y->is_root && x->level == y->level &&
           x->n_words == y->n_words &&
           memcmp(s->word + x->word, s->word + y->word, x->n_words * sizeof *s->word) == 0;
}

/* The class like this one, new if need be; its words are dropped if not. */
static uint32_t find_class(shapes *s, const shape_class *like)
{
    size_t k = like->hash & (s->n_slots - 1);
    while (s->slot[k] && !same_class(s, &s->class[s->slot[k] - 1], like))
        k = (k + 1) & (s->n_slots - 1);
    if (s->slot[k]) {
        s->n_words = like->word;
        return s->slot[k] - 1;
    }
    s->class = RESERVE(s, class, class_capacity, s->n_classes + 1);
    if (s->failed)
        return 0;
    s->class[s->n_classes] = *like;
    s->slot[k] = (uint32_t)++s->n_classes;
    return s->slot[k] - 1;
}

static uint32_t hash_words(const uint32_t *word, size_t n)
{
    uint64_t h = n;
    for (size_t k = 0; k < n; k++) {
        h = (h ^ word[k]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return (uint32_t)(h >> 32);
}

static void join_class(shapes *s, uint32_t body)
{
    shape_class *c = &s->class[s->body[body].shape];
    if (c->n++ == 0)
        c->first = body;
    else
        s->body[c->last].next = body;
    c->last = body;
}

bool shapes_open(shapes *s, const shape_body *b)
{
    bool top = true;
    return dag_number(&s->d, &b->e, 1) && dag_guard(&s->d, NULL) && dag_place(&s->d, top);
}

static bool add_body(shapes *s, expr e, uint32_t target, bool is_root)
{
    s->body = RESERVE(s, body, body_capacity, s->n_bodies + 1);
    if (s->failed)
        return false;
    shape_body *b = &s->body[s->n_bodies];
    /* a root that is a work item is a copy of it: the item is its only leaf */
    *b = (shape_body){
        is_root && s->stop[e] ? EXPR_NONE : e, target, 0, s->n_leaves, s->n_numbers, DAG_NONE};
    shape_class c = {.is_root = is_root, .word = s->n_words};
    if (b->e) {
        if (!shapes_open(s, b))
            return false;
        for (uint32_t i = 0; i < s->d.n; i++)
            put_node(s, b, i, &c.level);
    } else {
        put_leaf(s, LEAF_ITEM, s->item[e]);
    }
    if (s->failed)
        return false;
    c.level = is_root ? UINT32_MAX : c.level;
    c.n_words = s->n_words - c.word;
    c.hash = hash_words(s->word + c.word, c.n_words) + c.level + is_root;
    c.n_leaves = (uint32_t)(s->n_leaves - b->leaf);
    c.n_numbers = (uint32_t)(s->n_numbers - b->number);
    if (!is_root)
        s->item_level[target] = c.level;
    b->shape = find_class(s, &c);
    if (s->failed)
        return false;
    join_class(s, (uint32_t)s->n_bodies++);
    return true;
}

static bool add_items(shapes *s, const dag *d)
{
    for (uint32_t i = 0; i < d->n; i++) {
        expr e = d->node[i].e;
        if (!s->stop[e])
            continue;
        s->item_level = RESERVE(s, item_level, item_capacity, s->n_items + 1);
        if (s->failed)
            return false;
        s->item[e] = (uint32_t)s->n_items++;
        if (!add_body(s, e, s->item[e], false))
            return false;
    }
    return true;
}

static bool take_tables(shapes *s, size_t n_bodies)
{
    s->n_ids = s->setup->g->n;
    for (s->n_slots = 16; s->n_slots < 2 * n_bodies;)
        s->n_slots += s->n_slots;
    s->stop = memory_take_array(s->setup->allocator, s->n_ids, sizeof *s->stop);
    s->item = memory_take_array(s->setup->allocator, s->n_ids, sizeof *s->item);
    s->slot = memory_take_array(s->setup->allocator, s->n_slots, sizeof *s->slot);
    return s->stop && s->item && s->slot;
}

static bool sort_into_shapes(shapes *s, dag *whole)
{
    const emit_setup *setup = s->setup;
    if (!dag_number(whole, setup->roots, setup->n_roots) || !dag_guard(whole, NULL))
        return false;
    if (!take_tables(s, whole->n + setup->n_roots) || !choose_items(s, whole))
        return false;
    s->d.stop = s->stop;
    if (!add_items(s, whole))
        return false;
    for (size_t k = 0; k < setup->n_roots; k++)
        if (!add_body(s, setup->roots[k], setup->target ? setup->target[k] : (uint32_t)k, true))
            return false;
    return true;
}

bool shapes_create(shapes *s, const emit_setup *setup)
{
    *s = (shapes){.setup = setup};
    dag whole;
    dag_create(&s->d, setup->g);
    dag_create(&whole, setup->g);
    bool done = sort_into_shapes(s, &whole);
    dag_free(&whole);
    return done;
}
