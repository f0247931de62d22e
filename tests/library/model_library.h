// Models as C libraries, compiled and called in the tests.
#pragma once

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "graph/library/library.h"
#include "tests/folder.h"
#include "tests/graph/programs.h"

namespace strata::test {

inline std::string contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The library "m" of a model, compiled as C99 without warnings, with a runtime of its own. Its
// functions take 64-bit integers and pointers, so all are called in one way.
class ModelLibrary {
 public:
  explicit ModelLibrary(const graph::CompiledModule& model,
                        const graph::LibraryOptions& options = {}) {
    model.save_library(folder.path, "m", options);
    const std::string file = folder / "m.so";
    const std::string command =
        "cc -std=c99 -O1 -Wall -Wextra -Werror -shared -fPIC " STRATA_TEST_FLAGS
        " -I" STRATA_TEST_INCLUDE " " +
        folder / "m.c" + " " + folder / "m_kernels.a" +
        " " STRATA_TEST_RUNTIME " -lpthread -ldl -lm -o " + file + " >&2";
    INFO(contents(folder / "m.c"));
    REQUIRE(std::system(command.c_str()) == 0);
    library_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    INFO((library_ ? "" : dlerror()));
    REQUIRE(library_);
    model_ = open(folder / "m.weights");
    INFO(error());
    REQUIRE(model_);
  }
  ModelLibrary(const ModelLibrary&) = delete;
  ModelLibrary& operator=(const ModelLibrary&) = delete;
  ~ModelLibrary() {
    close(model_);
    dlclose(library_);
  }

  void* open(const std::string& weights) const {
    return address<void*(const char*)>("m_open")(weights.c_str());
  }
  void close(void* model) const { address<void(void*)>("m_close")(model); }
  std::string error() const { return address<const char*()>("strata_last_error")(); }
  bool has(const std::string& name) const { return dlsym(library_, name.c_str()); }

  // The result of a function without the model.
  std::int64_t call(const std::string& name, std::vector<std::int64_t> list) const {
    REQUIRE(list.size() <= 16);
    list.resize(16);
    using I = std::int64_t;
    using Function = I(I, I, I, I, I, I, I, I, I, I, I, I, I, I, I, I);
    const auto& l = list;
    return address<Function>(name)(l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7], l[8], l[9],
                                   l[10], l[11], l[12], l[13], l[14], l[15]);
  }
  int run(const std::string& name, const std::vector<std::int64_t>& symbols,
          const std::vector<halide_buffer_t*>& buffers) const {
    std::vector<std::int64_t> list{std::int64_t(model_)};
    list.insert(list.end(), symbols.begin(), symbols.end());
    for (halide_buffer_t* buffer : buffers) list.push_back(std::int64_t(buffer));
    return int(call(name, list));
  }
  // The same with arrays; a failure ends the test.
  void operator()(const std::string& name, const std::vector<std::int64_t>& symbols,
                  const std::vector<graph::NDArray>& arrays) const {
    const int code = run(name, symbols, {arrays.begin(), arrays.end()});
    INFO(error());
    REQUIRE(code == 0);
  }

  Folder folder;

 private:
  template <typename T>
  T* address(const std::string& name) const {
    void* const found = dlsym(library_, name.c_str());
    INFO(name);
    REQUIRE(found);
    return reinterpret_cast<T*>(found);
  }

  void* library_ = nullptr;
  void* model_ = nullptr;
};

inline void add_arrays(const graph::VmValue& value, std::vector<graph::NDArray>& arrays) {
  if (value.array()) arrays.push_back(*value.array());
  if (value.fields())
    for (const graph::VmValue& field : *value.fields()) add_arrays(field, arrays);
}

// The C computes the bits of the machine, which agrees with the reference run by the interpreter.
inline void check_as_machine(const graph::CompiledModule& model, const graph::Module& module,
                             const ModelLibrary& library, const std::string& name,
                             const std::vector<std::int64_t>& symbols,
                             const std::vector<graph::VmValue>& given) {
  const graph::VmValue wanted = graph::run(module, name, given, graph::RunBy::interpreter);
  const graph::VmValue made = graph::VirtualMachine(model.executable, model.kernels)(name, given);
  CHECK(is_close(made, wanted));
  std::vector<graph::NDArray> arrays, results;
  for (const graph::VmValue& value : given) add_arrays(value, arrays);
  add_arrays(made, results);
  const std::size_t first = arrays.size();
  for (const graph::NDArray& result : results) {
    arrays.emplace_back(result.type(), result.extents());
    std::memset(arrays.back().raw(), 0xEE, arrays.back().bytes());
  }
  library("m_" + name, symbols, arrays);
  for (std::size_t k = 0; k < results.size(); ++k)
    CHECK((results[k].bytes() == 0 ||
           std::memcmp(results[k].raw(), arrays[first + k].raw(), results[k].bytes()) == 0));
}

}  // namespace strata::test
