/* flatten/frame.c - see execute.h: one execution of a function.
 *
 * Its declarations are evaluated in the order of their dependence, then its statements, in a frame
 * of locals. */
#include "flatten/execute.h"

#include <string.h>

/* ---- frames ---- */

/* Whether one more call is allowed; the reason is reported or noted if it is not. */
static bool may_enter(flattener *f, const plan *p, source_at at)
{
    if (f->call_depth <= RUN_DEPTH_MAX && f->depth < DEPTH_MAX)
        return true;
    const char *name = context_name(f->in, p->class->name);
    if (f->in->work.in_simulation)
        f->in->m->functions->endless = name;
    context_error(f->in, at,
                  "recursion without end: '%s' is called inside %d calls of functions, which is "
                  "the limit",
                  name, f->call_depth);
    return false;
}

bool frame_enter(flattener *f, const plan *p, frame *fr, source_at at)
{
    if (!may_enter(f, p, at))
        return false;
    function_list *all = f->functions;
    size_t depth = (size_t)f->call_depth, n = (size_t)p->n;
    frame_room *room =
        arena_grow(&f->in->c->mem, all->room, &all->n_rooms, depth + 1, sizeof *room);
    if (!room)
        return false;
    all->room = room;
    room += depth;
    local *list = arena_grow(&f->in->c->mem, room->local, &room->capacity, n + 1, sizeof *list);
    if (!list)
        return false;
    room->local = list;
    memset(list, 0, (n + 1) * sizeof *list);
    *fr = (frame){.local = list,
                  .n = p->n,
                  .class = p->class,
                  .at = at,
                  .up = f->in->frame,
                  .nodes = f->in->g->n,
                  .iterations = f->iterations,
                  .breaks = f->breaks,
                  .path = f->path,
                  .end = f->end,
                  .raw = f->in->as_variables};
    for (int32_t i = 0; i < p->n; i++)
        list[i].name = p->item[i].element->name;
    f->in->frame = fr;
    f->iterations = NULL;
    f->path = EXPR_NONE;
    f->breaks = NULL;
    f->end = -1;
    f->in->as_variables = 0;
    f->call_depth++;
    f->depth += CALL_COST;
    return true;
}

void frame_leave(flattener *f)
{
    const frame *fr = f->in->frame;
    f->call_depth--;
    f->depth -= CALL_COST;
    f->path = fr->path;
    f->iterations = fr->iterations;
    f->in->frame = fr->up;
    f->breaks = fr->breaks;
    f->end = fr->end;
    f->in->as_variables = fr->raw;
}

/* ---- values of declarations ---- */

/* Whether the value has the type without conversion, so that no message need be prepared. */
static bool fits(value v, type t)
{
    bool same = v.type.base == t.base && (v.type.info == t.info || t.base == T_FUNCTION);
    return type_same_sizes(v.type, t) && (same || (t.base == T_REAL && v.type.base == T_INTEGER));
}

bool local_assign(flattener *f, local *l, value v, source_at at, const char *what)
{
    type t = l->type;
    for (int i = 0; l->is_open && i < t.n_dims && t.n_dims == v.type.n_dims; i++)
        if (t.dim[i] < 0)
            t.dim[i] = v.type.dim[i];
    if (is_bad(v))
        return false;
    t = type_opened(f->in, t, v.type);
    if (t.base == T_FUNCTION && v.type.base == T_FUNCTION)
        t = v.type;
    if (fits(v, t))
        v.type = t;
    else
        v = value_convert(f->in, v, t, at,
                          what ? what : context_text(f->in, "'%s'", context_name(f->in, l->name)));
    if (is_bad(v))
        return false;
    l->value = v;
    l->is_set = true;
    l->is_owned = false;
    return true;
}

static type item_type(flattener *f, const plan_item *it, bool *is_open)
{
    type t = type_sized(f, it->base, &it->element->type_dims, is_open);
    return type_sized(f, t, &it->element->dims, is_open);
}

const char *item_text(flattener *f, const plan *p, int32_t k)
{
    return context_text(f->in, "%s'%s' of '%s'", p->item[k].is_input ? "argument " : "",
                        context_name(f->in, p->item[k].element->name),
                        context_name(f->in, p->class->name));
}

static bool item_settle(flattener *f, const plan *p, int32_t k, source_at at)
{
    const plan_item *it = &p->item[k];
    local *l = &f->in->frame->local[k];
    bool is_open = false, given = l->is_set, has_value = given || it->binding || it->given;
    if (!has_value && it->is_input && !f->in->frame->may_lack)
        return context_error(f->in, at, "%s is missing", item_text(f, p, k)).n;
    l->type = item_type(f, it, &is_open);
    l->is_open = is_open;
    if (l->type.base == T_BAD)
        return false;
    if (!has_value)
        return true;
    value v = given         ? l->value
              : it->binding ? expression_eval(f, it->binding)
                            : record_of_members(f, it->base, it->given, it->element->at);
    if (is_bad(v))
        return false;
    source_at place = given ? at : it->binding ? it->binding->at : it->element->at;
    bool plain = fits(v, l->type) || (is_open && v.type.n_dims == l->type.n_dims);
    bool ok = local_assign(f, l, v, place, plain ? NULL : item_text(f, p, k));
    l->is_const = it->is_input || (it->element->prefixes & AST_CONSTANT);
    return ok;
}

