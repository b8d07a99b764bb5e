"""Ops that do the work of several: beside TensorFlow's own where it has a CPU kernel, else beside the ops they replace.

Where TensorFlow runs the plain ops on 16-bit floats, it does so in single precision and rounds at the end, as oplink's kernels
are declared to.
"""
import numpy as np

from draw import Tensor
from protos import attr

from . import recipe
from .beside import beside
from .nn import batch_norm, convolution
from .reduction import moderate

ACTIVATIONS = [[], ["Relu"], ["Relu6"], ["Elu"], ["LeakyRelu"]]
SMOOTH = [["Tanh"], ["Sigmoid"]]


def single(g, dtype, names):
    """The dtype that plain ops work in, and their inputs in it."""
    if dtype not in ("float16", "bfloat16"):
        return dtype, names
    return "float32", [g.node("Cast", [name], SrcT=dtype, DstT="float32", Truncate=False) for name in names]


def rounded(g, work, dtype, name):
    """The output of plain ops in the dtype of the case."""
    return name if work == dtype else g.node("Cast", [name], SrcT=work, DstT=dtype, Truncate=False)


def activated(g, dtype, name, activation):
    """The output after its activation, if there is one."""
    return g.node(activation[0], [name], T=dtype, alpha=0.2) if activation else name


def product_beside(op, dtype, tensors, attrs, activation, side):
    """A product, a bias, perhaps another addend, perhaps an activation; `op` in one node beside plain ops."""
    lists = {"num_args": 1 + side, "num_host_args": 0, "TArgs": [dtype] * (1 + side), "leakyrelu_alpha": 0.2, "epsilon": 1e-3}
    steps = ["BiasAdd"] + ["Add"] * side + activation

    def fused(g, names):
        return [g.node(op, names, T=dtype, fused_ops=steps, **lists, **attrs)]

    def plain(g, names):
        work, names = single(g, dtype, names)
        plain_attrs = {k: v for k, v in attrs.items() if k != "num_args"}
        made = g.node(op.removeprefix("_Fused"), names[:2], T=work, **plain_attrs)
        made = g.node("BiasAdd", [made, names[2]], T=work, data_format="NHWC")
        if side:
            made = g.node("AddV2", [made, names[3]], T=work)
        return [rounded(g, work, dtype, activated(g, work, made, activation))]

    return beside(op, dtype, tensors, fused, plain)


@recipe("_FusedConv2D")
def fused_conv2d(d, t):
    moderate(d)
    attrs, shape, filters, output = convolution(d, explicit=False)
    channels, dtype = output[-1], t["T"]
    attrs |= {"filter_format": "HWIO", "use_cudnn_on_gpu": True, "explicit_paddings": []}
    inputs = [d.tensor(dtype, shape), d.tensor(dtype, filters)]
    bias = d.tensor(dtype, (channels + (1 if d.bad() else 0),))
    if dtype in ("float16", "bfloat16") or d.chance(0.2):
        side = d.chance(0.3)
        tensors = [*inputs, bias, d.tensor(dtype, output)] if side else [*inputs, bias]
        return product_beside("_FusedConv2D", dtype, tensors, attrs, d.one(ACTIVATIONS + SMOOTH), side)
    if d.chance(0.3):
        args, ops = [d.tensor(dtype, (channels,), style) for style in ("plain", "plain", "plain", "positive")], ["FusedBatchNorm"]
    else:
        args, ops = [bias], ["BiasAdd"]
    more = {"num_args": len(args), "num_host_args": 0, "fused_ops": ops + d.one(ACTIVATIONS), "epsilon": 1e-3, "leakyrelu_alpha": 0.2}
    return [*inputs, args, []], {**attrs, **more}


