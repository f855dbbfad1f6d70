/* consistent/difference_array.c - see difference_array.h.
 *
 * phi(s) = F(t + s, p(s), p'(s)) with p_j(s) = sum of y_j^(m) s^m / m!, m = 0 .. d_j.  With the
 * offsets of the structure, d_j - c_i >= sigma_ij, the k-th derivative of phi_i, k <= c_i, contains
 * no derivative of y that p does not have: cutting p off there costs nothing, and the only error
 * is that of differencing phi at a few nodes.  Which width is best for derivative k is found by
 * trial: where two widths in turn agree best, roundoff included, without which an accident could
 * decide.  The Jacobian is that of a derivative array (index/derivative_array.h) with the Taylor
 * coefficients of dF/dy and dF/dy' along p, by differences; it steers an iteration only. */
#include "consistent/difference_array.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "consistent/taylor_array.h"
#include "index/derivative_array.h"
#include "linalg/difference_weights.h"
#include "linalg/vector.h"
#include "newton/central_jacobian.h"

enum {
    WIDTHS = 20,
    FINE_WIDTHS = 40,
    FINE_NODES = 15,
    NODES_EXTRA = 5,
    JACOBIAN_NODES_EXTRA = 3,
    PART_NODES_EXTRA = 1
};
static const double NARROWER = 0.31622776601683794; /* from width to width */
static const double A_LITTLE_NARROWER = 0.6;        /* the same of fine differences */
static const double PAST_BEST = 100.0;              /* doubt, of the least */
static const double PART_NOISE = 1e-7;       /* of dF/dy and dF/dy', by differences, relative */
static const double FINE_PART_NOISE = 1e-10; /* the same by central differences        */
static const double SETTLED = 1e-4;          /* doubt about derivatives that make sense   */

static const double SMALL_ENOUGH = 1e-7; /* corrections, in weights ...                      */
static const double NOISES = 10.0;       /* ... or in what noise makes                       */
static const double SLOPE_SHARE = 1e-2;  /* of corrections of y' in the size of a correction */

static const double FACTORIAL[] = {1.0, 1.0, 2.0, 6.0, 24.0, 120.0, 720.0};

static void lay_out(void *object, layout *l)
{
    difference_array *x = object;
    size_t n = (size_t)x->n, levels = (size_t)x->level_max + 1, nnz = (size_t)x->nnz;
    x->row = layout_take(l, n + 1, sizeof(int32_t));
    x->col = layout_take(l, n + 1, sizeof(int32_t));
    double **vectors[] = {&x->size, &x->node_size, &x->least, &x->reach, &x->y, &x->yp, &x->r};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, n, sizeof(double));
    x->noise = layout_take(l, (size_t)x->rows, sizeof(double));
    double **by_level[] = {&x->level, &x->before, &x->best};
    for (size_t k = 0; k < sizeof by_level / sizeof *by_level; k++)
        *by_level[k] = layout_take(l, levels * n, sizeof(double));
    x->coefficient = layout_take(l, (levels + 1) * n, sizeof(double));
    x->e = layout_take(l, levels * nnz, sizeof(double));
    x->a = layout_take(l, levels * nnz, sizeof(double));
    x->e_peak = layout_take(l, nnz, sizeof(double));
    x->a_peak = layout_take(l, nnz, sizeof(double));
}

bool difference_array_create(difference_array *x, const start_problem *p, const int32_t *c,
                             const int32_t *d)
{
    *x = (difference_array){.p = p,
                            .n = p->matrix->ev->n,
                            .nnz = pattern_nnz(&p->matrix->pattern.view),
                            .c = c,
                            .d = d,
                            .widest = 0.5 * p->time_scale};
    for (int32_t i = 0; i < x->n; i++) {
        x->level_max = c[i] > x->level_max ? c[i] : x->level_max;
        x->rows += c[i] + 1;
        x->cols += d[i] + 1;
    }
    if (!block_create(&x->mem, p->allocator, lay_out, x))
        return false;
    for (int32_t i = 0; i < x->n; i++) {
        x->row[i + 1] = x->row[i] + c[i] + 1;
        x->col[i + 1] = x->col[i] + d[i] + 1;
    }
    for (int32_t k = 0; k <= LEVEL_MAX; k++)
        x->width[k] = x->widest;
    return true;
}

