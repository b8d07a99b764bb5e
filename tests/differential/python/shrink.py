"""Makes a disagreeing case smaller while it disagrees in the same way."""
import copy

import numpy as np

from cases import Case
from dtypes import FLOATS, INTEGERS


def shrink(case, still, budget=150):
    """The smallest case found that `still` holds for, in so many trials."""
    if not isinstance(case, Case):
        return case
    progress = True
    while progress:
        progress = False
        for candidate in _candidates(case):
            if budget == 0:
                return case
            budget -= 1
            if still(candidate):
                case, progress = candidate, True
                break
    return case


def _candidates(case):
    yield from _fewer_inputs(case)
    yield from _smaller_shapes(case)
    yield from _plainer_attrs(case)
    yield from _plainer_values(case)


def _with(case, change):
    made = copy.deepcopy(case)
    change(made)
    return made


def _fewer_inputs(case):
    for at, value in enumerate(case.inputs):
        if isinstance(value, list) and len(value) > 1:
            arg = case.op_def.input_arg[at]
            for drop in range(len(value)):
                made = _with(case, lambda c, at=at, drop=drop: c.inputs[at].pop(drop))
                if arg.number_attr:
                    made.attrs[arg.number_attr] -= 1
                elif arg.type_list_attr:
                    made.attrs[arg.type_list_attr].pop(drop)
                if all(len(c) == made.attrs[a.number_attr] for a, c in zip(case.op_def.input_arg, made.inputs) if a.number_attr):
                    yield made


def _smaller_shapes(case):
    """Cuts every axis of this extent on all inputs alike, counted from the front or from the back; then on one alone."""
    flat = case.flat_inputs()
    extents = {(axis, size) for t in flat for axis, size in enumerate(t.shape) if size > 1}
    extents |= {(axis - len(t.shape), size) for t in flat for axis, size in enumerate(t.shape) if size > 1}
    for axis, size in sorted(extents, key=lambda e: (-e[1], e[0])):
        for kept in dict.fromkeys((1, size // 2, size - 1)):
            yield _with(case, lambda c, a=axis, s=size, k=kept: [_cut(t, a, s, k) for t in c.flat_inputs()])
    for at, tensor in enumerate(flat):
        for axis, size in enumerate(tensor.shape):
            for kept in dict.fromkeys((0, 1, size // 2, size - 1)):
                if kept < size:
                    yield _with(case, lambda c, i=at, a=axis, s=size, k=kept: _cut(c.flat_inputs()[i], a, s, k))
    longest = max((t.array.ndim for t in flat), default=0)
    if longest and any(t.array.ndim == longest and t.shape[0] == 1 for t in flat):
        yield _with(case, lambda c: [_drop_axis(t, longest) for t in c.flat_inputs()])


def _cut(tensor, axis, size, kept):
    rank = tensor.array.ndim
    if -rank <= axis < rank and tensor.shape[axis] == size:
        tensor.array = np.take(tensor.array, range(kept), axis=axis)


def _drop_axis(tensor, rank):
    if tensor.array.ndim == rank and tensor.shape[0] == 1:
        tensor.array = tensor.array[0]
        tensor.array = np.asarray(tensor.array)


def _plainer_attrs(case):
    for a in case.op_def.attr:
        if a.name in case.attrs and a.type not in ("type", "list(type)") and a.HasField("default_value"):
            kind = {"int": "i", "float": "f", "bool": "b", "string": "s"}.get(a.type)
            if kind:
                default = getattr(a.default_value, kind)
                default = default.decode() if kind == "s" else default
                if case.attrs[a.name] != default:
                    yield _with(case, lambda c, n=a.name, v=default: c.attrs.__setitem__(n, v))


def _plainer_values(case):
    for at, tensor in enumerate(case.flat_inputs()):
        if tensor.dtype not in FLOATS and tensor.dtype not in INTEGERS or tensor.array.size == 0:
            continue
        for value in (0, 1):
            if np.any(tensor.array != value):
                yield _with(case, lambda c, i=at, v=value: c.flat_inputs()[i].array.__setitem__(..., v))
        if 1 < tensor.array.size <= 16:
            for place in range(tensor.array.size):
                for value in (0, 1):
                    if tensor.array.reshape(-1)[place] not in (0, 1):
                        yield _with(case, lambda c, i=at, p=place, v=value: c.flat_inputs()[i].array.reshape(-1).__setitem__(p, v))
