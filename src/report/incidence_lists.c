/* report/incidence_lists.c - see model_report.h: the incidence of unknowns and equations, as
 * written.
 *
 * It is computed on request only, since most runs do not need it and the arrays are as large as the
 * model.  The results live in the arena of the model.                    */
#include <stdio.h>
#include <string.h>

#include "report/model_report.h"

enum { QUOTE_MAX = 160 };

/* Copy n items into the arena; NULL: out of memory. */
static int32_t *keep(reduced_model *m, const int32_t *from, size_t n)
{
    return arena_copy(m->mem, from, n, n + 1, sizeof *from);
}

/* An equation without text is that of an input without a binding. */
static const char *text_of(reduced_model *m, const flat_equation *e)
{
    const expr_graph *g = &m->flat->graph;
    char text[QUOTE_MAX];
    flat_quote(m->flat, e->at, e->end, text, sizeof text);
    if (!text[0] && expr_is_variable(g, e->left))
        snprintf(text, sizeof text, "%.120s = its start value",
                 variable_text(m, flat_number(expr_index(g, e->left))));
    return arena_text(m->mem, text, strlen(text));
}

static bool name_all(reduced_model *m, daedal_incidence *out)
{
    const flat_model *f = m->flat;
    size_t n = (size_t)out->n + 1;
    const char **equation = arena_take(m->mem, n, sizeof *equation);
    const char **variable = arena_take(m->mem, n, sizeof *variable);
    int32_t *line = arena_take(m->mem, n, sizeof *line);
    if (m->mem->failed)
        return false;
    for (int32_t i = 0; i < out->n; i++) {
        const flat_equation *e = &f->equations[i];
        equation[i] = text_of(m, e);
        variable[i] = variable_text(m, m->unknown[i]);
        line[i] = (int32_t)sources_place(&f->from->sources, e->at).line;
    }
    out->equations = equation;
    out->variables = variable;
    out->lines = line;
    return !m->mem->failed;
}

static bool list_entries(reduced_model *m, const analysis *a, daedal_incidence *out)
{
    const daedal_pattern *p = &a->incidence.pattern.view;
    out->n_entries = out->n > 0 ? p->start[out->n] : 0;
    daedal_incidence_entry *entry = arena_take(m->mem, (size_t)out->n_entries + 1, sizeof *entry);
    if (!entry)
        return false;
    for (int32_t j = 0; j < out->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            int32_t i = p->row[q], order = a->incidence.order[q];
            bool counts = a->offsets.d[j] - a->offsets.c[i] == order;
            entry[q] = (daedal_incidence_entry){i, j, order, counts};
        }
    out->entries = entry;
    return true;
}

static bool list_blocks(reduced_model *m, const analysis *a, daedal_incidence *out)
{
    const components *o = &a->order;
    size_t n = (size_t)out->n;
    out->n_blocks = o->n_blocks;
    out->block_start = keep(m, o->start, out->n > 0 ? (size_t)o->n_blocks + 1 : 0);
    out->equation_order = keep(m, o->row, n);
    out->variable_order = keep(m, o->col, n);
    return !m->mem->failed;
}

daedal_status report_incidence(reduced_model *m, daedal_incidence *out)
{
    equations system;
    analysis a;
    if (!reduced_as_written(m, &system))
        return DAEDAL_ERR_MEMORY;
    *out = (daedal_incidence){.n = m->n_unknowns};
    daedal_status status = analysis_create(&a, &system, m->allocator);
    if (status == DAEDAL_OK &&
        !(name_all(m, out) && list_entries(m, &a, out) && list_blocks(m, &a, out)))
        status = DAEDAL_ERR_MEMORY;
    analysis_free(&a);
    return status;
}
