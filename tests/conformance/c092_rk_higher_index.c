/* tests/conformance/c092_rk_higher_index.c - Runge-Kutta methods on the pendulum of index 2 and 3:
 * C092, C094.                                                                     */
#include <math.h>

#include "fixed_step.h"
#include "harness.h"
#include "order_problems.h"

/* ---- C092: [BCP96] table 4.4.1 and more ----------------------------------------------------- */

static const struct {
    const char *name;
    double x, force, slack;
    int32_t steps; /* the coarser number */
} STABILIZED[] = {
    {"sirk22", 2, 2, 0.15, 40},
    {"sdirk4", 2, 1, 0.15, 40},
    {"sirk3_transformed", 3, 2, 0.15, 40},
    {"extrapolation7", 3, 3, 0.15, 40},
    {"radau2", 3, 2, 0.15, 40},
    {"radau3", 5, 3, 0.25, 10},
    {"lobatto3c", 4, 2, 0.15, 20},
    {"sirk3", 3, 3, 0.15, 40},
    {"implicit_euler", 1, 1, 0.15, 40},
    {"sirk23", 3, 2.5, 0.5, 40}, /* the force: between 2 and 3 */
};

static void c092_reference(void **state)
{
    (void)state;
    static const double TRUTH[] = {0.87954813, -0.47580992, -0.46415736, -0.85800804, 1.42742977};
    trial_problem p = problem_pendulum(&PENDULUM_STABILIZED);
    double y[6];
    p.exact(1.0, y, p.sys.user);
    for (int v = 0; v < 5; v++)
        expect_near(y[v], TRUTH[v], 6e-9);
}

static void c092_orders_on_index_two(void **state)
{
    (void)state;
    trial_problem p = problem_pendulum(&PENDULUM_STABILIZED);
    for (size_t i = 0; i < COUNT(STABILIZED); i++) {
        tableau m = tableau_of(STABILIZED[i].name);
        double coarse[6], fine[6];
        rk_error(&m, &p, STABILIZED[i].steps, coarse);
        rk_error(&m, &p, 2 * STABILIZED[i].steps, fine);
        double x = order_between(largest_error(coarse, 4), largest_error(fine, 4));
        double force = order_between(coarse[4], fine[4]);
        print_message("%-18s x %.2f force %.2f\n", m.name, x, force);
        expect_order(m.name, "x", x, STABILIZED[i].x, STABILIZED[i].x < 5 ? 0.15 : 0.25);
        expect_order(m.name, "force", force, STABILIZED[i].force, STABILIZED[i].slack);
    }
}

/* ---- C094 ------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    double place, speed, force, slack;
} POSITION[] = {
    {"sirk22", 1.9, 2, 1, 0.2},    {"sirk23", 3, 2, 1, 0.2}, {"radau2", 2.5, 2, 1, 0.5},
    {"radau3", 5, 2.85, 2.1, 0.2}, {"sirk3", 3, 3, 2, 0.2},  {"lobatto3c", 4, 2, 1, 0.2},
};

static void c094_orders_on_index_three(void **state)
{
    (void)state;
    trial_problem p = problem_pendulum(&PENDULUM_POSITION);
    for (size_t i = 0; i < COUNT(POSITION); i++) {
        tableau m = tableau_of(POSITION[i].name);
        double coarse[5], fine[5];
        rk_error(&m, &p, 40, coarse);
        rk_error(&m, &p, 80, fine);
        double place = order_between(largest_error(coarse, 2), largest_error(fine, 2));
        double speed = order_between(largest_error(coarse + 2, 2), largest_error(fine + 2, 2));
        double force = order_between(coarse[4], fine[4]);
        print_message("%-18s place %.2f speed %.2f force %.2f\n", m.name, place, speed, force);
        expect_order(m.name, "place", place, POSITION[i].place, POSITION[i].slack);
        expect_order(m.name, "speed", speed, POSITION[i].speed, 0.2);
        expect_order(m.name, "force", force, POSITION[i].force, 0.2);
        /* the bounds of [BCP96] 4.4: k_I, k_I, k_I - 1 */
        int32_t stage = tableau_stage_order(&m);
        assert_true(place > stage - 0.3 && speed > stage - 0.3 && force > stage - 1.3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c092_reference),
        cmocka_unit_test(c092_orders_on_index_two),
        cmocka_unit_test(c094_orders_on_index_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
