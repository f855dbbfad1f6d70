/* api/rectangular_system.c - any number of equations for any number of unknowns as a daedal_system.
 *
 * Which equations determine the unknowns is a question of ranks over the differential operators,
 * which at a generic point are those of lambda dF/dy' + dF/dy for a generic number lambda.  Rows
 * are taken in the order of preference: with derivatives, linear, others.  Columns are taken
 * likewise: unknowns whose derivatives occur, others; those that remain are undetermined.  They
 * are held at their start values, or, where z are the unknowns whose derivatives do not occur and x
 * the others, |z| is as small as the equations allow with x as it is: with the null space of
 * [dF/dz, dF/dx'] as columns (z_N, x'_N) that is z_N' z = 0.                       */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "linalg/independent_rows.h"
#include "linalg/least_squares.h"

enum { LARGEST = 500 };                           /* equations and unknowns: matrices are dense */
static const double LAMBDA = 0.75487766624669276; /* no number that equations contain           */
static const double NOISE = 1e-6;                 /* of differences, relative to the row        */
static const double TOLERATED = 1e3; /* relative tolerances that errors of y may add up to      */
static const double MOST = 0.1;      /* however large they are                                  */

/* dF/dy and dF/dy', m x n by rows. */
typedef struct slopes {
    double *dy, *dyp;
} slopes;

struct daedal_rectangular_system {
    daedal_rectangular given;
    daedal_allocator allocator;
    daedal_system system;
    daedal_rectangular_choice choice;
    int32_t m, n;
    int32_t *kept, *dropped, *undetermined; /* equations, equations, unknowns              */
    bool *has_slope;                        /* by unknown: its derivative occurs           */
    int32_t *rank_of;                       /* by equation: 0 with derivatives, 1 linear, 2 */
    slopes here, beside;                    /* at the last point, at another one           */
    double *r, *r_other;                    /* m                                           */
    double *y, *yp;                         /* n: a point                                  */
    double *held;                           /* by undetermined unknown: its value          */
    int32_t *column; /* n: the columns of [dF/dz, dF/dx'] that are pivots, as unknowns     */
    double *matrix;  /* kept x kept by columns                                             */
    double *normal;  /* kept x undetermined by columns: z_N in the pivots, but for the sign */
    least_squares ls;
    bool is_constant; /* z_N is the same everywhere */
    const char **equation_name;
    block mem;
};
typedef daedal_rectangular_system rectangular;

static void lay_out(void *object, layout *l)
{
    rectangular *s = object;
    size_t m = (size_t)s->m, n = (size_t)s->n;
    s->kept = layout_take(l, m, sizeof(int32_t));
    s->dropped = layout_take(l, m, sizeof(int32_t));
    s->undetermined = layout_take(l, n, sizeof(int32_t));
    s->has_slope = layout_take(l, n, sizeof(bool));
    s->rank_of = layout_take(l, m, sizeof(int32_t));
    double **matrices[] = {&s->here.dy, &s->here.dyp, &s->beside.dy, &s->beside.dyp};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        *matrices[k] = layout_take(l, m * n, sizeof(double));
    s->r = layout_take(l, m, sizeof(double));
    s->r_other = layout_take(l, m, sizeof(double));
    s->y = layout_take(l, n, sizeof(double));
    s->yp = layout_take(l, n, sizeof(double));
    s->held = layout_take(l, n, sizeof(double));
    s->column = layout_take(l, n, sizeof(int32_t));
    s->matrix = layout_take(l, n * n, sizeof(double));
    s->normal = layout_take(l, n * n, sizeof(double));
    s->equation_name = layout_take(l, n, sizeof(char *));
}

/* ---- derivatives ---- */

static int evaluate(const rectangular *s, double t, const double *y, const double *yp, double *r)
{
    int answer = s->given.residual(t, y, yp, r, s->given.user);
    for (int32_t i = 0; i < s->m && answer == DAEDAL_CALL_OK; i++)
        if (!isfinite(r[i]))
            return DAEDAL_CALL_RETRY;
    return answer;
}

/* Column j of the matrix by a central difference in x[j], one of the values at the point. */
static int differentiate(rectangular *s, double t, double *x, int32_t j, double *matrix)
{
    double here = x[j], step = cbrt(DBL_EPSILON) * fmax(fabs(here), 1e-2);
    x[j] = here + step;
    int answer = evaluate(s, t, s->y, s->yp, s->r);
    x[j] = here - step;
    if (answer == DAEDAL_CALL_OK)
        answer = evaluate(s, t, s->y, s->yp, s->r_other);
    x[j] = here;
    for (int32_t i = 0; i < s->m && answer == DAEDAL_CALL_OK; i++)
        matrix[i * s->n + j] = (s->r[i] - s->r_other[i]) / (2.0 * step);
    return answer;
}

