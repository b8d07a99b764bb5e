"""Ops of a plugin in PyTorch.

    from oplink_hosts import torch as oplink_torch
    ops = oplink_torch.load("libmy_ops.so")        # torch.ops.my_ops
    ops.scale_shift(x, scale=2.0)

The plugin itself registers the ops with their schemas and kernels, which C++ programs have too. What is registered
here is for Python: shapes for `torch.compile` and `torch.export`, made by the ops' shape functions, and gradients, made
by their gradient functions out of the ops of the plugin.
"""

import ctypes

import torch

from . import _symbolic
from ._cuda import load_compiler
from ._gradient import Program
from ._plugin import Plugin, PluginError

_DTYPES = {
    "float": torch.float32, "double": torch.float64, "half": torch.float16, "bfloat16": torch.bfloat16,
    "int8": torch.int8, "int16": torch.int16, "int32": torch.int32, "int64": torch.int64, "uint8": torch.uint8,
    "uint16": torch.uint16, "uint32": torch.uint32, "uint64": torch.uint64, "bool": torch.bool,
    "complex64": torch.complex64, "complex128": torch.complex128, "float8_e5m2": torch.float8_e5m2,
    "float8_e4m3fn": torch.float8_e4m3fn, "float8_e5m2fnuz": torch.float8_e5m2fnuz,
    "float8_e4m3fnuz": torch.float8_e4m3fnuz,
}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}

#: PyTorch's functions for ops of TensorFlow that gradients may add beside the plugin's own.
_HOST_OPS = {
    "Add": torch.add, "AddV2": torch.add, "Sub": torch.sub, "Mul": torch.mul, "RealDiv": torch.div, "Neg": torch.neg,
    "Exp": torch.exp, "Log": torch.log, "Sqrt": torch.sqrt, "Rsqrt": torch.rsqrt, "Square": torch.square,
    "Tanh": torch.tanh, "Sigmoid": torch.sigmoid, "Sin": torch.sin, "Cos": torch.cos, "Abs": torch.abs,
    "Sign": torch.sign, "Reciprocal": torch.reciprocal, "Greater": torch.gt, "GreaterEqual": torch.ge,
    "Less": torch.lt, "LessEqual": torch.le, "Equal": torch.eq, "LogicalAnd": torch.logical_and,
    "LogicalOr": torch.logical_or, "LogicalNot": torch.logical_not, "SelectV2": torch.where,
    "ZerosLike": torch.zeros_like, "OnesLike": torch.ones_like, "Maximum": torch.maximum, "Minimum": torch.minimum,
}

_loaded = {}


def load(path):
    """Registers the ops of the plugin at `path` and gives them: `torch.ops` of the crate's name."""
    if str(path) in _loaded:
        return _loaded[str(path)]
    if torch.version.cuda is not None:
        load_compiler()
    torch.ops.load_library(str(path))
    plugin = Plugin(path)
    register = plugin.library.oplink_torch_register
    register.restype = ctypes.c_char_p
    error = register()
    if error is not None:
        raise PluginError(error.decode())
    schema = plugin.library.oplink_torch_schema
    schema.restype, schema.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    ops = getattr(torch.ops, plugin.namespace)
    for op in plugin.ops:
        text = plugin.text(schema(op.position))
        if text.startswith("!"):
            setattr(ops, op.function, _refused(op, text[1:]))
        else:
            _TorchOp(op).register()
    _loaded[str(path)] = ops
    return ops


def extents(shape):
    """A shape as schemas have it: -1 is an unknown extent, [-2] an unknown rank."""
    return [-2] if shape is None else [-1 if dim is None else dim for dim in shape]


def _refused(op, why):
    def refuse(*_, **__):
        raise NotImplementedError(f"{op.name} cannot be called in PyTorch: {why}")

    return refuse


