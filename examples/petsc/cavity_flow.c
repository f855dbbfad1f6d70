/* examples/petsc/cavity_flow.c - incompressible flow in a cavity whose lid begins to move, a system
 * of index 2, on any number of ranks, with a Schur complement as preconditioner.
 *
 *     mpirun -n 2 build/petsc/cavity_flow -da_grid_x 64 -da_grid_y 64 -reynolds 100
 *
 * u' + u u_x + v u_y = -p_x + (u_xx + u_yy) / Re,  v' likewise,  0 = u_x + v_y on a staggered grid:
 * cell (i, j) has p in its centre, u on its left side and v on its lower side.  One divergence
 * follows from the others because nothing leaves the cavity; p = 0 takes its place.  The lid moves
 * with sin(pi t / 2)^2, so that the fluid at rest is a consistent start.
 *
 * The preconditioner is set by options (see set_defaults): block factors of (velocity, pressure)
 * with B diag(A)^-1 B' in place of the Schur complement, algebraic multigrid in both blocks.     */
#include <daedal_petsc.h>
#include <petscdmda.h>

typedef struct {
    PetscScalar u, v, p;
} Cell;

typedef struct {
    PetscReal reynolds;
} Flow;

static PetscReal lid(PetscReal t)
{
    PetscReal s = PetscSinReal(0.5 * PETSC_PI * t);
    return t < 1.0 ? s * s : 1.0;
}

/* What lies beside a wall has the opposite value behind it, so that the wall has `wall`. */
static PetscScalar beside(PetscBool inside, PetscScalar there, PetscScalar here, PetscReal wall)
{
    return inside ? there : 2.0 * wall - here;
}

typedef struct {
    DMDALocalInfo at;
    Cell **y, **yp, **r;
    PetscReal hx, hy, nu, lid;
} Grid;

/* The equation of u on the left side of a cell. */
static PetscScalar momentum_u(const Grid *g, PetscInt i, PetscInt j)
{
    Cell **y = g->y;
    if (i == 0)
        return y[j][i].u;
    PetscScalar u = y[j][i].u, west = y[j][i - 1].u, east = i + 1 < g->at.mx ? y[j][i + 1].u : 0.0;
    PetscBool above = j + 1 < g->at.my ? PETSC_TRUE : PETSC_FALSE,
              below = j > 0 ? PETSC_TRUE : PETSC_FALSE;
    PetscScalar north = beside(above, above ? y[j + 1][i].u : 0.0, u, g->lid);
    PetscScalar south = beside(below, below ? y[j - 1][i].u : 0.0, u, 0.0);
    PetscScalar v =
        0.25 * (y[j][i].v + y[j][i - 1].v + (above ? y[j + 1][i].v + y[j + 1][i - 1].v : 0.0));
    return g->yp[j][i].u + u * (east - west) / (2.0 * g->hx) + v * (north - south) / (2.0 * g->hy) +
           (y[j][i].p - y[j][i - 1].p) / g->hx -
           g->nu * ((east - 2.0 * u + west) / (g->hx * g->hx) +
                    (north - 2.0 * u + south) / (g->hy * g->hy));
}

static PetscScalar momentum_v(const Grid *g, PetscInt i, PetscInt j)
{
    Cell **y = g->y;
    if (j == 0)
        return y[j][i].v;
    PetscScalar v = y[j][i].v, south = y[j - 1][i].v,
                north = j + 1 < g->at.my ? y[j + 1][i].v : 0.0;
    PetscBool right = i + 1 < g->at.mx ? PETSC_TRUE : PETSC_FALSE,
              left = i > 0 ? PETSC_TRUE : PETSC_FALSE;
    PetscScalar east = beside(right, right ? y[j][i + 1].v : 0.0, v, 0.0);
    PetscScalar west = beside(left, left ? y[j][i - 1].v : 0.0, v, 0.0);
    PetscScalar u =
        0.25 * (y[j][i].u + y[j - 1][i].u + (right ? y[j][i + 1].u + y[j - 1][i + 1].u : 0.0));
    return g->yp[j][i].v + u * (east - west) / (2.0 * g->hx) + v * (north - south) / (2.0 * g->hy) +
           (y[j][i].p - y[j - 1][i].p) / g->hy -
           g->nu * ((east - 2.0 * v + west) / (g->hx * g->hx) +
                    (north - 2.0 * v + south) / (g->hy * g->hy));
}

