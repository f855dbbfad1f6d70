/* sealed_functions.h - the sealed half of the C problems of this corpus, see ../README.md.
 *
 * Each problem is a comment with what is expected, its functions, and an entry of the table at the
 * end.  Included by functions.c only.
 */
#ifndef SEALED_FUNCTIONS_H
#define SEALED_FUNCTIONS_H

/* problem: c_derivatives_left_at_zero
 * cause: inconsistent_start
 * or: T1(5) = 43.97806275 +- 1e-3; T2(5) = 34.71517765 +- 1e-3
 * culprits: T1, T2, equation 0, equation 1
 * time: 0
 * why: with start = given nothing may be changed, and y' was left at zero, where the equations
 *     demand -10 and -8. (A run that takes y' from the equations all the same ends with the
 *     values above.)
 */
RESIDUAL(derivatives_left_at_zero)
{
    r[0] = yp[0] + 0.5 * (y[0] - y[1]);
    r[1] = yp[1] + 0.2 * (y[1] - 20);
    return 0;
}

/* problem: c_velocity_along_the_rod
 * cause: inconsistent_start
 * culprits: x, y, u, v, length
 * time: 0
 * why: positions and velocities of a pendulum are all fixed; the positions are on the circle,
 *     but x u + y v = 0.6 is not zero: the velocity has a part along the rod.
 */
RESIDUAL(velocity_along_the_rod)
{
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 9.81;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1;
    return 0;
}

/* problem: c_two_ranges
 * cause: no_solution
 * culprits: x, y, range1, range2
 * time: 0
 * why: a point 1 from the first station and 2 from the second one: the stations are 5 apart, so
 *     the circles do not meet.
 */
RESIDUAL(two_ranges)
{
    r[0] = yp[0] + y[0] - y[1];
    r[1] = y[1] * y[1] + y[2] * y[2] - 1;
    r[2] = (y[1] - 5) * (y[1] - 5) + y[2] * y[2] - 4;
    return 0;
}

/* problem: c_cascade_of_tanks
 * cause: high_index
 * or: q(1) = 0.663411606 +- 1e-3; h1(1) = 0.939766264 +- 1e-3
 * culprits: q, h4, level
 * why: the level of the fourth tank is prescribed and the inflow of the first one is sought:
 *     level, h3, h2, h1, q: index 5.
 */
RESIDUAL(cascade_of_tanks)
{
    r[0] = yp[0] - y[4] + y[0];
    r[1] = yp[1] - y[0] + y[1];
    r[2] = yp[2] - y[1] + y[2];
    r[3] = yp[3] - y[2] + y[3];
    r[4] = y[3] - 1 - 0.1 * sin(t);
    return 0;
}

/* problem: c_capacitor_with_rodas
 * cause: high_index
 * or: i(2) = -0.416146837 +- 1e-3; w(2) = 0.178907654 +- 1e-3
 * culprits: i, v, source
 * why: a source gives the voltage of a capacitor, whose current is sought: index 2, and the
 *     user insists on rodas, which takes index 1.
 */
RESIDUAL(capacitor_with_rodas)
{
    r[0] = yp[0] - y[1];
    r[1] = y[0] - sin(t);
    r[2] = yp[2] + y[2] - y[1];
    return 0;
}

/* problem: c_equilibrium_and_its_square
 * cause: redundant_equations | undetermined_variable
 * culprits: z1, z2, product, square
 * why: the third equation is the second one squared: only the product of z1 and z2 is
 *     determined.
 */
RESIDUAL(equilibrium_and_its_square)
{
    const double product = y[1] * y[2];
    r[0] = yp[0] + y[0];
    r[1] = product - y[0];
    r[2] = product * product - y[0] * y[0];
    r[3] = yp[3] - y[1] + y[3];
    return 0;
}

/* problem: c_power_flow_without_slack
 * cause: undetermined_variable | redundant_equations
 * culprits: a1, a2, a3
 * why: only differences of the angles occur in the powers, which add up to zero: all angles can
 *     be turned together. No node was made the reference.
 */
RESIDUAL(power_flow_without_slack)
{
    const double p12 = 2 * sin(y[0] - y[1]), p23 = 2 * sin(y[1] - y[2]);
    const double p31 = 2 * sin(y[2] - y[0]);
    r[0] = p12 - p31 - 0.5;
    r[1] = p23 - p12 - 0.25;
    r[2] = p31 - p23 + 0.75;
    r[3] = yp[3] + y[3] - y[0];
    return 0;
}

