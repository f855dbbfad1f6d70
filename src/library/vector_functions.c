/* library/vector_functions.c - see function_table.h: functions of vectors and of Boolean vectors,
 * polynomials, polyphase systems.                                                */
#include "library/function_table.h"

/* ---- what they share ---- */

static bool result_scalar(library_site *s, base_type base, expr e)
{
    return library_result(s, value_scalar(s->in, base, e));
}

static bool integer_between(library_site *s, int32_t k, int64_t least, int64_t most, int64_t *n)
{
    if (!library_integer(s, k, n))
        return false;
    if (*n >= least && *n <= most)
        return true;
    return context_error(s->in, s->call->at, "argument %d of %s cannot be %lld", (int)k + 1,
                         s->entry->name, (long long)*n)
        .n;
}

static value vector_new(library_site *s, base_type base, size_t n)
{
    return value_new(s->in, type_array(type_scalar(base), 1, (int32_t[]){(int32_t)n}));
}

/* ---- vectors ---- */

static expr length_of(const library_site *s, value v)
{
    expr sum = library_number(s, 0.0);
    for (size_t i = 0; i < v.n; i++)
        sum = expr_add(s->g, sum, expr_mul(s->g, v.e[i], v.e[i]));
    return expr_make1(s->g, EXPR_SQRT, sum);
}

static bool run_length(library_site *s)
{
    return library_vector(s, 0, 1) && result_scalar(s, T_REAL, length_of(s, s->arg[0]));
}

static expr norm_of(const library_site *s, value v, expr p)
{
    enum { NOT_KNOWN = -1 };
    const double infinite = 1e60; /* the least that tools take for Modelica.Constants.inf */
    double order = expr_is_constant(s->g, p) ? expr_value(s->g, p) : NOT_KNOWN;
    expr sum = library_number(s, 0.0);
    if (order == 2.0)
        return length_of(s, v);
    for (size_t i = 0; i < v.n; i++) {
        expr size = expr_make1(s->g, EXPR_ABS, v.e[i]);
        if (order >= infinite)
            sum = expr_make2(s->g, EXPR_MAX, sum, size);
        else
            sum = expr_add(s->g, sum, expr_pow(s->g, size, p));
    }
    if (order >= infinite)
        return sum;
    return expr_pow(s->g, sum, expr_div(s->g, library_number(s, 1.0), p));
}

static bool run_norm(library_site *s)
{
    return library_vector(s, 0, 1) && library_vector(s, 1, 0) &&
           result_scalar(s, T_REAL, norm_of(s, s->arg[0], s->arg[1].e[0]));
}

static bool divided(library_site *s, expr by)
{
    value r = vector_new(s, T_REAL, s->arg[0].n);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = expr_div(s->g, s->arg[0].e[i], by);
    return library_result(s, r);
}

/* v/length(v), or v/eps where the length is below eps. */
static bool run_normalize(library_site *s)
{
    if (!library_vector(s, 0, 1) || !library_vector(s, 1, 0))
        return false;
    expr length = length_of(s, s->arg[0]), eps = s->arg[1].e[0];
    return divided(s, expr_if(s->g, expr_make2(s->g, EXPR_GE, length, eps), length, eps));
}

/* The syntax length(v) > 0 with the argument of this call. */
static ast_expr *is_long(library_site *s)
{
    ast_expr *chain = library_node(s, AST_CHAIN), *zero = library_node(s, AST_REAL);
    ast_expr **item = arena_take(s->in->is_numeric ? s->in->mem : &s->in->c->mem, 2, sizeof *item);
    ast_expr *length = library_syntax(s, "Modelica.Math.Vectors.length", s->call->arg, 1);
    if (!chain || !zero || !item || !length)
        return NULL;
    zero->joint = AST_GT;
    item[0] = length;
    item[1] = zero;
    chain->n = 2;
    chain->item = item;
    return chain;
}

static bool run_normalize_checked(library_site *s)
{
    static const char text[] = "Vectors.normalizeWithAssert: the vector has length 0";
    ast_expr *message = library_node(s, AST_STRING);
    if (!library_vector(s, 0, 1) || !message)
        return false;
    message->text = text;
    message->n = (int32_t)sizeof text - 1;
    library_assert(s, is_long(s), message);
    return divided(s, length_of(s, s->arg[0]));
}

