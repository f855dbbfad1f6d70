/* boundary/shooting.c - see shooting.h.
 *
 * Unknowns: the differential variables x at the start of each segment.  The solver makes each start
 * consistent; for an index above one it thereby moves x onto the hidden constraints.  Equations:
 * the end of a segment is the start of the next one; the conditions hold; the start of the first
 * segment is not moved, which is as many equations as there are constraints on x.          */
#include "boundary/shooting.h"

#include <math.h>
#include <string.h>

#include "base/choices.h"
#include "base/status.h"
#include "boundary/singular_shot.h"
#include "linalg/damped_newton.h"
#include "linalg/svd.h"

typedef struct shooting {
    const shooting_task *task;
    const daedal_allocator *allocator;
    daedal_solver *plain, *derived; /* without and with sensitivities              */
    daedal_system sys;              /* with parameters: the start values           */
    daedal_options options;
    int32_t n, nx, n_segments, size, n_fixed;
    int32_t *x_of;
    double **nowhere; /* nx places of parameters: none                             */
    double *one;      /* nx: their sizes                                           */
    double *t;        /* n_segments + 1                                            */
    int32_t *point_node;
    double *y;                     /* n_segments rows of n: starts as they are given     */
    double *trial, *step, *r;      /* n_segments nx each                                 */
    double *first, *last;          /* by segment: y at its ends, n each                  */
    double *first_slopes, *slopes; /* n x nx: of the first start; by segment, of its end */
    double *point_y, *condition_slopes, *largest, *inverse_size;
    double *held;         /* n_fixed x nx by rows: combinations of x that a start moves        */
    double *work;         /* 2 n                                                             */
    double *start_slopes; /* n x nx: of a start, by its x                              */
    svd moves;            /* of 1 - dP/dx, where P is the start                               */
    emitted_matrix matrix;
    bool has_matrix, is_singular;
    int64_t iterations;
    double growth; /* the largest entry of `slopes`                                      */
    daedal_status status;
    block mem, mesh_mem;
} shooting;

/* ---- memory ---- */

static void lay_out(void *object, layout *l)
{
    shooting *s = object;
    size_t n = (size_t)s->n, nx = (size_t)s->nx, c = (size_t)s->task->conditions->n;
    size_t points = (size_t)s->task->conditions->n_points;
    s->x_of = layout_take(l, nx, sizeof(int32_t));
    s->nowhere = layout_take(l, nx, sizeof *s->nowhere);
    s->one = layout_take(l, nx, sizeof(double));
    s->point_node = layout_take(l, points, sizeof(int32_t));
    s->point_y = layout_take(l, points * n, sizeof(double));
    s->condition_slopes = layout_take(l, c * points * n, sizeof(double));
    s->largest = layout_take(l, n, sizeof(double));
    s->inverse_size = layout_take(l, n, sizeof(double));
    s->held = layout_take(l, nx * nx, sizeof(double));
    s->work = layout_take(l, 2 * n, sizeof(double));
    s->start_slopes = layout_take(l, n * nx, sizeof(double));
    s->first_slopes = layout_take(l, n * nx, sizeof(double));
}

static void lay_out_mesh(void *object, layout *l)
{
    shooting *s = object;
    size_t n = (size_t)s->n, nx = (size_t)s->nx, m = (size_t)s->n_segments;
    s->y = layout_take(l, m * n, sizeof(double));
    s->first = layout_take(l, m * n, sizeof(double));
    s->last = layout_take(l, m * n, sizeof(double));
    s->trial = layout_take(l, m * nx, sizeof(double));
    s->step = layout_take(l, m * nx, sizeof(double));
    s->r = layout_take(l, m * nx, sizeof(double));
    s->slopes = layout_take(l, m * n * nx, sizeof(double));
}

