/* third_functions.h - the C problems of the third corpus, which was sealed once.
 *
 * Each problem is a comment with what is expected, its functions, and an entry of the table at the
 * end.  Included by functions.c only.
 */
#ifndef THIRD_FUNCTIONS_H
#define THIRD_FUNCTIONS_H

/* problem: c_vessels_joined_below
 * cause: inconsistent_start
 * culprits: h1, h2, joined
 * time: 0
 * why: the vessels are joined by a wide pipe, h1 = h2, and the user fixes h1 = 2 and h2 = 1.
 */
RESIDUAL(s3_vessels)
{
    r[0] = 3 * yp[0] + y[2];
    r[1] = 1.5 * yp[1] - y[2] + 0.1 * y[1];
    r[2] = y[0] - y[1];
    return 0;
}

/* problem: c_cable_shorter_than_span
 * cause: no_solution
 * culprits: a, length
 * time: 0
 * why: a catenary over the span D = 10 with parameter a has the length 2 a sinh(D/(2 a)), which is
 *     above 10 for every a; the cable has 9 (a thousandth more or less with temperature).
 */
RESIDUAL(s3_cable)
{
    const double D = 10, L = 9 * (1 + 1e-5 * (y[0] - 20));
    r[0] = yp[0] + 0.1 * (y[0] - 20);
    r[1] = 2 * y[1] * sinh(D / (2 * y[1])) - L;
    return 0;
}

/* problem: c_ship_on_a_course
 * cause: high_index
 * or: u(2) = -3.347384172 +- 5e-2; r(2) = -0.1248440510 +- 1e-3
 * culprits: u, psi, course
 * why: the heading is prescribed and the command u is wanted, which acts through the valve a, the
 *     rudder delta and the turning rate r: u needs four derivatives of the heading: index 5, and
 *     functions are taken up to 3. (The exact values at t = 2 are right, too.)
 */
RESIDUAL(s3_ship)
{
    r[0] = yp[0] - y[1];
    r[1] = 8 * yp[1] + y[1] + 0.4 * y[1] * y[1] * y[1] - 0.4 * y[2];
    r[2] = 0.7 * yp[2] + y[2] - y[3];
    r[3] = 0.2 * yp[3] + y[3] - y[4];
    r[4] = y[0] - 0.3 * sin(t);
    return 0;
}

/* problem: c_wagons_with_bdf
 * cause: high_index
 * or: v1(3) = 4.721632083 +- 1e-3
 * culprits: f, coupling
 * why: a rigid coupling between two wagons: index 3, and the user insists on bdf, which takes index
 *     2 at most.
 */
RESIDUAL(s3_wagons)
{
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = 2 * yp[2] - 6 + y[4];
    r[3] = yp[3] - y[4] + 0.5 * y[3];
    r[4] = y[0] - y[1] - 2;
    return 0;
}

/* problem: c_solubility_written_twice
 * cause: redundant_equations | undetermined_variable
 * culprits: a, b, product, logarithm
 * why: the third equation is the logarithm of the second: a b = 4. One of a and b is free.
 */
RESIDUAL(s3_solubility)
{
    r[0] = yp[0] + 0.5 * y[0] - 0.1 * y[1];
    r[1] = y[1] * y[2] - 4;
    r[2] = log(y[1]) + log(y[2]) - log(4.0);
    return 0;
}

/* problem: c_wall_without_balance
 * cause: structure | undetermined_variable | redundant_equations
 * culprits: Twall, Tout, mean, outlet
 * why: the temperature of the wall is in no equation; there are two equations for Tout instead.
 */
RESIDUAL(s3_wall)
{
    r[0] = yp[0] - 0.2 * (y[1] - y[0]);
    r[1] = yp[1] + 0.1 * (y[1] - 300);
    r[2] = y[2] - 0.5 * (y[0] + y[1]);
    r[3] = y[2] * y[2] - y[0] * y[1];
    return 0;
}

