/* initial/start_conflict.c - see start_rows.h: conditions of the start that contradict each other.
 *
 * The hard rows (equations, constraints, initial equations, fixed values), linearized where
 * Gauss-Newton came to rest, are inconsistent there if their least-squares residual is not
 * zero.  That residual is a left null vector: the rows in which it is not zero contradict
 * each other.  From these, rows are removed as long as the rest is still contradictory (a
 * deletion filter); the result is minimal.  A set that is dependent at this point only
 * (x = 1.5 on a circle of radius 1, y free) does not contradict itself; it has no solution
 * nearby.                                                                        */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "initial/start_rows.h"
#include "linalg/least_squares.h"

enum { COLUMNS_MAX = 400, FILTERED_MAX = 120, LISTED_MAX = 6 };

typedef struct conflict {
    start_problem *m;
    start_rows *s;
    int32_t n_rows, n_cols;
    int32_t *row;  /* numbers of the hard rows                             */
    int32_t *at;   /* by row of s: its place in that list, or -1           */
    bool *in;      /* by hard row: it belongs to the set                   */
    double *a, *b; /* all of them, scaled; by columns                      */
    double *first;
    double *ended;                  /* by column: where Gauss-Newton ended                  */
    bool *flat;                     /* by varying entry: zero where fixed values differ, too */
    double *part, *solution, *rest; /* the set, its solution and residual */
    int32_t *member, *column;       /* rows and columns of the set         */
    block mem;
} conflict;

static void lay_out(void *object, layout *l)
{
    conflict *k = object;
    size_t rows = (size_t)k->n_rows, cols = (size_t)k->n_cols;
    k->row = layout_take(l, rows, sizeof(int32_t));
    k->at = layout_take(l, (size_t)k->s->n_exprs + cols, sizeof(int32_t));
    k->in = layout_take(l, rows, sizeof(bool));
    k->a = layout_take(l, rows * cols, sizeof(double));
    k->part = layout_take(l, rows * cols, sizeof(double));
    k->b = layout_take(l, rows, sizeof(double));
    k->first = layout_take(l, rows, sizeof(double));
    k->ended = layout_take(l, cols, sizeof(double));
    k->flat = layout_take(l, start_rows_varying(k->s), sizeof(bool));
    k->rest = layout_take(l, rows, sizeof(double));
    k->solution = layout_take(l, rows + cols, sizeof(double));
    k->member = layout_take(l, rows, sizeof(int32_t));
    k->column = layout_take(l, cols, sizeof(int32_t));
}

static bool open_conflict(conflict *k)
{
    const start_rows *s = k->s;
    k->n_cols = s->n_columns;
    for (int32_t i = 0; i < s->n_exprs + s->n_columns; i++)
        k->n_rows += start_rows_is_hard(s, i);
    if (!block_create(&k->mem, k->m->allocator, lay_out, k))
        return false;
    k->n_rows = 0;
    for (int32_t i = 0; i < s->n_exprs + s->n_columns; i++) {
        k->at[i] = start_rows_is_hard(s, i) ? k->n_rows : -1;
        if (k->at[i] >= 0)
            k->row[k->n_rows++] = i;
    }
    return true;
}

/* The rows at z, scaled by their largest entries. */
static bool linearize(conflict *k, const double *z)
{
    start_rows *s = k->s;
    size_t rows = (size_t)k->n_rows;
    if (!start_rows_slopes(k->m, s, z) || !start_rows_evaluate(k->m, s, z))
        return false;
    memset(k->a, 0, rows * (size_t)k->n_cols * sizeof(double));
    for (size_t e = 0; e < s->n_entries; e++) {
        const row_entry *entry = &s->entry[e];
        k->a[(size_t)entry->column * rows + (size_t)k->at[entry->row]] =
            s->value[e] * s->weight[entry->column];
    }
    for (int32_t c = 0; c < k->n_cols; c++)
        if (k->at[s->n_exprs + c] >= 0)
            k->a[(size_t)c * rows + (size_t)k->at[s->n_exprs + c]] = s->weight[c];
    for (size_t i = 0; i < rows; i++) {
        double most = 0.0;
        for (size_t c = 0; c < (size_t)k->n_cols; c++)
            most = fmax(most, fabs(k->a[c * rows + i]));
        double scale = most > 0.0 ? 1.0 / most : 1.0;
        for (size_t c = 0; c < (size_t)k->n_cols; c++)
            k->a[c * rows + i] *= scale;
        k->b[i] = -s->r[k->row[i]] * scale;
    }
    return true;
}

