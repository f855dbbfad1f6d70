/* base/log.c - see log.h. */
#include "base/log.h"

#include <stdio.h>

void log_keep(const message_log *log, daedal_cause cause, double t, const char *message)
{
    if (!log->kept || log->kept->n >= WARNINGS_KEPT)
        return;
    daedal_warning *w = &log->kept->at[log->kept->n++];
    w->cause = cause;
    w->t = t;
    snprintf(w->message, sizeof w->message, "%s", message);
}

void log_warning(const message_log *log, daedal_cause cause, double t, const char *message)
{
    if (log->write)
        log->write(DAEDAL_LOG_WARNING, message, log->user);
    log_keep(log, cause, t, message);
}