/* Both matrices at s->y, s->yp. */
static int linearize(rectangular *s, double t, const slopes *to)
{
    int answer = DAEDAL_CALL_OK;
    for (int32_t j = 0; j < s->n && answer == DAEDAL_CALL_OK; j++) {
        answer = differentiate(s, t, s->y, j, to->dy);
        if (answer == DAEDAL_CALL_OK)
            answer = differentiate(s, t, s->yp, j, to->dyp);
    }
    return answer;
}

static double size_of_row(const rectangular *s, const slopes *of, int32_t i)
{
    double most = 0.0;
    for (int32_t j = 0; j < s->n; j++)
        most = fmax(most, fmax(fabs(of->dy[i * s->n + j]), fabs(of->dyp[i * s->n + j])));
    return most;
}

/* What differences leave where there is nothing. */
static void clean(const rectangular *s, const slopes *of)
{
    for (int32_t i = 0; i < s->m; i++) {
        double least = NOISE * size_of_row(s, of, i);
        for (int32_t j = i * s->n; j < (i + 1) * s->n; j++) {
            of->dy[j] = fabs(of->dy[j]) > least ? of->dy[j] : 0.0;
            of->dyp[j] = fabs(of->dyp[j]) > least ? of->dyp[j] : 0.0;
        }
    }
}

/* Beside the start, which is often a special point; at it where F has no value there. */
static int linearize_near(rectangular *s, const daedal_rectangular_start *at, uint64_t seed,
                          const slopes *to)
{
    static const double away[] = {0.1, 1e-3, 0.0};
    int answer = DAEDAL_CALL_RETRY;
    for (size_t k = 0; k < sizeof away / sizeof *away && answer == DAEDAL_CALL_RETRY; k++) {
        uint64_t random = seed;
        for (int32_t j = 0; j < s->n; j++) {
            double yp = at->yp ? at->yp[j] : 0.0;
            s->y[j] = at->y[j] + away[k] * random_share(&random) * fmax(fabs(at->y[j]), 1.0);
            s->yp[j] = yp + away[k] * random_share(&random) * fmax(fabs(yp), 1.0);
        }
        answer = linearize(s, at->t + 0.1 * away[k] * random_uniform(&random, 0.5, 1.0), to);
    }
    clean(s, to);
    return answer;
}

/* ---- the choice ---- */

static bool is_linear(const rectangular *s, int32_t i)
{
    double least = 10.0 * NOISE * size_of_row(s, &s->here, i);
    for (int32_t j = i * s->n; j < (i + 1) * s->n; j++)
        if (fabs(s->here.dy[j] - s->beside.dy[j]) > least ||
            fabs(s->here.dyp[j] - s->beside.dyp[j]) > least)
            return false;
    return true;
}

static void note_ranks(rectangular *s)
{
    s->is_constant = true;
    for (int32_t i = 0; i < s->m; i++) {
        bool linear = is_linear(s, i), has_derivative = false;
        for (int32_t j = 0; j < s->n; j++)
            if (s->here.dyp[i * s->n + j] != 0.0)
                has_derivative = s->has_slope[j] = true;
        s->rank_of[i] = has_derivative ? 0 : linear ? 1 : 2;
        s->is_constant = s->is_constant && linear;
    }
}

static double combined(const rectangular *s, int32_t i, int32_t j)
{
    return LAMBDA * s->here.dyp[i * s->n + j] + s->here.dy[i * s->n + j];
}

static bool choose_equations(rectangular *s)
{
    independent_rows rows;
    int32_t n_kept = 0, n_dropped = 0;
    bool *is_kept = memory_take_array(&s->allocator, (size_t)s->m, sizeof *is_kept);
    bool fine = is_kept && independent_rows_create(&rows, s->n, &s->allocator);
    if (fine)
        rows.nothing = NOISE;
    for (int32_t rank = 0; rank < 3 && fine; rank++)
        for (int32_t i = 0; i < s->m; i++) {
            for (int32_t j = 0; j < s->n; j++)
                rows.x[j] = combined(s, i, j);
            if (s->rank_of[i] == rank)
                is_kept[i] = independent_rows_take(&rows);
        }
    for (int32_t i = 0; i < s->m && fine; i++)
        if (is_kept[i])
            s->kept[n_kept++] = i;
        else
            s->dropped[n_dropped++] = i;
    s->choice.kept = (daedal_ints){s->kept, n_kept};
    s->choice.dropped = (daedal_ints){s->dropped, n_dropped};
    if (is_kept)
        independent_rows_free(&rows);
    memory_give(&s->allocator, is_kept, (size_t)s->m * sizeof *is_kept);
    return fine;
}

