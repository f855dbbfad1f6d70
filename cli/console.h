/* cli/console.h - services of the operating system: terminal, clock, Ctrl-C, threads.
 *
 * Responsibility: everything that needs POSIX beyond C11 is behind this header.
 * Depends on: libc, POSIX.                                                      */
#ifndef DAEDAL_CLI_CONSOLE_H
#define DAEDAL_CLI_CONSOLE_H

#include <stdbool.h>
#include <stdio.h>

bool console_is_terminal(FILE *stream);
/* Size in characters of the terminal behind a stream, else $COLUMNS and $LINES, else 80 x 24. */
void console_size(FILE *stream, int *width, int *height);
bool console_is_utf8(void);
/* True if the stream is a terminal and neither NO_COLOR nor TERM=dumb is set. */
bool console_has_colour(FILE *stream);

double console_seconds(void); /* monotonic */

/* From now on the first Ctrl-C (or SIGTERM) only sets a flag; a second one ends the program. */
void console_catch_interrupt(void);
bool console_interrupted(void);

/* End the program with status 1 after this many seconds, whatever it is doing then. */
void console_end_after(double seconds);

/* NULL if the file can be read, else the reason why it cannot. */
const char *console_cannot_read(const char *path);

/* Restrict OpenBLAS, where it is linked, to one thread: the matrices are too small for more. */
void console_one_thread(void);
#endif
