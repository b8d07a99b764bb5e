"""Networks and their training: layers, losses and optimisers, by the names and with the numbers of Keras 3.

Layers are made with the extents of their inputs. Images are `[batch, rows, columns, channels]`, sequences
`[batch, steps, features]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from oplink._oplink import (
    Adadelta,
    Adagrad,
    Adam,
    AdamW,
    Adamax,
    AveragePooling2D,
    BatchNormalization,
    BidirectionalLSTM,
    Conv2D,
    Conv2DTranspose,
    Dense,
    DepthwiseConv2D,
    Dropout,
    Embedding,
    Flatten,
    Ftrl,
    GRU,
    GlobalAveragePooling2D,
    GlobalMaxPooling2D,
    GroupNormalization,
    LSTM,
    Layer,
    LayerNormalization,
    Lion,
    MaxPooling2D,
    MultiHeadAttention,
    Optimizer,
    RMSNormalization,
    RMSprop,
    SGD,
    Tensor,
    Variable,
    binary_crossentropy,
    categorical_crossentropy,
    clip_by_global_norm,
    cosine_similarity,
    export,
    hinge,
    huber,
    kl_divergence,
    log_cosh,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    mean_squared_logarithmic_error,
    poisson,
    set_seed,
    sparse_categorical_crossentropy,
    squared_hinge,
)
from oplink.typing import TensorLike

__all__ = [
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "AveragePooling2D",
    "BatchNormalization",
    "BidirectionalLSTM",
    "Conv2D",
    "Conv2DTranspose",
    "Dense",
    "DepthwiseConv2D",
    "Dropout",
    "Embedding",
    "Flatten",
    "Ftrl",
    "GRU",
    "GlobalAveragePooling2D",
    "GlobalMaxPooling2D",
    "GroupNormalization",
    "LSTM",
    "Layer",
    "LayerNormalization",
    "Lion",
    "MaxPooling2D",
    "Module",
    "MultiHeadAttention",
    "Optimizer",
    "RMSNormalization",
    "RMSprop",
    "SGD",
    "Sequential",
    "binary_crossentropy",
    "categorical_crossentropy",
    "clip_by_global_norm",
    "cosine_similarity",
    "export",
    "hinge",
    "huber",
    "kl_divergence",
    "log_cosh",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_squared_error",
    "mean_squared_logarithmic_error",
    "poisson",
    "set_seed",
    "sparse_categorical_crossentropy",
    "squared_hinge",
]


class Module:
    """What has layers, variables or other modules among its attributes, also in lists and dictionaries."""

    @property
    def variables(self) -> dict[str, Variable]:
        """All variables by where they are first found, such as `body.0.kernel`."""
        return dict(_variables("", self, set()))

    @property
    def trainable_variables(self) -> list[Variable]:
        """The variables that gradients are for."""
        return [variable for variable in self.variables.values() if variable.trainable]


def _variables(path: str, part: object, seen: set[int]) -> Iterator[tuple[str, Variable]]:
    """The variables of a part, with their names; those of parts that were seen before are left out."""
    inner: Iterator[tuple[str, object]]
    if isinstance(part, (Variable, Layer, Module)):
        if id(part) in seen:
            return
        seen.add(id(part))
    if isinstance(part, Variable):
        yield path, part
        return
    if isinstance(part, Layer):
        prefix = f"{path}." if path else ""
        yield from ((prefix + name, variable) for name, variable in part.variables.items())
        return
    if isinstance(part, Module):
        inner = iter(vars(part).items())
    elif isinstance(part, dict):
        inner = ((str(name), item) for name, item in part.items())
    elif isinstance(part, (list, tuple)):
        inner = ((str(at), item) for at, item in enumerate(part))
    else:
        return
    for name, item in inner:
        yield from _variables(f"{path}.{name}" if path else name, item, seen)


class Sequential(Module):
    """Layers, modules and functions one after the other."""

    def __init__(self, *layers: Layer | Module | Callable[[Tensor], Tensor]) -> None:
        self.layers = list(layers)

    def __call__(self, x: TensorLike, *, training: bool = False) -> Tensor:
        value = x if isinstance(x, Tensor) else Tensor(x)
        for layer in self.layers:
            if isinstance(layer, Layer):
                value = layer(value, training=training)
            elif isinstance(layer, Module):
                value = layer(value, training=training)  # type: ignore[operator]
            else:
                value = layer(value)
        return value
