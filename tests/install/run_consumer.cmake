# Installs ${build} into ${scratch}/prefix, moves the installation, and builds a copy of ${consumer}
# against it, with each of ${cmakes} and, through pkg-config, without CMake; and runs its tests.

include("${CMAKE_CURRENT_LIST_DIR}/../script.cmake")

run("${CMAKE_COMMAND}" --install "${build}" --prefix "${scratch}/first")
file(RENAME "${scratch}/first" "${scratch}/prefix")
file(COPY "${consumer}" DESTINATION "${scratch}")

# Nothing that is read later names the folder of the build or of the sources.
file(GLOB_RECURSE texts "${scratch}/prefix/*.cmake" "${scratch}/prefix/*.pc" "${scratch}/prefix/*.h")
foreach(text IN LISTS texts)
  file(STRINGS "${text}" lines)
  foreach(folder "${build}" "${source}" "${scratch}/first")
    string(FIND "${lines}" "${folder}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${text} names ${folder}")
    endif()
  endforeach()
endforeach()

foreach(cmake IN LISTS cmakes)
  file(REMOVE_RECURSE "${scratch}/build")
  run("${cmake}" -S "${scratch}/consumer" -B "${scratch}/build" -G "${generator}"
      "-DCMAKE_PREFIX_PATH=${scratch}/prefix" ${options})
  run("${cmake}" --build "${scratch}/build")
  run("${CMAKE_CTEST_COMMAND}" --test-dir "${scratch}/build" --output-on-failure --no-tests=error)
endforeach()

run("${scratch}/prefix/bin/strata-runtime" host "${scratch}/libstrata_runtime.a" "${cc}")

# flags(<variable> <package>): what a compiler is given for it.
function(flags variable package)
  execute_process(COMMAND "${pkg_config}" --cflags --libs ${package} OUTPUT_VARIABLE text
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(list UNIX_COMMAND "${text}")
  set(${variable} "${list}" PARENT_SCOPE)
endfunction()
if(pkg_config)
  # Also from a folder with a space in its name.
  file(CREATE_LINK "${scratch}/prefix" "${scratch}/a prefix" SYMBOLIC)
  set(ENV{PKG_CONFIG_PATH} "${scratch}/a prefix/${libraries}/pkgconfig")
  flags(compiler_flags strata)
  flags(runtime_flags strata-runtime)
  separate_arguments(cxx_flags UNIX_COMMAND "${cxx_flags}")
  run("${cxx}" ${cxx_flags} "${consumer}/smooth_generator.cpp" ${compiler_flags} -o "${scratch}/generator")
  run("${scratch}/generator" "${scratch}")
  run("${cxx}" ${cxx_flags} "-I${consumer}/own" "-I${scratch}" "${consumer}/app.cpp" "${scratch}/smooth.o"
      ${runtime_flags} -o "${scratch}/app")
  run("${scratch}/app")
  flags(shared_flags strata-shared-runtime)
  run("${cc}" -shared "${scratch}/smooth.o" ${shared_flags} -o "${scratch}/libsmooth.so")
  run("${cxx}" ${cxx_flags} "-I${consumer}/own" "-I${scratch}" "${consumer}/app.cpp"
      "${scratch}/libsmooth.so" "-Wl,-rpath,${scratch}" ${shared_flags} -o "${scratch}/app_of_shared")
  run("${scratch}/app_of_shared")
  if(mpicc)
    flags(mpi_flags strata-mpi)
    run("${mpicc}" "${consumer}/ranks.c" ${mpi_flags} -o "${scratch}/ranks")
    run("${mpiexec}" -n 1 "${scratch}/ranks")
  endif()
endif()
