/* instantiate/instance.h - classes and components while a model is put together.
 *
 * Responsibility: the tree of instances and what the files of this folder call in one another.
 * How it works: an `instance` is a class in its place: a component of the model, or a package or
 * function that is looked into.  Its `element`s are found when it is first asked for one; a
 * component comes to life when something refers to it.  A `scope` is a class text inside an
 * instance, where names of that text are looked up: each instance has one for its class and one for
 * each base.  Modifiers are lists of `mods`, the strongest first, each in the scope where it is
 * written.
 * Invariant: everything lives in the arena of the compilation.  A failure is reported once where it
 * is known (instance_error) and answered by NULL or false.
 * Depends on: flatten/flatten.h, lang/parser.h.                                    */
#ifndef DAEDAL_INSTANTIATE_INSTANCE_H
#define DAEDAL_INSTANTIATE_INSTANCE_H

#include "base/number_map.h"
#include "flatten/flatten.h"
#include "instantiate/instantiate.h"
#include "lang/owners.h"
#include "lang/resources.h"

enum {
    NESTING_MAX = 100,     /* of components inside components, and of bases of bases  */
    LOOKUP_MAX = 1000,     /* of names, types and values that need one another        */
    DIMENSIONS_MAX = 8,    /* of an array, those of its type included                 */
    SCALARS_MAX = 1 << 24, /* of a model                                             */
    BASES_MAX = 4096,      /* of a class, those of its bases included                  */
};

typedef struct scope scope;
typedef struct element element;
typedef struct instance instance;

/* Subscripts that select from values of modifiers of arrays. */
typedef struct indices {
    int32_t n;
    int32_t k[DIMENSIONS_MAX];
} indices;

/* What is said about an element at one place: modifiers, a value, a redeclaration. */
typedef struct mods {
    const ast_mod *list;
    const ast_expr *value;
    const ast_element *declaration;
    scope *where;
    const indices *index;
    source_at at;
    bool is_break, is_final;
    struct mods *next; /* weaker */
} mods;

/* A value that an element gets: an expression where it is written, or a member of such a value. */
typedef struct bound {
    const ast_expr *e;
    scope *where;
    const struct bound *of; /* the record of which this is a member, or NULL */
    int32_t member;
    const indices *index;
} bound;

/* A file of a library, which is read when it is needed. */
typedef struct class_file {
    const char *path;
    const char *directory; /* with the members of a package, or NULL */
    const char *text;      /* in place of a file, or NULL */
    const char *package;   /* around it, by its directory; NULL: unknown */
    ast_class *class;
    bool is_read;
} class_file;

struct scope {
    instance *in;
    ast_class *class;
    class_file *file;
    element *of;      /* the class */
    scope *enclosing; /* of the class around it */
    scope *derived;   /* of the class that extends it, or NULL */
    mods *mods;       /* of its elements */
    scope *next;      /* of the same instance */
};

typedef struct origin {
    scope *scope;
    struct origin *next;
} origin;

struct element {
    int32_t name;
    bool is_class, is_prepared, is_making, is_made, is_absent;
    bool is_looking, is_emitted;
    const ast_element *ast;   /* the declaration in force, NULL for a class of a file */
    const ast_element *first; /* the one that it replaces, or the same */
    ast_class *class;
    class_file *file;
    instance *owner;
    origin origins;    /* scopes of the owner that declare it */
    scope *where;      /* of the declaration in force */
    mods *mods;        /* of the component or class, without its own declaration */
    mods *weak;        /* of the declaration that it replaces: the weakest */
    element *replaced; /* inherited, replaced by redeclare */
    instance *made;    /* the component */
    instance *looked;  /* the class without modifiers */
    int32_t flat_name; /* of a function, record, enumeration */
    element *next;
};

typedef enum base_kind {
    BASE_CLASS,
    BASE_REAL,
    BASE_INTEGER,
    BASE_BOOLEAN,
    BASE_STRING,
    BASE_ENUMERATION,
    BASE_STATE_SELECT,
    BASE_ASSERTION_LEVEL,
    BASE_OBJECT,
    BASE_CLOCK
} base_kind;

typedef enum instance_kind { INSTANCE_CLASS, INSTANCE_ARRAY, INSTANCE_VARIABLE } instance_kind;

typedef enum value_state { VALUE_UNKNOWN, VALUE_BUSY, VALUE_KNOWN, VALUE_NONE } value_state;

struct instance {
    uint8_t kind; /* instance_kind */
    uint8_t base; /* base_kind of a variable */
    uint8_t value_state;
    bool is_connector;
    bool is_open, is_opening, is_part; /* is_part: a component of the model */
    bool is_structural;                /* its value decided something: it cannot be changed later */
    uint32_t prefixes;                 /* AST_FLOW, AST_PARAMETER, ... */
    instance *parent;                  /* around a component */
    element *element;
    int32_t name; /* a.b[2], INTERN_NONE: not made yet, or the root */
    indices position;
    int depth;
    /* a class */
    ast_class *class;
    scope *scopes;
    element *elements, **last_element;
    number_map table;
    element **by_number;
    size_t n_elements, element_capacity;
    /* an array; also the sizes of a variable */
    int32_t n_dims, dim[DIMENSIONS_MAX];
    int32_t n_items;
    instance **item;
    /* a variable, or a record */
    mods *mods;           /* attributes */
    element *type;        /* enumeration, external object, record */
    bound *binding;       /* or NULL */
    ast_expr *value;      /* constant */
    uint32_t node;        /* first of its scalars in connections + 1 */
    uint32_t count;       /* connects that name it */
    struct instance *bus; /* the united members of an expandable connector */
};

