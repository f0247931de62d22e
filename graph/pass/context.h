// What passes run in: which are enabled, how they are configured, and who watches them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "graph/pass/pass.h"

namespace strata::graph {

// Watches passes. Any function may be missing.
struct Instrument {
  std::string name = "instrument";
  std::function<void()> enter_pass_ctx = {}, exit_pass_ctx = {};
  std::function<bool(const Module&, const PassInfo&)> should_run = {};
  std::function<void(const Module&, const PassInfo&)> run_before_pass = {}, run_after_pass = {};
};
using Instruments = std::vector<std::shared_ptr<Instrument>>;

using ConfigValue = std::variant<bool, std::int64_t, double, std::string>;
using Config = std::map<std::string, ConfigValue>;

struct PassContext {
  int opt_level = 2;
  std::vector<std::string> required_pass = {}, disabled_pass = {};  // by name; disabled wins
  Config config = {};
  Instruments instruments = {};

  // That of this thread; the default one outside of within().
  static PassContext& current();

  // Required, or else of a level that is not above opt_level; and not disabled.
  bool enabled(const PassInfo& info) const;
  // The value of a registered key, or its default. E0606 for another key.
  ConfigValue option(const std::string& key, const Where& where = Where::here()) const;

  // Others watch from now on: the exit_pass_ctx of those before are called, then the enter_pass_ctx
  // of these. What throws is as in within().
  void override_instruments(Instruments others, const Where& where = Where::here());

  // Calls of the instruments, in order. Should the pass run?  Nobody is asked for required passes.
  bool before(const Module& module, const PassInfo& info);
  void after(const Module& module, const PassInfo& info);
};

// A key of the configuration, with its type and default. E0104 if it is there.
void register_option(const std::string& key, const ConfigValue& standard,
                     const Where& where = Where::here());

// f() in this context, which shadows the current one of the thread. E0606 if a key is unknown, a
// value of another type, or an instrument undefined. An instrument whose enter_pass_ctx throws:
// those before it exit in reverse order, the list is emptied, and the exception comes out. An
// exit_pass_ctx that throws: those after it are not called, and the list is emptied. An exception
// of f comes out after the exits.
void within(PassContext context, const std::function<void()>& f,
            const Where& where = Where::here());

// Enters and leaves a context, for languages with scopes of their own. "context" lives until it is
// left.
void enter_context(PassContext& context, const Where& where = Where::here());
void leave_context(PassContext& context);

}  // namespace strata::graph
