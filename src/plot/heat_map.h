/* plot/heat_map.h - an array over time: time to the right, subscripts upwards, values as colours.
 *
 * Depends on: plot/curves.h, plot/derived_tables.h.                             */
#ifndef DAEDAL_PLOT_HEAT_MAP_H
#define DAEDAL_PLOT_HEAT_MAP_H

#include "plot/curves_terminal.h"
#include "plot/derived_tables.h"

typedef struct heat_map {
    table_array array;
    const char *title, *footer; /* or NULL                            */
    bool log_time, log_values;  /* what is not positive is left out   */
} heat_map;

/* As plot_svg and plot_terminal; the page contains the picture. */
daedal_status heat_map_svg(sink *to, const heat_map *m, daedal_diagnosis *why);
daedal_status heat_map_html(sink *to, const heat_map *m, daedal_diagnosis *why);
daedal_status heat_map_terminal(sink *to, const heat_map *m, const plot_terminal_style *style,
                                daedal_diagnosis *why);
#endif
