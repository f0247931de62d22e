// Function: pages in HTML.
#include "dsl/page.h"

#include "driver/page.h"
#include "dsl/author.h"
#include "dsl/kernel.h"

namespace strata {

void write_page(const Scheduled& scheduled, const std::string& target, const std::string& path,
                const Where& where) {
  FunctionState& state = Author::state(scheduled.function);
  const Request request{"html(" + state.program.name + ")", where};
  write_page(state, names_of(state.program, scheduled.arguments, request), target, path, where);
}

void Pages::html(const std::string& path, const std::vector<Buffer>& arguments,
                 const Where& where) const {
  write_page({static_cast<const Function&>(*this), arguments}, "host", path, where);
}

void Pages::html(const Error& refused, const std::string& path, const Where& where) const {
  write_page_of_refusal(Author::state(static_cast<const Function&>(*this)), refused, path, where);
}

std::string Pages::html() const {
  return page_part(Author::state(static_cast<const Function&>(*this)));
}

}  // namespace strata