/* problem: c_three_rows_two_unknowns
 * cause: structure
 * culprits: a, b, c, d, rate, sum, product, rest
 * why: three equations contain nothing but a and b, and one is left for c and d.
 */
RESIDUAL(three_rows_two_unknowns)
{
    r[0] = yp[0] + y[0] * y[1];
    r[1] = y[0] + y[1] - 2;
    r[2] = y[0] * y[1] - exp(-t);
    r[3] = y[2] + 3 * y[3] - y[0];
    return 0;
}

/* problem: c_arm_stretched
 * cause: impasse
 * culprits: a, b
 * time: 4.6824584 +- 5e-3
 * why: two links of length 1 follow the point (1 + 0.2 t, 0.5), which leaves their reach where
 *     (1 + 0.2 t)^2 + 0.25 = 4: the arm is straight there, b = 0.
 */
RESIDUAL(arm_stretched)
{
    r[0] = cos(y[0]) + cos(y[0] + y[1]) - 1 - 0.2 * t;
    r[1] = sin(y[0]) + sin(y[0] + y[1]) - 0.5;
    r[2] = yp[2] - y[1];
    return 0;
}

/* problem: c_brake_clamps
 * cause: discontinuity
 * or: w(1) = 0 +- 1e-3; phi(1) = 2.75 +- 1e-2
 * culprits: w, lambda, brake
 * time: 0.5 +- 1e-3
 * why: at t = 0.5 the brake demands w = 0, but the shaft turns with 6: the torque of the brake
 *     is an impulse.
 */
RESIDUAL(brake_clamps)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - 2 + y[2];
    r[2] = t < 0.5 ? y[2] : y[1];
    return 0;
}

/* problem: c_relay_against_tide
 * cause: chattering | discontinuity
 * or: x(2) = 0 +- 1e-3
 * culprits: x
 * time: 0.69125029 +- 1e-2
 * why: x' = 0.3 cos(t) - sgn(x): x = 0.5 - t + 0.3 sin(t) is zero at 0.69125 and is held there,
 *     since 0.3 is less than 1.
 */
RHS(relay_against_tide)
{
    f[0] = 0.3 * cos(t) - (y[0] > 0 ? 1 : -1);
    f[1] = 2 - y[1];
    return 0;
}

/* problem: c_preloaded_stop
 * cause: event_accumulation
 * culprits: x, v, stop
 * time: 5.6005529 +- 1e-2
 * why: a mass on a preloaded spring strikes a stop, and each impact leaves 0.6 of the velocity:
 *     from x = 1 the first one is at pi/3 with sqrt(3), the next ones 2 atan(0.6^n sqrt(3))
 *     later; the sum is finite.
 */
RESIDUAL(preloaded_stop)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0] + 1;
    return 0;
}

EVENTS(preloaded_contact)
{
    g[0] = y[0];
    return 0;
}

AT_EVENT(preloaded_impact)
{
    y[0] = 0;
    y[1] = -0.6 * y[1];
}

/* problem: c_columns_exchanged
 * cause: wrong_jacobian
 * or: y(1) = 0.367879441 +- 1e-5; z2(1) = 0.367879441 +- 1e-5
 * culprits: z1, z2, equation 1, equation 2
 * why: the columns of z1 and z2 were exchanged: each Newton iteration doubles a part of the
 *     error.
 */
RESIDUAL(columns_exchanged)
{
    r[0] = yp[0] + 2 * y[0] - y[1];
    r[1] = y[1] + 10 * y[2] - 11 * y[0];
    r[2] = 10 * y[1] - y[2] - 9 * y[0];
    return 0;
}

JACOBIAN(columns_exchanged_jacobian)
{
    values[0] = c + 2;
    values[1] = -11;
    values[2] = -9;
    values[4] = 10;
    values[5] = -1;
    values[6] = -1;
    values[7] = 1;
    values[8] = 10;
    return 0;
}

/* problem: c_product_rule
 * cause: wrong_jacobian
 * or: z1(1) = 0.857763885 +- 1e-5; z2(1) = 0.428881942 +- 1e-5
 * culprits: z1, z2, equation 1
 * why: the derivative of z1 z2 with respect to z2 was forgotten: Newton's iteration changes the
 *     sign of the error and not its size.
 */
