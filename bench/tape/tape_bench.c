/* bench/tape/tape_bench.c - tapes against the same equations as compiled C.
 *
 *     tape_bench [MODEL.mo ...]       without arguments: the models beside this file
 *
 * Prints nanoseconds per residual and per Jacobian, by the tape and by exported C at -O2, and
 * ratios with their bars: tape / C at most 3, tape Jacobian / tape residual at most 1.5.  The
 * residual is also timed without the copying of t, y and y' that both share, since that draws
 * the ratio towards one.  Times are the least of many rounds, since other programs only ever
 * add to them.  */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "exported_model.h"

#define FLAGS "-O2 -ffp-contract=off"

enum { ROUNDS = 200 };
static const double ROUND_SECONDS = 2e-3;

typedef struct subject {
    exported_model c;
    double *y, *yp, *d, *work, *out;
} subject;

typedef void action(subject *s);

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void tape_residual(subject *s)
{
    program_run(s->c.m.compiled, s->c.m.compiled->residuals, 0.5, s->y, s->yp);
}

/* Into dF/dy and dF/dy', as C does. */
static void tape_jacobian(subject *s)
{
    program_run(s->c.m.compiled, s->c.m.compiled->jacobian->program, 0.5, s->y, s->yp);
}

static void c_residual(subject *s)
{
    s->c.residual(0.5, s->y, s->yp, s->d, s->work, s->out);
}

static void c_jacobian(subject *s)
{
    s->c.jacobian(0.5, s->y, s->yp, s->d, s->work, s->out);
}

/* Without copying t, y and y' to where they are read, which both do alike. */
static void tape_bare(subject *s)
{
    program *p = s->c.m.compiled->residuals;
    tape_run(p->tape, p->work, p->out, 0, NULL);
}

static void c_bare(subject *s)
{
    s->c.bare_residual(s->work, s->out);
}

static double round_of(action *act, subject *s, long calls)
{
    double start = seconds();
    for (long k = 0; k < calls; k++)
        act(s);
    return (seconds() - start) / (double)calls;
}

static double *room(size_t n)
{
    double *p = calloc(n + 1, sizeof *p);
    if (!p)
        exit(2);
    return p;
}

/* Smooth values without symmetry; every function of the models is finite there. */
static void choose_point(subject *s)
{
    const reduced_model *m = s->c.m.reduced;
    s->y = room((size_t)m->n);
    s->yp = room((size_t)m->n);
    s->d = room((size_t)s->c.size[2]);
    s->work = room((size_t)s->c.size[3]);
    s->out = room(2 * (size_t)s->c.size[1] + (size_t)m->n);
    for (int32_t j = 0; j < m->n; j++) {
        s->y[j] = 0.6 + 0.3 * sin(0.7 * j);
        s->yp[j] = cos(1.3 * j);
    }
}

static bool bar(const char *what, double ratio, double most)
{
    printf("    %-36s %6.2f   (bar %.1f)%s\n", what, ratio, most, ratio > most ? "  MISSED" : "");
    return ratio <= most;
}

/* In turns, so that a disturbance meets all alike. */
static bool measure(subject *s)
{
    enum { ACTS = 6 };
    static action *const acts[ACTS] = {tape_residual, c_residual, tape_jacobian,
                                       c_jacobian,    tape_bare,  c_bare};
    double best[ACTS];
    long calls[ACTS];
    for (int a = 0; a < ACTS; a++) {
        best[a] = round_of(acts[a], s, 20);
        calls[a] = 1 + (long)(ROUND_SECONDS / best[a]);
    }
    for (int k = 0; k < ROUNDS; k++)
        for (int a = 0; a < ACTS; a++)
            best[a] = fmin(best[a], round_of(acts[a], s, calls[a]));
    printf("    residual  tape %9.0f ns   C %9.0f ns\n", 1e9 * best[0], 1e9 * best[1]);
    printf("    jacobian  tape %9.0f ns   C %9.0f ns\n", 1e9 * best[2], 1e9 * best[3]);
    printf("    bare res. tape %9.0f ns   C %9.0f ns\n", 1e9 * best[4], 1e9 * best[5]);
    bool fine = bar("residual, tape / C", best[0] / best[1], 3.0);
    fine = bar("residual without copying, tape / C", best[4] / best[5], 3.0) && fine;
    fine = bar("jacobian, tape / C", best[2] / best[3], 3.0) && fine;
    return bar("tape, jacobian / residual", best[2] / best[0], 1.5) && fine;
}

static void describe(const char *what, const program *p)
{
    tape_size z = tape_measure(p->tape);
    printf("    %s  %zu operations in %zu runs, %zu in units, %zu results\n", what, z.ops, z.runs,
           z.in_units, z.n_roots);
}

static bool report(const char *path)
{
    subject s = {0};
    bool fine = exported_model_open(&s.c, path, NULL, FLAGS);
    if (fine) {
        printf("%s: %d equations, %d entries\n", path, (int)s.c.m.reduced->n, s.c.size[1]);
        describe("residual", s.c.m.compiled->residuals);
        describe("jacobian", s.c.m.compiled->jacobian->program);
        choose_point(&s);
        fine = measure(&s);
    } else {
        fprintf(stderr, "%s: %s\n", path, s.c.error);
    }
    double *const all[] = {s.y, s.yp, s.d, s.work, s.out};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    exported_model_close(&s.c);
    return fine;
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {TAPE_BENCH_MODELS "/lattice.mo",
                                        TAPE_BENCH_MODELS "/network.mo",
                                        TAPE_BENCH_MODELS "/arm.mo"};
    bool fine = true;
    for (int k = 1; k < argc; k++)
        fine = report(argv[k]) && fine;
    for (size_t k = 0; argc < 2 && k < sizeof usual / sizeof *usual; k++)
        fine = report(usual[k]) && fine;
    return fine ? 0 : 1;
}
