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
