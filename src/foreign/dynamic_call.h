/* foreign/dynamic_call.h - functions of shared objects.
 *
 * Responsibility: loads a shared object, finds a function in it and calls it with arguments whose
 * types are known only at run time.  Without libffi or dlopen nothing can be loaded, and a message
 * says so.
 * Invariant: nothing is loaded unless the caller asks for it; who may ask is decided elsewhere.
 * Depends on: base/, and libffi where DAEDAL_FOREIGN is defined.                  */
#ifndef DAEDAL_FOREIGN_DYNAMIC_CALL_H
#define DAEDAL_FOREIGN_DYNAMIC_CALL_H

#include "base/arena.h"
#include "base/status.h"

enum { FOREIGN_ARGS_MOST = 64, FOREIGN_WHY_LENGTH = 512 };

typedef enum foreign_type {
    FOREIGN_NOTHING, /* void, as a result */
    FOREIGN_REAL,    /* double      */
    FOREIGN_INTEGER, /* int         */
    FOREIGN_SIZE,    /* size_t      */
    FOREIGN_POINTER  /* any pointer */
} foreign_type;

typedef struct foreign_value {
    foreign_type type;
    union {
        double real;
        int integer;
        size_t size;
        void *pointer;
    };
} foreign_value;

typedef void foreign_function(void);

/* Loads a shared object, or, if path is NULL, means the program itself and what it is linked with.
 * NULL with a reason.                                                            */
void *foreign_open(const char *path, char why[FOREIGN_WHY_LENGTH]);
void foreign_close(void *object);                               /* accepts NULL */
foreign_function *foreign_find(void *object, const char *name); /* or NULL */

/* Calls it; the type of the result is set before, its value afterwards.  false: too many arguments,
 * or nothing can be called.                                                      */
bool foreign_call(foreign_function *f, foreign_value *args, int n, foreign_value *result);
#endif