bool frame_settle(flattener *f, const plan *p, const value *args, source_at at, bool strict)
{
    for (int32_t i = 0; i < p->n; i++)
        if (!is_bad(args[i])) {
            f->in->frame->local[i].value = args[i];
            f->in->frame->local[i].is_set = true;
        }
    for (int32_t i = 0; i < p->n; i++) {
        int32_t k = p->order[i];
        if (item_settle(f, p, k, at))
            continue;
        if (strict || p->item[k].is_input || !f->in->obstacle.is_met)
            return false;
        f->in->obstacle.is_met = false;
        f->in->frame->local[k].is_set = false;
    }
    return true;
}

static flow body_run(flattener *f, plan *p)
{
    flow w = FLOW_NEXT;
    if (p->body->external)
        return external_run(f, p);
    for (const ast_section *s = p->body->sections; s && w == FLOW_NEXT; s = s->next) {
        if (s->kind != AST_ALGORITHM) {
            context_error(f->in, s->at, "a function can contain algorithms only");
            return FLOW_FAIL;
        }
        w = statements_run(f, s->clauses);
    }
    if (w == FLOW_FAIL || w == FLOW_GIVE_UP)
        return w;
    departures_merge(f, f->in->frame->returns, p->body->at);
    return f->in->obstacle.is_met ? FLOW_GIVE_UP : FLOW_NEXT;
}

/* The value of a member of a record that is being made. */
static value member_collect(flattener *f, const plan *p, int32_t k, const member *m, source_at at)
{
    const local *l = &f->in->frame->local[k];
    if (l->is_set)
        return fits(l->value, m->type)
                   ? l->value
                   : value_convert(f->in, l->value, m->open_dims ? l->value.type : m->type, at,
                                   item_text(f, p, k));
    bool is_sized = m->open_dims && !l->is_open && l->type.base != T_BAD;
    return value_zero(f->in, is_sized ? l->type : m->type);
}

static value record_collect(flattener *f, const plan *p, source_at at)
{
    type t = type_scalar(T_RECORD),
         *types = arena_take(f->in->mem, (size_t)p->n + 1, sizeof *types);
    value *one = arena_take(f->in->mem, (size_t)p->n + 1, sizeof *one);
    t.info = record_of_class(f, p->body, at);
    if (t.info < 0 || !types || !one)
        return bad_value;
    for (int32_t i = 0; i < p->n; i++) {
        const member m = f->in->record[t.info].member[i];
        one[i] = member_collect(f, p, i, &m, at);
        if (is_bad(one[i]))
            return bad_value;
        types[i] = one[i].type;
    }
    if (f->in->record[t.info].is_open)
        t.info = record_variant(f->in, t.info, types);
    value v = t.info < 0 ? bad_value : value_new(f->in, t);
    for (int32_t i = 0; !is_bad(v) && i < p->n; i++)
        memcpy(v.e + f->in->record[t.info].member[i].offset, one[i].e, one[i].n * sizeof *one[i].e);
    return v;
}

static bool members_eval(flattener *f, const plan *p, const ast_mod *mods, value *args)
{
    for (const ast_mod *m = mods; m; m = m->next) {
        int32_t k = item_named(p, m->name);
        if (k < 0)
            return context_error(f->in, m->at, "'%s' has no member '%s'",
                                 context_name(f->in, p->class->name), context_name(f->in, m->name))
                .n;
        if (m->value)
            args[k] = expression_eval(f, m->value);
        else if (m->mods && p->item[k].base.base == T_RECORD)
            args[k] = record_of_members(f, p->item[k].base, m->mods, m->at);
        else
            continue;
        if (is_bad(args[k]))
            return false;
    }
    return true;
}

value record_of_members(flattener *f, type t, const ast_mod *mods, source_at at)
{
    const ast_class *c = f->in->record[t.info].class;
    plan *p = c ? plan_of(f, c) : NULL;
    value *args = p ? arena_take(f->in->mem, (size_t)p->n + 1, sizeof *args) : NULL, v = bad_value;
    frame fr;
    if (!args || !members_eval(f, p, mods, args) || !frame_enter(f, p, &fr, at))
        return bad_value;
    fr.may_lack = true;
    if (frame_settle(f, p, args, at, true))
        v = record_collect(f, p, at);
    frame_leave(f);
    return v;
}

static int32_t outputs_collect(flattener *f, const plan *p, value *outputs, source_at at)
{
    int32_t n = 0;
    if (p->body->kind == AST_RECORD) {
        outputs[0] = record_collect(f, p, at);
        return !is_bad(outputs[0]);
    }
    for (int32_t i = 0; i < p->n; i++) {
        const local *l = &f->in->frame->local[i];
        if (!p->item[i].is_output)
            continue;
        bool never = !l->is_set && type_leaves(f->in, l->type) > 0;
        if (never && (l->is_open || !f->in->frame->has_failed)) {
            context_error(f->in, at, "output '%s' of '%s' gets no value",
                          context_name(f->in, l->name), context_name(f->in, p->class->name));
            return 0;
        }
        outputs[n] = l->is_set ? l->value : value_zero(f->in, l->type);
        if (is_bad(outputs[n++]))
            return 0;
    }
    return n;
}

int32_t plan_execute(flattener *f, plan *p, const value *args, value *outputs, source_at at)
{
    frame fr;
    int32_t n = 0;
    if (!frame_enter(f, p, &fr, at))
        return 0;
    if (frame_settle(f, p, args, at, true)) {
        flow w = body_run(f, p);
        if (w != FLOW_FAIL && w != FLOW_GIVE_UP)
            n = outputs_collect(f, p, outputs, at);
    }
    frame_leave(f);
    return n;
}
