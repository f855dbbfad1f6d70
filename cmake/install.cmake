# Install rules: header, both libraries, daedal.pc, and the CMake package.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/daedal)

install(FILES include/daedal.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS daedal EXPORT daedalTargets)
install(TARGETS daedal_static EXPORT daedalStaticTargets)

# A library file as the linker flag that finds it: -lname in a system directory, else the path.
function(link_flag out library)
    get_filename_component(folder "${library}" DIRECTORY)
    get_filename_component(name "${library}" NAME_WE)
    string(REGEX REPLACE "^lib" "" name "${name}")
    if(library MATCHES "^-" OR folder STREQUAL "")
        set(flag "${library}")
        if(NOT flag MATCHES "^-")
            set(flag "-l${library}")
        endif()
    elseif(folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
        set(flag "-l${name}")
    else()
        set(flag "${library}")
    endif()
    set(${out} "${flag}" PARENT_SCOPE)
endfunction()

foreach(library ${KLU_LIBRARIES} ${LAPACK_LIBRARIES} ${ZLIB_LIBRARIES} ${foreign_libraries}
        ${CMAKE_THREAD_LIBS_INIT} m)
    link_flag(flag "${library}")
    list(APPEND private_flags ${flag})
endforeach()
list(REMOVE_DUPLICATES private_flags)
list(JOIN private_flags " " DAEDAL_LIBS_PRIVATE)
# Every path in daedal.pc is relative to the location of the file itself, so that
# `make install DESTDIR=...` and `cmake --install --prefix` both give a correct one.
file(RELATIVE_PATH DAEDAL_PC_UP "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" DAEDAL_PC_UP "${DAEDAL_PC_UP}")
configure_file(cmake/daedal.pc.in daedal.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/daedal.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

foreach(set daedalTargets daedalStaticTargets)
    install(EXPORT ${set} NAMESPACE daedal:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(cmake/daedalConfig.cmake.in
    ${PROJECT_BINARY_DIR}/daedalConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/daedalConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/daedalConfig.cmake
              ${PROJECT_BINARY_DIR}/daedalConfigVersion.cmake
              cmake/FindKLU.cmake
        DESTINATION ${package_dir})
