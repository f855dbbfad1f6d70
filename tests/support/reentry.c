/* support/reentry.c - see reentry.h. */
#include "reentry.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The earth, in feet and seconds. */
static const double RADIUS = 20902900.0, GRAVITATION = 0.1407653916e17, ROTATION = 7.2921159e-5;

/* Lift and drag acceleration, and the direction of the lift. */
typedef struct forces {
    double lift, drag, bank;
} forces;

static double pressure(const double *y) /* dynamic, of a standard atmosphere */
{
    return 0.5 * 0.002378 * exp(-y[HEIGHT] / 23800.0) * y[SPEED] * y[SPEED];
}

/* [BCP96] (6.3.4) */
static void motion(const double *y, forces f, double *slope)
{
    double v = y[SPEED], r = y[HEIGHT] + RADIUS, g = GRAVITATION / (r * r);
    double sin_lat = sin(y[LATITUDE]), cos_lat = cos(y[LATITUDE]);
    double sin_gam = sin(y[SLOPE]), cos_gam = cos(y[SLOPE]);
    double sin_a = sin(y[AZIMUTH]), cos_a = cos(y[AZIMUTH]);
    double centrifugal = ROTATION * ROTATION * r * cos_lat;
    slope[HEIGHT] = v * sin_gam;
    slope[LONGITUDE] = v * cos_gam * sin_a / (r * cos_lat);
    slope[LATITUDE] = v / r * cos_gam * cos_a;
    slope[SPEED] =
        -f.drag - g * sin_gam - centrifugal * (sin_lat * cos_a * cos_gam - cos_lat * sin_gam);
    slope[SLOPE] = f.lift * cos(f.bank) / v + cos_gam / v * (v * v / r - g) +
                   2.0 * ROTATION * cos_lat * sin_a +
                   centrifugal / v * (sin_lat * cos_a * sin_gam + cos_lat * cos_gam);
    slope[AZIMUTH] = f.lift * sin(f.bank) / (v * cos_gam) +
                     v / r * cos_gam * sin_a * tan(y[LATITUDE]) -
                     2.0 * ROTATION * (cos_lat * cos_a * tan(y[SLOPE]) - sin_lat) +
                     centrifugal * sin_lat * sin_a / (v * cos_gam);
}

/* ---- prescribed drag ------------------------------------------------------------------- */

const double DRAG_START = 332.868734542;
const double DRAG_Y0[DRAG_N] = {264039.328,
                                177.718047 * DEGREE,
                                32.0417885 * DEGREE,
                                24317.0798,
                                -0.749986488 * DEGREE,
                                62.7883367 * DEGREE,
                                41.0999891598 * DEGREE};

static int drag_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    static const double ATTACK_ANGLE = 40.0, AREA_PER_MASS = 2690.0 / 5964.496499824;
    static const double C0 = 3.974960446019, C1 = -0.01448947694635, C2 = -0.2156171551995e-4,
                        C3 = -0.1089609507291e-7;
    (void)t;
    (void)user;
    double q = pressure(y) * AREA_PER_MASS, slope[REENTRY_STATES];
    forces f = {q * (0.84 - 0.48 * (38.0 - ATTACK_ANGLE) / 26.0),
                q * (0.78 - 0.58 * (38.0 - ATTACK_ANGLE) / 26.0), y[BANK]};
    motion(y, f, slope);
    for (int i = 0; i < REENTRY_STATES; i++)
        r[i] = yp[i] - slope[i];
    double dv = y[SPEED] - DRAG_Y0[SPEED];
    r[BANK] = f.drag - (C0 + dv * (C1 + dv * (C2 + dv * C3)));
    return DAEDAL_CALL_OK;
}

daedal_system drag_system(void)
{
    return (daedal_system){.n = DRAG_N, .residual = drag_residual};
}

/* ---- prescribed path --------------------------------------------------------------------- */

/* The controls satisfy the derivatives of the constraints. */
const double PATH_Y0[PATH_N] = {
    100000.0,     0.0, 0.0, 12000.0, -1.0 * DEGREE, 45.0 * DEGREE, -0.0522095858394 * DEGREE,
    2.67287004806};

/* Accelerations by lift and drag, where angle of attack and bank angle are controls. */
static forces path_forces(const double *y)
{
    static const double MASS = 2.890532728;
    double lift = 0.01 * y[ATTACK], q = pressure(y) / MASS;
    return (forces){q * lift, q * (0.04 + 0.1 * lift * lift), y[BANK]};
}

/* [BCP96] (6.3.5) */
static void path_constraints(double t, const double *y, double *g)
{
    double part = t / 300.0;
    g[0] = y[SLOPE] + (1.0 + 9.0 * part * part) * DEGREE;
    g[1] = y[AZIMUTH] - (45.0 + 90.0 * part * part) * DEGREE;
}

