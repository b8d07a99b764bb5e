"""Ops of a plugin in JAX.

    from oplink_hosts import jax as oplink_jax
    ops = oplink_jax.load("libmy_ops.so")
    ops.scale_shift(x, scale=2.0)                  # in `jit`, `grad`, `vmap` too

Each op is a target of XLA's foreign function interface on the CPU, and on CUDA where the plugin was built for that.
Shapes of outputs come from the ops' shape functions, gradients from their gradient functions, as `custom_vjp`.
"""

import ctypes
import functools
import types

import jax
import jax.numpy as jnp
import numpy as np

from ._cuda import load_compiler
from ._gradient import Program
from ._plugin import Plugin, PluginError 

_DTYPES = {
    "float": jnp.float32, "double": jnp.float64, "half": jnp.float16, "bfloat16": jnp.bfloat16, "int8": jnp.int8,
    "int16": jnp.int16, "int32": jnp.int32, "int64": jnp.int64, "uint8": jnp.uint8, "uint16": jnp.uint16,
    "uint32": jnp.uint32, "uint64": jnp.uint64, "bool": jnp.bool_, "complex64": jnp.complex64,
    "complex128": jnp.complex128, "float8_e5m2": jnp.float8_e5m2, "float8_e4m3fn": jnp.float8_e4m3fn,
    "float8_e4m3b11fnuz": jnp.float8_e4m3b11fnuz, "float8_e5m2fnuz": jnp.float8_e5m2fnuz,
    "float8_e4m3fnuz": jnp.float8_e4m3fnuz,
}
_NAMES = {np.dtype(dtype): name for name, dtype in _DTYPES.items()}

#: JAX's functions for ops of TensorFlow that gradients may add beside the plugin's own.
_HOST_OPS = {
    "Add": jnp.add, "AddV2": jnp.add, "Sub": jnp.subtract, "Mul": jnp.multiply, "RealDiv": jnp.divide,
    "Neg": jnp.negative, "Exp": jnp.exp, "Log": jnp.log, "Sqrt": jnp.sqrt, "Rsqrt": jax.lax.rsqrt,
    "Square": jnp.square, "Tanh": jnp.tanh, "Sigmoid": jax.nn.sigmoid, "Sin": jnp.sin, "Cos": jnp.cos, "Abs": jnp.abs,
    "Sign": jnp.sign, "Reciprocal": jnp.reciprocal, "Greater": jnp.greater, "GreaterEqual": jnp.greater_equal,
    "Less": jnp.less, "LessEqual": jnp.less_equal, "Equal": jnp.equal, "LogicalAnd": jnp.logical_and,
    "LogicalOr": jnp.logical_or, "LogicalNot": jnp.logical_not, "SelectV2": jnp.where, "ZerosLike": jnp.zeros_like,
    "OnesLike": jnp.ones_like, "Maximum": jnp.maximum, "Minimum": jnp.minimum,
}

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
    for op in plugin.ops:
        function = _JaxOp(op, ops)
        if op.refusal is None and function.refusal is None:
            for platform, handler in handlers.items():
                capsule = jax.ffi.pycapsule(handler(op.position))
                jax.ffi.register_ffi_target(function.target, capsule, platform=platform)
        setattr(ops, op.function, function)
    _loaded[str(path)] = ops
    return ops


def _dtype_name(dtype):
    return _NAMES[np.dtype(dtype)]


class _JaxOp:
    """One op as a function of arrays."""

    def __init__(self, op, ops):
        self.op, self.ops = op, ops
        self.__name__, self.__doc__ = op.function, op.doc
        self.target = f"{op.plugin.namespace}.{op.function}"
        unknown = [arg["name"] for arg in op.inputs + op.outputs if arg["dtype"] and arg["dtype"] not in _DTYPES]
        self.refusal = f"`{unknown[0]}` is of a dtype that JAX has no arrays of" if unknown else None
        self.differentiable = None
        if op.has_gradient:
            self.differentiable = jax.custom_vjp(self._run, nondiff_argnums=(0, 1, 2))
            self.differentiable.defvjp(self._forward, self._backward)

    def __call__(self, *arguments, **keywords):
        refusal = self.op.refusal or self.refusal
        if refusal:
            raise NotImplementedError(f"{self.op.name} cannot be called in JAX: {refusal}")
        inputs, attrs = self.op.bind(arguments, keywords)
        flat, lengths = self.op.flatten(inputs)
        flat = [jnp.asarray(one) for one in flat]
        texts = tuple(sorted(self.op.attr_texts(attrs, _dtype_name).items()))
        avals = tuple((_dtype_name(one.dtype), tuple(one.shape)) for one in flat)
        run = self.differentiable or self._run
        made = run(tuple(lengths), texts, avals, *flat)
        return self.op.grouped(made, self._infer(lengths, texts, avals)["ranges"])

    def _infer(self, lengths, texts, avals):
        return self.op.request("infer", lengths, avals, dict(texts))

    def _run(self, lengths, texts, avals, *flat):
        outputs = self._infer(lengths, texts, avals)["outputs"]
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
            self.target, results, vmap_method="sequential", has_side_effect=self.op.is_stateful
        )
        return tuple(call(*flat, **keywords))

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

    def _program(self, lengths, texts, avals):
        return Program(self.op.request("gradient", lengths, avals, dict(texts)))

    def _forward(self, lengths, texts, avals, *flat):
        # Not `_run`: second derivatives go through what is here.
        made = self.differentiable(lengths, texts, avals, *flat)
        program = self._program(lengths, texts, avals)
        used = program.uses(0, len(flat)), program.uses(1, len(made))
        kept = [[one if used else None for one, used in zip(values, which)] for values, which in zip((flat, made), used)]
        return made, kept

    def _backward(self, lengths, texts, avals, kept, gradients):
        inputs, outputs = kept
        program = self._program(lengths, texts, avals)
        found = program.run(inputs, outputs, list(gradients), self)
        return tuple(_cotangent(one, *aval) for one, aval in zip(found, avals))

    # What a gradient's program is made of.

    def own(self, function, inputs, attrs):
        made = getattr(self.ops, function)(*inputs, **attrs)
        made = made if isinstance(made, (tuple, list)) else [made]
        return [one for each in made for one in (each if isinstance(each, (tuple, list)) else [each])]

    def other(self, name, inputs, attrs):
        function = _HOST_OPS.get(name)
        if function is None:
            raise NotImplementedError(
                f"the gradient of {self.op.name} adds {name}, which is neither an op of the plugin nor one that is known "
                "in JAX"
            )
        return [function(*inputs)]

    def constant(self, data, dtype, shape):
        return jnp.asarray(np.frombuffer(data, _DTYPES[dtype]).reshape(shape))


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


def _cotangent(found, dtype, shape):
    if not jnp.issubdtype(_DTYPES[dtype], jnp.inexact):
        return np.zeros(shape, jax.dtypes.float0)
    return jnp.zeros(shape, _DTYPES[dtype]) if found is None else found


__all__ = ["PluginError", "load"]
