/* simulate/singularity_watch.c - see simulation.h: watches whether the equations still determine
 * the solution.
 *
 * The leading unknowns (y' of states, y of the others) follow from the rest block by block, as
 * long as the matrix of each block is regular.  Where one becomes singular the solution ends (an
 * impasse), touches another branch, or a step has already jumped to that branch: then the
 * determinant has changed its sign.  Blocks with constant entries need not be watched.  The others
 * are evaluated after every step where that is cheap compared with the equations; else whenever
 * the integrator has evaluated a Jacobian, which it must in most cases where a sign changes,
 * because Newton does not converge with the old one.  Signs are compared between two events only,
 * because every mode is a system of its own. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "simulate/simulation.h"

enum { BLOCK_MAX = 60 };                     /* rows: factors of larger blocks cost too much     */
static const double LONG_STEP = 0.01;        /* of the longest step so far                       */
static const double TINY_STEP = 1e-4;        /* likewise: a singular point may be near           */
static const double CORNER_DISTANCE = 1e-6;  /* relative: how near to a corner a run stops       */
static const double CORNER_NEAREST = 1e-14;  /* relative: where the search for one begins        */
static const double CORNER_TOLERANCES = 1e3; /* of rtol: where it ends, and ...                  */
static const double CORNER_FARTHEST = 1e-2;  /* ... relative                                     */
static const double DECAY = 0.05;            /* of usual_log_det in the longest step so far      */
static const double COST_SHARE = 1.0;        /* of a residual: evaluated after every step        */
static const double STRONG_CHANGE = 0.25;    /* relative: by it branches differ                  */
static const double SINGULAR_MODE = 1e-13;   /* relative pivot: rounding errors                   */
static const double NEAR_SINGULAR = 1e-3;    /* of the usual determinant                         */
static const double SINGULAR = 1e-6;         /* of the determinant in the neighbourhood          */
static const double NEIGHBOUR = 0.02;        /* relative distance of neighbouring points         */
static const double CORNER_LEAST = 0.5;      /* of the usual determinant: regular in a corner    */
static const double FAILED_LEAST = 2e-2;     /* of the usual determinant: cause of a failure     */
static const double RECENT = 1e-3;           /* of the time since the start                      */

/* ---- the blocks that are watched ---- */

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

