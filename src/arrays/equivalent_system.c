/* arrays/equivalent_system.c - see equivalent_system.h.
 *
 * Everything is scaled: y_j by y_unit, its m-th derivative by y_unit m! / unit_time^m, the k-th
 * derivative of F_i by row_unit k! / unit_time^k, so that the array is one of Taylor coefficients
 * per unit of time and ranks do not depend on units.  y* is found by Gauss-Newton with matrices
 * that are kept as long as the iteration contracts; derivatives that the array does not determine
 * move as little as possible.                                                       */
#include "arrays/equivalent_system.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "consistent/taylor_array.h"
#include "linalg/scaling.h"
#include "linalg/vector.h"

enum { ITERATIONS_MAX = 12, SETTLING_MAX = 8, PATIENCE = 5 };
enum { SHRINKING_MAX = 100 }; /* iterations, as long as their corrections shrink */
/* Pivots below this share of the first do not count towards the rank. */
static const double RANK_TOLERANCE = 1e-6;
/* A matrix of moves with a smaller pivot is singular. */
static const double SINGULAR = 1e-12;
/* The first pivot beyond the rank counts as at least this share of the last one within it. */
static const double CLEAR_GAP = 1e-4;
/* The rank tolerance of the matrices that decide whether a level of the array is enough. */
static const double CLEAR_RANK = 1e-4;
/* The iteration for y* ends with a correction below this, in weights. */
static const double SMALL_ENOUGH = 1e-3;
/* The matrices are kept while corrections shrink at least by this factor. */
static const double CONTRACTION_MAX = 0.5;
/* At a start the iteration goes on while corrections shrink at least by this factor. */
static const double SHRINKAGE_MAX = 0.9;
/* Corrections below this multiple of the estimated noise may be noise. */
static const double NOISES = 10.0;
/* T, N and Z1 are chosen again once their quality has fallen to this share of the first. */
static const double TILTED = 0.25;
/* Widths of differences stay valid while the nodes move by less than this share. */
static const double SAME_SIDE = 0.2;
/* F jumps at the beginning if its array changes there by more than JUMP row units and MANY_NOISES
 * times the noise. */
static const double JUMP = 1e-6, MANY_NOISES = 100.0;
/* With more noise in y* than this, in weights, no result has any value. */
static const double BLINDING = 1e4;
/* A residual above this, in units and beside noise, shows that the equations are not satisfied. */
static const double UNMET = 1e-4;
/* A given Taylor coefficient is wrong if it differs from that of F by more than this, in units. */
static const double WRONG = 1e-4;
/* The iteration for the derivatives has converged with corrections below SETTLED, in units, and has
 * failed if the last one is above DIVERGED. */
static const double SETTLED = 1e-6, DIVERGED = 1e-4;
/* Differences rougher than this need other widths; level_correction.c explains the number. */
static const double ROUGH = 1e-7;
/* Entries of dF/dy' below this share of all terms of their equation are taken for noise. */
static const double LEAST_SLOPE = 1e-10;

/* ---- creation ---- */

static void lay_out(void *object, layout *l)
{
    equivalent_system *x = object;
    size_t n = (size_t)x->n, rows = (LEVEL_MAX + 1) * n, cols = (LEVEL_MAX + 2) * n;
    x->c = layout_take(l, n, sizeof(int32_t));
    x->d = layout_take(l, n, sizeof(int32_t));
    double **vectors[] = {&x->y,        &x->yp,    &x->inverse_weight, &x->floor, &x->y_unit,
                          &x->row_unit, &x->fixed, &x->lead_unit,      &x->noise};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, n, sizeof(double));
    double **squares[] = {&x->tangent, &x->normal, &x->leading, &x->slope};
    for (size_t k = 0; k < sizeof squares / sizeof *squares; k++)
        *squares[k] = layout_take(l, n * n, sizeof(double));
    double **by_col[] = {&x->unknown, &x->g, &x->step, &x->kept};
    for (size_t k = 0; k < sizeof by_col / sizeof *by_col; k++)
        *by_col[k] = layout_take(l, cols, sizeof(double));
    x->to_normal = layout_take(l, n * rows, sizeof(double));
    double **matrices[] = {&x->to_derivatives, &x->jacobian, &x->of_y, &x->of_z,
                           &x->factors,        &x->turned,   &x->right};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        *matrices[k] = layout_take(l, rows * cols, sizeof(double));
    for (int k = 0; k < EQUIVALENT_POINTS; k++) {
        x->point[k].fixed = layout_take(l, n, sizeof(double));
        x->point[k].unknown = layout_take(l, cols, sizeof(double));
    }
}

daedal_status equivalent_system_create(equivalent_system *x, const equivalent_setup *s)
{
    *x = (equivalent_system){
        .n = s->sys->n, .at.level = -1, .why = s->why, .allocator = s->allocator};
    matrix_setup setup = {.ev = &x->ev,
                          .dy = &s->matrix->part[0].view,
                          .dyp = &s->matrix->part[1].view,
                          .allocator = s->allocator,
                          .by_differences = s->matrix->by_differences};
    if (!evaluator_create(&x->ev, s->sys, s->stats, s->allocator))
        return DAEDAL_ERR_MEMORY;
    TRY(matrix_create(&x->parts, &setup));
    int32_t largest = (LEVEL_MAX + 1) * x->n; /* rows, and columns of derivatives */
    if (!block_create(&x->mem, s->allocator, lay_out, x) ||
        !qr_create(&x->solvers.qr, largest, largest, largest, s->allocator) ||
        !least_squares_create_many(&x->solvers.least_squares, largest, largest, largest,
                                   s->allocator))
        return DAEDAL_ERR_MEMORY;
    x->problem = (start_problem){.matrix = &x->parts,
                                 .y = x->y,
                                 .yp = x->yp,
                                 .inverse_weight = x->inverse_weight,
                                 .time_scale = 1.0,
                                 .why = s->why,
                                 .allocator = s->allocator};
    return DAEDAL_OK;
}

void equivalent_system_free(equivalent_system *x)
{
    difference_array_free(&x->array);
    least_squares_free(&x->solvers.least_squares);
    qr_free(&x->solvers.qr);
    block_free(&x->mem);
    matrix_free(&x->parts);
    evaluator_free(&x->ev);
}

