/* nonlinear/differences.c - see differences.h.
 *
 * All columns of a colour are moved at once; since no two of them share a row,
 * every changed entry of F belongs to one column ([CPR74]).  The columns of dF/dy
 * and dF/dy' are coloured together: for an ordinary differential equation the whole
 * of dF/dy' costs one call.
 *
 * An entry is taken when the change stands out of the roundoff of F.  Where a variable is
 * as good as zero, its increment may be too small for some row; the colour is then moved
 * further for the entries still missing, and only for those, so that a larger move never
 * spoils a slope that was seen.  Entries that stay invisible are zero; what is learnt of a
 * column is remembered, so that the extra calls for them are spent once.        */
#include "nonlinear/differences.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/vector.h"

/* Units of roundoff: digits of a slope that are asked for.  F is nearly always linear in
 * y', so a larger move costs nothing there.                                      */
static const double VISIBLE = 1e3, VISIBLE_SLOPE = 1e6;
static const double GROWTH = 1e3, LARGEST = 1e12;

/* [BCP96] (5.2.17): sign(h y') max(|y|, |h y'|, w) sqrt(u). */
double differences_increment(double y, double hyp, double weight)
{
    double size = fmax(fmax(fabs(y), fabs(hyp)), weight) * sqrt(DBL_EPSILON);
    return hyp < 0.0 ? -size : size;
}

static double weight_of(const matrix_point *at, int32_t j)
{
    return at->inverse_weight && at->inverse_weight[j] > 0.0 ? 1.0 / at->inverse_weight[j] : 0.0;
}

/* Increments that stay inside the bounds.  Unlike (5.2.17) they reach the weight itself,
 * not sqrt(u) times it, which would be lost beside the other terms of F.        */
static void choose_increments(iteration_matrix *m, const matrix_point *at)
{
    const daedal_system *sys = m->ev->sys;
    for (int32_t j = 0; j < m->ev->n; j++) {
        double y = at->y[j], floor = weight_of(at, j) / sqrt(DBL_EPSILON);
        double d = differences_increment(y, at->h * at->yp[j], floor);
        if (d == 0.0)
            d = sqrt(DBL_EPSILON);
        bool outside = (sys->upper.at && y + d > sys->upper.at[j]) ||
                       (sys->lower.at && y + d < sys->lower.at[j]);
        m->increment[j] = outside ? -d : d;
    }
}

static int call(iteration_matrix *m, const matrix_point *at, enum difference_of what, double *out)
{
    if (what == DIFFERENCE_MASS_PRODUCT)
        return evaluator_mass_product(m->ev, at->t, m->y, m->yp, out);
    m->ev->stats->jacobian_residuals++;
    return evaluator_residual(m->ev, at->t, m->y, m->yp, out);
}

/* Move the columns of a colour by sign times their increments times their growth. */
static void move(iteration_matrix *m, const matrix_point *at, int32_t colour, double sign)
{
    int32_t n = m->ev->n;
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        int32_t column = m->colours.column[p], j = column < n ? column : column - n;
        double by = sign * m->growth[column] * m->increment[j];
        if (column < n)
            m->y[j] = at->y[j] + by;
        else
            m->yp[j] = at->yp[j] + by / at->h;
    }
}

/* F with one colour moved: to the other side where it is not defined. */
static int call_moved(iteration_matrix *m, const matrix_point *at, enum difference_of what,
                      int32_t colour)
{
    move(m, at, colour, 1.0);
    int answer = call(m, at, what, m->r);
    if (answer != DAEDAL_CALL_RETRY)
        return answer;
    move(m, at, colour, -1.0);
    return call(m, at, what, m->r);
}

