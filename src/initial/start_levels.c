/* initial/start_levels.c - see start_problem.h: start values on the constraints of a lowered index.
 *
 * Level by level, positions first, the unknowns that lead on a level are moved by as little
 * as possible until its constraints hold (damped Gauss-Newton with the shortest step):
 * first those without a start value; if that is not enough, those with one, too; fixed ones never
 * (docs/theory/index-reduction.md).  On the highest level, start values that contradict each other
 * change as an impulse would change them (start_impulse.h).  Unknowns of different priority are
 * not weighted against each other, because nominal values range over many orders of magnitude.
 * A level is dense, and may be rank-deficient, up to a size; sparse beyond.      */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compile/compiled.h"
#include "initial/start_impulse.h"
#include "initial/start_problem.h"
#include "linalg/damped_newton.h"
#include "linalg/least_squares.h"
#include "linalg/min_norm.h"

enum { ITERATIONS_MAX = 60, HALVINGS_MAX = 16, DENSE_MAX = 700 };
static const double ROUNDING = 1e-14;  /* relative: such a step does not move a fixed value */
static const double SUFFICIENT = 1e-3; /* decrease required of a step                       */
static const double SOLVED = 1e-14, TOLERATED = 1e-10; /* scaled residuals */
enum { HIGHEST = -1 }; /* level of the constraints whose derivatives are equations */

/* The unknowns that may move: those without a start value, or all; the latter by an impulse or by
 * the smallest change.                                                           */
typedef enum freedom { MOVE_WITHOUT_START, MOVE_BY_IMPULSE, MOVE_ALL } freedom;

typedef struct level {
    start_problem *m;
    int32_t which;
    freedom most; /* in this attempt */
    int32_t n_rows, n_cols;
    int32_t n_moving;         /* n_cols, then the states that only an impulse moves   */
    int32_t *row, *col;       /* numbers of constraints and unknowns                  */
    int32_t *row_at, *col_at; /* and back; -1: not here                               */
    double *weight, *first, *z, *step, *r, *r_scale;
    /* dense */
    double *a, *b;
    least_squares ls;
    /* sparse */
    min_norm sparse;
    double *row_factor;
    start_impulse impulse;
    bool no_memory; /* for what a step needs */
    block mem;
} level;

/* ---- rows and columns of a level ---- */

static bool is_dense(const level *l)
{
    return l->n_rows + l->n_cols <= DENSE_MAX;
}

static void lay_out(void *object, layout *l)
{
    level *v = object;
    size_t rows = (size_t)v->n_rows, cols = (size_t)v->n_cols, size = rows + cols;
    size_t moving = (size_t)v->n_moving;
    v->row = layout_take(l, rows, sizeof(int32_t));
    v->col = layout_take(l, moving, sizeof(int32_t));
    v->row_at = layout_take(l, (size_t)v->m->reduced->n_constraints, sizeof(int32_t));
    v->col_at = layout_take(l, (size_t)v->m->reduced->n, sizeof(int32_t));
    v->weight = layout_take(l, moving, sizeof(double));
    v->first = layout_take(l, moving, sizeof(double));
    v->z = layout_take(l, moving, sizeof(double));
    v->step = layout_take(l, moving, sizeof(double));
    v->r = layout_take(l, rows, sizeof(double));
    v->r_scale = layout_take(l, rows, sizeof(double));
    v->row_factor = layout_take(l, rows, sizeof(double));
    v->b = layout_take(l, size, sizeof(double));
    v->a = layout_take(l, is_dense(v) ? rows * cols : 1, sizeof(double));
}

static bool in_level(const level *l, int32_t constraint)
{
    return l->m->reduced->constraint[constraint].level == l->which;
}

/* 0: the unknown must not move. */
static double weight_of(const start_problem *m, int32_t j, freedom most)
{
    double size = fmax(m->compiled->nominal[j], fabs(m->start[j]));
    freedom needed = m->start_given[j] ? MOVE_BY_IMPULSE : MOVE_WITHOUT_START;
    return m->start_fixed[j] || needed > most ? 0.0 : size > 0.0 ? size : 1.0;
}

/* True if constraints of this level may move the unknown. */
static bool is_bound(const level *l, int32_t j)
{
    const daedal_pattern *p = &l->m->compiled->constraints->pattern.view;
    return l->m->reduced->depth[j] == l->which && p->start[j + 1] > p->start[j];
}

