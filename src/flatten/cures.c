/* flatten/cures.c - see flattener.h: what to write instead of names of other languages.
 *
 * New users write names that they know from elsewhere.  For these the message about an unknown name
 * says what the same thing is called here.                                        */
#include "flatten/flattener.h"

#include <ctype.h>
#include <string.h>

typedef struct cure {
    const char *name; /* in lower case */
    const char *text;
} cure;

static const cure TYPES[] = {{"double", "write 'Real'"},
                             {"float", "write 'Real'"},
                             {"real", "write 'Real'"},
                             {"number", "write 'Real'"},
                             {"numeric", "write 'Real'"},
                             {"var", "write 'Real', or 'Integer' or 'Boolean'"},
                             {"variable", "write 'Real', or 'Integer' or 'Boolean'"},
                             {"let", "write 'Real', or 'Integer' or 'Boolean'"},
                             {"state", "write 'Real'"},
                             {"int", "write 'Integer'"},
                             {"integer", "write 'Integer'"},
                             {"long", "write 'Integer'"},
                             {"bool", "write 'Boolean'"},
                             {"boolean", "write 'Boolean'"},
                             {"logical", "write 'Boolean'"},
                             {"string", "write 'String'"},
                             {"str", "write 'String'"},
                             {"char", "write 'String'"},
                             {"equations", "the word is 'equation'"},
                             {"equation", "the word is 'equation'"},
                             {"param", "write 'parameter Real'"},
                             {"const", "write 'constant Real'"}};

static const cure FUNCTIONS[] = {{"ln", "the natural logarithm is log(x)"},
                                 {"log2", "write log(x)/log(2)"},
                                 {"lg", "the decimal logarithm is log10(x)"},
                                 {"pow", "a power is written x^y"},
                                 {"power", "a power is written x^y"},
                                 {"sqr", "a square is written x^2"},
                                 {"square", "a square is written x^2"},
                                 {"fabs", "write abs(x)"},
                                 {"tg", "write tan(x)"},
                                 {"arcsin", "write asin(x)"},
                                 {"arccos", "write acos(x)"},
                                 {"arctan", "write atan(x)"},
                                 {"arctan2", "write atan2(y, x)"},
                                 {"sgn", "write sign(x)"},
                                 {"signum", "write sign(x)"},
                                 {"round", "write floor(x + 0.5)"},
                                 {"fmod", "write mod(x, y)"},
                                 {"fmax", "write max(x, y)"},
                                 {"fmin", "write min(x, y)"},
                                 {"heaviside", "write if x > 0 then 1 else 0"},
                                 {"step", "write if time >= t0 then 1 else 0"},
                                 {"diff", "a derivative is written der(x)"},
                                 {"ddt", "a derivative is written der(x)"},
                                 {"dt", "a derivative is written der(x)"},
                                 {"d", "a derivative is written der(x)"},
                                 {"derivative", "a derivative is written der(x)"},
                                 {"der2", "introduce a variable: v = der(x), then der(v)"},
                                 {"and", "write a and b"},
                                 {"or", "write a or b"},
                                 {"not", "write not a"},
                                 {"ifelse", "write if c then a else b"},
                                 {"iif", "write if c then a else b"}};

static const cure NAMES[] = {
    {"t", "the time is 'time'"},
    {"time", "the time is 'time'"},
    {"pi", "write Modelica.Constants.pi, or declare it: constant Real pi = 3.141592653589793;"},
    {"e", "Euler's number is exp(1), and e^x is exp(x)"},
    {"true", "write true"},
    {"false", "write false"},
    {"dt", "a derivative is written der(x)"}};

static const char *in_table(const cure *table, size_t n, const char *name)
{
    char lower[64];
    size_t k = 0;
    for (; name[k] && k + 1 < sizeof lower; k++)
        lower[k] = (char)tolower((unsigned char)name[k]);
    lower[k] = '\0';
    for (size_t i = 0; i < n && !name[k]; i++)
        if (strcmp(table[i].name, lower) == 0)
            return table[i].text;
    return NULL;
}

