/* reduce/repair.c - see repair.h.
 *
 * Rows of the scaled Jacobian are taken in the order of descending offsets c, so that of a
 * dependent set the last one has the smallest: it is the one to be replaced, and the others
 * are differentiated c_i - c_l times.  A set is accepted if its coefficients are the same at
 * two generic points.                                                            */
#include "reduce/repair.h"

#include <math.h>
#include <string.h>

#include "linalg/least_squares.h"
#include "linalg/scaling.h"
#include "reduce/combine.h"

static const double DEPENDENT = 1e-11; /* relative length of a row without the earlier ones  */
static const double SAME = 1e-7;       /* relative: coefficients at two points agree         */
static const double NEGLIGIBLE = 1e-9; /* of the largest coefficient: it is zero             */
static const double CLEAR = 1e-8;      /* pivot of an equilibrated matrix: it is regular     */
static const double CANCELLED = 1e-8;  /* of the terms: a leading unknown has cancelled      */
static const double RATIONAL = 1e-10;  /* relative: a coefficient is a fraction              */
enum { DENOMINATOR_MAX = 360 };        /* of that fraction: divisible by 1 to 6, 8, 9, 10    */

typedef struct leading {
    int32_t row, col;
    expr slope;
} leading;

typedef struct rank_test {
    const repair_task *task;
    int32_t n;            /* equations of the part; rows and columns are numbered in it  */
    int32_t *number;      /* their numbers in the system                                 */
    int32_t *unknown_at;  /* by column                                                   */
    const int32_t *block; /* by row: its diagonal block                                 */
    leading *entry;
    size_t n_entries, capacity;
    int32_t *order; /* rows by descending c */
    double *j;      /* rows of the Jacobian, one after another, scaled */
    double *basis;  /* orthonormal, as many as rows were independent   */
    double *row_scale, *work;
    double *u[2];    /* coefficients by row, at the two points           */
    bool *nonlinear; /* by row: in leading unknowns                   */
    block mem;
} rank_test;

static void lay_out(void *object, layout *l)
{
    rank_test *t = object;
    size_t n = (size_t)t->n;
    t->order = layout_take(l, n, sizeof(int32_t));
    t->number = layout_take(l, n, sizeof(int32_t));
    t->unknown_at = layout_take(l, n, sizeof(int32_t));
    t->nonlinear = layout_take(l, n, sizeof *t->nonlinear);
    t->j = layout_take(l, n * n, sizeof(double));
    t->basis = layout_take(l, n * n, sizeof(double));
    t->row_scale = layout_take(l, n, sizeof(double));
    t->work = layout_take(l, n * n + n, sizeof(double));
    t->u[0] = layout_take(l, n, sizeof(double));
    t->u[1] = layout_take(l, n, sizeof(double));
}

/* ---- the Jacobian of the leading unknowns ---- */

static bool is_unknown(void *user, uint32_t symbol)
{
    const repair_task *task = user;
    return task->system->place(task->system->user, symbol).unknown >= 0;
}

static bool add_entry(rank_test *t, leading e)
{
    const daedal_allocator *a = t->task->allocator;
    if (t->n_entries == t->capacity) {
        size_t more = t->capacity ? 2 * t->capacity : 256;
        leading *grown = memory_take_array(a, more, sizeof *grown);
        if (!grown)
            return false;
        if (t->n_entries)
            memcpy(grown, t->entry, t->n_entries * sizeof *grown);
        memory_give(a, t->entry, t->capacity * sizeof *t->entry);
        t->entry = grown;
        t->capacity = more;
    }
    t->entry[t->n_entries++] = e;
    return true;
}

bool repair_is_leading(const repair_task *task, int32_t row, equations_place at)
{
    return task->offsets->d[at.unknown] - task->offsets->c[row] == at.order;
}

/* True if the derivative itself depends on leading unknowns. */
static bool is_nonlinear(const repair_task *task, int32_t row, expr slope)
{
    expr_walker *w = task->walker;
    const equations *s = task->system;
    expr_walker_forget(w);
    if (expr_is_constant(s->g, slope) || !expr_depends(w, slope, EXPR_INCIDENCE))
        return false;
    for (size_t k = 0; k < w->n_found; k++) {
        equations_place at = s->place(s->user, expr_index(s->g, w->found[k]));
        if (at.unknown >= 0 && repair_is_leading(task, row, at))
            return true;
    }
    return false;
}