/* Column j as a row: of lambda dF/dy' + dF/dy, or of [dF/dz, dF/dx']. */
static void offer_column(const rectangular *s, independent_rows *rows, int32_t j, bool by_slopes)
{
    for (int32_t k = 0; k < s->choice.kept.n; k++) {
        int32_t i = s->kept[k];
        rows->x[k] = !by_slopes        ? combined(s, i, j)
                     : s->has_slope[j] ? s->here.dyp[i * s->n + j]
                                       : s->here.dy[i * s->n + j];
    }
}

/* Columns that are independent, those of unknowns with derivatives first; the others are
 * undetermined, and *with_slopes of these have derivatives. */
static bool choose_unknowns(rectangular *s, bool by_slopes, int32_t *with_slopes)
{
    independent_rows rows;
    int32_t n = 0, n_pivots = 0;
    *with_slopes = 0;
    bool fine = independent_rows_create(&rows, s->choice.kept.n, &s->allocator);
    rows.nothing = NOISE;
    for (int pass = 0; pass < 2 && fine; pass++)
        for (int32_t j = 0; j < s->n; j++) {
            if (s->has_slope[j] != (pass == 0))
                continue;
            offer_column(s, &rows, j, by_slopes);
            if (independent_rows_take(&rows)) {
                s->column[n_pivots++] = j;
            } else {
                *with_slopes += s->has_slope[j];
                s->undetermined[n++] = j;
            }
        }
    s->choice.undetermined = (daedal_ints){s->undetermined, n};
    independent_rows_free(&rows);
    return fine;
}

/* ---- the least norm ---- */

/* The pivot columns, and what undetermined columns are made of them: z_N. */
static void find_normal(rectangular *s)
{
    int32_t k = s->choice.kept.n, u = s->choice.undetermined.n;
    for (int32_t c = 0; c < k + u; c++) {
        int32_t j = c < k ? s->column[c] : s->undetermined[c - k];
        double *to = c < k ? s->matrix + (size_t)(c * k) : s->normal + (size_t)((c - k) * k);
        const double *from = s->has_slope[j] ? s->here.dyp : s->here.dy;
        for (int32_t i = 0; i < k; i++)
            to[i] = from[s->kept[i] * s->n + j];
    }
    least_squares_solve_many(&s->ls, s->matrix, s->normal, u);
}

/* z_N' z, for each undetermined unknown. */
static int least_norm_rows(rectangular *s, double t, const double *y, const double *yp, double *r)
{
    int32_t k = s->choice.kept.n, u = s->choice.undetermined.n;
    if (!s->is_constant) {
        memcpy(s->y, y, (size_t)s->n * sizeof(double));
        memcpy(s->yp, yp, (size_t)s->n * sizeof(double));
        int answer = linearize(s, t, &s->here);
        if (answer != DAEDAL_CALL_OK)
            return answer;
        find_normal(s);
    }
    for (int32_t f = 0; f < u; f++) {
        r[f] = y[s->undetermined[f]];
        for (int32_t c = 0; c < k; c++)
            if (!s->has_slope[s->column[c]])
                r[f] -= s->normal[f * k + c] * y[s->column[c]];
    }
    return DAEDAL_CALL_OK;
}

/* ---- the square system ---- */

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    rectangular *s = user;
    int32_t k = s->choice.kept.n, u = s->choice.undetermined.n;
    int answer = s->given.residual(t, y, yp, s->r, s->given.user);
    for (int32_t i = 0; i < k; i++)
        r[i] = s->r[s->kept[i]];
    if (answer != DAEDAL_CALL_OK || u == 0)
        return answer;
    if (s->given.undetermined == DAEDAL_UNDETERMINED_LEAST_NORM)
        return least_norm_rows(s, t, y, yp, r + k);
    for (int32_t f = 0; f < u; f++)
        r[k + f] = y[s->undetermined[f]] - s->held[f];
    return DAEDAL_CALL_OK;
}