static int path_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const int32_t *index = user;
    double slope[REENTRY_STATES];
    motion(y, path_forces(y), slope);
    for (int i = 0; i < REENTRY_STATES; i++)
        r[i] = yp[i] - slope[i];
    if (*index == 2) {
        path_constraints(t, y, r + REENTRY_STATES);
    } else { /* their derivatives */
        r[REENTRY_STATES] = slope[SLOPE] + 18.0 * t / 9e4 * DEGREE;
        r[REENTRY_STATES + 1] = slope[AZIMUTH] - 180.0 * t / 9e4 * DEGREE;
    }
    return DAEDAL_CALL_OK;
}

daedal_system path_system(int32_t index)
{
    static int32_t indices[] = {1, 2};
    return (daedal_system){.n = PATH_N, .residual = path_residual, .user = &indices[index - 1]};
}

/* ---- inertial coordinates ------------------------------------------------------------------ */

/* East, north and up at a place, in inertial directions. */
typedef struct local_frame {
    double east[3], north[3], up[3];
} local_frame;

static local_frame frame_at(double longitude, double latitude)
{
    double sl = sin(longitude), cl = cos(longitude), sb = sin(latitude), cb = cos(latitude);
    return (local_frame){{-sl, cl, 0.0}, {-sb * cl, -sb * sl, cb}, {cb * cl, cb * sl, sb}};
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The velocity is that over ground and that of the ground. */
void path_to_inertial(double t, const double *relative, double *inertial)
{
    double longitude = relative[LONGITUDE] + ROTATION * t, r = relative[HEIGHT] + RADIUS;
    local_frame f = frame_at(longitude, relative[LATITUDE]);
    double level = relative[SPEED] * cos(relative[SLOPE]);
    double east = level * sin(relative[AZIMUTH]) + ROTATION * r * cos(relative[LATITUDE]);
    double north = level * cos(relative[AZIMUTH]), up = relative[SPEED] * sin(relative[SLOPE]);
    for (int i = 0; i < 3; i++) {
        inertial[i] = r * f.up[i];
        inertial[3 + i] = east * f.east[i] + north * f.north[i] + up * f.up[i];
    }
    memcpy(inertial + BANK, relative + BANK, 2 * sizeof *relative);
}

void path_from_inertial(double t, const double *inertial, double *relative)
{
    double r = sqrt(dot(inertial, inertial)), longitude = atan2(inertial[1], inertial[0]);
    relative[HEIGHT] = r - RADIUS;
    relative[LONGITUDE] = longitude - ROTATION * t;
    relative[LATITUDE] = asin(inertial[2] / r);
    local_frame f = frame_at(longitude, relative[LATITUDE]);
    double east = dot(inertial + 3, f.east) - ROTATION * r * cos(relative[LATITUDE]);
    double north = dot(inertial + 3, f.north), up = dot(inertial + 3, f.up);
    relative[SPEED] = sqrt(east * east + north * north + up * up);
    relative[SLOPE] = asin(up / relative[SPEED]);
    relative[AZIMUTH] = atan2(east, north);
    memcpy(relative + BANK, inertial + BANK, 2 * sizeof *relative);
}

/* Drag acts against the velocity over ground; lift across it, upwards without bank, to the side of
 * growing azimuth with it.                                                         */
static int inertial_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    double q[PATH_N], radius = sqrt(dot(y, y));
    (void)user;
    path_from_inertial(t, y, q);
    forces a = path_forces(q);
    local_frame f = frame_at(q[LONGITUDE] + ROTATION * t, q[LATITUDE]);
    double sg = sin(q[SLOPE]), cg = cos(q[SLOPE]), sa = sin(q[AZIMUTH]), ca = cos(q[AZIMUTH]);
    double above = a.lift * cos(a.bank), aside = a.lift * sin(a.bank);
    double east = -a.drag * cg * sa - above * sg * sa + aside * ca;
    double north = -a.drag * cg * ca - above * sg * ca - aside * sa;
    double up = -a.drag * sg + above * cg - GRAVITATION / (radius * radius);
    for (int i = 0; i < 3; i++) {
        r[i] = yp[i] - y[3 + i];
        r[3 + i] = yp[3 + i] - (east * f.east[i] + north * f.north[i] + up * f.up[i]);
    }
    path_constraints(t, q, r + REENTRY_STATES);
    return DAEDAL_CALL_OK;
}

daedal_system path_system_inertial(void)
{
    return (daedal_system){.n = PATH_N, .residual = inertial_residual};
}