static PetscScalar divergence(const Grid *g, PetscInt i, PetscInt j)
{
    Cell **y = g->y;
    if (i == 0 && j == 0)
        return y[j][i].p;
    PetscScalar east = i + 1 < g->at.mx ? y[j][i + 1].u : 0.0;
    PetscScalar north = j + 1 < g->at.my ? y[j + 1][i].v : 0.0;
    return (east - y[j][i].u) / g->hx + (north - y[j][i].v) / g->hy;
}

static PetscErrorCode residual(TS ts, PetscReal t, Vec y, Vec yp, Vec f, void *ctx)
{
    const Flow *flow = ctx;
    Grid g;
    DM dm;
    Vec local;
    PetscFunctionBeginUser;
    PetscCall(TSGetDM(ts, &dm));
    PetscCall(DMDAGetLocalInfo(dm, &g.at));
    g.hx = 1.0 / g.at.mx;
    g.hy = 1.0 / g.at.my;
    g.nu = 1.0 / flow->reynolds;
    g.lid = lid(t);
    PetscCall(DMGetLocalVector(dm, &local));
    PetscCall(DMGlobalToLocal(dm, y, INSERT_VALUES, local));
    PetscCall(DMDAVecGetArrayRead(dm, local, &g.y));
    PetscCall(DMDAVecGetArrayRead(dm, yp, &g.yp));
    PetscCall(DMDAVecGetArray(dm, f, &g.r));
    for (PetscInt j = g.at.ys; j < g.at.ys + g.at.ym; j++)
        for (PetscInt i = g.at.xs; i < g.at.xs + g.at.xm; i++)
            g.r[j][i] = (Cell){momentum_u(&g, i, j), momentum_v(&g, i, j), divergence(&g, i, j)};
    PetscCall(DMDAVecRestoreArrayRead(dm, local, &g.y));
    PetscCall(DMDAVecRestoreArrayRead(dm, yp, &g.yp));
    PetscCall(DMDAVecRestoreArray(dm, f, &g.r));
    PetscCall(DMRestoreLocalVector(dm, &local));
    PetscFunctionReturn(0);
}

/* Pressures, and velocities on walls, have no derivative in the equations. */
static PetscErrorCode tell_algebraic(TS ts, DM dm)
{
    DMDALocalInfo at;
    Vec y;
    PetscInt low, *number, n = 0;
    IS unknowns;
    PetscFunctionBeginUser;
    PetscCall(DMDAGetLocalInfo(dm, &at));
    PetscCall(DMGetGlobalVector(dm, &y));
    PetscCall(VecGetOwnershipRange(y, &low, NULL));
    PetscCall(DMRestoreGlobalVector(dm, &y));
    PetscCall(PetscMalloc1(3 * at.xm * at.ym, &number));
    for (PetscInt j = at.ys, first = low; j < at.ys + at.ym; j++)
        for (PetscInt i = at.xs; i < at.xs + at.xm; i++, first += 3) {
            if (i == 0)
                number[n++] = first;
            if (j == 0)
                number[n++] = first + 1;
            number[n++] = first + 2;
        }
    PetscCall(ISCreateGeneral(PETSC_COMM_WORLD, n, number, PETSC_OWN_POINTER, &unknowns));
    PetscCall(TSDaedalSetAlgebraic(ts, unknowns, 2));
    PetscCall(ISDestroy(&unknowns));
    PetscFunctionReturn(0);
}

