/* support/problems_kinetics.c - reaction kinetics: few unknowns, widely spread rates.
 * Contents: chemakzo, rober_dae, hires, pollution, e5, oregonator, robertson_ode.
 * Depends on: support/problems.h.                                                 */
#include "problems.h"

#include <math.h>

/* Entry (i, j) of an n x n matrix by columns, in a Jacobian callback. */
#define J(n, i, j) values[(j) * (n) + (i)]

#define TEST_SET "Test Set for IVP Solvers (CWI/Bari), release 2.4"

/* ---- chemakzo: the chemical Akzo Nobel problem ---------------------------------- */

static const double akzo_k1 = 18.7, akzo_k2 = 0.58, akzo_k3 = 0.09, akzo_k4 = 0.42;
static const double akzo_K = 34.4, akzo_klA = 3.3, akzo_Ks = 115.83;
static const double akzo_pCO2 = 0.9, akzo_H = 737.0;

static int akzo_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    if (y[1] < 0.0)
        return DAEDAL_CALL_RETRY;
    const double root = sqrt(y[1]), square = y[0] * y[0];
    const double r1 = akzo_k1 * square * square * root;
    const double r2 = akzo_k2 * y[2] * y[3];
    const double r3 = akzo_k2 / akzo_K * y[0] * y[4];
    const double r4 = akzo_k3 * y[0] * y[3] * y[3];
    const double r5 = akzo_k4 * y[5] * y[5] * root;
    const double inflow = akzo_klA * (akzo_pCO2 / akzo_H - y[1]);
    r[0] = yp[0] + 2.0 * r1 - r2 + r3 + r4;
    r[1] = yp[1] + 0.5 * r1 + r4 + 0.5 * r5 - inflow;
    r[2] = yp[2] - r1 + r2 - r3;
    r[3] = yp[3] + r2 - r3 + 2.0 * r4;
    r[4] = yp[4] - r2 + r3 - r5;
    r[5] = akzo_Ks * y[0] * y[3] - y[5];
    return DAEDAL_CALL_OK;
}

static int akzo_jacobian(double t, const double *y, const double *yp, double c, double *values,
                         void *user)
{
    (void)t, (void)yp, (void)user;
    const double root = sqrt(y[1]), cube = y[0] * y[0] * y[0];
    const double r1_0 = 4.0 * akzo_k1 * cube * root; /* ri_j: d r_i / d y_j */
    const double r1_1 = 0.5 * akzo_k1 * cube * y[0] / root;
    const double r2_2 = akzo_k2 * y[3], r2_3 = akzo_k2 * y[2];
    const double r3_0 = akzo_k2 / akzo_K * y[4], r3_4 = akzo_k2 / akzo_K * y[0];
    const double r4_0 = akzo_k3 * y[3] * y[3], r4_3 = 2.0 * akzo_k3 * y[0] * y[3];
    const double r5_1 = 0.5 * akzo_k4 * y[5] * y[5] / root, r5_5 = 2.0 * akzo_k4 * y[5] * root;
    J(6, 0, 0) = c + 2.0 * r1_0 + r3_0 + r4_0;
    J(6, 1, 0) = 0.5 * r1_0 + r4_0;
    J(6, 2, 0) = -r1_0 - r3_0;
    J(6, 3, 0) = -r3_0 + 2.0 * r4_0;
    J(6, 4, 0) = r3_0;
    J(6, 5, 0) = akzo_Ks * y[3];
    J(6, 0, 1) = 2.0 * r1_1;
    J(6, 1, 1) = c + 0.5 * r1_1 + 0.5 * r5_1 + akzo_klA;
    J(6, 2, 1) = -r1_1;
    J(6, 4, 1) = -r5_1;
    J(6, 0, 2) = -r2_2;
    J(6, 2, 2) = c + r2_2;
    J(6, 3, 2) = r2_2;
    J(6, 4, 2) = -r2_2;
    J(6, 0, 3) = -r2_3 + r4_3;
    J(6, 1, 3) = r4_3;
    J(6, 2, 3) = r2_3;
    J(6, 3, 3) = c + r2_3 + 2.0 * r4_3;
    J(6, 4, 3) = -r2_3;
    J(6, 5, 3) = akzo_Ks * y[0];
    J(6, 0, 4) = r3_4;
    J(6, 2, 4) = -r3_4;
    J(6, 3, 4) = -r3_4;
    J(6, 4, 4) = c + r3_4;
    J(6, 1, 5) = 0.5 * r5_5;
    J(6, 4, 5) = -r5_5;
    J(6, 5, 5) = -1.0;
    return DAEDAL_CALL_OK;
}

