/* fourth_functions.h - the C problems of the fourth corpus, which was sealed once.
 *
 * Each problem is a comment with what is expected, its functions, and an entry of the table at the
 * end.  Included by functions.c only.
 */
#ifndef FOURTH_FUNCTIONS_H
#define FOURTH_FUNCTIONS_H

/* problem: c_supply_given_wrong
 * cause: inconsistent_start
 * culprits: u, supply
 * time: 0
 * why: the user asks for start = given and gives u = 5, but the supply is 12; other values would
 * do.
 */
RESIDUAL(s4_supply)
{
    r[0] = 0.2 * yp[0] + 4 * y[0] - y[1];
    r[1] = y[1] - 12;
    return 0;
}
static const double s4_supply_slope[] = {25, 0};

/* problem: c_quaternion_not_normalised
 * cause: inconsistent_start
 * culprits: q0, q1, q2, q3, norm
 * time: 0
 * why: all four parts of the quaternion are fixed, the sum of their squares is 0.84, and an
 * equation says that it is 1.
 */
RESIDUAL(s4_quaternion)
{
    const double p = 0.1, q = 0.3, w = -0.2;
    r[0] = yp[0] + 0.5 * (p * y[1] + q * y[2] + w * y[3]) - y[4] * y[0];
    r[1] = yp[1] - 0.5 * (p * y[0] + w * y[2] - q * y[3]) - y[4] * y[1];
    r[2] = yp[2] - 0.5 * (q * y[0] - w * y[1] + p * y[3]) - y[4] * y[2];
    r[3] = yp[3] - 0.5 * (w * y[0] + q * y[1] - p * y[2]) - y[4] * y[3];
    r[4] = y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3] - 1;
    return 0;
}

/* problem: c_standing_wave_below_one
 * cause: no_solution
 * culprits: s, matching
 * time: 0
 * why: s + 1/s is at least 2 for s > 0 and at most -2 for s < 0; the equation asks for 1.6.
 */
RESIDUAL(s4_wave)
{
    r[0] = yp[0] + 0.2 * y[0];
    r[1] = y[1] + 1 / y[1] - 1.5 - 0.1 * y[0];
    return 0;
}

/* problem: c_cylinder_on_a_path
 * cause: high_index
 * or: u(2) = -0.02034988126 +- 2e-3; p(2) = -0.1818594854 +- 1e-3
 * culprits: u, path
 * why: the position of a hydraulic cylinder is prescribed and the opening u of the valve is wanted,
 *     which acts on the pressure: it needs three derivatives of the path: index 4, and functions
 *     are taken up to 3. (The exact values at t = 2 are right, too.)
 */
RESIDUAL(s4_cylinder)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - y[2];
    r[2] = yp[2] - 2 * (y[3] * sqrt(4 - y[2]) - y[1]);
    r[3] = y[0] - 0.2 * sin(t);
    return 0;
}

/* problem: c_sensor_with_dopri
 * cause: high_index
 * or: y(2) = 0.01831563889 +- 1e-5; z(2) = 0.03663127778 +- 1e-5
 * culprits: z, sensor
 * why: index 1: the second equation has no derivative, and the user insists on the explicit method
 *     dopri, which needs all derivatives determined (index 0).
 */
RESIDUAL(s4_sensor)
{
    r[0] = yp[0] + y[1];
    r[1] = y[1] - 2 * y[0];
    return 0;
}

/* problem: c_atwood_with_bdf_classic
 * cause: high_index
 * or: v1(2) = 3.924 +- 1e-3
 * culprits: S, rope
 * why: two masses on one rope: index 3, and the user insists on bdf_classic, the strategy of DASSL,
 *     which is not for index 3.
 */
RESIDUAL(s4_atwood)
{
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = 3 * yp[2] - 3 * 9.81 + y[4];
    r[3] = 2 * yp[3] - 2 * 9.81 + y[4];
    r[4] = y[0] + y[1] - 4;
    return 0;
}

/* problem: c_direction_cosines
 * cause: redundant_equations | undetermined_variable
 * culprits: a, b, phi, unit, cosine, sine
 * why: a = cos(phi), b = sin(phi) and a^2 + b^2 = 1: the third follows from the other two, and
 * nothing sets phi.
 */
RESIDUAL(s4_cosines)
{
    r[0] = yp[0] - y[1] + y[0];
    r[1] = y[1] - cos(y[3]);
    r[2] = y[2] - sin(y[3]);
    r[3] = y[1] * y[1] + y[2] * y[2] - 1;
    return 0;
}

