/* flatten/flatten_algorithm.c - see flatten_core.h: statements, executed on values.
 *
 * The state is the locals of f->frame in a function, the entries of f->overlay in an algorithm
 * section of the model.  A condition that is known chooses a branch.  Else both branches run
 * from the same state: each writes what it changes into a log, so that a fork costs what the
 * branches assign and not the size of the state; the two results are joined by if-expressions.
 * A branch that leaves a loop or a function under such a condition is a `departure`: its whole
 * state is kept and joined at the end of what it left, the earliest one outermost.   */
#include "flatten/flatten_core.h"

#include <math.h>
#include <string.h>

enum { MOST_PARTS = 12, PASSES_MAX = 2000 }; /* passes behind a conditional break */

void give_up(flattener *f, source_at at, const char *why)
{
    if (f->is_run || !f->frame) {
        fl_error(f, at, "%s", why);
        return;
    }
    f->gave_up = true;
    f->why_not = why;
    f->why_not_at = at;
}

static flow failed(const flattener *f)
{
    return f->gave_up ? FLOW_GIVE_UP : FLOW_FAIL;
}

static double no_variable(void *user, uint32_t index)
{
    (void)user;
    (void)index;
    return NAN;
}

bool truth_known(const flattener *f, expr condition, bool *truth)
{
    double number = 0.0;
    if (expr_is_constant(f->g, condition)) {
        *truth = expr_value(f->g, condition) != 0.0;
        return true;
    }
    if (!f->is_run)
        return false;
    expr_source from = {.variable = no_variable, .call = flat_call, .user = f->m->functions};
    bool known = expr_evaluate(f->g, condition, &from, &number) == 0;
    *truth = number != 0.0;
    return known && !isnan(number);
}

expr path_whole(flattener *f)
{
    expr path = fl_and(f, f->when, f->path);
    for (const frame *fr = f->frame; fr; fr = fr->up)
        path = fl_and(f, path, fr->path);
    if (f->section == IN_INITIAL)
        path = fl_and(f, path, expr_variable(f->g, flat_symbol(FLAT_INITIAL, 0)));
    return path;
}

/* ---- writing the state ---- */

static undo_log **log_slot(flattener *f)
{
    return f->frame ? &f->frame->log : &f->overlay->log;
}

static void log_push(flattener *f, undo_log *log, const undo *u)
{
    undo *list = arena_grow(f->mem, log->item, &log->capacity, log->n + 1, sizeof *list);
    if (!list)
        return;
    log->item = list;
    log->item[log->n++] = *u;
}