/* problem: c_generator_on_the_grid
 * cause: impasse
 * culprits: delta, power
 * time: 10 +- 1e-2
 * why: 1.2 sin(delta) = 0.2 + 0.1 t: the line carries 1.2 at most, which is asked for at t = 10,
 *     where delta = pi/2 and its derivative is infinite.
 */
RESIDUAL(s3_generator)
{
    r[0] = yp[0] - (0.2 + 0.1 * t);
    r[1] = 1.2 * sin(y[1]) - 0.2 - 0.1 * t;
    return 0;
}

/* problem: c_torque_of_a_speed_step
 * cause: discontinuity
 * culprits: w, torque, profile
 * time: 1 +- 1e-3
 * why: the speed is prescribed and jumps at t = 1; the torque contains its derivative.
 */
RESIDUAL(s3_torque)
{
    r[0] = y[0] - (t < 1 ? 10 : 60);
    r[1] = y[1] - 0.02 * yp[0] - 0.1 * y[0];
    r[2] = yp[2] - y[0] * y[1];
    return 0;
}

/* problem: c_car_to_the_line
 * cause: chattering | discontinuity
 * culprits: y, psi, equation 1, steering
 * time: 0.48775 +- 0.03
 * why: full steering to the left or to the right by the sign of y + 0.8 psi; this reaches zero at
 *     0.4878 and its derivative there, sin(psi) -+ 1.6, has the wrong sign on either side.
 */
RESIDUAL(s3_car)
{
    r[0] = yp[0] - sin(y[1]);
    r[1] = yp[1] - (y[0] + 0.8 * y[1] > 0 ? -2 : 2);
    return 0;
}

/* problem: c_contact_bounces
 * cause: event_accumulation
 * culprits: x, v, contact
 * time: 0.14813064 +- 1e-3
 * why: a relay contact pressed by a preloaded spring bounces with e = 0.5: the intervals shrink by
 *     a half each in the limit; their sum by a Runge-Kutta method and bisection.
 */
RESIDUAL(s3_contact)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 400 * (y[0] + 0.004);
    return 0;
}
EVENTS(s3_closed)
{
    g[0] = y[0];
    return 0;
}
AT_EVENT(s3_bounce)
{
    y[0] = 0;
    y[1] = -0.5 * y[1];
}
static const int32_t s3_falling[] = {-1};

/* problem: c_matrix_by_rows
 * cause: wrong_jacobian
 * culprits: x, a, b, equation 1, equation 2
 * why: the Jacobian was stored by rows, it must be stored by columns. Newton's iteration with the
 *     transposed matrix diverges (its eigenvalues are 1.8 +- 0.6 i).
 */
RESIDUAL(s3_by_rows)
{
    r[0] = yp[0] + y[0] - 0.1 * y[1];
    r[1] = y[1] - 3 * y[2] - y[0];
    r[2] = 2 * y[1] + y[2] - 1;
    return 0;
}
JACOBIAN(s3_by_rows_jacobian)
{
    values[0] = c + 1;
    values[1] = -0.1;
    values[3] = -1;
    values[4] = 1;
    values[5] = -3;
    values[7] = 2;
    values[8] = 1;
    return 0;
}

/* problem: c_factor_c_forgotten
 * cause: wrong_jacobian
 * or: T1(5) = 23.44252885 +- 1e-2; T2(5) = 23.02650905 +- 1e-2
 * culprits: T1, T2, equation 0, equation 1
 * why: the entries of dF/dy' are 1, not c: as if y' were not in the equations at all. (The exact
 *     values at the end are right, too.)
 */
RESIDUAL(s3_rods)
{
    r[0] = yp[0] - 3 * (y[1] - y[0]);
    r[1] = yp[1] - (y[0] - y[1]) + 0.5 * (y[1] - 20);
    return 0;
}
JACOBIAN(s3_rods_jacobian)
{
    values[0] = 1 + 3; /* c + 3 */
    values[1] = -1;
    values[2] = -3;
    values[3] = 1 + 1.5; /* c + 1.5 */
    return 0;
}

