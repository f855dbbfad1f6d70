# FindKLU - SuiteSparse's KLU with BTF, AMD, COLAMD and the common configuration.
#
# Defines the target KLU::KLU and the list KLU_LIBRARIES.  Installed beside
# daedalConfig.cmake, because the static library passes KLU on.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(klu_needs KLU_INCLUDE_DIR)
set(KLU_LIBRARIES "")
foreach(part klu btf amd colamd suitesparseconfig) # in link order
    string(TOUPPER ${part} upper)
    find_library(KLU_${upper}_LIBRARY ${part})
    list(APPEND klu_needs KLU_${upper}_LIBRARY)
    list(APPEND KLU_LIBRARIES ${KLU_${upper}_LIBRARY})
    mark_as_advanced(KLU_${upper}_LIBRARY)
endforeach()
mark_as_advanced(KLU_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KLU
    REQUIRED_VARS ${klu_needs}
    REASON_FAILURE_MESSAGE "on Debian: apt-get install libsuitesparse-dev")

if(KLU_FOUND AND NOT TARGET KLU::KLU)
    add_library(KLU::KLU INTERFACE IMPORTED)
    set_target_properties(KLU::KLU PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${KLU_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${KLU_LIBRARIES}")
endif()
