/* support/problems_circuits.c - circuits: exponential diodes, singular capacitances.
 * Contents: transamp, ringmod, rc_ladder20.
 * Depends on: support/problems.h.                                                 */
#include "problems.h"

#include <math.h>

/* Entry (i, j) of an n x n matrix by columns, in a Jacobian callback. */
#define J(n, i, j) values[(j) * (n) + (i)]

static const double pi = 3.14159265358979323846;

/* ---- transamp: the transistor amplifier, two stages ------------------------------ */

static const double amp_ub = 6.0, amp_uf = 0.026, amp_alpha = 0.99, amp_beta = 1e-6;
static const double amp_r0 = 1000.0, amp_r = 9000.0; /* r1 .. r9 are equal */
static const double amp_c1 = 1e-6, amp_c2 = 2e-6, amp_c3 = 3e-6, amp_c4 = 4e-6, amp_c5 = 5e-6;

static int transamp_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double input = 0.1 * sin(200.0 * pi * t);
    const double g23 = amp_beta * (exp((y[1] - y[2]) / amp_uf) - 1.0);
    const double g56 = amp_beta * (exp((y[4] - y[5]) / amp_uf) - 1.0);
    const double q1 = amp_c1 * (yp[1] - yp[0]); /* currents of the coupling capacitors */
    const double q3 = amp_c3 * (yp[4] - yp[3]);
    const double q5 = amp_c5 * (yp[7] - yp[6]);
    r[0] = q1 - (y[0] - input) / amp_r0;
    r[1] = -q1 - y[1] / amp_r - (y[1] - amp_ub) / amp_r - (1.0 - amp_alpha) * g23;
    r[2] = -amp_c2 * yp[2] - y[2] / amp_r + g23;
    r[3] = q3 - (y[3] - amp_ub) / amp_r - amp_alpha * g23;
    r[4] = -q3 - y[4] / amp_r - (y[4] - amp_ub) / amp_r - (1.0 - amp_alpha) * g56;
    r[5] = -amp_c4 * yp[5] - y[5] / amp_r + g56;
    r[6] = q5 - (y[6] - amp_ub) / amp_r - amp_alpha * g56;
    r[7] = -q5 - y[7] / amp_r;
    return DAEDAL_CALL_OK;
}

/* One transistor with base j and emitter j + 1: its current enters three equations. */
static void add_transistor(double *values, const double *y, int j)
{
    const double slope = amp_beta / amp_uf * exp((y[j] - y[j + 1]) / amp_uf);
    J(8, j, j) -= (1.0 - amp_alpha) * slope;
    J(8, j, j + 1) += (1.0 - amp_alpha) * slope;
    J(8, j + 1, j) += slope;
    J(8, j + 1, j + 1) -= slope;
    J(8, j + 2, j) -= amp_alpha * slope;
    J(8, j + 2, j + 1) += amp_alpha * slope;
}

/* A capacitor between nodes i and i + 1. */
static void add_capacitor(double *values, int i, double capacity)
{
    J(8, i, i) -= capacity;
    J(8, i, i + 1) += capacity;
    J(8, i + 1, i) += capacity;
    J(8, i + 1, i + 1) -= capacity;
}

static int transamp_jacobian(double t, const double *y, const double *yp, double c, double *values,
                             void *user)
{
    (void)t, (void)yp, (void)user;
    static const double conductance[] = {1.0 / 1000.0, 2.0 / 9000.0, 1.0 / 9000.0, 1.0 / 9000.0,
                                         2.0 / 9000.0, 1.0 / 9000.0, 1.0 / 9000.0, 1.0 / 9000.0};
    for (int i = 0; i < 8; i++)
        J(8, i, i) = -conductance[i];
    add_transistor(values, y, 1);
    add_transistor(values, y, 4);
    add_capacitor(values, 0, c * amp_c1);
    add_capacitor(values, 3, c * amp_c3);
    add_capacitor(values, 6, c * amp_c5);
    J(8, 2, 2) -= c * amp_c2;
    J(8, 5, 5) -= c * amp_c4;
    return DAEDAL_CALL_OK;
}

