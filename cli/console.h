/* cli/console.h - the machine around the program: terminal, clock, Ctrl-C, threads.
 *
 * Responsibility: everything that is POSIX and not C11 stands behind this header.
 * Depends on: libc, POSIX.                                                      */
#ifndef DAEDAL_CLI_CONSOLE_H
#define DAEDAL_CLI_CONSOLE_H

#include <stdbool.h>
#include <stdio.h>

bool console_is_terminal(FILE *stream);
/* Characters of the terminal behind a stream, else of $COLUMNS and $LINES, else 80 x 24. */
void console_size(FILE *stream, int *width, int *height);
bool console_is_utf8(void);
/* Colours are welcome: a terminal, and neither NO_COLOR nor TERM=dumb. */
bool console_has_colour(FILE *stream);

double console_seconds(void); /* monotonic */

/* From now on the first Ctrl-C (or SIGTERM) is only remembered; a second one ends the program. */
void console_catch_interrupt(void);
bool console_interrupted(void);

/* End the program with status 1 after so many seconds, whatever it does then. */
void console_end_after(double seconds);

/* NULL if a file can be read, else the reason. */
const char *console_cannot_read(const char *path);

/* One thread for OpenBLAS where it is linked: our matrices are too small for more. */
void console_one_thread(void);
#endif
