/* tools/perturbed_libm.c - a mathematical library whose results differ in the last place.
 *
 * Preloaded (LD_PRELOAD), it stands before the functions of libm and moves their results by one
 * unit in the last place: a quarter of them up, a quarter down, chosen by a hash of the seed in the
 * environment variable PERTURBED_LIBM_SEED, the function and its arguments.  It stands for the libm
 * of another machine.  Without a seed nothing is moved.  Built and used by tools/check_machines.sh:
 *
 *     cc -shared -fPIC -O1 -fno-builtin -o perturbed_libm.so tools/perturbed_libm.c -ldl
 *
 * What every good libm keeps is kept:
 *   - the same arguments give the same result, and odd and even functions are odd and even;
 *   - zeros, infinities and NaN, and what ISO C Annex F prescribes (exp(0) = 1, log(1) = 0, pow(x,
 * 0) = 1, atan2(0, -1) = pi, hypot(x, 0) = |x|, ...);
 *   - the ranges: |sin| <= 1, cosh >= 1, |atan| <= pi/2, ...;
 *   - f(x) = x or 1 up to rounding for tiny x (below 2^-26);
 *   - powers that are exact: of integers by integers as in pow(3, 4) and pow(x, 1), pow(2, -3),
 *     pow(x, 0.5) of squares; log2 of powers of two, log10 of powers of ten, exp2 of integers.
 * sqrt, fma, fmod, floor and the like are exact or rounded correctly everywhere, and are not here.
 * What the compiler evaluates itself, as sin(1.0), is not changed; calls it inlines or joins are:
 * sincos is here, and cabs, which is hypot.                                                   */
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef double one_fn(double);
typedef double two_fn(double, double);

static const double TINY = 0x1p-26;

static uint64_t seed(void)
{
    static uint64_t value;
    static int known;
    if (!known) {
        const char *text = getenv("PERTURBED_LIBM_SEED");
        value = text ? strtoull(text, NULL, 10) : 0;
        known = 1;
    }
    return value;
}