static const double transamp_y0[] = {0.0, 3.0, 3.0, 6.0, 3.0, 3.0, 6.0, 0.0};
static const double transamp_yp0[] = {51.339276517180721,  51.339276517180721,  -166.66666666666667,
                                      -24.970328515406329, -24.970328515406329, -83.333333333333333,
                                      -10.000276402456339, -10.000276402456339};
static const double transamp_reference[] = {-0.005562145012262274444515, 3.006522471903042667336,
                                            2.849958788608128507393,     2.926422536206241508994,
                                            2.7046178650105545907,       2.761837778393144054482,
                                            4.770927631616772155803,     1.236995868091547549694};

/* ---- ringmod: the ring modulator, ODE form --------------------------------------- */

static const double ring_C = 1.6e-8, ring_Cs = 2e-12, ring_Cp = 1e-8, ring_R = 25000.0;
static const double ring_Rp = 50.0, ring_Lh = 4.45, ring_Ls1 = 0.002, ring_Ls2 = 5e-4;
static const double ring_Ls3 = 5e-4, ring_Rg1 = 36.3, ring_Rg2 = 17.3, ring_Rg3 = 17.3;
static const double ring_Ri = 50.0, ring_Rc = 600.0;
static const double ring_gamma = 40.67286402e-9, ring_delta = 17.7493332;

/* Exponentials exp(delta U_k) of the four diodes. */
static void ring_diodes(double t, const double *y, double e[4])
{
    const double carrier = 2.0 * sin(20000.0 * pi * t);
    e[0] = exp(ring_delta * (y[2] - y[4] - y[6] - carrier));
    e[1] = exp(ring_delta * (-y[3] + y[5] - y[6] - carrier));
    e[2] = exp(ring_delta * (y[3] + y[4] + y[6] + carrier));
    e[3] = exp(ring_delta * (-y[2] - y[5] + y[6] + carrier));
}

static int ringmod_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double e[4];
    ring_diodes(t, y, e);
    const double q1 = ring_gamma * (e[0] - 1.0), q2 = ring_gamma * (e[1] - 1.0);
    const double q3 = ring_gamma * (e[2] - 1.0), q4 = ring_gamma * (e[3] - 1.0);
    const double signal = 0.5 * sin(2000.0 * pi * t);
    r[0] = yp[0] - (y[7] - 0.5 * y[9] + 0.5 * y[10] + y[13] - y[0] / ring_R) / ring_C;
    r[1] = yp[1] - (y[8] - 0.5 * y[11] + 0.5 * y[12] + y[14] - y[1] / ring_R) / ring_C;
    r[2] = ring_Cs * yp[2] - (y[9] - q1 + q4);
    r[3] = ring_Cs * yp[3] - (-y[10] + q2 - q3);
    r[4] = ring_Cs * yp[4] - (y[11] + q1 - q3);
    r[5] = ring_Cs * yp[5] - (-y[12] - q2 + q4);
    r[6] = yp[6] - (-y[6] / ring_Rp + q1 + q2 - q3 - q4) / ring_Cp;
    r[7] = yp[7] + y[0] / ring_Lh;
    r[8] = yp[8] + y[1] / ring_Lh;
    r[9] = yp[9] - (0.5 * y[0] - y[2] - ring_Rg2 * y[9]) / ring_Ls2;
    r[10] = yp[10] - (-0.5 * y[0] + y[3] - ring_Rg3 * y[10]) / ring_Ls3;
    r[11] = yp[11] - (0.5 * y[1] - y[4] - ring_Rg2 * y[11]) / ring_Ls2;
    r[12] = yp[12] - (-0.5 * y[1] + y[5] - ring_Rg3 * y[12]) / ring_Ls3;
    r[13] = yp[13] - (-y[0] + signal - (ring_Ri + ring_Rg1) * y[13]) / ring_Ls1;
    r[14] = yp[14] - (-y[1] - (ring_Rc + ring_Rg1) * y[14]) / ring_Ls1;
    return DAEDAL_CALL_OK;
}

