/* native.h - what the files of the Python extension share.
 *
 * The extension uses the stable ABI of Python 3.9 and no headers of NumPy: arrays are made by
 * Python, and C reads their addresses from __array_interface__.
 * Depends on: Python.h (limited API), daedal.h.                                  */
#ifndef DAEDAL_PYTHON_NATIVE_H
#define DAEDAL_PYTHON_NATIVE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

#include <daedal.h>
#include <stdbool.h>

/* ---- conversion.c: values between Python and C; on failure a Python exception is set ---- */

/* An item of a dictionary, borrowed; NULL without an exception if it is missing or None. */
PyObject *spec_item(PyObject *dict, const char *key);
double spec_double(PyObject *dict, const char *key, double otherwise);
int64_t spec_int(PyObject *dict, const char *key, int64_t otherwise);
const char *spec_text(PyObject *dict, const char *key); /* NULL: missing */

/* The address of the data of a NumPy array, which is contiguous and of the right type: Python has
 * seen to that.  NULL with an exception; NULL without one if `array` is NULL.      */
void *array_data(PyObject *array);
double *spec_doubles(PyObject *dict, const char *key);
daedal_ints spec_ints(PyObject *dict, const char *key, int32_t n);

/* Put a new reference into a dictionary and drop it; false: an exception is set. */
bool put(PyObject *dict, const char *key, PyObject *value);
PyObject *text_or_none(const char *text);
PyObject *stats_dict(const daedal_stats *stats);
PyObject *diagnosis_dict(const daedal_diagnosis *why);
PyObject *limiters_list(const daedal_limiter *list, int32_t n);

/* Options by name; values are texts.  false: an exception is set. */
bool read_options(PyObject *settings, daedal_options *options);
/* Times at which F may jump: `breakpoints` and `n_breakpoints` of a run. */
void read_breakpoints(PyObject *spec, daedal_options *options);

/* ---- growing arrays ---- */

typedef struct doubles {
    double *at;
    size_t n, room;
} doubles;

/* Room for n more, or NULL; an exception is not set. */
double *doubles_add(doubles *d, size_t n);
bool doubles_append(doubles *d, const double *from, size_t n);
PyObject *doubles_bytes(const doubles *d); /* a bytearray with a copy */
void doubles_free(doubles *d);

/* ---- watch.c: signals, time limits and progress of a run ---- */

typedef struct watch {
    PyThreadState *released; /* the interpreter is free for other threads: not NULL  */
    PyObject *progress;      /* or NULL: called with (t, steps), borrowed             */
    double deadline;         /* of the monotonic clock, or INFINITY                  */
    double next_look, next_report;
    bool is_late, is_interrupted; /* why the run was stopped                          */
    bool failed;                  /* an exception is kept in the following            */
    PyObject *type, *value, *traceback;
    PyObject *warnings;           /* list of texts                                             */
    const volatile int32_t *stop; /* of a sweep: not 0 when all runs shall end        */
} watch;

bool watch_begin(watch *w, PyObject *spec);
void watch_end(watch *w); /* drops what is kept */
void watch_release(watch *w);
void watch_enter(watch *w); /* before Python code in a callback ... */
void watch_leave(watch *w, bool was_released);
/* Keep the exception that is set; a callback then returns DAEDAL_CALL_STOP. */
int watch_keep_exception(watch *w);
bool watch_raise(watch *w); /* whether an exception was kept, which is now set again */
int watch_progress(const daedal_progress *where, void *user);
void watch_log(daedal_log_level level, const char *message, void *user);

/* ---- dense_record.c: the solution over a whole run ---- */

typedef struct dense_record {
    doubles bounds; /* begin and end of each piece                                   */
    doubles points; /* number of points of each piece                                */
    doubles values; /* y at all points                                               */
} dense_record;

enum { DENSE_POINTS_MOST = 16 };
int32_t dense_points(int32_t order);
/* Point k of n of a piece: Chebyshev points of the second kind, from 0 to 1. */
double dense_place(int32_t k, int32_t n);
bool dense_begin_piece(dense_record *d, double t_from, double t_to, int32_t n_points);
PyObject *dense_dict(const dense_record *d);
void dense_free(dense_record *d);
PyObject *native_dense_values(PyObject *self, PyObject *args);

/* ---- the functions of the module ---- */

PyObject *native_run_function(PyObject *self, PyObject *spec);
PyObject *native_analyze_function(PyObject *self, PyObject *spec);
PyObject *native_model_read(PyObject *self, PyObject *argument);
PyObject *native_model_describe(PyObject *self, PyObject *argument);
PyObject *native_model_analyze(PyObject *self, PyObject *argument);
PyObject *native_model_find(PyObject *self, PyObject *args);
PyObject *native_model_set(PyObject *self, PyObject *args);
PyObject *native_model_set_parameters(PyObject *self, PyObject *args);
PyObject *native_model_get(PyObject *self, PyObject *args);
PyObject *native_model_feed(PyObject *self, PyObject *args);
PyObject *native_model_run(PyObject *self, PyObject *args);
PyObject *native_model_start(PyObject *self, PyObject *args);
PyObject *native_model_begin(PyObject *self, PyObject *args);
PyObject *native_model_advance(PyObject *self, PyObject *args);
PyObject *native_model_end(PyObject *self, PyObject *argument);
PyObject *native_model_linearize(PyObject *self, PyObject *args);
PyObject *native_model_fit(PyObject *self, PyObject *args);
PyObject *native_model_sweep(PyObject *self, PyObject *args);
#endif