/* problem: c_arrhenius_factor_forgotten
 * cause: wrong_jacobian
 * culprits: T, c, balance, heat
 * why: the derivatives of the rate with respect to the temperature were left out of both columns;
 *     the user asks for a check.
 */
RESIDUAL(s3_arrhenius)
{
    const double rate = 5e9 * exp(-8000 / y[1]) * y[0];
    r[0] = yp[0] - (1 - y[0]) + rate;
    r[1] = yp[1] - (350 - y[1]) - 150 * rate;
    return 0;
}
JACOBIAN(s3_arrhenius_jacobian)
{
    const double k = 5e9 * exp(-8000 / y[1]);
    values[0] = c + 1 + k;
    values[1] = -150 * k;
    values[2] = 0;     /* k y[0] 8000 / T^2 */
    values[3] = c + 1; /* - 150 k y[0] 8000 / T^2 */
    return 0;
}

/* problem: c_recycle_not_in_the_pattern
 * cause: missed_sparsity
 * or: out(2) = -3.19010898 +- 1e-3
 * culprits: s0, s5, stage0
 * why: six stages in a row, and the last one feeds the first: the pattern has the two diagonals,
 *     but not the corner. Each sweep without the corner multiplies the error by 1.5^6 = 11.
 */
RESIDUAL(s3_recycle)
{
    for (int i = 0; i < 6; i++)
        r[i] = y[i] - 1.5 * y[i ? i - 1 : 5] - (1 + sin(t));
    r[6] = yp[6] - y[5] + y[6];
    return 0;
}
static const daedal_pattern s3_recycle_pattern = {
    7, 7, (const int32_t[]){0, 2, 4, 6, 8, 10, 12, 13},
    (const int32_t[]){0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}};

/* problem: c_mutual_inductance_not_in_the_pattern
 * cause: missed_sparsity
 * or: i1(3) = 0.7683153154 +- 1e-3; i2(3) = -0.2316846846 +- 1e-3
 * culprits: i1, i2, equation 0, equation 1
 * why: the pattern is that of the resistances, a diagonal; the coupling of the derivatives, 95 per
 *     cent, is not in it. The iteration contracts by 0.95 or 0.97 only, for every step size.
 */
RESIDUAL(s3_coils)
{
    r[0] = 2 * yp[0] + 1.9 * yp[1] + y[0] - 1;
    r[1] = 1.9 * yp[0] + 2 * yp[1] + y[1];
    return 0;
}
static const daedal_pattern s3_coils_pattern = {2, 2, (const int32_t[]){0, 1, 2},
                                                (const int32_t[]){0, 1}};

/* problem: c_hormones_in_micromoles
 * cause: bad_scaling
 * culprits: x, y
 * why: both values are about 1e-6, a thousandth of the absolute tolerance 1e-3 that the user set:
 *     every step passes the error test.
 */
RESIDUAL(s3_hormones)
{
    r[0] = yp[0] - y[0] * (1 - y[1] / 1e-6);
    r[1] = yp[1] + y[1] * (1 - y[0] / 1e-6);
    return 0;
}

/* problem: c_pressure_to_1e_14
 * cause: tolerance_too_small
 * culprits: p
 * why: the relative tolerance is 0 and the absolute one 1e-14; numbers of size 2.5e6 are 4.7e-10
 *     apart.
 */
RESIDUAL(s3_pressure)
{
    r[0] = yp[0] + 0.3 * (y[0] - 1e5);
    return 0;
}

/* problem: c_weir_pumped_dry
 * cause: domain_error
 * culprits: h, equation 0
 * time: 4.2004 +- 2e-2
 * why: the outflow over the weir is h^1.5, and a pump takes out more than flows in: h passes zero
 *     with the speed -0.05 at 4.2004 (Runge-Kutta), beyond which the power is not defined.
 */
RESIDUAL(s3_weir)
{
    r[0] = yp[0] + 0.05 + 0.4 * pow(y[0], 1.5);
    return 0;
}

