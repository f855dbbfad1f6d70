/* library/complex_functions.c - see function_table.h: complex numbers, which are records of re and
 * im. Functions with several branches return the principal one. */
#include "library/function_table.h"

#include <string.h>

typedef complex_expr cx;

/* ---- arithmetic ---- */

static cx cx_number(expr_graph *g, double re, double im)
{
    return (cx){expr_constant(g, re), expr_constant(g, im)};
}

static cx plus(expr_graph *g, cx a, cx b)
{
    return (cx){expr_add(g, a.re, b.re), expr_add(g, a.im, b.im)};
}

static cx minus(expr_graph *g, cx a, cx b)
{
    return (cx){expr_sub(g, a.re, b.re), expr_sub(g, a.im, b.im)};
}

static cx times(expr_graph *g, cx a, cx b)
{
    return (cx){expr_sub(g, expr_mul(g, a.re, b.re), expr_mul(g, a.im, b.im)),
                expr_add(g, expr_mul(g, a.re, b.im), expr_mul(g, a.im, b.re))};
}

static expr square(expr_graph *g, cx a)
{
    return expr_add(g, expr_mul(g, a.re, a.re), expr_mul(g, a.im, a.im));
}

static cx conjugate(expr_graph *g, cx a)
{
    return (cx){a.re, expr_neg(g, a.im)};
}

static cx over(expr_graph *g, cx a, cx b)
{
    cx top = times(g, a, conjugate(g, b));
    expr bottom = square(g, b);
    return (cx){expr_div(g, top.re, bottom), expr_div(g, top.im, bottom)};
}

static cx scaled(expr_graph *g, expr factor, cx a)
{
    return (cx){expr_mul(g, factor, a.re), expr_mul(g, factor, a.im)};
}

static cx times_j(expr_graph *g, cx a, int sign)
{
    return sign > 0 ? (cx){expr_neg(g, a.im), a.re} : (cx){a.im, expr_neg(g, a.re)};
}

static expr size_of(expr_graph *g, cx a)
{
    return expr_make1(g, EXPR_SQRT, square(g, a));
}

static expr angle_of(expr_graph *g, cx a)
{
    return expr_make2(g, EXPR_ATAN2, a.im, a.re);
}

static cx polar(expr_graph *g, expr length, expr angle)
{
    return (cx){expr_mul(g, length, expr_make1(g, EXPR_COS, angle)),
                expr_mul(g, length, expr_make1(g, EXPR_SIN, angle))};
}

static cx exponential(expr_graph *g, cx a)
{
    return polar(g, expr_make1(g, EXPR_EXP, a.re), a.im);
}

static cx logarithm(expr_graph *g, cx a)
{
    return (cx){expr_make1(g, EXPR_LOG, size_of(g, a)), angle_of(g, a)};
}

static cx root(expr_graph *g, cx a)
{
    expr half = expr_mul(g, expr_constant(g, 0.5), angle_of(g, a));
    return polar(g, expr_make1(g, EXPR_SQRT, size_of(g, a)), half);
}

/* ---- functions of one or two numbers ---- */

static cx fn_make(expr_graph *g, const cx *a)
{
    (void)g;
    return (cx){a[0].re, a[1].re};
}

static cx fn_zero(expr_graph *g, const cx *a)
{
    (void)a;
    return cx_number(g, 0.0, 0.0);
}

static cx fn_negate(expr_graph *g, const cx *a)
{
    return (cx){expr_neg(g, a[0].re), expr_neg(g, a[0].im)};
}

static cx fn_plus(expr_graph *g, const cx *a)
{
    return plus(g, a[0], a[1]);
}

static cx fn_minus(expr_graph *g, const cx *a)
{
    return minus(g, a[0], a[1]);
}

static cx fn_times(expr_graph *g, const cx *a)
{
    return times(g, a[0], a[1]);
}

static cx fn_over(expr_graph *g, const cx *a)
{
    return over(g, a[0], a[1]);
}

static cx fn_power(expr_graph *g, const cx *a)
{
    return exponential(g, times(g, a[1], logarithm(g, a[0])));
}

static cx fn_equal(expr_graph *g, const cx *a)
{
    expr re = expr_make2(g, EXPR_EQ, a[0].re, a[1].re),
         im = expr_make2(g, EXPR_EQ, a[0].im, a[1].im);
    return (cx){expr_make2(g, EXPR_AND, re, im), EXPR_NONE};
}

