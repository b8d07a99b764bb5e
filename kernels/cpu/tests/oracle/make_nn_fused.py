"""Writes nn_fused.txt: what TensorFlow 2.21 computes for fused ops, or for the ops that a fused op replaces.

Run with the Python of an environment that has tensorflow-cpu 2.21: `python make_nn_fused.py`.
"""

from nn_cases import draw, internal_case, result, t, tensor, tf, write

ONE = [1, 1, 1, 1]
ACTIVATIONS = ["Relu", "Relu6", "Elu", "LeakyRelu"]


def activate(x, name):
    functions = {
        "Relu": tf.nn.relu,
        "Relu6": tf.nn.relu6,
        "Elu": tf.nn.elu,
        "LeakyRelu": lambda x: tf.nn.leaky_relu(x, 0.3),
        "Tanh": tf.nn.tanh,
        "Sigmoid": tf.nn.sigmoid,
        "GeluExact": lambda x: tf.nn.gelu(x, approximate=False),
        "GeluApproximate": lambda x: tf.nn.gelu(x, approximate=True),
    }
    return functions[name](x) if name else x


def convolutions():
    def fused(ops, args, x=(2, 4, 5, 3), w=(3, 2, 3, 5), dtype="float32", tolerance=4, strides=ONE, padding="SAME", **attrs):
        inputs = [draw(x, dtype), draw(w, dtype), *[tf.cast(arg, dtype) for arg in args]]
        attrs = {"strides": strides, "padding": padding, "fused_ops": ops, "num_args": len(args), **attrs}
        types = {"T": inputs[0].dtype, "TArgs": [inputs[0].dtype] * len(args)}
        internal_case("_FusedConv2D", inputs, tolerance, types, num_host_args=0, **defaults(attrs))

    def defaults(attrs):
        rest = {"explicit_paddings": [], "dilations": ONE, "epsilon": 0.001, "leakyrelu_alpha": 0.3}
        return {k: v for k, v in {**rest, **attrs}.items() if k != "explicit_paddings" or v}

    bias, norm = [draw((5,))], [draw((5,), low=1), draw((5,)), draw((5,)), draw((5,), low=1)]
    for dtype in ["float32", "float64"]:
        for activation in [[], *[[a] for a in ACTIVATIONS]]:
            fused(["BiasAdd", *activation], bias, dtype=dtype)
            if dtype == "float32":
                fused(["FusedBatchNorm", *activation], norm, tolerance=32)
    wide = [draw((33,))]
    fused(["BiasAdd", "Relu"], wide, (1, 3, 30, 2), (2, 3, 2, 33))
    fused(["BiasAdd", "Elu"], wide, (1, 3, 30, 2), (2, 3, 2, 33))
    fused(["BiasAdd", "LeakyRelu"], wide, (1, 3, 7, 20), (1, 1, 20, 33))
    fused(["BiasAdd", "Relu6"], bias, strides=[1, 2, 2, 1], padding="VALID")
    fused(["BiasAdd"], bias, padding="EXPLICIT", explicit_paddings=[0, 0, 1, 0, 2, 1, 0, 0])
    fused(["BiasAdd"], bias, dilations=[1, 2, 1, 1])
    fused(["BiasAdd"], [draw((1, 5))])
    fused(["Relu"], bias)
    fused(["BiasAdd"], bias, (0, 4, 4, 3))