static const int32_t akzo_kind[] = {1, 1, 1, 1, 1, 2};
static const double akzo_y0[] = {0.444, 0.00123, 0.0, 0.007, 0.0, 0.35999964};
static const double akzo_yp0[] = {-0.050976817652165768, -0.013729322308134245,
                                  0.025487429806082884,  -3.91608e-6,
                                  0.0019090002227229194, -0.041533911719154126};
static const double akzo_reference[] = {0.1150794920661702186171,  0.001203831471567715092867,
                                        0.1611562887407974209641,  3.656156421249283017146e-4,
                                        0.01708010885264404071378, 0.00487353131030745512937};

/* ---- Robertson: rober_dae (sum constraint) and robertson_ode --------------------- */

static const double rober_k1 = 0.04, rober_k2 = 3e7, rober_k3 = 1e4;

static int rober_dae_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    const double slow = rober_k1 * y[0], back = rober_k3 * y[1] * y[2];
    r[0] = yp[0] + slow - back;
    r[1] = yp[1] - slow + back + rober_k2 * y[1] * y[1];
    r[2] = y[0] + y[1] + y[2] - 1.0;
    return DAEDAL_CALL_OK;
}

/* The first two rows, common to both forms. */
static void rober_rows(const double *y, double c, double *values)
{
    J(3, 0, 0) = c + rober_k1;
    J(3, 1, 0) = -rober_k1;
    J(3, 0, 1) = -rober_k3 * y[2];
    J(3, 1, 1) = c + rober_k3 * y[2] + 2.0 * rober_k2 * y[1];
    J(3, 0, 2) = -rober_k3 * y[1];
    J(3, 1, 2) = rober_k3 * y[1];
}

static int rober_dae_jacobian(double t, const double *y, const double *yp, double c, double *values,
                              void *user)
{
    (void)t, (void)yp, (void)user;
    rober_rows(y, c, values);
    J(3, 2, 0) = 1.0;
    J(3, 2, 1) = 1.0;
    J(3, 2, 2) = 1.0;
    return DAEDAL_CALL_OK;
}

static int rober_ode_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    const double slow = rober_k1 * y[0], back = rober_k3 * y[1] * y[2];
    const double fast = rober_k2 * y[1] * y[1];
    r[0] = yp[0] + slow - back;
    r[1] = yp[1] - slow + back + fast;
    r[2] = yp[2] - fast;
    return DAEDAL_CALL_OK;
}

static int rober_ode_jacobian(double t, const double *y, const double *yp, double c, double *values,
                              void *user)
{
    (void)t, (void)yp, (void)user;
    rober_rows(y, c, values);
    J(3, 2, 1) = -2.0 * rober_k2 * y[1];
    J(3, 2, 2) = c;
    return DAEDAL_CALL_OK;
}

static const int32_t rober_dae_kind[] = {1, 1, 2};
static const double rober_y0[] = {1.0, 0.0, 0.0};
static const double rober_yp0[] = {-0.04, 0.04, 0.0};
static const double rober_atol[] = {1e-8, 1e-14, 1e-6};
static const double rober_reference[] = {2.083340149701294230573e-8, 8.333360770334783400648e-14,
                                         0.9999999791665151693794};

/* ---- hires: high irradiance response of photomorphogenesis ----------------------- */

