/* bench/further/further_lines.c - partial differential equations in one dimension by the
 * method of lines: bruss1d, burgers, fitzhugh, cusp, diurnal.
 * Depends on: bench/further/further.h.                                            */
#include "further.h"

#include <math.h>

/* ---- bruss1d: the Brusselator with diffusion ------------------------------------------- */

enum { BRUSS_CELLS = 100 };

static void bruss1d_rhs(double t, const double *y, double *f)
{
    (void)t;
    const double width = 1.0 / (BRUSS_CELLS + 1), spread = 0.02 / (width * width);
    for (int i = 0; i < BRUSS_CELLS; i++) {
        const double u = y[2 * i], v = y[2 * i + 1];
        const double ul = i > 0 ? y[2 * i - 2] : 1.0, vl = i > 0 ? y[2 * i - 1] : 3.0;
        const double ur = i < BRUSS_CELLS - 1 ? y[2 * i + 2] : 1.0;
        const double vr = i < BRUSS_CELLS - 1 ? y[2 * i + 3] : 3.0;
        f[2 * i] = 1.0 + u * u * v - 4.0 * u + spread * (ul - 2.0 * u + ur);
        f[2 * i + 1] = 3.0 * u - u * u * v + spread * (vl - 2.0 * v + vr);
    }
}

static void bruss1d_start(double *y, double *yp)
{
    (void)yp;
    for (int i = 0; i < BRUSS_CELLS; i++) {
        y[2 * i] = 1.0 + sin(2.0 * PI * (i + 1) / (BRUSS_CELLS + 1));
        y[2 * i + 1] = 3.0;
    }
}

/* ---- burgers: a front that steepens ---------------------------------------------------- */

enum { BURGERS_POINTS = 119 };

static void burgers_rhs(double t, const double *y, double *f)
{
    (void)t;
    const double width = 1.0 / (BURGERS_POINTS + 1), viscosity = 0.005;
    for (int i = 0; i < BURGERS_POINTS; i++) {
        const double left = i > 0 ? y[i - 1] : 0.0;
        const double right = i < BURGERS_POINTS - 1 ? y[i + 1] : 0.0;
        f[i] = viscosity * (left - 2.0 * y[i] + right) / (width * width) -
               0.25 * (right * right - left * left) / width;
    }
}

static void burgers_start(double *y, double *yp)
{
    (void)yp;
    for (int i = 0; i < BURGERS_POINTS; i++) {
        const double x = (i + 1.0) / (BURGERS_POINTS + 1);
        y[i] = sin(2.0 * PI * x) + 0.5 * sin(PI * x);
    }
}

/* ---- fitzhugh: a pulse along a nerve --------------------------------------------------- */

enum { NERVE_CELLS = 64 };

static void fitzhugh_rhs(double t, const double *y, double *f)
{
    (void)t;
    const double width = 1.0 / NERVE_CELLS, eps = 0.015, b = 0.5, gamma = 2.0, c = 0.05;
    const double current = 50000.0 * t * t * t * exp(-15.0 * t); /* at the left end */
    for (int i = 0; i < NERVE_CELLS; i++) {
        const double v = y[2 * i], w = y[2 * i + 1];
        const double left = i > 0 ? y[2 * i - 2] : v + width * current;
        const double right = i < NERVE_CELLS - 1 ? y[2 * i + 2] : v;
        const double spread = eps * (left - 2.0 * v + right) / (width * width);
        f[2 * i] = spread + (v * (v - 0.1) * (1.0 - v) - w + c) / eps;
        f[2 * i + 1] = b * v - gamma * w + c;
    }
}

static void at_rest(double *y, double *yp)
{
    (void)y, (void)yp;
}

/* ---- cusp: the nerve impulse of Zeeman around a ring ----------------------------------- */

enum { CUSP_CELLS = 32 };

static void cusp_rhs(double t, const double *y, double *f)
{
    (void)t;
    const double spread = (double)CUSP_CELLS * CUSP_CELLS / 144.0;
    for (int i = 0; i < CUSP_CELLS; i++) {
        const double *here = y + 3 * i;
        const double *left = y + 3 * ((i + CUSP_CELLS - 1) % CUSP_CELLS);
        const double *right = y + 3 * ((i + 1) % CUSP_CELLS);
        const double x = here[0], a = here[1], b = here[2];
        const double u = (x - 0.7) * (x - 1.3), v = u / (u + 0.1);
        f[3 * i] = -1e4 * (x * x * x + a * x + b);
        f[3 * i + 1] = b + 0.07 * v;
        f[3 * i + 2] = (1.0 - a * a) * b - a - 0.4 * x + 0.035 * v;
        for (int k = 0; k < 3; k++)
            f[3 * i + k] += spread * (left[k] - 2.0 * here[k] + right[k]);
    }
}

static void cusp_start(double *y, double *yp)
{
    (void)yp;
    for (int i = 0; i < CUSP_CELLS; i++) {
        y[3 * i + 1] = -2.0 * cos(2.0 * PI * (i + 1) / CUSP_CELLS);
        y[3 * i + 2] = 2.0 * sin(2.0 * PI * (i + 1) / CUSP_CELLS);
    }
}

