/* spent_functions.h - the C problems of the first sealed half, open now, see ../README.md.
 *
 * Each problem is a comment with what is expected, its functions, and an entry of the table at the
 * end.  Included by functions.c only.
 */
#ifndef SPENT_FUNCTIONS_H
#define SPENT_FUNCTIONS_H

/* problem: c_all_fixed
 * cause: inconsistent_start
 * culprits: y, z
 * time: 0
 * why: z = 2 y is an equation, and y = 1 and z = 3 are both fixed.
 */
RESIDUAL(all_fixed)
{
    r[0] = yp[0] + y[0];
    r[1] = y[1] - 2 * y[0];
    return 0;
}

/* problem: c_rod_too_long
 * cause: inconsistent_start
 * culprits: x, y, length
 * time: 0
 * why: x = 1 and y = -0.5 are fixed, x^2 + y^2 = 1.25, the rod has the length 1.
 */
RESIDUAL(rod_too_long)
{
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 9.81;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1;
    return 0;
}

/* problem: c_catenary_too_short
 * cause: no_solution
 * culprits: a, rope
 * time: 0
 * why: cosh(a) is at least 1, and 0.5 + 0.1 y is 0.6 at the start.
 */
RESIDUAL(catenary_too_short)
{
    r[0] = yp[0] + 0.2 * y[0];
    r[1] = cosh(y[1]) - 0.5 - 0.1 * y[0];
    r[2] = y[2] - y[1] * y[0];
    return 0;
}

/* problem: c_snap_prescribed
 * cause: high_index
 * or: y1(2) = 0.9092974268 +- 1e-6; y4(2) = 0.4161468365 +- 1e-4
 * culprits: y4, path
 * why: y1 = sin(t) is prescribed and y4 is its third derivative: index 4, direct methods take up
 *     to index 3.
 */
RESIDUAL(snap_prescribed)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - y[2];
    r[2] = yp[2] - y[3];
    r[3] = y[0] - sin(t);
    return 0;
}

/* problem: c_flow_given_limex
 * cause: high_index
 * culprits: p, balance
 * why: incompressible flow: the pressure p makes the sum of the flows vanish, index 2; limex
 *     takes index 1.
 */
RESIDUAL(flow_given_limex)
{
    r[0] = yp[0] - y[2] + 2 * y[0];
    r[1] = yp[1] - y[2] + y[1];
    r[2] = y[0] + y[1] - sin(t);
    return 0;
}

/* problem: c_total_and_parts
 * cause: redundant_equations | undetermined_variable
 * culprits: n1, n2, total, again
 * why: both equations are the balance of the sum n1 + n2; how the sum is divided is not said.
 */
RESIDUAL(total_and_parts)
{
    r[0] = yp[0] + yp[1] + 0.5 * (y[0] + y[1]);
    r[1] = 3 * yp[0] + 3 * yp[1] + 1.5 * (y[0] + y[1]);
    r[2] = yp[2] - 0.5 * (y[0] + y[1]) + y[2];
    return 0;
}

/* problem: c_pressure_level
 * cause: undetermined_variable | redundant_equations
 * culprits: p1, p2, p3
 * why: a closed ring of three pipes with inertia: only differences of pressures occur, and the
 *     balances of the three nodes add up to zero.
 */
RESIDUAL(pressure_level)
{
    r[0] = yp[0] - (y[3] - y[4]) + y[0] - 1;
    r[1] = yp[1] - (y[4] - y[5]) + 2 * y[1];
    r[2] = yp[2] - (y[5] - y[3]) + 3 * y[2];
    r[3] = y[2] - y[0];
    r[4] = y[0] - y[1];
    r[5] = y[1] - y[2];
    return 0;
}

/* problem: c_gain_of_zero
 * cause: structure | undetermined_variable
 * culprits: z, control
 * why: the gain of the control law is zero, so that its equation is 0 = 0 and z is free.
 */
static const double gain_off[1] = {0};

RESIDUAL(gain_of_zero)
{
    const double gain = *(const double *)user;
    r[0] = yp[0] + y[0] - y[1];
    r[1] = gain * (y[1] - 3 * y[0]);
    r[2] = yp[2] - y[0];
    return 0;
}

/* problem: c_row_of_time
 * cause: structure
 * culprits: clock
 * why: the equation `clock` contains no unknown: cos(t) - 1 = 0 fixes t, not y or z.
 */
RESIDUAL(row_of_time)
{
    r[0] = yp[0] + y[0] - y[1];
    r[1] = cos(t) - 1;
    return 0;
}