/* True if some row is nonlinear in leading unknowns. */
static bool mark_nonlinear(rank_test *t)
{
    bool any = false;
    for (size_t k = 0; k < t->n_entries; k++) {
        const leading *e = &t->entry[k];
        t->nonlinear[e->row] =
            t->nonlinear[e->row] || is_nonlinear(t->task, t->number[e->row], e->slope);
        any = any || t->nonlinear[e->row];
    }
    return any;
}

/* false: out of memory, or something has no derivative. */
static bool list_entries(rank_test *t)
{
    const repair_task *task = t->task;
    const equations *s = task->system;
    bool fine = true;
    for (int32_t i = 0; i < t->n && fine; i++) {
        expr_gradient g = {0};
        fine = expr_gradient_of(task->deriver, s->residual[t->number[i]], &g, NULL) == EXPR_OK;
        for (size_t k = 0; k < g.n && fine; k++) {
            equations_place at = s->place(s->user, g.entry[k].variable);
            int32_t column = task->column[at.unknown];
            if (column >= 0 && repair_is_leading(task, t->number[i], at))
                fine = add_entry(t, (leading){i, column, g.entry[k].derivative});
        }
    }
    return fine;
}

typedef struct sampled {
    const repair_task *task;
    int sample;
} sampled;

static double sampled_value(void *user, uint32_t symbol)
{
    const sampled *s = user;
    return s->task->value(s->task->user, s->sample, symbol);
}

static int sampled_call(void *user, uint32_t function, const double *args, double *outputs)
{
    const sampled *s = user;
    return s->task->call ? s->task->call(s->task->user, function, args, outputs) : 1;
}

static bool evaluate(rank_test *t, int sample)
{
    sampled at = {t->task, sample};
    expr_source from = {sampled_value, sampled_call, &at};
    memset(t->j, 0, (size_t)t->n * (size_t)t->n * sizeof(double));
    for (size_t k = 0; k < t->n_entries; k++) {
        double v = 0.0;
        if (expr_evaluate(t->task->system->g, t->entry[k].slope, &from, &v) != 0 || !isfinite(v))
            return false;
        t->j[(size_t)t->entry[k].row * (size_t)t->n + (size_t)t->entry[k].col] = v;
    }
    return true;
}

/* Largest entries of rows and columns near one. */
static void equilibrate(rank_test *t)
{
    enum { SWEEPS = 8 };
    scaling_by_roots(t->j, t->n, t->n, SWEEPS, t->row_scale, t->work);
}

