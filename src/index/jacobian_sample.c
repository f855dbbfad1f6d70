/* index/jacobian_sample.c - see jacobian_sample.h.
 *
 * The columns of a colour are moved together by d_j, to four points, and
 *
 *     F' = (8 F(d) - 8 F(-d) - F(2d) + F(-2d)) / 12 d            central, or
 *     F' = (-25 F(0) + 48 F(d) - 36 F(2d) + 16 F(3d) - 3 F(4d)) / 12 d
 *
 * where F is defined on one side only.  d_j is a thousandth of the size of the variable: the
 * error of the formula, (d/L)^4 for a function that changes on the length L, and its roundoff,
 * u F / d, are then both near 1e-12.  What they are in fact is estimated: the formulas of
 * second order on the same values err by e_2 = (d/L)^2 / 6 of F', those of fourth order by
 * (d/L)^4 / 30, which is 1.2 e_2^2; and the roundoff is that of the terms of F, not of F.
 *
 * Where the formula errs far more than roundoff, as with exponentials, the moves are made smaller.
 * F is nearly always linear in y', so a y' is moved further, by factors of 1e3, until the rows
 * that answer do so by a million units in the last place.
 *
 * Where only some entries are wanted, the other entries of their rows count with the roundoff they
 * cause: all columns that have such entries are moved at once, by random shares of their sizes,
 * and what F changes by is the size of these terms, as a sum with random signs has it.    */
#include "index/jacobian_sample.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "linalg/vector.h"

#define MOVE 1e-3
#define GROWTH 1e3
#define LARGEST_GROWTH 1e24
#define REFINEMENT 0.125
enum { POINTS = 4, GROWTHS = 8, REFINEMENTS = 3 };
static const double CLEAR = 1e6;     /* units in the last place                              */
static const double ROUNDOFFS = 4.0; /* units of roundoff of the terms in a value of F       */

typedef struct formula {
    double offset[POINTS], weight[POINTS], weight0; /* fourth order, times 12             */
    double low[POINTS], low0;                       /* second order, times 2               */
} formula;

static const formula CENTRAL = {{1, -1, 2, -2}, {8, -8, -1, 1}, 0, {1, -1, 0, 0}, 0};
static const formula ONE_SIDED = {{1, 2, 3, 4}, {48, -36, 16, -3}, -25, {4, -1, 0, 0}, -3};

/* Ways to move, tried until F is defined at all points. */
static const struct {
    const formula *by;
    double factor;
} MANNERS[] = {{&CENTRAL, 1.0},        {&CENTRAL, 0.125},    {&ONE_SIDED, 0.5},
               {&ONE_SIDED, -0.5},     {&CENTRAL, 1.0 / 64}, {&ONE_SIDED, 1.0 / 64},
               {&ONE_SIDED, -1.0 / 64}};
enum { MANNERS_COUNT = sizeof MANNERS / sizeof *MANNERS };

static void lay_out(void *object, layout *l)
{
    jacobian_sample *s = object;
    size_t n = (size_t)s->n, nnz = (size_t)pattern_nnz(&s->pattern.view);
    for (int k = 0; k < 2; k++) {
        s->at[k] = layout_take(l, (size_t)pattern_nnz(&s->part[k].view), sizeof(int32_t));
        s->wanted[k] = layout_take(l, (size_t)pattern_nnz(&s->part[k].view), sizeof(bool));
        s->value[k] = layout_take(l, nnz, sizeof(double));
        s->noise[k] = layout_take(l, nnz, sizeof(double));
    }
    double **vectors[] = {&s->size, &s->y, &s->yp, &s->r0, &s->r[0], &s->r[1], &s->r[2], &s->r[3]};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, n, sizeof(double));
    s->growth = layout_take(l, 2 * n, sizeof(double));
}

bool jacobian_sample_create(jacobian_sample *s, const probe_target *target,
                            const daedal_pattern *dy, const daedal_pattern *dyp,
                            const daedal_allocator *a)
{
    *s = (jacobian_sample){.target = target, .n = target->n, .allocator = a};
    if (!pattern_copy(&s->part[0], dy, a) || !pattern_copy(&s->part[1], dyp, a) ||
        !pattern_union(&s->pattern, dy, dyp, a) || !block_create(&s->mem, a, lay_out, s))
        return false;
    for (int k = 0; k < 2; k++)
        pattern_locate(&s->pattern.view, &s->part[k].view, s->at[k]);
    for (int32_t j = 0; j < 2 * s->n; j++)
        s->growth[j] = 1.0;
    return true;
}

