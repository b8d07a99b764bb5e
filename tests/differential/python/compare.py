"""Whether two outcomes agree, and by how much they differ."""
from dataclasses import dataclass

import numpy as np

import tolerances
from dtypes import COMPLEX, FLOATS, HOLDERS, finfo
from outcome import Crash, Failure


@dataclass
class Verdict:
    """`agree`, `agree_error`, or the kind of mismatch; the worst error in the unit of the op's policy."""
    kind: str
    error: float = 0.0
    detail: str = ""
    same_code: bool = True

    @property
    def agrees(self):
        return self.kind in ("agree", "agree_error")

    @property
    def explained(self):
        return self.kind.startswith("explained ")


def outcomes(op, expected, actual, inputs, valued=None):
    """TensorFlow's outcome against oplink's: lists of tensors, failures, or a crash of oplink. `valued` says of which
    outputs the values count; of the others dtype and shape do."""
    if isinstance(actual, Crash):
        return Verdict("crash", detail=actual.how)
    if isinstance(actual, Failure) and actual.panicked:
        return Verdict("panic", detail=actual.message)
    if isinstance(expected, Failure) or isinstance(actual, Failure):
        return _failures(expected, actual)
    if len(expected) != len(actual):
        return Verdict("count", detail=f"{len(actual)} outputs for {len(expected)}")
    worst = Verdict("agree")
    for index, (want, have) in enumerate(zip(expected, actual)):
        verdict = tensors(op, want, have, inputs, not valued or valued[index])
        if not verdict.agrees:
            verdict.detail = f"output {index}: {verdict.detail}"
            return verdict
        worst.error = max(worst.error, verdict.error)
    return worst


def _failures(expected, actual):
    if isinstance(expected, Failure) and isinstance(actual, Failure):
        return Verdict("agree_error", same_code=expected.code == actual.code)
    if isinstance(actual, Failure):
        return Verdict("only_oplink_fails", detail=f"{actual.code}: {actual.message}")
    if expected.left_out:
        return Verdict("explained left out", detail=expected.message)
    return Verdict("only_tensorflow_fails", detail=f"{expected.code}: {expected.message}")


def tensors(op, want, have, inputs, values=True):
    """One output against the other."""
    if want.dtype != have.dtype:
        return Verdict("dtype", detail=f"{have.dtype} for {want.dtype}")
    if want.shape != have.shape:
        return Verdict("shape", detail=f"{list(have.shape)} for {list(want.shape)}")
    if want.dtype not in HOLDERS or not values:
        return Verdict("agree")
    policy = tolerances.policy(op, want.dtype)
    if want.dtype in FLOATS:
        errors = _float_errors(policy, want, have, inputs)
    elif want.dtype in COMPLEX:
        errors = _complex_errors(policy, want, have, inputs)
    else:
        errors = _bits(want, have)
    worst = float(np.max(errors, initial=0.0))
    if worst <= policy.bound:
        return Verdict("agree", worst)
    return Verdict("value", worst, _worst(errors, want, have))


def _worst(errors, want, have):
    at = int(np.argmax(errors))
    show = lambda tensor: repr(tensor.array.reshape(-1)[at].item() if tensor.dtype != "string" else tensor.array.reshape(-1)[at])
    wrong = int(np.count_nonzero(errors))
    return f"element {at}: {show(have)} for {show(want)}; {wrong} of {want.array.size} differ"


def _bits(want, have):
    if want.dtype == "string":
        return (want.array != have.array).astype(np.float64)
    if want.array.dtype.itemsize == 1:
        return (want.array.view(np.uint8) != have.array.view(np.uint8)).astype(np.float64)
    return np.where(want.array == have.array, 0.0, np.inf)


def _float_errors(policy, want, have, inputs):
    if policy.kind in ("exact", "ulps"):
        return _ulps(want.dtype, want.array, have.array, policy.signed_zeros)
    eps = float(finfo(want.dtype).eps)
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(want.array.astype(np.float64)), 1.0) if policy.kind == "unit" else _scale(want, inputs)
        scale = size * eps
    return _relative(want.array.astype(np.float64), have.array.astype(np.float64), scale)


def _ulps(dtype, want, have, signed_zeros):
    """Floating-point numbers between the two; infinity between NaN and a number, and between different signs of zero if
    those count."""
    width = HOLDERS[dtype].itemsize
    integer = {2: np.int16, 4: np.int32, 8: np.int64}[width]
    ordered = []
    for array in (want, have):
        bits = np.ascontiguousarray(array).view(integer).reshape(array.shape).astype(np.int64)
        lowest = np.int64(np.iinfo(integer).min)
        ordered.append(np.where(bits < 0, lowest - bits, bits).astype(np.float64 if width == 8 else np.int64))
    exact = ordered[0] == ordered[1]
    if width == 8:
        exact = want == have
    distance = np.abs(ordered[0] - ordered[1]).astype(np.float64)
    if width == 8:
        distance = _double_ulps(want, have)
    both, either = np.isnan(want) & np.isnan(have), np.isnan(want) | np.isnan(have)
    distance = np.where(either & ~both, np.inf, np.where(both | exact, 0.0, distance))
    if signed_zeros:
        distance = np.where((want == 0) & (have == 0) & (np.signbit(want) != np.signbit(have)), np.inf, distance)
    return distance


def _double_ulps(want, have):
    """As integers of 64 bits, whose difference needs unsigned ones."""
    ordered = []
    for array in (want, have):
        bits = np.ascontiguousarray(array).view(np.uint64).reshape(array.shape)
        top = np.uint64(1 << 63)
        ordered.append(np.where(bits >= top, ~bits, bits | top))
    low, high = np.minimum(*ordered), np.maximum(*ordered)
    return (high - low).astype(np.float64)


def _relative(want, have, scale):
    """Differences in units of `scale`; infinity where one is no finite number and the other is not the same."""
    with np.errstate(all="ignore"):
        distance = np.abs(want - have) / scale
    same = (want == have) | (np.isnan(want) & np.isnan(have))
    finite = np.isfinite(want) & np.isfinite(have)
    return np.where(same, 0.0, np.where(finite, distance, np.inf))


def _scale(want, inputs):
    largest = 1e-300
    for tensor in (want, *inputs):
        if tensor.dtype in FLOATS or tensor.dtype in COMPLEX:
            magnitudes = np.abs(tensor.array.astype(np.complex128 if tensor.dtype in COMPLEX else np.float64))
            largest = max(largest, float(np.max(magnitudes, initial=0.0, where=np.isfinite(magnitudes))))
    return largest


def _complex_errors(policy, want, have, inputs):
    wants, haves = want.array.astype(np.complex128), have.array.astype(np.complex128)
    parts = lambda array: (array.real, array.imag)
    same = np.ones(wants.shape, bool)
    for a, b in zip(parts(wants), parts(haves)):
        same &= (a == b) | (np.isnan(a) & np.isnan(b))
    if policy.kind == "exact":
        return np.where(same, 0.0, np.inf)
    eps = float(finfo(want.dtype).eps)
    with np.errstate(all="ignore"):
        sizes = {"ulps": np.abs(wants), "unit": np.maximum(np.abs(wants), 1.0)}
        scale = sizes[policy.kind] if policy.kind in sizes else _scale(want, inputs)
        distance = np.abs(wants - haves) / np.maximum(scale * eps, float(finfo(want.dtype).smallest_subnormal))
    finite = np.isfinite(wants) & np.isfinite(haves)
    neither = ~np.isfinite(wants) & ~np.isfinite(haves)
    return np.where(same | neither, 0.0, np.where(finite, distance, np.inf))
