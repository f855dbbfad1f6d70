/* linalg/difference_weights.h - derivatives from values at any nodes.
 *
 * Responsibility: nodes and the weights of Fornberg's algorithm.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_LINALG_DIFFERENCE_WEIGHTS_H
#define DAEDAL_LINALG_DIFFERENCE_WEIGHTS_H

#include <stdint.h>

enum { DIFFERENCE_NODES_MAX = 16 };

/* weight[m][k], m = 0 .. order: the m-th derivative at 0 of the polynomial through the values
 * v_k at node[k], k = 0 .. count-1, is sum_k weight[m][k] v_k.  order < count <= 16.  */
void difference_weights(const double *node, int32_t count, int32_t order,
                        double weight[][DIFFERENCE_NODES_MAX]);

/* `count` nodes, evenly from -width to width; with a side, its sign, from 0 to 2 width on it. */
void difference_nodes(double width, double side, int32_t count, double *node);
#endif
