/* support/reentry.h - a vehicle that returns to earth on a prescribed path.
 *
 * Responsibility: the two trajectory problems of [BCP96] 6.3 as plain systems, angles in
 * radians.  Equations (6.3.4) with sin A in the longitude, where the book prints sin lambda.
 * The constants the book omits are those of the project's conformance data (Appendix A), with
 * which its tables are reproduced.
 * Depends on: daedal.h, libm.                                                   */
#ifndef DAEDAL_SUPPORT_REENTRY_H
#define DAEDAL_SUPPORT_REENTRY_H

#include "daedal.h"

#define DEGREE (3.14159265358979323846 / 180.0)

/* Where the unknowns stand. */
enum { HEIGHT, LONGITUDE, LATITUDE, SPEED, SLOPE, AZIMUTH, REENTRY_STATES, BANK = REENTRY_STATES };

/* The drag is prescribed as a function of the speed, the bank angle is sought: index 3, n = 7. */
enum { DRAG_N = BANK + 1 };
extern const double DRAG_START;      /* the time                                 */
extern const double DRAG_Y0[DRAG_N]; /* consistent with the constraint and its derivatives to the
                                        nine digits of the data                    */
daedal_system drag_system(void);

/* Slope and azimuth are prescribed over 300 s; bank angle and angle of attack (in degrees, as the
 * book has them) are sought: n = 8, index 2, or 1 with the derivatives of the constraints. */
enum { ATTACK = BANK + 1, PATH_N };
extern const double PATH_Y0[PATH_N];
daedal_system path_system(int32_t index);

/* The same path with the state in inertial coordinates, [BCP96] (6.3.3): place and velocity by
 * three components each, feet and feet/s, the third along the axis of the earth; index 2.  The
 * frames agree at t = 0.                                                                 */
daedal_system path_system_inertial(void);
void path_to_inertial(double t, const double *relative, double *inertial);
void path_from_inertial(double t, const double *inertial, double *relative);
#endif
