/* initial/start_open.c - see start_rows.h: what the conditions of the start do not determine.
 *
 * The hard rows at the start that was found are eliminated one after another in the order of
 * their authority: equations, constraints, initial equations, fixed values.  A row that
 * vanishes is redundant.  Then "keep this value" of every unknown, highest priority first: each
 * that does not vanish is a degree of freedom that was undetermined, and a value that could be
 * fixed to determine it.  A row that vanishes here but not at a neighbouring point shows that the
 * start is singular, as for a pendulum at x = 1 whose x is fixed (docs/howto/start-values.md).
 * Large systems are examined by their structure alone.                            */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "initial/start_rows.h"

enum { COLUMNS_MAX = 1000, LAST_CLASS = 8, LISTED_MAX = 5, INSTEAD_MAX = 3 };

static const double VANISHED = 1e-6;  /* of the row before: it depends on the others        */
static const double NEIGHBOUR = 0.02; /* relative distance of the neighbouring point       */
static const double KEPT = 1e-9;      /* relative: the start value was kept                */

typedef struct elimination {
    start_problem *m;
    start_rows *s;
    double *rows;   /* reduced, n_columns each; 1 at their pivots */
    int32_t *pivot; /* columns                                    */
    int32_t n;
    double *row, *unit; /* the row in work; sizes of unknowns      */
    int32_t *redundant; /* rows                                      */
    int32_t n_redundant;
    int32_t *open, *open_row; /* columns, and where they stand in `rows` */
    int32_t n_open;
    block mem;
} elimination;

static bool is_small(const elimination *w)
{
    return w->s->n_columns <= COLUMNS_MAX;
}

static void lay_out(void *object, layout *l)
{
    elimination *w = object;
    size_t n = (size_t)w->s->n_columns;
    w->rows = layout_take(l, is_small(w) ? n * n : 1, sizeof(double));
    w->pivot = layout_take(l, n, sizeof(int32_t));
    w->row = layout_take(l, n, sizeof(double));
    w->unit = layout_take(l, n, sizeof(double));
    w->redundant = layout_take(l, n + (size_t)w->s->n_exprs, sizeof(int32_t));
    w->open = layout_take(l, n, sizeof(int32_t));
    w->open_row = layout_take(l, n, sizeof(int32_t));
}

static double largest(const elimination *w, int32_t *where)
{
    double most = 0.0;
    for (int32_t c = 0; c < w->s->n_columns; c++)
        if (fabs(w->row[c]) > most) {
            most = fabs(w->row[c]);
            *where = c;
        }
    return most;
}

/* Add the current row to the eliminated ones; false: it depends on them. */
static bool add_row_to_basis(elimination *w)
{
    size_t n = (size_t)w->s->n_columns;
    int32_t at = 0;
    double before = largest(w, &at);
    for (int32_t k = 0; k < w->n; k++) {
        const double *other = w->rows + (size_t)k * n;
        double part = w->row[w->pivot[k]];
        for (size_t c = 0; c < n && part != 0.0; c++)
            w->row[c] -= part * other[c];
        w->row[w->pivot[k]] = 0.0;
    }
    double after = largest(w, &at);
    if (!(after > VANISHED * before))
        return false;
    for (size_t c = 0; c < n; c++)
        w->rows[(size_t)w->n * n + c] = w->row[c] / w->row[at];
    w->pivot[w->n++] = at;
    return true;
}

/* Entries are sorted by rows; *next is where those of this row begin. */
static void load_row(elimination *w, int32_t row, size_t *next)
{
    const start_rows *s = w->s;
    memset(w->row, 0, (size_t)s->n_columns * sizeof(double));
    if (row >= s->n_exprs)
        w->row[row - s->n_exprs] = w->unit[row - s->n_exprs];
    for (; *next < s->n_entries && s->entry[*next].row == row; ++*next)
        w->row[s->entry[*next].column] = s->value[*next] * w->unit[s->entry[*next].column];
}

static void add_hard_rows(elimination *w)
{
    size_t next = 0;
    for (int32_t i = 0; i < w->s->n_exprs + w->s->n_columns; i++) {
        if (!start_rows_is_hard(w->s, i))
            continue;
        load_row(w, i, &next);
        if (!add_row_to_basis(w))
            w->redundant[w->n_redundant++] = i;
    }
}