/* Create the array in which every equation is differentiated up to `level` times. */
static bool make_array(equivalent_system *x, int32_t level)
{
    difference_array_free(&x->array);
    for (int32_t i = 0; i < x->n; i++) {
        x->c[i] = level;
        x->d[i] = level + 1;
    }
    x->at.level = level;
    x->rows = (level + 1) * x->n;
    x->cols = (level + 2) * x->n;
    bool fits = difference_array_create(&x->array, &x->problem, x->c, x->d);
    x->array.is_fine = true;
    return fits;
}

bool equivalent_system_copy(equivalent_system *x, const equivalent_system *from)
{
    if (from->at.level >= 0 && x->at.level != from->at.level && !make_array(x, from->at.level))
        return false;
    if (from->at.level >= 0)
        difference_array_copy(&x->array, &from->array);
    block_copy(&x->mem, &from->mem);
    x->at = from->at;
    for (int k = 0; k < EQUIVALENT_POINTS; k++) {
        x->point[k].t = from->point[k].t;
        x->point[k].is_solved = from->point[k].is_solved;
    }
    x->problem.t = from->problem.t;
    x->problem.time_scale = from->problem.time_scale;
    matrix_copy(&x->parts, &from->parts); /* this matrix is never factored */
    return true;
}

/* ---- units ---- */

static void set_y_units(equivalent_system *x, const double *y)
{
    for (int32_t j = 0; j < x->n; j++)
        x->y_unit[j] = fmax(fabs(y[j]), x->floor[j]);
}

/* How much one unit of the unknown of entry q changes the equation of that entry. */
static double size_in_row(const equivalent_system *x, int32_t q)
{
    return fmax(fabs(x->parts.dy[q]), fabs(x->parts.dyp[q]) / x->at.unit_time);
}

/* Find the two largest terms of each equation; first and second have n entries. */
static void find_largest_terms(equivalent_system *x, double *first, double *second)
{
    const daedal_pattern *p = &x->parts.pattern.view;
    memset(first, 0, (size_t)x->n * sizeof(double));
    memset(second, 0, (size_t)x->n * sizeof(double));
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double here = size_in_row(x, q) * x->y_unit[j];
            int32_t i = p->row[q];
            second[i] = fmax(second[i], fmin(first[i], here));
            first[i] = fmax(first[i], here);
        }
}

/* The largest unit that a variable may get.  A value that is not small at this instant is itself a
 * good unit.  If its terms are small all the same, their coefficients are, which may pass zero. */
static double largest_unit(const equivalent_system *x, int32_t j, const double *y)
{
    const double small = 0.01, above = 1e3;
    return fabs(y[j]) < small * x->floor[j] ? HUGE_VAL : above * fmax(fabs(y[j]), x->floor[j]);
}

/* A value may be small at this instant alone, as that of a sine at zero: its unit is raised until
 * it is as large as the other terms in one of its equations.                         */
static void balance_units(equivalent_system *x, const double *y)
{
    enum { SWEEPS = 4 };
    const daedal_pattern *p = &x->parts.pattern.view;
    double *first = x->step, *second = x->step + x->n;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        find_largest_terms(x, first, second);
        for (int32_t j = 0; j < x->n; j++) {
            double most = HUGE_VAL, limit = largest_unit(x, j, y);
            for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
                double slope = size_in_row(x, q), own = slope * x->y_unit[j];
                double others = own < first[p->row[q]] ? first[p->row[q]] : second[p->row[q]];
                if (slope > 0.0 && others > 0.0)
                    most = fmin(most, others / slope);
            }
            if (isfinite(most))
                x->y_unit[j] = fmax(x->y_unit[j], fmin(most, limit));
        }
    }
}

/* Find the units of the variables and then those of the rows, from dF/dy and dF/dy'. */
static void set_row_units(equivalent_system *x, const double *y)
{
    const daedal_pattern *p = &x->parts.pattern.view;
    balance_units(x, y);
    memset(x->row_unit, 0, (size_t)x->n * sizeof(double));
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double *most = &x->row_unit[p->row[q]];
            *most = fmax(*most, size_in_row(x, q) * x->y_unit[j]);
        }
    for (int32_t i = 0; i < x->n; i++)
        x->row_unit[i] = 1.0 / scaling_factor(x->row_unit[i]);
}

/* unit_time^k / k! */
static double taylor_factor(const equivalent_system *x, int32_t k)
{
    double factor = 1.0;
    for (int32_t m = 1; m <= k; m++)
        factor *= x->at.unit_time / m;
    return factor;
}

/* The column of dG/dz that belongs to y_j^(m). */
static int32_t derivative_column(const equivalent_system *x, int32_t j, int32_t m)
{
    return j * (x->at.level + 1) + m - 1;
}

static void scale_column(const equivalent_system *x, const double *from, double unit, double *to)
{
    for (int32_t i = 0, q = 0; i < x->n; i++)
        for (int32_t k = 0; k <= x->at.level; k++, q++)
            to[q] = from[q] * unit * taylor_factor(x, k) / x->row_unit[i];
}

/* Set of_y and of_z to dG/dy and dG/dz in units. */
static void scale_jacobian(equivalent_system *x)
{
    size_t rows = (size_t)x->rows;
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t m = 0; m <= x->at.level + 1; m++) {
            const double *from = x->jacobian + (size_t)(x->array.col[j] + m) * rows;
            double *to = m == 0 ? x->of_y + (size_t)j * rows
                                : x->of_z + (size_t)derivative_column(x, j, m) * rows;
            scale_column(x, from, x->y_unit[j] / taylor_factor(x, m), to);
        }
}

/* ---- nodes ---- */

/* F may be evaluated between t_first and t_last only.  Where t is near one of these the nodes of
 * the differences are moved to the other side.  They may then be wider apart, since one-sided
 * differences magnify noise more.                                                                */
static void place_nodes(equivalent_system *x, double t)
{
    double widest = 0.5 * x->at.unit_time, behind = fabs(t - x->at.t_first),
           ahead = fabs(x->at.t_last - t), forward = copysign(1.0, x->at.t_last - x->at.t_first);
    double less = fmin(behind, ahead), more = fmax(behind, ahead), side = 0.0;
    if (less < widest) {
        widest = fmin(widest * (2.0 - less / widest), 0.5 * (less + more));
        side = fmax(0.0, 1.0 - less / widest);
    }
    x->array.side = side == 0.0 ? 0.0 : ahead > behind ? forward * side : -forward * side;
    x->array.widest = widest;
    x->problem.t = t;
}

