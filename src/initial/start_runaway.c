/* initial/start_runaway.c - see start_rows.h: start values that ran off towards infinity.
 *
 * Where conditions contradict each other in the limit only, an iteration may end far away: with
 * x = 1 and u = 1 fixed on the circle x^2 + y^2 = 1, the constraint x u + y v = 0 is satisfied to
 * rounding by y = 1e-7, v = -1e7, and by y = 1e-8, v = -1e8 as well.  Such values are far from
 * every start value, a residual as small as rounding changes them by their own size, and so
 * large a change violates the rows, unlike in a linear system that is merely singular.       */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "initial/start_rows.h"

enum { SIGNS = 3, LISTED_MAX = 4, TRIED_MAX = 200 };
static const double FAR = 1e3;          /* in units of the start value: it ran off             */
static const double DOUBLE_ROOT = 1e-7; /* of a unit: how well a double root is known           */
static const double UNCERTAIN = 0.1;    /* relative change that rounding causes                */
static const double ROUNDINGS = 100.0;  /* units of rounding of the terms of a row             */
static const double VIOLATED = 1e3;     /* in units of the residual that is rounding            */
static const double TAKES_PART = 1e-2;  /* of the largest effect of a row on the runaway        */

typedef struct runaway {
    start_problem *m;
    start_rows *s;
    int32_t n_rows;
    double *rough; /* by row: its residual, at least its rounding                  */
    double *d;     /* by column: one such change                                   */
    block mem;
} runaway;

static void lay_out(void *object, layout *l)
{
    runaway *w = object;
    w->rough = layout_take(l, (size_t)w->n_rows, sizeof(double));
    w->d = layout_take(l, (size_t)w->s->n_columns, sizeof(double));
}

static bool is_far(const start_problem *m, int32_t j)
{
    double unit = fmax(fmax(m->compiled->nominal[j], fabs(m->start[j])), 1.0);
    return !m->start_fixed[j] && fabs(m->values->x[m->values->place.y + (uint32_t)j]) > FAR * unit;
}

/* A value that constraints moved close to zero is known as well as a double root is. */
static double roughness_of_kept(const runaway *w, int32_t j)
{
    const start_problem *m = w->m;
    const int32_t *bound =
        m->reduced->n_constraints ? m->compiled->constraints->pattern.view.start : NULL;
    double z = fabs(w->s->z[j]), unit = fmax(fmax(m->compiled->nominal[j], fabs(m->start[j])), 1.0);
    bool moved =
        bound && bound[j + 1] > bound[j] && !m->start_fixed[j] && w->s->z[j] != m->start[j];
    return moved ? fmin(z, DOUBLE_ROOT * unit) : 0.0;
}

/* Residuals at z, those of kept values being zero, and what rounding makes of the others. */
static bool measure(runaway *w)
{
    start_rows *s = w->s;
    for (int32_t c = 0; c < s->n_columns; c++)
        s->guess[c] = s->z[c] = w->m->values->x[s->slot[c]];
    if (!start_rows_slopes(w->m, s, s->z) || !start_rows_evaluate(w->m, s, s->z) ||
        !start_rows_factor(s))
        return false;
    for (size_t e = 0; e < s->n_entries; e++)
        w->rough[s->entry[e].row] +=
            ROUNDINGS * DBL_EPSILON * fabs(s->value[e] * s->z[s->entry[e].column]);
    for (int32_t i = 0; i < s->n_exprs; i++)
        w->rough[i] = fmax(w->rough[i], fabs(s->r[i]));
    for (int32_t j = 0; j < w->m->reduced->n; j++)
        w->rough[s->n_exprs + j] = roughness_of_kept(w, j);
    return true;
}

/* The changes that residuals of this size and of random signs cause. */
static void move(const runaway *w, uint64_t *random)
{
    start_rows *s = w->s;
    for (int32_t i = 0; i < w->n_rows; i++)
        if (s->chosen[i])
            s->trial[s->order[i]] =
                random_uniform(random, -1.0, 1.0) < 0.0 ? -w->rough[i] : w->rough[i];
    s->solver->solve(s->factors, s->trial);
    memcpy(w->d, s->trial, (size_t)s->n_columns * sizeof(double));
}

