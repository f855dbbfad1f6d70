/* consistent/start_iteration.c - see start_iteration.h.
 *
 * Newton with the Jacobian of every iterate; the line search asks that the correction
 * that the same factors give at the trial point be smaller than the one taken (the
 * natural level function, which no scaling of the equations changes).           */
#include "consistent/start_iteration.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "consistent/hidden_algebraic.h"
#include "linalg/damped_newton.h"
#include "linalg/vector.h"
#include "newton/bounds.h"

enum { ITERATIONS_MAX = 200, HALVINGS_MAX = 30 }; /* a triple root takes a hundred */
static const double SMALL_ENOUGH = 1e-7;          /* in weights; one more iteration squares it */
static const double COARSEST = 1e-2;              /* roundoff excuses no more than this        */
static const double NEARLY_ROUNDOFF = 1e4;        /* units of it, where nothing helps any more */
static const double SUFFICIENT = 1e-4;            /* decrease asked of the line search         */

static const double FAR = 10.0;          /* in sizes of the given value               */
static const double STILL_MOVING = 1e-3; /* of the distance                           */

typedef struct iterate {
    const start_problem *p;
    const start_way *way;
    start_workspace *w; /* y, yp: the iterate; dy, dyp: its correction; r: residual  */
    damped_newton newton;
    bool was_regular;     /* the matrix of an earlier iterate                          */
    daedal_status status; /* of an iteration that was ended at once                    */
} iterate;

static void lay_out(void *object, layout *l)
{
    start_workspace *w = object;
    double **vectors[] = {&w->y,        &w->yp,      &w->dy,       &w->dyp,      &w->dy_next,
                          &w->dyp_next, &w->r,       &w->y_trial,  &w->yp_trial, &w->share_y,
                          &w->share_yp, &w->y_given, &w->yp_given, &w->y_first};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, (size_t)w->n, sizeof(double));
}

bool start_workspace_create(start_workspace *w, int32_t n, const daedal_allocator *a)
{
    *w = (start_workspace){.n = n, .allocator = a};
    return block_create(&w->mem, a, lay_out, w);
}

void start_workspace_free(start_workspace *w)
{
    if (w->hidden) {
        hidden_algebraic_free(w->hidden);
        memory_give(w->allocator, w->hidden, sizeof *w->hidden);
    }
    w->hidden = NULL;
    block_free(&w->mem);
}

/* Size of a correction in the units of the start. */
static double size_of_correction(const start_problem *p, const double *dy, const double *dyp)
{
    int32_t n = p->matrix->ev->n;
    double a = vector_wrms(dy, p->inverse_weight, n);
    double b = p->time_scale * vector_wrms(dyp, p->inverse_weight, n);
    return sqrt(a * a + b * b);
}

static damped_reply ended(iterate *it, int answer)
{
    it->status = answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED
                                            : evaluator_explain(it->p->matrix->ev, it->p->why);
    return DAMPED_ABORT;
}

/* Inside the bounds entry by entry: one variable at its bound must not hold the rest.  The size is
 * that of the next correction.                                                   */
static damped_reply try_share(void *self, double share, double *size)
{
    iterate *it = self;
    start_workspace *w = it->w;
    evaluator *ev = it->p->matrix->ev;
    for (int32_t i = 0; i < ev->n; i++) {
        w->y_trial[i] = bounds_inside(ev->sys, i, w->y[i] + share * w->dy[i]);
        w->yp_trial[i] = w->yp[i] + share * w->dyp[i];
    }
    int answer = evaluator_residual(ev, it->p->t, w->y_trial, w->yp_trial, w->r);
    if (answer == DAEDAL_CALL_RETRY)
        return DAMPED_UNDEFINED;
    if (answer != DAEDAL_CALL_OK)
        return ended(it, answer);
    it->way->correct(it->way->self, it->p, w->r, w->dy_next, w->dyp_next);
    *size = size_of_correction(it->p, w->dy_next, w->dyp_next);
    return DAMPED_OK;
}

static void take_trial(void *self, double share)
{
    const iterate *it = self;
    size_t bytes = (size_t)it->p->matrix->ev->n * sizeof(double);
    (void)share;
    memcpy(it->w->y, it->w->y_trial, bytes);
    memcpy(it->w->yp, it->w->yp_trial, bytes);
}

