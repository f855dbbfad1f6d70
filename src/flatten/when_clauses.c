/* flatten/when_clauses.c - see flattener.h: when-clauses of equations, and what acts at events:
 * reinit, assert, terminate (docs/theory/hybrid.md).                              */
#include "flatten/flattener.h"

#include <string.h>

#include "expr/walk.h"

/* ---- when something fires ---- */

static expr flag(flattener *f, flat_symbol_kind kind)
{
    return expr_variable(f->in->g, flat_symbol(kind, 0));
}

/* The hidden Boolean variable that follows a condition; the same one for the same condition. */
static uint32_t condition_variable(flattener *f, expr condition, source_at at, source_at end)
{
    uint32_t v = 0;
    if (number_map_find(&f->conditions, condition, &v))
        return v;
    v = variable_hidden(f, "when", FLAT_BOOLEAN, at);
    if (v == FLAT_NONE)
        return v;
    number_map_put(&f->conditions, &f->in->c->mem, condition, v);
    f->in->m->variables[v].is_when = true;
    assignment_emit(f, v, condition, at, end);
    return v;
}

expr condition_fires(flattener *f, expr condition, source_at at, source_at end)
{
    expr initial = flag(f, FLAT_INITIAL);
    if (condition == initial || expr_is_constant(f->in->g, condition))
        return condition == initial ? initial : expr_constant(f->in->g, 0.0);
    uint32_t v = condition_variable(f, condition, at, end);
    if (v == FLAT_NONE)
        return EXPR_NONE;
    expr now = expr_variable(f->in->g, flat_symbol(FLAT_VALUE, v));
    expr before = expr_variable(f->in->g, flat_symbol(FLAT_PRE, v));
    expr edge = expr_make2(f->in->g, EXPR_AND, now, condition_not(f->in, before));
    return expr_make2(f->in->g, EXPR_AND, condition_not(f->in, initial), edge);
}

static expr value_fires(flattener *f, value v, const ast_expr *condition)
{
    if (is_bad(v))
        return EXPR_NONE;
    if (v.type.base != T_BOOLEAN || v.type.n_dims > 1) {
        context_error(f->in, condition->at, "the condition of 'when' is %s, not Boolean",
                      type_text(f->in, v.type));
        return EXPR_NONE;
    }
    expr any = expr_constant(f->in->g, 0.0);
    for (size_t i = 0; i < v.n; i++)
        any = expr_make2(f->in->g, EXPR_OR, any,
                         condition_fires(f, v.e[i], condition->at, condition->end));
    return any;
}

expr when_fires(flattener *f, const ast_expr *condition)
{
    return value_fires(f, expression_eval(f, condition), condition);
}

/* ---- equations in when ---- */

typedef struct when_branch {
    expr fires;
    pending_list equations;
} when_branch;

static void body_flatten(flattener *f, const ast_branch *b, expr fires, expr earlier,
                         when_branch *into)
{
    pending_list *sink = f->sink;
    expr when = f->when;
    into->fires = fires;
    f->sink = &into->equations;
    f->when =
        earlier == EXPR_NONE ? fires : condition_and(f->in, condition_not(f->in, earlier), fires);
    f->in->without_events++; /* bodies are evaluated at events only */
    equations_flatten(f, b->body);
    f->in->without_events--;
    f->when = when;
    f->sink = sink;
}

/* The variable that an equation of the body sets, and its new value in *e. */
static uint32_t target_of(flattener *f, const pending *p, expr *e)
{
    uint32_t v = FLAT_NONE;
    *e = p->right;
    if (flat_is_value(f->in->g, p->left, &v))
        return v;
    *e = p->left;
    if (flat_is_value(f->in->g, p->right, &v))
        return v;
    context_error(f->in, p->at, "an equation in 'when' must be 'variable = expression'");
    return FLAT_NONE;
}

static bool is_integer(const flattener *f, uint32_t v)
{
    return f->in->m->variables[v].type == FLAT_INTEGER;
}

static bool branch_sets(flattener *f, const when_branch *b, uint32_t v, expr *e)
{
    for (size_t i = 0; i < b->equations.n; i++)
        if (target_of(f, &b->equations.item[i], e) == v)
            return true;
    return false;
}

static void target_emit(flattener *f, const when_branch *b, int32_t n, uint32_t v, const pending *p)
{
    expr before = expr_variable(f->in->g, flat_symbol(FLAT_PRE, v)), result = before;
    for (int32_t i = n; i-- > 0;) {
        expr e = EXPR_NONE;
        if (!branch_sets(f, &b[i], v, &e))
            e = before;
        result = expr_if(f->in->g, b[i].fires, e, result);
    }
    f->in->m->variables[v].variability = FLAT_DISCRETE;
    assignment_emit(f, v, result, p->at, p->end);
}