static void touch_local(flattener *f, local *l)
{
    undo_log *log = f->frame->log;
    if (!log || l->mark == log->epoch)
        return;
    l->is_owned = false;
    log_push(f, log, &(undo){.index = (uint32_t)(l - f->frame->local), .local = *l});
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

static void entry_write(flattener *f, uint32_t k, expr e)
{
    touch_entry(f, k);
    f->overlay->value[k] = e;
}

/* What is there and what the log holds change places. */
static void log_swap(flattener *f, undo_log *log)
{
    for (size_t i = log->n; i-- > 0;) {
        undo *u = &log->item[i], now = *u;
        if (f->frame) {
            now.local = f->frame->local[u->index];
            f->frame->local[u->index] = u->local;
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

/* What a branch wrote is from now on what the branch around it wrote. */
static void log_fold(flattener *f, const undo_log *inner)
{
    undo_log *log = *log_slot(f);
    for (size_t i = 0; i < inner->n; i++) {
        const undo *u = &inner->item[i];
        if (log && u->local.mark != log->epoch)
            log_push(f, log, u);
        uint32_t mark = log ? log->epoch : u->local.mark;
        if (f->frame)
            f->frame->local[u->index].mark = mark;
        else
            f->overlay->mark[u->index] = mark;
    }
}

/* ---- joining ---- */

/* The local becomes: if condition then `yes` else what it is. */
static bool local_join(flattener *f, expr condition, const local *yes, local *l, source_at at)
{
    if (!yes->is_set || (l->is_set && l->value.e == yes->value.e))
        return true;
    touch_local(f, l);
    if (!l->is_set) {
        l->value = yes->value;
        l->is_set = true;
        l->is_owned = false;
        return true;
    }
    if (l->value.type.base == T_FUNCTION)
        return l->value.type.info == yes->value.type.info;
    value v = value_if(f, condition, yes->value, l->value, at);
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
    entry_write(f, k, no == EXPR_NONE ? yes : expr_if(f->g, condition, yes, no));
}

static bool undo_join(flattener *f, expr condition, const undo *yes, source_at at)
{
    if (f->frame)
        return local_join(f, condition, &yes->local, &f->frame->local[yes->index], at);
    entry_join(f, condition, yes->value, yes->index);
    return true;
}

static uint32_t *stamp_of(flattener *f, uint32_t k)
{
    return f->frame ? &f->frame->local[k].stamp : &f->overlay->stamp[k];
}

/* After both branches: `yes` has what the first wrote, `no` what was there before the second. */
static bool logs_merge(flattener *f, expr condition, const undo_log *yes, const undo_log *no,
                       source_at at)
{
    uint32_t stamp = ++memory_of(f)->epoch;
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
    snapshot *s = arena_take(f->mem, 1, sizeof *s);
    if (!s)
        return NULL;
    if (f->frame) {
        s->n_locals = f->frame->n;
        s->local = arena_take(f->mem, (size_t)s->n_locals + 1, sizeof *s->local);
        for (int32_t i = 0; s->local && i < s->n_locals; i++) {
            f->frame->local[i].is_owned = false;
            s->local[i] = f->frame->local[i];
        }
        return s->local ? s : NULL;
    }
    s->n_values = f->overlay->n;
    s->value = arena_copy(f->mem, f->overlay->value, s->n_values, s->n_values + 1, sizeof(expr));
    return s->value ? s : NULL;
}

void state_restore(flattener *f, const snapshot *s)
{
    for (int32_t i = 0; i < s->n_locals; i++) {
        local *l = &f->frame->local[i];
        if (l->is_set == s->local[i].is_set && l->value.e == s->local[i].value.e)
            continue;
        touch_local(f, l);
        l->value = s->local[i].value;
        l->is_set = s->local[i].is_set;
        l->is_owned = false;
    }
    for (uint32_t i = 0; i < s->n_values; i++)
        if (f->overlay->value[i] != s->value[i])
            entry_write(f, i, s->value[i]);
}

bool branch_merge(flattener *f, expr condition, const snapshot *yes, source_at at)
{
    for (int32_t i = 0; i < yes->n_locals; i++)
        if (!local_join(f, condition, &yes->local[i], &f->frame->local[i], at))
            return false;
    for (uint32_t i = 0; i < yes->n_values; i++)
        entry_join(f, condition, yes->value[i], i);
    return true;
}

void departures_merge(flattener *f, departure *d, source_at at)
{
    for (; d; d = d->next)
        if (!branch_merge(f, d->path, d->state, at))
            return;
}

static bool depart(flattener *f, flow how, snapshot *state, expr path)
{
    departure **list = how == FLOW_RETURN ? &f->frame->returns : f->breaks;
    departure *d = arena_take(f->mem, 1, sizeof *d);
    if (!d || !state)
        return false;
    *d = (departure){.path = path, .state = state, .next = *list};
    *list = d;
    return true;
}

/* ---- forks ---- */

typedef struct fork {
    expr condition, before, yes_path, no_path; /* paths as they should end */
    expr yes_end;
    undo_log yes, no, *outer;
    flow first;
    snapshot *left;
} fork;

static void fork_begin(flattener *f, fork *k, expr condition, bool is_when)
{
    undo_log **slot = log_slot(f);
    *k = (fork){.condition = condition, .before = f->path, .outer = *slot};
    k->yes_path = is_when ? f->path : fl_and(f, f->path, condition);
    k->no_path = is_when ? f->path : fl_and(f, f->path, fl_not(f, condition));
    k->yes.epoch = ++memory_of(f)->epoch;
    *slot = &k->yes;
    f->path = k->yes_path;
}

static flow fork_stop(flattener *f, const fork *k, flow w)
{
    *log_slot(f) = k->outer;
    f->path = k->before;
    return w;
}

/* Between the branches. */
static bool fork_turn(flattener *f, fork *k, flow w)
{
    k->first = w;
    k->yes_end = f->path;
    if (w == FLOW_FAIL || w == FLOW_GIVE_UP)
        return false;
    if (w != FLOW_NEXT && !(k->left = state_save(f)))
        return false;
    log_swap(f, &k->yes);
    k->no.epoch = ++memory_of(f)->epoch;
    *log_slot(f) = &k->no;
    f->path = k->no_path;
    return true;
}

/* Only the first branch goes on. */
static flow fork_first(flattener *f, fork *k, flow w)
{
    snapshot *left = state_save(f);
    bool ok = depart(f, w, left, f->path);
    log_swap(f, &k->no);
    *log_slot(f) = k->outer;
    for (size_t i = 0; i < k->yes.n; i++) {
        const undo *u = &k->yes.item[i];
        if (!f->frame) {
            entry_write(f, u->index, u->value);
            continue;
        }
        local *l = &f->frame->local[u->index];
        touch_local(f, l);
        l->value = u->local.value;
        l->is_set = u->local.is_set;
        l->is_owned = false;
    }
    f->path = k->yes_end;
    return ok ? FLOW_NEXT : failed(f);
}

static flow fork_end(flattener *f, fork *k, flow w, source_at at)
{
    if (w == FLOW_FAIL || w == FLOW_GIVE_UP)
        return fork_stop(f, k, w);
    if (w != k->first && w != FLOW_NEXT && k->first == FLOW_NEXT)
        return fork_first(f, k, w);
    *log_slot(f) = k->outer;
    if (w != k->first) {
        log_fold(f, &k->no);
        return depart(f, k->first, k->left, k->yes_end) ? w : failed(f);
    }
    bool same = k->yes_end == k->yes_path && f->path == k->no_path;
    expr both = same ? k->before : expr_make2(f->g, EXPR_OR, k->yes_end, f->path);
    if (!same && (k->yes_end == EXPR_NONE || f->path == EXPR_NONE))
        both = EXPR_NONE;
    bool ok = logs_merge(f, k->condition, &k->yes, &k->no, at);
    f->path = both;
    return ok ? w : failed(f);
}

static flow choice_run(flattener *f, const ast_branch *b, source_at at)
{
    bool truth = false;
    fork k;
    for (; b; b = b->next) {
        if (!b->condition)
            return statements_run(f, b->body);
        expr condition = eval_condition(f, b->condition);
        if (condition == EXPR_NONE)
            return failed(f);
        if (!truth_known(f, condition, &truth)) {
            if (f->is_run)
                return FLOW_FAIL;
            fork_begin(f, &k, condition, false);
            if (!fork_turn(f, &k, statements_run(f, b->body)))
                return fork_stop(f, &k, failed(f));
            return fork_end(f, &k, choice_run(f, b->next, at), at);
        }
        if (truth)
            return statements_run(f, b->body);
    }
    return FLOW_NEXT;
}

/* ---- when ---- */

/* Loops of which only the passes are left in the text may still have their `break`: it ends the
 * statement it stands in.                                                       */
static flow unrolled_run(flattener *f, const ast_clause *clause)
{
    departure *breaks = NULL, **outer = f->breaks;
    ast_clause one = *clause;
    one.next = NULL;
    f->breaks = &breaks;
    flow w = statements_run(f, &one);
    f->breaks = outer;
    if (w == FLOW_FAIL || w == FLOW_GIVE_UP)
        return w;
    departures_merge(f, breaks, clause->at);
    f->path = EXPR_NONE;
    return FLOW_NEXT;
}

static flow section_run(flattener *f, const ast_clause *clause)
{
    flow w = FLOW_NEXT;
    for (; clause && w == FLOW_NEXT; clause = clause->next)
        w = unrolled_run(f, clause);
    return w;
}

static flow when_body(flattener *f, const ast_branch *b, expr fires)
{
    f->when = fires;
    f->literal++;
    flow w = section_run(f, b->body);
    f->literal--;
    f->when = EXPR_NONE;
    return w;
}

static flow when_branches(flattener *f, const ast_branch *b, expr earlier, source_at at)
{
    fork k;
    if (!b)
        return FLOW_NEXT;
    expr fires = when_fires(f, b->condition);
    if (fires == EXPR_NONE)
        return FLOW_FAIL;
    if (expr_is_value(f->g, fires, 0.0))
        return when_branches(f, b->next, earlier, at);
    bool is_first = earlier == EXPR_NONE;
    expr here = is_first ? fires : fl_and(f, fires, fl_not(f, earlier));
    expr all = is_first ? fires : expr_make2(f->g, EXPR_OR, earlier, fires);
    fork_begin(f, &k, fires, true);
    if (!fork_turn(f, &k, when_body(f, b, here)))
        return fork_stop(f, &k, failed(f));
    return fork_end(f, &k, when_branches(f, b->next, all, at), at);
}

static flow when_run(flattener *f, const ast_clause *c)
{
    const char *where = f->frame                   ? "a function"
                        : f->when != EXPR_NONE     ? "another 'when'"
                        : f->section == IN_INITIAL ? "an initial section"
                        : f->path != EXPR_NONE     ? "an 'if' whose condition may change"
                                                   : NULL;
    if (where) {
        fl_error(f, c->at, "'when' cannot stand in %s", where);
        return FLOW_FAIL;
    }
    return when_branches(f, c->branches, EXPR_NONE, c->at);
}

/* ---- loops ---- */

static bool pass_allowed(flattener *f, size_t passes, source_at at)
{
    if (!fl_work(f, 1))
        return false;
    if (passes >= LOOP_MAX) {
        fl_error(f, at, "the loop has more than %d passes", LOOP_MAX);
        return false;
    }
    if (f->frame && *f->breaks && passes > PASSES_MAX) {
        give_up(f, at, "it is not known when a loop ends");
        return false;
    }
    return true;
}

static flow for_run(flattener *f, const ast_clause *c, int32_t k)
{
    value range;
    flow w = FLOW_NEXT;
    if (!eval_range(f, &c->iterator[k], &range))
        return failed(f);
    size_t n = (size_t)range.type.dim[0];
    iteration here = {.name = c->iterator[k].name, .next = f->iterations};
    f->iterations = &here;
    for (size_t i = 0; i < n && w == FLOW_NEXT; i++) {
        here.value = range_item(f, range, i);
        if (!pass_allowed(f, i, c->at))
            w = failed(f);
        else
            w = k + 1 < c->n ? for_run(f, c, k + 1) : statements_run(f, c->branches->body);
    }
    f->iterations = here.next;
    return w;
}

static flow while_run(flattener *f, const ast_clause *c)
{
    flow w = FLOW_NEXT;
    for (size_t i = 0; w == FLOW_NEXT; i++) {
        bool truth = false;
        expr condition = eval_condition(f, c->branches->condition);
        if (condition == EXPR_NONE || !pass_allowed(f, i, c->at))
            return failed(f);
        if (!truth_known(f, condition, &truth)) {
            give_up(f, c->branches->condition->at, "the condition of a 'while' is not constant");
            return failed(f);
        }
        if (!truth)
            break;
        w = statements_run(f, c->branches->body);
    }
    return w;
}

/* All passes that went on have returned; what broke out before goes on. */
static flow loop_broken(flattener *f, departure *breaks, source_at at)
{
    if (!depart(f, FLOW_RETURN, state_save(f), f->path))
        return failed(f);
    state_restore(f, breaks->state);
    departures_merge(f, breaks->next, at);
    return FLOW_NEXT;
}

static flow loop_run(flattener *f, const ast_clause *c)
{
    departure *breaks = NULL, **outer = f->breaks;
    const departure *returned = f->frame ? f->frame->returns : NULL;
    expr path = f->path;
    int32_t errors = f->c->sources.n_errors;
    f->breaks = &breaks;
    if (!f->frame)
        f->overlay->loops++;
    flow w = c->kind == AST_FOR ? for_run(f, c, 0) : while_run(f, c);
    if (!f->frame)
        f->overlay->loops--;
    f->breaks = outer;
    if (w == FLOW_FAIL || w == FLOW_GIVE_UP || (w == FLOW_RETURN && !breaks))
        return w;
    if (w == FLOW_RETURN) {
        w = loop_broken(f, breaks, c->at);
    } else {
        departures_merge(f, breaks, c->at);
        w = f->c->sources.n_errors > errors ? FLOW_FAIL : FLOW_NEXT;
    }
    f->path = path;
    for (const departure *d = f->frame ? f->frame->returns : NULL; d != returned; d = d->next)
        f->path = fl_and(f, f->path, fl_not(f, d->path));
    return w;
}

/* ---- assignments: parts of a value ---- */

/* Which scalars of a value a reference means. */
typedef struct scatter {
    flattener *f;
    const ast_part *part;
    int32_t n;
    subscript subs[MOST_PARTS][MOST_DIMS];
    expr *to;
    bool *touched; /* or NULL */
    const expr *from;
    size_t at;
} scatter;

static bool subscript_usable(flattener *f, const subscript *s)
{
    if (s->is_colon)
        return true;
    base_type base = (base_type)s->value.type.base;
    if ((base != T_INTEGER && base != T_ENUM && base != T_BOOLEAN) || s->value.type.n_dims > 1)
        return fl_error(f, s->at, "a subscript is %s, not an Integer", type_text(f, s->value.type))
            .n;
    if (s->value.type.n_dims == 1 && !value_is_constant(f, s->value)) {
        give_up(f, s->at, "a vector of subscripts must be constant");
        return false;
    }
    return true;
}

static const member *member_named(const flattener *f, type t, int32_t name)
{
    const record *r = t.base == T_RECORD ? &f->record[t.info] : NULL;
    for (int32_t i = 0; r && i < r->n; i++)
        if (r->member[i].name == name)
            return &r->member[i];
    return NULL;
}

/* Sizes that stay of one part. */
static bool part_sizes(scatter *s, int32_t k, type t, int32_t *dims, int32_t *n)
{
    flattener *f = s->f;
    const ast_part *part = &s->part[k];
    if (!subscripts_eval(f, (value){.type = t}, part, s->subs[k]))
        return false;
    for (int32_t i = 0; i < t.n_dims; i++) {
        const subscript *sub = i < part->n_subs ? &s->subs[k][i] : NULL;
        if (sub && !subscript_usable(f, sub))
            return false;
        if (sub && !sub->is_colon && sub->value.type.n_dims == 0)
            continue;
        if (*n == MOST_DIMS)
            return fl_error(f, part->at, "an array can have at most %d dimensions", MOST_DIMS).n;
        dims[(*n)++] = sub && !sub->is_colon ? (int32_t)sub->value.n : t.dim[i];
    }
    return true;
}

/* The type of what the reference means in a value of type t; T_BAD after an error. */
static type scatter_type(scatter *s, type t)
{
    int32_t dims[MOST_DIMS], n = 0;
    flattener *f = s->f;
    if (s->n > MOST_PARTS)
        return fl_error(f, s->part->at, "the name has too many parts").type;
    for (int32_t k = 0; k < s->n; k++) {
        const member *m = k ? member_named(f, t, s->part[k].name) : NULL;
        if (k && !m)
            return fl_error(f, s->part[k].at, "%s has no member '%s'", type_text(f, t),
                            fl_name(f, s->part[k].name))
                .type;
        if (m)
            t = m->type;
        if (!part_sizes(s, k, t, dims, &n))
            return type_scalar(T_BAD);
        t = k + 1 < s->n ? type_element(t) : t;
    }
    return type_array(type_element(t), n, dims);
}

static bool scatter_dim(scatter *s, int32_t k, int32_t d, type t, size_t offset, expr condition);

static bool scatter_element(scatter *s, int32_t k, type t, size_t offset, expr condition)
{
    expr_graph *g = s->f->g;
    if (k < s->n) {
        const member *m = member_named(s->f, t, s->part[k].name);
        return scatter_dim(s, k, 0, m->type, offset + m->offset, condition);
    }
    for (size_t i = 0, n = type_leaves(s->f, t); i < n; i++) {
        expr e = s->from[s->at++], *to = &s->to[offset + i];
        *to = condition == EXPR_NONE ? e : expr_if(g, condition, e, *to);
        if (s->touched)
            s->touched[offset + i] = true;
    }
    return true;
}

static size_t dim_stride(const flattener *f, type t, int32_t d)
{
    size_t stride = type_leaves(f, type_element(t));
    for (int32_t i = d + 1; i < t.n_dims; i++)
        stride *= (size_t)t.dim[i];
    return stride;
}

static bool scatter_chosen(scatter *s, int32_t k, int32_t d, type t, size_t offset, expr condition)
{
    const value *v = &s->subs[k][d].value;
    size_t at = s->at, stride = dim_stride(s->f, t, d);
    for (int32_t i = 0; i < t.dim[d]; i++) {
        expr number = fl_constant(s->f, i + (v->type.base != T_BOOLEAN));
        expr here = expr_make2(s->f->g, EXPR_EQ, v->e[0], number);
        s->at = at;
        if (!scatter_dim(s, k, d + 1, t, offset + (size_t)i * stride,
                         fl_and(s->f, condition, here)))
            return false;
    }
    return true;
}

static bool scatter_dim(scatter *s, int32_t k, int32_t d, type t, size_t offset, expr condition)
{
    flattener *f = s->f;
    if (d == t.n_dims)
        return scatter_element(s, k + 1, type_element(t), offset, condition);
    size_t stride = dim_stride(f, t, d);
    const subscript *sub = d < s->part[k].n_subs ? &s->subs[k][d] : NULL;
    bool all = !sub || sub->is_colon;
    if (!all && sub->value.type.n_dims == 0 && !expr_is_constant(f->g, sub->value.e[0]))
        return scatter_chosen(s, k, d, t, offset, condition);
    size_t n = all ? (size_t)t.dim[d] : sub->value.n;
    for (size_t i = 0; i < n; i++) {
        double x = all ? (double)i + 1.0
                       : expr_value(f->g, sub->value.e[i]) + (sub->value.type.base == T_BOOLEAN);
        if (!(x >= 1.0 && x <= t.dim[d]))
            return fl_error(f, sub ? sub->at : s->part[k].at, "subscript %.17g is outside 1 .. %d",
                            x, (int)t.dim[d])
                .n;
        if (!scatter_dim(s, k, d + 1, t, offset + ((size_t)x - 1) * stride, condition))
            return false;
    }
    return true;
}

static const char *target_text(flattener *f, const ast_expr *ref)
{
    return fl_text(f, "the value for '%s'", fl_name(f, ref->part[0].name));
}

static bool same_type(type a, type b)
{
    return a.base == b.base && a.info == b.info && type_same_sizes(a, b);
}

/* ---- assignments in functions ---- */

static bool local_own(flattener *f, local *l)
{
    touch_local(f, l);
    if (!l->is_set) {
        l->value = type_zero(f, l->type);
        l->is_set = l->is_owned = !is_bad(l->value);
        return l->is_set;
    }
    if (l->is_owned)
        return true;
    value copy = value_new(f, l->value.type);
    if (is_bad(copy))
        return false;
    memcpy(copy.e, l->value.e, copy.n * sizeof *copy.e);
    l->value = copy;
    l->is_owned = true;
    return true;
}

static bool assign_part(flattener *f, local *l, const ast_expr *ref, value v, source_at at)
{
    if (l->is_open && !l->is_set)
        return fl_error(f, at, "the size of '%s' is not known yet", fl_name(f, l->name)).n;
    scatter *s = arena_take(f->mem, 1, sizeof *s);
    if (!s)
        return false;
    s->f = f;
    s->part = ref->part;
    s->n = ref->n;
    type whole = l->is_set ? l->value.type : l->type, t = scatter_type(s, whole);
    if (t.base == T_BAD)
        return false;
    if (!same_type(t, v.type))
        v = value_convert(f, v, t, at, target_text(f, ref));
    if (is_bad(v) || !local_own(f, l))
        return false;
    s->to = l->value.e;
    s->from = v.e;
    return scatter_dim(s, 0, 0, whole, 0, EXPR_NONE);
}

static bool assign_local(flattener *f, const ast_expr *ref, value v, source_at at)
{
    local *l = local_find(f, ref->part[0].name);
    if (!l) {
        unknown_name(f, ref->at, "name", fl_name(f, ref->part[0].name));
        return false;
    }
    if (l->is_const)
        return fl_error(f, at, "'%s' cannot be assigned: it is an input or a constant",
                        fl_name(f, l->name))
            .n;
    if (ref->n > 1 || ref->part[0].n_subs)
        return assign_part(f, l, ref, v, at);
    touch_local(f, l);
    return local_assign(f, l, v, at, NULL);
}

/* ---- assignments in algorithms of the model ---- */

/* The variables that a target means, or those of the array around a subscript that is not
 * constant.                                                                      */
typedef struct target {
    value symbols;
    bool is_chosen; /* subscripts choose among the symbols */
    const ast_expr *ref;
} target;

static bool are_symbols(const flattener *f, value v)
{
    uint32_t variable = 0;
    for (size_t i = 0; i < v.n; i++)
        if (!is_value_symbol(f, v.e[i], &variable))
            return false;
    return true;
}

static bool target_find(flattener *f, const ast_expr *ref, target *t)
{
    f->raw++;
    t->symbols = eval(f, ref);
    t->is_chosen = !is_bad(t->symbols) && !are_symbols(f, t->symbols);
    if (t->is_chosen && ref->n == 1 && !ref->part[0].n_subs) { /* 'x[\'i\']' */
        const ast_expr *inner = name_with_subscripts(f, ref->part[0].name, ref->at);
        ref = inner ? inner : ref;
    }
    t->ref = ref;
    ast_expr head = *ref;
    if (t->is_chosen && ref->part[ref->n - 1].n_subs) {
        size_t n = (size_t)ref->n;
        head.part = arena_copy(f->mem, ref->part, n, n, sizeof *head.part);
        if (head.part) {
            head.part[ref->n - 1].n_subs = 0;
            t->symbols = eval(f, &head);
        }
    }
    f->raw--;
    if (is_bad(t->symbols))
        return false;
    if (!are_symbols(f, t->symbols))
        return fl_error(f, ref->at, "'%s' is not a variable that can be assigned",
                        fl_name(f, ref->part[0].name))
            .n;
    return true;
}

static uint32_t entry_of(const overlay *o, uint32_t variable)
{
    return variable < o->n_slots ? o->slot[variable] : 0;
}

static void entry_assign(flattener *f, expr symbol, expr e, source_at at, source_at end)
{
    overlay *o = f->overlay;
    uint32_t k = entry_of(o, flat_number(expr_index(f->g, symbol)));
    if (!k)
        return;
    entry_write(f, k - 1, e);
    o->is_assigned[k - 1] = true;
    o->at[k - 1] = at;
    o->end[k - 1] = end;
}

static bool assign_chosen(flattener *f, const ast_expr *ref, value symbols, value v,
                          const ast_clause *c)
{
    scatter *s = arena_take(f->mem, 1, sizeof *s);
    expr *now = arena_take(f->mem, symbols.n + 1, sizeof *now);
    bool *touched = arena_take(f->mem, symbols.n + 1, sizeof *touched);
    if (!s || !now || !touched)
        return false;
    for (size_t i = 0; i < symbols.n; i++)
        now[i] = variable_read(f, flat_number(expr_index(f->g, symbols.e[i])));
    *s = (scatter){.f = f, .part = &ref->part[ref->n - 1], .n = 1, .to = now, .touched = touched};
    type t = scatter_type(s, symbols.type);
    v = value_convert(f, v, t, c->at, target_text(f, ref));
    s->from = v.e;
    if (is_bad(v) || !scatter_dim(s, 0, 0, symbols.type, 0, EXPR_NONE))
        return false;
    for (size_t i = 0; i < symbols.n; i++)
        if (touched[i])
            entry_assign(f, symbols.e[i], now[i], c->at, c->end);
    return true;
}

static bool assign_variables(flattener *f, const ast_expr *ref, value v, const ast_clause *c)
{
    target t;
    if (!target_find(f, ref, &t))
        return false;
    if (t.is_chosen)
        return assign_chosen(f, t.ref, t.symbols, v, c);
    if (!same_type(t.symbols.type, v.type))
        v = value_convert(f, v, t.symbols.type, c->at, target_text(f, ref));
    if (is_bad(v))
        return false;
    for (size_t i = 0; i < v.n; i++)
        entry_assign(f, t.symbols.e[i], v.e[i], c->at, c->end);
    return true;
}

/* ---- statements ---- */

static bool assign(flattener *f, const ast_expr *ref, value v, const ast_clause *c)
{
    if (is_bad(v))
        return false;
    return f->frame ? assign_local(f, ref, v, c->at) : assign_variables(f, ref, v, c);
}

static bool assign_tuple(flattener *f, const ast_clause *c)
{
    value *outputs = arena_take(f->mem, MOST_OUTPUTS, sizeof *outputs);
    const ast_expr *left = c->left;
    if (!outputs || c->right->kind != AST_CALL)
        return fl_error(f, c->at, "a list of variables needs a call on its right side").n;
    int32_t errors = f->c->sources.n_errors, n = call_outputs(f, c->right, outputs);
    if (f->gave_up || (n == 0 && (f->is_run || f->c->sources.n_errors > errors)))
        return false;
    if (left->n > n)
        return fl_error(f, c->at, "%d variables for %d outputs", (int)left->n, (int)n).n;
    for (int32_t i = 0; i < left->n; i++)
        if (left->item[i] && !assign(f, left->item[i], outputs[i], c))
            return false;
    return true;
}

static flow assign_run(flattener *f, const ast_clause *c)
{
    bool ok =
        c->left->kind == AST_TUPLE ? assign_tuple(f, c) : assign(f, c->left, eval(f, c->right), c);
    return ok ? FLOW_NEXT : failed(f);
}

static bool is_warning(flattener *f, const ast_expr *level)
{
    value v = level ? eval(f, level) : (value){.type = type_scalar(T_BAD)};
    return v.type.base == T_ENUM && v.type.info == f->assertion_level &&
           expr_is_value(f->g, v.e[0], 1.0);
}

static const char *text_known(flattener *f, const ast_expr *e)
{
    value v = e ? eval(f, e) : (value){.type = type_scalar(T_BAD)};
    return v.type.base == T_STRING && v.n == 1 && value_is_constant(f, v)
               ? fl_name(f, (int32_t)expr_value(f->g, v.e[0]))
               : "it has no message";
}

/* assert in a function. */
static flow assert_run(flattener *f, const ast_expr *call)
{
    const ast_expr *arg[3];
    bool truth = false;
    if (!builtin_args(f, call, "condition message level", 1, arg))
        return FLOW_FAIL;
    expr condition = eval_condition(f, arg[0]);
    if (condition == EXPR_NONE)
        return failed(f);
    bool known = truth_known(f, condition, &truth);
    if (known && truth)
        return FLOW_NEXT;
    bool lenient = is_warning(f, arg[2]);
    if (f->is_run)
        return lenient ? FLOW_NEXT : FLOW_FAIL;
    if (known && !lenient && f->section == IN_NOWHERE && path_whole(f) == EXPR_NONE) {
        fl_error(f, call->at, "assertion failed: %s", text_known(f, arg[1]));
        return FLOW_FAIL;
    }
    if (known && !lenient && f->path == EXPR_NONE)
        f->frame->has_failed = true;
    assert_emit(f, path_whole(f), call);
    return f->gave_up ? FLOW_GIVE_UP : FLOW_NEXT;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static const char *call_name(flattener *f, const ast_expr *call)
{
    return fl_name(f, call->kind == AST_CALL ? ast_flat_name(call->base, f->names) : INTERN_NONE);
}

static bool is_error(flattener *f, const ast_expr *call)
{
    return ends_with(call_name(f, call), "Streams.error");
}

/* What only writes is not done. */
static bool is_printing(flattener *f, const ast_expr *call)
{
    const char *text = call_name(f, call);
    return ends_with(text, "Streams.print") || ends_with(text, "Streams.close") ||
           ends_with(text, "riteToFile") || strcmp(text, "print") == 0;
}

/* Modelica.Utilities.Streams.error(message) is assert(false, message). */
static flow error_run(flattener *f, const ast_expr *call)
{
    ast_expr never = {.kind = AST_BOOLEAN, .at = call->at, .end = call->end};
    ast_arg arg[2] = {{.name = INTERN_NONE, .at = call->at, .value = &never}};
    ast_expr check = *call;
    if (call->n >= 1)
        arg[1] = call->arg[0];
    check.arg = arg;
    check.n = call->n >= 1 ? 2 : 1;
    arg[1].name = INTERN_NONE;
    return assert_run(f, &check);
}

static flow invoke_run(flattener *f, const ast_clause *c)
{
    const ast_expr *call = c->left;
    int32_t errors = f->c->sources.n_errors;
    if (is_printing(f, call))
        return FLOW_NEXT;
    if (f->frame && ast_is_call_of(call, f->names, "assert"))
        return assert_run(f, call);
    if (f->frame && is_error(f, call))
        return error_run(f, call);
    if (!f->frame) {
        invoke_flatten(f, c);
    } else {
        value *outputs = arena_take(f->mem, MOST_OUTPUTS, sizeof *outputs);
        if (outputs && call->kind == AST_CALL)
            call_outputs(f, call, outputs);
    }
    return f->gave_up || f->c->sources.n_errors > errors ? failed(f) : FLOW_NEXT;
}

static flow leave_run(flattener *f, const ast_clause *c)
{
    if (c->kind == AST_BREAK && !f->breaks) {
        fl_error(f, c->at, "'break' can stand only in a loop");
        return FLOW_FAIL;
    }
    if (c->kind == AST_BREAK && !f->frame && f->overlay->loops == 0)
        source_warning(&f->c->sources, c->at,
                       "'break' outside of a loop: it ends the statement it stands in");
    if (c->kind == AST_RETURN && !f->frame) {
        fl_error(f, c->at, "'return' can stand only in a function");
        return FLOW_FAIL;
    }
    return c->kind == AST_BREAK ? FLOW_BREAK : FLOW_RETURN;
}

static flow statement_run(flattener *f, const ast_clause *c)
{
    switch (c->kind) {
    case AST_ASSIGN:
        return assign_run(f, c);
    case AST_INVOKE:
        return invoke_run(f, c);
    case AST_CHOICE:
        return choice_run(f, c->branches, c->at);
    case AST_FOR:
    case AST_WHILE:
        return loop_run(f, c);
    case AST_WHEN:
        return when_run(f, c);
    case AST_BREAK:
    case AST_RETURN:
        return leave_run(f, c);
    default:
        fl_error(f, c->at, "an equation cannot stand in an algorithm: write ':='");
        return FLOW_FAIL;
    }
}

flow statements_run(flattener *f, const ast_clause *clause)
{
    flow w = FLOW_NEXT;
    if (f->depth >= DEPTH_MAX) {
        fl_error(f, clause ? clause->at : SOURCE_NOWHERE, "the statements are nested too deeply");
        return FLOW_FAIL;
    }
    f->depth++;
    for (; clause && w == FLOW_NEXT; clause = clause->next) {
        w = statement_run(f, clause);
        if (f->frame && !f->is_run && f->g->n > f->frame->nodes + INLINE_NODES_MAX) {
            give_up(f, clause->at, "it is too large");
            w = FLOW_GIVE_UP;
        }
        if (f->mem->failed || f->c->mem.failed)
            w = FLOW_FAIL;
    }
    f->depth--;
    return w;
}

/* ---- which variables an algorithm assigns ---- */

static bool overlay_grow(flattener *f, overlay *o)
{
    size_t room = o->capacity ? 2 * o->capacity : 16, n = o->n;
    if (n < o->capacity)
        return true;
    o->variable = arena_copy(f->mem, o->variable, n, room, sizeof *o->variable);
    o->value = arena_copy(f->mem, o->value, n, room, sizeof *o->value);
    o->in_when = arena_copy(f->mem, o->in_when, n, room, sizeof *o->in_when);
    o->is_read_early = arena_copy(f->mem, o->is_read_early, n, room, sizeof *o->is_read_early);
    o->is_assigned = arena_copy(f->mem, o->is_assigned, n, room, sizeof *o->is_assigned);
    o->mark = arena_copy(f->mem, o->mark, n, room, sizeof *o->mark);
    o->stamp = arena_copy(f->mem, o->stamp, n, room, sizeof *o->stamp);
    o->at = arena_copy(f->mem, o->at, n, room, sizeof *o->at);
    o->end = arena_copy(f->mem, o->end, n, room, sizeof *o->end);
    o->capacity = room;
    return !f->mem->failed;
}

static bool entry_add(flattener *f, uint32_t variable, bool in_when)
{
    overlay *o = f->overlay;
    uint32_t k = entry_of(o, variable);
    if (variable >= o->n_slots || (!k && !overlay_grow(f, o)))
        return false;
    if (!k) {
        o->variable[o->n] = variable;
        o->slot[variable] = k = (uint32_t)++o->n;
    }
    o->in_when[k - 1] = o->in_when[k - 1] || in_when;
    return true;
}

static bool target_collect(flattener *f, const ast_expr *ref, bool in_when)
{
    target t;
    if (!target_find(f, ref, &t))
        return false;
    for (size_t i = 0; i < t.symbols.n; i++)
        if (!entry_add(f, flat_number(expr_index(f->g, t.symbols.e[i])), in_when))
            return false;
    return true;
}

static bool targets_collect(flattener *f, const ast_clause *c, bool in_when);

static bool branches_collect(flattener *f, const ast_clause *c, bool in_when)
{
    for (const ast_branch *b = c->branches; b; b = b->next) {
        bool truth = false, known = false;
        if (c->kind == AST_CHOICE && b->condition) {
            expr condition = eval_condition(f, b->condition);
            if (condition == EXPR_NONE)
                return false;
            known = truth_known(f, condition, &truth);
        }
        if ((!known || truth) && !targets_collect(f, b->body, in_when || c->kind == AST_WHEN))
            return false;
        if (known && truth)
            return true;
    }
    return true;
}

static bool loop_collect(flattener *f, const ast_clause *c, int32_t k, bool in_when)
{
    value range;
    bool ok = true;
    if (k == c->n)
        return targets_collect(f, c->branches->body, in_when);
    if (!eval_range(f, &c->iterator[k], &range))
        return false;
    iteration here = {.name = c->iterator[k].name, .next = f->iterations};
    f->iterations = &here;
    for (size_t i = 0; ok && i < (size_t)range.type.dim[0]; i++) {
        here.value = range_item(f, range, i);
        ok = fl_work(f, 1) && loop_collect(f, c, k + 1, in_when);
    }
    f->iterations = here.next;
    return ok;
}

static bool clause_collect(flattener *f, const ast_clause *c, bool in_when)
{
    if (c->kind == AST_FOR)
        return loop_collect(f, c, 0, in_when);
    if (c->kind != AST_ASSIGN)
        return branches_collect(f, c, in_when);
    if (c->left->kind != AST_TUPLE)
        return target_collect(f, c->left, in_when);
    for (int32_t i = 0; i < c->left->n; i++)
        if (c->left->item[i] && !target_collect(f, c->left->item[i], in_when))
            return false;
    return true;
}

static bool targets_collect(flattener *f, const ast_clause *c, bool in_when)
{
    for (; c; c = c->next)
        if (!clause_collect(f, c, in_when))
            return false;
    return true;
}

/* ---- algorithm sections ---- */

static bool is_discrete(const flattener *f, uint32_t v, bool in_when)
{
    const flat_variable *var = &f->m->variables[v];
    const ast_element *e = f->leaf[v].element;
    return var->type != FLAT_REAL || in_when || var->variability == FLAT_DISCRETE ||
           (e && (e->prefixes & AST_DISCRETE));
}

/* Before the first statement: discrete variables are as before the event, others at their start
 * values.                                                                       */
static void overlay_begin(flattener *f)
{
    overlay *o = f->overlay;
    for (size_t i = 0; i < o->n; i++) {
        const flat_variable *var = &f->m->variables[o->variable[i]];
        bool before =
            var->variability != FLAT_PARAMETER && is_discrete(f, o->variable[i], o->in_when[i]);
        if (before)
            o->value[i] = expr_variable(f->g, flat_symbol(FLAT_PRE, o->variable[i]));
        else
            o->value[i] =
                var->start != EXPR_NONE ? var->start : fl_constant(f, var->type == FLAT_ENUM);
    }
}

static void entry_emit(flattener *f, const overlay *o, size_t i, bool is_initial)
{
    uint32_t v = o->variable[i];
    expr symbol = expr_variable(f->g, flat_symbol(FLAT_VALUE, v));
    if (is_initial) {
        initial_emit(f, symbol, o->value[i], o->at[i], o->end[i]);
        return;
    }
    if (f->m->variables[v].variability <= FLAT_PARAMETER) {
        fl_error(f, o->at[i], "parameter '%s' cannot be assigned",
                 fl_name(f, f->m->variables[v].name));
        return;
    }
    if (is_discrete(f, v, o->in_when[i])) {
        f->m->variables[v].variability = FLAT_DISCRETE;
        assignment_emit(f, v, o->value[i], o->at[i], o->end[i]);
        return;
    }
    equation_emit(f, (pending){.left = symbol,
                               .right = o->value[i],
                               .type = type_scalar(T_REAL),
                               .at = o->at[i],
                               .end = o->end[i]});
}

static bool overlay_collect(flattener *f, const ast_section *s)
{
    overlay *o = f->overlay;
    o->n_slots = f->m->n_variables;
    o->slot = arena_take(f->mem, o->n_slots + 1, sizeof *o->slot);
    f->literal++;
    bool ok = o->slot && targets_collect(f, s->clauses, false);
    f->literal--;
    return ok;
}

void algorithm_flatten(flattener *f, const ast_section *s, bool is_initial)
{
    overlay o = {0};
    flow w = FLOW_FAIL;
    f->overlay = &o;
    if (overlay_collect(f, s)) {
        overlay_begin(f);
        w = section_run(f, s->clauses);
    }
    f->overlay = NULL;
    f->path = EXPR_NONE;
    f->when = EXPR_NONE;
    for (size_t i = 0; w == FLOW_NEXT && i < o.n; i++)
        if (o.is_assigned[i])
            entry_emit(f, &o, i, is_initial);
}
