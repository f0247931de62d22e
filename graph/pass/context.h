// Contexts of passes: which passes are enabled, how they are configured, and who watches them.
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

  // The context of this thread; outside of within(), the default one.
  static PassContext& current();

  // Is the pass not disabled, and is it required or of a level up to opt_level?
  bool enabled(const PassInfo& info) const;
  // The value of a registered key, or its default. E0606 for another key.
  ConfigValue option(const std::string& key, const Where& where = Where::here()) const;

  // Replaces the instruments. Calls exit_pass_ctx of the old ones, then enter_pass_ctx of the new
  // ones. Handles exceptions like within().
  void override_instruments(Instruments others, const Where& where = Where::here());

  // Calls the instruments in order. "before" asks them whether the pass should run; for a required
  // pass it does not ask.
  bool before(const Module& module, const PassInfo& info);
  void after(const Module& module, const PassInfo& info);
};

// Registers a key of the configuration, with its type and default. E0104 if the key exists.
void register_option(const std::string& key, const ConfigValue& standard,
                     const Where& where = Where::here());

// Calls f() in this context, which shadows the thread's current one. E0606 if a key is unknown, a
// value has another type, or an instrument is undefined. If an enter_pass_ctx throws, the
// instruments before it exit in reverse order, the list is emptied, and the exception is thrown on.
// If an exit_pass_ctx throws, the instruments after it are not called, and the list is emptied. An
// exception of f is thrown on after the exits.
void within(PassContext context, const std::function<void()>& f,
            const Where& where = Where::here());

// Enters and leaves a context, for languages with scopes of their own. "context" lives until it is
// left.
void enter_context(PassContext& context, const Where& where = Where::here());
void leave_context(PassContext& context);

}  // namespace strata::graph
