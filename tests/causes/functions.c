/* functions.c - the C problems of the corpus of causes, one program: `functions NAME` runs one of
 * them, `functions` lists their names.
 *
 * A run prints one JSON object: status, cause, message, hint, variable, equation, failed_at,
 * and the values at the end by name.  The cause is read from the diagnosis through
 * CAUSE_OF(diagnosis), an expression of type const char * that the compiler's command line defines
 * (see compile_functions in run.py); without it the cause is null, and the status tells that a run
 * failed, not why.
 *
 * The problems are in open/ and sealed/; the macros below spare them the unused parameters.
 */
#include "daedal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_UNKNOWNS = 64, MAX_EVENTS_HANDLED = 20000, DEFAULT_POINTS = 20 };

typedef struct problem {
    const char *name;
    daedal_system system;
    double y0[12];                         /* start values, or ... */
    void (*prepare)(double *y0);           /* ... set here, with whatever else is needed */
    const double *yp0;                     /* NULL: none */
    int32_t y_mask[12];                    /* DAEDAL_FREE ...; all zero: an ordinary start */
    double t_end;                          /* from 0 */
    int points;                            /* calls of advance; 0: DEFAULT_POINTS */
    const char *options;                   /* "rtol=1e-8 method=bdf", or NULL */
    void (*at_event)(double t, double *y); /* changes y before the restart */
} problem;

#define UNUSED __attribute__((unused))
#define NAMES(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define RESIDUAL(name)                                                                             \
    static int name(UNUSED double t, UNUSED const double *y, UNUSED const double *yp, double *r,   \
                    UNUSED void *user)
#define JACOBIAN(name)                                                                             \
    static int name(UNUSED double t, UNUSED const double *y, UNUSED const double *yp,              \
                    UNUSED double c, double *values, UNUSED void *user)
#define RHS(name) static int name(UNUSED double t, const double *y, double *f, UNUSED void *user)
#define MASS(name)                                                                                 \
    static int name(UNUSED double t, UNUSED const double *y, double *values, UNUSED void *user)
#define RHS_JACOBIAN(name)                                                                         \
    static int name(UNUSED double t, UNUSED const double *y, double *values, UNUSED void *user)
#define EVENTS(name)                                                                               \
    static int name(UNUSED double t, const double *y, UNUSED const double *yp, double *g,          \
                    UNUSED void *user)
#define CONSTRAINTS(name)                                                                          \
    static int name(UNUSED double t, const double *y, double *g, UNUSED void *user)
#define CONSTRAINT_JACOBIAN(name)                                                                  \
    static int name(UNUSED double t, const double *y, double *values, UNUSED void *user)
#define AT_EVENT(name) static void name(UNUSED double t, UNUSED double *y)
#define PREPARE(name) static void name(double *y0)

#include "open/fifth_functions.h"
#include "open/fourth_functions.h"
#include "open/open_functions.h"
#include "open/sixth_functions.h"
#include "open/spent_functions.h"
#include "open/third_functions.h"
#include "sealed/sealed_functions.h"

#define TABLE(problems)                                                                            \
    {                                                                                              \
        problems, sizeof problems / sizeof *problems                                               \
    }

static const struct {
    const problem *problems;
    size_t count;
} tables[] = {TABLE(open_problems),   TABLE(spent_problems), TABLE(third_problems),
              TABLE(fourth_problems), TABLE(fifth_problems), TABLE(sixth_problems),
              TABLE(sealed_problems)};

enum { TABLES = sizeof tables / sizeof *tables };

static const problem *find(const char *name)
{
    for (size_t k = 0; k < TABLES; k++)
        for (size_t i = 0; i < tables[k].count; i++)
            if (strcmp(tables[k].problems[i].name, name) == 0)
                return &tables[k].problems[i];
    return NULL;
}

static void list_names(void)
{
    for (size_t k = 0; k < TABLES; k++)
        for (size_t i = 0; i < tables[k].count; i++)
            puts(tables[k].problems[i].name);
}

static void print_text(const char *key, const char *text)
{
    printf("\"%s\": ", key);
    if (!text) {
        printf("null, ");
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        if ((unsigned char)*text < ' ')
            printf("\\u%04x", (unsigned)*text);
        else
            putchar(*text);
    }
    printf("\", ");
}

static void print_number(double x)
{
    if (isfinite(x))
        printf("%.17g", x);
    else
        printf("null");
}

