/* flatten/statements.c - see execute.h: statements, one after another.
 *
 * A condition that is known chooses a branch, else both are executed (branches.c); loops are
 * unrolled.                                                                      */
#include "flatten/execute.h"

#include <math.h>
#include <string.h>

enum { PASSES_MAX = 2000 }; /* passes of a loop after a conditional break */

void execution_give_up(flattener *f, source_at at, const char *why)
{
    if (f->in->is_numeric || !f->in->frame) {
        context_error(f->in, at, "%s", why);
        return;
    }
    f->in->obstacle.is_met = true;
    f->in->obstacle.why = why;
    f->in->obstacle.at = at;
}

flow flow_failed(const flattener *f)
{
    return f->in->obstacle.is_met ? FLOW_GIVE_UP : FLOW_FAIL;
}

bool condition_is_known(const flattener *f, expr condition, bool *truth)
{
    if (expr_is_constant(f->in->g, condition)) {
        *truth = expr_value(f->in->g, condition) != 0.0;
        return true;
    }
    if (!f->in->is_numeric)
        return false;
    double number = numeric_value(f, condition);
    *truth = number != 0.0;
    return !isnan(number);
}

expr path_with_callers(flattener *f)
{
    expr path = condition_and(f->in, f->when, f->path);
    for (const frame *fr = f->in->frame; fr; fr = fr->up)
        path = condition_and(f->in, path, fr->path);
    if (f->section == IN_INITIAL)
        path = condition_and(f->in, path, expr_variable(f->in->g, flat_symbol(FLAT_INITIAL, 0)));
    return path;
}

/* ---- if ---- */

static flow choice_run(flattener *f, const ast_branch *b, source_at at)
{
    bool truth = false;
    fork k;
    for (; b; b = b->next) {
        if (!b->condition)
            return statements_run(f, b->body);
        expr condition = evaluate_condition(f->in, b->condition);
        if (condition == EXPR_NONE)
            return flow_failed(f);
        if (!condition_is_known(f, condition, &truth)) {
            if (f->in->is_numeric)
                return FLOW_FAIL;
            fork_begin(f, &k, condition, false);
            if (!fork_turn(f, &k, statements_run(f, b->body)))
                return fork_stop(f, &k, flow_failed(f));
            return fork_end(f, &k, choice_run(f, b->next, at), at);
        }
        if (truth)
            return statements_run(f, b->body);
    }
    return FLOW_NEXT;
}

/* ---- when ---- */

static flow when_body(flattener *f, const ast_branch *b, expr fires)
{
    f->when = fires;
    f->in->without_events++;
    flow w = statements_run_apart(f, b->body);
    f->in->without_events--;
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
    if (expr_is_value(f->in->g, fires, 0.0))
        return when_branches(f, b->next, earlier, at);
    bool is_first = earlier == EXPR_NONE;
    expr here = is_first ? fires : condition_and(f->in, fires, condition_not(f->in, earlier));
    expr all = is_first ? fires : expr_make2(f->in->g, EXPR_OR, earlier, fires);
    fork_begin(f, &k, fires, true);
    if (!fork_turn(f, &k, when_body(f, b, here)))
        return fork_stop(f, &k, flow_failed(f));
    return fork_end(f, &k, when_branches(f, b->next, all, at), at);
}

static flow when_run(flattener *f, const ast_clause *c)
{
    const char *where = f->in->frame               ? "a function"
                        : f->when != EXPR_NONE     ? "another 'when'"
                        : f->section == IN_INITIAL ? "an initial section"
                        : f->path != EXPR_NONE     ? "an 'if' whose condition may change"
                                                   : NULL;
    if (where) {
        context_error(f->in, c->at, "'when' cannot stand in %s", where);
        return FLOW_FAIL;
    }
    return when_branches(f, c->branches, EXPR_NONE, c->at);
}

/* ---- loops ---- */

