#include "codegen/halide/arithmetic/math_functions.h"

#include <array>
#include <cmath>

#include "codegen/halide/arithmetic/exponential.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;
using hi::Call;

// In the order of preference.
const std::array<VectorMath, 4>& known_vectors() {
  static const std::array<VectorMath, 4> known{
      {{"avx512", 64, true}, {"avx2", 32, true}, {"sse2", 16, false}, {"neon", 0, true}}};
  return known;
}

bool has_instructions(const Halide::Target& target, const std::string& name) {
  using Halide::Target;
  if (target.bits != 64) return false;
  if (target.arch == Target::ARM) return name == "neon";
  if (target.arch != Target::X86 || name == "neon") return false;
  if (name == "sse2") return true;
  if (name == "avx2") return target.has_feature(Target::AVX2);
  return target.features_any_of({Target::AVX512, Target::AVX512_KNL, Target::AVX512_Skylake});
}

std::string prefix(const VectorMath& vectors) { return "strata_" + vectors.instructions + "_"; }

// The vector functions that a call names, or none.
VectorMath vectors_of(const Call* call) {
  for (const VectorMath& vectors : known_vectors())
    if (call->name.starts_with(prefix(vectors))) return vectors;
  return {};
}

struct MathFunction {
  std::string name;
  double (*of_doubles)(double, double);
  float (*of_floats)(float, float);
};

#define STRATA_UNARY(f) \
  {#f, [](double x, double) { return std::f(x); }, [](float x, float) { return std::f(x); }},
#define STRATA_BINARY(f)                                \
  {#f, [](double x, double y) { return std::f(x, y); }, \
   [](float x, float y) { return std::f(x, y); }},
const std::vector<MathFunction>& math_functions() {
  static const std::vector<MathFunction> all{
#include "runtime/math_functions.inc"
  };
  return all;
}
#undef STRATA_UNARY
#undef STRATA_BINARY

// x, filled up to whole vectors with its first lane.
HExpr in_whole_vectors(const HExpr& x, const VectorMath& vectors) {
  const int lanes = x.type().lanes(), width = vectors.bytes / x.type().bytes();
  if (lanes % width == 0) return x;
  std::vector<int> picked;
  for (int lane = 0; lane < (lanes + width - 1) / width * width; ++lane)
    picked.push_back(lane < lanes ? lane : 0);
  return hi::Shuffle::make({x}, picked);
}

HExpr called_on_vectors(const Call* call, const VectorMath& vectors) {
  std::vector<HExpr> arguments;
  int lanes = 0;
  for (const HExpr& arg : call->args) {
    const HExpr x = in_whole_vectors(arg, vectors);
    lanes = x.type().lanes();
    arguments.push_back(Call::make(Halide::Handle(), Call::make_struct, {x}, Call::Intrinsic));
  }
  arguments.emplace_back(lanes);
  const std::string result = hi::unique_name('t');
  const HExpr found = Call::make(Halide::Handle(), call->name, arguments, Call::Extern);
  const HExpr each = hi::Ramp::make(0, 1, call->type.lanes());
  return hi::Let::make(
      result, found,
      hi::Load::make(call->type, result, each, Halide::Buffer<>(), Halide::Parameter(),
                     hi::const_true(call->type.lanes()), hi::ModulusRemainder()));
}

class CallsOnVectors : public hi::IRMutator {
  using hi::IRMutator::visit;

  HExpr visit(const Call* op) override {
    const HExpr inside = hi::IRMutator::visit(op);
    const auto* call = inside.as<Call>();
    const VectorMath vectors = vectors_of(call);
    if (vectors.instructions.empty()) return inside;
    const std::string function = call->name.substr(prefix(vectors).size());
    if (call->type.is_vector()) {
      if (function == "expf") return exponential(call->args[0], vectors.fused);
      if (vectors.bytes > 0) return called_on_vectors(call, vectors);
    }
    return Call::make(call->type, "strata_" + function, call->args, Call::PureExtern);
  }
};

}  // namespace

VectorMath vector_math_of(const Halide::Target& target) {
  for (const VectorMath& vectors : known_vectors())
    if (has_instructions(target, vectors.instructions)) return vectors;
  return {};
}

HExpr math_call(Op op, const std::vector<HExpr>& operands, const VectorMath& vectors) {
  const HType type = operands[0].type();
  const std::string start = vectors.instructions.empty() ? "strata_" : prefix(vectors);
  return Call::make(type, start + to_string(op) + (type.bits() == 32 ? "f" : ""), operands,
                    Call::PureExtern);
}

std::optional<double> math_of_constants(const Call& call, const std::vector<double>& operands) {
  const VectorMath vectors = vectors_of(&call);
  if (vectors.instructions.empty() || operands.empty() || operands.size() > 2) return std::nullopt;
  const std::string name = call.name.substr(prefix(vectors).size());
  const double x = operands.front(), y = operands.back();
  for (const MathFunction& f : math_functions()) {
    if (name == f.name) return f.of_doubles(x, y);
    if (name == f.name + "f") return double(f.of_floats(float(x), float(y)));
  }
  return std::nullopt;
}

HStmt with_vector_math(const HStmt& statement) { return CallsOnVectors().mutate(statement); }

}  // namespace strata::halide
