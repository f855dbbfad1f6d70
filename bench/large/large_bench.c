/* bench/large/large_bench.c - growth of time and memory on large sparse systems, against SUNDIALS
 * IDA with SPGMR and a diagonal preconditioner.
 *
 * Two problems by the method of lines on a square: heat (boundary values as equations) and the
 * Brusselator with diffusion.  daedal is given the residual alone, or with --pattern the pattern
 * too; IDA is given the diagonal of its matrix.  Each run has a process of its own, whose
 * processor time and peak memory count.
 * Depends on: daedal.h; SUNDIALS 6, POSIX.                                        */
#define _GNU_SOURCE
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daedal.h"

#define PI 3.14159265358979323846

/* ---- the problems ---------------------------------------------------------------------- */

typedef struct grid {
    bool is_heat;
    int side, fields, n;
    double spread; /* diffusion over the square of the mesh width */
    double t_end;
    double *diagonal; /* n: the inverse of the preconditioner */
} grid;

static grid make_grid(bool is_heat, int side)
{
    const double width = 1.0 / (side - 1);
    grid g = {is_heat, side, is_heat ? 1 : 2, 0, 0.0, is_heat ? 0.1 : 1.0, NULL};
    g.n = g.fields * side * side;
    g.spread = (is_heat ? 1.0 : 2e-3) / (width * width);
    return g;
}

static bool on_boundary(const grid *g, int i, int j)
{
    return i == 0 || j == 0 || i == g->side - 1 || j == g->side - 1;
}

static void heat_residual(const grid *g, const double *y, const double *yp, double *r)
{
    const int m = g->side;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            const int at = i * m + j;
            r[at] = on_boundary(g, i, j) ? y[at]
                                         : yp[at] - g->spread * (y[at - 1] + y[at + 1] + y[at - m] +
                                                                 y[at + m] - 4.0 * y[at]);
        }
}

/* The neighbour on a line of the grid whose ends reflect. */
static int reflected(int k, int side)
{
    return k < 0 ? 1 : k >= side ? side - 2 : k;
}

static void brusselator_residual(const grid *g, const double *y, const double *yp, double *r)
{
    const int m = g->side;
    for (int i = 0; i < m; i++) {
        const double *up = y + 2 * m * reflected(i - 1, m), *down = y + 2 * m * reflected(i + 1, m);
        const double *row = y + 2 * m * i;
        for (int j = 0; j < m; j++) {
            const int left = 2 * reflected(j - 1, m), right = 2 * reflected(j + 1, m);
            const int at = 2 * (i * m + j);
            const double u = y[at], v = y[at + 1], square = u * u * v;
            const double du = up[2 * j] + down[2 * j] + row[left] + row[right] - 4.0 * u;
            const double dv =
                up[2 * j + 1] + down[2 * j + 1] + row[left + 1] + row[right + 1] - 4.0 * v;
            r[at] = yp[at] - (1.0 + square - 4.4 * u + g->spread * du);
            r[at + 1] = yp[at + 1] - (3.4 * u - square + g->spread * dv);
        }
    }
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    const grid *g = user;
    if (g->is_heat)
        heat_residual(g, y, yp, r);
    else
        brusselator_residual(g, y, yp, r);
    return DAEDAL_CALL_OK;
}

/* y and consistent y'; needs n doubles of room. */
static void set_start(const grid *g, double *y, double *yp, double *room)
{
    for (int i = 0; i < g->side; i++)
        for (int j = 0; j < g->side; j++) {
            const double x = (double)j / (g->side - 1), z = (double)i / (g->side - 1);
            const int at = g->fields * (i * g->side + j);
            if (g->is_heat) {
                y[at] = on_boundary(g, i, j) ? 0.0 : 16.0 * x * (1.0 - x) * z * (1.0 - z);
            } else {
                y[at] = 0.5 + z;
                y[at + 1] = 1.0 + 5.0 * x;
            }
        }
    memset(yp, 0, (size_t)g->n * sizeof *yp);
    residual(0.0, y, yp, room, (void *)g);
    for (int i = 0; i < g->n; i++)
        yp[i] = -room[i];
}

/* ---- the pattern ----------------------------------------------------------------------- */