/* problem: c_square_ends
 * cause: impasse
 * culprits: z
 * time: 1 +- 1e-3
 * why: z^2 = x = 1 - t has no real solution after t = 1; z runs into its fold.
 */
RESIDUAL(square_ends)
{
    r[0] = yp[0] + 1;
    r[1] = y[1] * y[1] - y[0];
    return 0;
}

/* problem: c_nose_curve
 * cause: impasse
 * culprits: v, i
 * time: 3.04 +- 5e-3
 * why: v^2 - 48 v + 0.5 P = 0 has a real root while P <= 1152; P = 1000 + 50 t.
 */
RESIDUAL(nose_curve)
{
    const double power = 1000 + 50 * t;
    r[0] = y[0] * y[1] - power;
    r[1] = y[0] - 48 + 0.5 * y[1];
    r[2] = yp[2] - 0.01 * y[1] * y[1] + 0.1 * y[2];
    r[3] = yp[3] + y[1] / 3600;
    return 0;
}

/* problem: c_jump_without_solution
 * cause: discontinuity | no_solution
 * culprits: z
 * time: 1.5 +- 2e-3
 * why: z + sgn(z)/2 = t - 2: the left side jumps from -1/2 to 1/2 at z = 0, so from t = 1.5 to t
 *     = 2.5 nothing solves it.
 */
RESIDUAL(jump_without_solution)
{
    r[0] = yp[0] - y[1];
    r[1] = y[1] + (y[1] > 0 ? 0.5 : -0.5) - (t - 2);
    return 0;
}

/* problem: c_sign_controller
 * cause: chattering | discontinuity
 * or: x(3) = 0 +- 1e-2
 * culprits: x
 * time: 1.4285714 +- 1e-2
 * why: x' = 0.3 - sgn(x) reaches 0 at 1/0.7 and is pushed back from both sides; the limit of ever
 *     faster switching is x = 0.
 */
RESIDUAL(sign_controller)
{
    r[0] = yp[0] - 0.3 + (y[0] > 0 ? 1 : -1);
    r[1] = yp[1] + y[1] - y[0];
    return 0;
}

/* problem: c_filled_by_rows
 * cause: wrong_jacobian
 * or: z3(2) = -0.21266973 +- 1e-5
 * culprits: z1, z2, z3
 * why: the matrix was filled by rows, the library reads columns. For the cyclic equations z1 = y
 *     + 2 z3, z2 = 2 y + 2 z1, z3 = 3 y + 2 z2 the transposed matrix makes Newton's iteration
 *     diverge (factor 1.31).
 */
RESIDUAL(filled_by_rows)
{
    r[0] = yp[0] + y[0];
    r[1] = y[1] - y[0] - 2 * y[3];
    r[2] = y[2] - 2 * y[0] - 2 * y[1];
    r[3] = y[3] - 3 * y[0] - 2 * y[2];
    return 0;
}

JACOBIAN(filled_by_rows_jacobian)
{
    const double rows[16] = {c + 1, 0, 0, 0, -1, 1, 0, -2, -2, -2, 1, 0, -3, 0, -2, 1};
    for (int i = 0; i < 16; i++)
        values[i] = rows[i];
    return 0;
}

/* problem: c_wrong_factor
 * cause: wrong_jacobian
 * or: z(3) = 1.03438319 +- 1e-5
 * culprits: z, valve
 * why: the derivative of z^3 + z is given with a factor 0.3: Newton's corrections are 3.3 times
 *     too large.
 */
RESIDUAL(wrong_factor)
{
    r[0] = yp[0] - cos(t);
    r[1] = y[1] * y[1] * y[1] + y[1] - 2 - y[0];
    r[2] = yp[2] + y[2] - y[1];
    return 0;
}

JACOBIAN(wrong_factor_jacobian)
{
    values[0] = c;
    values[1] = -1;
    values[4] = 0.3 * (3 * y[1] * y[1] + 1);
    values[5] = -1;
    values[8] = c + 1;
    return 0;
}

/* problem: c_rhs_jacobian_negated
 * cause: wrong_jacobian
 * or: y(2) = 0.33602610 +- 1e-5
 * culprits: z, equation 1
 * why: M y' = f with a singular M; df/dy is given with the wrong sign, which is fatal for the
 *     algebraic row.
 */
RHS(rhs_negated)
{
    f[0] = -y[0] + 0.2 * y[1];
    f[1] = 3 * y[0] - y[1] - 0.5 * sin(y[1]);
    return 0;
}

