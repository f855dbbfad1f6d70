/* cli/draw.h - plots of a result or of the incidence matrix, in the terminal or as a page.
 *
 * Depends on: plot/curves.h.                                                    */
#ifndef DAEDAL_CLI_DRAW_H
#define DAEDAL_CLI_DRAW_H

#include "plot/curves.h"
#include "plot/derived_tables.h"

typedef struct drawing {
    const trajectory *data;
    const int32_t *columns; /* those of the array, if it is a map */
    int32_t n_columns;
    const char *title, *footer;
    bool log_x, log_y, is_path, is_scatter; /* as in plot_request */
    bool is_map;
    table_array array; /* of a map */
} drawing;

/* Draw on stdout, or write an open file and close it: a page, or a picture (.svg).  Both return an
 * exit status.                                                                  */
int draw_here(const drawing *d);
int draw_page(const drawing *d, FILE *page, const char *path);

/* Draw the incidence matrix.  One too large for the terminal gives a note and no failure. */
int draw_incidence_here(const daedal_incidence *data);
int draw_incidence_page(const daedal_incidence *data, const char *title, const char *path);

/* Whether a plot of curves can be written to a file of this name: .html, .htm, .svg. */
bool draw_is_plot_file(const char *path);
/* Print why not, and return CLI_USAGE. */
int draw_refuse_file(const char *path);
/* Open a page or picture for writing; NULL after an error message. */
FILE *draw_open_page(const char *path);
/* Check that a page (.html) can be written, without changing the file.  Prints a message and
 * returns an exit status.                                                               */
int draw_check_page(const char *path);
#endif
