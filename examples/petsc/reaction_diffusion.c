/* examples/petsc/reaction_diffusion.c - heat and the Brusselator on a square or a cube, on any
 * number of ranks.
 *
 *     mpirun -n 4 build/petsc/reaction_diffusion -problem brusselator -dim 2 -da_grid_x 256
 *         -da_grid_y 256 -pc_type hypre -ts_monitor_solution_vtk 'field-%03d.vts'
 *
 * heat:        u' = Laplace u, u = 0 on the boundary, u(0) = 4^d x (1 - x) y (1 - y) ...; the exact
 *              solution of the discrete equations is a product of sums of sines
 * brusselator: u' = 1 + u^2 v - 4.4 u + a Laplace u,  v' = 3.4 u - u^2 v + a Laplace v, a = 0.02,
 *              periodic, from smooth waves
 *
 * -save file and -reference file write the end of a run and compare another one with it.      */
#include <daedal_petsc.h>
#include <petscdmda.h>

typedef struct {
    PetscInt dim;
    PetscBool is_heat;
    PetscReal diffusion;
    PetscInt dof;
} Model;

/* The points of this rank and the square of 1/h. */
typedef struct {
    DMDALocalInfo at;
    PetscReal weight[3]; /* 0 in directions that do not exist */
} Grid;

static PetscErrorCode get_grid(TS ts, const Model *m, Grid *g)
{
    DM dm;
    PetscFunctionBeginUser;
    PetscCall(TSGetDM(ts, &dm));
    PetscCall(DMDAGetLocalInfo(dm, &g->at));
    PetscInt sizes[3] = {g->at.mx, g->at.my, g->at.mz};
    for (PetscInt k = 0; k < 3; k++) {
        PetscReal n = m->is_heat ? sizes[k] + 1.0 : sizes[k]; /* intervals of [0, 1] */
        g->weight[k] = k < m->dim ? m->diffusion * n * n : 0.0;
    }
    PetscFunctionReturn(0);
}

/* Values with their neighbours.  DMDA fills the border only where it is periodic: for heat, with
 * DM_BOUNDARY_GHOSTED, it stays zero, which is the boundary condition.                       */
static PetscScalar value(const Grid *g, const PetscScalar *u, PetscInt i, PetscInt j, PetscInt k,
                         PetscInt c)
{
    const DMDALocalInfo *a = &g->at;
    return u[((((k - a->gzs) * a->gym) + (j - a->gys)) * a->gxm + (i - a->gxs)) * a->dof + c];
}

static PetscScalar laplace(const Grid *g, const PetscScalar *u, PetscInt i, PetscInt j, PetscInt k,
                           PetscInt c)
{
    PetscScalar here = 2.0 * value(g, u, i, j, k, c), sum;
    sum = g->weight[0] * (value(g, u, i - 1, j, k, c) - here + value(g, u, i + 1, j, k, c));
    sum += g->weight[1] * (value(g, u, i, j - 1, k, c) - here + value(g, u, i, j + 1, k, c));
    if (g->weight[2] > 0.0)
        sum += g->weight[2] * (value(g, u, i, j, k - 1, c) - here + value(g, u, i, j, k + 1, c));
    return sum;
}

static PetscErrorCode residual(TS ts, PetscReal t, Vec y, Vec yp, Vec f, void *ctx)
{
    const Model *m = ctx;
    Grid g;
    Vec local;
    const PetscScalar *u, *up;
    PetscScalar *r;
    (void)t;
    PetscFunctionBeginUser;
    PetscCall(get_grid(ts, m, &g));
    PetscCall(DMGetLocalVector(g.at.da, &local));
    PetscCall(VecZeroEntries(local));
    PetscCall(DMGlobalToLocal(g.at.da, y, INSERT_VALUES, local));
    PetscCall(VecGetArrayRead(local, &u));
    PetscCall(VecGetArrayRead(yp, &up));
    PetscCall(VecGetArray(f, &r));
    PetscInt n = 0;
    for (PetscInt k = g.at.zs; k < g.at.zs + g.at.zm; k++)
        for (PetscInt j = g.at.ys; j < g.at.ys + g.at.ym; j++)
            for (PetscInt i = g.at.xs; i < g.at.xs + g.at.xm; i++, n += m->dof) {
                PetscScalar a = value(&g, u, i, j, k, 0);
                r[n] = up[n] - laplace(&g, u, i, j, k, 0);
                if (m->is_heat)
                    continue;
                PetscScalar b = value(&g, u, i, j, k, 1);
                r[n] -= 1.0 + a * a * b - 4.4 * a;
                r[n + 1] = up[n + 1] - laplace(&g, u, i, j, k, 1) - (3.4 * a - a * a * b);
            }
    PetscCall(VecRestoreArrayRead(local, &u));
    PetscCall(VecRestoreArrayRead(yp, &up));
    PetscCall(VecRestoreArray(f, &r));
    PetscCall(DMRestoreLocalVector(g.at.da, &local));
    PetscCall(PetscLogFlops(20.0 * n));
    PetscFunctionReturn(0);
}

