/* tests/soak/random_systems.c - random functions with known solutions, index 0 to 3, solved by
 * every method that takes the index, with several tolerances and output points.
 *
 *     random_systems [--seed FIRST] [--count N] [--index 0..3] [--method M]
 *                    [--corners] [--steps] [--backward] [--most WRONG] [--verbose]
 *
 * A success whose error exceeds 100 tolerances (multipliers of index 3: 10 000) in any variable at
 * any output point is silently wrong, a failure is a refusal: each is printed with its seed, and
 * the exit status is 1 if there were more than --most wrong ones (0), or more than 0.5 % were
 * refused.
 *
 * States x have a smooth solution s(t): x' = s' + A (x - s) + cubic terms, with A stable; some
 * are stiff.  Algebraic variables z = q(t) follow from z + c z^3 = ..., constraints P x = P s(t)
 * hold by multipliers, for index 3 one derivative further.  F may be nonlinear in x' and its
 * equations are mixed by a random matrix.  Some have units of many sizes, with absolute
 * tolerances to match, and some of low index have up to 24 states.  Errors are amplified by no more
 * than about 10.  With --corners the slope of one state contains |u - c|, where u is another state
 * or a function of time: F has corners that nothing declares.  With --steps the run goes step by
 * step, and every step counts as an output point.  With --backward the same systems, mirrored in
 * time, are solved from 0 to negative times. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daedal.h"
#include "seeded.h"

enum {
    STATES_MAX = 24, /* of large systems; others have at most STATES_USUAL */
    STATES_USUAL = 5,
    OTHERS_MAX = 3,
    N_MAX = 2 * STATES_MAX + OTHERS_MAX,
    POINTS_MAX = 300
};

/* a + b sin(w t + p): value and derivatives. */
typedef struct wave {
    double a, b, w, p;
} wave;

static double wave_at(const wave *f, double t, int derivative)
{
    double phase = f->w * t + f->p + 1.57079632679489662 * derivative;
    return (derivative == 0 ? f->a : 0.0) + f->b * pow(f->w, derivative) * sin(phase);
}

/* size * |u - level|, u a state or (source < 0) a wave; `of` is the state whose slope it is part
 * of.
 */
typedef struct corner {
    int32_t of, source;
    double size, level;
    wave u;
} corner;

typedef struct system_data {
    uint32_t seed;
    int32_t index, n_x, n_z, n;
    bool mixed, cubic_slope, has_events, is_scaled;
    double stiffness;
    wave s[STATES_MAX], q[OTHERS_MAX];
    double a[STATES_MAX][STATES_MAX]; /* of x - s                       */
    double p[OTHERS_MAX][STATES_MAX]; /* constraints; z in x' otherwise */
    double c[OTHERS_MAX];             /* cubic terms of z               */
    double w[N_MAX][N_MAX];           /* mixes the equations            */
    double unit[N_MAX];               /* of y, that the user sees       */
    double y_size[N_MAX];
    bool has_corners;
    corner corner;
} system_data;

/* The integral of |u - level| from 0 to t, piece by piece between the zeros of u - level. */
static double corner_integral(const corner *c, double t)
{
    const double pi = 3.14159265358979323846;
    const wave *u = &c->u;
    double x = (c->level - u->a) / u->b, sum = 0.0, from = 0.0;
    double first = asin(x), second = pi - first; /* phases of the zeros */
    int turn = (int)floor((u->p - pi) / (2.0 * pi)) - 1;
    for (int k = 0; from < t; k++) {
        double phase = (k % 2 ? second : first) + 2.0 * pi * (turn + k / 2);
        double to = fmin((phase - u->p) / u->w, t);
        if (to <= from)
            continue;
        double part = (u->a - c->level) * (to - from) -
                      u->b / u->w * (cos(u->w * to + u->p) - cos(u->w * from + u->p));
        sum += fabs(part);
        from = to;
    }
    return c->size * sum;
}

/* ---- the functions ---- */

/* What the corner adds to state i, and to its derivative. */
static double added(const system_data *d, int32_t i, double t)
{
    return d->has_corners && i == d->corner.of ? corner_integral(&d->corner, t) : 0.0;
}

