# How many jobs a build runs at a time (Ninja), so that it stays below the machine's memory: no more
# than fit into it, however many processors there are.
set(STRATA_TREES 1 CACHE STRING
    "How many trees build at a time on this machine: each takes its share of the memory")

# The memory in MiB, which a container may limit.
function(strata_find_memory out)
  cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)
  set(limit /sys/fs/cgroup/memory.max)
  if(EXISTS "${limit}")
    file(STRINGS "${limit}" bytes LIMIT_COUNT 1)
    if(bytes MATCHES "^[0-9]+$")
      math(EXPR allowed "${bytes} / 1048576")
      if(allowed LESS memory)
        set(memory ${allowed})
      endif()
    endif()
  endif()
  set(${out} ${memory} PARENT_SCOPE)
endfunction()

# The most that a compiler or a linker takes, in MiB, as CONTRIBUTING.md says: 0.85 GB, with
# sanitizers 2 GB.
set(most_of_a_job 870)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(most_of_a_job 2048)
endif()
strata_find_memory(memory)
math(EXPR jobs "${memory} / (${STRATA_TREES} * ${most_of_a_job})")
if(jobs LESS 1)
  set(jobs 1)
endif()
message(VERBOSE "at most ${jobs} jobs at a time: ${memory} MiB for ${STRATA_TREES} trees")
set_property(GLOBAL APPEND PROPERTY JOB_POOLS strata=${jobs})
set(CMAKE_JOB_POOL_COMPILE strata)
set(CMAKE_JOB_POOL_LINK strata)
set(CMAKE_JOB_POOL_PRECOMPILE_HEADER strata)
