/* tests/petsc/faults.c - something goes wrong on the last rank only: all ranks must end, soon, with
 * the same words.  u' = u_xx on a line;  -fault nan | error | domain | pc | pc_nan, from t = 0.01
 * on. Prints "rank k: words" for each rank.                                                      */
#include <math.h>
#include <string.h>

#include <daedal_petsc.h>
#include <petscdmda.h>

typedef struct {
    char fault[16];
    PetscBool is_last;
    PetscReal t;
} Case;

static PetscBool happens(const Case *c, const char *what)
{
    return c->is_last && c->t >= 0.01 && strcmp(c->fault, what) == 0 ? PETSC_TRUE : PETSC_FALSE;
}

static PetscErrorCode residual(TS ts, PetscReal t, Vec y, Vec yp, Vec f, void *ctx)
{
    Case *c = ctx;
    DM dm;
    DMDALocalInfo at;
    Vec local;
    PetscScalar *u, *up, *r;
    PetscFunctionBeginUser;
    PetscCall(TSGetDM(ts, &dm));
    PetscCall(DMDAGetLocalInfo(dm, &at));
    PetscCall(DMGetLocalVector(dm, &local));
    PetscCall(DMGlobalToLocal(dm, y, INSERT_VALUES, local));
    PetscCall(DMDAVecGetArrayRead(dm, local, &u));
    PetscCall(DMDAVecGetArrayRead(dm, yp, &up));
    PetscCall(DMDAVecGetArray(dm, f, &r));
    for (PetscInt i = at.xs; i < at.xs + at.xm; i++)
        r[i] = up[i] - 900.0 * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
    c->t = t;
    if (happens(c, "nan"))
        r[at.xs] = NAN;
    PetscCall(DMDAVecRestoreArrayRead(dm, local, &u));
    PetscCall(DMDAVecRestoreArrayRead(dm, yp, &up));
    PetscCall(DMDAVecRestoreArray(dm, f, &r));
    PetscCall(DMRestoreLocalVector(dm, &local));
    if (happens(c, "domain")) {
        SNES snes;
        PetscCall(TSGetSNES(ts, &snes));
        PetscCall(SNESSetFunctionDomainError(snes));
    }
    PetscFunctionReturn(happens(c, "error") ? PETSC_ERR_USER : 0);
}

static PetscErrorCode apply(PC pc, Vec x, Vec y)
{
    Case *c;
    PetscScalar *v;
    PetscFunctionBeginUser;
    PetscCall(PCShellGetContext(pc, &c));
    PetscCall(VecCopy(x, y));
    PetscCall(VecScale(y, 1e-4));
    PetscCall(VecGetArray(y, &v));
    if (happens(c, "pc_nan"))
        v[0] = NAN;
    PetscCall(VecRestoreArray(y, &v));
    PetscFunctionReturn(happens(c, "pc") ? PETSC_ERR_LIB : 0);
}

/* What is printed is what TSSolve raised, without the trace. */
static PetscErrorCode remember(MPI_Comm comm, int line, const char *function, const char *file,
                               PetscErrorCode n, PetscErrorType type, const char *text, void *ctx)
{
    (void)comm, (void)line, (void)function, (void)file;
    if (type == PETSC_ERROR_INITIAL && text && strstr(text, "daedal: "))
        strncpy(ctx, text, 400);
    return n;
}

int main(int argc, char **argv)
{
    Case c = {.fault = ""};
    char words[401] = "it succeeded";
    PetscMPIInt rank, size;
    DM dm;
    TS ts;
    SNES snes;
    KSP ksp;
    PC pc;
    Vec y;
    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
    c.is_last = rank == size - 1 ? PETSC_TRUE : PETSC_FALSE;
    PetscCall(PetscOptionsGetString(NULL, NULL, "-fault", c.fault, sizeof c.fault, NULL));
    PetscCall(DaedalPetscRegister());
    PetscCall(DMDACreate1d(PETSC_COMM_WORLD, DM_BOUNDARY_PERIODIC, 30, 1, 1, NULL, &dm));
    PetscCall(DMSetUp(dm));
    PetscCall(TSCreate(PETSC_COMM_WORLD, &ts));
    PetscCall(TSSetType(ts, TSDAEDAL));
    PetscCall(TSSetDM(ts, dm));
    PetscCall(TSSetIFunction(ts, NULL, residual, &c));
    PetscCall(TSSetEquationType(ts, TS_EQ_ODE_IMPLICIT));
    PetscCall(TSSetMaxTime(ts, 0.05));
    PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP));
    PetscCall(TSGetSNES(ts, &snes));
    PetscCall(SNESGetKSP(snes, &ksp));
    PetscCall(KSPGetPC(ksp, &pc));
    if (strncmp(c.fault, "pc", 2) == 0) {
        PetscCall(PCSetType(pc, PCSHELL));
        PetscCall(PCShellSetContext(pc, &c));
        PetscCall(PCShellSetApply(pc, apply));
    }
    PetscCall(TSSetFromOptions(ts));
    PetscCall(DMCreateGlobalVector(dm, &y));
    PetscCall(VecSetRandom(y, NULL));
    PetscCall(PetscPushErrorHandler(remember, words));
    (void)TSSolve(ts, y);
    PetscCall(PetscPopErrorHandler());
    PetscCall(PetscSynchronizedPrintf(PETSC_COMM_WORLD, "rank %d: %s\n", rank, words));
    PetscCall(PetscSynchronizedFlush(PETSC_COMM_WORLD, PETSC_STDOUT));
    PetscCallMPI(MPI_Finalize());
    return 0;
}
