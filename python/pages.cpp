// Function: pages in HTML.
#include "core/error.h"
#include "python/bind.h"
#include "python/module.h"
#include "python/turns.h"

namespace strata::python {

void add_pages(FunctionClass& f) {
  f.def(
      "html",
      [](const Function& self, const std::string& path, const std::vector<BufferName>& arguments) {
        const Where where = python_line();
        const std::vector<Buffer> buffers = Passed<const std::vector<Buffer>&>::value(arguments);
        const Compilation turn(owner_of(self));
        self.html(path, buffers, where);
      },
      "path"_a, "arguments"_a = nb::list(),
      "Writes one HTML file about the program: its layers, loops, machine code, history, remarks\n"
      "and profile; or the page of a refused command, from its Error. Without a path: parts of\n"
      "the page, as text. E0503 the file.");
  f.def(
      "html",
      [](const Function& self, nb::handle refused, const std::string& path) {
        const Where where = python_line();
        await_turn(owner_of(self));
        self.html(Error(refusal_of(refused)), path, where);
      },
      "refused"_a, "path"_a, nb::sig("def html(self, refused: Error, path: str) -> None"));
  const auto parts = [](const Function& self) {
    await_turn(owner_of(self));
    return self.html();
  };
  f.def("html", parts);
  f.def("_repr_html_", parts);
}

}  // namespace strata::python