/* The rows of the set and the columns they have entries in. */
static void collect_part(conflict *k, int32_t *rows, int32_t *cols)
{
    *rows = *cols = 0;
    for (int32_t i = 0; i < k->n_rows; i++)
        if (k->in[i])
            k->member[(*rows)++] = i;
    for (int32_t c = 0; c < k->n_cols; c++) {
        bool used = false;
        for (int32_t i = 0; i < *rows && !used; i++)
            used = k->a[(size_t)c * (size_t)k->n_rows + (size_t)k->member[i]] != 0.0;
        if (used)
            k->column[(*cols)++] = c;
    }
}

static double entry_of(const conflict *k, int32_t i, int32_t c)
{
    return k->a[(size_t)k->column[c] * (size_t)k->n_rows + (size_t)k->member[i]];
}

/* The largest residual (in rest) of the least-squares solution of the set; < 0: out of memory. */
static double remaining_residual(conflict *k, const double *b)
{
    int32_t rows, cols;
    least_squares ls = {0};
    collect_part(k, &rows, &cols);
    for (int32_t c = 0; c < cols; c++)
        for (int32_t i = 0; i < rows; i++)
            k->part[(size_t)c * (size_t)rows + (size_t)i] = entry_of(k, i, c);
    for (int32_t i = 0; i < rows; i++)
        k->solution[i] = b[k->member[i]];
    bool fine = cols == 0 || least_squares_create(&ls, rows, cols, k->m->allocator);
    if (fine && cols)
        least_squares_solve(&ls, k->part, k->solution);
    least_squares_free(&ls);
    double most = fine ? 0.0 : -1.0;
    memset(k->rest, 0, (size_t)k->n_rows * sizeof(double));
    for (int32_t i = 0; i < rows && fine; i++) {
        double left = b[k->member[i]];
        for (int32_t c = 0; c < cols; c++)
            left -= entry_of(k, i, c) * k->solution[c];
        k->rest[k->member[i]] = left;
        most = fmax(most, fabs(left));
    }
    return most;
}

static const double CONFLICT = 1e-7;  /* scaled residual, relative to unknowns: not solvable */
static const double SUPPORT = 1e-6;   /* of the largest residual: the row takes part         */
static const double FLAT = 1e-6;      /* scaled entry: the function is flat at this point     */
static const double NEIGHBOUR = 0.01; /* relative distance of the neighbouring point         */
static const double GENERIC = 1e-3;   /* of the residual: the set is dependent there, too     */

/* Rows in which the residual is zero take no part in the contradiction. */
static int32_t keep_support(conflict *k, double most)
{
    int32_t n = 0;
    for (int32_t i = 0; i < k->n_rows; i++) {
        k->in[i] = k->in[i] && fabs(k->rest[i]) > SUPPORT * most;
        n += k->in[i];
    }
    return n;
}

/* Remove rows that are not needed for the contradiction; false: the rows do not contradict each
 * other. */
static bool filter(conflict *k)
{
    double most = remaining_residual(k, k->b);
    if (most <= CONFLICT)
        return false;
    int32_t n = keep_support(k, most);
    if (n > FILTERED_MAX)
        return false;
    for (int32_t at = 0; at < n;) {
        int32_t cols;
        collect_part(k, &n, &cols);
        if (at >= n)
            break;
        int32_t tried = k->member[at];
        k->in[tried] = false;
        most = remaining_residual(k, k->b);
        if (most > CONFLICT) {
            n = keep_support(k, most);
        } else {
            k->in[tried] = true;
            at++; /* it belongs to every contradictory subset */
        }
    }
    return remaining_residual(k, k->b) > CONFLICT;
}

