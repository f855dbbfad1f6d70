/* open_functions.h - the open half of the C problems of this corpus, see ../README.md.
 *
 * Each problem is a comment with what is expected, its functions, and an entry of the table at the
 * end.  Included by functions.c only.
 */
#ifndef OPEN_FUNCTIONS_H
#define OPEN_FUNCTIONS_H

/* problem: c_robertson_wrong_sum
 * cause: inconsistent_start
 * culprits: y3, sum
 * time: 0
 * why: the option start = given forbids changes, and 1 + 0 + 0.5 is not 1 in the algebraic
 *     equation.
 */
RESIDUAL(robertson_wrong_sum)
{
    r[0] = yp[0] + 0.04 * y[0] - 1e4 * y[1] * y[2];
    r[1] = yp[1] - 0.04 * y[0] + 1e4 * y[1] * y[2] + 3e7 * y[1] * y[1];
    r[2] = y[0] + y[1] + y[2] - 1;
    return 0;
}

/* problem: c_no_real_root
 * cause: no_solution
 * culprits: z, equation 1
 * time: 0
 * why: z^2 + 1 + y^2 is at least 1.
 */
RESIDUAL(no_real_root)
{
    r[0] = yp[0] + y[0] - y[1];
    r[1] = y[1] * y[1] + 1 + y[0] * y[0];
    return 0;
}

/* problem: c_flexible_robot
 * cause: high_index
 * culprits: u, path
 * why: the motor torque u moves the arm q1 through a spring: path, velocity, acceleration, motor
 *     angle, motor velocity, torque: index 5.
 */
RESIDUAL(flexible_robot)
{
    const double k = 50;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - k * (y[2] - y[0]);
    r[2] = yp[2] - y[3];
    r[3] = yp[3] + k * (y[2] - y[0]) - y[4];
    r[4] = y[0] - 0.1 * sin(t);
    return 0;
}

/* problem: c_pendulum_with_rodas
 * cause: high_index
 * culprits: F, length
 * why: an index-3 system, and the user insists on rodas, which takes index 1.
 */
RESIDUAL(pendulum_with_rodas)
{
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 9.81;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1;
    return 0;
}

/* problem: c_duplicate_row
 * cause: redundant_equations | undetermined_variable
 * culprits: a, b, row1, row2
 * why: the second equation is twice the first; a and b are known only as a sum.
 */
RESIDUAL(duplicate_row)
{
    r[0] = y[0] + y[1] - 3;
    r[1] = 2 * y[0] + 2 * y[1] - 6;
    r[2] = yp[2] + y[2] - y[0];
    return 0;
}

/* problem: c_resistors_without_ground
 * cause: undetermined_variable | redundant_equations
 * culprits: v1, v2, v3, v4
 * why: four nodes, resistors between them and a current source from 1 to 3; no node is grounded,
 *     so all voltages can be shifted together. The currents into the network add up to zero, so
 *     the equations do not contradict each other.
 */
RESIDUAL(resistors_without_ground)
{
    const double source = 0.01 * cos(t);
    const double i12 = (y[0] - y[1]) / 100, i23 = (y[1] - y[2]) / 200;
    const double i34 = (y[2] - y[3]) / 50, i41 = (y[3] - y[0]) / 150;
    r[0] = i12 - i41 - source;
    r[1] = i23 - i12;
    r[2] = i34 - i23 + source;
    r[3] = i41 - i34;
    r[4] = yp[4] - (y[0] - y[2]);
    return 0;
}

/* problem: c_idle_unknown
 * cause: structure | undetermined_variable
 * culprits: idle
 * why: the third unknown is in no equation.
 */
RESIDUAL(idle_unknown)
{
    r[0] = yp[0] + y[0];
    r[1] = y[1] - 2 * y[0];
    r[2] = y[1] * y[1] - 4 * y[0] * y[0];
    return 0;
}

/* problem: c_two_rows_one_unknown
 * cause: structure
 * culprits: a, b, c, decay, given
 * why: two equations contain nothing but a, and one is left for b and c.
 */
RESIDUAL(two_rows_one_unknown)
{
    r[0] = yp[0] + y[0];
    r[1] = y[0] - exp(-t);
    r[2] = y[1] + y[2] - y[0];
    return 0;
}

/* problem: c_relaxation
 * cause: impasse | branch_jump
 * culprits: v
 * time: 0.8068528 +- 2e-3
 * why: q = v^3/3 - v and q' = -v: the fold v = 1 is reached from v = 2 at 1.5 - ln 2.
 */