/* problem: c_leak_frozen_at_four_kelvin
 * cause: undetermined_variable | redundant_equations
 * culprits: va, vb, node_a, node_b
 * why: the only way to ground is a leak with the conductance 1e-3 exp(-1.12/(k T)), which is zero
 * in double precision at 4 K (exp(-3249)): both nodes float together.
 */
RESIDUAL(s4_leak)
{
    const double g = 1e-3 * exp(-1.12 / (8.617e-5 * y[0]));
    r[0] = yp[0] - 0.01 * (4.2 - y[0]);
    r[1] = (y[1] - y[2]) / 50 - 1e-3;
    r[2] = (y[2] - y[1]) / 50 + 1e-3 + g * y[2];
    return 0;
}

/* problem: c_ionic_strength_unused
 * cause: structure | undetermined_variable | redundant_equations
 * culprits: strength, complex, balance, law
 * why: the ionic strength is in no equation; the last two equations are two for the complex.
 */
RESIDUAL(s4_ionic)
{
    r[0] = yp[0] + y[2];
    r[1] = yp[1] + y[2] - 0.1 * (1 - y[1]);
    r[2] = y[2] - 0.5 * y[0] * y[1];
    r[3] = 2 * y[2] - y[0] * y[1];
    return 0;
}

/* problem: c_varactor_without_capacitance
 * cause: impasse
 * culprits: v, charge
 * time: 1.25 +- 1e-2
 * why: (1 - v/5) v' = 2: v - v^2/10 = 2 t, so the capacitance is zero at v = 5, t = 1.25, where v'
 * is infinite and v finite; no v exists beyond.
 */
RESIDUAL(s4_varactor)
{
    r[0] = (1 - y[0] / 5) * yp[0] - 2;
    r[1] = yp[1] - 2 * y[0];
    return 0;
}

/* problem: c_nearest_in_the_table
 * cause: discontinuity
 * culprits: x, v, F, table
 * time: 0.25 +- 1e-3
 * why: the path comes from a table of which the nearest value is taken, a staircase with the first
 *     step at t = 0.25; velocity and force are its derivatives, which contain impulses.
 */
RESIDUAL(s4_table)
{
    r[0] = y[0] - 0.1 * floor(2 * t + 0.5);
    r[1] = y[1] - yp[0];
    r[2] = y[2] - 3 * yp[1] - y[1];
    return 0;
}

/* problem: c_bilge_pump
 * cause: chattering | discontinuity
 * culprits: h, equation 0
 * time: 1.2 +- 1e-2
 * why: water comes in with 0.5, the pump takes out 2 while the level is above 1: from t = 1.2 on
 * the level rises below 1 and falls above.
 */
RESIDUAL(s4_bilge)
{
    r[0] = yp[0] - 0.5 + (y[0] > 1 ? 2 : 0);
    return 0;
}

/* problem: c_block_rocks_to_rest
 * cause: event_accumulation
 * culprits: theta, w, impact
 * time: 5.0621285 +- 1e-2
 * why: a rocking block loses a fifth of its speed at each impact; the time between impacts,
 *     atanh(w_k/0.6), falls like 0.8^k. The sum of all of them is 5.0621.
 */
RESIDUAL(s4_block)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - 4 * (y[0] - 0.3 * y[2]);
    r[2] = yp[2];
    return 0;
}
EVENTS(s4_impact)
{
    g[0] = y[0];
    return 0;
}
AT_EVENT(s4_other_edge)
{
    y[0] = 0;
    y[1] = 0.8 * y[1];
    y[2] = y[1] > 0 ? 1 : -1;
}

/* problem: c_stiffness_left_out
 * cause: wrong_jacobian
 * or: x(2) = 0.9092974268 +- 1e-4; v(2) = -0.4161468365 +- 1e-4
 * culprits: x, v, equation 1
 * why: the derivative of the stiff spring force, 1e6, is missing in the Jacobian; with steps above
 *     2 ms Newton's iteration diverges. (x = sin(t) with thousands of steps is right, too.)
 */
RESIDUAL(s4_spring)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 1e6 * (y[0] - sin(t)) + 2e3 * (y[1] - cos(t)) + sin(t);
    return 0;
}
JACOBIAN(s4_spring_jacobian)
{
    values[0] = c;
    values[1] = 0; /* 1e6 */
    values[2] = -1;
    values[3] = c + 2e3;
    return 0;
}

