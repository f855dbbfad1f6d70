/* simulate/singularity_watch.c - see simulation.h: do the equations still determine the solution?
 *
 * The leading unknowns (y' of states, y of the others) follow from the rest block by block, as
 * long as the matrix of each block is regular.  Where one becomes singular the solution ends (an
 * impasse), touches another branch, or a step has already carried it there: then the determinant
 * has changed its sign.  Blocks with constant entries cannot.  The others are evaluated after every
 * step where that is cheap, compared with the equations themselves; else when the integrator has
 * evaluated a Jacobian, which it mostly must where a sign changes, since Newton does not converge
 * with the old one.  Signs are compared between two events only: another mode is another
 * system.                                                                       */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "simulate/simulation.h"

enum { BLOCK_MOST = 60 };           /* beyond, factors cost more than is gained */
static const double AT_EASE = 0.01; /* of the longest step so far                  */
static const double NEAR = 1e-6;    /* relative: so near to a corner a run gets          */
static const double FADES = 0.05;   /* log of how fast a large determinant is forgotten */

/* ---- which blocks ---- */

static void mark_rows(const simulation *m, int32_t b)
{
    const model_order *o = &m->reduced->order;
    for (int32_t k = o->start[b]; k < o->start[b + 1]; k++)
        m->watch->place[o->row[k]] = k - o->start[b];
}

static void unmark_rows(const simulation *m, int32_t b)
{
    const model_order *o = &m->reduced->order;
    for (int32_t k = o->start[b]; k < o->start[b + 1]; k++)
        m->watch->place[o->row[k]] = -1;
}

static bool leading_entry_varies(const simulation *m, const bool *varies, int32_t j, int32_t q)
{
    int32_t nnz = pattern_nnz(&m->compiled->jacobian->pattern.view);
    return varies[m->reduced->differential[j] ? nnz + q : q];
}

static bool block_varies(const simulation *m, const bool *varies, int32_t b)
{
    const model_order *o = &m->reduced->order;
    const daedal_pattern *p = &m->compiled->jacobian->pattern.view;
    mark_rows(m, b);
    bool found = false;
    for (int32_t k = o->start[b]; k < o->start[b + 1]; k++)
        for (int32_t q = p->start[o->column[k]]; q < p->start[o->column[k] + 1]; q++)
            found = found || (m->watch->place[p->row[q]] >= 0 &&
                              leading_entry_varies(m, varies, o->column[k], q));
    unmark_rows(m, b);
    return found;
}

/* Marks of entries that vary but are not leading ones of a block that is watched are taken
 * away. */
static void keep_leading(simulation *m, bool *varies)
{
    const model_order *o = &m->reduced->order;
    const daedal_pattern *p = &m->compiled->jacobian->pattern.view;
    int32_t nnz = pattern_nnz(p);
    bool *leading = varies + 2 * nnz; /* second half of the room */
    for (int32_t w = 0; w < m->watch->n; w++) {
        int32_t b = m->watch->block[w];
        mark_rows(m, b);
        for (int32_t k = o->start[b]; k < o->start[b + 1]; k++)
            for (int32_t q = p->start[o->column[k]]; q < p->start[o->column[k] + 1]; q++)
                if (m->watch->place[p->row[q]] >= 0)
                    leading[m->reduced->differential[o->column[k]] ? nnz + q : q] = true;
        unmark_rows(m, b);
    }
    for (int32_t q = 0; q < 2 * nnz; q++)
        varies[q] = varies[q] && leading[q];
}

/* Evaluation and factors, in operations. */
static bool is_cheap(const simulation *m)
{
    const double share = 1.0;
    double factors = 0.0;
    for (int32_t k = 0; k < m->watch->n; k++)
        factors += pow(order_size(&m->reduced->order, m->watch->block[k]), 3.0) / 3.0;
    double mine = (double)tape_measure(m->watch->leading->tape).ops + factors;
    return mine <=
           share * (double)tape_measure(m->compiled->residuals->tape).ops + 10.0 * m->reduced->n;
}