static double added_slope(const system_data *d, int32_t i, double t, const double *x)
{
    const corner *c = &d->corner;
    if (!d->has_corners || i != c->of)
        return 0.0;
    return c->size * fabs((c->source >= 0 ? x[c->source] : wave_at(&c->u, t, 0)) - c->level);
}

/* x' or v' of the differential part, less what it should be. */
static double defect_of_state(const system_data *d, int32_t i, double t, const double *x,
                              const double *slope, const double *z)
{
    int32_t level = d->index == 3 ? 2 : 1;
    double r = slope[i] - wave_at(&d->s[i], t, level) - added_slope(d, i, t, x);
    for (int32_t j = 0; j < d->n_x; j++) {
        double off = x[j] - wave_at(&d->s[j], t, level - 1) - added(d, j, t);
        r -= d->a[i][j] * off;
        r += i == j ? 0.2 * off * off * off : 0.0;
    }
    if (d->cubic_slope) {
        double s = wave_at(&d->s[i], t, level);
        r += 0.05 * (slope[i] * slope[i] * slope[i] - s * s * s);
    }
    for (int32_t k = 0; k < d->n_z; k++)
        r -= d->p[k][i] * (z[k] - wave_at(&d->q[k], t, 0));
    return r;
}

static double defect_of_other(const system_data *d, int32_t k, double t, const double *x,
                              const double *z)
{
    double q = wave_at(&d->q[k], t, 0), r = 0.0;
    if (d->index == 1)
        r = z[k] - q + d->c[k] * (z[k] * z[k] * z[k] - q * q * q);
    for (int32_t j = 0; j < d->n_x; j++) {
        double off = x[j] - wave_at(&d->s[j], t, 0) - added(d, j, t);
        r += d->p[k][j] * (d->index == 1 ? 0.3 : 1.0) * off;
    }
    return r;
}

static int residual(double t, const double *y_seen, const double *yp_seen, double *r, void *user)
{
    const system_data *d = user;
    double f[N_MAX], y[N_MAX], yp[N_MAX];
    for (int32_t j = 0; j < d->n; j++) {
        y[j] = y_seen[j] / d->unit[j];
        yp[j] = yp_seen[j] / d->unit[j];
    }
    const double *z = y + d->n - d->n_z, *v = y + d->n_x;
    for (int32_t i = 0; i < d->n_x; i++)
        if (d->index == 3) {
            f[i] = yp[i] - v[i];
            f[d->n_x + i] = defect_of_state(d, i, t, v, yp + d->n_x, z) +
                            0.5 * (y[i] - wave_at(&d->s[i], t, 0));
        } else {
            f[i] = defect_of_state(d, i, t, y, yp, z);
        }
    for (int32_t k = 0; k < d->n_z; k++)
        f[d->n - d->n_z + k] = defect_of_other(d, k, t, y, z);
    for (int32_t i = 0; i < d->n; i++) {
        r[i] = f[i];
        for (int32_t j = 0; j < d->n && d->mixed; j++)
            r[i] += d->w[i][j] * f[j];
    }
    return DAEDAL_CALL_OK;
}

/* The system whose solution at -t is that of `residual` at t. */
static int mirrored(double t, const double *y, const double *yp, double *r, void *user)
{
    const system_data *d = user;
    double turned[N_MAX];
    for (int32_t j = 0; j < d->n; j++)
        turned[j] = -yp[j];
    return residual(-t, y, turned, r, user);
}

static int passing(double t, const double *y, const double *yp, double *g, void *user)
{
    const system_data *d = user;
    (void)t, (void)yp;
    g[0] = y[0] / d->unit[0] - d->s[0].a;
    return DAEDAL_CALL_OK;
}

static void solution(const system_data *d, double t, double *y)
{
    for (int32_t i = 0; i < d->n_x; i++) {
        y[i] = wave_at(&d->s[i], t, 0) + added(d, i, t);
        if (d->index == 3)
            y[d->n_x + i] = wave_at(&d->s[i], t, 1);
    }
    for (int32_t k = 0; k < d->n_z; k++)
        y[d->n - d->n_z + k] = wave_at(&d->q[k], t, 0);
    for (int32_t j = 0; j < d->n; j++)
        y[j] *= d->unit[j];
}

