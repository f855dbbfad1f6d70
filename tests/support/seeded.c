/* support/seeded.c - see seeded.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "seeded.h"

static uint64_t next(seeded *s)
{
    s->state ^= s->state >> 12;
    s->state ^= s->state << 25;
    s->state ^= s->state >> 27;
    return s->state * 2685821657736338717u;
}

seeded seeded_begin(uint32_t seed)
{
    seeded s = {.state = 0x9E3779B97F4A7C15u * (seed + 1u), .seed = seed};
    for (int i = 0; i < 8; i++)
        next(&s);
    return s;
}

double seeded_uniform(seeded *s, double low, double high)
{
    return low + (high - low) * ((double)(next(s) >> 11) / 9007199254740992.0);
}

double seeded_ratio(seeded *s, double low, double high)
{
    return low * pow(high / low, seeded_uniform(s, 0.0, 1.0));
}

double seeded_sign(seeded *s)
{
    return next(s) >> 63 ? 1.0 : -1.0;
}

int32_t seeded_int(seeded *s, int32_t low, int32_t high)
{
    return low + (int32_t)((next(s) >> 33) % (uint64_t)(high - low + 1));
}

void seeded_fill(seeded *s, double *v, int32_t n, double size)
{
    for (int32_t i = 0; i < n; i++)
        v[i] = seeded_uniform(s, -size, size);
}

void seeded_require(const seeded *s, bool holds, const char *format, ...)
{
    if (holds)
        return;
    char message[256];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    fail_msg("seed %u: %s", (unsigned)s->seed, message);
}
