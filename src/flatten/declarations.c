/* flatten/declarations.c - see flattener.h: declarations become variables with attributes, values
 * of parameters and bindings.
 *
 * Sizes and values are computed when they are first needed: a size needs a parameter, whose
 * binding needs another. is_sizing and is_valuing mark computations under way, so that cycles are
 * found. */
#include "expr/print.h"
#include "expr/walk.h"
#include "flatten/execute.h"
#include "lang/owners.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- where it is asked for ---- */

/* Sizes and values of the model are computed outside of the function, algorithm or execution with
 * numbers that needs them: its state is put aside. */
typedef struct place {
    frame *frame;
    iteration *iterations;
    overlay *overlay;
    expr_graph *g;
    expr path;
    int32_t end;
    bool is_run;
} place;

static place place_of_model(flattener *f)
{
    place p = {f->in->frame, f->iterations, f->overlay,       f->in->g,
               f->path,      f->end,        f->in->is_numeric};
    f->in->frame = NULL;
    f->iterations = NULL;
    f->overlay = NULL;
    f->in->g = &f->in->m->graph;
    f->path = EXPR_NONE;
    f->end = -1;
    f->in->is_numeric = false;
    f->depth += DECLARATION_COST;
    return p;
}

static void place_return(flattener *f, const place *p)
{
    f->in->frame = p->frame;
    f->iterations = p->iterations;
    f->overlay = p->overlay;
    f->in->g = p->g;
    f->path = p->path;
    f->end = p->end;
    f->in->is_numeric = p->is_run;
    f->depth -= DECLARATION_COST;
}

/* ---- declaring ---- */

/* An element of an array that is declared element by element, Real a[1]; Real a[2]; as exporters
 * write it: the same declaration of a scalar with the name a[1].  NULL: the declaration does not
 * look so. */
static const ast_element *as_array_element(flattener *f, const ast_element *e)
{
    ast_part part = {.name = e->name, .n_subs = e->dims.n, .sub = e->dims.item};
    ast_expr ref = {.kind = AST_REF, .n = 1};
    ref.part = &part;
    int32_t name = e->dims.n > 0 ? ast_flat_name(&ref, f->in->names) : INTERN_NONE;
    ast_element *one = name == INTERN_NONE ? NULL : arena_take(&f->in->c->mem, 1, sizeof *one);
    if (!one || !ids_grow(f))
        return NULL;
    *one = *e;
    one->name = name;
    one->dims = (ast_list){0};
    return one;
}

/* Whether e, of this name, is another element of the array of which the component is one. */
static bool is_next_element(flattener *f, component *c, const ast_element *e, int32_t name)
{
    if (c->is_element)
        return true;
    const ast_element *first = as_array_element(f, c->element);
    if (!first || c->element->dims.n != e->dims.n || first->name == name)
        return false;
    c->array = c->name;
    c->element = first;
    c->name = first->name;
    c->is_element = true;
    f->scope->component_of[first->name] = (uint32_t)(c - f->scope->component) + 1;
    return true;
}

/* What is declared inside the model hides what packages have; two packages may have the same
 * short name, and then only the full one can be used.  The element to declare, which is an
 * array element where the array is declared element by element; NULL: it is declared twice. */
static const ast_element *element_to_declare(flattener *f, const ast_element *e, int32_t full)
{
    int32_t key = full == INTERN_NONE ? e->name : full;
    uint32_t other = f->scope->component_of[key];
    if (!other || f->scope->component[other - 1].is_global != (full != INTERN_NONE))
        return e;
    const ast_element *one = full == INTERN_NONE ? as_array_element(f, e) : NULL;
    if (one && is_next_element(f, &f->scope->component[other - 1], e, one->name) &&
        !f->scope->component_of[one->name])
        return one;
    context_error(f->in, e->at, "'%s' is declared twice", context_name(f->in, e->name));
    return NULL;
}

/* The elements of an array that is declared element by element begin with a[1]; else the
 * declarations are two arrays of the same name. */
static void check_first_element(flattener *f, size_t k)
{
    const component c = f->scope->component[k];
    if (!c.is_element || f->scope->component_of[c.array] != k + 1)
        return;
    const char *name = context_name(f->in, c.array);
    char ones[2 * MOST_DIMS + 2] = "[1";
    size_t n = 2;
    for (const char *p = context_name(f->in, c.name) + strlen(name); *p; p++)
        if (*p == ',' && n + 3 < sizeof ones)
            n += (size_t)snprintf(ones + n, sizeof ones - n, ",1");
    const char *first = context_text(f->in, "%s%s]", name, ones);
    int32_t id = first ? context_intern(f->in, first) : INTERN_NONE;
    if (id != INTERN_NONE && ids_grow(f) && !f->scope->component_of[id])
        context_error(f->in, c.element->at,
                      "'%s' is declared twice, and its elements one by one would begin with %s",
                      name, first);
}

