/* clocks/grids.c - see partitions.h: the instants at which a partition ticks.
 *
 * A constructor gives a partition its clock; sub-, super-, shift- and backSample carry it over to
 * the partitions on their other side, in both directions, with ratios of whole numbers. */
#include "clocks/partitions.h"

#include <math.h>
#include <stdlib.h>

/* ---- ratios ---- */

static int64_t divisor(int64_t a, int64_t b)
{
    a = a < 0 ? -a : a;
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

ratio ratio_make(int64_t n, int64_t d)
{
    if (d <= 0)
        return (ratio){0, 0};
    int64_t g = divisor(n, d);
    return (ratio){n / g, d / g};
}

static ratio product(int64_t a, int64_t b, int64_t c, int64_t d)
{
    int64_t n, m;
    if (c <= 0 || d <= 0 || __builtin_mul_overflow(a, b, &n) || __builtin_mul_overflow(c, d, &m) ||
        n == INT64_MIN)
        return (ratio){0, 0};
    return ratio_make(n, m);
}

ratio ratio_multiply(ratio a, ratio b)
{
    return product(a.n, b.n, a.d, b.d);
}

ratio ratio_divide(ratio a, ratio b)
{
    return product(a.n, b.d, a.d, b.n);
}

ratio ratio_add(ratio a, ratio b)
{
    int64_t x, y, n, d;
    if (__builtin_mul_overflow(a.n, b.d, &x) || __builtin_mul_overflow(b.n, a.d, &y) ||
        __builtin_add_overflow(x, y, &n) || __builtin_mul_overflow(a.d, b.d, &d) || n == INT64_MIN)
        return (ratio){0, 0};
    return ratio_make(n, d);
}

/* ---- constructors ---- */

/* The operator that stands for all base clocks equal to this one. */
static size_t base_of(partitions *p, size_t k)
{
    const clock_operator *op = p->list->item;
    for (size_t i = 0; i < k; i++) {
        bool exact = op[k].kind == CLOCK_EXACT && op[i].kind == CLOCK_EXACT;
        bool equal = op[k].kind == CLOCK_REAL && op[i].kind == CLOCK_REAL &&
                     (op[k].interval == op[i].interval ||
                      expr_value(p->in->g, op[k].interval) == expr_value(p->in->g, op[i].interval));
        if (exact || equal)
            return i;
    }
    return k;
}

static bool constructed(partitions *p, size_t k, clock_grid *grid)
{
    const clock_operator *op = &p->list->item[k];
    if (op->kind > CLOCK_EVENT)
        return false;
    *grid = (clock_grid){.is_known = true,
                         .is_event = op->kind == CLOCK_EVENT,
                         .base = base_of(p, k),
                         .first = {0, 1},
                         .step = {1, 1}};
    if (op->kind == CLOCK_EXACT)
        grid->step = ratio_make(op->counter, op->resolution);
    return true;
}

/* ---- operators between partitions ---- */

static bool is_edge(const clock_operator *op)
{
    return (op->kind >= CLOCK_SUB && op->kind <= CLOCK_BACK) || op->kind == CLOCK_METHOD;
}

static bool is_open(const clock_operator *op)
{
    return (op->kind == CLOCK_SUB || op->kind == CLOCK_SUPER) && op->counter == 0;
}

/* The grid behind an operator, from the grid of its operand, or the other way. */
static clock_grid carried(const clock_operator *op, clock_grid g, bool backwards)
{
    ratio by = op->kind == CLOCK_METHOD ? (ratio){1, 1} : ratio_make(op->counter, op->resolution);
    bool divide = (op->kind == CLOCK_SUPER) != backwards;
    if (op->kind == CLOCK_SUB || op->kind == CLOCK_SUPER) {
        g.step = divide ? ratio_divide(g.step, by) : ratio_multiply(g.step, by);
    } else if (op->kind == CLOCK_SHIFT || op->kind == CLOCK_BACK) {
        ratio shift = ratio_multiply(g.step, by);
        if ((op->kind == CLOCK_BACK) != backwards)
            shift.n = -shift.n;
        g.first = ratio_add(g.first, shift);
    }
    return g;
}

static double seconds(partitions *p, const clock_grid *g, ratio r)
{
    const clock_operator *base = &p->list->item[g->base];
    double unit = base->kind == CLOCK_REAL ? expr_value(p->in->g, base->interval) : 1.0;
    return unit * (double)r.n / (double)r.d;
}

static bool is_close(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

static bool same_grid(partitions *p, const clock_grid *a, const clock_grid *b)
{
    if (a->is_event != b->is_event || (a->is_event && a->base != b->base))
        return false;
    if (a->base == b->base)
        return ratio_is(a->first, b->first) && ratio_is(a->step, b->step);
    return is_close(seconds(p, a, a->step), seconds(p, b, b->step)) &&
           is_close(seconds(p, a, a->first), seconds(p, b, b->first));
}

static const char *words(partitions *p, const clock_grid *g)
{
    if (g->is_event)
        return context_text(p->in,
                            "an event clock, every %lld/%lld ticks, the first with %lld/%lld",
                            (long long)g->step.n, (long long)g->step.d, (long long)g->first.n,
                            (long long)g->first.d);
    return context_text(p->in, "every %.10g s from %.10g s on", seconds(p, g, g->step),
                        seconds(p, g, g->first));
}

/* Gives a partition its grid; false after an error: it has another one. */
static bool give(partitions *p, uint32_t root, clock_grid grid, size_t op, bool *changed)
{
    clock_grid *now = &p->partition[root].grid;
    source_at at = p->list->item[op].at;
    clock_method method = now->method;
    if (now->is_known && same_grid(p, now, &grid))
        return true;
    const char *name = partitions_name(p, root);
    if (now->is_known) {
        context_error(p->in, at, "'%s' belongs to two clocks: %s, and %s",
                      name ? name : "an expression", words(p, now), words(p, &grid));
        return false;
    }
    bool early = grid.first.n < 0;
    if (early || grid.first.d == 0 || grid.step.d == 0 || grid.step.n <= 0) {
        context_error(p->in, at, "the clock of '%s' %s", name ? name : "an expression",
                      early ? "would tick before its base clock starts: use shiftSample() first"
                            : "needs ratios of whole numbers that are too large");
        return false;
    }
    *now = grid;
    now->method = method;
    return *changed = true;
}

static bool carry(partitions *p, size_t k, bool *changed)
{
    const clock_operator *op = &p->list->item[k];
    if (!is_edge(op) || is_open(op) || p->operand[k] == FLAT_NONE)
        return true;
    uint32_t from = partitions_root(p, p->operand[k]), to = partitions_root(p, op->result);
    const clock_grid *a = &p->partition[from].grid, *b = &p->partition[to].grid;
    if (a->is_known)
        return give(p, to, carried(op, *a, false), k, changed);
    return !b->is_known || give(p, from, carried(op, *b, true), k, changed);
}

/* ---- methods ---- */

static void carry_method(partitions *p, size_t k, bool *changed)
{
    const clock_operator *op = &p->list->item[k];
    if (!is_edge(op) || p->operand[k] == FLAT_NONE)
        return;
    clock_grid *from = &partitions_of(p, p->operand[k])->grid;
    clock_grid *to = &partitions_of(p, op->result)->grid;
    clock_method method = op->kind == CLOCK_METHOD ? op->method : from->method;
    if (to->method == CLOCKED_WITHOUT_METHOD && method != CLOCKED_WITHOUT_METHOD) {
        to->method = method;
        *changed = true;
    }
    if (op->kind != CLOCK_METHOD && from->method == CLOCKED_WITHOUT_METHOD &&
        to->method != CLOCKED_WITHOUT_METHOD) {
        from->method = to->method;
        *changed = true;
    }
}

/* ---- what is left ---- */

static bool fail_without(partitions *p, uint32_t root)
{
    const clock_operator *op = &p->list->item[p->partition[root].why_clocked];
    const char *name = partitions_name(p, root);
    if (op->kind == CLOCK_PREVIOUS || op->kind == CLOCK_INTERVAL || op->kind == CLOCK_FIRST)
        context_error(p->in, op->at,
                      "%s() stands in equations that have no clock: give '%s' one, "
                      "with sample(u, Clock(...)) or in 'when Clock(...) then'",
                      op->kind == CLOCK_PREVIOUS   ? "previous"
                      : op->kind == CLOCK_INTERVAL ? "interval"
                                                   : "firstTick",
                      name ? name : "the variable");
    else
        context_error(p->in, op->at,
                      "the clocked partition of '%s' has no clock: give one of its "
                      "signals a clock, as in sample(u, Clock(0.1))",
                      name ? name : "this expression");
    return false;
}

/* A factor that the text leaves open must be a whole number. */
static bool check_open(partitions *p, size_t k)
{
    const clock_operator *op = &p->list->item[k];
    if (!is_open(op) || p->operand[k] == FLAT_NONE)
        return true;
    const clock_grid *a = &partitions_of(p, p->operand[k])->grid;
    const clock_grid *b = &partitions_of(p, op->result)->grid;
    double from = seconds(p, a, a->step), to = seconds(p, b, b->step);
    double factor = op->kind == CLOCK_SUB ? to / from : from / to;
    if (a->is_event == b->is_event && is_close(factor, floor(factor + 0.5)))
        return true;
    context_error(p->in, op->at, "the clocks on both sides, %s, and %s, differ by no whole factor",
                  words(p, a), words(p, b));
    return false;
}

static bool check_event(partitions *p, uint32_t root)
{
    const clock_grid *g = &p->partition[root].grid;
    if (!g->is_event || (g->step.d == 1 && g->first.d == 1))
        return true;
    const char *name = partitions_name(p, root);
    context_error(p->in, p->list->item[p->partition[root].why_clocked].at,
                  "'%s' would tick between the ticks of an event clock: their times are not known",
                  name ? name : "an expression");
    return false;
}

bool grids_infer(partitions *p)
{
    bool changed = true;
    for (size_t k = 0; k < p->list->n; k++) {
        clock_grid grid;
        if (constructed(p, k, &grid) &&
            !give(p, partitions_root(p, p->list->item[k].result), grid, k, &changed))
            return false;
    }
    while (changed) {
        changed = false;
        for (size_t k = 0; k < p->list->n; k++) {
            if (!carry(p, k, &changed))
                return false;
            carry_method(p, k, &changed);
        }
    }
    for (uint32_t v = 0; v < p->n; v++) {
        const clock_partition *part = &p->partition[v];
        bool is_root = part->is_clocked && partitions_root(p, v) == v;
        if (is_root && !(part->grid.is_known ? check_event(p, v) : fail_without(p, v)))
            return false;
    }
    for (size_t k = 0; k < p->list->n; k++)
        if (!check_open(p, k))
            return false;
    return true;
}
