/* reduce/alias.c - see alias.h.
 *
 * Union-find with signs.  An equation is read as a linear form c + a x + b y, with unknowns
 * replaced by their roots, so that one pass finds chains.  When a pass finds nothing more,
 * everything is rewritten once, which may fold products with new zeros; that is repeated while
 * equations change (eight times were the most on real models).  */
#include "reduce/alias.h"

#include <math.h>
#include <string.h>

static const double ROUNDING = 1e-14; /* of the largest part: the constant is zero */
enum { SWEEPS_MAX = 12, PASSES_MAX = 12, DEPTH_MAX = 24, TERMS_MAX = 6 };

typedef struct linear {
    int32_t n;
    int32_t unknown[TERMS_MAX];
    double factor[TERMS_MAX];
    double constant, size; /* size: of the largest part of the constant */
} linear;

typedef struct alias_search {
    const alias_task *task;
    alias_outcome *out;
    bool *is_removed; /* by equation */
    bool found;
} alias_search;

alias alias_resolve(alias *of, int32_t x)
{
    alias at = {x, 1.0};
    while (at.root != ALIAS_CONSTANT && of[at.root].root != at.root) {
        alias next = of[at.root];
        at = (alias){next.root, at.value * next.value};
    }
    of[x] = at;
    return at;
}

/* False also if a factor vanishes in a sum beside a much larger one: 1e12 (x - y) + 1e-12 x = 0
 * does not say that x = y. */
static bool add_term(linear *l, int32_t unknown, double factor)
{
    for (int32_t k = 0; k < l->n; k++)
        if (l->unknown[k] == unknown) {
            double before = l->factor[k];
            l->factor[k] += factor;
            bool is_lost = l->factor[k] == before || l->factor[k] == factor;
            return !is_lost || before == 0.0 || factor == 0.0;
        }
    if (l->n == TERMS_MAX)
        return false;
    l->unknown[l->n] = unknown;
    l->factor[l->n++] = factor;
    return true;
}

static void add_constant(linear *l, double value)
{
    l->constant += value;
    l->size = fmax(l->size, fabs(value));
}

static bool add_variable(const alias_search *f, expr e, double factor, linear *l)
{
    const equations *s = f->task->system;
    equations_place at = s->place(s->user, expr_index(s->g, e));
    if (at.unknown == EQUATIONS_KNOWN || at.order > 0)
        return false;
    alias to = alias_resolve(f->out->of, at.unknown);
    if (to.root != ALIAS_CONSTANT)
        return add_term(l, to.root, factor * to.value);
    add_constant(l, factor * to.value);
    return true;
}

/* l += factor * e; false if that is not linear in few unknowns with constant factors. */
static bool add_linear(const alias_search *f, expr e, double factor, linear *l, int depth)
{
    const expr_graph *g = f->task->system->g;
    const expr *x;
    if (depth > DEPTH_MAX)
        return false;
    uint32_t n = expr_operands(g, e, &x);
    switch (expr_op_of(g, e)) {
    case EXPR_CONST:
        add_constant(l, factor * expr_value(g, e));
        return true;
    case EXPR_VAR:
        return add_variable(f, e, factor, l);
    case EXPR_NEG:
        return add_linear(f, x[0], -factor, l, depth + 1);
    case EXPR_ADD:
    case EXPR_SUB:
        return n == 2 && add_linear(f, x[0], factor, l, depth + 1) &&
               add_linear(f, x[1], expr_op_of(g, e) == EXPR_SUB ? -factor : factor, l, depth + 1);
    case EXPR_MUL:
        if (expr_is_constant(g, x[0]))
            return add_linear(f, x[1], factor * expr_value(g, x[0]), l, depth + 1);
        return expr_is_constant(g, x[1]) &&
               add_linear(f, x[0], factor * expr_value(g, x[1]), l, depth + 1);
    case EXPR_DIV:
        return expr_is_constant(g, x[1]) && expr_value(g, x[1]) != 0.0 &&
               add_linear(f, x[0], factor / expr_value(g, x[1]), l, depth + 1);
    default:
        return false;
    }
}

static void drop_zeros(linear *l)
{
    int32_t n = 0;
    for (int32_t k = 0; k < l->n; k++)
        if (l->factor[k] != 0.0) {
            l->unknown[n] = l->unknown[k];
            l->factor[n++] = l->factor[k];
        }
    l->n = n;
    if (fabs(l->constant) <= ROUNDING * l->size)
        l->constant = 0.0;
}

static void set_constant(alias_search *f, int32_t x, double value)
{
    f->out->of[x] = (alias){ALIAS_CONSTANT, value == 0.0 ? 0.0 : value};
    f->out->removed++;
    f->found = true;
}