void difference_array_free(difference_array *x)
{
    block_free(&x->mem);
}

void difference_array_copy(difference_array *x, const difference_array *from)
{
    block_copy(&x->mem, &from->mem);
    x->side = from->side;
    x->widest = from->widest;
    x->searched_widest = from->searched_widest;
    x->searched_side = from->searched_side;
    memcpy(x->width, from->width, sizeof x->width);
    memcpy(x->doubt, from->doubt, sizeof x->doubt);
}

/* ---- nodes ---- */

/* y and y' of the polynomial at s. */
static void follow(const difference_array *x, const double *unknown, double s)
{
    double part[LEVEL_MAX + 3]; /* s / m; d is at most one more than c */
    for (int32_t m = 1; m < LEVEL_MAX + 3; m++)
        part[m] = s / m;
    for (int32_t j = 0; j < x->n; j++) {
        const double *u = unknown + x->col[j];
        double y = 0.0, yp = 0.0;
        for (int32_t m = x->d[j]; m > 0; m--) { /* Horner: u_m + s/(m+1) (...) */
            y = u[m] + part[m + 1] * y;
            yp = u[m] + part[m] * yp;
        }
        y = u[0] + part[1] * y;
        x->y[j] = y;
        x->yp[j] = yp;
    }
}

static int32_t node_count(const difference_array *x, int32_t extra)
{
    int32_t count = x->level_max + extra + (x->side != 0.0 ? 2 : 0);
    return count + (count % 2 == 0); /* so that t itself is one of them */
}

/* ---- values ---- */

/* The size of the terms of F_i for the y and y' of a node, with dF/dy and dF/dy' at t. */
static void size_terms(const difference_array *x, double *size)
{
    const iteration_matrix *m = x->p->matrix;
    const daedal_pattern *p = &m->pattern.view;
    memset(size, 0, (size_t)x->n * sizeof(double));
    for (int32_t j = 0; j < x->n; j++) {
        double y = larger_of(fabs(x->y[j]), x->least[j]), yp = x->yp[j];
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            size[p->row[q]] += fabs(m->dy[q] * y) + fabs(m->dyp[q] * yp);
    }
}

static int measure_terms(difference_array *x, const double *unknown)
{
    follow(x, unknown, 0.0);
    matrix_point at = {x->p->t, x->p->time_scale, x->y, x->yp, NULL, x->p->inverse_weight};
    int answer = matrix_evaluate(x->p->matrix, &at);
    for (int32_t j = 0; j < x->n; j++)
        x->least[j] = 1.0 / x->p->inverse_weight[j];
    if (answer == DAEDAL_CALL_OK)
        size_terms(x, x->size);
    return answer;
}

/* Nodes for the width one, and their weights. */
typedef struct stencil {
    int32_t count;
    double node[DIFFERENCE_NODES_MAX], weight[LEVEL_MAX + 1][DIFFERENCE_NODES_MAX];
} stencil;

/* Nodes of Chebyshev around `side`: away from the middle derivatives from many even nodes are
 * noise.                                                                             */
static void crowd_nodes(double *node, int32_t count, double side, double width)
{
    const double pi = 3.14159265358979323846;
    for (int32_t q = 0; q < count; q++)
        node[q] = width * (side - cos(pi * q / (count - 1)));
}

static stencil unit_stencil(const difference_array *x)
{
    stencil unit = {.count = x->is_fine ? FINE_NODES : node_count(x, NODES_EXTRA)};
    difference_nodes(1.0, x->side, unit.count, unit.node);
    if (x->is_fine && x->side != 0.0)
        crowd_nodes(unit.node, unit.count, x->side, 1.0);
    difference_weights(unit.node, unit.count, x->level_max, unit.weight);
    return unit;
}