/* Most systems are regular, which elimination finds in a fraction of the time. */
static bool is_clearly_regular(rank_test *t)
{
    size_t n = (size_t)t->n;
    double *a = t->basis;
    memcpy(a, t->j, n * n * sizeof *a);
    for (size_t k = 0; k < n; k++) {
        size_t p = k;
        for (size_t i = k + 1; i < n; i++)
            p = fabs(a[i * n + k]) > fabs(a[p * n + k]) ? i : p;
        if (fabs(a[p * n + k]) < CLEAR)
            return false;
        for (size_t j = k; j < n && p != k; j++) {
            double other = a[k * n + j];
            a[k * n + j] = a[p * n + j];
            a[p * n + j] = other;
        }
        for (size_t i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (size_t j = k + 1; j < n && factor != 0.0; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return true;
}

/* A blocking diode has a derivative of 1e-14 among others of size one.  Such an entry is small but
 * not zero; whether it matters shows after rows and columns are scaled to a common mean. */
static bool is_regular_when_centred(rank_test *t, int sample)
{
    if (!evaluate(t, sample))
        return true;
    scaling_to_middle(t->j, t->n, 20);
    equilibrate(t);
    return is_clearly_regular(t);
}

/* ---- dependent rows ---- */

static int32_t offset_of(const rank_test *t, int32_t row)
{
    return t->task->offsets->c[t->number[row]];
}

static void sort_rows(rank_test *t)
{
    for (int32_t i = 0; i < t->n; i++) {
        int32_t k = i;
        for (; k > 0 && offset_of(t, t->order[k - 1]) < offset_of(t, i); k--)
            t->order[k] = t->order[k - 1];
        t->order[k] = i;
    }
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Orthogonalize against the basis, twice against rounding; returns the relative length that
 * remains. */
static double project_out(rank_test *t, const double *row, int32_t n_basis)
{
    size_t n = (size_t)t->n;
    double *v = t->basis + (size_t)n_basis * n, before = sqrt(dot(row, row, n));
    memcpy(v, row, n * sizeof *v);
    for (int pass = 0; pass < 2; pass++)
        for (int32_t k = 0; k < n_basis; k++) {
            const double *q = t->basis + (size_t)k * n;
            double along = dot(v, q, n);
            for (size_t i = 0; i < n; i++)
                v[i] -= along * q[i];
        }
    double left = sqrt(dot(v, v, n));
    for (size_t i = 0; i < n && left > 0.0; i++)
        v[i] /= left;
    return before > 0.0 ? left / before : 0.0;
}

/* The place in `order` of the first row that depends on earlier ones; n: none. */
static int32_t first_dependent(rank_test *t)
{
    for (int32_t k = 0; k < t->n; k++)
        if (project_out(t, t->j + (size_t)t->order[k] * (size_t)t->n, k) < DEPENDENT)
            return k;
    return t->n;
}

/* u with sum u_i row_i = 0 over the first k + 1 rows, u = 1 for the last. */
static bool coefficients(rank_test *t, int32_t k, double *u)
{
    size_t n = (size_t)t->n;
    least_squares ls;
    memset(u, 0, n * sizeof *u);
    u[t->order[k]] = 1.0;
    if (k == 0)
        return true;
    if (!least_squares_create(&ls, t->n, k, t->task->allocator))
        return false;
    double *a = t->work, *b = t->work + n * n;
    for (int32_t c = 0; c < k; c++)
        memcpy(a + (size_t)c * n, t->j + (size_t)t->order[c] * n, n * sizeof *a);
    memcpy(b, t->j + (size_t)t->order[k] * n, n * sizeof *b);
    least_squares_solve(&ls, a, b);
    least_squares_free(&ls);
    for (int32_t c = 0; c < k; c++) {
        int32_t i = t->order[c];
        u[i] = -b[c] * t->row_scale[i] / t->row_scale[t->order[k]];
    }
    return true;
}

static void drop_negligible(rank_test *t, double *u)
{
    double most = 0.0;
    for (int32_t i = 0; i < t->n; i++)
        most = fmax(most, fabs(u[i]));
    for (int32_t i = 0; i < t->n; i++)
        u[i] = fabs(u[i]) <= NEGLIGIBLE * most ? 0.0 : u[i];
}

static bool same_coefficients(const rank_test *t)
{
    for (int32_t i = 0; i < t->n; i++)
        if (fabs(t->u[0][i] - t->u[1][i]) > SAME * fmax(fabs(t->u[0][i]), 1.0))
            return false;
    return true;
}

/* A fraction with a small denominator that equals x up to rounding, or x itself. */
static double rationalise(double x)
{
    for (int q = 1; q <= DENOMINATOR_MAX; q++) {
        double p = round(x * q);
        if (fabs(p / q - x) <= RATIONAL * fmax(fabs(x), 1.0))
            return p / q;
    }
    return x;
}

/* ---- replacing a row ---- */

expr repair_differentiate(const repair_task *task, expr e, int32_t times)
{
    for (; times > 0 && e != EXPR_NONE; times--)
        e = task->derivative(task->user, e);
    return e;
}

/* True if e contains no leading unknown of the row. */
static bool has_no_leading(rank_test *t, int32_t row, expr e)
{
    const equations *s = t->task->system;
    expr_walker *w = t->task->walker;
    expr_walker_forget(w);
    bool is_removed = expr_depends(w, e, EXPR_INCIDENCE);
    for (size_t k = 0; k < w->n_found && is_removed; k++) {
        equations_place at = s->place(s->user, expr_index(s->g, w->found[k]));
        is_removed = at.unknown < 0 || !repair_is_leading(t->task, row, at);
    }
    return is_removed;
}

/* Leading unknowns cancel by construction: remove what rounding leaves of them. */
static void drop_leading(const rank_test *t, int32_t row, combination *sum)
{
    const equations *s = t->task->system;
    for (size_t k = 0; k < sum->n; k++) {
        combined_term *q = &sum->term[k];
        if (q->term == EXPR_NONE || !expr_is_variable(s->g, q->term) ||
            fabs(q->factor) > CANCELLED * q->size)
            continue;
        equations_place at = s->place(s->user, expr_index(s->g, q->term));
        if (at.unknown >= 0 && repair_is_leading(t->task, row, at))
            q->factor = 0.0;
    }
}

static repair_verdict replace(rank_test *t, int32_t row)
{
    const repair_task *task = t->task;
    equations *s = task->system;
    combination sum;
    bool fine = true;
    combination_create(&sum, s->g, task->allocator);
    for (int32_t i = 0; i < t->n && fine; i++) {
        if (t->u[0][i] == 0.0)
            continue;
        expr e = repair_differentiate(task, s->residual[t->number[i]],
                                      offset_of(t, i) - offset_of(t, row));
        fine = e != EXPR_NONE;
        if (fine)
            combination_add(&sum, e, rationalise(t->u[0][i]));
    }
    fine = fine && !sum.crowded;
    drop_leading(t, t->number[row], &sum);
    expr e = fine ? combination_sum(&sum) : EXPR_NONE;
    bool failed = sum.failed || s->g->failed;
    combination_free(&sum);
    if (failed)
        return REPAIR_NO_MEMORY;
    if (!fine || !has_no_leading(t, t->number[row], e))
        return REPAIR_IMPOSSIBLE;
    s->residual[t->number[row]] = e;
    return REPAIR_DONE;
}

/* The equations of the dependent set, the one to be replaced last. */
static void list_rows(const rank_test *t, int32_t row, repair_set *found)
{
    found->n_rows = 0;
    for (int32_t i = 0; i < t->n; i++)
        if (i != row && (t->u[0][i] != 0.0 || t->u[1][i] != 0.0))
            found->row[found->n_rows++] = i;
    found->row[found->n_rows++] = row;
}

/* By entry: those that vary may vanish along a run and are poorer pivots. */
static const double *entry_weights(rank_test *t)
{
    const double varying = 0.1;
    size_t n = (size_t)t->n;
    double *weight = t->work;
    for (size_t k = 0; k < n * n; k++)
        weight[k] = varying;
    for (size_t k = 0; k < t->n_entries; k++)
        if (expr_is_constant(t->task->system->g, t->entry[k].slope))
            weight[(size_t)t->entry[k].row * n + (size_t)t->entry[k].col] = 1.0;
    return weight;
}

/* Columns by elimination with complete pivoting on weighted entries. */
static void list_columns(rank_test *t, repair_set *found)
{
    size_t n = (size_t)t->n, rows = (size_t)found->n_rows;
    double *a = t->basis;
    const double *weight = entry_weights(t);
    for (size_t i = 0; i < rows; i++)
        memcpy(a + i * n, t->j + (size_t)found->row[i] * n, n * sizeof *a);
    for (found->n_cols = 0; found->n_cols < found->n_rows - 1; found->n_cols++) {
        size_t most = 0;
        double heaviest = 0.0;
        for (size_t k = 0; k < rows * n; k++) {
            double w = fabs(a[k]) * weight[(size_t)found->row[k / n] * n + k % n];
            if (w > heaviest) {
                heaviest = w;
                most = k;
            }
        }
        double *pivot = a + most / n * n, top = a[most];
        if (heaviest == 0.0)
            return;
        for (size_t i = 0; i < rows; i++) {
            double *row = a + i * n, factor = row[most % n] / top;
            for (size_t k = 0; k < n && row != pivot; k++)
                row[k] = k == most % n ? 0.0 : row[k] - factor * pivot[k];
        }
        memset(pivot, 0, n * sizeof *pivot);
        found->col[found->n_cols] = (int32_t)(most % n);
    }
}

/* REPAIR_DONE: a dependent set was found, with *row to be replaced. */
static repair_verdict find_set(rank_test *t, int32_t *row)
{
    for (int sample = 0; sample < 2; sample++) {
        if (!evaluate(t, sample))
            return REPAIR_NOT_NEEDED; /* it cannot be evaluated */
        equilibrate(t);
        if (is_clearly_regular(t))
            return REPAIR_NOT_NEEDED;
        int32_t k = first_dependent(t);
        if (k == t->n || is_regular_when_centred(t, sample))
            return REPAIR_NOT_NEEDED;
        evaluate(t, sample);
        equilibrate(t);
        *row = t->order[k];
        if (!coefficients(t, k, t->u[sample]))
            return REPAIR_NO_MEMORY;
        drop_negligible(t, t->u[sample]);
    }
    return REPAIR_DONE;
}

/* For linear equations any point is good enough.  For others, points on solutions are computed if a
 * decision depends on them, or if they are cheap.                                                */
static bool needs_solution_point(const rank_test *t, repair_verdict verdict)
{
    enum { CHEAP = 20 };
    return t->task->settle && (verdict == REPAIR_DONE || t->n <= CHEAP);
}

/* The smaller one of the coefficients at the two points: how safely the equation can be replaced.
 */
static double weight_of(const rank_test *t, int32_t i)
{
    return fmin(fabs(t->u[0][i]), fabs(t->u[1][i]));
}

/* Of the equations that could be replaced, prefer one that is nonlinear: the remaining ones must
 * determine the leading unknowns, also at points off the solutions.  If coefficients vary, prefer
 * the one with the largest, because others may vanish along the run.    */
static int32_t choose_row(const rank_test *t, int32_t row, bool varies)
{
    const double larger = 1.5;
    int32_t best = row;
    for (int32_t i = 0; i < t->n; i++) {
        if (offset_of(t, i) != offset_of(t, row) || weight_of(t, i) == 0.0 ||
            t->block[i] != t->block[row])
            continue; /* equations that other blocks need stay */
        bool heavier = varies && weight_of(t, i) > larger * weight_of(t, best);
        if (t->nonlinear[i] != t->nonlinear[best] ? t->nonlinear[i] : heavier)
            best = i;
    }
    return best;
}

/* Scale the coefficients so that the row has coefficient one. */
static void normalise(rank_test *t, int32_t row)
{
    for (int s = 0; s < 2; s++) {
        double one = t->u[s][row];
        for (int32_t i = 0; i < t->n; i++)
            t->u[s][i] /= one;
    }
}

/* ---- other branches ---- */

static bool may_switch(expr_op op)
{
    switch (op) {
    case EXPR_IF:
    case EXPR_ABS:
    case EXPR_SIGN:
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_FLOOR:
    case EXPR_CEIL:
    case EXPR_INTEGER:
    case EXPR_IDIV:
        return true;
    default:
        return false;
    }
}

bool repair_is_switching(const repair_task *task, expr e)
{
    const expr_graph *g = task->system->g;
    expr_walker *w = task->walker;
    expr_walker_forget(w);
    if (expr_is_constant(g, e) || !expr_walk(w, e, EXPR_ALL))
        return false;
    for (size_t k = 0; k < w->n_found; k++) {
        expr part = w->found[k];
        if (may_switch(expr_op_of(g, part)) ||
            (expr_is_variable(g, part) && task->switches(task->user, expr_index(g, part))))
            return true;
    }
    return false;
}

/* True if the rows may be dependent on the current branch only. */
static bool depends_on_branch(const rank_test *t)
{
    for (size_t k = 0; k < t->n_entries; k++) {
        const leading *e = &t->entry[k];
        if ((t->u[0][e->row] != 0.0 || t->u[1][e->row] != 0.0) &&
            repair_is_switching(t->task, e->slope))
            return true;
    }
    return false;
}

/* Equations that determine all leading unknowns at a point where they hold have a solution through
 * it, by the implicit function theorem, so that their structure is right.  Points on solutions may
 * still be singular ones: x = 1, y = 0 of x' = y, y^2 + 1 = x. */
static bool is_regular_elsewhere(rank_test *t)
{
    int32_t row = -1;
    return t->task->offsets->differentiations == 0 && t->task->settle(t->task->user, true) &&
           find_set(t, &row) == REPAIR_NOT_NEEDED;
}

/* An equation such as f = g (x' - y) has a singular matrix on solutions, where x' = y, but a
 * regular one at other points, because of the derivatives of g.  Therefore points on solutions are
 * used.                        */
static repair_verdict examine(rank_test *t, repair_set *found)
{
    const repair_task *task = t->task;
    int32_t row = -1;
    sort_rows(t);
    if (!list_entries(t))
        return REPAIR_NOT_NEEDED;
    repair_verdict verdict = find_set(t, &row);
    bool is_singular = verdict == REPAIR_DONE; /* at generic points, too */
    if (needs_solution_point(t, verdict) && mark_nonlinear(t) && task->settle(task->user, false)) {
        verdict = find_set(t, &row);
        if (verdict == REPAIR_DONE && !is_singular) {
            if (is_regular_elsewhere(t))
                return REPAIR_NOT_NEEDED;
            task->settle(task->user, false);
            verdict = find_set(t, &row);
        }
    }
    if (verdict != REPAIR_DONE)
        return verdict;
    if (depends_on_branch(t))
        return REPAIR_NOT_NEEDED;
    row = choose_row(t, row, !same_coefficients(t));
    normalise(t, row);
    list_rows(t, row, found);
    list_columns(t, found);
    for (int32_t k = 0; k < found->n_rows; k++)
        found->row[k] = t->number[found->row[k]];
    for (int32_t k = 0; k < found->n_cols; k++)
        found->col[k] = t->unknown_at[found->col[k]];
    return same_coefficients(t) ? replace(t, row) : REPAIR_IMPOSSIBLE;
}

/* ---- parts ---- */

bool repair_open(repair_task *task)
{
    size_t n = (size_t)task->system->n_unknowns;
    expr_selection selection = {is_unknown, task, task->partials};
    task->deriver = expr_deriver_create(task->system->g, &selection);
    task->substituter = memory_take(task->allocator, sizeof *task->substituter);
    task->column = memory_take_array(task->allocator, n, sizeof *task->column);
    if (task->substituter) {
        expr_substituter_create(task->substituter, task->system->g);
        task->walker = &task->substituter->w;
    }
    for (size_t j = 0; j < n && task->column; j++)
        task->column[j] = -1;
    return task->deriver && task->substituter && task->column;
}

void repair_close(repair_task *task)
{
    expr_deriver_free(task->deriver);
    if (task->substituter)
        expr_substituter_free(task->substituter);
    memory_give(task->allocator, task->substituter, sizeof *task->substituter);
    memory_give(task->allocator, task->column,
                (size_t)task->system->n_unknowns * sizeof *task->column);
    task->deriver = NULL;
    task->substituter = NULL;
    task->column = NULL;
}

static bool begin(rank_test *t, const repair_task *task, const repair_part *part)
{
    *t = (rank_test){.task = task, .n = part->n, .block = part->of};
    if (!block_create(&t->mem, task->allocator, lay_out, t))
        return false;
    for (int32_t k = 0; k < t->n; k++) {
        t->number[k] = part->row[k];
        t->unknown_at[k] = part->col[k];
        task->column[t->unknown_at[k]] = k;
    }
    return true;
}

static void end(rank_test *t)
{
    for (int32_t k = 0; k < t->n; k++)
        t->task->column[t->unknown_at[k]] = -1;
    memory_give(t->task->allocator, t->entry, t->capacity * sizeof *t->entry);
    block_free(&t->mem);
}

bool repair_is_singular(const repair_task *task, const repair_part *part)
{
    rank_test t;
    bool singular = false;
    int32_t row;
    if (part->n >= 2 && part->n <= REPAIR_MAX && begin(&t, task, part)) {
        sort_rows(&t);
        singular = list_entries(&t) && find_set(&t, &row) == REPAIR_DONE;
        end(&t);
    }
    return singular;
}

repair_verdict repair_once(const repair_task *task, const repair_part *part, repair_set *found)
{
    rank_test t;
    found->n_rows = found->n_cols = 0;
    if (part->n < 2 || part->n > REPAIR_MAX || task->system->n != task->system->n_unknowns)
        return REPAIR_NOT_NEEDED;
    if (!begin(&t, task, part))
        return REPAIR_NO_MEMORY;
    repair_verdict verdict = examine(&t, found);
    end(&t);
    return verdict;
}
