# Installs ${build} into ${scratch}/prefix, moves the installation, builds a copy of ${consumer}
# against it and runs its tests.

include("${CMAKE_CURRENT_LIST_DIR}/../script.cmake")

run("${CMAKE_COMMAND}" --install "${build}" --prefix "${scratch}/first")
file(RENAME "${scratch}/first" "${scratch}/prefix")
file(COPY "${consumer}" DESTINATION "${scratch}")
run("${CMAKE_COMMAND}" -S "${scratch}/consumer" -B "${scratch}/build" -G "${generator}"
    "-DCMAKE_PREFIX_PATH=${scratch}/prefix" ${options})
run("${CMAKE_COMMAND}" --build "${scratch}/build")
run("${scratch}/prefix/bin/strata-runtime" host "${scratch}/libstrata_runtime.a" "${cc}")
run("${CMAKE_CTEST_COMMAND}" --test-dir "${scratch}/build" --output-on-failure --no-tests=error)