/* The same derivatives without the outermost nodes. */
static stencil inner_stencil(const difference_array *x)
{
    stencil inner = unit_stencil(x);
    double weight[LEVEL_MAX + 1][DIFFERENCE_NODES_MAX];
    int32_t first = x->side == 0.0 ? 1 : 0, count = inner.count - 1 - first;
    difference_weights(inner.node + first, count, x->level_max, weight);
    memset(inner.weight, 0, sizeof inner.weight);
    for (int32_t k = 0; k <= x->level_max; k++)
        memcpy(inner.weight[k] + first, weight[k], (size_t)count * sizeof(double));
    return inner;
}

/* Terms that cancel at every node leave their roundoff all the same.  They are largest where the
 * polynomial has gone furthest.                                                      */
static void extend_reach(difference_array *x, bool is_end)
{
    for (int32_t i = 0; i < x->n; i++)
        x->reach[i] = larger_of(x->reach[i], fabs(x->r[i]));
    if (!is_end)
        return;
    size_terms(x, x->node_size);
    for (int32_t i = 0; i < x->n; i++)
        x->reach[i] = larger_of(x->reach[i], x->node_size[i]);
}

/* level += weights of a node times F there. */
static void add_node(const difference_array *x, const stencil *unit, int32_t q, double width,
                     double *levels)
{
    double power = 1.0;
    for (int32_t k = 1; k <= x->level_max; k++) {
        power /= width;
        double weight = unit->weight[k][q] * power, *level = levels + k * x->n;
        for (int32_t i = 0; i < x->n; i++)
            level[i] += weight * x->r[i];
    }
}

/* F at the node s, in x->r; at t it is known already.  `point`: y and y' are wanted, too. */
static int visit_node(difference_array *x, const double *unknown, double s, bool point)
{
    if (s != 0.0 || point)
        follow(x, unknown, s);
    if (s != 0.0)
        return evaluator_residual(x->p->matrix->ev, x->p->t + s, x->y, x->yp, x->r);
    memcpy(x->r, x->best, (size_t)x->n * sizeof(double));
    return DAEDAL_CALL_OK;
}

/* Derivatives of all equations for one width, in x->level, and with `inner` those in x->before; how
 * far their terms reach without it only, while dF/dy and dF/dy' are those of measure_terms.  */
static int difference(difference_array *x, const double *unknown, const stencil *unit,
                      const stencil *inner, double width)
{
    size_t bytes = (size_t)(x->level_max + 1) * (size_t)x->n * sizeof(double);
    memset(x->level, 0, bytes);
    if (inner)
        memset(x->before, 0, bytes);
    memcpy(x->reach, x->size, (size_t)x->n * sizeof(double));
    for (int32_t q = 0; q < unit->count; q++) {
        bool is_end = q == 0 || q == unit->count - 1;
        int answer = visit_node(x, unknown, width * unit->node[q], is_end && !inner);
        if (answer != DAEDAL_CALL_OK)
            return answer;
        if (!inner)
            extend_reach(x, is_end);
        if (inner)
            add_node(x, inner, q, width, x->before);
        add_node(x, unit, q, width, x->level);
    }
    return DAEDAL_CALL_OK;
}

/* By how much derivative k changes without the outermost nodes, relative to the terms of F in the
 * time of its width: F bends or jumps between the nodes if that is much.            */
static double roughness_of(const difference_array *x, int32_t k)
{
    double power = pow(x->width[k], k), worst = 0.0;
    const double *all = x->level + k * x->n, *inner = x->before + k * x->n;
    for (int32_t i = 0; i < x->n; i++)
        if (x->c[i] >= k && x->reach[i] > 0.0)
            worst = larger_of(worst, fabs(all[i] - inner[i]) * power / x->reach[i]);
    return worst;
}