/* full: the name with the package before it, or INTERN_NONE in the model. */
static void declare(flattener *f, const ast_element *e, int32_t full)
{
    bool is_global = full != INTERN_NONE;
    const ast_element *whole = e;
    if (!ids_grow(f) || !(e = element_to_declare(f, e, full)))
        return;
    component *list = context_push(f->in, f->scope->component, f->scope->n_components,
                                   &f->scope->component_capacity, sizeof *list);
    if (!list)
        return;
    f->scope->component = list;
    uint32_t other = f->scope->component_of[e->name];
    f->scope->component[f->scope->n_components++] = (component){.name = e->name,
                                                                .element = e,
                                                                .is_global = is_global,
                                                                .is_element = e != whole,
                                                                .is_ambiguous = is_global && other};
    if (other && is_global)
        f->scope->component[other - 1].is_ambiguous = true;
    f->scope->component_of[e->name] = (uint32_t)f->scope->n_components;
    if (is_global)
        f->scope->component_of[full] = (uint32_t)f->scope->n_components;
}

static void refuse_element(flattener *f, const ast_element *e)
{
    if (e->kind == AST_EXTENDS)
        context_error(f->in, e->at, "'extends' is not supported: write a flat model");
    else if (e->kind == AST_GUESS)
        context_error(f->in, e->at,
                      "'parameter equation guess' is not supported: use the attribute 'start'");
}

static int32_t full_name(flattener *f, const char *inside, int32_t name)
{
    const char *text =
        inside ? context_text(f->in, "%s.%s", inside, context_name(f->in, name)) : NULL;
    return text ? context_intern(f->in, text) : INTERN_NONE;
}

void declare_class(flattener *f, const ast_class *c, const char *inside)
{
    bool is_global = inside != NULL;
    for (const ast_element *e = c->elements; e; e = e->next)
        if (e->kind == AST_COMPONENT)
            declare(f, e, full_name(f, inside, e->name));
        else
            refuse_element(f, e);
    for (size_t k = 0; !is_global && k < f->scope->n_components; k++)
        check_first_element(f, k);
    if (!is_global && c->partitions)
        context_error(f->in, c->partitions->at, "'partition' is not supported");
    if (!is_global && c->external)
        context_error(f->in, c->external->at, "'external' can stand only in a function");
}

/* ---- variables ---- */

static uint32_t variable_make(flattener *f, int32_t name, flat_type t, source_at at)
{
    scope *s = f->scope;
    leaf *leaves =
        context_push(f->in, s->leaf, f->in->m->n_variables, &s->leaf_capacity, sizeof *leaves);
    if (leaves)
        s->leaf = leaves;
    if (!leaves || !ids_grow(f) || name == INTERN_NONE)
        return FLAT_NONE;
    flat_variable made = {.name = name,
                          .type = (uint8_t)t,
                          .select = FLAT_DEFAULT,
                          .min = -INFINITY,
                          .max = INFINITY,
                          .variability = t == FLAT_REAL ? FLAT_CONTINUOUS : FLAT_DISCRETE,
                          .enumeration = -1,
                          .at = at};
    uint32_t v = flat_add_variable(f->in->build, &made);
    if (v == FLAT_NONE)
        return FLAT_NONE;
    s->leaf[v] = (leaf){0};
    s->variable_of[name] = v + 1;
    return v;
}

uint32_t variable_hidden(flattener *f, const char *stem, flat_type t, source_at at)
{
    const char *text = context_text(f->in, "$%s%zu", stem, f->in->m->n_variables);
    uint32_t v = text ? variable_make(f, context_intern(f->in, text), t, at) : FLAT_NONE;
    if (v != FLAT_NONE)
        f->in->m->variables[v].hidden = true;
    return v;
}

/* A declaration while it is expanded into scalars. */
typedef struct expansion {
    uint32_t component;
    const ast_element *element;
    const layer *layers;
    const ast_expr *binding;
    uint32_t prefixes;
    uint32_t at, count;
} expansion;

static bool expand_scalar(flattener *f, const expansion *x, int32_t name, type t)
{
    if (x->at && f->scope->variable_of[name]) {
        context_error(f->in, x->element->at, "'%s' is declared twice", context_name(f->in, name));
        return false;
    }
    uint32_t v = variable_make(f, name, type_flat_of(t), x->element->at);
    if (v == FLAT_NONE)
        return false;
    flat_variable *made = &f->in->m->variables[v];
    uint32_t all = x->prefixes;
    made->enumeration = t.base == T_ENUM ? t.info : -1;
    made->is_input = all & AST_INPUT;
    made->is_output = all & AST_OUTPUT;
    made->is_parameter = (all & AST_PARAMETER) && !(all & AST_CONSTANT);
    made->is_final = all & AST_FINAL || x->element->prefixes & AST_FINAL;
    made->hidden = f->scope->component[x->component].is_global;
    made->description = x->element->comment.text;
    if (all & (AST_PARAMETER | AST_CONSTANT) || t.base == T_OBJECT)
        made->variability = FLAT_CONSTANT;
    f->scope->leaf[v] = (leaf){.component = x->component,
                               .element = x->element,
                               .layers = x->layers,
                               .binding = x->binding,
                               .at = x->at,
                               .count = x->count};
    return true;
}

