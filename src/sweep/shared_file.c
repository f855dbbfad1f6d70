/* sweep/shared_file.c - see shared_file.h. */
#define _POSIX_C_SOURCE 200809L
#include "sweep/shared_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Locks are taken on single bytes far behind the end of any file. */
static const uint64_t FIRST_LOCK = UINT64_C(1) << 61;

FILE *shared_file_open(const char *path)
{
    int descriptor = open(path, O_RDWR | O_CREAT, 0666);
    if (descriptor < 0)
        return NULL;
    FILE *file = fdopen(descriptor, "r+b");
    if (file)
        setvbuf(file, NULL, _IONBF, 0); /* what others write must be seen */
    else
        close(descriptor);
    return file;
}

bool shared_file_empty(FILE *file)
{
    return ftruncate(fileno(file), 0) == 0;
}

static bool set_lock(FILE *file, uint32_t number, int command, short kind)
{
    struct flock lock = {
        .l_type = kind, .l_whence = SEEK_SET, .l_start = (off_t)(FIRST_LOCK + number), .l_len = 1};
    int result;
    do
        result = fcntl(fileno(file), command, &lock);
    while (result < 0 && errno == EINTR && command == F_SETLKW);
    return result == 0;
}

bool shared_file_try_lock(FILE *file, uint32_t number)
{
    return set_lock(file, number, F_SETLK, F_WRLCK);
}

bool shared_file_wait_lock(FILE *file, uint32_t number)
{
    return set_lock(file, number, F_SETLKW, F_WRLCK);
}

void shared_file_unlock(FILE *file, uint32_t number)
{
    set_lock(file, number, F_SETLK, F_UNLCK);
}
