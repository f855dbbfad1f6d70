/* cli/arguments.c - see arguments.h. */
#include "arguments.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "final_texts.h"
#include "messages.h"
#include "verbs.h"

static flag_take_fn take_times, take_parameter, take_varied, take_start, take_input, take_plot;
static flag_take_fn take_varied_parameter, take_varied_start;
static flag_take_fn take_path;
static flag_take_fn take_unknown, take_unknown_start, take_data, take_deviation;
static flag_take_fn take_final, take_continuation;
static bool missing_value(const char *name, const char *kind);

#define FIELD(name) offsetof(arguments, name)
/* The flags by topic, in the order in which `daedal help VERB` lists those of a verb. */

static const flag run_table[] = {
    {"-t", "STOP", FOR_RUNS | FOR_SWEEP, FLAG_NUMBER, FIELD(t_stop), NULL,
     "end of the run (experiment)"},
    {"-t", "T", FOR_LINEARIZE, FLAG_NUMBER, FIELD(t_stop), NULL,
     "solve to T and linearise there (at the start)"},
    {"-t", "T", FOR_STEADY, FLAG_NUMBER, FIELD(t_stop), NULL,
     "integrate so far where Newton's iteration fails (experiment, or 1)"},
    {"--in", "U1,U2", FOR_LINEARIZE, FLAG_TEXT, FIELD(linearize.in), NULL,
     "inputs: those of the model, or parameters (all inputs)"},
    {"--out", "Y1,Y2", FOR_LINEARIZE, FLAG_TEXT, FIELD(linearize.out), NULL,
     "outputs: any variables (those declared with output)"},
    {"-o", "FILE.json", FOR_POINTS, FLAG_TEXT, FIELD(output), NULL,
     "write everything as one JSON object"},
    {"--plot", "=FILE.svg", FOR_POINTS, FLAG_OTHER, 0, take_plot,
     "draw the eigenvalues in the terminal, or write a picture"},
    {"--start", "T", FOR_STARTS | FOR_FIT | FOR_SWEEP, FLAG_NUMBER, FIELD(t_start), NULL,
     "beginning of the run (experiment, or 0)"},
    {"-n", "N", FOR_RUNS, FLAG_NUMBER, FIELD(intervals), NULL,
     "output intervals: N + 1 points (experiment, or 500)"},
    {"-n", "N", FOR_SWEEP, FLAG_NUMBER, FIELD(intervals), NULL,
     "output intervals: N + 1 points (the stop time alone; for quantiles 100 intervals)"},
    {"--at", "T1,T2,...", FOR_RUNS | FOR_RESULT | FOR_SWEEP, FLAG_OTHER, 0, take_times,
     "output at these times only"},
    {"--steps", NULL, FOR_RUNS, FLAG_SWITCH, FIELD(every_step), NULL,
     "output at every step of the integrator"},
    {"--rtol", "R", FOR_STARTS | FOR_FIT | FOR_SWEEP, FLAG_OPTION, 0, NULL,
     "relative tolerance (experiment, or 1e-6)"},
    {"--atol", "A", FOR_STARTS | FOR_FIT | FOR_SWEEP, FLAG_OPTION, 0, NULL,
     "absolute tolerance (rtol * nominal * 1e-3)"},
    {"--method", "M", FOR_RUNS | FOR_POINTS | FOR_FIT | FOR_SWEEP, FLAG_OPTION, 0, NULL,
     "integration method"},
};

static const flag parameter_table[] = {
    {"-p", "NAME=VALUE", FOR_READING ^ FOR_SENS, FLAG_OTHER, 0, take_parameter,
     "set a parameter; may be repeated"},
    {"-p", "A,B|NAME=VALUE", FOR_SENS, FLAG_OTHER, 0, take_varied,
     "differentiate by these parameters (all that can be), or set one; may be repeated"},
    {"--of", "A,B|@FILE", FOR_SENS, FLAG_TEXT, FIELD(sens.of), NULL,
     "differentiate these variables, as --vars of solve names them (states and outputs)"},
    {"-y", "NAME=VALUE", FOR_MODELS | FOR_DESCRIBE, FLAG_OTHER, 0, take_start,
     "fix a start value; may be repeated"},
    {"-p", "A,B=LOW:HIGH", FOR_FIT, FLAG_OTHER, 0, take_unknown,
     "search for these parameters, between bounds if given; NAME=VALUE sets one; may be repeated"},
    {"-y", "A,B=LOW:HIGH", FOR_FIT, FLAG_OTHER, 0, take_unknown_start,
     "search for these start values; NAME=VALUE fixes one; may be repeated"},
    {"-p", "NAME=VALUES", FOR_SWEEP, FLAG_OTHER, 0, take_varied_parameter,
     "set or vary a parameter; may be repeated"},
    {"-y", "NAME=VALUES", FOR_SWEEP, FLAG_OTHER, 0, take_varied_start,
     "fix or vary a start value; may be repeated"},
};