static bool moves_by_impulse_only(const level *l, int32_t j)
{
    return l->which == HIGHEST && l->m->reduced->differential[j] && !is_bound(l, j);
}

static bool collect_members(level *l)
{
    const start_problem *m = l->m;
    for (int32_t i = 0; i < m->reduced->n_constraints; i++)
        l->n_rows += in_level(l, i);
    for (int32_t j = 0; j < m->reduced->n; j++) {
        l->n_cols += is_bound(l, j);
        l->n_moving += is_bound(l, j) || moves_by_impulse_only(l, j);
    }
    if (!block_create(&l->mem, m->allocator, lay_out, l))
        return false;
    l->n_rows = l->n_cols = 0;
    for (int32_t i = 0; i < m->reduced->n_constraints; i++) {
        l->row_at[i] = in_level(l, i) ? l->n_rows : -1;
        if (in_level(l, i))
            l->row[l->n_rows++] = i;
    }
    for (int32_t j = 0; j < m->reduced->n; j++) {
        l->col_at[j] = is_bound(l, j) ? l->n_cols : -1;
        if (is_bound(l, j))
            l->col[l->n_cols++] = j;
    }
    l->n_moving = l->n_cols;
    for (int32_t j = 0; j < m->reduced->n; j++)
        if (moves_by_impulse_only(l, j))
            l->col[l->n_moving++] = j;
    return true;
}

/* ---- constraints with a single unknown value ---- */

/* The constraints of the level and their unknowns without a value. */
typedef struct chain {
    level *l;
    bool *known;    /* by column of the level                          */
    int32_t *open;  /* by row: unknowns in it that are not known yet   */
    int32_t *queue; /* rows with one such                              */
    int32_t n_queue;
    pattern rows; /* columns by row                                  */
    block mem;
} chain;

static void lay_out_chain(void *object, layout *l)
{
    chain *k = object;
    size_t rows = (size_t)k->l->n_rows, cols = (size_t)k->l->n_cols;
    k->known = layout_take(l, cols, sizeof(bool));
    k->open = layout_take(l, rows, sizeof(int32_t));
    k->queue = layout_take(l, rows + cols, sizeof(int32_t));
}

static void count_open(chain *k)
{
    level *l = k->l;
    const daedal_pattern *p = &l->m->compiled->constraints->pattern.view;
    for (int32_t c = 0; c < l->n_cols; c++) {
        int32_t j = l->col[c];
        k->known[c] =
            l->m->start_given[j] || l->m->start_fixed[j] || l->m->given_by_initial_equation[j];
        for (int32_t s = p->start[j]; s < p->start[j + 1] && !k->known[c]; s++)
            k->open[l->row_at[p->row[s]]]++;
    }
    for (int32_t i = 0; i < l->n_rows; i++)
        if (k->open[i] == 1)
            k->queue[k->n_queue++] = i;
}

static void mark_known(chain *k, int32_t c)
{
    level *l = k->l;
    const daedal_pattern *p = &l->m->compiled->constraints->pattern.view;
    k->known[c] = true;
    for (int32_t s = p->start[l->col[c]]; s < p->start[l->col[c] + 1]; s++) {
        int32_t i = l->row_at[p->row[s]];
        if (--k->open[i] == 1)
            k->queue[k->n_queue++] = i;
    }
}

/* A constraint with a single unknown value determines it, after which others may have a single one
 * left, and so on.  Vectors then have their lengths before anything is divided by them. */
static bool solve_single_unknowns(level *l)
{
    chain k = {.l = l};
    const daedal_allocator *a = l->m->allocator;
    start_problem *m = l->m;
    bool fine = block_create(&k.mem, a, lay_out_chain, &k) &&
                pattern_transpose(&k.rows, &m->compiled->constraints->pattern.view, a);
    if (fine)
        count_open(&k);
    for (int32_t q = 0; q < k.n_queue && fine; q++) {
        int32_t i = k.queue[q], row = l->row[i];
        for (int32_t s = k.rows.start[row]; s < k.rows.start[row + 1] && k.open[i] == 1; s++) {
            int32_t c = l->col_at[k.rows.row[s]];
            if (c < 0 || k.known[c])
                continue;
            compiled_solve_one(m->compiled, m->reduced->constraint[row].value,
                               m->values->place.y + (uint32_t)l->col[c]);
            mark_known(&k, c);
        }
    }
    pattern_free(&k.rows);
    block_free(&k.mem);
    return fine;
}