/* What a type name stands for. */
typedef struct type_meaning {
    base_kind base;
    element *element; /* the class, enumeration or external object */
    mods *mods;       /* of the short classes on the way and of the class */
    uint32_t prefixes;
    bool is_connector;
    int32_t n_dims;
    const ast_expr *dim[DIMENSIONS_MAX];
    scope *dim_where[DIMENSIONS_MAX];
} type_meaning;

/* A loop variable: a literal, or NULL where the loop stays as it is. */
typedef struct iterator {
    int32_t name;
    ast_expr *value;
    struct iterator *next;
} iterator;

typedef struct clause_list {
    ast_clause *first, **last;
} clause_list;

struct connection_list;
struct constant_evaluator;

typedef enum emitted_kind { EMITTED_OTHER = 1, EMITTED_RECORD } emitted_kind;

/* The state of one instantiation. */
typedef struct builder {
    compilation *c;
    arena *mem;
    intern_table *names;
    const instantiate_options *options;
    instance *root;          /* of all packages */
    number_map absent_roots; /* names that no package of the search path has */
    instance *model;
    element *model_class;
    int depth;

    /* of the expression under way */
    iterator *iterators;
    const ast_expr *end; /* meaning of `end`, NULL: it stays */
    bool is_constant;    /* parameters are replaced by their values */
    bool no_reals;       /* parameters of type Real are not */
    int quiet;           /* > 0: failures are not reported */
    const char *why;     /* the last quiet failure */

    struct connection_list *connections;
    bool connections_known, connections_failed;
    bool is_unreadable; /* a file of a class could not be read, which was reported */
    /* the flat model */
    ast_class *out;
    ast_class **last_class;
    ast_class *classes;
    ast_element **last_variable;
    clause_list equations, initial_equations;
    ast_section **last_section;
    size_t n_scalars;
    number_map emitted;                   /* names of functions and records: emitted_kind */
    struct constant_evaluator *evaluator; /* or NULL */
    number_map variables;                 /* by name: number of the variable */
    instance **variable;
    size_t n_variables, variable_capacity;
} builder;

/* ---- instantiate.c ---- */

/* Reports an error in the class of the instance, with its path; always NULL. */
void *instance_error(builder *b, const instance *in, source_at at, const char *format, ...)
    PRINTF_LIKE(4, 5);
/* A builder whose root has the classes of a file, if it is not NULL; NULL when out of memory. */
builder *builder_new(compilation *c, const ast_file *file, const instantiate_options *options);
/* The class of a full name; NULL after an error. */
element *named_class(builder *b, const char *name);
const char *name_text(const builder *b, int32_t name);
int32_t name_id(builder *b, const char *format, ...) PRINTF_LIKE(2, 3);
const char *builder_text(builder *b, const char *format, ...) PRINTF_LIKE(2, 3);
void *builder_take(builder *b, size_t n, size_t size);

/* ---- class_files.c ---- */

/* The definition of a class, its body read; NULL after an error. */
ast_class *class_read(builder *b, element *e);
/* Adds the members of a package that are files in its directory. */
bool directory_members(builder *b, scope *s, const class_file *file);
/* The element of a package at the top of the search path, or NULL. */
element *library_root(builder *b, int32_t name);
/* Adds all packages of the search path to the root. */
void library_roots(builder *b);
/* The path of a file of a package, modelica://P/file; or the same text. */
const char *resource_path(builder *b, const char *address);
/* Whether the text is UTF-8; false after an error. */
bool is_utf8(builder *b, const source *text);

/* ---- search_path.c ---- */

/* The directories of the search path, for messages. */
void path_texts(const builder *b, char *text, size_t size);

/* ---- members.c ---- */

element *element_add(builder *b, scope *s, const ast_element *ast, ast_class *class,
                     class_file *file);
/* Finds the elements of an instance; false after an error. */
bool instance_open(builder *b, instance *in);
element *member_find(builder *b, instance *in, int32_t name);
instance *class_instance_new(builder *b, element *e, mods *m);
/* Puts redeclarations into effect and collects the modifiers. */
bool element_prepare(builder *b, element *e);
mods *mods_select(builder *b, mods *from, int32_t name);
mods *mods_join(builder *b, mods *strong, mods *weak);
mods *mods_indexed(builder *b, mods *from, int32_t k);
mods *mods_of(builder *b, const ast_mod *list, scope *where);

/* ---- lookup.c ---- */

