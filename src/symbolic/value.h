/* symbolic/value.h - symbolic values: types, records, arithmetic.
 *
 * Responsibility: a `value` is a type with a flat list of scalar expressions of a graph: the
 * elements of an array row by row, the members of a record one after another.  Constants fold as
 * they are made, so that executing a text on such values computes what is known and leaves
 * expressions for the rest.  A String is a constant too: the number of its text in the intern
 * table.
 * Invariant: a failure is reported once where it is known and answered by a value of type T_BAD,
 * which every function passes on silently.
 * Depends on: flat/flat.h, expr/.                                                */
#ifndef DAEDAL_SYMBOLIC_VALUE_H
#define DAEDAL_SYMBOLIC_VALUE_H

#include "flat/flat.h"

typedef struct context context; /* symbolic/context.h */

enum { MOST_DIMS = 6, ELEMENTS_MAX = 1 << 23 /* scalars of one array */ };

/* Whole numbers below this are exact as a double; Integers beyond it are refused. */
#define INTEGER_LIMIT 9e15

/* Stands in texts that functions put together for a value that is not known yet.  Such a text is
 * good for messages only. */
#define TEXT_OF_VARIABLE "(\xe2\x80\xa6)"

typedef enum base_type {
    T_BAD,
    T_REAL,
    T_INTEGER,
    T_BOOLEAN,
    T_ENUM,
    T_STRING,
    T_RECORD,
    T_FUNCTION,
    T_OBJECT, /* an external object; the scalar is its number in the context */
    T_CLOCK
} base_type;

typedef struct type {
    uint8_t base, n_dims;
    int32_t info; /* number of the enumeration, the record or the function value, else -1 */
    int32_t dim[MOST_DIMS];
} type;

typedef struct value {
    type type;
    size_t n;
    expr *e;
} value;

static const value bad_value = {.type = {.base = T_BAD, .info = -1}};

static inline bool is_bad(value v)
{
    return v.type.base == T_BAD;
}

/* Modifiers around a declaration, the strongest first. */
typedef struct layer {
    const ast_mod *mods;
    const struct layer *next;
} layer;

typedef struct member {
    int32_t name;
    type type;
    size_t offset;              /* of its first scalar in the record                         */
    const ast_element *element; /* its declaration; NULL where the text declares no record   */
    const layer *layers;        /* the modifiers of its type                                 */
    uint32_t open_dims;         /* bit d: size d is ':' or depends on other members          */
} member;

typedef struct record {
    int32_t name;           /* INTERN_NONE: it has none    */
    const ast_class *class; /* NULL: the text declares none */
    member *member;
    int32_t n;
    size_t leaves;   /* scalars */
    bool is_open;    /* values have other sizes: each has the type of a variant with its own */
    bool is_variant; /* of a record that is open */
} record;

/* ---- types.c ---- */

type type_scalar(base_type base);
base_type type_base_of(flat_type t);
flat_type type_flat_of(type t);
type type_array(type element, int32_t n, const int32_t *dims); /* T_BAD: too many dimensions */
type type_element(type t);                                     /* without sizes */
size_t type_leaves(const context *in, type t);
size_t type_count(type t); /* product of the sizes */
bool type_same_sizes(type a, type b);
char *type_text(context *in, type t);      /* Real[3,2] */
int32_t record_add(context *in, record r); /* its number; -1 when out of memory */
/* The record of the same class whose members have these types; -1 when out of memory. */
int32_t record_variant(context *in, int32_t of, const type *types);
/* The type with the sizes of the other one where it leaves them open. */
type type_opened(context *in, type to, type from);
const member *record_member(const record *r, int32_t name); /* or NULL */
/* Whether two enumerations have the same literals in the same order: they are the same type. */
bool enumerations_agree(const context *in, int32_t a, int32_t b);
int32_t enumeration_named(const context *in, int32_t name); /* or -1 */

/* ---- making and converting: value.c ---- */

value value_new(context *in, type t); /* the scalars are not set */
value value_zero(context *in, type t);
value value_scalar(context *in, base_type base, expr e);
value value_number(context *in, base_type base, double number);
value value_text(context *in, const char *text);
bool value_is_constant(const context *in, value v);
bool value_is_numeric(value v);                                  /* Real or Integer */
bool value_integer(const context *in, value v, int64_t *number); /* of a scalar constant */
/* As a value of that type: Integer to Real, records by the names of members. */
value value_convert(context *in, value v, type to, source_at at, const char *what);

/* ---- arithmetic.c ---- */

/* What an arithmetic operator does to numbers, element by element or not; EXPR_N_OPS: no such one.
 */
expr_op value_operation(ast_op op);
value value_arith(context *in, ast_op op, value a, value b, source_at at);
value value_negate(context *in, value a, source_at at);
value value_map(context *in, value a, expr_op op, base_type result);
value value_map2(context *in, value a, value b, expr_op op, source_at at);
value value_if(context *in, expr condition, value yes, value no, source_at at);
expr condition_and(context *in, expr a, expr b); /* EXPR_NONE is true */
expr condition_not(context *in, expr a);

/* ---- parts: subscripts.c ---- */

value value_member(context *in, value v, int32_t name, source_at at);
value value_stack(context *in, const value *v, size_t n, source_at at); /* {v1, v2, ...} */
value value_element(const context *in, value v, size_t k);              /* number k of an array */

/* One subscript: a colon, or a value (scalar or vector). */
typedef struct subscript {
    bool is_colon;
    value value;
    source_at at;
} subscript;
value value_index(context *in, value v, const subscript *subs, int32_t n);
#endif
