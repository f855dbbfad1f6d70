/* library/builtin_functions.c - see library.h: the operators and functions of the language that
 * work on scalars (elementwise on arrays), and those of events. */
#include "library/array_functions.h"
#include "library/formatted_text.h"

#include <string.h>

typedef struct builtin {
    const char *name;
    value (*call)(context *in, const ast_expr *call, const struct builtin *b);
    int op; /* the expr_op, for functions that are one operation */
} builtin;

/* ---- arguments ---- */

static int32_t name_index(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (int32_t k = 0; *names; k++) {
        size_t n = strcspn(names, " ");
        if (n == length && memcmp(names, name, n) == 0)
            return k;
        names += n + (names[n] == ' ');
    }
    return -1;
}

static int32_t name_count(const char *names)
{
    int32_t n = *names ? 1 : 0;
    for (; *names; names++)
        n += *names == ' ';
    return n;
}

bool builtin_args(context *in, const ast_expr *call, const char *names, int32_t least,
                  const ast_expr **args)
{
    int32_t most = name_count(names);
    for (int32_t i = 0; i < most; i++)
        args[i] = NULL;
    for (int32_t i = 0; i < call->n; i++) {
        const ast_arg *arg = &call->arg[i];
        int32_t k = arg->name == INTERN_NONE ? i : name_index(names, context_name(in, arg->name));
        if (k < 0 || k >= most || args[k])
            return context_error(in, arg->at,
                                 k < 0 || k < most ? "there is no argument of this name"
                                                   : "too many arguments")
                .n;
        args[k] = arg->value;
    }
    for (int32_t i = 0; i < least; i++)
        if (!args[i])
            return context_error(in, call->at, "argument %d is missing", (int)i + 1).n;
    return true;
}

static bool numeric_args(context *in, const ast_expr *call, const char *names, value *v)
{
    const ast_expr *args[4];
    int32_t n = name_count(names);
    if (!builtin_args(in, call, names, n, args))
        return false;
    for (int32_t i = 0; i < n; i++) {
        v[i] = evaluate(in, args[i]);
        if (is_bad(v[i]))
            return false;
        if (!value_is_numeric(v[i]))
            return context_error(in, args[i]->at, "a number is needed, this is %s",
                                 type_text(in, v[i].type))
                .n;
    }
    return true;
}

static bool refuse_in_function(context *in, const ast_expr *call, const char *name)
{
    if (in->frame)
        context_error(in, call->at, "%s() cannot stand in a function", name);
    return in->frame != NULL;
}

/* ---- elementary ---- */

static value call_unary(context *in, const ast_expr *call, const builtin *b)
{
    value v;
    if (!numeric_args(in, call, "u", &v))
        return bad_value;
    base_type base = b->op == EXPR_ABS ? (base_type)v.type.base : T_REAL;
    return value_map(in, v, (expr_op)b->op, base);
}

/* sign() is discontinuous and generates events as the text `if u > 0 then 1 else if u < 0 ...`
 * does. */
static value call_sign(context *in, const ast_expr *call, const builtin *b)
{
    value u, zero = value_number(in, T_REAL, 0.0);
    if (!numeric_args(in, call, "u", &u))
        return bad_value;
    value r = value_map(in, u, (expr_op)b->op, T_INTEGER);
    for (size_t i = 0; !is_bad(r) && !is_bad(zero) && i < r.n; i++) {
        value one = {.type = type_scalar((base_type)u.type.base), .n = 1, .e = &u.e[i]};
        if (in->without_events || in->frame || expr_op_of(in->g, r.e[i]) != EXPR_SIGN)
            continue;
        expr above = event_relation(in, EXPR_GT, one, zero, call->at);
        expr below = event_relation(in, EXPR_LT, one, zero, call->at);
        expr rest = expr_if(in->g, below, expr_constant(in->g, -1.0), zero.e[0]);
        r.e[i] = expr_if(in->g, above, expr_constant(in->g, 1.0), rest);
    }
    return r;
}

static value call_binary(context *in, const ast_expr *call, const builtin *b)
{
    value v[2];
    if (!numeric_args(in, call, "u1 u2", v))
        return bad_value;
    value r = value_map2(in, v[0], v[1], (expr_op)b->op, call->at);
    if (!is_bad(r) && b->op == EXPR_ATAN2)
        r.type.base = T_REAL;
    return r;
}

/* ---- roundings ---- */

static expr ceil_of(context *in, expr u, source_at at)
{
    return expr_neg(in->g, event_floor(in, expr_neg(in->g, u), at));
}

