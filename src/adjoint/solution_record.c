/* adjoint/solution_record.c - see solution_record.h. */
#include "adjoint/solution_record.h"

#include <math.h>
#include <string.h>

#include "base/choices.h"
#include "linalg/vector.h"

enum { POINTS_LEAST = 4, POINTS_MOST = 9 };

static const double BEYOND = 0.1; /* of a step: so far its polynomial is also used outside */

void solution_create(solution_record *r, int32_t n, const daedal_allocator *a)
{
    *r = (solution_record){.n = n, .direction = 1.0, .allocator = a, .t_begin = NAN};
}

void solution_free(solution_record *r)
{
    memory_give(r->allocator, r->steps, r->room_steps * sizeof *r->steps);
    memory_give(r->allocator, r->values, r->room * sizeof *r->values);
    *r = (solution_record){0};
}

void solution_clear(solution_record *r)
{
    r->n_steps = r->used = r->last = 0;
}

size_t solution_bytes(const solution_record *r)
{
    return r->used * sizeof *r->values + r->n_steps * sizeof *r->steps;
}

/* ---- writing ---- */

static bool enlarge(const daedal_allocator *a, void **at, size_t size, size_t used, size_t *room)
{
    size_t wanted = used + used / 2;
    void *more = memory_take_array(a, wanted, size);
    if (!more)
        return false;
    if (*room > 0)
        memcpy(more, *at, *room * size);
    memory_give(a, *at, *room * size);
    *at = more;
    *room = wanted;
    return true;
}

static bool make_room(solution_record *r, size_t doubles)
{
    void *steps = r->steps, *values = r->values;
    if (r->n_steps + 1 > r->room_steps) {
        if (!enlarge(r->allocator, &steps, sizeof *r->steps, r->n_steps + 64, &r->room_steps))
            return false;
        r->steps = steps;
    }
    if (r->used + doubles > r->room) {
        size_t wanted = r->used + 16 * doubles;
        if (!enlarge(r->allocator, &values, sizeof *r->values, wanted, &r->room))
            return false;
        r->values = values;
    }
    return true;
}

static bool has_algebraic(const run *of)
{
    bool any = false;
    for (int32_t j = 0; j < of->n; j++)
        any = any || !of->is_differential[j];
    return any;
}

/* Whether y' between mesh points is the slope of what y is there. */
static bool slopes_follow(const run *of)
{
    return of->now.method == METHOD_DOPRI && !has_algebraic(of);
}

/* The dense output of differential variables is a polynomial of known degree: one below the order
 * with dopri, as many as stages with radau.  Algebraic variables are functions of these, which one
 * point more follows as accurately.                                               */
static int32_t points_for(const run *of, int32_t order)
{
    int32_t points = order + 2;
    if (slopes_follow(of))
        points = order;
    else if (of->now.method == METHOD_RADAU)
        points = (order + 1) / 2 + (has_algebraic(of) ? 2 : 1);
    return points < POINTS_LEAST ? POINTS_LEAST : points > POINTS_MOST ? POINTS_MOST : points;
}

/* Point k of n, from 0 at the beginning of a step to 1 at its end: (1 - cos(pi k / (n - 1))) / 2.
 */
static double place(int32_t k, int32_t n)
{
    static const double at[POINTS_MOST - POINTS_LEAST + 1][POINTS_MOST] = {
        {0.0, 0.25, 0.75, 1.0},
        {0.0, 0.14644660940672624, 0.5, 0.85355339059327376, 1.0},
        {0.0, 0.09549150281252629, 0.34549150281252629, 0.65450849718747371, 0.90450849718747371,
         1.0},
        {0.0, 0.06698729810778068, 0.25, 0.5, 0.75, 0.93301270189221932, 1.0},
        {0.0, 0.04951556604879043, 0.18825509907063323, 0.38873953302184278, 0.61126046697815722,
         0.81174490092936677, 0.95048443395120957, 1.0},
        {0.0, 0.03806023374435663, 0.14644660940672624, 0.30865828381745511, 0.5,
         0.69134171618254489, 0.85355339059327376, 0.96193976625564337, 1.0}};
    return at[n - POINTS_LEAST][k];
}

