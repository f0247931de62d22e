# `cmake --install`: the libraries, the headers and a CMake package with the targets Strata::strata
# (for generators), Strata::runtime and Strata::shared_runtime (for programs and shared libraries
# that link what a generator wrote), with MPI also Strata::mpi and Strata::shared_mpi; and files for
# pkg-config.

include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Strata")
set(halide_folder "${CMAKE_INSTALL_LIBDIR}/strata")

install(TARGETS strata_runtime strata_shared_runtime EXPORT StrataRuntimeTargets)
set(library_targets
  strata_core strata_layers strata_schedule strata_drawing strata_codegen strata_automatic
  strata_viewer strata_halide strata_driver strata_dsl strata_tuning strata_vm strata_dim
  strata_tensor strata_evaluate strata_compile strata_operator strata_ops strata_ir
  strata_graph_text strata_builder strata_onnx strata_fuse strata_run strata_pass strata_graph_page
  strata_build strata_library strata_graph)
install(TARGETS ${library_targets} EXPORT StrataTargets)
install(TARGETS strata_save_model EXPORT StrataTargets RUNTIME DESTINATION libexec/strata)
set(exports StrataRuntimeTargets StrataTargets)
set(packages strata strata-runtime strata-shared-runtime)
set(package_targets ${library_targets} strata_save_model strata_runtime strata_shared_runtime strata_emit_runtime)
if(STRATA_HAS_MPI)
  install(TARGETS strata_mpi strata_shared_mpi EXPORT StrataMpiTargets)
  list(APPEND exports StrataMpiTargets)
  list(APPEND packages strata-mpi)
  list(APPEND package_targets strata_mpi strata_shared_mpi)
endif()
foreach(export IN LISTS exports)
  install(EXPORT ${export} NAMESPACE Strata:: DESTINATION "${package_folder}")
endforeach()

# Halide's library, so that what is installed needs neither its package nor the build tree.
# It gets the name by which programs that link it will ask for it.
get_target_property(halide_configurations Halide::Halide IMPORTED_CONFIGURATIONS)
list(GET halide_configurations 0 halide_configuration)
get_target_property(halide_soname Halide::Halide IMPORTED_SONAME_${halide_configuration})
if(NOT halide_soname)
  get_target_property(halide_soname Halide::Halide IMPORTED_LOCATION_${halide_configuration})
endif()
get_filename_component(halide_soname "${halide_soname}" NAME)
install(FILES "$<TARGET_FILE:Halide::Halide>" DESTINATION "${halide_folder}"
        RENAME "${halide_soname}")

# The runtime for other machines: the script looks for the rest in these folders.
file(GLOB sources "${PROJECT_SOURCE_DIR}/runtime/*.c" "${PROJECT_SOURCE_DIR}/runtime/*.h"
     "${PROJECT_SOURCE_DIR}/runtime/*.inc")
install(FILES ${sources} DESTINATION share/strata/runtime)
install(TARGETS strata_emit_runtime RUNTIME DESTINATION libexec/strata)
set_target_properties(strata_emit_runtime strata_save_model PROPERTIES
  INSTALL_RPATH "$ORIGIN/../../${halide_folder}")
install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/runtime" DESTINATION bin RENAME strata-runtime)
install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/model" DESTINATION bin RENAME strata-model)

configure_package_config_file(cmake/StrataConfig.cmake.in StrataConfig.cmake
  INSTALL_DESTINATION "${package_folder}" PATH_VARS halide_folder)
write_basic_package_version_file(StrataConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH to_include "/${CMAKE_INSTALL_LIBDIR}" "/${CMAKE_INSTALL_INCLUDEDIR}")
foreach(package IN LISTS packages)
  configure_file(cmake/${package}.pc.in ${package}.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${package}.pc"
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
install(FILES
  "${CMAKE_CURRENT_BINARY_DIR}/StrataConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/StrataConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/StrataHelpers.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/StrataGenerated.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindIsl.cmake"
  DESTINATION "${package_folder}")
# What is installed, for a build without tests and examples.
add_custom_target(strata_package DEPENDS ${package_targets})
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

install(CODE "
  set(source \"${PROJECT_SOURCE_DIR}\")
  set(target \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/InstallHeaders.cmake\")")