/* ---- making one ---- */

static wave random_wave(seeded *g)
{
    wave f;
    f.a = seeded_uniform(g, -1.0, 1.0);
    f.b = seeded_uniform(g, 0.3, 1.0);
    f.w = seeded_ratio(g, 0.3, 4.0);
    f.p = seeded_uniform(g, 0.0, 6.0);
    return f;
}

static void choose_matrices(system_data *d, seeded *g)
{
    double coupling = fmin(1.0, (double)STATES_USUAL / d->n_x);
    for (int32_t i = 0; i < d->n_x; i++) {
        for (int32_t j = 0; j < d->n_x; j++)
            d->a[i][j] = i == j ? 0.0 : seeded_uniform(g, -0.4, 0.4) * coupling;
        d->a[i][i] = -seeded_uniform(g, 1.5, 4.0);
    }
    if (d->stiffness > 0.0)
        d->a[0][0] = -d->stiffness;
    for (int32_t k = 0; k < d->n_z; k++) {
        for (int32_t j = 0; j < d->n_x; j++)
            d->p[k][j] = seeded_uniform(g, -0.5, 0.5) * coupling;
        d->p[k][d->n_x - 1 - k] += seeded_sign(g) * 1.5;
        d->c[k] = seeded_uniform(g, 0.0, 0.5);
    }
    for (int32_t i = 0; i < d->n; i++)
        for (int32_t j = 0; j < d->n; j++)
            d->w[i][j] = seeded_uniform(g, -0.6, 0.6) / d->n;
}

/* One in five has units of 1e-9 to 1e9; one in ten of low index is large. */
static void choose_units(system_data *d, seeded *g)
{
    d->is_scaled = seeded_int(g, 0, 4) == 0;
    for (int32_t j = 0; j < N_MAX; j++)
        d->unit[j] = d->is_scaled ? seeded_ratio(g, 1e-9, 1e9) : 1.0;
}

static void choose_corner(system_data *d)
{
    seeded g = seeded_begin(d->seed + 23);
    corner *c = &d->corner;
    c->of = seeded_int(&g, 0, d->n_x - 1);
    c->source = d->n_x > 1 && seeded_sign(&g) > 0.0 ? (c->of + 1) % d->n_x : -1;
    c->u = c->source >= 0 ? d->s[c->source] : random_wave(&g);
    c->size = seeded_ratio(&g, 0.05, 5.0);
    c->level = c->u.a + seeded_uniform(&g, -0.9, 0.9) * c->u.b;
    d->has_corners = d->index < 3 && !d->cubic_slope;
}

static void choose(system_data *d, uint32_t seed, int32_t index)
{
    seeded g = seeded_begin(seed);
    memset(d, 0, sizeof *d);
    d->seed = seed;
    d->index = index >= 0 ? index : (int32_t)(seed % 4);
    d->n_x = seeded_int(&g, d->index >= 2 ? 3 : 1, STATES_USUAL);
    seeded more = seeded_begin(seed + 11);
    if (d->index < 2 && seeded_int(&more, 0, 9) == 0)
        d->n_x = seeded_int(&more, 12, STATES_MAX);
    choose_units(d, &more);
    d->n_z = d->index == 0 ? 0 : seeded_int(&g, 1, d->index == 1 ? OTHERS_MAX : 2);
    d->n_z = d->n_z < d->n_x ? d->n_z : d->n_x;
    d->n = (d->index == 3 ? 2 : 1) * d->n_x + d->n_z;
    d->mixed = seeded_sign(&g) > 0.0;
    d->cubic_slope = d->index < 2 && seeded_int(&g, 0, 3) == 0;
    d->has_events = seeded_int(&g, 0, 2) == 0;
    d->stiffness = d->index < 2 && seeded_int(&g, 0, 2) == 0 ? seeded_ratio(&g, 1e2, 1e6) : 0.0;
    for (int32_t i = 0; i < d->n_x; i++)
        d->s[i] = random_wave(&g);
    for (int32_t k = 0; k < d->n_z; k++)
        d->q[k] = random_wave(&g);
    choose_matrices(d, &g);
}

