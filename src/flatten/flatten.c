/* flatten/flatten.c - see flatten.h: the outline of flattening, and what its files share. */
#include "flatten/execute.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/derive.h"
#include "expr/print.h"

/* ---- messages, names, memory ---- */

value fl_error(flattener *f, source_at at, const char *format, ...)
{
    if (!f->is_run) {
        va_list args;
        va_start(args, format);
        source_error_list(&f->c->sources, at, format, args);
        va_end(args);
    }
    return (value){.type = type_scalar(T_BAD)};
}

bool fl_work(flattener *f, size_t n)
{
    effort *w = &f->work;
    if (w->is_over || f->c->sources.n_errors >= SOURCE_ERRORS_MAX)
        return false;
    w->is_over = n > w->left;
    w->left -= w->is_over ? 0 : n;
    if (w->is_over && !w->in_simulation)
        source_error(&f->c->sources, w->at,
                     "the model is too large: its loops, arrays and calls take more than %zu "
                     "evaluations to work out",
                     w->limit);
    return !w->is_over;
}

const char *fl_name(const flattener *f, int32_t id)
{
    return id == INTERN_NONE ? "?" : intern_text(f->names, id);
}

int32_t fl_intern(flattener *f, const char *text)
{
    return intern_add(f->names, text, strlen(text));
}

void *fl_push(flattener *f, void *array, size_t n, size_t *capacity, size_t size)
{
    return arena_grow(&f->c->mem, array, capacity, n + 1, size);
}

