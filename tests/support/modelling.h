/* support/modelling.h - models from texts for tests: read, analysed, run and looked into.
 *
 * Responsibility: one model and its last row, with failures that print the text; a text
 * that grows, for models that are generated.
 * Depends on: daedal.h, driving.h, cmocka.                                      */
#ifndef DAEDAL_SUPPORT_MODELLING_H
#define DAEDAL_SUPPORT_MODELLING_H

#include "harness.h"

/* ---- generated texts ---- */

typedef struct written {
    char *text;
    size_t length, room;
} written;

void write_text(written *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void written_free(written *w);

/* ---- a model on trial ---- */

typedef struct trial trial;

/* Called for every row; trial_value() then tells the values of the row. */
typedef void trial_row_fn(trial *t, double time, void *user);

struct trial {
    daedal_model *model;
    const daedal_model_info *info;
    double *values; /* of the last row */
    int32_t n_rows;
    daedal_outcome outcome;
    trial_row_fn *each; /* or NULL */
    void *user;
    char message[1000];
};

/* Read "model M <declarations> equation <equations> end M;".  A refused text fails the test,
 * or is the status of trial_read with the message in t.                         */
daedal_status trial_read(trial *t, const char *declarations, const char *equations);
void trial_open(trial *t, const char *declarations, const char *equations);
/* Read a file of models/. */
void trial_open_file(trial *t, const char *name);
void trial_close(trial *t);

daedal_model_structure trial_structure(trial *t);

/* Run with options "rtol=1e-8 ..."; what it came to is t->outcome. */
daedal_status trial_try(trial *t, double from, double to, int32_t intervals, const char *options);
/* The same, and it must arrive. */
void trial_run(trial *t, double from, double to, const char *options);
/* The consistent start only. */
void trial_start(trial *t, double from);

/* The value of a variable in the last row. */
double trial_value(const trial *t, const char *name);
#define trial_expect(t, name, wanted, tol) expect_near(trial_value(t, name), wanted, tol)
#endif
