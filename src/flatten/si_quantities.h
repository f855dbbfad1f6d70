/* flatten/si_quantities.h - the types of Modelica.Units.SI.
 *
 * Responsibility: unit and further attributes of the quantities that models use without declaring
 * them.
 * Depends on: nothing.                                                           */
#ifndef DAEDAL_FLATTEN_SI_QUANTITIES_H
#define DAEDAL_FLATTEN_SI_QUANTITIES_H

/* Quantities of one unit and the same further attributes. */
typedef struct si_quantity {
    const char *unit, *attributes;
    const char *names; /* separated by spaces */
} si_quantity;

/* NULL if there is none of this name. */
const si_quantity *si_quantity_named(const char *name);
#endif