static void add_open(elimination *w, int32_t column)
{
    w->open_row[w->n_open] = w->n - 1;
    w->open[w->n_open++] = column;
}

static bool is_hidden(const start_problem *m, int32_t column)
{
    return column < m->reduced->n && m->flat->variables[m->reduced->variable[column]].hidden;
}

static void add_free_columns_of(elimination *w, int32_t class, bool hidden)
{
    const start_rows *s = w->s;
    size_t none = s->n_entries;
    for (int32_t c = 0; c < s->n_columns && w->n < s->n_columns; c++) {
        if (s->rank[c] != class || is_hidden(w->m, c) != hidden)
            continue;
        load_row(w, s->n_exprs + c, &none);
        if (add_row_to_basis(w))
            add_open(w, c);
    }
}

/* Variables without a name in the text come last, because the modeller cannot fix them. */
static void add_free_columns(elimination *w)
{
    for (int32_t class = RANK_FIXED + 1; class <= LAST_CLASS; class ++) {
        add_free_columns_of(w, class, false);
        add_free_columns_of(w, class, true);
    }
}

/* ---- by structure ---- */

static void examine_structure(elimination *w)
{
    const start_rows *s = w->s;
    for (int32_t i = 0; i < s->n_exprs + s->n_columns; i++)
        if (start_rows_is_hard(s, i) && !s->chosen[i])
            w->redundant[w->n_redundant++] = i;
    for (int32_t c = 0; c < s->n_columns; c++)
        if (s->chosen[s->n_exprs + c] && s->rank[c] > RANK_FIXED)
            add_open(w, c);
}

/* ---- by values ---- */

/* Eliminate at z; false: derivatives have no value there. */
static bool eliminate_at(elimination *w, const double *z)
{
    const start_problem *m = w->m;
    for (int32_t c = 0; c < w->s->n_columns; c++) {
        double size = c < m->reduced->n ? m->compiled->nominal[c] : 0.0;
        w->unit[c] = fmax(fabs(z[c]), size > 0.0 ? size : 1.0);
    }
    if (!start_rows_slopes(w->m, w->s, z))
        return false;
    add_hard_rows(w);
    add_free_columns(w);
    return true;
}

/* A neighbouring point: all values are moved by a random distance. */
static void choose_neighbour(const start_rows *s, double *z)
{
    uint64_t random = RANDOM_SEED;
    for (int32_t c = 0; c < s->n_columns; c++) {
        double part = random_uniform(&random, 0.5, 1.5);
        z[c] = s->z[c] + NEIGHBOUR * part * (1.0 + fabs(s->z[c]));
    }
}

static bool contains(const int32_t *list, int32_t n, int32_t what)
{
    for (int32_t k = 0; k < n; k++)
        if (list[k] == what)
            return true;
    return false;
}

/* ---- messages ---- */

typedef struct listing {
    char text[300];
    int32_t n;
} listing;

static void list_one(listing *l, const char *name)
{
    if (l->n < LISTED_MAX)
        text_append(l->text, sizeof l->text, "%s%s", l->n ? ", " : "", name);
    else if (l->n == LISTED_MAX)
        text_append(l->text, sizeof l->text, ", ...");
    l->n++;
}

/* The name in the text: u instead of der(x) if there is der(x) = u. */
static const char *name_of_unknown(const start_problem *m, int32_t j)
{
    const flat_variable *all = m->flat->variables;
    for (int32_t u = 0; u < m->reduced->n_unknowns && all[m->reduced->variable[j]].hidden; u++) {
        uint32_t v = m->reduced->unknown[u];
        if (!all[v].hidden && m->compiled->origin[v].slot == (int32_t)m->values->place.y + j)
            return variable_text(m->reduced, v);
    }
    return m->compiled->variable_name[j];
}

/* NULL: out of memory. */
static const char *name_of_column(start_problem *m, const start_rows *s, int32_t c)
{
    if (c < m->reduced->n)
        return name_of_unknown(m, c);
    char text[160];
    bool slope = s->slot[c] < m->values->place.discrete;
    uint32_t v = slope ? m->reduced->variable[s->slot[c] - m->values->place.yp]
                       : m->reduced->discrete_variable[s->slot[c] - m->values->place.discrete];
    snprintf(text, sizeof text, slope ? "der(%.150s)" : "%.150s", variable_text(m->reduced, v));
    return arena_text(m->mem, text, strlen(text));
}

