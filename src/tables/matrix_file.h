/* tables/matrix_file.h - matrices in files.
 *
 * Responsibility: reads matrices from text files of the Modelica library, from CSV and from MAT
 * files of the versions 4, 6 and 7, and writes MAT files.  What is wrong with a file is told with
 * its place: line and column of a text, the byte of a MAT file.
 * Invariant: reading changes nothing; a file is written beside its place and then renamed, so that
 * a failure leaves the old one.
 * Depends on: tables/point_curve.h, output/, zlib.                                */
#ifndef DAEDAL_TABLES_MATRIX_FILE_H
#define DAEDAL_TABLES_MATRIX_FILE_H

#include "tables/point_curve.h"

typedef struct matrix_source {
    const char *path;
    const char *shown;     /* the path for messages                                    */
    const char *name;      /* of the matrix; may name members of structures: a.b       */
    const char *delimiter; /* of CSV; one character                                    */
    int64_t n_headers;     /* lines of CSV in front of the numbers                     */
} matrix_source;

/* What the readers share: the bytes of a file, and a message about them. */
typedef struct matrix_bytes {
    const char *shown;
    const char *at; /* NUL-terminated */
    size_t n;
    arena *mem;
    table_why *why;
} matrix_bytes;

/* False with a reason, which is empty when out of memory. */
bool matrix_file_read(arena *mem, const matrix_source *from, table_matrix *m, table_why *why);

/* ---- one reader for each format ---- */

bool matrix_text_read(const matrix_bytes *b, const char *name, table_matrix *m);
bool matrix_csv_read(const matrix_bytes *b, const matrix_source *from, table_matrix *m);
bool mat_read(const matrix_bytes *b, const char *name, table_matrix *m);
/* Whether the bytes begin as a MAT file does. */
bool mat_is_known(const matrix_bytes *b);
/* Rejects a matrix that cannot have so many elements. */
bool matrix_fits(const matrix_bytes *b, uint64_t rows, uint64_t columns, uint64_t most);

bool matrix_bytes_load(const char *path, matrix_bytes *b);
/* Memory for zlib from an arena. */
void *matrix_zlib_take(void *mem, unsigned count, unsigned size);
void matrix_zlib_give(void *mem, void *piece);

/* ---- writing ---- */

typedef struct matrix_target {
    const char *path, *name;
    int version; /* 4, 6 or 7 */
    bool is_appended;
} matrix_target;

bool matrix_file_write(arena *mem, const matrix_target *to, const table_matrix *m, table_why *why);
#endif