char *fl_text(flattener *f, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    char *text = n < 0 ? NULL : arena_take(f->mem, (size_t)n + 1, 1);
    if (text)
        vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

static const char *symbol_name(void *user, uint32_t symbol)
{
    const flattener *f = user;
    uint32_t number = flat_number(symbol);
    switch (flat_kind(symbol)) {
    case FLAT_VALUE:
        return fl_name(f, f->m->variables[number].name);
    case FLAT_TIME:
        return "time";
    default:
        return NULL;
    }
}

char *fl_expr_text(flattener *f, expr e)
{
    enum { LENGTH_MAX = 200 };
    char *text = arena_take(f->mem, LENGTH_MAX, 1);
    expr_names names = {.variable = symbol_name, .user = f};
    return text ? expr_print(f->g, e, &names, text, LENGTH_MAX) : NULL;
}

/* ---- small maps: open addressing, load at most one half ---- */

static size_t map_place(const expr_map *m, uint64_t key)
{
    size_t at = (size_t)((key * 0x9E3779B97F4A7C15u) >> 20) & (m->n_slots - 1);
    while (m->key[at] && m->key[at] != key)
        at = (at + 1) & (m->n_slots - 1);
    return at;
}

bool map_find(const expr_map *m, uint64_t key, uint32_t *number)
{
    if (m->n_slots == 0)
        return false;
    size_t at = map_place(m, key);
    *number = m->number[at];
    return m->key[at] != 0;
}

static bool map_grow(flattener *f, expr_map *m)
{
    expr_map wide = {.n = m->n, .n_slots = m->n_slots ? 2 * m->n_slots : 64};
    wide.key = arena_take(&f->c->mem, wide.n_slots, sizeof *wide.key);
    wide.number = arena_take(&f->c->mem, wide.n_slots, sizeof *wide.number);
    if (!wide.key || !wide.number)
        return false;
    for (size_t i = 0; i < m->n_slots; i++)
        if (m->key[i]) {
            size_t at = map_place(&wide, m->key[i]);
            wide.key[at] = m->key[i];
            wide.number[at] = m->number[i];
        }
    *m = wide;
    return true;
}

bool map_put(flattener *f, expr_map *m, uint64_t key, uint32_t number)
{
    if (2 * (m->n + 1) > m->n_slots && !map_grow(f, m))
        return false;
    size_t at = map_place(m, key);
    m->n += m->key[at] == 0;
    m->key[at] = key;
    m->number[at] = number;
    return true;
}

/* ---- beginning ---- */

static int32_t builtin_enumeration(flattener *f, const char *name, const char *const *literals)
{
    flat_enumeration e = {.name = fl_intern(f, name)};
    while (literals[e.n])
        e.n++;
    e.literals = arena_take(&f->c->mem, (size_t)e.n, sizeof *e.literals);
    flat_enumeration *list =
        fl_push(f, f->m->enumerations, f->m->n_enumerations, &f->room.enumerations, sizeof *list);
    if (!list || !e.literals)
        return -1;
    for (int32_t i = 0; i < e.n; i++)
        e.literals[i] = fl_intern(f, literals[i]);
    f->m->enumerations = list;
    f->m->enumerations[f->m->n_enumerations] = e;
    return (int32_t)f->m->n_enumerations++;
}

static void learn_builtins(flattener *f)
{
    static const char *const select[] = {"never", "avoid", "default", "prefer", "always", NULL};
    static const char *const level[] = {"warning", "error", NULL};
    builtin_enumeration(f, "StateSelect", select);
    f->assertion_level = builtin_enumeration(f, "AssertionLevel", level);
    f->id.time = fl_intern(f, "time");
    f->id.start = fl_intern(f, "start");
    f->id.fixed = fl_intern(f, "fixed");
    f->id.nominal = fl_intern(f, "nominal");
    f->id.min = fl_intern(f, "min");
    f->id.max = fl_intern(f, "max");
    f->id.unit = fl_intern(f, "unit");
    f->id.display_unit = fl_intern(f, "displayUnit");
    f->id.state_select = fl_intern(f, "stateSelect");
}

static bool is_model(const ast_class *c)
{
    return (c->kind == AST_MODEL || c->kind == AST_CLASS || c->kind == AST_BLOCK) &&
           c->form == AST_LONG;
}

static const ast_class *model_inside(const ast_class *c)
{
    const ast_class *found = is_model(c) ? c : NULL;
    if (c->kind == AST_PACKAGE)
        for (const ast_element *e = c->elements; e; e = e->next)
            if (e->kind == AST_NESTED && model_inside(e->nested))
                found = model_inside(e->nested);
    return found;
}

static bool find_model(flattener *f, const ast_file *file)
{
    for (const ast_class *c = file->classes; c; c = c->next) {
        classes_collect(f, c, "");
        const ast_class *m = model_inside(c);
        if (m && !class_is_external_object(f, m))
            f->model = m;
    }
    if (!f->model)
        fl_error(f, file->classes ? file->classes->at : SOURCE_NOWHERE,
                 "the file contains no model");
    return f->model != NULL;
}

static void declare_globals(flattener *f, const ast_class *c, const char *inside)
{
    const char *name = fl_name(f, c->name);
    const char *full = inside ? fl_text(f, "%s.%s", inside, name) : name;
    if (c->kind != AST_PACKAGE || !full)
        return;
    declare_class(f, c, full);
    for (const ast_element *e = c->elements; e; e = e->next)
        if (e->kind == AST_NESTED)
            declare_globals(f, e->nested, full);
}

/* ---- sections ---- */

/* Values live until the next clause: nothing of the temporary memory is needed then. */
static void forget_values(flattener *f)
{
    enum { ENOUGH = 1 << 24 };
    if (f->values.taken > ENOUGH && !f->values.failed) {
        arena_free(&f->values);
        arena_create(&f->values, f->c->mem.allocator, f->c->mem.limit);
    }
}

static void flatten_clauses(flattener *f, const ast_clause *first)
{
    for (const ast_clause *c = first; c; c = c->next) {
        ast_clause one = *c;
        one.next = NULL;
        equations_flatten(f, &one);
        forget_values(f);
    }
}

static void flatten_section(flattener *f, const ast_section *s)
{
    bool is_initial = s->kind == AST_INITIAL_EQUATIONS || s->kind == AST_INITIAL_ALGORITHM;
    f->section = is_initial ? IN_INITIAL : IN_EQUATIONS;
    f->literal = is_initial ? 1 : 0; /* at the start relations are what they are */
    if (s->kind == AST_EQUATIONS || s->kind == AST_INITIAL_EQUATIONS)
        flatten_clauses(f, s->clauses);
    else
        algorithm_flatten(f, s, is_initial);
    f->literal = 0;
}

/* ---- experiment, changes ---- */

static void experiment_number(flattener *f, const ast_mod *mods, const char *name, bool *has,
                              double *number)
{
    const ast_mod *mod = ast_mod_find(mods, f->names, name);
    if (!mod || !mod->value)
        return;
    value v = value_convert(f, eval_literal(f, mod->value), type_scalar(T_REAL), mod->at, name);
    if (is_bad(v))
        return;
    *has = expr_is_constant(f->g, v.e[0]) && isfinite(expr_value(f->g, v.e[0]));
    if (*has)
        *number = expr_value(f->g, v.e[0]);
    else
        fl_error(f, mod->at, "%s of the experiment is not a constant", name);
}

static void read_experiment(flattener *f, const ast_class *c)
{
    flat_experiment *x = &f->m->experiment;
    const ast_mod *mod = ast_mod_find(c->comment.annotation, f->names, "experiment");
    if (!mod)
        return;
    experiment_number(f, mod->mods, "StartTime", &x->has_start, &x->start);
    experiment_number(f, mod->mods, "StopTime", &x->has_stop, &x->stop);
    experiment_number(f, mod->mods, "Interval", &x->has_interval, &x->interval);
    experiment_number(f, mod->mods, "Tolerance", &x->has_tolerance, &x->tolerance);
}

/* Said of a name that the model has, but as something else. */
static const char *what_it_has(const flat_variable *v, bool wants_start)
{
    if (wants_start)
        return ": it has no start value";
    return v->variability > FLAT_PARAMETER ? ": it has a start value only" : "";
}

static void check_changes(flattener *f)
{
    for (size_t i = 0; i < f->n_changes; i++) {
        bool is_start = f->changes[i].is_start;
        const char *what = is_start ? "variable" : "parameter", *name = f->changes[i].name;
        uint32_t known = f->variable_of[f->change_name[i]];
        if (f->change_used[i])
            continue;
        f->c->wrong_changes = true;
        if (known)
            fl_error(f, SOURCE_NOWHERE, "'%s' is not a %s%s", name, what,
                     what_it_has(&f->m->variables[known - 1], is_start));
        else
            unknown_change(f, what, name);
    }
}

static bool prepare_changes(flattener *f, const flat_change *changes, size_t n)
{
    f->changes = changes;
    f->n_changes = n;
    f->change_name = arena_take(&f->c->mem, n + 1, sizeof *f->change_name);
    f->change_used = arena_take(&f->c->mem, n + 1, sizeof *f->change_used);
    for (size_t i = 0; f->change_name && i < n; i++)
        f->change_name[i] = fl_intern(f, changes[i].name);
    return f->change_name && f->change_used;
}

/* ---- the outline ---- */

static void flatten_model(flattener *f, const ast_file *file)
{
    learn_builtins(f);
    if (!find_model(f, file) || !functions_create(f))
        return;
    f->m->name = f->model->name;
    f->m->description = f->model->comment.text;
    for (const ast_class *c = file->classes; c; c = c->next)
        declare_globals(f, c, NULL);
    declare_class(f, f->model, NULL);
    declare_finish(f);
    for (const ast_section *s = f->model->sections; s; s = s->next)
        flatten_section(f, s);
    discrete_finish(f);
    for (const ast_class *c = file->classes; c; c = c->next)
        read_experiment(f, c);
    read_experiment(f, f->model);
    if (f->c->sources.n_errors == 0)
        check_changes(f);
}

static flat_model *model_new(compilation *c)
{
    flat_model *m = arena_take(&c->mem, 1, sizeof *m);
    if (!m)
        return NULL;
    m->from = c;
    m->name = INTERN_NONE;
    return expr_graph_create(&m->graph, c->mem.allocator, 0) ? m : NULL;
}

/* What was written may be evaluated, however long it is. */
static size_t text_size(const sources *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += s->source[i]->length;
    return n;
}

/* One arena answers for all memory of the front end. */
static void collect_failures(flattener *f)
{
    arena *all = &f->c->mem;
    all->failed = all->failed || f->values.failed || f->m->graph.failed;
    all->over_limit = all->over_limit || f->values.over_limit;
    if (all->over_limit)
        source_error(&f->c->sources, f->work.at,
                     "the model is too large: it takes more than %zu MB of memory to read",
                     all->limit >> 20);
    else if (all->failed && f->c->sources.n_errors == 0)
        source_error(&f->c->sources, SOURCE_NOWHERE, "out of memory");
}

static flat_model *flatten_as(compilation *c, const flattener *from)
{
    flat_model *m = model_new(c);
    flattener *f = m ? arena_take(&c->mem, 1, sizeof *f) : NULL;
    if (!f) {
        flat_free(m);
        c->mem.failed = true; /* it was the graph's memory, perhaps */
        source_error(&c->sources, SOURCE_NOWHERE, "out of memory");
        return NULL;
    }
    *f = (flattener){.c = c,
                     .names = &c->names,
                     .m = m,
                     .g = &m->graph,
                     .file = from->file,
                     .mixes_homotopy = from->mixes_homotopy,
                     .end = -1,
                     .section = IN_NOWHERE};
    f->work.left = f->work.limit = WORK_MAX + text_size(&c->sources);
    f->mem = &f->values;
    arena_create(&f->values, c->mem.allocator, c->mem.limit);
    if (prepare_changes(f, from->changes, from->n_changes) && ids_grow(f))
        flatten_model(f, from->file);
    collect_failures(f);
    arena_free(&f->values);
    expr_differ_free(f->differ);
    f->differ = NULL;
    f->work.in_simulation = true;
    m->n_flattened = m->n_variables;
    if (c->sources.n_errors == 0)
        return m;
    flat_free(m);
    return NULL;
}

flat_model *flatten(compilation *c, const ast_file *file, const flat_change *changes,
                    size_t n_changes)
{
    flattener from = {.file = file, .changes = changes, .n_changes = n_changes};
    return flatten_as(c, &from);
}

flat_model *flatten_with_homotopy(const flat_model *of)
{
    const flattener *f = ((const executor *)of->functions)->f;
    flattener from = {
        .file = f->file, .changes = f->changes, .n_changes = f->n_changes, .mixes_homotopy = true};
    flat_model *m = flatten_as(of->from, &from);
    if (m && m->n_variables == of->n_flattened)
        return m;
    flat_free(m);
    return NULL;
}
