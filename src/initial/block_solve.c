/* initial/block_solve.c - see start_problem.h: equations solved block by block, in order.
 *
 * With the states known, most equations of real models determine one unknown each, and most
 * of these are linear in it.  Solved in order they give a first guess in which exact zeros
 * stay exact, and in which divisors have their values; Newton for the
 * whole system then starts there (docs/theory/start.md).
 * Single equations are solved by secants, blocks by damped Newton with differences and the
 * shortest step where their matrix is singular.                                  */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "compile/compiled.h"
#include "expr/walk.h"
#include "initial/start_problem.h"
#include "linalg/damped_newton.h"
#include "linalg/least_squares.h"

enum { BLOCK_MAX = 150, ITERATIONS_MAX = 25, HALVINGS_MAX = 12 };
static const double DIFFERENCE = 1e-7; /* relative: about sqrt(rounding), on the safe side */
static const double SOLVED = 1e-14, TOLERATED = 1e-8; /* scaled residuals; a guess needs no more */

typedef struct piece {
    start_problem *m;
    int32_t n;
    const int32_t *row, *column;
    /* of a block */
    double *r, *r_moved, *matrix, *z, *step, *scale;
    least_squares ls;
    block mem;
} piece;

static double residual_of(const piece *p, int32_t i)
{
    return compiled_evaluate(p->m->compiled, p->m->reduced->residual[p->row[i]]);
}

static double *unknown_of(const piece *p, int32_t k)
{
    uint32_t j = (uint32_t)p->column[k];
    return &p->m->values->x[(p->m->reduced->differential[j] ? p->m->values->place.yp
                                                            : p->m->values->place.y) +
                            j];
}

static void lay_out(void *object, layout *l)
{
    piece *p = object;
    size_t n = (size_t)p->n;
    p->r = layout_take(l, n, sizeof(double));
    p->r_moved = layout_take(l, n, sizeof(double));
    p->z = layout_take(l, n, sizeof(double));
    p->step = layout_take(l, n, sizeof(double));
    p->scale = layout_take(l, n, sizeof(double));
    p->matrix = layout_take(l, n * n, sizeof(double));
}

static bool residuals(const piece *p, double *r)
{
    bool fine = true;
    for (int32_t i = 0; i < p->n; i++) {
        r[i] = residual_of(p, i);
        fine = fine && isfinite(r[i]);
    }
    return fine;
}

static double size_of(const piece *p, const double *r)
{
    double most = 0.0;
    for (int32_t i = 0; i < p->n; i++)
        most = fmax(most, fabs(r[i]) / p->scale[i]);
    return most;
}

static double typical(const piece *p, int32_t k)
{
    double nominal = p->m->compiled->nominal[p->column[k]];
    return fmax(fabs(*unknown_of(p, k)), nominal > 0.0 ? nominal : 1.0);
}

/* Differences, by columns; rows scaled by their largest entry.  Unknowns in units of their
 * typical size, so that the shortest step is short in all of them alike.         */
static bool differences(piece *p)
{
    size_t n = (size_t)p->n;
    for (int32_t k = 0; k < p->n; k++) {
        double *x = unknown_of(p, k), kept = *x, unit = typical(p, k);
        *x = kept + DIFFERENCE * unit;
        double moved = *x - kept;
        bool fine = residuals(p, p->r_moved);
        *x = kept;
        if (!fine)
            return false;
        for (size_t i = 0; i < n; i++)
            p->matrix[(size_t)k * n + i] = (p->r_moved[i] - p->r[i]) / moved * unit;
    }
    for (size_t i = 0; i < n; i++) {
        double most = 0.0;
        for (size_t k = 0; k < n; k++)
            most = fmax(most, fabs(p->matrix[k * n + i]));
        p->scale[i] = most > 0.0 ? most : 1.0;
        for (size_t k = 0; k < n; k++)
            p->matrix[k * n + i] /= p->scale[i];
    }
    return true;
}

static damped_reply linearize(void *self, double *size)
{
    piece *p = self;
    if (!residuals(p, p->r) || !differences(p))
        return DAMPED_UNDEFINED;
    *size = size_of(p, p->r);
    return DAMPED_OK;
}

static damped_reply find_step(void *self)
{
    piece *p = self;
    for (int32_t k = 0; k < p->n; k++)
        p->r_moved[k] = -p->r[k] / p->scale[k];
    least_squares_solve(&p->ls, p->matrix, p->r_moved);
    for (int32_t k = 0; k < p->n; k++) {
        p->z[k] = *unknown_of(p, k);
        p->step[k] = p->r_moved[k] * typical(p, k);
    }
    return DAMPED_OK;
}

static damped_reply try_share(void *self, double share, double *size)
{
    piece *p = self;
    for (int32_t k = 0; k < p->n; k++)
        *unknown_of(p, k) = p->z[k] + share * p->step[k];
    if (!residuals(p, p->r))
        return DAMPED_UNDEFINED;
    *size = size_of(p, p->r);
    return DAMPED_OK;
}

static void restore(void *self)
{
    piece *p = self;
    for (int32_t k = 0; k < p->n; k++)
        *unknown_of(p, k) = p->z[k];
}

