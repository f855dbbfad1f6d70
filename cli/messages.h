/* cli/complain.h - what the program says when something is wrong, and its exit status.
 *
 * Depends on: daedal.h.                                                         */
#ifndef DAEDAL_CLI_COMPLAIN_H
#define DAEDAL_CLI_COMPLAIN_H

#include "daedal.h"

#if defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

/* The contract with scripts. */
enum {
    CLI_SOLVED = 0,
    CLI_FAILED = 1,   /* the run failed, with a diagnosis          */
    CLI_USAGE = 2,    /* the command line, or a file it names      */
    CLI_TEXT = 3,     /* the model text is wrong                   */
    CLI_SINGULAR = 4, /* singular, or unsolvable as posed          */
    CLI_NO_START = 5
};

/* "daedal: ..." on stderr; returns CLI_USAGE, so that callers can return it. */
int complain(const char *format, ...) CLI_PRINTF(1, 2);
const char *last_complaint(void); /* for --json */
void warn(const char *format, ...) CLI_PRINTF(1, 2);
/* The message of a diagnosis and its hint; returns CLI_USAGE. */
int complain_of(const daedal_diagnosis *why);

/* The exit status that tells of a library status. */
int exit_status(daedal_status status);
/* "not_finite" for DAEDAL_ERR_NOT_FINITE. */
void status_word(daedal_status status, char *word, size_t size);

/* Memory, or the end of the program. */
void *must_resize(void *p, size_t count, size_t size);
char *must_copy(const char *text, size_t n);
#endif