static daedal_status make_solvers(shooting *s)
{
    const shooting_task *task = s->task;
    daedal_system plain = *task->sys;
    plain.n_parameters = 0;
    s->options = *task->options;
    s->options.rtol *= 0.1; /* the segments are more accurate than the whole */
    s->options.atol *= 0.1;
    if (task->has_high_index && s->options.method == METHOD_AUTO)
        s->options.method = METHOD_RADAU; /* that of sensitivities, too */
    TRY(daedal_solver_create(&s->plain, &plain, &s->options, task->why));
    s->sys = plain;
    s->sys.n_parameters = s->nx;
    s->sys.parameters = s->nowhere;
    s->sys.parameter_scale = (daedal_doubles){s->one, s->nx};
    s->sys.parameter_derivative = NULL;
    s->sys.constraint_parameter_derivative = NULL;
    return daedal_solver_create(&s->derived, &s->sys, &s->options, task->why);
}

/* ---- segments ---- */

static daedal_status keep_failure(shooting *s, daedal_solver *solver, daedal_status status)
{
    *s->task->why = *daedal_solver_diagnosis(solver);
    s->status = status;
    return status;
}

static void write_start(const shooting *s, int32_t i, const double *x, double *y)
{
    memcpy(y, s->y + (size_t)i * (size_t)s->n, (size_t)s->n * sizeof(double));
    for (int32_t k = 0; k < s->nx; k++)
        y[s->x_of[k]] = x[k];
}

/* The consistent values that a start makes of y at the start of segment i. */
static daedal_status begin(shooting *s, daedal_solver *solver, int32_t i, double *y)
{
    daedal_solver_set_stop_time(solver, NAN);
    daedal_status status = daedal_solver_start(solver, s->t[i], y, NULL);
    if (status < 0 || status == DAEDAL_STOPPED)
        return keep_failure(s, solver, status);
    memcpy(y, daedal_solver_state(solver)->y, (size_t)s->n * sizeof(double));
    return DAEDAL_OK;
}

/* Integrate segment i from its start, with values x, to its end. */
static daedal_status run_segment(shooting *s, daedal_solver *solver, int32_t i, const double *x)
{
    size_t n = (size_t)s->n;
    double *first = s->first + (size_t)i * n;
    write_start(s, i, x, first);
    RETURN_UNLESS_OK(begin(s, solver, i, first));
    daedal_solver_set_stop_time(solver, s->t[i + 1]);
    daedal_status status = daedal_solver_advance(solver, s->t[i + 1]);
    if (status < 0 || status == DAEDAL_STOPPED)
        return keep_failure(s, solver, status);
    memcpy(s->last + (size_t)i * n, daedal_solver_state(solver)->y, n * sizeof(double));
    return DAEDAL_OK;
}

/* dP/dx of the start P of segment i, into start_slopes: above index two by differences, since
 * there sensitivities shall begin with directions that satisfy the hidden constraints.       */
static daedal_status differentiate_start(shooting *s, int32_t i, const double *x)
{
    const double share = 1e-3;
    size_t n = (size_t)s->n;
    double *plus = s->work, *minus = s->work + n;
    for (int32_t k = 0; k < s->nx; k++) {
        double *to = s->start_slopes + (size_t)k * n;
        memset(to, 0, n * sizeof(double));
        to[s->x_of[k]] = 1.0;
        if (!s->task->has_high_index)
            continue;
        double step = share * fmax(fabs(x[k]), 1.0);
        write_start(s, i, x, plus);
        write_start(s, i, x, minus);
        plus[s->x_of[k]] += step;
        minus[s->x_of[k]] -= step;
        RETURN_UNLESS_OK(begin(s, s->plain, i, plus));
        RETURN_UNLESS_OK(begin(s, s->plain, i, minus));
        for (size_t v = 0; v < n; v++)
            to[v] = (plus[v] - minus[v]) / (2.0 * step);
    }
    return DAEDAL_OK;
}

/* The guesses are moved onto the constraints, where they can be: far from these the start need not
 * be a smooth function of what it is given.                                     */
static void settle_starts(shooting *s)
{
    size_t n = (size_t)s->n;
    for (int32_t i = 0; i < s->n_segments && s->task->has_high_index; i++) {
        double *y = s->y + (size_t)i * n;
        memcpy(s->work, y, n * sizeof(double));
        if (begin(s, s->plain, i, s->work) == DAEDAL_OK)
            memcpy(y, s->work, n * sizeof(double));
    }
}

