/* flatten/frame.c - see execute.h: one execution of a function.
 *
 * Its declarations in the order of their dependence, then its statements, in a frame of locals. */
#include "flatten/execute.h"

#include <string.h>

enum { RUN_DEPTH_MAX = 400 };

/* ---- frames ---- */

bool frame_enter(flattener *f, const plan *p, frame *fr)
{
    call_memory *m = memory_of(f);
    size_t depth = (size_t)f->call_depth, n = (size_t)p->n;
    frame_room *room = arena_grow(&f->c->mem, m->room, &m->n_rooms, depth + 1, sizeof *room);
    if (!room)
        return false;
    m->room = room;
    room += depth;
    local *list = arena_grow(&f->c->mem, room->local, &room->capacity, n + 1, sizeof *list);
    if (!list)
        return false;
    room->local = list;
    memset(list, 0, (n + 1) * sizeof *list);
    *fr = (frame){.local = list,
                  .n = p->n,
                  .class = p->class,
                  .up = f->frame,
                  .nodes = f->g->n,
                  .iterations = f->iterations,
                  .breaks = f->breaks,
                  .path = f->path,
                  .end = f->end,
                  .raw = f->raw};
    for (int32_t i = 0; i < p->n; i++)
        list[i].name = p->item[i].element->name;
    f->frame = fr;
    f->iterations = NULL;
    f->path = EXPR_NONE;
    f->breaks = NULL;
    f->end = -1;
    f->raw = 0;
    f->call_depth++;
    return true;
}

void frame_leave(flattener *f)
{
    const frame *fr = f->frame;
    f->call_depth--;
    f->path = fr->path;
    f->iterations = fr->iterations;
    f->frame = fr->up;
    f->breaks = fr->breaks;
    f->end = fr->end;
    f->raw = fr->raw;
}

/* ---- values of declarations ---- */

/* Does it fit as it is, so that no message need be prepared? */
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
    if (t.base == T_FUNCTION && v.type.base == T_FUNCTION)
        t = v.type;
    if (fits(v, t))
        v.type = t;
    else
        v = value_convert(f, v, t, at, what ? what : fl_text(f, "'%s'", fl_name(f, l->name)));
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
    return fl_text(f, "%s'%s' of '%s'", p->item[k].is_input ? "argument " : "",
                   fl_name(f, p->item[k].element->name), fl_name(f, p->class->name));
}

static bool item_settle(flattener *f, const plan *p, int32_t k, source_at at)
{
    const plan_item *it = &p->item[k];
    local *l = &f->frame->local[k];
    bool is_open = false, given = l->is_set;
    if (!given && it->is_input && !it->binding)
        return fl_error(f, at, "%s is missing", item_text(f, p, k)).n;
    l->type = item_type(f, it, &is_open);
    l->is_open = is_open;
    if (l->type.base == T_BAD)
        return false;
    if (!given && !it->binding)
        return true;
    value v = given ? l->value : eval(f, it->binding);
    if (is_bad(v))
        return false;
    source_at place = given ? at : it->binding->at;
    bool plain = fits(v, l->type) || (is_open && v.type.n_dims == l->type.n_dims);
    bool ok = local_assign(f, l, v, place, plain ? NULL : item_text(f, p, k));
    l->is_const = it->is_input || (it->element->prefixes & AST_CONSTANT);
    return ok;
}

bool frame_settle(flattener *f, const plan *p, const value *args, source_at at, bool strict)
{
    for (int32_t i = 0; i < p->n; i++)
        if (!is_bad(args[i])) {
            f->frame->local[i].value = args[i];
            f->frame->local[i].is_set = true;
        }
    for (int32_t i = 0; i < p->n; i++) {
        int32_t k = p->order[i];
        if (item_settle(f, p, k, at))
            continue;
        if (strict || p->item[k].is_input || !f->gave_up)
            return false;
        f->gave_up = false;
        f->frame->local[k].is_set = false;
    }
    return true;
}

static flow body_run(flattener *f, const plan *p)
{
    flow w = FLOW_NEXT;
    for (const ast_section *s = p->body->sections; s && w == FLOW_NEXT; s = s->next) {
        if (s->kind != AST_ALGORITHM) {
            fl_error(f, s->at, "a function can have algorithms only");
            return FLOW_FAIL;
        }
        w = statements_run(f, s->clauses);
    }
    if (w == FLOW_FAIL || w == FLOW_GIVE_UP)
        return w;
    departures_merge(f, f->frame->returns, p->body->at);
    return f->gave_up ? FLOW_GIVE_UP : FLOW_NEXT;
}

static value record_collect(flattener *f, const plan *p, source_at at)
{
    type t = type_scalar(T_RECORD);
    t.info = record_of_class(f, p->body, at);
    value v = t.info < 0 ? bad_value : value_new(f, t);
    for (int32_t i = 0; !is_bad(v) && i < p->n; i++) {
        member m = f->record[t.info].member[i];
        const local *l = &f->frame->local[i];
        value one = l->is_set ? value_convert(f, l->value, m.type, at, item_text(f, p, i))
                              : type_zero(f, m.type);
        if (is_bad(one))
            return one;
        memcpy(v.e + m.offset, one.e, one.n * sizeof *one.e);
    }
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
        const local *l = &f->frame->local[i];
        if (!p->item[i].is_output)
            continue;
        bool never = !l->is_set && type_leaves(f, l->type) > 0;
        if (never && (l->is_open || !f->frame->has_failed)) {
            fl_error(f, at, "output '%s' of '%s' gets no value", fl_name(f, l->name),
                     fl_name(f, p->class->name));
            return 0;
        }
        outputs[n] = l->is_set ? l->value : type_zero(f, l->type);
        if (is_bad(outputs[n++]))
            return 0;
    }
    return n;
}

int32_t plan_execute(flattener *f, plan *p, const value *args, value *outputs, source_at at)
{
    frame fr;
    int32_t n = 0;
    if (f->is_run && f->call_depth > RUN_DEPTH_MAX)
        return (int32_t)fl_error(f, at, "'%s' calls itself too often", fl_name(f, p->class->name))
            .n;
    if (!frame_enter(f, p, &fr))
        return 0;
    if (frame_settle(f, p, args, at, true)) {
        flow w = body_run(f, p);
        if (w != FLOW_FAIL && w != FLOW_GIVE_UP)
            n = outputs_collect(f, p, outputs, at);
    }
    frame_leave(f);
    return n;
}