RESIDUAL(product_rule)
{
    r[0] = yp[0] + y[0];
    r[1] = y[1] * y[2] - y[0];
    r[2] = y[1] - 2 * y[2];
    return 0;
}

JACOBIAN(product_rule_jacobian)
{
    values[0] = c + 1;
    values[1] = -1;
    values[4] = y[2];
    values[5] = 1;
    values[8] = -2;
    return 0;
}

/* problem: c_jacobian_of_old_model
 * cause: wrong_jacobian
 * or: y(2) = -0.416146837 +- 1e-4; s(2) = 0.178907654 +- 1e-4
 * culprits: y, equation 0
 * why: the rate was raised from 1 to 1000 in the right-hand side, not in its Jacobian.
 */
RHS(faster_sensor)
{
    f[0] = -1000 * (y[0] - cos(t)) - sin(t);
    f[1] = y[0] - y[1];
    return 0;
}

RHS_JACOBIAN(slower_sensor_jacobian)
{
    values[0] = -1;
    values[1] = 1;
    values[3] = -1;
    return 0;
}

/* problem: c_ring_as_a_band
 * cause: missed_sparsity
 * or: y[0](0.02) = 0.141177213 +- 1e-5; y[10](0.02) = -0.141177213 +- 1e-5
 * culprits: y[0], y[19]
 * why: heat on a ring of 20 nodes, given as a tridiagonal pattern: the two corners are missing.
 */
static int32_t band_start[21], band_row[58];
static const daedal_pattern band_without_corners = {20, 20, band_start, band_row};

RESIDUAL(ring_as_a_band)
{
    for (int i = 0; i < 20; i++)
        r[i] = yp[i] - 1000 * (y[(i + 1) % 20] - 2 * y[i] + y[(i + 19) % 20]);
    return 0;
}

PREPARE(band_for_a_ring)
{
    int32_t count = 0;
    for (int32_t j = 0; j < 20; j++) {
        band_start[j] = count;
        for (int32_t i = j > 0 ? j - 1 : 0; i <= j + 1 && i < 20; i++)
            band_row[count++] = i;
        y0[j] = cos(2 * 3.141592653589793 * j / 20);
    }
    band_start[20] = count;
}

/* problem: c_mixture_by_diagonal
 * cause: missed_sparsity
 * or: z1(2) = 0.135335283 +- 1e-5; z2(2) = 0.270670566 +- 1e-5; z3(2) = 0.40600585 +- 1e-5
 * culprits: z1, z2, z3
 * why: each z is coupled with the two others by 2, more than with itself, and the pattern has
 *     the diagonal and the column of y only. z = (1, 2, 3) exp(-t).
 */
RESIDUAL(mixture_by_diagonal)
{
    r[0] = yp[0] + y[0];
    r[1] = y[1] + 2 * y[2] + 2 * y[3] - 11 * y[0];
    r[2] = 2 * y[1] + y[2] + 2 * y[3] - 10 * y[0];
    r[3] = 2 * y[1] + 2 * y[2] + y[3] - 9 * y[0];
    return 0;
}

static const daedal_pattern mixture_pattern = {4, 4, (const int32_t[]){0, 4, 5, 6, 7},
                                               (const int32_t[]){0, 1, 2, 3, 1, 2, 3}};

/* problem: c_one_atol_for_all
 * cause: bad_scaling
 * or: x(1) = 9.64966028e-4 +- 1e-5
 * culprits: x, v
 * why: atol = 1 was meant for the pressure of 1e5; the vibration x of 1e-3 is never seen by the
 *     error test. x = 1e-3 cos(50 t).
 */
RESIDUAL(one_atol_for_all)
{
    r[0] = yp[0] + 0.1 * (y[0] - 2e5);
    r[1] = yp[1] - 50 * y[2];
    r[2] = yp[2] + 50 * y[1];
    return 0;
}

/* problem: c_enthalpy_to_1e_14
 * cause: tolerance_too_small
 * culprits: h
 * why: rtol = 0 and atol = 1e-14 for an enthalpy of 2.7e6, where neighbouring numbers are
 *     4.7e-10 apart.
 */
RESIDUAL(enthalpy_to_1e_14)
{
    r[0] = yp[0] - 1000 * cos(t) + 0.01 * (y[0] - 2.5e6);
    r[1] = yp[1] - 1e-6 * y[0] + y[1];
    return 0;
}