static int hires_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    const double bind = 280.0 * y[5] * y[7], release = 1.81 * y[6];
    r[0] = yp[0] + 1.71 * y[0] - 0.43 * y[1] - 8.32 * y[2] - 0.0007;
    r[1] = yp[1] - 1.71 * y[0] + 8.75 * y[1];
    r[2] = yp[2] + 10.03 * y[2] - 0.43 * y[3] - 0.035 * y[4];
    r[3] = yp[3] - 8.32 * y[1] - 1.71 * y[2] + 1.12 * y[3];
    r[4] = yp[4] + 1.745 * y[4] - 0.43 * y[5] - 0.43 * y[6];
    r[5] = yp[5] + bind - 0.69 * y[3] - 1.71 * y[4] + 0.43 * y[5] - 0.69 * y[6];
    r[6] = yp[6] - bind + release;
    r[7] = yp[7] + bind - release;
    return DAEDAL_CALL_OK;
}

static int hires_jacobian(double t, const double *y, const double *yp, double c, double *values,
                          void *user)
{
    (void)t, (void)yp, (void)user;
    const double bind_5 = 280.0 * y[7], bind_7 = 280.0 * y[5];
    J(8, 0, 0) = c + 1.71;
    J(8, 1, 0) = -1.71;
    J(8, 0, 1) = -0.43;
    J(8, 1, 1) = c + 8.75;
    J(8, 3, 1) = -8.32;
    J(8, 0, 2) = -8.32;
    J(8, 2, 2) = c + 10.03;
    J(8, 3, 2) = -1.71;
    J(8, 2, 3) = -0.43;
    J(8, 3, 3) = c + 1.12;
    J(8, 5, 3) = -0.69;
    J(8, 2, 4) = -0.035;
    J(8, 4, 4) = c + 1.745;
    J(8, 5, 4) = -1.71;
    J(8, 4, 5) = -0.43;
    J(8, 5, 5) = c + bind_5 + 0.43;
    J(8, 6, 5) = -bind_5;
    J(8, 7, 5) = bind_5;
    J(8, 4, 6) = -0.43;
    J(8, 5, 6) = -0.69;
    J(8, 6, 6) = c + 1.81;
    J(8, 7, 6) = -1.81;
    J(8, 5, 7) = bind_7;
    J(8, 6, 7) = -bind_7;
    J(8, 7, 7) = c + bind_7;
    return DAEDAL_CALL_OK;
}

