/* cli/sweep_plots.h - plots of a sweep: quantiles over time, or points over a parameter.
 *
 * Depends on: sweep_results.h, draw.h.                                          */
#ifndef DAEDAL_CLI_SWEEP_PLOTS_H
#define DAEDAL_CLI_SWEEP_PLOTS_H

#include "sweep_results.h"

/* Whether --plot can be drawn as asked for; an exit status, before the runs. */
int sweep_plot_check(const arguments *a, const sweep_runs *runs);
/* Draw on stdout or into a file, before the results are closed.  An exit status. */
int sweep_plot_draw(sweep_results *r, const arguments *a);
#endif
