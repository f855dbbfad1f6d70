/* bench/further/further_chemistry.c - chemical engineering with algebraic equations:
 * batch_reactor, distillation, reactor_ind3.
 * Depends on: bench/further/further.h.                                            */
#include "further.h"

#include <math.h>

/* ---- batch_reactor: desorption in a batch, equilibria as algebraic equations ----------- */

static const double batch_K1 = 7.65e-18, batch_K2 = 4.03e-11, batch_K3 = 5.32e-18;

/* The amount of hydrogen ions, y[6], is counted in 1e-6. */
static int batch_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    const double k1 = 21.893, k1b = 2.14e9, k2 = 32.318, k3 = 21.893, k3b = 1.07e9;
    const double ions = 1e-6 * y[6];
    const double rate1 = k1 * y[1] * y[5] - k1b * y[9];
    const double rate2 = k2 * y[1] * y[7];
    const double rate3 = k3 * y[3] * y[5] - k3b * y[8];
    r[0] = yp[0] + rate2;
    r[1] = yp[1] + rate1 + rate2;
    r[2] = yp[2] - rate2 - rate3;
    r[3] = yp[3] + rate3;
    r[4] = yp[4] - rate1;
    r[5] = yp[5] + rate1 + rate3;
    r[6] = y[5] + y[7] + y[8] + y[9] - 0.0131 - ions;
    r[7] = y[7] * (batch_K2 + ions) - batch_K2 * y[0];
    r[8] = y[8] * (batch_K3 + ions) - batch_K3 * y[2];
    r[9] = y[9] * (batch_K1 + ions) - batch_K1 * y[4];
    r[7] *= 1e6, r[8] *= 1e6, r[9] *= 1e6;
    return DAEDAL_CALL_OK;
}

static void batch_start(double *y, double *yp)
{
    const double ions = 0.5 * (sqrt(batch_K2 * (batch_K2 + 4.0 * 1.5776)) - batch_K2);
    y[0] = 1.5776;
    y[1] = 8.32;
    y[5] = 0.0131;
    y[6] = 1e6 * ions;
    y[7] = batch_K2 * y[0] / (batch_K2 + ions);
    const double rate1 = 21.893 * y[1] * y[5], rate2 = 32.318 * y[1] * y[7];
    yp[0] = -rate2;
    yp[1] = -rate1 - rate2;
    yp[2] = rate2;
    yp[4] = rate1;
    yp[5] = -rate1;
}

/* ---- distillation: a binary column whose feed becomes richer --------------------------- */

enum { TRAYS = 32, FEED = 17 };

static double equilibrium(double x)
{
    return 1.6 * x / (1.0 + 0.6 * x);
}

/* The liquid x on a tray, then the vapour over it; 0 is the condenser, the last the boiler. */
static int distillation_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double feed = 0.4, top = 0.2, reflux = 3.0 * top;
    const double feed_x = 0.5 + 0.1 * t * t / (1.0 + t * t);
    const double vapour = reflux + top, lower = reflux + feed, bottom = feed - top;
    for (int i = 0; i < TRAYS; i++) {
        const double x = y[2 * i], v = y[2 * i + 1];
        const double from_above = i > 0 ? (i <= FEED ? reflux : lower) * y[2 * i - 2] : 0.0;
        const double from_below = i < TRAYS - 1 ? vapour * y[2 * i + 3] : 0.0;
        const double liquid = i < FEED ? reflux : lower;
        double flow = from_above + from_below - liquid * x - vapour * v;
        double holdup = 0.25;
        if (i == 0) {
            flow = from_below - (reflux + top) * x;
            holdup = 0.5;
        } else if (i == TRAYS - 1) {
            flow = from_above - bottom * x - vapour * v;
            holdup = 0.1;
        } else if (i == FEED) {
            flow += feed * feed_x;
        }
        r[2 * i] = holdup * yp[2 * i] - flow;
        r[2 * i + 1] = v - equilibrium(x);
    }
    return DAEDAL_CALL_OK;
}

static void distillation_start(double *y, double *yp)
{
    for (int i = 0; i < TRAYS; i++) {
        y[2 * i] = 0.9 - 0.8 * i / (TRAYS - 1);
        y[2 * i + 1] = equilibrium(y[2 * i]);
    }
    double r[2 * TRAYS], zero[2 * TRAYS] = {0};
    distillation_residual(0.0, y, zero, r, NULL);
    for (int i = 0; i < TRAYS; i++)
        yp[2 * i] = -r[2 * i] / (i == 0 ? 0.5 : i == TRAYS - 1 ? 0.1 : 0.25);
}

/* ---- reactor_ind3: a reactor whose concentration is prescribed ------------------------- */

/* Concentration, temperature, cooling, reaction rate; the cooling has index 3. */
static const double reactor_k = 2.0, reactor_rate = 60.0, reactor_energy = 4.0;

static double wanted(double t)
{
    return 0.4 + 0.1 * sin(t);
}

static int reactor_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - reactor_k * (1.0 - y[0]) + y[2];
    r[1] = yp[1] - reactor_k * (1.0 - y[1]) - 2.0 * y[2] + 3.0 * (y[1] - y[3]);
    r[2] = y[2] - reactor_rate * exp(-reactor_energy / y[1]) * y[0];
    r[3] = y[0] - wanted(t);
    return DAEDAL_CALL_OK;
}

static void reactor_start(double *y, double *yp)
{
    const double c = wanted(0.0), c1 = 0.1, c2 = 0.0;
    const double rate = reactor_k * (1.0 - c) - c1, rate1 = -reactor_k * c1 - c2;
    const double temperature = -reactor_energy / log(rate / (reactor_rate * c));
    const double slope = rate1 / rate - c1 / c; /* of -E / T */
    y[0] = c;
    y[1] = temperature;
    y[2] = rate;
    yp[0] = c1;
    yp[1] = slope * temperature * temperature / reactor_energy;
    yp[2] = rate1;
    y[3] = y[1] + (yp[1] - reactor_k * (1.0 - y[1]) - 2.0 * y[2]) / 3.0;
}

/* ---- the table ------------------------------------------------------------------------- */

static const further_spec table[] = {
    {.name = "batch_reactor",
     .title = "Batch reactor with ionic equilibria",
     .source = "Caracotsios, Stewart, Comput. Chem. Eng. 9 (1985), problem of Dow Chemical",
     .n = 10,
     .residual = batch_residual,
     .start = batch_start,
     .t_end = 2.0,
     .atol_factor = 1e-4,
     .n_counted = 7},
    {.name = "distillation",
     .title = "Binary distillation column of 32 trays, vapour as unknowns",
     .source = "Hahn, Edgar, Comput. Chem. Eng. 26 (2002), with a change of the feed",
     .n = 2 * TRAYS,
     .residual = distillation_residual,
     .start = distillation_start,
     .t_end = 30.0,
     .atol_factor = 1e-3,
     .lower = 2,
     .upper = 3},
    {.name = "reactor_ind3",
     .title = "Exothermic reactor with a prescribed concentration, index 3",
     .source = "Brenan, Campbell, Petzold, Numerical Solution of IVPs in DAEs, section 1.3",
     .n = 4,
     .residual = reactor_residual,
     .start = reactor_start,
     .t_end = 6.0,
     .atol_factor = 1.0,
     .n_index = {1, 2, 1}},
};

const further_spec *further_chemistry(int i)
{
    return i < (int)(sizeof table / sizeof table[0]) ? &table[i] : NULL;
}
