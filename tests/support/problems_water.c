/* support/problems_water.c - flow of water through eighteen tubes between thirteen nodes, index 2.
 *
 * Unknowns: flows phi and resistance coefficients of the tubes, pressures of the nodes, n = 49.
 * A tube accelerates its water by the difference of pressures less friction, laminar below a
 * critical Reynolds number and by the law of Colebrook above; two nodes store water, the others
 * pass on what comes in.  F is not continuous where a flow turns turbulent.
 * Depends on: support/problems.h.                                                 */
#include "problems.h"

#include <math.h>

enum { TUBES = 18, NODES = 13, STORES = 2, SOURCE_1 = 2, SINK = 9, SOURCE_2 = 12 };

/* Nodes in the order of their pressures: those that store first. */
static const int from_node[TUBES] = {2, 3, 3, 4, 4, 5, 0, 6, 7, 7, 1, 1, 8, 10, 10, 11, 11, 12};
static const int to_node[TUBES] = {3, 4, 6, 5, 0, 0, 9, 0, 5, 1, 0, 9, 1, 8, 11, 7, 1, 10};

static const double nu = 1.31e-6, gravity = 9.8, rho = 1000.0, critical = 2300.0, length = 1000.0;
static const double roughness = 2e-4, diameter = 1.0, area_of_store = 200.0;
static const double cross = 0.78539816339744831; /* pi/4 of the diameter squared */

static void tubes(const double *y, const double *yp, double *r)
{
    const double inertia = rho * length / cross;
    for (int k = 0; k < TUBES; k++) {
        double phi = y[k], la = y[TUBES + k];
        double reynolds = fabs(phi * diameter / (nu * cross));
        double drop = y[2 * TUBES + from_node[k]] - y[2 * TUBES + to_node[k]];
        double friction = reynolds > critical
                              ? la * rho * length * phi * phi / (cross * cross * diameter)
                              : 32.0 * nu * rho * length * phi / (cross * diameter * diameter);
        r[k] = inertia * yp[k] - drop + friction;
        r[TUBES + k] =
            1.0 / sqrt(la) - 1.74 +
            2.0 * log10(2.0 * roughness / diameter + 18.7 / (fmax(reynolds, critical) * sqrt(la)));
    }
}

static int water_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double hours = t / 3600.0, pulse = 1.0 - cos(exp(-hours) - 1.0);
    double inflow[NODES] = {[SOURCE_1] = pulse / 200.0,
                            [SOURCE_2] = pulse / 80.0,
                            [SINK] = -hours * hours * (3.0 * hours * hours - 92.0 * hours + 720.0) /
                                     1e6};
    for (int i = 0; i < TUBES; i++)
        if (!(y[TUBES + i] > 0.0))
            return DAEDAL_CALL_RETRY;
    tubes(y, yp, r);
    for (int k = 0; k < TUBES; k++) {
        inflow[from_node[k]] -= y[k];
        inflow[to_node[k]] += y[k];
    }
    for (int i = 0; i < NODES; i++) {
        double stored = i < STORES ? area_of_store / (rho * gravity) * yp[2 * TUBES + i] : 0.0;
        r[2 * TUBES + i] = stored - inflow[i];
    }
    return DAEDAL_CALL_OK;
}

enum { UNKNOWNS = 2 * TUBES + NODES };

static const double water_reference[UNKNOWNS] = {
    0.0022984882964774303, 0.0011889846511,      0.0011095036454,     0.0001589620114,
    0.0010300226397,       0.0008710606283,      0.0032435714791,     0.0011095036454,
    0.0007120986168,       0.0006414613989,      0.0009416978462,     0.0034034285209,
    0.00239763931083,      0.00239763931083,     0.00334858143037,    0.0013535600157,
    0.0019950214146,       0.005746220741193576, 0.04751940452918529, 0.04751940452918529,
    0.04751940452918529,   0.04751940452918529,  0.04751940452918529, 0.04751940452918529,
    0.043111967795,        0.04751940452918529,  0.04751940452918529, 0.04751940452918529,
    0.04751940452918529,   0.042492174329,       0.0473233643956,     0.0473233643956,
    0.04270002118902,      0.04751940452918529,  0.04751940452918529, 0.03651427026675656,
    111126.85914789,       111127.00455916,      111127.10787309,     111126.98519305,
    111126.9255356,        111126.93226584,      111126.92217047,     111127.01211403,
    111127.44195151,       111125.51588810932,   111127.87934386,     111127.0995171,
    111129.83389711};
static const int32_t water_counted[TUBES] = {0, 1,  2,  3,  4,  5,  6,  7,  8,
                                             9, 10, 11, 12, 13, 14, 15, 16, 17};
static double water_y0[UNKNOWNS], water_atol[UNKNOWNS];
static const double water_yp0[UNKNOWNS] = {0.0};
static int32_t water_kind[UNKNOWNS], water_index[UNKNOWNS];

static void fill_start(void)
{
    for (int i = 0; i < UNKNOWNS; i++) {
        water_y0[i] = i < TUBES ? 0.0 : i < 2 * TUBES ? 0.04751940452918529 : 109800.0;
        water_atol[i] = i < TUBES ? 1e-3 : 1.0;
        bool differential = i < TUBES || (i >= 2 * TUBES && i < 2 * TUBES + STORES);
        water_index[i] = i < 2 * TUBES + STORES ? 1 : 2;
        water_kind[i] = differential ? DAEDAL_DIFFERENTIAL : DAEDAL_ALGEBRAIC;
    }
}

const problem *problems_water(int i)
{
    static const problem water = {.name = "water_ind2",
                                  .title = "Water tubes, index 2",
                                  .source =
                                      "Test Set for IVP Solvers (CWI/Bari), release 2.4 (water)",
                                  .n = UNKNOWNS,
                                  .residual = water_residual,
                                  .t_end = 61200.0,
                                  .y0 = water_y0,
                                  .yp0 = water_yp0,
                                  .reference = water_reference,
                                  .counted = {water_counted, TUBES},
                                  .atol_factors = water_atol,
                                  .kind = water_kind,
                                  .index = water_index,
                                  .collections = PROBLEM_HIGH_INDEX};
    if (water_kind[0] == 0)
        fill_start();
    return i == 0 ? &water : NULL;
}