class _TorchOp:
    def __init__(self, op):
        self.op = op
        self.qualified = f"{op.plugin.namespace}::{op.function}"

    def register(self):
        torch.library.register_fake(self.qualified, self.fake)
        # An op without a gradient says so when somebody differentiates through it, in place of giving zeros.
        torch.library.register_autograd(self.qualified, self.backward, setup_context=self.setup_context)

    def attrs(self, keywords):
        def name(dtype):
            return _NAMES[dtype]

        def extents(attr, value):
            is_shape = attr["kind"] == "shape" and value is not None
            if not is_shape:
                return value
            return None if list(value) == [-2] else [None if dim == -1 else dim for dim in value]

        by_name = {attr["name"]: attr for attr in self.op.attrs}
        known = {key: extents(by_name[key], value) for key, value in keywords.items() if key in by_name}
        return self.op.attr_texts(known, name)

    def fake(self, *arguments, **keywords):
        tensors, lengths = self.op.flatten(arguments)
        inputs = [(_NAMES[tensor.dtype], tuple(tensor.shape)) for tensor in tensors]
        answer, shapes = self.shapes(lengths, inputs, self.attrs(keywords))
        device = _device_of(tensors)
        made = [
            torch.empty(_sized(shape), dtype=_DTYPES[output["dtype"]], device=device)
            for output, shape in zip(answer["outputs"], shapes)
        ]
        return self.op.grouped(made, answer["ranges"])

    def shapes(self, lengths, inputs, attrs):
        """The plugin's answer, and the outputs' shapes as far as the shape function tells them."""

        def infer(values=None, keys=None):
            def extent(dim):
                return dim if isinstance(dim, int) else values[keys[str(dim.node.expr)]]

            known = [(dtype, tuple(extent(dim) for dim in shape)) for dtype, shape in inputs]
            return self.op.request("infer", lengths, known, attrs)

        symbols = {str(dim.node.expr): dim for _, shape in inputs for dim in shape if not isinstance(dim, int)}
        if not symbols:
            answer = infer()
            return answer, _shapes_of(answer)
        for keys, equal in _groupings(symbols):
            extents = [next(symbols[name] for name, at in keys.items() if at == group) for group in set(keys.values())]
            try:
                found = _symbolic.fit(lambda values: _shapes_of(infer(values, keys)), len(extents))
            except PluginError:
                continue
            if found is None or any(shape is None for shape in found):
                break
            for one, other in equal:
                torch._check(one == other)
            shapes = [[None if dim is None else dim.at(extents) for dim in shape] for shape in found]
            return infer(_symbolic.base(len(extents)), keys), shapes
        # No expression of the extents: the program is made for these extents alone.
        inputs = [(dtype, tuple(int(dim) for dim in shape)) for dtype, shape in inputs]
        answer = self.op.request("infer", lengths, inputs, attrs)
        return answer, _shapes_of(answer)

    def program(self, tensors, lengths, attrs, wanted):
        inputs = [
            (_NAMES[tensor.dtype], tuple(dim if isinstance(dim, int) else None for dim in tensor.shape))
            for tensor in tensors
        ]
        try:
            return Program(self.op.request("gradient", lengths, inputs, attrs, wanted))
        except PluginError:
            if all(None not in shape for _, shape in inputs):
                raise
            inputs = [(_NAMES[tensor.dtype], tuple(int(dim) for dim in tensor.shape)) for tensor in tensors]
            return Program(self.op.request("gradient", lengths, inputs, attrs, wanted))

    def setup_context(self, ctx, inputs, output, keyword_only_inputs=None):
        tensors, ctx.lengths = self.op.flatten(inputs)
        attrs = self.attrs(keyword_only_inputs or {})
        wanted = [tensor.requires_grad for tensor in tensors]
        ctx.program, ctx.error = None, f"{self.op.name} has no gradient"
        if not self.op.has_gradient:
            return
        try:
            ctx.program = self.program(tensors, ctx.lengths, attrs, wanted)
        except PluginError as error:
            ctx.error = str(error)
            return
        outputs = output if isinstance(output, (tuple, list)) else [output]
        outputs = [one for each in outputs for one in (each if isinstance(each, (tuple, list)) else [each])]
        ctx.used = ctx.program.uses(0, len(tensors)), ctx.program.uses(1, len(outputs))
        ctx.like = [(tuple(one.shape), one.dtype, one.device) for one in outputs]
        kept = [t for t, used in zip(tensors, ctx.used[0]) if used] + [t for t, used in zip(outputs, ctx.used[1]) if used]
        ctx.save_for_backward(*kept)

    def backward(self, ctx, *gradients):
        if self.op.is_constant:
            nothing = [[None] * length if arg["list"] else None for arg, length in zip(self.op.inputs, ctx.lengths)]
            return tuple(nothing) if len(nothing) != 1 else nothing[0]
        if ctx.program is None:
            raise NotImplementedError(f"the gradient of {self.op.name} cannot be taken here: {ctx.error}")
        kept = iter(ctx.saved_tensors)
        inputs, outputs = ([next(kept) if used else None for used in which] for which in ctx.used)
        flat = [one for each in gradients for one in (each if isinstance(each, (tuple, list)) else [each])]
        dys = [
            torch.zeros(shape, dtype=dtype, device=device) if dy is None else dy
            for dy, (shape, dtype, device) in zip(flat, ctx.like)
        ]
        found = iter(ctx.program.run(inputs, outputs, dys, _OnDevice(self, _device_of(dys))))
        made = []
        for arg, length in zip(self.op.inputs, ctx.lengths):
            of_arg = [next(found) for _ in range(length)]
            made.append(of_arg if arg["list"] else of_arg[0])
        return tuple(made) if len(made) != 1 else made[0]

    # What a gradient's program is made of.

    def own(self, function, inputs, attrs):
        op = next(op for op in self.op.plugin.ops if op.function == function)
        kinds = {attr["name"]: attr for attr in op.attrs}
        given = {name: _attr_value(kinds[name], value) for name, value in attrs.items()}
        made = getattr(getattr(torch.ops, op.plugin.namespace), function)(*inputs, **given)
        made = made if isinstance(made, (tuple, list)) else [made]
        return [one for each in made for one in (each if isinstance(each, (tuple, list)) else [each])]

    def other(self, name, inputs, attrs):
        function = _HOST_OPS.get(name)
        if function is None:
            raise NotImplementedError(
                f"the gradient of {self.op.name} adds {name}, which is neither an op of the plugin nor one that is known "
                "in PyTorch"
            )
        return [function(*inputs)]

    def constant(self, data, dtype, shape):
        if not data:
            return torch.empty(shape, dtype=_DTYPES[dtype])
        return torch.frombuffer(bytearray(data), dtype=_DTYPES[dtype]).reshape(shape).clone()