/* problem: c_explosive_waves
 * cause: blow_up
 * culprits: a, b, c
 * time: 1 +- 1e-2
 * why: a' = b c and so on from a = b = c = 1: a = 1/(1 - t).
 */
RESIDUAL(s3_waves)
{
    r[0] = yp[0] - y[1] * y[2];
    r[1] = yp[1] - y[2] * y[0];
    r[2] = yp[2] - y[0] * y[1];
    return 0;
}

/* problem: c_sugar_below_zero
 * cause: bounds
 * culprits: sugar
 * time: 2.5 +- 1e-2
 * why: consumption is constant, 0.4, whether anything is left or not: the lower bound 0 is reached
 *     at t = 2.5, and the solution leaves it.
 */
RESIDUAL(s3_sugar)
{
    r[0] = yp[0] + 0.4;
    r[1] = yp[1] - 0.1 * y[1];
    return 0;
}

/* problem: c_property_library_gives_up
 * cause: callback_failed
 * culprits: T
 * time: 3.4657359 +- 0.5
 * why: T = 300 + 200 (1 - exp(-t/5)) passes 400 at 5 ln 2, above which the property library
 *     reports an error that the function passes on.
 */
RHS(s3_library)
{
    if (y[0] > 400)
        return DAEDAL_CALL_FAIL;
    f[0] = (500 - y[0]) / 5;
    f[1] = y[0] - 300;
    return DAEDAL_CALL_OK;
}

/* problem: c_asks_for_shorter_steps
 * cause: callback_failed
 * culprits: y
 * time: 1.6094379 +- 0.1
 * why: y = exp(-t), and below 0.2, from ln 5 on, the function asks for a smaller step, which does
 *     not help.
 */
RESIDUAL(s3_retry)
{
    if (y[0] < 0.2)
        return DAEDAL_CALL_RETRY;
    r[0] = yp[0] + y[0];
    return DAEDAL_CALL_OK;
}

/* problem: c_moon_with_sixty_steps
 * cause: too_much_work
 * why: a hundred revolutions of a satellite cannot be done in the 60 steps that the user allows.
 */
RESIDUAL(s3_moon)
{
    const double d = pow(y[0] * y[0] + y[1] * y[1], 1.5);
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[0] / d;
    r[3] = yp[3] + y[1] / d;
    return 0;
}

/* problem: c_healthy_incompressible
 * cause: none
 * expect: v1(5) = -0.6752620892 +- 1e-4; v2(5) = 0.3376310446 +- 1e-4; p(5) = -0.2836621855 +- 1e-2
 * why: index 2: the velocities add up to zero. p = -cos(t), v1 = cos(t) + sin(t), v2 = v3 = -v1/2.
 */
RESIDUAL(s3_incompressible)
{
    r[0] = yp[0] + y[0] - 3 * cos(t) - y[3];
    r[1] = yp[1] + y[1] - y[3];
    r[2] = yp[2] + y[2] - y[3];
    r[3] = y[0] + y[1] + y[2];
    return 0;
}

/* problem: c_healthy_string
 * cause: none
 * expect: y[14](10) = 0.9986262827 +- 2e-3; y[44](10) = 0.04215532 +- 2e-2
 * why: the first mode of thirty masses on a string: sin(i pi/31) cos(w t), w = 62 sin(pi/62). The
 *     Jacobian and its pattern are given and right.
 */
enum { S3_MASSES = 30 };
RESIDUAL(s3_string)
{
    const double *u = y, *v = y + S3_MASSES;
    for (int i = 0; i < S3_MASSES; i++) {
        const double left = i ? u[i - 1] : 0, right = i < S3_MASSES - 1 ? u[i + 1] : 0;
        r[i] = yp[i] - v[i];
        r[S3_MASSES + i] = yp[S3_MASSES + i] - 961 * (left - 2 * u[i] + right);
    }
    return 0;
}
static int32_t s3_string_start[2 * S3_MASSES + 1], s3_string_row[6 * S3_MASSES];
static daedal_pattern s3_string_pattern = {2 * S3_MASSES, 2 * S3_MASSES, s3_string_start,
                                           s3_string_row};
