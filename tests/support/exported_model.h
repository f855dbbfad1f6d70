/* support/exported_model.h - a model twice: as tapes, and as exported C in a shared object.
 *
 * Responsibility: for the test that compares both and the benchmark that times both.  The C
 * compiler runs in a folder of its own, which is removed again.
 * Depends on: compile/model.h, a C compiler and dlopen when run.                   */
#ifndef DAEDAL_SUPPORT_EXPORTED_MODEL_H
#define DAEDAL_SUPPORT_EXPORTED_MODEL_H

#include "initial/model.h"
#include "report/model_report.h"

typedef void compiled_fn(double t, const double *y, const double *yp, const double *d, double *work,
                         double *out);

typedef void compiled_bare_fn(double *work, double *out);

typedef struct exported_model {
    compilation front;
    flat_model *flat;
    model m;
    void *object; /* of dlopen */
    compiled_fn *residual, *jacobian;
    compiled_bare_fn *bare_residual; /* what `residual` calls once work holds t, y, yp and d */
    const int *size;                 /* n, nnz, inputs, work */
    const int32_t *start, *row;
    uint32_t *input; /* slots of x whose values are d */
    char error[1024];
} exported_model;

/* text NULL: read the file `name`.  false: c->error says why; close in any case.  */
bool exported_model_open(exported_model *c, const char *name, const char *text, const char *flags);
void exported_model_close(exported_model *c);
#endif
