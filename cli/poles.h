/* cli/poles.h - eigenvalues of a linearised model: as a table, as JSON and as a picture.
 *
 * Depends on: output/json_writer.h, plot/curves.h.                               */
#ifndef DAEDAL_CLI_POLES_H
#define DAEDAL_CLI_POLES_H

#include "arguments.h"
#include "output/sink.h"

struct json_writer;

/* Print the eigenvalues with frequency, damping and time constant, and what takes part in each. */
void poles_print(const daedal_linear_system *s);
/* Write the members that describe the structure of a pencil; `index` is the name of that one. */
void poles_structure_json(struct json_writer *w, const daedal_pencil_structure *p,
                          const char *index);
/* The same and the eigenvalues. */
void poles_json(struct json_writer *w, const daedal_linear_system *s);
/* Write the member `diagnosis`; NULL: there was no failure. */
void poles_diagnosis_json(struct json_writer *w, const daedal_diagnosis *why);
/* Let `write` fill a file.  Returns an exit status. */
typedef void poles_write_fn(sink *to, const void *task);
int poles_write_file(poles_write_fn *write, const void *task, const char *path);
/* Draw in the terminal, or write --plot=FILE.svg.  Returns an exit status. */
int poles_draw(const daedal_linear_system *s, const arguments *a, const char *title);
/* Whether poles can be drawn to the file of --plot, or a message and CLI_USAGE. */
int poles_check_file(const arguments *a);
#endif
