/* nonlinear/differences.c - see differences.h.
 *
 * All columns of a colour are moved at once; since no two of them share a row,
 * every changed entry of F belongs to one column ([CPR74]).  The columns of dF/dy
 * and dF/dy' are coloured together: for an ordinary differential equation the whole
 * of dF/dy' costs one call.
 *
 * Where y_j and h y'_j are zero the increment (5.2.17) is sqrt(u) times a tolerance, too
 * small to be seen beside the other terms of F.  A column whose change drowns in roundoff
 * is moved further: y up to its tolerance, y', in which F is nearly always linear, until it
 * is seen.  How far is remembered, so that this costs extra calls once only.    */
#include "nonlinear/differences.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/vector.h"

static const double VISIBLE = 1e3; /* units of roundoff: at least three digits of a slope */
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

/* Increments that stay inside the bounds. */
static void choose_increments(iteration_matrix *m, const matrix_point *at)
{
    const daedal_system *sys = m->ev->sys;
    int32_t n = m->ev->n;
    m->slope_reach = 1e-3 * fmax(fabs(at->h) * vector_max_abs(at->yp, n), vector_max_abs(at->y, n));
    for (int32_t j = 0; j < n; j++) {
        double y = at->y[j];
        double d = differences_increment(y, at->h * at->yp[j], weight_of(at, j));
        if (d == 0.0)
            d = sqrt(DBL_EPSILON);
        bool outside = (sys->upper.at && y + d > sys->upper.at[j]) ||
                       (sys->lower.at && y + d < sys->lower.at[j]);
        m->increment[j] = outside ? -d : d;
    }
}

/* How far a column may be moved beyond its increment: y_j to its tolerance, and only
 * while it is as good as zero; y'_j to a thousandth of the largest variable.    */
static double reach_of(const iteration_matrix *m, const matrix_point *at, int32_t column)
{
    if (column >= m->ev->n)
        return m->slope_reach;
    double weight = weight_of(at, column), zero = sqrt(DBL_EPSILON) * weight;
    bool is_zero = fabs(at->y[column]) <= zero && fabs(at->h * at->yp[column]) <= zero;
    return is_zero ? weight : 0.0;
}

static int call(iteration_matrix *m, const matrix_point *at, enum difference_of what, double *out)
{
    if (what == DIFFERENCE_MASS_PRODUCT)
        return evaluator_mass_product(m->ev, at->t, m->y, m->yp, out);
    m->ev->stats->jacobian_residuals++;
    return evaluator_residual(m->ev, at->t, m->y, m->yp, out);
}

/* What a column is moved by: its increment, or what it took to be seen before.  For y
 * that counts only while y is as good as zero.                                  */
static double size_of(const iteration_matrix *m, const matrix_point *at, int32_t column)
{
    int32_t n = m->ev->n;
    double size = fabs(m->increment[column < n ? column : column - n]), least = m->least[column];
    if (least <= size)
        return size;
    return column >= n ? least : fmax(size, fmin(least, reach_of(m, at, column)));
}

/* Move the columns of a colour by sign times their increments. */
static void move(iteration_matrix *m, const matrix_point *at, int32_t colour, double sign)
{
    int32_t n = m->ev->n;
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        int32_t column = m->colours.column[p], j = column < n ? column : column - n;
        double by = copysign(size_of(m, at, column), sign * m->increment[j]);
        if (column < n)
            m->y[j] = at->y[j] + by;
        else
            m->yp[j] = at->yp[j] + by / at->h;
    }
}

/* In how many rows of this column does the change stand out of the roundoff of F? */
static int32_t count_visible(const iteration_matrix *m, int32_t which, int32_t j)
{
    const daedal_pattern *part = &m->part[which].view;
    int32_t count = 0;
    for (int32_t q = part->start[j]; q < part->start[j + 1]; q++) {
        double a = m->r0[part->row[q]], b = m->r[part->row[q]];
        count += fabs(b - a) > VISIBLE * DBL_EPSILON * fmax(fabs(a), fabs(b));
    }
    return count;
}

/* Let the increment of a column that is not seen in all its rows grow as far as it may:
 * that of a y' without limit until it is seen at all.                           */
static bool grow_increment(iteration_matrix *m, const matrix_point *at, int32_t column)
{
    int32_t which = column >= m->ev->n, j = column - which * m->ev->n;
    const daedal_pattern *part = &m->part[which].view;
    int32_t visible = count_visible(m, which, j);
    if (visible == part->start[j + 1] - part->start[j])
        return false;
    double used = size_of(m, at, column);
    double most = which && visible == 0 ? LARGEST : reach_of(m, at, column);
    if (used >= most)
        return false;
    m->least[column] = fmin(used * GROWTH, most);
    return true;
}

static bool grow_increments(iteration_matrix *m, const matrix_point *at, int32_t colour)
{
    bool any = false;
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++)
        any |= grow_increment(m, at, m->colours.column[p]);
    return any;
}

/* Divide the change of F by the move actually made, column by column. */
static void collect(iteration_matrix *m, const matrix_point *at, int32_t colour)
{
    int32_t n = m->ev->n;
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        int32_t which = m->colours.column[p] >= n, j = m->colours.column[p] - which * n;
        const daedal_pattern *part = &m->part[which].view;
        double *values = which ? m->dyp : m->dy;
        double *moved_entry = which ? &m->yp[j] : &m->y[j];
        double from = which ? at->yp[j] : at->y[j], moved = *moved_entry - from;
        for (int32_t q = part->start[j]; q < part->start[j + 1]; q++)
            values[m->part_at[which][q]] += (m->r[part->row[q]] - m->r0[part->row[q]]) / moved;
        *moved_entry = from;
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

int differences_evaluate(iteration_matrix *m, const matrix_point *at, enum difference_of what)
{
    size_t bytes = (size_t)m->ev->n * sizeof(double);
    memcpy(m->y, at->y, bytes);
    memcpy(m->yp, at->yp, bytes);
    choose_increments(m, at);
    int answer = DAEDAL_CALL_OK;
    if (what == DIFFERENCE_RESIDUAL && at->residual)
        memcpy(m->r0, at->residual, bytes);
    else
        answer = call(m, at, what, m->r0);
    for (int32_t c = 0; c < m->colours.n_colours && answer == DAEDAL_CALL_OK; c++) {
        do
            answer = call_moved(m, at, what, c);
        while (answer == DAEDAL_CALL_OK && grow_increments(m, at, c));
        collect(m, at, c);
    }
    return answer;
}