static bool expand(flattener *f, expansion x, const char *text, type t);

/* The modifiers and the binding of a member: those around the record come first. */
static expansion member_expansion(flattener *f, const expansion *x, const member *m)
{
    expansion inner = *x;
    inner.element = m->element;
    inner.prefixes |= m->element->prefixes & (AST_PARAMETER | AST_CONSTANT);
    inner.binding = NULL;
    enum { CHAIN_MAX = 16 }; /* modifiers of one member */
    const layer *chain[CHAIN_MAX];
    int n = 0;
    for (const layer *l = x->layers; l; l = l->next)
        for (const ast_mod *mod = l->mods; mod; mod = mod->next)
            if (mod->name == m->name && n < CHAIN_MAX) {
                layer *sub = arena_take(&f->in->c->mem, 1, sizeof *sub);
                if (sub)
                    *sub = (layer){.mods = mod->mods};
                chain[n++] = sub;
                if (!inner.binding)
                    inner.binding = mod->value;
            }
    inner.layers = m->layers;
    while (n-- > 0)
        if (chain[n]) {
            ((layer *)(uintptr_t)chain[n])->next = inner.layers;
            inner.layers = chain[n];
        }
    if (!inner.binding)
        inner.binding = m->element->binding;
    return inner;
}

/* Whether a size is open without being ':'. */
static bool depends_on_members(const member *m)
{
    int32_t n = m->element ? m->element->dims.n + m->element->type_dims.n : 0, n_colons = 0;
    for (int32_t i = 0; m->element && i < m->element->dims.n; i++)
        n_colons += m->element->dims.item[i]->kind == AST_COLON;
    for (int32_t i = 0; m->element && i < m->element->type_dims.n; i++)
        n_colons += m->element->type_dims.item[i]->kind == AST_COLON;
    int32_t n_open = 0;
    for (int32_t i = 0; i < n; i++)
        n_open += (int32_t)(m->open_dims >> i & 1);
    return n_open > n_colons;
}

static bool expand_record(flattener *f, const expansion *x, const char *text, type t)
{
    for (int32_t i = 0; i < f->in->record[t.info].n; i++) {
        member m = f->in->record[t.info].member[i];
        const char *inner = context_text(f->in, "%s.%s", text, context_name(f->in, m.name));
        if (depends_on_members(&m))
            return context_error(f->in, m.element->at,
                                 "the size of '%s' depends on other members of the record, which "
                                 "is possible in functions only",
                                 inner ? inner : "")
                .n;
        if (!inner || !expand(f, member_expansion(f, x, &m), inner, m.type))
            return false;
    }
    return true;
}

static bool expand_one(flattener *f, const expansion *x, const char *text, type t)
{
    if (t.base == T_RECORD)
        return expand_record(f, x, text, t);
    int32_t name = context_intern(f->in, text);
    return name != INTERN_NONE && ids_grow(f) && expand_scalar(f, x, name, t);
}

enum { SUBSCRIPT_MAX = 12 }; /* characters of one, with what stands before it */

/* A number in front of `end`; where it begins. */
static char *number_before(char *end, size_t number)
{
    do
        *--end = (char)('0' + number % 10);
    while (number /= 10);
    return end;
}

/* The name of element k of an array: x[1,2].  snprintf takes most of the time of large arrays. */
static const char *element_name(flattener *f, const char *array, type t, size_t k)
{
    char subs[MOST_DIMS * SUBSCRIPT_MAX + 2], *last = subs + sizeof subs - 1, *at = last;
    *at = '\0';
    *--at = ']';
    for (int i = t.n_dims; i-- > 0; k /= (size_t)t.dim[i]) {
        at = number_before(at, k % (size_t)t.dim[i] + 1);
        *--at = i ? ',' : '[';
    }
    size_t length = strlen(array), behind = (size_t)(last - at);
    char *name = arena_take(f->in->mem, length + behind + 1, 1);
    if (name) {
        memcpy(name, array, length);
        memcpy(name + length, at, behind);
    }
    return name;
}

static bool expand(flattener *f, expansion x, const char *text, type t)
{
    if (t.n_dims == 0)
        return expand_one(f, &x, text, t);
    size_t count = type_count(t);
    uint32_t outer = x.at;
    x.count *= (uint32_t)count;
    for (size_t k = 0; k < count; k++) {
        const char *one = element_name(f, text, t, k);
        x.at = outer * (uint32_t)count + (uint32_t)k;
        if (!one || !expand_one(f, &x, one, type_element(t)))
            return false;
    }
    return true;
}

