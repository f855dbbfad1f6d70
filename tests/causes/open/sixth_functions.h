/* sixth_functions.h - the C problems of the sixth corpus of causes, see ../README.md.
 *
 * Each problem is a comment with what is expected, its functions, and an entry of the table at the
 * end.  Included by functions.c only.
 */
#ifndef SIXTH_FUNCTIONS_H
#define SIXTH_FUNCTIONS_H

/* problem: c_dough_of_three_parts
 * cause: inconsistent_start
 * culprits: water, flour, salt, whole
 * time: 0
 * why: the parts are fixed at 0.6, 0.5 and 0.02, and their sum is to be one.
 */
RESIDUAL(sixth_dough)
{
    r[0] = yp[0] + 0.1 * y[0];
    r[1] = y[0] + y[1] + y[2] - 1;
    r[2] = yp[2];
    return 0;
}

/* problem: c_rope_around_a_tree
 * cause: no_solution
 * culprits: turns, holding
 * time: 0
 * why: exp(0.3 turns) = -2 has no solution: the sign of the load was lost.
 */
RESIDUAL(sixth_rope)
{
    r[0] = exp(0.3 * y[0]) + 2;
    r[1] = yp[1] - y[0];
    return 0;
}

/* problem: c_camera_follows_through_springs
 * cause: high_index
 * culprits: u, wanted
 * or: u(2) = -0.9092974268 +- 2e-2
 * why: the camera hangs on a spring on a carriage that is driven: the driving force for a given
 * path of the camera, sin(t), has index 5: x1 = x2 + x2'' = 0 and u = x1'' + x1 - x2 = -sin(t).
 */
RESIDUAL(sixth_camera)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - y[4] + (y[0] - y[2]);
    r[2] = yp[2] - y[3];
    r[3] = yp[3] - (y[0] - y[2]);
    r[4] = y[2] - sin(t);
    return 0;
}

/* problem: c_crane_with_limex
 * cause: high_index
 * culprits: F, path
 * or: F(1) = -0.8414709848 +- 1e-3
 * why: the force of a prescribed path has index 3, and limex was asked for.
 */
RESIDUAL(sixth_crane)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - y[2];
    r[2] = y[0] - sin(t);
    return 0;
}

/* problem: c_scale_with_equal_arms
 * cause: undetermined_variable | redundant_equations
 * culprits: left, right, arm, beam
 * why: the two balances of the scale are the same equation in other units: nothing says how much is
 * on either side.
 */
RESIDUAL(sixth_scale)
{
    r[0] = y[0] - y[1];
    r[1] = 9.81 * y[0] - 9.81 * y[1];
    r[2] = yp[2] + y[2];
    return 0;
}

/* problem: c_tuner_out_of_its_table
 * cause: structure | undetermined_variable
 * culprits: pitch, spare
 * why: two of the three equations contain the pitch alone, and the third contains the hours alone:
 * none has the spare.
 */
RESIDUAL(sixth_tuner)
{
    r[0] = yp[0] + y[0];
    r[1] = y[0] * y[0] - exp(-2 * t);
    r[2] = yp[2] - 1;
    return 0;
}

/* problem: c_door_on_a_short_chain
 * cause: impasse
 * culprits: x, y
 * time: 1 +- 1e-2
 * why: x' = -1/(2 y) with y = x: y^2 = 1 - t ends at t = 1 with an infinite slope.
 */
RESIDUAL(sixth_door)
{
    r[0] = 2 * y[1] * yp[0] + 1;
    r[1] = y[1] - y[0];
    return 0;
}

/* problem: c_lift_prescribed_in_steps
 * cause: discontinuity
 * culprits: height, speed, floors
 * time: 1.5 +- 1e-3
 * why: the height is prescribed as 0 before t = 1.5 and 3 after it, and its speed is asked for.
 */
RESIDUAL(sixth_lift)
{
    r[0] = yp[0] - y[1];
    r[1] = y[0] - (t < 1.5 ? 0 : 3);
    r[2] = yp[2] - y[1] + y[2];
    return 0;
}

/* problem: c_kettle_with_a_perfect_switch
 * cause: chattering | discontinuity
 * culprits: T, heat
 * time: 2.2314355 +- 2e-2
 * why: T = 100 (1 - exp(-t/10)), the heater is on below 20 and off above: from T = 20, after 10
 * log(1.25), T is pushed back from both sides.
 */