static daedal_status explain_no_start(const iterate *it)
{
    const evaluator *ev = it->p->matrix->ev;
    char name[96];
    int32_t worst = 0;
    evaluator_residual(it->p->matrix->ev, it->p->t, it->w->y, it->w->yp, it->w->r);
    for (int32_t i = 1; i < ev->n; i++)
        if (fabs(it->w->r[i]) > fabs(it->w->r[worst]) || isnan(it->w->r[i]))
            worst = i;
    fail(it->p->why, DAEDAL_ERR_START,
         "no consistent start near the given one at t = %.10g: the residual of %s stays at %.3g",
         it->p->t, evaluator_equation_name(ev->sys, worst, name, sizeof name), it->w->r[worst]);
    blame(it->p->why, it->p->t, worst, -1);
    hint(it->p->why, "give a better guess, or free a value that is held");
    if (!it->p->masks_given) { /* only states are held, and these may be chosen */
        set_cause(it->p->why, DAEDAL_CAUSE_NO_SOLUTION);
        hint(it->p->why, "look for a wrong sign, unit or parameter there; if there is a solution, "
                         "give a guess nearer to it");
    }
    return DAEDAL_ERR_START;
}

/* Whether F is at most `units` times the roundoff of its terms, or what `part` of a weight in every
 * term would make of it.                                                         */
static bool is_roundoff(iterate *it, const double *r, double units, double part)
{
    double *noise = it->w->dy_next, *least = it->w->dyp_next;
    double *y = it->w->y_trial, *yp = it->w->yp_trial;
    for (int32_t i = 0; i < it->w->n; i++) {
        y[i] = part / (DBL_EPSILON * it->p->inverse_weight[i]);
        yp[i] = y[i] / it->p->time_scale;
    }
    matrix_term_noise(it->p->matrix, y, yp, least);
    matrix_term_noise(it->p->matrix, it->w->y, it->w->yp, noise);
    for (int32_t i = 0; i < it->w->n; i++)
        if (fabs(r[i]) > fmax(units * fabs(noise[i]), fabs(least[i])))
            return false;
    return true;
}

/* True if an entry of y, far from where it began, would still move by a good part of that distance:
 * exp(-y) = 0 is solved to any tolerance on the way to infinity.                  */
static bool runs_off(const iterate *it, int32_t *which)
{
    for (int32_t j = 0; j < it->w->n; j++) {
        double first = it->p->y[j], distance = fabs(it->w->y[j] - first);
        if (distance > FAR * fmax(fabs(first), 1.0) &&
            fabs(it->w->dy[j]) > STILL_MOVING * distance) {
            *which = j;
            return true;
        }
    }
    return false;
}

static daedal_status explain_runaway(const iterate *it, int32_t j)
{
    char name[96];
    fail(it->p->why, DAEDAL_ERR_START,
         "no consistent start near the given one at t = %.10g: %s grows without bound (to %.3g) on "
         "the way to a solution",
         it->p->t, evaluator_variable_name(it->p->matrix->ev->sys, j, name, sizeof name),
         it->w->y[j]);
    blame(it->p->why, it->p->t, -1, j);
    hint(it->p->why, "the values held leave it no finite value: choose others");
    if (!it->p->masks_given)
        set_cause(it->p->why, DAEDAL_CAUSE_NO_SOLUTION);
    return DAEDAL_ERR_START;
}

/* No share of the correction helped, or the iterations are used up.  Near a multiple root, and
 * where corrections are all noise, that is the end if F is nearly roundoff, or below what
 * tolerances see. */
static bool is_settled(iterate *it)
{
    evaluator *ev = it->p->matrix->ev;
    int answer = evaluator_residual(ev, it->p->t, it->w->y, it->w->yp, it->w->r);
    return answer == DAEDAL_CALL_OK && is_roundoff(it, it->w->r, NEARLY_ROUNDOFF, COARSEST);
}

/* The correction that roundoff in the terms of F alone would cause. */
static double roundoff_size(iterate *it)
{
    const double safety = 10.0;
    matrix_term_noise(it->p->matrix, it->w->y, it->w->yp, it->w->r);
    it->way->correct(it->way->self, it->p, it->w->r, it->w->dy_next, it->w->dyp_next);
    return safety * size_of_correction(it->p, it->w->dy_next, it->w->dyp_next);
}

/* The correction at the iterate and its size; which corrections mean convergence: those below the
 * tolerance, or below what roundoff makes.                                       */