static daedal_status derive_segment(shooting *s, int32_t i, const double *x)
{
    size_t n = (size_t)s->n;
    RETURN_UNLESS_OK(differentiate_start(s, i, x));
    for (int32_t k = 0; k < s->nx; k++)
        daedal_solver_set_sensitivity(s->derived, k, s->start_slopes + (size_t)k * n);
    RETURN_UNLESS_OK(run_segment(s, s->derived, i, x));
    for (int32_t k = 0; k < s->nx; k++) {
        const double *of;
        daedal_status status = daedal_solver_sensitivity(s->derived, k, &of, NULL);
        if (status < 0)
            return keep_failure(s, s->derived, status);
        memcpy(s->slopes + ((size_t)i * (size_t)s->nx + (size_t)k) * n, of, n * sizeof(double));
        for (int32_t j = 0; j < s->n; j++)
            s->growth = fmax(s->growth, fabs(of[j]));
    }
    return DAEDAL_OK;
}

/* The same for algebraic variables at the first start, which conditions may read. */
static daedal_status derive_first(shooting *s, const double *x)
{
    size_t n = (size_t)s->n;
    RETURN_UNLESS_OK(differentiate_start(s, 0, x));
    if (!s->task->has_high_index) {
        for (int32_t k = 0; k < s->nx; k++)
            daedal_solver_set_sensitivity(s->derived, k, s->start_slopes + (size_t)k * n);
        write_start(s, 0, x, s->work);
        RETURN_UNLESS_OK(begin(s, s->derived, 0, s->work));
    }
    for (int32_t k = 0; k < s->nx && !s->task->has_high_index; k++) {
        const double *of;
        daedal_status status = daedal_solver_sensitivity(s->derived, k, &of, NULL);
        if (status < 0)
            return keep_failure(s, s->derived, status);
        memcpy(s->start_slopes + (size_t)k * n, of, n * sizeof(double));
    }
    memcpy(s->first_slopes, s->start_slopes, n * (size_t)s->nx * sizeof(double));
    return DAEDAL_OK;
}

/* ---- equations ---- */

/* y where the conditions read it: at the first start, and at ends of segments. */
static void read_points(shooting *s)
{
    size_t n = (size_t)s->n;
    for (int32_t q = 0; q < s->task->conditions->n_points; q++) {
        int32_t node = s->point_node[q];
        const double *y = node == 0 ? s->first : s->last + (size_t)(node - 1) * n;
        memcpy(s->point_y + (size_t)q * n, y, n * sizeof(double));
    }
}

/* Residuals of the starts x, after the segments were run.  A daedal_answer. */
static int residual(shooting *s, const double *x, double *r)
{
    int32_t c = s->task->conditions->n, nx = s->nx;
    read_points(s);
    int answer = conditions_evaluate(s->task->conditions, s->point_y, r);
    for (int32_t k = 0; k < s->n_fixed; k++) {
        r[c + k] = 0.0;
        for (int32_t j = 0; j < nx; j++)
            r[c + k] += s->held[k * nx + j] * (x[j] - s->first[s->x_of[j]]);
    }
    for (int32_t i = 0; i + 1 < s->n_segments; i++)
        for (int32_t k = 0; k < nx; k++)
            r[(i + 1) * nx + k] =
                s->last[(size_t)i * (size_t)s->n + (size_t)s->x_of[k]] - x[(i + 1) * nx + k];
    return answer;
}

static double slope_of(const shooting *s, int32_t node, int32_t v, int32_t k)
{
    size_t n = (size_t)s->n, nx = (size_t)s->nx;
    return node == 0 ? s->first_slopes[(size_t)k * n + (size_t)v]
                     : s->slopes[((size_t)(node - 1) * nx + (size_t)k) * n + (size_t)v];
}

