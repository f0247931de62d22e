"""Devices for tests: arrays as another package would have them on a GPU, and a recording driver."""

import ctypes

import numpy as np

CPU, CUDA, OPENCL, ROCM, MANAGED = 1, 2, 4, 10, 13
CODES = {"i": 0, "u": 1, "f": 2}


class Tensor(ctypes.Structure):
    """DLPack's DLManagedTensor."""

    _fields_ = [("data", ctypes.c_void_p), ("type", ctypes.c_int32), ("number", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("extents", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64),
                ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class VersionedTensor(ctypes.Structure):
    """DLPack's DLManagedTensorVersioned."""

    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), *Tensor._fields_[:-2]]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def capsule_name(capsule):
    get_name = ctypes.pythonapi.PyCapsule_GetName
    get_name.restype, get_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return get_name(capsule)


class Elsewhere:
    """The memory of a numpy array, said to be on a device; "log" has what a consumer did."""

    def __init__(self, array, device=CUDA, number=0, **fields):
        self.array, self.device, self.fields = array, (device, number), fields
        self.log, self.capsules = [], []
        self.deleter = DELETER(lambda tensor: self.log.append("deleted"))
        item = array.dtype.itemsize
        self.extents = (ctypes.c_int64 * array.ndim)(*array.shape)
        self.strides = (ctypes.c_int64 * array.ndim)(*[s // item for s in array.strides])

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream=None):
        self.log.append(stream)
        return self.capsule(self.described(), b"dltensor")

    def described(self):
        self.tensor = Tensor(self.array.ctypes.data, *self.device, self.array.ndim,
                             CODES[self.array.dtype.kind], 8 * self.array.dtype.itemsize, 1,
                             self.extents, self.strides, 0, None,
                             ctypes.cast(self.deleter, ctypes.c_void_p))
        for name, value in self.fields.items():
            setattr(self.tensor, name, value)
        return self.tensor

    def capsule(self, content, name):
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p,
                                                         ctypes.c_void_p]
        self.capsules.append(make(ctypes.addressof(content), name, None))
        return self.capsules[-1]

    @property
    def address(self):
        return self.array.ctypes.data


class Versioned(Elsewhere):
    """The same as a tensor with a version and flags, for consumers that know them."""

    def __init__(self, array, *device, major=1, flags=0):
        super().__init__(array, *device)
        self.major, self.flags = major, flags

    def __dlpack__(self, *, stream=None, max_version):
        self.log.append(stream)
        plain = self.described()
        self.versioned = VersionedTensor(self.major, 0, None, plain.deleter, self.flags)
        for name, _ in Tensor._fields_[:-2]:
            setattr(self.versioned, name, getattr(plain, name))
        return self.capsule(self.versioned, b"dltensor_versioned")


def recording_driver():
    """The functions of tests/gpu/recording_cuda.h, where that driver is the one of the process."""
    try:
        driver = ctypes.CDLL("libcuda.so")
        driver.recorded_calls.restype = ctypes.c_char_p
    except (OSError, AttributeError):
        return None
    return driver
