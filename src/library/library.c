/* library/library.c - see library.h: finds a library function and evaluates its arguments; has
 * real functions and conversions of units. The formulas are those that the documentation of the
 * library states. */
#include "library/function_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what all rows use ---- */

expr library_number(const library_site *s, double number)
{
    return expr_constant(s->g, number);
}

bool library_result(library_site *s, value v)
{
    s->outputs[s->n_outputs] = v;
    s->n_outputs += !is_bad(v);
    return !is_bad(v);
}

bool library_vector(library_site *s, int32_t k, int n_dims)
{
    value v = s->arg[k];
    bool fits = v.type.base == T_REAL || v.type.base == T_INTEGER || v.type.base == T_BOOLEAN;
    if (fits && v.type.n_dims == n_dims)
        return true;
    return context_error(s->in, s->call->at,
                         "argument %d of %s is %s, not an array of %d dimensions", (int)k + 1,
                         s->entry->name, type_text(s->in, v.type), n_dims)
        .n;
}

bool library_integer(library_site *s, int32_t k, int64_t *number)
{
    if (value_integer(s->in, s->arg[k], number))
        return true;
    return context_error(s->in, s->call->at, "argument %d of %s must be a constant Integer",
                         (int)k + 1, s->entry->name)
        .n;
}

/* ---- functions of scalars ---- */

static bool scalars_fit(library_site *s, type *shape)
{
    *shape = type_scalar(T_REAL);
    for (int32_t k = 0; k < s->n_args; k++) {
        type t = s->arg[k].type;
        bool is_number = t.base == T_REAL || t.base == T_INTEGER || t.base == T_BOOLEAN;
        bool is_left_out = t.base == T_BAD;
        bool fits = t.n_dims == 0 || shape->n_dims == 0 || type_same_sizes(t, *shape);
        if (!is_left_out && (!is_number || !fits))
            return context_error(s->in, s->call->at, "argument %d of %s cannot be %s", (int)k + 1,
                                 s->entry->name, type_text(s->in, t))
                .n;
        if (t.n_dims > 0)
            *shape = t;
    }
    shape->base = (uint8_t)(s->entry->result == T_BAD ? T_REAL : s->entry->result);
    return true;
}

bool run_scalar(library_site *s)
{
    type shape;
    expr arg[LIBRARY_ARGS];
    if (!scalars_fit(s, &shape))
        return false;
    value r = value_new(s->in, shape);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++) {
        for (int32_t k = 0; k < s->n_args; k++) {
            value v = s->arg[k];
            arg[k] = is_bad(v) ? EXPR_NONE : v.e[v.type.n_dims ? i : 0];
        }
        r.e[i] = s->entry->scalar(s, arg);
    }
    return library_result(s, r);
}

static expr one_operation(const library_site *s, const expr *u)
{
    return expr_make1(s->g, (expr_op)s->entry->what, u[0]);
}

static expr two_operands(const library_site *s, const expr *u)
{
    return expr_make2(s->g, (expr_op)s->entry->what, u[0], u[1]);
}

/* asinh: what = +1, acosh: -1; log(u + sqrt(u*u +- 1)) */
static expr area(const library_site *s, const expr *u)
{
    expr root = expr_add(s->g, expr_mul(s->g, u[0], u[0]), library_number(s, s->entry->what));
    return expr_make1(s->g, EXPR_LOG, expr_add(s->g, u[0], expr_make1(s->g, EXPR_SQRT, root)));
}

/* The angle that differs from atan2 by full turns and is nearest to u[2]; 0 means atan2. */
static expr atan3(const library_site *s, const expr *u)
{
    expr_graph *g = s->g;
    expr turn = library_number(s, 2.0 * LIBRARY_PI), zero = library_number(s, 0.0);
    expr w = expr_make2(g, EXPR_ATAN2, u[0], u[1]);
    expr turns =
        expr_div(g, expr_sub(g, expr_add(g, library_number(s, LIBRARY_PI), u[2]), w), turn);
    expr near = expr_add(g, w, expr_mul(g, turn, expr_make1(g, EXPR_INTEGER, turns)));
    return expr_if(g, expr_make2(g, EXPR_EQ, u[2], zero), w, near);
}

static expr wrap_angle(const library_site *s, const expr *u)
{
    expr_graph *g = s->g;
    expr turn = library_number(s, 2.0 * LIBRARY_PI);
    expr y = expr_make2(g, EXPR_MOD, u[0], turn);
    expr is_beyond = expr_make2(g, EXPR_AND, expr_make1(g, EXPR_NOT, u[1]),
                                expr_make2(g, EXPR_GT, y, library_number(s, LIBRARY_PI)));
    return expr_if(g, is_beyond, expr_sub(g, y, turn), y);
}

