/* bench/peers/peers_bench.c - runs daedal's methods on the problems for which recorded.csv
 * holds runs of other codes; table.py compares them.
 * Writes one line of CSV per run.  All codes run alternately in this process, and processor
 * time is measured.  IDA runs too, to compare the two machines.
 * Depends on: bench/daedal_peer.h, ida_peer.h, ode_peer.h, further/further.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daedal_peer.h"
#include "further.h"
#include "ida_peer.h"
#include "ode_peer.h"

/* A problem and the tolerances it is run at, in half decades. */
typedef struct entry {
    const char *name;
    double loosest, tightest;
} entry;

static const entry entries[] = {
    {"chemakzo", 1e-2, 1e-11},      {"rober_dae", 1e-2, 1e-11},       {"hires", 1e-2, 1e-11},
    {"vdpol", 1e-2, 1e-11},         {"transamp", 1e-2, 1e-11},        {"ringmod", 1e-2, 1e-10},
    {"andrews_ind1", 1e-2, 1e-11},  {"andrews_ind3", 1e-2, 1e-11},    {"caraxis", 1e-2, 1e-11},
    {"pendulum_ind1", 1e-2, 1e-12}, {"pendulum10_ind3", 1e-2, 1e-11}, {"fekete_ind2", 1e-2, 1e-10},
    {"water_ind2", 1e-2, 1e-12},    {"crank_ind2", 1e-2, 1e-13},      {"heat2d_n100", 1e-2, 1e-9},
    {"heat2d_n1024", 1e-2, 1e-9},   {"heat2d_n10000", 1e-2, 1e-7},
};

static const char *const all_codes[] = {"auto", "bdf", "radau", "rodas", "limex", "ida"};
static const char *const sundials_codes[] = {"cvode-bdf", "cvode-adams", "arkode-dirk",
                                             "arkode-erk", "arkode-erk8"};

enum { CODES_MAX = 16, REPEATS_MIN = 3, REPEATS_MAX = 500 };

/* A code that takes longer is not asked for more digits of the same problem. */
#define SECONDS_PATIENCE 1.0

/* Rounds over all codes until each had so many seconds, within limits; the least time counts. */
#define SECONDS_ENOUGH 0.1

typedef struct bench_plan {
    const char *only;             /* part of the names, or NULL */
    const char *codes[CODES_MAX]; /* run alternately            */
    int n_codes;
    bool quick;   /* one round: counts and digits, no serious times */
    bool further; /* the problems of bench/further, and all codes of SUNDIALS */
} bench_plan;

static void run_once(const problem *p, double rtol, const char *code, run *out)
{
    if (strcmp(code, "ida") == 0)
        ida_peer_run(p, rtol, out, NULL);
    else if (ode_peer_knows(code))
        ode_peer_run(p, rtol, code, out, NULL);
    else
        daedal_peer_run(p, rtol, code, out, NULL);
}

/* IDA is made for index 0 and 1, CVODE and ARKODE are for explicit equations.  Where IDA only
 * serves to compare machines, tight tolerances are left out.                          */
static bool is_able(const problem *p, double rtol, const char *code, const bench_plan *plan)
{
    if (strcmp(code, "ida") == 0)
        return !(p->collections & PROBLEM_HIGH_INDEX) && (plan->further || rtol > 0.9e-8);
    return !ode_peer_knows(code) || p->form == FORM_EXPLICIT;
}

/* One more run of a code unless it had enough or failed; false: nothing left to do. */
static bool repeat(const problem *p, double rtol, const char *code, int round, run *best,
                   double *spent)
{
    const bool enough = *spent > SECONDS_ENOUGH && round >= REPEATS_MIN;
    if (round > 0 && (enough || !best->done || *spent > 10.0 * SECONDS_ENOUGH))
        return false;
    run next;
    run_once(p, rtol, code, &next);
    *spent += next.seconds + next.setup_seconds;
    if (round == 0)
        *best = next;
    else
        run_keep_faster(best, &next);
    return true;
}

