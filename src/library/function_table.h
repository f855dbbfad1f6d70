/* library/function_table.h - what the tables of library functions share.
 *
 * Responsibility: functions of the Modelica Standard Library that exported models call
 * without a body, as rows of tables: a name, its arguments and how the value is made.
 * Invariant: functions generate no events, so conditions are plain comparisons.
 * Depends on: library/library.h.                                                 */
#ifndef DAEDAL_LIBRARY_FUNCTION_TABLE_H
#define DAEDAL_LIBRARY_FUNCTION_TABLE_H

#include "library/library.h"
#include "tables/point_curve.h"

enum { LIBRARY_ARGS = 15 };

#define LIBRARY_PI 3.14159265358979323846

typedef struct library_entry library_entry;

/* One call while it is evaluated. */
typedef struct library_site {
    context *in;
    expr_graph *g;
    const ast_expr *call;
    const library_entry *entry;
    const ast_expr *given[LIBRARY_ARGS]; /* NULL: left out                               */
    value arg[LIBRARY_ARGS];             /* T_BAD: left out, and there is no default     */
    int32_t n_args;
    value *outputs;
    int32_t n_outputs;
} library_site;

typedef struct complex_expr {
    expr re, im;
} complex_expr;

struct library_entry {
    const char *name; /* without the quotes of its parts: Complex.*.multiply            */
    const char *args; /* "u mu=0 sigma=?": '?' is a default that the function computes; NULL: `run`
                         evaluates the arguments itself */
    bool (*run)(library_site *s);                                  /* false after an error */
    expr (*scalar)(const library_site *s, const expr *arg);        /* for run_scalar    */
    complex_expr (*complex)(expr_graph *g, const complex_expr *a); /* for run_complex   */
    base_type result; /* of run_scalar and run_complex; T_BAD: Real                     */
    int what;         /* variant of the function                                        */
    double scale, offset;
};

/* Runs a function of scalars, elementwise on arrays. */
bool run_scalar(library_site *s);
bool library_result(library_site *s, value v); /* adds an output */
bool library_vector(library_site *s, int32_t k, int n_dims);
bool library_integer(library_site *s, int32_t k, int64_t *number);
expr library_number(const library_site *s, double number);
/* Syntax for assertions of the library; NULL when out of memory. */
ast_expr *library_node(library_site *s, ast_expr_kind kind);
ast_expr *library_syntax(library_site *s, const char *name, const ast_arg *args, int32_t n);
void library_assert(library_site *s, ast_expr *condition, ast_expr *message);

/* All outputs of a function of library_builtin: numbers if the arguments are numbers, else calls.
 * false after an error. */
bool library_invoke(const library_site *s, int64_t builtin, const expr *args, uint32_t n_args,
                    expr *outputs, uint32_t n_outputs);
bool called_number(context *in, int64_t builtin, const void *object, uint32_t n_args,
                   uint32_t n_outputs, uint32_t *number);
/* The text that is argument k; NULL after an error. */
const char *library_text(library_site *s, int32_t k);
/* Kinds of objects in the context; those below are tables. */
enum { LIBRARY_FILE_OBJECT = 16 };

/* A matrix of a file. */
typedef struct library_matrix {
    const char *file, *name, *delimiter;
    int64_t n_headers;
    table_matrix matrix;
} library_matrix;
/* false after an error */
bool library_matrix_read(library_site *s, const library_matrix *from, table_matrix *m);
int matrix_write_compute(const void *object, const double *args, double *outputs);

/* Functions of tables. */
int table_compute(int64_t builtin, const void *object, const double *args, double *outputs);
expr table_derivative(context *in, expr_graph *g, const library_called *c, uint32_t k);
expr table_corner(context *in, expr_graph *g, const library_called *c, uint32_t k);
expr special_derivative(expr_graph *g, const library_called *c);
/* Values of the special functions. */
double special_erf_inverse(double u);
double special_erfc_inverse(double u);

extern const library_entry library_vectors[], library_texts[], library_complex[], library_random[],
    library_distributions[], library_tables[], library_files[], library_matrices[],
    library_scanning[], library_fourier[];
extern const size_t n_library_vectors, n_library_texts, n_library_complex, n_library_random,
    n_library_scanning, n_library_distributions, n_library_tables, n_library_files,
    n_library_matrices, n_library_fourier;
/* Systems of linear equations, the code without LIBRARY_SOLVE. */
int matrix_solve_compute(int64_t code, const double *args, double *outputs);
/* The Fourier transform of as many samples as the code says. */
int fourier_compute(int64_t code, const double *args, double *outputs);
#endif