static bool compile_leading(simulation *m, bool *varies)
{
    singularity_watch *w = m->watch;
    size_t n = 0, both = 2 * (size_t)pattern_nnz(&m->compiled->jacobian->pattern.view);
    expr *root = arena_take(m->mem, m->compiled->jacobian->n_roots + 1, sizeof *root);
    uint32_t *target = arena_take(m->mem, m->compiled->jacobian->n_roots + 1, sizeof *target);
    if (m->mem->failed)
        return false;
    keep_leading(m, varies);
    for (size_t k = 0; k < m->compiled->jacobian->n_roots; k++)
        if (varies[m->compiled->jacobian->target[k]]) {
            root[n] = m->compiled->jacobian->root[k];
            target[n++] = m->compiled->jacobian->target[k];
        }
    if (!program_create_into(m->compiled, &w->leading, root, n, (program_places){target, both}))
        return false;
    memcpy(w->leading->out, m->compiled->jacobian->dy,
           both * sizeof(double)); /* what is constant stands there */
    w->each_step = is_cheap(m);
    return true;
}

bool singularity_build(simulation *m)
{
    singularity_watch *w = m->watch = arena_take(m->mem, 1, sizeof *w);
    const model_order *o = &m->reduced->order;
    if (!w)
        return false;
    if (m->reduced->n == 0 || !m->compiled->jacobian->exists || !o->start)
        return true;
    size_t both = 2 * (size_t)pattern_nnz(&m->compiled->jacobian->pattern.view),
           blocks = (size_t)o->n_blocks + 1;
    bool *varies = arena_take(m->mem, 2 * both + 1, sizeof *varies);
    w->block = arena_take(m->mem, blocks, sizeof *w->block);
    w->sign = arena_take(m->mem, blocks, sizeof *w->sign);
    w->size = arena_take(m->mem, blocks, sizeof *w->size);
    w->ease = arena_take(m->mem, blocks, sizeof *w->ease);
    w->told = arena_take(m->mem, blocks, sizeof *w->told);
    w->place = arena_take(m->mem, (size_t)m->reduced->n, sizeof *w->place);
    w->column = arena_take(m->mem, BLOCK_MOST, sizeof *w->column);
    w->matrix = arena_take(m->mem, (size_t)BLOCK_MOST * BLOCK_MOST, sizeof *w->matrix);
    w->y = arena_take(m->mem, 2 * (size_t)m->reduced->n_system, sizeof *w->y);
    w->there = arena_take(m->mem, (size_t)m->reduced->n_system, sizeof *w->there);
    w->before = arena_take(m->mem, 2 * (size_t)m->reduced->n_system, sizeof *w->before);
    w->middle = arena_take(m->mem, 2 * (size_t)m->reduced->n_system, sizeof *w->middle);
    if (m->mem->failed)
        return false;
    for (size_t k = 0; k < m->compiled->jacobian->n_roots; k++)
        varies[m->compiled->jacobian->target[k]] = true;
    for (int32_t i = 0; i < m->reduced->n; i++)
        w->place[i] = -1;
    for (int32_t b = 0; b < o->n_blocks; b++)
        if (order_size(o, b) <= BLOCK_MOST && block_varies(m, varies, b))
            w->block[w->n++] = b;
    return w->n == 0 || compile_leading(m, varies);
}

/* ---- one block ---- */

/* The leading matrix of block b where it was evaluated, by columns. */
static void load(const simulation *m, int32_t b)
{
    const model_order *o = &m->reduced->order;
    const daedal_pattern *p = &m->compiled->jacobian->pattern.view;
    const singularity_watch *w = m->watch;
    size_t n = (size_t)order_size(o, b);
    const double *dy = w->leading->out, *dyp = dy + pattern_nnz(p);
    memset(w->matrix, 0, n * n * sizeof(double));
    mark_rows(m, b);
    for (size_t c = 0; c < n; c++) {
        int32_t j = o->column[o->start[b] + (int32_t)c];
        const double *from = m->reduced->differential[j] ? dyp : dy;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            if (w->place[p->row[q]] >= 0)
                w->matrix[c * n + (size_t)w->place[p->row[q]]] = from[q];
    }
    unmark_rows(m, b);
}

typedef struct determinant {
    int32_t sign;  /* 0: singular to the last digit  */
    double size;   /* log |det|                      */
    double share;  /* the smallest pivot, by the largest entry of its column before */
    int32_t least; /* column of the smallest pivot   */
    bool doubtful; /* it may be singular here        */
} determinant;

/* Column k to the right of the pivot; most entries are zero, and columns without one in row k are
 * left alone. */