class _OnDevice:
    """What a gradient's program is made of, with its constants where the gradients are."""

    def __init__(self, op, device):
        self.op, self.own, self.other, self.device = op.op, op.own, op.other, device
        self._constant = op.constant

    def constant(self, data, dtype, shape):
        return self._constant(data, dtype, shape).to(self.device)


def _device_of(tensors):
    """Where an op of these tensors runs and gives its outputs: on a GPU if one of them is there."""
    devices = [tensor.device for tensor in tensors]
    return next((device for device in devices if device.type != "cpu"), torch.device("cpu"))


def _attr_value(attr, value):
    if attr["kind"] == "type":
        return [_DTYPES[one] for one in value] if attr["list"] else _DTYPES[value]
    if attr["kind"] == "shape":
        return extents(value)
    return value


def _shapes_of(answer):
    return [output["shape"] for output in answer["outputs"]]


def _groupings(symbols):
    """Ways to number symbols: each its own number, then one number for those that are equal now."""
    names = list(symbols)
    yield {name: at for at, name in enumerate(names)}, []
    hints = [symbols[name].node.hint if symbols[name].node.has_hint() else None for name in names]
    firsts, keys, equal = {}, {}, []
    for name, hint in zip(names, hints):
        mark = name if hint is None else hint
        if mark in firsts:
            equal.append((symbols[firsts[mark]], symbols[name]))
        firsts.setdefault(mark, name)
        keys[name] = list(firsts).index(mark)
    if equal:
        yield keys, equal


def _sized(shape):
    """A shape of which unknown extents are those that a run will tell."""
    if shape is None:
        raise NotImplementedError("the shape function does not tell how many dimensions the output has")
    if any(dim is None for dim in shape):
        ctx = torch.library.get_ctx()
        return [ctx.new_dynamic_size() if dim is None else dim for dim in shape]
    return shape