static const double hires_y0[] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057};
static const double hires_yp0[] = {-1.7093, 1.71, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
static const double hires_reference[] = {7.371312573325667807277e-4, 1.442485726316184658188e-4,
                                         5.888729740967575007483e-5, 0.001175651343283149145506,
                                         0.002386356198831330468822, 0.006238968252742795786668,
                                         0.002849998395185768657905, 0.002850001604814231342095};

/* ---- pollution: 25 reactions between 20 species ---------------------------------- */

/* Reaction: rate k y[a] (y[b], b >= 0), changing up to five species. */
typedef struct reaction {
    double k;
    int a, b;
    struct {
        int species, change;
    } effect[5];
} reaction;

static const reaction air[25] = {
    {0.35, 0, -1, {{0, -1}, {1, 1}, {2, 1}}},
    {0.266e2, 1, 3, {{0, 1}, {1, -1}, {3, -1}}},
    {0.123e5, 4, 1, {{0, 1}, {1, -1}, {4, -1}, {5, 1}}},
    {0.86e-3, 6, -1, {{4, 2}, {6, -1}, {7, 1}}},
    {0.82e-3, 6, -1, {{6, -1}, {7, 1}}},
    {0.15e5, 6, 5, {{4, 1}, {5, -1}, {6, -1}, {7, 1}}},
    {0.13e-3, 8, -1, {{4, 1}, {7, 1}, {8, -1}, {9, 1}}},
    {0.24e5, 8, 5, {{5, -1}, {8, -1}, {10, 1}}},
    {0.165e5, 10, 1, {{0, 1}, {1, -1}, {9, 1}, {10, -1}, {11, 1}}},
    {0.9e4, 10, 0, {{0, -1}, {10, -1}, {12, 1}}},
    {0.22e-1, 12, -1, {{0, 1}, {10, 1}, {12, -1}}},
    {0.12e5, 9, 1, {{0, 1}, {1, -1}, {9, -1}, {13, 1}}},
    {0.188e1, 13, -1, {{4, 1}, {6, 1}, {13, -1}}},
    {0.163e5, 0, 5, {{0, -1}, {5, -1}, {14, 1}}},
    {0.48e7, 2, -1, {{2, -1}, {3, 1}}},
    {0.35e-3, 3, -1, {{3, -1}, {15, 1}}},
    {0.175e-1, 3, -1, {{2, 1}, {3, -1}}},
    {0.1e9, 15, -1, {{5, 2}, {15, -1}}},
    {0.444e12, 15, -1, {{2, 1}, {15, -1}}},
    {0.124e4, 16, 5, {{4, 1}, {5, -1}, {16, -1}, {17, 1}}},
    {0.21e1, 18, -1, {{1, 1}, {18, -1}}},
    {0.578e1, 18, -1, {{0, 1}, {2, 1}, {18, -1}}},
    {0.474e-1, 0, 3, {{0, -1}, {3, -1}, {18, 1}}},
    {0.178e4, 18, 0, {{0, -1}, {18, -1}, {19, 1}}},
    {0.312e1, 19, -1, {{0, 1}, {18, 1}, {19, -1}}},
};

static int pollution_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    double q[26]; /* rates, numbered from 1 as in the source */
    for (int k = 0; k < 25; k++)
        q[k + 1] = air[k].k * y[air[k].a] * (air[k].b >= 0 ? y[air[k].b] : 1.0);
    r[0] = yp[0] + q[1] + q[10] + q[14] + q[23] + q[24] - q[2] - q[3] - q[9] - q[11] - q[12] -
           q[22] - q[25];
    r[1] = yp[1] + q[2] + q[3] + q[9] + q[12] - q[1] - q[21];
    r[2] = yp[2] + q[15] - q[1] - q[17] - q[19] - q[22];
    r[3] = yp[3] + q[2] + q[16] + q[17] + q[23] - q[15];
    r[4] = yp[4] + q[3] - 2.0 * q[4] - q[6] - q[7] - q[13] - q[20];
    r[5] = yp[5] + q[6] + q[8] + q[14] + q[20] - q[3] - 2.0 * q[18];
    r[6] = yp[6] + q[4] + q[5] + q[6] - q[13];
    r[7] = yp[7] - q[4] - q[5] - q[6] - q[7];
    r[8] = yp[8] + q[7] + q[8];
    r[9] = yp[9] + q[12] - q[7] - q[9];
    r[10] = yp[10] + q[9] + q[10] - q[8] - q[11];
    r[11] = yp[11] - q[9];
    r[12] = yp[12] + q[11] - q[10];
    r[13] = yp[13] + q[13] - q[12];
    r[14] = yp[14] - q[14];
    r[15] = yp[15] + q[18] + q[19] - q[16];
    r[16] = yp[16] + q[20];
    r[17] = yp[17] - q[20];
    r[18] = yp[18] + q[21] + q[22] + q[24] - q[23] - q[25];
    r[19] = yp[19] + q[25] - q[24];
    return DAEDAL_CALL_OK;
}

static int pollution_jacobian(double t, const double *y, const double *yp, double c, double *values,
                              void *user)
{
    (void)t, (void)yp, (void)user;
    for (int i = 0; i < 20; i++)
        J(20, i, i) = c;
    for (const reaction *q = air; q < air + 25; q++) {
        const double by_a = q->k * (q->b >= 0 ? y[q->b] : 1.0);
        const double by_b = q->b >= 0 ? q->k * y[q->a] : 0.0;
        for (int e = 0; e < 5 && q->effect[e].change; e++) {
            const int i = q->effect[e].species, change = q->effect[e].change;
            J(20, i, q->a) -= change * by_a;
            if (q->b >= 0)
                J(20, i, q->b) -= change * by_b;
        }
    }
    return DAEDAL_CALL_OK;
}

static const double pollution_y0[20] = {
    [1] = 0.2, [3] = 0.04, [6] = 0.1, [7] = 0.3, [8] = 0.01, [16] = 0.007};
static const double pollution_yp0[20] = {0.2128,   -0.2128,  7.0e-4,  -0.213514, 1.733e-4,     0.0,
                                         -1.68e-4, 1.693e-4, -1.3e-6, 1.3e-6,    [15] = 1.4e-5};
