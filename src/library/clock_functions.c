/* library/clock_functions.c - see library.h: constructors and operators of clocks. */
#include "library/library.h"

#include <string.h>

#include "clocks/clocks.h"

static expr operator_add(context *in, clock_operator op, base_type base)
{
    return clocks_add(in, op, type_flat_of(type_scalar(base)));
}

/* ---- Clock(...) ---- */

static bool method_named(context *in, const ast_expr *e, clock_method *method)
{
    static const char *const names[] = {[CLOCKED_BY_EXPLICIT_EULER] = "ExplicitEuler",
                                        [CLOCKED_BY_IMPLICIT_EULER] = "ImplicitEuler",
                                        [CLOCKED_BY_IMPLICIT_TRAPEZOID] = "ImplicitTrapezoid"};
    value v = evaluate_scalar(in, e, T_STRING, "the solverMethod of a clock");
    if (is_bad(v) || !value_is_constant(in, v))
        return false;
    const char *name = context_name(in, (int32_t)expr_value(in->g, v.e[0]));
    *method = CLOCKED_WITHOUT_METHOD;
    if (!*name)
        return true;
    for (size_t k = 1; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], name) == 0) {
            *method = (clock_method)k;
            return true;
        }
    context_error(
        in, e->at,
        "the solverMethod \"%s\" is not known: use \"ExplicitEuler\", \"ImplicitEuler\" or "
        "\"ImplicitTrapezoid\"",
        name);
    return false;
}

static bool positive(context *in, expr e, source_at at, const char *what)
{
    if (!expr_is_constant(in->g, e)) {
        context_error(in, at, "%s must be constant", what);
        return false;
    }
    if (expr_value_now(in->g, e) > 0.0)
        return true;
    context_error(in, at, "%s must be positive, not %g", what, expr_value_now(in->g, e));
    return false;
}

static bool periodic(context *in, value first, const ast_expr *const *arg, clock_operator *op)
{
    if (arg[1]) {
        op->kind = CLOCK_EXACT;
        return evaluate_integer(in, arg[0], &op->counter, "the counter of Clock()") &&
               evaluate_integer(in, arg[1], &op->resolution, "the resolution of Clock()") &&
               positive(in, expr_constant(in->g, (double)op->counter), arg[0]->at,
                        "the counter of Clock()") &&
               positive(in, expr_constant(in->g, (double)op->resolution), arg[1]->at,
                        "the resolution of Clock()");
    }
    op->kind = first.type.base == T_INTEGER ? CLOCK_EXACT : CLOCK_REAL;
    op->interval = first.e[0];
    op->resolution = 1;
    if (!positive(in, op->interval, arg[0]->at, "the interval of Clock()"))
        return false;
    if (op->kind == CLOCK_EXACT)
        return evaluate_integer(in, arg[0], &op->counter, "the interval of Clock()");
    return true;
}

static bool on_event(context *in, value first, const ast_expr *second, clock_operator *op)
{
    op->kind = CLOCK_EVENT;
    op->operand = first.e[0];
    op->interval = expr_constant(in->g, 0.0);
    if (!second)
        return true;
    value v = evaluate_scalar(in, second, T_REAL, "the first interval of an event clock");
    op->interval = is_bad(v) ? EXPR_NONE : v.e[0];
    return !is_bad(v);
}

static bool clock_described(context *in, const ast_expr *const *arg, clock_operator *op)
{
    if (!arg[0])
        return true;
    value first = evaluate(in, arg[0]);
    if (is_bad(first) || first.n != 1)
        return false;
    switch (first.type.base) {
    case T_CLOCK:
        op->kind = CLOCK_METHOD;
        op->operand = first.e[0];
        return !arg[1] || method_named(in, arg[1], &op->method);
    case T_BOOLEAN:
        return on_event(in, first, arg[1], op);
    case T_REAL:
    case T_INTEGER:
        return periodic(in, first, arg, op);
    default:
        context_error(in, arg[0]->at, "the argument of Clock() is %s", type_text(in, first.type));
        return false;
    }
}

/* The second argument has a name of its own for each kind of clock. */
static bool clock_args(context *in, const ast_expr *call, const ast_expr **arg)
{
    static const char *const second[] = {"solverMethod", "resolution", "startInterval"};
    static const char *const first[] = {"intervalCounter", "interval", "condition", "c"};
    int32_t n = call->n;
    arg[0] = arg[1] = NULL;
    for (int32_t i = 0; i < n; i++) {
        const ast_arg *a = &call->arg[i];
        const char *name = a->name == INTERN_NONE ? NULL : context_name(in, a->name);
        int32_t k = name ? -1 : i;
        for (size_t q = 0; name && q < sizeof second / sizeof *second; q++)
            k = strcmp(name, second[q]) == 0 ? 1 : k;
        for (size_t q = 0; name && q < sizeof first / sizeof *first; q++)
            k = strcmp(name, first[q]) == 0 ? 0 : k;
        if (k < 0 || k > 1 || arg[k]) {
            context_error(in, a->at, "Clock() has no such argument");
            return false;
        }
        arg[k] = a->value;
    }
    return true;
}