@recipe("_FusedMatMul")
def fused_mat_mul(d, t):
    moderate(d)
    dtype = t["T"]
    rows, inner, columns = (d.one([1, 2, 3, 5, 8, 17]) for _ in range(3))
    turned = {"transpose_a": d.chance(0.5), "transpose_b": d.chance(0.5)}
    a = (inner, rows) if turned["transpose_a"] else (rows, inner)
    b = (columns, inner) if turned["transpose_b"] else (inner, columns)
    inputs = [d.tensor(dtype, a), d.tensor(dtype, b), d.tensor(dtype, (columns + (1 if d.bad() else 0),))]
    if d.chance(0.2):
        return product_beside("_FusedMatMul", dtype, [*inputs, d.tensor(dtype, (rows, columns))], turned, d.one(ACTIVATIONS + SMOOTH), True)
    ops = ["BiasAdd"] + d.one(ACTIVATIONS + SMOOTH)
    return [*inputs[:2], inputs[2:]], {**turned, "fused_ops": ops, "epsilon": 1e-4, "leakyrelu_alpha": 0.2}


@recipe("_FusedDepthwiseConv2dNative")
def fused_depthwise(d, t):
    moderate(d)
    dtype = t["T"]
    attrs, shape, filters, output = convolution(d, depthwise=True, dilated=False, explicit=False)
    tensors = [d.tensor(dtype, shape), d.tensor(dtype, filters), d.tensor(dtype, (output[-1] + (1 if d.bad() else 0),))]
    return product_beside("_FusedDepthwiseConv2dNative", dtype, tensors, attrs, d.one(ACTIVATIONS + SMOOTH), False)


@recipe("_FusedSeparableConv2D")
def fused_separable(d, t):
    moderate(d)
    attrs, shape, filters, output = convolution(d, depthwise=True, dilated=False, explicit=False)
    between, channels = output[-1], d.one([1, 3, 16, 40])
    first, second, side = d.one(ACTIVATIONS), d.one(ACTIVATIONS + SMOOTH), d.chance(0.3)
    shapes = [shape, filters, (between + (1 if d.bad() else 0),), (1, 1, between, channels), (channels,)]
    shapes += [(*output[:-1], channels)] if side else []
    window = {"strides": [1, 1, 1, 1], "padding": "SAME", "data_format": "NHWC"}

    def fused(g, names):
        steps = {"depthwise_ops": ["BiasAdd"] + first, "fused_ops": ["BiasAdd"] + ["Add"] * side + second}
        more = {"num_args": 1 + side, "epsilon": 1e-3, "leakyrelu_alpha": 0.2, "depthwise_leakyrelu_alpha": 0.2}
        return [g.node("_FusedSeparableConv2D", names, T="float32", **steps, **more, **attrs)]

    def plain(g, names):
        node = lambda op, *inputs, **given: g.node(op, list(inputs), T="float32", **given)
        x, taps, shift, filter, bias, *rest = names
        made = node("BiasAdd", node("DepthwiseConv2dNative", x, taps, **attrs), shift, data_format="NHWC")
        made = node("Conv2D", activated(g, "float32", made, first), filter, **window)
        made = node("BiasAdd", made, bias, data_format="NHWC")
        made = node("AddV2", made, rest[0]) if side else made
        return [activated(g, "float32", made, second)]

    return beside("_FusedSeparableConv2D", "float32", [d.tensor("float32", shape) for shape in shapes], fused, plain)


@recipe("_FusedBatchNormEx")
def fused_batch_norm_ex(d, t):
    tensors, attrs = batch_norm(d, t, "_FusedBatchNormEx")
    dtype, side, relu = t["T"], d.chance(0.5), d.chance(0.5)
    types = {"T": dtype, "U": "float32"}
    if side:
        tensors = [*tensors, d.tensor(dtype, tensors[0].shape if not d.bad() else (2, 1, 1, 1), "plain")]
    # What is kept for the gradient counts in training alone.
    outputs = 5 if attrs["is_training"] and tensors[0].array.size else 3

    def fused(g, names):
        activation = "Relu" if relu else "Identity"
        made = g.node("_FusedBatchNormEx", names, activation_mode=activation, num_side_inputs=int(side), **types, **attrs)
        return [f"{made}:{index}" for index in range(outputs)]

    def plain(g, names):
        made = g.node("FusedBatchNormV3", names[:5], **types, **attrs)
        y = g.node("AddN", [made, names[5]], N=2, T=dtype) if side else made
        y = g.node("Relu", [y], T=dtype) if relu else y
        return [y, *(f"{made}:{index}" for index in range(1, outputs))]

    return beside("_FusedBatchNormEx", dtype, tensors, fused, plain, outputs)


