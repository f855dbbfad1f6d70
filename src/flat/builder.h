/* flat/builder.h - a flat model while it is made.
 *
 * Responsibility: the arrays of a flat_model grow here and nowhere else; relations, roundings and
 * samples that occur several times get one entry.
 * Invariant: everything that is added lives in the arena of the compilation, as long as the model.
 * Depends on: flat/flat.h, base/number_map.h.                                    */
#ifndef DAEDAL_FLAT_BUILDER_H
#define DAEDAL_FLAT_BUILDER_H

#include "base/number_map.h"
#include "flat/flat.h"

typedef struct flat_builder {
    flat_model *m;
    struct {
        size_t enumerations, variables, relations, roundings, samples, delays, inputs, equations,
            initials, reinits, asserts, terminates, assignments;
    } room; /* of the arrays of the model, in items */
    number_map relation_numbers, rounding_numbers, sample_numbers; /* by expression */
} flat_builder;

enum { FLAT_NONE = UINT32_MAX }; /* no number: out of memory */

/* Each adds a copy of one item and gives its number, FLAT_NONE when out of memory. */
uint32_t flat_add_enumeration(flat_builder *b, flat_enumeration e);
uint32_t flat_add_variable(flat_builder *b, const flat_variable *v);
uint32_t flat_add_delay(flat_builder *b, flat_delay d);
uint32_t flat_add_input(flat_builder *b, flat_input i);
uint32_t flat_add_equation(flat_builder *b, flat_equation e);
uint32_t flat_add_initial(flat_builder *b, flat_initial e);
uint32_t flat_add_assignment(flat_builder *b, flat_assignment a);
uint32_t flat_add_reinit(flat_builder *b, flat_reinit r);
uint32_t flat_add_assert(flat_builder *b, flat_assert a);
uint32_t flat_add_terminate(flat_builder *b, flat_terminate t);

/* The same, where an equal entry may exist already.  Equal relations have the same comparison node
 * in the graph.                                                                  */
uint32_t flat_add_relation(flat_builder *b, expr comparison, flat_relation r);
uint32_t flat_add_rounding(flat_builder *b, flat_rounding r);
uint32_t flat_add_sample(flat_builder *b, flat_sample s);
#endif
