/* reduce/augment.c - see augment.h.
 *
 * With theta the least c of the set, equation i enters as f_i^(c_i - theta), in which x_j stands
 * up to order d_j - theta.  As functions of these leading unknowns the equations have rank r, one
 * less than there are equations, and can be solved for r of them whatever the others are: these
 * are zero where the equations are linear in them, what they are near the start otherwise. */
#include "reduce/augment.h"

#include "reduce/combine.h"

typedef struct exchange {
    const augment_task *task;
    int32_t theta, n;
    int32_t *unknown; /* the n leading ones                   */
    uint32_t *symbol; /* of their leading derivatives         */
    expr *image;      /* their proxies or constants           */
    expr_walker *w;
    block mem;
} exchange;

static void lay_out(void *object, layout *l)
{
    exchange *x = object;
    size_t n = (size_t)x->task->repair->system->n_unknowns;
    x->unknown = layout_take(l, n, sizeof *x->unknown);
    x->symbol = layout_take(l, n, sizeof *x->symbol);
    x->image = layout_take(l, n, sizeof *x->image);
}

/* ---- the leading unknowns ---- */

static void add_leading(exchange *x, int32_t j)
{
    const augment_task *task = x->task;
    for (int32_t k = 0; k < x->n; k++)
        if (x->unknown[k] == j)
            return;
    x->unknown[x->n] = j;
    x->symbol[x->n++] = task->symbol(task->user, j, task->repair->offsets->d[j] - x->theta);
}

static bool list_leading(exchange *x)
{
    const repair_task *r = x->task->repair;
    const equations *s = r->system;
    for (int32_t k = 0; k < x->task->set->n_rows; k++) {
        int32_t i = x->task->set->row[k];
        expr_walker_forget(x->w);
        if (!expr_depends(x->w, s->residual[i], EXPR_INCIDENCE))
            return false;
        for (size_t q = 0; q < x->w->n_found; q++) {
            equations_place at = s->place(s->user, expr_index(s->g, x->w->found[q]));
            if (at.unknown >= 0 && repair_is_leading(r, i, at))
                add_leading(x, at.unknown);
        }
    }
    return true;
}

static int32_t find(const exchange *x, uint32_t symbol)
{
    for (int32_t k = 0; k < x->n; k++)
        if (x->symbol[k] == symbol)
            return k;
    return -1;
}

static bool is_leading_symbol(void *user, uint32_t symbol)
{
    return find(user, symbol) >= 0;
}

/* ---- their images: proxies or constants ---- */

static bool depends_on_leading(exchange *x, expr e)
{
    expr_walker_forget(x->w);
    if (!expr_depends(x->w, e, EXPR_INCIDENCE))
        return true;
    for (size_t q = 0; q < x->w->n_found; q++)
        if (find(x, expr_index(x->w->g, x->w->found[q])) >= 0)
            return true;
    return false;
}

static bool is_linear(exchange *x, const expr *copy)
{
    expr_selection selection = {is_leading_symbol, x, x->task->repair->partials};
    expr_deriver *d = expr_deriver_create(x->task->repair->system->g, &selection);
    bool linear = d != NULL;
    for (int32_t k = 0; k < x->task->set->n_rows && linear; k++) {
        expr_gradient g = {0};
        linear = expr_gradient_of(d, copy[k], &g, NULL) == EXPR_OK;
        for (size_t q = 0; q < g.n && linear; q++)
            linear = !depends_on_leading(x, g.entry[q].derivative);
    }
    expr_deriver_free(d);
    return linear;
}

static bool is_solved_for(const repair_set *set, int32_t j)
{
    for (int32_t k = 0; k < set->n_cols; k++)
        if (set->col[k] == j)
            return true;
    return false;
}

static bool choose_images(exchange *x, const expr *copy)
{
    const augment_task *task = x->task;
    const repair_task *r = task->repair;
    bool linear = is_linear(x, copy);
    for (int32_t k = 0; k < x->n; k++) {
        int32_t j = x->unknown[k];
        if (is_solved_for(task->set, j))
            x->image[k] = task->proxy(task->user, j, r->offsets->d[j] - x->theta);
        else
            x->image[k] =
                expr_constant(r->system->g, linear ? 0.0 : r->value(r->user, 0, x->symbol[k]));
        if (x->image[k] == EXPR_NONE)
            return false;
    }
    return true;
}

static expr image_of(void *user, uint32_t symbol)
{
    const exchange *x = user;
    int32_t k = find(x, symbol);
    return k < 0 ? EXPR_NONE : x->image[k];
}

/* ---- elimination of explicit proxies ---- */

typedef struct solved {
    uint32_t symbol;
    expr value;
} solved;

static expr solved_image(void *user, uint32_t symbol)
{
    const solved *s = user;
    return s->symbol == symbol ? s->value : EXPR_NONE;
}