/* What derivative k of equation i is uncertain by: two widths in turn disagree, and roundoff, a
 * share of what the terms of F reach.                                                 */
static double uncertainty(const difference_array *x, int32_t k, int32_t i, double roundoff)
{
    double apart = fabs(x->level[k * x->n + i] - x->before[k * x->n + i]);
    return apart + roundoff * x->reach[i];
}

static double roundoff_of(int32_t k, double width)
{
    return DBL_EPSILON * pow(4.0 / width, k);
}

/* The largest of them in the size that F_i has at the nodes, per time. */
static double doubt_about(const difference_array *x, int32_t k, double width)
{
    double power = pow(x->widest, k), roundoff = roundoff_of(k, width), worst = 0.0;
    for (int32_t i = 0; i < x->n; i++)
        if (x->c[i] >= k && x->reach[i] > 0.0)
            worst = larger_of(worst, uncertainty(x, k, i, roundoff) * power / x->reach[i]);
    return worst;
}

static void note_noise(difference_array *x, int32_t k, double width)
{
    double roundoff = roundoff_of(k, width);
    for (int32_t i = 0; i < x->n; i++)
        if (x->c[i] >= k)
            x->noise[x->row[i] + k] = uncertainty(x, k, i, roundoff);
}

/* Each measured in the time of its own width. */
bool difference_array_is_settled(const difference_array *x)
{
    for (int32_t k = 1; k <= x->level_max; k++)
        if (!(x->doubt[k] * pow(x->width[k] / x->widest, k) < SETTLED))
            return false;
    return true;
}

static void take_level(difference_array *x, int32_t k)
{
    memcpy(x->best + k * x->n, x->level + k * x->n, (size_t)x->n * sizeof(double));
}

/* Improve the choices by a width that follows the one before; true if the best width is passed. */
static bool judge_width(difference_array *x, double width)
{
    bool past = true;
    for (int32_t k = 1; k <= x->level_max; k++) {
        double now = doubt_about(x, k, width);
        past = past && now > PAST_BEST * x->doubt[k];
        if (now >= x->doubt[k])
            continue;
        x->doubt[k] = now;
        x->width[k] = width;
        note_noise(x, k, width);
        take_level(x, k);
    }
    return past && difference_array_is_settled(x);
}

/* Whether roundoff alone makes this width, and all narrower ones, worse than those chosen. */
static bool is_too_narrow(const difference_array *x, double width)
{
    for (int32_t k = 1; k <= x->level_max; k++)
        if (roundoff_of(k, width) * pow(x->widest, k) < x->doubt[k])
            return false;
    return true;
}

/* What suits the highest derivative costs the others few digits, and all come from the same nodes.
 */
static void share_width(difference_array *x)
{
    for (int32_t k = 1; k < x->level_max; k++)
        x->width[k] = x->width[x->level_max];
}

/* Find the best width of each derivative, from `width` on, and the derivatives; RETRY if F is not
 * defined for any two widths in turn.                                            */
static int search_from(difference_array *x, const double *unknown, double width)
{
    stencil unit = unit_stencil(x);
    bool have_before = false, found = false, past = false;
    for (int32_t k = 1; k <= x->level_max; k++)
        x->doubt[k] = INFINITY;
    int widths = x->is_fine ? FINE_WIDTHS : WIDTHS;
    double narrower = x->is_fine ? A_LITTLE_NARROWER : NARROWER;
    for (int q = 0; q < widths && !past; q++, width *= narrower) {
        int answer = difference(x, unknown, &unit, NULL, width);
        if (answer == DAEDAL_CALL_RETRY) {
            have_before = false;
            continue;
        }
        if (answer != DAEDAL_CALL_OK)
            return answer;
        past = have_before && (judge_width(x, width) || is_too_narrow(x, width * narrower));
        found = found || have_before;
        have_before = true;
        memcpy(x->before, x->level, (size_t)(x->level_max + 1) * (size_t)x->n * sizeof(double));
    }
    return found ? DAEDAL_CALL_OK : DAEDAL_CALL_RETRY;
}

