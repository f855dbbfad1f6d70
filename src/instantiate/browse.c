/* instantiate/browse.c - see instantiate.h: the classes of a package. */
#include "instantiate/instance.h"

#include <string.h>

typedef struct browser {
    builder *b;
    class_visit *visit;
    void *user;
    bool is_stopped, all;
} browser;

static bool extends_example(const builder *b, const ast_class *c)
{
    for (const ast_element *x = c->elements; x; x = x->next)
        if (x->kind == AST_EXTENDS && x->type->n > 0 &&
            strcmp(name_text(b, x->type->part[x->type->n - 1].name), "Example") == 0)
            return true;
    return false;
}

static void show(browser *w, element *e)
{
    builder *b = w->b;
    const ast_class *c = class_read(b, e);
    class_summary s = {.name = class_full_name(b, e), .kind = "unreadable"};
    if (c) {
        bool is_model = c->kind == AST_MODEL || c->kind == AST_BLOCK || c->kind == AST_CLASS;
        s.is_partial = c->prefixes & AST_PARTIAL;
        s.kind = ast_class_kind_text(c->kind);
        s.description = c->comment.text;
        s.is_example =
            is_model && !s.is_partial &&
            (extends_example(b, c) || ast_mod_find(c->comment.annotation, b->names, "experiment"));
    }
    w->is_stopped = w->is_stopped || !w->visit(w->user, &s);
}

static void members_show(browser *w, element *e, int depth)
{
    if (depth > NESTING_MAX || !class_read(w->b, e))
        return;
    if (e->class->kind != AST_PACKAGE || e->class->form != AST_LONG)
        return;
    instance *in = class_look(w->b, e);
    if (in)
        instance_open(w->b, in); /* its own classes are known even if a base is not found */
    for (element *x = in ? in->elements : NULL; x && !w->is_stopped; x = x->next) {
        if (!x->is_class || x->origins.scope != in->scopes)
            continue;
        show(w, x);
        if (w->all)
            members_show(w, x, depth + 1);
    }
}

static void roots_show(browser *w)
{
    library_roots(w->b);
    for (element *e = w->b->root->elements; e && !w->is_stopped; e = e->next) {
        show(w, e);
        if (w->all)
            members_show(w, e, 0);
    }
}

bool instantiate_browse(compilation *c, const ast_file *file, const instantiate_options *options,
                        class_visit *visit, void *user)
{
    builder *b = builder_new(c, file, options);
    if (!b)
        return false;
    browser w = {.b = b, .visit = visit, .user = user, .all = options->all};
    if (options->model) {
        element *e = named_class(b, options->model);
        c->wrong_changes = !e && !b->is_unreadable;
        if (!e || !class_read(b, e))
            return false;
        if (e->class->kind != AST_PACKAGE)
            show(&w, e);
        members_show(&w, e, 0);
    } else if (file) {
        w.all = true;
        for (element *e = b->root->elements; e && !w.is_stopped; e = e->next) {
            show(&w, e);
            members_show(&w, e, 0);
        }
    } else {
        roots_show(&w);
    }
    return !c->mem.failed;
}