/* ---- diurnal: ozone in a column of air over two days ----------------------------------- */

enum { AIR_CELLS = 20 };

/* Rates of the two reactions that the sun drives; they vanish smoothly at dusk and dawn. */
static void sunlight(double t, double *q3, double *q4)
{
    const double height = sin(PI * t / 43200.0);
    *q3 = height > 0.0 ? exp(-22.62 / height) : 0.0;
    *q4 = height > 0.0 ? exp(-7.601 / height) : 0.0;
}

/* Concentrations in 1e6 (O) and 1e12 (O3) per cubic centimetre. */
static void diurnal_rhs(double t, const double *y, double *f)
{
    const double q1 = 1.63e-16, q2 = 4.66e-16, oxygen = 3.7e16, width = 20.0 / (AIR_CELLS - 1);
    double q3, q4;
    sunlight(t, &q3, &q4);
    for (int i = 0; i < AIR_CELLS; i++) {
        const double c1 = 1e6 * y[2 * i], c2 = 1e12 * y[2 * i + 1];
        const double z = 30.0 + i * width;
        const double up = 1e-8 * exp((z + 0.5 * width) / 5.0) / (width * width);
        const double down = 1e-8 * exp((z - 0.5 * width) / 5.0) / (width * width);
        const int above = i < AIR_CELLS - 1 ? i + 1 : i - 1, below = i > 0 ? i - 1 : 1;
        const double r1 = q1 * c1 * oxygen, r2 = q2 * c1 * c2, r4 = q4 * c2;
        f[2 * i] = 1e-6 * (-r1 - r2 + 2.0 * q3 * oxygen + r4);
        f[2 * i + 1] = 1e-12 * (r1 - r2 - r4);
        for (int k = 0; k < 2; k++)
            f[2 * i + k] +=
                up * (y[2 * above + k] - y[2 * i + k]) - down * (y[2 * i + k] - y[2 * below + k]);
    }
}

static void diurnal_start(double *y, double *yp)
{
    (void)yp;
    for (int i = 0; i < AIR_CELLS; i++) {
        const double x = 0.1 * (20.0 * i / (AIR_CELLS - 1) - 10.0);
        const double shape = 1.0 - x * x + 0.5 * x * x * x * x;
        y[2 * i] = shape;
        y[2 * i + 1] = shape;
    }
}

/* ---- the table ------------------------------------------------------------------------- */

static const further_spec table[] = {
    {.name = "bruss1d",
     .title = "Brusselator with diffusion, 100 points",
     .source = "Hairer, Wanner, Solving ODEs II, section IV.1",
     .n = 2 * BRUSS_CELLS,
     .rhs = bruss1d_rhs,
     .start = bruss1d_start,
     .t_end = 10.0,
     .atol_factor = 1.0,
     .norm = DIGITS_MAX_NORM,
     .lower = 2,
     .upper = 2},
    {.name = "burgers",
     .title = "Burgers' equation, a steep front",
     .source = "Hundsdorfer, Verwer, Numerical Solution of Time-Dependent ADR Equations",
     .n = BURGERS_POINTS,
     .rhs = burgers_rhs,
     .start = burgers_start,
     .t_end = 1.0,
     .atol_factor = 1.0,
     .norm = DIGITS_MAX_NORM,
     .lower = 1,
     .upper = 1},
    {.name = "fitzhugh",
     .title = "FitzHugh-Nagumo equations, a pulse along a nerve",
     .source = "Chaturantabut, Sorensen, SIAM J. Sci. Comput. 32 (2010), section 3.4",
     .n = 2 * NERVE_CELLS,
     .rhs = fitzhugh_rhs,
     .start = at_rest,
     .t_end = 4.0,
     .atol_factor = 1.0,
     .norm = DIGITS_MAX_NORM,
     .lower = 2,
     .upper = 2},
    {.name = "cusp",
     .title = "Cusp catastrophe and nerve impulse on a ring",
     .source = "Hairer, Wanner, Solving ODEs II, section IV.10",
     .n = 3 * CUSP_CELLS,
     .rhs = cusp_rhs,
     .start = cusp_start,
     .t_end = 1.1,
     .atol_factor = 1.0,
     .norm = DIGITS_MAX_NORM},
    {.name = "diurnal",
     .title = "Ozone in a column of air over two days",
     .source = "Hindmarsh, kinetics and transport with diurnal rates, in one dimension",
     .n = 2 * AIR_CELLS,
     .rhs = diurnal_rhs,
     .start = diurnal_start,
     .t_end = 151200.0,
     .atol_factor = 1e-3,
     .norm = DIGITS_MAX_NORM,
     .lower = 2,
     .upper = 2},
};

const further_spec *further_lines(int i)
{
    return i < (int)(sizeof table / sizeof table[0]) ? &table[i] : NULL;
}