@recipe("_FusedLayerNorm")
def fused_layer_norm(d, t):
    moderate(d)
    width = d.one([1, 2, 5, 17, 40])
    shape = (*(d.one([1, 2, 3]) for _ in range(d.one([0, 1, 2]))), width)
    tensors = [d.tensor("float32", shape), *(d.tensor("float32", (width,), "plain") for _ in range(2))]
    centered, epsilon = d.chance(0.5), 1e-3

    def fused(g, names):
        return [g.node("_FusedLayerNorm", names, T="float32", epsilon=epsilon, centered=centered)]

    def plain(g, names):
        x, scale, offset = names
        axes = g.constant(Tensor("int32", np.array([-1], "int32")))
        of_float = {"T": "float32"}
        mean = lambda name: g.node("Mean", [name, axes], Tidx="int32", keep_dims=True, **of_float)
        less = g.node("Sub", [x, mean(x)], **of_float) if centered else x
        variance = mean(g.node("Square", [less], **of_float))
        root = g.node("Rsqrt", [g.node("AddV2", [variance, g.constant(Tensor("float32", np.array(epsilon, "float32")))], **of_float)], **of_float)
        made = g.node("Mul", [g.node("Mul", [less, root], **of_float), scale], **of_float)
        return [g.node("AddV2", [made, offset], **of_float)]

    return beside("_FusedLayerNorm", "float32", tensors, fused, plain)


@recipe("_FusedLayerNormGrad")
def fused_layer_norm_grad(d, t):
    moderate(d)
    width, rows = d.one([1, 2, 5, 17, 40]), d.one([(), (1,), (3,), (2, 3), (70,)])
    shape = (*rows, width)
    tensors = [d.tensor("float32", shape), d.tensor("float32", shape, "plain"), d.tensor("float32", (width,), "plain")]
    centered, epsilon = d.chance(0.5), 1e-3

    def fused(g, names):
        made = g.node("_FusedLayerNormGrad", names, T="float32", epsilon=epsilon, centered=centered)
        return [made, f"{made}:1", f"{made}:2"]

    def plain(g, names):
        dy, x, scale = names
        last, all_rows = (g.constant(Tensor("int32", np.array(axes, "int32"))) for axes in ([-1], [*range(len(rows))]))
        node = lambda op, *inputs: g.node(op, list(inputs), T="float32")
        mean = lambda name: g.node("Mean", [name, last], T="float32", Tidx="int32", keep_dims=True)
        total = lambda name: g.node("Sum", [name, all_rows], T="float32", Tidx="int32", keep_dims=False)
        less = node("Sub", x, mean(x)) if centered else x
        added = g.constant(Tensor("float32", np.array(epsilon, "float32")))
        root = node("Rsqrt", node("AddV2", mean(node("Square", less)), added))
        normalized, by_y = node("Mul", less, root), node("Mul", dy, scale)
        rest = node("Sub", by_y, node("Mul", normalized, mean(node("Mul", by_y, normalized))))
        rest = node("Sub", rest, mean(by_y)) if centered else rest
        return [node("Mul", root, rest), total(node("Mul", dy, normalized)), total(dy)]

    return beside("_FusedLayerNormGrad", "float32", tensors, fused, plain, 3)


