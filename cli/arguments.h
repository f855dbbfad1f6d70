/* cli/arguments.h - reading of the command line.
 *
 * Responsibility: the table of flags (what each verb takes and its help), and the values given.
 * Names of options of the library are flags too: --max_step 0.1 (`daedal help options`).
 * Depends on: daedal.h.                                                         */
#ifndef DAEDAL_CLI_ARGUMENTS_H
#define DAEDAL_CLI_ARGUMENTS_H

#include <stdbool.h>

#include "daedal.h"
#include "fit_data.h"
#include "input_files.h"
#include "selection.h"
#include "variations.h"

/* Which verbs take a flag. */
enum {
    FOR_SOLVE = 1,
    FOR_ANALYZE = 2,
    FOR_INIT = 4,
    FOR_PLOT = 8,
    FOR_EXAMPLES = 16,
    FOR_HELP = 32,
    FOR_EXPORT = 64,
    FOR_RESULT = 128, /* not a verb: `plot` accepts the flag for a result file too */
    FOR_DESCRIBE = 256,
    FOR_SENS = 512,
    FOR_SWEEP = 1024,
    FOR_FIT = 2048,
    FOR_LINEARIZE = 1 << 20,
    FOR_STEADY = 1 << 21,
    FOR_FLATTEN = 1 << 22,
    FOR_CHECK = 1 << 23,
    FOR_BROWSE = 1 << 24,
    FOR_POINTS = FOR_LINEARIZE | FOR_STEADY, /* one point of a run is looked at */
    FOR_RUNS = FOR_SOLVE | FOR_PLOT | FOR_SENS,
    FOR_STARTS = FOR_RUNS | FOR_INIT | FOR_POINTS,
    FOR_MODELS = FOR_STARTS | FOR_ANALYZE,
    FOR_LOOKING = FOR_FLATTEN | FOR_CHECK, /* a model is read and not run */
    FOR_READING = FOR_MODELS | FOR_EXPORT | FOR_DESCRIBE | FOR_LOOKING, /* all that read a model */
    FOR_ALL = 4095 | FOR_POINTS | FOR_LOOKING | FOR_BROWSE
};

typedef struct settings {
    daedal_setting *at; /* the names are owned here */
    int32_t n;
} settings;

/* Whether a text is start(NAME). */
bool arguments_name_start(const char *text);

/* Flags of `daedal sens` alone. */
typedef struct sens_arguments {
    name_list varied; /* -p without a value */
    const char *of;
} sens_arguments;

/* Flags of `daedal sweep` alone. */
typedef struct sweep_arguments {
    varied_list varied;
    bool grid, resume, one_by_one, share;
    double samples, seed, threads; /* NAN: not given */
    const char *sampling, *table, *quantiles, *part;
} sweep_arguments;

/* How constraints are kept. */
typedef struct constraint_arguments {
    const char *reduction, *levels;
    const char *conserved; /* names, or NULL */
    double baumgarte;      /* NAN: not given */
} constraint_arguments;

/* Conditions at the stop time: daedal solve --final. */
typedef struct final_arguments {
    const char **texts;
    int32_t n;
    const char *method; /* or NULL */
    settings from;      /* --continue: at most one */
} final_arguments;

/* Flags of `daedal linearize` alone. */
typedef struct linearize_arguments {
    const char *in, *out; /* names, or NULL */
} linearize_arguments;

/* What may be read besides the model. */
typedef struct outside_arguments {
    char *libraries; /* directories, separated by ':'; or NULL */
    bool allow_external;
} outside_arguments;

/* How much of a tree is listed. */
typedef struct listing_arguments {
    bool all;          /* classes of packages inside the package too       */
    double components; /* depth of the components; NAN: they are not listed */
} listing_arguments;

typedef struct arguments {
    const char **words; /* what is not a flag: model, name, topic */
    int n_words;
    double t_start, t_stop; /* NAN: not given                         */
    double intervals;       /* NAN: not given                         */
    double *times;          /* --at                                   */
    int32_t n_times;
    bool every_step;
    daedal_options options; /* rtol, atol, method and the like        */
    bool rtol_given, atol_given;
    settings parameters, starts;
    sens_arguments sens;
    fit_flags fit;
    sweep_arguments sweep;
    linearize_arguments linearize;
    final_arguments finals;
    input_requests inputs;
    const char *vars;
    constraint_arguments constraints;
    const char *model_name;
    outside_arguments outside;
    const char *output;
    bool plot;
    const char *plot_file;              /* --plot=FILE, or NULL                   */
    const char *log_axes;               /* "x", "y", "xy" or NULL                 */
    const char *x_name, *profile, *map; /* variables of a plot, or NULL */
    bool stats, verify, progress, json, quiet, help, export_c;
    listing_arguments listing;
    double timeout;       /* NAN: none                              */
    const char *run_flag; /* a flag given that only applies to a run, or NULL */
} arguments;

typedef enum flag_kind { FLAG_SWITCH, FLAG_NUMBER, FLAG_TEXT, FLAG_OPTION, FLAG_OTHER } flag_kind;

typedef struct flag flag;
/* Read a value that is neither a plain number nor a text; false after an error message. */
typedef bool flag_take_fn(arguments *a, const flag *f, const char *value);

struct flag {
    const char *name;  /* "--rtol", "-t"                                             */
    const char *value; /* how help calls what follows; NULL: nothing, "=X": optional */
    unsigned verbs;
    flag_kind kind;
    size_t place; /* offset of the field in `arguments`, whose type depends on the kind */
    flag_take_fn *take;
    const char *doc;
};

const flag *flag_at(int i); /* NULL past the end */

/* The options that were given, with the tolerance of the model where none was. */
daedal_options options_for_model(const arguments *a, const daedal_model_info *info);

/* Read what follows the verb.  False after an error message. */
bool arguments_read(arguments *a, unsigned verb_bit, int count, char *const *words);
void arguments_free(arguments *a);

/* The daedal_reduction of that name, or -1. */
int reduction_of(const char *name);
int levels_of(const char *name);       /* the daedal_levels of that name, or -1 */
int final_method_of(const char *name); /* the daedal_bvp_method of that name, or -1 */
#endif
