"""Dtypes of PyTorch by their names in op declarations, and functions of PyTorch for ops of TensorFlow."""

import torch

DTYPES = {
    "float": torch.float32, "double": torch.float64, "half": torch.float16, "bfloat16": torch.bfloat16,
    "int8": torch.int8, "int16": torch.int16, "int32": torch.int32, "int64": torch.int64, "uint8": torch.uint8,
    "uint16": torch.uint16, "uint32": torch.uint32, "uint64": torch.uint64, "bool": torch.bool,
    "complex64": torch.complex64, "complex128": torch.complex128, "float8_e5m2": torch.float8_e5m2,
    "float8_e4m3fn": torch.float8_e4m3fn, "float8_e5m2fnuz": torch.float8_e5m2fnuz,
    "float8_e4m3fnuz": torch.float8_e4m3fnuz,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}

#: PyTorch's functions for ops of TensorFlow that gradients may add beside the plugin's own.
HOST_OPS = {
    "Add": torch.add, "AddV2": torch.add, "Sub": torch.sub, "Mul": torch.mul, "RealDiv": torch.div, "Neg": torch.neg,
    "Exp": torch.exp, "Log": torch.log, "Sqrt": torch.sqrt, "Rsqrt": torch.rsqrt, "Square": torch.square,
    "Tanh": torch.tanh, "Sigmoid": torch.sigmoid, "Sin": torch.sin, "Cos": torch.cos, "Abs": torch.abs,
    "Sign": torch.sign, "Reciprocal": torch.reciprocal, "Greater": torch.gt, "GreaterEqual": torch.ge,
    "Less": torch.lt, "LessEqual": torch.le, "Equal": torch.eq, "LogicalAnd": torch.logical_and,
    "LogicalOr": torch.logical_or, "LogicalNot": torch.logical_not, "SelectV2": torch.where,
    "ZerosLike": torch.zeros_like, "OnesLike": torch.ones_like, "Maximum": torch.maximum, "Minimum": torch.minimum,
}
