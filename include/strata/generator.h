// main() of a generator: a program that writes a kernel when a project is built (in CMake,
// strata_add_library).
//
//   int main(int argc, char** argv) {
//     strata::Generator generator;
//     const auto& tile = generator.parameter("tile", 16, "iterations of a tile");
//     return generator.main(argc, argv, [&](const strata::Machine& machine) {
//       strata::Function f("smooth");
//       ..
//       out.split(i, *tile, i0, i1).vectorize(i1, machine.lanes(strata::f32));
//       return strata::Scheduled{f, {in.buffer(), out.buffer()}};
//     });
//   }
//
//   smooth_generator FOLDER [tile=16] [target=host] [schedule=automatic] [outputs=assembly,loops]
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "strata/codegen_each.h"

namespace strata {

// A parameter of a generator; its type is that of the default value. From the start of
// Generator::main on, "value" is what the command line says.
struct GeneratorParameter {
  using Value = std::variant<std::int64_t, double, bool, std::string>;
  std::string name, meaning;
  Value value;
  std::vector<std::string> choices;  // the values that a string may have; none: any
};

// The value of a parameter: *tile.
template <typename T>
class ParameterOf {
 public:
  explicit ParameterOf(std::shared_ptr<const GeneratorParameter> parameter)
      : parameter_(std::move(parameter)) {}
  const T& operator*() const { return std::get<T>(parameter_->value); }

 private:
  std::shared_ptr<const GeneratorParameter> parameter_;
};

class Generator {
 public:
  // Options of code generation: "target", "assembly" and "header" come from the command line.
  explicit Generator(CodegenOptions options = {}) : options_(std::move(options)) {}

  // A parameter: an integer, a floating-point number, a bool (yes, no) or a string. Names are made
  // of letters, digits and "_" (E0105), and are each given once; "target", "schedule" and "outputs"
  // are taken (E0104). A default value is at most 2^63 - 1 (E0106). main reports these errors, so
  // that parameters may be global variables.
  template <typename T>
  auto parameter(const std::string& name, const T& value, const std::string& meaning) {
    if constexpr (std::is_same_v<T, bool>)
      return ParameterOf<bool>(add({name, meaning, value, {}}));
    else if constexpr (std::is_integral_v<T>) {
      const auto whole = static_cast<std::int64_t>(value);
      if (std::is_unsigned_v<T> && whole < 0) refuse_large(name);
      return ParameterOf<std::int64_t>(add({name, meaning, whole, {}}));
    } else if constexpr (std::is_floating_point_v<T>)
      return ParameterOf<double>(add({name, meaning, static_cast<double>(value), {}}));
    else
      return ParameterOf<std::string>(add({name, meaning, std::string(value), {}}));
  }
  // One of several strings, the first by default (E0106 if there is none).
  ParameterOf<std::string> choice(const std::string& name, const std::vector<std::string>& choices,
                                  const std::string& meaning);

  // Writes FOLDER/NAME.o and FOLDER/NAME.h, NAME being that of the Function that "schedule" makes,
  // and what the parameter "outputs" lists: "assembly", NAME.s; "loops", NAME.txt, with the
  // commands given and the loops; "html", NAME.html (docs/page.md). The schedule is made for each
  // target of the parameter "target", as codegen_each does; meanwhile machine() is that target's.
  // With schedule=automatic the commands of autoschedule (docs/automatic.md) take its place, if all
  // definitions are made before the first command (E0106).
  // Returns the status of the program: 0; 1 after an error or another exception, with its text on
  // stderr; 2 after a wrong command line, with a text on stderr that says how to call the program.
  int main(int argc, char** argv, const std::function<Scheduled(const Machine&)>& schedule);

 private:
  std::shared_ptr<const GeneratorParameter> add(GeneratorParameter parameter);
  void refuse(const Error& error);
  void refuse_large(const std::string& name);

  CodegenOptions options_;
  std::optional<Error> error_;  // the first one of a parameter
  std::vector<std::shared_ptr<GeneratorParameter>> parameters_;
};

// Writes the commands given and the loops of each version to a file. E0503 if it cannot be written.
void write_loops(const std::vector<Scheduled>& versions, const std::string& path);

}  // namespace strata