static value call_round(context *in, const ast_expr *call, const builtin *b)
{
    value v;
    if (!numeric_args(in, call, "x", &v))
        return bad_value;
    if (v.type.base == T_INTEGER)
        return v;
    value r = value_new(in, v.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] =
            b->op == EXPR_CEIL ? ceil_of(in, v.e[i], call->at) : event_floor(in, v.e[i], call->at);
    if (b->op == EXPR_INTEGER)
        r.type.base = T_INTEGER;
    return r;
}

/* The quotient rounded towards zero, with events: its sign chooses floor or ceil. */
static expr quotient_of(context *in, expr x, expr y, source_at at)
{
    expr q = expr_div(in->g, x, y);
    value a = value_scalar(in, T_REAL, q), zero = value_number(in, T_REAL, 0.0);
    if (is_bad(a) || is_bad(zero))
        return EXPR_NONE;
    expr positive = event_relation(in, EXPR_GE, a, zero, at);
    return expr_if(in->g, positive, event_floor(in, q, at), ceil_of(in, q, at));
}

static expr divide_scalar(context *in, expr_op op, expr x, expr y, source_at at)
{
    if (op == EXPR_MOD)
        return expr_sub(in->g, x, expr_mul(in->g, event_floor(in, expr_div(in->g, x, y), at), y));
    expr q = quotient_of(in, x, y, at);
    return op == EXPR_IDIV ? q : expr_sub(in->g, x, expr_mul(in->g, q, y));
}

static value call_divide(context *in, const ast_expr *call, const builtin *b)
{
    value v[2];
    if (!numeric_args(in, call, "x y", v))
        return bad_value;
    value plain = value_map2(in, v[0], v[1], (expr_op)b->op, call->at);
    if (is_bad(plain) || in->without_events || in->frame || plain.type.base == T_INTEGER)
        return plain;
    for (size_t i = 0; i < plain.n; i++)
        if (expr_has(in->g, plain.e[i], EXPR_HAS_VARIABLE))
            plain.e[i] = divide_scalar(in, (expr_op)b->op, v[0].e[v[0].type.n_dims ? i : 0],
                                       v[1].e[v[1].type.n_dims ? i : 0], call->at);
    return plain;
}

/* ---- derivatives ---- */

static value call_der(context *in, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg;
    if (refuse_in_function(in, call, b->name))
        return bad_value;
    if (call->n == 2)
        return context_error(in, call->arg[1].at,
                             "der() has one argument: a second derivative is der(v) of a variable "
                             "v with the equation v = der(x)");
    if (!builtin_args(in, call, "x", 1, &arg))
        return bad_value;
    return total_derivative(in, evaluate(in, arg), call->at);
}

/* ---- before events ---- */

static value pre_of(context *in, value v, source_at at)
{
    value r = is_bad(v) ? v : value_new(in, v.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++) {
        uint32_t variable = 0;
        r.e[i] = v.e[i];
        if (flat_is_value(in->g, v.e[i], &variable)) {
            if (in->m->variables[variable].variability > FLAT_PARAMETER)
                r.e[i] = expr_variable(in->g, flat_symbol(FLAT_PRE, variable));
        } else if (expr_has(in->g, v.e[i], EXPR_HAS_VARIABLE)) {
            return context_error(in, at, "pre() needs a variable");
        }
    }
    return r;
}

static value pre_eval(context *in, const ast_expr *e)
{
    in->as_variables++;
    value v = evaluate(in, e);
    in->as_variables--;
    return pre_of(in, v, e->at);
}

static value call_pre(context *in, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg;
    if (refuse_in_function(in, call, b->name) || !builtin_args(in, call, "y", 1, &arg))
        return bad_value;
    return pre_eval(in, arg);
}

static value call_edge(context *in, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg;
    if (refuse_in_function(in, call, b->name) || !builtin_args(in, call, "b", 1, &arg))
        return bad_value;
    value now = evaluate(in, arg), before = pre_eval(in, arg);
    if (is_bad(now) || is_bad(before))
        return bad_value;
    bool is_edge = b->op == EXPR_AND;
    if (is_edge && now.type.base != T_BOOLEAN)
        return context_error(in, call->at, "edge() needs a Boolean, not %s",
                             type_text(in, now.type));
    value r = value_new(in, now.type);
    r.type.base = T_BOOLEAN;
    for (size_t i = 0; r.e && i < r.n; i++)
        r.e[i] = is_edge ? expr_make2(in->g, EXPR_AND, now.e[i], condition_not(in, before.e[i]))
                         : expr_make2(in->g, EXPR_NE, now.e[i], before.e[i]);
    return r;
}

