/* api/model_text.h - from a file, a text or the name of a class to the syntax of a flat model.
 *
 * Responsibility: decides whether a text is flat or has components, and finds libraries.
 * Depends on: instantiate/.                                                        */
#ifndef DAEDAL_API_MODEL_TEXT_H
#define DAEDAL_API_MODEL_TEXT_H

#include "instantiate/instantiate.h"

typedef struct text_source {
    const char *path, *name, *text; /* path NULL: the text */
    size_t length;
} text_source;

/* A text that has been read. */
typedef struct model_text {
    const ast_file *file; /* flat, or NULL */
    const source *source; /* of the text, or NULL */
    bool has_components;  /* also without a text: the path is the name of a class */
} model_text;

/* Reads the text; false with errors in c->sources. */
bool model_text_read(compilation *c, const text_source *from, const char *libraries,
                     model_text *text);
/* Sets the directories in which packages are sought: that of the file, then the libraries, which
 * are separated by ':'.  false: out of memory. */
bool model_text_paths(compilation *c, const text_source *from, const char *libraries,
                      instantiate_options *options);
/* The syntax of the flat model; NULL with errors in c->sources.  libraries are directories,
 * separated by ':', or NULL. */
const ast_file *model_text_flat(compilation *c, const text_source *from, const model_text *text,
                                const char *libraries, const instantiate_options *changes);
#endif