static bool is_proxy(void *user, uint32_t symbol)
{
    const exchange *x = user;
    const expr_graph *g = x->task->repair->system->g;
    for (int32_t k = 0; k < x->n; k++)
        if (expr_is_variable(g, x->image[k]) && expr_index(g, x->image[k]) == symbol)
            return true;
    return false;
}

/* The number of a copy that gives a proxy by a constant factor, p = value; -1: none. */
static int32_t find_explicit(const exchange *x, expr_deriver *d, const augmentation *to, solved *p)
{
    expr_graph *g = x->task->repair->system->g;
    for (int32_t k = to->n; k-- > 0;) {
        expr_gradient slopes = {0};
        if (expr_gradient_of(d, to->copy[k], &slopes, NULL) != EXPR_OK)
            continue;
        for (size_t q = 0; q < slopes.n; q++) {
            expr factor = slopes.entry[q].derivative;
            if (!expr_is_constant(g, factor) || expr_value(g, factor) == 0.0)
                continue;
            expr rest = to->copy[k];
            *p = (solved){slopes.entry[q].variable, expr_constant(g, 0.0)};
            if (!expr_substitute_few(x->task->repair->substituter, &rest, 1, solved_image, p))
                return -1;
            p->value = expr_neg(g, expr_div(g, rest, factor));
            return k;
        }
    }
    return -1;
}

static bool write_out_proxies(exchange *x, augmentation *to)
{
    expr_graph *g = x->task->repair->system->g;
    expr_selection selection = {is_proxy, x, x->task->repair->partials};
    expr_deriver *d = expr_deriver_create(g, &selection);
    solved p;
    int32_t k;
    bool fine = d != NULL;
    while (fine && to->n > 1 && (k = find_explicit(x, d, to, &p)) >= 0) {
        to->n--;
        for (; k < to->n; k++) {
            to->copy[k] = to->copy[k + 1];
            to->row[k] = to->row[k + 1];
        }
        fine = expr_substitute_few(x->task->repair->substituter, to->copy, (size_t)to->n,
                                   solved_image, &p);
    }
    expr_deriver_free(d);
    return fine;
}

/* ---- cancellation ---- */

/* How many symbols the expression depends on. */
static size_t count_symbols(const exchange *x, expr e)
{
    expr_walker_forget(x->w);
    return expr_depends(x->w, e, EXPR_INCIDENCE) ? x->w->n_found : 0;
}

/* Substitution leaves terms that cancel, which the structure would still count.  Products of sums
 * are expanded only if some symbol disappears, or if the sum is short.                  */
static bool cancel(exchange *x, expr *copy)
{
    enum { TERMS_MOST = 400, FEW_TERMS = 8 };
    const repair_task *r = x->task->repair;
    combination sum;
    combination_create(&sum, r->system->g, r->allocator);
    sum.most = TERMS_MOST;
    combination_add(&sum, *copy, 1.0);
    bool fine = !sum.failed;
    if (fine && !sum.crowded) {
        expr e = combination_sum(&sum);
        size_t before = count_symbols(x, *copy);
        if (count_symbols(x, e) < before || sum.n <= 2 * before + FEW_TERMS)
            *copy = e;
    }
    combination_free(&sum);
    return fine;
}

/* ---- the copies ---- */

static expr_outcome make(exchange *x, augmentation *to)
{
    const repair_task *r = x->task->repair;
    const repair_set *set = x->task->set;
    expr_graph *g = r->system->g;
    if (!list_leading(x))
        return EXPR_NO_MEMORY;
    for (to->n = 0; to->n < set->n_rows; to->n++) {
        int32_t i = set->row[to->n];
        expr e = repair_differentiate(r, r->system->residual[i], r->offsets->c[i] - x->theta);
        if (e == EXPR_NONE)
            return g->failed ? EXPR_NO_MEMORY : EXPR_NOT_DIFFERENTIABLE;
        to->copy[to->n] = e;
        to->row[to->n] = i;
    }
    bool fine = choose_images(x, to->copy) &&
                expr_substitute_few(r->substituter, to->copy, (size_t)to->n, image_of, x) &&
                write_out_proxies(x, to);
    for (int32_t k = 0; k < to->n && fine; k++)
        fine = cancel(x, &to->copy[k]);
    return fine && !g->failed ? EXPR_OK : EXPR_NO_MEMORY;
}

expr_outcome augment(const augment_task *task, augmentation *to)
{
    const repair_set *set = task->set;
    exchange x = {.task = task,
                  .w = task->repair->walker,
                  .theta = task->repair->offsets->c[set->row[set->n_rows - 1]]};
    bool fine = block_create(&x.mem, task->repair->allocator, lay_out, &x);
    expr_outcome outcome = fine ? make(&x, to) : EXPR_NO_MEMORY;
    block_free(&x.mem);
    return outcome;
}
