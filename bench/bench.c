/* bench/bench.c - daedal against SUNDIALS IDA on the problems of tests/support.
 * Depends on: bench/report.h, peak_memory.h.                                      */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peak_memory.h"
#include "report.h"

static const char usage[] =
    "usage: bench [PATTERN] [--rtol a,b,c] [--method bdf|bdf_classic|radau] [--csv FILE]\n"
    "             [--held-out] [--quick]\n"
    "\n"
    "  PATTERN     only problems whose name contains it, of every collection\n"
    "  --rtol      tolerances; 1e-3 to 1e-10 by decades unless given\n"
    "  --method    integration method of daedal\n"
    "  --csv       write one line per run to FILE\n"
    "  --held-out  the problems never used for tuning, instead of the main collection\n"
    "  --quick     one repeat of each run: counts and digits, no serious times\n";

static bool parse_rtols(const char *text, bench_options *options)
{
    options->n_rtol = 0;
    while (options->n_rtol < RTOLS_MAX) {
        char *end;
        const double value = strtod(text, &end);
        if (end == text || !(value > 0.0) || value >= 1.0)
            return false;
        options->rtol[options->n_rtol++] = value;
        if (*end == '\0')
            return true;
        if (*end != ',')
            return false;
        text = end + 1;
    }
    return false;
}

/* --name without a value, or a pattern; false: it is something else. */
static bool parse_word(const char *word, bench_options *options)
{
    if (strcmp(word, "--held-out") == 0)
        options->collection = PROBLEM_HELD_OUT;
    else if (strcmp(word, "--quick") == 0)
        options->quick = true;
    else if (word[0] != '-')
        options->pattern = word;
    else
        return false;
    return true;
}

static bool parse_setting(const char *name, const char *value, bench_options *options)
{
    if (strcmp(name, "--rtol") == 0)
        return parse_rtols(value, options);
    if (strcmp(name, "--method") == 0)
        options->method = value;
    else if (strcmp(name, "--csv") == 0)
        options->csv = value;
    else
        return false;
    return true;
}

static bool parse(int argc, char **argv, bench_options *options)
{
    *options = (bench_options){.method = "bdf", .collection = PROBLEM_MAIN};
    parse_rtols("1e-3,1e-4,1e-5,1e-6,1e-7,1e-8,1e-9,1e-10", options);
    for (int i = 1; i < argc; i++) {
        if (parse_word(argv[i], options))
            continue;
        if (i + 1 == argc || !parse_setting(argv[i], argv[i + 1], options))
            return false;
        i++;
    }
    return true;
}

static bool selected(const problem *p, const bench_options *options)
{
    if (options->pattern)
        return strstr(p->name, options->pattern) != NULL &&
               (p->collections != 0 || strcmp(p->name, options->pattern) == 0);
    int wanted = options->collection;
    if (wanted == PROBLEM_MAIN)
        wanted |= PROBLEM_LARGE;
    return (p->collections & wanted) != 0;
}

/* Work-precision curves of both codes, and their ratios at equal digits. */
static void compare_curves(problem_result *r)
{
    curve work[2] = {{0}}, time[2] = {{0}};
    for (int k = 0; k < r->n; k++) {
        const run *one[2] = {&r->at[k].daedal, &r->at[k].ida};
        for (int c = 0; c < 2; c++) {
            if (!one[c]->done || r->at[k].rtol < r->p->tol_min)
                continue;
            curve_add(&work[c], one[c]->digits,
                      (double)(one[c]->residuals + one[c]->factorizations));
            curve_add(&time[c], one[c]->digits, one[c]->seconds);
        }
    }
    r->work = curve_compare(&work[0], &work[1]);
    r->time = curve_compare(&time[0], &time[1]);
}

static void bench_problem(problem_result *r, const bench_options *options, FILE *csv)
{
    r->costs = measure_callbacks(r->p);
    report_problem_head(r);
    for (int k = 0; k < options->n_rtol; k++) {
        r->at[k] = measure_pair(r->p, options->rtol[k], &r->costs, options);
        r->n = k + 1;
        report_row(r->p, &r->at[k]);
        if (csv)
            csv_row(csv, r->p, &r->at[k]);
    }
    compare_curves(r);
    report_problem_foot(r);
}

/* Only where the main collection is run: it belongs to the bar. */
static void bench_memory(const bench_options *options)
{
    const problem *p = problem_find("heat2d_n40000");
    if (!p || options->pattern || options->collection != PROBLEM_MAIN)
        return;
    const footprint daedal = measure_memory(p, 1e-6, options->method, false);
    const footprint ida = measure_memory(p, 1e-6, options->method, true);
    report_memory(p, &ida, &daedal);
}

static int bench_all(const bench_options *options, FILE *csv)
{
    const int count = problem_count();
    problem_result *results = calloc((size_t)count, sizeof *results);
    if (!results)
        return EXIT_FAILURE;
    problem_result large = {0};
    int n = 0;
    report_definitions(options);
    bench_memory(options);
    for (int i = 0; i < count; i++) {
        const problem *p = problem_at(i);
        if (!selected(p, options))
            continue;
        problem_result *r = p->collections & PROBLEM_LARGE ? &large : &results[n++];
        r->p = p;
        bench_problem(r, options, csv);
    }
    if (n > 0 || large.p)
        report_summary(results, n, &large);
    else
        fprintf(stderr, "bench: no problem is called like \"%s\"\n", options->pattern);
    free(results);
    return n > 0 || large.p ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    bench_options options;
    if (!parse(argc, argv, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    use_one_thread();
    FILE *csv = options.csv ? fopen(options.csv, "w") : NULL;
    if (options.csv && !csv) {
        perror(options.csv);
        return EXIT_FAILURE;
    }
    if (csv)
        csv_head(csv);
    const int status = bench_all(&options, csv);
    if (csv)
        fclose(csv);
    return status;
}