static const flag final_table[] = {
    {"--final", "EQUATION", FOR_SOLVE | FOR_PLOT, FLAG_OTHER, 0, take_final,
     "value at the stop time, for which a start value that is not fixed is found; may be repeated"},
    {"--final-method", "M", FOR_SOLVE | FOR_PLOT, FLAG_TEXT, FIELD(finals.method), NULL,
     "how --final is solved: auto|collocation|shooting"},
    {"--continue", "NAME=VALUE", FOR_SOLVE | FOR_PLOT, FLAG_OTHER, 0, take_continuation,
     "if --final is hard: begin with this value of a parameter and approach the one it has"},
};

static const flag sweep_table[] = {
    {"--grid", NULL, FOR_SWEEP, FLAG_SWITCH, FIELD(sweep.grid), NULL,
     "run all combinations of the values (without --samples and --table)"},
    {"--samples", "N", FOR_SWEEP, FLAG_NUMBER, FIELD(sweep.samples), NULL,
     "run N samples instead of all combinations"},
    {"--sampling", "S", FOR_SWEEP, FLAG_TEXT, FIELD(sweep.sampling), NULL,
     "how samples are drawn: random|latin|sobol (random)"},
    {"--seed", "S", FOR_SWEEP, FLAG_NUMBER, FIELD(sweep.seed), NULL,
     "whole number that the samples depend on (1)"},
    {"--table", "FILE.csv", FOR_SWEEP, FLAG_TEXT, FIELD(sweep.table), NULL,
     "run each row of a table; its first line names parameters or start values"},
    {"-j", "N", FOR_SWEEP, FLAG_NUMBER, FIELD(sweep.threads), NULL,
     "number of threads (1); the results do not depend on it"},
    {"--one-by-one", NULL, FOR_SWEEP, FLAG_SWITCH, FIELD(sweep.one_by_one), NULL,
     "exactly the runs of `daedal solve`, not several at a time, as for small models"},
    {"--keep", "A,B|@FILE", FOR_SWEEP, FLAG_TEXT, FIELD(vars), NULL,
     "only these variables: x, c (all of an array), c[1:3], der(x), a*, ?; @FILE names one "
     "per line"},
    {"--resume", NULL, FOR_SWEEP, FLAG_SWITCH, FIELD(sweep.resume), NULL,
     "go on with the file of -o, which the same sweep has begun"},
    {"--share", NULL, FOR_SWEEP, FLAG_SWITCH, FIELD(sweep.share), NULL,
     "share the runs with other processes that write the same file of -o; so do those of mpirun"},
    {"--part", "K/N", FOR_SWEEP, FLAG_TEXT, FIELD(sweep.part), NULL,
     "the same, and carry out only the K-th of N parts of the runs"},
    {"--quantiles", "P,Q,...", FOR_SWEEP, FLAG_TEXT, FIELD(sweep.quantiles), NULL,
     "add these quantiles of the runs, in percent, at each output point"},
};

static const flag fit_table[] = {
    {"--data", "FILE", FOR_FIT, FLAG_OTHER, 0, take_data,
     "measured data: .csv, .npz, .mat or .json; may be repeated"},
    {"--sigma", "NAME=VALUE", FOR_FIT, FLAG_OTHER, 0, take_deviation,
     "standard deviation of the errors of a measured variable (estimated); may be repeated"},
    {"--starts", "N", FOR_FIT, FLAG_NUMBER, FIELD(fit.starts), NULL,
     "search N times, from other values each (1)"},
    {"--seed", "S", FOR_FIT, FLAG_NUMBER, FIELD(fit.seed), NULL,
     "whole number that these values depend on (1)"},
    {"--confidence", "P", FOR_FIT, FLAG_NUMBER, FIELD(fit.confidence), NULL,
     "probability of the intervals (0.95)"},
};

