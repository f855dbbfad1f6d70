/* output/npz_parts.h - headers and checksums of NPZ archives.
 *
 * A .npz file is a ZIP archive (PKWARE APPNOTE.TXT, sections 4.3.7, 4.3.12, 4.3.16) of .npy files
 * (numpy/lib/format.py: magic, version 1.0, a Python dictionary padded with blanks so that the data
 * begin at a multiple of 64).  Members are stored without compression and without a time stamp, so
 * that the same run gives the same file.
 * Depends on: output/sink.h.                                                    */
#ifndef DAEDAL_OUTPUT_NPZ_PARTS_H
#define DAEDAL_OUTPUT_NPZ_PARTS_H

#include "output/sink.h"

typedef struct npz_member {
    const char *name;   /* "t.npy"                                           */
    uint32_t crc, size; /* of what follows the local header                  */
    uint32_t offset;    /* of the local header, from the start of the archive */
} npz_member;

void npz_put_local_header(sink *to, const npz_member *m); /* 30 bytes and the name */
void npz_put_entry(sink *to, const npz_member *m);        /* of the central directory */
/* The end of the archive: n members, the central directory from `start` to `end`.  */
void npz_put_end(sink *to, size_t n, uint64_t start, uint64_t end);

/* The checksum over all bytes that a sink with `write = npz_sum_up` gets; `user` points to it.  It
 * begins with NPZ_CRC_BEGIN; its complement is what the headers have.             */
#define NPZ_CRC_BEGIN UINT32_MAX
sink_write_fn npz_sum_up;

/* The head of a .npy file: type "<f8", shape "3, 4" or "3,". */
void npy_put_header(sink *to, const char *type, const char *shape);
void npy_put_vector_header(sink *to, const char *type, size_t n);
/* A text as UTF-32, padded with zeros up to `width` characters. */
void npy_put_text(sink *to, const char *text, size_t width);
#endif
