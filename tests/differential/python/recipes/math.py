"""Elementwise ops."""
from draw import given

from . import recipe
from .reduction import moderate

BINARY = ("Add", "AddV2", "ApproximateEqual", "Atan2", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Complex", "Div", "DivNoNan", "Equal",
          "FloorDiv", "FloorMod", "Greater", "GreaterEqual", "Igamma", "IgammaGradA", "Igammac", "LeftShift", "Less", "LessEqual", "LogicalAnd",
          "LogicalOr", "Maximum", "Minimum", "Mod", "Mul", "MulNoNan", "NextAfter", "NotEqual", "Polygamma", "Pow", "RandomGammaGrad", "RealDiv",
          "RightShift", "SquaredDifference", "Sub", "TruncateDiv", "TruncateMod", "Xdivy", "Xlog1py", "Xlogy", "Zeta")
GRADIENTS = ("EluGrad", "InvGrad", "LeakyReluGrad", "ReciprocalGrad", "Relu6Grad", "ReluGrad", "RsqrtGrad", "SeluGrad",
             "SigmoidGrad", "SoftplusGrad", "SoftsignGrad", "SqrtGrad", "TanhGrad")
INTEGER_ARGUMENT = ("LeftShift", "RightShift")


@recipe(*BINARY)
def binary(d, t, op):
    dtype = t.get("T", "bool")
    if op == "Pow" and dtype.startswith("complex"):
        d.style = "plain"  # the error of a power grows with the exponent
    first, second = d.broadcast(2) if op != "ApproximateEqual" else [d.shape()] * 2
    x, y = d.tensor(dtype, first), d.tensor(dtype, second, None if d.chance(0.8) else "special")
    if op in INTEGER_ARGUMENT:
        y = d.tensor(dtype, second, "positive")
    if op in ("Equal", "NotEqual", "GreaterEqual", "LessEqual") and d.chance(0.5) and first == second:
        y.array[...] = x.array
    attrs = {}
    if op in ("Equal", "NotEqual"):
        attrs["incompatible_shape_error"] = not d.chance(0.2)
    if op == "ApproximateEqual":
        attrs["tolerance"] = d.one([1e-5, 0.5, 2.0, 0.0])
    if op == "Polygamma":
        x = d.tensor(dtype, first, "positive")
        x.array[...] = x.array.round()
    return [x, y], attrs


@recipe(*GRADIENTS)
def gradient(d, t):
    shape = d.shape()
    other = shape if not d.bad() else (*shape, 2)
    return [d.tensor(t["T"], shape), d.tensor(t["T"], other)]


@recipe("Betainc")
def betainc(d, t):
    shape = d.shape(0, 3)
    shapes = [shape if d.chance(0.7) else () for _ in range(3)]
    return [d.tensor(t["T"], shapes[0], "positive"), d.tensor(t["T"], shapes[1], "positive"), d.tensor(t["T"], shapes[2], "unit")]


@recipe("Select")
def select(d, t):
    shape = d.shape()
    condition = d.one([shape, shape, (), shape[:1]])
    other = shape if not d.bad() else (*shape, 2)
    return [d.tensor("bool", condition), d.tensor(t["T"], shape), d.tensor(t["T"], other)]


@recipe("SelectV2")
def select_v2(d, t):
    shapes = d.broadcast(3)
    return [d.tensor("bool", shapes[0]), d.tensor(t["T"], shapes[1]), d.tensor(t["T"], shapes[2])]


@recipe("ClipByValue")
def clip(d, t):
    shape = d.shape()
    bound = lambda: d.tensor(t["T"], d.one([(), (), shape, (3,)]))
    return [d.tensor(t["T"], shape), bound(), bound()]


@recipe("AddN", "AccumulateNV2")
def add_n(d, t, op):
    moderate(d)
    shape = d.shape()
    inputs = [d.tensor(t["T"], shape) for _ in range(d.integer(1, 10))]
    if d.bad():
        inputs.append(d.tensor(t["T"], (*shape, 2)))
    return [inputs], {"shape": shape} if op == "AccumulateNV2" else {}


@recipe("Cast")
def cast(d, t):
    # What a float outside the range of an integer becomes is the processor's choice in TensorFlow: such values stay away.
    source, target = t["SrcT"], t["DstT"]
    style = d.style
    if source.startswith(("float", "bfloat", "complex")) and not target.startswith(("float", "bfloat", "complex", "bool")):
        style = "positive" if target.startswith(("u", "qu")) else "plain"
    return [d.tensor(source, d.shape(), style)], {"Truncate": False}


@recipe("Bucketize")
def bucketize(d, t):
    boundaries = sorted(float(v) for v in d.random.integers(-10, 10, d.integer(0, 8)))
    return [d.tensor(t["T"], d.shape())], {"boundaries": boundaries if not d.bad() else boundaries[::-1]}


@recipe("Cross")
def cross(d, t):
    shape = (*d.shape(0, 3), 3 if not d.bad() else 2)
    return [d.tensor(t["T"], shape), d.tensor(t["T"], shape)]


@recipe("LinSpace")
def lin_space(d, t):
    if d.style in ("special", "wide"):
        d.style = "plain"
    count = d.integer(1, 12) if not d.bad(0.06) else d.integer(-1, 0)
    return [d.tensor(t["T"], ()), d.tensor(t["T"], ()), given(t["Tidx"], count)]


@recipe("Range")
def range_(d, t):
    dtype = t["Tidx"]
    start, count = d.integer(-9, 9), d.integer(-2, 12)
    delta = d.one([1, 1, 2, 3, -1, -2]) if not d.bad(0.06) else 0
    limit = start + count * delta + (d.integer(0, 1) if abs(delta) > 1 else 0)
    if dtype.startswith("u"):
        start, limit, delta = abs(start), abs(limit), abs(delta)
    values = [start, limit, delta]
    if dtype in ("float32", "float64") and d.chance(0.5):
        values = [start + 0.25, limit, delta * 0.5]
    if d.bad():
        return [given(dtype, values), given(dtype, 1), given(dtype, 1)]
    return [given(dtype, v) for v in values]
