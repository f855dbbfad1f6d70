/* cli/finals.h - conditions at the stop time: daedal solve --final.
 *
 * Responsibility: what the texts of --final mean, the run with them, and what is reported of it.
 * Depends on: job.h.                                                            */
#ifndef DAEDAL_CLI_FINALS_H
#define DAEDAL_CLI_FINALS_H

#include "job.h"

/* Numbers and values into j->finals.  An exit status, after a message if it is not CLI_SOLVED. */
int finals_find(job *j);
/* In the place of daedal_model_simulate. */
daedal_status finals_run(job *j);
/* The start values that were found, on stderr; the member `final` of an object. */
void finals_print(const job *j);
/* Two rows of the work statistics: how the solution answers to changes of the final values and of
 * the equations. */
void finals_print_condition(const job *j);
void finals_json(struct json_writer *w, const job *j);
#endif