static const flag model_table[] = {
    {"--input", "NAME=FILE|EXPR", FOR_STARTS | FOR_SWEEP, FLAG_OTHER, 0, take_input,
     "feed an input from a file or by an expression; may be repeated"},
    {"--vars", "A,B|@FILE", (FOR_STARTS ^ FOR_SENS ^ FOR_LINEARIZE) | FOR_RESULT, FLAG_TEXT,
     FIELD(vars), NULL,
     "only these variables: x, c (all of an array), c[1:3], der(x), a*, ?; @FILE names one "
     "per line"},
    {"--reduction", "R", FOR_MODELS | FOR_FIT | FOR_SWEEP, FLAG_TEXT, FIELD(constraints.reduction),
     NULL, "constraints: auto|project|dummy|ggl|baumgarte|differentiate"},
    {"--levels", "L", FOR_MODELS | FOR_FIT | FOR_SWEEP, FLAG_TEXT, FIELD(constraints.levels), NULL,
     "constraints to project on: all|position|velocity"},
    {"--baumgarte", "RATE", FOR_MODELS | FOR_FIT | FOR_SWEEP, FLAG_NUMBER,
     FIELD(constraints.baumgarte), NULL, "decay rate of --reduction baumgarte (100 / span)"},
    {"--model", "NAME", FOR_READING | FOR_FIT | FOR_SWEEP, FLAG_TEXT, FIELD(model_name), NULL,
     "which model of the file (the last one)"},
    {"--path", "DIR", FOR_READING | FOR_FIT | FOR_SWEEP | FOR_BROWSE, FLAG_OTHER, 0, take_path,
     "directory with Modelica libraries, before those of MODELICAPATH; may be repeated"},
    {"--allow-external", NULL, FOR_READING | FOR_FIT | FOR_SWEEP, FLAG_SWITCH,
     FIELD(outside.allow_external), NULL,
     "load and call functions external \"C\" of shared objects"},
    {"--all", NULL, FOR_DESCRIBE, FLAG_SWITCH, FIELD(listing.all), NULL,
     "list all variables and constants too"},
    {"--all", NULL, FOR_BROWSE, FLAG_SWITCH, FIELD(listing.all), NULL,
     "list the classes of packages inside the package too"},
    {"--c", NULL, FOR_EXPORT, FLAG_SWITCH, FIELD(export_c), NULL,
     "write C functions: residual and Jacobian"},
};

static const flag output_table[] = {
    {"-o", "FILE", FOR_SENS, FLAG_TEXT, FIELD(output), NULL,
     "write variables and derivatives over time: .csv, .npz, .mat or .json"},
    {"-o", "FILE", FOR_SOLVE | FOR_INIT, FLAG_TEXT, FIELD(output), NULL,
     "write the result: .csv, .npz, .mat or .json"},
    {"-o", "FILE", FOR_PLOT | FOR_RESULT, FLAG_TEXT, FIELD(output), NULL,
     "write a picture (.svg) or a page (.html); for a model also its result (.csv, .npz, .mat, "
     ".json)"},
    {"-o", "FILE", FOR_FIT, FLAG_TEXT, FIELD(output), NULL,
     "write model, measured values and residuals: .csv, .npz, .mat or .json"},
    {"-o", "FILE", FOR_SWEEP, FLAG_TEXT, FIELD(output), NULL,
     "write the results of all runs: .npz or .csv"},
    {"-o", "FILE", FOR_EXPORT | FOR_FLATTEN, FLAG_TEXT, FIELD(output), NULL,
     "write to this file, not to stdout"},
    {"--plot", "=FILE", FOR_SWEEP, FLAG_OTHER, 0, take_plot,
     "draw quantiles over time (5, 50 and 95 %), in the terminal or into a file (.svg, .html)"},
    {"--plot", "=FILE", FOR_RUNS | FOR_FIT | FOR_RESULT, FLAG_OTHER, 0, take_plot,
     "draw in the terminal, or write a picture (.svg) or a page (.html)"},
    {"--plot", "=FILE.html", FOR_ANALYZE, FLAG_OTHER, 0, take_plot,
     "draw in the terminal, or write a page"},
    {"--components", "DEPTH", FOR_ANALYZE, FLAG_NUMBER, FIELD(listing.components), NULL,
     "list equations, unknowns, states and index by component, to this depth (0: all)"},
    {"--log", "AXES", FOR_RUNS | FOR_FIT | FOR_RESULT | FOR_SWEEP, FLAG_TEXT, FIELD(log_axes), NULL,
     "plot with logarithmic axes: x, y or xy"},
    {"--x", "NAME", FOR_SWEEP, FLAG_TEXT, FIELD(x_name), NULL,
     "plot the last values of the runs, as points over this parameter"},
    {"--x", "NAME", FOR_SOLVE | FOR_PLOT | FOR_RESULT, FLAG_TEXT, FIELD(x_name), NULL,
     "plot against this variable, not against time"},
    {"--profile", "ARRAY", FOR_SOLVE | FOR_PLOT | FOR_RESULT, FLAG_TEXT, FIELD(profile), NULL,
     "plot the elements over their subscripts, at 6 times or those of --at"},
    {"--map", "ARRAY", FOR_SOLVE | FOR_PLOT | FOR_RESULT, FLAG_TEXT, FIELD(map), NULL,
     "plot time, subscripts and values as colours"},
};

