/* python_calls.h - a daedal_system whose functions are written in Python.
 *
 * Responsibility: calls of the user's functions with arrays that are made once, the conversion of
 * what they return, exceptions.
 * Depends on: native.h, array_fields.h, recent_points.h. */
#ifndef DAEDAL_PYTHON_CALLS_H
#define DAEDAL_PYTHON_CALLS_H

#include "array_fields.h"
#include "native.h"
#include "recent_points.h"

/* An array that a function receives.  If the function keeps it, the next call gets another one. */
typedef struct argument {
    PyObject *array;
    double *at;
    Py_ssize_t n;
} argument;

/* Points that were computed at once and are about to be asked for. */
typedef struct announced_points {
    int32_t count, next;
    double t;
    double *values; /* y, y', r of each point                                           */
    size_t capacity;
} announced_points;

typedef struct python_calls {
    int32_t n, n_events;
    bool has_rhs;         /* fun(t, y) of M y' = f, else fun(t, y, yp)                */
    PyObject *fun;        /* NULL: `native`; what follows is borrowed                */
    PyObject *extra;      /* tuple: further arguments                                */
    PyObject *keywords;   /* dict, or NULL                                           */
    PyObject *jac, *mass; /* fill(t, y, yp, c, values), fill(t, y, values), or NULL  */
    PyObject *events;     /* tuple of functions                                      */
    PyObject *new_array;  /* new_array(n)                                            */
    PyObject *convert;    /* convert(result, n): an array of doubles, or an exception */
    PyObject *float64;    /* the dtype of doubles                                    */
    PyObject *dtype_name; /* "dtype", interned                                       */
    void *native;         /* a daedal_residual_fn or daedal_rhs_fn                   */
    void *native_user;    /* its last argument                                       */
    argument y, yp, r, jac_values, mass_values;
    PyObject *point;      /* the tuple (t, y, yp, extra...) of the last call, or NULL */
    Py_ssize_t n_point;   /* its entries before `extra`: 2 or 3                        */
    array_reader reader;  /* of what fun returns                                     */
    recent_points recent; /* of fun                                                  */
    PyObject *many;       /* many(t, y, yp, count) of a vectorised fun, or NULL; borrowed */
    argument many_y, many_yp;
    announced_points announced; /* what it returned last                              */
    watch *watch;
} python_calls;

/* false: an exception is set; python_calls_end in any case. */
bool python_calls_begin(python_calls *c, PyObject *spec, watch *w);
void python_calls_end(python_calls *c);

/* Fill in the functions of a system, whose patterns and lists are set elsewhere. */
void python_calls_describe(python_calls *c, daedal_system *system);

/* action(t, y, yp) -> new y, or None: *changed is false.  y is replaced.  false: an exception was
 * kept.                                                                          */
bool python_calls_action(python_calls *c, PyObject *action, double t, double *y, const double *yp,
                         bool *changed);
#endif
