#include "python/arrays.h"

#include <bit>

#include "graph/evaluate/element.h"
#include "python/failures.h"

namespace strata::python {

namespace {

[[noreturn]] void refuse(int code, const std::string& what, const std::string& why) {
  throw KernelFailure(code, what + " " + why);
}

std::optional<Type> type_of(char kind, std::int64_t size) {
  struct Letters {
    std::string_view letters;
    std::optional<Type> types[4];  // of 1, 2, 4 and 8 bytes
  };
  static constexpr Letters all[] = {{"bhilqn", {i8, i16, i32, i64}},
                                    {"BHILQN", {u8, u16, u32, u64}},
                                    {"efd", {std::nullopt, f16, f32, f64}}};
  if (kind == '?') return boolean;
  if (size < 1 || size > 8 || !std::has_single_bit(std::uint64_t(size))) return std::nullopt;
  for (const Letters& l : all)
    if (l.letters.find(kind) != std::string_view::npos)
      return l.types[std::countr_zero(std::uint64_t(size))];
  return std::nullopt;
}

// The type of a buffer's elements by their format, a letter of Python's module struct.
Type type_of_format(const char* format, std::int64_t size, const std::string& what) {
  std::string_view text = format ? format : "B";
  const bool swapped = text.starts_with(std::endian::native == std::endian::little ? '>' : '<') ||
                       (text.starts_with('!') && std::endian::native == std::endian::little);
  if (swapped && size > 1)
    refuse(strata_error_wrong_type, what, "has the bytes of its elements in the other order");
  if (!text.empty() && std::string_view("@=<>!").find(text[0]) != std::string_view::npos)
    text.remove_prefix(1);
  const auto type = text.size() == 1 ? type_of(text[0], size) : std::nullopt;
  if (!type)
    refuse(strata_error_wrong_type, what,
           "has elements of the format \"" + std::string(format ? format : "") +
               "\", which no kernel has");
  return *type;
}

Type type_of_tensor(dlpack::DataType t, const std::string& what) {
  std::optional<Type> type;
  if (t.lanes == 1) {
    const std::string size = std::to_string(int(t.bits));
    if (t.code == dlpack::integer) type = type_named("int" + size);
    if (t.code == dlpack::unsigned_integer) type = type_named("uint" + size);
    if (t.code == dlpack::floating) type = type_named("float" + size);
    if (t.code == dlpack::bfloat) type = type_named("bfloat" + size);
    if (t.code == dlpack::boolean && t.bits == 8) type = boolean;
  }
  if (!type)
    refuse(strata_error_wrong_type, what,
           "has elements of DLPack's code " + std::to_string(int(t.code)) + " with " +
               std::to_string(int(t.bits)) + " bits and " + std::to_string(int(t.lanes)) +
               " lanes, which no kernel has");
  return *type;
}

bool is_bfloat16(nb::handle object) {
  if (!nb::hasattr(object, "dtype")) return false;
  const nb::object dtype = object.attr("dtype");
  return nb::hasattr(dtype, "name") && nb::str(dtype.attr("name")).equal(nb::str("bfloat16"));
}

std::int32_t in_32_bits(std::int64_t value, const char* which, const std::string& what) {
  if (value != std::int32_t(value))
    refuse(strata_error_too_large, what,
           std::string("has ") + which + " " + std::to_string(value) + ", more than 32 bits hold");
  return std::int32_t(value);
}

[[noreturn]] void refuse_type(nb::handle object, const std::string& what) {
  throw nb::type_error((what + " is " + Py_TYPE(object.ptr())->tp_name +
                        ", not an array: it has neither __dlpack__ nor the buffer protocol")
                           .c_str());
}

// The capsule that __dlpack__ returns. Packages older than DLPack 1 do not know max_version.
nb::object capsule_of(nb::handle object, const nb::dict& options, const std::string& what) {
  try {
    try {
      const auto versioned = nb::steal<nb::dict>(PyDict_Copy(options.ptr()));
      versioned["max_version"] = nb::make_tuple(1, 0);
      return object.attr("__dlpack__")(**versioned);
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_TypeError)) throw;
      return object.attr("__dlpack__")(**options);
    }
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw;
    refuse(strata_error_wrong_arguments, what,
           "cannot be given by DLPack: " + escaped_text(error.value()));
  }
}

// The device of an array. Arrays without DLPack are in host memory.
dlpack::Device device_of(nb::handle object, const std::string& what) {
  if (!nb::hasattr(object, "__dlpack__")) {
    if (!PyObject_CheckBuffer(object.ptr())) refuse_type(object, what);
    return {dlpack::cpu, 0};
  }
  const auto refuse_numbers = [&] {
    refuse(strata_error_wrong_arguments, what, "has no __dlpack_device__ that gives two numbers");
  };
  std::pair<Integer, Integer> device;
  try {
    device = nb::cast<std::pair<Integer, Integer>>(object.attr("__dlpack_device__")());
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw;
    refuse_numbers();
  } catch (const std::exception&) {
    refuse_numbers();
  }
  const auto [type, number] = device;
  if (type.value != std::int32_t(type.value) || number.value != std::int32_t(number.value) ||
      number.value < 0)
    refuse_numbers();
  return {std::int32_t(type.value), std::int32_t(number.value)};
}

}  // namespace

ArrayView::~ArrayView() {
  strata_unwrap(&buffer_);
  if (view_.obj) PyBuffer_Release(&view_);
}

bool ArrayView::is_dense() const {
  std::int64_t dense = 1;
  for (int d = 0; d < rank(); ++d) {
    if (dimensions_[d].extent > 1 && dimensions_[d].stride != dense) return false;
    dense *= dimensions_[d].extent;
  }
  return true;
}

