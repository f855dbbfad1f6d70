/* output/array_file.h - an NPZ archive whose arrays are written in place, in any order.
 *
 * Responsibility: arrays that are larger than memory, of which every shape is known beforehand. The
 * file has its final layout from the beginning; closing it only adds checksums and the directory,
 * so that a file of a program that was killed can be opened again and completed. Items are in the
 * byte order of the machine, which the header of each array tells. Depends on: output/npz_parts.h.
 */
#ifndef DAEDAL_OUTPUT_ARRAY_FILE_H
#define DAEDAL_OUTPUT_ARRAY_FILE_H

#include "output/npz_parts.h"

enum { ARRAY_DIMENSIONS = 3 };

typedef enum array_type { ARRAY_DOUBLE, ARRAY_INT, ARRAY_BYTE, ARRAY_TEXT } array_type;

/* An array; what stands first is given by the caller. */
typedef struct file_array {
    const char *name; /* "y.npy" */
    array_type type;
    size_t width; /* characters of a text; else 0 */
    int n_dimensions;
    uint64_t shape[ARRAY_DIMENSIONS];
    npz_member member; /* from here on filled in by the file */
    uint64_t place;    /* of the first item in the file */
    uint64_t head;     /* bytes of the .npy header in front of it */
} file_array;

typedef struct array_file {
    FILE *stream;
    const char *path; /* borrowed; NULL: a temporary file */
    file_array *arrays;
    size_t n;
    int error; /* errno of what failed first; 0: nothing has */
} array_file;

/* Create the file (path NULL: a temporary one), or open one that has exactly these arrays.  The
 * arrays are borrowed.  DAEDAL_ERR_ARGUMENT, with a message.  A file that was created has not begun
 * until array_file_mark_begun: if the program is killed before, nothing in it is of use.      */
daedal_status array_file_create(array_file *f, const char *path, file_array *arrays, size_t n,
                                daedal_diagnosis *why);
daedal_status array_file_reopen(array_file *f, const char *path, file_array *arrays, size_t n,
                                daedal_diagnosis *why);

/* What every reader needs is written. */
void array_file_mark_begun(array_file *f);
/* Whether an open file is other than one whose program was killed before it marked it. */
bool array_file_has_begun(FILE *stream);

/* The same with an open file, which from now on belongs to f: an empty one is created anew. */
daedal_status array_file_attach(array_file *f, FILE *stream, const char *path, file_array *arrays,
                                size_t n, bool *is_new, daedal_diagnosis *why);
/* Whether the file has its checksums and its directory already. */
bool array_file_is_closed(array_file *f);

size_t array_item_size(const file_array *a); /* bytes of an item */

/* Items first .. first + n - 1.  A failure is told when the file is closed; what cannot be read is
 * false.                                                                        */
void array_file_write(array_file *f, size_t k, uint64_t first, const void *items, size_t n);
bool array_file_read(array_file *f, size_t k, uint64_t first, void *items, size_t n);
/* A text array from its beginning. */
void array_file_write_texts(array_file *f, size_t k, const char *const *texts, size_t n);

/* Write checksums and directory.  The file is closed in any case.                 */
daedal_status array_file_close(array_file *f, daedal_diagnosis *why);
void array_file_abandon(array_file *f); /* only close it */
#endif
