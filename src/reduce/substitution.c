/* reduce/substitution.c - see reduced.h: variables replaced by expressions, everywhere.
 *
 * Not only equations read variables, but also relations, assignments, initial equations, asserts
 * and start values; none of them may read a variable that was eliminated.                  */
#include <string.h>

#include "reduce/reduced.h"

static void add(reduced_model *m, exprs *list, expr *e)
{
    if (*e == EXPR_NONE)
        return;
    expr **grown = arena_enlarge(m->scratch, list->at, &list->capacity, list->n + 1, sizeof *grown);
    if (!grown)
        return;
    list->at = grown;
    list->at[list->n++] = e;
}

static void add_message(reduced_model *m, exprs *list, flat_message *message)
{
    for (int32_t k = 0; k < message->n; k++)
        if (!message->piece[k].text)
            add(m, list, &message->piece[k].value);
}

static void add_hybrid(reduced_model *m, exprs *list)
{
    flat_model *f = m->flat;
    for (size_t k = 0; k < f->n_relations; k++) {
        add(m, list, &f->relations[k].left);
        add(m, list, &f->relations[k].right);
    }
    for (size_t k = 0; k < f->n_roundings; k++)
        add(m, list, &f->roundings[k].of);
    for (size_t k = 0; k < f->n_samples; k++) {
        add(m, list, &f->samples[k].start);
        add(m, list, &f->samples[k].interval);
    }
    for (size_t k = 0; k < f->n_delays; k++) {
        add(m, list, &f->delays[k].of);
        add(m, list, &f->delays[k].by);
        add(m, list, &f->delays[k].most);
    }
    for (size_t k = 0; k < f->n_redundant; k++) {
        add(m, list, &f->redundant[k].left);
        add(m, list, &f->redundant[k].right);
    }
    for (int32_t k = 0; k < m->n_constraints; k++)
        add(m, list, &m->constraint[k].value);
    for (size_t k = 0; k < f->n_reinits; k++) {
        add(m, list, &f->reinits[k].fires);
        add(m, list, &f->reinits[k].value);
    }
    for (size_t k = 0; k < f->n_asserts; k++) {
        add(m, list, &f->asserts[k].guard);
        add(m, list, &f->asserts[k].condition);
        add_message(m, list, &f->asserts[k].message);
    }
    for (size_t k = 0; k < f->n_terminates; k++) {
        add(m, list, &f->terminates[k].fires);
        add_message(m, list, &f->terminates[k].message);
    }
}

exprs reduced_list_others(reduced_model *m)
{
    exprs list = {0};
    flat_model *f = m->flat;
    for (size_t k = 0; k < f->n_assignments; k++)
        add(m, &list, &f->assignments[k].value);
    for (size_t k = 0; k < f->n_initials; k++) {
        add(m, &list, &f->initials[k].left);
        add(m, &list, &f->initials[k].right);
    }
    for (size_t v = 0; v < f->n_variables; v++) {
        add(m, &list, &f->variables[v].start);
        if (f->variables[v].variability == FLAT_PARAMETER)
            add(m, &list, &f->variables[v].value);
    }
    add_hybrid(m, &list);
    return list;
}

bool reduced_substitute(reduced_model *m, expr_image_fn *image, void *user)
{
    exprs others = reduced_list_others(m);
    size_t n = (size_t)m->n + others.n;
    expr *roots = arena_copy(m->scratch, m->residual, (size_t)m->n, n + 1, sizeof *roots);
    if (m->scratch->failed)
        return false;
    for (size_t k = 0; k < others.n; k++)
        roots[(size_t)m->n + k] = *others.at[k];
    if (!expr_substitute(&m->flat->graph, &m->flat->graph, roots, n, image, user))
        return false;
    if (m->n > 0)
        memcpy(m->residual, roots, (size_t)m->n * sizeof *roots);
    for (size_t k = 0; k < others.n; k++)
        *others.at[k] = roots[(size_t)m->n + k];
    return true;
}
