/* python_calls.c - see python_calls.h. */
#include "python_calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- arguments and results ---- */

static bool argument_make(argument *a, PyObject *new_array, Py_ssize_t n)
{
    PyObject *array = PyObject_CallFunction(new_array, "n", n);
    double *at = array ? array_data(array) : NULL;
    if (!at) {
        Py_XDECREF(array);
        return false;
    }
    Py_XDECREF(a->array);
    *a = (argument){array, at, n};
    return true;
}

/* A new array is made if somebody has kept the last one. */
static bool argument_fill(const python_calls *c, argument *a, const double *from)
{
    if (Py_REFCNT(a->array) > 1 && !argument_make(a, c->new_array, a->n))
        return false;
    memcpy(a->at, from, (size_t)a->n * sizeof *from);
    return true;
}

/* The tuple of the last call holds its arrays: it is dropped before they are used elsewhere. */
static void forget_point(python_calls *c)
{
    Py_CLEAR(c->point);
}

/* (t, y, extra...) or (t, y, yp, extra...), with t and the arrays to be filled in; borrowed. */
static PyObject *new_point(python_calls *c, Py_ssize_t k)
{
    Py_ssize_t n_extra = PyTuple_Size(c->extra);
    PyObject *args = PyTuple_New(k + n_extra);
    if (!args)
        return NULL;
    Py_INCREF(c->y.array);
    PyTuple_SetItem(args, 1, c->y.array);
    if (k == 3) {
        Py_INCREF(c->yp.array);
        PyTuple_SetItem(args, 2, c->yp.array);
    }
    for (Py_ssize_t i = 0; i < n_extra; i++) {
        PyObject *one = PyTuple_GetItem(c->extra, i);
        Py_INCREF(one);
        PyTuple_SetItem(args, k + i, one);
    }
    c->n_point = k;
    return c->point = args;
}

/* Whether the tuple of the last call, of k entries before `extra`, is ours alone with its arrays.
 */
static bool is_point_free(const python_calls *c, Py_ssize_t k)
{
    return c->point && c->n_point == k && Py_REFCNT(c->point) == 1 && Py_REFCNT(c->y.array) == 2 &&
           (k == 2 || Py_REFCNT(c->yp.array) == 2);
}

/* The arguments of a call of a function: a new reference.  The tuple and the arrays are those of
 * the last call, unless a function has kept one of them.                              */
static PyObject *arguments_for(python_calls *c, double t, const double *y, const double *yp)
{
    Py_ssize_t k = yp ? 3 : 2;
    PyObject *time = PyFloat_FromDouble(t);
    if (is_point_free(c, k)) {
        memcpy(c->y.at, y, (size_t)c->n * sizeof *y);
        if (yp)
            memcpy(c->yp.at, yp, (size_t)c->n * sizeof *yp);
    } else {
        forget_point(c);
        if (!argument_fill(c, &c->y, y) || (yp && !argument_fill(c, &c->yp, yp)) || !time ||
            !new_point(c, k)) {
            Py_XDECREF(time);
            return NULL;
        }
    }
    if (!time || PyTuple_SetItem(c->point, 0, time) < 0)
        return NULL;
    Py_INCREF(c->point);
    return c->point;
}

static bool store_sequence(PyObject *result, double *r, Py_ssize_t n)
{
    bool is_list = PyList_Check(result) != 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        r[i] = PyFloat_AsDouble(is_list ? PyList_GetItem(result, i) : PyTuple_GetItem(result, i));
        if (r[i] == -1.0 && PyErr_Occurred())
            return false;
    }
    return true;
}

/* An array of n doubles: the ordinary case. */
static bool store_array(python_calls *c, PyObject *result, double *r)
{
    if (array_reader_copy(&c->reader, result, c->n, r))
        return true;
    PyObject *dtype = PyObject_GetAttr(result, c->dtype_name);
    bool good = dtype == c->float64 && PyObject_Size(result) == c->n &&
                PyObject_SetItem(c->r.array, Py_Ellipsis, result) == 0;
    Py_XDECREF(dtype);
    if (good)
        memcpy(r, c->r.at, (size_t)c->n * sizeof *r);
    return good;
}