/* ---- sizes ---- */

/* A size ':' of a declaration is that of its binding. */
static bool size_from_binding(flattener *f, component *c)
{
    const ast_element *e = c->element;
    if (!e->binding)
        return context_error(f->in, e->at, "the size of '%s' is not given",
                             context_name(f->in, c->name))
            .n;
    size_t k = (size_t)(c - f->scope->component);
    value v = evaluate_without_events(f->in, e->binding);
    c = &f->scope->component[k];
    if (is_bad(v))
        return false;
    if (v.type.n_dims != c->type.n_dims)
        return context_error(f->in, e->at, "'%s' has %d dimensions, but its value is %s",
                             context_name(f->in, c->name), c->type.n_dims, type_text(f->in, v.type))
            .n;
    for (int i = 0; i < c->type.n_dims; i++)
        if (c->type.dim[i] < 0)
            c->type.dim[i] = v.type.dim[i];
    return true;
}

static bool component_type(flattener *f, size_t k)
{
    const ast_element *e = f->scope->component[k].element;
    const layer *layers = NULL;
    bool is_open = false;
    type t = type_of_element(f, e, &layers, &is_open);
    component *c = &f->scope->component[k];
    c->type = t;
    c->layers = layers;
    if (t.base == T_BAD)
        return false;
    if (t.base == T_FUNCTION)
        return context_error(f->in, e->at, "a variable cannot be of a function type").n;
    return !is_open || size_from_binding(f, c);
}

/* Reported even from an execution with numbers, which would take the value for zero. */
static bool depends_on_itself(flattener *f, const component *c, const char *what)
{
    const component *other = NULL;
    for (size_t k = 0; k < f->scope->n_components && !other; k++)
        if (f->scope->component[k].is_valuing && &f->scope->component[k] != c)
            other = &f->scope->component[k];
    source_error(&f->in->c->sources, c->element->at, "the %s of '%s' depends on itself%s%s%s", what,
                 context_name(f->in, c->name), other ? ", through '" : "",
                 other ? context_name(f->in, other->name) : "", other ? "'" : "");
    return false;
}

static bool may_descend(flattener *f, const component *c)
{
    if (f->depth < DEPTH_MAX)
        return true;
    source_error(&f->in->c->sources, c->element->at,
                 "'%s' depends on other declarations through too many levels",
                 context_name(f->in, c->name));
    return false;
}

static bool is_absent(flattener *f, const ast_element *e)
{
    if (!e->condition)
        return false;
    value v = evaluate_without_events(f->in, e->condition);
    if (is_bad(v) || v.type.base != T_BOOLEAN || v.n != 1 || !value_is_constant(f->in, v)) {
        context_error(f->in, e->condition->at,
                      "the condition of a declaration must be a constant Boolean");
        return true;
    }
    return expr_value(f->in->g, v.e[0]) == 0.0;
}

/* A variable costs some work, and allows for more of it in the equations that determine it. */
static bool pay_for_variables(flattener *f, const component *c)
{
    size_t n = type_leaves(f->in, c->type);
    f->in->work.at = c->element->at;
    if (n > VARIABLES_MAX - f->in->m->n_variables) {
        context_error(f->in, c->element->at,
                      "the model is too large: it declares more than %d variables", VARIABLES_MAX);
        return false;
    }
    if (!context_work(f->in, VARIABLE_WORK * n))
        return false;
    f->in->work.left += WORK_PER_VARIABLE * n;
    f->in->work.limit += WORK_PER_VARIABLE * n;
    return true;
}

bool component_size(flattener *f, component *c)
{
    size_t k = (size_t)(c - f->scope->component);
    if (c->is_sized)
        return c->type.base != T_BAD;
    if (c->is_sizing)
        return depends_on_itself(f, c, "size");
    c->is_sizing = true;
    place outer = place_of_model(f);
    bool ok = may_descend(f, c) && !is_absent(f, c->element) && component_type(f, k);
    place_return(f, &outer);
    c = &f->scope->component[k];
    c->is_sizing = false;
    c->is_sized = true;
    if (!ok || !pay_for_variables(f, c)) {
        c->type = type_scalar(T_BAD);
        return false;
    }
    expansion x = {.component = (uint32_t)k,
                   .element = c->element,
                   .layers = c->layers,
                   .prefixes = c->element->prefixes,
                   .count = 1};
    c->first = (uint32_t)f->in->m->n_variables;
    ok = expand(f, x, context_name(f->in, c->name), c->type);
    c = &f->scope->component[k];
    c->n = f->in->m->n_variables - c->first;
    if (!ok)
        c->type = type_scalar(T_BAD);
    return ok;
}

/* ---- values of parameters ---- */

