"""`torch.vmap` of a plugin's ops: elementwise ones in one call over the batch, others once for each element."""

import torch

from ._gradient import flat
from ._torch_dtypes import DTYPES, NAMES
from ._torch_gradient import device_of, program_of_gradient


def rule(torch_op):
    """The batching rule of an op, for `torch.library.register_vmap`."""
    op, overload = torch_op.op, torch_op.overload

    def batched(info, in_dims, *arguments, **keywords):
        tensors, lengths = op.flatten(arguments)
        dims = [dim for one, arg in zip(in_dims, op.inputs) for dim in (one if arg["list"] else [one])]
        if op.is_random and info.randomness != "different":
            _refuse(op, info.randomness)
        front = [one if dim is None else one.movedim(dim, 0) for one, dim in zip(tensors, dims)]
        shapes = [tuple(one.shape if dim is None else one.shape[1:]) for one, dim in zip(front, dims)]
        plan = _at_once(torch_op, lengths, keywords, front, dims, shapes)
        if plan is not None:
            given, is_batched = plan
            together = _together(given, dims, shapes, info.batch_size)
            made = overload(*op.divided(together, lengths), **keywords)
            return made, _like(made, [0 if one else None for one in is_batched or [True] * len(flat(made))])
        each = []
        for at in range(info.batch_size):
            example = [one if dim is None else one[at] for one, dim in zip(front, dims)]
            each.append(flat(overload(*op.divided(example, lengths), **keywords)))
        if not each:
            return _of_nothing(torch_op, lengths, keywords, front, shapes)
        stacked = [torch.stack(one) for one in zip(*each)]
        made = _grouped(op, stacked)
        return made, _like(made, [0] * len(stacked))

    return batched


def _grouped(op, values):
    """Flat outputs as a call returns them."""
    is_list = [arg["list"] for arg in op.outputs]
    if sum(is_list) == 0:
        return op.grouped(values)
    # Each list takes what the single outputs leave; several lists are of one length.
    each = (len(values) - is_list.count(False)) // sum(is_list)
    ranges, start = [], 0
    for one in is_list:
        ranges.append([start, start + (each if one else 1)])
        start = ranges[-1][1]
    return op.grouped(values, ranges)


def _like(made, dims):
    dims = iter(dims)

    def of(one):
        if isinstance(one, (tuple, list)):
            return type(one)(of(each) for each in one)
        return next(dims)

    return of(made)


def _at_once(torch_op, lengths, keywords, tensors, dims, shapes):
    """What one call over the batch is given, and which outputs have the batch, where not all; None where it takes
    several calls."""
    op = torch_op.op
    if op.gradient_of is None:
        return (tensors, None) if op.is_elementwise else None
    if not op.gradient_of.is_elementwise:
        return None
    examples = [one if dim is None else one.new_empty(shape) for one, dim, shape in zip(tensors, dims, shapes)]
    program, wanted = program_of_gradient(torch_op, lengths, keywords, examples)
    dys = len(shapes) - len(program.needed[0]) - len(program.needed[1])
    needed = [*program.needed[0], *program.needed[1], *[True] * dys]
    used = {shape for shape, is_needed in zip(shapes, needed) if is_needed}
    if not program.is_elementwise or len(used) != 1:
        return None
    given = [one if is_needed else one.new_empty(0) for one, is_needed in zip(tensors, needed)]
    for at, is_needed in enumerate(needed):
        if not is_needed:
            dims[at], shapes[at] = None, None
    return given, wanted


def _together(tensors, dims, shapes, size):
    """The tensors with the batch before extents of one rank. One without a batch is repeated, unless the op broadcasts:
    then shapes differ, and an extent of 1 does."""
    real = [shape for shape in shapes if shape is not None]
    rank = max(map(len, real), default=0)
    is_equal = len(set(real)) == 1
    out = []
    for one, dim, shape in zip(tensors, dims, shapes):
        if shape is None:
            out.append(one)
            continue
        one = one.reshape((1 if dim is None else size, *[1] * (rank - len(shape)), *shape))
        out.append(one.expand(size, *shape) if is_equal and dim is None else one)
    return out


def _of_nothing(torch_op, lengths, keywords, tensors, shapes):
    """The outputs of a batch of no elements."""
    inputs = [(NAMES[one.dtype], shape) for one, shape in zip(tensors, shapes)]
    answer = torch_op.op.request("infer", lengths, inputs, torch_op.attrs(keywords))
    made = []
    for output in answer["outputs"]:
        shape = [dim or 0 for dim in output["shape"] or []]
        made.append(torch.empty((0, *shape), dtype=DTYPES[output["dtype"]], device=device_of(tensors)))
    made = torch_op.op.grouped(made, answer["ranges"])
    return made, _like(made, [0] * len(answer["outputs"]))


def _refuse(op, randomness):
    if randomness == "error":
        raise RuntimeError(
            f"vmap: {op.name} draws random numbers while randomness is 'error': call vmap with randomness='different'"
        )
    raise RuntimeError(f"vmap: {op.name} draws other numbers at each call; randomness='same' is not possible")
