/* plot/curves_html_page.h - the fixed texts of the page: style and script.
 *
 * Depends on: nothing.                                                          */
#ifndef DAEDAL_PLOT_CURVES_HTML_PAGE_H
#define DAEDAL_PLOT_CURVES_HTML_PAGE_H

extern const char *const curves_html_style[];  /* lines, NULL at the end */
extern const char *const curves_html_script[]; /* lines, NULL at the end */
#endif
