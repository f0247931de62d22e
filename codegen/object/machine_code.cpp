#include "codegen/object/machine_code.h"

#include <utility>

namespace strata {

namespace {

class LoadedCode : public MachineCode {
 public:
  LoadedCode(std::string object, const std::string& kernel, const Addresses& known)
      : bytes_(std::move(object)),
        object_(bytes_, known),
        function_(reinterpret_cast<Function>(object_.address_of(kernel + "_argv"))) {}
  int call(const void* const* arguments) const override { return function_(arguments); }
  const std::string& object() const override { return bytes_; }

 private:
  using Function = int (*)(const void* const* arguments);
  std::string bytes_;
  LoadedObject object_;
  Function function_;
};

}  // namespace

std::shared_ptr<const MachineCode> loaded(std::string object, const std::string& kernel,
                                          const Addresses& known) {
  return std::make_shared<const LoadedCode>(std::move(object), kernel, known);
}

}  // namespace strata
