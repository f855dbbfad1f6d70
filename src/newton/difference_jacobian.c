/* newton/difference_jacobian.c - see difference_jacobian.h.
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
#include "newton/difference_jacobian.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/vector.h"
#include "newton/missing_entries.h"

/* Units of roundoff: digits of a slope that are asked for.  F is nearly always linear in
 * y', so a larger move costs nothing there.                                      */
static const double VISIBLE = 1e3, VISIBLE_SLOPE = 1e6;
static const double GROWTH = 1e3, LARGEST = 1e12;
static const double SMALL_SHARE = 1e-3; /* of a variable: how far it is moved below its tolerance */
static const double REACH = 1e-8; /* of the largest variable: how far a y near zero is moved */
static const double REACH_SLOPE = 1e-3; /* of its own size: how far a y' is moved                */

/* [BCP96] (5.2.17): sign(h y') max(|y|, |h y'|, w) sqrt(u). */
double difference_jacobian_increment(double y, double hyp, double weight)
{
    double size = larger_of(larger_of(fabs(y), fabs(hyp)), weight) * sqrt(DBL_EPSILON);
    return hyp < 0.0 ? -size : size;
}

static double weight_of(const matrix_point *at, int32_t j)
{
    return at->inverse_weight && at->inverse_weight[j] > 0.0 ? 1.0 / at->inverse_weight[j] : 0.0;
}

/* Unlike (5.2.17) increments reach the weight itself, not sqrt(u) times it, which would be lost
 * beside the other terms of F.  A variable that is smaller than its tolerance is moved by a share
 * of its own size, if roundoff allows: F may bend on that scale. */
static double floor_of(const iteration_matrix *m, const matrix_point *at, int32_t j, double weight)
{
    double size = larger_of(fabs(at->y[j]), fabs(at->h * at->yp[j]));
    if (!m->in_step || size == 0.0 || m->least_move[j] == 0.0)
        return weight;
    double least = larger_of(SMALL_SHARE * size, m->least_move[j]);
    return least < weight ? least : weight;
}

/* Increments that stay inside the bounds; of y' times h.  Where h is tiny, that of y divided by it
 * would take y' far away from where it is; F may be nonlinear in y'.                    */
static void choose_increments(iteration_matrix *m, const matrix_point *at)
{
    const daedal_system *sys = m->ev->sys;
    int32_t n = m->ev->n;
    for (int32_t j = 0; j < n; j++) {
        double y = at->y[j], hyp = at->h * at->yp[j], weight = weight_of(at, j);
        double floor = floor_of(m, at, j, weight) / sqrt(DBL_EPSILON);
        double d = difference_jacobian_increment(y, hyp, floor);
        if (d == 0.0)
            d = sqrt(DBL_EPSILON);
        bool outside = (sys->upper.at && y + d > sys->upper.at[j]) ||
                       (sys->lower.at && y + d < sys->lower.at[j]);
        double most = REACH_SLOPE * larger_of(fabs(hyp), weight);
        d = outside ? -d : d;
        m->increment[j] = d;
        m->increment[n + j] = most > 0.0 && fabs(d) > most ? copysign(most, d) : d;
    }
}

/* What roundoff in the terms of F means for the next evaluation. */
static void measure_least_moves(iteration_matrix *m, const double *noise)
{
    const daedal_pattern *p = &m->part[0].view;
    for (int32_t j = 0; j < p->n_cols; j++) {
        double least = 0.0;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double slope = fabs(m->dy[m->part_at[0][q]]);
            if (slope > 0.0)
                least = larger_of(least, VISIBLE * fabs(noise[p->row[q]]) / slope);
        }
        m->least_move[j] = least;
    }
}

static difference_column column_at(const iteration_matrix *m, int32_t p)
{
    return difference_column_of(m, m->colours.column[p]);
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
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        int32_t number = m->colours.column[p], n = m->ev->n;
        double by = sign * m->growth[number] * m->increment[number];
        if (number < n)
            m->y[number] = at->y[number] + by;
        else
            m->yp[number - n] = at->yp[number - n] + by / at->h;
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

/* Take the entries of a column that are visible and not yet known.  Returns how many are missing.
 */
static int32_t collect(iteration_matrix *m, const matrix_point *at, difference_column c)
{
    int32_t missing = 0;
    const int32_t *row = m->part[c.which].view.row;
    double *values = c.which ? m->dyp : m->dy, visible = c.which ? VISIBLE_SLOPE : VISIBLE;
    double moved = c.which ? m->yp[c.j] - at->yp[c.j] : m->y[c.j] - at->y[c.j];
    for (int32_t q = c.first; q < c.end; q++) {
        if (m->known[c.which][q])
            continue;
        double before = m->r0[row[q]], after = m->r[row[q]];
        double noise = DBL_EPSILON * larger_of(fabs(before), fabs(after));
        values[m->part_at[c.which][q]] = (after - before) / moved;
        m->known[c.which][q] = fabs(after - before) > visible * noise;
        missing += !m->known[c.which][q];
    }
    return missing;
}

/* How far a column may be moved in all: a y that is as good as zero to a share of the
 * largest variable, a y' to a share of its own size, or until it is seen at all.  */
static double reach_of(const iteration_matrix *m, const matrix_point *at, difference_column c,
                       bool seen)
{
    double size = fmax(fabs(at->y[c.j]), fabs(at->h * at->yp[c.j])), weight = weight_of(at, c.j);
    if (c.which == 1)
        return seen ? REACH_SLOPE * fmax(size, weight) : LARGEST;
    return size <= weight ? REACH * m->largest : 0.0;
}

/* Increase the increment of a column with missing entries if that may help; true if it was
 * increased.  Once it is as large as it may be, later evaluations stop where the last entry became
 * visible.                                                                       */
static bool grow(iteration_matrix *m, const matrix_point *at, difference_column c, bool seen)
{
    double base = fabs(m->increment[c.number]), size = base * m->growth[c.number];
    double reach = m->settled[c.number] ? m->useful[c.number] : reach_of(m, at, c, seen);
    if (size >= 0.99 * reach) {
        m->settled[c.number] = true;
        return false;
    }
    m->growth[c.number] = fmin(size * GROWTH, reach) / base;
    return true;
}

/* Collect the entries of a colour and increase the increments of columns with missing entries;
 * true if any was increased. */
static bool look_further(iteration_matrix *m, const matrix_point *at, int32_t colour)
{
    bool any = false;
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        difference_column c = column_at(m, p);
        int32_t *missing = &m->missing[c.number], before = *missing;
        *missing = collect(m, at, c);
        if (m->growth[c.number] > 1.0 && *missing < before)
            m->useful[c.number] = m->growth[c.number] * fabs(m->increment[c.number]);
        if (*missing > 0)
            any |= grow(m, at, c, *missing < c.end - c.first);
    }
    return any;
}

