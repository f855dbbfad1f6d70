/* integ/radau_mix.h - small matrices times the stages of a step.
 *
 * Responsibility: out_i = sum_k m_ik in_k over vectors that stand `stride` apart.  The number
 * of stages is known to the compiler in each case, so that a column of stages stays in
 * registers: with a variable number, small systems spend most of a step here.
 * Depends on: integ/radau_table.h, linalg/vector.h.                             */
#ifndef DAEDAL_INTEG_RADAU_MIX_H
#define DAEDAL_INTEG_RADAU_MIX_H

#include "integ/radau_table.h"
#include "linalg/vector.h"

#if defined(__GNUC__)
#define MIX_INLINE static inline __attribute__((always_inline))
#else
#define MIX_INLINE static inline
#endif

/* `pairs` pairs of neighbours of every vector at once. */
MIX_INLINE void mix_columns(int32_t pairs, int32_t rows, int32_t cols, const double *m,
                            const double *in, double *out, int32_t stride)
{
    vector_pair column[2 * RADAU_STAGES_MAX];
    for (int32_t k = 0; k < cols; k++)
        for (int32_t c = 0; c < pairs; c++)
            column[2 * k + c] = ((const vector_pair *)(in + k * stride))[c];
    for (int32_t i = 0; i < rows; i++) {
        vector_pair sum[2], by = vector_pair_of(m[i * cols]);
        for (int32_t c = 0; c < pairs; c++)
            sum[c] = by * column[c];
        for (int32_t k = 1; k < cols; k++) {
            by = vector_pair_of(m[i * cols + k]);
            for (int32_t c = 0; c < pairs; c++)
                sum[c] += by * column[2 * k + c];
        }
        for (int32_t c = 0; c < pairs; c++)
            ((vector_pair *)(out + i * stride))[c] = sum[c];
    }
}

/* stride is even. */
MIX_INLINE void mix_sized(int32_t rows, int32_t cols, const double *m, const double *in,
                          double *out, int32_t stride)
{
    int32_t j = 0;
    for (; j + 4 <= stride; j += 4)
        mix_columns(2, rows, cols, m, in + j, out + j, stride);
    if (j < stride)
        mix_columns(1, rows, cols, m, in + j, out + j, stride);
}

/* m has s columns, and s rows if it is square, else one; by rows. */
MIX_INLINE void mix_stages(bool square, int32_t s, const double *m, const double *in, double *out,
                           int32_t stride)
{
    switch (s) {
    case 1:
        mix_sized(1, 1, m, in, out, stride);
        break;
    case 3:
        mix_sized(square ? 3 : 1, 3, m, in, out, stride);
        break;
    case 5:
        mix_sized(square ? 5 : 1, 5, m, in, out, stride);
        break;
    default:
        mix_sized(square ? 7 : 1, 7, m, in, out, stride);
    }
}

/* The same by four elements at once where the processor has such registers; stride is at least 4.
 */
void radau_mix_wide(int32_t s, const double *m, const double *in, double *out, int32_t stride);
void radau_combine_wide(int32_t s, const double *m, const double *in, double *out, int32_t stride);

static inline bool mix_is_wide(int32_t stride)
{
    return stride >= 4 && vector_may_be_wide();
}

/* out_i = sum_k m_ik in_k, m being s x s by rows. */
static inline void radau_mix(int32_t s, const double *m, const double *in, double *out,
                             int32_t stride)
{
    if (mix_is_wide(stride))
        radau_mix_wide(s, m, in, out, stride);
    else
        mix_stages(true, s, m, in, out, stride);
}

/* out = a + b.  Loops over a few elements are short in pairs, and n is even. */
static inline void radau_add(int32_t n, const double *a, const double *b, double *out)
{
    for (int32_t j = 0; j < n; j += 2)
        *(vector_pair *)(out + j) = *(const vector_pair *)(a + j) + *(const vector_pair *)(b + j);
}

/* a -= b; n is even. */
static inline void radau_subtract(int32_t n, double *a, const double *b)
{
    for (int32_t j = 0; j < n; j += 2)
        *(vector_pair *)(a + j) -= *(const vector_pair *)(b + j);
}

/* a *= by; n is even. */
static inline void radau_scale(int32_t n, double by, double *a)
{
    vector_pair factor = vector_pair_of(by);
    for (int32_t j = 0; j < n; j += 2)
        *(vector_pair *)(a + j) *= factor;
}

/* out = sum_k m_k in_k */
static inline void radau_combine(int32_t s, const double *m, const double *in, double *out,
                                 int32_t stride)
{
    if (mix_is_wide(stride))
        radau_combine_wide(s, m, in, out, stride);
    else
        mix_stages(false, s, m, in, out, stride);
}
#endif
