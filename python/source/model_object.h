/* model_object.h - a model as Python holds it.
 *
 * Responsibility: the capsule around a daedal_model, which one thread uses at a time.
 * Depends on: native.h.                                                          */
#ifndef DAEDAL_PYTHON_MODEL_OBJECT_H
#define DAEDAL_PYTHON_MODEL_OBJECT_H

#include "native.h"

typedef struct model_object {
    daedal_model *model;
    bool is_busy;   /* a call is under way, with the interpreter free for other threads   */
    watch stepping; /* of a run that the user drives (begin, advance, end)                */
    bool has_watch;
} model_object;

/* The object of a capsule, for a call; NULL with an exception if it is in use. */
model_object *model_enter(PyObject *capsule);
/* The same for a call whose arguments are the capsule and a dictionary. */
model_object *model_enter_with(PyObject *args, PyObject **spec);
void model_leave(model_object *m);

/* ValueError or RuntimeError with the message of the model's diagnosis; returns NULL. */
PyObject *raise_status(daedal_status status, const daedal_diagnosis *why);

/* The request of a run from a dictionary; the watch and the options must outlive it. */
bool read_simulation(PyObject *spec, watch *w, daedal_options *options, daedal_simulation *to);
PyObject *outcome_dict(const daedal_outcome *outcome, const watch *w);
#endif
