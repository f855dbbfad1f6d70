/* conversion.c - values between Python and C. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

PyObject *spec_item(PyObject *dict, const char *key)
{
    PyObject *value = PyDict_GetItemString(dict, key);
    return value == Py_None ? NULL : value;
}

double spec_double(PyObject *dict, const char *key, double otherwise)
{
    PyObject *value = spec_item(dict, key);
    return value ? PyFloat_AsDouble(value) : otherwise;
}

int64_t spec_int(PyObject *dict, const char *key, int64_t otherwise)
{
    PyObject *value = spec_item(dict, key);
    return value ? PyLong_AsLongLong(value) : otherwise;
}

const char *spec_text(PyObject *dict, const char *key)
{
    PyObject *value = spec_item(dict, key);
    return value ? PyBytes_AsString(value) : NULL;
}

void *array_data(PyObject *array)
{
    if (!array)
        return NULL;
    PyObject *interface = PyObject_GetAttrString(array, "__array_interface__");
    if (!interface)
        return NULL;
    PyObject *data = PyDict_GetItemString(interface, "data"); /* (address, is read only) */
    void *address = data ? PyLong_AsVoidPtr(PyTuple_GetItem(data, 0)) : NULL;
    Py_DECREF(interface);
    if (!address && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "an array without data");
    return address;
}

double *spec_doubles(PyObject *dict, const char *key)
{
    return array_data(spec_item(dict, key));
}

daedal_ints spec_ints(PyObject *dict, const char *key, int32_t n)
{
    PyObject *array = spec_item(dict, key);
    return (daedal_ints){.at = array_data(array), .n = array ? n : 0};
}

bool put(PyObject *dict, const char *key, PyObject *value)
{
    if (!value)
        return false;
    int answer = PyDict_SetItemString(dict, key, value);
    Py_DECREF(value);
    return answer == 0;
}

PyObject *text_or_none(const char *text)
{
    if (text)
        return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    Py_INCREF(Py_None);
    return Py_None;
}

PyObject *stats_dict(const daedal_stats *s)
{
#define COUNT(name) #name, (long long)s->name
    return Py_BuildValue(
        "{s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:d,s:d,s:i}",
        COUNT(steps), COUNT(rejected_error), COUNT(rejected_newton), COUNT(residuals),
        COUNT(jacobian_residuals), COUNT(jacobians), COUNT(factorizations), COUNT(solves),
        COUNT(iterations), COUNT(event_calls), COUNT(events), COUNT(restarts), COUNT(projections),
        COUNT(solver_reallocations), COUNT(pattern_repairs), COUNT(krylov_iterations),
        COUNT(jacobian_products), "h_last", s->h_last, "h_next", s->h_next, "order_last",
        (int)s->order_last);
#undef COUNT
}

PyObject *diagnosis_dict(const daedal_diagnosis *why)
{
    return Py_BuildValue("{s:s,s:s,s:d,s:i,s:i,s:N,s:N}", "status", daedal_status_name(why->status),
                         "cause", daedal_cause_name(why->cause), "t", why->t, "equation",
                         (int)why->equation, "variable", (int)why->variable, "message",
                         text_or_none(why->message), "hint", text_or_none(why->hint));
}

PyObject *limiters_list(const daedal_limiter *list, int32_t n)
{
    PyObject *all = PyList_New(0);
    for (int32_t i = 0; all && i < n; i++) {
        PyObject *one =
            Py_BuildValue("{s:i,s:N,s:L,s:L,s:L}", "number", (int)list[i].number, "name",
                          text_or_none(list[i].name), "steps", (long long)list[i].steps,
                          "rejected_error", (long long)list[i].rejected_error, "rejected_newton",
                          (long long)list[i].rejected_newton);
        if (!one || PyList_Append(all, one) < 0)
            Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

bool read_options(PyObject *settings, daedal_options *options)
{
    PyObject *key, *value;
    Py_ssize_t place = 0;
    daedal_options_defaults(options);
    while (settings && PyDict_Next(settings, &place, &key, &value)) {
        const char *name = PyBytes_AsString(key), *text = PyBytes_AsString(value);
        if (!name || !text)
            return false;
        if (daedal_options_set(options, name, text) < 0) {
            PyErr_Format(PyExc_ValueError, "option %s cannot be '%s'", name, text);
            return false;
        }
    }
    return true;
}

void read_breakpoints(PyObject *spec, daedal_options *options)
{
    options->breakpoints = (daedal_doubles){spec_doubles(spec, "breakpoints"),
                                            (int32_t)spec_int(spec, "n_breakpoints", 0)};
}

double *doubles_add(doubles *d, size_t n)
{
    if (d->n + n > d->room) {
        size_t room = 2 * d->room > d->n + n ? 2 * d->room : d->n + n + 64;
        double *at = realloc(d->at, room * sizeof *at);
        if (!at)
            return NULL;
        d->at = at;
        d->room = room;
    }
    d->n += n;
    return d->at + d->n - n;
}

bool doubles_append(doubles *d, const double *from, size_t n)
{
    double *to = doubles_add(d, n);
    if (to && n > 0)
        memcpy(to, from, n * sizeof *to);
    return to != NULL;
}

PyObject *doubles_bytes(const doubles *d)
{
    return PyByteArray_FromStringAndSize((const char *)d->at, (Py_ssize_t)(d->n * sizeof *d->at));
}

void doubles_free(doubles *d)
{
    free(d->at);
    *d = (doubles){0};
}
