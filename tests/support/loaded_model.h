/* support/loaded_model.h - an equation file as a model, for tests that look inside.
 *
 * Responsibility: read, flatten, build, start and run a model; the test fails where that
 * fails.  Depends on: compile/model.h, cmocka.                                    */
#ifndef DAEDAL_SUPPORT_LOADED_MODEL_H
#define DAEDAL_SUPPORT_LOADED_MODEL_H

#include "simulate/simulation.h"

typedef struct loaded_model {
    compilation front;
    flat_model *flat;
    model m;
    simulation s;
    uint32_t *shown; /* every variable of the flat model */
    double *last;    /* their values in the last row     */
} loaded_model;

/* models/<name>.mo */
void loaded_model_open(loaded_model *l, const char *name);
/* A text instead. */
void loaded_model_open_text(loaded_model *l, const char *text);
void loaded_model_close(loaded_model *l);

/* The consistent start: afterwards l->m.compiled->values->x is that point. */
void loaded_model_start(loaded_model *l);
/* To t_stop, with atol times nominal; the values there in l->last. */
void loaded_model_run(loaded_model *l, double t_stop, const daedal_options *opt);

/* Number of the variable with this name; the test fails if there is none. */
uint32_t loaded_model_variable(const loaded_model *l, const char *name);
#endif