static int evaluate(equivalent_system *x, bool search)
{
    search = search || !(fabs(x->array.side - x->at.side_of_widths) < SAME_SIDE);
    for (int32_t k = 1; k <= x->at.level && !search; k++)
        search = x->array.width[k] > 1.0000001 * x->array.widest;
    int answer = difference_array_values(&x->array, x->unknown, search, x->g);
    if (answer == DAEDAL_CALL_OK && !search && x->array.roughness > ROUGH) {
        search = true;
        answer = difference_array_values(&x->array, x->unknown, search, x->g);
    }
    if (answer == DAEDAL_CALL_OK && search)
        x->at.side_of_widths = x->array.side;
    return answer;
}

static void scale_residual(const equivalent_system *x, const double *g, double *to)
{
    scale_column(x, g, 1.0, to);
}

/* ---- matrices ---- */

static void multiply_add(const double *a, int32_t rows, int32_t cols, const double *v, double *out)
{
    for (int32_t c = 0; c < cols; c++)
        for (int32_t i = 0; i < rows; i++)
            out[i] += a[(size_t)c * (size_t)rows + (size_t)i] * v[c];
}

static void set_identity(double *a, int32_t n)
{
    memset(a, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int32_t i = 0; i < n; i++)
        a[(size_t)i * (size_t)(n + 1)] = 1.0;
}

/* Factor A P = Q R, put Q' into x->turned (rows x rows) and return the rank.  A rank below zero is
 * found from the pivots.  The pivots on both sides of the rank go to pivot.         */
static int32_t turn_by_qr(equivalent_system *x, const double *a, int32_t rows, int32_t cols,
                          int32_t rank, double pivot[2])
{
    int32_t less = rows < cols ? rows : cols;
    x->solvers.qr.rows = rows;
    x->solvers.qr.cols = cols;
    memcpy(x->factors, a, (size_t)rows * (size_t)cols * sizeof(double));
    int32_t found =
        qr_factor(&x->solvers.qr, x->factors, a == x->of_z ? RANK_TOLERANCE : CLEAR_RANK);
    rank = rank >= 0 ? rank : found;
    set_identity(x->turned, rows);
    qr_turn(&x->solvers.qr, x->factors, x->turned, rows);
    double scale = scaling_factor(less > 0 ? fabs(x->factors[0]) : 0.0);
    for (int32_t k = 0; k < 2; k++) {
        int32_t at = rank - 1 + k;
        pivot[k] = at < 0 ? 1.0 : at < less ? scale * fabs(x->factors[at * (rows + 1)]) : 0.0;
    }
    return rank;
}

static int32_t count_constraints(const equivalent_system *x)
{
    return x->n - x->at.freedom;
}

/* Copy the last a rows of Q' to u2, which is U2', and set constraints = U2' dG/dy (a x n).  Both
 * are stored by columns. */
static void take_null_space(const equivalent_system *x, int32_t a, double *u2, double *constraints)
{
    size_t rows = (size_t)x->rows, first = rows - (size_t)a;
    for (size_t c = 0; c < rows; c++)
        memcpy(u2 + c * (size_t)a, x->turned + c * rows + first, (size_t)a * sizeof(double));
    memset(constraints, 0, (size_t)a * (size_t)x->n * sizeof(double));
    for (int32_t j = 0; j < x->n; j++)
        multiply_add(u2, a, x->rows, x->of_y + (size_t)j * rows, constraints + (size_t)(j * a));
}

/* Solve least squares problems that share the matrix a (rows x cols, destroyed).  The solutions
 * replace the right sides; the answer is the rank. */
static int32_t solve_many(equivalent_system *x, double *a, int32_t rows, int32_t cols,
                          int32_t count, double tolerance)
{
    x->solvers.least_squares.rows = rows;
    x->solvers.least_squares.cols = cols;
    x->solvers.least_squares.tolerance = tolerance;
    least_squares_solve_many(&x->solvers.least_squares, a, x->right, count);
    return x->solvers.least_squares.rank;
}

/* Set to_normal and slope, the matrices of moves along N: (U2' Gy N)^-1 [U2' | U2' Gy T].  The
 * answer is false if the first factor is singular. */
static bool set_to_normal(equivalent_system *x, const double *u2, const double *constraints)
{
    int32_t a = count_constraints(x), d = x->at.freedom;
    size_t size = (size_t)a;
    double *of_n = x->factors, *right = x->right;
    if (a == 0)
        return true;
    memset(of_n, 0, size * size * sizeof(double));
    for (int32_t c = 0; c < a; c++)
        multiply_add(constraints, a, x->n, x->normal + (size_t)(c * x->n), of_n + (size_t)(c * a));
    memcpy(right, u2, size * (size_t)x->rows * sizeof(double));
    double *of_t = right + size * (size_t)x->rows;
    memset(of_t, 0, size * (size_t)d * sizeof(double));
    for (int32_t c = 0; c < d; c++)
        multiply_add(constraints, a, x->n, x->tangent + (size_t)(c * x->n), of_t + (size_t)(c * a));
    if (solve_many(x, of_n, a, a, x->rows + d, SINGULAR) < a)
        return false;
    memcpy(x->to_normal, right, size * (size_t)x->rows * sizeof(double));
    for (size_t q = 0; q < size * (size_t)d; q++)
        x->slope[q] = -of_t[q];
    double steepest = 0.0;
    for (int32_t c = 0; c < d; c++)
        steepest = fmax(steepest, vector_max_abs(x->slope + (size_t)(c * a), a));
    x->at.tilt = 1.0 / (1.0 + steepest);
    x->at.tilt_chosen = x->at.tilt_chosen > 0.0 ? x->at.tilt_chosen : x->at.tilt;
    return true;
}

/* Set to_derivatives = Gz^+ (I - Gy N to_normal), which turns a residual into the correction of the
 * derivatives. */
