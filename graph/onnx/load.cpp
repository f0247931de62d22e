#include "graph/onnx/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <limits>

#include "graph/onnx/array_of.h"
#include "graph/onnx/importer.h"
#include "graph/onnx/wire.h"

namespace strata::graph {

namespace {

using namespace onnx;

constexpr std::int64_t least_ir = 3, newest_ir = 14;

// "unk__12 + 1" as an identifier.
std::string identifier_of(const std::string& name) {
  std::string result;
  for (const char c : name)
    result += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) result = "_" + result;
  return result;
}

// The loading of one model.
class Loading {
 public:
  Loading(const ModelProto& model, const std::optional<std::filesystem::path>& folder,
          const OnnxOptions& options, const Request& request)
      : model_(model),
        options_(options),
        request_(request),
        emitter_(builder_, request.where),
        importer_(model, emitter_, folder) {}

  Module module() {
    require_versions();
    NameScope scope{nullptr, nullptr, &model_.versions};
    importer_.add_initializers(model_.graph, scope);
    add_inputs(scope);
    require_options_used();
    std::vector<std::string> results;
    for (const ValueProto& output : model_.graph.outputs) results.push_back(output.name);
    builder_.begin_function(options_.function, parameters_, request_.where);
    importer_.import_nodes(model_.graph.nodes, results, scope);
    importer_.require_all(request_);
    builder_.emit_function_output(result(results, scope), {}, request_.where);
    builder_.end_function(request_.where);
    Module module = builder_.module();
    for (const GraphFunction& function : emitter_.functions()) module.set(function);
    return module;
  }

 private:
  void require_versions() const {
    if (model_.ir_version < least_ir || model_.ir_version > newest_ir)
      throw request_.refused(Code::E0604_unreadable_program,
                             fmt::format("version {} of the format is not from {} to {}",
                                         model_.ir_version, least_ir, newest_ir),
                             "export the model anew");
    if (model_.graph.has_sparse_initializers)
      throw request_.refused(Code::E0603_unknown_operator, "there are sparse initializers",
                             "make dense tensors of them");
    if (model_.graph.outputs.empty())
      throw request_.refused(Code::E0604_unreadable_program, "the model has no output");
  }

  void add_inputs(NameScope& scope) {
    for (const ValueProto& input : model_.graph.inputs)
      for (const DimProto& dim : input.shape.value_or(std::vector<DimProto>()))
        if (!dim.name.empty()) emitter_.reserve(identifier_of(dim.name));
    for (const ValueProto& input : model_.graph.inputs) {
      if (scope.values.contains(input.name)) continue;
      const auto value = options_.values.find(input.name);
      if (value != options_.values.end()) {
        scope.values[input.name] = emitter_.constant(value->second.copied());
        used_.insert(input.name);
        continue;
      }
      const Value parameter = variable(parameter_name(input.name), type_of_input(input));
      parameters_.push_back(parameter);
      scope.values[input.name] = parameter;
    }
  }

  std::string parameter_name(const std::string& name) {
    const std::string wanted = identifier_of(name);
    std::string free = wanted;
    for (int k = 1; !names_.insert(free).second; ++k) free = fmt::format("{}_{}", wanted, k);
    return free;
  }

  ValueType type_of_input(const ValueProto& input) {
    const auto element = element_of(input.type);
    if (!input.is_tensor || !element)
      throw request_.refused(
          Code::E0603_unknown_operator,
          fmt::format("input \"{}\" is {}", input.name,
                      input.is_tensor ? "of " + name_of(input.type) : "no tensor"));
    if (!input.shape) return ValueType::tensor(std::nullopt, *element);
    Shape dims;
    for (const DimProto& dim : *input.shape) dims.push_back(extent(dim));
    return ValueType::tensor(dims, *element);
  }