static cx fn_different(expr_graph *g, const cx *a)
{
    return (cx){expr_make1(g, EXPR_NOT, fn_equal(g, a).re), EXPR_NONE};
}

static cx fn_real(expr_graph *g, const cx *a)
{
    (void)g;
    return (cx){a[0].re, EXPR_NONE};
}

static cx fn_imag(expr_graph *g, const cx *a)
{
    (void)g;
    return (cx){a[0].im, EXPR_NONE};
}

static cx fn_abs(expr_graph *g, const cx *a)
{
    return (cx){size_of(g, a[0]), EXPR_NONE};
}

/* The angle, moved by full turns to be nearest to phi0 as by Modelica.Math.atan3. */
static cx fn_arg(expr_graph *g, const cx *a)
{
    expr turn = expr_constant(g, 2.0 * LIBRARY_PI), w = angle_of(g, a[0]);
    expr most = expr_add(g, expr_constant(g, LIBRARY_PI), a[1].re);
    expr turns = expr_make1(g, EXPR_INTEGER, expr_div(g, expr_sub(g, most, w), turn));
    expr is_plain = expr_make2(g, EXPR_EQ, a[1].re, expr_constant(g, 0.0));
    return (cx){expr_if(g, is_plain, w, expr_add(g, w, expr_mul(g, turn, turns))), EXPR_NONE};
}

static cx fn_conj(expr_graph *g, const cx *a)
{
    return conjugate(g, a[0]);
}

static cx fn_polar(expr_graph *g, const cx *a)
{
    return polar(g, a[0].re, a[1].re);
}

static cx fn_sqrt(expr_graph *g, const cx *a)
{
    return root(g, a[0]);
}

static cx fn_exp(expr_graph *g, const cx *a)
{
    return exponential(g, a[0]);
}

static cx fn_log(expr_graph *g, const cx *a)
{
    return logarithm(g, a[0]);
}

/* cosh and sinh of x + jy have parts cosh x cos y, sinh x sin y and sinh x cos y, cosh x sin y;
 * the circular functions are those of jz.                                        */
static cx fn_sinh(expr_graph *g, const cx *a)
{
    expr x = a[0].re, y = a[0].im;
    return (cx){expr_mul(g, expr_make1(g, EXPR_SINH, x), expr_make1(g, EXPR_COS, y)),
                expr_mul(g, expr_make1(g, EXPR_COSH, x), expr_make1(g, EXPR_SIN, y))};
}

static cx fn_cosh(expr_graph *g, const cx *a)
{
    expr x = a[0].re, y = a[0].im;
    return (cx){expr_mul(g, expr_make1(g, EXPR_COSH, x), expr_make1(g, EXPR_COS, y)),
                expr_mul(g, expr_make1(g, EXPR_SINH, x), expr_make1(g, EXPR_SIN, y))};
}

static cx fn_tanh(expr_graph *g, const cx *a)
{
    return over(g, fn_sinh(g, a), fn_cosh(g, a));
}

static cx fn_sin(expr_graph *g, const cx *a)
{
    cx jz = times_j(g, a[0], 1);
    return times_j(g, fn_sinh(g, &jz), -1);
}

static cx fn_cos(expr_graph *g, const cx *a)
{
    cx jz = times_j(g, a[0], 1);
    return fn_cosh(g, &jz);
}

static cx fn_tan(expr_graph *g, const cx *a)
{
    return over(g, fn_sin(g, a), fn_cos(g, a));
}

/* log(z + sqrt(z*z + 1)) */
static cx fn_asinh(expr_graph *g, const cx *a)
{
    cx inner = plus(g, times(g, a[0], a[0]), cx_number(g, 1.0, 0.0));
    return logarithm(g, plus(g, a[0], root(g, inner)));
}

/* log(z + (z + 1)*sqrt((z - 1)/(z + 1))) */
static cx fn_acosh(expr_graph *g, const cx *a)
{
    cx one = cx_number(g, 1.0, 0.0), above = plus(g, a[0], one);
    cx inner = root(g, over(g, minus(g, a[0], one), above));
    return logarithm(g, plus(g, a[0], times(g, above, inner)));
}