MASS(mass_first_only)
{
    values[0] = 1;
    return 0;
}

RHS_JACOBIAN(rhs_negated_jacobian)
{
    values[0] = 1;
    values[1] = -3;
    values[2] = -0.2;
    values[3] = 1 + 0.5 * cos(y[1]);
    return 0;
}

/* problem: c_pattern_without_coupling
 * cause: missed_sparsity
 * or: a(2) = 0.04511176 +- 1e-5
 * culprits: a, b
 * why: a = 2 b + y and b = 2 a - y; the pattern has only the diagonal and the column of y, so
 *     Newton's iteration takes the other unknown as constant and diverges by a factor 2.
 */
RESIDUAL(pattern_without_coupling)
{
    r[0] = yp[0] + y[0];
    r[1] = y[1] - 2 * y[2] - y[0];
    r[2] = y[2] - 2 * y[1] + y[0];
    return 0;
}

static const daedal_pattern without_coupling = {3, 3, (const int32_t[]){0, 3, 4, 5},
                                                (const int32_t[]){0, 1, 2, 1, 2}};

/* problem: c_remote_sensor
 * cause: missed_sparsity
 * or: y[0](2) = -7.01814051 +- 1e-4
 * culprits: u0, u9, y[0], y[9], equation 0
 * why: a line of 11 nodes in equilibrium, u10 = 1 and u0 = sin(t) - 40 u9: the pattern given is
 *     that of the line, tridiagonal, and lacks the entry (0, 9), by which the iteration diverges
 *     with the factor 4.
 */
static int32_t line_start[12], line_row[31];
static const daedal_pattern line_pattern = {11, 11, line_start, line_row};

RESIDUAL(remote_sensor)
{
    r[0] = y[0] - sin(t) + 40 * y[9];
    for (int i = 1; i < 10; i++)
        r[i] = y[i + 1] - 2 * y[i] + y[i - 1];
    r[10] = yp[10] + y[10] - 1;
    return 0;
}

PREPARE(line_is_tridiagonal)
{
    int32_t count = 0;
    for (int32_t j = 0; j < 11; j++) {
        line_start[j] = count;
        for (int32_t i = j > 0 ? j - 1 : 0; i <= j + 1 && i < 11; i++)
            line_row[count++] = i;
        y0[j] = -7.2 + 8.2 * j / 10;
    }
    line_start[11] = count;
}

/* problem: c_switch_and_leak
 * cause: bad_scaling | undetermined_variable | redundant_equations
 * or: v1(1) = 500 +- 5
 * culprits: v1, v2
 * why: conductances of 1e12 and 1e-12 meet at each node: their sum is 1e12 in double precision,
 *     so the matrix is singular as computed, although v1 = v2 = 500.
 */
RESIDUAL(switch_and_leak)
{
    r[0] = 1e12 * (y[0] - y[1]) + 1e-12 * y[0] - 1e-9;
    r[1] = 1e12 * (y[1] - y[0]) + 1e-12 * y[1];
    r[2] = yp[2] - 1e-3 * y[0];
    return 0;
}

/* problem: c_rtol_1e_16
 * cause: tolerance_too_small
 * why: a relative tolerance of 1e-16 without an absolute one is below the unit roundoff.
 */
RESIDUAL(rtol_1e_16)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    return 0;
}

/* problem: c_tank_dry
 * cause: domain_error
 * culprits: h, tank
 * time: 1.5204209 +- 1e-3
 * why: h' = -sqrt(h) - 0.1 brings h to zero at 2 - 0.2 ln 11 with the slope -0.1, then the root
 *     has no value.
 */
RESIDUAL(tank_dry)
{
    r[0] = yp[0] + sqrt(y[0]) + 0.1;
    r[1] = yp[1] - y[0] + y[1];
    return 0;
}

/* problem: c_tangent
 * cause: blow_up
 * culprits: p
 * time: 1.5707963 +- 5e-3
 * why: p' = 1 + p^2 is solved by tan(t).
 */
RESIDUAL(tangent)
{
    r[0] = yp[0] - 1 - y[0] * y[0];
    r[1] = yp[1] + y[1];
    return 0;
}

/* problem: c_runaway_algebraic
 * cause: blow_up
 * culprits: T, rate
 * time: 1 +- 5e-3
 * why: T' = rate, rate = exp(T): T = -log(1 - t).
 */
