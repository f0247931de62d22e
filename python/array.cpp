// strata.Array: memory on the host or on a GPU. Other packages share it by DLPack and the buffer
// protocol.
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>

#include "python/array_memory.h"
#include "python/arrays.h"
#include "python/bind.h"
#include "python/failures.h"
#include "python/module.h"
#include "python/turns.h"

namespace strata::python {

namespace {

// A dense array, with the last axis innermost.
class Array {
 public:
  Array(const std::vector<std::int64_t>& shape, Type type, dlpack::Device device);
  // Shares the elements of the array.
  Array(const graph::NDArray& array, Type type);

  Array copied() const;
  // Copies another array, which must have this type and shape, and be in host memory.
  void copy_from(nb::handle other);
  void copy_to(nb::handle other) const;
  nb::tuple shape() const {
    nb::list extents;
    for (const std::int64_t extent : shape_) extents.append(extent);
    return nb::tuple(extents);
  }
  Type type() const { return type_; }
  dlpack::Device device() const { return memory_->device(); }
  nb::capsule versioned_tensor(bool is_copy) const;
  nb::capsule tensor() const;
  // Fills the view for the buffer protocol. Returns why that is impossible, or null.
  const char* fill(Py_buffer& view, int flags);

 private:
  void compute_strides();
  dlpack::Tensor describe(std::int64_t* extents) const;
  void require_same(const ArrayView& view, const char* what) const;

  Type type_;
  std::vector<std::int64_t> shape_;
  std::vector<Py_ssize_t> strides_;  // in bytes
  std::int64_t size_;                // in bytes
  std::shared_ptr<ArrayMemory> memory_;
};

Array::Array(const std::vector<std::int64_t>& shape, Type type, dlpack::Device device)
    : type_(type), shape_(shape), strides_(shape.size()), size_(bytes(type)) {
  compute_strides();
  std::optional<Unlocked> unlocked;
  if (device.type != dlpack::cpu) unlocked.emplace();
  memory_ = std::make_shared<ArrayMemory>(device, shape_, type_);
}

Array::Array(const graph::NDArray& array, Type type)
    : type_(type),
      shape_(array.extents()),
      strides_(shape_.size()),
      size_(bytes(type)),
      memory_(std::make_shared<ArrayMemory>(array)) {
  compute_strides();
}

void Array::compute_strides() {
  if (shape_.size() > STRATA_MAX_RANK)
    throw nb::value_error(("an Array has at most " + std::to_string(STRATA_MAX_RANK) +
                           " axes, not " + std::to_string(shape_.size()))
                              .c_str());
  for (std::size_t axis = shape_.size(); axis-- > 0;) {
    strides_[axis] = size_;
    if (shape_[axis] < 0) throw nb::value_error("an extent of an Array is negative");
    if (__builtin_mul_overflow(size_, shape_[axis], &size_)) throw std::bad_alloc();
  }
}

Array Array::copied() const {
  Array copy(shape_, type_, device());
  const Unlocked unlocked;
  if (memory_->is_on_host())
    std::memcpy(copy.memory_->data(), memory_->data(), std::size_t(size_));
  else if (size_ > 0)
    copy.memory_->copy_from(*memory_);
  return copy;
}

void Array::require_same(const ArrayView& view, const char* what) const {
  bool same = view.type() == type_ && view.rank() == int(shape_.size());
  for (std::size_t axis = 0; same && axis < shape_.size(); ++axis)
    same = view.extent(int(axis)) == shape_[axis];
  if (!same)
    throw KernelFailure(strata_error_bad_shape,
                        std::string(what) + " has another type or shape than the Array");
}

void Array::copy_from(nb::handle other) {
  ArrayView view;
  view.take(other, "copy_from: its argument");
  require_same(view, "copy_from: its argument");
  const Unlocked unlocked;
  if (size_ > 0) memory_->copy_from(view.argument());
}

void Array::copy_to(nb::handle other) const {
  ArrayView view;
  view.take(other, "copy_to: its argument");
  require_same(view, "copy_to: its argument");
  if (view.is_read_only())
    throw KernelFailure(strata_error_wrong_arguments, "copy_to: its argument is read-only");
  const Unlocked unlocked;
  if (size_ > 0) memory_->copy_to(view.argument());
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
  return {
      memory_->data(),         device(), std::int32_t(shape_.size()), tensor_type(type_), extents,
      extents + shape_.size(), 0};
}

// What a capsule owns until a consumer takes it, and calls the deleter in the end.
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
    case boolean: return "?";
    case i8: return "b";
    case i16: return "h";
    case i32: return "i";
    case i64: return "q";
    case u8: return "B";
    case u16: return "H";
    case u32: return "I";
    case u64: return "Q";
    case f16: return "e";
    case f32: return "f";
    case f64: return "d";
    default: return nullptr;
  }
}

