/* base/status.c - lists of statuses and causes, three uses: the enums, names, texts. */
#include "base/status.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *daedal_status_name(daedal_status status)
{
    switch (status) {
#define X(name, value, text)                                                                       \
    case name:                                                                                     \
        return #name;
        DAEDAL_STATUS_LIST(X)
#undef X
    }
    return "DAEDAL_UNKNOWN";
}

const char *daedal_status_text(daedal_status status)
{
    switch (status) {
#define X(name, value, text)                                                                       \
    case name:                                                                                     \
        return text;
        DAEDAL_STATUS_LIST(X)
#undef X
    }
    return "unknown status";
}

const char *daedal_cause_name(daedal_cause cause)
{
    switch (cause) {
#define X(name, value, word, text)                                                                 \
    case name:                                                                                     \
        return word;
        DAEDAL_CAUSE_LIST(X)
#undef X
    }
    return "unknown";
}

const char *daedal_verdict_name(daedal_verdict verdict)
{
    static const char *const names[] = {"none", "agrees", "disagrees", "diverges", "unverified"};
    return (unsigned)verdict < sizeof names / sizeof *names ? names[verdict] : "unknown";
}

const char *daedal_cause_text(daedal_cause cause)
{
    switch (cause) {
#define X(name, value, word, text)                                                                 \
    case name:                                                                                     \
        return text;
        DAEDAL_CAUSE_LIST(X)
#undef X
    }
    return "unknown cause";
}

/* The cause that a status names by itself; step failures are symptoms of many.  */
static daedal_cause usual_cause(daedal_status status)
{
    switch (status) {
    case DAEDAL_ERR_STRUCTURE:
        return DAEDAL_CAUSE_STRUCTURE;
    case DAEDAL_ERR_CALLBACK:
    case DAEDAL_ERR_RETRY:
        return DAEDAL_CAUSE_CALLBACK_FAILED;
    case DAEDAL_ERR_NOT_FINITE:
        return DAEDAL_CAUSE_DOMAIN_ERROR;
    case DAEDAL_ERR_SINGULAR:
        return DAEDAL_CAUSE_UNDETERMINED_VARIABLE;
    case DAEDAL_ERR_INCONSISTENT:
    case DAEDAL_ERR_START:
        return DAEDAL_CAUSE_INCONSISTENT_START;
    case DAEDAL_ERR_STEP_LIMIT:
        return DAEDAL_CAUSE_TOO_MUCH_WORK;
    case DAEDAL_ERR_JACOBIAN:
        return DAEDAL_CAUSE_WRONG_JACOBIAN;
    case DAEDAL_ERR_MODEL:
        return DAEDAL_CAUSE_TEXT;
    case DAEDAL_ERR_INDEX:
        return DAEDAL_CAUSE_HIGH_INDEX;
    default:
        return DAEDAL_CAUSE_NONE;
    }
}

bool failure_is(daedal_status status, int kinds)
{
    switch (status) {
    case DAEDAL_ERR_SINGULAR:
    case DAEDAL_ERR_NEWTON:
    case DAEDAL_ERR_ERROR_TEST:
    case DAEDAL_ERR_STEP_TOO_SMALL:
        return (kinds & STEP_FAILURE) != 0;
    case DAEDAL_ERR_START:
    case DAEDAL_ERR_INCONSISTENT:
        return (kinds & START_FAILURE) != 0;
    case DAEDAL_ERR_RETRY:
    case DAEDAL_ERR_NOT_FINITE:
        return (kinds & DOMAIN_FAILURE) != 0;
    default:
        return false;
    }
}

void diagnosis_clear(daedal_diagnosis *d)
{
    if (!d)
        return;
    memset(d, 0, sizeof *d);
    d->t = NAN;
    d->equation = d->variable = -1;
}

void text_append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

daedal_status fail(daedal_diagnosis *d, daedal_status status, const char *format, ...)
{
    if (!d)
        return status;
    diagnosis_clear(d);
    va_list args;
    va_start(args, format);
    vsnprintf(d->message, sizeof d->message, format, args);
    va_end(args);
    d->cause = usual_cause(status);
    return d->status = status;
}

void set_cause(daedal_diagnosis *d, daedal_cause cause)
{
    if (d)
        d->cause = cause;
}

void blame(daedal_diagnosis *d, double t, int32_t equation, int32_t variable)
{
    if (!d)
        return;
    d->t = t;
    d->equation = equation;
    d->variable = variable;
}

void hint(daedal_diagnosis *d, const char *format, ...)
{
    if (!d)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(d->hint, sizeof d->hint, format, args);
    va_end(args);
}
