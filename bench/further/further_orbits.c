/* bench/further/further_orbits.c - equations that are not stiff: arenstorf, pleiades, lorenz.
 * Depends on: bench/further/further.h.                                            */
#include "further.h"

#include <math.h>

/* ---- arenstorf: a satellite between earth and moon ------------------------------------- */

static void arenstorf_rhs(double t, const double *y, double *f)
{
    (void)t;
    const double moon = 0.012277471, earth = 1.0 - moon;
    const double a = y[0] + moon, b = y[0] - earth, square = y[1] * y[1];
    const double d1 = pow(a * a + square, 1.5), d2 = pow(b * b + square, 1.5);
    f[0] = y[2];
    f[1] = y[3];
    f[2] = y[0] + 2.0 * y[3] - earth * a / d1 - moon * b / d2;
    f[3] = y[1] - 2.0 * y[2] - earth * y[1] / d1 - moon * y[1] / d2;
}

static void arenstorf_start(double *y, double *yp)
{
    (void)yp;
    y[0] = 0.994;
    y[3] = -2.00158510637908252240537862224;
}

/* ---- pleiades: seven stars in a plane -------------------------------------------------- */

static void pleiades_rhs(double t, const double *y, double *f)
{
    (void)t;
    const double *x = y, *z = y + 7;
    for (int i = 0; i < 7; i++) {
        double ax = 0.0, az = 0.0;
        for (int j = 0; j < 7; j++) {
            if (j == i)
                continue;
            const double dx = x[j] - x[i], dz = z[j] - z[i], square = dx * dx + dz * dz;
            const double pull = (j + 1) / (square * sqrt(square));
            ax += pull * dx;
            az += pull * dz;
        }
        f[i] = y[14 + i];
        f[7 + i] = y[21 + i];
        f[14 + i] = ax;
        f[21 + i] = az;
    }
}

static void pleiades_start(double *y, double *yp)
{
    (void)yp;
    static const double start[28] = {3, 3, -1, -3, 2, -2,   2,    3, -3, 2, 0,     0, -4, 4,
                                     0, 0, 0,  0,  0, 1.75, -1.5, 0, 0,  0, -1.25, 1, 0,  0};
    for (int i = 0; i < 28; i++)
        y[i] = start[i];
}

/* ---- lorenz ---------------------------------------------------------------------------- */

static void lorenz_rhs(double t, const double *y, double *f)
{
    (void)t;
    f[0] = 10.0 * (y[1] - y[0]);
    f[1] = (28.0 - y[2]) * y[0] - y[1];
    f[2] = y[0] * y[1] - 8.0 / 3.0 * y[2];
}

static void lorenz_start(double *y, double *yp)
{
    (void)yp;
    y[0] = -8.0;
    y[1] = 8.0;
    y[2] = 27.0;
}

/* ---- the table ------------------------------------------------------------------------- */

static const further_spec table[] = {
    {.name = "arenstorf",
     .title = "Arenstorf orbit, one period",
     .source = "Hairer, Norsett, Wanner, Solving ODEs I, section II.0",
     .n = 4,
     .rhs = arenstorf_rhs,
     .start = arenstorf_start,
     .t_end = 17.0,
     .atol_factor = 1.0,
     .norm = DIGITS_MAX_NORM,
     .n_counted = 2},
    {.name = "pleiades",
     .title = "Seven stars in a plane",
     .source = "Hairer, Norsett, Wanner, Solving ODEs I, section II.10",
     .n = 28,
     .rhs = pleiades_rhs,
     .start = pleiades_start,
     .t_end = 3.0,
     .atol_factor = 1.0,
     .norm = DIGITS_MAX_NORM,
     .n_counted = 14},
    {.name = "lorenz",
     .title = "Lorenz equations on a short interval",
     .source = "Hairer, Norsett, Wanner, Solving ODEs I, section I.16",
     .n = 3,
     .rhs = lorenz_rhs,
     .start = lorenz_start,
     .t_end = 4.0,
     .atol_factor = 1.0},
};

const further_spec *further_orbits(int i)
{
    return i < (int)(sizeof table / sizeof table[0]) ? &table[i] : NULL;
}
