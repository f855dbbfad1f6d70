/* initial/start_open.c - see start_rows.h: what the conditions of the start leave open.
 *
 * The hard rows at the start that was found are eliminated one after another in the order of
 * their authority: equations, constraints, initial equations, fixed values.  A row that
 * vanishes says nothing new.  Then "keep this value" of every unknown, best claim first: each
 * that does not vanish is a degree of freedom that was open, and a value that could be fixed to
 * close it.  What vanishes here but not beside this point does so by accident: the start is
 * singular, as that of a pendulum at x = 1 whose x is fixed (docs/howto/start-values.md).
 * Large systems are judged by their structure alone.                            */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "initial/start_rows.h"

enum { COLUMNS_MOST = 1000, LAST_CLASS = 8, LISTED_MOST = 5, INSTEAD_MOST = 3 };

typedef struct sweep {
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
} sweep;

static bool is_small(const sweep *w)
{
    return w->s->n_columns <= COLUMNS_MOST;
}

static void lay_out(void *object, layout *l)
{
    sweep *w = object;
    size_t n = (size_t)w->s->n_columns;
    w->rows = layout_take(l, is_small(w) ? n * n : 1, sizeof(double));
    w->pivot = layout_take(l, n, sizeof(int32_t));
    w->row = layout_take(l, n, sizeof(double));
    w->unit = layout_take(l, n, sizeof(double));
    w->redundant = layout_take(l, n + (size_t)w->s->n_exprs, sizeof(int32_t));
    w->open = layout_take(l, n, sizeof(int32_t));
    w->open_row = layout_take(l, n, sizeof(int32_t));
}

static double largest(const sweep *w, int32_t *where)
{
    double most = 0.0;
    for (int32_t c = 0; c < w->s->n_columns; c++)
        if (fabs(w->row[c]) > most) {
            most = fabs(w->row[c]);
            *where = c;
        }
    return most;
}

/* The row in work joins the others; false: it depends on them. */
static bool take_in(sweep *w)
{
    const double vanished = 1e-6;
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
    if (!(after > vanished * before))
        return false;
    for (size_t c = 0; c < n; c++)
        w->rows[(size_t)w->n * n + c] = w->row[c] / w->row[at];
    w->pivot[w->n++] = at;
    return true;
}

/* Entries are sorted by rows; *next is where those of this row begin. */
static void load_row(sweep *w, int32_t row, size_t *next)
{
    const start_rows *s = w->s;
    memset(w->row, 0, (size_t)s->n_columns * sizeof(double));
    if (row >= s->n_exprs)
        w->row[row - s->n_exprs] = w->unit[row - s->n_exprs];
    for (; *next < s->n_entries && s->entry[*next].row == row; ++*next)
        w->row[s->entry[*next].column] = s->entry[*next].value * w->unit[s->entry[*next].column];
}

static void take_hard_rows(sweep *w)
{
    size_t next = 0;
    for (int32_t i = 0; i < w->s->n_exprs + w->s->n_columns; i++) {
        if (!start_rows_is_hard(w->s, i))
            continue;
        load_row(w, i, &next);
        if (!take_in(w))
            w->redundant[w->n_redundant++] = i;
    }
}

static void add_open(sweep *w, int32_t column)
{
    w->open_row[w->n_open] = w->n - 1;
    w->open[w->n_open++] = column;
}

static bool is_hidden(const start_problem *m, int32_t column)
{
    return column < m->reduced->n && m->flat->variables[m->reduced->variable[column]].hidden;
}

static void take_wishes_of(sweep *w, int32_t class, bool hidden)
{
    const start_rows *s = w->s;
    size_t none = s->n_entries;
    for (int32_t c = 0; c < s->n_columns && w->n < s->n_columns; c++) {
        if (s->rank[c] != class || is_hidden(w->m, c) != hidden)
            continue;
        load_row(w, s->n_exprs + c, &none);
        if (take_in(w))
            add_open(w, c);
    }
}

/* What has no name of the modeller's comes last: nobody can fix it. */
static void take_wishes(sweep *w)
{
    for (int32_t class = START_ROWS_HOLD + 1; class <= LAST_CLASS; class ++) {
        take_wishes_of(w, class, false);
        take_wishes_of(w, class, true);
    }
}

/* ---- by structure ---- */

