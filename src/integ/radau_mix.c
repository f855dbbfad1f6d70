/* integ/radau_mix.c - see radau_mix.h: four elements at once.  The bits are those of pairs. */
#include "integ/radau_mix.h"

#define WIDE_INLINE WIDE_TARGET MIX_INLINE

/* One four of neighbours of every vector; *m has `cols` columns. */
WIDE_INLINE void mix_fours(int32_t rows, int32_t cols, const double *m, const double *in,
                           double *out, int32_t stride)
{
    vector_four column[RADAU_STAGES_MAX];
    for (int32_t k = 0; k < cols; k++)
        column[k] = *(const vector_four *)(in + k * stride);
    for (int32_t i = 0; i < rows; i++) {
        vector_four sum = m[i * cols] * column[0];
        for (int32_t k = 1; k < cols; k++)
            sum += m[i * cols + k] * column[k];
        *(vector_four *)(out + i * stride) = sum;
    }
}

WIDE_INLINE void mix_wide_sized(int32_t rows, int32_t cols, const double *m, const double *in,
                                double *out, int32_t stride)
{
    int32_t j = 0;
    for (; j + 4 <= stride; j += 4)
        mix_fours(rows, cols, m, in + j, out + j, stride);
    if (j < stride)
        mix_columns(1, rows, cols, m, in + j, out + j, stride);
}

/* With as many rows as columns (square), or with one row: the sizes are numbers of the compiler
 * after inlining. */
WIDE_INLINE void mix_wide_stages(bool square, int32_t s, const double *m, const double *in,
                                 double *out, int32_t stride)
{
    switch (s) {
    case 1:
        mix_wide_sized(1, 1, m, in, out, stride);
        break;
    case 3:
        mix_wide_sized(square ? 3 : 1, 3, m, in, out, stride);
        break;
    case 5:
        mix_wide_sized(square ? 5 : 1, 5, m, in, out, stride);
        break;
    default:
        mix_wide_sized(square ? 7 : 1, 7, m, in, out, stride);
    }
}

WIDE_TARGET void radau_mix_wide(int32_t s, const double *m, const double *in, double *out,
                                int32_t stride)
{
    mix_wide_stages(true, s, m, in, out, stride);
}

WIDE_TARGET void radau_combine_wide(int32_t s, const double *m, const double *in, double *out,
                                    int32_t stride)
{
    mix_wide_stages(false, s, m, in, out, stride);
}
