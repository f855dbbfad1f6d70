/* consistent/level_system.c - see level_system.h.
 *
 * With [By Bd] the columns of y and of the derivatives,
 *
 *     U2' By dy = -U2' r,       U2 a basis of the left null space of Bd,
 *     Bd dd     = -(r + By dy),
 *
 * with y + dy and d + dd as near as possible to the values given, in the weights.  U2' r = 0 are
 * the constraints on y, hidden ones included.  They must be separated: one least squares solution
 * for dy and dd together would trade changes of y against changes of derivatives.  In the same way
 * guesses are separated from free values: positions must not move because a multiplier was not
 * known, whatever their units.  With C = U2' By = [Cg Cf] and V2 the left null space of Cf,
 *
 *     V2' Cg dg = -V2' U2' r,   Cf df = -(U2' r + Cg dg).
 *
 * The rank of Bd is known where the structure is trusted: rows - (n - degrees of freedom), so that
 * no tolerance decides it. Source of the equations: [BCP96] section 5.3.4, with differences of
 * order higher than (5.3.8).                                                     */
#include "consistent/level_system.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/prioritised_least_squares.h"
#include "linalg/scaling.h"
#include "linalg/vector.h"

static const double RANK_TOLERANCE = 1e-6;
static const double LEAST_OF_MEDIAN = 0.03, LEAST_OF_LARGEST = 1e-6; /* bounds of weights below */
static const double LEAST_SIZE = 0.1;  /* of the median: bound of sizes below                 */
static const double FREE_UNIT = 1e-3;  /* of the largest weight: least unit of free values    */
static const double GUESS_UNIT = 1e-3; /* of a weight: rows are measured by their free values */
static const double LOOSER = 30.0;     /* velocities move so much more readily than positions */

static void lay_out(void *object, layout *l)
{
    level_system *s = object;
    size_t rows = (size_t)s->rows, cols = (size_t)s->array.cols;
    s->y_col = layout_take(l, cols, sizeof(int32_t));
    s->d_col = layout_take(l, cols, sizeof(int32_t));
    double **by_col[] = {&s->unknown, &s->scale, &s->given, &s->dy, &s->room};
    for (size_t k = 0; k < sizeof by_col / sizeof *by_col; k++)
        *by_col[k] = layout_take(l, cols, sizeof(double));
    double **by_row[] = {&s->row_scale, &s->r};
    for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++)
        *by_row[k] = layout_take(l, rows, sizeof(double));
    double **matrices[] = {&s->jacobian, &s->b_y, &s->b_d, &s->factors, &s->work_y, &s->work_d};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        *matrices[k] = layout_take(l, rows * (cols + 1), sizeof(double));
    s->right = layout_take(l, rows + cols, sizeof(double));
    s->natural = layout_take(l, (size_t)s->n, sizeof(double));
    s->parts = layout_take(l, (size_t)s->array.nnz, sizeof(double));
}

/* ---- unknowns ---- */

/* The columns that may move: of y guesses first, of derivatives those that are not held. */
static void list_columns(level_system *s)
{
    const start_problem *p = s->p;
    for (int32_t j = 0; j < s->n; j++)
        if (p->y_mask[j] == DAEDAL_GUESS)
            s->y_col[s->n_y++] = s->array.col[j];
    s->n_guesses = s->n_y;
    for (int32_t j = 0; j < s->n; j++)
        if (p->y_mask[j] == DAEDAL_FREE)
            s->y_col[s->n_y++] = s->array.col[j];
    for (int32_t j = 0; j < s->n; j++)
        for (int32_t m = 1; m <= s->array.d[j]; m++)
            if (m > 1 || p->yp_mask[j] != DAEDAL_FIXED)
                s->d_col[s->n_d++] = s->array.col[j] + m;
}

/* In these units of the variables no column of dF/dy and dF/dy' is larger than the others: the
 * weights of different variables can be compared.                                */
