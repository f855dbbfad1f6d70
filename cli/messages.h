/* cli/messages.h - error messages, warnings and the exit status of the program.
 *
 * Depends on: daedal.h.                                                         */
#ifndef DAEDAL_CLI_MESSAGES_H
#define DAEDAL_CLI_MESSAGES_H

#include "daedal.h"

#if defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

/* Exit statuses; scripts rely on them. */
enum {
    CLI_SOLVED = 0,
    CLI_FAILED = 1,   /* the run failed, with a diagnosis          */
    CLI_USAGE = 2,    /* wrong command line, or a file it names    */
    CLI_TEXT = 3,     /* the model text is wrong                   */
    CLI_SINGULAR = 4, /* singular, or unsolvable as posed          */
    CLI_NO_START = 5  /* no consistent start                       */
};

/* Print "daedal: ..." on stderr.  Returns CLI_USAGE, so that callers can return it. */
int print_error(const char *format, ...) CLI_PRINTF(1, 2);
const char *last_error(void); /* the last message printed, for --json */
void print_warning(const char *format, ...) CLI_PRINTF(1, 2);
/* Print the message of a diagnosis and its hint.  Returns CLI_USAGE. */
int print_diagnosis(const daedal_diagnosis *why);

/* The exit status that corresponds to a library status. */
int exit_status(daedal_status status);
/* The status in lower case without its prefix: "not_finite" for DAEDAL_ERR_NOT_FINITE. */
void status_word(daedal_status status, char *word, size_t size);

/* Allocate; if memory is exhausted the program ends with a message. */
void *must_resize(void *p, size_t count, size_t size);
char *must_copy(const char *text, size_t n);
#endif
