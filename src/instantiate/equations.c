/* instantiate/equations.c - see instance.h: variables and sections of all instances become those
 * of the flat model. */
#include "instantiate/clauses.h"

#include <string.h>

/* ---- clauses ---- */

static ast_clause *clause_copy(builder *b, const ast_clause *from)
{
    ast_clause *c = arena_copy(b->mem, from, 1, 1, sizeof *c);
    if (c)
        c->next = NULL;
    return c;
}

static void clause_append(clause_list *to, ast_clause *c)
{
    *to->last = c;
    to->last = &c->next;
}

/* Whether there is a connection somewhere in the clauses. */
static bool has_connection(const builder *b, const ast_clause *c)
{
    for (; c; c = c->next) {
        const ast_expr *ref = c->kind == AST_INVOKE ? c->left->base : NULL;
        const char *first = ref ? name_text(b, ref->part[0].name) : "";
        if (strcmp(first, "connect") == 0 || strcmp(first, "Connections") == 0)
            return true;
        for (const ast_branch *x = c->branches; x; x = x->next)
            if (c->kind != AST_WHEN && has_connection(b, x->body))
                return true;
    }
    return false;
}

static bool leaves_loop(const ast_clause *c)
{
    for (; c; c = c->next) {
        if (c->kind == AST_BREAK || c->kind == AST_RETURN || c->kind == AST_WHILE)
            return true;
        for (const ast_branch *x = c->branches; x; x = x->next)
            if (leaves_loop(x->body))
                return true;
    }
    return false;
}

static bool branch_copy(builder *b, scope *s, const ast_branch *from, ast_branch **to,
                        clause_mode mode)
{
    ast_branch *x = arena_copy(b->mem, from, 1, 1, sizeof *x);
    clause_list list = {.last = &list.first};
    if (!x)
        return false;
    if (from->condition && !(x->condition = rewrite(b, s, from->condition)))
        return false;
    if (!clauses_rewrite(b, s, from->body, &list, mode))
        return false;
    x->body = list.first;
    x->next = NULL;
    *to = x;
    return true;
}

/* A loop whose variables stay names. */
static bool loop_kept(builder *b, scope *s, const ast_clause *from, clause_list *to,
                      clause_mode mode)
{
    ast_clause *c = clause_copy(b, from);
    iterator *here = builder_take(b, (size_t)from->n + 1, sizeof *here), *around = b->iterators;
    if (!c || !here)
        return false;
    c->iterator =
        arena_copy(b->mem, from->iterator, (size_t)from->n, (size_t)from->n, sizeof *c->iterator);
    bool ok = c->iterator != NULL;
    for (int32_t i = 0; ok && i < from->n; i++) {
        c->iterator[i].quoted = true;
        if (from->iterator[i].range)
            ok = (c->iterator[i].range = rewrite(b, s, from->iterator[i].range)) != NULL;
        here[i] = (iterator){.name = from->iterator[i].name, .next = b->iterators};
        b->iterators = &here[i];
    }
    ok = ok && branch_copy(b, s, from->branches, &c->branches, mode);
    b->iterators = around;
    if (ok)
        clause_append(to, c);
    return ok;
}

static bool loop_written_out(builder *b, scope *s, const ast_clause *from, int32_t k,
                             clause_list *to, clause_mode mode)
{
    if (k == from->n)
        return clauses_rewrite(b, s, from->branches->body, to, mode);
    ast_expr *range =
        from->iterator[k].range ? evaluate_constant(b, s, from->iterator[k].range) : NULL;
    if (!range || range->kind != AST_ARRAY)
        return !instance_error(b, s->in, from->at, "the range of this loop is not constant");
    iterator here = {.name = from->iterator[k].name, .next = b->iterators};
    b->iterators = &here;
    bool ok = true;
    for (int32_t i = 0; ok && i < range->n; i++) {
        here.value = range->item[i];
        ok = loop_written_out(b, s, from, k + 1, to, mode);
    }
    b->iterators = here.next;
    return ok;
}

static bool loop_rewrite(builder *b, scope *s, const ast_clause *from, clause_list *to,
                         clause_mode mode)
{
    bool is_known = mode != CLAUSES_OF_FUNCTION;
    b->quiet++;
    for (int32_t i = 0; i < from->n && is_known; i++)
        is_known = from->iterator[i].range && evaluate_constant(b, s, from->iterator[i].range);
    b->quiet--;
    /* ranges that depend on the variables of loops around are known one by one */
    bool depends = mode == CLAUSES_OF_MODEL && from->n > 1 && from->iterator[0].range;
    if (mode == CLAUSES_CONNECTING || is_known || depends)
        if (mode == CLAUSES_CONNECTING || mode == CLAUSES_OF_MODEL ||
            !leaves_loop(from->branches->body))
            return loop_written_out(b, s, from, 0, to, mode);
    return loop_kept(b, s, from, to, mode);
}

