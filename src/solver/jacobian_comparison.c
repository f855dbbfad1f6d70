/* solver/jacobian_comparison.c - compare a given Jacobian with differences of F.
 *
 * Both parts are compared with differences entry by entry, on the full pattern, so that
 * entries missing from a given pattern are found too.  Where F bends or breaks within the increment
 * of a difference, the difference is wrong, and not the given entry.  Before a failure is blamed on
 * a Jacobian, differences to both sides and of two sizes that stand out of roundoff must agree with
 * each other.                                                                    */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "newton/difference_jacobian.h"
#include "solver/explain.h"

enum { NAMED_MAX = 3, LARGEST_CHECKED = 10000 }; /* entries quoted in the message; n */
enum { TRIALS = 4 };                             /* differences that must agree      */

typedef struct wrong_entry {
    int32_t equation, variable, of_derivative;
    double given, differenced, measure;
} wrong_entry;

/* Differences are good to about sqrt(u) of the terms they come from. */
static double disagreement(double given, double differenced, double column_scale)
{
    double size = fmax(fmax(fabs(given), fabs(differenced)), 1e-4 * column_scale);
    return size > 0.0 ? fabs(given - differenced) / size : 0.0;
}

static void remember(wrong_entry *list, int32_t *count, wrong_entry w)
{
    int32_t at = *count < NAMED_MAX ? (*count)++ : NAMED_MAX - 1;
    if (at == NAMED_MAX - 1 && list[at].measure > w.measure)
        return;
    list[at] = w;
    for (; at > 0 && list[at].measure > list[at - 1].measure; at--) {
        wrong_entry swap = list[at];
        list[at] = list[at - 1];
        list[at - 1] = swap;
    }
}

static double value_of(const iteration_matrix *m, int32_t i, int32_t j, bool of_derivative)
{
    int32_t at = pattern_find(&m->pattern.view, i, j);
    return at < 0 ? 0.0 : (of_derivative ? m->dyp : m->dy)[at];
}

typedef struct comparison {
    const iteration_matrix *given, *found;
    double gross; /* differences below this share of a row do not count */
    const explain_point *at;
    double *y, *yp, *before, *noise; /* n each: a moved point, F at the point and its roundoff */
    double *change;                  /* TRIALS x n: of F, by moves of one variable          */
    double moved[TRIALS];
    wrong_entry list[NAMED_MAX];
    int32_t listed, wrong;
    int32_t outside; /* of these, how many the pattern lacks */
} comparison;

static double row_size(const comparison *c, int32_t i)
{
    double most = 0.0;
    for (int32_t j = 0; j < c->given->ev->n; j++)
        most = fmax(most, fmax(fabs(value_of(c->found, i, j, false)),
                               fabs(value_of(c->found, i, j, true))));
    return most;
}

/* Whether the pattern of the given Jacobian has no place for an entry. */
static bool is_outside(const iteration_matrix *given, int32_t i, int32_t j, bool of_derivative)
{
    return pattern_find(&given->pattern.view, i, j) < 0 ||
           (of_derivative && pattern_find(&given->part[1].view, i, j) < 0);
}

/* ---- entries confirmed by several differences ---- */

/* Of variable j: as far as for the Jacobian, and by a share of its own size. */
static void choose_moves(const comparison *c, int32_t j, bool of_derivative, double *by)
{
    const explain_point *at = c->at;
    const double smaller = 0.1;
    int32_t column = j + (of_derivative ? at->ev->n : 0);
    double far = fabs(c->found->growth[column] * c->found->increment[column]);
    double near = smaller * far, weight = 1.0 / at->inverse_weight[j];
    if (of_derivative) {
        far /= at->h;
        near /= at->h;
    } else if (isfinite(weight)) {
        near = fmin(near, difference_jacobian_increment(at->y[j], 0.0, weight));
    }
    const double moves[TRIALS] = {far, -far, near, -near};
    memcpy(by, moves, sizeof moves);
}

