#include "python/scopes.h"

#include "dsl/author.h"
#include "python/bind.h"
#include "python/module.h"

namespace strata::python {

LoopScope::LoopScope(const Function& function, std::string loop)
    : function_(function), loop_(std::move(loop)) {}

void LoopScope::enter() {
  if (open_) throw nb::value_error("this loop is open already");
  await_turn(owner_of(function_));
  open_.emplace(Author::shared_state(function_), loop_);
}

void LoopScope::exit() {
  await_turn(owner_of(function_));
  open_.reset();
}

GroupScope::GroupScope(const Function& function, Where where)
    : function_(function), where_(std::move(where)) {}

void GroupScope::enter() {
  if (open_) throw nb::value_error("this group is open already");
  await_turn(owner_of(function_));
  open_ = std::make_unique<Group>(Author::shared_state(function_), where_);
}

void GroupScope::exit(bool failed) {
  await_turn(owner_of(function_));
  const std::unique_ptr<Group> group = std::move(open_);
  if (group && !failed) group->end();
}

namespace {

// Calls "body" inside the scope, or without one returns the scope for a with statement.
nb::object run_or_return(nb::object scope, nb::handle body) {
  if (body.is_none()) return scope;
  scope.attr("__enter__")();
  try {
    body();
  } catch (nb::python_error& error) {
    scope.attr("__exit__")(error.type(), error.value(), nb::none());
    throw;
  }
  scope.attr("__exit__")(nb::none(), nb::none(), nb::none());
  return nb::none();
}

}  // namespace

void add_scopes(nb::module_& m, FunctionClass& f) {
  nb::class_<LoopScope>(m, "LoopScope", "What Function.loop returns: use it in a with statement.")
      .def("__enter__", &LoopScope::enter)
      .def(
          "__exit__", [](LoopScope& self, const nb::args&) { self.exit(); },
          nb::sig("def __exit__(self, *failure: object) -> None"));
  nb::class_<GroupScope>(m, "GroupScope",
                         "What Function.together returns: use it in a with statement.")
      .def("__enter__", &GroupScope::enter)
      .def(
          "__exit__",
          [](GroupScope& self, const nb::args& failure) {
            self.exit(failure.size() > 0 && !failure[0].is_none());
          },
          nb::sig("def __exit__(self, *failure: object) -> None"));
  f.def(
      "loop",
      [](const Function& self, const LoopName& k, nb::handle body) {
        return run_or_return(nb::cast(new LoopScope(self, k.value.name())), body);
      },
      "k"_a, "body"_a.none() = nb::none(),
      nb::sig("def loop(self, k: LoopName, body: Callable[[], object] | None = None) -> LoopScope"),
      "Definitions inside share the loop k, in the order they are written: `with f.loop(k):`, or\n"
      "a function that makes them.");
  f.def(
      "together",
      [](const Function& self, nb::handle body) {
        return run_or_return(nb::cast(new GroupScope(self, python_line())), body);
      },
      "body"_a.none() = nb::none(),
      nb::sig("def together(self, body: Callable[[], object] | None = None) -> GroupScope"),
      "The commands inside are checked once, at the end, and undone if the check fails:\n"
      "`with f.together():`, or a function that gives them.");
}

}  // namespace strata::python