RESIDUAL(relaxation)
{
    r[0] = yp[0] + y[1];
    r[1] = y[1] * y[1] * y[1] / 3 - y[1] - y[0];
    r[2] = yp[2] - y[0];
    return 0;
}

/* problem: c_short_rod
 * cause: impasse
 * culprits: x
 * time: 0.9272952 +- 2e-3
 * why: (x - cos(phi))^2 + sin(phi)^2 = 0.64 ends at phi = t = asin(0.8).
 */
RESIDUAL(short_rod)
{
    const double s = sin(y[0]), d = y[1] - cos(y[0]);
    r[0] = yp[0] - 1;
    r[1] = d * d + s * s - 0.64;
    return 0;
}

/* problem: c_length_jumps
 * cause: discontinuity
 * culprits: length, x, y, F
 * time: 0.5 +- 1e-3
 * why: the rod of the pendulum becomes 10 % longer in no time at t = 0.5: the positions would
 *     have to jump.
 */
RESIDUAL(length_jumps)
{
    const double length = t < 0.5 ? 1 : 1.1;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 9.81;
    r[4] = y[0] * y[0] + y[1] * y[1] - length * length;
    return 0;
}

/* problem: c_step_prescribed
 * cause: discontinuity
 * culprits: x, path, v
 * time: 0.5 +- 1e-3
 * why: the prescribed x jumps by 1 at t = 0.5, so v = x' is an impulse.
 */
RESIDUAL(step_prescribed)
{
    r[0] = yp[0] - y[1];
    r[1] = y[0] - (t < 0.5 ? 0.2 * t : 1 + 0.2 * t);
    r[2] = yp[2] - y[1] + y[2];
    return 0;
}

/* problem: c_sliding_surface
 * cause: chattering | discontinuity
 * or: x(3) = 0.0624111 +- 1e-3
 * culprits: x, v
 * time: 0.4142136 +- 1e-2
 * why: v' = -2 sgn(x + v) from x = 1, v = 0 reaches the surface x + v = 0 at sqrt(2) - 1 and is
 *     held there by ever faster switching: x = 0.828427 exp(-(t - 0.414214)).
 */
RESIDUAL(sliding_surface)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + (y[0] + y[1] > 0 ? 2 : -2);
    return 0;
}

/* problem: c_ball_restarted
 * cause: event_accumulation
 * culprits: h, v, impact
 * time: 1.3545709 +- 5e-3
 * why: each impact halves the velocity; the impacts accumulate at 3 sqrt(2/g).
 */
RESIDUAL(ball_restarted)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 9.81;
    return 0;
}

EVENTS(ball_impact)
{
    g[0] = y[0];
    return 0;
}

AT_EVENT(ball_bounces)
{
    y[0] = 0;
    y[1] = -0.5 * y[1];
}

/* problem: c_sign_in_constraint
 * cause: wrong_jacobian
 * or: y(2) = 0.14814485 +- 1e-5
 * culprits: z, square
 * why: dF/dz of z - y^2 is given as -1 instead of 1: each Newton iteration doubles the error of
 *     z.
 */
RESIDUAL(sign_in_constraint)
{
    r[0] = yp[0] + y[0] - 0.1 * y[1];
    r[1] = y[1] - y[0] * y[0];
    return 0;
}

JACOBIAN(sign_in_constraint_jacobian)
{
    values[0] = c + 1;
    values[1] = -2 * y[0];
    values[2] = -0.1;
    values[3] = -1;
    return 0;
}

/* problem: c_forgot_c
 * cause: wrong_jacobian
 * or: x(5) = 0.28366219 +- 1e-4
 * culprits: x, v, equation 0, equation 1
 * why: the derivative with respect to y' was written as 1 instead of c times 1, so that dF/dy'
 *     seems to be zero.
 */
RESIDUAL(forgot_c)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    return 0;
}

JACOBIAN(forgot_c_jacobian)
{
    values[0] = 1;
    values[1] = 1;
    values[2] = -1;
    values[3] = 1;
    return 0;
}

/* problem: c_pattern_transposed
 * cause: missed_sparsity
 * or: z3(2) = -0.21266973 +- 1e-5
 * culprits: z1, z2, z3
 * why: rows and columns of the pattern were exchanged: all entries of the cycle z1 <- z3 <- z2 <-
 *     z1 with the factors 2 are missing.
 */
RESIDUAL(pattern_transposed)
{
    r[0] = yp[0] + y[0];
    r[1] = y[1] - y[0] - 2 * y[3];
    r[2] = y[2] - 2 * y[0] - 2 * y[1];
    r[3] = y[3] - 3 * y[0] - 2 * y[2];
    return 0;
}

