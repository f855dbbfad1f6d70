/* pi_controller.c - a controller in C drives a model, call by call.
 *
 * The plant is a model with an input u, the force on a damped spring with a slow actuator; the
 * controller sees the position x every millisecond and sets u by a PI law.  Steps of the integrator
 * end where the controller looks, and a new value of u makes it begin again from the same states,
 * with the factors it has.
 * At rest x is 1, so that the spring force, 4, is what the integral part has learnt.
 *
 * expect: after 40 s: x = 1.000
 * expect: u = 4.000
 */
#include <daedal.h>
#include <stdio.h>
#include <string.h>

static const char plant[] = "model Plant\n"
                            "  input Real u;\n"
                            "  Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
                            "  Real f(start = 0, fixed = true);\n"
                            "equation\n"
                            "  der(x) = v;\n"
                            "  der(v) = -4*x - 3*v + f;\n"
                            "  der(f) = 20*(u - f);\n"
                            "end Plant;\n";

static const double period = 1e-3, t_stop = 40.0, gain = 2.0, integral_gain = 2.0, wanted = 1.0;

/* DAEDAL_OK, or what went wrong. */
static daedal_status control(daedal_model *model, double *x, double *u)
{
    int32_t position = daedal_model_find(model, "x"), force = daedal_model_find(model, "u");
    double sum = 0.0;
    daedal_status status = DAEDAL_OK;
    for (int k = 1; k * period <= t_stop && status >= 0; k++) {
        daedal_model_get(model, position, x);
        sum += period * (wanted - *x);
        *u = gain * (wanted - *x) + integral_gain * sum;
        status = daedal_model_set(model, force, *u);
        if (status >= 0)
            status = daedal_model_advance(model, k * period);
    }
    return status;
}

int main(void)
{
    daedal_model *model;
    char message[400];
    double x = 0.0, u = 0.0;
    if (daedal_model_parse(&model, "plant", plant, strlen(plant), NULL, message, sizeof message) <
        0) {
        puts(message);
        return 1;
    }
    daedal_simulation run = {.t_stop = t_stop};
    daedal_status status = daedal_model_begin(model, &run);
    if (status >= 0)
        status = control(model, &x, &u);
    if (status < 0)
        puts(daedal_model_diagnosis(model)->message);
    else
        printf("after %g s: x = %.3f, u = %.3f\n", daedal_model_time(model), x, u);
    daedal_model_free(model);
    return status < 0;
}
