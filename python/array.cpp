// strata.Array: memory that other packages share by DLPack and the buffer protocol.
#include <cstdlib>
#include <cstring>
#include <memory>

#include "python/arrays.h"
#include "python/bind.h"
#include "python/dlpack.h"
#include "python/module.h"

namespace strata::python {

namespace {

constexpr std::size_t alignment = 64;

// Dense, the last axis innermost.
class Array {
 public:
  Array(const std::vector<std::int64_t>& shape, Type type);

  Array copied() const {
    Array copy(shape_, type_);
    std::memcpy(copy.memory_.get(), memory_.get(), std::size_t(size_));
    return copy;
  }
  nb::tuple shape() const {
    nb::list extents;
    for (const std::int64_t extent : shape_) extents.append(extent);
    return nb::tuple(extents);
  }
  Type type() const { return type_; }
  nb::capsule versioned_tensor(bool is_copy) const;
  nb::capsule tensor() const;
  // False if no letter of the buffer protocol is its type.
  bool fill(Py_buffer& view, int flags);

 private:
  dlpack::Tensor describe(std::int64_t* extents) const;

  Type type_;
  std::vector<std::int64_t> shape_;
  std::vector<Py_ssize_t> strides_;  // in bytes
  std::int64_t size_;                // in bytes
  std::shared_ptr<void> memory_;
};

Array::Array(const std::vector<std::int64_t>& shape, Type type)
    : type_(type), shape_(shape), strides_(shape.size()), size_(bytes(type)) {
  if (shape.size() > STRATA_MAX_RANK)
    throw nb::value_error(("an Array has at most " + std::to_string(STRATA_MAX_RANK) +
                           " axes, not " + std::to_string(shape.size()))
                              .c_str());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides_[axis] = size_;
    if (shape[axis] < 0) throw nb::value_error("an extent of an Array is negative");
    if (__builtin_mul_overflow(size_, shape[axis], &size_)) throw std::bad_alloc();
  }
  if (size_ > PTRDIFF_MAX - std::int64_t(alignment)) throw std::bad_alloc();
  const std::size_t rounded = (std::size_t(size_) / alignment + 1) * alignment;
  memory_ = std::shared_ptr<void>(std::aligned_alloc(alignment, rounded), &std::free);
  if (!memory_) throw std::bad_alloc();
  std::memset(memory_.get(), 0, rounded);
}

dlpack::DataType tensor_type(Type type) {
  const auto code = type == boolean           ? dlpack::boolean
                    : type == bf16            ? dlpack::bfloat
                    : is_float(type)          ? dlpack::floating
                    : is_signed_integer(type) ? dlpack::integer
                                              : dlpack::unsigned_integer;
  return {code, std::uint8_t(8 * bytes(type)), 1};
}

dlpack::Tensor Array::describe(std::int64_t* extents) const {
  return {memory_.get(),
          {dlpack::cpu, 0},
          std::int32_t(shape_.size()),
          tensor_type(type_),
          extents,
          extents + shape_.size(),
          0};
}

// What a capsule has until a consumer takes it and calls the deleter.
template <typename Managed>
struct Export {
  Managed managed{};
  std::vector<std::int64_t> extents_and_strides;  // in elements
  std::shared_ptr<void> memory;
};

template <typename Managed>
nb::capsule capsule_of(std::unique_ptr<Export<Managed>> content, const char* name) {
  content->managed.context = content.get();
  content->managed.deleter = [](Managed* managed) {
    delete static_cast<Export<Managed>*>(managed->context);
  };
  const auto free = [](PyObject* capsule) {
    const char* own_name = PyCapsule_GetName(capsule);
    if (std::strncmp(own_name, "used", 4) == 0) return;
    auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, own_name));
    managed->deleter(managed);
  };
  PyObject* capsule = PyCapsule_New(&content->managed, name, free);
  if (!capsule) throw nb::python_error();
  content.release();
  return nb::steal<nb::capsule>(capsule);
}

template <typename Managed>
std::unique_ptr<Export<Managed>> export_of(const std::vector<std::int64_t>& shape,
                                           const std::vector<Py_ssize_t>& strides, int element_size,
                                           const std::shared_ptr<void>& memory) {
  auto content = std::make_unique<Export<Managed>>();
  content->extents_and_strides = shape;
  for (const Py_ssize_t stride : strides)
    content->extents_and_strides.push_back(stride / element_size);
  content->memory = memory;
  return content;
}

