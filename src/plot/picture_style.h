/* plot/picture_style.h - what all SVG pictures have in common: frame, title, style, footer.
 *
 * Depends on: output/sink.h.                                                    */
#ifndef DAEDAL_PLOT_PICTURE_STYLE_H
#define DAEDAL_PLOT_PICTURE_STYLE_H

#include "output/sink.h"

/* The element <svg> with its style and the title (or NULL), which begins at x. */
void picture_open(sink *to, int width, int height, const char *title, int x);
/* The lines of the footer (or NULL) from y on, and the end of the element. */
void picture_close(sink *to, const char *footer, int x, int y);
int picture_footer_height(const char *footer);
/* A coordinate, rounded to a tenth; what lies far outside the picture is clipped. */
void picture_coordinate(sink *to, double x);
/* A text whose start, middle or end (the anchor) is at x. */
void picture_text(sink *to, double x, double y, const char *anchor, const char *text);
#endif
