/* foreign/dynamic_call.c - see dynamic_call.h. */
#include "foreign/dynamic_call.h"

#include <stdio.h>
#include <string.h>

#ifdef DAEDAL_FOREIGN

#include <dlfcn.h>
#include <ffi.h>

void *foreign_open(const char *path, char why[FOREIGN_WHY_LENGTH])
{
    void *object = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!object) {
        const char *reason = dlerror();
        snprintf(why, FOREIGN_WHY_LENGTH, "%s", reason ? reason : "it cannot be loaded");
    }
    return object;
}

void foreign_close(void *object)
{
    if (object)
        dlclose(object);
}

foreign_function *foreign_find(void *object, const char *name)
{
    void *found = dlsym(object, name);
    foreign_function *f = NULL;
    memcpy(&f, &found, sizeof f); /* POSIX lets a function pass as a pointer to data */
    return f;
}

static ffi_type *type_of(foreign_type t)
{
    switch (t) {
    case FOREIGN_REAL:
        return &ffi_type_double;
    case FOREIGN_INTEGER:
        return &ffi_type_sint;
    case FOREIGN_SIZE:
        return sizeof(size_t) == 8 ? &ffi_type_uint64 : &ffi_type_uint32;
    case FOREIGN_POINTER:
        return &ffi_type_pointer;
    default:
        return &ffi_type_void;
    }
}

bool foreign_call(foreign_function *f, foreign_value *args, int n, foreign_value *result)
{
    ffi_cif call;
    ffi_type *types[FOREIGN_ARGS_MOST];
    void *values[FOREIGN_ARGS_MOST];
    union { /* results shorter than a register are widened */
        double real;
        ffi_arg word;
        void *pointer;
    } out = {0};
    if (n > FOREIGN_ARGS_MOST)
        return false;
    for (int i = 0; i < n; i++) {
        types[i] = type_of(args[i].type);
        values[i] = &args[i].real; /* all members begin here */
    }
    if (ffi_prep_cif(&call, FFI_DEFAULT_ABI, (unsigned)n, type_of(result->type), types) != FFI_OK)
        return false;
    ffi_call(&call, f, &out, values);
    if (result->type == FOREIGN_REAL)
        result->real = out.real;
    else if (result->type == FOREIGN_INTEGER)
        result->integer = (int)out.word;
    else
        result->pointer = out.pointer;
    return true;
}

#else

void *foreign_open(const char *path, char why[FOREIGN_WHY_LENGTH])
{
    (void)path;
    snprintf(why, FOREIGN_WHY_LENGTH, "daedal was built without libffi");
    return NULL;
}

void foreign_close(void *object)
{
    (void)object;
}

foreign_function *foreign_find(void *object, const char *name)
{
    (void)object, (void)name;
    return NULL;
}

bool foreign_call(foreign_function *f, foreign_value *args, int n, foreign_value *result)
{
    (void)f, (void)args, (void)n, (void)result;
    return false;
}

#endif
