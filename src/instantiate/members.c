/* instantiate/members.c - see instance.h: the elements of an instance, from its class and all
 * bases, with the modifiers that concern them. */
#include "instantiate/instance.h"

#include <string.h>

/* ---- modifiers ---- */

mods *mods_of(builder *b, const ast_mod *list, scope *where)
{
    mods *m = list ? builder_take(b, 1, sizeof *m) : NULL;
    if (m)
        *m = (mods){.list = list, .where = where, .at = list->at};
    return m;
}

mods *mods_join(builder *b, mods *strong, mods *weak)
{
    if (!strong || !weak)
        return strong ? strong : weak;
    mods *first = NULL, **last = &first;
    for (const mods *m = strong; m; m = m->next) {
        mods *copy = builder_take(b, 1, sizeof *copy);
        if (!copy)
            return NULL;
        *copy = *m;
        *last = copy;
        last = &copy->next;
    }
    *last = weak;
    return first;
}

mods *mods_select(builder *b, mods *from, int32_t name)
{
    mods *first = NULL, **last = &first;
    for (const mods *m = from; m; m = m->next)
        for (const ast_mod *x = m->list; x; x = x->next) {
            if (x->name != name)
                continue;
            mods *one = builder_take(b, 1, sizeof *one);
            if (!one)
                return NULL;
            *one = (mods){.list = x->mods,
                          .value = x->value,
                          .declaration = x->declaration,
                          .where = m->where,
                          .index = x->is_each ? NULL : m->index,
                          .at = x->at,
                          .is_break = x->is_break,
                          .is_final = x->is_final};
            *last = one;
            last = &one->next;
        }
    return first;
}

mods *mods_indexed(builder *b, mods *from, int32_t k)
{
    mods *first = NULL, **last = &first;
    for (const mods *m = from; m; m = m->next) {
        mods *one = builder_take(b, 1, sizeof *one);
        indices *index = builder_take(b, 1, sizeof *index);
        if (!one || !index)
            return NULL;
        *one = *m;
        if (m->index)
            *index = *m->index;
        if (index->n < DIMENSIONS_MAX)
            index->k[index->n++] = k;
        one->index = index;
        one->next = NULL;
        *last = one;
        last = &one->next;
    }
    return first;
}

/* ---- elements ---- */

static element *table_find(const instance *in, int32_t name)
{
    uint32_t k = 0;
    return number_map_find(&in->table, (uint64_t)name + 1, &k) ? in->by_number[k] : NULL;
}

/* What is inherited twice must be the same. */
static void check_same(builder *b, scope *s, element *known, const ast_element *ast)
{
    type_meaning t, u;
    if (!ast || !known->ast || known->is_class || ast == known->ast || ast->kind != AST_COMPONENT)
        return;
    b->quiet++;
    bool differ = type_find(b, known->where, known->ast->type, &t) &&
                  type_find(b, s, ast->type, &u) && (t.base != u.base || t.element != u.element) &&
                  (t.base == BASE_CLASS || t.base != u.base);
    b->quiet--;
    if (differ)
        instance_error(b, s->in, known->ast->at,
                       "'%s' is declared twice, with different types, here and in a base class",
                       name_text(b, known->name));
}

/* Whether the declaration replaces an inherited one: `redeclare ...`, `model extends X`. */
static bool is_redeclaration(const ast_element *x)
{
    return x && ((x->prefixes & AST_REDECLARE) ||
                 (x->kind == AST_NESTED && (x->nested->prefixes & AST_CLASS_EXTENDS)));
}

/* An element of this name is inherited twice, or replaced. */
static element *element_again(builder *b, scope *s, element *known, const ast_element *ast,
                              ast_class *class)
{
    origin *more = builder_take(b, 1, sizeof *more);
    if (!more)
        return NULL;
    if (ast && known->first && known->first != ast && known->where == s)
        instance_error(b, s->in, ast->at, "'%s' is declared twice", name_text(b, known->name));
    *more = (origin){.scope = s, .next = known->origins.next};
    known->origins.next = more;
    if (!is_redeclaration(known->first))
        check_same(b, s, known, ast);
    while (known->replaced)
        known = known->replaced;
    if (!is_redeclaration(known->first))
        return NULL;
    element *old = builder_take(b, 1, sizeof *old);
    if (!old)
        return NULL;
    *old = (element){.name = known->name,
                     .is_class = known->is_class,
                     .ast = ast,
                     .first = ast,
                     .class = class,
                     .owner = s->in,
                     .origins = {.scope = s},
                     .where = s,
                     .flat_name = INTERN_NONE};
    known->replaced = old;
    return NULL;
}

