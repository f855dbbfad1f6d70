/* plot/curves.h - plots of curves over time: the part that terminal and HTML plots share.
 *
 * Responsibility: choose columns, group them into panels (same unit, similar size), compute ranges
 * and ticks at 1, 2, 5 times a power of ten, and thin curves to what a picture can show.
 * Depends on: output/trajectory.h.                                              */
#ifndef DAEDAL_PLOT_CURVES_H
#define DAEDAL_PLOT_CURVES_H

#include "output/sink.h"
#include "output/trajectory.h"

enum { PLOT_CURVES_MAX = 24, PLOT_PANELS_MAX = 6, PLOT_TICKS_MAX = 16 };

typedef struct plot_request {
    const trajectory *data;
    const int32_t *columns; /* the columns to draw, in this order                  */
    int32_t n_columns;      /* at most PLOT_CURVES_MAX are drawn                   */
    const char *title;      /* or NULL                                             */
    const char *footer;     /* lines below the plot, for instance statistics, or NULL */
    bool log_time;          /* times <= 0 are left out                             */
    bool log_values;        /* values <= 0 are left out                            */
    bool is_path;           /* the time of the table is some quantity that may go back and forth */
    bool is_scatter;        /* a path whose points are not joined; not for pages            */
} plot_request;

/* Choose the columns to draw when the user named none: those that vary, without aliases, in
 * order; or all of them if none varies.  Returns how many, at most `max`.       */
int32_t plot_choose(const trajectory *tr, int32_t *columns, int32_t max);

/* ---- for curves_terminal.c and curves_html.c ---- */

typedef struct plot_range {
    double low, high;
} plot_range;

typedef struct plot_ticks {
    int n;
    double at[PLOT_TICKS_MAX];
    char text[PLOT_TICKS_MAX][24];
} plot_ticks;

/* Write a number with a few digits: "0.5", "3e-5". */
void plot_number(char text[24], double x, int digits);
/* Ticks inside the range, at most about `wanted`, no closer than least_step, with as many decimals
 * as they need.                                                                 */
void plot_ticks_linear(plot_ticks *ticks, plot_range range, int wanted, double least_step);
/* Ticks at powers of ten, at 1, 2, 5 times such where there are few, or at round numbers within a
 * decade; the range is in log10.                                                   */
void plot_ticks_log(plot_ticks *ticks, plot_range range, int wanted);
/* Those of the time axis, and of the values of a panel. */
void plot_ticks_time(plot_ticks *ticks, const plot_request *r, plot_range range, int wanted);
void plot_ticks_values(plot_ticks *ticks, const plot_request *r, plot_range range, int wanted,
                       double least_step);
/* The range widened on both sides by a share of its width; the result is never empty. */
plot_range plot_range_widen(plot_range r, double share);

typedef struct plot_panel {
    int n;
    int32_t columns[PLOT_CURVES_MAX];
    int colours[PLOT_CURVES_MAX]; /* number of the curve in the whole plot */
    plot_range range;             /* of the finite values */
    const char *unit;             /* of all curves, or "" */
    double least_step;            /* of the ticks: 1 where all values are integers, else 0 */
} plot_panel;

typedef struct plot_layout {
    int n_panels;
    plot_panel panels[PLOT_PANELS_MAX];
    plot_range time; /* in log10 for log_time */
} plot_layout;

void plot_arrange(plot_layout *l, const plot_request *r, int panels_max);

/* Thin a curve.  A path keeps the points that lie apart.  Else, of each of `n_bins` bins of the
 * time axis keep the first, lowest, highest and last value and one missing value.  The rows are in
 * ascending order; returns how many, at most `room`. Room for 5 (n_bins + 1) rows suffices where
 * time is monotone.                 */
size_t plot_thin(const plot_request *r, const plot_layout *l, int32_t col, size_t n_bins,
                 size_t *rows, size_t room);

/* Time as drawn: t or log10(t); NAN if it cannot be drawn.  The value of a column likewise. */
double plot_time(const plot_request *r, double t);
double plot_value(const plot_request *r, size_t row, size_t col);

/* Write the label of the time axis, "time [s]". */
void plot_time_label(const plot_request *r, sink *to);
#endif