static void emit_conditions(emitted_matrix *m, const shooting *s)
{
    const boundary_conditions *of = s->task->conditions;
    for (int32_t q = 0; q < of->n_points; q++) {
        int32_t node = s->point_node[q], column = (node == 0 ? 0 : node - 1) * s->nx;
        for (int32_t c = 0; c < of->n; c++) {
            const double *by =
                s->condition_slopes + ((size_t)c * (size_t)of->n_points + (size_t)q) * (size_t)s->n;
            for (int32_t k = 0; k < s->nx; k++) {
                double sum = 0.0;
                for (int32_t v = 0; v < s->n && m->pass == EMISSION_VALUES; v++)
                    sum += by[v] == 0.0 ? 0.0 : by[v] * slope_of(s, node, v, k);
                emit(m, c, column + k, sum);
            }
        }
    }
}

static void emit_all(emitted_matrix *m, void *self)
{
    const shooting *s = self;
    int32_t nx = s->nx;
    emit_conditions(m, s);
    for (int32_t c = 0; c < s->n_fixed; c++)
        for (int32_t k = 0; k < nx; k++) {
            double sum = s->held[c * nx + k];
            for (int32_t j = 0; j < nx && m->pass == EMISSION_VALUES; j++)
                sum -= s->held[c * nx + j] * slope_of(s, 0, s->x_of[j], k);
            emit(m, s->task->conditions->n + c, k, sum);
        }
    for (int32_t i = 0; i + 1 < s->n_segments; i++)
        for (int32_t j = 0; j < nx; j++) {
            for (int32_t k = 0; k < nx; k++)
                emit(m, (i + 1) * nx + j, i * nx + k, slope_of(s, i + 1, s->x_of[j], k));
            emit(m, (i + 1) * nx + j, (i + 1) * nx + j, -1.0);
        }
}

/* Combinations of x that the start moves: the range of 1 - dP/dx. */
static daedal_status find_held(shooting *s)
{
    const double clear = 0.1; /* P moves along a projector: its singular values are 0 or above 1 */
    int32_t nx = s->nx;
    for (int32_t k = 0; k < nx; k++)
        for (int32_t j = 0; j < nx; j++)
            s->moves.a[k * nx + j] = (j == k ? 1.0 : 0.0) - slope_of(s, 0, s->x_of[j], k);
    if (!svd_decompose(&s->moves))
        return fail(s->task->why, DAEDAL_ERR_SINGULAR,
                    "the constraints on the start values could not be found");
    int32_t rank = svd_rank(s->moves.s, nx, clear);
    if (rank + s->task->conditions->n != nx) {
        fail(s->task->why, DAEDAL_ERR_STRUCTURE,
             "there are %d boundary conditions for %d degrees of freedom",
             (int)s->task->conditions->n, (int)(nx - rank));
        set_cause(s->task->why, s->task->conditions->n > nx - rank
                                    ? DAEDAL_CAUSE_REDUNDANT_EQUATIONS
                                    : DAEDAL_CAUSE_UNDETERMINED_VARIABLE);
        return DAEDAL_ERR_STRUCTURE;
    }
    s->n_fixed = rank;
    for (int32_t k = 0; k < rank; k++)
        for (int32_t j = 0; j < nx; j++)
            s->held[k * nx + j] = s->moves.u[k * nx + j];
    return DAEDAL_OK;
}

/* ---- Newton's iteration ---- */

static void weigh(shooting *s)
{
    memset(s->largest, 0, (size_t)s->n * sizeof(double));
    for (int32_t i = 0; i < s->n_segments; i++)
        for (int32_t v = 0; v < s->n; v++)
            s->largest[v] =
                fmax(s->largest[v], fabs(s->last[(size_t)i * (size_t)s->n + (size_t)v]));
    for (int32_t v = 0; v < s->n; v++) {
        double size = s->task->options->rtol * s->largest[v] + s->task->options->atol;
        s->inverse_size[v] = size > 0.0 ? 1.0 / size : 1.0;
    }
}

static double norm(const shooting *s, const double *v)
{
    double most = 0.0;
    for (int32_t k = 0; k < s->size; k++) {
        double at = fabs(v[k]) * s->inverse_size[s->x_of[k % s->nx]];
        if (!(at <= most))
            most = at;
    }
    return most;
}