static void when_emit(flattener *f, const when_branch *b, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        for (size_t k = 0; k < b[i].equations.n; k++) {
            expr e = EXPR_NONE, other = EXPR_NONE;
            const pending *p = &b[i].equations.item[k];
            uint32_t v = target_of(f, p, &e);
            bool done = v == FLAT_NONE;
            if (!done && p->type.base == T_REAL && is_integer(f, v)) {
                assignment_refuse_real(f, v, p->at);
                continue;
            }
            for (int32_t j = 0; j < i && !done; j++)
                done = branch_sets(f, &b[j], v, &other);
            if (!done)
                target_emit(f, b, n, v, p);
        }
}

/* when clock then: equations that hold at its ticks. */
static void clocked_when(flattener *f, const ast_clause *clause, value clock)
{
    uint32_t outer = f->clock;
    if (clause->branches->next)
        context_error(f->in, clause->branches->next->condition->at,
                      "'when' with a clock has no 'elsewhen'");
    else if (flat_is_value(f->in->g, clock.e[0], &f->clock))
        equations_flatten(f, clause->branches->body);
    f->clock = outer;
}

void when_flatten(flattener *f, const ast_clause *clause)
{
    if (f->when != EXPR_NONE || f->section == IN_INITIAL) {
        context_error(f->in, clause->at, "'when' cannot stand in %s",
                      f->when != EXPR_NONE ? "another 'when'" : "an initial section");
        return;
    }
    if (f->path != EXPR_NONE) {
        context_error(f->in, clause->at,
                      "'when' cannot stand in an 'if' whose condition may change");
        return;
    }
    int32_t n = 0;
    for (const ast_branch *b = clause->branches; b; b = b->next)
        n++;
    when_branch *branch = arena_take(f->in->mem, (size_t)n + 1, sizeof *branch);
    expr earlier = EXPR_NONE;
    n = 0;
    for (const ast_branch *b = clause->branches; b && branch; b = b->next) {
        value condition = expression_eval(f, b->condition);
        if (n == 0 && condition.type.base == T_CLOCK && condition.n == 1) {
            clocked_when(f, clause, condition);
            return;
        }
        expr fires = value_fires(f, condition, b->condition);
        if (fires == EXPR_NONE)
            return;
        body_flatten(f, b, fires, earlier, &branch[n++]);
        earlier = earlier == EXPR_NONE ? fires : expr_make2(f->in->g, EXPR_OR, earlier, fires);
    }
    if (branch)
        when_emit(f, branch, n);
}

/* ---- messages ---- */

static void message_add(flattener *f, flat_message *m, size_t *capacity, flat_piece p)
{
    flat_piece *grown =
        arena_grow(&f->in->c->mem, m->piece, capacity, (size_t)m->n + 1, sizeof *grown);
    if (!grown)
        return;
    m->piece = grown;
    m->piece[m->n++] = p;
}

static void message_value(flattener *f, flat_message *m, size_t *capacity, const ast_expr *e)
{
    value v = evaluate_without_events(f->in, e);
    if (is_bad(v) || v.n != 1 || v.type.base == T_RECORD || v.type.base == T_FUNCTION)
        return;
    flat_piece p = {.value = v.e[0], .type = type_flat_of(v.type), .enumeration = v.type.info};
    if (v.type.base == T_STRING) {
        if (!expr_is_constant(f->in->g, v.e[0]))
            return;
        p.text = context_name(f->in, (int32_t)expr_value(f->in->g, v.e[0]));
    }
    message_add(f, m, capacity, p);
}

static void message_collect(flattener *f, flat_message *m, size_t *capacity, const ast_expr *e)
{
    if (e->kind == AST_STRING)
        message_add(f, m, capacity, (flat_piece){.text = e->text});
    else if (e->kind == AST_CHAIN)
        for (int32_t i = 0; i < e->n; i++)
            message_collect(f, m, capacity, e->item[i]);
    else if (ast_is_call_of(e, f->in->names, "String") && e->n >= 1)
        message_value(f, m, capacity, e->arg[0].value);
    else
        message_value(f, m, capacity, e);
}

static flat_message message_make(flattener *f, const ast_expr *e)
{
    flat_message m = {0};
    size_t capacity = 0;
    if (e)
        message_collect(f, &m, &capacity, e);
    return m;
}

/* ---- what acts ---- */

