/* instantiate/streams.c - see connections.h: stream variables.
 *
 * In a set with inside ports (flow m, stream h) and outside ports (flow c) the value that flows
 * into port i is the mean of those that flow out of the others, weighted by max(-m, eps) and max(c,
 * eps). */
#include "instantiate/connections.h"

#include <math.h>

#define STREAM_EPS 1e-7

/* The flow variable of the connector that a stream variable belongs to. */
static instance *flow_of(builder *b, const instance *stream)
{
    instance *in = stream->parent;
    for (element *e = in && instance_open(b, in) ? in->elements : NULL; e; e = e->next) {
        instance *x = e->is_class ? NULL : component_of(b, e);
        if (x && x->kind == INSTANCE_VARIABLE && (x->prefixes & AST_FLOW) && x->n_dims == 0)
            return x;
    }
    return NULL;
}

static double attribute(builder *b, const instance *in, const char *name, double otherwise)
{
    mods *m = mods_select(b, in->mods, name_id(b, "%s", name));
    for (; m && !m->value; m = m->next)
        ;
    if (!m)
        return otherwise;
    bound x = {.e = m->value, .where = m->where, .index = m->index};
    bool is_constant = b->is_constant;
    b->is_constant = true;
    b->quiet++;
    ast_expr *v = bound_rewrite(b, &x);
    b->quiet--;
    b->is_constant = is_constant;
    if (!v || (v->kind != AST_REAL && v->kind != AST_INTEGER))
        return otherwise;
    return v->kind == AST_REAL ? v->real : (double)v->integer;
}

/* Ports that only take cannot mix anything in. */
static bool can_give(builder *b, const node *x)
{
    const instance *m = flow_of(b, x->in);
    if (!m)
        return false;
    return x->is_outside ? attribute(b, m, "max", INFINITY) > 0.0
                         : attribute(b, m, "min", -INFINITY) < 0.0;
}

static ast_expr *weight(builder *b, const node *x, source_at at)
{
    ast_expr *m = instance_expr(b, flow_of(b, x->in), at);
    if (m && !x->is_outside) {
        ast_expr *minus = node_new(b, AST_UNARY, at);
        if (!minus)
            return NULL;
        minus->op = AST_SUB;
        minus->base = m;
        m = minus;
    }
    ast_expr *arg[2] = {m, node_real(b, STREAM_EPS, at)};
    return m && arg[1] ? node_call(b, "max", arg, 2, at) : NULL;
}

static ast_expr *stream_value(builder *b, instance *in, int32_t at, source_at place);

/* What a port of the set gives: its own value, or what comes from above. */
static ast_expr *given(builder *b, const node *x, source_at place)
{
    return x->is_outside ? stream_value(b, x->in, x->at, place)
                         : scalar_expr(b, x->in, x->at, place);
}

/* The mean over the set without one node [Modelica 3.6, 15.2].  If none of the others can give, an
 * inside port has its own value, which an outside port cannot have: it has no equation but this. */
static ast_expr *mixed(builder *b, uint32_t without, source_at place)
{
    connection_list *l = b->connections;
    uint32_t one = l->node[without].next;
    bool is_outside = l->node[without].is_outside, is_only = l->node[one].next == without;
    int n = 0;
    for (uint32_t k = l->node[without].next; k != without; k = l->node[k].next)
        if (can_give(b, &l->node[k])) {
            one = k;
            n++;
        }
    if (n == 0 && !is_outside)
        return scalar_expr(b, l->node[without].in, l->node[without].at, place);
    if (n == 1 || is_only)
        return given(b, &l->node[one], place);
    ast_expr *above = NULL, *below = NULL;
    for (uint32_t k = l->node[without].next; k != without; k = l->node[k].next) {
        node x = l->node[k];
        if (n > 0 && !can_give(b, &x))
            continue;
        ast_expr *w = weight(b, &x, place), *h = given(b, &x, place);
        ast_expr *product = w && h ? node_binary(b, w, AST_MUL, h) : NULL;
        if (!product)
            return NULL;
        above = above ? node_binary(b, above, AST_ADD, product) : product;
        below = below ? node_binary(b, below, AST_ADD, w) : w;
    }
    return node_binary(b, above, AST_DIV, below);
}

/* inStream of a scalar: the set around the component. */
static ast_expr *stream_value(builder *b, instance *in, int32_t at, source_at place)
{
    if (b->depth > LOOKUP_MAX)
        return NULL;
    uint32_t k = node_of(b, in, at, false);
    b->depth++;
    ast_expr *e =
        b->connections->node[k].next == k ? scalar_expr(b, in, at, place) : mixed(b, k, place);
    b->depth--;
    return e;
}

