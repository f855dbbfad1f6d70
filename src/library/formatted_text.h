/* library/formatted_text.h - String(): values as texts.
 *
 * Responsibility: the optional arguments of String() and what they make of a value.
 * Depends on: library/library.h.                                                 */
#ifndef DAEDAL_LIBRARY_FORMATTED_TEXT_H
#define DAEDAL_LIBRARY_FORMATTED_TEXT_H

#include "library/library.h"

/* The text of v, a scalar constant that is the first argument of the call. */
value formatted_text(context *in, const ast_expr *call, value v);
#endif
