/* support/samples.c - see samples.h. */
#include "samples.h"

#include <math.h>

/* ---- Robertson ---- */

static int robertson(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + 0.04 * y[0] - 1e4 * y[1] * y[2];
    r[1] = yp[1] - 0.04 * y[0] + 1e4 * y[1] * y[2] + 3e7 * y[1] * y[1];
    r[2] = y[0] + y[1] + y[2] - 1.0;
    return 0;
}

static int robertson_jacobian(double t, const double *y, const double *yp, double c, double *v,
                              void *user)
{
    (void)t, (void)yp, (void)user;
    v[0] = c + 0.04;
    v[1] = -0.04;
    v[2] = 1.0;
    v[3] = -1e4 * y[2];
    v[4] = c + 1e4 * y[2] + 6e7 * y[1];
    v[5] = 1.0;
    v[6] = -1e4 * y[1];
    v[7] = 1e4 * y[1];
    v[8] = 1.0;
    return 0;
}

static const double robertson_y0[] = {1.0, 0.0, 0.0};

sample sample_robertson(void)
{
    return (sample){{.n = 3, .residual = robertson}, robertson_y0, 40.0};
}

sample sample_robertson_jacobian(void)
{
    sample s = sample_robertson();
    s.sys.jacobian = robertson_jacobian;
    return s;
}

/* ---- chain ---- */

static int chain(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    for (int i = 0; i < CHAIN_N - 1; i++) {
        double left = i > 0 ? y[i - 1] : 1.0;
        r[i] = yp[i] - 100.0 * (left - 2.0 * y[i] + y[i + 1]) + y[i] * y[i];
    }
    r[CHAIN_N - 1] = y[CHAIN_N - 1] - 0.5 * y[CHAIN_N - 2];
    return 0;
}

static int chain_jacobian(double t, const double *y, const double *yp, double c, double *v,
                          void *user)
{
    (void)t, (void)yp, (void)user;
    for (int j = 0; j < CHAIN_N; j++) {
        bool last = j == CHAIN_N - 1;
        if (j > 0)
            *v++ = -100.0;
        *v++ = last ? 1.0 : c + 200.0 + 2.0 * y[j];
        if (!last)
            *v++ = j == CHAIN_N - 2 ? -0.5 : -100.0;
    }
    return 0;
}

static const double chain_y0[CHAIN_N];

sample sample_chain(void)
{
    return (sample){{.n = CHAIN_N, .residual = chain}, chain_y0, 1.0};
}

sample sample_chain_jacobian(void)
{
    static int32_t start[CHAIN_N + 1], row[3 * CHAIN_N];
    static const daedal_pattern tridiagonal = {CHAIN_N, CHAIN_N, start, row};
    int32_t count = 0;
    for (int32_t j = 0; j < CHAIN_N; j++) {
        for (int32_t i = j > 0 ? j - 1 : 0; i <= j + 1 && i < CHAIN_N; i++)
            row[count++] = i;
        start[j + 1] = count;
    }
    sample s = sample_chain();
    s.sys.jacobian = chain_jacobian;
    s.sys.pattern = &tridiagonal;
    return s;
}

/* ---- mass form ---- */

static int mass_rhs(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = -y[0];
    f[1] = y[0] - y[1];
    f[2] = y[0] + y[1] - y[2];
    return 0;
}

static int mass_rhs_jacobian(double t, const double *y, double *v, void *user)
{
    (void)t, (void)y, (void)user;
    v[0] = -1.0;
    v[1] = 1.0;
    v[2] = 1.0;
    v[4] = -1.0;
    v[5] = 1.0;
    v[8] = -1.0;
    return 0;
}

static int mass_matrix(double t, const double *y, double *v, void *user)
{
    (void)y, (void)user;
    v[0] = 1.0;
    v[1] = 1.0 + t;
    return 0;
}

static const double mass_y0[] = {1.0, 0.5, 1.5};

sample sample_mass(void)
{
    static const int32_t start[] = {0, 1, 2, 2}, row[] = {0, 1};
    static const daedal_pattern diagonal = {3, 3, start, row};
    return (sample){{.n = 3,
                     .rhs = mass_rhs,
                     .mass = mass_matrix,
                     .mass_pattern = &diagonal,
                     .mass_kind = DAEDAL_MASS_OF_TIME},
                    mass_y0,
                    2.0};
}

sample sample_mass_jacobian(void)
{
    sample s = sample_mass();
    s.sys.rhs_jacobian = mass_rhs_jacobian;
    return s;
}

/* ---- a pendulum with constraints ---- */

static int swing(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 1.0;
    r[4] = y[0] * yp[2] + y[1] * yp[3] + y[2] * y[2] + y[3] * y[3];
    return 0;
}

static int rod(double t, const double *y, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = y[0] * y[0] + y[1] * y[1] - 1.0;
    g[1] = y[0] * y[2] + y[1] * y[3];
    return 0;
}

static int rod_slopes(double t, const double *y, double *values, void *user)
{
    (void)t, (void)user;
    const double all[] = {2.0 * y[0], y[2], 2.0 * y[1], y[3], y[0], y[1]};
    for (int i = 0; i < 6; i++)
        values[i] = all[i];
    return 0;
}