/* ---- events ---- */

static value call_flag(context *in, const ast_expr *call, const builtin *b)
{
    if (refuse_in_function(in, call, b->name) || !builtin_args(in, call, "", 0, NULL))
        return bad_value;
    flat_symbol_kind kind = b->op ? FLAT_TERMINAL : FLAT_INITIAL;
    return value_scalar(in, T_BOOLEAN, expr_variable(in->g, flat_symbol(kind, 0)));
}

static value call_sample(context *in, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg[2];
    if (refuse_in_function(in, call, b->name) || !builtin_args(in, call, "start interval", 1, arg))
        return bad_value;
    value second = arg[1] ? evaluate(in, arg[1]) : bad_value;
    if (!arg[1] || second.type.base == T_CLOCK)
        return clock_sample(in, call, evaluate(in, arg[0]), second);
    value start = evaluate_scalar(in, arg[0], T_REAL, "the start of sample()");
    value interval = evaluate_scalar(in, arg[1], T_REAL, "the interval of sample()");
    if (is_bad(start) || is_bad(interval))
        return bad_value;
    if (expr_is_constant(in->g, interval.e[0]) && !(expr_value_now(in->g, interval.e[0]) > 0.0))
        return context_error(in, arg[1]->at, "the interval of sample() must be positive, not %g",
                             expr_value_now(in->g, interval.e[0]));
    uint32_t number = flat_add_sample(
        in->build, (flat_sample){.start = start.e[0], .interval = interval.e[0], .at = call->at});
    if (number == FLAT_NONE)
        return bad_value;
    return value_scalar(in, T_BOOLEAN, expr_variable(in->g, flat_symbol(FLAT_SAMPLE, number)));
}

/* Checks the time of delay(). One that can change needs an upper bound, which limits how much of
 * the past is kept. */
static bool delay_time_is_fine(context *in, const ast_expr *const *arg, expr by)
{
    bool known = expr_is_constant(in->g, by);
    double time = known ? expr_value(in->g, by) : 0.0;
    if (!known && !arg[2])
        context_error(in, arg[1]->at,
                      "a delay time that can change needs its largest value as third argument");
    else if (!(time >= 0.0))
        context_error(in, arg[1]->at, "the time of delay() is negative: %g", time);
    else
        return true;
    return false;
}

static value call_delay(context *in, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg[3];
    if (refuse_in_function(in, call, b->name) ||
        !builtin_args(in, call, "expr delayTime delayMax", 2, arg))
        return bad_value;
    value of = evaluate(in, arg[0]),
          by = evaluate_scalar(in, arg[1], T_REAL, "the time of delay()");
    value most = arg[2] ? evaluate_scalar(in, arg[2], T_REAL, "the longest time of delay()") : by;
    if (is_bad(of) || is_bad(by) || is_bad(most))
        return bad_value;
    if (!value_is_numeric(of))
        return context_error(in, arg[0]->at, "delay() needs a number, not %s",
                             type_text(in, of.type));
    if (!delay_time_is_fine(in, arg, by.e[0]))
        return bad_value;
    of.type.base = T_REAL;
    if (expr_is_constant(in->g, by.e[0]) && expr_value(in->g, by.e[0]) == 0.0)
        return of;
    value r = value_new(in, of.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++) {
        uint32_t number =
            flat_add_delay(in->build, (flat_delay){.of = of.e[i],
                                                   .by = by.e[0],
                                                   .most = arg[2] ? most.e[0] : EXPR_NONE,
                                                   .at = call->at});
        if (number == FLAT_NONE)
            return bad_value;
        r.e[i] = expr_variable(in->g, flat_symbol(FLAT_DELAY, number));
    }
    return r;
}

/* ---- wrappers ---- */

static value call_no_event(context *in, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg;
    (void)b;
    return builtin_args(in, call, "expr", 1, &arg) ? evaluate_without_events(in, arg) : bad_value;
}

static value call_smooth(context *in, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg[2];
    int64_t order = 0;
    (void)b;
    if (!builtin_args(in, call, "p expr", 2, arg) ||
        !evaluate_integer(in, arg[0], &order, "the order of smooth()"))
        return bad_value;
    return order >= 1 ? evaluate_without_events(in, arg[1]) : evaluate(in, arg[1]);
}

