/* symbolic/evaluation.c - see context.h: values of syntax where a certain kind is needed. */
#include "symbolic/context.h"

value evaluate_without_events(context *in, const ast_expr *e)
{
    in->without_events++;
    value v = evaluate(in, e);
    in->without_events--;
    return v;
}

value evaluate_scalar(context *in, const ast_expr *e, base_type base, const char *what)
{
    return value_convert(in, evaluate(in, e), type_scalar(base), e->at, what);
}

expr evaluate_condition(context *in, const ast_expr *e)
{
    value v = evaluate(in, e);
    if (is_bad(v))
        return EXPR_NONE;
    if (v.type.base != T_BOOLEAN || v.n != 1) {
        context_error(in, e->at, "a condition is %s, not Boolean", type_text(in, v.type));
        return EXPR_NONE;
    }
    return v.e[0];
}

bool evaluate_integer(context *in, const ast_expr *e, int64_t *number, const char *what)
{
    value v = evaluate_without_events(in, e);
    if (is_bad(v))
        return false;
    if (v.type.base != T_INTEGER || v.n != 1)
        return context_error(in, e->at, "%s is %s, not Integer", what, type_text(in, v.type)).n;
    if (value_integer(in, v, number))
        return true;
    if (in->frame)
        context_give_up(in, e->at, "an Integer that must be constant is not");
    else
        context_error(in, e->at, "%s must be constant", what);
    return false;
}
