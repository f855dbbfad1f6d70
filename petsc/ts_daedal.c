/* petsc/ts_daedal.c - the TS type "daedal"; see daedal_petsc.h.
 *
 * Responsibility: daedal's callbacks by PETSc's.  F is TSComputeIFunction; the preconditioner is
 * the KSP of the TS with the matrix of its SNES; a step of the TS is a step of daedal. Invariant:
 * vec_sol holds the state at ts->ptime, which lies inside the last step of daedal or at its end; if
 * somebody else has written into it (an event, a post-step function) the run starts again there.
 * Depends on: daedal.h, PETSc 3.18 with its private header for implementations of TS.        */
#include <math.h>
#include <string.h>

#include "daedal_petsc.h"
#include <petsc/private/snesimpl.h>
#include <petsc/private/tsimpl.h>

enum {
    OPTIONS_MAX = 64,
    SMALL = 20000 /* unknowns that are factored if nothing else is asked for */
};
static const PetscReal FAR_SHIFT = 1e3; /* ratio of the shifts that tell dF/dy' from dF/dy */

typedef struct {
    daedal_solver *solver;
    daedal_parallel parallel;
    daedal_preconditioner preconditioner;
    daedal_options options;
    PetscBool options_known;
    PetscErrorCode error; /* of a callback, to be passed on */
    Vec y, yp, r;         /* without memory of their own between calls */
    Vec before;           /* vec_sol at ts->ptime_prev */
    struct {              /* f(x) = F(t, x, yp + shift (x - y)) is what the SNES sees */
        PetscReal t, shift;
        Vec y, yp, work;
    } at;
    double *rtol, *atol; /* of TSSetTolerances, if they are vectors */
    int32_t *kind, *index;
    IS algebraic;
    PetscInt algebraic_index;
    PetscObjectState written; /* of vec_sol after the last step */
    PetscReal proposed;       /* ts->time_step as the last step left it */
    PetscBool started;
} TS_Daedal;

/* ---- callbacks of daedal -------------------------------------------------------- */

static int reduce(double *values, int32_t count, daedal_reduce_op how, void *user)
{
    MPI_Comm comm = PetscObjectComm((PetscObject)user);
    MPI_Op op = how == DAEDAL_REDUCE_SUM ? MPI_SUM : how == DAEDAL_REDUCE_MAX ? MPI_MAX : MPI_MIN;
    return MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, op, comm) != MPI_SUCCESS;
}

/* Whether the functions of the user have refused their arguments. */
static PetscErrorCode check_domain(TS ts, PetscReal t, Vec y, PetscBool *fine)
{
    PetscFunctionBegin;
    *fine = PETSC_TRUE;
    if (ts->snes && ts->snes->domainerror) {
        ts->snes->domainerror = PETSC_FALSE;
        *fine = PETSC_FALSE;
    }
    if (*fine)
        PetscCall(TSFunctionDomainError(ts, t, y, fine));
    PetscFunctionReturn(0);
}

static PetscErrorCode compute_residual(TS ts, double t, const double *y, const double *yp,
                                       double *r, PetscBool *fine)
{
    TS_Daedal *d = ts->data;
    PetscFunctionBegin;
    PetscCall(VecPlaceArray(d->y, y));
    PetscCall(VecPlaceArray(d->yp, yp));
    PetscCall(VecPlaceArray(d->r, r));
    PetscErrorCode failed = TSComputeIFunction(ts, t, d->y, d->yp, d->r, PETSC_FALSE);
    if (!failed)
        failed = check_domain(ts, t, d->y, fine);
    PetscCall(VecResetArray(d->y));
    PetscCall(VecResetArray(d->yp));
    PetscCall(VecResetArray(d->r));
    PetscFunctionReturn(failed);
}

/* What a function of PETSc returned, as an answer; the error is kept for whoever called TSSolve. */
static int answer_of(TS_Daedal *d, PetscErrorCode error, PetscBool fine)
{
    if (error) {
        d->error = error;
        return DAEDAL_CALL_FAIL;
    }
    return fine ? DAEDAL_CALL_OK : DAEDAL_CALL_RETRY;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    TS ts = user;
    PetscBool fine = PETSC_TRUE;
    PetscErrorCode error = compute_residual(ts, t, y, yp, r, &fine);
    return answer_of(ts->data, error, fine);
}