/* problem: c_angle_in_degrees
 * cause: wrong_jacobian
 * or: x(4) = 0.3011942119 +- 1e-4; angle(4) = 8.661531298 +- 1e-3
 * culprits: angle, projection
 * why: the angle is in degrees, and the derivative of sin(pi/180 angle) was written without pi/180,
 *     57 times too large: Newton's iteration contracts by 0.98 only.
 */
RESIDUAL(s4_degrees)
{
    r[0] = yp[0] + 0.3 * y[0];
    r[1] = sin(0.017453292519943295 * y[1]) - 0.5 * y[0];
    return 0;
}
JACOBIAN(s4_degrees_jacobian)
{
    values[0] = c + 0.3;
    values[1] = -0.5;
    values[3] = cos(0.017453292519943295 * y[1]); /* times pi/180 */
    return 0;
}

/* problem: c_sign_in_the_exponent
 * cause: wrong_jacobian
 * culprits: c, T, mole, heat
 * why: the derivative of exp(-E/T) is +E/T^2 times it, and was written with a minus; the user asks
 *     for a check.
 */
RESIDUAL(s4_exponent)
{
    const double k = 1e6 * exp(-6000 / y[1]);
    r[0] = yp[0] + k * y[0];
    r[1] = yp[1] - 100 * k * y[0] + 0.1 * (y[1] - 350);
    return 0;
}
JACOBIAN(s4_exponent_jacobian)
{
    const double k = 1e6 * exp(-6000 / y[1]), dk = -k * 6000 / (y[1] * y[1]); /* + */
    values[0] = c + k;
    values[1] = -100 * k;
    values[2] = dk * y[0];
    values[3] = c - 100 * dk * y[0] + 0.1;
    return 0;
}

/* problem: c_grid_stored_as_a_line
 * cause: missed_sparsity
 * or: y[4](3) = -0.9899924966 +- 1e-3; y[0](3) = -0.4949962483 +- 1e-3
 * culprits: y[0], y[3], y[4], y[6], equation 0, equation 3, equation 4
 * why: nine points of a plane, whose pattern was written as that of a line: the neighbours above
 * and below are missing. (The mode times cos(t), the exact solution, is right, too.)
 */
static double s4_of(const double *u, int i, int j)
{
    return i < 0 || i > 2 || j < 0 || j > 2 ? 0 : u[3 * i + j];
}
static void s4_plane(double k, double t, const double *y, const double *yp, double *r)
{
    const double w[3] = {0.70710678118654752, 1, 0.70710678118654752};
    const double rate = k * (4 - 4 * 0.70710678118654752);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double around =
                s4_of(y, i - 1, j) + s4_of(y, i + 1, j) + s4_of(y, i, j - 1) + s4_of(y, i, j + 1);
            r[3 * i + j] = yp[3 * i + j] - k * (around - 4 * y[3 * i + j]) -
                           w[i] * w[j] * (rate * cos(t) - sin(t));
        }
}
RESIDUAL(s4_grid)
{
    s4_plane(1e3, t, y, yp, r);
    return 0;
}
PREPARE(s4_grid_start)
{
    const double w[3] = {0.70710678118654752, 1, 0.70710678118654752};
    for (int i = 0; i < 9; i++)
        y0[i] = w[i / 3] * w[i % 3];
}
static const daedal_pattern s4_line_pattern = {
    9, 9, (const int32_t[]){0, 2, 5, 8, 11, 14, 17, 20, 23, 25},
    (const int32_t[]){0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5, 6, 5, 6, 7, 6, 7, 8, 7, 8}};

/* problem: c_droop_not_in_the_pattern
 * cause: missed_sparsity
 * or: f(1) = -0.01 +- 1e-6; P1(1) = 1.2 +- 1e-4
 * culprits: f, P1, P2, P3, droop1, droop2, droop3
 * why: three generators share a load by their droop, P = 1 - 20 f; the column of the frequency
 * lacks these three rows. Newton's iteration contracts by 120 h only. (f = -0.01 (1 - exp(-120
 * t)).)
 */
RESIDUAL(s4_droop)
{
    r[0] = 0.5 * yp[0] - (y[1] + y[2] + y[3] - 3.6);
    for (int i = 1; i < 4; i++)
        r[i] = y[i] - 1 + 20 * y[0];
    return 0;
}
static const daedal_pattern s4_droop_pattern = {4, 4, (const int32_t[]){0, 1, 3, 5, 7},
                                                (const int32_t[]){0, 0, 1, 0, 2, 0, 3}};

