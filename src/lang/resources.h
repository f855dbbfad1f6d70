/* lang/resources.h - files that belong to packages, modelica://P.Q/file.
 *
 * Depends on: lang/parser.h.                                                       */
#ifndef DAEDAL_LANG_RESOURCES_H
#define DAEDAL_LANG_RESOURCES_H

#include "lang/parser.h"

/* A package P lies in this directory, or in the directory of this file. */
void resource_root_add(compilation *c, const char *name, const char *path, bool is_directory);
/* Behind modelica://, or NULL: the text is no such address. */
const char *resource_package(const char *address);
/* The path of the file; NULL: the package is not known, or the address names no file. */
const char *resource_find(compilation *c, const char *address);
#endif