/* The row of unknown c at a point: the Laplacian. */
static PetscErrorCode set_row(const Grid *g, const Model *m, Mat b, MatStencil row, PetscReal shift,
                              const PetscScalar *reaction)
{
    MatStencil col[8];
    PetscScalar v[8];
    PetscInt n = 0, size[3] = {g->at.mx, g->at.my, g->at.mz}, at[3] = {row.i, row.j, row.k};
    PetscReal centre = shift;
    PetscFunctionBeginUser;
    for (PetscInt k = 0; k < m->dim; k++)
        for (PetscInt side = -1; side <= 1; side += 2) {
            PetscInt next[3] = {at[0], at[1], at[2]};
            next[k] += side;
            centre += g->weight[k];
            if (m->is_heat && (next[k] < 0 || next[k] >= size[k]))
                continue;
            col[n] = (MatStencil){.i = next[0], .j = next[1], .k = next[2], .c = row.c};
            v[n++] = -g->weight[k];
        }
    for (PetscInt c = 0; c < m->dof; c++) {
        col[n] = (MatStencil){.i = row.i, .j = row.j, .k = row.k, .c = c};
        v[n++] = (c == row.c ? centre : 0.0) - reaction[c];
    }
    PetscCall(MatSetValuesStencil(b, 1, &row, n, col, v, INSERT_VALUES));
    PetscFunctionReturn(0);
}

