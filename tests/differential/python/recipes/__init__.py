"""Inputs of ops whose inputs have structure: axes, indices, shapes, windows, keys, handles.

A recipe is a function of a `Draw` and the dtypes of the op's type attrs. It returns the inputs, or inputs and attrs, or, of a
recipe for graphs, a `GraphCase`. Attrs that it does not set are drawn from the op's declaration.
"""
from dataclasses import dataclass
from typing import Callable

_RECIPES = {}


@dataclass
class Recipe:
    """How the cases of an op are made, and whether they are graphs."""
    make: Callable
    graph: bool = False


def recipe(*ops):
    """Declares a function as the recipe of these ops; one that takes a third parameter is told which."""
    return lambda function: _add(function, ops, graph=False)


def graph_recipe(*ops):
    """As `recipe`, for functions that return graphs."""
    return lambda function: _add(function, ops, graph=True)


def _add(function, ops, graph):
    for op in ops:
        if op in _RECIPES:
            raise ValueError(f"two recipes for {op}")
        told = function.__code__.co_argcount == 3
        make = (lambda draw, types, op=op: function(draw, types, op)) if told else function
        _RECIPES[op] = Recipe(make, graph)
    return function


def find(op):
    """The recipe of an op, if it has one."""
    return _RECIPES.get(op)


def known():
    """Names of all ops that have a recipe."""
    return sorted(_RECIPES)


from . import array, audio, communication, ctc, data_flow, dataset_files, dataset_graphs, dataset_parts, datasets, functions, fused, image, io, leftovers, linalg, math, messages, nn, one_dnn, parsing, quantization, quantized, random, recurrent, reduction, signal, sparse, state, string, training, variants, writers  # noqa: E402,F401  each declares its recipes
