/* base/status.c - one list of statuses, three uses: the enum, names, texts. */
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

daedal_status fail(daedal_diagnosis *d, daedal_status status, const char *format, ...)
{
    if (!d)
        return status;
    diagnosis_clear(d);
    va_list args;
    va_start(args, format);
    vsnprintf(d->message, sizeof d->message, format, args);
    va_end(args);
    return d->status = status;
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
