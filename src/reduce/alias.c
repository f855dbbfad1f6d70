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

/* Factors and the constant are constants of the graph: so the formulas of live ones are kept. */
typedef struct linear {
    int32_t n;
    int32_t unknown[TERMS_MAX];
    expr factor[TERMS_MAX];
    expr constant;
    double size; /* of the largest part of the constant */
} linear;

typedef struct alias_search {
    const alias_task *task;
    alias_outcome *out;
    bool *is_removed; /* by equation */
    bool found;
} alias_search;

alias alias_resolve(alias *of, int32_t x)
{
    alias at = {x, 1.0, EXPR_NONE};
    while (at.root != ALIAS_CONSTANT && of[at.root].root != at.root) {
        alias next = of[at.root];
        at = (alias){next.root, at.factor * next.factor, next.constant};
    }
    of[x] = at;
    return at;
}

static double value_of(const alias_search *f, expr constant)
{
    return expr_value_now(f->task->system->g, constant);
}

/* False also if a factor vanishes in a sum beside a much larger one: 1e12 (x - y) + 1e-12 x = 0
 * does not say that x = y. */
static bool add_term(const alias_search *f, linear *l, int32_t unknown, expr factor)
{
    expr_graph *g = f->task->system->g;
    for (int32_t k = 0; k < l->n; k++)
        if (l->unknown[k] == unknown) {
            double before = value_of(f, l->factor[k]), more = value_of(f, factor);
            l->factor[k] = expr_add(g, l->factor[k], factor);
            if (!expr_is_constant(g, l->factor[k]))
                return false;
            double after = value_of(f, l->factor[k]);
            return (after != before && after != more) || before == 0.0 || more == 0.0;
        }
    if (l->n == TERMS_MAX)
        return false;
    l->unknown[l->n] = unknown;
    l->factor[l->n++] = factor;
    return true;
}

static bool add_constant(const alias_search *f, linear *l, expr value)
{
    expr_graph *g = f->task->system->g;
    l->constant = expr_add(g, l->constant, value);
    if (!expr_is_constant(g, l->constant) || !expr_is_constant(g, value))
        return false;
    l->size = fmax(l->size, fabs(value_of(f, value)));
    return true;
}

static expr signed_factor(expr_graph *g, expr factor, double sign)
{
    return sign < 0.0 ? expr_neg(g, factor) : factor;
}

static bool add_variable(const alias_search *f, expr e, expr factor, linear *l)
{
    const equations *s = f->task->system;
    equations_place at = s->place(s->user, expr_index(s->g, e));
    if (at.unknown == EQUATIONS_KNOWN || at.order > 0)
        return false;
    alias to = alias_resolve(f->out->of, at.unknown);
    factor = signed_factor(s->g, factor, to.factor);
    if (to.root != ALIAS_CONSTANT)
        return add_term(f, l, to.root, factor);
    return add_constant(f, l, expr_mul(s->g, factor, to.constant));
}

static bool add_linear(const alias_search *f, expr e, expr factor, linear *l, int depth);

/* l += c * x, with c constant unless it overflowed */
static bool add_multiple(const alias_search *f, expr x, expr c, linear *l, int depth)
{
    return expr_is_constant(f->task->system->g, c) && add_linear(f, x, c, l, depth + 1);
}

/* l += factor * e; false if that is not linear in few unknowns with constant factors. */
static bool add_linear(const alias_search *f, expr e, expr factor, linear *l, int depth)
{
    expr_graph *g = f->task->system->g;
    const expr *x;
    if (depth > DEPTH_MAX)
        return false;
    uint32_t n = expr_operands(g, e, &x);
    expr a = n > 0 ? x[0] : EXPR_NONE, b = n > 1 ? x[1] : EXPR_NONE; /* makers move the operands */
    switch (expr_op_of(g, e)) {
    case EXPR_CONST:
        return add_constant(f, l, expr_mul(g, factor, e));
    case EXPR_VAR:
        return add_variable(f, e, factor, l);
    case EXPR_NEG:
        return add_linear(f, a, expr_neg(g, factor), l, depth + 1);
    case EXPR_ADD:
        return add_linear(f, a, factor, l, depth + 1) && add_linear(f, b, factor, l, depth + 1);
    case EXPR_SUB:
        return add_linear(f, a, factor, l, depth + 1) &&
               add_linear(f, b, expr_neg(g, factor), l, depth + 1);
    case EXPR_MUL:
        if (expr_is_constant(g, a))
            return add_multiple(f, b, expr_mul(g, factor, a), l, depth);
        return expr_is_constant(g, b) && add_multiple(f, a, expr_mul(g, factor, b), l, depth);
    case EXPR_DIV:
        return expr_is_constant(g, b) && add_multiple(f, a, expr_div(g, factor, b), l, depth);
    default:
        return false;
    }
}

