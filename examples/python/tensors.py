"""Tensors of PyTorch and arrays of JAX in and out of one kernel, without a copy.

Leaves out what is not installed.
"""

import importlib
import importlib.util
from typing import Any

import strata as st


def normalized() -> st.Kernel:
    """Each row divided by its sum."""
    f = st.Function("normalized")
    N, M = f.param("N"), f.param("M")
    i, j = st.Var("i", 0, N), st.Var("j", 0, M)
    x = f.input("x", st.f32, [N, M])
    total = f.computation("total", [i], st.sum(j, x[i, j]))
    out = f.computation("out", [i, j], x[i, j] / total[i])
    out.vectorize(j, 8)
    total.compute_at(out, i)
    return f.jit([x, out])


def with_torch(kernel: st.Kernel) -> None:
    torch: Any = importlib.import_module("torch")
    x = torch.rand(1000, 300)
    out = torch.empty_like(x)
    kernel(x, out)
    assert torch.allclose(out, x / x.sum(1, keepdim=True))
    columns = torch.empty(300, 1000)
    kernel(x, columns.T)  # any strides
    assert (columns.T == out).all()
    print("torch: rows of", tuple(x.shape))


def with_jax(kernel: st.Kernel) -> None:
    jax: Any = importlib.import_module("jax")
    x = jax.random.uniform(jax.random.key(0), (1000, 300))
    out = st.Array(x.shape, st.f32)  # arrays of JAX are never written
    kernel(x, out)
    y = jax.dlpack.from_dlpack(out)
    assert jax.numpy.allclose(y, x / x.sum(1, keepdims=True))
    print("jax: rows of", y.shape)


def main() -> None:
    kernel = normalized()
    for package, run in [("torch", with_torch), ("jax", with_jax)]:
        if importlib.util.find_spec(package):
            run(kernel)
        else:
            print(f"{package} is not installed")


main()
