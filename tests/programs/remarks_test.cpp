// After the advice of a remark is taken, that remark is gone: for every program of the examples and
// benchmarks, as scheduled and without its schedule.
#include STRATA_ALL_PROGRAMS

#include <algorithm>
#include <set>

#include "codegen/lower.h"
#include "codegen/remarks/remarks.h"
#include "schedule/finish.h"
#include "schedule/table/replay.h"

namespace {

using strata::Program;
using strata::Remark;
using strata::Remarks;

int failures = 0, taken = 0;

class Subject {
 public:
  explicit Subject(const std::vector<strata::Buffer>& arguments) {
    for (const strata::Buffer& b : arguments) arguments_.push_back(b.name());
  }

  bool has_kernel(const Program& program) const {
    try {
      kernel(program);
      return true;
    } catch (const strata::Error& error) {
      if (error.code() == strata::Code::E0116_wrong_argument_list) return false;
      throw;
    }
  }

  // With the commands that help, or, in a fraction of the time, without.
  Remarks remarks(const Program& program) const { return remarks(program, trying(program)); }
  Remarks remarks_untried(const Program& program) const { return remarks(program, {}); }

 private:
  strata::KernelAfter trying(const Program& program) const {
    return [this, &program](const std::string& command) -> std::optional<strata::Kernel> {
      try {
        return kernel(strata::replayed(program, command, {}));
      } catch (const strata::Error&) {
        return std::nullopt;
      }
    };
  }

  Remarks remarks(const Program& program, const strata::KernelAfter& after) const {
    strata::RemarkOptions options{strata::machine(), {}};
    if (after) options.after = after;
    return strata::remarks(kernel(program), *program.algorithm, options);
  }

  strata::Kernel kernel(const Program& program) const {
    strata::LowerOptions options;
    options.arguments = arguments_;
    return strata::lower(strata::finished(program, arguments_, {}), options);
  }

  std::vector<std::string> arguments_;
};

// The loops of a computation on which there are remarks of a kind.
std::set<std::string> loops_of(const Remarks& all, const Remark& like) {
  std::set<std::string> loops;
  for (const Remark& r : all)
    if (r.kind == like.kind && r.computation == like.computation) loops.insert(r.loop);
  return loops;
}

void take_advice(const std::string& name, const Subject& subject, const Program& program,
                 const Remarks& all, const Remark& remark) {
  std::string commands;
  for (const std::string& command : remark.commands) commands += command + "\n";
  const Remarks after = subject.remarks_untried(strata::replayed(program, commands, {}));
  std::set<std::string> allowed = loops_of(all, remark);
  allowed.erase(remark.loop);
  ++taken;
  for (const std::string& loop : loops_of(after, remark)) {
    if (allowed.count(loop)) continue;
    std::printf("%s: after %sthere is a remark on loop %s:\n%s\n", name.c_str(), commands.c_str(),
                loop.c_str(), strata::render(remark).c_str());
    ++failures;
  }
}

void test(const std::string& name, const Subject& subject, const Program& program) {
  const Remarks all = subject.remarks(program);
  for (const Remark& remark : all)
    if (!remark.commands.empty()) take_advice(name, subject, program, all, remark);
}

}  // namespace

int main() try {
  for (const auto& [name, scheduled] : all_programs) {
    const examples::Scheduled made = scheduled();
    const Subject subject(made.arguments);
    test(name, subject, made.function.program());
    // Without store_in, some programs have no output among their arguments.
    if (subject.has_kernel(made.function.unscheduled()))
      test(std::string(name) + " without its schedule", subject, made.function.unscheduled());
  }
  std::printf("%d pieces of advice taken\n", taken);
  return failures == 0 && taken > 40 ? 0 : 1;
} catch (const strata::Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