/* problem: c_orifice_reversed
 * cause: domain_error
 * culprits: V, p, equation 1
 * time: 4 +- 1e-3
 * why: the flow is sqrt(p - 1), and p = 3 - t/2 falls below 1 at t = 4.
 */
RHS(orifice_reversed)
{
    f[0] = -0.5;
    f[1] = sqrt(y[0] - 1);
    return 0;
}

/* problem: c_mean_of_nothing
 * cause: domain_error | inconsistent_start
 * culprits: b, y[1]
 * time: 0
 * why: the start value of b is not a number: the mean of no measurements, 0/0.
 */
RESIDUAL(mean_of_nothing)
{
    r[0] = yp[0] + y[0] - y[1];
    r[1] = yp[1] + 0.3 * y[1];
    return 0;
}

/* problem: c_wave_steepens
 * cause: blow_up
 * culprits: slope
 * time: 2 +- 1e-2
 * why: the slope s of a wave obeys s' = -s^2 along its characteristic, from -0.5: s = -1/(2 -
 *     t).
 */
RESIDUAL(wave_steepens)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 0.1 * y[1];
    r[2] = yp[2] + y[2] * y[2];
    return 0;
}

/* problem: c_two_cells_exchange
 * cause: branch_jump | impasse
 * or: z1(2) = -1 +- 1e-3; z2(2) = -1 +- 1e-3
 * culprits: z1, z2
 * time: 1 +- 1e-2
 * why: z1^2 = z2^2 and z1 + 2 z2 = 3 x with x = 1 - t: the branches (x, x) and (-3 x, 3 x) meet
 *     at t = 1.
 */
RESIDUAL(two_cells_exchange)
{
    r[0] = yp[0] + 1;
    r[1] = y[1] * y[1] - y[2] * y[2];
    r[2] = y[1] + 2 * y[2] - 3 * y[0];
    return 0;
}

/* problem: c_third_fraction
 * cause: bounds
 * culprits: x3
 * time: 3 +- 1e-2
 * why: x3 = 1 - x1 - x2 = 0.45 - 0.15 t falls below its lower bound 0 at t = 3.
 */
RESIDUAL(third_fraction)
{
    r[0] = yp[0] - 0.1;
    r[1] = yp[1] - 0.05;
    r[2] = y[0] + y[1] + y[2] - 1;
    return 0;
}

/* problem: c_mass_fails
 * cause: callback_failed
 * time: 0.8 +- 0.3
 * why: the function of the mass matrix returns FAIL after t = 0.8, when the fuel is said to be
 *     used up.
 */
RHS(rocket)
{
    f[0] = y[1];
    f[1] = 20 - 0.1 * y[1];
    return 0;
}

MASS(rocket_mass)
{
    if (t > 0.8)
        return DAEDAL_CALL_FAIL;
    values[0] = 1;
    values[3] = 10 - t;
    return 0;
}

/* problem: c_constraints_fail
 * cause: callback_failed
 * time: 1 +- 0.5
 * why: the function of the constraints returns FAIL after t = 1.
 */
RESIDUAL(constraints_fail)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 4 * y[0];
    return 0;
}

CONSTRAINTS(energy_until_1)
{
    g[0] = 4 * y[0] * y[0] + y[1] * y[1] - 4;
    return t > 1 ? DAEDAL_CALL_FAIL : DAEDAL_CALL_OK;
}

CONSTRAINT_JACOBIAN(energy_until_1_jacobian)
{
    values[0] = 8 * y[0];
    values[1] = 2 * y[1];
    return 0;
}

static const daedal_pattern one_row_of_two = {1, 2, (const int32_t[]){0, 1, 2},
                                              (const int32_t[]){0, 0}};

/* problem: c_table_refuses
 * cause: callback_failed
 * time: 1.5 +- 1e-2
 * why: the right-hand side returns RETRY wherever y > 2, and y = 0.5 + t gets there at 1.5 with
 *     every step size.
 */
RHS(table_refuses)
{
    if (y[0] > 2)
        return DAEDAL_CALL_RETRY;
    f[0] = 1;
    f[1] = y[0] * y[0] - y[1];
    return 0;
}

/* problem: c_rotor_for_ten_seconds
 * cause: too_much_work
 * why: two rotors, 400 and 390 turns per second, for 10 s in one call with max_steps = 100: 40
 *     turns for each step.
 */