@recipe("_FusedLSTM")
def fused_lstm(d, t):
    moderate(d)
    time, batch, width, cell = d.one([1, 2, 5]), d.one([1, 3, 35]), d.one([1, 4, 17]), d.one([1, 3, 16])
    gates, return_sequences = d.one([[0, 1, 2, 3], [0, 2, 1, 3], [3, 1, 0, 2]]), d.chance(0.5)
    shapes = [(time, batch, width), (batch, cell), (batch, cell), (width, 4 * cell), (cell, 4 * cell), (4 * cell,)]
    tensors = [d.tensor("float32", shapes[0]), *(d.tensor("float32", shape, "plain") for shape in shapes[1:])]

    def fused(g, names):
        made = g.node("_FusedLSTM", names, T="float32", gates=gates, return_sequences=return_sequences)
        return [made, f"{made}:1", f"{made}:2"]

    def plain(g, names):
        x, h, c, w, u, b = names
        node = lambda op, *inputs: g.node(op, list(inputs), T="float32")
        axis = g.constant(Tensor("int32", np.array(1, "int32")))
        steps, outputs = g.node("Unpack", [x], num=time, axis=0, T="float32"), []
        for step in range(time):
            total = node("AddV2", g.node("MatMul", [f"{steps}:{step}", w], T="float32"), g.node("MatMul", [h, u], T="float32"))
            quarters = g.node("Split", [axis, node("BiasAdd", total, b)], num_split=4, T="float32")
            of_input, forget, new, output = (f"{quarters}:{gate}" for gate in gates)
            kept = node("Mul", node("Sigmoid", forget), c)
            c = node("AddV2", kept, node("Mul", node("Sigmoid", of_input), node("Tanh", new)))
            h = node("Mul", node("Sigmoid", output), node("Tanh", c))
            outputs.append(h)
        outputs = outputs if return_sequences else outputs[-1:]
        return [g.node("Pack", outputs, N=len(outputs), axis=0, T="float32"), h, c]

    return beside("_FusedLSTM", "float32", tensors, fused, plain, 3)


@recipe("_FusedAttention")
def fused_attention(d, t):
    moderate(d)
    batch, heads, queries, keys, depth, width = (d.one([1, 2, 3, 7]) for _ in range(6))
    first = [d.chance(0.5) for _ in range(4)]
    swap = lambda shape, at: tuple(shape[i] for i in (0, 2, 1, 3)) if first[at] else shape
    shapes = [(batch, heads, queries, depth), (batch, heads, keys, depth), (batch, heads, keys, width)]
    tensors = [d.tensor("float32", swap(shape, at), "plain") for at, shape in enumerate(shapes)]
    if d.chance(0.5):
        tensors.append(d.tensor("float32", d.one([(keys,), (batch, 1, 1, keys), (queries, keys)]), "plain"))
    masks, scale = len(tensors) - 3, 0.5

    def fused(g, names):
        return [g.node("_FusedAttention", names, T="float32", num_masks=masks, scale=scale, time_first=first)]

    def plain(g, names):
        swapped = g.constant(Tensor("int32", np.array([0, 2, 1, 3], "int32")))
        turn = lambda name, at: g.node("Transpose", [name, swapped], T="float32", Tperm="int32") if first[at] else name
        q, k, v = (turn(name, at) for at, name in enumerate(names[:3]))
        scores = g.node("BatchMatMulV2", [q, k], T="float32", adj_x=False, adj_y=True)
        scores = g.node("Mul", [scores, g.constant(Tensor("float32", np.array(scale, "float32")))], T="float32")
        scores = g.node("AddV2", [scores, names[3]], T="float32") if masks else scores
        made = g.node("BatchMatMulV2", [g.node("Softmax", [scores], T="float32"), v], T="float32", adj_x=False, adj_y=False)
        return [turn(made, 3)]

    return beside("_FusedAttention", "float32", tensors, fused, plain)


# Functions whose results depend on their operands no more steeply than these on theirs; they may follow any other.
STEADY = {"Abs": 1, "Add": 2, "AddV2": 2, "Cos": 1, "Elu": 1, "Erf": 1, "Erfc": 1, "LeakyRelu": 1, "Maximum": 2, "Minimum": 2,
          "Mul": 2, "Neg": 1, "Relu": 1, "Relu6": 1, "Selu": 1, "Sigmoid": 1, "Sin": 1, "Softplus": 1, "Softsign": 1, "Square": 1,
          "SquaredDifference": 2, "Sub": 2, "Tanh": 1}
# Functions with jumps, poles or steep slopes: their operands are inputs.
STEEP = {"Ceil": 1, "Exp": 1, "Expm1": 1, "Floor": 1, "Inv": 1, "Reciprocal": 1, "Rint": 1, "Round": 1, "Sign": 1,
         "Div": 2, "DivNoNan": 2, "RealDiv": 2}