static const flag report_table[] = {
    {"--verify", NULL, FOR_SOLVE, FLAG_SWITCH, FIELD(verify), NULL,
     "solve again with another method and 0.01 rtol, and compare"},
    {"--conserved", "NAMES", FOR_SOLVE, FLAG_TEXT, FIELD(constraints.conserved), NULL,
     "tell how far these variables, which should keep their values, drift: energy,momentum"},
    {"--stats", NULL, FOR_STARTS, FLAG_SWITCH, FIELD(stats), NULL,
     "print the work statistics on stderr"},
    {"--progress", NULL, FOR_RUNS | FOR_FIT | FOR_SWEEP, FLAG_SWITCH, FIELD(progress), NULL,
     "show progress even if stderr is not a terminal"},
    {"--timeout", "S", FOR_MODELS | FOR_FIT | FOR_SWEEP, FLAG_NUMBER, FIELD(timeout), NULL,
     "stop after S seconds and keep what was computed"},
    {"--json", NULL,
     FOR_POINTS | FOR_SOLVE | FOR_SENS | FOR_FIT | FOR_SWEEP | FOR_ANALYZE | FOR_INIT |
         FOR_DESCRIBE | FOR_CHECK | FOR_BROWSE,
     FLAG_SWITCH, FIELD(json), NULL, "write one JSON object with all results to stdout"},
    {"--quiet", NULL, FOR_MODELS | FOR_FIT | FOR_SWEEP | FOR_RESULT | FOR_DESCRIBE | FOR_LOOKING,
     FLAG_SWITCH, FIELD(quiet), NULL, "write no rows, notes or warnings"},
    {"--help", NULL, FOR_ALL, FLAG_SWITCH, FIELD(help), NULL, "this text"},
    {"-h", NULL, FOR_ALL, FLAG_SWITCH, FIELD(help), NULL, NULL},
};

#define TABLE(rows)                                                                                \
    {                                                                                              \
        rows, sizeof rows / sizeof *rows                                                           \
    }
static const struct {
    const flag *rows;
    size_t n;
} tables[] = {TABLE(run_table), TABLE(parameter_table), TABLE(final_table),  TABLE(sweep_table),
              TABLE(fit_table), TABLE(model_table),     TABLE(output_table), TABLE(report_table)};
enum { N_TABLES = sizeof tables / sizeof *tables };

const flag *flag_at(int i)
{
    size_t k = (size_t)i, table = 0;
    while (table < N_TABLES && k >= tables[table].n)
        k -= tables[table++].n;
    return table < N_TABLES ? &tables[table].rows[k] : NULL;
}

/* ---- values ---- */

static bool take_number(double *x, const flag *f, const char *value)
{
    if (number_read(value, x))
        return true;
    print_error("%s needs a number, not '%s'", f->name, value);
    return false;
}

static bool take_times(arguments *a, const flag *f, const char *value)
{
    for (const char *at = value;; at++) {
        size_t n = strcspn(at, ",");
        char *piece = must_copy(at, n);
        double t;
        bool good = take_number(&t, f, piece);
        free(piece);
        if (!good)
            return false;
        a->times = must_resize(a->times, (size_t)a->n_times + 1, sizeof *a->times);
        a->times[a->n_times++] = t;
        at += n;
        if (!*at)
            return true;
    }
}

static bool take_setting(settings *s, const flag *f, const char *text)
{
    const char *equals = strrchr(text, '=');
    double value;
    if (!equals || equals == text) {
        print_error("%s needs NAME=VALUE, not '%s'", f->name, text);
        return false;
    }
    if (!number_read(equals + 1, &value)) {
        print_error("%s %s: '%s' is not a number", f->name, text, equals + 1);
        return false;
    }
    s->at = must_resize(s->at, (size_t)s->n + 1, sizeof *s->at);
    s->at[s->n++] = (daedal_setting){must_copy(text, (size_t)(equals - text)), value};
    return true;
}

bool arguments_name_start(const char *text)
{
    size_t n = strlen(text);
    return n > strlen("start()") && strncmp(text, "start(", 6) == 0 && text[n - 1] == ')';
}