/* The value of a condition that is known without parameters of type Real: -1 unknown. */
static int condition_known(builder *b, scope *s, const ast_expr *e, bool must)
{
    bool no_reals = b->no_reals;
    b->no_reals = !must;
    b->quiet++;
    ast_expr *v = evaluate_constant(b, s, e);
    b->quiet--;
    b->no_reals = no_reals;
    return v && v->kind == AST_BOOLEAN ? (int)v->integer : -1;
}

static bool choice_rewrite(builder *b, scope *s, const ast_clause *from, clause_list *to,
                           clause_mode mode)
{
    ast_clause *c = clause_copy(b, from);
    ast_branch **last = c ? &c->branches : NULL;
    if (!c)
        return false;
    c->branches = NULL;
    bool must = mode == CLAUSES_CONNECTING;
    for (const ast_branch *x = from->branches; x; x = x->next) {
        int known = x->condition ? condition_known(b, s, x->condition, must) : 1;
        if (known < 0 && must)
            return !instance_error(b, s->in, x->condition->at,
                                   "this condition decides on connections and must be known before "
                                   "the simulation");
        if (known == 0)
            continue;
        if (known == 1 && !c->branches)
            return clauses_rewrite(b, s, x->body, to, mode);
        if (!branch_copy(b, s, x, last, mode))
            return false;
        if (known == 1) {
            (*last)->condition = NULL;
            last = &(*last)->next;
            break;
        }
        last = &(*last)->next;
    }
    if (c->branches)
        clause_append(to, c);
    return true;
}

static bool invoke_rewrite(builder *b, scope *s, const ast_clause *from, clause_list *to,
                           clause_mode mode)
{
    const ast_expr *ref = from->left->base;
    const char *first = name_text(b, ref->part[0].name);
    bool is_connection = strcmp(first, "connect") == 0 || strcmp(first, "Connections") == 0;
    if (mode == CLAUSES_CONNECTING || is_connection) {
        if (mode == CLAUSES_CONNECTING && is_connection)
            connection_add(b, s, from->left, from->at, from->end);
        return true;
    }
    ast_clause *c = clause_copy(b, from);
    if (!c || !(c->left = rewrite(b, s, from->left)))
        return false;
    if (c->left->kind == AST_CALL)
        clause_append(to, c);
    return true;
}

static bool plain_rewrite(builder *b, scope *s, const ast_clause *from, clause_list *to,
                          clause_mode mode)
{
    ast_clause *c = clause_copy(b, from);
    if (mode == CLAUSES_CONNECTING)
        return true;
    if (!c)
        return false;
    if (from->left && !(c->left = rewrite(b, s, from->left)))
        return false;
    if (from->right && !(c->right = rewrite(b, s, from->right)))
        return false;
    ast_branch **last = &c->branches;
    for (const ast_branch *x = from->branches; x; x = x->next) {
        if (!branch_copy(b, s, x, last, mode))
            return false;
        last = &(*last)->next;
    }
    clause_append(to, c);
    return true;
}

bool clauses_rewrite(builder *b, scope *s, const ast_clause *from, clause_list *to,
                     clause_mode mode)
{
    bool ok = true;
    for (; from && b->c->sources.n_errors < SOURCE_ERRORS_MAX; from = from->next) {
        ast_clause one = *from;
        one.next = NULL;
        if (mode == CLAUSES_CONNECTING && !has_connection(b, &one))
            continue;
        switch (from->kind) {
        case AST_FOR:
            ok = loop_rewrite(b, s, from, to, mode) && ok;
            break;
        case AST_CHOICE:
            ok = choice_rewrite(b, s, from, to, mode) && ok;
            break;
        case AST_INVOKE:
            ok = invoke_rewrite(b, s, from, to, mode) && ok;
            break;
        default:
            ok = plain_rewrite(b, s, from, to, mode) && ok;
            break;
        }
    }
    return ok;
}

/* ---- sections ---- */

static void section_append(builder *b, ast_section_kind kind, source_at at, ast_clause *clauses)
{
    ast_section *x = builder_take(b, 1, sizeof *x);
    if (!x || !clauses)
        return;
    *x = (ast_section){.kind = kind, .at = at, .clauses = clauses};
    *b->last_section = x;
    b->last_section = &x->next;
}

