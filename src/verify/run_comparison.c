/* verify/run_comparison.c - see run_comparison.h. */
#include "verify/run_comparison.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double SAME_TIME = 1e-12; /* of the span */

static void lay_out(void *object, layout *l)
{
    run_comparison *c = object;
    c->tolerance = layout_take(l, (size_t)c->a->n, sizeof(double));
    c->shift = layout_take(l, (size_t)c->b->n_rows, sizeof(double));
}

/* ---- tolerances ---- */

static void find_tolerances(run_comparison *c, const comparison_setup *s)
{
    int32_t n = c->a->n;
    const recorded_run *runs[] = {c->a, c->b};
    if (s->tolerance) {
        memcpy(c->tolerance, s->tolerance, (size_t)n * sizeof(double));
        return;
    }
    for (int r = 0; r < 2; r++)
        for (int32_t k = 0; k < runs[r]->n_rows; k++) {
            const double *row = recorded_row(runs[r], k);
            for (int32_t i = 0; i < n; i++)
                c->tolerance[i] = fmax(c->tolerance[i], fabs(row[i]));
        }
    for (int32_t i = 0; i < n; i++)
        c->tolerance[i] = fmax(s->rtol * c->tolerance[i] + s->atol[i], DBL_MIN);
}

/* ---- events ---- */

/* Something jumps at row k by more than a tolerance. */
static bool jumps(const run_comparison *c, const recorded_run *r, int32_t k)
{
    if (!recorded_is_jump(r, k))
        return false;
    const double *before = recorded_row(r, k), *after = recorded_row(r, k + 1);
    for (int32_t i = 0; i < r->n; i++)
        if (!(fabs(after[i] - before[i]) <= c->tolerance[i]))
            return true;
    return false;
}

/* The distance in time from t to the nearest jump of a run, if it is within reach, else -1. */
static double distance_to_jump(const run_comparison *c, const recorded_run *r, double t)
{
    double nearest = -1.0;
    for (int32_t k = recorded_find(r, t - c->shift_most);
         k < r->n_rows && r->t[k] <= t + c->shift_most; k++) {
        double gap = fabs(r->t[k] - t);
        if ((nearest < 0.0 || gap < nearest) && jumps(c, r, k))
            nearest = gap;
    }
    return nearest;
}

/* The error of an event time counts from shortly before the event on, since one run may have passed
 * it already.                                                                    */
static void note_shift(run_comparison *c, double t, double gap)
{
    int32_t from = recorded_find(c->b, t - 2.0 * gap);
    if (from < c->b->n_rows)
        c->shift[from] = fmax(c->shift[from], gap);
    if (gap > c->event_shift) {
        c->event_shift = gap;
        c->t_event_shift = t;
    }
}

/* Time may be shifted by a hundred of its tolerances, but only by a small part of the time between
 * two jumps: by more, one event would be taken for another.                      */
static double largest_shift(const run_comparison *c, double rtol)
{
    const double part = 0.02;
    int32_t n = 0;
    for (int32_t k = 0; k < c->a->n_rows; k++)
        n += jumps(c, c->a, k);
    return fmin(TOLERANCES_MOST * rtol, part / (n + 1)) * c->span;
}

static void match_events(run_comparison *c)
{
    const recorded_run *runs[] = {c->a, c->b};
    for (int r = 0; r < 2; r++)
        for (int32_t k = 0; k < runs[r]->n_rows; k++) {
            if (!jumps(c, runs[r], k))
                continue;
            double gap = distance_to_jump(c, runs[1 - r], runs[r]->t[k]);
            c->n_events[r]++;
            c->n_unmatched += gap < 0.0;
            if (gap > 0.0)
                note_shift(c, runs[r]->t[k], gap);
        }
    for (int32_t k = 1; k < c->b->n_rows; k++) /* what follows an event is shifted with it */
        c->shift[k] = fmax(c->shift[k], c->shift[k - 1]);
}