/* The name of variable or equation i, "y[i]" or "equation i" without names, NULL if i < 0. */
static const char *name_of(const char *const *names, const char *format, int32_t i, char *buffer)
{
    if (i < 0)
        return NULL;
    if (names)
        return names[i];
    snprintf(buffer, 32, format, (int)i);
    return buffer;
}

static void print_diagnosis(const daedal_system *system, const daedal_diagnosis *why)
{
    char buffer[32];
#ifdef CAUSE_OF
    print_text("cause", CAUSE_OF(why));
#else
    print_text("cause", NULL);
#endif
    print_text("message", why->message);
    print_text("hint", why->hint);
    print_text("variable", name_of(system->variable_names, "y[%d]", why->variable, buffer));
    print_text("equation", name_of(system->equation_names, "equation %d", why->equation, buffer));
    printf("\"failed_at\": ");
    print_number(why->t);
    printf(", ");
}

static void print_values(const daedal_system *system, const daedal_solver *solver)
{
    char buffer[32];
    const daedal_state *state = daedal_solver_state(solver);
    printf("\"values\": {\"events\": %lld", (long long)daedal_solver_stats(solver)->events);
    for (int32_t i = 0; state && state->y && i < system->n; i++) {
        printf(", \"%s\": ", name_of(system->variable_names, "y[%d]", i, buffer));
        print_number(state->y[i]);
    }
    printf("}, \"t\": ");
    print_number(state ? state->t : NAN);
    puts("}");
}

static int set_options(daedal_options *options, const char *text)
{
    char copy[256];
    daedal_options_defaults(options);
    snprintf(copy, sizeof copy, "%s", text ? text : "");
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        if (!value)
            return 0;
        *value++ = 0;
        if (daedal_options_set(options, word, value) != DAEDAL_OK)
            return 0;
    }
    return 1;
}

static daedal_status start(daedal_solver *solver, const problem *p, const double *y0)
{
    int is_masked = 0;
    for (int i = 0; i < 12; i++)
        is_masked |= p->y_mask[i] != 0;
    if (!is_masked)
        return daedal_solver_start(solver, 0, y0, p->yp0);
    static const int32_t free_yp[12] = {0};
    static const double no_yp[12] = {0};
    return daedal_solver_start_masked(solver, 0, y0, p->yp0 ? p->yp0 : no_yp,
                                      (daedal_ints){p->y_mask, p->system.n},
                                      (daedal_ints){free_yp, p->system.n});
}

/* Advance to t, handling events on the way; after MAX_EVENTS_HANDLED of them give up. */
static daedal_status advance(daedal_solver *solver, const problem *p, double t, int *handled)
{
    double y[MAX_UNKNOWNS];
    daedal_status status = daedal_solver_advance(solver, t);
    while (status == DAEDAL_EVENT && ++*handled <= MAX_EVENTS_HANDLED) {
        const daedal_state *state = daedal_solver_state(solver);
        memcpy(y, state->y, (size_t)p->system.n * sizeof *y);
        if (p->at_event) {
            p->at_event(state->t, y);
            status = daedal_solver_restart(solver, y, NULL);
        }
        if (status >= 0)
            status = daedal_solver_advance(solver, t);
    }
    return status;
}

static daedal_status run(daedal_solver *solver, const problem *p, const double *y0)
{
    int points = p->points ? p->points : DEFAULT_POINTS, handled = 0;
    daedal_status status = start(solver, p, y0);
    for (int i = 1; i <= points && status >= 0 && status != DAEDAL_EVENT; i++)
        status = advance(solver, p, i == points ? p->t_end : p->t_end * i / points, &handled);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        list_names();
        return 0;
    }
    const problem *p = find(argv[1]);
    daedal_options options;
    if (!p || !set_options(&options, p->options)) {
        fprintf(stderr, "functions: no problem '%s', or its options are wrong\n", argv[1]);
        return 2;
    }
    double y0[MAX_UNKNOWNS] = {0};
    memcpy(y0, p->y0, sizeof p->y0);
    if (p->prepare)
        p->prepare(y0);
    daedal_solver *solver = NULL;
    daedal_diagnosis why = {0};
    daedal_status status = daedal_solver_create(&solver, &p->system, &options, &why);
    if (solver)
        status = run(solver, p, y0);
    putchar('{');
    print_text("status", daedal_status_name(status));
    print_diagnosis(&p->system, solver ? daedal_solver_diagnosis(solver) : &why);
    if (solver)
        print_values(&p->system, solver);
    else
        puts("\"values\": {}, \"t\": null}");
    daedal_solver_free(solver);
    return status < 0;
}