void jacobian_sample_free(jacobian_sample *s)
{
    block_free(&s->mem);
    colouring_free(&s->colours);
    pattern_free(&s->pattern);
    pattern_free(&s->part[0]);
    pattern_free(&s->part[1]);
}

/* ---- which entries ---- */

bool jacobian_sample_narrow(jacobian_sample *s, int32_t n, const int32_t *at, const int32_t *which)
{
    double *mark =
        s->value[0]; /* not in use between samples: 1 for an entry of dF/dy, 2 of dF/dy' */
    memset(mark, 0, (size_t)pattern_nnz(&s->pattern.view) * sizeof(double));
    for (int32_t q = 0; q < n; q++)
        mark[at[q]] = 1 + which[at[q]];
    for (int k = 0; k < 2; k++)
        for (int32_t q = 0; q < pattern_nnz(&s->part[k].view); q++)
            s->wanted[k][q] = mark[s->at[k][q]] == 1 + k;
    colouring_free(&s->colours);
    s->is_narrow = true;
    s->has_colours =
        colouring_create_for(&s->colours, &s->part[0].view, &s->part[1].view,
                             (const bool *const[2]){s->wanted[0], s->wanted[1]}, s->allocator);
    return s->has_colours;
}

void jacobian_sample_widen(jacobian_sample *s)
{
    if (!s->is_narrow)
        return;
    colouring_free(&s->colours);
    s->is_narrow = s->has_colours = false;
}

static bool is_wanted(const jacobian_sample *s, int32_t which, int32_t q)
{
    return !s->is_narrow || s->wanted[which][q];
}

static bool find_colours(jacobian_sample *s)
{
    if (!s->has_colours)
        s->has_colours =
            colouring_create(&s->colours, &s->part[0].view, &s->part[1].view, s->allocator);
    return s->has_colours;
}

/* ---- calls ---- */

static double move_of(const jacobian_sample *s, int32_t column)
{
    const probe_target *f = s->target;
    double scale = column < s->n ? f->y_scale[column] : f->yp_scale[column - s->n];
    return MOVE * scale * s->growth[column];
}

typedef struct spot {
    double t;
    const double *y, *yp;
} spot;

static void move_colour(jacobian_sample *s, const spot *at, int32_t colour, double factor)
{
    for (int32_t p = s->colours.start[colour]; p < s->colours.start[colour + 1]; p++) {
        int32_t column = s->colours.column[p], j = column % s->n;
        if (column < s->n)
            s->y[j] = at->y[j] + factor * move_of(s, column);
        else
            s->yp[j] = at->yp[j] + factor * move_of(s, column);
    }
}

static daedal_status call_points(jacobian_sample *s, const spot *at, int32_t colour, int32_t manner)
{
    daedal_status status = DAEDAL_OK;
    for (int k = 0; k < POINTS && status == DAEDAL_OK; k++) {
        move_colour(s, at, colour, MANNERS[manner].by->offset[k] * MANNERS[manner].factor);
        status = probe_call(s->target, at->t, s->y, s->yp, s->r[k]);
    }
    move_colour(s, at, colour, 0.0);
    return status;
}

/* F at the four points, and the manner in which that was possible. */
static daedal_status call_colour(jacobian_sample *s, const spot *at, int32_t colour,
                                 int32_t *manner)
{
    daedal_status status = DAEDAL_ERR_NOT_FINITE;
    for (*manner = 0; *manner < MANNERS_COUNT; ++*manner) {
        status = call_points(s, at, colour, *manner);
        if (status != DAEDAL_ERR_NOT_FINITE)
            break;
    }
    return status;
}

/* ---- one column ---- */

/* Whether a larger increment of y'_j would show more.  It would if some rows change, but not
 * clearly, or if no row changes.  One row without a change among others may have no derivative
 * here. */
static bool wants_growth(const jacobian_sample *s, int32_t j)
{
    const daedal_pattern *p = &s->part[1].view;
    bool faint = false, silent = true;
    for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
        int32_t i = p->row[q];
        if (!is_wanted(s, 1, q))
            continue;
        double largest = fmax(fabs(s->r0[i]), fmax(fabs(s->r[0][i]), fabs(s->r[1][i])));
        double answer = fabs(s->r[0][i] - s->r[1][i]);
        silent = silent && answer == 0.0;
        faint = faint || (answer > 0.0 && answer < CLEAR * DBL_EPSILON * largest);
    }
    return faint || silent;
}

