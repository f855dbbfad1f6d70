/* expr/taylor.c - see taylor.h.
 *
 * The walk is that of expr/evaluate.c, with a series in the place of a value: a stack of
 * expressions whose series are wanted, and a hash table that tells in which row the series
 * of an expression stands.  An if has the row of the branch it takes.             */
#include "expr/taylor.h"

#include "expr/buffer.h"
#include "expr/series.h"

enum { ROWS_OF_ROOM = 2, SLOTS_FIRST = 64 }; /* the first rows are the room of series_apply */

typedef struct known {
    expr e;
    uint32_t row;
} known;

typedef struct expansion {
    const expr_graph *g;
    const expr_path *path;
    size_t length; /* of a row: order + 1 */
    known *table;  /* open addressing, at most half full */
    size_t n_slots, n_known;
    expr *stack;
    size_t n_stack, stack_capacity;
    double *rows;
    size_t n_rows, rows_capacity; /* the capacity in numbers */
    expr culprit;
    expr_outcome outcome;
} expansion;

static void release(expansion *x)
{
    const daedal_allocator *a = x->g->allocator;
    memory_give(a, x->table, x->n_slots * sizeof *x->table);
    buffer_free(a, x->stack, x->stack_capacity, sizeof *x->stack);
    buffer_free(a, x->rows, x->rows_capacity, sizeof *x->rows);
}

static bool give_up(expansion *x, expr_outcome outcome)
{
    x->outcome = outcome;
    return false;
}

/* ---- what is known ----------------------------------------------------------------- */

static known *find(const expansion *x, expr e)
{
    size_t k = (e * UINT32_C(2654435769)) & (x->n_slots - 1);
    while (x->table[k].e && x->table[k].e != e)
        k = (k + 1) & (x->n_slots - 1);
    return &x->table[k];
}

static bool widen(expansion *x)
{
    known *old = x->table;
    size_t n_old = x->n_slots, n_new = n_old ? 2 * n_old : SLOTS_FIRST;
    known *table = memory_take_array(x->g->allocator, n_new, sizeof *table);
    if (!table)
        return give_up(x, EXPR_NO_MEMORY);
    x->table = table;
    x->n_slots = n_new;
    for (size_t k = 0; k < n_old; k++)
        if (old[k].e)
            *find(x, old[k].e) = old[k];
    memory_give(x->g->allocator, old, n_old * sizeof *old);
    return true;
}

static bool learn(expansion *x, expr e, uint32_t row)
{
    if (2 * (x->n_known + 1) > x->n_slots && !widen(x))
        return false;
    *find(x, e) = (known){e, row};
    x->n_known++;
    x->n_stack--;
    return true;
}

static double *row_at(const expansion *x, size_t row)
{
    return x->rows + row * x->length;
}

/* One more row, of zeros; rows move. */
static bool add_row(expansion *x)
{
    double *rows = buffer_reserve(x->g->allocator, x->rows, &x->rows_capacity,
                                  (x->n_rows + 1) * x->length, sizeof *rows);
    if (!rows)
        return give_up(x, EXPR_NO_MEMORY);
    x->rows = rows;
    x->n_rows++;
    return true;
}

/* ---- the walk ------------------------------------------------------------------------ */

static bool want(expansion *x, expr e)
{
    expr *stack = buffer_reserve(x->g->allocator, x->stack, &x->stack_capacity, x->n_stack + 1,
                                 sizeof *stack);
    if (!stack)
        return give_up(x, EXPR_NO_MEMORY);
    x->stack = stack;
    x->stack[x->n_stack++] = e;
    return true;
}

static bool expand_leaf(expansion *x, expr e)
{
    if (!add_row(x))
        return false;
    double *c = row_at(x, x->n_rows - 1);
    if (expr_is_constant(x->g, e))
        c[0] = expr_value_now(x->g, e);
    else
        x->path->variable(x->path->user, expr_index(x->g, e), c);
    return learn(x, e, (uint32_t)(x->n_rows - 1));
}

static bool expand_operation(expansion *x, expr e)
{
    const expr *operands;
    uint32_t n = expr_operands(x->g, e, &operands), row[2] = {0, 0};
    size_t waiting = x->n_stack;
    for (uint32_t k = n; k-- > 0;) {
        const known *found = find(x, operands[k]);
        row[k] = found->row;
        if (!found->e && !want(x, operands[k]))
            return false;
    }
    if (x->n_stack > waiting)
        return true;
    if (!add_row(x))
        return false;
    series_room room = {row_at(x, 0), row_at(x, 1), x->path->order};
    const double *u = row_at(x, row[0]), *v = row_at(x, row[n - 1]);
    series_apply(expr_op_of(x->g, e), u, v, row_at(x, x->n_rows - 1), &room);
    return learn(x, e, (uint32_t)(x->n_rows - 1));
}

static bool expand_if(expansion *x, expr e)
{
    const expr_node *n = &x->g->node[e];
    const known *condition = find(x, n->a);
    if (!condition->e)
        return want(x, n->a);
    expr branch = row_at(x, condition->row)[0] != 0.0 ? n->b : n->c;
    const known *taken = find(x, branch);
    return taken->e ? learn(x, e, taken->row) : want(x, branch);
}

static bool expand_one(expansion *x, expr e)
{
    switch (expr_op_of(x->g, e)) {
    case EXPR_CONST:
    case EXPR_VAR:
        return expand_leaf(x, e);
    case EXPR_IF:
        return expand_if(x, e);
    case EXPR_CALL:
    case EXPR_OUTPUT:
        x->culprit = e;
        return give_up(x, EXPR_NOT_DIFFERENTIABLE);
    default:
        return expand_operation(x, e);
    }
}

static bool expand(expansion *x, expr e)
{
    for (int k = 0; k < ROWS_OF_ROOM; k++)
        if (!add_row(x))
            return false;
    if (!widen(x) || !want(x, e))
        return false;
    while (x->n_stack) {
        expr top = x->stack[x->n_stack - 1];
        if (find(x, top)->e)
            x->n_stack--;
        else if (!expand_one(x, top))
            return false;
    }
    return true;
}

expr_outcome expr_taylor(const expr_graph *g, expr e, const expr_path *path, double *c,
                         expr *culprit)
{
    expansion x = {.g = g, .path = path, .length = (size_t)path->order + 1};
    if (expand(&x, e))
        memcpy(c, row_at(&x, find(&x, e)->row), x.length * sizeof *c);
    if (x.culprit && culprit)
        *culprit = x.culprit;
    release(&x);
    return x.outcome;
}