/* The matrix of the SNES at d->at.  Differences take f from the SNES where x is its solution. */
static PetscErrorCode compute_jacobian(TS ts, Mat *a, Mat *b)
{
    TS_Daedal *d = ts->data;
    Vec f;
    PetscFunctionBegin;
    PetscCall(SNESSetSolution(ts->snes, d->at.y));
    PetscCall(SNESGetFunction(ts->snes, &f, NULL, NULL));
    PetscCall(SNESComputeFunction(ts->snes, d->at.y, f));
    PetscCall(SNESGetJacobian(ts->snes, a, b, NULL, NULL));
    PetscCall(SNESComputeJacobian(ts->snes, d->at.y, *a, *b));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_up_matrix(TS ts, double t, const double *y, const double *yp, double c,
                                    PetscBool *fine)
{
    TS_Daedal *d = ts->data;
    SNES snes;
    KSP ksp;
    Mat a, b;
    PetscFunctionBegin;
    PetscCall(TSGetSNES(ts, &snes));
    PetscCall(SNESGetKSP(snes, &ksp));
    d->at.t = t;
    d->at.shift = c;
    PetscCall(VecPlaceArray(d->y, y));
    PetscCall(VecPlaceArray(d->yp, yp));
    PetscCall(VecCopy(d->y, d->at.y));
    PetscCall(VecCopy(d->yp, d->at.yp));
    PetscCall(VecResetArray(d->y));
    PetscCall(VecResetArray(d->yp));
    PetscCall(compute_jacobian(ts, &a, &b));
    PetscCall(KSPSetOperators(ksp, a, b));
    PetscCall(KSPSetUp(ksp));
    *fine = PETSC_TRUE;
    if (snes->jacobiandomainerror || snes->domainerror) {
        snes->jacobiandomainerror = snes->domainerror = PETSC_FALSE;
        *fine = PETSC_FALSE;
    }
    PetscFunctionReturn(0);
}

static int set_up(double t, const double *y, const double *yp, double c, const double *values,
                  void *user)
{
    TS ts = user;
    PetscBool fine = PETSC_TRUE;
    (void)values;
    PetscErrorCode error = set_up_matrix(ts, t, y, yp, c, &fine);
    return answer_of(ts->data, error, fine);
}

static PetscErrorCode apply_solver(TS ts, double *b, PetscBool *fine)
{
    TS_Daedal *d = ts->data;
    SNES snes;
    KSP ksp;
    KSPConvergedReason reason;
    PetscInt its;
    PetscFunctionBegin;
    PetscCall(TSGetSNES(ts, &snes));
    PetscCall(SNESGetKSP(snes, &ksp));
    PetscCall(VecPlaceArray(d->r, b));
    PetscCall(VecCopy(d->r, d->at.work));
    PetscErrorCode failed = KSPSolve(ksp, d->at.work, d->r);
    PetscCall(VecResetArray(d->r));
    PetscCall(failed);
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCall(KSPGetIterationNumber(ksp, &its));
    ts->ksp_its += its;
    *fine = reason > 0 || reason == KSP_DIVERGED_ITS ? PETSC_TRUE : PETSC_FALSE;
    PetscFunctionReturn(0);
}

static int solve(double *b, void *user)
{
    TS ts = user;
    PetscBool fine = PETSC_TRUE;
    PetscErrorCode error = apply_solver(ts, b, &fine);
    return answer_of(ts->data, error, fine);
}

/* ---- callbacks of the SNES, by which PETSc makes Jacobians ------------------------- */

static PetscErrorCode slope_at(TS ts, Vec x, Vec slope)
{
    TS_Daedal *d = ts->data;
    PetscFunctionBegin;
    PetscCall(VecWAXPY(slope, -1.0, d->at.y, x));
    PetscCall(VecAYPX(slope, d->at.shift, d->at.yp));
    PetscFunctionReturn(0);
}

static PetscErrorCode snes_function(SNES snes, Vec x, Vec f, TS ts)
{
    TS_Daedal *d = ts->data;
    DM dm, own = ts->dm;
    PetscFunctionBegin;
    PetscCall(SNESGetDM(snes, &dm));
    ts->dm = dm;
    PetscCall(slope_at(ts, x, d->at.work));
    PetscCall(TSComputeIFunction(ts, d->at.t, x, d->at.work, f, PETSC_FALSE));
    ts->dm = own;
    PetscFunctionReturn(0);
}

static PetscErrorCode snes_jacobian(SNES snes, Vec x, Mat a, Mat b, TS ts)
{
    TS_Daedal *d = ts->data;
    DM dm, own = ts->dm;
    PetscFunctionBegin;
    PetscCall(SNESGetDM(snes, &dm));
    ts->dm = dm;
    PetscCall(slope_at(ts, x, d->at.work));
    PetscCall(TSComputeIJacobian(ts, d->at.t, x, d->at.work, d->at.shift, a, b, PETSC_FALSE));
    ts->dm = own;
    PetscFunctionReturn(0);
}

/* ---- classes of variables ------------------------------------------------------------ */

/* |B(c)' v| for a random v, where B is the matrix with shift c. */
static PetscErrorCode weigh_columns(TS ts, PetscReal c, Vec v, Vec out, PetscBool *known)
{
    TS_Daedal *d = ts->data;
    Mat a, b;
    PetscFunctionBegin;
    d->at.shift = c;
    PetscCall(compute_jacobian(ts, &a, &b));
    PetscCall(MatHasOperation(b, MATOP_MULT_TRANSPOSE, known));
    if (*known)
        PetscCall(MatMultTranspose(b, v, out));
    PetscFunctionReturn(0);
}

/* A variable is algebraic if its column does not depend on the shift. */
static PetscErrorCode find_algebraic(TS ts, PetscInt n)
{
    TS_Daedal *d = ts->data;
    Vec v, first, second;
    PetscRandom random;
    PetscBool known = PETSC_TRUE;
    const PetscScalar *one, *two;
    const double small = 1e-9;
    PetscFunctionBegin;
    PetscCall(VecDuplicate(ts->vec_sol, &v));
    PetscCall(VecDuplicate(ts->vec_sol, &first));
    PetscCall(VecDuplicate(ts->vec_sol, &second));
    PetscCall(PetscRandomCreate(PetscObjectComm((PetscObject)ts), &random));
    PetscCall(PetscRandomSetInterval(random, 1.0, 2.0));
    PetscCall(PetscRandomSetFromOptions(random));
    PetscCall(VecSetRandom(v, random));
    d->at.t = ts->ptime;
    PetscCall(VecCopy(ts->vec_sol, d->at.y));
    PetscCall(VecZeroEntries(d->at.yp));
    PetscReal c = 1.0;
    PetscCall(weigh_columns(ts, c, v, first, &known));
    if (known) {
        PetscReal size;
        PetscCall(VecNorm(first, NORM_INFINITY, &size));
        PetscCall(weigh_columns(ts, FAR_SHIFT * PetscMax(c, size), v, second, &known));
        PetscCall(VecGetArrayRead(first, &one));
        PetscCall(VecGetArrayRead(second, &two));
        for (PetscInt i = 0; i < n; i++)
            if (fabs(two[i] - one[i]) <= small * fabs(one[i]))
                d->kind[i] = DAEDAL_ALGEBRAIC;
        PetscCall(VecRestoreArrayRead(first, &one));
        PetscCall(VecRestoreArrayRead(second, &two));
    }
    PetscCall(PetscRandomDestroy(&random));
    PetscCall(VecDestroy(&v));
    PetscCall(VecDestroy(&first));
    PetscCall(VecDestroy(&second));
    PetscFunctionReturn(0);
}

static PetscErrorCode take_given_algebraic(TS ts)
{
    TS_Daedal *d = ts->data;
    const PetscInt *at;
    PetscInt count, low, high;
    PetscFunctionBegin;
    PetscCall(VecGetOwnershipRange(ts->vec_sol, &low, &high));
    PetscCall(ISGetLocalSize(d->algebraic, &count));
    PetscCall(ISGetIndices(d->algebraic, &at));
    for (PetscInt k = 0; k < count; k++) {
        PetscCheck(at[k] >= low && at[k] < high, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
                   "the algebraic unknown %" PetscInt_FMT " is not one of this rank", at[k]);
        d->kind[at[k] - low] = DAEDAL_ALGEBRAIC;
    }
    PetscCall(ISRestoreIndices(d->algebraic, &at));
    PetscFunctionReturn(0);
}

static PetscErrorCode classify(TS ts, PetscInt n)
{
    TS_Daedal *d = ts->data;
    TSIFunction ifunction;
    PetscFunctionBegin;
    PetscCall(PetscMalloc2(n, &d->kind, n, &d->index));
    for (PetscInt i = 0; i < n; i++)
        d->kind[i] = DAEDAL_DIFFERENTIAL;
    PetscCall(DMTSGetIFunction(ts->dm, &ifunction, NULL));
    if (d->algebraic)
        PetscCall(take_given_algebraic(ts));
    else if (ifunction && ts->equation_type != TS_EQ_EXPLICIT &&
             ts->equation_type != TS_EQ_ODE_EXPLICIT && ts->equation_type != TS_EQ_ODE_IMPLICIT)
        PetscCall(find_algebraic(ts, n));
    for (PetscInt i = 0; i < n; i++)
        d->index[i] = d->kind[i] == DAEDAL_ALGEBRAIC ? (int32_t)d->algebraic_index : 0;
    PetscFunctionReturn(0);
}

/* ---- creation of the solver ----------------------------------------------------------- */

/* Without other wishes a small system is factored: incomplete factors of PETSc's default do not
 * serve for algebraic equations, nor without pivoting complete ones. */
static PetscErrorCode choose_factors(TS ts)
{
    KSP ksp;
    PC pc;
    Mat a, b;
    PetscInt n;
    PetscBool asked, is_aij, is_default;
    PetscFunctionBegin;
    PetscCall(SNESGetKSP(ts->snes, &ksp));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PetscOptionsHasName(((PetscObject)pc)->options, ((PetscObject)pc)->prefix, "-pc_type",
                                  &asked));
    PetscCall(
        PetscObjectTypeCompareAny((PetscObject)pc, &is_default, PCILU, PCBJACOBI, PCNONE, ""));
    PetscCall(SNESGetJacobian(ts->snes, &a, &b, NULL, NULL));
    PetscCall(VecGetSize(ts->vec_sol, &n));
    PetscCall(PetscObjectTypeCompareAny((PetscObject)b, &is_aij, MATSEQAIJ, MATMPIAIJ, ""));
    if (asked || n > SMALL || (((PetscObject)pc)->type_name && !is_default))
        PetscFunctionReturn(0);
    PetscBool is_dense, is_spread;
    PetscCall(PetscObjectTypeCompare((PetscObject)b, MATSEQDENSE, &is_dense));
    PetscCall(PetscObjectTypeCompare((PetscObject)b, MATMPIDENSE, &is_spread));
    if (is_aij || is_dense)
        PetscCall(PCSetType(pc, PCLU));
    if (is_spread) /* bjacobi of 3.18 keeps old factors of these */
        PetscCall(PCSetType(pc, PCJACOBI));
#if defined(PETSC_HAVE_MUMPS)
    if (is_aij)
        PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
#endif
    PetscFunctionReturn(0);
}

