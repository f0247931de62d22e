# README's programs are extracted, built and run; their output is compared with README's.
set(readme "${PROJECT_SOURCE_DIR}/README.md")
set(folder "${CMAKE_CURRENT_BINARY_DIR}/readme")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${readme}")
file(READ "${readme}" text)

# strata_readme_program(<file>): the C++ block that begins with "// <file>".
function(strata_readme_program file)
  string(FIND "${text}" "```cpp\n// ${file}\n" start)
  if(start EQUAL -1)
    message(FATAL_ERROR "README.md has no program ${file}")
  endif()
  math(EXPR start "${start} + 7")
  string(SUBSTRING "${text}" ${start} -1 program)
  string(FIND "${program}" "\n```" end)
  string(SUBSTRING "${program}" 0 ${end} program)
  file(CONFIGURE OUTPUT "${folder}/${file}" CONTENT "${program}\n" @ONLY)

  get_filename_component(name "${file}" NAME_WE)
  add_executable(readme_${name} "${folder}/${file}")
  strata_target_defaults(readme_${name})
  # In errors, the file has no folder, as if compiled in its own folder.
  target_compile_options(readme_${name} PRIVATE "-fmacro-prefix-map=${folder}/=")
  target_link_libraries(readme_${name} PRIVATE Strata::strata)
  add_test(NAME "readme: ${file}"
    COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tests/text/readme_test.py"
            "${readme}" "${file}" $<TARGET_FILE:readme_${name}>)
endfunction()

# strata_excerpt(<page> <file>): the page shows lines of the file.
function(strata_excerpt page file)
  add_test(NAME "${page}: ${file}"
    COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tests/text/excerpt_test.py"
            ${page} ${file} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
endfunction()
strata_excerpt(README.md examples/gpu/product.h)
foreach(file CMakeLists.txt smooth_generator.cpp)
  strata_excerpt(docs/install.md tests/install/consumer/${file})
endforeach()
foreach(file CMakeLists.txt host.c)
  strata_excerpt(docs/models.md examples/model/${file})
endforeach()
strata_excerpt(docs/mpi.md tests/install/consumer/ranks.c)
foreach(file tutorial.cpp product_generator.cpp app.cpp)
  strata_excerpt(docs/tutorial.md examples/tutorial/${file})
endforeach()

strata_readme_program(smooth.cpp)
strata_readme_program(running_sum.cpp)
strata_readme_program(gpu_blur.cpp)
include(GpuTests)
strata_test_on_pocl("readme: gpu_blur.cpp")
