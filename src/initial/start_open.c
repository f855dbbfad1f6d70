/* initial/start_open.c - see start_rows.h: what the conditions of the start leave open.
 *
 * The hard rows at the start that was found are eliminated one after another in the order of
 * their authority: equations, constraints, initial equations, fixed values.  A row that
 * vanishes says nothing new.  Then "keep this value" of every unknown, best claim first: each
 * that does not vanish is a degree of freedom that was open, and a value that could be fixed to
 * close it.  Large systems are judged by their structure alone.                      */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "initial/start_rows.h"

enum { COLUMNS_MOST = 1000, LAST_CLASS = 8, LISTED_MOST = 5 };

typedef struct sweep {
    model *m;
    start_rows *s;
    double *rows;   /* reduced, n_columns each; 1 at their pivots */
    int32_t *pivot; /* columns                                    */
    int32_t n;
    double *row, *unit; /* the row in work; sizes of unknowns      */
    int32_t *redundant;
    int32_t n_redundant;
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

/* ---- what is open ---- */

static void add_open(model *m, const char *name, bool kept)
{
    m->open_name[m->n_open] = name;
    m->open_kept[m->n_open++] = kept;
}

static bool is_kept(const model *m, int32_t j)
{
    double value = m->x[m->place.y + (uint32_t)j];
    return fabs(value - m->start[j]) <= 1e-9 * fmax(fabs(value), fabs(m->start[j]));
}

static void add_column(model *m, const start_rows *s, int32_t c)
{
    if (c < m->n) {
        add_open(m, m->variable_name[c], is_kept(m, c));
        return;
    }
    char text[160];
    bool slope = s->slot[c] < m->place.discrete;
    uint32_t v = slope ? m->variable[s->slot[c] - m->place.yp]
                       : m->discrete_variable[s->slot[c] - m->place.discrete];
    snprintf(text, sizeof text, slope ? "der(%.150s)" : "%.150s", model_name(m, v));
    const char *name = arena_text(&m->mem, text, strlen(text));
    if (name)
        add_open(m, name, m->x[s->slot[c]] == s->guess[c]);
}

static void take_wishes(sweep *w)
{
    start_rows *s = w->s;
    size_t none = s->n_entries;
    for (int32_t class = START_ROWS_HOLD + 1; class <= LAST_CLASS; class ++)
        for (int32_t c = 0; c < s->n_columns && w->n < s->n_columns; c++) {
            if (s->rank[c] != class)
                continue;
            load_row(w, s->n_exprs + c, &none);
            if (take_in(w))
                add_column(w->m, s, c);
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
            add_column(w->m, s, c);
}

/* ---- what is said twice ---- */

static void tell_redundant(sweep *w)
{
    model *m = w->m;
    char message[400] = "", name[160];
    int32_t n = 0;
    for (int32_t k = 0; k < w->n_redundant; k++) {
        if (w->redundant[k] < m->n + m->n_constraints) /* no condition of the start */
            continue;
        size_t used = strlen(message);
        if (n < LISTED_MOST)
            snprintf(message + used, sizeof message - used, "%s%s", n ? ", " : "",
                     start_rows_name(m, w->s, w->redundant[k], name, sizeof name));
        n++;
    }
    if (n == 0 || !m->log)
        return;
    size_t used = strlen(message);
    snprintf(message + used, sizeof message - used, "%s %s from the other conditions of the start",
             n > LISTED_MOST ? ", ..." : "", n > 1 ? "follow" : "follows");
    m->log(DAEDAL_LOG_WARNING, message, m->log_user);
}

/* ---- */

static bool judge_values(sweep *w)
{
    model *m = w->m;
    start_rows *s = w->s;
    for (int32_t c = 0; c < s->n_columns; c++) {
        double size = c < m->n ? m->nominal[c] : 0.0;
        s->z[c] = m->x[s->slot[c]];
        w->unit[c] = fmax(fabs(s->z[c]), size > 0.0 ? size : 1.0);
    }
    if (!start_rows_slopes(m, s, s->z))
        return false;
    take_hard_rows(w);
    take_wishes(w);
    return true;
}

static daedal_status judge(model *m)
{
    daedal_diagnosis kept = m->why;
    daedal_status status = start_rows_create(m);
    if (status < 0) { /* a function that cannot be differentiated: there is a start all the same */
        m->why = kept;
        return status == DAEDAL_ERR_MEMORY ? status : DAEDAL_OK;
    }
    sweep w = {.m = m, .s = m->rows};
    if (!block_create(&w.mem, m->allocator, lay_out, &w))
        return DAEDAL_ERR_MEMORY;
    if (!is_small(&w) || !judge_values(&w))
        judge_structure(&w);
    tell_redundant(&w);
    block_free(&w.mem);
    return DAEDAL_OK;
}

static bool only_states_count(const model *m)
{
    bool plain = m->n_initial_rows == 0 && m->n_free == 0 && m->n_constraints == 0;
    for (int32_t j = 0; j < m->n && plain; j++)
        plain = m->differential[j] || !m->start_fixed[j];
    return plain;
}

daedal_status start_rows_report(model *m)
{
    m->n_open = 0;
    if (!only_states_count(m))
        return judge(m);
    for (int32_t j = 0; j < m->n; j++)
        if (m->differential[j] && !m->start_fixed[j])
            add_open(m, m->variable_name[j], is_kept(m, j));
    return DAEDAL_OK;
}