/* start(x)=2 as -y x=2; any other as -p. */
static bool take_setting_or_start(arguments *a, const flag *f, const char *text)
{
    if (!take_setting(&a->parameters, f, text))
        return false;
    daedal_setting last = a->parameters.at[a->parameters.n - 1];
    if (!arguments_name_start(last.name))
        return true;
    a->parameters.n--;
    char *name = must_copy(last.name + 6, strlen(last.name) - strlen("start()"));
    free((char *)(uintptr_t)last.name);
    a->starts.at = must_resize(a->starts.at, (size_t)a->starts.n + 1, sizeof *a->starts.at);
    a->starts.at[a->starts.n++] = (daedal_setting){name, last.value};
    return true;
}

static bool take_parameter(arguments *a, const flag *f, const char *value)
{
    return take_setting_or_start(a, f, value);
}

/* k1,k2=3: k1 is varied, k2 is set. */
static bool take_varied(arguments *a, const flag *f, const char *value)
{
    name_list pieces;
    bool fine = names_read(&pieces, value);
    for (size_t k = 0; k < pieces.n && fine; k++)
        if (strchr(pieces.at[k], '='))
            fine = take_setting_or_start(a, f, pieces.at[k]);
        else
            name_list_add(&a->sens.varied, pieces.at[k], strlen(pieces.at[k]));
    names_free(&pieces);
    return fine;
}

static bool take_start(arguments *a, const flag *f, const char *value)
{
    return take_setting(&a->starts, f, value);
}

/* k1,k2=0.1:10,k3=5: k1 and k2 are searched for, k3 is set. */
static bool take_unknowns(arguments *a, settings *fixed, const flag *f, const char *value)
{
    name_list pieces;
    bool fine = names_read(&pieces, value);
    for (size_t k = 0; k < pieces.n && fine; k++)
        fine = fitted_name_read(&a->fit, pieces.at[k]) ||
               (fixed == &a->parameters ? take_setting_or_start(a, f, pieces.at[k])
                                        : take_setting(fixed, f, pieces.at[k]));
    names_free(&pieces);
    return fine;
}

static bool take_unknown(arguments *a, const flag *f, const char *value)
{
    return take_unknowns(a, &a->parameters, f, value);
}

static bool take_unknown_start(arguments *a, const flag *f, const char *value)
{
    return take_unknowns(a, &a->starts, f, value);
}

static bool take_data(arguments *a, const flag *f, const char *value)
{
    (void)f;
    fit_flags *fit = &a->fit;
    fit->files = must_resize(fit->files, (size_t)fit->n_files + 1, sizeof *fit->files);
    fit->files[fit->n_files++] = value;
    return true;
}

static bool take_deviation(arguments *a, const flag *f, const char *value)
{
    settings all = {a->fit.deviations, a->fit.n_deviations};
    bool fine = take_setting(&all, f, value);
    a->fit.deviations = all.at;
    a->fit.n_deviations = all.n;
    return fine;
}

/* A number sets it, anything else varies it. */
static bool set_or_vary(arguments *a, settings *fixed, const flag *f, const char *value)
{
    const char *equals = strrchr(value, '=');
    double number;
    if (equals && equals > value && number_read(equals + 1, &number))
        return take_setting(fixed, f, value);
    return varied_add(&a->sweep.varied, f->name, value);
}

static bool take_varied_parameter(arguments *a, const flag *f, const char *value)
{
    return set_or_vary(a, &a->parameters, f, value);
}

static bool take_varied_start(arguments *a, const flag *f, const char *value)
{
    return set_or_vary(a, &a->starts, f, value);
}

static bool take_input(arguments *a, const flag *f, const char *value)
{
    (void)f;
    input_requests *all = &a->inputs;
    all->at = must_resize(all->at, (size_t)all->n + 1, sizeof *all->at);
    return input_request_read(&all->at[all->n++], value);
}

static bool take_final(arguments *a, const flag *f, const char *value)
{
    final_arguments *all = &a->finals;
    (void)f;
    if (!final_is_equation(value))
        return false;
    all->texts = must_resize(all->texts, (size_t)all->n + 1, sizeof *all->texts);
    all->texts[all->n++] = value;
    return true;
}

static bool take_continuation(arguments *a, const flag *f, const char *value)
{
    if (a->finals.from.n > 0) {
        print_error("%s can be given once", f->name);
        return false;
    }
    return take_setting(&a->finals.from, f, value);
}