static bool is_variable(flattener *f, const char *name)
{
    int32_t id = *name ? context_intern(f->in, name) : INTERN_NONE;
    return id != INTERN_NONE && ids_grow(f) && component_named(f, id);
}

/* The part of `name` between these ends, into `inner`; false: it has other ends. */
static bool is_between(const char *name, const char *begin, const char *end, char inner[64])
{
    size_t n = strlen(name), a = strlen(begin), b = strlen(end);
    if (n <= a + b || n - a - b >= 64 || strncmp(name, begin, a) != 0 ||
        strcmp(name + n - b, end) != 0)
        return false;
    memcpy(inner, name + a, n - a - b);
    inner[n - a - b] = '\0';
    return true;
}

/* dx in dx/dt, xdot and the like, where x is declared. */
static const char *derivative_cure(flattener *f, const char *name)
{
    static const char *const ends[][2] = {{"d", ""},     {"d", "dt"},   {"d", "_dt"}, {"", "dot"},
                                          {"", "_dot"},  {"der_", ""},  {"dot_", ""}, {"D", ""},
                                          {"", "_dash"}, {"", "_prime"}};
    char inner[64];
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        if (is_between(name, ends[k][0], ends[k][1], inner) && is_variable(f, inner))
            return context_text(f->in, "the derivative of %s is written der(%s)", inner, inner);
    return NULL;
}

static const char *library_cure(flattener *f, const char *what, const char *name)
{
    const char *last = strrchr(name, '.');
    if (strncmp(name, "Modelica.", 9) != 0 || !last)
        return NULL;
    if (strcmp(what, "type") == 0)
        return context_text(f->in, "declare it: type %s = Real(unit = \"...\");", last + 1);
    return "the Modelica library is not included";
}

static const char *variable_called(flattener *f, const char *name)
{
    if (!is_variable(f, name))
        return NULL;
    return context_text(f->in,
                        "'%s' is a variable: a subscript is written %s[1], a product %s*y, and a "
                        "start value Real %s(start = 1, fixed = true)",
                        name, name, name, name);
}

/* np.sin: the name without the library of another language, or NULL. */
static const char *without_library(const char *name)
{
    static const char *const libraries[] = {"np.", "numpy.", "math.", "Math.", "cmath.", "std."};
    for (size_t k = 0; k < sizeof libraries / sizeof *libraries; k++)
        if (strncmp(name, libraries[k], strlen(libraries[k])) == 0)
            return name + strlen(libraries[k]);
    return NULL;
}

/* Functions are called by their own name: np.sin is sin. */
static const char *library_function(flattener *f, const char *name)
{
    const char *own = without_library(name);
    const char *found = own ? in_table(FUNCTIONS, sizeof FUNCTIONS / sizeof *FUNCTIONS, own) : NULL;
    for (size_t k = 0; own && !found && builtin_name(k); k++)
        if (strcmp(builtin_name(k), own) == 0)
            found = context_text(f->in, "write %s(...)", own);
    return found;
}

const char *cure_of(flattener *f, const char *what, const char *name)
{
    const char *found = NULL;
    if (strcmp(what, "type") == 0)
        found = in_table(TYPES, sizeof TYPES / sizeof *TYPES, name);
    else if (strcmp(what, "function") == 0) {
        found = variable_called(f, name);
        if (!found)
            found = in_table(FUNCTIONS, sizeof FUNCTIONS / sizeof *FUNCTIONS, name);
        if (!found)
            found = library_function(f, name);
    } else if (strcmp(what, "name") == 0) {
        const char *own = without_library(name);
        found = in_table(NAMES, sizeof NAMES / sizeof *NAMES, own ? own : name);
        if (!found)
            found = derivative_cure(f, name);
    }
    return found ? found : library_cure(f, what, name);
}