RESIDUAL(sixth_kettle)
{
    r[0] = yp[0] - (y[0] < 20 ? 10 : 0) + y[0] / 10;
    r[1] = yp[1] - y[0];
    return 0;
}

/* problem: c_coin_on_a_table
 * cause: event_accumulation
 * culprits: x, v
 * time: 0.95783 +- 2e-2
 * why: dropped from 0.5, each bounce keeps half the speed: sqrt(1/9.81) (1 + 2 (1/2 + 1/4 + ...)) =
 * 0.9578 s.
 */
RESIDUAL(sixth_coin)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 9.81;
    return 0;
}

EVENTS(sixth_coin_events)
{
    g[0] = y[0];
    return 0;
}

AT_EVENT(sixth_coin_hits)
{
    y[0] = 0;
    y[1] = -0.5 * y[1];
}

/* problem: c_foxes_with_a_lost_term
 * cause: wrong_jacobian
 * or: hares(4) = 0.867193328 +- 1e-2; foxes(4) = 1.64005515 +- 1e-2
 * culprits: hares, foxes, traps, hares_balance, foxes_balance
 * why: the derivative of the stiff trapping term, 2000 (traps - hares), was given with the wrong
 * sign.
 */
RESIDUAL(sixth_foxes)
{
    r[0] = yp[0] - y[0] * (1 - 0.5 * y[1]);
    r[1] = yp[1] - y[1] * (0.5 * y[0] - 1);
    r[2] = yp[2] - 2000 * (y[0] - y[2]);
    return 0;
}

JACOBIAN(sixth_foxes_jacobian)
{
    values[0] = c - (1 - 0.5 * y[1]);
    values[1] = -0.5 * y[1];
    values[2] = 2000;
    values[3] = 0.5 * y[0];
    values[4] = c - (0.5 * y[0] - 1);
    values[5] = 0;
    values[6] = 0;
    values[7] = 0;
    values[8] = c - 2000;
    return 0;
}

/* problem: c_string_of_pearls_without_ends
 * cause: missed_sparsity
 * or: p1(1) = 0.00512085187 +- 1e-3; p6(1) = 0.00507130788 +- 1e-3
 * culprits: p1, p2, p3, p4, p5, p6
 * why: the pearls form a ring, and the pattern is that of a string with two ends: p1 and p6 miss
 * each other.
 */
RESIDUAL(sixth_pearls)
{
    for (int i = 0; i < 6; i++)
        r[i] = yp[i] - 300 * (y[(i + 1) % 6] - 2 * y[i] + y[(i + 5) % 6]) + (i + 1) * y[i];
    return 0;
}

static const daedal_pattern sixth_pearls_pattern = {
    6, 6, (const int32_t[]){0, 2, 5, 8, 11, 14, 16},
    (const int32_t[]){0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5}};

/* problem: c_pheromone_in_kilograms
 * cause: bad_scaling
 * or: a(10) = 1e-13 +- 1e-17; b(10) = -7.94545951e-14 +- 1e-17
 * culprits: a, b
 * why: all values are below 1e-13, and the absolute tolerance is 1e-6: the error test sees nothing
 * of them.
 */
RESIDUAL(sixth_pheromone)
{
    r[0] = yp[0] - 3 * y[0] * (1 - y[0] / 1e-13);
    r[1] = yp[1] - 5 * (y[0] * sin(3 * t) - y[1]);
    return 0;
}

/* problem: c_clock_to_sixteen_digits
 * cause: tolerance_too_small
 * culprits: rtol
 * why: rtol = 1e-16 is below the roundoff of double precision.
 */
RESIDUAL(sixth_clock)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    return 0;
}

/* problem: c_candle_burns_down
 * cause: domain_error
 * culprits: h, flow
 * time: 2 +- 2e-2
 * why: the height 1 - t/2 is negative behind 2, where its power 1.5 is not a number.
 */
RESIDUAL(sixth_candle)
{
    r[0] = yp[0] + 0.5;
    r[1] = y[1] - pow(y[0], 1.5);
    r[2] = yp[2] - y[1];
    return 0;
}

/* problem: c_avalanche
 * cause: blow_up
 * culprits: m, v
 * time: 1.5707963 +- 1e-2
 * why: y' = 1 + y^2 is the tangent.
 */
RHS(sixth_avalanche)
{
    f[0] = 1 + y[0] * y[0];
    f[1] = y[0] - y[1];
    return 0;
}

