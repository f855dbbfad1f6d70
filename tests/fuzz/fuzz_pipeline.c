/* tests/fuzz/fuzz_pipeline.c - any bytes from text to trajectory: read, analyse, run briefly.
 *
 * Whatever the text, the answer is a model or an error with a sentence (one with a place, if
 * the text is wrong); memory is bounded, and all of it comes back.  Built with libFuzzer
 *     tools/fuzz.sh pipeline
 * or with replay.c, which runs the stored corpus and its mutations in ordinary tests.  */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daedal.h"
#include "token_mutator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
#ifdef DAEDAL_LIBFUZZER
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
#endif

enum { STEPS_MAX = 30, ROWS_MAX = 60, BYTES_MAX = 1 << 28 };

static void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz_pipeline: %s\n", what);
    abort();
}

/* ---- memory: at most so much, and all of it given back ---- */

typedef struct purse {
    size_t live;
    bool refused;
} purse;

static void *resize(void *p, size_t old_size, size_t new_size, void *user)
{
    purse *own = user;
    if (new_size > old_size && own->live - old_size + new_size > BYTES_MAX) {
        own->refused = true;
        return NULL;
    }
    void *q = new_size ? realloc(p, new_size) : NULL;
    if (!new_size)
        free(p);
    if (q || !new_size)
        own->live = own->live - old_size + new_size;
    return q;
}

/* ---- a short run ---- */

typedef struct patience {
    int steps, rows;
} patience;

static int on_progress(const daedal_progress *where, void *user)
{
    (void)where;
    return ++((patience *)user)->steps > STEPS_MAX ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

static int on_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    (void)kind, (void)t, (void)values;
    return ++((patience *)user)->rows > ROWS_MAX ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

static void run(daedal_model *m, const purse *own)
{
    patience left = {0};
    daedal_options opt;
    daedal_options_defaults(&opt);
    opt.rtol = 1e-3;
    opt.max_steps = STEPS_MAX;
    opt.progress = on_progress;
    opt.callback_user = &left;
    daedal_simulation how = {
        .t_stop = 1.0, .intervals = 5, .options = &opt, .row = on_row, .row_user = &left};
    daedal_outcome out;
    daedal_status status = daedal_model_simulate(m, &how, &out);
    require(status != DAEDAL_ERR_ARGUMENT, "a run was refused");
    require(status >= 0 || out.diagnosis.message[0], "a run failed without a word");
    require(status != DAEDAL_ERR_MEMORY || own->refused, "a run was out of memory without need");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    purse own = {0};
    daedal_allocator allocator = {resize, &own};
    daedal_model_options options = {.allocator = &allocator};
    daedal_model *m = NULL;
    daedal_model_structure structure;
    daedal_incidence matrix;
    daedal_diagnosis why;
    char message[4096];
    daedal_status status = daedal_model_parse(&m, "fuzz.mo", (const char *)data, size, &options,
                                              message, sizeof message);
    require((m != NULL) == (status >= 0), "a model and an error, or neither");
    require(m || message[0], "an error without a word");
    require(status != DAEDAL_ERR_MODEL || strncmp(message, "fuzz.mo:", 8) == 0,
            "an error without a place");
    require(status != DAEDAL_ERR_MEMORY || own.refused, "out of memory without need");
    if (m) {
        require(daedal_model_analyze(m, &structure, &why) >= 0, "no structure");
        status = daedal_model_incidence(m, &matrix, &why);
        require(status >= 0 || own.refused, "no incidence");
        run(m, &own);
    }
    daedal_model_free(m);
    require(own.live == 0, "memory was not given back");
    return 0;
}

#ifdef DAEDAL_LIBFUZZER
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return seed % 8 == 0 ? LLVMFuzzerMutate(data, size, room)
                         : tokens_mutate(data, size, room, seed);
}
#endif
