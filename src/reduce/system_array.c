/* reduce/system_array.c - see system_array.h.
 *
 * The derivative of Taylor coefficient r of F with respect to coefficient c of x is coefficient
 * r - c of dF/dx (expr/taylor.h); x' has the coefficients (c + 1) x_{c+1}.        */
#include "reduce/system_array.h"

#include <math.h>
#include <string.h>

#include "expr/taylor.h"
#include "linalg/damped_newton.h"
#include "linalg/least_squares.h"
#include "linalg/scaling.h"

/* ---- slopes ---- */

static bool is_unknown(void *user, uint32_t symbol)
{
    const equations *s = ((const array_source *)user)->system;
    return s->place(s->user, symbol).unknown >= 0;
}

static bool is_moving(const array_source *from, uint32_t symbol)
{
    double c[2] = {0.0, 0.0};
    from->known(from->user, symbol, 1, c);
    return c[1] != 0.0;
}

static array_kind kind_of(const array_source *from, expr_walker *w, expr e)
{
    const equations *s = from->system;
    array_kind kind = ARRAY_CONSTANT;
    if (!expr_depends(w, e, EXPR_ALL))
        return ARRAY_NONLINEAR;
    for (size_t k = 0; k < w->n_found; k++) {
        uint32_t symbol = expr_index(s->g, w->found[k]);
        if (is_unknown((void *)(uintptr_t)from, symbol))
            return ARRAY_NONLINEAR;
        kind = is_moving(from, symbol) ? ARRAY_OF_TIME : kind;
    }
    return kind;
}

static bool add_slopes(system_array *s, int32_t row, const expr_gradient *g, size_t *capacity)
{
    const equations *e = s->from->system;
    array_slope *grown =
        arena_enlarge(&s->mem, s->slope, capacity, s->n_slopes + g->n + 1, sizeof *grown);
    if (!grown)
        return false;
    s->slope = grown;
    for (size_t k = 0; k < g->n; k++) {
        equations_place at = e->place(e->user, g->entry[k].variable);
        s->slope[s->n_slopes++] =
            (array_slope){row, at.unknown, at.order > 0, g->entry[k].derivative};
    }
    return true;
}

static expr_outcome list_slopes(system_array *s, expr_deriver *d)
{
    const equations *e = s->from->system;
    size_t capacity = 0;
    for (int32_t i = 0; i < e->n; i++) {
        expr_gradient g = {0};
        expr_outcome outcome = expr_gradient_of(d, e->residual[i], &g, NULL);
        if (outcome != EXPR_OK)
            return outcome;
        if (!add_slopes(s, i, &g, &capacity))
            return EXPR_NO_MEMORY;
    }
    return EXPR_OK;
}

static void find_kind(system_array *s)
{
    expr_walker w;
    expr_walker_create(&w, s->from->system->g);
    s->kind = ARRAY_CONSTANT;
    for (size_t k = 0; k < s->n_slopes; k++) {
        expr_walker_forget(&w);
        array_kind kind = kind_of(s->from, &w, s->slope[k].value);
        s->kind = kind > s->kind ? kind : s->kind;
    }
    expr_walker_free(&w);
}

expr_outcome system_array_create(system_array *s, const array_source *from)
{
    *s = (system_array){.from = from, .n = from->system->n};
    arena_create(&s->mem, from->allocator, 0);
    expr_selection selection = {is_unknown, (void *)(uintptr_t)from, from->partials};
    expr_deriver *d = expr_deriver_create(from->system->g, &selection);
    expr_outcome outcome = d ? list_slopes(s, d) : EXPR_NO_MEMORY;
    expr_deriver_free(d);
    if (outcome == EXPR_OK)
        find_kind(s);
    return outcome;
}

void system_array_free(system_array *s)
{
    arena_free(&s->mem);
    derivative_array_free(&s->array);
    block_free(&s->path);
}

/* ---- a path ---- */