static PetscErrorCode jacobian(TS ts, PetscReal t, Vec y, Vec yp, PetscReal shift, Mat a, Mat b,
                               void *ctx)
{
    const Model *m = ctx;
    Grid g;
    const PetscScalar *u;
    PetscInt n = 0;
    (void)t;
    (void)yp;
    PetscFunctionBeginUser;
    PetscCall(get_grid(ts, m, &g));
    PetscCall(VecGetArrayRead(y, &u));
    for (PetscInt k = g.at.zs; k < g.at.zs + g.at.zm; k++)
        for (PetscInt j = g.at.ys; j < g.at.ys + g.at.ym; j++)
            for (PetscInt i = g.at.xs; i < g.at.xs + g.at.xm; i++, n += m->dof) {
                PetscScalar p = u[n], q = m->is_heat ? 0.0 : u[n + 1];
                PetscScalar by[2][2] = {{2.0 * p * q - 4.4, p * p}, {3.4 - 2.0 * p * q, -p * p}};
                PetscScalar none[2] = {0.0, 0.0};
                for (PetscInt c = 0; c < m->dof; c++) {
                    MatStencil row = {.i = i, .j = j, .k = k, .c = c};
                    PetscCall(set_row(&g, m, b, row, shift, m->is_heat ? none : by[c]));
                }
            }
    PetscCall(VecRestoreArrayRead(y, &u));
    PetscCall(MatAssemblyBegin(b, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(b, MAT_FINAL_ASSEMBLY));
    if (a != b) {
        PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
        PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
    }
    PetscFunctionReturn(0);
}

/* The solution of w' = w_xx from 4 x (1 - x) on n inner points, at time t. */
static PetscErrorCode heat_along_line(PetscInt n, PetscReal t, PetscReal *w)
{
    PetscFunctionBeginUser;
    PetscCall(PetscArrayzero(w, n));
    for (PetscInt k = 1; k <= n; k++) {
        PetscReal h = 1.0 / (n + 1.0), s = PetscSinReal(0.5 * PETSC_PI * k * h);
        PetscReal decay = PetscExpReal(-4.0 * s * s / (h * h) * t), part = 0.0;
        if (decay < 1e-18 || k % 2 == 0) /* the start is symmetric */
            continue;
        for (PetscInt i = 1; i <= n; i++)
            part += 2.0 * h * 4.0 * i * h * (1.0 - i * h) * PetscSinReal(PETSC_PI * k * i * h);
        for (PetscInt i = 1; i <= n; i++)
            w[i - 1] += decay * part * PetscSinReal(PETSC_PI * k * i * h);
    }
    PetscFunctionReturn(0);
}

/* Heat at time t, exactly; the start of the Brusselator. */
static PetscErrorCode set_solution(TS ts, const Model *m, PetscReal t, Vec y)
{
    Grid g;
    PetscScalar *u;
    PetscReal *line[3] = {NULL, NULL, NULL};
    PetscFunctionBeginUser;
    PetscCall(get_grid(ts, m, &g));
    PetscInt n = 0, size[3] = {g.at.mx, g.at.my, g.at.mz};
    for (PetscInt k = 0; k < m->dim && m->is_heat; k++) {
        PetscCall(PetscMalloc1(size[k], &line[k]));
        PetscCall(heat_along_line(size[k], t, line[k]));
    }
    PetscCall(VecGetArray(y, &u));
    for (PetscInt k = g.at.zs; k < g.at.zs + g.at.zm; k++)
        for (PetscInt j = g.at.ys; j < g.at.ys + g.at.ym; j++)
            for (PetscInt i = g.at.xs; i < g.at.xs + g.at.xm; i++, n += m->dof) {
                PetscReal x[3] = {2.0 * PETSC_PI * i / g.at.mx, 2.0 * PETSC_PI * j / g.at.my,
                                  m->dim > 2 ? 2.0 * PETSC_PI * k / g.at.mz : 0.0};
                if (m->is_heat) {
                    u[n] = line[0][i] * line[1][j] * (line[2] ? line[2][k] : 1.0);
                    continue;
                }
                u[n] = 1.0 + 0.5 * PetscSinReal(x[1]) + 0.2 * PetscSinReal(x[2]);
                u[n + 1] = 3.0 + PetscCosReal(x[0]);
            }
    PetscCall(VecRestoreArray(y, &u));
    for (PetscInt k = 0; k < 3; k++)
        PetscCall(PetscFree(line[k]));
    PetscFunctionReturn(0);
}

static PetscErrorCode create_grid(const Model *m, DM *dm)
{
    DMBoundaryType edge = m->is_heat ? DM_BOUNDARY_GHOSTED : DM_BOUNDARY_PERIODIC;
    PetscFunctionBeginUser;
    if (m->dim == 2)
        PetscCall(DMDACreate2d(PETSC_COMM_WORLD, edge, edge, DMDA_STENCIL_STAR, 64, 64,
                               PETSC_DECIDE, PETSC_DECIDE, m->dof, 1, NULL, NULL, dm));
    else
        PetscCall(DMDACreate3d(PETSC_COMM_WORLD, edge, edge, edge, DMDA_STENCIL_STAR, 24, 24, 24,
                               PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, m->dof, 1, NULL, NULL,
                               NULL, dm));
    PetscCall(DMSetFromOptions(*dm));
    PetscCall(DMSetUp(*dm));
    PetscCall(DMDASetFieldName(*dm, 0, "u"));
    if (m->dof > 1)
        PetscCall(DMDASetFieldName(*dm, 1, "v"));
    PetscFunctionReturn(0);
}

/* Print how many digits the end of the run has, in the largest difference to `exact`. */
static PetscErrorCode compare(Vec y, Vec exact)
{
    PetscReal size, error;
    PetscFunctionBeginUser;
    PetscCall(VecNorm(exact, NORM_INFINITY, &size));
    PetscCall(VecAXPY(exact, -1.0, y));
    PetscCall(VecNorm(exact, NORM_INFINITY, &error));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "digits %.2f\n", -log10(error / size)));
    PetscFunctionReturn(0);
}