static void judge_structure(sweep *w)
{
    const start_rows *s = w->s;
    for (int32_t i = 0; i < s->n_exprs + s->n_columns; i++)
        if (start_rows_is_hard(s, i) && !s->chosen[i])
            w->redundant[w->n_redundant++] = i;
    for (int32_t c = 0; c < s->n_columns; c++)
        if (s->chosen[s->n_exprs + c] && s->rank[c] > START_ROWS_HOLD)
            add_open(w, c);
}

/* ---- by values ---- */

/* At z; false: no slopes there. */
static bool sweep_at(sweep *w, const double *z)
{
    const start_problem *m = w->m;
    for (int32_t c = 0; c < w->s->n_columns; c++) {
        double size = c < m->reduced->n ? m->compiled->nominal[c] : 0.0;
        w->unit[c] = fmax(fabs(z[c]), size > 0.0 ? size : 1.0);
    }
    if (!start_rows_slopes(w->m, w->s, z))
        return false;
    take_hard_rows(w);
    take_wishes(w);
    return true;
}

/* A point beside the start, everywhere at some distance. */
static void step_aside(const start_rows *s, double *z)
{
    uint64_t random = RANDOM_SEED;
    for (int32_t c = 0; c < s->n_columns; c++) {
        double part = random_uniform(&random, 0.5, 1.5);
        z[c] = s->z[c] + 0.02 * part * (1.0 + fabs(s->z[c]));
    }
}

static bool contains(const int32_t *list, int32_t n, int32_t what)
{
    for (int32_t k = 0; k < n; k++)
        if (list[k] == what)
            return true;
    return false;
}

/* ---- words ---- */

typedef struct listing {
    char text[300];
    int32_t n;
} listing;

static void list_one(listing *l, const char *name)
{
    size_t used = strlen(l->text);
    if (l->n < LISTED_MOST)
        snprintf(l->text + used, sizeof l->text - used, "%s%s", l->n ? ", " : "", name);
    else if (l->n == LISTED_MOST)
        snprintf(l->text + used, sizeof l->text - used, ", ...");
    l->n++;
}

/* The name the modeller has for it: not der(x) if he calls it u. */
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

static bool is_condition(const start_problem *m, int32_t row)
{
    return row >= m->reduced->n + m->reduced->n_constraints;
}

/* Conditions that follow from the others, not only at this point. */
static void tell_redundant(const sweep *w, const sweep *beside)
{
    start_problem *m = w->m;
    listing l = {0};
    char name[160], message[400];
    for (int32_t k = 0; k < w->n_redundant; k++) {
        int32_t row = w->redundant[k];
        bool always = !beside || contains(beside->redundant, beside->n_redundant, row);
        if (is_condition(m, row) && always)
            list_one(&l, start_rows_name(m, w->s, row, name, sizeof name));
    }
    if (l.n == 0 || !m->log->write)
        return;
    snprintf(message, sizeof message, "%s %s from the other conditions of the start", l.text,
             l.n > 1 ? "follow" : "follows");
    log_warning(m->log, message);
}

/* Conditions that say nothing just here, and what they leave undetermined: other unknowns
 * would say it. */