/* problem: c_share_above_one
 * cause: bounds
 * culprits: share
 * time: 0.6931472 +- 1e-2
 * why: exp(t)/2 is one at log(2), and the upper bound is one.
 */
RHS(sixth_share)
{
    f[0] = y[0];
    f[1] = -y[1] + y[0];
    return 0;
}

/* problem: c_atlas_has_no_page
 * cause: callback_failed
 * culprits: residual
 * time: 3 +- 5e-2
 * why: the map ends at x = 3, and the function says FAIL behind it.
 */
RESIDUAL(sixth_atlas)
{
    if (y[0] > 3)
        return DAEDAL_CALL_FAIL;
    r[0] = yp[0] - 1;
    r[1] = y[1] - sin(y[0]);
    return 0;
}

/* problem: c_wheel_in_fifty_steps
 * cause: too_much_work
 * culprits: max_steps
 * why: thousands of turns between two points in at most fifty steps.
 */
RHS(sixth_wheel)
{
    f[0] = 300 * y[1];
    f[1] = -300 * y[0];
    return 0;
}

/* problem: c_healthy_swing_with_two_strings
 * cause: none
 * expect: x(3) = -0.719607667 +- 1e-3; y(3) = -0.694380879 +- 1e-3
 * why: a pendulum in Cartesian coordinates, index 3, started at its turning point; integrated with
 * its angle.
 */
RESIDUAL(sixth_swing)
{
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[0] * y[4];
    r[3] = yp[3] + y[1] * y[4] + 9.81;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1;
    return 0;
}

/* problem: c_healthy_flow_through_a_mill
 * cause: none
 * expect: a(5) = -1.0706314 +- 1e-4; p(5) = -1.52118499 +- 1e-3
 * why: index 2: a and b share a flow so that a + 2 b = 3 + sin(t): a' = -a + p, b' = -2 b + p + t;
 * p from the derivative of the constraint.
 */
RESIDUAL(sixth_mill)
{
    r[0] = yp[0] + y[0] - y[2];
    r[1] = yp[1] + 2 * y[1] - y[2] - t;
    r[2] = y[0] + 2 * y[1] - 3 - sin(t);
    return 0;
}

/* problem: c_healthy_enzyme_in_moles
 * cause: none
 * expect: s(150) = 0.00031855308 +- 1e-8; e(150) = 1.5849359e-08 +- 1e-11
 * why: Michaelis and Menten in moles per litre, small numbers with small tolerances.
 */
RHS(sixth_enzyme)
{
    const double k1 = 1e6, k2 = 10, k3 = 50, e0 = 1e-7;
    const double bound = e0 - y[1];
    f[0] = -k1 * y[0] * y[1] + k2 * bound;
    f[1] = -k1 * y[0] * y[1] + (k2 + k3) * bound;
    return 0;
}

/* problem: c_healthy_ping_pong
 * cause: none
 * expect: x(10) = 0.75 +- 1e-6
 * why: uniform motion between two walls at 0 and 1 that reflect it; the speed is 0.65.
 */
RESIDUAL(sixth_ping)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1];
    return 0;
}

EVENTS(sixth_ping_events)
{
    g[0] = y[0] * (1 - y[0]);
    return 0;
}

AT_EVENT(sixth_ping_hits)
{
    y[1] = y[0] < 0.5 ? fabs(y[1]) : -fabs(y[1]);
}

/* problem: c_healthy_lamp_behind_a_resistor
 * cause: none
 * expect: T(20) = 1355.9314 +- 1e-2; i(20) = 0.287922087 +- 1e-5
 * why: a filament whose resistance grows with its temperature; the current is algebraic, the
 * radiation a fourth power.
 */
RESIDUAL(sixth_lamp)
{
    r[0] = 0.01 * yp[0] - y[1] * y[1] * 0.03 * y[0] + 1e-12 * (pow(y[0], 4) - pow(300, 4));
    r[1] = 12 - y[1] * (1 + 0.03 * y[0]);
    return 0;
}

/* problem: c_healthy_slope_by_parts
 * cause: none
 * expect: x(6) = -0.0180090377 +- 1e-4
 * why: the driving force is a broken line of time; integrated piece by piece.
 */
RHS(sixth_slope)
{
    const double u = t < 1 ? t : t < 3 ? 1 : t < 5 ? 2.5 - t / 2 : 0;
    f[0] = y[1];
    f[1] = u - 2 * y[1] - 5 * y[0];
    return 0;
}