RESIDUAL(rotor_for_ten_seconds)
{
    r[0] = yp[0] - 2513.27 * y[1];
    r[1] = yp[1] + 2513.27 * y[0];
    r[2] = yp[2] - 2450.44 * y[3];
    r[3] = yp[3] + 2450.44 * y[2];
    return 0;
}

/* problem: c_healthy_decay_chain
 * cause: none
 * expect: x3(2) = 0.135470889 +- 1e-5; x4(2) = 0.864529111 +- 1e-5
 * why: Bateman's formula with the rates 1e6, 1e3 and 1.
 */
RESIDUAL(healthy_decay_chain)
{
    r[0] = yp[0] + 1e6 * y[0];
    r[1] = yp[1] - 1e6 * y[0] + 1e3 * y[1];
    r[2] = yp[2] - 1e3 * y[1] + y[2];
    r[3] = yp[3] - y[2];
    return 0;
}

/* problem: c_healthy_on_a_string
 * cause: none
 * expect: x(3) = 0.960170287 +- 1e-4; y(3) = -0.279415498 +- 1e-4; S(3) = 4 +- 1e-2
 * why: a stone on a string, without gravity: index 3. x = cos(2 t), y = sin(2 t), and the pull
 *     is 4.
 */
RESIDUAL(healthy_on_a_string)
{
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1];
    r[4] = y[0] * y[0] + y[1] * y[1] - 1;
    return 0;
}

/* problem: c_healthy_reactor_checked
 * cause: none
 * expect: T(2) = 423.5647185 +- 1e-2; a(2) = 0 +- 1e-5
 * why: a reactor ignites at about 0.4 s; the Jacobian is right, and its check is asked for,
 *     though its entries differ by four orders of magnitude. Runge-Kutta in Python.
 */
RESIDUAL(healthy_reactor_checked)
{
    const double rate = y[1] * exp(-5000 / y[0]);
    r[0] = yp[0] + 0.5 * (y[0] - 300) - 4e7 * rate;
    r[1] = yp[1] + 2e5 * rate;
    return 0;
}

JACOBIAN(healthy_reactor_jacobian)
{
    const double e = exp(-5000 / y[0]), de = e * 5000 / (y[0] * y[0]);
    values[0] = c + 0.5 - 4e7 * y[1] * de;
    values[1] = 2e5 * y[1] * de;
    values[2] = -4e7 * e;
    values[3] = c + 2e5 * e;
    return 0;
}

/* problem: c_healthy_wide_pattern
 * cause: none
 * expect: y[14](1) = 0.357929357 +- 1e-5
 * why: 30 nodes with cold ends; the pattern has five diagonals where three would do. The start
 *     is an eigenvector with the rate 400 sin(pi/62)^2.
 */
static int32_t wide_start[31], wide_row[150];
static const daedal_pattern wide_pattern = {30, 30, wide_start, wide_row};

RESIDUAL(healthy_wide_pattern)
{
    for (int i = 0; i < 30; i++)
        r[i] = yp[i] - 100 * ((i < 29 ? y[i + 1] : 0) - 2 * y[i] + (i > 0 ? y[i - 1] : 0));
    return 0;
}

PREPARE(five_diagonals)
{
    int32_t count = 0;
    for (int32_t j = 0; j < 30; j++) {
        wide_start[j] = count;
        for (int32_t i = j > 1 ? j - 2 : 0; i <= j + 2 && i < 30; i++)
            wide_row[count++] = i;
        y0[j] = sin(3.141592653589793 * (j + 1) / 31);
    }
    wide_start[30] = count;
}

/* problem: c_healthy_retry_below_zero
 * cause: none
 * expect: y(0.3) = 3.059023e-7 +- 1e-8
 * why: F is not defined for y < 0 and asks for a smaller step there; y = exp(-50 t) is never
 *     negative.
 */
RESIDUAL(healthy_retry_below_zero)
{
    if (y[0] < 0)
        return DAEDAL_CALL_RETRY;
    r[0] = yp[0] + 50 * sqrt(y[0]) * sqrt(y[0]);
    return 0;
}

/* problem: c_healthy_mass_of_state
 * cause: none
 * expect: y(2) = 0.217895597 +- 1e-5; z(2) = 0.010345354 +- 1e-5
 * why: (1 + y^2) y' = -y and z = y^3: log(y) + y^2/2 = 1/2 - t, solved by bisection.
 */
RHS(healthy_of_state)
{
    f[0] = -y[0];
    f[1] = y[1] - y[0] * y[0] * y[0];
    return 0;
}

