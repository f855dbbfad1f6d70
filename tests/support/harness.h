/* support/harness.h - what most test programs begin with.
 *
 * Responsibility: cmocka with the headers it wants first, solvers made or the test
 * failed, an allocator that keeps books and can refuse.
 * Depends on: daedal.h, cmocka.                                                 */
#ifndef DAEDAL_SUPPORT_HARNESS_H
#define DAEDAL_SUPPORT_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daedal.h"

/* Under the address sanitizer everything takes several times longer: large problems are made
 * smaller. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* An allocator that keeps the books: every block is given back once, with the size
 * it was taken with.                                                            */
typedef struct ledger {
    daedal_allocator allocator; /* to hand out; set by ledger_open               */
    size_t blocks, bytes;       /* live                                          */
    long taken;                 /* allocations asked for so far                  */
    long refuse;                /* number of the one that fails, from 1; 0: none */
    bool refuse_rest;           /* and all after it                              */
    bool closed;                /* count what is asked for in `forbidden`        */
    long forbidden;
    long wrong_sizes;
} ledger;

void ledger_open(ledger *l);
void ledger_expect_empty(const ledger *l);

/* The same books for SuiteSparse, whose functions have no user pointer; one at a time. */
void ledger_take_over_suitesparse(ledger *l);
void ledger_leave_suitesparse(void);

/* Default options with tolerances rtol and atol. */
daedal_options defaults_with(double rtol, double atol);

/* A solver, or the test fails with the diagnosis. */
daedal_solver *solver_of(const daedal_system *sys, const daedal_options *opt);
/* The same, started. */
daedal_solver *started(const daedal_system *sys, const daedal_options *opt, double t0,
                       const double *y0, const double *yp0);

/* Fail unless `got` is `wanted`; the message of the solver (or NULL) is printed. */
void expect_status_at(const daedal_solver *s, daedal_status got, daedal_status wanted,
                      const char *file, int line);
#define expect_status(s, got, wanted) expect_status_at(s, got, wanted, __FILE__, __LINE__)

/* Fail unless the text has the part. */
void expect_text_at(const char *text, const char *part, const char *file, int line);
#define expect_text(text, part) expect_text_at(text, part, __FILE__, __LINE__)

/* How often the text has the part. */
size_t count_parts(const char *text, const char *part);

/* Fail unless |x - y| <= tol. */
void expect_near_at(double x, double y, double tol, const char *file, int line);
#define expect_near(x, y, tol) expect_near_at(x, y, tol, __FILE__, __LINE__)

/* A model of a text; the test fails, with the message, where it cannot be read. */
daedal_model *model_of_text(const char *text);
/* Fail, with the message of the model, if the status is an error. */
void expect_model_ok(const daedal_model *m, daedal_status status);
#endif
