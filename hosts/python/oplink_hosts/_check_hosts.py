"""Calls of recorded inputs in each host: tensors of bytes go in, a dtype's name, a shape and bytes come out."""

import numpy as np

from ._gradient import flat
from ._plugin import Plugin

_NUMPY = {"float": "float32", "double": "float64", "half": "float16", "string": "object"}
_NAMES = {"float32": "float", "float64": "double", "float16": "half", "object": "string"}


class NotCarried(Exception):
    """The host has no such op, dtype or argument; the text says which."""


def of(host, library):
    """The adapter of a host with the ops of a library."""
    known = {"tensorflow": _TensorFlow, "torch": _Torch, "jax": _Jax, "onnxruntime": _OnnxRuntime}
    if host not in known:
        raise SystemExit(f"{host} is no host; the hosts are {', '.join(known)}")
    return known[host](library)


class _Host:
    def __init__(self, library):
        self.ops = self.load(library)
        self.known = {op.name: op for op in Plugin(library).ops}

    def call(self, record):
        op = self.known.get(record["op"])
        if op is None:
            raise NotCarried("the library has no such op")
        tensors = [self.tensor(one["dtype"], one["shape"], one["data"]) for one in record["inputs"]]
        attrs = {attr["name"]: self.attr(attr, record["attrs"][attr["name"]])
                 for attr in op.attrs if attr["name"] in record["attrs"]}
        self.check(op)
        made = getattr(self.ops, op.function)(*op.divided(tensors, record["lengths"]), **attrs)
        return [self.read(one) for one in flat(made)]

    def check(self, op):
        """Refuses an op that the host cannot carry."""

    def attr(self, attr, value):
        if attr["kind"] == "type":
            return [self.dtype(one) for one in value] if attr["list"] else self.dtype(value)
        return value


def _array(dtype, shape, data):
    """An array of NumPy; dtypes that NumPy has not are those of `ml_dtypes`."""
    if dtype == "string":
        return np.array([bytes.fromhex(one) for one in data], object).reshape(shape)
    name = _NUMPY.get(dtype, dtype)
    try:
        kind = np.dtype(name)
    except TypeError:
        try:
            import ml_dtypes

            kind = np.dtype(getattr(ml_dtypes, name))
        except (ImportError, AttributeError):
            raise NotCarried(f"NumPy has no {dtype} here") from None
    return np.frombuffer(bytes.fromhex(data), kind).reshape(shape)


def _read(array):
    name = _NAMES.get(array.dtype.name, array.dtype.name)
    if name == "string":
        data = [one if isinstance(one, bytes) else one.encode() for one in array.ravel()]
        return name, array.shape, data
    return name, array.shape, np.ascontiguousarray(array).tobytes()


class _Torch(_Host):
    @staticmethod
    def load(library):
        from . import torch

        return torch.load(library)

    @staticmethod
    def dtype(name):
        from ._torch_dtypes import DTYPES

        if name not in DTYPES:
            raise NotCarried(f"PyTorch has no {name}")
        return DTYPES[name]

    def tensor(self, dtype, shape, data):
        import torch

        kind = self.dtype(dtype)
        if not data:
            return torch.empty(shape, dtype=kind)
        return torch.frombuffer(bytearray.fromhex(data), dtype=kind).reshape(shape)

    def attr(self, attr, value):
        from ._torch_gradient import extents

        return extents(value) if attr["kind"] == "shape" else super().attr(attr, value)

    def check(self, op):
        if not hasattr(getattr(self.ops, op.function), "default"):
            raise NotCarried("the op is refused")

    @staticmethod
    def read(tensor):
        import torch

        from ._torch_dtypes import NAMES

        data = tensor.contiguous().reshape(-1).view(torch.uint8) if tensor.numel() else tensor
        return NAMES[tensor.dtype], tuple(tensor.shape), bytes(data.tolist()) if tensor.numel() else b""


class _Jax(_Host):
    @staticmethod
    def load(library):
        import jax

        from . import jax as host

        jax.config.update("jax_enable_x64", True)
        return host.load(library)

    @staticmethod
    def dtype(name):
        from ._jax_dtypes import DTYPES

        if name not in DTYPES:
            raise NotCarried(f"JAX has no {name}")
        return DTYPES[name]

    def tensor(self, dtype, shape, data):
        import jax.numpy as jnp

        self.dtype(dtype)
        return jnp.asarray(_array(dtype, shape, data))

    def check(self, op):
        if op.refusal or getattr(self.ops, op.function).refusal:
            raise NotCarried("the op is refused")

    def call(self, record):
        try:
            return super().call(record)
        except NotImplementedError as why:
            raise NotCarried(str(why)) from None

    @staticmethod
    def read(array):
        return _read(np.asarray(array))


class _TensorFlow(_Host):
    @staticmethod
    def load(library):
        from . import tensorflow

        return tensorflow.load(library)

    @staticmethod
    def dtype(name):
        import tensorflow as tf

        return tf.as_dtype(name)

    def tensor(self, dtype, shape, data):
        import tensorflow as tf

        if dtype == "string":
            return tf.constant(_array(dtype, shape, data), tf.string, shape)
        return tf.constant(np.frombuffer(bytes.fromhex(data), self.dtype(dtype).as_numpy_dtype).reshape(shape))

    def attr(self, attr, value):
        import tensorflow as tf

        return tf.TensorShape(value) if attr["kind"] == "shape" and not attr["list"] else super().attr(attr, value)

    @staticmethod
    def read(tensor):
        made = tensor.numpy()
        return _read(np.asarray(made, object) if tensor.dtype.name == "string" else np.asarray(made))


class _OnnxRuntime(_Host):
    @staticmethod
    def load(library):
        from . import onnxruntime

        return onnxruntime.load(library)

    @staticmethod
    def dtype(name):
        from .onnxruntime import _DTYPES

        if name not in _DTYPES:
            raise NotCarried(f"ONNX Runtime has no {name}")
        return _DTYPES[name]

    def tensor(self, dtype, shape, data):
        self.dtype(dtype)
        if dtype == "bfloat16":
            raise NotCarried("NumPy arrays of bfloat16 are none of ONNX Runtime's")
        if dtype == "string":
            # ONNX Runtime takes `str` alone.
            try:
                return np.array([bytes.fromhex(one).decode() for one in data], object).reshape(shape)
            except UnicodeDecodeError:
                raise NotCarried("a string is no UTF-8") from None
        return _array(dtype, shape, data)

    @staticmethod
    def read(array):
        return _read(array)