static const double pollution_reference[20] = {
    0.0564625548002276927778,    0.134248413042233852187,    4.13973433109942696995e-9,
    0.0055231402074843599392,    2.0189772623021960413e-7,   1.4645418634939657936e-7,
    0.07784249118997964146099,   0.3245075353396018218304,   0.007494013383880405552577,
    1.6222931573015603509e-8,    1.1358638332570748226e-8,   0.002230505975721359860987,
    2.087162882798630040952e-4,  1.396921016840157718e-5,    0.008964884856898294177554,
    4.352846369330103675793e-18, 0.006899219696263405404686, 1.007803037365945953143e-4,
    1.7721465139699845357e-6,    5.682943292316393442694e-5};

/* ---- e5: stiff detest problem E5 ------------------------------------------------- */

static const double e5_A = 7.89e-10, e5_B = 1.1e7, e5_C = 1.13e3, e5_M = 1e6;

/* y2 = y3 + y4 for ever; the third equation is written so that roundoff respects it. */
static int e5_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    const double f2 = e5_A * y[0] - e5_M * e5_C * y[1] * y[2];
    const double f4 = e5_B * y[0] * y[2] - e5_C * y[3];
    r[0] = yp[0] + e5_A * y[0] + e5_B * y[0] * y[2];
    r[1] = yp[1] - f2;
    r[2] = yp[2] - (f2 - f4);
    r[3] = yp[3] - f4;
    return DAEDAL_CALL_OK;
}

static int e5_jacobian(double t, const double *y, const double *yp, double c, double *values,
                       void *user)
{
    (void)t, (void)yp, (void)user;
    const double meet_0 = e5_B * y[2], meet_2 = e5_B * y[0];
    const double end_1 = e5_M * e5_C * y[2], end_2 = e5_M * e5_C * y[1];
    J(4, 0, 0) = c + e5_A + meet_0;
    J(4, 1, 0) = -e5_A;
    J(4, 2, 0) = -e5_A + meet_0;
    J(4, 3, 0) = -meet_0;
    J(4, 1, 1) = c + end_1;
    J(4, 2, 1) = end_1;
    J(4, 0, 2) = meet_2;
    J(4, 1, 2) = end_2;
    J(4, 2, 2) = c + meet_2 + end_2;
    J(4, 3, 2) = -meet_2;
    J(4, 2, 3) = -e5_C;
    J(4, 3, 3) = c + e5_C;
    return DAEDAL_CALL_OK;
}

static const double e5_y0[] = {1.76e-3, 0.0, 0.0, 0.0};
static const double e5_yp0[] = {-1.38864e-12, 1.38864e-12, 1.38864e-12, 0.0};
static const double e5_reference[] = {0.0, 8.86123352129108398e-23, 8.8612335212910845e-23, 0.0};
static const int32_t e5_counted[] = {1, 2}; /* the others have vanished */

/* ---- oregonator: the Belousov-Zhabotinskii oscillation --------------------------- */

static int oregonator_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - 77.27 * (y[1] + y[0] - y[0] * y[1] - 8.375e-6 * y[0] * y[0]);
    r[1] = yp[1] - (y[2] - (1.0 + y[0]) * y[1]) / 77.27;
    r[2] = yp[2] - 0.161 * (y[0] - y[2]);
    return DAEDAL_CALL_OK;
}

static int oregonator_jacobian(double t, const double *y, const double *yp, double c,
                               double *values, void *user)
{
    (void)t, (void)yp, (void)user;
    J(3, 0, 0) = c - 77.27 * (1.0 - y[1] - 2.0 * 8.375e-6 * y[0]);
    J(3, 1, 0) = y[1] / 77.27;
    J(3, 2, 0) = -0.161;
    J(3, 0, 1) = -77.27 * (1.0 - y[0]);
    J(3, 1, 1) = c + (1.0 + y[0]) / 77.27;
    J(3, 1, 2) = -1.0 / 77.27;
    J(3, 2, 2) = c + 0.161;
    return DAEDAL_CALL_OK;
}

