"""A product of matrices, tiled for the machine at hand, against numpy."""

import time

import numpy as np

import strata as st


def product() -> st.Kernel:
    m = st.machine()
    rows, columns = m.product_tile(st.f32)
    f = st.Function("product")
    N, M, K = f.param("N"), f.param("M"), f.param("K")
    i, j, k = st.Var("i", 0, N), st.Var("j", 0, M), st.Var("k", 0, K)
    a, b = f.input("a", st.f32, [N, K]), f.input("b", st.f32, [K, M])
    c = f.computation("c", [i, j], st.sum(k, a[i, k] * b[k, j]))
    c.tile(i, j, rows, columns, "i0", "j0", "i1", "j1")
    c.interchange("j1", k).interchange("i1", k)
    c.unroll("i1").vectorize("j1", m.lanes(st.f32), "j2", "j3").unroll("j2")
    c.parallelize("i0")
    return f.jit([a, b, c])


def main() -> None:
    kernel = product()
    random = np.random.default_rng(1)
    a, b = random.random((512, 384), np.float32), random.random((384, 640), np.float32)
    c = np.zeros((512, 640), np.float32)
    start = time.perf_counter()
    kernel(a, b, c)
    seconds = time.perf_counter() - start
    error = float(np.abs(c - a @ b).max() / np.abs(c).max())
    assert error < 1e-5
    print(f"{2 * 512 * 640 * 384 / seconds / 1e9:.0f} Gflop/s, greatest error {error:.1e}")


if __name__ == "__main__":
    main()
