/* watch.c - what interrupts a run: signals, a time limit, an exception in a callback.
 *
 * A run that calls Python keeps the interpreter's lock, because taking it for each call costs more
 * than the call.  A run that does not gives it up and takes it back some times a second, to look
 * for signals.                                                                    */
#include "native.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define LOOK_SECONDS 0.02   /* between two looks for signals                       */
#define REPORT_SECONDS 0.25 /* between two calls of `progress`                     */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool watch_begin(watch *w, PyObject *spec)
{
    double timeout = spec_double(spec, "timeout", INFINITY), now = seconds();
    *w = (watch){.progress = spec_item(spec, "progress"), .deadline = now + timeout};
    w->next_look = now + LOOK_SECONDS;
    w->next_report = now + REPORT_SECONDS;
    w->warnings = PyList_New(0);
    return w->warnings && !PyErr_Occurred();
}

void watch_end(watch *w)
{
    Py_CLEAR(w->type);
    Py_CLEAR(w->value);
    Py_CLEAR(w->traceback);
    Py_CLEAR(w->warnings);
}

void watch_release(watch *w)
{
    w->released = PyEval_SaveThread();
}

void watch_enter(watch *w)
{
    if (w->released)
        PyEval_RestoreThread(w->released);
    w->released = NULL;
}

void watch_leave(watch *w, bool was_released)
{
    if (was_released)
        watch_release(w);
}

int watch_keep_exception(watch *w)
{
    if (w->failed) {
        PyErr_Clear();
        return DAEDAL_CALL_STOP;
    }
    w->failed = true;
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
        w->is_interrupted = true;
        PyErr_Clear();
        return DAEDAL_CALL_STOP;
    }
    PyErr_Fetch(&w->type, &w->value, &w->traceback);
    return DAEDAL_CALL_STOP;
}

bool watch_raise(watch *w)
{
    if (!w->type)
        return false;
    PyErr_Restore(w->type, w->value, w->traceback);
    w->type = w->value = w->traceback = NULL;
    return true;
}

static bool report(watch *w, const daedal_progress *where)
{
    PyObject *answer = PyObject_CallFunction(w->progress, "dL", where->t, (long long)where->steps);
    Py_XDECREF(answer);
    return answer != NULL;
}

int watch_progress(const daedal_progress *where, void *user)
{
    watch *w = user;
    if (w->failed)
        return DAEDAL_CALL_STOP;
    double now = seconds();
    if (now >= w->deadline) {
        w->is_late = true;
        return DAEDAL_CALL_STOP;
    }
    if (now < w->next_look)
        return DAEDAL_CALL_OK;
    w->next_look = now + LOOK_SECONDS;
    bool was_released = w->released != NULL, good = true;
    watch_enter(w);
    good = PyErr_CheckSignals() == 0;
    if (good && w->progress && now >= w->next_report) {
        w->next_report = now + REPORT_SECONDS;
        good = report(w, where);
    }
    if (!good)
        watch_keep_exception(w);
    watch_leave(w, was_released);
    return good ? DAEDAL_CALL_OK : DAEDAL_CALL_STOP;
}

void watch_log(daedal_log_level level, const char *message, void *user)
{
    watch *w = user;
    if (level > DAEDAL_LOG_WARNING)
        return;
    bool was_released = w->released != NULL;
    watch_enter(w);
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *text = text_or_none(message);
    if (!text || PyList_Append(w->warnings, text) < 0)
        PyErr_Clear();
    Py_XDECREF(text);
    PyErr_Restore(type, value, traceback);
    watch_leave(w, was_released);
}
