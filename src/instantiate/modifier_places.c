/* instantiate/modifier_places.c - see instance.h: where the values were given that an expression of
 * a class uses.
 *
 * A size or condition in the text of a library fails because of a parameter that a modifier outside
 * has set.  The message stands at the text, and adds the place of that modifier. */
#include "instantiate/instance.h"

enum { CAUSE_DEPTH_MAX = 8 }; /* of parameters that are given by parameters */

typedef struct search {
    builder *b;
    scope *s;
    int depth;
    const element *found; /* the parameter that is set from outside */
    source_at at;
} search;

static void look_in(void *user, const ast_expr *e);

/* The binding of a parameter: of a modifier outside of its class, or one that refers to such. */
static void look_at_binding(search *x, const element *e)
{
    const instance *in = e->made;
    const bound *given = in && in->kind == INSTANCE_VARIABLE ? in->binding : NULL;
    while (given && given->of)
        given = given->of;
    if (!given || x->depth >= CAUSE_DEPTH_MAX)
        return;
    search inner = {.b = x->b, .s = given->where, .depth = x->depth + 1};
    look_in(&inner, given->e);
    if (inner.found) {
        x->found = inner.found;
        x->at = inner.at;
    } else if (given->where->in != e->owner) {
        x->found = e;
        x->at = given->e->at;
    }
}

static void look_in(void *user, const ast_expr *e)
{
    search *x = user;
    if (x->found)
        return;
    if (e->kind == AST_REF && e->n == 1 && !e->flag) {
        x->b->quiet++;
        element *named = lookup(x->b, x->s, e->part[0].name);
        x->b->quiet--;
        if (named && !named->is_class)
            look_at_binding(x, named);
    }
    ast_visit(e, look_in, x);
}

const char *modifier_cause(builder *b, scope *s, const ast_expr *e)
{
    search x = {.b = b, .s = s};
    look_in(&x, e);
    if (!x.found)
        return "";
    source_place p = sources_place(&b->c->sources, x.at);
    const char *text =
        p.source ? builder_text(b, "; '%s' is given at %s:%u:%u", name_text(b, x.found->name),
                                p.source->name, (unsigned)p.line, (unsigned)p.column)
                 : NULL;
    return text ? text : "";
}