/* Increase the increments of the y' columns of a colour that are not clear; true if there are any.
 */
static bool grow_colour(jacobian_sample *s, int32_t colour)
{
    bool any = false;
    for (int32_t p = s->colours.start[colour]; p < s->colours.start[colour + 1]; p++) {
        int32_t column = s->colours.column[p];
        if (column < s->n || s->growth[column] >= LARGEST_GROWTH || !wants_growth(s, column - s->n))
            continue;
        s->growth[column] *= GROWTH;
        any = true;
    }
    return any;
}

static void shrink_colour(jacobian_sample *s, int32_t colour)
{
    for (int32_t p = s->colours.start[colour]; p < s->colours.start[colour + 1]; p++)
        if (s->growth[s->colours.column[p]] > 1.0)
            s->growth[s->colours.column[p]] /= GROWTH;
}

/* What grew in vain begins anew at the next point: there is no derivative here. */
static void forget_growth(jacobian_sample *s, int32_t colour)
{
    for (int32_t p = s->colours.start[colour]; p < s->colours.start[colour + 1]; p++)
        if (s->growth[s->colours.column[p]] >= LARGEST_GROWTH)
            s->growth[s->colours.column[p]] = 1.0;
}

/* A derivative, the error of the formula and that of roundoff. */
typedef struct estimate {
    double value, truncation, roundoff;
} estimate;

static estimate entry(const jacobian_sample *s, int32_t i, const formula *f, double d)
{
    double high = f->weight0 * s->r0[i], low = f->low0 * s->r0[i], largest = 0.0;
    for (int k = 0; k < POINTS; k++) {
        high += f->weight[k] * s->r[k][i];
        low += f->low[k] * s->r[k][i];
        largest = fmax(largest, fabs(s->r[k][i]));
    }
    high /= 12.0 * d;
    low = fabs(high - low / (2.0 * d));
    if (high == 0.0)
        return (estimate){0.0, low, 0.0};
    return (estimate){high, fmin(low, 1.2 * low * low / fabs(high)),
                      ROUNDOFFS * DBL_EPSILON * largest / fabs(d)};
}

/* Reduce the increments of the columns of a colour whose formula errs far more than roundoff; true
 * if there are any.                                                              */
static bool refine_colour(jacobian_sample *s, int32_t colour, int32_t manner)
{
    const double far_more = 100.0, worth = 1e-11;
    bool any = false;
    for (int32_t c = s->colours.start[colour]; c < s->colours.start[colour + 1]; c++) {
        int32_t column = s->colours.column[c], which = column >= s->n, j = column % s->n;
        const daedal_pattern *p = &s->part[which].view;
        double d = MANNERS[manner].factor * move_of(s, column);
        bool coarse = false;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            if (!is_wanted(s, which, q))
                continue;
            estimate x = entry(s, p->row[q], MANNERS[manner].by, d);
            coarse = coarse || (x.truncation > far_more * x.roundoff &&
                                x.truncation > worth * fabs(x.value) && x.roundoff > 0.0);
        }
        if (!coarse || s->growth[column] > 1.0) /* which grew for a reason */
            continue;
        s->growth[column] *= REFINEMENT;
        any = true;
    }
    return any;
}

static void collect(jacobian_sample *s, int32_t column, int32_t manner)
{
    int32_t which = column >= s->n, j = column % s->n;
    const daedal_pattern *p = &s->part[which].view;
    double d = MANNERS[manner].factor * move_of(s, column);
    for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
        if (!is_wanted(s, which, q))
            continue;
        estimate x = entry(s, p->row[q], MANNERS[manner].by, d);
        s->value[which][s->at[which][q]] = x.value;
        s->noise[which][s->at[which][q]] = x.truncation + x.roundoff;
    }
}

/* Call with moves of a size that suits. */
static daedal_status call_well(jacobian_sample *s, const spot *at, int32_t colour, int32_t *manner)
{
    bool grew = false;
    for (int32_t k = 0; k <= GROWTHS; k++) {
        daedal_status status = call_colour(s, at, colour, manner);
        if (status == DAEDAL_ERR_NOT_FINITE && grew) { /* too far */
            shrink_colour(s, colour);
            k = GROWTHS;
            status = call_colour(s, at, colour, manner);
        }
        RETURN_UNLESS_OK(status);
        grew = k < GROWTHS && grow_colour(s, colour);
        if (!grew)
            break;
    }
    for (int32_t k = 0; k < REFINEMENTS && refine_colour(s, colour, *manner); k++)
        RETURN_UNLESS_OK(call_colour(s, at, colour, manner));
    return DAEDAL_OK;
}