/* Options that hold unless the command line says otherwise. */
static PetscErrorCode set_defaults(void)
{
    static const char *const options[][2] = {
        {"-daedal_method", "radau"},
        {"-pc_type", "fieldsplit"},
        {"-pc_fieldsplit_block_size", "3"},
        {"-pc_fieldsplit_0_fields", "0,1"},
        {"-pc_fieldsplit_1_fields", "2"},
        {"-pc_fieldsplit_type", "schur"},
        {"-pc_fieldsplit_schur_fact_type", "full"},
        {"-pc_fieldsplit_schur_precondition", "selfp"},
        {"-fieldsplit_0_ksp_type", "preonly"},
        {"-fieldsplit_0_pc_type", "hypre"},
        {"-fieldsplit_1_ksp_type", "preonly"},
        {"-fieldsplit_1_pc_type", "hypre"},
    };
    PetscBool given;
    PetscFunctionBeginUser;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        PetscCall(PetscOptionsHasName(NULL, NULL, options[i][0], &given));
        if (!given)
            PetscCall(PetscOptionsSetValue(NULL, options[i][0], options[i][1]));
    }
    PetscFunctionReturn(0);
}

/* The largest divergence and the kinetic energy at the end. */
static PetscErrorCode report(TS ts, DM dm, Vec y)
{
    DMDALocalInfo at;
    Grid g;
    Vec local;
    PetscReal most = 0.0, energy = 0.0, t;
    PetscInt steps;
    PetscFunctionBeginUser;
    PetscCall(DMDAGetLocalInfo(dm, &at));
    g.at = at;
    g.hx = 1.0 / at.mx;
    g.hy = 1.0 / at.my;
    PetscCall(DMGetLocalVector(dm, &local));
    PetscCall(DMGlobalToLocal(dm, y, INSERT_VALUES, local));
    PetscCall(DMDAVecGetArrayRead(dm, local, &g.y));
    for (PetscInt j = at.ys; j < at.ys + at.ym; j++)
        for (PetscInt i = at.xs; i < at.xs + at.xm; i++) {
            if (i > 0 || j > 0)
                most = PetscMax(most, PetscAbsScalar(divergence(&g, i, j)));
            energy += 0.5 * g.hx * g.hy * (g.y[j][i].u * g.y[j][i].u + g.y[j][i].v * g.y[j][i].v);
        }
    PetscCall(DMDAVecRestoreArrayRead(dm, local, &g.y));
    PetscCall(DMRestoreLocalVector(dm, &local));
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPIU_REAL, MPIU_MAX, PETSC_COMM_WORLD));
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &energy, 1, MPIU_REAL, MPIU_SUM, PETSC_COMM_WORLD));
    PetscCall(TSGetSolveTime(ts, &t));
    PetscCall(TSGetStepNumber(ts, &steps));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "t = %g after %d steps, kinetic energy %.6f\n",
                          (double)t, (int)steps, (double)energy));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "the largest divergence is %s 1e-3\n",
                          most < 1e-3 ? "below" : "above"));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    Flow flow = {100.0};
    DM dm;
    TS ts;
    Vec y;
    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(DaedalPetscRegister());
    PetscCall(set_defaults());
    PetscCall(PetscOptionsGetReal(NULL, NULL, "-reynolds", &flow.reynolds, NULL));
    PetscCall(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_BOX,
                           32, 32, PETSC_DECIDE, PETSC_DECIDE, 3, 1, NULL, NULL, &dm));
    PetscCall(DMSetFromOptions(dm));
    PetscCall(DMSetUp(dm));
    PetscCall(DMDASetFieldName(dm, 0, "u"));
    PetscCall(DMDASetFieldName(dm, 1, "v"));
    PetscCall(DMDASetFieldName(dm, 2, "p"));
    PetscCall(TSCreate(PETSC_COMM_WORLD, &ts));
    PetscCall(TSSetType(ts, TSDAEDAL));
    PetscCall(TSSetDM(ts, dm));
    PetscCall(TSSetIFunction(ts, NULL, residual, &flow)); /* the Jacobian: coloured differences */
    PetscCall(tell_algebraic(ts, dm));
    PetscCall(TSSetMaxTime(ts, 2.0));
    PetscCall(TSSetTimeStep(ts, 1e-3));
    PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP));
    PetscCall(TSSetFromOptions(ts));
    PetscCall(DMCreateGlobalVector(dm, &y));
    PetscCall(TSSolve(ts, y));
    PetscCall(report(ts, dm, y));
    PetscCall(VecDestroy(&y));
    PetscCall(TSDestroy(&ts));
    PetscCall(DMDestroy(&dm));
    PetscCall(PetscFinalize());
    return 0;
}