static void describe(rectangular *s, const daedal_rectangular_start *at)
{
    int32_t k = s->choice.kept.n;
    for (int32_t f = 0; f < s->choice.undetermined.n; f++)
        s->held[f] = at->y[s->undetermined[f]];
    for (int32_t i = 0; i < s->n && s->given.equation_names; i++)
        s->equation_name[i] = i < k ? s->given.equation_names[s->kept[i]]
                                    : "the condition for an undetermined unknown";
    s->system = (daedal_system){.n = s->n,
                                .residual = residual,
                                .variable_names = s->given.variable_names,
                                .equation_names = s->given.equation_names ? s->equation_name : NULL,
                                .user = s};
}

/* ---- making one ---- */

static daedal_status check(const daedal_rectangular *d, const daedal_rectangular_start *at,
                           daedal_diagnosis *why)
{
    if (!d || !at || !d->residual || !at->y)
        return fail(why, DAEDAL_ERR_ARGUMENT, "%s is NULL",
                    !d            ? "rectangular"
                    : !at         ? "start"
                    : d->residual ? "start.y"
                                  : "rectangular.residual");
    if (d->n_equations < 1 || d->n_unknowns < 1 || d->n_equations > LARGEST ||
        d->n_unknowns > LARGEST)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "rectangular: %d equations for %d unknowns; there must be some, and at most %d",
                    (int)d->n_equations, (int)d->n_unknowns, (int)LARGEST);
    if (d->undetermined < DAEDAL_UNDETERMINED_REFUSE ||
        d->undetermined > DAEDAL_UNDETERMINED_LEAST_NORM)
        return fail(why, DAEDAL_ERR_ARGUMENT, "rectangular.undetermined is %d",
                    (int)d->undetermined);
    for (int32_t j = 0; j < d->n_unknowns; j++)
        if (!isfinite(at->y[j]) || (at->yp && !isfinite(at->yp[j])))
            return fail(why, DAEDAL_ERR_ARGUMENT, "the start of unknown %d is not finite", (int)j);
    return DAEDAL_OK;
}

static void list_unknowns(const rectangular *s, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int32_t f = 0; f < s->choice.undetermined.n && used < size; f++) {
        int32_t j = s->undetermined[f];
        const char *name = s->given.variable_names ? s->given.variable_names[j] : NULL;
        char number[16];
        snprintf(number, sizeof number, "y[%d]", (int)j);
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", f ? ", " : "", name ? name : number);
    }
}

static daedal_status refuse(rectangular *s, daedal_diagnosis *why)
{
    char names[200];
    list_unknowns(s, names, sizeof names);
    fail(
        why, DAEDAL_ERR_STRUCTURE,
        "%d equation%s independent of each other and leave%s %d of %d unknowns undetermined, as %s",
        (int)s->choice.kept.n, s->choice.kept.n == 1 ? " is" : "s are",
        s->choice.kept.n == 1 ? "s" : "", (int)s->choice.undetermined.n, (int)s->n, names);
    hint(why, "give equations for these, hold them, or take those of least norm "
              "(rectangular.undetermined)");
    set_cause(why, DAEDAL_CAUSE_UNDETERMINED_VARIABLE);
    blame(why, NAN, -1, s->undetermined[0]);
    return DAEDAL_ERR_STRUCTURE;
}

static daedal_status prepare_least_norm(rectangular *s, daedal_diagnosis *why)
{
    int32_t k = s->choice.kept.n, u = s->choice.undetermined.n, with_slopes;
    if (!choose_unknowns(s, true, &with_slopes) ||
        !least_squares_create_many(&s->ls, k, k, u, &s->allocator))
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory");
    if (with_slopes > 0 || s->choice.undetermined.n != u) {
        fail(why, DAEDAL_ERR_STRUCTURE,
             "there is no least norm at one instant: an undetermined unknown occurs with its "
             "derivative, or hidden constraints determine others");
        hint(why, "hold it: rectangular.undetermined = DAEDAL_UNDETERMINED_HOLD");
        set_cause(why, DAEDAL_CAUSE_UNDETERMINED_VARIABLE);
        return DAEDAL_ERR_STRUCTURE;
    }
    if (s->is_constant)
        find_normal(s);
    return DAEDAL_OK;
}

