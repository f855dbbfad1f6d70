/* consistent/higher_index_start.c - see higher_index_start.h.
 *
 * Gauss-Newton on the difference array.  Its unknowns are y and the derivatives of y that occur;
 * with [By Bd] the columns of the two,
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
 * order higher than (5.3.8).  Where nothing is held, states that contradict the constraints are
 * first moved by impulse.h.                                                      */
#include "consistent/higher_index_start.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "consistent/difference_array.h"
#include "consistent/impulse.h"
#include "linalg/damped_newton.h"
#include "linalg/least_squares.h"
#include "linalg/prioritised_least_squares.h"
#include "linalg/qr.h"
#include "linalg/scaling.h"
#include "linalg/vector.h"
#include "newton/bounds.h"

enum { ITERATIONS_MAX = 40, SEARCHES = 3, LATE_SEARCHES = 3, ANCHORED = 6, HALVINGS_MAX = 12 };
static const double SMALL_ENOUGH = 1e-7; /* corrections, in weights                          */
static const double COARSEST = 1.0;      /* where an iteration that has come to rest may end */
static const double SUFFICIENT = 1e-4;   /* decrease asked of the line search                */
static const double SETTLING = 2.0;      /* growth allowed if the residual falls as it should */
static const double LEAST_SHARE = 0.01;  /* of a step that is worth going on with            */
static const double NOISES = 10.0;       /* or in what noise makes                           */
static const double RANK_TOLERANCE = 1e-6;
static const double LEAST_OF_MEDIAN = 0.03, LEAST_OF_LARGEST = 1e-6; /* bounds of weights below */
static const double FREE_UNIT = 1e-3;   /* of the largest weight: least unit of free values    */
static const double SLOPE_SHARE = 1e-2; /* of corrections of y' in the size of a correction    */
static const double GUESS_UNIT = 1e-3;  /* of a weight: rows are measured by their free values */
static const double LOOSER = 30.0;      /* velocities move so much more readily than positions */

typedef struct search {
    const start_problem *p;
    const start_offsets *o;
    difference_array array;
    int32_t n, rows, n_y, n_d; /* columns of y and of derivatives that may move        */
    int32_t n_guesses;         /* of those of y, the first                             */
    int32_t *y_col, *d_col;    /* their numbers                                        */
    double *unknown, *given;   /* cols: as they are, and as they were given             */
    double *trial, *step;      /* cols                                                  */
    double *dy, *other;        /* cols: work; a correction for comparison               */
    double *scale;             /* cols: size of a unit of each unknown                  */
    double *row_scale;
    double *r, *r_trial, *r_kept, *jacobian; /* unscaled                                  */
    double *b_y, *b_d, *factors, *right, *work_y, *work_d;
    qr q;
    least_squares for_d;
    bool early;           /* one of the first iterations                                       */
    bool searches;        /* widths are found anew in this iteration                            */
    int32_t late;         /* times that this was done after the first iterations               */
    bool anchored;        /* steps aim at the nearest point to what was given ...              */
    bool aims_at_given;   /* ... and so does the correction being made                         */
    double size;          /* of the last correction, in weights                               */
    double *excuse;       /* cols: corrections that noise alone would cause                    */
    bool is_small;        /* the correction measured last is no larger                         */
    daedal_status status; /* of a trial that ended the iteration                              */
    block mem;
} search;

static void lay_out(void *object, layout *l)
{
    search *s = object;
    size_t rows = (size_t)s->rows, cols = (size_t)s->array.cols, both = rows + cols;
    s->y_col = layout_take(l, cols, sizeof(int32_t));
    s->d_col = layout_take(l, cols, sizeof(int32_t));
    double **by_col[] = {&s->unknown, &s->trial, &s->step,  &s->scale,
                         &s->given,   &s->dy,    &s->other, &s->excuse};
    for (size_t k = 0; k < sizeof by_col / sizeof *by_col; k++)
        *by_col[k] = layout_take(l, cols, sizeof(double));
    double **by_row[] = {&s->row_scale, &s->r, &s->r_trial, &s->r_kept};
    for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++)
        *by_row[k] = layout_take(l, rows, sizeof(double));
    double **matrices[] = {&s->jacobian, &s->b_y, &s->b_d, &s->factors, &s->work_y, &s->work_d};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        *matrices[k] = layout_take(l, rows * (cols + 1), sizeof(double));
    s->right = layout_take(l, both, sizeof(double));
}

