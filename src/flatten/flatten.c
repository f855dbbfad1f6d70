/* flatten/flatten.c - see flatten.h: the outline of flattening. */
#include "clocks/clocks.h"
#include "flatten/execute.h"

#include <math.h>
#include <string.h>

/* ---- beginning ---- */

static int32_t builtin_enumeration(flattener *f, const char *name, const char *const *literals)
{
    flat_enumeration e = {.name = context_intern(f->in, name)};
    while (literals[e.n])
        e.n++;
    e.literals = arena_take(&f->in->c->mem, (size_t)e.n, sizeof *e.literals);
    if (!e.literals)
        return -1;
    for (int32_t i = 0; i < e.n; i++)
        e.literals[i] = context_intern(f->in, literals[i]);
    return (int32_t)flat_add_enumeration(f->in->build, e);
}

static void learn_builtins(flattener *f, known_names *id)
{
    static const char *const select[] = {"never", "avoid", "default", "prefer", "always", NULL};
    static const char *const level[] = {"warning", "error", NULL};
    builtin_enumeration(f, "StateSelect", select);
    f->assertion_level = builtin_enumeration(f, "AssertionLevel", level);
    id->time = context_intern(f->in, "time");
    attributes_learn(f, id);
    f->id = id;
}

static bool is_model(const flattener *f, const ast_class *c)
{
    return !class_is_external_object(f, c) &&
           (c->kind == AST_MODEL || c->kind == AST_CLASS || c->kind == AST_BLOCK) &&
           c->form == AST_LONG;
}

static const ast_class *model_inside(const flattener *f, const ast_class *c)
{
    const ast_class *found = is_model(f, c) ? c : NULL;
    if (c->kind == AST_PACKAGE)
        for (const ast_element *e = c->elements; e; e = e->next) {
            const ast_class *one = e->kind == AST_NESTED ? model_inside(f, e->nested) : NULL;
            found = one ? one : found;
        }
    return found;
}

static bool has_name(const flattener *f, const ast_class *c, const char *inside)
{
    const char *wanted = f->in->c->model_name, *name = context_name(f->in, c->name);
    size_t n = strlen(inside);
    bool is_full = n > 0 && strncmp(wanted, inside, n) == 0 && wanted[n] == '.' &&
                   strcmp(wanted + n + 1, name) == 0;
    return is_full || strcmp(wanted, name) == 0;
}

/* The model of the name that was asked for, among the classes of a file or a package. */
static const ast_class *model_named(const flattener *f, const ast_class *c, const char *inside)
{
    if (is_model(f, c))
        return has_name(f, c, inside) ? c : NULL;
    const char *name = context_name(f->in, c->name);
    const char *here = *inside ? context_text(f->in, "%s.%s", inside, name) : name;
    for (const ast_element *e = c->kind == AST_PACKAGE && here ? c->elements : NULL; e; e = e->next)
        if (e->kind == AST_NESTED) {
            const ast_class *found = model_named(f, e->nested, here);
            if (found)
                return found;
        }
    return NULL;
}

static bool find_model(flattener *f, const ast_file *file)
{
    for (const ast_class *c = file->classes; c; c = c->next) {
        classes_collect(f, c, "");
        const ast_class *m = f->in->c->model_name ? model_named(f, c, "") : model_inside(f, c);
        if (m)
            f->model = m;
    }
    f->in->c->wrong_changes = !f->model && f->in->c->model_name;
    if (!f->model && f->in->c->model_name)
        context_error(f->in, SOURCE_NOWHERE, "the file contains no model '%s'",
                      f->in->c->model_name);
    else if (!f->model)
        context_error(f->in, file->classes ? file->classes->at : SOURCE_NOWHERE,
                      "the file contains no model");
    return f->model != NULL;
}

static void declare_globals(flattener *f, const ast_class *c, const char *inside)
{
    const char *name = context_name(f->in, c->name);
    const char *full = inside ? context_text(f->in, "%s.%s", inside, name) : name;
    if (c->kind != AST_PACKAGE || !full)
        return;
    declare_class(f, c, full);
    for (const ast_element *e = c->elements; e; e = e->next)
        if (e->kind == AST_NESTED)
            declare_globals(f, e->nested, full);
}

/* ---- sections ---- */

