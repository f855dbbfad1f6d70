/* model_object.c - models: reading, describing, setting. */
#include "model_object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CAPSULE_NAME "daedal.model"
#define MESSAGE_SIZE 4000

model_object *model_enter(PyObject *capsule)
{
    model_object *m = PyCapsule_GetPointer(capsule, CAPSULE_NAME);
    if (m && m->is_busy) {
        PyErr_SetString(PyExc_RuntimeError, "the model is in use by another thread, or by the call "
                                            "that this one comes from; use a copy for it");
        return NULL;
    }
    if (m)
        m->is_busy = true;
    return m;
}

model_object *model_enter_with(PyObject *args, PyObject **spec)
{
    PyObject *capsule;
    return PyArg_ParseTuple(args, "OO", &capsule, spec) ? model_enter(capsule) : NULL;
}

void model_leave(model_object *m)
{
    m->is_busy = false;
}

static void destroy(PyObject *capsule)
{
    model_object *m = PyCapsule_GetPointer(capsule, CAPSULE_NAME);
    daedal_model_free(m->model);
    if (m->has_watch)
        watch_end(&m->stepping);
    free(m);
}

PyObject *raise_status(daedal_status status, const daedal_diagnosis *why)
{
    if (status == DAEDAL_ERR_MEMORY)
        return PyErr_NoMemory();
    bool is_input = status == DAEDAL_ERR_ARGUMENT || status == DAEDAL_ERR_MODEL ||
                    status == DAEDAL_ERR_STRUCTURE;
    PyErr_Format(is_input ? PyExc_ValueError : PyExc_RuntimeError, "%s%s%s", why->message,
                 why->hint[0] ? " " : "", why->hint);
    return NULL;
}

/* ---- reading ---- */

/* A list of (bytes, float) as settings; NULL with an exception, or if the list is empty. */
static daedal_setting *read_settings(PyObject *list, int32_t *n)
{
    *n = list ? (int32_t)PyList_Size(list) : 0;
    daedal_setting *to = *n > 0 ? calloc((size_t)*n, sizeof *to) : NULL;
    for (int32_t i = 0; to && i < *n; i++) {
        PyObject *pair = PyList_GetItem(list, i);
        to[i] = (daedal_setting){PyBytes_AsString(PyTuple_GetItem(pair, 0)),
                                 PyFloat_AsDouble(PyTuple_GetItem(pair, 1))};
    }
    return to;
}

static daedal_binding *read_bindings(PyObject *list, int32_t *n)
{
    *n = list ? (int32_t)PyList_Size(list) : 0;
    daedal_binding *to = *n > 0 ? calloc((size_t)*n, sizeof *to) : NULL;
    for (int32_t i = 0; to && i < *n; i++) {
        PyObject *pair = PyList_GetItem(list, i), *text = PyTuple_GetItem(pair, 1);
        to[i] = (daedal_binding){PyBytes_AsString(PyTuple_GetItem(pair, 0)),
                                 text == Py_None ? NULL : PyBytes_AsString(text)};
    }
    return to;
}

static PyObject *wrap(daedal_model *model)
{
    model_object *m = calloc(1, sizeof *m);
    PyObject *capsule = m ? PyCapsule_New(m, CAPSULE_NAME, destroy) : PyErr_NoMemory();
    if (!capsule) {
        free(m);
        daedal_model_free(model);
        return NULL;
    }
    m->model = model;
    return capsule;
}

static PyObject *raise_text(daedal_status status, const char *message)
{
    if (status == DAEDAL_ERR_MEMORY)
        return PyErr_NoMemory();
    PyObject *text = text_or_none(message);
    if (text)
        PyErr_SetObject(PyExc_ValueError, text);
    Py_XDECREF(text);
    return NULL;
}