/* The part of the Jacobian that comes from the diodes: equations 3 to 7. */
static void ring_diode_entries(const double e[4], double *values)
{
    const double s = ring_gamma * ring_delta;
    const double g1 = s * e[0], g2 = s * e[1], g3 = s * e[2], g4 = s * e[3];
    J(15, 2, 2) += g1 + g4;
    J(15, 2, 4) = -g1;
    J(15, 2, 5) = g4;
    J(15, 2, 6) = -g1 - g4;
    J(15, 3, 3) += g2 + g3;
    J(15, 3, 4) = g3;
    J(15, 3, 5) = -g2;
    J(15, 3, 6) = g2 + g3;
    J(15, 4, 2) = -g1;
    J(15, 4, 3) = g3;
    J(15, 4, 4) += g1 + g3;
    J(15, 4, 6) = g1 + g3;
    J(15, 5, 2) = g4;
    J(15, 5, 3) = -g2;
    J(15, 5, 5) += g2 + g4;
    J(15, 5, 6) = -g2 - g4;
    J(15, 6, 2) = -(g1 + g4) / ring_Cp;
    J(15, 6, 3) = (g2 + g3) / ring_Cp;
    J(15, 6, 4) = (g1 + g3) / ring_Cp;
    J(15, 6, 5) = -(g2 + g4) / ring_Cp;
    J(15, 6, 6) += (g1 + g2 + g3 + g4) / ring_Cp;
}

/* The constant part: resistors, inductors, capacitors. */
static void ring_linear_entries(double c, double *values)
{
    J(15, 0, 0) = c + 1.0 / (ring_R * ring_C);
    J(15, 1, 1) = c + 1.0 / (ring_R * ring_C);
    J(15, 0, 7) = J(15, 0, 13) = J(15, 1, 8) = J(15, 1, 14) = -1.0 / ring_C;
    J(15, 0, 9) = J(15, 1, 11) = 0.5 / ring_C;
    J(15, 0, 10) = J(15, 1, 12) = -0.5 / ring_C;
    for (int i = 2; i < 6; i++)
        J(15, i, i) = c * ring_Cs;
    J(15, 2, 9) = J(15, 4, 11) = -1.0;
    J(15, 3, 10) = J(15, 5, 12) = 1.0;
    J(15, 6, 6) = c + 1.0 / (ring_Rp * ring_Cp);
    J(15, 7, 7) = J(15, 8, 8) = c;
    J(15, 7, 0) = J(15, 8, 1) = 1.0 / ring_Lh;
    J(15, 9, 9) = J(15, 11, 11) = c + ring_Rg2 / ring_Ls2;
    J(15, 9, 0) = J(15, 11, 1) = -0.5 / ring_Ls2;
    J(15, 9, 2) = J(15, 11, 4) = 1.0 / ring_Ls2;
    J(15, 10, 10) = J(15, 12, 12) = c + ring_Rg3 / ring_Ls3;
    J(15, 10, 0) = J(15, 12, 1) = 0.5 / ring_Ls3;
    J(15, 10, 3) = J(15, 12, 5) = -1.0 / ring_Ls3;
    J(15, 13, 13) = c + (ring_Ri + ring_Rg1) / ring_Ls1;
    J(15, 14, 14) = c + (ring_Rc + ring_Rg1) / ring_Ls1;
    J(15, 13, 0) = J(15, 14, 1) = 1.0 / ring_Ls1;
}

static int ringmod_jacobian(double t, const double *y, const double *yp, double c, double *values,
                            void *user)
{
    (void)yp, (void)user;
    double e[4];
    ring_diodes(t, y, e);
    ring_linear_entries(c, values);
    ring_diode_entries(e, values);
    return DAEDAL_CALL_OK;
}

static const double ringmod_y0[15] = {0.0}, ringmod_yp0[15] = {0.0};
static const double ringmod_reference[] = {
    -0.023390573584371597813,   -0.007367485486008226203,  0.258295670999191862805,
    -0.4064465720588010942842,  -0.4039455664455441545149, 0.260796676612448802575,
    0.1106761861273298356094,   2.9399043424330074999e-7,  -2.8400299330664809777e-8,
    7.26719826729145718376e-4,  7.92948719702323473529e-4, -7.25528349576584390661e-4,
    -7.94140196854884801245e-4, 7.088495416875679169e-5,   2.3900590752771060886e-5};

