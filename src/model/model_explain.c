/* model/model_explain.c - see model.h: messages in the words of the model. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/print.h"
#include "model/model.h"

enum { LISTED_MAX = 5 };

const char *model_name(const model *m, uint32_t variable)
{
    return intern_text(&m->flat->from->names, m->flat->variables[variable].name);
}

/* ---- text that grows ---- */

typedef struct text {
    char *at;
    size_t size, used;
} text;

static void append(text *t, const char *format, const char *what)
{
    int length = snprintf(t->at + t->used, t->size - t->used, format, what);
    if (length > 0)
        t->used += (size_t)length < t->size - t->used ? (size_t)length : t->size - t->used - 1;
}

/* ---- too many, too few ---- */

static uint32_t equation_of(const model *m, int32_t row)
{
    return m->variable ? m->equation[row] : (uint32_t)row;
}

static uint32_t variable_of(const model *m, int32_t col)
{
    return m->variable ? m->variable[col] : m->unknown[col];
}

static void list_equations(model *m, text *t, daedal_ints rows)
{
    char quoted[80], line[128];
    for (int32_t k = 0; k < rows.n && k < LISTED_MAX; k++) {
        uint32_t number = equation_of(m, rows.at[k]);
        if (number & EQUATION_OF_DERIVATIVE)
            continue;
        const flat_equation *e = &m->flat->equations[number];
        flat_quote(m->flat, e->at, e->end, quoted, sizeof quoted);
        source_place at = sources_place(&m->flat->from->sources, e->at);
        snprintf(line, sizeof line, "\"%s\" (line %u)", quoted, (unsigned)at.line);
        append(t, k ? ", %s" : "%s", line);
    }
    if (rows.n > LISTED_MAX)
        append(t, "%s", ", ...");
}

static void list_variables(model *m, text *t, daedal_ints cols)
{
    for (int32_t k = 0; k < cols.n && k < LISTED_MAX; k++)
        append(t, k ? ", %s" : "%s", model_name(m, variable_of(m, cols.at[k])));
    if (cols.n > LISTED_MAX)
        append(t, "%s", ", ...");
}

/* The first entry of a matching that has no partner, or -1. */
static int32_t first_free(const int32_t *partner, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        if (partner[k] == MATCHING_NONE)
            return k;
    return -1;
}

static source_at complain_over(model *m, const dulmage *d, int32_t row, text *t)
{
    dulmage_set s = {0};
    source_at at = m->flat->equations[equation_of(m, row)].at;
    if (dulmage_conflict(&s, d, row, m->allocator)) {
        append(t, "%s", s.cols.n ? "too many equations for " : "an equation without unknowns: ");
        list_variables(m, t, s.cols);
        append(t, "%s", s.cols.n ? ": " : "");
        list_equations(m, t, s.rows);
        dulmage_set_free(&s);
    }
    return at;
}

static source_at complain_under(model *m, const analysis *a, int32_t col, text *t)
{
    dulmage_set s = {0};
    source_at at = m->flat->variables[variable_of(m, col)].at;
    if (dulmage_freedom(&s, &a->offsets.singular, &a->incidence.pattern.view, col, m->allocator)) {
        append(t, "%s", s.rows.n ? "too few equations for " : "no equation determines ");
        list_variables(m, t, s.cols);
        append(t, "%s", s.rows.n ? ": only " : "");
        list_equations(m, t, s.rows);
        dulmage_set_free(&s);
    }
    return at;
}

daedal_status model_complain_balance(model *m, const analysis *a)
{
    char buffer[480];
    text t = {buffer, sizeof buffer, 0};
    const dulmage *d = &a->offsets.singular;
    const daedal_pattern *p = &a->incidence.pattern.view;
    buffer[0] = '\0';
    if (p->n_rows != p->n_cols) {
        char counts[96];
        snprintf(counts, sizeof counts, "%d equations for %d unknowns; ", (int)p->n_rows,
                 (int)p->n_cols);
        append(&t, "%s", counts);
    }
    int32_t row = first_free(d->pairs.col_of, p->n_rows);
    int32_t col = first_free(d->pairs.row_of, p->n_cols);
    source_at over = row >= 0 ? complain_over(m, d, row, &t) : SOURCE_NOWHERE;
    if (row >= 0 && col >= 0)
        append(&t, "%s", "; ");
    source_at under = col >= 0 ? complain_under(m, a, col, &t) : SOURCE_NOWHERE;
    source_at at = row >= 0 ? over : under;
    source_error(&m->flat->from->sources, at, "%s", buffer);
    return fail(&m->why, DAEDAL_ERR_STRUCTURE, "%s", buffer);
}

/* ---- values that are not finite ---- */