MASS(healthy_mass_of_state)
{
    values[0] = 1 + y[0] * y[0];
    return 0;
}

/* problem: c_healthy_large_and_small
 * cause: none
 * expect: n(3) = 690567857703 +- 1e6; m(3) = 4.97870684e-14 +- 1e-18
 * why: one unknown near 1e12, the other near 1e-12, with an absolute tolerance for the small
 *     one. n = 1e12/(1 + 9 exp(-t)), m = 1e-12 exp(-t).
 */
RESIDUAL(healthy_large_and_small)
{
    r[0] = yp[0] - y[0] * (1 - y[0] / 1e12);
    r[1] = yp[1] + y[1];
    return 0;
}

/* problem: c_healthy_both_fixed
 * cause: none
 * expect: y(1) = 0.6666666667 +- 1e-5; z(1) = 0.4444444444 +- 1e-5
 * why: y and z = y^2 are both fixed, at 2 and 4, which agree. y = 2/(1 + 2 t).
 */
RESIDUAL(healthy_both_fixed)
{
    r[0] = yp[0] + y[1];
    r[1] = y[1] - y[0] * y[0];
    return 0;
}

/* problem: c_healthy_friction_passes
 * cause: none
 * expect: v(8) = 2.439913137 +- 1e-3
 * why: dry friction of 0.5 against a force of 3 cos(t), which is 2.7 and more where v changes
 *     its sign: nothing sticks. Three arcs, joined at the zeros 2.678783 and 6.150622.
 */
RESIDUAL(healthy_friction_passes)
{
    r[0] = yp[0] - 3 * cos(t) + (y[0] > 0 ? 0.5 : -0.5);
    return 0;
}

/* problem: c_healthy_many_crossings
 * cause: none
 * expect: x(200) = 0.487187675 +- 1e-4
 * why: three event functions that only watch: some 190 events, many of them shortly after
 *     another one. x = cos(t).
 */
RESIDUAL(healthy_many_crossings)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    return 0;
}

EVENTS(watched)
{
    g[0] = y[0];
    g[1] = y[1];
    g[2] = y[0] - 0.01;
    return 0;
}

