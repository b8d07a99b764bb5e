"""Writes nn_more.txt: what TensorFlow 2.21 computes for normalisations, dilations, quantisations and choices of the nn kernels,
and for products of two dtypes.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_nn_more.py`.
"""

from nn_cases import FLOATS, INF, NAN, REALS, case, draw, t, tf, write

ONE = [1, 1, 1, 1]


def responses():
    for dtype in ["float32", "float16"]:
        tolerance = 8 if dtype == "float32" else 2
        for attrs in [{}, {"depth_radius": 1}, {"depth_radius": 0, "bias": 2.0, "alpha": 0.5, "beta": 0.75}, {"depth_radius": 20, "alpha": 0.01}]:
            x, g = draw((2, 2, 1, 7), dtype), draw((2, 2, 1, 7), dtype)
            case("LRN", {"input": x}, tolerance, **attrs)
            y = tf.raw_ops.LRN(input=x, **attrs)
            case("LRNGrad", {"input_grads": g, "input_image": x, "output_image": y}, tolerance * 2, **attrs)
    case("LRN", {"input": draw((2, 1, 7))})
    case("LRN", {"input": draw((0, 1, 2, 7))})
    case("LRN", {"input": draw((1, 1, 2, 7))}, depth_radius=-1)
    x = draw((1, 1, 2, 3))
    case("LRNGrad", {"input_grads": draw((1, 1, 2, 4)), "input_image": x, "output_image": x})


def dilations():
    def dilation(x, w, strides=ONE, rates=ONE, padding="SAME"):
        attrs = {"strides": strides, "rates": rates, "padding": padding}
        case("Dilation2D", {"input": x, "filter": w}, 1, **attrs)
        try:
            y = tf.raw_ops.Dilation2D(input=x, filter=w, **attrs)
        except (tf.errors.InvalidArgumentError, tf.errors.UnimplementedError):
            return
        inputs = {"input": x, "filter": w, "out_backprop": draw(y.shape, x.dtype.name, 0, 3)}
        case("Dilation2DBackpropInput", inputs, 1, **attrs)
        case("Dilation2DBackpropFilter", inputs, 1, **attrs)

    for dtype in REALS:
        dilation(draw((1, 3, 4, 2), dtype), draw((2, 3, 2), dtype))
    for padding in ["SAME", "VALID"]:
        for strides in [ONE, [1, 2, 1, 1], [1, 3, 2, 1]]:
            for rates in [ONE, [1, 2, 1, 1], [1, 1, 3, 1]]:
                dilation(draw((2, 6, 7, 2)), draw((3, 2, 2)), strides, rates, padding)
    dilation(t([NAN, 1, 2, 3], shape=(1, 2, 2, 1)), t([0] * 4, shape=(2, 2, 1)), padding="VALID")
    dilation(t([NAN] * 4, shape=(1, 2, 2, 1)), t([0] * 4, shape=(2, 2, 1)), padding="VALID")
    dilation(t([-INF] * 4, shape=(1, 2, 2, 1)), t([0] * 4, shape=(2, 2, 1)))
    dilation(draw((1, 2, 2, 2)), draw((3, 3, 2)), padding="VALID")
    dilation(draw((0, 2, 2, 2)), draw((3, 3, 2)))
    dilation(draw((1, 2, 2, 2)), draw((2, 2, 3)))
    dilation(draw((2, 2, 2)), draw((2, 2, 2)))
    dilation(draw((1, 2, 2, 2)), draw((2, 2, 2, 1)))
    dilation(draw((1, 2, 2, 2)), draw((2, 2, 2)), strides=[1, 0, 1, 1])
    dilation(draw((1, 2, 2, 2)), draw((2, 2, 2)), strides=[2, 1, 1, 1])
    dilation(draw((1, 2, 2, 2)), draw((2, 2, 2)), rates=[1, 1, 1, 2])
    x, w = draw((1, 3, 3, 2)), draw((2, 2, 2))
    inputs = {"input": x, "filter": w, "out_backprop": draw((1, 3, 2, 2))}
    case("Dilation2DBackpropInput", inputs, strides=ONE, rates=ONE, padding="SAME")


def choices():
    for dtype in REALS:
        for n in [0, 2, 5]:
            for reverse in [False, True]:
                case("NthElement", {"input": draw((2, 3, 6), dtype), "n": t(n, "int32")}, reverse=reverse)
    x = draw((2, 3))
    for n in [t(3, "int32"), t(-1, "int32"), t([1], "int32")]:
        case("NthElement", {"input": x, "n": n})
    case("NthElement", {"input": t(1.0), "n": t(0, "int32")})
    case("NthElement", {"input": draw((0, 3)), "n": t(1, "int32")})
    case("NthElement", {"input": draw((3, 0)), "n": t(0, "int32")})
    p = t([[0.1, 0.3, 0.2], [0.5, 0.5, 0.1], [NAN, 1, 2]])
    for k in [-1, 0, 1, 2, 10]:
        for dtype in ["int32", "int64"]:
            case("InTopK", {"predictions": p, "targets": t([2, 1, 1], dtype)}, k=k)
    case("InTopK", {"predictions": p, "targets": t([1], "int32")}, k=2)
    for dtype in FLOATS:
        for values in [[1, -2], [1, NAN], [INF, 1], [-INF, 1], [NAN, INF], [NAN, -INF, INF], []]:
            for op in ["CheckNumerics", "CheckNumericsV2"]:
                case(op, {"tensor": t(values, dtype)}, message="m")


