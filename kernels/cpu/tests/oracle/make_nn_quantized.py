"""Writes nn_quantized.txt: what TensorFlow 2.21 computes for fake quantization and its gradients, and for quantized numbers.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_nn_quantized.py`.
"""

import os

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"

from cases import case, np, t, tf, write

RANDOM = np.random.default_rng(7)
BITS = {"qint8": "int8", "quint8": "uint8", "qint16": "int16", "quint16": "uint16", "qint32": "int32"}
MODES = ["MIN_COMBINED", "MIN_FIRST", "SCALED"]


def floats(*shape, reach=6):
    return t(np.round(RANDOM.normal(size=shape) * reach, 2), "float32")


def integers(dtype, *shape):
    limits = np.iinfo(BITS[dtype])
    return tf.bitcast(t(RANDOM.integers(limits.min, limits.max + 1, shape), BITS[dtype]), tf.as_dtype(dtype))


def scalars(*values):
    return [t(value, "float32") for value in values]


def fake_quantization():
    for bits, narrow in [(8, False), (2, True), (16, False), (5, True)]:
        attrs = {"num_bits": bits, "narrow_range": narrow}
        low, high = t([-1.0, 0.0, -6.0], "float32"), t([2.0, 0.0, -1.0], "float32")
        case("FakeQuantWithMinMaxVarsPerChannel", floats(4, 3), low, high, **attrs)
        gradients, inputs = floats(2, 5), floats(2, 5)
        case("FakeQuantWithMinMaxArgsGradient", gradients, inputs, min=-1.5, max=3.0, **attrs)
        case("FakeQuantWithMinMaxVarsGradient", gradients, inputs, *scalars(-1.5, 3.0), tolerance=8, **attrs)
        case("FakeQuantWithMinMaxVarsPerChannelGradient", floats(2, 2, 3), floats(2, 2, 3), low, high, tolerance=8, **attrs)
    case("FakeQuantWithMinMaxVarsGradient", floats(3), floats(3), *scalars(0.0, 0.0))
    case("FakeQuantWithMinMaxVarsGradient", floats(3), floats(2), *scalars(0.0, 1.0))
    case("FakeQuantWithMinMaxVarsGradient", floats(3), floats(3), t([0.0], "float32"), t(1.0, "float32"))
    case("FakeQuantWithMinMaxArgsGradient", floats(3), floats(3), min=3.0, max=1.0)
    case("FakeQuantWithMinMaxArgsGradient", floats(3), floats(3), num_bits=1)
    case("FakeQuantWithMinMaxVarsPerChannel", floats(2, 3), *[t([0.0, 1.0], "float32")] * 2)


def quantize_and_dequantize():
    for dtype in ["float32", "float64"]:
        as_dtype = lambda *values: [tf.cast(value, dtype) for value in values]
        for axis, ends in [(-1, scalars(-2.0, 3.0)), (1, [t([-2.0, -1.0, -5.0], "float32"), t([3.0, 4.0, 1.0], "float32")])]:
            for given in [False, True]:
                inputs = as_dtype(floats(4, 3), *ends)
                case("QuantizeAndDequantizeV4", *inputs, num_bits=6, axis=axis, range_given=given, round_mode="HALF_UP")
                case("QuantizeAndDequantizeV4", *inputs, axis=axis, range_given=given, signed_input=False, narrow_range=True)
                case("QuantizeAndDequantizeV3", *inputs, t(5), axis=axis, range_given=given)
            case("QuantizeAndDequantizeV4Grad", *as_dtype(floats(4, 3), floats(4, 3), *ends), axis=axis)
    case("QuantizeAndDequantizeV3", floats(3), *scalars(2.0, 1.0), t(5))
    case("QuantizeAndDequantizeV3", floats(3), *scalars(0.0, 1.0), t(0))
    case("QuantizeAndDequantizeV4Grad", floats(3), floats(2), *scalars(0.0, 1.0))