static PetscErrorCode copy_tolerances(Vec from, PetscInt n, double *to)
{
    const PetscScalar *values;
    PetscFunctionBegin;
    PetscCall(VecGetArrayRead(from, &values));
    for (PetscInt i = 0; i < n; i++)
        to[i] = values[i];
    PetscCall(VecRestoreArrayRead(from, &values));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_tolerances(TS ts, PetscInt n, daedal_options *opt)
{
    TS_Daedal *d = ts->data;
    PetscFunctionBegin;
    if (!ts->vatol && !ts->vrtol)
        PetscFunctionReturn(0);
    PetscCall(PetscMalloc2(n, &d->rtol, n, &d->atol));
    for (PetscInt i = 0; i < n; i++) {
        d->rtol[i] = opt->rtol;
        d->atol[i] = opt->atol;
    }
    if (ts->vrtol)
        PetscCall(copy_tolerances(ts->vrtol, n, d->rtol));
    if (ts->vatol)
        PetscCall(copy_tolerances(ts->vatol, n, d->atol));
    opt->rtol_each = (daedal_doubles){d->rtol, (int32_t)n};
    opt->atol_each = (daedal_doubles){d->atol, (int32_t)n};
    PetscFunctionReturn(0);
}

/* The words of a failure, once, with what a callback of PETSc has said already. */
static PetscErrorCode raise(TS ts, const daedal_diagnosis *why)
{
    TS_Daedal *d = ts->data;
    PetscFunctionBegin;
    PetscCheck(!d->error, PetscObjectComm((PetscObject)ts), d->error, "daedal: %s", why->message);
    PetscCheck(why->status != DAEDAL_ERR_CALLBACK, PetscObjectComm((PetscObject)ts),
               PETSC_ERR_NOT_CONVERGED, "daedal: %s", why->message);
    SETERRQ(PetscObjectComm((PetscObject)ts), PETSC_ERR_NOT_CONVERGED, "daedal: %s%s%s",
            why->message, why->hint[0] ? "; " : "", why->hint);
}

static PetscErrorCode create_solver(TS ts)
{
    TS_Daedal *d = ts->data;
    PetscInt n, n_global, low, high;
    daedal_diagnosis why;
    PetscFunctionBegin;
    PetscCall(VecGetLocalSize(ts->vec_sol, &n));
    PetscCall(VecGetSize(ts->vec_sol, &n_global));
    PetscCall(VecGetOwnershipRange(ts->vec_sol, &low, &high));
    PetscCall(classify(ts, n));
    d->parallel = (daedal_parallel){reduce, n_global, low, ts};
    d->preconditioner = (daedal_preconditioner){"KSP of PETSc", set_up, solve, ts};
    daedal_system sys = {.n = (int32_t)n,
                         .residual = residual,
                         .variable_kind = {d->kind, (int32_t)n},
                         .variable_index = {d->index, (int32_t)n},
                         .user = ts};
    daedal_options opt = d->options;
    PetscCall(set_tolerances(ts, n, &opt));
    opt.parallel = &d->parallel;
    opt.own_preconditioner = &d->preconditioner;
    if (daedal_solver_create(&d->solver, &sys, &opt, &why) != DAEDAL_OK)
        PetscCall(raise(ts, &why));
    PetscFunctionReturn(0);
}

/* Begin at ts->ptime with vec_sol. */
static PetscErrorCode start(TS ts)
{
    TS_Daedal *d = ts->data;
    const PetscScalar *y;
    PetscScalar *to;
    double *zero = NULL;
    PetscInt n;
    PetscFunctionBegin;
    if (!d->solver)
        PetscCall(create_solver(ts));
    PetscCall(VecGetLocalSize(ts->vec_sol, &n));
    if (d->algebraic_index > 1)
        PetscCall(PetscCalloc1(n, &zero));
    PetscCall(VecGetArrayRead(ts->vec_sol, &y));
    daedal_status status = daedal_solver_start(d->solver, ts->ptime, y, zero);
    PetscCall(VecRestoreArrayRead(ts->vec_sol, &y));
    PetscCall(PetscFree(zero));
    if (status < 0)
        PetscCall(raise(ts, daedal_solver_diagnosis(d->solver)));
    PetscCall(VecGetArray(ts->vec_sol, &to));
    PetscCall(PetscArraycpy(to, daedal_solver_state(d->solver)->y, n));
    PetscCall(VecRestoreArray(ts->vec_sol, &to));
    d->started = PETSC_TRUE;
    ts->steprestart = PETSC_FALSE;
    PetscFunctionReturn(0);
}

/* ---- steps ------------------------------------------------------------------------------ */

static PetscErrorCode show(TS ts, PetscReal t)
{
    TS_Daedal *d = ts->data;
    PetscScalar *to;
    PetscFunctionBegin;
    PetscCall(VecGetArray(ts->vec_sol, &to));
    daedal_status status = daedal_solver_interpolate(d->solver, t, to, NULL);
    PetscCall(VecRestoreArray(ts->vec_sol, &to));
    if (status < 0)
        PetscCall(raise(ts, daedal_solver_diagnosis(d->solver)));
    PetscCall(PetscObjectStateGet((PetscObject)ts->vec_sol, &d->written));
    PetscFunctionReturn(0);
}

/* How far this step may go: to the final time if that is to be matched, to the next time of a time
 * span, or as far as somebody else (an event) has said by TSSetTimeStep().               */
static PetscReal limit_of(TS ts, PetscBool first)
{
    const TS_Daedal *d = ts->data;
    PetscReal span = ts->max_time - ts->ptime;
    PetscBool is_open = ts->max_time >= PETSC_MAX_REAL / 2 ? PETSC_TRUE : PETSC_FALSE;
    PetscReal limit = is_open ? ts->ptime + 1e3 * ts->time_step : ts->max_time;
    if (ts->exact_final_time != TS_EXACTFINALTIME_MATCHSTEP && !first && !is_open)
        limit = ts->max_time + 100.0 * span + 100.0 * ts->time_step;
    if (ts->tspan && ts->tspan->spanctr < ts->tspan->num_span_times)
        limit = PetscMin(limit, ts->tspan->span_times[ts->tspan->spanctr]);
    if (!first && ts->time_step != d->proposed)
        limit = PetscMin(limit, ts->ptime + ts->time_step);
    return limit;
}

static PetscErrorCode note_statistics(TS ts)
{
    TS_Daedal *d = ts->data;
    const daedal_stats *s = daedal_solver_stats(d->solver);
    PetscFunctionBegin;
    ts->snes_its = (PetscInt)s->iterations;
    ts->reject = (PetscInt)(s->rejected_error + s->rejected_newton);
    ts->num_snes_failures = (PetscInt)s->rejected_newton;
    PetscFunctionReturn(0);
}

/* Whether the run has to begin at vec_sol: an event may have changed it on some ranks only. */
static PetscErrorCode must_start(TS ts, PetscBool *first)
{
    const TS_Daedal *d = ts->data;
    PetscObjectState now;
    PetscFunctionBegin;
    PetscCall(PetscObjectStateGet((PetscObject)ts->vec_sol, &now));
    PetscBool here = !d->started || ts->steprestart || now != d->written ? PETSC_TRUE : PETSC_FALSE;
    PetscCallMPI(
        MPI_Allreduce(&here, first, 1, MPIU_BOOL, MPI_LOR, PetscObjectComm((PetscObject)ts)));
    PetscFunctionReturn(0);
}

static PetscErrorCode TSStep_Daedal(TS ts)
{
    TS_Daedal *d = ts->data;
    PetscBool first;
    PetscFunctionBegin;
    PetscCall(must_start(ts, &first));
    PetscReal limit = limit_of(ts, first);
    if (first)
        PetscCall(start(ts));
    PetscCall(VecCopy(ts->vec_sol, d->before));
    const daedal_state *state = daedal_solver_state(d->solver);
    if (!(state->t > ts->ptime)) { /* else the next time lies inside the last step */
        daedal_status status = daedal_solver_step(d->solver, limit);
        PetscCall(note_statistics(ts));
        if (status < 0) {
            const daedal_diagnosis *why = daedal_solver_diagnosis(d->solver);
            if (d->error || ts->errorifstepfailed)
                PetscCall(raise(ts, why));
            PetscCall(PetscInfo(ts, "daedal: %s\n", why->message));
            ts->reason = TS_DIVERGED_STEP_REJECTED;
            PetscFunctionReturn(0);
        }
    }
    PetscReal t = PetscMin(state->t, limit);
    PetscCall(show(ts, t));
    ts->ptime = t;
    PetscReal ahead = state->t - t, next = fabs(daedal_solver_stats(d->solver)->h_next);
    ts->time_step = d->proposed = ahead > 0.0 ? ahead : next;
    PetscFunctionReturn(0);
}

static PetscErrorCode TSRollBack_Daedal(TS ts)
{
    TS_Daedal *d = ts->data;
    PetscFunctionBegin;
    PetscCall(VecCopy(d->before, ts->vec_sol));
    PetscCall(PetscObjectStateGet((PetscObject)ts->vec_sol, &d->written));
    PetscFunctionReturn(0);
}

static PetscErrorCode TSInterpolate_Daedal(TS ts, PetscReal t, Vec x)
{
    TS_Daedal *d = ts->data;
    PetscScalar *to;
    PetscFunctionBegin;
    PetscCall(VecGetArray(x, &to));
    daedal_status status = daedal_solver_interpolate(d->solver, t, to, NULL);
    PetscCall(VecRestoreArray(x, &to));
    if (status < 0)
        PetscCall(raise(ts, daedal_solver_diagnosis(d->solver)));
    PetscFunctionReturn(0);
}

/* ---- the type --------------------------------------------------------------------------- */

static PetscErrorCode TSSetUp_Daedal(TS ts)
{
    TS_Daedal *d = ts->data;
    PetscFunctionBegin;
    PetscCall(TSGetSNES(ts, &ts->snes));
    if (!d->options_known) { /* TSSetFromOptions was not called */
        d->options.rtol = ts->rtol;
        d->options.atol = ts->atol;
    }
    PetscCall(VecDuplicate(ts->vec_sol, &d->at.y));
    PetscCall(VecDuplicate(ts->vec_sol, &d->at.yp));
    PetscCall(VecDuplicate(ts->vec_sol, &d->at.work));
    PetscCall(VecDuplicate(ts->vec_sol, &d->before));
    PetscCall(VecDuplicate(ts->vec_sol, &d->y));
    PetscCall(VecDuplicate(ts->vec_sol, &d->yp));
    PetscCall(VecDuplicate(ts->vec_sol, &d->r));
    PetscCall(SNESSetUp(ts->snes));
    PetscCall(choose_factors(ts));
    PetscFunctionReturn(0);
}

static PetscErrorCode TSReset_Daedal(TS ts)
{
    TS_Daedal *d = ts->data;
    Vec *vectors[] = {&d->at.y, &d->at.yp, &d->at.work, &d->before, &d->y, &d->yp, &d->r};
    PetscFunctionBegin;
    daedal_solver_free(d->solver);
    d->solver = NULL;
    d->started = PETSC_FALSE;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        PetscCall(VecDestroy(vectors[i]));
    PetscCall(PetscFree2(d->kind, d->index));
    PetscCall(PetscFree2(d->rtol, d->atol));
    PetscFunctionReturn(0);
}

static PetscErrorCode TSDestroy_Daedal(TS ts)
{
    TS_Daedal *d = ts->data;
    PetscFunctionBegin;
    PetscCall(TSReset_Daedal(ts));
    PetscCall(ISDestroy(&d->algebraic));
    PetscCall(PetscObjectComposeFunction((PetscObject)ts, "TSDaedalSetAlgebraic_C", NULL));
    PetscCall(PetscObjectComposeFunction((PetscObject)ts, "TSDaedalSetOption_C", NULL));
    PetscCall(PetscObjectComposeFunction((PetscObject)ts, "TSDaedalGetSolver_C", NULL));
    PetscCall(PetscFree(ts->data));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_option(TS ts, const char name[], const char value[])
{
    TS_Daedal *d = ts->data;
    PetscFunctionBegin;
    PetscCheck(daedal_options_set(&d->options, name, value) == DAEDAL_OK,
               PetscObjectComm((PetscObject)ts), PETSC_ERR_ARG_WRONG,
               "daedal does not take %s = %s", name, value);
    PetscFunctionReturn(0);
}

/* -daedal_<name> for every option of daedal; tolerances are those of the TS by default. */
static PetscErrorCode TSSetFromOptions_Daedal(TS ts, PetscOptionItems *PetscOptionsObject)
{
    TS_Daedal *d = ts->data;
    KSP ksp;
    PetscFunctionBegin;
    if (!d->options_known) {
        d->options.rtol = ts->rtol;
        d->options.atol = ts->atol;
    }
    d->options_known = PETSC_TRUE;
    PetscOptionsHeadBegin(PetscOptionsObject, "Options of daedal");
    for (int32_t i = 0; i < daedal_option_count(); i++) {
        const daedal_option_info *info = daedal_option_describe(i);
        char key[64], value[64] = "";
        PetscBool given = PETSC_FALSE;
        PetscCall(PetscSNPrintf(key, sizeof key, "-daedal_%s", info->name));
        PetscCall(PetscOptionsString(key, info->doc, "TSDaedalSetOption", value, value,
                                     sizeof value, &given));
        if (given)
            PetscCall(set_option(ts, info->name, value));
    }
    PetscCall(PetscOptionsInt("-daedal_index", "index of the algebraic variables",
                              "TSDaedalSetAlgebraic", d->algebraic_index, &d->algebraic_index,
                              NULL));
    PetscOptionsHeadEnd();
    PetscCall(TSGetSNES(ts, &ts->snes));
    PetscCall(SNESGetKSP(ts->snes, &ksp));
    if (!((PetscObject)ksp)->type_name) /* GMRES is daedal's own, -ksp_type says otherwise */
        PetscCall(KSPSetType(ksp, KSPPREONLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode TSView_Daedal(TS ts, PetscViewer viewer)
{
    TS_Daedal *d = ts->data;
    PetscBool is_ascii;
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &is_ascii));
    if (!is_ascii)
        PetscFunctionReturn(0);
    PetscCall(PetscViewerASCIIPrintf(viewer, "  daedal %s: rtol=%g, atol=%g\n", daedal_version(),
                                     d->options.rtol, d->options.atol));
    if (!d->started)
        PetscFunctionReturn(0);
    const daedal_stats *s = daedal_solver_stats(d->solver);
    const daedal_structure *of = daedal_solver_structure(d->solver);
    PetscCall(PetscViewerASCIIPrintf(
        viewer, "  method %s, %lld steps, %lld + %lld rejected, %lld residuals\n", of->method,
        (long long)s->steps, (long long)s->rejected_error, (long long)s->rejected_newton,
        (long long)s->residuals));
    PetscCall(PetscViewerASCIIPrintf(
        viewer,
        "  %lld Newton iterations, %lld of GMRES, %lld set-ups and %lld "
        "applications of the KSP below\n",
        (long long)s->iterations, (long long)s->krylov_iterations,
        (long long)s->preconditioner_setups, (long long)s->preconditioner_solves));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_algebraic(TS ts, IS unknowns, PetscInt index)
{
    TS_Daedal *d = ts->data;
    PetscFunctionBegin;
    PetscCall(PetscObjectReference((PetscObject)unknowns));
    PetscCall(ISDestroy(&d->algebraic));
    d->algebraic = unknowns;
    d->algebraic_index = index;
    PetscFunctionReturn(0);
}

static PetscErrorCode get_solver(TS ts, daedal_solver **solver)
{
    PetscFunctionBegin;
    *solver = ((TS_Daedal *)ts->data)->solver;
    PetscFunctionReturn(0);
}

static PetscErrorCode TSCreate_Daedal(TS ts)
{
    TS_Daedal *d;
    PetscFunctionBegin;
    PetscCall(PetscNew(&d));
    daedal_options_defaults(&d->options);
    d->algebraic_index = 1;
    ts->data = d;
    ts->ops->setup = TSSetUp_Daedal;
    ts->ops->reset = TSReset_Daedal;
    ts->ops->destroy = TSDestroy_Daedal;
    ts->ops->view = TSView_Daedal;
    ts->ops->setfromoptions = TSSetFromOptions_Daedal;
    ts->ops->step = TSStep_Daedal;
    ts->ops->rollback = TSRollBack_Daedal;
    ts->ops->interpolate = TSInterpolate_Daedal;
    ts->ops->snesfunction = snes_function;
    ts->ops->snesjacobian = snes_jacobian;
    ts->usessnes = PETSC_TRUE;
    ts->default_adapt_type = TSADAPTNONE;
    PetscCall(PetscObjectComposeFunction((PetscObject)ts, "TSDaedalSetAlgebraic_C", set_algebraic));
    PetscCall(PetscObjectComposeFunction((PetscObject)ts, "TSDaedalSetOption_C", set_option));
    PetscCall(PetscObjectComposeFunction((PetscObject)ts, "TSDaedalGetSolver_C", get_solver));
    PetscFunctionReturn(0);
}

PetscErrorCode TSDaedalSetAlgebraic(TS ts, IS unknowns, PetscInt index)
{
    PetscFunctionBegin;
    PetscTryMethod(ts, "TSDaedalSetAlgebraic_C", (TS, IS, PetscInt), (ts, unknowns, index));
    PetscFunctionReturn(0);
}

PetscErrorCode TSDaedalSetOption(TS ts, const char name[], const char value[])
{
    PetscFunctionBegin;
    PetscTryMethod(ts, "TSDaedalSetOption_C", (TS, const char[], const char[]), (ts, name, value));
    PetscFunctionReturn(0);
}

PetscErrorCode TSDaedalGetSolver(TS ts, daedal_solver **solver)
{
    PetscFunctionBegin;
    *solver = NULL;
    PetscTryMethod(ts, "TSDaedalGetSolver_C", (TS, daedal_solver **), (ts, solver));
    PetscFunctionReturn(0);
}

PetscErrorCode DaedalPetscRegister(void)
{
    PetscFunctionBegin;
    PetscCall(TSRegister(TSDAEDAL, TSCreate_Daedal));
    PetscFunctionReturn(0);
}

/* PETSc calls this when it loads the library (-dll_append); the name follows from that of the file.
 */
PETSC_EXTERN PetscErrorCode PetscDLLibraryRegister_daedal_petsc(void);
PetscErrorCode PetscDLLibraryRegister_daedal_petsc(void)
{
    PetscFunctionBegin;
    PetscCall(DaedalPetscRegister());
    PetscFunctionReturn(0);
}