/* log((1 + z)/(1 - z))/2 */
static cx fn_atanh(expr_graph *g, const cx *a)
{
    cx one = cx_number(g, 1.0, 0.0);
    cx inner = over(g, plus(g, one, a[0]), minus(g, one, a[0]));
    return scaled(g, expr_constant(g, 0.5), logarithm(g, inner));
}

static cx fn_asin(expr_graph *g, const cx *a)
{
    cx jz = times_j(g, a[0], 1);
    return times_j(g, fn_asinh(g, &jz), -1);
}

/* -j*log(z + j*sqrt(1 - z*z)) */
static cx fn_acos(expr_graph *g, const cx *a)
{
    cx inner = root(g, minus(g, cx_number(g, 1.0, 0.0), times(g, a[0], a[0])));
    return times_j(g, logarithm(g, plus(g, a[0], times_j(g, inner, 1))), -1);
}

static cx fn_atan(expr_graph *g, const cx *a)
{
    cx jz = times_j(g, a[0], 1);
    return times_j(g, fn_atanh(g, &jz), -1);
}

/* ---- values ---- */

/* The record Complex of the file, or a new one where the file declares none. */
static int32_t complex_record(library_site *s)
{
    context *in = s->in;
    int32_t name = context_intern(in, "Complex"), number = -1;
    if (in->interpreter->find_record(in, name, s->call->at, &number))
        return number;
    for (size_t i = 0; i < in->n_records; i++)
        if (in->record[i].name == name)
            return (int32_t)i;
    record r = {.name = name, .n = 2, .leaves = 2};
    r.member = arena_take(&in->c->mem, 2, sizeof *r.member);
    for (size_t i = 0; r.member && i < 2; i++)
        r.member[i] = (member){
            .name = context_intern(in, i ? "im" : "re"), .type = type_scalar(T_REAL), .offset = i};
    return r.member ? record_add(in, r) : -1;
}

typedef struct parts {
    value re, im; /* im has no elements if the number is real */
    type shape;
} parts;

static bool parts_of(library_site *s, int32_t k, parts *p)
{
    value v = s->arg[k];
    p->shape = v.type;
    p->re = p->im = v;
    if (v.type.base == T_RECORD) {
        p->re = value_member(s->in, v, context_intern(s->in, "re"), s->call->at);
        p->im = value_member(s->in, v, context_intern(s->in, "im"), s->call->at);
        return !is_bad(p->re) && !is_bad(p->im);
    }
    p->im.n = 0;
    if (value_is_numeric(v))
        return true;
    return context_error(s->in, s->call->at, "argument %d of %s is %s, not a number", (int)k + 1,
                         s->entry->name, type_text(s->in, v.type))
        .n;
}

static cx part(const library_site *s, const parts *p, size_t i)
{
    size_t at = p->shape.n_dims ? i : 0;
    return (cx){p->re.e[at], p->im.n ? p->im.e[at] : library_number(s, 0.0)};
}

static value complex_new(library_site *s, type shape)
{
    base_type base = s->entry->result == T_BAD ? T_RECORD : s->entry->result;
    shape.base = (uint8_t)base;
    shape.info = base == T_RECORD ? complex_record(s) : -1;
    if (base == T_RECORD && shape.info < 0)
        return (value){.type = type_scalar(T_BAD)};
    return value_new(s->in, shape);
}

static void complex_put(const library_site *s, value r, size_t i, cx z)
{
    if (r.type.base == T_RECORD) {
        const record *c = &s->in->record[r.type.info];
        r.e[i * c->leaves + c->member[0].offset] = z.re;
        r.e[i * c->leaves + c->member[1].offset] = z.im;
    } else {
        r.e[i] = z.re;
    }
}

/* Elementwise on arrays. */
static bool run_complex(library_site *s)
{
    parts p[LIBRARY_ARGS];
    cx a[LIBRARY_ARGS];
    type shape = type_scalar(T_REAL);
    for (int32_t k = 0; k < s->n_args; k++) {
        if (!parts_of(s, k, &p[k]))
            return false;
        if (p[k].shape.n_dims && shape.n_dims && !type_same_sizes(p[k].shape, shape))
            return context_error(s->in, s->call->at,
                                 "the arguments of %s are arrays of different sizes",
                                 s->entry->name)
                .n;
        shape = p[k].shape.n_dims ? p[k].shape : shape;
    }
    value r = complex_new(s, shape);
    for (size_t i = 0; !is_bad(r) && i < type_count(shape); i++) {
        for (int32_t k = 0; k < s->n_args; k++)
            a[k] = part(s, &p[k], i);
        complex_put(s, r, i, s->entry->complex(s->g, a));
    }
    return library_result(s, r);
}