static void lay_out(void *object, layout *l)
{
    system_array *s = object;
    size_t n = (size_t)s->n, order = (size_t)s->order;
    s->x = layout_take(l, n * (order + 2), sizeof *s->x);
    s->residual = layout_take(l, n * (order + 1), sizeof *s->residual);
    s->room = layout_take(l, order + 2, sizeof *s->room);
}

bool system_array_set(system_array *s, int32_t order)
{
    derivative_array_free(&s->array);
    block_free(&s->path);
    s->order = order;
    return block_create(&s->path, s->from->allocator, lay_out, s) &&
           derivative_array_create(&s->array, s->n, order, s->from->allocator);
}

static double *path_of(const system_array *s, int32_t unknown)
{
    return s->x + (size_t)unknown * (size_t)(s->order + 2);
}

static void coefficients(void *user, uint32_t symbol, double *c)
{
    const system_array *s = user;
    const equations *e = s->from->system;
    equations_place at = e->place(e->user, symbol);
    if (at.unknown < 0) {
        s->from->known(s->from->user, symbol, s->order, c);
        return;
    }
    const double *x = path_of(s, at.unknown);
    for (int32_t k = 0; k <= s->order; k++)
        c[k] = at.order > 0 ? (k + 1) * x[k + 1] : x[k];
}

static expr_outcome series_of(system_array *s, expr e, double *c)
{
    expr_path path = {coefficients, s->order, s};
    expr_outcome outcome = expr_taylor(s->from->system->g, e, &path, c, NULL);
    for (int32_t k = 0; k <= s->order && outcome == EXPR_OK; k++)
        if (!isfinite(c[k]))
            return EXPR_NOT_DIFFERENTIABLE;
    return outcome;
}

static expr_outcome fill_residuals(system_array *s)
{
    for (int32_t i = 0; i < s->n; i++) {
        double *c = s->residual + (size_t)i * (size_t)(s->order + 1);
        expr_outcome outcome = series_of(s, s->from->system->residual[i], c);
        if (outcome != EXPR_OK)
            return outcome;
    }
    return EXPR_OK;
}

expr_outcome system_array_fill(system_array *s)
{
    derivative_array *d = &s->array;
    for (size_t k = 0; k < s->n_slopes; k++) {
        const array_slope *slope = &s->slope[k];
        expr_outcome outcome = series_of(s, slope->value, s->room);
        if (outcome != EXPR_OK)
            return outcome;
        size_t at = (size_t)slope->row * (size_t)s->n + (size_t)slope->col;
        for (int32_t r = 0; r <= s->order; r++)
            derivative_array_at(d, slope->of_derivative ? d->a : d->b, r)[at] = s->room[r];
    }
    return EXPR_OK;
}

/* ---- a path on which the equations hold ---- */

typedef struct path_iteration {
    system_array *s;
    least_squares ls;
    double *matrix, *change, *weight, *before; /* matrix by columns */
    size_t rows, cols;
    block mem;
} path_iteration;

static void lay_out_settling(void *object, layout *l)
{
    path_iteration *t = object;
    size_t most = t->rows > t->cols ? t->rows : t->cols;
    t->matrix = layout_take(l, t->rows * t->cols, sizeof(double));
    t->change = layout_take(l, most, sizeof(double));
    t->weight = layout_take(l, t->cols, sizeof(double));
    t->before = layout_take(l, t->cols, sizeof(double));
}

/* Column q of the matrix is coefficient q % (order + 2) of unknown q / (order + 2). */
static double entry(const system_array *s, int32_t row, int32_t r, int32_t col, int32_t c)
{
    const derivative_array *d = &s->array;
    size_t n = (size_t)s->n, at = (size_t)row * n + (size_t)col;
    return derivative_array_entry(d->a + at, d->b + at, n * n, r, c);
}