/* ---- steps ---- */

static bool prepare_sparse(level *l)
{
    min_norm_part part = {&l->m->compiled->constraints->pattern.view,
                          l->row_at,
                          l->col_at,
                          l->n_rows,
                          l->n_cols,
                          0.0};
    return min_norm_create(&l->sparse, &part, l->m->allocator);
}

/* What a step needs is made when the first one is asked for: start values that satisfy the
 * constraints of a large model need none. */
static bool prepare_step(level *l)
{
    bool fine = true;
    if (l->most == MOVE_BY_IMPULSE && !l->impulse.m)
        fine = start_impulse_create(&l->impulse, l->m);
    else if (l->most != MOVE_BY_IMPULSE && !is_dense(l) && !l->sparse.factors)
        fine = prepare_sparse(l);
    l->no_memory = l->no_memory || !fine;
    return fine;
}

static bool step_sparse(level *l)
{
    for (int32_t i = 0; i < l->n_rows; i++) {
        l->b[l->n_cols + i] = -l->r[i] / l->r_scale[i];
        l->row_factor[i] = 1.0 / l->r_scale[i];
    }
    if (min_norm_factor(&l->sparse, l->m->compiled->constraints->slopes->out, l->row_factor,
                        l->weight) != DAEDAL_OK)
        return false;
    min_norm_solve(&l->sparse, l->b);
    return true;
}

/* A as scaled, entry (row i, column c); the value at position s of dg/dy. */
static double entry_at(const level *l, int32_t i, int32_t c, int32_t s)
{
    return l->m->compiled->constraints->slopes->out[s] * l->weight[c] / l->r_scale[i];
}

static bool step_dense(level *l)
{
    const daedal_pattern *p = &l->m->compiled->constraints->pattern.view;
    size_t rows = (size_t)l->n_rows;
    memset(l->a, 0, rows * (size_t)l->n_cols * sizeof(double));
    for (int32_t c = 0; c < l->n_cols; c++)
        for (int32_t s = p->start[l->col[c]]; s < p->start[l->col[c] + 1]; s++) {
            int32_t i = l->row_at[p->row[s]];
            l->a[(size_t)c * rows + (size_t)i] = entry_at(l, i, c, s);
        }
    memset(l->b, 0, (rows + (size_t)l->n_cols) * sizeof(double));
    for (int32_t i = 0; i < l->n_rows; i++)
        l->b[i] = -l->r[i] / l->r_scale[i];
    least_squares_solve(&l->ls, l->a, l->b);
    return true;
}

/* false: there is no such step, or it would move what is fixed. */
static bool step_impulse(level *l)
{
    if (!start_impulse_find(&l->impulse, l->row, l->r, l->n_rows))
        return false;
    for (int32_t c = 0; c < l->n_moving; c++) {
        l->step[c] = l->impulse.z[l->col[c]];
        bool must_not = l->weight[c] == 0.0;
        if (must_not && fabs(l->step[c]) > ROUNDING * fmax(fabs(l->first[c]), 1.0))
            return false;
        l->step[c] = must_not ? 0.0 : l->step[c];
    }
    return true;
}

static damped_reply find_step(void *self)
{
    level *l = self;
    if (l->no_memory || !prepare_step(l))
        return DAMPED_UNDEFINED;
    if (l->most == MOVE_BY_IMPULSE)
        return step_impulse(l) ? DAMPED_OK : DAMPED_UNDEFINED;
    if (!(is_dense(l) ? step_dense(l) : step_sparse(l)))
        return DAMPED_UNDEFINED;
    for (int32_t c = 0; c < l->n_moving; c++)
        l->step[c] = c < l->n_cols ? l->weight[c] * l->b[c] : 0.0;
    return DAMPED_OK;
}

/* ---- Gauss-Newton ---- */

static void put(const level *l, double lambda)
{
    for (int32_t c = 0; c < l->n_moving; c++)
        l->m->values->x[l->m->values->place.y + (uint32_t)l->col[c]] =
            l->z[c] + lambda * l->step[c];
}

