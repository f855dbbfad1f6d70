/* base/status.h - how failure travels.
 *
 * Responsibility: record a failure where it is known, pass it upwards unchanged.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_BASE_STATUS_H
#define DAEDAL_BASE_STATUS_H

#include <stdbool.h>

#include "daedal.h"

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/* Leave the function with the callee's failure, unchanged.  Use only where
 * nothing needs undoing; otherwise `goto fail` once, at the end.                */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        daedal_status s_ = (call);                                                                 \
        if (s_ < 0)                                                                                \
            return s_;                                                                             \
    } while (0)

/* The same for calls that may also succeed with information (> 0), which must reach the caller. */
#define RETURN_UNLESS_OK(call)                                                                     \
    do {                                                                                           \
        daedal_status s_ = (call);                                                                 \
        if (s_ != DAEDAL_OK)                                                                       \
            return s_;                                                                             \
    } while (0)

/* Failures that lie in the numbers: another step size, method, tolerance or start value may avoid
 * them.  All others lie in the call, in the equations as posed, in a callback or in the machine. */
enum {
    STEP_FAILURE = 1,  /* ERR_SINGULAR, ERR_NEWTON, ERR_ERROR_TEST, ERR_STEP_TOO_SMALL            */
    START_FAILURE = 2, /* ERR_START, ERR_INCONSISTENT: no consistent values                      */
    DOMAIN_FAILURE = 4, /* ERR_RETRY, ERR_NOT_FINITE: a function has no value where it was called */
    NUMERIC_FAILURE = STEP_FAILURE | START_FAILURE | DOMAIN_FAILURE
};

/* Whether the status is a failure of one of these kinds (a sum of the constants above). */
bool failure_is(daedal_status status, int kinds);

/* Record where and why (d may be NULL), then return the status, so that callers
 * can write `return fail(d, DAEDAL_ERR_SINGULAR, "row %d has no pivot", row);`
 * Clears blame and hint; blame() and hint() add them.  The cause is the one that goes with the
 * status, if there is one; set_cause() names another.                           */
daedal_status fail(daedal_diagnosis *d, daedal_status status, const char *format, ...)
    PRINTF_LIKE(3, 4);

void set_cause(daedal_diagnosis *d, daedal_cause cause);

void blame(daedal_diagnosis *d, double t, int32_t equation, int32_t variable);

void hint(daedal_diagnosis *d, const char *format, ...) PRINTF_LIKE(2, 3);

/* Add to a text that has room for `size` bytes; what does not fit is left out. */
void text_append(char *text, size_t size, const char *format, ...) PRINTF_LIKE(3, 4);
/* The same for the message of a failure. */
#define message_append(d, ...) text_append((d)->message, sizeof(d)->message, __VA_ARGS__)

/* Forget an earlier failure. */
void diagnosis_clear(daedal_diagnosis *d);
#endif