static int by_row(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The rows of column `at`: its own point in every field, its neighbours in its own field. */
static int rows_of(const grid *g, int at, int32_t *row)
{
    static const int step[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const int point = at / g->fields, field = at % g->fields;
    const int i = point / g->side, j = point % g->side;
    int n = 0;
    for (int f = 0; f < g->fields; f++)
        row[n++] = (int32_t)(g->fields * point + f);
    for (int k = 0; k < 4; k++) {
        const int a = i + step[k][0], b = j + step[k][1];
        const bool outside = a < 0 || b < 0 || a >= g->side || b >= g->side;
        if (!outside && !(g->is_heat && on_boundary(g, a, b)))
            row[n++] = (int32_t)(g->fields * (a * g->side + b) + field);
    }
    qsort(row, (size_t)n, sizeof *row, by_row);
    return n;
}

static bool make_pattern(const grid *g, daedal_pattern *p)
{
    int32_t *start = malloc(((size_t)g->n + 1) * sizeof *start);
    int32_t *row = malloc((size_t)g->n * 6 * sizeof *row);
    if (!start || !row)
        return free(start), free(row), false;
    start[0] = 0;
    for (int at = 0; at < g->n; at++)
        start[at + 1] = start[at] + rows_of(g, at, row + start[at]);
    *p = (daedal_pattern){.n_rows = g->n, .n_cols = g->n, .start = start, .row = row};
    return true;
}

/* ---- one run --------------------------------------------------------------------------- */

/* What a run has to say; it crosses from one process to another. */
typedef struct outcome {
    double setup, run;     /* seconds */
    double digits, memory; /* megabytes */
    long steps, calls, iterations;
    char method[48];
} outcome;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One dimension of the heat equation from 4 x (1 - x) at t_end, by its sine modes. */
static void heat_line(const grid *g, double *line)
{
    const int m = g->side - 1;
    memset(line, 0, (size_t)g->side * sizeof *line);
    for (int k = 1; k < m; k++) {
        const double s = sin(0.5 * PI * k / m), decay = exp(-4.0 * g->spread * s * s * g->t_end);
        double weight = 0.0;
        if (decay < 1e-20)
            break;
        for (int j = 1; j < m; j++)
            weight += 4.0 * j * (m - j) / ((double)m * m) * sin(PI * k * j / m);
        for (int j = 1; j < m; j++)
            line[j] += 2.0 / m * weight * decay * sin(PI * k * j / m);
    }
}

static double heat_digits(const grid *g, const double *y)
{
    double *line = malloc((size_t)g->side * sizeof *line), worst = 0.0, largest = 0.0;
    if (!line)
        return NAN;
    heat_line(g, line);
    for (int i = 0; i < g->side; i++)
        for (int j = 0; j < g->side; j++) {
            const double exact = line[i] * line[j];
            worst = fmax(worst, fabs(y[i * g->side + j] - exact));
            largest = fmax(largest, exact);
        }
    free(line);
    return -log10(worst / largest);
}

/* u and v at the corners and the middle, from IDA and daedal at rtol 1e-8; they agree to six
 * digits.                                                                           */
typedef struct sample {
    int side;
    double value[10];
} sample;

static const sample samples[] = {
    {71,
     {0.26731141837, 2.1969971352, 4.8765892209, 0.8411651593, 0.3597717895, 2.6282071624,
      3.0216247005, 1.0343424075, 1.3990214989, 2.9464228490}},
    {22,
     {0.26666682951, 2.1762019774, 4.8804990464, 0.8430184055, 0.3585710649, 2.6150291747,
      3.0298022048, 1.0319816998, 0.9862845224, 3.3952288563}},
    {224,
     {0.26736091691, 2.1985783880, 4.8762609, 0.84083884, 0.3598654273, 2.6292045762, 3.0210052,
      1.03452172, 1.3537583110, 2.9974480627}},
};

static void take_sample(const grid *g, const double *y, double *value)
{
    const int m = g->side - 1, at[5][2] = {{0, 0}, {0, m}, {m, 0}, {m, m}, {m / 2, m / 2}};
    for (int k = 0; k < 5; k++)
        for (int f = 0; f < 2; f++)
            value[2 * k + f] = y[2 * (at[k][0] * g->side + at[k][1]) + f];
}

static double brusselator_digits(const grid *g, const double *y)
{
    double value[10], worst = 0.0, largest = 0.0;
    take_sample(g, y, value);
    for (size_t s = 0; s < sizeof samples / sizeof samples[0]; s++) {
        if (samples[s].side != g->side)
            continue;
        for (int k = 0; k < 10; k++) {
            worst = fmax(worst, fabs(value[k] - samples[s].value[k]));
            largest = fmax(largest, fabs(samples[s].value[k]));
        }
        return -log10(worst / largest);
    }
    return NAN;
}

static void judge(const grid *g, const double *y, outcome *out)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    out->memory = (double)used.ru_maxrss / 1024.0;
    out->digits = g->is_heat ? heat_digits(g, y) : brusselator_digits(g, y);
}

static void run_daedal(grid *g, double rtol, bool with_pattern, const double *y, outcome *out)
{
    daedal_options options;
    daedal_solver *solver = NULL;
    daedal_diagnosis why = {0};
    daedal_pattern pattern = {0};
    daedal_options_defaults(&options);
    options.rtol = rtol;
    options.atol = g->is_heat ? 0.1 * rtol : rtol;
    daedal_system system = {.n = g->n, .residual = residual, .user = g};
    if (with_pattern && make_pattern(g, &pattern))
        system.pattern = &pattern;
    const double opened = seconds();
    daedal_status status = daedal_solver_create(&solver, &system, &options, &why);
    if (status >= 0)
        status = daedal_solver_set_stop_time(solver, g->t_end);
    if (status >= 0)
        status = daedal_solver_start(solver, 0.0, y, NULL);
    const double began = seconds();
    if (status >= 0)
        status = daedal_solver_advance(solver, g->t_end);
    out->run = seconds() - began;
    out->setup = began - opened;
    if (status < 0) {
        snprintf(out->method, sizeof out->method, "%s", daedal_status_name(status));
        return;
    }
    const daedal_stats *stats = daedal_solver_stats(solver);
    const daedal_structure *found = daedal_solver_structure(solver);
    snprintf(out->method, sizeof out->method, "%s, %s", found->method, found->linear_solver);
    out->steps = (long)stats->steps;
    out->calls = (long)stats->residuals;
    out->iterations = (long)stats->krylov_iterations;
    judge(g, daedal_solver_state(solver)->y, out);
}

/* ---- IDA ------------------------------------------------------------------------------- */

static int ida_residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void *user)
{
    return residual(t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), N_VGetArrayPointer(r), user);
}