static bool take_path(arguments *a, const flag *f, const char *value)
{
    (void)f;
    size_t old = a->outside.libraries ? strlen(a->outside.libraries) + 1 : 0, n = strlen(value);
    char *all = must_resize(NULL, old + n + 1, 1);
    snprintf(all, old + n + 1, "%s%s%s", old ? a->outside.libraries : "", old ? ":" : "", value);
    free(a->outside.libraries);
    a->outside.libraries = all;
    return true;
}

static bool take_plot(arguments *a, const flag *f, const char *value)
{
    a->plot = true;
    a->plot_file = value;
    return !value || *value || missing_value(f->name, "=FILE.html");
}

/* ---- options of the library ---- */

/* The option that a flag names, with - or _ between its words; NULL if there is none. */
static const daedal_option_info *find_option(const char *name)
{
    for (int32_t i = 0; i < daedal_option_count(); i++) {
        const daedal_option_info *option = daedal_option_describe(i);
        size_t k = 0;
        while (option->name[k] &&
               (name[k] == option->name[k] || (name[k] == '-' && option->name[k] == '_')))
            k++;
        if (!option->name[k] && !name[k])
            return option;
    }
    return NULL;
}

static bool refuse_option(const daedal_option_info *option, const char *value)
{
    if (option->choices[0])
        print_error("--%s must be one of %s, not '%s'", option->name, option->choices, value);
    else
        print_error("--%s needs a number from %g to %g, not '%s'", option->name, option->low,
                    option->high, value);
    return false;
}

static bool take_option(arguments *a, const char *name, const char *value)
{
    const daedal_option_info *option = find_option(name);
    if (daedal_options_set(&a->options, option->name, value) < 0)
        return refuse_option(option, value);
    a->run_flag = a->run_flag ? a->run_flag : option->name;
    a->rtol_given |= strcmp(option->name, "rtol") == 0;
    a->atol_given |= strcmp(option->name, "atol") == 0;
    return true;
}

/* ---- finding flags ---- */

/* The part of the command line that has not been read yet. */
typedef struct reader {
    arguments *into;
    unsigned verb;
    int count, next;
    char *const *words;
} reader;

/* The flag of this name; if several verbs have one, that of the given verb. */
static const flag *find_flag(const char *name, size_t n, unsigned verb_bit)
{
    const flag *found = NULL, *f;
    for (int i = 0; (f = flag_at(i)) && !(found && found->verbs & verb_bit); i++)
        if (strlen(f->name) == n && strncmp(f->name, name, n) == 0)
            found = f;
    return found;
}

/* The name of the k-th flag that a verb takes, for suggestions; NULL past the end. */
static const char *name_of_flag(const void *verb_bit, size_t k)
{
    const flag *f;
    for (int i = 0; (f = flag_at(i)); i++)
        if (f->verbs & *(const unsigned *)verb_bit && k-- == 0)
            return f->name;
    return NULL;
}

/* For a single letter the first long flag that begins with it, else the most similar flag. */
static const char *nearest_flag(const char *name, unsigned verb_bit)
{
    size_t n = 0;
    const char *own;
    for (; (own = name_of_flag(&verb_bit, n)); n++)
        if (strlen(name) <= 2 && strncmp(own, "--", 2) == 0 && own[2] == name[1])
            return own;
    return strlen(name) > 2 ? suggest(name, name_of_flag, &verb_bit, n) : NULL;
}

static bool unknown_flag(const reader *r, const char *name)
{
    const char *nearest = nearest_flag(name, r->verb);
    if (nearest)
        print_error("unknown flag %s; did you mean %s?", name, nearest);
    else
        print_error("unknown flag %s; `daedal help %s` lists the flags", name, verb_name(r->verb));
    return false;
}

static bool wrong_verb(const reader *r, const flag *f)
{
    print_error("`daedal %s` does not take %s; `daedal help %s` lists its flags",
                verb_name(r->verb), f->name, verb_name(r->verb));
    return false;
}

static bool missing_value(const char *name, const char *kind)
{
    print_error("%s needs a value: %s%s%s", name, name, kind[0] == '=' ? "" : " ", kind);
    return false;
}

/* The value of a flag: attached, or the next word.  NULL, with a message, if there is none. */
static const char *value_of(reader *r, const char *name, const char *attached, const char *kind)
{
    if (attached)
        return attached;
    if (r->next < r->count)
        return r->words[r->next++];
    missing_value(name, kind);
    return NULL;
}