static void print_run(const problem *p, double rtol, const char *code, const run *r)
{
    printf("%s,%s,%.1e,%lld,%lld,%lld,%lld,%.6g,%.6g,%.3f,%s\n", p->name, code, rtol,
           (long long)r->steps, (long long)r->residuals, (long long)r->jacobians,
           (long long)r->factorizations, 1e3 * r->setup_seconds, 1e3 * r->seconds,
           r->done ? r->digits : NAN, r->done ? "ok" : "failed");
    if (!r->done)
        fprintf(stderr, "%s, %s, rtol %.1e: %s\n", p->name, code, rtol, r->status);
    fflush(stdout);
}

/* `tired` says which codes are left out, and learns it. */
static void measure(const problem *p, double rtol, const bench_plan *plan, bool *tired)
{
    run best[CODES_MAX];
    double spent[CODES_MAX] = {0};
    bool more = true;
    for (int round = 0; more && round < (plan->quick ? 1 : REPEATS_MAX); round++) {
        more = false;
        for (int c = 0; c < plan->n_codes; c++)
            if (!tired[c] && is_able(p, rtol, plan->codes[c], plan))
                more |= repeat(p, rtol, plan->codes[c], round, &best[c], &spent[c]);
    }
    for (int c = 0; c < plan->n_codes; c++)
        if (!tired[c] && is_able(p, rtol, plan->codes[c], plan)) {
            print_run(p, rtol, plan->codes[c], &best[c]);
            tired[c] = plan->further && best[c].seconds > SECONDS_PATIENCE;
        }
}

static void bench_problem(const problem *p, double loosest, double tightest, const bench_plan *plan)
{
    const double last = log10(tightest) - 0.25;
    bool tired[CODES_MAX] = {0};
    if (plan->only && !strstr(p->name, plan->only))
        return;
    for (double exponent = log10(loosest); exponent > last; exponent -= 0.5)
        measure(p, pow(10.0, exponent), plan, tired);
}

static void bench_known(const bench_plan *plan)
{
    for (size_t k = 0; k < sizeof entries / sizeof *entries; k++) {
        const problem *p = problem_find(entries[k].name);
        if (p)
            bench_problem(p, entries[k].loosest, entries[k].tightest, plan);
        else
            fprintf(stderr, "no problem is called %s\n", entries[k].name);
    }
}

static void bench_further(const bench_plan *plan)
{
    for (int i = 0; further_at(i); i++)
        bench_problem(further_at(i), 1e-2, further_tightest(i), plan);
}

static void add_codes(bench_plan *plan, const char *const *codes, size_t n)
{
    for (size_t c = 0; c < n && plan->n_codes < CODES_MAX; c++)
        plan->codes[plan->n_codes++] = codes[c];
}

static bool parse(int argc, char **argv, bench_plan *plan)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--quick") == 0)
            plan->quick = true;
        else if (strcmp(argv[i], "--further") == 0)
            plan->further = true;
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            plan->only = argv[++i];
        else if (argv[i][0] != '-' && plan->n_codes < CODES_MAX)
            plan->codes[plan->n_codes++] = argv[i];
        else
            return false;
    if (plan->n_codes > 0)
        return true;
    add_codes(plan, all_codes, sizeof all_codes / sizeof *all_codes);
    if (plan->further)
        add_codes(plan, sundials_codes, sizeof sundials_codes / sizeof *sundials_codes);
    return true;
}

int main(int argc, char **argv)
{
    bench_plan plan = {0};
    if (!parse(argc, argv, &plan))
        return fputs("usage: peers [--quick] [--further] [--only TEXT] [CODE ...]\n", stderr), 2;
    use_one_thread();
    printf("problem,code,tol,steps,residuals,jacobians,factorizations,setup_ms,run_ms,digits,"
           "status\n");
    if (plan.further)
        bench_further(&plan);
    else
        bench_known(&plan);
    return EXIT_SUCCESS;
}
