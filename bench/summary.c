/* bench/summary.c - compares the results of all problems with the targets.
 *
 * The targets: (a) digits at equal rtol, (b) errors that keep the promise of the tolerance,
 * (c) work and (e) time at equal digits, (d) overhead per step, (f) a large sparse
 * problem.  Runs below a problem's tol_min take no part.
 * Depends on: bench/report.h.                                                     */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ERROR_BAR = 30.0; /* weighted errors up to this keep the promise */

/* ---- small statistics ------------------------------------------------------------ */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts x; NAN if there is nothing. */
static double median(double *x, int n)
{
    if (n == 0)
        return NAN;
    qsort(x, (size_t)n, sizeof *x, by_size);
    return 0.5 * (x[(n - 1) / 2] + x[n / 2]);
}

/* A geometric mean as it grows. */
typedef struct mean {
    double log_sum, worst;
    int n, below_one;
} mean;

static void mean_add(mean *m, const curve_ratio *r)
{
    if (!r->valid)
        return;
    m->log_sum += log(r->ratio);
    m->worst = fmax(m->worst, r->ratio);
    m->below_one += r->ratio < 1.0;
    m->n++;
}

static void print_mean(const char *title, const mean *m)
{
    if (m->n == 0)
        printf("%s: no problem with a common range of digits\n", title);
    else
        printf("%s: geometric mean %.2f over %d problems, worst %.2f, below 1 on %d\n", title,
               exp(m->log_sum / m->n), m->n, m->worst, m->below_one);
}

/* ---- one problem ----------------------------------------------------------------- */

/* Differences of digits daedal - IDA where both got there; returns how many. */
static int digit_gains(const problem_result *r, double *gain)
{
    int n = 0;
    for (int k = 0; k < r->n; k++) {
        const comparison *c = &r->at[k];
        if (c->ida.done && c->daedal.done && c->rtol >= r->p->tol_min)
            gain[n++] = c->daedal.digits - c->ida.digits;
    }
    return n;
}

/* How many runs of one code there were, ended, and kept the promise. */
typedef struct promise {
    int runs, ended, kept;
} promise;

static promise count_promise(const problem_result *r, bool of_ida)
{
    promise q = {0};
    for (int k = 0; k < r->n; k++) {
        const run *one = of_ida ? &r->at[k].ida : &r->at[k].daedal;
        if (r->at[k].rtol < r->p->tol_min)
            continue;
        q.runs++;
        q.ended += one->done;
        q.kept += one->done && one->error <= ERROR_BAR;
    }
    return q;
}

static void print_ratio(const curve_ratio *r)
{
    if (r->valid)
        printf(" %6.2f", r->ratio);
    else
        printf(" %6s", "-");
}

static void print_problem(const problem_result *r)
{
    double gain[RTOLS_MAX];
    const int n = digit_gains(r, gain);
    const promise ida = count_promise(r, true), daedal = count_promise(r, false);
    const double middle = median(gain, n);
    printf("%-15s", r->p->name);
    if (n > 0)
        printf(" %+7.2f %+7.2f", gain[0], middle);
    else
        printf(" %7s %7s", "-", "-");
    printf("   %2d %2d /%2d   %2d %2d /%2d ", ida.ended, ida.kept, ida.runs, daedal.ended,
           daedal.kept, daedal.runs);
    print_ratio(&r->work);
    print_ratio(&r->time);
    printf("\n");
}

/* ---- the parts of the bar -------------------------------------------------------- */

static void print_digits(const problem_result *results, int n)
{
    double *all = malloc((size_t)n * RTOLS_MAX * sizeof *all);
    if (!all)
        return;
    double worst = INFINITY;
    const char *where = "-";
    int count = 0;
    for (int i = 0; i < n; i++) {
        const int found = digit_gains(&results[i], all + count);
        for (int k = 0; k < found; k++)
            if (all[count + k] < worst) {
                worst = all[count + k];
                where = results[i].p->name;
            }
        count += found;
    }
    if (count > 0)
        printf("(a) digits at equal rtol, daedal - IDA: worst %+.2f (%s), median %+.2f\n", worst,
               where, median(all, count));
    free(all);
}