static expr nearest_integer(const library_site *s, const expr *u)
{
    expr_graph *g = s->g;
    expr half = library_number(s, 0.5);
    return expr_if(g, expr_make2(g, EXPR_GT, u[0], library_number(s, 0.0)),
                   expr_make1(g, EXPR_FLOOR, expr_add(g, u[0], half)),
                   expr_make1(g, EXPR_CEIL, expr_sub(g, u[0], half)));
}

static expr is_power_of_2(const library_site *s, const expr *u)
{
    expr_graph *g = s->g;
    expr two = library_number(s, 2.0), half = library_number(s, 0.5);
    expr log2 = expr_div(g, expr_make1(g, EXPR_LOG, u[0]), expr_make1(g, EXPR_LOG, two));
    expr nearest = expr_make1(g, EXPR_FLOOR, expr_add(g, log2, half));
    expr is_equal = expr_make2(g, EXPR_EQ, u[0], expr_pow(g, two, nearest));
    return expr_if(g, expr_make2(g, EXPR_GE, u[0], library_number(s, 1.0)), is_equal,
                   library_number(s, 0.0));
}

/* Near 0 the first terms of the series are used; the next one is below rounding there. */
static expr sinc(const library_site *s, const expr *u)
{
    const double near = 0.5e-4; /* of the library */
    expr_graph *g = s->g;
    expr u2 = expr_mul(g, u[0], u[0]);
    expr series =
        expr_add(g, expr_sub(g, library_number(s, 1.0), expr_div(g, u2, library_number(s, 6.0))),
                 expr_div(g, expr_mul(g, u2, u2), library_number(s, 120.0)));
    expr is_far = expr_make2(g, EXPR_GT, expr_make1(g, EXPR_ABS, u[0]), library_number(s, near));
    return expr_if(g, is_far, expr_div(g, expr_make1(g, EXPR_SIN, u[0]), u[0]), series);
}

/* To another unit: u*scale + offset. With `what` the scale is that of the conversion back, so that
 * whole numbers stay exact. */
static expr to_unit(const library_site *s, const expr *u)
{
    expr_op op = s->entry->what ? EXPR_DIV : EXPR_MUL;
    expr scaled = expr_make2(s->g, op, u[0], library_number(s, s->entry->scale));
    return expr_add(s->g, scaled, library_number(s, s->entry->offset));
}

static expr from_unit(const library_site *s, const expr *u)
{
    expr_op op = s->entry->what ? EXPR_MUL : EXPR_DIV;
    expr shifted = expr_sub(s->g, u[0], library_number(s, s->entry->offset));
    return expr_make2(s->g, op, shifted, library_number(s, s->entry->scale));
}

/* ---- syntax made up ---- */

/* Memory for syntax: an execution with numbers drops it at its end, an assertion of the model
 * needs it later. */
static arena *syntax_memory(library_site *s)
{
    return s->in->is_numeric ? s->in->mem : &s->in->c->mem;
}

ast_expr *library_node(library_site *s, ast_expr_kind kind)
{
    ast_expr *e = arena_take(syntax_memory(s), 1, sizeof *e);
    if (e)
        *e = (ast_expr){.kind = (uint8_t)kind, .at = s->call->at, .end = s->call->end};
    return e;
}

/* The text `name(args)` as syntax. */
ast_expr *library_syntax(library_site *s, const char *name, const ast_arg *args, int32_t n)
{
    arena *mem = syntax_memory(s);
    ast_expr *call = library_node(s, AST_CALL), *ref = library_node(s, AST_REF);
    ast_part *part = arena_take(mem, 1, sizeof *part);
    ast_arg *copy = arena_take(mem, (size_t)n, sizeof *copy);
    if (!call || !ref || !part || !copy)
        return NULL;
    memcpy(copy, args, (size_t)n * sizeof *copy);
    *part = (ast_part){.name = context_intern(s->in, name),
                       .quoted = strchr(name, '.') != NULL,
                       .at = s->call->at,
                       .end = s->call->end};
    ref->n = 1;
    ref->part = part;
    call->base = ref;
    call->n = n;
    call->arg = copy;
    return call;
}

void library_assert(library_site *s, ast_expr *condition, ast_expr *message)
{
    ast_arg args[2] = {{.name = INTERN_NONE, .at = s->call->at, .value = condition},
                       {.name = INTERN_NONE, .at = s->call->at, .value = message}};
    ast_expr *call = condition && message ? library_syntax(s, "assert", args, 2) : NULL;
    if (call)
        s->in->interpreter->require(s->in, call);
}

