/* graph/components.c - see components.h.
 *
 * The nodes are the variables; variable j points to the variable that equation i is
 * matched with, for every equation i that holds j: "j is needed for it".  Tarjan's
 * algorithm [Tar72] closes a component after all components it points to, so the order of
 * closing, reversed, is the order of evaluation.  Written with an explicit stack, because
 * chains of 10^6 equations exist.  Roots are taken from the last variable to the first, so
 * that what need not be reordered keeps its order.
 *
 * [Tar72] Tarjan: Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972)
 *         146-160.
 * Properties: tests/property/test_graph_theorems.c.                             */
#include "graph/components.h"

#include <assert.h>

#define CLOSED INT32_MAX /* number of a node whose component is known */

typedef struct node {
    int32_t number; /* in order of discovery from 1; 0: not seen yet   */
    int32_t low;    /* smallest number known to be reachable from here */
    int32_t next;   /* the entry to look at next                       */
    int32_t block;  /* in order of closing                             */
} node;

typedef struct walker {
    const daedal_pattern *p;
    const matching *m;
    int32_t n, n_seen, n_trail, n_open, n_blocks;
    node *node;
    int32_t *trail; /* n: from the root to where we are                */
    int32_t *open;  /* n: seen, component not known yet                */
    block mem;
} walker;

static void walker_lay_out(void *object, layout *l)
{
    walker *w = object;
    size_t n = (size_t)w->n;
    w->node = layout_take(l, n, sizeof *w->node);
    w->trail = layout_take(l, n, sizeof *w->trail);
    w->open = layout_take(l, n, sizeof *w->open);
}

static void enter(walker *w, int32_t j)
{
    w->node[j].number = w->node[j].low = ++w->n_seen;
    w->node[j].next = w->p->start[j];
    w->trail[w->n_trail++] = j;
    w->open[w->n_open++] = j;
}

/* Follow the arcs of j up to one that leads to a new node; false if there is none. */
static bool go_deeper(walker *w, int32_t j)
{
    node *x = &w->node[j];
    while (x->next < w->p->start[j + 1]) {
        int32_t other = w->m->col_of[w->p->row[x->next++]];
        if (w->node[other].number == 0) {
            enter(w, other);
            return true;
        }
        if (w->node[other].number < x->low)
            x->low = w->node[other].number;
    }
    return false;
}

/* All open nodes down to j are one component. */
static void close_component(walker *w, int32_t j)
{
    int32_t member;
    do {
        member = w->open[--w->n_open];
        w->node[member].number = CLOSED;
        w->node[member].block = w->n_blocks;
    } while (member != j);
    w->n_blocks++;
}

static void leave(walker *w, int32_t j)
{
    const node *x = &w->node[j];
    w->n_trail--;
    if (x->low == x->number)
        close_component(w, j);
    else if (x->low < w->node[w->trail[w->n_trail - 1]].low) /* not the root: low < number */
        w->node[w->trail[w->n_trail - 1]].low = x->low;
}

static void walk_from(walker *w, int32_t root)
{
    enter(w, root);
    while (w->n_trail > 0) {
        int32_t j = w->trail[w->n_trail - 1];
        if (!go_deeper(w, j))
            leave(w, j);
    }
}

static void walk(walker *w)
{
    for (int32_t j = w->n - 1; j >= 0; j--)
        if (w->node[j].number == 0)
            walk_from(w, j);
}

/* ---- the result ------------------------------------------------------------- */

static void components_lay_out(void *object, layout *l)
{
    components *c = object;
    size_t n = (size_t)c->n;
    c->start = layout_take(l, (size_t)c->n_blocks + 1, sizeof *c->start);
    c->row = layout_take(l, n, sizeof *c->row);
    c->col = layout_take(l, n, sizeof *c->col);
    c->row_at = layout_take(l, n, sizeof *c->row_at);
    c->block_of = layout_take(l, n, sizeof *c->block_of);
}

static void number_blocks(components *c, const walker *w)
{
    for (int32_t j = 0; j < c->n; j++) {
        c->block_of[j] = w->n_blocks - 1 - w->node[j].block;
        c->start[c->block_of[j] + 1]++;
    }
    for (int32_t b = 0; b < c->n_blocks; b++) {
        if (c->start[b + 1] > c->largest)
            c->largest = c->start[b + 1];
        c->start[b + 1] += c->start[b];
    }
}

static void fill_blocks(components *c, const matching *m)
{
    for (int32_t j = 0; j < c->n; j++) {
        int32_t at = c->start[c->block_of[j]]++;
        c->col[at] = j;
        c->row[at] = m->row_of[j];
        c->row_at[m->row_of[j]] = at;
    }
    for (int32_t b = c->n_blocks; b > 0; b--) /* undo the shift of the fill above */
        c->start[b] = c->start[b - 1];
    c->start[0] = 0;
}

bool components_create(components *c, const daedal_pattern *p, const matching *m,
                       const daedal_allocator *a)
{
    assert(p->n_rows == p->n_cols && m->size == p->n_cols);
    *c = (components){0};
    walker w = {.p = p, .m = m, .n = p->n_cols};
    if (!block_create(&w.mem, a, walker_lay_out, &w))
        return false;
    walk(&w);
    c->n = w.n;
    c->n_blocks = w.n_blocks;
    bool done = block_create(&c->mem, a, components_lay_out, c);
    if (done) {
        number_blocks(c, &w);
        fill_blocks(c, m);
    } else {
        *c = (components){0};
    }
    block_free(&w.mem);
    return done;
}

void components_free(components *c)
{
    block_free(&c->mem);
    *c = (components){0};
}