/* Nothing is known of any column. */
static void reset(iteration_matrix *m)
{
    for (int32_t which = 0; which < 2; which++) {
        const daedal_pattern *p = &m->part[which].view;
        memset(m->known[which], 0, (size_t)p->start[p->n_cols] * sizeof(bool));
        for (int32_t j = 0; j < p->n_cols; j++) {
            m->growth[which * p->n_cols + j] = 1.0;
            m->missing[which * p->n_cols + j] = p->start[j + 1] - p->start[j];
        }
    }
}

/* The variables of a colour. */
static void put_back(iteration_matrix *m, const matrix_point *at, int32_t colour)
{
    for (int32_t p = m->colours.start[colour]; p < m->colours.start[colour + 1]; p++) {
        int32_t number = m->colours.column[p], n = m->ev->n;
        if (number < n)
            m->y[number] = at->y[number];
        else
            m->yp[number - n] = at->yp[number - n];
    }
}

/* Prepare differences at a point: increments, and F there. */
static int begin(iteration_matrix *m, const matrix_point *at, enum difference_of what)
{
    size_t bytes = (size_t)m->ev->n * sizeof(double);
    memcpy(m->y, at->y, bytes);
    memcpy(m->yp, at->yp, bytes);
    m->largest = vector_max_abs(at->y, m->ev->n);
    choose_increments(m, at);
    reset(m);
    if (what == DIFFERENCE_RESIDUAL && at->residual) {
        memcpy(m->r0, at->residual, bytes);
        return DAEDAL_CALL_OK;
    }
    return call(m, at, what, m->r0);
}

/* Tell the system of the points that come next: those of the colours from c on, as many as fit.
 * Returns the colour at which to tell of the next ones.                            */
static int announce_colours(iteration_matrix *m, const matrix_point *at, int32_t c, int32_t *next)
{
    bool fits = true;
    for (*next = c; *next < m->colours.n_colours && fits; *next += fits) {
        move(m, at, *next, 1.0);
        fits = evaluator_announce_add(m->ev, m->y, m->yp);
        put_back(m, at, *next);
    }
    return evaluator_announce(m->ev, at->t);
}

int difference_jacobian_evaluate(iteration_matrix *m, const matrix_point *at,
                                 enum difference_of what)
{
    bool is_watched = what == DIFFERENCE_RESIDUAL && m->watch && m->in_step;
    bool is_announced = what == DIFFERENCE_RESIDUAL && evaluator_announces(m->ev);
    int answer = begin(m, at, what);
    for (int32_t c = 0, next = 0; c < m->colours.n_colours && answer == DAEDAL_CALL_OK; c++) {
        if (is_announced && c == next)
            answer = announce_colours(m, at, c, &next);
        if (answer != DAEDAL_CALL_OK)
            break;
        do
            answer = call_moved(m, at, what, c);
        while (answer == DAEDAL_CALL_OK && look_further(m, at, c));
        if (is_watched && answer == DAEDAL_CALL_OK)
            missing_entries_note_colour(m, c);
        put_back(m, at, c);
        if (is_watched && answer == DAEDAL_CALL_OK)
            answer = missing_entries_search_colour(m, at, c);
    }
    if (what != DIFFERENCE_RESIDUAL || answer != DAEDAL_CALL_OK)
        return answer;
    double *noise = is_watched ? m->watch->noise : m->r;
    matrix_term_noise(m, at->y, at->yp, noise);
    measure_least_moves(m, noise);
    return is_watched ? missing_entries_check(m, at) : answer;
}

int difference_jacobian_look(iteration_matrix *m, const matrix_point *at)
{
    int answer = begin(m, at, DIFFERENCE_RESIDUAL);
    for (int32_t c = 0; c < m->colours.n_colours && answer == DAEDAL_CALL_OK; c++) {
        answer = call_moved(m, at, DIFFERENCE_RESIDUAL, c);
        if (answer == DAEDAL_CALL_OK)
            missing_entries_note_colour(m, c);
        put_back(m, at, c);
        if (answer == DAEDAL_CALL_OK)
            answer = missing_entries_search_colour(m, at, c);
    }
    return answer;
}
