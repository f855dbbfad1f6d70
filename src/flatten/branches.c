/* flatten/branches.c - see execute.h: the state that statements change, and branches of it.
 *
 * The state is the locals of f->in->frame in a function, the entries of f->overlay in an algorithm
 * section of the model.  Where a condition is not known both branches run from the same state:
 * each writes what it changes into a log, so that a fork costs what the branches assign and not
 * the size of the state; the two results are joined by if-expressions.  A branch that leaves a
 * loop or a function under such a condition is a `departure`: its whole state is kept and joined
 * at the end of what it left, the earliest one outermost.                         */
#include "flatten/execute.h"

/* ---- writing the state ---- */

static undo_log **log_slot(flattener *f)
{
    return f->in->frame ? &f->in->frame->log : &f->overlay->log;
}

static void log_push(flattener *f, undo_log *log, const undo *u)
{
    undo *list = arena_grow(f->in->mem, log->item, &log->capacity, log->n + 1, sizeof *list);
    if (!list)
        return;
    log->item = list;
    log->item[log->n++] = *u;
}

void local_touch(flattener *f, local *l)
{
    undo_log *log = f->in->frame->log;
    if (!log || l->mark == log->epoch)
        return;
    l->is_owned = false;
    log_push(f, log, &(undo){.index = (uint32_t)(l - f->in->frame->local), .local = *l});
    l->mark = log->epoch;
}

static void touch_entry(flattener *f, uint32_t k)
{
    overlay *o = f->overlay;
    undo_log *log = o->log;
    if (!log || o->mark[k] == log->epoch)
        return;
    undo u = {.index = k, .value = o->value[k]};
    u.local.mark = o->mark[k];
    log_push(f, log, &u);
    o->mark[k] = log->epoch;
}

void entry_write(flattener *f, uint32_t k, expr e)
{
    touch_entry(f, k);
    f->overlay->value[k] = e;
}

/* Exchanges the present contents of the state with those in the log. */
static void log_swap(flattener *f, undo_log *log)
{
    for (size_t i = log->n; i-- > 0;) {
        undo *u = &log->item[i], now = *u;
        if (f->in->frame) {
            now.local = f->in->frame->local[u->index];
            f->in->frame->local[u->index] = u->local;
        } else {
            overlay *o = f->overlay;
            now.value = o->value[u->index];
            now.local.mark = o->mark[u->index];
            o->value[u->index] = u->value;
            o->mark[u->index] = u->local.mark;
        }
        *u = now;
    }
}

/* Adds what a branch wrote to the log of the branch around it. */
static void log_fold(flattener *f, const undo_log *inner)
{
    undo_log *log = *log_slot(f);
    for (size_t i = 0; i < inner->n; i++) {
        const undo *u = &inner->item[i];
        if (log && u->local.mark != log->epoch)
            log_push(f, log, u);
        uint32_t mark = log ? log->epoch : u->local.mark;
        if (f->in->frame)
            f->in->frame->local[u->index].mark = mark;
        else
            f->overlay->mark[u->index] = mark;
    }
}

static void local_write(flattener *f, local *l, const local *from)
{
    local_touch(f, l);
    l->value = from->value;
    l->is_set = from->is_set;
    l->is_owned = false;
}

/* ---- joining ---- */

/* The local becomes `if condition then yes else (its present value)`. */
static bool local_join(flattener *f, expr condition, const local *yes, local *l, source_at at)
{
    if (!yes->is_set || (l->is_set && l->value.e == yes->value.e))
        return true;
    if (!l->is_set) {
        local_write(f, l, yes);
        return true;
    }
    local_touch(f, l);
    if (l->value.type.base == T_FUNCTION)
        return l->value.type.info == yes->value.type.info;
    value v = value_if(f->in, condition, yes->value, l->value, at);
    if (is_bad(v))
        return false;
    l->value = v;
    l->is_owned = true;
    return true;
}

static void entry_join(flattener *f, expr condition, expr yes, uint32_t k)
{
    expr no = f->overlay->value[k];
    if (yes == EXPR_NONE || yes == no)
        return;
    entry_write(f, k, no == EXPR_NONE ? yes : expr_if(f->in->g, condition, yes, no));
}

static bool undo_join(flattener *f, expr condition, const undo *yes, source_at at)
{
    if (f->in->frame)
        return local_join(f, condition, &yes->local, &f->in->frame->local[yes->index], at);
    entry_join(f, condition, yes->value, yes->index);
    return true;
}

static uint32_t *stamp_of(flattener *f, uint32_t k)
{
    return f->in->frame ? &f->in->frame->local[k].stamp : &f->overlay->stamp[k];
}

/* Joins both branches: `yes` has what the first branch wrote, `no` what was there before the
 * second. */
static bool logs_merge(flattener *f, expr condition, const undo_log *yes, const undo_log *no,
                       source_at at)
{
    uint32_t stamp = ++f->functions->epoch;
    bool ok = true;
    log_fold(f, no);
    for (size_t i = 0; ok && i < yes->n; i++) {
        ok = undo_join(f, condition, &yes->item[i], at);
        *stamp_of(f, yes->item[i].index) = stamp;
    }
    for (size_t i = 0; ok && i < no->n; i++)
        if (*stamp_of(f, no->item[i].index) != stamp)
            ok = undo_join(f, condition, &no->item[i], at);
    return ok;
}