/* model_read(spec): from `text`, or from the file `path`. */
PyObject *native_model_read(PyObject *self, PyObject *spec)
{
    daedal_model *model = NULL;
    daedal_model_options options = {0};
    char *message = calloc(1, MESSAGE_SIZE);
    const char *text = spec_text(spec, "text"), *path = spec_text(spec, "path");
    (void)self;
    daedal_setting *parameters =
                       read_settings(spec_item(spec, "parameters"), &options.n_parameters),
                   *starts = read_settings(spec_item(spec, "starts"), &options.n_starts);
    daedal_binding *inputs = read_bindings(spec_item(spec, "inputs"), &options.n_inputs);
    options.parameters = parameters;
    options.starts = starts;
    options.inputs = inputs;
    options.reduction = (daedal_reduction)spec_int(spec, "reduction", DAEDAL_REDUCE_AUTO);
    options.model_name = spec_text(spec, "model_name");
    options.allow_external = (int32_t)spec_int(spec, "allow_external", 0);
    PyObject *result = NULL;
    if (!PyErr_Occurred() && message) {
        daedal_status status;
        Py_BEGIN_ALLOW_THREADS /* the texts belong to the dictionary, which stays */
            status = text ? daedal_model_parse(&model, path, text, strlen(text), &options, message,
                                               MESSAGE_SIZE)
                          : daedal_model_read(&model, path, &options, message, MESSAGE_SIZE);
        Py_END_ALLOW_THREADS result = status < 0 ? raise_text(status, message) : wrap(model);
    }
    free(message);
    free(parameters);
    free(starts);
    free(inputs);
    return result;
}

/* ---- describing ---- */

static PyObject *variable_tuple(const daedal_model_variable *v, daedal_tuning tuning)
{
    static const char *const types[] = {"Real", "Integer", "Boolean", "enumeration"};
    static const char *const tunings[] = {"none", "final", "structure", "conditional", "live"};
    const char *kind = v->is_input       ? "input"
                       : v->is_parameter ? "parameter"
                       : v->is_constant  ? "constant"
                       : v->is_state     ? "state"
                       : v->is_discrete  ? "discrete"
                                         : "variable";
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:s,s:s,s:s,s:O,s:O,s:O,s:d,s:d,s:d,s:d,s:d}", "name", text_or_none(v->name),
        "unit", text_or_none(v->unit), "description", text_or_none(v->description), "type",
        types[v->type], "kind", kind, "tuning", tunings[tuning], "is_output",
        v->is_output ? Py_True : Py_False, "is_fixed", v->is_fixed ? Py_True : Py_False,
        "has_derivative", v->has_derivative ? Py_True : Py_False, "value", v->value, "start",
        v->start, "minimum", v->minimum, "maximum", v->maximum, "nominal", v->nominal);
}