bool comparison_create(run_comparison *c, const comparison_setup *s)
{
    const recorded_run *a = s->a, *b = s->b;
    *c = (run_comparison){.a = a, .b = b, .is_discrete = s->is_discrete};
    if (!block_create(&c->mem, s->allocator, lay_out, c))
        return false;
    if (a->n_rows == 0 || b->n_rows == 0)
        return true;
    c->span = fmax(a->t[a->n_rows - 1], b->t[b->n_rows - 1]) - a->t[0];
    find_tolerances(c, s);
    c->shift_most = largest_shift(c, s->rtol);
    match_events(c);
    return true;
}

void comparison_free(run_comparison *c)
{
    block_free(&c->mem);
}

/* ---- rows ---- */

/* How fast variable i of b changes from the row before `first` to row `end`, without jumps. */
static double slope(const recorded_run *b, int32_t first, int32_t end, int32_t i)
{
    double most = 0.0;
    for (int32_t m = first > 0 ? first - 1 : 0; m < end && m + 1 < b->n_rows; m++) {
        double dt = b->t[m + 1] - b->t[m];
        if (dt > 0.0)
            most = fmax(most, fabs(recorded_row(b, m + 1)[i] - recorded_row(b, m)[i]) / dt);
    }
    return most;
}

/* The distance of x from what variable i takes between rows m and m + 1 of b, or at m alone. */
static double distance(const recorded_run *b, int32_t m, bool to_next, int32_t i, double x)
{
    double here = recorded_row(b, m)[i], next = to_next ? recorded_row(b, m + 1)[i] : here;
    if ((x >= here && x <= next) || (x <= here && x >= next))
        return 0.0;
    double least = fmin(fabs(x - here), fabs(x - next));
    return isnan(least) ? (isnan(x) && isnan(here) ? 0.0 : HUGE_VAL) : least;
}

/* Whether exactly one jump of a run is near t.  Of several events in a moment some last for so
 * short a time that they are seen in one of the runs only.                             */
static bool is_single_jump(const run_comparison *c, const recorded_run *r, double t)
{
    double reach = 2.0 * c->shift_most, found = NAN;
    for (int32_t k = recorded_find(r, t - reach); k < r->n_rows && r->t[k] <= t + reach; k++) {
        if (r->t[k] == found || !jumps(c, r, k))
            continue;
        if (!isnan(found))
            return false;
        found = r->t[k];
    }
    return !isnan(found);
}

/* Rows of an event are compared if the other run has the same event, and then in discrete variables
 * alone: fast transients that begin there amplify the error of the event time.   */
static bool is_comparable(const run_comparison *c, int32_t k)
{
    double t = c->a->t[k];
    return !recorded_is_of_event(c->a, k) ||
           (c->is_discrete && is_single_jump(c, c->a, t) && is_single_jump(c, c->b, t));
}

bool comparison_row(const run_comparison *c, int32_t k, double *error)
{
    const recorded_run *a = c->a, *b = c->b;
    double t = a->t[k], same = SAME_TIME * c->span;
    int32_t first = recorded_find(b, t - same);
    if (first >= b->n_rows)
        return false;
    double shift = c->shift[first];
    first = recorded_find(b, t - shift - same);
    int32_t end = recorded_find(b, t + shift + 2.0 * same);
    if (end <= first || !is_comparable(c, k))
        return false;
    const double *row = recorded_row(a, k);
    bool of_event = recorded_is_of_event(a, k);
    for (int32_t i = 0; i < a->n; i++) {
        double least = HUGE_VAL;
        error[i] = 0.0;
        if (of_event && !c->is_discrete[i])
            continue;
        for (int32_t m = first; m < end; m++) {
            bool to_next = m + 1 < end && !recorded_is_jump(b, m);
            least = fmin(least, distance(b, m, to_next, i, row[i]));
        }
        if (shift > 0.0 && least > c->tolerance[i])
            least = fmax(0.0, least - shift * slope(b, first, end, i));
        error[i] = least / c->tolerance[i];
    }
    return true;
}