static bool is_warning(flattener *f, const ast_expr *level)
{
    value v = level ? evaluate_without_events(f->in, level) : (value){.type = type_scalar(T_BAD)};
    return v.type.base == T_ENUM && v.type.info == f->assertion_level && v.n == 1 &&
           expr_is_value(f->in->g, v.e[0], 1.0);
}

void assert_emit(flattener *f, expr guard, const ast_expr *call)
{
    const ast_expr *arg[3];
    if (!builtin_args(f->in, call, "condition message level", 1, arg))
        return;
    f->in->without_events++;
    expr condition = evaluate_condition(f->in, arg[0]);
    f->in->without_events--;
    bool holds = condition != EXPR_NONE && expr_is_constant(f->in->g, condition) &&
                 expr_value(f->in->g, condition) != 0.0;
    if (condition == EXPR_NONE || holds ||
        (guard != EXPR_NONE && expr_is_value(f->in->g, guard, 0.0)))
        return;
    flat_add_assert(f->in->build, (flat_assert){.guard = guard,
                                                .condition = condition,
                                                .is_warning = is_warning(f, arg[2]),
                                                .in_when = f->when != EXPR_NONE,
                                                .message = message_make(f, arg[1]),
                                                .at = call->at});
}

static expr initial_image(void *user, uint32_t symbol)
{
    flattener *f = user;
    return flat_kind(symbol) == FLAT_INITIAL ? expr_constant(f->in->g, 1.0) : EXPR_NONE;
}

/* Whether what fires with `fires` does so at the start, by `when initial()`. */
static bool fires_at_start(flattener *f, expr fires)
{
    return expr_substitute(f->in->g, f->in->g, &fires, 1, initial_image, f) &&
           expr_is_value(f->in->g, fires, 1.0);
}

/* A reinit that acts at the start is an initial equation. */
static void reinit_add(flattener *f, uint32_t variable, expr to, const ast_expr *call)
{
    expr fires = condition_and(f->in, f->when, f->path);
    flat_add_reinit(
        f->in->build,
        (flat_reinit){.variable = variable, .fires = fires, .value = to, .at = call->at});
    if (fires_at_start(f, fires))
        flat_add_initial(f->in->build,
                         (flat_initial){expr_variable(f->in->g, flat_symbol(FLAT_VALUE, variable)),
                                        to, call->at, call->end});
}

static void reinit_emit(flattener *f, const ast_expr *call)
{
    const ast_expr *arg[2];
    if (!builtin_args(f->in, call, "x expr", 2, arg))
        return;
    if (f->when == EXPR_NONE) {
        context_error(f->in, call->at, "reinit() can stand only in 'when'");
        return;
    }
    f->in->as_variables++;
    value x = expression_eval(f, arg[0]);
    f->in->as_variables--;
    value v = value_convert(f->in, evaluate_without_events(f->in, arg[1]), x.type, arg[1]->at,
                            "the new value");
    for (size_t i = 0; !is_bad(x) && !is_bad(v) && i < x.n; i++) {
        uint32_t variable = 0;
        if (flat_is_value(f->in->g, x.e[i], &variable))
            reinit_add(f, variable, v.e[i], call);
        else
            context_error(f->in, arg[0]->at, "reinit() needs a continuous variable");
    }
}

static void terminate_emit(flattener *f, const ast_expr *call)
{
    const ast_expr *arg;
    if (!builtin_args(f->in, call, "message", 0, &arg))
        return;
    expr fires = condition_and(f->in, f->when, f->path);
    flat_add_terminate(
        f->in->build,
        (flat_terminate){.fires = fires == EXPR_NONE ? expr_constant(f->in->g, 1.0) : fires,
                         .message = message_make(f, arg),
                         .at = call->at});
}

void invoke_flatten(flattener *f, const ast_clause *clause)
{
    value outputs[MOST_OUTPUTS];
    const ast_expr *call = clause->left;
    expr guard = condition_and(f->in, f->when, f->path);
    if (call->kind != AST_CALL)
        context_error(f->in, call->at, "an equation needs '='");
    else if (ast_is_call_of(call, f->in->names, "assert"))
        assert_emit(f,
                    f->section == IN_INITIAL ? condition_and(f->in, guard, flag(f, FLAT_INITIAL))
                                             : guard,
                    call);
    else if (ast_is_call_of(call, f->in->names, "reinit"))
        reinit_emit(f, call);
    else if (ast_is_call_of(call, f->in->names, "terminate"))
        terminate_emit(f, call);
    else if (ast_is_call_of(call, f->in->names, "prioritize"))
        context_error(f->in, call->at, "'prioritize' is not supported");
    else
        call_outputs(f, call, outputs);
}
