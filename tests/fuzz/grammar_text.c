/* fuzz/grammar_text.c - see grammar_text.h.
 *
 * A production is a text in which %R stands for a Real expression, %I, %B for Integer and Boolean
 * ones, %V for a vector of three, %M for a matrix, %S for statements, %N for a number, %T for a
 * positive constant, %A for an attribute and %C for a condition of a when-clause.       */
#include "grammar_text.h"

#include <string.h>

enum { DEPTH_MAX = 5 };

typedef struct rule {
    char symbol;
    const char *const *production;
    size_t n, n_leaves; /* the first n_leaves contain no symbols */
} rule;

static const char *const reals[] = {"x1",
                                    "x2",
                                    "x3",
                                    "p1",
                                    "1.5",
                                    "time",
                                    "0.25",
                                    "v1[2]",
                                    "r1.a",
                                    "k1",
                                    "y1",
                                    "x4",
                                    "(%R + %R)",
                                    "(%R - %R)",
                                    "%R*%R",
                                    "%R/(1 + abs(%R))",
                                    "-(%R)",
                                    "(%R)^2",
                                    "sin(%R)",
                                    "exp(-abs(%R))",
                                    "sqrt(abs(%R))",
                                    "max(%R, %R)",
                                    "min(%R, %R)",
                                    "(if %B then %R else %R)",
                                    "noEvent(if %B then %R else %R)",
                                    "smooth(0, if %B then %R else %R)",
                                    "sum(%V)",
                                    "%V*%V",
                                    "%V[%I3]",
                                    "half(%R)",
                                    "norm3(%V)",
                                    "power(%R, n = %I3)",
                                    "delay(%R, %T)",
                                    "atan2(%R, 2 + %R^2)",
                                    "log(1 + (%R)^2)",
                                    "tanh(%R)",
                                    "semiLinear(%R, %T, %T)",
                                    "homotopy(%R, %R)",
                                    "abs(%R)",
                                    "mod(%R, %T)",
                                    "floor(%R)",
                                    "product({%R, %R})",
                                    "m1[1, 2]",
                                    "scalar([%R])",
                                    "pre(d1)",
                                    "d1",
                                    "(%R)^%R",
                                    "log(%R)",
                                    "der(x1)",
                                    "%B",
                                    "x9",
                                    "%R/%R",
                                    "v1"};
static const char *const integers[] = {"k1",
                                       "2",
                                       "n1",
                                       "size(v1, 1)",
                                       "0",
                                       "-3",
                                       "(%I + %I)",
                                       "%I*%I",
                                       "div(%I, 2)",
                                       "rem(%I, 3)",
                                       "mod(%I, 4)",
                                       "integer(%R)",
                                       "(if %B then %I else %I)",
                                       "pre(k1)",
                                       "max(%I, %I)",
                                       "size(m1, %I3)",
                                       "Integer(e1)",
                                       "%R"};
static const char *const booleans[] = {
    "b1",        "true",        "false",       "initial()",       "(%R > %R)",      "(%R <= %R)",
    "(%R < %T)", "(time > %T)", "(%B and %B)", "(%B or %B)",      "not %B",         "pre(b1)",
    "edge(b1)",  "change(k1)",  "(%I == %I)",  "(e1 == Mode.on)", "sample(%T, %T)", "(%I <> %I)",
    "%R",        "(%R == %R)"};
static const char *const vectors[] = {"v1",
                                      "{1, 2, 3}",
                                      "zeros(3)",
                                      "fill(%R, 3)",
                                      "{%R, %R, %R}",
                                      "(%V + %V)",
                                      "%R*%V",
                                      "(%V - %V)",
                                      "cross(%V, %V)",
                                      "{i*%R for i in 1:3}",
                                      "linspace(%R, %R, 3)",
                                      "sin(%V)",
                                      "%V .* %V",
                                      "cat(1, {%R}, {%R, %R})",
                                      "v1[{3, 1, 2}]",
                                      "v1[end:-1:1]",
                                      "%M*{%R, %R}",
                                      "vector(%M)",
                                      "%R"};
static const char *const matrices[] = {"m1",
                                       "identity(2)",
                                       "[1, 2; 3, 4]",
                                       "[%R, %R; %R, %R]",
                                       "transpose(%M)",
                                       "%M*%M",
                                       "(%M + %M)",
                                       "diagonal({%R, %R})",
                                       "%R*%M",
                                       "outerProduct({%R, %R}, {%R, %R})",
                                       "symmetric(%M)",
                                       "%V"};
static const char *const conditions[] = {
    "b1", "initial()", "%B", "{%B, %B}", "sample(0, %T)", "%R > %R", "edge(b1)", "time >= %T"};
static const char *const numbers[] = {"0",    "1",   "-2.5",  "1e-3", "7",
                                      "3.25", "1e6", "1e300", "-0.0"};