/* What a function returned becomes n doubles; what is unusual about it Python explains, in words
 * that begin with `what`.                                                         */
static bool store(python_calls *c, PyObject *result, double *r, const char *what)
{
    bool is_list = PyList_Check(result) || PyTuple_Check(result);
    bool good = is_list ? PyObject_Size(result) == c->n && store_sequence(result, r, c->n)
                        : store_array(c, result, r);
    if (good)
        return true;
    PyErr_Clear();
    PyObject *converted = PyObject_CallFunction(c->convert, "Ois", result, (int)c->n, what);
    good = converted && store_array(c, converted, r);
    Py_XDECREF(converted);
    return good;
}

/* ---- points that were announced ---- */

typedef struct evaluated_point {
    int32_t n;
    double t;
    const double *y, *yp;
} evaluated_point;

static bool announced_find(announced_points *p, const evaluated_point *at, double *r)
{
    size_t n = (size_t)at->n, bytes = n * sizeof *r;
    for (int32_t k = p->next; k < p->count && p->t == at->t; k++) {
        const double *known = p->values + 3 * n * (size_t)k;
        if (memcmp(known, at->y, bytes) != 0 || (at->yp && memcmp(known + n, at->yp, bytes) != 0))
            continue;
        memcpy(r, known + 2 * n, bytes);
        p->next = k + 1;
        return true;
    }
    return false;
}

static bool announced_reserve(announced_points *p, size_t numbers)
{
    if (numbers <= p->capacity)
        return true;
    double *bigger = realloc(p->values, numbers * sizeof *bigger);
    if (!bigger)
        return false;
    p->values = bigger;
    p->capacity = numbers;
    return true;
}

/* An array of this many numbers, in place of a smaller or larger one. */
static bool argument_resize(const python_calls *c, argument *a, Py_ssize_t n, const double *from)
{
    if (a->n != n && !argument_make(a, c->new_array, n))
        return false;
    return argument_fill(c, a, from);
}

static void announced_store(python_calls *c, int32_t count, const double *y, const double *yp,
                            const double *r)
{
    size_t n = (size_t)c->n, bytes = n * sizeof *r;
    for (size_t k = 0; k < (size_t)count; k++) {
        double *to = c->announced.values + 3 * n * k;
        memcpy(to, y + k * n, bytes);
        if (yp)
            memcpy(to + n, yp + k * n, bytes);
        memcpy(to + 2 * n, r + k * n, bytes);
    }
    c->announced.count = count;
    c->announced.next = 0;
}

/* One call of a vectorised function for all points; many() returns an array of count n doubles. */
static int announce(double t, int32_t count, const double *y, const double *yp, void *user)
{
    python_calls *c = user;
    Py_ssize_t numbers = (Py_ssize_t)count * c->n;
    if (c->watch->failed)
        return DAEDAL_CALL_STOP;
    c->announced.count = 0;
    c->announced.t = t;
    PyObject *result = NULL;
    if (!announced_reserve(&c->announced, 3 * (size_t)numbers))
        PyErr_NoMemory();
    else if (argument_resize(c, &c->many_y, numbers, y) &&
             (!yp || argument_resize(c, &c->many_yp, numbers, yp)))
        result = PyObject_CallFunction(c->many, "dOOi", t, c->many_y.array,
                                       yp ? c->many_yp.array : Py_None, (int)count);
    const double *r = result ? array_data(result) : NULL;
    if (r)
        announced_store(c, count, y, yp, r);
    Py_XDECREF(result);
    return r ? DAEDAL_CALL_OK : watch_keep_exception(c->watch);
}

/* ---- the functions of the system ---- */

