// Generators: a kernel is written by a program with parameters.
#include "strata/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

#include "core/machine/device.h"
#include "dsl/automatic_schedule.h"
#include "dsl/page.h"
#include "dsl/versions.h"
#include "layers/verify/verify_algorithm.h"

namespace strata {

namespace {

using Value = GeneratorParameter::Value;

// What is wrong with the command line; the text is for the person who wrote it.
struct WrongUse {
  std::string reason;
};

std::string text_of(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "yes" : "no";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return fmt::format("{}", std::get<double>(value));
}

// The values that a parameter may have, in words.
std::string values_of(const GeneratorParameter& p) {
  if (!p.choices.empty()) return fmt::format("{}", fmt::join(p.choices, ", "));
  const char* const kinds[] = {"an integer", "a number", "yes or no", "a text"};
  return kinds[p.value.index()];
}

// The number that the whole text is, in any locale.
template <typename Number>
std::optional<Value> number_of(const std::string& text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end ? std::optional<Value>(number) : std::nullopt;
}

// The value that a text means, of the type of another value.
std::optional<Value> value_of(const std::string& text, const GeneratorParameter& p) {
  if (std::holds_alternative<std::string>(p.value)) {
    const bool may =
        p.choices.empty() || std::find(p.choices.begin(), p.choices.end(), text) != p.choices.end();
    return may ? std::optional<Value>(text) : std::nullopt;
  }
  if (std::holds_alternative<bool>(p.value))
    return text == "yes"  ? std::optional<Value>(true)
           : text == "no" ? std::optional<Value>(false)
                          : std::nullopt;
  if (std::holds_alternative<std::int64_t>(p.value)) return number_of<std::int64_t>(text);
  return number_of<double>(text);
}

// machine() is that of the target while this lives.
class MachineOfTarget {
 public:
  explicit MachineOfTarget(const std::string& target) {
    if (const char* value = std::getenv(variable)) before_ = value;
    if (const std::string named = name_of(target); !named.empty())
      ::setenv(variable, named.c_str(), 1);
  }
  MachineOfTarget(const MachineOfTarget&) = delete;
  MachineOfTarget& operator=(const MachineOfTarget&) = delete;
  ~MachineOfTarget() {
    if (before_)
      ::setenv(variable, before_->c_str(), 1);
    else
      ::unsetenv(variable);
  }

 private:
  // What the variable has to name; nothing if it does already. "host" is the machine that it names,
  // "host-cuda" that machine with a GPU, if it names a CPU: a machine's file says its own GPU.
  std::string name_of(const std::string& target) const {
    const TargetParts parts = target_parts(target);
    if (parts.cpu != "host") return target;
    if (parts.device == Device::none) return "";
    const std::string cpu = before_.value_or("");
    if (cpu.empty()) return target;
    const bool one_cpu =
        cpu.find_first_of("/,") == std::string::npos && target_parts(cpu).device == Device::none;
    return one_cpu ? cpu + target.substr(parts.cpu.size()) : "";
  }

  static constexpr const char* variable = "STRATA_MACHINE";
  std::optional<std::string> before_;
};

// The command line "FOLDER NAME=VALUE..".
struct CommandLine {
  std::string folder, target = "host";
  bool automatic = false, assembly = false, loops = false, html = false;
};

void read_outputs(const std::string& list, CommandLine& line) {
  std::istringstream text(list);
  for (std::string output; std::getline(text, output, ',');) {
    if (output != "assembly" && output != "loops" && output != "html")
      throw WrongUse{"outputs=" + list + ": '" + output + "' is none of assembly, loops, html"};
    (output == "assembly" ? line.assembly : output == "loops" ? line.loops : line.html) = true;
  }
}

using Parameters = std::vector<std::shared_ptr<GeneratorParameter>>;

void read_parameter(const std::string& text, const Parameters& parameters, CommandLine& line) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw WrongUse{"'" + text + "' is not NAME=VALUE"};
  const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
  if (name == "target") {
    line.target = value;
    return;
  }
  if (name == "outputs") return read_outputs(value, line);
  if (name == "schedule") {
    if (value != "author" && value != "automatic")
      throw WrongUse{text + ": schedule is author or automatic"};
    line.automatic = value == "automatic";
    return;
  }
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const auto& p) { return p->name == name; });
  if (found == parameters.end()) throw WrongUse{"there is no parameter " + name};
  const auto read = value_of(value, **found);
  if (!read) throw WrongUse{text + ": " + name + " is " + values_of(**found)};
  (*found)->value = *read;
}

CommandLine read(int argc, char** argv, const Parameters& parameters) {
  if (argc < 2 || std::string(argv[1]).find('=') != std::string::npos)
    throw WrongUse{"the folder to write to is missing"};
  CommandLine line{argv[1]};
  for (int n = 2; n < argc; ++n) read_parameter(argv[n], parameters, line);
  return line;
}