static bool run_reverse(library_site *s)
{
    if (!library_vector(s, 0, 1))
        return false;
    value v = s->arg[0], r = value_new(s->in, v.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = v.e[v.n - 1 - i];
    return library_result(s, r);
}

static void exchange(expr_graph *g, expr condition, expr *a, expr *b)
{
    expr first = expr_if(g, condition, *b, *a);
    *b = expr_if(g, condition, *a, *b);
    *a = first;
}

/* A bubble sort: the same neighbours are compared whatever the values are, so that the order may
 * depend on variables. Constants fold. */
static bool run_sort(library_site *s)
{
    enum { SORTED_MOST = 200 };
    if (!library_vector(s, 0, 1) || !library_vector(s, 1, 0))
        return false;
    value v = value_new(s->in, s->arg[0].type), index = vector_new(s, T_INTEGER, s->arg[0].n);
    if (is_bad(v) || is_bad(index))
        return false;
    if (v.n > SORTED_MOST)
        return context_error(s->in, s->call->at, "Vectors.sort can sort at most %d elements",
                             SORTED_MOST)
            .n;
    for (size_t i = 0; i < v.n; i++) {
        v.e[i] = s->arg[0].e[i];
        index.e[i] = library_number(s, (double)i + 1.0);
    }
    for (size_t last = v.n; last > 1; last--)
        for (size_t i = 0; i + 1 < last; i++) {
            expr wrong =
                expr_if(s->g, s->arg[1].e[0], expr_make2(s->g, EXPR_GT, v.e[i], v.e[i + 1]),
                        expr_make2(s->g, EXPR_LT, v.e[i], v.e[i + 1]));
            exchange(s->g, wrong, &v.e[i], &v.e[i + 1]);
            exchange(s->g, wrong, &index.e[i], &index.e[i + 1]);
        }
    return library_result(s, v) && library_result(s, index);
}

static expr is_near(const library_site *s, expr a, expr b, expr eps)
{
    return expr_make2(s->g, EXPR_LE, expr_make1(s->g, EXPR_ABS, expr_sub(s->g, a, b)), eps);
}

/* Vectors and matrices of any sizes. */
static bool run_is_equal(library_site *s)
{
    value a = s->arg[0], b = s->arg[1];
    if (!library_vector(s, 0, s->entry->what) || !library_vector(s, 1, s->entry->what) ||
        !library_vector(s, 2, 0))
        return false;
    bool fits = type_same_sizes(a.type, b.type);
    expr all = library_number(s, fits);
    for (size_t i = 0; fits && i < a.n; i++)
        all = expr_make2(s->g, EXPR_AND, all, is_near(s, a.e[i], b.e[i], s->arg[2].e[0]));
    return result_scalar(s, T_BOOLEAN, all);
}

static bool run_find(library_site *s)
{
    if (!library_vector(s, 0, 0) || !library_vector(s, 1, 1) || !library_vector(s, 2, 0))
        return false;
    expr place = library_number(s, 0.0);
    for (size_t i = s->arg[1].n; i-- > 0;)
        place = expr_if(s->g, is_near(s, s->arg[1].e[i], s->arg[0].e[0], s->arg[2].e[0]),
                        library_number(s, (double)i + 1.0), place);
    return result_scalar(s, T_INTEGER, place);
}

/* ---- vectors of Booleans ---- */

static bool booleans_needed(library_site *s)
{
    if (s->arg[0].n == 0)
        s->arg[0].type.base = T_BOOLEAN;
    return library_vector(s, 0, 1);
}

/* allTrue and anyTrue are false for an empty vector, andTrue is true. */
static bool run_all_any(library_site *s)
{
    if (!booleans_needed(s))
        return false;
    value b = s->arg[0];
    expr all =
        library_number(s, s->entry->what == EXPR_AND && (b.n > 0 || s->entry->offset != 0.0));
    for (size_t i = 0; i < b.n; i++)
        all = expr_make2(s->g, (expr_op)s->entry->what, all, b.e[i]);
    return result_scalar(s, T_BOOLEAN, all);
}

/* count[i] is the number of true elements before element i, count[n] that of all. */
static bool counted(library_site *s, expr *count)
{
    value b = s->arg[0];
    count[0] = library_number(s, 0.0);
    for (size_t i = 0; i < b.n; i++)
        count[i + 1] = expr_add(
            s->g, count[i], expr_if(s->g, b.e[i], library_number(s, 1.0), library_number(s, 0.0)));
    return true;
}

static bool run_count(library_site *s)
{
    bool is_one = s->entry->what == 1;
    expr *count = arena_take(s->in->mem, s->arg[0].n + 1, sizeof *count);
    if (!booleans_needed(s) || !count || !counted(s, count))
        return false;
    expr all = count[s->arg[0].n];
    return is_one
               ? result_scalar(s, T_BOOLEAN, expr_make2(s->g, EXPR_EQ, all, library_number(s, 1.0)))
               : result_scalar(s, T_INTEGER, all);
}

static bool run_enumerate(library_site *s)
{
    expr *count = arena_take(s->in->mem, s->arg[0].n + 1, sizeof *count);
    if (!booleans_needed(s) || !count || !counted(s, count))
        return false;
    value r = vector_new(s, T_INTEGER, s->arg[0].n);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = expr_if(s->g, s->arg[0].e[i], count[i + 1], library_number(s, 0.0));
    return library_result(s, r);
}

static bool run_first_true(library_site *s)
{
    if (!booleans_needed(s))
        return false;
    expr place = library_number(s, 0.0);
    for (size_t i = s->arg[0].n; i-- > 0;)
        place = expr_if(s->g, s->arg[0].e[i], library_number(s, (double)i + 1.0), place);
    return result_scalar(s, T_INTEGER, place);
}

static bool run_true_places(library_site *s)
{
    if (!booleans_needed(s))
        return false;
    value b = s->arg[0];
    if (!value_is_constant(s->in, b))
        return context_error(s->in, s->call->at,
                             "BooleanVectors.index needs constants: its size is "
                             "the number of true elements")
            .n;
    value r = vector_new(s, T_INTEGER, b.n);
    size_t n = 0;
    for (size_t i = 0; !is_bad(r) && i < b.n; i++)
        if (expr_value(s->g, b.e[i]) != 0.0)
            r.e[n++] = library_number(s, (double)i + 1.0);
    r.n = n;
    r.type.dim[0] = (int32_t)n;
    return library_result(s, r);
}

/* ---- polynomials and polyphase systems ---- */

/* p[1]*u^(n-1) + ... + p[n] by Horner's rule. */
static bool run_polynomial(library_site *s)
{
    if (!library_vector(s, 0, 1) || !library_vector(s, 1, 0))
        return false;
    expr y = library_number(s, 0.0);
    for (size_t i = 0; i < s->arg[0].n; i++)
        y = expr_add(s->g, s->arg[0].e[i], expr_mul(s->g, s->arg[1].e[0], y));
    return result_scalar(s, T_REAL, y);
}

static expr integral_to(const library_site *s, value p, expr u)
{
    expr y = library_number(s, 0.0);
    for (size_t i = 0; i < p.n; i++) {
        expr term = expr_div(s->g, p.e[i], library_number(s, (double)(p.n - i)));
        y = expr_mul(s->g, u, expr_add(s->g, term, y));
    }
    return y;
}

static bool run_polynomial_integral(library_site *s)
{
    if (!library_vector(s, 0, 1) || !library_vector(s, 1, 0) || !library_vector(s, 2, 0))
        return false;
    expr high = integral_to(s, s->arg[0], s->arg[1].e[0]);
    return result_scalar(s, T_REAL,
                         expr_sub(s->g, high, integral_to(s, s->arg[0], s->arg[2].e[0])));
}

/* The angle of phase k of m. For odd m the phases are evenly spread; for even m they are those of
 * m/2, and the same turned back by pi/m; 2 phases are at right angles. m is halved from the top
 * for phase k alone. */
static double phase_angle(int64_t m, int64_t k)
{
    double turned = 0.0;
    for (; m % 2 == 0 && m > 2; m /= 2)
        if (k >= m / 2) {
            k -= m / 2;
            turned += LIBRARY_PI / (double)m;
        }
    double angle = m == 2 ? (double)k * LIBRARY_PI / 2.0 : (double)k * 2.0 * LIBRARY_PI / (double)m;
    return angle - turned;
}

static bool run_orientation(library_site *s)
{
    enum { PHASES_MAX = 10000 };
    int64_t m = 0;
    if (!integer_between(s, 0, 1, PHASES_MAX, &m))
        return false;
    value r = vector_new(s, T_REAL, (size_t)m);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = library_number(s, phase_angle(m, (int64_t)i));
    return library_result(s, r);
}

#define VECTORS "Modelica.Math.Vectors."
#define BOOLEANS "Modelica.Math.BooleanVectors."

const library_entry library_vectors[] = {
    {VECTORS "length", "v", .run = run_length},
    {VECTORS "norm", "v p=2", .run = run_norm},
    {VECTORS "normalize", "v eps=2.220446049250313e-14", .run = run_normalize},
    {VECTORS "normalizeWithAssert", "v", .run = run_normalize_checked},
    {VECTORS "reverse", "v", .run = run_reverse},
    {VECTORS "sort", "v ascending=true", .run = run_sort},
    {VECTORS "isEqual", "v1 v2 eps=0", .run = run_is_equal, .what = 1},
    {VECTORS "find", "e v eps=0", .run = run_find},
    {"Modelica.Math.Matrices.isEqual", "M1 M2 eps=0", .run = run_is_equal, .what = 2},
    {BOOLEANS "allTrue", "b", .run = run_all_any, .what = EXPR_AND},
    {BOOLEANS "andTrue", "b", .run = run_all_any, .what = EXPR_AND, .offset = 1.0},
    {BOOLEANS "anyTrue", "b", .run = run_all_any, .what = EXPR_OR},
    {BOOLEANS "oneTrue", "b", .run = run_count, .what = 1},
    {BOOLEANS "countTrue", "b", .run = run_count},
    {BOOLEANS "enumerate", "b", .run = run_enumerate},
    {BOOLEANS "firstTrueIndex", "b", .run = run_first_true},
    {BOOLEANS "index", "b", .run = run_true_places},
    {"Modelica.Math.Polynomials.evaluate", "p u", .run = run_polynomial},
    {"Modelica.Math.Polynomials.integralValue", "p u_high u_low=0", .run = run_polynomial_integral},
    {"Modelica.Electrical.Polyphase.Functions.symmetricOrientation", "m", .run = run_orientation},
};
const size_t n_library_vectors = sizeof library_vectors / sizeof *library_vectors;