static int call_fun(python_calls *c, double t, const double *y, const double *yp, double *r)
{
    if (announced_find(&c->announced, &(evaluated_point){c->n, t, y, yp}, r) ||
        recent_points_find(&c->recent, t, y, yp, r))
        return DAEDAL_CALL_OK;
    PyObject *args = arguments_for(c, t, y, yp);
    PyObject *result = args ? PyObject_Call(c->fun, args, c->keywords) : NULL;
    Py_XDECREF(args);
    bool good = result && store(c, result, r, "the function");
    Py_XDECREF(result);
    if (!good)
        return watch_keep_exception(c->watch);
    recent_points_add(&c->recent, t, y, yp, r);
    return DAEDAL_CALL_OK;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    python_calls *c = user;
    if (c->watch->failed)
        return DAEDAL_CALL_STOP;
    if (!c->fun)
        return ((daedal_residual_fn *)(uintptr_t)c->native)(t, y, yp, r, c->native_user);
    return call_fun(c, t, y, yp, r);
}

static int rhs(double t, const double *y, double *f, void *user)
{
    python_calls *c = user;
    if (c->watch->failed)
        return DAEDAL_CALL_STOP;
    if (!c->fun)
        return ((daedal_rhs_fn *)(uintptr_t)c->native)(t, y, f, c->native_user);
    return call_fun(c, t, y, NULL, f);
}

/* fill(t, y[, yp, c], values), where values is an array of zeros on entry. */
static int call_fill(python_calls *c, PyObject *fill, PyObject *args, argument *values, double *to)
{
    PyObject *answer = args ? PyObject_Call(fill, args, NULL) : NULL;
    Py_XDECREF(args);
    Py_XDECREF(answer);
    if (!answer)
        return watch_keep_exception(c->watch);
    memcpy(to, values->at, (size_t)values->n * sizeof *to);
    return DAEDAL_CALL_OK;
}

static int jacobian(double t, const double *y, const double *yp, double factor, double *values,
                    void *user)
{
    python_calls *c = user;
    if (c->watch->failed)
        return DAEDAL_CALL_STOP;
    memset(c->jac_values.at, 0, (size_t)c->jac_values.n * sizeof *values);
    forget_point(c);
    PyObject *args = NULL;
    if (argument_fill(c, &c->y, y) && argument_fill(c, &c->yp, yp))
        args = Py_BuildValue("(dOOdO)", t, c->y.array, c->yp.array, factor, c->jac_values.array);
    return call_fill(c, c->jac, args, &c->jac_values, values);
}

/* fill(t, y, values) */
static int call_fill_at(python_calls *c, PyObject *fill, double t, const double *y,
                        argument *values, double *to)
{
    if (c->watch->failed)
        return DAEDAL_CALL_STOP;
    memset(values->at, 0, (size_t)values->n * sizeof *to);
    forget_point(c);
    PyObject *args = NULL;
    if (argument_fill(c, &c->y, y))
        args = Py_BuildValue("(dOO)", t, c->y.array, values->array);
    return call_fill(c, fill, args, values, to);
}

static int rhs_jacobian(double t, const double *y, double *values, void *user)
{
    python_calls *c = user;
    return call_fill_at(c, c->jac, t, y, &c->jac_values, values);
}

static int mass(double t, const double *y, double *values, void *user)
{
    python_calls *c = user;
    return call_fill_at(c, c->mass, t, y, &c->mass_values, values);
}

/* The number that an event function returned; false: an exception is set. */
static bool store_event(PyObject *result, int32_t i, double *g)
{
    *g = PyFloat_AsDouble(result);
    if (*g != -1.0 || !PyErr_Occurred())
        return true;
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "event %d returned %R; one number is expected", (int)i, result);
    return false;
}

