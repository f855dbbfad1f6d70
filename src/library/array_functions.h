/* library/array_functions.h - built-in functions of arrays, for builtin_functions.c. */
#ifndef DAEDAL_LIBRARY_ARRAY_FUNCTIONS_H
#define DAEDAL_LIBRARY_ARRAY_FUNCTIONS_H

#include "library/library.h"

/* As builtin_call. */
bool array_call(context *in, const ast_expr *call, const char *name, value *result);
const char *array_name(size_t k); /* as builtin_name */
#endif