/* x = sign y */
static void join(alias_search *f, int32_t x, int32_t y, double sign)
{
    const int32_t *preference = f->task->preference;
    bool x_stays = preference[x] > preference[y] || (preference[x] == preference[y] && x < y);
    f->out->of[x_stays ? y : x] = (alias){x_stays ? x : y, sign};
    f->out->removed++;
    f->found = true;
}

/* Use equation i if it makes an unknown an alias or a constant; true: it is removed. */
static bool use(alias_search *f, int32_t i)
{
    linear l = {0};
    if (!add_linear(f, f->task->system->residual[i], 1.0, &l, 0))
        return false;
    drop_zeros(&l);
    bool finite = isfinite(l.constant);
    if (l.n == 0) {
        int32_t *list = l.constant == 0.0 ? &f->out->idle : &f->out->empty;
        *list = *list < 0 ? i : *list;
        return finite;
    }
    if (l.n == 1 && finite && isfinite(l.constant / l.factor[0])) {
        set_constant(f, l.unknown[0], -l.constant / l.factor[0]);
        return true;
    }
    if (l.n == 2 && l.constant == 0.0 && fabs(l.factor[0]) == fabs(l.factor[1])) {
        join(f, l.unknown[0], l.unknown[1], l.factor[0] == l.factor[1] ? -1.0 : 1.0);
        return true;
    }
    return false;
}

/* Repeat until nothing more is found, or PASSES_MAX times: the rest of a long chain stays. */
static void find_all(alias_search *f)
{
    const equations *s = f->task->system;
    f->found = true;
    for (int k = 0; k < PASSES_MAX && f->found; k++) {
        f->found = false;
        for (int32_t i = 0; i < s->n; i++)
            if (!f->is_removed[i])
                f->is_removed[i] = use(f, i);
    }
}

expr alias_image(const alias_task *task, const alias_outcome *out, equations_place at)
{
    expr_graph *g = task->system->g;
    alias to = alias_resolve(out->of, at.unknown);
    if (to.root == ALIAS_CONSTANT)
        return expr_constant(g, at.order == 0 ? to.value : 0.0);
    if (to.root == at.unknown)
        return EXPR_NONE;
    expr root = expr_variable(g, task->symbol(task->system->user, to.root, at.order));
    return to.value < 0.0 ? expr_neg(g, root) : root;
}

static expr image_of(void *user, uint32_t symbol)
{
    alias_search *f = user;
    const equations *s = f->task->system;
    equations_place at = s->place(s->user, symbol);
    if (at.unknown != EQUATIONS_KNOWN)
        return alias_image(f->task, f->out, at);
    return f->task->other_image ? f->task->other_image(s->user, symbol) : EXPR_NONE;
}

/* Rewrite the remaining equations; *changed: at least one of them changed. */
static bool rewrite(alias_search *f, bool *changed)
{
    const alias_task *task = f->task;
    equations *s = task->system;
    size_t n = (size_t)s->n, n_all = n + task->n_others, m = 0;
    expr *all = memory_take_array(s->g->allocator, n_all, sizeof *all);
    if (!all)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!f->is_removed[i])
            all[m++] = s->residual[i];
    if (task->n_others)
        memcpy(all + m, task->others, task->n_others * sizeof *all);
    bool fine = expr_substitute(s->g, s->g, all, m + task->n_others, image_of, f);
    *changed = false;
    m = 0;
    for (size_t i = 0; i < n && fine; i++)
        if (!f->is_removed[i]) {
            *changed = *changed || all[m] != s->residual[i];
            s->residual[i] = all[m++];
        }
    if (fine && task->n_others)
        memcpy(task->others, all + m, task->n_others * sizeof *all);
    memory_give(s->g->allocator, all, n_all * sizeof *all);
    return fine && !s->g->failed;
}

bool alias_eliminate(alias_outcome *out, const alias_task *task)
{
    const equations *s = task->system;
    *out = (alias_outcome){.empty = -1, .idle = -1};
    out->of = arena_take(task->mem, (size_t)s->n_unknowns + 1, sizeof *out->of);
    out->kept = arena_take(task->mem, (size_t)s->n + 1, sizeof *out->kept);
    alias_search f = {.task = task, .out = out};
    f.is_removed = arena_take(task->mem, (size_t)s->n + 1, sizeof *f.is_removed);
    if (!out->of || !out->kept || !f.is_removed)
        return false;
    for (int32_t j = 0; j < s->n_unknowns; j++)
        out->of[j] = (alias){j, 1.0};
    bool changed = true;
    for (int sweep = 0; sweep < SWEEPS_MAX && changed; sweep++) {
        int32_t before = out->removed;
        find_all(&f);
        changed = out->removed > before;
        if (changed && !rewrite(&f, &changed))
            return false;
    }
    for (int32_t j = 0; j < s->n_unknowns; j++)
        alias_resolve(out->of, j);
    for (int32_t i = 0; i < s->n; i++)
        if (!f.is_removed[i])
            out->kept[out->n_kept++] = i;
    return true;
}
