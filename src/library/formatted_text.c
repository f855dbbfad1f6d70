/* library/formatted_text.c - see formatted_text.h.
 *
 * String(r, significantDigits, minimumLength, leftJustified) and String(r, format) for Real,
 * String(x, minimumLength, leftJustified) for everything else: Modelica 3.6, section 3.7.1. */
#include "library/formatted_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH_MAX = 1000, DIGITS_MAX = 50 };

typedef struct text_options {
    int64_t digits, length;
    bool is_left;
    const char *format; /* or NULL */
} text_options;

/* The value of an argument that must be known; false after an error. */
static bool constant_argument(context *in, const ast_expr *e, base_type wanted, value *v)
{
    *v = e ? evaluate(in, e) : bad_value;
    if (!e || is_bad(*v))
        return false;
    if (v->type.base == wanted && v->n == 1 && value_is_constant(in, *v))
        return true;
    return context_error(in, e->at, "this argument of String() must be a constant %s",
                         type_text(in, type_scalar(wanted)))
        .n;
}

static bool integer_argument(context *in, const ast_expr *e, int64_t most, int64_t *number)
{
    value v;
    if (!e)
        return true;
    if (!constant_argument(in, e, T_INTEGER, &v) || !value_integer(in, v, number))
        return false;
    if (*number >= 0 && *number <= most)
        return true;
    return context_error(in, e->at, "this argument of String() must lie in 0 .. %lld",
                         (long long)most)
        .n;
}

static bool read_options(context *in, const ast_expr *call, base_type base, text_options *to)
{
    const ast_expr *arg[5] = {NULL};
    value v;
    *to = (text_options){.digits = 6, .is_left = true};
    bool is_real = base == T_REAL, is_number = is_real || base == T_INTEGER;
    if (!builtin_args(in, call,
                      is_real     ? "r significantDigits minimumLength leftJustified format"
                      : is_number ? "i minimumLength leftJustified format"
                                  : "x minimumLength leftJustified",
                      1, arg))
        return false;
    const ast_expr **more = is_real ? arg + 2 : arg + 1;
    const ast_expr *format = is_number ? more[2] : NULL;
    if ((is_real && !integer_argument(in, arg[1], DIGITS_MAX, &to->digits)) ||
        !integer_argument(in, more[0], LENGTH_MAX, &to->length))
        return false;
    if (more[1] && !constant_argument(in, more[1], T_BOOLEAN, &v))
        return false;
    if (more[1])
        to->is_left = expr_value(in->g, v.e[0]) != 0.0;
    if (format && !constant_argument(in, format, T_STRING, &v))
        return false;
    if (format)
        to->format = context_name(in, (int32_t)expr_value(in->g, v.e[0]));
    return true;
}

/* The format without its last letter, as of printf: flags, length, digits; 0: it is another. */
static size_t format_length(const char *format)
{
    size_t n = strspn(format, "-+ 0#"), digits = strspn(format + n, "0123456789");
    bool fits = digits <= 3;
    n += digits;
    if (format[n] == '.') {
        digits = strspn(format + n + 1, "0123456789");
        fits = fits && digits <= 2;
        n += digits + 1;
    }
    return fits && format[n] && !format[n + 1] ? n : strlen(format);
}

static value by_format(context *in, const ast_expr *call, double x, base_type base,
                       const char *format)
{
    size_t n = format_length(format);
    bool of_integer = format[n] && strchr("dioxXuc", format[n]);
    bool of_real = format[n] && strchr("eEfgG", format[n]);
    char text[LENGTH_MAX + 400];
    if (!(base == T_INTEGER ? of_integer : of_real))
        return context_error(in, call->at, "String() knows no format '%s' of %s", format,
                             type_text(in, type_scalar(base)));
    const char *like = context_text(in, of_integer && format[n] != 'c' ? "%%%.*sll%c" : "%%%.*s%c",
                                    (int)n, format, format[n]);
    if (!like)
        return bad_value;
    if (of_integer && format[n] == 'c')
        snprintf(text, sizeof text, like, (int)x);
    else if (of_integer)
        snprintf(text, sizeof text, like, (long long)x);
    else
        snprintf(text, sizeof text, like, x);
    return value_text(in, context_text(in, "%s", text));
}

static const char *plain_text(context *in, value v, const text_options *o)
{
    double x = expr_value(in->g, v.e[0]);
    if (v.type.base == T_STRING)
        return context_name(in, (int32_t)x);
    if (v.type.base == T_BOOLEAN)
        return x != 0.0 ? "true" : "false";
    if (v.type.base == T_ENUM && x >= 1 && x <= in->m->enumerations[v.type.info].n)
        return context_name(in, in->m->enumerations[v.type.info].literals[(int)x - 1]);
    if (v.type.base == T_INTEGER)
        return context_text(in, "%.0f", x);
    return context_text(in, "%.*g", (int)o->digits, x);
}

value formatted_text(context *in, const ast_expr *call, value v)
{
    text_options o;
    if (!read_options(in, call, v.type.base, &o))
        return bad_value;
    if (o.format)
        return by_format(in, call, expr_value(in->g, v.e[0]), v.type.base, o.format);
    const char *text = plain_text(in, v, &o);
    size_t length = text ? strlen(text) : 0;
    if (!text || length >= (size_t)o.length)
        return text ? value_text(in, text) : bad_value;
    return value_text(in, context_text(in, o.is_left ? "%-*s" : "%*s", (int)o.length, text));
}
