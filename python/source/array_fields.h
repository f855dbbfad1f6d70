/* array_fields.h - read the numbers of a NumPy array without NumPy's headers and without a call.
 *
 * The interface of C extensions to NumPy contains macros (PyArray_DATA, PyArray_STRIDES) that read
 * the first fields of an array where they lie, so that their order cannot change while compiled
 * extensions go on working; NumPy 1 and 2 have the same.  It is not relied on unseen: the fields of
 * an array whose content is known are compared with what Python says of it, and where they differ
 * arrays are copied by a method of Python.
 * Depends on: native.h. */
#ifndef DAEDAL_ARRAY_FIELDS_H
#define DAEDAL_ARRAY_FIELDS_H

#include "native.h"

typedef struct array_reader {
    PyTypeObject *type; /* numpy.ndarray, or NULL: fields are not where they are expected;
                           borrowed, as the following                                   */
    PyObject *float64;  /* the dtype of doubles                                       */
} array_reader;

/* `known` is a vector of n doubles at the address `at`.  false: an exception is set. */
bool array_reader_begin(array_reader *a, PyObject *known, const double *at, Py_ssize_t n,
                        PyObject *float64);

/* Copy a vector of n doubles; false without an exception: it is something else. */
bool array_reader_copy(const array_reader *a, PyObject *array, Py_ssize_t n, double *to);
#endif
