/* bench/further/further_beams.c - elastic structures: beam and plate.
 * Depends on: bench/further/further.h.                                            */
#include "further.h"

#include <math.h>

/* ---- beam: an inextensible elastic beam, clamped and pulled ---------------------------- */

enum { SEGMENTS = 12 };

/* Solve the tridiagonal system with diagonal 1, 2, ..., 2, 3 and off[i] between i and i + 1. */
static void solve_tridiagonal(const double *off, double *b)
{
    double diagonal[SEGMENTS];
    diagonal[0] = 1.0;
    for (int i = 1; i < SEGMENTS; i++) {
        const double factor = off[i - 1] / diagonal[i - 1];
        diagonal[i] = (i == SEGMENTS - 1 ? 3.0 : 2.0) - factor * off[i - 1];
        b[i] -= factor * b[i - 1];
    }
    b[SEGMENTS - 1] /= diagonal[SEGMENTS - 1];
    for (int i = SEGMENTS - 2; i >= 0; i--)
        b[i] = (b[i] - off[i] * b[i + 1]) / diagonal[i];
}

/* Bending and the pull at the free end, on each segment. */
static void beam_forces(double t, const double *angle, double *v)
{
    const double n2 = (double)SEGMENTS * SEGMENTS, n4 = n2 * n2;
    const double pull = t <= PI ? 1.5 * sin(t) * sin(t) : 0.0;
    for (int i = 0; i < SEGMENTS; i++) {
        const double below = i > 0 ? angle[i - 1] : -angle[0];
        const double above = i < SEGMENTS - 1 ? angle[i + 1] : angle[i];
        v[i] = n4 * (below - 2.0 * angle[i] + above) + n2 * pull * (cos(angle[i]) + sin(angle[i]));
    }
}

static void beam_rhs(double t, const double *y, double *f)
{
    const double *angle = y, *speed = y + SEGMENTS;
    double v[SEGMENTS], w[SEGMENTS], c[SEGMENTS], s[SEGMENTS];
    beam_forces(t, angle, v);
    for (int i = 0; i < SEGMENTS - 1; i++) { /* off-diagonals of C and D */
        c[i] = -cos(angle[i + 1] - angle[i]);
        s[i] = -sin(angle[i + 1] - angle[i]);
    }
    for (int i = 0; i < SEGMENTS; i++) {
        w[i] = speed[i] * speed[i];
        if (i > 0)
            w[i] += s[i - 1] * v[i - 1];
        if (i < SEGMENTS - 1)
            w[i] -= s[i] * v[i + 1];
    }
    solve_tridiagonal(c, w);
    for (int i = 0; i < SEGMENTS; i++) {
        f[i] = speed[i];
        double force = (i == 0 ? 1.0 : i == SEGMENTS - 1 ? 3.0 : 2.0) * v[i];
        if (i > 0)
            force += c[i - 1] * v[i - 1] + s[i - 1] * w[i - 1];
        if (i < SEGMENTS - 1)
            force += c[i] * v[i + 1] - s[i] * w[i + 1];
        f[SEGMENTS + i] = force;
    }
}

static void beam_start(double *y, double *yp)
{
    (void)y, (void)yp; /* at rest */
}

/* ---- plate: a plate under a car that drives over it ------------------------------------ */

enum { PLATE_X = 8, PLATE_Y = 5, PLATE_N = PLATE_X * PLATE_Y };

static double plate_at(const double *u, int i, int j)
{
    return i < 0 || j < 0 || i >= PLATE_X || j >= PLATE_Y ? 0.0 : u[i + PLATE_X * j];
}

/* The Laplacian times the square of the mesh width, zero outside. */
static void plate_laplacian(const double *u, double *out)
{
    for (int j = 0; j < PLATE_Y; j++)
        for (int i = 0; i < PLATE_X; i++)
            out[i + PLATE_X * j] = plate_at(u, i - 1, j) + plate_at(u, i + 1, j) +
                                   plate_at(u, i, j - 1) + plate_at(u, i, j + 1) -
                                   4.0 * plate_at(u, i, j);
}

static void plate_rhs(double t, const double *y, double *f)
{
    const double friction = 1000.0, stiffness = 100.0, width = 2.0 / (PLATE_X + 1);
    double bend[PLATE_N], twice[PLATE_N];
    plate_laplacian(y, bend);
    plate_laplacian(bend, twice);
    for (int j = 0; j < PLATE_Y; j++)
        for (int i = 0; i < PLATE_X; i++) {
            const int at = i + PLATE_X * j;
            const double a = t - (i + 1) * width - 2.0, b = a - 3.0;
            const double load =
                j == 1 || j == 3 ? 200.0 * (exp(-5.0 * a * a) + exp(-5.0 * b * b)) : 0.0;
            f[at] = y[PLATE_N + at];
            f[PLATE_N + at] =
                load - friction * y[PLATE_N + at] - stiffness * twice[at] / pow(width, 4.0);
        }
}

/* ---- the table ------------------------------------------------------------------------- */

static const further_spec table[] = {
    {.name = "beam",
     .title = "Elastic beam of 12 segments",
     .source = "Hairer, Wanner, Solving ODEs II, section IV.1 and IV.10",
     .n = 2 * SEGMENTS,
     .rhs = beam_rhs,
     .start = beam_start,
     .t_end = 5.0,
     .atol_factor = 1.0,
     .norm = DIGITS_MAX_NORM,
     .n_counted = SEGMENTS},
    {.name = "plate",
     .title = "Plate of 8 x 5 points under a moving load",
     .source = "Hairer, Wanner, Solving ODEs II, section IV.10",
     .n = 2 * PLATE_N,
     .rhs = plate_rhs,
     .start = beam_start,
     .t_end = 7.0,
     .atol_factor = 1e-3,
     .norm = DIGITS_MAX_NORM,
     .n_counted = PLATE_N},
};

const further_spec *further_beams(int i)
{
    return i < (int)(sizeof table / sizeof table[0]) ? &table[i] : NULL;
}