/* Take the entries of a column that are seen and not yet known; how many are missing? */
static int32_t collect(iteration_matrix *m, const matrix_point *at, int32_t column)
{
    int32_t n = m->ev->n, which = column >= n, j = column - which * n, missing = 0;
    const daedal_pattern *part = &m->part[which].view;
    double *values = which ? m->dyp : m->dy;
    double moved = which ? m->yp[j] - at->yp[j] : m->y[j] - at->y[j];
    for (int32_t q = part->start[j]; q < part->start[j + 1]; q++) {
        double *value = &values[m->part_at[which][q]];
        double before = m->r0[part->row[q]], after = m->r[part->row[q]];
        double noise = DBL_EPSILON * fmax(fabs(before), fabs(after));
        if (m->known[which][q])
            continue;
        *value = (after - before) / moved;
        m->known[which][q] = fabs(after - before) > (which ? VISIBLE_SLOPE : VISIBLE) * noise;
        missing += !m->known[which][q];
    }
    return missing;
}

/* How far a column may be moved in all: a y that is as good as zero to a share of the
 * largest variable, a y' to a share of its own size, or until it is seen at all.  */
static double reach_of(const iteration_matrix *m, const matrix_point *at, int32_t column, bool seen)
{
    int32_t n = m->ev->n, j = column < n ? column : column - n;
    double size = fmax(fabs(at->y[j]), fabs(at->h * at->yp[j])), weight = weight_of(at, j);
    if (column >= n)
        return seen ? 1e-3 * fmax(size, weight) : LARGEST;
    return size <= weight ? 1e-8 * m->largest : 0.0;
}

/* Let a column with missing entries grow if that may help; did it?  Once it has grown as
 * far as it may, later evaluations stop where the last entry came into sight.   */
static bool grow(iteration_matrix *m, const matrix_point *at, int32_t column, bool seen)
{
    int32_t n = m->ev->n, j = column < n ? column : column - n;
    double base = fabs(m->increment[j]), size = base * m->growth[column];
    double reach = m->settled[column] ? m->useful[column] : reach_of(m, at, column, seen);
    if (size >= 0.99 * reach) {
        m->settled[column] = true;
        return false;
    }
    m->growth[column] = fmin(size * GROWTH, reach) / base;
    return true;
}

/* Collect what a colour has shown, and let columns with missing entries grow; did any? */
static bool look_further(iteration_matrix *m, const matrix_point *at, int32_t colour)
{
    bool any = false;
    int32_t n = m->ev->n;
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        int32_t column = m->colours.column[p], which = column >= n, j = column - which * n;
        const daedal_pattern *part = &m->part[which].view;
        int32_t entries = part->start[j + 1] - part->start[j], before = m->missing[column];
        m->missing[column] = collect(m, at, column);
        if (m->growth[column] > 1.0 && m->missing[column] < before)
            m->useful[column] = m->growth[column] * fabs(m->increment[j]);
        if (m->missing[column] > 0)
            any |= grow(m, at, column, m->missing[column] < entries);
    }
    return any;
}

/* Forget what is known of a colour's columns, or put its variables back. */
static void reset(iteration_matrix *m, const matrix_point *at, int32_t colour)
{
    int32_t n = m->ev->n;
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        int32_t column = m->colours.column[p], which = column >= n, j = column - which * n;
        const daedal_pattern *part = &m->part[which].view;
        size_t entries = (size_t)(part->start[j + 1] - part->start[j]);
        memset(m->known[which] + part->start[j], 0, entries * sizeof(bool));
        m->growth[column] = 1.0;
        m->missing[column] = (int32_t)entries;
        m->y[j] = at->y[j];
        m->yp[j] = at->yp[j];
    }
}

int differences_evaluate(iteration_matrix *m, const matrix_point *at, enum difference_of what)
{
    size_t bytes = (size_t)m->ev->n * sizeof(double);
    memcpy(m->y, at->y, bytes);
    memcpy(m->yp, at->yp, bytes);
    m->largest = vector_max_abs(at->y, m->ev->n);
    choose_increments(m, at);
    int answer = DAEDAL_CALL_OK;
    if (what == DIFFERENCE_RESIDUAL && at->residual)
        memcpy(m->r0, at->residual, bytes);
    else
        answer = call(m, at, what, m->r0);
    for (int32_t c = 0; c < m->colours.n_colours && answer == DAEDAL_CALL_OK; c++) {
        reset(m, at, c);
        do
            answer = call_moved(m, at, what, c);
        while (answer == DAEDAL_CALL_OK && look_further(m, at, c));
        reset(m, at, c);
    }
    return answer;
}
