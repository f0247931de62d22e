// Commands on the memories of host and GPU: a part of Function.
//
// By default each copy between them is derived, where the dataflow asks for one and not more often
// (docs/gpu.md); f.communication() shows them.
#pragma once

#include <string>

#include "core/error.h"
#include "core/expr/expr.h"

namespace strata {

class Computation;
class Function;
class Input;

// An input or the values of a computation.
class ArrayName {
 public:
  ArrayName(const Input& input);
  ArrayName(const Computation& computation);

 private:
  friend class DeviceCommands;
  std::string name_;
  Owner owner_;
};

// The base of Function.  Each command is about the buffer of an array.
class DeviceCommands {
 public:
  // The caller has this argument on the GPU, and finds it there afterwards: nothing of it is
  // copied, and its host pointer may be null.
  void resident(const ArrayName& array, const Where& where = Where::here());
  // The buffer is copied to the GPU when the kernel, or each iteration of a loop of "reader",
  // begins.  These copies replace the derived ones in this direction; E0401 if a value is then read
  // on a side where it is not.
  void host_to_device(const ArrayName& array, const Where& where = Where::here());
  void host_to_device(const ArrayName& array, const Computation& reader, const Var& loop,
                      const Where& where = Where::here());
  // The same from the GPU, when the kernel or the iteration ends.
  void device_to_host(const ArrayName& array, const Where& where = Where::here());
  void device_to_host(const ArrayName& array, const Computation& reader, const Var& loop,
                      const Where& where = Where::here());

 private:
  friend class Function;
  DeviceCommands() = default;
  Function& self();
  // "reader" and "loop" may be null.
  void command(const std::string& name, const ArrayName& array, const Computation* reader,
               const Var* loop, const Where& where);
};

}  // namespace strata
