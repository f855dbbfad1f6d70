/* library/builtin_functions.c - see flattener.h: the operators and functions of the language
 * that work on scalars (elementwise on arrays), and those of events.               */
#include "expr/derive.h"
#include "flatten/flattener.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct builtin {
    const char *name;
    value (*call)(flattener *f, const ast_expr *call, const struct builtin *b);
    int op; /* expr_op where one is enough */
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

bool builtin_args(flattener *f, const ast_expr *call, const char *names, int32_t least,
                  const ast_expr **args)
{
    int32_t most = name_count(names);
    for (int32_t i = 0; i < most; i++)
        args[i] = NULL;
    for (int32_t i = 0; i < call->n; i++) {
        const ast_arg *arg = &call->arg[i];
        int32_t k = arg->name == INTERN_NONE ? i : name_index(names, fl_name(f, arg->name));
        if (k < 0 || k >= most || args[k])
            return fl_error(f, arg->at,
                            k < 0 || k < most ? "there is no argument of this name"
                                              : "too many arguments")
                .n;
        args[k] = arg->value;
    }
    for (int32_t i = 0; i < least; i++)
        if (!args[i])
            return fl_error(f, call->at, "argument %d is missing", (int)i + 1).n;
    return true;
}

static bool numeric_args(flattener *f, const ast_expr *call, const char *names, value *v)
{
    const ast_expr *args[4];
    int32_t n = name_count(names);
    if (!builtin_args(f, call, names, n, args))
        return false;
    for (int32_t i = 0; i < n; i++) {
        v[i] = eval(f, args[i]);
        if (is_bad(v[i]))
            return false;
        if (!value_is_numeric(v[i]))
            return fl_error(f, args[i]->at, "a number is needed, this is %s",
                            type_text(f, v[i].type))
                .n;
    }
    return true;
}

static bool refuse_in_function(flattener *f, const ast_expr *call, const char *name)
{
    if (f->frame)
        fl_error(f, call->at, "%s() cannot stand in a function", name);
    return f->frame != NULL;
}

/* ---- elementary ---- */

static value call_unary(flattener *f, const ast_expr *call, const builtin *b)
{
    value v;
    if (!numeric_args(f, call, "u", &v))
        return bad_value;
    base_type base = b->op == EXPR_ABS ? (base_type)v.type.base : T_REAL;
    return value_map(f, v, (expr_op)b->op, base);
}

/* sign jumps, so it has events where the text has them: if u > 0 then 1 else if u < 0 ... */
static value call_sign(flattener *f, const ast_expr *call, const builtin *b)
{
    value u, zero = value_number(f, T_REAL, 0.0);
    if (!numeric_args(f, call, "u", &u))
        return bad_value;
    value r = value_map(f, u, (expr_op)b->op, T_INTEGER);
    for (size_t i = 0; !is_bad(r) && !is_bad(zero) && i < r.n; i++) {
        value one = {.type = type_scalar((base_type)u.type.base), .n = 1, .e = &u.e[i]};
        if (f->literal || f->frame || expr_op_of(f->g, r.e[i]) != EXPR_SIGN)
            continue;
        expr above = relation_make(f, EXPR_GT, one, zero, call->at);
        expr below = relation_make(f, EXPR_LT, one, zero, call->at);
        expr rest = expr_if(f->g, below, fl_constant(f, -1.0), zero.e[0]);
        r.e[i] = expr_if(f->g, above, fl_constant(f, 1.0), rest);
    }
    return r;
}

static value call_binary(flattener *f, const ast_expr *call, const builtin *b)
{
    value v[2];
    if (!numeric_args(f, call, "u1 u2", v))
        return bad_value;
    value r = value_map2(f, v[0], v[1], (expr_op)b->op, call->at);
    if (!is_bad(r) && b->op == EXPR_ATAN2)
        r.type.base = T_REAL;
    return r;
}

/* ---- roundings ---- */

static expr floor_of(flattener *f, expr u, source_at at)
{
    flat_model *m = f->m;
    expr plain = expr_make1(f->g, EXPR_FLOOR, u);
    if (f->literal || f->frame || plain == EXPR_NONE || expr_op_of(f->g, plain) != EXPR_FLOOR ||
        !expr_has(f->g, plain, EXPR_HAS_VARIABLE))
        return plain;
    uint32_t number = 0;
    if (!map_find(&f->rounding_map, u, &number)) {
        flat_rounding *list =
            fl_push(f, m->roundings, m->n_roundings, &f->room.roundings, sizeof *list);
        if (!list)
            return plain;
        m->roundings = list;
        number = (uint32_t)m->n_roundings++;
        m->roundings[number] = (flat_rounding){.of = u, .at = at};
        map_put(f, &f->rounding_map, u, number);
    }
    return expr_variable(f->g, flat_symbol(FLAT_ROUNDING, number));
}