# As `STEEP`, of operands of one shape.
GRADIENTS = {"EluGrad": 2, "InvGrad": 2, "ReciprocalGrad": 2, "Relu6Grad": 2, "ReluGrad": 2, "SigmoidGrad": 2, "SoftplusGrad": 2,
             "SoftsignGrad": 2, "TanhGrad": 2}
# As `STEEP`, of positive operands.
POSITIVE = {"Log": 1, "Log1p": 1, "Rsqrt": 1, "Sqrt": 1, "Pow": 2, "RsqrtGrad": 2, "SqrtGrad": 2}
# Functions without kernels for 16-bit floats.
WIDE = {"Rint"}
ARITY = STEADY | STEEP | GRADIENTS | POSITIVE


class Chain:
    """Steps of elementwise functions: each works on the one before it, and on inputs that it adds."""

    def __init__(self, d, dtype):
        self.d, self.dtype, self.tensors, self.steps = d, dtype, [], []
        self.shape = d.shape(0, 4)
        first = d.one([STEADY, STEEP, GRADIENTS, POSITIVE])
        without = WIDE if dtype in ("float16", "bfloat16") else set()
        self._add(d.one(sorted(first.keys() - without)), [])
        for _ in range(d.integer(0, 4)):
            self._add(d.one(sorted(STEADY)), [f"s{len(self.steps) - 1}"])

    def _add(self, op, operands):
        while len(operands) < ARITY[op]:
            earlier = len(self.steps) > 1 and self.d.chance(0.2)
            operands.append(f"s{self.d.integer(0, len(self.steps) - 1)}" if earlier else self._input(op))
        if op not in GRADIENTS and self.d.chance(0.5):
            operands.reverse()
        self.steps.append((op, operands))

    def _input(self, op):
        """Another input: of the chain's shape, or of one that broadcasts to it."""
        style = "positive" if op in POSITIVE else None
        whole = not self.tensors or op in GRADIENTS or op == "SqrtGrad" or op == "RsqrtGrad" or self.d.chance(0.4)
        shape = self.shape if whole else self._narrower()
        self.tensors.append(self.d.tensor(self.dtype, shape, style))
        return str(len(self.tensors) - 1)

    def _narrower(self):
        rank = len(self.shape)
        kind = self.d.one(["scalar", "last", "first", "any"])
        if kind == "scalar":
            return ()
        if kind == "last":
            return self.shape[self.d.integer(0, rank):]
        if kind == "first":
            kept = self.d.integer(0, rank)
            return (*self.shape[:kept], *[1] * (rank - kept))
        return tuple(1 if self.d.chance(0.4) else size for size in self.shape)

    def functions(self):
        """The steps as `_FusedElementwise` reads them: ops with their attrs."""
        attrs = {"T": attr("type", self.dtype)}
        leaky = attrs | {"alpha": attr("float", 0.3)}
        return [(op, leaky if op == "LeakyRelu" else attrs) for op, _ in self.steps]

    def operands(self):
        """Numbers of inputs, and of steps counted down from -1."""
        names = [name for _, operands in self.steps for name in operands]
        return [-1 - int(name[1:]) if name.startswith("s") else int(name) for name in names]

    def plain(self, g, names):
        work, names = single(g, self.dtype, names)
        known = {str(index): name for index, name in enumerate(names)}
        for index, (op, operands) in enumerate(self.steps):
            plain = {"Add": "AddV2"}.get(op, op)
            known[f"s{index}"] = g.node(plain, [known[o] for o in operands], T=work, alpha=0.3)
        return [rounded(g, work, self.dtype, known[f"s{len(self.steps) - 1}"])]


@recipe("_FusedElementwise")
def fused_elementwise(d, t):
    moderate(d)
    dtype = t["Tout"]
    chain = Chain(d, dtype)
    if d.bad():
        chain.tensors[-1] = d.tensor(dtype, (*chain.shape, 2, 3))

    def fused(g, names):
        types = {"Tin": [dtype] * len(names), "Tout": dtype}
        return [g.node("_FusedElementwise", names, steps=chain.functions(), operands=chain.operands(), **types)]

    return beside("_FusedElementwise", dtype, chain.tensors, fused, chain.plain)