/* ---- rc_ladder20: 20 RC sections behind a source whose current is algebraic ------ */

static const double ladder_R = 1.0, ladder_C = 0.01;
enum { LADDER = 20 };

static int ladder_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double supply = 1.0 + sin(2.0 * pi * t);
    double in = (supply - y[0]) / ladder_R;
    r[LADDER] = y[LADDER] - in;
    for (int i = 0; i < LADDER; i++) {
        const double out = i + 1 < LADDER ? (y[i] - y[i + 1]) / ladder_R : 0.0;
        r[i] = ladder_C * yp[i] - in + out;
        in = out;
    }
    return DAEDAL_CALL_OK;
}

static int ladder_jacobian(double t, const double *y, const double *yp, double c, double *values,
                           void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    const int n = LADDER + 1;
    for (int i = 0; i < LADDER; i++) {
        J(n, i, i) = c * ladder_C + (i + 1 < LADDER ? 2.0 : 1.0) / ladder_R;
        if (i + 1 < LADDER)
            J(n, i, i + 1) = J(n, i + 1, i) = -1.0 / ladder_R;
    }
    J(n, LADDER, 0) = 1.0 / ladder_R;
    J(n, LADDER, LADDER) = 1.0;
    return DAEDAL_CALL_OK;
}

static const int32_t ladder_kind[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                      1, 1, 1, 1, 1, 1, 1, 1, 1, 2};
static const double ladder_y0[LADDER + 1] = {[LADDER] = 1.0};
static const double ladder_yp0[LADDER + 1] = {100.0, [LADDER] = -93.716814692820414};
static const double ladder_reference[] = {
    0.8480142370578551331473, 0.7478596346284316223217, 0.6891167975630580241098,
    0.6623244141605175589765, 0.6591927741560235486505, 0.6726914783400858543965,
    0.6970441722693967731397, 0.7276581624302929656358, 0.7610118192971275863545,
    0.7945179950852601922777, 0.8263774513039280668114, 0.8554325971834450295973,
    0.8810287241521429094847, 0.9028873825753857856991, 0.9209945553828976563628,
    0.935504791102714231678,  0.9466614078138272114589, 0.9547322066613024746399,
    0.959959775445292418849,  0.9625253582147228838842, 0.1519857629421448668527};

/* ---- the table ------------------------------------------------------------------- */

static const problem table[] = {
    {.name = "transamp",
     .title = "Transistor amplifier (8 node voltages)",
     .source = "Test Set for IVP Solvers (CWI/Bari), release 2.4 (transamp)",
     .n = 8,
     .residual = transamp_residual,
     .jacobian = transamp_jacobian,
     .t_end = 0.2,
     .y0 = transamp_y0,
     .yp0 = transamp_yp0,
     .reference = transamp_reference,
     .atol_factor = 1.0,
     .collections = PROBLEM_MAIN},
    {.name = "ringmod",
     .title = "Ring modulator, ODE form, Cs = 2e-12",
     .source = "Test Set for IVP Solvers (CWI/Bari), release 2.4 (ringmod)",
     .n = 15,
     .residual = ringmod_residual,
     .jacobian = ringmod_jacobian,
     .t_end = 1e-3,
     .y0 = ringmod_y0,
     .yp0 = ringmod_yp0,
     .reference = ringmod_reference,
     .atol_factor = 1.0,
     .collections = PROBLEM_MAIN},
    {.name = "rc_ladder20",
     .title = "RC ladder with 20 sections driven by 1 + sin(2 pi t)",
     .source = "constructed for the collection; reference computed there",
     .n = LADDER + 1,
     .residual = ladder_residual,
     .jacobian = ladder_jacobian,
     .t_end = 5.0,
     .y0 = ladder_y0,
     .yp0 = ladder_yp0,
     .reference = ladder_reference,
     .atol_factor = 1.0,
     .kind = ladder_kind,
     .collections = PROBLEM_HELD_OUT},
};

const problem *problems_circuits(int i)
{
    return i < (int)(sizeof table / sizeof table[0]) ? &table[i] : NULL;
}
