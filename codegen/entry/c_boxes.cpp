#include "codegen/entry/c_boxes.h"

#include <map>
#include <set>

#include "codegen/refusal.h"

namespace strata {

namespace {

std::string call_of(const std::string& function, const std::string& a, const std::string& b) {
  return function + "(" + a + ", " + b + ")";
}

// Expressions of parameters in C.
class InC {
 public:
  explicit InC(const std::map<std::string, std::string>& names) : names_(names) {}

  std::string operator()(const Expr& e) const {
    if (e.op() == Op::parameter) return names_.at(e.name());
    if (e.op() == Op::constant) return "INT64_C(" + std::to_string(e.node().integer) + ")";
    if (e.op() == Op::cast) return (*this)(e.args()[0]);
    if (e.op() == Op::negate) return "-" + (*this)(e.args()[0]);
    if (e.op() == Op::logical_not) return "!" + (*this)(e.args()[0]);
    if (e.op() == Op::select)
      return "(" + (*this)(e.args()[0]) + " ? " + (*this)(e.args()[1]) + " : " +
             (*this)(e.args()[2]) + ")";
    return of_two(e);
  }

 private:
  std::string of_two(const Expr& e) const {
    static const std::map<Op, std::string> signs{
        {Op::add, " + "}, {Op::sub, " - "},          {Op::mul, " * "},        {Op::eq, " == "},
        {Op::ne, " != "}, {Op::lt, " < "},           {Op::le, " <= "},        {Op::gt, " > "},
        {Op::ge, " >= "}, {Op::logical_and, " && "}, {Op::logical_or, " || "}};
    static const std::map<Op, std::string> functions{
        {Op::min, "strata_least"}, {Op::max, "strata_most"}, {Op::div, "strata_quotient"}};
    const auto sign = signs.find(e.op());
    const auto function = functions.find(e.op());
    if (e.args().size() != 2 || (sign == signs.end() && function == functions.end()))
      throw cannot_generate("the bound of a box is not a formula of parameters");
    const std::string a = (*this)(e.args()[0]), b = (*this)(e.args()[1]);
    return sign == signs.end() ? call_of(function->second, a, b) : "(" + a + sign->second + b + ")";
  }

  const std::map<std::string, std::string>& names_;
};

// Writes the functions of one kernel.
class Boxes {
 public:
  explicit Boxes(const Kernel& kernel) : kernel_(kernel) {
    for (const std::string& p : kernel.parameters) own(p);
    for (const SizeRead& size : kernel.sizes) own(size.parameter);
    for (const KernelPartition& p : kernel.partitions) own(p.name);
    for (const char* const name : {"ranks", "rank", "buffer", "min", "extent"})
      names_[name_of(name)] = fresh(name);
    for (const KernelPartition& p : kernel.partitions) {
      names_[p.first] = fresh(p.name + "_first");
      names_[p.last] = fresh(p.name + "_last");
    }
  }

  std::string function(const std::string& what, ArgumentBuffer::Around ArgumentBuffer::* box) {
    std::string out = "static inline int " + kernel_.name + what + "(" + arguments() + ") {\n";
    for (const KernelPartition& p : kernel_.partitions) out += block(p);
    out += "  switch (" + name("buffer") + ") {\n";
    for (std::size_t n = 0; n < kernel_.buffers.size(); ++n)
      out += one_case(n, kernel_.buffers[n].*box);
    return out + "    default:\n      return -1;\n  }\n}\n";
  }

 private:
  // Names of the functions' own arguments do not meet those of the program, in which they would be
  // names of parameters.
  static std::string name_of(const std::string& own) { return "." + own; }
  const std::string& name(const std::string& own) const { return names_.at(name_of(own)); }
  void own(const std::string& name) {
    taken_.insert(name);
    names_[name] = name;
  }
  std::string fresh(std::string name) {
    while (!taken_.insert(name).second) name += "_";
    return name;
  }

  std::string arguments() const {
    std::string list;
    for (const std::string& p : kernel_.parameters) list += "int64_t " + p + ", ";
    for (const SizeRead& size : kernel_.sizes) list += "int64_t " + size.parameter + ", ";
    for (const KernelPartition& p : kernel_.partitions) list += "const int64_t *" + p.name + ", ";
    return list + "int " + name("ranks") + ", int " + name("rank") + ", int " + name("buffer") +
           ", int64_t *" + name("min") + ", int64_t *" + name("extent");
  }

  // The bounds of the block. Parameters that no bound needs are named, for compilers that warn.
  std::string block(const KernelPartition& p) const {
    std::string out;
    for (const bool last : {false, true}) {
      const std::string at = name("rank") + (last ? " + 1" : "");
      const std::string& bound = names_.at(last ? p.last : p.first);
      out += "  const int64_t " + bound + " = " + p.name + " ? " + p.name + "[" + at +
             "] : strata_even_cut(" + InC(names_)(p.size) + ", " + name("ranks") + ", " + at +
             ");\n  (void)" + bound + ";\n";
    }
    for (const std::string& parameter : kernel_.parameters) out += "  (void)" + parameter + ";\n";
    for (const SizeRead& size : kernel_.sizes) out += "  (void)" + size.parameter + ";\n";
    return out;
  }

  std::string one_case(std::size_t n, const ArgumentBuffer::Around& box) const {
    const InC in_c(names_);
    std::string out = "    case " + std::to_string(n) + ":\n";
    for (std::size_t d = 0; d < box.lowers.size(); ++d) {
      const std::string at = "[" + std::to_string(d) + "]";
      out += "      " + name("min") + at + " = " + in_c(box.lowers[d]) + ";\n";
      out += "      " + name("extent") + at + " = strata_most(" + in_c(box.uppers[d]) + " - " +
             name("min") + at + ", 0);\n";
    }
    return out + "      return " + std::to_string(box.lowers.size()) + ";\n";
  }

  const Kernel& kernel_;
  std::set<std::string> taken_;
  std::map<std::string, std::string> names_;  // in C, of parameters and arguments
};

}  // namespace

std::string c_boxes(const Kernel& kernel) {
  std::string numbers;
  for (std::size_t n = 0; n < kernel.buffers.size(); ++n)
    numbers += (n ? ", " : "") + std::to_string(n) + " is " + kernel.buffers[n].name;
  Boxes boxes(kernel);
  return "/* Which elements of an argument the rank touches (box), with those that it receives, "
         "and\n"
         " * which it computes (owned): min[d] <= index < min[d] + extent[d]. Number " +
         numbers + ".\n * Returns how many indices there are; -1 for another number. */\n" +
         boxes.function("_box", &ArgumentBuffer::touched) +
         boxes.function("_owned", &ArgumentBuffer::computed);
}

}  // namespace strata