/* ---- runs ---- */

typedef struct tally {
    long runs, wrong, refused, most;
    const char *method; /* that alone; NULL: all */
    bool verbose, steps, backward;
} tally;

typedef struct trial {
    const char *method;
    double tol, end;
    int points;       /* below zero: at random times; STEPS: the steps themselves */
    double direction; /* -1: backward in time */
} trial;

enum { STEPS = 0 };

static double tolerance_of(const system_data *d, int32_t j, double tol)
{
    bool multiplier = d->index == 3 && j >= d->n - d->n_z;
    return (tol * d->y_size[j] + tol * d->unit[j]) * (multiplier ? 1e4 : 1e2);
}

static void measure_sizes(system_data *d, double end)
{
    double y[N_MAX];
    memset(d->y_size, 0, sizeof d->y_size);
    for (int k = 0; k <= 100; k++) {
        solution(d, end * k / 100.0, y);
        for (int32_t j = 0; j < d->n; j++)
            d->y_size[j] = fmax(d->y_size[j], fabs(y[j]));
    }
}

static double next_time(const trial *how, seeded *g, double t, int k)
{
    return how->points > 0 ? how->end * (k + 1) / how->points
                           : t + seeded_uniform(g, 0.0, 2.0 * how->end / -how->points);
}

static void report(const system_data *d, const trial *how, const char *what)
{
    printf("seed %u, index %d, n %d%s%s%s%s, stiffness %.1e, %s, rtol %.0e, points %d%s: %s\n",
           (unsigned)d->seed, (int)d->index, (int)d->n, d->mixed ? ", mixed" : "",
           d->cubic_slope ? ", cubic in y'" : "", d->has_events ? ", events" : "",
           d->is_scaled ? ", scaled" : "", d->stiffness, how->method, how->tol, how->points,
           how->direction < 0.0 ? ", backward" : "", what);
}

/* The first output point at which an error is too large is reported. */
static bool is_right(const system_data *d, const trial *how, double t, const double *y)
{
    double truth[N_MAX];
    char what[120];
    solution(d, fabs(t), truth);
    for (int32_t j = 0; j < d->n; j++) {
        double error = fabs(y[j] - truth[j]) / tolerance_of(d, j, how->tol);
        if (error <= 1.0)
            continue;
        snprintf(what, sizeof what, "WRONG, y[%d](%.6g) is off by %.3g, %.1f times what is allowed",
                 (int)j, t, y[j] - truth[j], error);
        report(d, how, what);
        return false;
    }
    return true;
}

static daedal_status start(const system_data *d, const trial *how, daedal_solver **s)
{
    daedal_options o;
    double y0[N_MAX], atol[N_MAX];
    daedal_options_defaults(&o);
    o.rtol = o.atol = how->tol;
    for (int32_t j = 0; j < d->n; j++)
        atol[j] = how->tol * d->unit[j];
    if (d->is_scaled)
        o.atol_each = (daedal_doubles){atol, d->n};
    daedal_options_set(&o, "method", how->method);
    daedal_system sys = {.n = d->n,
                         .residual = how->direction < 0.0 ? mirrored : residual,
                         .user = (void *)(uintptr_t)d};
    if (d->has_events) {
        sys.n_events = 1;
        sys.events = passing;
    }
    daedal_status status = daedal_solver_create(s, &sys, &o, NULL);
    solution(d, 0.0, y0);
    return status == DAEDAL_OK ? daedal_solver_start(*s, 0.0, y0, NULL) : status;
}

/* From step to step; what an event shows counts as well. */
static daedal_status run_steps(const system_data *d, const trial *how, daedal_solver *s,
                               bool *right)
{
    const daedal_state *at = daedal_solver_state(s);
    daedal_status status = DAEDAL_OK;
    while (fabs(at->t) < how->end && status >= 0 && *right) {
        status = daedal_solver_step(s, how->direction * how->end);
        *right = status < 0 || is_right(d, how, at->t, at->y);
    }
    return status;
}