sample sample_pendulum(void)
{
    static const int32_t start[] = {0, 2, 4, 5, 6, 6}, row[] = {0, 1, 0, 1, 1, 1};
    static const int32_t of_constraint[] = {-2, -1}, of_variable[] = {-2, -2, -1, -1, 0};
    static const daedal_pattern pattern = {2, 5, start, row};
    static const double y0[] = {1.0, 0.0, 0.0, -2.0, 4.0};
    daedal_system sys = {.n = 5,
                         .residual = swing,
                         .n_constraints = 2,
                         .constraints = rod,
                         .constraint_jacobian = rod_slopes,
                         .constraint_pattern = &pattern,
                         .constraint_level = {of_constraint, 2},
                         .variable_level = {of_variable, 5}};
    return (sample){sys, y0, 10.0};
}

/* ---- decay with events ---- */

static int decay(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    return 0;
}

static int decay_events(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] - 0.5;
    g[1] = y[0] - 0.2;
    return 0;
}

sample sample_decay_events(void)
{
    static const double y0[] = {1.0};
    return (sample){{.n = 1, .residual = decay, .n_events = 2, .events = decay_events}, y0, 3.0};
}

/* ---- index 2 ---- */

static int driven(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0] - 2.0 - y[2];
    r[2] = y[1] - cos(t);
    return DAEDAL_CALL_OK;
}

static int driven_hidden(double t, const double *y, const double *yp, double *r, void *user)
{
    driven(t, y, yp, r, user);
    const double force = r[1], speed = r[2];
    r[1] = force + speed;
    r[2] = force - speed;
    return DAEDAL_CALL_OK;
}

static const double driven_y0[] = {2.0, 1.0, 0.0};

sample sample_driven(void)
{
    return (sample){{.n = 3, .residual = driven}, driven_y0, 1.0};
}

sample sample_driven_hidden(void)
{
    return (sample){{.n = 3, .residual = driven_hidden}, driven_y0, 1.0};
}

/* ---- faults ---- */

/* Count a call of `where`; the answer it is to give, or OK. */
static int spoil(faulty *f, fault_where where, double *last)
{
    static const int answers[] = {DAEDAL_CALL_RETRY, DAEDAL_CALL_STOP, DAEDAL_CALL_FAIL,
                                  DAEDAL_CALL_OK, DAEDAL_CALL_OK};
    if (where != f->where)
        return DAEDAL_CALL_OK;
    f->calls++;
    if (f->at == 0 || (f->forever ? f->calls < f->at : f->calls != f->at))
        return DAEDAL_CALL_OK;
    f->happened++;
    if (f->what == FAULT_NAN)
        *last = NAN;
    if (f->what == FAULT_INF)
        *last = INFINITY;
    return answers[f->what];
}

static int spoilt_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    faulty *f = user;
    int answer = f->base.residual(t, y, yp, r, f->base.user);
    return answer ? answer : spoil(f, FAULT_RESIDUAL, &r[f->base.n - 1]);
}

static int spoilt_jacobian(double t, const double *y, const double *yp, double c, double *v,
                           void *user)
{
    faulty *f = user;
    const daedal_pattern *p = f->base.pattern;
    int answer = f->base.jacobian(t, y, yp, c, v, f->base.user);
    int32_t count = p ? p->start[p->n_cols] : f->base.n * f->base.n;
    return answer ? answer : spoil(f, FAULT_JACOBIAN, &v[count - 1]);
}

static int spoilt_rhs(double t, const double *y, double *out, void *user)
{
    faulty *f = user;
    int answer = f->base.rhs(t, y, out, f->base.user);
    return answer ? answer : spoil(f, FAULT_RHS, &out[f->base.n - 1]);
}

static int spoilt_rhs_jacobian(double t, const double *y, double *v, void *user)
{
    faulty *f = user;
    int answer = f->base.rhs_jacobian(t, y, v, f->base.user);
    return answer ? answer : spoil(f, FAULT_RHS_JACOBIAN, &v[f->base.n * f->base.n - 1]);
}

static int spoilt_mass(double t, const double *y, double *v, void *user)
{
    faulty *f = user;
    const daedal_pattern *p = f->base.mass_pattern;
    int answer = f->base.mass(t, y, v, f->base.user);
    int32_t count = p ? p->start[p->n_cols] : f->base.n * f->base.n;
    return answer ? answer : spoil(f, FAULT_MASS, &v[count - 1]);
}

static int spoilt_events(double t, const double *y, const double *yp, double *g, void *user)
{
    faulty *f = user;
    int answer = f->base.events(t, y, yp, g, f->base.user);
    return answer ? answer : spoil(f, FAULT_EVENTS, &g[f->base.n_events - 1]);
}

daedal_system faulty_system(faulty *f)
{
    daedal_system sys = f->base;
    sys.residual = sys.residual ? spoilt_residual : NULL;
    sys.jacobian = sys.jacobian ? spoilt_jacobian : NULL;
    sys.rhs = sys.rhs ? spoilt_rhs : NULL;
    sys.rhs_jacobian = sys.rhs_jacobian ? spoilt_rhs_jacobian : NULL;
    sys.mass = sys.mass ? spoilt_mass : NULL;
    sys.events = sys.events ? spoilt_events : NULL;
    sys.user = f;
    return sys;
}