static double widest_chosen(const difference_array *x)
{
    double widest = 0.0;
    for (int32_t k = 1; k <= x->level_max; k++)
        widest = larger_of(widest, x->width[k]);
    return widest;
}

/* Where widths were chosen for other unknowns, the search begins a little above the widest of them,
 * and once more at the top if the first width that can be chosen is.             */
static int search_widths(difference_array *x, const double *unknown)
{
    double narrower = x->is_fine ? A_LITTLE_NARROWER : NARROWER, top = x->widest;
    if (x->searched_widest == x->widest && x->searched_side == x->side)
        top = widest_chosen(x) / (narrower * narrower);
    bool is_lower = top < narrower * x->widest;
    int answer = DAEDAL_CALL_RETRY;
    if (is_lower)
        answer = search_from(x, unknown, top);
    bool is_done = is_lower && answer == DAEDAL_CALL_OK && difference_array_is_settled(x) &&
                   widest_chosen(x) < 0.9 * narrower * top;
    if (!is_done && (answer == DAEDAL_CALL_OK || answer == DAEDAL_CALL_RETRY))
        answer = search_from(x, unknown, x->widest);
    x->searched_widest = answer == DAEDAL_CALL_OK ? x->widest : 0.0;
    x->searched_side = x->side;
    if (answer == DAEDAL_CALL_OK && x->is_fine)
        share_width(x);
    return answer;
}

static int use_widths(difference_array *x, const double *unknown)
{
    stencil unit = unit_stencil(x), inner = inner_stencil(x);
    x->roughness = 0.0;
    for (int32_t k = 1; k <= x->level_max; k++) {
        if (k == 1 || x->width[k] != x->width[k - 1]) {
            int answer = difference(x, unknown, &unit, &inner, x->width[k]);
            if (answer != DAEDAL_CALL_OK)
                return answer;
        }
        x->roughness = larger_of(x->roughness, roughness_of(x, k));
        take_level(x, k);
    }
    return DAEDAL_CALL_OK;
}

/* F at t, and its derivatives. */
static int difference_values(difference_array *x, const double *unknown, bool search)
{
    follow(x, unknown, 0.0);
    int answer = evaluator_residual(x->p->matrix->ev, x->p->t, x->y, x->yp, x->best);
    if (answer != DAEDAL_CALL_OK || x->level_max == 0)
        return answer;
    return search ? search_widths(x, unknown) : use_widths(x, unknown);
}

int difference_array_values(difference_array *x, const double *unknown, bool search, double *out)
{
    int answer = search ? measure_terms(x, unknown) : DAEDAL_CALL_OK;
    bool is_exact = taylor_array_is_given(x);
    if (answer == DAEDAL_CALL_OK && is_exact)
        answer = taylor_array_values(x, unknown);
    else if (answer == DAEDAL_CALL_OK)
        answer = difference_values(x, unknown, search);
    for (int32_t i = 0; i < x->n && answer == DAEDAL_CALL_OK; i++)
        for (int32_t k = 0; k <= x->c[i]; k++) {
            out[x->row[i] + k] = x->best[k * x->n + i];
            if (k == 0 && !is_exact)
                x->noise[x->row[i]] = DBL_EPSILON * x->size[i];
        }
    return answer;
}

/* ---- corrections ---- */

/* Irrational numbers, whose multiples decide the signs. */
static const double IRRATIONAL[] = {GOLDEN_RATIO,        0.41421356237309505, 0.73205080756887729,
                                    0.23606797749978969, 0.64575131106459059, 0.31662479035539985,
                                    0.60555127546398929, 0.71828182845904524};