static int events(double t, const double *y, const double *yp, double *g, void *user)
{
    python_calls *c = user;
    if (c->watch->failed)
        return DAEDAL_CALL_STOP;
    for (int32_t i = 0; i < c->n_events; i++) {
        PyObject *args = arguments_for(c, t, y, yp);
        PyObject *result =
            args ? PyObject_Call(PyTuple_GetItem(c->events, i), args, c->keywords) : NULL;
        Py_XDECREF(args);
        bool good = result && store_event(result, i, &g[i]);
        Py_XDECREF(result);
        if (!good)
            return watch_keep_exception(c->watch);
    }
    return DAEDAL_CALL_OK;
}

bool python_calls_action(python_calls *c, PyObject *action, double t, double *y, const double *yp,
                         bool *changed)
{
    PyObject *args = arguments_for(c, t, y, yp);
    PyObject *result = args ? PyObject_Call(action, args, c->keywords) : NULL;
    Py_XDECREF(args);
    *changed = result && result != Py_None;
    bool good = result && (result == Py_None || store(c, result, y, "the action of an event"));
    Py_XDECREF(result);
    if (!good)
        watch_keep_exception(c->watch);
    return good;
}

/* ---- set-up ---- */

bool python_calls_begin(python_calls *c, PyObject *spec, watch *w)
{
    *c = (python_calls){.n = (int32_t)spec_int(spec, "n", 0), .watch = w};
    c->has_rhs = spec_int(spec, "has_rhs", 0) != 0;
    c->fun = spec_item(spec, "fun");
    c->extra = spec_item(spec, "extra");
    c->keywords = spec_item(spec, "keywords");
    c->jac = spec_item(spec, "jac");
    c->mass = spec_item(spec, "mass");
    c->events = spec_item(spec, "events");
    c->many = spec_item(spec, "many");
    c->n_events = c->events ? (int32_t)PyTuple_Size(c->events) : 0;
    c->new_array = spec_item(spec, "new_array");
    c->convert = spec_item(spec, "convert");
    c->float64 = spec_item(spec, "float64");
    c->dtype_name = PyUnicode_InternFromString("dtype");
    c->native = (void *)(uintptr_t)spec_int(spec, "native", 0);
    c->native_user = (void *)(uintptr_t)spec_int(spec, "native_user", 0);
    Py_ssize_t n_jac = (Py_ssize_t)spec_int(spec, "n_jac_values", 0),
               n_mass = (Py_ssize_t)spec_int(spec, "n_mass_values", 0);
    if (!recent_points_begin(&c->recent, c->n))
        PyErr_NoMemory();
    return c->dtype_name && !PyErr_Occurred() && argument_make(&c->y, c->new_array, c->n) &&
           argument_make(&c->yp, c->new_array, c->n) && argument_make(&c->r, c->new_array, c->n) &&
           array_reader_begin(&c->reader, c->r.array, c->r.at, c->n, c->float64) &&
           (!c->jac || argument_make(&c->jac_values, c->new_array, n_jac)) &&
           (!c->mass || argument_make(&c->mass_values, c->new_array, n_mass));
}

void python_calls_end(python_calls *c)
{
    recent_points_end(&c->recent);
    free(c->announced.values);
    forget_point(c);
    Py_CLEAR(c->many_y.array);
    Py_CLEAR(c->many_yp.array);
    Py_CLEAR(c->dtype_name);
    Py_CLEAR(c->y.array);
    Py_CLEAR(c->yp.array);
    Py_CLEAR(c->r.array);
    Py_CLEAR(c->jac_values.array);
    Py_CLEAR(c->mass_values.array);
}

void python_calls_describe(python_calls *c, daedal_system *system)
{
    system->n = c->n;
    system->user = c;
    system->announce = c->many ? announce : NULL;
    if (c->has_rhs) {
        system->rhs = rhs;
        system->rhs_jacobian = c->jac ? rhs_jacobian : NULL;
        system->mass = c->mass ? mass : NULL;
    } else {
        system->residual = residual;
        system->jacobian = c->jac ? jacobian : NULL;
    }
    system->n_events = c->n_events;
    system->events = c->n_events > 0 ? events : NULL;
}
