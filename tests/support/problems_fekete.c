/* support/problems_fekete.c - twenty points on a sphere that repel one another, index 2.
 *
 * Unknowns are positions p, velocities q, multipliers lambda of the sphere and mu of its
 * derivative (the stabilised form):  n = 60 + 60 + 20 + 20 = 160,
 *     p_i' = q_i + 2 mu_i p_i,   q_i' = -q_i/2 + 2 lambda_i p_i + sum_j (p_i - p_j)/|p_i - p_j|^2,
 *     0 = |p_i|^2 - 1,           0 = 2 p_i q_i.
 * No Jacobian: this problem measures differences.
 * Depends on: support/problems.h.                                                 */
#include "problems.h"

enum { POINTS = 20, COORDINATES = 3 * POINTS };

static double dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static void repel(const double *p, double *force)
{
    for (int i = 0; i < COORDINATES; i++)
        force[i] = 0.0;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < i; j++) {
            double apart[3];
            for (int k = 0; k < 3; k++)
                apart[k] = p[3 * i + k] - p[3 * j + k];
            double inverse = 1.0 / dot(apart, apart);
            for (int k = 0; k < 3; k++) {
                force[3 * i + k] += apart[k] * inverse;
                force[3 * j + k] -= apart[k] * inverse;
            }
        }
}

static int fekete_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    const double damping = 0.5;
    const double *p = y, *q = y + COORDINATES, *lambda = q + COORDINATES, *mu = lambda + POINTS;
    double force[COORDINATES];
    repel(p, force);
    for (int c = 0; c < COORDINATES; c++) {
        r[c] = yp[c] - q[c] - 2.0 * mu[c / 3] * p[c];
        r[COORDINATES + c] =
            yp[COORDINATES + c] + damping * q[c] - 2.0 * lambda[c / 3] * p[c] - force[c];
    }
    for (int i = 0; i < POINTS; i++) {
        r[2 * COORDINATES + i] = dot(p + 3 * i, p + 3 * i) - 1.0;
        r[2 * COORDINATES + POINTS + i] = 2.0 * dot(p + 3 * i, q + 3 * i);
    }
    return DAEDAL_CALL_OK;
}

enum { UNKNOWNS = 2 * COORDINATES + 2 * POINTS };

static const double fekete_p0[COORDINATES] = {
    -0.2650941332839413, 0.27599222797963385,  0.9238795325112867,  -0.1064692140354586,
    -0.367574367807928,  0.9238795325112867,   0.37156334731939994, 0.09158213982829415,
    0.9238795325112867,  0.4945564328017459,   0.7803635853675426,  0.3826834323650898,
    -0.3017619265164502, 0.8732085262400696,   0.3826834323650898,  -0.8708474003462483,
    0.3085096366460128,  0.3826834323650898,   -0.7841670196657009, -0.4885033017922048,
    0.3826834323650898,  -0.10699287908479461, -0.9176632903295305, 0.3826834323650898,
    0.6507490817039528,  -0.6558041043289801,  0.3826834323650898,  0.9184637111074954,
    0.09988894819709052, 0.3826834323650898,   0.06826933754508434, 0.9109909992588205,
    -0.4067366430758002, -0.7548066792045671,  0.5146184802429881,  -0.4067366430758002,
    -0.8230760167496515, -0.3963725190158325,  -0.4067366430758002, -0.06826933754508434,
    -0.9109909992588205, -0.4067366430758002,  0.7548066792045671,  -0.5146184802429881,
    -0.4067366430758002, 0.8230760167496515,   0.3963725190158325,  -0.4067366430758002,
    0.5777770913944166,  0.10800525668843308,  -0.8090169943749475, -0.10800525668843308,
    0.5777770913944166,  -0.8090169943749475,  -0.5777770913944166, -0.10800525668843308,
    -0.8090169943749475, 0.10800525668843308,  -0.5777770913944166, -0.8090169943749475};