RESIDUAL(runaway_algebraic)
{
    r[0] = yp[0] - y[1];
    r[1] = y[1] - exp(y[0]);
    r[2] = yp[2] - 0.1 * (1 - y[2]);
    return 0;
}

/* problem: c_product_is_zero
 * cause: branch_jump | impasse
 * or: z(2) = 1 +- 1e-3
 * culprits: z
 * time: 1 +- 1e-2
 * why: z (z - x) = 0 with x = t - 1: the branch z = x that the run is on crosses the branch z = 0
 *     at t = 1.
 */
RESIDUAL(product_is_zero)
{
    r[0] = yp[0] - 1;
    r[1] = y[1] * (y[1] - y[0]);
    r[2] = yp[2] - y[1];
    return 0;
}

/* problem: c_below_lower
 * cause: bounds
 * culprits: h
 * time: 1 +- 1e-2
 * why: h = 1 - t, and the lower bound of h is 0.
 */
RESIDUAL(below_lower)
{
    r[0] = yp[0] + 1;
    r[1] = yp[1] + y[1];
    return 0;
}

/* problem: c_start_outside
 * cause: bounds | inconsistent_start
 * culprits: n
 * time: 0
 * why: n(0) = -1 is given and fixed, and its lower bound is 0.
 */
RESIDUAL(start_outside)
{
    r[0] = yp[0] + y[0];
    r[1] = y[1] - 3 * y[0];
    return 0;
}

/* problem: c_retry_for_ever
 * cause: callback_failed | domain_error
 * time: 0.5 +- 1e-2
 * why: F asks for a smaller step wherever x > 1/2, and x = t goes there whatever the step is.
 */
RESIDUAL(retry_for_ever)
{
    if (y[0] > 0.5)
        return DAEDAL_CALL_RETRY;
    r[0] = yp[0] - 1;
    r[1] = yp[1] + y[1];
    return 0;
}

/* problem: c_fails_at_once
 * cause: callback_failed
 * time: 0
 * why: the residual returns FAIL at its first call: a file of data was not found.
 */
RESIDUAL(fails_at_once)
{
    r[0] = yp[0] + y[0];
    return DAEDAL_CALL_FAIL;
}

/* problem: c_step_limit
 * cause: too_much_work
 * why: 160 periods of an oscillation in one call of advance, with max_steps = 100.
 */
RESIDUAL(step_limit)
{
    r[0] = yp[0] - 1000 * y[1];
    r[1] = yp[1] + 1000 * y[0];
    return 0;
}

/* problem: c_healthy_pendulum
 * cause: none
 * expect: x(3) = -0.4782612556 +- 1e-3; y(3) = -0.8782176105 +- 1e-3
 * why: the angle from the vertical obeys phi'' = -g sin(phi), integrated on its own with RK4 and
 *     60000 steps. Index 3.
 */
RESIDUAL(healthy_pendulum)
{
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 9.81;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1;
    return 0;
}

/* problem: c_healthy_stiff_checked
 * cause: none
 * expect: y(10) = -0.8390715290764524 +- 1e-5
 * why: y' = 1e6 (cos(t) - y) - sin(t), solved by cos(t); the Jacobian is right and is checked.
 */
RESIDUAL(healthy_stiff)
{
    r[0] = yp[0] - 1e6 * (cos(t) - y[0]) + sin(t);
    r[1] = y[1] - y[0] * y[0];
    return 0;
}

JACOBIAN(healthy_stiff_jacobian)
{
    values[0] = c + 1e6;
    values[1] = -2 * y[0];
    values[3] = 1;
    return 0;
}

/* problem: c_healthy_late_coupling
 * cause: none
 * expect: a(2) = 0.3135335283 +- 1e-5; b(2) = 0.0593994151 +- 1e-5
 * why: before t = 1 the equations a = y + 3 k b and b = 1 - 3 k a are not coupled (k = max(0, t -
 *     1)), so that their pattern cannot be seen at the start; a = (y + 3 k)/(1 + 9 k^2), y =
 *     exp(-t).
 */
RESIDUAL(healthy_late_coupling)
{
    const double k = t > 1 ? t - 1 : 0;
    r[0] = yp[0] + y[0];
    r[1] = y[1] - y[0];
    r[2] = y[2] - 1;
    if (t > 1) {
        r[1] -= 3 * k * y[2];
        r[2] += 3 * k * y[1];
    }
    return 0;
}