/* The next function of this name: that of libm. */
static void *find(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

static uint64_t mixed(uint64_t z) /* splitmix64 */
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t bits(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

/* Names differ in their first eight bytes. */
static uint64_t hash(const char *name, double x, double y)
{
    uint64_t word = 0;
    strncpy((char *)&word, name, sizeof word);
    return mixed(mixed(mixed(seed() ^ mixed(word)) ^ bits(x)) ^ bits(y));
}

/* Its magnitude by one unit, inside [least, most]. */
static double moved(double r, uint64_t random, double least, double most)
{
    double size = fabs(r);
    if (seed() == 0 || !isfinite(r) || r == 0.0 || (random & 2) != 0)
        return r;
    size = (random & 1) != 0 ? nextafter(size, INFINITY) : nextafter(size, 0.0);
    return size < least || size > most || isinf(size) ? r : copysign(size, r);
}

static int is_integer(double x)
{
    return fabs(x) < 0x1p52 && x == (double)(int64_t)x;
}

/* ---- functions of one argument ---- */

/* Those that are x or 1 for tiny x. */
#define AT_ZERO(name, least, most)                                                                 \
    double name(double x)                                                                          \
    {                                                                                              \
        static one_fn *real;                                                                       \
        real = real ? real : (one_fn *)find(#name);                                                \
        double r = real(x);                                                                        \
        return fabs(x) < TINY ? r : moved(r, hash(#name, fabs(x), 0.0), least, most);              \
    }

/* Those whose result is exact where `exact` says so; x by its sign, too. */
#define ELSEWHERE(name, exact, least, most)                                                        \
    double name(double x)                                                                          \
    {                                                                                              \
        static one_fn *real;                                                                       \
        real = real ? real : (one_fn *)find(#name);                                                \
        double r = real(x);                                                                        \
        return (exact) ? r : moved(r, hash(#name, x, 0.0), least, most);                           \
    }

AT_ZERO(sin, 0.0, 1.0)
AT_ZERO(cos, 0.0, 1.0)
AT_ZERO(tan, 0.0, INFINITY)
AT_ZERO(sinh, 0.0, INFINITY)
AT_ZERO(cosh, 1.0, INFINITY)
AT_ZERO(tanh, 0.0, r == 1.0 || r == -1.0 ? 0.0 : 1.0)
AT_ZERO(asinh, 0.0, INFINITY)
AT_ZERO(atanh, 0.0, INFINITY)
AT_ZERO(asin, 0.0, fabs(x) == 1.0 ? 0.0 : M_PI_2)
AT_ZERO(atan, 0.0, isinf(x) ? 0.0 : M_PI_2)
AT_ZERO(erf, 0.0, r == 1.0 || r == -1.0 ? 0.0 : 1.0)

ELSEWHERE(acos, fabs(x) == 1.0 || x == 0.0, 0.0, M_PI)
ELSEWHERE(acosh, x == 1.0, 0.0, INFINITY)
ELSEWHERE(exp, fabs(x) < TINY, 0.0, INFINITY)
ELSEWHERE(expm1, fabs(x) < TINY, 0.0, INFINITY)
ELSEWHERE(exp2, is_integer(x) || fabs(x) < TINY, 0.0, INFINITY)
ELSEWHERE(log, x == 1.0, 0.0, INFINITY)
ELSEWHERE(log1p, fabs(x) < TINY, 0.0, INFINITY)
ELSEWHERE(log2, is_integer(r) && ldexp(1.0, (int)r) == x, 0.0, INFINITY)
ELSEWHERE(log10, is_integer(r), 0.0, INFINITY)
ELSEWHERE(cbrt, fabs(x) == 1.0, 0.0, INFINITY)
ELSEWHERE(erfc, fabs(x) < TINY, 0.0, 2.0)
ELSEWHERE(tgamma, is_integer(x), 0.0, INFINITY)
ELSEWHERE(lgamma, x == 1.0 || x == 2.0, 0.0, INFINITY)

void sincos(double x, double *s, double *c)
{
    *s = sin(x);
    *c = cos(x);
}

/* ---- functions of two arguments ---- */

/* x^y for integers y > 0 by products, each of them exact? */
static int power_is_exact(double x, double y)
{
    double p = 1.0;
    for (int k = 0; k < (int)y; k++) {
        double product = p * x;
        if (!isfinite(product) || fma(p, x, -product) != 0.0)
            return 0;
        p = product;
    }
    return 1;
}

static int is_power_of_two(double x)
{
    int exponent;
    return fabs(frexp(x, &exponent)) == 0.5;
}

static int pow_is_exact(double x, double y, double r)
{
    if (y == 0.0 || fabs(x) == 1.0)
        return 1;
    if (is_integer(y) && fabs(y) <= 1100.0)
        return y > 0.0 ? power_is_exact(x, y) : is_power_of_two(x);
    return y == 0.5 && r * r == x && fma(r, r, -x) == 0.0;
}

double pow(double x, double y)
{
    static two_fn *real;
    real = real ? real : (two_fn *)find("pow");
    double r = real(x, y);
    return pow_is_exact(x, y, r) ? r : moved(r, hash("pow", fabs(x), y), 0.0, INFINITY);
}

double hypot(double x, double y)
{
    static two_fn *real;
    real = real ? real : (two_fn *)find("hypot");
    double r = real(x, y), low = fmin(fabs(x), fabs(y)), high = fmax(fabs(x), fabs(y));
    return low < TINY * high ? r : moved(r, hash("hypot", low, high), high, INFINITY);
}

double cabs(double complex z)
{
    return hypot(creal(z), cimag(z));
}

double atan2(double y, double x)
{
    static two_fn *real;
    real = real ? real : (two_fn *)find("atan2");
    double r = real(y, x);
    if (x == 0.0 || y == 0.0 || isinf(x) || isinf(y))
        return r;
    return moved(r, hash("atan2", fabs(y), x), 0.0, M_PI);
}