/* What is right by rows: {0}, {0, 1, 3}, {0, 1, 2}, {0, 2, 3}. */
static const daedal_pattern rows_as_columns = {4, 4, (const int32_t[]){0, 1, 4, 7, 10},
                                               (const int32_t[]){0, 0, 1, 3, 0, 1, 2, 0, 2, 3}};

/* problem: c_dyp_pattern_diagonal
 * cause: missed_sparsity
 * or: i1(2) = 0.98992594 +- 1e-4; i2(2) = -0.68904403 +- 1e-4
 * culprits: i1, i2
 * why: two coupled coils: i1' + 3 i2' and 3 i1' + i2'; the Jacobian is right, but dyp_pattern has
 *     the diagonal only.
 */
RESIDUAL(dyp_pattern_diagonal)
{
    r[0] = yp[0] + 3 * yp[1] + y[0];
    r[1] = 3 * yp[0] + yp[1] - y[1];
    return 0;
}

JACOBIAN(dyp_pattern_diagonal_jacobian)
{
    values[0] = c + 1;
    values[1] = 3 * c;
    values[2] = 3 * c;
    values[3] = c - 1;
    return 0;
}

static const daedal_pattern coils = {2, 2, (const int32_t[]){0, 2, 4},
                                     (const int32_t[]){0, 1, 0, 1}};
static const daedal_pattern coils_diagonal = {2, 2, (const int32_t[]){0, 1, 2},
                                              (const int32_t[]){0, 1}};

/* problem: c_nanometres
 * cause: bad_scaling
 * or: x(1e-4) = -8.390715290764524e-10 +- 1e-11
 * culprits: x
 * why: the amplitude is 1e-9 and the absolute tolerance 1e-6: the error test of x passes whatever
 *     happens. x = 1e-9 cos(1e5 t).
 */
RESIDUAL(nanometres)
{
    r[0] = yp[0] - 1e5 * y[1];
    r[1] = yp[1] + 1e5 * y[0];
    return 0;
}

/* problem: c_units_overflow
 * cause: bad_scaling | domain_error
 * culprits: n, equation 0
 * time: 0
 * why: 1e-180 n n with n = 1e170: the product 1e-180 n^2 is 1e160, but n n alone is Inf.
 */
RESIDUAL(units_overflow)
{
    r[0] = yp[0] + y[0] * y[0] * 1e-180;
    r[1] = yp[1] + y[1];
    return 0;
}

/* problem: c_no_atol_at_zero
 * cause: tolerance_too_small
 * culprits: y
 * why: atol = 0 and y(0) = 0: the tolerance of y is zero, no error can meet it.
 */
RESIDUAL(no_atol_at_zero)
{
    r[0] = yp[0] - cos(t);
    r[1] = yp[1] + y[1] - y[0];
    return 0;
}

/* problem: c_atol_1e_20
 * cause: tolerance_too_small
 * culprits: T
 * why: rtol = 0 and atol = 1e-20 for a temperature of 1000, whose neighbouring numbers are
 *     1.1e-13 apart.
 */
RESIDUAL(atol_1e_20)
{
    r[0] = yp[0] + 0.5 * (y[0] - 300);
    r[1] = yp[1] - 0.1 * y[0];
    return 0;
}

/* problem: c_zero_over_zero
 * cause: domain_error
 * culprits: share, mixture
 * time: 0
 * why: the share a/(a + b) of an empty vessel is 0/0 at the start.
 */
RESIDUAL(zero_over_zero)
{
    r[0] = yp[0] - 1;
    r[1] = yp[1] - 2;
    r[2] = y[2] - y[0] / (y[0] + y[1]);
    return 0;
}

/* problem: c_log_consumed
 * cause: domain_error
 * culprits: c, mu, potential
 * time: 2 +- 1e-3
 * why: c = 1 - t/2 is used up at t = 2; its logarithm then has no value.
 */
RESIDUAL(log_consumed)
{
    r[0] = yp[0] + 0.5;
    r[1] = y[1] - 2.479 * log(y[0]);
    r[2] = yp[2] - y[1];
    return 0;
}

/* problem: c_laser_focus
 * cause: blow_up
 * culprits: a
 * time: 0.5 +- 5e-3
 * why: a' = a^3, a(0) = 1: a = 1/sqrt(1 - 2 t).
 */
RESIDUAL(laser_focus)
{
    r[0] = yp[0] - y[0] * y[0] * y[0];
    r[1] = yp[1] - 1 / (1 + y[0] * y[0]);
    return 0;
}

/* problem: c_one_of_ten
 * cause: blow_up
 * culprits: y[6]
 * time: 2 +- 1e-2
 * why: nine of the ten unknowns decay; the seventh obeys y' = y^2 from 0.5.
 */
