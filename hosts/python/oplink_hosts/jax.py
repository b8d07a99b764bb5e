"""Ops of a plugin in JAX.

    from oplink_hosts import jax as oplink_jax
    ops = oplink_jax.load("libmy_ops.so")
    ops.scale_shift(x, scale=2.0)                  # in `jit`, `grad`, `jvp`, `vmap` too

Each op is a target of XLA's foreign function interface on the CPU, and on CUDA where the plugin was built for that, and
so is the one that computes its gradient. Shapes of outputs come from the ops' shape functions.
"""

import ctypes
import types

import jax
import jax.numpy as jnp
import numpy as np

from . import _jax_sharding
from ._cuda import load_compiler
from ._jax_dtypes import DTYPES as _DTYPES
from ._jax_dtypes import dtype_name as _dtype_name
from ._jax_gradient import Nodes, differentiable, program_of_gradient
from ._plugin import Plugin, PluginError

_loaded = {}


def load(path):
    """Registers the ops of the plugin at `path` and gives them as functions of a name space."""
    if str(path) in _loaded:
        return _loaded[str(path)]
    plugin = Plugin(path)
    handler = plugin.library.oplink_jax_handler
    handler.restype, handler.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    handlers = {"cpu": handler}
    if hasattr(plugin.library, "oplink_jax_cuda_handler"):
        handlers["CUDA"] = plugin.library.oplink_jax_cuda_handler
        handlers["CUDA"].restype, handlers["CUDA"].argtypes = handler.restype, handler.argtypes
        load_compiler()
    ops = types.SimpleNamespace()
    known = {op.function: _JaxOp(op, ops, "CUDA" in handlers) for op in plugin.ops}
    for op in plugin.ops:
        function = known[op.function]
        function.gradient = op.gradient and known[op.gradient.function]
        function.of = op.gradient_of and known[op.gradient_of.function]
        if op.refusal is None and function.refusal is None:
            for platform, of in handlers.items():
                capsule = jax.ffi.pycapsule(of(op.position))
                jax.ffi.register_ffi_target(function.target, capsule, platform=platform)
        setattr(ops, op.function, function)
    _loaded[str(path)] = ops
    return ops