static void find_natural_units(level_system *s)
{
    enum { SWEEPS = 8 };
    const iteration_matrix *m = s->p->matrix;
    for (int32_t q = 0; q < s->array.nnz; q++)
        s->parts[q] = fabs(m->dy[q]) + fabs(m->dyp[q]) / s->p->time_scale;
    scaling_by_roots_sparse(&m->pattern.view, s->parts, SWEEPS, NULL, s->natural, s->room);
    for (int32_t j = 0; j < s->n; j++)
        if (!(s->natural[j] > 0.0 && s->natural[j] < HUGE_VAL)) /* F is not defined here */
            s->natural[j] = 1.0;
}

void level_system_set_units(level_system *s)
{
    const start_problem *p = s->p;
    double heaviest = 0.0;
    int32_t d_max = 0;
    find_natural_units(s);
    for (int32_t j = 0; j < s->n; j++) {
        d_max = s->array.d[j] > d_max ? s->array.d[j] : d_max;
        s->room[j] = 1.0 / (p->inverse_weight[j] * s->natural[j]);
        heaviest = larger_of(heaviest, s->room[j]);
    }
    double middle = vector_median(s->room, s->n);
    for (int32_t j = 0; j < s->n; j++)
        s->room[j] = fabs(p->y[j]) / s->natural[j];
    double size = fmax(vector_median(s->room, s->n), DBL_MIN);
    for (int32_t j = 0; j < s->n; j++) {
        int32_t first = s->array.col[j];
        /* a value near zero has no size of its own, and must not be held for that */
        double weight =
            fmax(1.0 / p->inverse_weight[j],
                 s->natural[j] * fmax(LEAST_OF_MEDIAN * middle, LEAST_OF_LARGEST * heaviest));
        if (s->o->by_size)
            weight =
                s->natural[j] * middle * fmax(fabs(p->y[j]) / (s->natural[j] * size), LEAST_SIZE);
        double unit = fmax(weight, FREE_UNIT * heaviest * s->natural[j]);
        bool guess = p->y_mask[j] == DAEDAL_GUESS;
        s->scale[first] = guess ? GUESS_UNIT * weight * pow(LOOSER, d_max - s->array.d[j]) : unit;
        for (int32_t m = 1; m <= s->array.d[j]; m++)
            s->scale[first + m] = unit /= p->time_scale;
    }
}

void level_system_set_values(level_system *s)
{
    for (int32_t j = 0; j < s->n; j++) {
        double *u = s->unknown + s->array.col[j];
        u[0] = s->p->y[j];
        if (s->array.d[j] > 0)
            u[1] = s->p->yp[j];
    }
}

/* ---- corrections ---- */

/* Columns listed, scaled; rows not yet. */
static void gather(const level_system *s, const int32_t *col, int32_t count, double *b)
{
    size_t rows = (size_t)s->rows;
    for (int32_t c = 0; c < count; c++)
        for (size_t i = 0; i < rows; i++)
            b[(size_t)c * rows + i] = s->jacobian[(size_t)col[c] * rows + i] * s->scale[col[c]];
}

static void scale_rows(level_system *s)
{
    memset(s->row_scale, 0, (size_t)s->rows * sizeof(double));
    scaling_largest_of_rows(s->b_y, s->rows, s->n_y, s->row_scale);
    scaling_largest_of_rows(s->b_d, s->rows, s->n_d, s->row_scale);
    for (int32_t i = 0; i < s->rows; i++)
        s->row_scale[i] = scaling_factor(s->row_scale[i]);
    scaling_multiply_rows(s->b_y, s->rows, s->n_y, s->row_scale);
    scaling_multiply_rows(s->b_d, s->rows, s->n_d, s->row_scale);
}

int level_system_renew_jacobian(level_system *s)
{
    int answer = difference_array_jacobian(&s->array, s->unknown, s->jacobian);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    s->is_factored = false;
    gather(s, s->y_col, s->n_y, s->b_y);
    gather(s, s->d_col, s->n_d, s->b_d);
    scale_rows(s);
    return answer;
}