/* problem: c_traces_of_a_catalyst
 * cause: bad_scaling
 * culprits: x, y
 * why: the Brusselator in units in which both values are 1e-13 to 5e-12, at most a two-hundredth of
 * the absolute tolerance 1e-9: every step passes the error test.
 */
RESIDUAL(s4_traces)
{
    const double turn = 1e24 * y[0] * y[0] * y[1];
    r[0] = yp[0] - 1e-12 + 4 * y[0] - turn;
    r[1] = yp[1] - 3 * y[0] + turn;
    return 0;
}

/* problem: c_ephemeris_to_1e_19
 * cause: tolerance_too_small
 * culprits: x, v, rtol
 * why: the relative tolerance 1e-19 is below the roundoff of double precision, and so is the
 *     absolute one, 1e-26, for values of size 1e4.
 */
RESIDUAL(s4_ephemeris)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    return 0;
}

/* problem: c_magnet_heated
 * cause: domain_error
 * culprits: M, T, magnetisation, equation 1
 * time: 14.3 +- 1e-1
 * why: M = sqrt(1 - T/1043) and T = 900 + 10 t: above 1043, from t = 14.3 on, the root has no
 * value. Everything is finite up to there.
 */
RESIDUAL(s4_magnet)
{
    r[0] = yp[0] - 10;
    r[1] = y[1] - sqrt(1 - y[0] / 1043);
    return 0;
}

/* problem: c_ion_runs_away
 * cause: blow_up
 * culprits: x, v
 * time: 1 +- 1e-2
 * why: x'' = 6 x^2 from x = 1, x' = 2: x = 1/(1 - t)^2.
 */
RESIDUAL(s4_ion)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - 6 * y[0] * y[0];
    return 0;
}

/* problem: c_conversion_above_one
 * cause: bounds
 * culprits: X
 * time: 3.3333333 +- 1e-2
 * why: kinetics of order zero go on when nothing is left: X = 0.3 t passes the upper bound 1 at
 * 10/3.
 */
RESIDUAL(s4_conversion)
{
    r[0] = yp[0] - 0.3;
    r[1] = yp[1] - 40 * yp[0] + 0.5 * y[1];
    return 0;
}

/* problem: c_weather_file_ends
 * cause: callback_failed
 * culprits: T
 * time: 24 +- 1
 * why: the weather data end after 24 hours; the function reports an error beyond.
 */
RESIDUAL(s4_weather)
{
    if (t > 24)
        return DAEDAL_CALL_FAIL;
    r[0] = yp[0] - 0.3 * (10 + 8 * sin(0.2618 * t) - y[0]);
    return DAEDAL_CALL_OK;
}

/* problem: c_waits_for_a_measurement
 * cause: callback_failed
 * culprits: x, z
 * time: 5 +- 5e-2
 * why: the right-hand side asks for a smaller step for all times above 5, where the measurement is
 *     not there yet; no step size helps.
 */
RHS(s4_waits)
{
    if (t > 5)
        return DAEDAL_CALL_RETRY;
    f[0] = sin(t) - y[0];
    f[1] = y[0] - y[1];
    return DAEDAL_CALL_OK;
}

/* problem: c_ripple_with_thirty_steps
 * cause: too_much_work
 * why: a filter driven with 300 rad/s for 100 s, 4775 periods, within 30 steps.
 */
RESIDUAL(s4_ripple)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 40 * y[1] + 9e4 * (y[0] - sin(300 * t));
    return 0;
}

/* problem: c_healthy_logistic_from_a_trace
 * cause: none
 * expect: y(25) = 0.9863022892 +- 2e-5
 * why: from 1e-9 to 1 by its own growth, with an absolute tolerance that fits: 1/(1 + (1e9 - 1)
 * exp(-t)).
 */
RESIDUAL(s4_logistic)
{
    r[0] = yp[0] - y[0] * (1 - y[0]);
    return 0;
}

/* problem: c_healthy_cart_with_pendulum
 * cause: none
 * expect: X(5) = 0.1890135342 +- 2e-4; theta(5) = -0.9217263827 +- 5e-4; W(5) = 1.657933064 +- 5e-3
 * why: a mass matrix that depends on the state; Runge-Kutta with steps of 5e-4 and 2.5e-4, which
 * agree to 1e-11.
 */