/* The values at the beginning of the last step, which are those at the end of the one before. */
static bool read_beginning(const run *of, double t, double *y, double *yp)
{
    integ_stage at = {.y = y, .yp = yp};
    return of->method->stage && t == of->method->view(of->integrator).t_before &&
           of->method->stage(of->integrator, 0, &at) && at.t == t;
}

void solution_read_run(run *of, double t, double *y, double *yp)
{
    if (t == of->state.t) {
        memcpy(y, of->y, (size_t)of->n * sizeof *y);
        if (yp)
            memcpy(yp, of->yp, (size_t)of->n * sizeof *yp);
        return;
    }
    bool is_rough = of->method->algebraic_is_rough && has_algebraic(of);
    if (is_rough && read_beginning(of, t, y, yp))
        return;
    of->method->interpolate(of->integrator, t, y, yp);
    if (is_rough)
        run_correct_algebraic(of, t, y, yp);
}

/* A step at whose beginning the method has begun anew is not joined to the one before it. */
static void add_ends(solution_record *r, run *of, const integ_view *v, double t_to)
{
    size_t n = (size_t)r->n;
    recorded_step *s = &r->steps[r->n_steps++];
    *s = (recorded_step){.t_from = v->t_before, .t_to = t_to};
    s->is_joined = r->n_steps > 1 && s[-1].n_points == 0 && s[-1].t_to == v->t_before &&
                   of->stats.order_last > 1;
    if (!s->is_joined) {
        solution_read_run(of, s->t_from, r->values + r->used, r->values + r->used + n);
        r->used += 2 * n;
    }
    s->first = r->used;
    solution_read_run(of, t_to, r->values + r->used, r->values + r->used + n);
    r->used += 2 * n;
}

/* Where what precedes step k ends, or NAN. */
static double end_before(const solution_record *r, size_t k)
{
    return k > 0 ? r->steps[k - 1].t_to : r->t_begin;
}

/* Whether a part of the last step of the run is known already. */
static bool begins_inside(const solution_record *r, size_t k, const integ_view *v, double t_to)
{
    double end = end_before(r, k);
    return (end - v->t_before) * (t_to - end) > 0.0;
}

static void add_points(solution_record *r, run *of, const integ_view *v, double t_to)
{
    bool has_slopes = !slopes_follow(of);
    size_t n = (size_t)r->n, width = has_slopes ? 2 * n : n;
    recorded_step *s = &r->steps[r->n_steps++];
    *s = (recorded_step){.t_from = v->t_before,
                         .t_to = t_to,
                         .n_points = points_for(of, v->order),
                         .order = v->order,
                         .has_slopes = has_slopes,
                         .first = r->used};
    if (begins_inside(r, r->n_steps - 1, v, t_to))
        s->t_from = end_before(r, r->n_steps - 1); /* the rest of a step */
    double *to = r->values + s->first;
    for (int32_t k = 0; k < s->n_points; k++, to += width) {
        double t = s->t_from + place(k, s->n_points) * (t_to - s->t_from);
        solution_read_run(of, k + 1 < s->n_points ? t : t_to, to, has_slopes ? to + n : NULL);
    }
    r->used += width * (size_t)s->n_points;
}

bool solution_add(solution_record *r, run *of, double t_to)
{
    integ_view v = of->method->view(of->integrator);
    bool ends = run_is_multistep(of) && v.t == t_to && !begins_inside(r, r->n_steps, &v, t_to);
    int32_t points = ends ? 2 : points_for(of, v.order);
    if (!make_room(r, 2 * (size_t)r->n * (size_t)points))
        return false;
    if (ends)
        add_ends(r, of, &v, t_to);
    else
        add_points(r, of, &v, t_to);
    r->direction = t_to < r->steps[r->n_steps - 1].t_from ? -1.0 : 1.0;
    return true;
}