element *element_add(builder *b, scope *s, const ast_element *ast, ast_class *class,
                     class_file *file)
{
    instance *in = s->in;
    int32_t name = ast ? ast->name : class ? class->name : INTERN_NONE;
    if (file && !ast) { /* the name is that of the file or directory */
        const char *from = file->directory ? file->directory : file->path;
        const char *slash = strrchr(from, '/'), *text = slash ? slash + 1 : from;
        size_t n = strcspn(text, " ");
        if (!file->directory && n > 3)
            n -= 3;
        name = name_id(b, "%.*s", (int)n, text);
    }
    element *known = table_find(in, name);
    if (known)
        return element_again(b, s, known, ast, class);
    element *e = builder_take(b, 1, sizeof *e);
    element **list =
        arena_grow(b->mem, in->by_number, &in->element_capacity, in->n_elements + 1, sizeof *list);
    if (!e || !list)
        return NULL;
    in->by_number = list;
    *e = (element){.name = name,
                   .is_class = class || file,
                   .ast = ast,
                   .first = ast,
                   .class = class,
                   .file = file,
                   .owner = in,
                   .origins = {.scope = s},
                   .where = s,
                   .flat_name = INTERN_NONE};
    list[in->n_elements] = e;
    number_map_put(&in->table, b->mem, (uint64_t)name + 1, (uint32_t)in->n_elements++);
    *in->last_element = e;
    in->last_element = &e->next;
    return e;
}

/* ---- bases ---- */

static bool text_add(builder *b, scope *s);

static scope *scope_new(builder *b, instance *in, element *e, scope *derived, mods *m)
{
    scope *s = builder_take(b, 1, sizeof *s);
    if (!s)
        return NULL;
    *s = (scope){.in = in,
                 .class = e->class,
                 .file = e->file,
                 .of = e,
                 .enclosing = e->where,
                 .derived = derived,
                 .mods = m};
    scope **last = &in->scopes;
    int n = 0;
    for (; *last; n++)
        last = &(*last)->next;
    if (n > BASES_MAX)
        return instance_error(b, in, e->class ? e->class->at : SOURCE_NOWHERE,
                              "'%s' has more than %d bases, those of its bases included",
                              name_text(b, in->class->name), (int)BASES_MAX);
    *last = s;
    return s;
}

/* Whether the class is among those that are being extended here. */
static int extension_depth(const scope *s, const ast_class *c)
{
    int n = 0;
    for (; s; s = s->derived, n++)
        if (s->class == c)
            return NESTING_MAX;
    return n;
}

static void check_same_name(builder *b, instance *in, const ast_mod *x, const ast_mod *y)
{
    if (x->name != y->name)
        return;
    if ((x->value || x->declaration) && (y->value || y->declaration))
        instance_error(b, in, y->at, "'%s' is modified twice", name_text(b, y->name));
    for (const ast_mod *p = x->mods; p; p = p->next)
        for (const ast_mod *q = y->mods; q; q = q->next)
            check_same_name(b, in, p, q);
}

/* A list of modifiers may name a component twice, as in c(a.x = 1, a.y = 2), but not a value. */
static void check_given_once(builder *b, instance *in, const ast_mod *list)
{
    for (const ast_mod *x = list; x; x = x->next) {
        for (const ast_mod *y = x->next; y; y = y->next)
            check_same_name(b, in, x, y);
        check_given_once(b, in, x->mods);
    }
}

/* A modifier must have something to modify. */
static void check_modifiers(builder *b, instance *in, mods *from)
{
    for (const mods *m = from; m; m = m->next)
        check_given_once(b, in, m->list);
    for (const mods *m = from; m; m = m->next)
        for (const ast_mod *x = m->list; x; x = x->next)
            if (!table_find(in, x->name))
                instance_error(b, in, x->at, "%s has no '%s' to modify",
                               in->element ? name_text(b, in->class->name) : "the model",
                               name_text(b, x->name));
}