/* The diagonal of R, in its largest entry. */
static double pivot(const level_system *s, int32_t k)
{
    bool exists = k < s->rows && k < s->n_d;
    return exists ? fabs(s->factors[(size_t)k * ((size_t)s->rows + 1)] / s->factors[0]) : 0.0;
}

/* Whether the rank of Bd can be this one: what follows is far smaller, and nothing before it is
 * roundoff.                                                                      */
static bool rank_is_possible(const level_system *s, int32_t rank)
{
    const double roundoff = 1e-13, gap = 1e3;
    return rank > 0 && pivot(s, rank - 1) > fmax(roundoff, gap * pivot(s, rank));
}

/* The rank of Bd: known, if the structure is and no derivative is held; else by the number of
 * constraints, if that is known.  What is seen depends on the units of time: in short steps entries
 * by which multipliers act on positions fall below any tolerance, and an equation without them
 * would be taken for one more constraint.                                         */
static int32_t rank_of_derivatives(const level_system *s, int32_t seen)
{
    int32_t all = 0, told = s->rows - s->o->constraints;
    for (int32_t j = 0; j < s->n; j++)
        all += s->array.d[j];
    if (s->n_d == all && s->o->freedom >= 0)
        return s->rows - (s->n - s->o->freedom);
    bool is_told = s->n_d == all && s->o->constraints > 0 && rank_is_possible(s, told);
    return is_told ? told : seen;
}

/* How far a listed unknown is from its given value, in units. */
static double departure(const level_system *s, int32_t col)
{
    return s->aims_at_given ? (s->unknown[col] - s->given[col]) / s->scale[col] : 0.0;
}

/* out = -r + B x with x the departures of the listed unknowns: then B z = out gives the departure z
 * after the correction, and the shortest z is the nearest to what was given.     */
static void set_right(const level_system *s, const double *b, const int32_t *col, int32_t count,
                      double *out)
{
    size_t rows = (size_t)s->rows;
    for (size_t i = 0; i < rows; i++)
        out[i] = -s->row_scale[i] * s->r[i];
    for (int32_t c = 0; c < count; c++) {
        double x = departure(s, col[c]);
        for (size_t i = 0; i < rows; i++)
            out[i] += b[(size_t)c * rows + i] * x;
    }
}

/* Q R of Bd, and Q' By: once for each Jacobian. */
static void factor(level_system *s)
{
    size_t rows = (size_t)s->rows;
    if (s->is_factored)
        return;
    memcpy(s->factors, s->b_d, rows * (size_t)s->n_d * sizeof(double));
    s->rank = rank_of_derivatives(s, qr_factor(&s->q, s->factors, RANK_TOLERANCE));
    if (s->o->freedom < 0 && s->rank > 0)
        s->for_d.tolerance = fmin(RANK_TOLERANCE, 0.3 * pivot(s, s->rank - 1));
    memcpy(s->work_y, s->b_y, rows * (size_t)s->n_y * sizeof(double));
    qr_turn(&s->q, s->factors, s->work_y, s->n_y);
    s->is_factored = true;
}

/* dy in units: U2' By dy = -U2' r, y + dy nearest to what was given, guesses first.  DAEDAL_OK or
 * DAEDAL_ERR_MEMORY.                                                             */
static daedal_status correct_y(level_system *s, double *dy)
{
    size_t rows = (size_t)s->rows;
    factor(s);
    int32_t left = s->rows - s->rank;
    double *r = s->work_y + (size_t)s->n_y * rows;
    set_right(s, s->b_y, s->y_col, s->n_y, r);
    qr_turn(&s->q, s->factors, r, 1);
    for (int32_t c = 0; c <= s->n_y; c++)
        memcpy(s->work_d + (size_t)c * (size_t)left, s->work_y + (size_t)c * rows + s->rank,
               (size_t)left * sizeof(double));
    int32_t held = s->holds_guesses ? s->n_guesses : 0;
    prioritised constraints = {left,
                               s->n_guesses - held,
                               s->n_y - s->n_guesses,
                               1,
                               s->work_d + (size_t)held * (size_t)left,
                               RANK_TOLERANCE};
    memset(dy, 0, (size_t)held * sizeof(double));
    RETURN_UNLESS_OK(prioritised_solve(&constraints, dy + held, s->p->allocator));
    for (int32_t c = held; c < s->n_y; c++)
        dy[c] -= departure(s, s->y_col[c]);
    return DAEDAL_OK;
}

