/* support/exported_model.c - see exported_model.h. */
#define _POSIX_C_SOURCE 200809L
#include "exported_model.h"

#include "flatten/flatten.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef DAEDAL_TEST_CC
#define DAEDAL_TEST_CC "cc"
#endif

static bool complain(exported_model *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(c->error, sizeof c->error, format, args);
    va_end(args);
    return false;
}

static bool read_model(exported_model *c, const char *name, const char *text)
{
    if (!compilation_create(&c->front, NULL, 0))
        return complain(c, "out of memory");
    const ast_file *file =
        text ? parse_text(&c->front, name, text, strlen(text)) : parse_file(&c->front, name);
    c->flat = file ? flatten(&c->front, file, NULL, 0) : NULL;
    if (!c->flat) {
        if (c->front.sources.n_messages)
            source_format(&c->front.sources, &c->front.sources.message[0], c->error,
                          sizeof c->error);
        return false;
    }
    if (model_create(&c->m, c->flat, NULL) != DAEDAL_OK)
        return complain(c, "%s", model_message(&c->m));
    return true;
}

static int write_file(const char *text, size_t length, void *user)
{
    return fwrite(text, 1, length, user) == length ? DAEDAL_CALL_OK : DAEDAL_CALL_STOP;
}

/* The prefix of the exported names, as the first words of the file tell. */
static bool read_prefix(FILE *file, char prefix[64])
{
    rewind(file);
    return fscanf(file, "/* %60[A-Za-z0-9_]:", prefix) == 1;
}

static bool write_source(exported_model *c, const char *path)
{
    char p[64] = "";
    FILE *file = fopen(path, "w+");
    if (!file)
        return complain(c, "%s cannot be written", path);
    daedal_status status = report_export_c(c->m.compiled, write_file, file);
    bool fine = status == DAEDAL_OK && read_prefix(file, p);
    fseek(file, 0, SEEK_END);
    fprintf(file,
            "extern const int compiled_size[4];\n"
            "const int compiled_size[4] = {%s_n, %s_nnz, %s_inputs, %s_work};\n",
            p, p, p, p);
    fprintf(file,
            "extern const int32_t *const compiled_data[2];\n"
            "const int32_t *const compiled_data[2] = {%s_start, %s_row};\n",
            p, p);
    fprintf(file,
            "void compiled_bare(double *w, double *o);\n"
            "void compiled_bare(double *w, double *o)\n{\n    %s_f(w, w + %s_values, o);\n}\n",
            p, p);
    for (int k = 0; k < 2; k++) {
        const char *which = k ? "jacobian" : "residual";
        const char *list = "double t, const double *y, const double *yp, const double *d, "
                           "double *w, double *o";
        fprintf(file, "void compiled_%s(%s);\n", which, list);
        fprintf(file, "void compiled_%s(%s)\n{\n    %s_%s(t, y, yp, d, w, o);\n}\n", which, list, p,
                which);
    }
    fine = fclose(file) == 0 && fine;
    return fine || complain(c, "not exported: %s", model_message(&c->m));
}

static bool run_compiler(exported_model *c, const char *folder, const char *flags)
{
    char command[1024];
    snprintf(command, sizeof command,
             "%s -std=c11 -shared -fPIC %s -o %s/model.so %s/model.c -lm 2>%s/log", DAEDAL_TEST_CC,
             flags, folder, folder, folder);
    if (system(command) == 0)
        return true;
    snprintf(command, sizeof command, "%s/log", folder);
    FILE *log = fopen(command, "r");
    size_t n = log ? fread(c->error, 1, sizeof c->error - 1, log) : 0;
    c->error[n] = '\0';
    if (log)
        fclose(log);
    return false;
}

static bool load_object(exported_model *c, const char *folder)
{
    char path[256];
    snprintf(path, sizeof path, "%s/model.so", folder);
    c->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!c->object)
        return complain(c, "%s", dlerror());
    void *residual = dlsym(c->object, "compiled_residual");
    void *jacobian = dlsym(c->object, "compiled_jacobian");
    void *bare = dlsym(c->object, "compiled_bare");
    const int32_t *const *data = dlsym(c->object, "compiled_data");
    c->size = dlsym(c->object, "compiled_size");
    if (!residual || !jacobian || !bare || !data || !c->size)
        return complain(c, "a symbol is missing");
    memcpy(&c->residual, &residual, sizeof residual); /* ISO C has no such conversion */
    memcpy(&c->jacobian, &jacobian, sizeof jacobian);
    memcpy(&c->bare_residual, &bare, sizeof bare);
    c->start = data[0];
    c->row = data[1];
    return true;
}

static bool list_inputs(exported_model *c)
{
    int n = 0;
    c->input = calloc(c->m.compiled->values->place.n, sizeof *c->input);
    for (uint32_t slot = c->m.compiled->values->place.discrete;
         c->input && slot < c->m.compiled->values->place.n; slot++)
        if (c->m.compiled->is_read[slot])
            c->input[n++] = slot;
    return (c->input && n == c->size[2]) || complain(c, "another number of inputs");
}

static void remove_folder(const char *folder)
{
    const char *const names[] = {"model.c", "model.so", "log"};
    char path[256];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        remove(path);
    }
    rmdir(folder);
}

bool exported_model_open(exported_model *c, const char *name, const char *text, const char *flags)
{
    char folder[] = "/tmp/daedal_export_XXXXXX", path[64];
    *c = (exported_model){0};
    if (!read_model(c, name, text))
        return false;
    if (!mkdtemp(folder))
        return complain(c, "no folder for the C file");
    snprintf(path, sizeof path, "%s/model.c", folder);
    bool fine = write_source(c, path) && run_compiler(c, folder, flags) && load_object(c, folder) &&
                list_inputs(c);
    remove_folder(folder);
    return fine;
}

void exported_model_close(exported_model *c)
{
    if (c->object)
        dlclose(c->object);
    free(c->input);
    model_free(&c->m);
    if (c->flat)
        flat_free(c->flat);
    compilation_free(&c->front);
}
