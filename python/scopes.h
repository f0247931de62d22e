// f.loop and f.together in a with statement, or around a function.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "dsl/scopes.h"
#include "strata/strata.h"

namespace strata::python {

// Opened and closed by __enter__ and __exit__.
class LoopScope {
 public:
  LoopScope(const Function& function, std::string loop);
  void enter();
  void exit();

 private:
  Function function_;
  std::string loop_;
  std::optional<OpenLoop> open_;
};

class GroupScope {
 public:
  GroupScope(const Function& function, Where where);
  void enter();
  void exit(bool failed);  // throws the refusal of the group's check

 private:
  Function function_;
  Where where_;
  std::unique_ptr<Group> open_;
};

}  // namespace strata::python
