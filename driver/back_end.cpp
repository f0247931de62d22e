#include "driver/back_end.h"

#include <cstdlib>

namespace strata {

namespace {

std::string names_of_back_ends() {
  std::string names;
  for (const BackEnd& one : back_ends())
    names += (names.empty() ? "\"" : " or \"") + one.name + "\"";
  return names;
}

}  // namespace

const std::vector<BackEnd>& back_ends() {
#ifdef STRATA_HAS_HALIDE
  static const std::vector<BackEnd> all{halide_back_end(), c_back_end()};
#else
  static const std::vector<BackEnd> all{c_back_end()};
#endif
  return all;
}

const std::map<std::string, std::string>& back_ends_left_out() {
  static const std::map<std::string, std::string> all{
#ifndef STRATA_HAS_HALIDE
      {"halide", "build Strata with -DSTRATA_HALIDE=ON"},
#endif
  };
  return all;
}

const BackEnd& back_end_of(const CodegenOptions& options, const Request& request) {
  const char* const variable = std::getenv("STRATA_BACKEND");
  const std::string chosen = !options.backend.empty() ? options.backend
                             : variable && *variable  ? variable
                                                      : back_ends().front().name;
  for (const BackEnd& one : back_ends())
    if (one.name == chosen) return one;
  const auto left_out = back_ends_left_out().find(chosen);
  if (left_out == back_ends_left_out().end())
    throw request.refused(Code::E0106_bad_argument, "there is no back end " + chosen,
                          "take " + names_of_back_ends());
  throw request.refused(Code::E0106_bad_argument, "this build has no back end " + chosen,
                        "take " + names_of_back_ends() + ", or " + left_out->second);
}

}  // namespace strata
