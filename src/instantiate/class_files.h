/* instantiate/class_files.h - what the files on packages and the search path share.
 *
 * Depends on: instantiate/instance.h.                                              */
#ifndef DAEDAL_INSTANTIATE_CLASS_FILES_H
#define DAEDAL_INSTANTIATE_CLASS_FILES_H

#include "instantiate/instance.h"

/* Names of a directory. */
typedef struct entry_list {
    const char **name;
    size_t n, capacity;
} entry_list;

/* The entries of a directory, sorted: the order of readdir is another one on every disk. */
entry_list entries_of(builder *b, const char *directory);
bool is_file(const char *path);
class_file *file_new(builder *b, const char *path, const char *directory);

/* The package ModelicaServices, where the search path has none. */
extern const char services_text[];
#endif