def quantisations():
    values = [-10, -6, -1.3, -0.1, 0, 0.01, 0.3, 0.5, 1.7, 5.99, 7, NAN]
    ranges = [(-6.0, 6.0), (-0.5, 6.3), (1.0, 3.0), (-3.0, -1.0), (0.0, 0.1), (-7.3, 0.0)]
    for low, high in ranges:
        for attrs in [{}, {"num_bits": 4, "narrow_range": True}, {"num_bits": 16}, {"num_bits": 2}]:
            case("FakeQuantWithMinMaxArgs", {"inputs": t(values)}, 1, min=low, max=high, **attrs)
            case("FakeQuantWithMinMaxVars", {"inputs": t(values), "min": t(low), "max": t(high)}, 1, **attrs)
    case("FakeQuantWithMinMaxArgs", {"inputs": t(1.0)}, min=6.0, max=-6.0)
    case("FakeQuantWithMinMaxArgs", {"inputs": t([1.0])}, num_bits=1)
    case("FakeQuantWithMinMaxArgs", {"inputs": t([1.0])}, num_bits=17)
    case("FakeQuantWithMinMaxVars", {"inputs": t([1.0, 2.0]), "min": t(0.0), "max": t(0.0)})
    case("FakeQuantWithMinMaxVars", {"inputs": t([1.0]), "min": t([0.0]), "max": t(0.0)})
    case("FakeQuantWithMinMaxVars", {"inputs": t([1.0, -5.0, 5.0]), "min": t(2.0), "max": t(1.0)}, 1)
    x = [-1.9, -1, -0.3, 0, 0.35, 0.5, 1.3, 1.9, 2.5]

    def quantise(x, low=-1.0, high=1.5, dtype="float32", **attrs):
        inputs = {"input": t(x, dtype), "input_min": t(low, dtype), "input_max": t(high, dtype)}
        case("QuantizeAndDequantizeV2", inputs, 2, **attrs)

    for dtype in ["float32", "float64"]:
        for signed in [True, False]:
            for given in [True, False]:
                for attrs in [{}, {"num_bits": 3}, {"num_bits": 3, "round_mode": "HALF_UP"}, {"num_bits": 4, "narrow_range": True}, {"num_bits": 1}]:
                    quantise(x, dtype=dtype, signed_input=signed, range_given=given, **attrs)
    for axis in [-2, -1, 0, 1, 2]:
        quantise([[-1.9, -1, -0.3], [0, 0.35, 0.5], [1.3, 1.9, 2.5]], axis=axis)
    for bits in [0, 1, 2, 16, 31, 61, 62, 63, 64]:
        for signed in [True, False]:
            quantise([0.5, -0.25, 0.3], num_bits=bits, signed_input=signed)
    quantise(x, 2.0, 1.0, range_given=True)
    quantise(x, 1.0, 1.0, range_given=True)
    quantise(x, 0.0, 0.0, range_given=True)
    quantise(x, [0.0], [0.0])
    quantise(x, [0.0], [0.0], range_given=True)
    quantise([], range_given=False)
    quantise([0.0, 0.0])
    quantise([-1.0, -2.0])
    quantise([[1.0, -2.0]], [-1.0, -1.0], [1.0, 1.0], axis=1, range_given=True)


def products():
    same = ["bfloat16", "float32", "float64", "int16", "int32", "int64", "complex64", "complex128"]
    mixed = [(a, b, "int32") for a in ["int8", "uint8"] for b in ["int8", "uint8"]]
    mixed += [("bfloat16", "int8", "bfloat16"), ("bfloat16", "uint8", "bfloat16"), ("int8", "bfloat16", "bfloat16"), ("uint8", "bfloat16", "bfloat16")]
    for a, b, out in [(d, d, d) for d in same] + mixed:
        for adj in [False, True]:
            x, y = draw((2, 4, 3) if adj else (2, 3, 4), a), draw((4, 2), b)
            case("BatchMatMulV3", {"x": x, "y": y}, 1, Tout=tf.as_dtype(out), adj_x=adj)
    case("BatchMatMulV3", {"x": draw((2, 3)), "y": draw((2, 3))}, Tout=tf.float32)


for make in [responses, dilations, choices, quantisations, products]:
    make()
write("nn_more.txt")
