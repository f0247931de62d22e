#include "graph/pass/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>

#include "graph/operator/names.h"
#include "graph/vm/by_name.h"

namespace strata::graph {

namespace {

// The contexts of a thread, the innermost last.
std::vector<PassContext*>& contexts() {
  thread_local std::vector<PassContext*> all;
  return all;
}

// The defaults of options.
ByName<ConfigValue>& options() {
  static ByName<ConfigValue> all;
  static std::once_flag once;
  std::call_once(once, [] {
    all.add("FuseByBytes.max_stages", std::int64_t{12});
    all.add("FuseOps.max_depth", std::int64_t{256});
    all.add("PlanMemory.whole", false);
  });
  return all;
}

const char* kind_of(const ConfigValue& value) {
  static const char* const kinds[] = {"a boolean", "an integer", "a float", "a text"};
  return kinds[value.index()];
}

// FuseOps.max_depth, which Relay calls relay.FuseOps.max_depth.
std::string own_name(const std::string& key) {
  return key.rfind("relay.", 0) == 0 && !options().find(key) ? key.substr(6) : key;
}

// The default of a key. E0606 for an unknown key.
ConfigValue standard_of(const std::string& key, const Where& where) {
  if (const auto standard = options().find(own_name(key))) return *standard;
  const std::vector<std::string> names = options().names();
  throw unknown_name(key, names, Code::E0606_bad_context, "there is no option " + key,
                     fmt::format("there are {}", fmt::join(names, ", ")), {"PassContext", where});
}

void require_defined(const Instruments& instruments, const Where& where) {
  for (const auto& instrument : instruments)
    if (!instrument)
      throw Request{"PassContext", where}.refused(Code::E0606_bad_context,
                                                  "an instrument is undefined", "leave it out");
}

// If one throws, the instruments before it exit in reverse order, and the list is emptied.
void enter_all(Instruments& instruments) {
  Instruments entered;
  try {
    for (const auto& instrument : Instruments(instruments)) {
      if (instrument->enter_pass_ctx) instrument->enter_pass_ctx();
      entered.push_back(instrument);
    }
  } catch (...) {
    instruments.clear();
    for (auto last = entered.rbegin(); last != entered.rend(); ++last)
      if ((*last)->exit_pass_ctx) (*last)->exit_pass_ctx();
    throw;
  }
}

// If one throws, the instruments after it are not called, and the list is emptied.
void exit_all(Instruments& instruments) {
  try {
    for (const auto& instrument : Instruments(instruments))
      if (instrument->exit_pass_ctx) instrument->exit_pass_ctx();
  } catch (...) {
    instruments.clear();
    throw;
  }
}

bool is_in(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

PassContext& PassContext::current() {
  thread_local PassContext standard;
  return contexts().empty() ? standard : *contexts().back();
}

bool PassContext::enabled(const PassInfo& info) const {
  if (is_in(disabled_pass, info.name)) return false;
  return is_in(required_pass, info.name) || opt_level >= info.opt_level;
}

ConfigValue PassContext::option(const std::string& key, const Where& where) const {
  const ConfigValue standard = standard_of(key, where);
  for (const auto& [name, value] : config)
    if (own_name(name) == own_name(key)) return value;
  return standard;
}

bool PassContext::before(const Module& module, const PassInfo& info) {
  bool runs = true;
  if (!is_in(required_pass, info.name))
    for (const auto& instrument : Instruments(instruments))
      if (instrument->should_run) runs = instrument->should_run(module, info) && runs;
  if (!runs) return false;
  for (const auto& instrument : Instruments(instruments))
    if (instrument->run_before_pass) instrument->run_before_pass(module, info);
  return true;
}

void PassContext::after(const Module& module, const PassInfo& info) {
  for (const auto& instrument : Instruments(instruments))
    if (instrument->run_after_pass) instrument->run_after_pass(module, info);
}

void PassContext::override_instruments(Instruments others, const Where& where) {
  require_defined(others, where);
  exit_all(instruments);
  instruments = std::move(others);
  enter_all(instruments);
}

void register_option(const std::string& key, const ConfigValue& standard, const Where& where) {
  if (!options().add(key, standard))
    throw Request{"register_option(" + key + ")", where}.refused(
        Code::E0104_name_taken, "there is an option " + key, "give it another name");
}

void enter_context(PassContext& context, const Where& where) {
  for (const auto& [key, value] : context.config) {
    const ConfigValue standard = standard_of(key, where);
    if (standard.index() != value.index())
      throw Request{"PassContext", where}.refused(
          Code::E0606_bad_context,
          fmt::format("{} is {}, and {} is given", key, kind_of(standard), kind_of(value)),
          fmt::format("give {}", kind_of(standard)));
  }
  require_defined(context.instruments, where);
  enter_all(context.instruments);
  contexts().push_back(&context);
}

void leave_context(PassContext& context) {
  const auto last = std::find(contexts().rbegin(), contexts().rend(), &context);
  if (last != contexts().rend()) contexts().erase(std::next(last).base());
  exit_all(context.instruments);
}

void within(PassContext context, const std::function<void()>& f, const Where& where) {
  enter_context(context, where);
  std::exception_ptr thrown;
  try {
    f();
  } catch (...) {
    thrown = std::current_exception();
  }
  try {
    leave_context(context);
  } catch (...) {
    if (!thrown) throw;  // the first exception tells the cause
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace strata::graph
