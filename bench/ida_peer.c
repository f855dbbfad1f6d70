/* bench/ida_peer.c - one run with SUNDIALS IDA.
 * Depends on: bench/ida_peer.h; SUNDIALS 6.                                       */
#include "ida_peer.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

/* Everything one run owns. */
typedef struct ida {
    guard g;
    const daedal_pattern *pattern; /* NULL: dense */
    sunindextype *start, *row;     /* the pattern in IDA's integers */
    SUNContext context;
    N_Vector y, yp, atol;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    void *memory;
} ida;

daedal_jacobian_fn *ida_peer_jacobian(const problem *p)
{
    return p->peer_jacobian ? p->peer_jacobian : p->jacobian;
}

static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void *user)
{
    ida *s = user;
    return guard_residual(t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), N_VGetArrayPointer(r),
                          &s->g);
}

/* IDA zeroes the matrix before the call, in the sparse case the pattern too. */
static int jacobian(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix matrix,
                    void *user, N_Vector a, N_Vector b, N_Vector d)
{
    (void)r, (void)a, (void)b, (void)d;
    ida *s = user;
    double *values;
    if (s->pattern) {
        const size_t n = (size_t)s->pattern->n_cols, nnz = (size_t)s->start[n];
        memcpy(SM_INDEXPTRS_S(matrix), s->start, (n + 1) * sizeof *s->start);
        memcpy(SM_INDEXVALS_S(matrix), s->row, nnz * sizeof *s->row);
        values = SM_DATA_S(matrix);
    } else {
        values = SM_DATA_D(matrix);
    }
    return guard_jacobian(t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), c, values, &s->g);
}

static bool copy_pattern(ida *s)
{
    const int32_t n = s->pattern->n_cols, nnz = s->pattern->start[n];
    s->start = malloc(((size_t)n + 1) * sizeof *s->start);
    s->row = malloc((size_t)nnz * sizeof *s->row);
    if (!s->start || !s->row)
        return false;
    for (int32_t j = 0; j <= n; j++)
        s->start[j] = s->pattern->start[j];
    for (int32_t k = 0; k < nnz; k++)
        s->row[k] = s->pattern->row[k];
    return true;
}

static bool make_vectors(ida *s, double rtol)
{
    const problem *p = s->g.p;
    s->y = N_VNew_Serial(p->n, s->context);
    s->yp = N_VNew_Serial(p->n, s->context);
    s->atol = N_VNew_Serial(p->n, s->context);
    if (!s->y || !s->yp || !s->atol)
        return false;
    memcpy(N_VGetArrayPointer(s->y), p->y0, (size_t)p->n * sizeof *p->y0);
    memcpy(N_VGetArrayPointer(s->yp), p->yp0, (size_t)p->n * sizeof *p->yp0);
    for (int32_t i = 0; i < p->n; i++)
        N_VGetArrayPointer(s->atol)[i] = problem_atol(p, i, rtol);
    return true;
}

static bool make_solver(ida *s)
{
    const problem *p = s->g.p;
    s->pattern = p->peer_pattern ? p->peer_pattern : p->pattern;
    if (s->pattern) {
        if (!copy_pattern(s))
            return false;
        s->matrix = SUNSparseMatrix(p->n, p->n, s->start[p->n], CSC_MAT, s->context);
        s->solver = s->matrix ? SUNLinSol_KLU(s->y, s->matrix, s->context) : NULL;
    } else if (p->lower > 0 || p->upper > 0) {
        s->matrix = SUNBandMatrix(p->n, p->upper, p->lower, s->context);
        s->solver = s->matrix ? SUNLinSol_Band(s->y, s->matrix, s->context) : NULL;
    } else {
        s->matrix = SUNDenseMatrix(p->n, p->n, s->context);
        s->solver = s->matrix ? SUNLinSol_Dense(s->y, s->matrix, s->context) : NULL;
    }
    return s->solver != NULL;
}

static bool open_ida(ida *s, double rtol)
{
    const problem *p = s->g.p;
    if (SUNContext_Create(NULL, &s->context) != 0 || !make_vectors(s, rtol) || !make_solver(s))
        return false;
    s->memory = IDACreate(s->context);
    return s->memory && IDASetErrFile(s->memory, NULL) == IDA_SUCCESS &&
           IDAInit(s->memory, residual, p->t0, s->y, s->yp) == IDA_SUCCESS &&
           IDASVtolerances(s->memory, rtol, s->atol) == IDA_SUCCESS &&
           IDASetUserData(s->memory, s) == IDA_SUCCESS &&
           IDASetLinearSolver(s->memory, s->solver, s->matrix) == IDA_SUCCESS &&
           (!s->g.jacobian || IDASetJacFn(s->memory, jacobian) == IDA_SUCCESS) &&
           IDASetMaxNumSteps(s->memory, PEER_STEP_LIMIT) == IDA_SUCCESS;
}

static void close_ida(ida *s)
{
    IDAFree(&s->memory);
    if (s->solver)
        SUNLinSolFree(s->solver);
    if (s->matrix)
        SUNMatDestroy(s->matrix);
    if (s->y)
        N_VDestroy(s->y);
    if (s->yp)
        N_VDestroy(s->yp);
    if (s->atol)
        N_VDestroy(s->atol);
    SUNContext_Free(&s->context);
    free(s->start);
    free(s->row);
}

static void add_counts(void *memory, run *out)
{
    long steps = 0, residuals = 0, differences = 0, jacobians = 0, setups = 0, rejected = 0;
    IDAGetNumSteps(memory, &steps);
    IDAGetNumResEvals(memory, &residuals);
    IDAGetNumLinResEvals(memory, &differences);
    IDAGetNumJacEvals(memory, &jacobians);
    IDAGetNumLinSolvSetups(memory, &setups);
    IDAGetNumErrTestFails(memory, &rejected);
    out->steps += steps;
    out->residuals += residuals + differences;
    out->jacobians += jacobians;
    out->factorizations += setups;
    out->rejected += rejected;
}

/* From where IDA stands to t_end.  A breakpoint is a stop time, followed by a fresh
 * start from the values there; IDA's counters begin anew with it.                   */
static int integrate(ida *s, run *out)
{
    const problem *p = s->g.p;
    double t = p->t0;
    for (int32_t i = 0; i <= p->breakpoints.n; i++) {
        const double stop = i < p->breakpoints.n ? p->breakpoints.at[i] : p->t_end;
        if (i > 0)
            IDAReInit(s->memory, t, s->y, s->yp);
        IDASetStopTime(s->memory, stop);
        const int flag = IDASolve(s->memory, stop, &t, s->y, s->yp, IDA_NORMAL);
        add_counts(s->memory, out);
        if (flag < 0)
            return flag;
    }
    return IDA_SUCCESS;
}

void ida_peer_run(const problem *p, double rtol, run *out, double *y)
{
    ida s = {0};
    run_fail(out, "IDA could not be set up");
    const double opened = seconds_now();
    guard_begin(&s.g, p, ida_peer_jacobian(p));
    if (open_ida(&s, rtol)) {
        const double began = seconds_now();
        const int flag = integrate(&s, out);
        out->seconds = seconds_now() - began;
        out->setup_seconds = began - opened;
        out->done = flag >= 0;
        char *name = IDAGetReturnFlagName(flag);
        snprintf(out->status, sizeof out->status, "%s", out->done ? "done" : name);
        free(name);
        run_judge(out, &s.g, N_VGetArrayPointer(s.y), rtol);
        if (y)
            memcpy(y, N_VGetArrayPointer(s.y), (size_t)p->n * sizeof *y);
    }
    close_ida(&s);
}