static expr ceil_of(flattener *f, expr u, source_at at)
{
    return expr_neg(f->g, floor_of(f, expr_neg(f->g, u), at));
}

static value call_round(flattener *f, const ast_expr *call, const builtin *b)
{
    value v;
    if (!numeric_args(f, call, "x", &v))
        return bad_value;
    if (v.type.base == T_INTEGER)
        return v;
    value r = value_new(f, v.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = b->op == EXPR_CEIL ? ceil_of(f, v.e[i], call->at) : floor_of(f, v.e[i], call->at);
    if (b->op == EXPR_INTEGER)
        r.type.base = T_INTEGER;
    return r;
}

/* Towards zero, with events: the sign of the quotient chooses floor or ceil. */
static expr quotient_of(flattener *f, expr x, expr y, source_at at)
{
    expr q = expr_div(f->g, x, y);
    value a = value_scalar(f, T_REAL, q), zero = value_number(f, T_REAL, 0.0);
    if (is_bad(a) || is_bad(zero))
        return EXPR_NONE;
    expr positive = relation_make(f, EXPR_GE, a, zero, at);
    return expr_if(f->g, positive, floor_of(f, q, at), ceil_of(f, q, at));
}

static expr divide_scalar(flattener *f, expr_op op, expr x, expr y, source_at at)
{
    if (op == EXPR_MOD)
        return expr_sub(f->g, x, expr_mul(f->g, floor_of(f, expr_div(f->g, x, y), at), y));
    expr q = quotient_of(f, x, y, at);
    return op == EXPR_IDIV ? q : expr_sub(f->g, x, expr_mul(f->g, q, y));
}

static value call_divide(flattener *f, const ast_expr *call, const builtin *b)
{
    value v[2];
    if (!numeric_args(f, call, "x y", v))
        return bad_value;
    value plain = value_map2(f, v[0], v[1], (expr_op)b->op, call->at);
    if (is_bad(plain) || f->literal || f->frame || plain.type.base == T_INTEGER)
        return plain;
    for (size_t i = 0; i < plain.n; i++)
        if (expr_has(f->g, plain.e[i], EXPR_HAS_VARIABLE))
            plain.e[i] = divide_scalar(f, (expr_op)b->op, v[0].e[v[0].type.n_dims ? i : 0],
                                       v[1].e[v[1].type.n_dims ? i : 0], call->at);
    return plain;
}

/* ---- derivatives ---- */

static expr slope_of(void *user, uint32_t symbol)
{
    flattener *f = user;
    uint32_t v = flat_number(symbol);
    if (flat_kind(symbol) == FLAT_DER)
        f->met_derivative = true;
    return flat_kind(symbol) == FLAT_VALUE && f->m->variables[v].variability == FLAT_CONTINUOUS
               ? expr_variable(f->g, flat_symbol(FLAT_DER, v))
               : EXPR_NONE;
}

/* One differ for all der(), since its memory is as long as the graph.  It forgets in between:
 * what a variable is may change, and every second derivative must be met. */
static expr derivative_of(flattener *f, expr e, source_at at)
{
    assert(f->g == &f->m->graph); /* functions, which have graphs of their own, refuse der() */
    f->motion = (flat_motion){.slope = slope_of, .user = f};
    f->met_derivative = false;
    expr_direction along = flat_in_time(f->m, &f->motion);
    if (!f->differ)
        f->differ = expr_differ_create(f->g, &along);
    else
        expr_differ_forget(f->differ);
    expr result = EXPR_NONE, culprit = EXPR_NONE;
    expr_outcome outcome =
        f->differ ? expr_differ_of(f->differ, e, &result, &culprit) : EXPR_NO_MEMORY;
    if (outcome == EXPR_NO_MEMORY)
        f->c->mem.failed = true;
    if (outcome == EXPR_NOT_DIFFERENTIABLE)
        fl_error(f, at, "der() of a function whose derivative is not known");
    else if (f->met_derivative || f->motion.met_delay)
        fl_error(f, at,
                 "der() of an expression with a derivative or a delay in it: introduce a "
                 "variable for it");
    return outcome == EXPR_OK && !f->met_derivative && !f->motion.met_delay ? result : EXPR_NONE;
}

value total_derivative(flattener *f, value v, source_at at)
{
    if (is_bad(v))
        return v;
    if (v.type.base != T_REAL && v.type.base != T_INTEGER && v.type.base != T_RECORD)
        return fl_error(f, at, "der() of %s", type_text(f, v.type));
    if (v.type.base == T_INTEGER)
        v.type.base = T_REAL;
    value r = value_new(f, v.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++) {
        r.e[i] = derivative_of(f, v.e[i], at);
        if (r.e[i] == EXPR_NONE)
            return bad_value;
    }
    return r;
}

static value call_der(flattener *f, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg;
    if (refuse_in_function(f, call, b->name) || !builtin_args(f, call, "x", 1, &arg))
        return bad_value;
    return total_derivative(f, eval(f, arg), call->at);
}

/* ---- before events ---- */

static value pre_of(flattener *f, value v, source_at at)
{
    value r = is_bad(v) ? v : value_new(f, v.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++) {
        uint32_t variable = 0;
        r.e[i] = v.e[i];
        if (is_value_symbol(f, v.e[i], &variable)) {
            if (f->m->variables[variable].variability > FLAT_PARAMETER)
                r.e[i] = expr_variable(f->g, flat_symbol(FLAT_PRE, variable));
        } else if (expr_has(f->g, v.e[i], EXPR_HAS_VARIABLE)) {
            return fl_error(f, at, "pre() needs a variable");
        }
    }
    return r;
}

static value pre_eval(flattener *f, const ast_expr *e)
{
    f->raw++;
    value v = eval(f, e);
    f->raw--;
    return pre_of(f, v, e->at);
}

static value call_pre(flattener *f, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg;
    if (refuse_in_function(f, call, b->name) || !builtin_args(f, call, "y", 1, &arg))
        return bad_value;
    return pre_eval(f, arg);
}

static value call_edge(flattener *f, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg;
    if (refuse_in_function(f, call, b->name) || !builtin_args(f, call, "b", 1, &arg))
        return bad_value;
    value now = eval(f, arg), before = pre_eval(f, arg);
    if (is_bad(now) || is_bad(before))
        return bad_value;
    bool is_edge = b->op == EXPR_AND;
    if (is_edge && now.type.base != T_BOOLEAN)
        return fl_error(f, call->at, "edge() of %s", type_text(f, now.type));
    value r = value_new(f, now.type);
    r.type.base = T_BOOLEAN;
    for (size_t i = 0; r.e && i < r.n; i++)
        r.e[i] = is_edge ? expr_make2(f->g, EXPR_AND, now.e[i], fl_not(f, before.e[i]))
                         : expr_make2(f->g, EXPR_NE, now.e[i], before.e[i]);
    return r;
}

/* ---- events ---- */

static value call_flag(flattener *f, const ast_expr *call, const builtin *b)
{
    if (refuse_in_function(f, call, b->name) || !builtin_args(f, call, "", 0, NULL))
        return bad_value;
    flat_symbol_kind kind = b->op ? FLAT_TERMINAL : FLAT_INITIAL;
    return value_scalar(f, T_BOOLEAN, expr_variable(f->g, flat_symbol(kind, 0)));
}

static value sample_make(flattener *f, expr start, expr interval, source_at at)
{
    flat_model *m = f->m;
    uint64_t key = (uint64_t)start << 32 | interval;
    uint32_t number = 0;
    if (!map_find(&f->sample_map, key, &number)) {
        flat_sample *list = fl_push(f, m->samples, m->n_samples, &f->room.samples, sizeof *list);
        if (!list)
            return bad_value;
        m->samples = list;
        number = (uint32_t)m->n_samples++;
        m->samples[number] = (flat_sample){.start = start, .interval = interval, .at = at};
        map_put(f, &f->sample_map, key, number);
    }
    return value_scalar(f, T_BOOLEAN, expr_variable(f->g, flat_symbol(FLAT_SAMPLE, number)));
}

static value call_sample(flattener *f, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg[2];
    if (refuse_in_function(f, call, b->name) || !builtin_args(f, call, "start interval", 2, arg))
        return bad_value;
    value start = eval_scalar(f, arg[0], T_REAL, "the start of sample()");
    value interval = eval_scalar(f, arg[1], T_REAL, "the interval of sample()");
    if (is_bad(start) || is_bad(interval))
        return bad_value;
    if (expr_is_constant(f->g, interval.e[0]) && !(expr_value(f->g, interval.e[0]) > 0.0))
        return fl_error(f, arg[1]->at, "the interval of sample() must be positive, not %g",
                        expr_value(f->g, interval.e[0]));
    return sample_make(f, start.e[0], interval.e[0], call->at);
}

/* delay() by nothing is no delay; a time that changes needs a bound, or all would be kept. */
static bool delay_time_is_fine(flattener *f, const ast_expr *const *arg, expr by)
{
    bool known = expr_is_constant(f->g, by);
    double time = known ? expr_value(f->g, by) : 0.0;
    if (!known && !arg[2])
        fl_error(f, arg[1]->at, "a delay time that can change needs a third argument: the longest");
    else if (!(time >= 0.0))
        fl_error(f, arg[1]->at, "the time of delay() is negative: %g", time);
    else
        return true;
    return false;
}

static value call_delay(flattener *f, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg[3];
    flat_model *m = f->m;
    if (refuse_in_function(f, call, b->name) ||
        !builtin_args(f, call, "expr delayTime delayMax", 2, arg))
        return bad_value;
    value of = eval(f, arg[0]), by = eval_scalar(f, arg[1], T_REAL, "the time of delay()");
    value most = arg[2] ? eval_scalar(f, arg[2], T_REAL, "the longest time of delay()") : by;
    if (is_bad(of) || is_bad(by) || is_bad(most))
        return bad_value;
    if (!value_is_numeric(of))
        return fl_error(f, arg[0]->at, "delay() of %s", type_text(f, of.type));
    if (!delay_time_is_fine(f, arg, by.e[0]))
        return bad_value;
    of.type.base = T_REAL;
    if (expr_is_constant(f->g, by.e[0]) && expr_value(f->g, by.e[0]) == 0.0)
        return of;
    value r = value_new(f, of.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++) {
        flat_delay *list = fl_push(f, m->delays, m->n_delays, &f->room.delays, sizeof *list);
        if (!list)
            return bad_value;
        m->delays = list;
        m->delays[m->n_delays] = (flat_delay){
            .of = of.e[i], .by = by.e[0], .at = call->at, .most = arg[2] ? most.e[0] : EXPR_NONE};
        r.e[i] = expr_variable(f->g, flat_symbol(FLAT_DELAY, (uint32_t)m->n_delays++));
    }
    return r;
}

/* ---- wrappers ---- */

static value call_no_event(flattener *f, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg;
    (void)b;
    return builtin_args(f, call, "expr", 1, &arg) ? eval_literal(f, arg) : bad_value;
}

static value call_smooth(flattener *f, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg[2];
    int64_t order = 0;
    (void)b;
    if (!builtin_args(f, call, "p expr", 2, arg) ||
        !eval_integer(f, arg[0], &order, "the order of smooth()"))
        return bad_value;
    return order >= 1 ? eval_literal(f, arg[1]) : eval(f, arg[1]);
}

/* weight*actual + (1 - weight)*simplified where that is asked for (flatten_mixed), else actual. */
static value call_homotopy(flattener *f, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg[2];
    value v[2];
    (void)b;
    if (!f->mixes_homotopy || f->is_run) {
        f->m->has_homotopy = true;
        return builtin_args(f, call, "actual simplified", 2, arg) ? eval(f, arg[0]) : bad_value;
    }
    if (!numeric_args(f, call, "actual simplified", v))
        return bad_value;
    expr weight = expr_variable(f->g, flat_symbol(FLAT_HOMOTOPY, 0));
    value actual = value_scalar(f, T_REAL, weight);
    value simplified = value_scalar(f, T_REAL, expr_sub(f->g, fl_constant(f, 1.0), weight));
    return value_arith(f, AST_ADD, value_arith(f, AST_MUL, actual, v[0], call->at),
                       value_arith(f, AST_MUL, simplified, v[1], call->at), call->at);
}

static value call_semi_linear(flattener *f, const ast_expr *call, const builtin *b)
{
    value v[3];
    (void)b;
    if (!numeric_args(f, call, "x positiveSlope negativeSlope", v))
        return bad_value;
    for (int i = 0; i < 3; i++)
        if (v[i].n != 1)
            return fl_error(f, call->at, "semiLinear() of %s", type_text(f, v[i].type));
    expr positive = relation_make(f, EXPR_GE, v[0], value_number(f, T_REAL, 0.0), call->at);
    value r = value_if(f, positive, value_arith(f, AST_MUL, v[1], v[0], call->at),
                       value_arith(f, AST_MUL, v[2], v[0], call->at), call->at);
    if (!is_bad(r))
        r.type.base = T_REAL;
    return r;
}

static value call_pure(flattener *f, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg;
    (void)b;
    return builtin_args(f, call, "x", 1, &arg) ? eval(f, arg) : bad_value;
}

/* ---- conversions ---- */

static value call_integer(flattener *f, const ast_expr *call, const builtin *b)
{
    const ast_expr *arg;
    (void)b;
    if (!builtin_args(f, call, "e", 1, &arg))
        return bad_value;
    value v = eval(f, arg);
    if (is_bad(v) || v.type.base == T_INTEGER)
        return v;
    if (v.type.base != T_ENUM && v.type.base != T_BOOLEAN)
        return fl_error(f, call->at, "Integer() of %s", type_text(f, v.type));
    v.type.base = T_INTEGER;
    v.type.info = -1;
    return v;
}

static value text_of(flattener *f, value v)
{
    double x = expr_value(f->g, v.e[0]);
    if (v.type.base == T_STRING)
        return v;
    if (v.type.base == T_BOOLEAN)
        return value_text(f, x != 0.0 ? "true" : "false");
    if (v.type.base == T_ENUM && x >= 1 && x <= f->m->enumerations[v.type.info].n)
        return value_text(f, fl_name(f, f->m->enumerations[v.type.info].literals[(int)x - 1]));
    return value_text(f, fl_text(f, v.type.base == T_INTEGER ? "%.0f" : "%.6g", x));
}

static value call_string(flattener *f, const ast_expr *call, const builtin *b)
{
    (void)b;
    if (call->n < 1)
        return fl_error(f, call->at, "String() needs something to write");
    value v = eval(f, call->arg[0].value);
    if (is_bad(v))
        return v;
    if (v.n != 1 || v.type.n_dims || !value_is_constant(f, v))
        return fl_error(f, call->at, "String() of a variable can stand only in messages");
    return text_of(f, v);
}

static value call_refused(flattener *f, const ast_expr *call, const builtin *b)
{
    return fl_error(f, call->at, "%s() is not supported", b->name);
}

static value call_clause(flattener *f, const ast_expr *call, const builtin *b)
{
    return fl_error(f, call->at, "%s() has no value", b->name);
}

/* By name, in the order of strcmp. */
static const builtin table[] = {
    {"Clock", call_refused, 0},
    {"Integer", call_integer, 0},
    {"String", call_string, 0},
    {"abs", call_unary, EXPR_ABS},
    {"acos", call_unary, EXPR_ACOS},
    {"actualStream", call_refused, 0},
    {"asin", call_unary, EXPR_ASIN},
    {"assert", call_clause, 0},
    {"atan", call_unary, EXPR_ATAN},
    {"atan2", call_binary, EXPR_ATAN2},
    {"backSample", call_refused, 0},
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
    {"firstTick", call_refused, 0},
    {"floor", call_round, EXPR_FLOOR},
    {"hold", call_refused, 0},
    {"homotopy", call_homotopy, 0},
    {"inStream", call_refused, 0},
    {"initial", call_flag, 0},
    {"integer", call_round, EXPR_INTEGER},
    {"interval", call_refused, 0},
    {"log", call_unary, EXPR_LOG},
    {"log10", call_unary, EXPR_LOG10},
    {"mod", call_divide, EXPR_MOD},
    {"noClock", call_refused, 0},
    {"noEvent", call_no_event, 0},
    {"pre", call_pre, 0},
    {"previous", call_refused, 0},
    {"pure", call_pure, 0},
    {"reinit", call_clause, 0},
    {"rem", call_divide, EXPR_REM},
    {"sample", call_sample, 0},
    {"semiLinear", call_semi_linear, 0},
    {"shiftSample", call_refused, 0},
    {"sign", call_sign, EXPR_SIGN},
    {"sin", call_unary, EXPR_SIN},
    {"sinh", call_unary, EXPR_SINH},
    {"smooth", call_smooth, 0},
    {"spatialDistribution", call_refused, 0},
    {"sqrt", call_unary, EXPR_SQRT},
    {"subSample", call_refused, 0},
    {"superSample", call_refused, 0},
    {"tan", call_unary, EXPR_TAN},
    {"tanh", call_unary, EXPR_TANH},
    {"terminal", call_flag, 1},
    {"terminate", call_clause, 0},
};

bool builtin_call(flattener *f, const ast_expr *call, const char *name, value *result)
{
    size_t low = 0, high = sizeof table / sizeof *table;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(name, table[middle].name);
        if (order == 0) {
            *result = table[middle].call(f, call, &table[middle]);
            return true;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return array_call(f, call, name, result);
}
