/* cli/fit_data.h - what `daedal fit` reads: unknowns from flags, experiments from files.
 *
 * Responsibility: -p and -y of `daedal fit`, and the files of --data.  A column of a file belongs
 * to the variable of its name: it is an input of the run, a parameter of the experiment (the same
 * value in all rows), or else measured. Depends on: daedal.h, output/trajectory.h. */
#ifndef DAEDAL_CLI_FIT_DATA_H
#define DAEDAL_CLI_FIT_DATA_H

#include <stdbool.h>

#include "daedal.h"
#include "output/trajectory.h"
#include "selection.h"

/* An unknown as it was written: NAME, or NAME=LOW:HIGH. */
typedef struct fitted_name {
    char *name;
    bool is_bounded;
    double low, high;
} fitted_name;

typedef struct fit_flags {
    fitted_name *unknowns;
    int32_t n_unknowns;
    const char **files; /* --data */
    int32_t n_files;
    daedal_setting *deviations; /* --sigma */
    int32_t n_deviations;
    double starts, seed, confidence; /* NAN: not given */
} fit_flags;

/* One piece of -p or -y, "k1" or "k1=0.1:10".  false: it is neither (then it sets a value). */
bool fitted_name_read(fit_flags *f, const char *text);
void fit_flags_free(fit_flags *f);

/* One experiment, and the memory of what it points to. */
typedef struct fit_experiment {
    trajectory table;
    double *times;
    int32_t *measured, *set, *fed;
    double *values, *deviations, *set_to;
    daedal_signal *signals;
    int32_t n_ignored; /* columns */
    int32_t n_missing; /* values  */
} fit_experiment;

typedef struct fit_data {
    daedal_model *model;
    const daedal_model_info *info;
    const fit_flags *flags;
    daedal_unknown *unknowns;
    fit_experiment *own;
    daedal_experiment *experiments;
    int32_t n_experiments;
} fit_data;

/* Both return an exit status, with a message if it is not CLI_SOLVED; fit_data_free in any case. */
int fit_data_read(fit_data *d, daedal_model *model, const fit_flags *flags);
void fit_data_free(fit_data *d);
#endif
