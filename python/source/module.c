/* module.c - the module daedal._native: its functions, and the tables of options. */
#include "native.h"

static PyObject *native_options(PyObject *self, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    (void)self;
    (void)unused;
    for (int32_t i = 0; list && i < daedal_option_count(); i++) {
        const daedal_option_info *o = daedal_option_describe(i);
        PyObject *one = Py_BuildValue("(sssdsdd)", o->name, o->type, o->choices, o->default_value,
                                      o->doc, o->low, o->high);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *native_version(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return PyUnicode_FromString(daedal_version());
}

static PyMethodDef functions[] = {
    {"version", native_version, METH_NOARGS, "The version of the library."},
    {"options", native_options, METH_NOARGS,
     "All options: (name, type, choices, default, text, low, high)."},
    {"run_function", native_run_function, METH_O, "Solve a system of functions."},
    {"analyze_function", native_analyze_function, METH_O, "Find the index of a function."},
    {"model_read", native_model_read, METH_O, "Read a model from a text or file."},
    {"model_describe", native_model_describe, METH_O, "Variables and experiment of a model."},
    {"model_analyze", native_model_analyze, METH_O, "Structure and incidence of a model."},
    {"model_find", native_model_find, METH_VARARGS, "The number of a variable."},
    {"model_set", native_model_set, METH_VARARGS, "Set an input, a parameter or a start value."},
    {"model_set_parameters", native_model_set_parameters, METH_VARARGS,
     "Set several parameters at once."},
    {"model_get", native_model_get, METH_VARARGS, "The value of a variable now."},
    {"model_feed", native_model_feed, METH_VARARGS, "Let an input follow data."},
    {"model_run", native_model_run, METH_VARARGS, "Simulate a model."},
    {"model_start", native_model_start, METH_VARARGS, "The consistent start of a model."},
    {"model_begin", native_model_begin, METH_VARARGS, "Begin a run that is driven call by call."},
    {"model_advance", native_model_advance, METH_VARARGS, "Continue such a run."},
    {"model_end", native_model_end, METH_O, "End such a run."},
    {"model_linearize", native_model_linearize, METH_VARARGS,
     "Linearise a model where its run has come to."},
    {"model_fit", native_model_fit, METH_VARARGS, "Find parameters from data."},
    {"model_sweep", native_model_sweep, METH_VARARGS, "Run a model many times."},
    {"dense_values", native_dense_values, METH_VARARGS, "Values of a dense solution."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "daedal._native",
                                        .m_doc = "The part of daedal that is written in C.",
                                        .m_size = 0, .m_methods = functions};

PyMODINIT_FUNC PyInit__native(void);
PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&definition);
}