static daedal_status sample_colour(jacobian_sample *s, const spot *at, int32_t colour)
{
    int32_t manner = 0;
    RETURN_UNLESS_OK(call_well(s, at, colour, &manner));
    for (int32_t p = s->colours.start[colour]; p < s->colours.start[colour + 1]; p++)
        collect(s, s->colours.column[p], manner);
    forget_growth(s, colour);
    return DAEDAL_OK;
}

/* ---- all ---- */

/* Add what the terms of F_i make in size, then the noise that follows; clear what drowns. */
static void settle_noise(jacobian_sample *s, const spot *at)
{
    const daedal_pattern *p = &s->pattern.view;
    for (int32_t j = 0; j < s->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            s->size[p->row[q]] +=
                fabs(s->value[0][q] * at->y[j]) + fabs(s->value[1][q] * at->yp[j]);
    for (int32_t j = 0; j < s->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            for (int which = 0; which < 2; which++) {
                double d = fabs(move_of(s, j + which * s->n));
                if (s->value[which][q] == 0.0 && s->noise[which][q] == 0.0)
                    continue;
                s->noise[which][q] += ROUNDOFFS * DBL_EPSILON * s->size[p->row[q]] / d;
                if (fabs(s->value[which][q]) <= s->noise[which][q])
                    s->value[which][q] = 0.0;
            }
}

static bool has_unwanted(const jacobian_sample *s, int32_t which, int32_t j)
{
    const daedal_pattern *p = &s->part[which].view;
    for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
        if (!s->wanted[which][q])
            return true;
    return false;
}

/* Move all y and y' that have unwanted entries, by nothing with factor 0; how many there are. */
static int32_t move_unwanted(jacobian_sample *s, const spot *at, double factor)
{
    const double *from[2] = {at->y, at->yp}, *scale[2] = {s->target->y_scale, s->target->yp_scale};
    double *moving[2] = {s->y, s->yp};
    uint64_t random = RANDOM_SEED;
    int32_t count = 0;
    for (int32_t j = 0; j < s->n; j++)
        for (int32_t which = 0; which < 2; which++) {
            double share = random_uniform(&random, -1.0, 1.0);
            share = copysign(0.5 + 0.5 * fabs(share), share);
            if (!has_unwanted(s, which, j))
                continue;
            moving[which][j] = from[which][j] + factor * share * scale[which][j];
            count++;
        }
    return count;
}

/* Add the size of the terms of the unwanted entries of each row. */
static daedal_status measure_unwanted(jacobian_sample *s, const spot *at)
{
    if (move_unwanted(s, at, MOVE) == 0)
        return DAEDAL_OK;
    daedal_status status = probe_call(s->target, at->t, s->y, s->yp, s->r[0]);
    if (status == DAEDAL_ERR_NOT_FINITE) {
        move_unwanted(s, at, -MOVE);
        status = probe_call(s->target, at->t, s->y, s->yp, s->r[0]);
    }
    move_unwanted(s, at, 0.0);
    RETURN_UNLESS_OK(status);
    for (int32_t i = 0; i < s->n; i++)
        s->size[i] += fabs(s->r[0][i] - s->r0[i]) / MOVE;
    return DAEDAL_OK;
}

daedal_status jacobian_sample_at(jacobian_sample *s, double t, const double *y, const double *yp)
{
    spot at = {t, y, yp};
    size_t bytes = (size_t)s->n * sizeof(double), nnz = (size_t)pattern_nnz(&s->pattern.view);
    memcpy(s->y, y, bytes);
    memcpy(s->yp, yp, bytes);
    for (int which = 0; which < 2; which++) {
        memset(s->value[which], 0, nnz * sizeof(double));
        memset(s->noise[which], 0, nnz * sizeof(double));
    }
    if (!find_colours(s))
        return DAEDAL_ERR_MEMORY;
    RETURN_UNLESS_OK(probe_call(s->target, t, y, yp, s->r0));
    for (int32_t i = 0; i < s->n; i++)
        s->size[i] = fabs(s->r0[i]);
    if (s->is_narrow)
        RETURN_UNLESS_OK(measure_unwanted(s, &at));
    for (int32_t c = 0; c < s->colours.n_colours; c++)
        RETURN_UNLESS_OK(sample_colour(s, &at, c));
    settle_noise(s, &at);
    return DAEDAL_OK;
}