static bool evaluate(level *l)
{
    start_problem *m = l->m;
    bool fine = program_run(m->compiled, m->compiled->constraints->values, 0.0, NULL, NULL) == 0;
    for (int32_t i = 0; i < l->n_rows; i++) {
        l->r[i] = m->compiled->constraints->values->out[l->row[i]];
        fine = fine && isfinite(l->r[i]);
    }
    return fine;
}

/* Evaluates the derivatives; rows are scaled by their largest entry for nominal values. */
static bool evaluate_slopes(level *l)
{
    start_problem *m = l->m;
    const daedal_pattern *p = &m->compiled->constraints->pattern.view;
    if (program_run(m->compiled, m->compiled->constraints->slopes, 0.0, NULL, NULL) != 0)
        return false;
    for (int32_t i = 0; i < l->n_rows; i++)
        l->r_scale[i] = 0.0;
    for (int32_t c = 0; c < l->n_cols; c++)
        for (int32_t s = p->start[l->col[c]]; s < p->start[l->col[c] + 1]; s++) {
            double v = fabs(m->compiled->constraints->slopes->out[s]);
            int32_t i = l->row_at[p->row[s]];
            if (!isfinite(v))
                return false;
            double size = fmax(m->compiled->nominal[l->col[c]], 1.0);
            l->r_scale[i] = fmax(l->r_scale[i], v * size);
        }
    for (int32_t i = 0; i < l->n_rows; i++)
        l->r_scale[i] = l->r_scale[i] > 0.0 ? l->r_scale[i] : 1.0;
    return true;
}

static double size_of(const level *l)
{
    double most = 0.0;
    for (int32_t i = 0; i < l->n_rows; i++)
        most = fmax(most, fabs(l->r[i]) / l->r_scale[i]);
    return most;
}

static damped_reply linearize(void *self, double *size)
{
    level *l = self;
    if (!evaluate(l) || !evaluate_slopes(l))
        return DAMPED_UNDEFINED;
    for (int32_t c = 0; c < l->n_moving; c++)
        l->z[c] = l->m->values->x[l->m->values->place.y + (uint32_t)l->col[c]];
    *size = size_of(l);
    return DAMPED_OK;
}

static damped_reply try_share(void *self, double share, double *size)
{
    level *l = self;
    put(l, share);
    if (!evaluate(l))
        return DAMPED_UNDEFINED;
    *size = size_of(l);
    return DAMPED_OK;
}

static void restore(void *self)
{
    put(self, 0.0);
}

static bool solve(level *l, freedom most)
{
    const double roughly = 1e-8; /* satisfied, if corrections decrease slowly but steadily */
    l->most = most;
    damped_newton newton = {.self = l,
                            .measure = linearize,
                            .find_step = find_step,
                            .try_share = try_share,
                            .restore = restore,
                            .iterations_max = ITERATIONS_MAX,
                            .halvings_max = HALVINGS_MAX,
                            .decrease = SUFFICIENT,
                            .solved = SOLVED,
                            .tolerated = TOLERATED};
    damped_outcome outcome = damped_newton_solve(&newton);
    return outcome == DAMPED_FOUND || (outcome == DAMPED_EXHAUSTED && newton.size <= roughly);
}

static bool solve_moving(level *l, freedom most)
{
    start_problem *m = l->m;
    for (int32_t c = 0; c < l->n_moving; c++) {
        l->weight[c] = weight_of(m, l->col[c], most);
        l->first[c] = m->values->x[m->values->place.y + (uint32_t)l->col[c]];
    }
    if (solve(l, most))
        return true;
    for (int32_t c = 0; c < l->n_moving; c++)
        m->values->x[m->values->place.y + (uint32_t)l->col[c]] = l->first[c];
    return false;
}

/* ---- outcome ---- */

