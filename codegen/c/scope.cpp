#include "codegen/c/scope.h"

#include <algorithm>

#include "codegen/entry/contract.h"
#include "codegen/refusal.h"
#include "codegen/tree/index_math.h"

namespace strata::c {

namespace {

// Names of the headers that the text includes, and of the text itself.
const std::set<std::string>& names_of_headers() {
  static const std::set<std::string> names{
      "typeof", "free",     "memcpy",    "sqrt",    "exp",        "log",       "sin",    "cos",
      "tan",    "asin",     "acos",      "atan",    "sinh",       "cosh",      "tanh",   "asinh",
      "acosh",  "atanh",    "erf",       "floor",   "ceil",       "nearbyint", "trunc",  "pow",
      "atan2",  "fabs",     "sqrtf",     "expf",    "logf",       "sinf",      "cosf",   "tanf",
      "asinf",  "acosf",    "atanf",     "sinhf",   "coshf",      "tanhf",     "asinhf", "acoshf",
      "atanhf", "erff",     "floorf",    "ceilf",   "nearbyintf", "truncf",    "powf",   "atan2f",
      "fabsf",  "INFINITY", "NAN",       "NULL",    "errno",      "stdin",     "stdout", "stderr",
      "names",  "facts",    "arguments", "checked", "linux",      "unix"};
  return names;
}

std::string as_word(const std::string& stem) {
  std::string word;
  for (const char c : stem) word += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return word.empty() || std::isdigit(static_cast<unsigned char>(word[0])) ? "x" + word : word;
}

}  // namespace

std::string Scope::fresh(const std::string& stem) {
  const std::string word = as_word(stem);
  const auto is_free = [&](const std::string& name) {
    return !is_word_of_c(name) && !names_of_headers().count(name) &&
           !names_of_functions->count(name) && !taken.count(name);
  };
  std::string name = word;
  for (int n = 1; !is_free(name); ++n) name = word + "_" + std::to_string(n);
  taken.insert(name);
  return name;
}

std::string Scope::fresh_function(const std::string& stem) {
  const std::string name = fresh(stem);
  names_of_functions->insert(name);
  return name;
}

void Scope::declare_profile() {
  (*prototypes)["strata_profile_begin"] = "extern int64_t strata_profile_begin(void);";
  (*prototypes)["strata_profile_end"] =
      "extern int strata_profile_end(const char *, const char *, int64_t, int64_t);";
}

Expr Scope::in_c(const std::string& name) {
  const std::string key = "in C: " + name;
  names[key] = name;
  return variable(key);
}

Expr Scope::position(const View& view, const std::vector<Expr>& indices) const {
  Expr sum = constant(Type::int64, 0);
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const Expr index = view.origins.empty() ? indices[d] : indices[d] - view.origins[d];
    sum = sum + index * view.strides[d];
  }
  return simplified(sum);
}

const View& view_of(const Scope& scope, const std::string& buffer) {
  const auto found = scope.buffers.find(buffer);
  if (found == scope.buffers.end()) throw cannot_generate("there is no buffer " + buffer + " here");
  return found->second;
}

std::string note_of(Scope& scope, const std::string& what, const Expr& lower, const Expr& upper) {
  const auto found = std::find_if(scope.notes->begin(), scope.notes->end(),
                                  [&](const Note& note) { return note.what == what; });
  if (found != scope.notes->end()) return found->variable;
  scope.notes->push_back(
      {scope.fresh(upper.defined() ? "wrong_index" : "missing"), what, lower, upper});
  return scope.notes->back().variable;
}

}  // namespace strata::c