/* problem: c_healthy_root_border
 * cause: none
 * expect: h(1.9) = 0.0025 +- 1e-5
 * why: h' = -sqrt(h), h = (1 - t/2)^2 comes near the border of the root at the end; F asks for a
 *     smaller step for h < 0.
 */
RESIDUAL(healthy_root_border)
{
    if (y[0] < 0)
        return DAEDAL_CALL_RETRY;
    r[0] = yp[0] + sqrt(y[0]);
    return 0;
}

/* problem: c_healthy_bound_approached
 * cause: none
 * expect: a(20) = 2.06e-9 +- 1e-7; b(20) = 1 +- 1e-5
 * why: a = exp(-t) tends to its lower bound 0 and b = 1 - exp(-t) to its upper bound 1, neither
 *     passes it.
 */
RESIDUAL(healthy_bound_approached)
{
    r[0] = yp[0] + y[0];
    r[1] = y[0] + y[1] - 1;
    return 0;
}

/* problem: c_healthy_comet
 * cause: none
 * expect: x(6.283185307179586) = 0.1 +- 1e-3; v(6.283185307179586) = 4.358898943540674 +- 1e-2
 * why: an orbit of eccentricity 0.9 is closed after 2 pi; perihelion 0.1, velocity sqrt(1.9/0.1).
 */
RESIDUAL(healthy_comet)
{
    const double d = sqrt(y[0] * y[0] + y[1] * y[1]), d3 = d * d * d;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[0] / d3;
    r[3] = yp[3] + y[1] / d3;
    return 0;
}

/* problem: c_healthy_index2
 * cause: none
 * expect: q1(2) = 0.3138887099 +- 1e-4; p(2) = 0.4035196501 +- 1e-3
 * why: q1' = p - 2 q1, q2' = p - q2, q1 + q2 = sin(t): adding gives p = (cos(t) + sin(t) + q1)/2
 *     and q1' = (cos(t) + sin(t) - 3 q1)/2, with q1(0) = 0 solved in closed form.
 */
RESIDUAL(healthy_index2)
{
    r[0] = yp[0] - y[2] + 2 * y[0];
    r[1] = yp[1] - y[2] + y[1];
    r[2] = y[0] + y[1] - sin(t);
    return 0;
}

/* problem: c_healthy_corners
 * cause: none
 * expect: x(10) = 6.160928471 +- 1e-4
 * why: the integral of |sin(t)|: 6 until 3 pi, then 1 - cos(10 - 3 pi); corners without event
 *     functions.
 */
RESIDUAL(healthy_corners)
{
    r[0] = yp[0] - fabs(sin(t));
    return 0;
}

/* problem: c_healthy_jump_in_time
 * cause: none
 * expect: x(1) = 1.5 +- 1e-4; f(1) = 1.0255899 +- 1e-4
 * why: the drive doubles at t = 0.5 without an event function: x = t, then 0.5 + 2 (t - 0.5); f'
 *     = drive - f gives a = 1 - exp(-0.5) at 0.5 and 2 - (2 - a) exp(-0.5) at 1.
 */
RESIDUAL(healthy_jump_in_time)
{
    const double drive = t < 0.5 ? 1 : 2;
    r[0] = yp[0] - drive;
    r[1] = yp[1] - drive + y[1];
    return 0;
}

/* problem: c_healthy_poor_guess
 * cause: none
 * expect: z(1) = 2.07695357 +- 1e-5; y(1) = 0.3678794412 +- 1e-5
 * why: the algebraic z = 0 is only a guess: z^3 + z = 30 y; y = exp(-t), at t = 1 z^3 + z =
 *     11.036383.
 */
RESIDUAL(healthy_poor_guess)
{
    r[0] = yp[0] + y[0];
    r[1] = y[1] * y[1] * y[1] + y[1] - 30 * y[0];
    return 0;
}

/* problem: c_gears_held_apart
 * cause: inconsistent_start
 * culprits: w2, ratio
 * time: 0
 * why: both speeds of a gear are fixed, 10 and 10, and its ratio is 3.
 */
RESIDUAL(gears_held_apart)
{
    r[0] = 0.2 * yp[0] + y[0] - 4;
    r[1] = y[1] - 3 * y[0];
    return 0;
}

/* problem: c_bead_leaves_the_wire
 * cause: inconsistent_start
 * culprits: vx, vy, wire
 * time: 0
 * why: the bead is on the wire y = x^2 at (1, 1); its velocity (1, 0) is fixed and not along the
 *     wire, whose slope there is 2.
 */