RHS(s4_cart)
{
    f[0] = y[2];
    f[1] = y[3];
    f[2] = 0.15 * y[3] * y[3] * sin(y[1]);
    f[3] = -0.15 * 9.81 * sin(y[1]);
    return 0;
}
MASS(s4_cart_mass)
{
    values[0] = values[5] = 1;
    values[10] = 1.3;
    values[11] = values[14] = 0.15 * cos(y[1]);
    values[15] = 0.075;
    return 0;
}

/* problem: c_healthy_equilibrium_held
 * cause: none
 * expect: A(3) = 0.3528972176 +- 5e-5; B(3) = 0.2490728924 +- 5e-5; r(3) = 0.1032816561 +- 1e-3
 * why: index 2, the rate of a fast reaction holds B = 2 A^2: 1/A - 4 ln A = 1 + 2 t, r = 2 A^2/(1 +
 * 4 A).
 */
RESIDUAL(s4_held)
{
    r[0] = yp[0] + y[2];
    r[1] = yp[1] - y[2] + y[1];
    r[2] = y[1] - 2 * y[0] * y[0];
    return 0;
}

/* problem: c_healthy_dumbbell
 * cause: none
 * expect: x1(2) = 1.673 +- 2e-3; y1(2) = -13.998 +- 2e-3; x2(2) = 2.327 +- 2e-3; lam(2) = 2 +- .05
 * why: index 3: two masses on a rod are thrown and turn with 2 rad/s; the centre falls as a point,
 *     2 lam = 2^2.
 */
RESIDUAL(s4_dumbbell)
{
    const double dx = y[0] - y[2], dy = y[1] - y[3], lam = y[8];
    for (int i = 0; i < 4; i++)
        r[i] = yp[i] - y[4 + i];
    r[4] = yp[4] + lam * dx;
    r[5] = yp[5] + lam * dy + 9.81;
    r[6] = yp[6] - lam * dx;
    r[7] = yp[7] - lam * dy + 9.81;
    r[8] = dx * dx + dy * dy - 1;
    return 0;
}

/* problem: c_healthy_begins_on_its_bound
 * cause: none
 * expect: y(3) = 0.9502129316 +- 1e-5
 * why: y = 1 - exp(-t) begins on its lower bound 0 and moves inside; the upper bound 1 is
 * approached only.
 */
RESIDUAL(s4_on_bound)
{
    r[0] = yp[0] - 1 + y[0];
    return 0;
}

/* problem: c_healthy_grid_of_nine
 * cause: none
 * expect: y[4](3) = -0.9899924966 +- 1e-4; y[0](3) = -0.4949962483 +- 1e-4
 * why: a plane of nine points, stiff with 1e5, with the right pattern; the mode times cos(t).
 */
RESIDUAL(s4_fine_grid)
{
    s4_plane(1e5, t, y, yp, r);
    return 0;
}
static int32_t s4_plane_start[10], s4_plane_row[33];
static const daedal_pattern s4_plane_pattern = {9, 9, s4_plane_start, s4_plane_row};
/* The pattern is read when the solver is created, after `prepare`. */
PREPARE(s4_fine_grid_start)
{
    int32_t k = 0;
    s4_grid_start(y0);
    for (int32_t c = 0; c < 9; c++) {
        s4_plane_start[c] = k;
        for (int32_t i = 0; i < 9; i++) {
            const int32_t d = abs(i / 3 - c / 3) + abs(i % 3 - c % 3);
            if (d <= 1)
                s4_plane_row[k++] = i;
        }
    }
    s4_plane_start[9] = k;
}

/* problem: c_healthy_jacobian_of_large_numbers
 * cause: none
 * expect: c(8) = 3458 +- .5; T(8) = 411.72 +- .01; x(8) = 1.963e-8 +- 5e-12; p(8) = 1.1837e7 +- 2e3
 * why: an exothermic reaction with 1e4 mol/m^3, pascals up to 3e7 and a trace of 1e-8; the Jacobian
 *     is right, and the user has it checked. Runge-Kutta with steps of 4e-4 and 2e-4.
 */
RESIDUAL(s4_large)
{
    const double k = 1e6 * exp(-6000 / y[1]);
    r[0] = yp[0] + k * y[0];
    r[1] = yp[1] - 0.01 * k * y[0] + 0.02 * (y[1] - 350);
    r[2] = yp[2] - 1e-8 + 0.5 * y[2];
    r[3] = y[3] - 8.314 * y[0] * y[1];
    return 0;
}
JACOBIAN(s4_large_jacobian)
{
    const double k = 1e6 * exp(-6000 / y[1]), dk = k * 6000 / (y[1] * y[1]);
    values[0] = c + k;
    values[1] = -0.01 * k;
    values[3] = -8.314 * y[1];
    values[4] = dk * y[0];
    values[5] = c - 0.01 * dk * y[0] + 0.02;
    values[7] = -8.314 * y[0];
    values[10] = c + 0.5;
    values[15] = 1;
    return 0;
}

