#include "driver/jit_kernel.h"

#include <strata/runtime.h>

#include "core/record.h"
#include "driver/back_end.h"
#include "driver/runtime_symbols.h"

extern "C" int strata_fail(int code, const char* format, ...);

namespace strata {

namespace {

int wrong_arguments(const std::string& text) {
  return strata_fail(strata_error_wrong_arguments, "%s", text.c_str());
}

int wrong_count(const std::string& kernel, const char* what, std::size_t found,
                std::size_t expected) {
  return wrong_arguments(kernel + " takes " + std::to_string(expected) + " " + what + ", not " +
                         std::to_string(found));
}

int wrong_scalar(const std::string& kernel, const ScalarArgument& scalar,
                 const ScalarValue& value) {
  return wrong_arguments(kernel + ": the scalar " + scalar.name + " is " + value.text() +
                         ", which " + to_string(scalar.type) + " does not have");
}

// The functions that kernels of all back ends call, and the author's functions.
Addresses known_symbols(const std::map<std::string, void*>& functions) {
  Addresses known = functions;
  known.merge(runtime_symbols());
  for (const BackEnd& back_end : back_ends()) known.merge(back_end.symbols());
  return known;
}

}  // namespace

JitKernel::JitKernel(const Kernel& kernel, const CodegenOptions& options, StageRun& stages)
    : name_(kernel.name),
      parameters_(kernel.parameters.size()),
      scalars_(kernel.scalars),
      buffers_(kernel.buffers.size()),
      code_(back_end_of(options, {"jit(" + kernel.name + ")", {}})
                .load(kernel, options.target, known_symbols(options.functions), stages)) {}

JitKernel::JitKernel(const Kernel& kernel, const CodegenOptions& options) {
  StageRun stages(kernel.name);
  *this = JitKernel(kernel, options, stages);
}

// The argument list has a pointer to each number, but each buffer pointer as it is.
int JitKernel::call(const std::vector<std::int64_t>& parameters,
                    const std::vector<ScalarValue>& scalars,
                    const std::vector<halide_buffer_t*>& buffers) const {
  if (parameters.size() != parameters_)
    return wrong_count(name_, "parameters", parameters.size(), parameters_);
  if (scalars.size() != scalars_.size())
    return wrong_count(name_, "scalars", scalars.size(), scalars_.size());
  if (buffers.size() != buffers_) return wrong_count(name_, "buffers", buffers.size(), buffers_);
  std::vector<std::uint64_t> passed;
  for (std::size_t n = 0; n < scalars.size(); ++n) {
    const auto bytes = scalars[n].passed_as(scalars_[n].type);
    if (!bytes) return wrong_scalar(name_, scalars_[n], scalars[n]);
    passed.push_back(*bytes);
  }
  std::vector<const void*> list;
  list.reserve(parameters.size() + passed.size() + buffers.size());
  for (const std::int64_t& parameter : parameters) list.push_back(&parameter);
  for (const std::uint64_t& scalar : passed) list.push_back(&scalar);
  for (const halide_buffer_t* buffer : buffers) list.push_back(buffer);
  return code_->call(list.data());
}

// Saves code_kind(), the name, the numbers of parameters and buffers, each scalar's name and type,
// and the object.
std::string JitKernel::saved() const {
  if (code_->object().empty() || code_kind().empty()) return {};
  std::vector<std::string> texts{code_kind(), name_, std::to_string(parameters_),
                                 std::to_string(buffers_)};
  for (const ScalarArgument& scalar : scalars_) {
    texts.push_back(scalar.name);
    texts.push_back(to_string(scalar.type));
  }
  texts.push_back(code_->object());
  return recorded(texts);
}

std::optional<JitKernel> JitKernel::find_saved(const std::string& saved,
                                               const std::map<std::string, void*>& functions) {
  const auto texts = find_texts(saved);
  if (!texts || texts->size() < 5 || (*texts)[0] != code_kind()) return std::nullopt;
  JitKernel kernel;
  kernel.name_ = (*texts)[1];
  kernel.parameters_ = std::stoul((*texts)[2]);
  kernel.buffers_ = std::stoul((*texts)[3]);
  for (std::size_t k = 4; k + 1 < texts->size(); k += 2)
    kernel.scalars_.push_back({(*texts)[k], *type_named((*texts)[k + 1])});
  try {
    kernel.code_ = loaded(texts->back(), kernel.name_, known_symbols(functions));
    return kernel;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace strata
