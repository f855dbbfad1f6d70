/* tests/property/test_large_start.c - starts of large mechanisms of index 3: what is consistent
 * stays, what contradicts the constraints moves onto them, along the rods.        */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "link_chain.h"
#include "seeded.h"

enum { LINKS = 150, N = LINKS * OF_A_LINK };

static const int32_t count = LINKS;

static daedal_solver *begin(const double *y)
{
    daedal_system sys = {
        .n = N, .residual = link_chain_residual, .user = (void *)(uintptr_t)&count};
    daedal_options options = defaults_with(1e-6, 1e-9);
    daedal_solver *s = solver_of(&sys, &options);
    expect_status(s, daedal_solver_start(s, 0.0, y, NULL), DAEDAL_OK);
    return s;
}

/* F is zero, and so are the derivatives of the rods' lengths. */
static void expect_consistent(const daedal_solver *s)
{
    double r[N], length, speed;
    const daedal_state *now = daedal_solver_state(s);
    link_chain_residual(0.0, now->y, now->yp, r, (void *)(uintptr_t)&count);
    for (int32_t i = 0; i < N; i++)
        expect_near(r[i], 0.0, 1e-6);
    link_chain_violation(LINKS, now->y, &length, &speed);
    expect_near(length, 0.0, 1e-9);
    expect_near(speed, 0.0, 1e-9);
}

static bool is_state(int32_t j)
{
    return j % OF_A_LINK < 4;
}

static void consistent_states_stay(void **state)
{
    double y[N];
    (void)state;
    link_chain_start(LINKS, y);
    daedal_solver *s = begin(y);
    expect_consistent(s);
    for (int32_t j = 0; j < N; j++)
        if (is_state(j))
            expect_near(daedal_solver_state(s)->y[j], y[j], 1e-9);
    daedal_solver_free(s);
}

/* Every mass is 1, so that an impulse of the rods moves the velocities by multiples of the rods'
 * directions: the component across a straight chain stays.                          */
static void velocities_give_way_along_the_rods(void **state)
{
    double y[N];
    (void)state;
    seeded g = seeded_begin(7);
    link_chain_start(LINKS, y);
    for (int32_t k = 0; k < LINKS; k++)
        for (int i = 0; i < 2; i++)
            y[OF_A_LINK * k + 2 + i] += seeded_uniform(&g, -0.1, 0.1);
    daedal_solver *s = begin(y);
    expect_consistent(s);
    for (int32_t k = 0; k < LINKS; k++) {
        const double *from = y + OF_A_LINK * k, *to = daedal_solver_state(s)->y + OF_A_LINK * k;
        double across = 0.8 * (to[2] - from[2]) + 0.6 * (to[3] - from[3]);
        expect_near(across, 0.0, 1e-6);
    }
    daedal_solver_free(s);
}

static void positions_give_way(void **state)
{
    double y[N];
    (void)state;
    seeded g = seeded_begin(11);
    link_chain_start(LINKS, y);
    for (int32_t k = 0; k < LINKS; k++)
        for (int i = 0; i < 2; i++)
            y[OF_A_LINK * k + i] += seeded_uniform(&g, -0.01, 0.01);
    daedal_solver *s = begin(y);
    expect_consistent(s);
    for (int32_t j = 0; j < N; j++)
        if (j % OF_A_LINK < 2)
            expect_near(daedal_solver_state(s)->y[j], y[j], 0.1);
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(consistent_states_stay),
        cmocka_unit_test(velocities_give_way_along_the_rods),
        cmocka_unit_test(positions_give_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
