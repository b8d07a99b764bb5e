"""Elements of tensors, by dtype and style.

A style says what kind of numbers they are: `plain` numbers of everyday size, `small` whole ones, `wide` ones over the
dtype's range, `special` ones (infinities, NaN, zeros of both signs, denormals, the extremes of integers), `lite` the special
ones that sums and products in any order agree on, `tiny` denormals among others, `positive` and `unit` ones between 0 and 1.
"""
import numpy as np

from dtypes import HOLDERS, QUANTIZED, finfo, is_complex, is_float, is_integer

STYLES = ("plain", "small", "wide", "special", "tiny", "positive", "unit")
WEIGHTS = (0.34, 0.16, 0.12, 0.22, 0.02, 0.08, 0.06)
STRINGS = [b"", b"a", b"ab", b"hello world", b"A1 b2", "größe".encode(), "日本".encode(), b"\xff\xfe", b"0", b"12", b"-3.5", b"1e3",
           b" x ", b"a,b", b"line\nbreak", b"x\0y", b"Zz", b"aaa", b"_", b"abcdefghijklmnopqrstuvwxyz"]


def draw(r, dtype, shape, style):
    """An array of `shape` whose elements have this dtype and style."""
    return np.asarray(_draw(r, dtype, shape, style))


def _draw(r, dtype, shape, style):
    shape = tuple(int(d) for d in shape)
    if dtype == "string":
        array = np.empty(shape, object)
        flat = array.reshape(-1)
        for i, k in enumerate(r.integers(0, len(STRINGS), flat.size)):
            flat[i] = STRINGS[k]
        return array
    if dtype == "bool":
        return r.integers(0, 2, shape).astype(bool)
    if is_complex(dtype):
        # Where squares of the largest numbers overflow, both sides are wrong in their own way.
        style = "lite" if style == "special" and r.random() < 0.5 else "wide" if style == "special" else style
        part = "float32" if dtype == "complex64" else "float64"
        return _joined(_floats(r, part, shape, style), _floats(r, part, shape, style), dtype)
    if is_float(dtype):
        return _floats(r, dtype, shape, style)
    if is_integer(dtype) or dtype in QUANTIZED:
        return _integers(r, HOLDERS[dtype], shape, style)
    return _integers(r, np.dtype(np.int8), shape, "small").astype(HOLDERS[dtype])


def _joined(real, imaginary, dtype):
    """A complex array without arithmetic, which makes NaN of infinities."""
    array = np.empty(np.shape(real), dtype)
    array.real, array.imag = real, imaginary
    return array


def _floats(r, dtype, shape, style):
    holder, limits = HOLDERS[dtype], finfo(dtype)
    top = float(limits.max)
    with np.errstate(all="ignore"):
        if style == "small":
            return r.integers(-3, 4, shape).astype(holder)
        if style == "unit":
            return r.random(shape).astype(holder)
        if style == "positive":
            return (np.abs(r.standard_normal(shape)) * 3 + 0.01).astype(holder)
        if style == "wide":
            reach = 4 if top < 1e6 else 8
            return (10.0 ** r.uniform(-reach, reach, shape) * r.choice([-1, 1], shape)).astype(holder)
        if style in ("special", "tiny", "lite"):
            pool = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan]
            tiny, least = float(limits.tiny), float(limits.smallest_subnormal)
            if style == "tiny":
                pool = [0.0, -0.0, 1.0, least, -least, tiny / 2, 3 * least, tiny]
            if style == "special":
                pool += [top, -top, 0.5, -0.5, 1.5, 2.5, 2.0, 3.0, -7.0, 0.1, 100.0, float(limits.eps)]
            return np.array(pool, np.float64)[r.integers(0, len(pool), shape)].astype(holder)
        return (r.standard_normal(shape) * 2).astype(holder)


def _integers(r, holder, shape, style):
    info = np.iinfo(holder)
    low, high = int(info.min), int(info.max)
    if style in ("special", "wide", "tiny"):
        pool = [0, 1, 2, 3, 5, 7, high, high - 1, low, low + 1, high // 2]
        pool += [-1, -2, -3, -7] if low < 0 else []
        if style != "wide":
            return np.array([pool[i] for i in r.integers(0, len(pool), int(np.prod(shape)))], holder).reshape(shape)
        return r.integers(low, high, shape, dtype=holder, endpoint=True)
    if style in ("positive", "unit"):
        return r.integers(1, 8, shape).astype(holder)
    reach = 3 if style in ("small", "lite") else 20
    return r.integers(-reach if low < 0 else 0, reach + 1, shape).astype(holder)