class _JaxOp(Nodes):
    """One op as a function of arrays."""

    def __init__(self, op, ops, has_cuda):
        self.op, self.ops, self.has_cuda = op, ops, has_cuda
        self.__name__, self.__doc__ = op.function, op.doc
        self.target = f"{op.plugin.namespace}.{op.function}"
        unknown = [arg["name"] for arg in op.inputs + op.outputs if arg["dtype"] and arg["dtype"] not in _DTYPES]
        self.refusal = f"`{unknown[0]}` is of a dtype that JAX has no arrays of" if unknown else None
        #: The op that computes the gradients of this one, and the op whose gradients this one computes.
        self.gradient = self.of = None
        self.function = differentiable(self) if op.has_gradient or op.gradient_of is not None else self.run

    def __call__(self, *arguments, **keywords):
        refusal = self.op.refusal or self.refusal
        if refusal:
            raise NotImplementedError(f"{self.op.name} cannot be called in JAX: {refusal}")
        inputs, attrs = self.op.bind(arguments, keywords)
        flat, lengths = self.op.flatten(inputs)
        flat = [jnp.asarray(one) for one in flat]
        texts = tuple(sorted(self.op.attr_texts(attrs, _dtype_name).items()))
        made = self.call_flat(tuple(lengths), texts, flat)
        avals = tuple((_dtype_name(one.dtype), tuple(one.shape)) for one in flat)
        return self.op.grouped(made, self.infer(tuple(lengths), texts, avals)["ranges"])

    def call_flat(self, lengths, texts, arrays):
        avals = tuple((_dtype_name(one.dtype), tuple(one.shape)) for one in arrays)
        return self.function(lengths, texts, avals, *arrays)

    def infer(self, lengths, texts, avals):
        return self.op.request("infer", lengths, avals, dict(texts))

    def run(self, lengths, texts, avals, *flat):
        places = self._parted(lengths, texts, avals)
        if not places:
            return self._call(lengths, texts, avals, *flat)

        def call(*parts):
            arrays = [jnp.zeros(shape, _DTYPES[dtype]) for dtype, shape in avals]
            for at, part in zip(places, parts):
                arrays[at] = part
            of_parts = tuple((dtype, tuple(one.shape)) for (dtype, _), one in zip(avals, arrays))
            return self._call(lengths, texts, of_parts, *arrays)

        rank = len(avals[places[0]][1])
        return _jax_sharding.on_parts(call, rank, len(places), len(self.op.outputs))(*(flat[at] for at in places))

    def _parted(self, lengths, texts, avals):
        """The inputs of which each device takes its part, where arrays may be shared; of a gradient's op, others are
        empty arrays. None where parts cannot be computed by themselves."""
        if not _jax_sharding.is_worthwhile() or self._vmap_method(lengths, texts, avals) != "broadcast_all":
            return None
        shapes = {tuple(one["shape"] or [None]) for one in self.infer(lengths, texts, avals)["outputs"]}
        places = [at for at, (_, shape) in enumerate(avals) if shapes == {shape} and shape != ()]
        empty = 0 if self.op.gradient_of is None else sum(shape == (0,) for _, shape in avals)
        return places if len(places) + empty == len(avals) else None

    def _call(self, lengths, texts, avals, *flat):
        outputs = self.infer(lengths, texts, avals)["outputs"]
        for at, output in enumerate(outputs):
            if output["shape"] is None or None in output["shape"]:
                raise NotImplementedError(
                    f"the size of output {at} of {self.op.name} is not known before it runs, and arrays of JAX have a "
                    "known size"
                )
        results = [jax.ShapeDtypeStruct(output["shape"], _DTYPES[output["dtype"]]) for output in outputs]
        keywords = self._attributes(dict(texts))
        if any(arg["list"] for arg in self.op.inputs):
            keywords["oplink_lengths"] = np.array(lengths, np.int64)
        call = jax.ffi.ffi_call(
            self.target, results, vmap_method=self._vmap_method(lengths, texts, avals),
            has_side_effect=self.op.is_stateful,
        )
        return tuple(call(*flat, **keywords))

    def _vmap_method(self, lengths, texts, avals):
        """Ops on each element take a batch in one call."""
        is_elementwise = self.op.is_elementwise
        if self.op.gradient_of is not None and self.op.gradient_of.is_elementwise:
            program, wanted = program_of_gradient(self, lengths, texts, avals)
            given = avals[len(program.needed[0]) + len(program.needed[1]) :]
            needed = [one for one, is_needed in zip(avals, [*program.needed[0], *program.needed[1]]) if is_needed]
            avals = [*needed, *given]
            is_elementwise = program.is_elementwise and all(wanted) and len({shape for _, shape in avals}) == 1
        return "broadcast_all" if is_elementwise and len({len(shape) for _, shape in avals}) == 1 else "sequential"

    def _attributes(self, texts):
        """Numbers as numbers, so that others who read the program see them; all else in the op language."""
        kinds = {attr["name"]: attr for attr in self.op.attrs}

        def attribute(name, text):
            attr = kinds[name]
            if attr["kind"] == "int" and not attr["list"]:
                return np.int64(text)
            if attr["kind"] == "float" and not attr["list"]:
                return np.float32(text)
            if attr["kind"] == "string" and not attr["list"]:
                return _unquoted(text)
            return text

        return {name: attribute(name, text) for name, text in texts.items()}


def _unquoted(text):
    """The string that `attr_text` wrote: bytes that are not plain stand as three octal digits."""
    inner, out, at = text[1:-1], bytearray(), 0
    while at < len(inner):
        if inner[at] == "\\":
            out.append(int(inner[at + 1 : at + 4], 8))
            at += 4
        else:
            out.append(ord(inner[at]))
            at += 1
    return bytes(out).decode("utf-8", "surrogateescape")


__all__ = ["PluginError", "load"]
