/* base/log.h - where warnings and notes for the user go.
 *
 * Depends on: nothing.                                                          */
#ifndef DAEDAL_BASE_LOG_H
#define DAEDAL_BASE_LOG_H

#include "daedal.h"

/* The log callback of the options with its user pointer; write NULL: nobody listens. */
typedef struct message_log {
    daedal_log_fn *write;
    void *user;
} message_log;

static inline void log_warning(const message_log *log, const char *message)
{
    if (log->write)
        log->write(DAEDAL_LOG_WARNING, message, log->user);
}
#endif
