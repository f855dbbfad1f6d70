/* cli/draw.h - plots of a result or of the incidence matrix, in the terminal or as a page.
 *
 * Depends on: plot/curves.h.                                                    */
#ifndef DAEDAL_CLI_DRAW_H
#define DAEDAL_CLI_DRAW_H

#include "plot/curves.h"

typedef struct drawing {
    const trajectory *data;
    const int32_t *columns; /* NULL: plot_choose() decides    */
    int32_t n_columns;
    const char *title, *footer;
} drawing;

/* Draw on stdout, or write an open page and close it.  Both return an exit status. */
int draw_here(const drawing *d);
int draw_page(const drawing *d, FILE *page, const char *path);

/* Draw the incidence matrix.  One too large for the terminal gives a note and no failure. */
int draw_incidence_here(const daedal_incidence *data);
int draw_incidence_page(const daedal_incidence *data, const char *title, const char *path);

/* Open a page for writing; NULL after an error message. */
FILE *draw_open_page(const char *path);
/* Check that a page can be written, without changing the file.  Prints a message and returns an
 * exit status.                                                                  */
int draw_check_page(const char *path);
#endif
