#include "graph/compile/kernel_cache.h"

#include <algorithm>
#include <cstdlib>

#include "graph/compile/function.h"
#include "graph/compile/kernel_file.h"

namespace strata::graph {

namespace {

// The cache outlives every thread that compiles.
KernelCache& process_cache() {
  static KernelCache& cache = *new KernelCache(most_kernels);
  return cache;
}

// The options and environment variables that change the code (core/stage.h,
// core/machine/machine.h).
std::string settings(const CompileOptions& options) {
  std::string text;
  if (options.code_limit) text += "\ncode_limit=" + std::to_string(options.code_limit);
  if (options.budget) text += "\nbudget=" + std::to_string(options.budget);
  for (const std::string variable : {"STRATA_AUTOSCHEDULE", "STRATA_FUEL", "STRATA_MACHINE"})
    if (const char* value = std::getenv(variable.c_str())) text += "\n" + variable + "=" + value;
  return text;
}

// The dim with sK instead of symbol K of the list.
Expr numbered(const Expr& dim, const std::vector<std::string>& symbols) {
  return with_symbols(dim, [&](const std::string& name) {
    const auto place = std::find(symbols.begin(), symbols.end(), name);
    return parameter("s" + std::to_string(place - symbols.begin()));
  });
}

constexpr const char* not_scheduled = "not scheduled: ";

// What autoschedule did: one line, then one line for each computation and each refused candidate.
std::string text_of_schedule(const Report& report) {
  std::string text = report.changed
                         ? "scheduled by " + std::to_string(report.commands.size()) + " commands\n"
                         : not_scheduled + report.why_unchanged + "\n";
  for (const Report::Member& m : report.members) text += m.computation + ": " + m.where + "\n";
  for (const Report::Tried& tried : report.tried)
    if (tried.outcome.starts_with("refused")) text += tried.text + ": " + tried.outcome + "\n";
  return text;
}

// Makes code of tensors.
class CodeMaker {
 public:
  CodeMaker(const std::vector<Tensor>& tensors, const std::vector<Tensor>& given,
            const CompileOptions& options, const Where& where)
      : tensors_(tensors), given_(given), options_(options), where_(where) {}

  TensorFunction function(const std::string& name = "kernel") const {
    TensorFunction f = create_function(name, tensors_, given_, where_);
    if (options_.code_limit) f.function.set_code_limit(options_.code_limit, where_);
    if (options_.budget) f.function.set_budget(options_.budget, where_);
    return f;
  }

  Report schedule(TensorFunction& f, const Machine& machine) const {
    return f.function.autoschedule(machine, {.arguments = f.arguments, .sizes = sizes_of(f)},
                                   where_);
  }

  void add_code(TensorFunction& f, SharedKernel& kernel) const {
    const Report report = schedule(f, machine());
    kernel.schedule = text_of_schedule(report);
    try {
      kernel.code = f.function.jit(f.arguments, {}, nullptr, where_);
      return;
    } catch (const Error& error) {
      if (!report.changed) throw;
      kernel.schedule =
          not_scheduled + to_string(error.code()) + ", " + error.refusal().explanation + "\n";
    }
    TensorFunction plain = function();
    kernel.code = plain.function.jit(plain.arguments, {}, nullptr, where_);
  }

 private:
  // The values of parameters, as far as they are known.
  std::map<std::string, std::int64_t> sizes_of(const TensorFunction& f) const {
    std::map<std::string, std::int64_t> sizes;
    for (const auto& [name, dim] : f.parameters)
      if (const auto size = value_of(dim, options_.sizes); size && *size > 0) sizes[name] = *size;
    return sizes;
  }

  const std::vector<Tensor>& tensors_;
  const std::vector<Tensor>& given_;
  const CompileOptions& options_;
  const Where& where_;
};

}  // namespace

std::shared_ptr<KernelCache::Entry> KernelCache::entry_of(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto [found, fresh] = places_.try_emplace(key);
  Slot& place = found->second;
  if (fresh)
    place = {std::make_shared<Entry>(), uses_.insert(uses_.begin(), &found->first)};
  else
    uses_.splice(uses_.begin(), uses_, place.use);
  const std::shared_ptr<Entry> entry = place.entry;
  if (uses_.size() > most_) {
    const auto last = places_.find(*uses_.back());
    uses_.pop_back();
    places_.erase(last);
  }
  return entry;
}

void KernelCache::count(std::int64_t KernelCounts::* which) {
  const std::lock_guard lock(mutex_);
  ++(counts_.*which);
}

std::shared_ptr<const SharedKernel> KernelCache::find_or_make(const std::string& key,
                                                              const Make& make) {
  const std::shared_ptr<Entry> entry = entry_of(key);
  const std::lock_guard lock(entry->making);
  if (!entry->kernel) {
    auto [kernel, source] = make();
    entry->kernel = std::make_shared<const SharedKernel>(std::move(kernel));
    count(source == Source::compiled ? &KernelCounts::compiled : &KernelCounts::stored);
  } else {
    count(&KernelCounts::shared);
  }
  return entry->kernel;
}

KernelCounts KernelCache::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

KernelCounts kernel_counts() { return process_cache().counts(); }

std::shared_ptr<const SharedKernel> shared_kernel(const Key& key,
                                                  const std::vector<Tensor>& tensors,
                                                  const std::vector<Tensor>& given,
                                                  const CompileOptions& options,
                                                  const Where& where) {
  const std::string text = key.text + settings(options);
  return process_cache().find_or_make(text, [&] {
    const CodeMaker maker(tensors, given, options, where);
    TensorFunction f = maker.function();
    SharedKernel kernel{{}, {}, key.symbols};
    for (const auto& [name, dim] : f.parameters)
      kernel.parameters.push_back(numbered(dim, key.symbols));
    for (const Buffer& argument : f.arguments) kernel.names.push_back(argument.name());
    if (find_stored(text, kernel)) return std::pair(std::move(kernel), Source::stored);
    maker.add_code(f, kernel);
    if (const std::string why = store(text, kernel, where); !why.empty())
      kernel.schedule += "not kept in the folder of STRATA_CACHE: " + why + "\n";
    return std::pair(std::move(kernel), Source::compiled);
  });
}

TensorFunction scheduled_function(const SharedKernel& kernel, const std::vector<Tensor>& tensors,
                                  const std::vector<Tensor>& given, const CompileOptions& options,
                                  const ScheduleFor& made_for, const Where& where) {
  const CodeMaker maker(tensors, given, options, where);
  TensorFunction f = maker.function(made_for.name);
  if (!kernel.schedule.starts_with(not_scheduled)) maker.schedule(f, made_for.machine);
  return f;
}

}  // namespace strata::graph