static PyObject *text_list(const char *const *texts, int32_t n)
{
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < n; i++) {
        PyObject *one = text_or_none(texts[i]);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *variables_list(daedal_model *model, const daedal_model_info *info)
{
    daedal_tuning *tunings = calloc((size_t)info->n_variables + 1, sizeof *tunings);
    if (!tunings || daedal_model_tunings(model, tunings) < 0) {
        free(tunings);
        return PyErr_NoMemory();
    }
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < info->n_variables; i++) {
        PyObject *one = variable_tuple(&info->variables[i], tunings[i]);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    free(tunings);
    return list;
}

PyObject *native_model_describe(PyObject *self, PyObject *capsule)
{
    model_object *m = model_enter(capsule);
    (void)self;
    if (!m)
        return NULL;
    const daedal_model_info *info = daedal_model_describe(m->model);
    PyObject *result =
        Py_BuildValue("{s:N,s:N,s:i,s:d,s:d,s:d,s:d}", "name", text_or_none(info->name),
                      "description", text_or_none(info->description), "first_number",
                      (int)info->first_number, "start_time", info->start_time, "stop_time",
                      info->stop_time, "interval", info->interval, "tolerance", info->tolerance);
    if (result && (!put(result, "variables", variables_list(m->model, info)) ||
                   !put(result, "warnings", text_list(info->warnings, info->n_warnings))))
        Py_CLEAR(result);
    model_leave(m);
    return result;
}

static PyObject *int_list(const int32_t *values, int32_t n)
{
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < n; i++) {
        PyObject *one = PyLong_FromLong(values[i]);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *entries_list(const daedal_incidence *matrix)
{
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < matrix->n_entries; i++) {
        const daedal_incidence_entry *e = &matrix->entries[i];
        PyObject *one = Py_BuildValue("(iiii)", (int)e->equation, (int)e->variable,
                                      (int)e->derivative, (int)e->is_essential);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static bool put_incidence(PyObject *to, const daedal_incidence *m)
{
    return put(to, "incidence_equations", text_list(m->equations, m->n)) &&
           put(to, "incidence_variables", text_list(m->variables, m->n)) &&
           put(to, "incidence_lines", int_list(m->lines, m->n)) &&
           put(to, "entries", entries_list(m)) &&
           put(to, "block_start", int_list(m->block_start, m->n > 0 ? m->n_blocks + 1 : 0)) &&
           put(to, "equation_order", int_list(m->equation_order, m->n)) &&
           put(to, "variable_order", int_list(m->variable_order, m->n));
}

PyObject *native_model_analyze(PyObject *self, PyObject *capsule)
{
    model_object *m = model_enter(capsule);
    daedal_model_structure s;
    daedal_incidence matrix;
    daedal_diagnosis why;
    PyObject *result = NULL;
    (void)self;
    if (!m)
        return NULL;
    daedal_status status = daedal_model_analyze(m->model, &s, &why);
    if (status == DAEDAL_OK)
        status = daedal_model_incidence(m->model, &matrix, &why);
    int32_t n = daedal_model_describe(m->model)->n_variables;
    if (status < 0)
        raise_status(status, &why);
    else
        result =
            Py_BuildValue("{s:N,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:N,s:N,s:N}", "class_name",
                          text_or_none(s.class_name), "equations", (int)s.equations, "unknowns",
                          (int)s.unknowns, "states", (int)s.states, "aliases", (int)s.aliases,
                          "index", (int)s.index, "structural_index", (int)s.structural_index,
                          "degrees_of_freedom", (int)s.degrees_of_freedom, "blocks", (int)s.blocks,
                          "largest_block", (int)s.largest_block, "events", (int)s.n_events,
                          "hidden_constraints", text_list(s.hidden_constraints, s.n_hidden),
                          "variable_index", int_list(s.variable_index, s.variable_index ? n : 0),
                          "singular_start", text_or_none(s.singular_start));
    if (result && !put_incidence(result, &matrix))
        Py_CLEAR(result);
    model_leave(m);
    return result;
}

/* ---- setting ---- */

static PyObject *finish(model_object *m, daedal_status status)
{
    PyObject *result =
        status < 0 ? raise_status(status, daedal_model_diagnosis(m->model)) : text_or_none(NULL);
    model_leave(m);
    return result;
}

/* model_find(model, name): the number of a variable. */
PyObject *native_model_find(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    const char *name;
    (void)self;
    if (!PyArg_ParseTuple(args, "Os", &capsule, &name))
        return NULL;
    model_object *m = model_enter(capsule);
    if (!m)
        return NULL;
    int32_t number = daedal_model_find(m->model, name);
    if (number < 0)
        return finish(m, DAEDAL_ERR_ARGUMENT);
    model_leave(m);
    return PyLong_FromLong(number);
}

/* model_set(model, number, value) */
PyObject *native_model_set(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    int number;
    double value;
    (void)self;
    if (!PyArg_ParseTuple(args, "Oid", &capsule, &number, &value))
        return NULL;
    model_object *m = model_enter(capsule);
    return m ? finish(m, daedal_model_set(m->model, number, value)) : NULL;
}

/* model_set_parameters(model, [(name, value), ...]) */
PyObject *native_model_set_parameters(PyObject *self, PyObject *args)
{
    PyObject *capsule, *list;
    int32_t n;
    (void)self;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &list))
        return NULL;
    model_object *m = model_enter(capsule);
    if (!m)
        return NULL;
    daedal_setting *settings = read_settings(list, &n);
    if (PyErr_Occurred()) {
        free(settings);
        model_leave(m);
        return NULL;
    }
    daedal_status status = n > 0 ? daedal_model_set_parameters(m->model, settings, n) : DAEDAL_OK;
    free(settings);
    return finish(m, status);
}

/* model_get(model, number) */
PyObject *native_model_get(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    int number;
    double value = NAN;
    (void)self;
    if (!PyArg_ParseTuple(args, "Oi", &capsule, &number))
        return NULL;
    model_object *m = model_enter(capsule);
    if (!m)
        return NULL;
    PyObject *done = finish(m, daedal_model_get(m->model, number, &value));
    Py_XDECREF(done);
    return done ? PyFloat_FromDouble(value) : NULL;
}

/* model_feed(model, number, times, values, n, interpolation, extrapolation); n = 0: no longer */
PyObject *native_model_feed(PyObject *self, PyObject *args)
{
    PyObject *capsule, *times, *values;
    int number, n, interpolation, extrapolation;
    (void)self;
    if (!PyArg_ParseTuple(args, "OiOOiii", &capsule, &number, &times, &values, &n, &interpolation,
                          &extrapolation))
        return NULL;
    daedal_signal signal = {{array_data(times), n},
                            {array_data(values), n},
                            (daedal_interpolation)interpolation,
                            (daedal_extrapolation)extrapolation};
    model_object *m = PyErr_Occurred() ? NULL : model_enter(capsule);
    return m ? finish(m, daedal_model_feed(m->model, number, n > 0 ? &signal : NULL)) : NULL;
}