static void set_to_derivatives(equivalent_system *x, double tolerance)
{
    int32_t a = count_constraints(x), nz = x->cols - x->n;
    size_t rows = (size_t)x->rows, apart = (size_t)(nz > x->rows ? nz : x->rows);
    double *along = x->turned, move[EQUIVALENT_LARGEST];
    memset(along, 0, rows * (size_t)a * sizeof(double)); /* Gy N */
    for (int32_t c = 0; c < a; c++)
        multiply_add(x->of_y, x->rows, x->n, x->normal + (size_t)(c * x->n),
                     along + (size_t)c * rows);
    memset(x->right, 0, rows * apart * sizeof(double));
    for (size_t q = 0; q < rows; q++) {
        x->right[q * apart + q] = 1.0;
        for (int32_t c = 0; c < a; c++)
            move[c] = -x->to_normal[q * (size_t)a + (size_t)c];
        multiply_add(along, x->rows, a, move, x->right + q * apart);
    }
    memcpy(x->factors, x->of_z, rows * (size_t)nz * sizeof(double));
    solve_many(x, x->factors, x->rows, nz, x->rows, tolerance);
    for (size_t q = 0; q < rows; q++)
        memcpy(x->to_derivatives + q * (size_t)nz, x->right + q * apart,
               (size_t)nz * sizeof(double));
}

/* The error of y* that noise in the values of F causes, in weights, and the variable in which it is
 * largest. */
static double measure_noise(equivalent_system *x)
{
    int32_t a = count_constraints(x);
    double worst = 0.0;
    scale_residual(x, x->array.noise, x->step);
    for (int32_t j = 0; j < x->n; j++) {
        double sum = 0.0;
        for (int32_t q = 0; q < x->rows; q++) {
            double move = 0.0;
            for (int32_t c = 0; c < a; c++)
                move += x->normal[c * x->n + j] * x->to_normal[q * a + c];
            sum += fabs(move * x->step[q]);
        }
        x->noise[j] = sum * x->y_unit[j];
        double here = x->noise[j] * x->inverse_weight[j];
        x->at.noisiest = here > worst ? j : x->at.noisiest;
        worst = fmax(worst, here);
    }
    return worst;
}

/* Compute the scaled Jacobian at the present unknowns.  The answer is a daedal_answer. */
static int renew_jacobian(equivalent_system *x)
{
    int answer = difference_array_jacobian(&x->array, x->unknown, x->jacobian);
    if (answer == DAEDAL_CALL_OK)
        scale_jacobian(x);
    return answer;
}

/* Compute all matrices at the present unknowns, with unchanged T and N.  The answer is a
 * daedal_answer: DAEDAL_CALL_RETRY also means that ranks differ from those at the beginning. */
static int renew(equivalent_system *x, bool search)
{
    int32_t a = count_constraints(x), rank = x->rows - a;
    double pivot[2];
    x->at.has_matrices = false;
    int answer = evaluate(x, search);
    if (answer == DAEDAL_CALL_OK)
        answer = renew_jacobian(x);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    turn_by_qr(x, x->of_z, x->rows, x->cols - x->n, rank, pivot);
    x->at.gap = pivot[1] / pivot[0];
    double *u2 = x->jacobian, *constraints = u2 + (size_t)(a * x->rows);
    take_null_space(x, a, u2, constraints);
    double tolerance = sqrt(pivot[0] * fmax(pivot[1], CLEAR_GAP * pivot[0]));
    if (!(pivot[0] > SINGULAR) || !set_to_normal(x, u2, constraints))
        return DAEDAL_CALL_RETRY;
    set_to_derivatives(x, tolerance);
    x->at.noise = measure_noise(x);
    if (!(x->at.noise < BLINDING)) /* the unknowns are far from any solution */
        return DAEDAL_CALL_RETRY;
    x->at.has_matrices = true;
    return DAEDAL_CALL_OK;
}

/* ---- y* ---- */

/* Put the correction that belongs to the present residual into x->step; the answer is the size of
 * its part of y, in weights. */
static double find_step(equivalent_system *x)
{
    int32_t a = count_constraints(x), nz = x->cols - x->n;
    double move[EQUIVALENT_LARGEST] = {0.0}, size = 0.0, *dz = x->right, *dy = x->right + nz;
    scale_residual(x, x->g, x->step);
    memset(dz, 0, (size_t)x->cols * sizeof(double));
    multiply_add(x->to_normal, a, x->rows, x->step, move);
    multiply_add(x->normal, x->n, a, move, dy);
    multiply_add(x->to_derivatives, nz, x->rows, x->step, dz);
    for (int32_t j = 0; j < x->n; j++) {
        x->step[x->array.col[j]] = -dy[j] * x->y_unit[j];
        for (int32_t m = 1; m <= x->at.level + 1; m++)
            x->step[x->array.col[j] + m] =
                -dz[derivative_column(x, j, m)] * x->y_unit[j] / taylor_factor(x, m);
        size = fmax(size, fabs(dy[j]) * x->y_unit[j] * x->inverse_weight[j]);
    }
    return size;
}

static void take_step(equivalent_system *x)
{
    for (int32_t k = 0; k < x->cols; k++)
        x->unknown[k] += x->step[k];
}

/* Whether the unknowns satisfy the equations.  Small corrections do not show this, since least
 * squares find a correction for equations that contradict each other too. */
static bool is_met(equivalent_system *x)
{
    double *noise = x->right, *g = x->right + x->rows;
    scale_residual(x, x->array.noise, noise);
    scale_residual(x, x->g, g);
    return vector_max_abs(g, x->rows) <= UNMET + MANY_NOISES * vector_max_abs(noise, x->rows);
}

/* Whether the correction of iteration k, of this size, consists of noise alone.  The noise is known
 * as an estimate only; corrections that stop shrinking show how large it really is.     */
static bool is_at_rest(equivalent_system *x, int k, double size, double before)
{
    double most = k < PATIENCE ? NOISES : MANY_NOISES;
    if (k == 0 || !(size <= most * x->at.noise) || !(size > CONTRACTION_MAX * before))
        return false;
    double excess = size / (NOISES * x->at.noise);
    for (int32_t j = 0; j < x->n && excess > 1.0; j++)
        x->noise[j] *= excess;
    x->at.noise *= fmax(excess, 1.0);
    return true;
}

/* Iterate for y*.  At a start, far from the solution or with much noise, the matrices may be
 * renewed many times.  In a step this is not worth its price, because the step can be repeated with
 * another size. */