static daedal_status build(rectangular *s, const daedal_rectangular_start *at,
                           daedal_diagnosis *why)
{
    int32_t with_slopes;
    if (!block_create(&s->mem, &s->allocator, lay_out, s))
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory");
    int answer = linearize_near(s, at, RANDOM_SEED + 1, &s->beside);
    if (answer == DAEDAL_CALL_OK)
        answer = linearize_near(s, at, RANDOM_SEED, &s->here);
    if (answer != DAEDAL_CALL_OK)
        return fail(why, DAEDAL_ERR_CALLBACK, "the equations have no value at the start");
    note_ranks(s);
    if (!choose_equations(s) || !choose_unknowns(s, false, &with_slopes))
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory");
    if (s->choice.undetermined.n > 0 && s->given.undetermined == DAEDAL_UNDETERMINED_REFUSE)
        return refuse(s, why);
    if (s->choice.undetermined.n > 0 && s->given.undetermined == DAEDAL_UNDETERMINED_LEAST_NORM)
        TRY(prepare_least_norm(s, why));
    describe(s, at);
    return DAEDAL_OK;
}

daedal_status daedal_rectangular_create(daedal_rectangular_system **system,
                                        const daedal_rectangular *description,
                                        const daedal_rectangular_start *start,
                                        const daedal_allocator *allocator, daedal_diagnosis *why)
{
    daedal_diagnosis ignored;
    why = why ? why : &ignored;
    diagnosis_clear(why);
    if (!system)
        return fail(why, DAEDAL_ERR_ARGUMENT, "system is NULL");
    *system = NULL;
    TRY(check(description, start, why));
    const daedal_allocator *a = allocator ? allocator : &memory_default;
    rectangular *s = memory_take(a, sizeof *s);
    if (!s)
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory");
    *s = (rectangular){.given = *description,
                       .allocator = *a,
                       .m = description->n_equations,
                       .n = description->n_unknowns};
    daedal_status status = build(s, start, why);
    if (status < 0)
        daedal_rectangular_free(s);
    else
        *system = s;
    return status;
}

const daedal_system *daedal_rectangular_describe(const daedal_rectangular_system *system)
{
    return system ? &system->system : NULL;
}

const daedal_rectangular_choice *daedal_rectangular_chosen(const daedal_rectangular_system *system)
{
    return system ? &system->choice : NULL;
}

void daedal_rectangular_free(daedal_rectangular_system *s)
{
    if (!s)
        return;
    daedal_allocator a = s->allocator;
    least_squares_free(&s->ls);
    block_free(&s->mem);
    memory_give(&a, s, sizeof *s);
}

/* ---- what was dropped ---- */

/* What a relative change of `part` in all of y and y' makes of equation i. */
static double tolerance_of(const rectangular *s, int32_t i, double part)
{
    double sum = 0.0;
    for (int32_t j = 0; j < s->n; j++)
        sum +=
            fabs(s->here.dy[i * s->n + j] * s->y[j]) + fabs(s->here.dyp[i * s->n + j] * s->yp[j]);
    return part * sum;
}

daedal_status daedal_rectangular_check(daedal_rectangular_system *s, const daedal_solver *solver,
                                       double rtol, daedal_diagnosis *why)
{
    daedal_diagnosis ignored;
    why = why ? why : &ignored;
    diagnosis_clear(why);
    if (!s || !solver)
        return fail(why, DAEDAL_ERR_ARGUMENT, "%s is NULL", s ? "solver" : "system");
    const daedal_state *at = daedal_solver_state(solver);
    memcpy(s->y, at->y, (size_t)s->n * sizeof(double));
    memcpy(s->yp, at->yp, (size_t)s->n * sizeof(double));
    if (s->choice.dropped.n == 0)
        return DAEDAL_OK;
    int answer = linearize(s, at->t, &s->here);
    if (answer == DAEDAL_CALL_OK)
        answer = evaluate(s, at->t, at->y, at->yp, s->r);
    if (answer != DAEDAL_CALL_OK)
        return fail(why, DAEDAL_ERR_CALLBACK, "the equations have no value at t = %.10g", at->t);
    double part = fmin(TOLERATED * rtol, MOST);
    for (int32_t k = 0; k < s->choice.dropped.n; k++) {
        int32_t i = s->dropped[k];
        if (fabs(s->r[i]) <= tolerance_of(s, i, part) + DBL_MIN)
            continue;
        const char *name = s->given.equation_names ? s->given.equation_names[i] : NULL;
        char number[24];
        snprintf(number, sizeof number, "equation %d", (int)i);
        fail(why, DAEDAL_ERR_INCONSISTENT,
             "%s does not hold at t = %.10g: its residual is %.3g.  It was dropped as redundant",
             name ? name : number, at->t, s->r[i]);
        hint(why, "the equations contradict each other, or the start does not satisfy all of them");
        set_cause(why, DAEDAL_CAUSE_CONTRADICTION);
        blame(why, at->t, i, -1);
        return DAEDAL_ERR_INCONSISTENT;
    }
    return DAEDAL_OK;
}