static bool can_be_set(const flattener *f, uint32_t v)
{
    const leaf *l = &f->scope->leaf[v];
    unsigned prefixes = (unsigned)l->element->prefixes;
    return f->in->m->variables[v].type == FLAT_REAL && f->in->g == &f->in->m->graph &&
           (prefixes & AST_PARAMETER) && !(prefixes & (AST_CONSTANT | AST_FINAL)) &&
           !f->scope->component[l->component].is_global;
}

/* The value of a parameter or constant is the constant e.  Real parameters follow changes of those
 * that they depend on, and of their own value. */
static void set_constant(flattener *f, uint32_t v, expr e)
{
    flat_variable *var = &f->in->m->variables[v];
    if (e == EXPR_NONE || !can_be_set(f, v)) {
        var->value = e == EXPR_NONE || var->type == FLAT_REAL ? e : expr_settled(f->in->g, e);
        return;
    }
    expr own = expr_variable(f->in->g, flat_symbol(FLAT_VALUE, v));
    var->binding = e;
    var->value = expr_live_constant(f->in->g, expr_value_now(f->in->g, e), own);
}

/* The value that a parameter is set to from outside, as one of its type: of a Boolean, all but 0 is
 * true. */
static bool check_change(flattener *f, const flat_variable *var, double *given)
{
    static const char *const names[] = {
        [FLAT_INTEGER] = "Integer", [FLAT_BOOLEAN] = "Boolean", [FLAT_ENUM] = "enumeration"};
    bool is_value = var->type == FLAT_REAL || *given == floor(*given);
    if (var->type == FLAT_BOOLEAN) {
        is_value = !isnan(*given);
        *given = *given != 0.0;
    }
    if (var->type == FLAT_ENUM && var->enumeration >= 0)
        is_value = is_value && *given >= 1.0 &&
                   *given <= (double)f->in->m->enumerations[var->enumeration].n;
    if (is_value)
        return true;
    f->in->c->wrong_changes = true;
    context_error(f->in, var->at, "'%s' is of type %s and cannot be %g",
                  context_name(f->in, var->name), names[var->type], *given);
    return false;
}

static bool changed_value(flattener *f, uint32_t v)
{
    flat_variable *var = &f->in->m->variables[v];
    for (size_t i = 0; i < f->changes->n; i++)
        if (!f->changes->item[i].is_start && !f->changes->item[i].is_input &&
            !f->changes->item[i].is_definition && f->changes->name[i] == var->name) {
            f->changes->is_used[i] = true;
            if (f->scope->leaf[v].element->prefixes & AST_CONSTANT) {
                context_error(f->in, var->at, "'%s' is a constant and cannot be set",
                              context_name(f->in, var->name));
                return false;
            }
            double given = f->changes->item[i].value;
            if (!check_change(f, var, &given))
                return false;
            set_constant(f, v, expr_constant(f->in->g, given));
            return true;
        }
    return false;
}

bool depends_on_parameters(flattener *f, const char *what, uint32_t v, expr e, source_at at)
{
    expr_walker w;
    bool ok = true;
    expr_walker_create(&w, f->in->g);
    if (expr_depends(&w, e, EXPR_ALL))
        for (size_t i = 0; ok && i < w.n_found; i++) {
            uint32_t symbol = expr_index(f->in->g, w.found[i]);
            const flat_variable *other = &f->in->m->variables[flat_number(symbol)];
            ok = flat_kind(symbol) == FLAT_VALUE && other->variability == FLAT_PARAMETER;
            if (!ok)
                context_error(f->in, at, "%s '%s' depends on %s%s, which is not a parameter", what,
                              context_name(f->in, f->in->m->variables[v].name),
                              flat_kind(symbol) == FLAT_TIME ? "time" : "",
                              flat_kind(symbol) == FLAT_TIME ? ""
                                                             : context_name(f->in, other->name));
        }
    expr_walker_free(&w);
    return ok;
}

static const char *symbol_name(void *user, uint32_t symbol)
{
    const flattener *f = user;
    uint32_t number = flat_number(symbol);
    switch (flat_kind(symbol)) {
    case FLAT_VALUE:
        return context_name(f->in, f->in->m->variables[number].name);
    case FLAT_TIME:
        return "time";
    default:
        return NULL;
    }
}

static char *expr_text(flattener *f, expr e)
{
    enum { LENGTH_MAX = 200 };
    char *text = arena_take(f->in->mem, LENGTH_MAX, 1);
    expr_names names = {.variable = symbol_name, .user = f};
    return text ? expr_print(f->in->g, e, &names, text, LENGTH_MAX) : NULL;
}

enum { GIVEN_STEPS_MAX = 20 }; /* parameters that are passed on from component to component */

/* The parameter at the end of the chain that begins with the first one in an expression. */
typedef struct given {
    flattener *f;
    int depth;
    const component *component;
    const ast_expr *binding;
} given;

static const ast_expr *given_value(const flattener *f, const component *c)
{
    if (c->element->binding)
        return c->element->binding;
    return c->n > 0 ? f->scope->leaf[c->first].binding : NULL;
}

