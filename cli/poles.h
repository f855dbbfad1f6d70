/* cli/poles.h - eigenvalues of a linearised model: as a table, as JSON and as a picture.
 *
 * Depends on: output/json_writer.h, plot/curves.h.                               */
#ifndef DAEDAL_CLI_POLES_H
#define DAEDAL_CLI_POLES_H

#include "arguments.h"

struct json_writer;

/* Print the eigenvalues with frequency, damping and time constant, and what takes part in each. */
void poles_print(const daedal_linear_system *s);
/* Write the members that describe the pencil: index, eigenvalues, ... */
void poles_json(struct json_writer *w, const daedal_linear_system *s);
/* Draw in the terminal, or write --plot=FILE.svg.  Returns an exit status. */
int poles_draw(const daedal_linear_system *s, const arguments *a, const char *title);
/* Whether poles can be drawn to the file of --plot, or a message and CLI_USAGE. */
int poles_check_file(const arguments *a);
#endif