static daedal_status fail_level(level *l)
{
    start_problem *m = l->m;
    char text[200];
    int32_t worst = 0;
    bool has_value = evaluate(l);
    if (!has_value)
        for (int32_t i = 0; i < l->n_rows; i++)
            if (!isfinite(l->r[i]))
                return compiled_fail_not_finite(
                    m->compiled, m->reduced->constraint[l->row[i]].value,
                    compiled_constraint_text(m->compiled, l->row[i], text, sizeof text));
    for (int32_t i = 1; i < l->n_rows; i++)
        if (fabs(l->r[i]) / l->r_scale[i] > fabs(l->r[worst]) / l->r_scale[worst])
            worst = i;
    fail(m->why, DAEDAL_ERR_START,
         "no solution near the start values: %s cannot be satisfied at t = %.10g; its residual "
         "remains at %.3g",
         compiled_constraint_text(m->compiled, l->row[worst], text, sizeof text), m->values->x[0],
         l->r[worst]);
    hint(m->why, "give start values closer to a solution, or fix fewer of them");
    set_cause(m->why, start_cause_of_row(m, true));
    return DAEDAL_ERR_START;
}

/* Start values change only where necessary.  An impulse also removes the small residual that
 * remains after those without a start value have moved. */
static bool solve_level(level *l)
{
    bool met = solve_moving(l, MOVE_WITHOUT_START);
    if (l->which == HIGHEST)
        met = solve_moving(l, MOVE_BY_IMPULSE) || met;
    return met || solve_moving(l, MOVE_ALL);
}

static daedal_status satisfy_level(start_problem *m, int32_t which)
{
    level l = {.m = m, .which = which};
    bool fine = collect_members(&l) && solve_single_unknowns(&l);
    if (fine && is_dense(&l))
        fine = least_squares_create(&l.ls, l.n_rows, l.n_cols, m->allocator);
    bool met = fine && solve_level(&l);
    daedal_status status = DAEDAL_OK;
    if (!fine || l.no_memory)
        status = fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for the constraints");
    else if (!met)
        status = fail_level(&l);
    start_impulse_free(&l.impulse);
    least_squares_free(&l.ls);
    min_norm_free(&l.sparse);
    block_free(&l.mem);
    return status;
}

daedal_status start_satisfy_constraints(start_problem *m)
{
    int32_t lowest = 0;
    for (int32_t i = 0; i < m->reduced->n_constraints; i++)
        lowest =
            m->reduced->constraint[i].level < lowest ? m->reduced->constraint[i].level : lowest;
    for (int32_t which = lowest; which < 0; which++)
        TRY(satisfy_level(m, which));
    return DAEDAL_OK;
}

/* ---- at events ---- */

/* The marks of start values, which an event replaces for a while. */
typedef struct start_marks {
    bool *fixed, *given, *by_equation;
    int32_t *n_free; /* room, by constraint */
} start_marks;

static void exchange_marks(start_problem *m, start_marks *other)
{
    start_marks before = {m->start_fixed, m->start_given, m->given_by_initial_equation,
                          other->n_free};
    m->start_fixed = other->fixed;
    m->start_given = other->given;
    m->given_by_initial_equation = other->by_equation;
    *other = before;
}

/* What stays at a new value, or at its old one, and what else may move. */
typedef enum kept_values { KEEP_ARGUMENTS, KEEP_MARKED, KEEP_NONE } kept_values;

/* By constraint: the unknowns that are not fixed; those with constant factors only, if `constant`.
 */
static void count_free(const start_problem *m, const bool *fixed, bool constant, int32_t *n_free)
{
    const compiled_constraints *c = m->compiled->constraints;
    const daedal_pattern *p = &c->pattern.view;
    memset(n_free, 0, (size_t)m->reduced->n_constraints * sizeof *n_free);
    for (int32_t j = 0; j < m->reduced->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1] && !fixed[j]; q++)
            n_free[p->row[q]] += !constant || c->is_constant[q];
}

/* A constraint with constant factors of some unknowns and varying ones of others gives the first as
 * functions of the second, y = f(x): x is fixed, and y follows.  Where nothing would be left that
 * can follow, as in x = z with a new z, the x with a constant factor there is free again. */
static void fix_arguments(const start_problem *m, const bool *is_set, bool *fixed, int32_t *n_free)
{
    const compiled_constraints *c = m->compiled->constraints;
    const daedal_pattern *p = &c->pattern.view;
    count_free(m, is_set, true, n_free);
    for (int32_t j = 0; j < m->reduced->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            fixed[j] = fixed[j] || (!c->is_constant[q] && n_free[p->row[q]] > 0);
    count_free(m, fixed, false, n_free);
    for (int32_t j = 0; j < m->reduced->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1] && !is_set[j]; q++)
            fixed[j] = fixed[j] && !(c->is_constant[q] && n_free[p->row[q]] == 0);
}