static void look_for_given(void *user, const ast_expr *e)
{
    given *x = user;
    if (x->binding || x->depth > GIVEN_STEPS_MAX)
        return;
    component *c = e->kind == AST_REF ? component_named(x->f, e->part[0].name) : NULL;
    const ast_expr *bound = c ? given_value(x->f, c) : NULL;
    x->depth++;
    if (bound)
        look_for_given(x, bound);
    else
        ast_visit(e, look_for_given, x);
    x->depth--;
    if (bound && !x->binding) {
        x->component = c;
        x->binding = bound;
    }
}

/* Where the value was given that an expression in the text of a class uses, in words. */
static const char *value_cause(flattener *f, uint32_t v)
{
    given x = {.f = f};
    const ast_expr *binding = given_value(f, &f->scope->component[f->scope->leaf[v].component]);
    if (!binding || !f->in->c->owners)
        return "";
    look_for_given(&x, binding);
    if (!x.binding)
        return "";
    source_place p = sources_place(&f->in->c->sources, x.binding->at);
    const char *text = p.source ? context_text(f->in, "; '%s' is given at %s:%u:%u",
                                               context_name(f->in, x.component->name),
                                               p.source->name, (unsigned)p.line, (unsigned)p.column)
                                : NULL;
    return text ? text : "";
}

static void set_value(flattener *f, uint32_t v, expr e, source_at at)
{
    flat_variable *var = &f->in->m->variables[v];
    var->value = e;
    f->value_failed = f->value_failed || e == EXPR_NONE;
    if (e == EXPR_NONE || expr_is_constant(f->in->g, e)) {
        set_constant(f, v, e);
        return;
    }
    if (!expr_has(f->in->g, e, EXPR_HAS_VARIABLE)) {
        expr_source none = {.call = flat_call, .user = f->in->m->functions};
        double number = 0.0;
        if (expr_evaluate(f->in->g, e, &none, &number) == 0 && isfinite(number)) {
            set_constant(f, v,
                         expr_has(f->in->g, e, EXPR_HAS_LIVE)
                             ? expr_live_constant(f->in->g, number, e)
                             : expr_constant(f->in->g, number));
            return;
        }
        expr culprit = expr_blame(f->in->g, e, &none, &number);
        if (!f->value_failed)
            context_error(f->in, at, "the value of '%s' is not finite: %s is %g%s",
                          context_name(f->in, var->name), expr_text(f, culprit ? culprit : e),
                          number, value_cause(f, v));
        return;
    }
    if (depends_on_parameters(f, "parameter", v, e, at))
        f->in->m->variables[v].variability = FLAT_PARAMETER;
}

static double default_start(const flat_variable *var)
{
    return var->type == FLAT_ENUM ? 1.0 : 0.0;
}

/* A parameter without a binding gets its start value. */
static void value_without_binding(flattener *f, uint32_t v)
{
    remembered last = {0};
    flat_variable *var = &f->in->m->variables[v];
    const leaf *l = &f->scope->leaf[v];
    if (var->type == FLAT_OBJECT) {
        context_error(f->in, l->element->at, "external object '%s' is not constructed",
                      context_name(f->in, var->name));
        return;
    }
    if (!var->hidden || f->scope->component[l->component].is_global) {
        bool is_constant = l->element->prefixes & AST_CONSTANT;
        attribute_start(f, &last, v);
        var = &f->in->m->variables[v];
        if (var->start == EXPR_NONE)
            var->start = var->type == FLAT_STRING
                             ? expr_constant(f->in->g, context_intern(f->in, ""))
                             : expr_constant(f->in->g, default_start(var));
        source_warning(&f->in->c->sources, f->scope->leaf[v].element->at,
                       "%s '%s' has no value: its start value is used",
                       is_constant ? "constant" : "parameter", context_name(f->in, var->name));
    }
    set_value(f, v, var->start, f->scope->leaf[v].element->at);
}

static void leaf_value(flattener *f, uint32_t v, remembered *last)
{
    const ast_expr *binding = f->scope->leaf[v].binding;
    if (changed_value(f, v))
        return;
    if (attribute_unfixed(f, v) && !binding) {
        f->in->m->variables[v].variability = FLAT_PARAMETER;
        return;
    }
    if (!binding) {
        value_without_binding(f, v);
        return;
    }
    leaf l = f->scope->leaf[v];
    expr e = share_of(f, last, binding, &l);
    base_type want = type_base_of(f->in->m->variables[v].type),
              got = (base_type)last->value.type.base;
    if (e != EXPR_NONE && want != got && !(want == T_REAL && got == T_INTEGER)) {
        f->value_failed = true;
        context_error(f->in, binding->at, "the value of '%s' is %s, not %s",
                      context_name(f->in, f->in->m->variables[v].name),
                      type_text(f->in, last->value.type), type_text(f->in, type_scalar(want)));
    }
    set_value(f, v, e, binding->at);
}