/* ---- reading ---- */

static bool is_before(const solution_record *r, double t, double other)
{
    return r->direction * (other - t) > 0.0;
}

static const recorded_step *find(solution_record *r, double t)
{
    const recorded_step *s = &r->steps[r->last];
    if (is_before(r, s->t_from, t) && !is_before(r, s->t_to, t))
        return s;
    size_t low = 0, high = r->n_steps - 1; /* the first step that does not end before t */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (is_before(r, r->steps[middle].t_to, t))
            low = middle + 1;
        else
            high = middle;
    }
    r->last = low;
    return &r->steps[low];
}

double solution_step_begin(solution_record *r, double t)
{
    return find(r, t)->t_from;
}

double solution_step_size(solution_record *r, double t)
{
    const recorded_step *s = find(r, t);
    return s->t_to - s->t_from;
}

/* Where t lies in a step, from 0 to 1. */
static double place_in(const recorded_step *s, double t)
{
    double x = (t - s->t_from) / (s->t_to - s->t_from);
    return x < -BEYOND ? -BEYOND : x > 1.0 + BEYOND ? 1.0 + BEYOND : x;
}

/* Weights of the points for the value at x: barycentric interpolation. */
static void weigh(const recorded_step *s, double x, double *weight)
{
    double sum = 0.0;
    for (int32_t k = 0; k < s->n_points; k++) {
        double distance = x - place(k, s->n_points);
        if (distance == 0.0) {
            memset(weight, 0, (size_t)s->n_points * sizeof *weight);
            weight[k] = 1.0;
            return;
        }
        bool is_end = k == 0 || k == s->n_points - 1;
        weight[k] = (k % 2 ? -1.0 : 1.0) * (is_end ? 0.5 : 1.0) / distance;
        sum += weight[k];
    }
    sum = 1.0 / sum;
    for (int32_t k = 0; k < s->n_points; k++)
        weight[k] *= sum;
}

/* Weights of the points for the slope at x: derivatives of Lagrange's polynomials. */
static void weigh_slope(const recorded_step *s, double x, double *weight)
{
    double h = s->t_to - s->t_from;
    for (int32_t i = 0; i < s->n_points; i++) {
        double value = 1.0, slope = 0.0, at = place(i, s->n_points);
        for (int32_t k = 0; k < s->n_points; k++) {
            if (k == i)
                continue;
            double gap = 1.0 / (at - place(k, s->n_points)), d = x - place(k, s->n_points);
            slope = (slope * d + value) * gap;
            value *= d * gap;
        }
        weight[i] = slope / h;
    }
}

/* to = sum over the points of weight times vector, which stand `width` apart: eight elements at a
 * time, which stay in registers.                                                  */
static void combine(const double *from, size_t width, const double *weight, int32_t points,
                    size_t n, double *to)
{
    enum { PAIRS = 4 };
    size_t j = 0;
    for (; j + 2 * PAIRS <= n; j += 2 * PAIRS) {
        vector_pair sum[PAIRS] = {{0.0, 0.0}};
        const double *v = from + j;
        for (int32_t k = 0; k < points; k++, v += width)
            for (int e = 0; e < PAIRS; e++)
                sum[e] += vector_pair_of(weight[k]) * ((const vector_pair *)v)[e];
        memcpy(to + j, sum, sizeof sum);
    }
    for (; j < n; j++) {
        to[j] = 0.0;
        for (int32_t k = 0; k < points; k++)
            to[j] += weight[k] * from[width * (size_t)k + j];
    }
}

/* ---- by the ends of steps ---- */

enum { ENDS_MOST = 3 };

/* Where y and y' are known. */
typedef struct known_points {
    int32_t n;
    double t[ENDS_MOST];
    const double *values[ENDS_MOST]; /* y, then y' */
} known_points;

