/* output/formats.h - file formats of trajectories: csv.c, npz.c, mat4.c, result_json.c.
 *
 * Responsibility: writers to a sink and readers from bytes in memory.  All values are written as
 * they appear to the user: aliases and constants as columns of their own (but once in MAT files,
 * whose layout knows aliases), Booleans 0 and 1, enumerations as integers, both sides of an event
 * with the time repeated.
 *
 *   .csv   header `time,<names>`, quoted as in RFC 4180 where needed; 15 to 17 digits, whichever
 *          reads back the same; lines end in \n.  NaN, Infinity, -Infinity.  No units.
 *   .npz   numpy.load: t (n), y (n, m), names (m), units (m), kinds (m, uint8: column_kind).
 *   .mat   MAT version 4 in the layout of Dymola and OpenModelica (binTrans): Aclass, name,
 *          description, dataInfo, data_1 (constants), data_2 (time and stored columns).
 *          The unit stands in brackets behind the description.  Kinds are not kept.
 *   .json  {"names": [...], "units": [...], "descriptions": [...], "kinds": [...],
 *          "time": [...], "columns": {name: [...]}}; NaN and infinities are null (read as NaN).
 * Depends on: output/trajectory.h, output/sink.h.                               */
#ifndef DAEDAL_OUTPUT_FORMATS_H
#define DAEDAL_OUTPUT_FORMATS_H

#include "output/npz_parts.h"
#include "output/sink.h"
#include "output/trajectory.h"

/* Write CSV row by row: first the header, then each row when it is computed. */
void csv_header(sink *to, const trajectory *tr);
void csv_row(sink *to, const trajectory *tr, double t, const double *stored);

/* Write NPZ row by row: memory does not grow with the number of rows, but for their times. */
typedef struct npz_stream {
    trajectory times; /* of the rows; without columns */
    npz_member y;     /* the values, at the beginning of the file */
    size_t n_columns;
    uint64_t head; /* bytes in front of the values */
    uint64_t rest; /* at most, behind the values, times left out */
} npz_stream;

/* The sink is that of the stream, at its beginning; npz_end goes back in the stream.  A failing
 * sink is told at the end.                                                       */
void npz_begin(npz_stream *s, sink *to, const trajectory *tr);
daedal_status npz_row(npz_stream *s, sink *to, const trajectory *tr, double t, const double *stored,
                      daedal_diagnosis *why);
daedal_status npz_end(npz_stream *s, FILE *stream, sink *to, const trajectory *tr,
                      daedal_diagnosis *why);
void npz_stream_free(npz_stream *s); /* accepts zeros */

/* Write a whole trajectory.  DAEDAL_ERR_CALLBACK when the sink refuses, DAEDAL_ERR_ARGUMENT when
 * the format cannot hold it (more than 4 GiB in one array of .npz).             */
daedal_status csv_write(sink *to, const trajectory *tr, daedal_diagnosis *why);
daedal_status npz_write(sink *to, const trajectory *tr, daedal_diagnosis *why);
daedal_status mat4_write(sink *to, const trajectory *tr, daedal_diagnosis *why);
daedal_status result_json_write(sink *to, const trajectory *tr, daedal_diagnosis *why);

/* Fill a trajectory that was created and is still empty.  Arbitrary bytes do no harm.  The readers
 * accept what the writers wrote, other CSV files with a number in every field, and MAT files of
 * OpenModelica and Dymola (binTrans with double, single or integer data).  After a failure the
 * table may be partly filled and must be freed.  DAEDAL_ERR_ARGUMENT: the file is wrong, with the
 * place in it; DAEDAL_ERR_MEMORY.                                               */
daedal_status csv_read(trajectory *tr, const char *bytes, size_t n, daedal_diagnosis *why);
/* All columns are values; the time of a row is its number, from 0. */
daedal_status csv_read_table(trajectory *tr, const char *bytes, size_t n, daedal_diagnosis *why);
daedal_status npz_read(trajectory *tr, const char *bytes, size_t n, daedal_diagnosis *why);
daedal_status mat4_read(trajectory *tr, const char *bytes, size_t n, daedal_diagnosis *why);
daedal_status result_json_read(trajectory *tr, const char *bytes, size_t n, daedal_diagnosis *why);
#endif
