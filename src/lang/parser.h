/* lang/parser.h - from text to syntax tree.
 *
 * Responsibility: the state that the phases of one compilation share, and one parser for
 * three dialects: Base Modelica as OpenModelica exports it, hand-written flat Modelica,
 * and OpenModelica's flat dumps with dotted names in declarations.
 * Invariant: any bytes are answered by a tree or by at least one error in `sources`; nesting
 * is limited by PARSER_DEPTH_MAX, memory by the arena, errors by SOURCE_ERRORS_MAX.
 * Depends on: base/, lang/ast.h.                                                */
#ifndef DAEDAL_LANG_PARSER_H
#define DAEDAL_LANG_PARSER_H

#include "lang/ast.h"

/* Levels of brackets, if-expressions, blocks and classes inside one another.
 * Real exports have 16.                                                         */
enum { PARSER_DEPTH_MAX = 256 };

typedef struct resource_root resource_root;
typedef struct owners owners;

/* What all phases share. It must not be moved in memory, since its parts point to the arena. */
typedef struct compilation {
    arena mem;
    intern_table names;
    sources sources;
    bool wrong_changes; /* the text has no error, but a change of the command line does not apply to
                           it */
    bool allow_external;    /* functions of shared objects may be called */
    const char *model_name; /* which model of the file is meant; NULL: the last one */
    owners *owners; /* of variables and equations, see owners.h; NULL: there are no components */
    resource_root *resource_roots; /* packages and their directories, see resources.h */
    bool has_components; /* the text that was read last is not flat: read it as a library */
    bool lacks_class; /* a type or a name A.b of the flat text is unknown: a library may have it */
} compilation;

/* Memory limit in bytes, 0: none.  false: out of memory (free it all the same). */
bool compilation_create(compilation *c, const daedal_allocator *allocator, size_t limit);
void compilation_free(compilation *c);

/* The tree, or NULL with at least one error in c->sources. After an error the parser continues at
 * the next ';', 'end' or section keyword, so that several errors are found in one pass. */
ast_file *parse_text(compilation *c, const char *name, const char *text, size_t length);
ast_file *parse_file(compilation *c, const char *path);

/* The same for texts of object-oriented Modelica. Imports are elements, bodies of nested classes
 * are skipped (AST_UNREAD), and annotations that mean nothing to a simulation are left out. */
ast_file *parse_library_text(compilation *c, const source *f);
/* Reads the body of a class that was skipped; false after an error. */
bool parse_unread_class(compilation *c, ast_class *skipped);
#endif