static void eliminate(double *a, size_t n, size_t k, size_t top)
{
    double *column = a + k * n, pivot = column[top];
    column[top] = column[k];
    column[k] = pivot;
    for (size_t i = k + 1; i < n && pivot != 0.0; i++)
        column[i] /= pivot;
    for (size_t c = k + 1; c < n; c++) {
        double factor = a[c * n + top];
        a[c * n + top] = a[c * n + k];
        a[c * n + k] = factor;
        for (size_t i = k + 1; i < n && factor != 0.0; i++)
            a[c * n + i] -= column[i] * factor;
    }
}

static double largest_of(const double *column, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(column[i]));
    return most > 0.0 ? most : 1.0;
}

/* By elimination with row pivoting. */
static determinant determinant_of(const simulation *m, int32_t b)
{
    size_t n = (size_t)order_size(&m->reduced->order, b);
    double *a = m->watch->matrix, smallest = HUGE_VAL;
    determinant d = {.sign = 1, .share = 1.0};
    load(m, b);
    for (size_t k = 0; k < n; k++)
        m->watch->column[k] = largest_of(a + k * n, n);
    for (size_t k = 0; k < n; k++) {
        size_t top = k;
        for (size_t i = k + 1; i < n; i++)
            top = fabs(a[k * n + i]) > fabs(a[k * n + top]) ? i : top;
        eliminate(a, n, k, top);
        double pivot = a[k * n + k], size = fabs(pivot);
        d.sign *= !(size > 0.0) ? 0 : (pivot < 0.0) != (top != k) ? -1 : 1; /* nor NaN */
        d.size += log(size);
        d.share = fmin(d.share, size / m->watch->column[k]);
        if (size < smallest) {
            smallest = size;
            d.least = (int32_t)k;
        }
    }
    return d;
}

/* ---- along a run ---- */

void singularity_begin(simulation *m)
{
    m->watch->known = false;
    m->watch->seen = m->compiled->jacobian->count;
    m->watch->flipped = -1;
    m->watch->longest = 0.0;
    m->watch->asked = false;
    m->watch->t_flipped = (double)NAN;
}

static void refer_to(simulation *m)
{
    singularity_watch *w = m->watch;
    for (int32_t k = 0; k < w->n; k++) {
        determinant d = determinant_of(m, w->block[k]);
        w->sign[k] = (signed char)d.sign;
        w->ease[k] = d.size;
    }
    w->version = m->values->version;
    w->known = true;
}

/* A block whose determinant has another sign than at the reference, or -1; their sizes. */
static int32_t find_flipped(const simulation *m)
{
    int32_t flipped = -1;
    for (int32_t k = 0; k < m->watch->n; k++) {
        determinant d = determinant_of(m, m->watch->block[k]);
        m->watch->size[k] = d.size;
        flipped = m->watch->sign[k] * d.sign < 0 ? k : flipped;
    }
    return flipped;
}

static bool evaluate_at(simulation *m, double t)
{
    singularity_watch *w = m->watch;
    double *y = w->y, *yp = w->y + m->reduced->n_system;
    return daedal_solver_interpolate(m->discrete->solver, t, y, yp) == DAEDAL_OK &&
           program_run(m->compiled, w->leading, t, y, yp) == DAEDAL_CALL_OK;
}

void singularity_accept(simulation *m, double t)
{
    if (!evaluate_at(m, t))
        return;
    memcpy(m->watch->before, m->watch->y, 2 * (size_t)m->reduced->n_system * sizeof(double));
    for (int32_t k = 0; k < m->watch->n; k++)
        m->watch->sign[k] = (signed char)determinant_of(m, m->watch->block[k]).sign;
}

/* Has an unknown of block k that has no slope changed by as much as it is large? */
static bool changes_much(const simulation *m, int32_t k, const double *from, const double *to)
{
    const double much = 0.25;
    const model_order *o = &m->reduced->order;
    int32_t b = m->watch->block[k];
    for (int32_t i = o->start[b]; i < o->start[b + 1]; i++) {
        int32_t j = o->column[i];
        double size = fmax(fmax(fabs(from[j]), fabs(to[j])), m->compiled->nominal[j]);
        if (!m->reduced->differential[j] && fabs(to[j] - from[j]) > much * size)
            return true;
    }
    return false;
}