static void tell_singular(sweep *w, const sweep *beside)
{
    start_problem *m = w->m;
    listing rows = {0}, columns = {0};
    char name[160], message[1100];
    for (int32_t k = 0; k < w->n_redundant; k++) {
        int32_t row = w->redundant[k];
        if (is_condition(m, row) && !contains(beside->redundant, beside->n_redundant, row))
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
    if (rows.n == 0 || !m->log->write)
        return;
    snprintf(message, sizeof message,
             "the start is singular: at this point (as at a turning point) %s %s "
             "not determine %s: fix %s instead",
             rows.text, rows.n > 1 ? "do" : "does", columns.n ? columns.text : "anything",
             columns.n ? columns.text : "other variables");
    log_warning(m->log, message);
}

/* ---- what could be fixed instead ---- */

/* A direction in which all hard rows stay as they are and open unknown k moves: into w->row. */
static void move_open(sweep *w, int32_t k)
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

/* Another unknown of the same level that moves with it. */
static bool could_stand_for(const sweep *w, int32_t k, int32_t c)
{
    const start_problem *m = w->m;
    int32_t j = w->open[k];
    return c != j && j < m->reduced->n && !is_hidden(m, c) && m->reduced->differential[c] &&
           m->reduced->depth[c] == m->reduced->depth[j] && !m->start_fixed[c] &&
           fabs(w->row[c]) > 1e-6 * fabs(w->row[j]) && !contains(w->open, w->n_open, c);
}

static const char *find_instead(sweep *w, int32_t k)
{
    start_problem *m = w->m;
    listing l = {0};
    if (!is_small(w) || !m->reduced->n_constraints || w->n < w->s->n_columns)
        return NULL;
    move_open(w, k);
    for (int32_t c = 0; c < m->reduced->n && l.n < INSTEAD_MOST; c++)
        if (could_stand_for(w, k, c))
            list_one(&l, name_of_unknown(m, c));
    return l.n ? arena_text(m->mem, l.text, strlen(l.text)) : NULL;
}

/* ---- */

static bool is_kept(const start_problem *m, int32_t j)
{
    double value = m->values->x[m->values->place.y + (uint32_t)j];
    return fabs(value - m->start[j]) <= 1e-9 * fmax(fabs(value), fabs(m->start[j]));
}

static void report_open(start_problem *m, const char *name, bool kept, const char *instead)
{
    if (!name)
        return;
    m->open_name[m->n_open] = name;
    m->open_instead[m->n_open] = instead;
    m->open_kept[m->n_open++] = kept;
}

static void report_sweep(sweep *w)
{
    start_problem *m = w->m;
    const start_rows *s = w->s;
    for (int32_t k = 0; k < w->n_open; k++) {
        int32_t c = w->open[k];
        bool kept = c < m->reduced->n ? is_kept(m, c) : m->values->x[s->slot[c]] == s->guess[c];
        report_open(m, name_of_column(m, s, c), kept, find_instead(w, k));
    }
}

/* With values where they can be had. */
static void judge(sweep *w, sweep *beside)
{
    start_rows *s = w->s;
    for (int32_t c = 0; c < s->n_columns; c++)
        s->z[c] = w->m->values->x[s->slot[c]];
    bool by_values = is_small(w) && sweep_at(w, s->z), doubtful = false;
    if (!by_values)
        judge_structure(w);
    for (int32_t k = 0; k < w->n_redundant; k++)
        doubtful = doubtful || is_condition(w->m, w->redundant[k]);
    if (by_values && doubtful)
        step_aside(s, s->step);
    bool compared = by_values && doubtful && sweep_at(beside, s->step);
    for (int32_t c = 0; c < s->n_columns && compared; c++) /* the slopes are gone, x not */
        w->m->values->x[s->slot[c]] = s->z[c];
    tell_redundant(w, compared ? beside : NULL);
    if (compared)
        tell_singular(w, beside);
    report_sweep(w);
}

static daedal_status judge_rows(start_problem *m)
{
    daedal_diagnosis kept = *m->why;
    daedal_status status = start_rows_create(m);
    if (status < 0) { /* a function that cannot be differentiated: there is a start all the same */
        *m->why = kept;
        return status == DAEDAL_ERR_MEMORY ? status : DAEDAL_OK;
    }
    sweep w = {.m = m, .s = m->rows}, beside = w;
    if (block_create(&w.mem, m->allocator, lay_out, &w) &&
        block_create(&beside.mem, m->allocator, lay_out, &beside))
        judge(&w, &beside);
    else
        status = DAEDAL_ERR_MEMORY;
    block_free(&w.mem);
    block_free(&beside.mem);
    return status;
}

static bool only_states_count(const start_problem *m)
{
    bool plain = m->n_initial_rows == 0 && m->n_free == 0 && m->reduced->n_constraints == 0;
    for (int32_t j = 0; j < m->reduced->n && plain; j++)
        plain = m->reduced->differential[j] || !m->start_fixed[j];
    return plain;
}

daedal_status start_rows_report(start_problem *m)
{
    m->n_open = 0;
    if (!only_states_count(m))
        return judge_rows(m);
    for (int32_t j = 0; j < m->reduced->n; j++)
        if (m->reduced->differential[j] && !m->start_fixed[j])
            report_open(m, name_of_unknown(m, j), is_kept(m, j), NULL);
    return DAEDAL_OK;
}
