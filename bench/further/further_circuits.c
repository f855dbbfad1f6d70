/* bench/further/further_circuits.c - circuits: rectifier (smooth diodes) and inverters (a chain
 * of transistors that are off at the start, charges as unknowns, kinks).
 * Depends on: bench/further/further.h.                                            */
#include "further.h"

#include <math.h>

/* ---- rectifier: a bridge of four diodes behind a filter -------------------------------- */

static double diode(double v)
{
    return 1e-9 * (exp(v / 0.0518) - 1.0);
}

/* Potentials of both ends of the source, of the load and behind the filter; the current of
 * the source and of the filter's inductance.  Ground is the lower end of the load.          */
static int rectifier_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double source = 10.0 * sin(100.0 * PI * t), small = 1e-8;
    const double a = diode(y[0] - y[2]), b = diode(y[1] - y[2]);
    const double c = diode(-y[0]), d = diode(-y[1]);
    r[0] = small * yp[0] - c + a - y[4];
    r[1] = -d + b + y[4];
    r[2] = 4e-4 * yp[2] - a - b + y[5];
    r[3] = 1e-3 * yp[3] - y[5] + y[3] / 50.0;
    r[4] = y[0] - y[1] + 2.0 * y[4] - source;
    r[5] = 2e-3 * yp[5] - y[2] + y[3] + 0.1 * y[5];
    return DAEDAL_CALL_OK;
}

static void rectifier_start(double *y, double *yp)
{
    (void)y;
    yp[0] = 0.0; /* at rest; the source begins at zero */
}

/* ---- inverters: a chain of n-MOS inverters, a pulse runs through it --------------------- */

enum { STAGES = 20 };

/* The current from drain to source of a transistor after Shichman and Hodges. */
static double mos_current(double vds, double vgs)
{
    const double over = vgs - 0.7;
    if (vds < 0.0)
        return -mos_current(-vds, vgs - vds);
    if (over <= 0.0)
        return 0.0;
    const double slope = 2.0 * (1.0 + 0.02 * vds);
    return vds < over ? slope * vds * (2.0 * over - vds) : slope * over * over;
}

/* The charge of a junction with grading 1/2, continued linearly into the forward direction. */
static double junction_charge(double v)
{
    const double built_in = 0.87;
    return v >= 0.0 ? 2.0 * 0.4 * built_in * (sqrt(1.0 + v / built_in) - 1.0)
                    : 0.4 * v * (1.0 - 0.25 * v / built_in);
}

/* Rises from 5 to 10, falls from 15 to 17. */
static double input_pulse(double t)
{
    if (t <= 5.0 || t >= 17.0)
        return 0.0;
    return t < 10.0 ? t - 5.0 : t <= 15.0 ? 5.0 : 2.5 * (17.0 - t);
}

/* Potentials of the stages, then the charges at them. */
static int inverters_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double *v = y, *q = y + STAGES, *qp = yp + STAGES;
    for (int i = 0; i < STAGES; i++) {
        const double gate = i > 0 ? v[i - 1] : input_pulse(t);
        r[i] = q[i] - junction_charge(v[i]) - 0.2 * v[i];
        r[STAGES + i] = qp[i] - (5.0 - v[i]) + mos_current(v[i], gate);
    }
    return DAEDAL_CALL_OK;
}

/* The stages that conduct settle where the load gives what the transistor takes. */
static void inverters_start(double *y, double *yp)
{
    (void)yp;
    for (int i = 0; i < STAGES; i++) {
        const double gate = i > 0 ? y[i - 1] : 0.0;
        double low = 0.0, high = 5.0;
        for (int k = 0; k < 200; k++) {
            const double middle = 0.5 * (low + high);
            if (mos_current(middle, gate) < 5.0 - middle)
                low = middle;
            else
                high = middle;
        }
        y[i] = 0.5 * (low + high);
        y[STAGES + i] = junction_charge(y[i]) + 0.2 * y[i];
    }
}

/* ---- the table ------------------------------------------------------------------------- */

static const further_spec table[] = {
    {.name = "rectifier",
     .title = "Bridge rectifier with exponential diodes, five periods",
     .source = "Chua, Lin, Computer-Aided Analysis of Electronic Circuits",
     .n = 6,
     .residual = rectifier_residual,
     .start = rectifier_start,
     .t_end = 0.1,
     .atol_factor = 1.0,
     .norm = DIGITS_MAX_NORM,
     .n_counted = 4},
    {.name = "inverters",
     .title = "Chain of 20 inverters, charges and potentials",
     .source = "Guenther, Rentrop, Appl. Numer. Math. 12 (1993), inverter chain",
     .n = 2 * STAGES,
     .residual = inverters_residual,
     .start = inverters_start,
     .t_end = 20.0,
     .atol_factor = 1.0,
     .norm = DIGITS_MAX_NORM},
};

const further_spec *further_circuits(int i)
{
    return i < (int)(sizeof table / sizeof table[0]) ? &table[i] : NULL;
}