bool singularity_moved(const simulation *m, int32_t which, const double *from, const double *to)
{
    return changes_much(m, which, from, to);
}

bool singularity_differs(const simulation *m, const double *y)
{
    bool differs = false;
    for (int32_t k = 0; k < m->watch->n && !differs; k++)
        differs = changes_much(m, k, m->watch->there, y);
    return differs;
}

/* From one branch to the next but one the sign is the same again, but not on the way. */
static int32_t find_leap(simulation *m, double t)
{
    singularity_watch *w = m->watch;
    bool much = false;
    for (int32_t k = 0; k < w->n && !much; k++)
        much = changes_much(m, k, w->before, w->y);
    if (!much)
        return -1;
    for (size_t j = 0; j < 2 * (size_t)m->reduced->n_system; j++)
        w->middle[j] = 0.5 * (w->before[j] + w->y[j]);
    bool fine =
        program_run(m->compiled, w->leading, t, w->middle, w->middle + m->reduced->n_system) == 0;
    int32_t flipped = fine ? find_flipped(m) : -1;
    program_run(m->compiled, w->leading, t, w->y, w->y + m->reduced->n_system);
    return flipped;
}

/* Nothing: the sizes are noted, and where it was. */
static bool note(simulation *m, double h)
{
    singularity_watch *w = m->watch;
    for (int32_t k = 0; k < w->n && h >= AT_EASE * w->longest; k++)
        w->ease[k] = fmax(w->ease[k] - FADES, w->size[k]);
    memcpy(w->before, w->y, 2 * (size_t)m->reduced->n_system * sizeof(double));
    return false;
}

/* Steps have become tiny, and a determinant small: once for each stretch of this kind. */
static int32_t find_near(simulation *m, double h)
{
    const double tiny = 1e-4, small = log(1e-3);
    singularity_watch *w = m->watch;
    if (h > AT_EASE * w->longest)
        w->asked = false;
    for (int32_t k = 0; k < w->n && h < tiny * w->longest && !w->asked; k++)
        if (w->size[k] - w->ease[k] < small) {
            w->asked = true;
            return k;
        }
    return -1;
}

bool singularity_step(simulation *m, double t)
{
    singularity_watch *w = m->watch;
    if (w->n == 0 || (!w->each_step && w->seen == m->compiled->jacobian->count) ||
        !evaluate_at(m, t))
        return false;
    w->seen = m->compiled->jacobian->count;
    double h = fabs(daedal_solver_stats(m->discrete->solver)->h_last);
    w->longest = fmax(w->longest, h);
    if (!w->known || w->version != m->values->version) {
        refer_to(m);
        return note(m, h);
    }
    int32_t flipped = find_flipped(m);
    w->near = flipped < 0 ? find_near(m, h) : -1;
    w->leapt = flipped < 0 && w->near < 0 && w->each_step;
    if (w->leapt)
        flipped = find_leap(m, t);
    if (w->near >= 0)
        flipped = w->near;
    if (flipped < 0)
        return note(m, h);
    w->flipped = flipped;
    w->t_flipped = t;
    memcpy(w->there, w->y, (size_t)m->reduced->n_system * sizeof(double));
    return true;
}

bool singularity_agrees(simulation *m, double t, const double *y, const double *yp)
{
    return program_run(m->compiled, m->watch->leading, t, y, yp) == DAEDAL_CALL_OK &&
           find_flipped(m) < 0;
}

/* ---- at the start ---- */

/* y and y' of x, everywhere at some distance to one side, into the room for them. */
static bool evaluate_beside(simulation *m, double side)
{
    double *y = m->watch->y;
    uint64_t random = RANDOM_SEED;
    for (size_t j = 0; j < 2 * (size_t)m->reduced->n_system; j++) {
        double part = random_uniform(&random, 0.5, 1.5);
        double at = m->values->x[m->values->place.y + j];
        y[j] = at + side * part * (1.0 + fabs(at));
    }
    return program_run(m->compiled, m->watch->leading, m->values->x[0], y,
                       y + m->reduced->n_system) == DAEDAL_CALL_OK;
}

/* A single entry has only its neighbours to be compared with; a larger block its columns. */
static bool vanishes(const determinant *here, const determinant *beside, bool single)
{
    const double vanished = 1e-6;
    if (beside->sign == 0)
        return false;
    return here->sign == 0 || (single ? here->size - beside->size < log(vanished)
                                      : here->share < vanished * beside->share);
}

