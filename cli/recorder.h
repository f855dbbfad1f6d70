/* cli/recorder.h - rows of a run on their way to a file, to stdout, or to memory for a plot.
 *
 * Depends on: selection.h, output/result_file.h.                                */
#ifndef DAEDAL_CLI_RECORDER_H
#define DAEDAL_CLI_RECORDER_H

#include "output/result_file.h"
#include "selection.h"

typedef struct recorder {
    const daedal_model_info *info; /* set by the caller; borrowed */
    selection columns;
    trajectory table; /* the columns, and the rows if they are kept */
    result_file file;
    bool has_file, keeps_rows;
    bool begun;     /* the columns of the table are there          */
    double *row;    /* stored values of one row                    */
    int64_t rows;   /* taken so far                                */
    double flushed; /* clock of the last flush                     */
    bool failed;
    daedal_diagnosis why; /* of a failure to write */
} recorder;

void recorder_create(recorder *r);
/* Where the rows go; both before the run.  False after a complaint. */
bool recorder_to_file(recorder *r, const char *path);
void recorder_to_stdout(recorder *r);

/* For daedal_simulation, with the recorder as row_user. */
daedal_row_fn recorder_row;

/* Write what is still to be written and close the file; false: why says why. */
bool recorder_close(recorder *r);
void recorder_free(recorder *r);
#endif