/* The changes of F by moves of variable j into c->change.  false: F has no value somewhere. */
static bool try_moves(comparison *c, int32_t j, bool of_derivative)
{
    const explain_point *at = c->at;
    size_t n = (size_t)at->ev->n;
    double *moved = of_derivative ? &c->yp[j] : &c->y[j], from;
    memcpy(c->y, at->y, n * sizeof(double));
    memcpy(c->yp, at->yp, n * sizeof(double));
    from = *moved;
    choose_moves(c, j, of_derivative, c->moved);
    for (int k = 0; k < TRIALS; k++) {
        double *change = c->change + (size_t)k * n;
        *moved = from + c->moved[k];
        c->moved[k] = *moved - from;
        if (evaluator_residual(at->ev, at->t, c->y, c->yp, change) != DAEDAL_CALL_OK)
            return false;
        for (size_t i = 0; i < n; i++)
            change[i] -= c->before[i];
    }
    return true;
}

/* The slopes of row i that stand out of roundoff agree with each other better than with the given
 * entry.  One that the given entry would make visible counts as well.  Slopes that grow as the
 * moves become shorter say nothing: beside the zero of a root they tend to the given entry. */
static bool is_confirmed(const comparison *c, int32_t i, double given)
{
    const double visible = 1e3, grows = 2.0; /* tenth of the move: 3.2 for a square root */
    size_t n = (size_t)c->at->ev->n;
    double low = HUGE_VAL, high = -HUGE_VAL, steepest[2] = {0.0, 0.0};
    double least = visible * fmax(fabs(c->noise[i]), DBL_EPSILON * fabs(c->before[i]));
    for (size_t k = 0; k < TRIALS; k++) {
        double by = c->moved[k], change = c->change[k * n + (size_t)i], slope = change / by;
        if (!(fmax(fabs(change), fabs(given * by)) > least))
            continue;
        low = fmin(low, slope);
        high = fmax(high, slope);
        if (fabs(change) > least)
            steepest[k / 2] = fmax(steepest[k / 2], fabs(slope));
    }
    double distance = given < low ? low - given : given > high ? given - high : 0.0;
    return low <= high && distance > high - low && steepest[1] <= grows * steepest[0];
}

/* ---- all entries ---- */

/* Compare column j of one part; count all wrong entries, remember the worst. */
static void compare_column(comparison *c, int32_t j, bool of_derivative)
{
    const double tolerance = 1e-3;
    int32_t n = c->given->ev->n;
    double scale = 0.0;
    bool is_tried = c->gross == 0.0;
    for (int32_t i = 0; i < n; i++)
        scale = fmax(scale, fabs(value_of(c->found, i, j, of_derivative)));
    for (int32_t i = 0; i < n; i++) {
        double a = value_of(c->given, i, j, of_derivative);
        double b = value_of(c->found, i, j, of_derivative), measure = disagreement(a, b, scale);
        if (measure <= tolerance || (c->gross > 0.0 && fabs(a - b) <= c->gross * row_size(c, i)))
            continue;
        if (!is_tried && !try_moves(c, j, of_derivative))
            return;
        is_tried = true;
        if (c->gross > 0.0 && !is_confirmed(c, i, a))
            continue;
        c->wrong++;
        c->outside += is_outside(c->given, i, j, of_derivative);
        remember(c->list, &c->listed, (wrong_entry){i, j, of_derivative, a, b, measure});
    }
}

