/* fit/student.c - see student.h. */
#include "fit/student.h"

#include <float.h>
#include <math.h>

/* The continued fraction of the incomplete beta function ([AS64] 26.5.8), evaluated from the front
 * by the method of Lentz.                                                        */
static double beta_fraction(double x, double a, double b)
{
    const int terms_most = 10000;
    double c = 1.0, d = 1.0 / (1.0 - (a + b) * x / (a + 1.0)), f = d;
    for (int k = 1; k < terms_most; k++) {
        double even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
        double odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
        d = 1.0 / (1.0 + even * d);
        c = 1.0 + even / c;
        f *= c * d;
        d = 1.0 / (1.0 + odd * d);
        c = 1.0 + odd / c;
        f *= c * d;
        if (fabs(c * d - 1.0) <= 4.0 * DBL_EPSILON)
            break;
    }
    return f;
}

/* The regularised incomplete beta function I_x(a, b). */
static double beta_share(double x, double a, double b)
{
    if (x <= 0.0 || x >= 1.0)
        return x <= 0.0 ? 0.0 : 1.0;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1.0) / (a + b + 2.0))
        return front * beta_fraction(x, a, b) / a;
    return 1.0 - front * beta_fraction(1.0 - x, b, a) / b;
}

double student_probability(double t, double freedom)
{
    if (isinf(freedom))
        return erf(t * sqrt(0.5));
    return 1.0 - beta_share(freedom / (freedom + t * t), 0.5 * freedom, 0.5);
}

double student_interval(double probability, double freedom)
{
    const double farthest = 1e300, accuracy = 1e-12; /* of the end that is bisected for */
    double low = 0.0, high = 1.0;
    while (student_probability(high, freedom) < probability && high < farthest)
        high *= 2.0;
    while (high - low > accuracy * high) {
        double middle = 0.5 * (low + high);
        if (student_probability(middle, freedom) < probability)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}