def quantize():
    for dtype in BITS:
        for mode in MODES:
            for low, high in [(-3.0, 4.0), (0.5, 7.25), (-5.0, -1.5), (1.0, 1.0), (-2.0, 0.0)]:
                attrs = {"T": tf.as_dtype(dtype), "mode": mode}
                case("QuantizeV2", floats(12), *scalars(low, high), **attrs)
                if mode == "SCALED":
                    case("QuantizeV2", floats(12), *scalars(low, high), narrow_range=True, round_mode="HALF_TO_EVEN", **attrs)
            ends = [t([-2.0, -1.0, -5.0], "float32"), t([3.0, 4.0, 1.0], "float32")]
            case("QuantizeV2", floats(2, 3, 2), *ends, axis=1, T=tf.as_dtype(dtype), mode=mode)
    attrs = {"T": tf.quint8}
    case("QuantizeV2", floats(3), *scalars(2.0, 1.0), **attrs)
    case("QuantizeV2", floats(3), *scalars(0.0, 1.0), round_mode="HALF_TO_EVEN", **attrs)
    case("QuantizeV2", floats(3), *scalars(0.0, 1.0), narrow_range=True, **attrs)
    case("QuantizeV2", floats(3), *[t([0.0, 1.0], "float32")] * 2, axis=0, **attrs)
    case("QuantizeV2", floats(3), *[t([0.0, 1.0, 1.0], "float32")] * 2, axis=0, **attrs)


def dequantize():
    for dtype in BITS:
        for mode in MODES:
            for low, high in [(-3.0, 4.0), (0.5, 7.25), (-5.0, -1.5), (1.0, 1.0)]:
                case("Dequantize", integers(dtype, 9), *scalars(low, high), mode=mode, narrow_range=low < -4)
            ends = [t([-2.0, -1.0, -5.0], "float32"), t([3.0, 4.0, 1.0], "float32")]
            case("Dequantize", integers(dtype, 2, 3, 2), *ends, axis=1, mode=mode)
        case("Dequantize", integers(dtype, 9), *scalars(-1.0, 2.0), dtype=tf.bfloat16)
    case("Dequantize", integers("quint8", 3), *scalars(0.0, 1.0), mode="SCALED", dtype=tf.bfloat16)
    case("Dequantize", integers("quint8", 3), *[t([0.0, 1.0], "float32")] * 2, axis=0)


RANGES = [(-1.0, 2.0, 0.0, 255.0), (0.5, 1.5, -3.0, -1.0), (0.0, 6.0, -0.5, 0.25)]


def products():
    for ends in RANGES:
        for a, b in [(False, False), (True, False), (False, True), (True, True)]:
            left = integers("quint8", *((7, 5) if a else (5, 7)))
            right = integers("quint8", *((9, 7) if b else (7, 9)))
            case("QuantizedMatMul", left, right, *scalars(*ends), transpose_a=a, transpose_b=b)
    case("QuantizedMatMul", integers("quint8", 13, 70), integers("quint8", 70, 3), *scalars(*RANGES[0]))
    case("QuantizedMatMul", integers("quint8", 0, 7), integers("quint8", 7, 3), *scalars(*RANGES[0]))
    case("QuantizedMatMul", integers("quint8", 2, 7), integers("quint8", 6, 3), *scalars(*RANGES[0]))
    case("QuantizedMatMul", integers("quint8", 2, 7), integers("quint8", 7, 3), *scalars(1.0, 1.0, 0.0, 1.0))
    case("QuantizedMatMul", integers("quint8", 2, 7), integers("quint8", 7, 3), *scalars(0.0, 1.0, 1.0, 0.0))


def convolutions():
    for ends in RANGES:
        for stride, padding in [(1, "SAME"), (2, "SAME"), (1, "VALID"), (2, "VALID")]:
            image, kernel = integers("quint8", 2, 7, 6, 3), integers("quint8", 3, 2, 3, 5)
            case("QuantizedConv2D", image, kernel, *scalars(*ends), strides=[1, stride, stride, 1], padding=padding)
    image, kernel = integers("quint8", 1, 4, 4, 3), integers("quint8", 1, 1, 3, 4)
    window = {"strides": [1, 1, 1, 1], "padding": "SAME"}
    case("QuantizedConv2D", image, kernel, *scalars(*RANGES[0]), **window)
    case("QuantizedConv2D", image, kernel, *scalars(1.0, 1.0, 0.0, 1.0), **window)
    case("QuantizedConv2D", image, kernel, *scalars(2.0, 1.0, 0.0, 1.0), **window)
    case("QuantizedConv2D", image, integers("quint8", 1, 1, 2, 4), *scalars(*RANGES[0]), **window)
    case("QuantizedConv2D", image, kernel, *scalars(*RANGES[0]), strides=[1, 1, 2, 1], padding="SAME")
    case("QuantizedConv2D", image, kernel, *scalars(*RANGES[0]), dilations=[1, 2, 2, 1], **window)


write(__file__, fake_quantization, quantize_and_dequantize, quantize, dequantize, products, convolutions)
