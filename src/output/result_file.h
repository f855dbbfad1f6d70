/* output/result_file.h - a result file, its format chosen by the extension.
 *
 * Responsibility: open before the run, so that a file that cannot be written is known before time
 * is spent; write; report a full disk at the end.
 *
 * The file is opened under its own name and written in place: no temporary name, so that devices,
 * pipes and links work, an old result never passes for a new one, and .csv rows are in the file as
 * they are computed (`tail -f` works).  So are those of .npz in an ordinary file, which is valid
 * after result_file_close only.  The other formats need the number of rows first and are
 * written by result_file_close, also after a run that failed or was interrupted: it keeps what was
 * computed.  Sequence:
 *
 *     result_file_open(&f, path, why)            before the run
 *     result_file_begin(&f, tr, why)             columns are known: CSV header
 *     for each row:  trajectory_append(tr, t, values, why)     if a plot or another format needs it
 *                    result_file_row(&f, tr, t, values, why)
 *     result_file_close(&f, tr, why)             whatever happened
 * Depends on: output/formats.h.                                                 */
#ifndef DAEDAL_OUTPUT_RESULT_FILE_H
#define DAEDAL_OUTPUT_RESULT_FILE_H

#include "output/formats.h"

typedef enum result_format {
    RESULT_UNKNOWN,
    RESULT_CSV,
    RESULT_NPZ,
    RESULT_MAT,
    RESULT_JSON
} result_format;

/* The format by the extension, in upper or lower case. */
result_format result_format_of(const char *path);

typedef struct result_file {
    FILE *stream; /* NULL: the caller's sink, or closed */
    sink to;
    result_format format;
    const char *path; /* borrowed; for messages */
    bool begun;
    bool goes_back; /* .npz: the stream can be read and positioned */
    npz_stream npz;
    int error; /* errno of a flush that failed */
} result_file;

/* DAEDAL_ERR_ARGUMENT: the extension is unknown, or the file cannot be opened for writing. */
daedal_status result_file_open(result_file *f, const char *path, daedal_diagnosis *why);
/* Write CSV to a sink of the caller, for instance standard output. */
void result_file_to_sink(result_file *f, sink to);

/* True if rows are written as they are computed, so that the trajectory need not keep them. */
static inline bool result_file_streams(const result_file *f)
{
    return f->format == RESULT_CSV || f->goes_back;
}

daedal_status result_file_begin(result_file *f, const trajectory *tr, daedal_diagnosis *why);
daedal_status result_file_row(result_file *f, const trajectory *tr, double t, const double *stored,
                              daedal_diagnosis *why);
/* Pass buffered rows to the system; called now and then, so that a killed program loses little. */
void result_file_flush(result_file *f);
/* Write what is left and close; with tr == NULL only close.  The file is closed in any case. */
daedal_status result_file_close(result_file *f, const trajectory *tr, daedal_diagnosis *why);

/* Read a result file.  The caller frees tr, after a failure too. */
daedal_status result_file_read(trajectory *tr, const char *path, daedal_diagnosis *why);
/* Read a table in CSV, whatever the name of the file: no column is the time (csv_read_table). */
daedal_status result_table_read(trajectory *tr, const char *path, daedal_diagnosis *why);
#endif