/* Keep the marks of those varying entries that are leading ones of a watched block. */
static void keep_leading(simulation *m, bool *varies)
{
    const model_order *o = &m->reduced->order;
    const daedal_pattern *p = &m->compiled->jacobian->pattern.view;
    int32_t nnz = pattern_nnz(p);
    bool *leading = varies + 2 * nnz; /* the second half of the array */
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

/* Compares operations of evaluation and factors with those of the residual. */
static bool is_cheap(const simulation *m)
{
    double factors = 0.0;
    for (int32_t k = 0; k < m->watch->n; k++)
        factors += pow(order_size(&m->reduced->order, m->watch->block[k]), 3.0) / 3.0;
    double mine = (double)tape_measure(m->watch->leading->tape).ops + factors;
    return mine <= COST_SHARE * (double)tape_measure(m->compiled->residuals->tape).ops +
                       10.0 * m->reduced->n;
}

static bool compile_leading(simulation *m, bool *varies)
{
    singularity_watch *w = m->watch;
    const compiled_jacobian *j = m->compiled->jacobian;
    size_t n = 0, both = 2 * (size_t)pattern_nnz(&j->pattern.view);
    size_t n_poles = (size_t)w->poles->n, most = j->n_roots + 2 * n_poles + 1;
    expr *root = arena_take(m->mem, most, sizeof *root);
    uint32_t *target = arena_take(m->mem, most, sizeof *target);
    if (m->mem->failed)
        return false;
    keep_leading(m, varies);
    for (size_t k = 0; k < j->n_roots; k++)
        if (varies[j->target[k]]) {
            root[n] = j->root[k];
            target[n++] = j->target[k];
        }
    for (size_t k = 0; k < 2 * n_poles; k++) {
        root[n] = k < n_poles ? w->poles->divisor[k] : w->poles->numerator[k - n_poles];
        target[n++] = (uint32_t)(both + k);
    }
    program_places to = {target, both + 2 * n_poles};
    if (!program_create_into(m->compiled, &w->leading, root, n, to))
        return false;
    memcpy(w->leading->out, j->dy, both * sizeof(double)); /* constant entries */
    w->each_step = is_cheap(m);
    return true;
}

bool singularity_build(simulation *m)
{
    singularity_watch *w = m->watch = arena_take(m->mem, 1, sizeof *w);
    const model_order *o = &m->reduced->order;
    const compiled_jacobian *j = m->compiled->jacobian;
    size_t n_values = 2 * (size_t)m->reduced->n_system;
    if (!w)
        return false;
    if (m->reduced->n == 0 || !j->exists || !o->start)
        return true;
    size_t both = 2 * (size_t)pattern_nnz(&j->pattern.view), blocks = (size_t)o->n_blocks + 1;
    bool *varies = arena_take(m->mem, 2 * both + 1, sizeof *varies);
    w->block = arena_take(m->mem, blocks, sizeof *w->block);
    w->sign = arena_take(m->mem, blocks, sizeof *w->sign);
    w->log_det = arena_take(m->mem, blocks, sizeof *w->log_det);
    w->usual_log_det = arena_take(m->mem, blocks, sizeof *w->usual_log_det);
    w->is_reported = arena_take(m->mem, blocks, sizeof *w->is_reported);
    w->place = arena_take(m->mem, (size_t)m->reduced->n, sizeof *w->place);
    w->column = arena_take(m->mem, BLOCK_MAX, sizeof *w->column);
    w->matrix = arena_take(m->mem, (size_t)BLOCK_MAX * BLOCK_MAX, sizeof *w->matrix);
    w->y = arena_take(m->mem, n_values, sizeof *w->y);
    w->y_after = arena_take(m->mem, (size_t)m->reduced->n_system, sizeof *w->y_after);
    w->y_before = arena_take(m->mem, n_values, sizeof *w->y_before);
    w->y_trial = arena_take(m->mem, n_values, sizeof *w->y_trial);
    if (m->mem->failed)
        return false;
    for (size_t k = 0; k < j->n_roots; k++)
        varies[j->target[k]] = true;
    for (int32_t i = 0; i < m->reduced->n; i++)
        w->place[i] = -1;
    for (int32_t b = 0; b < o->n_blocks; b++)
        if (order_size(o, b) <= BLOCK_MAX && block_varies(m, varies, b))
            w->block[w->n++] = b;
    return w->n == 0 || (poles_build(m) && compile_leading(m, varies));
}

/* ---- one block ---- */

/* The leading matrix of block b at the point of the last evaluation, by columns. */
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
    int32_t sign;          /* 0: singular in floating point                           */
    double log_size;       /* log |det|                                               */
    double relative_pivot; /* smallest pivot / largest entry of its column before     */
    int32_t pivot_column;  /* column of the smallest pivot                            */
    bool may_be_singular;
} determinant;

/* One step of the elimination: column k, pivot in row top.  Most entries are zero, and columns
 * without an entry in the pivot row are skipped. */
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

/* The determinant by elimination with row pivoting. */
static determinant determinant_of(const simulation *m, int32_t b)
{
    size_t n = (size_t)order_size(&m->reduced->order, b);
    double *a = m->watch->matrix, smallest = HUGE_VAL;
    determinant d = {.sign = 1, .relative_pivot = 1.0};
    load(m, b);
    for (size_t k = 0; k < n; k++)
        m->watch->column[k] = largest_of(a + k * n, n);
    for (size_t k = 0; k < n; k++) {
        size_t top = k;
        for (size_t i = k + 1; i < n; i++)
            top = fabs(a[k * n + i]) > fabs(a[k * n + top]) ? i : top;
        eliminate(a, n, k, top);
        double pivot = a[k * n + k], size = fabs(pivot);
        d.sign *= !(size > 0.0) ? 0 : (pivot < 0.0) != (top != k) ? -1 : 1; /* 0 for NaN, too */
        d.log_size += log(size);
        d.relative_pivot = fmin(d.relative_pivot, size / m->watch->column[k]);
        if (size < smallest) {
            smallest = size;
            d.pivot_column = (int32_t)k;
        }
    }
    return d;
}