RESIDUAL(bead_leaves_the_wire)
{
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + 2 * y[0] * y[4];
    r[3] = yp[3] + 9.81 - y[4];
    r[4] = y[1] - y[0] * y[0];
    return 0;
}

/* problem: c_no_root_whatever_is_held
 * cause: no_solution
 * culprits: z, balance
 * time: 0
 * why: z^2 + x^2 + 1 = 0 has no real solution; x is fixed, but any other x would not do either.
 */
RESIDUAL(no_root_whatever_is_held)
{
    r[0] = yp[0] + y[0];
    r[1] = y[1] * y[1] + y[0] * y[0] + 1;
    return 0;
}

/* problem: c_slope_by_zero
 * cause: domain_error | inconsistent_start
 * culprits: v
 * time: 0
 * why: the derivative of v that is given at the start is 1/0.
 */
RESIDUAL(slope_by_zero)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    return 0;
}

/* problem: c_healthy_bead_along_the_wire
 * cause: none
 * expect: x(0.1) = 1.07783436 +- 1e-4; vx(0.1) = 0.56879296 +- 1e-3
 * why: the bead of c_bead_leaves_the_wire with a velocity along the wire, everything fixed.
 */

static const problem spent_problems[] = {
    {.name = "c_all_fixed",
     .system = {.n = 2, .residual = all_fixed, .variable_names = NAMES("y", "z")},
     .y0 = {1, 3},
     .y_mask = {2, 2},
     .t_end = 1},
    {.name = "c_rod_too_long",
     .system = {.n = 5,
                .residual = rod_too_long,
                .variable_names = NAMES("x", "y", "u", "v", "F"),
                .equation_names = NAMES("dx", "dy", "du", "dv", "length")},
     .y0 = {1, -0.5, 0, 0, 0},
     .y_mask = {2, 2, 1, 1, 0},
     .t_end = 1},
    {.name = "c_catenary_too_short",
     .system = {.n = 3,
                .residual = catenary_too_short,
                .variable_names = NAMES("y", "a", "s"),
                .equation_names = NAMES("wind", "rope", "sag")},
     .y0 = {1, 0.5, 0.5},
     .t_end = 2},
    {.name = "c_snap_prescribed",
     .system = {.n = 4,
                .residual = snap_prescribed,
                .variable_names = NAMES("y1", "y2", "y3", "y4"),
                .equation_names = NAMES("velocity", "acceleration", "jerk", "path")},
     .y0 = {0, 1, 0, -1},
     .t_end = 2},
    {.name = "c_flow_given_limex",
     .system = {.n = 3,
                .residual = flow_given_limex,
                .variable_names = NAMES("q1", "q2", "p"),
                .equation_names = NAMES("pipe1", "pipe2", "balance")},
     .y0 = {0, 0, 0.5},
     .t_end = 2,
     .options = "method=limex"},
    {.name = "c_total_and_parts",
     .system = {.n = 3,
                .residual = total_and_parts,
                .variable_names = NAMES("n1", "n2", "n3"),
                .equation_names = NAMES("total", "again", "product")},
     .y0 = {1, 1, 0},
     .t_end = 1},
    {.name = "c_pressure_level",
     .system = {.n = 6,
                .residual = pressure_level,
                .variable_names = NAMES("q1", "q2", "q3", "p1", "p2", "p3"),
                .equation_names = NAMES("pipe1", "pipe2", "pipe3", "node1", "node2", "node3")},
     .y0 = {0},
     .t_end = 1},
    {.name = "c_gain_of_zero",
     .system = {.n = 3,
                .residual = gain_of_zero,
                .user = (void *)gain_off,
                .variable_names = NAMES("y", "z", "w"),
                .equation_names = NAMES("plant", "control", "integral")},
     .y0 = {1, 0, 0},
     .t_end = 1},
    {.name = "c_row_of_time",
     .system = {.n = 2,
                .residual = row_of_time,
                .variable_names = NAMES("y", "z"),
                .equation_names = NAMES("decay", "clock")},
     .y0 = {1, 0},
     .t_end = 1},
    {.name = "c_square_ends",
     .system = {.n = 2, .residual = square_ends, .variable_names = NAMES("x", "z")},
     .y0 = {1, 1},
     .t_end = 2},
    {.name = "c_nose_curve",
     .system = {.n = 4,
                .residual = nose_curve,
                .variable_names = NAMES("v", "i", "heat", "charge")},
     .y0 = {32, 31, 0, 1},
     .t_end = 5},
    {.name = "c_jump_without_solution",
     .system = {.n = 2, .residual = jump_without_solution, .variable_names = NAMES("y", "z")},
     .y0 = {0, -1.5},
     .t_end = 2.3},
    {.name = "c_sign_controller",
     .system = {.n = 2, .residual = sign_controller, .variable_names = NAMES("x", "filter")},
     .y0 = {1, 0},
     .t_end = 3},
    {.name = "c_filled_by_rows",
     .system = {.n = 4,
                .residual = filled_by_rows,
                .jacobian = filled_by_rows_jacobian,
                .variable_names = NAMES("y", "z1", "z2", "z3")},
     .y0 = {1, -15.0 / 7, -16.0 / 7, -11.0 / 7},
     .t_end = 2},
    {.name = "c_wrong_factor",
     .system = {.n = 3,
                .residual = wrong_factor,
                .jacobian = wrong_factor_jacobian,
                .variable_names = NAMES("y", "z", "w"),
                .equation_names = NAMES("drive", "valve", "lag")},
     .y0 = {0, 1, 0},
     .t_end = 3},
    {.name = "c_rhs_jacobian_negated",
     .system = {.n = 2,
                .rhs = rhs_negated,
                .mass = mass_first_only,
                .rhs_jacobian = rhs_negated_jacobian,
                .variable_names = NAMES("y", "z")},
     .y0 = {1, 2.5},
     .t_end = 2},
    {.name = "c_pattern_without_coupling",
     .system = {.n = 3,
                .residual = pattern_without_coupling,
                .pattern = &without_coupling,
                .variable_names = NAMES("y", "a", "b")},
     .y0 = {1, 1.0 / 3, -1.0 / 3},
     .t_end = 2},
    {.name = "c_remote_sensor",
     .system = {.n = 11, .residual = remote_sensor, .pattern = &line_pattern},
     .prepare = line_is_tridiagonal,
     .t_end = 2},
    {.name = "c_switch_and_leak",
     .system = {.n = 3, .residual = switch_and_leak, .variable_names = NAMES("v1", "v2", "flux")},
     .y0 = {0},
     .t_end = 1},
    {.name = "c_rtol_1e_16",
     .system = {.n = 2, .residual = rtol_1e_16, .variable_names = NAMES("x", "v")},
     .y0 = {1, 0.5},
     .t_end = 10,
     .options = "rtol=1e-16 atol=0"},
    {.name = "c_tank_dry",
     .system = {.n = 2,
                .residual = tank_dry,
                .variable_names = NAMES("h", "filter"),
                .equation_names = NAMES("tank", "lag")},
     .y0 = {1, 0},
     .t_end = 3},
    {.name = "c_tangent",
     .system = {.n = 2, .residual = tangent, .variable_names = NAMES("p", "q")},
     .y0 = {0, 1},
     .t_end = 3},
    {.name = "c_runaway_algebraic",
     .system = {.n = 3,
                .residual = runaway_algebraic,
                .variable_names = NAMES("T", "rate", "wall")},
     .y0 = {0, 1, 0},
     .t_end = 2},
    {.name = "c_product_is_zero",
     .system = {.n = 3, .residual = product_is_zero, .variable_names = NAMES("x", "z", "w")},
     .y0 = {-1, -1, 0},
     .t_end = 2},
    {.name = "c_below_lower",
     .system = {.n = 2,
                .residual = below_lower,
                .lower = {(const double[]){0, -INFINITY}, 2},
                .upper = {(const double[]){INFINITY, INFINITY}, 2},
                .variable_names = NAMES("h", "T")},
     .y0 = {1, 1},
     .t_end = 2},
    {.name = "c_start_outside",
     .system = {.n = 2,
                .residual = start_outside,
                .lower = {(const double[]){0, -INFINITY}, 2},
                .upper = {(const double[]){INFINITY, INFINITY}, 2},
                .variable_names = NAMES("n", "z")},
     .y0 = {-1, -3},
     .y_mask = {2, 1},
     .t_end = 1},
    {.name = "c_retry_for_ever",
     .system = {.n = 2, .residual = retry_for_ever, .variable_names = NAMES("x", "y")},
     .y0 = {0, 1},
     .t_end = 1},
    {.name = "c_fails_at_once",
     .system = {.n = 1, .residual = fails_at_once, .variable_names = NAMES("y")},
     .y0 = {1},
     .t_end = 1},
    {.name = "c_step_limit",
     .system = {.n = 2, .residual = step_limit, .variable_names = NAMES("x", "v")},
     .y0 = {1, 0},
     .t_end = 1,
     .points = 1,
     .options = "max_steps=100"},
    {.name = "c_healthy_pendulum",
     .system = {.n = 5,
                .residual = healthy_pendulum,
                .variable_names = NAMES("x", "y", "u", "v", "F")},
     .y0 = {0.6, -0.8, 0.8, 0.6, 8.848},
     .t_end = 3,
     .options = "rtol=1e-7"},
    {.name = "c_healthy_stiff_checked",
     .system = {.n = 2,
                .residual = healthy_stiff,
                .jacobian = healthy_stiff_jacobian,
                .variable_names = NAMES("y", "z")},
     .y0 = {1, 1},
     .t_end = 10,
     .options = "check_jacobian=yes"},
    {.name = "c_healthy_late_coupling",
     .system = {.n = 3, .residual = healthy_late_coupling, .variable_names = NAMES("y", "a", "b")},
     .y0 = {1, 1, 1},
     .t_end = 2},
    {.name = "c_healthy_root_border",
     .system = {.n = 1, .residual = healthy_root_border, .variable_names = NAMES("h")},
     .y0 = {1},
     .t_end = 1.9},
    {.name = "c_healthy_bound_approached",
     .system = {.n = 2,
                .residual = healthy_bound_approached,
                .lower = {(const double[]){0, 0}, 2},
                .upper = {(const double[]){1, 1}, 2},
                .variable_names = NAMES("a", "b")},
     .y0 = {1, 0},
     .t_end = 20},
    {.name = "c_healthy_comet",
     .system = {.n = 4, .residual = healthy_comet, .variable_names = NAMES("x", "y", "u", "v")},
     .y0 = {0.1, 0, 0, 4.358898943540674},
     .t_end = 6.283185307179586,
     .options = "rtol=1e-9"},
    {.name = "c_healthy_index2",
     .system = {.n = 3, .residual = healthy_index2, .variable_names = NAMES("q1", "q2", "p")},
     .y0 = {0, 0, 0.5},
     .t_end = 2},
    {.name = "c_healthy_corners",
     .system = {.n = 1, .residual = healthy_corners, .variable_names = NAMES("x")},
     .y0 = {0},
     .t_end = 10},
    {.name = "c_healthy_jump_in_time",
     .system = {.n = 2, .residual = healthy_jump_in_time, .variable_names = NAMES("x", "f")},
     .y0 = {0, 0},
     .t_end = 1},
    {.name = "c_healthy_poor_guess",
     .system = {.n = 2, .residual = healthy_poor_guess, .variable_names = NAMES("y", "z")},
     .y0 = {1, 0},
     .t_end = 1},
    {.name = "c_gears_held_apart",
     .system = {.n = 2,
                .residual = gears_held_apart,
                .variable_names = NAMES("w1", "w2"),
                .equation_names = NAMES("motor", "ratio")},
     .y0 = {10, 10},
     .y_mask = {DAEDAL_FIXED, DAEDAL_FIXED},
     .t_end = 1},
    {.name = "c_bead_leaves_the_wire",
     .system = {.n = 5,
                .residual = bead_leaves_the_wire,
                .variable_names = NAMES("x", "y", "vx", "vy", "N"),
                .equation_names = NAMES("dx", "dy", "dvx", "dvy", "wire")},
     .y0 = {1, 1, 1, 0, 0},
     .y_mask = {DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FREE},
     .t_end = 1},
    {.name = "c_no_root_whatever_is_held",
     .system = {.n = 2,
                .residual = no_root_whatever_is_held,
                .variable_names = NAMES("x", "z"),
                .equation_names = NAMES("decay", "balance")},
     .y0 = {1, 1},
     .y_mask = {DAEDAL_FIXED, DAEDAL_GUESS},
     .t_end = 1},
    {.name = "c_slope_by_zero",
     .system = {.n = 2, .residual = slope_by_zero, .variable_names = NAMES("x", "v")},
     .y0 = {1, 0},
     .yp0 = (const double[]){0, INFINITY},
     .t_end = 1},
    {.name = "c_healthy_bead_along_the_wire",
     .system = {.n = 5,
                .residual = bead_leaves_the_wire,
                .variable_names = NAMES("x", "y", "vx", "vy", "N"),
                .equation_names = NAMES("dx", "dy", "dvx", "dvy", "wire")},
     .y0 = {1, 1, 1, 2, 0},
     .y_mask = {DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FREE},
     .t_end = 0.1},
};

#endif