static const double fekete_reference[UNKNOWNS] = {-0.4070263380331287,
                                                  0.3463758772817203,
                                                  0.8451942450020942,
                                                  0.07752934752463822,
                                                  -0.26286627199499435,
                                                  0.9617122871835722,
                                                  0.7100577833343151,
                                                  0.12129480555943528,
                                                  0.6936177005171202,
                                                  0.23482677445649464,
                                                  0.7449277976935609,
                                                  0.6244509285938966,
                                                  -0.4341114738772803,
                                                  0.8785430442272952,
                                                  0.19927204442151972,
                                                  -0.9515059600310507,
                                                  0.22035087628037145,
                                                  0.2146669498266118,
                                                  -0.63851916436168,
                                                  -0.43108332593675325,
                                                  0.6375425027730849,
                                                  -0.1464175087926517,
                                                  -0.9380871635219493,
                                                  0.31393372987670065,
                                                  0.5666974065060516,
                                                  -0.6739221885071904,
                                                  0.47400731354800196,
                                                  0.9843259538438373,
                                                  -0.16969953578330543,
                                                  -0.048005042905412604,
                                                  0.1464175087926517,
                                                  0.9380871635219493,
                                                  -0.31393372987670065,
                                                  -0.7092757549971387,
                                                  0.5264062637136828,
                                                  -0.46885429388695965,
                                                  -0.8665731819289951,
                                                  -0.48138780597487246,
                                                  -0.1315929352972841,
                                                  -0.23478977787097116,
                                                  -0.8594340408021292,
                                                  -0.4541441287937391,
                                                  0.5530976940065723,
                                                  -0.7674370265629661,
                                                  -0.32422731400177474,
                                                  0.7711050969904513,
                                                  0.635704181656858,
                                                  0.03573685519643683,
                                                  0.7103951209384287,
                                                  0.2403570431255892,
                                                  -0.6614886725914503,
                                                  -0.03038208738657145,
                                                  0.4501923293619194,
                                                  -0.8924145871453042,
                                                  -0.5772996158107087,
                                                  -0.17667634149841485,
                                                  -0.7971892020966815,
                                                  0.24144817669673546,
                                                  -0.34164568183980676,
                                                  -0.9082846503437321,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  -4.75,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  -2.0986786651419877e-36,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  0.0,
                                                  8.693973610011569e-38,
                                                  0.0};
static const int32_t fekete_counted[] = {0, 1, 2, 3, 4, 5};
static double fekete_y0[UNKNOWNS], fekete_yp0[UNKNOWNS];
static int32_t fekete_kind[UNKNOWNS], fekete_index[UNKNOWNS];

/* At rest; the multipliers take what the forces push outwards, and the rest accelerates. */
static void fill_start(void)
{
    double force[COORDINATES];
    repel(fekete_p0, force);
    for (int c = 0; c < COORDINATES; c++) {
        double outwards = dot(fekete_p0 + 3 * (c / 3), force + 3 * (c / 3));
        fekete_y0[c] = fekete_p0[c];
        fekete_y0[2 * COORDINATES + c / 3] = -0.5 * outwards;
        fekete_yp0[COORDINATES + c] = force[c] - outwards * fekete_p0[c];
    }
    for (int i = 0; i < UNKNOWNS; i++)
        fekete_index[i] = fekete_kind[i] = i < 2 * COORDINATES ? 1 : 2; /* both are 1 and 2 */
}

const problem *problems_fekete(int i)
{
    static const problem fekete = {.name = "fekete_ind2",
                                   .title = "Twenty points on a sphere, index 2",
                                   .source =
                                       "Test Set for IVP Solvers (CWI/Bari), release 2.4 (fekete)",
                                   .n = UNKNOWNS,
                                   .residual = fekete_residual,
                                   .t_end = 1000.0,
                                   .y0 = fekete_y0,
                                   .yp0 = fekete_yp0,
                                   .reference = fekete_reference,
                                   .counted = {fekete_counted, 6},
                                   .atol_factor = 1.0,
                                   .kind = fekete_kind,
                                   .index = fekete_index,
                                   .collections = PROBLEM_HIGH_INDEX};
    if (fekete_kind[0] == 0)
        fill_start();
    return i == 0 ? &fekete : NULL;
}
