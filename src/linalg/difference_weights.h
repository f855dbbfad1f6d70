/* linalg/difference_weights.h - derivatives from values at any nodes.
 *
 * Responsibility: the weights of Fornberg's algorithm; binomials.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_LINALG_DIFFERENCE_WEIGHTS_H
#define DAEDAL_LINALG_DIFFERENCE_WEIGHTS_H

#include <stdint.h>

enum { DIFFERENCE_NODES_MAX = 16 };

/* weight[m][k], m = 0 .. order: the m-th derivative at 0 of the polynomial through the values
 * v_k at node[k], k = 0 .. count-1, is sum_k weight[m][k] v_k.  order < count <= 16.  */
void difference_weights(const double *node, int32_t count, int32_t order,
                        double weight[][DIFFERENCE_NODES_MAX]);

/* n over k, of derivatives of products; 0 outside 0 <= k <= n. */
double difference_binomial(int32_t n, int32_t k);
#endif
