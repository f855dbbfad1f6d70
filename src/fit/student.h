/* fit/student.h - the distribution of Student.
 *
 * Depends on: libm.                                                              */
#ifndef DAEDAL_FIT_STUDENT_H
#define DAEDAL_FIT_STUDENT_H

/* t with P(|T| <= t) = probability for this many degrees of freedom (> 0); INFINITY: the normal
 * distribution.  0 < probability < 1.                                            */
double student_interval(double probability, double freedom);

/* P(|T| <= t), t >= 0. */
double student_probability(double t, double freedom);
#endif