static void read_starts(const shooting *s, double *x)
{
    for (int32_t i = 0; i < s->n_segments; i++)
        for (int32_t k = 0; k < s->nx; k++)
            x[i * s->nx + k] = s->y[(size_t)i * (size_t)s->n + (size_t)s->x_of[k]];
}

static damped_reply reply_of(shooting *s, daedal_status status)
{
    if (status == DAEDAL_OK)
        return DAMPED_OK;
    return failure_is(status, NUMERIC_FAILURE) && s->has_matrix ? DAMPED_UNDEFINED : DAMPED_ABORT;
}

static damped_reply abort_with(shooting *s, daedal_status status, const char *what)
{
    s->status = fail(s->task->why, status, "%s", what);
    return DAMPED_ABORT;
}

/* The matrix as a dense one, whose rows that vanish together name conditions. */
static daedal_status name_dependent(shooting *s)
{
    const daedal_pattern *p = &s->matrix.pattern.view;
    const boundary_conditions *of = s->task->conditions;
    size_t size = (size_t)s->size, bytes = size * size * sizeof(double);
    if (s->size > SINGULAR_SHOT_LARGEST)
        return DAEDAL_OK;
    double *dense = memory_take(s->allocator, bytes);
    if (!dense || residual(s, s->trial, s->r) != DAEDAL_CALL_OK) {
        memory_give(s->allocator, dense, bytes);
        return DAEDAL_OK;
    }
    for (int32_t j = 0; j < s->size; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            dense[(size_t)j * size + (size_t)p->row[q]] = s->matrix.values[q];
    singular_shot shot = {.matrix = dense,
                          .residual = s->r,
                          .size = s->size,
                          .n_conditions = of->n,
                          .names = of->names,
                          .why = s->task->why,
                          .allocator = s->allocator};
    s->status = singular_shot_explain(&shot);
    memory_give(s->allocator, dense, bytes);
    return s->status;
}

static damped_reply abort_singular(shooting *s)
{
    s->is_singular = true;
    return s->status == DAEDAL_ERR_SINGULAR || name_dependent(s) != DAEDAL_OK
               ? DAMPED_ABORT
               : abort_with(s, DAEDAL_ERR_SINGULAR,
                            "the linear equations of shooting are singular: boundary conditions "
                            "depend on each other");
}

static damped_reply measure(void *self, double *size)
{
    shooting *s = self;
    boundary_conditions *of = s->task->conditions;
    s->growth = 0.0;
    read_starts(s, s->trial);
    s->status = derive_first(s, s->trial);
    for (int32_t i = 0; i < s->n_segments && s->status == DAEDAL_OK; i++)
        s->status = derive_segment(s, i, s->trial + i * s->nx);
    if (s->status != DAEDAL_OK)
        return DAMPED_ABORT;
    weigh(s);
    if (!s->has_matrix) {
        s->status = find_held(s);
        if (s->status != DAEDAL_OK)
            return DAMPED_ABORT;
        if (!emitted_create(&s->matrix, s->size, emit_all, s, s->allocator))
            return abort_with(s, DAEDAL_ERR_MEMORY, "out of memory");
        s->has_matrix = true;
    }
    if (residual(s, s->trial, s->step) != DAEDAL_CALL_OK ||
        conditions_differentiate(of, s->point_y, s->largest, s->condition_slopes) != DAEDAL_CALL_OK)
        return abort_with(s, DAEDAL_ERR_CALLBACK, "the boundary conditions have no value");
    emitted_begin(&s->matrix);
    emit_all(&s->matrix, s);
    s->iterations++;
    daedal_status status = emitted_factor(&s->matrix);
    if (status == DAEDAL_OK) {
        emitted_solve(&s->matrix, s->step);
        *size = norm(s, s->step);
    }
    s->is_singular = status == DAEDAL_ERR_SINGULAR || !isfinite(*size);
    return s->is_singular || name_dependent(s) != DAEDAL_OK ? abort_singular(s) : DAMPED_OK;
}

static damped_reply try_share(void *self, double share, double *size)
{
    shooting *s = self;
    read_starts(s, s->trial);
    for (int32_t k = 0; k < s->size; k++)
        s->trial[k] -= share * s->step[k];
    for (int32_t i = 0; i < s->n_segments; i++) {
        daedal_status status = run_segment(s, s->plain, i, s->trial + i * s->nx);
        if (status != DAEDAL_OK)
            return reply_of(s, status);
    }
    if (residual(s, s->trial, s->r) != DAEDAL_CALL_OK)
        return DAMPED_UNDEFINED;
    emitted_solve(&s->matrix, s->r);
    *size = norm(s, s->r);
    return isfinite(*size) ? DAMPED_OK : DAMPED_UNDEFINED;
}

/* Starts as the solver made them consistent are the guesses of algebraic variables. */
static void accept(void *self, double share)
{
    shooting *s = self;
    (void)share;
    memcpy(s->y, s->first, (size_t)s->n_segments * (size_t)s->n * sizeof(double));
    for (int32_t i = 0; i < s->n_segments; i++)
        for (int32_t k = 0; k < s->nx; k++)
            s->y[(size_t)i * (size_t)s->n + (size_t)s->x_of[k]] = s->trial[i * s->nx + k];
}

static daedal_status iterate(shooting *s)
{
    damped_newton d = {.self = s,
                       .measure = measure,
                       .try_share = try_share,
                       .accept = accept,
                       .iterations_max = 40,
                       .halvings_max = 12,
                       .decrease = 0.25,
                       .negligible = 0.1,
                       .solved = 0.1,
                       .last = 0.1,
                       .tolerated = 1.0};
    damped_outcome outcome = damped_newton_solve(&d);
    if (outcome == DAMPED_FOUND)
        return DAEDAL_OK;
    if (outcome == DAMPED_ABORTED)
        return s->status;
    fail(s->task->why, DAEDAL_ERR_NEWTON,
         "no solution of the boundary value problem was found: Newton's iteration of multiple "
         "shooting does not converge with %d segments",
         (int)s->n_segments);
    hint(s->task->why, "there may be none near the guess: give a better one");
    return DAEDAL_ERR_NEWTON;
}

/* ---- segments that are short enough ---- */

static void free_mesh(shooting *s)
{
    if (s->has_matrix)
        emitted_free(&s->matrix);
    s->has_matrix = false;
    block_free(&s->mesh_mem);
}

static bool make_mesh(shooting *s, int32_t segments)
{
    const boundary_conditions *of = s->task->conditions;
    s->n_segments = mesh_even(of, segments, s->t);
    s->size = s->n_segments * s->nx;
    if (!block_create(&s->mesh_mem, s->allocator, lay_out_mesh, s))
        return false;
    for (int32_t i = 0; i < s->n_segments; i++)
        s->task->guess(s->t[i], s->y + (size_t)i * (size_t)s->n, s->work, s->task->user);
    int32_t node = 0;
    for (int32_t q = 0; q < of->n_points; q++) {
        while (node < s->n_segments && s->t[node] < of->points[q])
            node++;
        s->point_node[q] = node;
    }
    return true;
}

/* Where starts grow by much inside a segment, or its run fails, segments are halved. */
static daedal_status solve(shooting *s)
{
    const double much = 1e5;
    daedal_status status = DAEDAL_OK;
    for (int32_t m = s->task->segments; m <= s->task->segments_most; m *= 2) {
        free_mesh(s);
        if (!make_mesh(s, m))
            return fail(s->task->why, DAEDAL_ERR_MEMORY, "out of memory for shooting");
        settle_starts(s);
        diagnosis_clear(s->task->why);
        s->growth = 0.0;
        status = iterate(s);
        bool may_help = failure_is(status, NUMERIC_FAILURE) || (status >= 0 && s->growth > much);
        if (!may_help)
            break;
    }
    return status;
}

/* ---- the solution ---- */

/* The steps of all segments: counted, and kept in `path` if that is not NULL. */
static daedal_status walk(shooting *s, const piecewise *path, int32_t *count)
{
    daedal_solver *solver = s->plain;
    *count = 0;
    for (int32_t i = 0; i < s->n_segments; i++) {
        daedal_solver_set_stop_time(solver, NAN);
        TRY(daedal_solver_start(solver, s->t[i], s->y + (size_t)i * (size_t)s->n, NULL));
        daedal_solver_set_stop_time(solver, s->t[i + 1]);
        while (daedal_solver_state(solver)->t < s->t[i + 1]) {
            double from = daedal_solver_state(solver)->t;
            TRY(daedal_solver_step(solver, s->t[i + 1]));
            if (path) {
                path->t[*count] = from;
                path->t[*count + 1] = daedal_solver_state(solver)->t;
            }
            for (int32_t k = 0; path && k < PIECEWISE_NODES; k++) {
                double *y = piecewise_values(path, *count, k);
                TRY(daedal_solver_interpolate(solver, piecewise_node(path, *count, k), y,
                                              y + s->n));
            }
            (*count)++;
        }
    }
    return DAEDAL_OK;
}

static void solve_with(void *self, double *b)
{
    emitted_solve(self, b);
}

static daedal_status show(shooting *s, bvp_result **result)
{
    int32_t count;
    double condition = shot_condition(
        solve_with, &s->matrix, &(shot_room){s->size, s->task->conditions->n, s->r, s->trial});
    daedal_status status = walk(s, NULL, &count);
    bvp_result *out = status == DAEDAL_OK ? result_create(s->n, count, s->allocator) : NULL;
    if (status == DAEDAL_OK && !out)
        return fail(s->task->why, DAEDAL_ERR_MEMORY, "out of memory for the solution");
    if (status == DAEDAL_OK)
        status = walk(s, &out->path, &count);
    if (status != DAEDAL_OK) {
        *s->task->why = *daedal_solver_diagnosis(s->plain);
        if (out)
            daedal_bvp_solution_free(&out->shown);
        return status;
    }
    for (int32_t i = 0; i <= count; i++) {
        bool is_end = i == count;
        const double *y =
            piecewise_values(&out->path, is_end ? i - 1 : i, is_end ? PIECEWISE_NODES - 1 : 0);
        memcpy(out->mesh_y + (size_t)i * (size_t)s->n, y, (size_t)s->n * sizeof(double));
    }
    out->shown.error = out->shown.equation_condition = NAN;
    out->shown.condition = condition;
    out->shown.method = "shooting";
    out->shown.intervals = s->n_segments;
    out->shown.iterations = s->iterations;
    out->shown.residuals =
        daedal_solver_stats(s->plain)->residuals + daedal_solver_stats(s->derived)->residuals;
    *result = out;
    return DAEDAL_OK;
}

static daedal_status prepare(shooting *s)
{
    const shooting_task *task = s->task;
    for (int32_t v = 0; v < s->n; v++)
        s->nx += task->is_differential[v];
    s->t = memory_take_array(s->allocator,
                             (size_t)(2 * task->segments_most + 2) +
                                 2 * (size_t)task->conditions->n_points,
                             sizeof(double));
    if (!s->t || !block_create(&s->mem, s->allocator, lay_out, s) ||
        !svd_create(&s->moves, s->nx, s->allocator))
        return fail(task->why, DAEDAL_ERR_MEMORY, "out of memory for shooting");
    int32_t count = 0;
    for (int32_t v = 0; v < s->n; v++)
        if (task->is_differential[v])
            s->x_of[count++] = v;
    for (int32_t k = 0; k < s->nx; k++)
        s->one[k] = 1.0;
    return make_solvers(s);
}

daedal_status shooting_solve(const shooting_task *task, bvp_result **result)
{
    shooting s = {.task = task, .allocator = task->options->allocator, .n = task->sys->n};
    daedal_status status = prepare(&s);
    if (status == DAEDAL_OK)
        status = solve(&s);
    if (status == DAEDAL_OK)
        status = show(&s, result);
    free_mesh(&s);
    svd_free(&s.moves);
    daedal_solver_free(s.plain);
    daedal_solver_free(s.derived);
    memory_give(s.allocator, s.t,
                ((size_t)(2 * task->segments_most + 2) + 2 * (size_t)task->conditions->n_points) *
                    sizeof(double));
    block_free(&s.mem);
    return status;
}