static void run(const system_data *d, const trial *how, tally *sum)
{
    daedal_solver *s = NULL;
    seeded g = seeded_begin(d->seed + 7);
    daedal_status status = start(d, how, &s);
    bool right = true;
    double t = 0.0;
    int points = abs(how->points);
    if (how->points == STEPS && status >= 0)
        status = run_steps(d, how, s, &right);
    for (int k = 0; k < points && status >= 0 && right; k++) {
        t = next_time(how, &g, t, k);
        while ((status = daedal_solver_advance(s, how->direction * t)) == DAEDAL_EVENT)
            continue;
        right = status < 0 || is_right(d, how, t, daedal_solver_state(s)->y);
    }
    sum->runs++;
    sum->wrong += !right;
    sum->refused += status < 0;
    if (status < 0)
        report(d, how, s ? daedal_solver_diagnosis(s)->message : "not created");
    else if (sum->verbose && right)
        report(d, how, "right");
    daedal_solver_free(s);
}

static void try_system(system_data *d, tally *sum)
{
    static const char *const METHODS[] = {"auto", "bdf", "radau", "rodas", "limex", "dopri"};
    const double stiff = 1e3; /* too much for an explicit method */
    static const double TOLERANCES[] = {1e-4, 1e-6, 1e-8};
    static const int POINTS[] = {1, 7, 200, -40};
    int methods = d->index > 1 ? 3 : d->index == 1 || d->stiffness > stiff ? 5 : 6;
    seeded g = seeded_begin(d->seed + 3);
    trial how = {.end = seeded_uniform(&g, 1.0, 8.0)};
    measure_sizes(d, how.end);
    for (int m = 0; m < methods; m++)
        for (int k = 0; k < 3; k++) {
            how.method = METHODS[m];
            how.tol = TOLERANCES[k];
            how.points = POINTS[seeded_int(&g, 0, 3)];
            how.points = sum->steps ? STEPS : how.points;
            how.direction = sum->backward ? -1.0 : 1.0;
            bool is_meant = !sum->method || !strcmp(sum->method, how.method);
            if (is_meant && (d->index < 3 || m != 1)) /* bdf does not take index 3 */
                run(d, &how, sum);
        }
}

int main(int argc, char **argv)
{
    long first = 1, count = 200, index = -1;
    tally sum = {0};
    bool with_corners = false;
    for (int k = 1; k < argc; k++) {
        bool more = k + 1 < argc;
        if (!strcmp(argv[k], "--seed") && more)
            first = strtol(argv[++k], NULL, 10);
        else if (!strcmp(argv[k], "--count") && more)
            count = strtol(argv[++k], NULL, 10);
        else if (!strcmp(argv[k], "--index") && more)
            index = strtol(argv[++k], NULL, 10);
        else if (!strcmp(argv[k], "--method") && more)
            sum.method = argv[++k];
        else if (!strcmp(argv[k], "--most") && more)
            sum.most = strtol(argv[++k], NULL, 10);
        else if (!strcmp(argv[k], "--corners"))
            with_corners = true;
        else if (!strcmp(argv[k], "--steps"))
            sum.steps = true;
        else if (!strcmp(argv[k], "--backward"))
            sum.backward = true;
        else if (!strcmp(argv[k], "--verbose"))
            sum.verbose = true;
        else
            return fprintf(stderr, "random_systems: unknown argument %s\n", argv[k]), 2;
    }
    for (long seed = first; seed < first + count; seed++) {
        system_data d;
        choose(&d, (uint32_t)seed, (int32_t)index);
        if (with_corners)
            choose_corner(&d);
        try_system(&d, &sum);
    }
    printf("%ld systems, %ld runs: %ld silently wrong, %ld refused\n", count, sum.runs, sum.wrong,
           sum.refused);
    return sum.wrong > sum.most || sum.refused * 200 > sum.runs;
}
