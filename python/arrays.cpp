#include "python/arrays.h"

#include <bit>

#include "python/dlpack.h"
#include "python/failures.h"

namespace strata::python {

namespace {

[[noreturn]] void refuse(int code, const std::string& what, const std::string& why) {
  throw KernelFailure(code, what + " " + why);
}

std::optional<Type> type_of(char kind, std::int64_t size) {
  const std::string names[] = {"int", "uint", "float"};
  const std::string_view kinds[] = {"bhilqn", "BHILQN", "efd"};
  if (kind == '?') return boolean;
  for (int n = 0; n < 3; ++n)
    if (kinds[n].find(kind) != std::string_view::npos)
      return type_named(names[n] + std::to_string(8 * size));
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

}  // namespace

strata_type element_type(Type type) {
  if (type == boolean) return strata_boolean();
  if (type == bf16) return strata_bfloat16();
  const std::uint8_t size = std::uint8_t(bits(type));
  if (is_float(type)) return strata_float(size);
  return is_signed_integer(type) ? strata_int(size) : strata_uint(size);
}

ArrayView::~ArrayView() {
  if (view_.obj) PyBuffer_Release(&view_);
}

void ArrayView::take(nb::handle object, const std::string& what) {
  if (take_buffer(object, what) || take_dlpack(object, what)) return;
  throw nb::type_error((what + " is " + Py_TYPE(object.ptr())->tp_name +
                        ", not an array: it has neither __dlpack__ nor the buffer protocol")
                           .c_str());
}

bool ArrayView::take_buffer(nb::handle object, const std::string& what) {
  if (!PyObject_CheckBuffer(object.ptr())) return false;
  if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_RECORDS_RO) != 0) {
    nb::python_error reason;
    if (is_bfloat16(object)) {
      reinterpreted_ = object.attr("view")("uint16");
      if (!take_buffer(reinterpreted_, what)) return false;
      type_ = bf16;
      buffer_.type = element_type(type_);
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
  try {
    try {
      nb::dict version;
      version["max_version"] = nb::make_tuple(1, 0);
      capsule_ = object.attr("__dlpack__")(**version);
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_TypeError)) throw;
      capsule_ = object.attr("__dlpack__")();
    }
  } catch (nb::python_error& error) {
    refuse(strata_error_wrong_arguments, what,
           "cannot be given by DLPack: " + escaped_text(error.value()));
  }
  take_tensor(capsule_, what);
  return true;
}

void ArrayView::take_tensor(nb::handle capsule, const std::string& what) {
  const dlpack::Tensor* tensor = nullptr;
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor")) {
    tensor =
        &static_cast<dlpack::Managed*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"))->tensor;
  } else if (PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned")) {
    const auto* managed = static_cast<dlpack::ManagedVersioned*>(
        PyCapsule_GetPointer(capsule.ptr(), "dltensor_versioned"));
    if (managed->major != 1)
      refuse(strata_error_wrong_arguments, what,
             "is given by DLPack " + std::to_string(managed->major) + ", not 1");
    read_only_ = (managed->flags & dlpack::read_only_flag) != 0;
    tensor = &managed->tensor;
  } else {
    refuse(strata_error_wrong_arguments, what, "has a __dlpack__ that returns no tensor");
  }
  if (tensor->device.type != dlpack::cpu && tensor->device.type != dlpack::cuda_host)
    refuse(strata_error_null_host, what,
           "is on a device (DLPack's type " + std::to_string(tensor->device.type) +
               "), and the kernel takes host memory");
  type_ = type_of_tensor(tensor->type, what);
  if (tensor->rank != 0 && !tensor->extents) refuse(strata_error_bad_shape, what, "has no shape");
  static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t));
  describe({static_cast<char*>(tensor->data) + tensor->byte_offset, tensor->rank,
            reinterpret_cast<const Py_ssize_t*>(tensor->extents),
            reinterpret_cast<const Py_ssize_t*>(tensor->strides), false},
           what);
}

void ArrayView::describe(const Layout& layout, const std::string& what) {
  if (layout.rank < 0 || layout.rank > STRATA_MAX_RANK)
    refuse(strata_error_wrong_rank, what, "has " + std::to_string(layout.rank) + " axes");
  const std::int64_t size = bytes(type_);
  std::int64_t dense = 1;
  for (int axis = layout.rank - 1; axis >= 0; --axis) {
    const std::int64_t extent = layout.extents[axis];
    if (extent < 0) refuse(strata_error_bad_shape, what, "has a negative extent");
    // Where no step is made, packages give any stride.
    std::int64_t stride = extent > 1 ? dense : 1;
    if (layout.strides && extent > 1) {
      stride = layout.strides[axis];
      if (layout.in_bytes && stride % size != 0)
        refuse(strata_error_misaligned, what,
               "has a stride of " + std::to_string(stride) +
                   " bytes, which is no multiple of its elements' size");
      if (layout.in_bytes) stride /= size;
    }
    dimensions_[layout.rank - 1 - axis] = {0, in_32_bits(extent, "an extent of", what),
                                           in_32_bits(stride, "a stride of", what), 0};
    if (__builtin_mul_overflow(dense, extent, &dense)) dense = 0;
  }
  buffer_.host = static_cast<std::uint8_t*>(layout.data);
  buffer_.type = element_type(type_);
  buffer_.dimensions = layout.rank;
  buffer_.dim = dimensions_;
}

}  // namespace strata::python
