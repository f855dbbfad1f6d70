/* linalg/difference_weights.c - see difference_weights.h.
 *
 * Fornberg [For88]: the weights for nodes 0 .. k follow from those for 0 .. k-1 by the
 * recursion of the Lagrange polynomials; no system is solved.                   */
#include "linalg/difference_weights.h"

#include <string.h>

void difference_weights(const double *node, int32_t count, int32_t order,
                        double weight[][DIFFERENCE_NODES_MAX])
{
    double before = 1.0, gap = node[0];
    memset(weight, 0, (size_t)(order + 1) * sizeof *weight);
    weight[0][0] = 1.0;
    for (int32_t k = 1; k < count; k++) {
        int32_t highest = k < order ? k : order;
        double product = 1.0, last = gap;
        gap = node[k];
        for (int32_t i = 0; i < k; i++) {
            double apart = node[k] - node[i];
            product *= apart;
            if (i == k - 1) {
                for (int32_t m = highest; m > 0; m--)
                    weight[m][k] =
                        before * (m * weight[m - 1][k - 1] - last * weight[m][k - 1]) / product;
                weight[0][k] = -before * last * weight[0][k - 1] / product;
            }
            for (int32_t m = highest; m > 0; m--)
                weight[m][i] = (gap * weight[m][i] - m * weight[m - 1][i]) / apart;
            weight[0][i] = gap * weight[0][i] / apart;
        }
        before = product;
    }
}

void difference_nodes(double width, double side, int32_t count, double *node)
{
    for (int32_t k = 0; k < count; k++) {
        double share = 2.0 * k / (count - 1) - 1.0; /* -1 .. 1 */
        node[k] = side != 0.0 ? side * width * (share + 1.0) : width * share;
    }
}