const char* Array::fill(Py_buffer& view, int flags) {
  if (!memory_->is_on_host()) return "the Array is on a GPU; copy_to copies it to host memory";
  if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS) return "the last axis is innermost";
  const char* format = format_of(type_);
  if (!format) return "the buffer protocol has no bfloat16";
  view.buf = memory_->data();
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
  return nullptr;
}

int get_buffer(PyObject* object, Py_buffer* view, int flags) {
  view->obj = nullptr;
  const char* const why = nb::inst_ready(object)
                              ? nb::inst_ptr<Array>(object)->fill(*view, flags)
                              : "the Array is not made: its __init__ was not called";
  if (why) {
    PyErr_SetString(PyExc_BufferError, why);
    return -1;
  }
  view->obj = nb::handle(object).inc_ref().ptr();
  return 0;
}

std::pair<int, int> device_pair(const Array& self) {
  return {self.device().type, self.device().number};
}

std::string device_text(const Array& self) {
  const dlpack::Device device = self.device();
  return device.type == dlpack::cuda     ? "cuda:" + std::to_string(device.number)
         : device.type == dlpack::opencl ? "opencl"
                                         : "host";
}

// "host", "opencl", "cuda" or "cuda:1".
dlpack::Device device_named(const std::string& text) {
  const auto refuse = [&] {
    return nb::value_error(
        ("an Array is on \"host\", \"opencl\", \"cuda\" or \"cuda:1\", not \"" + text + "\"")
            .c_str());
  };
  if (text == "host") return {dlpack::cpu, 0};
  if (text == "opencl") return {dlpack::opencl, 0};
  if (text == "cuda") return {dlpack::cuda, 0};
  if (!text.starts_with("cuda:")) throw refuse();
  dlpack::Device device{dlpack::cuda, 0};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + 5, end, device.number);
  if (error != std::errc() || rest != end || device.number < 0) throw refuse();
  return device;
}

nb::capsule dlpack_of(const Array& self, nb::handle,
                      const std::optional<std::pair<int, int>>& version,
                      const std::optional<std::pair<int, int>>& device, std::optional<bool> copy) {
  if (device && *device != device_pair(self)) {
    PyErr_SetString(PyExc_BufferError,
                    ("the Array is " + CallDevice::name_of(self.device())).c_str());
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
      "Zeros, aligned to 64 bytes, the last axis innermost: in host memory, or on the device\n"
      "\"cuda\", \"cuda:1\" or \"opencl\" for resident arguments of kernels. Kernels take it as\n"
      "they take others' arrays; numpy.asarray, torch.from_dlpack and others share its memory.\n"
      "KernelError if the GPU cannot be used or has not enough memory.\n\n"
      "    >>> import numpy\n"
      "    >>> a = Array([2, 3], f32)\n"
      "    >>> numpy.asarray(a)[1, 2] = 5\n"
      "    >>> numpy.from_dlpack(a)[1]\n"
      "    array([0., 0., 5.], dtype=float32)")
      .def(
          "__init__",
          [](Array* self, const std::vector<Integer>& shape, const TypeName& type,
             const std::string& device) {
            std::vector<std::int64_t> extents;
            for (const Integer& extent : shape) extents.push_back(extent.value);
            new (self) Array(extents, type.value, device_named(device));
          },
          "shape"_a, "type"_a, "device"_a = "host")
      .def("copy_from", &Array::copy_from, "array"_a,
           "Copies all elements of an array in host memory, of this type and shape (KernelError).")
      .def("copy_to", &Array::copy_to, "array"_a,
           "Copies all elements to an array in host memory, of this type and shape (KernelError).")
      .def_prop_ro("device", &device_text)
      .def_prop_ro("shape", &Array::shape)
      .def_prop_ro("type", &Array::type)
      .def("__dlpack__", &dlpack_of, nb::kw_only(), "stream"_a.none() = nb::none(),
           "max_version"_a = nb::none(), "dl_device"_a = nb::none(), "copy"_a = nb::none())
      .def("__dlpack_device__", &device_pair)
      .def("__repr__", [](const Array& self) {
        return "Array(" + std::string(nb::repr(self.shape()).c_str()) + ", " +
               to_string(self.type()) +
               (self.device().type == dlpack::cpu ? "" : ", '" + device_text(self) + "'") + ")";
      });
}

nb::object new_array(const std::vector<std::int64_t>& shape, Type type, dlpack::Device device) {
  return nb::cast(Array(shape, type, device));
}

nb::object new_array(const graph::NDArray& array, Type type) {
  return nb::cast(Array(array, type));
}

}  // namespace strata::python