/* Frees the memory of values between clauses: values do not outlive a clause. */
static void forget_values(flattener *f)
{
    enum { ENOUGH = 1 << 24 };
    if (f->values.taken > ENOUGH && !f->values.failed) {
        arena_free(&f->values);
        arena_create(&f->values, f->in->c->mem.allocator, f->in->c->mem.limit);
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
    f->in->without_events = is_initial ? 1 : 0; /* initial equations generate no events */
    if (s->kind == AST_EQUATIONS || s->kind == AST_INITIAL_EQUATIONS)
        flatten_clauses(f, s->clauses);
    else
        algorithm_flatten(f, s, is_initial);
    f->in->without_events = 0;
}

/* ---- experiment, changes ---- */

static void experiment_number(flattener *f, const ast_mod *mods, const char *name, bool *has,
                              double *number)
{
    const ast_mod *mod = ast_mod_find(mods, f->in->names, name);
    if (!mod || !mod->value)
        return;
    value v = value_convert(f->in, evaluate_without_events(f->in, mod->value), type_scalar(T_REAL),
                            mod->at, name);
    if (is_bad(v))
        return;
    *has = expr_is_constant(f->in->g, v.e[0]) && isfinite(expr_value(f->in->g, v.e[0]));
    if (*has)
        *number = expr_value(f->in->g, v.e[0]);
    else
        context_error(f->in, mod->at, "%s of the experiment is not a constant", name);
}

static void read_experiment(flattener *f, const ast_class *c)
{
    flat_experiment *x = &f->in->m->experiment;
    const ast_mod *mod = ast_mod_find(c->comment.annotation, f->in->names, "experiment");
    if (!mod)
        return;
    experiment_number(f, mod->mods, "StartTime", &x->has_start, &x->start);
    experiment_number(f, mod->mods, "StopTime", &x->has_stop, &x->stop);
    experiment_number(f, mod->mods, "Interval", &x->has_interval, &x->interval);
    experiment_number(f, mod->mods, "Tolerance", &x->has_tolerance, &x->tolerance);
}

/* The end of a message about a name that means something else in the model. */
static const char *what_it_has(const flat_variable *v, bool wants_start)
{
    if (wants_start)
        return ": it has no start value";
    return v->variability > FLAT_PARAMETER ? ": it has only a start value" : "";
}

static void check_changes(flattener *f)
{
    for (size_t i = 0; i < f->changes->n; i++) {
        bool is_start = f->changes->item[i].is_start;
        bool is_input = f->changes->item[i].is_input;
        const char *what = is_start   ? "variable"
                           : is_input ? "input of the model"
                                      : "parameter",
                   *name = f->changes->item[i].name;
        uint32_t known = f->scope->variable_of[f->changes->name[i]];
        if (f->changes->is_used[i])
            continue;
        f->in->c->wrong_changes = true;
        if (known)
            context_error(f->in, SOURCE_NOWHERE, "'%s' is not %s %s%s", name, is_input ? "an" : "a",
                          what,
                          is_input ? "" : what_it_has(&f->in->m->variables[known - 1], is_start));
        else
            change_unknown(f, what, name);
    }
}

static bool prepare_changes(flattener *f)
{
    change_list *all = f->changes;
    all->name = arena_take(&f->in->c->mem, all->n + 1, sizeof *all->name);
    all->is_used = arena_take(&f->in->c->mem, all->n + 1, sizeof *all->is_used);
    for (size_t i = 0; all->name && i < all->n; i++)
        all->name[i] = context_intern(f->in, all->item[i].name);
    return all->name && all->is_used;
}

/* A variable that a when-clause assigns has no derivative. */
static void check_derivatives(flattener *f)
{
    const expr_graph *g = f->in->g;
    for (expr e = 1; e < g->n; e++) {
        uint32_t symbol = expr_is_variable(g, e) ? expr_index(g, e) : flat_symbol(FLAT_TIME, 0);
        uint32_t v = flat_number(symbol);
        if (flat_kind(symbol) != FLAT_DER || f->in->m->variables[v].variability != FLAT_DISCRETE ||
            clocks_own(f->in, v))
            continue;
        context_error(
            f->in, f->scope->leaf[v].assigned_at,
            "'%s' is assigned in 'when' and has no derivative then: to let it jump, write "
            "reinit(%s, ...)",
            context_name(f->in, f->in->m->variables[v].name),
            context_name(f->in, f->in->m->variables[v].name));
    }
}

/* Whether e reads pre(v) of a continuous variable: *v. */
static bool reads_pre(const flattener *f, expr_walker *w, expr e, uint32_t *v)
{
    const expr_graph *g = f->in->g;
    if (!expr_depends(w, e, EXPR_ALL))
        return false;
    for (size_t q = 0; q < w->n_found; q++) {
        uint32_t symbol = expr_index(g, w->found[q]);
        *v = flat_number(symbol);
        if (flat_kind(symbol) == FLAT_PRE && f->in->m->variables[*v].variability == FLAT_CONTINUOUS)
            return true;
    }
    return false;
}

/* pre(x) of a continuous x has a meaning at events only. */
static void check_left_limits(flattener *f)
{
    expr_walker w;
    uint32_t v = 0;
    expr_walker_create(&w, f->in->g);
    for (size_t i = 0; i < f->in->m->n_equations; i++) {
        const flat_equation *q = &f->in->m->equations[i];
        if (!reads_pre(f, &w, q->left, &v) && !reads_pre(f, &w, q->right, &v))
            continue;
        const char *name = context_name(f->in, f->in->m->variables[v].name);
        source_warning(&f->in->c->sources, q->at,
                       "pre(%s) outside of 'when' is the value that '%s' had at the last event, "
                       "since '%s' is continuous",
                       name, name, name);
    }
    expr_walker_free(&w);
}

/* ---- the outline ---- */

static void flatten_model(flattener *f, const ast_file *file)
{
    if (!find_model(f, file) || !executor_create(f))
        return;
    f->in->m->name = f->model->name;
    f->in->m->description = f->model->comment.text;
    for (const ast_class *c = file->classes; c; c = c->next)
        declare_globals(f, c, NULL);
    declare_class(f, f->model, NULL);
    declare_finish(f);
    for (const ast_section *s = f->model->sections; s; s = s->next)
        flatten_section(f, s);
    if (f->in->c->sources.n_errors == 0)
        clocked_finish(f);
    discrete_finish(f);
    algorithm_finish(f);
    discrete_check_integers(f);
    discrete_check_reinits(f);
    check_derivatives(f);
    if (f->in->c->sources.n_errors == 0)
        derivatives_finish(f);
    check_left_limits(f);
    limits_watch(f);
    units_check(f);
    for (const ast_class *c = file->classes; c; c = c->next)
        read_experiment(f, c);
    read_experiment(f, f->model);
    if (f->in->c->sources.n_errors == 0)
        declare_definitions(f);
    if (f->in->c->sources.n_errors == 0)
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

/* The number of bytes of all texts: a long text may take more work. */
static size_t text_size(const sources *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += s->source[i]->length;
    return n;
}

/* Reports missing memory. The arena of the compilation stands for all memory of the front end. */
static void collect_failures(flattener *f)
{
    arena *all = &f->in->c->mem;
    all->failed = all->failed || f->values.failed || f->in->m->graph.failed;
    all->over_limit = all->over_limit || f->values.over_limit;
    if (all->over_limit)
        source_error(&f->in->c->sources, f->in->work.at,
                     "the model is too large: it takes more than %zu MB of memory to read",
                     all->limit >> 20);
    else if (all->failed && f->in->c->sources.n_errors == 0)
        source_error(&f->in->c->sources, SOURCE_NOWHERE, "out of memory");
}

/* Everything that a flattening is made of, in one block. */
typedef struct flattening {
    flattener f;
    context in;
    flat_builder build;
    scope scope;
    function_list functions;
    change_list changes;
    known_names id;
    clock_list clocks;
} flattening;

static flattener *flattener_create(compilation *c, flat_model *m, const change_list *changes)
{
    flattening *w = arena_take(&c->mem, 1, sizeof *w);
    if (!w)
        return NULL;
    flattener *f = &w->f;
    w->build.m = m;
    w->changes = *changes;
    w->in = (context){.c = c,
                      .names = &c->names,
                      .m = m,
                      .build = &w->build,
                      .g = &m->graph,
                      .mem = &f->values,
                      .clocks = &w->clocks,
                      .interpreter = &flattener_interpreter,
                      .user = f};
    w->in.work.left = w->in.work.limit = WORK_MAX + text_size(&c->sources);
    *f = (flattener){.in = &w->in,
                     .scope = &w->scope,
                     .functions = &w->functions,
                     .changes = &w->changes,
                     .end = -1,
                     .clock = FLAT_NONE,
                     .section = IN_NOWHERE};
    arena_create(&f->values, c->mem.allocator, c->mem.limit);
    learn_builtins(f, &w->id);
    return f;
}

flattener *flattener_for_constants(compilation *c)
{
    static const change_list none = {0};
    static const ast_class nothing = {.kind = AST_MODEL, .name = 0};
    flat_model *m = model_new(c);
    flattener *f = m ? flattener_create(c, m, &none) : NULL;
    if (!f) {
        flat_free(m);
        return NULL;
    }
    f->model = &nothing;
    return prepare_changes(f) && ids_grow(f) && executor_create(f) ? f : NULL;
}

static flat_model *flatten_file(compilation *c, const ast_file *file, const change_list *changes,
                                bool mixes_homotopy)
{
    flat_model *m = model_new(c);
    flattener *f = m ? flattener_create(c, m, changes) : NULL;
    if (!f) {
        flat_free(m);
        c->mem.failed = true; /* the memory of the graph may have failed, not that of the arena */
        source_error(&c->sources, SOURCE_NOWHERE, "out of memory");
        return NULL;
    }
    f->file = file;
    f->in->mixes_homotopy = mixes_homotopy;
    if (prepare_changes(f) && ids_grow(f))
        flatten_model(f, file);
    collect_failures(f);
    arena_free(&f->values);
    total_derivative_free(f->in);
    f->in->work.in_simulation = true;
    m->n_flattened = m->n_variables;
    if (c->sources.n_errors == 0)
        return m;
    flat_free(m);
    return NULL;
}

flat_model *flatten(compilation *c, const ast_file *file, const flat_change *changes,
                    size_t n_changes)
{
    change_list list = {.item = changes, .n = n_changes};
    return flatten_file(c, file, &list, false);
}

flat_model *flatten_with_homotopy(const flat_model *of)
{
    const flattener *f = ((const executor *)of->functions)->f;
    flat_model *m = flatten_file(of->from, f->file, f->changes, true);
    if (m && m->n_variables == of->n_flattened)
        return m;
    flat_free(m);
    return NULL;
}