static value call_clock(context *in, const ast_expr *call)
{
    const ast_expr *arg[2];
    clock_operator op = {
        .kind = CLOCK_INFERRED, .clock = FLAT_NONE, .at = call->at, .end = call->end};
    if (!clock_args(in, call, arg) || !clock_described(in, arg, &op))
        return bad_value;
    expr e = operator_add(in, op, T_CLOCK);
    return e == EXPR_NONE ? bad_value : value_scalar(in, T_CLOCK, e);
}

/* ---- operators ---- */

static value apply(context *in, value u, clock_operator op)
{
    value r = value_new(in, u.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++) {
        op.operand = u.e[i];
        r.e[i] = operator_add(in, op, (base_type)u.type.base);
        if (r.e[i] == EXPR_NONE)
            return bad_value;
    }
    return r;
}

value clock_sample(context *in, const ast_expr *call, value u, value clock)
{
    clock_operator op = {
        .kind = CLOCK_SAMPLE, .clock = FLAT_NONE, .at = call->at, .end = call->end};
    if (is_bad(u) || (!is_bad(clock) && !flat_is_value(in->g, clock.e[0], &op.clock)))
        return bad_value;
    return apply(in, u, op);
}

typedef struct clock_row {
    const char *name, *args;
    clock_kind kind;
} clock_row;

static bool factors(context *in, const ast_expr *const *arg, const clock_row *row,
                    clock_operator *op)
{
    bool rates = row->kind == CLOCK_SUB || row->kind == CLOCK_SUPER;
    op->resolution = 1;
    if (rates || row->kind == CLOCK_SHIFT || row->kind == CLOCK_BACK) {
        if (arg[1] && !evaluate_integer(in, arg[1], &op->counter, rates ? "a factor" : "a shift"))
            return false;
        if (!rates && arg[2] && !evaluate_integer(in, arg[2], &op->resolution, "a resolution"))
            return false;
    }
    if (op->counter >= 0 && op->resolution > 0)
        return true;
    context_error(in, arg[1]->at, "%s() needs numbers that are not negative", row->name);
    return false;
}

static value call_operator(context *in, const ast_expr *call, const clock_row *row)
{
    const ast_expr *arg[3] = {NULL, NULL, NULL};
    clock_operator op = {.kind = row->kind, .clock = FLAT_NONE, .at = call->at, .end = call->end};
    bool asks = row->kind == CLOCK_INTERVAL || row->kind == CLOCK_FIRST;
    if (!builtin_args(in, call, row->args, asks ? 0 : 1, arg) || !factors(in, arg, row, &op))
        return bad_value;
    in->as_variables += row->kind == CLOCK_PREVIOUS;
    value u = arg[0] ? evaluate(in, arg[0]) : value_number(in, T_REAL, 0.0);
    in->as_variables -= row->kind == CLOCK_PREVIOUS;
    if (is_bad(u))
        return u;
    if (asks) {
        base_type base = row->kind == CLOCK_INTERVAL ? T_REAL : T_BOOLEAN;
        op.operand = arg[0] ? u.e[0] : EXPR_NONE;
        expr e = operator_add(in, op, base);
        return e == EXPR_NONE ? bad_value : value_scalar(in, base, e);
    }
    uint32_t v;
    for (size_t i = 0; row->kind == CLOCK_PREVIOUS && i < u.n; i++)
        if (!flat_is_value(in->g, u.e[i], &v) && expr_has(in->g, u.e[i], EXPR_HAS_VARIABLE))
            return context_error(in, arg[0]->at, "previous() needs a variable");
    return apply(in, u, op);
}

value clock_function(context *in, const ast_expr *call, const char *name)
{
    static const clock_row rows[] = {{"backSample", "u backCounter resolution", CLOCK_BACK},
                                     {"firstTick", "u", CLOCK_FIRST},
                                     {"hold", "u", CLOCK_HOLD},
                                     {"interval", "u", CLOCK_INTERVAL},
                                     {"noClock", "u", CLOCK_FREE},
                                     {"previous", "u", CLOCK_PREVIOUS},
                                     {"shiftSample", "u shiftCounter resolution", CLOCK_SHIFT},
                                     {"subSample", "u factor", CLOCK_SUB},
                                     {"superSample", "u factor", CLOCK_SUPER}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k].name, name) == 0)
            return call_operator(in, call, &rows[k]);
    return call_clock(in, call);
}