int difference_array_noises(const difference_array *x)
{
    enum { FEW = 3, MANY_ROWS = 600 };
    return x->rows <= MANY_ROWS ? FEW : (int)(sizeof IRRATIONAL / sizeof *IRRATIONAL);
}

void difference_array_mix_noise(const difference_array *x, int way, double *out)
{
    double state = 0.0;
    for (int32_t i = 0; i < x->rows; i++)
        out[i] = spread_next(&state, IRRATIONAL[way]) < 0.5 ? -x->noise[i] : x->noise[i];
}

bool correction_of_values_is_small(const difference_array *x, const double *excuse,
                                   const double *step)
{
    for (int32_t j = 0; j < x->n; j++) {
        int32_t k = x->col[j];
        double enough = SMALL_ENOUGH / x->p->inverse_weight[j];
        if (fabs(step[k]) > fmax(enough, NOISES * excuse[k]))
            return false;
    }
    return true;
}

bool correction_of_slopes_is_small(const difference_array *x, const double *excuse,
                                   const double *step)
{
    for (int32_t j = 0; j < x->n; j++) {
        int32_t k = x->col[j] + 1;
        double enough = 100.0 * SMALL_ENOUGH / (x->p->inverse_weight[j] * x->p->time_scale);
        if (x->d[j] > 0 && fabs(step[k]) > fmax(enough, NOISES * excuse[k]))
            return false;
    }
    return true;
}

bool correction_is_small(const difference_array *x, const double *excuse, const double *step)
{
    return correction_of_values_is_small(x, excuse, step) &&
           correction_of_slopes_is_small(x, excuse, step);
}

double correction_size(const difference_array *x, const double *step)
{
    double size = 0.0, time = x->p->time_scale;
    for (int32_t j = 0; j < x->n; j++) {
        double w = x->p->inverse_weight[j];
        size = fmax(size, fabs(step[x->col[j]]) * w);
        if (x->d[j] > 0)
            size = fmax(size, SLOPE_SHARE * time * fabs(step[x->col[j] + 1]) * w);
    }
    return size;
}

/* ---- the Jacobian ---- */

/* E and A at the node s, where the matrix `has` them or not yet, into the sums of their
 * derivatives.
 */
static int add_parts(difference_array *x, const double *unknown, double s, const double *weight,
                     bool has)
{
    iteration_matrix *m = x->p->matrix;
    follow(x, unknown, s);
    matrix_point at = {x->p->t + s, x->p->time_scale, x->y, x->yp, NULL, x->p->inverse_weight};
    int answer = has ? DAEDAL_CALL_OK : matrix_evaluate(m, &at);
    if (answer == DAEDAL_CALL_OK && x->is_fine)
        answer = central_jacobian_refine(m, &at);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    for (int32_t k = 0; k <= x->level_max; k++) {
        double w = weight[k * DIFFERENCE_NODES_MAX];
        for (int32_t q = 0; q < x->nnz && w != 0.0; q++) {
            x->a[k * x->nnz + q] += w * m->dy[q];
            x->e[k * x->nnz + q] += w * m->dyp[q];
        }
    }
    for (int32_t q = 0; q < x->nnz; q++) {
        x->a_peak[q] = larger_of(x->a_peak[q], fabs(m->dy[q]));
        x->e_peak[q] = larger_of(x->e_peak[q], fabs(m->dyp[q]));
    }
    return answer;
}

/* Most entries do not change along the curve, and what differences make of their noise would be
 * taken for a relation where units differ much.                                  */
static void drop_noise(difference_array *x, double weight[][DIFFERENCE_NODES_MAX], int32_t count)
{
    for (int32_t k = 1; k <= x->level_max; k++) {
        double sum = 0.0;
        for (int32_t q = 0; q < count; q++)
            sum += (x->is_fine ? FINE_PART_NOISE : PART_NOISE) * fabs(weight[k][q]);
        for (int32_t q = 0; q < x->nnz; q++) {
            if (fabs(x->a[k * x->nnz + q]) <= sum * x->a_peak[q])
                x->a[k * x->nnz + q] = 0.0;
            if (fabs(x->e[k * x->nnz + q]) <= sum * x->e_peak[q])
                x->e[k * x->nnz + q] = 0.0;
        }
    }
}