static int iterate(equivalent_system *x)
{
    enum { APART = 2 };
    const int renewals_max = x->at.is_start ? 3 : 1;
    double before = INFINITY;
    bool shrinks = false;
    int renewals = !x->at.has_matrices, renewed_at = -APART;
    int answer = renewals ? renew(x, true) : DAEDAL_CALL_OK;
    if (answer != DAEDAL_CALL_OK)
        return answer;
    for (int k = 0; k < (shrinks && x->at.is_start ? SHRINKING_MAX : ITERATIONS_MAX); k++) {
        answer = evaluate(x, false);
        if (answer != DAEDAL_CALL_OK)
            return answer;
        double size = find_step(x);
        bool rests = is_at_rest(x, k, size, before);
        bool converges = size <= CONTRACTION_MAX * before;
        shrinks = size <= SHRINKAGE_MAX * before;
        if (!converges && !rests && renewals < renewals_max && k >= renewed_at + APART) {
            answer = renew(x, false);
            renewals++;
            renewed_at = k;
            if (answer != DAEDAL_CALL_OK)
                return answer;
            size = find_step(x);
        }
        if (!isfinite(size))
            return DAEDAL_CALL_RETRY;
        take_step(x);
        if (k > 0 && (size <= SMALL_ENOUGH || rests) && is_met(x))
            return DAEDAL_CALL_OK;
        before = size;
    }
    return DAEDAL_CALL_RETRY;
}

/* Set to = T' y in units. */
static void find_fixed(const equivalent_system *x, const double *y, double *fixed)
{
    for (int32_t c = 0; c < x->at.freedom; c++) {
        fixed[c] = 0.0;
        for (int32_t j = 0; j < x->n; j++)
            fixed[c] += x->tangent[c * x->n + j] * y[j] / x->y_unit[j];
    }
}

static void forget_matrices(equivalent_system *x)
{
    x->at.has_matrices = false;
    x->at.side_of_widths = NAN;
}

static array_solution *nearest_point(equivalent_system *x, double t)
{
    array_solution *best = NULL;
    for (int k = 0; k < EQUIVALENT_POINTS; k++)
        if (!isnan(x->point[k].t) && (!best || fabs(x->point[k].t - t) < fabs(best->t - t)))
            best = &x->point[k];
    return best;
}

static void forget_points(equivalent_system *x)
{
    for (int k = 0; k < EQUIVALENT_POINTS; k++)
        x->point[k].t = NAN;
}

static void keep_point(equivalent_system *x, array_solution *near, double t, bool is_solved)
{
    bool again = near && near->t == t;
    array_solution *to = again ? near : &x->point[x->at.next];
    if (!again)
        x->at.next = (x->at.next + 1) % EQUIVALENT_POINTS;
    to->t = t;
    to->is_solved = is_solved;
    memcpy(to->fixed, x->fixed, (size_t)x->at.freedom * sizeof(double));
    memcpy(to->unknown, x->unknown, (size_t)x->cols * sizeof(double));
}

/* Predict the derivatives by the Taylor polynomials of a point at the distance tau.  The caller
 * sets y itself. */
static void follow_polynomials(equivalent_system *x, double tau)
{
    for (int32_t j = 0; j < x->n; j++) {
        double *u = x->unknown + x->array.col[j];
        for (int32_t m = 1; m <= x->at.level; m++) {
            double sum = 0.0;
            for (int32_t i = x->at.level + 1 - m; i > 0; i--)
                sum = (u[m + i] + sum) * tau / i;
            u[m] += sum;
        }
    }
}

/* Set the part of the derivatives to zero that the array does not determine.  Otherwise it would
 * grow from one correction to the next. */
static void shorten_derivatives(equivalent_system *x)
{
    int32_t nz = x->cols - x->n;
    double *z = x->step, *of_rows = x->right, *shortest = x->right + x->rows;
    if (!x->at.has_matrices)
        return;
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t m = 1; m <= x->at.level + 1; m++)
            z[derivative_column(x, j, m)] =
                x->unknown[x->array.col[j] + m] * taylor_factor(x, m) / x->y_unit[j];
    memset(of_rows, 0, (size_t)(x->rows + nz) * sizeof(double));
    multiply_add(x->of_z, x->rows, nz, z, of_rows);
    multiply_add(x->to_derivatives, nz, x->rows, of_rows, shortest);
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t m = 1; m <= x->at.level + 1; m++)
            x->unknown[x->array.col[j] + m] =
                shortest[derivative_column(x, j, m)] * x->y_unit[j] / taylor_factor(x, m);
}

/* Find the unknowns at t that satisfy the array and have the same T' y as the given y. */
static int solve(equivalent_system *x, double t, const double *y)
{
    size_t bytes = (size_t)x->at.freedom * sizeof(double);
    array_solution *near = nearest_point(x, t);
    find_fixed(x, y, x->fixed);
    if (near)
        memcpy(x->unknown, near->unknown, (size_t)x->cols * sizeof(double));
    if (near && near->is_solved && near->t == t && memcmp(near->fixed, x->fixed, bytes) == 0)
        return DAEDAL_CALL_OK;
    if (near)
        follow_polynomials(x, t - near->t);
    shorten_derivatives(x);
    for (int32_t j = 0; j < x->n; j++)
        x->unknown[x->array.col[j]] = y[j];
    place_nodes(x, t);
    int answer = iterate(x);
    if (answer == DAEDAL_CALL_OK)
        keep_point(x, near, t, true);
    else /* matrices and widths may be those of a point far away */
        forget_matrices(x);
    return answer;
}

int equivalent_system_correct(equivalent_system *x, double t, double *y)
{
    int answer = solve(x, t, y);
    for (int32_t j = 0; j < x->n && answer == DAEDAL_CALL_OK; j++)
        y[j] = x->unknown[x->array.col[j]];
    return answer;
}

/* ---- beginning ---- */

/* Find the derivatives that satisfy the array best with y unchanged.  *last is the size of their
 * last correction, in units.  The answer is a daedal_answer.                             */
static int settle(equivalent_system *x, double *last)
{
    int32_t nz = x->cols - x->n;
    int answer = DAEDAL_CALL_OK;
    for (int k = 0; k < SETTLING_MAX && answer == DAEDAL_CALL_OK; k++) {
        answer = evaluate(x, k < 3);
        if (answer == DAEDAL_CALL_OK)
            answer = renew_jacobian(x);
        if (answer != DAEDAL_CALL_OK)
            return answer;
        scale_residual(x, x->g, x->right);
        memcpy(x->factors, x->of_z, (size_t)x->rows * (size_t)nz * sizeof(double));
        solve_many(x, x->factors, x->rows, nz, 1, RANK_TOLERANCE);
        for (int32_t j = 0; j < x->n; j++)
            for (int32_t m = 1; m <= x->at.level + 1; m++)
                x->unknown[x->array.col[j] + m] -=
                    x->right[derivative_column(x, j, m)] * x->y_unit[j] / taylor_factor(x, m);
        *last = vector_max_abs(x->right, nz);
        if (*last < SETTLED)
            break;
    }
    return answer;
}