/* dd in units: Bd dd = -(r + By dy), likewise; in s->right. */
static void correct_derivatives(level_system *s, const double *dy)
{
    size_t rows = (size_t)s->rows;
    set_right(s, s->b_d, s->d_col, s->n_d, s->right);
    for (int32_t c = 0; c < s->n_y; c++)
        for (size_t i = 0; i < rows; i++)
            s->right[i] -= s->b_y[(size_t)c * rows + i] * dy[c];
    memcpy(s->work_d, s->b_d, rows * (size_t)s->n_d * sizeof(double));
    least_squares_solve(&s->for_d, s->work_d, s->right);
    for (int32_t c = 0; c < s->n_d; c++)
        s->right[c] -= departure(s, s->d_col[c]);
}

/* The correction for s->r, into step: the shortest one, or towards the point nearest to what was
 * given.  DAEDAL_ERR_START: it is not finite.                                    */
daedal_status level_system_correct(level_system *s, bool towards_given, double *step)
{
    s->aims_at_given = towards_given;
    RETURN_UNLESS_OK(correct_y(s, s->dy));
    correct_derivatives(s, s->dy);
    memset(step, 0, (size_t)s->array.cols * sizeof(double));
    for (int32_t c = 0; c < s->n_y; c++)
        step[s->y_col[c]] = s->dy[c] * s->scale[s->y_col[c]];
    for (int32_t c = 0; c < s->n_d; c++)
        step[s->d_col[c]] = s->right[c] * s->scale[s->d_col[c]];
    return vector_all_finite(step, s->array.cols) ? DAEDAL_OK : DAEDAL_ERR_START;
}

/* ---- all corrections at once ---- */

typedef struct inversion {
    int32_t n, rows, n_y, n_d, n_guesses, n_free;
    double *turned;     /* [By -D], turned by Q'; D are the scales of rows             */
    double *part;       /* its last rows, those of U2'                                 */
    double *directions; /* n_guesses x n_free, see find_directions                     */
    double *k;          /* n x n_guesses: dF/dy' of the guesses                        */
    double *solution;   /* of guesses, free values and directions, for each residual   */
    double *dy;         /* n_y x rows: in units, for each residual                     */
    double *right;      /* -(D + By dy), then dd: both longer(rows, n_d) apart         */
    block mem;
} inversion;

static size_t longer(int32_t rows, int32_t cols)
{
    return (size_t)(rows > cols ? rows : cols);
}

static void lay_out_inversion(void *object, layout *l)
{
    inversion *v = object;
    size_t rows = (size_t)v->rows, all = (size_t)v->n_y + rows, free = (size_t)v->n_free;
    v->turned = layout_take(l, rows * all, sizeof(double));
    v->part = layout_take(l, rows * (all + free), sizeof(double));
    v->directions = layout_take(l, longer(v->n, v->n_guesses) * free, sizeof(double));
    v->k = layout_take(l, (size_t)v->n * (size_t)v->n_guesses, sizeof(double));
    v->solution = layout_take(l, rows * ((size_t)v->n_y + free), sizeof(double));
    v->dy = layout_take(l, rows * (size_t)v->n_y + 1, sizeof(double));
    v->right = layout_take(l, rows * longer(v->rows, v->n_d), sizeof(double));
}

static int32_t variable_of(const level_system *s, int32_t column)
{
    int32_t j = 0;
    while (s->array.col[j] != column)
        j++;
    return j;
}

/* The directions in which free values act on guesses: for M v' + G' lambda = f those are M^-1 G',
 * columns of the shortest solution of dF/dy' d = -dF/dlambda, in units, the largest entry 1.  A
 * guess that violates a constraint shall move in them.                                  */