static int ida_setup(realtype t, N_Vector yy, N_Vector yp, N_Vector rr, realtype c, void *user)
{
    (void)t, (void)yp, (void)rr;
    grid *g = user;
    const double *y = N_VGetArrayPointer(yy);
    for (int at = 0; at < g->side * g->side; at++)
        if (g->is_heat) {
            const bool edge = on_boundary(g, at / g->side, at % g->side);
            g->diagonal[at] = edge ? 1.0 : 1.0 / (c + 4.0 * g->spread);
        } else {
            const double u = y[2 * at], v = y[2 * at + 1];
            g->diagonal[2 * at] = 1.0 / (c - 2.0 * u * v + 4.4 + 4.0 * g->spread);
            g->diagonal[2 * at + 1] = 1.0 / (c + u * u + 4.0 * g->spread);
        }
    return 0;
}

static int ida_solve(realtype t, N_Vector yy, N_Vector yp, N_Vector rr, N_Vector b, N_Vector x,
                     realtype c, realtype delta, void *user)
{
    (void)t, (void)yy, (void)yp, (void)rr, (void)c, (void)delta;
    const grid *g = user;
    const double *from = N_VGetArrayPointer(b);
    double *to = N_VGetArrayPointer(x);
    for (int i = 0; i < g->n; i++)
        to[i] = from[i] * g->diagonal[i];
    return 0;
}

static void count_ida(void *memory, outcome *out)
{
    long inner = 0;
    IDAGetNumSteps(memory, &out->steps);
    IDAGetNumResEvals(memory, &out->calls);
    IDAGetNumLinResEvals(memory, &inner);
    IDAGetNumLinIters(memory, &out->iterations);
    out->calls += inner;
}