static bool apply(reader *r, const flag *f, const char *value)
{
    char *field = (char *)r->into + f->place;
    switch (f->kind) {
    case FLAG_SWITCH:
        *(bool *)field = true;
        return true;
    case FLAG_NUMBER:
        return take_number((double *)(void *)field, f, value);
    case FLAG_TEXT:
        *(const char **)(void *)field = value;
        return *value || missing_value(f->name, f->value);
    case FLAG_OPTION:
        return take_option(r->into, f->name + 2, value);
    case FLAG_OTHER:
        break;
    }
    return f->take(r->into, f, value);
}

static bool read_flag(reader *r, const flag *f, const char *attached)
{
    if (!(f->verbs & r->verb))
        return wrong_verb(r, f);
    if (!(f->verbs & FOR_RESULT))
        r->into->run_flag = f->name;
    if (!f->value) {
        if (!attached)
            return apply(r, f, "");
        print_error("%s takes no value", f->name);
        return false;
    }
    const char *value = f->value[0] == '=' ? attached : value_of(r, f->name, attached, f->value);
    return (value || f->value[0] == '=') && apply(r, f, value);
}

/* --name, --name=value */
static bool read_long(reader *r, const char *word)
{
    size_t n = strcspn(word, "=");
    const char *attached = word[n] ? word + n + 1 : NULL;
    const flag *f = find_flag(word, n, r->verb);
    if (f)
        return read_flag(r, f, attached);
    char *name = must_copy(word, n);
    bool good = false;
    if (!find_option(name + 2) || !(r->verb & (FOR_STARTS | FOR_FIT | FOR_SWEEP)))
        unknown_flag(r, name);
    else if ((attached = value_of(r, name, attached, "VALUE")))
        good = take_option(r->into, name + 2, attached);
    free(name);
    return good;
}

/* -t 5, -t5, -t=5 */
static bool read_short(reader *r, const char *word)
{
    const flag *f = find_flag(word, 2, r->verb);
    if (!f || (word[2] && !f->value))
        return unknown_flag(r, word);
    const char *attached = word[2] == '=' ? word + 3 : word + 2;
    return read_flag(r, f, *attached ? attached : NULL);
}

static void add_word(arguments *a, const char *word)
{
    a->words = must_resize(a->words, (size_t)a->n_words + 1, sizeof *a->words);
    a->words[a->n_words++] = word;
}

static bool read_all(reader *r)
{
    bool flags_end = false;
    while (r->next < r->count) {
        const char *word = r->words[r->next++];
        if (flags_end || word[0] != '-' || !word[1])
            add_word(r->into, word);
        else if (strcmp(word, "--") == 0)
            flags_end = true;
        else if (!(word[1] == '-' ? read_long(r, word) : read_short(r, word)))
            return false;
    }
    return true;
}

static int place_of(const char *name, const char *const *names, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (strcmp(name, names[k]) == 0)
            return (int)k;
    return -1;
}

int reduction_of(const char *name)
{
    static const char *const names[] = {
        [DAEDAL_REDUCE_AUTO] = "auto",           [DAEDAL_REDUCE_PROJECT] = "project",
        [DAEDAL_REDUCE_DUMMY] = "dummy",         [DAEDAL_REDUCE_GGL] = "ggl",
        [DAEDAL_REDUCE_BAUMGARTE] = "baumgarte", [DAEDAL_REDUCE_DIFFERENTIATE] = "differentiate"};
    return place_of(name, names, sizeof names / sizeof *names);
}

int final_method_of(const char *name)
{
    static const char *const names[] = {[DAEDAL_BVP_AUTO] = "auto",
                                        [DAEDAL_BVP_COLLOCATION] = "collocation",
                                        [DAEDAL_BVP_SHOOTING] = "shooting"};
    return place_of(name, names, sizeof names / sizeof *names);
}

int levels_of(const char *name)
{
    static const char *const names[] = {[DAEDAL_LEVELS_ALL] = "all",
                                        [DAEDAL_LEVELS_POSITION] = "position",
                                        [DAEDAL_LEVELS_VELOCITY] = "velocity"};
    return place_of(name, names, sizeof names / sizeof *names);
}

/* ---- checks that involve several flags or a range ---- */

enum { COMPONENTS_DEEPEST = 1000 }; /* nesting of components is limited to a tenth of it */