static bool find_directions(const level_system *s, inversion *v)
{
    const iteration_matrix *m = s->p->matrix;
    const daedal_pattern *p = &m->pattern.view;
    size_t n = (size_t)s->n, apart = longer(s->n, s->n_guesses);
    least_squares ls;
    bool fits = least_squares_create_many(&ls, s->n, s->n_guesses, v->n_free, s->p->allocator);
    memset(v->k, 0, n * (size_t)s->n_guesses * sizeof(double));
    memset(v->directions, 0, apart * (size_t)v->n_free * sizeof(double));
    for (int32_t c = 0; c < s->n_y; c++) {
        int32_t j = variable_of(s, s->y_col[c]);
        bool guess = c < s->n_guesses;
        double *to =
            guess ? v->k + (size_t)c * n : v->directions + (size_t)(c - s->n_guesses) * apart;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            to[p->row[q]] = guess ? m->dyp[q] * s->scale[s->y_col[c]] : -m->dy[q];
    }
    if (fits)
        least_squares_solve_many(&ls, v->k, v->directions, v->n_free);
    least_squares_free(&ls);
    for (int32_t c = 0; c < v->n_free; c++) {
        double *d = v->directions + (size_t)c * apart, size = vector_max_abs(d, s->n_guesses);
        for (int32_t g = 0; g < s->n_guesses; g++)
            d[g] *= scaling_factor(size);
    }
    return fits;
}

/* [Cg Cf Cg D -U2' R]: what moves guesses in the directions D stands beside the free values. */
static void set_part(const level_system *s, const inversion *v, int32_t rank)
{
    size_t rows = (size_t)s->rows, left = rows - (size_t)rank;
    size_t apart = longer(s->n, s->n_guesses), at = (size_t)s->n_y;
    for (int32_t c = 0; c < s->n_y + s->rows; c++) {
        size_t to = (size_t)c + (c < s->n_y ? 0 : (size_t)v->n_free);
        memcpy(v->part + to * left, v->turned + (size_t)c * rows + rank, left * sizeof(double));
    }
    memset(v->part + at * left, 0, (size_t)v->n_free * left * sizeof(double));
    for (int32_t c = 0; c < v->n_free; c++)
        for (int32_t g = 0; g < s->n_guesses; g++)
            for (size_t i = 0; i < left; i++)
                v->part[(at + (size_t)c) * left + i] +=
                    v->part[(size_t)g * left + i] * v->directions[(size_t)c * apart + (size_t)g];
}

static void collect_y(const level_system *s, const inversion *v)
{
    size_t all = (size_t)(s->n_y + v->n_free), apart = longer(s->n, s->n_guesses);
    for (int32_t k = 0; k < s->rows; k++) {
        const double *x = v->solution + (size_t)k * all;
        double *dy = v->dy + (size_t)k * (size_t)s->n_y;
        memcpy(dy, x, (size_t)s->n_y * sizeof(double));
        for (int32_t c = 0; c < v->n_free; c++)
            for (int32_t g = 0; g < s->n_guesses; g++)
                dy[g] += v->directions[(size_t)c * apart + (size_t)g] * x[s->n_y + c];
    }
}

static daedal_status invert_y(level_system *s, inversion *v)
{
    size_t rows = (size_t)s->rows, of_y = rows * (size_t)s->n_y;
    factor(s);
    int32_t rank = s->rank;
    memcpy(v->turned, s->work_y, of_y * sizeof(double));
    memset(v->turned + of_y, 0, rows * rows * sizeof(double));
    for (size_t i = 0; i < rows; i++)
        v->turned[of_y + i * rows + i] = -s->row_scale[i];
    qr_turn(&s->q, s->factors, v->turned + of_y, s->rows);
    if (!find_directions(s, v))
        return DAEDAL_ERR_MEMORY;
    set_part(s, v, rank);
    prioritised constraints = {s->rows - rank, s->n_guesses, s->n_y - s->n_guesses + v->n_free,
                               s->rows,        v->part,      RANK_TOLERANCE};
    RETURN_UNLESS_OK(prioritised_solve(&constraints, v->solution, s->p->allocator));
    collect_y(s, v);
    return DAEDAL_OK;
}

