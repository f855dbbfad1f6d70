/* cli/recorder.h - passes the rows of a run to a file, to stdout, or to memory for a plot.
 *
 * Depends on: selection.h, output/result_file.h.                                */
#ifndef DAEDAL_CLI_RECORDER_H
#define DAEDAL_CLI_RECORDER_H

#include "output/result_file.h"
#include "selection.h"

typedef struct recorder {
    const daedal_model_info *info; /* set by the caller; borrowed */
    selection columns;
    const int32_t *by; /* n_by: parameters by which the columns are differentiated; set by the
                          caller, before the run; borrowed.  Their derivatives follow in a row */
    int32_t n_by;
    const char *const *by_name; /* n_by: what they are called */
    trajectory table;           /* the columns, and the rows if they are kept */
    result_file file;
    bool has_file, keeps_rows;
    bool begun;     /* the columns of the table exist              */
    double *row;    /* stored values of one row                    */
    int64_t rows;   /* number of rows recorded so far              */
    double flushed; /* clock at the last flush                     */
    bool failed;
    daedal_diagnosis why; /* reason of a failure to write */
} recorder;

void recorder_create(recorder *r);
/* Choose where the rows go, before the run.  False after an error message. */
bool recorder_to_file(recorder *r, const char *path);
void recorder_to_stdout(recorder *r);

/* The row callback of daedal_simulation, with the recorder as row_user. */
daedal_row_fn recorder_row;
/* Likewise the callback of the derivatives. */
daedal_sensitivity_fn recorder_sensitivity;

/* Write what is not written yet and close the file.  False after a failure, described by `why`. */
bool recorder_close(recorder *r);
void recorder_free(recorder *r);
#endif
