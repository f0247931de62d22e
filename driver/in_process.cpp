#include "driver/in_process.h"

#include <dlfcn.h>

#include "driver/guard.h"
#include "driver/kernel.h"
#include "driver/remarks.h"

namespace strata {

namespace {

// E0502 if the program calls a C function of which neither "functions" nor this process knows the
// address.
void require_functions(const Program& program, const std::map<std::string, void*>& functions,
                       const Request& request) {
  const auto check = [&](const Expr& e) {
    if (e.op() != Op::call || functions.count(e.name()) || dlsym(RTLD_DEFAULT, e.name().c_str()))
      return;
    throw request.refused(Code::E0502_code_generation_failed,
                          "the address of the C function " + e.name() + " is not known",
                          "give it to jit() in CodegenOptions::functions, or link a library that "
                          "has the function");
  };
  for (const Definition& d : program.algorithm->definitions)
    for_each_expression(d, [&](const Expr& value) { visit(value, check); });
}

}  // namespace

std::shared_ptr<const JitKernel> kernel_in_process(CompilationUnit& unit,
                                                   const std::vector<std::string>& arguments,
                                                   const CodegenOptions& options, StageRun& stages,
                                                   const Where& where) {
  const std::string& name = unit.program.name;
  const Request request{"jit(" + name + ")", where};
  require_functions(unit.program, options.functions, {"codegen(" + name + ")", where});
  print_notes(unit, options);
  const Kernel& kernel = kernel_of(unit, arguments, options, stages, where);
  if (!kernel.partitions.empty())
    throw request.refused(Code::E0402_not_on_ranks,
                          "a kernel on several ranks does not run in process yet",
                          "write it with codegen, and call it from a program that mpirun starts");
  print_remarks(unit, kernel, arguments, "host", request);
  return at_authors_line(
      name, where, [&] { return std::make_shared<const JitKernel>(kernel, options, stages); });
}

}  // namespace strata