/* weight*actual + (1 - weight)*simplified in a model made by flat_with_homotopy, else actual. */
static value call_homotopy(context *in, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg[2];
    value v[2];
    (void)b;
    if (!in->mixes_homotopy || in->is_numeric) {
        in->m->has_homotopy = true;
        return builtin_args(in, call, "actual simplified", 2, arg) ? evaluate(in, arg[0])
                                                                   : bad_value;
    }
    if (!numeric_args(in, call, "actual simplified", v))
        return bad_value;
    expr weight = expr_variable(in->g, flat_symbol(FLAT_HOMOTOPY, 0));
    value actual = value_scalar(in, T_REAL, weight);
    value simplified = value_scalar(in, T_REAL, expr_sub(in->g, expr_constant(in->g, 1.0), weight));
    return value_arith(in, AST_ADD, value_arith(in, AST_MUL, actual, v[0], call->at),
                       value_arith(in, AST_MUL, simplified, v[1], call->at), call->at);
}

/* Where x vanishes, semiLinear(x, a, b) says nothing of a and b: a junction of pipes without a flow
 * has no temperature, although it has one as soon as anything flows. If both slopes are unknown, a
 * term share*(a - b)/(1 + (x/near)^2) is added, a conduction between both sides that is not seen
 * where anything flows: beside x = 1e-3 it is one part in 1e9. Junctions without flow get
 * the mean of what they join. */
static expr conduction(context *in, expr x, expr a, expr b)
{
    const double share = 1e-8, near = 1e-5;
    expr_graph *g = in->g;
    expr ratio = expr_mul(g, x, expr_constant(g, 1.0 / near));
    expr far = expr_add(g, expr_constant(g, 1.0), expr_mul(g, ratio, ratio));
    return expr_div(g, expr_mul(g, expr_constant(g, share), expr_sub(g, a, b)), far);
}

static value semi_linear(context *in, const value *v, source_at at)
{
    expr positive = event_relation(in, EXPR_GE, v[0], value_number(in, T_REAL, 0.0), at);
    value r = value_if(in, positive, value_arith(in, AST_MUL, v[1], v[0], at),
                       value_arith(in, AST_MUL, v[2], v[0], at), at);
    if (is_bad(r))
        return r;
    r.type.base = T_REAL;
    bool is_open = expr_has(in->g, v[1].e[0], EXPR_HAS_VARIABLE) &&
                   expr_has(in->g, v[2].e[0], EXPR_HAS_VARIABLE);
    if (is_open)
        r.e[0] = expr_add(in->g, r.e[0], conduction(in, v[0].e[0], v[1].e[0], v[2].e[0]));
    return r;
}

/* The same for each item of arrays of slopes. */
static value semi_linear_items(context *in, const value *v, source_at at)
{
    if (!type_same_sizes(v[1].type, v[2].type))
        return context_error(in, at, "semiLinear() has slopes of different sizes");
    value r = value_new(in, v[1].type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++) {
        value one[3] = {v[0], value_element(in, v[1], i), value_element(in, v[2], i)};
        value x = semi_linear(in, one, at);
        if (is_bad(x))
            return x;
        r.e[i] = x.e[0];
    }
    r.type.base = T_REAL;
    return r;
}

static value call_semi_linear(context *in, const ast_expr *call, const builtin *b)
{
    value v[3];
    (void)b;
    if (!numeric_args(in, call, "x positiveSlope negativeSlope", v))
        return bad_value;
    if (v[0].n == 1 && v[0].type.n_dims == 0 && v[1].type.n_dims > 0)
        return semi_linear_items(in, v, call->at);
    for (int i = 0; i < 3; i++)
        if (v[i].n != 1)
            return context_error(in, call->at, "semiLinear() needs scalars, not %s",
                                 type_text(in, v[i].type));
    return semi_linear(in, v, call->at);
}

static value call_pure(context *in, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg;
    (void)b;
    return builtin_args(in, call, "x", 1, &arg) ? evaluate(in, arg) : bad_value;
}

/* ---- conversions ---- */

static value call_integer(context *in, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg;
    (void)b;
    if (!builtin_args(in, call, "e", 1, &arg))
        return bad_value;
    value v = evaluate(in, arg);
    if (is_bad(v) || v.type.base == T_INTEGER)
        return v;
    if (v.type.base != T_ENUM && v.type.base != T_BOOLEAN)
        return context_error(in, call->at, "Integer() needs an enumeration or a Boolean, not %s",
                             type_text(in, v.type));
    v.type.base = T_INTEGER;
    v.type.info = -1;
    return v;
}

