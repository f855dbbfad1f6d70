/* bench/ode_peer.c - one run of explicit equations with SUNDIALS CVODE or ARKODE.
 * Depends on: bench/ode_peer.h; SUNDIALS 6.                                       */
#include "ode_peer.h"

#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

/* Everything one run owns. */
typedef struct ode {
    guard g;
    double *zero; /* n */
    double rtol;
    SUNContext context;
    N_Vector y, atol;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    SUNNonlinearSolver fixed_point;
    void *memory;
} ode;

/* How a code is made, driven and taken apart. */
typedef struct code {
    const char *name;
    bool (*open)(ode *s);
    int (*integrate)(ode *s, double *t);
    void (*count)(void *memory, run *out);
    void (*close)(void **memory);
} code;

/* f is what F is without y', with the other sign. */
static int rhs(realtype t, N_Vector y, N_Vector f, void *user)
{
    ode *s = user;
    double *values = N_VGetArrayPointer(f);
    const int status = guard_residual(t, N_VGetArrayPointer(y), s->zero, values, &s->g);
    for (int32_t i = 0; i < s->g.p->n; i++)
        values[i] = -values[i];
    return status;
}

static bool make_linear_solver(ode *s)
{
    const problem *p = s->g.p;
    if (p->lower > 0 || p->upper > 0) {
        s->matrix = SUNBandMatrix(p->n, p->upper, p->lower, s->context);
        s->solver = s->matrix ? SUNLinSol_Band(s->y, s->matrix, s->context) : NULL;
    } else {
        s->matrix = SUNDenseMatrix(p->n, p->n, s->context);
        s->solver = s->matrix ? SUNLinSol_Dense(s->y, s->matrix, s->context) : NULL;
    }
    return s->solver != NULL;
}

/* ---- CVODE ----------------------------------------------------------------------------- */

static bool open_cvode(ode *s)
{
    return CVodeSetErrFile(s->memory, NULL) == CV_SUCCESS &&
           CVodeInit(s->memory, rhs, s->g.p->t0, s->y) == CV_SUCCESS &&
           CVodeSVtolerances(s->memory, s->rtol, s->atol) == CV_SUCCESS &&
           CVodeSetUserData(s->memory, s) == CV_SUCCESS &&
           CVodeSetMaxNumSteps(s->memory, PEER_STEP_LIMIT) == CV_SUCCESS &&
           CVodeSetStopTime(s->memory, s->g.p->t_end) == CV_SUCCESS;
}

static bool open_bdf(ode *s)
{
    s->memory = CVodeCreate(CV_BDF, s->context);
    return s->memory && open_cvode(s) && make_linear_solver(s) &&
           CVodeSetLinearSolver(s->memory, s->solver, s->matrix) == CV_SUCCESS;
}

static bool open_adams(ode *s)
{
    s->memory = CVodeCreate(CV_ADAMS, s->context);
    s->fixed_point = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
    return s->memory && s->fixed_point && open_cvode(s) &&
           CVodeSetNonlinearSolver(s->memory, s->fixed_point) == CV_SUCCESS;
}

static int integrate_cvode(ode *s, double *t)
{
    return CVode(s->memory, s->g.p->t_end, s->y, t, CV_NORMAL);
}

static void count_cvode(void *memory, run *out)
{
    long steps = 0, calls = 0, differences = 0, jacobians = 0, setups = 0, rejected = 0;
    CVodeGetNumSteps(memory, &steps);
    CVodeGetNumRhsEvals(memory, &calls);
    CVodeGetNumLinRhsEvals(memory, &differences);
    CVodeGetNumJacEvals(memory, &jacobians);
    CVodeGetNumLinSolvSetups(memory, &setups);
    CVodeGetNumErrTestFails(memory, &rejected);
    out->steps = steps;
    out->residuals = calls + differences;
    out->jacobians = jacobians;
    out->factorizations = setups;
    out->rejected = rejected;
}

/* ---- ARKODE ---------------------------------------------------------------------------- */

static bool open_dirk(ode *s)
{
    s->memory = ARKStepCreate(NULL, rhs, s->g.p->t0, s->y, s->context);
    return s->memory && ARKStepSetErrFile(s->memory, NULL) == ARK_SUCCESS &&
           ARKStepSVtolerances(s->memory, s->rtol, s->atol) == ARK_SUCCESS &&
           ARKStepSetUserData(s->memory, s) == ARK_SUCCESS &&
           ARKStepSetMaxNumSteps(s->memory, PEER_STEP_LIMIT) == ARK_SUCCESS &&
           ARKStepSetStopTime(s->memory, s->g.p->t_end) == ARK_SUCCESS && make_linear_solver(s) &&
           ARKStepSetLinearSolver(s->memory, s->solver, s->matrix) == ARK_SUCCESS;
}

static int integrate_dirk(ode *s, double *t)
{
    return ARKStepEvolve(s->memory, s->g.p->t_end, s->y, t, ARK_NORMAL);
}

