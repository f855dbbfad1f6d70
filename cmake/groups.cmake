# groups.cmake - compile the library in less time, for the Python package that users build (DAEDAL_GROUPS).
#
# Three things, measured on gcc 12, in seconds of processor time of 86 for the library:
#   * the folders that the package does not need are left out (8);
#   * the folders that do not compute, those of the language, of the analysis and of reports, are optimised
#     less (17): runs execute 0.1 to 2 % more instructions, the analysis of a large model 4 %.  The others
#     keep -O3: with -O2 runs would execute 2 to 20 % more;
#   * several sources are compiled at once, which saves starts of the compiler and reading of headers (12).
set(DAEDAL_UNUSED_BY_PYTHON adjoint boundary plot) # python/tests/test_extension.py compares
set(DAEDAL_OPTIMISED_LESS api clocks fit flat flatten graph index initial instantiate lang library linear
    output pencil reduce report sweep symbolic tables verify adjoint boundary plot)

# Replace the list of sources by files that include them.
function(group_sources list)
    find_program(DAEDAL_GROUPS_PYTHON NAMES python3 REQUIRED)
    set(left_out)
    if(DAEDAL_PYTHON STREQUAL "WHEEL")
        set(left_out ${DAEDAL_UNUSED_BY_PYTHON})
    endif()
    execute_process(COMMAND ${DAEDAL_GROUPS_PYTHON} -B ${PROJECT_SOURCE_DIR}/tools/group_sources.py
                            ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/groups ${left_out}
                    OUTPUT_VARIABLE files OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" files "${files}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${${list}})
    foreach(file ${files})
        get_filename_component(name ${file} NAME)
        string(REGEX REPLACE "_[0-9]+\\.c$" "" folder ${name})
        set(options -Wno-shadow) # a variable may have the name of a function of another source
        if(folder IN_LIST DAEDAL_OPTIMISED_LESS AND CMAKE_BUILD_TYPE STREQUAL "Release")
            list(APPEND options -O1)
        endif()
        set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${options}")
    endforeach()
    set(${list} ${files} PARENT_SCOPE)
endfunction()
