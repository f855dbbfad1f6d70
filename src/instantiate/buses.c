/* instantiate/buses.c - see connections.h: members of expandable connectors.
 *
 * A connection that names a member of a bus which the bus does not declare gives it one, of the
 * type of the other side.  Connected buses have the members of one another.  Declared members that
 * no connection names are left out. */
#include "instantiate/connections.h"

/* The bus and the place in the reference of the member that is missing; NULL: it is something
 * else. */
static instance *missing_member(builder *b, const connection *c, int side, const ast_part **part)
{
    const ast_expr *ref = c->ref[side];
    ast_expr head = *ref;
    for (int32_t n = 1; n < ref->n; n++) {
        bool is_absent;
        head.n = n;
        b->quiet++;
        instance *in = reference_target(b, c->s, &head, &is_absent);
        b->quiet--;
        if (in && is_expandable(in) && !member_find(b, in, ref->part[n].name)) {
            *part = &ref->part[n];
            return n + 1 == ref->n ? in : NULL;
        }
    }
    return NULL;
}

/* ---- members that are arrays ---- */

/* The largest number that a subscript selects; 0: it is not known. */
static int64_t largest_of(const ast_expr *sub)
{
    int64_t largest = 0;
    if (sub->kind == AST_INTEGER)
        return sub->integer;
    for (int32_t i = 0; sub->kind == AST_ARRAY && i < sub->n; i++) {
        int64_t k = largest_of(sub->item[i]);
        largest = k > largest ? k : largest;
    }
    return largest;
}

/* Takes the subscripts of a connection into account, if it names this member of the bus. */
static void sizes_grow(builder *b, const connection *c, int side, const instance *bus,
                       const ast_part *member, int64_t *size)
{
    ast_expr head = *c->ref[side];
    for (int32_t n = 1; n < c->ref[side]->n; n++) {
        const ast_part *part = &c->ref[side]->part[n];
        bool is_absent;
        if (part->name != member->name || part->n_subs != member->n_subs)
            continue;
        head.n = n;
        b->quiet++;
        const instance *in = reference_target(b, c->s, &head, &is_absent);
        b->quiet--;
        for (int32_t i = 0; in == bus && i < part->n_subs; i++) {
            int64_t k = largest_of(part->sub[i]);
            size[i] = k > size[i] ? k : size[i];
        }
    }
}

/* The sizes of a member that is named with subscripts: the largest of each in all connections. */
static ast_list member_sizes(builder *b, const instance *bus, const ast_part *member)
{
    int64_t size[DIMENSIONS_MAX] = {0};
    const connection_list *l = b->connections;
    ast_list dims = {0};
    if (member->n_subs == 0 || member->n_subs > DIMENSIONS_MAX)
        return dims;
    for (size_t i = 0; i < l->n; i++)
        for (int side = 0; side < 2; side++)
            sizes_grow(b, &l->item[i], side, bus, member, size);
    dims.item = builder_take(b, (size_t)member->n_subs, sizeof *dims.item);
    for (int32_t i = 0; dims.item && i < member->n_subs; i++)
        dims.item[dims.n++] = node_integer(b, size[i], member->at);
    return dims;
}

/* ---- members ---- */

/* A member like another component; `dims` replaces its sizes, unless it is NULL. */
static bool member_add(builder *b, instance *bus, int32_t name, const instance *like,
                       const ast_list *dims)
{
    ast_element *x = arena_copy(b->mem, like->element->ast, 1, 1, sizeof *x);
    if (!x || !instance_open(b, bus))
        return false;
    x->name = name;
    x->condition = NULL;
    x->binding = NULL;
    x->prefixes &=
        ~(uint32_t)(AST_INNER | AST_OUTER | AST_REDECLARE | AST_PROTECTED | AST_PARAMETER);
    if (dims)
        x->dims = *dims;
    element *e = element_add(b, bus->scopes, x, NULL, NULL);
    if (!e)
        return false;
    e->where = like->element->where;
    e->is_prepared = true;
    return component_of(b, e) != NULL;
}

static bool add_missing(builder *b, connection *c)
{
    for (int side = 0; side < 2; side++) {
        const ast_part *member;
        instance *bus = missing_member(b, c, side, &member);
        if (!bus || !end_resolve(b, c, 1 - side) || c->end[1 - side].n == 0)
            continue;
        const end_item *other = &c->end[1 - side].item[0];
        ast_list dims = member_sizes(b, bus, member);
        bool has_sizes = dims.n > 0 || c->end[1 - side].n == 1;
        if (member_add(b, bus, member->name, other->in, has_sizes ? &dims : NULL))
            return true;
    }
    return false;
}

/* Gives y the members of x that it lacks; the number of them. */
static int copy_members(builder *b, instance *x, instance *y)
{
    int n = 0;
    if (!instance_open(b, x) || !instance_open(b, y))
        return 0;
    for (element *e = x->elements; e; e = e->next) {
        if (e->is_class || !component_of(b, e))
            continue;
        element *other = member_find(b, y, e->name);
        if (!other)
            n += member_add(b, y, e->name, e->made, NULL);
    }
    return n;
}