/* ---- unknowns ---- */

/* Which unknowns may move, and by what units. */
static void list_unknowns(search *s)
{
    const start_problem *p = s->p;
    double heaviest = 0.0;
    int32_t d_max = 0;
    for (int32_t j = 0; j < s->n; j++) {
        d_max = s->array.d[j] > d_max ? s->array.d[j] : d_max;
        s->trial[j] = 1.0 / p->inverse_weight[j];
        heaviest = fmax(heaviest, s->trial[j]);
    }
    double middle = vector_median(s->trial, s->n);
    for (int32_t j = 0; j < s->n; j++) {
        int32_t first = s->array.col[j];
        /* a value near zero has no size of its own, and must not be held for that */
        double weight = fmax(1.0 / p->inverse_weight[j],
                             fmax(LEAST_OF_MEDIAN * middle, LEAST_OF_LARGEST * heaviest));
        double unit = fmax(weight, FREE_UNIT * heaviest);
        s->unknown[first] = p->y[j];
        bool guess = p->y_mask[j] == DAEDAL_GUESS;
        s->scale[first] = guess ? GUESS_UNIT * weight * pow(LOOSER, d_max - s->array.d[j]) : unit;
        for (int32_t m = 1; m <= s->array.d[j]; m++) {
            unit /= p->time_scale;
            s->unknown[first + m] = m == 1 ? p->yp[j] : 0.0;
            s->scale[first + m] = unit;
            if (m > 1 || p->yp_mask[j] != DAEDAL_FIXED)
                s->d_col[s->n_d++] = first + m;
        }
    }
}

/* The columns of y that may move, guesses first. */
static void list_values(search *s)
{
    for (int32_t j = 0; j < s->n; j++)
        if (s->p->y_mask[j] == DAEDAL_GUESS)
            s->y_col[s->n_y++] = s->array.col[j];
    s->n_guesses = s->n_y;
    for (int32_t j = 0; j < s->n; j++)
        if (s->p->y_mask[j] == DAEDAL_FREE)
            s->y_col[s->n_y++] = s->array.col[j];
}

static void set_trial(search *s, double share)
{
    for (int32_t k = 0; k < s->array.cols; k++)
        s->trial[k] = s->unknown[k] + share * s->step[k];
    for (int32_t j = 0; j < s->n; j++) {
        double *y = &s->trial[s->array.col[j]];
        *y = bounds_inside(s->p->matrix->ev->sys, j, *y);
    }
}

/* ---- corrections ---- */

/* Columns listed, scaled; rows not yet. */
static void gather(const search *s, const int32_t *col, int32_t count, double *b)
{
    size_t rows = (size_t)s->rows;
    for (int32_t c = 0; c < count; c++)
        for (size_t i = 0; i < rows; i++)
            b[(size_t)c * rows + i] = s->jacobian[(size_t)col[c] * rows + i] * s->scale[col[c]];
}

static void scale_rows(search *s)
{
    memset(s->row_scale, 0, (size_t)s->rows * sizeof(double));
    scaling_largest_of_rows(s->b_y, s->rows, s->n_y, s->row_scale);
    scaling_largest_of_rows(s->b_d, s->rows, s->n_d, s->row_scale);
    for (int32_t i = 0; i < s->rows; i++)
        s->row_scale[i] = scaling_factor(s->row_scale[i]);
    scaling_multiply_rows(s->b_y, s->rows, s->n_y, s->row_scale);
    scaling_multiply_rows(s->b_d, s->rows, s->n_d, s->row_scale);
}

static int renew_jacobian(search *s)
{
    int answer = difference_array_jacobian(&s->array, s->unknown, s->jacobian);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    gather(s, s->y_col, s->n_y, s->b_y);
    gather(s, s->d_col, s->n_d, s->b_d);
    scale_rows(s);
    return answer;
}