static void count_dirk(void *memory, run *out)
{
    long steps = 0, explicit_calls = 0, calls = 0, differences = 0, jacobians = 0, setups = 0;
    long rejected = 0;
    ARKStepGetNumSteps(memory, &steps);
    ARKStepGetNumRhsEvals(memory, &explicit_calls, &calls);
    ARKStepGetNumLinRhsEvals(memory, &differences);
    ARKStepGetNumJacEvals(memory, &jacobians);
    ARKStepGetNumLinSolvSetups(memory, &setups);
    ARKStepGetNumErrTestFails(memory, &rejected);
    out->steps = steps;
    out->residuals = calls + differences;
    out->jacobians = jacobians;
    out->factorizations = setups;
    out->rejected = rejected;
}

static bool open_erk_of(ode *s, int order)
{
    s->memory = ERKStepCreate(rhs, s->g.p->t0, s->y, s->context);
    return s->memory && ERKStepSetErrFile(s->memory, NULL) == ARK_SUCCESS &&
           ERKStepSVtolerances(s->memory, s->rtol, s->atol) == ARK_SUCCESS &&
           ERKStepSetUserData(s->memory, s) == ARK_SUCCESS &&
           ERKStepSetOrder(s->memory, order) == ARK_SUCCESS &&
           ERKStepSetMaxNumSteps(s->memory, PEER_STEP_LIMIT) == ARK_SUCCESS &&
           ERKStepSetStopTime(s->memory, s->g.p->t_end) == ARK_SUCCESS;
}

static bool open_erk(ode *s)
{
    return open_erk_of(s, 5);
}

static bool open_erk8(ode *s)
{
    return open_erk_of(s, 8);
}

static int integrate_erk(ode *s, double *t)
{
    return ERKStepEvolve(s->memory, s->g.p->t_end, s->y, t, ARK_NORMAL);
}

static void count_erk(void *memory, run *out)
{
    long steps = 0, calls = 0, rejected = 0;
    ERKStepGetNumSteps(memory, &steps);
    ERKStepGetNumRhsEvals(memory, &calls);
    ERKStepGetNumErrTestFails(memory, &rejected);
    out->steps = steps;
    out->residuals = calls;
    out->rejected = rejected;
}

/* ---- one run --------------------------------------------------------------------------- */

static const code codes[] = {
    {"cvode-bdf", open_bdf, integrate_cvode, count_cvode, CVodeFree},
    {"cvode-adams", open_adams, integrate_cvode, count_cvode, CVodeFree},
    {"arkode-dirk", open_dirk, integrate_dirk, count_dirk, ARKStepFree},
    {"arkode-erk", open_erk, integrate_erk, count_erk, ERKStepFree},
    {"arkode-erk8", open_erk8, integrate_erk, count_erk, ERKStepFree},
};

static const code *find(const char *name)
{
    for (size_t k = 0; k < sizeof codes / sizeof codes[0]; k++)
        if (strcmp(codes[k].name, name) == 0)
            return &codes[k];
    return NULL;
}

bool ode_peer_knows(const char *name)
{
    return find(name) != NULL;
}

static bool make_vectors(ode *s)
{
    const problem *p = s->g.p;
    s->zero = calloc((size_t)p->n, sizeof *s->zero);
    s->y = N_VNew_Serial(p->n, s->context);
    s->atol = N_VNew_Serial(p->n, s->context);
    if (!s->zero || !s->y || !s->atol)
        return false;
    memcpy(N_VGetArrayPointer(s->y), p->y0, (size_t)p->n * sizeof *p->y0);
    for (int32_t i = 0; i < p->n; i++)
        N_VGetArrayPointer(s->atol)[i] = problem_atol(p, i, s->rtol);
    return true;
}

static void close_ode(ode *s, const code *c)
{
    if (s->memory)
        c->close(&s->memory);
    if (s->fixed_point)
        SUNNonlinSolFree(s->fixed_point);
    if (s->solver)
        SUNLinSolFree(s->solver);
    if (s->matrix)
        SUNMatDestroy(s->matrix);
    if (s->y)
        N_VDestroy(s->y);
    if (s->atol)
        N_VDestroy(s->atol);
    SUNContext_Free(&s->context);
    free(s->zero);
}

void ode_peer_run(const problem *p, double rtol, const char *name, run *out, double *y)
{
    const code *c = find(name);
    ode s = {.rtol = rtol};
    run_fail(out, "the code could not be set up");
    const double opened = seconds_now();
    guard_begin(&s.g, p, NULL);
    if (SUNContext_Create(NULL, &s.context) == 0 && make_vectors(&s) && c->open(&s)) {
        double t = p->t0;
        const double began = seconds_now();
        const int flag = c->integrate(&s, &t);
        out->seconds = seconds_now() - began;
        out->setup_seconds = began - opened;
        out->done = flag >= 0;
        snprintf(out->status, sizeof out->status, out->done ? "done" : "flag %d", flag);
        c->count(s.memory, out);
        run_judge(out, &s.g, N_VGetArrayPointer(s.y), rtol);
        if (y)
            memcpy(y, N_VGetArrayPointer(s.y), (size_t)p->n * sizeof *y);
    }
    close_ode(&s, c);
}