def matrices():
    def fused(ops, args, dtype="float32", tolerance=4, a=(4, 7), b=(7, 5), **attrs):
        inputs = [draw(a, dtype), draw(b, dtype), *[tf.cast(arg, dtype) for arg in args]]
        attrs = {"transpose_a": False, "transpose_b": False, **attrs, "fused_ops": ops, "num_args": len(args)}
        attrs |= {"epsilon": 0.001, "leakyrelu_alpha": 0.3}
        internal_case("_FusedMatMul", inputs, tolerance, {"T": inputs[0].dtype}, **attrs)

    bias = [draw((5,))]
    for activation in [[], *[[a] for a in ACTIVATIONS + ["Tanh", "Sigmoid"]]]:
        for dtype in ["float32", "float16", "bfloat16"]:
            fused(["BiasAdd", *activation], bias, dtype, 4 if dtype == "float32" else 2)
    fused(["BiasAdd"], bias, a=(7, 4), transpose_a=True)
    fused(["BiasAdd"], bias, b=(5, 7), transpose_b=True)
    fused(["BiasAdd"], bias, a=(4, 6))
    fused(["Relu"], bias)
    fused(["BiasAdd", "Relu"], [draw((70,))], a=(30, 40), b=(40, 70))


def replaced():
    """Fused ops that TensorFlow's own kernels do not compute, as the ops that they replace."""
    for activation in ["", *ACTIVATIONS]:
        ops = ["BiasAdd", activation] if activation else ["BiasAdd"]
        for dtype in ["float32", "float64", "float16", "bfloat16"]:
            for w, strides in [((3, 2, 3, 1), ONE), ((2, 3, 3, 2), [1, 2, 2, 1])]:
                x, w = draw((1, 5, 5, 3), dtype), draw(w, dtype)
                bias = draw((w.shape[2] * w.shape[3],), dtype)
                y = tf.nn.depthwise_conv2d(*[tf.cast(v, "float64") for v in (x, w)], strides, "SAME")
                y = tf.cast(activate(y + tf.cast(bias, "float64"), activation), dtype)
                attrs = {"strides": strides, "padding": "SAME", "fused_ops": ops, "num_args": 1, "leakyrelu_alpha": 0.3}
                result("_FusedDepthwiseConv2dNative", [x, w, bias], tensor(y), 2, **attrs)
    for activation in ["", "Relu", "Tanh", "Sigmoid", "GeluExact", "GeluApproximate"]:
        ops = ["BiasAdd", "Add", activation] if activation else ["BiasAdd", "Add"]
        x, w, bias = draw((1, 4, 4, 3)), draw((2, 2, 3, 5)), draw((5,))
        y = tf.nn.conv2d(x, w, 1, "SAME") + bias
        side = draw(y.shape)
        attrs = {"strides": ONE, "padding": "SAME", "fused_ops": ops, "num_args": 2, "num_host_args": 0}
        result("_FusedConv2D", [x, w, bias, side], tensor(activate(y + side, activation)), 4, **attrs)
        a, b = draw((6, 4)), draw((4, 5))
        y = a @ b + bias
        side = draw(y.shape)
        outputs = tensor(activate(y + side, activation))
        result("_FusedMatMul", [a, b, bias, side], outputs, 4, fused_ops=ops, num_args=2)
    vectors = [draw((2,), low=1), draw((2,)), draw((2,)), draw((2,), low=1)]
    for dtype in ["float32", "float16", "bfloat16"]:
        for training in [False, True]:
            for activation in ["Identity", "Relu"]:
                x, side = draw((2, 3, 3, 2), dtype), draw((2, 3, 3, 2), dtype)
                y = tf.raw_ops.FusedBatchNormV3(x=tf.cast(x, "float32"), scale=vectors[0], offset=vectors[1], mean=vectors[2], variance=vectors[3], is_training=training)
                top = tf.cast(activate(y[0] + tf.cast(side, "float32"), "Relu" if activation == "Relu" else ""), dtype)
                middle = y[1:5] if training else [vectors[2], vectors[3]] * 2
                outputs = ";".join(tensor(v) for v in [top, *middle, t(0.0)])
                attrs = {"is_training": training, "activation_mode": activation, "num_side_inputs": 1}
                result("_FusedBatchNormEx", [x, *vectors, side], outputs, 8, **attrs)

tf.constant(0)
for make in [convolutions, matrices, replaced]:
    make()
write("nn_fused.txt")
