// Memory for values: an argument of the kernel, or temporary.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/expr/expr.h"
#include "layers/memory.h"

namespace strata {

struct FunctionState;

// A buffer without explicit extents is as large as the bounding box of the places that the program
// accesses.
class Buffer {
 public:
  explicit Buffer(std::string name, Owner owner = nullptr)
      : name_(std::move(name)), owner_(std::move(owner)) {}
  const std::string& name() const { return name_; }
  const Owner& owner() const { return owner_; }

  // Where the buffer is (schedule/commands/storage/set_memory.h): that of an input may be in
  // constant memory, others in any other memory. E0115 for a bare name, E0106 if nothing is stored
  // in it.
  void set_memory(Memory memory, const Where& where = Where::here()) const;
  void tag_gpu_global(const Where& where = Where::here()) const;
  void tag_gpu_shared(const Where& where = Where::here()) const;
  void tag_gpu_local(const Where& where = Where::here()) const;
  void tag_gpu_constant(const Where& where = Where::here()) const;

 private:
  friend struct Author;  // dsl/author.h
  std::string name_;
  Owner owner_;
  std::shared_ptr<FunctionState> state_ = nullptr;  // of a handle that a Function made
};

}  // namespace strata