/* Find orthonormal columns that span the rows of a matrix (count x n by columns), and others that
 * span their complement.  The answer is false if the rows do not have full rank.         */
static bool split_space(equivalent_system *x, const double *a, int32_t count, double *rows,
                        double *complement)
{
    size_t n = (size_t)x->n, m = (size_t)count;
    double pivot[2], *transposed = x->right;
    for (size_t c = 0; c < m; c++)
        for (size_t j = 0; j < n; j++)
            transposed[c * n + j] = a[j * m + c];
    int32_t rank = turn_by_qr(x, transposed, x->n, count, -1, pivot);
    for (size_t c = 0; c < n; c++)
        for (size_t j = 0; j < n; j++) { /* column c of Q is row c of Q' */
            double *to = c < m ? rows + c * n : complement + (c - m) * n;
            to[j] = x->turned[j * n + c];
        }
    return rank == count;
}

/* Equations that contain derivatives are scaled by their terms with derivatives alone, so that
 * stiff terms do not hide these.
 */
static void set_lead_units(equivalent_system *x)
{
    const daedal_pattern *p = &x->parts.pattern.view;
    memset(x->lead_unit, 0, (size_t)x->n * sizeof(double));
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double here = fabs(x->parts.dyp[q]) * x->y_unit[j] / x->at.unit_time;
            double *most = &x->lead_unit[p->row[q]];
            *most = here > LEAST_SLOPE * x->row_unit[p->row[q]] ? fmax(*most, here) : *most;
        }
    for (int32_t i = 0; i < x->n; i++)
        x->lead_unit[i] = x->lead_unit[i] > 0.0 ? x->lead_unit[i] : HUGE_VAL;
}

/* Set Z1 from the range of dF/dy' T.  The answer is false if the rank of that matrix is too small.
 */
static bool set_leading(equivalent_system *x)
{
    const daedal_pattern *p = &x->parts.pattern.view;
    int32_t d = x->at.freedom;
    size_t n = (size_t)x->n;
    double pivot[2], *range = x->right;
    set_lead_units(x);
    memset(range, 0, n * (size_t)d * sizeof(double));
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            for (int32_t c = 0; c < d; c++) {
                double along = x->tangent[(size_t)c * n + (size_t)j] * x->y_unit[j];
                range[(size_t)c * n + (size_t)p->row[q]] +=
                    x->parts.dyp[q] * along / (x->at.unit_time * x->lead_unit[p->row[q]]);
            }
    double largest = vector_max_abs(range, x->n * d);
    int32_t rank = turn_by_qr(x, range, x->n, d, -1, pivot);
    for (size_t j = 0; j < n; j++)
        memcpy(x->leading + j * (size_t)d, x->turned + j * n, (size_t)d * sizeof(double));
    return d == 0 || (rank == d && largest > CLEAR_RANK);
}

/* Set to = Z1' dF/dy' (freedom x n), in units. */
static void set_leading_in_units(const equivalent_system *x, double *to)
{
    const daedal_pattern *p = &x->parts.pattern.view;
    int32_t d = x->at.freedom;
    memset(to, 0, (size_t)(x->n * d) * sizeof(double));
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            for (int32_t c = 0; c < d; c++)
                to[j * d + c] += x->leading[p->row[q] * d + c] * x->parts.dyp[q] * x->y_unit[j] /
                                 (x->at.unit_time * x->lead_unit[p->row[q]]);
}

/* Evaluate dF/dy and dF/dy' at the present unknowns. */
static int evaluate_parts(equivalent_system *x)
{
    return difference_array_parts(&x->array, x->unknown, false);
}

/* Choose Z1, T and N at the present unknowns, whose scaled Jacobian has been computed.  *good tells
 * whether the equivalent equations then have index one.  The answer is a daedal_answer. */
static int choose_directions(equivalent_system *x, int32_t a, bool *good)
{
    double *u2 = x->jacobian, *constraints = u2 + (size_t)(x->n * x->rows);
    x->at.tilt_chosen = x->at.lead_chosen = 0.0;
    take_null_space(x, a, u2, constraints);
    x->at.freedom = x->n - a;
    *good = split_space(x, constraints, a, x->normal, x->tangent);
    int answer = *good ? evaluate_parts(x) : DAEDAL_CALL_OK;
    if (answer != DAEDAL_CALL_OK || !*good)
        return answer;
    *good = set_leading(x);
    if (*good) {
        set_leading_in_units(x, u2);
        *good = split_space(x, u2, x->at.freedom, x->tangent, x->normal);
    }
    return DAEDAL_CALL_OK;
}

/* Set *good to whether derivatives up to the present level are enough. */
static int try_level(equivalent_system *x, bool *good)
{
    double pivot[2], last;
    *good = false;
    int answer = settle(x, &last);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    int32_t rank = turn_by_qr(x, x->of_z, x->rows, x->cols - x->n, -1, pivot);
    int32_t a = x->rows - rank;
    return a > x->n ? DAEDAL_CALL_OK : choose_directions(x, a, good);
}

/* Set the unknowns to y, y' and the derivatives that were found with the array one level lower. */
static void set_unknowns(equivalent_system *x, const equivalent_begin *from)
{
    int32_t level = x->at.level;
    memset(x->unknown, 0, (size_t)x->cols * sizeof(double));
    for (int32_t j = 0; j < x->n; j++) {
        double *u = x->unknown + x->array.col[j];
        u[0] = from->y[j];
        u[1] = from->yp[j];
        for (int32_t m = 1; m <= level && level > 0; m++)
            u[m] = x->kept[j * (level + 1) + m];
    }
}

static daedal_status status_of(const equivalent_system *x, int answer)
{
    if (answer == DAEDAL_CALL_OK || answer == DAEDAL_CALL_STOP)
        return answer == DAEDAL_CALL_OK ? DAEDAL_OK : DAEDAL_STOPPED;
    if (x->ev.trouble.answer != DAEDAL_CALL_OK)
        return evaluator_explain(&x->ev, x->why);
    return fail(x->why, DAEDAL_ERR_MEMORY, "out of memory for the derivative array");
}

