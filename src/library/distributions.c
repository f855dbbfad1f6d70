/* library/distributions.c - see function_table.h: the error function with its relatives
 * and inverses, and the distributions of random numbers.                         */
#include "library/function_table.h"

#include <float.h>
#include <math.h>

#include "base/inverse_erf.h"

/* ---- inverse error functions ---- */

/* What the library uses for infinity: a finite number, so that sums with it stay finite. */
static const double library_infinity = 1e60;

double special_erf_inverse(double u)
{
    if (fabs(u) >= 1.0)
        return copysign(library_infinity, u);
    return copysign(inverse_erf(fabs(u), 1.0 - fabs(u)), u);
}

double special_erfc_inverse(double u)
{
    if (u <= 0.0 || u >= 2.0)
        return u <= 0.0 ? library_infinity : -library_infinity;
    return u > 1.0 ? -inverse_erf(u - 1.0, 2.0 - u) : inverse_erf(1.0 - u, u);
}

/* d erf(x) = 2/sqrt(pi) exp(-x^2), and of its inverse y: sqrt(pi)/2 exp(y^2). */
expr special_derivative(expr_graph *g, const library_called *c)
{
    int64_t builtin = c->builtin;
    expr arg = c->args[0], result = c->result;
    const double slope = 2.0 / sqrt(LIBRARY_PI);
    bool is_inverse = builtin == LIBRARY_ERF_INVERSE || builtin == LIBRARY_ERFC_INVERSE;
    bool is_negative = builtin == LIBRARY_ERFC || builtin == LIBRARY_ERFC_INVERSE;
    if (!is_inverse && builtin != LIBRARY_ERF && builtin != LIBRARY_ERFC)
        return EXPR_NONE;
    expr at = is_inverse ? result : arg, square = expr_mul(g, at, at);
    double factor = (is_inverse ? 1.0 / slope : slope) * (is_negative ? -1.0 : 1.0);
    expr power = expr_make1(g, EXPR_EXP, is_inverse ? square : expr_neg(g, square));
    return expr_mul(g, expr_constant(g, factor), power);
}

static expr special(const library_site *s, library_builtin which, expr u)
{
    expr y = EXPR_NONE;
    library_invoke(s, which, &u, 1, &y, 1);
    return y;
}

static expr one_special(const library_site *s, const expr *u)
{
    return special(s, (library_builtin)s->entry->what, u[0]);
}

/* ---- distributions: arguments u and the two parameters a, b ---- */

typedef struct distribution {
    expr (*density)(const library_site *s, expr u, expr a, expr b);
    expr (*cumulative)(const library_site *s, expr u, expr a, expr b);
    expr (*quantile)(const library_site *s, expr u, expr a, expr b);
} distribution;

static expr less(const library_site *s, expr a, expr b)
{
    return expr_make2(s->g, EXPR_LT, a, b);
}

static expr uniform_density(const library_site *s, expr u, expr low, expr high)
{
    expr_graph *g = s->g;
    expr is_out = expr_make2(g, EXPR_OR, less(s, u, low), less(s, high, u));
    return expr_if(g, is_out, library_number(s, 0.0),
                   expr_div(g, library_number(s, 1.0), expr_sub(g, high, low)));
}

static expr uniform_cumulative(const library_site *s, expr u, expr low, expr high)
{
    expr_graph *g = s->g;
    expr inside = expr_div(g, expr_sub(g, u, low), expr_sub(g, high, low));
    expr top = expr_if(g, less(s, high, u), library_number(s, 1.0), inside);
    return expr_if(g, less(s, u, low), library_number(s, 0.0), top);
}

static expr uniform_quantile(const library_site *s, expr u, expr low, expr high)
{
    return expr_add(s->g, expr_mul(s->g, u, expr_sub(s->g, high, low)), low);
}

/* (u - mu)/(sigma*sqrt(2)) */
static expr normal_scaled(const library_site *s, expr u, expr mu, expr sigma)
{
    expr width = expr_mul(s->g, sigma, library_number(s, sqrt(2.0)));
    return expr_div(s->g, expr_sub(s->g, u, mu), width);
}

static expr normal_density(const library_site *s, expr u, expr mu, expr sigma)
{
    expr_graph *g = s->g;
    expr z = normal_scaled(s, u, mu, sigma);
    expr area = expr_mul(g, sigma, library_number(s, sqrt(2.0 * LIBRARY_PI)));
    return expr_div(g, expr_make1(g, EXPR_EXP, expr_neg(g, expr_mul(g, z, z))), area);
}