static value call_string(context *in, const ast_expr *call, const builtin *b)
{
    (void)b;
    if (call->n < 1)
        return context_error(in, call->at, "String() needs an argument");
    value v = evaluate(in, call->arg[0].value);
    if (is_bad(v))
        return v;
    if (v.n == 1 && v.type.n_dims == 0 && in->frame && !value_is_constant(in, v))
        return value_text(in, TEXT_OF_VARIABLE);
    if (v.n != 1 || v.type.n_dims || !value_is_constant(in, v))
        return context_error(in, call->at, "String() of a variable can stand only in messages");
    return formatted_text(in, call, v);
}

static value call_refused(context *in, const ast_expr *call, const builtin *b)
{
    return context_error(in, call->at, "%s() is not supported", b->name);
}

static value call_clocked(context *in, const ast_expr *call, const builtin *b)
{
    return refuse_in_function(in, call, b->name) ? bad_value : clock_function(in, call, b->name);
}

static value call_clause(context *in, const ast_expr *call, const builtin *b)
{
    return context_error(in, call->at, "%s() has no value and cannot stand in an expression",
                         b->name);
}

/* Sorted by name in the order of strcmp. */
static const builtin table[] = {
    {"Clock", call_clocked, 0},
    {"Integer", call_integer, 0},
    {"String", call_string, 0},
    {"abs", call_unary, EXPR_ABS},
    {"acos", call_unary, EXPR_ACOS},
    {"actualStream", call_refused, 0},
    {"asin", call_unary, EXPR_ASIN},
    {"assert", call_clause, 0},
    {"atan", call_unary, EXPR_ATAN},
    {"atan2", call_binary, EXPR_ATAN2},
    {"backSample", call_clocked, 0},
    {"cardinality", call_refused, 0},
    {"ceil", call_round, EXPR_CEIL},
    {"change", call_edge, EXPR_NE},
    {"connect", call_refused, 0},
    {"cos", call_unary, EXPR_COS},
    {"cosh", call_unary, EXPR_COSH},
    {"delay", call_delay, 0},
    {"der", call_der, 0},
    {"div", call_divide, EXPR_IDIV},
    {"edge", call_edge, EXPR_AND},
    {"exp", call_unary, EXPR_EXP},
    {"firstTick", call_clocked, 0},
    {"floor", call_round, EXPR_FLOOR},
    {"hold", call_clocked, 0},
    {"homotopy", call_homotopy, 0},
    {"inStream", call_refused, 0},
    {"initial", call_flag, 0},
    {"integer", call_round, EXPR_INTEGER},
    {"interval", call_clocked, 0},
    {"log", call_unary, EXPR_LOG},
    {"log10", call_unary, EXPR_LOG10},
    {"mod", call_divide, EXPR_MOD},
    {"noClock", call_clocked, 0},
    {"noEvent", call_no_event, 0},
    {"pre", call_pre, 0},
    {"previous", call_clocked, 0},
    {"pure", call_pure, 0},
    {"reinit", call_clause, 0},
    {"rem", call_divide, EXPR_REM},
    {"sample", call_sample, 0},
    {"semiLinear", call_semi_linear, 0},
    {"shiftSample", call_clocked, 0},
    {"sign", call_sign, EXPR_SIGN},
    {"sin", call_unary, EXPR_SIN},
    {"sinh", call_unary, EXPR_SINH},
    {"smooth", call_smooth, 0},
    {"spatialDistribution", call_refused, 0},
    {"sqrt", call_unary, EXPR_SQRT},
    {"subSample", call_clocked, 0},
    {"superSample", call_clocked, 0},
    {"tan", call_unary, EXPR_TAN},
    {"tanh", call_unary, EXPR_TANH},
    {"terminal", call_flag, 1},
    {"terminate", call_clause, 0},
};

static const builtin *builtin_find(const char *name)
{
    size_t low = 0, high = sizeof table / sizeof *table;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(name, table[middle].name);
        if (order == 0)
            return &table[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

bool builtin_is_der(const char *name)
{
    const builtin *b = builtin_find(name);
    return b && b->call == call_der;
}

bool builtin_elementary(const char *name, expr_op *op)
{
    const builtin *b = builtin_find(name);
    if (!b || b->call != call_unary || b->op == EXPR_ABS)
        return false;
    *op = (expr_op)b->op;
    return true;
}

bool builtin_call(context *in, const ast_expr *call, const char *name, value *result)
{
    const builtin *b = builtin_find(name);
    if (!b)
        return array_call(in, call, name, result);
    *result = b->call(in, call, b);
    return true;
}

const char *builtin_name(size_t k)
{
    size_t n = sizeof table / sizeof *table;
    return k < n ? table[k].name : array_name(k - n);
}
