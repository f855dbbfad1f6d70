/* expr/number_text.h - the shortest decimal that reads back as the same double.
 *
 * Depends on: libc.                                                             */
#ifndef DAEDAL_EXPR_NUMBER_TEXT_H
#define DAEDAL_EXPR_NUMBER_TEXT_H

enum { NUMBER_TEXT = 40 };

/* Finite numbers; a decimal point whatever the locale says.  Returns text.        */
char *number_text(double value, char text[NUMBER_TEXT]);
#endif