/* Exporters declare the only element of an array as Real x[1] = 5. */
static value as_element(value v, type t)
{
    if (!is_bad(v) && v.n == 1 && v.type.n_dims == 0 && t.n_dims > 0 && type_count(t) == 1 &&
        v.type.base != T_RECORD)
        v.type = type_array(v.type, t.n_dims, t.dim);
    return v;
}

static void whole_value(flattener *f, size_t k, const ast_expr *binding)
{
    component c = f->scope->component[k];
    value v = as_element(evaluate_without_events(f->in, binding), c.type);
    if (c.type.n_dims > 0 && !is_bad(v) && v.type.n_dims == 0 && v.n == 1) {
        context_error(f->in, binding->at, "'%s' is %s, but its value is %s",
                      context_name(f->in, c.name), type_text(f->in, c.type),
                      type_text(f->in, v.type));
        return;
    }
    const char *what = context_text(f->in, "the value of '%s'", context_name(f->in, c.name));
    v = value_convert(f->in, v, c.type, binding->at, what ? what : "the value");
    f->value_failed = f->value_failed || is_bad(v);
    for (size_t i = 0; i < c.n; i++)
        if (!changed_value(f, c.first + (uint32_t)i) && !is_bad(v))
            set_value(f, c.first + (uint32_t)i, v.e[i], binding->at);
}

static void component_value(flattener *f, size_t k)
{
    component *c = &f->scope->component[k];
    if (c->is_valued)
        return;
    if (c->is_valuing) {
        depends_on_itself(f, c, "value");
        return;
    }
    c->is_valuing = true;
    place outer = place_of_model(f);
    remembered last = {0};
    if (c->element->binding && c->n > 0 && !(c->n == 1 && attribute_unfixed(f, c->first)))
        whole_value(f, k, c->element->binding);
    else
        for (uint32_t i = 0; i < f->scope->component[k].n; i++)
            if (f->in->m->variables[f->scope->component[k].first + i].variability == FLAT_CONSTANT)
                leaf_value(f, f->scope->component[k].first + i, &last);
    place_return(f, &outer);
    f->scope->component[k].is_valuing = false;
    f->scope->component[k].is_valued = true;
}

expr variable_read(flattener *f, uint32_t variable)
{
    expr e;
    if (algorithm_value(f, variable, &e))
        return e;
    if (f->in->m->variables[variable].variability <= FLAT_PARAMETER) {
        component_value(f, f->scope->leaf[variable].component);
        const flat_variable *var = &f->in->m->variables[variable];
        if (var->variability == FLAT_CONSTANT) {
            if (var->value == EXPR_NONE || f->in->g == &f->in->m->graph)
                return var->value == EXPR_NONE ? expr_constant(f->in->g, 0.0) : var->value;
            return expr_constant(f->in->g, expr_value(&f->in->m->graph, var->value));
        }
        /* what depends on parameters that the start determines moves with them */
        if (var->value != EXPR_NONE && f->in->g == &f->in->m->graph && !f->in->as_variables)
            return var->value;
    }
    return expr_variable(f->in->g, flat_symbol(FLAT_VALUE, variable));
}

/* ---- bindings of variables ---- */

static value scalar_of(flattener *f, uint32_t v)
{
    const flat_variable *var = &f->in->m->variables[v];
    value r = value_scalar(f->in, type_base_of(var->type), variable_read(f, v));
    r.type.info = var->enumeration;
    return r;
}

/* An equation may compare an Integer with a Real; a declaration may not. */
static bool fits_integer(flattener *f, value left, value right, const char *name, source_at at)
{
    if (is_bad(left) || is_bad(right) || left.type.base != T_INTEGER || right.type.base != T_REAL)
        return true;
    context_error(f->in, at, "the value of '%s' is %s, not %s", name, type_text(f->in, right.type),
                  type_text(f->in, left.type));
    return false;
}

static void bind_leaf(flattener *f, uint32_t v, remembered *last)
{
    leaf l = f->scope->leaf[v];
    if (last->text != l.binding) {
        last->value = expression_eval(f, l.binding);
        last->text = l.binding;
    }
    value one = value_scalar(f->in, (base_type)last->value.type.base,
                             share_take(f, last->value, &l, l.binding->at));
    if (!is_bad(last->value) && one.e[0] != EXPR_NONE) {
        one.type.info = last->value.type.info;
        equation_equate(f, scalar_of(f, v), one, l.element->at, l.element->end);
    }
}

