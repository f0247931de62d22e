// Function: pages in HTML.
#include "dsl/page.h"

#include "dsl/author.h"
#include "dsl/kernel.h"

namespace strata {

void write_page(const Scheduled& scheduled, const std::string& target, const std::string& path,
                const Where& where) {
  FunctionState& state = Author::state(scheduled.function);
  const Request request{"html(" + state.program.name + ")", where};
  write_page(state, names_of(state.program, scheduled.arguments, request), target, path, where);
}

Page page_of(const Scheduled& scheduled, const Where& where) {
  FunctionState& state = Author::state(scheduled.function);
  const Request request{"html(" + state.program.name + ")", where};
  return page_of(state, names_of(state.program, scheduled.arguments, request), where);
}

void Function::html(const std::string& path, const std::vector<Buffer>& arguments,
                    const Where& where) const {
  write_page({*this, arguments}, "host", path, where);
}

void Function::html(const Error& refused, const std::string& path, const Where& where) const {
  write_page_of_refusal(Author::state(*this), refused, path, where);
}

std::string Function::html() const { return page_part(Author::state(*this)); }

}  // namespace strata