element *lookup(builder *b, scope *s, int32_t name);
/* The class that a name stands for; *base if it is a predefined type. NULL without a message:
 * *base is set. */
element *lookup_class(builder *b, scope *s, const ast_expr *ref, base_kind *base);
/* The first n parts of a reference; NULL without a message. */
element *lookup_path(builder *b, scope *s, const ast_expr *ref, int32_t n);
bool type_find(builder *b, scope *s, const ast_expr *ref, type_meaning *t);
/* The class as an instance that names are looked up in. */
instance *class_look(builder *b, element *e);
/* The name as it is written. */
const char *ref_text(builder *b, const ast_expr *ref);
bool scope_is_inside(const scope *s, const scope *around);
element *lookup_own(builder *b, scope *s, const ast_expr *ref, base_kind *base);

/* ---- part_instances.c ---- */

/* The component that an element declares; NULL after an error, or if its condition is false. */
instance *component_of(builder *b, element *e);
/* The same as names of the class that declares it mean it: `inner outer` is the outer one. */
instance *component_inside(builder *b, const scope *s, element *e);
/* The inner element of this name in the instances around, or NULL. */
element *inner_find(builder *b, const instance *in, int32_t name);
int32_t instance_name(builder *b, instance *in);
const char *instance_path(builder *b, const instance *in);
bool is_record(const instance *in);
bool is_connector(const instance *in);
bool is_expandable(const instance *in);

/* ---- rewrite.c ---- */

/* The expression of a class text with names of the flat model; NULL after an error. */
ast_expr *rewrite(builder *b, scope *s, const ast_expr *e);
ast_expr *bound_rewrite(builder *b, const bound *x);
ast_expr *instance_expr(builder *b, instance *in, source_at at);
/* What a reference to a component leads to, with constant subscripts; NULL: nothing, or not one
 * instance. Reports nothing. *is_absent: its condition is false. */
instance *reference_target(builder *b, scope *s, const ast_expr *ref, bool *is_absent);
ast_expr *node_new(builder *b, ast_expr_kind kind, source_at at);
ast_expr *node_integer(builder *b, int64_t number, source_at at);
ast_expr *node_real(builder *b, double number, source_at at);
ast_expr *node_boolean(builder *b, bool truth, source_at at);
ast_expr *node_name(builder *b, int32_t name, source_at at);
ast_expr *node_list(builder *b, ast_expr_kind kind, ast_expr **item, int32_t n, source_at at);
ast_expr *node_binary(builder *b, ast_expr *left, ast_op op, ast_expr *right);
ast_expr *node_call(builder *b, const char *name, ast_expr **arg, int32_t n, source_at at);
ast_expr *node_literal(builder *b, element *of, const ast_literal *l, int64_t number, source_at at);
ast_expr *select_items(builder *b, ast_expr *e, const indices *index);

/* ---- constants.c ---- */

/* The constant value of an expression of a class text, as a literal; NULL: it has none. */
ast_expr *evaluate_constant(builder *b, scope *s, const ast_expr *e);
ast_expr *variable_constant(builder *b, instance *in);
/* The value that the outermost modifier gives to a scalar. */
bool changed_value(builder *b, instance *in, ast_expr **v);
bool evaluate_size(builder *b, scope *s, const ast_expr *e, int32_t *size);
/* The literal of an expression whose leaves are literals; NULL: unknown. */
ast_expr *fold(builder *b, ast_expr *e);
bool is_literal(const ast_expr *e);
/* Sizes of a literal array; their number. */
int32_t literal_sizes(const ast_expr *e, int32_t *size);
/* Sizes of a rewritten expression; -1: unknown. */
int32_t expression_sizes(builder *b, const ast_expr *e, int32_t *size);

/* ---- modifier_places.c ---- */

/* "; 'n' is given at FILE:LINE:COLUMN" for the first parameter in the expression that a modifier
 * outside of its class sets; "" if there is none. */
const char *modifier_cause(builder *b, scope *s, const ast_expr *e);

/* ---- emitted_classes.c ---- */

/* The name under which a function, record, enumeration or external object is declared in the flat
 * model. */
int32_t class_emit(builder *b, element *e);
const char *class_full_name(builder *b, const element *e);

/* ---- equations.c ---- */

/* Equations and algorithms of all instances; first the connections alone. */
void instance_sections(builder *b, instance *in, bool only_connections);
void variables_emit(builder *b, instance *in);
/* The owner of what is written in an instance, see lang/owners.h. */
int32_t owner_in(builder *b, const instance *in);
/* An equation of connections in an instance. */
void equation_add(builder *b, ast_expr *left, ast_expr *right, const ast_clause *place);

/* ---- connections.c ---- */

void connection_add(builder *b, scope *s, const ast_expr *call, source_at at, source_at end);
void connections_emit(builder *b);
/* Calls that depend on the connections: cardinality, inStream, actualStream, Connections.isRoot;
 * NULL after an error, or if it is no such call (*is_known false). */
ast_expr *connection_call(builder *b, scope *s, const ast_expr *call, bool *is_known);
#endif