  Expr extent(const DimProto& dim) {
    if (dim.name.empty() && dim.value && *dim.value >= 0) {
      if (*dim.value > std::numeric_limits<std::int32_t>::max())
        throw request_.refused(Code::E0602_does_not_fit,
                               fmt::format("an extent is {}, beyond 2^31", *dim.value));
      return constant(i64, *dim.value);
    }
    // Some exporters write "?" if they have no name.
    if (dim.name.empty() || dim.name == "?") return emitter_.fresh_symbol();
    if (const auto bound = options_.dims.find(dim.name); bound != options_.dims.end()) {
      used_.insert(dim.name);
      return constant(i64, bound->second);
    }
    if (const auto found = symbols_.find(dim.name); found != symbols_.end()) return found->second;
    const std::string name = identifier_of(dim.name);
    const bool is_free = symbol_names_.insert(name).second;
    return symbols_[dim.name] = is_free ? Expr(parameter(name)) : emitter_.fresh_symbol();
  }

  void require_options_used() const {
    std::vector<std::string> unused;
    for (const auto& [name, value] : options_.dims)
      if (!used_.contains(name)) unused.push_back("\"" + name + "\"");
    for (const auto& [name, value] : options_.values)
      if (!used_.contains(name)) unused.push_back("\"" + name + "\"");
    if (unused.empty()) return;
    std::vector<std::string> known;
    for (const auto& [name, symbol] : symbols_) known.push_back("\"" + name + "\"");
    for (const ValueProto& input : model_.graph.inputs) known.push_back("\"" + input.name + "\"");
    throw request_.refused(Code::E0106_bad_argument,
                           fmt::format("the model has no dim or input {}", fmt::join(unused, ", ")),
                           fmt::format("it has {}", fmt::join(known, ", ")));
  }

  Value result(const std::vector<std::string>& names, const NameScope& scope) {
    Values values;
    for (const std::string& name : names) {
      const Value* value = scope.find(name);
      if (!value || !value->defined())
        throw request_.refused(Code::E0604_unreadable_program,
                               fmt::format("nothing computes the output \"{}\"", name));
      values.push_back(emitter_.bound(*value));
    }
    return values.size() == 1 ? values[0] : tuple_value(values, request_.where);
  }

  const ModelProto& model_;
  const OnnxOptions& options_;
  Request request_;
  GraphBuilder builder_;
  Emitter emitter_;
  Importer importer_;
  Values parameters_;
  std::map<std::string, Expr> symbols_;
  std::set<std::string> symbol_names_, names_, used_;
};

Module loaded(std::string_view bytes, const std::optional<std::filesystem::path>& folder,
              const OnnxOptions& options, const Request& request) {
  try {
    const ModelProto model = model_of(bytes);
    return Loading(model, folder, options, request).module();
  } catch (const WireError& error) {
    throw request.refused(Code::E0604_unreadable_program,
                          fmt::format("this is not an ONNX model: {}", error.what()),
                          "give a file that onnx.save wrote");
  }
}

std::string contents_of(const std::filesystem::path& file, const Request& request) {
  std::error_code error;
  std::string bytes;
  if (std::filesystem::is_regular_file(file, error)) {
    bytes.resize(std::filesystem::file_size(file, error));
    std::ifstream stream(file, std::ios::binary);
    if (!error && stream.read(bytes.data(), std::streamsize(bytes.size()))) return bytes;
  }
  throw request.refused(Code::E0604_unreadable_program, file.string() + " cannot be read",
                        "give the path of an ONNX file");
}

}  // namespace

Module load_onnx(const std::filesystem::path& file, const OnnxOptions& options,
                 const Where& where) {
  const Request request{fmt::format("load_onnx(\"{}\")", file.string()), where};
  return loaded(contents_of(file, request), file.parent_path(), options, request);
}

Module read_onnx(std::string_view bytes, const std::optional<std::filesystem::path>& folder,
                 const OnnxOptions& options, const Where& where) {
  return loaded(bytes, folder, options, {"load_onnx", where});
}

}  // namespace strata::graph