static bool check_values(const arguments *a, bool plots)
{
    if (!isnan(a->intervals) + (a->n_times > 0) + a->every_step > 1)
        print_error("-n, --at and --steps exclude each other");
    else if (!isnan(a->intervals) &&
             !(a->intervals >= 1 && a->intervals <= 1e8 && a->intervals == floor(a->intervals)))
        print_error("-n needs a whole number from 1 to 1e8, not %g", a->intervals);
    else if (!isnan(a->listing.components) &&
             !(a->listing.components >= 0 && a->listing.components <= COMPONENTS_DEEPEST))
        print_error("--components needs a depth from 0, which shows all, to %d",
                    COMPONENTS_DEEPEST);
    else if (!isnan(a->timeout) && !(a->timeout > 0))
        print_error("--timeout needs a positive number of seconds");
    else if (a->log_axes && strcmp(a->log_axes, "x") && strcmp(a->log_axes, "y") &&
             strcmp(a->log_axes, "xy"))
        print_error("--log must be x, y or xy, not '%s'", a->log_axes);
    else if (!!a->x_name + !!a->profile + !!a->map > 1)
        print_error("--x, --profile and --map exclude each other");
    else if (!plots && (a->log_axes || a->x_name || a->profile || a->map))
        print_error("--log, --x, --profile and --map need --plot");
    else if (a->json && a->plot && !a->plot_file)
        print_error("--plot and --json both write to stdout; use --plot=FILE.html with --json");
    else if (a->finals.method && final_method_of(a->finals.method) < 0)
        print_error("--final-method must be auto, collocation or shooting, not '%s'",
                    a->finals.method);
    else if (a->finals.n == 0 && (a->finals.method || a->finals.from.n > 0))
        print_error("--final-method and --continue need --final");
    else if (a->finals.n > 0 && a->verify)
        print_error("--verify does not go with --final, which checks the error itself");
    else if (a->constraints.reduction && reduction_of(a->constraints.reduction) < 0)
        print_error("--reduction must be auto, project, dummy, ggl, baumgarte or differentiate, "
                    "not '%s'",
                    a->constraints.reduction);
    else if (a->constraints.levels && levels_of(a->constraints.levels) < 0)
        print_error("--levels must be all, position or velocity, not '%s'", a->constraints.levels);
    else if (!isnan(a->fit.starts) &&
             !(a->fit.starts >= 1 && a->fit.starts <= 1e5 && a->fit.starts == floor(a->fit.starts)))
        print_error("--starts needs a whole number from 1 to 1e5, not %g", a->fit.starts);
    else if (!isnan(a->fit.seed) &&
             !(a->fit.seed >= 0 && a->fit.seed <= 1e15 && a->fit.seed == floor(a->fit.seed)))
        print_error("--seed needs a whole number from 0 to 1e15, not %g", a->fit.seed);
    else if (!isnan(a->fit.confidence) && !(a->fit.confidence > 0 && a->fit.confidence < 1))
        print_error("--confidence needs a number between 0 and 1, not %g", a->fit.confidence);
    else if (!isnan(a->constraints.baumgarte) &&
             !(a->constraints.baumgarte > 0 && isfinite(a->constraints.baumgarte)))
        print_error("--baumgarte needs a positive rate");
    else
        return true;
    return false;
}

bool arguments_read(arguments *a, unsigned verb_bit, int count, char *const *words)
{
    *a = (arguments){.t_start = NAN,
                     .t_stop = NAN,
                     .intervals = NAN,
                     .timeout = NAN,
                     .listing.components = NAN,
                     .constraints.baumgarte = NAN};
    a->fit.starts = a->fit.seed = a->fit.confidence = NAN;
    a->sweep.samples = a->sweep.seed = a->sweep.threads = NAN;
    daedal_options_defaults(&a->options);
    reader r = {a, verb_bit, count, 0, words};
    bool fine = read_all(&r);
    const char *more = getenv("MODELICAPATH");
    if (more && *more)
        take_path(a, NULL, more);
    return fine && (a->help || check_values(a, a->plot || verb_bit == FOR_PLOT));
}

static void settings_free(settings *s)
{
    for (int32_t i = 0; i < s->n; i++)
        free((char *)(uintptr_t)s->at[i].name);
    free(s->at);
}

void arguments_free(arguments *a)
{
    free(a->words);
    free(a->times);
    settings_free(&a->parameters);
    settings_free(&a->starts);
    settings_free(&a->finals.from);
    free(a->finals.texts);
    varied_free(&a->sweep.varied);
    names_free(&a->sens.varied);
    fit_flags_free(&a->fit);
    for (int32_t k = 0; k < a->inputs.n; k++)
        input_request_free(&a->inputs.at[k]);
    free(a->inputs.at);
    free(a->outside.libraries);
}

daedal_options options_for_model(const arguments *a, const daedal_model_info *info)
{
    daedal_options o = a->options;
    if (!a->rtol_given && info->tolerance > 0)
        o.rtol = info->tolerance;
    if (!a->atol_given)
        o.atol = daedal_default_atol(o.rtol);
    return o;
}