static const problem sealed_problems[] = {
    {.name = "c_derivatives_left_at_zero",
     .system = {.n = 2, .residual = derivatives_left_at_zero, .variable_names = NAMES("T1", "T2")},
     .y0 = {80, 60},
     .yp0 = (const double[]){0, 0},
     .t_end = 5,
     .options = "start=given"},
    {.name = "c_velocity_along_the_rod",
     .system = {.n = 5,
                .residual = velocity_along_the_rod,
                .variable_names = NAMES("x", "y", "u", "v", "S"),
                .equation_names = NAMES("dx", "dy", "du", "dv", "length")},
     .y0 = {0.6, -0.8, 1, 0, 7.848},
     .y_mask = {DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FREE},
     .t_end = 2},
    {.name = "c_two_ranges",
     .system = {.n = 3,
                .residual = two_ranges,
                .variable_names = NAMES("s", "x", "y"),
                .equation_names = NAMES("filter", "range1", "range2")},
     .y0 = {0, 1, 1},
     .t_end = 1},
    {.name = "c_cascade_of_tanks",
     .system = {.n = 5,
                .residual = cascade_of_tanks,
                .variable_names = NAMES("h1", "h2", "h3", "h4", "q"),
                .equation_names = NAMES("tank1", "tank2", "tank3", "tank4", "level")},
     .y0 = {1.2, 1.2, 1.1, 1, 1},
     .t_end = 1},
    {.name = "c_capacitor_with_rodas",
     .system = {.n = 3,
                .residual = capacitor_with_rodas,
                .variable_names = NAMES("v", "i", "w"),
                .equation_names = NAMES("charge", "source", "filter")},
     .y0 = {0, 1, 0},
     .t_end = 2,
     .options = "method=rodas"},
    {.name = "c_equilibrium_and_its_square",
     .system = {.n = 4,
                .residual = equilibrium_and_its_square,
                .variable_names = NAMES("a", "z1", "z2", "s"),
                .equation_names = NAMES("decay", "product", "square", "sensor")},
     .y0 = {1, 1, 1, 0},
     .t_end = 1},
    {.name = "c_power_flow_without_slack",
     .system = {.n = 4,
                .residual = power_flow_without_slack,
                .variable_names = NAMES("a1", "a2", "a3", "sensor")},
     .y0 = {0},
     .t_end = 5},
    {.name = "c_three_rows_two_unknowns",
     .system = {.n = 4,
                .residual = three_rows_two_unknowns,
                .variable_names = NAMES("a", "b", "c", "d"),
                .equation_names = NAMES("rate", "sum", "product", "rest")},
     .y0 = {1, 1, 0.25, 0.25},
     .t_end = 1},
    {.name = "c_arm_stretched",
     .system = {.n = 3, .residual = arm_stretched, .variable_names = NAMES("a", "b", "s")},
     .y0 = {-0.513948941644, 1.95519310129, 0},
     .t_end = 8},
    {.name = "c_brake_clamps",
     .system = {.n = 3,
                .residual = brake_clamps,
                .variable_names = NAMES("phi", "w", "lambda"),
                .equation_names = NAMES("dphi", "dw", "brake")},
     .y0 = {0, 5, 0},
     .t_end = 1},
    {.name = "c_relay_against_tide",
     .system = {.n = 2, .rhs = relay_against_tide, .variable_names = NAMES("x", "s")},
     .y0 = {0.5, 0},
     .t_end = 2},
    {.name = "c_preloaded_stop",
     .system = {.n = 2,
                .residual = preloaded_stop,
                .n_events = 1,
                .events = preloaded_contact,
                .event_direction = {(const int32_t[]){-1}, 1},
                .event_names = NAMES("stop"),
                .variable_names = NAMES("x", "v")},
     .y0 = {1, 0},
     .t_end = 8,
     .at_event = preloaded_impact},
    {.name = "c_columns_exchanged",
     .system = {.n = 3,
                .residual = columns_exchanged,
                .jacobian = columns_exchanged_jacobian,
                .variable_names = NAMES("y", "z1", "z2")},
     .y0 = {1, 1, 1},
     .t_end = 1},
    {.name = "c_product_rule",
     .system = {.n = 3,
                .residual = product_rule,
                .jacobian = product_rule_jacobian,
                .variable_names = NAMES("y", "z1", "z2")},
     .y0 = {1, 1.4, 0.7},
     .t_end = 1},
    {.name = "c_jacobian_of_old_model",
     .system = {.n = 2,
                .rhs = faster_sensor,
                .rhs_jacobian = slower_sensor_jacobian,
                .variable_names = NAMES("y", "s")},
     .y0 = {1, 0},
     .t_end = 2},
    {.name = "c_ring_as_a_band",
     .system = {.n = 20, .residual = ring_as_a_band, .pattern = &band_without_corners},
     .prepare = band_for_a_ring,
     .t_end = 0.02},
    {.name = "c_mixture_by_diagonal",
     .system = {.n = 4,
                .residual = mixture_by_diagonal,
                .pattern = &mixture_pattern,
                .variable_names = NAMES("y", "z1", "z2", "z3")},
     .y0 = {1, 1, 2, 3},
     .t_end = 2},
    {.name = "c_one_atol_for_all",
     .system = {.n = 3, .residual = one_atol_for_all, .variable_names = NAMES("p", "x", "v")},
     .y0 = {1e5, 1e-3, 0},
     .t_end = 1,
     .options = "rtol=1e-6 atol=1"},
    {.name = "c_enthalpy_to_1e_14",
     .system = {.n = 2, .residual = enthalpy_to_1e_14, .variable_names = NAMES("h", "T")},
     .y0 = {2.7e6, 2.7},
     .t_end = 10,
     .options = "rtol=0 atol=1e-14"},
    {.name = "c_orifice_reversed",
     .system = {.n = 2, .rhs = orifice_reversed, .variable_names = NAMES("p", "V")},
     .y0 = {3, 0},
     .t_end = 8},
    {.name = "c_mean_of_nothing",
     .system = {.n = 2, .residual = mean_of_nothing, .variable_names = NAMES("a", "b")},
     .y0 = {1, NAN},
     .t_end = 1},
    {.name = "c_wave_steepens",
     .system = {.n = 3, .residual = wave_steepens, .variable_names = NAMES("x", "c", "slope")},
     .y0 = {0, 1, -0.5},
     .t_end = 4},
    {.name = "c_two_cells_exchange",
     .system = {.n = 3, .residual = two_cells_exchange, .variable_names = NAMES("x", "z1", "z2")},
     .y0 = {1, 1, 1},
     .t_end = 2},
    {.name = "c_third_fraction",
     .system = {.n = 3,
                .residual = third_fraction,
                .lower = {(const double[]){0, 0, 0}, 3},
                .upper = {(const double[]){1, 1, 1}, 3},
                .variable_names = NAMES("x1", "x2", "x3")},
     .y0 = {0.3, 0.25, 0.45},
     .t_end = 4},
    {.name = "c_mass_fails",
     .system = {.n = 2,
                .rhs = rocket,
                .mass = rocket_mass,
                .mass_kind = DAEDAL_MASS_OF_TIME,
                .variable_names = NAMES("x", "v")},
     .y0 = {0, 0},
     .t_end = 5},
    {.name = "c_constraints_fail",
     .system = {.n = 2,
                .residual = constraints_fail,
                .n_constraints = 1,
                .constraints = energy_until_1,
                .constraint_jacobian = energy_until_1_jacobian,
                .constraint_pattern = &one_row_of_two,
                .variable_names = NAMES("x", "v")},
     .y0 = {1, 0},
     .t_end = 5},
    {.name = "c_table_refuses",
     .system = {.n = 2, .rhs = table_refuses, .variable_names = NAMES("y", "s")},
     .y0 = {0.5, 0},
     .t_end = 4},
    {.name = "c_rotor_for_ten_seconds",
     .system = {.n = 4,
                .residual = rotor_for_ten_seconds,
                .variable_names = NAMES("x1", "y1", "x2", "y2")},
     .y0 = {1, 0, 1, 0},
     .t_end = 10,
     .points = 1,
     .options = "max_steps=100"},
    {.name = "c_healthy_decay_chain",
     .system = {.n = 4,
                .residual = healthy_decay_chain,
                .variable_names = NAMES("x1", "x2", "x3", "x4")},
     .y0 = {1, 0, 0, 0},
     .t_end = 2},
    {.name = "c_healthy_on_a_string",
     .system = {.n = 5,
                .residual = healthy_on_a_string,
                .variable_names = NAMES("x", "y", "u", "v", "S")},
     .y0 = {1, 0, 0, 2, 4},
     .t_end = 3},
    {.name = "c_healthy_reactor_checked",
     .system = {.n = 2,
                .residual = healthy_reactor_checked,
                .jacobian = healthy_reactor_jacobian,
                .variable_names = NAMES("T", "a")},
     .y0 = {400, 1},
     .t_end = 2,
     .options = "check_jacobian=yes rtol=1e-7"},
    {.name = "c_healthy_wide_pattern",
     .system = {.n = 30, .residual = healthy_wide_pattern, .pattern = &wide_pattern},
     .prepare = five_diagonals,
     .t_end = 1},
    {.name = "c_healthy_retry_below_zero",
     .system = {.n = 1, .residual = healthy_retry_below_zero, .variable_names = NAMES("y")},
     .y0 = {1},
     .t_end = 0.3},
    {.name = "c_healthy_mass_of_state",
     .system = {.n = 2,
                .rhs = healthy_of_state,
                .mass = healthy_mass_of_state,
                .mass_kind = DAEDAL_MASS_OF_STATE,
                .variable_names = NAMES("y", "z")},
     .y0 = {1, 1},
     .t_end = 2},
    {.name = "c_healthy_large_and_small",
     .system = {.n = 2, .residual = healthy_large_and_small, .variable_names = NAMES("n", "m")},
     .y0 = {1e11, 1e-12},
     .t_end = 3,
     .options = "rtol=1e-7 atol=1e-21"},
    {.name = "c_healthy_both_fixed",
     .system = {.n = 2, .residual = healthy_both_fixed, .variable_names = NAMES("y", "z")},
     .y0 = {2, 4},
     .y_mask = {DAEDAL_FIXED, DAEDAL_FIXED},
     .t_end = 1},
    {.name = "c_healthy_friction_passes",
     .system = {.n = 1,
                .residual = healthy_friction_passes,
                .is_nonsmooth = 1,
                .variable_names = NAMES("v")},
     .y0 = {0},
     .t_end = 8},
    {.name = "c_healthy_many_crossings",
     .system = {.n = 2,
                .residual = healthy_many_crossings,
                .n_events = 3,
                .events = watched,
                .variable_names = NAMES("x", "v")},
     .y0 = {1, 0},
     .t_end = 200,
     .options = "rtol=1e-8"},
};

#endif