static daedal_status complain_level(const equivalent_system *x)
{
    fail(x->why, DAEDAL_ERR_INDEX,
         "the equations and their derivatives up to order %d do not determine the solution near "
         "t = %.10g",
         (int)LEVEL_MAX, x->problem.t);
    hint(x->why, "method = array supports an index up to %d, with ranks that do not change",
         (int)LEVEL_MAX + 1);
    return DAEDAL_ERR_INDEX;
}

static void note_begin(equivalent_system *x, const equivalent_begin *from, double t_first)
{
    size_t bytes = (size_t)x->n * sizeof(double);
    memcpy(x->inverse_weight, from->inverse_weight, bytes);
    memcpy(x->floor, from->floor, bytes);
    evaluator_forget(&x->ev);
    forget_points(x);
    x->at = (equivalent_numbers){.is_start = x->at.is_start,
                                 .level = x->at.level,
                                 .unit_time = from->time,
                                 .t_first = t_first,
                                 .t_last = from->t_last,
                                 .side_of_widths = NAN};
    x->problem.time_scale = from->time;
    set_y_units(x, from->y);
}

static int measure_rows(equivalent_system *x, const equivalent_begin *from)
{
    matrix_point at = {from->t, from->time, from->y, from->yp, NULL, x->inverse_weight};
    int answer = matrix_evaluate(&x->parts, &at);
    if (answer == DAEDAL_CALL_OK)
        set_row_units(x, from->y);
    return answer;
}

/* Find the least sufficient level with F evaluated from t_first on.  The answer is a daedal_answer.
 */
static int find_level(equivalent_system *x, const equivalent_begin *from, double t_first,
                      bool *good)
{
    *good = false;
    note_begin(x, from, t_first);
    int answer = measure_rows(x, from);
    for (int32_t level = 0; level <= LEVEL_MAX && !*good && answer == DAEDAL_CALL_OK; level++) {
        if (!make_array(x, level))
            return DAEDAL_CALL_FAIL;
        x->at.side_of_widths = NAN;
        set_unknowns(x, from);
        place_nodes(x, from->t);
        answer = try_level(x, good);
        memcpy(x->kept, x->unknown, (size_t)x->cols * sizeof(double));
    }
    return answer;
}

/* Whether F does not jump at t: the array then has about the same values if F is evaluated behind t
 * only.                                                                            */
static bool is_smooth_at(equivalent_system *x, double t)
{
    double t_first = x->at.t_first, worst = 0.0, *noise = x->right, *before = noise + x->rows,
           *now = before + x->rows;
    if (x->at.level == 0)
        return true;
    x->at.side_of_widths = NAN;
    bool defined = evaluate(x, true) == DAEDAL_CALL_OK && difference_array_is_settled(&x->array);
    scale_residual(x, x->array.noise, noise);
    scale_residual(x, x->g, before);
    x->at.t_first = t;
    place_nodes(x, t);
    x->at.side_of_widths = NAN;
    bool defined_ahead = evaluate(x, true) == DAEDAL_CALL_OK;
    scale_residual(x, x->g, now);
    scale_residual(x, x->array.noise, x->step);
    for (int32_t q = 0; q < x->rows; q++) {
        double most = JUMP + MANY_NOISES * (fabs(noise[q]) + fabs(x->step[q]));
        worst = fmax(worst, fabs(now[q] - before[q]) / most);
    }
    x->at.t_first = t_first;
    x->at.side_of_widths = NAN;
    return defined && (!defined_ahead || worst <= 1.0);
}

/* The row in which the user's Taylor coefficients are not those of F, or -1. */
static int32_t find_wrong_coefficient(equivalent_system *x)
{
    double *given = x->right, *found = given + x->rows, *noise = found + x->rows;
    int32_t wrong = -1;
    if (!taylor_array_is_given(&x->array) || evaluate(x, true) != DAEDAL_CALL_OK)
        return -1;
    scale_residual(x, x->g, given);
    x->array.ignores_taylor = true;
    bool defined = evaluate(x, true) == DAEDAL_CALL_OK && difference_array_is_settled(&x->array);
    x->array.ignores_taylor = false;
    scale_residual(x, x->g, found);
    scale_residual(x, x->array.noise, noise);
    for (int32_t q = 0; q < x->rows && defined && wrong < 0; q++)
        if (!(fabs(given[q] - found[q]) <= WRONG + MANY_NOISES * fabs(noise[q])))
            wrong = q;
    return wrong;
}

static daedal_status complain_taylor(equivalent_system *x, int32_t row)
{
    char name[96];
    int32_t k = row % (x->at.level + 1), i = row / (x->at.level + 1);
    fail(x->why, DAEDAL_ERR_JACOBIAN,
         "Taylor coefficient %d of %s at t = %.10g disagrees with differences of F", (int)k,
         evaluator_equation_name(x->ev.sys, i, name, sizeof name), x->problem.t);
    blame(x->why, x->problem.t, i, -1);
    hint(x->why, "correct the function for Taylor coefficients, or leave it out");
    return DAEDAL_ERR_JACOBIAN;
}

daedal_status equivalent_system_begin(equivalent_system *x, const equivalent_begin *from)
{
    bool good, anywhere = true;
    double before = copysign(HUGE_VAL, from->t - from->t_last);
    int answer = find_level(x, from, before, &good);
    if (answer == DAEDAL_CALL_OK && good)
        anywhere = is_smooth_at(x, from->t);
    if (answer == DAEDAL_CALL_RETRY || (answer == DAEDAL_CALL_OK && !(good && anywhere)))
        answer = find_level(x, from, from->t, &good); /* F may be a different function before t */
    RETURN_UNLESS_OK(status_of(x, answer));
    if (!good)
        return complain_level(x);
    place_nodes(x, from->t);
    int32_t wrong = find_wrong_coefficient(x);
    if (wrong >= 0)
        return complain_taylor(x, wrong);
    find_fixed(x, from->y, x->fixed);
    keep_point(x, NULL, from->t, false);
    answer = renew(x, true);
    return answer == DAEDAL_CALL_RETRY ? complain_level(x) : status_of(x, answer);
}

