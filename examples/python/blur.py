"""Blurs an image, height x width x 3 of uint8, and writes it as PNG.

    blur.py [IN [OUT.png]]

IN is what imageio reads, such as a photograph, or FILE.npy; without it a pattern is blurred.
"""

import importlib
import pathlib
import struct
import sys
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

import strata as st

Image = npt.NDArray[np.uint8]


def blur() -> st.Kernel:
    f = st.Function("blur")
    H, W = f.param("H"), f.param("W")
    y, r, x = st.Var("y", 0, H - 2), st.Var("r", 0, H), st.Var("x", 0, W - 2)
    c = st.Var("c", 0, 3)
    image = f.input("image", st.u8, [H, W, 3])

    def wide(y: st.Var, x: Any, c: st.Var) -> st.Expr:
        return st.cast(st.u16, image[y, x, c])

    rows = f.computation("rows", [r, x, c], wide(r, x, c) + wide(r, x + 1, c) + wide(r, x + 2, c))
    out = f.computation("out", [y, x, c], st.cast(
        st.u8, (rows[y, x, c] + rows[y + 1, x, c] + rows[y + 2, x, c]) // 9))
    out.split(y, 32, "y0", "y1").parallelize("y0")
    rows.compute_at(out, "y0")
    return f.jit([image, out], print_notes=False)  # a sum of nine pixels fits in u16


def png(image: Image) -> bytes:
    """The image as a PNG file."""
    height, width, _ = image.shape
    lines = np.concatenate([np.zeros((height, 1), np.uint8), image.reshape(height, -1)], axis=1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
            chunk(b"IDAT", zlib.compress(lines.tobytes())) + chunk(b"IEND", b""))


def read(path: str) -> Image:
    if path.endswith(".npy"):
        image: Image = np.load(path)
        return image
    imageio = importlib.import_module("imageio.v3")  # the wheel `halide` needs it, too
    return np.ascontiguousarray(imageio.imread(path)[:, :, :3], np.uint8)


def main() -> None:
    if len(sys.argv) > 1:
        image = read(sys.argv[1])
    else:
        image = np.fromfunction(lambda y, x, c: (x ^ y) * (c + 1) % 256, (256, 384, 3),
                                dtype=np.int64).astype(np.uint8)
    out: Image = blur()(image)
    wide = image.astype(np.uint16)
    rows = wide[:, :-2] + wide[:, 1:-1] + wide[:, 2:]
    assert (out == (rows[:-2] + rows[1:-1] + rows[2:]) // 9).all()
    path = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "blurred.png")
    path.write_bytes(png(out))
    print(f"{path}: {out.shape[1]} x {out.shape[0]} pixels")


main()
