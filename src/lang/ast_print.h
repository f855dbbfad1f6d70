/* lang/ast_print.h - a syntax tree as Modelica text.
 *
 * Depends on: lang/ast.h.                                                       */
#ifndef DAEDAL_LANG_AST_PRINT_H
#define DAEDAL_LANG_AST_PRINT_H

#include "lang/ast.h"

/* Modelica text of a tree, NUL-terminated, in the arena; NULL when out of memory.  Parsing the text
 * gives an equal tree.                                                           */
char *ast_print(const ast_file *file, const intern_table *names, arena *mem);
#endif
