/* linalg/linsolver.c - see linsolver.h.
 *
 * The automatic choice compares what one factorization and the solves that follow
 * it are expected to cost.  The constants are nanoseconds measured on one machine
 * (gcc -O3 for SSE2, OpenBLAS on one thread); only their ratios matter, and they
 * decide between solvers that differ by factors.  Measured, factor / solve in us:
 *
 *     matrix              dense       lapack       band         klu (refactor)
 *     n = 20, full        1.0/0.24    1.6/0.35     2.2/0.55     3.0/0.36
 *     n = 32, 2.7 a row   2.9/0.42    4.5/0.63     5.7/0.94     0.7/0.22
 *     n = 64, 7.5 a row   16/1.1      19/1.4       27/2.3       14/1.2
 *     n = 64, 15 a row    16/1.1      19/1.4       25/2.2       35/1.9
 *     n = 200, full       343/7.8     266/6.6      296/11       1896/25
 *     n = 400, 1+1 band   -           1447/23      12/9.3       7.6/5.6
 *     n = 400, 5+5 band   -           1445/22      25/11        25/6
 *     n = 400, 25+25      -           1467/23      111/14       228/12
 *     n = 400, 7.5 a row  -           1459/22      1501/45      2396/36
 *
 * and with band_kernel.h, beside KLU on the same (slower) machine, after row exchanges or without:
 *
 *     n = 200, 2+2 band                            4.6 to 6.7/2.0 to 3.4    11/4.0
 *     n = 400, 1+1 band                            7/2.6 to 4.5             15/7.0
 *     n = 400, 5+5 band                            19/3.6 to 8.1            33/7.4
 *     n = 400, 10+12 band                          40 to 69/8 to 10         100/9.8
 *
 * So the band solver wins where a band is full, KLU's refactorization where it is sparse inside,
 * LAPACK where the fill is nearly complete.  KLU's fill
 * comes from its own symbolic analysis: from nnz alone a grid and a random matrix
 * look the same.  That analysis is for A + A', which says little about a matrix that
 * is far from symmetric (points on a sphere, n = 160: 1.0e6 operations foretold, 1.1e5
 * needed).  Where it speaks against KLU, trials with invented values decide, first with the
 * ordering that is made for such matrices. Up to n = 64 the own solver finds the zeros itself
 * (elimination_list.h) and may be faster than KLU, but KLU scales rows and solves block by block:
 * docs/decisions/092-lists-of-operations.md. Depends on: base/. */
#include "linalg/linsolver.h"

#include "linalg/band_kernel.h"
#include "linalg/elimination_list.h"

#define DENSE_ALWAYS 16 /* dense up to here: it pivots anew, or checks its pivots  */
#define TRIAL_MIN 65    /* below, the own solver finds zeros itself (elimination_list.h)     */
#define DENSE_MAX 128   /* own kernel against LAPACK                               */
#define FULL_MAX 5000   /* no n x n storage beyond (200 MB)                        */
#define SOLVES 8.0      /* solves per factorization of an ordinary run             */
#define KLU_MARGIN 1.2  /* KLU must win by this much: it keeps old pivots          */

static double dense_cost(double n)
{
    return 0.06 * n * n * n + SOLVES * (60.0 + 0.25 * n * n);
}

static double lapack_cost(double n)
{
    return 2000.0 + 0.032 * n * n * n + SOLVES * (200.0 + 0.17 * n * n);
}

static double band_cost(double n, double lower, double upper)
{
    return n * (band_factor_cost(lower, upper) + SOLVES * band_solve_cost(lower, upper));
}

typedef linsolver_forecast fill;

static double klu_cost(double n, const fill *f)
{
    double factor = 18.0 * n + 0.35 * f->flops, solve = 9.0 * n + 0.5 * f->entries;
    return KLU_MARGIN * (factor + SOLVES * solve);
}

/* Huge if there is no memory to find out: then KLU is never chosen. */
static fill foretold_fill(const daedal_pattern *p)
{
    fill f = {1e300, 0.0, NULL, NULL};
    klu_foretell(p, &f);
    return f;
}

/* Whether hardly anything of a narrow band is empty: then KLU cannot win, and is not asked. */
static bool is_full_band(const daedal_pattern *p, int32_t lower, int32_t upper)
{
    return lower + upper <= BAND_NARROW &&
           2.0 * pattern_nnz(p) >= (double)p->n_cols * (lower + upper + 1);
}

static fill band_fill(double n, double lower, double upper)
{
    return (fill){n * lower * (2.0 * (lower + upper) + 1.0), n * (2.0 * lower + upper + 1.0), NULL,
                  NULL};
}

static const daedal_linsolver *cheapest(const daedal_pattern *p, fill *foretold)
{
    int32_t n = p->n_cols, lower, upper;
    if (n <= DENSE_ALWAYS)
        return daedal_linsolver_dense();
    pattern_band(p, &lower, &upper);
    const daedal_linsolver *rival = daedal_linsolver_band();
    double least = band_cost(n, lower, upper);
    double full = n <= DENSE_MAX ? dense_cost(n) : lapack_cost(n);
    if (full < least && n <= FULL_MAX) {
        rival = n <= DENSE_MAX ? daedal_linsolver_dense() : daedal_linsolver_lapack();
        least = full;
    }
    if (rival == daedal_linsolver_band() && is_full_band(p, lower, upper)) {
        *foretold = band_fill(n, lower, upper);
        return rival;
    }
    fill tried;
    *foretold = foretold_fill(p);
    bool sparse = klu_cost(n, foretold) <= least;
    for (int own = 0; own <= 1 && !sparse && n >= TRIAL_MIN; own++) /* the rival is cheaper here */
        sparse = klu_try(p, own == 0, foretold, &tried) && klu_cost(n, &tried) <= least;
    return sparse ? daedal_linsolver_klu() : rival;
}