/* By accident of the point: beside it, on both sides, it is not. */
static void keep_doubts(simulation *m, determinant *here)
{
    const singularity_watch *w = m->watch;
    for (int side = -1; side <= 1; side += 2) {
        bool fine = evaluate_beside(m, 0.02 * side);
        for (int32_t k = 0; k < w->n; k++) {
            determinant beside = determinant_of(m, w->block[k]);
            bool single = order_size(&m->reduced->order, w->block[k]) == 1;
            here[k].doubtful = here[k].doubtful && fine && vanishes(&here[k], &beside, single);
        }
    }
}

int32_t singularity_start(simulation *m)
{
    singularity_watch *w = m->watch;
    w->singular = -1;
    determinant *here = memory_take_array(m->allocator, (size_t)w->n, sizeof *here);
    if (w->n == 0 || !here ||
        program_run(m->compiled, w->leading, 0.0, NULL, NULL) != DAEDAL_CALL_OK) {
        memory_give(m->allocator, here, (size_t)w->n * sizeof *here);
        return -1;
    }
    for (int32_t k = 0; k < w->n; k++) {
        here[k] = determinant_of(m, w->block[k]);
        here[k].doubtful = true;
    }
    keep_doubts(m, here);
    for (int32_t k = 0; k < w->n && w->singular < 0; k++)
        w->singular = here[k].doubtful ? k : -1;
    memory_give(m->allocator, here, (size_t)w->n * sizeof *here);
    program_run(m->compiled, w->leading, 0.0, NULL, NULL); /* for who asks what is to blame */
    return w->singular;
}

/* ---- the news ---- */

void singularity_blame(const simulation *m, int32_t which, int32_t *variable, int32_t *equation)
{
    const model_order *o = &m->reduced->order;
    int32_t b = m->watch->block[which];
    *variable = o->column[o->start[b] + determinant_of(m, b).least];
    *equation = order_size(o, b) == 1 ? o->row[o->start[b]] : -1;
}

static bool is_algebraic(const simulation *m, int32_t which)
{
    const model_order *o = &m->reduced->order;
    int32_t b = m->watch->block[which];
    for (int32_t i = o->start[b]; i < o->start[b + 1]; i++)
        if (m->reduced->differential[o->column[i]])
            return false;
    return true;
}

int32_t singularity_corner(simulation *m)
{
    const double less = log(0.5);
    singularity_watch *w = m->watch;
    int32_t which = -1;
    if (w->n == 0 || !w->known || w->version != m->values->version ||
        m->values->x[0] == m->discrete->t_start ||
        program_run(m->compiled, w->leading, 0.0, NULL, NULL) != DAEDAL_CALL_OK ||
        find_flipped(m) >= 0)
        return -1;
    for (int32_t k = 0; k < w->n; k++)
        if (w->size[k] - w->ease[k] < less)
            return -1;
    for (int side = -1; side <= 1 && which < 0; side += 2)
        which = evaluate_beside(m, NEAR * side) ? find_flipped(m) : -1;
    return which >= 0 && is_algebraic(m, which) ? which : -1;
}

int32_t singularity_after_failure(simulation *m)
{
    const double much_less = log(2e-2), recent = 1e-3;
    singularity_watch *w = m->watch;
    double t = m->values->x[0], least = much_less;
    int32_t which = -1;
    if (w->n > 0 && t == m->discrete->t_start)
        return w->singular;
    if (w->n == 0 || !w->known ||
        program_run(m->compiled, w->leading, 0.0, NULL, NULL) != DAEDAL_CALL_OK)
        return -1;
    int32_t flipped = find_flipped(m);
    for (int32_t k = 0; k < w->n; k++)
        if (w->size[k] - w->ease[k] < least) {
            least = w->size[k] - w->ease[k];
            which = k;
        }
    if (flipped >= 0)
        return flipped;
    for (int side = -1; side <= 1 && which < 0; side += 2) /* a corner, where no step can end */
        which = evaluate_beside(m, NEAR * side) ? find_flipped(m) : -1;
    program_run(m->compiled, w->leading, 0.0, NULL, NULL);
    bool just_now = fabs(t - w->t_flipped) <= recent * fabs(t - m->discrete->t_start);
    return which >= 0 ? which : just_now ? w->flipped : -1;
}