static PetscErrorCode finish(TS ts, const Model *m, Vec y)
{
    char name[PETSC_MAX_PATH_LEN];
    PetscBool given;
    PetscViewer file;
    Vec other;
    PetscReal t;
    PetscInt steps;
    daedal_solver *solver;
    PetscFunctionBeginUser;
    PetscCall(TSGetSolveTime(ts, &t));
    PetscCall(TSGetStepNumber(ts, &steps));
    PetscCall(TSDaedalGetSolver(ts, &solver));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "t = %g after %d steps\n", (double)t, (int)steps));
    if (solver) {
        const daedal_stats *s = daedal_solver_stats(solver);
        PetscCall(
            PetscPrintf(PETSC_COMM_WORLD,
                        "last step %.9g, %lld Newton iterations, %lld of GMRES, %lld set-ups\n",
                        s->h_last, (long long)s->iterations, (long long)s->krylov_iterations,
                        (long long)s->preconditioner_setups));
    }
    PetscCall(VecDuplicate(y, &other));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-save", name, sizeof name, &given));
    if (given) {
        PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, name, FILE_MODE_WRITE, &file));
        PetscCall(VecView(y, file));
        PetscCall(PetscViewerDestroy(&file));
    }
    PetscCall(PetscOptionsGetString(NULL, NULL, "-reference", name, sizeof name, &given));
    if (given) {
        PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, name, FILE_MODE_READ, &file));
        PetscCall(VecLoad(other, file));
        PetscCall(PetscViewerDestroy(&file));
        PetscCall(compare(y, other));
    } else if (m->is_heat) {
        PetscCall(set_solution(ts, m, t, other));
        PetscCall(compare(y, other));
    }
    PetscCall(VecDestroy(&other));
    PetscFunctionReturn(0);
}

static PetscErrorCode read_model(Model *m)
{
    const char *problems[] = {"heat", "brusselator"};
    PetscInt which = 1;
    PetscFunctionBeginUser;
    m->dim = 2;
    PetscOptionsBegin(PETSC_COMM_WORLD, NULL, "Reaction and diffusion", NULL);
    PetscCall(PetscOptionsEList("-problem", "the equations", NULL, problems, 2, problems[which],
                                &which, NULL));
    PetscCall(PetscOptionsRangeInt("-dim", "dimensions of the domain", NULL, m->dim, &m->dim, NULL,
                                   2, 3));
    m->is_heat = which == 0 ? PETSC_TRUE : PETSC_FALSE;
    m->diffusion = m->is_heat ? 1.0 : 0.02;
    PetscCall(PetscOptionsReal("-diffusion", "coefficient of the Laplacian", NULL, m->diffusion,
                               &m->diffusion, NULL));
    PetscOptionsEnd();
    m->dof = m->is_heat ? 1 : 2;
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    Model model;
    DM dm;
    TS ts;
    Vec y;
    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(DaedalPetscRegister());
    PetscCall(read_model(&model));
    PetscCall(create_grid(&model, &dm));
    PetscCall(TSCreate(PETSC_COMM_WORLD, &ts));
    PetscCall(TSSetType(ts, TSDAEDAL));
    PetscCall(TSSetDM(ts, dm));
    PetscCall(TSSetIFunction(ts, NULL, residual, &model));
    PetscCall(TSSetIJacobian(ts, NULL, NULL, jacobian, &model));
    PetscCall(TSSetEquationType(ts, TS_EQ_ODE_IMPLICIT));
    PetscCall(TSSetMaxTime(ts, model.is_heat ? 0.1 : 1.0));
    PetscCall(TSSetTimeStep(ts, 1e-4));
    PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP));
    PetscCall(TSSetFromOptions(ts));
    PetscCall(DMCreateGlobalVector(dm, &y));
    PetscCall(set_solution(ts, &model, 0.0, y));
    PetscCall(TSSolve(ts, y));
    PetscCall(finish(ts, &model, y));
    PetscCall(VecDestroy(&y));
    PetscCall(TSDestroy(&ts));
    PetscCall(DMDestroy(&dm));
    PetscCall(PetscFinalize());
    return 0;
}
