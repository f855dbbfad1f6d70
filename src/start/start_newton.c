/* start/start_newton.c - see start_newton.h.
 *
 * Newton with the Jacobian of every iterate; the line search asks that the correction
 * that the same factors give at the trial point be smaller than the one taken (the
 * natural level function, which no scaling of the equations changes).           */
#include "start/start_newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/vector.h"

enum { ITERATIONS_MAX = 60, HALVINGS_MAX = 30 };
static const double SMALL_ENOUGH = 1e-7; /* in weights; one more iteration squares it */
static const double SUFFICIENT = 1e-4;   /* decrease asked of the line search         */

typedef struct iterate {
    const start_problem *p;
    const start_way *way;
    double *y, *yp, *dy, *dyp, *dy_next, *dyp_next, *r, *y_trial, *yp_trial;
    double size; /* of the correction */
    block mem;
} iterate;

static void lay_out(void *object, layout *l)
{
    iterate *it = object;
    size_t n = (size_t)it->p->matrix->ev->n;
    double **vectors[] = {&it->y,        &it->yp, &it->dy,      &it->dyp,     &it->dy_next,
                          &it->dyp_next, &it->r,  &it->y_trial, &it->yp_trial};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = layout_take(l, n, sizeof(double));
}

double start_size(const start_problem *p, const double *dy, const double *dyp)
{
    int32_t n = p->matrix->ev->n;
    double a = vector_wrms(dy, p->inverse_weight, n);
    double b = p->time_scale * vector_wrms(dyp, p->inverse_weight, n);
    return sqrt(a * a + b * b);
}

/* The longest part of the correction that keeps y inside its bounds. */
static double reach(const iterate *it)
{
    const daedal_system *sys = it->p->matrix->ev->sys;
    double reach = 1.0;
    for (int32_t i = 0; i < it->p->matrix->ev->n; i++) {
        double d = it->dy[i], room = INFINITY;
        if (d < 0.0 && sys->lower.at)
            room = (sys->lower.at[i] - it->y[i]) / d;
        if (d > 0.0 && sys->upper.at)
            room = (sys->upper.at[i] - it->y[i]) / d;
        if (room < reach)
            reach = fmax(room, 0.0);
    }
    return reach;
}

static int try_point(const iterate *it, double lambda)
{
    evaluator *ev = it->p->matrix->ev;
    for (int32_t i = 0; i < ev->n; i++) {
        it->y_trial[i] = it->y[i] + lambda * it->dy[i];
        it->yp_trial[i] = it->yp[i] + lambda * it->dyp[i];
    }
    return evaluator_residual(ev, it->p->t, it->y_trial, it->yp_trial, it->r);
}

static daedal_status ended(const iterate *it, int answer)
{
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED
                                      : evaluator_explain(it->p->matrix->ev, it->p->why);
}

static void take_trial(iterate *it)
{
    size_t bytes = (size_t)it->p->matrix->ev->n * sizeof(double);
    memcpy(it->y, it->y_trial, bytes);
    memcpy(it->yp, it->yp_trial, bytes);
}

/* Shorten the correction until the next one would be smaller. */
static daedal_status search_line(iterate *it, double *lambda)
{
    *lambda = reach(it);
    for (int halvings = 0; halvings < HALVINGS_MAX; halvings++, *lambda *= 0.5) {
        int answer = try_point(it, *lambda);
        if (answer == DAEDAL_CALL_RETRY)
            continue;
        if (answer != DAEDAL_CALL_OK)
            return ended(it, answer);
        it->way->correct(it->way->self, it->p, it->r, it->dy_next, it->dyp_next);
        double next = start_size(it->p, it->dy_next, it->dyp_next);
        if (next <= (1.0 - SUFFICIENT * *lambda) * it->size || next <= SMALL_ENOUGH)
            return DAEDAL_OK;
    }
    return DAEDAL_ERR_START;
}

static daedal_status explain_no_start(const iterate *it)
{
    const evaluator *ev = it->p->matrix->ev;
    char name[96];
    int32_t worst = 0;
    evaluator_residual(it->p->matrix->ev, it->p->t, it->y, it->yp, it->r);
    for (int32_t i = 1; i < ev->n; i++)
        if (fabs(it->r[i]) > fabs(it->r[worst]) || isnan(it->r[i]))
            worst = i;
    fail(it->p->why, DAEDAL_ERR_START,
         "no consistent start near the given one at t = %.10g: the residual of %s stays at %.3g",
         it->p->t, evaluator_equation_name(ev->sys, worst, name, sizeof name), it->r[worst]);
    blame(it->p->why, it->p->t, worst, -1);
    hint(it->p->why, "give a better guess, or free a value that is held");
    return DAEDAL_ERR_START;
}

/* One Newton iteration; *done when the correction has become small enough. */
static daedal_status iterate_once(iterate *it, bool *done)
{
    const start_problem *p = it->p;
    iteration_matrix *m = p->matrix;
    matrix_point at = {p->t, p->time_scale, it->y, it->yp, NULL, p->inverse_weight};
    int answer = matrix_evaluate(m, &at);
    if (answer == DAEDAL_CALL_OK)
        answer = evaluator_residual(m->ev, p->t, it->y, it->yp, it->r);
    if (answer != DAEDAL_CALL_OK)
        return ended(it, answer);
    TRY(it->way->prepare(it->way->self, p));
    it->way->correct(it->way->self, p, it->r, it->dy, it->dyp);
    it->size = start_size(p, it->dy, it->dyp);
    if (!isfinite(it->size))
        return explain_no_start(it);
    double lambda = 1.0;
    daedal_status status = search_line(it, &lambda);
    if (status == DAEDAL_ERR_START)
        return explain_no_start(it);
    if (status != DAEDAL_OK)
        return status;
    take_trial(it);
    *done = lambda == 1.0 && it->size <= SMALL_ENOUGH;
    return DAEDAL_OK;
}

daedal_status start_newton(const start_problem *p, const start_way *way)
{
    iterate it = {.p = p, .way = way};
    if (!block_create(&it.mem, p->allocator, lay_out, &it))
        return fail(p->why, DAEDAL_ERR_MEMORY, "out of memory at the start");
    size_t bytes = (size_t)p->matrix->ev->n * sizeof(double);
    memcpy(it.y, p->y, bytes);
    memcpy(it.yp, p->yp, bytes);
    bool done = false;
    daedal_status status = DAEDAL_OK;
    for (int i = 0; i < ITERATIONS_MAX && !done && status == DAEDAL_OK; i++)
        status = iterate_once(&it, &done);
    if (status == DAEDAL_OK && !done)
        status = explain_no_start(&it);
    if (status == DAEDAL_OK) {
        memcpy(p->y, it.y, bytes);
        memcpy(p->yp, it.yp, bytes);
    }
    block_free(&it.mem);
    return status;
}
