/* array_fields.c - see array_fields.h. */
#include "array_fields.h"

#include <string.h>

typedef struct array_fields {
    PyObject head;
    char *data;
    int n_dimensions;
    Py_ssize_t *size, *stride; /* by dimension; strides in bytes                      */
    PyObject *base, *dtype;
} array_fields;

static bool is_double_vector(const array_fields *f, PyObject *float64, Py_ssize_t n)
{
    return f->dtype == float64 && f->n_dimensions == 1 && f->size[0] == n;
}

/* The object is at least as long as the fields that are read. */
static bool is_long_enough(PyObject *array)
{
    PyObject *size = PyObject_GetAttrString((PyObject *)Py_TYPE(array), "__basicsize__");
    bool answer = size && PyLong_AsSsize_t(size) >= (Py_ssize_t)sizeof(array_fields);
    Py_XDECREF(size);
    return answer;
}

bool array_reader_begin(array_reader *a, PyObject *known, const double *at, Py_ssize_t n,
                        PyObject *float64)
{
    const array_fields *f = (const array_fields *)known;
    *a = (array_reader){.float64 = float64};
    if (is_long_enough(known) && f->data == (const char *)at && n > 0 &&
        is_double_vector(f, float64, n) && f->stride[0] == (Py_ssize_t)sizeof(double))
        a->type = Py_TYPE(known);
    return !PyErr_Occurred();
}

bool array_reader_copy(const array_reader *a, PyObject *array, Py_ssize_t n, double *to)
{
    const array_fields *f = (const array_fields *)array;
    if (Py_TYPE(array) != a->type || !is_double_vector(f, a->float64, n))
        return false;
    if (f->stride[0] == (Py_ssize_t)sizeof *to) {
        memcpy(to, f->data, (size_t)n * sizeof *to);
        return true;
    }
    for (Py_ssize_t i = 0; i < n; i++) /* a column of a matrix, or a reversed vector */
        memcpy(to + i, f->data + i * f->stride[0], sizeof *to);
    return true;
}