/* Nothing is left out without a word; behind an error it may be its consequence. */
static void check_told(builder *b, const instance *in, source_at at)
{
    if (b->c->sources.n_errors == 0)
        instance_error(b, in, at, "the instances that these equations need could not be made%s%s",
                       b->why ? ": " : "", b->why ? b->why : "");
}

static void section_rewrite(builder *b, scope *s, const ast_section *x, bool only_connections)
{
    b->why = NULL;
    if (only_connections) {
        clause_list none = {.last = &none.first};
        if (x->kind == AST_EQUATIONS &&
            !clauses_rewrite(b, s, x->clauses, &none, CLAUSES_CONNECTING))
            check_told(b, s->in, x->at);
        return;
    }
    clause_list list = {.last = &list.first};
    bool is_algorithm = x->kind == AST_ALGORITHM || x->kind == AST_INITIAL_ALGORITHM;
    clause_list *to = x->kind == AST_EQUATIONS           ? &b->equations
                      : x->kind == AST_INITIAL_EQUATIONS ? &b->initial_equations
                                                         : &list;
    ast_clause **from = to->last;
    if (!clauses_rewrite(b, s, x->clauses, to,
                         is_algorithm ? CLAUSES_OF_ALGORITHM : CLAUSES_OF_MODEL))
        check_told(b, s->in, x->at);
    else if (is_algorithm)
        section_append(b, x->kind, x->at, list.first);
    for (ast_clause *c = *from; c; c = c->next)
        c->owner = owner_in(b, s->in);
}

void instance_sections(builder *b, instance *in, bool only_connections)
{
    if (b->c->sources.n_errors >= SOURCE_ERRORS_MAX)
        return;
    if (in->kind == INSTANCE_ARRAY)
        for (int32_t i = 0; i < in->n_items; i++)
            instance_sections(b, in->item[i], only_connections);
    if (in->kind != INSTANCE_CLASS || !instance_open(b, in))
        return;
    for (element *e = in->elements; e; e = e->next) {
        if (e->is_class)
            continue;
        instance *inner = component_of(b, e);
        if (inner && inner->element == e)
            instance_sections(b, inner, only_connections);
    }
    for (scope *s = in->scopes; s; s = s->next)
        for (const ast_section *x = s->class->sections; x; x = x->next)
            section_rewrite(b, s, x, only_connections);
}

void equation_add(builder *b, ast_expr *left, ast_expr *right, const ast_clause *place)
{
    if ((!left || !right) && b->c->sources.n_errors == 0 && !b->c->mem.failed)
        source_error(&b->c->sources, place->at,
                     "the equations of this connection could not be made");
    ast_clause *c = left && right ? builder_take(b, 1, sizeof *c) : NULL;
    if (!c)
        return;
    *c = (ast_clause){.kind = AST_EQUATION,
                      .decoration = AST_NOT_DECORATED,
                      .at = place->at,
                      .end = place->end,
                      .owner = place->owner,
                      .left = left,
                      .right = right};
    clause_append(&b->equations, c);
}

/* ---- owners ---- */

int32_t owner_in(builder *b, const instance *in)
{
    while (in && in != b->model && is_record(in))
        in = in->parent;
    if (!in || !in->is_part)
        return 0;
    int32_t name = in == b->model ? b->out->name : instance_name(b, (instance *)(uintptr_t)in);
    return name == INTERN_NONE ? 0 : name + 1;
}

/* A component determines flows, outputs and streams of its connectors; what is around it determines
 * potentials and inputs. */
static int32_t variable_owner(builder *b, const instance *in)
{
    const instance *connector = NULL;
    for (const instance *x = in; x && x != b->model; x = x->parent)
        if (is_connector(x))
            connector = x;
    const instance *holder = connector ? connector->parent : in->parent;
    uint32_t own = AST_FLOW | AST_OUTPUT | AST_STREAM | AST_PROTECTED;
    bool is_outer = connector && !(in->prefixes & own) && holder && holder != b->model;
    return owner_in(b, is_outer ? holder->parent : holder);
}

/* The component in whose text the value of a variable of a connector stands; 0: no connector, or no
 * value. */
static int32_t binding_owner(builder *b, const instance *in)
{
    const bound *x = in->binding;
    while (x && x->of)
        x = x->of;
    const instance *holder = x ? x->where->in : NULL;
    while (holder && holder != b->model && is_connector(holder))
        holder = holder->parent;
    return holder && (is_connector(in) || is_connector(in->parent)) ? owner_in(b, holder) : 0;
}

/* ---- variables ---- */