/* The parts at all nodes but t, in x->e and x->a after those at t. */
static int add_other_parts(difference_array *x, const double *unknown, const double *node,
                           const double *weight, int32_t count)
{
    int answer = DAEDAL_CALL_OK;
    for (int32_t q = 0; q < count && answer == DAEDAL_CALL_OK; q++)
        if (node[q] != 0.0)
            answer = add_parts(x, unknown, node[q], weight + q, false);
    return answer;
}

static int32_t node_at_zero(const double *node, int32_t count)
{
    int32_t q = 0;
    while (q < count && node[q] != 0.0)
        q++;
    return q;
}

/* `has_middle`: the matrix has the parts at t. */
static int difference_parts(difference_array *x, const double *unknown, int32_t count,
                            bool has_middle)
{
    double node[DIFFERENCE_NODES_MAX] = {0.0}, weight[LEVEL_MAX + 1][DIFFERENCE_NODES_MAX];
    int answer = DAEDAL_CALL_OK;
    if (count > 1)
        difference_nodes(x->width[1], x->side, count, node);
    if (count > 1 && x->is_fine && x->side != 0.0)
        crowd_nodes(node, count, x->side, x->width[1]);
    difference_weights(node, count, x->level_max, weight);
    for (int32_t k = 0; k <= x->level_max; k++)
        for (int32_t q = 0; q < count; q++)
            weight[k][q] /= FACTORIAL[k];
    memset(x->e, 0, (size_t)(x->level_max + 1) * (size_t)x->nnz * sizeof(double));
    memset(x->a, 0, (size_t)(x->level_max + 1) * (size_t)x->nnz * sizeof(double));
    memset(x->e_peak, 0, (size_t)x->nnz * sizeof(double));
    memset(x->a_peak, 0, (size_t)x->nnz * sizeof(double));
    int32_t middle = node_at_zero(node, count);
    if (middle < count)
        answer = add_parts(x, unknown, 0.0, &weight[0][middle], has_middle);
    if (answer == DAEDAL_CALL_OK)
        answer = add_other_parts(x, unknown, node, &weight[0][0], count);
    drop_noise(x, weight, count);
    return answer;
}

int difference_array_parts(difference_array *x, const double *unknown, bool all)
{
    bool many = all && x->level_max > 0;
    return difference_parts(x, unknown, many ? node_count(x, PART_NODES_EXTRA) : 1, false);
}

int difference_array_further_parts(difference_array *x, const double *unknown)
{
    return difference_parts(x, unknown, x->level_max > 0 ? node_count(x, PART_NODES_EXTRA) : 1,
                            true);
}

int difference_array_jacobian(difference_array *x, const double *unknown, double *jacobian)
{
    const daedal_pattern *p = &x->p->matrix->pattern.view;
    size_t rows = (size_t)x->rows;
    int32_t few = x->is_fine ? FINE_NODES : node_count(x, JACOBIAN_NODES_EXTRA);
    int32_t count = x->level_max > 0 ? few : 1;
    int answer = taylor_array_is_given(x) ? taylor_array_parts(x, unknown)
                                          : difference_parts(x, unknown, count, false);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    memset(jacobian, 0, rows * (size_t)x->cols * sizeof(double));
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            for (int32_t m = 0; m <= x->d[j]; m++)
                for (int32_t i = p->row[q], k = 0; k <= x->c[i]; k++)
                    jacobian[(size_t)(x->col[j] + m) * rows + (size_t)(x->row[i] + k)] =
                        FACTORIAL[k] / FACTORIAL[m] *
                        derivative_array_entry(x->e + q, x->a + q, (size_t)x->nnz, k, m);
    return DAEDAL_CALL_OK;
}
