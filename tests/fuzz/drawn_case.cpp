#include "tests/fuzz/drawn_case.h"

namespace strata::fuzz {

namespace {

const Request whole_case{"a case drawn", {"random", 0}};

}  // namespace

CaseDrawing::CaseDrawing(Random random)
    : drawn_{{new_program(std::make_shared<Session>(), "drawn", whole_case), {}}, {}},
      random_(random) {}

Type CaseDrawing::any_type() {
  return one_of(std::vector{i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64});
}

void CaseDrawing::add_parameter(const std::string& name, const Expr& assumption) {
  drawn_.program = with_parameter(drawn_.program, name, whole_case);
  drawn_.program = with_assumption(drawn_.program, assumption, whole_case);
}

void CaseDrawing::add_input(const std::string& name, Type type, const Expr& size) {
  drawn_.program = with_input(drawn_.program, name, type, {size}, whole_case);
}

void CaseDrawing::define(const std::string& name, const std::vector<Var>& over, const Expr& value) {
  NewDefinition d;
  d.array = name;
  d.iterators = over;
  d.value = value;
  define(d);
}

void CaseDrawing::define(const NewDefinition& definition) {
  drawn_.program = with_definition(drawn_.program, definition, whole_case);
}

}  // namespace strata::fuzz
