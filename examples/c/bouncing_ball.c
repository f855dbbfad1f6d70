/* bouncing_ball.c - locates an event, changes the state there, and continues the run.
 *
 * A ball falls from 10 m and keeps 80 % of its speed at each bounce.  The event
 * function is its height; when the solver stops there, the program turns the
 * velocity round and restarts from the changed values.
 *
 * Between two bounces h = h0 + v0 t - g t^2 / 2, so the first bounce is at
 * sqrt(2 * 10 / 9.81) = 1.42784 s, and each flight lasts 0.8 times the one before.
 *
 * expect: 1.42784
 * expect: 3.71239
 * expect: 7 bounces
 */
#include <daedal.h>
#include <stdio.h>

enum { HEIGHT, SPEED };

static const double gravity = 9.81, kept_speed = 0.8;

static int fall(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[HEIGHT] = yp[HEIGHT] - y[SPEED];
    r[SPEED] = yp[SPEED] + gravity;
    return DAEDAL_CALL_OK;
}

static int ground(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[HEIGHT];
    return DAEDAL_CALL_OK;
}

/* Turn the velocity round and go on from there. */
static daedal_status bounce(daedal_solver *solver)
{
    const daedal_state *at = daedal_solver_state(solver);
    printf("  bounce at t = %.5f s, speed %.4f m/s\n", at->t, -at->y[SPEED]);
    const double y[] = {0.0, -kept_speed * at->y[SPEED]};
    return daedal_solver_restart(solver, y, NULL);
}

int main(void)
{
    const int32_t falling = -1;
    daedal_system system = {.n = 2,
                            .residual = fall,
                            .n_events = 1,
                            .events = ground,
                            .event_direction = {&falling, 1}};
    daedal_solver *solver;
    daedal_diagnosis why;
    if (daedal_solver_create(&solver, &system, NULL, &why) < 0) {
        fprintf(stderr, "%s\n", why.message);
        return 1;
    }

    int bounces = 0;
    daedal_status status = daedal_solver_start(solver, 0.0, (const double[]){10, 0}, NULL);
    for (double t_out = 1.0; status >= 0 && t_out <= 10.0;) {
        status = daedal_solver_advance(solver, t_out);
        if (status == DAEDAL_EVENT) {
            bounces++;
            status = bounce(solver);
        } else if (status == DAEDAL_OK) {
            const daedal_state *at = daedal_solver_state(solver);
            printf("t = %4.1f  height %8.5f m\n", at->t, at->y[HEIGHT]);
            t_out += 1.0;
        }
    }
    if (status < 0)
        fprintf(stderr, "%s\n", daedal_solver_diagnosis(solver)->message);
    else
        printf("%d bounces\n", bounces);
    daedal_solver_free(solver);
    return status < 0;
}