/* problem: c_healthy_fold_nearly_reached
 * cause: none
 * expect: z(6) = 1.400096528 +- 1e-4; s(6) = 5.258663585 +- 2e-4
 * why: z^2 = 1.0001 + cos(t): the branches +z and -z come as near as 0.02 at t = pi, but do not
 * meet. s by Simpson's rule.
 */
RESIDUAL(s4_fold)
{
    r[0] = yp[0] - y[1];
    r[1] = y[1] * y[1] - 1.0001 - cos(t);
    return 0;
}

/* problem: c_healthy_fifth_power_of_the_slope
 * cause: none
 * expect: y(6) = 0.9601702867 +- 1e-4
 * why: y'^5 + y' + 3 y = g(t) is monotone in y', g such that y = cos(t).
 */
RESIDUAL(s4_fifth)
{
    const double p = -sin(t);
    r[0] = pow(yp[0], 5) + yp[0] + 3 * y[0] - (pow(p, 5) + p + 3 * cos(t));
    return 0;
}

/* problem: c_healthy_thirty_bounces
 * cause: none
 * expect: h(27) = 0.9590072734 +- 2e-3; events(27) = 30 +- 0
 * why: an elastic ball: its bounces are 0.903 s apart and do not accumulate.
 */
RESIDUAL(s4_ball)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 9.81;
    return 0;
}
EVENTS(s4_ground)
{
    g[0] = y[0];
    return 0;
}
AT_EVENT(s4_bounce)
{
    y[0] = 0;
    y[1] = fabs(y[1]);
}
static const int32_t s4_falling[] = {-1};

/* problem: c_healthy_rates_1e9_and_1e_3
 * cause: none
 * expect: fast(1000) = .36788 +- 1e-5; slow(1000) = .36788 +- 1e-5; sum(1000) = .73576 +- 2e-5
 * why: twelve powers of ten between the rates; fast follows slow = exp(-t/1000) after a transient
 *     from 5.
 */
RESIDUAL(s4_rates)
{
    r[0] = yp[0] + 1e9 * (y[0] - y[1]);
    r[1] = yp[1] + 1e-3 * y[1];
    r[2] = y[2] - y[0] - y[1];
    return 0;
}

