// JitFunction: a kernel in this process.
#include "driver/jit_kernel.h"
#include "driver/profile_text.h"
#include "strata/strata.h"

namespace strata {

std::string JitFunction::profile(const Where& where) const {
  const Request request{"profile(" + name_ + ")", where};
  if (!profiled_)
    throw request.refused(
        Code::E0106_bad_argument,
        (name_.empty() ? "this JitFunction" : name_) + " was compiled without a profile",
        "give jit() the option profile");
  return profile_text(name_, request);
}

std::string JitFunction::saved() const {
  return kernel_ && !profiled_ ? static_cast<const JitKernel*>(kernel_.get())->saved() : "";
}

std::optional<JitFunction> JitFunction::find_saved(const std::string& saved,
                                                   const std::map<std::string, void*>& functions) {
  auto kernel = JitKernel::find_saved(saved, functions);
  if (!kernel) return std::nullopt;
  JitFunction function;
  function.kernel_ = std::make_shared<const JitKernel>(*std::move(kernel));
  return function;
}

const std::string& JitFunction::code_kind() { return strata::code_kind(); }

int JitFunction::operator()(const std::vector<std::int64_t>& parameters,
                            const std::vector<halide_buffer_t*>& buffers,
                            const Where& where) const {
  return (*this)(parameters, {}, buffers, where);
}

int JitFunction::operator()(const std::vector<std::int64_t>& parameters,
                            const std::vector<ScalarValue>& scalars,
                            const std::vector<halide_buffer_t*>& buffers,
                            const Where& where) const {
  if (!kernel_)
    throw Request{"a call of a JitFunction", where}.refused(
        Code::E0106_bad_argument, "this JitFunction has no kernel", "make it with jit()");
  return static_cast<const JitKernel*>(kernel_.get())->call(parameters, scalars, buffers);
}

}  // namespace strata
