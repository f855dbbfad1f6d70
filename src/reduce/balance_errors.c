/* reduce/balance_errors.c - see repairs.h: messages about over- and underdetermined equations. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/print.h"
#include "lang/owners.h"
#include "reduce/repairs.h"
#include "reduce/sentence.h"

enum { LISTED_MAX = 5 };

/* ---- too many, too few ---- */

static uint32_t equation_of(const reduced_model *m, int32_t row)
{
    return m->variable ? m->equation[row] : (uint32_t)row;
}

static uint32_t variable_of(const reduced_model *m, int32_t col)
{
    return m->variable ? m->variable[col] : m->unknown[col];
}

static void list_equation(reduced_model *m, sentence *t, uint32_t number, bool first)
{
    char quoted[80], line[128];
    if (number & EQUATION_OF_DERIVATIVE)
        return;
    const flat_equation *e = &m->flat->equations[number];
    flat_quote(m->flat, e->at, e->end, quoted, sizeof quoted);
    source_place at = sources_place(&m->flat->from->sources, e->at);
    snprintf(line, sizeof line, "\"%s\" (line %u)", quoted, (unsigned)at.line);
    append(t, first ? "%s" : ", %s", line);
}

static void list_equations(reduced_model *m, sentence *t, daedal_ints rows)
{
    for (int32_t k = 0; k < rows.n && k < LISTED_MAX; k++)
        list_equation(m, t, equation_of(m, rows.at[k]), k == 0);
    if (rows.n > LISTED_MAX)
        append(t, "%s", ", ...");
}

static void list_numbers(reduced_model *m, sentence *t, const uint32_t *number, int32_t n)
{
    for (int32_t k = 0; k < n && k < LISTED_MAX; k++)
        list_equation(m, t, number[k], k == 0);
    if (n > LISTED_MAX)
        append(t, "%s", ", ...");
}

