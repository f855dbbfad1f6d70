/* output/little_endian.h - reads little-endian numbers from the bytes of a file.
 *
 * Depends on: libc.                                                             */
#ifndef DAEDAL_OUTPUT_LITTLE_ENDIAN_H
#define DAEDAL_OUTPUT_LITTLE_ENDIAN_H

#include <stdint.h>
#include <string.h>

static inline uint64_t little_endian(const char *bytes, size_t n)
{
    uint64_t value = 0;
    for (size_t k = n; k-- > 0;)
        value = value << 8 | (unsigned char)bytes[k];
    return value;
}

static inline double little_endian_f64(const char *bytes)
{
    uint64_t bits = little_endian(bytes, 8);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline float little_endian_f32(const char *bytes)
{
    uint32_t bits = (uint32_t)little_endian(bytes, 4);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
#endif