static const problem fourth_problems[] = {
    {.name = "c_supply_given_wrong",
     .system = {.n = 2,
                .residual = s4_supply,
                .variable_names = NAMES("i", "u"),
                .equation_names = NAMES("coil", "supply")},
     .y0 = {0, 5},
     .yp0 = s4_supply_slope,
     .t_end = 1,
     .options = "start=given"},
    {.name = "c_quaternion_not_normalised",
     .system = {.n = 5,
                .residual = s4_quaternion,
                .variable_names = NAMES("q0", "q1", "q2", "q3", "mu"),
                .equation_names = NAMES("dq0", "dq1", "dq2", "dq3", "norm")},
     .y0 = {0.9, 0.1, 0.1, 0.1, 0},
     .y_mask = {DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FREE},
     .t_end = 10},
    {.name = "c_standing_wave_below_one",
     .system = {.n = 2,
                .residual = s4_wave,
                .variable_names = NAMES("drift", "s"),
                .equation_names = NAMES("ageing", "matching")},
     .y0 = {1, 1.2},
     .t_end = 10},
    {.name = "c_cylinder_on_a_path",
     .system = {.n = 4,
                .residual = s4_cylinder,
                .variable_names = NAMES("x", "v", "p", "u"),
                .equation_names = NAMES("dx", "dv", "dp", "path")},
     .y0 = {0, 0.2, 0, 0.05},
     .t_end = 2},
    {.name = "c_sensor_with_dopri",
     .system = {.n = 2,
                .residual = s4_sensor,
                .variable_names = NAMES("y", "z"),
                .equation_names = NAMES("decay", "sensor")},
     .y0 = {1, 2},
     .t_end = 2,
     .options = "method=dopri"},
    {.name = "c_atwood_with_bdf_classic",
     .system = {.n = 5,
                .residual = s4_atwood,
                .variable_names = NAMES("x1", "x2", "v1", "v2", "S"),
                .equation_names = NAMES("dx1", "dx2", "dv1", "dv2", "rope")},
     .y0 = {2, 2, 0, 0, 23.544},
     .t_end = 2,
     .options = "method=bdf_classic"},
    {.name = "c_direction_cosines",
     .system = {.n = 4,
                .residual = s4_cosines,
                .variable_names = NAMES("x", "a", "b", "phi"),
                .equation_names = NAMES("lag", "cosine", "sine", "unit")},
     .y0 = {1, 0.8, 0.6, 0.6435011087932844},
     .t_end = 5},
    {.name = "c_leak_frozen_at_four_kelvin",
     .system = {.n = 3,
                .residual = s4_leak,
                .variable_names = NAMES("T", "va", "vb"),
                .equation_names = NAMES("cooling", "node_a", "node_b")},
     .y0 = {4, 1, 0.95},
     .t_end = 10},
    {.name = "c_ionic_strength_unused",
     .system = {.n = 4,
                .residual = s4_ionic,
                .variable_names = NAMES("a", "b", "complex", "strength"),
                .equation_names = NAMES("da", "db", "law", "balance")},
     .y0 = {1, 0.8, 0.4, 0.1},
     .t_end = 10},
    {.name = "c_varactor_without_capacitance",
     .system = {.n = 2,
                .residual = s4_varactor,
                .variable_names = NAMES("v", "energy"),
                .equation_names = NAMES("charge", "work")},
     .y0 = {0, 0},
     .t_end = 3},
    {.name = "c_nearest_in_the_table",
     .system = {.n = 3,
                .residual = s4_table,
                .variable_names = NAMES("x", "v", "F"),
                .equation_names = NAMES("table", "speed", "force")},
     .y0 = {0, 0, 0},
     .t_end = 2},
    {.name = "c_bilge_pump",
     .system = {.n = 1, .residual = s4_bilge, .variable_names = NAMES("h")},
     .y0 = {0.4},
     .t_end = 4},
    {.name = "c_block_rocks_to_rest",
     .system = {.n = 3,
                .residual = s4_block,
                .n_events = 1,
                .events = s4_impact,
                .variable_names = NAMES("theta", "w", "side"),
                .event_names = NAMES("impact")},
     .y0 = {0.2, 0, 1},
     .t_end = 8,
     .at_event = s4_other_edge},
    {.name = "c_stiffness_left_out",
     .system = {.n = 2,
                .residual = s4_spring,
                .jacobian = s4_spring_jacobian,
                .variable_names = NAMES("x", "v")},
     .y0 = {0, 1},
     .t_end = 2},
    {.name = "c_angle_in_degrees",
     .system = {.n = 2,
                .residual = s4_degrees,
                .jacobian = s4_degrees_jacobian,
                .variable_names = NAMES("x", "angle"),
                .equation_names = NAMES("decay", "projection")},
     .y0 = {1, 25},
     .t_end = 4},
    {.name = "c_sign_in_the_exponent",
     .system = {.n = 2,
                .residual = s4_exponent,
                .jacobian = s4_exponent_jacobian,
                .variable_names = NAMES("c", "T"),
                .equation_names = NAMES("mole", "heat")},
     .y0 = {1, 350},
     .t_end = 30,
     .options = "check_jacobian=yes"},
    {.name = "c_grid_stored_as_a_line",
     .system = {.n = 9, .residual = s4_grid, .pattern = &s4_line_pattern},
     .prepare = s4_grid_start,
     .t_end = 3},
    {.name = "c_droop_not_in_the_pattern",
     .system = {.n = 4,
                .residual = s4_droop,
                .pattern = &s4_droop_pattern,
                .variable_names = NAMES("f", "P1", "P2", "P3"),
                .equation_names = NAMES("balance", "droop1", "droop2", "droop3")},
     .y0 = {0, 1, 1, 1},
     .t_end = 1},
    {.name = "c_traces_of_a_catalyst",
     .system = {.n = 2, .residual = s4_traces, .variable_names = NAMES("x", "y")},
     .y0 = {1.5e-12, 3e-12},
     .t_end = 20},
    {.name = "c_ephemeris_to_1e_19",
     .system = {.n = 2, .residual = s4_ephemeris, .variable_names = NAMES("x", "v")},
     .y0 = {1e4, 0},
     .t_end = 6,
     .options = "rtol=1e-19 atol=1e-26"},
    {.name = "c_magnet_heated",
     .system = {.n = 2,
                .residual = s4_magnet,
                .variable_names = NAMES("T", "M"),
                .equation_names = NAMES("heating", "magnetisation")},
     .y0 = {900, 0.37},
     .t_end = 30},
    {.name = "c_ion_runs_away",
     .system = {.n = 2, .residual = s4_ion, .variable_names = NAMES("x", "v")},
     .y0 = {1, 2},
     .t_end = 2},
    {.name = "c_conversion_above_one",
     .system = {.n = 2,
                .residual = s4_conversion,
                .upper = {(const double[]){1, INFINITY}, 2},
                .variable_names = NAMES("X", "T")},
     .y0 = {0, 0},
     .t_end = 6},
    {.name = "c_weather_file_ends",
     .system = {.n = 1, .residual = s4_weather, .variable_names = NAMES("T")},
     .y0 = {10},
     .t_end = 48},
    {.name = "c_waits_for_a_measurement",
     .system = {.n = 2, .rhs = s4_waits, .variable_names = NAMES("x", "z")},
     .y0 = {1, 0},
     .t_end = 10},
    {.name = "c_ripple_with_thirty_steps",
     .system = {.n = 2, .residual = s4_ripple, .variable_names = NAMES("u", "i")},
     .y0 = {0, 0},
     .t_end = 100,
     .points = 1,
     .options = "max_steps=30"},
    {.name = "c_healthy_logistic_from_a_trace",
     .system = {.n = 1, .residual = s4_logistic, .variable_names = NAMES("y")},
     .y0 = {1e-9},
     .t_end = 25,
     .options = "rtol=1e-6 atol=1e-15"},
    {.name = "c_healthy_cart_with_pendulum",
     .system = {.n = 4,
                .rhs = s4_cart,
                .mass = s4_cart_mass,
                .mass_kind = DAEDAL_MASS_OF_STATE,
                .variable_names = NAMES("X", "theta", "V", "W")},
     .y0 = {0, 1, 0, 0},
     .t_end = 5},
    {.name = "c_healthy_equilibrium_held",
     .system = {.n = 3, .residual = s4_held, .variable_names = NAMES("A", "B", "r")},
     .y0 = {1, 2, 0.4},
     .t_end = 3},
    {.name = "c_healthy_dumbbell",
     .system = {.n = 9,
                .residual = s4_dumbbell,
                .variable_names = NAMES("x1", "y1", "x2", "y2", "u1", "v1", "u2", "v2", "lam")},
     .y0 = {0.5, 0, -0.5, 0, 1, 4, 1, 2, 2},
     .t_end = 2},
    {.name = "c_healthy_begins_on_its_bound",
     .system = {.n = 1,
                .residual = s4_on_bound,
                .lower = {(const double[]){0}, 1},
                .upper = {(const double[]){1}, 1},
                .variable_names = NAMES("y")},
     .y0 = {0},
     .t_end = 3},
    {.name = "c_healthy_grid_of_nine",
     .system = {.n = 9, .residual = s4_fine_grid, .pattern = &s4_plane_pattern},
     .prepare = s4_fine_grid_start,
     .t_end = 3},
    {.name = "c_healthy_jacobian_of_large_numbers",
     .system = {.n = 4,
                .residual = s4_large,
                .jacobian = s4_large_jacobian,
                .variable_names = NAMES("c", "T", "x", "p")},
     .y0 = {1e4, 350, 0, 2.9e7},
     .t_end = 8,
     .options = "rtol=1e-7 atol=1e-13 check_jacobian=yes"},
    {.name = "c_healthy_fold_nearly_reached",
     .system = {.n = 2, .residual = s4_fold, .variable_names = NAMES("s", "z")},
     .y0 = {0, 1.4},
     .t_end = 6},
    {.name = "c_healthy_fifth_power_of_the_slope",
     .system = {.n = 1, .residual = s4_fifth, .variable_names = NAMES("y")},
     .y0 = {1},
     .t_end = 6},
    {.name = "c_healthy_thirty_bounces",
     .system = {.n = 2,
                .residual = s4_ball,
                .n_events = 1,
                .events = s4_ground,
                .event_direction = {s4_falling, 1},
                .variable_names = NAMES("h", "v")},
     .y0 = {1, 0},
     .t_end = 27,
     .at_event = s4_bounce},
    {.name = "c_healthy_rates_1e9_and_1e_3",
     .system = {.n = 3, .residual = s4_rates, .variable_names = NAMES("fast", "slow", "sum")},
     .y0 = {5, 1, 6},
     .t_end = 1000},
};

#endif