static bool pass_allowed(flattener *f, size_t passes, source_at at)
{
    if (!context_work(f->in, 1))
        return false;
    if (passes >= LOOP_MAX) {
        context_error(f->in, at, "the loop has more than %d passes", LOOP_MAX);
        return false;
    }
    if (f->in->frame && *f->breaks && passes > PASSES_MAX) {
        execution_give_up(f, at, "the number of passes of a loop is not constant");
        return false;
    }
    return true;
}

static flow for_run(flattener *f, const ast_clause *c, int32_t k)
{
    value range;
    flow w = FLOW_NEXT;
    if (!iterator_range(f, &c->iterator[k], NULL, c->branches->body, &range))
        return flow_failed(f);
    size_t n = (size_t)range.type.dim[0];
    iteration here = {.name = c->iterator[k].name, .next = f->iterations};
    f->iterations = &here;
    for (size_t i = 0; i < n && w == FLOW_NEXT; i++) {
        here.value = value_element(f->in, range, i);
        if (!pass_allowed(f, i, c->at))
            w = flow_failed(f);
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
        expr condition = evaluate_condition(f->in, c->branches->condition);
        if (condition == EXPR_NONE || !pass_allowed(f, i, c->at))
            return flow_failed(f);
        if (!condition_is_known(f, condition, &truth)) {
            execution_give_up(f, c->branches->condition->at,
                              "the condition of this 'while' depends on values: only a loop in "
                              "a function may, so put it into a function");
            return flow_failed(f);
        }
        if (!truth)
            break;
        w = statements_run(f, c->branches->body);
    }
    return w;
}

/* Every pass that did not break has returned; only the states that left by break continue. */
static flow loop_broken(flattener *f, departure *breaks, source_at at)
{
    if (!departure_add(f, FLOW_RETURN, state_save(f), f->path))
        return flow_failed(f);
    state_restore(f, breaks->state);
    departures_merge(f, breaks->next, at);
    return FLOW_NEXT;
}

static flow loop_run(flattener *f, const ast_clause *c)
{
    departure *breaks = NULL, **outer = f->breaks;
    const departure *returned = f->in->frame ? f->in->frame->returns : NULL;
    expr path = f->path;
    int32_t errors = f->in->c->sources.n_errors;
    f->breaks = &breaks;
    if (!f->in->frame)
        f->overlay->loops++;
    flow w = c->kind == AST_FOR ? for_run(f, c, 0) : while_run(f, c);
    if (!f->in->frame)
        f->overlay->loops--;
    f->breaks = outer;
    if (w == FLOW_FAIL || w == FLOW_GIVE_UP || (w == FLOW_RETURN && !breaks))
        return w;
    if (w == FLOW_RETURN) {
        w = loop_broken(f, breaks, c->at);
    } else {
        departures_merge(f, breaks, c->at);
        w = f->in->c->sources.n_errors > errors ? FLOW_FAIL : FLOW_NEXT;
    }
    f->path = path;
    for (const departure *d = f->in->frame ? f->in->frame->returns : NULL; d != returned;
         d = d->next)
        f->path = condition_and(f->in, f->path, condition_not(f->in, d->path));
    return w;
}

/* ---- assert, error and other calls ---- */

static bool is_warning(flattener *f, const ast_expr *level)
{
    value v = level ? expression_eval(f, level) : (value){.type = type_scalar(T_BAD)};
    return v.type.base == T_ENUM && v.type.info == f->assertion_level &&
           expr_is_value(f->in->g, v.e[0], 1.0);
}

static const char *text_known(flattener *f, const ast_expr *e)
{
    value v = e ? expression_eval(f, e) : (value){.type = type_scalar(T_BAD)};
    return v.type.base == T_STRING && v.n == 1 && value_is_constant(f->in, v)
               ? context_name(f->in, (int32_t)expr_value(f->in->g, v.e[0]))
               : "it has no message";
}