JACOBIAN(s3_string_jacobian)
{
    int k = 0;
    for (int j = 0; j < S3_MASSES; j++) {
        values[k++] = c;
        if (j > 0)
            values[k++] = -961;
        values[k++] = 2 * 961;
        if (j < S3_MASSES - 1)
            values[k++] = -961;
    }
    for (int j = 0; j < S3_MASSES; j++) {
        values[k++] = -1;
        values[k++] = c;
    }
    return 0;
}
/* The pattern is read when the solver is created, after `prepare`. */
PREPARE(s3_pluck)
{
    int32_t k = 0;
    for (int32_t j = 0; j < S3_MASSES; j++) {
        s3_string_start[j] = k;
        s3_string_row[k++] = j;
        for (int32_t i = j - 1; i <= j + 1; i++)
            if (i >= 0 && i < S3_MASSES)
                s3_string_row[k++] = S3_MASSES + i;
        y0[j] = sin((j + 1) * 3.14159265358979323846 / (S3_MASSES + 1));
    }
    for (int32_t j = 0; j < S3_MASSES; j++) {
        s3_string_start[S3_MASSES + j] = k;
        s3_string_row[k++] = j;
        s3_string_row[k++] = S3_MASSES + j;
    }
    s3_string_start[2 * S3_MASSES] = k;
}

/* problem: c_healthy_guess_thirty
 * cause: none
 * expect: y(5) = 0.4894685508 +- 1e-5; z(5) = 0.4169716343 +- 1e-5
 * why: y' = z - y, 0 = z^3 + z - y in mass form; z' (3 z^2 + 1) = -z^3, so t = 3 ln(1/z) + 1/(2
 * z^2) - 1/2. At the start z = 1 is the only solution, the guess is 30.
 */
RHS(s3_cubic)
{
    f[0] = y[1] - y[0];
    f[1] = y[1] * y[1] * y[1] + y[1] - y[0];
    return 0;
}
MASS(s3_cubic_mass)
{
    values[0] = 1;
    return 0;
}
RHS_JACOBIAN(s3_cubic_jacobian)
{
    values[0] = -1;
    values[1] = -1;
    values[2] = 1;
    values[3] = 3 * y[1] * y[1] + 1;
    return 0;
}

/* problem: c_healthy_fires
 * cause: none
 * expect: v(50.3) = 0.6504864680 +- 2e-3; events(50.3) = 72 +- 0
 * why: v' = 2 - v, reset from 1 to 0 every ln 2: 72 times before 50.3; then 2 (1 - exp(-s)) with s
 * = 50.3 - 72 ln 2.
 */
RESIDUAL(s3_fires)
{
    r[0] = yp[0] + y[0] - 2;
    return 0;
}
EVENTS(s3_threshold)
{
    g[0] = y[0] - 1;
    return 0;
}
AT_EVENT(s3_reset)
{
    y[0] = 0;
}
static const int32_t s3_rising[] = {1};

/* problem: c_healthy_three_nuclides
 * cause: none
 * expect: N1(100) = 0 +- 1e-8; N2(100) = 0 +- 1e-8; N3(100) = 0.3715991111 +- 1e-5
 * why: Bateman's solution for the rates 1e3, 1 and 0.01. All numbers are positive for ever, which
 * the lower bounds say; the solution never leaves them.
 */
RESIDUAL(s3_chain)
{
    r[0] = yp[0] + 1e3 * y[0];
    r[1] = yp[1] - 1e3 * y[0] + y[1];
    r[2] = yp[2] - y[1] + 0.01 * y[2];
    return 0;
}

/* problem: c_healthy_heated_by_pulses
 * cause: none
 * expect: T(10.3) = 0.5388580880 +- 2e-4
 * why: T' = -T + 1 in the first half of each second, else -T: exponentials, half second by half
 * second. The jumps are not announced by events.
 */
RESIDUAL(s3_pulses)
{
    r[0] = yp[0] + y[0] - (t - floor(t) < 0.5 ? 1 : 0);
    return 0;
}

