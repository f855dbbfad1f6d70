/* sweep/shared_file.h - a file that several processes write at once.
 *
 * Responsibility: opening it, and numbered locks on it.  A lock belongs to one process and is
 * released when the process ends, however it ends, or when it closes the file.  Locks hold between
 * processes on one machine, and on several of them where the file system supports locks.
 * Depends on: libc, POSIX.                                                       */
#ifndef DAEDAL_SWEEP_SHARED_FILE_H
#define DAEDAL_SWEEP_SHARED_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Open the file for reading and writing without a buffer, or create it empty.  NULL: errno says
 * why.                                                                          */
FILE *shared_file_open(const char *path);
bool shared_file_empty(FILE *file); /* its length becomes zero; locks stay. false: errno says why */

/* Numbers of locks: one is held while the file is opened, one while it is completed, the others
 * have the meaning that the processes agree on.                                          */
enum { LOCK_OPENING, LOCK_CLOSING, LOCKS_FREE };

/* Take a lock if no other process has it, or wait for it.  false: another process has it, or the
 * file system has no locks (errno).                                             */
bool shared_file_try_lock(FILE *file, uint32_t number);
bool shared_file_wait_lock(FILE *file, uint32_t number);
void shared_file_unlock(FILE *file, uint32_t number);
#endif