/* ---- the table ---- */

#define MATH(text, op)                                                                             \
    {                                                                                              \
        "Modelica.Math." text, "u", run_scalar, .scalar = one_operation, .what = EXPR_##op         \
    }
#define UNIT_ROWS(unit, base, other, factor, zero, is_back)                                        \
    {"Modelica.Units.Conversions.to_" unit,                                                        \
     base,                                                                                         \
     run_scalar,                                                                                   \
     .scalar = to_unit,                                                                            \
     .scale = (factor),                                                                            \
     .offset = (zero),                                                                             \
     .what = (is_back)},                                                                           \
    {                                                                                              \
        "Modelica.Units.Conversions.from_" unit, other, run_scalar,                                \
            .scalar = from_unit, .scale = (factor), .offset = (zero), .what = (is_back)            \
    }
#define UNIT(unit, base, other, factor, zero) UNIT_ROWS(unit, base, other, factor, zero, 0)
#define UNIT_BACK(unit, base, other, factor) UNIT_ROWS(unit, base, other, factor, 0.0, 1)

static const library_entry elementary[] = {
    MATH("sin", SIN),
    MATH("cos", COS),
    MATH("tan", TAN),
    MATH("asin", ASIN),
    MATH("acos", ACOS),
    MATH("atan", ATAN),
    MATH("sinh", SINH),
    MATH("cosh", COSH),
    MATH("tanh", TANH),
    MATH("exp", EXP),
    MATH("log", LOG),
    MATH("log10", LOG10),
    {"Modelica.Math.atan2", "u1 u2", .run = run_scalar, .scalar = two_operands, .what = EXPR_ATAN2},
    {"Modelica.Math.atan3", "u1 u2 y0=0", .run = run_scalar, .scalar = atan3},
    {"Modelica.Math.asinh", "u", .run = run_scalar, .scalar = area, .what = 1},
    {"Modelica.Math.acosh", "u", .run = run_scalar, .scalar = area, .what = -1},
    {"Modelica.Math.wrapAngle", "u positiveRange=false", .run = run_scalar, .scalar = wrap_angle},
    {"Modelica.Math.nearestInteger", "r", .run = run_scalar, .scalar = nearest_integer,
     .result = T_INTEGER},
    {"Modelica.Math.isPowerOf2", "i", .run = run_scalar, .scalar = is_power_of_2,
     .result = T_BOOLEAN},
    {"Modelica.Math.Special.sinc", "u", .run = run_scalar, .scalar = sinc},
    UNIT("unit1", "u", "u", 1.0, 0.0),
    UNIT("degC", "Kelvin", "Celsius", 1.0, -273.15),
    UNIT("degF", "Kelvin", "Fahrenheit", 1.8, 32.0 - 273.15 * 1.8),
    UNIT("degRk", "Kelvin", "Rankine", 1.8, 0.0),
    UNIT("deg", "radian", "degree", 180.0 / LIBRARY_PI, 0.0),
    UNIT("rpm", "rs", "nr", 30.0 / LIBRARY_PI, 0.0),
    UNIT_BACK("Hz", "w", "Hz", 2.0 * LIBRARY_PI),
    UNIT("kmh", "ms", "kmh", 3.6, 0.0),
    UNIT_BACK("day", "s", "day", 86400.0),
    UNIT_BACK("hour", "s", "hour", 3600.0),
    UNIT_BACK("minute", "s", "minute", 60.0),
    UNIT("litre", "m3", "litre", 1000.0, 0.0),
    UNIT_BACK("kWh", "J", "kWh", 3.6e6),
    UNIT_BACK("bar", "Pa", "bar", 1e5),
    UNIT("gps", "kgps", "gps", 1000.0, 0.0),
    UNIT("cm2", "m2", "cm2", 1e4, 0.0),
};

/* ---- arguments ---- */

static value default_value(library_site *s, const char *text, size_t length)
{
    if (length == 0 || *text == '?')
        return bad_value;
    if (*text == 't' || *text == 'f')
        return value_number(s->in, T_BOOLEAN, *text == 't');
    double x = strtod(text, NULL);
    return value_number(s->in, x == floor(x) ? T_INTEGER : T_REAL, x);
}