void ArrayView::take(nb::handle object, const std::string& what) {
  if (take_buffer(object, what) || take_dlpack(object, what)) return;
  refuse_type(object, what);
}

bool ArrayView::take_buffer(nb::handle object, const std::string& what) {
  if (!PyObject_CheckBuffer(object.ptr())) return false;
  if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_RECORDS_RO) != 0) {
    nb::python_error reason;
    if (is_bfloat16(object)) {
      reinterpreted_ = object.attr("view")("uint16");
      if (!take_buffer(reinterpreted_, what)) return false;
      type_ = bf16;
      buffer_.type = graph::element_type_of(type_);
      return true;
    }
    if (nb::hasattr(object, "__dlpack__") && take_dlpack(object, what)) return true;
    refuse(strata_error_wrong_type, what,
           "gives no access to its memory: " + std::string(reason.what()));
  }
  type_ = type_of_format(view_.format, view_.itemsize, what);
  read_only_ = view_.readonly != 0;
  describe({view_.buf, view_.ndim, view_.shape, view_.strides, true}, what);
  return true;
}

bool ArrayView::take_dlpack(nb::handle object, const std::string& what) {
  if (!nb::hasattr(object, "__dlpack__")) return false;
  const dlpack::Tensor& tensor = consumed(capsule_of(object, {}, what), what);
  if (tensor.device.type != dlpack::cpu && tensor.device.type != dlpack::cuda_host)
    refuse(strata_error_null_host, what,
           "is " + CallDevice::name_of(tensor.device) +
               ", and the kernel takes it from host memory: give an array there, or make the "
               "argument resident on the GPU (Function.resident)");
  type_ = type_of_tensor(tensor.type, what);
  if (tensor.rank != 0 && !tensor.extents) refuse(strata_error_bad_shape, what, "has no shape");
  static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t));
  describe({static_cast<char*>(tensor.data) + tensor.byte_offset, tensor.rank,
            reinterpret_cast<const Py_ssize_t*>(tensor.extents),
            reinterpret_cast<const Py_ssize_t*>(tensor.strides), false},
           what);
  return true;
}

void ArrayView::take_resident(nb::handle object, const std::string& what, CallDevice& device) {
  device.choose(device_of(object, what), what);
  nb::dict options;
  if (const auto stream = device.stream()) options["stream"] = *stream;
  const dlpack::Tensor& tensor = consumed(capsule_of(object, options, what), what);
  device.choose(tensor.device, what);
  type_ = type_of_tensor(tensor.type, what);
  const int code = strata_wrap_tensor(&buffer_, dimensions_, &tensor);
  if (code != 0) refuse(code, what, std::string("cannot be used: ") + strata_last_error());
}

// Takes the tensor of a capsule. Whoever does so renames the capsule, and calls the deleter in the
// end.
template <typename Managed>
Managed* ArrayView::owned(nb::handle capsule, const char* name, const char* used) {
  if (!PyCapsule_IsValid(capsule.ptr(), name)) return nullptr;
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (PyCapsule_SetName(capsule.ptr(), used) != 0) throw nb::python_error();
  tensor_ = std::shared_ptr<Managed>(managed, [](Managed* m) {
    if (m->deleter) m->deleter(m);
  });
  return managed;
}

const dlpack::Tensor& ArrayView::consumed(nb::handle capsule, const std::string& what) {
  if (const auto* m = owned<dlpack::Managed>(capsule, "dltensor", "used_dltensor"))
    return m->tensor;
  const auto* managed =
      owned<dlpack::ManagedVersioned>(capsule, "dltensor_versioned", "used_dltensor_versioned");
  if (!managed)
    refuse(strata_error_wrong_arguments, what, "has a __dlpack__ that returns no tensor");
  if (managed->major != 1)
    refuse(strata_error_wrong_arguments, what,
           "is given by DLPack " + std::to_string(managed->major) + ", not 1");
  read_only_ = (managed->flags & dlpack::read_only_flag) != 0;
  return managed->tensor;
}

void ArrayView::describe(const Layout& layout, const std::string& what) {
  if (layout.rank < 0 || layout.rank > STRATA_MAX_RANK)
    refuse(strata_error_wrong_rank, what, "has " + std::to_string(layout.rank) + " axes");
  const std::int64_t size = bytes(type_);
  std::int64_t dense = 1;
  for (int axis = layout.rank - 1; axis >= 0; --axis) {
    const std::int64_t extent = layout.extents[axis];
    if (extent < 0) refuse(strata_error_bad_shape, what, "has a negative extent");
    // Packages give any stride to an axis on which nothing steps.
    std::int64_t stride = extent > 1 ? dense : 1;
    if (layout.strides && extent > 1) {
      stride = layout.strides[axis];
      if (layout.in_bytes && stride % size != 0)
        refuse(strata_error_misaligned, what,
               "has a stride of " + std::to_string(stride) +
                   " bytes, which is not a multiple of its elements' size");
      if (layout.in_bytes) stride /= size;
    }
    dimensions_[layout.rank - 1 - axis] = {0, in_32_bits(extent, "an extent of", what),
                                           in_32_bits(stride, "a stride of", what), 0};
    if (__builtin_mul_overflow(dense, extent, &dense)) dense = 0;
  }
  buffer_.host = static_cast<std::uint8_t*>(layout.data);
  buffer_.type = graph::element_type_of(type_);
  buffer_.dimensions = layout.rank;
  buffer_.dim = dimensions_;
}

}  // namespace strata::python
