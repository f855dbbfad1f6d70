/* instantiate/clauses.h - what files that write classes and clauses share.
 * Depends on: instantiate/instance.h.                                              */
#ifndef DAEDAL_INSTANTIATE_CLAUSES_H
#define DAEDAL_INSTANTIATE_CLAUSES_H

#include "instantiate/instance.h"

/* Equations and algorithms of models are written out, and their conditions decided, where that is
 * possible; loops of functions stay.  Connections are collected first. */
typedef enum clause_mode {
    CLAUSES_OF_MODEL,
    CLAUSES_OF_ALGORITHM,
    CLAUSES_OF_FUNCTION,
    CLAUSES_CONNECTING
} clause_mode;

bool clauses_rewrite(builder *b, scope *s, const ast_clause *from, clause_list *to,
                     clause_mode mode);

typedef void element_visit(void *user, element *e);
/* The components that a class text declares and inherits, those of bases where they are extended.
 */
void elements_in_order(builder *b, scope *s, element_visit *visit, void *user);

ast_expr *type_node(builder *b, base_kind base, element *of, source_at at);
#endif
