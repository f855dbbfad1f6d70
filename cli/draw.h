/* cli/draw.h - plots of a result, or of the structure: here in the terminal, or as a page.
 *
 * Depends on: plot/plot.h.                                                    */
#ifndef DAEDAL_CLI_DRAW_H
#define DAEDAL_CLI_DRAW_H

#include "plot/plot.h"

typedef struct drawing {
    const trajectory *data;
    const int32_t *columns; /* NULL: chosen                   */
    int32_t n_columns;
    const char *title, *footer;
} drawing;

/* On stdout, or to a page that is open (closed here).  Return an exit status. */
int draw_here(const drawing *d);
int draw_page(const drawing *d, FILE *page, const char *path);

/* The incidence matrix; too large for the terminal is a note, no failure. */
int draw_incidence_here(const daedal_incidence *data);
int draw_incidence_page(const daedal_incidence *data, const char *title, const char *path);

/* A page that is to be written: NULL after a complaint. */
FILE *draw_open_page(const char *path);
/* Could it be written?  An exit status, after a complaint; the file stays as it is. */
int draw_check_page(const char *path);
#endif