static const double oregonator_y0[] = {1.0, 2.0, 3.0};
static const double oregonator_yp0[] = {77.26935286375, -0.012941633234114145, -0.322};
static const double oregonator_reference[] = {1.000814870318522716282, 1228.178521549887983718,
                                              132.0554942846508287742};

/* ---- the table ------------------------------------------------------------------- */

static const problem table[] = {
    {.name = "chemakzo",
     .title = "Chemical Akzo Nobel problem",
     .source = TEST_SET " (chemakzo)",
     .n = 6,
     .residual = akzo_residual,
     .jacobian = akzo_jacobian,
     .t_end = 180.0,
     .y0 = akzo_y0,
     .yp0 = akzo_yp0,
     .reference = akzo_reference,
     .atol_factor = 1.0,
     .kind = akzo_kind,
     .collections = PROBLEM_MAIN},
    {.name = "rober_dae",
     .title = "Robertson chemical kinetics as index-1 DAE",
     .source = "SUNDIALS IDA example idaRoberts (equations); reference computed for the collection",
     .n = 3,
     .residual = rober_dae_residual,
     .jacobian = rober_dae_jacobian,
     .t_end = 1e11,
     .y0 = rober_y0,
     .yp0 = rober_yp0,
     .reference = rober_reference,
     .atol_factors = rober_atol,
     .kind = rober_dae_kind,
     .collections = PROBLEM_MAIN},
    {.name = "hires",
     .title = "HIRES (high irradiance response)",
     .source = TEST_SET " (hires)",
     .n = 8,
     .residual = hires_residual,
     .jacobian = hires_jacobian,
     .t_end = 321.8122,
     .y0 = hires_y0,
     .yp0 = hires_yp0,
     .reference = hires_reference,
     .atol_factor = 1e-4,
     .collections = PROBLEM_MAIN},
    {.name = "pollution",
     .title = "Pollution (air chemistry)",
     .source = TEST_SET " (pollu)",
     .n = 20,
     .residual = pollution_residual,
     .jacobian = pollution_jacobian,
     .t_end = 60.0,
     .y0 = pollution_y0,
     .yp0 = pollution_yp0,
     .reference = pollution_reference,
     .norm = DIGITS_MAX_NORM, /* concentrations down to 1e-18 */
     .atol_factor = 1.0,
     .collections = PROBLEM_MAIN | PROBLEM_HELD_OUT},
    {.name = "e5",
     .title = "E5 (stiff detest)",
     .source = TEST_SET " (e5)",
     .n = 4,
     .residual = e5_residual,
     .jacobian = e5_jacobian,
     .t_end = 1e13,
     .y0 = e5_y0,
     .yp0 = e5_yp0,
     .reference = e5_reference,
     .counted = {e5_counted, 2},
     .atol_factor = 1e-22, /* the size of y2 and y3 at the end */
     .tol_min = 1e-5,      /* they were 1e-11, so roundoff leaves three to four digits */
     .collections = PROBLEM_MAIN | PROBLEM_HELD_OUT},
    {.name = "oregonator",
     .title = "Oregonator",
     .source = TEST_SET " (orego)",
     .n = 3,
     .residual = oregonator_residual,
     .jacobian = oregonator_jacobian,
     .t_end = 360.0,
     .y0 = oregonator_y0,
     .yp0 = oregonator_yp0,
     .reference = oregonator_reference,
     .atol_factor = 1.0,
     .collections = PROBLEM_MAIN | PROBLEM_HELD_OUT},
    {.name = "robertson_ode",
     .title = "Robertson chemical kinetics, ODE form",
     .source = TEST_SET " (rober)",
     .n = 3,
     .residual = rober_ode_residual,
     .jacobian = rober_ode_jacobian,
     .t_end = 1e11,
     .y0 = rober_y0,
     .yp0 = rober_yp0,
     .reference = rober_reference,
     .atol_factors = rober_atol,
     .collections = PROBLEM_HELD_OUT},
};

const problem *problems_kinetics(int i)
{
    return i < (int)(sizeof table / sizeof table[0]) ? &table[i] : NULL;
}