/* One name of entry->args into names; its default, if any, into s->arg. */
static const char *argument_declare(library_site *s, const char *text, char *names, bool *needed)
{
    size_t length = strcspn(text, " "), name = strcspn(text, " =");
    strncat(names, text, name);
    *needed = name == length;
    s->arg[s->n_args++] = default_value(s, text + name + 1, *needed ? 0 : length - name - 1);
    text += length + (text[length] == ' ');
    if (*text)
        strcat(names, " ");
    return text;
}

static bool arguments_eval(library_site *s)
{
    char names[256] = "";
    bool needed[LIBRARY_ARGS];
    const char *text = s->entry->args;
    while (*text)
        text = argument_declare(s, text, names, &needed[s->n_args]);
    if (!builtin_args(s->in, s->call, names, 0, s->given))
        return false;
    for (int32_t k = 0; k < s->n_args; k++) {
        if (!s->given[k] && needed[k])
            return context_error(s->in, s->call->at, "argument %d of %s is missing", (int)k + 1,
                                 s->entry->name)
                .n;
        if (s->given[k])
            s->arg[k] = evaluate(s->in, s->given[k]);
        if (s->given[k] && is_bad(s->arg[k]))
            return false;
    }
    return true;
}

/* ---- finding ---- */

/* The name without the quotes of its parts (Complex.'+') and with the present name of its
 * package. */
static bool plain_name(const char *name, char *plain, size_t size)
{
    static const char old[] = "Modelica.SIunits.", now[] = "Modelica.Units.";
    size_t n = 0;
    if (strncmp(name, old, sizeof old - 1) == 0) {
        memcpy(plain, now, n = sizeof now - 1);
        name += sizeof old - 1;
    }
    for (; *name && n + 1 < size; name++)
        if (*name != '\'')
            plain[n++] = *name;
    plain[n] = '\0';
    return *name == '\0' &&
           (strncmp(plain, "Modelica", 8) == 0 || strncmp(plain, "Complex", 7) == 0);
}

static const library_entry *entry_in(const library_entry *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

static const library_entry *entry_find(const char *name)
{
    char plain[160];
    if (!plain_name(name, plain, sizeof plain))
        return NULL;
    const library_entry *e = entry_in(elementary, sizeof elementary / sizeof *elementary, plain);
    if (!e)
        e = entry_in(library_vectors, n_library_vectors, plain);
    if (!e)
        e = entry_in(library_complex, n_library_complex, plain);
    if (!e)
        e = entry_in(library_random, n_library_random, plain);
    if (!e)
        e = entry_in(library_distributions, n_library_distributions, plain);
    if (!e)
        e = entry_in(library_texts, n_library_texts, plain);
    if (!e)
        e = entry_in(library_matrices, n_library_matrices, plain);
    if (!e)
        e = entry_in(library_scanning, n_library_scanning, plain);
    if (!e)
        e = entry_in(library_fourier, n_library_fourier, plain);
    if (!e)
        e = entry_in(library_tables, n_library_tables, plain);
    return e ? e : entry_in(library_files, n_library_files, plain);
}

bool library_has(const char *name)
{
    return entry_find(name) != NULL;
}

expr library_corner(context *in, expr_graph *g, const library_called *c, uint32_t k)
{
    return c->builtin >= LIBRARY_TABLES ? table_corner(in, g, c, k) : EXPR_NONE;
}

expr library_derivative(context *in, expr_graph *g, const library_called *c, uint32_t k)
{
    return c->builtin >= LIBRARY_TABLES ? table_derivative(in, g, c, k) : special_derivative(g, c);
}

bool library_call(context *in, const ast_expr *call, const char *name, value *outputs,
                  int32_t *n_outputs)
{
    const library_entry *entry = entry_find(name);
    *n_outputs = 0;
    if (!entry)
        return false;
    library_site s = {.in = in, .g = in->g, .call = call, .entry = entry, .outputs = outputs};
    if ((!entry->args || arguments_eval(&s)) && entry->run(&s))
        *n_outputs = s.n_outputs;
    return true;
}

value library_apply(context *in, const char *name, const value *args, int32_t n, source_at at)
{
    const library_entry *entry = entry_find(name);
    ast_expr call = {.kind = AST_CALL, .at = at, .end = at};
    value *outputs = arena_take(in->mem, LIBRARY_ARGS, sizeof *outputs);
    if (!entry || !outputs || n > LIBRARY_ARGS)
        return bad_value;
    library_site s = {.in = in, .g = in->g, .call = &call, .entry = entry, .outputs = outputs};
    memcpy(s.arg, args, (size_t)n * sizeof *args);
    s.n_args = n;
    return entry->run(&s) && s.n_outputs > 0 ? outputs[0] : bad_value;
}