static bool is_attribute(const builder *b, int32_t name)
{
    static const char *const names[] = {"start",       "fixed",     "min",      "max",
                                        "nominal",     "unit",      "quantity", "displayUnit",
                                        "stateSelect", "unbounded", NULL};
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name_text(b, name)) == 0)
            return true;
    return false;
}

static bool is_taken(const ast_mod *first, int32_t name)
{
    for (; first; first = first->next)
        if (first->name == name)
            return true;
    return false;
}

/* The attributes that count: for each the strongest. */
static bool attributes_emit(builder *b, instance *in, ast_element *to)
{
    ast_mod **last = &to->mods;
    for (const mods *m = in->mods; m; m = m->next)
        for (const ast_mod *x = m->list; x; x = x->next) {
            if (!is_attribute(b, x->name)) {
                instance_error(b, in->parent, x->at, "'%s' is no attribute of '%s'",
                               name_text(b, x->name), name_text(b, in->element->name));
                return false;
            }
            if (!x->value || is_taken(to->mods, x->name))
                continue;
            bound value = {.e = x->value, .where = m->where, .index = x->is_each ? NULL : m->index};
            ast_mod *copy = builder_take(b, 1, sizeof *copy);
            ast_expr *e = copy ? bound_rewrite(b, &value) : NULL;
            if (!e)
                return false;
            *copy = (ast_mod){.name = x->name, .value = e, .at = x->at, .end = x->end};
            copy->decoration = AST_NOT_DECORATED;
            *last = copy;
            last = &copy->next;
        }
    to->has_mods = to->mods != NULL;
    return true;
}

static uint32_t flat_prefixes(const builder *b, const instance *in)
{
    uint32_t kept = AST_PARAMETER | AST_CONSTANT | AST_DISCRETE | AST_FINAL;
    uint32_t prefixes = in->prefixes & kept;
    bool is_top = in->parent == b->model;
    if (!is_top) { /* a connector at the top of the model */
        const instance *x = in->parent;
        while (x && x->parent != b->model && is_connector(x))
            x = x->parent;
        is_top = x && x->parent == b->model && is_connector(x);
    }
    if (is_top && !(in->prefixes & AST_PROTECTED))
        prefixes |= in->prefixes & (AST_INPUT | AST_OUTPUT);
    if (in->is_structural && (in->prefixes & AST_PARAMETER))
        prefixes |= AST_FINAL;
    return prefixes;
}

static void variable_emit(builder *b, instance *in)
{
    ast_element *to = builder_take(b, 1, sizeof *to);
    ast_expr **dim = builder_take(b, (size_t)in->n_dims + 1, sizeof *dim);
    const ast_element *x = in->element->ast;
    if (!to || !dim)
        return;
    *to = (ast_element){.kind = AST_COMPONENT,
                        .prefixes = flat_prefixes(b, in),
                        .at = x->at,
                        .end = x->end,
                        .name = instance_name(b, in),
                        .quoted = true,
                        .decoration = AST_NOT_DECORATED,
                        .comment = {.text = x->comment.text}};
    to->type = type_node(b, (base_kind)in->base, in->type, x->type->at);
    for (int32_t i = 0; i < in->n_dims; i++)
        dim[i] = node_integer(b, in->dim[i], x->at);
    to->dims = (ast_list){dim, in->n_dims};
    b->why = NULL;
    bool ok = to->type && attributes_emit(b, in, to);
    bool is_changed =
        (in->prefixes & AST_PARAMETER) && in->n_dims == 0 && changed_value(b, in, &to->binding);
    if (ok && !is_changed && in->binding)
        ok = (to->binding = bound_rewrite(b, in->binding)) != NULL;
    if (!ok) {
        check_told(b, in->parent, x->at);
        return;
    }
    owner_of_variable_is(b->c, to->name, variable_owner(b, in));
    owner_of_binding_is(b->c, to->name, binding_owner(b, in));
    *b->last_variable = to;
    b->last_variable = &to->next;
}

static void visit_variables(void *user, element *e)
{
    builder *b = user;
    instance *in = component_of(b, e);
    if (in && in->element == e)
        variables_emit(b, in);
}

void variables_emit(builder *b, instance *in)
{
    if (b->c->sources.n_errors >= SOURCE_ERRORS_MAX)
        return;
    if (in->kind == INSTANCE_VARIABLE)
        variable_emit(b, in);
    for (int32_t i = 0; in->kind == INSTANCE_ARRAY && i < in->n_items; i++)
        variables_emit(b, in->item[i]);
    if (in->kind != INSTANCE_CLASS || !instance_open(b, in))
        return;
    for (element *e = in->elements; e; e = e->next)
        if (!e->is_class)
            visit_variables(b, e);
}