/* The weighted linear system, rows divided by their largest entry; *norm: of the residual. */
static damped_reply linearize(void *self, double *norm)
{
    path_iteration *t = self;
    const system_array *s = t->s;
    *norm = 0.0;
    for (size_t i = 0; i < t->rows; i++) {
        int32_t row = (int32_t)i / (s->order + 1), r = (int32_t)i % (s->order + 1);
        double most = 0.0;
        for (size_t q = 0; q < t->cols; q++) {
            double v = entry(s, row, r, (int32_t)q / (s->order + 2), (int32_t)q % (s->order + 2));
            t->matrix[q * t->rows + i] = v * t->weight[q];
            most = fmax(most, fabs(v * t->weight[q]));
        }
        for (size_t q = 0; q < t->cols; q++)
            t->matrix[q * t->rows + i] *= scaling_factor(most);
        t->change[i] = -s->residual[i] * scaling_factor(most);
        *norm = fmax(*norm, fabs(t->change[i]));
    }
    return DAMPED_OK;
}

static damped_reply find_shortest_change(void *self)
{
    path_iteration *t = self;
    least_squares_solve(&t->ls, t->matrix, t->change);
    memcpy(t->before, t->s->x, t->cols * sizeof *t->s->x);
    return DAMPED_OK;
}

static bool fill(system_array *s)
{
    return fill_residuals(s) == EXPR_OK && system_array_fill(s) == EXPR_OK;
}

/* A step is shortened only where the equations have no value.  The residual may grow, because
 * coefficients of high order often do before they converge.             */
static damped_reply try_change(void *self, double share, double *size)
{
    path_iteration *t = self;
    (void)size;
    for (size_t q = 0; q < t->cols; q++)
        t->s->x[q] = t->before[q] + share * t->weight[q] * t->change[q];
    return fill(t->s) ? DAMPED_ENOUGH : DAMPED_UNDEFINED;
}

static bool iterate(path_iteration *t)
{
    enum { SHORT = 30, LONG = 200 };       /* without derivatives an iteration is cheap */
    static const double WEIGHT_MIN = 1e-3; /* so that coefficients of zero can move */
    const double last = 1e-11;             /* the next step squares it */
    damped_newton newton = {.self = t,
                            .measure = linearize,
                            .find_step = find_shortest_change,
                            .try_share = try_change,
                            .iterations_max = t->s->order == 0 ? LONG : SHORT,
                            .halvings_max = 6,
                            .last = last};
    const array_source *from = t->s->from;
    size_t width = (size_t)t->s->order + 2;
    for (size_t q = 0; q < t->cols; q++) {
        t->weight[q] = fmax(fabs(t->s->x[q]), WEIGHT_MIN);
        if (q % width == 0 && from->mobility)
            t->weight[q] *= from->mobility(from->user, (int32_t)(q / width));
    }
    return fill(t->s) && damped_newton_solve(&newton) == DAMPED_FOUND;
}

/* What is as small as the roundoff of its value before is zero. */
static void drop_roundoff(double *x, const double *before, size_t n)
{
    const double roundoff = 1e-13;
    for (size_t k = 0; k < n; k++)
        if (fabs(x[k]) <= roundoff * fabs(before[k]))
            x[k] = 0.0;
}

bool system_array_settle(system_array *s, bool exact_zeros)
{
    path_iteration t = {.s = s,
                        .rows = (size_t)s->n * (size_t)(s->order + 1),
                        .cols = (size_t)s->n * (size_t)(s->order + 2)};
    double *kept = memory_take_array(s->from->allocator, t.cols, sizeof *kept);
    bool fine = kept && block_create(&t.mem, s->from->allocator, lay_out_settling, &t) &&
                least_squares_create(&t.ls, (int32_t)t.rows, (int32_t)t.cols, s->from->allocator);
    if (fine) {
        memcpy(kept, s->x, t.cols * sizeof *kept);
        fine = iterate(&t);
        if (fine && exact_zeros)
            drop_roundoff(s->x, kept, t.cols);
        if (!fine)
            memcpy(s->x, kept, t.cols * sizeof *kept);
    }
    least_squares_free(&t.ls);
    block_free(&t.mem);
    memory_give(s->from->allocator, kept, t.cols * sizeof *kept);
    return fine;
}
