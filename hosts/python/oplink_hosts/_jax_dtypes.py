"""Dtypes of JAX by their names in op declarations, and functions of JAX for ops of TensorFlow."""

import jax
import jax.numpy as jnp
import numpy as np

DTYPES = {
    "float": jnp.float32, "double": jnp.float64, "half": jnp.float16, "bfloat16": jnp.bfloat16, "int8": jnp.int8,
    "int16": jnp.int16, "int32": jnp.int32, "int64": jnp.int64, "uint8": jnp.uint8, "uint16": jnp.uint16,
    "uint32": jnp.uint32, "uint64": jnp.uint64, "bool": jnp.bool_, "complex64": jnp.complex64,
    "complex128": jnp.complex128, "float8_e5m2": jnp.float8_e5m2, "float8_e4m3fn": jnp.float8_e4m3fn,
    "float8_e4m3b11fnuz": jnp.float8_e4m3b11fnuz, "float8_e5m2fnuz": jnp.float8_e5m2fnuz,
    "float8_e4m3fnuz": jnp.float8_e4m3fnuz,
}
NAMES = {np.dtype(dtype): name for name, dtype in DTYPES.items()}

#: JAX's functions for ops of TensorFlow that gradients may add beside the plugin's own.
HOST_OPS = {
    "Add": jnp.add, "AddV2": jnp.add, "Sub": jnp.subtract, "Mul": jnp.multiply, "RealDiv": jnp.divide,
    "Neg": jnp.negative, "Exp": jnp.exp, "Log": jnp.log, "Sqrt": jnp.sqrt, "Rsqrt": jax.lax.rsqrt,
    "Square": jnp.square, "Tanh": jnp.tanh, "Sigmoid": jax.nn.sigmoid, "Sin": jnp.sin, "Cos": jnp.cos, "Abs": jnp.abs,
    "Sign": jnp.sign, "Reciprocal": jnp.reciprocal, "Greater": jnp.greater, "GreaterEqual": jnp.greater_equal,
    "Less": jnp.less, "LessEqual": jnp.less_equal, "Equal": jnp.equal, "LogicalAnd": jnp.logical_and,
    "LogicalOr": jnp.logical_or, "LogicalNot": jnp.logical_not, "SelectV2": jnp.where, "ZerosLike": jnp.zeros_like,
    "OnesLike": jnp.ones_like, "Maximum": jnp.maximum, "Minimum": jnp.minimum,
}


def dtype_name(dtype):
    return NAMES[np.dtype(dtype)]
