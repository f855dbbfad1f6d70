/* expr/walk.c - see walk.h. */
#include "expr/walk.h"

#include "expr/buffer.h"

#define DONE ((uint32_t)1 << 31) /* on the stack: the operands are behind us */

void expr_walker_create(expr_walker *w, const expr_graph *g)
{
    *w = (expr_walker){.g = g, .now = 1};
}

void expr_walker_free(expr_walker *w)
{
    const daedal_allocator *a = w->g ? w->g->allocator : NULL;
    buffer_free(a, w->stamp, w->n_stamps, sizeof *w->stamp);
    buffer_free(a, w->stack, w->stack_capacity, sizeof *w->stack);
    buffer_free(a, w->found, w->found_capacity, sizeof *w->found);
    *w = (expr_walker){.g = w->g, .now = 1};
}

void expr_walker_forget(expr_walker *w)
{
    if (++w->now == 0) {
        memset(w->stamp, 0, w->n_stamps * sizeof *w->stamp);
        w->now = 1;
    }
}

static bool push(expr_walker *w, expr item)
{
    expr *stack = buffer_enlarge(w->g->allocator, w->stack, &w->stack_capacity, w->n_stack + 1,
                                 sizeof *stack);
    if (!stack) {
        w->failed = true;
        return false;
    }
    w->stack = stack;
    w->stack[w->n_stack++] = item;
    return true;
}

static bool keep(expr_walker *w, expr e)
{
    expr *found = buffer_enlarge(w->g->allocator, w->found, &w->found_capacity, w->n_found + 1,
                                 sizeof *found);
    if (!found) {
        w->failed = true;
        return false;
    }
    w->found = found;
    w->found[w->n_found++] = e;
    return true;
}

/* Room for so many more items on the stack. */
static bool make_stack(expr_walker *w, uint32_t more)
{
    expr *stack = buffer_enlarge(w->g->allocator, w->stack, &w->stack_capacity, w->n_stack + more,
                                 sizeof *stack);
    w->failed = w->failed || !stack;
    w->stack = stack ? stack : w->stack;
    return stack != NULL;
}

/* The operands a walk enters: all but the first `skip`. */
static uint32_t skipped(expr_op op, uint32_t n, expr_parts parts)
{
    if (parts == EXPR_ALL)
        return 0;
    if (op >= EXPR_LT && op <= EXPR_NOT)
        return n;
    return op == EXPR_IF ? 1 : 0;
}

static bool enter(expr_walker *w, expr e, expr_parts parts)
{
    const expr *operands;
    uint32_t n = expr_operands(w->g, e, &operands);
    w->stamp[e] = w->now;
    if (!push(w, e | DONE))
        return false;
    for (uint32_t k = n; k-- > skipped(expr_op_of(w->g, e), n, parts);)
        if (w->stamp[operands[k]] != w->now && !push(w, operands[k]))
            return false;
    return true;
}

static bool is_leaf(const expr_graph *g, expr e)
{
    return expr_is_variable(g, e) || expr_is_constant(g, e);
}

static bool begin(expr_walker *w, expr root)
{
    uint32_t *stamp =
        buffer_reserve(w->g->allocator, w->stamp, &w->n_stamps, w->g->n, sizeof *stamp);
    w->n_found = w->n_stack = 0;
    if (!stamp) {
        w->failed = true;
        return false;
    }
    w->stamp = stamp;
    return push(w, root);
}

bool expr_walk(expr_walker *w, expr root, expr_parts parts)
{
    if (!begin(w, root))
        return false;
    while (w->n_stack) {
        expr e = w->stack[--w->n_stack];
        bool done = (e & DONE) != 0;
        e &= ~DONE;
        if (!done && w->stamp[e] == w->now)
            continue;
        if (done || is_leaf(w->g, e)) {
            w->stamp[e] = w->now;
            if (!keep(w, e))
                return false;
        } else if (!enter(w, e, parts)) {
            return false;
        }
    }
    return true;
}

/* The operands that were not met and are not numbers, the first one on top. */
static bool push_operands(expr_walker *w, expr e, expr_parts parts)
{
    const expr *operands;
    uint32_t n = expr_operands(w->g, e, &operands);
    if (!make_stack(w, n))
        return false;
    expr *top = w->stack + w->n_stack;
    for (uint32_t k = n, first = skipped(expr_op_of(w->g, e), n, parts); k-- > first;)
        if (w->stamp[operands[k]] != w->now && !expr_is_constant(w->g, operands[k]))
            *top++ = operands[k];
    w->n_stack = (size_t)(top - w->stack);
    return true;
}

/* The order of variables is that of expr_walk, which needs not come back to an operation here. */
bool expr_depends(expr_walker *w, expr root, expr_parts parts)
{
    if (!begin(w, root))
        return false;
    while (w->n_stack) {
        expr e = w->stack[--w->n_stack];
        if (w->stamp[e] == w->now)
            continue;
        w->stamp[e] = w->now;
        if (!(expr_is_variable(w->g, e) ? keep(w, e) : push_operands(w, e, parts)))
            return false;
    }
    return true;
}

