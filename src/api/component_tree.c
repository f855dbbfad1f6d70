/* api/component_tree.c - daedal_model_components: equations, unknowns and index by component.
 *
 * The components are found from the names of the variables, a.b[2].x belongs to a.b[2].  Where the
 * model was put together from components, equations and unknowns are counted for the component that
 * has them and must determine them (lang/owners.h); else by the name.  Counts of a component
 * include its parts.                                                                            */
#include <string.h>

#include "api/model_handle.h"
#include "base/status.h"
#include "lang/owners.h"

typedef struct branch {
    daedal_component it;
    int32_t parent, first_part, last_part, next; /* numbers, -1: none */
} branch;

typedef struct tree {
    compilation *c;
    const char *model_name;
    branch *at;
    size_t n, capacity;
    number_map by_path;
} tree;

/* The length of the path before the last dot that is in no brackets and no quotes; 0: none. */
static size_t path_length(const char *name, size_t length)
{
    size_t found = 0;
    int brackets = 0;
    bool is_quoted = false;
    for (size_t i = 0; i < length; i++) {
        is_quoted = is_quoted != (name[i] == '\'');
        if (is_quoted)
            continue;
        brackets += (name[i] == '[') - (name[i] == ']');
        if (name[i] == '.' && brackets == 0)
            found = i;
    }
    return found;
}

/* The number of the component of a path, which is added with those around it; -1: out of memory. */
static int32_t branch_of(tree *t, const char *path, size_t length)
{
    uint32_t known;
    int32_t id = intern_add(&t->c->names, path, length);
    if (id == INTERN_NONE)
        return -1;
    if (number_map_find(&t->by_path, (uint64_t)id + 1, &known))
        return (int32_t)known;
    int32_t parent = length ? branch_of(t, path, path_length(path, length)) : -1;
    if (length && parent < 0)
        return -1;
    branch *list = arena_grow(&t->c->mem, t->at, &t->capacity, t->n + 1, sizeof *list);
    int32_t k = (int32_t)t->n;
    if (!list || !number_map_put(&t->by_path, &t->c->mem, (uint64_t)id + 1, (uint32_t)k))
        return -1;
    t->at = list;
    list[k] = (branch){.parent = parent, .first_part = -1, .last_part = -1, .next = -1};
    list[k].it = (daedal_component){.name = intern_text(&t->c->names, id),
                                    .depth = length ? list[parent].it.depth + 1 : 0,
                                    .index = -1};
    if (parent >= 0 && list[parent].last_part >= 0)
        list[list[parent].last_part].next = k;
    else if (parent >= 0)
        list[parent].first_part = k;
    if (parent >= 0)
        list[parent].last_part = k;
    t->n++;
    return k;
}

static int32_t branch_of_variable(tree *t, const char *name)
{
    return branch_of(t, name, path_length(name, strlen(name)));
}

/* Of an owner, see lang/owners.h; the model as a whole where none is known, or under its name. */
static int32_t branch_of_owner(tree *t, int32_t owner)
{
    const char *path = owner ? intern_text(&t->c->names, owner - 1) : "";
    if (strcmp(path, t->model_name) == 0)
        path = "";
    return branch_of(t, path, strlen(path));
}

static void add_up(tree *t, int32_t k, const daedal_component *more)
{
    for (; k >= 0; k = t->at[k].parent) {
        daedal_component *c = &t->at[k].it;
        c->equations += more->equations;
        c->unknowns += more->unknowns;
        c->states += more->states;
        c->index = more->index > c->index ? more->index : c->index;
    }
}

static bool count_equations(tree *t, const reduced_model *m)
{
    const daedal_component one = {.equations = 1, .index = -1};
    for (uint32_t k = 0; k < m->flat->n_equations; k++) {
        int32_t at = branch_of_owner(t, owner_of_equation(t->c, k));
        if (at < 0)
            return false;
        add_up(t, at, &one);
    }
    return true;
}

static bool count_unknowns(tree *t, const reduced_model *m)
{
    const daedal_component one = {.unknowns = 1, .index = -1};
    for (int32_t k = 0; k < m->n_unknowns; k++) {
        int32_t name = m->flat->variables[m->unknown[k]].name;
        const char *text = intern_text(&t->c->names, name);
        int32_t at = t->c->owners ? branch_of_owner(t, owner_of_variable(t->c, name))
                                  : branch_of_variable(t, text);
        if (at < 0)
            return false;
        add_up(t, at, &one);
    }
    return true;
}

/* Components in the order of their variables, with states and indices. */
static bool count_variables(tree *t, const daedal_model *d, const int32_t *index)
{
    for (int32_t k = 0; k < d->info.n_variables; k++) {
        const daedal_model_variable *v = &d->info.variables[k];
        daedal_component one = {.states = v->is_state != 0, .index = index[k]};
        int32_t at = branch_of_variable(t, v->name);
        if (at < 0)
            return false;
        add_up(t, at, &one);
    }
    return true;
}

/* Each component before its parts. */
static const daedal_component *in_order(tree *t)
{
    daedal_component *list = arena_take(&t->c->mem, t->n + 1, sizeof *list);
    size_t n = 0;
    for (int32_t k = 0; list && k >= 0;) {
        list[n++] = t->at[k].it;
        int32_t next = t->at[k].first_part;
        for (; next < 0 && k >= 0; k = t->at[k].parent)
            next = t->at[k].next;
        k = next;
    }
    return list;
}

daedal_status daedal_model_components(daedal_model *handle, const daedal_component **list,
                                      int32_t *n, daedal_diagnosis *why)
{
    daedal_model_structure s;
    diagnosis_clear(why);
    if (!handle || !list || !n)
        return fail(why, DAEDAL_ERR_ARGUMENT, "an argument is NULL");
    TRY(daedal_model_analyze(handle, &s, why));
    daedal_model *d = handle->now;
    const reduced_model *m = d->model.reduced;
    tree t = {.c = &d->front, .model_name = d->info.name};
    bool fine = branch_of(&t, "", 0) == 0 && count_variables(&t, d, s.variable_index) &&
                count_unknowns(&t, m);
    if (fine && t.c->owners)
        fine = count_equations(&t, m);
    if (fine && !t.c->owners) {
        for (size_t k = 0; k < t.n; k++)
            t.at[k].it.equations = -1;
        t.at[0].it.equations = (int32_t)m->flat->n_equations;
    }
    *list = fine ? in_order(&t) : NULL;
    *n = (int32_t)t.n;
    return *list ? DAEDAL_OK : fail(why, DAEDAL_ERR_MEMORY, "out of memory");
}
