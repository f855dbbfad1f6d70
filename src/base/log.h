/* base/log.h - where warnings and notes for the user go.
 *
 * Responsibility: pass a warning to the log callback of the options, and keep the first of a run
 * with their causes, for reports after it.
 * Depends on: daedal.h.                                                         */
#ifndef DAEDAL_BASE_LOG_H
#define DAEDAL_BASE_LOG_H

#include <stdbool.h>

#include "daedal.h"

enum { WARNINGS_KEPT = 32 };

typedef struct warning_list {
    int32_t n;
    daedal_warning at[WARNINGS_KEPT];
} warning_list;

/* The log callback of the options with its user pointer, and the warnings of the run. */
typedef struct message_log {
    daedal_log_fn *write; /* or NULL: warnings are only kept                              */
    void *user;
    warning_list *kept; /* or NULL                                               */
} message_log;

/* t is NAN where no time of the run goes with it. */
void log_warning(const message_log *log, daedal_cause cause, double t, const char *message);

/* True if a warning with this text was kept. */
bool log_has(const message_log *log, const char *message);

/* Keep it without a word to the callback, which has it already. */
void log_keep(const message_log *log, daedal_cause cause, double t, const char *message);
#endif