static damped_outcome newton(piece *p)
{
    damped_newton d = {.self = p,
                       .measure = linearize,
                       .find_step = find_step,
                       .try_share = try_share,
                       .restore = restore,
                       .iterations_max = ITERATIONS_MAX,
                       .halvings_max = HALVINGS_MAX,
                       .decrease = 0.1, /* little decrease is no use for a first guess */
                       .solved = SOLVED,
                       .tolerated = TOLERATED};
    return damped_newton_solve(&d);
}

/* Whether the text gives a value to start from; start values are not those of derivatives. */
static bool is_given(const piece *p, int32_t k, double first)
{
    return first != 0.0 ||
           (p->m->start_given[p->column[k]] && !p->m->reduced->differential[p->column[k]]);
}

/* Guess number g for unknowns without a value: the same multiple of the typical size for all of
 * them, then different ones. */
static void guess(const piece *p, const double *first, int g)
{
    static const double same[] = {0.0, 1.0, 0.1, -1.0, 100.0};
    const int n_same = sizeof same / sizeof *same;
    uint64_t random = RANDOM_SEED + (uint64_t)g;
    for (int32_t k = 0; k < p->n; k++) {
        double *x = unknown_of(p, k), part = random_uniform(&random, -1.5, 1.5);
        *x = first[k];
        if (!is_given(p, k, first[k]))
            *x = (g < n_same ? same[g] : part) * typical(p, k);
    }
}

static void store(const piece *p, double *to)
{
    for (int32_t k = 0; k < p->n; k++)
        to[k] = *unknown_of(p, k);
}

/* ---- guesses that follow from given ones ---- */

/* The place in the block of the only unknown in equation i that has no value yet; -1: there is none
 * or more than one. */
static int32_t only_unknown(const piece *p, int32_t i, const bool *known)
{
    expr_walker *w = p->m->reduced->walker;
    int32_t found = -1;
    expr_walker_forget(w);
    if (!expr_depends(w, p->m->reduced->residual[p->row[i]], EXPR_INCIDENCE))
        return -1;
    for (size_t q = 0; q < w->n_found; q++) {
        int32_t slot = compiled_slot(p->m->compiled, expr_index(&p->m->flat->graph, w->found[q]));
        for (int32_t k = 0; k < p->n; k++) {
            if (known[k] || slot != unknown_of(p, k) - p->m->values->x)
                continue;
            if (found >= 0)
                return -1;
            found = k;
        }
    }
    return found;
}

/* With a friction factor given, the pressure drop tells the velocity, and this the Reynolds number:
 * equations with one unknown that has no value yet are solved for it, until none is left.  false:
 * no guess follows. */
static bool follow_given(const piece *p, const double *first)
{
    bool known[BLOCK_MAX], any = false, again = true;
    for (int32_t k = 0; k < p->n; k++) {
        *unknown_of(p, k) = first[k];
        known[k] = is_given(p, k, first[k]);
    }
    while (again) {
        again = false;
        for (int32_t i = 0; i < p->n; i++) {
            int32_t k = only_unknown(p, i, known);
            if (k < 0)
                continue;
            uint32_t slot = (uint32_t)(unknown_of(p, k) - p->m->values->x);
            p->m->values->x[slot] = typical(p, k); /* of two roots the positive one */
            compiled_solve_one(p->m->compiled, p->m->reduced->residual[p->row[i]], slot);
            known[k] = again = any = true;
        }
    }
    return any;
}

/* Other guesses are tried where Newton's iteration finds no solution from the first one, as where a
 * divisor or all derivatives are zero.  If none leads to a solution, the result after all
 * iterations is a better guess than the first one. */
static void solve_block(piece *p)
{
    enum { GUESSES_MAX = 12 };
    double first[BLOCK_MAX], best[BLOCK_MAX];
    if (p->n > BLOCK_MAX || !block_create(&p->mem, p->m->allocator, lay_out, p))
        return;
    bool fine = least_squares_create(&p->ls, p->n, p->n, p->m->allocator), improved = false;
    damped_outcome outcome = DAMPED_STUCK;
    store(p, first);
    for (int g = 0; g < GUESSES_MAX && fine && outcome != DAMPED_FOUND; g++) {
        guess(p, first, g);
        outcome = newton(p);
        if (g == 0 && outcome != DAMPED_FOUND && follow_given(p, first))
            outcome = newton(p);
        if (outcome == DAMPED_EXHAUSTED && !improved) {
            store(p, best);
            improved = true;
        }
    }
    const double *kept = improved ? best : first;
    for (int32_t k = 0; k < p->n && outcome != DAMPED_FOUND; k++)
        *unknown_of(p, k) = kept[k];
    least_squares_free(&p->ls);
    block_free(&p->mem);
}

void start_forward(start_problem *m)
{
    const model_order *o = &m->reduced->order;
    for (int32_t b = 0; b < o->n_blocks; b++) {
        piece p = {.m = m,
                   .n = order_size(o, b),
                   .row = o->row + o->start[b],
                   .column = o->column + o->start[b]};
        if (p.n == 1)
            compiled_solve_one(m->compiled, m->reduced->residual[p.row[0]],
                               (uint32_t)(unknown_of(&p, 0) - m->values->x));
        else
            solve_block(&p);
    }
}
