// What generators of kernels for a device share: NAME FOLDER TARGET writes each kernel as
// FOLDER/KERNEL.o.
#pragma once

#include <strata/strata.h>

#include <cstdio>
#include <string>
#include <vector>

inline std::string folder;
inline strata::CodegenOptions options;

inline void generate(strata::Function& f, const std::vector<strata::Buffer>& arguments) {
  f.codegen(arguments, folder + "/" + f.name() + ".o", options);
}

// The exit status of a generator whose kernels "all" generates.
template <typename All>
int run_generator(int argc, char** argv, const All& all) try {
  if (argc != 3) return 2;
  folder = argv[1];
  options.target = argv[2];
  all();
  return 0;
} catch (const strata::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