static void list_variables(reduced_model *m, sentence *t, daedal_ints cols)
{
    for (int32_t k = 0; k < cols.n && k < LISTED_MAX; k++)
        append(t, k ? ", %s" : "%s", variable_text(m, variable_of(m, cols.at[k])));
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

static expr residual_of(reduced_model *m, int32_t row)
{
    expr_graph *g = &m->flat->graph;
    const flat_equation *e = &m->flat->equations[row];
    return m->variable ? m->residual[row] : expr_sub(g, e->left, e->right);
}

/* True if two of the equations have the same expression, up to the sign. */
static bool has_equal_equations(reduced_model *m, daedal_ints rows)
{
    for (int32_t i = 0; i < rows.n; i++)
        for (int32_t k = 0; k < i; k++) {
            expr a = residual_of(m, rows.at[i]), b = residual_of(m, rows.at[k]);
            if (a == b || a == expr_neg(&m->flat->graph, b))
                return true;
        }
    return false;
}

static source_at list_overdetermined(reduced_model *m, const dulmage *d, int32_t row, sentence *t)
{
    dulmage_set s = {0};
    uint32_t number = equation_of(m, row);
    source_at at = number & EQUATION_OF_DERIVATIVE ? SOURCE_NOWHERE : m->flat->equations[number].at;
    if (dulmage_conflict(&s, d, row, m->allocator)) {
        append(t, "%s", s.cols.n ? "too many equations for " : "an equation without unknowns: ");
        list_variables(m, t, s.cols);
        append(t, "%s", s.cols.n ? ": " : "");
        list_equations(m, t, s.rows);
        append(t, "%s", has_equal_equations(m, s.rows) ? ", of which two are equal" : "");
        dulmage_set_free(&s);
    }
    return at;
}

static source_at list_underdetermined(reduced_model *m, const analysis *a, int32_t col, sentence *t)
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

/* ---- components ---- */

/* Equations less unknowns of a component. */
typedef struct component_balance {
    int32_t owner, equations, unknowns;
} component_balance;

static component_balance *balance_of(reduced_model *m, number_map *map, component_balance *list,
                                     size_t *n, int32_t owner)
{
    uint32_t k = 0;
    if (!number_map_find(map, (uint64_t)owner + 1, &k)) {
        k = (uint32_t)(*n)++;
        list[k] = (component_balance){.owner = owner};
        number_map_put(map, &m->flat->from->mem, (uint64_t)owner + 1, k);
    }
    return &list[k];
}

/* Names components whose equations are too few or too many. */
static void list_components(reduced_model *m, sentence *t)
{
    compilation *c = m->flat->from;
    number_map map = {0};
    size_t n = 0, rows = m->flat->n_equations, cols = (size_t)m->n_unknowns, listed = 0;
    component_balance *list = c->owners ? arena_take(&c->mem, rows + cols + 1, sizeof *list) : NULL;
    if (!list)
        return;
    for (uint32_t k = 0; k < rows; k++)
        balance_of(m, &map, list, &n, owner_of_equation(c, k))->equations++;
    for (size_t k = 0; k < cols; k++) {
        int32_t name = m->flat->variables[m->unknown[k]].name;
        balance_of(m, &map, list, &n, owner_of_variable(c, name))->unknowns++;
    }
    for (size_t k = 0; k < n && listed < 3; k++) {
        char text[200];
        if (list[k].owner == 0 || list[k].equations == list[k].unknowns)
            continue;
        snprintf(text, sizeof text, "%.120s has %d equation%s for %d unknown%s; ",
                 intern_text(&c->names, list[k].owner - 1), (int)list[k].equations,
                 list[k].equations == 1 ? "" : "s", (int)list[k].unknowns,
                 list[k].unknowns == 1 ? "" : "s");
        append(t, "%s", text);
        listed++;
    }
}

daedal_status reduced_report_imbalance(reduced_model *m, const analysis *a)
{
    char buffer[480];
    sentence t = {buffer, sizeof buffer, 0};
    const dulmage *d = &a->offsets.singular;
    const daedal_pattern *p = &a->incidence.pattern.view;
    buffer[0] = '\0';
    if (p->n_rows != p->n_cols) {
        char counts[96];
        snprintf(counts, sizeof counts, "%d equations for %d unknowns; ", (int)p->n_rows,
                 (int)p->n_cols);
        append(&t, "%s", counts);
    }
    list_components(m, &t);
    int32_t row = first_free(d->pairs.col_of, p->n_rows);
    int32_t col = first_free(d->pairs.row_of, p->n_cols);
    source_at over = row >= 0 ? list_overdetermined(m, d, row, &t) : SOURCE_NOWHERE;
    if (row >= 0 && col >= 0)
        append(&t, "%s", "; ");
    source_at under = col >= 0 ? list_underdetermined(m, a, col, &t) : SOURCE_NOWHERE;
    source_at at = row >= 0 ? over : under;
    source_error(&m->flat->from->sources, at, "%s", buffer);
    fail(m->why, DAEDAL_ERR_STRUCTURE, "%s", buffer);
    hint(m->why, row >= 0 && col >= 0 ? "replace one of the equations that are too many by one for "
                                        "the unknowns that lack it"
                 : row >= 0 ? "remove an equation, or make one of its parameters an unknown"
                            : "add an equation, or make one of the unknowns a parameter");
    return DAEDAL_ERR_STRUCTURE;
}

/* ---- equations that depend on one another by their values ---- */

static const char *class_of(reduced_model *m)
{
    const numeric_index_result *j = &m->repairs->numeric_index;
    bool known = reduced_find_numeric_index(m);
    if (known && j->verdict == NUMERIC_INDEX_SINGULAR)
        return "singular";
    if (known && j->verdict == NUMERIC_INDEX_NOT_SOLVABLE)
        return j->regular_pencil ? "not solvable, although the matrix pencil is regular"
                                 : "not solvable";
    return "singular or not solvable";
}

static const char *name_symbol(void *user, uint32_t symbol)
{
    const reduced_model *m = user;
    flat_symbol_kind kind = flat_kind(symbol);
    return kind == FLAT_VALUE  ? variable_text(m, flat_number(symbol))
           : kind == FLAT_TIME ? "time"
                               : NULL;
}

/* True if the rows were made of the equation, among others. */
static bool is_origin(const reduced_model *m, daedal_ints rows, int32_t plain)
{
    for (int32_t k = 0; k < rows.n; k++) {
        const row_origin *of = &m->repairs->origins[rows.at[k]];
        if (!of->made_of && rows.at[k] == plain)
            return true;
        for (int32_t q = 0; q < of->n; q++)
            if (of->made_of[q] == plain)
                return true;
    }
    return false;
}

/* List the equations that the rows were made of; returns the place of the first one. */
static source_at list_origins(reduced_model *m, sentence *t, daedal_ints rows)
{
    source_at at = SOURCE_NOWHERE;
    int32_t n = 0;
    for (int32_t i = 0; i < m->repairs->n_unrepaired; i++) {
        uint32_t number = m->repairs->unrepaired_equation[i];
        if (number & EQUATION_OF_DERIVATIVE || !is_origin(m, rows, i))
            continue;
        if (n < LISTED_MAX)
            list_equation(m, t, number, n == 0);
        at = n++ == 0 ? m->flat->equations[number].at : at;
    }
    if (n > LISTED_MAX)
        append(t, "%s", ", ...");
    return at;
}

/* Describe a combination of equations from which all unknowns have cancelled. */
static void describe_rest(reduced_model *m, sentence *t, expr rest)
{
    const double roundoff = 1e-12; /* of a combination with coefficients of size one */
    const expr_graph *g = &m->flat->graph;
    char text[160];
    if (expr_is_constant(g, rest)) {
        append(t, "%s",
               fabs(expr_value_now(g, rest)) <= roundoff
                   ? " are redundant: one follows from the others"
                   : " contradict one another");
        return;
    }
    expr_names names = {name_symbol, NULL, m};
    expr_print(g, rest, &names, text, sizeof text);
    append(t, " are consistent only where %s = 0, and redundant there", text);
}

static source_at list_contradictory(reduced_model *m, const analysis *a, int32_t row, sentence *t)
{
    dulmage_set s = {0};
    if (!dulmage_conflict(&s, &a->offsets.singular, row, m->allocator))
        return SOURCE_NOWHERE;
    source_at at = list_origins(m, t, s.rows);
    if (s.cols.n == 0)
        describe_rest(m, t, m->residual[row]);
    else {
        append(t, "%s", " overdetermine ");
        list_variables(m, t, s.cols);
    }
    dulmage_set_free(&s);
    return at;
}

daedal_status reduced_report_singular(reduced_model *m, const analysis *a)
{
    char buffer[640];
    sentence t = {buffer, sizeof buffer, 0};
    source_at at = SOURCE_NOWHERE;
    const daedal_pattern *p = &a->incidence.pattern.view;
    const dulmage *d = &a->offsets.singular;
    buffer[0] = '\0';
    append(&t, "%s: ", class_of(m));
    int32_t row = first_free(d->pairs.col_of, p->n_rows);
    int32_t col = first_free(d->pairs.row_of, p->n_cols);
    if (row >= 0)
        at = list_contradictory(m, a, row, &t);
    append(&t, "%s", "; ");
    if (col >= 0)
        list_underdetermined(m, a, col, &t);
    source_error(&m->flat->from->sources, at, "%s", buffer);
    fail(m->why, DAEDAL_ERR_STRUCTURE, "%s", buffer);
    hint(m->why, "remove one of the equations that depend on each other, and add what determines "
                 "the rest: a ground, a total, a reference");
    set_cause(m->why,
              row >= 0 ? DAEDAL_CAUSE_REDUNDANT_EQUATIONS : DAEDAL_CAUSE_UNDETERMINED_VARIABLE);
    return DAEDAL_ERR_STRUCTURE;
}

daedal_status reduced_report_contradiction(reduced_model *m)
{
    char buffer[640], counts[160];
    sentence t = {buffer, sizeof buffer, 0};
    const numeric_index_result *j = &m->repairs->numeric_index;
    buffer[0] = '\0';
    if (j->verdict != NUMERIC_INDEX_SOLVABLE)
        append(&t, "%s", class_of(m));
    else {
        snprintf(counts, sizeof counts,
                 "index %d with %d degrees of freedom, but the structure shows %d", (int)j->index,
                 (int)j->freedom, (int)m->report->states);
        append(&t, "%s", counts);
    }
    append(&t, "%s", ": the derivatives of these equations depend on one another: ");
    list_numbers(m, &t, m->repairs->dependent, m->repairs->n_dependent);
    append(&t, "%s", "; no combination was found that reduces the index");
    fail(m->why, DAEDAL_ERR_STRUCTURE, "%s", buffer);
    hint(m->why, "rewrite them so that each determines a different unknown, for example by "
                 "subtracting multiples of one from another");
    set_cause(m->why, DAEDAL_CAUSE_REDUNDANT_EQUATIONS);
    return DAEDAL_ERR_STRUCTURE;
}
