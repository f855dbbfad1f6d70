/* bench/report.c - what is printed for each problem, and the CSV file.
 * Depends on: bench/report.h.                                                     */
#include "report.h"

#include <math.h>

void report_definitions(const bench_options *options)
{
    printf("daedal %s (method %s) against SUNDIALS IDA 6.4.1\n", daedal_version(), options->method);
    printf("digits  scd = -log10 max |y_i - ref_i| / |ref_i| at t_end over the problem's counted\n"
           "        components; for problems marked * relative to max |ref_j| instead\n"
           "error   RMS over all i of (y_i - ref_i) / (rtol |ref_i| + atol_i) at t_end\n"
           "resid   residual evaluations, those for difference Jacobians included\n"
           "ms      t0 to t_end, fastest repeat, codes taking turns; no create, start, free\n"
           "x       milliseconds of daedal / milliseconds of IDA at this rtol\n");
}

void report_problem_head(const problem_result *r)
{
    const problem *p = r->p;
    printf("\n%s%s  n = %d  %s\n", p->name, p->norm == DIGITS_MAX_NORM ? " *" : "", (int)p->n,
           p->title);
    printf("%7s | %-58s | %-58s | %5s\n", "rtol", "IDA", "daedal", "x");
    printf("%7s |", "");
    for (int k = 0; k < 2; k++)
        printf(" %8s %8s %6s %6s %6s %8s %9s  |", "steps", "resid", "jac", "fac", "digits", "error",
               "ms");
    printf("\n");
}

static void print_run(const run *r)
{
    if (r->done) {
        printf(" %8lld %8lld %6lld %6lld %6.2f %8.2g %9.3f  |", (long long)r->steps,
               (long long)r->residuals, (long long)r->jacobians, (long long)r->factorizations,
               r->digits, r->error, 1e3 * r->seconds);
    } else {
        char text[160];
        snprintf(text, sizeof text, "failed after %lld steps: %s", (long long)r->steps, r->status);
        printf(" %-58.58s |", text);
    }
}

void report_row(const problem *p, const comparison *c)
{
    printf("%7.0e |", c->rtol);
    print_run(&c->ida);
    print_run(&c->daedal);
    if (c->ida.done && c->daedal.done)
        printf(" %5.2f", c->daedal.seconds / c->ida.seconds);
    printf("%s\n", c->rtol < p->tol_min ? "  roundoff" : "");
    fflush(stdout);
}

void report_problem_foot(const problem_result *r)
{
    if (r->work.valid)
        printf("at equal digits (%.1f to %.1f), daedal / IDA: work %.2f", r->work.low, r->work.high,
               r->work.ratio);
    else
        printf("no common range of digits");
    if (r->time.valid)
        printf(", time %.2f", r->time.ratio);
    printf("; one residual %.3g us, one Jacobian %.3g us\n", 1e6 * r->costs.residual,
           1e6 * r->costs.ida_jacobian);
}

static void print_footprint(const char *name, const footprint *f)
{
    if (f->result.done)
        printf("  %-7s %7.0f MB peak, %8.0f ms + %.0f ms setup, %lld steps, %.2f digits\n", name,
               1e-6 * f->peak_bytes, 1e3 * f->result.seconds, 1e3 * f->result.setup_seconds,
               (long long)f->result.steps, f->result.digits);
    else
        printf("  %-7s failed: %s (%.0f MB peak)\n", name, f->result.status, 1e-6 * f->peak_bytes);
}

void report_memory(const problem *p, const footprint *ida, const footprint *daedal)
{
    printf("\npeak memory of one run in a process of its own: %s, rtol 1e-6\n", p->name);
    print_footprint("IDA", ida);
    print_footprint("daedal", daedal);
    fflush(stdout);
}

void csv_head(FILE *file)
{
    fprintf(file, "problem,n,rtol,code,status,steps,residuals,jacobians,factorizations,"
                  "rejected,digits,error,seconds,setup_seconds,callback_seconds\n");
}

static void csv_run(FILE *file, const problem *p, double rtol, const char *code, const run *r)
{
    fprintf(file, "%s,%d,%.0e,%s,\"%s\",%lld,%lld,%lld,%lld,%lld,%.3f,%.3g,%.6g,%.6g,", p->name,
            (int)p->n, rtol, code, r->status, (long long)r->steps, (long long)r->residuals,
            (long long)r->jacobians, (long long)r->factorizations, (long long)r->rejected,
            r->digits, r->error, r->seconds, r->setup_seconds);
}

void csv_row(FILE *file, const problem *p, const comparison *c)
{
    csv_run(file, p, c->rtol, "ida", &c->ida);
    fprintf(file, "%.6g\n", c->ida_callbacks);
    csv_run(file, p, c->rtol, "daedal", &c->daedal);
    fprintf(file, "%.6g\n", c->daedal_callbacks);
    fflush(file);
}