/* problem: c_healthy_ring_of_pearls
 * cause: none
 * expect: p1(1) = 0.00512085187 +- 1e-5; p6(1) = 0.00507130788 +- 1e-5
 * why: the ring of above without a pattern; linear.
 */

/* problem: c_healthy_steep_valley
 * cause: none
 * expect: u(4) = -0.7568024953 +- 1e-4; w(4) = 0.572750017 +- 1e-3
 * why: u' = -1e6 (u^3 - sin(t)^3) + cos(t) from 0 stays on sin(t); w = u^2 is algebraic. (A cubic
 * whose slope vanishes at the zeros of the sine.)
 */
RESIDUAL(sixth_valley)
{
    const double s = sin(t);
    r[0] = yp[0] + 1e6 * (y[0] * y[0] * y[0] - s * s * s) - cos(t);
    r[1] = y[1] - y[0] * y[0];
    return 0;
}

static const problem sixth_problems[] = {
    {.name = "c_dough_of_three_parts",
     .system = {.n = 3,
                .residual = sixth_dough,
                .variable_names = NAMES("water", "flour", "salt"),
                .equation_names = NAMES("drying", "whole", "salting")},
     .y0 = {0.6, 0.5, 0.02},
     .y_mask = {DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FIXED},
     .t_end = 3},
    {.name = "c_rope_around_a_tree",
     .system = {.n = 2,
                .residual = sixth_rope,
                .variable_names = NAMES("turns", "wear"),
                .equation_names = NAMES("holding", "wearing")},
     .y0 = {1, 0},
     .t_end = 3},
    {.name = "c_camera_follows_through_springs",
     .system = {.n = 5,
                .residual = sixth_camera,
                .variable_names = NAMES("x1", "v1", "x2", "v2", "u"),
                .equation_names = NAMES("velocity1", "newton1", "velocity2", "newton2", "wanted")},
     .y0 = {0, 0, 0, 1, 0},
     .t_end = 2},
    {.name = "c_crane_with_limex",
     .system = {.n = 3,
                .residual = sixth_crane,
                .variable_names = NAMES("x", "v", "F"),
                .equation_names = NAMES("velocity", "newton", "path")},
     .y0 = {0, 1, 0},
     .t_end = 1,
     .options = "method=limex"},
    {.name = "c_scale_with_equal_arms",
     .system = {.n = 3,
                .residual = sixth_scale,
                .variable_names = NAMES("left", "right", "dust"),
                .equation_names = NAMES("arm", "beam", "settling")},
     .y0 = {1, 1, 1},
     .t_end = 3},
    {.name = "c_tuner_out_of_its_table",
     .system = {.n = 3,
                .residual = sixth_tuner,
                .variable_names = NAMES("pitch", "spare", "hours"),
                .equation_names = NAMES("drift", "table", "clock")},
     .y0 = {1, 0, 0},
     .t_end = 3},
    {.name = "c_door_on_a_short_chain",
     .system = {.n = 2, .residual = sixth_door, .variable_names = NAMES("x", "y")},
     .y0 = {1, 1},
     .t_end = 2},
    {.name = "c_lift_prescribed_in_steps",
     .system = {.n = 3,
                .residual = sixth_lift,
                .variable_names = NAMES("height", "speed", "filtered"),
                .equation_names = NAMES("velocity", "floors", "filter")},
     .y0 = {0, 0, 0},
     .t_end = 3},
    {.name = "c_kettle_with_a_perfect_switch",
     .system = {.n = 2,
                .residual = sixth_kettle,
                .variable_names = NAMES("T", "hours"),
                .equation_names = NAMES("heat", "sum")},
     .y0 = {0, 0},
     .t_end = 5},
    {.name = "c_coin_on_a_table",
     .system = {.n = 2,
                .residual = sixth_coin,
                .n_events = 1,
                .events = sixth_coin_events,
                .variable_names = NAMES("x", "v")},
     .y0 = {0.5, 0},
     .t_end = 3,
     .at_event = sixth_coin_hits},
    {.name = "c_foxes_with_a_lost_term",
     .system = {.n = 3,
                .residual = sixth_foxes,
                .jacobian = sixth_foxes_jacobian,
                .variable_names = NAMES("hares", "foxes", "traps"),
                .equation_names = NAMES("hares_balance", "foxes_balance", "trapping")},
     .y0 = {3, 1, 3},
     .t_end = 4},
    {.name = "c_string_of_pearls_without_ends",
     .system = {.n = 6,
                .residual = sixth_pearls,
                .pattern = &sixth_pearls_pattern,
                .variable_names = NAMES("p1", "p2", "p3", "p4", "p5", "p6")},
     .y0 = {1, 0, 0, 0, 0, 0},
     .t_end = 1},
    {.name = "c_pheromone_in_kilograms",
     .system = {.n = 2, .residual = sixth_pheromone, .variable_names = NAMES("a", "b")},
     .y0 = {1e-15, 0},
     .t_end = 10,
     .options = "atol=1e-6"},
    {.name = "c_clock_to_sixteen_digits",
     .system = {.n = 2, .residual = sixth_clock, .variable_names = NAMES("x", "v")},
     .y0 = {1, 0},
     .t_end = 10,
     .options = "rtol=1e-16 atol=1e-18"},
    {.name = "c_candle_burns_down",
     .system = {.n = 3,
                .residual = sixth_candle,
                .variable_names = NAMES("h", "flow", "wax"),
                .equation_names = NAMES("burning", "flowing", "dripping")},
     .y0 = {1, 1, 0},
     .t_end = 4},
    {.name = "c_avalanche",
     .system = {.n = 2, .rhs = sixth_avalanche, .variable_names = NAMES("m", "v")},
     .y0 = {0, 0},
     .t_end = 3},
    {.name = "c_share_above_one",
     .system = {.n = 2,
                .rhs = sixth_share,
                .upper = {(const double[]){1, INFINITY}, 2},
                .variable_names = NAMES("share", "lag")},
     .y0 = {0.5, 0},
     .t_end = 2},
    {.name = "c_atlas_has_no_page",
     .system = {.n = 2, .residual = sixth_atlas, .variable_names = NAMES("x", "height")},
     .y0 = {0, 0},
     .t_end = 5},
    {.name = "c_wheel_in_fifty_steps",
     .system = {.n = 2, .rhs = sixth_wheel, .variable_names = NAMES("x", "y")},
     .y0 = {1, 0},
     .t_end = 100,
     .points = 1,
     .options = "max_steps=50"},
    {.name = "c_healthy_swing_with_two_strings",
     .system = {.n = 5,
                .residual = sixth_swing,
                .variable_names = NAMES("x", "y", "u", "v", "lambda")},
     .y0 = {0.8, -0.6, 0, 0, 5.886},
     .t_end = 3},
    {.name = "c_healthy_flow_through_a_mill",
     .system = {.n = 3, .residual = sixth_mill, .variable_names = NAMES("a", "b", "p")},
     .y0 = {1, 1, 2},
     .t_end = 5},
    {.name = "c_healthy_enzyme_in_moles",
     .system = {.n = 2, .rhs = sixth_enzyme, .variable_names = NAMES("s", "e")},
     .y0 = {1e-3, 1e-7},
     .t_end = 150,
     .options = "atol=1e-14"},
    {.name = "c_healthy_ping_pong",
     .system = {.n = 2,
                .residual = sixth_ping,
                .n_events = 1,
                .events = sixth_ping_events,
                .variable_names = NAMES("x", "v")},
     .y0 = {0.25, 0.65},
     .t_end = 10,
     .at_event = sixth_ping_hits},
    {.name = "c_healthy_lamp_behind_a_resistor",
     .system = {.n = 2, .residual = sixth_lamp, .variable_names = NAMES("T", "i")},
     .y0 = {300, 1.2},
     .t_end = 20},
    {.name = "c_healthy_slope_by_parts",
     .system = {.n = 2, .rhs = sixth_slope, .variable_names = NAMES("x", "v")},
     .y0 = {0, 0},
     .t_end = 6},
    {.name = "c_healthy_ring_of_pearls",
     .system = {.n = 6,
                .residual = sixth_pearls,
                .variable_names = NAMES("p1", "p2", "p3", "p4", "p5", "p6")},
     .y0 = {1, 0, 0, 0, 0, 0},
     .t_end = 1},
    {.name = "c_healthy_steep_valley",
     .system = {.n = 2, .residual = sixth_valley, .variable_names = NAMES("u", "w")},
     .y0 = {0, 0},
     .t_end = 4},
};

#endif
