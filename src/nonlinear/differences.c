/* nonlinear/differences.c - see differences.h.
 *
 * All columns of a colour are moved at once; since no two of them share a row,
 * every changed entry of F belongs to one column ([CPR74]).  The columns of dF/dy
 * and dF/dy' are coloured together: for an ordinary differential equation the whole
 * of dF/dy' costs one call.
 *
 * Where y_j and h y'_j are zero the increment (5.2.17) is sqrt(u) times a tolerance, too
 * small to be seen beside the other terms of F.  A column whose change drowns in roundoff
 * is moved further, up to its tolerance (y) or to a share of the largest variable (y', in
 * which F is nearly always linear); how far is remembered, so that this costs extra calls
 * once only.                                                                    */
#include "nonlinear/differences.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/vector.h"

static const double VISIBLE = 1e3; /* units of roundoff: at least three digits of a slope */
static const double GROWTH = 1e3;

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

/* Move the columns of a colour by sign times their increments. */
static void move(iteration_matrix *m, const matrix_point *at, int32_t colour, double sign)
{
    int32_t n = m->ev->n;
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        int32_t j = m->colours.column[p];
        double d = m->increment[j < n ? j : j - n], size = fabs(d);
        if (m->boost[j] > 1.0)
            size = fmax(size, fmin(m->boost[j] * size, reach_of(m, at, j)));
        double by = copysign(size, sign * d);
        if (j < n)
            m->y[j] = at->y[j] + by;
        else
            m->yp[j - n] = at->yp[j - n] + by / at->h;
    }
}

/* Does the change stand out of the roundoff of F in every row of this column? */
static bool is_visible(const iteration_matrix *m, int32_t which, int32_t j)
{
    const daedal_pattern *part = &m->part[which].view;
    for (int32_t q = part->start[j]; q < part->start[j + 1]; q++) {
        double a = m->r0[part->row[q]], b = m->r[part->row[q]];
        if (!(fabs(b - a) > VISIBLE * DBL_EPSILON * fmax(fabs(a), fabs(b))))
            return false;
    }
    return true;
}

/* Let the increments of invisible columns grow as far as they may; did any? */
static bool grow_increments(iteration_matrix *m, const matrix_point *at, int32_t colour)
{
    int32_t n = m->ev->n;
    bool any = false;
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        int32_t which = m->colours.column[p] >= n, j = m->colours.column[p] - which * n;
        double *boost = &m->boost[m->colours.column[p]];
        if (is_visible(m, which, j))
            continue;
        double most = reach_of(m, at, m->colours.column[p]) / fabs(m->increment[j]);
        if (*boost >= most)
            continue;
        *boost = fmin(*boost * GROWTH, most);
        any = true;
    }
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
