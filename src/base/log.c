/* base/log.c - see log.h. */
#include "base/log.h"

#include <stdio.h>
#include <string.h>

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

bool log_has(const message_log *log, const char *message)
{
    for (int32_t k = 0; log && log->kept && k < log->kept->n; k++)
        if (strcmp(log->kept->at[k].message, message) == 0)
            return true;
    return false;
}
