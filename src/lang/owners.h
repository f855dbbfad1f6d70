/* lang/owners.h - which component must determine a variable, and which one an equation belongs to.
 *
 * Responsibility: the balance of components, for messages.  A model of components is balanced if
 * each of them has as many equations as unknowns that it must determine: its own variables, flows
 * and outputs of its connectors, and potentials and inputs of the connectors of its parts.
 * Depends on: lang/parser.h, base/number_map.h.                                     */
#ifndef DAEDAL_LANG_OWNERS_H
#define DAEDAL_LANG_OWNERS_H

#include "base/number_map.h"
#include "lang/parser.h"

/* Names are ids; an owner is the id of the name of a component + 1, or 0: none is known. */
void owner_of_variable_is(compilation *c, int32_t name, int32_t owner);
void owner_of_equation_is(compilation *c, uint32_t equation, int32_t owner);
/* Of the equation that a value makes of the declaration, where it is not that of the variable: a
 * component gives the potential of its connector. */
void owner_of_binding_is(compilation *c, int32_t name, int32_t owner);
int32_t owner_of_binding(compilation *c, int32_t name);
/* Of a scalar, a.b[2] or a.b. */
int32_t owner_of_variable(compilation *c, int32_t name);
int32_t owner_of_equation(const compilation *c, uint32_t equation);
#endif
