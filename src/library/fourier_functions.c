/* library/fourier_functions.c - see function_table.h: the discrete Fourier transform.
 *
 * The library calls a function written in C for amplitudes and phases of a sampled signal.  Numbers
 * are transformed at once; with variables it is a call at run time.
 * The transform splits the samples by the prime factors of their number [CT65]; its cost is n times
 * the sum of these factors. */
#include "library/function_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each of the n + 3 outputs lists the n samples that it depends on: this limits their number. */
enum { SAMPLES_MAX = 5000 };

typedef struct number_pair {
    double re, im;
} number_pair;

typedef struct transform {
    const double *u;
    size_t n;                /* samples */
    const number_pair *turn; /* exp(-2 pi i k/n), k = 0 .. n - 1 */
    number_pair *work;       /* n */
} transform;

static size_t least_factor(size_t n)
{
    for (size_t r = 2; r * r <= n; r++)
        if (n % r == 0)
            return r;
    return n;
}

/* The transform of the m samples that begin at `first` and are `stride` apart, stride*m = n. */
static void transform_part(const transform *t, size_t first, size_t stride, number_pair *x)
{
    size_t m = t->n / stride;
    if (m == 1) {
        x[0] = (number_pair){t->u[first], 0.0};
        return;
    }
    size_t r = least_factor(m), part = m / r;
    for (size_t q = 0; q < r; q++)
        transform_part(t, first + q * stride, stride * r, x + q * part);
    for (size_t k = 0; k < m; k++) {
        number_pair sum = {0.0, 0.0};
        for (size_t q = 0; q < r; q++) {
            number_pair a = x[q * part + k % part], w = t->turn[q * k * stride % t->n];
            sum.re += a.re * w.re - a.im * w.im;
            sum.im += a.re * w.im + a.im * w.re;
        }
        t->work[k] = sum;
    }
    memcpy(x, t->work, m * sizeof *x);
}

/* Outputs: info, the amplitudes and the phases of the frequencies 0 .. n/2. */
int fourier_compute(int64_t code, const double *args, double *outputs)
{
    size_t n = (size_t)code, half = n / 2 + 1;
    number_pair *all = malloc(3 * (n + 1) * sizeof *all);
    if (!all)
        return -1;
    number_pair *turn = all, *work = all + n, *x = all + 2 * n;
    for (size_t k = 0; k < n; k++) {
        double angle = 2.0 * LIBRARY_PI * (double)k / (double)n;
        turn[k] = (number_pair){cos(angle), -sin(angle)};
    }
    transform t = {.u = args, .n = n, .turn = turn, .work = work};
    transform_part(&t, 0, 1, x);
    outputs[0] = 0.0;
    for (size_t k = 0; k < half; k++) {
        outputs[1 + k] = hypot(x[k].re, x[k].im) * 2.0 / (double)n;
        outputs[1 + half + k] = atan2(x[k].im, x[k].re);
    }
    free(all);
    return 0;
}

static bool add_output(library_site *s, const expr *e, size_t n)
{
    value v = value_new(s->in, type_array(type_scalar(T_REAL), 1, (int32_t[]){(int32_t)n}));
    if (!is_bad(v))
        memcpy(v.e, e, n * sizeof *e);
    return library_result(s, v);
}

/* (info, amplitudes, phases) of samples whose number is even; info = 1: it is not */
static bool run_transform(library_site *s)
{
    if (!library_vector(s, 0, 1))
        return false;
    size_t n = s->arg[0].n, half = n / 2 + 1;
    if (n > SAMPLES_MAX)
        return context_error(s->in, s->call->at, "%s takes at most %d samples, not %zu",
                             s->entry->name, (int)SAMPLES_MAX, n)
            .n;
    expr *outputs = arena_take(s->in->mem, 2 * half + 1, sizeof *outputs);
    if (!outputs)
        return false;
    for (size_t i = 0; i < 2 * half + 1; i++)
        outputs[i] = library_number(s, i == 0 && n % 2 ? 1.0 : 0.0);
    if (n > 0 && n % 2 == 0 &&
        !library_invoke(s, LIBRARY_FOURIER + (int64_t)n, s->arg[0].e, (uint32_t)n, outputs,
                        (uint32_t)(2 * half + 1)))
        return false;
    return library_result(s, value_scalar(s->in, T_INTEGER, outputs[0])) &&
           add_output(s, outputs + 1, half) && add_output(s, outputs + 1 + half, half);
}

const library_entry library_fourier[] = {
    {"Modelica.Math.FastFourierTransform.Internal.rawRealFFT", "u", .run = run_transform},
};
const size_t n_library_fourier = sizeof library_fourier / sizeof *library_fourier;
