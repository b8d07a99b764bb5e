"""Ops of a plugin in PyTorch.

    from oplink_hosts import torch as oplink_torch
    ops = oplink_torch.load("libmy_ops.so")        # torch.ops.my_ops
    ops.scale_shift(x, scale=2.0)

The plugin itself registers the ops with their schemas and kernels, which C++ programs have too, and for each op with a
gradient a second one that computes it. What is registered here is for Python: shapes for `torch.compile` and
`torch.export`, made by the ops' shape functions, derivatives, batching rules and autocast rules.
"""

import ctypes

import torch

from . import _symbolic, _torch_autocast, _torch_batching, _torch_gradient
from ._cuda import load_compiler
from ._gradient import Program
from ._plugin import Plugin, PluginError
from ._torch_dtypes import DTYPES as _DTYPES
from ._torch_dtypes import NAMES as _NAMES
from ._torch_gradient import device_of, extents

_loaded, _libraries = {}, {}


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
    library = _libraries.setdefault(str(path), torch.library.Library(plugin.namespace, "FRAGMENT"))
    known = {}
    for op in plugin.ops:
        text = plugin.text(schema(op.position))
        if text.startswith("!"):
            setattr(ops, op.function, _refused(op, text[1:]))
        else:
            known[op.function] = _TorchOp(op, library)
    for torch_op in known.values():
        torch_op.register(known)
    _loaded[str(path)] = ops
    return ops


def _refused(op, why):
    def refuse(*_, **__):
        raise NotImplementedError(f"{op.name} cannot be called in PyTorch: {why}")

    return refuse


class _TorchOp(_torch_gradient.Nodes):
    def __init__(self, op, library):
        self.op, self.library = op, library
        self.qualified = f"{op.plugin.namespace}::{op.function}"
        self.overload = getattr(getattr(torch.ops, op.plugin.namespace), op.function).default
        #: The op that computes the gradients of this one, and the op whose gradients this one computes.
        self.gradient = self.of = None

    def register(self, known):
        op = self.op
        self.gradient = op.gradient and known.get(op.gradient.function)
        self.of = op.gradient_of and known[op.gradient_of.function]
        torch.library.register_fake(self.qualified, self.fake)
        # An op without a gradient says so when somebody differentiates through it, in place of giving zeros.
        self.library.impl(op.function, _torch_gradient.kernel(self), "Autograd", with_keyset=True)
        if op.inputs:
            torch.library.register_vmap(self.qualified, _torch_batching.rule(self), lib=self.library)
            for key in ("AutocastCPU", "AutocastCUDA"):
                kernel = _torch_autocast.kernel(self, getattr(torch._C.DispatchKey, key))
                self.library.impl(op.function, kernel, key, with_keyset=True)

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
        device = device_of(tensors)
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
        """The nodes of the gradient of a call."""
        inputs = [(_NAMES[tensor.dtype], tuple(tensor.shape)) for tensor in tensors]
        try:
            return self.program_for(inputs, lengths, attrs, wanted)
        except PluginError:
            if all(isinstance(dim, int) for _, shape in inputs for dim in shape):
                raise
            inputs = [(dtype, tuple(int(dim) for dim in shape)) for dtype, shape in inputs]
            return self.program_for(inputs, lengths, attrs, wanted)

    def program_for(self, inputs, lengths, attrs, wanted):
        """The nodes of a gradient, by dtypes and shapes; a symbolic extent is one that is not known."""
        known = [
            (dtype, shape and tuple(dim if isinstance(dim, int) else None for dim in shape)) for dtype, shape in inputs
        ]
        return Program.of(self.op.request("gradient", lengths, known, attrs, wanted))


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
