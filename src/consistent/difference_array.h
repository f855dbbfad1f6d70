/* consistent/difference_array.h - the equations and their derivatives at one instant.
 *
 * Responsibility: the derivative array of F along a Taylor polynomial, by differences in time:
 * its values, and its Jacobian with respect to the coefficients.
 * Depends on: consistent/start_correction.h, linalg/difference_weights.h.                  */
#ifndef DAEDAL_CONSISTENT_DIFFERENCE_ARRAY_H
#define DAEDAL_CONSISTENT_DIFFERENCE_ARRAY_H

#include "consistent/start_correction.h"

enum { LEVEL_MAX = 5 }; /* derivatives of an equation */

typedef struct difference_array {
    const start_problem *p;
    int32_t n, nnz;
    const int32_t *c, *d; /* equation i is differentiated c_i times, y_j has d_j derivatives  */
    int32_t level_max;    /* the largest c_i                                                  */
    int32_t rows, cols;
    int32_t *row;        /* n + 1: derivative k of equation i is row[i] + k                   */
    int32_t *col;        /* n + 1: y_j^(m) is unknown col[j] + m                              */
    double side;         /* 0: nodes on both sides of t; else its sign: on one only; of fine
                            differences: where the middle of the nodes lies, in widths          */
    bool ignores_taylor; /* derivatives are differences although the user gives coefficients */
    bool is_fine;        /* more nodes, widths closer to one another, one width for all levels  */
    double widest;       /* of the stencils                                                   */
    double searched_widest, searched_side; /* of the search that chose the widths, 0: none    */
    double width[LEVEL_MAX + 1]; /* of the stencil of each derivative                          */
    double doubt[LEVEL_MAX + 1]; /* about each derivative, relative to the terms of F per time */
    double roughness;    /* what the outermost nodes change, where widths were not searched */
    double *noise;       /* rows: what the values of the last search are uncertain by */
    double *size;        /* n: of the terms of F_i                                            */
    double *node_size;   /* n: the same at a node                                            */
    double *least;       /* n: a weight of each variable                                     */
    double *reach;       /* n: the largest at the nodes of a width, with what F_i is there   */
    double *y, *yp, *r;  /* at a node                                                         */
    double *coefficient; /* (level_max + 2) x n: of Taylor polynomials (taylor_array.c)         */
    double *level;       /* (level_max + 1) x n: derivatives for one width                    */
    double *before;      /* the same of the width before                                      */
    double *best;        /* those chosen                                                      */
    double *e, *a;       /* (level_max + 1) x nnz: Taylor coefficients of dF/dy' and dF/dy    */
    double *e_peak, *a_peak; /* nnz: their largest values at the nodes                */
    block mem;
} difference_array;

/* false: out of memory; difference_array_free in any case. */
bool difference_array_create(difference_array *x, const start_problem *p, const int32_t *c,
                             const int32_t *d);
void difference_array_free(difference_array *x);

/* The values of another one of the same set-up. */
void difference_array_copy(difference_array *x, const difference_array *from);

/* The array at `unknown` (cols entries), into out (rows entries).  `search` looks for the widths
 * that suit, otherwise they stay.  A daedal_answer.                              */
int difference_array_values(difference_array *x, const double *unknown, bool search, double *out);

/* Noise as large as in the values, into out (rows), with signs mixed in one of several ways, so
 * that no sum of rows cancels it.  Where there are many rows, it takes more of them to see what
 * noise does to each unknown.                                                       */
int difference_array_noises(const difference_array *x);
void difference_array_mix_noise(const difference_array *x, int way, double *out);

/* Whether a correction (cols) of y and of its first derivatives is no larger than matters, or than
 * noise makes it (`excuse`, cols).  Every entry by itself: a multiplier that noise blurs excuses no
 * position.                                                                        */
bool correction_of_values_is_small(const difference_array *x, const double *excuse,
                                   const double *step);
bool correction_of_slopes_is_small(const difference_array *x, const double *excuse,
                                   const double *step);
bool correction_is_small(const difference_array *x, const double *excuse, const double *step);

/* Its size in weights; of derivatives only the first counts, a little. */
double correction_size(const difference_array *x, const double *step);

/* Whether the derivatives found make sense: two widths in turn agreed. */
bool difference_array_is_settled(const difference_array *x);

/* The Taylor coefficients of dF/dy and dF/dy' along the polynomial, roughly: at t, and where asked
 * those that follow.  A daedal_answer.                                             */
int difference_array_parts(difference_array *x, const double *unknown, bool all);

/* All of them, right after a search for the values at the same unknowns: dF/dy and dF/dy' at t are
 * those in the matrix.                                                             */
int difference_array_further_parts(difference_array *x, const double *unknown);

/* Its Jacobian, rows x cols by columns.  A daedal_answer. */
int difference_array_jacobian(difference_array *x, const double *unknown, double *jacobian);
#endif