RESIDUAL(one_of_ten)
{
    for (int i = 0; i < 10; i++)
        r[i] = yp[i] + (i + 1) * (y[i] - 0.1 * y[(i + 1) % 10 == 6 ? 0 : (i + 1) % 10]);
    r[6] = yp[6] - y[6] * y[6];
    return 0;
}

/* problem: c_coupled_wheels
 * cause: branch_jump | impasse
 * or: c(2.5) = 4 +- 1e-3
 * culprits: b, c
 * time: 1.6415927 +- 1e-2
 * why: a parallelogram linkage is flat at phi = 1.5 + t = pi, where the crossed linkage branches
 *     off.
 */
RESIDUAL(coupled_wheels)
{
    r[0] = yp[0] - 1;
    r[1] = cos(y[0]) + 2 * cos(y[1]) - 2 - cos(y[2]);
    r[2] = sin(y[0]) + 2 * sin(y[1]) - sin(y[2]);
    return 0;
}

/* problem: c_above_upper
 * cause: bounds
 * culprits: z
 * time: 2 +- 1e-2
 * why: z = x^2 with x = t exceeds its upper bound 4 at t = 2.
 */
RESIDUAL(above_upper)
{
    r[0] = yp[0] - 1;
    r[1] = y[1] - y[0] * y[0];
    return 0;
}

/* problem: c_table_ends
 * cause: callback_failed
 * why: the property table ends at T = 350; F returns FAIL beyond it; T = 300 + 100 t.
 */
RESIDUAL(table_ends)
{
    if (y[0] > 350)
        return DAEDAL_CALL_FAIL;
    r[0] = yp[0] - 100;
    r[1] = y[1] - 4.2 * y[0];
    return 0;
}

/* problem: c_jacobian_fails
 * cause: callback_failed
 * why: the Jacobian callback returns FAIL after t = 0.3.
 */
RESIDUAL(jacobian_fails)
{
    r[0] = yp[0] + y[0] * y[0] * y[0] - cos(20 * t);
    r[1] = y[1] - exp(y[0]);
    return 0;
}

JACOBIAN(jacobian_that_fails)
{
    if (t > 0.3)
        return DAEDAL_CALL_FAIL;
    values[0] = c + 3 * y[0] * y[0];
    values[1] = -exp(y[0]);
    values[3] = 1;
    return 0;
}

/* problem: c_event_function_fails
 * cause: callback_failed
 * time: 0.7 +- 0.3
 * why: the event function returns FAIL after t = 0.7.
 */
RESIDUAL(event_function_fails)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    return 0;
}

EVENTS(events_that_fail)
{
    g[0] = y[0] - 2;
    return t > 0.7 ? DAEDAL_CALL_FAIL : DAEDAL_CALL_OK;
}

/* problem: c_stiff_step_limit
 * cause: too_much_work
 * why: several periods of the stiff van der Pol equation in one call, with max_steps = 60; each
 *     period needs hundreds of steps at rtol 1e-8.
 */
RESIDUAL(stiff_step_limit)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - 1000 * ((1 - y[0] * y[0]) * y[1]) + y[0];
    return 0;
}

/* problem: c_healthy_robertson
 * cause: none
 * expect: y1(40) = 0.715827068718 +- 1e-5; y3(40) = 0.284163745747 +- 1e-5
 * why: the published reference of this problem at t = 40.
 */
RESIDUAL(healthy_robertson)
{
    r[0] = yp[0] + 0.04 * y[0] - 1e4 * y[1] * y[2];
    r[1] = yp[1] - 0.04 * y[0] + 1e4 * y[1] * y[2] + 3e7 * y[1] * y[1];
    r[2] = y[0] + y[1] + y[2] - 1;
    return 0;
}

/* problem: c_healthy_transient
 * cause: none
 * expect: x(3.141592653589793) = 1 +- 1e-3
 * why: x' = 27.6 cos(t) x rises to 1e12 and returns: x = exp(27.6 sin(t)).
 */
RESIDUAL(healthy_transient)
{
    r[0] = yp[0] - 27.6 * cos(t) * y[0];
    r[1] = yp[1] - 1;
    return 0;
}

/* problem: c_healthy_ignition
 * cause: none
 * expect: y(2) = 1000000 +- 1
 * why: y' = y^2 (1 - 1e-6 y) looks like y^2 until t = 1 and then stays at 1e6.
 */
RESIDUAL(healthy_ignition)
{
    r[0] = yp[0] - y[0] * y[0] * (1 - 1e-6 * y[0]);
    return 0;
}

