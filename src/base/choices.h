/* base/choices.h - the numbers of options that are chosen by a word.
 *
 * Responsibility: names for the numbers, in the order of the words in DAEDAL_OPTION_LIST; that they
 * agree is tested (tests/unit/test_options.c).
 * Depends on: nothing.                                                          */
#ifndef DAEDAL_BASE_CHOICES_H
#define DAEDAL_BASE_CHOICES_H

enum {
    METHOD_AUTO,
    METHOD_BDF,
    METHOD_BDF_CLASSIC,
    METHOD_RADAU,
    METHOD_RODAS,
    METHOD_LIMEX,
    METHOD_DOPRI,
    METHOD_ARRAY,
    METHOD_RATTLE,
    METHOD_COUNT
};
enum { PROJECTION_AT_STEPS, PROJECTION_AT_OUTPUT };
enum { METRIC_OF_WEIGHTS, METRIC_OF_MASS };
enum { CONSTRAINTS_PROJECT, CONSTRAINTS_GGL, CONSTRAINTS_DUMMY };
enum { START_GIVEN, START_STATES, START_DERIVATIVES };
enum { ERROR_GATED, ERROR_PLAIN, ERROR_DIFFERENTIAL, ERROR_FILTERED }; /* error_test: its norm */
enum {
    LINSOLVER_AUTO,
    LINSOLVER_DENSE,
    LINSOLVER_LAPACK,
    LINSOLVER_BAND,
    LINSOLVER_KLU,
    LINSOLVER_GMRES
};
enum {
    PRECONDITIONER_AUTO,
    PRECONDITIONER_NONE,
    PRECONDITIONER_DIAGONAL,
    PRECONDITIONER_BLOCK,
    PRECONDITIONER_BAND,
    PRECONDITIONER_ILU,
    PRECONDITIONER_ILUT,
    PRECONDITIONER_LU
};
enum { PRODUCT_AUTO, PRODUCT_DIFFERENCES, PRODUCT_MATRIX };
#endif