/* True if a change by which this column changes by its own size violates the rows. */
static bool is_curved(runaway *w, int32_t c)
{
    start_rows *s = w->s;
    double share = fabs(s->z[c] / w->d[c]);
    share = share < 1.0 ? share : 1.0;
    for (int32_t k = 0; k < s->n_columns; k++)
        s->step[k] = s->z[k] + share * w->d[k];
    bool fine = start_rows_evaluate(w->m, s, s->step), violated = !fine;
    for (int32_t i = 0; i < s->n_exprs && fine && !violated; i++)
        violated = s->chosen[i] && fabs(s->r[i]) > VIOLATED * w->rough[i];
    start_rows_evaluate(w->m, s, s->z);
    return violated;
}

/* An unknown among the states, or among the others, that ran off; or -1. */
static int32_t find_among(runaway *w, bool states, int *n_tried)
{
    for (int32_t j = 0; j < w->m->reduced->n && *n_tried < TRIED_MAX; j++) {
        bool asked = (w->m->reduced->differential[j] != 0) == states && is_far(w->m, j);
        if (!asked || !(fabs(w->d[j]) > UNCERTAIN * fabs(w->s->z[j])) || !isfinite(w->d[j]))
            continue;
        (*n_tried)++;
        if (is_curved(w, j))
            return j;
    }
    return -1;
}

static int32_t find_runaway(runaway *w)
{
    uint64_t random = RANDOM_SEED;
    int32_t found = -1;
    int n_tried = 0;
    for (int k = 0; k < SIGNS && found < 0; k++) {
        move(w, &random);
        found = find_among(w, true, &n_tried);
        if (found < 0)
            found = find_among(w, false, &n_tried);
    }
    return found;
}

/* The effect of the rounding of one row on column c. */
static double effect(runaway *w, int32_t row, int32_t c)
{
    start_rows *s = w->s;
    memset(s->trial, 0, (size_t)s->n_columns * sizeof(double));
    double unit = row < s->n_exprs
                      ? w->rough[row]
                      : ROUNDINGS * DBL_EPSILON * fmax(fabs(s->z[row - s->n_exprs]), 1.0);
    s->trial[s->order[row]] = unit;
    s->solver->solve(s->factors, s->trial);
    return fabs(s->trial[c]);
}

static bool is_condition(const runaway *w, int32_t row)
{
    return w->s->chosen[row] && row >= w->m->reduced->n && start_rows_is_hard(w->s, row);
}

/* Constraints, initial equations and fixed values on which the runaway depends. */
static void list_conditions(runaway *w, int32_t c, char *text, size_t size)
{
    char name[200];
    double most = 0.0;
    int32_t n_tried = 0, n_listed = 0;
    for (int32_t i = 0; i < w->n_rows && n_tried < TRIED_MAX; i++)
        if (is_condition(w, i)) {
            most = fmax(most, effect(w, i, c));
            n_tried++;
        }
    text[0] = '\0';
    for (int32_t i = 0; n_tried > 0 && n_listed < LISTED_MAX; i++) {
        bool tried = is_condition(w, i);
        n_tried -= tried;
        if (!tried || effect(w, i, c) < TAKES_PART * most)
            continue;
        text_append(text, size, "%s%s", n_listed++ ? ", " : "",
                    start_rows_name(w->m, w->s, i, name, sizeof name));
    }
}

static daedal_status fail_runaway(runaway *w, int32_t j)
{
    start_problem *m = w->m;
    char text[420];
    list_conditions(w, j, text, sizeof text);
    fail(m->why, DAEDAL_ERR_START,
         "no consistent start at t = %.10g: %s grows without bound (to %.3g) on the way to a "
         "solution%s%s",
         m->values->x[0], variable_text(m->reduced, m->reduced->variable[j]), w->s->z[j],
         text[0] ? " of " : "", text);
    hint(m->why,
         "these conditions contradict each other in the limit: fix fewer values, or others");
    set_cause(m->why, start_cause_of_row(m, true));
    blame(m->why, m->values->x[0], -1, j);
    return DAEDAL_ERR_START;
}

daedal_status start_check_runaway(start_problem *m)
{
    bool far = false;
    for (int32_t j = 0; j < m->reduced->n && !far; j++)
        far = is_far(m, j);
    daedal_diagnosis kept = *m->why;
    if (!far || start_rows_create(m) < 0) {
        *m->why = kept;
        return DAEDAL_OK;
    }
    runaway w = {.m = m, .s = m->rows, .n_rows = m->rows->n_exprs + m->rows->n_columns};
    daedal_status status = DAEDAL_OK;
    if (!block_create(&w.mem, m->allocator, lay_out, &w))
        status = fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for the start");
    int32_t found = status == DAEDAL_OK && measure(&w) ? find_runaway(&w) : -1;
    if (found >= 0)
        status = fail_runaway(&w, found);
    block_free(&w.mem);
    return status;
}