/* sum, product, and the product of the conjugate of one vector with another. */
static bool run_complex_fold(library_site *s)
{
    parts p[2];
    bool is_product = s->entry->what == EXPR_MUL, is_pair = s->n_args == 2;
    if (!parts_of(s, 0, &p[0]) || (is_pair && !parts_of(s, 1, &p[1])))
        return false;
    if (is_pair && !type_same_sizes(p[0].shape, p[1].shape))
        return context_error(s->in, s->call->at,
                             "the arguments of %s are vectors of different sizes", s->entry->name)
            .n;
    cx all = cx_number(s->g, is_product, 0.0);
    for (size_t i = 0; i < type_count(p[0].shape); i++) {
        cx z = part(s, &p[0], i);
        if (is_pair)
            z = times(s->g, conjugate(s->g, z), part(s, &p[1], i));
        all = is_product ? times(s->g, all, z) : plus(s->g, all, z);
    }
    value r = complex_new(s, type_scalar(T_REAL));
    if (!is_bad(r))
        complex_put(s, r, 0, all);
    return library_result(s, r);
}

#define COMPLEX(text, names, function)                                                             \
    {                                                                                              \
        "Complex" text, names, run_complex, .complex = function                                    \
    }
#define MATH(text, names, function)                                                                \
    {                                                                                              \
        "Modelica.ComplexMath." text, names, run_complex, .complex = function                      \
    }
#define MATH_REAL(text, names, function)                                                           \
    {                                                                                              \
        "Modelica.ComplexMath." text, names, run_complex, .complex = function, .result = T_REAL    \
    }

const library_entry library_complex[] = {
    COMPLEX("", "re im=0", fn_make),
    COMPLEX(".constructor.fromReal", "re im=0", fn_make),
    COMPLEX(".0", "", fn_zero),
    COMPLEX(".-.negate", "c1", fn_negate),
    COMPLEX(".-.subtract", "c1 c2", fn_minus),
    COMPLEX(".+", "c1 c2", fn_plus),
    COMPLEX(".+.add", "c1 c2", fn_plus),
    COMPLEX(".*.multiply", "c1 c2", fn_times),
    {"Complex.*.scalarProduct", "c1 c2", .run = run_complex_fold, .what = EXPR_ADD},
    COMPLEX("./", "c1 c2", fn_over),
    COMPLEX(".^", "c1 c2", fn_power),
    {"Complex.==", "c1 c2", .run = run_complex, .complex = fn_equal, .result = T_BOOLEAN},
    {"Complex.<>", "c1 c2", .run = run_complex, .complex = fn_different, .result = T_BOOLEAN},
    MATH_REAL("real", "c", fn_real),
    MATH_REAL("imag", "c", fn_imag),
    MATH_REAL("abs", "c", fn_abs),
    MATH_REAL("arg", "c phi0=0", fn_arg),
    MATH("conj", "c1", fn_conj),
    MATH("fromPolar", "len phi", fn_polar),
    MATH("sqrt", "c1", fn_sqrt),
    MATH("exp", "c1", fn_exp),
    MATH("log", "c1", fn_log),
    MATH("sin", "c1", fn_sin),
    MATH("cos", "c1", fn_cos),
    MATH("tan", "c1", fn_tan),
    MATH("asin", "c1", fn_asin),
    MATH("acos", "c1", fn_acos),
    MATH("atan", "c1", fn_atan),
    MATH("sinh", "c1", fn_sinh),
    MATH("cosh", "c1", fn_cosh),
    MATH("tanh", "c1", fn_tanh),
    MATH("asinh", "c1", fn_asinh),
    MATH("acosh", "c1", fn_acosh),
    MATH("atanh", "c1", fn_atanh),
    {"Modelica.ComplexMath.sum", "v", .run = run_complex_fold, .what = EXPR_ADD},
    {"Modelica.ComplexMath.product", "v", .run = run_complex_fold, .what = EXPR_MUL},
};
const size_t n_library_complex = sizeof library_complex / sizeof *library_complex;