/* ---- whole states ---- */

snapshot *state_save(flattener *f)
{
    snapshot *s = arena_take(f->in->mem, 1, sizeof *s);
    if (!s)
        return NULL;
    if (f->in->frame) {
        s->n_locals = f->in->frame->n;
        s->local = arena_take(f->in->mem, (size_t)s->n_locals + 1, sizeof *s->local);
        for (int32_t i = 0; s->local && i < s->n_locals; i++) {
            f->in->frame->local[i].is_owned = false;
            s->local[i] = f->in->frame->local[i];
        }
        return s->local ? s : NULL;
    }
    s->n_values = f->overlay->n;
    s->value =
        arena_copy(f->in->mem, f->overlay->value, s->n_values, s->n_values + 1, sizeof(expr));
    return s->value ? s : NULL;
}

void state_restore(flattener *f, const snapshot *s)
{
    for (int32_t i = 0; i < s->n_locals; i++) {
        local *l = &f->in->frame->local[i];
        if (l->is_set != s->local[i].is_set || l->value.e != s->local[i].value.e)
            local_write(f, l, &s->local[i]);
    }
    for (uint32_t i = 0; i < s->n_values; i++)
        if (f->overlay->value[i] != s->value[i])
            entry_write(f, i, s->value[i]);
}

static bool snapshot_join(flattener *f, expr condition, const snapshot *yes, source_at at)
{
    for (int32_t i = 0; i < yes->n_locals; i++)
        if (!local_join(f, condition, &yes->local[i], &f->in->frame->local[i], at))
            return false;
    for (uint32_t i = 0; i < yes->n_values; i++)
        entry_join(f, condition, yes->value[i], i);
    return true;
}

void departures_merge(flattener *f, departure *d, source_at at)
{
    for (; d; d = d->next)
        if (!snapshot_join(f, d->path, d->state, at))
            return;
}

bool departure_add(flattener *f, flow how, snapshot *state, expr path)
{
    departure **list = how == FLOW_RETURN ? &f->in->frame->returns : f->breaks;
    departure *d = arena_take(f->in->mem, 1, sizeof *d);
    if (!d || !state)
        return false;
    *d = (departure){.path = path, .state = state, .next = *list};
    *list = d;
    return true;
}

/* ---- forks ---- */

void fork_begin(flattener *f, fork *k, expr condition, bool is_when)
{
    undo_log **slot = log_slot(f);
    *k = (fork){.condition = condition, .before = f->path, .outer = *slot};
    k->yes_path = is_when ? f->path : condition_and(f->in, f->path, condition);
    k->no_path = is_when ? f->path : condition_and(f->in, f->path, condition_not(f->in, condition));
    k->yes.epoch = ++f->functions->epoch;
    *slot = &k->yes;
    f->path = k->yes_path;
}

flow fork_stop(flattener *f, const fork *k, flow w)
{
    *log_slot(f) = k->outer;
    f->path = k->before;
    return w;
}

bool fork_turn(flattener *f, fork *k, flow w)
{
    k->first = w;
    k->yes_end = f->path;
    if (w == FLOW_FAIL || w == FLOW_GIVE_UP)
        return false;
    if (w != FLOW_NEXT && !(k->left = state_save(f)))
        return false;
    log_swap(f, &k->yes);
    k->no.epoch = ++f->functions->epoch;
    *log_slot(f) = &k->no;
    f->path = k->no_path;
    return true;
}

/* Ends a fork of which only the first branch continues. */
static flow fork_first(flattener *f, fork *k, flow w)
{
    snapshot *left = state_save(f);
    bool ok = departure_add(f, w, left, f->path);
    log_swap(f, &k->no);
    *log_slot(f) = k->outer;
    for (size_t i = 0; i < k->yes.n; i++) {
        const undo *u = &k->yes.item[i];
        if (f->in->frame)
            local_write(f, &f->in->frame->local[u->index], &u->local);
        else
            entry_write(f, u->index, u->value);
    }
    f->path = k->yes_end;
    return ok ? FLOW_NEXT : flow_failed(f);
}

flow fork_end(flattener *f, fork *k, flow w, source_at at)
{
    if (w == FLOW_FAIL || w == FLOW_GIVE_UP)
        return fork_stop(f, k, w);
    if (w != k->first && w != FLOW_NEXT && k->first == FLOW_NEXT)
        return fork_first(f, k, w);
    *log_slot(f) = k->outer;
    if (w != k->first) {
        log_fold(f, &k->no);
        return departure_add(f, k->first, k->left, k->yes_end) ? w : flow_failed(f);
    }
    bool same = k->yes_end == k->yes_path && f->path == k->no_path;
    expr both = same ? k->before : expr_make2(f->in->g, EXPR_OR, k->yes_end, f->path);
    if (!same && (k->yes_end == EXPR_NONE || f->path == EXPR_NONE))
        both = EXPR_NONE;
    bool ok = logs_merge(f, k->condition, &k->yes, &k->no, at);
    f->path = both;
    return ok ? w : flow_failed(f);
}
