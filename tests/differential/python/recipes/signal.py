"""Fourier transforms."""
from draw import given

from . import recipe

AXES = {"FFT": 1, "FFT2D": 2, "FFT3D": 3, "RFFT": 1, "RFFT2D": 2, "RFFT3D": 3}


@recipe("FFT", "FFT2D", "FFT3D", "IFFT", "IFFT2D", "IFFT3D")
def fourier(d, t, op):
    d.style = d.one(["plain", "small", "unit"])  # one number that is not finite reaches all others
    axes = AXES[op.removeprefix("I")]
    return [d.tensor(t["Tcomplex"], d.shape(axes if not d.bad() else axes - 1, 4, 60))]


@recipe("RFFT", "RFFT2D", "RFFT3D", "IRFFT", "IRFFT2D", "IRFFT3D")
def real_fourier(d, t, op):
    d.style = d.one(["plain", "small", "unit"])  # one number that is not finite reaches all others
    t["Treal"] = "float32" if t["Tcomplex"] == "complex64" else "float64"
    axes, inverse = AXES[op.removeprefix("I")], op.startswith("I")
    shape = tuple(max(s, 1) for s in d.shape(axes, 4, 60))
    lengths = list(shape[-axes:])
    if inverse:
        lengths[-1] = max(2 * (lengths[-1] - 1), 1)
    lengths = [length + d.integer(-1, 1) if d.chance(0.3) and length > 1 else length for length in lengths]
    return [d.tensor(t["Tcomplex"] if inverse else t["Treal"], shape), given("int32", lengths if not d.bad() else lengths[1:])]