static void print_promises(const problem_result *results, int n)
{
    promise ida = {0}, daedal = {0};
    int ida_whole = 0, daedal_whole = 0;
    for (int i = 0; i < n; i++) {
        const promise a = count_promise(&results[i], true);
        const promise b = count_promise(&results[i], false);
        ida.runs += a.runs, ida.kept += a.kept, ida_whole += a.kept == a.runs;
        daedal.kept += b.kept, daedal_whole += b.kept == b.runs;
    }
    printf("(b) end error <= %g x tolerance: daedal on %d of %d problems (%d of %d runs), "
           "IDA on %d (%d runs)\n",
           ERROR_BAR, daedal_whole, n, daedal.kept, ida.runs, ida_whole, ida.kept);
}

/* What the figures leave out is said, with the digits that would have counted. */
static void print_uncounted(const problem_result *results, int n)
{
    for (int i = 0; i < n; i++) {
        const problem_result *r = &results[i];
        bool first = true;
        for (int k = 0; k < r->n; k++) {
            const comparison *c = &r->at[k];
            if (c->rtol >= r->p->tol_min || !c->ida.done || !c->daedal.done)
                continue;
            if (first)
                printf("    not counted, roundoff decides: %s, digits daedal - IDA", r->p->name);
            printf("%s %+.2f at %.0e", first ? "" : ",", c->daedal.digits - c->ida.digits, c->rtol);
            first = false;
        }
        if (!first)
            printf("\n");
    }
}

static void print_overhead(const problem_result *r)
{
    double ida[RTOLS_MAX], daedal[RTOLS_MAX];
    int n = 0;
    for (int k = 0; k < r->n; k++) {
        const comparison *c = &r->at[k];
        if (!c->ida.done || !c->daedal.done)
            continue;
        ida[n] = (c->ida.seconds - c->ida_callbacks) / (double)c->ida.steps;
        daedal[n++] = (c->daedal.seconds - c->daedal_callbacks) / (double)c->daedal.steps;
    }
    const double a = median(ida, n), b = median(daedal, n);
    printf("(d) time per step without callbacks on %s: daedal %.0f ns, IDA %.0f ns, ratio %.2f "
           "(medians over rtol)\n",
           r->p->name, 1e9 * b, 1e9 * a, b / a);
}

static void print_large(const problem_result *r)
{
    printf("(f) %s, daedal (no Jacobian, pattern detected) / IDA (KLU, Jacobian given):\n",
           r->p->name);
    if (r->time.valid)
        printf("    time at equal digits %.2f\n", r->time.ratio);
    for (int k = 0; k < r->n; k++) {
        const run *a = &r->at[k].ida, *b = &r->at[k].daedal;
        if (!a->done || !b->done)
            continue;
        printf("    at rtol %.0e: time %.2f, with setup %.2f, digits %+.2f\n", r->at[k].rtol,
               b->seconds / a->seconds,
               (b->seconds + b->setup_seconds) / (a->seconds + a->setup_seconds),
               b->digits - a->digits);
    }
}

static const problem_result *find(const problem_result *results, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(results[i].p->name, name) == 0)
            return &results[i];
    return NULL;
}

void report_summary(const problem_result *results, int n, const problem_result *large)
{
    mean work = {0}, time = {0};
    printf("\nsummary          digits daedal-IDA   runs that ended, kept the promise     "
           "daedal/IDA\n");
    printf("%-15s %7s %7s   %-11s  %-11s   %5s  %5s\n", "problem", "worst", "median", "IDA",
           "daedal", "work", "time");
    for (int i = 0; i < n; i++) {
        print_problem(&results[i]);
        mean_add(&work, &results[i].work);
        mean_add(&time, &results[i].time);
    }
    printf("\n");
    print_digits(results, n);
    print_promises(results, n);
    print_uncounted(results, n);
    print_mean("(c) residuals + factorizations at equal digits, daedal / IDA", &work);
    const problem_result *small = find(results, n, "rober_dae");
    if (small)
        print_overhead(small);
    print_mean("(e) time at equal digits, daedal / IDA", &time);
    if (large->p)
        print_large(large);
}