static expr normal_cumulative(const library_site *s, expr u, expr mu, expr sigma)
{
    expr tail = special(s, LIBRARY_ERF, normal_scaled(s, u, mu, sigma));
    return expr_mul(s->g, library_number(s, 0.5), expr_add(s->g, library_number(s, 1.0), tail));
}

static expr normal_quantile(const library_site *s, expr u, expr mu, expr sigma)
{
    expr_graph *g = s->g;
    expr twice = expr_sub(g, expr_mul(g, library_number(s, 2.0), u), library_number(s, 1.0));
    expr width = expr_mul(g, sigma, library_number(s, sqrt(2.0)));
    return expr_add(g, mu, expr_mul(g, width, special(s, LIBRARY_ERF_INVERSE, twice)));
}

/* exp(-(u/lambda)^k) */
static expr weibull_rest(const library_site *s, expr u, expr lambda, expr k)
{
    expr power = expr_pow(s->g, expr_div(s->g, u, lambda), k);
    return expr_make1(s->g, EXPR_EXP, expr_neg(s->g, power));
}

static expr weibull_density(const library_site *s, expr u, expr lambda, expr k)
{
    expr_graph *g = s->g;
    expr less_one = expr_sub(g, k, library_number(s, 1.0));
    expr slope = expr_mul(g, expr_div(g, k, lambda), expr_pow(g, expr_div(g, u, lambda), less_one));
    return expr_if(g, less(s, u, library_number(s, 0.0)), library_number(s, 0.0),
                   expr_mul(g, slope, weibull_rest(s, u, lambda, k)));
}

static expr weibull_cumulative(const library_site *s, expr u, expr lambda, expr k)
{
    expr inside = expr_sub(s->g, library_number(s, 1.0), weibull_rest(s, u, lambda, k));
    return expr_if(s->g, less(s, u, library_number(s, 0.0)), library_number(s, 0.0), inside);
}

/* lambda*(-log(1 - u))^(1/k) */
static expr weibull_quantile(const library_site *s, expr u, expr lambda, expr k)
{
    expr_graph *g = s->g;
    expr one = library_number(s, 1.0);
    expr rest = expr_neg(g, expr_make1(g, EXPR_LOG, expr_sub(g, one, u)));
    return expr_mul(g, lambda, expr_pow(g, rest, expr_div(g, one, k)));
}

enum { UNIFORM, NORMAL, WEIBULL };

static const distribution kinds[] = {
    [UNIFORM] = {uniform_density, uniform_cumulative, uniform_quantile},
    [NORMAL] = {normal_density, normal_cumulative, normal_quantile},
    [WEIBULL] = {weibull_density, weibull_cumulative, weibull_quantile},
};

static expr density(const library_site *s, const expr *a)
{
    return kinds[s->entry->what].density(s, a[0], a[1], a[2]);
}

static expr cumulative(const library_site *s, const expr *a)
{
    return kinds[s->entry->what].cumulative(s, a[0], a[1], a[2]);
}

static expr quantile(const library_site *s, const expr *a)
{
    return kinds[s->entry->what].quantile(s, a[0], a[1], a[2]);
}

/* ---- the same between limits: arguments u, low, high, a, b ---- */

typedef struct truncation {
    const distribution *of;
    expr u, low, high, a, b;
    expr below, share; /* probability of less than low, and of what is between the limits */
} truncation;

static truncation truncated(const library_site *s, const expr *arg)
{
    expr_graph *g = s->g;
    truncation t = {.of = &kinds[s->entry->what],
                    .u = arg[0],
                    .low = arg[1],
                    .high = arg[2],
                    .a = arg[3],
                    .b = arg[4]};
    if (t.a == EXPR_NONE) /* of the normal distribution */
        t.a = expr_div(g, expr_add(g, t.high, t.low), library_number(s, 2.0));
    if (t.b == EXPR_NONE)
        t.b = expr_div(g, expr_sub(g, t.high, t.low), library_number(s, 6.0));
    t.below = t.of->cumulative(s, t.low, t.a, t.b);
    t.share = expr_sub(g, t.of->cumulative(s, t.high, t.a, t.b), t.below);
    return t;
}

/* The library divides by at least 10*Modelica.Constants.eps, for limits with almost no probability
 * between them. */