static const char *const constants[] = {"0.1", "0.25", "1", "0.5", "p1", "2*p2"};
static const char *const subscripts[] = {"1", "2", "3", "n1", "4"};
static const char *const attributes[] = {"start = %N",
                                         "start = %N, fixed = true",
                                         "min = -10, max = 10",
                                         "unit = \"m\"",
                                         "nominal = 10",
                                         "start = p1",
                                         "fixed = true",
                                         "stateSelect = StateSelect.always",
                                         "start = true",
                                         "unit = 3",
                                         "foo = 1"};
static const char *const statements[] = {
    "w := %L;",
    "y := %L;",
    "w := w + %L;",
    "if %L > 0 then\n %S else\n %S end if;",
    "for i in 1:3 loop\n w := w + i*%L;\n end for;",
    "while w > 2 loop\n w := w/2;\n end while;",
    "if w > 5 then\n return;\n end if;",
    "for i in {1, 3, 5} loop\n if i > 4 then\n break;\n end if;\n y := y + i;\n end for;",
    "assert(w < 1e9, \"large\");"};
static const char *const locals[] = {"x",        "w",       "y",
                                     "1",        "0.5",     "(%L + %L)",
                                     "%L*%L",    "sin(%L)", "(if %L > %L then %L else %L)",
                                     "half(%L)", "x1"};

/* One of these for each variable. */
static const char *const of_x1[] = {
    "der(x1) = %R;",
    "der(x1) = -x1 + %R;",
    "der(x1) = x2;\n  when %C then\n    reinit(x1, %R);\n  end when;",
    "der(x1)^3 + der(x1) = %R;",
    "x1 + x3 = %R;",
    "x1 = %R;"};
static const char *const of_x2[] = {
    "x2 = %R;",
    "x2 + %T*x2^3 = %R;",
    "if %B then\n    x2 = %R;\n  elseif %B then\n    x2 = %R;\n  else\n    x2 = %R;\n  end if;",
    "%R = x2 + %R;",
    "x2 = delay(x1, %T) + %R;",
    "0 = x2 - (%R);"};
static const char *const of_x3[] = {"der(x3) = x2 - x3;", "x3 = x1;", "x3 = -x2;",
                                    "der(x3) = %R;",      "x3 = %R;", ""};
static const char *const of_b1[] = {
    "b1 = %B;",
    "when %C then\n    b1 = %B;\n  elsewhen %C then\n    b1 = not pre(b1);\n  end when;",
    "b1 = x1 > %R;", "b1 = not pre(b1);"};
static const char *const of_k1[] = {"k1 = %I;", "when %C then\n    k1 = pre(k1) + 1;\n  end when;",
                                    "k1 = if %B then %I else %I;", "k1 = %R;"};
static const char *const of_d1[] = {
    "when %C then\n    d1 = %R;\n  end when;",
    "when %C then\n    d1 = pre(d1) + %R;\n  elsewhen %C then\n    d1 = 0;\n  end when;",
    "d1 = %R;"};
static const char *const of_v1[] = {
    "v1 = %V;", "der(v1) = %V - v1;", "for i in 1:3 loop\n    v1[i] = i*%R;\n  end for;",
    "for i loop\n    v1[i] = i*%R;\n  end for;", "v1[1] = %R;\n  v1[2:3] = {%R, %R};"};
static const char *const of_m1[] = {"m1 = %M;", "m1[1, :] = {%R, %R};\n  m1[2, :] = {%R, %R};",
                                    "der(m1) = %M;"};
static const char *const of_r1[] = {"r1.a = %R;\n  r1.b = %R;", "r1 = Pair(%R, %R);",
                                    "r1 = Pair(b = %R, a = %R);"};
static const char *const of_e1[] = {
    "e1 = if %B then Mode.on else Mode.off;",
    "when %C then\n    e1 = Mode.on;\n  elsewhen %C then\n    e1 = Mode.off;\n  end when;"};
static const char *const of_y1[] = {"(y1, x4) = two(%R, %R);", "y1 = %R;\n  x4 = %R;",
                                    "(y1, ) = two(%R, %R);\n  x4 = y1;"};
static const char *const others[] = {"",
                                     "",
                                     "",
                                     "assert(%B, \"a message\", AssertionLevel.warning);",
                                     "when %C then\n    terminate(\"end\");\n  end when;",
                                     "x1 = x2;",
                                     "assert(%B, \"x is \" + String(x1));"};
static const char *const initials[] = {"", "", "initial equation\n  x1 = %R;\n",
                                       "initial equation\n  der(x1) = 0;\n",
                                       "initial algorithm\n  d1 := %R;\n"};

#define RULE(symbol, list, leaves)                                                                 \
    {                                                                                              \
        symbol, list, sizeof(list) / sizeof *(list), leaves                                        \
    }