/* A point beside z.  Fixed values are not moved, because dependence that they cause is real, unless
 * `all` is true.                                                                  */
static void choose_neighbour(conflict *k, bool all)
{
    start_rows *s = k->s;
    uint64_t random = RANDOM_SEED;
    for (int32_t c = 0; c < k->n_cols; c++) {
        double part = random_uniform(&random, 0.5, 1.5);
        bool moves = all || k->at[s->n_exprs + c] < 0;
        s->step[c] = s->z[c] + (moves ? NEIGHBOUR * part * (1.0 + fabs(s->z[c])) : 0.0);
    }
}

static double *entry_in(const conflict *k, size_t varying)
{
    const start_rows *s = k->s;
    const row_entry *entry = &s->entry[s->root_entry[varying]];
    return &k->a[(size_t)entry->column * (size_t)k->n_rows + (size_t)k->at[entry->row]];
}

/* An entry that varies and is nearly zero here would not be so at other points: replace it, unless
 * only other fixed values would change it.                                       */
static void perturb_flat_entries(conflict *k)
{
    uint64_t random = RANDOM_SEED;
    for (size_t e = 0; e < start_rows_varying(k->s); e++) {
        double *a = entry_in(k, e), part = random_uniform(&random, 0.5, 1.5);
        if (fabs(*a) < FLAT && k->flat[e])
            *a = part;
    }
}

/* True if the set is dependent at a neighbouring point, too. */
static bool is_generic(conflict *k)
{
    memcpy(k->first, k->rest, (size_t)k->n_rows * sizeof(double));
    double before = 0.0;
    for (int32_t i = 0; i < k->n_rows; i++)
        before = fmax(before, fabs(k->first[i]));
    choose_neighbour(k, true);
    bool known = linearize(k, k->s->step);
    for (size_t e = 0; e < start_rows_varying(k->s); e++)
        k->flat[e] = !known || fabs(*entry_in(k, e)) < FLAT;
    choose_neighbour(k, false);
    if (!linearize(k, k->s->step))
        return false;
    perturb_flat_entries(k);
    return remaining_residual(k, k->first) > GENERIC * before;
}

/* ---- messages ---- */

/* Fixed values that an equation needs for its algebraic unknown are the state of the system, as
 * long as there are not too many; those that a constraint binds could be chosen otherwise. */
daedal_cause start_cause_of_row(const start_problem *m, bool of_states)
{
    int32_t conditions = (int32_t)m->n_initial_rows;
    for (int32_t j = 0; j < m->reduced->n; j++)
        conditions += m->start_fixed[j];
    bool too_many = conditions > m->reduced->report->degrees_of_freedom;
    return too_many || (of_states && conditions > 0) ? DAEDAL_CAUSE_INCONSISTENT_START
                                                     : DAEDAL_CAUSE_NO_SOLUTION;
}

static daedal_status fail_conflict(conflict *k)
{
    start_problem *m = k->m;
    char text[420] = "", name[200];
    int32_t rows, cols, equation = -1, variable = -1;
    bool has_condition = false; /* an initial equation, or a fixed value */
    collect_part(k, &rows, &cols);
    for (int32_t i = 0; i < rows; i++) {
        int32_t row = k->row[k->member[i]];
        if (row < m->reduced->n && equation < 0)
            equation = row;
        has_condition = has_condition || row >= k->s->n_equations;
        if (row >= k->s->n_exprs && row - k->s->n_exprs < m->reduced->n && variable < 0)
            variable = row - k->s->n_exprs;
        if (i >= LISTED_MAX)
            continue;
        text_append(text, sizeof text, "%s%s",
                    i == 0          ? ""
                    : i == rows - 1 ? " and "
                                    : ", ",
                    start_rows_name(m, k->s, row, name, sizeof name));
    }
    if (rows > LISTED_MAX)
        text_append(text, sizeof text, " and %d more", (int)(rows - LISTED_MAX));
    fail(m->why, DAEDAL_ERR_START, "no consistent start at t = %.10g: %s %s", m->values->x[0], text,
         rows == 1 ? "cannot hold" : "contradict each other");
    hint(m->why, "remove or change one of these; a start value that is not fixed is only a guess");
    if (!has_condition)
        set_cause(m->why, DAEDAL_CAUSE_NO_SOLUTION);
    blame(m->why, m->values->x[0], equation, variable);
    return DAEDAL_ERR_START;
}