/* problem: c_healthy_turns_in_time
 * cause: none
 * expect: z(2) = 1.0000005 +- 1e-4; w(2) = 1.000008101 +- 1e-4
 * why: z^2 = x with x = (t - 1)^2 + 1e-6: the fold z = 0 is missed by 1e-3.
 */
RESIDUAL(healthy_turns_in_time)
{
    r[0] = yp[0] - 2 * (t - 1);
    r[1] = y[1] * y[1] - y[0];
    r[2] = yp[2] - y[1];
    return 0;
}

/* problem: c_healthy_ring
 * cause: none
 * expect: y[0](1) = 0.2065816104 +- 1e-5; y[25](1) = -0.2065816104 +- 1e-5
 * why: heat on a ring of 50 nodes; the start cos(2 pi i/50) decays with the rate 400
 *     sin(pi/50)^2. The pattern given is right, corners included.
 */
static int32_t ring_start[51], ring_row[150];
static const daedal_pattern ring_pattern = {50, 50, ring_start, ring_row};

RESIDUAL(healthy_ring)
{
    for (int i = 0; i < 50; i++)
        r[i] = yp[i] - 100 * (y[(i + 1) % 50] - 2 * y[i] + y[(i + 49) % 50]);
    return 0;
}

PREPARE(ring_with_corners)
{
    int32_t count = 0;
    for (int32_t j = 0; j < 50; j++) {
        ring_start[j] = count;
        for (int32_t i = 0; i < 50; i++)
            if (i == j || i == (j + 1) % 50 || i == (j + 49) % 50)
                ring_row[count++] = i;
        y0[j] = cos(2 * 3.141592653589793 * j / 50);
    }
    ring_start[50] = count;
}

/* problem: c_healthy_nanometres
 * cause: none
 * expect: x(1e-4) = -8.390715290764524e-10 +- 1e-14
 * why: as small as a nanometre, with an absolute tolerance to match: 1e-9 cos(1e5 t).
 */
RESIDUAL(healthy_nanometres)
{
    r[0] = yp[0] - 1e5 * y[1];
    r[1] = yp[1] + 1e5 * y[0];
    return 0;
}

/* problem: c_healthy_triangle_wave
 * cause: none
 * expect: x(5000.5) = 0.5 +- 1e-5; events(5000.5) = 5000 +- 0.1
 * why: x goes up and down between 0 and 1 with the slope 1: an event at every full second, none
 *     nearer to the next one than 1 s.
 */
static double triangle_slope = 1;

RESIDUAL(healthy_triangle_wave)
{
    r[0] = yp[0] - triangle_slope;
    return 0;
}

EVENTS(triangle_ends)
{
    g[0] = y[0] - 1;
    g[1] = y[0];
    return 0;
}

AT_EVENT(triangle_turns)
{
    triangle_slope = y[0] > 0.5 ? -1 : 1;
}

/* problem: c_healthy_tight
 * cause: none
 * expect: x(10) = -0.8390715290764524 +- 1e-9
 * why: rtol = 1e-12 is small, but possible: cos(t).
 */
RESIDUAL(healthy_tight)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    return 0;
}

/* problem: c_healthy_singular_mass
 * cause: none
 * expect: y(1) = 0.6065306597 +- 1e-5; z(1) = 0.6065306597 +- 1e-5
 * why: M = diag(1, 0): y' = -y + z/2 and 0 = y - z, so y = exp(-t/2).
 */
RHS(healthy_rhs)
{
    f[0] = -y[0] + 0.5 * y[1];
    f[1] = y[0] - y[1];
    return 0;
}

MASS(healthy_mass)
{
    values[0] = 1;
    return 0;
}

/* problem: c_healthy_repeated_invariant
 * cause: none
 * expect: x(10) = -0.8390715290764524 +- 1e-4; v(10) = 0.5440211108893698 +- 1e-4
 * why: the energy is given twice as a constraint to project on: redundant, and consistent. x =
 *     cos(t), v = -sin(t).
 */
RESIDUAL(healthy_repeated_invariant)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    return 0;
}

CONSTRAINTS(energy_twice)
{
    g[0] = y[0] * y[0] + y[1] * y[1] - 1;
    g[1] = 3 * g[0];
    return 0;
}

CONSTRAINT_JACOBIAN(energy_twice_jacobian)
{
    values[0] = 2 * y[0];
    values[1] = 6 * y[0];
    values[2] = 2 * y[1];
    values[3] = 6 * y[1];
    return 0;
}

static const daedal_pattern energy_pattern = {2, 2, (const int32_t[]){0, 2, 4},
                                              (const int32_t[]){0, 1, 0, 1}};

