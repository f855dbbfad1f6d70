# embed_models.cmake - the models as a C table:  cmake -DMODELS=DIR -DOUT=FILE.c -P embed_models.cmake
# Bytes, not string literals: no length limit, nothing to escape.
file(GLOB files ${MODELS}/*.mo)
list(SORT files)
set(texts "")
set(rows "")
set(count 0)
foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} text)
    if(NOT text MATCHES "(^|\n)model[ ]+[A-Za-z0-9_]+[ \n]+\"([^\"\\]*)\"")
        message(FATAL_ERROR "${file}: begin with  model Name \"what it shows\"")
    endif()
    set(summary "${CMAKE_MATCH_2}")
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)"
           "\\1\n" bytes "${bytes}")
    string(APPEND texts "static const unsigned char text_${name}[] = {\n${bytes}0};\n")
    string(APPEND rows "    {\"${name}\", \"${summary}\", text_${name}, sizeof text_${name} - 1},\n")
    math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUT} "/* Written by embed_models.cmake from models/. */\n#include \"examples.h\"\n\n${texts}\n"
     "const example examples[] = {\n${rows}};\nconst size_t n_examples = ${count};\n")