/* A constraint with one unknown gives it its value, r = 2 for a ratio that jumps, and others may
 * have one left then.  Such values are no matter of impulses, which act with the new ratio: their
 * marks `given` are taken off. */
static void release_prescribed(const start_problem *m, bool *given, int32_t *n_open)
{
    const daedal_pattern *p = &m->compiled->constraints->pattern.view;
    for (bool changed = true; changed;) {
        changed = false;
        memset(n_open, 0, (size_t)m->reduced->n_constraints * sizeof *n_open);
        for (int32_t j = 0; j < m->reduced->n; j++)
            for (int32_t q = p->start[j]; q < p->start[j + 1] && given[j]; q++)
                n_open[p->row[q]]++;
        for (int32_t j = 0; j < m->reduced->n; j++)
            for (int32_t q = p->start[j]; q < p->start[j + 1] && given[j]; q++)
                if (n_open[p->row[q]] == 1) {
                    given[j] = false;
                    changed = true;
                }
    }
}

static daedal_status satisfy_keeping(start_problem *m, start_marks *marks, const bool *is_set,
                                     kept_values kept)
{
    const int32_t *select = m->compiled->state_select;
    for (int32_t j = 0; j < m->reduced->n; j++) {
        marks->fixed[j] = kept != KEEP_NONE && is_set[j];
        marks->given[j] = kept == KEEP_NONE || (select && select[j] > 0);
    }
    if (kept == KEEP_ARGUMENTS)
        fix_arguments(m, is_set, marks->fixed, marks->n_free);
    if (kept == KEEP_NONE)
        release_prescribed(m, marks->given, marks->n_free);
    exchange_marks(m, marks);
    daedal_status status = start_satisfy_constraints(m);
    exchange_marks(m, marks);
    return status;
}

/* The next way to satisfy the constraints; -1: there is none.  Where values were set: with these
 * fixed, and with the x of constraints y = f(x), so that the y follow; then with the marked values
 * fixed and all others free, those that stateSelect asks for only where the others are not enough;
 * then with all of them as guesses, of which an impulse makes consistent values.  Where none was
 * set a constraint has jumped: the impulse comes first. */
static int next_way(int attempt, bool any_set)
{
    const int ways[2][3] = {{KEEP_NONE, KEEP_ARGUMENTS, KEEP_MARKED},
                            {KEEP_ARGUMENTS, KEEP_MARKED, KEEP_NONE}};
    return attempt < 3 ? ways[any_set][attempt] : -1;
}

static daedal_status satisfy_marked(start_problem *m, start_marks *marks, const bool *is_set,
                                    double *before)
{
    size_t n = (size_t)m->reduced->n;
    double *y = m->values->x + m->values->place.y;
    bool any_set = false;
    for (size_t j = 0; j < n; j++)
        any_set = any_set || is_set[j];
    memcpy(before, y, n * sizeof *y);
    daedal_status status = DAEDAL_OK;
    for (int k = 0, kept; (kept = next_way(k, any_set)) >= 0; k++) {
        status = satisfy_keeping(m, marks, is_set, (kept_values)kept);
        if (!failure_is(status, NUMERIC_FAILURE) || next_way(k + 1, any_set) < 0)
            break;
        diagnosis_clear(m->why);
        memcpy(y, before, n * sizeof *y);
    }
    return status;
}

daedal_status start_satisfy_after_reinit(void *start, const bool *is_set)
{
    start_problem *m = start;
    size_t n = (size_t)m->reduced->n_system;
    bool *room = memory_take_array(m->allocator, 3 * n, sizeof *room);
    double *before = memory_take_array(m->allocator, n, sizeof *before);
    size_t rows = (size_t)m->reduced->n_constraints + 1;
    int32_t *n_free = memory_take_array(m->allocator, rows, sizeof *n_free);
    start_marks marks = {room, room + n, room + 2 * n, n_free};
    daedal_status status = room && before && n_free
                               ? satisfy_marked(m, &marks, is_set, before)
                               : fail(m->why, DAEDAL_ERR_MEMORY, "out of memory at an event");
    memory_give(m->allocator, room, 3 * n * sizeof *room);
    memory_give(m->allocator, before, n * sizeof *before);
    memory_give(m->allocator, n_free, rows * sizeof *n_free);
    return status;
}