nb::capsule Array::versioned_tensor(bool is_copy) const {
  auto content = export_of<dlpack::ManagedVersioned>(shape_, strides_, bytes(type_), memory_);
  content->managed.major = 1;
  content->managed.flags = is_copy ? dlpack::copied_flag : 0;
  content->managed.tensor = describe(content->extents_and_strides.data());
  return capsule_of(std::move(content), "dltensor_versioned");
}

nb::capsule Array::tensor() const {
  auto content = export_of<dlpack::Managed>(shape_, strides_, bytes(type_), memory_);
  content->managed.tensor = describe(content->extents_and_strides.data());
  return capsule_of(std::move(content), "dltensor");
}

const char* format_of(Type type) {
  switch (type) {
    case boolean:
      return "?";
    case i8:
      return "b";
    case i16:
      return "h";
    case i32:
      return "i";
    case i64:
      return "q";
    case u8:
      return "B";
    case u16:
      return "H";
    case u32:
      return "I";
    case u64:
      return "Q";
    case f16:
      return "e";
    case f32:
      return "f";
    case f64:
      return "d";
    default:
      return nullptr;
  }
}

bool Array::fill(Py_buffer& view, int flags) {
  const char* format = format_of(type_);
  if (!format) return false;
  view.buf = memory_.get();
  view.len = size_;
  view.itemsize = bytes(type_);
  view.readonly = 0;
  view.ndim = int(shape_.size());
  view.format = flags & PyBUF_FORMAT ? const_cast<char*>(format) : nullptr;
  view.shape = flags & PyBUF_ND ? reinterpret_cast<Py_ssize_t*>(shape_.data()) : nullptr;
  const bool has_strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
  view.strides = has_strides ? strides_.data() : nullptr;
  view.suboffsets = nullptr;
  view.internal = nullptr;
  return true;
}

int get_buffer(PyObject* object, Py_buffer* view, int flags) {
  view->obj = nullptr;
  Array& self = *nb::inst_ptr<Array>(object);
  const bool by_columns = (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS;
  if (by_columns || !self.fill(*view, flags)) {
    PyErr_SetString(PyExc_BufferError, by_columns ? "the last axis is innermost"
                                                  : "the buffer protocol has no bfloat16");
    return -1;
  }
  view->obj = nb::handle(object).inc_ref().ptr();
  return 0;
}

nb::capsule dlpack_of(const Array& self, nb::handle,
                      const std::optional<std::pair<int, int>>& version,
                      const std::optional<std::pair<int, int>>& device, std::optional<bool> copy) {
  if (device && device->first != dlpack::cpu) {
    PyErr_SetString(PyExc_BufferError, "an Array is in host memory");
    throw nb::python_error();
  }
  const bool is_copy = copy.value_or(false);
  const Array array = is_copy ? self.copied() : self;
  return version && version->first >= 1 ? array.versioned_tensor(is_copy) : array.tensor();
}

}  // namespace

void add_array(nb::module_& m) {
  static PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(&get_buffer)},
                                {0, nullptr}};
  nb::class_<Array>(
      m, "Array", nb::type_slots(slots),
      "Zeros in host memory, aligned to 64 bytes, the last axis innermost. Kernels take\n"
      "it as they take others' arrays; numpy.asarray, torch.from_dlpack and others\n"
      "share its memory.\n\n"
      "    >>> import numpy\n"
      "    >>> a = Array([2, 3], f32)\n"
      "    >>> numpy.asarray(a)[1, 2] = 5\n"
      "    >>> numpy.from_dlpack(a)[1]\n"
      "    array([0., 0., 5.], dtype=float32)")
      .def(
          "__init__",
          [](Array* self, const std::vector<Integer>& shape, const TypeName& type) {
            std::vector<std::int64_t> extents;
            for (const Integer& extent : shape) extents.push_back(extent.value);
            new (self) Array(extents, type.value);
          },
          "shape"_a, "type"_a)
      .def_prop_ro("shape", &Array::shape)
      .def_prop_ro("type", &Array::type)
      .def("__dlpack__", &dlpack_of, nb::kw_only(), "stream"_a.none() = nb::none(),
           "max_version"_a = nb::none(), "dl_device"_a = nb::none(), "copy"_a = nb::none())
      .def("__dlpack_device__", [](const Array&) { return std::pair(int(dlpack::cpu), 0); })
      .def("__repr__", [](const Array& self) {
        return "Array(" + std::string(nb::repr(self.shape()).c_str()) + ", " +
               to_string(self.type()) + ")";
      });
}

}  // namespace strata::python