static bool is_condition(const start_rows *s, int32_t row)
{
    return row >= s->n_equations;
}

/* Warn of conditions that follow from the others at neighbouring points, too. */
static void warn_redundant(const elimination *w, const elimination *beside)
{
    start_problem *m = w->m;
    listing l = {0};
    char name[160], message[400];
    for (int32_t k = 0; k < w->n_redundant; k++) {
        int32_t row = w->redundant[k];
        bool always = !beside || contains(beside->redundant, beside->n_redundant, row);
        if (is_condition(w->s, row) && always)
            list_one(&l, start_rows_name(m, w->s, row, name, sizeof name));
    }
    if (l.n == 0)
        return;
    snprintf(message, sizeof message, "%s %s from the other conditions of the start", l.text,
             l.n > 1 ? "follow" : "follows");
    log_warning(m->log, DAEDAL_CAUSE_NONE, m->values->x[0], message);
}

/* Warn of conditions that are redundant at this point only, and name what they leave undetermined.
 */
static void warn_singular(elimination *w, const elimination *beside)
{
    start_problem *m = w->m;
    listing rows = {0}, columns = {0};
    char name[160], message[1100];
    for (int32_t k = 0; k < w->n_redundant; k++) {
        int32_t row = w->redundant[k];
        if (is_condition(w->s, row) && !contains(beside->redundant, beside->n_redundant, row))
            list_one(&rows, start_rows_name(m, w->s, row, name, sizeof name));
    }
    int32_t kept = 0;
    for (int32_t k = 0; k < w->n_open; k++) {
        bool always = contains(beside->open, beside->n_open, w->open[k]) || rows.n == 0;
        const char *column = always ? NULL : name_of_column(m, w->s, w->open[k]);
        if (always) {
            w->open[kept] = w->open[k];
            w->open_row[kept++] = w->open_row[k];
        } else if (column) {
            list_one(&columns, column);
        }
    }
    w->n_open = kept;
    if (rows.n == 0)
        return;
    snprintf(message, sizeof message,
             "the start is singular: at this point (as at a turning point) %s %s "
             "not determine %s: fix %s instead",
             rows.text, rows.n > 1 ? "do" : "does", columns.n ? columns.text : "anything",
             columns.n ? columns.text : "other variables");
    log_warning(m->log, DAEDAL_CAUSE_NONE, m->values->x[0], message);
}

/* ---- what could be fixed instead ---- */

/* A direction in which all hard rows stay as they are and open unknown k moves: into w->row. */
static void find_direction(elimination *w, int32_t k)
{
    size_t n = (size_t)w->s->n_columns;
    memset(w->row, 0, n * sizeof(double));
    for (int32_t i = w->n; i-- > 0;) {
        const double *row = w->rows + (size_t)i * n;
        double value = i == w->open_row[k] ? 1.0 : 0.0;
        for (size_t c = 0; c < n; c++)
            if ((int32_t)c != w->pivot[i])
                value -= row[c] * w->row[c];
        w->row[w->pivot[i]] = value;
    }
}

/* True if c is another unknown of the same level that moves with the undetermined one. */
static bool can_replace(const elimination *w, int32_t k, int32_t c)
{
    const start_problem *m = w->m;
    int32_t j = w->open[k];
    return c != j && j < m->reduced->n && !is_hidden(m, c) && m->reduced->differential[c] &&
           m->reduced->depth[c] == m->reduced->depth[j] && !m->start_fixed[c] &&
           fabs(w->row[c]) > VANISHED * fabs(w->row[j]) && !contains(w->open, w->n_open, c);
}

static const char *find_instead(elimination *w, int32_t k)
{
    start_problem *m = w->m;
    listing l = {0};
    if (!is_small(w) || !m->reduced->n_constraints || w->n < w->s->n_columns)
        return NULL;
    find_direction(w, k);
    for (int32_t c = 0; c < m->reduced->n && l.n < INSTEAD_MAX; c++)
        if (can_replace(w, k, c))
            list_one(&l, name_of_unknown(m, c));
    return l.n ? arena_text(m->mem, l.text, strlen(l.text)) : NULL;
}