/* assert in a function. */
static flow assert_run(flattener *f, const ast_expr *call)
{
    const ast_expr *arg[3];
    bool truth = false;
    if (!builtin_args(f->in, call, "condition message level", 1, arg))
        return FLOW_FAIL;
    expr condition = evaluate_condition(f->in, arg[0]);
    if (condition == EXPR_NONE)
        return flow_failed(f);
    bool known = condition_is_known(f, condition, &truth);
    if (known && truth)
        return FLOW_NEXT;
    bool lenient = is_warning(f, arg[2]);
    if (f->in->is_numeric)
        return lenient ? FLOW_NEXT : FLOW_FAIL;
    if (known && !lenient && f->section == IN_NOWHERE && path_with_callers(f) == EXPR_NONE) {
        context_error(f->in, call->at, "assertion failed: %s", text_known(f, arg[1]));
        return FLOW_FAIL;
    }
    if (known && !lenient && f->path == EXPR_NONE)
        f->in->frame->has_failed = true;
    assert_emit(f, path_with_callers(f), call);
    return f->in->obstacle.is_met ? FLOW_GIVE_UP : FLOW_NEXT;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static const char *call_name(flattener *f, const ast_expr *call)
{
    return context_name(f->in, call->kind == AST_CALL ? ast_flat_name(call->base, f->in->names)
                                                      : INTERN_NONE);
}

static bool is_error(flattener *f, const ast_expr *call)
{
    return ends_with(call_name(f, call), "Streams.error");
}

/* Calls that only write text or files are skipped. */
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
    int32_t errors = f->in->c->sources.n_errors;
    if (is_printing(f, call))
        return FLOW_NEXT;
    if (f->in->frame && ast_is_call_of(call, f->in->names, "assert"))
        return assert_run(f, call);
    if (f->in->frame && is_error(f, call))
        return error_run(f, call);
    if (!f->in->frame) {
        invoke_flatten(f, c);
    } else {
        value *outputs = arena_take(f->in->mem, MOST_OUTPUTS, sizeof *outputs);
        if (outputs && call->kind == AST_CALL)
            call_outputs(f, call, outputs);
    }
    return f->in->obstacle.is_met || f->in->c->sources.n_errors > errors ? flow_failed(f)
                                                                         : FLOW_NEXT;
}

/* ---- any statement ---- */

static flow leave_run(flattener *f, const ast_clause *c)
{
    if (c->kind == AST_BREAK && !f->breaks) {
        context_error(f->in, c->at, "'break' can stand only in a loop");
        return FLOW_FAIL;
    }
    if (c->kind == AST_BREAK && !f->in->frame && f->overlay->loops == 0)
        source_warning(&f->in->c->sources, c->at,
                       "'break' outside of a loop: it ends the statement it stands in");
    if (c->kind == AST_RETURN && !f->in->frame) {
        context_error(f->in, c->at, "'return' can stand only in a function");
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
        context_error(f->in, c->at, "an equation cannot stand in an algorithm: write ':='");
        return FLOW_FAIL;
    }
}

flow statements_run(flattener *f, const ast_clause *clause)
{
    flow w = FLOW_NEXT;
    if (f->depth >= DEPTH_MAX) {
        context_error(f->in, clause ? clause->at : SOURCE_NOWHERE,
                      "the statements are nested too deeply");
        return FLOW_FAIL;
    }
    f->depth++;
    for (; clause && w == FLOW_NEXT; clause = clause->next) {
        w = statement_run(f, clause);
        if (f->in->frame && !f->in->is_numeric &&
            f->in->g->n > f->in->frame->nodes + INLINE_NODES_MAX) {
            execution_give_up(f, clause->at, "it is too large");
            w = FLOW_GIVE_UP;
        }
        if (f->in->mem->failed || f->in->c->mem.failed)
            w = FLOW_FAIL;
    }
    f->depth--;
    return w;
}

/* A loop that was unrolled by an exporter may still contain its `break`, which then ends the
 * statement it stands in. */
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

flow statements_run_apart(flattener *f, const ast_clause *clause)
{
    flow w = FLOW_NEXT;
    for (; clause && w == FLOW_NEXT; clause = clause->next)
        w = unrolled_run(f, clause);
    return w;
}