/* The ends of a step, and the far end of a neighbour that is joined to it. */
static known_points points_near(const solution_record *r, const recorded_step *s)
{
    size_t width = 2 * (size_t)r->n;
    const double *end = r->values + s->first;
    const recorded_step *next = s + 1;
    known_points p = {2, {s->t_from, s->t_to}, {end - width, end}};
    if (next < r->steps + r->n_steps && next->n_points == 0 && next->is_joined) {
        p.t[2] = next->t_to;
        p.values[p.n++] = r->values + next->first;
    } else if (s->is_joined) {
        p.t[2] = s[-1].t_from;
        p.values[p.n++] = r->values + s[-1].first - width;
    }
    return p;
}

/* Lagrange's polynomial of point i at t, its derivative there and at the point. */
static double lagrange(const known_points *p, int32_t i, double t, double *slope, double *at_point)
{
    double value = 1.0;
    *slope = *at_point = 0.0;
    for (int32_t k = 0; k < p->n; k++) {
        if (k == i)
            continue;
        double gap = p->t[i] - p->t[k];
        *slope = *slope * (t - p->t[k]) / gap + value / gap;
        *at_point += 1.0 / gap;
        value *= (t - p->t[k]) / gap;
    }
    return value;
}

/* Hermite's interpolation: shares of y and of y' of each point in y and in y' at t. */
static void add_point(const known_points *p, int32_t i, double t, size_t n, double *y, double *yp)
{
    double slope, at_point, l = lagrange(p, i, t, &slope, &at_point), d = t - p->t[i];
    double of_y = (1.0 - 2.0 * d * at_point) * l * l, of_yp = d * l * l;
    double slope_y = 2.0 * l * ((1.0 - 2.0 * d * at_point) * slope - at_point * l);
    double slope_yp = l * (l + 2.0 * d * slope);
    const double *known = p->values[i], *known_slope = known + n;
    for (size_t j = 0; j < n; j++)
        y[j] += of_y * known[j] + of_yp * known_slope[j];
    for (size_t j = 0; j < n && yp; j++)
        yp[j] += slope_y * known[j] + slope_yp * known_slope[j];
}

static void interpolate_ends(const solution_record *r, const recorded_step *s, double t, double *y,
                             double *yp)
{
    size_t n = (size_t)r->n;
    known_points p = points_near(r, s);
    double beyond = BEYOND * fabs(s->t_to - s->t_from);
    double low = fmin(s->t_from, s->t_to) - beyond, high = fmax(s->t_from, s->t_to) + beyond;
    t = fmin(fmax(t, low), high);
    memset(y, 0, n * sizeof *y);
    if (yp)
        memset(yp, 0, n * sizeof *yp);
    for (int32_t i = 0; i < p.n; i++)
        add_point(&p, i, t, n, y, yp);
}

/* ---- at any time ---- */

void solution_curve_at(solution_record *r, double t, double *y, double *slope)
{
    double weight[POINTS_MOST];
    const recorded_step *s = find(r, t);
    solution_at(r, t, y, slope);
    if (s->n_points == 0 || !s->has_slopes)
        return;
    weigh_slope(s, place_in(s, t), weight);
    combine(r->values + s->first, 2 * (size_t)r->n, weight, s->n_points, (size_t)r->n, slope);
}

void solution_at(solution_record *r, double t, double *y, double *yp)
{
    double weight[POINTS_MOST];
    const recorded_step *s = find(r, t);
    size_t n = (size_t)r->n;
    if (s->n_points == 0) {
        interpolate_ends(r, s, t, y, yp);
        return;
    }
    const double *from = r->values + s->first;
    double x = place_in(s, t);
    size_t width = s->has_slopes ? 2 * n : n;
    weigh(s, x, weight);
    combine(from, width, weight, s->n_points, n, y);
    if (!yp)
        return;
    if (!s->has_slopes)
        weigh_slope(s, x, weight);
    combine(s->has_slopes ? from + n : from, width, weight, s->n_points, n, yp);
}