static daedal_status report(const explain_point *at, const comparison *c)
{
    const wrong_entry *list = c->list;
    daedal_diagnosis *d = at->why;
    char equation[64], variable[64];
    fail(d, DAEDAL_ERR_JACOBIAN, "%d %s from differences of F:", (int)c->wrong,
         c->wrong == 1 ? "entry of the given Jacobian differs"
                       : "entries of the given Jacobian differ");
    for (int32_t k = 0; k < c->listed; k++) {
        const wrong_entry *w = &list[k];
        message_append(d, "%s d(%s)/d(%s%s) is given as %.6g, found %.6g", k ? ";" : "",
                       evaluator_equation_name(at->ev->sys, w->equation, equation, sizeof equation),
                       evaluator_variable_name(at->ev->sys, w->variable, variable, sizeof variable),
                       w->of_derivative ? "'" : "", w->given, w->differenced);
    }
    blame(d, at->t, list[0].equation, list[0].variable);
    const daedal_system *sys = at->ev->sys;
    bool has_callback = sys->jacobian || sys->rhs_jacobian;
    if (c->outside > 0 || !has_callback) {
        set_cause(d, DAEDAL_CAUSE_MISSED_SPARSITY);
        hint(d, "the pattern needs an entry wherever F can depend on a variable: row i of column "
                "j for F_i and y_j or y_j'");
    } else
        hint(d, "the Jacobian callback returns dF/dy + c dF/dy', by columns");
    return DAEDAL_ERR_JACOBIAN;
}

static daedal_status compare(const explain_point *at, const iteration_matrix *found, double gross)
{
    size_t n = (size_t)at->ev->n, all = (TRIALS + 4) * n;
    double *room = memory_take_array(at->allocator, all, sizeof(double));
    if (!room)
        return fail(at->why, DAEDAL_ERR_MEMORY, "out of memory for the check of the Jacobian");
    comparison c = {.given = at->matrix,
                    .found = found,
                    .gross = gross,
                    .at = at,
                    .y = room,
                    .yp = room + n,
                    .before = room + 2 * n,
                    .noise = room + 3 * n,
                    .change = room + 4 * n};
    int answer = evaluator_residual(at->ev, at->t, at->y, at->yp, c.before);
    matrix_term_noise(at->matrix, at->y, at->yp, c.noise);
    for (int32_t j = 0; j < at->ev->n && answer == DAEDAL_CALL_OK; j++) {
        compare_column(&c, j, false);
        compare_column(&c, j, true);
    }
    memory_give(at->allocator, room, all * sizeof(double));
    return c.wrong ? report(at, &c) : DAEDAL_OK;
}

daedal_status explain_wrong_jacobian(const explain_point *at, double gross)
{
    pattern full = {0};
    iteration_matrix found = {0};
    if (at->ev->n > LARGEST_CHECKED)
        return fail(at->why, DAEDAL_ERR_ARGUMENT,
                    "the check of a Jacobian compares all n x n entries and is for n <= %d",
                    (int)LARGEST_CHECKED);
    if (!pattern_full(&full, at->ev->n, at->allocator))
        return fail(at->why, DAEDAL_ERR_MEMORY, "out of memory for the check of the Jacobian");
    const daedal_pattern *dyp = evaluator_is_mass_form(at->ev) ? &at->ev->mass_pattern : &full.view;
    matrix_setup setup = {.ev = at->ev,
                          .dy = &full.view,
                          .dyp = dyp,
                          .allocator = at->allocator,
                          .by_differences = true};
    daedal_status status = matrix_create(&found, &setup);
    matrix_point where = {at->t, at->h, at->y, at->yp, NULL, at->inverse_weight};
    if (status != DAEDAL_OK) {
        fail(at->why, status, "out of memory for the check of the Jacobian");
    } else {
        int answer = matrix_evaluate(at->matrix, &where);
        if (answer == DAEDAL_CALL_OK)
            answer = matrix_evaluate(&found, &where);
        if (answer == DAEDAL_CALL_STOP)
            status = DAEDAL_STOPPED;
        else if (answer != DAEDAL_CALL_OK)
            status = evaluator_explain(at->ev, at->why);
        else
            status = compare(at, &found, gross);
    }
    matrix_free(&found);
    pattern_free(&full);
    return status;
}