// STEM.html, or for several targets STEM.TARGET.html of each.
void write_pages(const std::vector<ForTarget>& versions, const std::string& target,
                 const std::string& stem) {
  if (versions.size() == 1) return write_page(versions[0].scheduled, target, stem + ".html", {});
  for (const ForTarget& version : versions)
    write_page(version.scheduled, version.target, stem + "." + version.target + ".html", {});
}

std::string usage(const std::string& program, const Parameters& defaults) {
  std::string text = fmt::format("usage: {} FOLDER [NAME=VALUE]..\n", program);
  const auto row = [&](const std::string& parameter, const std::string& meaning) {
    text += fmt::format("  {:<20} {}\n", parameter, meaning);
  };
  for (const auto& p : defaults)
    row(p->name + "=" + text_of(p->value), p->meaning + " (" + values_of(*p) + ")");
  row("target=host", "the machine, or a list of CPUs");
  row("schedule=author", "or automatic: the algorithm, scheduled by itself");
  row("outputs=", "also assembly, loops, html");
  return text;
}

}  // namespace

std::shared_ptr<const GeneratorParameter> Generator::add(GeneratorParameter parameter) {
  const Request request{"parameter(" + parameter.name + ")", {}};
  if (!is_identifier(parameter.name))
    refuse(request.refused(Code::E0105_bad_name, "'" + parameter.name + "' is not a name",
                           "use letters, digits and _"));
  bool taken =
      parameter.name == "target" || parameter.name == "schedule" || parameter.name == "outputs";
  for (const auto& other : parameters_) taken = taken || other->name == parameter.name;
  if (taken)
    refuse(request.refused(Code::E0104_name_taken,
                           "this generator has a parameter " + parameter.name + " already",
                           "give it another name"));
  parameters_.push_back(std::make_shared<GeneratorParameter>(std::move(parameter)));
  return parameters_.back();
}

ParameterOf<std::string> Generator::choice(const std::string& name,
                                           const std::vector<std::string>& choices,
                                           const std::string& meaning) {
  if (choices.empty())
    refuse(Request{"choice(" + name + ")", {}}.refused(
        Code::E0106_bad_argument, "there is nothing to choose from", "list its values"));
  const std::string first = choices.empty() ? "" : choices.front();
  return ParameterOf<std::string>(add({name, meaning, first, choices}));
}

void Generator::refuse(const Error& error) {
  if (!error_) error_ = error;
}

void Generator::refuse_large(const std::string& name) {
  refuse(Request{"parameter(" + name + ")", {}}.refused(
      Code::E0106_bad_argument, "the default value is above 2^63 - 1", "give it a smaller one"));
}

int Generator::main(int argc, char** argv,
                    const std::function<Scheduled(const Machine&)>& schedule) try {
  if (error_) throw *error_;
  const std::string program = argc > 0 ? argv[0] : "generator";
  const std::string how = usage(program, parameters_);
  CommandLine line;
  try {
    line = read(argc, argv, parameters_);
  } catch (const WrongUse& wrong) {
    std::fprintf(stderr, "%s\n%s", wrong.reason.c_str(), how.c_str());
    return 2;
  }
  const auto for_machine = [&](const std::string& target, const Machine& machine) {
    const MachineOfTarget meanwhile(target);
    Scheduled made = schedule(machine);
    if (line.automatic) schedule_automatically(made, machine);
    return made;
  };
  const auto versions = scheduled_for(line.target, for_machine, program, {});
  const std::string stem = line.folder + "/" + versions[0].scheduled.function.name();
  if (line.loops) {
    std::vector<Scheduled> all;
    for (const ForTarget& version : versions) all.push_back(version.scheduled);
    write_loops(all, stem + ".txt");
  }
  if (line.html) write_pages(versions, line.target, stem);
  CodegenOptions options = options_;
  options.target = line.target;
  if (line.assembly) options.assembly = stem + ".s";
  codegen_versions(versions, stem + ".o", options, {});
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

void write_loops(const std::vector<Scheduled>& versions, const std::string& path) {
  std::ofstream text(path);
  for (const Scheduled& version : versions) {
    text << "commands:\n";
    for (const std::string& command : version.function.history()) text << "  " << command << "\n";
    text << "loops:\n" << version.function.loops(version.arguments);
  }
  text.close();
  if (!text)
    throw Request{"write_loops(" + versions.at(0).function.name() + ")", {}}.refused(
        Code::E0503_cannot_write_file, "the file " + path + " cannot be written",
        "name a folder that exists and may be written to");
}

}  // namespace strata