/* Measured, BDF at rtol 1e-4, milliseconds with KLU / with GMRES and ILU(0):
 *     heat on a square         n = 1024, fill 4.5: 11 / 5.7        n = 3025, 6.0: 50 / 25
 *     transport on a square    n = 576, fill 4.2: 9.5 / 9.5        n = 1024, 4.8: 22 / 17
 *     Brusselator on a square  n = 512, fill 4.6: 27 / 9.4         n = 1800, 6.8: 111 / 46
 *                              n = 3200, fill 8.1: 110 / 28        n = 10 082, 10: 810 / 85 */
bool linsolver_iteration_wins(const daedal_pattern *p, const linsolver_forecast *f)
{
    const double much_fill = 4.0;
    const int32_t large = 500;
    return p->n_cols >= large && f->entries >= much_fill * pattern_nnz(p);
}

double linsolver_factor_price(const daedal_pattern *p, const linsolver_forecast *f)
{
    double n = p->n_cols;
    return (18.0 * n + 0.35 * f->flops) / (9.0 * n + 0.5 * f->entries);
}

/* A factorization serves eight solves.  One iteration: a call of F, a solve with incomplete
 * factors, about five inner products.                                            */
double linsolver_worth_of_factors(const daedal_pattern *p, const linsolver_forecast *f)
{
    double n = p->n_cols, solve = 9.0 * n + 0.5 * f->entries, factor = 18.0 * n + 0.35 * f->flops;
    double iteration = 30.0 * n + 3.0 * pattern_nnz(p);
    const double overhead = 3.0; /* two solves an iteration, more Jacobians: as measured */
    return overhead * (solve + factor / SOLVES) / iteration;
}

const daedal_linsolver *linsolver_choose(int32_t wanted, const daedal_pattern *p)
{
    linsolver_forecast ignored;
    const daedal_linsolver *solver = linsolver_choose_foretold(wanted, p, &ignored);
    linsolver_forecast_free(&ignored);
    return solver;
}

void linsolver_forecast_free(linsolver_forecast *forecast)
{
    if (forecast->analysis)
        klu_free_analysis(forecast->analysis);
    if (forecast->rival)
        klu_free_analysis(forecast->rival);
    forecast->analysis = forecast->rival = NULL;
}

daedal_status linsolver_create(const daedal_linsolver *solver, const daedal_pattern *p,
                               linsolver_forecast *forecast, const daedal_allocator *allocator,
                               void **self)
{
    if (solver != daedal_linsolver_klu() || !forecast || !forecast->analysis)
        return solver->create(self, p, allocator);
    return klu_create_analysed(self, p, forecast, allocator);
}

daedal_status linsolver_open(const daedal_pattern *p, const daedal_allocator *allocator,
                             const daedal_linsolver **solver, void **self)
{
    linsolver_forecast forecast;
    *solver = linsolver_choose_foretold(LINSOLVER_AUTO, p, &forecast);
    daedal_status status = linsolver_create(*solver, p, &forecast, allocator, self);
    linsolver_forecast_free(&forecast);
    return status;
}

/* Measured, microseconds to choose, create, factor once and solve twice, automatic choice / dense:
 *     n = 50, 3.6 a row: 17 / 7.6      n = 100, 4 a row: 59 / 37     n = 100, 9 a row: 402 / 38
 *     n = 50, 1+1 band: 1.3 / 7.6      n = 128, 3.8 a row: 175 / 72  n = 64, 8+8 band: 11 / 14  */
daedal_status linsolver_open_for_few(const daedal_pattern *p, const daedal_allocator *allocator,
                                     const daedal_linsolver **solver, void **self)
{
    int32_t lower, upper;
    if (p->n_cols > DENSE_MAX)
        return linsolver_open(p, allocator, solver, self);
    pattern_band(p, &lower, &upper);
    bool is_band = p->n_cols > DENSE_ALWAYS && is_full_band(p, lower, upper);
    *solver = is_band ? daedal_linsolver_band() : daedal_linsolver_dense();
    return (*solver)->create(self, p, allocator);
}

const daedal_linsolver *linsolver_choose_foretold(int32_t wanted, const daedal_pattern *p,
                                                  linsolver_forecast *forecast)
{
    *forecast = (linsolver_forecast){0};
    switch (wanted) {
    case LINSOLVER_DENSE:
        return daedal_linsolver_dense();
    case LINSOLVER_LAPACK:
        return daedal_linsolver_lapack();
    case LINSOLVER_BAND:
        return daedal_linsolver_band();
    case LINSOLVER_KLU:
    case LINSOLVER_GMRES: /* where the iteration fails */
        return daedal_linsolver_klu();
    default:
        return cheapest(p, forecast);
    }
}

bool linsolver_copy(const daedal_linsolver *solver, void *to, const void *from)
{
    if (solver != daedal_linsolver_dense())
        return false;
    dense_copy(to, from);
    return true;
}

void linsolver_solve_many(const daedal_linsolver *solver, void *self, double *b, int32_t n,
                          int32_t count)
{
    if (solver == daedal_linsolver_klu())
        klu_solve_many(self, b, count);
    else if (solver == daedal_linsolver_band())
        band_solve_many(self, b, count);
    else
        for (int32_t k = 0; k < count; k++)
            solver->solve(self, b + (size_t)k * (size_t)n);
}

void linsolver_forget(const daedal_linsolver *solver, void *self)
{
    if (solver == daedal_linsolver_dense())
        dense_forget(self);
    if (solver == daedal_linsolver_klu())
        klu_forget(self);
}
