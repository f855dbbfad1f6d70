/* lanes/lane_kernels.c - see lane_state.h: the kernel for each width, and which one this processor
 * has.  All of them compute the same bits.                                        */
#include <math.h>

#include "expr/tape_runs.h"
#include "lanes/lane_state.h"

enum { LANE_CONTINUOUS = 3 }; /* level of a tape above which its inputs change in a step */

/* Of Rodas5P, as constants: stages that follow the one before, stages at the end of the step. */
enum { LANE_FOLLOWS = 6, LANE_AT_END = 5 };

#if defined(__clang__) /* it unrolls by itself */
#define LANE_UNROLLED
#else
#define LANE_UNROLLED _Pragma("GCC unroll 8")
#endif

#define LANE_WIDTH 2
#define LANE_TARGET
#define LANE_NAME(name) name##_2
#include "lanes/lane_kernel.h"

#if defined(__x86_64__)
#define LANE_WIDTH 4
#define LANE_TARGET __attribute__((target("avx2")))
#define LANE_NAME(name) name##_4
#include "lanes/lane_kernel.h"

#define LANE_WIDTH 8
#define LANE_TARGET __attribute__((target("avx512f")))
#define LANE_NAME(name) name##_8
#include "lanes/lane_kernel.h"
#endif

const lane_kernel *lane_kernel_choose(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return &kernel_8;
    if (__builtin_cpu_supports("avx2"))
        return &kernel_4;
#endif
    return &kernel_2;
}