/* ---- substitution --------------------------------------------------------------- */

typedef struct substitution {
    const expr_graph *from;
    expr_graph *to;
    expr *image; /* by id of from; NEEDED until it is known */
    expr *operands;
    size_t operand_capacity;
    expr_image_fn *image_of;
    void *user;
} substitution;

#define NEEDED UINT32_MAX

static void mark_needed(const substitution *s, expr e)
{
    const expr *operands;
    uint32_t n = expr_operands(s->from, e, &operands);
    for (uint32_t k = 0; k < n; k++)
        s->image[operands[k]] = NEEDED;
}

/* The images of the operands of e in s->operands; 0: the same as before, 1: changed, -1: no
 * memory. */
static int map_operands(substitution *s, expr e)
{
    const expr *operands;
    uint32_t n = expr_operands(s->from, e, &operands);
    expr *room =
        buffer_reserve(s->from->allocator, s->operands, &s->operand_capacity, n + 1, sizeof *room);
    if (!room)
        return -1;
    s->operands = room;
    int changed = s->from != s->to;
    for (uint32_t k = 0; k < n; k++) {
        room[k] = s->image[operands[k]];
        changed |= room[k] != operands[k];
    }
    return changed;
}

static expr rebuild(substitution *s, expr e)
{
    if (expr_is_variable(s->from, e)) {
        expr image = s->image_of ? s->image_of(s->user, expr_index(s->from, e)) : EXPR_NONE;
        if (image)
            return image;
    }
    int changed = map_operands(s, e);
    if (changed < 0)
        return EXPR_NONE;
    return changed ? expr_remake(s->to, s->from, e, s->operands) : e;
}

static bool rebuild_all(substitution *s, expr *roots, size_t n, expr last)
{
    for (size_t k = 0; k < n; k++)
        s->image[roots[k]] = NEEDED;
    for (expr e = last; e > 0; e--)
        if (s->image[e])
            mark_needed(s, e);
    for (expr e = 1; e <= last; e++) {
        if (!s->image[e])
            continue;
        s->image[e] = rebuild(s, e);
        if (!s->image[e])
            return false;
    }
    for (size_t k = 0; k < n; k++)
        roots[k] = s->image[roots[k]];
    return true;
}

bool expr_substitute(const expr_graph *from, expr_graph *to, expr *roots, size_t n,
                     expr_image_fn *image, void *user)
{
    expr last = 0;
    for (size_t k = 0; k < n; k++)
        last = roots[k] > last ? roots[k] : last;
    substitution s = {.from = from, .to = to, .image_of = image, .user = user};
    s.image = memory_take_array(from->allocator, (size_t)last + 1, sizeof *s.image);
    bool done = s.image && rebuild_all(&s, roots, n, last);
    if (!done)
        to->failed = true;
    memory_give(from->allocator, s.image, ((size_t)last + 1) * sizeof *s.image);
    buffer_free(from->allocator, s.operands, s.operand_capacity, sizeof *s.operands);
    return done;
}

/* ---- few roots ---- */

void expr_substituter_create(expr_substituter *s, expr_graph *g)
{
    *s = (expr_substituter){.g = g};
    expr_walker_create(&s->w, g);
}

void expr_substituter_free(expr_substituter *s)
{
    expr_walker_free(&s->w);
    memory_give(s->g->allocator, s->image, s->n_images * sizeof *s->image);
    buffer_free(s->g->allocator, s->operands, s->operand_capacity, sizeof *s->operands);
}

/* For all ids there are; what was known is asked for no more. */
static bool make_room(expr_substituter *s)
{
    if (s->g->n <= s->n_images)
        return true;
    memory_give(s->g->allocator, s->image, s->n_images * sizeof *s->image);
    s->n_images = 2 * (size_t)s->g->n;
    s->image = memory_take_array(s->g->allocator, s->n_images, sizeof *s->image);
    if (!s->image)
        s->n_images = 0;
    return s->image != NULL;
}

/* Operands come before users in what a walk finds. */
static bool rebuild_few(expr_substituter *s, substitution *with, const expr *roots, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (!expr_walk(&s->w, roots[k], EXPR_ALL))
            return false;
        for (size_t q = 0; q < s->w.n_found; q++) {
            expr e = s->w.found[q];
            with->image[e] = rebuild(with, e);
            if (!with->image[e])
                return false;
        }
    }
    return true;
}

bool expr_substitute_few(expr_substituter *s, expr *roots, size_t n, expr_image_fn *image,
                         void *user)
{
    expr_walker_forget(&s->w);
    bool done = make_room(s);
    substitution with = {.from = s->g,
                         .to = s->g,
                         .image = s->image,
                         .operands = s->operands,
                         .operand_capacity = s->operand_capacity,
                         .image_of = image,
                         .user = user};
    done = done && rebuild_few(s, &with, roots, n);
    for (size_t k = 0; k < n && done; k++)
        roots[k] = with.image[roots[k]];
    s->operands = with.operands;
    s->operand_capacity = with.operand_capacity;
    if (!done)
        s->g->failed = true;
    return done;
}
