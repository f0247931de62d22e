#include "codegen/entry/contract.h"

#include <strata/runtime.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "codegen/entry/library_names.h"
#include "codegen/refusal.h"

namespace strata {

namespace {

// The keywords of C11 and C++20, and the names that the header itself uses.
// clang-format off
constexpr std::string_view taken[] = {
    "alignas",      "alignof",      "and",              "and_eq",
    "asm",          "auto",         "bitand",           "bitor",
    "bool",         "break",        "case",             "catch",
    "char",         "char16_t",     "char32_t",         "char8_t",
    "class",        "co_await",     "co_return",        "co_yield",
    "compl",        "concept",      "const",            "const_cast",
    "consteval",    "constexpr",    "constinit",        "continue",
    "decltype",     "default",      "delete",           "do",
    "double",       "dynamic_cast", "else",             "enum",
    "explicit",     "export",       "extern",           "false",
    "float",        "for",          "friend",           "goto",
    "if",           "inline",       "int",              "int16_t",
    "int32_t",      "int64_t",      "int8_t",           "long",
    "mutable",      "namespace",    "new",              "noexcept",
    "not",          "not_eq",       "nullptr",          "operator",
    "or",           "or_eq",        "private",          "protected",
    "public",       "register",     "reinterpret_cast", "requires",
    "restrict",     "return",       "short",            "signed",
    "sizeof",       "static",       "static_assert",    "static_cast",
    "struct",       "switch",       "template",         "this",
    "thread_local", "throw",        "true",             "try",
    "typedef",      "typeid",       "typename",         "uint16_t",
    "uint32_t",     "uint64_t",     "uint8_t",          "union",
    "unsigned",     "using",        "virtual",          "void",
    "volatile",     "wchar_t",      "while",            "xor",
    "xor_eq"};
// clang-format on

bool is_name(const std::string& name) {
  const auto letter = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
  if (name.empty() || !letter(name[0])) return false;
  if (is_word_of_c(name)) return false;
  return std::all_of(name.begin(), name.end(),
                     [&](unsigned char c) { return letter(c) || std::isdigit(c); });
}

void take_name(std::set<std::string>& used, const std::string& name, const std::string& what) {
  if (!is_name(name))
    throw refused(Code::E0105_bad_name,
                  "'" + name + "', " + what + ", is not a valid name in C and C++",
                  "use letters, digits and underscores, but no keyword of these languages");
  if (!used.insert(name).second)
    throw refused(Code::E0105_bad_name, what + " has the name '" + name + "', which is taken",
                  "give it another name");
}

void check_buffer(const ArgumentBuffer& b, const std::string& kernel) {
  if (b.lowers.size() != b.uppers.size() || b.lowers.size() > STRATA_MAX_RANK)
    throw cannot_generate("the buffer " + b.name + " of " + kernel + " has " +
                          std::to_string(b.lowers.size()) + " lower and " +
                          std::to_string(b.uppers.size()) + " upper bounds, at most " +
                          std::to_string(STRATA_MAX_RANK) + " are possible");
}

// A kernel with such a name could replace a function that it needs itself.
void check_name(const std::string& kernel) {
  for (const char* const prefix : {"halide_", "strata_"})
    if (kernel.starts_with(prefix))
      throw refused(Code::E0105_bad_name, "the function " + kernel + " has a name of the runtime",
                    std::string("choose a name that does not begin with ") + prefix);
  if (is_library_function(kernel))
    throw refused(Code::E0105_bad_name,
                  "the function " + kernel + " has a name of the library of C",
                  "choose another name, for example " + kernel + "_kernel");
}

void check_kernel(const Kernel& kernel) {
  std::set<std::string> arguments, buffers;
  for (const std::string& name : kernel.parameters)
    take_name(arguments, name, "a parameter of " + kernel.name);
  for (const ScalarArgument& s : kernel.scalars)
    take_name(arguments, s.name, "a scalar of " + kernel.name);
  for (const KernelPartition& p : kernel.partitions)
    take_name(arguments, p.name, "a partition of " + kernel.name);
  if (!kernel.partitions.empty()) take_name(arguments, "team", "the team of " + kernel.name);
  for (const ArgumentBuffer& b : kernel.buffers) {
    take_name(arguments, b.name, "a buffer of " + kernel.name);
    check_buffer(b, kernel.name);
    buffers.insert(b.name);
  }
  for (const auto& [a, b] : kernel.may_overlap)
    if (!buffers.count(a) || !buffers.count(b))
      throw cannot_generate("'" + a + "' and '" + b +
                            "' may overlap, but are not both buffers of " + kernel.name);
}

}  // namespace

bool is_word_of_c(const std::string& name) {
  return std::find(std::begin(taken), std::end(taken), name) != std::end(taken);
}

void check_contract(const std::vector<Kernel>& kernels) {
  std::set<std::string> names;
  for (const Kernel& kernel : kernels) {
    take_name(names, kernel.name, "a kernel");
    if (!kernel.partitions.empty())
      for (const char* const box : {"_box", "_owned"})
        take_name(names, kernel.name + box, "a function of " + kernel.name);
    check_name(kernel.name);
    check_kernel(kernel);
  }
}

}  // namespace strata