/* ---- the report ---- */

static bool is_kept(const start_problem *m, int32_t j)
{
    double value = m->values->x[m->values->place.y + (uint32_t)j];
    return fabs(value - m->start[j]) <= KEPT * fmax(fabs(value), fabs(m->start[j]));
}

static void report_open(start_problem *m, const char *name, bool kept, const char *instead)
{
    if (!name)
        return;
    m->open_name[m->n_open] = name;
    m->open_instead[m->n_open] = instead;
    m->open_kept[m->n_open++] = kept;
}

static void report_elimination(elimination *w)
{
    start_problem *m = w->m;
    const start_rows *s = w->s;
    for (int32_t k = 0; k < w->n_open; k++) {
        int32_t c = w->open[k];
        bool kept = c < m->reduced->n ? is_kept(m, c) : m->values->x[s->slot[c]] == s->guess[c];
        report_open(m, name_of_column(m, s, c), kept, find_instead(w, k));
    }
}

/* By values if they can be evaluated, else by structure. */
static void examine(elimination *w, elimination *beside)
{
    start_rows *s = w->s;
    for (int32_t c = 0; c < s->n_columns; c++)
        s->z[c] = w->m->values->x[s->slot[c]];
    bool by_values = is_small(w) && eliminate_at(w, s->z), unclear = false;
    if (!by_values)
        examine_structure(w);
    for (int32_t k = 0; k < w->n_redundant; k++)
        unclear = unclear || is_condition(s, w->redundant[k]);
    if (by_values && unclear)
        choose_neighbour(s, s->step);
    bool compared = by_values && unclear && eliminate_at(beside, s->step);
    for (int32_t c = 0; c < s->n_columns && compared; c++) /* restore x */
        w->m->values->x[s->slot[c]] = s->z[c];
    warn_redundant(w, compared ? beside : NULL);
    if (compared)
        warn_singular(w, beside);
    report_elimination(w);
}

static bool is_large(const start_problem *m)
{
    return start_rows_columns(m) > COLUMNS_MAX;
}

/* *exist: there are rows.  A start is valid without a report where a function cannot be
 * differentiated. */
static daedal_status make_rows(start_problem *m, bool *exist)
{
    daedal_diagnosis kept = *m->why;
    daedal_status status = is_large(m) ? start_rows_create_structure(m) : start_rows_create(m);
    *exist = status >= 0;
    if (status < 0)
        *m->why = kept;
    return status == DAEDAL_ERR_MEMORY ? status : DAEDAL_OK;
}

static daedal_status examine_rows(start_problem *m)
{
    bool exist, were_solved = m->rows && !m->rows->structure_only;
    daedal_status status = make_rows(m, &exist);
    if (!exist)
        return status;
    elimination w = {.m = m, .s = m->rows}, beside = w;
    if (block_create(&w.mem, m->allocator, lay_out, &w) &&
        block_create(&beside.mem, m->allocator, lay_out, &beside))
        examine(&w, &beside);
    else
        status = DAEDAL_ERR_MEMORY;
    block_free(&w.mem);
    block_free(&beside.mem);
    if (!were_solved && is_large(m))
        start_rows_free(m);
    return status;
}

static bool has_plain_conditions(const start_problem *m)
{
    bool plain = m->n_initial_rows == 0 && m->n_free == 0 && m->reduced->n_constraints == 0;
    for (int32_t j = 0; j < m->reduced->n && plain; j++)
        plain = m->reduced->differential[j] || !m->start_fixed[j];
    return plain;
}

daedal_status start_foresee_report(start_problem *m)
{
    bool exist;
    return m->rows || !is_large(m) || has_plain_conditions(m) ? DAEDAL_OK : make_rows(m, &exist);
}

daedal_status start_rows_report(start_problem *m)
{
    m->n_open = 0;
    if (!has_plain_conditions(m))
        return examine_rows(m);
    for (int32_t j = 0; j < m->reduced->n; j++)
        if (m->reduced->differential[j] && !m->start_fixed[j])
            report_open(m, name_of_unknown(m, j), is_kept(m, j), NULL);
    return DAEDAL_OK;
}