/* The rank of Bd: known, if the structure is and no derivative is held. */
static int32_t rank_of_derivatives(const search *s, int32_t seen)
{
    int32_t all = 0;
    for (int32_t j = 0; j < s->n; j++)
        all += s->array.d[j];
    bool known = s->o->freedom >= 0 && s->n_d == all;
    return known ? s->rows - (s->n - s->o->freedom) : seen;
}

/* How far a listed unknown is from its given value, in units. */
static double departure(const search *s, int32_t col)
{
    return s->aims_at_given ? (s->unknown[col] - s->given[col]) / s->scale[col] : 0.0;
}

/* out = -r + B x with x the departures of the listed unknowns: then B z = out gives the departure z
 * after the correction, and the shortest z is the nearest to what was given.     */
static void set_right(const search *s, const double *b, const int32_t *col, int32_t count,
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

/* dy in units: U2' By dy = -U2' r, y + dy nearest to what was given, guesses first.  DAEDAL_OK or
 * DAEDAL_ERR_MEMORY.                                                             */
static daedal_status correct_y(search *s, double *dy)
{
    size_t rows = (size_t)s->rows;
    memcpy(s->factors, s->b_d, rows * (size_t)s->n_d * sizeof(double));
    int32_t rank = rank_of_derivatives(s, qr_factor(&s->q, s->factors, RANK_TOLERANCE));
    int32_t left = s->rows - rank;
    memcpy(s->work_y, s->b_y, rows * (size_t)s->n_y * sizeof(double));
    double *r = s->work_y + (size_t)s->n_y * rows;
    set_right(s, s->b_y, s->y_col, s->n_y, r);
    qr_turn(&s->q, s->factors, s->work_y, s->n_y + 1);
    for (int32_t c = 0; c <= s->n_y; c++)
        memcpy(s->work_d + (size_t)c * (size_t)left, s->work_y + (size_t)c * rows + rank,
               (size_t)left * sizeof(double));
    prioritised constraints = {left, s->n_guesses, s->n_y - s->n_guesses, s->work_d,
                               RANK_TOLERANCE};
    RETURN_UNLESS_OK(prioritised_solve(&constraints, dy, s->p->allocator));
    for (int32_t c = 0; c < s->n_y; c++)
        dy[c] -= departure(s, s->y_col[c]);
    return DAEDAL_OK;
}

/* dd in units: Bd dd = -(r + By dy), likewise; in s->right. */
static void correct_derivatives(search *s, const double *dy)
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

/* In weights; of derivatives only the first counts, a little. */
static double size_of(const search *s, const double *step)
{
    double size = 0.0, time = s->p->time_scale;
    for (int32_t j = 0; j < s->n; j++) {
        double w = s->p->inverse_weight[j];
        size = fmax(size, fabs(step[s->array.col[j]]) * w);
        if (s->array.d[j] > 0)
            size = fmax(size, SLOPE_SHARE * time * fabs(step[s->array.col[j] + 1]) * w);
    }
    return size;
}

/* The correction for s->r, into step: the shortest one, or towards the point nearest to what was
 * given.  DAEDAL_ERR_START: it is not finite.                                    */
static daedal_status correct(search *s, bool towards_given, double *step)
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

/* Every entry by itself: a multiplier that noise blurs excuses no position. */
static bool values_are_small(const search *s, const double *step)
{
    for (int32_t j = 0; j < s->n; j++) {
        int32_t k = s->array.col[j];
        double enough = SMALL_ENOUGH / s->p->inverse_weight[j];
        if (fabs(step[k]) > fmax(enough, NOISES * s->excuse[k]))
            return false;
    }
    return true;
}

static bool slopes_are_small(const search *s, const double *step)
{
    for (int32_t j = 0; j < s->n; j++) {
        int32_t k = s->array.col[j] + 1;
        double enough = 100.0 * SMALL_ENOUGH / (s->p->inverse_weight[j] * s->p->time_scale);
        if (s->array.d[j] > 0 && fabs(step[k]) > fmax(enough, NOISES * s->excuse[k]))
            return false;
    }
    return true;
}

static bool is_small(const search *s, const double *step)
{
    return values_are_small(s, step) && slopes_are_small(s, step);
}

/* The size of the shortest correction for another residual, with the same Jacobian: the natural
 * level function of start_iteration.c.                                              */
static daedal_status measure(search *s, const double *r, double *size)
{
    memcpy(s->r_kept, s->r, (size_t)s->rows * sizeof(double));
    memcpy(s->r, r, (size_t)s->rows * sizeof(double));
    daedal_status status = correct(s, false, s->other);
    memcpy(s->r, s->r_kept, (size_t)s->rows * sizeof(double));
    *size = status == DAEDAL_OK ? size_of(s, s->other) : INFINITY;
    s->is_small = status == DAEDAL_OK && is_small(s, s->other);
    return status == DAEDAL_ERR_START ? DAEDAL_OK : status;
}

/* Noise with signs that a multiple of an irrational number decides. */
static void mix_signs(search *s, double irrational)
{
    double state = 0.0;
    for (int32_t i = 0; i < s->rows; i++) {
        s->r_trial[i] =
            spread_next(&state, irrational) < 0.5 ? -s->array.noise[i] : s->array.noise[i];
    }
}

/* The correction that the noise of the derivatives alone would cause.  Its signs are mixed, in
 * several ways, so that no sum of rows cancels it.  It is zero where the derivatives make no sense.
 */
static daedal_status set_excuse(search *s)
{
    static const double irrational[] = {GOLDEN_RATIO, 0.41421356237309505, 0.73205080756887729};
    double size;
    memset(s->excuse, 0, (size_t)s->array.cols * sizeof(double));
    if (!difference_array_is_settled(&s->array))
        return DAEDAL_OK;
    for (size_t q = 0; q < sizeof irrational / sizeof *irrational; q++) {
        mix_signs(s, irrational[q]);
        RETURN_UNLESS_OK(measure(s, s->r_trial, &size));
        for (int32_t k = 0; k < s->array.cols && isfinite(size); k++)
            s->excuse[k] = fmax(s->excuse[k], fabs(s->other[k]));
    }
    return DAEDAL_OK;
}

/* ---- the iteration ---- */

static daedal_status ended(const search *s, int answer)
{
    evaluator *ev = s->p->matrix->ev;
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : evaluator_explain(ev, s->p->why);
}

static double norm(const search *s, const double *r)
{
    return sqrt(vector_weighted_square(r, s->row_scale, s->rows));
}

/* Whether the residual is no more than noise. */
static bool is_noise(const search *s)
{
    return difference_array_is_settled(&s->array) &&
           norm(s, s->r) <= NOISES * norm(s, s->array.noise);
}

/* Least squares always finds a correction; whether the equations hold is another question.  A row
 * is measured by what a unit of its unknowns would change.                       */
static bool is_met(const search *s)
{
    return norm(s, s->r) <= 100.0 * norm(s, s->array.noise) + 10.0;
}

/* The size is that of the next correction.  In the first iterations a trial is looked at with new
 * widths too: those of a poor iterate may be far too wide for it.                 */
static damped_reply try_share(void *self, double share, double *size)
{
    search *s = self;
    bool anew = s->early && share == 1.0;
    damped_reply reply = DAMPED_UNDEFINED;
    set_trial(s, share);
    for (int again = 0; again <= anew && reply != DAMPED_ENOUGH; again++) {
        int answer = difference_array_values(&s->array, s->trial, again > 0, s->r_trial);
        if (answer == DAEDAL_CALL_RETRY)
            continue;
        s->status = answer == DAEDAL_CALL_OK ? measure(s, s->r_trial, size) : ended(s, answer);
        if (s->status != DAEDAL_OK)
            return DAMPED_ABORT;
        /* where y is as good as settled, higher derivatives may still be far off */
        bool settles = !is_noise(s) && *size <= SETTLING * s->size &&
                       norm(s, s->r_trial) < (1.0 - 0.5 * share) * norm(s, s->r);
        bool helps = *size < (1.0 - SUFFICIENT * share) * s->size;
        reply = helps || s->is_small || settles ? DAMPED_ENOUGH : DAMPED_UNDEFINED;
    }
    return reply;
}

static void take_trial(void *self, double share)
{
    const search *s = self;
    (void)share;
    memcpy(s->unknown, s->trial, (size_t)s->array.cols * sizeof(double));
    memcpy(s->r, s->r_trial, (size_t)s->rows * sizeof(double));
}

/* Take as much of the step as improves; *share is 0 if nothing does. */
static daedal_status take_step(search *s, double *share)
{
    damped_newton newton = {
        .self = s, .try_share = try_share, .accept = take_trial, .halvings_max = HALVINGS_MAX};
    damped_outcome outcome = damped_newton_step(&newton);
    *share = newton.share;
    return outcome == DAMPED_ABORTED ? s->status : DAEDAL_OK;
}

static daedal_status explain_failure(const search *s)
{
    const evaluator *ev = s->p->matrix->ev;
    const char *const times[] = {"", "the derivative of ", "the second derivative of ",
                                 "a higher derivative of "};
    char name[96];
    int32_t worst = vector_largest_weighted(s->r, s->row_scale, s->rows), i = 0;
    while (s->array.row[i + 1] <= worst)
        i++;
    int32_t level = worst - s->array.row[i];
    fail(s->p->why, DAEDAL_ERR_START,
         "no consistent start near the given one at t = %.10g: the residual of %s%s stays at %.3g",
         s->p->t, times[level < 3 ? level : 3],
         evaluator_equation_name(ev->sys, i, name, sizeof name), s->r[worst]);
    blame(s->p->why, s->p->t, i, -1);
    hint(s->p->why,
         "give a better guess, or free a value that is held: the constraints that follow "
         "by differentiation bind it too");
    return DAEDAL_ERR_START;
}

/* Jacobian and widths, both renewed in the first iterations. */
static int renew(search *s, double contraction)
{
    int answer = DAEDAL_CALL_OK;
    if (s->searches)
        answer = difference_array_values(&s->array, s->unknown, true, s->r);
    if (answer == DAEDAL_CALL_OK && (s->searches || contraction > 0.1))
        answer = renew_jacobian(s);
    return answer;
}

/* Widths that were found far away may be the reason why nothing moves any more, or nothing needs
 * to: they make noise, and noise excuses.                                         */
static bool search_again(search *s)
{
    if (s->searches || s->late == LATE_SEARCHES)
        return false;
    s->late++;
    return s->searches = true;
}

static daedal_status iterate_once(search *s, int iteration, double *contraction, bool *done)
{
    double share, last = s->size;
    s->early = iteration < SEARCHES;
    s->searches = s->searches || s->early;
    int answer = renew(s, *contraction);
    if (answer != DAEDAL_CALL_OK)
        return ended(s, answer);
    if (s->searches)
        RETURN_UNLESS_OK(set_excuse(s));
    s->anchored = s->anchored && iteration < ANCHORED; /* it converges linearly only */
    RETURN_UNLESS_OK(measure(s, s->r, &s->size));
    bool small = s->is_small;
    RETURN_UNLESS_OK(correct(s, s->anchored, s->step));
    RETURN_UNLESS_OK(take_step(s, &share));
    if (share < LEAST_SHARE && s->anchored && !is_noise(s)) {
        s->anchored = false; /* far from what was given the nearest point is not worth it */
        RETURN_UNLESS_OK(correct(s, false, s->step));
        RETURN_UNLESS_OK(take_step(s, &share));
    }
    *contraction = iteration > 0 ? s->size / last : 1.0;
    bool rests = share == 1.0 && small;
    if ((rests || share < LEAST_SHARE) && search_again(s))
        return DAEDAL_OK;
    *done = rests;
    if (*done)
        return DAEDAL_OK;
    s->searches = false;
    *done = share == 0.0 && (is_noise(s) || s->size <= COARSEST);
    return share > 0.0 || *done ? DAEDAL_OK : DAEDAL_ERR_START;
}

static daedal_status iterate(search *s)
{
    double contraction = 1.0;
    bool done = false;
    for (int k = 0; k < ITERATIONS_MAX && !done; k++) {
        daedal_status status = iterate_once(s, k, &contraction, &done);
        if (status == DAEDAL_ERR_START)
            return explain_failure(s);
        RETURN_UNLESS_OK(status);
    }
    return done && is_met(s) ? DAEDAL_OK : explain_failure(s);
}

/* What was given stays where noise alone would have moved it. */
static void hand_over(search *s)
{
    for (int32_t k = 0; k < s->array.cols; k++)
        s->step[k] = s->unknown[k] - s->given[k];
    bool keep_y = values_are_small(s, s->step), keep_yp = slopes_are_small(s, s->step);
    const double *y = keep_y ? s->given : s->unknown, *yp = keep_yp ? s->given : s->unknown;
    for (int32_t j = 0; j < s->n; j++) {
        s->p->y[j] = y[s->array.col[j]];
        if (s->array.d[j] > 0)
            s->p->yp[j] = yp[s->array.col[j] + 1];
    }
}

static bool holds_anything(const start_problem *p)
{
    for (int32_t j = 0; j < p->matrix->ev->n; j++)
        if (p->y_mask[j] == DAEDAL_FIXED || p->yp_mask[j] == DAEDAL_FIXED)
            return true;
    return false;
}

static bool is_inside(const search *s)
{
    for (int32_t j = 0; j < s->n; j++) {
        double y = s->unknown[s->array.col[j]];
        if (bounds_inside(s->p->matrix->ev->sys, j, y) != y)
            return false;
    }
    return true;
}

/* Where nothing is held, the equations themselves say how states give way to constraints; what is
 * left to do is small then, and counts as given.                                 */
static daedal_status begin_on_constraints(search *s)
{
    size_t bytes = (size_t)s->array.cols * sizeof(double);
    memcpy(s->given, s->unknown, bytes);
    if (holds_anything(s->p))
        return DAEDAL_OK;
    daedal_status status = start_by_impulse(&s->array, s->unknown);
    if (status == DAEDAL_ERR_CALLBACK)
        return evaluator_explain(s->p->matrix->ev, s->p->why);
    RETURN_UNLESS_OK(status);
    if (is_inside(s))
        memcpy(s->given, s->unknown, bytes);
    else
        memcpy(s->unknown, s->given, bytes);
    return DAEDAL_OK;
}

/* Once, with nodes on the sides that `side` says. */
static daedal_status attempt(const start_problem *p, const start_offsets *o, double side)
{
    search s = {.p = p, .o = o, .n = p->matrix->ev->n, .anchored = true};
    bool fits = difference_array_create(&s.array, p, o->c, o->d);
    s.array.side = side;
    s.rows = s.array.rows;
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (fits && block_create(&s.mem, p->allocator, lay_out, &s)) {
        list_unknowns(&s);
        list_values(&s);
        if (qr_create(&s.q, s.rows, s.n_d, s.n_y + 1, p->allocator) &&
            least_squares_create(&s.for_d, s.rows, s.n_d, p->allocator))
            status = begin_on_constraints(&s);
        if (status == DAEDAL_OK)
            status = iterate(&s);
    }
    if (status == DAEDAL_OK)
        hand_over(&s);
    if (status == DAEDAL_ERR_MEMORY)
        fail(p->why, status, "out of memory at the start");
    least_squares_free(&s.for_d);
    qr_free(&s.q);
    block_free(&s.mem);
    difference_array_free(&s.array);
    return status;
}

/* Whether the array is small enough to be built, and no equation is differentiated too often. */
static bool is_manageable(const start_offsets *o, int32_t n)
{
    int64_t rows = 0, cols = 0;
    for (int32_t i = 0; i < n; i++) {
        rows += o->c[i] + 1;
        cols += o->d[i] + 1;
        if (o->c[i] > LEVEL_MAX)
            return false;
    }
    return rows <= DERIVATIVE_ARRAY_LARGEST && cols <= 2 * DERIVATIVE_ARRAY_LARGEST;
}

daedal_status start_by_derivative_array(const start_problem *p, const start_offsets *o)
{
    if (!is_manageable(o, p->matrix->ev->n))
        return fail(p->why, DAEDAL_ERR_START,
                    "the constraints hidden in the equations at t = %.10g are too many for a "
                    "consistent start to be found: give one, with start = given",
                    p->t);
    daedal_status status = attempt(p, o, o->side);
    bool again = o->side == 0.0 && failure_is(status, START_FAILURE | DOMAIN_FAILURE);
    /* F may not be defined before t, or jump there */
    return again ? attempt(p, o, p->direction) : status;
}