/* problem: c_healthy_quartz
 * cause: none
 * expect: x(1e-4) = 8.623188723e-10 +- 1e-13; v(1e-4) = 5.063656411e-4 +- 1e-7
 * why: x = 1e-9 cos(1e6 t): nanometres and microseconds, with tolerances that fit.
 */
RESIDUAL(s3_quartz)
{
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 1e12 * y[0];
    return 0;
}

/* problem: c_healthy_cube_of_the_slope
 * cause: none
 * expect: y(10) = -0.5440211109 +- 1e-4; s(10) = 1.839071529 +- 1e-3
 * why: fully implicit, y' + y'^3 + 10 y = g(t), monotone in y', so that y' is unique; g is such
 * that y = sin(t). s' = y.
 */
RESIDUAL(s3_slope)
{
    const double p = cos(t);
    r[0] = yp[0] + yp[0] * yp[0] * yp[0] + 10 * y[0] - (p + p * p * p + 10 * sin(t));
    r[1] = yp[1] - y[0];
    return 0;
}

/* problem: c_healthy_rows_of_any_size
 * cause: none
 * expect: q(10) = -0.5292088189 +- 1e-4; u(10) = -0.5292088189 +- 1e-4
 * why: a damped oscillator, q'' + 0.1 q' + q = 0, whose equations are multiplied by 1e12, 1e-9 and
 * 1e6.
 */
RESIDUAL(s3_rows)
{
    r[0] = 1e12 * (yp[0] - y[1]);
    r[1] = 1e-9 * (yp[1] + y[2] + 0.1 * y[1]);
    r[2] = 1e6 * (y[2] - y[0]);
    return 0;
}

/* problem: c_healthy_bead_on_a_wire
 * cause: none
 * expect: x(3) = -0.1112766241 +- 1e-3; y(3) = 0.01238248706 +- 1e-3
 * why: index 3: a bead on the parabola y = x^2, released at x = 1; (1 + 4 x^2) x'' + 4 x x'^2 + 2 g
 * x = 0 by a Runge-Kutta method with steps of 1e-4 and 2e-4.
 */
RESIDUAL(s3_bead)
{
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] - 2 * y[0] * y[4];
    r[3] = yp[3] + 9.81 + y[4];
    r[4] = y[1] - y[0] * y[0];
    return 0;
}

