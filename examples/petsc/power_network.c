/* examples/petsc/power_network.c - generators on a ring of power lines, one of which is
 * short-circuited for a while: a system of index 1 with events, on any number of ranks.
 *
 *     mpirun -n 2 build/petsc/power_network -nodes 300 -ts_monitor
 *
 * Node k has a generator with angle d and deviation of speed w, behind a reactance, and a voltage
 * (p, q) = (real, imaginary) that the currents of the node determine:
 *     d' = w,   M w' = P - D w - E (p sin d - q cos d) / X,
 *     0 = sum of the currents: (E e^{i d} - V) / (i X) + sum_neighbours (V_j - V) / (i Z) - G V.
 * Between t = 1 and t = 1.1 the node in the middle has a large G: events switch it.              */
#include <daedal_petsc.h>
#include <petscdmda.h>

typedef struct {
    PetscScalar d, w, p, q;
} Node;

typedef struct {
    PetscReal fault; /* conductance at the node in the middle */
    PetscInt nodes;
} Network;

static const PetscReal INERTIA = 0.1, DAMPING = 0.05, VOLTAGE = 1.05, REACTANCE = 0.2, LINE = 0.3;
static const PetscReal FAULT_AT = 1.0, CLEARED_AT = 1.1, SHORT_CIRCUIT = 20.0;

/* Powers differ from node to node and sum up to the loads. */
static PetscReal power(PetscInt k)
{
    return 0.5 + 0.3 * PetscSinReal(0.7 * k);
}

static PetscReal load(const Network *net, PetscInt k)
{
    return 0.5 + (2 * k == net->nodes || 2 * k == net->nodes - 1 ? net->fault : 0.0);
}

static PetscErrorCode residual(TS ts, PetscReal t, Vec y, Vec yp, Vec f, void *ctx)
{
    const Network *net = ctx;
    DM dm;
    DMDALocalInfo at;
    Vec local;
    Node *n, *np, *r;
    (void)t;
    PetscFunctionBeginUser;
    PetscCall(TSGetDM(ts, &dm));
    PetscCall(DMDAGetLocalInfo(dm, &at));
    PetscCall(DMGetLocalVector(dm, &local));
    PetscCall(DMGlobalToLocal(dm, y, INSERT_VALUES, local));
    PetscCall(DMDAVecGetArrayRead(dm, local, &n));
    PetscCall(DMDAVecGetArrayRead(dm, yp, &np));
    PetscCall(DMDAVecGetArray(dm, f, &r));
    for (PetscInt k = at.xs; k < at.xs + at.xm; k++) {
        PetscScalar c = PetscCosScalar(n[k].d), s = PetscSinScalar(n[k].d);
        PetscScalar real = (VOLTAGE * s - n[k].q) / REACTANCE,
                    imag = (n[k].p - VOLTAGE * c) / REACTANCE;
        real += (n[k - 1].q + n[k + 1].q - 2.0 * n[k].q) / LINE;
        imag -= (n[k - 1].p + n[k + 1].p - 2.0 * n[k].p) / LINE;
        PetscScalar given = VOLTAGE * (n[k].p * s - n[k].q * c) / REACTANCE;
        r[k] = (Node){np[k].d - n[k].w, INERTIA * np[k].w - (power(k) - DAMPING * n[k].w - given),
                      real - load(net, k) * n[k].p, imag - load(net, k) * n[k].q};
    }
    PetscCall(DMDAVecRestoreArrayRead(dm, local, &n));
    PetscCall(DMDAVecRestoreArrayRead(dm, yp, &np));
    PetscCall(DMDAVecRestoreArray(dm, f, &r));
    PetscCall(DMRestoreLocalVector(dm, &local));
    PetscFunctionReturn(0);
}

static PetscErrorCode event(TS ts, PetscReal t, Vec y, PetscScalar *g, void *ctx)
{
    (void)ts;
    (void)y;
    (void)ctx;
    PetscFunctionBeginUser;
    g[0] = t - FAULT_AT;
    g[1] = t - CLEARED_AT;
    PetscFunctionReturn(0);
}

static PetscErrorCode after_event(TS ts, PetscInt n, PetscInt which[], PetscReal t, Vec y,
                                  PetscBool forward, void *ctx)
{
    Network *net = ctx;
    (void)y;
    (void)forward;
    PetscFunctionBeginUser;
    for (PetscInt k = 0; k < n; k++) {
        net->fault = which[k] == 0 ? SHORT_CIRCUIT : 0.0;
        PetscCall(PetscPrintf(PETSC_COMM_WORLD, "t = %.3f: %s\n", (double)t,
                              which[k] == 0 ? "short circuit" : "cleared"));
    }
    PetscCall(TSRestartStep(ts)); /* voltages jump */
    PetscFunctionReturn(0);
}

static PetscErrorCode set_start(DM dm, Vec y)
{
    DMDALocalInfo at;
    Node *n;
    PetscFunctionBeginUser;
    PetscCall(DMDAGetLocalInfo(dm, &at));
    PetscCall(DMDAVecGetArray(dm, y, &n));
    for (PetscInt k = at.xs; k < at.xs + at.xm; k++)
        n[k] = (Node){0.1, 0.0, 1.0, 0.0}; /* the voltages are guesses */
    PetscCall(DMDAVecRestoreArray(dm, y, &n));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    Network net = {0.0, 42};
    PetscInt direction[2] = {1, 1}, steps, where;
    PetscBool terminate[2] = {PETSC_FALSE, PETSC_FALSE};
    PetscReal fastest, t;
    DM dm;
    TS ts;
    Vec y;
    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(DaedalPetscRegister());
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-nodes", &net.nodes, NULL));
    PetscCheck(net.nodes >= 6 && net.nodes % 3 == 0, PETSC_COMM_WORLD, PETSC_ERR_ARG_OUTOFRANGE,
               "-nodes is a multiple of 3, as PETSc colours periodic grids");
    PetscCall(DMDACreate1d(PETSC_COMM_WORLD, DM_BOUNDARY_PERIODIC, net.nodes, 4, 1, NULL, &dm));
    PetscCall(DMSetFromOptions(dm));
    PetscCall(DMSetUp(dm));
    PetscCall(TSCreate(PETSC_COMM_WORLD, &ts));
    PetscCall(TSSetType(ts, TSDAEDAL));
    PetscCall(TSSetDM(ts, dm));
    PetscCall(TSSetIFunction(ts, NULL, residual, &net));
    PetscCall(TSSetEventHandler(ts, 2, direction, terminate, event, after_event, &net));
    PetscCall(TSSetMaxTime(ts, 4.0));
    PetscCall(TSSetTimeStep(ts, 1e-3));
    PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP));
    PetscCall(TSSetFromOptions(ts));
    PetscCall(DMCreateGlobalVector(dm, &y));
    PetscCall(set_start(dm, y));
    PetscCall(TSSolve(ts, y));
    PetscCall(TSGetSolveTime(ts, &t));
    PetscCall(TSGetStepNumber(ts, &steps));
    PetscCall(VecStrideMax(y, 1, &where, &fastest));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                          "t = %g after %d steps, the largest speed is %.4f at node %d\n",
                          (double)t, (int)steps, (double)fastest, (int)where / 4));
    PetscCall(VecDestroy(&y));
    PetscCall(TSDestroy(&ts));
    PetscCall(DMDestroy(&dm));
    PetscCall(PetscFinalize());
    return 0;
}
