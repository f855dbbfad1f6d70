/* integ/rodas_table.h - the coefficients of the Rosenbrock method.
 *
 * In the form that needs no products with the Jacobian ([HW96] IV.7 (7.25)): for y' = f,
 *     (1/(h g) - J) U_i = f(t + al_i h, y + sum_j a_ij U_j) + sum_j c_ij U_j / h + d_i h f_t,
 *     y_new = y + sum_j a_sj U_j + U_s, error U_s: the method is stiffly accurate.
 * Dense output: y(x) = (1-x) y + x (y_new + (1-x) (D_1 + x (D_2 + x D_3))), D_k = sum_j H_kj U_j.
 * Depends on: nothing.                                                           */
#ifndef DAEDAL_INTEG_RODAS_TABLE_H
#define DAEDAL_INTEG_RODAS_TABLE_H

#include <stdint.h>

enum { RODAS_STAGES_MAX = 8, RODAS_DENSE_MAX = 3 };

typedef struct rodas_table {
    int32_t stages, order, n_dense;
    int32_t follows; /* from this stage on the a_ij are those of the stage before, and 1 */
    double gamma;
    double alpha[RODAS_STAGES_MAX], d[RODAS_STAGES_MAX];
    double a[RODAS_STAGES_MAX][RODAS_STAGES_MAX];
    double c[RODAS_STAGES_MAX][RODAS_STAGES_MAX];
    double dense[RODAS_DENSE_MAX][RODAS_STAGES_MAX];
} rodas_table;

extern const rodas_table rodas_table_5p; /* Rodas5P, order 5: [Ste23]              */
#endif