/* ---- along a run ---- */

void singularity_begin(simulation *m)
{
    m->watch->has_reference = false;
    m->watch->n_jacobians = m->compiled->jacobian->count;
    m->watch->flipped = -1;
    m->watch->longest_step = 0.0;
    m->watch->near_checked = false;
    m->watch->t_flipped = (double)NAN;
    if (m->watch->leading)
        compiled_write_live_entries(m->compiled, m->watch->leading->out);
}

/* The divisors stand behind the entries of the Jacobian. */
static const double *divisors(const simulation *m)
{
    return m->watch->leading->out + 2 * pattern_nnz(&m->compiled->jacobian->pattern.view);
}

/* A block that is singular in this mode, whose index is then above one, is not watched in it: its
 * sign is 0. */
static void set_reference(simulation *m)
{
    singularity_watch *w = m->watch;
    for (int32_t k = 0; k < w->n; k++) {
        determinant d = determinant_of(m, w->block[k]);
        w->sign[k] = (signed char)(d.relative_pivot < SINGULAR_MODE ? 0 : d.sign);
        w->usual_log_det[k] = w->log_det[k] = d.log_size;
    }
    poles_set_reference(w->poles, divisors(m));
    w->version = m->values->version;
    w->has_reference = true;
}

/* A block whose determinant, or a divisor in it, has another sign than at the reference, or -1;
 * sets log_det. */