static ast_expr *stream_values(builder *b, instance *in, int32_t d, int32_t at, source_at place)
{
    if (d == in->n_dims)
        return stream_value(b, in, at, place);
    ast_expr **item = builder_take(b, (size_t)in->dim[d] + 1, sizeof *item);
    for (int32_t i = 0; item && i < in->dim[d]; i++)
        if (!(item[i] = stream_values(b, in, d + 1, at * in->dim[d] + i, place)))
            return NULL;
    if (item && in->dim[d] == 0) {
        ast_expr *arg[2] = {node_real(b, 0.0, place), node_integer(b, 0, place)};
        return node_call(b, "fill", arg, 2, place);
    }
    return item ? node_list(b, AST_ARRAY, item, in->dim[d], place) : NULL;
}

/* The values of a reference to stream variables, which may go through arrays of connectors. */
static ast_expr *stream_of(builder *b, instance *in, bool is_actual, source_at at)
{
    if (in->kind == INSTANCE_ARRAY) {
        ast_expr **item = builder_take(b, (size_t)in->n_items + 1, sizeof *item);
        for (int32_t i = 0; item && i < in->n_items; i++)
            if (!(item[i] = stream_of(b, in->item[i], is_actual, at)))
                return NULL;
        return item ? node_list(b, AST_ARRAY, item, in->n_items, at) : NULL;
    }
    if (in->kind != INSTANCE_VARIABLE || !(in->prefixes & AST_STREAM))
        return instance_error(
            b, in->parent, at,
            "the argument of inStream() and actualStream() must be a stream variable");
    ast_expr *e = stream_values(b, in, 0, 0, at);
    if (!is_actual || !e)
        return e;
    instance *m = flow_of(b, in);
    ast_expr *condition =
        m ? node_binary(b, instance_expr(b, m, at), AST_GT, node_real(b, 0.0, at)) : NULL;
    ast_expr *item[3] = {condition, e, instance_expr(b, in, at)};
    if (!condition || !item[2])
        return NULL;
    ast_expr *choice = node_list(b, AST_IF, item, 3, at);
    return node_call(b, "noEvent", &choice, 1, at);
}

ast_expr *stream_call(builder *b, scope *s, const ast_expr *call, bool is_actual)
{
    bool is_absent = false;
    const ast_expr *ref = call->n == 1 ? call->arg[0].value : NULL;
    instance *in = ref ? reference_target(b, s, ref, &is_absent) : NULL;
    if (!b->connections_known)
        return instance_error(b, s->in, call->at, "streams are not known here");
    if (!in && ref && ref->kind == AST_REF && ref->n >= 2) {
        /* an array of connectors on the way: ports.h_outflow */
        ast_expr head = *ref;
        head.n--;
        instance *ports = reference_target(b, s, &head, &is_absent);
        if (ports && ports->kind == INSTANCE_ARRAY) {
            ast_expr **item = builder_take(b, (size_t)ports->n_items + 1, sizeof *item);
            for (int32_t i = 0; item && i < ports->n_items; i++) {
                element *e = ports->item[i]->kind == INSTANCE_CLASS
                                 ? member_find(b, ports->item[i], ref->part[ref->n - 1].name)
                                 : NULL;
                instance *one = e && !e->is_class ? component_of(b, e) : NULL;
                if (!one || !(item[i] = stream_of(b, one, is_actual, call->at)))
                    return NULL;
            }
            return item ? node_list(b, AST_ARRAY, item, ports->n_items, call->at) : NULL;
        }
    }
    if (!in)
        return instance_error(b, s->in, call->at,
                              "the argument of inStream() and actualStream() must be a stream "
                              "variable of a connector");
    const ast_part *last = &ref->part[ref->n - 1];
    ast_expr *e = stream_of(b, in, is_actual, call->at);
    if (!e || in->kind != INSTANCE_VARIABLE || last->n_subs == 0)
        return e;
    indices index = {0};
    for (int32_t i = 0; i < last->n_subs; i++) {
        ast_expr *v = evaluate_constant(b, s, last->sub[i]);
        if (!v || v->kind != AST_INTEGER)
            return instance_error(b, s->in, call->at, "this subscript is not constant");
        index.k[index.n++] = (int32_t)v->integer;
    }
    return select_items(b, e, &index);
}

void streams_emit(builder *b)
{
    connection_list *l = b->connections;
    for (uint32_t k = 0; l && k < l->n_nodes; k++) {
        const node x = l->node[k];
        if (!(x.in->prefixes & AST_STREAM) || !x.is_outside || x.next == k)
            continue;
        source_at at = x.place ? x.place : x.in->element->ast->at;
        ast_clause place = {.at = at, .end = x.until, .owner = node_owner(b, &x)};
        equation_add(b, scalar_expr(b, x.in, x.at, at), mixed(b, k, at), &place);
    }
}