static bool base_add(builder *b, scope *s, const ast_element *x)
{
    base_kind base = BASE_CLASS;
    element *e = lookup_own(b, s, x->type, &base);
    if (!e)
        return base != BASE_CLASS; /* a predefined type, or reported */
    mods *own = mods_of(b, x->mods, s);
    mods *m = mods_join(b, s->mods, own);
    for (int i = 0; i < NESTING_MAX; i++) {
        if (!element_prepare(b, e) || !class_read(b, e))
            return false;
        m = mods_join(b, m, e->mods);
        bool is_short = e->class->form == AST_ALIAS;
        m = mods_join(b, m, is_short ? mods_of(b, e->class->mods, e->where) : NULL);
        m = mods_join(b, m, e->weak);
        if (!is_short)
            break;
        element *next = lookup_class(b, e->where, e->class->base, &base);
        if (!next)
            return base != BASE_CLASS;
        e = next;
    }
    if (e->class->form != AST_LONG)
        return true; /* an enumeration */
    if (extension_depth(s, e->class) >= NESTING_MAX) {
        instance_error(b, s->in, x->at, "'%s' extends itself", name_text(b, e->name));
        return false;
    }
    scope *inner = scope_new(b, s->in, e, s, m);
    if (!inner || !text_add(b, inner))
        return false;
    if (b->c->sources.n_errors == 0)
        check_modifiers(b, s->in, own);
    return true;
}

/* `redeclare model extends X`: the replaced class is a base. */
static bool replaced_base(builder *b, scope *s, element *e)
{
    element *old = e->replaced;
    for (int i = 0; old && old->class && i < NESTING_MAX; i++) {
        if (!class_read(b, old))
            return false;
        if (old->class->form != AST_ALIAS)
            break;
        base_kind base;
        old = lookup_class(b, old->where, old->class->base, &base);
        if (old && !element_prepare(b, old))
            return false;
    }
    if (!old || !old->class || extension_depth(s, old->class) >= NESTING_MAX) {
        instance_error(b, s->in, e->class->at, "there is no inherited '%s' to extend",
                       name_text(b, e->name));
        return false;
    }
    mods *m = mods_join(b, s->mods, mods_of(b, e->class->mods, s));
    scope *inner = scope_new(b, s->in, old, s, m);
    return inner && text_add(b, inner);
}

static bool text_add(builder *b, scope *s)
{
    for (const ast_element *x = s->class->elements; x; x = x->next)
        if (x->kind == AST_COMPONENT || x->kind == AST_NESTED)
            element_add(b, s, x, x->kind == AST_NESTED ? x->nested : NULL, NULL);
    if (s->file && s->file->directory)
        directory_members(b, s, s->file);
    for (const ast_element *x = s->class->elements; x; x = x->next)
        if (x->kind == AST_EXTENDS && !base_add(b, s, x))
            return false;
    if ((s->class->prefixes & AST_CLASS_EXTENDS) && !replaced_base(b, s, s->of))
        return false;
    return !b->c->mem.failed;
}

bool instance_open(builder *b, instance *in)
{
    if (in->is_open || in->is_opening)
        return true;
    if (in->kind != INSTANCE_CLASS || !in->scopes)
        return false;
    in->is_opening = true;
    b->depth++;
    int32_t errors = b->c->sources.n_errors;
    scope *s = in->scopes;
    bool ok = b->depth < LOOKUP_MAX && text_add(b, s);
    if (ok && errors == b->c->sources.n_errors)
        check_modifiers(b, in, s->mods);
    b->depth--;
    in->is_opening = false;
    in->is_open = true;
    return ok;
}

element *member_find(builder *b, instance *in, int32_t name)
{
    return instance_open(b, in) ? table_find(in, name) : table_find(in, name);
}

instance *class_instance_new(builder *b, element *e, mods *m)
{
    instance *in = builder_take(b, 1, sizeof *in);
    if (!in)
        return NULL;
    *in = (instance){.kind = INSTANCE_CLASS,
                     .element = e,
                     .type = e,
                     .class = e->class,
                     .name = INTERN_NONE,
                     .mods = m};
    in->last_element = &in->elements;
    return scope_new(b, in, e, NULL, m) ? in : NULL;
}

/* ---- redeclarations ---- */

static bool is_replaceable(const element *e)
{
    return e->first && (e->first->prefixes & (AST_REPLACEABLE | AST_REDECLARE));
}

/* The modifiers and the value of a component that stay when its declaration is replaced. */
static mods *constraining_value(builder *b, const ast_element *x, scope *s)
{
    mods *m = builder_take(b, 1, sizeof *m);
    if (!m || (!x->mods && !x->binding))
        return NULL;
    *m = (mods){.list = x->mods, .value = x->binding, .where = s, .at = x->at};
    return m;
}