/* An input of the whole model: its value comes from outside. */
static void bind_input(flattener *f, uint32_t v)
{
    const flat_variable *var = &f->in->m->variables[v];
    value left = scalar_of(f, v), right = left;
    right.e = arena_take(f->in->mem, 1, sizeof *right.e);
    if (!right.e)
        return;
    if (var->type == FLAT_STRING) { /* stays at its start value */
        right.e[0] = var->start != EXPR_NONE ? var->start : expr_constant(f->in->g, 0.0);
    } else {
        uint32_t k = flat_add_input(f->in->build, (flat_input){.variable = v});
        if (k == FLAT_NONE)
            return;
        right.e[0] = expr_variable(f->in->g, flat_symbol(FLAT_INPUT, flat_input_number(k, 0)));
    }
    equation_equate(f, left, right, var->at, var->at);
}

static bool is_parameter(const ast_element *e)
{
    return e->prefixes & (AST_PARAMETER | AST_CONSTANT);
}

/* The change of the command line that concerns an input, or NULL. */
static const flat_change *change_of_input(flattener *f, uint32_t v)
{
    const flat_variable *var = &f->in->m->variables[v];
    for (size_t i = 0; i < f->changes->n && var->is_input; i++)
        if (f->changes->item[i].is_input && f->changes->name[i] == var->name) {
            f->changes->is_used[i] = true;
            return &f->changes->item[i];
        }
    return NULL;
}

/* An input whose value the command line gives, or leaves to the caller. */
static bool bind_changed(flattener *f, uint32_t v)
{
    const flat_change *c = change_of_input(f, v);
    if (!c)
        return false;
    if (!c->expression) {
        bind_input(f, v);
        return true;
    }
    const flat_variable *var = &f->in->m->variables[v];
    value right = expression_eval(f, c->expression);
    if (!is_bad(right))
        equation_equate(f, scalar_of(f, v), right, var->at, var->at);
    return true;
}

static bool any_input_changes(const flattener *f, const component *c)
{
    for (size_t i = 0; i < f->changes->n; i++)
        for (uint32_t v = c->first; f->changes->item[i].is_input && v < c->first + c->n; v++)
            if (f->in->m->variables[v].name == f->changes->name[i])
                return true;
    return false;
}

static void bind(flattener *f, size_t k)
{
    component c = f->scope->component[k];
    if (c.type.base == T_BAD || c.is_global || is_parameter(c.element))
        return;
    f->owner = owner_of_binding(f->in->c, c.element->name);
    if (c.element->binding && !any_input_changes(f, &c)) {
        value left = value_new(f->in, c.type);
        for (size_t i = 0; !is_bad(left) && i < c.n; i++)
            left.e[i] = variable_read(f, c.first + (uint32_t)i);
        value right = as_element(expression_eval(f, c.element->binding), c.type);
        if (fits_integer(f, left, right, context_name(f->in, c.name), c.element->binding->at))
            equation_equate(f, left, right, c.element->at, c.element->end);
        return;
    }
    remembered last = {0};
    for (uint32_t v = c.first; v < c.first + c.n; v++)
        if (f->in->m->variables[v].variability <= FLAT_PARAMETER)
            continue;
        else if (bind_changed(f, v))
            continue;
        else if (f->scope->leaf[v].binding)
            bind_leaf(f, v, &last);
        else if (f->in->m->variables[v].is_input)
            bind_input(f, v);
}

void declare_finish(flattener *f)
{
    for (size_t k = 0; k < f->scope->n_components; k++)
        if (!f->scope->component[k].is_global)
            component_size(f, &f->scope->component[k]);
    for (size_t k = 0; k < f->scope->n_components; k++)
        if (f->scope->component[k].is_sized && f->scope->component[k].type.base != T_BAD)
            for (uint32_t i = 0; i < f->scope->component[k].n; i++)
                if (f->in->m->variables[f->scope->component[k].first + i].variability <=
                    FLAT_PARAMETER)
                    component_value(f, k);
    attributes_set(f);
    f->section = IN_EQUATIONS;
    size_t n = f->scope->n_components;
    for (size_t k = 0; k < n; k++)
        bind(f, k);
}

/* ---- variables beside those of the text ---- */

static void define(flattener *f, size_t i)
{
    const flat_change *c = &f->changes->item[i];
    f->changes->is_used[i] = true;
    if (f->scope->variable_of[f->changes->name[i]]) {
        context_error(f->in, c->expression->at, "'%s' is a variable of the model already", c->name);
        return;
    }
    value right = value_convert(f->in, expression_eval(f, c->expression), type_scalar(T_REAL),
                                c->expression->at, c->name);
    if (is_bad(right))
        return;
    uint32_t v = variable_make(f, f->changes->name[i], FLAT_REAL, c->expression->at);
    if (v == FLAT_NONE)
        return;
    expr left = expr_variable(f->in->g, flat_symbol(FLAT_VALUE, v));
    flat_add_equation(f->in->build, (flat_equation){.left = left,
                                                    .right = right.e[0],
                                                    .at = c->expression->at,
                                                    .end = c->expression->end});
}

void declare_definitions(flattener *f)
{
    for (size_t i = 0; i < f->changes->n; i++)
        if (f->changes->item[i].is_definition)
            define(f, i);
}