static damped_reply find_correction(void *self, double *size)
{
    iterate *it = self;
    const start_problem *p = it->p;
    iteration_matrix *m = p->matrix;
    matrix_point at = {p->t, p->time_scale, it->w->y, it->w->yp, NULL, p->inverse_weight};
    int answer = matrix_evaluate(m, &at);
    if (answer == DAEDAL_CALL_OK)
        answer = evaluator_residual(m->ev, p->t, it->w->y, it->w->yp, it->w->r);
    if (answer != DAEDAL_CALL_OK)
        return ended(it, answer);
    if (is_roundoff(it, it->w->r, 2.0, 0.0))
        return DAMPED_ENOUGH;
    it->status = it->way->prepare(it->way->self, p);
    if (it->status == DAEDAL_ERR_SINGULAR && it->was_regular)
        it->status = explain_no_start(it); /* the iteration has run away */
    if (it->status != DAEDAL_OK)
        return DAMPED_ABORT;
    it->was_regular = true;
    it->way->correct(it->way->self, p, it->w->r, it->w->dy, it->w->dyp);
    *size = size_of_correction(p, it->w->dy, it->w->dyp);
    if (!isfinite(*size))
        return DAMPED_UNDEFINED;
    it->newton.last = fmax(SMALL_ENOUGH, fmin(roundoff_size(it), COARSEST));
    it->newton.negligible = it->newton.last;
    return DAMPED_OK;
}

/* The iterate with zeros in place of values that are below the roundoff of the guess, into y_trial;
 * false: there are none. */
static bool mark_roundoff(const iterate *it)
{
    const double units = 4.0; /* of roundoff */
    const daedal_system *sys = it->p->matrix->ev->sys;
    bool any = false;
    for (int32_t i = 0; i < it->w->n; i++) {
        double y = it->w->y[i];
        bool is_zero = y != 0.0 && fabs(y) <= units * DBL_EPSILON * fabs(it->p->y[i]) &&
                       bounds_inside(sys, i, 0.0) == 0.0;
        it->w->y_trial[i] = is_zero ? 0.0 : y;
        any = any || is_zero;
    }
    return any;
}

/* A value below the roundoff of its guess is what the last correction has left of it.  If zeros in
 * place of such values satisfy every equation at least as well, they are the solution.  With the
 * remainder, a coefficient that vanishes would be tiny instead, and a singular matrix would count
 * as regular or not by the last bit. */
static daedal_status drop_roundoff(iterate *it)
{
    evaluator *ev = it->p->matrix->ev;
    start_workspace *w = it->w;
    if (!mark_roundoff(it))
        return DAEDAL_OK;
    int answer = evaluator_residual(ev, it->p->t, w->y, w->yp, w->r);
    if (answer == DAEDAL_CALL_OK)
        answer = evaluator_residual(ev, it->p->t, w->y_trial, w->yp, w->dy_next);
    if (answer == DAEDAL_CALL_RETRY)
        return DAEDAL_OK;
    if (answer != DAEDAL_CALL_OK) {
        ended(it, answer);
        return it->status;
    }
    for (int32_t i = 0; i < w->n; i++)
        if (!(fabs(w->dy_next[i]) <= fabs(w->r[i])))
            return DAEDAL_OK;
    memcpy(w->y, w->y_trial, (size_t)w->n * sizeof(double));
    return DAEDAL_OK;
}

daedal_status start_iterate(const start_problem *p, const start_way *way)
{
    iterate it = {.p = p, .way = way, .w = p->work};
    size_t bytes = (size_t)p->matrix->ev->n * sizeof(double);
    memcpy(it.w->y, p->y, bytes);
    memcpy(it.w->yp, p->yp, bytes);
    it.newton = (damped_newton){.self = &it,
                                .measure = find_correction,
                                .try_share = try_share,
                                .accept = take_trial,
                                .iterations_max = ITERATIONS_MAX,
                                .halvings_max = HALVINGS_MAX,
                                .decrease = SUFFICIENT,
                                .solved = -1.0, /* find_correction decides */
                                .tolerated = -1.0};
    damped_outcome outcome = damped_newton_solve(&it.newton);
    if (outcome == DAMPED_ABORTED)
        return it.status;
    int32_t which = -1;
    if (outcome != DAMPED_FOUND && runs_off(&it, &which))
        return explain_runaway(&it, which);
    if (outcome != DAMPED_FOUND && !is_settled(&it))
        return explain_no_start(&it);
    RETURN_UNLESS_OK(drop_roundoff(&it));
    memcpy(p->y, it.w->y, bytes);
    memcpy(p->yp, it.w->yp, bytes);
    return DAEDAL_OK;
}
