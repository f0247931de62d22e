#include "codegen/halide/emit/device_buffer.h"

#include "codegen/halide/emit/descriptor.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;
using hi::Call;
using hi::LetStmt;
using hi::Variable;

// Calls a function of runtime/device.c. The kernel returns the function's code if it is not 0.
HStmt tried_on_device(const std::string& function, const std::string& buffer,
                      const std::vector<HExpr>& arguments) {
  const std::string name = symbol_on_device(buffer) + "." + function;
  const HExpr code = Variable::make(Halide::Int(32), name);
  const HExpr call = Call::make(Halide::Int(32), function, arguments, Call::Extern);
  return LetStmt::make(name, call, hi::AssertStmt::make(code == 0, code));
}

}  // namespace

std::string symbol_on_device(const std::string& buffer) { return "device." + buffer; }
std::string touched_on_device(const std::string& buffer) {
  return symbol_on_device(buffer) + ".touched";
}

HExpr description_on_device(const std::string& buffer) {
  return Variable::make(Halide::type_of<halide_buffer_t*>(), symbol_on_device(buffer) + ".buffer");
}

HExpr description_on_host(const std::string& buffer) {
  return Variable::make(Halide::type_of<halide_buffer_t*>(), symbol_on_device(buffer) + ".host");
}

HStmt memory_on_device(const std::string& kernel, const std::string& buffer,
                       Halide::DeviceAPI api) {
  const HStmt freed_in_the_end = hi::Evaluate::make(Call::make(
      Halide::Handle(), Call::register_destructor,
      {hi::StringImm::make("halide_device_free_as_destructor"), description_on_device(buffer)},
      Call::Intrinsic));
  return hi::Block::make(freed_in_the_end,
                         tried_on_device("strata_device_allocate", buffer,
                                         {HExpr(kernel), description_on_device(buffer),
                                          hi::make_device_interface_call(api)}));
}

HStmt free_on_device(const std::string& buffer) {
  return hi::Evaluate::make(Call::make(Halide::Int(32), "halide_device_free",
                                       {description_on_device(buffer)}, Call::Extern));
}

HStmt copy_between(const DeviceCopy& copy, const std::string& kernel, Halide::DeviceAPI api) {
  const HExpr touched = Variable::make(Halide::Bool(), touched_on_device(copy.buffer));
  const std::string function =
      copy.direction == Transfer::to_device ? "strata_copy_to_device" : "strata_copy_to_host";
  return hi::IfThenElse::make(
      touched,
      tried_on_device(function, copy.buffer,
                      {HExpr(kernel), description_on_device(copy.buffer),
                       description_on_host(copy.buffer), hi::make_device_interface_call(api)}));
}

HStmt with_temporary_on_device(const Allocation& allocation, const std::string& buffer,
                               const std::string& kernel, Halide::DeviceAPI api, bool on_host,
                               const HStmt& body) {
  const HExpr zero = HExpr(std::int64_t{0}), one = HExpr(std::int64_t{1});
  const HExpr longest = HExpr(largest_row_on_device), row = HExpr(row_on_device);
  const std::string count_name = symbol_on_device(buffer) + ".count";
  const HExpr count = Variable::make(Halide::Int(64), count_name);
  const HExpr width = Halide::select(count > longest, row, Halide::max(count, one));
  const HExpr rows = Halide::max((count + width - one) / width, one);
  BufferView host{allocation.symbol(), allocation.type(), {}, {}, {}};
  const std::vector<Extent> shape{{zero, rows, width}, {zero, width, one}};
  HStmt out = hi::Block::make(memory_on_device(kernel, buffer, api),
                              hi::Block::make(body, free_on_device(buffer)));
  if (on_host)
    out = LetStmt::make(symbol_on_device(buffer) + ".host", descriptor(host, zero, shape), out);
  out = LetStmt::make(symbol_on_device(buffer) + ".buffer",
                      descriptor_of_nothing(allocation.type(), shape), out);
  out = LetStmt::make(touched_on_device(buffer), count > zero, out);
  out = LetStmt::make(count_name, allocation.count(), out);
  return on_host ? allocation.around(out, kernel) : allocation.sized(out);
}

BufferView view_on_device(const Allocation& allocation, const std::string& buffer) {
  BufferView view = allocation.view();
  view.symbol = symbol_on_device(buffer);
  view.on_stack = false;
  return view;
}

}  // namespace strata::halide