/* A fixed value belongs to the set also where an equation of the set is flat in it only because
 * of that value, as x^2 + y^2 = 1 is in y at y = 0.                              */
static void add_fixed_values(conflict *k)
{
    const start_rows *s = k->s;
    for (size_t e = 0; e < start_rows_varying(s); e++) {
        const row_entry *entry = &s->entry[s->root_entry[e]];
        int32_t at = k->at[s->n_exprs + entry->column];
        if (k->in[k->at[entry->row]] && at >= 0 && !k->flat[e] && fabs(*entry_in(k, e)) < FLAT)
            k->in[at] = true;
    }
}

static bool find_at(conflict *k)
{
    if (!linearize(k, k->s->z))
        return false;
    for (int32_t i = 0; i < k->n_rows; i++)
        k->in[i] = true;
    if (!filter(k) || !is_generic(k))
        return false;
    add_fixed_values(k);
    return true;
}

/* s->z is where Gauss-Newton ended, a compromise that violates rows which hold by themselves.  So
 * the rows are first examined with the fixed values as they were given.          */
static bool find(conflict *k)
{
    start_rows *s = k->s;
    bool differs = false;
    for (int32_t c = 0; c < k->n_cols; c++)
        differs = differs || (k->at[s->n_exprs + c] >= 0 && s->z[c] != s->guess[c]);
    memcpy(k->ended, s->z, (size_t)k->n_cols * sizeof(double));
    for (int32_t c = 0; c < k->n_cols && differs; c++)
        if (k->at[s->n_exprs + c] >= 0)
            s->z[c] = s->guess[c];
    if (differs && find_at(k))
        return true;
    memcpy(s->z, k->ended, (size_t)k->n_cols * sizeof(double));
    return find_at(k);
}

/* The rows do not contradict each other but have no solution nearby: name the row with the largest
 * residual where Gauss-Newton ended. */
static daedal_status fail_no_solution(conflict *k, daedal_status status)
{
    const start_rows *s = k->s;
    start_problem *m = k->m;
    char name[200];
    int32_t worst = -1;
    double most = CONFLICT;
    for (int32_t i = 0; i < k->n_rows; i++)
        if (fabs(k->b[i]) > most) {
            most = fabs(k->b[i]);
            worst = k->row[i];
        }
    if (worst < 0)
        return status;
    fail(m->why, DAEDAL_ERR_START,
         "no solution near the start values: %s cannot be satisfied at t = %.10g; its residual "
         "remains at %.3g",
         start_rows_name(m, s, worst, name, sizeof name), m->values->x[0], s->r[worst]);
    hint(m->why, "give start values closer to a solution, or fix fewer of them");
    set_cause(m->why, start_cause_of_row(m, worst >= m->reduced->n));
    blame(m->why, m->values->x[0], worst < m->reduced->n ? worst : -1, -1);
    return DAEDAL_ERR_START;
}

daedal_status start_rows_explain(start_problem *m, daedal_status status)
{
    daedal_diagnosis kept = *m->why;
    if (start_rows_create(m) < 0 || m->rows->n_columns > COLUMNS_MAX) {
        *m->why = kept;
        return status;
    }
    start_rows *s = m->rows;
    conflict k = {.m = m, .s = s};
    for (int32_t c = 0; c < s->n_columns; c++)
        if (s->rank[c] == RANK_FIXED) /* attempts may have changed it */
            m->values->x[s->slot[c]] = m->start[c];
    bool found = start_rows_minimize_violation(m);
    *m->why = kept;
    bool opened = !found && open_conflict(&k);
    if (opened && find(&k))
        status = fail_conflict(&k);
    else if (opened && status == DAEDAL_ERR_SINGULAR && linearize(&k, s->z))
        status = fail_no_solution(&k, status);
    block_free(&k.mem);
    return status;
}