static daedal_status invert_derivatives(level_system *s, inversion *v)
{
    size_t rows = (size_t)s->rows, apart = longer(s->rows, s->n_d);
    least_squares ls;
    if (!least_squares_create_many(&ls, s->rows, s->n_d, s->rows, s->p->allocator)) {
        least_squares_free(&ls);
        return DAEDAL_ERR_MEMORY;
    }
    if (s->o->freedom < 0)
        ls.tolerance = s->for_d.tolerance;
    memset(v->right, 0, rows * apart * sizeof(double));
    for (size_t k = 0; k < rows; k++) {
        v->right[k * apart + k] = -s->row_scale[k];
        for (int32_t c = 0; c < s->n_y; c++)
            for (size_t i = 0; i < rows; i++)
                v->right[k * apart + i] -=
                    s->b_y[(size_t)c * rows + i] * v->dy[k * (size_t)s->n_y + (size_t)c];
    }
    memcpy(s->work_d, s->b_d, rows * (size_t)s->n_d * sizeof(double));
    least_squares_solve_many(&ls, s->work_d, v->right, s->rows);
    least_squares_free(&ls);
    return DAEDAL_OK;
}

/* The shortest correction of each residual, into inverse. */
static void collect(const level_system *s, const inversion *v, double *inverse)
{
    size_t rows = (size_t)s->rows, cols = (size_t)s->array.cols, apart = longer(s->rows, s->n_d);
    memset(inverse, 0, rows * cols * sizeof(double));
    for (size_t k = 0; k < rows; k++) {
        double *to = inverse + k * cols;
        for (int32_t c = 0; c < s->n_y; c++)
            to[s->y_col[c]] = v->dy[k * (size_t)s->n_y + (size_t)c] * s->scale[s->y_col[c]];
        for (int32_t c = 0; c < s->n_d; c++)
            to[s->d_col[c]] = v->right[k * apart + (size_t)c] * s->scale[s->d_col[c]];
    }
}

daedal_status level_system_invert(level_system *s, double *inverse)
{
    inversion v = {.n = s->n,
                   .rows = s->rows,
                   .n_y = s->n_y,
                   .n_d = s->n_d,
                   .n_guesses = s->n_guesses,
                   .n_free = s->o->freedom < 0 ? s->n_y - s->n_guesses : 0};
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (block_create(&v.mem, s->p->allocator, lay_out_inversion, &v))
        status = invert_y(s, &v);
    if (status == DAEDAL_OK)
        status = invert_derivatives(s, &v);
    if (status == DAEDAL_OK)
        collect(s, &v, inverse);
    block_free(&v.mem);
    return status;
}

/* ---- making one ---- */

bool level_system_create(level_system *s, const start_problem *p, const start_offsets *o)
{
    *s = (level_system){.p = p, .o = o, .n = p->matrix->ev->n};
    bool fits = difference_array_create(&s->array, p, o->c, o->d);
    s->array.side = o->side;
    s->rows = s->array.rows;
    if (!fits || !block_create(&s->mem, p->allocator, lay_out, s))
        return false;
    list_columns(s);
    level_system_set_units(s);
    level_system_set_values(s);
    fits = qr_create(&s->q, s->rows, s->n_d, s->n_y + s->rows, p->allocator) &&
           least_squares_create(&s->for_d, s->rows, s->n_d, p->allocator);
    if (o->freedom < 0) /* as for y: many derivatives are not determined */
        s->for_d.tolerance = RANK_TOLERANCE;
    return fits;
}

void level_system_free(level_system *s)
{
    least_squares_free(&s->for_d);
    qr_free(&s->q);
    block_free(&s->mem);
    difference_array_free(&s->array);
}

void level_system_copy(level_system *s, const level_system *from)
{
    block_copy(&s->mem, &from->mem);
    difference_array_copy(&s->array, &from->array);
    s->is_factored = false;
}