static int32_t find_flipped(const simulation *m)
{
    int32_t pole = poles_find_flipped(m->watch->poles, divisors(m));
    int32_t flipped = pole < 0 ? -1 : m->watch->poles->block[pole];
    for (int32_t k = 0; k < m->watch->n; k++) {
        determinant d = determinant_of(m, m->watch->block[k]);
        m->watch->log_det[k] = d.log_size;
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
    memcpy(m->watch->y_before, m->watch->y, 2 * (size_t)m->reduced->n_system * sizeof(double));
    for (int32_t k = 0; k < m->watch->n; k++)
        m->watch->sign[k] = (signed char)determinant_of(m, m->watch->block[k]).sign;
    poles_set_reference(m->watch->poles, divisors(m));
}

/* True if an algebraic unknown of block k differs by a good part of its size. */
static bool changes_strongly(const simulation *m, int32_t k, const double *from, const double *to)
{
    const model_order *o = &m->reduced->order;
    int32_t b = m->watch->block[k];
    for (int32_t i = o->start[b]; i < o->start[b + 1]; i++) {
        int32_t j = o->column[i];
        double size = fmax(fmax(fabs(from[j]), fabs(to[j])), m->compiled->nominal[j]);
        if (!m->reduced->differential[j] && fabs(to[j] - from[j]) > STRONG_CHANGE * size)
            return true;
    }
    return false;
}

bool singularity_moved(const simulation *m, int32_t which, const double *from, const double *to)
{
    return changes_strongly(m, which, from, to);
}

bool singularity_differs(const simulation *m, const double *y)
{
    bool differs = false;
    for (int32_t k = 0; k < m->watch->n && !differs; k++)
        differs = changes_strongly(m, k, m->watch->y_after, y);
    return differs;
}

/* A jump over two branches leaves the sign as it was, but half way it is different: the block of
 * such a step, or -1. */
static int32_t find_double_crossing(simulation *m, double t)
{
    singularity_watch *w = m->watch;
    bool strong = false;
    for (int32_t k = 0; k < w->n && !strong; k++)
        strong = changes_strongly(m, k, w->y_before, w->y);
    if (!strong)
        return -1;
    for (size_t j = 0; j < 2 * (size_t)m->reduced->n_system; j++)
        w->y_trial[j] = 0.5 * (w->y_before[j] + w->y[j]);
    bool fine =
        program_run(m->compiled, w->leading, t, w->y_trial, w->y_trial + m->reduced->n_system) == 0;
    int32_t flipped = fine ? find_flipped(m) : -1;
    program_run(m->compiled, w->leading, t, w->y, w->y + m->reduced->n_system);
    return flipped;
}

/* After a step without a finding: record determinants and point.  Returns false.  The usual
 * determinant follows the run in time and not in steps, of which there are many near a singular
 * point.
 */
static bool note_step(simulation *m, double h)
{
    singularity_watch *w = m->watch;
    double decay = DECAY * fmin(1.0, h / w->longest_step);
    for (int32_t k = 0; k < w->n && h >= LONG_STEP * w->longest_step; k++)
        w->usual_log_det[k] = fmax(w->usual_log_det[k] - decay, w->log_det[k]);
    poles_set_reference(w->poles, divisors(m)); /* those that have vanished with their numerators */
    memcpy(w->y_before, w->y, 2 * (size_t)m->reduced->n_system * sizeof(double));
    return false;
}

/* A block with a small determinant where steps have become tiny, or -1; checked once until steps
 * are long again. */
static int32_t find_nearly_singular(simulation *m, double h)
{
    singularity_watch *w = m->watch;
    if (h > LONG_STEP * w->longest_step)
        w->near_checked = false;
    for (int32_t k = 0; k < w->n && h < TINY_STEP * w->longest_step && !w->near_checked; k++)
        if (w->sign[k] && w->log_det[k] - w->usual_log_det[k] < log(NEAR_SINGULAR)) {
            w->near_checked = true;
            return k;
        }
    return -1;
}

enum { PARTS = 4 }; /* of a step, between which it is looked at */

/* Evaluate inside of the step up to t, after k of its parts, counted from its end. */
static bool evaluate_inside(simulation *m, double t, double h, int k)
{
    double at = t - h * k / PARTS, *y = m->watch->y_trial, *yp = y + m->reduced->n_system;
    return daedal_solver_interpolate(m->discrete->solver, at, y, yp) == DAEDAL_OK &&
           program_run(m->compiled, m->watch->leading, at, y, yp) == DAEDAL_CALL_OK;
}

static void evaluate_end(simulation *m, double t)
{
    const singularity_watch *w = m->watch;
    program_run(m->compiled, w->leading, t, w->y, w->y + m->reduced->n_system);
}

/* A divisor that changes its sign inside of the step although it has the same at both ends, where
 * values between the ends would be wrong; -1: none. */
static int32_t find_pole_inside(simulation *m, double t, double h)
{
    int32_t pole = -1;
    if (!poles_change_strongly(m->watch->poles, divisors(m)))
        return -1;
    for (int k = 1; k < PARTS && pole < 0; k++)
        if (evaluate_inside(m, t, h, k))
            pole = poles_find_flipped(m->watch->poles, divisors(m));
    evaluate_end(m, t);
    return pole;
}

/* The numerator of a divisor that has changed its sign: how large it is, and whether it varies. */
static void look_at_numerator(simulation *m, double t, double h, int32_t pole)
{
    const double little = 0.1;
    singularity_watch *w = m->watch;
    double most = poles_numerator(w->poles, pole, divisors(m)), least = most;
    for (int k = 0; k <= PARTS; k++)
        if (evaluate_inside(m, t, h, k))
            least = fmin(least, fabs(divisors(m)[w->poles->n + pole]));
    evaluate_end(m, t);
    w->pole_numerator = most;
    w->pole_is_certain = least >= (1.0 - little) * most;
}

/* A divisor whose absolute tolerance is above its relative one, although what is divided does not
 * vanish with it; -1: none. */
static int32_t find_unresolved(simulation *m, double t, double h)
{
    singularity_watch *w = m->watch;
    int32_t k =
        poles_find_unresolved(w->poles, divisors(m), m->discrete->rtol, w->y, m->driver->atol);
    if (k < 0)
        return -1;
    look_at_numerator(m, t, h, k);
    return w->pole_is_certain ? k : -1;
}

bool singularity_step(simulation *m, double t)
{
    singularity_watch *w = m->watch;
    if (w->n == 0 || (!w->each_step && w->n_jacobians == m->compiled->jacobian->count) ||
        !evaluate_at(m, t))
        return false;
    w->n_jacobians = m->compiled->jacobian->count;
    double h = fabs(daedal_solver_stats(m->discrete->solver)->h_last);
    w->longest_step = fmax(w->longest_step, h);
    if (!w->has_reference || w->version != m->values->version) {
        set_reference(m);
        return note_step(m, h);
    }
    int32_t flipped = find_flipped(m);
    w->pole = poles_find_flipped(w->poles, divisors(m));
    w->pole_inside = w->pole < 0 ? find_pole_inside(m, t, h) : -1;
    if (w->pole >= 0 || w->pole_inside >= 0)
        look_at_numerator(m, t, h, w->pole >= 0 ? w->pole : w->pole_inside);
    else
        w->pole_inside = find_unresolved(m, t, h);
    w->nearly_singular = flipped < 0 ? find_nearly_singular(m, h) : -1;
    w->double_crossing = flipped < 0 && w->nearly_singular < 0 && w->each_step;
    if (w->double_crossing)
        flipped = find_double_crossing(m, t);
    if (w->nearly_singular >= 0)
        flipped = w->nearly_singular;
    if (flipped < 0 && w->pole_inside < 0)
        return note_step(m, h);
    w->flipped = flipped;
    w->t_flipped = t;
    memcpy(w->y_after, w->y, (size_t)m->reduced->n_system * sizeof(double));
    return true;
}

bool singularity_agrees(simulation *m, double t, const double *y, const double *yp)
{
    return program_run(m->compiled, m->watch->leading, t, y, yp) == DAEDAL_CALL_OK &&
           find_flipped(m) < 0;
}

/* ---- at the start ---- */

/* Evaluate at a point near x: all of y and y' moved to one side by a random distance. */
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

/* True if the block is singular here but not at the neighbouring point.  A single entry is compared
 * with its value there, the pivots of a larger block with their columns. */
static bool vanishes(const determinant *here, const determinant *beside, bool single)
{
    if (beside->sign == 0)
        return false;
    return here->sign == 0 || (single ? here->log_size - beside->log_size < log(SINGULAR)
                                      : here->relative_pivot < SINGULAR * beside->relative_pivot);
}

/* Keep those blocks that are regular on both sides of the point. */
static void confirm_singular(simulation *m, determinant *here)
{
    const singularity_watch *w = m->watch;
    for (int side = -1; side <= 1; side += 2) {
        bool fine = evaluate_beside(m, NEIGHBOUR * side);
        for (int32_t k = 0; k < w->n; k++) {
            determinant beside = determinant_of(m, w->block[k]);
            bool single = order_size(&m->reduced->order, w->block[k]) == 1;
            here[k].may_be_singular =
                here[k].may_be_singular && fine && vanishes(&here[k], &beside, single);
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
        here[k].may_be_singular = true;
    }
    confirm_singular(m, here);
    for (int32_t k = 0; k < w->n && w->singular < 0; k++)
        w->singular = here[k].may_be_singular ? k : -1;
    memory_give(m->allocator, here, (size_t)w->n * sizeof *here);
    program_run(m->compiled, w->leading, 0.0, NULL, NULL); /* for singularity_blame: at x */
    return w->singular;
}

/* ---- after a failure ---- */

void singularity_blame(const simulation *m, int32_t which, int32_t *variable, int32_t *equation)
{
    const model_order *o = &m->reduced->order;
    int32_t b = m->watch->block[which];
    *variable = o->column[o->start[b] + determinant_of(m, b).pivot_column];
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

/* The block whose determinant has another sign at this distance from x than at the reference; -1:
 * none, -2: it cannot be evaluated there. */
static int32_t flipped_at(simulation *m, double distance)
{
    return evaluate_beside(m, distance) ? find_flipped(m) : -2;
}

/* Whether block k is regular up to where its sign changes, between two distances from x: in a
 * corner the determinant jumps, elsewhere it passes zero. */
static bool jumps_between(simulation *m, int32_t k, double from, double to)
{
    enum { HALVINGS = 40 };
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (from + to);
        if (flipped_at(m, middle) == -1)
            from = middle;
        else
            to = middle;
    }
    return flipped_at(m, from) == -1 &&
           m->watch->log_det[k] - m->watch->usual_log_det[k] >= log(CORNER_LEAST);
}

/* A corner near x, on one side of it: its block, or -1.  x may lie behind it by a rounding error.
 */
static int32_t find_corner(simulation *m, int32_t flipped_here, int side)
{
    double most = fmin(CORNER_TOLERANCES * m->discrete->rtol, CORNER_FARTHEST), before = 0.0;
    for (double d = CORNER_NEAREST; d <= most; d *= 2.0) {
        int32_t flipped = flipped_at(m, side * d);
        if (flipped_here < 0 && flipped >= 0)
            return jumps_between(m, flipped, side * before, side * d) ? flipped : -1;
        if (flipped_here >= 0 && flipped == -1)
            return jumps_between(m, flipped_here, side * d, side * before) ? flipped_here : -1;
        before = d;
    }
    return -1;
}

int32_t singularity_corner(simulation *m)
{
    singularity_watch *w = m->watch;
    int32_t which = -1;
    if (w->n == 0 || !w->has_reference || w->version != m->values->version ||
        m->values->x[0] == m->discrete->t_start ||
        program_run(m->compiled, w->leading, 0.0, NULL, NULL) != DAEDAL_CALL_OK)
        return -1;
    int32_t flipped = find_flipped(m);
    for (int32_t k = 0; k < w->n; k++)
        if (k != flipped && w->log_det[k] - w->usual_log_det[k] < log(CORNER_LEAST))
            return -1;
    for (int side = -1; side <= 1 && which < 0; side += 2)
        which = find_corner(m, flipped, side);
    return which >= 0 && is_algebraic(m, which) ? which : -1;
}

int32_t singularity_after_failure(simulation *m)
{
    singularity_watch *w = m->watch;
    double t = m->values->x[0], least = log(FAILED_LEAST);
    int32_t which = -1;
    if (w->n > 0 && t == m->discrete->t_start)
        return w->singular;
    if (w->n == 0 || !w->has_reference ||
        program_run(m->compiled, w->leading, 0.0, NULL, NULL) != DAEDAL_CALL_OK)
        return -1;
    int32_t flipped = find_flipped(m);
    for (int32_t k = 0; k < w->n; k++)
        if (w->log_det[k] - w->usual_log_det[k] < least) {
            least = w->log_det[k] - w->usual_log_det[k];
            which = k;
        }
    if (flipped >= 0)
        return flipped;
    for (int side = -1; side <= 1 && which < 0; side += 2) /* a corner: no step can end there */
        which = evaluate_beside(m, CORNER_DISTANCE * side) ? find_flipped(m) : -1;
    program_run(m->compiled, w->leading, 0.0, NULL, NULL);
    bool just_now = fabs(t - w->t_flipped) <= RECENT * fabs(t - m->discrete->t_start);
    return which >= 0 ? which : just_now ? w->flipped : -1;
}

/* A state may be restored in another instance of the model. */
static void keep_memory(singularity_watch *w, const singularity_watch *mine)
{
    w->block = mine->block;
    w->sign = mine->sign;
    w->log_det = mine->log_det;
    w->usual_log_det = mine->usual_log_det;
    w->place = mine->place;
    w->column = mine->column;
    w->matrix = mine->matrix;
    w->y = mine->y;
    w->leading = mine->leading;
    w->y_before = mine->y_before;
    w->y_trial = mine->y_trial;
    w->y_after = mine->y_after;
    w->is_reported = mine->is_reported;
    w->poles = mine->poles;
}

void singularity_copy_state(simulation *m, state_copy *s)
{
    singularity_watch *w = m->watch;
    size_t blocks = (size_t)w->n, n = (size_t)m->reduced->n_system;
    singularity_watch mine = *w;
    STATE_COPY(s, *w);
    keep_memory(w, &mine);
    state_copy_bytes(s, w->sign, blocks * sizeof *w->sign);
    state_copy_bytes(s, w->log_det, blocks * sizeof *w->log_det);
    state_copy_bytes(s, w->usual_log_det, blocks * sizeof *w->usual_log_det);
    state_copy_bytes(s, w->is_reported, blocks * sizeof *w->is_reported);
    if (w->poles)
        poles_copy_state(w->poles, s);
    state_copy_bytes(s, w->y_before, 2 * n * sizeof(double));
    state_copy_bytes(s, w->y_trial, 2 * n * sizeof(double));
    state_copy_bytes(s, w->y_after, n * sizeof(double));
}