static expr share_guarded(const library_site *s, const truncation *t)
{
    return expr_make2(s->g, EXPR_MAX, t->share, library_number(s, 10.0 * DBL_EPSILON));
}

static expr truncated_density(const library_site *s, const expr *arg)
{
    truncation t = truncated(s, arg);
    expr is_out = expr_make2(s->g, EXPR_OR, less(s, t.u, t.low), less(s, t.high, t.u));
    expr inside = expr_div(s->g, t.of->density(s, t.u, t.a, t.b), share_guarded(s, &t));
    return expr_if(s->g, is_out, library_number(s, 0.0), inside);
}

static expr truncated_cumulative(const library_site *s, const expr *arg)
{
    truncation t = truncated(s, arg);
    expr part = expr_sub(s->g, t.of->cumulative(s, t.u, t.a, t.b), t.below);
    expr inside = expr_div(s->g, part, share_guarded(s, &t));
    expr top = expr_if(s->g, less(s, t.u, t.high), inside, library_number(s, 1.0));
    return expr_if(s->g, expr_make2(s->g, EXPR_LE, t.u, t.low), library_number(s, 0.0), top);
}

static expr truncated_quantile(const library_site *s, const expr *arg)
{
    truncation t = truncated(s, arg);
    expr at = expr_add(s->g, t.below, expr_mul(s->g, t.u, t.share));
    expr y = expr_make2(s->g, EXPR_MAX, t.low, t.of->quantile(s, at, t.a, t.b));
    return expr_make2(s->g, EXPR_MIN, t.high, y);
}

#define SPECIAL(text, number)                                                                      \
    {                                                                                              \
        "Modelica.Math.Special." text, "u", run_scalar, .scalar = one_special, .what = number      \
    }
#define DISTRIBUTION(text, names, function, kind)                                                  \
    {                                                                                              \
        "Modelica.Math.Distributions." text, names, run_scalar, .scalar = function, .what = kind   \
    }

const library_entry library_distributions[] = {
    SPECIAL("erf", LIBRARY_ERF),
    SPECIAL("erfc", LIBRARY_ERFC),
    SPECIAL("erfInv", LIBRARY_ERF_INVERSE),
    SPECIAL("erfcInv", LIBRARY_ERFC_INVERSE),
    DISTRIBUTION("Uniform.density", "u u_min=0 u_max=1", density, UNIFORM),
    DISTRIBUTION("Uniform.cumulative", "u u_min=0 u_max=1", cumulative, UNIFORM),
    DISTRIBUTION("Uniform.quantile", "u y_min=0 y_max=1", quantile, UNIFORM),
    DISTRIBUTION("Normal.density", "u mu=0 sigma=1", density, NORMAL),
    DISTRIBUTION("Normal.cumulative", "u mu=0 sigma=1", cumulative, NORMAL),
    DISTRIBUTION("Normal.quantile", "u mu=0 sigma=1", quantile, NORMAL),
    DISTRIBUTION("Weibull.density", "u lambda=1 k=1", density, WEIBULL),
    DISTRIBUTION("Weibull.cumulative", "u lambda=1 k=1", cumulative, WEIBULL),
    DISTRIBUTION("Weibull.quantile", "u lambda=1 k=1", quantile, WEIBULL),
    DISTRIBUTION("TruncatedNormal.density", "u u_min=0 u_max=1 mu=? sigma=?", truncated_density,
                 NORMAL),
    DISTRIBUTION("TruncatedNormal.cumulative", "u u_min=0 u_max=1 mu=? sigma=?",
                 truncated_cumulative, NORMAL),
    DISTRIBUTION("TruncatedNormal.quantile", "u y_min=0 y_max=1 mu=? sigma=?", truncated_quantile,
                 NORMAL),
    DISTRIBUTION("TruncatedWeibull.density", "u u_min=0 u_max=1 lambda=1 k=1", truncated_density,
                 WEIBULL),
    DISTRIBUTION("TruncatedWeibull.cumulative", "u u_min=0 u_max=1 lambda=1 k=1",
                 truncated_cumulative, WEIBULL),
    DISTRIBUTION("TruncatedWeibull.quantile", "u y_min=0 y_max=1 lambda=1 k=1", truncated_quantile,
                 WEIBULL),
};
const size_t n_library_distributions = sizeof library_distributions / sizeof *library_distributions;
