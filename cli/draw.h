/* cli/draw.h - plots of a result: here in the terminal, or as a page.
 *
 * Depends on: output/plot.h.                                                    */
#ifndef DAEDAL_CLI_DRAW_H
#define DAEDAL_CLI_DRAW_H

#include "output/plot.h"

typedef struct drawing {
    const trajectory *data;
    const int32_t *columns; /* NULL: chosen                   */
    int32_t n_columns;
    const char *title, *footer;
} drawing;

/* On stdout, or to a page that is open (closed here).  Return an exit status. */
int draw_here(const drawing *d);
int draw_page(const drawing *d, FILE *page, const char *path);
#endif