/* The items of both ends that are connected to one another, the first with the first; ends of
 * different size have none. */
static size_t paired_items(const connection *c)
{
    return c->end[0].n == c->end[1].n ? c->end[0].n : 0;
}

static int unite_buses(builder *b, instance *x, instance *y)
{
    int in_items = 0;
    bool are_arrays = x->kind == INSTANCE_ARRAY && y->kind == INSTANCE_ARRAY;
    for (int32_t i = 0; are_arrays && i < x->n_items && i < y->n_items; i++)
        in_items += unite_buses(b, x->item[i], y->item[i]);
    if (are_arrays)
        return in_items;
    if (x->kind != INSTANCE_CLASS || y->kind != INSTANCE_CLASS)
        return 0;
    if (!is_expandable(x) && !is_expandable(y))
        return 0;
    int n = copy_members(b, x, y) + copy_members(b, y, x);
    for (element *e = x->elements; e; e = e->next) {
        element *other = e->is_class ? NULL : member_find(b, y, e->name);
        if (other && e->made && other->made)
            n += unite_buses(b, e->made, other->made);
    }
    return n;
}

/* ---- members that nobody connects ---- */

static bool mark_used(builder *b, instance *x)
{
    bool changed = false;
    for (; x && x->parent; x = x->parent)
        if (!x->bus) {
            x->bus = x; /* stands for: is used */
            changed = true;
        }
    (void)b;
    return changed;
}

static bool spread_use(builder *b, instance *x, instance *y)
{
    bool changed = false;
    bool are_arrays = x->kind == INSTANCE_ARRAY && y->kind == INSTANCE_ARRAY;
    for (int32_t i = 0; are_arrays && i < x->n_items && i < y->n_items; i++)
        changed = spread_use(b, x->item[i], y->item[i]) || changed;
    if (are_arrays || x->kind != INSTANCE_CLASS || y->kind != INSTANCE_CLASS || !is_expandable(x))
        return false;
    for (element *e = x->elements; e; e = e->next) {
        element *other = e->is_class ? NULL : member_find(b, y, e->name);
        if (!other || !e->made || !other->made)
            continue;
        if (e->made->bus && !other->made->bus)
            changed = mark_used(b, other->made) || changed;
        if (other->made->bus && !e->made->bus)
            changed = mark_used(b, e->made) || changed;
        changed = spread_use(b, e->made, other->made) || changed;
    }
    return changed;
}

static void drop_unused(builder *b, instance *in)
{
    for (int32_t i = 0; in->kind == INSTANCE_ARRAY && i < in->n_items; i++)
        drop_unused(b, in->item[i]);
    if (in->kind != INSTANCE_CLASS)
        return;
    for (element *e = in->elements; e; e = e->next) {
        if (e->is_class || !e->made || e->made->element != e)
            continue;
        if (is_expandable(in) && !e->made->bus && e->made->kind != INSTANCE_ARRAY) {
            e->is_absent = true;
            e->made = NULL;
        } else {
            drop_unused(b, e->made);
        }
    }
}

static void find_used(builder *b)
{
    connection_list *l = b->connections;
    for (size_t i = 0; i < l->n; i++)
        for (int side = 0; side < 2; side++)
            for (size_t k = 0; k < l->item[i].end[side].n; k++) {
                instance *in = l->item[i].end[side].item[k].in;
                if (!is_expandable(in))
                    mark_used(b, in);
            }
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < l->n; i++)
            for (size_t k = 0; k < paired_items(&l->item[i]); k++)
                again = spread_use(b, l->item[i].end[0].item[k].in, l->item[i].end[1].item[k].in) ||
                        again;
    }
}

bool connections_have_buses(builder *b)
{
    connection_list *l = b->connections;
    for (size_t i = 0; l && i < l->n; i++) {
        if (!l->item[i].is_resolved && b->c->sources.n_errors == 0)
            return true;
        for (int side = 0; side < 2; side++)
            if (l->item[i].end[side].n && is_expandable(l->item[i].end[side].item[0].in))
                return true;
    }
    return false;
}

bool buses_complete(builder *b)
{
    connection_list *l = b->connections;
    if (!connections_have_buses(b))
        return true;
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < l->n; i++) {
            connection *c = &l->item[i];
            if (c->is_dropped)
                continue;
            if (!c->is_resolved) {
                c->is_resolved = end_resolve(b, c, 0) && end_resolve(b, c, 1);
                if (c->is_resolved || add_missing(b, c))
                    again = true;
            }
            for (size_t k = 0; c->is_resolved && k < paired_items(c); k++)
                again = unite_buses(b, c->end[0].item[k].in, c->end[1].item[k].in) > 0 || again;
            if (b->c->sources.n_errors)
                return false;
        }
    }
    for (size_t i = 0; i < l->n; i++)
        if (!l->item[i].is_resolved && !l->item[i].is_dropped)
            return !instance_error(b, l->item[i].s->in, l->item[i].at,
                                   "this connection gives no type to the member of the bus");
    find_used(b);
    drop_unused(b, b->model);
    return true;
}