static const char *name_symbol(void *user, uint32_t symbol)
{
    static const char *const others[] = {"x",          "der",        "pre",      "time",
                                         "(relation)", "(rounding)", "(sample)", "(delay)",
                                         "initial()",  "terminal()"};
    const model *m = user;
    flat_symbol_kind kind = flat_kind(symbol);
    return kind == FLAT_VALUE || kind == FLAT_DER || kind == FLAT_PRE
               ? model_name(m, flat_number(symbol))
               : others[kind];
}

typedef struct point {
    const model *m;
    double t;
    const double *y; /* y and y' */
} point;

static double value_of(void *user, uint32_t symbol)
{
    const point *p = user;
    int32_t slot = model_slot(p->m, symbol);
    if (slot < 0)
        return (double)NAN;
    if (slot == 0)
        return p->t;
    return slot < (int32_t)p->m->place.discrete ? p->y[slot - 1] : p->m->x[slot];
}

static int call_function(void *user, uint32_t function, const double *args, double *outputs)
{
    const point *p = user;
    return flat_call(p->m->flat->functions, function, args, outputs);
}

/* "; x = 1, y = 0": what an expression reads, and its value. */
static void list_values(const model *m, expr e, point *p, text *t)
{
    const expr_graph *g = &m->flat->graph;
    expr_walker w;
    expr_walker_create(&w, g);
    if (expr_depends(&w, e, EXPR_ALL))
        for (size_t k = 0; k < w.n_found && k < LISTED_MAX; k++) {
            uint32_t symbol = expr_index(g, w.found[k]);
            char item[128];
            const char *form = flat_kind(symbol) == FLAT_DER   ? "der(%.80s) = %.6g"
                               : flat_kind(symbol) == FLAT_PRE ? "pre(%.80s) = %.6g"
                                                               : "%.80s = %.6g";
            snprintf(item, sizeof item, form, name_symbol((void *)(uintptr_t)m, symbol),
                     value_of(p, symbol));
            append(t, k ? ", %s" : "; %s", item);
        }
    expr_walker_free(&w);
}

/* Which operation has no value, and with what. */
static void explain_not_finite(model *m, expr e, const char *name, point *at, daedal_diagnosis *why)
{
    expr_source from = {value_of, call_function, at};
    double value = 0.0;
    expr culprit = expr_blame(&m->flat->graph, e, &from, &value);
    if (culprit == EXPR_NONE)
        return;
    char shown[160];
    expr_names names = {name_symbol, NULL, m};
    expr_print(&m->flat->graph, culprit, &names, shown, sizeof shown);
    text t = {why->message, sizeof why->message, 0};
    snprintf(why->message, sizeof why->message, "%s is not finite at t = %.10g: %s is %g", name,
             at->t, shown, value);
    t.used = strlen(why->message);
    list_values(m, culprit, at, &t);
}

daedal_status model_fail_not_finite(model *m, expr e, const char *name)
{
    point at = {m, m->x[0], m->x + 1};
    fail(&m->why, DAEDAL_ERR_START, "%s has no value at the start, t = %.10g", name, m->x[0]);
    explain_not_finite(m, e, name, &at, &m->why);
    hint(&m->why, "look for a division by zero, or a root or logarithm of a negative number "
                  "there; better start values may help");
    return DAEDAL_ERR_START;
}

void model_explain(model *m, daedal_diagnosis *why)
{
    bool has_row = why->equation >= 0 && why->equation < m->n;
    if (why->status == DAEDAL_ERR_NOT_FINITE && has_row && m->bad.known)
        explain_not_finite(m, m->residual[why->equation], m->equation_name[why->equation],
                           &(point){m, m->bad.t, m->bad.x}, why);
    else if (has_row && m->n > 0) {
        point at = {m, m->x[0], m->x + 1};
        text t = {why->message, sizeof why->message, strlen(why->message)};
        list_values(m, m->residual[why->equation], &at, &t);
    }
}

/* ---- relations ---- */

const char *model_relation_text(model *m, size_t k, char *buffer, size_t size)
{
    static const char *const signs[] = {"<", "<=", ">", ">="};
    const flat_model *f = m->flat;
    expr_names names = {.variable = name_symbol, .user = m};
    char left[64], right[64];
    bool rounding = k >= f->n_relations;
    const flat_relation *r = rounding ? NULL : &f->relations[k];
    source_at at = rounding ? f->roundings[(k - f->n_relations) / 2].at : r->at;
    unsigned line = (unsigned)sources_place(&f->from->sources, at).line;
    if (rounding) {
        expr of = f->roundings[(k - f->n_relations) / 2].of;
        snprintf(buffer, size, "the rounding of %s in line %u",
                 expr_print(&f->graph, of, &names, left, sizeof left), line);
        return buffer;
    }
    int sign = r->op == EXPR_LT ? 0 : r->op == EXPR_LE ? 1 : r->op == EXPR_GT ? 2 : 3;
    snprintf(buffer, size, "%s %s %s in line %u",
             expr_print(&f->graph, r->left, &names, left, sizeof left), signs[sign],
             expr_print(&f->graph, r->right, &names, right, sizeof right), line);
    return buffer;
}