/* One further derivative of the equations determines y'.  If LEVEL_MAX does not allow it, or the
 * iteration does not converge, y' is that of the solution with the shortest derivatives. */
daedal_status equivalent_system_slopes(equivalent_system *x, double *yp)
{
    equivalent_begin at = {.y = x->y, .yp = x->yp};
    double last = 0.0;
    int32_t level = x->at.level;
    for (int32_t j = 0; j < x->n; j++) {
        x->y[j] = x->unknown[x->array.col[j]];
        x->yp[j] = x->unknown[x->array.col[j] + 1];
    }
    memcpy(x->kept, x->unknown, (size_t)x->cols * sizeof(double));
    if (level < LEVEL_MAX) {
        if (!make_array(x, level + 1))
            return DAEDAL_ERR_MEMORY;
        x->at.side_of_widths = NAN;
        set_unknowns(x, &at);
        place_nodes(x, x->problem.t);
        int answer = settle(x, &last);
        if (answer != DAEDAL_CALL_OK)
            return answer == DAEDAL_CALL_RETRY ? DAEDAL_OK : status_of(x, answer);
    }
    for (int32_t j = 0; j < x->n; j++)
        yp[j] = last <= DIVERGED ? x->unknown[x->array.col[j] + 1] : x->yp[j];
    return DAEDAL_OK;
}

bool equivalent_system_is_tilted(const equivalent_system *x)
{
    const equivalent_numbers *at = &x->at;
    return at->has_matrices &&
           (at->tilt < TILTED * at->tilt_chosen || at->lead < TILTED * at->lead_chosen);
}

int equivalent_system_turn(equivalent_system *x, double t, const double *y)
{
    double pivot[2];
    bool good;
    int32_t a = count_constraints(x);
    int answer = solve(x, t, y);
    x->at.has_matrices = false;
    if (answer != DAEDAL_CALL_OK)
        return answer;
    place_nodes(x, t);
    set_y_units(x, y);
    answer = evaluate_parts(x);
    if (answer == DAEDAL_CALL_OK) {
        set_row_units(x, y);
        answer = renew_jacobian(x);
    }
    if (answer != DAEDAL_CALL_OK)
        return answer;
    turn_by_qr(x, x->of_z, x->rows, x->cols - x->n, x->rows - a, pivot);
    answer = choose_directions(x, a, &good);
    forget_points(x);
    if (answer == DAEDAL_CALL_OK && !good)
        answer = DAEDAL_CALL_RETRY;
    find_fixed(x, y, x->fixed);
    if (answer == DAEDAL_CALL_OK)
        keep_point(x, NULL, t, true);
    return answer;
}

/* ---- the equations ---- */

int equivalent_system_residual(equivalent_system *x, double t, const double *y, const double *yp,
                               double *r)
{
    int32_t d = x->at.freedom;
    int answer = evaluator_residual(&x->ev, t, y, yp, x->y);
    if (answer == DAEDAL_CALL_OK)
        answer = solve(x, t, y);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    memset(r, 0, (size_t)x->n * sizeof(double));
    for (int32_t i = 0; i < x->n; i++)
        x->y[i] /= x->lead_unit[i];
    multiply_add(x->leading, d, x->n, x->y, r);
    for (int32_t c = 0; c < x->n - d; c++)
        for (int32_t j = 0; j < x->n; j++)
            r[d + c] +=
                x->normal[c * x->n + j] * (y[j] - x->unknown[x->array.col[j]]) / x->y_unit[j];
    return DAEDAL_CALL_OK;
}

static void set_leading_rows(const equivalent_system *x, const double *part, double *to)
{
    const daedal_pattern *p = &x->parts.pattern.view;
    int32_t d = x->at.freedom;
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            for (int32_t c = 0; c < d; c++)
                to[j * x->n + c] +=
                    x->leading[p->row[q] * d + c] * part[q] / x->lead_unit[p->row[q]];
}

static void set_constraint_rows(const equivalent_system *x, double *dy)
{
    int32_t d = x->at.freedom, a = x->n - d;
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t c = 0; c < a; c++) {
            double v = x->normal[c * x->n + j];
            for (int32_t k = 0; k < d; k++)
                v -= x->slope[k * a + c] * x->tangent[k * x->n + j];
            dy[j * x->n + d + c] = v / x->y_unit[j];
        }
}

/* Measure how well Z1' F determines the derivatives along the directions that the constraints leave
 * free: by the least pivot of Z1' dF/dy' times these directions, with the dF/dy' of the matrix. */
static void watch_leading(equivalent_system *x)
{
    int32_t d = x->at.freedom, a = x->n - d;
    double *lead = x->jacobian, *along = lead + (size_t)(x->n * d), *product = along + x->n,
           pivot[2];
    set_leading_in_units(x, lead);
    memset(product, 0, (size_t)(d * d) * sizeof(double));
    for (int32_t c = 0; c < d; c++) {
        memcpy(along, x->tangent + (size_t)(c * x->n), (size_t)x->n * sizeof(double));
        multiply_add(x->normal, x->n, a, x->slope + (size_t)(c * a), along);
        multiply_add(lead, d, x->n, along, product + (size_t)(c * d));
    }
    double scale = vector_max_abs(product, d * d);
    turn_by_qr(x, product, d, d, d, pivot);
    x->at.lead = d > 0 ? pivot[0] * scale : 1.0;
    x->at.lead_chosen = x->at.lead_chosen > 0.0 ? x->at.lead_chosen : x->at.lead;
}

int equivalent_system_jacobian(equivalent_system *x, double t, const double *y, const double *yp,
                               double h, double *dy, double *dyp)
{
    size_t bytes = (size_t)x->n * (size_t)x->n * sizeof(double);
    int answer = solve(x, t, y);
    if (answer == DAEDAL_CALL_OK) {
        place_nodes(x, t);
        answer = renew(x, true);
    }
    matrix_point at = {t, h, y, yp, NULL, x->inverse_weight};
    if (answer == DAEDAL_CALL_OK)
        answer = matrix_evaluate(&x->parts, &at);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    watch_leading(x);
    memset(dy, 0, bytes);
    memset(dyp, 0, bytes);
    set_leading_rows(x, x->parts.dy, dy);
    set_leading_rows(x, x->parts.dyp, dyp);
    set_constraint_rows(x, dy);
    return DAEDAL_CALL_OK;
}
