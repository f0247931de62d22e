# Finds isl and the GMP that it uses.
#   Isl_FOUND, Isl_VERSION, imported target Isl::isl

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_ISL QUIET isl)
endif()

find_path(Isl_INCLUDE_DIR isl/typed_cpp.h HINTS ${PC_ISL_INCLUDE_DIRS})
find_library(Isl_LIBRARY isl HINTS ${PC_ISL_LIBRARY_DIRS})
find_library(Isl_GMP_LIBRARY gmp HINTS ${PC_ISL_LIBRARY_DIRS})
mark_as_advanced(Isl_INCLUDE_DIR Isl_LIBRARY Isl_GMP_LIBRARY)

# isl's headers carry no version. typed_cpp.h, which is searched for, exists since 0.25.
if(PC_ISL_VERSION)
  set(Isl_VERSION "${PC_ISL_VERSION}")
elseif(Isl_INCLUDE_DIR)
  set(Isl_VERSION 0.25)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Isl
  REQUIRED_VARS Isl_LIBRARY Isl_INCLUDE_DIR Isl_GMP_LIBRARY
  VERSION_VAR Isl_VERSION
  REASON_FAILURE_MESSAGE "Install isl 0.25 or later and GMP: libisl-dev and libgmp-dev of Debian.")

if(Isl_FOUND AND NOT TARGET Isl::isl)
  add_library(Isl::isl UNKNOWN IMPORTED)
  set_target_properties(Isl::isl PROPERTIES
    IMPORTED_LOCATION "${Isl_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Isl_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${Isl_GMP_LIBRARY}")
endif()