/* The modifiers of a constrainedby clause; without it, those of the declaration. */
static mods *constraining_mods(builder *b, const ast_element *x, scope *s)
{
    if (x->constraint)
        return mods_of(b, x->constraint_mods, s);
    if (x->kind == AST_COMPONENT)
        return constraining_value(b, x, s);
    return x->nested && x->nested->form == AST_ALIAS ? mods_of(b, x->nested->mods, s) : NULL;
}

/* Modifiers of what has been replaced: those of an element modification and of constrainedby hold
 * for the constraining type, thus for every later type too.                        */
static mods *constraining_list(builder *b, const mods *from)
{
    mods *kept = NULL;
    for (const mods *m = from; m; m = m->next) {
        mods one = *m, *copy = NULL;
        one.next = NULL;
        if (!m->declaration)
            copy = builder_take(b, 1, sizeof *copy);
        if (copy)
            *copy = one;
        else if (m->declaration && m->declaration->constraint)
            copy = mods_of(b, m->declaration->constraint_mods, m->where);
        kept = mods_join(b, kept, copy);
    }
    return kept;
}

/* The modifiers of a base that the clauses `extends` on the way to it add to those of a class. */
static mods *mods_of_extends(const scope *base, const scope *derived)
{
    mods *m = base->mods;
    for (const mods *outer = derived->mods; outer && m; outer = outer->next)
        m = m->next;
    return m;
}

/* The modifiers that stay when a declaration is replaced by `redeclare` in a class that inherits
 * it. */
static mods *inherited_constraints(builder *b, const element *e)
{
    mods *kept = NULL;
    const scope *derived = e->origins.scope;
    for (const element *old = e->replaced; old; old = old->replaced) {
        scope *s = old->origins.scope;
        mods *given = mods_select(b, mods_of_extends(s, derived), e->name);
        derived = s;
        kept = mods_join(b, kept, constraining_list(b, given));
        if (old->first && (!old->replaced || old->first->constraint))
            kept = mods_join(b, kept, constraining_mods(b, old->first, s));
    }
    return kept;
}

/* The weakest modifiers of an element, whether it is redeclared or not: those of its constraining
 * types [Modelica 3.6, 7.3.2]. */
static mods *weakest_mods(builder *b, const element *e, const mods *replaced)
{
    const ast_element *x = e->first;
    mods *weak = NULL;
    if (!x)
        return NULL;
    if (e->ast != x && e->ast->constraint)
        weak = mods_of(b, e->ast->constraint_mods, e->where);
    weak = mods_join(b, weak, constraining_list(b, replaced));
    if (x->constraint || (e->ast != x && !e->replaced))
        weak = mods_join(b, weak, constraining_mods(b, x, e->origins.scope));
    return mods_join(b, weak, inherited_constraints(b, e));
}

static bool redeclare(builder *b, element *e, mods **list)
{
    mods *m = *list;
    mods **last = list;
    while (m && !m->declaration) {
        last = &m->next;
        m = m->next;
    }
    if (!m) {
        e->weak = weakest_mods(b, e, NULL);
        return true;
    }
    const ast_element *x = m->declaration;
    if ((x->kind == AST_NESTED) != e->is_class) {
        instance_error(b, e->owner, m->at, "'%s' is a %s and cannot be redeclared so",
                       name_text(b, e->name), e->is_class ? "class" : "component");
        return false;
    }
    if (!is_replaceable(e) && (x->prefixes & AST_REDECLARE)) {
        instance_error(b, e->owner, m->at, "'%s' is not replaceable and cannot be redeclared",
                       name_text(b, e->name));
        return false;
    }
    if (e->first->prefixes & AST_FINAL) {
        instance_error(b, e->owner, m->at, "'%s' is final and cannot be redeclared",
                       name_text(b, e->name));
        return false;
    }
    e->ast = x;
    e->where = m->where;
    *last = NULL;
    if (e->is_class) {
        e->class = x->nested;
        e->file = NULL;
    }
    e->weak = weakest_mods(b, e, m->next);
    return true;
}

bool element_prepare(builder *b, element *e)
{
    if (e->is_prepared)
        return true;
    e->is_prepared = true;
    mods *list = mods_select(b, e->origins.scope->mods, e->name);
    if (!redeclare(b, e, &list))
        return false;
    e->mods = list;
    return true;
}
