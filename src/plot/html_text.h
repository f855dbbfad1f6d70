/* plot/html_text.h - what all HTML pages share.
 *
 * Depends on: output/sink.h.                                                    */
#ifndef DAEDAL_PLOT_HTML_TEXT_H
#define DAEDAL_PLOT_HTML_TEXT_H

#include "output/sink.h"

/* Text between tags or in an attribute; bytes that are not UTF-8 become U+FFFD. */
void html_escaped(sink *to, const char *text);
/* Lines as they are, NULL at the end. */
void html_lines(sink *to, const char *const *lines);
/* From the doctype to the title in a header that stays open; lists of style lines, NULL at the
 * end.                                                                          */
void html_head(sink *to, const char *title, const char *const *const *styles);
#endif