static const rule RULES[] = {
    RULE('R', reals, 12),     RULE('I', integers, 6),   RULE('B', booleans, 4),
    RULE('V', vectors, 3),    RULE('M', matrices, 3),   RULE('C', conditions, 2),
    RULE('N', numbers, 9),    RULE('T', constants, 6),  RULE('3', subscripts, 5),
    RULE('A', attributes, 0), RULE('S', statements, 0), RULE('L', locals, 5)};
static const rule VARIABLES[] = {RULE('x', of_x1, 0), RULE('x', of_x2, 0), RULE('x', of_x3, 0),
                                 RULE('b', of_b1, 0), RULE('k', of_k1, 0), RULE('d', of_d1, 0),
                                 RULE('v', of_v1, 0), RULE('m', of_m1, 0), RULE('r', of_r1, 0),
                                 RULE('e', of_e1, 0), RULE('y', of_y1, 0), RULE('o', others, 0)};

typedef struct writer {
    uint8_t *bytes;
    size_t size, room;
    uint64_t state;
} writer;

static size_t below(writer *w, size_t limit)
{
    w->state ^= w->state >> 12;
    w->state ^= w->state << 25;
    w->state ^= w->state >> 27;
    return (size_t)((w->state * 0x2545F4914F6CDD1Du) >> 33) % limit;
}

static void put(writer *w, const char *text, size_t n)
{
    if (n > w->room - w->size)
        n = w->room - w->size;
    memcpy(w->bytes + w->size, text, n);
    w->size += n;
}

static void expand(writer *w, const char *text, int depth);

static void expand_symbol(writer *w, char symbol, int depth)
{
    for (size_t k = 0; k < sizeof RULES / sizeof *RULES; k++) {
        const rule *r = &RULES[k];
        if (r->symbol != symbol)
            continue;
        size_t n = depth >= DEPTH_MAX && r->n_leaves ? r->n_leaves : r->n;
        size_t chosen = below(w, n);
        if (chosen + 4 >= r->n && below(w, 3) > 0) /* the last ones are wrong, or hard: rarer */
            chosen = below(w, n > 4 ? n - 4 : n);
        if (depth <= DEPTH_MAX + 2)
            expand(w, r->production[chosen], depth + 1);
        else
            put(w, "w := 1;", symbol == 'S' ? 7 : 0);
        return;
    }
}

/* %I3 is a subscript. */
static void expand(writer *w, const char *text, int depth)
{
    while (*text) {
        const char *mark = strchr(text, '%');
        size_t n = mark ? (size_t)(mark - text) : strlen(text);
        put(w, text, n);
        text += n;
        if (!mark)
            return;
        if (text[1] == 'I' && text[2] == '3') {
            expand_symbol(w, '3', depth);
            text += 3;
        } else {
            expand_symbol(w, text[1], depth);
            text += 2;
        }
    }
}

static void expand_one(writer *w, const rule *r)
{
    expand(w, r->production[below(w, r->n)], 0);
    put(w, "\n", 1);
}

static const char functions[] =
    "record Pair\n  Real a;\n  Real b;\nend Pair;\n"
    "function half\n  input Real x;\n  output Real y;\nprotected\n  Real w = 1;\nalgorithm\n  y := "
    "x/2;\n  %S\nend half;\n"
    "function power\n  input Real x;\n  input Integer n = 2;\n  output Real y = 1;\nalgorithm\n  "
    "for i in 1:n loop\n    y := y*x;\n  end for;\nend power;\n"
    "function norm3\n  input Real x[:];\n  output Real y;\nalgorithm\n  y := sqrt(x*x + 0.1);\nend "
    "norm3;\n"
    "function two\n  input Real x;\n  input Real u;\n  output Real y;\n  output Real "
    "w;\nalgorithm\n  y := x + u;\n  w := 1;\n  %S\n  %S\nend two;\n";
static const char declarations[] =
    "model G\n  parameter Real p1 = 0.5, p2 = 2*p1;\n  parameter Integer n1 = 3;\n  type Mode = "
    "enumeration(off, on);\n"
    "  Real x1(%A), x2, x3(%A), x4, y1;\n  Real v1[3], m1[2, 2];\n  discrete Real d1(start = 0, "
    "fixed = true);\n  Integer k1(start = 0, fixed = true);\n"
    "  Boolean b1(start = false, fixed = true);\n  Mode e1(start = Mode.off, fixed = true);\n  "
    "Pair r1;\n";

size_t grammar_text(uint8_t *bytes, size_t room, uint64_t seed)
{
    writer w = {bytes, 0, room, seed * 0x9E3779B97F4A7C15u + 1};
    expand(&w, functions, 2);
    expand(&w, declarations, 3);
    expand(&w, initials[below(&w, sizeof initials / sizeof *initials)], 2);
    put(&w, "equation\n", 9);
    for (size_t k = 0; k < sizeof VARIABLES / sizeof *VARIABLES; k++) {
        put(&w, "  ", 2);
        expand_one(&w, &VARIABLES[k]);
    }
    expand(&w, "end G;\n", 0);
    return w.size;
}