static void run_ida(grid *g, double rtol, const double *y, const double *yp, outcome *out)
{
    SUNContext context;
    const double opened = seconds();
    SUNContext_Create(NULL, &context);
    N_Vector at = N_VNew_Serial(g->n, context), slope = N_VNew_Serial(g->n, context);
    memcpy(N_VGetArrayPointer(at), y, (size_t)g->n * sizeof *y);
    memcpy(N_VGetArrayPointer(slope), yp, (size_t)g->n * sizeof *yp);
    g->diagonal = malloc((size_t)g->n * sizeof *g->diagonal);
    void *memory = IDACreate(context);
    SUNLinearSolver krylov = SUNLinSol_SPGMR(at, SUN_PREC_LEFT, 0, context);
    IDAInit(memory, ida_residual, 0.0, at, slope);
    IDASStolerances(memory, rtol, g->is_heat ? 0.1 * rtol : rtol);
    IDASetUserData(memory, g);
    IDASetLinearSolver(memory, krylov, NULL);
    IDASetPreconditioner(memory, ida_setup, ida_solve);
    IDASetMaxNumSteps(memory, 1000000);
    double t = 0.0;
    const double began = seconds();
    const int flag = IDASolve(memory, g->t_end, &t, at, slope, IDA_NORMAL);
    out->run = seconds() - began;
    out->setup = began - opened;
    snprintf(out->method, sizeof out->method, flag >= 0 ? "bdf, spgmr, diagonal" : "flag %d", flag);
    count_ida(memory, out);
    judge(g, N_VGetArrayPointer(at), out);
}

/* ---- the table ------------------------------------------------------------------------- */

enum { CODE_DAEDAL, CODE_PATTERN, CODE_IDA, N_CODES };
static const char *const names[] = {"daedal", "daedal, pattern given", "IDA"};

static void run_here(bool is_heat, int side, int code, double rtol, outcome *out)
{
    grid g = make_grid(is_heat, side);
    double *y = malloc((size_t)g.n * sizeof *y), *yp = malloc((size_t)g.n * sizeof *yp);
    double *room = malloc((size_t)g.n * sizeof *room);
    if (!y || !yp || !room)
        return;
    set_start(&g, y, yp, room);
    free(room);
    if (code == CODE_IDA)
        run_ida(&g, rtol, y, yp, out);
    else
        run_daedal(&g, rtol, code == CODE_PATTERN, y, out);
}

/* In a process of its own, which ends with the run. */
static outcome run_apart(bool is_heat, int side, int code, double rtol)
{
    outcome out = {.digits = NAN, .method = "no answer"};
    int ends[2];
    if (pipe(ends) != 0)
        return out;
    const pid_t child = fork();
    if (child == 0) {
        run_here(is_heat, side, code, rtol, &out);
        const ssize_t sent = write(ends[1], &out, sizeof out);
        _exit(sent == (ssize_t)sizeof out ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    close(ends[1]);
    outcome got;
    if (child > 0 && read(ends[0], &got, sizeof got) == (ssize_t)sizeof got)
        out = got;
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return out;
}

/* The best of so many runs, small systems oftener. */
static outcome best_of(bool is_heat, int side, int code, double rtol)
{
    outcome best = run_apart(is_heat, side, code, rtol);
    const int repeats = side <= 100 ? 7 : side <= 320 ? 3 : 1;
    for (int k = 1; k < repeats; k++) {
        const outcome next = run_apart(is_heat, side, code, rtol);
        best.run = fmin(best.run, next.run);
        best.setup = fmin(best.setup, next.setup);
    }
    return best;
}

static void bench_size(bool is_heat, int side, double rtol)
{
    const int n = make_grid(is_heat, side).n;
    for (int code = 0; code < N_CODES; code++) {
        const outcome o = best_of(is_heat, side, code, rtol);
        printf("| %s | %d | %s | %s | %.3g | %.3g | %.1f | %ld | %ld | %ld | %.0f |\n",
               is_heat ? "heat" : "brusselator", n, names[code], o.method, o.setup, o.run, o.digits,
               o.steps, o.calls, o.iterations, o.memory);
        fflush(stdout);
    }
}

/* usage: large [RTOL [N_MAX]] */
int main(int argc, char **argv)
{
    static const int heat_sides[] = {32, 100, 316, 1000}, brus_sides[] = {22, 71, 224, 707};
    const double rtol = argc > 1 ? atof(argv[1]) : 1e-4;
    const double largest = argc > 2 ? atof(argv[2]) : 1.1e5;
    puts("| problem | n | code | method | create and start, s | run, s | digits | steps | calls of "
         "F "
         "| linear iterations | peak, MB |");
    puts("|---|---|---|---|---|---|---|---|---|---|---|");
    for (int k = 0; k < 4; k++) {
        if (make_grid(false, brus_sides[k]).n <= largest)
            bench_size(false, brus_sides[k], rtol);
        if (make_grid(true, heat_sides[k]).n <= largest)
            bench_size(true, heat_sides[k], rtol);
    }
    return EXIT_SUCCESS;
}
