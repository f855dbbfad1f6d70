/* flatten/interpreter.c - see symbolic/context.h: what built-in functions ask of the flattener. */
#include "flatten/execute.h"

static value evaluate_expression(context *in, const ast_expr *e)
{
    return expression_eval(in->user, e);
}

static bool find_record(context *in, int32_t name, source_at at, int32_t *number)
{
    flattener *f = in->user;
    const ast_class *class = class_named(f, name);
    if (class)
        *number = record_of_class(f, class, at);
    return class != NULL;
}

static uint32_t add_hidden_variable(context *in, const char *stem, flat_type t, source_at at)
{
    return variable_hidden(in->user, stem, t, at);
}

static expr event_condition(context *in)
{
    flattener *f = in->user;
    return f->when != EXPR_NONE || f->section == IN_INITIAL ? path_with_callers(f) : EXPR_NONE;
}

/* A vector of arguments and a vector of outputs, one entry for each function. */
static int64_t add_called(context *in, int64_t builtin, const void *object, uint32_t n_args,
                          uint32_t n_outputs)
{
    type real = type_scalar(T_REAL);
    type input = type_array(real, 1, (int32_t[]){(int32_t)n_args});
    type output = type_array(real, 1, (int32_t[]){(int32_t)n_outputs});
    return called_add(in->user, &(called){.builtin = builtin,
                                          .object = object,
                                          .input = &input,
                                          .output = &output,
                                          .n_inputs = 1,
                                          .n_outputs = 1,
                                          .n_args = n_args,
                                          .n_results = n_outputs});
}

/* With numbers, an assertion that fails ends the execution of the function. */
static void require_now(flattener *f, const ast_expr *assertion)
{
    expr holds = evaluate_condition(f->in, assertion->arg[0].value);
    if (holds == EXPR_NONE || !expr_is_constant(f->in->g, holds) ||
        expr_value(f->in->g, holds) == 0.0)
        context_give_up(f->in, assertion->at, "an assertion fails");
}

static void require(context *in, const ast_expr *assertion)
{
    flattener *f = in->user;
    const ast_expr *condition = assertion->arg[0].value;
    bool is_false = condition->kind == AST_BOOLEAN && condition->integer == 0;
    if (in->frame && f->path == EXPR_NONE && is_false)
        in->frame->has_failed = true;
    if (in->is_numeric)
        require_now(f, assertion);
    else
        assert_emit(f, path_with_callers(f), assertion);
}

const interpreter flattener_interpreter = {.evaluate = evaluate_expression,
                                           .require = require,
                                           .event_condition = event_condition,
                                           .find_record = find_record,
                                           .add_hidden_variable = add_hidden_variable,
                                           .add_called = add_called};