/* problem: c_runs_away
 * cause: no_solution
 * culprits: z, equation 1
 * time: 0
 * why: exp(z) + 1 is at least 1; an iteration runs to minus infinity, where the derivative
 * vanishes.
 */
RESIDUAL(runs_away)
{
    r[0] = yp[0] - y[1];
    r[1] = exp(y[1]) + 1 + 0 * y[0];
    return 0;
}

/* problem: c_gain_fades
 * cause: undetermined_variable | impasse | redundant_equations
 * culprits: z
 * time: 1 +- 1e-2
 * why: the gain 1 - t of the only equation for z is zero from t = 1 on.
 */
RESIDUAL(gain_fades)
{
    const double gain = t < 1 ? 1 - t : 0;
    r[0] = yp[0] + y[0];
    r[1] = gain * (y[1] - y[0]);
    return 0;
}

/* problem: c_relay_by_events
 * cause: chattering | event_accumulation
 * culprits: x, level
 * time: 1 +- 1e-2
 * why: x' = -1 above 0 and 1 below: from t = 1 on each restart leads back to the same event at
 * once.
 */
RESIDUAL(relay_by_events)
{
    r[0] = yp[0] - (y[0] > 0 ? -1 : 1);
    return 0;
}

EVENTS(relay_level)
{
    g[0] = y[0];
    return 0;
}

AT_EVENT(relay_goes_on)
{
}

