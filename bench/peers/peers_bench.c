/* bench/peers/peers_bench.c - runs daedal's methods on the problems for which recorded.csv
 * holds runs of other codes; table.py compares them.
 * Writes one line of CSV per run.  IDA runs too, to compare the two machines.
 * Depends on: bench/daedal_peer.h, ida_peer.h.                                    */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daedal_peer.h"
#include "ida_peer.h"

/* Names here and in the recorded table. */
typedef struct entry {
    const char *name, *recorded;
    double loosest, tightest; /* tolerances */
} entry;

static const entry entries[] = {
    {"chemakzo", "chemakzo", 1e-2, 1e-11},
    {"rober_dae", "rober_dae", 1e-2, 1e-11},
    {"hires", "hires", 1e-2, 1e-11},
    {"vdpol", "vdpol", 1e-2, 1e-11},
    {"transamp", "transamp", 1e-2, 1e-11},
    {"ringmod", "ringmod", 1e-2, 1e-10},
    {"andrews_ind1", "andrews_ind1", 1e-2, 1e-11},
    {"andrews_ind3", "andrews_ind3", 1e-2, 1e-11},
    {"caraxis", "caraxis_ind3", 1e-2, 1e-11},
    {"pendulum_ind1", "pendulum_ind1", 1e-2, 1e-12},
    {"pendulum10_ind3", "pendulum_ind3", 1e-2, 1e-11},
    {"fekete_ind2", "fekete_ind2", 1e-2, 1e-10},
    {"water_ind2", "water_ind2", 1e-2, 1e-12},
    {"crank_ind2", "crank_ind2", 1e-2, 1e-13},
    {"heat2d_n100", "heat2d_n100", 1e-2, 1e-9},
    {"heat2d_n1024", "heat2d_n1024", 1e-2, 1e-9},
    {"heat2d_n10000", "heat2d_n10000", 1e-2, 1e-7},
};

static const char *const all_methods[] = {"auto", "bdf", "radau", "rodas", "limex"};

/* Repeat until so many seconds were spent, within limits; the least time counts. */
#define SECONDS_ENOUGH 0.1
enum { REPEATS_MAX = 50 };

static void once(const problem *p, double rtol, const char *code, run *out)
{
    if (strcmp(code, "ida") == 0)
        ida_peer_run(p, rtol, out, NULL);
    else
        daedal_peer_run(p, rtol, code, out, NULL);
}

static void measure(const entry *e, const problem *p, double rtol, const char *code, bool quick)
{
    run best, next;
    once(p, rtol, code, &best);
    double spent = best.seconds;
    for (int i = 1; i < REPEATS_MAX && spent < SECONDS_ENOUGH && best.done && !quick; i++) {
        once(p, rtol, code, &next);
        spent += next.seconds;
        run_keep_faster(&best, &next);
    }
    printf("%s,%s,%.0e,%lld,%lld,%lld,%lld,%.6g,%.3f,%s\n", e->recorded, code, rtol,
           (long long)best.steps, (long long)best.residuals, (long long)best.jacobians,
           (long long)best.factorizations, 1e3 * best.seconds, best.done ? best.digits : NAN,
           best.done ? "ok" : "failed");
    if (!best.done)
        fprintf(stderr, "%s, %s, rtol %.0e: %s\n", e->recorded, code, rtol, best.status);
    fflush(stdout);
}

static void bench_entry(const entry *e, int n_methods, const char *const *methods, bool quick)
{
    const problem *p = problem_find(e->name);
    if (!p) {
        fprintf(stderr, "no problem is called %s\n", e->name);
        return;
    }
    for (int m = 0; m < n_methods; m++)
        for (double exponent = log10(e->loosest); exponent > log10(e->tightest) - 0.25;
             exponent -= 0.5)
            measure(e, p, pow(10.0, exponent), methods[m], quick);
    for (double rtol = 1e-4; rtol > 0.5e-8 && !(p->collections & PROBLEM_HIGH_INDEX); rtol *= 0.1)
        measure(e, p, rtol, "ida", quick);
}

/* usage: peers [--quick] [--only TEXT] [METHOD ...] */
int main(int argc, char **argv)
{
    const char *only = NULL, *methods[8];
    int n_methods = 0;
    bool quick = false;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--quick") == 0)
            quick = true;
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        else if (argv[i][0] != '-' && n_methods < 8)
            methods[n_methods++] = argv[i];
        else
            return fputs("usage: peers [--quick] [--only TEXT] [METHOD ...]\n", stderr), 2;
    use_one_thread();
    printf(
        "problem,code,tol,steps,residuals,jacobians,factorizations,milliseconds,digits,status\n");
    for (size_t k = 0; k < sizeof entries / sizeof *entries; k++)
        if (!only || strstr(entries[k].recorded, only))
            bench_entry(&entries[k], n_methods ? n_methods : 5, n_methods ? methods : all_methods,
                        quick);
    return EXIT_SUCCESS;
}
