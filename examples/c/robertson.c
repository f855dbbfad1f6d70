/* robertson.c - three chemicals and eleven decades of time.
 *
 * Robertson's problem: two differential equations and one conservation law,
 *
 *     y1' = -0.04 y1 + 1e4 y2 y3
 *     y2' =  0.04 y1 - 1e4 y2 y3 - 3e7 y2^2
 *       1 =  y1 + y2 + y3
 *
 * written as F(t, y, y') = 0 and given to the solver without derivatives, Jacobian
 * or initial y'.  Prints a table, a picture, and the work statistics.
 *
 * expect: 4.0e+10  5.208
 * expect: y1 (o) falls, y3 (x) rises
 * expect: steps
 */
#include <daedal.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DECADES = 12, ROWS = 11, CELL = 5 };

static int robertson(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    const double made = 0.04 * y[0], returned = 1e4 * y[1] * y[2];
    r[0] = yp[0] + made - returned;
    r[1] = yp[1] - made + returned + 3e7 * y[1] * y[1];
    r[2] = y[0] + y[1] + y[2] - 1.0;
    return DAEDAL_CALL_OK;
}

/* Print one line for each decade of time and keep the values for the picture. */
static daedal_status print_table(daedal_solver *solver, double kept[DECADES][3])
{
    printf("      t          y1            y2            y3        sum - 1\n");
    for (int k = 0; k < DECADES; k++) {
        daedal_status status = daedal_solver_advance(solver, 0.4 * pow(10.0, k));
        if (status < 0)
            return status;
        const daedal_state *at = daedal_solver_state(solver);
        const double *y = at->y;
        printf("  %7.1e  %12.4e  %12.4e  %12.4e  %9.1e\n", at->t, y[0], y[1], y[2],
               y[0] + y[1] + y[2] - 1.0);
        memcpy(kept[k], y, sizeof kept[k]);
    }
    return DAEDAL_OK;
}

/* y1 as o and y3 as x (both: *), from 0 to 1, a column for each decade. */
static void draw(double kept[DECADES][3])
{
    char canvas[ROWS][DECADES * CELL + 1];
    memset(canvas, ' ', sizeof canvas);
    for (int k = 0; k < DECADES; k++) {
        char *y1 = &canvas[lround((1.0 - kept[k][0]) * (ROWS - 1))][k * CELL + 2];
        char *y3 = &canvas[lround((1.0 - kept[k][2]) * (ROWS - 1))][k * CELL + 2];
        *y1 = 'o';
        *y3 = y1 == y3 ? '*' : 'x';
    }
    printf("\n  y1 (o) falls, y3 (x) rises, from t = 0.4 to 4e10\n\n");
    for (int i = 0; i < ROWS; i++) {
        canvas[i][DECADES * CELL] = '\0';
        printf("  %3.1f |%s\n", 1.0 - i / (double)(ROWS - 1), canvas[i]);
    }
    printf("      +");
    for (int k = 0; k < DECADES; k++)
        printf("--+--");
    printf("\n       ");
    for (int k = 0; k < DECADES; k++)
        printf(" 4e%-2d", k - 1);
    printf("\n");
}

int main(void)
{
    static const char *const names[] = {"y1", "y2", "y3"};
    daedal_system system = {.n = 3, .residual = robertson, .variable_names = names};
    daedal_options options;
    daedal_options_defaults(&options);
    options.rtol = 1e-6;
    options.atol_each = (daedal_doubles){(const double[]){1e-10, 1e-14, 1e-10}, 3};

    daedal_solver *solver;
    daedal_diagnosis why;
    if (daedal_solver_create(&solver, &system, &options, &why) < 0) {
        fprintf(stderr, "%s\n%s\n", why.message, why.hint);
        return 1;
    }
    double kept[DECADES][3];
    daedal_status status = daedal_solver_start(solver, 0.0, (const double[]){1, 0, 0}, NULL);
    if (status >= 0)
        status = print_table(solver, kept);
    if (status >= 0) {
        const daedal_stats *cost = daedal_solver_stats(solver);
        draw(kept);
        printf("\n  %lld steps, %lld calls of F, %lld Jacobians, %lld factorizations\n",
               (long long)cost->steps, (long long)cost->residuals, (long long)cost->jacobians,
               (long long)cost->factorizations);
    } else {
        const daedal_diagnosis *reason = daedal_solver_diagnosis(solver);
        fprintf(stderr, "stopped at t = %g: %s\n%s\n", reason->t, reason->message, reason->hint);
    }
    daedal_solver_free(solver);
    return status < 0;
}