static void drop_zeros(const alias_search *f, linear *l)
{
    expr_graph *g = f->task->system->g;
    int32_t n = 0;
    for (int32_t k = 0; k < l->n; k++)
        if (value_of(f, l->factor[k]) != 0.0) {
            l->unknown[n] = l->unknown[k];
            l->factor[n++] = l->factor[k];
        }
    l->n = n;
    double rest = fabs(value_of(f, l->constant));
    if (rest > 0.0 && rest <= ROUNDING * l->size) {
        expr_settled(g, l->constant); /* it must stay nearly zero */
        l->constant = expr_constant(g, 0.0);
    }
}

static void set_constant(alias_search *f, int32_t x, expr value)
{
    f->out->of[x] = (alias){ALIAS_CONSTANT, 1.0, value};
    f->out->removed++;
    f->found = true;
}

/* x = sign y */
static void join(alias_search *f, int32_t x, int32_t y, double sign)
{
    const int32_t *preference = f->task->preference;
    bool x_stays = preference[x] > preference[y] || (preference[x] == preference[y] && x < y);
    f->out->of[x_stays ? y : x] = (alias){x_stays ? x : y, sign, EXPR_NONE};
    f->out->removed++;
    f->found = true;
}

/* a x + b y = 0 as x = sign y; 0: neither, or only for the present values of parameters. */
static double sign_between(expr_graph *g, expr a, expr b)
{
    if (a == b)
        return -1.0;
    if (a == expr_neg(g, b))
        return 1.0;
    expr ratio = expr_div(g, b, a);
    if (!expr_is_constant(g, ratio) || expr_is_live(g, ratio))
        return 0.0;
    double value = expr_value_now(g, ratio);
    return fabs(value) == 1.0 ? -value : 0.0;
}

/* Use equation i if it makes an unknown an alias or a constant; true: it is removed. */
static bool use(alias_search *f, int32_t i)
{
    expr_graph *g = f->task->system->g;
    linear l = {.constant = expr_constant(g, 0.0)};
    if (!add_linear(f, f->task->system->residual[i], expr_constant(g, 1.0), &l, 0))
        return false;
    drop_zeros(f, &l);
    bool is_zero = value_of(f, l.constant) == 0.0;
    if (l.n == 0) {
        int32_t *list = is_zero ? &f->out->idle : &f->out->empty;
        *list = *list < 0 ? i : *list;
        expr_settled(g, l.constant);
        return true;
    }
    expr value = l.n == 1 ? expr_neg(g, expr_div(g, l.constant, l.factor[0])) : EXPR_NONE;
    if (value && expr_is_constant(g, value)) {
        set_constant(f, l.unknown[0], value);
        return true;
    }
    double sign = l.n == 2 && is_zero ? sign_between(g, l.factor[0], l.factor[1]) : 0.0;
    if (sign == 0.0)
        return false;
    join(f, l.unknown[0], l.unknown[1], sign);
    return true;
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

/* The expression that replaces an unknown or its derivative, EXPR_NONE if it stays. */
static expr replacement_of(const alias_task *task, const alias_outcome *out, equations_place at)
{
    expr_graph *g = task->system->g;
    alias to = alias_resolve(out->of, at.unknown);
    if (to.root == ALIAS_CONSTANT)
        return at.order == 0 ? signed_factor(g, to.constant, to.factor) : expr_constant(g, 0.0);
    if (to.root == at.unknown)
        return EXPR_NONE;
    expr root = expr_variable(g, task->symbol(task->system->user, to.root, at.order));
    return to.factor < 0.0 ? expr_neg(g, root) : root;
}

static expr image_of(void *user, uint32_t symbol)
{
    alias_search *f = user;
    const equations *s = f->task->system;
    equations_place at = s->place(s->user, symbol);
    if (at.unknown != EQUATIONS_KNOWN)
        return replacement_of(f->task, f->out, at);
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
        out->of[j] = (alias){j, 1.0, EXPR_NONE};
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