static const problem third_problems[] = {
    {.name = "c_vessels_joined_below",
     .system = {.n = 3,
                .residual = s3_vessels,
                .variable_names = NAMES("h1", "h2", "q"),
                .equation_names = NAMES("vessel1", "vessel2", "joined")},
     .y0 = {2, 1, 0},
     .y_mask = {DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FREE},
     .t_end = 10},
    {.name = "c_cable_shorter_than_span",
     .system = {.n = 2,
                .residual = s3_cable,
                .variable_names = NAMES("T", "a"),
                .equation_names = NAMES("cooling", "length")},
     .y0 = {40, 8},
     .t_end = 10},
    {.name = "c_ship_on_a_course",
     .system = {.n = 5,
                .residual = s3_ship,
                .variable_names = NAMES("psi", "r", "delta", "a", "u"),
                .equation_names = NAMES("turning", "nomoto", "rudder", "valve", "course")},
     .y0 = {0, 0.3, 0.777, -3.423, -4.73934},
     .t_end = 2},
    {.name = "c_wagons_with_bdf",
     .system = {.n = 5,
                .residual = s3_wagons,
                .variable_names = NAMES("x1", "x2", "v1", "v2", "f"),
                .equation_names = NAMES("dx1", "dx2", "dv1", "dv2", "coupling")},
     .y0 = {2, 0, 0, 0, 2},
     .t_end = 3,
     .options = "method=bdf"},
    {.name = "c_solubility_written_twice",
     .system = {.n = 3,
                .residual = s3_solubility,
                .variable_names = NAMES("c", "a", "b"),
                .equation_names = NAMES("uptake", "product", "logarithm")},
     .y0 = {1, 1, 4},
     .t_end = 5},
    {.name = "c_wall_without_balance",
     .system = {.n = 4,
                .residual = s3_wall,
                .variable_names = NAMES("Tin", "Tcore", "Tout", "Twall"),
                .equation_names = NAMES("inlet", "core", "mean", "outlet")},
     .y0 = {320, 350, 335, 310},
     .t_end = 20},
    {.name = "c_generator_on_the_grid",
     .system = {.n = 2,
                .residual = s3_generator,
                .variable_names = NAMES("energy", "delta"),
                .equation_names = NAMES("work", "power")},
     .y0 = {0, 0.1674480792196894},
     .t_end = 20},
    {.name = "c_torque_of_a_speed_step",
     .system = {.n = 3,
                .residual = s3_torque,
                .variable_names = NAMES("w", "torque", "energy"),
                .equation_names = NAMES("profile", "motor", "work")},
     .y0 = {10, 1, 0},
     .t_end = 2},
    {.name = "c_car_to_the_line",
     .system = {.n = 2,
                .residual = s3_car,
                .variable_names = NAMES("y", "psi"),
                .equation_names = NAMES("path", "steering")},
     .y0 = {1, 0},
     .t_end = 3},
    {.name = "c_contact_bounces",
     .system = {.n = 2,
                .residual = s3_contact,
                .n_events = 1,
                .events = s3_closed,
                .event_direction = {s3_falling, 1},
                .variable_names = NAMES("x", "v"),
                .event_names = NAMES("contact")},
     .y0 = {0.002, 0},
     .t_end = 0.3,
     .at_event = s3_bounce},
    {.name = "c_matrix_by_rows",
     .system = {.n = 3,
                .residual = s3_by_rows,
                .jacobian = s3_by_rows_jacobian,
                .variable_names = NAMES("x", "a", "b")},
     .y0 = {1, 0, 0},
     .t_end = 5},
    {.name = "c_factor_c_forgotten",
     .system = {.n = 2,
                .residual = s3_rods,
                .jacobian = s3_rods_jacobian,
                .variable_names = NAMES("T1", "T2")},
     .y0 = {90, 20},
     .t_end = 5},
    {.name = "c_arrhenius_factor_forgotten",
     .system = {.n = 2,
                .residual = s3_arrhenius,
                .jacobian = s3_arrhenius_jacobian,
                .variable_names = NAMES("c", "T"),
                .equation_names = NAMES("balance", "heat")},
     .y0 = {0.5, 350},
     .t_end = 5,
     .options = "check_jacobian=yes"},
    {.name = "c_recycle_not_in_the_pattern",
     .system = {.n = 7,
                .residual = s3_recycle,
                .pattern = &s3_recycle_pattern,
                .variable_names = NAMES("s0", "s1", "s2", "s3", "s4", "s5", "out"),
                .equation_names =
                    NAMES("stage0", "stage1", "stage2", "stage3", "stage4", "stage5", "lag")},
     .y0 = {0},
     .t_end = 2},
    {.name = "c_mutual_inductance_not_in_the_pattern",
     .system = {.n = 2,
                .residual = s3_coils,
                .pattern = &s3_coils_pattern,
                .variable_names = NAMES("i1", "i2")},
     .y0 = {0, 0},
     .t_end = 3},
    {.name = "c_hormones_in_micromoles",
     .system = {.n = 2, .residual = s3_hormones, .variable_names = NAMES("x", "y")},
     .y0 = {2e-6, 5e-7},
     .t_end = 20,
     .options = "atol=1e-3"},
    {.name = "c_pressure_to_1e_14",
     .system = {.n = 1, .residual = s3_pressure, .variable_names = NAMES("p")},
     .y0 = {2.5e6},
     .t_end = 5,
     .options = "rtol=0 atol=1e-14"},
    {.name = "c_weir_pumped_dry",
     .system = {.n = 1, .residual = s3_weir, .variable_names = NAMES("h")},
     .y0 = {0.3},
     .t_end = 10},
    {.name = "c_explosive_waves",
     .system = {.n = 3, .residual = s3_waves, .variable_names = NAMES("a", "b", "c")},
     .y0 = {1, 1, 1},
     .t_end = 2},
    {.name = "c_sugar_below_zero",
     .system = {.n = 2,
                .residual = s3_sugar,
                .lower = {(const double[]){0, -INFINITY}, 2},
                .variable_names = NAMES("sugar", "cells")},
     .y0 = {1, 0.2},
     .t_end = 5},
    {.name = "c_property_library_gives_up",
     .system = {.n = 2, .rhs = s3_library, .variable_names = NAMES("T", "heat")},
     .y0 = {300, 0},
     .t_end = 10},
    {.name = "c_asks_for_shorter_steps",
     .system = {.n = 1, .residual = s3_retry, .variable_names = NAMES("y")},
     .y0 = {1},
     .t_end = 3},
    {.name = "c_moon_with_sixty_steps",
     .system = {.n = 4, .residual = s3_moon, .variable_names = NAMES("x", "y", "u", "v")},
     .y0 = {1, 0, 0, 1.1},
     .t_end = 700,
     .points = 1,
     .options = "max_steps=60"},
    {.name = "c_healthy_incompressible",
     .system = {.n = 4,
                .residual = s3_incompressible,
                .variable_names = NAMES("v1", "v2", "v3", "p")},
     .y0 = {1, -0.5, -0.5, -1},
     .t_end = 5},
    {.name = "c_healthy_string",
     .system = {.n = 2 * S3_MASSES,
                .residual = s3_string,
                .jacobian = s3_string_jacobian,
                .pattern = &s3_string_pattern},
     .prepare = s3_pluck,
     .t_end = 10},
    {.name = "c_healthy_guess_thirty",
     .system = {.n = 2,
                .rhs = s3_cubic,
                .rhs_jacobian = s3_cubic_jacobian,
                .mass = s3_cubic_mass,
                .variable_names = NAMES("y", "z")},
     .y0 = {2, 30},
     .t_end = 5},
    {.name = "c_healthy_fires",
     .system = {.n = 1,
                .residual = s3_fires,
                .n_events = 1,
                .events = s3_threshold,
                .event_direction = {s3_rising, 1},
                .variable_names = NAMES("v")},
     .y0 = {0},
     .t_end = 50.3,
     .at_event = s3_reset},
    {.name = "c_healthy_three_nuclides",
     .system = {.n = 3,
                .residual = s3_chain,
                .lower = {(const double[]){0, 0, 0}, 3},
                .variable_names = NAMES("N1", "N2", "N3")},
     .y0 = {1, 0, 0},
     .t_end = 100},
    {.name = "c_healthy_heated_by_pulses",
     .system = {.n = 1, .residual = s3_pulses, .is_nonsmooth = 1, .variable_names = NAMES("T")},
     .y0 = {0},
     .t_end = 10.3},
    {.name = "c_healthy_quartz",
     .system = {.n = 2, .residual = s3_quartz, .variable_names = NAMES("x", "v")},
     .y0 = {1e-9, 0},
     .t_end = 1e-4,
     .options = "rtol=1e-7 atol=1e-17"},
    {.name = "c_healthy_cube_of_the_slope",
     .system = {.n = 2, .residual = s3_slope, .variable_names = NAMES("y", "s")},
     .y0 = {0, 0},
     .t_end = 10},
    {.name = "c_healthy_rows_of_any_size",
     .system = {.n = 3, .residual = s3_rows, .variable_names = NAMES("q", "i", "u")},
     .y0 = {1, 0, 1},
     .t_end = 10},
    {.name = "c_healthy_bead_on_a_wire",
     .system = {.n = 5,
                .residual = s3_bead,
                .variable_names = NAMES("x", "y", "u", "v", "N"),
                .equation_names = NAMES("dx", "dy", "du", "dv", "wire")},
     .y0 = {1, 1, 0, 0, -1.962},
     .t_end = 3},
};

#endif