static const problem open_problems[] = {
    {.name = "c_runs_away",
     .system = {.n = 2, .residual = runs_away, .variable_names = NAMES("x", "z")},
     .y0 = {1, 1},
     .t_end = 1},
    {.name = "c_gain_fades",
     .system = {.n = 2, .residual = gain_fades, .variable_names = NAMES("x", "z")},
     .y0 = {1, 1},
     .t_end = 2},
    {.name = "c_relay_by_events",
     .system = {.n = 1,
                .residual = relay_by_events,
                .n_events = 1,
                .events = relay_level,
                .variable_names = NAMES("x"),
                .event_names = NAMES("level")},
     .y0 = {1},
     .t_end = 2,
     .at_event = relay_goes_on},
    {.name = "c_robertson_wrong_sum",
     .system = {.n = 3,
                .residual = robertson_wrong_sum,
                .variable_names = NAMES("y1", "y2", "y3"),
                .equation_names = NAMES("rate1", "rate2", "sum")},
     .y0 = {1, 0, 0.5},
     .yp0 = (const double[]){-0.04, 0.04, 0},
     .t_end = 40,
     .options = "start=given"},
    {.name = "c_no_real_root",
     .system = {.n = 2, .residual = no_real_root, .variable_names = NAMES("y", "z")},
     .y0 = {0.3, 1},
     .t_end = 1},
    {.name = "c_flexible_robot",
     .system = {.n = 5,
                .residual = flexible_robot,
                .variable_names = NAMES("q1", "w1", "q2", "w2", "u"),
                .equation_names = NAMES("dq1", "dw1", "dq2", "dw2", "path")},
     .y0 = {0, 0.1, 0, 0.098, 0},
     .t_end = 2},
    {.name = "c_pendulum_with_rodas",
     .system = {.n = 5,
                .residual = pendulum_with_rodas,
                .variable_names = NAMES("x", "y", "u", "v", "F"),
                .equation_names = NAMES("dx", "dy", "du", "dv", "length")},
     .y0 = {0.6, -0.8, 0, 0, 7.848},
     .t_end = 2,
     .options = "method=rodas"},
    {.name = "c_duplicate_row",
     .system = {.n = 3,
                .residual = duplicate_row,
                .variable_names = NAMES("a", "b", "c"),
                .equation_names = NAMES("row1", "row2", "row3")},
     .y0 = {1, 2, 0},
     .t_end = 1},
    {.name = "c_resistors_without_ground",
     .system = {.n = 5,
                .residual = resistors_without_ground,
                .variable_names = NAMES("v1", "v2", "v3", "v4", "flux")},
     .y0 = {0},
     .t_end = 1},
    {.name = "c_idle_unknown",
     .system = {.n = 3, .residual = idle_unknown, .variable_names = NAMES("y", "z", "idle")},
     .y0 = {1, 2, 0},
     .t_end = 1},
    {.name = "c_two_rows_one_unknown",
     .system = {.n = 3,
                .residual = two_rows_one_unknown,
                .variable_names = NAMES("a", "b", "c"),
                .equation_names = NAMES("decay", "given", "rest")},
     .y0 = {1, 0.5, 0.5},
     .t_end = 1},
    {.name = "c_relaxation",
     .system = {.n = 3, .residual = relaxation, .variable_names = NAMES("q", "v", "w")},
     .y0 = {2.0 / 3, 2, 0},
     .t_end = 2},
    {.name = "c_short_rod",
     .system = {.n = 2, .residual = short_rod, .variable_names = NAMES("phi", "x")},
     .y0 = {0, 1.8},
     .t_end = 2},
    {.name = "c_length_jumps",
     .system = {.n = 5,
                .residual = length_jumps,
                .variable_names = NAMES("x", "y", "u", "v", "F"),
                .equation_names = NAMES("dx", "dy", "du", "dv", "length")},
     .y0 = {0.6, -0.8, 0, 0, 7.848},
     .t_end = 1},
    {.name = "c_step_prescribed",
     .system = {.n = 3,
                .residual = step_prescribed,
                .variable_names = NAMES("x", "v", "w"),
                .equation_names = NAMES("velocity", "path", "filter")},
     .y0 = {0, 0.2, 0},
     .t_end = 1},
    {.name = "c_sliding_surface",
     .system = {.n = 2, .residual = sliding_surface, .variable_names = NAMES("x", "v")},
     .y0 = {1, 0},
     .t_end = 3},
    {.name = "c_ball_restarted",
     .system = {.n = 2,
                .residual = ball_restarted,
                .n_events = 1,
                .events = ball_impact,
                .event_direction = {(const int32_t[]){-1}, 1},
                .event_names = NAMES("impact"),
                .variable_names = NAMES("h", "v")},
     .y0 = {1, 0},
     .t_end = 3,
     .at_event = ball_bounces},
    {.name = "c_sign_in_constraint",
     .system = {.n = 2,
                .residual = sign_in_constraint,
                .jacobian = sign_in_constraint_jacobian,
                .variable_names = NAMES("y", "z"),
                .equation_names = NAMES("decay", "square")},
     .y0 = {1, 1},
     .t_end = 2},
    {.name = "c_forgot_c",
     .system = {.n = 2,
                .residual = forgot_c,
                .jacobian = forgot_c_jacobian,
                .variable_names = NAMES("x", "v")},
     .y0 = {1, 0},
     .t_end = 5},
    {.name = "c_pattern_transposed",
     .system = {.n = 4,
                .residual = pattern_transposed,
                .pattern = &rows_as_columns,
                .variable_names = NAMES("y", "z1", "z2", "z3")},
     .y0 = {1, -15.0 / 7, -16.0 / 7, -11.0 / 7},
     .t_end = 2},
    {.name = "c_dyp_pattern_diagonal",
     .system = {.n = 2,
                .residual = dyp_pattern_diagonal,
                .jacobian = dyp_pattern_diagonal_jacobian,
                .pattern = &coils,
                .dyp_pattern = &coils_diagonal,
                .variable_names = NAMES("i1", "i2")},
     .y0 = {1, 0},
     .t_end = 2},
    {.name = "c_nanometres",
     .system = {.n = 2, .residual = nanometres, .variable_names = NAMES("x", "v")},
     .y0 = {1e-9, 0},
     .t_end = 1e-4,
     .options = "rtol=1e-6 atol=1e-6"},
    {.name = "c_units_overflow",
     .system = {.n = 2, .residual = units_overflow, .variable_names = NAMES("n", "m")},
     .y0 = {1e170, 1},
     .t_end = 1e6},
    {.name = "c_no_atol_at_zero",
     .system = {.n = 2, .residual = no_atol_at_zero, .variable_names = NAMES("y", "z")},
     .y0 = {0, 1},
     .t_end = 10,
     .options = "rtol=1e-6 atol=0"},
    {.name = "c_atol_1e_20",
     .system = {.n = 2, .residual = atol_1e_20, .variable_names = NAMES("T", "Q")},
     .y0 = {1000, 0},
     .t_end = 10,
     .options = "rtol=0 atol=1e-20"},
    {.name = "c_zero_over_zero",
     .system = {.n = 3,
                .residual = zero_over_zero,
                .variable_names = NAMES("a", "b", "share"),
                .equation_names = NAMES("feed1", "feed2", "mixture")},
     .y0 = {0, 0, 0.3},
     .t_end = 1},
    {.name = "c_log_consumed",
     .system = {.n = 3,
                .residual = log_consumed,
                .variable_names = NAMES("c", "mu", "work"),
                .equation_names = NAMES("use", "potential", "power")},
     .y0 = {1, 0, 0},
     .t_end = 4},
    {.name = "c_laser_focus",
     .system = {.n = 2, .residual = laser_focus, .variable_names = NAMES("a", "b")},
     .y0 = {1, 0},
     .t_end = 1},
    {.name = "c_one_of_ten",
     .system = {.n = 10, .residual = one_of_ten},
     .y0 = {1, 1, 1, 1, 1, 1, 0.5, 1, 1, 1},
     .t_end = 5},
    {.name = "c_coupled_wheels",
     .system = {.n = 3, .residual = coupled_wheels, .variable_names = NAMES("phi", "b", "c")},
     .y0 = {1.5, 0, 1.5},
     .t_end = 2.5},
    {.name = "c_above_upper",
     .system = {.n = 2,
                .residual = above_upper,
                .lower = {(const double[]){-INFINITY, 0}, 2},
                .upper = {(const double[]){INFINITY, 4}, 2},
                .variable_names = NAMES("x", "z")},
     .y0 = {0, 0},
     .t_end = 3},
    {.name = "c_table_ends",
     .system = {.n = 2, .residual = table_ends, .variable_names = NAMES("T", "h")},
     .y0 = {300, 1260},
     .t_end = 1},
    {.name = "c_jacobian_fails",
     .system = {.n = 2,
                .residual = jacobian_fails,
                .jacobian = jacobian_that_fails,
                .variable_names = NAMES("y", "z")},
     .y0 = {1, 2.718281828459045},
     .t_end = 10},
    {.name = "c_event_function_fails",
     .system = {.n = 2,
                .residual = event_function_fails,
                .n_events = 1,
                .events = events_that_fail,
                .variable_names = NAMES("x", "v")},
     .y0 = {1, 0},
     .t_end = 2},
    {.name = "c_stiff_step_limit",
     .system = {.n = 2, .residual = stiff_step_limit, .variable_names = NAMES("x", "v")},
     .y0 = {2, 0},
     .t_end = 5000,
     .points = 1,
     .options = "max_steps=60 rtol=1e-8"},
    {.name = "c_healthy_robertson",
     .system = {.n = 3, .residual = healthy_robertson, .variable_names = NAMES("y1", "y2", "y3")},
     .y0 = {1, 0, 0},
     .t_end = 40},
    {.name = "c_healthy_transient",
     .system = {.n = 2, .residual = healthy_transient, .variable_names = NAMES("x", "clock")},
     .y0 = {1, 0},
     .t_end = 3.141592653589793,
     .options = "rtol=1e-8"},
    {.name = "c_healthy_ignition",
     .system = {.n = 1, .residual = healthy_ignition, .variable_names = NAMES("y")},
     .y0 = {1},
     .t_end = 2},
    {.name = "c_healthy_turns_in_time",
     .system = {.n = 3, .residual = healthy_turns_in_time, .variable_names = NAMES("x", "z", "w")},
     .y0 = {1.000001, 1.0000005, 0},
     .t_end = 2},
    {.name = "c_healthy_ring",
     .system = {.n = 50, .residual = healthy_ring, .pattern = &ring_pattern},
     .prepare = ring_with_corners,
     .t_end = 1},
    {.name = "c_healthy_nanometres",
     .system = {.n = 2, .residual = healthy_nanometres, .variable_names = NAMES("x", "v")},
     .y0 = {1e-9, 0},
     .t_end = 1e-4,
     .options = "rtol=1e-7 atol=1e-17"},
    {.name = "c_healthy_triangle_wave",
     .system = {.n = 1,
                .residual = healthy_triangle_wave,
                .n_events = 2,
                .events = triangle_ends,
                .event_direction = {(const int32_t[]){1, -1}, 2},
                .variable_names = NAMES("x")},
     .y0 = {0},
     .t_end = 5000.5,
     .at_event = triangle_turns},
    {.name = "c_healthy_tight",
     .system = {.n = 2, .residual = healthy_tight, .variable_names = NAMES("x", "v")},
     .y0 = {1, 0},
     .t_end = 10,
     .options = "rtol=1e-12 atol=1e-14"},
    {.name = "c_healthy_singular_mass",
     .system =
         {.n = 2, .rhs = healthy_rhs, .mass = healthy_mass, .variable_names = NAMES("y", "z")},
     .y0 = {1, 0},
     .t_end = 1},
    {.name = "c_healthy_repeated_invariant",
     .system = {.n = 2,
                .residual = healthy_repeated_invariant,
                .n_constraints = 2,
                .constraints = energy_twice,
                .constraint_jacobian = energy_twice_jacobian,
                .constraint_pattern = &energy_pattern,
                .variable_names = NAMES("x", "v")},
     .y0 = {1, 0},
     .t_end = 10},
};

#endif
